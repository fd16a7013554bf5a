//! `Detector`: the public methods of detection.

use std::ops::ControlFlow;

#[cfg(all(feature = "narrowphase", feature = "queries"))]
use super::swept::SweptScratch;
use super::{
    detection::{Again, List, Output, Request, Scratch, Sets},
    flow::Flow,
    narrow::Found,
    worlds::{Call, WorldsRoom},
};
#[cfg(feature = "queries")]
use super::{neighbors::NeighborScratch, periodic::PeriodicScratch};
use crate::index::Index;
use crate::{
    Columns, Contact, Error, GridCell, Options, Order, Pair,
    base::phases::Phases,
    narrowphase::check_margin,
    options::uses_pool,
    store::{TurnedRoom, index_fits},
};

/// Finds the shapes that touch: their pairs, their contacts, or how many there are.
///
/// | | of one set | of a set with an [`Index`] | both in one pass | of two indexes |
/// |---|---|---|---|---|
/// | list of pairs | [`pairs`] | [`pairs_against`] | [`pairs_and_against`] | [`pairs_between`] |
/// | list of contacts | [`contacts`] | [`contacts_against`] | [`contacts_and_against`] | [`contacts_between`] |
/// | number of pairs | [`count`] | [`count_against`] | | [`count_between`] |
/// | callback for each pair | [`for_each_pair`] | [`for_each_pair_against`] | | |
/// | callback for each contact | [`for_each_contact`] | [`for_each_contact_against`] | | |
///
/// [`pairs`]: Detector::pairs
/// [`pairs_against`]: Detector::pairs_against
/// [`pairs_and_against`]: Detector::pairs_and_against
/// [`pairs_between`]: Detector::pairs_between
/// [`contacts`]: Detector::contacts
/// [`contacts_against`]: Detector::contacts_against
/// [`contacts_and_against`]: Detector::contacts_and_against
/// [`contacts_between`]: Detector::contacts_between
/// [`count`]: Detector::count
/// [`count_against`]: Detector::count_against
/// [`count_between`]: Detector::count_between
/// [`for_each_pair`]: Detector::for_each_pair
/// [`for_each_pair_against`]: Detector::for_each_pair_against
/// [`for_each_contact`]: Detector::for_each_contact
/// [`for_each_contact_against`]: Detector::for_each_contact_against
///
/// A detector keeps no shapes between calls: only its options and its workspace. Keep one and use
/// it again. From the second call on similar scenes, it allocates nothing, except what [`Threads`]
/// says of rayon.
///
/// Every result is a function of the shapes and the options. The SIMD level and the number of
/// threads change the time and not one bit of the results.
///
/// ```
/// use widephase::{Columns, Detector, Options, Order, Pair, Touching};
///
/// let options = Options {
///     touching: Touching::Exclusive,
///     order: Order::Sorted,
///     ..Options::default()
/// };
/// let mut detector = Detector::with_options(options)?;
/// let mut pairs = Vec::new();
/// // Three unit squares in a row: the first two overlap, the third only touches the second.
/// let (left, right) = ([0.0, 0.5, 1.5], [1.0, 1.5, 2.5]);
/// let (low, high) = ([0.0; 3], [1.0; 3]);
/// detector.pairs(Columns::aabbs(&left, &low, &right, &high)?, &mut pairs)?;
/// assert_eq!(pairs, [Pair { a: 0, b: 1 }]);
/// # Ok::<(), widephase::Error>(())
/// ```
///
/// # Cost
/// Time and memory are proportional to the number of shapes and pairs, for any positions and sizes.
/// Shapes of different sizes are in different [levels](crate::GridLevels) of cells, and the number
/// of cells is proportional to the number of shapes, not to the area that they span. In the worst
/// case, a shape that covers more cells than a level has is tested against all shapes of that
/// level.
///
/// [`Threads`]: crate::Threads
#[derive(Debug, Default)]
pub struct Detector {
    pub(super) options: Options,
    /// Rotated shapes of borrowed columns.
    pub(super) turned: TurnedRoom,
    pub(super) scratch: Scratch,
    /// The workspace of neighbour lists.
    #[cfg(feature = "queries")]
    pub(super) neighbors: NeighborScratch,
    #[cfg(feature = "queries")]
    pub(super) periodic: PeriodicScratch,
    #[cfg(all(feature = "narrowphase", feature = "queries"))]
    pub(super) swept: SweptScratch,
    worlds: WorldsRoom,
}

impl Detector {
    /// A detector with the [default options](Options).
    pub fn new() -> Self {
        Self::default()
    }

    /// A detector with these options.
    ///
    /// # Errors
    /// The errors of [`Options::check`].
    pub fn with_options(options: Options) -> Result<Self, Error> {
        Ok(Self { options: options.checked()?, ..Self::default() })
    }

    /// The options.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// Replaces the options. The workspace is kept.
    ///
    /// # Errors
    /// The errors of [`Options::check`]; the options are then as before.
    pub fn set_options(&mut self, options: Options) -> Result<(), Error> {
        self.options = options.checked()?;
        Ok(())
    }

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
    pub fn pairs<'a>(
        &mut self,
        shapes: impl Into<Columns<'a>>,
        pairs: &mut Vec<Pair>,
    ) -> Result<(), Error> {
        let among = Some(Output::List(List::Pairs(pairs)));
        let result = self.run(shapes.into(), 0.0, Sets::One(among));
        self.finish(pairs, &result);
        result.map(drop)
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
    pub fn pairs_against<'a>(
        &mut self,
        shapes: impl Into<Columns<'a>>,
        index: &Index,
        pairs: &mut Vec<Pair>,
    ) -> Result<(), Error> {
        pairs.clear();
        let against = Output::List(List::Pairs(pairs));
        let result = self.run(shapes.into(), 0.0, Sets::Against(None, index.part(0), against));
        self.finish_against(pairs, &result);
        result.map(drop)
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
    pub fn pairs_and_against<'a>(
        &mut self,
        shapes: impl Into<Columns<'a>>,
        index: &Index,
        among: &mut Vec<Pair>,
        against: &mut Vec<Pair>,
    ) -> Result<(), Error> {
        against.clear();
        let outputs = [Output::List(List::Pairs(among)), Output::List(List::Pairs(against))];
        let [first, second] = outputs;
        let result =
            self.run(shapes.into(), 0.0, Sets::Against(Some(first), index.part(0), second));
        self.finish(among, &result);
        self.finish_against(against, &result);
        result.map(drop)
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
        let result = self.run_between(index, other, Output::List(List::Pairs(pairs)));
        self.finish_against(pairs, &result);
        result.map(drop)
    }

    /// Replaces the content of `contacts` by the contacts of all shapes that touch or are at most
    /// `margin` apart. A contact of shapes that are apart has a depth of at most 0: solvers call it
    /// speculative.
    ///
    /// With a margin of 0, each pair of [`pairs`](Detector::pairs) has one contact, in the same
    /// order; a pair with a compound has one for each two parts that touch, and a pair with a
    /// [`ChainSegment`](crate::shape::ChainSegment) may have none (docs/terrain.md). With a margin,
    /// the order comes from a grid of shapes inflated by half of it.
    ///
    /// `margin` is in the unit of length, at least 0 and at most 2^60. Where a radius and half of
    /// the margin are more than 2^60 together, contacts of shapes that are apart may be missing.
    /// The algorithm for each two kinds, and its source, is in docs/narrowphase.md.
    ///
    /// Costs what `pairs` costs, and for each contact, measured with AVX-512: 10 ns among 10,000
    /// circles and axis-aligned boxes, 15 among 100,000, and 30 among rotated boxes, capsules and
    /// polygons of up to 8 vertices (docs/performance.md); for polygons of n and m vertices, O(n·m)
    /// time. A contact takes 64 bytes.
    ///
    /// # Errors
    /// The errors of [`pairs`](Detector::pairs), with [`Error::TooManyContacts`] beyond
    /// [`Options::max_contacts`]; [`Error::InvalidMargin`]. `contacts` is then empty.
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
    /// assert_eq!(contacts[0].normal().to_array(), [0.0, 1.0]);
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
        let among = Some(Output::List(List::Contacts(contacts)));
        let result = self.run(shapes.into(), margin, Sets::One(among));
        self.finish_contacts(contacts, &result);
        result.map(drop)
    }

    /// Replaces the content of `contacts` by the contacts of the shapes with the shapes of `index`:
    /// `a` is a row of the shapes, `b` a row of the index. Shapes of the same set are not tested
    /// against each other.
    ///
    /// Costs what [`pairs_against`](Detector::pairs_against) costs, and more for each contact, as
    /// [`contacts`](Detector::contacts) does. With a margin, the shapes are inflated by all of it,
    /// and the shapes of the index are not: where a radius and the margin are more than 2^60
    /// together, contacts of shapes that are apart may be missing.
    ///
    /// # Errors
    /// The errors of [`contacts`](Detector::contacts); [`Error::TooManyShapes`] if both sets
    /// together have more than [`u32::MAX`] rows. `contacts` is then empty.
    #[cfg(feature = "narrowphase")]
    pub fn contacts_against<'a>(
        &mut self,
        shapes: impl Into<Columns<'a>>,
        index: &Index,
        margin: f32,
        contacts: &mut Vec<Contact>,
    ) -> Result<(), Error> {
        contacts.clear();
        let against = Output::List(List::Contacts(contacts));
        let result = self.run(shapes.into(), margin, Sets::Against(None, index.part(0), against));
        self.finish_contacts(contacts, &result);
        result.map(drop)
    }

    /// Writes [`contacts`](Detector::contacts) to `among` and
    /// [`contacts_against`](Detector::contacts_against) to `against`, in one pass that sorts the
    /// shapes once. With a margin, the order of `among` may differ from the order of `contacts`.
    ///
    /// # Errors
    /// The errors of [`contacts_against`](Detector::contacts_against). [`Options::max_contacts`]
    /// holds for each list. Both lists are then empty.
    #[cfg(feature = "narrowphase")]
    pub fn contacts_and_against<'a>(
        &mut self,
        shapes: impl Into<Columns<'a>>,
        index: &Index,
        margin: f32,
        among: &mut Vec<Contact>,
        against: &mut Vec<Contact>,
    ) -> Result<(), Error> {
        against.clear();
        let outputs = [Output::List(List::Contacts(among)), Output::List(List::Contacts(against))];
        let [first, second] = outputs;
        let result =
            self.run(shapes.into(), margin, Sets::Against(Some(first), index.part(0), second));
        self.finish_contacts(among, &result);
        self.finish_contacts(against, &result);
        result.map(drop)
    }

    /// Replaces the content of `contacts` by the contacts of the shapes of `index` with the shapes
    /// of `other`: `a` is a row of `index`, `b` a row of `other`.
    ///
    /// There is no margin, because the shapes of an index are sorted as they are. For contacts
    /// within a margin, pass the shapes of one set to
    /// [`contacts_against`](Detector::contacts_against).
    ///
    /// # Errors
    /// The errors of [`contacts_against`](Detector::contacts_against).
    #[cfg(feature = "narrowphase")]
    pub fn contacts_between(
        &mut self,
        index: &Index,
        other: &Index,
        contacts: &mut Vec<Contact>,
    ) -> Result<(), Error> {
        contacts.clear();
        let result = self.run_between(index, other, Output::List(List::Contacts(contacts)));
        self.finish_contacts(contacts, &result);
        result.map(drop)
    }

    /// The number of pairs of touching shapes. None is stored, so there is no limit.
    ///
    /// # Errors
    /// [`Error::InvalidShape`], and the errors of
    /// [`SimdLevel::preferred`](crate::SimdLevel::preferred).
    pub fn count<'a>(&mut self, shapes: impl Into<Columns<'a>>) -> Result<u64, Error> {
        self.run(shapes.into(), 0.0, Sets::One(Some(Output::Count)))
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
        self.run(shapes.into(), 0.0, Sets::Against(None, index.part(0), Output::Count))
    }

    /// The number of pairs of a shape of `index` and a shape of `other`.
    ///
    /// # Errors
    /// The errors of [`count_against`](Detector::count_against).
    pub fn count_between(&mut self, index: &Index, other: &Index) -> Result<u64, Error> {
        self.run_between(index, other, Output::Count)
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

    /// Calls `each` for every contact, until `each` ends the call: like
    /// [`for_each_pair`](Detector::for_each_pair), with the contacts of
    /// [`contacts`](Detector::contacts) in [`Order::Grid`].
    ///
    /// # Errors
    /// The errors of [`for_each_pair`](Detector::for_each_pair); [`Error::InvalidMargin`]. `each`
    /// has then not been called.
    ///
    /// ```
    /// use std::ops::ControlFlow;
    /// use widephase::{Columns, Detector};
    ///
    /// // Is any contact deeper than a tenth?
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
        self.call(shapes.into(), None, margin, each)
    }

    /// Calls `each` for every contact of a shape with a shape of `index`, until `each` ends the
    /// call: like [`for_each_pair`](Detector::for_each_pair), with the contacts of
    /// [`contacts_against`](Detector::contacts_against).
    ///
    /// # Errors
    /// The errors of [`for_each_pair_against`](Detector::for_each_pair_against);
    /// [`Error::InvalidMargin`]. `each` has then not been called.
    #[cfg(feature = "narrowphase")]
    pub fn for_each_contact_against<'a, F: Flow>(
        &mut self,
        shapes: impl Into<Columns<'a>>,
        index: &Index,
        margin: f32,
        each: impl FnMut(Contact) -> F,
    ) -> Result<F::Outcome, Error> {
        self.call(shapes.into(), Some(index), margin, each)
    }

    /// Replaces the content of `order` by the rows of the shapes of the last successful call, in
    /// the order of its grid: one grid level after the other, and within a level row by row of
    /// cells. Vacant rows are not in it. It is empty before the first call. A call with two indexes
    /// does not change it.
    ///
    /// Shapes that are stored in this order, and sorted again once in a while, are nearly sorted at
    /// every step. The detector notices that and sorts in one step instead of two: a detection of a
    /// million circles takes three tenths less time (docs/performance.md). Sorting the shapes at
    /// every step costs as much as it saves. Up to 64 shapes share one cell, in the order of their
    /// rows, unless the options set cells.
    ///
    /// ```
    /// use widephase::{CellSize, Detector, Options, Shapes, shape::Circle};
    ///
    /// let mut shapes = Shapes::new();
    /// for x in [30.0, 10.0, 20.0] {
    ///     shapes.push(Circle::new([x, 0.0], 1.0))?;
    /// }
    /// let options = Options { cell_size: CellSize::Fixed(10.0), ..Options::default() };
    /// let (mut detector, mut pairs, mut order) =
    ///     (Detector::with_options(options)?, Vec::new(), Vec::new());
    /// detector.pairs(&shapes, &mut pairs)?;
    /// detector.grid_order(&mut order);
    /// assert_eq!(order, [1, 2, 0]);
    /// shapes.reorder(&order)?;
    /// # Ok::<(), widephase::Error>(())
    /// ```
    pub fn grid_order(&self, order: &mut Vec<u32>) {
        self.scratch.grid_order(order);
    }

    /// Replaces the content of `cells` by the cells of the grid of the last successful call that
    /// hold shapes, in the order of [`grid_order`](Detector::grid_order): to draw a grid, or to see
    /// how full it is. A shape is in one cell, the cell of its centre. It is empty before the first
    /// call. A call with two indexes does not change it.
    ///
    /// Up to 64 shapes are not sorted unless the options say how: they are in one cell whose area
    /// is infinite. O(shapes) time; more in a sparse world, where distant cells share a number.
    ///
    /// ```
    /// use widephase::{CellSize, Columns, Detector, Options};
    ///
    /// let cell_size = CellSize::Fixed(10.0);
    /// let mut detector = Detector::with_options(Options { cell_size, ..Options::default() })?;
    /// detector.count(Columns::points(&[0.0, 1.0, 25.0], &[0.0; 3])?)?;
    /// let mut cells = Vec::new();
    /// detector.grid_cells(&mut cells);
    /// assert_eq!([cells[0].shapes, cells[1].shapes], [2, 1]);
    /// assert!((cells[1].area.max_x - cells[1].area.min_x - 10.0).abs() < 0.01);
    /// # Ok::<(), widephase::Error>(())
    /// ```
    pub fn grid_cells(&self, cells: &mut Vec<GridCell>) {
        self.scratch.grid_cells(cells);
    }

    /// How long the phases of the last call have taken, if [`Options::time_phases`] is set; else
    /// zeros. After an error, they cover a part of the call.
    pub fn phases(&self) -> &Phases {
        self.scratch.stopwatch.phases()
    }

    /// The bytes of the workspace. docs/memory.md has the formula: at most 100 bytes a shape, more
    /// for contacts, rotated shapes and several threads.
    ///
    /// ```
    /// use widephase::{Columns, Detector};
    ///
    /// let x: Vec<f32> = (0..10_000).map(|i| i as f32).collect();
    /// let (y, radius) = (vec![0.0; x.len()], vec![0.5; x.len()]);
    /// let mut detector = Detector::new();
    /// assert_eq!(detector.count(Columns::circles(&x, &y, &radius)?)?, 9999);
    /// assert!(detector.scratch_bytes() <= 100 * x.len() + 20_000);
    /// # Ok::<(), widephase::Error>(())
    /// ```
    pub fn scratch_bytes(&self) -> usize {
        let bytes = self.turned.bytes() + self.scratch.bytes() + self.worlds.bytes();
        #[cfg(feature = "queries")]
        let bytes = bytes + self.neighbors.bytes() + self.periodic.bytes();
        #[cfg(all(feature = "narrowphase", feature = "queries"))]
        let bytes = bytes + self.swept.bytes();
        bytes
    }

    /// Brings a list of pairs into its order; on an error, empties it.
    fn finish(&mut self, pairs: &mut Vec<Pair>, result: &Result<u64, Error>) {
        if result.is_err() {
            pairs.clear();
        }
        if self.sorts() {
            let threads = uses_pool(self.options.threads, pairs.len());
            sort(pairs, threads, pair_key);
        }
        self.end_finish();
    }

    /// Finishes a list of pairs with an index. The search reports the rows of the index as
    /// complements.
    fn finish_against(&mut self, pairs: &mut Vec<Pair>, result: &Result<u64, Error>) {
        for pair in &mut *pairs {
            pair.b = !pair.b;
        }
        self.finish(pairs, result);
    }

    /// Brings a list of contacts into its order; on an error, empties it.
    fn finish_contacts(&mut self, contacts: &mut Vec<Contact>, result: &Result<u64, Error>) {
        if result.is_err() {
            contacts.clear();
        }
        if self.sorts() {
            let threads = uses_pool(self.options.threads, contacts.len());
            sort(contacts, threads, contact_key);
        }
        self.end_finish();
    }

    /// Whether the results of the last call are still to be sorted. Those of worlds are sorted
    /// already, in each world.
    fn sorts(&self) -> bool {
        self.options.order == Order::Sorted && !self.worlds.used
    }

    /// Calls `each` for all pairs or contacts: within the shapes, or of the shapes with an index.
    fn call<T: Found, F: Flow>(
        &mut self,
        columns: Columns<'_>,
        index: Option<&Index>,
        margin: f32,
        mut each: impl FnMut(T) -> F,
    ) -> Result<F::Outcome, Error> {
        self.begin();
        check_margin(margin)?;
        let (isa, inclusive) = (self.options.isa()?, self.options.inclusive());
        if let Some(index) = index {
            index_fits(columns.len() + index.rows())?;
        }
        let Self { options, turned, scratch, worlds: WorldsRoom { worlds, .. }, .. } = self;
        let (filtering, rows) = (columns.filtering, columns.rows(isa, turned)?);
        let in_worlds = in_worlds(&columns, index);
        if in_worlds {
            rows.check_on(isa, uses_pool(options.threads, rows.len()))?;
            worlds.group(&rows, columns.worlds);
        }
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
        for place in 0..if in_worlds { worlds.len() } else { 1 } {
            let (world, rows) = match in_worlds {
                false => (0, rows),
                true => {
                    let (world, selection) = worlds.get(place);
                    (world, rows.select(selection))
                }
            };
            let part = index.map(|index| index.part(world));
            let sets = match part {
                None => Sets::One(None),
                Some(part) => Sets::Against(None, part, Output::Later { contacts: T::CONTACTS }),
            };
            scratch.run(Request { isa, rows, filtering, margin, options, sets })?;
            let again =
                Again { scratch: &mut *scratch, isa, rows, filtering, part, margin, inclusive };
            let flow = T::for_each(again, &mut take);
            scratch.stopwatch.end(|phases| &mut phases.search);
            if flow.is_break() {
                break;
            }
        }
        Ok(F::outcome(stopped.map_or(ControlFlow::Continue(calls), ControlFlow::Break)))
    }

    /// Begins a call, whose phases are measured if the options say so.
    pub(super) fn begin(&mut self) {
        self.scratch.stopwatch.begin(self.options.time_phases);
    }

    /// Ends the work on the results of a search.
    pub(super) fn end_finish(&mut self) {
        self.scratch.stopwatch.end(|phases| &mut phases.finish);
    }

    /// Checks the input and detects within the shapes of `columns`, or with an index.
    pub(super) fn run(
        &mut self,
        columns: Columns<'_>,
        margin: f32,
        sets: Sets<'_>,
    ) -> Result<u64, Error> {
        self.begin();
        self.detect(columns, margin, sets)
    }

    /// [`run`](Self::run) as a part of a call that has begun.
    pub(super) fn detect(
        &mut self,
        columns: Columns<'_>,
        margin: f32,
        sets: Sets<'_>,
    ) -> Result<u64, Error> {
        check_margin(margin)?;
        let isa = self.options.isa()?;
        let index = match &sets {
            Sets::One(_) => None,
            Sets::Against(_, part, _) => Some(part.index()),
        };
        if let Some(index) = index {
            index_fits(columns.len() + index.rows())?;
        }
        let Self { options, turned, scratch, worlds, .. } = self;
        let (filtering, rows) = (columns.filtering, columns.rows(isa, turned)?);
        worlds.used = in_worlds(&columns, index);
        if !worlds.used {
            return scratch.run(Request { isa, rows, filtering, margin, options, sets });
        }
        rows.check_on(isa, uses_pool(options.threads, rows.len()))?;
        worlds.worlds.group(&rows, columns.worlds);
        scratch.stopwatch.end(|phases| &mut phases.check);
        let call = Call { isa, rows, filtering, margin, options };
        let result = match sets {
            Sets::One(among) => worlds.run(&call, among, None),
            Sets::Against(among, part, output) => {
                worlds.run(&call, among, Some((part.index(), output)))
            }
        };
        scratch.stopwatch.end(|phases| &mut phases.search);
        result
    }

    /// Detects between two indexes.
    fn run_between(
        &mut self,
        index: &Index,
        other: &Index,
        output: Output<'_>,
    ) -> Result<u64, Error> {
        self.begin();
        index_fits(index.rows() + other.rows())?;
        let Self { options, scratch, worlds, .. } = self;
        let isa = options.isa()?;
        worlds.used = index.in_worlds() || other.in_worlds();
        let result = if worlds.used {
            worlds.run_between(isa, options, [index, other], output)
        } else {
            scratch.run_between(isa, options, [index.part(0), other.part(0)], output)
        };
        scratch.stopwatch.end(|phases| &mut phases.search);
        result
    }
}

/// Whether shapes, or shapes of an index, are in worlds.
fn in_worlds(columns: &Columns<'_>, index: Option<&Index>) -> bool {
    columns.worlds.is_some() || index.is_some_and(Index::in_worlds)
}

/// The sort key of a contact: by its pair, then by its parts.
pub(super) fn contact_key(contact: &Contact) -> (u64, u32, u32) {
    (pair_key(&contact.pair), contact.part_a, contact.part_b)
}

/// The sort key of a pair: by `a`, then by `b`.
pub(super) fn pair_key(pair: &Pair) -> u64 {
    u64::from(pair.a) << 32 | u64::from(pair.b)
}

/// Sorts a list by a key; on the rayon pool if `threads`.
pub(super) fn sort<T: Send, K: Ord>(list: &mut [T], threads: bool, key: impl Fn(&T) -> K + Sync) {
    #[cfg(feature = "parallel")]
    if threads {
        use rayon::slice::ParallelSliceMut;
        list.par_sort_unstable_by_key(key);
        return;
    }
    let _ = threads;
    list.sort_unstable_by_key(key);
}
