//! The seeded scenes: their bits, their density, their motion.

use common::product;
use common::scene::{MAX_SPEED, Motion, Scene, SceneKind, UnknownMotion, UnknownScene};
use widephase::{
    Detector, Options, Order, Pair, Shapes, SimdLevel, Touching,
    reference::{brute_force, contract, whole},
    shape::{Aabb, Kind, MAX_COORDINATE, RoundedBox},
};

/// The hash FNV-1a: a change of one bit anywhere changes it.
fn fnv_1a(bytes: impl Iterator<Item = u8>) -> u64 {
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

/// The hash of all bits of all bodies; for rotated bodies, of their poses and bounding boxes.
fn fingerprint(scene: &Scene) -> u64 {
    let rows = scene.rounded_boxes();
    let values = rows.iter().flat_map(|&RoundedBox { min_x, min_y, max_x, max_y, radius }| {
        [min_x, min_y, max_x, max_y, radius]
    });
    let store = scene.shapes().into_iter();
    let poses = store.flat_map(|shapes| (0..shapes.rows()).map(|row| shapes.pose(row as u32)));
    let turned = poses.flatten().flat_map(|pose| [pose.x, pose.y, pose.cos, pose.sin]);
    fnv_1a(values.chain(turned).flat_map(|value| value.to_bits().to_le_bytes()))
}

/// The fingerprints of a scene of 1000 bodies, as generated and after 100 steps.
fn fingerprints(kind: SceneKind, motion: Motion) -> (u64, u64) {
    let mut scene = Scene::generate(kind, 1000, 42).with_motion(motion);
    let generated = fingerprint(&scene);
    for _ in 0..100 {
        scene.step();
    }
    (generated, fingerprint(&scene))
}

#[test]
fn bits_are_those_of_the_first_release() {
    // Not to be updated: published numbers and golden pair lists rest on these bits.
    let golden = [
        (SceneKind::UniformCircles, 0x8941_b651_15ce_4161, 0xb368_402e_ccd0_6b65),
        (SceneKind::UniformBoxes, 0x84cd_d3f4_33d9_1405, 0x9466_7794_e8c5_d5a3),
        (SceneKind::MixedCirclesBoxes, 0xdd05_713b_4a49_7cea, 0x4b7b_bb6d_c5d9_63f7),
    ];
    let found = golden.map(|(kind, ..)| {
        let (generated, moved) = fingerprints(kind, Motion::Drift);
        (kind, generated, moved)
    });
    assert_eq!(found, golden, "{found:#018x?}");
}

#[test]
fn bits_of_the_later_scenes_stay_too() {
    let golden = [
        (SceneKind::BimodalCircles, 0x35a5_e781_b401_4288),
        (SceneKind::PowerLawCircles, 0xd82b_59b9_0cf6_e3f5),
        (SceneKind::GaussianClusters, 0x1ec1_d19a_91b3_3773),
        (SceneKind::MixedRotating, 0x605f_3a3c_412e_e764),
        (SceneKind::Compounds, 0xbc8a_3474_24af_6fb9),
        (SceneKind::Giant, 0x7a78_a946_824a_596c),
        (SceneKind::FarBody, 0x5b85_a639_099d_dfd5),
        (SceneKind::Coincident, 0x522c_925b_b5a3_74fb),
        (SceneKind::Line, 0xcd4b_c8e9_b906_51ba),
        (SceneKind::Diagonal, 0xdc0d_adb4_7534_a436),
        (SceneKind::TwoClusters, 0x4997_a873_1df1_c213),
        (SceneKind::SixDecades, 0xc588_dd62_5031_739c),
        (SceneKind::Fast, 0xf8c7_df18_2ad1_839e),
        (SceneKind::Sorted, 0xef35_9d2d_5a59_e535),
        (SceneKind::Reversed, 0x1ea1_500a_59bf_9265),
        (SceneKind::Shuffled, 0x01aa_c7d3_4b2e_2748),
        (SceneKind::BorderLattice, 0x2472_a2ab_29bf_23fb),
        (SceneKind::PowerOfTwo, 0xf00a_e403_147c_83c7),
        (SceneKind::Pile, 0xfb4a_b328_ae5a_f09e),
    ];
    // One hash for the scene as generated and after each motion.
    let found: Vec<(SceneKind, u64)> = SceneKind::ALL[3..]
        .iter()
        .map(|&kind| {
            let hashes = Motion::ALL.map(|motion| fingerprints(kind, motion));
            let words = hashes.into_iter().flat_map(|(generated, moved)| [generated, moved]);
            (kind, fnv_1a(words.flat_map(u64::to_le_bytes)))
        })
        .collect();
    assert!(found == golden, "{found:#018x?}");
}

/// A number of bodies with few enough pairs for any test.
fn moderate(kind: SceneKind, len: u32) -> u32 {
    if kind == SceneKind::Coincident { len.min(300) } else { len }
}

/// The pairs of brute force; for rotated bodies, by all parts of one body against all parts of the
/// other.
fn truth(scene: &Scene) -> Vec<Pair> {
    match scene.wholes() {
        Some(wholes) => whole::pairs(&wholes, Touching::Inclusive),
        None => brute_force::pairs(&scene.rounded_boxes(), Touching::Inclusive),
    }
}

fn count(scene: &Scene) -> f64 {
    Detector::new().count(scene.columns()).unwrap() as f64
}

#[test]
fn pairs_are_as_many_as_expected() {
    for kind in SceneKind::ALL {
        let len = moderate(kind, 20_000);
        let expected = kind.expected_pairs(len);
        for seed in 0..3 {
            let found = count(&Scene::generate(kind, len, seed)) / expected;
            match kind {
                SceneKind::Coincident | SceneKind::BorderLattice | SceneKind::PowerOfTwo => {
                    assert_eq!(found, 1.0, "{kind}");
                }
                // One large circle more or less at the border is a per cent.
                SceneKind::PowerLawCircles | SceneKind::GaussianClusters => {
                    assert!((0.95..1.05).contains(&found), "{kind}, seed {seed}: {found}");
                }
                _ => assert!((0.97..1.03).contains(&found), "{kind}, seed {seed}: {found}"),
            }
        }
    }
}

#[test]
fn as_many_bodies_as_have_so_many_pairs() {
    let limits =
        [f64::NEG_INFINITY, -1.0, -0.0, 0.5, 1.0, 2.9, 3.0, 10.0, 77.7, 300.0, f64::INFINITY];
    for kind in SceneKind::ALL {
        for len in [0, 1, 2, 3, 7, 100, 256, 257] {
            for pairs in limits {
                let fits = |n: &u32| kind.expected_pairs(*n) <= pairs;
                let expected = (0..=len).rev().find(fits).unwrap_or(0);
                assert_eq!(kind.most_bodies(len, pairs), expected, "{kind}, {len}, {pairs}");
            }
            assert_eq!(kind.most_bodies(len, f64::NAN), 0, "{kind}, {len}");
        }
    }
}

#[test]
fn only_coincident_bodies_get_fewer() {
    let of = |kind: SceneKind, n: u32| kind.most_bodies(n, 32.0 * f64::from(n));
    for kind in SceneKind::ALL.into_iter().filter(|&kind| kind != SceneKind::Coincident) {
        for n in [1, 2, 10, 1000, 1_000_000, u32::MAX] {
            assert_eq!(of(kind, n), n, "{kind}");
        }
    }
    // n (n - 1) / 2 is at most 32 n up to n = 65; 66 may have 2,112, and 66 * 65 / 2 is 2,145.
    assert_eq!([1, 64, 65, 66].map(|n| of(SceneKind::Coincident, n)), [1, 64, 65, 65]);
    // Of the next one, 320,400 and 3,201,715 pairs, where 320,000 and 3,200,000 fit.
    assert_eq!([10_000, 100_000].map(|n| of(SceneKind::Coincident, n)), [800, 2530]);
    // n (n - 1) / 2 of 524,288 is 137,438,691,328; 2^37 = 137,438,953,472 less 32 fit.
    assert_eq!(of(SceneKind::Coincident, u32::MAX), 524_288);
}

#[test]
fn density_is_that_of_any_number() {
    for kind in SceneKind::ALL {
        for len in [1000, 1001, 4321] {
            let len = moderate(kind, len);
            let seeds = 0..8;
            let scenes = seeds.clone().map(|seed| Scene::generate(kind, len, seed));
            let mean = scenes.map(|scene| count(&scene)).sum::<f64>() / seeds.end as f64;
            let found = mean / kind.expected_pairs(len);
            assert!((0.88..1.06).contains(&found), "{kind}, {len} bodies: {found}");
        }
    }
}

#[test]
fn density_survives_motion() {
    for kind in SceneKind::ALL {
        let len = moderate(kind, 5000);
        let mut scene = Scene::generate(kind, len, 3);
        for _ in 0..500 {
            scene.step();
        }
        let found = count(&scene) / kind.expected_pairs(len);
        assert!((0.85..1.15).contains(&found), "{kind}: {found} of the pairs expected");
    }
}

#[test]
fn sizes_are_those_of_the_kind() {
    let near = |value: f32, expected: f32| (value - expected).abs() < 1e-4;
    for row in Scene::generate(SceneKind::UniformCircles, 1000, 1).rounded_boxes() {
        assert_eq!((row.min_x, row.min_y, row.radius), (row.max_x, row.max_y, 0.5));
    }
    let (mut smallest, mut largest) = (f32::MAX, 0.0_f32);
    for row in Scene::generate(SceneKind::UniformBoxes, 1000, 1).rounded_boxes() {
        for side in [row.max_x - row.min_x, row.max_y - row.min_y] {
            (smallest, largest) = (smallest.min(side), largest.max(side));
        }
        assert_eq!(row.radius, 0.0);
    }
    assert!((0.499..0.51).contains(&smallest) && (1.49..1.501).contains(&largest));

    let mixed = Scene::generate(SceneKind::MixedCirclesBoxes, 1000, 1).rounded_boxes();
    let (circles, boxes): (Vec<RoundedBox>, Vec<RoundedBox>) =
        mixed.into_iter().partition(|row| row.radius > 0.0 && row.min_x == row.max_x);
    assert_eq!((circles.len(), boxes.len()), (500, 500));
    assert!(circles.iter().all(|row| (0.25..1.0).contains(&row.radius)));
    assert!(boxes.iter().all(|row| {
        let half = (row.max_x - row.min_x) / 2.0;
        row.radius == 0.0 && (0.25..1.0).contains(&half) || near(half, 0.25) || near(half, 1.0)
    }));
}

#[test]
fn bodies_move_a_little_and_stay_inside() {
    for kind in [SceneKind::UniformCircles, SceneKind::UniformBoxes, SceneKind::MixedCirclesBoxes] {
        let mut scene = Scene::generate(kind, 300, 5);
        let half = scene.half_world();
        let first = scene.rounded_boxes();
        for _ in 0..1000 {
            let before = scene.rounded_boxes();
            scene.step();
            for (before, after) in before.iter().zip(scene.rounded_boxes()) {
                let (x, y) = (after.min_x + after.max_x, after.min_y + after.max_y);
                assert!(x.abs() / 2.0 <= half * 1.0001 && y.abs() / 2.0 <= half * 1.0001);
                assert!((after.min_x - before.min_x).abs() <= MAX_SPEED * 1.001);
                let change = (after.max_x - after.min_x) - (before.max_x - before.min_x);
                assert!(change.abs() < 1e-4 && after.radius == before.radius);
            }
        }
        let stayed = first.iter().zip(scene.rounded_boxes()).filter(|(a, b)| *a == b).count();
        assert_eq!(stayed, 0, "{kind}: every body has moved");
    }
}

#[test]
fn motion_stays_bounded_and_keeps_the_character() {
    for (kind, motion) in product((SceneKind::ALL, Motion::ALL)) {
        let mut scene = Scene::generate(kind, 300, 5).with_motion(motion);
        let (first, pairs) = (scene.rounded_boxes(), count(&scene));
        // One unit in the last place, for the sum of home and offset.
        // The centre of a rotated body is within 1 of the centre of its bounding box.
        let half = scene.half_world() * 1.000_001 + if kind.turns() { 1.0 } else { 0.0 };
        let mut moved = vec![false; scene.len()];
        for step in 0..1000 {
            scene.step();
            for (row, (first, now)) in first.iter().zip(scene.rounded_boxes()).enumerate() {
                moved[row] |= now != *first;
                let center = [(now.min_x + now.max_x) / 2.0, (now.min_y + now.max_y) / 2.0];
                assert!(center.iter().all(|at| at.abs() <= half), "{kind}, {motion}: {now:?}");
                let (width, before) = (now.max_x - now.min_x, first.max_x - first.min_x);
                let steady = (width - before).abs() < 1e-4 || kind.turns();
                assert!(steady && now.radius == first.radius, "{kind}, {motion}: {now:?}");
            }
            if step % 100 == 0 {
                check_character(&scene, pairs);
            }
        }
        let stayed = moved.iter().filter(|moved| !**moved).count();
        let unable = usize::from(kind == SceneKind::FarBody);
        assert_eq!(stayed, unable, "{kind}, {motion}: bodies that have not moved");
    }
}

/// Checks that the scene is as its name says; `pairs` is the number of its pairs when it was
/// generated.
fn check_character(scene: &Scene, pairs: f64) {
    let (kind, rows) = (scene.kind(), scene.rounded_boxes());
    let x = |row: &RoundedBox| row.min_x + row.max_x;
    match kind {
        SceneKind::Giant => {
            let giant = rows[rows.len() / 2];
            assert!(rows.iter().all(|row| contract::overlap(giant, *row, Touching::Inclusive)));
        }
        SceneKind::FarBody => {
            let place = MAX_COORDINATE;
            let far = RoundedBox::new(Aabb::new([place; 2], [place; 2]), 0.5);
            assert_eq!(rows[rows.len() / 2], far);
        }
        SceneKind::Line => assert!(rows.iter().all(|row| row.min_y == 0.0)),
        SceneKind::Diagonal => assert!(rows.iter().all(|row| row.min_x == row.min_y)),
        SceneKind::Coincident => assert!(rows.iter().all(|row| *row == rows[0])),
        SceneKind::BorderLattice | SceneKind::PowerOfTwo => assert_eq!(count(scene), pairs),
        SceneKind::TwoClusters => {
            assert!(rows.iter().step_by(2).all(|row| x(row) < 100.0));
            assert!(rows.iter().skip(1).step_by(2).all(|row| x(row) > 1.99e9));
        }
        SceneKind::Reversed => assert!(rows[0].min_y > rows[rows.len() - 1].min_y),
        SceneKind::Sorted => assert!(rows[0].min_y < rows[rows.len() - 1].min_y),
        _ => {}
    }
}

#[test]
fn motions_do_to_the_density_what_they_say() {
    use SceneKind::{Compounds, MixedRotating, Pile, UniformBoxes, UniformCircles};
    for kind in [UniformCircles, UniformBoxes, MixedRotating, Compounds, Pile] {
        for (motion, expected) in Motion::ALL.into_iter().zip([1.0, 1.0, 3.0]) {
            let mut scene = Scene::generate(kind, 2000, 3).with_motion(motion);
            assert_eq!(scene.motion(), motion);
            let before = count(&scene);
            for _ in 0..500 {
                scene.step();
            }
            let change = count(&scene) / before / expected;
            assert!((0.9..1.1).contains(&change), "{kind}, {motion}: {change}");
            let low = scene.rounded_boxes().iter().filter(|row| row.min_y < 0.0).count();
            assert_eq!(low > 1900, motion == Motion::Settle, "{kind}, {motion}: {low} below");
        }
    }
}

#[test]
fn motion_can_change_on_the_way() {
    let mut scene = Scene::generate(SceneKind::UniformCircles, 100, 1);
    for motion in [Motion::Brownian, Motion::Settle, Motion::Drift, Motion::Settle] {
        let before = scene.rounded_boxes();
        scene = scene.with_motion(motion);
        assert_eq!(scene.rounded_boxes(), before);
        for _ in 0..50 {
            let before = scene.rounded_boxes();
            scene.step();
            let after = scene.rounded_boxes();
            let jump = |(a, b): (&RoundedBox, &RoundedBox)| (a.min_y - b.min_y).abs();
            assert!(before.iter().zip(&after).map(jump).all(|jump| jump <= 10.0 * MAX_SPEED));
        }
    }
}

#[test]
fn adversaries_of_s1_have_its_bodies() {
    let sorted = |mut rows: Vec<RoundedBox>| {
        rows.sort_by(|a, b| a.min_x.total_cmp(&b.min_x).then(a.min_y.total_cmp(&b.min_y)));
        rows
    };
    let of = |kind| Scene::generate(kind, 999, 4).rounded_boxes();
    let plain = of(SceneKind::UniformCircles);
    for kind in [SceneKind::Sorted, SceneKind::Reversed, SceneKind::Shuffled] {
        assert_eq!(sorted(of(kind)), sorted(plain.clone()), "{kind}");
    }
    for kind in [SceneKind::Giant, SceneKind::FarBody] {
        let differing: Vec<usize> = of(kind)
            .iter()
            .zip(&plain)
            .enumerate()
            .filter(|(_, (a, b))| a != b)
            .map(|it| it.0)
            .collect();
        assert_eq!(differing, [499], "{kind}");
    }
    // Row by row: most neighbours in the list are neighbours in a row.
    let rows = of(SceneKind::Sorted);
    let steps = rows.windows(2).filter(|two| two[0].min_x < two[1].min_x).count();
    assert!(steps > 960, "{steps}");
    let mut reversed = of(SceneKind::Reversed);
    reversed.reverse();
    assert_eq!(reversed, rows);
}

#[test]
fn sizes_of_the_later_scenes() {
    let radii = |kind, len| -> Vec<f32> {
        let mut radii: Vec<f32> =
            Scene::generate(kind, len, 1).rounded_boxes().iter().map(|row| row.radius).collect();
        radii.sort_by(f32::total_cmp);
        radii
    };
    let bimodal = radii(SceneKind::BimodalCircles, 10_000);
    assert_eq!((bimodal[0], bimodal[9899], bimodal[9900], bimodal[9999]), (0.25, 0.25, 8.0, 8.0));
    let power = radii(SceneKind::PowerLawCircles, 10_000);
    assert!(power[0] >= 0.1 && power[0] < 0.101 && (12.0..16.0).contains(&power[9999]));
    let decades = radii(SceneKind::SixDecades, 10_000);
    assert!(decades[0] >= 0.001 && decades[0] < 0.0011);
    assert!((995.0..1000.0).contains(&decades[9999]));

    let fast = Scene::generate(SceneKind::Fast, 1000, 1).rounded_boxes();
    let (circles, boxes): (Vec<RoundedBox>, Vec<RoundedBox>) =
        fast.into_iter().partition(|row| row.radius == 0.5 && row.min_x == row.max_x);
    assert_eq!((circles.len(), boxes.len()), (900, 100));
    let side = |low: f32, high: f32| high - low;
    let longest = |row: &RoundedBox| side(row.min_x, row.max_x).max(side(row.min_y, row.max_y));
    assert!(boxes.iter().all(|row| row.radius == 0.0 && (1.0..20.1).contains(&longest(row))));
    assert!(boxes.iter().any(|row| longest(row) > 18.0));
}

#[test]
fn bodies_that_turn_are_of_the_kinds_that_are_said() {
    let scene = Scene::generate(SceneKind::MixedRotating, 1200, 1);
    let shapes = scene.shapes().unwrap();
    let mut found = [0; 3];
    for row in 0..1200 {
        let kinds = [Kind::Obb, Kind::Polygon, Kind::Capsule];
        let kind = shapes.kind(row).unwrap();
        found[kinds.iter().position(|other| *other == kind).unwrap()] += 1;
        let around = shapes.bounds(row).unwrap();
        let width = around.max_x - around.min_x + 2.0 * around.radius;
        assert!((0.25..3.01).contains(&width), "{around:?}");
    }
    assert_eq!(found, [600, 300, 300]);

    let scene = Scene::generate(SceneKind::Compounds, 1000, 1);
    let shapes = scene.shapes().unwrap();
    for row in 0..1000 {
        assert_eq!(shapes.kind(row), Some(Kind::Compound));
        let around = shapes.bounds(row).unwrap();
        assert!((0.3..2.01).contains(&(around.max_x - around.min_x)), "{around:?}");
    }
    for kind in SceneKind::ALL {
        assert_eq!(Scene::generate(kind, 3, 1).shapes().is_some(), kind.turns(), "{kind}");
    }
}

#[test]
fn bodies_turn_a_little() {
    for (kind, motion) in product(([SceneKind::MixedRotating, SceneKind::Compounds], Motion::ALL)) {
        let mut scene = Scene::generate(kind, 300, 5).with_motion(motion);
        let mut turned = vec![0.0; scene.len()];
        for _ in 0..200 {
            let before = scene.shapes().unwrap().clone();
            scene.step();
            let after = scene.shapes().unwrap();
            for (row, turned) in turned.iter_mut().enumerate() {
                let pose = |shapes: &Shapes| shapes.pose(row as u32).unwrap().rotation();
                let (a, b) = (pose(&before), pose(after));
                let step = a.cos * b.sin - a.sin * b.cos;
                assert!(step.abs() <= MAX_SPEED * 1.001, "{kind}, {motion}: {step}");
                *turned += step;
            }
        }
        // Evenly, or to and fro.
        let far = turned.iter().filter(|turned| turned.abs() > 2.0).count();
        assert_eq!(far > 150, motion != Motion::Brownian, "{kind}, {motion}: {far}");
    }
}

#[test]
fn clusters_are_where_they_are_said_to_be() {
    let scene = Scene::generate(SceneKind::GaussianClusters, 16_000, 2);
    let mut members = [[0; 4]; 4];
    for row in scene.rounded_boxes() {
        let [x, y] = [row.min_x, row.min_y].map(|at| at / 1e5 + 1.5);
        // Six standard deviations of 5.6 units.
        assert!((x - x.round()).abs() < 34e-5 && (y - y.round()).abs() < 34e-5);
        members[y.round() as usize][x.round() as usize] += 1;
    }
    assert_eq!(members, [[1000; 4]; 4]);

    for row in Scene::generate(SceneKind::TwoClusters, 1000, 2).rounded_boxes().chunks(2) {
        assert_eq!((row[0].radius, row[1].radius), (0.5, 32.0));
        assert!(row[0].min_x.abs() < 20.0 && (row[1].min_x - 1e9).abs() < 2000.0);
        assert_eq!(row[1].min_x % 64.0, 0.0);
    }
}

#[test]
fn seeds_and_kinds_give_unrelated_scenes() {
    for kind in SceneKind::ALL {
        // The generator forces the two lowest bits of its state: near seeds have to be checked.
        let hashes: Vec<u64> =
            (0..32).map(|seed| fingerprint(&Scene::generate(kind, 8, seed))).collect();
        for (i, hash) in hashes.iter().enumerate() {
            assert!(!hashes[..i].contains(hash), "{kind}: seed {i} repeats an earlier scene");
        }
        assert_eq!(Scene::generate(kind, 50, 9), Scene::generate(kind, 50, 9));
    }
}

#[test]
fn columns_and_records_are_the_same_bodies() {
    for kind in SceneKind::ALL {
        let mut scene = Scene::generate(kind, moderate(kind, 700), 11);
        for _ in 0..2 {
            let expected = truth(&scene);
            for &level in SimdLevel::available() {
                let mut pairs = Vec::new();
                let mut detector = Detector::with_options(Options {
                    order: Order::Sorted,
                    simd_level: Some(level),
                    ..Options::default()
                })
                .unwrap();
                detector.pairs(scene.columns(), &mut pairs).unwrap();
                assert_eq!(pairs, expected, "{kind}, {level}");
            }
            scene.step();
        }
    }
}

#[test]
fn the_smallest_scenes_work() {
    for kind in SceneKind::ALL {
        for len in [0, 1, 2] {
            let mut scene = Scene::generate(kind, len, 1);
            scene.step();
            assert_eq!((scene.len(), scene.columns().len()), (len as usize, len as usize));
            assert_eq!(scene.is_empty(), len == 0);
            Detector::new().count(scene.columns()).unwrap();
        }
    }
}

#[test]
fn names_are_read_back() {
    for kind in SceneKind::ALL {
        assert_eq!(kind.short_name().parse(), Ok(kind));
        assert_eq!(kind.long_name().to_uppercase().parse(), Ok(kind));
        assert_eq!(kind.to_string(), kind.short_name());
    }
    for motion in Motion::ALL {
        assert_eq!(motion.name().to_uppercase().parse(), Ok(motion));
        assert_eq!(motion.to_string(), motion.name());
    }
    assert_eq!("fall".parse::<Motion>(), Err(UnknownMotion { name: "fall".into() }));
    let mut all = SceneKind::STANDARD.to_vec();
    all.extend(SceneKind::ADVERSARIES);
    assert_eq!(all, SceneKind::ALL);
    assert!(all.is_sorted(), "in the order of the enumeration");
    let error = "s9".parse::<SceneKind>().unwrap_err();
    assert_eq!(error, UnknownScene { name: "s9".into() });
    assert_eq!(
        error.to_string(),
        "\"s9\" is not a scene; the scenes are: s1 (uniform-circles), s2 (uniform-boxes), \
         s3 (mixed-circles-boxes), s4 (bimodal-circles), s5 (power-law-circles), \
         s6 (gaussian-clusters), s7 (mixed-rotating), s8 (compounds), giant, far-body, coincident, line, diagonal, two-clusters, \
         six-decades, fast, sorted, reversed, shuffled, border-lattice, power-of-two, pile"
    );
}
