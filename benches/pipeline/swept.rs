//! Displacements.

use criterion::{BenchmarkId, Criterion, Throughput};
use widephase::{Bullets, Displacements, Impact, SimdLevel, Threads};

use crate::{
    scene::SceneKind,
    scenes::Moving,
    turn::{Turn, bench},
};

/// 100,000 circles with small displacements: their pairs, their impacts, and their impacts with one
/// body that crosses the world, or with ten bodies whose pairs alone are tested along the step; on
/// one thread.
pub(crate) fn swept(c: &mut Criterion) {
    let mut group = c.benchmark_group("swept");
    let len = 100_000;
    group.throughput(Throughput::Elements(u64::from(len)));
    let id = BenchmarkId::from_parameter("pairs");
    let kind = SceneKind::UniformCircles;
    bench(&mut group, id, || Moving::new(kind, len, SimdLevel::best(), Threads::Calling));
    for (name, crossing, bullets) in
        [("impacts", 0, false), ("one crosses", 1, false), ("ten bullets", 10, true)]
    {
        bench(&mut group, BenchmarkId::from_parameter(name), || Swept::new(len, crossing, bullets));
    }
    group.finish();
}

/// Circles with displacements.
struct Swept {
    moving: Moving,
    dx: Vec<f32>,
    dy: Vec<f32>,
    /// The number of rows that cross the world.
    crossing: usize,
    /// Whether only these bodies are bullets.
    bullets: Option<Vec<bool>>,
    impacts: Vec<Impact>,
}

impl Swept {
    fn new(len: u32, crossing: usize, bullets: bool) -> Self {
        let small =
            |row: u32, by: u32| (row.wrapping_mul(by) >> 8 & 255) as f32 / 255.0 * 0.2 - 0.1;
        let column = |by| (0..len).map(|row| small(row, by)).collect();
        let kind = SceneKind::UniformCircles;
        Self {
            moving: Moving::new(kind, len, SimdLevel::best(), Threads::Calling),
            dx: column(0x9E37_79B9),
            dy: column(0x85EB_CA6B),
            crossing,
            bullets: bullets.then(|| (0..len as usize).map(|row| row < crossing).collect()),
            impacts: Vec::new(),
        }
    }

    fn sweep(&mut self, scalar: bool) -> u64 {
        let Self { moving, dx, dy, bullets, impacts, .. } = self;
        let Moving { scenes, detector, scalar: other, .. } = moving;
        let detector = if scalar { other } else { detector };
        let columns = scenes[0].columns();
        detector
            .swept_pairs(
                columns,
                Displacements {
                    x: dx,
                    y: dy,
                    bullets: bullets.as_deref().map_or(Bullets::All, Bullets::Rows),
                    ..Displacements::default()
                },
                impacts,
            )
            .expect("it is valid");
        impacts.len() as u64
    }
}

impl Turn for Swept {
    fn step(&mut self) {
        self.moving.step();
        let scene = &self.moving.scenes[0];
        let (bodies, half) = (scene.rounded_boxes(), scene.half_world());
        for (row, body) in bodies.iter().enumerate().take(self.crossing) {
            // To the opposite corner.
            self.dx[row] = -half.copysign(body.min_x) - body.min_x;
            self.dy[row] = -half.copysign(body.min_y) - body.min_y;
        }
    }

    fn detect(&mut self) -> u64 {
        self.sweep(false)
    }

    fn expected(&mut self) -> u64 {
        self.sweep(true)
    }
}
