//! Shapes that kernels can hardly tell apart, or not at all: the contact of (b, a) is the mirror
//! image of the contact of (a, b) nevertheless.
#![allow(clippy::unwrap_used, reason = "a panic is a failed test, in its helpers too")]

use std::collections::BTreeMap;

use common::{
    POLICIES, Rng, assert_contacts,
    crowd::{Make, Maker, Numbers, PosedShape, store, wholes},
    levels, pow2,
    twins::whole,
};
use widephase::{
    Contact, Narrowphase, NarrowphaseOptions, Pair,
    columns::ContactColumns,
    reference::placed_shape::PlacedShape,
    shape::{Capsule, Compound, ConvexPolygon, OwnedShape, Part, Pose, Rotation, Segment},
};

/// The difference of two shapes of one class with one centre.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Differ {
    /// Nothing does.
    Nothing,
    /// Only the exact corners, which kernels do not read.
    Corners,
    /// The normals of polygons, whose vertices are the same after rounding.
    Normals,
    /// Other numbers, or the centre.
    Numbers,
}

impl Differ {
    fn of(a: &PlacedShape, b: &PlacedShape) -> Self {
        let numbers = |body: &PlacedShape| (body.center, body.axis, body.half, body.radius);
        if numbers(a) != numbers(b) || a.vertices != b.vertices {
            Self::Numbers
        } else if a.normals != b.normals {
            Self::Normals
        } else if a.corners != b.corners {
            Self::Corners
        } else {
            Self::Nothing
        }
    }
}

/// Checks the contacts of each two shapes in both orders: they equal the contacts of the reference,
/// and are mirror images of each other, unless the two shapes are equal. Also checks rows of two
/// stores, unless the shapes are compounds. All pairs must touch, and compounds have one part.
/// Returns the number of pairs with each difference.
fn assert_mirrored(two: &[[PosedShape; 2]], what: &str) -> BTreeMap<Differ, usize> {
    let mut seen = BTreeMap::new();
    let differ: Vec<Differ> = two
        .iter()
        .map(|two| {
            let wholes = wholes(two);
            let differ = Differ::of(&wholes[0].parts[0], &wholes[1].parts[0]);
            *seen.entry(differ).or_default() += 1;
            differ
        })
        .collect();
    let all = store(&two.concat());
    let sides = [0, 1].map(|side| -> Vec<_> { two.iter().map(|two| two[side].clone()).collect() });
    let [first, second] = sides.map(|side| store(&side));
    let pairs: Vec<Pair> = (0..two.len() as u32)
        .flat_map(|number| [[0, 1], [1, 0]].map(|[a, b]| [2 * number + a, 2 * number + b]))
        .map(|[a, b]| Pair { a, b })
        .collect();
    let alone = |contact: Contact| contact.with_pair(Pair { a: 0, b: 0 });
    for (&level, touching, margin) in levels().iter().flat_map(|level| {
        POLICIES
            .into_iter()
            .flat_map(move |policy| [0.0, 0.25].map(|margin| (level, policy, margin)))
    }) {
        let what = format!("{what}, {touching:?}, margin {margin}, {level}");
        let mut narrowphase = Narrowphase::with_options(NarrowphaseOptions {
            touching,
            simd_level: Some(level),
            ..NarrowphaseOptions::default()
        })
        .unwrap();
        let mut contacts = Vec::new();
        narrowphase.contacts(&all, &pairs, margin, &mut contacts).unwrap();
        let contacts: BTreeMap<Pair, Contact> =
            contacts.into_iter().map(|contact| (contact.pair, contact)).collect();
        for (number, two) in two.iter().enumerate() {
            let what = format!("{what}: {two:?}");
            let wholes = wholes(two);
            let found = [0, 1].map(|order| {
                contacts.get(&pairs[2 * number + order]).map(|contact| alone(*contact))
            });
            let twin = [[0, 1], [1, 0]].map(|[a, b]| {
                let all = whole::between(&wholes[a], &wholes[b], margin, touching);
                all.first().map(|contact| alone(*contact))
            });
            assert_eq!(found, twin, "{what}: the reference");
            let [one, other] = found;
            assert!(one.is_some() || margin == 0.0, "{what}: no contact");
            if differ[number] != Differ::Nothing {
                assert_contacts(
                    one.as_slice(),
                    other.map(|contact| alone(contact.mirrored())).as_slice(),
                    &what,
                );
            }
        }
        if two[0][0].is_compound() {
            continue;
        }
        let (mut rows, mut back) = (ContactColumns::new(), ContactColumns::new());
        narrowphase.row_contacts(&first, &second, 0..two.len(), margin, &mut rows).unwrap();
        narrowphase.row_contacts(&second, &first, 0..two.len(), margin, &mut back).unwrap();
        for (number, differ) in differ.iter().enumerate() {
            let [one, other] = [&rows, &back].map(|rows| rows.get(number).unwrap());
            let found = contacts.get(&pairs[2 * number]).copied().unwrap_or_default();
            assert_eq!(alone(one), alone(found), "{what}: row {number}");
            if *differ != Differ::Nothing && !one.points().is_empty() {
                assert_eq!(alone(one), alone(other.mirrored()), "{what}: row {number}");
            }
        }
    }
    seen
}

fn posed(shape: impl Into<OwnedShape>) -> PosedShape {
    PosedShape { shape: shape.into(), pose: None }
}

/// The ends of a segment differ by a rounding, but neither its middle nor its direction nor its
/// length do: the two parts of compounds whose contact was equal in both orders.
#[test]
fn segments_whose_ends_differ_by_a_rounding() {
    let compound = |segment: Segment, pose| {
        PosedShape::at(Compound::new([Part::from(segment)]).unwrap(), pose)
    };
    let half = 0.5_f32.sqrt();
    let two = [
        compound(
            Segment::new([-0.100_000_024, -1.05], [1.1, 0.55]),
            Pose::new([7.25, 1.5], Rotation::IDENTITY),
        ),
        compound(
            Segment::new([-0.55, 0.100_000_024], [1.05, -1.1]),
            Pose::new([7.25, 1.0], Rotation { cos: 0.0, sin: 1.0 }),
        ),
    ];
    // A millionth of a millionth is lost in the middle and in the length, and in the direction,
    // because that is oblique.
    let core = |y: f32| Segment::new([0.0, y], [half, half]);
    let capsule = |y: f32| posed(Capsule::new(core(y).a(), core(y).b(), 0.5));
    let cases = [
        two,
        [0.0, 1e-12].map(|y| posed(core(y))),
        [1e-12, -1e-12].map(|y| posed(core(y))),
        [0.0, 1e-12].map(capsule),
    ];
    for two in cases {
        let seen = assert_mirrored(std::slice::from_ref(&two), "by hand");
        assert_eq!(seen, BTreeMap::from([(Differ::Corners, 1)]), "{two:?}");
    }
}

/// A vertex that is off by less than a rounding of its distance from the centre: the normals differ
/// where the sides are along the axes, and nothing but the exact corners does where they are
/// oblique.
#[test]
fn polygons_whose_vertices_differ_by_less_than_a_rounding() {
    let right = |x: f32| [[x, 0.0], [1.0, 0.0], [0.0, 1.0]];
    let oblique = |x: f32| [[x, 0.0], [0.875, 0.25], [0.25, 0.75]];
    for (triangle, differ) in
        [(&right as &dyn Fn(f32) -> [[f32; 2]; 3], Differ::Normals), (&oblique, Differ::Corners)]
    {
        let polygons = [0.0, 1e-12].map(|x| ConvexPolygon::new(&triangle(x)).unwrap());
        let rounded = polygons.clone().map(|polygon| polygon.with_radius(0.25).unwrap());
        let pose = Pose::new([3.0, -5.0], Rotation { cos: 0.0, sin: 1.0 });
        for two in [
            polygons.clone().map(posed),
            rounded.map(posed),
            polygons.map(|polygon| PosedShape::at(polygon, pose)),
        ] {
            let seen = assert_mirrored(std::slice::from_ref(&two), "by hand");
            assert_eq!(seen, BTreeMap::from([(differ, 1)]), "{two:?}");
        }
    }
}

/// How a shape is placed.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Place {
    Own,
    Pose,
    /// As the part of a compound.
    Part,
}

/// Shapes of every kind that have corners, each with the same shape but for coordinates of 0, which
/// are a little more or less.
#[test]
fn shapes_that_nearly_coincide() {
    let makes = [Make::Segment, Make::Capsule, Make::Polygon, Make::Many, Make::RoundedPolygon];
    let places = [Place::Own, Place::Pose, Place::Part];
    let mut of_normals = 0;
    for (make, place) in makes.into_iter().flat_map(|make| places.map(|place| (make, place))) {
        let mut maker = Maker::new(41, Numbers::Quarters, 1.0);
        let two: Vec<[PosedShape; 2]> =
            std::iter::from_fn(|| Some(nearly_coinciding(make, place, &mut maker)))
                .flatten()
                .take(600)
                .collect();
        let seen = assert_mirrored(&two, &format!("{make:?}, {place:?}"));
        let of = |differ| seen.get(&differ).copied().unwrap_or_default();
        let line = matches!(make, Make::Segment | Make::Capsule);
        // A segment with a pose has the ends that its length and its rotation give.
        let corners = if line && place == Place::Pose { 0 } else { 30 };
        assert!(of(Differ::Corners) >= corners, "{make:?}, {place:?}: {seen:?}");
        of_normals += of(Differ::Normals);
    }
    assert!(of_normals >= 30, "{of_normals}");
}

/// `None` if there is no coordinate of 0, or if one of the two shapes is not convex.
fn nearly_coinciding(make: Make, place: Place, maker: &mut Maker) -> Option<[PosedShape; 2]> {
    let points: Vec<[f32; 2]> = match make {
        Make::Segment | Make::Capsule => {
            let mut end = || [(); 2].map(|()| maker.rng.int(-4, 4) as f32 * 0.25);
            vec![end(), end()]
        }
        Make::Many => {
            // A parabola from its vertex on, in any quadrant.
            let [x, y] = [(); 2]
                .map(|()| maker.rng.int(1, 4) as f32 * [0.25, -0.25][maker.rng.below(2) as usize]);
            let arc = (0..=8).map(|step| step as f32 / 8.0).map(|t| [x * t, y * t * t]);
            let points: Vec<_> = arc.chain([[0.0, y]]).collect();
            let polygon = ConvexPolygon::hull(&points).unwrap();
            polygon.vertices().iter().map(|vertex| vertex.to_array()).collect()
        }
        _ => {
            let polygon = maker.polygon(6);
            polygon.vertices().iter().map(|vertex| vertex.to_array()).collect()
        }
    };
    let moved = |rng: &mut Rng| -> Vec<[f32; 2]> {
        let mut little = |value: f32| {
            let less = rng.int(-3, 3) as f32 * pow2(-40);
            if value == 0.0 { less } else { value }
        };
        points.iter().map(|point| point.map(&mut little)).collect()
    };
    let lists = [moved(&mut maker.rng), moved(&mut maker.rng)];
    let shapes = lists.map(|points| -> Option<Part> {
        let ends = [points[0], points[1]];
        Some(match make {
            Make::Segment => Segment::new(ends[0], ends[1]).into(),
            Make::Capsule => Capsule::new(ends[0], ends[1], 0.25).into(),
            Make::RoundedPolygon => {
                ConvexPolygon::new(&points).ok()?.with_radius(0.25).unwrap().into()
            }
            _ => ConvexPolygon::new(&points).ok()?.into(),
        })
    });
    let turn = maker.turn();
    let far = [(); 2].map(|()| maker.rng.int(-8, 8) as f32 * 0.25);
    let [Some(a), Some(b)] = shapes else { return None };
    Some([a, b].map(|shape| match place {
        Place::Own => posed(shape),
        Place::Pose => PosedShape::at(shape, Pose::new(far, turn)),
        Place::Part => {
            let exact = [Rotation::IDENTITY, Rotation { cos: 0.0, sin: 1.0 }];
            let (at, turn) = match make {
                Make::Segment | Make::Capsule => ([0.0; 2], exact[usize::from(far[0] > 0.0)]),
                _ => (far, turn),
            };
            PosedShape::at(Compound::new([shape]).unwrap(), Pose::new(at, turn))
        }
    }))
}
