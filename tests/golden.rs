//! The order of pairs, pinned: the same list on every level, number of threads, machine and day.
//!
//! Each scene has two hashes. The hash of the *sorted* pairs follows from the contract and must
//! never change. The hash of the pairs in *grid order* may change with the grid; such a change must
//! be intended, and must be in the changelog. For rotated bodies, the bytes of the contacts are
//! pinned, too.
#![allow(clippy::unwrap_used, reason = "a panic is a failed test, in its helpers too")]

use common::{
    levels,
    matrix::matrix_of,
    scene::{Scene as Moving, SceneKind},
};
use widephase::{Columns, Contact, Detector, Options, Order, Pair, Threads, Touching};

/// FNV-1a over the indices, little end first.
fn hash(pairs: &[Pair]) -> u64 {
    let bytes = pairs.iter().flat_map(|pair| [pair.a.to_le_bytes(), pair.b.to_le_bytes()]);
    fnv_1a(bytes.flatten())
}

/// The same over all of the contacts, as a little-endian machine holds them.
fn contact_hash(contacts: &[Contact]) -> u64 {
    fnv_1a(bytemuck::cast_slice::<_, u8>(contacts).iter().copied())
}

fn fnv_1a(bytes: impl Iterator<Item = u8>) -> u64 {
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

/// A linear congruential generator of its own, so that no library can change the scenes.
struct Lcg(u64);

impl Lcg {
    /// `0..end`, in steps of 1/16: every coordinate is an integer over 16, without rounding.
    fn sixteenths(&mut self, end: u32) -> f32 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let high = self.0 >> 33;
        (high % u64::from(end * 16)) as f32 / 16.0
    }

    fn column(&mut self, rows: usize, end: u32) -> Vec<f32> {
        (0..rows).map(|_| self.sixteenths(end)).collect()
    }
}

/// Five columns of numbers; each form of columns takes the numbers that it needs.
struct Scene {
    x: Vec<f32>,
    y: Vec<f32>,
    width: Vec<f32>,
    height: Vec<f32>,
    right: Vec<f32>,
    top: Vec<f32>,
}

impl Scene {
    fn new(rows: usize, side: u32) -> Self {
        let mut lcg = Lcg(0x1DEA);
        let (x, y) = (lcg.column(rows, side), lcg.column(rows, side));
        let (width, height) = (lcg.column(rows, 1), lcg.column(rows, 1));
        let sum = |a: &[f32], b: &[f32]| a.iter().zip(b).map(|(a, b)| a + b).collect();
        let (right, top) = (sum(&x, &width), sum(&y, &height));
        Self { x, y, width, height, right, top }
    }

    /// These bodies in 16 clusters on a lattice of such a pitch. Still without rounding, up to
    /// 2^18.
    fn in_clusters(mut self, pitch: u32) -> Self {
        for row in 0..self.x.len() {
            let [across, up] =
                [row % 4, row / 4 % 4].map(|cluster| (cluster as u32 * pitch) as f32);
            self.x[row] += across;
            self.right[row] += across;
            self.y[row] += up;
            self.top[row] += up;
        }
        self
    }

    fn forms(&self) -> [(&'static str, Columns<'_>); 5] {
        let Self { x, y, width, height, right, top } = self;
        [
            ("points", Columns::points(x, y).unwrap()),
            ("circles", Columns::circles(x, y, width).unwrap()),
            ("aabbs", Columns::aabbs(x, y, right, top).unwrap()),
            ("centered", Columns::centered(x, y, width, height).unwrap()),
            ("rounded", Columns::rounded_boxes(x, y, right, top, width).unwrap()),
        ]
    }
}

/// Form, touching, number of pairs, hash of the sorted pairs, hash of the pairs in grid order.
type Golden = (&'static str, Touching, usize, u64, u64);

fn check(scene: &Scene, golden: &[Golden]) {
    let mut found = Vec::new();
    for (form, columns) in scene.forms() {
        for touching in [Touching::Inclusive, Touching::Exclusive] {
            if !golden.iter().any(|golden| (golden.0, golden.1) == (form, touching)) {
                continue;
            }
            let mut results = Vec::new();
            for run in matrix_of(touching) {
                let result = run.within(|| {
                    let (mut grid, mut sorted) = (Vec::new(), Vec::new());
                    let mut detector = Detector::with_options(run.options()).unwrap();
                    detector.pairs(columns, &mut grid).unwrap();
                    detector
                        .set_options(Options { order: Order::Sorted, ..*detector.options() })
                        .unwrap();
                    detector.pairs(columns, &mut sorted).unwrap();
                    (form, touching, grid.len(), hash(&sorted), hash(&grid))
                });
                results.push((run, result));
            }
            let first = results[0].1;
            for (run, result) in results {
                assert_eq!(result, first, "{run}");
            }
            found.push(first);
        }
    }
    assert!(found == golden, "found, if it is meant to change:\n{found:#x?}");
}

#[test]
fn small_scenes_have_their_golden_hashes() {
    use Touching::{Exclusive, Inclusive};
    check(
        &Scene::new(300, 12),
        &[
            ("points", Inclusive, 1, 0x883a_3783_c7b7_7c1f, 0x883a_3783_c7b7_7c1f),
            ("points", Exclusive, 0, 0xcbf2_9ce4_8422_2325, 0xcbf2_9ce4_8422_2325),
            ("circles", Inclusive, 900, 0x96b0_19d1_c318_4a6f, 0xdd7a_f8a0_6569_8b67),
            ("circles", Exclusive, 893, 0x9cb9_0a78_ad7d_4744, 0x1f0f_602f_93b0_64b4),
            ("aabbs", Inclusive, 296, 0xdd8d_9fdf_31eb_361a, 0x779f_8f85_ed19_c686),
            ("aabbs", Exclusive, 223, 0xabd2_2547_4bb5_3659, 0x4505_99ef_40d4_b1c1),
            ("centered", Inclusive, 1057, 0x399a_89ca_cee3_ce89, 0xa44c_695d_4243_7be5),
            ("centered", Exclusive, 936, 0xb54f_2c86_fb53_534e, 0xe59e_b473_401c_7ff6),
            ("rounded", Inclusive, 2188, 0xd6d2_5394_a22f_6abb, 0x72fc_2933_9b7c_36e7),
            ("rounded", Exclusive, 2099, 0x3b6f_33f5_0f0d_bfc3, 0x5b0e_1436_8286_2f7f),
        ],
    );
}

/// Large enough for several chunks, bands and tasks, and for several threads.
#[test]
fn fifty_thousand_bodies_have_their_golden_hashes() {
    use Touching::Inclusive;
    check(
        &Scene::new(50_000, 300),
        &[
            ("circles", Inclusive, 45_239, 0xf3f5_21d5_f010_aee3, 0x3b2c_f7cd_5331_e6cb),
            ("aabbs", Inclusive, 13_805, 0x6b6a_9c07_b092_c8d0, 0xf1df_1296_27e4_7004),
            ("rounded", Inclusive, 111_719, 0x44fb_1244_3811_8cca, 0x567e_b6f7_e2a5_fa26),
        ],
    );
}

/// So far apart that the grid is helical.
#[test]
fn fifty_thousand_in_clusters() {
    use Touching::Inclusive;
    check(
        &Scene::new(50_000, 90).in_clusters(1 << 16),
        &[
            ("circles", Inclusive, 31_516, 0x7844_3ef1_8472_2abc, 0xb3d6_801f_8af9_ddbc),
            ("aabbs", Inclusive, 9739, 0x9c71_aa23_c63c_11b9, 0xbdca_004e_3bc3_2c51),
            ("rounded", Inclusive, 77_281, 0x9257_1b44_6fd3_6b90, 0x59c9_fde0_b5a3_f700),
        ],
    );
}

/// Number and hash of the pairs: sorted, in grid order. Number and hash of the contacts within
/// [`MARGIN`]: sorted, in grid order.
type GoldenTurning = (SceneKind, (usize, u64, u64), (usize, u64, u64));

const MARGIN: f32 = 0.125;

/// Rotated bodies: their pairs and contacts after ten steps.
#[test]
fn bodies_that_turn() {
    let golden: [GoldenTurning; 2] = [
        (
            SceneKind::MixedRotating,
            (39_724, 0x63fc_13d8_ff7e_7d28, 0x65e9_9147_4faa_3020),
            (47_855, 0xf6fc_4661_2016_77df, 0xb547_0d16_32ff_af43),
        ),
        (
            SceneKind::Compounds,
            (39_861, 0xb683_33aa_b018_3d3b, 0x1ea1_679d_4f3f_089f),
            (126_890, 0x2bff_429a_013b_e6f7, 0xefce_9898_48df_fc2f),
        ),
    ];
    let mut found = Vec::new();
    for (kind, ..) in golden {
        let mut scene = Moving::generate(kind, 40_000, 7);
        for _ in 0..10 {
            scene.step();
        }
        let mut results = Vec::new();
        for &level in levels() {
            let mut run = |threads, what: &str| {
                let (mut pairs, mut contacts) = (Vec::new(), Vec::new());
                let mut hashes = [[0; 2]; 2];
                for (place, order) in [Order::Sorted, Order::Grid].into_iter().enumerate() {
                    let mut detector = Detector::with_options(Options {
                        simd_level: Some(level),
                        ..Options::default()
                    })
                    .unwrap();
                    let options = Options { threads, order, ..*detector.options() };
                    detector.set_options(options).unwrap();
                    detector.pairs(scene.columns(), &mut pairs).unwrap();
                    detector.contacts(scene.columns(), MARGIN, &mut contacts).unwrap();
                    hashes[0][place] = hash(&pairs);
                    hashes[1][place] = contact_hash(&contacts);
                }
                let [of_pairs, of_contacts] = hashes;
                let of_pairs = (pairs.len(), of_pairs[0], of_pairs[1]);
                let of_contacts = (contacts.len(), of_contacts[0], of_contacts[1]);
                results.push((format!("{level}, {what}"), (kind, of_pairs, of_contacts)));
            };
            run(Threads::Calling, "calling thread");
            #[cfg(feature = "parallel")]
            for pool in common::pools() {
                let what = format!("{} threads", pool.current_num_threads());
                pool.install(|| run(Threads::Pool, &what));
            }
        }
        let first = results[0].1;
        for (what, result) in results {
            assert_eq!(result, first, "{what}");
        }
        found.push(first);
    }
    assert!(found == golden, "found, if it is meant to change:\n{found:#x?}");
}
