//! The answers of an index to many questions, to be compared with the answers of an index that is
//! built from nothing.

use widephase::{
    CastOptions, Columns, Contact, Detector, Displacements, Fan, Filter, Hit, Impact, Index, Lists,
    Neighbor, Options, Order, Queries, Ray,
    columns::ScanColumns,
    shape::{Aabb, Capsule, Circle, Obb, Point, Pose, Rotation},
};

use crate::Rng;

fn rays(rng: &mut Rng) -> Vec<Ray> {
    let mut at = || [rng.range(-6.0, 6.0), rng.range(-6.0, 6.0)];
    let mut rays: Vec<Ray> = (0..6).map(|_| Ray::segment(at(), at())).collect();
    rays.extend((0..3).map(|_| Ray::new(at(), at())));
    // Towards where removed shapes are.
    rays.push(Ray::new([0.0, 0.0], [1.0, 1.0]));
    rays
}

/// The answers of all queries of some shapes, as text. Rows that have no order are sorted.
fn of_queries(index: &impl Queries, rng: &mut Rng, answers: &mut Vec<String>) {
    let rays = rays(rng);
    let mut note = |what: &str, answer: String| answers.push(format!("{what}: {answer}"));
    let mut lists: Lists<Hit> = Lists::new();
    for ray in &rays {
        let mut all = Vec::new();
        index.cast_ray_all(*ray, &mut all).unwrap();
        let single = (index.cast_ray(*ray).unwrap(), index.hits_any(*ray).unwrap(), all);
        note("ray", format!("{ray:?} {single:?}"));
    }
    let (mut hits, mut any) = (Vec::new(), Vec::new());
    index.cast_ray_batch(&rays, &mut hits).unwrap();
    index.hits_any_batch(&rays, &mut any).unwrap();
    index.cast_ray_all_batch(&rays, &mut lists).unwrap();
    note("rays", format!("{hits:?} {any:?} {lists:?}"));

    let x: Vec<f32> = (0..20).map(|_| rng.range(-5.0, 5.0)).collect();
    let y: Vec<f32> = (0..20).map(|_| rng.range(-5.0, 5.0)).collect();
    let radius: Vec<f32> = (0..20).map(|_| rng.range(0.1, 1.5)).collect();
    let circles = Columns::circles(&x, &y, &radius).unwrap();
    let (mut rows, mut counts, mut found) = (Lists::new(), Vec::new(), Vec::new());
    index.overlapping_batch(circles, &mut rows).unwrap();
    index.count_overlapping_batch(circles, &mut counts).unwrap();
    index.any_overlapping_batch(circles, &mut found).unwrap();
    let sorted = |rows: &[u32]| {
        let mut rows = rows.to_vec();
        rows.sort_unstable();
        rows
    };
    for (list, found) in rows.iter().zip(&found) {
        assert_eq!(found.is_some(), !list.is_empty());
        assert!(found.is_none_or(|row| list.contains(&row)));
    }
    let rows: Vec<Vec<u32>> = rows.iter().map(sorted).collect();
    note("overlaps", format!("{rows:?} {counts:?}"));
    let (mut nearest, mut near) = (Vec::new(), Lists::<Neighbor>::new());
    for most in [0.5, f32::INFINITY] {
        index.nearest_batch(circles, most, &mut nearest).unwrap();
        note("nearest of each", format!("{most} {nearest:?}"));
        for k in [1, 3, 1000] {
            index.k_nearest_batch(circles, k, most, &mut near).unwrap();
            note("k nearest of each", format!("{most} {k} {near:?}"));
        }
    }
    let translations: Vec<[f32; 2]> =
        (0..20).map(|_| [rng.range(-9.0, 9.0), rng.range(-9.0, 9.0)]).collect();
    index.cast_shape_batch(circles, &translations, CastOptions::default(), &mut hits).unwrap();
    index.cast_shape_all_batch(circles, &translations, 1.0, &mut lists).unwrap();
    note("casts", format!("{hits:?} {lists:?}"));

    let mut one = |shape: widephase::shape::Posed<'_>| {
        let (mut rows, mut near, mut hits) = (Vec::new(), Vec::new(), Vec::new());
        index.overlapping(shape, &mut rows).unwrap();
        let count = index.count_overlapping(shape).unwrap();
        assert_eq!(count, rows.len() as u64);
        let found = index.any_overlapping(shape).unwrap();
        assert_eq!(found.is_some(), count > 0);
        note("overlap", format!("{:?}", sorted(&rows)));
        for k in [1, 4, 500] {
            index.k_nearest(shape, k, f32::INFINITY, &mut near).unwrap();
            note("k nearest", format!("{k} {near:?}"));
        }
        let iter = index.nearest_iter(shape, f32::INFINITY).unwrap();
        note("nearest", format!("{:?}", index.nearest(shape, 3.0).unwrap()));
        note("by distance", format!("{:?}", iter.collect::<Vec<_>>()));
        let by = [7.0, -3.5];
        index.cast_shape_all(shape, by, 1.0, &mut hits).unwrap();
        note("cast", format!("{:?} {hits:?}", index.cast_shape(shape, by, 1.0).unwrap()));
    };
    let at = [rng.range(-4.0, 4.0), rng.range(-4.0, 4.0)];
    one(Point::new(at).into());
    one(Circle::new(at, 0.75).into());
    one(Aabb::centered(at, [0.5, 1.0]).into());
    one(Obb::new(at, [1.0, 0.25], Rotation::from_angle(0.7)).into());
    one(Capsule::new(at, [at[0] + 1.0, at[1] - 1.0], 0.25).into());

    let mut scan = ScanColumns::new();
    let poses = [Pose::at(at), Pose::new([0.0, 0.0], Rotation::from_angle(2.0))];
    for (rays, range) in [(5, 4.0), (48, 6.0), (48, f32::INFINITY)] {
        index.scan(&Fan::new(rays, -1.5, 0.07, range), &poses, &mut scan).unwrap();
        note("scan", format!("{rays} {range} {:?} {:?}", scan.range, scan.row));
    }
}

/// The answers of an index: all queries, of all shapes and of some shapes, and detections.
pub fn answers(index: &Index, spaces: &[u32], seed: u64) -> Vec<String> {
    let (mut rng, mut answers) = (Rng::new(seed), Vec::new());
    for &space in spaces {
        let view = index.in_space(space);
        of_queries(&view, &mut rng, &mut answers);
        of_queries(&view.filtered(Filter::new(1, 1)), &mut rng, &mut answers);
        of_queries(&view.without(rng.below(20) as u32), &mut rng, &mut answers);
        of_queries(&view.filtered_by(&|row| row % 3 != 1), &mut rng, &mut answers);
    }
    let mut near = Lists::new();
    index.k_nearest_of_rows(2, f32::INFINITY, &mut near).unwrap();
    answers.push(format!("rows: {near:?}"));

    let mut at = || [(); 40].map(|()| rng.range(-5.0, 5.0)).to_vec();
    let (x, y, dx, dy) = (at(), at(), at(), at());
    let circles = Columns::circles(&x, &y, 0.6).unwrap();
    let options = Options { order: Order::Sorted, ..Options::default() };
    let mut detector = Detector::with_options(options).unwrap();
    let (mut pairs, mut contacts) = (Vec::new(), Vec::<Contact>::new());
    let other = Index::build(circles).unwrap();
    let mut impacts: Vec<Impact> = Vec::new();
    detector.pairs((circles, index), &mut pairs).unwrap();
    answers.push(format!("pairs: {pairs:?} {}", detector.count((circles, index)).unwrap()));
    for margin in [0.0, 0.5] {
        detector.contacts((circles, index), margin, &mut contacts).unwrap();
        answers.push(format!("contacts: {contacts:?}"));
    }
    for scope in [(&other, index), (index, &other)] {
        detector.pairs(scope, &mut pairs).unwrap();
        answers.push(format!("of indexes: {pairs:?} {}", detector.count(scope).unwrap()));
    }
    let moves = Displacements { x: &dx, y: &dy, ..Displacements::default() };
    let mut listed = Vec::new();
    detector.for_each_pair((circles, index), |pair| listed.push(pair)).unwrap();
    listed.sort_unstable();
    answers.push(format!("each: {listed:?}"));
    detector.swept_pairs((circles, index), moves, &mut impacts).unwrap();
    answers.push(format!("swept: {impacts:?}"));
    answers
}

/// Asserts that two indexes have the same answers.
pub fn assert_same(found: &Index, new: &Index, spaces: &[u32], seed: u64, what: &str) {
    assert_eq!((found.len(), found.rows()), (new.len(), new.rows()), "{what}");
    let (found, new) = (answers(found, spaces, seed), answers(new, spaces, seed));
    for (found, new) in found.iter().zip(&new) {
        assert_eq!(found, new, "{what}");
    }
    assert_eq!(found.len(), new.len(), "{what}");
}
