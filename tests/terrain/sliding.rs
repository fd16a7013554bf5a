//! Shapes that slide along a chain of 1,000 joints never meet a normal that points back.

use common::crowd::PosedShape;
use common::product;
use widephase::{
    Contact, Detector, Index, Options, Shapes,
    glam::Vec2,
    shape::{
        Aabb, Capsule, Chain, ChainSegment, Circle, Compound, ConvexPolygon, Obb, OwnedShape, Pose,
        Rotation, RoundedBox, Sides,
    },
};

use common::levels;

const JOINTS: usize = 1_000;

/// How deep the shapes are sunk in.
const SUNK: f32 = 0.01;

/// The shapes that slide, each with its lowest point at the origin, and whether it is turned to lie
/// along the chain.
fn sliders() -> Vec<(OwnedShape, bool)> {
    let tilted = {
        let Rotation { cos, sin } = Rotation::from_angle(0.3);
        Obb::new([0.4 * cos - 0.3 * sin, 0.4 * sin + 0.3 * cos], [0.4, 0.3], Rotation { cos, sin })
    };
    let hexagon: Vec<Vec2> = (0..6)
        .map(|k| Vec2::from_angle(k as f32 * std::f32::consts::FRAC_PI_3) * 0.5 + Vec2::Y * 0.433)
        .collect();
    let hexagon = ConvexPolygon::new(&hexagon).unwrap();
    let triangle = ConvexPolygon::new(&[[-0.3, 0.1], [0.4, 0.1], [0.0, 0.6]]).unwrap();
    let feet = [Aabb::new([-0.3, 0.0], [0.0, 0.5]), Aabb::new([0.2, 0.0], [0.5, 0.5])];
    vec![
        (Circle::new([0.0, 0.5], 0.5).into(), true),
        (Aabb::new([-0.7, 0.0], [0.7, 0.5]).into(), false),
        (RoundedBox::new(Aabb::new([-0.2, 0.1], [0.2, 0.3]), 0.1).into(), false),
        (Obb::new([0.0, 0.3], [0.4, 0.3], Rotation::IDENTITY).into(), true),
        (Obb::new([0.0, 0.2], [1.7, 0.2], Rotation::IDENTITY).into(), true),
        (tilted.into(), true),
        (Capsule::new([-0.4, 0.2], [0.4, 0.2], 0.2).into(), true),
        (Capsule::new([0.0, 0.2], [0.0, 0.8], 0.2).into(), true),
        (Capsule::new([0.0, 0.2], [0.5, 0.5], 0.2).into(), true),
        (hexagon.into(), true),
        (triangle.with_radius(0.1).unwrap().into(), true),
        (Compound::new(feet).unwrap().into(), true),
    ]
}

/// A place of a slider: its origin, and the direction of its motion.
#[derive(Clone, Copy)]
struct Place {
    at: Vec2,
    along: Vec2,
}

/// The pose that puts a slider at a place, sunk in along the direction to the left of the motion.
fn pose(shape: &OwnedShape, turned: bool, Place { at, along }: Place) -> Pose {
    let up = along.perp();
    let at = at - up * SUNK;
    let rotation =
        if turned { Rotation { cos: along.x, sin: along.y } } else { Rotation::IDENTITY };
    // The pose of a box or capsule is the pose of its middle.
    let own = PosedShape::from(shape.clone()).pose();
    let [x, y] = rotation.apply([own.x, own.y]);
    let turn = Vec2::new(own.cos, own.sin).rotate(Vec2::new(rotation.cos, rotation.sin));
    Pose::new([at.x + x, at.y + y], Rotation { cos: turn.x, sin: turn.y })
}

/// The contacts of sliders at these places with a chain, for each place. The results are equal on
/// each level.
fn contacts(
    chain: &Chain,
    (shape, turned): &(OwnedShape, bool),
    places: &[Place],
    margin: f32,
) -> Vec<Vec<Contact>> {
    let mut ground = Shapes::new();
    ground.push_chain(chain).unwrap();
    let index = Index::build(&ground).unwrap();
    let mut moving = Shapes::new();
    for place in places {
        moving.push_at(shape, pose(shape, *turned, *place)).unwrap();
    }
    let mut all: Option<Vec<Contact>> = None;
    for level in levels() {
        let options = Options { simd_level: Some(*level), ..Options::default() };
        let mut found = Vec::new();
        let mut detector = Detector::with_options(options).unwrap();
        detector.contacts((&moving, &index), margin, &mut found).unwrap();
        found.sort_by_key(|contact| (contact.pair.a, contact.pair.b, contact.part_a));
        if let Some(all) = &all {
            assert_eq!(all, &found, "{level}");
        }
        all = Some(found);
    }
    let mut by_place = vec![Vec::new(); places.len()];
    for contact in all.unwrap() {
        by_place[contact.pair.a as usize].push(contact.mirrored());
    }
    by_place
}

/// The normals that the smooth surface has at a segment: its own, and the normals of the neighbours
/// at joints that are convex on this side.
fn normals(segment: &ChainSegment, front: f32) -> Vec<Vec2> {
    let along = (segment.b - segment.a).normalize();
    let mut all = vec![along.perp() * front];
    let mut joint = |neighbour: Vec2, [from, to]: [Vec2; 2]| {
        if front * from.perp_dot(to) < 0.0 {
            all.push(neighbour.perp() * front);
        }
    };
    if let Some(before) = segment.before {
        let before = (segment.a - before).normalize();
        joint(before, [before, along]);
    }
    if let Some(after) = segment.after {
        let after = (after - segment.b).normalize();
        joint(after, [along, after]);
    }
    all
}

/// Slides all shapes along a chain, and checks every contact: no normal points back more than the
/// slope of its segment, or of a convex neighbour, does. No contact is as deep as `deepest`, except
/// of shapes that do not turn with the chain.
fn slide(name: &str, chain: &Chain, places: &[Place], deepest: f32) {
    let segments: Vec<ChainSegment> = chain.segments().collect();
    assert_eq!(segments.len(), JOINTS + 1);
    let front = if chain.sides() == Sides::Right { -1.0 } else { 1.0 };
    for ((number, slider), margin) in product((sliders().iter().enumerate(), [0.0, 0.05])) {
        let found = contacts(chain, slider, places, margin);
        for (place, contacts) in places.iter().zip(&found) {
            let what = format!("{name}, slider {number}, margin {margin}, at {}", place.at);
            assert!(contacts.iter().any(|contact| contact.depth >= 0.0), "{what}: none");
            for (contact, along) in product((contacts, [place.along, -place.along])) {
                let normals = normals(&segments[contact.pair.a as usize], front);
                let least = normals.iter().map(|normal| normal.dot(along));
                let least = least.fold(f32::INFINITY, f32::min);
                let back = contact.normal().dot(along);
                assert!(back >= least - 2e-6, "{what}: {back} < {least}, {contact:?}");
                assert!(contact.depth >= -margin, "{what}: {contact:?}");
                assert!(contact.depth < deepest || !slider.1, "{what}: {contact:?}");
            }
        }
    }
}

/// The vertices of a chain, and places along it: on each joint, just before it, just after it and
/// further on. `at` maps the number of a vertex to its point.
fn track(at: impl Fn(f32) -> Vec2) -> (Vec<Vec2>, Vec<Place>) {
    let vertices: Vec<Vec2> = (0..=JOINTS + 1).map(|k| at(k as f32)).collect();
    let mut places = Vec::new();
    // Not at the ends, which are free.
    for joint in 4..JOINTS - 2 {
        for offset in [0.0, -0.001, 0.001, 0.3 + (joint % 7) as f32 * 0.05] {
            let first = if offset < 0.0 { joint - 1 } else { joint };
            let along = (vertices[first + 1] - vertices[first]).normalize();
            places.push(Place { at: vertices[joint] + along * offset, along });
        }
    }
    (vertices, places)
}

/// The chain with contacts on both sides and on the left side, and backwards on the right side.
fn chains(vertices: &[Vec2]) -> [Chain; 3] {
    let chain = Chain::open(vertices).unwrap();
    let back: Vec<Vec2> = vertices.iter().rev().copied().collect();
    let back = Chain::open(&back).unwrap().with_sides(Sides::Right);
    [chain.clone(), chain.with_sides(Sides::Left), back]
}

#[test]
fn bodies_slide_over_flat_chains() {
    let (vertices, places) = track(|way| Vec2::new(way, 0.0));
    for chain in chains(&vertices) {
        slide("flat", &chain, &places, 0.02);
        for slider in sliders() {
            for contact in contacts(&chain, &slider, &places, 0.05).concat() {
                assert_eq!(contact.normal(), Vec2::Y, "{contact:?}");
            }
        }
    }
}

#[test]
fn bodies_slide_over_slanted_chains() {
    let (vertices, places) = track(|way| Vec2::new(way * 0.8, way * 0.6));
    for chain in chains(&vertices) {
        slide("slanted", &chain, &places, 0.02);
    }
}

#[test]
fn bodies_slide_over_convex_chains() {
    let (vertices, places) = track(|way| Vec2::from_angle(2.8 - way * 0.0025) * 400.0);
    for chain in chains(&vertices) {
        slide("convex", &chain, &places, 0.02);
    }
}

#[test]
fn bodies_slide_over_concave_chains() {
    let (vertices, places) = track(|way| Vec2::from_angle(-2.8 + way * 0.0025) * 400.0);
    for chain in chains(&vertices) {
        slide("concave", &chain, &places, 0.02);
    }
}

/// Hills and valleys: joints that are convex and concave in turn, by 0.4 radians.
#[test]
fn bodies_slide_over_hills_and_valleys() {
    let (vertices, places) =
        track(|way| Vec2::new(way, if (way as usize).is_multiple_of(2) { 0.0 } else { 0.2 }));
    for chain in chains(&vertices) {
        slide("zigzag", &chain, &places, 1.0);
    }
}
