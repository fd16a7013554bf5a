//! Columns of rotated shapes, and new poses.

use criterion::{BenchmarkId, Criterion, Throughput};
use widephase::{
    Columns, Detector, Narrowphase, Pair, Shapes, SimdLevel, Threads,
    columns::PoseColumns,
    shape::{Pose, Rotation},
};

use crate::{
    scene::{Scene, SceneKind},
    turn::{Turn, bench, detector},
};

/// Rotated boxes that move, with the sizes and positions of `s2`: a store that gets poses in
/// columns, and borrowed columns, which are placed at each call. Each call is timed with a
/// detection and alone.
pub(crate) fn turning_columns(c: &mut Criterion) {
    let mut group = c.benchmark_group("turning-columns");
    for len in [10_000, 100_000] {
        group.throughput(Throughput::Elements(u64::from(len)));
        for (name, stored, detects) in [
            ("store", true, true),
            ("columns", false, true),
            ("poses only", true, false),
            ("placing only", false, false),
        ] {
            let id = BenchmarkId::new(name, len);
            bench(&mut group, id, || Turned::new(len, stored, detects));
        }
    }
    group.finish();
}

/// New poses for all shapes of a store: boxes, polygons and capsules; compounds.
pub(crate) fn set_poses(c: &mut Criterion) {
    let mut group = c.benchmark_group("set-poses");
    for kind in [SceneKind::MixedRotating, SceneKind::Compounds] {
        for len in [10_000, 100_000] {
            group.throughput(Throughput::Elements(u64::from(len)));
            let id = BenchmarkId::new(kind.short_name(), len);
            bench(&mut group, id, || Posing::new(kind, len));
        }
    }
    group.finish();
}

/// Shapes that get new poses.
struct Posing {
    shapes: Shapes,
    poses: Vec<Pose>,
}

impl Posing {
    fn new(kind: SceneKind, len: u32) -> Self {
        let scene = Scene::generate(kind, len, 1);
        let shapes = scene.shapes().expect("a scene whose bodies turn").clone();
        let poses = (0..len).map(|row| shapes.pose(row).expect("a shape in each row")).collect();
        Self { shapes, poses }
    }
}

impl Turn for Posing {
    fn step(&mut self) {
        for pose in &mut self.poses {
            let turned = Rotation::from_angle(pose.rotation().angle() + 0.01);
            *pose = Pose::new([pose.x + 0.125, pose.y - 0.0625], turned);
        }
    }

    fn detect(&mut self) -> u64 {
        self.shapes.set_poses(&self.poses).expect("valid poses");
        self.poses.len() as u64
    }

    /// The number of rows that have the same place after one `set_pose` per row.
    fn expected(&mut self) -> u64 {
        let mut one_by_one = self.shapes.clone();
        let placed = (0..).zip(&self.poses).filter(|&(row, pose)| {
            one_by_one.set_pose(row, *pose).expect("a valid pose");
            one_by_one.bounds(row) == self.shapes.bounds(row)
                && self.shapes.pose(row) == Some(*pose)
        });
        placed.count() as u64
    }
}

/// Rotated boxes in columns, or in a store.
struct Turned {
    /// Centre, half extents, cosine and sine of each box.
    columns: [Vec<f32>; 6],
    scene: Scene,
    store: Option<Shapes>,
    detects: bool,
    detector: Detector,
    narrowphase: Narrowphase,
    pairs: Vec<Pair>,
}

impl Turned {
    fn new(len: u32, stored: bool, detects: bool) -> Self {
        let scene = Scene::generate(SceneKind::UniformBoxes, len, 1);
        let mut columns = [(); 6].map(|()| Vec::new());
        for (row, body) in scene.rounded_boxes().into_iter().enumerate() {
            let Rotation { cos, sin } = Rotation::from_angle(row as f32);
            let half = [(body.max_x - body.min_x) * 0.5, (body.max_y - body.min_y) * 0.5];
            for (column, value) in columns.iter_mut().zip([0.0, 0.0, half[0], half[1], cos, sin]) {
                column.push(value);
            }
        }
        let (detector, narrowphase) =
            (detector(SimdLevel::best(), Threads::Auto), Narrowphase::new());
        let mut turned =
            Self { columns, scene, store: None, detects, detector, narrowphase, pairs: Vec::new() };
        turned.step();
        if stored {
            turned.store = Some(Shapes::from_columns(turned.columns()).expect("valid columns"));
        }
        turned
    }

    fn columns(&self) -> Columns<'_> {
        let [x, y, half_width, half_height, cos, sin] = &self.columns;
        Columns::obbs(x, y, half_width, half_height, cos, sin).expect("columns of one length")
    }
}

impl Turn for Turned {
    fn step(&mut self) {
        self.scene.step();
        let [x, y, ..] = &mut self.columns;
        for (row, body) in self.scene.rounded_boxes().into_iter().enumerate() {
            (x[row], y[row]) = ((body.min_x + body.max_x) * 0.5, (body.min_y + body.max_y) * 0.5);
        }
    }

    fn detect(&mut self) -> u64 {
        let Self { columns, store, detects, detector, narrowphase, pairs, .. } = self;
        let [x, y, half_width, half_height, cos, sin] = columns;
        let columns = match store {
            Some(store) => {
                store.set_poses_from_columns(PoseColumns { x, y, cos, sin }).expect("valid poses");
                store.columns()
            }
            None => Columns::obbs(x, y, half_width, half_height, cos, sin).expect("one length"),
        };
        let asked = match detects {
            true => detector.pairs(columns, pairs),
            false => narrowphase.pairs(columns, &[], pairs),
        };
        asked.expect("valid columns");
        pairs.len() as u64
    }

    fn expected(&mut self) -> u64 {
        let store = Shapes::from_columns(self.columns()).expect("valid columns");
        let pairs =
            detector(SimdLevel::Scalar, Threads::Auto).count(&store).expect("a valid store");
        if self.detects { pairs } else { 0 }
    }
}
