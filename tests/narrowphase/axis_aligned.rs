//! Contacts of axis-aligned shapes, by every code path: the same bits from any layout of columns,
//! among any other shapes, from a detection and for pairs of the caller.
#![allow(clippy::unwrap_used, reason = "a panic is a failed test, in its helpers too")]

use common::{
    Rng, SCENES, Soa, assert_contacts, at_every_level, levels,
    matrix::{matrix_of, on_one_thread},
    pow2, shapes_of,
};
use widephase::{
    Columns, Contact, Detector, Index, Narrowphase, NarrowphaseOptions, Options, Order, Pair,
    Shapes, SimdLevel, Touching, narrowphase,
    shape::{Aabb, Circle, Obb, Part, Point, Posed, Rotation, RoundedBox},
};

/// All pairs of rows, for any columns: the narrowphase reports the same touching pairs and contacts
/// as the grid, on every SIMD level. The values are integers, so that many pairs just touch.
#[test]
fn pairs_of_the_callers_by_every_form_of_columns() {
    const ROWS: usize = 150;
    let mut rng = Rng::new(8);
    let mut column =
        |low, high| -> Vec<f32> { (0..ROWS).map(|_| rng.int(low, high) as f32).collect() };
    let (x, y, size) = (column(-6, 6), column(-6, 6), [column(0, 2), column(0, 2)]);
    let sum = |a: &[f32], b: &[f32]| -> Vec<f32> { a.iter().zip(b).map(|(a, b)| a + b).collect() };
    let (right, top, radius) = (sum(&x, &size[0]), sum(&y, &size[1]), column(0, 2));
    let mut mixed = Shapes::new();
    for row in 0..ROWS {
        match row % 3 {
            0 => mixed.push(Point::new([x[row], y[row]])).unwrap(),
            1 => mixed.push(Circle::new([x[row], y[row]], radius[row])).unwrap(),
            _ => mixed.push(Aabb::new([x[row], y[row]], [right[row], top[row]])).unwrap(),
        };
    }
    let forms = [
        ("points", Columns::points(&x, &y).unwrap()),
        ("circles", Columns::circles(&x, &y, &radius).unwrap()),
        ("aabbs", Columns::aabbs(&x, &y, &right, &top).unwrap()),
        ("centered", Columns::centered(&x, &y, &size[0], &size[1]).unwrap()),
        ("rounded boxes", Columns::rounded_boxes(&x, &y, &right, &top, &radius).unwrap()),
        ("a store", Columns::from(&mixed)),
    ];
    let pairs = (0..ROWS as u32).flat_map(|a| (a + 1..ROWS as u32).map(move |b| Pair { a, b }));
    let pairs: Vec<Pair> = pairs.collect();
    for (name, columns) in forms {
        for run in on_one_thread() {
            let what = format!("{name}, {run}");
            let options = Options { simd_level: None, order: Order::Sorted, ..run.options() };
            let mut grid = Detector::with_options(options).unwrap();
            let (mut near, mut expected) = (Vec::new(), Vec::new());
            grid.pairs(columns, &mut near).unwrap();
            assert!(near.len() > 50 || name == "points", "{what}: {} pairs", near.len());
            let mut own = run.narrowphase();
            let (mut found, mut contacts) = (Vec::new(), Vec::new());
            own.pairs(columns, &pairs, &mut found).unwrap();
            assert!(found == near, "{what}: {} pairs, not {}", found.len(), near.len());
            for margin in [0.0, 0.75] {
                grid.contacts(columns, margin, &mut expected).unwrap();
                own.contacts(columns, &pairs, margin, &mut contacts).unwrap();
                assert_contacts(&contacts, &expected, &format!("{what}, margin {margin}"));
            }
        }
    }
}

/// Contacts of axis-aligned shapes are computed directly from columns. One rotated shape makes all
/// shapes take the other path, by the kinds of each pair. Both give the same contacts, in worlds of
/// every distribution, with any layout of columns, with kinds that change from row to row, with
/// static shapes and without.
#[test]
fn one_shape_that_turns_changes_no_contact_of_others() {
    let static_box = Aabb::new([-1.0, -1.0], [1.0, 1.0]);
    let set = Index::build(&Shapes::from_slice(&[static_box]).unwrap()).unwrap();
    let turned = Obb::new([0.5, 0.25], [1.0, 0.5], Rotation { cos: 0.6, sin: 0.8 });
    let mut seen = 0;
    for scene in SCENES {
        let boxes = shapes_of(scene, 300);
        let soa = Soa::new(&boxes);
        let mixed = of_their_kinds(&boxes);
        let forms = [("mixed", Columns::from(&mixed))].into_iter().chain(soa.forms());
        for (form, columns) in forms {
            let mut company = Shapes::from_columns(columns).unwrap();
            company.push(turned).unwrap();
            for (margin, touching) in [(0.0, Touching::Inclusive), (0.25, Touching::Exclusive)] {
                let what = format!("{}, {form}, margin {margin}", scene.0);
                seen += changes_nothing(columns, (&company, &set), margin, touching, &what);
            }
        }
    }
    assert!(seen > 50_000, "{seen} contacts");
}

/// Checks that the last shape of `company` changes no contact of the other shapes, which are
/// `columns`, with the static shapes of `set` and without. Returns the number of contacts.
fn changes_nothing(
    columns: Columns<'_>,
    (company, set): (&Shapes, &Index),
    margin: f32,
    touching: Touching,
    what: &str,
) -> usize {
    let others = columns.len() as u32;
    let among_others = |list: Vec<Contact>| -> Vec<Contact> {
        list.into_iter().filter(|contact| contact.pair.a.max(contact.pair.b) < others).collect()
    };
    let simd_level = Some(SimdLevel::Scalar);
    let options = Options { touching, simd_level, order: Order::Sorted, ..Options::default() };
    let mut detector = Detector::with_options(options).unwrap();
    let (mut moving, mut with_static) = (Vec::new(), Vec::new());
    detector.contacts(company, margin, &mut moving).unwrap();
    let expected = among_others(moving);
    let mut moving = Vec::new();
    detector.contacts_and_against(company, set, margin, &mut moving, &mut with_static).unwrap();
    let beside_static = among_others(moving);
    let check = |detector: &mut Detector, what: &str| {
        let (mut found, mut hits) = (Vec::new(), Vec::new());
        detector.contacts(columns, margin, &mut found).unwrap();
        assert_contacts(&found, &expected, what);
        detector.contacts_and_against(columns, set, margin, &mut found, &mut hits).unwrap();
        assert_contacts(&found, &beside_static, what);
    };
    for run in matrix_of(touching) {
        let options = Options { order: Order::Sorted, ..run.options() };
        let mut detector = Detector::with_options(options).unwrap();
        run.within(|| check(&mut detector, &format!("{what}, {run}")));
    }
    expected.len()
}

/// Points, circles and boxes as such kinds, not as rounded boxes.
fn of_their_kinds(boxes: &[RoundedBox]) -> Shapes {
    let mut shapes = Shapes::new();
    for &shape in boxes {
        let RoundedBox { min_x, min_y, max_x, max_y, radius } = shape;
        let part: Part = match (min_x == max_x && min_y == max_y, radius == 0.0) {
            (true, true) => Point::new([min_x, min_y]).into(),
            (true, false) => Circle::new([min_x, min_y], radius).into(),
            (false, true) => Aabb::new([min_x, min_y], [max_x, max_y]).into(),
            (false, false) => shape.into(),
        };
        shapes.push(part).unwrap();
    }
    shapes
}

at_every_level!(a_contact_at_the_margin_itself_beside_static_shapes);

/// With static shapes, moving shapes are made larger by the whole margin for the grid, and not by
/// half of it; but which moving shapes are near each other does not depend on that. Here a sum of
/// radii is rounded down, so the boxes do not touch and there is no contact; the depth alone would
/// admit one.
fn a_contact_at_the_margin_itself_beside_static_shapes(level: SimdLevel) {
    let margin = pow2(-23);
    let ball = Circle::new([0.0, 0.0], 1.0);
    let dot = Circle::new([1.0 + margin, 0.0], 0.0);
    let set = Index::build(&Shapes::from_slice(&[Circle::new([9.0, 9.0], 1.0)]).unwrap());
    let set = set.unwrap();
    let mut shapes = Shapes::from_slice(&[ball, dot]).unwrap();
    for turns in [false, true] {
        if turns {
            shapes.push(Obb::new([50.0, 50.0], [1.0, 1.0], Rotation::IDENTITY)).unwrap();
        }
        let (mut contacts, mut hits) = (Vec::new(), Vec::new());
        let mut detector =
            Detector::with_options(Options { simd_level: Some(level), ..Options::default() })
                .unwrap();
        for set in [&set, &Index::default()] {
            detector.contacts_and_against(&shapes, set, margin, &mut contacts, &mut hits).unwrap();
            assert_eq!((contacts.len(), hits.len()), (0, 0), "{level}, turns: {turns}");
        }
        // A little further in, the whole margin is no reason to leave anything out.
        detector
            .contacts_and_against(&shapes, &set, 2.0 * margin, &mut contacts, &mut hits)
            .unwrap();
        assert_eq!((contacts.len(), hits.len()), (1, 0), "{level}, turns: {turns}");
        assert_eq!(contacts[0].depth, -margin);
        detector.contacts(&shapes, margin, &mut contacts).unwrap();
        assert_eq!(contacts, []);
        let mut narrowphase = Narrowphase::with_options(NarrowphaseOptions {
            simd_level: Some(level),
            ..NarrowphaseOptions::default()
        })
        .unwrap();
        narrowphase.contacts(&shapes, &[Pair { a: 0, b: 1 }], margin, &mut contacts).unwrap();
        assert_eq!(contacts, []);
    }
}

/// Two circles have the same contact among circles only, among axis-aligned shapes and among
/// rotated shapes, where they take different kernels by different paths.
#[test]
fn circles_in_any_company() {
    let tiny = pow2(-60);
    let ways = [
        [0.0, 0.0],
        [-0.0, -0.0],
        [tiny, 0.0],
        [-tiny, 0.0],
        [0.0, tiny],
        [0.0, -tiny],
        [tiny, -tiny * 0.5],
        [pow2(-50), 0.0],
        [pow2(-51), pow2(-50)],
        [-2.0, 0.0],
        [0.0, 2.0],
        [0.0, -2.25],
        [-0.75, -1.0],
        [1.25, -1.5],
    ];
    // At the origin: elsewhere ways as short as these are rounded off.
    for way in ways {
        let circles = [Circle::new([0.0; 2], 1.25), Circle::new(way, 0.75)];
        let [x, y, radius] = [
            circles.map(|circle| circle.x),
            circles.map(|circle| circle.y),
            circles.map(|circle| circle.radius),
        ];
        let among = |other: Option<Part>| {
            let mut shapes = Shapes::from_slice(&circles).unwrap();
            if let Some(other) = other {
                shapes.push(other).unwrap();
            }
            shapes
        };
        let stores = [
            among(None),
            among(Some(Aabb::new([50.0, 50.0], [51.0, 51.0]).into())),
            among(Some(Obb::new([50.0, 50.0], [1.0, 1.0], Rotation { cos: 0.6, sin: 0.8 }).into())),
        ];
        let solids = circles.map(Posed::from);
        for (margin, &level) in
            [0.0, 1.0].into_iter().flat_map(|m| levels().iter().map(move |l| (m, l)))
        {
            let what = format!("way {way:?}, margin {margin}, {level}");
            let expected = narrowphase::contact(solids[0], solids[1], margin).unwrap();
            let expected: Vec<Contact> =
                expected.into_iter().map(|c| c.with_pair(Pair { a: 0, b: 1 })).collect();
            let length = way[0].hypot(way[1]);
            assert_eq!(expected.len(), usize::from(length <= 2.0 + margin), "{what}");
            let mut detector =
                Detector::with_options(Options { simd_level: Some(level), ..Options::default() })
                    .unwrap();
            let mut narrowphase = Narrowphase::with_options(NarrowphaseOptions {
                simd_level: Some(level),
                ..NarrowphaseOptions::default()
            })
            .unwrap();
            let mut found = Vec::new();
            let columns = Columns::circles(&x, &y, &radius).unwrap();
            for shapes in [columns].into_iter().chain(stores.iter().map(Columns::from)) {
                detector.contacts(shapes, margin, &mut found).unwrap();
                assert_contacts(&found, &expected, &what);
                narrowphase.contacts(shapes, &[Pair { a: 0, b: 1 }], margin, &mut found).unwrap();
                assert_contacts(&found, &expected, &what);
            }
        }
    }
}
