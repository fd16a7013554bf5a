//! Separating axes of two rotated boxes.

use widephase::{
    Error,
    reference::separating_axes::corners,
    shape::{Obb, Rotation},
};

use super::{
    along, contact_of, dot,
    picture::{Anchor, Picture},
    plus,
};

pub(crate) fn figure() -> Result<String, Error> {
    let mut picture = Picture::new(720.0, 400.0);
    let a = Obb::new([-1.35, -0.55], [1.3, 0.8], Rotation { cos: 0.96, sin: 0.28 });
    let b = Obb::new([1.54, -0.19], [1.1, 0.7], Rotation { cos: 0.8, sin: -0.6 });
    let contact = contact_of(a, b, 0.5)?;

    picture.look([192.0, 185.0], 60.0);
    picture.shape("a", a, [0.0, 0.0]);
    picture.shape("b", b, [0.0, 0.0]);
    let directions = [
        ("a, width", [a.cos, a.sin]),
        ("a, height", [-a.sin, a.cos]),
        ("b, width", [b.cos, b.sin]),
        ("b, height", [-b.sin, b.cos]),
    ];
    for (obb, name) in [(a, "a"), (b, "b")] {
        let center = [obb.x, obb.y];
        for half in [[obb.half_width, 0.0], [0.0, obb.half_height]] {
            picture.line("core", center, plus(center, obb.rotation().apply(half)));
        }
        picture.text("", center, [-8.0, 14.0], Anchor::Middle, format_args!("{name}"));
    }
    if let Some(contact) = contact {
        for point in contact.points() {
            let at = [point.x, point.y];
            let [foot_a, foot_b] =
                [0.5, -0.5].map(|share| plus(at, along(&contact, share * point.depth)));
            picture.line("gap", foot_a, foot_b);
            picture.disc("foot-a", foot_a, 3.5);
            picture.disc("foot-b", foot_b, 3.5);
            // The line that separates the boxes, and the normal.
            let [x, y] = along(&contact, 1.0);
            picture.line("zone", plus(at, [-2.2 * y, 2.2 * x]), plus(at, [2.2 * y, -2.2 * x]));
            picture.disc("point", at, 3.5);
        }
    }

    // The projections of both boxes on each direction, side by side.
    picture.look([410.0, 34.0], 1.0);
    let heading = format_args!("Along the direction of");
    picture.text("title", [0.0, 0.0], [0.0, 0.0], Anchor::Left, heading);
    for (row, (name, direction)) in directions.into_iter().enumerate() {
        let covered = |obb: Obb| {
            let along = corners(obb).map(|corner| dot(corner, direction));
            along.into_iter().fold([f32::MAX, f32::MIN], |[min, max], v| [min.min(v), max.max(v)])
        };
        let [a_min, a_max] = covered(a);
        let [b_min, b_max] = covered(b);
        let gap = (b_min - a_max).max(a_min - b_max);
        let from = if b_min - a_max > a_min - b_max { [a_max, b_min] } else { [b_max, a_min] };

        picture.look([558.0, 84.0 + 82.0 * row as f32], 33.0);
        let [left, right] = [-148.0, 148.0].map(|pixels| pixels / 33.0);
        picture.line("axis", [left, 0.0], [right, 0.0]);
        picture.line("bar-a", [a_min, 0.13], [a_max, 0.13]);
        picture.line("bar-b", [b_min, -0.13], [b_max, -0.13]);
        picture.text("", [left, 0.0], [0.0, -18.0], Anchor::Left, format_args!("{name}"));
        if gap > 0.0 {
            for end in from {
                picture.line("bar-gap", [end, 0.4], [end, -0.4]);
            }
            picture.text(
                "red",
                [right, 0.0],
                [0.0, -18.0],
                Anchor::Right,
                format_args!("gap {gap:.2}: apart"),
            );
        } else {
            picture.text(
                "soft",
                [right, 0.0],
                [0.0, -18.0],
                Anchor::Right,
                format_args!("overlap {:.2}", -gap),
            );
        }
    }
    Ok(picture.finish(
        "Two turned boxes, what they cover of the four directions of their sides, and the gap",
    ))
}
