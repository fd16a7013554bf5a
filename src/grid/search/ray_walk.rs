//! `RayWalk`: the items of a grid that a ray or a moving box may touch.

use std::{marker::PhantomData, ops::Range};

use super::sink::first_bits;
use crate::{
    base::{F32_SLACK, UNDERFLOW, WORD_ROWS},
    geometry::Path,
    grid::{
        GridView,
        plan::{BANDS, BandsOfRay, Blocks, Bounds, Cells, Lines, RAYS},
        sort::{ItemLayout, Sorted},
    },
    kernel::{ColumnSet, Items},
    simd::{Kernel, MAX_LANES, Simd, map_each},
};

/// Passes the places of all items that some rays may touch to `each`: level by level, and ray by
/// ray nearly in the order in which the ray comes to them. A box that moves along the ray is a ray
/// among items that are larger by its size.
///
/// In plain words:
///
/// ```text
/// for each level:
///     for each ray:
///         for the first bands of cells that the ray passes, eight at a time:
///             the part of the ray that may touch items of the band, and the cells that it passes
///     for each ray:
///         for each of its bands, until one begins behind what the ray has hit:
///             test each item in the cells, a vector at a time
/// ```
///
/// Several rays are prepared before the first ray is followed, because the steps that follow are
/// branches that a CPU cannot predict. It would begin with the next ray only once it has resolved
/// them.
///
/// `each` takes the number of the ray and a place, and returns the fraction of the direction up to
/// which the ray is of further interest. An item may be passed twice.
///
/// The test of an item is a filter in `f32`, which also passes items that the ray misses by a few
/// roundings. The distance of an item from the line is a cross product with the unit vector of the
/// direction. Its error is a few roundings of the distance from the origin, however long the
/// direction is: see docs/numerics.md, "Rays".
pub(crate) struct RayWalk<'a, I, E> {
    pub(crate) grid: GridView<'a>,
    /// The rays, at most [`RAYS`], and a workspace for each.
    pub(crate) paths: &'a [Path],
    pub(crate) rays: &'a mut [WalkedRay],
    /// Half of the width and height of a box that moves along the rays, and a radius around it.
    /// Zeros where the layout `I` has no boxes.
    pub(crate) half: [f32; 2],
    pub(crate) radius: f32,
    /// The bits of the filters of the items by place, and the bits that are met. Other items are
    /// not passed. `None` if all items are passed.
    pub(crate) met: Option<(&'a [u32], u32)>,
    pub(crate) each: E,
    /// The layout that the items are read in: see [`read_as`](crate::grid::sort::Sorted::read_as).
    pub(crate) layout: PhantomData<I>,
}

/// A ray that is walked.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct WalkedRay {
    /// The bands of the current level.
    bands: BandsOfRay,
    /// Some of the bands, the slack that is added to the radii of their items, and the places of
    /// their first rows.
    blocks: Blocks,
    slacks: [f32; BANDS],
    places: [[u32; 2]; BANDS],
}

impl<I: ItemLayout, E: FnMut(usize, usize) -> f64> Kernel for RayWalk<'_, I, E> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let Self { grid, paths, rays, half, radius, met, mut each, .. } = self;
        let radius = radius + UNDERFLOW;
        let size = map_each([0, 1], |axis| f64::from(half[axis]) + f64::from(radius));
        let columns = grid.sorted.read_as::<I>(grid.form);
        let mut lines = Lines::<RAYS>::of(paths);
        // A single ray uses one lane, and does not wait for other lanes.
        let single = paths.len() == 1;
        let units = if single { Units::of::<1>(&lines) } else { Units::of::<RAYS>(&lines) };
        if let Some(places) = grid.one_cell() {
            let corners = grid.bounds(0).corners();
            let cell = Cell { places, corners, size: size[0] + size[1], radius, met };
            for number in 0..paths.len() {
                let lanes = RayLanes::new(simd, &lines, &units, number, half);
                cell.follow(simd, columns, lanes, &lines, &mut each);
            }
            return;
        }
        // Large shapes first: a ray hits them sooner, and then ends.
        for (number, cells) in grid.levels().iter().enumerate().rev() {
            let (items, bounds) = (grid.items(number).len(), grid.bounds(number));
            if items == 0 {
                continue;
            }
            if lines.limit[..paths.len()].iter().all(|limit| *limit < 0.0) {
                break;
            }
            let around = cells.around(size);
            let level = Level { sorted: grid.sorted, cells, around, radius, met };
            let (level, lengths, bounds) = (&level, &units.length, &bounds);
            if single {
                let lines = &lines.first();
                simd.call(FindBands { level, lines, lengths, size, items, bounds, rays });
            } else {
                let lines = &lines;
                simd.call(FindBands { level, lines, lengths, size, items, bounds, rays });
            }
            for ray in &*rays {
                for [place, _] in &ray.places[..BANDS_AHEAD] {
                    grid.sorted.prefetch::<S, I>(simd, *place as usize);
                }
            }
            for (number, ray) in rays.iter_mut().enumerate() {
                if ray.bands.count > 0 {
                    let lanes = RayLanes::new(simd, &lines, &units, number, half);
                    lines.limit[number] = level.follow(simd, columns, ray, lanes, &mut each);
                }
            }
        }
    }
}

/// The lengths of directions, and directions at length 1.
#[repr(align(64))]
struct Units {
    length: [f64; RAYS],
    unit: [[f32; RAYS]; 2],
}

impl Units {
    /// The units of the first `N` rays.
    #[inline(always)]
    fn of<const N: usize>(lines: &Lines<RAYS>) -> Self {
        let mut units = Self { length: [0.0; RAYS], unit: [[0.0; RAYS]; 2] };
        let [dx, dy] = &lines.direction;
        for ray in 0..N {
            let length = (dx[ray] * dx[ray] + dy[ray] * dy[ray]).sqrt();
            units.length[ray] = length;
            units.unit[0][ray] = (dx[ray] / length) as f32;
            units.unit[1][ray] = (dy[ray] / length) as f32;
        }
        units
    }
}

/// The number of bands whose items are prefetched.
const BANDS_AHEAD: usize = 2;

/// A level that is searched.
struct Level<'a> {
    sorted: &'a Sorted,
    cells: &'a Cells,
    /// How far the centre of an item may be from where it touches the box.
    around: f64,
    /// The radius around the box.
    radius: f32,
    met: Option<(&'a [u32], u32)>,
}

/// Finds the bands of a level that some rays pass, the cells of their first bands, and the places
/// of the first row of each level. All layouts share this code.
struct FindBands<'a, const N: usize> {
    level: &'a Level<'a>,
    lines: &'a Lines<N>,
    /// The lengths of the directions.
    lengths: &'a [f64; RAYS],
    size: [f64; 2],
    items: usize,
    bounds: &'a Bounds,
    /// As many rays as there are, at most `N`.
    rays: &'a mut [WalkedRay],
}

impl<const N: usize> Kernel for FindBands<'_, N> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, _simd: S) {
        let Self { level, lines, lengths, size, items, bounds, rays } = self;
        let bands = level.cells.passages(lines, size, items, bounds);
        // Short loops, one after the other: a CPU works on several rays of a short loop at once.
        for (number, ray) in rays.iter_mut().enumerate().take(N) {
            ray.bands = bands.of(number);
            level.find_cells(ray, 0, lines.limit[number], lengths[number]);
        }
        for ray in rays.iter_mut().take(N) {
            level.find_places(ray, 0);
        }
    }
}

impl Level<'_> {
    /// Finds the cells of the bands of a ray from number `done` on, up to a limit. Takes the length
    /// of the direction.
    #[inline(always)]
    fn find_cells(&self, ray: &mut WalkedRay, done: usize, limit: f64, length: f64) {
        let Self { cells, around, radius, .. } = *self;
        ray.bands.blocks(cells, done, limit, &mut ray.blocks);
        ray.slacks =
            map_each(ray.blocks.to, |to| ((to * length + around) * F32_SLACK) as f32 + radius);
    }

    /// Finds the places of the first row of each of these bands.
    #[inline(always)]
    fn find_places(&self, ray: &mut WalkedRay, done: usize) {
        for lane in 0..BANDS.min(ray.bands.count - done) {
            let [row, _] = self.cells.runs(ray.blocks.first[lane], 0, ray.blocks.columns[lane]);
            let places = self.sorted.places_of(row);
            ray.places[lane] = [places.start as u32, places.end as u32];
        }
    }

    /// Tests the items along a ray. Returns the limit of the ray.
    #[inline(always)]
    fn follow<S: Simd, C: ColumnSet>(
        &self,
        simd: S,
        columns: C,
        ray: &mut WalkedRay,
        mut lanes: RayLanes<S>,
        each: &mut impl FnMut(usize, usize) -> f64,
    ) -> f64 {
        let Self { cells, sorted, met, .. } = *self;
        let (count, mut done) = (ray.bands.count, 0);
        'level: loop {
            for lane in 0..BANDS.min(count - done) {
                if ray.blocks.from[lane] > lanes.limit {
                    break 'level;
                }
                let (first, width) = (ray.blocks.first[lane], ray.blocks.columns[lane]);
                let [start, end] = map_each(ray.places[lane], |place| place as usize);
                let (mut places, mut row, mut continued) = (start..end, 0, !cells.wraps);
                loop {
                    lanes.test(simd, columns, places, ray.slacks[lane], met, each);
                    row += u32::from(continued);
                    if row >= ray.blocks.rows[lane] {
                        break;
                    }
                    continued = !continued || !cells.wraps;
                    let [one, other] = cells.runs(first, row, width);
                    places = sorted.places_of(if continued && cells.wraps { other } else { one });
                }
            }
            done += BANDS;
            if done >= count {
                break;
            }
            let (limit, length) = (lanes.limit, lanes.length);
            self.find_cells(ray, done, limit, length);
            self.find_places(ray, done);
        }
        lanes.limit
    }
}

/// The only cell of a level, whose items are few.
struct Cell<'a> {
    places: Range<usize>,
    /// The corners of the box around the items.
    corners: [[f64; 2]; 2],
    /// How far the box that moves reaches, along both axes together, and the radius around it.
    size: f64,
    radius: f32,
    met: Option<(&'a [u32], u32)>,
}

impl Cell<'_> {
    /// Tests all items, and passes the items that the ray may touch to `each`, in the order in
    /// which the ray may enter them.
    #[inline(always)]
    fn follow<S: Simd, C: ColumnSet>(
        &self,
        simd: S,
        columns: C,
        mut lanes: RayLanes<S>,
        lines: &Lines<RAYS>,
        each: &mut impl FnMut(usize, usize) -> f64,
    ) {
        let Self { places, corners: [min, max], size, radius, met } = self;
        // No item is further from the origin than the furthest corner.
        let mut away = *size;
        for axis in [0, 1] {
            let at = lines.origin[axis][lanes.number];
            let (one, other) = ((at - min[axis]).abs(), (at - max[axis]).abs());
            away += if one > other { one } else { other };
        }
        let slack = simd.splat((away * F32_SLACK) as f32 + radius);
        let mut entries = [0.0; WORD_ROWS + MAX_LANES];
        let mut rest = 0_u64;
        for at in places.clone().step_by(S::LANES) {
            let first = at - places.start;
            let item = columns.load(simd, at);
            let (near, along, beside, reach) = lanes.may_touch(simd, item, slack);
            let mut bits = simd.bits(near) & first_bits((places.end - at).min(S::LANES));
            if let Some((filters, met)) = *met {
                bits &= simd.common(filters, at, met);
            }
            simd.store(lanes.entry(simd, along, beside, reach, slack), &mut entries, first);
            rest |= u64::from(bits) << first;
        }
        while rest != 0 {
            let first = first_of(rest, &entries);
            if entries[first] > lanes.furthest {
                break;
            }
            rest &= !(1 << first);
            lanes.end_at(each(lanes.number, places.start + first));
        }
    }
}

/// A ray in all lanes.
struct RayLanes<S: Simd> {
    origin: [S::F32; 2],
    /// The direction at length 1, and its magnitudes.
    unit: [S::F32; 2],
    widths: [S::F32; 2],
    /// The inverse of the direction; 0 along an axis where it is about 0.
    inverse: [S::F32; 2],
    half: [S::F32; 2],
    /// The number of the ray, its limit, and the length of its direction.
    number: usize,
    limit: f64,
    length: f64,
    /// The limit as a distance, raised a little.
    furthest: f32,
}

impl<S: Simd> RayLanes<S> {
    #[inline(always)]
    fn new(simd: S, lines: &Lines<RAYS>, units: &Units, number: usize, half: [f32; 2]) -> Self {
        let [ux, uy] = map_each(units.unit, |unit| unit[number]);
        let (limit, length) = (lines.limit[number], units.length[number]);
        Self {
            origin: map_each(lines.origin, |origin| simd.splat(origin[number] as f32)),
            unit: [simd.splat(ux), simd.splat(uy)],
            widths: [simd.splat(ux.abs()), simd.splat(uy.abs())],
            inverse: map_each([ux, uy], |unit| {
                simd.splat(if unit.abs() < MIN_DIRECTION_PART { 0.0 } else { 1.0 / unit })
            }),
            half: [simd.splat(half[0]), simd.splat(half[1])],
            number,
            limit,
            length,
            furthest: furthest_of(limit, length),
        }
    }

    /// Passes the places that the ray may touch to `each`, from each vector first the place that it
    /// may enter first. Takes the slack that is added to the radii.
    #[inline(always)]
    fn test<C: ColumnSet>(
        &mut self,
        simd: S,
        columns: C,
        places: Range<usize>,
        slack: f32,
        met: Option<(&[u32], u32)>,
        each: &mut impl FnMut(usize, usize) -> f64,
    ) {
        let Range { start: mut at, end } = places;
        let slack = simd.splat(slack);
        // The first vector is tested with no branch on whether the run is empty.
        loop {
            let item = columns.load(simd, at);
            let (near, along, beside, reach) = self.may_touch(simd, item, slack);
            let mut bits = simd.bits(near) & first_bits(end.saturating_sub(at).min(S::LANES));
            if bits != 0
                && let Some((filters, met)) = met
            {
                bits &= simd.common(filters, at, met);
            }
            if bits != 0 {
                let mut entries = [0.0; MAX_LANES];
                simd.store(self.entry(simd, along, beside, reach, slack), &mut entries, 0);
                while bits != 0 {
                    let lane = first_of(u64::from(bits), &entries);
                    if entries[lane] > self.furthest {
                        break;
                    }
                    bits &= !(1 << lane);
                    self.end_at(each(self.number, at + lane));
                }
            }
            at += S::LANES;
            if at >= end {
                break;
            }
        }
    }

    /// The ray is of no interest beyond this limit.
    #[inline(always)]
    fn end_at(&mut self, limit: f64) {
        if limit < self.limit {
            self.limit = limit;
            self.furthest = furthest_of(limit, self.length);
        }
    }

    /// The lanes of the items that the ray may touch; how far they are along the ray and beside it,
    /// and how far they reach along it. For boxes, where the ray enters the slabs of both axes, 0,
    /// and 0.
    #[inline(always)]
    fn may_touch<B: Items<S>>(
        &self,
        simd: S,
        item: B,
        slack: S::F32,
    ) -> (S::Mask, S::F32, S::F32, S::F32) {
        let Self { origin: [x, y], unit: [ux, uy], widths: [wx, wy], half: [ox, oy], .. } = *self;
        let Self { inverse: [ix, iy], .. } = *self;
        let zero = simd.splat(0.0);
        let radius = simd.add(item.radius(simd), slack);
        let [left, low] = [simd.sub(item.min_x(), x), simd.sub(item.min_y(), y)];
        let (px, py, reach_beside, reach_along, slabs) = if B::SIZED {
            let half = simd.splat(0.5);
            let [right, high] = [simd.sub(item.max_x(), x), simd.sub(item.max_y(), y)];
            let px = simd.mul(simd.add(left, right), half);
            let py = simd.mul(simd.add(low, high), half);
            let hx = simd.add(simd.mul(simd.sub(right, left), half), ox);
            let hy = simd.add(simd.mul(simd.sub(high, low), half), oy);
            let beside = simd.add(simd.add(simd.mul(wx, hy), simd.mul(wy, hx)), radius);
            let along = simd.add(simd.add(simd.mul(wx, hx), simd.mul(wy, hy)), radius);
            let enters = |[low, high]: [S::F32; 2], reach: S::F32, inverse: S::F32| {
                let reach = simd.add(reach, radius);
                let one = simd.mul(simd.sub(low, reach), inverse);
                simd.min(one, simd.mul(simd.add(high, reach), inverse))
            };
            let slabs = simd.max(enters([left, right], ox, ix), enters([low, high], oy, iy));
            (px, py, beside, along, simd.mul(slabs, simd.splat(1.0 - F32_SLACK as f32)))
        } else {
            (left, low, radius, radius, zero)
        };
        let beside = simd.sub(simd.mul(ux, py), simd.mul(uy, px));
        let along = simd.add(simd.mul(ux, px), simd.mul(uy, py));
        let near = simd.le(simd.abs(beside), reach_beside);
        let ahead = simd.le(simd.splat(0.0), simd.add(along, reach_along));
        let before = simd.le(simd.sub(along, reach_along), simd.splat(self.furthest));
        let near = simd.and(near, simd.and(ahead, before));
        if B::SIZED { (near, slabs, zero, zero) } else { (near, along, beside, reach_along) }
    }

    /// How far the ray comes at least before it enters items that it may touch.
    #[inline(always)]
    fn entry(
        &self,
        simd: S,
        along: S::F32,
        beside: S::F32,
        reach: S::F32,
        slack: S::F32,
    ) -> S::F32 {
        let half2 = simd.sub(simd.mul(reach, reach), simd.mul(beside, beside));
        let half = simd.sqrt(simd.max(half2, simd.splat(0.0)));
        simd.sub(simd.sub(along, half), slack)
    }
}

/// A fraction as a distance, raised by more than the roundings of both.
#[inline(always)]
fn furthest_of(limit: f64, length: f64) -> f32 {
    (limit * length * RAISED) as f32
}

/// A share by which distances and fractions are raised, so that they are not below values that are
/// rounded to the same `f32`.
pub(crate) const RAISED: f64 = 1.0 + 2.0 * f32::EPSILON as f64;

/// A direction that is turned this little towards an axis comes no further along it than shapes are
/// apart, before it has left all coordinates.
pub(super) const MIN_DIRECTION_PART: f32 = 1.0 / (1_u128 << 100) as f32;

/// The lane of `bits`, which are not 0, with the least value.
#[inline(always)]
fn first_of(bits: u64, values: &[f32]) -> usize {
    let (mut first, mut rest) = (bits.trailing_zeros() as usize, bits & (bits - 1));
    while rest != 0 {
        let lane = rest.trailing_zeros() as usize;
        if values[lane] < values[first] {
            first = lane;
        }
        rest &= rest - 1;
    }
    first
}
