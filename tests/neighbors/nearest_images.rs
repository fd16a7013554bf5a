//! The nearest in a periodic box: hand-made cases, and random shapes beside brute force.
#![allow(clippy::unwrap_used, reason = "a panic is a failed test, in its helpers too")]

use super::periodic::{circle, length, torus};
use common::{
    Rng,
    crowd::{Make, Maker, Numbers},
    levels,
    nearest_images::brute_force,
    pow2,
};
use widephase::{
    Adjacency, Columns, Detector, Error, Filter, Index, Lists, Options, Periodic, Shapes, Threads,
    error::Field,
    periodic::PeriodicNeighbor,
    shape::{Aabb, RoundedBox},
};

fn near(row: u32, distance: f32, shift: [i16; 2]) -> PeriodicNeighbor {
    PeriodicNeighbor { row, distance, shift }
}

/// The nearest of each row, equal on all levels and threads.
fn nearest(
    columns: Columns<'_>,
    k: usize,
    max_distance: f32,
    periodic: &Periodic,
) -> Vec<Vec<PeriodicNeighbor>> {
    let mut all: Option<Lists<PeriodicNeighbor>> = None;
    for &level in levels() {
        let mut run = |threads| {
            let simd_level = Some(level);
            let options = Options { threads, simd_level, ..Options::default() };
            let mut detector = Detector::with_options(options).unwrap();
            let mut lists = Lists::new();
            detector.k_nearest_periodic(columns, k, max_distance, periodic, &mut lists).unwrap();
            let first = all.get_or_insert_with(|| lists.clone());
            assert!(*first == lists, "{level}, {threads:?}: other lists");
        };
        run(Threads::Calling);
        #[cfg(feature = "parallel")]
        common::pools()[2].install(|| run(Threads::Pool));
    }
    all.unwrap().iter().map(<[_]>::to_vec).collect()
}

#[test]
fn images_are_neighbours() {
    // One point: its own images, by distance, then by shift.
    let one = Columns::points(&[1.0], &[3.0]).unwrap();
    let found = nearest(one, 6, f32::INFINITY, &torus(4.0));
    let across = 32.0_f32.sqrt();
    let expected = [
        near(0, 4.0, [-1, 0]),
        near(0, 4.0, [0, -1]),
        near(0, 4.0, [0, 1]),
        near(0, 4.0, [1, 0]),
        near(0, across, [-1, -1]),
        near(0, across, [-1, 1]),
    ];
    assert_eq!(found, [expected]);
    assert_eq!(nearest(one, 6, 4.0, &torus(4.0)), [expected[..4].to_vec()]);
    assert_eq!(nearest(one, 6, 4.0_f32.next_down(), &torus(4.0)), [vec![]]);
    // More than there are, but not beyond the distance.
    let line = Periodic { wrap: [true, false], ..torus(4.0) };
    let found = nearest(one, usize::MAX, 41.0, &line);
    assert_eq!(found[0].len(), 20);
    assert_eq!(found[0][18..], [near(0, 40.0, [-10, 0]), near(0, 40.0, [10, 0])]);
    // Without an end, and without an axis that wraps.
    assert_eq!(nearest(one, 3, f32::INFINITY, &Periodic { wrap: [false; 2], ..line }), [vec![]]);
    // Across the corner, from outside of the box.
    let two = Columns::points(&[-16.0, 7.0], &[30.0, 6.0]).unwrap();
    let torus = torus(10.0);
    let found = nearest(two, 1, f32::INFINITY, &torus);
    assert_eq!(found, [[near(1, 5.0, [-2, 2])], [near(0, 5.0, [2, -2])]]);
}

#[test]
fn arguments() {
    let points = Columns::points(&[1.0, 2.0], &[1.0, 2.0]).unwrap();
    let mut detector = Detector::new();
    let mut lists = Lists::new();
    for value in [f32::NAN, -1.0] {
        let result = detector.k_nearest_periodic(points, 1, value, &torus(9.0), &mut lists);
        let field = Field::MaxDistance;
        assert!(matches!(result, Err(Error::InvalidQuery { field: f, .. }) if f == field));
        assert!(lists.is_empty());
    }
    let result = detector.k_nearest_periodic(points, 1, 1.0, &torus(0.0), &mut lists);
    assert!(matches!(result, Err(Error::InvalidPeriod { .. })));
    let nan = Columns::points(&[1.0, f32::NAN], &[1.0; 2]).unwrap();
    let result = detector.k_nearest_periodic(nan, 1, 1.0, &torus(9.0), &mut lists);
    assert!(matches!(result, Err(Error::InvalidShape { index: 1, .. })));
    let result =
        detector.k_nearest_periodic(points, usize::MAX, f32::INFINITY, &torus(9.0), &mut lists);
    assert!(matches!(result, Err(Error::TooManyImages { .. })));
    assert!(lists.is_empty());
    assert_eq!(nearest(points, 0, f32::INFINITY, &torus(9.0)), [vec![], vec![]]);
    assert!(nearest(Columns::points(&[], &[]).unwrap(), 3, 1.0, &torus(9.0)).is_empty());
}

#[test]
fn only_rows_that_meet() {
    let points = Columns::points(&[0.0, 1.0, 2.0, 9.0], &[0.0; 4]).unwrap();
    let torus = torus(10.0);
    // Row 3 asks and is not a particle; row 2 meets nothing.
    let particle = Filter::new(1, 3);
    let filters = [particle, particle, Filter::new(0, 0), Filter::new(2, 1)];
    let found = nearest(points.with_filters(&filters).unwrap(), 2, f32::INFINITY, &torus);
    assert_eq!(found[2], []);
    assert_eq!(found[3], [near(0, 1.0, [1, 0]), near(1, 2.0, [1, 0])]);
    assert_eq!(found[0], [near(1, 1.0, [0, 0]), near(3, 1.0, [-1, 0])]);
    // Three neighbours of row 3 are one period further.
    let found = nearest(points.with_filters(&filters).unwrap(), 4, f32::MAX, &torus);
    assert_eq!(found[3][2..], [near(1, 8.0, [0, 0]), near(0, 9.0, [0, 0])]);
    // Alone in its space.
    let spaces = points.with_spaces(&[1, 1, 5, 1]).unwrap();
    let found = nearest(spaces, 1, f32::INFINITY, &torus);
    assert_eq!(found[2], [near(2, 10.0, [-1, 0])]);
    assert_eq!(found[3], [near(0, 1.0, [1, 0])]);
    let odd = |a: u32, b: u32| (a + b) % 2 == 1 && a < b;
    let found = nearest(points.with_predicate(&odd), 2, f32::INFINITY, &torus);
    assert_eq!(found[0], [near(1, 1.0, [0, 0]), near(3, 1.0, [-1, 0])]);
    assert_eq!(found[3], [near(0, 1.0, [1, 0]), near(2, 3.0, [1, 0])]);
}

#[test]
fn vacant_rows_and_far_ones() {
    let mut shapes =
        Shapes::from_slice(&[circle(1.0, 1.0, 0.5), circle(5.0, 1.0, 0.5), circle(9.0, 1.0, 0.5)])
            .unwrap();
    shapes.remove(1).unwrap();
    let found = nearest((&shapes).into(), 1, f32::INFINITY, &torus(10.0));
    assert_eq!(found, [vec![near(2, 1.0, [-1, 0])], vec![], vec![near(0, 1.0, [1, 0])]]);
    // Far away along the axis that does not wrap: the nearest are its own images.
    let pipe = Periodic { wrap: [true, false], ..torus(1.0) };
    let y = [0.0, pow2(50)];
    let points = Columns::points(&[0.25, 0.5], &y).unwrap();
    let found = nearest(points, 3, f32::INFINITY, &pipe);
    for row in 0..2 {
        let own = [(1.0, -1), (1.0, 1), (2.0, -2)];
        assert_eq!(found[row as usize], own.map(|(distance, x)| near(row, distance, [x, 0])));
    }
    // It does not meet itself, and the other shape is too many periods away.
    let filters = [Filter::new(1, 2), Filter::new(2, 1)];
    let points = points.with_filters(&filters).unwrap();
    let result =
        Detector::new().k_nearest_periodic(points, 3, f32::INFINITY, &pipe, &mut Lists::new());
    assert!(matches!(result, Err(Error::TooManyImages { .. })));
}

#[test]
fn axis_aligned_shapes_beside_brute_force() {
    for round in 0..150_u32 {
        let mut rng = Rng::new(u64::from(round));
        let exact = round % 2 == 0;
        let n = 1 + rng.below([3, 12, 60][(round % 3) as usize]) as usize;
        let min = [0, 1].map(|_| length(&mut rng, exact, -9.0, 9.0));
        let max = [0, 1].map(|axis| min[axis] + length(&mut rng, exact, 6.0, 14.0));
        let wrap = [[true, true], [true, false], [false, true]][rng.below(3) as usize];
        let periodic = Periodic { min, max, wrap };
        let k = [1, 2, 5, 12][rng.below(4) as usize];
        let max_distance =
            [f32::INFINITY, length(&mut rng, exact, 0.0, 12.0)][rng.below(2) as usize];
        // Coincident, in a clump, in the box, or far outside of it.
        let far = [0.0, 0.5, 12.0, 100.0][rng.below(4) as usize];
        let mut columns = [const { Vec::new() }; 5];
        for at in 0..n {
            let reach = if at == 0 { 12.0 } else { far };
            let [x, y] = [0, 1].map(|_| length(&mut rng, exact, -reach, reach));
            let longest = if rng.below(8) == 0 { 20.0 } else { 1.0 };
            let [w, h] = [0, 1].map(|_| length(&mut rng, exact, 0.0, longest));
            let radius = length(&mut rng, exact, 0.0, 0.5);
            for (column, value) in columns.iter_mut().zip([x, y, x + w, y + h, radius]) {
                column.push(value);
            }
        }
        let [x, y, right, top, radius] = &columns;
        let run = |columns: Columns<'_>, shape: &dyn Fn(usize) -> RoundedBox| {
            let shapes: Vec<_> = (0..n).map(shape).collect();
            let expected = brute_force(&shapes, &periodic, (k, max_distance, 10));
            let found = nearest(columns, k, max_distance, &periodic);
            assert_eq!(found, expected, "round {round}: {periodic:?}, {k}, {max_distance}");
            // Lists of all neighbours have the same distances.
            let mut lists = Lists::new();
            let mut detector = Detector::new();
            let full = Adjacency::Full;
            detector.neighbors_periodic(columns, 6.0, full, &periodic, &mut lists).unwrap();
            for (list, found) in lists.iter().zip(&found) {
                for near in found.iter().filter(|near| near.distance < 5.9) {
                    assert!(list.contains(near), "round {round}: {near:?}");
                }
            }
        };
        let aabb = |row: usize| Aabb::new([x[row], y[row]], [right[row], top[row]]);
        match round % 4 {
            0 => run(Columns::points(x, y).unwrap(), &|row| circle(x[row], y[row], 0.0)),
            1 => run(Columns::circles(x, y, radius).unwrap(), &|row| {
                circle(x[row], y[row], radius[row])
            }),
            2 => run(Columns::aabbs(x, y, right, top).unwrap(), &|row| {
                RoundedBox::new(aabb(row), 0.0)
            }),
            _ => run(Columns::rounded_boxes(x, y, right, top, radius).unwrap(), &|row| {
                RoundedBox::new(aabb(row), radius[row])
            }),
        }
    }
}

/// A crowd that is searched as a batch: rows near the seam are few.
#[test]
fn many_points() {
    let mut rng = Rng::new(8);
    let [x, y] = [0, 1].map(|_| (0..1500).map(|_| rng.range(-40.0, 90.0)).collect::<Vec<f32>>());
    let points: Vec<_> = x.iter().zip(&y).map(|(x, y)| circle(*x, *y, 0.0)).collect();
    let periodic = Periodic::new([0.0, -3.0], [50.0, 40.0]);
    let expected = brute_force(&points, &periodic, (8, f32::INFINITY, 1));
    let found = nearest(Columns::points(&x, &y).unwrap(), 8, f32::INFINITY, &periodic);
    assert!(found == expected);
}

/// Rotated shapes and compounds: the distances of an index of all images.
#[test]
fn shapes_of_any_kind_beside_all_images() {
    let mut rotated = 0;
    for round in 0..40_u32 {
        let mut maker = Maker::new(u64::from(round), Numbers::Quarters, 1.0);
        let side = 8.0;
        let wrap = [[true, true], [true, false], [false, true]][maker.rng.below(3) as usize];
        let periodic = Periodic { wrap, ..torus(side) };
        let (mut shapes, mut all) = (Shapes::new(), Shapes::new());
        for _ in 0..10 {
            let make = Make::ALL[maker.rng.below(Make::ALL.len() as u64) as usize];
            let place = [0, 1].map(|_| maker.rng.int(0, 31) as f32 * 0.25);
            let row = maker.solid(make, place).push(&mut shapes);
            let RoundedBox { min_x, min_y, max_x, max_y, .. } = shapes.bounds(row).unwrap();
            let inside = |low: f32, high: f32| (0.0..side).contains(&((low + high) * 0.5));
            let long = (max_x - min_x).max(max_y - min_y) > 9.0;
            if long || !inside(min_x, max_x) || !inside(min_y, max_y) {
                shapes.remove(row).unwrap();
            }
        }
        let rows: Vec<u32> =
            (0..shapes.rows() as u32).filter(|row| shapes.kind(*row).is_some()).collect();
        rotated +=
            usize::from(rows.iter().any(|row| !shapes.kind(*row).unwrap().is_axis_aligned()));
        let mut own = Vec::new();
        for x in -4..=4_i16 {
            for y in -4..=4_i16 {
                if (x != 0 && !wrap[0]) || (y != 0 && !wrap[1]) {
                    continue;
                }
                let [dx, dy] = periodic.offset([x, y]);
                let mut moved = shapes.clone();
                let by = |by: f32| vec![by; shapes.rows()];
                moved.translate(&by(dx), &by(dy)).unwrap();
                if [x, y] == [0, 0] {
                    own = (0..shapes.rows() as u32).map(|row| all.rows() as u32 + row).collect();
                }
                all.extend_from_columns(moved.columns()).unwrap();
            }
        }
        let index = Index::build(&all).unwrap();
        let mut expected = Lists::new();
        index.k_nearest_of_rows(9, f32::INFINITY, &mut expected).unwrap();
        let found = nearest((&shapes).into(), 9, f32::INFINITY, &periodic);
        for (row, found) in found.iter().enumerate() {
            let expected = expected.get(own[row] as usize);
            assert_eq!(found.len(), expected.len(), "round {round}, row {row}");
            for (a, b) in found.iter().zip(expected) {
                let close = (a.distance - b.distance).abs() <= 1e-5;
                assert!(close, "round {round}, row {row}: {a:?}, {b:?}");
            }
        }
    }
    assert!(rotated > 20, "{rotated}");
}
