//! Helpers for cases worked out by hand: shapes, whether two touch, and their contacts. Each result
//! is checked at every SIMD level, against the scalar reference to the last bit, and with the
//! shapes exchanged.

use std::f64::consts::{PI, TAU};

use widephase::{
    Contact, Detector, Feature, Options, Pair, Shapes,
    Touching::{self, Exclusive, Inclusive},
    narrowphase,
    reference::{placed_shape::PlacedShape, single::touches},
    shape::{Aabb, AnyShape, ConvexPolygon, Obb, Posed, Rotation, RoundedBox, Shape},
};

use super::{crowd::only_order_tells, levels, twins::contact};

pub const ALIGNED: Rotation = Rotation::IDENTITY;

pub fn obb(x: f32, y: f32, half: [f32; 2]) -> Obb {
    Obb::new([x, y], half, ALIGNED)
}

/// A square on a corner, its corners √2 from the centre: vertex 0 below, 1 right, 2 above, 3 left.
pub fn diamond(x: f32, y: f32) -> Obb {
    let half = 0.5_f32.sqrt();
    Obb::new([x, y], [1.0, 1.0], Rotation { cos: half, sin: half })
}

pub fn polygon(vertices: &[[f32; 2]]) -> ConvexPolygon {
    ConvexPolygon::new(vertices).unwrap()
}

/// The same polygon, translated.
pub fn moved(polygon: &ConvexPolygon, [x, y]: [f32; 2]) -> ConvexPolygon {
    let vertices: Vec<_> = polygon.vertices().iter().map(|v| [v.x + x, v.y + y]).collect();
    self::polygon(&vertices).with_radius(polygon.radius()).unwrap()
}

/// A regular polygon whose last side is vertical, on the right.
pub fn regular(n: u32, radius: f64) -> ConvexPolygon {
    turned(n, radius, 0.5)
}

/// A regular polygon whose first vertex is at the angle `first` · 2π/n.
pub fn turned(n: u32, radius: f64, first: f64) -> ConvexPolygon {
    let angle = |i| (f64::from(i) + first) * TAU / f64::from(n);
    // The sine of π becomes 0, and not its rounding error.
    let rounded = |v: f64| if v.abs() < 1e-12 { 0.0 } else { (radius * v) as f32 };
    let corner = |i| [rounded(angle(i).cos()), rounded(angle(i).sin())];
    polygon(&(0..n).map(corner).collect::<Vec<_>>())
}

pub fn store(a: AnyShape<'_>, b: AnyShape<'_>) -> Shapes {
    let mut shapes = Shapes::new();
    shapes.push(a).unwrap();
    shapes.push(b).unwrap();
    shapes
}

/// Whether two shapes touch. Checks both orders, the function for two shapes, and the reference.
pub fn touch(a: impl Shape, b: impl Shape, touching: Touching) -> bool {
    let count = |a, b| {
        let mut pairs = Vec::new();
        Detector::with_options(Options { touching, ..Options::default() })
            .unwrap()
            .pairs(&store(a, b), &mut pairs)
            .unwrap();
        pairs.len() == 1
    };
    let hit = count(a.any(), b.any());
    assert_eq!(hit, count(b.any(), a.any()), "not symmetric");
    let [one, other] = [a.any(), b.any()].map(Posed::from);
    assert_eq!(hit, narrowphase::touches(one, other, touching).unwrap());
    if let (Some(a), Some(b)) = (PlacedShape::new(&a, None), PlacedShape::new(&b, None)) {
        assert_eq!(hit, touches(&a, &b, touching), "the twin");
    }
    hit
}

/// Whether two shapes touch under `Inclusive` and under `Exclusive`.
pub fn both(a: impl Shape, b: impl Shape) -> (bool, bool) {
    (touch(&a, &b, Inclusive), touch(&a, &b, Exclusive))
}

pub const TOUCHING: (bool, bool) = (true, false);
pub const OVERLAPPING: (bool, bool) = (true, true);
pub const APART: (bool, bool) = (false, false);

/// The only contact of two shapes, if they have a contact. Exchanged, it must be the mirror image,
/// unless the shapes are equal, or circles around one point: these keep the given order.
pub fn near(a: impl Shape, b: impl Shape, margin: f32) -> Option<Contact> {
    let shapes = store(a.any(), b.any());
    let found = only(&shapes, margin);
    let twin = |a: &PlacedShape, b: &PlacedShape| contact::contact(a, b, margin, Inclusive);
    let [one, other] = [PlacedShape::new(&a, None).unwrap(), PlacedShape::new(&b, None).unwrap()];
    assert_eq!(bytes(found), bytes(twin(&one, &other)), "the twin");
    if !only_order_tells(&one, &other) {
        let mirror = only(&store(b.any(), a.any()), margin).map(Contact::mirrored);
        let mirror = mirror.map(|contact| contact.with_pair(Pair { a: 0, b: 1 }));
        assert_eq!(bytes(found), bytes(mirror), "the mirror image");
    }
    found
}

fn bytes(contact: Option<Contact>) -> Option<[u8; 64]> {
    contact.map(bytemuck::cast)
}

/// The only contact in a store, if it has a contact. It must be the same at every SIMD level.
fn only(shapes: &Shapes, margin: f32) -> Option<Contact> {
    let mut contacts = Vec::new();
    let [first, others @ ..] = levels() else { panic!("no level") };
    Detector::with_options(Options { simd_level: Some(*first), ..Options::default() })
        .unwrap()
        .contacts(shapes, margin, &mut contacts)
        .unwrap();
    assert!(contacts.len() <= 1);
    let found = contacts.first().copied();
    for &level in others {
        Detector::with_options(Options { simd_level: Some(level), ..Options::default() })
            .unwrap()
            .contacts(shapes, margin, &mut contacts)
            .unwrap();
        assert_eq!(bytes(found), bytes(contacts.first().copied()), "{level}");
    }
    found
}

/// The contact of two shapes that touch.
pub fn meet(a: impl Shape, b: impl Shape) -> Contact {
    near(a, b, 0.0).unwrap()
}

/// Normal and depth.
pub fn way(contact: &Contact) -> ([f32; 2], f32) {
    ([contact.normal().x, contact.normal().y], contact.depth)
}

/// Sides as numbers from 100 on, vertices from 0.
pub fn number(feature: Feature) -> usize {
    feature.index() + if feature.is_side() { 100 } else { 0 }
}

/// A contact point: its position, and the features of both shapes.
pub type Spot = ([f32; 2], [usize; 2]);

/// The positions and features of the points.
pub fn points(contact: &Contact) -> Vec<Spot> {
    let features = |p: &widephase::ContactPoint| [number(p.feature_a), number(p.feature_b)];
    contact.points().iter().map(|p| ([p.x, p.y], features(p))).collect()
}

/// [`points`], sorted from left to right and from below: two equally deep points may have any
/// order.
pub fn spots(contact: &Contact) -> Vec<Spot> {
    let mut spots = points(contact);
    spots.sort_by(|a, b| a.0.partial_cmp(&b.0).unwrap());
    spots
}

pub fn close(a: f32, b: f32, tolerance: f32) -> bool {
    (a - b).abs() <= tolerance
}

/// A triangle: side 0 is below, side 1 is the slope, side 2 is on the left.
pub fn wedge() -> ConvexPolygon {
    polygon(&[[0.0, 0.0], [4.0, 0.0], [0.0, 4.0]])
}

/// A rectangle as a polygon, numbered as boxes are.
pub fn rectangle([x, y]: [f32; 2], [w, h]: [f32; 2]) -> ConvexPolygon {
    polygon(&[[x - w, y - h], [x + w, y - h], [x + w, y + h], [x - w, y + h]])
}

/// A polygon of 64 sides around a circle. The right side, which is the last side, is at x = radius
/// and has the length 2 tan(π/64) · radius.
pub fn around(radius: f64) -> ConvexPolygon {
    regular(64, radius / (PI / 64.0).cos())
}

pub fn rounded(min: [f32; 2], max: [f32; 2], radius: f32) -> RoundedBox {
    RoundedBox::new(Aabb::new(min, max), radius)
}

/// Checks shapes that touch exactly, so that their points are on both and have depth 0.
pub fn assert_touching(a: impl Shape, b: impl Shape, normal: [f32; 2], expected: &[Spot]) {
    let what = format!("{:?}, {:?}", a.any(), b.any());
    assert_eq!(both(&a, &b), TOUCHING, "{what}");
    let found = meet(&a, &b);
    assert_eq!(way(&found), (normal, 0.0), "{what}");
    let spots = spots(&found);
    assert_eq!(spots.len(), expected.len(), "{what}: {spots:?}");
    for ((at, features), (expected, of)) in spots.iter().zip(expected) {
        let there = close(at[0], expected[0], 1e-7) && close(at[1], expected[1], 1e-7);
        assert!(there && features == of, "{what}: {spots:?}");
    }
    assert!(found.points().iter().all(|point| point.depth == 0.0), "{what}");
}

/// Checks normal and depth within one or two roundings.
pub fn assert_nearly(found: &Contact, [x, y]: [f32; 2], depth: f32) {
    let right = close(found.normal().x, x, 1e-6) && close(found.normal().y, y, 1e-6);
    assert!(right && close(found.depth, depth, 1e-6), "({x}, {y}), {depth}: {found:?}");
}
