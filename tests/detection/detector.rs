//! The detector against all pairs: the same pairs from any form of columns, cell size, level and
//! number of threads, and for one form and cell size in the same order.
#![allow(clippy::unwrap_used, reason = "a panic is a failed test, in its helpers too")]

use common::{
    POLICIES, Rng, SCENES, Soa, assert_same, circle, coincident, levels,
    matrix::{matrix, matrix_of},
    point, pow2, product, rect, rounded, shapes_of, side, sweep_and_prune, well_formed,
};
use proptest::prelude::*;
use widephase::{
    Columns, Detector, Options, Order, Pair, Shapes, Threads, Touching,
    options::CellSize,
    reference::brute_force,
    shape::{Aabb, AxisAligned, Circle, Point, RoundedBox},
};

fn detector(touching: Touching, threads: Threads) -> Detector {
    Detector::with_options(Options { touching, threads, ..Options::default() }).unwrap()
}

/// One scene through everything that must not change its pairs.
fn check(name: &str, shapes: &[RoundedBox]) {
    let soa = Soa::new(shapes);
    let n = shapes.len();
    let store = Shapes::from_slice(shapes).unwrap();
    for touching in POLICIES {
        let expected = if n <= 1000 {
            brute_force::pairs(shapes, touching)
        } else {
            sweep_and_prune(shapes, touching)
        };
        let mut forms = soa.forms();
        forms.push(("store", (&store).into()));
        let mut pairs = vec![Pair { a: 9, b: 9 }; 3];
        for &(form, columns) in &forms {
            // One order for all SIMD levels and threads, and from every method.
            let mut order: Option<Vec<Pair>> = None;
            for run in matrix_of(touching) {
                let what = format!("{name}, n {n}, {form}, {run}");
                let mut detector = Detector::with_options(run.options()).unwrap();
                run.within(|| detector.pairs(columns, &mut pairs)).unwrap();
                let order = order.get_or_insert_with(|| {
                    assert_same(&well_formed(&pairs, n, &what), &expected, &what);
                    pairs.clone()
                });
                assert!(pairs == *order, "{what}: another order");
                let count = run.within(|| detector.count(columns));
                assert_eq!(count, Ok(expected.len() as u64), "{what}: count");
                if run.is_on_one_thread() {
                    pairs.clear();
                    let total = detector.for_each_pair(columns, |pair| pairs.push(pair));
                    assert_eq!(total, Ok(expected.len() as u64), "{what}: for_each");
                    assert!(pairs == *order, "{what}: for_each in another order");
                }
            }
        }

        let columns = forms[0].1;
        for size in [1e-30, 0.0625, 0.5, 1.0, 3.7, 1e9, pow2(60)] {
            let what = format!("{name}, n {n}, {touching:?}, cells of {size}");
            let mut fixed = detector(touching, Threads::Calling);
            fixed
                .set_options(Options { cell_size: CellSize::Fixed(size), ..*fixed.options() })
                .unwrap();
            fixed.pairs(columns, &mut pairs).unwrap();
            assert_same(&well_formed(&pairs, n, &what), &expected, &what);
        }
        for threads in [Threads::Calling, Threads::Pool] {
            let mut sorted = detector(touching, threads);
            sorted.set_options(Options { order: Order::Sorted, ..*sorted.options() }).unwrap();
            sorted.pairs(columns, &mut pairs).unwrap();
            assert!(pairs == expected, "{name}, n {n}, {touching:?}, {threads:?}: not sorted");
        }
    }
}

#[test]
fn every_scene_of_a_few_bodies() {
    for scene in SCENES {
        for n in [0, 1, 2, 3, 17, 64] {
            check(scene.0, &shapes_of(scene, n));
        }
    }
}

#[test]
fn every_scene_of_some_hundred_bodies() {
    for scene in SCENES {
        check(scene.0, &shapes_of(scene, 400));
    }
}

/// The sweep works in blocks of 64 bodies.
#[test]
fn lengths_around_the_blocks() {
    for n in [63, 65, 127, 128, 129, 191, 192, 193, 255, 256, 257] {
        check("mix", &shapes_of(&SCENES[3], n));
    }
}

/// Crowds of 1 to 40 circles, each beside and below other crowds and among lonely circles: as many
/// neighbours as vectors have lanes, twice as many, and one more; where the sweep has met long
/// ranges shortly before, and where not.
#[test]
fn crowds_of_every_size() {
    let mut rng = Rng::new(40);
    let mut shapes = Vec::new();
    for size in 1..=40 {
        let (column, row) = ((size - 1) % 8, (size - 1) / 8);
        // Crowds of a row touch the next crowd, and every other row the row below.
        let middle = [column as f32 * 1.5, row as f32 * if row % 2 == 0 { 1.5 } else { 1.25 }];
        for _ in 0..size {
            let [x, y] = middle.map(|at| at + rng.range(-0.5, 0.5));
            shapes.push(circle(x, y, 0.5));
        }
        shapes.push(circle(-40.0 + size as f32 * 2.0, -10.0, 0.5));
        shapes.push(circle(-40.0 + size as f32 * 2.0, 20.0, 0.5));
    }
    check("crowds", &shapes);
    shapes.reverse();
    check("crowds, reversed", &shapes);

    // A tower: behind the bodies of a row come the bodies of the next row, which touch them, too.
    let mut tower = Vec::new();
    for row in 0..40 {
        for _ in 0..1 + row * 7 % 20 {
            let (x, y) = (rng.range(-0.2, 0.2), rng.range(-0.5, 0.5));
            tower.push(circle(x, row as f32 + y, 0.5));
        }
    }
    check("tower", &tower);
}

/// Tasks are 4096 bodies, and 32,768 are the longest chunk, and the most circles whose rows and
/// cells fit into a word. From 262,144 bodies on there are no more bands.
#[test]
fn lengths_around_the_tasks_chunks_and_bands() {
    for n in [
        4095, 4096, 4097, 8191, 8192, 8193, 12289, 16383, 16384, 16385, 32767, 32768, 32769,
        65_536, 65_537, 262_143, 262_144,
    ] {
        large("uniform circles", &shapes_of(&SCENES[0], n));
    }
}

/// The sort takes two steps on several threads, for any number of bodies. On one thread, it does
/// from 196,608 bodies on, or from 32,768 on SIMD levels without prefetch. Circles and boxes have
/// different records in either case.
#[test]
fn lengths_around_the_steps_of_a_sort() {
    for n in [32_767, 32_768, 196_607, 196_608] {
        large("uniform circles", &shapes_of(&SCENES[0], n));
        large("uniform boxes", &shapes_of(&SCENES[1], n));
    }
}

/// Just enough bodies for three tasks, on several threads by `Threads::Pool`. Scenes that no grid
/// of one cell size separates cost a test of all pairs here.
#[test]
fn every_scene_on_several_threads() {
    for scene in SCENES {
        // In these scenes, this many bodies overlap many other bodies.
        if matches!(scene.0, "subnormal" | "around 2^-63 and 2^-75" | "2^60 apart" | "offset 2^60")
        {
            continue;
        }
        large(scene.0, &shapes_of(scene, 8_300));
    }
}

/// A large scene: the pairs of the first level, and the same order from all other levels.
fn large(name: &str, shapes: &[RoundedBox]) {
    let soa = Soa::new(shapes);
    let (_, columns) = *soa.forms().last().unwrap();
    let expected = sweep_and_prune(shapes, Touching::Inclusive);
    let mut order: Option<Vec<Pair>> = None;
    for &level in levels() {
        let what = format!("{name}, n {}, {level}", shapes.len());
        let mut pairs = Vec::new();
        let mut calling = detector(Touching::Inclusive, Threads::Calling);
        calling.set_options(Options { simd_level: Some(level), ..*calling.options() }).unwrap();
        calling.pairs(columns, &mut pairs).unwrap();
        let order = order.get_or_insert_with(|| {
            assert_same(&well_formed(&pairs, shapes.len(), &what), &expected, &what);
            pairs.clone()
        });
        assert!(pairs == *order, "{what}: another order");
        #[cfg(feature = "parallel")]
        for pool in common::pools() {
            let threads = pool.current_num_threads();
            let mut shared = detector(Touching::Inclusive, Threads::Pool);
            shared.set_options(Options { simd_level: Some(level), ..*shared.options() }).unwrap();
            pool.install(|| {
                shared.pairs(columns, &mut pairs).unwrap();
                assert!(pairs == *order, "{what}: another order on {threads} threads");
                if threads != 3 {
                    return;
                }
                assert_eq!(shared.count(columns), Ok(order.len() as u64), "{what}");
                pairs.clear();
                let total = shared.for_each_pair(columns, |pair| pairs.push(pair));
                assert_eq!(total, Ok(order.len() as u64), "{what}");
                assert!(pairs == *order, "{what}: for_each, {threads} threads: another order");
                let mut sorted = Detector::with_options(Options {
                    simd_level: Some(level),
                    order: Order::Sorted,
                    ..Options::default()
                })
                .unwrap();
                sorted.pairs(columns, &mut pairs).unwrap();
                assert!(pairs == expected, "{what}: not sorted");
            });
        }
    }
}

#[test]
fn coincident_bodies_are_all_pairs() {
    let kinds = [
        (circle(1.5, -2.0, 0.5), [true, true]),
        (circle(pow2(60), pow2(60), 0.5), [true, true]),
        (rect(0.0, 0.0, 1.0, 2.0), [true, true]),
        (rounded(3.0, 1e7, [1.0, 1.0], 2.0), [true, true]),
        (point(5.0, 5.0), [true, false]),
        (rect(0.0, 0.0, 1.0, 0.0), [true, false]),
        (circle(0.0, 0.0, pow2(-149)), [true, false]),
    ];
    for n in [2, 3, 64, 129, 300] {
        for (shape, pairs) in kinds {
            let shapes = coincident(n, shape);
            for (touching, all) in POLICIES.into_iter().zip(pairs) {
                let found = detector(touching, Threads::Calling)
                    .count(Soa::new(&shapes).rounded().unwrap());
                let expected = if all { n * (n - 1) / 2 } else { 0 };
                assert_eq!(found, Ok(expected as u64), "{n} times {shape:?}, {touching:?}");
            }
            check("coincident", &shapes);
        }
    }
}

/// Squares side by side: how many touch can be counted by hand.
#[test]
fn a_chessboard_touches_along_sides_and_corners() {
    for (columns, rows) in [(7_usize, 5_usize), (64, 64), (1, 300)] {
        let mut shapes = Vec::new();
        for row in 0..rows {
            for column in 0..columns {
                shapes.push(rect(column as f32, row as f32, 0.5, 0.5));
            }
        }
        Rng::new(7).shuffle(&mut shapes);
        let soa = Soa::new(&shapes);
        let sides = columns * (rows - 1) + rows * (columns - 1);
        let corners = 2 * (columns - 1) * (rows - 1);
        let count = |touching, size| {
            let mut detector = detector(touching, Threads::Calling);
            detector.set_options(Options { cell_size: size, ..*detector.options() }).unwrap();
            detector.count(soa.aabbs().unwrap()).unwrap()
        };
        // Cell borders on the centres, on the sides, and anywhere.
        for size in
            [CellSize::Auto, CellSize::Fixed(1.0), CellSize::Fixed(0.5), CellSize::Fixed(1.3)]
        {
            assert_eq!(count(Touching::Inclusive, size), (sides + corners) as u64, "{size:?}");
            assert_eq!(count(Touching::Exclusive, size), 0, "{size:?}");
        }
        // With round corners of half the width, the corners no longer meet.
        for shape in &mut shapes {
            let (x, y) = (shape.min_x + 0.5, shape.min_y + 0.5);
            *shape = rounded(x, y, [0.25, 0.25], 0.25);
        }
        let round = Soa::new(&shapes);
        let found = Detector::new().count(round.rounded().unwrap());
        assert_eq!(found, Ok(sides as u64));
        check("chessboard", &shapes);
    }
}

/// Pairs that touch in exactly one point, all over the range of coordinates: the largest that fit
/// are the pairs whose distance is the cell itself.
#[test]
fn pairs_at_exactly_one_cell_apart() {
    for exponent in [-140, -100, -60, -20, 0, 3, 20, 40, 48] {
        let unit = pow2(exponent);
        for (dx, dy, r) in
            [(3, 4, 5), (5, 12, 13), (8, 15, 17), (1, 0, 1), (0, 1, 1), (-20, 21, 29)]
        {
            let mut shapes = Vec::new();
            for i in 0..70 {
                let (x, y) = ((i % 9 * 200) as f32 * unit, (i / 9 * 200) as f32 * unit);
                let radius = r as f32 * unit;
                shapes.push(circle(x, y, radius * 0.5));
                shapes.push(circle(x + dx as f32 * unit, y + dy as f32 * unit, radius * 0.5));
            }
            let soa = Soa::new(&shapes);
            let expected = POLICIES.map(|touching| brute_force::count(&shapes, touching));
            // Below 2^-63 round corners are coarse.
            if exponent >= -60 {
                assert_eq!(expected, [70, 0], "2^{exponent} ({dx}, {dy})");
            }
            let sizes = [CellSize::Auto, CellSize::Fixed(unit)];
            for ((_, columns), size) in product((soa.forms(), sizes)) {
                let counts = POLICIES.map(|touching| {
                    let mut detector = detector(touching, Threads::Calling);
                    let options = Options { cell_size: size, ..*detector.options() };
                    detector.set_options(options).unwrap();
                    detector.count(columns).unwrap()
                });
                assert_eq!(counts, expected, "2^{exponent} ({dx}, {dy})");
            }
        }
    }
}

/// Pairs one diameter apart that begin a few roundings before the border of a cell: in cells that
/// are smaller than a diameter by as much, they lie two cells apart and are missed.
#[test]
fn pairs_across_the_borders_of_cells() {
    for diameter in [1.0_f32, 0.7, 1.0 / 3.0, 3.3, pow2(-40), 1.7e9] {
        let mut shapes = vec![circle(0.0, 0.0, diameter * 0.5)];
        for k in 1..=12 {
            for before in 0..240 {
                // Each pair in a row of its own, but for its own kind at the other borders.
                let y = before as f32 * 2.0 * diameter;
                let border = k as f32 * 3.0 * diameter;
                let steps = if k % 2 == 0 { before } else { before * before / 40 };
                let x = f32::from_bits(border.to_bits() - steps);
                let other = x + diameter;
                let beyond = f32::from_bits(other.to_bits() + before % 3);
                shapes.push(circle(x, y, diameter * 0.5));
                shapes.push(circle(beyond, y, diameter * 0.5));
            }
        }
        let soa = Soa::new(&shapes);
        for touching in POLICIES {
            let expected = brute_force::pairs(&shapes, touching);
            // A third of the pairs is exactly one diameter apart; where a diameter has many bits,
            // rounding takes some of them apart.
            let exact = diameter.to_bits().trailing_zeros() >= 23;
            match (exact, touching) {
                (true, Touching::Inclusive) => assert_eq!(expected.len(), 960),
                (true, Touching::Exclusive) => assert_eq!(expected.len(), 0),
                (false, _) => assert!(expected.len() > 300),
            }
            for transposed in [false, true] {
                let columns = if transposed {
                    Columns::circles(&soa.min_y, &soa.min_x, &soa.radius).unwrap()
                } else {
                    soa.circles().unwrap()
                };
                let mut detector = detector(touching, Threads::Calling);
                detector
                    .set_options(Options { order: Order::Sorted, ..*detector.options() })
                    .unwrap();
                detector
                    .set_options(Options {
                        cell_size: CellSize::Fixed(1e-30),
                        ..*detector.options()
                    })
                    .unwrap();
                let mut pairs = Vec::new();
                detector.pairs(columns, &mut pairs).unwrap();
                let what = format!("{touching:?}, diameter {diameter}, transposed {transposed}");
                assert_same(&pairs, &expected, &what);
            }
        }
    }
}

/// Circles that touch their neighbour to the right or above in one point, in a row of their own
/// each and at every phase of the cells: of cells too small by one part in a thousand, one pair in
/// a thousand would be missed.
#[test]
fn touching_neighbours_at_any_phase_of_the_cells() {
    let mut rng = Rng::new(99);
    let pairs = 30_000;
    let (mut along, mut across) = (Vec::new(), Vec::new());
    for row in 0..pairs {
        // Below 16, in steps of 2^-19: one diameter more is exact.
        let at = rng.int(0, 14 << 19) as f32 * pow2(-19);
        along.extend([at, at + 1.0]);
        across.extend([row as f32 * 2.0; 2]);
    }
    let radius = vec![0.5; 2 * pairs];
    let sizes = [CellSize::Auto, CellSize::Fixed(1e-30)];
    for size in sizes {
        for [x, y] in [[&along, &across], [&across, &along]] {
            for (touching, expected) in POLICIES.into_iter().zip([pairs as u64, 0]) {
                let mut detector = detector(touching, Threads::Calling);
                detector.set_options(Options { cell_size: size, ..*detector.options() }).unwrap();
                let columns = Columns::circles(x, y, &radius).unwrap();
                assert_eq!(detector.count(columns), Ok(expected), "{size:?}, {touching:?}");
            }
        }
    }
}

/// Boxes one or a few roundings wide, side by side, so far from the origin that the sum of two
/// sides is rounded: centres that are one width apart come out as two. The use of the margin of the
/// cells: without its part for rounded sums, pairs are missed here.
#[test]
fn boxes_as_wide_as_a_rounding() {
    for (scale, sign, width) in product(([-60, 0, 30], [1.0, -1.0], 1..=4)) {
        let at = |i: i32| sign * ((1 << 23) + i) as f32 * pow2(scale);
        let (low, high): (Vec<f32>, Vec<f32>) = (0..500)
            .map(|i| (at(i * width), at(i * width + width)))
            .map(|(a, b)| (a.min(b), a.max(b)))
            .unzip();
        let zero = vec![0.0; 500];
        let columns = [
            Columns::aabbs(&low, &zero, &high, &zero).unwrap(),
            Columns::aabbs(&zero, &low, &zero, &high).unwrap(),
            Columns::aabbs(&low, &low, &high, &high).unwrap(),
        ];
        for (size, columns) in product(([CellSize::Auto, CellSize::Fixed(1e-30)], columns)) {
            let mut detector = detector(Touching::Inclusive, Threads::Calling);
            detector.set_options(Options { cell_size: size, ..*detector.options() }).unwrap();
            let found = detector.count(columns);
            assert_eq!(found, Ok(499), "width {width}, 2^{scale}, {sign}, {size:?}");
        }
    }
}

/// Centered columns mean `centre ± half`, each one rounded sum.
#[test]
fn centered_columns_are_the_boxes_they_describe() {
    for offset in [0.0, 1e7, -pow2(40)] {
        for n in [0, 1, 7, 15, 33, 500] {
            let mut rng = Rng::new(n as u64);
            let mut values = |low, high| (0..n).map(|_| rng.range(low, high)).collect::<Vec<f32>>();
            let spread = side(n);
            let (mut x, mut y) = (values(-spread, spread), values(-spread, spread));
            for value in x.iter_mut().chain(&mut y) {
                *value += offset;
            }
            let (half_width, half_height) = (values(0.0, 1.0), values(0.0, 2.0));
            let boxes: Vec<Aabb> = (0..n)
                .map(|i| Aabb::centered([x[i], y[i]], [half_width[i], half_height[i]]))
                .collect();
            let columns = Columns::centered(&x, &y, &half_width, &half_height).unwrap();
            let by_policy = POLICIES.map(|touching| brute_force::pairs(&boxes, touching));
            for run in matrix() {
                let mut pairs = Vec::new();
                let mut detector = Detector::with_options(run.options()).unwrap();
                run.within(|| detector.pairs(columns, &mut pairs).unwrap());
                let what = format!("{n} boxes at {offset}, {run}");
                let expected: &Vec<Pair> = run.of(&by_policy);
                assert_same(&well_formed(&pairs, n, &what), expected, &what);
            }
        }
    }
}

/// A store that mixes kinds pushed one by one, and columns of the same content.
#[test]
fn a_store_of_records_is_its_columns() {
    let mut rng = Rng::new(11);
    let mut store = Shapes::new();
    let mut shapes = Vec::new();
    for i in 0..700 {
        let (x, y) = (rng.range(-9.0, 9.0), rng.range(-9.0, 9.0));
        match i % 4 {
            0 => {
                store.push(Point { x, y }).unwrap();
                shapes.push(point(x, y));
            }
            1 => {
                store.push(Circle { x, y, radius: 0.5 }).unwrap();
                shapes.push(circle(x, y, 0.5));
            }
            2 => {
                store.push(Aabb::centered([x, y], [0.5, 0.25])).unwrap();
                shapes.push(rect(x, y, 0.5, 0.25));
            }
            _ => {
                let shape = rounded(x, y, [0.25, 0.5], 0.25);
                store.push(shape).unwrap();
                shapes.push(shape);
            }
        }
        assert_eq!(store.bounds(i), Some(shapes[i as usize]));
    }
    for touching in POLICIES {
        let expected = brute_force::pairs(&shapes, touching);
        let mut pairs = Vec::new();
        let mut detector = detector(touching, Threads::Calling);
        detector.set_options(Options { order: Order::Sorted, ..*detector.options() }).unwrap();
        detector.pairs(&store, &mut pairs).unwrap();
        assert_same(&pairs, &expected, "store");
        detector.pairs(Soa::new(&shapes).rounded().unwrap(), &mut pairs).unwrap();
        assert_same(&pairs, &expected, "columns");
    }
}

#[test]
fn permuting_the_shapes_permutes_the_pairs() {
    for scene in SCENES {
        let shapes = shapes_of(scene, 500);
        let mut rows: Vec<u32> = (0..500).collect();
        Rng::new(5).shuffle(&mut rows);
        let permuted: Vec<_> = rows.iter().map(|&row| shapes[row as usize]).collect();
        for touching in POLICIES {
            let mut detector = detector(touching, Threads::Calling);
            let (mut pairs, mut found) = (Vec::new(), Vec::new());
            detector.pairs(Soa::new(&shapes).rounded().unwrap(), &mut pairs).unwrap();
            detector.pairs(Soa::new(&permuted).rounded().unwrap(), &mut found).unwrap();
            for pair in &mut found {
                let (a, b) = (rows[pair.a as usize], rows[pair.b as usize]);
                *pair = Pair { a: a.min(b), b: a.max(b) };
            }
            let pairs = well_formed(&pairs, 500, scene.0);
            assert_same(&well_formed(&found, 500, scene.0), &pairs, scene.0);
        }
    }
}

/// Coordinates that are quarters stay so after a move by any multiple that an `f32` can hold.
#[test]
fn moving_a_dyadic_scene_keeps_its_pairs() {
    let scene = SCENES.iter().find(|scene| scene.0 == "dyadic touching").unwrap();
    let shapes = shapes_of(scene, 900);
    for touching in POLICIES {
        let expected = brute_force::pairs(&shapes, touching);
        assert!(expected.len() > 100, "a scene with nothing in it proves nothing");
        for (dx, dy) in [(0.0, 0.0), (pow2(20), -pow2(20)), (-pow2(21), 3.0), (0.25, pow2(19))] {
            let mut store = Shapes::from_slice(&shapes).unwrap();
            store.translate(&vec![dx; 900], &vec![dy; 900]).unwrap();
            assert_eq!(store.bounds(0).unwrap().min_x, shapes[0].min_x + dx);
            let mut pairs = Vec::new();
            let mut detector = detector(touching, Threads::Calling);
            detector.set_options(Options { order: Order::Sorted, ..*detector.options() }).unwrap();
            detector.pairs(&store, &mut pairs).unwrap();
            assert_same(&pairs, &expected, "moved");
        }
    }
}

/// One detector for scenes of all kinds and sizes, scene by scene: nothing of an earlier scene
/// shows in a later scene.
#[test]
fn a_detector_keeps_nothing_between_calls() {
    let mut pairs = Vec::new();
    let mut used = Detector::new();
    for n in [300, 5, 0, 1000, 64, 1, 2] {
        for scene in SCENES {
            let shapes = shapes_of(scene, n);
            let soa = Soa::new(&shapes);
            for (form, columns) in soa.forms() {
                used.pairs(columns, &mut pairs).unwrap();
                let mut fresh = Vec::new();
                Detector::new().pairs(columns, &mut fresh).unwrap();
                assert!(pairs == fresh, "{}, n {n}, {form}", scene.0);
            }
        }
    }
}

/// From a large scene of one form to a small scene of another, and back: buffers that only one form
/// uses are as long as its last scene left them.
#[test]
fn a_detector_goes_from_any_form_to_any_other() {
    let scene = |n| Soa::new(&shapes_of(&SCENES[2], n));
    let sizes = [2, 70, 3000, 20_000];
    let scenes = sizes.map(scene);
    let mut pairs = Vec::new();
    let forms = |i: usize| scenes[i].forms().into_iter().map(move |form| (sizes[i], form));
    let forms: Vec<_> = (0..sizes.len()).flat_map(forms).collect();
    for ((n, (form, columns)), (next_n, (next_form, next))) in product((forms.clone(), forms)) {
        let what = format!("{form} {n}, then {next_form} {next_n}");
        let mut used = Detector::new();
        used.pairs(columns, &mut pairs).unwrap();
        used.pairs(next, &mut pairs).unwrap();
        let mut fresh = Vec::new();
        Detector::new().pairs(next, &mut fresh).unwrap();
        assert!(pairs == fresh, "{what}");
    }
}

/// A length anywhere in the range: an exponent first, so that no length is rare.
fn length() -> impl Strategy<Value = f32> {
    prop_oneof![
        Just(0.0_f32),
        (-149_i32..=59).prop_map(pow2),
        (-20_i32..=20, 0.5_f32..1.0).prop_map(|(k, m)| m * pow2(k)),
        (0_i32..=8).prop_map(|k| k as f32 * 0.25),
    ]
}

fn any_shape() -> impl Strategy<Value = RoundedBox> {
    let coordinate =
        || (length(), any::<bool>()).prop_map(|(v, negative)| if negative { -v } else { v });
    (coordinate(), coordinate(), length(), length(), length(), 0_u8..4).prop_map(
        |(x, y, half_width, half_height, radius, kind)| match kind {
            0 => point(x, y),
            1 => circle(x, y, radius),
            2 => rect(x, y, half_width, half_height),
            _ => rounded(x, y, [half_width, half_height], radius),
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    /// Magnitudes from the smallest to the largest side by side.
    #[test]
    fn any_shapes_at_all(
        shapes in prop::collection::vec(any_shape(), 0..80),
        cell in prop_oneof![Just(CellSize::Auto), (-149_i32..=60).prop_map(|k| CellSize::Fixed(pow2(k)))],
    ) {
        let soa = Soa::new(&shapes);
        for touching in POLICIES {
            let expected = brute_force::pairs(&shapes, touching);
            for &level in levels() {
                let mut pairs = Vec::new();
                let mut detector = detector(touching, Threads::Calling);
                let simd_level = Some(level);
                let options = Options { simd_level, cell_size: cell, ..*detector.options() };
                detector.set_options(options).unwrap();
                detector.pairs(soa.rounded().unwrap(), &mut pairs).unwrap();
                assert_same(&well_formed(&pairs, shapes.len(), "any"), &expected, "any");
            }
        }
    }

    /// One kind only, all over the range of one exponent, far from the origin or near.
    #[test]
    fn circles_of_one_size_far_from_the_origin(
        cells in prop::collection::vec((0_u32..4096, 0_u32..64), 2..120),
        exponent in 0_i32..=23,
        radius in 0_u32..40,
        scale in -60_i32..=36,
    ) {
        let unit = pow2(scale);
        let offset = pow2(exponent);
        let shapes: Vec<RoundedBox> = cells
            .iter()
            .map(|&(x, y)| {
                let x = (offset + x as f32) * unit;
                Circle { x, y: y as f32 * unit, radius: radius as f32 * 0.5 * unit }.rounded_box()
            })
            .collect();
        let soa = Soa::new(&shapes);
        for touching in POLICIES {
            let expected = brute_force::pairs(&shapes, touching);
            for cell in [CellSize::Auto, CellSize::Fixed(unit)] {
                for (_, columns) in soa.forms() {
                    let mut pairs = Vec::new();
                    let mut detector = detector(touching, Threads::Calling);
                    detector.set_options(Options { cell_size: cell, ..*detector.options() }).unwrap();
                    detector.set_options(Options { order: Order::Sorted, ..*detector.options() }).unwrap();
                    detector.pairs(columns, &mut pairs).unwrap();
                    assert_same(&pairs, &expected, "circles");
                }
            }
        }
    }
}
