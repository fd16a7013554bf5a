//! The cells of one level, and which cell a point is in; and `OneCell`: a cell that holds the
//! whole plane.

use std::ops::Range;

use super::Bounds;
use crate::simd::map_each;
#[cfg(feature = "queries")]
pub(crate) use bands::RAYS;
#[cfg(feature = "queries")]
pub(in crate::grid) use bands::{BANDS, BandsOfRay, Blocks, Lines};
pub(crate) use cover::CoverSearch;
pub(in crate::grid) use cover::{COVER_ROWS, Cover, Covers, reached};
pub(in crate::grid) use f32_cover::F32Cover;
pub(super) use f32_cover::F32Levels;
pub(in crate::grid) use helix::few_ghosts;
#[cfg(feature = "queries")]
pub(in crate::grid) use patches::Patches;

#[cfg(feature = "queries")]
mod bands;
mod cover;
mod f32_cover;
mod helix;
#[cfg(feature = "queries")]
mod patches;

/// From this many cells from the origin on, arithmetic on cells begins to lose digits: see
/// [`near`].
const FAR_CELLS: f64 = (1_u64 << 50) as f64;

/// Cells of one size, in one of two arrangements:
///
/// - **Dense**: a rectangle of cells, numbered row by row. Each row is followed by one cell that
///   stays empty, so that a step left from the first column, or right from the last, leads to an
///   empty cell. There are never more than a few cells per item.
/// - **Helical**: the whole plane, mapped to a fixed number of cells. The cell in column `X` and
///   row `Y` has the number `(Y * stride + X) mod count`, like the sites of a lattice with helical
///   boundary conditions (Newman and Barkema, Monte Carlo Methods in Statistical Physics, 1999,
///   section 13.1.1). The number of cells depends on the number of items and not on the box around
///   them. Two distant points may share a cell; the exact test tells their items apart. Numbers
///   may begin at any cell: at the cell of the origin, unless there is [a
///   crowd](Cells::spare_ghosts).
///
/// In both arrangements, the right neighbour of cell `c` is `c + 1`, and the three cells of the
/// next row are `c + stride - 1` to `c + stride + 1`. The dense arrangement is a helical
/// arrangement that is large enough never to wrap, so the code that follows is written once. At the
/// end of a helical level, [`ghosts`](Cells::ghosts) repeat its first cells, so that these runs
/// never wrap either.
///
/// Why there are two arrangements, and no other: helical cells are a hash of the plane that keeps
/// the cells of a row contiguous. With a table of hashes of single cells, two ranges would become
/// five lookups. In a table over the bounding box whose cells grow with it, one far item would put
/// all other items into a few cells. A rectangle that fits needs no ghosts and no remainder.
///
/// **No pair is found twice.** From cell `c` the sweep looks at cells `c + d` with `d` in `D = {0,
/// 1, stride - 1, stride, stride + 1}` (modulo `count`), and within its own cell only at the items
/// after it. A pair found twice would need `d + e = 0` or `d = e` for two different members, or `d
/// = -e`, modulo `count`. These sums and differences are, in magnitude, above 0 and at most `2
/// stride + 2`, which is below `count`.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct Cells {
    /// The number of the first cell.
    pub(in crate::grid) base: u32,
    /// The number of cells, without ghosts.
    pub(in crate::grid) count: u32,
    /// Cells from one row to the next.
    stride: u32,
    /// Whether the arrangement is helical.
    pub(in crate::grid) wraps: bool,
    /// Cells per unit of `min + max` along x and y: half of the number per unit of length.
    scale: [f64; 2],
    /// The column and row of the first cell; the origin if the arrangement is helical.
    first: [f64; 2],
    /// The number of columns and rows if the arrangement is dense.
    sides: [f64; 2],
    /// The largest width and height of an item.
    largest: [f64; 2],
    /// A little less than `1 / count`; see [`Cells::helical`].
    reciprocal: f64,
    /// A multiple of `count` that is at least 2^51.
    many: f64,
    /// `many` plus the number of the cell of the origin.
    origin: f64,
}

impl Cells {
    /// Cells of `size` for items no larger than `largest`. They are dense if that takes at most
    /// `most` cells for centres (as sums) from `sum_min` to `sum_max`. Otherwise they are helical,
    /// with at least about `wanted` cells.
    pub(super) fn new(
        size: [f64; 2],
        largest: [f64; 2],
        [sum_min, sum_max]: [[f32; 2]; 2],
        most: f64,
        wanted: f64,
    ) -> Self {
        let scale = map_each(size, |size| 0.5 / size);
        let mut cells = Self { scale, largest, ..Self::default() };
        // The sums are rounded to f32, but the sums of the items are not: the lowest and the
        // highest may be up to half a rounding beyond these sums.
        let place = |axis: usize, sum: f32, slack: f64| {
            let (sum, slack) = (f64::from(sum), f64::from(sum.abs()) * slack);
            floor((sum + slack) * scale[axis])
        };
        let first = map_each([0, 1], |axis| place(axis, sum_min[axis], -f64::from(f32::EPSILON)));
        let last = map_each([0, 1], |axis| place(axis, sum_max[axis], f64::from(f32::EPSILON)));
        let sides = map_each([0, 1], |axis| last[axis] - first[axis] + 1.0);
        if (sides[0] + 1.0) * sides[1] <= most {
            cells.first = first;
            cells.sides = sides;
            cells.stride = sides[0] as u32 + 1;
            cells.set_count(cells.stride * sides[1] as u32);
        } else {
            cells.wraps = true;
            cells.take_helix(wanted, 0);
        }
        cells
    }

    fn set_count(&mut self, count: u32) {
        self.count = count;
        let count = f64::from(count);
        self.reciprocal = (1.0 - 1.0 / FAR_CELLS) / count;
        self.many = (2.0 * FAR_CELLS / count).ceil() * count;
        self.origin = self.many;
    }

    /// A dense level of `rows` rows, from cell 0 on. Its cells are located by other code
    /// (`F32Cells` in grid_plan.rs).
    pub(super) fn plain(stride: u32, rows: u32) -> Self {
        Self { stride, count: stride * rows, ..Self::default() }
    }

    /// The cell with this number, which holds the whole plane, for items no larger than `largest`.
    pub(in crate::grid) fn one(number: u32, largest: [f64; 2]) -> Self {
        let sides = [1.0; 2];
        Self { base: number, count: 1, stride: 2, sides, largest, ..Self::default() }
    }

    /// Whether this is one cell that holds the whole plane.
    #[inline(always)]
    fn is_whole(&self) -> bool {
        self.sides == [1.0; 2] && self.scale == [0.0; 2]
    }

    /// The width and height of a cell, in units of length.
    pub(in crate::grid) fn size(&self) -> [f64; 2] {
        map_each(self.scale, |scale| 0.5 / scale)
    }

    /// The number of cells, without ghosts.
    #[cfg(feature = "queries")]
    pub(crate) fn cells(&self) -> u32 {
        self.count
    }

    /// Whether no item has a size.
    #[cfg(feature = "queries")]
    pub(in crate::grid) fn is_of_points(&self) -> bool {
        self.largest == [0.0; 2]
    }

    /// Cells from one row to the next.
    pub(crate) fn stride(&self) -> usize {
        self.stride as usize
    }

    /// The number of cells beyond the last that the sweep may look at. In a helical level, they are
    /// ghosts of the first cells; in a dense level, they are empty.
    pub(in crate::grid) fn ghosts(&self) -> usize {
        self.stride as usize + 2
    }

    /// The numbers of the cells, ghosts included.
    pub(in crate::grid) fn numbers(&self) -> Range<usize> {
        let base = self.base as usize;
        base..base + self.count as usize + self.ghosts()
    }

    /// The cells of some items whose sides are `min_x`, `min_y`, `max_x` and `max_y`.
    ///
    /// Plain loops over arrays, free of branches: compiled for a SIMD level, they become vector
    /// code.
    #[inline(always)]
    pub(super) fn of<const LANES: usize>(
        &self,
        [min_x, min_y, max_x, max_y]: [&[f32; LANES]; 4],
    ) -> [u32; LANES] {
        let [mut x, mut y] = [[0.0; LANES]; 2];
        let mut far = false;
        for lane in 0..LANES {
            x[lane] = (f64::from(min_x[lane]) + f64::from(max_x[lane])) * self.scale[0];
            y[lane] = (f64::from(min_y[lane]) + f64::from(max_y[lane])) * self.scale[1];
            far |= (x[lane].abs() >= FAR_CELLS) | (y[lane].abs() >= FAR_CELLS);
        }
        if self.wraps && far {
            for place in x.iter_mut().chain(&mut y) {
                *place = near(*place);
            }
        }
        let mut numbers = [0; LANES];
        if self.wraps {
            for lane in 0..LANES {
                numbers[lane] = self.base + self.helical(floor(x[lane]), floor(y[lane]));
            }
        } else {
            for lane in 0..LANES {
                let column = floor(x[lane]) - self.first[0];
                let row = floor(y[lane]) - self.first[1];
                // Lanes past the last item hold zeros, which need not be in the rectangle.
                let number = whole(row * f64::from(self.stride) + column);
                numbers[lane] = self.base.wrapping_add(number);
            }
        }
        numbers
    }

    /// The cell of an item of this width and height whose sides have these sums, as
    /// [`of`](Cells::of) has it. `None` if the level is helical, the item too large for it, or
    /// outside of its rectangle.
    pub(in crate::grid) fn dense_cell(&self, sums: [f64; 2], size: [f32; 2]) -> Option<u32> {
        let fits = map_each([0, 1], |axis| f64::from(size[axis]) <= self.largest[axis]);
        if self.wraps || fits != [true; 2] {
            return None;
        }
        let [column, row] =
            map_each([0, 1], |axis| self.coordinate(axis, sums[axis]) - self.first[axis]);
        let inside = (0.0..self.sides[0]).contains(&column) && (0.0..self.sides[1]).contains(&row);
        inside.then(|| self.base + whole(row * f64::from(self.stride) + column))
    }

    /// The column (`axis` 0) or row (1) of the point `sum`, counted from the origin. The point must
    /// be less than [`FAR_CELLS`] cells from the origin, unless the arrangement is dense. Monotonic
    /// in `sum`.
    ///
    /// The product is rounded once, by 2^-53 of its value. Up to 2^26 cells from the origin, that
    /// is 2^-27 of a cell, within the margin that [`Plan`](super::Plan) adds to the size of cells
    /// that are swept. Beyond that, two different `f32` values are at least two cells apart, so
    /// items of this level touch only if their coordinates are equal, and any function of the
    /// coordinate that spreads different values well will do.
    #[inline(always)]
    fn coordinate(&self, axis: usize, sum: f64) -> f64 {
        floor(sum * self.scale[axis])
    }

    /// The lower left and the upper right corner, in units of length, of the cell of the point
    /// `sums`; both are infinite if one cell holds the whole plane.
    pub(super) fn corners(&self, sums: [f32; 2]) -> [[f64; 2]; 2] {
        let place = map_each([0, 1], |axis| self.coordinate(axis, f64::from(sums[axis])));
        map_each([0.0, 1.0], |end| {
            map_each([0, 1], |axis| match self.scale[axis] {
                0.0 => f64::INFINITY.copysign(end - 0.5),
                scale => (place[axis] + end) * 0.5 / scale,
            })
        })
    }

    /// The number, counted from the first cell, of the cell in `column` and `row` of a helical
    /// arrangement: `(row * stride + column + o) mod count`, where `o` is the number of the
    /// origin's cell.
    ///
    /// Column and row are at most [`FAR_CELLS`] in magnitude, and every product and sum is an
    /// integer below 2^53, so exact. `many` makes them positive. The quotient is then slightly too
    /// small, so its integer part is right or one too small, and the remainder is below twice the
    /// count.
    #[inline(always)]
    fn helical(&self, column: f64, row: f64) -> u32 {
        let count = f64::from(self.count);
        let row = row + self.many;
        let row = row - floor(row * self.reciprocal) * count;
        let number = row * f64::from(self.stride) + column + self.origin;
        let rest = number - floor(number * self.reciprocal) * count;
        whole(if rest >= count { rest - count } else { rest })
    }
}

/// The largest integer that is at most `value`. For magnitudes beyond 2^51, returns the value
/// itself or an integer next to it, which is as good here. Adds and subtracts 1.5 * 2^52, which
/// takes two instructions on every CPU; the baseline of x86-64 has no instruction for `f64::floor`.
#[inline(always)]
pub(in crate::grid) fn floor(value: f64) -> f64 {
    const SHIFT: f64 = 6_755_399_441_055_744.0;
    let nearest = (value + SHIFT) - SHIFT;
    if nearest > value { nearest - 1.0 } else { nearest }
}

/// Converts an `f64` that is an integer from 0 to 2^32 - 1. Adding 2^52 leaves the integer in the
/// lowest bits. A conversion would have to handle values out of range, and x86 has no conversion to
/// `u32` before AVX-512.
#[inline(always)]
pub(in crate::grid) fn whole(value: f64) -> u32 {
    const SHIFT: f64 = 4_503_599_627_370_496.0;
    (value + SHIFT).to_bits() as u32
}

/// A substitute for a point, in units of cells, in a helical arrangement. From [`FAR_CELLS`] on,
/// where `f64` arithmetic on cells would begin to lose digits, the exponent is replaced and the
/// digits of the coordinate stay. Different points have different digits or are a power of two
/// apart.
fn near(place: f64) -> f64 {
    const DIGITS: u64 = (1 << 52) - 1;
    if place.abs() < FAR_CELLS {
        return place;
    }
    f64::from_bits(place.to_bits() & (1 << 63 | DIGITS) | (FAR_CELLS / 2.0).to_bits())
}

/// The smallest prime that is at least `number`.
fn next_prime(number: u32) -> u32 {
    let is_prime = |n: u32| {
        let mut divisors =
            (3_u32..).step_by(2).take_while(|d| u64::from(*d).pow(2) <= u64::from(n));
        divisors.all(|divisor| !n.is_multiple_of(divisor))
    };
    // Below 2^32 there are odd primes from every number up to 4 294 967 291 on.
    let odd = number | 1;
    (odd..).step_by(2).find(|&n| is_prime(n)).unwrap_or(odd)
}

/// A cell that holds the whole plane, as the only cell of a level, and the places of its items. A
/// grid may have many such cells: the items of a cell do not see the items of other cells.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct OneCell {
    cells: Cells,
    items: Range<u32>,
    bounds: Bounds,
    /// The largest width or height of an item.
    size: f32,
}

impl OneCell {
    /// The cell with this number, for items at these places, whose largest width and height are
    /// `largest`.
    #[inline(always)]
    pub(in crate::grid) fn new(
        number: u32,
        items: Range<u32>,
        bounds: Bounds,
        largest: [f32; 2],
    ) -> Self {
        let cells = Cells::one(number, map_each(largest, f64::from));
        Self { cells, items, bounds, size: largest[0].max(largest[1]) }
    }

    pub(crate) fn number(&self) -> u32 {
        self.cells.base
    }

    /// The number of items.
    pub(crate) fn len(&self) -> usize {
        self.items.len()
    }

    /// The cell as the cells of a level.
    pub(in crate::grid) fn cells(&self) -> &Cells {
        &self.cells
    }

    /// The places of the items.
    #[inline(always)]
    pub(crate) fn items(&self) -> Range<usize> {
        self.items.start as usize..self.items.end as usize
    }

    /// The box around the items.
    pub(in crate::grid) fn bounds(&self) -> Bounds {
        self.bounds
    }

    /// The largest width or height of an item.
    pub(in crate::grid) fn size(&self) -> f32 {
        self.size
    }
}

#[cfg(test)]
mod tests;
