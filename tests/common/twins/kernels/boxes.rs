//! Two boxes, the first rotated. A segment or capsule is a box of no height.

use super::{
    Answer, SIDE,
    faces::{Face, Sides},
    preference::{is_exchanged, prefers_first, tolerance_apart},
    vector::{left, minus, negative, plus, scale, times, turned_back},
};
use widephase::reference::placed_shape::{PlacedShape, PlaneVector};

/// The side of a box, at `center`, whose normal is along its height (`vertical`) or its width, or
/// in the opposite direction if not `forward`.
fn box_face(body: &PlacedShape, center: PlaneVector, vertical: bool, forward: bool) -> Face {
    let axis = if vertical { left(body.axis) } else { body.axis };
    let normal = if forward { axis } else { negative(axis) };
    let tangent = left(normal);
    let [width, height] = body.half;
    let (out, reach) = if vertical { (height, width) } else { (width, height) };
    let middle = plus(center, times(normal, out));
    let aside = times(tangent, reach);
    let start_vertex: u16 = match (vertical, forward) {
        (true, false) => 0,
        (false, true) => 1,
        (true, true) => 2,
        (false, false) => 3,
    };
    Face {
        start: minus(middle, aside),
        end: plus(middle, aside),
        tangent,
        length: reach + reach,
        number: SIDE + start_vertex,
        start_vertex,
        end_vertex: (start_vertex + 1) % 4,
        radius: body.radius,
    }
}

/// Two boxes, the first rotated: the separating axis test over the four directions of their sides.
///
/// Gottschalk, Lin and Manocha, "OBBTree", SIGGRAPH 1996, in two dimensions. The separation along
/// each direction of a side is the distance of the centres, less the half extent, less the
/// projection of the other's half extents. Rounded by a few parts in 2^24 of the sizes and the
/// distance.
pub(crate) fn boxes(a: &PlacedShape, b: &PlacedShape, margin: f32) -> Answer {
    let offset = minus(b.center, a.center);
    let [cos, sin] = turned_back(b.axis, a.axis).map(f32::abs);
    let along = |offset: PlaneVector, own: PlaneVector, other: PlaneVector| {
        let width = cos * other[0] + sin * other[1];
        let height = sin * other[0] + cos * other[1];
        [(offset[0].abs() - own[0]) - width, (offset[1].abs() - own[1]) - height]
    };
    let seen = [turned_back(offset, a.axis), turned_back(offset, b.axis)];
    let separations = [along(seen[0], a.half, b.half), along(seen[1], b.half, a.half)];
    let largest = separations.map(|[x, y]| x.max(y));
    let separation = largest[0].max(largest[1]);
    // Sides without a length, such as the ends of a capsule, get a small penalty.
    let less = scale(offset) * (1.0 / (1 << 15) as f32);
    let worth = |[x, y]: PlaneVector, half: PlaneVector| {
        [if half[1] > 0.0 { x } else { x - less }, if half[0] > 0.0 { y } else { y - less }]
    };
    let worths = [worth(separations[0], a.half), worth(separations[1], b.half)];
    let verticals = worths.map(|[x, y]| x < y);
    let reaches = [(a, verticals[0]), (b, verticals[1])]
        .map(|(body, vertical)| if vertical { body.half[0] } else { body.half[1] });
    let axis = if verticals[0] { left(a.axis) } else { a.axis };
    let towards = seen[0][usize::from(verticals[0])];
    let first_normal = if towards > 0.0 { axis } else { negative(axis) };
    let preferred = prefers_first(reaches, first_normal);
    let tolerance = tolerance_apart(separation, a.radius + b.radius, reaches, offset);
    let merits = worths.map(|[x, y]| x.max(y));
    let exchanged = is_exchanged(merits, preferred, separation, tolerance, offset);

    let [own, other] =
        if exchanged { [(b, offset), (a, [0.0; 2])] } else { [(a, [0.0; 2]), (b, offset)] };
    let (best, to_other) =
        if exchanged { (separations[1], negative(seen[1])) } else { (separations[0], seen[0]) };
    let worth = worths[usize::from(exchanged)];
    let vertical = worth[0] < worth[1];
    let distance = best[usize::from(vertical)];
    let ahead = to_other[usize::from(vertical)] > 0.0;
    let reference = box_face(own.0, own.1, vertical, ahead);
    // The incident side: the side of the other box whose normal is most opposed to the reference
    // normal.
    let [x, y] = turned_back(reference.normal(), other.0.axis);
    let vertical = x.abs() < y.abs();
    let towards = if vertical { y } else { x };
    let incident = box_face(other.0, other.1, vertical, towards < 0.0);
    let gap = (separation > 0.0).then(|| reference.gap(&incident));
    let straight_on = false;
    Sides { reference, incident, gap, distance, exchanged, offset, straight_on }.answer(margin)
}
