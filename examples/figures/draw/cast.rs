//! A shape cast, and the same question as a ray into the Minkowski difference.

use widephase::{
    Error, Index, Queries, Ray, Shapes,
    shape::{Capsule, ConvexPolygon},
};

use super::{
    picture::{Anchor, Picture},
    svg::outline,
};

pub(crate) fn figure() -> Result<String, Error> {
    let mut picture = Picture::new(720.0, 330.0);
    let moving = Capsule::new([-0.5, -0.3], [0.5, 0.3], 0.25);
    let fixed = ConvexPolygon::new(&[[3.0, 0.6], [4.3, 0.2], [5.0, 1.2], [4.4, 2.3], [3.3, 2.0]])?;
    let translation = [4.2, 1.9];

    let mut shapes = Shapes::new();
    shapes.push(&fixed)?;
    let hit = Index::build(&shapes)?.cast_shape(moving, translation, 1.0)?;

    // Each difference of a corner of the fixed shape and a corner of the moving shape.
    let (corners, radius) = outline(widephase::shape::Shape::any(&moving));
    let differences: Vec<[f32; 2]> = fixed
        .vertices()
        .iter()
        .flat_map(|b| corners.iter().map(|a| [b.x - a[0], b.y - a[1]]))
        .collect();
    let core = ConvexPolygon::hull(&differences)?;
    let mut difference = Shapes::new();
    difference.push(&core.clone().with_radius(radius)?)?;
    let entry =
        Index::build(&difference)?.cast_ray(Ray::new([0.0, 0.0], translation).up_to(1.0))?;

    picture.look([60.0, 196.0], 48.0);
    picture.shape("a", &fixed, [0.0, 0.0]);
    picture.shape("moved", moving, translation);
    picture.shape("b", moving, [0.0, 0.0]);
    picture.line("zone", [0.0, 0.0], translation);
    if let Some(hit) = hit {
        let way = translation.map(|part| part * hit.fraction);
        picture.shape("b", moving, way);
        picture.line("ray", [0.0, 0.0], way);
        picture.arrow([hit.x, hit.y], [hit.normal_x, hit.normal_y], 34.0);
        picture.disc("point", [hit.x, hit.y], 3.5);
        let text = format_args!("fraction {:.4}", hit.fraction);
        picture.text("red", way, [-24.0, -44.0], Anchor::Right, text);
    }
    picture.disc("found", [0.0, 0.0], 3.2);

    picture.look([400.0, 196.0], 48.0);
    picture.shape("core", &core, [0.0, 0.0]);
    picture.shape("sum", &core.with_radius(radius)?, [0.0, 0.0]);
    picture.line("zone", [0.0, 0.0], translation);
    if let Some(entry) = entry {
        picture.line("ray", [0.0, 0.0], [entry.x, entry.y]);
        picture.arrow([entry.x, entry.y], [entry.normal_x, entry.normal_y], 34.0);
        picture.disc("point", [entry.x, entry.y], 3.5);
        let text = format_args!("fraction {:.4}", entry.fraction);
        picture.text("red", [entry.x, entry.y], [-24.0, -28.0], Anchor::Right, text);
    }
    picture.disc("found", [0.0, 0.0], 3.2);

    let left = Anchor::Left;
    for (at, title, line) in [
        (24.0, "A capsule moves towards a polygon.", "Its first touch, with point and normal."),
        (380.0, "Its centre as a ray.", "It enters the difference at the same fraction."),
    ] {
        picture.look([at, 288.0], 1.0);
        picture.text("title", [0.0, 0.0], [0.0, 0.0], left, format_args!("{title}"));
        picture.text("", [0.0, 0.0], [0.0, 20.0], left, format_args!("{line}"));
    }
    Ok(picture.finish(
        "Left, a capsule that moves along a translation until it touches a polygon; right, the ray \
         of the translation, which enters the Minkowski difference at the same fraction",
    ))
}
