//! `Index`: shapes that are sorted once and searched many times. `RowPlaces`: where its rows are.

use std::sync::{
    OnceLock,
    atomic::{AtomicUsize, Ordering},
};

use super::{
    layer::{LateLayer, Layer, SortOptions, SortWorkspace, SpaceShapes},
    rows::PlacedRows,
};
#[cfg(feature = "queries")]
use crate::error::limit::ask;
#[cfg(feature = "narrowphase")]
use crate::shape::Kind;
use crate::{
    base::{Held, Lazy, NARROWPHASE, copied, held, parallel},
    error::{Error, limit::Granted},
    filter::SetFilters,
    grid::{Arrangement, GridView, LayoutKind},
    narrowphase::{Set, View},
    options::{CandidateLists, IndexOptions, uses_pool},
    posed::ShapeClass,
    shape::RoundedBox,
    simd::Isa,
    store::{ColumnWorkspace, Columns, Rows, Shapes},
};

/// Shapes that are sorted once and searched many times, such as walls or the units of the other
/// team.
///
/// A [`Detector`](crate::Detector) finds the shapes that touch a shape of an index, and the pairs
/// of two indexes: see [`Scope`](crate::Scope). Shapes of the same index are not tested against
/// each other. Queries need no detector: [`Queries`](crate::Queries) has them. Queries take
/// `&self`, so many threads may ask at once.
///
/// Shapes that never move are [built](Index::build) once. Moving shapes are
/// [rebuilt](Index::rebuild) at every step. If an index is searched often between two rebuilds, it
/// makes [candidate lists](CandidateLists), which make searches faster.
///
/// An index keeps its own sorted copy of the shapes: 24 to 44 bytes a shape, and 36 bytes a row for
/// the narrowphase (109 bytes and the vertices for rotated shapes). [Memory](crate::guide::memory)
/// has the formula.
///
/// ```
/// use widephase::{Columns, Detector, Index};
///
/// let mut rocks = Index::build(Columns::circles(&[0.0, 5.0], &[0.0; 2], &[1.0; 2])?)?;
/// let (mut detector, mut hits) = (Detector::new(), Vec::new());
/// let ship = Columns::circles(&[6.5], &[0.0], &[1.0])?;
/// detector.pairs((ship, &rocks), &mut hits)?;
/// assert_eq!((hits[0].a, hits[0].b), (0, 1));
/// // The second rock is destroyed.
/// rocks.rebuild(Columns::circles(&[0.0], &[0.0], &[1.0])?)?;
/// detector.pairs((ship, &rocks), &mut hits)?;
/// assert!(hits.is_empty());
/// # Ok::<(), widephase::Error>(())
/// ```
#[derive(Debug, Default)]
pub struct Index {
    pub(super) options: IndexOptions,
    /// The instructions of the last build, on which queries run.
    pub(super) isa: Option<Isa>,
    /// The shapes that have not changed since they were sorted.
    pub(super) main: Layer,
    /// The shapes that have changed since then.
    pub(super) beside: LateLayer,
    /// The moving bodies of a world.
    pub(super) moving: LateLayer,
    /// Whether the shapes were in spaces.
    pub(super) spaced: bool,
    /// The number of rows of the input, vacant rows included, and the number of shapes. Without a
    /// store.
    rows: usize,
    len: usize,
    /// A store of the shapes by row, if any shape is rotated or has parts, or if any has changed;
    /// else empty.
    pub(crate) shapes: Shapes,
    /// Whether shapes were changed one by one: all rows of the store are then sorted.
    pub(super) whole: bool,
    /// The space of each row of the store. Empty without spaces.
    pub(crate) row_spaces: Vec<u32>,
    /// Data that is made when it is first needed.
    pub(super) lazy: MadeLater,
    /// The class of all rows, if they share one and it is known. Without a store.
    only: Option<ShapeClass>,
    /// Else the class of each row.
    classes: Vec<ShapeClass>,
    pub(super) filters: SetFilters,
    pub(super) places: RowPlaces,
    pub(super) scratch: IndexWorkspace,
}

held!(Index {
    options,
    isa,
    main,
    beside,
    moving,
    spaced,
    rows,
    len,
    shapes,
    whole,
    row_spaces,
    lazy,
    only,
    classes,
    filters,
    places,
    scratch
});

/// Data that an index makes of its shapes when it is first needed.
#[derive(Debug, Default)]
pub(super) struct MadeLater {
    /// If no shape is rotated: the placed rows for the narrowphase.
    placed: Lazy<PlacedRows>,
    /// The placed rows with the moving bodies.
    all_placed: Lazy<PlacedRows>,
    largest_radius: OnceLock<f32>,
    /// The most rows for which the system had the memory of the first query.
    granted: AtomicUsize,
}

held!(MadeLater { placed, all_placed, largest_radius, granted });

impl MadeLater {
    /// Forgets the data, and keeps the memory.
    pub(super) fn clear(&mut self) {
        self.largest_radius = OnceLock::new();
        self.placed.clear();
        self.all_placed.clear();
    }
}

#[derive(Debug, Default)]
pub(super) struct IndexWorkspace {
    rotated: ColumnWorkspace,
    pub(super) sort: SortWorkspace,
    granted: Granted,
}

held!(IndexWorkspace { rotated, sort, granted });

/// The layer of the moving bodies. Before it come the layers of unchanged and of changed shapes.
const MOVING_LAYER: usize = 2;

impl Clone for Index {
    fn clone(&self) -> Self {
        let mut copy = Self::default();
        copy.clone_from(self);
        copy
    }

    /// Copies the sorted shapes and the candidate lists, into the memory that there is. Data that
    /// queries make when they first need it is made again.
    fn clone_from(&mut self, source: &Self) {
        self.lazy.clear();
        self.beside.clear();
        self.moving.clear();
        let Self { options, isa, main, spaced, rows, len, shapes, row_spaces, .. } = source;
        let Self { only, classes, filters, places, .. } = source;
        (self.options, self.isa, self.rows, self.len) = (*options, *isa, *rows, *len);
        (self.spaced, self.only, self.whole) = (*spaced, *only, source.whole);
        self.main.clone_from(main);
        self.shapes.clone_from(shapes);
        self.row_spaces.clone_from(row_spaces);
        self.classes.clone_from(classes);
        self.filters.clone_from(filters);
        self.places.clone_from(places);
        self.beside.copy(&source.beside);
        self.moving.copy(&source.moving);
    }
}

impl Index {
    /// An empty index with the default options.
    pub fn new() -> Self {
        Self::default()
    }

    /// An empty index with these options.
    ///
    /// # Errors
    /// [`Error::LevelUnavailable`] if this CPU lacks the SIMD level.
    pub fn with_options(options: IndexOptions) -> Result<Self, Error> {
        Ok(Self { options: options.checked()?, ..Self::default() })
    }

    /// The options.
    pub fn options(&self) -> &IndexOptions {
        &self.options
    }

    /// Replaces the options. The shapes are kept. Touching policy, order and threads of queries
    /// change at once, and the SIMD level with the next [`rebuild`](Index::rebuild). Candidate
    /// lists that exist stay until then.
    ///
    /// # Errors
    /// [`Error::LevelUnavailable`] if this CPU lacks the SIMD level; the options are then as
    /// before.
    pub fn set_options(&mut self, options: IndexOptions) -> Result<(), Error> {
        self.options = options.checked()?;
        Ok(())
    }

    /// Builds an index of these shapes with the default options.
    ///
    /// Costs as much as the sort of these shapes by a detector, and a copy of rotated shapes:
    /// 60,000 rotated boxes take 150 ns each from borrowed columns, and 82 ns from a store
    /// (AVX-512, an Intel Xeon).
    ///
    /// # Errors
    /// [`Error::InvalidShape`] for the first value outside the numeric contract; the errors of
    /// [`SimdLevel::preferred`](crate::SimdLevel::preferred).
    pub fn build<'a>(shapes: impl Into<Columns<'a>>) -> Result<Self, Error> {
        let mut index = Self::default();
        index.rebuild(shapes)?;
        Ok(index)
    }

    /// Replaces the shapes. Memory is kept.
    ///
    /// Costs as much as [`build`](Index::build), and more if [candidate
    /// lists](CandidateLists::Always) are always made.
    ///
    /// # Errors
    /// The errors of [`build`](Index::build); the index is then as it was before.
    pub fn rebuild<'a>(&mut self, shapes: impl Into<Columns<'a>>) -> Result<(), Error> {
        let (columns, isa) = (shapes.into(), self.options.isa()?);
        let threads = uses_pool(self.options.threads, columns.len());
        parallel::enter(threads, || self.sort(columns, isa, threads))
    }

    /// Asks for the memory of a rebuild, with the copy of rotated shapes: see docs/memory.md.
    /// Candidate lists ask for their own.
    pub(super) fn ask(&mut self, columns: &Columns<'_>) -> Result<(), Error> {
        let filtered = columns.filtering.filters.is_some();
        // Conditions, and the bytes a row that each adds.
        let adds = [
            (columns.are_placed(), 60),
            (columns.rotates(), 104),
            (filtered, 64),
            (columns.spaces.is_some(), 350),
            (columns.may_have_vacant_rows(), 27),
        ];
        let (mut kind, mut a_row) = (0, 98);
        for (number, (_, row)) in adds.into_iter().enumerate().filter(|(_, (holds, _))| *holds) {
            (kind, a_row) = (kind | 1 << number, a_row + row);
        }
        let rows = columns.len();
        self.scratch.granted.ask(kind, rows, rows.saturating_mul(a_row))
    }

    /// Asks for the memory of the data that the first query after a rebuild makes.
    #[cfg(feature = "queries")]
    #[inline]
    pub(crate) fn ask_for_query(&self) -> Result<(), Error> {
        self.ready()?;
        let (granted, rows) = (&self.lazy.granted, self.rows());
        if rows > granted.load(Ordering::Relaxed) {
            ask(rows, rows.saturating_mul(36 + 50 + 16 + 16) + (1 << 14))?;
            granted.store(rows + rows / 8, Ordering::Relaxed);
        }
        Ok(())
    }

    fn sort(&mut self, columns: Columns<'_>, isa: Isa, threads: bool) -> Result<(), Error> {
        let candidate_lists = self.options.candidate_lists == CandidateLists::Always;
        self.ask(&columns)?;
        let IndexWorkspace { rotated, sort, .. } = &mut self.scratch;
        let placed = columns.rows(isa, rotated)?;
        let spaces = columns.spaces;
        let (changes, loose) = (false, false);
        let options = SortOptions { isa, changes, candidate_lists, loose, threads, spaces };
        let Self { main, shapes, only, classes, filters, .. } = self;
        sort.check(placed, &options, |checked, room| {
            let view = View::of(&placed);
            shapes.clear();
            if view.rotates() {
                // The rows have been checked, so this does not fail.
                shapes.append_columns(&columns.bare())?;
            } else if NARROWPHASE {
                *only = view.classes(classes);
            }
            filters.set(columns.filtering.filters);
            main.sort(checked, room, &options, filters)?;
            main.rotates = view.rotates();
            Ok(())
        })??;
        (self.rows, self.len, self.isa) = (columns.len(), self.main.live, Some(isa));
        (self.spaced, self.whole) = (columns.spaces.is_some(), false);
        self.row_spaces.clear();
        self.sorted_anew();
        Ok(())
    }

    /// Forgets the data of shapes that are sorted anew.
    pub(super) fn sorted_anew(&mut self) {
        self.lazy.clear();
        self.beside.clear();
        self.moving.clear();
        self.places.clear();
    }

    /// The number of shapes.
    pub fn len(&self) -> usize {
        if self.has_store() { self.shapes.len() } else { self.len }
    }

    /// Whether there are no shapes.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The bytes of memory held.
    pub fn bytes(&self) -> usize {
        Held::bytes(self)
    }

    /// The number of rows that the index was built from, vacant rows included. All rows in results
    /// are smaller.
    pub fn rows(&self) -> usize {
        if self.has_store() { self.shapes.rows() } else { self.rows }
    }

    /// Whether there is a store of the shapes by row.
    pub(crate) fn has_store(&self) -> bool {
        self.shapes.rows() > 0
    }

    /// The layers that have shapes, or may have, by their numbers.
    #[inline]
    pub(crate) fn layers(&self) -> impl Iterator<Item = usize> + use<> {
        let made = [true, self.beside.made().is_some(), self.moving.made().is_some()];
        let mut left = made.iter().rev().fold(0_u8, |left, made| left << 1 | u8::from(*made));
        std::iter::from_fn(move || {
            let layer = left.trailing_zeros() as usize;
            let next = (left != 0).then_some(layer);
            left &= left.wrapping_sub(1);
            next
        })
    }

    #[inline]
    pub(super) fn layer(&self, number: usize) -> Option<&Layer> {
        match number {
            0 => Some(&self.main),
            1 => self.beside.made(),
            _ => self.moving.made(),
        }
    }

    /// Whether a layer may have a shape that touches a box.
    #[cfg(feature = "queries")]
    #[inline]
    pub(crate) fn covers(&self, layer: usize, sides: impl FnOnce() -> RoundedBox) -> bool {
        let late = match layer {
            0 => return true,
            MOVING_LAYER => &self.moving,
            _ => &self.beside,
        };
        late.meets(sides, &|row| self.shapes.read().layout.rounded_box(row as usize))
    }

    /// Whether some shapes are not in the first layer.
    #[inline]
    pub(crate) fn has_layers(&self) -> bool {
        self.places.count > 0 || self.moving.made().is_some()
    }

    /// Whether some shapes are not in the first layer, or there are holes in it.
    #[inline]
    pub(crate) fn has_changed(&self) -> bool {
        self.has_layers() || self.main.loose
    }

    /// The grid that has the shapes of all spaces with few shapes, in a layer.
    #[cfg(feature = "queries")]
    pub(crate) fn cells(&self, layer: usize) -> GridView<'_> {
        self.layer(layer).unwrap_or(&self.main).few.grid.view()
    }

    /// Whether the shapes were in spaces.
    pub(crate) fn in_spaces(&self) -> bool {
        (self.spaced || !self.row_spaces.is_empty()) && self.spaces().next().is_some()
    }

    /// The spaces that have shapes, ascending.
    pub(crate) fn spaces(&self) -> impl Iterator<Item = u32> {
        let mut next = Some(0);
        std::iter::from_fn(move || {
            let first = next?;
            let of_layer = |number: usize| {
                let spaces = &self.layer(number)?.spaces;
                let begin = spaces.partition_point(|shapes| shapes.space < first);
                let mut rest = spaces[begin..].iter().filter(|shapes| shapes.live > 0);
                rest.next().map(|SpaceShapes { space, .. }| *space)
            };
            let space = self.layers().filter_map(of_layer).min();
            next = space.and_then(|space| space.checked_add(1));
            space
        })
    }

    /// The instructions that queries run on.
    #[inline]
    pub(crate) fn isa(&self) -> Isa {
        self.isa.unwrap_or_else(|| self.options.isa().unwrap_or(Isa::SCALAR))
    }

    /// The largest radius of a shape, or of the box around a rotated shape.
    ///
    /// The first call after a rebuild reads all shapes.
    pub(crate) fn largest_radius(&self) -> f32 {
        let of_layer = |moving: bool| {
            let mut largest = 0.0_f32;
            for part in self.parts().filter(|part| (part.layer == MOVING_LAYER) == moving) {
                let grid = part.grid();
                let layout = grid.sorted.layout(grid.form);
                for place in grid.live_places() {
                    largest = largest.max(layout.rounded_box(place).radius);
                }
            }
            largest
        };
        self.lazy.largest_radius.get_or_init(|| of_layer(false)).max(of_layer(true))
    }

    /// Whether any shape is rotated or has parts.
    pub(crate) fn rotates(&self) -> bool {
        if self.whole || self.moving.made().is_some() {
            return self.shapes.read().rotates();
        }
        self.main.rotates || self.beside.made().is_some_and(|layer| layer.rotates)
    }

    /// The shapes by row. Empty unless any shape is rotated or has changed.
    #[cfg(feature = "narrowphase")]
    pub(crate) fn shapes(&self) -> &Shapes {
        &self.shapes
    }

    /// The class of a row, if it is axis-aligned.
    pub(crate) fn class(&self, row: usize) -> ShapeClass {
        if self.has_store() {
            return View::of(&self.shapes.read()).class(row as u32);
        }
        self.only.unwrap_or_else(|| self.classes[row])
    }

    /// The kind of a row, if no shape is rotated.
    #[cfg(feature = "narrowphase")]
    fn aligned_kind(&self, row: usize, rounded: &RoundedBox) -> Kind {
        match self.class(row) {
            ShapeClass::Round if rounded.radius == 0.0 => Kind::Point,
            ShapeClass::Round => Kind::Circle,
            _ if rounded.radius == 0.0 => Kind::Aabb,
            _ => Kind::RoundedBox,
        }
    }

    /// The shapes with their rows and kinds, if no shape is rotated.
    #[cfg(feature = "narrowphase")]
    pub(crate) fn aligned_rows(&self) -> impl Iterator<Item = (u32, Kind, RoundedBox)> {
        self.parts().flat_map(move |part| {
            let (grid, ids) = (part.grid(), part.ids());
            let layout = grid.sorted.layout(grid.form);
            grid.live_places().map(move |place| {
                let (row, rounded) = (!ids[place], layout.rounded_box(place));
                (row, self.aligned_kind(row as usize, &rounded), rounded)
            })
        })
    }

    /// The filters of the shapes.
    pub(crate) fn filters(&self) -> &SetFilters {
        &self.filters
    }

    /// The shapes by row. Without placed shapes if the search decides all pairs (`decided`).
    pub(crate) fn set(&self, decided: bool) -> Set<'_> {
        let view = View::of(&self.shapes.read());
        match view.placed() {
            _ if decided => Set::placed(view, &[], None),
            Some(placed) => Set::placed(view, placed, view.only_class()),
            None => {
                let MadeLater { placed, all_placed, .. } = &self.lazy;
                let lazy = if self.moving.made().is_some() { all_placed } else { placed };
                lazy.get(|placed| self.place(placed)).set(view)
            }
        }
    }

    /// Places all rows of axis-aligned shapes.
    fn place(&self, placed: &mut PlacedRows) {
        let only = self.only.filter(|_| !self.has_store());
        placed.begin(self.rows(), only);
        for part in self.parts() {
            placed.fill_from(part.grid(), |row| self.class(row));
        }
    }

    /// Sorts the shapes of further rows of the store, which `list` writes, so that queries also see
    /// these shapes.
    #[cfg(feature = "narrowphase")]
    pub(crate) fn see_moving(&self, list: impl FnOnce(&mut Vec<u32>)) -> Result<(), Error> {
        self.moving.make(|made| {
            made.rows.clear();
            list(&mut made.rows);
            self.sort_late(made)
        })
    }

    /// Forgets the shapes of the other rows, because they have changed.
    #[inline]
    pub(crate) fn forget_moving(&mut self) {
        if self.moving.made().is_some() {
            self.moving.clear();
            self.lazy.all_placed.clear();
        }
    }

    /// Uses the instructions of the options from now on.
    #[cfg(feature = "narrowphase")]
    pub(crate) fn forget_level(&mut self) {
        self.isa = None;
    }

    /// The rows of the store, to be sorted, and how.
    pub(super) fn rows_and_options<'a>(&'a self, rows: &'a [u32]) -> (Rows<'a>, SortOptions<'a>) {
        let threads = uses_pool(self.options.threads, rows.len());
        let spaces = (!self.row_spaces.is_empty()).then_some(&self.row_spaces[..]);
        let (isa, changes, candidate_lists, loose) = (self.isa(), true, false, false);
        let options = SortOptions { isa, changes, candidate_lists, loose, threads, spaces };
        (self.shapes.read().select(rows), options)
    }
}

/// Where each row is, once a row has changed.
#[derive(Debug, Default)]
pub(super) struct RowPlaces {
    /// For each row: its cell in the first layer, or a mark: [`UNTRIED`](Self::UNTRIED),
    /// [`BESIDE`](Self::BESIDE), [`NO_ROW`](NO_ROW). Its place in the cell changes when other rows
    /// are inserted.
    pub(super) cells: Vec<u32>,
    pub(super) known: bool,
    /// The rows beside, and some rows that were beside.
    pub(super) beside: Vec<u32>,
    /// The number of rows beside.
    pub(super) count: usize,
    /// The number of rows beside for which no hole was looked for yet.
    pub(super) untried: usize,
    /// The rows that [`Index::remove`] has made vacant, to be used again, the last one first.
    pub(super) free: Vec<u32>,
    /// The rows that were sorted beside since all were sorted, each sort added.
    pub(super) work: usize,
    /// The shapes that were taken out of the first layer and had been there since it was sorted,
    /// and the layout of the columns that it was sorted from.
    pub(super) removed: Vec<RemovedShape>,
    pub(super) layout: LayoutKind,
    /// `true` for each row that was put into a hole of the first layer after it was sorted. Shorter
    /// where no further row was.
    pub(super) inserted: Vec<bool>,
}

copied!(RowPlaces { cells, known, beside, count, untried, free, work, removed, layout, inserted });

/// How the rows of a store are sorted: all that decides the order of results, besides the rows.
pub(crate) struct SortedRows {
    /// The layout of the columns that the first layer was sorted from.
    pub(crate) layout: LayoutKind,
    /// Whether any shape in it was rotated or had parts.
    pub(crate) rotates: bool,
    /// The shapes that were taken out of it since, by row.
    pub(crate) removed: Vec<RemovedShape>,
    /// The rows that have changed since, and are in no hole.
    pub(crate) beside: Vec<u32>,
    /// The rows of `beside` for which no hole was looked for yet.
    pub(crate) untried: Vec<u32>,
    /// The rows that were put into holes since.
    pub(crate) inserted: Vec<u32>,
    /// The spaces that have or had such rows, and where their rows are.
    pub(crate) arranged: Vec<(u32, Arrangement)>,
}

/// A shape that was taken out of the first layer, as it was when the layer was sorted.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RemovedShape {
    pub(crate) row: u32,
    pub(crate) space: u32,
    pub(crate) sides: RoundedBox,
}

impl RowPlaces {
    /// Beside, because no hole fits.
    pub(super) const BESIDE: u32 = u32::MAX - 1;
    /// Beside, and no hole was looked for yet.
    pub(super) const UNTRIED: u32 = u32::MAX - 2;

    /// Forgets all places, because the rows are sorted anew.
    pub(super) fn clear(&mut self) {
        self.cells.clear();
        self.beside.clear();
        self.removed.clear();
        self.inserted.clear();
        self.free.clear();
        (self.known, self.count, self.untried, self.work) = (false, 0, 0, 0);
    }

    /// Forgets the sort of the rows beside, if they are sorted, and counts it.
    pub(super) fn outdate(&mut self, beside: &mut LateLayer) {
        if beside.made().is_some() {
            self.work += self.count;
        }
        beside.clear();
    }

    pub(super) fn is_beside(&self, row: u32) -> bool {
        self.cells.get(row as usize).is_some_and(|at| matches!(*at, Self::BESIDE | Self::UNTRIED))
    }

    /// Whether a row is beside, and no hole was looked for yet.
    pub(super) fn is_untried(&self, row: u32) -> bool {
        self.cells.get(row as usize) == Some(&Self::UNTRIED)
    }

    /// Sorts the rows beside, and drops rows that are no longer beside.
    pub(super) fn tidy(&mut self) {
        let mut rows = std::mem::take(&mut self.beside);
        rows.sort_unstable();
        rows.dedup();
        rows.retain(|row| self.is_beside(*row));
        self.beside = rows;
    }
}
