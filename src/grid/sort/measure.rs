//! Measures the box around the items of a level. Items beside it have no partners in the level. Of
//! a cell with few items, also their largest width and height.

use std::ops::Range;

use super::ItemLayout;
use crate::{
    base::parallel::{self, Divide},
    grid::plan::{Bounds, OneCell},
    kernel::{
        columns::{ColumnSet, RoundedColumns},
        items::Items,
    },
    simd::{Isa, Kernel, MAX_LANES, Scalar, Simd, dispatch_moves, map_each},
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

/// Makes cells of runs of few items, one after the other.
pub(in crate::grid) struct MeasureRuns<'a> {
    pub(in crate::grid) columns: RoundedColumns<'a>,
    /// Where each run begins, and the last one ends. No run is empty.
    pub(in crate::grid) starts: &'a [u32],
    pub(in crate::grid) cells: &'a mut Vec<OneCell>,
}

impl Kernel for MeasureRuns<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let Self { columns, starts, cells } = self;
        for (number, run) in (0..).zip(starts.windows(2)) {
            let (start, end) = (run[0], run[1]);
            let places = start as usize..end as usize;
            let [min_x, min_y, max_x, max_y, width, height] = measure_run(simd, columns, places);
            let (largest, bounds) =
                ([-width, -height], Bounds::within([min_x, min_y, max_x, max_y]));
            cells.push(OneCell::new(number, start..end, bounds, largest));
        }
    }
}

/// The least left and lower sides of some items, and the least negated right and upper sides,
/// widths and heights.
#[inline(always)]
fn measure_run<S: Simd>(simd: S, columns: RoundedColumns<'_>, places: Range<usize>) -> [f32; 6] {
    let mut lowest = [f32::INFINITY; 6];
    if places.len() < S::LANES {
        for at in places {
            lowest = lower_sizes(Scalar, lowest, columns.splat(Scalar, at));
        }
        return lowest;
    }
    let mut lanes = [simd.splat(f32::INFINITY); 6];
    for at in places.clone().step_by(S::LANES) {
        // The last vector has items of the one before, which makes no difference.
        let items = columns.load(simd, at.min(places.end - S::LANES));
        lanes = lower_sizes(simd, lanes, items);
    }
    for (lowest, lanes) in lowest.iter_mut().zip(lanes) {
        let mut values = [f32::INFINITY; MAX_LANES];
        simd.store(lanes, &mut values, 0);
        *lowest = values.into_iter().fold(f32::INFINITY, f32::min);
    }
    lowest
}

/// The lower of each value: see [`measure_run`].
#[inline(always)]
fn lower_sizes<S: Simd, B: Items<S>>(simd: S, lowest: [S::F32; 6], items: B) -> [S::F32; 6] {
    let [min_x, min_y, max_x, max_y, width, height] = lowest;
    let [min_x, min_y, max_x, max_y] = lower(simd, [min_x, min_y, max_x, max_y], items);
    let diameter = simd.add(items.radius(simd), items.radius(simd));
    // The negated sums of a side and a diameter, by the operations of the check of columns.
    let [negated_width, negated_height] =
        map_each([[items.min_x(), items.max_x()], [items.min_y(), items.max_y()]], |[min, max]| {
            simd.sub(simd.splat(0.0), simd.add(simd.sub(max, min), diameter))
        });
    let [width, height] = [simd.min(width, negated_width), simd.min(height, negated_height)];
    [min_x, min_y, max_x, max_y, width, height]
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
