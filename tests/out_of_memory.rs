//! Memory that runs out is an error, in every call that makes lists: call by call, under many
//! limits. An abort would end the process, so each call runs in a process of its own.
#![allow(unsafe_code, reason = "a global allocator cannot be had without")]
#![allow(clippy::unwrap_used, reason = "a panic is a failed test, in its helpers too")]

use std::{
    alloc::{GlobalAlloc, Layout, System},
    env,
    process::Command,
    ptr,
    sync::atomic::{AtomicUsize, Ordering::Relaxed},
};

use widephase::{
    Adjacency, Body, Columns, Detector, Displacements, Error, Fan, Filter, Index, IndexOptions,
    Islands, Lists, Options, Pair, PairDiff, Periodic, Queries, Ray, Shapes, Threads, World,
    adjacency,
    columns::ScanColumns,
    doubles::{DoubleColumns, DoubleDetector, DoubleIndex},
    shape::{Chain, Circle, ConvexPolygon, Obb, Point, Pose, Rotation},
};

/// The system's allocator, which has no more memory than [`LIMIT`].
struct Limited;

static HELD: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);
static LIMIT: AtomicUsize = AtomicUsize::new(usize::MAX);

/// Takes `bytes`, unless they are more than there are.
fn take(bytes: usize) -> bool {
    let held = HELD.fetch_add(bytes, Relaxed).wrapping_add(bytes);
    let granted = held <= LIMIT.load(Relaxed);
    if granted {
        PEAK.fetch_max(held, Relaxed);
    } else {
        HELD.fetch_sub(bytes, Relaxed);
    }
    granted
}

// SAFETY: every method passes its arguments to `System`, or returns null, which the trait allows.
unsafe impl GlobalAlloc for Limited {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if !take(layout.size()) {
            return ptr::null_mut();
        }
        // SAFETY: the caller keeps the contract of `alloc`, which is the contract of `System`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        HELD.fetch_sub(layout.size(), Relaxed);
        // SAFETY: `block` came from this allocator, so from `System`.
        unsafe { System.dealloc(block, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Limited = Limited;

/// The input of a call. Each circle touches some other circles.
struct Input {
    x: Vec<f32>,
    y: Vec<f32>,
    radius: Vec<f32>,
    wide: [Vec<f64>; 3],
    by: Vec<[f32; 2]>,
    filters: Vec<Filter>,
    spaces: Vec<u32>,
    circles: Vec<Circle>,
    polygons: Vec<ConvexPolygon>,
    pairs: Vec<Pair>,
    ids: Vec<u64>,
    rays: Vec<Ray>,
    poses: Vec<Pose>,
    bodies: Vec<Body>,
    store: Shapes,
    rotated: Shapes,
    index: Index,
}

const SHAPES: usize = 1500;

impl Input {
    fn new() -> Self {
        let at = |row: usize, axis: usize| match axis {
            0 => (row % 50) as f32 + (row * 37 % 10) as f32 * 0.01,
            _ => (row / 50) as f32 + (row * 53 % 10) as f32 * 0.01,
        };
        let x: Vec<f32> = (0..SHAPES).map(|row| at(row, 0)).collect();
        let y: Vec<f32> = (0..SHAPES).map(|row| at(row, 1)).collect();
        let place = |row: usize| [x[row], y[row]];
        let circles: Vec<Circle> = (0..SHAPES).map(|row| Circle::new(place(row), 1.2)).collect();
        let turn = Rotation { cos: 0.6, sin: 0.8 };
        let boxes: Vec<Obb> =
            (0..SHAPES).map(|row| Obb::new(place(row), [1.0, 0.5], turn)).collect();
        let triangle = |row: usize| {
            let [x, y] = place(row);
            ConvexPolygon::new(&[[x, y], [x + 1.5, y], [x, y + 1.5]]).unwrap()
        };
        let options = IndexOptions { threads: Threads::Calling, ..IndexOptions::default() };
        let mut index = Index::with_options(options).unwrap();
        let radius = vec![1.2; SHAPES];
        index.rebuild(Columns::circles(&x, &y, &radius).unwrap()).unwrap();
        let pairs = (0..SHAPES as u32 - 1).map(|a| Pair { a, b: a + 1 }).collect();
        Self {
            wide: [&x, &y, &radius].map(|column| column.iter().map(|at| f64::from(*at)).collect()),
            by: vec![[1.5, -0.5]; SHAPES],
            filters: (0..SHAPES).map(|row| Filter::new(1 << (row % 40), u64::MAX)).collect(),
            spaces: (0..SHAPES).map(|row| row as u32 / 30).collect(),
            polygons: (0..SHAPES).map(triangle).collect(),
            pairs,
            ids: (0..SHAPES as u64).map(|row| row * 7).collect(),
            rays: (0..SHAPES).map(|row| Ray::segment(place(row), [30.0, 70.0])).collect(),
            poses: (0..SHAPES).map(|row| Pose::new(place(row), turn)).collect(),
            bodies: vec![Body::default(); SHAPES],
            store: Shapes::from_slice(&circles).unwrap(),
            rotated: Shapes::from_slice(&boxes).unwrap(),
            x,
            y,
            radius,
            circles,
            index,
        }
    }

    fn columns(&self) -> Columns<'_> {
        Columns::circles(&self.x, &self.y, &self.radius).unwrap()
    }

    fn doubles(&self) -> DoubleColumns<'_> {
        let [x, y, radius] = &self.wide;
        DoubleColumns::circles(x, y, radius).unwrap()
    }
}

fn calling() -> Options {
    Options { threads: Threads::Calling, ..Options::default() }
}

fn detector() -> Detector {
    Detector::with_options(calling()).unwrap()
}

fn double_detector() -> DoubleDetector {
    DoubleDetector::with_options(calling()).unwrap()
}

/// A call that is ready.
type Call<'a> = Box<dyn FnOnce() -> Result<(), Error> + 'a>;

/// Prepares a call: the lists that it writes to are made before memory runs out.
type Prepare = for<'a> fn(&'a Input) -> Call<'a>;

/// A call with the lists that are made before.
macro_rules! call {
    ($input:ident, { $($made:tt)* } $call:expr) => {
        |$input| {
            $($made)*;
            Box::new(move || $call.map(|_| ()))
        }
    };
}

const CALLS: &[(&str, Prepare)] = &[
    (
        "pairs",
        call!(input, { let (mut own, mut list) = (detector(), Vec::new()) }
        own.pairs(input.columns(), &mut list)),
    ),
    (
        "pairs of filters",
        call!(input, { let (mut own, mut list) = (detector(), Vec::new()) }
        own.pairs(input.columns().with_filters(&input.filters)?, &mut list)),
    ),
    (
        "pairs in spaces",
        call!(input, { let (mut own, mut list) = (detector(), Vec::new()) }
        own.pairs(input.columns().with_spaces(&input.spaces)?, &mut list)),
    ),
    (
        "pairs of a store",
        call!(input, { let (mut own, mut list) = (detector(), Vec::new()) }
        own.pairs(&input.rotated, &mut list)),
    ),
    (
        "pairs with an index",
        call!(input, { let (mut own, mut list) = (detector(), Vec::new()) }
        own.pairs((input.columns(), &input.index), &mut list)),
    ),
    ("count", call!(input, { let mut own = detector() } own.count(input.columns()))),
    (
        "for_each_pair",
        call!(input, { let mut own = detector() }
        own.for_each_pair(input.columns(), |_| {})),
    ),
    (
        "contacts",
        call!(input, { let (mut own, mut list) = (detector(), Vec::new()) }
        own.contacts(input.columns(), 0.0, &mut list)),
    ),
    (
        "contacts of boxes",
        call!(input, { let (mut own, mut list) = (detector(), Vec::new()) }
        own.contacts(&input.rotated, 0.25, &mut list)),
    ),
    (
        "neighbors",
        call!(input, { let (mut own, mut lists) = (detector(), Lists::new()) }
        own.neighbors(input.columns(), 1.0, Adjacency::Full, &mut lists)),
    ),
    (
        "neighbor_distances",
        call!(input, { let (mut own, mut lists) = (detector(), Lists::new()) }
        own.neighbor_distances(input.columns(), 1.0, Adjacency::Full, &mut lists)),
    ),
    (
        "pairs_periodic",
        call!(input, { let (mut own, mut list) = (detector(), Vec::new());
        let periodic = Periodic::new([0.0, 0.0], [51.0, 51.0]) }
        own.pairs_periodic(input.columns(), &periodic, &mut list)),
    ),
    (
        "neighbors_periodic",
        call!(input, { let (mut own, mut lists) = (detector(), Lists::new());
        let periodic = Periodic::new([0.0, 0.0], [51.0, 51.0]) }
        own.neighbors_periodic(input.columns(), 1.0, Adjacency::Full, &periodic, &mut lists)),
    ),
    (
        "k_nearest_periodic",
        call!(input, { let (mut own, mut lists) = (detector(), Lists::new());
        let periodic = Periodic::new([0.0, 0.0], [51.0, 51.0]) }
        own.k_nearest_periodic(input.columns(), 4, 9.0, &periodic, &mut lists)),
    ),
    (
        "swept_pairs",
        call!(input, { let (mut own, mut list) = (detector(), Vec::new());
        let (x, y) = (vec![1.5; SHAPES], vec![-0.5; SHAPES]) }
        own.swept_pairs(
            input.columns(),
            Displacements { x: &x, y: &y, ..Displacements::default() },
            &mut list,
        )),
    ),
    (
        "Index::rebuild",
        call!(input, { let mut index = Index::new() } index.rebuild(input.columns())),
    ),
    (
        "Index::rebuild of boxes",
        call!(input, { let mut index = Index::new() }
        index.rebuild(&input.rotated)),
    ),
    (
        "Index::rebuild in spaces",
        call!(input, { let mut index = Index::new() }
        index.rebuild(input.columns().with_spaces(&input.spaces)?)),
    ),
    (
        "Index::rebuild with filters",
        call!(input, { let mut index = Index::new() }
        index.rebuild(input.columns().with_filters(&input.filters)?)),
    ),
    (
        "overlapping",
        call!(input, { let (index, mut rows) = (input.index.clone(), Vec::new()) }
        index.overlapping(Circle::new([20.0, 20.0], 90.0), &mut rows)),
    ),
    (
        "overlapping_batch",
        call!(input, { let (index, mut lists) = (input.index.clone(), Lists::new()) }
        index.overlapping_batch(input.columns(), &mut lists)),
    ),
    (
        "overlapping_batch of boxes",
        call!(input, {
        let (index, mut lists) = (input.index.clone(), Lists::new()) }
        index.overlapping_batch(&input.rotated, &mut lists)),
    ),
    (
        "count_overlapping_batch",
        call!(input, { let (index, mut rows) = (input.index.clone(), Vec::new()) }
        index.count_overlapping_batch(input.columns(), &mut rows)),
    ),
    (
        "any_overlapping_batch",
        call!(input, { let (index, mut rows) = (input.index.clone(), Vec::new()) }
        index.any_overlapping_batch(input.columns(), &mut rows)),
    ),
    (
        "cast_ray_batch",
        call!(input, { let (index, mut hits) = (input.index.clone(), Vec::new()) }
        index.cast_ray_batch(&input.rays, &mut hits)),
    ),
    (
        "hits_any_batch",
        call!(input, { let (index, mut hits) = (input.index.clone(), Vec::new()) }
        index.hits_any_batch(&input.rays, &mut hits)),
    ),
    (
        "cast_ray_all",
        call!(input, { let (index, mut hits) = (input.index.clone(), Vec::new()) }
        index.cast_ray_all(Ray::segment([-3.0, -2.0], [60.0, 55.0]), &mut hits)),
    ),
    (
        "cast_ray_all_batch",
        call!(input, { let (index, mut hits) = (input.index.clone(), Lists::new()) }
        index.cast_ray_all_batch(&input.rays, &mut hits)),
    ),
    (
        "cast_shape_batch",
        call!(input, { let (index, mut hits) = (input.index.clone(), Vec::new()) }
        index.cast_shape_batch(input.columns(), &input.by, 1.0, &mut hits)),
    ),
    (
        "cast_shape_all_batch",
        call!(input, { let (index, mut hits) = (input.index.clone(), Lists::new()) }
        index.cast_shape_all_batch(input.columns(), &input.by, 1.0, &mut hits)),
    ),
    (
        "scan",
        call!(input, { let (index, mut scan) = (input.index.clone(), ScanColumns::new());
        let fan = Fan::around(40, 30.0) }
        index.scan(&fan, &input.poses, &mut scan)),
    ),
    (
        "nearest",
        call!(input, { let index = input.index.clone() }
        index.nearest(Point::new([900.0, 900.0]), f32::INFINITY)),
    ),
    (
        "k_nearest",
        call!(input, { let (index, mut list) = (input.index.clone(), Vec::new()) }
        index.k_nearest(Point::new([900.0, 900.0]), 2000, f32::INFINITY, &mut list)),
    ),
    (
        "nearest_batch",
        call!(input, { let (index, mut list) = (input.index.clone(), Vec::new()) }
        index.nearest_batch(input.columns(), f32::INFINITY, &mut list)),
    ),
    (
        "k_nearest_batch",
        call!(input, { let (index, mut lists) = (input.index.clone(), Lists::new()) }
        index.k_nearest_batch(input.columns(), 9, f32::INFINITY, &mut lists)),
    ),
    (
        "k_nearest_batch of filters",
        call!(input, {
        let (mut index, mut lists) = (Index::new(), Lists::new());
        index.rebuild(input.columns().with_filters(&input.filters).unwrap()).unwrap() }
        index.filtered(Filter::new(1, 1 << 7)).k_nearest_batch(
            input.columns(), 9, f32::INFINITY, &mut lists)),
    ),
    (
        "k_nearest_of_rows",
        call!(input, { let (index, mut lists) = (input.index.clone(), Lists::new()) }
        index.k_nearest_of_rows(9, f32::INFINITY, &mut lists)),
    ),
    (
        "adjacency",
        call!(input, { let mut lists = Lists::new() }
        adjacency(SHAPES, &input.pairs, Adjacency::Full, &mut lists)),
    ),
    (
        "Islands::find",
        call!(input, { let mut islands = Islands::new() }
        islands.find(SHAPES, &input.pairs, |_| true)),
    ),
    (
        "PairDiff::update",
        call!(input, { let mut diff = PairDiff::new() } diff.update(&input.pairs)),
    ),
    (
        "PairDiff::update_with_ids",
        call!(input, { let mut diff = PairDiff::new() }
        diff.update_with_ids(&input.pairs, &input.ids)),
    ),
    (
        "Shapes::push",
        call!(input, { let mut shapes = Shapes::new() }
        input.circles.iter().try_for_each(|circle| shapes.push(*circle).map(|_| ()))),
    ),
    (
        "Shapes::push of polygons",
        call!(input, { let mut shapes = Shapes::new() }
        input.polygons.iter().try_for_each(|polygon| shapes.push(polygon).map(|_| ()))),
    ),
    (
        "Shapes::extend_from_columns",
        call!(input, { let mut shapes = Shapes::new() }
        shapes.extend_from_columns(input.columns())),
    ),
    (
        "Shapes::extend_from_columns of boxes",
        call!(input, { let mut shapes = Shapes::new() }
        shapes.extend_from_columns(input.rotated.columns())),
    ),
    (
        "Shapes::push_chain",
        call!(input, { let mut shapes = Shapes::new();
        let chain = Chain::open(&input.by.iter().enumerate().map(|(at, _)| [at as f32, 0.0])
            .collect::<Vec<_>>()).unwrap() }
        shapes.push_chain(&chain)),
    ),
    (
        "Shapes::set_poses",
        call!(input, { let mut shapes = input.store.clone() }
        shapes.set_poses(&input.poses)),
    ),
    (
        "Shapes::set_filters",
        call!(input, { let mut shapes = input.store.clone() }
        shapes.set_filters(&input.filters)),
    ),
    (
        "Shapes::reorder",
        call!(input, { let mut shapes = input.rotated.clone();
        let order: Vec<u32> = (0..SHAPES as u32).rev().collect() }
        shapes.reorder(&order)),
    ),
    (
        "World::insert",
        call!(input, { let mut world = World::with_options(calling()).unwrap() }
        input.circles.iter().try_for_each(|shape| world.insert(*shape, Body::default()).map(|_| ()))),
    ),
    (
        "World::insert_all",
        call!(input, {
        let (mut world, mut handles) = (World::with_options(calling()).unwrap(), Vec::new()) }
        world.insert_all(&input.store, &input.bodies, &mut handles)),
    ),
    (
        "DoubleDetector::pairs",
        call!(input, { let (mut own, mut list) = (double_detector(), Vec::new()) }
        own.pairs(input.doubles(), &mut list)),
    ),
    (
        "DoubleIndex::rebuild",
        call!(input, {
        let mut index = DoubleIndex::with_options(IndexOptions::default()).unwrap() }
        index.rebuild(input.doubles())),
    ),
    (
        "DoubleIndex::overlapping_batch",
        call!(input, {
        let (index, mut lists) = (DoubleIndex::build(input.doubles()).unwrap(), Lists::new()) }
        index.overlapping_batch(input.doubles(), &mut lists)),
    ),
];

const CASE: &str = "WIDEPHASE_MEMORY_OF";

/// How many limits a call runs under.
const LIMITS: usize = 24;

/// The other half of the test below: only does something in the process that it starts.
#[test]
fn a_call_under_many_limits_in_a_process_of_its_own() {
    let Ok(case) = env::var(CASE) else { return };
    let (_, prepare) = CALLS.iter().find(|(name, _)| *name == case).unwrap();
    let input = Input::new();
    prepare(&input)().unwrap();
    let call = prepare(&input);
    let base = HELD.load(Relaxed);
    PEAK.store(base, Relaxed);
    call().unwrap();
    let used = PEAK.load(Relaxed) - base;
    let mut refused = 0;
    for step in (0..LIMITS).rev() {
        // Most allocations are small.
        let share = (step as f64 / LIMITS as f64).powi(2);
        let call = prepare(&input);
        LIMIT.store(HELD.load(Relaxed) + (used as f64 * share) as usize, Relaxed);
        let result = call();
        LIMIT.store(usize::MAX, Relaxed);
        match result {
            Ok(()) => {}
            Err(Error::OutOfMemory { .. }) => refused += 1,
            Err(error) => panic!("{case}: {error}"),
        }
    }
    // A call that needs nothing but a little more than it has can do without.
    assert!(refused > 0 || used < 4096, "{case}: {used} bytes, and never refused");
}

#[test]
fn memory_that_runs_out_is_an_error_in_every_call() {
    let mut aborted = Vec::new();
    for (name, _) in CALLS {
        let mut child = Command::new(env::current_exe().unwrap());
        child.args(["--exact", "a_call_under_many_limits_in_a_process_of_its_own", "--nocapture"]);
        let output = child.env(CASE, name).env("RUST_BACKTRACE", "0").output().unwrap();
        if !output.status.success() {
            let text = String::from_utf8_lossy(&output.stderr).trim().to_owned();
            aborted.push(format!("{name}: {}: {text}", output.status));
        }
    }
    assert!(aborted.is_empty(), "{} of {}:\n{}", aborted.len(), CALLS.len(), aborted.join("\n"));
}
