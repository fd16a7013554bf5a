//! Nearest shapes against brute force in `f64`, wherever the shapes lie; and how many shapes a
//! query looks at.

use std::sync::atomic::{AtomicUsize, Ordering};

use widephase::{
    Columns, Filter, Index, IndexOptions, Lists, Neighbor, Queries, Shapes, SimdLevel, Threads,
    shape::{Circle, Point, Segment},
};

use common::{Rng, at_every_level, levels};

/// The circles of a case: centres and radii.
#[derive(Debug, Clone, Default)]
struct Circles {
    x: Vec<f32>,
    y: Vec<f32>,
    radius: Vec<f32>,
}

impl Circles {
    fn of(len: usize, mut place: impl FnMut(usize) -> ([f32; 2], f32)) -> Self {
        let mut circles = Self::default();
        for number in 0..len {
            let ([x, y], radius) = place(number);
            circles.x.push(x);
            circles.y.push(y);
            circles.radius.push(radius);
        }
        circles
    }

    fn columns(&self) -> Columns<'_> {
        Columns::circles(&self.x, &self.y, &self.radius).unwrap()
    }

    /// The distance of a circle to each circle in `f64`, rounded once, and sorted with its row.
    fn sorted(&self, [x, y]: [f32; 2], radius: f32) -> Vec<(f32, u32)> {
        let distance = |row: usize| {
            let by = [self.x[row], self.y[row]].map(f64::from);
            let (dx, dy) = (by[0] - f64::from(x), by[1] - f64::from(y));
            let radii = f64::from(self.radius[row]) + f64::from(radius);
            (((dx * dx + dy * dy).sqrt() - radii).max(0.0)) as f32
        };
        let mut all: Vec<_> = (0..self.x.len()).map(|row| (distance(row), row as u32)).collect();
        all.sort_by(|one, other| one.partial_cmp(other).unwrap());
        all
    }

    /// Compares the nearest shapes of some queries, at every level.
    fn check(&self, name: &str, queries: &Circles) {
        for &level in levels() {
            let options = IndexOptions {
                simd_level: Some(level),
                threads: Threads::Calling,
                ..IndexOptions::default()
            };
            let mut index = Index::with_options(options).unwrap();
            index.rebuild(self.columns()).unwrap();
            for query in 0..queries.x.len() {
                let (center, radius) =
                    ([queries.x[query], queries.y[query]], queries.radius[query]);
                let sorted = self.sorted(center, radius);
                let probe = Circle::new(center, radius);
                for (k, most) in [
                    (1, f32::INFINITY),
                    (7, f32::INFINITY),
                    (40, f32::INFINITY),
                    (5, sorted[2.min(sorted.len() - 1)].0),
                ] {
                    let expected: Vec<_> =
                        sorted.iter().filter(|(distance, _)| *distance <= most).take(k).collect();
                    let mut near = Vec::new();
                    index.k_nearest(probe, k, most, &mut near).unwrap();
                    let lazy = index.nearest_iter(probe, most).unwrap();
                    assert!(lazy.take(k).eq(near.iter().copied()), "{name}, {level:?}, {k}");
                    let near: Vec<_> = near.iter().map(|near| (near.distance, near.row)).collect();
                    assert!(
                        near.iter().eq(expected),
                        "{name}, {level:?}, k = {k}, at {center:?}: {:?}",
                        &near[..near.len().min(3)]
                    );
                }
            }
        }
    }
}

/// A place in a square from the origin.
fn within(rng: &mut Rng, side: f32) -> [f32; 2] {
    [rng.range(0.0, 1.0) * side, rng.range(0.0, 1.0) * side]
}

#[test]
fn the_nearest_are_those_of_f64_wherever_the_shapes_lie() {
    let rng = &mut Rng::new(3);
    let size = |rng: &mut Rng| if rng.range(0.0, 1.0) < 0.5 { 0.0 } else { rng.range(0.0, 1.0) };
    let uniform = Circles::of(2000, |_| (within(rng, 45.0), size(rng)));
    let line = Circles::of(2000, |row| ([5.0, row as f32], 0.0));
    let place = Circles::of(2000, |_| ([3.0, 3.0], 0.5));
    let apart = Circles::of(2000, |row| {
        let [x, y] = within(rng, 30.0);
        ([x + if row % 2 == 0 { 0.0 } else { 1e6 }, y], 0.1)
    });
    let shrinking = Circles::of(2000, |row| ([(-(row as f32) / 50.0).exp2(), 0.0], 0.0));
    let sizes =
        Circles::of(2000, |_| (within(rng, 200.0), (10.0 * rng.range(0.0, 1.0) - 5.0).exp2()));
    let few = Circles::of(5, |_| (within(rng, 3.0), 0.2));
    for (name, circles) in [
        ("uniform", uniform),
        ("line", line),
        ("one place", place),
        ("two clusters", apart),
        ("distances down to 2^-40", shrinking),
        ("sizes", sizes),
        ("few", few),
    ] {
        let mut queries = Circles::of(12, |_| (within(rng, 45.0), size(rng)));
        for far in [-50.0_f32, 1e3, 1e6, 1e9, 1e15, -1e18] {
            queries.x.push(far);
            queries.y.push(rng.range(0.0, 1.0) * 45.0);
            queries.radius.push(0.25);
        }
        for row in [0, circles.x.len() / 2] {
            queries.x.push(circles.x[row]);
            queries.y.push(circles.y[row]);
            queries.radius.push(0.0);
        }
        queries.x.push(0.0);
        queries.y.push(0.0);
        queries.radius.push(0.0);
        circles.check(name, &queries);
    }
}

/// Shapes at nearly the same distance, some of them at exactly one distance after rounding: a bound
/// that is too high by a rounding loses the nearest or the lowest row.
#[test]
fn no_shape_is_lost_beside_others_at_nearly_the_same_distance() {
    let rng = &mut Rng::new(11);
    let mut ties = 0;
    for round in 0..300 {
        let scale = (rng.range(0.0, 1.0) * 80.0 - 50.0).exp2();
        let [x, y] = within(rng, [0.0, 1.0, 100.0, 1e5][round % 4] * scale);
        let length = scale * (1.0 + rng.range(0.0, 1.0));
        let ring = Circles::of(90, |_| {
            let angle = rng.range(0.0, 1.0) * std::f32::consts::TAU;
            let radius = if round % 3 == 0 { 0.0 } else { length * rng.range(0.0, 1.0) };
            let away = length + radius;
            ([x + away * angle.cos(), y + away * angle.sin()], radius)
        });
        let query = Circles::of(1, |_| ([x, y], 0.0));
        let sorted = ring.sorted([x, y], 0.0);
        ties += usize::from(sorted[0].0 == sorted[1].0);
        ring.check("ring", &query);
    }
    assert!(ties > 20, "{ties} ties");
}

/// The number of shapes that a query for the nearest shapes asks a predicate about.
fn looked_at(index: &Index, point: [f32; 2], k: usize) -> usize {
    let count = AtomicUsize::new(0);
    let accept = |_: u32| {
        count.fetch_add(1, Ordering::Relaxed);
        true
    };
    let mut near = Vec::new();
    index.filtered_by(&accept).k_nearest(Point::new(point), k, f32::INFINITY, &mut near).unwrap();
    assert_eq!(near.len(), k);
    count.into_inner()
}

#[test]
fn a_query_looks_at_few_shapes_wherever_they_lie() {
    let rng = &mut Rng::new(5);
    let uniform = Circles::of(20_000, |_| (within(rng, 141.0), 0.0));
    let line = Circles::of(20_000, |row| ([5.0, row as f32], 0.0));
    let place = Circles::of(20_000, |_| ([3.0, 3.0], 0.5));
    let apart = Circles::of(20_000, |row| {
        let [x, y] = within(rng, 100.0);
        ([x + if row % 2 == 0 { 0.0 } else { 1e6 }, y], 0.0)
    });
    for (name, circles) in
        [("uniform", uniform), ("line", line), ("place", place), ("apart", apart)]
    {
        let index = Index::build(circles.columns()).unwrap();
        for at in [[0.0, 0.0], [5.0, 70.0], [4e5, 3.0], [1e3, 1e3], [-1e9, 7.0], [1e18, 1e18]] {
            for k in [1, 8] {
                let looks = looked_at(&index, at, k);
                assert!(looks <= 500, "{name}: {looks} shapes for k = {k} at {at:?}");
            }
        }
    }
    let mut floor = Shapes::new();
    for row in 0..20_000_u16 {
        let x = f32::from(row);
        floor.push(Segment::new([x, 0.0], [x + 1.0, 0.0])).unwrap();
    }
    let index = Index::build(&floor).unwrap();
    for at in [[700.5, 3.0], [700.5, 0.0], [-1e6, 0.0], [9e3, -2e3]] {
        let looks = looked_at(&index, at, 4);
        assert!(looks <= 500, "floor: {looks} shapes at {at:?}");
    }
}

#[test]
fn rows_on_one_place_find_the_lowest_other_rows() {
    let place = Circles::of(5000, |_| ([3.0, -2.0], 0.0));
    let index = Index::build(place.columns()).unwrap();
    let mut lists = Lists::new();
    index.k_nearest_of_rows(2, 1.0, &mut lists).unwrap();
    for row in 0..5000_u32 {
        let expected = [[1, 2], [0, 2], [0, 1]][row.min(2) as usize];
        let rows = expected.map(|row| Neighbor { row, distance: 0.0 });
        assert_eq!(lists.get(row as usize), rows, "row {row}");
    }
}

/// Batches that are searched in the order of the cells, with vacant rows and filters, beside single
/// queries: on one thread and on many, and more queries than a task has.
#[test]
fn batches_have_the_answers_of_single_queries() {
    let rng = &mut Rng::new(17);
    let shapes = Circles::of(3000, |row| {
        let [x, y] = within(rng, 55.0);
        ([x + if row % 5 == 0 { 3e4 } else { 0.0 }, y], rng.range(0.0, 1.0))
    });
    let sides = Circles::of(5000, |_| (within(rng, 70.0), 0.25));
    let filters: Vec<Filter> = (0..3000).map(|row| Filter::new(1 << (row % 3), u64::MAX)).collect();
    let asked: Vec<Filter> =
        (0..5000).map(|row| Filter::new(1, [u64::MAX, 1, 4, 0][row % 4])).collect();
    let mut queries = Shapes::new();
    queries.extend_from_columns(sides.columns()).unwrap();
    for row in (0..5000).step_by(7) {
        queries.remove(row).unwrap();
    }
    let columns = shapes.columns().with_filters(&filters).unwrap();
    for (&level, threads) in
        levels().iter().flat_map(|level| [(level, Threads::Calling), (level, Threads::Auto)])
    {
        let options = IndexOptions { simd_level: Some(level), threads, ..IndexOptions::default() };
        let mut index = Index::with_options(options).unwrap();
        index.rebuild(columns).unwrap();
        let (mut lists, mut nearest, mut near) = (Lists::new(), Vec::new(), Vec::new());
        let batch = queries.columns().with_filters(&asked).unwrap();
        index.nearest_batch(batch, 9.0, &mut nearest).unwrap();
        for k in [1, 9, 100] {
            index.k_nearest_batch(batch, k, 9.0, &mut lists).unwrap();
            assert_eq!((lists.len(), nearest.len()), (5000, 5000));
            for row in 0..5000 {
                near.clear();
                if let Some(shape) = queries.get(row as u32) {
                    let view = index.filtered(asked[row]);
                    view.k_nearest(&shape, k, 9.0, &mut near).unwrap();
                }
                assert_eq!(lists.get(row), near, "{level:?}, {threads:?}, k = {k}, query {row}");
                assert_eq!(nearest[row], near.first().copied(), "query {row}");
            }
        }
    }
}

at_every_level!(neighbors_on_a_line_of_any_number_of_points);

fn neighbors_on_a_line_of_any_number_of_points(level: SimdLevel) {
    let x: Vec<f32> = (0..70).map(|at| at as f32).collect();
    for count in 1..=x.len() {
        let mut index = Index::with_options(IndexOptions {
            simd_level: Some(level),
            ..IndexOptions::default()
        })
        .unwrap();
        index.rebuild(Columns::points(&x[..count], &[0.0; 70][..count]).unwrap()).unwrap();
        let mut rows = Lists::new();
        index.k_nearest_of_rows(3, f32::INFINITY, &mut rows).unwrap();
        let mut one = Lists::new();
        index.k_nearest_of_rows(1, f32::INFINITY, &mut one).unwrap();
        for (row, point) in x[..count].iter().map(|x| Point::new([*x, 0.0])).enumerate() {
            // By distance, then by row: the point below, the one above, the second one below.
            let away = |other: usize| other.abs_diff(row) as f32;
            let mut others: Vec<_> = (0..count).filter(|other| *other != row).collect();
            others.sort_by_key(|other| (other.abs_diff(row), *other));
            let neighbor = |other: &usize| Neighbor { row: *other as u32, distance: away(*other) };
            let expected: Vec<_> = others.iter().map(neighbor).collect();
            let (what, most) = (format!("{level}, {row} of {count}"), expected.len());
            let (first, three) = (expected.first().copied(), &expected[..most.min(3)]);
            let view = index.without(row as u32);
            assert_eq!(view.nearest(point, f32::INFINITY).unwrap(), first, "{what}");
            assert_eq!(one.get(row), &expected[..most.min(1)], "{what}");
            assert_eq!(rows.get(row), three, "{what}");
            for k in [1, 2, 3, 20, 70] {
                let mut near = Vec::new();
                view.k_nearest(point, k, f32::INFINITY, &mut near).unwrap();
                assert_eq!(near, &expected[..most.min(k)], "{what}, {k}");
            }
            let mut lists = Lists::new();
            let points = Columns::points(&x[row..=row], &[0.0]).unwrap();
            view.k_nearest_batch(points, 2, 1.0, &mut lists).unwrap();
            let near = expected.iter().take(2).filter(|near| near.distance <= 1.0).copied();
            assert!(lists.get(0).iter().copied().eq(near), "{what}");
        }
    }
}
