//! Overlap in batches beside overlap of single shapes: the same rows in the same order, whichever
//! way a batch is searched.

use widephase::{
    Columns, Filter, Index, IndexOptions, Lists, Order, Queries, Shapes, Threads, Touching,
    shape::{
        Aabb, Capsule, Circle, Compound, ConvexPolygon, Obb, OwnedShape, Point, Pose, Posed,
        Rotation, RoundedBox,
    },
};

use common::{POLICIES, Rng, levels, product};

/// Where shapes are.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Place {
    Random,
    Clustered,
    Far,
    Flat,
    Coincident,
    Huge,
    Tiny,
    /// Sizes of many orders of magnitude, so that the grid has many levels.
    Mixed,
}

const PLACES: [Place; 8] = [
    Place::Random,
    Place::Clustered,
    Place::Far,
    Place::Flat,
    Place::Coincident,
    Place::Huge,
    Place::Tiny,
    Place::Mixed,
];

/// A centre and a size for each of `count` shapes.
fn places(place: Place, count: usize, seed: u64) -> Vec<([f32; 2], f32)> {
    let mut rng = Rng::new(seed);
    let side = (count as f32).sqrt();
    let mut unit = move || rng.range(0.0, 1.0);
    let made = (0..count).map(|number| {
        let [x, y, size] = [unit() * side, unit() * side, 0.4 + unit()];
        match place {
            Place::Random => ([x, y], size),
            Place::Clustered => ([x * x / side, (number % 3) as f32 * 1e4 + y * 0.1], size),
            Place::Far => ([1e7 + x * 8.0, y - 3e6], size * 8.0),
            Place::Flat => ([x * side, 5.0], size),
            Place::Coincident => ([1.0, 2.0], size),
            Place::Huge => {
                let scale = 60.0_f32.exp2() / side;
                ([(x - side * 0.5) * scale, (y - side * 0.5) * scale], size * scale)
            }
            Place::Tiny => ([x * 1e-30, y * 1e-30], size * 1e-30),
            Place::Mixed => ([x, y], size * ((number % 9) as f32 * 2.0 - 12.0).exp2()),
        }
    });
    made.collect()
}

/// Which kinds of shapes there are.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Kinds {
    Points,
    Circles,
    Boxes,
    Aligned,
    All,
}

const KINDS: [Kinds; 5] = [Kinds::Points, Kinds::Circles, Kinds::Boxes, Kinds::Aligned, Kinds::All];

/// The shapes, one by one.
fn shapes(place: Place, kinds: Kinds, count: usize, seed: u64) -> Vec<(OwnedShape, Option<Pose>)> {
    let made = places(place, count, seed).into_iter().enumerate();
    let made = made.map(|(number, ([x, y], size))| {
        let half = size * 0.5;
        let kind = match kinds {
            Kinds::Points => 0,
            Kinds::Circles => 1,
            Kinds::Boxes => 2,
            Kinds::Aligned => number % 4,
            Kinds::All => number % 8,
        };
        let (min, max) = ([x - half, y - half], [x + half, y + half]);
        let pose = Pose::new([x, y], Rotation::from_angle(number as f32));
        match kind {
            0 => (Point::new([x, y]).into(), None),
            1 => (Circle::new([x, y], half).into(), None),
            2 => (Aabb::new(min, max).into(), None),
            3 => (RoundedBox::new(Aabb::new(min, max), half * 0.5).into(), None),
            4 => (Obb::new([0.0; 2], [half, half * 0.5], Rotation::IDENTITY).into(), Some(pose)),
            5 => (Capsule::new([-half, 0.0], [half, 0.0], half * 0.3).into(), Some(pose)),
            6 => {
                let corners = [[-half, -half], [half, -half], [0.0, half]];
                (ConvexPolygon::new(&corners).expect("a triangle").into(), Some(pose))
            }
            _ => {
                let parts = [[-half, 0.0], [half, 0.0]].map(|at| Circle::new(at, half * 0.5));
                (Compound::new(parts).expect("two parts").into(), Some(pose))
            }
        }
    });
    made.collect()
}

/// A store of the shapes. Every eleventh row is vacant.
fn store(shapes: &[(OwnedShape, Option<Pose>)]) -> Shapes {
    let mut store = Shapes::new();
    for (shape, pose) in shapes {
        match pose {
            Some(pose) => store.push_at(shape, *pose).expect("a good shape"),
            None => store.push(shape).expect("a good shape"),
        };
    }
    for row in (5..shapes.len() as u32).step_by(11) {
        store.remove(row).expect("a row that is there");
    }
    store
}

fn posed((shape, pose): &(OwnedShape, Option<Pose>)) -> Posed<'_> {
    Posed { pose: *pose, ..Posed::from(shape) }
}

/// The view that a single query of a batch has.
type Single<'a> = dyn Fn(usize) -> widephase::IndexView<'a> + 'a;

/// Compares the batch of `queries` with single shapes, each asked by the view of its number.
fn compare(
    batch: &impl Queries,
    queries: Columns<'_>,
    solids: &[(OwnedShape, Option<Pose>)],
    vacant: bool,
    single: &Single<'_>,
    what: &dyn std::fmt::Debug,
) {
    let (mut lists, mut counts, mut any) = (Lists::new(), vec![7], vec![Some(7)]);
    batch.overlapping_batch(queries, &mut lists).expect("good queries");
    batch.count_overlapping_batch(queries, &mut counts).expect("good queries");
    batch.any_overlapping_batch(queries, &mut any).expect("good queries");
    assert_eq!((lists.len(), counts.len(), any.len()), (solids.len(), solids.len(), solids.len()));
    let mut rows = Vec::new();
    for (number, solid) in solids.iter().enumerate() {
        rows.clear();
        let mut first = None;
        if !vacant || number < 5 || (number - 5) % 11 != 0 {
            let view = single(number);
            view.overlapping(posed(solid), &mut rows).expect("a good query");
            first = view.any_overlapping(posed(solid)).expect("a good query");
        }
        assert_eq!(lists.get(number), rows, "{what:?}, query {number}");
        assert_eq!(counts[number], rows.len() as u64, "{what:?}, query {number}");
        assert_eq!(any[number], first, "{what:?}, query {number}");
    }
}

fn options(touching: Touching, order: Order, threads: Threads) -> IndexOptions {
    IndexOptions { touching, order, threads, ..IndexOptions::default() }
}

#[test]
fn every_place_and_kind() {
    let mut hits = 0;
    for (case, place) in PLACES.into_iter().enumerate() {
        for (number, kinds) in KINDS.into_iter().enumerate() {
            let seed = (case * 8 + number) as u64;
            let (own, others) =
                (shapes(place, kinds, 500, seed), shapes(place, KINDS[4 - number], 400, seed ^ 64));
            let (own, queries) = (store(&own), store(&others));
            for (round, &level) in levels().iter().enumerate() {
                let touching = POLICIES[(case + number + round) % 2];
                let order = [Order::Grid, Order::Sorted][(number + round) % 2];
                let threads = [Threads::Calling, Threads::Pool][round % 2];
                let options =
                    IndexOptions { simd_level: Some(level), ..options(touching, order, threads) };
                let mut index = Index::with_options(options).expect("a level of this CPU");
                index.rebuild(&own).expect("good shapes");
                let what = (place, kinds, level, touching);
                let single = |_| index.filtered_by(&|_| true);
                compare(&index, queries.columns(), &others, true, &single, &what);
                let mut counts = Vec::new();
                index.count_overlapping_batch(&queries, &mut counts).expect("good queries");
                hits += counts.iter().sum::<u64>();
            }
        }
    }
    assert!(hits > 100_000, "{hits}");
}

/// Few queries, few shapes, and more queries than are searched together.
#[test]
fn every_size() {
    let sizes = [(0, 40), (1, 40), (40, 0), (2, 300), (300, 1), (300, 17), (300, 300)];
    let sizes = sizes.into_iter().chain([(900, 2_500), (40_000, 17_000), (3, 40_000)]);
    for (shapes_len, queries_len) in sizes {
        let own = shapes(Place::Random, Kinds::Circles, shapes_len, 3);
        let others = shapes(Place::Random, Kinds::Boxes, queries_len, 4);
        let (own, queries) = (store(&own), store(&others));
        for threads in [Threads::Calling, Threads::Pool] {
            let options = options(Touching::default(), Order::Grid, threads);
            let mut index = Index::with_options(options).expect("default options");
            index.rebuild(&own).expect("good shapes");
            let single = |_| index.filtered_by(&|_| true);
            let what = (shapes_len, queries_len, threads);
            compare(&index, queries.columns(), &others, true, &single, &what);
        }
    }
}

/// Windows from one shape to all of them.
#[test]
fn every_window() {
    let own = store(&shapes(Place::Random, Kinds::Boxes, 2_000, 5));
    let others: Vec<_> = (0..300)
        .map(|number| {
            let size = 0.9 * number as f32 * number as f32 / 1_000.0;
            let max = [20.0 + size, 19.0 + size];
            (Aabb::new([20.0 - size, 19.0 - size], max).into(), None)
        })
        .collect();
    let mut index = Index::new();
    for touching in POLICIES {
        index.set_options(options(touching, Order::Grid, Threads::Calling)).expect("good options");
        index.rebuild(&own).expect("good shapes");
        let queries = store(&others);
        let single = |_| index.filtered_by(&|_| true);
        compare(&index, queries.columns(), &others, true, &single, &touching);
        assert_eq!(index.count_overlapping(posed(&others[299])), Ok(index.len() as u64));
    }
}

/// Views, and columns with filters, a predicate and spaces.
#[test]
fn every_view() {
    for (kinds, distinct, with) in product(([Kinds::Circles, Kinds::All], [3, 40], [false, true])) {
        let own = shapes(Place::Random, kinds, 600, 7);
        let others = shapes(Place::Random, kinds, 400, 8);
        let filter = |number: usize| {
            let bit = 1 << (number % distinct);
            Filter::new(bit, u64::MAX ^ bit.rotate_left(1))
        };
        let filters: Vec<_> = (0..600).map(filter).collect();
        let (own, queries) = (store(&own), store(&others));
        let mut columns = own.columns();
        if with {
            columns = columns.with_filters(&filters).expect("a filter a row");
        }
        let index = Index::build(columns).expect("good shapes");
        let queries = queries.columns();
        let mask: Vec<bool> = (0..550).map(|row| row % 5 != 0).collect();
        let even = |row: u32| row.is_multiple_of(2);
        let views = [
            index.filtered(filter(1)),
            index.filtered(Filter::new(2, 2)),
            index.masked(&mask),
            index.filtered_by(&even),
            index.without(9).filtered(filter(2)),
            index.in_space(1),
        ];
        for (number, view) in views.into_iter().enumerate() {
            compare(&view, queries, &others, true, &|_| view, &(kinds, with, number));
        }
        let own = &filters[..400];
        let by_own = queries.with_filters(own).expect("a filter a row");
        let single = |query: usize| index.filtered(own[query]);
        compare(&index, by_own, &others, true, &single, &(kinds, with, "filters"));
        let single = |query: usize| index.masked(&mask).filtered(own[query]);
        let masked = index.masked(&mask);
        compare(&masked, by_own, &others, true, &single, &(kinds, with, "both"));
    }
}

#[test]
fn by_pairs_and_spaces() {
    let own = shapes(Place::Random, Kinds::Boxes, 600, 9);
    let others = shapes(Place::Random, Kinds::Circles, 400, 10);
    let (own, queries) = (store(&own), store(&others));
    let accept = |query: u32, row: u32| !(query + row).is_multiple_of(3);
    let index = Index::build(&own).expect("good shapes");
    let (mut lists, mut rows, mut counts) = (Lists::new(), Vec::new(), Vec::new());
    let asked = queries.columns().with_predicate(&accept);
    index.overlapping_batch(asked, &mut lists).expect("good queries");
    index.count_overlapping_batch(asked, &mut counts).expect("good queries");
    for (number, list) in lists.iter().enumerate().filter(|(number, _)| number % 11 != 5) {
        index.overlapping(posed(&others[number]), &mut rows).expect("a good query");
        rows.retain(|row| accept(number as u32, *row));
        assert_eq!((list, counts[number]), (&rows[..], rows.len() as u64), "query {number}");
    }

    let [of_rows, of_queries] =
        [600_u32, 400].map(|len| (0..len).map(|row| row % 7).collect::<Vec<_>>());
    let index = Index::build(own.columns().with_spaces(&of_rows).expect("a space a row"));
    let index = index.expect("good shapes");
    let asked = queries.columns().with_spaces(&of_queries).expect("a space a row");
    let single = |query: usize| index.in_space(of_queries[query]);
    compare(&index, asked, &others, true, &single, &"spaces");
    let third = index.in_space(3);
    compare(&third, queries.columns(), &others, true, &|_| third, &"one space");
}
