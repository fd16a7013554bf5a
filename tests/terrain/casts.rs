//! Casts over chains and outlines: nothing catches on joints and seams, and nothing passes them.

use std::f32::consts::TAU;

use widephase::{
    CastOptions, Hit, Index, Queries, Shapes,
    shape::{
        Aabb, Capsule, Chain, Circle, Compound, ConvexPolygon, Obb, OwnedShape, Pose, Rotation,
        Segment, Sides,
    },
};

use common::{Rng, product};

/// Bodies of each kind, about a unit wide.
fn bodies(rng: &mut Rng) -> [OwnedShape; 5] {
    let mut size = || rng.range(0.2, 0.8);
    let hull = [[-size(), -size()], [size(), -size()], [size() * 0.5, size()], [-size(), size()]];
    [
        Circle::new([0.0, 0.0], size()).into(),
        Aabb::new([-size(), -size()], [size(), size()]).into(),
        Obb::new([0.0, 0.0], [size(), size()], Rotation::from_angle(size() * 4.0)).into(),
        Capsule::new([-size(), 0.0], [size(), size() - 0.4], size() * 0.5).into(),
        ConvexPolygon::hull(&hull).unwrap().into(),
    ]
}

fn at(shape: &OwnedShape, place: [f32; 2]) -> Shapes {
    let mut store = Shapes::new();
    store.push_at(shape, Pose::at(place)).unwrap();
    store
}

fn cast(own: &Shapes, by: [f32; 2], options: CastOptions, index: &Index) -> Option<Hit> {
    let mut hits = Vec::new();
    index.cast_shape_batch(own, &[by], options, &mut hits).unwrap();
    hits[0]
}

fn of_one(shape: impl widephase::shape::Shape) -> Index {
    Index::build(&Shapes::from_slice(&[shape]).unwrap()).unwrap()
}

/// An outline whose upper side is flat and has seams, because its lower side is not convex.
fn flat_top() -> Compound {
    let lower = (0..=12).map(|x| [x as f32, if x % 2 == 1 { 1.0 } else { 0.0 }]);
    let ring: Vec<[f32; 2]> = lower.chain([[12.0, 2.0], [0.0, 2.0]]).collect();
    let outline = Compound::from_outline(&ring, &[]).unwrap();
    assert!(outline.parts().len() > 5);
    outline
}

/// Whether it lies on the flat top, or in it, or a little above it within a gap: along the top and
/// away from it, each body is free, whatever seams and joints it passes.
#[test]
fn along_a_flat_top() {
    let outline = of_one(flat_top());
    let mut chain = Shapes::new();
    let line: Vec<[f32; 2]> = (0..=12).map(|x| [x as f32, 2.0]).collect();
    for sides in [Sides::Left, Sides::Both] {
        chain.push_chain(&Chain::open(&line).unwrap().with_sides(sides)).unwrap();
    }
    let chain = Index::build(&chain).unwrap();
    let mut rng = Rng::new(3);
    let mut cases = 0;
    for round in 0..400 {
        for shape in bodies(&mut rng) {
            let own = at(&shape, [0.0, 0.0]);
            let bounds = own.bounds(0).unwrap();
            let low = bounds.min_y - bounds.radius;
            let (gap, depth) = match round % 4 {
                0 => (0.0, 0.0),
                1 => (0.0, rng.range(0.0, 0.1)),
                2 => (0.25, -rng.range(0.0, 0.25)),
                _ => (0.125, -0.125),
            };
            let options = CastOptions { gap, ..CastOptions::default() };
            let x = rng.range(2.0, 10.0);
            let own = at(&shape, [x, 2.0 - low - depth]);
            let wide = bounds.max_x - bounds.min_x + 2.0 * bounds.radius;
            let most = [wide - x + 1.0, 11.0 - wide - x];
            let ways = [[most[0], 0.0], [most[1], 0.0], [0.3, 0.0], [most[1], 0.5], [-1.0, 4.0]];
            let grounds = [&outline, &chain];
            for (index, by) in product((grounds, ways)) {
                let hit = cast(&own, by, options, index);
                assert_eq!(hit, None, "{round} {shape:?} at {x}, {depth} deep, by {by:?}");
            }
            for index in grounds {
                let hit = cast(&own, [0.5, -0.5], options, index);
                let hit = hit.unwrap_or_else(|| panic!("{round}: {shape:?} sinks at {x}"));
                assert!(hit.fraction < 0.05 || depth == 0.0, "{hit:?}");
                assert!((hit.normal_y - 1.0).abs() < 1e-4, "{hit:?}");
                cases += 1;
            }
        }
    }
    assert_eq!(cases, 4000);
}

/// A body that has sunk into a chain, as deep as its middle is still in front, goes no further
/// down, wherever the joints are. If the chain has one side, it is across it, and free.
#[test]
fn sunk_over_joints() {
    for (length, sides) in product(([0.1, 0.25, 0.5, 1.0, 4.0], [Sides::Left, Sides::Both])) {
        let count = (8.0 / length) as i32;
        let line: Vec<[f32; 2]> = (0..=count).map(|x| [x as f32 * length - 4.0, 4.0]).collect();
        let mut chain = Shapes::new();
        chain.push_chain(&Chain::open(&line).unwrap().with_sides(sides)).unwrap();
        let chain = Index::build(&chain).unwrap();
        for (step, depth) in product((0..200, [0.05, 0.3, 0.55, 0.779, 0.9])) {
            let x = step as f32 * 0.03 - 3.0;
            let own = at(&Aabb::new([-0.5, -1.0], [0.5, 1.0]).into(), [x, 5.0 - depth]);
            let what = format!("{length} {x} {depth}");
            let hit = cast(&own, [0.5, -3.0], CastOptions::default(), &chain);
            let hit = hit.map(|hit| (hit.fraction, hit.normal_x, hit.normal_y));
            let expected = (sides == Sides::Both).then_some((0.0, 0.0, 1.0));
            assert_eq!(hit, expected, "{what}");
            for by in [[0.0, 3.0], [0.75, 0.0], [-0.75, 1.0]] {
                assert_eq!(cast(&own, by, CastOptions::default(), &chain), None, "{what}");
            }
        }
    }
}

/// A ring that bends in any way: a star.
fn star(rng: &mut Rng) -> Vec<[f32; 2]> {
    let count = 5 + rng.below(12);
    (0..count)
        .map(|corner| {
            let (sin, cos) = (corner as f32 * TAU / count as f32).sin_cos();
            let length = rng.range(1.0, 5.0);
            [cos * length, sin * length]
        })
        .collect()
}

/// From outside, an outline stops the shapes that its parts stop, and a closed chain the shapes
/// that its segments stop.
#[test]
fn from_outside_an_outline_stops_what_its_parts_stop() {
    let mut rng = Rng::new(9);
    let (mut hits, mut misses) = (0, 0);
    for _ in 0..400 {
        let ring = star(&mut rng);
        let outline = Compound::from_outline(&ring, &[]).unwrap();
        let parts = of_one(Compound::new(outline.parts().to_vec()).unwrap());
        let outline = of_one(outline);
        let mut chain = Shapes::new();
        let closed = Chain::closed(&ring).unwrap().with_sides(Sides::Right);
        chain.push_chain(&closed).unwrap();
        let mut segments = Shapes::new();
        for segment in closed.segments() {
            segments.push(Segment::new(segment.a, segment.b)).unwrap();
        }
        let [chain, segments] = [chain, segments].map(|store| Index::build(&store).unwrap());
        let rod = Segment::new([-0.7, rng.range(-0.4, 0.4)], [0.7, rng.range(-0.4, 0.4)]);
        for shape in bodies(&mut rng).into_iter().chain([rod.into()]) {
            for _ in 0..6 {
                let (sin, cos) = rng.range(0.0, TAU).sin_cos();
                let own = at(&shape, [cos * 8.0, sin * 8.0]);
                let to = [rng.range(-4.0, 4.0), rng.range(-4.0, 4.0)];
                let by = [to[0] - cos * 8.0, to[1] - sin * 8.0];
                let options = CastOptions { max_fraction: 1.5, ..CastOptions::default() };
                let [whole, alone] = [&outline, &parts].map(|index| cast(&own, by, options, index));
                assert_eq!(whole, alone, "{ring:?} {shape:?} {by:?}");
                let [one, other] = [&chain, &segments].map(|index| cast(&own, by, options, index));
                let fractions = [one, other].map(|hit| hit.map(|hit| hit.fraction));
                assert_eq!(fractions[0], fractions[1], "{ring:?} {shape:?} {by:?}");
                if whole.is_some() { hits += 1 } else { misses += 1 }
            }
        }
    }
    assert!(hits > 8000 && misses > 500, "{hits} {misses}");
}

/// In a reflex corner of an outline, a body touches one side, and the other side at a vertex: it
/// goes no further in at either.
#[test]
fn in_reflex_corners() {
    let ring = [
        [-4.0, 2.0],
        [-8.0, 6.0],
        [-11.0, 7.0],
        [-14.0, 5.0],
        [-18.0, 5.0],
        [-17.0, 0.0],
        [-15.0, -1.0],
        [-10.0, -4.0],
        [-10.0, 0.0],
    ];
    let outline = of_one(Compound::from_outline(&ring, &[]).unwrap());
    for high in [0.0, -1e-7, 1e-7] {
        let mut own = Shapes::new();
        own.push(Aabb::new([-10.0, high - 2.0], [-8.75, high])).unwrap();
        let hit = cast(&own, [0.0, 2.0], CastOptions::default(), &outline);
        let hit = hit.unwrap_or_else(|| panic!("it passes from {high}"));
        assert!(hit.fraction < 1e-6 && hit.normal_y < -0.9, "{hit:?}");
        let hit = cast(&own, [-2.0, 0.5], CastOptions::default(), &outline);
        assert_eq!(hit.map(|hit| (hit.fraction, hit.normal_x)), Some((0.0, 1.0)));
        for by in [[0.0, -1.0], [2.0, 0.5], [1.0, -1.0]] {
            assert_eq!(cast(&own, by, CastOptions::default(), &outline), None, "{by:?}");
        }
    }
}

/// A body that has sunk into the floor of an outline slides along it, and is stopped by a slope,
/// though it enters the part below the slope through a side that the parts share.
#[test]
fn sunk_below_a_slope() {
    let ring = [[-4.0, -2.0], [4.0, -2.0], [4.0, 2.0], [0.0, 0.0], [-4.0, 0.0]];
    let outline = of_one(Compound::from_outline(&ring, &[]).unwrap());
    let mut rng = Rng::new(12);
    for round in 0..200 {
        for shape in bodies(&mut rng) {
            let bounds = at(&shape, [0.0, 0.0]).bounds(0).unwrap();
            let depth = [1e-4, 0.01, 0.1][round % 3] * rng.range(0.5, 1.0);
            let high = -depth - (bounds.min_y - bounds.radius);
            let left = -0.01 - bounds.max_x - bounds.radius - rng.range(0.0, 1.5);
            let own = at(&shape, [left, high]);
            let hit = cast(&own, [5.0, 0.0], CastOptions::default(), &outline);
            let hit = hit.unwrap_or_else(|| panic!("{shape:?} passes, {depth} deep"));
            // It ends before its left end has passed the foot of the slope.
            let last = left + 5.0 * hit.fraction + bounds.min_x - bounds.radius;
            assert!(last < 0.25 && hit.normal_x < 0.0, "{shape:?}, {depth} deep: {hit:?}");
            for by in [[-0.5, 0.0], [0.005, 0.0], [-0.5, 1.0], [3.0, 2.0]] {
                let hit = cast(&own, by, CastOptions::default(), &outline);
                assert_eq!(hit, None, "{shape:?}, {depth} deep, by {by:?}");
            }
        }
    }
}

/// A rod across the tip of a chain, whose motion is along one of the sides of the tip and against
/// the other: its middle is behind the other side, and in front of the tip.
#[test]
fn rods_at_tips() {
    for lean in [1.0, 2.0, 4.0] {
        let foot = [-10.0 + 8.0 / lean, -11.0];
        let ring = [[-10.0, -19.0], [6.0, -19.0], [6.0, -3.0], foot, [-10.0, -3.0]];
        let mut chain = Shapes::new();
        chain.push_chain(&Chain::closed(&ring).unwrap().with_sides(Sides::Right)).unwrap();
        let chain = Index::build(&chain).unwrap();
        for [left, right] in [[-11.0, -8.0], [-12.0, -7.0], [-10.25, -6.0]] {
            for high in [0.0, 0.5, 2.0] {
                let end = |x: f32| [x, high - 3.0 - (x + 10.0) * 0.125];
                let mut rod = Shapes::new();
                rod.push(Segment::new(end(left), end(right))).unwrap();
                // It moves along the right side of the tip.
                let by = [4.0, -4.0 * lean];
                let hit = cast(&rod, by, CastOptions::default(), &chain);
                let expected = high / (4.0 * lean - 0.5);
                if left <= -10.0 - 4.0 * expected {
                    let hit = hit.unwrap_or_else(|| panic!("{lean} {left} {high}"));
                    let apart = (hit.fraction - expected).abs();
                    assert!(apart < 1e-5, "{lean} {left} {high}: {hit:?}");
                } else {
                    // It passes the tip, and may come to the other slope of the valley.
                    let passes = hit.is_none_or(|hit| hit.fraction > expected + 0.05);
                    assert!(passes, "{lean} {left} {high}: {hit:?}");
                }
                let away = cast(&rod, [1.0, 4.0], CastOptions::default(), &chain);
                assert_eq!(away, None, "{lean} {left} {high}");
            }
        }
    }
}
