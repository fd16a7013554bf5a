//! Queries on whole numbers, where every decision is exact: expected values by hand, and the
//! touching test of a segment beside its ray.

use widephase::{
    CastOptions, Columns, Error, Hit, Index, Lists, Options, Order, Queries, Ray, Shapes, Touching,
    error::{Fault, Field},
    narrowphase::{CastStart, touches},
    shape::{Aabb, Capsule, Circle, ConvexPolygon, Part, Point, RoundedBox, Segment, Shape},
};

use common::{POLICIES, Rng, crowd::PosedShape};

/// An index of one shape.
fn index(shape: impl Shape, touching: Touching) -> Index {
    index_of(&[shape], touching)
}

fn index_of(shapes: &[impl Shape], touching: Touching) -> Index {
    let mut store = Shapes::new();
    for shape in shapes {
        store.push(shape).unwrap();
    }
    let options = Options { touching, order: Order::Sorted, ..Options::default() };
    let mut index = Index::with_options(options.into()).unwrap();
    index.rebuild(&store).unwrap();
    index
}

/// A shape with coordinates and sizes of up to `most`, in whole numbers.
fn whole_shape(rng: &mut Rng, most: i64) -> Part {
    let mut number = |low: i64, high: i64| rng.int(low, high) as f32;
    let mut corner = || [number(-most, most), number(-most, most)];
    let [a, b, c, d] = [corner(), corner(), corner(), corner()];
    let radius = rng.int(0, most / 2) as f32;
    match rng.below(7) {
        0 => Point::new(a).into(),
        1 => Circle::new(a, radius).into(),
        2 => Aabb::new([a[0].min(b[0]), a[1].min(b[1])], [a[0].max(b[0]), a[1].max(b[1])]).into(),
        3 => {
            let low = [a[0].min(b[0]), a[1].min(b[1])];
            let high = [a[0].max(b[0]), a[1].max(b[1])];
            RoundedBox::new(Aabb::new(low, high), radius).into()
        }
        4 => Segment::new(a, b).into(),
        5 => Capsule::new(a, b, radius).into(),
        _ => match ConvexPolygon::hull(&[a, b, c, d]) {
            Ok(polygon) if rng.below(2) == 0 => polygon.with_radius(radius).unwrap().into(),
            Ok(polygon) => polygon.into(),
            Err(_) => Segment::new(a, b).into(),
        },
    }
}

/// Whether a shape has a radius.
fn is_round(shape: &Part) -> bool {
    match shape {
        Part::Circle(_) | Part::RoundedBox(_) | Part::Capsule(_) => true,
        Part::Polygon(polygon) => polygon.radius() > 0.0,
        _ => false,
    }
}

#[test]
fn a_ray_hits_what_its_segment_touches() {
    let mut rng = Rng::new(1);
    let mut hits = [[0; 2]; 2];
    for case in 0..60_000 {
        let most = [4, 4, 8, 30, 1 << 10, 1 << 20][case % 6];
        let mut shape = whole_shape(&mut rng, most);
        // With a radius, squares of products are exact up to 2^10.
        while most > 1 << 10 && is_round(&shape) {
            shape = whole_shape(&mut rng, most);
        }
        let mut end = || [(); 2].map(|()| rng.int(-most, most) as f32);
        let (a, mut b) = (end(), end());
        // Rays that begin or end at a corner or on a side.
        let corners: Vec<[f32; 2]> = match &shape {
            Part::Polygon(polygon) => polygon.vertices().iter().map(|v| v.to_array()).collect(),
            Part::Segment(segment) => vec![segment.a().to_array(), segment.b().to_array()],
            _ => vec![],
        };
        if !corners.is_empty() && rng.below(4) == 0 {
            b = corners[rng.below(corners.len() as u64) as usize];
        }
        let (a, b) = if rng.below(2) == 0 { (a, b) } else { (b, a) };
        let segment = PosedShape::from(Segment::new(a, b));
        let other = PosedShape::from(shape.clone());
        // Rays see closed shapes under either policy.
        let expected = touches(&segment, &other, Touching::Inclusive).unwrap();
        for touching in POLICIES {
            let index = index(&shape, touching);
            let found = index.hits_any(Ray::segment(a, b)).unwrap();
            assert_eq!(found, expected, "{touching:?} {a:?} {b:?} {shape:?}");
            hits[usize::from(touching == Touching::Exclusive)][usize::from(found)] += 1;
        }
    }
    assert!(hits.iter().flatten().all(|&count| count > 5_000), "{hits:?}");
}

/// The only hit of a ray.
fn hit(shape: impl Shape, ray: Ray, touching: Touching) -> Option<Hit> {
    index(shape, touching).cast_ray(ray).unwrap()
}

#[test]
fn the_normal_of_a_segment_is_against_the_ray() {
    for (a, b) in [([0.0, 0.0], [4.0, 0.0]), ([4.0, 0.0], [0.0, 0.0])] {
        for touching in POLICIES {
            let down = hit(Segment::new(a, b), Ray::segment([1.0, 2.0], [3.0, -2.0]), touching);
            let down = down.unwrap();
            assert_eq!((down.fraction, down.x, down.y), (0.5, 2.0, 0.0));
            assert_eq!((down.normal_x, down.normal_y), (0.0, 1.0));
            let up = hit(Segment::new(a, b), Ray::segment([1.0, -2.0], [3.0, 2.0]), touching);
            assert_eq!(up.map(|hit| (hit.normal_x, hit.normal_y)), Some((0.0, -1.0)));
        }
    }
}

#[test]
fn a_cast_that_starts_side_by_side() {
    // The boxes share a part of a side.
    let wall = Aabb::new([0.0, 0.0], [1.0, 1.0]);
    let beside = Aabb::new([-1.0, 0.25], [0.0, 0.75]);
    for touching in POLICIES {
        let index = index(wall, touching);
        let hit = index.cast_shape(beside, [1.0, 1.0], 1.0).unwrap().unwrap();
        assert_eq!((hit.fraction, hit.normal_x, hit.normal_y), (0.0, -1.0, 0.0));
        assert_eq!(hit.x, 0.0);
        assert!((0.25..=0.75).contains(&hit.y));
        assert_eq!(index.cast_shape(beside, [0.0, 1.0], 1.0).unwrap(), None);
        assert_eq!(index.cast_shape(beside, [-1.0, 1.0], 1.0).unwrap(), None);
    }
}

#[test]
fn negative_zeros_of_a_cast() {
    let wall = index(Aabb::new([0.0, 4.0], [2.0, 5.0]), Touching::Inclusive);
    for end in [Segment::new([0.0, 0.0], [2.0, -0.0]), Segment::new([2.0, -0.0], [0.0, 0.0])] {
        for x in [-1.5, 0.0, 1.5] {
            let moved = Segment::new([end.ax + x, end.ay], [end.bx + x, end.by]);
            let hit = wall.cast_shape(moved, [0.0, 8.0], 1.0).unwrap().unwrap();
            assert_eq!((hit.fraction, hit.y), (0.5, 4.0), "{moved:?}");
        }
    }
}

/// Two triangles that share a side, from the corner (0, 0) to a far corner.
fn two_triangles() -> [ConvexPolygon; 2] {
    let triangle =
        |corner: [f32; 2]| ConvexPolygon::hull(&[[0.0, 0.0], [7.0, 3.0], corner]).expect("an area");
    [triangle([0.0, 5.0]), triangle([6.0, -2.0])]
}

#[test]
fn no_ray_passes_between_two_triangles() {
    let shared = two_triangles();
    // Along the shared side, from before it, from behind it, and from its middle.
    for touching in POLICIES {
        let both = index_of(&shared, touching);
        let mut hits = Vec::new();
        for ray in [
            Ray::new([-7.0, -3.0], [7.0, 3.0]),
            Ray::new([14.0, 6.0], [-7.0, -3.0]),
            Ray::new([3.5, 1.5], [7.0, 3.0]),
        ] {
            both.cast_ray_all(ray, &mut hits).unwrap();
            assert_eq!(hits.len(), 2, "{ray:?}");
        }
        // Rays through points of the shared side, from all directions.
        let mut rng = Rng::new(5);
        for _ in 0..20_000 {
            let share = rng.range(0.001, 0.999);
            let at = [7.0 * share, 3.0 * share];
            let start = [rng.range(-20.0, 20.0), rng.range(-20.0, 20.0)];
            let ray = Ray::new(start, [at[0] - start[0], at[1] - start[1]]);
            assert!(both.hits_any(ray).unwrap(), "{ray:?}");
        }
    }
}

#[test]
fn no_ray_passes_between_two_segments() {
    let mut rng = Rng::new(6);
    let mut on_both = 0;
    for _ in 0..3_000 {
        let mut number = |low: f32, high: f32| rng.range(low, high);
        let joint = [number(-1.0, 1.0), number(-1.0, 1.0)];
        let left = Segment::new([number(-9.0, -2.0), number(-1.0, 1.0)], joint);
        let right = Segment::new(joint, [number(2.0, 9.0), number(-1.0, 1.0)]);
        let line = index_of(&[left, right], Touching::Inclusive);
        let mut hits = Vec::new();
        for _ in 0..10 {
            // Through the joint, within a rounding.
            let start = [rng.range(-1.0, 1.0), rng.range(-20.0, -10.0)];
            let ray = Ray::new(start, [joint[0] - start[0], joint[1] - start[1]]);
            line.cast_ray_all(ray, &mut hits).unwrap();
            assert!(!hits.is_empty(), "{ray:?} {left:?} {right:?}");
            on_both += hits.len() - 1;
        }
    }
    assert!(on_both > 50, "{on_both} exactly through the joint");
}

#[test]
fn rays_through_the_corners_of_a_grid_of_boxes() {
    let boxes: Vec<Aabb> = (0..64)
        .filter(|number| (number / 8 + number % 8) % 2 == 0)
        .map(|number| {
            let (x, y) = ((number % 8) as f32, (number / 8) as f32);
            Aabb::new([x, y], [x + 1.0, y + 1.0])
        })
        .collect();
    for touching in POLICIES {
        let index = index_of(&boxes, touching);
        let mut hits = Vec::new();
        // The white squares of a chess board: along the diagonal that leads through black squares,
        // a ray touches corners.
        index.cast_ray_all(Ray::segment([1.0, 0.0], [8.0, 7.0]), &mut hits).unwrap();
        assert_eq!(hits.len(), 14);
        index.cast_ray_all(Ray::segment([-1.0, -1.0], [9.0, 9.0]), &mut hits).unwrap();
        assert_eq!(hits.len(), 8);
        for (number, hit) in hits.iter().enumerate() {
            assert_eq!((hit.x, hit.y), (number as f32, number as f32));
            assert_eq!(hit.normal_x + hit.normal_y, -1.0);
        }
        // Along the lines of the grid, between squares on both sides.
        for at in 1..8 {
            let at = at as f32;
            for ray in [
                Ray::segment([-1.0, at], [9.0, at]),
                Ray::segment([at, 9.0], [at, -1.0]),
                Ray { dy: -0.0, ..Ray::segment([9.0, at], [-1.0, at]) },
            ] {
                index.cast_ray_all(ray, &mut hits).unwrap();
                assert_eq!(hits.len(), 8, "{ray:?}");
                assert_eq!(hits[0].fraction, 0.1, "{hits:?}");
            }
        }
    }
}

#[test]
fn tangents_touch() {
    let shapes: [Part; 6] = [
        Circle::new([0.0, 0.0], 5.0).into(),
        Capsule::new([-3.0, 0.0], [3.0, 0.0], 5.0).into(),
        RoundedBox::new(Aabb::new([-2.0, -3.0], [2.0, 3.0]), 2.0).into(),
        Aabb::new([-5.0, -5.0], [5.0, 5.0]).into(),
        ConvexPolygon::new(&[[-4.0, -2.0], [4.0, -2.0], [0.0, 5.0]]).unwrap().into(),
        ConvexPolygon::new(&[[-3.0, -3.0], [3.0, -3.0], [0.0, 3.0]])
            .unwrap()
            .with_radius(2.0)
            .unwrap()
            .into(),
    ];
    // Above each shape at height 5: to the right, to the left, and as a point.
    for shape in &shapes {
        for x in [-16.0, 16.0] {
            let ray = Ray::new([x, 5.0], [-2.0 * x, 0.0]);
            let touching = hit(shape, ray, Touching::Inclusive).unwrap();
            assert_eq!((touching.y, touching.normal_x.hypot(touching.normal_y)), (5.0, 1.0));
            assert_eq!(hit(shape, ray, Touching::Exclusive), Some(touching), "{shape:?}");
            // It ends at the first touch, or before it.
            let end = touching.fraction;
            assert_eq!(hit(shape, ray.up_to(end), Touching::Inclusive), Some(touching));
            assert_eq!(hit(shape, ray.up_to(end - 0.01), Touching::Inclusive), None);
        }
        let top = Ray::new([0.0, 5.0], [0.0, 0.0]);
        let on_border = hit(shape, top, Touching::Inclusive).unwrap();
        assert_eq!((on_border.fraction, on_border.normal_x, on_border.normal_y), (0.0, 1.0, 0.0));
        assert_eq!(hit(shape, top, Touching::Exclusive), Some(on_border));
        // From the border inwards, and outwards.
        for by in [-1.0, 1.0] {
            let ray = Ray::new([0.0, 5.0], [0.0, by]);
            let start = hit(shape, ray, Touching::Inclusive).unwrap();
            assert_eq!((start.fraction, start.x, start.y), (0.0, 0.0, 5.0));
            assert_eq!((start.normal_x, start.normal_y), (0.0, -by));
            assert_eq!(hit(shape, ray, Touching::Exclusive), Some(start));
        }
    }
}

#[test]
fn rays_of_extreme_lengths() {
    let most = 60.0_f32.exp2();
    let shapes = [Circle::new([0.0, 0.0], 1.0), Circle::new([most, 0.0], 1.0)];
    for touching in POLICIES {
        let index = index_of(&shapes, touching);
        let mut hits = Vec::new();
        // 2^61 long, through the whole world.
        let ray =
            Ray { x: -most, y: 0.0, dx: 2.0 * most, dy: 0.0, max_fraction: 2.0, ..Ray::default() };
        index.cast_ray_all(ray, &mut hits).unwrap();
        assert_eq!(hits.iter().map(|hit| hit.row).collect::<Vec<_>>(), [0, 1]);
        // The point is exact to 2^-53 of the coordinates.
        assert!(hits[0].fraction == 0.5 && hits[0].x.abs() <= 256.0, "{hits:?}");
        assert_eq!((hits[0].normal_x, hits[0].normal_y), (-1.0, 0.0));
        // The same as a direction of the smallest size, and of the largest.
        let tiny = Ray { dx: f32::from_bits(1), max_fraction: f32::INFINITY, ..ray };
        let near = Ray { x: -3.0, ..tiny };
        // 2 / 2^-149 is more than an f32 can tell: no hit.
        assert_eq!(index.cast_ray(near).unwrap(), None);
        let near = Ray { dx: 2.0_f32.powi(-120), ..near };
        let hit = index.cast_ray(near).unwrap().unwrap();
        assert_eq!((hit.row, hit.fraction, hit.x), (0, 2.0_f32.powi(121), -1.0));
        let huge = Ray { dx: f32::MAX, ..near };
        let hit = index.cast_ray(huge).unwrap().unwrap();
        assert_eq!((hit.row, hit.x), (0, -1.0));
        // A direction that is nearly along an axis passes beside the far shape.
        let slanted = Ray { x: 2.0, dx: 1.0, dy: 1e-30, ..ray.up_to(f32::INFINITY) };
        assert_eq!(index.cast_ray(slanted).unwrap().map(|hit| hit.row), Some(1));
        let slanted = Ray { dy: 1e-10, ..slanted };
        assert_eq!(index.cast_ray(slanted).unwrap(), None);
    }
}

#[test]
fn nearest_of_few_and_of_none() {
    // Rows 1 and 3 are equally far, and row 2 is vacant.
    let mut store = Shapes::new();
    for x in [10.0, 4.0, 0.0, -4.0] {
        store.push(Circle::new([x, 0.0], 1.0)).unwrap();
    }
    store.remove(2).unwrap();
    let mut index = Index::new();
    index.rebuild(&store).unwrap();
    let origin = Point::new([0.0, 0.0]);
    let mut near = Vec::new();
    let mut found = |k: usize, most: f32| {
        index.k_nearest(origin, k, most, &mut near).unwrap();
        near.iter().map(|near| (near.row, near.distance)).collect::<Vec<_>>()
    };
    let all = [(1, 3.0), (3, 3.0), (0, 9.0)];
    for k in 0..6 {
        assert_eq!(found(k, f32::INFINITY), all[..k.min(3)]);
        assert_eq!(found(k, 3.0), all[..k.min(2)]);
        assert_eq!(found(k, 3.0_f32.next_down()), []);
        assert_eq!(found(k, 0.0), []);
    }
    assert_eq!(found(usize::MAX, f32::MAX), all);
    let touching = Circle::new([0.0, 0.0], 3.0);
    index.k_nearest(touching, 5, 0.0, &mut near).unwrap();
    assert_eq!(
        near.iter().map(|near| (near.row, near.distance)).collect::<Vec<_>>(),
        [(1, 0.0), (3, 0.0)]
    );
    assert_eq!(index.nearest(origin, f32::INFINITY).unwrap().map(|near| near.row), Some(1));

    // The lists of rows: the list of the vacant row is empty.
    let mut lists = Lists::new();
    index.k_nearest_of_rows(1, f32::INFINITY, &mut lists).unwrap();
    let rows: Vec<Vec<u32>> =
        lists.iter().map(|list| list.iter().map(|near| near.row).collect()).collect();
    assert_eq!(rows, [vec![1], vec![0], vec![], vec![1]]);
}

#[test]
fn an_empty_index() {
    let mut emptied = Index::build(Columns::circles(&[0.0], &[0.0], &[1.0]).unwrap()).unwrap();
    emptied.rebuild(&Shapes::new()).unwrap();
    let mut vacant = Shapes::new();
    vacant.push(Circle::new([0.0, 0.0], 1.0)).unwrap();
    vacant.remove(0).unwrap();
    for index in [Index::new(), emptied, Index::build(&vacant).unwrap()] {
        let circle = Circle::new([0.0, 0.0], 1.0);
        let ray = Ray::new([0.0, 0.0], [1.0, 0.0]);
        let (mut rows, mut hits, mut near) = (vec![1], vec![Hit::default()], vec![]);
        index.overlapping(circle, &mut rows).unwrap();
        index.cast_ray_all(ray, &mut hits).unwrap();
        index.k_nearest(circle, 3, f32::INFINITY, &mut near).unwrap();
        assert!(rows.is_empty() && hits.is_empty() && near.is_empty());
        assert_eq!(index.count_overlapping(circle).unwrap(), 0);
        assert_eq!(index.any_overlapping(circle).unwrap(), None);
        assert_eq!(index.cast_ray(ray).unwrap(), None);
        assert!(!index.hits_any(ray).unwrap());
        assert_eq!(index.cast_shape(circle, [1.0, 0.0], 1.0).unwrap(), None);
        assert_eq!(index.nearest(circle, f32::INFINITY).unwrap(), None);
        let mut lists = Lists::new();
        index.k_nearest_of_rows(2, f32::INFINITY, &mut lists).unwrap();
        assert_eq!((lists.len(), lists.items().len()), (index.rows(), 0));
        // No queries.
        let (mut firsts, mut lists) = (vec![None], Lists::new());
        index.cast_ray_batch(&[], &mut firsts).unwrap();
        index.overlapping_batch(&Shapes::new(), &mut lists).unwrap();
        assert!(firsts.is_empty() && lists.is_empty());
    }
}

#[test]
fn errors_name_the_value() {
    let index = index(Circle::new([0.0, 0.0], 1.0), Touching::Inclusive);
    let circles = Columns::circles(&[0.0; 2], &[0.0; 2], &[1.0; 2]).unwrap();
    let mut hits = vec![Some(Hit::default())];
    // As many translations as shapes, a valid largest fraction even without shapes, and valid
    // translations, in this order.
    let refused = index.cast_shape_batch(circles, &[[0.0; 2]], f32::NAN, &mut hits);
    let (field, len, expected) = (Field::Dx, 1, 2);
    assert_eq!(refused, Err(Error::UnequalColumns { field, len, expected }));
    assert!(hits.is_empty());
    let refused = index.cast_shape_batch(&Shapes::new(), &[], -1.0, &mut hits);
    let (field, value, fault) = (Field::MaxFraction, -1.0, Fault::Negative);
    assert_eq!(refused, Err(Error::InvalidQuery { index: 0, field, value, fault }));
    let moves = [[1.0, 2.0], [3.0, f32::NEG_INFINITY]];
    let refused = index.cast_shape_batch(circles, &moves, 1.0, &mut hits);
    let (field, value, fault) = (Field::Dy, f32::NEG_INFINITY, Fault::Infinite);
    assert_eq!(refused, Err(Error::InvalidQuery { index: 1, field, value, fault }));
    for (gap, fault) in [
        (f32::NAN, Fault::NotANumber),
        (-1.0, Fault::Negative),
        (f32::INFINITY, Fault::Infinite),
        (2e18, Fault::TooLarge),
    ] {
        let options = CastOptions { gap, ..CastOptions::default() };
        let refused = index.cast_shape_batch(&Shapes::new(), &[], options, &mut hits).unwrap_err();
        let Error::InvalidQuery { index: 0, field: Field::Gap, value, fault: found } = refused
        else {
            panic!("{refused}");
        };
        assert_eq!((value.to_bits(), found), (gap.to_bits(), fault));
    }
    // A negative zero is no negative number.
    assert!(index.hits_any(Ray::new([0.0, 0.0], [1.0, 0.0]).up_to(-0.0)).unwrap());
    assert!(index.nearest(Point::new([0.0, 0.0]), -0.0).unwrap().is_some());
}

#[test]
fn casts_in_closed_form() {
    // A circle of radius 2 against a circle of radius 3, whose centre is 3 lower: they touch in the
    // middle of the way.
    let ball = index(Circle::new([10.0, 0.0], 3.0), Touching::Inclusive);
    let hit = ball.cast_shape(Circle::new([0.0, 3.0], 2.0), [12.0, 0.0], 1.0).unwrap().unwrap();
    assert_eq!((hit.fraction, hit.x, hit.y), (0.5, 7.6, 1.8));
    assert_eq!((hit.normal_x, hit.normal_y), (-0.8, 0.6));
    // A tangent, 5 above, stops nothing; a motion that is 2^-10 lower is stopped.
    for touching in POLICIES {
        let ball = index(Circle::new([10.0, 0.0], 3.0), touching);
        let cast = |y: f32| ball.cast_shape(Circle::new([0.0, y], 2.0), [20.0, 0.0], 1.0).unwrap();
        assert_eq!(cast(5.0), None);
        let hit = cast(5.0 - 1.0 / 1024.0).unwrap();
        assert!((hit.fraction - 0.5).abs() < 0.01 && hit.normal_y > 0.999, "{hit:?}");
    }
    // Two boxes touch along a side: the point is the midpoint of their common segment.
    let wall = index(Aabb::new([4.0, 0.0], [5.0, 10.0]), Touching::Exclusive);
    let moving = Aabb::new([0.0, -2.0], [2.0, 4.0]);
    let hit = wall.cast_shape(moving, [8.0, 0.0], 1.0).unwrap().unwrap();
    assert_eq!((hit.fraction, hit.x, hit.y), (0.25, 4.0, 2.0));
    assert_eq!((hit.normal_x, hit.normal_y), (-1.0, 0.0));
    // It ends where they only touch.
    let hit = wall.cast_shape(moving, [2.0, 0.0], 1.0).unwrap().unwrap();
    assert_eq!((hit.fraction, hit.x), (1.0, 4.0));
    // Not at all, but already in touch.
    let inside = Circle::new([4.5, 5.0], 0.25);
    assert_eq!(wall.cast_shape(inside, [0.0, 0.0], 1.0).unwrap(), None);
    let any = CastOptions { start: CastStart::Any, ..CastOptions::default() };
    let hit = wall.cast_shape(inside, [0.0, 0.0], any).unwrap();
    assert_eq!(hit.map(|hit| hit.fraction), Some(0.0));
    assert_eq!(wall.cast_shape(Circle::new([0.0, 5.0], 0.25), [0.0, 0.0], any).unwrap(), None);
}
