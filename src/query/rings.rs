//! `ScanRings`: the shapes around a sensor, projected onto the rays of its fan.

use std::f32::consts::{FRAC_PI_2, PI, TAU};

use super::{
    fan::{Fan, heading},
    search::IndexSearch,
};
use crate::{
    shape::{Pose, Rotation, RoundedBox},
    simd::{Kernel, MAX_LANES, Simd, map_each},
};

/// For each ray of a fan, the shape that it may hit first.
///
/// In plain words:
///
/// ```text
/// for each ring around the sensor, until every ray ends before it:
///     for each shape of the ring:
///         for each ray that the shape may cover:
///             bound = a little less than the distance at which the ray may enter its box
///             keep the lowest bound of the ray, its shape, and the second lowest bound
/// ```
///
/// Rays are tested by whole vectors. The bounds are `f32` and slightly too low, so a shape with a
/// higher bound than the exact distance of another one is not hit first.
#[derive(Debug, Default)]
pub(super) struct ScanRings {
    /// The direction of each ray, and the inverses of its parts. Padded to whole vectors.
    directions: [Vec<f32>; 2],
    inverses: [Vec<f32>; 2],
    /// The lowest bound of each ray, the number of its shape in `places`, and the second lowest
    /// bound.
    lowest: Vec<f32>,
    shape: Vec<f32>,
    second: Vec<f32>,
    /// The places of the shapes.
    places: Vec<u32>,
    /// Shapes further away have not been seen.
    seen: f32,
}

/// The shape that a ray may hit first.
pub(super) struct NearestHit {
    pub(super) place: usize,
    /// No other shape is hit at a smaller fraction.
    pub(super) others: f32,
}

/// A fan of fewer rays is not worth a sweep.
const FEW_RAYS: usize = 16;

/// The least step of a sweep, in radians.
const LEAST_STEP: f64 = 1e-6;

/// The largest magnitude of the angles of a sweep. Up to it, the sums of the first angle and some
/// steps are off by less than 2^-13 radians, so the directions turn by equal steps within
/// [`ANGLE_ERROR`].
const MOST_ANGLE: f64 = (1_u64 << 38) as f64;

/// More shapes than an `f32` can number.
const MOST_SHAPES: usize = 1 << 24;

/// Shapes that are expected in the first ring.
const FIRST_RING: usize = 48;

/// The error of bounds, as a share of the distance.
const SLACK: f32 = 1.0 / (1 << 19) as f32;

impl ScanRings {
    /// Projects the shapes of an index onto the rays of a fan. Returns false for fans that are
    /// swept ray by ray instead: of few rays, of more than a full turn, or of angles so large that
    /// their steps are unequal.
    pub(super) fn sweep(&mut self, search: &IndexSearch<'_>, fan: &Fan, pose: Pose) -> bool {
        let rays = fan.rays();
        let turn = fan.step * (rays.max(1) - 1) as f64;
        let regular =
            fan.step >= LEAST_STEP && turn <= f64::from(TAU) && fan.first_angle.abs() <= MOST_ANGLE;
        if rays < FEW_RAYS || !regular || search.len() == 0 {
            return false;
        }
        self.begin(fan, heading(pose));
        let origin = map_each([pose.x, pose.y], f64::from);
        // Directions have length 1 within roundings, so a ray may end a little further away.
        let range = f64::from(fan.max_range()) * (1.0 + f64::from(SLACK));
        let (mut before, mut reach) = (-1.0, search.grid().reach_of(FIRST_RING).min(range));
        let mut total = 0;
        loop {
            let first = self.places.len();
            let places = &mut self.places;
            let around = RoundedBox {
                min_x: pose.x,
                min_y: pose.y,
                max_x: pose.x,
                max_y: pose.y,
                radius: ((reach * 1.0001) as f32).next_up(),
            };
            search.around(&around, &mut |place| {
                let distance = search.distance_from(origin, place);
                if before < distance && distance <= reach {
                    total += 1;
                    if search.sees(place) {
                        places.push(place as u32);
                    }
                }
            });
            if places.len() > MOST_SHAPES {
                return false;
            }
            search.dispatch(Project { search, fan, pose, first, rings: self });
            self.seen = (reach * (1.0 - f64::from(SLACK))) as f32;
            let open = |lowest: &f32| *lowest > self.seen;
            if reach >= range || total == search.len() || !self.lowest[..rays].iter().any(open) {
                break;
            }
            (before, reach) = (reach, (reach * 2.0).min(range));
        }
        if total == search.len() || reach >= range {
            self.seen = f32::INFINITY;
        }
        true
    }

    /// Clears the rays of a fan.
    fn begin(&mut self, fan: &Fan, heading: Rotation) {
        let padded = fan.rays().next_multiple_of(MAX_LANES);
        for column in self.directions.iter_mut().chain(&mut self.inverses) {
            column.clear();
        }
        for number in 0..padded {
            let [dx, dy] = fan.direction(heading, number.min(fan.rays() - 1));
            self.directions[0].push(dx);
            self.directions[1].push(dy);
            self.inverses[0].push(inverse(dx));
            self.inverses[1].push(inverse(dy));
        }
        for bounds in [&mut self.lowest, &mut self.second] {
            bounds.clear();
            bounds.resize(padded, f32::INFINITY);
        }
        self.shape.clear();
        self.shape.resize(padded, 0.0);
        self.places.clear();
    }

    /// The shape that a ray may hit first, or `None` if it hits nothing.
    pub(super) fn nearest(&self, ray: usize) -> Option<NearestHit> {
        if self.lowest[ray] == f32::INFINITY {
            return None;
        }
        let place = self.places[self.shape[ray] as usize] as usize;
        Some(NearestHit { place, others: self.second[ray].min(self.seen) })
    }
}

/// A length above which squares lose no bits to underflow.
const UNDERFLOW: f32 = 1.0 / (1_u64 << 50) as f32;

/// The inverse of a part of a direction. It is finite.
fn inverse(part: f32) -> f32 {
    1.0 / if part.abs() < LEAST { LEAST.copysign(part) } else { part }
}

/// The least magnitude of a part of a direction that is inverted.
const LEAST: f32 = 1e-30;

/// Projects the shapes from number `first` on.
struct Project<'a, 'b> {
    search: &'a IndexSearch<'a>,
    fan: &'a Fan,
    pose: Pose,
    first: usize,
    rings: &'b mut ScanRings,
}

impl Kernel for Project<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let Self { search, fan, pose, first, rings } = self;
        let columns = search.grid().rounded();
        let rays = fan.rays();
        // Angles are measured from the first ray, whatever its own angle is.
        let [ahead_x, ahead_y] = [rings.directions[0][0], rings.directions[1][0]];
        let step = fan.step as f32;
        // The error of the angle of a shape, in rays, and a ray more.
        let spare = ANGLE_ERROR / step + 1.0;
        let whole_turn = TAU / step;
        for number in first..rings.places.len() {
            let body = columns.rounded_box(rings.places[number] as usize);
            let [left, right] = [body.min_x - pose.x, body.max_x - pose.x];
            let [low, high] = [body.min_y - pose.y, body.max_y - pose.y];
            let middle = [(left + right) * 0.5, (low + high) * 0.5];
            let half = [(right - left) * 0.5, (high - low) * 0.5];
            let size = half[0] + half[1] + body.radius;
            let distance = (middle[0] * middle[0] + middle[1] * middle[1]).sqrt();
            let shape = Projected {
                number: number as f32,
                middle,
                half,
                radius: body.radius,
                slack: (middle[0].abs() + middle[1].abs() + size) * SLACK,
            };
            let share = size * 1.0001 / distance;
            // A shape at the sensor has no angle; its share is at least 1, or NaN. A distance whose
            // square loses bits to underflow says nothing.
            let apart = share < 1.0 && distance > UNDERFLOW;
            if !apart {
                shape.cover(simd, rings, [0, rays]);
                continue;
            }
            let rotated = [
                ahead_x * middle[0] + ahead_y * middle[1],
                ahead_x * middle[1] - ahead_y * middle[0],
            ];
            let at = angle(rotated) / step;
            let reach = half_angle(share) / step + spare;
            // The first turn in which the shape may be in front of a ray.
            let mut at = at - (((at + reach) / whole_turn).floor()) * whole_turn;
            while at - reach < rays as f32 {
                let from = (at - reach).max(0.0) as usize;
                let to = (at + reach + 1.0).clamp(0.0, rays as f32) as usize;
                shape.cover(simd, rings, [from, to]);
                at += whole_turn;
            }
        }
    }
}

/// A shape as a rounded box around the sensor.
struct Projected {
    number: f32,
    middle: [f32; 2],
    half: [f32; 2],
    radius: f32,
    /// The error of its bounds.
    slack: f32,
}

impl Projected {
    /// Lowers the bounds of the rays of some vectors: vectors that hold a ray of the range.
    #[inline(always)]
    fn cover<S: Simd>(&self, simd: S, rings: &mut ScanRings, [from, to]: [usize; 2]) {
        let ScanRings { directions, inverses, lowest, shape, second, .. } = rings;
        let disc = self.half == [0.0; 2];
        let number = simd.splat(self.number);
        let mut at = from / S::LANES * S::LANES;
        while at < to {
            let bound = if disc {
                self.disc(simd, simd.load(&directions[0], at), simd.load(&directions[1], at))
            } else {
                let inverse = [simd.load(&inverses[0], at), simd.load(&inverses[1], at)];
                self.slabs(simd, inverse)
            };
            let (best, next) = (simd.load(lowest, at), simd.load(second, at));
            let nearer = simd.lt(bound, best);
            simd.store(simd.min(next, simd.max(bound, best)), second, at);
            simd.store(simd.select(nearer, number, simd.load(shape, at)), shape, at);
            simd.store(simd.min(bound, best), lowest, at);
            at += S::LANES;
        }
    }

    /// Less than the fractions at which rays enter a disc; infinity for rays that miss it.
    #[inline(always)]
    fn disc<S: Simd>(&self, simd: S, ux: S::F32, uy: S::F32) -> S::F32 {
        let (x, y) = (simd.splat(self.middle[0]), simd.splat(self.middle[1]));
        let (radius, slack) = (simd.splat(self.radius + self.slack), simd.splat(self.slack));
        let beside = simd.abs(simd.sub(simd.mul(ux, y), simd.mul(uy, x)));
        let along = simd.add(simd.mul(ux, x), simd.mul(uy, y));
        // (r - b)(r + b) does not cancel as r² - b² would.
        let inner = simd.mul(simd.sub(radius, beside), simd.add(radius, beside));
        let zero = simd.splat(0.0);
        // Products that lose bits to underflow are raised: the bound may be too low, not too high.
        let depth = simd.sqrt(simd.max(inner, simd.splat(UNDERFLOW * UNDERFLOW)));
        let ahead = simd.le(zero, simd.add(along, radius));
        let hit = simd.and(simd.le(beside, radius), ahead);
        let bound = simd.max(simd.sub(simd.sub(along, depth), slack), zero);
        simd.select(hit, bound, simd.splat(f32::INFINITY))
    }

    /// Less than the fractions at which rays enter a box, of which the corners are not rounded;
    /// infinity for rays that miss it.
    #[inline(always)]
    fn slabs<S: Simd>(&self, simd: S, inverse: [S::F32; 2]) -> S::F32 {
        let more = simd.splat(1.0 + SLACK);
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
        let bound =
            simd.max(simd.sub(simd.sub(enter, simd.mul(enter, simd.splat(SLACK))), slack), zero);
        simd.select(hit, bound, simd.splat(f32::INFINITY))
    }
}

/// The error of [`angle`], in radians, and more.
const ANGLE_ERROR: f32 = 0.001;

/// The angle of a vector, from -π to π, within [`ANGLE_ERROR`].
///
/// On 0..=1 the arctangent is a polynomial (Abramowitz and Stegun, 1964, 4.4.49, shortened); the
/// other octants are mirrored.
#[inline(always)]
fn angle([x, y]: [f32; 2]) -> f32 {
    let (wide, high) = (x.abs(), y.abs());
    let ratio = wide.min(high) / wide.max(high).max(f32::MIN_POSITIVE);
    let square = ratio * ratio;
    let terms = 0.999_866
        + square
            * (-0.330_299_5 + square * (0.180_141 + square * (-0.085_133 + square * 0.020_835_1)));
    let angle = ratio * terms;
    let angle = if high > wide { FRAC_PI_2 - angle } else { angle };
    let angle = if x < 0.0 { PI - angle } else { angle };
    if y < 0.0 { -angle } else { angle }
}

/// At least the arcsine of a share below 1.
#[inline(always)]
fn half_angle(share: f32) -> f32 {
    if share < 0.7 { share / (1.0 - share * share).sqrt() } else { share * FRAC_PI_2 }
}
