//! The reference tests of rotated shapes beside the engine. Where nothing needs rounding, each
//! gives the result of the engine under the policy of its own boundary rule, touching included.
//! Anywhere else it does so away from touching, where rounding has no influence. Geometry in `f64`
//! says which pairs are away from touching, and on which side.
#![allow(clippy::unwrap_used, reason = "a panic is a failed test, in its helpers too")]

use common::{
    POLICIES,
    convex::{Convex, clearance},
    crowd::{Make, Maker, Numbers, PosedShape},
    rng::Rng,
};
use widephase::glam::Vec2;
use widephase::{
    Touching::{self, Exclusive, Inclusive},
    narrowphase,
    reference::{
        closest_points::{capsule_capsule, capsule_circle},
        compound_circles::any_circle,
        edge_normals::polygon_polygon,
        rotated_rect::obb_circle,
        separating_axes::{corners, obb_obb},
    },
    shape::{Capsule, Circle, Compound, ConvexPolygon, Obb, Part, Pose, Rotation},
};

/// The number of pairs of each kind: exact pairs that overlap, only touch, and are apart; other
/// pairs that overlap, are too near to touching to be compared, and are apart.
#[derive(Debug, Default)]
struct Seen {
    overlapping: usize,
    touching: usize,
    apart: usize,
}

/// The results of the engine for two shapes under both policies, in either order.
fn engine(a: &PosedShape, b: &PosedShape) -> [bool; 2] {
    POLICIES.map(|touching| {
        let hit = narrowphase::touches(a, b, touching).unwrap();
        assert_eq!(narrowphase::touches(b, a, touching).unwrap(), hit, "exchanged, {touching:?}");
        hit
    })
}

impl Seen {
    /// Numbers without roundings: `answer` is the answer of the engine under `rule`.
    fn exact(
        &mut self,
        rule: Touching,
        a: impl Into<PosedShape>,
        b: impl Into<PosedShape>,
        answer: bool,
    ) {
        let (a, b) = (a.into(), b.into());
        let [inclusive, exclusive] = engine(&a, &b);
        let expected = if rule == Inclusive { inclusive } else { exclusive };
        assert_eq!(answer, expected, "{rule:?}: {a:?}, {b:?}");
        *match (inclusive, exclusive) {
            (true, true) => &mut self.overlapping,
            (true, false) => &mut self.touching,
            (false, false) => &mut self.apart,
            (false, true) => panic!("a pair under Exclusive only: {a:?}, {b:?}"),
        } += 1;
    }

    /// Any numbers, sizes about 1: away from touching, `answer` and the answer of the engine are
    /// the answer of geometry.
    fn clear(&mut self, a: impl Into<PosedShape>, b: impl Into<PosedShape>, answer: bool) {
        let (a, b) = (a.into(), b.into());
        let [parts, others] = [&a, &b].map(Convex::parts);
        let apart = |part| others.iter().map(move |other| clearance(part, other));
        let least = parts.iter().flat_map(apart).fold(f64::INFINITY, f64::min);
        if least.abs() < 1e-3 {
            self.touching += 1;
            return;
        }
        let truth = least < 0.0;
        assert_eq!(engine(&a, &b), [truth; 2], "{least} apart: {a:?}, {b:?}");
        assert_eq!(answer, truth, "the reference, {least} apart: {a:?}, {b:?}");
        *if truth { &mut self.overlapping } else { &mut self.apart } += 1;
    }

    /// Enough of each kind.
    #[track_caller]
    fn at_least(&self, overlapping: usize, touching: usize, apart: usize) {
        let enough = self.overlapping >= overlapping && self.apart >= apart;
        assert!(enough && self.touching >= touching, "{self:?}");
    }
}

/// Rounds of each test.
const ROUNDS: usize = 20_000;

/// A multiple of a quarter up to 3: sums, differences and products of these are exact.
fn place(rng: &mut Rng) -> [f32; 2] {
    [0, 1].map(|_| rng.int(-12, 12) as f32 * 0.25)
}

/// A multiple of a quarter from 0 to 1.5.
fn size(rng: &mut Rng) -> f32 {
    rng.int(0, 6) as f32 * 0.25
}

/// Not rotated, or by quarter turns.
fn quarters(rng: &mut Rng) -> Rotation {
    let (cos, sin) = [(1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0)][rng.below(4) as usize];
    Rotation { cos, sin }
}

fn exact_box(rng: &mut Rng) -> Obb {
    Obb::new(place(rng), [size(rng), size(rng)], quarters(rng))
}

fn exact_circle(rng: &mut Rng) -> Circle {
    Circle::new(place(rng), size(rng))
}

/// Along an axis, and 0, 1/4, 1/2, 1, 2 or 4 long: the place along it that is nearest to anything
/// is exact.
fn exact_capsule(rng: &mut Rng) -> Capsule {
    let [x, y] = place(rng);
    let length = [0.0, 0.25, 0.5, 1.0, 2.0, 4.0][rng.below(6) as usize];
    let [dx, dy] = quarters(rng).apply([length, 0.0]);
    Capsule::new([x, y], [x + dx, y + dy], size(rng))
}

#[test]
fn exact_turned_boxes_agree_with_the_reference() {
    let (mut rng, mut seen) = (Rng::new(1), Seen::default());
    for _ in 0..ROUNDS {
        let [a, b] = [0, 1].map(|_| exact_box(&mut rng));
        seen.exact(Exclusive, a, b, obb_obb(a, b));
    }
    seen.at_least(2000, 500, 2000);

    let (mut maker, mut seen) = (Maker::new(1, Numbers::Smooth, 1.0), Seen::default());
    for _ in 0..ROUNDS {
        let [a, b] = [0, 1].map(|_| any_box(&mut maker));
        seen.clear(a, b, obb_obb(a, b));
    }
    seen.at_least(2000, 1, 2000);
}

#[test]
fn turned_box_and_circle() {
    let (mut rng, mut seen) = (Rng::new(2), Seen::default());
    for _ in 0..ROUNDS {
        let (a, b) = (exact_box(&mut rng), exact_circle(&mut rng));
        seen.exact(Inclusive, a, b, obb_circle(a, b));
    }
    seen.at_least(2000, 500, 2000);

    let (mut maker, mut seen) = (Maker::new(2, Numbers::Smooth, 1.0), Seen::default());
    for _ in 0..ROUNDS {
        let (a, b) = (any_box(&mut maker), any_circle_of(&mut maker));
        seen.clear(a, b, obb_circle(a, b));
    }
    seen.at_least(2000, 1, 2000);
}

/// Exactly where all sides are along the axes: other sides have normals that are rounded.
#[test]
fn exact_polygons_agree_with_the_reference() {
    let (mut rng, mut seen) = (Rng::new(3), Seen::default());
    for _ in 0..ROUNDS {
        let [a, b] = [0, 1].map(|_| {
            let flat = exact_box(&mut rng);
            let half = [flat.half_width + 0.25, flat.half_height + 0.25];
            let outline = corners(Obb::new(flat.center(), half, flat.rotation()));
            ConvexPolygon::new(&outline).unwrap()
        });
        let answer = polygon_polygon(a.vertices(), b.vertices());
        seen.exact(Inclusive, a, b, answer);
    }
    seen.at_least(2000, 500, 2000);

    let (mut maker, mut seen) = (Maker::new(3, Numbers::Smooth, 1.0), Seen::default());
    for round in 0..ROUNDS {
        let [a, b] = [0, 1].map(|side| {
            let pose = any_pose(&mut maker);
            let vertices = 3 + (round / 7 + side * round / 3) % 12;
            (maker.polygon(vertices), pose)
        });
        let outline = |(polygon, pose): &(ConvexPolygon, Pose)| -> Vec<Vec2> {
            let turned = |v: &Vec2| Vec2::from(pose.rotation().apply(v.to_array()));
            polygon.vertices().iter().map(|v| turned(v) + pose.position()).collect()
        };
        let answer = polygon_polygon(&outline(&a), &outline(&b));
        let [a, b] = [a, b].map(|(polygon, pose)| PosedShape::at(Part::from(polygon), pose));
        seen.clear(a, b, answer);
    }
    seen.at_least(2000, 1, 2000);
}

#[test]
fn exact_capsules_agree_with_the_reference() {
    let (mut rng, mut seen) = (Rng::new(4), Seen::default());
    for _ in 0..ROUNDS {
        let [a, b] = [0, 1].map(|_| exact_capsule(&mut rng));
        seen.exact(Inclusive, a, b, capsule_capsule(a, b));
        let circle = exact_circle(&mut rng);
        seen.exact(Inclusive, a, circle, capsule_circle(a, circle));
    }
    seen.at_least(4000, 500, 4000);

    let (mut maker, mut seen) = (Maker::new(4, Numbers::Smooth, 1.0), Seen::default());
    for _ in 0..ROUNDS {
        let [a, b] = [0, 1].map(|_| any_capsule(&mut maker));
        seen.clear(a, b, capsule_capsule(a, b));
        let circle = any_circle_of(&mut maker);
        seen.clear(a, circle, capsule_circle(a, circle));
    }
    seen.at_least(4000, 1, 4000);
}

/// Bodies of several circles, as compounds: circles that a pose places there are placed here by
/// hand.
#[test]
fn bodies_of_circles() {
    let (mut rng, mut seen) = (Rng::new(5), Seen::default());
    for _ in 0..ROUNDS {
        let [a, b] = [0, 1].map(|_| {
            let circles: Vec<Circle> =
                (0..1 + rng.below(4)).map(|_| exact_circle(&mut rng)).collect();
            (circles, Pose::new(place(&mut rng), quarters(&mut rng)))
        });
        let answer = any_circle(&placed(&a), &placed(&b));
        seen.exact(Exclusive, compound(a), compound(b), answer);
    }
    seen.at_least(2000, 150, 2000);

    let (mut maker, mut seen) = (Maker::new(5, Numbers::Smooth, 1.0), Seen::default());
    for _ in 0..ROUNDS {
        let [a, b] = [0, 1].map(|_| {
            let count = 1 + maker.rng.below(20);
            let small = |circle: Circle| Circle { radius: circle.radius * 0.25, ..circle };
            let circles: Vec<Circle> =
                (0..count).map(|_| small(any_circle_of(&mut maker))).collect();
            (circles, any_pose(&mut maker))
        });
        let answer = any_circle(&placed(&a), &placed(&b));
        seen.clear(compound(a), compound(b), answer);
    }
    seen.at_least(2000, 1, 2000);
}

fn compound((circles, pose): (Vec<Circle>, Pose)) -> PosedShape {
    PosedShape::at(Compound::new(circles).unwrap(), pose)
}

fn placed((circles, pose): &(Vec<Circle>, Pose)) -> Vec<Circle> {
    let placed = |circle: &Circle| {
        let [x, y] = pose.rotation().apply([circle.x, circle.y]);
        Circle { x: pose.x + x, y: pose.y + y, radius: circle.radius }
    };
    circles.iter().map(placed).collect()
}

fn any_place(maker: &mut Maker) -> [f32; 2] {
    [0, 1].map(|_| maker.rng.range(-1.5, 1.5))
}

fn any_pose(maker: &mut Maker) -> Pose {
    Pose::new(any_place(maker), maker.turn())
}

fn any_box(maker: &mut Maker) -> Obb {
    match any(maker, Make::Obb) {
        Part::Obb(obb) => obb,
        other => unreachable!("{other:?}"),
    }
}

fn any_circle_of(maker: &mut Maker) -> Circle {
    match any(maker, Make::Circle) {
        Part::Circle(circle) => circle,
        other => unreachable!("{other:?}"),
    }
}

fn any_capsule(maker: &mut Maker) -> Capsule {
    match any(maker, Make::Capsule) {
        Part::Capsule(capsule) => capsule,
        other => unreachable!("{other:?}"),
    }
}

fn any(maker: &mut Maker, make: Make) -> Part {
    let place = any_place(maker);
    maker.part(make, place)
}
