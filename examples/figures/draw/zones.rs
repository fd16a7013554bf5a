//! The nine zones around a rectangle, and circles in them.

use widephase::{
    Error,
    shape::{Aabb, Circle},
};

use super::{
    along, contact_of,
    picture::{Anchor, Picture, signed},
    plus,
};

/// The circles and the positions of their labels.
const CIRCLES: [([f32; 2], f32, [f32; 2], Anchor); 5] = [
    ([2.85, 2.0], 1.25, [4.0, -28.0], Anchor::Middle), // beside a corner, touching
    ([-3.25, -2.15], 0.95, [0.0, 24.0], Anchor::Middle), // beside a corner, near
    ([-2.7, 0.3], 1.0, [-4.0, 24.0], Anchor::Middle),  // beside a side, touching
    ([-0.9, 2.35], 0.65, [48.0, -4.0], Anchor::Left),  // beside a side, near
    ([0.9, -0.3], 0.5, [-38.0, 4.0], Anchor::Right),   // inside
];

pub(crate) fn figure() -> Result<String, Error> {
    let mut picture = Picture::new(720.0, 500.0);
    let rect = Aabb::new([-2.0, -1.3], [2.0, 1.3]);
    picture.look([350.0, 236.0], 62.0);

    for x in [rect.min_x, rect.max_x] {
        picture.line("zone", [x, -3.55], [x, 3.6]);
    }
    for y in [rect.min_y, rect.max_y] {
        picture.line("zone", [-5.4, y], [5.7, y]);
    }
    picture.shape("a", rect, [0.0, 0.0]);
    for (at, name) in [
        ([-5.3, 3.4], "corner"),
        ([-1.9, 3.4], "edge"),
        ([5.0, 3.4], "corner"),
        ([-5.3, 0.95], "edge"),
        ([1.2, 0.95], "inside"),
        ([5.0, 0.95], "edge"),
        ([-5.3, -1.65], "corner"),
        ([-1.9, -3.35], "edge"),
        ([5.0, -1.65], "corner"),
    ] {
        picture.text("soft", at, [0.0, 4.0], Anchor::Left, format_args!("{name}"));
    }

    for (center, radius, shift, anchor) in CIRCLES {
        let circle = Circle::new(center, radius);
        picture.shape("b", circle, [0.0, 0.0]);
        let Some(contact) = contact_of(rect, circle, 1.0)? else { continue };
        let [point, ..] = contact.points() else { continue };
        let at = [point.x, point.y];
        let [foot_a, foot_b] =
            [0.5, -0.5].map(|share| plus(at, along(&contact, share * contact.depth)));
        picture.line("gap", foot_a, foot_b);
        picture.arrow(foot_a, along(&contact, 1.0), 34.0);
        picture.disc("foot-a", foot_a, 3.5);
        picture.disc("foot-b", foot_b, 3.5);
        picture.disc("point", at, 3.5);
        let depth = signed(contact.depth);
        picture.text("red", center, shift, anchor, format_args!("depth {depth}"));
    }

    picture.look([20.0, 484.0], 1.0);
    picture.arrow([0.0, 4.0], [1.0, 0.0], 30.0);
    picture.text("", [36.0, 0.0], [0.0, 0.0], Anchor::Left, format_args!("normal"));
    picture.disc("point", [112.0, 4.0], 3.5);
    picture.text(
        "",
        [122.0, 0.0],
        [0.0, 0.0],
        Anchor::Left,
        format_args!("contact point, half way between"),
    );
    picture.disc("foot-a", [360.0, 4.0], 3.5);
    picture.disc("foot-b", [373.0, 4.0], 3.5);
    picture.text(
        "",
        [383.0, 0.0],
        [0.0, 0.0],
        Anchor::Left,
        format_args!("the surfaces of rectangle and circle"),
    );
    Ok(picture.finish(
        "Nine zones around a rectangle: circles beside its corners, beside its sides and inside it, \
         with contact points and normals",
    ))
}
