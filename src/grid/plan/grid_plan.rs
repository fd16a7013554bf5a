//! The plan: the levels of cells of a scene, and the cell of each item.

use super::{
    GridLevels, Replan, Sample,
    cells::{Cells, F32Levels, few_ghosts},
    levels::Uppers,
    sample,
};
use crate::{
    base::{F32_SLACK, MAX_LEVELS, Portion},
    error::Error,
    kernel::{ColumnSet, Items},
    shape::{MAX_COORDINATE, RoundedBox},
    simd::{Kernel, MAX_LANES, Simd, map_each},
    store::Extent,
};

/// How the size of the cells is chosen.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum CellSize {
    /// From the shapes: a cell holds about one and a half shapes where the shapes are, and is never
    /// smaller than the largest shape of its level.
    #[default]
    Auto,
    /// The width and height of a cell, in units of length: finite, above 0, at most 2^60. Cells are
    /// larger where the largest shape of a level requires it. The size changes the order of results
    /// (the grid order) and the time, nothing else.
    Fixed(f32),
}

impl CellSize {
    /// Checks the size.
    pub(crate) fn check(self) -> Result<(), Error> {
        match self {
            CellSize::Fixed(value) if !(value > 0.0 && value <= MAX_COORDINATE) => {
                Err(Error::InvalidCellSize { value })
            }
            _ => Ok(()),
        }
    }
}

/// Items per cell that automatic cells aim at. Fewer cells take less time to build and to scan;
/// more cells save tests. With 2.2 items a cell, s1 and s3 took 1.07 times as long. Equal on every
/// SIMD level, because the order of pairs follows from it.
pub(in crate::grid) const BODIES_PER_CELL: f64 = 1.6;

/// Items per cell if there is only one level and it is swept. The five cells of the half
/// neighbourhood should hold at most a vector of eight.
const BODIES_PER_SWEPT_CELL: f64 = 1.2;

/// Factors on the width and height of the cells of a grid that is searched. Its cells may be of any
/// size, because searches use covers and do not assume that touching items are in neighbouring
/// cells. Looking up a row costs more than testing a few more items in it, so rows are high.
/// Narrow cells leave out more items of a row. Together, the factors saved an eighth of a search.
const SEARCHED_CELL: [f64; 2] = [0.4, 1.5];

/// Cells per item of a helical level; the chosen helix may have up to a quarter more. Distant
/// points share cells by chance, so cells should be emptier than the cells of a dense level.
const HELICAL_CELLS_PER_ITEM: f64 = 1.3;

/// The bands: a band has this many items, or up to twice as many. The scatter of a band should stay
/// in a near cache. With many bands, a chunk has only a few items of each. With few bands, more
/// items share a band with a crowd. The write positions of all bands should stay in the L1 cache:
/// there are more bands than the most only if a band would have more cells than [`CELL_BITS`] can
/// number.
const BANDS_OF_ITEMS: Portion = Portion { one_of: 1 << 10, least: 1, most: 1 << 9 };

/// Bits for a cell within its band. (The other bits of a word are for the row within a chunk, while
/// items are sorted.)
pub(in crate::grid) const CELL_BITS: u32 = 17;

/// The levels of one scene.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Plan {
    levels: [Cells; MAX_LEVELS],
    uppers: Uppers,
    /// The planned width and height of a cell of each level, and the least that they may be if the
    /// level is swept.
    sizes: [[f64; 2]; MAX_LEVELS],
    least_sizes: [[f64; 2]; MAX_LEVELS],
    /// Cell `c` is in band `c >> band_shift`; see [`Partition`](crate::grid::Partition). No band
    /// has cells of two levels.
    pub(in crate::grid) band_shift: u32,
    /// The fast `f32` path to the cells if all items are in one dense level that is swept.
    quick: Option<F32Cells>,
    /// Otherwise, the fast `f32` path of each level that has such a path.
    shorts: [Option<F32Levels>; MAX_LEVELS],
}

/// The cells of one dense level, in `f32`: twice the lanes of cells in `f64`, which are as good
/// with a margin of the cell size ([`F32Cells::new`]).
#[derive(Debug, Clone, Copy, PartialEq)]
struct F32Cells {
    /// `min + max` of the lowest centre along x and y.
    origin: [f32; 2],
    /// Cells per unit of `min + max` along x and y.
    scale: [f32; 2],
    stride: u32,
}

/// The shapes and options that a plan is made for.
pub(crate) struct PlanInput<'a> {
    pub(crate) extent: &'a Extent,
    pub(crate) count: usize,
    pub(crate) cell_size: CellSize,
    pub(crate) levels: &'a GridLevels,
    /// Whether items of other grids search the grid by the cells that they cover, and no level is
    /// swept.
    pub(crate) searched: bool,
}

impl PlanInput<'_> {
    /// The width and height of the box around all centres, but at least the size of the largest
    /// item.
    fn across(&self) -> [f64; 2] {
        let Extent { sum_min, sum_max, largest, .. } = *self.extent;
        let span = |axis: usize| (f64::from(sum_max[axis]) - f64::from(sum_min[axis])) / 2.0;
        map_each([0, 1], |axis| span(axis).max(least(largest[axis])))
    }
}

/// The least side of cells for items of up to this size. The lower limit of 2^-60 keeps the number
/// of cells per unit of length finite.
pub(in crate::grid) fn least(size: f32) -> f64 {
    (f64::from(size) * (1.0 + F32_SLACK)).max(1.0 / MAX_COORDINATE as f64)
}

impl Plan {
    /// Plans the levels for at least one item.
    ///
    /// **Touching items of a level are at most one cell apart**, unless the plan is for a grid
    /// that is searched. Searches do not rely on this, so cells of such a grid may be smaller.
    ///
    /// A pair that the exact test accepts has a true gap of at most `r (1 + 3e)`. Here `r` is the
    /// sum of the radii and `e = 2^-24` the rounding error of one `f32` operation. (There is one
    /// rounding in the gap and one in the sum; the guard of the inclusive rule, or the squares,
    /// compare these two.) So the centres are at most `E (1 + 3e)` apart, where `E` is the largest
    /// size in the level, and the computed `E` is at least `1 - 3e` of the true size. Cells are `1
    /// +` [`F32_SLACK`] times as large as the computed `E`, which also covers the roundings of
    /// [`Cells::of`].
    pub(crate) fn new<C: ColumnSet>(input: &PlanInput<'_>, set: C, sample: &mut Sample) -> Self {
        sample.take(set, input.count, input.extent.sum_min, input.across());
        Self::again(input, sample, &Replan::default())
    }

    /// Plans the levels for items that are spread evenly, without a look at them.
    pub(in crate::grid) fn of_even(input: &PlanInput<'_>, sample: &mut Sample) -> Self {
        sample.even = true;
        Self::again(input, sample, &Replan::default())
    }

    /// Makes this a plan of one cell, for items of this extent.
    pub(in crate::grid) fn make_one_cell(&mut self, extent: &Extent) {
        let [width, height] = extent.largest;
        self.uppers = Uppers::of(width.max(height));
        self.levels[0] = Cells::one(0, map_each(extent.largest, f64::from));
        (self.quick, self.shorts[0]) = (None, None);
        self.number(1);
    }

    /// Plans the levels from a `sample` that has been taken already, and from the faults that an
    /// earlier grid of the same items has shown.
    #[inline(never)]
    pub(in crate::grid) fn again(
        input: &PlanInput<'_>,
        sample: &mut Sample,
        replan: &Replan,
    ) -> Self {
        /// The approximate limit on the cells of all levels; their numbers must fit into a `u32`.
        const MAX_CELLS: f64 = (1 << 30) as f64;
        let PlanInput { extent, count, cell_size, levels, .. } = *input;
        let Extent { sum_min, sum_max, largest, .. } = *extent;
        // The area per item.
        let across = input.across();
        let area = if sample.even() {
            across[0] * across[1] / count as f64
        } else {
            sample.area(BODIES_PER_CELL)
        };
        let widest = largest[0].max(largest[1]);
        let least_area = replan.area(-1.0, widest).unwrap_or(area).min(area);
        let side = (least_area * BODIES_PER_CELL).sqrt();
        let uppers = levels.uppers(sample, widest, side);

        let mut plan = Self { uppers, ..Self::default() };
        let mut lower = -1.0;
        for (level, &upper) in uppers.as_slice().iter().enumerate() {
            let alone = uppers.as_slice().len() == 1;
            let items = if alone {
                count as f64
            } else {
                sample.sized(lower, upper).max(replan.items(lower, upper) as f64).max(1.0)
            };
            let mut area = area * count as f64 / items;
            // The items of a level may be in a region of their own. They are then more crowded
            // than their share of all items suggests.
            if !alone
                && !sample.even()
                && let Some(own) = sample.area_of_sizes(lower, upper, BODIES_PER_CELL)
            {
                area = area.min(own);
            }
            area = replan.area(lower, upper).map_or(area, |seen| area.min(seen));
            lower = upper;
            let largest = map_each(largest, |largest| largest.min(upper));
            let smallest = map_each(largest, least);
            let size = match cell_size {
                CellSize::Auto => {
                    let swept = alone && !input.searched;
                    let per_cell = if swept { BODIES_PER_SWEPT_CELL } else { BODIES_PER_CELL };
                    sides(area * per_cell, smallest)
                }
                CellSize::Fixed(side) => {
                    map_each(smallest, |smallest| smallest.max(f64::from(side)))
                }
            };
            let [width, height] = if input.searched { SEARCHED_CELL } else { [1.0; 2] };
            let size = [size[0] * width, size[1] * height];
            (plan.sizes[level], plan.least_sizes[level]) = (size, smallest);
            let limit = MAX_CELLS * items / count as f64;
            let most = (2.0 * items).min(limit) + 64.0;
            let wanted = (HELICAL_CELLS_PER_ITEM * items).min(limit);
            let largest = map_each(largest, f64::from);
            let mut cells = Cells::new(size, largest, [sum_min, sum_max], most, wanted);
            sample.helix(&mut cells, items as usize);
            plan.levels[level] = cells;
            if alone && !input.searched && !cells.wraps {
                plan.quick = F32Cells::new(extent, size, most);
                if let Some(quick) = plan.quick {
                    plan.levels[0] = quick.cells(extent);
                }
            }
        }
        plan.number(count);
        if plan.quick.is_none() {
            let levels = plan.levels.iter().take(uppers.as_slice().len());
            for (short, level) in plan.shorts.iter_mut().zip(levels) {
                *short = level.f32_levels([sum_min, sum_max]);
            }
        }
        plan
    }

    /// Numbers the cells of all levels. Each level begins with a new band.
    fn number(&mut self, count: usize) {
        let levels = self.levels().len();
        let cells: usize = self.levels().iter().map(|level| level.numbers().len()).sum();
        let bands = BANDS_OF_ITEMS.of(count).max(levels);
        let band = cells.div_ceil(bands).next_power_of_two().min(1 << CELL_BITS);
        self.band_shift = band.trailing_zeros();
        let mut base = 0;
        for level in &mut self.levels[..levels] {
            level.base = base as u32;
            base = level.numbers().end.next_multiple_of(band);
        }
    }

    /// The largest size of an item of each level.
    pub(in crate::grid) fn uppers(&self) -> Uppers {
        self.uppers
    }

    /// The planned width and height of a cell of `level`. Actual cells may be slightly larger.
    pub(in crate::grid) fn cell(&self, level: usize) -> [f64; 2] {
        self.sizes[level]
    }

    /// The least width and height of a cell of `level` if the level is swept.
    pub(in crate::grid) fn least_cell(&self, level: usize) -> [f64; 2] {
        self.least_sizes[level]
    }

    /// The number of ghosts of each level, from the number of `items` of each cell.
    pub(in crate::grid) fn ghosts(&self, items: &[u32]) -> [usize; MAX_LEVELS] {
        let mut ghosts = [0; MAX_LEVELS];
        for (ghosts, cells) in ghosts.iter_mut().zip(self.levels()) {
            *ghosts = cells.ghosts_of(&items[cells.numbers()]);
        }
        ghosts
    }

    /// The number of ghosts of each level, and whether any cell has got a new number. If there are
    /// too many ghosts for `count` items, cells are renumbered so that there are as few as
    /// possible ([`Cells::spare_ghosts`]).
    ///
    /// A ghost takes as much memory as an item, and without renumbering, every item might have a
    /// ghost. The decision depends on all items, because a sample does not show every crowd. It
    /// depends on nothing else, because the order of pairs follows from it.
    pub(in crate::grid) fn spare_ghosts(
        &mut self,
        items: &[u32],
        count: usize,
    ) -> ([usize; MAX_LEVELS], bool) {
        let mut ghosts = self.ghosts(items);
        let mut anew = false;
        if !few_ghosts(&ghosts, count) {
            let levels = self.levels().len();
            for (ghosts, cells) in ghosts.iter_mut().zip(&mut self.levels[..levels]) {
                let fewest = cells.spare_ghosts(&items[cells.numbers()]);
                anew |= fewest < *ghosts;
                *ghosts = fewest;
            }
        }
        (ghosts, anew)
    }

    /// The largest size of an item of `level`.
    pub(crate) fn size(&self, level: usize) -> f32 {
        self.uppers.as_slice()[level]
    }

    /// The levels, finest first.
    pub(crate) fn levels(&self) -> &[Cells] {
        &self.levels[..self.uppers.as_slice().len()]
    }

    /// The number of cells of all levels, including the cells for ghosts and the gaps between
    /// levels.
    pub(crate) fn cells(&self) -> usize {
        self.levels().last().map_or(0, |level| level.numbers().end)
    }

    /// The lower left and the upper right corner of the cell of an item of `level`, in units of
    /// length. `sums` are the sums of its sides: twice its centre.
    pub(in crate::grid) fn corners(&self, level: usize, sums: [f32; 2]) -> [[f64; 2]; 2] {
        match self.quick {
            Some(quick) => quick.corners(sums),
            None => self.levels()[level].corners(sums),
        }
    }

    /// The level of an item with these sides, and its cell: see [`Cells::dense_cell`].
    pub(in crate::grid) fn cell_of(&self, sides: &RoundedBox) -> Option<(usize, u32)> {
        let RoundedBox { min_x, min_y, max_x, max_y, radius } = *sides;
        let ends = [[min_x, max_x], [min_y, max_y]];
        // The operations of the check of columns.
        let size = map_each(ends, |[min, max]| (max - min) + (radius + radius));
        let largest = size[0].max(size[1]);
        let level = self.uppers.as_slice().iter().position(|upper| largest <= *upper)?;
        let sums = map_each(ends, |[min, max]| f64::from(min) + f64::from(max));
        Some((level, self.levels[level].dense_cell(sums, size)?))
    }

    /// Writes the cells of `count` items, from row `first` on, to `cells`, which must be at least
    /// [`MAX_LANES`] longer than `count`.
    #[inline(always)]
    pub(in crate::grid) fn locate<S: Simd, C: ColumnSet>(
        &self,
        simd: S,
        set: C,
        first: usize,
        count: usize,
        cells: &mut [u32],
    ) {
        match self.quick {
            Some(quick) => quick.locate(simd, set, first, count, cells),
            None => self.locate_any(simd, set, first, count, cells),
        }
    }

    /// Does the work of [`locate`](Plan::locate) for any number and arrangement of levels.
    ///
    /// In plain words: all items are located in the finest level. Items that are too large for it
    /// are located again in the next level, and so on.
    #[inline(always)]
    fn locate_any<S: Simd, C: ColumnSet>(
        &self,
        simd: S,
        set: C,
        first: usize,
        count: usize,
        cells: &mut [u32],
    ) {
        let mut at = 0;
        while at < count {
            let items = set.load_any(simd, first + at);
            let sums =
                [simd.add(items.min_x(), items.max_x()), simd.add(items.min_y(), items.max_y())];
            let cells = &mut cells[at..at + S::LANES];
            self.find(simd, 0, items, sums, cells);
            if let [finest, coarser @ ..] = self.uppers.as_slice()
                && !coarser.is_empty()
            {
                let size = sample::size(simd, items);
                let mut above = simd.bits(simd.lt(simd.splat(*finest), size));
                let mut level = 1;
                while above != 0 {
                    let mut numbers = [0; MAX_LANES];
                    self.find(simd, level, items, sums, &mut numbers);
                    let mut lanes = above;
                    while lanes != 0 {
                        let lane = lanes.trailing_zeros() as usize;
                        cells[lane] = numbers[lane];
                        lanes &= lanes - 1;
                    }
                    let upper = simd.splat(self.uppers.as_slice()[level]);
                    above &= simd.bits(simd.lt(upper, size));
                    level += 1;
                }
            }
            at += S::LANES;
        }
    }

    /// Writes the cells of one vector of items in `level` to `numbers`.
    #[inline(always)]
    fn find<S: Simd, B: Items<S>>(
        &self,
        simd: S,
        level: usize,
        items: B,
        sums: [S::F32; 2],
        numbers: &mut [u32],
    ) {
        // Scalar code always takes the `f64` path: to try both paths costs more than one path.
        if S::LANES > 1
            && let Some(short) = &self.shorts[level]
            && short.find(simd, sums, numbers)
        {
            return;
        }
        let mut sides = LanesOfSides([[0.0; MAX_LANES]; 4]);
        let [min_x, min_y, max_x, max_y] = &mut sides.0;
        simd.store(items.min_x(), min_x, 0);
        simd.store(items.min_y(), min_y, 0);
        simd.store(items.max_x(), max_x, 0);
        simd.store(items.max_y(), max_y, 0);
        simd.call(LocateSides { cells: &self.levels[level], sides: &sides.0, numbers });
    }
}

/// Sides of bodies, stored as vectors and loaded as vectors. At an address between lines, a load
/// waits for two stores: up to 15 % of the pairs of scenes with several levels, by the address of
/// the stack.
#[repr(align(64))]
struct LanesOfSides([[f32; MAX_LANES]; 4]);

/// Locates one vector of items in a level by their sides, in `f64`. A separate function, because
/// few items need it, and every item layout would have a copy.
struct LocateSides<'a> {
    cells: &'a Cells,
    sides: &'a [[f32; MAX_LANES]; 4],
    numbers: &'a mut [u32],
}

impl Kernel for LocateSides<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, _: S) {
        let Self { cells, sides, numbers } = self;
        // The lane count is a constant here, so that the loops in `of` become vector code.
        if const { S::LANES == 1 } {
            numbers[..1].copy_from_slice(&cells.of(map_each(sides.each_ref(), lanes::<1>)));
        } else if const { S::LANES == 8 } {
            numbers[..8].copy_from_slice(&cells.of(map_each(sides.each_ref(), lanes::<8>)));
        } else {
            numbers[..MAX_LANES].copy_from_slice(&cells.of(sides.each_ref()));
        }
    }
}

/// [`Plan::locate`] as a kernel, for both kinds of sort.
pub(in crate::grid) struct Locate<'a, C> {
    pub(in crate::grid) plan: &'a Plan,
    pub(in crate::grid) set: C,
    pub(in crate::grid) first: usize,
    pub(in crate::grid) count: usize,
    pub(in crate::grid) cells: &'a mut [u32],
}

impl<C: ColumnSet> Kernel for Locate<'_, C> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let Self { plan, set, first, count, cells } = self;
        plan.locate(simd, set, first, count, cells);
    }
}

/// The first `LANES` values.
#[inline(always)]
fn lanes<const LANES: usize>(all: &[f32; MAX_LANES]) -> &[f32; LANES] {
    all.first_chunk().unwrap_or_else(|| unreachable!("no vector is longer"))
}

/// The sides of a cell of this `area`, neither shorter than in `smallest`. If one side is limited
/// by `smallest`, the other one shrinks to keep the area.
fn sides(area: f64, smallest: [f64; 2]) -> [f64; 2] {
    let across = area.sqrt().max(smallest[0]);
    let up = (area / across).max(smallest[1]);
    [(area / up).max(smallest[0]), up]
}

impl F32Cells {
    /// The cells of `size`, if there are at most `most` of them and `f32` arithmetic can tell them
    /// apart.
    ///
    /// In units of cells, along one axis: let `s` be the exact `min + max` of an item, `u` the
    /// coordinate that [`locate`](Self::locate) computes before truncation, `m` the largest
    /// magnitude of a centre and `C` the number of cells. `min + max` is rounded once, so a centre
    /// is off by at most `e m`, and the difference of two centres by twice that.
    /// `(s - origin) * scale` is rounded twice, so `u` is off by at most `2 e C` cells. With a cell
    /// of at least `(E (1 + 8e) + 4 e m) / (1 - 8 e C)`, the coordinates of a touching pair differ
    /// by at most 1, and so do their integer parts. (The difference between these numbers and the
    /// sums of the terms covers the rounding of `scale`.) Truncation equals the floor here, because
    /// coordinates are relative to the lowest centre and so never negative.
    fn new(extent: &Extent, size: [f64; 2], most: f64) -> Option<Self> {
        const E: f64 = 1.0 / (1 << 24) as f64;
        let Extent { sum_min, sum_max, .. } = *extent;
        let cell = map_each([0, 1], |axis| {
            let magnitude = f64::from(sum_max[axis].abs().max(sum_min[axis].abs())) / 2.0;
            size[axis] + 4.0 * E * magnitude
        });
        let columns_rows = map_each([0, 1], |axis| {
            (f64::from(sum_max[axis]) - f64::from(sum_min[axis])) / 2.0 / cell[axis] + 2.0
        });
        if columns_rows[0] * columns_rows[1] > most
            || columns_rows[0].max(columns_rows[1]) > (1 << 20) as f64
        {
            return None;
        }
        let scale = map_each([0, 1], |axis| {
            (0.5 * (1.0 - 8.0 * E * columns_rows[axis]) / cell[axis]) as f32
        });
        let mut quick = Self { origin: sum_min, scale, stride: 0 };
        quick.stride = quick.last(extent)[0] + 2;
        Some(quick)
    }

    /// The last column and row. They are computed as the cell of every item is, and rounding is
    /// monotonic, so no item is beyond them.
    fn last(&self, extent: &Extent) -> [u32; 2] {
        map_each([0, 1], |axis| {
            ((extent.sum_max[axis] - self.origin[axis]) * self.scale[axis]) as u32
        })
    }

    /// The lower left and the upper right corner of the cell of the point `sums`, as
    /// [`locate`](Self::locate) finds it.
    fn corners(&self, sums: [f32; 2]) -> [[f64; 2]; 2] {
        let Self { origin, scale, .. } = *self;
        let place = map_each([0, 1], |axis| ((sums[axis] - origin[axis]) * scale[axis]) as u32);
        map_each([0.0, 1.0], |end| {
            map_each([0, 1], |axis| {
                let sum = (f64::from(place[axis]) + end) / f64::from(scale[axis]);
                (f64::from(origin[axis]) + sum) * 0.5
            })
        })
    }

    /// The cells as [`Cells`], with only the counts that the sort and the sweep read.
    fn cells(&self, extent: &Extent) -> Cells {
        Cells::plain(self.stride, self.last(extent)[1] + 1)
    }

    #[inline(always)]
    fn locate<S: Simd, C: ColumnSet>(
        self,
        simd: S,
        set: C,
        first: usize,
        count: usize,
        cells: &mut [u32],
    ) {
        let ([origin_x, origin_y], [scale_x, scale_y]) = (self.origin, self.scale);
        let (origin_x, origin_y) = (simd.splat(origin_x), simd.splat(origin_y));
        let (scale_x, scale_y) = (simd.splat(scale_x), simd.splat(scale_y));
        let mut at = 0;
        while at < count {
            let items = set.load_any(simd, first + at);
            let sum_x = simd.add(items.min_x(), items.max_x());
            let sum_y = simd.add(items.min_y(), items.max_y());
            let column = simd.mul(simd.sub(sum_x, origin_x), scale_x);
            let row = simd.mul(simd.sub(sum_y, origin_y), scale_y);
            simd.store_cells(column, row, self.stride, cells, at);
            at += S::LANES;
        }
    }
}

#[cfg(test)]
mod tests {
    //! Plans made by hand.

    use super::*;

    /// Whatever the numbers of cells and items, the number of a cell within its band fits into a tag.
    #[test]
    fn bands_of_any_number_of_cells() {
        let wide = 1_u32 << 10;
        for (rows, count, shift) in [
            // A band for every 1,024 items, or 512 bands; or as many as tags require.
            (100, 1 << 11, 16),
            (100, 1 << 17, 10),
            (1 << 13, 1 << 30, 15),
            (1 << 15, 1 << 30, 17),
            (1 << 18, 1 << 30, 17),
            (1 << 18, 1 << 10, 17),
        ] {
            let uppers = GridLevels::One.uppers(&Sample::default(), 1.0, 1.0);
            let mut plan = Plan { uppers, ..Plan::default() };
            plan.levels[0] = Cells::plain(wide, rows);
            plan.number(count);
            assert_eq!(plan.band_shift, shift, "{rows} rows, {count} items");
            assert!(plan.band_shift <= CELL_BITS);
        }
    }
}
