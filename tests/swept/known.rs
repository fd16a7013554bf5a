//! Hand-made cases, errors, limits, and one body that crosses a large scene.

use common::crowd::PosedShape;
use widephase::{
    Bullets, Columns, Detector, Displacements, Error, Filter, Impact, Index, Options, Pair,
    PairDiff, Shapes, Touching,
    error::{Fault, Field},
    shape::{Aabb, Circle, MAX_COORDINATE, Point},
};

use crate::{Moves, all_impacts, check, check_of_indexes};
use common::{Rng, pow2};

fn record(a: u32, b: u32, fraction: f32, at: [f32; 2], normal: [f32; 2]) -> Impact {
    let ([x, y], [normal_x, normal_y]) = (at, normal);
    Impact { pair: Pair { a, b }, fraction, x, y, normal_x, normal_y }
}

/// Impacts of circles that move.
fn of_circles(
    circles: &[[f32; 3]],
    moves: &[[f32; 2]],
    bullets: Option<&[bool]>,
    expected: &[Impact],
) {
    let column = |part: usize| circles.iter().map(|circle| circle[part]).collect::<Vec<_>>();
    let (x, y, radius) = (column(0), column(1), column(2));
    let circles = Columns::circles(&x, &y, &radius).unwrap();
    check(circles, &Moves::new(moves), bullets, None, expected, &format!("{moves:?}"));
}

#[test]
fn circles_in_whole_numbers() {
    let row = [[0.0, 0.0, 1.0], [10.0, 0.0, 1.0], [20.0, 0.0, 1.0]];
    // They close a gap of 8 at a relative speed of 16, while all move up by 6.
    let moves = [[8.0, 6.0], [-8.0, 6.0], [0.0, 6.0]];
    let hit = record(0, 1, 0.5, [5.0, 3.0], [-1.0, 0.0]);
    of_circles(&row, &moves, None, &[hit]);
    // The first shape crosses both other shapes.
    let moves = [[32.0, 0.0], [0.0, 0.0], [0.0, 0.0]];
    let hits = [
        record(0, 1, 0.25, [9.0, 0.0], [-1.0, 0.0]),
        record(0, 2, 0.5625, [19.0, 0.0], [-1.0, 0.0]),
    ];
    of_circles(&row, &moves, None, &hits);
    // The last row moves: the normal is the normal of the second shape of the pair.
    let moves = [[0.0, 0.0], [0.0, 0.0], [-16.0, 0.0]];
    of_circles(&row, &moves, None, &[record(1, 2, 0.5, [11.0, 0.0], [-1.0, 0.0])]);
    // Side by side, apart, and not at all.
    for moves in [[[9.0, 1.0]; 3], [[-9.0, 0.0], [0.0, 0.0], [9.0, 0.0]], [[0.0, 0.0]; 3]] {
        of_circles(&row, &moves, None, &[]);
    }
    // Just at the end, and just not.
    let moves = [[4.0, 0.0], [-4.0, 0.0], [9.0, 0.0]];
    of_circles(&row, &moves, None, &[record(0, 1, 1.0, [5.0, 0.0], [-1.0, 0.0])]);
    let moves = [[4.0, 0.0], [-4.0_f32.next_down(), 0.0], [9.0, 0.0]];
    of_circles(&row, &moves, None, &[]);
    // The same place at another time: the second shape has left when the first arrives.
    let circles = [[0.0, 0.0, 1.0], [20.0, 0.0, 1.0]];
    of_circles(&circles, &[[40.0, 0.0], [0.0, 40.0]], None, &[]);
    let slow = [[40.0, 0.0], [0.0, 3.0]];
    of_circles(&circles, &slow, Some(&[false, false]), &[]);
}

#[test]
fn pairs_that_touch_at_the_start() {
    // If they move further into each other, not if they rest, separate or move along each other.
    let hit = record(0, 1, 0.0, [1.5, 0.0], [-1.0, 0.0]);
    for overlap in [0.0, 1.0] {
        let circles = [[0.0, 0.0, 2.0], [4.0 - overlap, 0.0, 2.0]];
        let hit = Impact { x: 2.0 - overlap * 0.5, ..hit };
        for bullets in [None, Some(&[true, false][..]), Some(&[false, false][..])] {
            for moves in
                [[[1.0, 1.0], [-1.0, 0.0]], [[64.0, 1.0], [0.0; 2]], [[9.0, 0.0], [8.0, 0.0]]]
            {
                of_circles(&circles, &moves, bullets, &[hit]);
            }
            for moves in [[[0.0; 2]; 2], [[-64.0, 0.0], [64.0, 0.0]], [[-1.0, 8.0], [0.0, 0.0]]] {
                of_circles(&circles, &moves, bullets, &[]);
            }
        }
    }
}

#[test]
fn bullets_and_others() {
    // 0 and 1 would pass each other, and so would 2 and 3; 4 touches 5.
    let at = |x: f32, y: f32| [x, y, 0.5];
    let circles =
        [at(0.0, 0.0), at(8.0, 0.0), at(0.0, 4.0), at(8.0, 4.0), at(0.0, 9.0), at(1.0, 9.0)];
    let moves = [[14.0, 0.0], [-14.0, 0.0], [14.0, 0.0], [-14.0, 0.0], [0.0, 0.0], [-9.0, 0.0]];
    let (one, two) =
        (record(0, 1, 0.25, [4.0, 0.0], [-1.0, 0.0]), record(2, 3, 0.25, [4.0, 4.0], [-1.0, 0.0]));
    let start = record(4, 5, 0.0, [0.5, 9.0], [-1.0, 0.0]);
    of_circles(&circles, &moves, None, &[one, two, start]);
    let mut bullets = [false; 6];
    of_circles(&circles, &moves, Some(&bullets), &[start]);
    bullets[1] = true;
    of_circles(&circles, &moves, Some(&bullets), &[one, start]);
    bullets[2] = true;
    of_circles(&circles, &moves, Some(&bullets), &[one, two, start]);
}

#[test]
fn walls_that_stand_still() {
    // Two thin walls, and points that pass, hit or rest on them.
    let walls = [Aabb::new([10.0, -5.0], [10.25, 5.0]), Aabb::new([20.0, -5.0], [20.25, 5.0])];
    let walls = Shapes::from_slice(&walls).unwrap();
    let points = [[0.0, 0.0], [0.0, 8.0], [20.0, 2.0]].map(Point::new);
    let points = Shapes::from_slice(&points).unwrap();
    let mut moves = Moves::new(&[[40.0, 0.0], [40.0, 0.0], [-20.0, 0.0]]);
    let hits = [
        record(0, 0, 0.25, [10.0, 0.0], [-1.0, 0.0]),
        record(0, 1, 0.5, [20.0, 0.0], [-1.0, 0.0]),
        // It leaves the second wall.
        record(2, 0, 0.4875, [10.25, 2.0], [1.0, 0.0]),
    ];
    let others = Some((&walls).into());
    check((&points).into(), &moves, None, others, &hits, "walls");
    let bullets = [true, true, false];
    check((&points).into(), &moves, Some(&bullets), others, &hits[..2], "walls, bullets");
    // It moves into the second wall.
    moves.dx[2] = 20.0;
    let into = record(2, 1, 0.0, [20.0, 2.0], [-1.0, 0.0]);
    let hits = [hits[0], hits[1], into];
    check((&points).into(), &moves, None, others, &hits, "into a wall");
    check_of_indexes([(&points).into(), (&walls).into()], &moves, None, &hits, "into a wall");
    check((&points).into(), &moves, Some(&bullets), others, &hits, "into a wall, bullets");
}

#[test]
fn invalid_displacements_are_refused_and_clear_the_list() {
    let (x, y) = ([0.0, 1.0, MAX_COORDINATE], [0.0; 3]);
    let points = Columns::points(&x, &y).unwrap();
    let index = Index::build(points).unwrap();
    let mut detector = Detector::new();
    let mut fails = |dx: &[f32], dy: &[f32], bullets: Option<&[bool]>, error: Error| {
        let bullets = bullets.map_or(Bullets::All, Bullets::Rows);
        let mut found = vec![Impact::default()];
        let result = detector.swept_pairs(
            points,
            Displacements { x: dx, y: dy, bullets, ..Displacements::default() },
            &mut found,
        );
        assert_eq!((result, found.len()), (Err(error.clone()), 0));
        found.push(Impact::default());
        let result = detector.swept_pairs(
            (points, &index),
            Displacements { x: dx, y: dy, bullets, ..Displacements::default() },
            &mut found,
        );
        assert_eq!((result, found.len()), (Err(error), 0));
    };
    let none = [0.0; 3];
    let unequal = |field, len| Error::UnequalColumns { field, len, expected: 3 };
    fails(&[0.0; 2], &none, None, unequal(Field::Dx, 2));
    fails(&none, &[0.0; 4], None, unequal(Field::Dy, 4));
    fails(&none, &none, Some(&[true]), unequal(Field::Bullet, 1));
    assert_eq!(Field::Bullet.to_string(), "bullet");
    let invalid = |index, field, value, fault| Error::InvalidShape { index, field, value, fault };
    let infinite = f32::INFINITY;
    fails(&[0.0, infinite, 0.0], &none, None, invalid(1, Field::Dx, infinite, Fault::Infinite));
    fails(&none, &[-infinite, 0.0, 0.0], None, invalid(0, Field::Dy, -infinite, Fault::Infinite));
    // Whether it is a bullet or not.
    let far = pow2(61);
    let too_large = invalid(0, Field::Dy, far, Fault::TooLarge);
    fails(&none, &[far, 0.0, 0.0], Some(&[false; 3]), too_large);
    // The last point is at the limit: it may stay or return, and not leave.
    let next = pow2(37);
    fails(&[0.0, 0.0, next], &none, None, invalid(2, Field::Dx, next, Fault::TooLarge));
    let mut found = Vec::new();
    let back = [0.0, 0.0, -far];
    detector
        .swept_pairs(
            points,
            Displacements { x: &back, y: &none, ..Displacements::default() },
            &mut found,
        )
        .unwrap();
    let pairs: Vec<_> = found.iter().map(|impact| (impact.pair.a, impact.pair.b)).collect();
    assert_eq!(pairs, [(0, 2), (1, 2)]);
    let nan = [0.0, f32::NAN, 0.0];
    let error = detector
        .swept_pairs(
            points,
            Displacements { x: &none, y: &nan, ..Displacements::default() },
            &mut found,
        )
        .unwrap_err();
    assert_eq!(error.to_string(), "shape 1: dy is NaN: not a number");
    // An invalid shape comes first.
    let bad = Columns::points(&[f32::NAN], &[0.0]).unwrap();
    let error = detector
        .swept_pairs(
            bad,
            Displacements { x: &[0.0], y: &[f32::NAN], ..Displacements::default() },
            &mut found,
        )
        .unwrap_err();
    assert!(matches!(error, Error::InvalidShape { index: 0, field: Field::X, .. }), "{error}");
}

#[test]
fn vacant_rows_and_nothing() {
    let mut shapes = Shapes::new();
    let (mut detector, mut found) = (Detector::new(), vec![Impact::default()]);
    detector
        .swept_pairs(
            &shapes,
            Displacements { x: &[], y: &[], ..Displacements::default() },
            &mut found,
        )
        .unwrap();
    assert!(found.is_empty());
    for x in [0.0, 4.0, 10.0] {
        shapes.push(Circle::new([x, 0.0], 1.0)).unwrap();
    }
    shapes.remove(1).unwrap();
    // The displacement of a vacant row is not read.
    let moves = Moves::new(&[[16.0, 0.0], [f32::NAN, f32::INFINITY], [0.0, 0.0]]);
    let hit = record(0, 2, 0.5, [9.0, 0.0], [-1.0, 0.0]);
    check((&shapes).into(), &moves, None, None, &[hit], "a vacant row");
    check((&shapes).into(), &moves, None, Some((&Shapes::new()).into()), &[], "an empty index");
    shapes.remove(0).unwrap();
    shapes.remove(2).unwrap();
    check((&shapes).into(), &moves, None, None, &[], "vacant rows only");
}

#[test]
fn the_limit_of_pairs() {
    // One point that passes through a row of boxes.
    let boxes: Vec<_> = (0..20).map(|x| Aabb::centered([x as f32, 0.0], [0.25; 2])).collect();
    let mut shapes = Shapes::from_slice(&boxes).unwrap();
    shapes.push(Point::new([-1.0, 0.0])).unwrap();
    let (mut dx, dy) = (vec![0.0; 21], vec![0.0; 21]);
    dx[20] = 30.0;
    let mut found = Vec::new();
    let mut run = |max_pairs| {
        let mut detector = Detector::new();
        detector.set_options(Options { max_pairs, ..*detector.options() }).unwrap();
        let result = detector.swept_pairs(
            &shapes,
            Displacements { x: &dx, y: &dy, ..Displacements::default() },
            &mut found,
        );
        (result, found.len())
    };
    assert_eq!(run(20), (Ok(()), 20));
    assert_eq!(run(19), (Err(Error::TooManyPairs { limit: 19, found: 20 }), 0));
    assert_eq!(run(0), (Err(Error::TooManyPairs { limit: 0, found: 20 }), 0));
}

#[test]
fn accessors_and_events() {
    let hit = record(3, 4, 0.5, [1.0, 2.0], [0.0, 1.0]);
    assert_eq!((hit.position().to_array(), hit.normal().to_array()), ([1.0, 2.0], [0.0, 1.0]));
    assert_eq!(bytemuck::bytes_of(&hit).len(), 28);
    let mut diff = PairDiff::new();
    diff.update(&[hit]).unwrap();
    assert_eq!((diff.started()[0].a, diff.started()[0].b), (3, 4));
}

/// One body crosses a scene of thousands, in each direction. All its impacts equal
/// `time_of_impact`, and the other shapes meet as if it were not there.
#[test]
fn one_body_over_the_whole_world() {
    let mut rng = Rng::new(8);
    let count = 3000;
    let side = 100.0;
    let mut shapes: Vec<Circle> = (0..count)
        .map(|_| Circle::new([rng.range(0.0, side), rng.range(0.0, side)], rng.range(0.1, 0.5)))
        .collect();
    let mut moves: Vec<[f32; 2]> =
        (0..count).map(|_| [rng.range(-0.2, 0.2), rng.range(-0.2, 0.2)]).collect();
    let posed = |shapes: &[Circle]| -> Vec<PosedShape> {
        shapes.iter().map(|circle| PosedShape::from(*circle)).collect()
    };
    let alone = all_impacts(&posed(&shapes), &Moves::new(&moves), None);
    shapes.push(Circle::new([0.0, 0.0], 0.0));
    moves.push([0.0; 2]);
    let all = posed(&shapes[..count]);
    for (from, by, radius) in [
        ([-5.0, -5.0], [110.0, 110.0], 0.3),
        ([-5.0, 50.0], [1e9, 0.0], 0.0),
        ([50.0, 1e4], [-3.0, -2e4], 0.01),
        ([105.0, -5.0], [-110.0, 110.0], 3.0),
        ([-1e12, 40.0], [2e12, 20.0], 0.2),
    ] {
        (shapes[count], moves[count]) = (Circle::new(from, radius), by);
        let bullet = PosedShape::from(shapes[count]);
        let columns = Moves::new(&moves);
        let mut expected = alone.clone();
        for (row, shape) in (0_u32..).zip(&all) {
            use widephase::narrowphase::time_of_impact;
            let hit = time_of_impact(shape, columns.of(row), &bullet, by, 1.0).unwrap();
            expected.extend(hit.map(|hit| {
                let normal = [hit.normal_x, hit.normal_y];
                record(row, count as u32, hit.fraction, [hit.x, hit.y], normal)
            }));
        }
        expected.sort_by_key(|impact| impact.pair);
        assert!(expected.len() > alone.len(), "{by:?}: it hits nothing");
        let store = Shapes::from_slice(&shapes).unwrap();
        check((&store).into(), &columns, None, None, &expected, &format!("{by:?}"));
    }
}

/// All bodies of a large scene cross it: the number of pieces is limited, and the result is right.
#[test]
fn all_bodies_over_the_whole_world() {
    let mut rng = Rng::new(9);
    let shapes: Vec<Circle> = (0..200)
        .map(|_| Circle::new([rng.range(0.0, 1e4), rng.range(0.0, 1e4)], rng.range(0.0, 4.0)))
        .collect();
    let moves: Vec<[f32; 2]> =
        (0..200).map(|_| [rng.range(-1e4, 1e4), rng.range(-1e4, 1e4)]).collect();
    let posed: Vec<_> = shapes.iter().map(|circle| PosedShape::from(*circle)).collect();
    let store = Shapes::from_slice(&shapes).unwrap();
    let columns = Moves::new(&moves);
    let expected = all_impacts(&posed, &columns, None);
    assert!(!expected.is_empty());
    check((&store).into(), &columns, None, None, &expected, "all");
    let mut detector = Detector::new();
    let mut found = Vec::new();
    detector
        .swept_pairs(
            &store,
            Displacements { x: &columns.dx, y: &columns.dy, ..Displacements::default() },
            &mut found,
        )
        .unwrap();
    assert!(detector.bytes() < 4 << 20, "{}", detector.bytes());
}

/// Filters of a store hold, and options stay as they were after an error.
#[test]
fn filters_of_a_store_and_options() {
    let mut shapes =
        Shapes::from_slice(&[0.0, 10.0, 20.0].map(|x| Circle::new([x, 0.0], 1.0))).unwrap();
    shapes.set_filter(1, Filter::new(0, 0)).unwrap();
    let moves = Moves::new(&[[32.0, 0.0], [0.0, 0.0], [0.0, 0.0]]);
    let hit = record(0, 2, 0.5625, [19.0, 0.0], [-1.0, 0.0]);
    check((&shapes).into(), &moves, None, None, &[hit], "a filter");
    let options = Options { max_pairs: 0, touching: Touching::Exclusive, ..Options::default() };
    let mut detector = Detector::with_options(options).unwrap();
    let mut found = Vec::new();
    let result = detector.swept_pairs(
        &shapes,
        Displacements { x: &moves.dx, y: &moves.dy, ..Displacements::default() },
        &mut found,
    );
    assert_eq!(result, Err(Error::TooManyPairs { limit: 0, found: 1 }));
    assert_eq!(detector.options(), &options);
}
