//! Round shapes around one point: the normal is (1, 0), whichever is named first, on every way to
//! a contact.
#![allow(clippy::unwrap_used, reason = "a panic is a failed test, in its helpers too")]

use widephase::{
    Contact, Detector, Index, IndexOptions, Narrowphase, Options, Pair, Shapes,
    columns::ContactColumns,
    narrowphase,
    shape::{Capsule, Circle, Compound, Obb, Part, Point, Pose, Rotation},
};

use common::{
    crowd::{PosedShape, store},
    levels, product,
};

const CENTER: [f32; 2] = [3.0, -2.5];

/// Points and circles around the centre, with their radii, and the part of a compound that is such
/// a circle.
fn round_shapes() -> Vec<(PosedShape, f32, u32)> {
    let turned = Pose::new(CENTER, Rotation::quarter_turns(1));
    let part = |radius: f32| Part::from(Circle::new([0.0, 0.0], radius));
    let alone = Compound::new([part(0.75)]).unwrap();
    let second = Compound::new([Circle::new([50.0, 0.0], 1.0).into(), part(1.25)]).unwrap();
    let posed = |shape| PosedShape { shape, pose: Some(turned) };
    vec![
        (Circle::new(CENTER, 1.0).into(), 1.0, 0),
        (Circle::new(CENTER, 1.0).into(), 1.0, 0),
        (Circle::new(CENTER, 0.25).into(), 0.25, 0),
        (Circle::new(CENTER, 0.0).into(), 0.0, 0),
        (Point::new(CENTER).into(), 0.0, 0),
        (Capsule::new(CENTER, CENTER, 0.5).into(), 0.5, 0),
        (posed(Circle::new([0.0, 0.0], 2.0).into()), 2.0, 0),
        (posed(alone.into()), 0.75, 0),
        (posed(second.into()), 1.25, 1),
    ]
}

/// The contact by hand: from the first circle to the right, half way between the right end of the
/// first circle and the left end of the second.
fn check(found: &[Contact], pair: Pair, radii: [f32; 2], parts: [u32; 2], what: &str) {
    let what = format!("{what}: {found:?}");
    let own = |contact: &&Contact| [contact.part_a, contact.part_b] == parts;
    let contact = found.iter().find(own).expect(&what);
    assert_eq!((contact.pair, contact.normal().to_array()), (pair, [1.0, 0.0]), "{what}");
    assert_eq!(contact.depth, radii[0] + radii[1], "{what}");
    let [point] = contact.points() else { panic!("{what}") };
    assert_eq!([point.x, point.y], [CENTER[0] + (radii[0] - radii[1]) / 2.0, CENTER[1]], "{what}");
}

#[test]
fn the_normal_is_the_same_in_either_order() {
    let round = round_shapes();
    let far = PosedShape::from(Obb::new([90.0, 0.0], [1.0, 2.0], Rotation::from_angle(0.5)));
    for ((a, radius_a, part_a), (b, radius_b, part_b), margin) in
        product((&round, &round, [0.0, 0.5]))
    {
        let (radii, parts) = ([*radius_a, *radius_b], [*part_a, *part_b]);
        let what = format!("{a:?}, {b:?}, margin {margin}");
        let contact = narrowphase::contact(a, b, margin).unwrap();
        check(contact.as_slice(), Pair::default(), radii, parts, &what);
        // The rotated box makes all shapes records; without it, circles are columns.
        for others in [&[][..], std::slice::from_ref(&far)] {
            let both = store(&[&[a.clone(), b.clone()], others].concat());
            let alone = [a, b].map(|shape| store(&[std::slice::from_ref(shape), others].concat()));
            for &level in levels() {
                let options = Options { simd_level: Some(level), ..Options::default() };
                let what = format!("{what}, {level}, {} others", others.len());
                let check = |found: &[Contact], pair: Pair| {
                    check(found, pair, radii, parts, &what);
                };
                of_one_set(&both, &options, margin, &check);
                of_two_sets(&alone, &options, margin, &check);
            }
        }
    }
}

fn of_one_set(shapes: &Shapes, options: &Options, margin: f32, check: &dyn Fn(&[Contact], Pair)) {
    let own = Pair { a: 0, b: 1 };
    let mut contacts = Vec::new();
    Detector::with_options(*options).unwrap().contacts(shapes, margin, &mut contacts).unwrap();
    check(&contacts, own);
    let mut narrowphase = Narrowphase::with_options((*options).into()).unwrap();
    narrowphase.contacts(shapes, &[own], margin, &mut contacts).unwrap();
    check(&contacts, own);
}

fn of_two_sets(
    [a, b]: &[Shapes; 2],
    options: &Options,
    margin: f32,
    check: &dyn Fn(&[Contact], Pair),
) {
    let between = Pair { a: 0, b: 0 };
    let index = |shapes: &Shapes| {
        let mut index = Index::with_options(IndexOptions::from(*options)).unwrap();
        index.rebuild(shapes).unwrap();
        index
    };
    let indexes = [index(a), index(b)];
    let mut detector = Detector::with_options(*options).unwrap();
    let (mut among, mut contacts) = (Vec::new(), Vec::new());
    detector.contacts((a, &indexes[1]), margin, &mut contacts).unwrap();
    check(&contacts, between);
    detector.contacts((&indexes[0], &indexes[1]), margin, &mut contacts).unwrap();
    check(&contacts, between);
    detector.contacts_and_against(a, &indexes[1], margin, &mut among, &mut contacts).unwrap();
    check(&contacts, between);
    let mut narrowphase = Narrowphase::with_options((*options).into()).unwrap();
    narrowphase.contacts_between(a, b, &[between], margin, &mut contacts).unwrap();
    check(&contacts, between);
    let compounds =
        [a, b].iter().any(|shapes| shapes.kind(0) == Some(widephase::shape::Kind::Compound));
    if !compounds {
        let mut columns = ContactColumns::default();
        narrowphase.row_contacts(a, b, 0..1, margin, &mut columns).unwrap();
        check(columns.get(0).as_slice(), between);
    }
}
