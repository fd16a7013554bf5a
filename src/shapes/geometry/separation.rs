//! How far apart two convex shapes are, where they touch, and the difference of two convex cores.

use std::cmp::Ordering;

use super::{
    exact::{MAX_CORNERS_TRIED, cores_touch},
    solid::{Solid, sides},
    vector::{Border, Vector},
};
use crate::{
    base::{F64_SLACK, gap, rounded_distance},
    shape::RoundedBox,
    simd::map_each,
};

/// The shortest connection of two solids that are apart.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Separation {
    /// The distance of the surfaces, above 0.
    pub(crate) distance: f64,
    /// The ends of the connection, on the surface of each solid.
    pub(crate) points: [Vector; 2],
    /// The direction from the first solid to the second.
    pub(crate) normal: Vector,
}

/// The distance of two solids: 0 if they touch.
pub(crate) fn distance(a: &Solid<'_>, b: &Solid<'_>) -> f64 {
    let radius = a.radius + b.radius;
    if let (Some(a), Some(b)) = (a.aligned, b.aligned) {
        return distance_of_boxes(a, b, radius);
    }
    let from_point = match (a.corners, b.corners) {
        ([point], [start, end]) | ([start, end], [point]) => {
            distance_of_segment(*point, [*start, *end], radius)
        }
        _ => None,
    };
    from_point.unwrap_or_else(|| separation(a, b).map_or(0.0, |separation| separation.distance))
}

/// The distance of a point and a segment, less the sum of the radii around them, as [`separation`]
/// computes it; 0 if they touch. `None` if the point is so near that it may be on the segment,
/// which only exact arithmetic can tell.
fn distance_of_segment(point: Vector, [start, end]: [Vector; 2], radius: f64) -> Option<f64> {
    let ends = [start, end, nearest_on([start, end], point), nearest_on([end, start], point)];
    let [a, b, c, d] = map_each(ends, |near| (near - point).length2());
    let length2 = a.min(b).min(c.min(d));
    let far = map_each([start, end, point], |corner| corner.x.abs().max(corner.y.abs()));
    let slack = F64_SLACK * far[0].max(far[1]).max(far[2]);
    (length2 > slack * slack).then(|| (length2.sqrt() - radius).max(0.0))
}

/// The distance of two boxes, each given by two corners, less the sum of the radii around them; 0
/// if they touch.
#[inline]
pub(crate) fn distance_of_boxes(
    [a_min, a_max]: [Vector; 2],
    [b_min, b_max]: [Vector; 2],
    radius: f64,
) -> f64 {
    let x = gap([a_min.x, a_max.x], [b_min.x, b_max.x]);
    let y = gap([a_min.y, a_max.y], [b_min.y, b_max.y]);
    rounded_distance([x, y], radius)
}

/// The distance between the surfaces of two axis-aligned shapes; 0 if they touch.
#[inline]
pub(crate) fn box_distance(a: RoundedBox, b: RoundedBox) -> f32 {
    let ends = |sides: &RoundedBox| {
        let RoundedBox { min_x, min_y, max_x, max_y, .. } = *sides;
        [Vector::wide([min_x, min_y]), Vector::wide([max_x, max_y])]
    };
    let radius = f64::from(a.radius) + f64::from(b.radius);
    distance_of_boxes(ends(&a), ends(&b), radius) as f32
}

/// The shortest connection of two solids, or `None` if they touch. Two half-planes count as
/// touching.
///
/// The shortest connection of two cores starts or ends at a corner. So each corner of either core
/// is projected onto each side of the other. With many corners, only the corners within the
/// [`Fringe`]s are projected: O(n + m), as long as few corners are about as near as the nearest.
pub(crate) fn separation<'a>(a: &Solid<'a>, b: &Solid<'a>) -> Option<Separation> {
    match [a.half_plane(), b.half_plane()] {
        [None, None] => {}
        [Some(border), None] => return above_border(border, b),
        [None, Some(border)] => {
            let Separation { distance, points: [at_b, at_a], normal } = above_border(border, a)?;
            return Some(Separation { distance, points: [at_a, at_b], normal: -normal });
        }
        [Some(_), Some(_)] => return None,
    }
    if cores_touch(a.corners, b.corners, 0.0, true) {
        return None;
    }
    let [a_fringe, b_fringe] = Fringe::of(a.corners, b.corners);
    let corners = |solid: &Solid<'a>, fringe: Fringe| {
        solid.corners.iter().copied().filter(move |corner| fringe.holds(*corner))
    };
    let near_sides = |solid: &Solid<'a>, fringe: Fringe| {
        sides(solid.corners).filter(move |side| side.iter().any(|end| fringe.holds(*end)))
    };
    let mut best = (f64::INFINITY, [Vector::ZERO; 2]);
    for from in corners(a, a_fringe) {
        for to in corners(b, b_fringe) {
            closer(&mut best, [from, to]);
        }
    }
    for corner in corners(b, b_fringe) {
        for side in near_sides(a, a_fringe) {
            closer(&mut best, [nearest_on(side, corner), corner]);
        }
    }
    for corner in corners(a, a_fringe) {
        for side in near_sides(b, b_fringe) {
            closer(&mut best, [corner, nearest_on(side, corner)]);
        }
    }
    let (length2, [from, to]) = best;
    let distance = length2.sqrt() - (a.radius + b.radius);
    let normal = (to - from).unit()?;
    let points = [from + normal * a.radius, to - normal * b.radius];
    (distance > 0.0).then_some(Separation { distance, points, normal })
}

/// The part of a core that is nearest to another core: the corners whose height along `normal` is
/// at most `height`.
#[derive(Clone, Copy)]
struct Fringe {
    normal: Vector,
    height: f64,
}

impl Fringe {
    /// The parts of two cores that are apart, in which each shortest connection starts and ends.
    ///
    /// Two cores at the distance `d` are `d` apart along their shortest connection. So a connection
    /// of that length goes from the corners furthest along it to the corners least far along it.
    /// Where the connection that was found is longer than the cores are apart along it, the parts
    /// are larger by the difference.
    fn of(a: &[Vector], b: &[Vector]) -> [Self; 2] {
        let all = Self { normal: Vector::ZERO, height: f64::INFINITY };
        if a.len().min(b.len()) <= MAX_CORNERS_TRIED {
            return [all; 2];
        }
        let (mut best, mut last) = ((f64::INFINITY, [Vector::ZERO; 2]), None);
        walk_difference(a, b, |corner| {
            if let Some(start) = last.filter(|start| *start != corner) {
                closer(&mut best, [nearest_on([start, corner], Vector::ZERO), Vector::ZERO]);
            }
            last = Some(corner);
        });
        let (length2, [connection, _]) = best;
        let Some(normal) = connection.unit() else { return [all; 2] };
        let heights = |corners: &[Vector], normal: Vector| {
            let heights = corners.iter().map(|corner| corner.dot(normal));
            heights.fold(f64::INFINITY, f64::min)
        };
        let (a_height, b_height) = (heights(a, -normal), heights(b, normal));
        let corners = a.iter().chain(b);
        let size = corners.fold(0.0, |most: f64, at| most.max(at.x.abs()).max(at.y.abs()));
        // 2^-40 of the coordinates is more than the roundings of a height or a length.
        let roundings = size * (1.0 / (1_u64 << 40) as f64);
        let slack = (length2.sqrt() - (a_height + b_height)).max(0.0) + roundings;
        [
            Self { normal: -normal, height: a_height + slack },
            Self { normal, height: b_height + slack },
        ]
    }

    fn holds(&self, corner: Vector) -> bool {
        corner.dot(self.normal) <= self.height
    }
}

/// The shortest connection from a half-plane to a solid.
fn above_border(border: Border, solid: &Solid<'_>) -> Option<Separation> {
    let (height, corner) = border.lowest(solid.corners);
    let (distance, normal) = (height - solid.radius, border.normal);
    let points = [corner - normal * height, corner - normal * solid.radius];
    (distance > 0.0).then_some(Separation { distance, points, normal })
}

/// Keeps a connection that is shorter than the best connection.
fn closer(best: &mut (f64, [Vector; 2]), [from, to]: [Vector; 2]) {
    let length2 = (to - from).length2();
    if length2 < best.0 {
        *best = (length2, [from, to]);
    }
}

/// The point of a side that is nearest to a point.
#[inline(always)]
pub(crate) fn nearest_on([start, end]: [Vector; 2], point: Vector) -> Vector {
    let along = end - start;
    let share = along.dot(point - start) / along.length2();
    start + along * share.clamp(0.0, 1.0)
}

/// The outward normal of a difference whose border passes through the origin, within roundings.
/// Where it is an edge, the normal of the side that is more against `direction`. `None` for a
/// point.
pub(crate) fn normal_at_origin(difference: &Solid<'_>, direction: Vector) -> Option<Vector> {
    let Solid { corners, radius, .. } = *difference;
    if radius > 0.0 {
        let mut best = (f64::INFINITY, [Vector::ZERO; 2]);
        for corner in corners {
            closer(&mut best, [*corner, Vector::ZERO]);
        }
        for side in sides(corners) {
            closer(&mut best, [nearest_on(side, Vector::ZERO), Vector::ZERO]);
        }
        let (_, [from, to]) = best;
        return (to - from).unit();
    }
    let mut best: Option<([f64; 2], Vector)> = None;
    for [start, end] in sides(corners) {
        let Some(along) = (end - start).unit() else { continue };
        let normal = -along.perp();
        // The origin is on both sides of a segment.
        let height = if corners.len() > 2 { -normal.dot(start) } else { 0.0 };
        let merit = [height, -normal.dot(direction)];
        if best.is_none_or(|(best, _)| best < merit) {
            best = Some((merit, normal));
        }
    }
    best.map(|(_, normal)| normal)
}

/// Replaces `difference` by the corners of all differences of a point of `b` and a point of `a`,
/// counter-clockwise: the Minkowski sum of `b` and the mirror image of `a`. O(n + m).
///
/// In plain words: both outlines are walked at once from their lowest corners, and the side that
/// turns less is taken next (de Berg et al., Computational Geometry, 2008, section 13.3).
pub(crate) fn difference(a: &[Vector], b: &[Vector], difference: &mut Vec<Vector>) {
    difference.clear();
    walk_difference(a, b, |corner| difference.push(corner));
    if difference.len() > 1 {
        // The last corner is the first one again.
        difference.pop();
    }
}

/// Passes the corners of the [`difference`] to `take`, the first one again at the end.
fn walk_difference(a: &[Vector], b: &[Vector], mut take: impl FnMut(Vector)) {
    let mirrored = |number: usize| -a[number % a.len()];
    let own = |number: usize| b[number % b.len()];
    let lowest = |count: usize, corner: &dyn Fn(usize) -> Vector| {
        let order = |one: &usize, other: &usize| {
            // Not by `total_cmp`, which tells zeros apart.
            let [one, other] =
                map_each([corner(*one), corner(*other)], |corner| [corner.y, corner.x]);
            one.partial_cmp(&other).unwrap_or(Ordering::Equal)
        };
        (0..count).min_by(order).unwrap_or(0)
    };
    let first = [lowest(a.len(), &mirrored), lowest(b.len(), &own)];
    let mut taken = [0; 2];
    loop {
        let [i, j] = [first[0] + taken[0], first[1] + taken[1]];
        take(mirrored(i) + own(j));
        let sides = [mirrored(i + 1) - mirrored(i), own(j + 1) - own(j)];
        let left = [a.len() - taken[0], b.len() - taken[1]];
        // A single corner has no side.
        let left = [if a.len() > 1 { left[0] } else { 0 }, if b.len() > 1 { left[1] } else { 0 }];
        let turn = sides[0].cross(sides[1]);
        let next = match left {
            [0, 0] => break,
            [_, 0] => [1, 0],
            [0, _] => [0, 1],
            _ => [usize::from(turn >= 0.0), usize::from(turn <= 0.0)],
        };
        taken = [taken[0] + next[0], taken[1] + next[1]];
    }
}

/// The point where a solid that was moved by `moved` touches another solid, whose normal is
/// `normal`: the point in which both solids are furthest along the normal, or the middle of these
/// points.
pub(crate) fn touching_point(
    own: &Solid<'_>,
    other: &Solid<'_>,
    moved: Vector,
    normal: Vector,
) -> Vector {
    let along = normal.perp();
    let (height, ends) = furthest(other.corners.iter().copied(), normal, along);
    let height = other.half_plane().map_or(height, |border| border.offset);
    let (_, own_ends) = furthest(own.corners.iter().map(|corner| *corner + moved), -normal, along);
    // A half-plane has no ends.
    let ends = if other.corners.is_empty() { own_ends } else { ends };
    let own_ends = if own.corners.is_empty() { ends } else { own_ends };
    let common = [ends[0].max(own_ends[0]), ends[1].min(own_ends[1])];
    let middle = (common[0] + common[1]) * 0.5;
    normal * (height + other.radius) + along * middle
}

/// [`touching_point`] of two discs with these centres, the other disc with this radius. Without a
/// branch.
#[cfg(feature = "narrowphase")]
#[inline(always)]
pub(crate) fn touching_point_of_discs(
    [own, other]: [Vector; 2],
    radius: f64,
    moved: Vector,
    normal: Vector,
) -> Vector {
    let along = normal.perp();
    let middle = (other.dot(along) + (own + moved).dot(along)) * 0.5;
    normal * (other.dot(normal) + radius) + along * middle
}

/// How far corners are along `normal`, and the range along `along` of the furthest corners.
fn furthest(
    corners: impl Iterator<Item = Vector> + Clone,
    normal: Vector,
    along: Vector,
) -> (f64, [f64; 2]) {
    let heights = corners.clone().map(|corner| corner.dot(normal));
    let height = heights.fold(f64::NEG_INFINITY, f64::max);
    let mut ends = [f64::INFINITY, f64::NEG_INFINITY];
    for corner in corners {
        // Corners whose heights differ by less than the slack are equally far.
        let slack = (corner.x.abs() + corner.y.abs()) * F64_SLACK;
        if corner.dot(normal) >= height - slack {
            let at = corner.dot(along);
            ends = [ends[0].min(at), ends[1].max(at)];
        }
    }
    (height, ends)
}
