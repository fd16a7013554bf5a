//! `Index`: shapes that are sorted once and searched many times.

#[cfg(feature = "queries")]
use std::ops::Range;
use std::sync::{
    OnceLock,
    atomic::{AtomicUsize, Ordering},
};

use super::{compact::Compact, rows::PlacedRows, spaces::Spaces};
use crate::{
    Columns, Error, IndexOptions, NARROWPHASE, Shapes,
    base::{Lazy, parallel},
    error::limit::Granted,
    filter::{SetFilters, Target},
    grid::{BuildInput, CellSize, Grid, GridLevels, GridView, Ids, OneCell, Partition},
    narrowphase::{Set, View},
    options::{CandidateLists, uses_pool},
    posed::ShapeClass,
    simd::Isa,
    store::{Checked, ColumnWorkspace},
};
#[cfg(feature = "queries")]
use crate::{error::limit::ask, grid::MOST_OF_CELL};

/// Shapes that are sorted once and searched many times, such as walls or the units of the other
/// team.
///
/// A [`Detector`](crate::Detector) finds the shapes that touch a shape of an index, and the pairs
/// of two indexes: see [`Scope`](crate::Scope). Shapes of the same index are not tested against
/// each other. Queries need no detector: [`Queries`](crate::Queries) has them. They take
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
#[derive(Debug)]
pub struct Index {
    options: IndexOptions,
    /// The instructions of the last build, on which queries run.
    isa: Isa,
    /// The spaces that have shapes, ascending, and where these are. One space, with number 0, if the
    /// shapes are in no spaces.
    spaces: Vec<(u32, Stored)>,
    /// Whether the shapes were in spaces.
    spaced: bool,
    /// The shapes of all spaces of at most [`FEW`] shapes, a cell for each space, in the order of
    /// rows. A search tests all of them, and a space has no plan and no grid of its own.
    few: SortedPart,
    cells: Vec<OneCell>,
    /// The number of rows of the input, vacant ones included.
    rows: usize,
    /// The number of shapes.
    len: usize,
    /// A copy of the store by row, if any shape is rotated or has parts; else empty.
    shapes: Shapes,
    /// What is made when first needed.
    lazy: MadeLater,
    /// The class of all rows, if they share one and it is known.
    only: Option<ShapeClass>,
    /// Else the class of each row.
    classes: Vec<ShapeClass>,
    filters: SetFilters,
    scratch: IndexWorkspace,
}

/// What an index makes of its shapes when it is first needed.
#[derive(Debug, Default)]
struct MadeLater {
    /// If no shape is rotated: the placed rows for the narrowphase.
    placed: Lazy<PlacedRows>,
    largest_radius: OnceLock<f32>,
    /// The most rows for which the system had memory for what the first query makes.
    granted: AtomicUsize,
}

impl MadeLater {
    /// Forgets what was made, and keeps the memory.
    fn clear(&mut self) {
        self.largest_radius = OnceLock::new();
        self.placed.clear();
    }

    /// The bytes of memory held.
    fn bytes(&self) -> usize {
        self.placed.bytes(PlacedRows::bytes)
    }
}

/// How many searches for each shape of an index pay for its candidate lists (measured,
/// benches/log). Lists that are made when this many shapes have searched without them cost at most
/// as much again as these searches.
const SEARCHES_FOR_LISTS: usize = 5;

/// Up to this many shapes of a space are in one cell. A search among more shapes is
/// slower there than in cells of their own (benches/log).
const FEW: usize = 24;

/// Where the shapes of a space are.
#[derive(Debug)]
enum Stored {
    /// In the cell with this number.
    Cell(u32),
    /// In a grid of their own. In a box, because it has some kilobytes, which a search for a space
    /// would stride over and a rebuild would move.
    Grid(Box<SortedPart>),
}

/// Sorted shapes.
#[derive(Debug, Default)]
struct SortedPart {
    grid: Grid,
    /// The number of shapes, if they are in no cells.
    len: usize,
    /// The bit of the filter at each place. Empty if there are no filters.
    bits: Vec<u32>,
    /// The owner at each place. Empty if there are none.
    owners: Vec<u32>,
    /// How many shapes have searched for these since the last sort, of the shapes that candidate
    /// lists could serve. Not counted if there are lists.
    searched: AtomicUsize,
}

/// The shapes of an index that are in one space.
#[derive(Debug, Clone, Copy)]
pub(crate) struct IndexPart<'a> {
    index: &'a Index,
    sorted: &'a SortedPart,
    /// The cell that has them, if they are few.
    cell: Option<&'a OneCell>,
}

#[derive(Debug, Default)]
struct IndexWorkspace {
    rotated: ColumnWorkspace,
    partition: Partition,
    compact: Compact,
    groups: Spaces,
    few: FewRows,
    /// Parts of former spaces, of which the memory is kept.
    spare: Vec<Box<SortedPart>>,
    /// The id of each shape: the complement of its row.
    ids: Vec<u32>,
    granted: Granted,
}

/// The rows of spaces of few shapes.
#[derive(Debug, Default)]
struct FewRows {
    rows: Vec<u32>,
    /// Where the rows of each space end.
    ends: Vec<u32>,
}

impl FewRows {
    fn clear(&mut self) {
        self.rows.clear();
        self.ends.clear();
    }

    /// Adds the rows of a space, and returns its number.
    fn add(&mut self, rows: &[u32]) -> u32 {
        self.rows.extend_from_slice(rows);
        self.ends.push(self.rows.len() as u32);
        self.ends.len() as u32 - 1
    }

    /// The bytes of memory held.
    fn bytes(&self) -> usize {
        (self.rows.capacity() + self.ends.capacity()) * size_of::<u32>()
    }
}

impl Clone for Index {
    fn clone(&self) -> Self {
        let mut copy = Self::default();
        copy.clone_from(self);
        copy
    }

    /// Copies the sorted shapes and the candidate lists, into the memory that there is. What
    /// queries make when they first need it is made again.
    fn clone_from(&mut self, source: &Self) {
        self.lazy.clear();
        let parts = self.spaces.drain(..).filter_map(|(_, stored)| stored.into_grid());
        self.scratch.spare.extend(parts);
        let Self { options, isa, spaces, spaced, few, cells, rows, len, .. } = source;
        let Self { shapes, only, classes, filters, .. } = source;
        (self.options, self.isa, self.rows, self.len) = (*options, *isa, *rows, *len);
        self.spaced = *spaced;
        self.few.clone_from(few);
        self.cells.clone_from(cells);
        for (space, stored) in spaces {
            let copy = match stored {
                Stored::Cell(number) => Stored::Cell(*number),
                Stored::Grid(part) => {
                    let mut copy = self.scratch.spare.pop().unwrap_or_default();
                    copy.clone_from(part);
                    Stored::Grid(copy)
                }
            };
            self.spaces.push((*space, copy));
        }
        self.shapes.clone_from(shapes);
        self.only = *only;
        self.classes.clone_from(classes);
        self.filters.clone_from(filters);
    }
}

impl Default for Index {
    fn default() -> Self {
        Self {
            options: IndexOptions::default(),
            isa: Isa::SCALAR,
            spaces: Vec::new(),
            spaced: false,
            few: SortedPart::default(),
            cells: Vec::new(),
            rows: 0,
            len: 0,
            shapes: Shapes::default(),
            lazy: MadeLater::default(),
            only: None,
            classes: Vec::new(),
            filters: SetFilters::default(),
            scratch: IndexWorkspace::default(),
        }
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
    /// Costs what a detector takes to sort as many shapes, and a copy of rotated shapes: 60,000
    /// rotated boxes take 150 ns each from borrowed columns, and 82 ns from a store (AVX-512, an
    /// Intel Xeon; benches/log).
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
    /// Costs what [`build`](Index::build) costs, and more if
    /// [candidate lists](CandidateLists::Always) are always made.
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
    fn ask(&mut self, columns: &Columns<'_>) -> Result<(), Error> {
        let filtered = columns.filtering.filters.is_some();
        // What holds, and the bytes a row that it adds.
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

    /// Asks for the memory of what the first query after a rebuild makes.
    #[cfg(feature = "queries")]
    pub(crate) fn ask_for_query(&self) -> Result<(), Error> {
        let granted = &self.lazy.granted;
        if self.rows > granted.load(Ordering::Relaxed) {
            ask(self.rows, self.rows.saturating_mul(36 + 50 + 16) + (1 << 14))?;
            granted.store(self.rows + self.rows / 8, Ordering::Relaxed);
        }
        Ok(())
    }

    fn sort(&mut self, columns: Columns<'_>, isa: Isa, threads: bool) -> Result<(), Error> {
        let rows = columns.len();
        let candidate_lists = self.options.candidate_lists == CandidateLists::Always;
        self.ask(&columns)?;
        let IndexWorkspace { rotated, partition, compact, groups, few, spare, ids, .. } =
            &mut self.scratch;
        let placed = columns.rows(isa, rotated)?;
        // Many shapes in no spaces are checked while they are made compact.
        let spaced = columns.spaces.is_some() || placed.live_len() <= FEW;
        let checked = if spaced { Some(placed.check_on(isa, threads)?) } else { None };
        let whole = if spaced { None } else { Some(compact.close(placed, None, isa, threads)?) };
        self.isa = isa;
        let view = View::of(&placed);
        self.shapes.clear();
        if view.rotates() {
            // The rows have been checked, so this does not fail.
            self.shapes.append_columns(&columns.bare())?;
            self.only = view.only_class();
        } else if NARROWPHASE {
            self.only = view.classes(&mut self.classes);
        }
        self.filters.set(columns.filtering.filters);
        self.lazy.clear();
        spare.extend(self.spaces.drain(..).filter_map(|(_, stored)| stored.into_grid()));
        self.few.clear();
        self.cells.clear();
        (self.rows, self.len, self.spaced) = (rows, 0, columns.spaces.is_some());
        let mut sort =
            Sort { isa, candidate_lists, threads, partition, filters: &self.filters, spare, ids };
        if let Some((shapes, listed)) = whole {
            let part = match listed {
                Ids::Rows => sort.sorted(shapes, 0..rows as u32),
                Ids::List(rows) => sort.sorted(shapes, rows.iter().copied()),
            };
            self.spaces.push((0, part));
            self.len = shapes.len;
            // The next sort puts the grid there, and does not allocate.
            spare.reserve(1);
            return Ok(());
        }
        groups.group(&placed, columns.spaces);
        few.clear();
        for place in 0..groups.len() {
            let (space, rows) = groups.get(place);
            let stored = if rows.len() <= FEW {
                Stored::Cell(few.add(rows))
            } else {
                let (shapes, _) = compact.close(placed.select(rows), None, isa, threads)?;
                sort.sorted(shapes, rows.iter().copied())
            };
            self.spaces.push((space, stored));
            self.len += rows.len();
        }
        spare.reserve(self.spaces.len() - few.ends.len());
        if let Some(shapes) = checked.filter(|_| !few.ends.is_empty()) {
            let SortedPart { grid, bits, owners, .. } = &mut self.few;
            grid.build_cells(isa, &shapes, &few.rows, &few.ends, &mut self.cells);
            self.filters.sort(grid.sorted.ids(), bits, owners);
        }
        Ok(())
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
        let IndexWorkspace { rotated, partition, compact, groups, few, spare, ids, .. } =
            &self.scratch;
        let ids = ids.capacity() * size_of::<u32>() + groups.bytes() + few.bytes();
        let grids = self.spaces.iter().filter_map(|(_, stored)| stored.grid());
        let boxed = grids.chain(spare.iter().map(|part| &**part));
        let boxed: usize = boxed.map(|part| size_of::<SortedPart>() + part.bytes()).sum();
        let spaces = self.spaces.capacity() * size_of::<(u32, Stored)>()
            + self.cells.capacity() * size_of::<OneCell>();
        let parts =
            self.few.bytes() + boxed + spaces + spare.capacity() * size_of::<Box<SortedPart>>();
        let shapes = self.shapes.bytes()
            + self.lazy.bytes()
            + self.classes.capacity() * size_of::<ShapeClass>();
        let shapes = shapes + self.filters.bytes();
        parts + shapes + rotated.bytes() + partition.bytes() + compact.bytes() + ids
    }

    /// The number of rows that the index was built from, vacant ones included. All rows in results
    /// are smaller.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// The shapes of a space.
    pub(crate) fn part(&self, space: u32) -> IndexPart<'_> {
        // Where all spaces below have shapes, a space is at its own number.
        let own = self.spaces.get(space as usize).filter(|(other, _)| *other == space);
        let found = own.or_else(|| {
            let place = self.spaces.binary_search_by_key(&space, |(space, _)| *space).ok()?;
            self.spaces.get(place)
        });
        match found {
            Some((_, Stored::Grid(part))) => IndexPart { index: self, sorted: part, cell: None },
            Some((_, Stored::Cell(number))) => {
                let cell = self.cells.get(*number as usize);
                IndexPart { index: self, sorted: &self.few, cell }
            }
            // Without a cell, there is nothing.
            None => IndexPart { index: self, sorted: &self.few, cell: None },
        }
    }

    /// The grid that has the shapes of all spaces with few shapes.
    #[cfg(feature = "queries")]
    pub(crate) fn cells(&self) -> GridView<'_> {
        self.few.grid.view()
    }

    /// Whether the shapes were in spaces.
    pub(crate) fn in_spaces(&self) -> bool {
        self.spaced && !self.spaces.is_empty()
    }

    /// The spaces that have shapes, ascending.
    pub(crate) fn spaces(&self) -> impl Iterator<Item = u32> {
        self.spaces.iter().map(|(space, _)| *space)
    }

    /// The instructions that queries run on.
    pub(crate) fn isa(&self) -> Isa {
        self.isa
    }

    /// The largest radius of a shape, or of the box around a rotated shape.
    ///
    /// The first call after a rebuild reads all shapes.
    pub(crate) fn largest_radius(&self) -> f32 {
        *self.lazy.largest_radius.get_or_init(|| {
            let mut largest = 0.0_f32;
            for space in self.spaces() {
                let grid = self.part(space).grid();
                let layout = grid.sorted.layout(grid.form);
                for place in grid.places() {
                    largest = largest.max(layout.rounded_box(place).radius);
                }
            }
            largest
        })
    }

    /// Whether any shape is rotated or has parts.
    pub(crate) fn rotates(&self) -> bool {
        !self.shapes.is_empty()
    }

    /// The rotated shapes by row, and the shapes among them. Empty if no shape is rotated.
    #[cfg(feature = "narrowphase")]
    pub(crate) fn shapes(&self) -> &Shapes {
        &self.shapes
    }

    /// The class of a row, if no shape is rotated.
    pub(crate) fn class(&self, row: usize) -> ShapeClass {
        self.only.unwrap_or_else(|| self.classes[row])
    }

    /// The shapes by row. Without placed shapes if the search decides all pairs (`decided`).
    pub(crate) fn set(&self, decided: bool) -> Set<'_> {
        let view = View::of(&self.shapes.read());
        match view.placed() {
            _ if decided => Set::placed(view, &[], None),
            Some(placed) => Set::placed(view, placed, self.only),
            None => self.lazy.placed.get(|placed| self.place(placed)).set(view),
        }
    }

    /// Places all rows of axis-aligned shapes.
    fn place(&self, placed: &mut PlacedRows) {
        placed.begin(self.rows, self.only);
        for space in self.spaces() {
            placed.fill_from(self.part(space).grid(), |row| self.class(row));
        }
    }
}

/// The options of a sort, and its workspace.
struct Sort<'a> {
    isa: Isa,
    candidate_lists: bool,
    threads: bool,
    partition: &'a mut Partition,
    filters: &'a SetFilters,
    spare: &'a mut Vec<Box<SortedPart>>,
    ids: &'a mut Vec<u32>,
}

impl Sort<'_> {
    /// A grid of shapes, more than [`FEW`], and their rows.
    fn sorted(&mut self, shapes: Checked<'_>, rows: impl Iterator<Item = u32>) -> Stored {
        let Self { isa, candidate_lists, threads, partition, filters, spare, ids } = self;
        let mut part = spare.pop().unwrap_or_default();
        ids.clear();
        ids.extend(rows.map(|row| !row));
        part.len = shapes.len;
        *part.searched.get_mut() = 0;
        let input = BuildInput {
            isa: *isa,
            shapes,
            ids: Ids::List(ids),
            cell_size: CellSize::Auto,
            levels: &GridLevels::Auto,
            searched: true,
            candidate_lists: *candidate_lists,
            threads: *threads,
        };
        part.grid.build(&input, partition);
        // A call with two indexes may search another index with these shapes, and reads them as
        // rounded boxes.
        part.grid.sorted.make_zeros(part.grid.form);
        filters.sort(part.grid.sorted.ids(), &mut part.bits, &mut part.owners);
        Stored::Grid(part)
    }
}

impl Stored {
    fn grid(&self) -> Option<&SortedPart> {
        match self {
            Self::Cell(_) => None,
            Self::Grid(part) => Some(part),
        }
    }

    fn into_grid(self) -> Option<Box<SortedPart>> {
        match self {
            Self::Cell(_) => None,
            Self::Grid(part) => Some(part),
        }
    }
}

impl Clone for SortedPart {
    fn clone(&self) -> Self {
        let mut copy = Self::default();
        copy.clone_from(self);
        copy
    }

    fn clone_from(&mut self, source: &Self) {
        let Self { grid, len, bits, owners, searched } = source;
        self.grid.clone_from(grid);
        self.len = *len;
        self.bits.clone_from(bits);
        self.owners.clone_from(owners);
        *self.searched.get_mut() = searched.load(Ordering::Relaxed);
    }
}

impl SortedPart {
    fn clear(&mut self) {
        self.grid.clear();
        self.bits.clear();
        self.owners.clear();
        self.len = 0;
        *self.searched.get_mut() = 0;
    }

    /// The bytes of memory held.
    fn bytes(&self) -> usize {
        self.grid.bytes() + (self.bits.capacity() + self.owners.capacity()) * size_of::<u32>()
    }
}

impl<'a> IndexPart<'a> {
    pub(crate) fn index(&self) -> &'a Index {
        self.index
    }

    /// The number of shapes.
    pub(crate) fn len(&self) -> usize {
        self.cell.map_or(self.sorted.len, OneCell::len)
    }

    /// Whether there are no shapes.
    pub(crate) fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether any shape of the index is rotated or has parts.
    pub(crate) fn rotates(&self) -> bool {
        self.index.rotates()
    }

    /// The complement of the row at each place.
    #[inline]
    pub(crate) fn ids(&self) -> &'a [u32] {
        self.sorted.grid.sorted.ids()
    }

    /// The sorted shapes. Their ids are the complements of their rows: larger than any row of a
    /// moving shape, so that pairs, which list the smaller id first, list the moving shape first.
    #[inline]
    pub(crate) fn grid(&self) -> GridView<'a> {
        let grid = &self.sorted.grid;
        match self.cell {
            None => grid.view(),
            Some(cell) => grid.cell(cell),
        }
    }

    /// The places of the shapes in the grid of cells ([`Index::cells`]): none, if there are no
    /// shapes. `None` if they are many.
    #[cfg(feature = "queries")]
    #[inline]
    pub(crate) fn places_in_cells(&self) -> Option<Range<usize>> {
        if self.is_empty() { Some(0..0) } else { self.grid().one_cell() }
    }

    /// The places of the shapes in a grid of their own, if they are so few that a search for the
    /// nearest ones had better look at all, and follow each other.
    #[cfg(feature = "queries")]
    pub(crate) fn places_of_few(&self) -> Option<Range<usize>> {
        let (len, grid) = (self.len(), self.grid());
        if len > MOST_OF_CELL {
            return None;
        }
        let used = (0..grid.levels().len()).map(|level| grid.items(level));
        let places = used.reduce(|all, level| match level.is_empty() {
            true => all,
            false if all.is_empty() => level,
            false => all.start.min(level.start)..all.end.max(level.end),
        })?;
        (places.len() == len).then_some(places)
    }

    /// Counts the shapes of `grid`, which are about to search for these, and makes candidate lists
    /// once they pay off, if the options leave it to the index.
    pub(crate) fn expect_search(&self, grid: GridView<'_>) {
        let SortedPart { grid: own, len, searched, .. } = self.sorted;
        let automatic = self.index.options.candidate_lists == CandidateLists::Auto;
        if !automatic || self.cell.is_some() || own.has_lists() {
            return;
        }
        let more = own.view().could_serve(&grid);
        // Only the time of searches depends on the count, so that no order of threads matters.
        let before = searched.fetch_add(more, Ordering::Relaxed);
        if more > 0 && before.saturating_add(more) > len.saturating_mul(SEARCHES_FOR_LISTS) {
            own.make_lists(self.index.isa);
        }
    }

    /// The shapes of the index by row: see [`Index::set`].
    pub(crate) fn set(&self, decided: bool) -> Set<'a> {
        self.index.set(decided)
    }

    /// The filters of the shapes of the index.
    pub(crate) fn filters(&self) -> &'a SetFilters {
        &self.index.filters
    }

    /// The filters of the shapes, by row and by place.
    pub(crate) fn target(&self) -> Target<'a> {
        let SortedPart { grid, bits, owners, .. } = self.sorted;
        let bits = (!bits.is_empty()).then_some(&bits[..]);
        Target { ids: grid.sorted.ids(), filters: &self.index.filters, bits, owners }
    }
}
