//! More hits than a batch may list are an error with their number.

use widephase::{
    CastOptions, Columns, Error, Filter, Index, IndexOptions, Lists, Queries, Ray, Shapes,
    SimdLevel, Threads,
    shape::{Capsule, Circle, Obb, Pose, Rotation},
};

use common::levels;

/// How many shapes and queries are in one place.
const ROWS: usize = 70;
const QUERIES: usize = 300;

fn index(level: SimdLevel, threads: Threads, max_pairs: u64, shapes: &Shapes) -> Index {
    let options =
        IndexOptions { simd_level: Some(level), threads, max_pairs, ..IndexOptions::default() };
    let mut index = Index::with_options(options).expect("a level of this CPU");
    index.rebuild(shapes).expect("good shapes");
    index
}

/// Circles, or also capsules and turned boxes, in one place. With `filters` each shape has one of
/// two owners, whose shapes never meet each other.
fn heap(rows: usize, turned: bool, filters: bool) -> Shapes {
    let mut shapes = Shapes::new();
    for row in 0..rows {
        let place = Pose::at([3.0, 4.0]);
        let pushed = match row % 3 {
            1 if turned => shapes.push_at(Capsule::new([-1.0, 0.0], [1.0, 0.5], 0.5), place),
            2 if turned => {
                shapes.push_at(Obb::new([0.0, 0.0], [1.0, 0.5], Rotation::from_angle(0.3)), place)
            }
            _ => shapes.push_at(Circle::new([0.0, 0.0], 1.0), place),
        };
        let pushed = pushed.expect("a good shape");
        if filters {
            let owner = 1 + (row % 2) as u32;
            shapes.set_filter(pushed, Filter { owner, ..Filter::ALL }).expect("a row");
        }
    }
    shapes
}

fn expect<T>(listed: Result<(), Error>, lists: &Lists<T>, limit: u64, all: u64, what: &str) {
    if all > limit {
        assert_eq!(listed, Err(Error::TooManyPairs { limit, found: all }), "{what}");
        assert!(lists.is_empty() && lists.items().is_empty(), "{what}");
    } else {
        assert_eq!((listed, lists.items().len() as u64), (Ok(()), all), "{what}");
    }
}

#[test]
fn overlaps_rays_and_casts() {
    for (turned, filters) in [(false, false), (true, false), (false, true), (true, true)] {
        let (own, asked) = (heap(ROWS, turned, filters), heap(QUERIES, turned, filters));
        // Rows of one owner never meet.
        let all = (ROWS * QUERIES) as u64 / if filters { 2 } else { 1 };
        let rays = [Ray::new([-9.0, 4.0], [1.0, 0.0]); QUERIES];
        let crossed = (ROWS * QUERIES) as u64;
        for (number, &level) in levels().iter().enumerate() {
            let threads = [Threads::Calling, Threads::Pool][number % 2];
            for limit in [0, 1, all - 1, all, crossed - 1, crossed, u64::MAX] {
                let index = index(level, threads, limit, &own);
                let what = format!("{turned}, {filters}, {level}, {limit}");
                let mut lists = Lists::new();
                let listed = index.overlapping_batch(&asked, &mut lists);
                expect(listed, &lists, limit, all, &what);
                let mut hits = Lists::new();
                let listed = index.cast_ray_all_batch(&rays, &mut hits);
                expect(listed, &hits, limit, crossed, &what);
                let far = Columns::circles(&[-9.0; QUERIES], &[4.0; QUERIES], &[0.5; QUERIES]);
                let far = far.expect("good circles");
                let (moves, options) = ([[20.0, 0.0]; QUERIES], CastOptions::default());
                let listed = index.cast_shape_all_batch(far, &moves, options, &mut hits);
                expect(listed, &hits, limit, crossed, &what);
                // The index is as good as before.
                let mut counts = Vec::new();
                index.count_overlapping_batch(&asked, &mut counts).expect("good queries");
                assert_eq!(counts.iter().sum::<u64>(), all, "{what}");
                let mut any = Vec::new();
                index.any_overlapping_batch(&asked, &mut any).expect("good queries");
                assert!(any.iter().all(Option::is_some), "{what}");
            }
        }
    }
}

/// Few queries, which are searched one by one; queries of many tasks; and more bounding boxes that
/// touch than there is room for, half of which are wanted.
#[test]
fn few_and_many_queries() {
    let heaps = [(400, 3, false), (9, 40_000, false), (3_000, 3_000, false), (1_000, 800, true)];
    for (rows, queries, filters) in heaps {
        let (own, asked) = (heap(rows, filters, filters), heap(queries, filters, filters));
        let all = (rows * queries) as u64 / if filters { 2 } else { 1 };
        for threads in [Threads::Calling, Threads::Pool] {
            for limit in [0, 100, all / 2, all - 1, all] {
                let index = index(levels()[levels().len() - 1], threads, limit, &own);
                let what = format!("{rows}, {queries}, {limit}");
                let mut lists = Lists::new();
                let listed = index.overlapping_batch(&asked, &mut lists);
                expect(listed, &lists, limit, all, &what);
                let mut counts = Vec::new();
                index.count_overlapping_batch(&asked, &mut counts).expect("good queries");
                assert_eq!(counts.iter().sum::<u64>(), all, "{what}");
            }
        }
    }
}
