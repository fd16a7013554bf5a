//! The whole detection: scene × number of shapes × SIMD level, and threads; adversarial scenes;
//! clusters near and far; an index of static shapes; the order of the rows; new poses; columns of
//! rotated shapes; filters; worlds; neighbour lists; nearest points; displacements.
//!
//! `cargo bench --bench pipeline`. Bodies move between the timed calls, and several scenes
//! alternate, so that branch predictors cannot learn a scene. The number of pairs of the first
//! timed call, and of every 64th after it, is checked against that of the scalar level.
#![allow(missing_docs)]

#[path = "../crates/scenes/adapter.rs"]
mod scene;

use std::time::{Duration, Instant};

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use scene::{Scene, SceneKind};
use widephase::{
    Adjacency, Body, Bullets, Columns, Contact, Detector, Displacements, Error, Filter, Impact,
    Index, Lists, Narrowphase, Neighbor, Options, Pair, Queries, Shapes, SimdLevel, Threads, World,
    shape::{Circle, Pose, Rotation},
};

/// The standard scenes at all SIMD levels.
fn standard(c: &mut Criterion) {
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
fn contacts(c: &mut Criterion) {
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

/// Rotated boxes that move, with the sizes and positions of `s2`: a store that gets poses in
/// columns, and borrowed columns, which are placed at each call. Each is timed with a detection and
/// alone.
fn turning_columns(c: &mut Criterion) {
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
fn set_poses(c: &mut Criterion) {
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

/// Scenes that slow down other broadphases, at the best SIMD level and on one thread. The
/// throughput counts bodies and pairs together, because the numbers of pairs differ between the
/// scenes. Compare it with that of `shuffled`, which is `s1`.
fn adversaries(c: &mut Criterion) {
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
/// should be that of clusters side by side. Around 10⁹ the spacing of `f32` is 64 or 128 units, so
/// bodies and clusters are 1024 times as large there.
fn clusters(c: &mut Criterion) {
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
fn crowds(c: &mut Criterion) {
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

/// A thousand moving circles spread over a world of a hundred thousand static ones: without the
/// static ones, with them, and with the pairs between the two only.
fn static_set(c: &mut Criterion) {
    let mut group = c.benchmark_group("static-set");
    for (name, statics, only) in
        [("1k-alone", 0, false), ("1k-in-100k", 100_000, false), ("1k-at-100k", 100_000, true)]
    {
        group.throughput(Throughput::Elements(1_000));
        bench(&mut group, BenchmarkId::from_parameter(name), || Among::new(statics, only));
    }
    group.finish();
}

/// A hundred thousand circles with about 30 neighbours each: counted and listed without filters,
/// and with filters by which none meet, half of them, or all.
fn filters(c: &mut Criterion) {
    let mut group = c.benchmark_group("filters");
    group.throughput(Throughput::Elements(100_000));
    let team = |row: usize| Filter::new(1 << (row % 2), !(1 << (row % 2)));
    for (name, list, filter) in [
        ("count", false, None),
        ("count, none meets", false, Some((|_| Filter::new(1, 2)) as fn(usize) -> Filter)),
        ("count, half meet", false, Some(team)),
        ("list", true, None),
        ("list, none meets", true, Some(|_| Filter::new(1, 2))),
        ("list, half meet", true, Some(team)),
        ("list, all meet", true, Some(|_| Filter::ALL)),
        ("list, owners", true, Some(|row| Filter::ALL.owned_by(row as u32 / 4))),
    ] {
        bench(&mut group, BenchmarkId::from_parameter(name), || Filtered::new(list, filter));
    }
    group.finish();
}

/// 10,000 circles that move: the pairs and the contacts of a detector, and a step of a [`World`]
/// with both and with events, alone and together with the new positions of all bodies.
fn world(c: &mut Criterion) {
    let mut group = c.benchmark_group("world");
    group.throughput(Throughput::Elements(10_000));
    for (name, call) in [
        ("pairs", Call::Pairs),
        ("contacts", Call::Contacts),
        ("step", Call::Step),
        ("positions and step", Call::PositionsAndStep),
    ] {
        bench(&mut group, BenchmarkId::from_parameter(name), || Bodies::new(10_000, call));
    }
    group.finish();
}

/// As many circles at the same density in one world, and in worlds of 64: row by row, and with rows
/// of all worlds mixed.
fn worlds(c: &mut Criterion) {
    let mut group = c.benchmark_group("worlds");
    let len = 1 << 18;
    group.throughput(Throughput::Elements(len as u64));
    for (name, worlds, mixed) in
        [("1", 1, false), ("4096", 4096, false), ("4096, mixed", 4096, true)]
    {
        bench(&mut group, BenchmarkId::from_parameter(name), || Rooms::new(len, worlds, mixed));
    }
    group.finish();
}

/// The same bodies row by row and in random order.
fn order(c: &mut Criterion) {
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

/// Neighbour lists of 100,000 points in random order, with about 2 and 20 neighbours each, at all
/// SIMD levels and on one thread: full, half, and with distances.
fn neighbors(c: &mut Criterion) {
    let mut group = c.benchmark_group("neighbors");
    let len = 100_000;
    group.throughput(Throughput::Elements(u64::from(len)));
    for (count, form) in [2, 20]
        .into_iter()
        .flat_map(|count| [Form::Full, Form::Half, Form::Distances].map(|form| (count, form)))
    {
        for &level in SimdLevel::available() {
            let id = BenchmarkId::new(format!("{count} {form:?}"), level);
            bench(&mut group, id, || Neighborhoods::new(len, count, form, level));
        }
    }
    group.finish();
}

/// The 8 nearest points of 1,000 points among and far from 100,000 others, and of each of 20,000
/// points in a square and on a line along an axis; on one thread. The far points and the line are
/// the bad cases of the search (docs/faq.md).
fn nearest(c: &mut Criterion) {
    let mut group = c.benchmark_group("nearest");
    group.throughput(Throughput::Elements(1_000));
    for (name, far) in [("among", 0.0), ("from afar", 1e6)] {
        bench(&mut group, BenchmarkId::from_parameter(name), || {
            Nearest::new(square(100_000), Some(far))
        });
    }
    let len = 20_000;
    group.throughput(Throughput::Elements(len));
    let line = [vec![5.0; len as usize], (0..len).map(|row| row as f32).collect()];
    for (name, points) in [("rows, square", square(len as u32)), ("rows, line", line)] {
        bench(&mut group, BenchmarkId::from_parameter(name), || Nearest::new(points.clone(), None));
    }
    group.finish();
}

/// Points in a square, about one in each unit of area.
fn square(len: u32) -> [Vec<f32>; 2] {
    let scene = Scene::generate(SceneKind::UniformCircles, len, 1);
    let Circles([x, y, _]) = Circles::of(&scene);
    [x, y]
}

/// The nearest points of points.
struct Nearest {
    index: Index,
    /// Points of which the nearest ones are requested, or none for those of each row.
    queries: Option<[Vec<f32>; 2]>,
    lists: Lists<Neighbor>,
}

impl Nearest {
    const COUNT: usize = 8;

    /// With `far`, for a thousand points that are as far as that from the others.
    fn new([x, y]: [Vec<f32>; 2], far: Option<f32>) -> Self {
        let queries =
            far.map(|far| [&x, &y].map(|at| at[..1_000].iter().map(|v| v + far).collect()));
        let options = Options { threads: Threads::Calling, ..Options::default() };
        let mut index = Index::with_options(options.into()).expect("the level is available");
        index
            .rebuild(Columns::points(&x, &y).expect("columns of one length"))
            .expect("valid points");
        Self { index, queries, lists: Lists::new() }
    }
}

impl Turn for Nearest {
    fn step(&mut self) {
        for at in self.queries.iter_mut().flatten().flatten() {
            *at += 0.125;
        }
    }

    fn detect(&mut self) -> u64 {
        let Self { index, queries, lists } = self;
        match queries {
            Some([x, y]) => {
                let points = Columns::points(x, y).expect("columns of one length");
                index
                    .k_nearest_batch(points, Self::COUNT, f32::INFINITY, lists)
                    .expect("valid points");
            }
            None => index.k_nearest_of_rows(Self::COUNT, f32::INFINITY, lists).expect("a distance"),
        }
        lists.items().len() as u64
    }

    fn expected(&mut self) -> u64 {
        (self.lists.len() * Self::COUNT) as u64
    }
}

/// 100,000 circles with small displacements: their pairs, their impacts, and the same with one body
/// that crosses the world, or with ten whose pairs alone are tested along the step; on one thread.
fn swept(c: &mut Criterion) {
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
    /// Whether only those are bullets.
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

/// What the lists of a benchmark hold.
#[derive(Debug, Clone, Copy)]
enum Form {
    Full,
    Half,
    Distances,
}

/// Points that move to and fro.
struct Neighborhoods {
    home: [Vec<f32>; 2],
    columns: [Vec<f32>; 2],
    turn: u32,
    distance: f32,
    form: Form,
    detector: Detector,
    scalar: Detector,
    lists: Lists<u32>,
    distances: Lists<widephase::Neighbor>,
}

impl Neighborhoods {
    fn new(len: u32, count: u32, form: Form, level: SimdLevel) -> Self {
        let scene = Scene::generate(SceneKind::UniformCircles, len, 1);
        let side = 2.0 * scene.half_world();
        let home = [0, 1].map(|axis: usize| {
            let step = [0.754_877_7, 0.569_840_3][axis];
            // A low-discrepancy sequence: even, and in no order.
            (0..len).map(|row| (f64::from(row) * step).fract() as f32 * side).collect()
        });
        let density = len as f32 / (side * side);
        let distance = (count as f32 / (density * std::f32::consts::PI)).sqrt();
        let detector = |simd_level| {
            let (simd_level, threads) = (Some(simd_level), Threads::Calling);
            Detector::with_options(Options { simd_level, threads, ..Options::default() }).unwrap()
        };
        Self {
            columns: home.clone(),
            home,
            turn: 0,
            distance,
            form,
            detector: detector(level),
            scalar: detector(SimdLevel::Scalar),
            lists: Lists::new(),
            distances: Lists::new(),
        }
    }
}

impl Turn for Neighborhoods {
    fn step(&mut self) {
        self.turn += 1;
        for (axis, (column, home)) in self.columns.iter_mut().zip(&self.home).enumerate() {
            for (row, (at, home)) in (0_u32..).zip(column.iter_mut().zip(home)) {
                let phase = row.wrapping_mul(0x9E37_79B9 + axis as u32).wrapping_add(self.turn);
                *at = home + self.distance * ((phase >> 3 & 255) as f32 / 255.0 - 0.5);
            }
        }
    }

    fn detect(&mut self) -> u64 {
        let Self { columns: [x, y], distance, detector, lists, distances, .. } = self;
        let points = Columns::points(x, y).unwrap();
        let (items, halves) = match self.form {
            Form::Full => {
                detector.neighbors(points, *distance, Adjacency::Full, lists).unwrap();
                (lists.items().len(), 2)
            }
            Form::Half => {
                detector.neighbors(points, *distance, Adjacency::Half, lists).unwrap();
                (lists.items().len(), 1)
            }
            Form::Distances => {
                let full = Adjacency::Full;
                detector.neighbor_distances(points, *distance, full, distances).unwrap();
                (distances.items().len(), 2)
            }
        };
        items as u64 / halves
    }

    fn expected(&mut self) -> u64 {
        let Self { columns: [x, y], distance, scalar, .. } = self;
        let radius = vec![*distance * 0.5; x.len()];
        scalar.count(Columns::circles(x, y, &radius).unwrap()).unwrap()
    }
}

/// A benchmark that is timed step by step.
trait Turn {
    /// Moves the bodies.
    fn step(&mut self);
    /// The timed call. Returns the number of pairs.
    fn detect(&mut self) -> u64;
    /// The correct number of pairs.
    fn expected(&mut self) -> u64;
}

type Group<'a> = criterion::BenchmarkGroup<'a, criterion::measurement::WallTime>;

/// Times the steps of the value from `make`, which is only made if the benchmark is selected.
fn bench<T: Turn>(group: &mut Group<'_>, id: BenchmarkId, make: impl Fn() -> T) {
    let (mut made, mut turns) = (None, 0_u64);
    group.bench_function(id, |b| {
        let turn = made.get_or_insert_with(&make);
        b.iter_custom(|rounds| {
            let mut total = Duration::ZERO;
            for _ in 0..rounds {
                turn.step();
                let start = Instant::now();
                let pairs = turn.detect();
                total += start.elapsed();
                if turns.is_multiple_of(64) {
                    assert_eq!(pairs, turn.expected());
                }
                turns += 1;
            }
            total
        });
    });
}

/// The requested form of the pairs.
#[derive(Clone, Copy)]
enum Want {
    List,
    Count,
    /// A list of at most this many pairs, which the scene exceeds.
    ListUpTo(usize),
}

/// Scenes of one kind that alternate.
struct Moving {
    scenes: Vec<Scene>,
    detector: Detector,
    pairs: Vec<Pair>,
    want: Want,
    scalar: Detector,
}

impl Moving {
    fn new(kind: SceneKind, len: u32, level: SimdLevel, threads: Threads) -> Self {
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
                store.set_poses_from_columns(x, y, cos, sin).expect("valid poses");
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

/// Moving circles among static ones.
struct Among {
    scene: Scene,
    /// The circles of the scene before the first step.
    first: Circles,
    moving: Circles,
    statics: Circles,
    set: Index,
    detector: Detector,
    pairs: Vec<Pair>,
    hits: Vec<Pair>,
    scalar: Detector,
    /// Whether only pairs with static circles are requested.
    only: bool,
    /// The number of pairs among the static circles, which are never reported.
    idle: u64,
}

/// Centres and radii.
#[derive(Clone, Default)]
struct Circles([Vec<f32>; 3]);

impl Circles {
    /// The circles of `scene`.
    fn of(scene: &Scene) -> Self {
        let mut circles = Self::default();
        for body in scene.rounded_boxes() {
            circles.push([body.min_x, body.min_y, body.radius]);
        }
        circles
    }

    fn clear(&mut self) {
        for column in &mut self.0 {
            column.clear();
        }
    }

    fn push(&mut self, circle: [f32; 3]) {
        for (column, value) in self.0.iter_mut().zip(circle) {
            column.push(value);
        }
    }

    /// The circles of `scene`, with their positions in `first` multiplied by `factor`. They move no
    /// faster than in `scene`.
    fn spread(&mut self, scene: &Scene, first: &Self, factor: f32) {
        self.clear();
        let Circles([x, y, _]) = first;
        for (body, home) in scene.rounded_boxes().iter().zip(x.iter().zip(y)) {
            let place = [(body.min_x, home.0), (body.min_y, home.1)];
            let [x, y] = place.map(|(now, first)| now + (factor - 1.0) * first);
            self.push([x, y, body.radius]);
        }
    }

    fn columns(&self) -> Columns<'_> {
        let Circles([x, y, radius]) = self;
        Columns::circles(x, y, radius).expect("columns of one length")
    }
}

impl Among {
    fn new(len: u32, only: bool) -> Self {
        let statics = Circles::of(&Scene::generate(SceneKind::UniformCircles, len, 1));
        let scene = Scene::generate(SceneKind::UniformCircles, 1_000, 2);
        let mut scalar = detector(SimdLevel::Scalar, Threads::Auto);
        Self {
            first: Circles::of(&scene),
            scene,
            moving: Circles::default(),
            set: Index::build(statics.columns()).expect("a scene is valid"),
            idle: scalar.count(statics.columns()).expect("a scene is valid"),
            statics,
            only,
            detector: detector(SimdLevel::best(), Threads::Calling),
            pairs: Vec::new(),
            hits: Vec::new(),
            scalar,
        }
    }
}

impl Turn for Among {
    fn step(&mut self) {
        self.scene.step();
        // The world of a hundred times as many bodies of equal density has ten times the side.
        self.moving.spread(&self.scene, &self.first, 10.0);
    }

    fn detect(&mut self) -> u64 {
        let Self { moving, set, detector, pairs, hits, .. } = self;
        if self.only {
            detector.pairs((moving.columns(), &*set), hits).expect("a scene is valid");
            return hits.len() as u64;
        }
        detector.pairs_and_against(moving.columns(), set, pairs, hits).expect("a scene is valid");
        (pairs.len() + hits.len()) as u64
    }

    fn expected(&mut self) -> u64 {
        let mut all = self.moving.clone();
        for (all, statics) in all.0.iter_mut().zip(&self.statics.0) {
            all.extend(statics);
        }
        let count = |detector: &mut Detector, circles: &Circles| {
            detector.count(circles.columns()).expect("a scene is valid")
        };
        let own = if self.only { count(&mut self.scalar, &self.moving) } else { 0 };
        count(&mut self.scalar, &all) - self.idle - own
    }
}

/// Crowded circles with a filter each.
struct Filtered {
    moving: Moving,
    circles: Circles,
    filters: Option<Vec<Filter>>,
    list: bool,
}

impl Filtered {
    fn new(list: bool, filter: Option<fn(usize) -> Filter>) -> Self {
        let kind = SceneKind::UniformCircles;
        let moving = Moving::new(kind, 100_000, SimdLevel::best(), Threads::Calling);
        let filters = filter.map(|filter| (0..100_000).map(filter).collect());
        Self { moving, circles: Circles::default(), filters, list }
    }

    fn columns(&self) -> Columns<'_> {
        let circles = self.circles.columns();
        match &self.filters {
            Some(filters) => circles.with_filters(filters).expect("one for each row"),
            None => circles,
        }
    }
}

impl Turn for Filtered {
    fn step(&mut self) {
        self.moving.step();
        self.circles.clear();
        for body in self.moving.scenes[0].rounded_boxes() {
            self.circles.push([body.min_x, body.min_y, body.radius * 3.87]);
        }
    }

    fn detect(&mut self) -> u64 {
        let mut pairs = std::mem::take(&mut self.moving.pairs);
        let mut detector = std::mem::take(&mut self.moving.detector);
        let columns = self.columns();
        let found = if self.list {
            detector.pairs(columns, &mut pairs).expect("a scene is valid");
            pairs.len() as u64
        } else {
            detector.count(columns).expect("a scene is valid")
        };
        (self.moving.pairs, self.moving.detector) = (pairs, detector);
        found
    }

    fn expected(&mut self) -> u64 {
        let mut met = 0;
        let mut scalar = std::mem::take(&mut self.moving.scalar);
        let each = |pair: Pair| {
            let meet =
                |filters: &Vec<Filter>| filters[pair.a as usize].meets(&filters[pair.b as usize]);
            met += u64::from(self.filters.as_ref().is_none_or(meet));
        };
        scalar.for_each_pair(self.circles.columns(), each).expect("a scene is valid");
        self.moving.scalar = scalar;
        met
    }
}

/// The timed call of [`Bodies`].
#[derive(Clone, Copy, PartialEq)]
enum Call {
    Pairs,
    Contacts,
    Step,
    PositionsAndStep,
}

/// The bodies of a scene, in columns and in a [`World`].
struct Bodies {
    moving: Moving,
    world: World,
    /// The positions of the bodies.
    columns: [Vec<f32>; 2],
    contacts: Vec<Contact>,
    call: Call,
}

impl Bodies {
    fn new(len: u32, call: Call) -> Self {
        // One scene: the world keeps its bodies.
        let kind = SceneKind::UniformCircles;
        let mut moving = Moving::new(kind, len, SimdLevel::best(), Threads::Calling);
        moving.scenes.truncate(1);
        let options = Options { threads: Threads::Calling, ..Options::default() };
        let mut world = World::with_options(options).expect("the options are valid");
        let circles = moving.scenes[0].rounded_boxes();
        for body in circles {
            let circle = Circle::new([body.min_x, body.min_y], body.radius);
            world.insert(circle, Body::default()).expect("a scene is valid");
        }
        Self { moving, world, columns: Default::default(), contacts: Vec::new(), call }
    }

    fn position(&mut self) {
        let [x, y] = &self.columns;
        self.world.set_positions_of_all(x, y).expect("a scene is valid");
    }
}

impl Turn for Bodies {
    fn step(&mut self) {
        self.moving.step();
        let positions = self.moving.scenes[0].rounded_boxes();
        let [x, y] = &mut self.columns;
        x.clear();
        x.extend(positions.iter().map(|body| body.min_x));
        y.clear();
        y.extend(positions.iter().map(|body| body.min_y));
        if self.call == Call::Step {
            self.position();
        }
    }

    fn detect(&mut self) -> u64 {
        match self.call {
            Call::Pairs => self.moving.detect(),
            Call::Contacts => {
                let Moving { scenes, detector, .. } = &mut self.moving;
                let columns = scenes[0].columns();
                detector.contacts(columns, 0.0, &mut self.contacts).expect("a scene is valid");
                self.contacts.len() as u64
            }
            Call::Step | Call::PositionsAndStep => {
                if self.call == Call::PositionsAndStep {
                    self.position();
                }
                self.world.step().expect("a scene is valid").pairs().len() as u64
            }
        }
    }

    fn expected(&mut self) -> u64 {
        self.moving.expected()
    }
}

/// Circles that drift in rooms of their own.
struct Rooms {
    circles: Circles,
    speeds: [Vec<f32>; 2],
    side: f32,
    worlds: Option<Vec<u32>>,
    detector: Detector,
    pairs: Vec<Pair>,
    scalar: Detector,
}

impl Rooms {
    fn new(len: usize, worlds: usize, mixed: bool) -> Self {
        // About one pair a body.
        let side = ((len / worlds) as f32).sqrt() * 2.5;
        let mut seed = 1_u32;
        let mut random = |size: f32| {
            seed = seed.wrapping_mul(747_796_405).wrapping_add(2_891_336_453);
            (seed >> 8) as f32 / (1 << 24) as f32 * size
        };
        let mut circles = Circles::default();
        for _ in 0..len {
            circles.push([random(side), random(side), 0.5 + random(0.5)]);
        }
        let speeds = [(); 2].map(|()| (0..len).map(|_| random(0.2) - 0.1).collect());
        let world = |row: usize| if mixed { row % worlds } else { row / (len / worlds) } as u32;
        Self {
            circles,
            speeds,
            side,
            worlds: (worlds > 1).then(|| (0..len).map(world).collect()),
            detector: detector(SimdLevel::best(), Threads::Calling),
            pairs: Vec::new(),
            scalar: detector(SimdLevel::Scalar, Threads::Auto),
        }
    }

    fn columns(&self) -> Columns<'_> {
        let circles = self.circles.columns();
        match &self.worlds {
            Some(worlds) => circles.with_spaces(worlds).expect("one for each row"),
            None => circles,
        }
    }
}

impl Turn for Rooms {
    fn step(&mut self) {
        let Self { circles, speeds, side, .. } = self;
        for (column, speeds) in circles.0.iter_mut().zip(speeds) {
            for (at, speed) in column.iter_mut().zip(speeds) {
                *at = (*at + *speed).rem_euclid(*side);
            }
        }
    }

    fn detect(&mut self) -> u64 {
        let mut pairs = std::mem::take(&mut self.pairs);
        let mut detector = std::mem::take(&mut self.detector);
        detector.pairs(self.columns(), &mut pairs).expect("a scene is valid");
        let found = pairs.len() as u64;
        (self.pairs, self.detector) = (pairs, detector);
        found
    }

    fn expected(&mut self) -> u64 {
        let mut scalar = std::mem::take(&mut self.scalar);
        let found = scalar.count(self.columns()).expect("a scene is valid");
        self.scalar = scalar;
        found
    }
}

fn detector(level: SimdLevel, threads: Threads) -> Detector {
    let options = Options { simd_level: Some(level), threads, ..Options::default() };
    Detector::with_options(options).expect("the level is available")
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(10).measurement_time(Duration::from_millis(500)).warm_up_time(Duration::from_millis(200));
    targets = standard, contacts, set_poses, turning_columns, adversaries, clusters, crowds, static_set, order,
        filters, world, worlds, neighbors, nearest, swept
}
criterion_main!(benches);
