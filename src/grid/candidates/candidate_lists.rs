//! Candidate lists: for each cell, the static items that an item in the cell may touch; made
//! when they are wanted (`LazyLists`).

use std::ops::Range;

use crate::{
    base::{FEW_ITEMS, Held, Lazy, MAX_LEVELS, buffer::grow, copied},
    grid::{
        plan::{Bounds, Cells, floor, reached, sample, whole},
        sides::sides_of,
        sort::{CacheLine, ItemLayout, MAX_COLUMNS, Sorted},
    },
    kernel::{ColumnSet, Items},
    simd::{Isa, Kernel, MAX_LANES, Scalar, Simd, dispatch_moves, map_each},
};

/// The items of a dense level in a second arrangement of cells. Each cell has a list of all items
/// that may touch a query item **whose centre is in the cell and that is at most
/// [`size`](Self::size) large**. (In stencil computations, the cells around a block that its result
/// depends on are called its halo. Here, each cell has a halo of its own.)
///
/// A query item finds its partners in one list, whose address follows from its centre by a
/// multiplication. A scan instead looks up where each of several rows of cells begins. The price is
/// memory: each item is in several lists. It pays off for static items, which are listed once and
/// searched many times.
///
/// A list is a block of [`MAX_LANES`] items, column by column, followed by their ids; it is
/// contiguous in memory. Unused lanes hold items that touch nothing. A list of more items is
/// **long**: it continues in further blocks. Items are in the order of their places, so that pairs
/// come in the order in which a [`Scan`](crate::grid::Scan) finds them.
///
/// **No item is missed.** The query items of at most `size` that touch an item of this level have
/// sums (`min + max`) within [`reached`]. The item is in the lists of all cells from the lower end
/// to the upper end, and of the cells that rounding may lead to. Along one axis, let `u` be the
/// coordinate that [`CellLists::find`] computes, in cells, `C` the number of columns or rows, `m`
/// the largest magnitude of a sum within the level, and `e = 2^-24`. The sum and the origin are
/// rounded, by `e m` each. Their difference, the scale and the product are rounded, by `e C` each.
/// All of that is less than `loss`. A query item beyond the first or the last cell is taken to be
/// in that cell. Rounding is monotonic, so the items at the edge are in the list of that cell.
#[derive(Debug, Default)]
pub(crate) struct CellLists {
    /// The size of the largest query item, along either axis; 0 if there are no lists.
    pub(in crate::grid) size: f32,
    /// The sum at the first border along x and y.
    origin: [f32; 2],
    /// Cells per unit of `min + max`.
    scale: f32,
    /// The last column and the last row.
    last: [f32; 2],
    stride: u32,
    /// Bytes of a block.
    block_bytes: usize,
    /// The first block of each cell, then the further blocks of the long lists.
    blocks: Vec<CacheLine>,
    /// Lines in use.
    pub(in crate::grid) lines: usize,
    /// A bit for each cell: whether its list is long.
    long: Vec<u64>,
    /// The number of long lists before each word of `long`.
    before: Vec<u32>,
    /// The first further block of each long list, and at the end where the blocks of the last one
    /// end.
    further: Vec<u32>,
    /// Workspace while items are listed: the number of items of each list, and the cells of each
    /// item.
    counts: Vec<u32>,
    patches: Vec<Patch>,
}

copied!(CellLists {
    size, origin, scale, last, stride, block_bytes, blocks, lines, long, before, further
} but { counts, patches });

/// The intended number of items in a list, so that hardly any list is [long](CellLists).
const ITEMS_PER_LIST: f64 = 12.0;

/// The size of the largest query item, as a multiple of the largest item of the level. This
/// covers random differences in size, and the enlargement by most margins.
const LARGEST_QUERY: f64 = 1.125;

/// The most bytes of candidate lists per item.
pub(in crate::grid) const MAX_ITEM_BYTES: usize = 256;

/// The share of [`MAX_ITEM_BYTES`] that first blocks may take.
const FIRST_BLOCKS_SHARE: f64 = 0.85;

/// The most bytes of candidate lists that are visited in a row: what stays in a cache. Beyond that,
/// a lookup may take twice as long as a scan.
const MAX_VISITED_BYTES: usize = 6 << 20;

/// The most blocks of a list.
pub(in crate::grid) const MAX_BLOCKS_PER_LIST: usize = 32;

/// The most that rounding may move a point, as a share of a cell.
const MAX_LOSS: f64 = 1.0 / 16.0;

/// Computes the largest size of the items at some places, and the approximate sum of their sizes.
struct Sizes<'a, I: ItemLayout> {
    columns: I::Columns<'a>,
    places: Range<usize>,
}

impl<I: ItemLayout> Kernel for Sizes<'_, I> {
    type Output = [f32; 2];

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> [f32; 2] {
        let Self { columns, places } = self;
        let whole = places.end - places.len() % S::LANES;
        let [mut largest, mut sum] = [simd.splat(0.0); 2];
        for at in (places.start..whole).step_by(S::LANES) {
            let size = sample::size(simd, columns.load(simd, at));
            (largest, sum) = (simd.max(largest, size), simd.add(sum, size));
        }
        let [mut all_largest, mut all_sums] = [[0.0; MAX_LANES]; 2];
        simd.store(largest, &mut all_largest, 0);
        simd.store(sum, &mut all_sums, 0);
        let mut sizes = [all_largest.into_iter().fold(0.0, f32::max), all_sums.into_iter().sum()];
        for at in whole..places.end {
            let size = sample::size(Scalar, columns.splat(Scalar, at));
            sizes = [sizes[0].max(size), sizes[1] + size];
        }
        sizes
    }
}

/// The arrangement of the cells that have candidate lists.
#[derive(Clone, Copy)]
struct ListsInput {
    /// The size of the largest query item.
    size: f64,
    /// The sum at the first border.
    origin: [f64; 2],
    /// Cells per unit of `min + max`.
    scale: f64,
    /// The last column and the last row.
    last: [f64; 2],
    /// The most that rounding moves a point, as a share of a cell.
    loss: f64,
}

/// A rectangle of cells: the first cell, and the number of columns and, from bit 16 on, of rows.
#[derive(Debug, Clone, Copy, Default)]
struct Patch {
    first: u32,
    sides: u32,
}

impl Patch {
    fn columns(self) -> usize {
        (self.sides & 0xffff) as usize
    }

    fn rows(self) -> usize {
        (self.sides >> 16) as usize
    }

    /// The cells of each row, if rows are `stride` cells apart.
    fn each_row(self, stride: usize) -> impl Iterator<Item = Range<usize>> {
        let first = (0..self.rows()).map(move |row| self.first as usize + row * stride);
        first.map(move |first| first..first + self.columns())
    }
}

impl ListsInput {
    /// The cells for `count` items within `bounds`. `sizes` are the largest size and the sum of
    /// all sizes, and a block takes `lines` lines. Returns `None` if there would be too many cells,
    /// or too many for sums in `f32` to tell them apart; or if no item has a size, so that only
    /// points could query.
    fn new(bounds: &Bounds, sizes: [f32; 2], count: usize, lines: usize) -> Option<Self> {
        const E: f64 = 1.0 / (1 << 24) as f64;
        let ([min, max], [largest, sum]) = (bounds.corners(), map_each(sizes, f64::from));
        let count = count as f64;
        let size = largest * LARGEST_QUERY;
        // The range of sums from which items at the edge can be reached.
        let ends = map_each([0, 1], |axis| {
            let [low, _] = reached(size, min[axis], min[axis] + largest);
            let [_, high] = reached(size, max[axis] - largest, max[axis]);
            [low, high]
        });
        let [width, height] = map_each(ends, |[low, high]| (high - low) / 2.0);
        let room = (max[0] - min[0]) * (max[1] - min[1]) / count;
        let most = FIRST_BLOCKS_SHARE * count * MAX_ITEM_BYTES as f64
            / (lines * size_of::<CacheLine>()) as f64;
        let side = ((ITEMS_PER_LIST * room).sqrt() - size - sum / count)
            .max((width * height / most).sqrt())
            .max(size / 4.0);
        let scale = 0.5 / side;
        let last = map_each([width, height], |length| (length / side).floor());
        let magnitude = ends.as_flattened().iter().fold(0.0_f64, |most, sum| most.max(sum.abs()));
        let loss = 4.0 * E * (2.0 * magnitude * scale + last[0].max(last[1]));
        let cells = (last[0] + 1.0) * (last[1] + 1.0);
        // Also false if all items are points at one place, because values are NaN then.
        let few = cells <= 2.0 * most + 64.0 && last[0].max(last[1]) < f64::from(1 << 16) - 1.0;
        let origin = map_each(ends, |[low, _]| low);
        let some = size as f32 > 0.0;
        (some && few && loss <= MAX_LOSS).then_some(Self { size, origin, scale, last, loss })
    }

    fn stride(&self) -> usize {
        self.last[0] as usize + 1
    }

    fn cells(&self) -> usize {
        self.stride() * (self.last[1] as usize + 1)
    }

    /// The cells in whose lists the items with these sides are.
    #[inline(always)]
    fn patches<const LANES: usize>(
        &self,
        [min_x, min_y, max_x, max_y]: [[f64; LANES]; 4],
    ) -> [Patch; LANES] {
        let mut patches = [Patch::default(); LANES];
        let stride = self.last[0] + 1.0;
        for lane in 0..LANES {
            let [left, right] = self.along(0, reached(self.size, min_x[lane], max_x[lane]));
            let [lower, upper] = self.along(1, reached(self.size, min_y[lane], max_y[lane]));
            let (columns, rows) = (right - left + 1.0, upper - lower + 1.0);
            patches[lane] = Patch {
                first: whole(lower * stride + left),
                sides: whole(rows * f64::from(1 << 16) + columns),
            };
        }
        patches
    }

    /// The first and the last column or row of the sums from `low` to `high`.
    #[inline(always)]
    fn along(&self, axis: usize, [low, high]: [f64; 2]) -> [f64; 2] {
        let first = (low - self.origin[axis]) * self.scale - self.loss;
        let last = (high - self.origin[axis]) * self.scale + self.loss;
        let end = self.last[axis];
        // Each bound is a comparison and a selection; `max` and `min` would also handle NaN.
        map_each([first, last], |place| {
            let place = if place > 0.0 { place } else { 0.0 };
            floor(if place < end { place } else { end })
        })
    }
}

/// Computes the patch of each of the items at some places.
struct Patching<'a, I: ItemLayout> {
    columns: I::Columns<'a>,
    places: Range<usize>,
    ground: ListsInput,
    patches: &'a mut [Patch],
}

impl<I: ItemLayout> Kernel for Patching<'_, I> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let Self { columns, places, ground, patches } = self;
        let mut groups = patches.chunks_exact_mut(MAX_LANES);
        let mut at = places.start;
        for group in &mut groups {
            let sides = sides_of::<S, _, MAX_LANES>(simd, columns, at);
            group.copy_from_slice(&ground.patches(sides));
            at += MAX_LANES;
        }
        for patch in groups.into_remainder() {
            [*patch] = ground.patches(sides_of::<Scalar, _, 1>(Scalar, columns, at));
            at += 1;
        }
    }
}

impl CellLists {
    /// Removes all lists.
    pub(in crate::grid) fn clear(&mut self) {
        self.size = 0.0;
    }

    /// Whether a level of these cells and this many items may have lists.
    pub(in crate::grid) fn may_list(cells: &Cells, items: usize) -> bool {
        !cells.wraps && items >= FEW_ITEMS
    }

    /// The size of the largest query item that lists of a level can serve whose largest item is of
    /// `size`.
    pub(in crate::grid) fn largest_served(size: f32) -> f32 {
        size * LARGEST_QUERY as f32
    }

    /// Lists the items of `level`, whose cells are `cells`, if lists pay off for it. Must be
    /// called after [`clear`](CellLists::clear).
    pub(in crate::grid) fn list<I: ItemLayout>(
        &mut self,
        isa: Isa,
        sorted: &Sorted,
        level: usize,
        cells: &Cells,
    ) {
        let places = sorted.items(level);
        let count = places.len();
        if !Self::may_list(cells, count) {
            return;
        }
        let columns = sorted.padded::<I>();
        let sizes = dispatch_moves(isa, Sizes::<I> { columns, places: places.clone() });
        let bounds = sorted.bounds(level);
        let Some(ground) = ListsInput::new(&bounds, sizes, count, lines_of::<I>()) else { return };
        grow(&mut self.patches, count);
        let patches = &mut self.patches[..count];
        dispatch_moves(isa, Patching::<I> { columns, places: places.clone(), ground, patches });
        let Some(blocks) = self.count(&ground, count) else { return };
        if !self.make_blocks::<I>(blocks, count) {
            return;
        }
        self.fill::<I>(sorted, places, &ground);
        self.stand_on(&ground);
    }

    /// Makes lookups use the cells of `ground`.
    fn stand_on(&mut self, ground: &ListsInput) {
        self.origin = map_each(ground.origin, |origin| origin as f32);
        self.scale = ground.scale as f32;
        self.last = map_each(ground.last, |last| last as f32);
        self.stride = ground.stride() as u32;
        self.size = ground.size as f32;
    }

    /// The number of blocks for the lists of this many `items`, whose patches are known. Also
    /// determines which lists are long. Returns `None` if lists do not pay off.
    fn count(&mut self, ground: &ListsInput, items: usize) -> Option<usize> {
        let (cells, stride) = (ground.cells(), ground.stride());
        let patches = &self.patches[..items];
        let area = |patch: &Patch| patch.columns() * patch.rows();
        let copies: usize = patches.iter().map(area).sum();
        // More copies would exceed `MAX_ITEM_BYTES`.
        if copies > (MAX_ITEM_BYTES / (4 * size_of::<f32>())).saturating_mul(items) {
            return None;
        }
        grow(&mut self.counts, cells);
        let counts = &mut self.counts[..cells];
        counts.fill(0);
        for patch in patches {
            for row in patch.each_row(stride) {
                for count in &mut counts[row] {
                    *count += 1;
                }
            }
        }
        let squares: u64 = counts.iter().map(|&count| u64::from(count).pow(2)).sum();
        // If the lists that an item is in have more than twice the intended items on average, rows
        // of cells hold fewer items.
        if squares as f64 > 2.0 * ITEMS_PER_LIST * copies as f64 {
            return None;
        }

        self.long.clear();
        self.before.clear();
        self.further.clear();
        let mut blocks = cells;
        for word in counts.chunks(64) {
            self.before.push(self.further.len() as u32);
            let mut bits = 0;
            for (bit, &count) in word.iter().enumerate() {
                let needed = (count as usize).div_ceil(MAX_LANES);
                if needed > MAX_BLOCKS_PER_LIST {
                    return None;
                }
                if needed > 1 {
                    bits |= 1 << bit;
                    self.further.push(blocks as u32);
                    blocks += needed - 1;
                }
            }
            self.long.push(bits);
        }
        self.further.push(blocks as u32);
        Some(blocks)
    }

    /// Writes every item to its blocks.
    fn fill<I: ItemLayout>(&mut self, sorted: &Sorted, places: Range<usize>, ground: &ListsInput) {
        let (lines, stride) = (lines_of::<I>(), ground.stride());
        let mut counts = std::mem::take(&mut self.counts);
        counts[..ground.cells()].fill(0);
        let mut blocks = std::mem::take(&mut self.blocks);
        let words: &mut [u32] = bytemuck::cast_slice_mut(&mut blocks);
        for (patch, place) in self.patches.iter().zip(places) {
            let values = sorted.words_at::<I>(place);
            for row in patch.each_row(stride) {
                for (cell, count) in row.clone().zip(&mut counts[row]) {
                    let index = *count as usize;
                    *count += 1;
                    let block = match index / MAX_LANES {
                        0 => cell,
                        further => self.further_blocks(cell).start + further - 1,
                    };
                    let at = block * lines * MAX_LANES + index % MAX_LANES;
                    let item = &mut words[at..][..(lines - 1) * MAX_LANES + 1];
                    for (line, &value) in values[..lines].iter().enumerate() {
                        item[line * MAX_LANES] = value;
                    }
                }
            }
        }
        (self.counts, self.blocks) = (counts, blocks);
    }

    /// Makes this many blocks of items that touch nothing. Returns `false` if they exceed
    /// [`MAX_ITEM_BYTES`] per item, the range of `u32`, or the available memory.
    fn make_blocks<I: ItemLayout>(&mut self, blocks: usize, items: usize) -> bool {
        let lines = lines_of::<I>();
        self.lines = blocks * lines;
        self.block_bytes = lines * size_of::<CacheLine>();
        let more = self.lines.saturating_sub(self.blocks.len());
        if blocks * self.block_bytes > MAX_ITEM_BYTES.saturating_mul(items)
            || u32::try_from(self.lines * MAX_LANES).is_err()
            || self.blocks.try_reserve_exact(more).is_err()
        {
            return false;
        }
        grow(&mut self.blocks, self.lines);
        let nowhere = map_each(I::NOWHERE, |value| CacheLine([value.to_bits(); MAX_LANES]));
        for block in self.blocks[..self.lines].chunks_exact_mut(lines) {
            block[..I::COUNT].copy_from_slice(&nowhere[..I::COUNT]);
        }
        true
    }

    /// Whether this many query `items`, at most `size`, should use the lists. They must not be too
    /// large. If the lists that they visit do not fit into a cache, rows of cells are faster,
    /// because they are read sequentially.
    pub(crate) fn serves(&self, size: f32, items: usize) -> bool {
        let visited = items.min(self.cells()).saturating_mul(self.block_bytes);
        self.allows(size) && visited <= MAX_VISITED_BYTES
    }

    /// Whether a query item of this size may use the lists.
    pub(in crate::grid) fn allows(&self, size: f32) -> bool {
        self.size > 0.0 && size <= self.size
    }

    /// The number of cells.
    pub(in crate::grid) fn cells(&self) -> usize {
        self.stride as usize * (self.last[1] as usize + 1)
    }

    /// The columns of all blocks and their ids. Lane `i` of block `b` is at
    /// `b * lines_of::<I>() * MAX_LANES + i`.
    #[inline(always)]
    pub(in crate::grid) fn blocks<I: ItemLayout>(&self) -> (I::Columns<'_>, &[u32]) {
        let words: &[f32] = bytemuck::cast_slice(&self.blocks[..self.lines]);
        // The ids begin last, so they limit the length of all columns.
        let len = words.len() - I::COUNT * MAX_LANES;
        let mut columns: [&[f32]; MAX_COLUMNS] = [&[]; MAX_COLUMNS];
        for (column, slice) in columns[..I::COUNT].iter_mut().enumerate() {
            *slice = &words[column * MAX_LANES..][..len];
        }
        let ids = &bytemuck::cast_slice(words)[I::COUNT * MAX_LANES..];
        (I::columns(columns), ids)
    }

    /// Writes the cells of a vector of query items, which must not be too large, to `cells[at..]`.
    /// Returns a bit for each item: 0 if it is so far beyond the edge that it touches no item of
    /// the level.
    #[inline(always)]
    pub(in crate::grid) fn find<S: Simd, B: Items<S>>(
        &self,
        simd: S,
        items: B,
        cells: &mut [u32],
        at: usize,
    ) -> u32 {
        let sum_x = simd.add(items.min_x(), items.max_x());
        let sum_y = simd.add(items.min_y(), items.max_y());
        let (column, near_x) = self.along(simd, 0, sum_x);
        let (row, near_y) = self.along(simd, 1, sum_y);
        simd.store_cells(column, row, self.stride, cells, at);
        simd.bits(simd.and(near_x, near_y))
    }

    /// The column (`axis` 0) or row (1) of points, not yet truncated, and which points are not
    /// beyond the edge.
    #[inline(always)]
    fn along<S: Simd>(&self, simd: S, axis: usize, sum: S::F32) -> (S::F32, S::Mask) {
        let from_first = simd.sub(sum, simd.splat(self.origin[axis]));
        let place = simd.mul(from_first, simd.splat(self.scale));
        let inside = simd.min(simd.max(place, simd.splat(0.0)), simd.splat(self.last[axis]));
        // The last cell reaches from `last` to `last + 1`.
        let off = simd.abs(simd.sub(place, inside));
        (inside, simd.le(off, simd.splat(1.0 + MAX_LOSS as f32)))
    }

    /// Whether the list of `cell` is long.
    #[inline(always)]
    pub(in crate::grid) fn is_long(&self, cell: usize) -> bool {
        self.long[cell / 64] >> (cell % 64) & 1 != 0
    }

    /// The further blocks of the list of `cell`, which must be long.
    #[inline(always)]
    pub(in crate::grid) fn further_blocks(&self, cell: usize) -> Range<usize> {
        let before_it = self.long[cell / 64] & ((1 << (cell % 64)) - 1);
        let index = self.before[cell / 64] as usize + before_it.count_ones() as usize;
        self.further[index] as usize..self.further[index + 1] as usize
    }
}

/// The lines of a block.
pub(in crate::grid) const fn lines_of<I: ItemLayout>() -> usize {
    I::COUNT + 1
}

/// The candidate lists of each level of a grid. Empty for levels where lists do not pay off.
#[derive(Debug, Default)]
pub(in crate::grid) struct LazyLists(Lazy<[CellLists; MAX_LEVELS]>);

impl Clone for LazyLists {
    fn clone(&self) -> Self {
        let mut copy = Self::default();
        copy.clone_from(self);
        copy
    }

    fn clone_from(&mut self, source: &Self) {
        self.clear();
        if let Some(lists) = source.0.made() {
            self.make(|copy| copy.clone_from(lists));
        }
    }
}

impl LazyLists {
    /// Removes all lists and keeps their memory.
    pub(in crate::grid) fn clear(&mut self) {
        self.0.clear();
    }

    /// Whether lists have been made, also where they turned out not to pay off.
    pub(in crate::grid) fn are_made(&self) -> bool {
        self.0.made().is_some()
    }

    /// The lists of `level`, if lists have been made.
    pub(in crate::grid) fn get(&self, level: usize) -> Option<&CellLists> {
        self.0.made().map(|lists| &lists[level])
    }

    /// Makes the lists by `list`, which takes the empty lists of all levels, unless they are made.
    pub(in crate::grid) fn make(&self, list: impl FnOnce(&mut [CellLists; MAX_LEVELS])) {
        self.0.get(|lists| {
            for level in lists.iter_mut() {
                level.clear();
            }
            list(lists);
        });
    }
}

impl Held for LazyLists {
    fn bytes(&self) -> usize {
        self.0.bytes()
    }
}

#[cfg(test)]
mod tests {
    //! The cells that query items look up and the cells that items are listed in, at the borders of
    //! cells.

    use super::*;
    use crate::product::product;
    use crate::{
        SimdLevel,
        grid::sort::{BoxLayout, CircleLayout, RoundedLayout, measure},
        kernel::{BoxColumns, CircleColumns},
        shape::{Aabb, MAX_COORDINATE, RoundedBox},
        simd::Isa,
    };

    /// The arrangement for a thousand boxes of up to `size` in a square of side 60 from `corner` on.
    fn ground(corner: f32, size: f32) -> Option<ListsInput> {
        let sides = [[corner, corner], [corner + 60.0, corner + 60.0]];
        let columns = [0, 1].map(|at| sides.map(|corner| corner[at]));
        let columns = BoxColumns {
            min_x: &columns[0],
            min_y: &columns[1],
            max_x: &columns[0],
            max_y: &columns[1],
        };
        let isa = Isa::new(SimdLevel::Scalar).unwrap();
        let bounds = measure::<BoxLayout>(isa, columns, 0..2, false);
        ListsInput::new(&bounds, [size, 700.0 * size], 1000, 5)
    }

    /// Columns that repeat one shape.
    fn repeated(shape: RoundedBox) -> [[f32; MAX_LANES]; 5] {
        [shape.min_x, shape.min_y, shape.max_x, shape.max_y, shape.radius]
            .map(|side| [side; MAX_LANES])
    }

    /// Whether the list that `asking` looks up contains `listed`.
    fn finds(
        candidate_lists: &CellLists,
        ground: &ListsInput,
        asking: RoundedBox,
        listed: RoundedBox,
    ) -> bool {
        let [asking, listed] = [repeated(asking), repeated(listed)];
        let [asking, listed] = [&asking, &listed]
            .map(|columns| RoundedLayout::columns(columns.each_ref().map(|column| &column[..])));
        assert!(candidate_lists.allows(sample::size(Scalar, asking.splat(Scalar, 0))));
        let mut cell = [0];
        let near = candidate_lists.find(Scalar, asking.splat(Scalar, 0), &mut cell, 0);
        let [patch] = ground.patches(sides_of::<Scalar, _, 1>(Scalar, listed, 0));
        near == 1 && patch.each_row(ground.stride()).any(|row| row.contains(&(cell[0] as usize)))
    }

    /// Query boxes of the largest size, with centres as near to the borders of cells as possible, on
    /// either side of them. Listed boxes just touch them, before or behind, along x or y.
    #[test]
    fn centres_next_to_borders() {
        for (corner, size) in
            [(0.0, 1.0), (-30.0, 1.0), (1000.0, 0.3), (-1e5, 1.0), (123_456.7, 2.9)]
        {
            let ground = ground(corner, size).unwrap();
            let mut candidate_lists = CellLists::default();
            candidate_lists.stand_on(&ground);
            let columns =
                |axis: usize| (0..=candidate_lists.last[axis] as u32 + 1).map(move |at| (axis, at));
            let borders: Vec<_> = [0, 1].into_iter().flat_map(columns).collect();
            for ((axis, column), steps) in product((borders, -4..=4_i32)) {
                // Up and down, somewhat smaller query boxes.
                let most = candidate_lists.size * [1.0, 0.9][axis];
                let border = ground.origin[axis] + f64::from(column) / ground.scale;
                let mut low = ((border - f64::from(most)) / 2.0) as f32;
                for _ in 0..steps.abs() {
                    low = if steps < 0 { low.next_down() } else { low.next_up() };
                }
                let mut high = low + most;
                while high - low > candidate_lists.size {
                    high = high.next_down();
                }
                let across = corner + 20.0;
                let bar = |low: f32, high: f32| {
                    let [x, y] = if axis == 0 {
                        [[low, high], [across, across + size]]
                    } else {
                        [[across, across + size], [low, high]]
                    };
                    let [[min_x, max_x], [min_y, max_y]] = [x, y];
                    RoundedBox::new(Aabb { min_x, min_y, max_x, max_y }, 0.0)
                };
                let asking = bar(low, high);
                for listed in [bar(high, high + size), bar(low - size, low)] {
                    let what = format!("{asking:?} at border {column} for {listed:?}");
                    assert!(finds(&candidate_lists, &ground, asking, listed), "{what}");
                }
            }
        }
    }

    /// A query item beyond the last cell looks up the list of the edge.
    #[test]
    fn beyond_the_edge() {
        let ground = ground(0.0, 1.0).unwrap();
        let mut candidate_lists = CellLists::default();
        candidate_lists.stand_on(&ground);
        let most = candidate_lists.size;
        for [x, y] in [[60.0, 60.0], [-most, -most], [60.0, -most], [-most, 30.0], [30.0, 60.0]] {
            let core = Aabb { min_x: x, min_y: y, max_x: x + most, max_y: y + most };
            let at = [x, y].map(|side| side.clamp(0.0, 59.0));
            let listed =
                Aabb { min_x: at[0], min_y: at[1], max_x: at[0] + 1.0, max_y: at[1] + 1.0 };
            let [asking, listed] = [core, listed].map(|core| RoundedBox::new(core, 0.0));
            assert!(finds(&candidate_lists, &ground, asking, listed), "{asking:?} for {listed:?}");
        }
        // As far away as possible: in the first or the last cell, and near no item.
        for (place, cell) in [(-MAX_COORDINATE, 0), (MAX_COORDINATE, ground.cells() as u32 - 1)] {
            let core = Aabb { min_x: place, min_y: place, max_x: place, max_y: place };
            let columns = repeated(RoundedBox::new(core, 0.0));
            let columns = RoundedLayout::columns(columns.each_ref().map(|column| &column[..]));
            let mut found = [0];
            let near = candidate_lists.find(Scalar, columns.splat(Scalar, 0), &mut found, 0);
            assert_eq!((found, near), ([cell], 0), "{place}");
        }
    }

    /// There are no lists where sums in `f32` are a sixteenth of a cell apart, and where no item has a
    /// size.
    #[test]
    fn grounds_that_cannot_be() {
        assert!(ground(1e5, 1.0).is_some());
        assert!(ground(1e6, 1.0).is_none());
        assert!(ground(MAX_COORDINATE / 2.0, 1.0).is_none());
        let columns = CircleColumns { x: &[3.0], y: &[4.0], radius: &[0.0] };
        let isa = Isa::new(SimdLevel::Scalar).unwrap();
        let bounds = measure::<CircleLayout>(isa, columns, 0..1, false);
        assert!(ListsInput::new(&bounds, [0.0, 0.0], 1000, 5).is_none());
        assert!(ground(0.0, 0.0).is_none());
    }

    /// Lists serve items up to a size, and as many as visit lists that fit into a cache: any number if
    /// there are a thousand lists of a kilobyte, 6,144 items if there are ten thousand.
    #[test]
    fn whom_halos_serve() {
        let mut candidate_lists =
            CellLists { size: 2.0, stride: 100, last: [99.0, 9.0], ..CellLists::default() };
        candidate_lists.block_bytes = 1024;
        assert!(candidate_lists.serves(2.0, 1_000_000) && candidate_lists.serves(0.0, 1));
        assert!(!candidate_lists.serves(2.0_f32.next_up(), 1));
        candidate_lists.last[1] = 99.0;
        assert!(
            candidate_lists.serves(2.0, 6 * 1024) && !candidate_lists.serves(2.0, 6 * 1024 + 1)
        );
        candidate_lists.clear();
        assert!(!candidate_lists.serves(0.0, 1));
    }

    /// The number of items of each list determines which lists are long, and where they continue.
    #[test]
    fn blocks_of_crowded_cells() {
        // Four cells in a row, of 16, 17, 33 and 8 items.
        let ground =
            ListsInput { size: 1.0, origin: [0.0; 2], scale: 0.5, last: [3.0, 0.0], loss: 0.0 };
        let mut candidate_lists = CellLists::default();
        let one = |cell: u32| Patch { first: cell, sides: 1 << 16 | 1 };
        candidate_lists.patches = vec![Patch { first: 0, sides: 1 << 16 | 2 }];
        candidate_lists.patches.extend([one(0); 15]);
        candidate_lists.patches.extend([one(1); 16]);
        candidate_lists.patches.extend([one(2); 33]);
        candidate_lists.patches.extend([one(3); 8]);
        let items = candidate_lists.patches.len();
        // Besides the first blocks, one block for cell 1 and two blocks for cell 2.
        assert_eq!(candidate_lists.count(&ground, items), Some(4 + 1 + 2));
        assert_eq!(
            [0, 1, 2, 3].map(|cell| candidate_lists.is_long(cell)),
            [false, true, true, false]
        );
        assert_eq!(candidate_lists.further_blocks(1), 4..5);
        assert_eq!(candidate_lists.further_blocks(2), 5..7);
        // 32 blocks, the most that are allowed; but lists do not pay off where items are this crowded.
        candidate_lists.patches = vec![one(3); 500];
        assert_eq!(candidate_lists.count(&ground, 500), None);
    }
}
