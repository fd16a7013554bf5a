//! An index of static shapes, filters, and spaces.

use criterion::{BenchmarkId, Criterion, Throughput};
use widephase::{
    Body, Columns, Detector, Filter, Index, IndexOptions, Options, Pair, SimdLevel, Threads, World,
};

use crate::{
    scene::{Scene, SceneKind},
    scenes::Moving,
    turn::{Circles, Turn, bench, detector},
};

/// A thousand moving circles spread over a world of a hundred thousand static circles: without the
/// static circles, with them, and with only the pairs between the two sets.
pub(crate) fn static_set(c: &mut Criterion) {
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
/// and with filters by which no circles meet, half of them, or all.
pub(crate) fn filters(c: &mut Criterion) {
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

/// As many circles at the same density in one space, and in spaces of 64: row by row, and with rows
/// of all spaces mixed; an index of them, and a step of a [`World`], also in spaces of 16.
pub(crate) fn spaces(c: &mut Criterion) {
    let mut group = c.benchmark_group("spaces");
    let len = 1 << 18;
    group.throughput(Throughput::Elements(len as u64));
    for (name, spaces, mixed, call) in [
        ("1", 1, false, RoomCall::Pairs),
        ("4096", 4096, false, RoomCall::Pairs),
        ("4096, mixed", 4096, true, RoomCall::Pairs),
        ("1, index", 1, false, RoomCall::Index),
        ("4096, index", 4096, false, RoomCall::Index),
        ("16384, index", 16384, false, RoomCall::Index),
        ("16384, index, mixed", 16384, true, RoomCall::Index),
        ("1, step", 1, false, RoomCall::Step),
        ("4096, step", 4096, false, RoomCall::Step),
        ("16384, step", 16384, false, RoomCall::Step),
    ] {
        let id = BenchmarkId::from_parameter(name);
        bench(&mut group, id, || Rooms::new(len, spaces, mixed, call));
    }
    group.finish();
}

/// Moving circles among static circles.
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

/// Crowded circles with a filter for each.
pub(crate) struct Filtered {
    moving: Moving,
    circles: Circles,
    filters: Option<Vec<Filter>>,
    list: bool,
}

impl Filtered {
    pub(crate) fn new(list: bool, filter: Option<fn(usize) -> Filter>) -> Self {
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

/// The timed call of [`Rooms`].
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum RoomCall {
    Pairs,
    Index,
    Step,
}

/// Circles that drift in rooms of their own.
pub(crate) struct Rooms {
    circles: Circles,
    speeds: [Vec<f32>; 2],
    side: f32,
    spaces: Option<Vec<u32>>,
    detector: Detector,
    pairs: Vec<Pair>,
    scalar: Detector,
    index: Index,
    world: World,
    call: RoomCall,
}

impl Rooms {
    pub(crate) fn new(len: usize, spaces: usize, mixed: bool, call: RoomCall) -> Self {
        // About one pair a body.
        let side = ((len / spaces) as f32).sqrt() * 2.5;
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
        let space = |row: usize| if mixed { row % spaces } else { row / (len / spaces) } as u32;
        let threads = Threads::Calling;
        let options = Options { threads, ..Options::default() };
        let mut world = World::with_options(options).expect("the level is available");
        if call == RoomCall::Step {
            let body = |row: usize| Body { space: space(row), ..Body::default() };
            let bodies: Vec<Body> = (0..len).map(body).collect();
            let columns = circles.columns();
            world.insert_all(columns, &bodies, &mut Vec::new()).expect("a scene is valid");
        }
        let options = IndexOptions { threads, ..IndexOptions::default() };
        Self {
            circles,
            speeds,
            side,
            spaces: (spaces > 1).then(|| (0..len).map(space).collect()),
            detector: detector(SimdLevel::best(), threads),
            pairs: Vec::new(),
            scalar: detector(SimdLevel::Scalar, Threads::Auto),
            index: Index::with_options(options).expect("the level is available"),
            world,
            call,
        }
    }

    fn columns(&self) -> Columns<'_> {
        let circles = self.circles.columns();
        match &self.spaces {
            Some(spaces) => circles.with_spaces(spaces).expect("one for each row"),
            None => circles,
        }
    }
}

impl Turn for Rooms {
    fn step(&mut self) {
        let Self { circles, speeds, side, world, call, .. } = self;
        for (column, speeds) in circles.0.iter_mut().zip(speeds) {
            for (at, speed) in column.iter_mut().zip(speeds) {
                *at = (*at + *speed).rem_euclid(*side);
            }
        }
        if *call == RoomCall::Step {
            let [x, y, _] = &circles.0;
            world.set_positions_of_all(x, y).expect("a scene is valid");
        }
    }

    fn detect(&mut self) -> u64 {
        match self.call {
            RoomCall::Pairs => {}
            RoomCall::Index => {
                let mut index = std::mem::take(&mut self.index);
                index.rebuild(self.columns()).expect("a scene is valid");
                self.index = index;
                return self.index.len() as u64;
            }
            RoomCall::Step => {
                return self.world.step().expect("a scene is valid").pairs().len() as u64;
            }
        }
        let mut pairs = std::mem::take(&mut self.pairs);
        let mut detector = std::mem::take(&mut self.detector);
        detector.pairs(self.columns(), &mut pairs).expect("a scene is valid");
        let found = pairs.len() as u64;
        (self.pairs, self.detector) = (pairs, detector);
        found
    }

    fn expected(&mut self) -> u64 {
        if self.call == RoomCall::Index {
            return self.speeds[0].len() as u64;
        }
        let mut scalar = std::mem::take(&mut self.scalar);
        let found = scalar.count(self.columns()).expect("a scene is valid");
        self.scalar = scalar;
        found
    }
}
