//! Shapes that stay where they are.

use super::{Threads, compact::Compact, options::uses_pool, rows::PlacedRows};
use crate::{
    Columns, Error, NARROWPHASE, Shapes, SimdLevel,
    grid::{
        BodyLayout, BuildInput, CellSize, Grid, GridLevels, Ids, Partition, RecordSource,
        with_body_layout,
    },
    narrowphase::{Set, View},
    parallel,
    posed::Class,
    simd::Isa,
    store::{Checked, TurnedRoom},
};

/// Shapes that are sorted once and tested against moving ones at every step: walls, floors,
/// obstacles.
///
/// [`Detector::detect_with`](crate::Detector::detect_with) finds which shapes touch which of these;
/// which of these touch each other is never asked.
///
/// A set keeps its own sorted copy of the shapes, 24 to 44 bytes a shape; more copies of them in
/// [halos](StaticSet::halos), up to 256; another for the narrowphase, 36 a row, vacant or not (for sets with
/// shapes that turn, 109 and their vertices); and scratch memory for the next
/// [`rebuild`](StaticSet::rebuild): 27 to 50 bytes a shape (and 27 for a store with vacant rows, 59 for borrowed columns
/// of shapes that turn), and 14 for halos.
///
/// ```
/// use widephase::{Columns, Detector, Index};
///
/// let mut rocks = Index::build(Columns::circles(&[0.0, 5.0], &[0.0; 2], &[1.0; 2])?)?;
/// let (mut detector, mut pairs, mut hits) = (Detector::new(), Vec::new(), Vec::new());
/// let ship = Columns::circles(&[6.5], &[0.0], &[1.0])?;
/// detector.detect_with(ship, &rocks, &mut pairs, &mut hits)?;
/// assert_eq!((hits[0].a, hits[0].b), (0, 1));
/// // The second rock is blown up.
/// rocks.rebuild(Columns::circles(&[0.0], &[0.0], &[1.0])?)?;
/// detector.detect_with(ship, &rocks, &mut pairs, &mut hits)?;
/// assert!(hits.is_empty());
/// # Ok::<(), widephase::Error>(())
/// ```
#[derive(Debug, Default)]
pub struct Index {
    grid: Grid,
    /// The rows that the set was built from, vacant ones included.
    rows: usize,
    /// The shapes among them.
    len: usize,
    /// The shapes by their rows; if any turns or has parts, in a store of their own.
    placed: PlacedRows,
    shapes: Shapes,
    /// The class of those in the store, if it is one and known.
    only: Option<Class>,
    without_neighbor_lists: bool,
    threads: Threads,
    scratch: Scratch,
}

#[derive(Debug, Default)]
struct Scratch {
    turned: TurnedRoom,
    partition: Partition,
    compact: Compact,
    /// For shapes closed up: the complement of their rows.
    ids: Vec<u32>,
}

impl Index {
    /// A set of these shapes. Costs what sorting as many moving ones costs, and a copy of shapes that turn, which
    /// of borrowed columns is made shape by shape: 60,000 turned boxes take 150 ns each, and 82 from a store (measured,
    /// AVX-512, an Intel Xeon, without halos).
    ///
    /// It runs on the threads that [`Threads::Auto`] takes: from 65,536 rows on, outside a pool, it starts rayon's
    /// global one. For others, begin with an empty set and [`threads`](StaticSet::threads).
    ///
    /// # Errors
    /// As [`Detector::detect`](crate::Detector::detect): [`Error::InvalidShape`], and the errors of
    /// [`SimdLevel::preferred`].
    pub fn build<'a>(shapes: impl Into<Columns<'a>>) -> Result<Self, Error> {
        let mut set = Self::default();
        set.rebuild(shapes)?;
        Ok(set)
    }

    /// Replaces the shapes. Costs what [`build`](StaticSet::build) costs, on the threads that
    /// [`threads`](StaticSet::threads) has chosen. Memory is kept.
    ///
    /// # Errors
    /// As [`build`](StaticSet::build); the set is then as it was before.
    pub fn rebuild<'a>(&mut self, shapes: impl Into<Columns<'a>>) -> Result<(), Error> {
        self.replace(shapes.into())
    }

    fn replace(&mut self, columns: Columns<'_>) -> Result<(), Error> {
        let isa = Isa::new(SimdLevel::preferred()?)?;
        let threads = uses_pool(self.threads, columns.len());
        parallel::enter(threads, || self.lay(columns, isa, threads))
    }

    fn lay(&mut self, columns: Columns<'_>, isa: Isa, threads: bool) -> Result<(), Error> {
        let rows = columns.len();
        let Scratch { turned, partition, compact, ids } = &mut self.scratch;
        let placed = columns.rows(isa, turned)?;
        let (shapes, listed) = compact.close(placed, isa, threads)?;
        let view = View::of(&placed);
        self.shapes.clear();
        if view.rotates() {
            // They have been checked.
            self.shapes.append_columns(&columns)?;
            self.only = view.only_class();
        } else if NARROWPHASE {
            self.placed.fill(view, rows, threads);
        }
        ids.clear();
        match listed {
            Ids::Rows => ids.extend((0..rows as u32).map(|row| !row)),
            Ids::List(rows) => ids.extend(rows.iter().map(|row| !row)),
        }
        (self.rows, self.len) = (rows, shapes.len);
        if shapes.len == 0 {
            self.grid.clear();
            return Ok(());
        }
        let (grid, neighbor_lists) = (&mut self.grid, !self.without_neighbor_lists);
        let build = IndexBuild { grid, partition, isa, shapes, ids, neighbor_lists, threads };
        with_body_layout!(shapes, I, set => build.lay::<I, _>(set));
        Ok(())
    }

    /// Whether shapes are listed in **halos**, too, from the next [`rebuild`](StaticSet::rebuild) on: all shapes
    /// around a place together, for every place. They are unless this is turned off.
    ///
    /// Results and their order do not depend on it, only time and memory. With halos, a moving shape finds what it
    /// touches in one place instead of in several: a thousand of them take a quarter less time among 2,000 static
    /// ones, two fifths less among 100,000, three fifths less among a million. A rebuild takes 4 to 7 times as
    /// long, and the set up to 270 bytes a shape more (measured, docs/performance.md). That pays where about five
    /// shapes and more have moved between two rebuilds for each static one; turn halos off for a set that is
    /// rebuilt more often, or where memory is short.
    ///
    /// Only shapes that are spread over a plane, and not too densely, have halos. Only moving shapes that are no
    /// larger than the largest of these (by an eighth) use them, and that are so few that what they look at stays
    /// in a cache; all others find their partners as they do without, and so does
    /// [`SimdLevel::Scalar`], which tests one shape at a time.
    ///
    /// ```
    /// use widephase::{Columns, Index};
    ///
    /// let mut doors = Index::default().neighbor_lists(false);
    /// doors.rebuild(Columns::circles(&[0.0], &[0.0], &[1.0])?)?;
    /// assert_eq!(doors.len(), 1);
    /// # Ok::<(), widephase::Error>(())
    /// ```
    #[must_use]
    pub fn neighbor_lists(self, wanted: bool) -> Self {
        Self { without_neighbor_lists: !wanted, ..self }
    }

    /// Which threads sort the shapes, from the next [`rebuild`](StaticSet::rebuild) on. The results do not depend on it.
    ///
    /// ```
    /// use widephase::{Columns, Index, Threads};
    ///
    /// let mut walls = Index::default().threads(Threads::Calling);
    /// walls.rebuild(Columns::circles(&[0.0], &[0.0], &[1.0])?)?;
    /// assert_eq!(walls.len(), 1);
    /// # Ok::<(), widephase::Error>(())
    /// ```
    #[must_use]
    pub fn threads(self, threads: Threads) -> Self {
        Self { threads, ..self }
    }

    /// The number of shapes.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are no shapes.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The bytes of memory held.
    pub fn bytes(&self) -> usize {
        let Scratch { turned, partition, compact, ids } = &self.scratch;
        let ids = ids.capacity() * size_of::<u32>();
        let shapes = self.shapes.bytes() + self.placed.bytes();
        self.grid.bytes() + shapes + turned.bytes() + partition.bytes() + compact.bytes() + ids
    }

    /// The number of rows that the set was built from: no index in results is beyond.
    pub(super) fn rows(&self) -> usize {
        self.rows
    }

    /// Whether any shape turns or has parts.
    pub(super) fn rotates(&self) -> bool {
        !self.shapes.is_empty()
    }

    /// The shapes by their rows.
    pub(super) fn set(&self) -> Set<'_> {
        let view = View::of(&self.shapes.rows());
        match view.placed() {
            Some(placed) => Set::placed(view, placed, self.only),
            None => self.placed.set(view),
        }
    }

    /// The sorted shapes. Their ids are the complements of their rows: larger than any row of a
    /// moving shape, so that pairs, which list the smaller id first, list the moving shape first.
    pub(super) fn grid(&self) -> &Grid {
        &self.grid
    }
}

/// Shapes to be sorted, and where to.
struct IndexBuild<'a> {
    grid: &'a mut Grid,
    partition: &'a mut Partition,
    isa: Isa,
    shapes: Checked<'a>,
    ids: &'a [u32],
    neighbor_lists: bool,
    threads: bool,
}

impl IndexBuild<'_> {
    /// Sorts the shapes as an instance `I`.
    fn lay<I: BodyLayout, C: RecordSource<I>>(self, set: C) {
        let Self { grid, partition, isa, shapes, ids, neighbor_lists, threads } = self;
        let Checked { len: count, extent, .. } = shapes;
        let (cell_size, levels, ids) = (CellSize::Auto, &GridLevels::Auto, Ids::List(ids));
        let site = BuildInput {
            isa,
            set,
            ids,
            count,
            extent,
            cell_size,
            levels,
            searched: true,
            neighbor_lists,
            threads,
        };
        grid.build::<I, C>(&site, partition);
    }
}
