//! Distances, closest points and times of impact of two shapes, beside the queries of an index and
//! beside each other.

use proptest::prelude::*;
use widephase::{
    Columns, Error, Hit, Index, Narrowphase, Pair, Queries, Shapes, Touching,
    glam::Vec2,
    narrowphase::{
        closest_points, contact, contains, crossings, distance, overlap_area, time_of_impact,
        touches,
    },
    shape::{Aabb, Circle, Obb, OwnedShape, Point, Pose, Rotation, Segment},
};

use common::{
    Rng,
    crowd::{self, Make, PosedShape, crowds_of},
    pow2,
};

/// A shape of a crowd, ready for tests.
fn posed(shape: &crowd::PosedShape) -> PosedShape {
    shape.clone()
}

/// A shape as an index of one row, and as a store of one row.
fn alone(shape: &crowd::PosedShape) -> (Index, Shapes) {
    let mut store = Shapes::new();
    shape.push(&mut store);
    (Index::build(&store).unwrap(), store)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    #[test]
    fn as_the_queries_of_an_index(crowd in crowds_of(&Make::ALL, 2..3)) {
        let shapes = crowd.solids();
        let [a, b] = [posed(&shapes[0]), posed(&shapes[1])];
        let (index, _) = alone(&shapes[1]);
        let (_, store) = alone(&shapes[0]);
        let mut lists = widephase::Lists::new();
        index.k_nearest_batch(&store, 1, f32::INFINITY, &mut lists).unwrap();
        let apart = distance(&a, &b).unwrap();
        prop_assert_eq!(lists.items()[0].distance, apart);
        prop_assert_eq!(apart, distance(&b, &a).unwrap());

        // Roundings of coordinates.
        let bounds = [&shapes[0], &shapes[1]].map(|shape| alone(shape).1.bounds(0).unwrap());
        let far = bounds.iter().flat_map(|sides| {
            [sides.min_x, sides.max_x, sides.min_y, sides.max_y].map(|side| side.abs() + sides.radius)
        });
        let slack = far.fold(0.0, f32::max) * 1e-5 + pow2(crowd.unit) * 1e-5;
        match closest_points(&a, &b).unwrap() {
            None => prop_assert!(apart <= slack),
            Some(closest) => {
                prop_assert_eq!(closest.distance, apart);
                prop_assert!(!touches(&a, &b, Touching::Exclusive).unwrap());
                let between = closest.point_b - closest.point_a;
                prop_assert!((between.length() - apart).abs() <= slack);
                prop_assert!((closest.normal.length() - 1.0).abs() < 1e-6);
                for (shape, point) in [(&a, closest.point_a), (&b, closest.point_b)] {
                    let point = PosedShape::from(Point::new(point));
                    prop_assert!(distance(shape, &point).unwrap() <= slack);
                }
            }
        }

        // As a pair of rows.
        let (_, other) = alone(&shapes[1]);
        let mut rows = Vec::new();
        Narrowphase::new()
            .each_between(&store, &other, &[Pair { a: 0, b: 0 }; 2], |mut two| {
                rows.push((two.distance(), two.closest_points(), two.overlap_area()));
            })
            .unwrap();
        let area = overlap_area(&a, &b).unwrap();
        prop_assert_eq!(rows, vec![(apart, closest_points(&a, &b).unwrap(), area); 2]);

        // The second shape stays: a cast into an index.
        let mut rng = Rng::new(crowd.seed);
        let unit = pow2(crowd.unit);
        let moves = [rng.range(-9.0, 9.0) * unit, rng.range(-9.0, 9.0) * unit];
        let mut hits = Vec::new();
        index.cast_shape_batch(&store, &[moves], 1.0, &mut hits).unwrap();
        let impact = time_of_impact(&a, moves, &b, [0.0, 0.0], 1.0).unwrap();
        prop_assert_eq!(impact, hits[0]);
        // The first one stays: the same fraction, by symmetry, within roundings.
        let other = time_of_impact(&b, [-moves[0], -moves[1]], &a, [0.0, 0.0], 1.0).unwrap();
        if let (Some(impact), Some(other)) = (impact, other) {
            prop_assert!((impact.fraction - other.fraction).abs() < 1e-3 || slack > 0.01 * unit);
        }
    }
}

#[test]
fn rows_of_columns_are_as_shapes_alone() {
    let mut rng = Rng::new(4);
    let mut column =
        |low: f32, high: f32| -> Vec<f32> { (0..50).map(|_| rng.range(low, high)).collect() };
    let (x, y, wide, high) =
        (column(-9.0, 9.0), column(-9.0, 9.0), column(0.0, 2.0), column(0.0, 2.0));
    let angles: Vec<Rotation> = column(0.0, 6.0).into_iter().map(Rotation::from_angle).collect();
    let cos: Vec<f32> = angles.iter().map(|turn| turn.cos).collect();
    let sin: Vec<f32> = angles.iter().map(|turn| turn.sin).collect();
    let turned = Columns::obbs(&x, &y, &wide, &high, &cos, &sin).unwrap();
    let discs = Columns::circles(&y, &x, &wide).unwrap();
    let pairs: Vec<Pair> = (0..50).map(|a| Pair { a, b: (a * 7 + 3) % 50 }).collect();
    let (mut found, mut narrowphase) = (Vec::new(), Narrowphase::new());
    narrowphase.each_between(turned, discs, &pairs, |mut two| found.push(two.distance())).unwrap();
    let expected = pairs.iter().map(|pair| {
        let [a, b] = [pair.a, pair.b].map(|row| row as usize);
        let turned = Obb::new([x[a], y[a]], [wide[a], high[a]], angles[a]);
        distance(turned, Circle::new([y[b], x[b]], wide[b])).unwrap()
    });
    assert_eq!(found, expected.collect::<Vec<_>>());
    let beyond = [Pair { a: 0, b: 0 }, Pair { a: 0, b: 50 }];
    let error = narrowphase.each_between(turned, discs, &beyond, |_| panic!("a row too many"));
    assert_eq!(error, Err(Error::NoSuchShape { index: 50, len: 50 }));
}

#[test]
fn two_moving_shapes_meet_at_known_fractions() {
    let ball = |x: f32| PosedShape::from(Circle::new([x, 0.0], 1.0));
    let (a, b) = (ball(0.0), ball(10.0));
    // They close a gap of 8 at a relative speed of 16, while both move up by 6.
    let hit = time_of_impact(&a, [8.0, 6.0], &b, [-8.0, 6.0], 1.0).unwrap().unwrap();
    assert_eq!((hit.fraction, hit.x, hit.y), (0.5, 5.0, 3.0));
    assert_eq!((hit.normal_x, hit.normal_y), (-1.0, 0.0));
    // Side by side, and one shape away from the other.
    assert_eq!(time_of_impact(&a, [8.0, 0.0], &b, [8.0, 0.0], 1.0).unwrap(), None);
    assert_eq!(time_of_impact(&a, [-8.0, 0.0], &b, [8.0, 0.0], 1.0).unwrap(), None);
    // They touch just at the end.
    let hit = time_of_impact(&a, [4.0, 0.0], &b, [-4.0, 0.0], 1.0).unwrap().unwrap();
    assert_eq!((hit.fraction, hit.x), (1.0, 5.0));
    let error = time_of_impact(&a, [0.0, 0.0], &b, [f32::NAN, 0.0], 1.0).unwrap_err();
    assert!(error.to_string().starts_with("query 1: dx is NaN"), "{error}");
}

#[test]
fn known_closest_points() {
    let ball = PosedShape::from(Circle::new([0.0, 0.0], 1.0));
    let far = PosedShape::from(Circle::new([6.0, 8.0], 4.0));
    let closest = closest_points(&ball, &far).unwrap().unwrap();
    assert_eq!(closest.distance, 5.0);
    assert!((closest.point_a - widephase::glam::Vec2::new(0.6, 0.8)).length() < 1e-6);
    assert!((closest.point_b - widephase::glam::Vec2::new(3.6, 4.8)).length() < 1e-6);
    let touching = PosedShape::from(Circle::new([3.0, 4.0], 4.0));
    assert_eq!(
        (closest_points(&ball, &touching).unwrap(), distance(&ball, &touching).unwrap()),
        (None, 0.0)
    );
    let mut posed = PosedShape::from(Circle::new([0.0, 0.0], 1.0));
    posed.pose = Some(Pose::at([3.0, 0.0]));
    assert!(contains(&posed, [4.0, 0.0], Touching::Inclusive).unwrap());
    assert!(!contains(&posed, [4.0, 0.0], Touching::Exclusive).unwrap());
    assert!(!contains(&posed, [f32::NAN, 0.0], Touching::Inclusive).unwrap());
}

/// Which of two shapes moves decides how much is grazed, not their order. A shape that moves beside
/// the other shape along its border, within roundings, is stopped or not, as its cast is.
#[test]
fn whichever_of_two_moves() {
    let mut rng = Rng::new(151);
    let turned = Rotation::from_angle(0.4);
    let (mut hits, mut grazes) = (0, 0);
    for round in 0..4000 {
        let far = [16.0, 140.0, 497.0, 5000.0][round % 4];
        let at = [0, 1].map(|_| (rng.range(-far, far) * 8.0).round() / 8.0);
        let mut size = || rng.range(0.25, 2.0);
        let own: OwnedShape = match round % 3 {
            0 => Obb::new([0.0, 0.0], [size(), size()], turned).into(),
            1 => Aabb::new([-size(), -size()], [size(), size()]).into(),
            _ => Circle::new([0.0, 0.0], size()).into(),
        };
        let (width, height) = (size() * 20.0, size());
        let wall = Aabb::new([at[0], at[1] - height], [at[0] + width, at[1]]);
        let mut store = Shapes::new();
        store.push_at(&own, Pose::at([0.0, 0.0])).unwrap();
        let bounds = store.bounds(0).unwrap();
        let low = bounds.min_y - bounds.radius;
        let sunk = rng.range(0.0, 3.0) * far / (1 << 20) as f32;
        let pose = Pose::at([at[0] - rng.range(4.0, 9.0), at[1] - low - sunk]);
        store.set_pose(0, pose).unwrap();
        let (a, b) = (&PosedShape::at(own.clone(), pose), &PosedShape::from(wall));
        let impact = |a: &PosedShape, by_a, b: &PosedShape, by_b| {
            let hit = time_of_impact(a, by_a, b, by_b, 1.0).unwrap();
            hit.map(|hit| (hit.fraction * 1e4).round())
        };
        let still = [0.0; 2];
        let by = [(rng.range(8.0, 16.0) * 8.0).round() / 8.0, 0.0];
        let back = by.map(|by| -by);
        let cast = |moving: &Shapes, by, fixed: &Shapes| {
            let mut hits = Vec::new();
            Index::build(fixed).unwrap().cast_shape_batch(moving, &[by], 1.0, &mut hits).unwrap();
            hits[0].map(|hit: Hit| (hit.fraction * 1e4).round())
        };
        let walls = Shapes::from_slice(&[wall]).unwrap();
        let alone = cast(&store, by, &walls);
        assert_eq!(impact(a, by, b, still), alone, "{round}");
        assert_eq!(impact(b, still, a, by), alone, "{round}: as the second one");
        assert_eq!(impact(b, back, a, still), cast(&walls, back, &store), "{round}");
        let both = impact(a, [by[0] + 1.0, 1.0], b, [1.0, 1.0]);
        assert_eq!(impact(b, [1.0, 1.0], a, [by[0] + 1.0, 1.0]), both, "{round}: in order");
        let faster = impact(a, [by[0] - 1024.0, 512.0], b, [-1024.0, 512.0]);
        assert_eq!(faster, both, "{round}: both faster");
        if alone.is_some() { hits += 1 } else { grazes += 1 }
    }
    assert!(hits > 500 && grazes > 500, "{hits} {grazes}");
}

#[test]
fn an_invalid_shape_is_named_by_its_place() {
    let good = [Circle::new([0.0, 0.0], 1.0).into(), Obb::default().into()];
    let bad: [OwnedShape; 2] = [
        Circle::new([0.0, 0.0], -1.0).into(),
        Obb { half_width: f32::NAN, ..Obb::default() }.into(),
    ];
    let mut points = vec![Vec2::ONE];
    for (good, bad) in good.iter().flat_map(|good: &OwnedShape| bad.iter().map(move |b| (good, b)))
    {
        for (index, [a, b]) in [[bad, good], [good, bad]].into_iter().enumerate() {
            let refused = [
                touches(a, b, Touching::Inclusive).err(),
                contact(a, b, 0.0).err(),
                distance(a, b).err(),
                closest_points(a, b).err(),
                time_of_impact(a, [1.0, 0.0], b, [0.0, 0.0], 1.0).err(),
                overlap_area(a, b).err(),
                crossings(a, b, &mut points).err(),
            ];
            for error in refused {
                let named = match error {
                    Some(Error::InvalidShape { index, .. }) => Some(index),
                    _ => None,
                };
                assert_eq!(named, Some(index), "{a:?} {b:?}: {error:?}");
            }
        }
        assert!(contains(bad, [0.0, 0.0], Touching::Inclusive).is_err());
    }
    assert_eq!(points, [Vec2::ONE], "as it was");
}

/// A point and a segment have a distance of their own, for queries that have many of them: it has
/// the bits of the distance of the closest points, also where exact arithmetic has to decide.
#[test]
fn points_beside_segments_as_closest_points() {
    let rng = &mut Rng::new(31);
    let (mut apart, mut together) = (0, 0);
    for round in 0..20_000 {
        let unit = pow2([0, -60, 40, -140][round % 4]);
        // Small numbers, so that points are on segments, and any other numbers.
        let whole = round % 3 > 0;
        let mut value = |most: f32| {
            let value = if whole { rng.below(9) as f32 - 4.0 } else { rng.range(-most, most) };
            value * unit
        };
        let segment = Segment::new([value(4.0), value(4.0)], [value(4.0), value(4.0)]);
        let mut at = [value(5.0), value(5.0)];
        if round % 5 == 0 {
            // About on the segment.
            let share = round as f32 / 20_000.0;
            at = [0, 1].map(|axis| {
                let Segment { ax, ay, bx, by } = segment;
                let [start, end] = [[ax, bx], [ay, by]][axis];
                start + (end - start) * share
            });
        }
        let point = Point::new(at);
        let closest = closest_points(point, segment).unwrap();
        let wanted = closest.map_or(0.0, |closest| closest.distance);
        let found = [distance(point, segment).unwrap(), distance(segment, point).unwrap()];
        assert_eq!(found.map(f32::to_bits), [wanted.to_bits(); 2], "{point:?}, {segment:?}");
        let touching = touches(point, segment, Touching::Inclusive).unwrap();
        assert!(!touching || wanted == 0.0, "{point:?}, {segment:?}");
        if wanted > 0.0 {
            apart += 1;
        } else {
            together += 1;
        }
    }
    assert!(apart > 10_000 && together > 500, "{apart} and {together}");
}
