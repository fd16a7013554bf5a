//! Compares recomputed bounding boxes with the boxes in the columns of a store.

use super::*;
use crate::every_level::at_every_level;
use crate::{
    Shapes, SimdLevel,
    grid::invariants::rng::Rng,
    narrowphase::view::View,
    posed::Placed,
    shape::{Aabb, Capsule, Circle, ConvexPolygon, Obb, Point, Pose, Rotation, RoundedBox},
    simd::{Isa, Kernel, dispatch},
};

/// Computes the bounding boxes of sixteen shapes.
struct Around<'a>(&'a [Placed]);

impl Kernel for Around<'_> {
    type Output = Vec<RoundedBox>;

    fn run<S: Simd>(self, simd: S) -> Vec<RoundedBox> {
        let (mut words, mut boxes) = (WordLanes::default(), AabbLanes::default());
        let shapes = &std::array::from_fn(|lane| &self.0[lane]);
        words.load(simd, shapes, MAX_LANES);
        for at in (0..MAX_LANES).step_by(S::LANES) {
            boxes.store(simd, around(simd, &words, at), at);
        }
        let AabbLanes { min_x, min_y, max_x, max_y, radius } = boxes;
        let sides = |lane: usize| [min_x[lane], min_y[lane], max_x[lane], max_y[lane]];
        let lanes = (0..MAX_LANES).map(|lane| (sides(lane), radius[lane]));
        let boxes = lanes.map(|([min_x, min_y, max_x, max_y], radius)| RoundedBox {
            min_x,
            min_y,
            max_x,
            max_y,
            radius,
        });
        boxes.collect()
    }
}

/// The bits of a box.
fn bits(rounded: RoundedBox) -> [u32; 5] {
    let RoundedBox { min_x, min_y, max_x, max_y, radius } = rounded;
    [min_x, min_y, max_x, max_y, radius].map(f32::to_bits)
}

/// Shapes of every kind whose bounding box can be computed from the words, of all sizes and at all
/// positions.
fn shapes() -> Shapes {
    let mut random = Rng::new(7);
    let mut unit = move || random.range(0.0, 1.0);
    let mut shapes = Shapes::new();
    for number in 0..4_000 {
        // From 2^-40 to 2^58, and every tenth shape at an end of the range.
        let [size, place] = [unit(), unit()].map(|unit| (unit * 98.0 - 40.0).exp2());
        let edge = MAX_COORDINATE * (1.0 - 4.0 * f32::EPSILON) - 4.0 * size;
        let place = if number % 10 == 0 { edge } else { place };
        let position = [place * (2.0 * unit() - 1.0), place.copysign(unit() - 0.5)];
        let [width, height, radius] = [unit(), unit(), unit()].map(|unit| unit * size);
        let pose = Pose::new(position, Rotation::from_angle(7.0 * unit()));
        let rotated = pose.rotation();
        let row = match number % 7 {
            0 => shapes.push_at(Circle::new([0.0, 0.0], radius), pose),
            1 => shapes.push(Aabb::centered(position, [width, height])),
            2 => shapes.push(Obb::new(position, [width, height], rotated)),
            3 => shapes.push_at(Capsule::new([-width, height], [width, 0.0], radius), pose),
            4 => shapes.push_at(Obb::new([width, 0.0], [0.0, height], Rotation::IDENTITY), pose),
            5 => shapes.push(Point::new(position)),
            _ => shapes.push_at(Capsule::new([0.0, 0.0], [0.0, 0.0], radius), pose),
        };
        row.unwrap();
    }
    shapes
}

at_every_level!(made_from_words_they_are_those_of_the_columns);

fn made_from_words_they_are_those_of_the_columns(level: SimdLevel) {
    let shapes = shapes();
    let view = View::of(&shapes.read());
    let placed = view.placed().unwrap();
    assert_eq!(placed.len(), 4_000);
    let isa = Isa::new(level).unwrap();
    for first in (0..placed.len()).step_by(MAX_LANES) {
        let made = dispatch(isa, Around(&placed[first..][..MAX_LANES]));
        for (row, made) in (first..).zip(made) {
            assert_eq!(bits(made), bits(view.bounds(row)), "{level}, row {row}: {made:?}");
        }
    }
}

at_every_level!(a_box_around_a_turned_box_by_hand);

fn a_box_around_a_turned_box_by_hand(level: SimdLevel) {
    // A quarter turn exchanges width and height. The slack is a millionth of the size.
    let mut shapes = Shapes::new();
    let quarter = Rotation::from_angle(std::f32::consts::FRAC_PI_2);
    shapes.push(Obb::new([10.0, -20.0], [4.0, 1.0], quarter)).unwrap();
    let placed = [View::of(&shapes.read()).placed().unwrap()[0]; MAX_LANES];
    let made = dispatch(Isa::new(level).unwrap(), Around(&placed));
    for RoundedBox { min_x, min_y, max_x, max_y, radius } in made {
        let (sides, exact) = ([-min_x, -min_y, max_x, max_y], [-9.0, 24.0, 11.0, -16.0]);
        for (side, exact) in sides.into_iter().zip(exact) {
            assert!(side >= exact && side <= exact + 3e-5, "{side} for {exact}");
        }
        assert_eq!(radius, 0.0);
    }
}

#[test]
fn polygons_and_compounds_are_told_apart() {
    // The result of `around` is meaningless for them. Their classes come last.
    let mut shapes = Shapes::new();
    let triangle = ConvexPolygon::new(&[[0.0, 0.0], [4.0, 0.0], [0.0, 3.0]]).unwrap();
    shapes.push(&triangle).unwrap();
    shapes.push(Capsule::new([0.0, 0.0], [1.0, 1.0], 0.5)).unwrap();
    let classes: Vec<_> =
        View::of(&shapes.read()).placed().unwrap().iter().map(|placed| placed.class()).collect();
    assert!(classes[0] >= ShapeClass::Polygon4 && classes[1] < ShapeClass::Polygon4, "{classes:?}");
}
