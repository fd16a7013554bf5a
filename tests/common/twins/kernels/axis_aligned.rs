//! Axis-vertical shapes, the first a box.

use super::{
    Answer, SIDE, STRAIGHT, Spot,
    vector::{directed, dot, middle, plus, times},
};
use widephase::reference::placed_shape::{Class, PlacedShape};

/// The relation of two intervals along one axis.
struct Axis {
    /// The gap between the intervals. If they overlap, minus the shortest move that separates them.
    gap: f32,
    /// Whether the second interval is above the first interval, or the move that separates them is
    /// upwards.
    forward: bool,
    /// The common range, relative to the lower end of the first interval.
    low: f32,
    high: f32,
    width: f32,
}

impl Axis {
    fn new([a_min, a_max]: [f32; 2], [b_min, b_max]: [f32; 2]) -> Self {
        let (after, before) = (b_min - a_max, a_min - b_max);
        let width = a_max - a_min;
        Self {
            gap: after.max(before),
            forward: before < after,
            low: (b_min - a_min).max(0.0),
            high: (b_max - a_min).min(width),
            width,
        }
    }

    fn sign(&self) -> f32 {
        if self.forward { 1.0 } else { -1.0 }
    }

    /// The end of the first interval that is towards the second.
    fn side(&self) -> f32 {
        if self.forward { self.width } else { 0.0 }
    }
}

/// The number of the vertex of a box on the right or left, upper or lower side.
pub(crate) fn vertex(right: bool, upper: bool) -> u16 {
    match (right, upper) {
        (false, false) => 0,
        (true, false) => 1,
        (true, true) => 2,
        (false, true) => 3,
    }
}

/// The number of the side of a box: the lower or upper side if `vertical`, else the left or right
/// side.
pub(crate) fn side(vertical: bool, right: bool, upper: bool) -> u16 {
    SIDE + match (vertical, right, upper) {
        (true, _, false) => 0,
        (false, true, _) => 1,
        (true, _, true) => 2,
        (false, false, _) => 3,
    }
}

/// Two axis-aligned shapes, the first a box: the gap between the cores along x and along y.
///
/// Cores that are apart along both axes touch from corner to corner, along the line between the
/// corners. All other boxes touch along the axis with the larger gap (of several: left, right,
/// lower, upper), at the two ends of the common range of that side. Depths along an axis are
/// rounded twice.
pub(crate) fn axis_aligned(a: &PlacedShape, b: &PlacedShape) -> Answer {
    let (own, other) = (a.bounds, b.bounds);
    let x = Axis::new([own.min_x, own.max_x], [other.min_x, other.max_x]);
    let y = Axis::new([own.min_y, own.max_y], [other.min_y, other.max_y]);
    let radius = a.radius + b.radius;
    let beyond = [x.gap.max(0.0), y.gap.max(0.0)];
    let (length2, widest) = (dot(beyond, beyond), x.gap.max(y.gap));
    let vertical = x.gap < y.gap;
    let both = x.gap > 0.0 && y.gap > 0.0;
    let (direction, length) = directed([x.gap * x.sign(), y.gap * y.sign()], length2);
    if let Some(normal) = direction.filter(|_| both) {
        let depth = radius - length;
        let up = times(normal, middle(length, a.radius, b.radius));
        let at = plus([x.side(), y.side()], up);
        let slanted = widest < length * STRAIGHT;
        let features = if b.class == Class::Round && slanted {
            [vertex(x.forward, y.forward), 0]
        } else {
            features(b, &x, &y, vertical, None)
        };
        return Answer { normal, depth, spots: vec![Spot { at, depth, features }] };
    }

    let normal = if vertical { [0.0, y.sign()] } else { [x.sign(), 0.0] };
    let depth = radius - widest;
    let up = times(normal, middle(widest, a.radius, b.radius));
    let spot = |at: f32, is_high: bool| {
        let foot = if vertical { [at, y.side()] } else { [x.side(), at] };
        let features = features(b, &x, &y, vertical, Some(is_high));
        Spot { at: plus(foot, up), depth, features }
    };
    let along = if vertical { &x } else { &y };
    let (low, high) = (spot(along.low, false), spot(along.high, true));
    let spots = if along.low < along.high { vec![low, high] } else { vec![low] };
    Answer { normal, depth, spots }
}

/// The features of a box and another shape. They touch at the upper (or right) end of the common
/// range of a side if `is_high` is true, and at the lower (or left) end if it is false. Without
/// `is_high`, they touch at their corners.
///
/// Of two boxes, the reference side is the upper side of the lower box, or the right side of the
/// left box.
fn features(
    b: &PlacedShape,
    x: &Axis,
    y: &Axis,
    vertical: bool,
    is_high: Option<bool>,
) -> [u16; 2] {
    if b.class == Class::Round {
        return [side(vertical, x.forward, y.forward), 0];
    }
    let (first_is_reference, beyond) =
        if vertical { (y.forward, x.forward) } else { (x.forward, y.forward) };
    let is_high = is_high.unwrap_or(first_is_reference != beyond);
    let vertex = match (is_high, vertical) {
        (false, _) => 0,
        (true, true) => 1,
        (true, false) => 3,
    };
    let side = side(vertical, true, true);
    if first_is_reference { [side, vertex] } else { [vertex, side] }
}
