//! When work is split over threads.

use super::{PARALLEL_BODIES, uses_pool};
use crate::Threads;

/// Below 65,536 bodies, `Threads::Auto` is the calling thread, whatever pool the call is in. From
/// there on it is the pool, unless that has only one thread.
#[cfg(feature = "parallel")]
#[test]
fn few_bodies_stay_on_the_calling_thread() {
    assert_eq!(PARALLEL_BODIES, 65_536, "as the documents say");
    for threads in [1, 2, 3] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let split = |asked| (0..200_000).filter(move |&items| uses_pool(asked, items));
            assert_eq!(split(Threads::Calling).count(), 0);
            if threads == 1 {
                assert_eq!(split(Threads::Auto).count() + split(Threads::Pool).count(), 0);
            } else {
                assert!(split(Threads::Auto).eq(65_536..200_000), "{threads} threads");
                assert!(split(Threads::Pool).eq(0..200_000), "{threads} threads");
            }
        });
    }
}

/// And so do the whole detection and the sorting of a static set: each leaves the memory of a sort
/// on one thread, to the byte, and not the workspace of a sort on several threads.
#[cfg(feature = "parallel")]
#[test]
fn few_bodies_are_sorted_on_the_calling_thread() {
    use crate::{
        Detector, Index, IndexOptions, Options,
        scene::{Scene, SceneKind},
    };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
    for len in [2, 3, 17, 100, 1_000, 10_000, 65_535, 65_536] {
        let scene = Scene::generate(SceneKind::UniformCircles, len, 1);
        let detection = |asked| {
            let (mut detector, mut pairs) = (
                Detector::with_options(Options { threads: asked, ..Options::default() }).unwrap(),
                Vec::new(),
            );
            pool.install(|| detector.pairs(scene.columns(), &mut pairs).unwrap());
            detector.bytes()
        };
        let sorting = |asked| {
            let mut set =
                Index::with_options(IndexOptions { threads: asked, ..IndexOptions::default() })
                    .unwrap();
            pool.install(|| set.rebuild(scene.columns()).unwrap());
            set.bytes()
        };
        for (bytes, copied) in [(&detection as &dyn Fn(Threads) -> usize, 0), (&sorting, 24)] {
            let [auto, calling, shared] =
                [Threads::Auto, Threads::Calling, Threads::Pool].map(bytes);
            if len <= copied {
                // An index of few shapes is a copy, which no thread sorts.
                assert_eq!([auto, calling], [shared; 2], "{len} bodies");
                continue;
            }
            assert_ne!(calling, shared, "{len} bodies: nothing would tell the threads");
            assert_eq!(auto, if len < 65_536 { calling } else { shared }, "{len} bodies");
        }
    }
}

/// Without the feature nothing is split.
#[cfg(not(feature = "parallel"))]
#[test]
fn nothing_is_split_without_threads() {
    for items in [0, 2, PARALLEL_BODIES, 1_000_000] {
        for asked in [Threads::Auto, Threads::Pool, Threads::Calling] {
            assert!(!uses_pool(asked, items), "{items} bodies, {asked:?}");
        }
    }
}
