//! How much memory a detector holds, by the allocator's own count: at most 100 bytes a body, as
//! much as it says, and from some steps on not a byte more, for every kind of scene.
//!
//! Only with the feature `parallel`, because a detector on the calling thread holds the same memory
//! without it.
#![cfg(feature = "parallel")]
#![allow(clippy::unwrap_used, reason = "a panic is a failed test, in its helpers too")]

#[path = "counting.rs"]
mod counting;

use common::scene::{Motion, Scene, SceneKind};
use counting::{COUNTED, alone, used};
use widephase::{
    Columns, Contact, Detector, Displacements, Error, Filter, Index, IndexOptions, Lists, Options,
    Order, Pair, Queries, Shapes, SimdLevel, Threads,
    options::{CandidateLists, CellSize},
    shape::{Circle, MAX_COORDINATE, Point, RoundedBox},
};

/// The bodies of a scene: fewer in the scene where all bodies touch each other.
fn bodies(kind: SceneKind) -> u32 {
    if kind == SceneKind::Coincident { 2_000 } else { 100_000 }
}

/// The bytes that a detector may hold for the bodies of a scene.
fn limit(scene: &Scene) -> usize {
    scene.len() * 100
}

/// The bytes of a list of pairs.
fn bytes(pairs: &Vec<Pair>) -> usize {
    pairs.capacity() * size_of::<Pair>()
}

/// A scene in its second step, a detector that has seen the first, and its list.
fn warm(kind: SceneKind, motion: Motion) -> (Scene, Detector, Vec<Pair>) {
    let mut scene = Scene::generate(kind, bodies(kind), 5).with_motion(motion);
    let (mut detector, mut pairs) = (
        Detector::with_options(Options { threads: Threads::Calling, ..Options::default() })
            .unwrap(),
        Vec::new(),
    );
    for _ in 0..2 {
        scene.step();
        detector.pairs(scene.columns(), &mut pairs).unwrap();
    }
    (scene, detector, pairs)
}

/// Asserts at most 100 bytes a body at any moment, and that the detector reports all bytes that it
/// holds. Returns the bytes a body that it took to count the pairs of the scene.
fn check_scratch(kind: SceneKind, bodies: u32, level: SimdLevel) -> usize {
    let mut scene = Scene::generate(kind, bodies, 5).with_motion(Motion::Settle);
    let new = || {
        Detector::with_options(Options {
            threads: Threads::Calling,
            simd_level: Some(level),
            ..Options::default()
        })
        .unwrap()
    };
    let limit = limit(&scene);
    let (mut detector, mut pairs) = (new(), Vec::new());
    let mut held = 0;
    for _ in 0..4 {
        let step = used(|| detector.pairs(scene.columns(), &mut pairs).unwrap());
        held += step.held;
        assert_eq!(held, detector.bytes() + bytes(&pairs), "{kind}: not all is told");
        assert!(detector.bytes() <= limit, "{kind}");
        scene.step();
    }
    let mut detector = new();
    let count = used(|| assert!(detector.count(scene.columns()).is_ok()));
    assert_eq!(count.held, detector.bytes(), "{kind}: not all is told");
    assert!(count.peak <= limit, "{kind}: {} bytes a body", count.peak / scene.len());

    let mut detector = new();
    let each = used(|| assert!(detector.for_each_pair(scene.columns(), |_| ()).is_ok()));
    assert_eq!(each.held, detector.bytes(), "{kind}: not all is told");
    assert!(each.peak <= limit, "{kind}: {} bytes a body", each.peak / scene.len());
    count.held.div_ceil(scene.len())
}

/// The sort takes one step, except on SIMD levels without prefetch.
#[test]
fn scratch_of_every_scene() {
    let _turn = alone();
    // The memory that the standard library keeps for itself when it first looks for a level.
    let level = SimdLevel::preferred().unwrap();
    let most = SceneKind::ALL.map(|kind| check_scratch(kind, bodies(kind), level));
    let asks = match level {
        SimdLevel::Scalar => false,
        SimdLevel::Portable => cfg!(target_arch = "x86_64"),
        _ => true,
    };
    assert_eq!(most.into_iter().max(), Some(if asks { 76 } else { TWO_STEPS_MOST }));
}

/// The sort takes two steps on all levels. (Of scenes that are not sorted before, and have not all
/// pairs that there are.)
#[test]
fn scratch_of_every_scene_that_takes_two_steps() {
    let _turn = alone();
    let level = SimdLevel::preferred().unwrap();
    let takes_one =
        |kind| matches!(kind, SceneKind::Sorted | SceneKind::Reversed | SceneKind::Coincident);
    let kinds = SceneKind::ALL.into_iter().filter(|&kind| !takes_one(kind));
    let most: Vec<usize> = kinds.map(|kind| check_scratch(kind, 200_000, level)).collect();
    assert_eq!(most.len(), 19);
    assert_eq!(most.into_iter().max(), Some(TWO_STEPS_MOST));
}

/// The most bytes a body that a sort in two steps takes.
const TWO_STEPS_MOST: usize = 67;

/// The boxes around the bodies of a scene by centres and half sizes.
#[derive(Default)]
struct Centered([Vec<f32>; 4]);

impl Centered {
    fn of(scene: &Scene) -> Self {
        let mut columns = Self::default();
        for body in scene.rounded_boxes() {
            let [half_width, half_height] =
                [body.max_x - body.min_x, body.max_y - body.min_y].map(|size| size * 0.5);
            let row = [
                body.min_x + half_width,
                body.min_y + half_height,
                half_width + body.radius,
                half_height + body.radius,
            ];
            for (column, value) in columns.0.iter_mut().zip(row) {
                column.push(value.min(MAX_COORDINATE * 0.5));
            }
        }
        columns
    }

    /// The first rows.
    fn columns(&self, rows: usize) -> Columns<'_> {
        let [x, y, half_width, half_height] = self.0.each_ref().map(|column| &column[..rows]);
        Columns::centered(x, y, half_width, half_height).unwrap()
    }
}

/// Contacts of axis-aligned shapes need a number for each place: still at most 100 bytes a body,
/// and the block of pairs in work. With a margin they need columns of radii and, if only centres
/// are given, of sides: 27 bytes more. So do the contacts of a world that has grown.
#[test]
fn scratch_of_contacts() {
    let _turn = alone();
    let level = SimdLevel::preferred().unwrap();
    for kind in SceneKind::ALL.into_iter().filter(|kind| !kind.turns()) {
        let scene = Scene::generate(kind, bodies(kind), 5);
        let centered = Centered::of(&scene);
        for (margin, form) in [(0.0, "own"), (0.01, "own"), (0.0, "centered"), (0.01, "centered")] {
            let what = format!("{kind}, margin {margin}, {form}");
            let mut detector = Detector::with_options(Options {
                threads: Threads::Calling,
                simd_level: Some(level),
                ..Options::default()
            })
            .unwrap();
            let mut contacts = Vec::new();
            let mut held = 0;
            for share in [5, 8] {
                let columns = match form {
                    "own" => scene.columns(),
                    _ => centered.columns(scene.len() * share / 8),
                };
                held += used(|| detector.contacts(columns, margin, &mut contacts).unwrap()).held;
                let list = contacts.capacity() * size_of::<Contact>();
                assert_eq!(held, detector.bytes() + list, "{what}: not all is told");
            }
            let columns_of_radii = if margin > 0.0 { 27 * scene.len() } else { 0 };
            let (held, most) = (detector.bytes(), limit(&scene) + columns_of_radii + 60_000);
            assert!(held <= most, "{what}: {held} bytes, at most {most}");
        }
    }
}

/// A store with a vacant row is closed up first: into five columns and a list of rows, and an
/// eighth that the next steps may need.
#[test]
fn scratch_of_a_store_with_a_vacant_row() {
    let scene = Scene::generate(SceneKind::MixedCirclesBoxes, (1 << 17) + 1, 5);
    let mut shapes = Shapes::from_slice(&scene.rounded_boxes()).unwrap();
    let scratch = |shapes: &Shapes| {
        let mut detector =
            Detector::with_options(Options { threads: Threads::Calling, ..Options::default() })
                .unwrap();
        detector.count(shapes).unwrap();
        detector.bytes()
    };
    let closed = scratch(&shapes);
    shapes.extend_from_slice_lenient(&[Circle::new([0.0, 0.0], -1.0)]).unwrap();
    let more = scratch(&shapes) - closed;
    assert!((26 * scene.len()..=27 * scene.len()).contains(&more), "{more}");
}

/// Borrowed columns of rotated shapes are placed first: 52 bytes a shape for the bounding boxes and
/// the placed shapes, and an eighth that the next steps may need.
#[test]
fn scratch_of_columns_that_turn() {
    let _turn = alone();
    let scene = Scene::generate(SceneKind::UniformCircles, (1 << 17) + 1, 5);
    let bodies = scene.rounded_boxes();
    let column = |value: fn(&RoundedBox) -> f32| bodies.iter().map(value).collect::<Vec<f32>>();
    let (x, y, radius) = (column(|b| b.min_x), column(|b| b.min_y), column(|b| b.radius));
    let (cos, sin) = (vec![0.6; bodies.len()], vec![0.8; bodies.len()]);
    let columns = Columns::obbs(&x, &y, &radius, &radius, &cos, &sin).unwrap();
    let level = SimdLevel::preferred().unwrap();
    let mut detector = Detector::with_options(Options {
        threads: Threads::Calling,
        simd_level: Some(level),
        ..Options::default()
    })
    .unwrap();
    let held = used(|| assert!(detector.count(columns).is_ok())).held;
    assert_eq!(held, detector.bytes(), "not all is told");
    let store = Shapes::from_columns(columns).unwrap();
    let mut of_store = Detector::with_options(Options {
        threads: Threads::Calling,
        simd_level: Some(level),
        ..Options::default()
    })
    .unwrap();
    of_store.count(&store).unwrap();
    let more = held - of_store.bytes();
    assert!((58 * bodies.len()..=59 * bodies.len()).contains(&more), "{more}");
    let mut set = None;
    let held = used(|| {
        let mut placed = Index::with_options(IndexOptions {
            threads: Threads::Calling,
            ..IndexOptions::default()
        })
        .unwrap();
        placed.rebuild(columns).unwrap();
        set = Some(placed);
    });
    let told = set.map(|set| set.bytes());
    assert_eq!(Some(held.held), told, "a static set: not all is told");
}

/// A call with displacements keeps boxes around the paths, and the pairs of boxes that meet. The
/// detector reports all this memory, and a new detector holds nothing.
#[test]
fn scratch_of_displacements() {
    let _turn = alone();
    let scene = Scene::generate(SceneKind::UniformCircles, 1 << 16, 5);
    let bodies = scene.rounded_boxes();
    let column = |value: fn(&RoundedBox) -> f32| bodies.iter().map(value).collect::<Vec<f32>>();
    let (x, y, radius) = (column(|b| b.min_x), column(|b| b.min_y), column(|b| b.radius));
    let circles = Columns::circles(&x, &y, &radius).unwrap();
    let (mut dx, dy) = (vec![0.1; x.len()], vec![0.2; x.len()]);
    dx[0] = scene.half_world();
    let options = Options { threads: Threads::Calling, ..Options::default() };
    let new = || Detector::with_options(options).unwrap();
    // The thread keeps a workspace for contacts.
    new()
        .swept_pairs(
            circles,
            Displacements { x: &dx, y: &dy, ..Displacements::default() },
            &mut Vec::new(),
        )
        .unwrap();
    let mut detector = None;
    assert_eq!(used(|| detector = Some(new())).held, 0);
    let (mut detector, mut impacts) = (detector.unwrap(), Vec::new());
    let held = used(|| {
        detector
            .swept_pairs(
                circles,
                Displacements { x: &dx, y: &dy, ..Displacements::default() },
                &mut impacts,
            )
            .unwrap();
    });
    let list = impacts.capacity() * size_of::<widephase::Impact>();
    assert_eq!(held.held, detector.bytes() + list, "not all is told");
    let most = 150 * x.len() + (4 << 20);
    assert!(detector.bytes() <= most, "{}", detector.bytes());
}

/// Bodies, some of which are crowded in one place. The other bodies are so far from them and from
/// each other that the grid is helical: its first row of cells, from the origin on, has ghosts.
struct Crowd([Vec<f32>; 5]);

impl Crowd {
    /// `crowd` of the `bodies` are in a box with these sides from `corner` on. The other bodies are
    /// spread thinly, and the last body is far away. The sizes alternate.
    fn new(bodies: usize, crowd: usize, corner: f32, sides: [f32; 2], sizes: &[f32]) -> Self {
        let mut columns = [(); 5].map(|()| Vec::new());
        // Steps by the golden section, and by its square.
        let part = |row: usize, step: f64| (row as f64 * step).fract() as f32;
        for row in 0..bodies {
            let parts = [part(row, 0.618_033_988_75), part(row, 0.754_877_666_25)];
            let [x, y] = if row + 1 == bodies {
                [MAX_COORDINATE / 2.0; 2]
            } else if row * crowd / bodies < (row + 1) * crowd / bodies {
                [0, 1].map(|axis| corner + sides[axis] * parts[axis])
            } else {
                parts.map(|part| 1e7 * (part - 0.5))
            };
            let half = sizes[row % sizes.len()] / 4.0;
            for (column, value) in columns.iter_mut().zip([x, y, x + half, y + half, half]) {
                column.push(value);
            }
        }
        Self(columns)
    }

    /// As circles, as boxes and as rounded boxes.
    fn forms(&self) -> [(&'static str, Columns<'_>); 3] {
        let [x, y, max_x, max_y, radius] = &self.0;
        [
            ("circles", Columns::circles(x, y, radius).unwrap()),
            ("boxes", Columns::aabbs(x, y, max_x, max_y).unwrap()),
            ("rounded", Columns::rounded_boxes(x, y, max_x, max_y, radius).unwrap()),
        ]
    }
}

/// Crowds that lie where cells are repeated, and the same crowds a few rows up, and elsewhere: how
/// many bodies, some of them in the crowd, in a box of which sides, of which sizes, in which cells.
/// In one cell, in a row of them, on several levels.
fn crowds() -> Vec<(String, usize, CellSize, [Crowd; 3])> {
    let mut crowds = Vec::new();
    let mut add = |bodies, crowd, sides: [f32; 2], sizes: &[f32], cells| {
        let what = format!("{bodies} bodies, {crowd} in {sides:?}, of {sizes:?}, {cells:?}");
        let at = |corner| Crowd::new(bodies, crowd, corner, sides, sizes);
        crowds.push((what, bodies, cells, [0.25, 3.25, 1000.25].map(at)));
    };
    let (tiny, several) = ([1e-6], [1e-3, 1e-6, 0.1, 0.01]);
    for bodies in [4_000, 10_000] {
        add(bodies, bodies, [0.0; 2], &[1.0], CellSize::Auto);
        add(bodies, bodies, [0.5; 2], &tiny, CellSize::Fixed(1.0));
        add(bodies, bodies / 2, [0.5; 2], &tiny, CellSize::Fixed(1.0));
        add(bodies, bodies / 2, [0.0; 2], &tiny, CellSize::Auto);
        add(bodies, bodies, [0.5; 2], &several, CellSize::Fixed(1.0));
    }
    for (bodies, across) in [(40_000, 200.0), (200_000, 500.0)] {
        add(bodies, bodies, [across, 0.5], &tiny, CellSize::Fixed(1.0));
        add(bodies, bodies / 2, [across, 0.5], &several, CellSize::Fixed(1.0));
    }
    crowds
}

/// Cells are repeated with their bodies, but not with a crowd of them, wherever it is: it takes an
/// eighth more than elsewhere at most. In one step and in two.
#[test]
fn scratch_of_crowds() {
    let _turn = alone();
    let preferred = SimdLevel::preferred().unwrap();
    for (what, bodies, cells, crowds) in crowds() {
        let levels = [preferred, SimdLevel::Scalar];
        // On the scalar level, the sort takes two steps much earlier.
        for level in &levels[..if bodies == 40_000 { 2 } else { 1 }] {
            let bytes = |columns: Columns<'_>| {
                let mut detector = Detector::with_options(Options {
                    threads: Threads::Calling,
                    simd_level: Some(*level),
                    cell_size: cells,
                    ..Options::default()
                })
                .unwrap();
                let count = used(|| assert!(detector.count(columns).is_ok()));
                assert_eq!(count.held, detector.bytes(), "{what}: not all is told");
                count.peak
            };
            let crowds = crowds.each_ref().map(Crowd::forms);
            for (form, (name, _)) in crowds[0].into_iter().enumerate() {
                let bytes = crowds.each_ref().map(|forms| bytes(forms[form].1));
                let what = format!("{what}, {name}, {level}: {bytes:?} bytes");
                let most = bytes[2] + bytes[2] / 8 + FEW_GHOSTS;
                assert!(bytes.into_iter().all(|held| held <= most.min(100 * bodies)), "{what}");
            }
        }
    }
}

/// The memory that ghosts may take in any case.
const FEW_GHOSTS: usize = 32 * 68;

/// The limit on two threads, which always take two steps.
#[test]
fn scratch_of_crowds_on_two_threads() {
    let _turn = alone();
    let pool = pool_of_two();
    for (what, bodies, cells, crowds) in crowds() {
        for (form, columns) in crowds.each_ref().map(Crowd::forms).into_iter().flatten() {
            let mut detector = Detector::with_options(Options {
                threads: Threads::Pool,
                cell_size: cells,
                ..Options::default()
            })
            .unwrap();
            let count = used(|| assert!(pool.install(|| detector.count(columns)).is_ok()));
            let bytes = count.peak;
            assert!(bytes <= 100 * bodies + QUEUES, "{what}, {form}: {bytes} bytes");
        }
    }
}

/// An empty index that makes candidate lists at these times.
fn listing(candidate_lists: CandidateLists) -> Index {
    Index::with_options(IndexOptions { candidate_lists, ..IndexOptions::default() }).unwrap()
}

/// Indexes of crowds: the placed shapes, and the same bytes as for detectors. Helical levels have
/// no candidate lists.
#[test]
fn static_sets_of_crowds() {
    let _turn = alone();
    SimdLevel::preferred().unwrap();
    for (what, bodies, _, crowds) in crowds() {
        if bodies > FIXED as usize {
            continue;
        }
        for (form, columns) in crowds.each_ref().map(Crowd::forms).into_iter().flatten() {
            for lists in [CandidateLists::Never, CandidateLists::Always] {
                let mut set = None;
                let built = used(|| {
                    let set = set.insert(listing(lists));
                    set.rebuild(columns).unwrap();
                });
                let mut set = set.unwrap();
                assert_eq!(built.held, set.bytes(), "{what}, {form}: not all is told");
                let bytes = built.peak;
                assert!(bytes <= 136 * bodies, "{what}, {form}, {lists:?}: {bytes} bytes");
                assert_eq!(used(|| set.rebuild(columns).unwrap()).calls, 0, "{what}: rebuilt");
            }
        }
    }
}

/// Static bodies: so few that only the calling thread sorts them.
const FIXED: u32 = 30_000;

/// An index reports the bytes that it holds, and keeps the memory for the next rebuild.
#[test]
fn static_sets_of_every_scene() {
    let _turn = alone();
    SimdLevel::preferred().unwrap();
    let mut with_halos = 0;
    for kind in SceneKind::ALL {
        let scene = Scene::generate(kind, bodies(kind).min(FIXED), 6);
        let mut plain = None;
        let built = used(|| {
            let plain = plain.insert(listing(CandidateLists::Never));
            plain.rebuild(scene.columns()).unwrap();
        });
        let mut plain = plain.unwrap();
        assert_eq!(built.held, plain.bytes(), "{kind}: not all is told");
        // A copy of the store if shapes are rotated, else the placed shapes; and the memory of a
        // detector.
        let shapes = scene.shapes().map_or(36 * scene.len(), Shapes::bytes);
        let most = shapes + 100 * scene.len();
        assert!(built.peak <= most, "{kind}: {} of {most} bytes", built.peak);
        assert_eq!(used(|| plain.rebuild(scene.columns()).unwrap()).calls, 0, "{kind}: rebuilt");
        let mut set = None;
        let built = used(|| {
            let set = set.insert(listing(CandidateLists::Always));
            set.rebuild(scene.columns()).unwrap();
        });
        let mut set = set.unwrap();
        assert_eq!(built.held, set.bytes(), "{kind}: not all is told of candidate_lists");
        let most = plain.bytes() + (256 + 14) * scene.len();
        assert!(built.peak <= most, "{kind}: {} of {most} bytes with candidate_lists", built.peak);
        with_halos += usize::from(set.bytes() > plain.bytes() + 64 * scene.len());
        assert_eq!(used(|| set.rebuild(scene.columns()).unwrap()).calls, 0, "{kind}: rebuilt");

        let (mut moving, mut detector, mut pairs) = warm(kind, Motion::Drift);
        let mut hits = Vec::new();
        for step in 0..6 {
            moving.step();
            let lists = [bytes(&pairs), bytes(&hits)];
            let step_used = used(|| {
                detector.pairs_and_against(moving.columns(), &set, &mut pairs, &mut hits).unwrap();
            });
            let grown = [bytes(&pairs), bytes(&hits)].into_iter().zip(lists).filter(|(a, b)| a > b);
            // The schedule of the first step, and the list of hits.
            let quiet = step_used.calls == grown.count();
            assert!(step == 0 || quiet, "{kind}, step {step}: {step_used:?}");
        }

        // Contacts with them need placed shapes: the placed shapes of the store, or an eighth more
        // than 32 bytes for each.
        let mut detector =
            Detector::with_options(Options { threads: Threads::Calling, ..Options::default() })
                .unwrap();
        let mut contacts = Vec::new();
        detector.pairs((moving.columns(), &set), &mut hits).unwrap();
        let without = detector.bytes();
        detector.contacts((moving.columns(), &set), 0.0, &mut contacts).unwrap();
        let more = detector.bytes() - without;
        let placed = if kind.turns() { 0 } else { 36 * moving.len() };
        assert!(more <= placed + 400_000, "{kind}: {more} bytes for contacts");
    }
    // The scenes that fill a plane, not too densely.
    assert_eq!(with_halos, 10);
}

/// Bodies move, and nothing is allocated; but for a longer list where there are more pairs than at
/// first.
#[test]
fn every_scene_that_moves() {
    let _turn = alone();
    for kind in SceneKind::ALL {
        for motion in Motion::ALL {
            let (mut scene, mut detector, mut pairs) = warm(kind, motion);
            let at_first = pairs.len();
            for step in 0..5 {
                scene.step();
                let room = pairs.capacity();
                let used = used(|| detector.pairs(scene.columns(), &mut pairs).unwrap());
                let grown = pairs.len() > at_first && pairs.capacity() > room;
                let at = format!("{kind}, {motion}, step {step}: {used:?}");
                assert_eq!(used.calls, usize::from(grown), "{at}");
            }
        }
    }
}

/// Bytes that rayon may take for its queues, now and then.
const QUEUES: usize = 8_000;

/// Two threads that are counted.
fn pool_of_two() -> rayon::ThreadPool {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(2);
    let pool = pool.start_handler(|_| COUNTED.set(true)).exit_handler(|_| COUNTED.set(false));
    pool.build().unwrap()
}

/// On two threads, each task has a buffer of its own for the pairs that it finds: at most twice its
/// pairs, as a list that grows has, and two blocks of 2^12 pairs for the 2^12 bodies that a task
/// has at least. All else is as on one thread. By the memory that both threads take from the
/// allocator, and by the number of the detector.
#[test]
fn scratch_on_two_threads() {
    let _turn = alone();
    let pool = pool_of_two();
    let level = SimdLevel::preferred().unwrap();
    for kind in SceneKind::ALL {
        let mut scene = Scene::generate(kind, bodies(kind), 5);
        let new = || {
            Detector::with_options(Options {
                threads: Threads::Pool,
                simd_level: Some(level),
                ..Options::default()
            })
            .unwrap()
        };
        let is_told = |held: usize, told: usize, call: &str| {
            let apart = held.abs_diff(told);
            assert!(apart <= QUEUES, "{kind}, {call}: {held} bytes held, {told} told");
        };
        let (mut detector, mut pairs) = (new(), Vec::new());
        let mut held = 0_usize;
        for _ in 0..4 {
            let columns = scene.columns();
            let step = used(|| pool.install(|| detector.pairs(columns, &mut pairs).unwrap()));
            held = held.wrapping_add(step.held);
            is_told(held, detector.bytes() + bytes(&pairs), "detect");
            scene.step();
        }

        let mut counting = new();
        let count = used(|| {
            let found = pool.install(|| counting.count(scene.columns()));
            assert!(found.is_ok());
        });
        let (without, peak) = (counting.bytes(), count.peak);
        is_told(count.held, without, "count");
        assert!(peak <= limit(&scene) + QUEUES, "{kind}: {} bytes a body", peak / scene.len());
        let buffers = detector.bytes() - without;
        let most = size_of::<Pair>() * (2 * pairs.len() + 2 * scene.len()) + 200_000;
        assert!(buffers <= most, "{kind}: {buffers} bytes in buffers, at most {most}");
    }
}

/// A batch whose lists are too long stops to list, and counts: 256 million hits, of which a list
/// would take a gigabyte.
#[test]
fn overlaps_beyond_their_limit() {
    let _turn = alone();
    let (zeros, limit) = (vec![0.0; 1 << 14], 100_000);
    let points = Columns::points(&zeros, &zeros).unwrap();
    for threads in [Threads::Calling, Threads::Pool] {
        let options = IndexOptions { threads, max_pairs: limit, ..IndexOptions::default() };
        let mut index = Index::with_options(options).unwrap();
        index.rebuild(points).unwrap();
        let mut lists = Lists::new();
        let used = used(|| {
            let listed = index.overlapping_batch(points, &mut lists);
            let error = Error::TooManyPairs { limit, found: 1 << 28 };
            assert_eq!(listed, Err(error));
        });
        // 40 bytes a query, and on each thread a block of hits beyond the limit.
        assert!(used.peak < 6_000_000, "{threads:?}: {} bytes", used.peak);
    }
}

/// A unit looks for the nearest unit of the other army, which is far away: the memory of the search
/// tells how many units it has looked at.
#[test]
fn a_filtered_search_looks_at_as_little_in_a_large_army() {
    let _turn = alone();
    let far = |owned: bool, units: usize| {
        let side = (units as f32).sqrt();
        let at = |number: usize| [number as f32 % side, (number as f32 / side).floor()];
        let (mut x, mut y, mut filters) = (Vec::new(), Vec::new(), Vec::new());
        for number in 0..2 * units {
            let army = number % 2;
            let [column, row] = at(number / 2);
            x.push(column + army as f32 * 100.0 * side);
            y.push(row);
            let filter = Filter::new(1 << army, 2 >> army);
            filters.push(if owned { Filter::ALL.owned_by(1 + army as u32) } else { filter });
        }
        let columns = Columns::points(&x, &y).unwrap().with_filters(&filters).unwrap();
        let index = Index::build(columns).unwrap();
        let (seen, unit) = (index.filtered(filters[0]), Point::new([0.0, 0.0]));
        let nearest = || seen.nearest(unit, f32::INFINITY).unwrap();
        assert_eq!(nearest().unwrap().row, 1);
        let of_one = used(|| assert!(nearest().is_some())).peak;
        let mut k = Vec::with_capacity(64);
        let of_some = used(|| seen.k_nearest(unit, 8, f32::INFINITY, &mut k).unwrap()).peak;
        let mut iter = seen.nearest_iter(unit, f32::INFINITY).unwrap();
        let of_iter = used(|| assert!(iter.next().is_some())).peak;
        [of_one, of_some, of_iter]
    };
    for owned in [false, true] {
        for (few, many) in far(owned, 1000).into_iter().zip(far(owned, 32_000)) {
            assert!(many < few + (1 << 13), "{few} and {many} bytes, owned: {owned}");
        }
    }
}

/// Beyond its limit a list is of no use: it does not grow much beyond, and its memory is given
/// back.
#[test]
fn a_list_beyond_its_limit_is_given_back() {
    let _turn = alone();
    let (zeros, limit) = (vec![0.0; 3000], 1_000_000);
    let spaces: Vec<u32> = (0..3000).map(|row| row % 2).collect();
    let points = Columns::points(&zeros, &zeros).unwrap();
    let cases = [(points, 3000 * 2999 / 2), (points.with_spaces(&spaces).unwrap(), 1500 * 1499)];
    for (columns, found) in cases {
        for order in [Order::Grid, Order::Sorted] {
            let threads = Threads::Calling;
            let options = Options { threads, order, max_pairs: limit, ..Options::default() };
            let mut detector = Detector::with_options(options).unwrap();
            let mut pairs = Vec::new();
            let used = used(|| {
                let listed = detector.pairs(columns, &mut pairs);
                assert_eq!(listed, Err(Error::TooManyPairs { limit, found }));
            });
            // While a list doubles, the old and the new list are held.
            let list = limit as usize * size_of::<Pair>();
            assert!(used.peak < 2 * list + 1_000_000, "{} bytes", used.peak);
            assert!(used.held < 1_000_000 && pairs.capacity() == 0, "{} bytes", used.held);
        }
    }
}

/// Below 65,536 bodies, a detection and the sorting of a static set leave the memory of a sort on
/// one thread, to the byte, and not the workspace of a sort on several threads.
#[test]
fn few_bodies_are_sorted_on_the_calling_thread() {
    let _turn = alone();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
    for len in [2, 3, 17, 100, 1_000, 10_000, 65_535, 65_536] {
        let scene = Scene::generate(SceneKind::UniformCircles, len, 1);
        let detection = |threads| {
            let options = Options { threads, ..Options::default() };
            let (mut detector, mut pairs) =
                (Detector::with_options(options).unwrap(), Vec::<Pair>::new());
            pool.install(|| detector.pairs(scene.columns(), &mut pairs).unwrap());
            detector.bytes()
        };
        let sorting = |threads| {
            let options = IndexOptions { threads, ..IndexOptions::default() };
            let mut set = Index::with_options(options).unwrap();
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
