//! Pairs: lists, numbers and callbacks.

use super::{Detector, Flow, flow::call};
use crate::{
    base::Pair,
    detect::{ResultSink, Scope, Take},
    error::Error,
    index::{Index, IndexPart},
    options::{Order, uses_pool},
    store::Columns,
};

impl Detector {
    /// Replaces the content of `pairs` by all pairs of touching shapes in a [scope](Scope): of the
    /// shapes with each other, of shapes with an [`Index`], or of two indexes.
    ///
    /// With [`Order::Sorted`], the order is by `a`, then by `b`; else it is the order of the grids,
    /// which is also a function of the shapes and the options. The vector keeps its memory: pass
    /// the same vector at every step.
    ///
    /// # Errors
    /// [`Error::InvalidShape`] for the first value outside the numeric contract;
    /// [`Error::TooManyShapes`] if two sets together have more than [`u32::MAX`] rows;
    /// [`Error::TooManyPairs`] beyond [`Options::max_pairs`], with the number of pairs;
    /// [`Error::OutOfMemory`]; the errors of [`SimdLevel::preferred`](crate::SimdLevel::preferred).
    /// `pairs` is then empty.
    ///
    /// ```
    /// use widephase::{Columns, Detector, Index, Pair};
    ///
    /// // Three bullets at one position, and a wall.
    /// let (x, y) = ([1.0; 3], [2.0; 3]);
    /// let bullets = Columns::points(&x, &y)?;
    /// let wall = Index::build(Columns::aabbs(&[1.0], &[0.0], &[2.0], &[9.0])?)?;
    /// let (mut detector, mut pairs) = (Detector::new(), Vec::new());
    /// detector.pairs(bullets, &mut pairs)?; // with each other
    /// assert!(pairs.contains(&Pair { a: 0, b: 2 }));
    /// detector.pairs((bullets, &wall), &mut pairs)?; // with the wall
    /// assert_eq!(pairs.len(), 3);
    /// assert!(pairs.contains(&Pair { a: 2, b: 0 }));
    /// # Ok::<(), widephase::Error>(())
    /// ```
    ///
    /// [`Options::max_pairs`]: crate::Options::max_pairs
    /// [`Order::Sorted`]: crate::Order::Sorted
    pub fn pairs<'a>(
        &mut self,
        scope: impl Into<Scope<'a>>,
        pairs: &mut Vec<Pair>,
    ) -> Result<(), Error> {
        self.list_pairs(scope.into(), pairs)
    }

    /// Writes the pairs of the shapes with each other to `among`, and their pairs with the index to
    /// `against`: both lists of [`pairs`](Detector::pairs), in one pass that sorts the shapes once.
    ///
    /// # Errors
    /// The errors of [`pairs`](Detector::pairs). [`Options::max_pairs`] holds for each list. Both
    /// lists are then empty.
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
        self.list_both_pairs(shapes.into(), index.part(0), among, against)
    }

    /// The number of pairs of touching shapes in a [scope](Scope): the length of the list of
    /// [`pairs`](Detector::pairs). No pair is stored, so there is no limit.
    ///
    /// # Errors
    /// [`Error::InvalidShape`]; [`Error::TooManyShapes`] if two sets together have more than
    /// [`u32::MAX`] rows; the errors of [`SimdLevel::preferred`](crate::SimdLevel::preferred).
    pub fn count<'a>(&mut self, scope: impl Into<Scope<'a>>) -> Result<u64, Error> {
        self.count_pairs(scope.into())
    }

    /// Calls `each` for every pair of touching shapes in a [scope](Scope), until `each` ends the
    /// call.
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
    /// The errors of [`count`](Detector::count); `each` has then not been called.
    ///
    /// ```
    /// use std::{io::Write, ops::ControlFlow};
    /// use widephase::{Columns, Detector, Index, Pair};
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
    /// // Is any of the mines within reach?
    /// let mines = Index::build(Columns::points(&[3.0, 9.25], &[0.0, 0.25])?)?;
    /// let found = detector.for_each_pair((circles, &mines), ControlFlow::Break)?;
    /// assert_eq!(found, ControlFlow::Break(Pair { a: 3, b: 1 }));
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
        scope: impl Into<Scope<'a>>,
        mut each: impl FnMut(Pair) -> F,
    ) -> Result<F::Outcome, Error> {
        let scope = scope.into();
        // The search reports the rows of an index as complements.
        let complement = if scope.has_two() { u32::MAX } else { 0 };
        call(
            |Pair { a, b }| each(Pair { a, b: b ^ complement }),
            |take| self.pass_pairs(scope, take),
        )
    }

    fn list_pairs(&mut self, scope: Scope<'_>, pairs: &mut Vec<Pair>) -> Result<(), Error> {
        let has_two = scope.has_two();
        if has_two {
            pairs.clear();
        }
        #[cfg(feature = "narrowphase")]
        let scope = self.index_rows.open(scope, 0.0)?;
        let Self { engine, options, .. } = self;
        let result = engine
            .open(options, 0.0)
            .and_then(|run| engine.detect(run, scope, 0.0, ResultSink::List(pairs), None));
        if has_two {
            self.finish_against(pairs, &result);
        } else {
            self.finish(pairs, &result);
        }
        result.map(drop)
    }

    /// The pairs of shapes, and the pairs with shapes of a part of an index.
    pub(crate) fn list_both_pairs(
        &mut self,
        columns: Columns<'_>,
        part: IndexPart<'_>,
        among: &mut Vec<Pair>,
        against: &mut Vec<Pair>,
    ) -> Result<(), Error> {
        against.clear();
        let Self { engine, options, .. } = self;
        let [first, second] = [&mut *among, &mut *against].map(ResultSink::List);
        let result = engine.open(options, 0.0).and_then(|run| {
            engine.detect(run, Scope::with_part(columns, part), 0.0, second, Some(first))
        });
        self.finish(among, &result);
        self.finish_against(against, &result);
        result.map(drop)
    }

    fn count_pairs(&mut self, scope: Scope<'_>) -> Result<u64, Error> {
        #[cfg(feature = "narrowphase")]
        let scope = self.index_rows.open(scope, 0.0)?;
        let Self { engine, options, .. } = self;
        let run = engine.open(options, 0.0)?;
        engine.detect::<Pair>(run, scope, 0.0, ResultSink::Count, None)
    }

    fn pass_pairs(&mut self, scope: Scope<'_>, take: &mut Take<'_, Pair>) -> Result<(), Error> {
        #[cfg(feature = "narrowphase")]
        let scope = self.index_rows.open(scope, 0.0)?;
        let Self { engine, options, .. } = self;
        let run = engine.open(options, 0.0)?;
        engine.for_each(run, scope, 0.0, take)
    }

    /// Brings a list of pairs into its order; on an error, empties it.
    fn finish(&mut self, pairs: &mut Vec<Pair>, result: &Result<u64, Error>) {
        if result.is_err() {
            pairs.clear();
        }
        if self.options.order == Order::Sorted {
            self.sort_pairs(pairs);
        }
        self.engine.end_finish();
    }

    /// Sorts pairs by `a`, then by `b`.
    pub(super) fn sort_pairs(&mut self, pairs: &mut [Pair]) {
        let threads = uses_pool(self.options.threads, pairs.len());
        self.engine.sorter.pairs(pairs, threads);
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
