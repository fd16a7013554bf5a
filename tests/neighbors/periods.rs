//! Distances and shapes beyond one period: hand-made cases, and random shapes beside brute force.
#![allow(clippy::unwrap_used, reason = "a panic is a failed test, in its helpers too")]

use super::periodic::{check, check_any_kind, circle, length, pair, torus};
use common::{POLICIES, Rng, pow2, product};
use widephase::{
    Adjacency, Columns, Detector, Error, Filter, Lists, Options, Order, Periodic, Shapes, Touching,
    error::ErrorKind,
    periodic::{PeriodicNeighbor, PeriodicPair},
    reference::periodic,
    shape::{Aabb, Circle, Obb, Rotation, RoundedBox},
};

fn sorted() -> Detector {
    Detector::with_options(Options { order: Order::Sorted, ..Options::default() }).unwrap()
}

/// The neighbours of one point in a torus of side 4.
fn of_one(distance: f32, adjacency: Adjacency) -> Vec<(f32, [i16; 2])> {
    let point = Columns::points(&[1.0], &[3.0]).unwrap();
    let mut lists = Lists::new();
    sorted().neighbors_periodic(point, distance, adjacency, &torus(4.0), &mut lists).unwrap();
    assert!(lists.items().iter().all(|near| near.row == 0));
    lists.get(0).iter().map(|near| (near.distance, near.shift)).collect()
}

#[test]
fn a_row_is_its_own_neighbour() {
    let one = 4.0;
    let plus = [[-1, 0], [0, -1], [0, 1], [1, 0]].map(|shift| (one, shift));
    assert_eq!(of_one(4.0, Adjacency::Full), plus);
    assert_eq!(of_one(4.0_f32.next_up(), Adjacency::Full), plus);
    assert_eq!(of_one(4.0_f32.next_down(), Adjacency::Full), []);
    assert_eq!(of_one(4.0, Adjacency::Half), plus[2..]);
    // Two periods, and the diagonals of one period.
    let across = 32.0_f32.sqrt();
    let half = [
        (4.0, [0, 1]),
        (8.0, [0, 2]),
        (across, [1, -1]),
        (4.0, [1, 0]),
        (across, [1, 1]),
        (8.0, [2, 0]),
    ];
    assert_eq!(of_one(8.0, Adjacency::Half), half);
    let full = of_one(8.0, Adjacency::Full);
    assert_eq!(full.len(), 12);
    for (distance, [x, y]) in half {
        assert!(full.contains(&(distance, [x, y])) && full.contains(&(distance, [-x, -y])));
    }
}

#[test]
fn each_image_is_its_own_neighbour() {
    // Two points at a distance of 1 on a line that repeats after 4: at 1, 3, 5 and 7.
    let points = Columns::points(&[0.0, 1.0], &[0.0; 2]).unwrap();
    let line = Periodic { wrap: [true, false], ..torus(4.0) };
    let mut lists = Lists::new();
    let near = |row, distance, shift| PeriodicNeighbor { row, distance, shift: [shift, 0] };
    sorted().neighbors_periodic(points, 7.0, Adjacency::Full, &line, &mut lists).unwrap();
    let first = [near(0, 4.0, -1), near(0, 4.0, 1)];
    let second = [near(1, 7.0, -2), near(1, 3.0, -1), near(1, 1.0, 0), near(1, 5.0, 1)];
    assert_eq!(lists.get(0), [&first[..], &second].concat());
    sorted().neighbors_periodic(points, 7.0, Adjacency::Half, &line, &mut lists).unwrap();
    assert_eq!(lists.get(0), [&first[1..], &second].concat());
    assert_eq!(lists.get(1), [near(1, 4.0, 1)]);
}

#[test]
fn shapes_longer_than_the_period() {
    let aabb = |low: f32, high: f32| RoundedBox::new(Aabb::new([low, 1.0], [high, 2.0]), 0.0);
    for touching in POLICIES {
        let pairs = |shapes: &[RoundedBox]| {
            let store = Shapes::from_slice(shapes).unwrap();
            let expected = periodic::pairs(shapes, &torus(8.0), 0.0, touching);
            check((&store).into(), &torus(8.0), 0.0, touching, &expected, &format!("{shapes:?}"));
            expected.into_iter().map(|found| found.0).collect::<Vec<_>>()
        };
        let inclusive = touching == Touching::Inclusive;
        // At exactly two periods it also touches itself.
        let images = [pair(0, 0, [1, 0]), pair(0, 0, [2, 0])];
        assert_eq!(pairs(&[aabb(-8.0, 8.0)]), images[..if inclusive { 2 } else { 1 }]);
        assert_eq!(pairs(&[aabb(-8.0, 8.5)]), images);
        let found = pairs(&[aabb(0.0, 12.0), aabb(2.0, 3.0)]);
        assert_eq!(found, [pair(0, 0, [1, 0]), pair(0, 1, [0, 0]), pair(0, 1, [1, 0])]);
    }
}

/// All images of integers by integers.
#[test]
fn points_of_whole_numbers() {
    let mut rng = Rng::new(3);
    for _ in 0..100 {
        let side = [0, 1].map(|_| rng.int(1, 9));
        let place = |rng: &mut Rng| [0, 1].map(|axis| rng.below(side[axis] as u64) as i64);
        let points: Vec<[i64; 2]> = (0..1 + rng.below(9)).map(|_| place(&mut rng)).collect();
        let distance = rng.int(0, 25);
        let wrap = [[true, true], [true, false], [false, true]][rng.below(3) as usize];
        let [x, y] = [0, 1].map(|axis| points.iter().map(|at| at[axis] as f32).collect::<Vec<_>>());
        let periodic = Periodic { wrap, ..Periodic::new([0.0; 2], side.map(|side| side as f32)) };
        let (columns, full) = (Columns::points(&x, &y).unwrap(), Adjacency::Full);
        let mut lists = Lists::new();
        sorted().neighbors_periodic(columns, distance as f32, full, &periodic, &mut lists).unwrap();
        let most = [0, 1].map(|axis| if wrap[axis] { distance / side[axis] + 2 } else { 0 });
        for (row, from) in points.iter().enumerate() {
            let mut expected = Vec::new();
            let images = (points.iter().enumerate(), -most[0]..=most[0], -most[1]..=most[1]);
            for ((other, to), shift_x, shift_y) in product(images) {
                let dx = to[0] + shift_x * side[0] - from[0];
                let dy = to[1] + shift_y * side[1] - from[1];
                let itself = row == other && [shift_x, shift_y] == [0, 0];
                let squared = dx * dx + dy * dy;
                if !itself && squared <= distance * distance {
                    let distance = (squared as f64).sqrt() as f32;
                    let shift = [shift_x as i16, shift_y as i16];
                    expected.push(PeriodicNeighbor { row: other as u32, distance, shift });
                }
            }
            assert_eq!(lists.get(row), expected, "{points:?}, {periodic:?}, {distance}, {row}");
        }
    }
}

#[test]
fn axis_aligned_shapes_beside_brute_force() {
    for round in 0..120_u32 {
        let mut rng = Rng::new(u64::from(round));
        let exact = round % 2 == 0;
        let n = 1 + rng.below(9) as usize;
        let min = [0, 1].map(|_| length(&mut rng, exact, -9.0, 9.0));
        let max = [0, 1].map(|axis| min[axis] + length(&mut rng, exact, 1.0, 8.0).max(0.5));
        let wrap = [[true, true], [true, false], [false, true]][rng.below(3) as usize];
        let periods = [0.01, 0.5, 1.0, 1.5, 3.0, 5.0][rng.below(6) as usize];
        let distance = [0.0, (max[0] - min[0]) * periods][(round / 2 % 2) as usize];
        // Coincident, flat, long or tiny shapes, some far away.
        let far = [0.0, 12.0, 3000.0][rng.below(3) as usize];
        let longest = [0.0_f32, 0.25, 2.0, 20.0].map(|most| [most, most.min(1.0)]);
        let [width, height] = longest[rng.below(4) as usize];
        let scale = [1.0, pow2(-60), pow2(40)][rng.below(3) as usize];
        let mut columns = [const { Vec::new() }; 5];
        for _ in 0..n {
            let [x, y] = [0, 1].map(|_| length(&mut rng, exact, -far, far));
            let [w, h] = [width, height].map(|most| length(&mut rng, exact, 0.0, most));
            let radius = length(&mut rng, exact, 0.0, width.min(0.75));
            for (column, value) in columns.iter_mut().zip([x, y, x + w, y + h, radius]) {
                column.push(value * scale);
            }
        }
        let [min, max] = [min, max].map(|corner| corner.map(|at| at * scale));
        let (periodic, distance) = (Periodic { min, max, wrap }, distance * scale);
        let [x, y, right, top, radius] = &columns;
        let touching = POLICIES[(round / 4 % 2) as usize];
        let run = |columns: Columns<'_>, shape: &dyn Fn(usize) -> RoundedBox| {
            let shapes: Vec<_> = (0..n).map(shape).collect();
            let expected = periodic::pairs(&shapes, &periodic, distance, touching);
            let what = format!("round {round}: {periodic:?}, {distance}, {touching:?}");
            check(columns, &periodic, distance, touching, &expected, &what);
        };
        let aabb = |row: usize| Aabb::new([x[row], y[row]], [right[row], top[row]]);
        match round % 5 {
            0 => run(Columns::points(x, y).unwrap(), &|row| circle(x[row], y[row], 0.0)),
            1 => run(Columns::circles(x, y, radius).unwrap(), &|row| {
                circle(x[row], y[row], radius[row])
            }),
            2 => run(Columns::aabbs(x, y, right, top).unwrap(), &|row| {
                RoundedBox::new(aabb(row), 0.0)
            }),
            3 => run(Columns::centered(x, y, radius, radius).unwrap(), &|row| {
                RoundedBox::new(Aabb::centered([x[row], y[row]], [radius[row]; 2]), 0.0)
            }),
            _ => run(Columns::rounded_boxes(x, y, right, top, radius).unwrap(), &|row| {
                RoundedBox::new(aabb(row), radius[row])
            }),
        }
    }
}

/// Rotated shapes and compounds in a box that is shorter than many of them.
#[test]
fn shapes_of_any_kind_beside_brute_force() {
    for round in 0..40_u32 {
        let distance = [0.0, 1.5, 4.0, 9.0][(round % 4) as usize];
        let touching = POLICIES[(round / 4 % 2) as usize];
        check_any_kind(round, (4.0, 8), (distance, touching), 9.0, [7, 7]);
    }
}

#[test]
fn filters_and_spaces_hold_for_images() {
    let points = Columns::points(&[0.0, 1.0, 2.0], &[0.0; 3]).unwrap();
    let line = Periodic { wrap: [true, false], ..torus(4.0) };
    let mut lists = Lists::new();
    let mut near = |columns: Columns<'_>| {
        sorted().neighbors_periodic(columns, 4.0, Adjacency::Full, &line, &mut lists).unwrap();
        lists
            .iter()
            .map(|list| list.iter().map(|near| (near.row, near.shift[0])).collect())
            .collect()
    };
    // Rows 0 and 1 meet each other and not themselves; row 2 meets nothing.
    let filters = [Filter::new(1, 2), Filter::new(2, 1), Filter::new(0, 0)];
    let found: Vec<Vec<_>> = near(points.with_filters(&filters).unwrap());
    assert_eq!(found, [vec![(1, -1), (1, 0)], vec![(0, 0), (0, 1)], vec![]]);
    let found: Vec<Vec<_>> = near(points.with_spaces(&[7, 0, 7]).unwrap());
    let own = |row| [(row, -1), (row, 1)];
    let both = |row| [(row, -1), (row, 0)];
    assert_eq!(found[0], [own(0), both(2)].concat());
    assert_eq!(found[1], own(1));
    assert_eq!(found[2], [[(0, 0), (0, 1)], own(2)].concat());
    let only = |a: u32, b: u32| a == 1 && b == 2;
    let found: Vec<Vec<_>> = near(points.with_predicate(&only));
    assert_eq!(found, [vec![], vec![(2, -1), (2, 0)], vec![(1, 0), (1, 1)]]);
}

#[test]
fn limits() {
    let point = Columns::points(&[0.5], &[0.5]).unwrap();
    let mut detector = Detector::new();
    let mut lists = Lists::new();
    let half = Adjacency::Half;
    let line = Periodic { wrap: [true, false], ..torus(1.0) };
    detector.neighbors_periodic(point, 32_767.0, half, &line, &mut lists).unwrap();
    assert_eq!(lists.items().len(), 32_767);
    let result = detector.neighbors_periodic(point, 32_768.0, half, &line, &mut lists);
    let error = Error::TooManyImages { index: 0, length: 32_768.0, period: 1.0 };
    assert_eq!(result, Err(error.clone()));
    assert!(lists.is_empty());
    assert_eq!((error.kind(), error.row()), (ErrorKind::Limit, Some(0)));
    let message = "shape 0 is 32768 long, distance included: too many images with the period 1";
    assert_eq!(error.to_string(), message);
    // Many images in both directions; millions of periods; a tiny period.
    for (distance, side) in [(30_000.0, 1.0), (1e7, 1.0), (1.0, pow2(-100)), (pow2(60), 1.0)] {
        let result = detector.neighbors_periodic(point, distance, half, &torus(side), &mut lists);
        assert!(matches!(result, Err(Error::TooManyImages { index: 0, .. })), "{distance}, {side}");
    }
    // The furthest images, and beyond.
    let far = Periodic::new([-pow2(57); 2], [pow2(57); 2]);
    detector.neighbors_periodic(point, pow2(58), half, &far, &mut lists).unwrap();
    assert_eq!(lists.items().len(), 2);
    detector.neighbors_periodic(point, pow2(59), half, &far, &mut lists).unwrap();
    assert_eq!(lists.items().len(), 6);
    let result = detector.neighbors_periodic(point, pow2(60), half, &far, &mut lists);
    assert!(matches!(result, Err(Error::TooManyImages { index: 0, .. })));
    // A shape as long as the plane.
    let mut pairs = Vec::new();
    let all = [Circle::new([0.0; 2], 1.0), Circle::new([0.0; 2], pow2(60))];
    let shapes = Shapes::from_slice(&all).unwrap();
    let result = detector.pairs_periodic(&shapes, &torus(9.0), &mut pairs);
    assert!(matches!(result, Err(Error::TooManyImages { index: 1, .. })));
    // The limit of pairs holds for all pairs together, and the error counts all of them.
    let points = Columns::points(&[0.25, 0.75], &[0.5; 2]).unwrap();
    let mut limited = |max_pairs| {
        detector.set_options(Options { max_pairs, ..*detector.options() }).unwrap();
        detector.neighbors_periodic(points, 1.25, half, &line, &mut lists)
    };
    // The pair itself; each point one period away; the pair across both seams.
    assert_eq!(limited(3), Err(Error::TooManyPairs { limit: 3, found: 4 }));
    assert_eq!(limited(4), Ok(()));
}

#[test]
fn any_numbers_are_an_answer_or_an_error() {
    let special = [0.0, 1.0, -1.0, 1e-30, -1e-40, 3e9, pow2(57), pow2(60), -pow2(60), 0.1, 1e20];
    let any = [f32::NAN, f32::INFINITY, -2.0, f32::MAX];
    let mut detector = Detector::new();
    let (mut pairs, mut lists) = (Vec::<PeriodicPair>::new(), Lists::new());
    let mut done = 0;
    for round in 0..3000 {
        let mut rng = Rng::new(round);
        let one = |rng: &mut Rng| special[rng.below(special.len() as u64) as usize];
        let wild = |rng: &mut Rng| match rng.below(8) {
            0 => any[rng.below(4) as usize],
            _ => one(rng),
        };
        let (min, max) = ([0, 1].map(|_| wild(&mut rng)), [0, 1].map(|_| wild(&mut rng)));
        let wrap = [rng.below(2) == 0, rng.below(2) == 0];
        let periodic = Periodic { min, max, wrap };
        let n = rng.below(5) as usize;
        let [x, y] = [0, 1].map(|_| (0..n).map(|_| one(&mut rng)).collect::<Vec<_>>());
        let radius: Vec<_> = (0..n).map(|_| one(&mut rng).abs()).collect();
        let circles = Columns::circles(&x, &y, &radius).unwrap();
        let distance = wild(&mut rng);
        done += u32::from(detector.pairs_periodic(circles, &periodic, &mut pairs).is_ok());
        let full = Adjacency::Full;
        let found = detector.neighbors_periodic(circles, distance, full, &periodic, &mut lists);
        done += u32::from(found.is_ok());
        let k = [0, 1, 7, 100][rng.below(4) as usize];
        let found = detector.k_nearest_periodic(circles, k, distance, &periodic, &mut lists);
        assert_eq!(lists.len(), if found.is_ok() { n } else { 0 });
        done += u32::from(found.is_ok());
        // Rotated shapes, of numbers that a store takes.
        let mut shapes = Shapes::new();
        for row in 0..n {
            let half = [radius[row], radius[row] * 0.5];
            let turned = Obb::new([x[row], y[row]], half, Rotation { cos: 0.6, sin: 0.8 });
            let _ = shapes.push(turned);
        }
        done += u32::from(detector.pairs_periodic(&shapes, &periodic, &mut pairs).is_ok());
        let found = detector.neighbors_periodic(&shapes, distance, full, &periodic, &mut lists);
        done += u32::from(found.is_ok());
        let found = detector.k_nearest_periodic(&shapes, k, distance, &periodic, &mut lists);
        done += u32::from(found.is_ok());
    }
    assert!(done > 2000, "{done}");
}
