//! The box around the items of a level. Items beside it have no partners in the level.

use std::ops::Range;

use super::ItemLayout;
use crate::{
    base::parallel::{self, Divide},
    kernel::{columns::ColumnSet, items::Items},
    simd::{Isa, Kernel, MAX_LANES, Scalar, Simd, dispatch_moves, map_each},
};

/// A box around items, radius included, widened by the roundings. No item beyond it touches them.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Bounds {
    min: [f64; 2],
    max: [f64; 2],
}

impl Default for Bounds {
    /// The box around nothing.
    fn default() -> Self {
        Self { min: [f64::INFINITY; 2], max: [f64::NEG_INFINITY; 2] }
    }
}

impl Bounds {
    /// The box around items. `lowest` are their least left and lower sides, and the least negated
    /// right and upper sides.
    fn within(lowest: [f32; 4]) -> Self {
        // Each side was rounded once. The exact test may be off by a few roundings of the radii,
        // which are not larger than the box. Around nothing, all values become NaN, and nothing is
        // near NaN.
        let [min_x, min_y, max_x, max_y] = lowest.map(f64::from);
        let slack = map_each([min_x + max_x, min_y + max_y], |sum: f64| sum.abs() * SLACK);
        let sides = map_each([min_x, min_y, max_x, max_y], |side: f64| side.abs() * SLACK);
        Self {
            min: [min_x - sides[0] - slack[0], min_y - sides[1] - slack[1]],
            max: [-max_x + sides[2] + slack[0], -max_y + sides[3] + slack[1]],
        }
    }

    /// The box around the whole plane.
    #[cfg(test)]
    pub(in crate::grid) const EVERYWHERE: Self =
        Self { min: [f64::NEG_INFINITY; 2], max: [f64::INFINITY; 2] };

    /// The lower left and the upper right corner.
    pub(in crate::grid) fn corners(&self) -> [[f64; 2]; 2] {
        [self.min, self.max]
    }

    /// Whether nothing from `min` to `max` along an axis touches an item in this box.
    #[inline(always)]
    pub(in crate::grid) fn beside(&self, axis: usize, min: f64, max: f64) -> bool {
        !((min <= self.max[axis]) & (self.min[axis] <= max))
    }

    /// The lower left and the upper right corner in `f32`, rounded outwards.
    pub(in crate::grid) fn outwards(&self) -> [[f32; 2]; 2] {
        [self.min.map(|min| (min as f32).next_down()), self.max.map(|max| (max as f32).next_up())]
    }

    /// Whether an item in one box may touch an item in the other.
    pub(crate) fn touches(&self, other: &Bounds) -> bool {
        let beside = |axis: usize| self.beside(axis, other.min[axis], other.max[axis]);
        !(beside(0) | beside(1))
    }
}

/// The box around the items at some places, computed by several threads if `threads` is true.
pub(in crate::grid) fn measure<I: ItemLayout>(
    isa: Isa,
    columns: I::Columns<'_>,
    places: Range<usize>,
    threads: bool,
) -> Bounds {
    let part = places.len().div_ceil(PARTS).max(PART);
    let mut lowest = [[f32::INFINITY; 4]; PARTS];
    let parts = &mut lowest[..places.len().div_ceil(part)];
    parallel::run(BoundsParts::<I> { isa, columns, places, part, lowest: parts }, threads);
    Bounds::within(lowest.into_iter().fold([f32::INFINITY; 4], |all, part| {
        std::array::from_fn(|side| all[side].min(part[side]))
    }))
}

/// The most parts that places are measured in, and the fewest places in a part.
const PARTS: usize = 64;
const PART: usize = 1 << 13;

/// Consecutive parts, and their results: the least left and lower sides, and the least negated
/// right and upper sides.
struct BoundsParts<'a, 'b, I: ItemLayout> {
    isa: Isa,
    columns: I::Columns<'a>,
    places: Range<usize>,
    /// Places in a part.
    part: usize,
    lowest: &'b mut [[f32; 4]],
}

impl<I: ItemLayout> Divide for BoundsParts<'_, '_, I> {
    fn tasks(&self) -> usize {
        self.lowest.len()
    }

    fn split(self, tasks: usize) -> (Self, Self) {
        let middle = self.places.start + tasks * self.part;
        let (lowest, rest) = self.lowest.split_at_mut(tasks);
        let first = Self { places: self.places.start..middle, lowest, ..self };
        (first, Self { places: middle..self.places.end, lowest: rest, ..self })
    }

    fn work(self) {
        let Self { isa, columns, places, part, lowest } = self;
        for (lowest, start) in lowest.iter_mut().zip(places.clone().step_by(part)) {
            let places = start..places.end.min(start + part);
            *lowest = dispatch_moves(isa, Measure::<I> { columns, places });
        }
    }
}

/// Measures the items at some places.
struct Measure<'a, I: ItemLayout> {
    columns: I::Columns<'a>,
    places: Range<usize>,
}

impl<I: ItemLayout> Kernel for Measure<'_, I> {
    type Output = [f32; 4];

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> [f32; 4] {
        let Self { columns, places } = self;
        let whole = places.end - places.len() % S::LANES;
        let mut lanes = [simd.splat(f32::INFINITY); 4];
        for at in (places.start..whole).step_by(S::LANES) {
            lanes = lower(simd, lanes, columns.load(simd, at));
        }
        let mut lowest = [f32::INFINITY; 4];
        for (lowest, lanes) in lowest.iter_mut().zip(lanes) {
            let mut values = [f32::INFINITY; MAX_LANES];
            simd.store(lanes, &mut values, 0);
            *lowest = values.into_iter().fold(f32::INFINITY, f32::min);
        }
        for at in whole..places.end {
            lowest = lower(Scalar, lowest, columns.splat(Scalar, at));
        }
        lowest
    }
}

/// The error of a side, relative to itself and to the width of the box, and more.
const SLACK: f64 = 1.0 / (1 << 20) as f64;

/// The lower of each value: left and lower sides, and negated right and upper sides.
#[inline(always)]
fn lower<S: Simd, B: Items<S>>(simd: S, lowest: [S::F32; 4], items: B) -> [S::F32; 4] {
    let radius = items.radius(simd);
    let zero = simd.splat(0.0);
    let sides = [
        simd.sub(items.min_x(), radius),
        simd.sub(items.min_y(), radius),
        simd.sub(zero, simd.add(items.max_x(), radius)),
        simd.sub(zero, simd.add(items.max_y(), radius)),
    ];
    [
        simd.min(lowest[0], sides[0]),
        simd.min(lowest[1], sides[1]),
        simd.min(lowest[2], sides[2]),
        simd.min(lowest[3], sides[3]),
    ]
}
