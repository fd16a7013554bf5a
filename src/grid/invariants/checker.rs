//! The invariants of one grid, and of the candidate lists of its levels.

use std::{collections::HashMap, marker::PhantomData, ops::Range};

use crate::{
    base::F32_SLACK,
    grid::{
        Grid, GridLevels, Ids, RoundedLayout,
        candidates::{CellLists, MAX_ITEM_BYTES, lines_of},
        plan::{COVER_ROWS, Cells, Cover, Covers, F32Cover, few_ghosts, sample},
        sort::{CacheLine, ItemLayout, RecordSource},
    },
    kernel::{ColumnSet, Items, RoundedColumns},
    reference::contract::overlap,
    shape::{Aabb, RoundedBox, Touching},
    simd::{Isa, Kernel, MAX_LANES, Scalar, Simd, Starts, dispatch},
};

/// A grid, and the items and options that it was built from.
pub(super) struct Checker<'a, I, C> {
    pub(super) grid: &'a Grid,
    pub(super) set: C,
    pub(super) ids: Ids<'a>,
    pub(super) count: usize,
    pub(super) isa: Isa,
    pub(super) levels: &'a GridLevels,
    pub(super) searched: bool,
    pub(super) what: &'a str,
    pub(super) item_layout: PhantomData<I>,
}

/// The number of cases of each kind that have been checked: a check that meets no case proves
/// nothing.
#[derive(Debug, Default, PartialEq)]
pub(super) struct SeenPlaces {
    /// Levels with items: helical levels, and dense levels.
    pub(super) helical: usize,
    pub(super) dense: usize,
    /// Grids of several levels.
    pub(super) several: usize,
    /// Copies of items behind the end of their level.
    pub(super) ghosts: usize,
    /// Helical levels whose numbers do not begin at the origin.
    pub(super) begin_elsewhere: usize,
    /// Touching pairs of items of a level that is swept.
    pub(super) pairs: usize,
    /// Touching pairs of items of different levels, or of a level that is searched.
    pub(super) covers: usize,
    /// Boxes whose covers were computed many at a time, and boxes whose covers the fast path
    /// computed.
    pub(super) known: usize,
    pub(super) short: usize,
    /// Levels with candidate lists, long lists, and shapes that have found an item in a list.
    pub(super) candidate_lists: usize,
    pub(super) long: usize,
    pub(super) visits: usize,
}

/// An item in the grid.
#[derive(Clone, Copy)]
pub(super) struct CheckedPlace {
    pub(super) shape: RoundedBox,
    pub(super) place: usize,
    level: usize,
    cell: usize,
}

impl<I: ItemLayout, C: RecordSource<I> + ColumnSet> Checker<'_, I, C>
where
    for<'a> I::Columns<'a>: RecordSource<I>,
{
    pub(super) fn check(&self, seen: &mut SeenPlaces) {
        let Self { grid, what, .. } = *self;
        let starts = grid.sorted.starts(self.isa, &grid.plan, false);
        let mut placed = Vec::new();
        let (mut end, mut ghosts) = (0, 0);
        for (level, cells) in grid.plan.levels().iter().enumerate() {
            let items = grid.sorted.items(level);
            assert!(items.start >= end, "{what}: level {level} begins within the one before");
            end = items.end + self.check_cells(cells, &items);
            if !items.is_empty() {
                seen.helical += usize::from(cells.wraps);
                seen.dense += usize::from(!cells.wraps);
            }
            ghosts += end - items.end;
            placed.extend(self.placed(level, items));
        }
        assert!(
            few_ghosts(&[ghosts], self.count) || 4 * ghosts <= self.count,
            "{what}: {ghosts} ghosts"
        );
        seen.ghosts += ghosts;
        seen.begin_elsewhere += grid.plan.levels().iter().filter(|c| c.begins_elsewhere()).count();
        seen.several += usize::from(grid.plan.levels().len() > 1);
        self.check_items(&placed);
        self.check_levels(&placed);
        self.check_boxes(&placed, seen);
        self.check_pairs(placed, starts, seen);
    }

    /// Checks where the cells of a level begin, and that ghosts are copies; returns the number of
    /// ghosts.
    fn check_cells(&self, cells: &Cells, items: &Range<usize>) -> usize {
        let Self { grid, what, .. } = *self;
        let (base, count) = (cells.base as usize, cells.count as usize);
        let of = grid.sorted.cells_of(items.clone());
        assert!(of.is_sorted(), "{what}: cells are not ascending");
        let mut at = items.start;
        for cell in base..base + count {
            let here = grid.sorted.places_of(cell..cell + 1);
            let in_cell = of[at - items.start..].iter().take_while(|&&c| c as usize == cell);
            let end = at + in_cell.count();
            assert_eq!(here, at..end, "{what}: the places of cell {cell}");
            at = end;
        }
        assert_eq!(at, items.end, "{what}: items beyond the last cell");

        let (columns, ids) = (grid.sorted.padded::<I>(), grid.sorted.ids());
        for ghost in 0..cells.ghosts() - 1 {
            let cell = base + count + ghost;
            let here = grid.sorted.places_of(cell..cell + 1);
            if !cells.wraps {
                assert_eq!(here, at..at, "{what}: cell {cell} behind the last row");
                continue;
            }
            let own = grid.sorted.places_of(base + ghost..base + ghost + 1);
            assert_eq!((here.start, here.len()), (at, own.len()), "{what}: ghost {ghost}");
            for (copy, item) in here.clone().zip(own) {
                assert_eq!(ids[copy], ids[item], "{what}: the id of a ghost");
                let [copy, item] = [copy, item].map(|place| columns.values(place));
                assert_eq!(copy.as_ref(), item.as_ref(), "{what}: the values of a ghost");
            }
            at = here.end;
        }
        at - items.end
    }

    /// The items of a level.
    fn placed(&self, level: usize, items: Range<usize>) -> impl Iterator<Item = CheckedPlace> {
        let columns = self.grid.sorted.padded::<I>();
        let cells = self.grid.sorted.cells_of(items.clone());
        items.zip(cells).map(move |(place, &cell)| {
            let item = columns.splat(Scalar, place);
            let core = Aabb {
                min_x: item.min_x(),
                min_y: item.min_y(),
                max_x: item.max_x(),
                max_y: item.max_y(),
            };
            let shape = RoundedBox::new(core, item.radius(Scalar));
            CheckedPlace { shape, place, level, cell: cell as usize }
        })
    }

    /// Checks that every row of the input is at one place, with its values, in the cell of its
    /// values.
    fn check_items(&self, placed: &[CheckedPlace]) {
        let Self { grid, set, ids, count, what, .. } = *self;
        assert_eq!(placed.len(), count, "{what}: items lost or doubled");
        let (columns, sorted_ids) = (grid.sorted.padded::<I>(), grid.sorted.ids());
        let rows: HashMap<u32, usize> = (0..count).map(|row| (ids.of(row), row)).collect();
        let mut found = vec![false; count];
        let mut cell = [0; 1 + MAX_LANES];
        for item in placed {
            let row = rows[&sorted_ids[item.place]];
            assert!(!std::mem::replace(&mut found[row], true), "{what}: row {row} twice");
            let (own, given) = (columns.values(item.place), set.values(row));
            assert_eq!(own.as_ref(), given.as_ref(), "{what}: the values of row {row}");
            grid.plan.locate(Scalar, set, row, 1, &mut cell);
            assert_eq!(item.cell, cell[0] as usize, "{what}: the cell of row {row}");
            let cells = &grid.plan.levels()[item.level];
            assert!(cells.numbers().contains(&item.cell), "{what}: row {row} in another level");
            if let Some(exact) = cells.exact(item.shape) {
                assert_eq!(item.cell, exact, "{what}: the cell of row {row}, worked out");
            }
        }
    }

    /// Checks that levels separate items by size, at the requested limits.
    fn check_levels(&self, placed: &[CheckedPlace]) {
        let what = self.what;
        let columns = self.grid.sorted.padded::<I>();
        let mut before = -1.0;
        for items in placed.chunk_by(|a, b| a.level == b.level) {
            let sizes =
                items.iter().map(|item| sample::size(Scalar, columns.splat(Scalar, item.place)));
            let (low, high) =
                sizes.fold((f32::MAX, 0.0_f32), |(low, high), s| (low.min(s), high.max(s)));
            assert!(low > before, "{what}: {low} is above a level with {before}");
            before = high;
            match self.levels {
                GridLevels::One => assert_eq!(items.len(), self.count, "{what}"),
                GridLevels::Upto(sizes) => {
                    let threshold = sizes.as_slice().iter().find(|&&size| size >= low);
                    let ok = threshold.is_none_or(|&size| high <= size);
                    assert!(ok, "{what}: {low} and {high} in a level");
                }
                GridLevels::Auto => {}
            }
        }
    }

    /// Checks that boxes cover each item that they touch exactly once. The boxes are the boxes
    /// around two items, and the sides of one item with the radius of another.
    fn check_boxes(&self, placed: &[CheckedPlace], seen: &mut SeenPlaces) {
        let what = self.what;
        let levels = self.grid.plan.levels();
        if levels.iter().any(Cells::is_plain) {
            return;
        }
        let few = || placed.iter().step_by(placed.len() / 6 + 1);
        for (a, b) in few().flat_map(|a| few().map(move |b| (a.shape, b.shape))) {
            let core = Aabb {
                min_x: a.min_x.min(b.min_x),
                min_y: a.min_y.min(b.min_y),
                max_x: a.max_x.max(b.max_x),
                max_y: a.max_y.max(b.max_y),
            };
            let around = Aabb { min_x: a.min_x, min_y: a.min_y, max_x: a.max_x, max_y: a.max_y };
            for shape in [RoundedBox::new(core, a.radius), RoundedBox::new(around, b.radius)] {
                let covers: Vec<_> =
                    (0..levels.len()).map(|level| self.covering(level, shape, seen)).collect();
                for item in placed.iter().filter(|b| overlap(shape, b.shape, Touching::Inclusive)) {
                    let cells = &levels[item.level];
                    let mut found =
                        covers[item.level].iter().map(|c| contains(c, cells, item.cell));
                    assert!(
                        found.all(|found| found == 1),
                        "{what}: {shape:?} covers {:?}",
                        item.shape
                    );
                }
            }
        }
    }

    /// The covers of a shape in `level`, by all methods that a scan uses.
    fn covering(&self, level: usize, shape: RoundedBox, seen: &mut SeenPlaces) -> Vec<Cover> {
        let Self { grid, what, .. } = *self;
        let (min, max) = bounds(shape);
        let (cells, count) = (&grid.plan.levels()[level], grid.sorted.items(level).len());
        let cover = cells.covering(min, max, count);
        if !self.searched && grid.plan.levels().len() == 1 {
            return vec![cover];
        }
        let mut found = vec![cover];
        found.extend(self.covering_short(level, shape, &cover, seen));
        let bounds = grid.sorted.bounds(level);
        let sides = [min[0], min[1], max[0], max[1]].map(|side| [side; 8]);
        let covers = cells.covering_all(sides.each_ref(), count, &bounds);
        let Some(known) = cells.cover(&covers, 5) else {
            return found;
        };
        seen.known += 1;
        let beside = (0..2).any(|axis| bounds.beside(axis, min[axis], max[axis]));
        if beside || cover.rows == 0 {
            assert_eq!(known.rows, 0, "{what}: not near");
        } else {
            assert_eq!(known, cover, "{what}");
        }
        found.push(known);
        found
    }

    /// The cover by the fast path, if the path has a cover for this level and this shape. Checks
    /// that it is equal for vectors of any length, and not much larger than `cover`.
    fn covering_short(
        &self,
        level: usize,
        shape: RoundedBox,
        cover: &Cover,
        seen: &mut SeenPlaces,
    ) -> Option<Cover> {
        let cells = &self.grid.plan.levels()[level];
        let around = self.grid.sorted.bounds(level);
        let reach = cells.f32_cover(&around)?;
        let sides = [shape.min_x, shape.min_y, shape.max_x, shape.max_y, shape.radius];
        let columns = sides.map(|side| [side; 2 * MAX_LANES]);
        let columns = RoundedLayout::columns(columns.each_ref().map(|column| &column[..]));
        let covers = reach.covers(Scalar, columns, 1);
        let known = cells.cover(&covers, 7);
        let of_vectors = dispatch(self.isa, F32Levels { reach, columns });
        assert_eq!(cells.cover(&of_vectors, 11), known, "{}", self.what);
        let known = known?;
        seen.short += 1;
        let (min, max) = bounds(shape);
        let far = |axis: usize| {
            let slack = (min[axis].abs() + max[axis].abs()) / f64::from(1 << 18);
            around.beside(axis, min[axis] - slack, max[axis] + slack)
        };
        assert!(known.rows == 0 || !(far(0) || far(1)), "{}: not near", self.what);
        if known.rows > 0 && (1..=COVER_ROWS).contains(&cover.rows) {
            let wider = [known.rows.abs_diff(cover.rows), known.width.abs_diff(cover.width)];
            let few_items = cover.width == cells.count;
            assert!(few_items || wider.iter().all(|more| *more <= 2), "{}: {wider:?}", self.what);
        }
        Some(known)
    }

    /// Checks that two touching items of a level that is swept meet once. Checks that each of two
    /// touching items of different levels, or of a level that is searched, is in a cell that the
    /// other covers.
    fn check_pairs(
        &self,
        mut placed: Vec<CheckedPlace>,
        starts: Starts<'_>,
        seen: &mut SeenPlaces,
    ) {
        let Self { grid, what, .. } = *self;
        let ids = grid.sorted.ids();
        let levels = grid.plan.levels();
        let tables: Vec<_> = (0..levels.len())
            .map(|level| {
                let items = grid.sorted.items(level);
                let (first, cells) = (items.start, grid.sorted.cells_of(items));
                starts.table(cells, first, levels[level].stride(), false)
            })
            .collect();
        let candidate_lists: Vec<_> = (0..levels.len())
            .map(|level| ListChecker::read::<I>(grid, level, self.isa, what, seen))
            .collect();
        let meets = |a: &CheckedPlace, b: &CheckedPlace| {
            let ranges = tables[a.level].of(a.place..a.place + 1).get(Scalar, 0).1;
            let places = ranges.into_iter().flatten();
            places.filter(|&place| ids[place] == ids[b.place]).count()
        };
        for_touching(&mut placed, |a, b| {
            if a.level == b.level && !self.searched {
                seen.pairs += 1;
                assert_eq!(meets(a, b) + meets(b, a), 1, "{what}: {:?}, {:?}", a.shape, b.shape);
                return;
            }
            seen.covers += 1;
            for (from, to) in [(a, b), (b, a)] {
                if let Some(candidate_lists) = &candidate_lists[to.level] {
                    candidate_lists.check(to, from.shape, seen);
                }
                for cover in self.covering(to.level, from.shape, seen) {
                    let found = contains(&cover, &levels[to.level], to.cell);
                    assert_eq!(found, 1, "{what}: {:?} covers {:?}", from.shape, to.shape);
                }
            }
        });
    }
}

/// The fast path with vectors.
struct F32Levels<'a> {
    reach: F32Cover,
    columns: RoundedColumns<'a>,
}

impl Kernel for F32Levels<'_> {
    type Output = Covers<MAX_LANES>;

    fn run<S: Simd>(self, simd: S) -> Self::Output {
        self.reach.covers(simd, self.columns, 1)
    }
}

/// The box around an item, radius included, as scans compute it.
fn bounds(shape: RoundedBox) -> ([f64; 2], [f64; 2]) {
    let radius = f64::from(shape.radius) * (1.0 + F32_SLACK);
    let min = [shape.min_x, shape.min_y].map(|side| f64::from(side) - radius);
    let max = [shape.max_x, shape.max_y].map(|side| f64::from(side) + radius);
    (min, max)
}

/// The number of rows of `cover` that contain `cell`.
fn contains(cover: &Cover, cells: &Cells, cell: usize) -> usize {
    if cover.rows == 0 {
        return 0;
    }
    // Only one of the rows can contain it; its distance from the first cell of the cover tells
    // which.
    let from_first = cell + cells.count as usize - cover.row(0)[0].start;
    let row = from_first % cells.count as usize / cells.stride();
    let rows = if cover.rows == 1 { 0..1 } else { row as u32..(row as u32 + 1).min(cover.rows) };
    rows.flat_map(|row| cover.row(row)).filter(|run| run.contains(&cell)).count()
}

/// Calls `each` for all touching pairs. Sorts items by their left ends, and tests each item against
/// the items that begin before its right end.
fn for_touching(placed: &mut [CheckedPlace], mut each: impl FnMut(&CheckedPlace, &CheckedPlace)) {
    let left = |s: &RoundedBox| f64::from(s.min_x) - f64::from(s.radius);
    let right = |s: &RoundedBox| f64::from(s.max_x) + f64::from(s.radius);
    // The decision is rounded: it may accept a gap that is slightly larger than the radii.
    let largest = placed.iter().map(|p| f64::from(p.shape.radius)).fold(0.0, f64::max);
    placed.sort_by(|a, b| left(&a.shape).total_cmp(&left(&b.shape)));
    for (at, a) in placed.iter().enumerate() {
        let end = right(&a.shape) + 1e-5 * (f64::from(a.shape.radius) + largest);
        for b in placed[at + 1..].iter().take_while(|b| left(&b.shape) <= end) {
            if overlap(a.shape, b.shape, Touching::Inclusive) {
                each(a, b);
            }
        }
    }
}

/// The candidate lists of one level, and their contents.
pub(super) struct ListChecker<'a> {
    candidate_lists: &'a CellLists,
    isa: Isa,
    what: &'a str,
    /// The places of the items in the list of each cell.
    listed: Vec<Vec<usize>>,
}

impl<'a> ListChecker<'a> {
    /// Reads the candidate lists of `level`, if it has any. Checks that all listed items are
    /// items of the level with unchanged values, each at most once per cell, in the order of their
    /// places. Checks that unused lanes touch nothing, and that the lists are not too large.
    pub(super) fn read<I: ItemLayout>(
        grid: &'a Grid,
        level: usize,
        isa: Isa,
        what: &'a str,
        seen: &mut SeenPlaces,
    ) -> Option<Self>
    where
        for<'b> I::Columns<'b>: RecordSource<I>,
    {
        let candidate_lists =
            grid.lists(level).filter(|candidate_lists| candidate_lists.allows(0.0))?;
        let (items, columns) = (grid.sorted.items(level), grid.sorted.padded::<I>());
        let ids = grid.sorted.ids();
        let places: HashMap<u32, usize> = items.clone().map(|place| (ids[place], place)).collect();
        let (blocks, block_ids) = candidate_lists.blocks::<I>();
        assert!(
            candidate_lists.lines * size_of::<CacheLine>() <= MAX_ITEM_BYTES * items.len(),
            "{what}: too large"
        );
        let mut listed = Vec::new();
        for cell in 0..candidate_lists.cells() {
            let further = if candidate_lists.is_long(cell) {
                candidate_lists.further_blocks(cell)
            } else {
                0..0
            };
            assert_eq!(
                candidate_lists.is_long(cell),
                !further.is_empty(),
                "{what}: long without more"
            );
            let starts = [cell].into_iter().chain(further);
            let lanes: Vec<usize> = starts.flat_map(|block| lanes::<I>(block)).collect();
            let is_there = |&at: &usize| blocks.values(at).as_ref()[0] != f32::INFINITY.to_bits();
            let here: Vec<usize> = lanes.iter().copied().take_while(is_there).collect();
            for &at in &lanes[here.len()..] {
                let (value, nowhere) = (blocks.values(at), I::NOWHERE.map(f32::to_bits));
                assert_eq!(value.as_ref(), &nowhere[..I::COUNT], "{what}: beyond the last item");
            }
            let of_cell: Vec<usize> = here.iter().map(|&at| places[&block_ids[at]]).collect();
            assert!(of_cell.is_sorted_by(|a, b| a < b), "{what}: {of_cell:?} in cell {cell}");
            for (&at, &place) in here.iter().zip(&of_cell) {
                let [copy, item] = [blocks.values(at), columns.values(place)];
                assert_eq!(copy.as_ref(), item.as_ref(), "{what}: an item in cell {cell}");
            }
            seen.long += usize::from(candidate_lists.is_long(cell));
            listed.push(of_cell);
        }
        seen.candidate_lists += 1;
        Some(Self { candidate_lists, isa, what, listed })
    }

    /// Checks that shapes that touch `item` and are not too large find it: `other`, and shapes of
    /// several proportions, as large as allowed, that just touch it on each side.
    pub(super) fn check(&self, item: &CheckedPlace, other: RoundedBox, seen: &mut SeenPlaces) {
        self.finds(other, item, seen);
        let most = self.candidate_lists.size;
        let RoundedBox { min_x, min_y, max_x, max_y, radius } = item.shape;
        let [left, lower] = [min_x, min_y].map(|side| side - radius);
        let [right, upper] = [max_x, max_y].map(|side| side + radius);
        for part in [1.0, 0.25, 0.0] {
            let (wide, high) = (most, most * part);
            let boxes = [
                [right, lower, right + wide, lower + high],
                [left - wide, upper - high, left, upper],
                [left, upper, left + high, upper + wide],
                [right - high, lower - wide, right, lower],
            ];
            for [min_x, min_y, max_x, max_y] in boxes {
                let core = Aabb { min_x, min_y, max_x, max_y };
                self.finds(RoundedBox::new(core, 0.0), item, seen);
            }
        }
        let radius = most / 2.0;
        for x in [left - radius, right + radius] {
            let core = Aabb { min_x: x, min_y: lower, max_x: x, max_y: lower };
            self.finds(RoundedBox::new(core, radius), item, seen);
        }
    }

    /// Checks that `shape` finds `item`, if they touch and `shape` is not too large.
    fn finds(&self, shape: RoundedBox, item: &CheckedPlace, seen: &mut SeenPlaces) {
        let sides = [shape.min_x, shape.min_y, shape.max_x, shape.max_y, shape.radius];
        let columns = sides.map(|side| [side; MAX_LANES]);
        let columns = RoundedLayout::columns(columns.each_ref().map(|column| &column[..]));
        let size = sample::size(Scalar, columns.splat(Scalar, 0));
        if !self.candidate_lists.allows(size) || !overlap(shape, item.shape, Touching::Inclusive) {
            return;
        }
        let (cells, near) =
            dispatch(self.isa, FindPartners { candidate_lists: self.candidate_lists, columns });
        let cell = cells[0];
        assert_eq!(cells, [cell; MAX_LANES], "{}: lanes differ", self.what);
        assert_eq!(near, u32::from(u16::MAX), "{}: {shape:?} is near", self.what);
        let found = self.listed[cell as usize].binary_search(&item.place);
        assert!(found.is_ok(), "{}: {shape:?} in cell {cell} for {:?}", self.what, item.shape);
        seen.visits += 1;
    }
}

/// The lanes of a block, as indices into the columns of all blocks.
fn lanes<I: ItemLayout>(block: usize) -> Range<usize> {
    let first = block * lines_of::<I>() * MAX_LANES;
    first..first + MAX_LANES
}

/// Computes the cells of sixteen items, and which of these are near items of the level.
struct FindPartners<'a> {
    candidate_lists: &'a CellLists,
    columns: RoundedColumns<'a>,
}

impl Kernel for FindPartners<'_> {
    type Output = ([u32; MAX_LANES], u32);

    fn run<S: Simd>(self, simd: S) -> Self::Output {
        let (mut cells, mut near) = ([0; MAX_LANES], 0);
        for lane in (0..MAX_LANES).step_by(S::LANES) {
            let items = self.columns.load(simd, lane);
            near |= self.candidate_lists.find(simd, items, &mut cells, lane) << lane;
        }
        (cells, near)
    }
}
