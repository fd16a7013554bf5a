//! The calls that are timed, of one build.

#[path = "../../../crates/scenes/adapter.rs"]
mod adapter;

use adapter::{Scene, SceneKind};
use widephase::{
    Adjacency, Body, CastOptions, Columns, Detector, Hit, Index, IndexOptions, Lists, Neighbor,
    Options, Order, Queries, Ray, SimdLevel, Threads, World,
    shape::{Circle, Point, Pose},
};

/// A name, the number of items of a call, and the call, which takes the number of the round and
/// returns a hash of the answers.
pub type Row = (String, f64, Box<dyn FnMut(usize) -> u64>);

/// The groups of rows. One suite is made at a time: each has its own scenes.
pub const GROUPS: usize = SCENES.len() + KINDS.len() + SPACES.len();

/// The scenes of detections.
const SCENES: [(&str, u32); 9] = [
    ("s1", 10_000),
    ("s2", 10_000),
    ("s3", 10_000),
    ("s4", 10_000),
    ("s5", 10_000),
    ("s6", 10_000),
    ("s7", 10_000),
    ("s8", 10_000),
    ("s1", 100_000),
];

/// The shapes that queries are about.
const KINDS: [&str; 4] = ["points", "circles", "boxes", "clusters"];

/// The numbers of shapes of a space.
const SPACES: [usize; 2] = [16, 64];

/// The states of a scene. Rounds go through them forwards and backwards.
const STATES: usize = 6;

/// The shapes of an index, the queries of a call, and the bodies of all spaces.
const SHAPES: usize = 100_000;
const QUERIES: usize = 20_000;
const BODIES: usize = 1 << 16;

/// The rows of a group.
pub fn rows(group: usize, level: Option<&str>) -> Vec<Row> {
    let level = level.map(|name| name.parse().expect("the name of a SIMD level"));
    let kinds = SCENES.len()..SCENES.len() + KINDS.len();
    match group {
        _ if group < kinds.start => detections(SCENES[group], level),
        _ if group < kinds.end => queries(KINDS[group - kinds.start], level),
        _ => spaces(SPACES[group - kinds.end], level),
    }
}

/// A row, whose call cannot fail.
fn row(name: String, items: usize, call: impl FnMut(usize) -> u64 + 'static) -> Row {
    (name, items as f64, Box::new(call))
}

/// A value that lives as long as the calls.
fn keep<T>(value: T) -> &'static T {
    Box::leak(Box::new(value))
}

/// A hash of numbers in their order.
fn hash(numbers: impl IntoIterator<Item = u64>) -> u64 {
    numbers.into_iter().fold(0, |hash: u64, number| {
        (hash.rotate_left(5) ^ number).wrapping_mul(0x9E37_79B9_7F4A_7C15)
    })
}

fn of_neighbor(near: &Neighbor) -> u64 {
    u64::from(near.distance.to_bits()) << 32 | u64::from(near.row)
}

fn of_hit(hit: &Option<Hit>) -> u64 {
    hit.map_or(u64::MAX, |hit| u64::from(hit.fraction.to_bits()) << 32 | u64::from(hit.row))
}

/// Detections and steps of a scene.
fn detections((name, len): (&str, u32), simd_level: Option<SimdLevel>) -> Vec<Row> {
    let kind: SceneKind = name.parse().expect("a scene");
    let mut scene = Scene::generate(kind, len, 1);
    let states: &[Scene] = keep(Vec::from_iter((0..STATES).map(|_| {
        scene.step();
        scene.clone()
    })));
    let state = |round: usize| match round / STATES % 2 {
        0 => &states[round % STATES],
        _ => &states[STATES - 1 - round % STATES],
    };
    let options = Options { threads: Threads::Calling, simd_level, ..Options::default() };
    let detector = || Detector::with_options(options).expect("good options");
    let (items, name) = (len as usize, format!("{name}, {len}"));

    let (mut own, mut pairs) = (detector(), Vec::new());
    let list = row(format!("{name}: pairs"), items, move |round| {
        own.pairs(state(round).columns(), &mut pairs).expect("pairs");
        hash(pairs.iter().map(|pair| u64::from(pair.a) << 32 | u64::from(pair.b)))
    });
    let mut own = detector();
    let count = row(format!("{name}: count"), items, move |round| {
        own.count(state(round).columns()).expect("a count")
    });
    let (mut own, mut contacts) = (detector(), Vec::new());
    let contact = row(format!("{name}: contacts"), items, move |round| {
        own.contacts(state(round).columns(), 0.0, &mut contacts).expect("contacts");
        contacts.len() as u64
    });
    let options = Options { order: Order::Sorted, ..options };
    let mut own = Detector::with_options(options).expect("good options");
    let mut pairs = Vec::new();
    let sorted = row(format!("{name}: sorted pairs"), items, move |round| {
        own.pairs(state(round).columns(), &mut pairs).expect("pairs");
        hash(pairs.iter().map(|pair| u64::from(pair.a) << 32 | u64::from(pair.b)))
    });
    let mut own = Detector::with_options(options).expect("good options");
    let mut contacts = Vec::new();
    let sorted_contacts = row(format!("{name}: sorted contacts"), items, move |round| {
        own.contacts(state(round).columns(), 0.0, &mut contacts).expect("contacts");
        hash(contacts.iter().map(|found| u64::from(found.pair.a) << 32 | u64::from(found.pair.b)))
    });
    let options = IndexOptions { threads: Threads::Calling, simd_level, ..IndexOptions::default() };
    let mut index = Index::with_options(options).expect("good options");
    let rebuild = row(format!("{name}: rebuild"), items, move |round| {
        index.rebuild(state(round).columns()).expect("an index");
        index.len() as u64
    });
    vec![list, count, contact, sorted, sorted_contacts, rebuild, steps(name, states, simd_level)]
}

/// Steps of a world of the circles of a scene.
fn steps(name: String, states: &'static [Scene], simd_level: Option<SimdLevel>) -> Row {
    let options = Options { threads: Threads::Calling, simd_level, ..Options::default() };
    let mut world = World::with_options(options).expect("good options");
    let mut handles = Vec::new();
    let len = states[0].columns().len();
    let bodies = vec![Body::default(); len];
    world.insert_all(states[0].columns(), &bodies, &mut handles).expect("bodies");
    let places = |scene: &Scene| {
        let mut shapes = widephase::Shapes::new();
        shapes.extend_from_columns(scene.columns()).expect("shapes");
        Vec::from_iter((0..len as u32).map(|row| shapes.pose(row).expect("a row")))
    };
    let poses: Vec<Vec<Pose>> = states.iter().map(places).collect();
    row(format!("{name}: step"), len, move |round| {
        world.set_poses(&handles, &poses[round % STATES]).expect("poses");
        world.step().expect("a step").contacts().len() as u64
    })
}

/// Numbers from 0 to 1.
struct Rng(u64);

impl Rng {
    fn next(&mut self) -> f32 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 40) as f32 / (1 << 24) as f32
    }

    /// A direction of some length.
    fn direction(&mut self, length: f32) -> [f32; 2] {
        let angle = self.next() * std::f32::consts::TAU;
        [length * angle.cos(), length * angle.sin()]
    }
}

/// Queries among shapes with one of them in a unit of area.
fn queries(kind: &str, simd_level: Option<SimdLevel>) -> Vec<Row> {
    let (mut rng, side) = (Rng(7), (SHAPES as f32).sqrt());
    let mut x = Vec::from_iter((0..SHAPES).map(|_| side * rng.next()));
    let mut y = Vec::from_iter((0..SHAPES).map(|_| side * rng.next()));
    if kind == "clusters" {
        for row in 0..SHAPES {
            let (cluster, [dx, dy]) = (row % 50, rng.direction(side / 20.0));
            let (out, [column, line]) = (rng.next(), [cluster % 7, cluster / 7]);
            x[row] = column as f32 * side / 7.0 + dx * out * out;
            y[row] = line as f32 * side / 7.0 + dy * out * out;
        }
    }
    let radius = Vec::from_iter((0..SHAPES).map(|_| 0.1 + 0.3 * rng.next()));
    let half = Vec::from_iter((0..SHAPES).map(|_| 0.1 + 0.3 * rng.next()));
    let (x, y, radius) = (keep(x), keep(y), keep(radius));
    let columns = match kind {
        "points" => Columns::points(x, y),
        "boxes" => Columns::centered(x, y, radius, &half),
        _ => Columns::circles(x, y, radius),
    };
    let lists = [2.0, 4.0, 8.0].map(|distance| {
        let circles = Columns::circles(x, y, radius).expect("circles");
        let options = Options { threads: Threads::Calling, simd_level, ..Options::default() };
        let mut detector = Detector::with_options(options).expect("good options");
        let mut lists = Lists::new();
        row(format!("{kind}: neighbors within {distance}"), SHAPES, move |_| {
            let near = detector.neighbors(circles, distance, Adjacency::Full, &mut lists);
            near.expect("neighbors");
            hash(lists.items().iter().map(|row| u64::from(*row)))
        })
    });
    let options = IndexOptions { threads: Threads::Calling, simd_level, ..IndexOptions::default() };
    let mut index = Index::with_options(options).expect("good options");
    index.rebuild(columns.expect("columns of one length")).expect("an index");
    let index: &Index = keep(index);
    let near = keep(Vec::from_iter((0..QUERIES).map(|_| [side * rng.next(), side * rng.next()])));
    let far = keep(Vec::from_iter((0..QUERIES).map(|_| {
        let [dx, dy] = rng.direction(2.0 * side);
        [0.5 * side + dx, 0.5 * side + dy]
    })));
    let mut rows = nearest(kind, index, near);
    rows.extend(lists);
    rows.extend(nearest(&format!("{kind}, far"), index, far));
    rows.extend(along(kind, index, near, &mut rng));
    let mut found = Vec::new();
    rows.push(row(format!("{kind}: overlaps"), QUERIES, move |_| {
        hash(near.iter().map(|center| {
            index.overlapping(Circle::new(*center, 1.0), &mut found).expect("a query");
            found.len() as u64
        }))
    }));
    for (name, batch) in [("batches of 12", 12), ("batch", QUERIES)] {
        let mut lists = Lists::new();
        rows.push(row(format!("{kind}: overlaps, {name}"), QUERIES, move |_| {
            hash(near.chunks(batch).map(|centers| {
                let circles = Columns::circles_at(centers, 1.0).expect("circles");
                index.overlapping_batch(circles, &mut lists).expect("queries");
                lists.items().len() as u64
            }))
        }));
    }
    rows
}

/// Nearest shapes of points.
fn nearest(kind: &str, index: &'static Index, centers: &'static [[f32; 2]]) -> Vec<Row> {
    let mut rows = vec![row(format!("{kind}: nearest, single"), QUERIES, move |_| {
        hash(centers.iter().filter_map(|center| {
            let near = index.nearest(Point::new(*center), f32::INFINITY).expect("a query");
            near.map(|near| of_neighbor(&near))
        }))
    })];
    for k in [1, 8, 32] {
        let mut near = Vec::new();
        rows.push(row(format!("{kind}: {k} nearest, single"), QUERIES, move |_| {
            hash(centers.iter().flat_map(|center| {
                let found = index.k_nearest(Point::new(*center), k, f32::INFINITY, &mut near);
                found.expect("a query");
                near.iter().map(of_neighbor).collect::<Vec<_>>()
            }))
        }));
        let mut lists = Lists::new();
        rows.push(row(format!("{kind}: {k} nearest, batch"), QUERIES, move |_| {
            let points = Columns::points_at(centers).expect("points");
            index.k_nearest_batch(points, k, f32::INFINITY, &mut lists).expect("queries");
            hash(lists.items().iter().map(of_neighbor))
        }));
    }
    rows
}

/// Rays and casts.
fn along(
    kind: &str,
    index: &'static Index,
    centers: &'static [[f32; 2]],
    rng: &mut Rng,
) -> Vec<Row> {
    let random: &[Ray] =
        keep(Vec::from_iter(centers.iter().map(|from| Ray::new(*from, rng.direction(30.0)))));
    let fan: &[Ray] = keep(Vec::from_iter((0..QUERIES).map(|number| {
        let angle = (number % 1000) as f32 * std::f32::consts::TAU / 1000.0;
        Ray::new(centers[number / 1000], [30.0 * angle.cos(), 30.0 * angle.sin()])
    })));
    let mut rows = Vec::new();
    for (name, rays) in [("random", random), ("fan", fan)] {
        rows.push(row(format!("{kind}: ray {name}, single"), QUERIES, move |_| {
            hash(rays.iter().map(|ray| of_hit(&index.cast_ray(*ray).expect("a query"))))
        }));
        let mut hits = Vec::new();
        rows.push(row(format!("{kind}: ray {name}, batch"), QUERIES, move |_| {
            index.cast_ray_batch(rays, &mut hits).expect("queries");
            hash(hits.iter().map(of_hit))
        }));
    }
    let ways: &[[f32; 2]] = keep(Vec::from_iter(centers.iter().map(|_| rng.direction(10.0))));
    rows.push(row(format!("{kind}: cast, single"), QUERIES, move |_| {
        hash(centers.iter().zip(ways).map(|(center, way)| {
            let circle = Circle::new(*center, 0.4);
            of_hit(&index.cast_shape(circle, *way, CastOptions::default()).expect("a query"))
        }))
    }));
    rows
}

/// Many small spaces.
fn spaces(each: usize, simd_level: Option<SimdLevel>) -> Vec<Row> {
    let (mut rng, side) = (Rng(11), (each as f32).sqrt());
    let mut column = || Vec::from_iter((0..BODIES).map(|_| side * rng.next()));
    let states: &[[Vec<f32>; 2]] = keep(Vec::from_iter((0..STATES).map(|_| [column(), column()])));
    let of_rows: &[u32] = keep(Vec::from_iter((0..BODIES).map(|row| (row / each) as u32)));
    let circles = move |round: usize| {
        let [x, y] = &states[round % STATES];
        let circles = Columns::circles(x, y, 0.4).and_then(|all| all.with_spaces(of_rows));
        circles.expect("columns of one length")
    };
    let name = format!("spaces of {each}");
    let options = Options { threads: Threads::Calling, simd_level, ..Options::default() };
    let mut detector = Detector::with_options(options).expect("good options");
    let mut pairs = Vec::new();
    let list = row(format!("{name}: pairs"), BODIES, move |round| {
        detector.pairs(circles(round), &mut pairs).expect("pairs");
        hash(pairs.iter().map(|pair| u64::from(pair.a) << 32 | u64::from(pair.b)))
    });
    let options = IndexOptions { threads: Threads::Calling, simd_level, ..IndexOptions::default() };
    let mut index = Index::with_options(options).expect("good options");
    let rebuild = row(format!("{name}: rebuild"), BODIES, move |round| {
        index.rebuild(circles(round)).expect("an index");
        index.len() as u64
    });
    let mut index = Index::with_options(options).expect("good options");
    index.rebuild(circles(0)).expect("an index");
    let mut near = Vec::new();
    let nearest = row(format!("{name}: nearest, batch"), BODIES, move |_| {
        index.nearest_batch(circles(1), f32::INFINITY, &mut near).expect("queries");
        hash(near.iter().flatten().map(of_neighbor))
    });
    vec![list, rebuild, nearest]
}
