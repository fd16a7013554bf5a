//! `Pieces`: paths, cut into boxes of about the size of the shapes.

use super::step::{Mover, ROUNDING};
use crate::{
    Columns, Error,
    filter::{Filtering, Predicate},
    index::Index,
    shape::MAX_COORDINATE,
    simd::map_each,
};

/// The most pieces, beside the first piece of each shape: for each shape, and in any scene.
const MORE_PIECES: [u64; 2] = [3, 4096];

/// A piece of a path: from `number / count` of it to `(number + 1) / count`.
#[derive(Debug, Clone, Copy)]
pub(super) struct PathPiece {
    pub(super) row: u32,
    number: u32,
    count: u32,
}

impl PathPiece {
    /// Whether two pieces have a moment in common.
    pub(super) fn meets(&self, other: &Self) -> bool {
        let [number, count, other_number, other_count] =
            map_each([self.number, self.count, other.number, other.count], u64::from);
        number * other_count <= (other_number + 1) * count
            && other_number * count <= (number + 1) * other_count
    }
}

/// The pieces of all paths, and the boxes around them.
#[derive(Debug, Default)]
pub(super) struct Pieces {
    pub(super) pieces: Vec<PathPiece>,
    /// The boxes around the pieces: lower sides, upper sides and radius.
    columns: [Vec<f32>; 5],
    /// Whether a box reaches beyond the limit of coordinates, and has a radius for that.
    far: bool,
}

impl Pieces {
    /// Cuts the paths of all rows into pieces.
    pub(super) fn cut(&mut self, rows: &[u32], index: Option<&Index>, body: impl Fn(u32) -> Mover) {
        let Self { pieces, columns, far } = self;
        let [each, any] = MORE_PIECES;
        let others = rows.len() + index.map_or(0, Index::rows);
        let numbers = u64::from(u32::MAX).saturating_sub(others as u64);
        let most = (rows.len() as u64 * each + any).min(numbers) as f64;
        let more = |unit: f64| rows.iter().map(|row| body(*row).pieces(unit) - 1.0).sum::<f64>();
        let (mut unit, mut extra) = (0.0, more(0.0));
        if extra > 0.0 {
            // Pieces that are smaller than most shapes would save nothing.
            unit = typical(rows.iter().map(|row| body(*row).size()));
            extra = more(unit);
        }
        if extra > most {
            // The least power of two with few enough pieces. No path is longer than 2^62.
            let (mut low, mut high) = (-150_i64, 62);
            while low < high {
                let middle = (low + high).div_euclid(2);
                if more(unit.max(power_of_two(middle))) <= most {
                    high = middle;
                } else {
                    low = middle + 1;
                }
            }
            unit = unit.max(power_of_two(high));
            extra = more(unit);
        }
        let total = rows.len() + extra as usize;
        let slack = f64::from(index.map_or(0.0, Index::largest_radius)) * ROUNDING;
        *far = false;
        pieces.clear();
        pieces.reserve(total);
        for column in &mut *columns {
            column.clear();
            column.reserve(total);
        }
        for &row in rows {
            let body = body(row);
            let count = body.pieces(unit) as u32;
            for number in 0..count {
                pieces.push(PathPiece { row, number, count });
                let [start, end] =
                    map_each([number, number + 1], |time| f64::from(time) / f64::from(count));
                let mut radius = 0.0;
                for axis in 0..2 {
                    let ([low, high], by) = (body.ends[axis], body.by[axis]);
                    let (from, to, slack) = (by * start, by * end, body.slack + slack);
                    let sides =
                        [below(low + from.min(to) - slack), -below(-(high + from.max(to) + slack))];
                    if sides.iter().any(|side| side.abs() > MAX_COORDINATE) {
                        radius = MAX_COORDINATE;
                        *far = true;
                    }
                    for (number, side) in sides.into_iter().enumerate() {
                        let side = side.clamp(-MAX_COORDINATE, MAX_COORDINATE);
                        columns[axis + 2 * number].push(side);
                    }
                }
                columns[4].push(radius);
            }
        }
    }

    /// The boxes as columns.
    pub(super) fn boxes(&self) -> Result<Columns<'_>, Error> {
        let [min_x, min_y, max_x, max_y, radius] = &self.columns;
        match self.far {
            false => Columns::aabbs(min_x, min_y, max_x, max_y),
            true => Columns::rounded_boxes(min_x, min_y, max_x, max_y, radius),
        }
    }

    /// The predicate of the caller for pieces, or for a piece and a row of an index.
    pub(super) fn accept(
        &self,
        filtering: Filtering<'_>,
        against: bool,
    ) -> impl Fn(u32, u32) -> bool + Sync {
        let row = |at: u32| self.pieces[at as usize].row;
        move |a, b| {
            let (a, b) = (row(a), if against { b } else { row(b) });
            let [a, b] = if against { [a, b] } else { [a.min(b), a.max(b)] };
            let same = !against && a == b;
            !same && filtering.predicate.is_none_or(|Predicate(accept)| accept(a, b))
        }
    }

    /// The bytes of memory held.
    pub(super) fn bytes(&self) -> usize {
        let sides: usize = self.columns.iter().map(Vec::capacity).sum();
        self.pieces.capacity() * size_of::<PathPiece>() + sides * size_of::<f32>()
    }
}

/// The power of two whose exponent is the median of the exponents of these sizes; 0 if most are 0.
fn typical(sizes: impl Iterator<Item = f64>) -> f64 {
    let (mut counts, mut len) = ([0_usize; 256], 0);
    for size in sizes {
        counts[((size as f32).to_bits() >> 23 & 255) as usize] += 1;
        len += 1;
    }
    let (mut exponent, mut below) = (0, counts[0]);
    while below * 2 < len {
        exponent += 1;
        below += counts[exponent as usize];
    }
    f64::from(f32::from_bits(exponent << 23))
}

/// Two to the power of a number that is at most 1023 in magnitude.
fn power_of_two(exponent: i64) -> f64 {
    f64::from_bits(((exponent + 1023) as u64) << 52)
}

/// A number in `f32` that is below one in `f64`.
fn below(at: f64) -> f32 {
    (at as f32).next_down()
}
