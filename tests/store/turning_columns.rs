//! Borrowed columns of rotated boxes, capsules and segments: all methods give the results of a
//! store of the same shapes, in the same order, to the last bit, on every SIMD level.
#![allow(clippy::unwrap_used, reason = "a panic is a failed test, in its helpers too")]

use std::fmt::Debug;

use common::{Rng, at_every_level, matrix::on_one_thread, product};
use widephase::{
    Columns, Contact, Detector, Error, Index, IndexOptions, Narrowphase, NarrowphaseOptions,
    Options, Pair, Shapes, SimdLevel, Threads, Touching,
    columns::{ContactColumns, PoseColumns},
    error::{Fault, Field},
    shape::{Capsule, Circle, Obb, Pose, Rotation, Segment},
};

/// The kinds of shapes that columns hold.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Form {
    Obbs,
    Capsules,
    /// Capsules without a length: all of them are circles.
    Round,
    Segments,
}

const FORMS: [Form; 4] = [Form::Obbs, Form::Capsules, Form::Round, Form::Segments];

/// Shapes in columns.
#[derive(Debug, Clone)]
struct World {
    form: Form,
    columns: [Vec<f32>; 6],
}

/// The side of the square for this many shapes, so that each touches about two other shapes.
fn side(n: usize) -> f32 {
    (n as f32).sqrt() * 1.25
}

impl World {
    fn new(form: Form, n: usize, seed: u64) -> Self {
        let mut rng = Rng::new(seed);
        let mut columns = [(); 6].map(|()| Vec::new());
        for row in 0..n {
            let [x, y] = [(); 2].map(|()| rng.range(0.0, side(n)));
            let turn = Rotation::from_angle(rng.range(-3.2, 3.2));
            let [a, b] = [(); 2].map(|()| rng.range(0.0, 0.8));
            let values = if form == Form::Obbs {
                match row % 8 {
                    // Signs of zeros have to be as in a store, too.
                    0 => [x.round(), -0.0, a, 0.0, 1.0, -0.0],
                    1 => [x, y, 0.0, b, -0.0, -1.0],
                    // Brought to length 1.
                    2 => [x, y, a, b, turn.cos * 1.0003, turn.sin * 1.0003],
                    _ => [x, y, a, b, turn.cos, turn.sin],
                }
            } else {
                let length = if row % 8 == 3 || form == Form::Round { 0.0 } else { a };
                let [dx, dy] = turn.apply([length, 0.0]);
                [x - dx, y - dy, x + dx, y + dy, if row % 8 == 5 { 0.0 } else { b * 0.5 }, 0.0]
            };
            for (column, value) in columns.iter_mut().zip(values) {
                column.push(value);
            }
        }
        Self { form, columns }
    }

    fn columns(&self) -> Columns<'_> {
        let [a, b, c, d, e, f] = &self.columns;
        match self.form {
            Form::Obbs => Columns::obbs(a, b, c, d, e, f),
            Form::Capsules | Form::Round => Columns::capsules(a, b, c, d, e),
            Form::Segments => Columns::segments(a, b, c, d),
        }
        .unwrap()
    }

    fn len(&self) -> usize {
        self.columns[0].len()
    }

    /// The shapes as records.
    fn push(&self, row: usize, store: &mut Shapes) -> Result<u32, Error> {
        let [a, b, c, d, e, f] = self.columns.each_ref().map(|column| column[row]);
        match self.form {
            Form::Obbs => store.push(Obb::new([a, b], [c, d], Rotation { cos: e, sin: f })),
            Form::Capsules | Form::Round => store.push(Capsule::new([a, b], [c, d], e)),
            Form::Segments => store.push(Segment::new([a, b], [c, d])),
        }
    }

    fn store(&self) -> Shapes {
        let mut store = Shapes::new();
        for row in 0..self.len() {
            self.push(row, &mut store).unwrap();
        }
        store
    }
}

/// Every value as bits, for numbers that are equal may not be the same.
fn bits(contacts: &[Contact]) -> &[u32] {
    bytemuck::cast_slice(contacts)
}

/// Compares the results of two forms of the same shapes.
fn same<T: PartialEq + Debug>(columns: T, store: T, what: &str) -> T {
    assert!(columns == store, "{what}: of columns {columns:?}, of the store {store:?}");
    columns
}

fn detector(level: SimdLevel, touching: Touching, threads: Threads) -> Detector {
    Detector::with_options(Options {
        simd_level: Some(level),
        touching,
        threads,
        ..Options::default()
    })
    .unwrap()
}

#[test]
fn columns_of_turned_shapes_detect_like_a_store() {
    let (mut pairs_seen, mut contacts_seen) = (0, 0);
    for form in FORMS {
        for n in [1, 37, 3000] {
            let world = World::new(form, n, 7);
            let store = world.store();
            for run in on_one_thread() {
                let what = format!("{n} {form:?}, {run}");
                let margin = *run.of(&[0.25, 0.0]);
                let mut detector = Detector::with_options(run.options()).unwrap();
                let mut ask = |shapes: Columns<'_>| {
                    let (mut pairs, mut contacts, mut called) = Default::default();
                    detector.pairs(shapes, &mut pairs).unwrap();
                    let mut order = Vec::new();
                    detector.grid_order(&mut order);
                    let count = detector.count(shapes).unwrap();
                    assert_eq!(count, pairs.len() as u64, "{what}");
                    detector.for_each_pair(shapes, |pair| Vec::push(&mut called, pair)).unwrap();
                    assert_eq!(pairs, called, "{what}");
                    detector.contacts(shapes, margin, &mut contacts).unwrap();
                    (pairs, order, bits(&contacts).to_vec())
                };
                let [columns, store] = [world.columns(), (&store).into()].map(&mut ask);
                let (pairs, _, contacts) = same(columns, store, &what);
                pairs_seen += pairs.len();
                contacts_seen += contacts.len() / 16;
            }
        }
    }
    assert!(pairs_seen > 20_000 && contacts_seen > 20_000, "{pairs_seen} {contacts_seen}");
}

#[test]
fn static_columns_of_turned_shapes_detect_like_a_store() {
    let mut seen = [0; 2];
    let pools = [Threads::Calling, Threads::Auto];
    for form in FORMS {
        // Enough shapes for several threads, if there are several threads.
        for (n, threads) in [(600, pools[0]), (70_000, pools[1])] {
            let [moving, walls] = [World::new(form, n, 3), World::new(form, n, 4)];
            let [moving_store, wall_store] = [moving.store(), walls.store()];
            let mut detector =
                Detector::with_options(Options { threads, ..Options::default() }).unwrap();
            let mut ask = |[moving, walls]: [Columns<'_>; 2]| {
                let mut level =
                    Index::with_options(IndexOptions { threads, ..IndexOptions::default() })
                        .unwrap();
                level.rebuild(walls).unwrap();
                let (mut pairs, mut hits) = (Vec::new(), Vec::new());
                detector.pairs_and_against(moving, &level, &mut pairs, &mut hits).unwrap();
                let mut contacts = Vec::new();
                detector.contacts((moving, &level), 0.125, &mut contacts).unwrap();
                (pairs, hits, bits(&contacts).to_vec())
            };
            let columns = ask([moving.columns(), walls.columns()]);
            let (_, hits, contacts) =
                same(columns, ask([(&moving_store).into(), (&wall_store).into()]), "static");
            seen[0] += hits.len();
            seen[1] += contacts.len() / 16;
        }
    }
    assert!(seen.iter().all(|&count| count > 100_000), "{seen:?}");
}

at_every_level!(pairs_and_rows_of_the_callers);

fn pairs_and_rows_of_the_callers(level: SimdLevel) {
    const ROWS: usize = 500;
    let mut rng = Rng::new(11);
    let mut seen = [0; 3];
    let worlds: Vec<World> = FORMS.iter().zip(20..).map(|(&f, s)| World::new(f, ROWS, s)).collect();
    let drops = [0, 1, 4].map(|number| worlds[1].columns[number].clone());
    let circles = Columns::circles(&drops[0], &drops[1], &drops[2]).unwrap();
    let stores: Vec<Shapes> = worlds.iter().map(World::store).collect();
    // Columns of rotated shapes and of other shapes, with the same shapes in stores.
    let mut sides: Vec<[Columns<'_>; 2]> =
        worlds.iter().zip(&stores).map(|(world, store)| [world.columns(), store.into()]).collect();
    sides.push([circles; 2]);
    let any = || -> Vec<Pair> {
        let mut row = || rng.below(ROWS as u64) as u32;
        (0..20_000).map(|_| Pair { a: row(), b: row() }).collect()
    };
    let pairs = { any }();
    let mut narrowphase = Narrowphase::with_options(NarrowphaseOptions {
        simd_level: Some(level),
        ..NarrowphaseOptions::default()
    })
    .unwrap();
    for [one, one_stored] in &sides {
        let mut ask = |shapes: Columns<'_>| {
            let (mut hits, mut contacts) = (Vec::new(), Vec::new());
            narrowphase.pairs(shapes, &pairs, &mut hits).unwrap();
            narrowphase.contacts(shapes, &pairs, 0.25, &mut contacts).unwrap();
            (hits, bits(&contacts).to_vec())
        };
        let what = format!("one set, {level}");
        seen[0] += same(ask(*one), ask(*one_stored), &what).0.len();
        for [other, other_stored] in &sides {
            let mut ask = |[a, b]: [Columns<'_>; 2]| {
                let (mut hits, mut contacts) = (Vec::new(), Vec::new());
                narrowphase.pairs_between(a, b, &pairs, &mut hits).unwrap();
                narrowphase.contacts_between(a, b, &pairs, 0.25, &mut contacts).unwrap();
                (hits, bits(&contacts).to_vec())
            };
            let what = format!("two sets, {level}");
            let mixed = ask([*one_stored, *other]);
            let found = same(ask([*one, *other]), ask([*one_stored, *other_stored]), &what);
            seen[1] += same(found, mixed, &what).0.len();
            // Shorter and later ranges than before, so that old rows are around.
            for rows in [0..ROWS, 37..ROWS - 5, 480..ROWS, 16..16, ROWS..ROWS] {
                let mut ask = |[a, b]: [Columns<'_>; 2]| {
                    let (mut mask, mut contacts) = (Vec::new(), ContactColumns::new());
                    narrowphase.row_mask(a, b, rows.clone(), &mut mask).unwrap();
                    narrowphase.row_contacts(a, b, rows.clone(), 8.0, &mut contacts).unwrap();
                    let listed = (0..contacts.len()).map(|row| contacts.get(row).unwrap());
                    (mask, bits(&listed.collect::<Vec<_>>()).to_vec())
                };
                let what = format!("rows {rows:?}, {level}");
                let stored = ask([*one_stored, *other_stored]);
                let (_, contacts) = same(ask([*one, *other]), stored, &what);
                seen[2] += contacts.chunks(16).filter(|contact| contact[7] > 0).count();
            }
        }
    }

    assert!(seen.iter().all(|&count| count > 250), "{seen:?}");
}

at_every_level!(rooms_that_are_used_again);

/// The memory that a narrowphase and a detector keep between calls does not change their results:
/// worlds of several lengths alternate, beside a store with vacant rows, with invalid columns in
/// between.
fn rooms_that_are_used_again(level: SimdLevel) {
    let mut worlds = Vec::new();
    for (seed, n) in [300, 17, 0, 300, 64, 150].into_iter().enumerate() {
        worlds.extend(FORMS.map(|form| World::new(form, n, seed as u64)));
    }
    let mut others = World::new(Form::Obbs, 300, 77).store();
    for row in (0..300).step_by(7) {
        others.remove(row).unwrap();
    }
    let mut bad = World::new(Form::Obbs, 40, 1);
    bad.columns[4][33] = f32::NAN;
    let mut seen = 0;
    let mut narrowphase = Narrowphase::with_options(NarrowphaseOptions {
        simd_level: Some(level),
        ..NarrowphaseOptions::default()
    })
    .unwrap();
    let mut detector = detector(level, Touching::Inclusive, Threads::Calling);
    for world in &worlds {
        let (n, store) = (world.len(), world.store());
        let mut ask = |shapes: Columns<'_>| {
            let (mut pairs, mut mask) = (Vec::new(), Vec::new());
            detector.pairs(shapes, &mut pairs).unwrap();
            let mut found = vec![];
            for rows in [0..n, n / 3..n, 0..n / 2] {
                let mut contacts = ContactColumns::new();
                narrowphase.row_mask(shapes, &others, rows.clone(), &mut mask).unwrap();
                narrowphase.row_contacts(&others, shapes, rows, 2.0, &mut contacts).unwrap();
                let listed = (0..contacts.len()).map(|row| contacts.get(row).unwrap());
                found.push((mask.clone(), bits(&listed.collect::<Vec<_>>()).to_vec()));
            }
            assert!(detector.pairs(bad.columns(), &mut Vec::new()).is_err());
            assert!(narrowphase.pairs(bad.columns(), &[], &mut Vec::new()).is_err());
            (pairs, found)
        };
        let what = format!("{n} {:?}, {level}", world.form);
        seen += same(ask(world.columns()), ask((&store).into()), &what).0.len();
    }
    assert!(seen > 1000, "{seen}");
}

/// The store's own functions take them, too.
#[test]
fn a_store_takes_columns_of_turned_shapes() {
    for form in FORMS {
        let world = World::new(form, 200, 9);
        let expected = world.store();
        let whole = Shapes::from_columns(world.columns()).unwrap();
        let mut listed = Shapes::new();
        let rows: Vec<u32> = (0..200).rev().collect();
        listed.extend_from_rows(world.columns(), &rows).unwrap();
        listed.reorder(&rows).unwrap();
        for store in [&whole, &listed] {
            assert_eq!(store.rows(), 200);
            for row in 0..200 {
                assert_eq!(store.kind(row), expected.kind(row));
                assert_eq!(store.pose(row), expected.pose(row));
                assert_eq!(store.bounds(row), expected.bounds(row));
            }
        }
        let mut world = world;
        world.columns[1][17] = f32::NAN;
        let mut lenient = Shapes::new();
        let rejected = lenient.extend_from_columns_lenient(world.columns()).unwrap();
        assert_eq!(rejected.iter().map(|rejected| rejected.index).collect::<Vec<_>>(), [17]);
        assert_eq!((lenient.rows(), lenient.vacant(), lenient.kind(17)), (200, 1, None));
        assert_eq!(lenient.get(18), expected.get(18));
        let before = lenient.rows();
        lenient.extend_from_columns(world.columns()).unwrap_err();
        lenient.extend_from_rows(world.columns(), &[16, 17]).unwrap_err();
        assert_eq!(lenient.rows(), before);
    }
}

/// An outcome that can be compared: NaN is not equal to itself.
fn told<T>(outcome: Result<T, Error>) -> Result<(), String> {
    outcome.map(|_| ()).map_err(|error| format!("{error:?}"))
}

/// Every bad value is refused by all calls that read it, as a store refuses it, and leaves nothing
/// behind.
#[test]
fn bad_values_are_refused_like_in_a_store() {
    let far = 2.0_f32.powi(60);
    let bad = [f32::NAN, f32::INFINITY, far * 2.0, -far.next_up(), far, -1.0, 0.5];
    let mut refused = 0;
    for form in FORMS {
        let good = World::new(form, 64, 2);
        let fields = match form {
            Form::Obbs => 6,
            Form::Capsules | Form::Round => 5,
            Form::Segments => 4,
        };
        let (mut detector, mut narrowphase) = (Detector::new(), Narrowphase::new());
        let mut statics = Index::build(good.columns()).unwrap();
        for (field, value) in product((0..fields, bad)) {
            let mut world = good.clone();
            world.columns[field][40] = value;
            let mut one = Shapes::new();
            for row in 0..40 {
                world.push(row, &mut one).unwrap();
            }
            let expected = told(world.push(40, &mut one));
            refused += usize::from(expected.is_err());
            let columns = world.columns();
            let mut pairs = vec![Pair { a: 0, b: 1 }];
            assert_eq!(told(detector.pairs(columns, &mut pairs)), expected);
            assert!(pairs.is_empty() || expected.is_ok());
            assert_eq!(told(detector.count(columns)), expected);
            let against = detector.pairs((columns, &statics), &mut pairs);
            assert_eq!(told(against), expected);
            assert_eq!(told(statics.rebuild(columns)), expected);
            assert_eq!(statics.len(), 64);
            assert_eq!(told(narrowphase.pairs(columns, &[], &mut pairs)), expected);
            let mut contacts = ContactColumns::new();
            for (rows, reads) in [(0..40, false), (41..64, false), (40..41, true), (7..64, true)] {
                let expected = if reads { expected.clone() } else { Ok(()) };
                let mut mask = Vec::new();
                let test = narrowphase.row_mask(columns, columns, rows.clone(), &mut mask);
                assert_eq!(told(test), expected);
                let touch = narrowphase.row_contacts(columns, &one, 0..0, 0.0, &mut contacts);
                assert_eq!(touch, Ok(()));
                let touch = narrowphase.row_contacts(columns, columns, rows, 0.0, &mut contacts);
                assert_eq!(told(touch), expected);
            }
            assert_eq!(told(Shapes::from_columns(columns)), expected);
        }
    }
    assert!(refused > 80, "{refused}");
}

#[test]
fn the_first_bad_row_of_the_first_set() {
    let [mut a, mut b] = [World::new(Form::Segments, 8, 1), World::new(Form::Obbs, 8, 1)];
    (a.columns[3][6], b.columns[2][5]) = (f32::NAN, -1.0);
    let mut narrowphase = Narrowphase::new();
    let mut refusal = |a: &World, b: &World| match narrowphase.pairs_between(
        a.columns(),
        b.columns(),
        &[],
        &mut Vec::new(),
    ) {
        Err(Error::InvalidShape { index, field, fault, .. }) => (index, field, fault),
        other => panic!("{other:?}"),
    };
    assert_eq!(refusal(&a, &b), (6, Field::By, Fault::NotANumber));
    assert_eq!(refusal(&b, &a), (5, Field::HalfWidth, Fault::Negative));
}

#[test]
fn columns_of_one_length() {
    let (two, three) = ([0.0; 2], [0.0; 3]);
    let unequal = |field| Error::UnequalColumns { field, len: 3, expected: 2 };
    let refusal = |columns: Result<Columns<'_>, Error>| columns.map(|_| ()).unwrap_err();
    assert_eq!(refusal(Columns::obbs(&two, &two, &two, &two, &two, &three)), unequal(Field::Sin));
    assert_eq!(refusal(Columns::obbs(&two, &two, &two, &three, &two, &two)), {
        unequal(Field::HalfHeight)
    });
    assert_eq!(refusal(Columns::capsules(&two, &two, &two, &two, &three)), unequal(Field::Radius));
    assert_eq!(refusal(Columns::segments(&two, &two, &three, &two)), unequal(Field::Bx));
    assert_eq!(Columns::segments(&two, &two, &two, &two).unwrap().len(), 2);
}

#[test]
fn columns_without_rows_are_valid() {
    let world = World::new(Form::Capsules, 3, 1);
    assert_eq!(world.columns().check().map(|columns| columns.len()), Ok(3));
    for form in FORMS {
        let none = World::new(form, 0, 1);
        let columns = none.columns();
        assert!(columns.is_empty() && columns.check().unwrap().is_empty());
        assert_eq!(Detector::new().count(columns), Ok(0));
        assert!(Index::build(columns).unwrap().is_empty());
        let pair = [Pair { a: 0, b: 0 }];
        let missing = Narrowphase::new().pairs(columns, &pair, &mut Vec::new());
        assert_eq!(missing, Err(Error::NoSuchShape { index: 0, len: 0 }));
    }
    let beyond =
        Narrowphase::new().row_mask(world.columns(), world.columns(), 1..4, &mut Vec::new());
    assert_eq!(beyond, Err(Error::NoSuchShape { index: 3, len: 3 }));
}

at_every_level!(turned_columns_have_the_pairs_by_hand);

/// A box on its corner above another box, a capsule across both and a circle: by hand.
fn turned_columns_have_the_pairs_by_hand(level: SimdLevel) {
    let half = 0.5_f32.sqrt();
    let boxes = [[0.0, 10.0], [0.0, 0.0], [2.0, 1.0], [1.0, 1.0], [1.0, half], [0.0, half]];
    let [x, y, half_width, half_height, cos, sin] = &boxes;
    let boxes = Columns::obbs(x, y, half_width, half_height, cos, sin).unwrap();
    // The first ends a quarter above the first box; the second touches the corner of the other box,
    // at 10 + √2.
    let capsules = [[-1.0, 12.0], [1.5, 1.0], [1.0, 12.0], [1.5, -1.0]];
    let [ax, ay, bx, by] = &capsules;
    let radius = [0.25, 2.0 - 2.0_f32.sqrt() + 0.125];
    let capsules = Columns::capsules(ax, ay, bx, by, &radius).unwrap();
    let mut narrowphase = Narrowphase::with_options(NarrowphaseOptions {
        simd_level: Some(level),
        ..NarrowphaseOptions::default()
    })
    .unwrap();
    let mut contacts = ContactColumns::new();
    narrowphase.row_contacts(boxes, capsules, 0..2, 0.5, &mut contacts).unwrap();
    assert_eq!(contacts.count, [2, 1]);
    assert_eq!((contacts.normal_x[0], contacts.normal_y[0]), (0.0, 1.0));
    // Points are in the middle between the two.
    assert_eq!((contacts.depth[0], contacts.points[0].y[0]), (-0.25, 1.125));
    assert_eq!((contacts.normal_x[1], contacts.normal_y[1]), (1.0, 0.0));
    assert!((contacts.depth[1] - 0.125).abs() < 1e-6, "{:?}", contacts.depth);
    let mut mask = Vec::new();
    narrowphase.row_mask(boxes, capsules, 0..2, &mut mask).unwrap();
    assert_eq!(mask, [0b10]);
}

/// Poses in columns equal the poses of a list, and the poses that rows get one by one.
#[test]
fn poses_in_columns() {
    let mut stores = FORMS.map(|form| World::new(form, 300, 5).store());
    stores[2].push(Circle::new([1.0, 2.0], 3.0)).unwrap();
    stores[2].remove(7).unwrap();
    let mut rng = Rng::new(1);
    for mut store in stores {
        let mut twin = store.clone();
        let pose = |_| {
            let place = [(); 2].map(|()| rng.range(-9.0, 9.0));
            Pose::new(place, Rotation::from_angle(rng.range(-3.2, 3.2)))
        };
        let mut poses: Vec<Pose> = (0..store.rows()).map(pose).collect();
        // The pose of a vacant row is ignored.
        poses[7].x = if store.kind(7).is_none() { f32::NAN } else { 0.0 };
        let columns = |poses: &[Pose]| {
            let column = |value: fn(&Pose) -> f32| poses.iter().map(value).collect::<Vec<f32>>();
            [column(|pose| pose.x), column(|pose| pose.y), column(|p| p.cos), column(|p| p.sin)]
        };
        let columns = columns(&poses);
        let [x, y, cos, sin] = &columns;
        store.set_poses_from_columns(PoseColumns { x, y, cos, sin }).unwrap();
        // One by one, which is no lane of sixteen.
        for (row, &pose) in (0..).zip(&poses) {
            if twin.kind(row).is_some() {
                twin.set_pose(row, pose).unwrap();
            }
        }
        let all = |store: &Shapes| -> Vec<_> {
            (0..store.rows() as u32).map(|row| (store.pose(row), store.bounds(row))).collect()
        };
        assert_eq!(all(&store), all(&twin));
        for (row, bad) in [(3, f32::NAN), (299, 2.0)] {
            let mut cos = cos.clone();
            cos[row] = bad;
            let cos = &cos;
            let mut poses = poses.clone();
            poses[row].cos = bad;
            let refused = store.set_poses_from_columns(PoseColumns { x, y, cos, sin });
            assert!(matches!(refused, Err(Error::InvalidShape { index, .. }) if index == row));
            assert_eq!(told(refused), told(twin.set_poses(&poses)));
            assert_eq!(all(&store), all(&twin));
        }
        let short = &sin[1..];
        let (len, expected) = (short.len(), store.rows());
        let unequal = Error::UnequalColumns { field: Field::Sin, len, expected };
        let refused = store.set_poses_from_columns(PoseColumns { x, y, cos, sin: short });
        assert_eq!(refused, Err(unequal));
    }
}
