//! `CellRays`: which item of a cell each of some rays may hit first.

use super::ray_walk::{LEAST, MORE, NEARER, SLACK, TURNED};
use crate::{
    grid::{
        GridView,
        plan::{Lines, RAYS},
    },
    kernel::columns::{BoxColumns, RoundedColumns},
    simd::{Kernel, Simd},
};

/// For each of some rays, the item of a cell that it may hit first.
///
/// In plain words:
///
/// ```text
/// for each item of the cell:
///     for all rays at once:
///         bound = a little less than the distance at which the ray may enter the item
///         keep the lowest bound of the ray, its item, and the second lowest bound
/// ```
///
/// If a ray hits that item at a distance below the second bound, it hits no other one before. The
/// bounds are computed in `f32`, with the margins of a [`RayWalk`](super::RayWalk).
pub(crate) struct CellRays<'a> {
    /// The items, which must be in one cell.
    pub(crate) grid: GridView<'a>,
    pub(crate) lines: &'a Lines,
    /// The items that are seen, one bit each.
    pub(crate) seen: u64,
    pub(crate) bounds: &'a mut RayBounds,
}

/// What is known of some rays.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RayBounds {
    /// A little less than the least distance at which a ray may hit an item; infinity if it hits
    /// none. And the number of that item in the cell.
    pub(crate) lowest: [f32; RAYS],
    number: [f32; RAYS],
    /// No other item is hit at a lower distance.
    pub(crate) second: [f32; RAYS],
}

impl RayBounds {
    pub(crate) const NONE: Self =
        Self { lowest: [f32::INFINITY; RAYS], number: [0.0; RAYS], second: [f32::INFINITY; RAYS] };

    /// The place of the item that a ray may hit first, of a cell whose items begin at `start`;
    /// `None` if it hits nothing.
    pub(crate) fn first(&self, ray: usize, start: usize) -> Option<usize> {
        (self.lowest[ray] < f32::INFINITY).then(|| start + self.number[ray] as usize)
    }
}

impl Kernel for CellRays<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        self.run_half(simd.half());
    }
}

impl CellRays<'_> {
    #[inline(always)]
    fn run_half<S: Simd>(self, simd: S) {
        let rays = Rays::new(self.lines, self.grid);
        for at in (0..RAYS).step_by(S::LANES) {
            let [lowest, number, second] = self.bound(simd, &rays, at);
            simd.store(lowest, &mut self.bounds.lowest, at);
            simd.store(number, &mut self.bounds.number, at);
            simd.store(second, &mut self.bounds.second, at);
        }
    }

    /// The lowest bounds of the rays of a vector, from number `at` on, the numbers of their items,
    /// and the second lowest bounds.
    #[inline(always)]
    fn bound<S: Simd>(&self, simd: S, rays: &Rays, at: usize) -> [S::F32; 3] {
        let lanes = RayVector::new(simd, rays, at);
        let RoundedColumns { core: BoxColumns { min_x, min_y, max_x, max_y }, radius } =
            self.grid.rounded();
        let infinity = simd.splat(f32::INFINITY);
        let (mut lowest, mut second, mut number) = (infinity, infinity, simd.splat(0.0));
        let (start, mut seen) = (self.grid.one_cell().unwrap_or_default().start, self.seen);
        while seen != 0 {
            let item = seen.trailing_zeros() as usize;
            let place = start + item;
            seen &= seen - 1;
            let sides = [min_x[place], min_y[place], max_x[place], max_y[place]];
            let bound = if sides[0] == sides[2] && sides[1] == sides[3] {
                lanes.disc(simd, [sides[0], sides[1]], radius[place])
            } else {
                lanes.slabs(simd, sides, radius[place])
            };
            let nearer = simd.lt(bound, lowest);
            second = simd.min(second, simd.max(bound, lowest));
            number = simd.select(nearer, simd.splat(item as f32), number);
            lowest = simd.min(bound, lowest);
        }
        [lowest, number, second]
    }
}

/// Some rays, in columns of `f32`.
struct Rays {
    origin: [[f32; RAYS]; 2],
    /// The directions at length 1, and their inverses.
    unit: [[f32; RAYS]; 2],
    inverse: [[f32; RAYS]; 2],
    /// What is added to radii, and the limits as distances.
    slack: [f32; RAYS],
    furthest: [f32; RAYS],
}

impl Rays {
    /// Plain loops over arrays: compiled for a SIMD level, they become vector code.
    #[inline(always)]
    fn new(lines: &Lines, grid: GridView<'_>) -> Self {
        let [min, max] = grid.bounds(0).corners();
        let mut rays = Self {
            origin: [[0.0; RAYS]; 2],
            unit: [[0.0; RAYS]; 2],
            inverse: [[0.0; RAYS]; 2],
            slack: [0.0; RAYS],
            furthest: [0.0; RAYS],
        };
        let [dx, dy] = &lines.direction;
        for ray in 0..RAYS {
            let length = (dx[ray] * dx[ray] + dy[ray] * dy[ray]).sqrt();
            // No item is further from the origin than the furthest corner.
            let mut away = 0.0;
            for axis in [0, 1] {
                let at = lines.origin[axis][ray];
                let (one, other) = ((at - min[axis]).abs(), (at - max[axis]).abs());
                away += if one > other { one } else { other };
                let unit = (lines.direction[axis][ray] / length) as f32;
                let turned = if unit < 0.0 { -TURNED } else { TURNED };
                let inverted = if unit.abs() < TURNED { turned } else { unit };
                rays.origin[axis][ray] = at as f32;
                rays.unit[axis][ray] = unit;
                rays.inverse[axis][ray] = 1.0 / inverted;
            }
            rays.slack[ray] = (away * SLACK) as f32 + LEAST;
            rays.furthest[ray] = (lines.limit[ray] * length * MORE) as f32;
        }
        rays
    }
}

/// The rays of a vector.
#[derive(Clone, Copy)]
struct RayVector<S: Simd> {
    origin: [S::F32; 2],
    unit: [S::F32; 2],
    inverse: [S::F32; 2],
    slack: S::F32,
    furthest: S::F32,
}

impl<S: Simd> RayVector<S> {
    #[inline(always)]
    fn new(simd: S, rays: &Rays, at: usize) -> Self {
        let Rays { origin, unit, inverse, slack, furthest } = rays;
        let two =
            |columns: &[[f32; RAYS]; 2]| [simd.load(&columns[0], at), simd.load(&columns[1], at)];
        Self {
            origin: two(origin),
            unit: two(unit),
            inverse: two(inverse),
            slack: simd.load(slack, at),
            furthest: simd.load(furthest, at),
        }
    }

    /// Less than the distances at which rays enter a disc; infinity for rays that miss it.
    #[inline(always)]
    fn disc(&self, simd: S, center: [f32; 2], radius: f32) -> S::F32 {
        let Self { origin: [ox, oy], unit: [ux, uy], slack, .. } = *self;
        let x = simd.sub(simd.splat(center[0]), ox);
        let y = simd.sub(simd.splat(center[1]), oy);
        let radius = simd.add(simd.splat(radius), slack);
        let beside = simd.abs(simd.sub(simd.mul(ux, y), simd.mul(uy, x)));
        let along = simd.add(simd.mul(ux, x), simd.mul(uy, y));
        // (r - b)(r + b) does not cancel as r² - b² would.
        let inner = simd.mul(simd.sub(radius, beside), simd.add(radius, beside));
        let zero = simd.splat(0.0);
        // What underflow takes from a root is less than the slack.
        let depth = simd.add(simd.sqrt(simd.max(inner, zero)), slack);
        let hit = simd.and(simd.le(beside, radius), simd.le(zero, simd.add(along, radius)));
        self.within(simd, hit, simd.sub(along, depth))
    }

    /// Less than the distances at which rays enter a box, of which the corners are not rounded;
    /// infinity for rays that miss it.
    #[inline(always)]
    fn slabs(&self, simd: S, [left, low, right, high]: [f32; 4], radius: f32) -> S::F32 {
        let Self { origin, inverse, slack, .. } = *self;
        let reach = simd.add(simd.splat(radius), slack);
        let (mut enter, mut leave) = (simd.splat(0.0), simd.splat(f32::INFINITY));
        for (axis, [min, max]) in [[left, right], [low, high]].into_iter().enumerate() {
            let min = simd.sub(simd.sub(simd.splat(min), origin[axis]), reach);
            let max = simd.add(simd.sub(simd.splat(max), origin[axis]), reach);
            let (one, other) = (simd.mul(min, inverse[axis]), simd.mul(max, inverse[axis]));
            enter = simd.max(enter, simd.min(one, other));
            leave = simd.min(leave, simd.max(one, other));
        }
        let enter = simd.mul(enter, simd.splat(NEARER));
        let hit = simd.le(enter, leave);
        self.within(simd, hit, simd.sub(enter, slack))
    }

    /// Bounds that are at least 0; infinity for rays that miss or end before them.
    #[inline(always)]
    fn within(&self, simd: S, hit: S::Mask, bound: S::F32) -> S::F32 {
        let bound = simd.max(bound, simd.splat(0.0));
        let hit = simd.and(hit, simd.le(bound, self.furthest));
        simd.select(hit, bound, simd.splat(f32::INFINITY))
    }
}
