//! Pairs: lists, numbers and callbacks.

use super::{Detector, Flow};
use crate::{
    Columns, Error, Index, Pair,
    detect::{Sets, Sink, pair_key, sort},
    options::uses_pool,
};

impl Detector {
    /// Replaces the content of `pairs` by all pairs of touching shapes, as rows `a` and `b`. In
    /// each pair, `a < b`.
    ///
    /// The vector keeps its memory: pass the same one at every step.
    ///
    /// # Errors
    /// [`Error::InvalidShape`] for the first value outside the numeric contract;
    /// [`Error::TooManyPairs`] beyond [`Options::max_pairs`], with the number of pairs;
    /// [`Error::OutOfMemory`]; the errors of [`SimdLevel::preferred`](crate::SimdLevel::preferred).
    /// `pairs` is then empty.
    ///
    /// [`Options::max_pairs`]: crate::Options::max_pairs
    pub fn pairs<'a>(
        &mut self,
        shapes: impl Into<Columns<'a>>,
        pairs: &mut Vec<Pair>,
    ) -> Result<(), Error> {
        self.list_pairs(shapes.into(), pairs)
    }

    /// Replaces the content of `pairs` by all pairs of a shape and a shape of `index`: `a` is a row
    /// of the shapes, `b` a row of the index. Shapes of the same set are not tested against each
    /// other.
    ///
    /// With [`Order::Sorted`], the order is by `a`, then by `b`; else it is the order of the two
    /// grids, which is also a function of the shapes and the options. Time is proportional to the
    /// number of shapes and pairs, not to the size of the index.
    ///
    /// # Errors
    /// The errors of [`pairs`](Detector::pairs); [`Error::TooManyShapes`] if both sets together
    /// have more than [`u32::MAX`] rows. `pairs` is then empty.
    ///
    /// ```
    /// use widephase::{Columns, Detector, Index, Pair};
    ///
    /// // Three bullets at one position, and a wall.
    /// let (x, y) = ([1.0; 3], [2.0; 3]);
    /// let wall = Index::build(Columns::aabbs(&[1.0], &[0.0], &[2.0], &[9.0])?)?;
    /// let mut hits = Vec::new();
    /// Detector::new().pairs_against(Columns::points(&x, &y)?, &wall, &mut hits)?;
    /// assert_eq!(hits.len(), 3);
    /// assert!(hits.contains(&Pair { a: 2, b: 0 }));
    /// # Ok::<(), widephase::Error>(())
    /// ```
    ///
    /// [`Order::Sorted`]: crate::Order::Sorted
    pub fn pairs_against<'a>(
        &mut self,
        shapes: impl Into<Columns<'a>>,
        index: &Index,
        pairs: &mut Vec<Pair>,
    ) -> Result<(), Error> {
        self.list_pairs_against(shapes.into(), index, None, pairs)
    }

    /// Writes [`pairs`](Detector::pairs) to `among` and [`pairs_against`](Detector::pairs_against)
    /// to `against`, in one pass that sorts the shapes once.
    ///
    /// # Errors
    /// The errors of [`pairs_against`](Detector::pairs_against). [`Options::max_pairs`] holds for
    /// each list. Both lists are then empty.
    ///
    /// ```
    /// use widephase::{Columns, Detector, Index, Pair};
    ///
    /// // A floor and a wall, and two balls: one lies on the floor, one flies.
    /// let (left, low, right, high) = ([-9.0, 9.0], [-1.0, -1.0], [9.0, 10.0], [0.0, 9.0]);
    /// let room = Index::build(Columns::aabbs(&left, &low, &right, &high)?)?;
    /// let balls = Columns::circles(&[0.0, 4.0], &[1.0, 5.0], &[1.0, 1.0])?;
    /// let (mut pairs, mut hits) = (Vec::new(), Vec::new());
    /// Detector::new().pairs_and_against(balls, &room, &mut pairs, &mut hits)?;
    /// assert_eq!(pairs, []);
    /// assert_eq!(hits, [Pair { a: 0, b: 0 }]);
    /// # Ok::<(), widephase::Error>(())
    /// ```
    ///
    /// [`Options::max_pairs`]: crate::Options::max_pairs
    pub fn pairs_and_against<'a>(
        &mut self,
        shapes: impl Into<Columns<'a>>,
        index: &Index,
        among: &mut Vec<Pair>,
        against: &mut Vec<Pair>,
    ) -> Result<(), Error> {
        self.list_pairs_against(shapes.into(), index, Some(among), against)
    }

    /// Replaces the content of `pairs` by all pairs of a shape of `index` and a shape of `other`:
    /// `a` is a row of `index`, `b` a row of `other`. The order is that of
    /// [`pairs_against`](Detector::pairs_against).
    ///
    /// Nothing is sorted: only the search costs. It is lowest if `index` is the smaller
    /// one.
    ///
    /// # Errors
    /// The errors of [`pairs_against`](Detector::pairs_against).
    ///
    /// ```
    /// use widephase::{Columns, Detector, Index, Pair};
    ///
    /// let ships = Index::build(Columns::circles(&[0.0, 9.0], &[0.0; 2], &[1.0; 2])?)?;
    /// let rocks = Index::build(Columns::aabbs(&[0.5], &[0.5], &[5.0], &[5.0])?)?;
    /// let mut pairs = Vec::new();
    /// Detector::new().pairs_between(&ships, &rocks, &mut pairs)?;
    /// assert_eq!(pairs, [Pair { a: 0, b: 0 }]);
    /// # Ok::<(), widephase::Error>(())
    /// ```
    pub fn pairs_between(
        &mut self,
        index: &Index,
        other: &Index,
        pairs: &mut Vec<Pair>,
    ) -> Result<(), Error> {
        pairs.clear();
        let result = self.run_between([index, other], Sink::List(pairs));
        self.finish_against(pairs, &result);
        result.map(drop)
    }

    /// The number of pairs of touching shapes. None is stored, so there is no limit.
    ///
    /// # Errors
    /// [`Error::InvalidShape`], and the errors of
    /// [`SimdLevel::preferred`](crate::SimdLevel::preferred).
    pub fn count<'a>(&mut self, shapes: impl Into<Columns<'a>>) -> Result<u64, Error> {
        self.count_of(shapes.into(), None)
    }

    /// The number of pairs of a shape and a shape of `index`.
    ///
    /// # Errors
    /// The errors of [`count`](Detector::count); [`Error::TooManyShapes`] if both sets together
    /// have more than [`u32::MAX`] rows.
    pub fn count_against<'a>(
        &mut self,
        shapes: impl Into<Columns<'a>>,
        index: &Index,
    ) -> Result<u64, Error> {
        self.count_of(shapes.into(), Some(index))
    }

    /// The number of pairs of a shape of `index` and a shape of `other`.
    ///
    /// # Errors
    /// The errors of [`count_against`](Detector::count_against).
    pub fn count_between(&mut self, index: &Index, other: &Index) -> Result<u64, Error> {
        self.run_between::<Pair>([index, other], Sink::Count)
    }

    /// Calls `each` for every pair of touching shapes, until `each` ends the call.
    ///
    /// A callback that returns nothing receives all pairs, and the call returns their number. A
    /// callback that returns a [`ControlFlow`] or a [`Result`] ends the call with `Break` or `Err`
    /// and receives no pair after that. The call then returns that value, else the number of pairs:
    /// see [`Flow`].
    ///
    /// The pairs and their order are as for [`pairs`](Detector::pairs) in [`Order::Grid`],
    /// whatever [`Options::order`] is. The shapes are sorted on the threads of
    /// [`Options::threads`]; `each` is called on the calling thread. At most a block of pairs is in
    /// memory at a time. After `each` has ended the call, at most the pairs of 256 further shapes
    /// are computed and discarded.
    ///
    /// # Errors
    /// [`Error::InvalidShape`], and the errors of
    /// [`SimdLevel::preferred`](crate::SimdLevel::preferred); `each` has then not been called.
    ///
    /// ```
    /// use std::{io::Write, ops::ControlFlow};
    /// use widephase::{Columns, Detector, Pair};
    ///
    /// let (x, y, radius) = ([0.0, 1.0, 2.0, 9.0], [0.0; 4], [0.5; 4]);
    /// let circles = Columns::circles(&x, &y, &radius)?;
    /// let mut detector = Detector::new();
    ///
    /// // All pairs.
    /// let mut partners = [0; 4];
    /// let pairs = detector.for_each_pair(circles, |pair| {
    ///     partners[pair.a as usize] += 1;
    ///     partners[pair.b as usize] += 1;
    /// })?;
    /// assert_eq!((pairs, partners), (2, [1, 2, 1, 0]));
    ///
    /// // The first pair of shape 2.
    /// let found = detector.for_each_pair(circles, |pair| match pair {
    ///     Pair { b: 2, .. } => ControlFlow::Break(pair),
    ///     _ => ControlFlow::Continue(()),
    /// })?;
    /// assert_eq!(found, ControlFlow::Break(Pair { a: 1, b: 2 }));
    ///
    /// // Into a stream that may fail.
    /// let mut out = Vec::new();
    /// let written = detector.for_each_pair(circles, |Pair { a, b }| writeln!(out, "{a},{b}"))??;
    /// assert_eq!((written, &out[..]), (2, &b"0,1\n1,2\n"[..]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// [`ControlFlow`]: std::ops::ControlFlow
    /// [`Order::Grid`]: crate::Order::Grid
    /// [`Options::order`]: crate::Options::order
    /// [`Options::threads`]: crate::Options::threads
    pub fn for_each_pair<'a, F: Flow>(
        &mut self,
        shapes: impl Into<Columns<'a>>,
        each: impl FnMut(Pair) -> F,
    ) -> Result<F::Outcome, Error> {
        self.call(shapes.into(), None, 0.0, each)
    }

    /// Calls `each` for every pair of a shape and a shape of `index`, until `each` ends the call:
    /// like [`for_each_pair`](Detector::for_each_pair), with the pairs of
    /// [`pairs_against`](Detector::pairs_against).
    ///
    /// # Errors
    /// The errors of [`for_each_pair`](Detector::for_each_pair); [`Error::TooManyShapes`] if both
    /// sets together have more than [`u32::MAX`] rows. `each` has then not been called.
    ///
    /// ```
    /// use std::ops::ControlFlow;
    /// use widephase::{Columns, Detector, Index};
    ///
    /// // Is any of the mines within reach?
    /// let mines = Index::build(Columns::points(&[3.0, 4.0], &[0.0, 0.5])?)?;
    /// let reach = Columns::circles(&[0.0], &[0.0], &[5.0])?;
    /// let any = Detector::new().for_each_pair_against(reach, &mines, ControlFlow::Break)?;
    /// assert!(any.is_break());
    /// # Ok::<(), widephase::Error>(())
    /// ```
    pub fn for_each_pair_against<'a, F: Flow>(
        &mut self,
        shapes: impl Into<Columns<'a>>,
        index: &Index,
        mut each: impl FnMut(Pair) -> F,
    ) -> Result<F::Outcome, Error> {
        let row_of_index = |Pair { a, b }| Pair { a, b: !b };
        self.call(shapes.into(), Some(index), 0.0, |pair| each(row_of_index(pair)))
    }

    fn list_pairs(&mut self, columns: Columns<'_>, pairs: &mut Vec<Pair>) -> Result<(), Error> {
        let result = self.run(columns, 0.0, Sets::among(Sink::List(pairs)));
        self.finish(pairs, &result);
        result.map(drop)
    }

    fn list_pairs_against(
        &mut self,
        columns: Columns<'_>,
        index: &Index,
        mut among: Option<&mut Vec<Pair>>,
        against: &mut Vec<Pair>,
    ) -> Result<(), Error> {
        against.clear();
        let sets = Sets {
            among: among.as_deref_mut().map(Sink::List),
            against: Some((index.part(0), Sink::List(against))),
        };
        let result = self.run(columns, 0.0, sets);
        if let Some(among) = among {
            self.finish(among, &result);
        }
        self.finish_against(against, &result);
        result.map(drop)
    }

    fn count_of(&mut self, columns: Columns<'_>, index: Option<&Index>) -> Result<u64, Error> {
        let sets = match index {
            None => Sets::among(Sink::Count),
            Some(index) => Sets::against(index.part(0), Sink::Count),
        };
        self.run::<Pair>(columns, 0.0, sets)
    }

    /// Brings a list of pairs into its order; on an error, empties it.
    fn finish(&mut self, pairs: &mut Vec<Pair>, result: &Result<u64, Error>) {
        if result.is_err() {
            pairs.clear();
        }
        if self.engine.sorts(self.options.order) {
            let threads = uses_pool(self.options.threads, pairs.len());
            sort(pairs, threads, pair_key);
        }
        self.engine.end_finish();
    }

    /// Finishes a list of pairs with an index. The search reports the rows of the index as
    /// complements.
    fn finish_against(&mut self, pairs: &mut Vec<Pair>, result: &Result<u64, Error>) {
        for pair in &mut *pairs {
            pair.b = !pair.b;
        }
        self.finish(pairs, result);
    }
}
