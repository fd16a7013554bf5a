//! The narrowphase: lists of pairs, rows, and two shapes at a time.

use crate::{
    counting::alone,
    moving::{STEPS, allocations, turning},
};
use common::{
    Rng, at_every_level,
    crowd::{Make, Maker, Numbers, PosedShape},
    scene::{Scene, SceneKind},
};
use widephase::{
    Columns, Contact, Detector, Narrowphase, NarrowphaseOptions, Options, Order, Pair, SimdLevel,
    Threads, Touching,
    columns::ContactColumns,
    narrowphase,
    shape::{Circle, Compound, ConvexPolygon, OwnedShape, Pose},
};

at_every_level!(rows_of_a_narrowphase);

/// Rows of rotated shapes, against circles and against each other: of one class (boxes, capsules,
/// polygons of many vertices), of polygons with and without a radius, and of all classes.
fn rows_of_a_narrowphase(level: SimdLevel) {
    let _turn = alone();
    let n = 600;
    let lists: [&[Make]; 5] = [
        &[Make::Obb],
        &[Make::Capsule],
        &[Make::Many],
        &[Make::Polygon, Make::RoundedPolygon],
        Make::SINGLE,
    ];
    let stores = lists.map(|makes| turning(n, makes));
    let mut narrowphase = Narrowphase::with_options(NarrowphaseOptions {
        simd_level: Some(level),
        ..NarrowphaseOptions::default()
    })
    .unwrap();
    let mut contacts = ContactColumns::new();
    let mut rng = Rng::new(8);
    let (mut x, mut y, radius) = (vec![0.0; n], vec![0.0; n], vec![0.5; n]);
    let (mut calls, mut found) = (0, [0; 10]);
    for step in 0..STEPS[0] + STEPS[1] {
        x.fill_with(|| rng.range(-1.0, 1.0));
        y.fill_with(|| rng.range(-1.0, 1.0));
        let step_calls = allocations(|| {
            let circles = Columns::circles(&x, &y, &radius).unwrap();
            for (at, shapes) in stores.iter().enumerate() {
                let others = [circles, stores[(at + 1) % stores.len()].columns()];
                for (which, other) in others.into_iter().enumerate() {
                    narrowphase.row_contacts(other, shapes, 0..n, 0.125, &mut contacts).unwrap();
                    found[2 * at + which] += contacts.count.iter().sum::<u32>();
                }
            }
        });
        calls += if step < STEPS[0] { 0 } else { step_calls };
    }
    assert_eq!(calls, 0, "{level}");
    assert!(found.iter().all(|&found| found > n as u32), "{found:?} contacts prove little");
}

at_every_level!(a_narrowphase_between_two_sets);

/// Pairs of rows of two sets, and both sets row by row, as lists, contacts and bits: of rotated
/// shapes, axis-aligned shapes and compounds, in stores and columns. From the second of two equal
/// calls on.
fn a_narrowphase_between_two_sets(level: SimdLevel) {
    let _turn = alone();
    let n = 3000;
    let lists: [&[Make]; 4] = [&[Make::Obb], Make::ALIGNED, Make::SINGLE, &[Make::Compound]];
    let stores = lists.map(|makes| turning(n, makes));
    let zero = vec![0.0; n];
    let half = vec![0.5; n];
    let circles = Columns::circles(&zero, &zero, &half).unwrap();
    let boxes = Columns::centered(&zero, &zero, &half, &half).unwrap();
    let (cos, sin) = (vec![0.6; n], vec![0.8; n]);
    let obbs = Columns::obbs(&zero, &zero, &half, &half, &cos, &sin).unwrap();
    let capsules = Columns::capsules(&zero, &half, &half, &zero, &half).unwrap();
    let [turned, aligned, single, compounds] = stores.each_ref().map(Columns::from);
    let pairs: Vec<Pair> =
        (0..n as u32).map(|row| Pair { a: row, b: (row * 7) % n as u32 }).collect();
    let sets = [
        [turned, circles],
        [boxes, turned],
        [circles, boxes],
        [aligned, boxes],
        [turned, aligned],
        [aligned, compounds],
        [compounds, circles],
        [single, compounds],
        [single, single],
        [obbs, circles],
        [capsules, obbs],
        [compounds, capsules],
    ];
    for (number, [a, b]) in sets.into_iter().enumerate() {
        let mut narrowphase = Narrowphase::with_options(NarrowphaseOptions {
            simd_level: Some(level),
            ..NarrowphaseOptions::default()
        })
        .unwrap();
        let (mut touching, mut contacts) = (Vec::new(), Vec::new());
        let (mut mask, mut made) = (Vec::new(), [0; 3]);
        for made in &mut made {
            *made = allocations(|| {
                narrowphase.pairs_between(a, b, &pairs, &mut touching).unwrap();
                narrowphase.contacts_between(a, b, &pairs, 0.125, &mut contacts).unwrap();
                narrowphase.row_mask(a, b, 0..n, &mut mask).unwrap();
            });
        }
        let rows: u32 = mask.iter().map(|word| word.count_ones()).sum();
        let found = [touching.len(), contacts.len(), rows as usize];
        assert!(found.iter().all(|&found| found > n / 5), "{number}: {found:?} prove little");
        assert!(made[0] > 2 && made[1..] == [0; 2], "sets {number}, {level}: {made:?}");
    }
}

#[test]
fn two_shapes_at_a_time() {
    let _turn = alone();
    let mut maker = Maker::new(5, Numbers::Smooth, 1.0);
    let mut shapes = Make::ALL.map(|make| maker.solid(make, [0.0, 0.0]).shape).to_vec();
    shapes.push(OwnedShape::Single(regular(500).into()));
    let row = (0..4000).map(|number| Circle::new([3.0 * number as f32, 0.0], 1.0));
    shapes.push(OwnedShape::Compound(Compound::new(row).unwrap()));
    let mut found = 0;
    for a in &shapes {
        for b in &shapes {
            let [a, b] = [(a, 0.0), (b, 0.01)]
                .map(|(shape, x)| PosedShape::at(shape.clone(), Pose::at([x, 0.0])));
            let mut decide = || {
                let touching = narrowphase::touches(&a, &b, Touching::Inclusive).unwrap();
                let contact = narrowphase::contact(&a, &b, 0.25).unwrap();
                assert!(contact.is_some() || !touching);
                found += usize::from(touching);
            };
            // The first call allocates the workspace.
            decide();
            assert_eq!(allocations(decide), 0, "{:?} and {:?}", a.pose(), b.pose());
        }
    }
    assert!(found > shapes.len() * shapes.len(), "{found} prove little");
}

/// Larger shapes are tested, too, and their workspace is freed.
#[test]
fn two_large_shapes_at_a_time() {
    let _turn = alone();
    let small = PosedShape::from(regular(4));
    let row = (0..50_000).map(|number| Circle::new([3.0 * number as f32, 0.0], 1.0));
    let large = PosedShape::from(Compound::new(row).unwrap());
    let calls =
        |a, b| allocations(|| assert!(narrowphase::touches(a, b, Touching::Inclusive).unwrap()));
    for _ in 0..2 {
        assert!(calls(&small, &large) > 0);
        assert!(calls(&small, &small) > 0);
        assert_eq!(calls(&small, &small), 0);
    }
}

/// A regular polygon around the origin.
fn regular(vertices: usize) -> ConvexPolygon {
    let corner = |vertex: usize| {
        let angle = std::f64::consts::TAU * vertex as f64 / vertices as f64;
        [angle.cos() as f32, angle.sin() as f32]
    };
    ConvexPolygon::hull(&(0..vertices).map(corner).collect::<Vec<_>>()).unwrap()
}

at_every_level!(a_narrowphase_on_one_thread);

/// Contacts, rotated shapes, and the pairs of another broadphase.
fn a_narrowphase_on_one_thread(level: SimdLevel) {
    let _turn = alone();
    for kind in ["s1", "s2", "s3", "s7", "s8"].map(|name| name.parse::<SceneKind>().unwrap()) {
        let n = 3000_usize;
        let mut scene = Scene::generate(kind, n as u32, 1);
        let new = || {
            Detector::with_options(Options {
                simd_level: Some(level),
                threads: Threads::Calling,
                ..Options::default()
            })
            .unwrap()
        };
        let [mut detector, mut sorted] = [new(), new()];
        sorted.set_options(Options { order: Order::Sorted, ..*sorted.options() }).unwrap();
        let mut own = Narrowphase::with_options(NarrowphaseOptions {
            simd_level: Some(level),
            ..NarrowphaseOptions::default()
        })
        .unwrap();
        // Only the lists of the caller grow with the number of hits.
        let [mut pairs, mut touching] = [(); 2].map(|()| Vec::with_capacity(4 * n));
        let mut contacts = Vec::with_capacity(8 * n);
        let mut columns = ContactColumns::new();
        columns.fill(&vec![Contact::default(); 8 * n]);
        let (mut found, mut total) = (0, 0);
        for step in 0..STEPS[0] + STEPS[1] {
            scene.step();
            let made = allocations(|| {
                detector.pairs(scene.columns(), &mut pairs).unwrap();
                detector.contacts(scene.columns(), 0.125, &mut contacts).unwrap();
                found += contacts.len();
                sorted.contacts(scene.columns(), 0.0, &mut contacts).unwrap();
                columns.fill(&contacts);
                own.pairs(scene.columns(), &pairs, &mut touching).unwrap();
                own.contacts(scene.columns(), &pairs, 0.125, &mut contacts).unwrap();
            });
            assert_eq!(touching, pairs, "{kind}, {level}");
            total += if step < STEPS[0] { 0 } else { made };
        }
        assert!(found > 10 * n, "{kind}, {level}: {found} contacts prove little");
        assert_eq!(total, 0, "{kind}, {level}");
    }
}
