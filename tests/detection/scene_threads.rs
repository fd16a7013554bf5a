//! Every named scene at a size that several threads share: the pairs are the pairs of another
//! broadphase, in one order on all levels and for any number of threads.
#![allow(clippy::unwrap_used, reason = "a panic is a failed test, in its helpers too")]

use common::scene::{Motion, Scene, SceneKind};
use common::{assert_same, levels, sweep_and_prune, well_formed};
use widephase::{Contact, Detector, Options, Pair, Shapes, SimdLevel, Threads, Touching};

/// The number of bodies that gives five tasks.
const BODIES: u32 = 20_000;

/// More pairs take too long: of scenes that have more, half the bodies, and so on.
const MOST_PAIRS: f64 = 320_000.0;

/// How many bodies a scene is to have.
fn len(kind: SceneKind) -> u32 {
    let mut halved = std::iter::successors(Some(BODIES), |len| Some(len / 2));
    halved.find(|&len| kind.expected_pairs(len) <= MOST_PAIRS).unwrap()
}

/// The pairs by a sweep along one axis. For rotated bodies, the pairs of bounding boxes that a
/// detector of those bodies alone confirms.
fn truth(scene: &Scene) -> Vec<Pair> {
    let mut pairs = sweep_and_prune(&scene.rounded_boxes(), Touching::Inclusive);
    let Some(shapes) = scene.shapes() else { return pairs };
    let mut detector = Detector::with_options(Options {
        simd_level: Some(SimdLevel::Scalar),
        ..Options::default()
    })
    .unwrap();
    let mut two = Shapes::new();
    pairs.retain(|&Pair { a, b }| {
        two.clear();
        two.extend_from_rows(shapes.columns(), &[a, b]).unwrap();
        detector.count(&two).unwrap() > 0
    });
    pairs
}

/// The results of a detector, by every method.
#[derive(Debug, Clone, PartialEq)]
struct Found {
    pairs: Vec<Pair>,
    contacts: Vec<Contact>,
    each: Vec<Pair>,
    counted: u64,
}

impl Found {
    fn by(mut detector: Detector, scene: &Scene) -> Self {
        let (mut pairs, mut contacts, mut each) = (Vec::new(), Vec::new(), Vec::new());
        let columns = scene.columns();
        detector.pairs(columns, &mut pairs).unwrap();
        detector.contacts(columns, 0.0, &mut contacts).unwrap();
        detector.for_each_pair(columns, |pair| each.push(pair)).unwrap();
        let counted = detector.count(columns).unwrap();
        Self { pairs, contacts, each, counted }
    }
}

#[test]
fn all_scenes_on_one_thread_and_on_several() {
    let mut lens = Vec::new();
    for (kind, motion) in SceneKind::ALL.into_iter().zip(Motion::ALL.into_iter().cycle()) {
        let len = len(kind);
        lens.push(len);
        let mut scene = Scene::generate(kind, len, 17).with_motion(motion);
        for _ in 0..10 {
            scene.step();
        }
        let truth = truth(&scene);
        let mut first: Option<Found> = None;
        for &level in levels() {
            let new = |threads| {
                Detector::with_options(Options {
                    threads,
                    simd_level: Some(level),
                    ..Options::default()
                })
                .unwrap()
            };
            let what = format!("{kind}, {len} bodies, {level}");
            let found = Found::by(new(Threads::Calling), &scene);
            let first = first.get_or_insert_with(|| {
                assert_same(&well_formed(&found.pairs, scene.len(), &what), &truth, &what);
                found.clone()
            });
            assert!(found == *first, "{what}: another order");
            assert!(found.each == found.pairs, "{what}: `for_each` in another order");
            assert_eq!(found.counted, truth.len() as u64, "{what}");

            #[cfg(feature = "parallel")]
            for pool in common::pools() {
                let shared = pool.install(|| Found::by(new(Threads::Pool), &scene));
                let threads = pool.current_num_threads();
                assert!(shared == *first, "{what}: another order on {threads} threads");
            }
        }
    }
    // All but the one whose pairs are all there are.
    lens.retain(|&len| len != BODIES);
    assert_eq!(lens, [625]);
}
