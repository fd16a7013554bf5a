//! Poses of all rows in one call: to the last bit the poses that rows get one by one, and all poses
//! or no pose.

use widephase::{
    Detector, Error, Shapes,
    columns::PoseColumns,
    error::{Fault, Field},
    shape::{Capsule, MAX_COORDINATE, Obb, Pose, Rotation, Segment},
};

use common::{
    Rng, assert_contacts,
    crowd::Make,
    poses::{RUNS, columns_of, in_runs, new_poses},
    product,
    rng::cases,
};

/// The calls that move all rows.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Call {
    Poses,
    Columns,
    /// The rotations stay.
    Positions,
}

const CALLS: [Call; 3] = [Call::Poses, Call::Columns, Call::Positions];

impl Call {
    fn set(self, store: &mut Shapes, poses: &[Pose]) -> Result<(), Error> {
        let columns = columns_of(poses);
        let [x, y, cos, sin] = &columns;
        match self {
            Call::Poses => store.set_poses(poses),
            Call::Columns => store.set_poses_from_columns(PoseColumns { x, y, cos, sin }),
            Call::Positions => store.set_positions(x, y),
        }
    }

    /// The poses, row by row.
    fn set_one_by_one(self, store: &mut Shapes, poses: &[Pose]) {
        for (row, &pose) in (0..).zip(poses) {
            let Some(own) = store.pose(row) else { continue };
            let Pose { x, y, .. } = pose;
            let pose = if self == Call::Positions { Pose { x, y, ..own } } else { pose };
            store.set_pose(row, pose).unwrap();
        }
    }
}

/// The pose, the shape and the bounding box of each row as text: numbers that read the same have
/// the same bits.
fn rows(store: &Shapes) -> Vec<String> {
    let row = |row| format!("{:?} {:?} {:?}", store.pose(row), store.get(row), store.bounds(row));
    (0..store.rows() as u32).map(row).collect()
}

/// Compares all rows of two stores, and the results of a detector. Returns the number of contacts.
fn assert_same(found: &Shapes, expected: &Shapes, what: &str) -> usize {
    for (row, (found, expected)) in rows(found).iter().zip(rows(expected)).enumerate() {
        assert_eq!(*found, expected, "{what}, row {row}");
    }
    let [found, expected] = [found, expected].map(|store| {
        let (mut detector, mut pairs, mut contacts) = (Detector::new(), vec![], vec![]);
        detector.pairs(store, &mut pairs).unwrap();
        detector.contacts(store, 0.25, &mut contacts).unwrap();
        (pairs, contacts)
    });
    assert!(found.0 == expected.0, "{what}: the pairs");
    assert_contacts(&found.1, &expected.1, what);
    found.1.len()
}

/// A store of all kinds, or of points and circles: without records, or with records that another
/// shape left. In half of the stores, some rows are vacant.
fn store(seed: u64, rng: &mut Rng) -> Shapes {
    let round: &[&[Make]] = &[&[Make::Point], &[Make::Circle]];
    let mut store = in_runs(seed, 100, if seed % 8 < 5 { &RUNS } else { round });
    if seed % 8 == 5 {
        let turned = Obb::new([0.0, 0.0], [1.0, 0.5], Rotation::from_angle(0.5));
        let row = store.push(turned).unwrap();
        store.remove(row).unwrap();
    }
    for _ in 0..rng.below(2) * 5 {
        let row = rng.below(store.rows() as u64) as u32;
        if store.kind(row).is_some() {
            store.remove(row).unwrap();
        }
    }
    store
}

/// All rows move; some stay; all stay, but for the signs of zeros.
#[test]
fn poses_in_bulk_are_poses_one_by_one() {
    let mut contacts = 0;
    for seed in 0..cases(64) as u64 {
        let mut rng = Rng::new(seed);
        let start = store(seed, &mut rng);
        for call in CALLS {
            let [mut at_once, mut one_by_one] = [start.clone(), start.clone()];
            for (round, stay) in [0, 1, 8, 0, 6, 8].into_iter().enumerate() {
                let poses = new_poses(&one_by_one, &mut rng, stay);
                call.set(&mut at_once, &poses).unwrap();
                call.set_one_by_one(&mut one_by_one, &poses);
                let what = format!("seed {seed}, {call:?}, round {round}");
                contacts += assert_same(&at_once, &one_by_one, &what);
            }
        }
    }
    assert!(contacts > 100_000, "{contacts}");
}

/// The signs of zeros of a pose, of ends and of a direction, where sixteen lines stay.
#[test]
fn lines_that_stay_keep_their_zeros() {
    let lines: [Capsule; 4] = [
        Capsule::new([0.0, 0.0], [2.0, -0.0], 0.5),
        Capsule::new([-0.0, 1.0], [-0.0, -1.0], 0.0),
        Capsule::new([1.0, -0.0], [-1.0, 0.0], 0.25),
        Capsule::new([0.0, -0.0], [0.0, 2.0], 0.5),
    ];
    let mut start = Shapes::new();
    for row in 0..16 {
        let capsule = lines[row % 4];
        match row / 4 % 2 {
            0 => start.push(capsule).unwrap(),
            _ => start.push(Segment::new(capsule.core().a(), capsule.core().b())).unwrap(),
        };
    }
    let mut rng = Rng::new(1);
    for call in CALLS {
        let [mut at_once, mut one_by_one] = [start.clone(), start.clone()];
        for round in 0..8 {
            let poses = new_poses(&one_by_one, &mut rng, if round == 4 { 6 } else { 8 });
            call.set(&mut at_once, &poses).unwrap();
            call.set_one_by_one(&mut one_by_one, &poses);
            assert_same(&at_once, &one_by_one, &format!("{call:?}, round {round}"));
        }
    }
}

/// The first bad pose of a row that is not vacant is named, and no row moves.
#[test]
fn a_bad_pose_moves_no_row() {
    let far = 2.0 * MAX_COORDINATE;
    let mut refused = 0;
    for seed in 0..cases(32) as u64 {
        let mut rng = Rng::new(seed);
        let mut store = store(seed, &mut rng);
        let before = rows(&store);
        let taken: Vec<usize> =
            (0..store.rows()).filter(|row| store.kind(*row as u32).is_some()).collect();
        let values = [
            (Field::X, f32::NAN, Fault::NotANumber),
            (Field::Y, f32::NEG_INFINITY, Fault::Infinite),
            (Field::Y, far, Fault::TooLarge),
            (Field::Cos, f32::NAN, Fault::NotANumber),
            (Field::Sin, f32::INFINITY, Fault::Infinite),
        ];
        for (call, (field, value, fault)) in product((CALLS, values)) {
            if call == Call::Positions && matches!(field, Field::Cos | Field::Sin) {
                continue;
            }
            let mut poses = new_poses(&store, &mut rng, 1);
            let mut any = || taken[rng.below(taken.len() as u64) as usize];
            let places = [any(), any()];
            for place in places {
                let pose = &mut poses[place];
                *match field {
                    Field::X => &mut pose.x,
                    Field::Y => &mut pose.y,
                    Field::Cos => &mut pose.cos,
                    _ => &mut pose.sin,
                } = value;
            }
            let error = call.set(&mut store, &poses).unwrap_err();
            let Error::InvalidShape { index, field: named, value: given, fault: found } = error
            else {
                panic!("{error:?}")
            };
            let first = places[0].min(places[1]);
            assert_eq!((index, named, found), (first, field, fault), "seed {seed}, {call:?}");
            assert_eq!(given.to_bits(), value.to_bits());
            assert_eq!(rows(&store), before, "seed {seed}, {call:?}, {field:?}");
            refused += 1;
        }
    }
    assert!(refused >= 32 * 13, "{refused}");
}
