//! New poses for the rows of a store, and stores in which many rows of a kind follow each other.

use widephase::{
    Shapes,
    shape::{Kind, Pose, Rotation},
};

use super::{
    Rng,
    crowd::{Make, Maker, Numbers},
};

/// The kinds of runs of rows: axis-aligned shapes, rotated boxes, lines, and all other shapes.
pub const RUNS: [&[Make]; 9] = [
    &[Make::Point, Make::Circle],
    &[Make::Aabb],
    &[Make::RoundedBox],
    Make::ALIGNED,
    &[Make::Obb],
    &[Make::Capsule, Make::Segment],
    &[Make::Polygon, Make::Many, Make::RoundedPolygon],
    &[Make::Compound],
    &Make::ALL,
];

/// A store of at least this many rows in runs of these kinds: of five shapes, or of one to three
/// times sixteen.
pub fn in_runs(seed: u64, rows: usize, runs: &[&[Make]]) -> Shapes {
    let (mut rng, numbers) = (Rng::new(seed + 1000), Numbers::ALL[seed as usize % 4]);
    let (mut maker, mut store) = (Maker::new(seed, numbers, 1.0), Shapes::new());
    while store.rows() < rows {
        let makes = runs[rng.below(runs.len() as u64) as usize];
        for _ in 0..[5, 16, 32, 48][rng.below(4) as usize] {
            let make = makes[rng.below(makes.len() as u64) as usize];
            let place = [(); 2].map(|()| rng.range(-4.0, 4.0));
            maker.solid(make, place).push(&mut store);
        }
    }
    store
}

/// A pose for each row. Of eight rows, about `stay` stay where they are, but for the signs of
/// zeros. The poses of vacant rows are not valid.
pub fn new_poses(store: &Shapes, rng: &mut Rng, stay: u64) -> Vec<Pose> {
    // Lengths that are not 1 and are accepted: the last one only by the check of a single row.
    let length = [1.0, 1.000_1, 1.000_3][rng.below(3) as usize];
    let pose = |row: u32| {
        let Some(own) = store.pose(row) else { return Pose::at([f32::NAN; 2]) };
        let other_zero = |value: f32| if value == 0.0 { -value } else { value };
        let zeros = Pose {
            x: other_zero(own.x),
            y: other_zero(own.y),
            cos: other_zero(own.cos),
            sin: other_zero(own.sin),
        };
        if rng.below(8) < stay {
            return if rng.below(2) == 0 { own } else { zeros };
        }
        let [x, y] = [(); 2].map(|()| match rng.below(8) {
            0 => 0.0,
            1 => -0.0,
            _ => rng.range(-4.0, 4.0),
        });
        let aligned = matches!(store.kind(row), Some(Kind::Aabb | Kind::RoundedBox));
        let Rotation { cos, sin } = match rng.below(4) {
            _ if aligned => [own, zeros][rng.below(2) as usize].rotation(),
            0 => own.rotation(),
            1 => zeros.rotation(),
            _ => Rotation::from_angle(rng.range(-3.2, 3.2)),
        };
        Pose { x, y, cos: cos * length, sin: sin * length }
    };
    (0..store.rows() as u32).map(pose).collect()
}

/// Poses as columns.
pub fn columns_of(poses: &[Pose]) -> [Vec<f32>; 4] {
    let column = |value: fn(&Pose) -> f32| poses.iter().map(value).collect();
    [column(|pose| pose.x), column(|pose| pose.y), column(|pose| pose.cos), column(|pose| pose.sin)]
}
