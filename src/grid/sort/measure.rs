//! Measures the box around the items of a level, or of each run of few items. Items beside it have
//! no partners there.

use std::ops::Range;

use super::ItemLayout;
use crate::{
    base::{
        MAX_PARTS, TASK_ROWS,
        parallel::{self, Divide},
    },
    grid::plan::Bounds,
    kernel::{ColumnSet, Items},
    simd::{Isa, Kernel, MAX_LANES, Scalar, Simd, dispatch_moves},
};

/// The box around the items at some places, computed by several threads if `threads` is true.
pub(in crate::grid) fn measure<I: ItemLayout>(
    isa: Isa,
    columns: I::Columns<'_>,
    places: Range<usize>,
    threads: bool,
) -> Bounds {
    let part = places.len().div_ceil(MAX_PARTS).max(TASK_ROWS);
    let mut lowest = [[f32::INFINITY; 4]; MAX_PARTS];
    let parts = &mut lowest[..places.len().div_ceil(part)];
    parallel::run(BoundsParts::<I> { isa, columns, places, part, lowest: parts }, threads);
    Bounds::within(lowest.into_iter().fold([f32::INFINITY; 4], |all, part| {
        std::array::from_fn(|side| all[side].min(part[side]))
    }))
}

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
        let runs = places.clone().step_by(part).map(|start| start..places.end.min(start + part));
        let mut lowest = lowest.iter_mut();
        let take = |of| {
            if let Some(lowest) = lowest.next() {
                *lowest = of;
            }
        };
        dispatch_moves(isa, Measure::<I, _, _> { columns, runs, take });
    }
}

/// Passes the box around the items of each run to `take`. No run is empty.
pub(in crate::grid) fn measure_runs<I: ItemLayout>(
    isa: Isa,
    columns: I::Columns<'_>,
    runs: impl Iterator<Item = Range<usize>>,
    mut take: impl FnMut(Bounds),
) {
    let take = |lowest| take(Bounds::within(lowest));
    dispatch_moves(isa, Measure::<I, _, _> { columns, runs, take });
}

/// Measures runs of items, run by run: passes the least left and lower sides of each run, and the
/// least negated right and upper sides.
struct Measure<'a, I: ItemLayout, R, T> {
    columns: I::Columns<'a>,
    /// The places of each run.
    runs: R,
    take: T,
}

impl<I, R, T> Kernel for Measure<'_, I, R, T>
where
    I: ItemLayout,
    R: Iterator<Item = Range<usize>>,
    T: FnMut([f32; 4]),
{
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let Self { columns, runs, mut take } = self;
        for places in runs {
            take(measure_run::<I, S>(simd, columns, places));
        }
    }
}

#[inline(always)]
fn measure_run<I: ItemLayout, S: Simd>(
    simd: S,
    columns: I::Columns<'_>,
    places: Range<usize>,
) -> [f32; 4] {
    let mut lowest = [f32::INFINITY; 4];
    if places.len() < S::LANES {
        for at in places {
            lowest = lower(Scalar, lowest, columns.splat(Scalar, at));
        }
        return lowest;
    }
    let mut lanes = [simd.splat(f32::INFINITY); 4];
    for at in places.clone().step_by(S::LANES) {
        // The last vector has items of the one before, which makes no difference.
        lanes = lower(simd, lanes, columns.load(simd, at.min(places.end - S::LANES)));
    }
    for (lowest, lanes) in lowest.iter_mut().zip(lanes) {
        let mut values = [f32::INFINITY; MAX_LANES];
        simd.store(lanes, &mut values, 0);
        *lowest = values.into_iter().fold(f32::INFINITY, f32::min);
    }
    lowest
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
