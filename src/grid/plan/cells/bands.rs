//! Bands: the cells that a ray passes, in the order in which it passes them.

use std::ops::Range;

use super::{Cells, FAR_CELLS, floor, whole};
use crate::{
    base::{F32_SLACK, higher, lower},
    geometry::{Path, Vector},
    grid::plan::{Bounds, cells::cover::ITEMS_PER_LOOKUP},
    simd::map_each,
};

/// The most rays that are walked together, and the bands whose cells are computed at once.
pub(crate) use crate::simd::{HALF_LANES as RAYS, HALF_LANES as BANDS};

/// Rays that are walked together, in columns.
#[derive(Debug, Clone, Copy)]
#[repr(align(64))]
pub(in crate::grid) struct Lines<const N: usize> {
    /// By axis, and by ray: the points `origin + t * direction`.
    pub(in crate::grid) origin: [[f64; N]; 2],
    /// Not zero along both axes.
    pub(in crate::grid) direction: [[f64; N]; 2],
    /// The largest fraction of the direction that is of interest. Finite; below 0 if no fraction
    /// is.
    pub(in crate::grid) limit: [f64; N],
}

impl<const N: usize> Lines<N> {
    /// The rays of up to `N` paths. The other rays have no length.
    #[inline(always)]
    pub(in crate::grid) fn of(paths: &[Path]) -> Self {
        let mut lines = Self { origin: [[0.0; N]; 2], direction: [[0.0; N]; 2], limit: [0.0; N] };
        for (number, path) in paths.iter().take(N).enumerate() {
            let Path { origin, direction, limit, length2, .. } = *path;
            // A point is the beginning of a ray in any direction.
            let point = length2 == 0.0;
            let (direction, limit) = if point { (Vector::X, 0.0) } else { (direction, limit) };
            (lines.origin[0][number], lines.origin[1][number]) = (origin.x, origin.y);
            (lines.direction[0][number], lines.direction[1][number]) = (direction.x, direction.y);
            lines.limit[number] = limit;
        }
        lines
    }

    /// The first ray.
    #[inline(always)]
    pub(in crate::grid) fn first(&self) -> Lines<1> {
        let [origin, direction] =
            map_each([self.origin, self.direction], |parts| map_each(parts, |part| [part[0]]));
        Lines { origin, direction, limit: [self.limit[0]] }
    }
}

/// For each of some rays, the bands of cells of a level that may hold an item that it touches.
///
/// A band is a row of cells, or for flat rays a block of a few columns. An item is in one cell, and
/// reaches at most half of the largest size beyond it. So of each band, the ray can touch items
/// only while it is within that distance of the band, and among these only items in the cells that
/// it passes meanwhile. Each cell is in one band, so no item is found twice, unless a helical level
/// maps two of the cells to one cell.
#[derive(Debug, Clone, Copy)]
#[repr(align(64))]
pub(in crate::grid) struct Bands<const N: usize> {
    start: [[f64; N]; 2],
    step: [[f64; N]; 2],
    inverse: [f64; N],
    reach: [[f64; N]; 2],
    within: [[f64; N]; 2],
    rows: [u32; N],
    band: [f64; N],
    count: [u32; N],
    all: [u32; N],
}

/// The bands of a ray.
#[derive(Debug, Clone, Copy, Default)]
pub(in crate::grid) struct BandsOfRay {
    /// The ray in units of cells, from the first cell on: at `t`, it is at `start + t * step` along
    /// each axis.
    start: [f64; 2],
    step: [f64; 2],
    /// The inverse of the step across the bands.
    inverse: f64,
    /// How far items reach beyond their cells, in units of cells.
    reach: [f64; 2],
    /// The part of the ray within the bounds of the level.
    within: [f64; 2],
    /// Whether bands are rows. Else they are blocks of columns.
    rows: bool,
    /// The number of the first band that the ray passes. The next bands have the next numbers, or
    /// the numbers before if the ray leads to lower numbers.
    band: f64,
    /// The number of bands; 0 if the ray misses the level.
    pub(in crate::grid) count: usize,
    /// Whether it takes less time to test all items than to look up all bands. They are then one
    /// band.
    all: bool,
}

/// Rays that pass more columns than this from one row to the next are flat, and a band of them is
/// as many columns.
const FLAT_COLUMNS: f64 = 16.0;

impl Cells {
    /// How far the centre of an item may be from a point where it touches a box that reaches `size`
    /// around the ray.
    #[inline(always)]
    pub(in crate::grid) fn around(&self, size: [f64; 2]) -> f64 {
        size[0] + size[1] + self.largest[0] + self.largest[1]
    }

    /// The bands that each ray passes until its limit, in a level of this many items, at least 1,
    /// with these bounds. A ray stands for a box that reaches `size` around it.
    ///
    /// Plain loops over arrays, with no branches: compiled for a SIMD level, they become vector
    /// code.
    #[inline(always)]
    pub(in crate::grid) fn passages<const N: usize>(
        &self,
        lines: &Lines<N>,
        size: [f64; 2],
        items: usize,
        bounds: &Bounds,
    ) -> Bands<N> {
        let [mut enter, mut leave] = [[0.0; N], lines.limit];
        let ([mut start, mut step], mut reach) = ([[[0.0; N]; 2]; 2], [[0.0; N]; 2]);
        for axis in [0, 1] {
            let [min, max] = map_each(bounds.corners(), |corner| corner[axis]);
            let (around, furthest) = (size[axis] * (1.0 + F32_SLACK), higher(min.abs(), max.abs()));
            let (scale, largest) = (self.scale[axis], self.largest[axis] * (1.0 + F32_SLACK));
            let (origin, direction) = (lines.origin[axis], lines.direction[axis]);
            for ray in 0..N {
                let (at, along) = (origin[ray], direction[ray]);
                let slack = (at.abs() + furthest) * (64.0 * f64::EPSILON) + around;
                let [to_min, to_max] = [min - slack - at, max + slack - at];
                let inverse = 1.0 / along;
                let [one, other] = [to_min * inverse, to_max * inverse];
                // A ray that stands still along the axis is within the bounds always or never.
                let beside = if to_min <= 0.0 { 0.0 } else { f64::INFINITY };
                let beside = if to_max >= 0.0 { beside } else { f64::INFINITY };
                let enters = if along == 0.0 { beside } else { lower(one, other) };
                let leaves = if along == 0.0 { f64::INFINITY } else { higher(one, other) };
                enter[ray] = higher(enters, enter[ray]);
                leave[ray] = lower(leaves, leave[ray]);
                start[axis][ray] = 2.0 * at * scale - self.first[axis];
                step[axis][ray] = 2.0 * along * scale;
                reach[axis][ray] = (largest + 2.0 * slack) * scale;
            }
        }
        let within = [enter, leave];
        self.counted(Bands { start, step, reach, within, ..Bands::NONE }, items)
    }

    /// Finds the first band and the number of bands of each ray.
    #[inline(always)]
    fn counted<const N: usize>(&self, bands: Bands<N>, items: usize) -> Bands<N> {
        // The bands whose cells are computed at once are always looked up, however few items there
        // are.
        let most = items as f64 / ITEMS_PER_LOOKUP + BANDS as f64;
        let wraps = if self.wraps { 1.0 } else { 0.0 };
        let edges = |size: f64, part: f64| {
            let last = floor((size - 1.0) * part);
            if self.wraps { [f64::NEG_INFINITY, f64::INFINITY] } else { [0.0, last] }
        };
        let [of_rows, of_columns] =
            [edges(self.sides[1], 1.0), edges(self.sides[0], 1.0 / FLAT_COLUMNS)];
        let Bands { start: [x, y], step: [dx, dy], reach: [reach_x, reach_y], .. } = bands;
        let Bands { within: [enter, leave], .. } = bands;
        let Bands { mut inverse, mut rows, mut band, mut count, mut all, .. } = bands;
        for ray in 0..N {
            let [x_enters, x_leaves] =
                map_each([enter[ray], leave[ray]], |at| x[ray] + at * dx[ray]);
            let [y_enters, y_leaves] =
                map_each([enter[ray], leave[ray]], |at| y[ray] + at * dy[ray]);
            let steep = dx[ray].abs() <= FLAT_COLUMNS * dy[ray].abs();
            let one = if steep { y_enters } else { x_enters };
            let other = if steep { y_leaves } else { x_leaves };
            let step = if steep { dy[ray] } else { dx[ray] };
            let reach = if steep { reach_y[ray] } else { reach_x[ray] };
            let part = if steep { 1.0 } else { 1.0 / FLAT_COLUMNS };
            let first = if steep { of_rows[0] } else { of_columns[0] };
            let last = if steep { of_rows[1] } else { of_columns[1] };
            let low = higher(floor((lower(one, other) - reach) * part), first);
            let high = lower(floor((higher(one, other) + reach) * part), last);
            let bands = high - low + 1.0;
            let rows_of_band = if steep { 1.0 } else { 2.0 + 2.0 * reach_y[ray] };
            let far_x = higher(x_enters.abs(), x_leaves.abs());
            let furthest = higher(far_x, higher(y_enters.abs(), y_leaves.abs()));
            let work = bands * rows_of_band;
            let work = if furthest * wraps < FAR_CELLS / 2.0 { work } else { f64::INFINITY };
            let work = if step.abs() > 0.0 { work } else { f64::INFINITY };
            let some = if work <= most { bands } else { 1.0 };
            let some = if bands >= 1.0 { some } else { 0.0 };
            let some = if enter[ray] <= leave[ray] { some } else { 0.0 };
            count[ray] = whole(some);
            all[ray] = whole(if work <= most { 0.0 } else { 1.0 });
            rows[ray] = whole(if steep { 1.0 } else { 0.0 });
            inverse[ray] = 1.0 / step;
            band[ray] = if step >= 0.0 { low } else { high };
        }
        Bands { inverse, rows, band, count, all, ..bands }
    }

    /// The cells of a row of a block: one run, and a second one where the row continues at the
    /// first cell of the level.
    #[inline(always)]
    pub(in crate::grid) fn runs(&self, first: u32, row: u32, columns: u32) -> [Range<usize>; 2] {
        let Cells { base, count, stride, wraps, .. } = *self;
        let (base, count, width) = (base as usize, count as usize, columns as usize);
        let first = first as usize + row as usize * stride as usize;
        if !wraps {
            let start = base + first;
            return [start..start + width, base..base];
        }
        if width >= count {
            return [base..base + count, base..base];
        }
        let start = if first < count { first } else { first % count };
        let end = start + width;
        [base + start..base + end.min(count), base..base + end.saturating_sub(count)]
    }
}

impl<const N: usize> Bands<N> {
    const NONE: Self = Self {
        start: [[0.0; N]; 2],
        step: [[0.0; N]; 2],
        inverse: [0.0; N],
        reach: [[0.0; N]; 2],
        within: [[0.0; N]; 2],
        rows: [0; N],
        band: [0.0; N],
        count: [0; N],
        all: [0; N],
    };

    /// The bands of a ray.
    #[inline(always)]
    pub(in crate::grid) fn of(&self, ray: usize) -> BandsOfRay {
        let of = |columns: &[[f64; N]; 2]| [columns[0][ray], columns[1][ray]];
        BandsOfRay {
            start: of(&self.start),
            step: of(&self.step),
            inverse: self.inverse[ray],
            reach: of(&self.reach),
            within: of(&self.within),
            rows: self.rows[ray] == 1,
            band: self.band[ray],
            count: self.count[ray] as usize,
            all: self.all[ray] == 1,
        }
    }
}

impl BandsOfRay {
    /// Writes the cells of the bands from number `done` on, in the order in which the ray passes
    /// them, up to `limit`. `cells` are the cells of the level.
    #[inline(always)]
    pub(in crate::grid) fn blocks(
        &self,
        cells: &Cells,
        done: usize,
        limit: f64,
        blocks: &mut Blocks,
    ) {
        if self.all {
            *blocks = Blocks::all(cells, self.within);
            return;
        }
        match (cells.wraps, self.rows) {
            (true, rows) => self.helical_blocks(cells, usize::from(rows), done, limit, blocks),
            (false, false) => self.blocks_along::<0>(cells, done, limit, blocks),
            (false, true) => self.blocks_along::<1>(cells, done, limit, blocks),
        }
    }

    /// The bands from number `done` on, along an axis.
    #[inline(always)]
    fn strip(&self, axis: usize, done: usize, limit: f64) -> BandStrip {
        let size = if axis == 1 { 1.0 } else { FLAT_COLUMNS };
        let [from, to] = [self.within[0], lower(self.within[1], limit)];
        let of = |axis: usize| (self.start[axis], self.step[axis], self.reach[axis]);
        let ((start, step, reach), (beside, turn, width)) = (of(axis), of(1 - axis));
        // From where a band begins to where it ends, in the direction of the ray.
        let (next, near, far) = if step >= 0.0 {
            (1.0, -reach - start, size + reach - start)
        } else {
            (-1.0, size + reach - start, -reach - start)
        };
        let (inverse, band) = (self.inverse, self.band + next * done as f64);
        BandStrip { size, from, to, band, next, near, far, inverse, beside, turn, width }
    }

    /// Does the work of [`blocks`](Bands::blocks) for bands along an axis of a dense level.
    ///
    /// Plain loops over arrays, with no branches: compiled for a SIMD level, they become vector
    /// code. A band that the ray does not reach may have cells, which makes no difference: no item
    /// in them is hit.
    #[inline(always)]
    fn blocks_along<const AXIS: usize>(
        &self,
        cells: &Cells,
        done: usize,
        limit: f64,
        blocks: &mut Blocks,
    ) {
        let strip = self.strip(AXIS, done, limit);
        let (stride, size) = (cells.stride, strip.size);
        let [last, last_across] = [cells.sides[AXIS] - 1.0, cells.sides[1 - AXIS] - 1.0];
        let Blocks { from: mut begins, to: mut ends, mut first, mut columns, mut rows } =
            Blocks::default();
        for lane in 0..BANDS {
            let Band { band, begin, end, low, high } = strip.band(NUMBERS[lane]);
            begins[lane] = begin;
            ends[lane] = end;
            let low = nearest(lower(higher(low, 0.0), last_across));
            let high = nearest(lower(higher(high, -1.0), last_across));
            let across = high.wrapping_sub(low).wrapping_add(1);
            let across = if across > 0 { across as u32 } else { 0 };
            if AXIS == 1 {
                first[lane] = (nearest(band) as u32).wrapping_mul(stride).wrapping_add(low as u32);
                columns[lane] = across;
                rows[lane] = 1;
            } else {
                let left = higher(band * size, 0.0);
                let right = lower(band * size + (size - 1.0), last);
                first[lane] = (low as u32).wrapping_mul(stride).wrapping_add(nearest(left) as u32);
                columns[lane] = nearest(right - left + 1.0) as u32;
                rows[lane] = across;
            }
        }
        // Column by column: a record that is copied as a whole is read back by other words than it
        // was written by, and a CPU waits for that.
        (blocks.from, blocks.to) = (begins, ends);
        (blocks.first, blocks.columns, blocks.rows) = (first, columns, rows);
    }

    /// Does the work of [`blocks`](Bands::blocks) for bands of a helical level, whose cells are
    /// computed one by one. One function for all SIMD levels.
    #[inline(never)]
    fn helical_blocks(
        &self,
        cells: &Cells,
        axis: usize,
        done: usize,
        limit: f64,
        blocks: &mut Blocks,
    ) {
        let strip = self.strip(axis, done, limit);
        for lane in 0..BANDS.min(self.count - done) {
            let Band { band, begin, end, low, high } = strip.band(lane as f64);
            (blocks.from[lane], blocks.to[lane]) = (begin, end);
            let (low, high) = (floor(low + 0.5), floor(high + 0.5));
            let (column, row) = if axis == 1 { (low, band) } else { (band * strip.size, low) };
            let some = high >= low;
            let across = whole(if some { high - low + 1.0 } else { 0.0 });
            let number = cells.helical(column, row);
            blocks.first[lane] = if some { number } else { 0 };
            blocks.columns[lane] = if axis == 1 { across } else { FLAT_COLUMNS as u32 };
            blocks.rows[lane] = if axis == 1 { 1 } else { across };
        }
    }
}

/// The bands of a ray along an axis, in units of cells.
struct BandStrip {
    /// The cells of a band along the axis.
    size: f64,
    /// The part of the ray that is of interest.
    from: f64,
    to: f64,
    /// The number of the first band, and the step to the number of the next band.
    band: f64,
    next: f64,
    /// From where a band begins to where it ends in the direction of the ray, if its number is 0.
    near: f64,
    far: f64,
    /// The inverse of the step along the axis.
    inverse: f64,
    /// Where the ray is across the axis, how it moves there, and how far items reach.
    beside: f64,
    turn: f64,
    width: f64,
}

/// A band: its number, the part of the ray that may touch items of it, and the lowest and the
/// highest cell across the axis, to be rounded to the nearest numbers.
struct Band {
    band: f64,
    begin: f64,
    end: f64,
    low: f64,
    high: f64,
}

impl BandStrip {
    /// The band with this number, counted from the first band of the ray.
    #[inline(always)]
    fn band(&self, number: f64) -> Band {
        let Self { size, from, to, next, near, far, inverse, beside, turn, width, .. } = *self;
        let band = self.band + next * number;
        let begin = higher((band * size + near) * inverse, from);
        let end = lower((band * size + far) * inverse, to);
        let (one, other) = (beside + begin * turn, beside + end * turn);
        // Rounding to the nearest number after this is rounding down, or one lower; and rounding
        // down, or one higher.
        let low = lower(one, other) - (width + 0.5);
        let high = higher(one, other) + (width - (0.5 - F32_SLACK));
        Band { band, begin, end, low, high }
    }
}

/// The numbers of lanes.
const NUMBERS: [f64; BANDS] = [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0];

/// The cells of consecutive bands that may hold items that the ray touches: rows of cells of one
/// width. Aligned, because a CPU waits where lanes that were stored across two lines are loaded.
#[derive(Debug, Clone, Copy, Default)]
#[repr(align(64))]
pub(in crate::grid) struct Blocks {
    /// The part of the ray that may touch items of the band.
    pub(in crate::grid) from: [f64; BANDS],
    pub(in crate::grid) to: [f64; BANDS],
    /// The first cell of the first row, counted from the first cell of the level.
    pub(in crate::grid) first: [u32; BANDS],
    /// The cells of a row.
    pub(in crate::grid) columns: [u32; BANDS],
    /// The number of rows.
    pub(in crate::grid) rows: [u32; BANDS],
}

impl Blocks {
    /// All cells of a level as one block, for this part of a ray.
    #[cold]
    #[inline(never)]
    pub(in crate::grid) fn all(cells: &Cells, [from, to]: [f64; 2]) -> Self {
        let mut blocks = Self::default();
        (blocks.from[0], blocks.to[0]) = (from, to);
        (blocks.columns[0], blocks.rows[0]) = (cells.count, 1);
        blocks
    }
}

/// The nearest integer, of magnitude below 2^31. Adding 1.5 * 2^52 leaves it in the lowest bits.
#[inline(always)]
fn nearest(value: f64) -> i32 {
    const SHIFT: f64 = 6_755_399_441_055_744.0;
    (value + SHIFT).to_bits() as i32
}
