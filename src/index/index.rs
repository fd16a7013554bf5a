//! `Index`: shapes that are sorted once and searched many times.

use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use super::{compact::Compact, rows::PlacedRows, worlds::Worlds};
use crate::{
    Columns, Error, NARROWPHASE, Options, Shapes,
    base::parallel,
    filter::{SetFilters, Target},
    grid::{BuildInput, CellSize, Grid, GridLevels, Ids, Partition},
    narrowphase::{Set, View},
    options::uses_pool,
    posed::Class,
    simd::Isa,
    store::{Checked, TurnedRoom},
};

/// Shapes that are sorted once and searched many times, such as walls or the units of the other
/// team.
///
/// [`Detector::pairs_against`](crate::Detector::pairs_against) finds the shapes that touch a shape
/// of an index. [`Detector::pairs_between`](crate::Detector::pairs_between) finds the pairs of two
/// indexes. Shapes of the same index are not tested against each other. Queries need no detector:
/// [`Queries`](crate::Queries) has them. They take
/// `&self`, so many threads may ask at once.
///
/// Shapes that never move are [built](Index::build) once, with [neighbor
/// lists](Index::neighbor_lists), which make searches faster. Moving shapes are
/// [rebuilt](Index::rebuild) at every step, by default without neighbor lists.
///
/// An index keeps its own sorted copy of the shapes: 24 to 44 bytes a shape, and 36 bytes a row for
/// the narrowphase (109 bytes and the vertices for rotated shapes). docs/memory.md has the formula.
///
/// ```
/// use widephase::{Columns, Detector, Index};
///
/// let mut rocks = Index::build(Columns::circles(&[0.0, 5.0], &[0.0; 2], &[1.0; 2])?)?;
/// let (mut detector, mut hits) = (Detector::new(), Vec::new());
/// let ship = Columns::circles(&[6.5], &[0.0], &[1.0])?;
/// detector.pairs_against(ship, &rocks, &mut hits)?;
/// assert_eq!((hits[0].a, hits[0].b), (0, 1));
/// // The second rock is destroyed.
/// rocks.rebuild(Columns::circles(&[0.0], &[0.0], &[1.0])?)?;
/// detector.pairs_against(ship, &rocks, &mut hits)?;
/// assert!(hits.is_empty());
/// # Ok::<(), widephase::Error>(())
/// ```
#[derive(Debug)]
pub struct Index {
    options: Options,
    /// The instructions of the last build, on which queries run.
    isa: Isa,
    /// The sorted shapes of world 0, if all are in it; else nothing.
    one: SortedPart,
    /// Else the sorted shapes of each world, by ascending worlds.
    worlds: Vec<(u32, SortedPart)>,
    /// A part of no shapes, for worlds that do not exist. Made when first needed.
    nothing: OnceLock<Box<SortedPart>>,
    /// The number of rows of the input, vacant ones included.
    rows: usize,
    /// The number of shapes.
    len: usize,
    /// A copy of the store by row, if any shape is rotated or has parts; else empty.
    shapes: Shapes,
    /// If no shape is rotated: the placed rows for the narrowphase, made when first needed.
    placed: OnceLock<PlacedRows>,
    /// The memory of `placed` while it is empty.
    spare: Mutex<PlacedRows>,
    /// The largest radius, found when first needed.
    largest_radius: OnceLock<f32>,
    /// The class of all rows, if they share one and it is known.
    only: Option<Class>,
    /// Else the class of each row.
    classes: Vec<Class>,
    filters: SetFilters,
    neighbor_lists: bool,
    scratch: Scratch,
}

/// Sorted shapes.
#[derive(Debug, Default)]
struct SortedPart {
    grid: Grid,
    /// The number of shapes.
    len: usize,
    /// The bit of the filter at each place. Empty if there are no filters.
    bits: Vec<u32>,
}

/// The shapes of an index that are in one world.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Part<'a> {
    index: &'a Index,
    sorted: &'a SortedPart,
}

#[derive(Debug, Default)]
struct Scratch {
    turned: TurnedRoom,
    partition: Partition,
    compact: Compact,
    groups: Worlds,
    /// Parts of former worlds, of which the memory is kept.
    spare: Vec<SortedPart>,
    /// The id of each shape: the complement of its row.
    ids: Vec<u32>,
}

impl Default for Index {
    fn default() -> Self {
        Self {
            options: Options::default(),
            isa: Isa::SCALAR,
            one: SortedPart::default(),
            worlds: Vec::new(),
            nothing: OnceLock::new(),
            rows: 0,
            len: 0,
            shapes: Shapes::default(),
            placed: OnceLock::default(),
            spare: Mutex::default(),
            largest_radius: OnceLock::new(),
            only: None,
            classes: Vec::new(),
            filters: SetFilters::default(),
            neighbor_lists: false,
            scratch: Scratch::default(),
        }
    }
}

impl Index {
    /// An empty index with the default options.
    pub fn new() -> Self {
        Self::default()
    }

    /// An empty index with these options. [`simd_level`](Options::simd_level) and
    /// [`threads`](Options::threads) concern its builds. [`touching`](Options::touching),
    /// [`order`](Options::order) and [`threads`](Options::threads) concern its queries.
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

    /// Replaces the options. The shapes are kept. Touching policy, order and threads of queries
    /// change at once, and the SIMD level with the next [`rebuild`](Index::rebuild).
    ///
    /// # Errors
    /// The errors of [`Options::check`]; the options are then as before.
    pub fn set_options(&mut self, options: Options) -> Result<(), Error> {
        self.options = options.checked()?;
        Ok(())
    }

    /// Builds an index of these shapes with [neighbor lists](Index::neighbor_lists) and the default
    /// options, for shapes that do not move.
    ///
    /// Costs what a detector takes to sort as many shapes, 4 to 7 times that for the neighbor
    /// lists, and a copy of rotated shapes: 60,000 rotated boxes take 150 ns each from borrowed
    /// columns, and 82 ns from a store (without neighbor lists, AVX-512, an Intel Xeon;
    /// benches/log).
    ///
    /// # Errors
    /// [`Error::InvalidShape`] for the first value outside the numeric contract; the errors of
    /// [`SimdLevel::preferred`](crate::SimdLevel::preferred).
    pub fn build<'a>(shapes: impl Into<Columns<'a>>) -> Result<Self, Error> {
        let mut index = Self::default();
        index.replace(shapes.into(), true)?;
        Ok(index)
    }

    /// Replaces the shapes. Memory is kept.
    ///
    /// Costs what a [`Detector`](crate::Detector) takes to sort as many shapes, and more with
    /// [neighbor lists](Index::neighbor_lists).
    ///
    /// # Errors
    /// The errors of [`build`](Index::build); the index is then as it was before.
    pub fn rebuild<'a>(&mut self, shapes: impl Into<Columns<'a>>) -> Result<(), Error> {
        self.replace(shapes.into(), self.neighbor_lists)
    }

    /// Sets whether [`rebuild`](Index::rebuild) makes neighbor lists: for each cell, a copy of all
    /// shapes around it. Default: no. [`build`](Index::build) always makes them.
    ///
    /// Neighbor lists change neither results nor order, only time and memory. With them, a moving
    /// shape finds its partners in one list instead of in several rows of cells: a thousand moving
    /// shapes take a quarter less time among 2,000 shapes of the index, two fifths less among
    /// 100,000, and three fifths less among a million. A rebuild takes 4 to 7 times as long, and
    /// the index takes up to 270 bytes a shape more (docs/performance.md). So they pay if at least
    /// about five moving shapes are searched for each shape of the index between two rebuilds.
    ///
    /// Only shapes that are spread over a plane, and not too densely, have lists. Only moving
    /// shapes up to 9/8 of the largest shape of the index use them, if there are few enough moving
    /// shapes that their lists stay in a cache. All others search the cells, with the same result.
    ///
    /// ```
    /// use widephase::{Columns, Index};
    ///
    /// let mut doors = Index::new().neighbor_lists(true);
    /// doors.rebuild(Columns::circles(&[0.0], &[0.0], &[1.0])?)?;
    /// assert_eq!(doors.len(), 1);
    /// # Ok::<(), widephase::Error>(())
    /// ```
    #[must_use]
    pub fn neighbor_lists(self, wanted: bool) -> Self {
        Self { neighbor_lists: wanted, ..self }
    }

    fn replace(&mut self, columns: Columns<'_>, neighbor_lists: bool) -> Result<(), Error> {
        let isa = self.options.isa()?;
        let threads = uses_pool(self.options.threads, columns.len());
        parallel::enter(threads, || self.sort(columns, isa, neighbor_lists, threads))
    }

    fn sort(
        &mut self,
        columns: Columns<'_>,
        isa: Isa,
        neighbor_lists: bool,
        threads: bool,
    ) -> Result<(), Error> {
        let rows = columns.len();
        let Scratch { turned, partition, compact, groups, spare, ids } = &mut self.scratch;
        let placed = columns.rows(isa, turned)?;
        if columns.worlds.is_some() {
            placed.check_on(isa, threads)?;
        }
        let whole = match columns.worlds {
            Some(_) => None,
            None => Some(compact.close(placed, isa, threads)?),
        };
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
        self.largest_radius = OnceLock::new();
        if let Some(placed) = self.placed.take() {
            self.spare = Mutex::new(placed);
        }
        spare.extend(self.worlds.drain(..).map(|(_, part)| part));
        self.one.clear();
        (self.rows, self.len) = (rows, 0);
        let mut sort =
            Sort { isa, neighbor_lists, threads, partition, filters: &self.filters, ids };
        if let Some((shapes, listed)) = whole {
            match listed {
                Ids::Rows => sort.fill(&mut self.one, shapes, 0..rows as u32),
                Ids::List(rows) => sort.fill(&mut self.one, shapes, rows.iter().copied()),
            }
            self.len = shapes.len;
            return Ok(());
        }
        groups.group(&placed, columns.worlds);
        for place in 0..groups.len() {
            let (world, rows) = groups.get(place);
            let (shapes, _) = compact.close(placed.select(rows), isa, threads)?;
            let mut part = spare.pop().unwrap_or_default();
            sort.fill(&mut part, shapes, rows.iter().copied());
            self.worlds.push((world, part));
            self.len += shapes.len;
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
        let Scratch { turned, partition, compact, groups, spare, ids } = &self.scratch;
        let ids = ids.capacity() * size_of::<u32>() + groups.bytes();
        let parts = self.worlds.iter().map(|(_, part)| part).chain(spare).chain([&self.one]);
        let parts: usize = parts.map(SortedPart::bytes).sum();
        let worlds = self.worlds.capacity() * size_of::<(u32, SortedPart)>();
        let parts = parts + worlds + spare.capacity() * size_of::<SortedPart>();
        let placed = self.placed.get().map_or(0, PlacedRows::bytes) + self.spare().bytes();
        let shapes = self.shapes.bytes() + placed + self.classes.capacity() * size_of::<Class>();
        let shapes = shapes + self.filters.bytes();
        parts + shapes + turned.bytes() + partition.bytes() + compact.bytes() + ids
    }

    /// The number of rows that the index was built from, vacant ones included. All rows in results
    /// are smaller.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// The shapes of a world.
    pub(crate) fn part(&self, world: u32) -> Part<'_> {
        let sorted = match self.worlds.binary_search_by_key(&world, |(world, _)| *world) {
            Ok(place) => &self.worlds[place].1,
            Err(_) if world == 0 => &self.one,
            Err(_) => self.nothing.get_or_init(Box::default),
        };
        Part { index: self, sorted }
    }

    /// Whether the shapes were in worlds.
    pub(crate) fn in_worlds(&self) -> bool {
        !self.worlds.is_empty()
    }

    /// The worlds that have shapes, ascending.
    pub(crate) fn worlds(&self) -> impl Iterator<Item = u32> {
        let zero = (!self.in_worlds()).then_some(0);
        self.worlds.iter().map(|(world, _)| *world).chain(zero)
    }

    /// The instructions that queries run on.
    pub(crate) fn isa(&self) -> Isa {
        self.isa
    }

    /// The largest radius of a shape, or of the box around a rotated shape.
    ///
    /// The first call after a rebuild reads all shapes.
    pub(crate) fn largest_radius(&self) -> f32 {
        *self.largest_radius.get_or_init(|| {
            let mut largest = 0.0_f32;
            for world in self.worlds() {
                let Grid { plan, sorted, form, .. } = self.part(world).grid();
                let layout = sorted.layout(*form);
                for level in 0..plan.levels().len() {
                    for place in sorted.bodies(level) {
                        largest = largest.max(layout.rounded_box(place).radius);
                    }
                }
            }
            largest
        })
    }

    /// Whether any shape is rotated or has parts.
    pub(crate) fn rotates(&self) -> bool {
        !self.shapes.is_empty()
    }

    /// The shapes by row. Without placed shapes if the search decides all pairs (`decided`).
    pub(crate) fn set(&self, decided: bool) -> Set<'_> {
        let view = View::of(&self.shapes.read());
        match view.placed() {
            _ if decided => Set::placed(view, &[], None),
            Some(placed) => Set::placed(view, placed, self.only),
            None => self.placed.get_or_init(|| self.place()).set(view),
        }
    }

    /// Places all rows of axis-aligned shapes, in the spare memory.
    fn place(&self) -> PlacedRows {
        let mut placed = std::mem::take(&mut *self.spare());
        let class = |row: usize| self.only.unwrap_or_else(|| self.classes[row]);
        placed.begin(self.rows, self.only);
        for part in self.worlds.iter().map(|(_, part)| part).chain([&self.one]) {
            placed.fill_from(&part.grid, class);
        }
        placed
    }

    fn spare(&self) -> MutexGuard<'_, PlacedRows> {
        self.spare.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The options of a sort, and its workspace.
struct Sort<'a> {
    isa: Isa,
    neighbor_lists: bool,
    threads: bool,
    partition: &'a mut Partition,
    filters: &'a SetFilters,
    ids: &'a mut Vec<u32>,
}

impl Sort<'_> {
    /// Replaces `part` by shapes and their rows.
    fn fill(
        &mut self,
        part: &mut SortedPart,
        shapes: Checked<'_>,
        rows: impl Iterator<Item = u32>,
    ) {
        let Self { isa, neighbor_lists, threads, partition, filters, ids } = self;
        ids.clear();
        ids.extend(rows.map(|row| !row));
        part.clear();
        part.len = shapes.len;
        if shapes.len == 0 {
            return;
        }
        let input = BuildInput {
            isa: *isa,
            shapes,
            ids: Ids::List(ids),
            cell_size: CellSize::Auto,
            levels: &GridLevels::Auto,
            searched: true,
            neighbor_lists: *neighbor_lists,
            threads: *threads,
        };
        part.grid.build(&input, partition);
        // `pairs_between` may search another index with these shapes, and reads them as rounded
        // boxes.
        part.grid.sorted.make_zeros(part.grid.form);
        filters.sort(part.grid.sorted.ids(), &mut part.bits);
    }
}

impl SortedPart {
    fn clear(&mut self) {
        self.grid.clear();
        self.bits.clear();
        self.len = 0;
    }

    /// The bytes of memory held.
    fn bytes(&self) -> usize {
        self.grid.bytes() + self.bits.capacity() * size_of::<u32>()
    }
}

impl<'a> Part<'a> {
    pub(crate) fn index(&self) -> &'a Index {
        self.index
    }

    /// The number of shapes.
    pub(crate) fn len(&self) -> usize {
        self.sorted.len
    }

    /// Whether there are no shapes.
    pub(crate) fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether any shape of the index is rotated or has parts.
    pub(crate) fn rotates(&self) -> bool {
        self.index.rotates()
    }

    /// The sorted shapes. Their ids are the complements of their rows: larger than any row of a
    /// moving shape, so that pairs, which list the smaller id first, list the moving shape first.
    pub(crate) fn grid(&self) -> &'a Grid {
        &self.sorted.grid
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
        let SortedPart { grid, bits, .. } = self.sorted;
        let bits = (!bits.is_empty()).then_some(&bits[..]);
        Target { ids: grid.sorted.ids(), filters: &self.index.filters, bits }
    }
}
