//! Circles that move: where one circle stops the other, for eight pairs at a time.
//!
//! In plain words, for each pair, with a disc as the obstacle and the relative motion as a path
//! from the origin (`stop.rs` has the rule for all shapes):
//!
//! ```text
//! the path starts in the disc: they stop each other if somewhere on it the circles are deeper in
//!     each other than at its start, and if it leads against the contact of the narrowphase
//! else the path enters the disc: they stop each other there, unless it may graze the disc
//! ```
//!
//! For speed, each step is a plain loop over eight lanes without a branch: compiled for a SIMD
//! level, it becomes vector code. Each lane runs the operations of `stop.rs` in the same order. The
//! rare pairs that this does not decide are left to `stop.rs`: two points, circles that touch in
//! `f64` but not by the roundings of the narrowphase, and paths that may graze.

use super::{circles::CircleCircle, lanes::Vectors, obstacle_path::TOLERATED_SHARE};
use crate::{
    base::{F32_SLACK, F64_SLACK, higher, lower},
    geometry::{Path, Vector, nearest_on, touching_point_of_discs},
    simd::{HALF_LANES, Simd},
};

/// Circles and their displacements, as columns.
pub(crate) struct CircleLanes {
    pub(crate) x: [f32; HALF_LANES],
    pub(crate) y: [f32; HALF_LANES],
    pub(crate) radius: [f32; HALF_LANES],
    pub(crate) dx: [f32; HALF_LANES],
    pub(crate) dy: [f32; HALF_LANES],
}

/// Where circles stop each other. A lane is bit `lane` of each mask.
#[derive(Default)]
pub(crate) struct CircleHits {
    /// The pairs that stop each other.
    pub(crate) hits: u32,
    /// The pairs that are not decided.
    pub(crate) open: u32,
    /// For pairs that stop each other: the fraction, the point and the normal, as in a
    /// [`Hit`](super::Hit).
    pub(crate) values: [[f32; HALF_LANES]; 5],
}

/// Contacts of circles, as columns: the point and the normal, which points to the second circle.
struct ContactValues {
    touching: u32,
    values: [[f32; HALF_LANES]; 4],
}

/// Two circles that move, in `f64`.
#[derive(Clone, Copy)]
struct TwoCircles {
    centers: [Vector; 2],
    radii: [f64; 2],
    moves: [Vector; 2],
    /// The centre and the radius of the obstacle.
    center: Vector,
    radius: f64,
    path: Path,
}

/// The part of a path beside an obstacle: an [`ObstaclePath`](super::obstacle_path::ObstaclePath)
/// for a disc.
#[derive(Clone, Copy)]
struct DiscPath {
    end: Vector,
    tolerance: Vector,
}

/// A `DiscPath` for the pair of each lane, and the fractions at which the paths enter.
#[derive(Default)]
struct PathLanes {
    fraction: [f64; HALF_LANES],
    /// The end, then the tolerance.
    parts: [[f64; HALF_LANES]; 4],
}

/// Decides eight pairs of circles. Pairs that are not in the mask `sweeps` stop each other only at
/// the start.
#[inline(always)]
pub(crate) fn circle_hits<S: Simd>(simd: S, circles: [&CircleLanes; 2], sweeps: u32) -> CircleHits {
    let ContactValues { touching, values: [x, y, normal_x, normal_y] } = contacts(simd, circles);
    let mut paths = PathLanes::default();
    let [mut at_start, mut deeper, mut later, mut points] = [0; 4];
    for lane in 0..HALF_LANES {
        let two = TwoCircles::of(circles, lane);
        let fraction = two.path.fraction_or_infinity(two.center, two.radius);
        let way = DiscPath::new(&two);
        paths.fraction[lane] = fraction;
        paths.parts[0][lane] = way.end.x;
        paths.parts[1][lane] = way.end.y;
        paths.parts[2][lane] = way.tolerance.x;
        paths.parts[3][lane] = way.tolerance.y;
        points |= u32::from(two.radius == 0.0) << lane;
        at_start |= u32::from(fraction == 0.0) << lane;
        later |= u32::from((fraction > 0.0) & (fraction < f64::INFINITY)) << lane;
        deeper |= u32::from(way.leads_deeper(&two)) << lane;
    }
    let mut against = 0;
    for lane in 0..HALF_LANES {
        let normal = Vector::wide([normal_x[lane], normal_y[lane]]);
        against |= u32::from(paths.at(lane).leads_along(normal)) << lane;
    }
    let stopped = at_start & deeper;
    let mut found = CircleHits {
        hits: stopped & touching & against & !points,
        open: stopped & !touching | points,
        values: [[0.0; HALF_LANES], x, y, normal_x, normal_y],
    };
    let [_, _, _, normals @ ..] = &mut found.values;
    for part in normals.as_flattened_mut() {
        *part = 0.0 - *part;
    }
    later &= sweeps & !points;
    if later != 0 {
        enter(circles, &paths, later, &mut found);
    }
    found
}

/// Adds the hits of the lanes `later`, whose paths enter their obstacles after the start.
#[inline(always)]
fn enter(circles: [&CircleLanes; 2], paths: &PathLanes, later: u32, found: &mut CircleHits) {
    let mut unclear = 0;
    let mut values = [[0.0; HALF_LANES]; 5];
    for (lane, &fraction) in paths.fraction.iter().enumerate() {
        let two = TwoCircles::of(circles, lane);
        let moved = two.path.at(fraction);
        let outward = moved - two.center;
        let length = outward.length();
        let normal = outward / length;
        let point = touching_point_of_discs(two.centers, two.radii[1], moved, normal);
        let [x, y] = (point + two.moves[1] * fraction).narrow();
        let [normal_x, normal_y] = normal.narrow();
        values[0][lane] = fraction as f32 + 0.0;
        values[1][lane] = x;
        values[2][lane] = y;
        values[3][lane] = normal_x;
        values[4][lane] = normal_y;
        let is_unclear = paths.at(lane).may_graze(&two) | (length == 0.0);
        unclear |= u32::from(is_unclear) << lane;
    }
    for (column, values) in found.values.iter_mut().zip(values) {
        for (lane, (kept, value)) in column.iter_mut().zip(values).enumerate() {
            *kept = if later >> lane & 1 != 0 { value } else { *kept };
        }
    }
    found.hits |= later & !unclear;
    found.open |= later & unclear;
}

/// The contacts of the narrowphase, by the same kernel. As `LaneBatch` orders them, the first
/// circle is the one further left, or further down.
#[inline(always)]
fn contacts<S: Simd>(simd: S, [own, other]: [&CircleLanes; 2]) -> ContactValues {
    let mut found = ContactValues { touching: 0, values: [[0.0; HALF_LANES]; 4] };
    let zeros = Vectors { x: simd.splat(0.0), y: simd.splat(0.0) };
    for at in (0..HALF_LANES).step_by(S::LANES) {
        let a = Vectors { x: simd.load(&own.x, at), y: simd.load(&own.y, at) };
        let b = Vectors { x: simd.load(&other.x, at), y: simd.load(&other.y, at) };
        let radii = [simd.load(&own.radius, at), simd.load(&other.radius, at)];
        let is_lower = simd.and(simd.le(b.x, a.x), simd.lt(b.y, a.y));
        let exchanged = simd.or(simd.lt(b.x, a.x), is_lower);
        let first = Vectors::select(simd, exchanged, b, a);
        let second = Vectors::select(simd, exchanged, a, b);
        let radii = [
            simd.select(exchanged, radii[1], radii[0]),
            simd.select(exchanged, radii[0], radii[1]),
        ];
        let contact = CircleCircle::manifold(simd, second.minus(simd, first), radii, true);
        let point = contact.points[0].at.plus(simd, first).plus(simd, zeros);
        let [back, normal] = [zeros.minus(simd, contact.normal), contact.normal.plus(simd, zeros)];
        let normal = Vectors::select(simd, exchanged, back, normal);
        let values = [point.x, point.y, normal.x, normal.y];
        for (column, value) in found.values.iter_mut().zip(values) {
            simd.store(value, column, at);
        }
        found.touching |= simd.bits(contact.hit) << at;
    }
    found
}

impl CircleLanes {
    #[inline(always)]
    pub(crate) fn center(&self, lane: usize) -> Vector {
        Vector::wide([self.x[lane], self.y[lane]])
    }

    /// The displacement.
    #[inline(always)]
    pub(crate) fn by(&self, lane: usize) -> Vector {
        Vector::wide([self.dx[lane], self.dy[lane]])
    }
}

impl TwoCircles {
    #[inline(always)]
    fn of([own, other]: [&CircleLanes; 2], lane: usize) -> Self {
        let centers = [own.center(lane), other.center(lane)];
        let radii = [f64::from(own.radius[lane]), f64::from(other.radius[lane])];
        let moves = [own.by(lane), other.by(lane)];
        Self {
            centers,
            radii,
            moves,
            center: centers[1] - centers[0],
            radius: radii[0] + radii[1],
            path: Path::new(Vector::ZERO, moves[0] - moves[1], 1.0),
        }
    }

    /// The largest coordinate of each circle that moves, along each axis: of the first circle, if
    /// neither moves.
    #[inline(always)]
    fn reach(&self) -> Vector {
        let [_, other] = self.moves;
        let other_moves = (other.x != 0.0) | (other.y != 0.0);
        let own_way = self.path.direction + other;
        let own_moves = !other_moves | (own_way.x != 0.0) | (own_way.y != 0.0);
        let (one, two) = (self.extent(0, own_moves), self.extent(1, other_moves));
        Vector::new(higher(one.x, two.x), higher(one.y, two.y))
    }

    /// The largest coordinate of a circle, along each axis; 0 if it does not move.
    #[inline(always)]
    fn extent(&self, circle: usize, moves: bool) -> Vector {
        let (center, radius) = (self.centers[circle], self.radii[circle]);
        let extent = Vector::new(center.x.abs() + radius, center.y.abs() + radius);
        if moves { extent } else { Vector::ZERO }
    }
}

impl DiscPath {
    #[inline(always)]
    fn new(two: &TwoCircles) -> Self {
        let Path { direction, length2, .. } = two.path;
        let along = direction.dot(two.center);
        let last = higher(along / length2 + two.radius / length2.sqrt(), 0.0);
        let until = if length2 > 0.0 { lower(last, 1.0) } else { 1.0 };
        let end = direction * until;
        let (reach, most) = (two.reach(), 2.0 * two.radius * TOLERATED_SHARE);
        let x = lower((reach.x + end.x.abs()) * F32_SLACK, most);
        let y = lower((reach.y + end.y.abs()) * F32_SLACK, most);
        Self { end, tolerance: Vector::new(x, y) }
    }

    /// The tolerance along a vector, times its length.
    #[inline(always)]
    fn tolerance_along(&self, normal: Vector) -> f64 {
        normal.x.abs() * self.tolerance.x + normal.y.abs() * self.tolerance.y
    }

    /// Whether the path leads further along a normal than the tolerance.
    #[inline(always)]
    fn leads_along(&self, normal: Vector) -> bool {
        normal.dot(self.end) > self.tolerance_along(normal)
    }

    /// Whether the circles are deeper in each other somewhere on the path than at its start, by
    /// more than the tolerance.
    #[inline(always)]
    fn leads_deeper(&self, two: &TwoCircles) -> bool {
        let Self { end, .. } = *self;
        let apart = two.center - nearest_on([Vector::ZERO, end], two.center);
        let length = apart.length();
        let tolerance = self.tolerance_along(apart / length);
        let tolerance = if length > 0.0 { tolerance } else { 0.0 };
        let (way, start) = (two.radius - length - tolerance, two.radius - two.center.length());
        (two.center.dot(end) > 0.0) & (way > higher(start, 0.0))
    }

    /// Whether the path may graze the obstacle: whether on one side of its line the obstacle may be
    /// narrower than the tolerance. The widths are times the length of the path.
    #[inline(always)]
    fn may_graze(&self, two: &TwoCircles) -> bool {
        let Path { direction, length2, .. } = two.path;
        let (height, radius) = (direction.cross(two.center), two.radius * length2.sqrt());
        let least = radius - height.abs();
        let error = (height.abs() + radius) * F64_SLACK;
        least <= 2.0 * self.tolerance_along(direction.perp()) + error
    }
}

impl PathLanes {
    #[inline(always)]
    fn at(&self, lane: usize) -> DiscPath {
        let [end_x, end_y, x, y] = &self.parts;
        DiscPath {
            end: Vector::new(end_x[lane], end_y[lane]),
            tolerance: Vector::new(x[lane], y[lane]),
        }
    }
}
