//! Plane geometry in `f64`.

pub(crate) type PlaneVector = [f64; 2];

/// A rounding of an `f32`.
pub(crate) const EPS: f64 = 1.0 / (1 << 24) as f64;

pub(crate) fn wide(v: [f32; 2]) -> PlaneVector {
    v.map(f64::from)
}

pub(crate) fn narrow(v: PlaneVector) -> [f32; 2] {
    v.map(|v| v as f32)
}

pub(crate) fn plus(a: PlaneVector, b: PlaneVector) -> PlaneVector {
    [a[0] + b[0], a[1] + b[1]]
}

pub(crate) fn minus(a: PlaneVector, b: PlaneVector) -> PlaneVector {
    [a[0] - b[0], a[1] - b[1]]
}

pub(crate) fn times(v: PlaneVector, factor: f64) -> PlaneVector {
    v.map(|v| v * factor)
}

pub(crate) fn dot(a: PlaneVector, b: PlaneVector) -> f64 {
    a[0] * b[0] + a[1] * b[1]
}

pub(crate) fn cross(a: PlaneVector, b: PlaneVector) -> f64 {
    a[0] * b[1] - a[1] * b[0]
}

pub(crate) fn length(v: PlaneVector) -> f64 {
    v[0].hypot(v[1])
}

pub(crate) fn turned([x, y]: PlaneVector, [cos, sin]: PlaneVector) -> PlaneVector {
    [cos * x - sin * y, sin * x + cos * y]
}

/// The unit vector at an angle.
pub(crate) fn unit(angle: f64) -> PlaneVector {
    [angle.cos(), angle.sin()]
}

/// The distance of a point from a segment.
pub(crate) fn to_segment(point: PlaneVector, [a, b]: [PlaneVector; 2]) -> f64 {
    let along = minus(b, a);
    let length2 = dot(along, along);
    if length2 == 0.0 {
        return length(minus(point, a));
    }
    let t = (dot(minus(point, a), along) / length2).clamp(0.0, 1.0);
    // From the nearer end, so that little is rounded.
    let (end, t) = if t < 0.5 { (a, t) } else { (b, t - 1.0) };
    length(minus(minus(point, end), times(along, t)))
}

/// The sides of a convex core given by its corners, counter-clockwise: one, two or more of them.
pub(crate) fn sides(corners: &[PlaneVector]) -> impl Iterator<Item = [PlaneVector; 2]> + '_ {
    (0..corners.len()).map(|i| [corners[i], corners[(i + 1) % corners.len()]])
}

/// The distance of a point from a convex core, 0 within.
pub(crate) fn to_core(point: PlaneVector, corners: &[PlaneVector]) -> f64 {
    let inside = |[a, b]: [PlaneVector; 2]| cross(minus(b, a), minus(point, a)) >= 0.0;
    if corners.len() > 2 && sides(corners).all(inside) {
        return 0.0;
    }
    to_border(point, corners)
}

/// The distance of a point from the sides of a core.
pub(crate) fn to_border(point: PlaneVector, corners: &[PlaneVector]) -> f64 {
    sides(corners).map(|side| to_segment(point, side)).fold(f64::INFINITY, f64::min)
}

/// How far corners reach along a direction.
pub(crate) fn support(corners: &[PlaneVector], along: PlaneVector) -> f64 {
    corners.iter().map(|&corner| dot(corner, along)).fold(f64::NEG_INFINITY, f64::max)
}

/// The largest coordinate.
pub(crate) fn largest(corners: &[PlaneVector]) -> f64 {
    corners.iter().flatten().map(|v| v.abs()).fold(0.0, f64::max)
}

/// The largest distance from the first corner.
pub(crate) fn size(corners: &[PlaneVector]) -> f64 {
    corners.iter().map(|&corner| length(minus(corner, corners[0]))).fold(0.0, f64::max)
}
