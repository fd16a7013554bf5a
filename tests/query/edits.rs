//! An index whose shapes change one by one, beside an index that is built from nothing.

use widephase::{
    Columns, Detector, Error, Filter, Index, IndexOptions, Options, Order, Queries, Ray, Shapes,
    shape::{
        Aabb, Circle, ConvexPolygon, HalfPlane, Kind, Obb, OwnedShape, Point, Pose, Posed,
        Rotation, RoundedBox,
    },
};

use common::as_new::assert_same;
use common::{
    Rng,
    crowd::{Crowd, Make, Numbers},
    rng::cases,
};

/// The shapes that an index should have.
struct Model {
    store: Shapes,
    filters: Vec<Filter>,
    spaces: Vec<u32>,
    free: Vec<u32>,
    /// The values that shapes are made of.
    pool: Vec<OwnedShape>,
    filtered: bool,
    spaced: bool,
}

impl Model {
    fn columns(&self) -> Columns<'_> {
        let mut columns = self.store.columns();
        if self.filtered {
            columns = columns.with_filters(&self.filters).unwrap();
        }
        if self.spaced {
            columns = columns.with_spaces(&self.spaces).unwrap();
        }
        columns
    }

    /// A row with a shape, if the index has a shape.
    fn some(&self, rng: &mut Rng) -> Option<u32> {
        let rows = self.store.rows() as u64;
        let from = if rows == 0 { return None } else { rng.below(rows) };
        let all = (from..rows).chain(0..from).map(|row| row as u32);
        all.into_iter().find(|row| self.store.kind(*row).is_some())
    }

    /// One change of both indexes.
    fn change(&mut self, index: &mut Index, rng: &mut Rng) {
        let shape = self.pool[rng.below(self.pool.len() as u64) as usize].clone();
        let turn = Rotation::from_angle(rng.range(-3.0, 3.0));
        let mut pose = Pose::new([rng.range(-4.0, 4.0), rng.range(-4.0, 4.0)], turn);
        let row = self.some(rng);
        match (rng.below(8), row) {
            (0 | 1, _) | (_, None) => {
                let space = if self.spaced { [0, 3, 3, 9][rng.below(4) as usize] } else { 0 };
                let found = index.insert_in_space(&shape, space).unwrap();
                let row = match self.free.pop() {
                    Some(row) => {
                        self.store.set(row, &shape).unwrap();
                        row
                    }
                    None => self.store.push(&shape).unwrap(),
                };
                assert_eq!(found, row);
                self.filters.resize(self.store.rows(), Filter::ALL);
                self.spaces.resize(self.store.rows(), 0);
                self.filters[row as usize] = Filter::ALL;
                self.spaces[row as usize] = space;
            }
            (2, Some(row)) => {
                index.remove(row).unwrap();
                self.store.remove(row).unwrap();
                self.free.push(row);
                let gone = Error::NoSuchShape { index: row as usize, len: self.store.rows() };
                assert_eq!(index.remove(row).unwrap_err(), gone);
                assert_eq!(index.set_pose(row, pose).unwrap_err(), gone);
                assert_eq!(index.set_shape(row, &shape).unwrap_err(), gone);
            }
            (3, Some(row)) => {
                index.set_shape(row, &shape).unwrap();
                self.store.set(row, &shape).unwrap();
            }
            (_, Some(row)) => {
                if matches!(self.store.kind(row), Some(Kind::Aabb | Kind::RoundedBox)) {
                    pose = Pose::at(pose.position());
                }
                index.set_pose(row, pose).unwrap();
                self.store.set_pose(row, pose).unwrap();
            }
        }
    }
}

/// Shapes of some kinds, by the seed: circles, boxes, axis-aligned shapes or any.
fn pool(seed: u64, count: usize) -> Vec<OwnedShape> {
    let (makes, numbers) = (Make::ALL.to_vec(), Numbers::ALL[seed as usize % 4]);
    let crowd = Crowd { seed, count: 8 * count, makes, numbers, unit: 0, far: 0, flat: false };
    let fits = |shape: &OwnedShape| match (seed % 4, Posed::from(shape).shape.kind()) {
        (0, Kind::Circle) | (1, Kind::Aabb) => true,
        (2, kind) => kind.is_axis_aligned(),
        (kinds, _) => kinds == 3,
    };
    let shapes = crowd.solids().into_iter().map(|solid| solid.shape).filter(fits);
    shapes.take(count).collect()
}

fn model(seed: u64, count: usize) -> Model {
    let mut rng = Rng::new(seed);
    let pool = pool(seed, count.max(20));
    let mut store = Shapes::new();
    for shape in pool.iter().cycle().take(count) {
        let row = store.push(shape).unwrap();
        // An index of axis-aligned shapes knows no earlier poses.
        if store.kind(row).is_some_and(|kind| !kind.is_axis_aligned()) {
            let pose = Pose::at([rng.range(-4.0, 4.0), rng.range(-4.0, 4.0)]);
            store.set_pose(row, pose).unwrap();
        }
    }
    let filter = |rng: &mut Rng| match rng.below(3) {
        0 => Filter::new(2, u64::MAX),
        1 => Filter::ALL.owned_by(1 + rng.below(3) as u32),
        _ => Filter::ALL,
    };
    let filters = (0..count).map(|_| filter(&mut rng)).collect();
    let spaces = (0..count).map(|_| [0, 3, 9][rng.below(3) as usize]).collect();
    let (filtered, spaced) = (seed % 3 == 1, seed % 5 == 2);
    Model { store, filters, spaces, free: Vec::new(), pool, filtered, spaced }
}

/// Changes, and all questions between them.
fn compare(seed: u64, count: usize, rounds: u64, changes: u64) {
    let (mut model, mut rng) = (model(seed, count), Rng::new(seed + 77));
    let spaces: &[u32] = if model.spaced { &[0, 3, 9, 4] } else { &[0] };
    let order = if seed.is_multiple_of(2) { Order::Sorted } else { Order::Grid };
    let mut index = Index::with_options(IndexOptions { order, ..IndexOptions::default() }).unwrap();
    index.rebuild(model.columns()).unwrap();
    let mut new = index.clone();
    for round in 0..rounds {
        for _ in 0..1 + rng.below(changes) {
            model.change(&mut index, &mut rng);
        }
        if round % 3 == 1 {
            index = index.clone();
        }
        new.rebuild(model.columns()).unwrap();
        let what = format!("seed {seed}, {count} shapes, round {round}");
        assert_same(&index, &new, spaces, seed + round, &what);
    }
    index.rebuild(model.columns()).unwrap();
    assert_same(&index, &new, spaces, seed, "rebuilt");
}

#[test]
fn few_shapes_change() {
    for seed in 0..cases(20) as u64 {
        compare(seed, seed as usize % 30, 12, 6);
    }
}

#[test]
fn many_shapes_change() {
    for seed in 0..cases(10) as u64 {
        compare(seed, 300, 6, 40);
    }
}

/// Shapes so far apart that the cells wrap around, and a tree of boxes that exists before they
/// change.
#[test]
fn distant_shapes_change() {
    let x: Vec<f32> = (0..4000).map(|row| (row % 7) as f32 * 1.0e7 + row as f32).collect();
    let y: Vec<f32> = (0..4000).map(|row| (row % 5) as f32 * 3.0e7).collect();
    let mut index = Index::build(Columns::circles(&x, &y, 0.25).unwrap()).unwrap();
    let mut store = Shapes::from_columns(Columns::circles(&x, &y, 0.25).unwrap()).unwrap();
    let mut rng = Rng::new(5);
    for round in 0..20 {
        let (mut found, mut expected) = (Vec::new(), Vec::new());
        let new = Index::build(&store).unwrap();
        for k in [1, 5, 4000] {
            let at =
                widephase::shape::Point::new([rng.range(-1.0e8, 1.0e8), rng.range(-1.0e8, 1.0e8)]);
            index.k_nearest(at, k, f32::INFINITY, &mut found).unwrap();
            new.k_nearest(at, k, f32::INFINITY, &mut expected).unwrap();
            assert_eq!(found, expected, "{round} {k}");
        }
        for _ in 0..20 {
            let row = rng.below(4000) as u32;
            let pose = Pose::at([rng.range(-1.0e8, 1.0e8), rng.range(-1.0e8, 1.0e8)]);
            index.set_pose(row, pose).unwrap();
            store.set_pose(row, pose).unwrap();
        }
    }
}

/// Long walls and slanted half-planes, which detections know by more than their boxes, are removed.
#[test]
fn removed_walls_are_gone() {
    let mut rng = Rng::new(3);
    let mut at = |extent: f32| [rng.range(-extent, extent), rng.range(-extent, extent)];
    let mut crates = |count: usize, extent: f32| {
        let mut shapes = Shapes::new();
        for _ in 0..count {
            let turn = Rotation::from_angle(at(3.0)[0]);
            shapes.push(Obb::new(at(extent), [0.6, 0.3], turn)).unwrap();
        }
        shapes
    };
    let (mut store, others) = (crates(3000, 60.0), crates(400, 50.0));
    let mut walls = Vec::new();
    for number in 0..6 {
        let y = number as f32 * 9.0;
        let long = [[-50.0, y - 30.0], [50.0, y + 20.0], [49.5, y + 21.0], [-50.5, y - 29.0]];
        walls.push(store.push(ConvexPolygon::new(&long).unwrap()).unwrap());
        let plane = HalfPlane::new([0.6, 0.8], -40.0 - y);
        walls.push(store.push(plane).unwrap());
    }
    let mut index = Index::build(&store).unwrap();
    let options = Options { order: Order::Sorted, ..Options::default() };
    let mut detector = Detector::with_options(options).unwrap();
    let (mut pairs, mut expected) = (Vec::new(), Vec::new());
    for wall in walls {
        index.remove(wall).unwrap();
        store.remove(wall).unwrap();
        detector.pairs((&others, &index), &mut pairs).unwrap();
        let new = Index::build(&store).unwrap();
        detector.pairs((&others, &new), &mut expected).unwrap();
        assert_eq!(pairs, expected, "without {wall}");
        assert!(!pairs.is_empty());
    }
}

/// A space that only changed shapes are in is known to the first query after the change.
#[test]
fn the_first_query_asks_for_a_space() {
    for columns in [Columns::circles(&[5.0], &[0.0], &[1.0]), Columns::circles(&[], &[], &[])] {
        let mut index = Index::build(columns.unwrap()).unwrap();
        index.insert_in_space(Circle::new([3.0, 0.0], 1.0), 7).unwrap();
        let ray = Ray::new([0.0, 0.0], [1.0, 0.0]);
        for _ in 0..2 {
            assert!(matches!(index.cast_ray(ray), Err(Error::NoSpaceNamed { .. })));
        }
        assert_eq!(index.in_space(7).cast_ray(ray).unwrap().unwrap().row, index.rows() as u32 - 1);
    }
}

/// Beyond a limit, the pairs of all layers are counted once.
#[test]
fn pairs_beyond_the_limit_are_counted_once() {
    for before in [8, 3] {
        let (spaces, zeros, ones) = (vec![1; before], vec![0.0; before], vec![1.0; before]);
        let circles = Columns::circles(&zeros, &zeros, &ones);
        let mut index = Index::build(circles.unwrap().with_spaces(&spaces).unwrap()).unwrap();
        for _ in before..13 {
            index.insert_in_space(Circle::new([0.0; 2], 1.0), 1).unwrap();
        }
        let options = Options { max_pairs: 9, max_contacts: 9, ..Options::default() };
        let mut detector = Detector::with_options(options).unwrap();
        let one = Columns::circles(&[0.0], &[0.0], &[1.0]).unwrap().with_spaces(&[1]).unwrap();
        match detector.pairs((one, &index), &mut Vec::new()) {
            Err(Error::TooManyPairs { found, .. }) => assert_eq!(found, 13),
            result => panic!("{result:?}"),
        }
        match detector.contacts((one, &index), 0.0, &mut Vec::new()) {
            Err(Error::TooManyContacts { found, .. }) => assert_eq!(found, 13),
            result => panic!("{result:?}"),
        }
    }
}

/// Shapes are removed from a grid in the memory of a larger grid with other columns. Far clusters,
/// so that rows of cells wrap.
#[test]
fn shapes_are_removed_from_memory_that_is_used_again() {
    let mut rng = Rng::new(12);
    for _ in 0..cases(60) {
        let mut place = || rng.below(4) as f32 * 1e5 + rng.below(8000) as f32 / 100.0;
        let [x, y] = [(); 2].map(|()| (0..2000).map(|_| place()).collect::<Vec<f32>>());
        let mut index = Index::build(Columns::circles(&x, &y, &vec![0.5; 2000]).unwrap()).unwrap();
        let (x, y) = (&x[..1000], &y[..1000]);
        let [right, upper] =
            [x, y].map(|least| least.iter().map(|at| at + 1.0).collect::<Vec<_>>());
        index.rebuild(Columns::aabbs(x, y, &right, &upper).unwrap()).unwrap();
        for row in 0..1000 {
            index.remove(row).unwrap();
        }
        assert_eq!(index.nearest(Point::new([0.0; 2]), f32::INFINITY).unwrap(), None);
    }
}

/// A copy of an index goes on as the index: the order of its lists does not change.
#[test]
fn a_copy_goes_on_in_the_same_way() {
    for seed in 0..cases(40) as u64 {
        let (mut model, mut rng) = (model(seed % 3, 60), Rng::new(seed));
        (model.filtered, model.spaced) = (false, false);
        let mut index = Index::build(model.columns()).unwrap();
        let change = |index: &mut Index, rng: &mut Rng| {
            let row = rng.below(index.rows() as u64) as u32;
            let pose = Pose::at([rng.range(-4.0, 4.0), rng.range(-4.0, 4.0)]);
            let _ = index.set_pose(row, pose);
            let mut rows = Vec::new();
            index.overlapping(Circle::new([0.0; 2], 3.0), &mut rows).unwrap();
            rows
        };
        for _ in 0..rng.below(12) {
            change(&mut index, &mut rng);
        }
        let mut copy = index.clone();
        for step in 0..30 {
            let [rows, same] =
                [&mut index, &mut copy].map(|index| change(index, &mut Rng::new(step)));
            assert_eq!(rows, same, "seed {seed}, step {step}");
        }
    }
}

/// As many changes as shapes have in some minutes of a game.
#[test]
fn tens_of_thousands_of_changes() {
    let (mut model, mut rng) = (model(2, 2000), Rng::new(9));
    (model.filtered, model.spaced) = (true, false);
    let mut index = Index::build(model.columns()).unwrap();
    for round in 0..cases(3) as u64 {
        for change in 0..10_000 {
            model.change(&mut index, &mut rng);
            if change % 64 == 0 {
                index.ready().unwrap();
            }
        }
        let new = Index::build(model.columns()).unwrap();
        assert_same(&index, &new, &[0], round, &format!("round {round}"));
    }
}

/// Where the changed shapes are known roughly: shapes in a level far away or flat, with some that
/// are giant or far from the other shapes, and queries that just touch them.
#[test]
fn queries_find_all_changed_shapes() {
    let mut rng = Rng::new(21);
    for seed in 0..cases(80) as u64 {
        let count = [1, 2, 30, 400, 3000][seed as usize % 5];
        let corner: f32 = [0.0, 0.0, -1.0e5, 3.0e7][seed as usize % 4];
        let unit = [1.0, 0.01, 50.0][seed as usize % 3] * (1.0 + corner.abs() * 1.0e-6);
        let extent = (count as f32).sqrt() * 4.0 * unit;
        let (wide, high) = [(1.0, 1.0), (9.0, 0.0), (0.0, 9.0)][seed as usize / 4 % 3];
        let outliers = [0, 1, 8][seed as usize / 2 % 3];
        let mut index = Index::build(&Shapes::new()).unwrap();
        let mut store = Shapes::new();
        for number in 0..count {
            let far = if number < outliers { [1.0e3, 1.0e9][number % 2] } else { 1.0 };
            let at = [
                corner + rng.range(0.0, extent * wide) * far,
                corner - rng.range(0.0, extent * high) * far,
            ];
            let giant = number + 1 == outliers && seed.is_multiple_of(7);
            let size = unit * if giant { 1.0e3 } else { 1.0 };
            let shape: OwnedShape = match rng.below(3) {
                0 => Circle::new(at, size * rng.range(0.0, 1.0)).into(),
                1 => Aabb::new(at, [at[0] + size, at[1] + size * 0.5]).into(),
                _ => Obb::new(at, [size, size * 0.3], Rotation::from_angle(rng.range(0.0, 6.0)))
                    .into(),
            };
            index.insert(&shape).unwrap();
            store.push(&shape).unwrap();
        }
        let new = Index::build(&store).unwrap();
        let (mut rows, mut hits, mut near) = (Vec::new(), Vec::new(), Vec::new());
        let (mut own_rows, mut own_hits, mut own_near) = (Vec::new(), Vec::new(), Vec::new());
        for query in 0..300 {
            // Some begin at a side of a shape.
            let row = rng.below(count as u64) as u32;
            let RoundedBox { min_x, min_y, max_x, max_y, radius } = store.bounds(row).unwrap();
            let reach = unit * [0.0, 0.1, 1.0, 30.0][query % 4];
            let at = match query % 3 {
                0 => [max_x + radius + reach, max_y],
                1 => [min_x, min_y - radius - reach],
                _ => [
                    corner + rng.range(-0.5, extent * (wide + 1.0)),
                    corner - rng.range(-0.5, extent * (high + 1.0)),
                ],
            };
            let circle = Circle::new(at, reach);
            let what = format!("seed {seed}, query {query}");
            index.overlapping(circle, &mut rows).unwrap();
            new.overlapping(circle, &mut own_rows).unwrap();
            rows.sort_unstable();
            own_rows.sort_unstable();
            assert_eq!(rows, own_rows, "{what}");
            let limit = if query % 2 == 0 { f32::INFINITY } else { reach };
            assert_eq!(index.nearest(circle, limit), new.nearest(circle, limit), "{what}");
            index.k_nearest(circle, 3, limit, &mut near).unwrap();
            new.k_nearest(circle, 3, limit, &mut own_near).unwrap();
            assert_eq!(near, own_near, "{what}");
            let direction = [rng.range(-9.0, 9.0) * unit, rng.range(-9.0, 9.0) * unit];
            let ray = Ray::new(at, direction);
            assert_eq!(index.cast_ray(ray), new.cast_ray(ray), "{what}");
            let ray = ray.up_to(1.0);
            assert_eq!(index.hits_any(ray), new.hits_any(ray), "{what}");
            index.cast_ray_all(ray, &mut hits).unwrap();
            new.cast_ray_all(ray, &mut own_hits).unwrap();
            assert_eq!(hits, own_hits, "{what}");
            let cast = |index: &Index| index.cast_shape(circle, direction, 1.0);
            assert_eq!(cast(&index), cast(&new), "{what}");
        }
    }
}
