//! `Projection`: shapes around a sensor to intervals of the rays of a `Fan`, and to bounds of
//! these rays, by boxes or by sides (`Planes`), a `Packet` of eight rays at a time.

use std::f32::consts::{FRAC_PI_2, PI, TAU};

use super::{record::Ray, search::IndexSearch, solids::Solids};
use crate::{
    base::F32_SLACK,
    error::{Error, Fault, Field},
    geometry::{Corners, Solid, Vector},
    grid::{EachVector, distance_bounds},
    kernel::{Items, RoundedItems},
    narrowphase::check_most,
    shape::{Pose, Rotation},
    simd::{Kernel, MAX_LANES, Simd, map_each},
};

/// Rays that are tested together.
pub(super) use crate::simd::HALF_LANES as PACKET;

/// Projects the shapes of a ring around a sensor onto the rays of a fan.
pub(super) struct Projection<'a, 'b> {
    search: &'a IndexSearch<'a>,
    solids: &'a Solids<'a>,
    packets: &'b mut [Packet],
    /// Workspace.
    corners: &'b mut Corners,
    /// A shape that is further behind the lowest bound of a ray than this is skipped.
    spare: f32,
    place: [f32; 2],
    /// Shapes at most as far away as the first reach are in an earlier ring, shapes further away
    /// than the second reach in a later ring.
    reaches: [f32; 2],
    /// The direction of the first ray, and the side to which the other rays turn: 1 or -1.
    ahead: [f32; 2],
    side: f32,
    rays: f32,
    /// Rays in a radian, and in a whole turn.
    per_radian: f32,
    turn: f32,
    /// The number of shapes in this ring and the earlier rings.
    pub(super) total: usize,
}

/// A length above which squares lose no bits to underflow.
const MIN_SQUARED_LENGTH: f32 = 1.0 / (1_u64 << 50) as f32;

impl<'a, 'b> Projection<'a, 'b> {
    pub(super) fn new(
        search: &'a IndexSearch<'a>,
        solids: &'a Solids<'a>,
        fan: &Fan,
        place: [f32; 2],
        reaches: [f32; 2],
        (packets, corners): (&'b mut [Packet], &'b mut Corners),
        spare: f32,
    ) -> Self {
        let ahead = map_each([0, 1], |axis: usize| packets[0].direction[axis][0]);
        let step = fan.step.abs();
        Self {
            search,
            solids,
            corners,
            place,
            reaches,
            ahead,
            side: if fan.step < 0.0 { -1.0 } else { 1.0 },
            rays: fan.rays() as f32,
            per_radian: (1.0 / step) as f32,
            turn: (f64::from(TAU) / step) as f32,
            packets,
            spare,
            total: 0,
        }
    }

    /// The shapes of a vector as seen from the sensor.
    #[inline(always)]
    fn seen<S: Simd>(&self, simd: S, items: RoundedItems<S>) -> Seen<S> {
        let (half, zero) = (simd.splat(0.5), simd.splat(0.0));
        let radius = items.radius(simd);
        let (mut middle, mut halves, mut gaps) = ([zero; 2], [zero; 2], [zero; 2]);
        let sides = [[items.min_x(), items.max_x()], [items.min_y(), items.max_y()]];
        for (axis, [min, max]) in sides.into_iter().enumerate() {
            let at = simd.splat(self.place[axis]);
            let (low, high) = (simd.sub(min, at), simd.sub(max, at));
            middle[axis] = simd.mul(simd.add(low, high), half);
            halves[axis] = simd.mul(simd.sub(high, low), half);
            gaps[axis] = simd.max(simd.max(low, simd.neg(high)), zero);
        }
        let length = length(simd, gaps);
        let [bound, _] = distance_bounds(simd, length, radius);
        Seen { middle, half: halves, radius, bound: simd.max(bound, zero) }
    }

    /// The rays that the shapes may cover.
    #[inline(always)]
    fn intervals<S: Simd>(&self, simd: S, shapes: Seen<S>) -> Intervals {
        /// The error of angles in radians, and more: of directions, of [`angle`], and of the sums
        /// in `f32`.
        const ANGLE_ERROR: f32 = 0.0005;
        let Seen { middle: [x, y], half: [half_x, half_y], radius, bound } = shapes;
        let splat = |value: f32| simd.splat(value);
        let (longer, shorter) = (simd.max(half_x, half_y), simd.min(half_x, half_y));
        // At least the diagonal.
        let diagonal = simd.add(longer, simd.mul(shorter, splat(0.414_215)));
        let size = simd.add(diagonal, radius);
        let distance = length(simd, [x, y]);
        let share = simd.div(simd.mul(size, splat(1.0001)), distance);
        // A shape at the sensor has no angle; its share is at least 1, or NaN. A distance whose
        // square loses bits to underflow says nothing.
        let apart =
            simd.and(simd.lt(share, splat(1.0)), simd.lt(splat(MIN_SQUARED_LENGTH), distance));
        let [ahead_x, ahead_y] = map_each(self.ahead, splat);
        let along = simd.add(simd.mul(ahead_x, x), simd.mul(ahead_y, y));
        let beside = simd.sub(simd.mul(ahead_x, y), simd.mul(ahead_y, x));
        let at = angle(simd, [along, simd.mul(beside, splat(self.side))]);
        let reach = simd.add(half_angle(simd, share), splat(ANGLE_ERROR));
        let per_radian = splat(self.per_radian);
        let (at, reach) = (simd.mul(at, per_radian), simd.mul(reach, per_radian));
        // The first turn in which the shape may be in front of a ray.
        let turned = simd.lt(simd.add(at, reach), splat(0.0));
        let at = simd.select(turned, simd.add(at, splat(self.turn)), at);
        let [zero, one, rays] = map_each([0.0, 1.0, self.rays], splat);
        let (low, high) = (simd.sub(at, reach), simd.add(simd.add(at, reach), one));
        let low = simd.select(apart, simd.max(low, zero), zero);
        let high = simd.select(apart, high, rays);
        // The shape may also be in front of the last rays of a whole turn.
        let again = simd.select(apart, simd.add(simd.sub(at, reach), splat(self.turn)), rays);
        let end = simd.add(high, splat(self.turn));
        let mut intervals = Intervals::default();
        let Intervals { rays: ends, middle, half, radius: radii, slack, entry } = &mut intervals;
        for (ray, end) in [low, high, again, end].into_iter().zip(ends) {
            simd.store_cells(simd.min(ray, rays), zero, 0, end, 0);
        }
        let width = simd.add(simd.add(half_x, half_y), radius);
        let far = simd.add(simd.add(simd.abs(x), simd.abs(y)), width);
        let ([middle_x, middle_y], [wide, high]) = (middle, half);
        let columns = [
            (x, middle_x),
            (y, middle_y),
            (half_x, wide),
            (half_y, high),
            (radius, radii),
            (simd.mul(far, splat(PACKET_SLACK)), slack),
            (simd.mul(bound, splat(1.0 - PACKET_SLACK)), entry),
        ];
        for (values, column) in columns {
            simd.store(values, column, 0);
        }
        intervals
    }

    /// Projects the shape of a lane.
    #[inline(always)]
    fn project<S: Simd>(&mut self, simd: S, intervals: &Intervals, lane: usize, place: usize) {
        let shape = Projected {
            middle: map_each([0, 1], |axis: usize| intervals.middle[axis][lane]),
            half: map_each([0, 1], |axis: usize| intervals.half[axis][lane]),
            radius: intervals.radius[lane],
            slack: intervals.slack[lane],
        };
        let least = intervals.entry[lane] - self.spare;
        for [from, to] in intervals.rays.as_chunks::<2>().0 {
            let (from, to) = (from[lane] as usize, to[lane] as usize);
            if from >= to {
                break;
            }
            let packets = from / PACKET..to.div_ceil(PACKET);
            let disc = shape.half == [0.0; 2];
            let cover = CoveredRays { packets: &mut self.packets[packets], least, place };
            if cover.packets.len() >= MIN_PACKETS_FOR_SIDES && !disc && self.solids.rotates() {
                let (solids, sensor) = (self.solids, Vector::wide(self.place));
                let corners = &mut *self.corners;
                simd.call(CoveredBySides { cover, shape, solids, sensor, corners });
                continue;
            }
            cover.by(simd, |packet, at| match disc {
                true => shape.disc(simd, packet, at),
                false => shape.slabs(simd, packet, at),
            });
        }
    }
}

/// Covers rays by the sides of a shape, or by its box if it is not rotated or has too many sides.
/// Apart from the code for circles and boxes, which is faster without it.
struct CoveredBySides<'a> {
    cover: CoveredRays<'a>,
    shape: Projected,
    solids: &'a Solids<'a>,
    sensor: Vector,
    corners: &'a mut Corners,
}

impl Kernel for CoveredBySides<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let Self { cover, shape, solids, sensor, corners } = self;
        let mut planes = None;
        solids.convex(cover.place, corners, &mut |solid| {
            planes = Planes::of(solid, sensor, shape.slack);
        });
        match planes {
            Some(planes) => cover.by(simd, |packet, at| planes.bound(simd, packet, at)),
            None => cover.by(simd, |packet, at| shape.slabs(simd, packet, at)),
        }
    }
}

/// The packets that a shape covers from which its sides are worth the time that they take: with
/// fewer, its box is as fast.
const MIN_PACKETS_FOR_SIDES: usize = 4;

impl EachVector for Projection<'_, '_> {
    #[inline(always)]
    fn take<S: Simd>(&mut self, simd: S, items: RoundedItems<S>, at: usize, valid: u32) {
        let shapes = self.seen(simd, items);
        let [before, reach] = map_each(self.reaches, |reach| simd.splat(reach));
        let within = simd.le(shapes.bound, reach);
        self.total += (simd.bits(within) & valid).count_ones() as usize;
        let mut bits = simd.bits(simd.and(simd.lt(before, shapes.bound), within)) & valid;
        if bits == 0 {
            return;
        }
        let intervals = self.intervals(simd, shapes);
        while bits != 0 {
            let lane = bits.trailing_zeros() as usize % MAX_LANES;
            if self.search.sees(at + lane) {
                self.project(simd, &intervals, lane, at + lane);
            }
            bits &= bits - 1;
        }
    }
}

/// Shapes as rounded boxes around the sensor, and lower bounds of their distances.
#[derive(Clone, Copy)]
struct Seen<S: Simd> {
    middle: [S::F32; 2],
    half: [S::F32; 2],
    radius: S::F32,
    bound: S::F32,
}

/// The numbers of the rays that the shapes of a vector may cover, and the values that test these
/// rays.
#[derive(Default)]
#[repr(align(64))]
struct Intervals {
    /// The first ray and the ray behind the last ray of two intervals; the second interval may be
    /// empty.
    rays: [[u32; MAX_LANES]; 4],
    middle: [[f32; MAX_LANES]; 2],
    half: [[f32; MAX_LANES]; 2],
    radius: [f32; MAX_LANES],
    slack: [f32; MAX_LANES],
    /// Less than the fractions at which rays enter the shape.
    entry: [f32; MAX_LANES],
}

/// The rays that a shape may cover.
struct CoveredRays<'a> {
    packets: &'a mut [Packet],
    /// Where all lowest bounds are below this, the shape is not looked at.
    least: f32,
    place: usize,
}

impl CoveredRays<'_> {
    /// Lowers the bounds of the rays to the bounds that `bound` tells for a vector of a packet.
    #[inline(always)]
    fn by<S: Simd>(self, simd: S, bound: impl Fn(&Packet, usize) -> S::F32) {
        const { assert!(PACKET.is_multiple_of(S::LANES), "a packet is whole vectors") };
        let (place, least) = (f32::from_bits(self.place as u32), simd.splat(self.least));
        let place = simd.splat(place);
        for packet in self.packets {
            for at in (0..PACKET).step_by(S::LANES) {
                let best = simd.load(&packet.lowest, at);
                if simd.bits(simd.le(least, best)) == 0 {
                    continue;
                }
                let bound = bound(packet, at);
                let Packet { lowest, shape, second, .. } = packet;
                let nearer = simd.lt(bound, best);
                simd.store(simd.min(simd.load(second, at), simd.max(bound, best)), second, at);
                simd.store(simd.select(nearer, place, simd.load(shape, at)), shape, at);
                simd.store(simd.min(bound, best), lowest, at);
            }
        }
    }
}

/// A shape as a rounded box around the sensor.
#[derive(Clone, Copy)]
struct Projected {
    middle: [f32; 2],
    half: [f32; 2],
    radius: f32,
    /// The error of its bounds.
    slack: f32,
}

impl Projected {
    /// Less than the fractions at which rays enter a disc; infinity for rays that miss it.
    #[inline(always)]
    fn disc<S: Simd>(&self, simd: S, packet: &Packet, at: usize) -> S::F32 {
        let [ux, uy] = map_each([0, 1], |axis: usize| simd.load(&packet.direction[axis], at));
        let (x, y) = (simd.splat(self.middle[0]), simd.splat(self.middle[1]));
        let (radius, slack) = (simd.splat(self.radius + self.slack), simd.splat(self.slack));
        let beside = simd.abs(simd.sub(simd.mul(ux, y), simd.mul(uy, x)));
        let along = simd.add(simd.mul(ux, x), simd.mul(uy, y));
        // (r - b)(r + b) does not cancel as r² - b² would.
        let inner = simd.mul(simd.sub(radius, beside), simd.add(radius, beside));
        let zero = simd.splat(0.0);
        // Products that lose bits to underflow are raised: the bound may be too low, not too high.
        let depth = simd.sqrt(simd.max(inner, simd.splat(MIN_SQUARED_LENGTH * MIN_SQUARED_LENGTH)));
        let ahead = simd.le(zero, simd.add(along, radius));
        let hit = simd.and(simd.le(beside, radius), ahead);
        let bound = simd.max(simd.sub(simd.sub(along, depth), slack), zero);
        simd.select(hit, bound, simd.splat(f32::INFINITY))
    }

    /// Less than the fractions at which rays enter a box, of which the corners are not rounded;
    /// infinity for rays that miss it.
    #[inline(always)]
    fn slabs<S: Simd>(&self, simd: S, packet: &Packet, at: usize) -> S::F32 {
        let inverse = map_each([0, 1], |axis: usize| simd.load(&packet.inverse[axis], at));
        let more = simd.splat(1.0 + PACKET_SLACK);
        let (zero, slack) = (simd.splat(0.0), simd.splat(self.slack));
        let mut enter = zero;
        let mut leave = simd.splat(f32::INFINITY);
        for axis in [0, 1] {
            let reach = self.half[axis] + self.radius + self.slack;
            let one = simd.mul(simd.splat(self.middle[axis] - reach), inverse[axis]);
            let other = simd.mul(simd.splat(self.middle[axis] + reach), inverse[axis]);
            enter = simd.max(enter, simd.min(one, other));
            leave = simd.min(leave, simd.max(one, other));
        }
        let hit = simd.le(enter, simd.mul(leave, more));
        let bound = simd
            .max(simd.sub(simd.sub(enter, simd.mul(enter, simd.splat(PACKET_SLACK))), slack), zero);
        simd.select(hit, bound, simd.splat(f32::INFINITY))
    }
}

/// The length of vectors.
#[inline(always)]
fn length<S: Simd>(simd: S, [x, y]: [S::F32; 2]) -> S::F32 {
    simd.sqrt(simd.add(simd.mul(x, x), simd.mul(y, y)))
}

/// The angles of vectors, from -π to π, within 2e-5.
///
/// On 0..=1 the arctangent is a polynomial (Abramowitz and Stegun, 1964, 4.4.49, shortened); the
/// other octants are mirrored.
#[inline(always)]
fn angle<S: Simd>(simd: S, [x, y]: [S::F32; 2]) -> S::F32 {
    let (wide, high) = (simd.abs(x), simd.abs(y));
    let (long, short) = (simd.max(wide, high), simd.min(wide, high));
    let ratio = simd.div(short, simd.max(long, simd.splat(f32::MIN_POSITIVE)));
    let square = simd.mul(ratio, ratio);
    let mut terms = simd.splat(0.020_835_1);
    for factor in [-0.085_133, 0.180_141, -0.330_299_5, 0.999_866] {
        terms = simd.add(simd.mul(terms, square), simd.splat(factor));
    }
    let zero = simd.splat(0.0);
    let angle = simd.mul(ratio, terms);
    let steep = simd.sub(simd.splat(FRAC_PI_2), angle);
    let angle = simd.select(simd.lt(wide, high), steep, angle);
    let angle = simd.select(simd.lt(x, zero), simd.sub(simd.splat(PI), angle), angle);
    simd.select(simd.lt(y, zero), simd.neg(angle), angle)
}

/// At least the arcsines of shares below 1. (The arcsine less its argument, as a share of the cube
/// of it, grows up to π/2 - 1.)
#[inline(always)]
fn half_angle<S: Simd>(simd: S, share: S::F32) -> S::F32 {
    let cube = simd.mul(simd.mul(share, share), share);
    simd.add(share, simd.mul(cube, simd.splat(0.570_8)))
}

/// Eight rays.
#[derive(Debug, Clone, Copy)]
#[repr(align(32))]
pub(super) struct Packet {
    pub(super) direction: [[f32; PACKET]; 2],
    /// The inverses of the parts of the directions, if some shapes have a core.
    pub(super) inverse: [[f32; PACKET]; 2],
    /// The lowest bound of each ray, the place of its shape as bits, and the second lowest bound.
    /// The lowest bounds of lanes beyond the last ray are 0.
    pub(super) lowest: [f32; PACKET],
    pub(super) shape: [f32; PACKET],
    pub(super) second: [f32; PACKET],
}

impl Packet {
    /// Rays that have met nothing.
    pub(super) const NONE: Self = Self {
        direction: [[0.0; PACKET]; 2],
        inverse: [[0.0; PACKET]; 2],
        lowest: [f32::INFINITY; PACKET],
        shape: [0.0; PACKET],
        second: [f32::INFINITY; PACKET],
    };
}

/// The error of bounds, as a share of the distance.
pub(super) const PACKET_SLACK: f32 = 2.0 * F32_SLACK as f32;

/// Half-planes whose intersection holds a convex shape. The sensor is at the origin.
#[derive(Default)]
pub(super) struct Planes {
    /// The number of planes that do not hold the sensor. They come first.
    outer: usize,
    count: usize,
    /// The normals, of length 1 within roundings, and how far the planes are along them.
    normal: [[f32; MAX_PLANES]; 2],
    offset: [f32; MAX_PLANES],
}

/// A shape of more sides is seen as its box.
const MAX_PLANES: usize = 8;

impl Planes {
    /// The planes of a solid around a sensor at `origin`, each further out by `slack`; `None` if
    /// the solid has no corners, or too many corners.
    pub(super) fn of(solid: &Solid<'_>, origin: Vector, slack: f32) -> Option<Self> {
        let mut planes = Self::default();
        match solid.corners {
            [from, to] => {
                // A segment also has planes at its ends.
                let way = *to - *from;
                for normal in [way.perp(), -way.perp(), way, -way] {
                    planes.add(solid, origin, normal, slack);
                }
            }
            corners @ [_, _, _, ..] if corners.len() <= MAX_PLANES => {
                for (number, from) in corners.iter().enumerate() {
                    let to = corners[(number + 1) % corners.len()];
                    planes.add(solid, origin, -(to - *from).perp(), slack);
                }
            }
            _ => return None,
        }
        Some(planes)
    }

    /// Adds the plane that a solid touches from inside, with an outward normal of any length.
    fn add(&mut self, solid: &Solid<'_>, origin: Vector, normal: Vector, slack: f32) {
        let Some(normal) = normal.unit() else { return };
        // All corners are measured along the rounded normal, which leans a little.
        let [x, y] = normal.narrow();
        let normal = Vector::wide([x, y]);
        let along = solid.corners.iter().map(|corner| normal.dot(*corner - origin));
        let furthest = along.fold(f64::NEG_INFINITY, f64::max);
        let offset = (furthest + solid.radius) as f32 + slack;
        let at = if offset < 0.0 { self.outer } else { self.count };
        let [xs, ys] = &mut self.normal;
        (xs[self.count], ys[self.count], self.offset[self.count]) =
            (xs[at], ys[at], self.offset[at]);
        (xs[at], ys[at], self.offset[at]) = (x, y, offset);
        self.outer += usize::from(offset < 0.0);
        self.count += 1;
    }

    /// Less than the fractions at which rays enter the shape; infinity for rays that miss it.
    ///
    /// A ray enters where it has entered all planes that do not hold the sensor, if it has not left
    /// another plane by then. [`PACKET_SLACK`] is more than the error of the cosine between a ray
    /// and a normal, and is taken from the side that makes the bound lower.
    #[inline(always)]
    pub(super) fn bound<S: Simd>(&self, simd: S, packet: &Packet, at: usize) -> S::F32 {
        let [ux, uy] = map_each([0, 1], |axis: usize| simd.load(&packet.direction[axis], at));
        let (zero, slack) = (simd.splat(0.0), simd.splat(PACKET_SLACK));
        let (mut enter, mut leave) = (zero, simd.splat(f32::INFINITY));
        for plane in 0..self.count {
            let [x, y] = [simd.splat(self.normal[0][plane]), simd.splat(self.normal[1][plane])];
            let cosine = simd.add(simd.mul(ux, x), simd.mul(uy, y));
            let offset = simd.splat(self.offset[plane]);
            if plane < self.outer {
                // A ray that does not come nearer to the plane never enters it.
                let steep = simd.max(simd.sub(slack, cosine), zero);
                enter = simd.max(enter, simd.div(simd.neg(offset), steep));
            } else {
                let steep = simd.max(simd.sub(cosine, slack), simd.splat(f32::MIN_POSITIVE));
                leave = simd.min(leave, simd.div(offset, steep));
            }
        }
        let least = simd.mul(enter, simd.splat(1.0 - PACKET_SLACK));
        simd.select(simd.le(least, leave), least, simd.splat(f32::INFINITY))
    }
}

/// A fan of rays with equal angular steps, as a lidar casts them.
///
/// Ray `k` has the angle `first_angle + k * step` from the heading of the sensor, in radians,
/// counter-clockwise where y points up.
///
/// ```
/// use widephase::{Columns, Fan, Index, Queries, columns::ScanColumns, shape::Pose};
///
/// let index = Index::build(Columns::circles(&[5.0, 0.0], &[0.0, -3.0], &[1.0, 1.0])?)?;
/// // Four rays, a right angle apart, up to 10 away.
/// let fan = Fan::around(4, 10.0);
/// let mut scan = ScanColumns::new();
/// index.scan(&fan, &[Pose::at([0.0, 0.0])], &mut scan)?;
/// assert_eq!(scan.range, [4.0, f32::INFINITY, f32::INFINITY, 2.0]);
/// assert_eq!((scan.row[0], scan.row[1], scan.row[3]), (0, ScanColumns::NO_ROW, 1));
/// # Ok::<(), widephase::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Fan {
    /// The directions of the rays of a sensor without rotation.
    directions: Vec<[f32; 2]>,
    pub(super) first_angle: f64,
    pub(super) step: f64,
    max_range: f32,
}

impl Fan {
    /// A fan of `rays` rays. `first_angle` is the angle of the first ray, and `step` the angle from
    /// one ray to the next, in radians. `max_range` is the largest distance, at least 0; infinity
    /// for no limit. The values are checked by [`Queries::scan`](crate::Queries::scan).
    ///
    /// Allocates 8 bytes a ray. Sine and cosine come from the platform, as in
    /// [`Rotation::from_angle`].
    pub fn new(rays: usize, first_angle: f32, step: f32, max_range: f32) -> Self {
        Self::of(rays, f64::from(first_angle), f64::from(step), max_range)
    }

    /// A fan of `rays` rays all around, the first one straight ahead.
    pub fn around(rays: usize, max_range: f32) -> Self {
        Self::of(rays, 0.0, std::f64::consts::TAU / rays.max(1) as f64, max_range)
    }

    fn of(rays: usize, first_angle: f64, step: f64, max_range: f32) -> Self {
        /// Sines and cosines below this are zeros: a multiple of π/2 in `f64` is off by less.
        const MIN_SINE: f64 = 1e-15;
        let directions = (0..rays).map(|ray| {
            let (sin, cos) = (first_angle + ray as f64 * step).sin_cos();
            // A quarter turn is exact.
            map_each([cos, sin], |part| if part.abs() < MIN_SINE { 0.0 } else { part as f32 })
        });
        Self { directions: directions.collect(), first_angle, step, max_range }
    }

    /// The number of rays.
    pub fn rays(&self) -> usize {
        self.directions.len()
    }

    /// The largest distance.
    pub fn max_range(&self) -> f32 {
        self.max_range
    }

    /// A ray of the fan of a sensor at `pose`: its direction is [`Rotation::apply`] of the
    /// direction of the fan, of length 1 within roundings. (0, 0) for a number beyond the rays.
    pub fn ray(&self, pose: Pose, number: usize) -> Ray {
        let direction = self.direction(heading(pose), number);
        Ray::new([pose.x, pose.y], direction).up_to(self.max_range)
    }

    /// The directions of the rays of a sensor without rotation.
    pub(super) fn directions(&self) -> &[[f32; 2]] {
        &self.directions
    }

    /// The direction of a ray of a sensor with this rotation.
    #[inline]
    pub(super) fn direction(&self, heading: Rotation, number: usize) -> [f32; 2] {
        heading.apply(self.directions.get(number).copied().unwrap_or_default())
    }

    pub(super) fn check(&self) -> Result<(), Error> {
        for angle in [self.first_angle, self.step] {
            if !angle.is_finite() {
                let (field, value) = (Field::Angle, angle as f32);
                let fault = if angle.is_nan() { Fault::NotANumber } else { Fault::Infinite };
                return Err(Error::InvalidQuery { index: 0, field, value, fault });
            }
        }
        check_most(0, Field::MaxRange, self.max_range)
    }
}

/// The rotation of a sensor, at length 1.
pub(super) fn heading(pose: Pose) -> Rotation {
    Rotation { cos: pose.cos, sin: pose.sin }.at_length_one()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_names_the_range() {
        for (value, fault) in [(-1.0, Fault::Negative), (f32::NAN, Fault::NotANumber)] {
            let Err(Error::InvalidQuery { index: 0, field, fault: found, .. }) =
                Fan::around(4, value).check()
            else {
                panic!("a range of {value}");
            };
            assert_eq!((field, found), (Field::MaxRange, fault));
        }
        assert_eq!(Fan::around(4, f32::INFINITY).check(), Ok(()));
    }
}
