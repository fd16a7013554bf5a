//! Differences of lists, worlds and queries.

use crate::{
    counting::{alone, used},
    moving::{Moving, allocations, steady},
};
use widephase::{
    Body, Detector, Fan, Index, Lists, Options, PairDiff, Queries, Ray, Threads, World,
    columns::ScanColumns,
    shape::{Aabb, Circle, Point, Pose},
};

/// The differences of lists of pairs, by rows and by ids, a quarter of which are new at each step
/// while all bodies are in other rows.
#[test]
fn differences_of_lists() {
    let _turn = alone();
    let options = Options { threads: Threads::Calling, ..Options::default() };
    for n in [100, 3000] {
        let mut detector = Detector::with_options(options).unwrap();
        let (mut pairs, mut by_rows, mut by_ids) = (Vec::new(), PairDiff::new(), PairDiff::new());
        let (mut ids, mut next) = ((0..n as u64).collect::<Vec<_>>(), n as u64);
        let mut differences = || {
            steady(n, |columns| {
                detector.pairs(columns, &mut pairs).unwrap();
                by_rows.update(&pairs).unwrap();
                ids.rotate_left(n / 7);
                for id in ids.iter_mut().step_by(4) {
                    (*id, next) = (next, next + 1);
                }
                by_ids.update_with_ids(&pairs, &ids).unwrap();
                assert_eq!(by_ids.started().len() + by_ids.persisted().count(), pairs.len());
                by_rows.persisted().count() as u64
            })
        };
        differences();
        assert_eq!(differences(), 0, "differences of {n} bodies");
    }
}

/// A world whose bodies move, with events and contacts.
#[test]
fn steps_of_a_world() {
    let _turn = alone();
    let options = Options { threads: Threads::Calling, timings: true, ..Options::default() };
    for n in [100, 3000] {
        let mut world = World::with_options(options).unwrap();
        let mut moving = Moving::new(n);
        let handles: Vec<_> = (0..n)
            .map(|row| {
                let circle = Circle::new([moving.x[row], moving.y[row]], moving.radius[row]);
                world.insert(circle, Body::default()).unwrap()
            })
            .collect();
        let mut steps = || {
            let mut most = 0;
            for _ in 0..40 {
                moving.step();
                most += allocations(|| {
                    for (row, handle) in handles.iter().enumerate() {
                        let pose = Pose::at([moving.x[row], moving.y[row]]);
                        world.set_pose(*handle, pose).unwrap();
                    }
                    world.step().unwrap();
                });
            }
            most
        };
        // Lists still reach new lengths for a while.
        for _ in 0..6 {
            steps();
        }
        assert_eq!(steps(), 0, "steps of {n} bodies");
    }
}

/// Two shapes at a time, of all kinds, up to the vertices and parts that the workspace of a thread
/// keeps. The promises of docs/queries.md about allocations.
#[test]
fn queries_reuse_their_memory() {
    let _alone = alone();
    let moving = Moving::new(3000);
    let options = Options { threads: Threads::Calling, ..Options::default() };
    let mut index = Index::with_options(options.into()).unwrap();
    index.rebuild(moving.forms()[0]).unwrap();
    let (circle, aabb) = (Circle::new([5.0, 5.0], 3.0), Aabb::new([1.0, 1.0], [9.0, 5.0]));
    let rays: Vec<Ray> =
        (0..300).map(|i| Ray::new([0.1 * i as f32, 3.0], [1.0, 0.3]).up_to(40.0)).collect();
    let (mut rows, mut hits, mut first, mut near) = (vec![], vec![], vec![], vec![]);
    let (mut lists, mut nearest, mut all) = (Lists::new(), Lists::new(), Lists::new());
    let mut scan = ScanColumns::new();
    let fan = Fan::around(100, 30.0);
    for round in 0..2 {
        let quiet = [
            allocations(|| index.overlapping(circle, &mut rows).unwrap()),
            allocations(|| assert!(index.count_overlapping(aabb).unwrap() > 0)),
            allocations(|| assert!(index.cast_ray(rays[0]).unwrap().is_some())),
            allocations(|| index.cast_ray_all(rays[1], &mut hits).unwrap()),
            allocations(|| assert!(index.hits_any(rays[2]).unwrap())),
            allocations(|| assert!(index.nearest(Point::new([4.0, 4.0]), 50.0).unwrap().is_some())),
            allocations(|| index.k_nearest(Point::new([4.0, 4.0]), 9, 50.0, &mut near).unwrap()),
            allocations(|| index.cast_ray_batch(&rays, &mut first).unwrap()),
            allocations(|| index.cast_ray_all_batch(&rays, &mut all).unwrap()),
        ];
        let few = [
            allocations(|| index.k_nearest_of_rows(4, 9.0, &mut nearest).unwrap()),
            allocations(|| assert!(index.cast_shape(circle, [50.0, 20.0], 1.0).unwrap().is_some())),
        ];
        let joined =
            allocations(|| index.overlapping_batch(moving.forms()[2], &mut lists).unwrap());
        let scanned = used(|| index.scan(&fan, &[Pose::at([5.0, 5.0])], &mut scan).unwrap());
        assert!(rows.len() > 9 && hits.len() > 9 && near.len() == 9, "this proves little");
        if round > 0 {
            assert_eq!(quiet, [0; 9]);
            // The place of each row, and the workspace of a batch; the corners of the difference.
            assert!(few[0] <= 24, "{few:?}");
            assert_eq!(few[1], 1);
            // Eight columns of the queries; the hits grow to half as much again each time.
            assert!(joined <= 16, "{joined}");
            assert!(scanned.peak <= 2 * (28 * fan.rays() + 4 * index.len()), "{}", scanned.peak);
        }
    }
}
