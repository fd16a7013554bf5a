//! Periodic boxes: hand-made cases, and random shapes beside brute force.
#![allow(clippy::unwrap_used, reason = "a panic is a failed test, in its helpers too")]

use common::{
    POLICIES, Rng,
    crowd::{Make, Maker, Numbers},
    levels, pow2,
    twins::whole,
};
use widephase::{
    Adjacency, Columns, Detector, Error, Lists, Options, Order, Pair, Periodic, Shapes, Threads,
    Touching,
    periodic::{PeriodicNeighbor, PeriodicPair},
    reference::{periodic, whole::Whole},
    shape::{Aabb, Circle, Obb, Pose, Rotation, RoundedBox},
};

pub(crate) fn pair(a: u32, b: u32, shift: [i16; 2]) -> PeriodicPair {
    PeriodicPair { pair: Pair { a, b }, shift }
}

pub(crate) fn torus(side: f32) -> Periodic {
    Periodic::new([0.0; 2], [side; 2])
}

/// Checks pairs and lists on all levels and threads.
pub(crate) fn check(
    columns: Columns<'_>,
    periodic: &Periodic,
    distance: f32,
    touching: Touching,
    expected: &[(PeriodicPair, f32)],
    what: &str,
) {
    let mut orders: Option<(Vec<PeriodicPair>, Lists<PeriodicNeighbor>)> = None;
    for &level in levels() {
        let mut run = |detector: &mut Detector| {
            let (mut pairs, mut lists) = (Vec::new(), Lists::new());
            let full = Adjacency::Full;
            detector.neighbors_periodic(columns, distance, full, periodic, &mut lists).unwrap();
            if distance == 0.0 {
                detector.pairs_periodic(columns, periodic, &mut pairs).unwrap();
            }
            let order = orders.get_or_insert_with(|| (pairs.clone(), lists.clone()));
            assert!(order.0 == pairs && order.1 == lists, "{what}, {level}: another order");

            let grid = *detector.options();
            detector.set_options(Options { order: Order::Sorted, ..grid }).unwrap();
            if distance == 0.0 {
                detector.pairs_periodic(columns, periodic, &mut pairs).unwrap();
                let wanted: Vec<_> = expected.iter().map(|found| found.0).collect();
                assert_eq!(pairs, wanted, "{what}, {level}");
            }
            for kind in [Adjacency::Full, Adjacency::Half] {
                let mut wanted = vec![Vec::new(); columns.len()];
                for &(PeriodicPair { pair: Pair { a, b }, shift }, distance) in expected {
                    wanted[a as usize].push(PeriodicNeighbor { row: b, distance, shift });
                    if kind == Adjacency::Full {
                        let shift = shift.map(|periods| -periods);
                        wanted[b as usize].push(PeriodicNeighbor { row: a, distance, shift });
                    }
                }
                for list in &mut wanted {
                    list.sort_by_key(|item| (item.row, item.shift));
                }
                detector.neighbors_periodic(columns, distance, kind, periodic, &mut lists).unwrap();
                let found: Vec<_> = lists.iter().map(<[_]>::to_vec).collect();
                assert_eq!(found, wanted, "{what}, {kind:?}, {level}");
            }
            detector.set_options(grid).unwrap();
        };
        let simd_level = Some(level);
        let options = |threads| Options { touching, threads, simd_level, ..Options::default() };
        run(&mut Detector::with_options(options(Threads::Calling)).unwrap());
        #[cfg(feature = "parallel")]
        common::pools()[2].install(|| {
            run(&mut Detector::with_options(options(Threads::Pool)).unwrap());
        });
    }
}

/// The pairs, sorted, also beside brute force.
fn pairs(shapes: &[RoundedBox], periodic: &Periodic, touching: Touching) -> Vec<PeriodicPair> {
    let store = Shapes::from_slice(shapes).unwrap();
    let expected = periodic::pairs(shapes, periodic, 0.0, touching);
    check((&store).into(), periodic, 0.0, touching, &expected, &format!("{shapes:?}"));
    expected.into_iter().map(|found| found.0).collect()
}

pub(crate) fn circle(x: f32, y: f32, radius: f32) -> RoundedBox {
    RoundedBox { min_x: x, min_y: y, max_x: x, max_y: y, radius }
}

#[test]
fn on_the_seam() {
    // Circles that touch exactly across each seam, and across the corners.
    for touching in POLICIES {
        let touch = |ends: [[f32; 2]; 2], radius, shift| {
            let shapes = ends.map(|[x, y]| circle(x, y, radius));
            let expected: &[_] = &[pair(0, 1, shift)];
            let expected = if touching == Touching::Inclusive { expected } else { &[] };
            assert_eq!(pairs(&shapes, &torus(16.0), touching), expected, "{shapes:?}");
        };
        touch([[1.0, 5.0], [15.0, 5.0]], 1.0, [-1, 0]);
        touch([[15.0, 5.0], [1.0, 5.0]], 1.0, [1, 0]);
        touch([[5.0, 0.0], [5.0, 14.0]], 1.0, [0, -1]);
        touch([[5.0, 14.0], [5.0, 0.0]], 1.0, [0, 1]);
        touch([[0.0, 0.0], [13.0, 12.0]], 2.5, [-1, -1]);
        touch([[13.0, 0.0], [0.0, 12.0]], 2.5, [1, -1]);
        touch([[0.0, 12.0], [13.0, 0.0]], 2.5, [-1, 1]);
        touch([[13.0, 12.0], [0.0, 0.0]], 2.5, [1, 1]);
    }
}

#[test]
fn only_axes_that_wrap() {
    let corners = [circle(0.5, 0.5, 1.0), circle(7.5, 7.5, 1.0), circle(7.5, 0.5, 1.0)];
    let with = |wrap| pairs(&corners, &Periodic { wrap, ..torus(8.0) }, Touching::Inclusive);
    assert_eq!(with([false, false]), []);
    assert_eq!(with([true, false]), [pair(0, 2, [-1, 0])]);
    assert_eq!(with([false, true]), [pair(1, 2, [0, 1])]);
    let all = [pair(0, 1, [-1, -1]), pair(0, 2, [-1, 0]), pair(1, 2, [0, 1])];
    assert_eq!(with([true, true]), all);
    // An axis that does not wrap needs no box, and shapes there may be anywhere, and any size.
    let pipe = Periodic { min: [0.0, f32::NAN], max: [8.0, -1.0], wrap: [true, false] };
    let tall = Aabb::new([7.0, -pow2(60)], [8.0, pow2(60)]);
    let mut shapes = Shapes::from_slice(&[tall]).unwrap();
    shapes.push(Circle::new([0.5, pow2(50)], 0.5)).unwrap();
    let mut found = Vec::new();
    Detector::new().pairs_periodic(&shapes, &pipe, &mut found).unwrap();
    assert_eq!(found, [pair(0, 1, [1, 0])]);
}

#[test]
fn a_pair_by_several_shifts() {
    // Two boxes of half the width of the plane touch on both sides.
    let halves = [Aabb::new([0.0, 1.0], [4.0, 2.0]), Aabb::new([4.0, 1.0], [8.0, 2.0])];
    let halves = halves.map(|half| RoundedBox::new(half, 0.0));
    let both = [pair(0, 1, [-1, 0]), pair(0, 1, [0, 0])];
    assert_eq!(pairs(&halves, &torus(8.0), Touching::Inclusive), both);
    assert_eq!(pairs(&halves, &torus(8.0), Touching::Exclusive), []);
    // A box as long as the period touches itself.
    let belt = [RoundedBox::new(Aabb::new([-3.0, 1.0], [5.0, 2.0]), 0.0)];
    assert_eq!(pairs(&belt, &torus(8.0), Touching::Inclusive), [pair(0, 0, [1, 0])]);
    assert_eq!(pairs(&belt, &torus(8.0), Touching::Exclusive), []);
    // As large as the plane: all of its images.
    let all = [RoundedBox::new(Aabb::new([0.0; 2], [8.0; 2]), 0.0)];
    let images = [[0, 1], [1, -1], [1, 0], [1, 1]].map(|shift| pair(0, 0, shift));
    assert_eq!(pairs(&all, &torus(8.0), Touching::Inclusive), images);
}

#[test]
fn invalid_boxes_and_distances() {
    let points = Columns::points(&[1.0, 2.0], &[1.0, 2.0]).unwrap();
    let mut detector = Detector::new();
    let (mut found, mut lists) = (Vec::new(), Lists::new());
    let far = pow2(57);
    for (min, max) in [
        (0.0, 0.0),
        (1.0, 0.0),
        (f32::NAN, 1.0),
        (0.0, f32::NAN),
        (0.0, f32::INFINITY),
        (f32::NEG_INFINITY, 0.0),
        (0.0, far.next_up()),
        (-far.next_up(), 0.0),
    ] {
        for axis in 0..2 {
            let mut periodic = torus(1.0);
            (periodic.min[axis], periodic.max[axis]) = (min, max);
            let bad = |result| matches!(result, Err(Error::InvalidPeriod { .. }));
            assert!(bad(periodic.check()), "{min}, {max}");
            assert!(bad(detector.pairs_periodic(points, &periodic, &mut found)));
            let full = Adjacency::Full;
            assert!(bad(detector.neighbors_periodic(points, 1.0, full, &periodic, &mut lists)));
            periodic.wrap[axis] = false;
            assert_eq!(periodic.check(), Ok(()));
        }
    }
    for distance in [-1.0, f32::NAN, f32::INFINITY] {
        let full = Adjacency::Full;
        let result = detector.neighbors_periodic(points, distance, full, &torus(9.0), &mut lists);
        assert!(matches!(result, Err(Error::InvalidMargin { .. })));
    }
    let nan = Columns::points(&[1.0, f32::NAN], &[1.0; 2]).unwrap();
    let result = detector.pairs_periodic(nan, &torus(9.0), &mut found);
    assert!(matches!(result, Err(Error::InvalidShape { index: 1, .. })));
    // The largest box.
    let largest = Periodic::new([-far; 2], [far; 2]);
    detector.pairs_periodic(points, &largest, &mut found).unwrap();
    assert_eq!(found, []);
}

#[test]
fn positions_stay_in_the_box() {
    let mut rng = Rng::new(5);
    for round in 0..20_000 {
        let unit = pow2(rng.int(-30, 30) as i32);
        let min = rng.range(-1.0, 1.0) * unit;
        let max = min + rng.range(0.001, 2.0) * unit;
        let periodic = Periodic::new([min; 2], [max; 2]);
        if periodic.check().is_err() {
            continue;
        }
        let far = pow2(rng.int(-40, 40) as i32);
        let at = match round % 4 {
            0 => [rng.range(-far, far), rng.range(-far, far)],
            1 => [min.next_down(), max.next_down()],
            2 => [min, max],
            _ => [-f32::MIN_POSITIVE, rng.range(min, max)],
        };
        let wrapped = periodic.wrap(at);
        for axis in 0..2 {
            let inside = |value: f32| min <= value && value < max;
            assert!(inside(wrapped[axis]), "{periodic:?}, {at:?}: {wrapped:?}");
            assert!(!inside(at[axis]) || wrapped[axis] == at[axis]);
        }
        assert_eq!(periodic.wrap(wrapped), wrapped);
    }
    assert_eq!(torus(1.0).wrap([-1e-9, 2.75]), [0.0, 0.75]);
}

#[test]
fn nothing_and_vacant_rows() {
    let (mut found, mut lists) = (vec![pair(0, 1, [0, 0])], Lists::new());
    let mut detector = Detector::new();
    detector.pairs_periodic(&Shapes::new(), &torus(1.0), &mut found).unwrap();
    assert!(found.is_empty());
    let circles = [1.0, 5.0, 9.0].map(|x| Circle::new([x, 1.0], 1.0));
    let mut shapes = Shapes::from_slice(&circles).unwrap();
    for rotated in [false, true] {
        if rotated {
            shapes.push(Obb::new([5.0, 5.0], [1.0, 0.5], Rotation { cos: 0.6, sin: 0.8 })).unwrap();
        } else {
            shapes.remove(1).unwrap();
        }
        detector.pairs_periodic(&shapes, &torus(10.0), &mut found).unwrap();
        assert_eq!(found, [pair(0, 2, [-1, 0])]);
        let full = Adjacency::Full;
        detector.neighbors_periodic(&shapes, 0.5, full, &torus(10.0), &mut lists).unwrap();
        let lengths: Vec<_> = lists.iter().map(<[_]>::len).collect();
        assert_eq!(lengths[..3], [1, 0, 1]);
    }
    for row in [0, 2, 1] {
        let _ = shapes.remove(row);
    }
    detector.pairs_periodic(&shapes, &torus(10.0), &mut found).unwrap();
    assert!(found.is_empty());
}

#[test]
fn more_than_the_limit_is_an_error_and_no_list() {
    let points = Columns::points(&[1.0, 9.0, 5.0], &[1.0; 3]).unwrap();
    let mut lists = Lists::new();
    let mut detector = Detector::new();
    detector.set_options(Options { max_pairs: 1, ..*detector.options() }).unwrap();
    let full = Adjacency::Full;
    let result = detector.neighbors_periodic(points, 4.0, full, &torus(10.0), &mut lists);
    assert!(matches!(result, Err(Error::TooManyPairs { limit: 1, .. })));
    assert!(lists.is_empty());
}

/// The limit of pairs, with shapes in the box and beside it.
#[test]
fn pairs_up_to_the_limit() {
    let x: Vec<f32> = (0..200).map(|row| (row % 100) as f32 * 2.0).collect();
    let y: Vec<f32> = (0..200).map(|row| (row / 100) as f32).collect();
    let radius = vec![0.5; x.len()];
    let circles = Columns::circles(&x, &y, &radius).unwrap();
    // Each touches the one below or above it.
    let torus = torus(200.0);
    let mut pairs = vec![pair(7, 8, [1, 1]); 500];
    let mut detector = Detector::new();
    for (limit, most) in [(99, false), (100, true), (1 << 20, true), (0, false)] {
        detector.set_options(Options { max_pairs: limit, ..*detector.options() }).unwrap();
        let result = detector.pairs_periodic(circles, &torus, &mut pairs);
        if most {
            result.unwrap();
            assert_eq!(pairs.len(), 100);
            assert!(
                pairs.iter().all(|found| *found == pair(found.pair.a, found.pair.a + 100, [0, 0]))
            );
        } else {
            assert_eq!(result, Err(Error::TooManyPairs { limit, found: 100 }));
            assert!(pairs.is_empty());
        }
    }
}

/// Several blocks of rows: all in the box; some outside of it, in the last block only; vacant rows.
#[test]
fn many_rows_beside_brute_force() {
    for (n, outside, vacant) in
        [(64, 0, 0), (65, 1, 0), (200, 0, 0), (200, 5, 0), (200, 0, 3), (191, 2, 64), (0, 0, 0)]
    {
        let mut rng = Rng::new(n);
        let mut shapes = Vec::new();
        for row in 0..n {
            let far = if row + outside >= n { 30.0 } else { 0.0 };
            let [x, y] = [0, 1].map(|_| rng.range(0.0, 20.0) + far);
            let [w, h, r] = [0, 1, 2].map(|_| rng.range(0.0, 0.7));
            shapes.push(RoundedBox { min_x: x, min_y: y, max_x: x + w, max_y: y + h, radius: r });
        }
        for touching in POLICIES {
            let mut store = Shapes::from_slice(&shapes).unwrap();
            let mut kept = shapes.clone();
            let mut rows: Vec<u32> = (0..n as u32).collect();
            for _ in 0..vacant {
                let at = rng.below(rows.len() as u64) as usize;
                kept.remove(at);
                store.remove(rows.remove(at)).unwrap();
            }
            let mut expected = periodic::pairs(&kept, &torus(20.0), 0.0, touching);
            for (found, _) in &mut expected {
                found.pair =
                    Pair { a: rows[found.pair.a as usize], b: rows[found.pair.b as usize] };
            }
            let what = format!("{n}, {outside}, {vacant}");
            check((&store).into(), &torus(20.0), 0.0, touching, &expected, &what);
        }
    }
}

/// A length of the numbers of a round: any, or a multiple of a quarter, so that many shapes touch
/// exactly.
pub(crate) fn length(rng: &mut Rng, exact: bool, low: f32, high: f32) -> f32 {
    let value = rng.range(low, high);
    if exact { (value * 4.0).round() / 4.0 } else { value }
}

#[test]
fn axis_aligned_shapes_beside_brute_force() {
    for round in 0..150_u32 {
        let mut rng = Rng::new(u64::from(round));
        let exact = round % 2 == 0;
        let n = 1 + rng.below(50) as usize;
        let min = [0, 1].map(|_| length(&mut rng, exact, -9.0, 9.0));
        let max = [0, 1].map(|axis| min[axis] + length(&mut rng, exact, 6.0, 14.0));
        let wrap = [[true, true], [true, false], [false, true]][rng.below(3) as usize];
        let periodic = Periodic { min, max, wrap };
        let distance = [0.0, length(&mut rng, exact, 0.0, 2.0)][(round / 2 % 2) as usize];
        // Some outside of the box.
        let far = if rng.below(3) == 0 { 100.0 } else { 12.0 };
        let mut columns = [const { Vec::new() }; 5];
        for _ in 0..n {
            let [x, y] = [0, 1].map(|_| length(&mut rng, exact, -far, far));
            let [w, h] = [0, 1].map(|_| length(&mut rng, exact, 0.0, 2.0));
            let radius = length(&mut rng, exact, 0.0, 0.75);
            for (column, value) in columns.iter_mut().zip([x, y, x + w, y + h, radius]) {
                column.push(value);
            }
        }
        let [x, y, right, top, radius] = &columns;
        let touching = POLICIES[(round / 4 % 2) as usize];
        let run = |columns: Columns<'_>, shape: &dyn Fn(usize) -> RoundedBox| {
            let shapes: Vec<_> = (0..n).map(shape).collect();
            let expected = periodic::pairs(&shapes, &periodic, distance, touching);
            let what = format!("round {round}: {periodic:?}, {distance}, {touching:?}");
            check(columns, &periodic, distance, touching, &expected, &what);
        };
        match round % 5 {
            0 => run(Columns::points(x, y).unwrap(), &|row| circle(x[row], y[row], 0.0)),
            1 => run(Columns::circles(x, y, radius).unwrap(), &|row| {
                circle(x[row], y[row], radius[row])
            }),
            2 => run(Columns::aabbs(x, y, right, top).unwrap(), &|row| {
                RoundedBox::new(Aabb::new([x[row], y[row]], [right[row], top[row]]), 0.0)
            }),
            3 => run(Columns::centered(x, y, radius, radius).unwrap(), &|row| {
                let aabb = Aabb::centered([x[row], y[row]], [radius[row]; 2]);
                RoundedBox::new(aabb, 0.0)
            }),
            _ => run(Columns::rounded_boxes(x, y, right, top, radius).unwrap(), &|row| {
                RoundedBox::new(Aabb::new([x[row], y[row]], [right[row], top[row]]), radius[row])
            }),
        }
    }
}

/// Rotated shapes and compounds in the box.
#[test]
fn shapes_of_any_kind_beside_brute_force() {
    for round in 0..60_u32 {
        let distance = [0.0, 0.5][(round % 2) as usize];
        let touching = POLICIES[(round / 2 % 2) as usize];
        check_any_kind(round, (16.0, 30), (distance, touching), 16.0 - distance, [1, 1]);
    }
}

/// Checks shapes of any kind in a square box of a side: at most `most` shapes of at most this
/// length. The reference places each image, and tries shifts up to `most`.
pub(crate) fn check_any_kind(
    round: u32,
    (side, count): (f32, usize),
    (distance, touching): (f32, Touching),
    length: f32,
    most: [i16; 2],
) {
    let mut maker = Maker::new(u64::from(round), Numbers::Quarters, 1.0);
    let wrap = [[true, true], [true, false], [false, true]][maker.rng.below(3) as usize];
    let periodic = Periodic { wrap, ..torus(side) };
    let mut shapes = Shapes::new();
    let mut kept = Vec::new();
    for _ in 0..count {
        let make = Make::ALL[maker.rng.below(Make::ALL.len() as u64) as usize];
        let place = [0, 1].map(|_| maker.rng.int(0, 4 * side as i64 - 1) as f32 * 0.25);
        let solid = maker.solid(make, place);
        let row = solid.push(&mut shapes);
        let RoundedBox { min_x, min_y, max_x, max_y, radius } = shapes.bounds(row).unwrap();
        let inside = |low: f32, high: f32| (0.0..side).contains(&((low + high) * 0.5));
        // A half-plane has no end.
        let longest = (max_x - min_x).max(max_y - min_y) + 2.0 * radius;
        if longest > length || !inside(min_x, max_x) || !inside(min_y, max_y) {
            shapes.remove(row).unwrap();
        } else {
            kept.push((row, solid));
        }
    }
    if !kept.iter().any(|(row, _)| !shapes.kind(*row).unwrap().is_axis_aligned()) {
        return;
    }
    // The images, placed by the store.
    let image = |at: u32, shift: [i16; 2]| {
        let (row, solid) = &kept[at as usize];
        let [x, y] = periodic.offset(shift);
        let pose = shapes.pose(*row).unwrap();
        let moved = Pose { x: pose.x + x, y: pose.y + y, ..pose };
        Whole::new(&solid.shape, if shift == [0, 0] { solid.pose } else { Some(moved) })
    };
    let near = |fixed: u32, moved: u32, shift: [i16; 2]| {
        let (a, b) = (image(fixed, [0, 0]), image(moved, shift));
        let found = whole::between(&a, &b, distance, touching);
        found.iter().map(|contact| (0.0 - contact.depth).max(0.0)).reduce(f32::min)
    };
    let mut expected = periodic::images(kept.len() as u32, &periodic, most, near);
    for (found, _) in &mut expected {
        let row = |at: u32| kept[at as usize].0;
        found.pair = Pair { a: row(found.pair.a), b: row(found.pair.b) };
    }
    let what = format!("round {round}: {periodic:?}, {distance}, {touching:?}");
    check((&shapes).into(), &periodic, distance, touching, &expected, &what);
}

#[test]
fn shifts_are_between_the_shapes_as_they_were_given() {
    let torus = torus(10.0);
    // -0.5 is 9.5 in the box, and 10 is 0.
    let (x, y) = ([-0.5, 10.25, 10.0, 73.75], [5.0, 25.0, 5.0, -15.0]);
    let points = Columns::points(&x, &y).unwrap();
    let (mut detector, mut lists, mut pairs) = (Detector::new(), Lists::new(), Vec::new());
    let sorted = Options { order: Order::Sorted, ..Options::default() };
    detector.set_options(sorted).unwrap();
    for adjacency in [Adjacency::Full, Adjacency::Half] {
        detector.neighbors_periodic(points, 1.0, adjacency, &torus, &mut lists).unwrap();
        let found: Vec<_> = lists.get(0).iter().map(|near| (near.row, near.shift)).collect();
        assert_eq!(found, [(1, [-1, -2]), (2, [-1, 0])]);
    }
    detector.k_nearest_periodic(points, 2, f32::INFINITY, &torus, &mut lists).unwrap();
    let found: Vec<_> = lists.get(2).iter().map(|near| (near.row, near.shift)).collect();
    assert_eq!(found, [(1, [0, -2]), (0, [1, 0])]);
    for (row, list) in lists.iter().enumerate() {
        for near in list {
            let ([to_x, to_y], other) = (torus.offset(near.shift), near.row as usize);
            let way = [x[other] + to_x - x[row], y[other] + to_y - y[row]];
            assert_eq!(way[0].hypot(way[1]), near.distance, "{row}, {near:?}");
        }
    }
    let circles = Columns::circles(&x, &y, &[0.5; 4]).unwrap();
    detector.pairs_periodic(circles, &torus, &mut pairs).unwrap();
    let expected = [pair(0, 1, [-1, -2]), pair(0, 2, [-1, 0]), pair(1, 2, [0, 2])];
    assert_eq!(pairs, expected);
    // The same for rotated shapes, which are wrapped by a store.
    let turned = |at: usize| Obb::new([x[at], y[at]], [0.5; 2], Rotation::from_angle(0.1));
    let turned = Shapes::from_slice(&[0, 1, 2].map(turned)).unwrap();
    detector.pairs_periodic(&turned, &torus, &mut pairs).unwrap();
    assert_eq!(pairs, expected);
}

#[test]
fn shifts_beyond_their_type_are_errors() {
    let (torus, mut detector) = (torus(1.0), Detector::new());
    let (mut lists, mut pairs) = (Lists::new(), Vec::new());
    for (far, fits) in [(32_767.0, true), (32_768.0, false), (-32_768.0, false), (1e6, false)] {
        let x = [0.5, far + 0.5];
        let points = Columns::points(&x, &[0.5; 2]).unwrap();
        let error = Err(Error::TooManyPeriods { a: 0, b: 1, periods: -f64::from(far) });
        let expected = if fits { Ok(()) } else { error };
        assert_eq!(detector.pairs_periodic(points, &torus, &mut pairs), expected);
        assert_eq!(pairs.len(), usize::from(fits));
        let half = Adjacency::Half;
        let found = detector.neighbors_periodic(points, 0.25, half, &torus, &mut lists);
        assert_eq!((found, lists.len()), (expected.clone(), 2 * usize::from(fits)));
        let found = detector.k_nearest_periodic(points, 1, 9.0, &torus, &mut lists);
        assert_eq!((found, lists.len()), (expected, 2 * usize::from(fits)));
    }
    // Apart from each other, they have no shift.
    let points = Columns::points(&[0.5, 3e9], &[0.25, 0.75]).unwrap();
    detector.pairs_periodic(points, &torus, &mut pairs).unwrap();
}
