//! `Detector`: its options and its workspace.

#[cfg(feature = "narrowphase")]
use super::index_rows::IndexRows;
#[cfg(all(feature = "narrowphase", feature = "queries"))]
use crate::motion::SweptWorkspace;
use crate::{
    base::{Held, Timings, held},
    detect::Engine,
    error::{Error, limit::OnDemand},
    grid::GridCell,
    options::Options,
};
#[cfg(feature = "queries")]
use crate::{neighbors::NeighborWorkspace, periodic::PeriodicWorkspace};

/// Finds the shapes that touch: their pairs, their contacts, or the number of either.
///
/// | verb | result |
/// |---|---|
/// | [`pairs`] | a list of pairs |
/// | [`contacts`] | a list of contacts |
/// | [`count`] | the number of pairs |
/// | [`for_each_pair`], [`for_each_contact`] | a callback for each pair or contact |
/// | [`pairs_and_against`], [`contacts_and_against`] | both lists of a set and an [`Index`], in one pass |
///
/// The first argument is the [`Scope`]: `shapes`, `(shapes, &index)` or `(&index, &other)`.
///
/// [`pairs`]: Detector::pairs
/// [`pairs_and_against`]: Detector::pairs_and_against
/// [`contacts`]: Detector::contacts
/// [`contacts_and_against`]: Detector::contacts_and_against
/// [`count`]: Detector::count
/// [`for_each_pair`]: Detector::for_each_pair
/// [`for_each_contact`]: Detector::for_each_contact
/// [`Scope`]: crate::Scope
///
/// A detector keeps no shapes between calls: only its options and its workspace. Keep one and use
/// it again. From the second call on similar scenes, it allocates nothing, except the blocks of
/// rayon that [`Threads`] describes.
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
/// Shapes of different sizes are in different [levels](crate::options::GridLevels) of cells, and
/// the number of cells is proportional to the number of shapes, not to the area that they span. In
/// the worst case, a shape that covers more cells than a level has is tested against all shapes of
/// that level.
///
/// [`Index`]: crate::Index
/// [`Threads`]: crate::Threads
#[derive(Debug, Default)]
pub struct Detector {
    pub(super) options: Options,
    pub(super) engine: Engine,
    // The workspaces of these calls are made by the first call of each kind.
    #[cfg(feature = "queries")]
    pub(super) neighbors: OnDemand<NeighborWorkspace>,
    #[cfg(feature = "queries")]
    pub(super) periodic: OnDemand<PeriodicWorkspace>,
    #[cfg(all(feature = "narrowphase", feature = "queries"))]
    pub(super) motion: OnDemand<SweptWorkspace>,
    #[cfg(feature = "narrowphase")]
    pub(super) index_rows: IndexRows,
}

held!(Detector {
    options,
    engine,
    #[cfg(feature = "queries")]
    neighbors,
    #[cfg(feature = "queries")]
    periodic,
    #[cfg(all(feature = "narrowphase", feature = "queries"))]
    motion,
    #[cfg(feature = "narrowphase")]
    index_rows
});

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

    /// Replaces the content of `order` by the rows of the shapes of the last successful call, in
    /// the order of its grid: one grid level after the other, and within a level row by row of
    /// cells. Vacant rows are not in it. It is empty before the first call. A call with two indexes
    /// does not change it, unless it sorts the first index: see [`Scope`](crate::Scope).
    ///
    /// Shapes that are stored in this order, and sorted again once in a while, are nearly sorted at
    /// every step. The detector notices that and sorts in one step instead of two: a detection of a
    /// million circles takes three tenths less time (docs/performance.md). Sorting the shapes at
    /// every step costs as much as it saves. Up to 64 shapes share one cell, in the order of their
    /// rows, unless the options set cells.
    ///
    /// ```
    /// use widephase::{Detector, Options, Shapes, shape::Circle, options::CellSize};
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
        self.engine.grid_order(order);
    }

    /// Replaces the content of `cells` by the cells of the grid of the last successful call that
    /// hold shapes, in the order of [`grid_order`](Detector::grid_order): to draw a grid, or to see
    /// how full it is. A shape is in one cell, the cell of its centre. It is empty before the first
    /// call. A call with two indexes does not change it, unless it sorts the first index.
    ///
    /// Up to 64 shapes are not sorted unless the options say how: they are in one cell whose area
    /// is infinite. O(shapes) time; more in a sparse world, where distant cells share a number.
    ///
    /// ```
    /// use widephase::{Columns, Detector, Options, options::CellSize};
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
        self.engine.grid_cells(cells);
    }

    /// How long the phases of the last call have taken, if [`Options::timings`] is set; else
    /// zeros. After an error, they cover a part of the call.
    pub fn timings(&self) -> &Timings {
        self.engine.timings()
    }

    /// The bytes of the workspace. [Memory](crate::guide::memory) has the formula: at most 100
    /// bytes a shape, more for contacts, rotated shapes and several threads.
    ///
    /// ```
    /// use widephase::{Columns, Detector};
    ///
    /// let x: Vec<f32> = (0..10_000).map(|i| i as f32).collect();
    /// let (y, radius) = (vec![0.0; x.len()], vec![0.5; x.len()]);
    /// let mut detector = Detector::new();
    /// assert_eq!(detector.count(Columns::circles(&x, &y, &radius)?)?, 9999);
    /// assert!(detector.bytes() <= 100 * x.len() + 20_000);
    /// # Ok::<(), widephase::Error>(())
    /// ```
    pub fn bytes(&self) -> usize {
        Held::bytes(self)
    }
}
