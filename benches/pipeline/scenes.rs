//! Scenes at all levels and on threads; adversaries; clusters near and far; the order of rows.

use criterion::{BenchmarkId, Criterion, Throughput};
use widephase::{Contact, Detector, Error, Options, Pair, SimdLevel, Threads};

use crate::{
    scene::{Scene, SceneKind},
    turn::{Circles, Turn, bench, detector},
};

/// The standard scenes at all SIMD levels.
pub(crate) fn standard(c: &mut Criterion) {
    for kind in SceneKind::STANDARD {
        let mut group = c.benchmark_group(kind.long_name());
        for len in [1_000, 10_000, 100_000] {
            group.throughput(Throughput::Elements(u64::from(len)));
            for &level in SimdLevel::available() {
                let id = BenchmarkId::new(level.name(), len);
                bench(&mut group, id, || Moving::new(kind, len, level, Threads::Calling));
            }
            let id = BenchmarkId::new("all-threads", len);
            bench(&mut group, id, || Moving::new(kind, len, SimdLevel::best(), Threads::Auto));
        }
        group.finish();
    }
}

/// Contacts at all SIMD levels, one pair per body: circles; circles and boxes; rotated shapes
/// (boxes, polygons and capsules).
pub(crate) fn contacts(c: &mut Criterion) {
    let mut group = c.benchmark_group("contacts");
    let kinds = [SceneKind::UniformCircles, SceneKind::MixedCirclesBoxes, SceneKind::MixedRotating];
    for (kind, len) in kinds.into_iter().flat_map(|kind| [(kind, 10_000), (kind, 100_000)]) {
        group.throughput(Throughput::Elements(u64::from(len)));
        for &level in SimdLevel::available() {
            let id = BenchmarkId::new(format!("{}/{level}", kind.short_name()), len);
            bench(&mut group, id, || Contacts {
                moving: Moving::new(kind, len, level, Threads::Calling),
                contacts: Vec::new(),
            });
        }
    }
    group.finish();
}

/// Scenes that slow down other broadphases, at the best SIMD level and on one thread. The
/// throughput counts bodies and pairs together, because the numbers of pairs differ between the
/// scenes. Compare its time with the time of `shuffled`, which is `s1`.
pub(crate) fn adversaries(c: &mut Criterion) {
    let mut group = c.benchmark_group("adversaries");
    for kind in SceneKind::ADVERSARIES {
        // If all bodies touch each other, a list of the pairs is not useful. They are counted, or
        // listed up to a limit, beyond which they are counted, too.
        let (len, wants) = match kind {
            SceneKind::Coincident => (1_000, &[Want::Count, Want::ListUpTo(10_000)][..]),
            _ => (20_000, &[Want::List][..]),
        };
        let work = f64::from(len) + kind.expected_pairs(len);
        group.throughput(Throughput::Elements(work as u64));
        for &want in wants {
            let name = match want {
                Want::List | Want::Count => kind.short_name().to_owned(),
                Want::ListUpTo(limit) => format!("{kind}, at most {limit}"),
            };
            bench(&mut group, BenchmarkId::new(name, len), || {
                Moving::new(kind, len, SimdLevel::best(), Threads::Calling).wanting(want)
            });
        }
    }
    group.finish();
}

/// The clusters of `s6` at several distances, at the best SIMD level and on one thread. The cost
/// should equal the cost of clusters side by side. Around 10⁹ the spacing of `f32` is 64 or 128
/// units, so bodies and clusters are 1024 times as large there.
pub(crate) fn clusters(c: &mut Criterion) {
    let mut group = c.benchmark_group("clusters-apart");
    for len in [20_000, 100_000] {
        group.throughput(Throughput::Elements(u64::from(len)));
        for (pitch, unit) in [(100.0, 1.0), (1e5, 1.0), (1e9, 1024.0)] {
            let id = BenchmarkId::new(format!("{pitch:e} apart"), len);
            // Within its cluster each body is moved to the nearest eighth of a diameter. `f32`
            // represents this position at all of the distances, so the clusters are equal to the
            // bit.
            let place = move |at: f32| {
                let cluster = (at / 1e5 + 1.5).round() - 1.5;
                let offset = ((at - cluster * 1e5) * 8.0).round() / 8.0;
                cluster * pitch + offset * unit
            };
            bench(&mut group, id, || Apart::new(SceneKind::GaussianClusters, len, unit, place));
        }
    }
    group.finish();
}

/// The circles of `s1` unchanged, cut into 1,024 squares far from each other, and with nineteen of
/// twenty moved away from a town in the middle. At the best SIMD level and on one thread. A sample
/// of a few hundred bodies does not show these distributions.
pub(crate) fn crowds(c: &mut Criterion) {
    let mut group = c.benchmark_group("crowds");
    for len in [20_000, 100_000] {
        group.throughput(Throughput::Elements(u64::from(len)));
        let kind = SceneKind::UniformCircles;
        let half_world = Scene::generate(kind, len, 1).half_world();
        let squares = move |at: f32| at + (at * 16.0 / half_world).floor() * 1000.0;
        let town = move |at: f32| {
            let beyond = at.abs() - 0.22 * half_world;
            if beyond > 0.0 { at + beyond.copysign(at) * 1000.0 } else { at }
        };
        bench(&mut group, BenchmarkId::new("even", len), || Apart::new(kind, len, 1.0, |at| at));
        bench(&mut group, BenchmarkId::new("1024 clusters", len), || {
            Apart::new(kind, len, 1.0, squares)
        });
        bench(&mut group, BenchmarkId::new("town", len), || Apart::new(kind, len, 1.0, town));
    }
    group.finish();
}

/// The same bodies row by row and in random order.
pub(crate) fn order(c: &mut Criterion) {
    let mut group = c.benchmark_group("order");
    for len in [100_000, 1_000_000] {
        group.throughput(Throughput::Elements(u64::from(len)));
        for kind in [SceneKind::Sorted, SceneKind::Shuffled] {
            let id = BenchmarkId::new(kind.short_name(), len);
            bench(&mut group, id, || Moving::new(kind, len, SimdLevel::best(), Threads::Calling));
        }
    }
    group.finish();
}

/// The requested form of the pairs.
#[derive(Clone, Copy)]
pub(crate) enum Want {
    List,
    Count,
    /// A list of at most this many pairs, which the scene exceeds.
    ListUpTo(u64),
}

/// Scenes of one kind that alternate.
pub(crate) struct Moving {
    pub(crate) scenes: Vec<Scene>,
    pub(crate) detector: Detector,
    pub(crate) pairs: Vec<Pair>,
    pub(crate) want: Want,
    pub(crate) scalar: Detector,
}

impl Moving {
    pub(crate) fn new(kind: SceneKind, len: u32, level: SimdLevel, threads: Threads) -> Self {
        // A million bodies are larger than any cache, and take a second to generate.
        let scenes = if len < 1_000_000 { 4 } else { 2 };
        Self {
            scenes: (0..scenes).map(|seed| Scene::generate(kind, len, seed)).collect(),
            detector: detector(level, threads),
            pairs: Vec::new(),
            want: Want::List,
            scalar: detector(SimdLevel::Scalar, Threads::Auto),
        }
    }

    fn wanting(self, want: Want) -> Self {
        let mut detector = self.detector;
        if let Want::ListUpTo(max_pairs) = want {
            let options = Options { max_pairs, ..*detector.options() };
            detector.set_options(options).expect("the level is available");
        }
        Self { detector, want, ..self }
    }
}

impl Turn for Moving {
    fn step(&mut self) {
        self.scenes.rotate_left(1);
        self.scenes[0].step();
    }

    fn detect(&mut self) -> u64 {
        let Self { scenes, detector, pairs, want, .. } = self;
        let columns = scenes[0].columns();
        if matches!(want, Want::Count) {
            return detector.count(columns).expect("a scene is valid");
        }
        match (detector.pairs(columns, pairs), want) {
            (Ok(()), Want::List) => pairs.len() as u64,
            (Err(Error::TooManyPairs { found, .. }), Want::ListUpTo(_)) => found,
            (result, _) => panic!("{result:?}"),
        }
    }

    fn expected(&mut self) -> u64 {
        self.scalar.count(self.scenes[0].columns()).expect("a scene is valid")
    }
}

/// The circles of a scene, moved to other positions.
struct Apart {
    moving: Moving,
    /// Maps a coordinate of a body.
    place: Box<dyn Fn(f32) -> f32>,
    /// Sizes are multiplied by this power of two.
    unit: f32,
    circles: Circles,
}

impl Apart {
    fn new(kind: SceneKind, len: u32, unit: f32, place: impl Fn(f32) -> f32 + 'static) -> Self {
        let moving = Moving::new(kind, len, SimdLevel::best(), Threads::Calling);
        Self { moving, place: Box::new(place), unit, circles: Circles::default() }
    }
}

impl Turn for Apart {
    fn step(&mut self) {
        self.moving.step();
        self.circles.clear();
        for body in self.moving.scenes[0].rounded_boxes() {
            let [x, y] = [body.min_x, body.min_y].map(&self.place);
            self.circles.push([x, y, body.radius * self.unit]);
        }
    }

    fn detect(&mut self) -> u64 {
        let Self { moving: Moving { detector, pairs, .. }, circles, .. } = self;
        detector.pairs(circles.columns(), pairs).expect("a scene is valid");
        pairs.len() as u64
    }

    fn expected(&mut self) -> u64 {
        self.moving.scalar.count(self.circles.columns()).expect("a scene is valid")
    }
}

/// Contacts of moving shapes.
struct Contacts {
    moving: Moving,
    contacts: Vec<Contact>,
}

impl Turn for Contacts {
    fn step(&mut self) {
        self.moving.step();
    }

    fn detect(&mut self) -> u64 {
        let Self { moving: Moving { scenes, detector, .. }, contacts } = self;
        detector.contacts(scenes[0].columns(), 0.0, contacts).expect("a scene is valid");
        contacts.len() as u64
    }

    fn expected(&mut self) -> u64 {
        self.moving.expected()
    }
}
