//! One detection, from columns to pairs.

use std::ops::ControlFlow;

use super::{
    detection::{Again, Against, List, Output, Request, Scratch},
    flow::Flow,
    index::Index,
    narrow::Found,
    options::{DEFAULT_MAX_CONTACTS, DEFAULT_MAX_PAIRS, Order, Threads, uses_pool},
};
use crate::{
    Columns, Contact, Error, Pair, SimdLevel, Touching,
    grid::{CellSize, GridLevels},
    narrowphase::check_margin,
    simd::Isa,
    store::{TurnedRoom, index_fits},
};

/// Finds all pairs of touching shapes.
///
/// A detector keeps nothing between calls but its options and scratch memory: each call sees the
/// shapes it is given and no others. Keep one and use it again; from the second call on like scenes,
/// nothing is allocated, but for what [`Threads`] says of rayon. ([`grid_order`](Detector::grid_order)
/// tells about the last call.)
///
/// Every result is a function of the shapes and options alone. Level and threads change the time
/// and not one bit.
///
/// ```
/// use widephase::{Columns, Detector, Order, Pair, Touching};
///
/// let mut detector = Detector::new().touching(Touching::Exclusive).order(Order::Sorted);
/// let mut pairs = Vec::new();
/// // Three unit squares in a row: the first two overlap, the third only touches the second.
/// let (left, right) = ([0.0, 0.5, 1.5], [1.0, 1.5, 2.5]);
/// let (low, high) = ([0.0; 3], [1.0; 3]);
/// detector.detect(Columns::aabbs(&left, &low, &right, &high)?, &mut pairs)?;
/// assert_eq!(pairs, [Pair { a: 0, b: 1 }]);
/// # Ok::<(), widephase::Error>(())
/// ```
///
/// # Cost
/// Time and memory grow with the number of shapes and of pairs, however the shapes are spread and
/// whatever their sizes: shapes of different size are in different [`GridLevels`] of cells, and the
/// number of cells goes with the shapes and not with the area that they span. At worst, a shape that
/// covers more cells than a level has is tested against all that are in it. Any input gives the
/// right answer.
#[derive(Debug, Default)]
pub struct Detector {
    level: Option<SimdLevel>,
    touching: Touching,
    order: Order,
    cell_size: CellSize,
    levels: GridLevels,
    max_pairs: Option<usize>,
    max_contacts: Option<usize>,
    threads: Threads,
    /// Shapes of borrowed columns that turn.
    turned: TurnedRoom,
    scratch: Scratch,
}

impl Detector {
    /// A detector with the default options: the [preferred](Level::preferred) level, touching
    /// included, grid order, automatic cells, at most [`DEFAULT_MAX_PAIRS`] pairs and
    /// [`DEFAULT_MAX_CONTACTS`] contacts, the threads of the current pool for large scenes.
    pub fn new() -> Self {
        Self::default()
    }

    /// Forces a level.
    ///
    /// # Errors
    /// [`Error::LevelUnavailable`] if this CPU lacks it.
    pub fn level(self, level: SimdLevel) -> Result<Self, Error> {
        Ok(Self { level: Some(level.required()?), ..self })
    }

    /// Chooses whether shapes that touch without overlapping are pairs.
    pub fn touching(self, touching: Touching) -> Self {
        Self { touching, ..self }
    }

    /// Chooses the order of listed pairs.
    pub fn order(self, order: Order) -> Self {
        Self { order, ..self }
    }

    /// Chooses the size of the grid's cells.
    ///
    /// # Errors
    /// [`Error::InvalidCellSize`] if it is not finite, above 0 and at most 2^60.
    pub fn cell_size(self, size: CellSize) -> Result<Self, Error> {
        Ok(Self { cell_size: size.checked()?, ..self })
    }

    /// Chooses how shapes of different size are kept apart.
    ///
    /// # Errors
    /// [`Error::TooManyLevels`], [`Error::InvalidLevel`].
    pub fn levels(self, levels: GridLevels) -> Result<Self, Error> {
        Ok(Self { levels: levels.checked()?, ..self })
    }

    /// Chooses how many pairs may be listed at most; `usize::MAX` for as many as memory holds.
    pub fn max_pairs(self, limit: usize) -> Self {
        Self { max_pairs: Some(limit), ..self }
    }

    /// Chooses how many contacts may be listed at most, of 64 bytes each; `usize::MAX` for as many as memory
    /// holds.
    #[cfg(feature = "narrowphase")]
    pub fn max_contacts(self, limit: usize) -> Self {
        Self { max_contacts: Some(limit), ..self }
    }

    /// Chooses which threads it runs on.
    pub fn threads(self, threads: Threads) -> Self {
        Self { threads, ..self }
    }

    /// Replaces the content of `pairs` by all pairs of touching shapes.
    ///
    /// The list is written over and keeps its memory: hand in the same one at every step.
    ///
    /// # Errors
    /// [`Error::InvalidShape`] for the first value that the numeric contract does not admit;
    /// [`Error::TooManyPairs`] beyond [`max_pairs`](Detector::max_pairs), with the number that
    /// there are; [`Error::OutOfMemory`]; the errors of [`SimdLevel::preferred`]. `pairs` is then
    /// empty.
    pub fn detect<'a>(
        &mut self,
        shapes: impl Into<Columns<'a>>,
        pairs: &mut Vec<Pair>,
    ) -> Result<(), Error> {
        let result = self.run(shapes.into(), 0.0, Some(Output::List(List::Pairs(pairs))), None);
        if result.is_err() {
            pairs.clear();
        }
        self.arrange(pairs);
        result.map(|_| ())
    }

    /// As [`detect`](Detector::detect), and finds which of the shapes touch which of `index`,
    /// too. Those touch each other or not: nobody looks.
    ///
    /// Replaces the content of `static_pairs` by pairs of `a`, an index of the shapes, and `b`, an
    /// index of the static ones: ordered by `a`, then by `b`, if [`Order::Sorted`] is wanted, else
    /// by what the two grids make of it, a function of shapes and options alone, too.
    ///
    /// Costs what the shapes cost, and what they touch; nothing goes with the number of static ones.
    ///
    /// # Errors
    /// Those of [`detect`](Detector::detect), [`max_pairs`](Detector::max_pairs) holding for each
    /// of the lists; [`Error::TooManyShapes`] if both sets together have more than [`u32::MAX`]
    /// rows. Both lists are then empty.
    ///
    /// ```
    /// use widephase::{Columns, Detector, Pair, Index};
    ///
    /// // A floor and a wall, and two balls: one lies on the floor, one flies.
    /// let (left, low, right, high) = ([-9.0, 9.0], [-1.0, -1.0], [9.0, 10.0], [0.0, 9.0]);
    /// let level = Index::build(Columns::aabbs(&left, &low, &right, &high)?)?;
    /// let balls = Columns::circles(&[0.0, 4.0], &[1.0, 5.0], &[1.0, 1.0])?;
    /// let (mut pairs, mut hits) = (Vec::new(), Vec::new());
    /// Detector::new().detect_with(balls, &level, &mut pairs, &mut hits)?;
    /// assert_eq!(pairs, []);
    /// assert_eq!(hits, [Pair { a: 0, b: 0 }]);
    /// # Ok::<(), widephase::Error>(())
    /// ```
    pub fn detect_with<'a>(
        &mut self,
        shapes: impl Into<Columns<'a>>,
        index: &Index,
        pairs: &mut Vec<Pair>,
        static_pairs: &mut Vec<Pair>,
    ) -> Result<(), Error> {
        static_pairs.clear();
        let against = Some((index, List::Pairs(static_pairs)));
        let result = self.run(shapes.into(), 0.0, Some(Output::List(List::Pairs(pairs))), against);
        if result.is_err() {
            pairs.clear();
            static_pairs.clear();
        }
        for pair in &mut *static_pairs {
            pair.b = !pair.b;
        }
        self.arrange(pairs);
        self.arrange(static_pairs);
        result.map(|_| ())
    }

    /// Finds which of the shapes touch which of `index`, and does not look which of the shapes touch each
    /// other: for bullets and walls, a crowd and its triggers, or one of several static sets.
    ///
    /// Replaces the content of `pairs` by what [`detect_with`](Detector::detect_with) lists as
    /// `static_pairs`, in the same order.
    ///
    /// # Errors
    /// Those of [`detect_with`](Detector::detect_with); `pairs` is then empty.
    ///
    /// ```
    /// use widephase::{Columns, Detector, Pair, Index};
    ///
    /// // Three bullets in one place, which nobody asks about, at a wall.
    /// let (x, y) = ([1.0; 3], [2.0; 3]);
    /// let wall = Index::build(Columns::aabbs(&[1.0], &[0.0], &[2.0], &[9.0])?)?;
    /// let mut hits = Vec::new();
    /// Detector::new().detect_against(Columns::points(&x, &y)?, &wall, &mut hits)?;
    /// assert_eq!(hits.len(), 3);
    /// assert!(hits.contains(&Pair { a: 2, b: 0 }));
    /// # Ok::<(), widephase::Error>(())
    /// ```
    pub fn detect_against<'a>(
        &mut self,
        shapes: impl Into<Columns<'a>>,
        index: &Index,
        pairs: &mut Vec<Pair>,
    ) -> Result<(), Error> {
        pairs.clear();
        let against = Some((index, List::Pairs(pairs)));
        let result = self.run(shapes.into(), 0.0, None, against);
        if result.is_err() {
            pairs.clear();
        }
        for pair in &mut *pairs {
            pair.b = !pair.b;
        }
        self.arrange(pairs);
        result.map(|_| ())
    }

    /// Brings listed pairs into the order that the caller wants.
    fn arrange(&self, pairs: &mut [Pair]) {
        if self.order == Order::Sorted {
            sort(pairs, uses_pool(self.threads, pairs.len()), pair_key);
        }
    }

    /// The same for contacts.
    fn arrange_contacts(&self, contacts: &mut [Contact]) {
        if self.order == Order::Sorted {
            let key = |contact: &Contact| (pair_key(&contact.pair), contact.part_a, contact.part_b);
            sort(contacts, uses_pool(self.threads, contacts.len()), key);
        }
    }

    /// Replaces the content of `contacts` by the contacts of all shapes that touch, or are at most
    /// `margin` apart: how deep, where, and in which direction. The latter have a depth of at most zero; a
    /// solver can keep them from overlapping in the first place (speculative contacts).
    ///
    /// With a margin of 0, there is one contact for each pair that [`detect`](Detector::detect) lists,
    /// in the same order; a pair with a compound has one for each two parts that touch. With a margin,
    /// the order is that of the grid over the shapes as much larger.
    ///
    /// `margin` is in the unit of length, at least 0 and at most 2^60. A radius with half of the margin counts for
    /// 2^60 at most: where it is more, near misses may be lost. Which algorithm makes the contacts of each two kinds,
    /// and where it is from, is in docs/narrowphase.md.
    ///
    /// Costs what `detect` costs, and more for each contact: measured with AVX-512, 10 ns among 10,000 circles and
    /// axis-aligned boxes, 15 among 100,000, and 30 among turned boxes, capsules and polygons of up to 8 vertices
    /// (docs/performance.md); for polygons of n and m vertices O(n·m) time. Contacts take 64 bytes each.
    ///
    /// # Errors
    /// Those of [`detect`](Detector::detect), but [`Error::TooManyContacts`] beyond
    /// [`max_contacts`](Detector::max_contacts); [`Error::InvalidMargin`]. `contacts` is then empty.
    ///
    /// ```
    /// use widephase::{Detector, Shapes, shape::{Obb, Rotation}};
    ///
    /// // A box that stands on a corner, 0.25 above another box.
    /// let half = 0.5_f32.sqrt();
    /// let on_corner = Rotation { cos: half, sin: half };
    /// let mut shapes = Shapes::new();
    /// shapes.push(Obb::new([0.0, 0.0], [4.0, 1.0], Rotation::IDENTITY))?;
    /// shapes.push(Obb::new([0.0, 2.25], [half, half], on_corner))?;
    ///
    /// let (mut detector, mut contacts) = (Detector::new(), Vec::new());
    /// detector.contacts(&shapes, 0.0, &mut contacts)?;
    /// assert!(contacts.is_empty());
    /// detector.contacts(&shapes, 0.5, &mut contacts)?;
    /// assert_eq!((contacts[0].normal_x, contacts[0].normal_y), (0.0, 1.0));
    /// assert!((contacts[0].depth + 0.25).abs() < 1e-6);
    /// # Ok::<(), widephase::Error>(())
    /// ```
    #[cfg(feature = "narrowphase")]
    pub fn contacts<'a>(
        &mut self,
        shapes: impl Into<Columns<'a>>,
        margin: f32,
        contacts: &mut Vec<Contact>,
    ) -> Result<(), Error> {
        let result =
            self.run(shapes.into(), margin, Some(Output::List(List::Contacts(contacts))), None);
        if result.is_err() {
            contacts.clear();
        }
        self.arrange_contacts(contacts);
        result.map(|_| ())
    }

    /// As [`contacts`](Detector::contacts), and the contacts of the shapes with `index`, too: `a` is an
    /// index of the shapes, `b` one of the static ones. Those of the shapes are the same as without static
    /// ones; with a margin, the order may be another.
    ///
    /// Costs what [`detect_with`](Detector::detect_with) costs, and more for each contact, as
    /// [`contacts`](Detector::contacts) does; nothing goes with the number of static ones. With a margin, the
    /// shapes are made larger by all of it, and not by half: near misses of static ones may be lost where a radius
    /// with all of the margin is more than 2^60. Algorithms and sources are those of `contacts`. In the steady state
    /// nothing is allocated.
    ///
    /// # Errors
    /// Those of [`contacts`](Detector::contacts), the limit holding for each of the lists;
    /// [`Error::TooManyShapes`] if both sets together have more than [`u32::MAX`] rows. Both lists are then
    /// empty.
    #[cfg(feature = "narrowphase")]
    pub fn contacts_with<'a>(
        &mut self,
        shapes: impl Into<Columns<'a>>,
        index: &Index,
        margin: f32,
        contacts: &mut Vec<Contact>,
        static_contacts: &mut Vec<Contact>,
    ) -> Result<(), Error> {
        static_contacts.clear();
        let against = Some((index, List::Contacts(static_contacts)));
        let result =
            self.run(shapes.into(), margin, Some(Output::List(List::Contacts(contacts))), against);
        if result.is_err() {
            contacts.clear();
            static_contacts.clear();
        }
        self.arrange_contacts(contacts);
        self.arrange_contacts(static_contacts);
        result.map(|_| ())
    }

    /// As [`detect_against`](Detector::detect_against), with contacts instead of pairs: what
    /// [`contacts_with`](Detector::contacts_with) lists as `static_contacts`, for what that costs without a
    /// look at the shapes among each other. Algorithms and sources are those of [`contacts`](Detector::contacts). In
    /// the steady state nothing is allocated.
    ///
    /// # Errors
    /// Those of [`contacts_with`](Detector::contacts_with); `contacts` is then empty.
    #[cfg(feature = "narrowphase")]
    pub fn contacts_against<'a>(
        &mut self,
        shapes: impl Into<Columns<'a>>,
        index: &Index,
        margin: f32,
        contacts: &mut Vec<Contact>,
    ) -> Result<(), Error> {
        contacts.clear();
        let against = Some((index, List::Contacts(contacts)));
        let result = self.run(shapes.into(), margin, None, against);
        if result.is_err() {
            contacts.clear();
        }
        self.arrange_contacts(contacts);
        result.map(|_| ())
    }

    /// The number of pairs of touching shapes, however many; none is stored.
    ///
    /// # Errors
    /// [`Error::InvalidShape`], and the errors of [`SimdLevel::preferred`].
    pub fn count<'a>(&mut self, shapes: impl Into<Columns<'a>>) -> Result<u64, Error> {
        self.run(shapes.into(), 0.0, Some(Output::Count), None)
    }

    /// Calls `each` for every pair of touching shapes, until there are no more or `each` wants none.
    ///
    /// A callback that returns nothing gets all pairs, and the call returns how many there were. One that
    /// returns a [`ControlFlow`] or a [`Result`] ends the call by `Break` or `Err`, and gets no pair after
    /// that; the call returns what it has ended with, or the number of pairs: see [`Flow`].
    ///
    /// The pairs and their order are those of [`detect`](Detector::detect) in [`Order::Grid`], whatever the
    /// order that is chosen. The shapes are sorted on the threads that are chosen by [`Threads`]; `each` is
    /// called on the calling thread alone. At most a block of pairs is in memory at a time. Once `each` wants
    /// no more, at most the pairs of 256 further shapes are found in vain.
    ///
    /// # Errors
    /// [`Error::InvalidShape`], and the errors of [`SimdLevel::preferred`]; `each` has then not been
    /// called.
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
    /// let pairs = detector.for_each(circles, |pair| {
    ///     partners[pair.a as usize] += 1;
    ///     partners[pair.b as usize] += 1;
    /// })?;
    /// assert_eq!((pairs, partners), (2, [1, 2, 1, 0]));
    ///
    /// // The first pair of shape 2.
    /// let found = detector.for_each(circles, |pair| match pair {
    ///     Pair { b: 2, .. } => ControlFlow::Break(pair),
    ///     _ => ControlFlow::Continue(()),
    /// })?;
    /// assert_eq!(found, ControlFlow::Break(Pair { a: 1, b: 2 }));
    ///
    /// // Into a stream that may fail.
    /// let mut out = Vec::new();
    /// let written = detector.for_each(circles, |Pair { a, b }| writeln!(out, "{a},{b}"))??;
    /// assert_eq!((written, &out[..]), (2, &b"0,1\n1,2\n"[..]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn for_each<'a, F: Flow>(
        &mut self,
        shapes: impl Into<Columns<'a>>,
        each: impl FnMut(Pair) -> F,
    ) -> Result<F::Outcome, Error> {
        self.call(shapes.into(), 0.0, each)
    }

    /// Calls `each` for every contact, until there are no more or `each` wants none: as
    /// [`for_each`](Detector::for_each), with what [`contacts`](Detector::contacts) lists in
    /// [`Order::Grid`].
    ///
    /// # Errors
    /// Those of [`for_each`](Detector::for_each); [`Error::InvalidMargin`]. `each` has then not been called.
    ///
    /// ```
    /// use std::ops::ControlFlow;
    /// use widephase::{Columns, Detector};
    ///
    /// // Is anything deeper than a tenth in something else?
    /// let circles = Columns::circles(&[0.0, 1.0, 1.5], &[0.0; 3], &[0.5; 3])?;
    /// let deep = Detector::new().for_each_contact(circles, 0.0, |contact| {
    ///     if contact.depth > 0.1 { ControlFlow::Break(contact.pair) } else { ControlFlow::Continue(()) }
    /// })?;
    /// assert_eq!(deep.break_value().map(|pair| (pair.a, pair.b)), Some((1, 2)));
    /// # Ok::<(), widephase::Error>(())
    /// ```
    #[cfg(feature = "narrowphase")]
    pub fn for_each_contact<'a, F: Flow>(
        &mut self,
        shapes: impl Into<Columns<'a>>,
        margin: f32,
        each: impl FnMut(Contact) -> F,
    ) -> Result<F::Outcome, Error> {
        self.call(shapes.into(), margin, each)
    }

    /// Calls `each` for all pairs or contacts among the shapes of `columns`.
    fn call<T: Found, F: Flow>(
        &mut self,
        columns: Columns<'_>,
        margin: f32,
        mut each: impl FnMut(T) -> F,
    ) -> Result<F::Outcome, Error> {
        self.run(columns, margin, None, None)?;
        let (isa, inclusive) = (self.isa()?, self.touching == Touching::Inclusive);
        let rows = columns.rows_again(&self.turned);
        let (mut calls, mut stopped) = (0, None);
        let mut take = |found: &[T]| {
            for &item in found {
                if let ControlFlow::Break(stop) = each(item).flow() {
                    stopped = Some(stop);
                    return ControlFlow::Break(());
                }
            }
            calls += found.len() as u64;
            ControlFlow::Continue(())
        };
        T::for_each(Again { scratch: &mut self.scratch, isa, rows, margin, inclusive }, &mut take);
        Ok(F::outcome(stopped.map_or(ControlFlow::Continue(calls), ControlFlow::Break)))
    }

    /// Replaces the content of `order` by the rows of the shapes of the last call that found all
    /// values valid, in the order of its grid: row by row of cells, those of one size behind those of
    /// another.
    ///
    /// Whoever keeps the shapes in this order, and sorts them anew once in a while, hands in nearly
    /// sorted rows at every step. The detector notices, and sorts in one step what it otherwise
    /// sorts in two: at a million circles three tenths of the time of a detection (measured,
    /// docs/performance.md). Bringing the shapes into the order at every step would cost as much as
    /// it saves. Empty before the first call; vacant rows are not listed.
    ///
    /// ```
    /// use widephase::{Detector, Shapes, shape::Circle};
    ///
    /// let mut shapes = Shapes::new();
    /// for x in [30.0, 10.0, 20.0] {
    ///     shapes.push(Circle::new([x, 0.0], 1.0))?;
    /// }
    /// let (mut detector, mut pairs, mut order) = (Detector::new(), Vec::new(), Vec::new());
    /// detector.detect(&shapes, &mut pairs)?;
    /// detector.grid_order(&mut order);
    /// assert_eq!(order, [1, 2, 0]);
    /// shapes.reorder(&order)?;
    /// # Ok::<(), widephase::Error>(())
    /// ```
    pub fn grid_order(&self, order: &mut Vec<u32>) {
        self.scratch.grid_order(order);
    }

    /// The bytes of scratch memory held, for callers who watch their memory: at most 100 a shape; 27 more where a
    /// [`Shapes`](crate::Shapes) store has vacant rows, and as many for contacts with a margin; 59 for borrowed
    /// columns of shapes that turn; 36 more for each row, vacant or not, where shapes that do not turn meet static
    /// ones that do, or of which contacts are asked for; and up to 20 kilobytes that show in small scenes. Besides,
    /// pairs on their way: a block of them for [`for_each`](Detector::for_each), up to 400 kilobytes a thread for
    /// those that the sweep does not decide (and for each vertex of the largest polygon 512 bytes, for each part of
    /// the largest compound 28), and on several threads, for each, what four of its tasks find, or more, where it
    /// gets ahead of the others (where there are no more than 32 tasks, of 8,192 shapes each, what all of them
    /// find).
    pub fn scratch_bytes(&self) -> usize {
        self.turned.bytes() + self.scratch.bytes()
    }

    /// The vectors to work with.
    fn isa(&self) -> Result<Isa, Error> {
        match self.level {
            Some(level) => Isa::new(level),
            None => Isa::new(SimdLevel::preferred()?),
        }
    }

    fn run(
        &mut self,
        columns: Columns<'_>,
        margin: f32,
        output: Option<Output<'_>>,
        against: Against<'_>,
    ) -> Result<u64, Error> {
        check_margin(margin)?;
        let isa = self.isa()?;
        if let Some((index, _)) = &against {
            index_fits(columns.len() + index.rows())?;
        }
        let rows = columns.rows(isa, &mut self.turned)?;
        self.scratch.run(Request {
            isa,
            rows,
            margin,
            inclusive: self.touching == Touching::Inclusive,
            cell_size: self.cell_size,
            levels: &self.levels,
            threads: self.threads,
            max_pairs: self.max_pairs.unwrap_or(DEFAULT_MAX_PAIRS),
            max_contacts: self.max_contacts.unwrap_or(DEFAULT_MAX_CONTACTS),
            output,
            against,
        })
    }
}

/// By `a`, then by `b`.
fn pair_key(pair: &Pair) -> u64 {
    u64::from(pair.a) << 32 | u64::from(pair.b)
}

/// Sorts by a key.
fn sort<T: Send, K: Ord>(list: &mut [T], threads: bool, key: impl Fn(&T) -> K + Sync) {
    #[cfg(feature = "parallel")]
    if threads {
        use rayon::slice::ParallelSliceMut;
        list.par_sort_unstable_by_key(key);
        return;
    }
    let _ = threads;
    list.sort_unstable_by_key(key);
}
