//! Lists in a periodic box, read off the grid of shapes and copies: vacant rows, copies of copies,
//! limits, and the same lists from pairs.

use crate::{
    periodic::check,
    seam::{KINDS, Set, box_of, inside},
};
use common::{POLICIES, Rng, pow2, product};
use widephase::{
    Adjacency, Columns, Detector, Error, Lists, Options, Order, Pair, Periodic, Shapes, Touching,
    periodic::PeriodicNeighbor, reference::periodic, shape::Circle,
};

/// Circles of one size around these centres.
fn circles(centers: &[[f32; 2]], radius: f32) -> Set {
    let [x, y] = [0, 1].map(|axis| centers.iter().map(|center| center[axis]).collect());
    Set { columns: [x, y, Vec::new(), Vec::new(), vec![radius; centers.len()]], kind: 1 }
}

/// Many neighbours for each row, with vacant rows at the ends and between.
#[test]
fn vacant_rows() {
    for (round, vacant) in [(0, 0), (1, 1), (2, 50), (3, 299), (4, 300)] {
        let mut rng = Rng::new(round as u64);
        let shapes: Vec<Circle> =
            (0..300).map(|_| Circle::new(inside(&mut rng), rng.below(4) as f32 * 0.125)).collect();
        let mut store = Shapes::from_slice(&shapes).unwrap();
        let mut rows: Vec<u32> = (0..300).collect();
        for removed in 0..vacant {
            let at = match removed {
                0 => rows.len() - 1,
                1 => 0,
                _ => rng.below(rows.len() as u64) as usize,
            };
            store.remove(rows.remove(at)).unwrap();
        }
        let kept: Vec<Circle> = rows.iter().map(|row| shapes[*row as usize]).collect();
        for distance in [0.0, 1.0, 3.5] {
            let periodic = box_of(round);
            let mut expected = periodic::pairs(&kept, &periodic, distance, Touching::Inclusive);
            for (found, _) in &mut expected {
                let Pair { a, b } = found.pair;
                found.pair = Pair { a: rows[a as usize], b: rows[b as usize] };
            }
            let what = format!("{vacant} vacant, {distance}");
            let touching = Touching::Inclusive;
            check((&store).into(), &periodic, distance, touching, &expected, &what);
        }
    }
}

/// Shapes longer than half a period, up to exactly one with the distance: each shape has copies
/// that are near each other, and is near its own copies.
#[test]
fn longer_than_half_a_period() {
    for (round, count) in [1, 2, 17, 70].into_iter().enumerate() {
        let mut rng = Rng::new(count);
        let mut centers: Vec<_> = (0..count).map(|_| inside(&mut rng)).collect();
        centers[0] = [0.0, 15.75];
        for (radius, distance) in [(3.0, 10.0), (4.5, 0.0), (5.0, 5.5), (8.0, 0.0), (0.0, 16.0)] {
            let set = circles(&centers, radius);
            for touching in POLICIES {
                set.check(&box_of(round), distance, touching, "long");
            }
        }
    }
}

/// A few large shapes among many small shapes. Along an axis that does not wrap, one shape is far
/// away.
#[test]
fn few_large_shapes() {
    for round in 0..6 {
        for kind in 1..KINDS {
            let mut rng = Rng::new((round * KINDS + kind) as u64);
            let periodic = box_of(round);
            let mut centers: Vec<_> = (0..260).map(|_| inside(&mut rng)).collect();
            for (at, wraps) in centers[7].iter_mut().zip(periodic.wrap) {
                *at = if wraps { *at } else { 1000.0 };
            }
            let mut set = Set::new(kind, &centers, 0.5, &mut rng);
            let large = Set::new(kind, &centers[..5], 12.0, &mut rng);
            for (column, large) in set.columns.iter_mut().zip(large.columns) {
                column[..5].copy_from_slice(&large);
            }
            for (distance, touching) in [(0.0, POLICIES[round % 2]), (0.5, POLICIES[0])] {
                set.check(&periodic, distance, touching, "large");
            }
        }
    }
}

/// Where sides are whole numbers and their sums are rounded.
#[test]
fn far_from_the_origin() {
    let min = pow2(23) - 8.0;
    let periodic = Periodic::new([min, -min - 32.0], [min + 32.0, -min]);
    for kind in [0, 2] {
        let mut rng = Rng::new(kind as u64);
        let mut set = Set { columns: [const { Vec::new() }; 5], kind };
        for _ in 0..150 {
            let [x, y] = periodic.min.map(|min| min + rng.int(-3, 35) as f32);
            let [right, top] = [x, y].map(|side| side + rng.below(5) as f32);
            for (column, value) in set.columns.iter_mut().zip([x, y, right, top, 0.0]) {
                column.push(value);
            }
        }
        for distance in [0.0, 2.0] {
            set.check(&periodic, distance, Touching::Inclusive, "far");
        }
    }
}

/// With a predicate, pairs are found and sorted by rows. All lists are equal, and the limit counts
/// the same pairs.
#[test]
fn lists_are_those_of_pairs() {
    let all = |_: u32, _: u32| true;
    let run = |columns: Columns<'_>, options, (distance, adjacency), periodic: &Periodic| {
        let mut lists: Lists<PeriodicNeighbor> = Lists::new();
        let mut detector = Detector::with_options(options).unwrap();
        let result =
            detector.neighbors_periodic(columns, distance, adjacency, periodic, &mut lists);
        result.map(|()| lists)
    };
    for ((round, count), kind) in product(([3, 30, 100, 400].into_iter().enumerate(), 0..2)) {
        let mut rng = Rng::new((count * 2 + kind) as u64);
        let centers: Vec<_> = (0..count).map(|_| inside(&mut rng)).collect();
        let set = Set::new(kind, &centers, 2.0, &mut rng);
        let columns = set.columns();
        for call in product(([0.5, 3.0, 12.0], [Adjacency::Full, Adjacency::Half])) {
            let periodic = box_of(round);
            let mut options = Options { order: Order::Sorted, ..Options::default() };
            let twin = columns.with_predicate(&all);
            options.max_pairs = 1 << 27;
            let found = run(columns, options, call, &periodic).unwrap();
            assert_eq!(Ok(found), run(twin, options, call, &periodic));
            options.max_pairs = 0;
            let found = match run(twin, options, call, &periodic) {
                Err(Error::TooManyPairs { found, .. }) => found,
                // There are no pairs.
                _ => 0,
            };
            for limit in [0, found.saturating_sub(1), found] {
                options.max_pairs = limit;
                let [found, twin] = [columns, twin].map(|set| run(set, options, call, &periodic));
                assert_eq!(found, twin, "{count}, {call:?}, {limit}");
            }
        }
    }
}
