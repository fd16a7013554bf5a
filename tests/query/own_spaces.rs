//! Batches in which each query has its own space and leaves its own row out, beside single queries.

use widephase::{
    Columns, Error, Fan, Filter, Index, IndexOptions, Lists, Neighbor, Queries, Ray, Shapes,
    Threads,
    columns::ScanColumns,
    error::Field,
    shape::{Aabb, Capsule, Circle, Point, Pose, Rotation},
};

use common::{Rng, levels};

/// Shapes of four kinds, or circles alone, in a square.
fn shapes(count: usize, circles: bool, rng: &mut Rng) -> Shapes {
    let side = (count as f32).sqrt();
    let mut shapes = Shapes::new();
    for number in 0..count {
        let at = [rng.range(0.0, side), rng.range(0.0, side)];
        let size = rng.range(0.1, 0.6);
        let row = match if circles { 0 } else { number % 3 } {
            0 => shapes.push(Circle::new(at, size)),
            1 => shapes.push(Aabb::new(at, [at[0] + size, at[1] + 0.3])),
            _ => shapes.push(Capsule::new(at, [at[0] + size, at[1] - 0.2], 0.1)),
        };
        row.unwrap();
    }
    shapes
}

/// Checks all batches of an index at one level, by the spaces and the rows of `queries` queries.
fn check(index: &Index, spaces: &[u32], without: &[u32], rng: &mut Rng, what: &str) {
    let count = spaces.len();
    let side = (index.rows() as f32).sqrt();
    let x: Vec<f32> = (0..count).map(|_| rng.range(0.0, side)).collect();
    let y: Vec<f32> = (0..count).map(|_| rng.range(0.0, side)).collect();
    let points = Columns::points(&x, &y).unwrap();
    let filter = Filter::new(1, 0b101);
    let one = |query: usize| index.filtered(filter).in_space(spaces[query]).without(without[query]);
    let all = index.filtered(filter).in_space(spaces).without(without);

    let direction = |query: usize| [(query as f32).cos() * 2.0, (query as f32).sin()];
    let rays: Vec<Ray> = (0..count)
        .map(|query| Ray::new([x[query], y[query]], direction(query)).up_to(3.0))
        .collect();
    let (mut hits, mut any) = (Vec::new(), Vec::new());
    all.cast_ray_batch(&rays, &mut hits).unwrap();
    all.hits_any_batch(&rays, &mut any).unwrap();
    let mut lists = Lists::new();
    all.cast_ray_all_batch(&rays, &mut lists).unwrap();
    let mut found = Vec::new();
    for (query, ray) in rays.iter().enumerate() {
        assert_eq!(hits[query], one(query).cast_ray(*ray).unwrap(), "{what}: ray {query}");
        assert_eq!(any[query], hits[query].is_some(), "{what}: ray {query}");
        one(query).cast_ray_all(*ray, &mut found).unwrap();
        assert_eq!(lists.get(query), found, "{what}: ray {query}");
    }

    let fan = Fan::around(17, 2.5);
    let poses: Vec<Pose> = (0..count)
        .map(|query| Pose::new([x[query], y[query]], Rotation::from_angle(query as f32)))
        .collect();
    let (mut scan, mut alone) = (ScanColumns::new(), ScanColumns::new());
    all.scan(&fan, &poses, &mut scan).unwrap();
    for (query, pose) in poses.iter().enumerate() {
        one(query).scan(&fan, &[*pose], &mut alone).unwrap();
        let rays = query * fan.rays()..(query + 1) * fan.rays();
        assert_eq!(scan.range[rays.clone()], alone.range, "{what}: sensor {query}");
        assert_eq!(scan.row[rays], alone.row, "{what}: sensor {query}");
    }

    let (mut rows, mut counts, mut some) = (Lists::new(), Vec::new(), Vec::new());
    all.overlapping_batch(points, &mut rows).unwrap();
    all.count_overlapping_batch(points, &mut counts).unwrap();
    all.any_overlapping_batch(points, &mut some).unwrap();
    let (mut nearest, mut near) = (Vec::new(), Lists::new());
    all.nearest_batch(points, 1.5, &mut nearest).unwrap();
    all.k_nearest_batch(points, 3, f32::INFINITY, &mut near).unwrap();
    let translations: Vec<[f32; 2]> = (0..count).map(direction).collect();
    let (mut stops, mut stop_lists) = (Vec::new(), Lists::new());
    all.cast_shape_batch(points, &translations, 1.0, &mut stops).unwrap();
    all.cast_shape_all_batch(points, &translations, 1.0, &mut stop_lists).unwrap();
    let (mut touching, mut neighbors) = (Vec::new(), Vec::new());
    for query in 0..count {
        let (view, point) = (one(query), Point::new([x[query], y[query]]));
        view.overlapping(point, &mut touching).unwrap();
        assert_eq!(rows.get(query), touching, "{what}: point {query}");
        assert_eq!(counts[query], touching.len() as u64, "{what}: point {query}");
        assert_eq!(some[query], view.any_overlapping(point).unwrap(), "{what}: point {query}");
        assert_eq!(nearest[query], view.nearest(point, 1.5).unwrap(), "{what}: point {query}");
        view.k_nearest(point, 3, f32::INFINITY, &mut neighbors).unwrap();
        assert_eq!(near.get(query), neighbors, "{what}: point {query}");
        let iter = view.nearest_iter(point, f32::INFINITY).unwrap();
        assert_eq!(iter.take(3).collect::<Vec<_>>(), neighbors, "{what}: point {query}");
        let stop = view.cast_shape(point, translations[query], 1.0).unwrap();
        assert_eq!(stops[query], stop, "{what}: point {query}");
        view.cast_shape_all(point, translations[query], 1.0, &mut found).unwrap();
        assert_eq!(stop_lists.get(query), found, "{what}: point {query}");
    }
}

#[test]
fn batches_have_the_answers_of_single_queries() {
    // Space 3 has fewer shapes than the other spaces, so few shapes and many are in one index.
    let sets = [(1, 40, true), (2, 300, false), (3, 2_000, true), (4, 150, true), (5, 160, false)];
    for (seed, count, circles) in sets {
        let mut rng = Rng::new(seed);
        let shapes = shapes(count, circles, &mut rng);
        // Space 5 has no shapes.
        let of_shapes: Vec<u32> =
            (0..count).map(|_| [0, 3, u32::MAX, 0, u32::MAX][rng.below(5) as usize]).collect();
        let filters: Vec<Filter> =
            (0..count).map(|row| Filter::new(1 << (row % 3), u64::MAX)).collect();
        let columns = Columns::from(&shapes).with_filters(&filters).unwrap();
        // Runs of queries in one space, and queries in mixed order.
        let spaces: Vec<u32> = (0..150)
            .map(|query| match query {
                0..60 => [0, 3, 5][query / 20],
                _ => [0, 3, 5, u32::MAX][rng.below(4) as usize],
            })
            .collect();
        let without: Vec<u32> = (0..150)
            .map(|query| match query {
                0..60 => query / 13,
                _ if query % 3 == 0 => u32::MAX,
                _ => rng.below(count as u64) as u32,
            })
            .collect();
        for &level in levels() {
            for threads in [Threads::Calling, Threads::Pool] {
                let options =
                    IndexOptions { simd_level: Some(level), threads, ..IndexOptions::default() };
                let mut index = Index::with_options(options).unwrap();
                let what = format!("{count} shapes, {level}, {threads:?}");
                index.rebuild(columns.with_spaces(&of_shapes).unwrap()).unwrap();
                check(&index, &spaces, &without, &mut rng, &what);
                index.rebuild(columns).unwrap();
                check(&index, &[0; 150], &without, &mut rng, &format!("{what}, one space"));
            }
        }
    }
}

#[test]
fn a_query_is_not_among_the_shapes_that_it_leaves_out() {
    let (x, y, radius) = ([0.0, 2.0, 4.0, 0.0, 3.0], [0.0; 5], [0.5; 5]);
    let columns = Columns::circles(&x, &y, &radius).unwrap();
    let index = Index::build(columns.with_spaces(&[1, 1, 1, 2, 2]).unwrap()).unwrap();
    let view = index.in_space(&[1, 1, 1, 2, 2]).without(&[0, 1, 2, 3, 4]);
    let ray = |x: f32| Ray::new([x, 0.0], [1.0, 0.0]);
    let mut hits = Vec::new();
    view.cast_ray_batch(&x.map(ray), &mut hits).unwrap();
    let rows = hits.iter().map(|hit| hit.map(|hit| (hit.row, hit.fraction)));
    let expected = [Some((1, 1.5)), Some((2, 1.5)), None, Some((4, 2.5)), None];
    assert_eq!(rows.collect::<Vec<_>>(), expected);
    let mut nearest = Vec::new();
    view.nearest_batch(columns, f32::INFINITY, &mut nearest).unwrap();
    let rows = nearest.iter().map(|near| near.map(|near| (near.row, near.distance)));
    let expected = [(1, 1.0), (0, 1.0), (1, 1.0), (4, 2.0), (3, 2.0)].map(Some);
    assert_eq!(rows.collect::<Vec<_>>(), expected);
}

#[test]
fn columns_with_spaces_keep_their_own() {
    let (x, y) = ([0.0; 2], [0.0; 2]);
    let points = Columns::points(&x, &y).unwrap().with_spaces(&[4, 6]).unwrap();
    let index = Index::build(points).unwrap();
    let mut counts = Vec::new();
    index.in_space(&[6, 9]).count_overlapping_batch(points, &mut counts).unwrap();
    assert_eq!(counts, [1, 1]);
}

#[test]
fn as_many_numbers_as_queries() {
    let index = Index::build(Columns::points(&[0.0; 3], &[0.0; 3]).unwrap()).unwrap();
    let unequal = |field, len, expected| Err(Error::UnequalColumns { field, len, expected });
    let rays = [Ray::new([-1.0, 0.0], [1.0, 0.0]); 3];
    let mut hits = vec![None; 7];
    let view = index.in_space(&[0, 0]);
    assert_eq!(view.cast_ray_batch(&rays, &mut hits), unequal(Field::Space, 2, 3));
    assert_eq!(hits, []);
    let view = index.without(&[0; 4]);
    assert_eq!(view.cast_ray_batch(&rays, &mut hits), unequal(Field::Row, 4, 3));
    let mut scan = ScanColumns::new();
    let poses = [Pose::at([0.0, 0.0]); 5];
    assert_eq!(view.scan(&Fan::around(3, 1.0), &poses, &mut scan), unequal(Field::Row, 4, 5));
    let mut lists = Lists::new();
    let points = Columns::points(&[0.0; 5], &[0.0; 5]).unwrap();
    assert_eq!(view.overlapping_batch(points, &mut lists), unequal(Field::Row, 4, 5));
    assert_eq!(view.k_nearest_batch(points, 2, 1.0, &mut Lists::new()), unequal(Field::Row, 4, 5));
    // A query that is no batch is one query.
    assert_eq!(view.hits_any(rays[0]), unequal(Field::Row, 4, 1).map(|()| true));
    assert_eq!(view.nearest(Point::new([0.0, 0.0]), 1.0), unequal(Field::Row, 4, 1).map(|()| None));
    assert!(view.nearest_iter(Point::new([0.0, 0.0]), 1.0).is_err());
    let near = index.without(&[0]).nearest(Point::new([0.0, 0.0]), 1.0).unwrap().unwrap();
    assert_eq!(near.row, 1);
    let none: [u32; 0] = [];
    assert_eq!(index.without(&none).cast_ray_batch(&[], &mut hits), Ok(()));
}

/// The answers among the shapes of a space are the answers of an index of these shapes alone, in
/// the same order, however many there are: few shapes of a space are kept in another way.
#[test]
fn a_space_is_an_index_of_its_shapes() {
    let mut rng = Rng::new(7);
    let sizes = [1, 2, 7, 8, 9, 16, 17, 23, 24, 25, 26, 64, 65, 130];
    for circles in [true, false] {
        let all = shapes(sizes.iter().sum(), circles, &mut rng);
        let mut spaces: Vec<u32> =
            sizes.iter().zip(0..).flat_map(|(size, space)| vec![space * 2; *size]).collect();
        if !circles {
            rng.shuffle(&mut spaces);
        }
        let columns = Columns::from(&all);
        let index = Index::build(columns.with_spaces(&spaces).unwrap()).unwrap();
        let (mut near, mut alone) = (Lists::new(), Lists::new());
        index.k_nearest_of_rows(4, 3.0, &mut near).unwrap();
        let (mut found, mut expected) = (Vec::new(), Vec::new());
        for space in 0..2 * sizes.len() as u32 {
            let rows: Vec<u32> =
                (0..spaces.len() as u32).filter(|row| spaces[*row as usize] == space).collect();
            let mut own = Shapes::new();
            for row in &rows {
                own.push(all.get(*row).unwrap()).unwrap();
            }
            let own = Index::build(&own).unwrap();
            let view = index.in_space(space);
            let named = |found: &[u32]| -> Vec<u32> {
                found.iter().map(|place| rows[*place as usize]).collect()
            };
            for side in [0.5, 4.0, 100.0] {
                let at = [rng.range(-1.0, 20.0), rng.range(-1.0, 20.0)];
                let window = Aabb::new(at, [at[0] + side, at[1] + side]);
                view.overlapping(window, &mut found).unwrap();
                own.overlapping(window, &mut expected).unwrap();
                assert_eq!(found, named(&expected), "space {space}, {window:?}");
                let ray = Ray::new(at, [1.0, 0.25]).up_to(side);
                let [hit, own_hit] = [view.cast_ray(ray), own.cast_ray(ray)].map(Result::unwrap);
                let own_hit = own_hit.map(|mut hit| {
                    hit.row = rows[hit.row as usize];
                    hit
                });
                assert_eq!(hit, own_hit, "space {space}, {ray:?}");
            }
            own.k_nearest_of_rows(4, 3.0, &mut alone).unwrap();
            for (place, row) in rows.iter().enumerate() {
                let near = near.get(*row as usize).iter().map(|near| (near.row, near.distance));
                let named = |near: &Neighbor| (rows[near.row as usize], near.distance);
                let own = alone.get(place).iter().map(named);
                assert!(near.eq(own), "space {space}, row {row}");
            }
        }
    }
}
