//! Periodic boxes of `f64`, beside brute force.
#![allow(clippy::unwrap_used, reason = "a panic is a failed test, in its helpers too")]

use common::Rng;
use widephase::{
    Adjacency, Error, Lists, Options, Order, Touching,
    doubles::{
        DoubleBox, DoubleColumns, DoubleDetector, DoublePeriodic, DoublePeriodicNeighbor, touches,
    },
    periodic::PeriodicPair,
};

fn sorted(touching: Touching) -> DoubleDetector {
    let options = Options { order: Order::Sorted, touching, ..Options::default() };
    DoubleDetector::with_options(options).unwrap()
}

/// The shape in the box, and by how many periods it is moved there.
fn wrapped(shape: &DoubleBox, periodic: &DoublePeriodic, is_round: bool) -> (DoubleBox, [i64; 2]) {
    let (mut shape, mut periods) = (*shape, [0; 2]);
    for axis in (0..2).filter(|axis| periodic.wrap[*axis]) {
        let (min, max) = (periodic.min[axis], periodic.max[axis]);
        let center = 0.5 * shape.min[axis] + 0.5 * shape.max[axis];
        if !(min <= center && center < max) {
            let at = min + (center - min).rem_euclid(max - min);
            let at = if at < max { at } else { min };
            periods[axis] = ((at - center) / (max - min)).round() as i64;
            let to = |side: f64| if is_round { at } else { side + (at - center) };
            (shape.min[axis], shape.max[axis]) = (to(shape.min[axis]), to(shape.max[axis]));
        }
    }
    (shape, periods)
}

fn moved(shape: &DoubleBox, periodic: &DoublePeriodic, shift: [i64; 2]) -> DoubleBox {
    let mut shape = *shape;
    for (axis, shift) in shift.into_iter().enumerate() {
        let by = shift as f64 * periodic.period()[axis];
        (shape.min[axis], shape.max[axis]) = (shape.min[axis] + by, shape.max[axis] + by);
    }
    shape
}

/// Of each row, all images of rows: with the shift as given, and the two shapes in the box.
fn images(
    shapes: &[DoubleBox],
    periodic: &DoublePeriodic,
    (most, is_round): (i64, bool),
) -> Vec<Vec<(DoublePeriodicNeighbor, [DoubleBox; 2])>> {
    let inside: Vec<_> = shapes.iter().map(|shape| wrapped(shape, periodic, is_round)).collect();
    let shifts = |axis: usize| if periodic.wrap[axis] { -most..=most } else { 0..=0 };
    let of_row = |row: usize| {
        let mut found = Vec::new();
        for other in 0..shapes.len() {
            for [x, y] in shifts(0).flat_map(|x| shifts(1).map(move |y| [x, y])) {
                if row == other && [x, y] == [0, 0] {
                    continue;
                }
                let ((one, of_one), (two, of_two)) = (inside[row], inside[other]);
                let both = if x > 0 || (x == 0 && y >= 0) {
                    [one, moved(&two, periodic, [x, y])]
                } else {
                    [two, moved(&one, periodic, [-x, -y])]
                };
                let shift = [x + of_two[0] - of_one[0], y + of_two[1] - of_one[1]];
                let shift = shift.map(|periods| i16::try_from(periods).unwrap());
                let distance = both[0].distance(&both[1]);
                found.push((DoublePeriodicNeighbor { distance, row: other as u32, shift }, both));
            }
        }
        found
    };
    (0..shapes.len()).map(of_row).collect()
}

fn check(
    columns: DoubleColumns<'_>,
    is_round: bool,
    periodic: &DoublePeriodic,
    distance: f64,
    round: u64,
) {
    let shapes: Vec<_> = (0..columns.len()).map(|row| columns.get(row).unwrap()).collect();
    let all = images(&shapes, periodic, (4, is_round));
    let touching = [Touching::Inclusive, Touching::Exclusive][(round / 3 % 2) as usize];
    let (mut detector, mut lists, mut pairs) = (sorted(touching), Lists::new(), Vec::new());
    let near = |[mut one, other]: [DoubleBox; 2]| {
        one.radius += distance;
        touches(&one, &other, touching)
    };
    for adjacency in [Adjacency::Full, Adjacency::Half] {
        detector.neighbors_periodic(columns, distance, adjacency, periodic, &mut lists).unwrap();
        for (row, images) in all.iter().enumerate() {
            let half = |found: &DoublePeriodicNeighbor| {
                row < found.row as usize || (row == found.row as usize && found.shift > [0, 0])
            };
            let mut expected: Vec<_> = images
                .iter()
                .filter(|(found, both)| {
                    near(*both) && (adjacency == Adjacency::Full || half(found))
                })
                .map(|(found, _)| *found)
                .collect();
            expected.sort_by_key(|found| (found.row, found.shift));
            assert_eq!(lists.get(row), expected, "round {round}, row {row}, {adjacency:?}");
        }
    }
    detector.pairs_periodic(columns, periodic, &mut pairs).unwrap();
    let mut expected = Vec::new();
    for (row, images) in (0..).zip(&all) {
        let found = images.iter().filter(|(found, [one, other])| {
            let first = row < found.row || (row == found.row && found.shift > [0, 0]);
            first && touches(one, other, touching)
        });
        expected.extend(found.map(|(found, _)| PeriodicPair {
            pair: widephase::Pair { a: row, b: found.row },
            shift: found.shift,
        }));
    }
    expected.sort_unstable();
    assert_eq!(pairs, expected, "round {round}");
    for (k, most) in [(1, f64::INFINITY), (3, distance), (5, f64::INFINITY), (0, 1.0)] {
        detector.k_nearest_periodic(columns, k, most, periodic, &mut lists).unwrap();
        for (row, images) in all.iter().enumerate() {
            let mut expected: Vec<_> = images.iter().map(|(found, _)| *found).collect();
            expected.sort_by(|a, b| {
                a.distance.total_cmp(&b.distance).then((a.row, a.shift).cmp(&(b.row, b.shift)))
            });
            expected.retain(|found| found.distance <= most);
            expected.truncate(k);
            assert_eq!(lists.get(row), expected, "round {round}, row {row}, {k} {most}");
        }
    }
}

#[test]
fn shapes_of_f64_in_a_box_beside_brute_force() {
    for round in 0..120 {
        let mut rng = Rng::new(round);
        // On a grid, distances are often exactly the limit.
        let grid = round % 2 == 0;
        let scale = [1.0, 1e-9, 1e9][rng.below(3) as usize];
        let offset = [0.0, 1.0, 4_500_000.0][rng.below(3) as usize] * scale;
        let mut length = |low: f64, high: f64| {
            let at = low + (high - low) * f64::from(rng.below(1 << 20) as u32) / f64::from(1 << 20);
            (if grid { (at * 4.0).round() / 4.0 } else { at }) * scale
        };
        let min = [0, 1].map(|_| length(-9.0, 9.0) + offset);
        let max = [0, 1].map(|axis: usize| min[axis] + length(4.0, 9.0));
        let wrap = [[true, true], [true, false], [false, true]][(round % 3) as usize];
        let periodic = DoublePeriodic { min, max, wrap };
        let (n, distance) = (1 + round as usize % 12, length(0.0, 6.0));
        let far = [5.0, 60.0, 2000.0][(round / 2 % 3) as usize];
        let x: Vec<_> = (0..n).map(|_| offset + length(-far, far)).collect();
        let y: Vec<_> = (0..n).map(|_| offset + length(-far, far)).collect();
        let sizes: Vec<_> = (0..n).map(|_| length(0.0, 1.5)).collect();
        let [right, top] = [&x, &y]
            .map(|from| from.iter().zip(&sizes).map(|(at, size)| at + size).collect::<Vec<_>>());
        check(DoubleColumns::points(&x, &y).unwrap(), true, &periodic, distance, round);
        check(DoubleColumns::circles(&x, &y, &sizes).unwrap(), true, &periodic, distance, round);
        check(
            DoubleColumns::aabbs(&x, &y, &right, &top).unwrap(),
            false,
            &periodic,
            distance,
            round,
        );
    }
}

#[test]
fn what_f32_does_not_see_is_decided_in_a_box() {
    let torus = DoublePeriodic::new([4_500_000.0, 0.0], [4_500_100.0, 1e-3]);
    let (x, y) = ([4_500_000.03, 4_500_099.93, 4_500_200.031], [5e-4; 3]);
    let points = DoubleColumns::points(&x, &y).unwrap();
    let (mut detector, mut lists) = (sorted(Touching::Inclusive), Lists::new());
    detector.neighbors_periodic(points, 5e-4, Adjacency::Full, &torus, &mut lists).unwrap();
    assert!(lists.items().is_empty());
    detector.k_nearest_periodic(points, 1, f64::INFINITY, &torus, &mut lists).unwrap();
    assert_eq!((lists.get(1)[0].row, lists.get(1)[0].shift), (1, [0, -1]));
}

#[test]
fn arguments_are_checked() {
    let (mut detector, mut lists) = (DoubleDetector::new(), Lists::new());
    let points = DoubleColumns::points(&[0.5, 3e9], &[0.5, 0.5]).unwrap();
    let torus = DoublePeriodic::new([0.0; 2], [1.0; 2]);
    let mut near = |points, distance, periodic: &DoublePeriodic| {
        detector.neighbors_periodic(points, distance, Adjacency::Full, periodic, &mut lists)
    };
    let error = Error::TooManyPeriods { a: 0, b: 1, periods: -3e9 };
    assert_eq!(near(points, 0.5, &torus), Err(error));
    assert_eq!(near(points, -1.0, &torus), Err(Error::InvalidMargin { value: -1.0 }));
    let flat = DoublePeriodic::new([1.0; 2], [1.0; 2]);
    assert_eq!(near(points, 0.5, &flat), Err(Error::InvalidPeriod { min: 1.0, max: 1.0 }));
    for x in &[[f64::NAN], [f64::INFINITY], [2.0_f64.powi(61)]] {
        let found = near(DoubleColumns::points(x, &[0.0]).unwrap(), 0.5, &torus);
        assert!(matches!(found, Err(Error::InvalidShape { index: 0, .. })));
    }
    let found = detector.k_nearest_periodic(points, 1, f64::NAN, &torus, &mut lists);
    assert!(matches!(found, Err(Error::InvalidQuery { .. })));
}
