//! Vectors, and the questions that all tests ask of ways and separations.

use crate::reference::body::Vector;

pub(super) fn plus(a: Vector, b: Vector) -> Vector {
    [a[0] + b[0], a[1] + b[1]]
}

pub(super) fn minus(a: Vector, b: Vector) -> Vector {
    [a[0] - b[0], a[1] - b[1]]
}

pub(super) fn times(a: Vector, factor: f32) -> Vector {
    [a[0] * factor, a[1] * factor]
}

pub(super) fn negative(a: Vector) -> Vector {
    [-a[0], -a[1]]
}

pub(super) fn dot(a: Vector, b: Vector) -> f32 {
    a[0] * b[0] + a[1] * b[1]
}

/// A quarter turn counter-clockwise.
pub(super) fn left(a: Vector) -> Vector {
    [-a[1], a[0]]
}

/// A quarter turn clockwise.
pub(super) fn right(a: Vector) -> Vector {
    [a[1], -a[0]]
}

pub(super) fn turned([x, y]: Vector, [cos, sin]: Vector) -> Vector {
    [cos * x - sin * y, sin * x + cos * y]
}

pub(super) fn turned_back([x, y]: Vector, [cos, sin]: Vector) -> Vector {
    [cos * x + sin * y, cos * y - sin * x]
}

/// How far centres are apart, roughly: what small distances are compared with.
pub(super) fn scale(offset: Vector) -> f32 {
    offset[0].abs() + offset[1].abs()
}

/// The direction and the length of a way whose length squared is `length2`; no direction below 2^-50,
/// where squares lose the bits that it is made of.
pub(super) fn directed(way: Vector, length2: f32) -> (Option<Vector>, f32) {
    let length = length2.sqrt();
    let known = length2 >= 1.0 / (1_u128 << 100) as f32;
    (known.then(|| [way[0] / length, way[1] / length]), length)
}

/// The same between corners of shapes whose centres are `offset` apart: no direction where the way is
/// no longer than a 2^16th of that, and made of roundings.
pub(super) fn directed_between_corners(
    way: Vector,
    length2: f32,
    offset: Vector,
) -> (Option<Vector>, f32) {
    let (direction, length) = directed(way, length2);
    let long = scale(offset) * (1.0 / (1 << 16) as f32) < length;
    (direction.filter(|_| long), length)
}

/// Where cores that no side separates may still be apart, because what separates them is lost in roundings: ahead
/// of a sharp tip, all sides are nearly along the way to it.
pub(super) fn in_doubt(separation: f32, offset: Vector) -> bool {
    -(scale(offset) * (1.0 / (1 << 18) as f32)) < separation && separation <= 0.0
}

/// The separation of such cores: above 0 where they are apart, given how far vertices are from sides at least, squared.
/// Cores that overlap by a little have some that are as near. What a side separates is as far apart as it says.
pub(super) fn told_apart(separation: f32, length2: f32, offset: Vector) -> f32 {
    let least = -separation * 4.0 + scale(offset) * (1.0 / (1 << 21) as f32);
    let apart = separation <= 0.0 && least * least < length2;
    if apart { f32::MIN_POSITIVE } else { separation }
}

/// How far above the first core the middle between the surfaces is, the second being `distance` above.
pub(super) fn middle(distance: f32, own: f32, other: f32) -> f32 {
    0.5 * ((distance + own) - other)
}

/// How far apart cores may be for their distance to matter: as far as radii and margin reach, and more
/// than any rounding.
pub(super) fn reach(centers: [Vector; 2], offset: Vector, radius: f32, margin: f32) -> f32 {
    let places = scale(centers[0]) + scale(centers[1]);
    let sizes = scale(offset) + radius;
    let slack = sizes * (1.0 / (1 << 10) as f32) + places * (1.0 / (1 << 20) as f32);
    (radius + margin) + slack
}
