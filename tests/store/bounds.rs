//! The bounds of shapes: the smallest box of `f32` sides that holds them.

use widephase::{
    Shapes,
    shape::{
        Aabb, Capsule, Chain, Circle, Compound, ConvexPolygon, HalfPlane, MAX_COORDINATE, Obb,
        Part, Pose, Rotation, RoundedBox, Segment, Shape,
    },
};

use common::Rng;

fn sides(min: [f32; 2], max: [f32; 2], radius: f32) -> RoundedBox {
    RoundedBox { min_x: min[0], min_y: min[1], max_x: max[0], max_y: max[1], radius }
}

fn bounds_of(shape: impl Shape, pose: Option<Pose>) -> RoundedBox {
    let mut shapes = Shapes::new();
    let row = match pose {
        Some(pose) => shapes.push_at(shape, pose).unwrap(),
        None => shapes.push(shape).unwrap(),
    };
    shapes.bounds(row).unwrap()
}

/// Sides of shapes without a pose are the numbers that the caller gave.
#[test]
fn unposed_shapes_have_exact_bounds() {
    let square = [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]];
    let square = ConvexPolygon::new(&square).unwrap();
    assert_eq!(bounds_of(&square, None), sides([-1.0; 2], [1.0; 2], 0.0));
    let round = square.with_radius(0.1).unwrap();
    assert_eq!(bounds_of(&round, None), sides([-1.0; 2], [1.0; 2], 0.1));
    let upright = Segment::new([0.0, 1.0], [0.0, -1.0]);
    assert_eq!(bounds_of(upright, None), sides([0.0, -1.0], [0.0, 1.0], 0.0));
    let capsule = Capsule::new([0.1, 0.7], [-0.3, 1e-20], 0.3);
    assert_eq!(bounds_of(capsule, None), sides([-0.3, 1e-20], [0.1, 0.7], 0.3));
    let obb = Obb::new([1.0, 2.0], [3.0, 0.5], Rotation::quarter_turns(1));
    assert_eq!(bounds_of(obb, None), sides([0.5, -1.0], [1.5, 5.0], 0.0));
    let least = sides([-MAX_COORDINATE, -MAX_COORDINATE], [MAX_COORDINATE, 2.0], 0.0);
    assert_eq!(bounds_of(HalfPlane::new([0.0, 1.0], 2.0), None), least);

    let chain = Chain::open(&[[0.0, 0.0], [0.1, 0.0], [0.7, 0.3]]).unwrap();
    let mut shapes = Shapes::new();
    let rows = shapes.push_chain(&chain).unwrap();
    let found: Vec<_> = rows.map(|row| shapes.bounds(row).unwrap()).collect();
    let expected = [sides([0.0; 2], [0.1, 0.0], 0.0), sides([0.1, 0.0], [0.7, 0.3], 0.0)];
    assert_eq!(found, expected);

    // The parts of a compound have radii of their own. A side that is no `f32` is rounded outwards.
    let parts: [Part; 3] = [
        Circle::new([0.0, 0.0], 0.1).into(),
        Capsule::new([0.5, 0.0], [1.0, 0.0], 1e-30).into(),
        Obb::new([0.5, 0.0], [0.25, 0.5], Rotation::IDENTITY).into(),
    ];
    let compound = Compound::new(parts).unwrap();
    let right = 1.0_f32.next_up();
    assert_eq!(bounds_of(&compound, None), sides([-0.1, -0.5], [right, 0.5], 0.0));

    assert_eq!(Shapes::new().bounds(0), None);
    shapes.remove(0).unwrap();
    assert_eq!(shapes.bounds(0), None);
}

/// Random sizes, places and poses: near, far, flat, tiny and huge.
#[test]
fn posed_shapes_have_the_smallest_bounds() {
    let mut rng = Rng::new(3);
    let mut rounded = 0;
    for _ in 0..20_000 {
        let size = |rng: &mut Rng| 2.0_f32.powi(rng.int(-30, 30) as i32) * rng.range(0.5, 1.0);
        let far = rng.int(0, 2) as f32 * size(&mut rng);
        let at = [rng.range(-1.0, 1.0) * far, rng.range(-1.0, 1.0) * far];
        let pose = Pose::new(at, Rotation::from_angle(rng.range(-7.0, 7.0)));
        let half = [size(&mut rng), if rng.below(4) == 0 { 0.0 } else { size(&mut rng) }];
        let turned = |pose: Pose, [x, y]: [f32; 2]| {
            let [cos, sin, x, y] = [pose.cos, pose.sin, x, y].map(f64::from);
            let [px, py] = [pose.x, pose.y].map(f64::from);
            [px + (cos * x - sin * y), py + (sin * x + cos * y)]
        };
        let rect = |[x, y]: [f32; 2]| [[-x, -y], [x, -y], [x, y], [-x, y]];
        let radius = size(&mut rng);
        let mut shapes = Shapes::new();
        // The corners of the core, the radius around it, and the discs of a compound.
        let (mut corners, mut radii) = (vec![], vec![]);
        let (row, around) = match rng.below(4) {
            0 => {
                let obb = Obb::new([0.0, 0.0], half, Rotation::IDENTITY);
                let row = shapes.push_at(obb, pose).unwrap();
                corners.extend(rect(half).map(|corner| turned(shapes.pose(row).unwrap(), corner)));
                (row, 0.0)
            }
            1 => {
                let capsule = Capsule::new([-half[0], 0.0], [half[0], half[1]], radius);
                let row = shapes.push_at(capsule, pose).unwrap();
                // A pose keeps its length, and replaces its middle and its direction.
                let [x, y] = [2.0 * f64::from(half[0]), f64::from(half[1])];
                let half = ((x * x + y * y).sqrt() * 0.5) as f32;
                let pose = shapes.pose(row).unwrap();
                corners.extend([-half, half].map(|end| turned(pose, [end, 0.0])));
                (row, radius)
            }
            2 => {
                let [x, y] = [half[0], half[0] * rng.range(0.1, 1.0)];
                let corners_of = [[x, y], [-x * 0.5, y], [-x, -y], [x * 0.5, -y]];
                let polygon = ConvexPolygon::new(&corners_of).unwrap().with_radius(radius).unwrap();
                let row = shapes.push_at(&polygon, pose).unwrap();
                corners.extend(corners_of.map(|corner| turned(shapes.pose(row).unwrap(), corner)));
                (row, radius)
            }
            _ => {
                // Discs stay where the pose puts them: they are at its position.
                let discs = [Circle::new([0.0, 0.0], radius), Circle::new([0.0, 0.0], half[0])];
                let row = shapes.push_at(Compound::new(discs).unwrap(), pose).unwrap();
                corners.extend([at.map(f64::from); 2]);
                radii = vec![radius, half[0]];
                (row, 0.0)
            }
        };
        let found = shapes.bounds(row).unwrap();
        assert_eq!(found.radius, around);
        for axis in [0, 1] {
            let (min, max) = [(found.min_x, found.max_x), (found.min_y, found.max_y)][axis];
            let all = || corners.iter().enumerate().map(|(number, corner)| (number, corner[axis]));
            let radius = |number: usize| f64::from(radii.get(number).copied().unwrap_or(0.0));
            // Whether a side holds a disc, exactly: differences of numbers that are near each other
            // are exact, and so is the comparison with a radius.
            let above = |side: f32| {
                all().all(|(number, at)| {
                    exact_sum_at_least(at - radius(number), at, radius(number), side)
                })
            };
            let below = |side: f32| {
                all().all(|(number, at)| {
                    exact_sum_at_least(-at - radius(number), -at, radius(number), -side)
                })
            };
            assert!(above(min) && below(max), "{found:?} does not hold the shape");
            assert!(!above(min.next_up()) && !below(max.next_down()), "{found:?} is not the least");
            rounded += usize::from(corners.iter().all(|corner| corner[axis] != f64::from(min)));
        }
    }
    assert!(rounded > 20_000, "{rounded}");
}

/// Whether `at - radius`, which is about `rounded`, is at least `side`.
fn exact_sum_at_least(rounded: f64, at: f64, radius: f64, side: f32) -> bool {
    let side = f64::from(side);
    if rounded != side {
        return rounded > side;
    }
    // Equal but for a rounding. The larger of the two is near the side, so the difference of these
    // two is exact.
    if at.abs() < radius { at >= radius + side } else { at - side >= radius }
}

/// Boxes turned by a right angle have whole sides, and touch corner to corner.
#[test]
fn boxes_turned_by_right_angles_have_whole_sides() {
    use widephase::{Detector, Options, Pair, Touching};

    for turns in 1..4 {
        let turn = Rotation::from_angle(turns as f32 * std::f32::consts::FRAC_PI_2);
        let mut shapes = Shapes::new();
        shapes.push(Obb::new([0.0, 0.0], [3.0, 1.0], turn)).unwrap();
        let [width, height] = if turns == 2 { [3.0, 1.0] } else { [1.0, 3.0] };
        assert_eq!(shapes.bounds(0), Some(sides([-width, -height], [width, height], 0.0)));
        shapes.push(Obb::new([2.0 * width, 2.0 * height], [3.0, 1.0], turn)).unwrap();
        shapes.push(Aabb::new([-width - 1.0, -height - 1.0], [-width, -height])).unwrap();
        let mut pairs = Vec::new();
        let mut detector = Detector::new();
        detector.pairs(&shapes, &mut pairs).unwrap();
        pairs.sort();
        assert_eq!(pairs, [Pair { a: 0, b: 1 }, Pair { a: 0, b: 2 }]);
        let mut strict = detector;
        strict.set_options(Options { touching: Touching::Exclusive, ..*strict.options() }).unwrap();
        strict.pairs(&shapes, &mut pairs).unwrap();
        assert_eq!(pairs, []);
    }
}
