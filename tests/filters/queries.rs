//! Queries with filters: beside an index of the shapes that are seen.

use proptest::prelude::*;
use widephase::{
    Columns, Error, Fan, Filter, Hit, Index, Lists, Neighbor, Options, Order, Queries, Ray, Shapes,
    columns::ScanColumns,
    error::Field,
    shape::{Circle, Point, Pose},
};

use crate::{STYLES, filters};
use common::{
    Rng,
    crowd::{crowds, store},
    levels,
};

/// An index of some rows of a store.
struct Part {
    index: Index,
    rows: Vec<u32>,
}

impl Part {
    fn new(shapes: &Shapes, options: &Options, sees: impl Fn(u32) -> bool) -> Self {
        let rows: Vec<u32> = (0..shapes.rows() as u32).filter(|row| sees(*row)).collect();
        let mut some = Shapes::new();
        some.extend_from_rows(shapes.columns(), &rows).unwrap();
        let mut index = Index::with_options(options.into()).unwrap();
        index.rebuild(&some).unwrap();
        Self { index, rows }
    }

    fn row(&self, row: u32) -> u32 {
        self.rows[row as usize]
    }

    fn hit(&self, hit: Hit) -> Hit {
        Hit { row: self.row(hit.row), ..hit }
    }

    fn near(&self, near: &Neighbor) -> Neighbor {
        Neighbor { row: self.row(near.row), ..*near }
    }
}

fn check(shapes: &Shapes, seed: u64, what: &str) {
    for style in STYLES {
        let own = filters(style, seed, shapes.rows());
        let mut rng = Rng::new(seed);
        for &level in levels() {
            let options =
                Options { order: Order::Sorted, simd_level: Some(level), ..Options::default() };
            let mut index = Index::with_options(options.into()).unwrap();
            index.rebuild(shapes.columns().with_filters(&own).unwrap()).unwrap();
            for _ in 0..3 {
                let filter = filters(style, rng.below(1 << 20), 3)[1];
                let odd = |row: u32| row % 3 != 1;
                let part =
                    Part::new(shapes, &options, |row| filter.meets(&own[row as usize]) && odd(row));
                let what = format!("{what}, {style:?}, {level}, {filter:?}");
                one(&index, filter, &odd, &part, &mut rng, &what);
            }
        }
    }
}

/// Checks the queries that see by one filter and a predicate.
fn one(
    index: &Index,
    filter: Filter,
    odd: &(dyn Fn(u32) -> bool + Sync),
    part: &Part,
    rng: &mut Rng,
    what: &str,
) {
    let seen = index.filtered(filter).filtered_by(odd);
    let mut coordinate = || rng.range(-6.0, 6.0);
    for _ in 0..6 {
        let (center, by) = ([coordinate(), coordinate()], [coordinate(), coordinate()]);
        let circle = Circle::new(center, coordinate().abs() * 0.25);
        let (mut found, mut expected) = (Vec::new(), Vec::new());
        seen.overlapping(circle, &mut found).unwrap();
        part.index.overlapping(circle, &mut expected).unwrap();
        let rows: Vec<u32> = expected.iter().map(|row| part.row(*row)).collect();
        assert_eq!(found, rows, "{what}: {circle:?}");
        assert_eq!(seen.count_overlapping(circle).unwrap(), rows.len() as u64, "{what}");
        assert_eq!(seen.any_overlapping(circle).unwrap().is_some(), !rows.is_empty(), "{what}");

        let ray = Ray::new(center, by);
        let hit = part.index.cast_ray(ray).unwrap().map(|hit| part.hit(hit));
        assert_eq!(seen.cast_ray(ray).unwrap(), hit, "{what}: {ray:?}");
        assert_eq!(seen.hits_any(ray).unwrap(), hit.is_some(), "{what}: {ray:?}");
        let (mut found, mut expected) = (Vec::new(), Vec::new());
        seen.cast_ray_all(ray, &mut found).unwrap();
        part.index.cast_ray_all(ray, &mut expected).unwrap();
        let expected: Vec<_> = expected.into_iter().map(|hit| part.hit(hit)).collect();
        assert_eq!(found, expected, "{what}: {ray:?}");

        let hit = part.index.cast_shape(circle, by, 2.0).unwrap().map(|hit| part.hit(hit));
        assert_eq!(seen.cast_shape(circle, by, 2.0).unwrap(), hit, "{what}: cast");

        for max_distance in [f32::INFINITY, 1.0] {
            let (mut found, mut expected) = (Vec::new(), Vec::new());
            seen.k_nearest(circle, 4, max_distance, &mut found).unwrap();
            part.index.k_nearest(circle, 4, max_distance, &mut expected).unwrap();
            let expected: Vec<_> = expected.iter().map(|near| part.near(near)).collect();
            assert_eq!(found, expected, "{what}: nearest");
        }

        let (fan, pose) = (Fan::around(40, 9.0), [Pose::at(center)]);
        let (mut found, mut expected) = (ScanColumns::new(), ScanColumns::new());
        seen.scan(&fan, &pose, &mut found).unwrap();
        part.index.scan(&fan, &pose, &mut expected).unwrap();
        for row in expected.row.iter_mut().filter(|row| **row != ScanColumns::NO_ROW) {
            *row = part.row(*row);
        }
        assert_eq!(found, expected, "{what}: scan");
    }
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 16, failure_persistence: None, ..ProptestConfig::default()
    })]

    #[test]
    fn crowds_that_are_seen_in_part(crowd in crowds()) {
        check(&store(&crowd.solids()), crowd.seed, &format!("{crowd:?}"));
    }
}

#[test]
fn a_scan_without_end_in_which_nothing_is_seen() {
    let hidden = [Filter::new(2, 2); 3];
    let circles = Columns::circles(&[3.0, 0.0, -4.0], &[0.0, 5.0, 1.0], &[1.0; 3]).unwrap();
    let index = Index::build(circles.with_filters(&hidden).unwrap()).unwrap();
    let seen = index.filtered(Filter::new(1, 1));
    let mut scan = ScanColumns::new();
    seen.scan(&Fan::around(64, f32::INFINITY), &[Pose::at([0.0, 0.0])], &mut scan).unwrap();
    assert!(scan.row.iter().all(|row| *row == ScanColumns::NO_ROW));
    assert_eq!(seen.nearest(Point::new([0.0, 0.0]), f32::INFINITY).unwrap(), None);
    assert_eq!(seen.cast_ray(Ray::new([0.0, 0.0], [1.0, 0.0])).unwrap(), None);
}

/// In a batch, each query sees by the filter of its own row.
#[test]
fn batches_by_their_own_filters() {
    let mut rng = Rng::new(5);
    let mut column = |count: usize, size: f32| -> Vec<f32> {
        (0..count).map(|_| rng.range(0.0, size)).collect()
    };
    let (x, y, radius) = (column(500, 20.0), column(500, 20.0), column(500, 1.0));
    let circles = Columns::circles(&x, &y, &radius).unwrap();
    let (px, py) = (column(40, 20.0), column(40, 20.0));
    let points = Columns::points(&px, &py).unwrap();
    for style in STYLES {
        let (own, others) = (filters(style, 3, 40), filters(style, 4, 500));
        let options = Options { order: Order::Sorted, ..Options::default() };
        let mut index = Index::with_options(options.into()).unwrap();
        index.rebuild(circles.with_filters(&others).unwrap()).unwrap();
        let (mut touched, mut nearest, mut casts) = (Lists::new(), Lists::new(), Vec::new());
        let (mut counts, mut first) = (Vec::new(), Vec::new());
        let queries = points.with_filters(&own).unwrap();
        index.overlapping_batch(queries, &mut touched).unwrap();
        index.count_overlapping_batch(queries, &mut counts).unwrap();
        index.any_overlapping_batch(queries, &mut first).unwrap();
        index.k_nearest_batch(queries, 3, 5.0, &mut nearest).unwrap();
        index.cast_shape_batch(queries, &[[3.0, 1.0]; 40], 1.0, &mut casts).unwrap();
        for row in 0..40 {
            let (point, seen) = (Point::new([px[row], py[row]]), index.filtered(own[row]));
            let (mut rows, mut near) = (Vec::new(), Vec::new());
            seen.overlapping(point, &mut rows).unwrap();
            seen.k_nearest(point, 3, 5.0, &mut near).unwrap();
            assert_eq!(touched.get(row), rows, "{style:?}");
            assert_eq!((counts[row], first[row].is_some()), (rows.len() as u64, !rows.is_empty()));
            assert_eq!(nearest.get(row), near, "{style:?}");
            assert_eq!(casts[row], seen.cast_shape(point, [3.0, 1.0], 1.0).unwrap(), "{style:?}");
        }
        // The predicate of the batch is about the query and the row.
        let accept = |query: u32, row: u32| (query + row).is_multiple_of(2);
        index.overlapping_batch(points.with_predicate(&accept), &mut touched).unwrap();
        for row in 0..40_u32 {
            let mut rows = Vec::new();
            let of_query = |other: u32| accept(row, other);
            let point = Point::new([px[row as usize], py[row as usize]]);
            index.filtered_by(&of_query).overlapping(point, &mut rows).unwrap();
            assert_eq!(touched.get(row as usize), rows);
        }
    }
}

/// All answers of a view, and of an index.
fn answers(asked: &impl Queries, poses: &[Pose]) -> String {
    let (disc, by) = (Circle::new([10.0, 10.0], 2.0), [5.0, 1.0]);
    let ray = Ray::segment([0.0, 9.0], [20.0, 11.0]);
    let (mut rows, mut hits, mut stops, mut near) = (vec![], vec![], vec![], vec![]);
    let (mut scan, mut firsts) = (ScanColumns::new(), vec![]);
    asked.overlapping(disc, &mut rows).unwrap();
    asked.cast_ray_all(ray, &mut hits).unwrap();
    asked.cast_shape_all(disc, by, 1.0, &mut stops).unwrap();
    asked.k_nearest(disc, 9, 5.0, &mut near).unwrap();
    asked.scan(&Fan::around(64, 9.0), poses, &mut scan).unwrap();
    asked.cast_ray_batch(&[ray], &mut firsts).unwrap();
    let counted = asked.count_overlapping(disc).unwrap();
    format!("{rows:?} {counted} {hits:?} {stops:?} {near:?} {scan:?} {firsts:?}")
}

#[test]
fn a_view_without_a_row_sees_all_others() {
    let mut rng = Rng::new(6);
    let mut column = |size: f32| -> Vec<f32> { (0..300).map(|_| rng.range(0.0, size)).collect() };
    let (x, y, radius) = (column(20.0), column(20.0), column(1.0));
    let spaces: Vec<u32> = (0..300).map(|row| row % 2 * 7).collect();
    let filters = filters(STYLES[0], 4, 300);
    let circles = Columns::circles(&x, &y, &radius).unwrap().with_spaces(&spaces).unwrap();
    let index = Index::build(circles.with_filters(&filters).unwrap()).unwrap();
    let poses = [Pose::at([10.0, 10.0])];
    let (mut near, mut changed) = (Vec::new(), 0);
    index.in_space(7).k_nearest(Circle::new([10.0, 10.0], 2.0), 9, 9.0, &mut near).unwrap();
    for row in near.iter().map(|near| near.row).chain([0, 300]) {
        let others = |other| other != row;
        for view in [index.in_space(7), index.in_space(7).filtered(filters[1])] {
            let found = answers(&view.without(row), &poses);
            assert_eq!(found, answers(&view.filtered_by(&others), &poses), "{row}");
            changed += usize::from(found != answers(&view, &poses));
        }
        assert_eq!(
            answers(&index.in_space(0).without(row), &poses),
            answers(&index.in_space(0).filtered_by(&others), &poses)
        );
    }
    assert!(changed >= near.len(), "{changed}");
}

#[test]
fn a_mask_sees_what_a_closure_sees() {
    let mut rng = Rng::new(8);
    let mut column = |size: f32| -> Vec<f32> { (0..300).map(|_| rng.range(0.0, size)).collect() };
    let (x, y, radius) = (column(20.0), column(20.0), column(1.0));
    let spaces: Vec<u32> = (0..300).map(|row| row % 2).collect();
    let circles = Columns::circles(&x, &y, &radius).unwrap().with_spaces(&spaces).unwrap();
    let index = Index::build(circles).unwrap();
    let (index, poses) = (index.in_space(0), [Pose::at([10.0, 10.0])]);
    // The last rows have no value, and are not seen.
    let mask: Vec<bool> = (0..280).map(|row| row % 3 != 0).collect();
    let accept = |row: u32| row < 280 && !row.is_multiple_of(3);
    let ways = [(index.masked(&mask), index.filtered_by(&accept))];
    let second = ways.map(|(masked, closure)| (masked.in_space(1), closure.in_space(1)));
    let alone = ways.map(|(masked, closure)| (masked.without(4), closure.without(4)));
    let (late, late_too) = (|row: u32| row > 100, |row: u32| row > 100 && accept(row));
    let both = [(index.filtered_by(&late).masked(&mask), index.filtered_by(&late_too))];
    for (masked, closure) in [ways, second, alone, both].concat() {
        assert_eq!(answers(&masked, &poses), answers(&closure, &poses));
    }
    assert_ne!(answers(&index.masked(&mask), &poses), answers(&index, &poses));
    assert_ne!(answers(&index.masked(&mask[..150]), &poses), answers(&index.masked(&mask), &poses));
    let none = index.masked(&[]).count_overlapping(Circle::new([10.0, 10.0], 50.0)).unwrap();
    assert_eq!(none, 0);
}

#[test]
fn nearest_of_rows_that_meet() {
    // Two teams in a row; each row is nearest to a row of the other team.
    let (x, y) = ([0.0, 1.0, 3.0, 7.0], [0.0; 4]);
    let team = |team: u64| Filter::new(team, !team);
    let filters = [team(1), team(1), team(1), team(2)];
    let points = Columns::points(&x, &y).unwrap().with_filters(&filters).unwrap();
    let mut nearest = Lists::new();
    Index::build(points).unwrap().k_nearest_of_rows(1, f32::INFINITY, &mut nearest).unwrap();
    let rows: Vec<u32> = nearest.items().iter().map(|near| near.row).collect();
    assert_eq!(rows, [3, 3, 3, 2]);
}

/// An index whose shapes are in several spaces has no queries without a space.
#[test]
fn a_query_names_its_space() {
    let (x, y) = ([0.0, 1.0, 2.0], [0.0; 3]);
    let circles = Columns::circles(&x, &y, 1.0).unwrap();
    let index = |spaces: &[u32; 3]| Index::build(circles.with_spaces(spaces).unwrap()).unwrap();
    let (disc, ray) = (Circle::new([0.0, 0.0], 9.0), Ray::new([-5.0, 0.0], [1.0, 0.0]));
    let (mut rows, mut near, mut hits, mut lists) = (vec![], vec![], vec![], Lists::new());
    for (spaces, count) in [([0, 1, 2], 3), ([0, 0, 1], 2), ([7, 7, 7], 1)] {
        let index = index(&spaces);
        let unnamed = Error::NoSpaceNamed { spaces: count };
        assert_eq!(unnamed.field(), Some(Field::Space));
        for asked in [index.without(9), index.filtered(Filter::ALL)] {
            assert_eq!(asked.overlapping(disc, &mut rows).unwrap_err(), unnamed);
            assert_eq!(asked.any_overlapping(disc).unwrap_err(), unnamed);
            assert_eq!(asked.cast_ray(ray).unwrap_err(), unnamed);
            assert_eq!(asked.hits_any(ray).unwrap_err(), unnamed);
            assert_eq!(asked.cast_ray_batch(&[ray], &mut hits).unwrap_err(), unnamed);
            assert_eq!(asked.nearest(disc, 9.0).unwrap_err(), unnamed);
            assert_eq!(asked.k_nearest(disc, 2, 9.0, &mut near).unwrap_err(), unnamed);
            assert_eq!(asked.cast_shape(disc, [1.0, 0.0], 1.0).unwrap_err(), unnamed);
            assert_eq!(asked.overlapping_batch(circles, &mut lists).unwrap_err(), unnamed);
            assert_eq!(asked.nearest_iter(disc, 9.0).err(), Some(unnamed.clone()));
            let mut scan = ScanColumns::new();
            let fan = Fan::around(4, 9.0);
            assert_eq!(asked.scan(&fan, &[Pose::default()], &mut scan).unwrap_err(), unnamed);
            // The columns name it, or the view does.
            let named = circles.with_spaces(&spaces).unwrap();
            assert_eq!(asked.overlapping_batch(named, &mut lists), Ok(()));
            assert!(asked.in_space(spaces[0]).cast_ray(ray).unwrap().is_some());
        }
    }
    assert!(index(&[0; 3]).cast_ray(ray).unwrap().is_some(), "space 0 needs no name");
}
