//! `Layer`: sorted shapes of all spaces, and a layer that is sorted when it is first needed.

use std::sync::atomic::{AtomicUsize, Ordering};

use super::{compact::Compact, cover_map::CoverMap, spaces::Spaces};
use crate::{
    base::{FEW_ITEMS, Held, Lazy, held},
    error::Error,
    filter::SetFilters,
    grid::{Arrangement, BuildInput, CellSize, Grid, GridLevels, Ids, OneCell, Partition},
    shape::RoundedBox,
    simd::Isa,
    store::{Checked, Rows},
};

/// The shapes in whose time of being covered one query searches them in vain: about 30 and 100 ns.
#[cfg(feature = "queries")]
const SHAPES_PER_QUERY: usize = 4;

/// Sorted shapes, some of which may have been removed since.
#[derive(Debug, Default)]
pub(super) struct Layer {
    /// The spaces that have shapes, ascending. One space, with number 0, if the shapes are in no
    /// spaces.
    pub(super) spaces: Vec<SpaceShapes>,
    /// The shapes of all spaces of at most [`FEW_ITEMS`] shapes, a cell for each space, in the
    /// order of rows. A search tests all shapes of a cell, and a space has no plan and no grid of
    /// its own.
    pub(super) few: SortedPart,
    pub(super) cells: Vec<OneCell>,
    /// Whether any shape is rotated or has parts.
    pub(super) rotates: bool,
    /// The number of shapes that were not removed.
    pub(super) live: usize,
    /// Whether there are holes among the shapes: see [`GONE`](crate::grid::GONE).
    pub(super) loose: bool,
    /// Parts of former spaces, of which the memory is kept.
    spare: Vec<Box<SortedPart>>,
}

held!(Layer { spaces, few, cells, rotates, live, loose, spare });

/// The shapes of a space.
#[derive(Debug)]
pub(super) struct SpaceShapes {
    pub(super) space: u32,
    pub(super) stored: Stored,
    /// The number of shapes that were not removed.
    pub(super) live: usize,
}

held!(SpaceShapes { space, stored, live });

/// Where the shapes of a space are.
#[derive(Debug)]
pub(super) enum Stored {
    /// In the cell with this number.
    Cell(u32),
    /// In a grid of their own. In a box, because it has some kilobytes, which a search for a space
    /// would stride over and a rebuild would move.
    Grid(Box<SortedPart>),
}

impl Held for Stored {
    fn bytes(&self) -> usize {
        match self {
            Stored::Cell(_) => 0,
            Stored::Grid(part) => part.bytes(),
        }
    }
}

/// Sorted shapes.
#[derive(Debug, Default)]
pub(super) struct SortedPart {
    pub(super) grid: Grid,
    /// The number of shapes and holes, if they are in no cells.
    pub(super) len: usize,
    /// Whether any shape was inserted since the sort.
    rearranged: bool,
    /// The bit of the filter at each place. Empty if there are no filters.
    pub(super) bits: Vec<u32>,
    /// The owner at each place. Empty without shapes.
    pub(super) owners: Vec<u32>,
    /// How many shapes have searched for these since the last sort, of the shapes that candidate
    /// lists could serve. Not counted if there are lists.
    pub(super) searched: AtomicUsize,
}

held!(SortedPart { grid, len, rearranged, bits, owners, searched });

/// The workspace of a sort.
#[derive(Debug, Default)]
pub(super) struct SortWorkspace {
    partition: Partition,
    /// Copies of all shapes, and of the shapes of a space.
    whole: Compact,
    compact: Compact,
    groups: Spaces,
    few: FewRows,
    /// The id of each shape: the complement of its row.
    ids: Vec<u32>,
}

held!(SortWorkspace { partition, whole, compact, groups, few, ids });

/// The rows of spaces of few shapes.
#[derive(Debug, Default)]
struct FewRows {
    rows: Vec<u32>,
    /// Where the rows of each space end.
    ends: Vec<u32>,
}

held!(FewRows { rows, ends });

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
}

/// How a layer is sorted.
#[derive(Clone, Copy)]
pub(super) struct SortOptions<'a> {
    pub(super) isa: Isa,
    /// Whether the rows are about to be sorted again.
    pub(super) changes: bool,
    pub(super) candidate_lists: bool,
    /// Whether there are holes among the shapes, for shapes that change.
    pub(super) loose: bool,
    pub(super) threads: bool,
    pub(super) spaces: Option<&'a [u32]>,
}

/// Rows that have been checked: all rows in one space, or rows in spaces.
pub(super) enum CheckedLayer<'a> {
    Whole(Checked<'a>, Ids<'a>),
    Spaced(Checked<'a>),
}

impl SortWorkspace {
    /// Checks rows that are to be sorted, and calls `work` with them and with the other parts of
    /// the workspace. Many shapes in no spaces are checked while they are made compact.
    pub(super) fn check<'a, R>(
        &'a mut self,
        rows: Rows<'a>,
        options: &SortOptions<'_>,
        work: impl FnOnce(CheckedLayer<'a>, SortRoom<'a>) -> R,
    ) -> Result<R, Error> {
        let Self { partition, whole, compact, groups, few, ids } = self;
        let SortOptions { isa, threads, spaces, .. } = *options;
        let len = rows.selection.map_or_else(|| rows.live_len(), <[u32]>::len);
        let checked = if spaces.is_some() || len <= FEW_ITEMS {
            CheckedLayer::Spaced(rows.check_on(isa, threads)?)
        } else {
            let (shapes, ids) = whole.close(rows, None, isa, threads)?;
            CheckedLayer::Whole(shapes, ids)
        };
        Ok(work(checked, SortRoom { rows, partition, compact, groups, few, ids }))
    }
}

/// Rows, and the workspace that is left when they have been checked.
pub(super) struct SortRoom<'a> {
    rows: Rows<'a>,
    partition: &'a mut Partition,
    compact: &'a mut Compact,
    groups: &'a mut Spaces,
    few: &'a mut FewRows,
    ids: &'a mut Vec<u32>,
}

impl Layer {
    /// Replaces the shapes by rows that have been checked.
    pub(super) fn sort(
        &mut self,
        checked: CheckedLayer<'_>,
        room: SortRoom<'_>,
        options: &SortOptions<'_>,
        filters: &SetFilters,
    ) -> Result<(), Error> {
        let SortRoom { rows, partition, compact, groups, few, ids } = room;
        let SortOptions { isa, changes, candidate_lists, loose, threads, spaces } = *options;
        self.clear();
        self.loose = loose && !candidate_lists;
        let loose = self.loose;
        let Self { spaces: sorted, few: own_few, cells, live, spare, .. } = self;
        let mut sort =
            Sort { isa, changes, candidate_lists, loose, threads, partition, filters, spare, ids };
        let shapes = match checked {
            CheckedLayer::Whole(shapes, listed) => {
                let stored = match listed {
                    Ids::Rows => sort.sorted(shapes, 0..rows.len() as u32),
                    Ids::List(rows) => sort.sorted(shapes, rows.iter().copied()),
                };
                sorted.push(SpaceShapes { space: 0, stored, live: shapes.len });
                *live = shapes.len;
                // The next sort puts the grid there, and does not allocate.
                sort.spare.reserve(1);
                return Ok(());
            }
            CheckedLayer::Spaced(shapes) => shapes,
        };
        groups.group(&rows, spaces);
        few.clear();
        for place in 0..groups.len() {
            let (space, of_space) = groups.get(place);
            let stored = if of_space.len() <= FEW_ITEMS {
                Stored::Cell(few.add(of_space))
            } else {
                let (shapes, _) = compact.close(rows.select(of_space), None, isa, threads)?;
                sort.sorted(shapes, of_space.iter().copied())
            };
            sorted.push(SpaceShapes { space, stored, live: of_space.len() });
            *live += of_space.len();
        }
        sort.spare.reserve(sorted.len() - few.ends.len());
        if !few.ends.is_empty() {
            let (rows, extent) = (rows.select(&few.rows), shapes.extent);
            let (shapes, _) = compact.close(rows, Some(extent), isa, threads)?;
            sort.fill(own_few, shapes, few.rows.iter().copied(), &few.ends);
            own_few.grid.cells_of_runs(isa, extent.largest, cells);
        }
        Ok(())
    }

    /// Removes all shapes and keeps the memory.
    pub(super) fn clear(&mut self) {
        let parts = self.spaces.drain(..).filter_map(|shapes| shapes.stored.into_grid());
        self.spare.extend(parts);
        self.few.clear();
        self.cells.clear();
        (self.live, self.rotates, self.loose) = (0, false, false);
    }

    /// The space, if it has shapes.
    #[inline]
    pub(super) fn find(&self, space: u32) -> Option<&SpaceShapes> {
        // Where all spaces below have shapes, a space is at its own number.
        let own = self.spaces.get(space as usize).filter(|other| other.space == space);
        own.or_else(|| {
            let place = self.spaces.binary_search_by_key(&space, |shapes| shapes.space).ok()?;
            self.spaces.get(place)
        })
    }

    /// The spaces that have shapes, ascending.
    pub(super) fn spaces(&self) -> impl Iterator<Item = u32> {
        self.spaces.iter().filter(|shapes| shapes.live > 0).map(|shapes| shapes.space)
    }

    /// Removes the row in a cell of a space, and returns the box around it.
    pub(super) fn remove(&mut self, (row, space): (u32, u32), cell: u32) -> Option<RoundedBox> {
        let Self { spaces, few, live, loose, .. } = self;
        let own = spaces.binary_search_by_key(&space, |shapes| shapes.space).ok()?;
        let SpaceShapes { stored, live: of_space, .. } = &mut spaces[own];
        let part = match stored {
            Stored::Cell(_) => few,
            Stored::Grid(part) => part,
        };
        let place = part.grid.find(cell, !row)?;
        let sides = part.grid.view().rounded().rounded_box(place);
        part.grid.remove(place);
        *part.searched.get_mut() = 0;
        *of_space -= 1;
        *live -= 1;
        *loose = true;
        Some(sides)
    }

    /// Puts a row into a hole among the shapes of a space, and returns its cell; `None` if it does
    /// not fit: see [`Grid::insert`].
    pub(super) fn insert(
        &mut self,
        (row, space): (u32, u32),
        sides: &RoundedBox,
        filters: &SetFilters,
    ) -> Option<u32> {
        let own = self.spaces.binary_search_by_key(&space, |shapes| shapes.space);
        let own = &mut self.spaces[own.ok()?];
        let Stored::Grid(part) = &mut own.stored else { return None };
        let SortedPart { grid, len, bits, owners, searched, rearranged } = &mut **part;
        let (cell, places) = grid.insert(sides, !row)?;
        *rearranged = true;
        if *len != grid.len() {
            *len = grid.len();
            filters.sort(grid.sorted.ids(), bits, owners);
        } else if filters.rows().is_some() {
            for place in grid.view().live_places_of(places.clone()) {
                let words = filters.words(!grid.sorted.ids()[place]);
                for (list, (word, other)) in [&mut *bits, &mut *owners].into_iter().zip(words) {
                    if list.is_empty() && word != other {
                        list.resize(grid.sorted.ids().len(), other);
                    }
                    if !list.is_empty() {
                        list[place] = word;
                    }
                }
            }
        }
        #[cfg(feature = "queries")]
        grid.renew_kinds(places, |id| filters.distinct.kind(!id as usize));
        *searched.get_mut() = 0;
        own.live += 1;
        self.live += 1;
        Some(cell)
    }

    /// Where the shapes are in each space into which some were inserted.
    pub(super) fn arrangements(&self) -> Vec<(u32, Arrangement)> {
        let grids = self.spaces.iter().filter_map(|own| Some((own.space, own.stored.grid()?)));
        let rearranged = grids.filter(|(_, part)| part.rearranged);
        rearranged.map(|(space, part)| (space, part.grid.arrangement())).collect()
    }

    /// Puts the shapes of a space, and `later` other shapes, to the places where they once were.
    /// `sides` returns the sides of the shape with an id. Returns whether that is possible.
    pub(super) fn arrange(
        &mut self,
        (space, later): (u32, usize),
        arrangement: &Arrangement,
        sides: impl Fn(u32) -> RoundedBox,
        filters: &SetFilters,
    ) -> bool {
        let own = self.spaces.binary_search_by_key(&space, |shapes| shapes.space);
        let Ok(own) = own.map(|own| &mut self.spaces[own]) else { return false };
        let Stored::Grid(part) = &mut own.stored else { return false };
        let SortedPart { grid, bits, owners, rearranged, .. } = &mut **part;
        let all = own.live + later;
        if arrangement.items.iter().flatten().count() != all || !grid.arrange(arrangement, sides) {
            return false;
        }
        filters.sort(grid.sorted.ids(), bits, owners);
        *rearranged = true;
        own.live = all;
        self.live += later;
        true
    }
}

/// The options of a sort, and its workspace.
struct Sort<'a> {
    isa: Isa,
    changes: bool,
    candidate_lists: bool,
    loose: bool,
    threads: bool,
    partition: &'a mut Partition,
    filters: &'a SetFilters,
    spare: &'a mut Vec<Box<SortedPart>>,
    ids: &'a mut Vec<u32>,
}

impl Sort<'_> {
    /// A grid of shapes, more than [`FEW_ITEMS`], and their rows.
    fn sorted(&mut self, shapes: Checked<'_>, rows: impl Iterator<Item = u32>) -> Stored {
        let mut part = self.spare.pop().unwrap_or_default();
        *part.searched.get_mut() = 0;
        self.fill(&mut part, shapes, rows, &[]);
        (part.len, part.rearranged) = (part.grid.len(), false);
        Stored::Grid(part)
    }

    /// Sorts shapes, and their rows, into the grid of a part. `ends` has the end of each space of
    /// few shapes.
    fn fill(
        &mut self,
        part: &mut SortedPart,
        shapes: Checked<'_>,
        rows: impl Iterator<Item = u32>,
        ends: &[u32],
    ) {
        let Self { isa, changes, candidate_lists, loose, .. } = *self;
        let Self { threads, partition, filters, ids, .. } = self;
        ids.clear();
        ids.extend(rows.map(|row| !row));
        let input = BuildInput {
            isa,
            shapes,
            ids: Ids::List(ids),
            ends,
            cell_size: CellSize::Auto,
            levels: &GridLevels::Auto,
            searched: true,
            changes,
            candidate_lists,
            threads: *threads,
        };
        part.grid.build(&input, partition);
        if loose && ends.is_empty() {
            part.grid.loosen();
        }
        // A call with two indexes may search another index with these shapes, and reads them as
        // rounded boxes.
        part.grid.sorted.make_zeros(part.grid.form);
        filters.sort(part.grid.sorted.ids(), &mut part.bits, &mut part.owners);
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

impl Clone for Layer {
    fn clone(&self) -> Self {
        let mut copy = Self::default();
        copy.clone_from(self);
        copy
    }

    fn clone_from(&mut self, source: &Self) {
        self.clear();
        let Self { spaces, few, cells, rotates, live, loose, spare: _ } = source;
        (self.rotates, self.live, self.loose) = (*rotates, *live, *loose);
        self.few.clone_from(few);
        self.cells.clone_from(cells);
        for SpaceShapes { space, stored, live } in spaces {
            let stored = match stored {
                Stored::Cell(number) => Stored::Cell(*number),
                Stored::Grid(part) => {
                    let mut copy = self.spare.pop().unwrap_or_default();
                    copy.clone_from(part);
                    Stored::Grid(copy)
                }
            };
            self.spaces.push(SpaceShapes { space: *space, stored, live: *live });
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
        let Self { grid, len, rearranged, bits, owners, searched } = source;
        self.grid.clone_from(grid);
        (self.len, self.rearranged) = (*len, *rearranged);
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
        (self.len, self.rearranged) = (0, false);
        *self.searched.get_mut() = 0;
    }
}

/// A layer that is sorted when it is first needed, in memory that is kept.
#[derive(Debug, Default)]
pub(super) struct LateLayer(Lazy<LateSorted>);

/// A layer, its workspace, and the rows that it was made of.
#[derive(Debug, Default)]
pub(super) struct LateSorted {
    pub(super) layer: Layer,
    /// Where it is, once it was asked this often.
    cover_map: Lazy<CoverMap>,
    asked: AtomicUsize,
    pub(super) workspace: SortWorkspace,
    pub(super) rows: Vec<u32>,
}

held!(LateSorted { layer, cover_map, asked, workspace, rows });

impl LateSorted {
    /// Where the shapes are, by the box of a row: `None` until it is worth while to find out.
    #[cfg(feature = "queries")]
    fn cover_map(&self, box_of: &dyn Fn(u32) -> RoundedBox) -> Option<&CoverMap> {
        let Self { cover_map, asked, rows, .. } = self;
        if cover_map.made().is_none() {
            // Only the time of queries depends on the count: see `expect_search`.
            let before = asked.load(Ordering::Relaxed);
            asked.store(before.saturating_add(1), Ordering::Relaxed);
            if before < rows.len() / SHAPES_PER_QUERY {
                return None;
            }
        }
        Some(cover_map.get(|cover_map| cover_map.cover(rows, box_of)))
    }
}

impl LateLayer {
    /// The layer, if it is made.
    #[inline]
    pub(super) fn made(&self) -> Option<&Layer> {
        self.0.made().map(|made| &made.layer)
    }

    /// Makes the layer by `sort`, unless it is made.
    pub(super) fn make(
        &self,
        sort: impl FnOnce(&mut LateSorted) -> Result<(), Error>,
    ) -> Result<(), Error> {
        self.0.try_make(|made| {
            made.cover_map.clear();
            *made.asked.get_mut() = 0;
            sort(made)
        })
    }

    /// Whether the layer is made and may have a shape that touches a box. Once it is often asked,
    /// it is found out where it is, by the box of a row.
    #[cfg(feature = "queries")]
    #[inline]
    pub(super) fn meets(
        &self,
        sides: impl FnOnce() -> RoundedBox,
        box_of: &dyn Fn(u32) -> RoundedBox,
    ) -> bool {
        self.0.made().is_some_and(|made| {
            made.cover_map(box_of).is_none_or(|cover_map| cover_map.meets(&sides()))
        })
    }

    /// Replaces the layer by a copy of another layer, if that is made.
    pub(super) fn copy(&mut self, other: &Self) {
        self.0.clear();
        if let Some(other) = other.0.made() {
            self.0.get(|made| {
                made.layer.clone_from(&other.layer);
                made.rows.clone_from(&other.rows);
                made.cover_map.clear();
                *made.asked.get_mut() = 0;
            });
        }
    }

    /// Forgets the layer, and keeps its memory.
    #[inline]
    pub(super) fn clear(&mut self) {
        self.0.clear();
    }
}

impl Held for LateLayer {
    fn bytes(&self) -> usize {
        self.0.bytes()
    }
}
