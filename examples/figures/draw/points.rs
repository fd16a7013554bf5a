//! Contact points: a box on a box, a capsule on a polygon, corner to corner, a circle within a box.

use widephase::{
    Contact, ContactPoint, Error, Feature,
    shape::{Aabb, Capsule, Circle, ConvexPolygon, Obb, Rotation, RoundedBox, Shape},
};

use super::{
    along, contact_of,
    picture::{Anchor, Picture},
    plus,
    svg::outline,
};

const SCALE: f32 = 58.0;

pub(crate) fn figure() -> Result<String, Error> {
    let mut picture = Picture::new(760.0, 590.0);

    // The upper box extends beyond the right end of the lower box, where its lower side is clipped.
    picture.look([170.0, 205.0], SCALE);
    let slightly = Rotation { cos: 1599.0 / 1601.0, sin: 80.0 / 1601.0 };
    let below = Obb::new([0.0, -0.65], [2.1, 0.65], Rotation::IDENTITY);
    let above = Obb::new([1.6, 0.42], [1.4, 0.75], slightly);
    let contact = both(&mut picture, below, above)?;
    clipping(&mut picture, below, &contact);
    say(&mut picture, [20.0, 30.0], "A box on a box", &contact);

    picture.look([550.0, 200.0], SCALE);
    let polygon =
        ConvexPolygon::new(&[[-2.2, -1.0], [1.9, -1.0], [2.3, -0.2], [0.6, 0.55], [-1.8, 0.3]])?;
    let capsule = Capsule::new([-1.5, 0.62], [-0.1, 0.72], 0.38);
    let contact = both(&mut picture, &polygon, capsule)?;
    picture.line("core", capsule.core().a().into(), capsule.core().b().into());
    say(&mut picture, [400.0, 30.0], "A capsule on a polygon", &contact);

    picture.look([170.0, 480.0], SCALE);
    let rounded = RoundedBox::new(Aabb::new([-1.8, -1.0], [-0.1, 0.1]), 0.4);
    let tile = ConvexPolygon::new(&[[0.35, 0.5], [1.75, 0.1], [2.05, 1.15], [0.65, 1.55]])?;
    let tile = tile.with_radius(0.3)?;
    let contact = both(&mut picture, rounded, &tile)?;
    picture.shape("core", rounded.core(), [0.0, 0.0]);
    let (core, _) = outline(tile.any());
    picture.rounded("core", &core, 0.0);
    say(&mut picture, [20.0, 320.0], "Corner to corner", &contact);

    picture.look([550.0, 462.0], SCALE);
    let tilted = Obb::new([0.0, -0.35], [1.7, 0.95], Rotation { cos: 0.96, sin: 0.28 });
    let circle = Circle::new([0.5, 0.15], 0.45);
    let contact = both(&mut picture, tilted, circle)?;
    say(&mut picture, [400.0, 320.0], "A circle within a box", &contact);

    Ok(picture.finish(
        "Contact points of a box on a box, a capsule on a polygon, two rounded corners, and a circle \
         whose centre is within a box",
    ))
}

/// Draws two shapes, the second shape also moved out of the first, the points and the normal.
fn both(picture: &mut Picture, a: impl Shape, b: impl Shape) -> Result<Contact, Error> {
    let contact = contact_of(&a, &b, 0.0)?.unwrap_or_default();
    picture.shape("a", &a, [0.0, 0.0]);
    picture.shape("b", &b, [0.0, 0.0]);
    picture.shape("moved", &b, along(&contact, contact.depth));
    for point in contact.points() {
        let at = [point.x, point.y];
        let [foot_a, foot_b] =
            [0.5, -0.5].map(|share| plus(at, along(&contact, share * point.depth)));
        picture.line("gap", foot_a, foot_b);
        picture.arrow(at, along(&contact, 1.0), 40.0);
        picture.disc("point", at, 3.5);
    }
    Ok(contact)
}

/// Draws the lines at the ends of the reference side: the side of `a` that clips the side of the
/// other shape. Both points have it as a feature.
fn clipping(picture: &mut Picture, a: impl Shape, contact: &Contact) {
    let (corners, _) = outline(a.any());
    let side = contact.points()[0].feature_a.index();
    for end in [corners[side], corners[(side + 1) % corners.len()]] {
        picture.line("zone", plus(end, along(contact, -0.4)), plus(end, along(contact, 1.5)));
    }
}

/// Writes the contact in words, starting at a position in pixels.
fn say(picture: &mut Picture, at: [f32; 2], title: &str, contact: &Contact) {
    let left = Anchor::Left;
    picture.look([0.0, 0.0], 1.0);
    let at = [at[0], -at[1]];
    picture.text("title", at, [0.0, 0.0], left, format_args!("{title}"));
    for (row, point) in contact.points().iter().enumerate() {
        let ContactPoint { depth, feature_a, feature_b, .. } = *point;
        let [a, b] = [feature_a, feature_b].map(name);
        let down = 18.0 * (row as f32 + 1.0);
        picture.text("soft", at, [0.0, down], left, format_args!("depth {depth:.2}: {a}, {b}"));
    }
}

fn name(feature: Feature) -> String {
    let kind = if feature.is_side() { "side" } else { "vertex" };
    format!("{kind} {}", feature.index())
}
