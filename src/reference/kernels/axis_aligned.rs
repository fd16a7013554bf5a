//! Shapes that are axis-aligned, the first a box.

use super::{
    Answer, SIDE, Spot,
    vector::{directed, dot, middle, plus, times},
};
use crate::reference::body::{Body, Class};

/// How two intervals lie to each other.
struct Axis {
    /// How far apart; below 0, how far to move one to be beside the other.
    gap: f32,
    /// Whether the second is, or is to be moved, upwards.
    forward: bool,
    /// What both cover, seen from the lower end of the first.
    low: f32,
    high: f32,
    /// Whether the first ends there, and not the second.
    first_low: bool,
    first_high: bool,
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
            first_low: b_min <= a_min,
            first_high: a_max <= b_max,
            width,
        }
    }

    fn sign(&self) -> f32 {
        if self.forward { 1.0 } else { -1.0 }
    }

    /// Where the first ends towards the second.
    fn side(&self) -> f32 {
        if self.forward { self.width } else { 0.0 }
    }
}

/// The vertex of a box on the right or left, upper or lower side.
pub(super) fn vertex(right: bool, upper: bool) -> u16 {
    match (right, upper) {
        (false, false) => 0,
        (true, false) => 1,
        (true, true) => 2,
        (false, true) => 3,
    }
}

/// The side of a box that looks up, down, right or left.
pub(super) fn side(upright: bool, right: bool, upper: bool) -> u16 {
    SIDE + match (upright, right, upper) {
        (true, _, false) => 0,
        (false, true, _) => 1,
        (true, _, true) => 2,
        (false, false, _) => 3,
    }
}

/// Two axis-aligned shapes, the first a box: the gap between the cores along x and along y.
///
/// Apart along both axes, they touch from corner to corner, along the line between the corners. All
/// others touch along the axis of which less is missing for them to be apart (of several: left, right,
/// below, above), at the two ends of what both cover of that side. The decision is that of
/// [`contract::overlap`](crate::reference::contract::overlap); depths along an axis are rounded twice.
pub fn axis_aligned(a: &Body, b: &Body, inclusive: bool) -> Answer {
    let (own, other) = (a.bounds, b.bounds);
    let x = Axis::new([own.min_x, own.max_x], [other.min_x, other.max_x]);
    let y = Axis::new([own.min_y, own.max_y], [other.min_y, other.max_y]);
    let radius = a.radius + b.radius;
    let beyond = [x.gap.max(0.0), y.gap.max(0.0)];
    let (length2, widest) = (dot(beyond, beyond), x.gap.max(y.gap));
    let touching = if inclusive {
        length2 <= radius * radius && widest <= radius
    } else {
        length2 < radius * radius || widest < 0.0
    };

    let both = x.gap > 0.0 && y.gap > 0.0;
    let (direction, length) = directed([x.gap * x.sign(), y.gap * y.sign()], length2);
    if let Some(normal) = direction.filter(|_| both) {
        let depth = radius - length;
        let up = times(normal, middle(length, a.radius, b.radius));
        let at = plus([x.side(), y.side()], up);
        let features = [vertex(x.forward, y.forward), vertex(!x.forward, !y.forward)];
        let spots = vec![Spot { at, depth, features }];
        return without_sides(Answer { touching, normal, depth, spots }, b);
    }

    let upright = x.gap < y.gap;
    let normal = if upright { [0.0, y.sign()] } else { [x.sign(), 0.0] };
    let depth = radius - widest;
    let up = times(normal, middle(widest, a.radius, b.radius));
    let spot = |at: f32, upper: bool, first: bool| {
        let foot = if upright { [at, y.side()] } else { [x.side(), at] };
        // Where a core ends, its vertex; the other's side.
        let corner = |towards: bool| {
            if upright { vertex(upper, towards) } else { vertex(towards, upper) }
        };
        let (own, other) = if upright { (y.forward, !y.forward) } else { (x.forward, !x.forward) };
        let sides = [side(upright, own, own), side(upright, other, other)];
        let features = if first { [corner(own), sides[1]] } else { [sides[0], corner(other)] };
        Spot { at: plus(foot, up), depth, features }
    };
    let along = if upright { &x } else { &y };
    let low = spot(along.low, false, along.first_low);
    let high = spot(along.high, true, along.first_high);
    let spots = if along.low < along.high { vec![low, high] } else { vec![low] };
    without_sides(Answer { touching, normal, depth, spots }, b)
}

/// A circle has no features but vertex 0.
pub(super) fn without_sides(mut answer: Answer, b: &Body) -> Answer {
    if b.class == Class::Round {
        for spot in &mut answer.spots {
            spot.features[1] = 0;
        }
    }
    answer
}
