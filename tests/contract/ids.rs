//! Ids of contact points of bodies at rest: small movements, to every side, leave them as they are.

use std::{
    collections::BTreeSet,
    f32::consts::{FRAC_PI_2, PI},
};

use widephase::{
    ContactId, Feature,
    narrowphase::contact,
    shape::{
        AnyShape, Capsule, ConvexPolygon, Obb, OwnedShape, Pose, Posed, Rotation, RoundedBox,
        Segment, Shape,
    },
};

use common::product::product;
use common::rng::Rng;

/// A body of half the width `half` and half the height 0.5, and the radius around it.
fn bodies(half: f32) -> Vec<(OwnedShape, f32)> {
    let corners = [[-half, -0.5], [half, -0.5], [half, 0.5], [-half, 0.5]];
    let hexagon = [[-half, -0.5], [half, -0.5], [half, 0.1], [0.4, 0.5], [-0.4, 0.5], [-half, 0.1]];
    let polygon = |corners: &[[f32; 2]]| ConvexPolygon::new(corners).unwrap();
    vec![
        (Obb::new([0.0, 0.0], [half, 0.5], Rotation::IDENTITY).into(), 0.5),
        (polygon(&corners).into(), 0.5),
        (polygon(&hexagon).into(), 0.5),
        (polygon(&corners).with_radius(0.1).unwrap().into(), 0.6),
        (Capsule::new([-half, 0.0], [half, 0.0], 0.5).into(), 0.5),
        (Segment::new([-half, 0.0], [half, 0.0]).into(), 0.0),
    ]
}

/// The ids of all points of a contact, wherever they are in its list.
fn ids(lower: &Posed<'_>, upper: &Posed<'_>, margin: f32) -> BTreeSet<ContactId> {
    let found = contact(lower, upper, margin).unwrap().expect("they are near each other");
    let mirror = contact(upper, lower, margin).unwrap().expect("they are near each other");
    let listed: BTreeSet<_> = found.points().iter().map(|point| point.id()).collect();
    let mirrored: BTreeSet<_> = mirror.points().iter().map(|point| point.id().mirrored()).collect();
    assert_eq!(listed, mirrored, "the mirror image");
    assert_eq!(listed.len(), found.points().len(), "two points of one id");
    listed
}

/// Bodies that lie on each other in each direction, up to a little above and a little into each
/// other, with their ends above each other or not.
#[test]
fn bodies_at_rest_keep_their_ids() {
    let mut rng = Rng::new(35);
    for (lower_half, upper_half) in [(1.0, 1.0), (3.0, 1.0), (1.0, 3.0), (1.0, 1.01)] {
        let angles = [0.0, 0.3, FRAC_PI_2, 2.2, PI, 4.4, 5.9];
        let bodies = (bodies(lower_half), bodies(upper_half), angles);
        for ((lower, lower_height), (upper, upper_height), angle) in product(bodies) {
            // Two segments have no inside: a segment that sinks in is on the other side.
            if lower_height + upper_height == 0.0 {
                continue;
            }
            let what = format!("{lower:?} below {upper:?}, at {angle}");
            let turn = Rotation::from_angle(angle);
            let mut solid = Posed::from((&lower, Pose::new([5.0, -3.0], turn)));
            let mut other = Posed::from((&upper, Pose::new([0.0, 0.0], turn)));
            let mut first: Option<BTreeSet<ContactId>> = None;
            for _ in 0..40 {
                let noise = |rng: &mut Rng, size: f32| rng.range(-size, size);
                // A body at rest drifts aside more than it sinks or tilts.
                let size = 10_f32.powf(rng.range(-7.0, -3.0));
                let up = lower_height + upper_height + noise(&mut rng, size);
                let aside = noise(&mut rng, size);
                let [x, y] = turn.apply([aside, up]);
                let tilt = Rotation::from_angle(angle + noise(&mut rng, size * 0.1));
                other.pose = Some(Pose::new([5.0 + x, -3.0 + y], tilt));
                let still = Rotation::from_angle(angle + noise(&mut rng, 1e-7));
                solid.pose = Some(Pose::new([5.0, -3.0], still));
                let ids = ids(&solid, &other, 0.05);
                assert_eq!(ids.len(), 2, "{what}");
                let before = first.get_or_insert_with(|| ids.clone());
                assert_eq!(*before, ids, "{what}");
            }
        }
    }
}

/// Round bodies on sides about as long as their own: floors, both walls, ceilings and slopes. Each
/// box is tilted by up to a thousandth and drifts along the side, in small steps.
#[test]
fn round_bodies_keep_their_ids() {
    let mut rng = Rng::new(37);
    let wall = |half: f32, angle: f32| -> Vec<OwnedShape> {
        let turn = Rotation::from_angle(angle);
        let corners = [[-half, -4.0], [half, -4.0], [half, 0.0], [-half, 0.0]];
        let polygon = ConvexPolygon::new(&corners.map(|corner| turn.apply(corner))).unwrap();
        let middle = turn.apply([0.0, -2.0]);
        let ends = [[half, 0.0], [-half, 0.0]].map(|end| turn.apply(end));
        vec![
            Obb::new(middle, [half, 2.0], turn).into(),
            polygon.into(),
            Segment::new(ends[0], ends[1]).into(),
            Capsule::new(ends[0], ends[1], 0.25).into(),
        ]
    };
    let polygon = ConvexPolygon::new(&[[-1.0, -0.5], [1.0, -0.5], [1.0, 0.5], [-1.0, 0.5]]);
    let (mut poses, mut changes) = (0, Vec::new());
    let angles = [0.0, FRAC_PI_2, PI, -FRAC_PI_2, 0.3, 1.0, 2.2, 2.9, 4.4, 5.9];
    for (angle, radius) in product((angles, [0.9, 0.3, 0.05, 0.01])) {
        let turn = Rotation::from_angle(angle);
        let capsule = Capsule::new([-1.0, 0.0], [1.0, 0.0], radius).into();
        let polygon = polygon.clone().unwrap().with_radius(radius).unwrap();
        let round: [(OwnedShape, f32); 2] = [(capsule, radius), (polygon.into(), 0.5 + radius)];
        // Sides of its own length, and of lengths next to it.
        let walls = [1.0, 1.000_2, 0.999_8].map(|half| wall(half, angle)).concat();
        for ((round, height), lower) in product((round, walls)) {
            let still = Posed::from(&lower);
            let around = if let AnyShape::Capsule(_) = lower.any() { 0.25 } else { 0.0 };
            let mut upper = Posed::from((&round, Pose::at([0.0, 0.0])));
            let mut first: Option<BTreeSet<ContactId>> = None;
            for _ in 0..60 {
                let aside = rng.range(-1e-3, 1e-3);
                let up = height + around - rng.range(0.001, 0.002) * radius;
                let tilt = Rotation::from_angle(angle + rng.range(-9e-4, 9e-4));
                let [x, y] = turn.apply([aside, up]);
                upper.pose = Some(Pose::new([x, y], tilt));
                let ids = ids(&still, &upper, 0.05);
                assert_eq!(ids.len(), 2, "{round:?} on {lower:?}");
                poses += 1;
                if *first.get_or_insert_with(|| ids.clone()) != ids {
                    changes.push((angle, round.clone(), lower.clone()));
                }
            }
        }
    }
    assert!(poses > 50_000);
    assert!(changes.is_empty(), "{} of {poses}, at first {:?}", changes.len(), changes[0]);
}

/// Ids of boxes that do not rotate, side by side and above each other.
#[test]
fn axis_aligned_boxes_keep_their_ids() {
    let mut rng = Rng::new(36);
    for radius in [0.0, 0.25] {
        let at = |x: f32, y: f32| RoundedBox {
            min_x: x - 1.0,
            min_y: y - 1.0,
            max_x: x + 1.0,
            max_y: y + 1.0,
            radius,
        };
        let reach = 2.0 + 2.0 * radius;
        for [x, y] in [[reach, 0.0], [-reach, 0.0], [0.0, reach], [0.0, -reach]] {
            let still = Posed::from(at(0.0, 0.0));
            let mut first: Option<BTreeSet<ContactId>> = None;
            for _ in 0..100 {
                let noise = |rng: &mut Rng| rng.range(-0.005, 0.005);
                let other = Posed::from(at(x + noise(&mut rng), y + noise(&mut rng)));
                let ids = ids(&still, &other, 0.05);
                assert_eq!(ids.len(), 2);
                let before = first.get_or_insert_with(|| ids.clone());
                assert_eq!(*before, ids, "{x} {y} {radius}");
            }
        }
    }
}

/// One feature is a side and the other a vertex, and an id is made of both.
#[test]
fn parts_of_an_id() {
    let id = ContactId::new(Feature::side(2), Feature::vertex(1));
    assert!(id.a.is_side() && !id.b.is_side());
    assert_eq!((id.a.index(), id.b.index()), (2, 1));
    assert_eq!(id.mirrored(), ContactId::new(Feature::vertex(1), Feature::side(2)));
    assert_eq!(ContactId::from_bits(id.to_bits()), id);
    assert_eq!(size_of::<ContactId>(), 4);
    let floor = Obb::new([0.0, -1.0], [5.0, 1.0], Rotation::IDENTITY);
    let crate_on_it = Obb::new([0.0, 0.5], [0.5, 0.5], Rotation::IDENTITY);
    let [floor, upper] = [floor, crate_on_it].map(Posed::from);
    let expected = [0, 1].map(|vertex| ContactId::new(Feature::side(2), Feature::vertex(vertex)));
    assert_eq!(ids(&floor, &upper, 0.0), BTreeSet::from(expected));
}
