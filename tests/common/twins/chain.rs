//! The contact of a segment of a chain, in plain words and `f64`.
//!
//! The contact of the segment alone is the contact of [`contact()`]. It is kept where
//! its normal is a normal of the smooth surface, and otherwise made again along the normal of the
//! segment, by cutting the core of the other shape to the part that is above the segment.

use widephase::{
    Contact, ContactPoint, Feature, Touching,
    reference::placed_shape::PlacedShape,
    shape::{ChainSegment, Sides},
};

use super::{contact, made};

type Point = [f64; 2];

/// The contact from a segment of a chain, at its own coordinates, to another shape that touches it
/// or is at most `margin` apart. A contact that is made again has only its deepest point here.
///
/// O(n) time for n corners.
pub fn contact(
    segment: &ChainSegment,
    other: &PlacedShape,
    margin: f32,
    touching: Touching,
) -> Option<Contact> {
    let alone = contact::contact(&PlacedShape::new(segment, None)?, other, margin, touching)?;
    let [a, b] = [segment.a, segment.b].map(|end| end.to_array().map(f64::from));
    let ghosts = [segment.before, segment.after]
        .map(|ghost| ghost.map(|ghost| ghost.to_array().map(f64::from)));
    // The front is the left side of the way from a to b. For the right side, all coordinates are
    // mirrored.
    let center = middle(&other.corners);
    let left = in_front(a, b, ghosts, center, 1.0);
    let right = in_front(a, b, ghosts, center, -1.0);
    let side = match segment.sides {
        Sides::Both if left => 1.0,
        Sides::Both => -1.0,
        Sides::Left if left => 1.0,
        Sides::Right if right => -1.0,
        _ => return None,
    };
    let normal = alone.normal().to_array().map(f64::from);
    let (tilt, own) = (angle(b, a), angle(normal, [0.0; 2]));
    // How far the normal leans from the normal of the segment, towards b; in radians.
    let lean = wrapped(side * (tilt + side * QUARTER - own));
    let free = if segment.sides == Sides::Both { 2.0 * QUARTER } else { QUARTER };
    let least = match ghosts[0] {
        Some(before) => wrapped(side * (tilt - angle(a, before))).min(0.0),
        None => -free,
    };
    let most = match ghosts[1] {
        Some(after) => wrapped(side * (tilt - angle(after, b))).max(0.0),
        None => free,
    };
    if (least - EQUAL..=most + EQUAL).contains(&lean) {
        let twice = other.corners.len() == 1 && lean < -EQUAL && ghosts[0].is_some();
        return if twice { None } else { Some(alone) };
    }
    // In the frame of the segment: the way along it, and the height in front of it.
    let length = length(from(a, b));
    let along = from(a, b).map(|part| part / length);
    let up = [-along[1] * side, along[0] * side];
    let seen: Vec<Point> = other
        .corners
        .iter()
        .map(|corner| [dot(along, from(a, *corner)), dot(up, from(a, *corner))])
        .collect();
    let above = cut(&cut(&seen, 1.0, 0.0), -1.0, -length);
    let [way, height] = above.into_iter().reduce(|a, b| if b[1] < a[1] { b } else { a })?;
    let depth = f64::from(other.radius) - height;
    if depth < -f64::from(margin) - 1e-9 * (1.0 + height.abs()) {
        return None;
    }
    let between = (height - f64::from(other.radius)) * 0.5;
    let at = [0, 1].map(|axis| (a[axis] + along[axis] * way + up[axis] * between) as f32);
    let feature_a = Feature::side(if side > 0.0 { 2 } else { 0 });
    let [x, y] = at;
    let point = ContactPoint { x, y, depth: depth as f32, feature_a, ..ContactPoint::default() };
    Some(made(up.map(|part| part as f32), depth as f32, &[point]))
}

/// Leans below this are roundings.
const EQUAL: f64 = 1e-6;

const QUARTER: f64 = std::f64::consts::FRAC_PI_2;

/// Whether a point is in front of a segment, on its left side if `side` is 1 and on its right side
/// if -1. Beyond an end it must be in front of the neighbour instead or, at a joint that is concave
/// in front, too.
fn in_front(a: Point, b: Point, ghosts: [Option<Point>; 2], point: Point, side: f64) -> bool {
    let front = |a: Point, b: Point| side * cross(from(a, b), from(a, point)) >= 0.0;
    let way = dot(from(a, b), from(a, point));
    let (before, joint, after) = match ghosts {
        [Some(before), _] if way < 0.0 => (before, a, b),
        [_, Some(after)] if way > dot(from(a, b), from(a, b)) => (a, b, after),
        _ => return front(a, b),
    };
    let turn = side * wrapped(angle(after, joint) - angle(joint, before));
    let sides = [front(before, joint), front(joint, after)];
    // A turn back is away from both sides.
    if !(0.0..=2.0 * QUARTER - 1e-12).contains(&turn) {
        sides[0] || sides[1]
    } else {
        sides[0] && sides[1]
    }
}

/// The part of a polygon where `sign * x >= least`.
fn cut(corners: &[Point], sign: f64, least: f64) -> Vec<Point> {
    let mut kept = Vec::new();
    for (number, &corner) in corners.iter().enumerate() {
        let next = corners[(number + 1) % corners.len()];
        let [here, there] = [corner, next].map(|[x, _]| sign * x - least);
        if here >= 0.0 {
            kept.push(corner);
        }
        if (here < 0.0) != (there < 0.0) && here != there {
            let share = here / (here - there);
            kept.push([0, 1].map(|axis| corner[axis] + (next[axis] - corner[axis]) * share));
        }
    }
    kept
}

/// The angle of the direction from `start` to `end`.
fn angle(end: Point, start: Point) -> f64 {
    let [x, y] = from(start, end);
    y.atan2(x)
}

/// An angle brought to the range from -π to π.
fn wrapped(angle: f64) -> f64 {
    let turn = 4.0 * QUARTER;
    angle - turn * (angle / turn).round()
}

fn middle(corners: &[Point]) -> Point {
    [0, 1].map(|axis| {
        let values = || corners.iter().map(|corner| corner[axis]);
        (values().fold(f64::INFINITY, f64::min) + values().fold(f64::NEG_INFINITY, f64::max)) * 0.5
    })
}

fn from(a: Point, b: Point) -> Point {
    [b[0] - a[0], b[1] - a[1]]
}

fn dot(a: Point, b: Point) -> f64 {
    a[0] * b[0] + a[1] * b[1]
}

fn cross(a: Point, b: Point) -> f64 {
    a[0] * b[1] - a[1] * b[0]
}

fn length(vector: Point) -> f64 {
    dot(vector, vector).sqrt()
}
