//! Half-planes by hand: each kind of shape, each query, and refused values.

use widephase::{
    Contact, ContactId, Detector, Displacements, Feature, Index, Narrowphase, Options, Pair,
    Queries, Ray, Shapes, Touching,
    narrowphase::{closest_points, contains, distance, time_of_impact, touches},
    shape::{
        Aabb, Capsule, ChainSegment, Circle, Compound, ConvexPolygon, HalfPlane, Kind,
        MAX_COORDINATE, Obb, OwnedShape, Point, Pose, Rotation, RoundedBox, Segment,
    },
};

use crate::{contact_of, contacts, pairs, posed, posed_at};

/// The floor: y <= 2.
fn floor() -> HalfPlane {
    HalfPlane::new([0.0, 1.0], 2.0)
}

/// A depth and points: x, y, depth, vertex.
type Seen = (f32, Vec<(f32, f32, f32, usize)>);

/// The contact of the floor and a shape.
fn on_floor(shape: impl Into<OwnedShape>) -> Option<Seen> {
    let (a, b) = (posed(floor()), posed(shape));
    let found = contact_of(&a, &b)?;
    assert_eq!(found.normal().to_array(), [0.0, 1.0]);
    assert_eq!(contact_of(&b, &a), Some(found.mirrored()));
    let point = |point: &widephase::ContactPoint| {
        assert_eq!(point.feature_a, Feature::side(0));
        assert!(!point.feature_b.is_side());
        (point.x, point.y, point.depth, point.feature_b.index())
    };
    Some((found.depth, found.points().iter().map(point).collect()))
}

#[test]
fn each_kind_on_the_floor() {
    let one = |x, y, depth, vertex| Some((depth, vec![(x, y, depth, vertex)]));
    assert_eq!(on_floor(Point::new([5.0, 1.5])), one(5.0, 1.75, 0.5, 0));
    assert_eq!(on_floor(Point::new([5.0, 2.5])), None);
    assert_eq!(on_floor(Circle::new([5.0, 2.75], 1.0)), one(5.0, 1.875, 0.25, 0));
    assert_eq!(on_floor(Circle::new([5.0, 3.0], 1.0)), one(5.0, 2.0, 0.0, 0));
    assert_eq!(on_floor(Circle::new([5.0, 3.0_f32.next_up()], 1.0)), None);
    let two = |depth, left: f32, right: f32, y, vertices: [usize; 2]| {
        Some((depth, vec![(left, y, depth, vertices[0]), (right, y, depth, vertices[1])]))
    };
    let aabb = Aabb::new([3.0, 1.75], [7.0, 3.0]);
    assert_eq!(on_floor(aabb), two(0.25, 3.0, 7.0, 1.875, [0, 1]));
    let rounded = RoundedBox::new(Aabb::new([3.0, 2.25], [7.0, 3.0]), 0.5);
    assert_eq!(on_floor(rounded), two(0.25, 3.0, 7.0, 1.875, [0, 1]));
    let obb = Obb::new([5.0, 2.0], [3.0, 0.25], Rotation { cos: -1.0, sin: 0.0 });
    assert_eq!(on_floor(obb), two(0.25, 2.0, 8.0, 1.875, [2, 3]));
    // On its corner: half the diagonal of 3-4-5 below its centre.
    let tilted = Obb::new([5.0, 6.75], [3.0, 4.0], Rotation { cos: 0.6, sin: 0.8 });
    let (depth, points) = on_floor(tilted).unwrap();
    assert!((depth - 0.05).abs() < 1e-5 && points.len() == 1 && points[0].3 == 0, "{points:?}");
    let lying = Capsule::new([3.0, 2.5], [7.0, 2.5], 1.0);
    assert_eq!(on_floor(lying), two(0.5, 3.0, 7.0, 1.75, [0, 1]));
    let standing = Capsule::new([3.0, 9.0], [3.0, 2.5], 1.0);
    assert_eq!(on_floor(standing), one(3.0, 1.75, 0.5, 1));
    // The second end is above the floor by less than the margin of `contact`, which is 0.
    let slanted = Segment::new([0.0, 1.0], [4.0, 3.0]);
    assert_eq!(on_floor(slanted), one(0.0, 1.5, 1.0, 0));
    let sunk = Segment::new([0.0, 1.0], [4.0, 1.5]);
    assert_eq!(on_floor(sunk), Some((1.0, vec![(0.0, 1.5, 1.0, 0), (4.0, 1.75, 0.5, 1)])));
    let triangle = ConvexPolygon::new(&[[0.0, 4.0], [2.0, 1.75], [4.0, 4.0]]).unwrap();
    assert_eq!(on_floor(triangle.clone()), one(2.0, 1.875, 0.25, 1));
    let flat = ConvexPolygon::new(&[[0.0, 1.0], [4.0, 1.0], [2.0, 4.0]]).unwrap();
    assert_eq!(on_floor(flat.clone()), two(1.0, 0.0, 4.0, 1.5, [0, 1]));
    let many: Vec<[f32; 2]> = (0..20)
        .map(|k| {
            let angle = (k as f32 + 0.5) * std::f32::consts::PI / 10.0;
            [10.0 * angle.cos(), 11.5 + 10.0 * angle.sin()]
        })
        .collect();
    let (depth, points) = on_floor(ConvexPolygon::new(&many).unwrap()).unwrap();
    assert!((depth - (10.0 * (std::f32::consts::PI / 20.0).cos() - 9.5)).abs() < 1e-4);
    assert_eq!(points.len(), 2);
    let segment = ChainSegment::new([0.0, 1.0], [4.0, 1.5]);
    assert_eq!(on_floor(segment), on_floor(sunk));
    // A compound has a contact for each part.
    let feet = [Aabb::new([0.0, 1.5], [1.0, 4.0]), Aabb::new([3.0, 1.75], [4.0, 4.0])];
    let mut shapes = Shapes::new();
    shapes.push(Compound::new(feet).unwrap()).unwrap();
    shapes.push(floor()).unwrap();
    let found = contacts(&shapes, 0.0);
    let seen =
        |contact: &Contact| (contact.part_a, contact.part_b, contact.depth, contact.points().len());
    assert_eq!(found.iter().map(seen).collect::<Vec<_>>(), [(0, 0, 0.5, 2), (1, 0, 0.25, 2)]);
    assert!(found.iter().all(|contact| contact.normal().to_array() == [0.0, -1.0]));
}

#[test]
fn touching_is_exact() {
    // A wall to the left of x = 2^20, and shapes that touch it in one point.
    let wall = HalfPlane::new([1.0, 0.0], 1_048_576.0);
    let on_the_line = [
        OwnedShape::from(Point::new([1_048_576.0, 3.0])),
        Circle::new([1_048_577.0, -9e9], 1.0).into(),
        Aabb::new([1_048_576.0, 0.0], [2e6, 1.0]).into(),
        Obb::new([1_048_578.0, 0.0], [1.0, 2.0], Rotation { cos: 0.0, sin: 1.0 }).into(),
        Capsule::new([1_048_580.0, 0.0], [2e6, 1.0], 4.0).into(),
    ];
    for shape in on_the_line {
        let shape = posed(shape);
        assert!(touches(&posed(wall), &shape, Touching::Inclusive).unwrap());
        assert!(!touches(&shape, &posed(wall), Touching::Exclusive).unwrap());
        let behind = HalfPlane::new([1.0, 0.0], 1_048_576_f32.next_down());
        assert!(!touches(&posed(behind), &shape, Touching::Inclusive).unwrap());
        let deeper = HalfPlane::new([1.0, 0.0], 1_048_576_f32.next_up());
        assert!(touches(&posed(deeper), &shape, Touching::Exclusive).unwrap());
    }
}

#[test]
fn a_half_plane_in_an_index_meets_all_bodies_near_it() {
    let mut shapes = Shapes::new();
    for row in 0..40 {
        shapes.push(Circle::new([row as f32 * 1e4, (row % 4) as f32], 1.0)).unwrap();
    }
    let floor = shapes.push(HalfPlane::new([0.0, 1.0], 0.5)).unwrap();
    let slope = shapes.push(HalfPlane::through([1e5, 0.0], [0.6, 0.8])).unwrap();
    shapes.push(HalfPlane::new([0.0, -1.0], -3.5)).unwrap(); // a ceiling: y >= 3.5
    assert_eq!(shapes.kind(floor), Some(Kind::HalfPlane));
    let found = pairs(&shapes);
    let of = |row: u32| found.iter().filter(move |pair| pair.b == row).map(|pair| pair.a);
    assert!(of(floor).eq((0..40).filter(|row| row % 4 <= 1)));
    // 0.6 (x - 1e5) + 0.8 y <= 1.
    let under = |row: &u32| *row < 10;
    assert!(of(slope).eq((0..40).filter(under)));
    assert!(of(42).eq((0..40).filter(|row| row % 4 == 3)));
    assert_eq!(contacts(&shapes, 0.0).len(), found.len());
    // With a margin of 0.5: circles whose lowest point is 0.5 above the floor.
    let near = contacts(&shapes, 0.5);
    let above = near.iter().filter(|contact| contact.pair.b == floor && contact.depth == -0.5);
    assert_eq!(above.count(), 10);
    // All half-planes: no pair.
    let planes = Shapes::from_slice(&[HalfPlane::default(); 3]).unwrap();
    assert_eq!(pairs(&planes), []);
    assert_eq!(contacts(&planes, 1.0), []);
    // The caller's own pairs, and row by row.
    let mut narrowphase = Narrowphase::new();
    let balls = Shapes::from_slice(&[Circle::new([7.0, 0.5], 1.0); 3]).unwrap();
    let (mut columns, mut mask) = (Default::default(), Vec::new());
    narrowphase.row_contacts(&planes, &balls, 0..3, 0.0, &mut columns).unwrap();
    assert_eq!(
        columns.get(1).map(|contact| (contact.depth, contact.points().len())),
        Some((0.5, 1))
    );
    narrowphase.row_mask(&balls, &planes, 0..3, &mut mask).unwrap();
    assert_eq!(mask, [0b111]);
    let list = [Pair { a: 0, b: 2 }, Pair { a: 1, b: 1 }];
    let mut found = Vec::new();
    narrowphase.contacts_between(&balls, &planes, &list, 0.0, &mut found).unwrap();
    assert_eq!(found.iter().map(|contact| contact.pair).collect::<Vec<_>>(), list);
    assert_eq!(found[0].normal().to_array(), [0.0, -1.0]);
    assert_eq!(found[0].points()[0].id(), ContactId::new(Feature::vertex(0), Feature::side(0)));
}

#[test]
fn a_pose_turns_and_moves_the_border() {
    let mut shapes = Shapes::new();
    let floor = shapes.push(HalfPlane::new([0.0, 1.0], 1.0)).unwrap();
    let bounds = shapes.bounds(floor).unwrap();
    assert_eq!((bounds.min_y, bounds.max_y, bounds.max_x), (-MAX_COORDINATE, 1.0, MAX_COORDINATE));
    // A quarter turn to the left: the border is at x = -1, then moved by 5.
    let quarter = Pose::new([5.0, 7.0], Rotation { cos: 0.0, sin: 1.0 });
    shapes.set_pose(floor, quarter).unwrap();
    let bounds = shapes.bounds(floor).unwrap();
    assert_eq!((bounds.min_x, bounds.max_x), (4.0, MAX_COORDINATE));
    assert_eq!(shapes.get(floor), Some(HalfPlane::new([0.0, 1.0], 1.0).into()));
    assert_eq!(shapes.pose(floor), Some(quarter));
    shapes.push(Circle::new([3.5, 0.0], 1.0)).unwrap();
    let found = contacts(&shapes, 0.0);
    assert_eq!((found[0].normal().to_array(), found[0].depth), ([-1.0, 0.0], 0.5));
    let copy = Shapes::from_columns(shapes.columns()).unwrap();
    assert_eq!(contacts(&copy, 0.0), found);
    shapes.translate(&[1.0, 0.0], &[0.0, 0.0]).unwrap();
    assert_eq!(contacts(&shapes, 0.0), []);
    let slanted = posed_at(floor_shape(), Pose::new([0.0, 0.0], Rotation { cos: 0.8, sin: 0.6 }));
    assert!(contains(&slanted, [-0.59, 0.79], Touching::Inclusive).unwrap());
    assert!(!contains(&slanted, [-0.63, 0.84], Touching::Inclusive).unwrap());
    assert!(HalfPlane::new([0.0, 1.0], 1.0).contains([1e18, 1.0]));
    assert!(!HalfPlane::new([0.0, 1.0], 1.0).contains([0.0, 1.001]));
}

fn floor_shape() -> HalfPlane {
    HalfPlane::new([0.0, 1.0], 1.0)
}

#[test]
fn normals_of_another_length_and_far_offsets_are_refused() {
    let refused = |shape: HalfPlane| Shapes::new().push(shape).unwrap_err().to_string();
    let long = HalfPlane::new([3.0, 4.0], 0.0);
    assert_eq!(refused(long), "shape 0: normal_x is 3: the length of the vector is 5 and not 1");
    let far = HalfPlane::new([0.0, 1.0], f32::INFINITY);
    assert_eq!(refused(far), "shape 0: offset is inf: infinite");
    let mut shapes = Shapes::from_slice(&[HalfPlane::new([0.0, 1.0], MAX_COORDINATE)]).unwrap();
    assert!(shapes.set_pose(0, Pose::at([1e18, 0.0])).is_err());
}

#[test]
fn queries_of_a_half_plane_have_the_values_by_hand() {
    let mut shapes = Shapes::new();
    shapes.push(floor()).unwrap();
    shapes.push(Circle::new([0.0, 10.0], 1.0)).unwrap();
    for touching in [Touching::Inclusive, Touching::Exclusive] {
        let options = Options { touching, ..Options::default() };
        let mut index = Index::with_options(options.into()).unwrap();
        index.rebuild(&shapes).unwrap();
        let hit = index.cast_ray(Ray::new([1e6, 10.0], [3.0, -2.0])).unwrap().unwrap();
        assert_eq!(
            (hit.row, hit.fraction, hit.position().to_array()),
            (0, 4.0, [1_000_012.0, 2.0])
        );
        assert_eq!(hit.normal().to_array(), [0.0, 1.0]);
        assert_eq!(index.cast_ray(Ray::new([1e6, 10.0], [3.0, 0.0])).unwrap(), None);
        let inside = index.cast_ray(Ray::new([5.0, 0.0], [0.0, 2.0])).unwrap().unwrap();
        assert_eq!((inside.row, inside.fraction, inside.normal_y), (0, 0.0, -1.0));
        let mut all = Vec::new();
        index.cast_ray_all(Ray::new([0.0, 20.0], [0.0, -1.0]), &mut all).unwrap();
        assert_eq!(
            all.iter().map(|hit| (hit.row, hit.fraction)).collect::<Vec<_>>(),
            [(1, 9.0), (0, 18.0)]
        );
        assert!(index.hits_any(Ray::segment([3.0, 2.0], [9.0, 2.0])).unwrap());

        let falling = Aabb::new([4.0, 6.0], [8.0, 7.0]);
        let hit = index.cast_shape(falling, [8.0, -8.0], 1.0).unwrap().unwrap();
        assert_eq!((hit.row, hit.fraction, [hit.x, hit.y]), (0, 0.5, [10.0, 2.0]));
        let ball = Circle::new([50.0, 7.0], 1.0);
        assert_eq!(index.cast_shape(ball, [0.0, -8.0], 1.0).unwrap().unwrap().fraction, 0.5);
        assert_eq!(index.cast_shape(ball, [9.0, 8.0], 1.0).unwrap(), None);
        let rising = index.cast_shape(HalfPlane::new([0.0, 1.0], 4.0), [0.0, 8.0], 1.0).unwrap();
        let rising = rising.unwrap();
        assert_eq!((rising.row, rising.fraction, [rising.x, rising.y]), (1, 0.625, [0.0, 9.0]));
        assert_eq!(rising.normal().to_array(), [0.0, -1.0]);

        let mut rows = Vec::new();
        index.overlapping(HalfPlane::new([0.0, -1.0], -10.5), &mut rows).unwrap();
        assert_eq!(rows, [1]);
        index.overlapping(Circle::new([-7e8, 2.5], 1.0), &mut rows).unwrap();
        assert_eq!(rows, [0]);
        let near = index.nearest(Point::new([1e9, 7.0]), 100.0).unwrap().unwrap();
        assert_eq!((near.row, near.distance), (0, 5.0));
        let mut two = Vec::new();
        index.k_nearest(Circle::new([0.0, 7.0], 1.0), 2, 1e9, &mut two).unwrap();
        assert_eq!(
            two.iter().map(|near| (near.row, near.distance)).collect::<Vec<_>>(),
            [(1, 1.0), (0, 4.0)]
        );
    }
}

#[test]
fn distances_and_impacts_with_a_half_plane_have_the_values_by_hand() {
    let (floor, roof) = (posed(floor()), posed(HalfPlane::new([0.0, -1.0], -9.0)));
    let ball = posed(Circle::new([4.0, 6.0], 1.0));
    assert_eq!((distance(&floor, &ball).unwrap(), distance(&ball, &roof).unwrap()), (3.0, 2.0));
    let closest = closest_points(&ball, &floor).unwrap().unwrap();
    assert_eq!((closest.point_a.to_array(), closest.point_b.to_array()), ([4.0, 5.0], [4.0, 2.0]));
    assert_eq!((closest.normal.to_array(), closest.distance), ([0.0, -1.0], 3.0));
    assert_eq!(closest_points(&floor, &ball).unwrap().unwrap().point_a, closest.point_b);
    let hit = time_of_impact(&ball, [0.0, -2.0], &floor, [0.0, 2.0], 1.0).unwrap().unwrap();
    assert_eq!((hit.fraction, [hit.x, hit.y], hit.normal_y), (0.75, [4.0, 3.5], 1.0));
    let hit = time_of_impact(&floor, [0.0, 2.0], &ball, [0.0, -2.0], 1.0).unwrap().unwrap();
    assert_eq!((hit.fraction, [hit.x, hit.y], hit.normal_y), (0.75, [4.0, 3.5], -1.0));
    // Two half-planes never touch.
    assert!(!touches(&floor, &roof, Touching::Inclusive).unwrap());
    assert_eq!(contact_of(&floor, &roof), None);
    assert_eq!(time_of_impact(&floor, [0.0, 9.0], &roof, [0.0, 0.0], 1.0), Ok(None));
}

/// A bullet that would pass the floor in one step.
#[test]
fn a_bullet_does_not_pass_the_floor() {
    let mut shapes = Shapes::new();
    shapes.push(floor()).unwrap();
    shapes.push(Circle::new([0.0, 12.0], 1.0)).unwrap();
    let mut impacts = Vec::new();
    Detector::new()
        .swept_pairs(
            &shapes,
            Displacements { x: &[0.0, 5.0], y: &[0.0, -90.0], ..Displacements::default() },
            &mut impacts,
        )
        .unwrap();
    assert_eq!(impacts.len(), 1);
    assert_eq!((impacts[0].fraction, impacts[0].normal_y), (0.1, -1.0));
}
