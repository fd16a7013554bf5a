//! Records, shapes and worlds through JSON.
#![allow(clippy::unwrap_used, reason = "a panic is a failed test, in its helpers too")]

use std::fmt::Debug;

use serde::{Serialize, de::DeserializeOwned};
use serde_json::{Value, from_value, json, to_value};
use widephase::{
    Body, Contact, Detector, Filter, Handle, Motion, Options, Order, Pair, Ray, Shapes, SimdLevel,
    Threads, Touching, World,
    options::{CellSize, GridLevels},
    shape::{
        Aabb, Capsule, Circle, Compound, ConvexPolygon, Kind, Obb, Outline, OwnedShape, Part,
        Point, Pose, Rotation, RoundedBox, Segment,
    },
    world::{PairEvent, StopReason},
};

/// Asserts the text that a value is written as, and that the value comes back.
fn check<T: Serialize + DeserializeOwned + PartialEq + Debug>(value: T, expected: Value) {
    let written = to_value(&value).unwrap();
    assert_eq!(written, expected);
    assert_eq!(from_value::<T>(written).unwrap(), value);
}

#[test]
fn records_are_written_and_read_by_field() {
    check(Point::new([1.0, 2.0]), json!({ "x": 1.0, "y": 2.0 }));
    check(Circle::new([1.0, 2.0], 0.5), json!({ "x": 1.0, "y": 2.0, "radius": 0.5 }));
    let obb = Obb::new([0.0, 1.0], [2.0, 3.0], Rotation::IDENTITY);
    let written = json!({ "x": 0.0, "y": 1.0, "half_width": 2.0, "half_height": 3.0,
        "cos": 1.0, "sin": 0.0 });
    check(obb, written.clone());
    check(OwnedShape::from(obb), json!({ "Single": { "Obb": written } }));
    check(Pose::at([1.0, 2.0]), json!({ "x": 1.0, "y": 2.0, "cos": 1.0, "sin": 0.0 }));
    let outline =
        Outline { outer: vec![[0.0, 1.0].into(), [2.0, 3.0].into()], holes: vec![vec![]] };
    check(outline, json!({ "outer": [[0.0, 1.0], [2.0, 3.0]], "holes": [[]] }));
    check(Pair { a: 1, b: 2 }, json!({ "a": 1, "b": 2 }));
    check(Motion::Asleep, json!("Asleep"));
    check(Kind::Capsule, json!("Capsule"));
    check(StopReason::Apart, json!("Apart"));
    let options = Options {
        simd_level: Some(SimdLevel::Portable),
        touching: Touching::Exclusive,
        order: Order::Sorted,
        threads: Threads::Calling,
        cell_size: CellSize::Fixed(2.0),
        grid_levels: GridLevels::upto(&[1.0, 4.0]).unwrap(),
        max_pairs: 10,
        max_contacts: 20,
        timings: true,
    };
    let written = json!({ "simd_level": "Portable", "touching": "Exclusive", "order": "Sorted",
        "threads": "Calling", "cell_size": { "Fixed": 2.0 }, "grid_levels": { "Upto": [1.0, 4.0] },
        "max_pairs": 10, "max_contacts": 20, "timings": true });
    check(options, written);
    // Missing fields have their defaults.
    assert_eq!(from_value::<Options>(json!({})).unwrap(), Options::default());
    let filter = from_value::<Filter>(json!({ "group": -1 })).unwrap();
    assert_eq!(filter, Filter::ALL.in_group(-1));
    let body = from_value::<Body>(json!({ "user": 7, "motion": "Static" })).unwrap();
    assert_eq!(body, Body { user: 7, motion: Motion::Static, ..Body::default() });
    let ray = Ray::new([0.0, 0.0], [1.0, 0.0]).up_to(0.5);
    assert_eq!(from_value::<Ray>(to_value(ray).unwrap()).unwrap(), ray);
}

#[test]
fn shapes_with_lists() {
    let wedge = ConvexPolygon::new(&[[0.0, 0.0], [2.0, 0.0], [0.0, 1.0]]).unwrap();
    let vertices = json!([[0.0, 0.0], [2.0, 0.0], [0.0, 1.0]]);
    check(wedge.clone(), json!({ "vertices": vertices, "radius": 0.0 }));
    check(wedge.clone().with_radius(0.5).unwrap(), json!({ "vertices": vertices, "radius": 0.5 }));
    let parts: [Part; 8] = [
        Point::new([1.0, 2.0]).into(),
        Circle::new([1.0, 2.0], 3.0).into(),
        Aabb::new([0.0, 0.0], [1.0, 1.0]).into(),
        RoundedBox::new(Aabb::new([0.0, 0.0], [1.0, 1.0]), 0.5).into(),
        Obb::default().into(),
        Capsule::new([0.0, 0.0], [1.0, 1.0], 0.5).into(),
        Segment::new([0.0, 0.0], [1.0, 1.0]).into(),
        wedge.into(),
    ];
    let compound = Compound::new(parts).unwrap();
    let shape = OwnedShape::from(compound);
    let written = to_value(&shape).unwrap();
    assert_eq!(written["Compound"][1], json!({ "Circle": { "x": 1.0, "y": 2.0, "radius": 3.0 } }));
    assert_eq!(from_value::<OwnedShape>(written).unwrap(), shape);
}

/// Values that a constructor refuses are refused here, with its text.
#[test]
fn values_that_a_constructor_refuses_are_refused() {
    let refusal = |value: Value| from_value::<OwnedShape>(value).unwrap_err().to_string();
    let bent = json!({ "vertices": [[0.0, 0.0], [2.0, 0.0], [0.5, 0.5], [0.0, 2.0]] });
    let error = refusal(json!({ "Single": { "Polygon": bent } }));
    assert_eq!(error, "polygon 0: not convex, or more than one round, at vertex 2");
    let circle = json!({ "Circle": { "x": 1.0, "y": 2.0, "radius": -3.0 } });
    let error = refusal(json!({ "Compound": [circle] }));
    assert_eq!(error, "shape 0: radius is -3: a size cannot be negative");
    assert_eq!(refusal(json!({ "Compound": [] })), "a compound needs at least one part");
    let error = from_value::<Handle>(json!(7)).unwrap_err().to_string();
    assert_eq!(error, "invalid value: integer `7`, expected the bits of a handle");
    let error = from_value::<World>(json!([1, 2, 3])).unwrap_err().to_string();
    assert_eq!(error, "byte 0: not a file of this kind");
    assert!(from_value::<World>(json!("text")).is_err());
}

#[test]
fn worlds_and_results() {
    let mut world = World::new();
    world.set_tag(0);
    for x in [0.0, 1.5] {
        world.insert(Circle::new([x, 0.0], 1.0), Body { user: 7, ..Body::default() }).unwrap();
    }
    world.step().unwrap();
    let again: World = from_value(to_value(&world).unwrap()).unwrap();
    assert!(again.snapshot() == world.snapshot());

    let event: PairEvent = world.last_step().started()[0];
    assert_eq!(from_value::<PairEvent>(to_value(event).unwrap()).unwrap(), event);
    assert_eq!(to_value(event.b).unwrap(), json!(0x1_0000_0001_u64));
    let shapes = Shapes::from_slice(&[Circle::new([0.0, 0.0], 1.0); 2]).unwrap();
    let mut contacts: Vec<Contact> = Vec::new();
    Detector::new().contacts(&shapes, 0.0, &mut contacts).unwrap();
    assert_eq!(from_value::<Vec<Contact>>(to_value(&contacts).unwrap()).unwrap(), contacts);
}

#[test]
fn outlines_stay_outlines() {
    let ring = [[0.0, 0.0], [4.0, 0.0], [4.0, 1.0], [1.0, 1.0], [1.0, 4.0], [0.0, 4.0]];
    let corner = Compound::from_outline(&ring, &[]).unwrap();
    let written = to_value(&corner).unwrap();
    assert_eq!(from_value::<Compound>(written).unwrap(), corner);
    // Corners that bend a part by the last bit only, in one part and in several parts.
    let bent = 0.1_f32.next_down();
    let flat = [[0.0, 0.1], [0.5, bent], [1.0, 0.1], [0.5, 1.0]];
    let notched = [[0.0, 0.1], [0.5, bent], [1.0, 0.1], [0.5, 1.0], [0.6, 0.5]];
    for ring in [flat.as_slice(), &notched] {
        let outline = Compound::from_outline(ring, &[]).unwrap();
        let corners = outline.parts().iter().map(|part| match part {
            Part::Polygon(polygon) => polygon.vertices().len(),
            other => panic!("{other:?}"),
        });
        assert_eq!(corners.sum::<usize>(), ring.len() + 2 * (outline.parts().len() - 1));
        assert_eq!(from_value::<Compound>(to_value(&outline).unwrap()).unwrap(), outline);
        let parts = to_value(outline.parts()).unwrap();
        assert_eq!(from_value::<Vec<Part>>(parts).unwrap(), outline.parts());
    }
    // A list that is no such outline is read as by `new`.
    let given = json!({ "vertices": [[0.0, 0.0], [0.0, 2.0], [2.0, 2.0], [2.0, 1.0], [2.0, 0.0]] });
    assert_eq!(from_value::<ConvexPolygon>(given).unwrap().vertices().len(), 4);
    let given = json!({ "vertices": [[0.0, 0.0], [2.0, 0.0], [0.5, 0.5], [0.0, 2.0]] });
    assert!(from_value::<ConvexPolygon>(given).is_err());
    let plain = Compound::new(corner.parts().to_vec()).unwrap();
    let written = to_value(&plain).unwrap();
    assert!(written[0].get("Polygon").is_some());
    assert_eq!(from_value::<Compound>(written).unwrap(), plain);
}
