//! Periodic boxes: shapes are wrapped and copied a block at a time. Shapes on the seam and far from
//! the box, numbers of rows around the lengths of vectors and blocks, filters, and one detector for
//! many calls.

use crate::periodic::{check, circle, pair, torus};
use common::{POLICIES, Rng, pow2, product};
use widephase::{
    Adjacency, Columns, Detector, Error, Filter, Lists, Options, Order, Pair, Periodic, Shapes,
    Touching,
    periodic::{PeriodicNeighbor, PeriodicPair},
    reference::periodic,
    shape::{Aabb, Circle, RoundedBox},
};

/// Columns of one kind, as many as there are shapes, and the shapes that they are.
pub(crate) struct Set {
    pub(crate) columns: [Vec<f32>; 5],
    pub(crate) kind: usize,
}

/// Points, circles, boxes, boxes with half sizes, and rounded boxes.
pub(crate) const KINDS: usize = 5;

impl Set {
    /// Shapes with these centres, at most `size` long. Half sizes are multiples of an eighth.
    pub(crate) fn new(kind: usize, centers: &[[f32; 2]], size: f32, rng: &mut Rng) -> Self {
        let mut columns = [const { Vec::new() }; 5];
        let mut half = |most: f32| rng.below((most * 8.0) as u64 + 1) as f32 * 0.125;
        for &[x, y] in centers {
            let (w, h) = (half(size * 0.25), half(size * 0.25));
            let values = if kind == 3 { [x, y, w, h] } else { [x - w, y - h, x + w, y + h] };
            let values = if kind < 2 { [x, y, 0.0, 0.0] } else { values };
            let radius = half(size * 0.25);
            let [a, b, c, d] = values;
            for (column, value) in columns.iter_mut().zip([a, b, c, d, radius]) {
                column.push(value);
            }
        }
        Self { columns, kind }
    }

    pub(crate) fn columns(&self) -> Columns<'_> {
        let [a, b, c, d, radius] = &self.columns;
        match self.kind {
            0 => Columns::points(a, b),
            1 => Columns::circles(a, b, radius),
            2 => Columns::aabbs(a, b, c, d),
            3 => Columns::centered(a, b, c, d),
            _ => Columns::rounded_boxes(a, b, c, d, radius),
        }
        .unwrap()
    }

    fn shapes(&self) -> Vec<RoundedBox> {
        let [a, b, c, d, radius] = &self.columns;
        let shape = |row: usize| {
            let aabb = || Aabb::new([a[row], b[row]], [c[row], d[row]]);
            match self.kind {
                0 => circle(a[row], b[row], 0.0),
                1 => circle(a[row], b[row], radius[row]),
                2 => RoundedBox::new(aabb(), 0.0),
                3 => RoundedBox::new(Aabb::centered([a[row], b[row]], [c[row], d[row]]), 0.0),
                _ => RoundedBox::new(aabb(), radius[row]),
            }
        };
        (0..a.len()).map(shape).collect()
    }

    /// Checks pairs and lists, beside brute force.
    pub(crate) fn check(&self, periodic: &Periodic, distance: f32, touching: Touching, what: &str) {
        let expected = periodic::pairs(&self.shapes(), periodic, distance, touching);
        let what = format!("{what}, kind {}, {periodic:?}, {distance}, {touching:?}", self.kind);
        check(self.columns(), periodic, distance, touching, &expected, &what);
    }
}

/// A box of 16 by 16 that wraps along both axes, along x, or along y.
pub(crate) fn box_of(round: usize) -> Periodic {
    let wrap = [[true, true], [true, false], [false, true]][round % 3];
    Periodic { wrap, ..torus(16.0) }
}

/// A centre in the box, in quarters.
pub(crate) fn inside(rng: &mut Rng) -> [f32; 2] {
    [0, 1].map(|_| rng.below(64) as f32 * 0.25)
}

/// Around the lengths of vectors and blocks: all rows anywhere; only the last row near the seam, or
/// only the last row outside of the box.
#[test]
fn numbers_of_rows() {
    let counts = [0, 1, 7, 8, 9, 15, 16, 17, 63, 64, 65, 129];
    for ((round, count), last, kind) in product((counts.into_iter().enumerate(), 0..3, 0..KINDS)) {
        let mut rng = Rng::new((count * KINDS + kind) as u64);
        let mut centers: Vec<_> = (0..count).map(|_| inside(&mut rng)).collect();
        if last > 0 {
            for center in &mut centers {
                *center = center.map(|at| 4.0 + at * 0.5);
            }
            if let Some(center) = centers.last_mut() {
                *center = if last == 1 { [0.0, 0.25] } else { [15.75 - 48.0, 33.0] };
            }
            // The shapes that it touches across the seams.
            if let Some(center) = centers.first_mut() {
                *center = [15.75, 15.75];
            }
        }
        let set = Set::new(kind, &centers, 2.0, &mut rng);
        let what = format!("{count} rows, {last}");
        let touching = POLICIES[(round + kind) % 2];
        set.check(&box_of(round + last), 0.0, touching, &what);
        set.check(&box_of(round + last + 1), 0.75, touching, &what);
    }
}

/// Shapes with their centres or sides exactly on the seam or a rounding beside it, with zeros of
/// both signs.
#[test]
fn exactly_on_the_seam() {
    let boxes =
        [[0.0, 16.0], [-0.0, 16.0], [-16.0, 0.0], [-16.0, -0.0], [-8.0, 8.0], [1.0, 1.0 + 16.0]];
    for (round, [min, max]) in boxes.into_iter().enumerate() {
        let mut places = vec![0.0, -0.0, min + 1.0, max - 1.0, f32::MIN_POSITIVE, -1e-45];
        for side in [min, max] {
            places.extend([side, -side, side.next_up(), side.next_down()]);
        }
        let mut centers = Vec::new();
        for y in [4.0, -0.0, max, min.next_down()] {
            centers.extend(places.iter().flat_map(|x| [[*x, y], [y, *x]]));
        }
        for kind in 0..KINDS {
            let wrap = box_of(round + kind).wrap;
            let periodic = Periodic { min: [min; 2], max: [max; 2], wrap };
            let set = Set::new(kind, &centers, 2.0, &mut Rng::new(round as u64));
            for touching in POLICIES {
                set.check(&periodic, 0.0, touching, "on the seam");
            }
            set.check(&periodic, 0.5, Touching::Inclusive, "on the seam");
        }
    }
}

/// The bits of a distance of 0 have no sign, also between shapes at zeros of both signs.
#[test]
fn distances_of_zeros() {
    let x = [0.0, -0.0, 0.0, -0.0, 16.0, -16.0];
    let y = [0.0, 0.0, -0.0, -0.0, -0.0, 16.0];
    let mut lists = Lists::new();
    for wrap in [[true, true], [true, false], [false, true], [false, false]] {
        let periodic = Periodic { wrap, ..torus(16.0) };
        for distance in [0.0, 1.0, 17.0] {
            let points = Columns::points(&x, &y).unwrap();
            let mut detector = Detector::new();
            let full = Adjacency::Full;
            detector.neighbors_periodic(points, distance, full, &periodic, &mut lists).unwrap();
            assert!(lists.items().len() >= 12, "{wrap:?}, {distance}");
            assert!(lists.items().iter().all(|item| item.distance.is_sign_positive()));
        }
    }
}

/// Positions many periods away have the pairs of the positions in the box: in all rows, or in one
/// of a block.
#[test]
fn many_periods_away() {
    let mut rng = Rng::new(3);
    let rounds = [(0, true), (1, false), (2, true), (3, false)];
    for ((round, all), kind) in product((rounds, 0..KINDS)) {
        let near: Vec<_> = (0..400).map(|_| inside(&mut rng)).collect();
        let mut far = near.clone();
        for (row, center) in far.iter_mut().enumerate() {
            if all || row % 64 == 17 {
                let periods = [0, 1].map(|_| rng.int(-16_000, 16_000) as f32);
                let wrap = box_of(round).wrap;
                for axis in 0..2 {
                    // Exact: below 2^20, in eighths.
                    center[axis] += if wrap[axis] { periods[axis] * 16.0 } else { 0.0 };
                }
            }
        }
        // Shapes of the same sizes.
        let [near, far] = [near, far].map(|set| Set::new(kind, &set, 3.0, &mut Rng::new(9)));
        for (distance, touching) in [(0.0, POLICIES[round % 2]), (1.25, POLICIES[0])] {
            let expected = periodic::pairs(&far.shapes(), &box_of(round), distance, touching);
            assert!(kind == 0 || !expected.is_empty());
            // The same pairs as in the box, but for their shifts.
            let inside = periodic::pairs(&near.shapes(), &box_of(round), distance, touching);
            let rows = |(found, distance): &(PeriodicPair, f32)| (found.pair, distance.to_bits());
            let sorted = |found: &[_]| {
                let mut rows: Vec<_> = found.iter().map(rows).collect();
                rows.sort_unstable();
                rows
            };
            assert_eq!(sorted(&expected), sorted(&inside));
            let what = format!("round {round}, kind {kind}");
            check(far.columns(), &box_of(round), distance, touching, &expected, &what);
        }
    }
}

/// A shape with the distance exactly as long as a period, and a rounding longer.
#[test]
fn as_long_as_a_period() {
    let mut long = Set::new(2, &[[4.0, 4.0], [8.0, 9.0], [15.0, 9.0]], 1.0, &mut Rng::new(1));
    for (right, distance) in
        [(10.0, 10.0), (10.0, 10.0_f32.next_up()), (20.0, 0.0), (20.0_f32.next_up(), 0.0)]
    {
        long.columns[0][0] = 4.0;
        long.columns[2][0] = right;
        for round in 0..3 {
            for touching in POLICIES {
                long.check(&box_of(round), distance, touching, "as long");
            }
        }
    }
}

/// The first row that is too long to be moved is in the error, in a later block and behind rows
/// that are longer than the period.
#[test]
fn the_first_row_that_is_too_long() {
    let mut circles = vec![Circle::new([1.0, 2.0], 0.5); 200];
    circles[3].radius = 40.0;
    circles[140].radius = pow2(60);
    circles[141].radius = pow2(59);
    let mut shapes = Shapes::from_slice(&circles).unwrap();
    shapes.remove(20).unwrap();
    let (mut pairs, mut lists) = (vec![pair(0, 1, [0, 0])], Lists::new());
    let mut detector = Detector::new();
    let length = pow2(61);
    let result = detector.pairs_periodic(&shapes, &torus(16.0), &mut pairs);
    assert_eq!(result, Err(Error::TooManyImages { index: 140, length, period: 16.0 }));
    assert!(pairs.is_empty());
    let columns = Columns::from(&shapes);
    let result =
        detector.neighbors_periodic(columns, 1.0, Adjacency::Half, &torus(16.0), &mut lists);
    assert_eq!(result, Err(Error::TooManyImages { index: 140, length, period: 16.0 }));
    let result = detector.k_nearest_periodic(columns, 3, 1.0, &torus(16.0), &mut lists);
    assert_eq!(result, Err(Error::TooManyImages { index: 140, length, period: 16.0 }));
}

/// Filters, spaces and predicates, with shapes of several blocks.
#[test]
fn only_rows_that_meet() {
    for kind in 0..KINDS {
        let mut rng = Rng::new(40 + kind as u64);
        let centers: Vec<_> = (0..300).map(|_| inside(&mut rng)).collect();
        let set = Set::new(kind, &centers, 1.5, &mut rng);
        let filter = |rng: &mut Rng| Filter {
            owner: rng.below(9) as u32,
            ..Filter::new(1 << rng.below(3), rng.below(8))
        };
        let filters: Vec<_> = (0..300).map(|_| filter(&mut rng)).collect();
        let spaces: Vec<_> = (0..300).map(|_| rng.below(3) as u32).collect();
        let accept = |a: u32, b: u32| !(a + b).is_multiple_of(3);
        let columns = set.columns();
        for distance in [0.0, 0.5] {
            let all = periodic::pairs(&set.shapes(), &torus(16.0), distance, Touching::Inclusive);
            let run = |columns: Columns<'_>, meet: &dyn Fn(usize, usize) -> bool, what: &str| {
                let mut expected = all.clone();
                expected.retain(|(PeriodicPair { pair: Pair { a, b }, .. }, _)| {
                    meet(*a as usize, *b as usize)
                });
                let some = kind == 0 || expected.len() > 10;
                assert!(some && expected.len() < all.len(), "{what}");
                let touching = Touching::Inclusive;
                check(columns, &torus(16.0), distance, touching, &expected, what);
            };
            let meets = |a: usize, b: usize| {
                let (a, b) = (filters[a], filters[b]);
                let accept = a.mask & b.category != 0 && b.mask & a.category != 0;
                accept && (a.owner != b.owner || a.owner == 0)
            };
            let filtered = columns.with_filters(&filters).unwrap();
            run(filtered, &meets, "filters");
            let same = |a: usize, b: usize| spaces[a] == spaces[b];
            run(columns.with_spaces(&spaces).unwrap(), &same, "spaces");
            let accepts = |a: usize, b: usize| accept(a as u32, b as u32);
            run(columns.with_predicate(&accept), &accepts, "predicate");
            run(filtered.with_predicate(&accept), &|a, b| meets(a, b) && accepts(a, b), "both");
        }
    }
}

/// One detector for sets of all kinds and lengths, within a period and beyond, gives the results of
/// a new detector.
#[test]
fn one_detector_for_many_calls() {
    let mut detector = Detector::new();
    let mut rng = Rng::new(77);
    let mut pairs = vec![pair(1, 2, [0, 0]); 3];
    let mut lists: Lists<PeriodicNeighbor> = Lists::new();
    for round in 0..200 {
        let kind = rng.below(KINDS as u64) as usize;
        let count = [0, 1, 9, 40, 130][rng.below(5) as usize];
        let centers: Vec<_> = (0..count).map(|_| inside(&mut rng)).collect();
        let mut set = Set::new(kind, &centers, 2.0, &mut rng);
        if rng.below(4) == 0 && count > 0 {
            // Longer than the period: the half width, the right side or the radius.
            let [_, _, size, _, radius] = &mut set.columns;
            (size[count / 2], radius[count / 2]) = (25.0, 9.0);
        }
        let periodic = box_of(round);
        let order = [Order::Grid, Order::Sorted][round % 2];
        let options = Options { order, ..Options::default() };
        detector.set_options(options).unwrap();
        let mut other = Detector::with_options(options).unwrap();
        let (mut other_pairs, mut other_lists) = (Vec::new(), Lists::new());
        let columns = set.columns();
        match rng.below(3) {
            0 => {
                detector.pairs_periodic(columns, &periodic, &mut pairs).unwrap();
                other.pairs_periodic(columns, &periodic, &mut other_pairs).unwrap();
                assert_eq!(pairs, other_pairs, "round {round}");
            }
            1 => {
                let distance = [0.0, 0.5, 20.0][rng.below(3) as usize];
                let full = Adjacency::Full;
                detector
                    .neighbors_periodic(columns, distance, full, &periodic, &mut lists)
                    .unwrap();
                other
                    .neighbors_periodic(columns, distance, full, &periodic, &mut other_lists)
                    .unwrap();
                assert_eq!(lists, other_lists, "round {round}");
            }
            _ => {
                detector.k_nearest_periodic(columns, 3, 9.0, &periodic, &mut lists).unwrap();
                other.k_nearest_periodic(columns, 3, 9.0, &periodic, &mut other_lists).unwrap();
                assert_eq!(lists, other_lists, "round {round}");
            }
        }
    }
}
