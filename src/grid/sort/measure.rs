//! Measures the box around the items of a level. Items beside it have no partners in the level.

use std::ops::Range;

use super::ItemLayout;
use crate::{
    base::parallel::{self, Divide},
    grid::plan::Bounds,
    kernel::{columns::ColumnSet, items::Items},
    simd::{Isa, Kernel, MAX_LANES, Scalar, Simd, dispatch_moves},
};

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
