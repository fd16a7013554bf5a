//! A ray to a point hits the shape that has the point, however its direction is rounded.

use widephase::{
    Columns, Index, IndexOptions, Queries, Ray, Shapes,
    shape::{Aabb, Chain, Circle, ConvexPolygon, Segment},
};

use common::{Rng, levels, pow2};

/// A coordinate of any of many magnitudes.
fn coordinate(rng: &mut Rng) -> f32 {
    let unit = pow2(rng.int(-40, 12) as i32);
    if rng.below(3) == 0 { rng.range(-1000.0, 1000.0) } else { rng.range(-1.0, 1.0) * unit }
}

fn place(rng: &mut Rng) -> [f32; 2] {
    [coordinate(rng), coordinate(rng)]
}

/// The index of two shapes that share the place, or of one shape that begins or ends there.
fn around(shape: u64, joint: [f32; 2], rng: &mut Rng) -> Index {
    let mut shapes = Shapes::new();
    let (a, b) = (place(rng), place(rng));
    match shape {
        0 => {
            shapes.push(Segment::new(a, joint)).unwrap();
            shapes.push(Segment::new(joint, b)).unwrap();
        }
        1 => {
            shapes.push_chain(&Chain::open(&[a, joint, b]).unwrap()).unwrap();
        }
        2 => {
            let far = [joint[0] + 1.0 + a[0].abs(), joint[1] + 1.0 + a[1].abs()];
            shapes.push(Aabb::new(joint, far)).unwrap();
        }
        3 => match ConvexPolygon::new(&[joint, a, b]) {
            Ok(polygon) => drop(shapes.push(&polygon).unwrap()),
            Err(_) => drop(shapes.push(Segment::new(a, joint)).unwrap()),
        },
        _ => drop(shapes.push(Segment::new(joint, joint)).unwrap()),
    }
    Index::build(&shapes).unwrap()
}

#[test]
fn a_ray_to_a_shared_end_hits_one_of_both() {
    let mut rng = Rng::new(69);
    let (mut hits, mut any) = (Vec::new(), Vec::new());
    let mut inexact = 0;
    for case in 0..3000 {
        let joint = place(&mut rng);
        let index = around(case % 5, joint, &mut rng);
        let rays: Vec<Ray> = (0..40).map(|_| Ray::segment(place(&mut rng), joint)).collect();
        index.cast_ray_batch(&rays, &mut hits).unwrap();
        index.hits_any_batch(&rays, &mut any).unwrap();
        for (ray, (hit, any)) in rays.iter().zip(hits.iter().zip(&any)) {
            inexact += usize::from(ray.x + ray.dx != joint[0]);
            assert!(hit.is_some() && *any, "case {case}: {ray:?} to {joint:?}");
            assert_eq!(index.cast_ray(*ray).unwrap(), *hit, "case {case}: {ray:?}");
            assert!(index.hits_any(*ray).unwrap(), "case {case}: {ray:?}");
        }
    }
    assert!(inexact > 10_000, "{inexact}");
}

#[test]
fn among_many_shapes_and_on_all_levels() {
    let mut rng = Rng::new(70);
    let ends: Vec<[f32; 2]> =
        (0..=300).map(|step| [step as f32 * 0.1, rng.range(-0.3, 0.3)]).collect();
    let mut walls = Shapes::new();
    for pair in ends.windows(2) {
        walls.push(Segment::new(pair[0], pair[1])).unwrap();
    }
    let rays: Vec<Ray> = (0..3000)
        .map(|number| {
            let from = [rng.range(-700.0, 700.0), rng.range(1.0, 900.0)];
            Ray::segment(from, ends[number % ends.len()])
        })
        .collect();
    let mut all = Vec::new();
    for &simd_level in levels() {
        let options = IndexOptions { simd_level: Some(simd_level), ..IndexOptions::default() };
        let mut index = Index::with_options(options).unwrap();
        index.rebuild(&walls).unwrap();
        let mut hits = Vec::new();
        index.cast_ray_batch(&rays, &mut hits).unwrap();
        assert!(hits.iter().all(Option::is_some));
        for (ray, hit) in rays.iter().zip(&hits) {
            assert_eq!(index.cast_ray(*ray).unwrap(), *hit, "{ray:?}");
        }
        all.push(hits);
    }
    assert!(all.iter().all(|hits| *hits == all[0]));
}

#[test]
fn a_changed_ray_has_no_end() {
    let index = Index::build(Columns::points(&[3.0], &[0.0]).unwrap()).unwrap();
    let ray = Ray::segment([0.0, 0.0], [3.0, 0.0]);
    assert!(index.hits_any(ray).unwrap());
    assert!(!index.hits_any(Ray { dx: 2.0, ..ray }).unwrap());
    assert!(!index.hits_any(ray.up_to(0.5)).unwrap());
    let disc = Index::build(&Shapes::from_slice(&[Circle::new([5.0, 0.0], 1.0)]).unwrap()).unwrap();
    assert_eq!(disc.cast_ray(ray.up_to(2.0)).unwrap().map(|hit| hit.x), Some(4.0));
}
