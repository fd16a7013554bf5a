//! Vectors, and the thresholds for vectors and separations that all kernels share.

use widephase::reference::placed_shape::PlaneVector;

pub(crate) fn plus(a: PlaneVector, b: PlaneVector) -> PlaneVector {
    [a[0] + b[0], a[1] + b[1]]
}

pub(crate) fn minus(a: PlaneVector, b: PlaneVector) -> PlaneVector {
    [a[0] - b[0], a[1] - b[1]]
}

pub(crate) fn times(a: PlaneVector, factor: f32) -> PlaneVector {
    [a[0] * factor, a[1] * factor]
}

pub(crate) fn negative(a: PlaneVector) -> PlaneVector {
    [-a[0], -a[1]]
}

pub(crate) fn dot(a: PlaneVector, b: PlaneVector) -> f32 {
    a[0] * b[0] + a[1] * b[1]
}

/// The vector rotated by a quarter turn, counter-clockwise.
pub(crate) fn left(a: PlaneVector) -> PlaneVector {
    [-a[1], a[0]]
}

/// The vector rotated by a quarter turn, clockwise.
pub(crate) fn right(a: PlaneVector) -> PlaneVector {
    [a[1], -a[0]]
}

pub(crate) fn turned([x, y]: PlaneVector, [cos, sin]: PlaneVector) -> PlaneVector {
    [cos * x - sin * y, sin * x + cos * y]
}

pub(crate) fn turned_back([x, y]: PlaneVector, [cos, sin]: PlaneVector) -> PlaneVector {
    [cos * x + sin * y, cos * y - sin * x]
}

/// The rough distance of the centres, with which small distances are compared.
pub(crate) fn scale(offset: PlaneVector) -> f32 {
    offset[0].abs() + offset[1].abs()
}

/// The direction and the length of a vector whose squared length is `length2`. There is no
/// direction if the length is below 2^-50, where the squares lose bits to underflow.
pub(crate) fn directed(way: PlaneVector, length2: f32) -> (Option<PlaneVector>, f32) {
    let length = length2.sqrt();
    let known = length2 >= 1.0 / (1_u128 << 100) as f32;
    (known.then(|| [way[0] / length, way[1] / length]), length)
}

/// [`directed`] for corners of shapes whose centres are `offset` apart. There is also no direction
/// if the length is at most 2^-16 of the distance of the centres: the vector consists of rounding
/// errors.
pub(crate) fn directed_between_corners(
    way: PlaneVector,
    length2: f32,
    offset: PlaneVector,
) -> (Option<PlaneVector>, f32) {
    let (direction, length) = directed(way, length2);
    let long = scale(offset) * (1.0 / (1 << 16) as f32) < length;
    (direction.filter(|_| long), length)
}

/// Whether cores that no side separates may still be apart, because roundings hide the separation.
/// Ahead of a sharp tip, all sides are nearly parallel to the direction to it.
pub(crate) fn in_doubt(separation: f32, offset: PlaneVector) -> bool {
    -(scale(offset) * (1.0 / (1 << 18) as f32)) < separation && separation <= 0.0
}

/// The separation of cores that are [in doubt](in_doubt): above 0 if they are apart. `length2` is
/// the least squared distance of a vertex from a side. If cores overlap slightly, some vertex is
/// that near to a side, so a larger distance shows that they are apart. A separation above 0 is
/// returned as it is.
pub(crate) fn told_apart(separation: f32, length2: f32, offset: PlaneVector) -> f32 {
    let least = -separation * 4.0 + scale(offset) * (1.0 / (1 << 21) as f32);
    let apart = separation <= 0.0 && least * least < length2;
    if apart { f32::MIN_POSITIVE } else { separation }
}

/// The height of the middle between the surfaces above the first core, if the second core is
/// `distance` above the first. `own` and `other` are the radii.
pub(crate) fn middle(distance: f32, own: f32, other: f32) -> f32 {
    0.5 * ((distance + own) - other)
}

/// The distance of cores up to which it matters: the radii and the margin, and more than any
/// rounding.
pub(crate) fn reach(
    centers: [PlaneVector; 2],
    offset: PlaneVector,
    radius: f32,
    margin: f32,
) -> f32 {
    let places = scale(centers[0]) + scale(centers[1]);
    let sizes = scale(offset) + radius;
    let slack = sizes * (1.0 / (1 << 10) as f32) + places * (1.0 / (1 << 20) as f32);
    (radius + margin) + slack
}
