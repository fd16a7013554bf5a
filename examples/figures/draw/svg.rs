//! The parts that all pictures of shapes share: the file, and shapes as rounded convex cores. The
//! command `widephase` has this file too.

use widephase::{
    reference::separating_axes,
    shape::{AnyShape, AxisAligned, RoundedBox},
};

/// The file of a picture. The title, as XML, is its text alternative.
pub(crate) fn document(
    [width, height]: [impl std::fmt::Display; 2],
    title: &str,
    style: &str,
    elements: &str,
) -> String {
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\" role=\"img\">\n<title>{title}</title>\n\
         <style>{style}</style>\n{elements}</svg>\n"
    )
}

/// The corners of a shape's core, counter-clockwise, and its radius. Compounds and half-planes have
/// no corners.
pub(crate) fn outline(shape: AnyShape<'_>) -> (Vec<[f32; 2]>, f32) {
    let aligned = |shape: RoundedBox| {
        let RoundedBox { min_x, min_y, max_x, max_y, radius } = shape;
        (vec![[min_x, min_y], [max_x, min_y], [max_x, max_y], [min_x, max_y]], radius)
    };
    match shape {
        AnyShape::Point(point) => (vec![[point.x, point.y]], 0.0),
        AnyShape::Circle(circle) => (vec![[circle.x, circle.y]], circle.radius),
        AnyShape::Aabb(aabb) => aligned(aabb.rounded_box()),
        AnyShape::RoundedBox(rounded) => aligned(rounded),
        AnyShape::Obb(obb) => (separating_axes::corners(obb).to_vec(), 0.0),
        AnyShape::Segment(core) => (vec![core.a().into(), core.b().into()], 0.0),
        AnyShape::ChainSegment(segment) => (vec![segment.a.into(), segment.b.into()], 0.0),
        AnyShape::Capsule(capsule) => {
            let core = capsule.core();
            (vec![core.a().into(), core.b().into()], capsule.radius)
        }
        AnyShape::Polygon(polygon) => {
            let corners = polygon.vertices().iter().map(|vertex| vertex.to_array());
            (corners.collect(), polygon.radius())
        }
        _ => (Vec::new(), 0.0),
    }
}

/// The data of a path around everything within `radius` of a convex core of two or more corners.
/// `place` writes a position on the picture, and `turn` the way from the end of a side to the
/// position where the next side begins.
pub(crate) fn path(
    corners: &[[f64; 2]],
    radius: f64,
    place: impl Fn([f64; 2]) -> String,
    turn: impl Fn(&str) -> String,
) -> String {
    let (mut path, mut first) = (String::new(), String::new());
    let ends = corners.iter().cycle().skip(1);
    for (&start, &end) in corners.iter().zip(ends) {
        let (dx, dy) = (end[0] - start[0], end[1] - start[1]);
        let length = dx.hypot(dy);
        let out = [dy / length * radius, -dx / length * radius];
        let [from, to] = [start, end].map(|[x, y]| place([x + out[0], y + out[1]]));
        if path.is_empty() {
            path = format!("M{from}L{to}");
            first = from;
        } else {
            path += &format!("{}L{to}", turn(&from));
        }
    }
    if radius > 0.0 {
        path += &turn(&first);
    }
    path + "Z"
}
