//! `CoverMap`: where the shapes of a layer are, roughly.
//!
//! In plain words: the box around all shapes is divided into cells, about a hundred for each shape,
//! with a bit each. The bits of all cells are set that the box around a shape touches. A query
//! leaves the layer out if its own box touches no such cell. So changed shapes cost only the
//! queries near them.

use wide::f32x4;

use crate::{
    base::{SAMPLED_ROWS, held, order::sort_f32},
    shape::RoundedBox,
    simd::map_each,
};

/// The cells for each shape. Among fewer cells, more queries meet a cell of a shape that they do
/// not touch; more cells take longer to clear.
const CELLS_PER_SHAPE: usize = 128;

/// The most cells in a row, and the most rows.
const SIDE_CELLS: usize = 1 << 12;

/// The most words that shapes take on average, and that a query reads. Larger shapes are taken to
/// be everywhere. A larger query, such as a ray through the whole world, searches the layer, which
/// takes less time than the query does elsewhere.
const MAX_WORDS: usize = 32;

/// Which cells the shapes of a layer touch.
#[derive(Debug, Default)]
pub(super) struct CoverMap {
    /// Queries with a side beyond one of these sides touch nothing.
    bounds: InwardSides,
    /// The cell of a side is its distance from `corner`, times `scale`. Shapes outside of the cells
    /// count for the nearest cell, so that few shapes far away do not make the cells large.
    corner: InwardSides,
    scale: InwardSides,
    /// The number of the last cell.
    last: InwardSides,
    /// The words of a row.
    words: usize,
    bits: Vec<u64>,
}

held!(CoverMap { bounds, corner, scale, last, words, bits });

/// Left, lower, right and upper side of a box. The right and the upper side are negative, so that a
/// box inside another box has larger sides.
type InwardSides = f32x4;

/// Cells in neighboring rows and columns.
struct CoveredCells {
    /// The first and the last row.
    rows: [usize; 2],
    /// The bits of the cells in the first and in the last word of a row.
    ends: [u64; 2],
    /// The first and the last word.
    first: usize,
    last: usize,
}

impl CoveredCells {
    /// The number of words in all rows.
    #[inline(always)]
    fn words(&self) -> usize {
        (self.last - self.first + 1) * (self.rows[1] - self.rows[0] + 1)
    }
}

impl CoverMap {
    /// Replaces the shapes by the shapes of some rows, by the box of a row.
    pub(super) fn cover(&mut self, rows: &[u32], box_of: &dyn Fn(u32) -> RoundedBox) {
        let mut around = f32x4::splat(f32::INFINITY);
        for row in rows {
            around = around.fast_min(sides_of(&box_of(*row)));
        }
        let around = around.to_array();
        let [left, low, right, high] = around;
        self.bounds = f32x4::new([-right, -high, -left, -low]);
        let ranges = map_each([0, 1], |axis| {
            let [from, to] = where_most_are(rows, axis, box_of);
            [from.max(around[axis]), to.min(-around[axis + 2])]
        });
        let [width, height] = map_each(ranges, |[from, to]| to - from);
        let cells = rows.len().saturating_mul(CELLS_PER_SHAPE);
        // Cells are about squares.
        let columns = (cells as f32 * (width / height)).sqrt() as usize;
        self.words = columns.div_ceil(64).clamp(1, SIDE_CELLS / 64);
        let columns = self.words * 64;
        let lines = (cells / columns).clamp(1, SIDE_CELLS);
        let [[x, _], [y, _]] = ranges;
        let across = (columns as f32 / width).min(f32::MAX);
        let up = (lines as f32 / height).min(f32::MAX);
        self.corner = f32x4::new([x, y, -x, -y]);
        self.scale = f32x4::new([across, up, -across, -up]);
        let last = [(columns - 1) as f32, (lines - 1) as f32];
        self.last = f32x4::new([last[0], last[1], last[0], last[1]]);
        self.bits.clear();
        self.bits.resize(lines * self.words, 0);
        let mut left = rows.len().saturating_mul(MAX_WORDS);
        for row in rows {
            let cells = self.cells(sides_of(&box_of(*row)));
            if cells.words() > left {
                return self.bits.fill(u64::MAX);
            }
            left -= cells.words();
            let CoveredCells { rows: [low, high], ends, first, last } = cells;
            for row in low..=high {
                let row = &mut self.bits[row * self.words..][first..=last];
                if let [only] = row {
                    *only |= ends[0] & ends[1];
                } else if let [first, between @ .., last] = row {
                    *first |= ends[0];
                    between.fill(u64::MAX);
                    *last |= ends[1];
                }
            }
        }
    }

    /// Whether a box touches a cell of a shape. `true` also for a box so large that a look at its
    /// cells does not pay.
    #[cfg(feature = "queries")]
    #[inline]
    pub(super) fn meets(&self, sides: &RoundedBox) -> bool {
        let sides = sides_of(sides);
        if !sides.simd_le(self.bounds).all() {
            return false;
        }
        let cells = self.cells(sides);
        if cells.words() == 1 {
            let word = self.bits[cells.rows[0] * self.words + cells.first];
            return word & cells.ends[0] & cells.ends[1] != 0;
        }
        self.meets_some(cells)
    }

    /// Does the same for boxes whose cells are in several words.
    #[cfg(feature = "queries")]
    fn meets_some(&self, cells: CoveredCells) -> bool {
        if cells.words() > MAX_WORDS {
            return true;
        }
        let CoveredCells { rows: [low, high], ends, first, last } = cells;
        (low..=high).any(|row| match &self.bits[row * self.words..][first..=last] {
            [only] => only & ends[0] & ends[1] != 0,
            [first, between @ .., last] => {
                first & ends[0] | last & ends[1] != 0 || between.iter().any(|word| *word != 0)
            }
            [] => false,
        })
    }

    /// The cells that a box touches. Each operation keeps the order of coordinates, so boxes that
    /// touch have a cell in common.
    #[inline(always)]
    fn cells(&self, sides: InwardSides) -> CoveredCells {
        let place = (sides - self.corner) * self.scale;
        // From this number on, the next `f32` is larger by 1: the last bits of a sum are the next
        // whole number. A conversion takes longer.
        let whole = f32::EPSILON.recip();
        let sum = place.fast_max(f32x4::ZERO).fast_min(self.last) + whole;
        let [left, low, right, high] =
            map_each(sum.to_array(), |sum: f32| (sum.to_bits() - whole.to_bits()) as usize);
        CoveredCells {
            rows: [low, high],
            ends: [u64::MAX << (left % 64), u64::MAX >> (63 - right % 64)],
            first: left / 64,
            last: right / 64,
        }
    }
}

/// The sides of a box with its radius and a little more.
#[inline(always)]
fn sides_of(sides: &RoundedBox) -> InwardSides {
    let RoundedBox { min_x, min_y, max_x, max_y, radius } = *sides;
    let (sides, radius) = (f32x4::new([min_x, min_y, -max_x, -max_y]), f32x4::splat(radius));
    // A box grows by this share of its coordinates, because sums and decisions round.
    sides - (radius + (sides.abs() + radius) * (4.0 * f32::EPSILON))
}

/// A range along an axis that has the lower sides of most shapes, and some room around.
fn where_most_are(rows: &[u32], axis: usize, box_of: &dyn Fn(u32) -> RoundedBox) -> [f32; 2] {
    let (mut sample, mut len) = ([0.0; SAMPLED_ROWS], 0);
    let step = rows.len().div_ceil(SAMPLED_ROWS).max(1);
    for row in rows.iter().step_by(step) {
        sample[len] = sides_of(&box_of(*row)).to_array()[axis];
        len += 1;
    }
    let sample = &mut sample[..len];
    sort_f32(sample);
    let (Some(first), Some(last)) = (sample.get(len / 16), sample.iter().rev().nth(len / 16))
    else {
        return [0.0; 2];
    };
    let room = (last - first) * 0.125;
    [first - room, last + room]
}
