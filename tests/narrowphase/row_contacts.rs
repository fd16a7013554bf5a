//! `Narrowphase::row_contacts`: the results of a narrowphase of pairs for the same two shapes, in
//! their row, for all kinds of shapes in stores, against each other and against columns, on every
//! level.
#![allow(clippy::unwrap_used, reason = "a panic is a failed test, in its helpers too")]

use common::{
    POLICIES, Rng, at_every_level,
    crowd::{Make, Maker, Numbers, PosedShape, store},
    matrix::on_one_thread,
    product,
    rows::{assert_rows, row_by_row},
};
use widephase::{
    Columns, Error, Narrowphase, NarrowphaseOptions, Shapes, SimdLevel,
    columns::ContactColumns,
    error::{Fault, Field},
    shape::{Aabb, Capsule, Circle, Compound, Obb, OwnedShape, Part, Pose, Rotation, Segment},
};

/// Several blocks of rows, and a part of a tile.
const ROWS: usize = 600;

/// The rows of a side. In the first forms, all rows are of one class.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Side {
    Circles,
    Boxes,
    Obbs,
    Capsules,
    /// Of 3 and 4 vertices, of 5 to 8, of more.
    Polygons(usize, usize),
    /// With vacant rows between them.
    SomeObbs,
    /// The same shapes in a store that has never had a pose.
    SomeBoxes,
    Any,
    /// As columns of the caller's.
    CircleColumns,
    BoxColumns,
}

const SIDES: [Side; 12] = [
    Side::Circles,
    Side::Boxes,
    Side::Obbs,
    Side::Capsules,
    Side::Polygons(3, 4),
    Side::Polygons(5, 8),
    Side::Polygons(9, 40),
    Side::SomeObbs,
    Side::SomeBoxes,
    Side::Any,
    Side::CircleColumns,
    Side::BoxColumns,
];

/// Rows of one side.
struct Rows {
    solids: Vec<Option<PosedShape>>,
    store: Shapes,
    /// As circles or boxes, if they are handed over so.
    columns: [Vec<f32>; 4],
    side: Side,
}

impl Rows {
    fn new(side: Side, maker: &mut Maker) -> Self {
        let solids: Vec<Option<PosedShape>> =
            (0..ROWS).map(|row| solid(side, maker, row)).collect();
        let mut store = Shapes::new();
        for (row, solid) in solids.iter().enumerate() {
            match solid {
                Some(solid) => solid.push(&mut store),
                None => {
                    store.push(Circle::new([0.0, 0.0], 1.0)).unwrap();
                    store.remove(row as u32).unwrap();
                    row as u32
                }
            };
        }
        let column = |number: usize| -> Vec<f32> {
            let value = |solid: &Option<PosedShape>| match &solid.as_ref()?.shape {
                OwnedShape::Single(Part::Circle(circle)) => {
                    Some([circle.x, circle.y, circle.radius, 0.0][number])
                }
                OwnedShape::Single(Part::Aabb(aabb)) => {
                    Some([aabb.min_x, aabb.min_y, aabb.max_x, aabb.max_y][number])
                }
                _ => None,
            };
            solids.iter().map(|solid| value(solid).unwrap_or_default()).collect()
        };
        let columns = [0, 1, 2, 3].map(column);
        Self { solids, store, columns, side }
    }

    fn columns(&self) -> Columns<'_> {
        let [a, b, c, d] = &self.columns;
        match self.side {
            Side::CircleColumns => Columns::circles(a, b, c).unwrap(),
            Side::BoxColumns => Columns::aabbs(a, b, c, d).unwrap(),
            _ => (&self.store).into(),
        }
    }
}

/// A shape about the middle of the world.
fn solid(side: Side, maker: &mut Maker, row: usize) -> Option<PosedShape> {
    let place = [(); 2].map(|()| match maker.numbers {
        Numbers::Quarters => maker.rng.int(-4, 4) as f32 * 0.25,
        _ => maker.rng.range(-1.0, 1.0),
    });
    let pose = Pose::new(place, maker.turn());
    Some(match side {
        // With poses, so that the store has records of them.
        Side::Circles => PosedShape::at(maker.part(Make::Circle, [0.0, 0.0]), pose),
        Side::Boxes => {
            PosedShape::at(maker.part(Make::Aabb, [0.0, 0.0]), Pose::new(place, Rotation::IDENTITY))
        }
        Side::Obbs => PosedShape::at(maker.part(Make::Obb, [0.0, 0.0]), pose),
        Side::Capsules => PosedShape::at(maker.part(Make::Capsule, [0.0, 0.0]), pose),
        Side::Polygons(least, most) => loop {
            let vertices = least + maker.rng.below(1 + (most - least) as u64) as usize;
            let polygon = maker.polygon(vertices);
            if (least..=most).contains(&polygon.vertices().len()) {
                let radius = [0.0, 0.25][row % 2];
                break PosedShape::at(polygon.with_radius(radius).unwrap(), pose);
            }
        },
        Side::SomeObbs | Side::SomeBoxes if row % 7 == 3 => return None,
        Side::SomeObbs => PosedShape::at(maker.part(Make::Obb, [0.0, 0.0]), pose),
        Side::Any => maker.solid(Make::SINGLE[row % Make::SINGLE.len()], place),
        Side::CircleColumns => maker.part(Make::Circle, place).into(),
        Side::BoxColumns | Side::SomeBoxes => maker.part(Make::Aabb, place).into(),
    })
}

/// The seed and the numbers of the shapes.
const NUMBERS: [(u64, Numbers); 2] = [(1, Numbers::Smooth), (2, Numbers::Quarters)];

#[test]
fn rows_are_what_a_narrowphase_says_of_pairs() {
    let mut found = ContactColumns::new();
    let (mut touching_rows, mut apart) = (0, 0);
    let mut makers = NUMBERS.map(|(seed, numbers)| Maker::new(seed, numbers, 1.0));
    for (numbers, left, right) in product((0..NUMBERS.len(), SIDES, SIDES)) {
        let (maker, numbers) = (&mut makers[numbers], NUMBERS[numbers].1);
        let sides = [left, right].map(|side| Rows::new(side, maker));
        let [a, b] = sides.each_ref();
        let margins = [0.0, 0.25];
        let solids = [&a.solids[..], &b.solids[..]];
        let by_policy = [0, 1].map(|policy| row_by_row(solids, POLICIES[policy], margins[policy]));
        for expected in &by_policy {
            let contacts = expected.iter().flatten().count();
            touching_rows += contacts;
            apart += ROWS - contacts;
        }
        for run in on_one_thread() {
            let (expected, margin) = (run.of(&by_policy), *run.of(&margins));
            let mut narrowphase = Narrowphase::with_options(run.options().into()).unwrap();
            for rows in [0..ROWS, 5..ROWS - 30, 299..300] {
                let what = format!("{left:?} and {right:?}, {numbers:?}, {rows:?}, {run}");
                let (a, b, first) = (a.columns(), b.columns(), rows.start);
                let expected = &expected[rows.clone()];
                narrowphase.row_contacts(a, b, rows, margin, &mut found).unwrap();
                assert_rows(&found, first, expected, &what);
            }
        }
    }
    assert!(touching_rows > 100_000 && apart > 50_000, "{touching_rows} and {apart}");
}

/// Other policies and margins than above: boxes that only touch, and shapes just within the margin.
#[test]
fn policies_and_margins() {
    let mut maker = Maker::new(3, Numbers::Quarters, 1.0);
    let mut found = ContactColumns::new();
    for [left, right] in [[Side::Obbs; 2], [Side::Capsules, Side::CircleColumns], [Side::Any; 2]] {
        let sides = [left, right].map(|side| Rows::new(side, &mut maker));
        let [a, b] = sides.each_ref();
        for margin in [0.0, 0.25, 1.5] {
            let solids = [&a.solids[..], &b.solids[..]];
            let by_policy = POLICIES.map(|touching| row_by_row(solids, touching, margin));
            for run in on_one_thread() {
                let (a, b) = (a.columns(), b.columns());
                let mut narrowphase = Narrowphase::with_options(run.options().into()).unwrap();
                narrowphase.row_contacts(a, b, 0..ROWS, margin, &mut found).unwrap();
                let what = format!("{left:?} and {right:?}, {margin}, {run}");
                let expected = run.of(&by_policy);
                assert_rows(&found, 0, expected, &what);
            }
        }
    }
}

at_every_level!(at_the_margin_itself);

/// Boxes have to be near each other, too: here half of the margin is lost beside a large radius, so
/// they are not; the depth alone would admit a contact. Every other row is well within.
fn at_the_margin_itself(level: SimdLevel) {
    let (large, margin) = (2.0_f32.powi(20), 0.125);
    let mut segments = Shapes::new();
    let (mut x, y, radius) = ([1.0 - large; 40], [0.0; 40], [large; 40]);
    for (row, x) in x.iter_mut().enumerate() {
        segments.push(Segment::new([0.0, -0.5], [0.0, 0.5])).unwrap();
        if row % 2 == 1 {
            *x = -large - margin;
        }
    }
    let circles = Columns::circles(&x, &y, &radius).unwrap();
    let mut narrowphase = Narrowphase::with_options(NarrowphaseOptions {
        simd_level: Some(level),
        ..NarrowphaseOptions::default()
    })
    .unwrap();
    let mut found = ContactColumns::new();
    for (margin, contacts) in [(0.0, 20), (margin, 20), (2.0 * margin, 40)] {
        narrowphase.row_contacts(&segments, circles, 0..40, margin, &mut found).unwrap();
        let touching = found.count.iter().filter(|count| **count > 0).count();
        assert_eq!(touching, contacts, "{level}, margin {margin}");
    }
    assert_eq!((found.depth[0], found.depth[1]), (1.0, -margin), "{level}");
}

at_every_level!(contacts_by_hand);

/// By hand: a box that stands on its corner and a circle above it, and the other way round; two
/// capsules along each other; rows that are far apart, whole tiles of them.
fn contacts_by_hand(level: SimdLevel) {
    let diamond =
        Obb::new([0.0, 0.0], [1.0, 1.0], Rotation::from_angle(std::f32::consts::FRAC_PI_4));
    let bar = Capsule::new([-2.0, 0.0], [2.0, 0.0], 0.5);
    let (mut left, mut right) = (Shapes::new(), Shapes::new());
    let corner = std::f32::consts::SQRT_2;
    for row in 0..40 {
        let [a, b]: [PosedShape; 2] = match row {
            0 => [diamond.into(), Circle::new([0.0, corner + 0.75], 1.0).into()],
            1 => [Circle::new([0.0, corner + 0.75], 1.0).into(), diamond.into()],
            2 => [bar.into(), Capsule::new([-1.0, 0.75], [1.0, 0.75], 0.5).into()],
            _ => [diamond.into(), Circle::new([9.0, row as f32], 1.0).into()],
        };
        a.push(&mut left);
        b.push(&mut right);
    }
    let near = |value: f32, exact: f32| (value - exact).abs() < 1e-6;
    let (mut narrowphase, mut found) = (
        Narrowphase::with_options(NarrowphaseOptions {
            simd_level: Some(level),
            ..NarrowphaseOptions::default()
        })
        .unwrap(),
        ContactColumns::new(),
    );
    narrowphase.row_contacts(&left, &right, 0..40, 0.0, &mut found).unwrap();
    assert_eq!(found.count[..3], [1, 1, 2], "{level}");
    assert!(found.count[3..].iter().all(|&count| count == 0), "{level}");
    for (row, up) in [1.0, -1.0, 1.0].into_iter().enumerate() {
        let normal = [found.normal_x[row], found.normal_y[row]];
        assert!(near(normal[0], 0.0) && near(normal[1], up), "{level}, row {row}: {normal:?}");
        assert!(near(found.depth[row], 0.25), "{level}, row {row}");
    }
    // Half way between the corner of the box and the lowest point of the circle.
    let [first, second] = &found.points;
    assert!(near(first.x[0], 0.0) && near(first.y[0], corner - 0.125), "{level}");
    let mut ends = [first.x[2], second.x[2]];
    ends.sort_by(f32::total_cmp);
    assert_eq!(ends, [-1.0, 1.0], "{level}");
    assert_eq!([first.y[2], second.y[2]], [0.375; 2], "{level}");

    // Diamonds and circles only: one class a side.
    let mut only = Shapes::new();
    let mut circles = Shapes::new();
    for row in 0..40 {
        only.push(diamond).unwrap();
        let x = if row == 33 { 0.0 } else { 9.0 };
        circles.push(Circle::new([x, -corner - 0.5], 1.0)).unwrap();
    }
    narrowphase.row_contacts(&only, &circles, 20..40, 0.0, &mut found).unwrap();
    assert_eq!((found.len(), found.a[0], found.b[19]), (20, 20, 39), "{level}");
    let there: Vec<usize> = (0..20).filter(|&row| found.count[row] > 0).collect();
    assert_eq!(there, [13], "{level}");
    assert!(near(found.normal_y[13], -1.0) && near(found.depth[13], 0.5), "{level}");
}

#[test]
fn a_refused_call_changes_nothing() {
    let circle = Circle::new([0.0, 0.0], 1.0);
    let turned = Obb::new([0.0, 0.0], [1.0, 1.0], Rotation::from_angle(0.5));
    let mut obbs = store(&vec![turned.into(); 4]);
    let mut narrowphase = Narrowphase::new();
    let mut found = ContactColumns::new();
    narrowphase.row_contacts(&obbs, &obbs, 1..4, 0.0, &mut found).unwrap();
    let before = found.clone();
    assert_eq!((&before.count[..], &before.a[..]), (&[2; 3][..], &[1, 2, 3][..]));

    let three = store(&vec![circle.into(); 3]);
    for (rows, index) in [(0..4, 3), (5..9, 5)] {
        let refused = narrowphase.row_contacts(&obbs, &three, rows, 0.0, &mut found);
        assert_eq!(refused, Err(Error::NoSuchShape { index, len: 3 + usize::from(index > 3) }));
    }
    for margin in [-1.0, f32::NAN, f32::INFINITY, 2.0_f32.powi(61)] {
        let refused = narrowphase.row_contacts(&obbs, &obbs, 0..4, margin, &mut found);
        assert!(matches!(refused, Err(Error::InvalidMargin { .. })), "{refused:?}");
    }
    // An invalid value matters only in the requested rows.
    let (x, radius) = ([0.0; 4], [1.0, 1.0, -1.0, 1.0]);
    let circles = Columns::circles(&x, &x, &radius).unwrap();
    let refused = narrowphase.row_contacts(&obbs, circles, 1..4, 0.0, &mut found);
    let fault = Fault::Negative;
    let expected = Error::InvalidShape { index: 2, field: Field::Radius, value: -1.0, fault };
    assert_eq!(refused, Err(expected));
    assert_eq!(found, before);
    narrowphase.row_contacts(&obbs, circles, 0..2, 0.0, &mut found).unwrap();
    assert_eq!(found.count, [1, 1]);

    // So does a compound.
    let before = found.clone();
    let parts = Compound::new([Part::from(circle), Aabb::new([0.0, 0.0], [1.0, 1.0]).into()]);
    obbs.set(2, parts.unwrap()).unwrap();
    for sides in [[&obbs, &three], [&three, &obbs]] {
        let [a, b] = sides;
        let refused = narrowphase.row_contacts(a, b, 0..3, 0.0, &mut found).unwrap_err();
        assert_eq!(refused, Error::HasParts { index: 2 });
        assert!(refused.to_string().starts_with("shape 2 is a compound"), "{refused}");
    }
    assert_eq!(found, before);
    narrowphase.row_contacts(&obbs, &three, 0..2, 0.0, &mut found).unwrap();
    assert_eq!(found.count, [1, 1]);
    // No rows, wherever: nothing.
    let nowhere = std::ops::Range { start: 7, end: 2 };
    narrowphase.row_contacts(&obbs, &three, nowhere, 0.0, &mut found).unwrap();
    assert!(found.is_empty());
}

at_every_level!(of_axis_aligned_shapes);

/// Without rotated shapes, some rows are as among all rows.
fn of_axis_aligned_shapes(level: SimdLevel) {
    let mut rng = Rng::new(5);
    let mut column = |low, high| -> Vec<f32> { (0..77).map(|_| rng.range(low, high)).collect() };
    let (x, y, radius) = (column(-1.0, 1.0), column(-1.0, 1.0), column(0.0, 1.0));
    let (half_width, half_height) = (column(0.0, 1.0), column(0.0, 1.0));
    let circles = Columns::circles(&x, &y, &radius).unwrap();
    let boxes = Columns::centered(&y, &x, &half_width, &half_height).unwrap();
    let (a, b) = (circles.check().unwrap(), boxes.check().unwrap());
    let (mut rows, mut found) = (ContactColumns::new(), ContactColumns::new());
    let mut narrowphase = Narrowphase::with_options(NarrowphaseOptions {
        simd_level: Some(level),
        ..NarrowphaseOptions::default()
    })
    .unwrap();
    narrowphase.row_contacts(a, b, 0..77, 0.5, &mut rows).unwrap();
    narrowphase.row_contacts(circles, boxes, 0..77, 0.5, &mut found).unwrap();
    assert_eq!(rows, found, "{level}");
    narrowphase.row_contacts(circles, boxes, 13..40, 0.5, &mut found).unwrap();
    for (row, contact) in (13..40).enumerate() {
        assert_eq!(found.get(row), rows.get(contact), "{level}");
    }
}
