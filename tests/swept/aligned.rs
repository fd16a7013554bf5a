//! Axis-aligned shapes, which have a way of their own: beside the time of impact of every two
//! shapes, which takes the general way, in scenes that try its margins.

use widephase::{
    Detector, Displacements, Impact, Options, Shapes, SimdLevel, Threads,
    narrowphase::{CastStart, time_of_impact},
    shape::{Aabb, Circle, OwnedShape, Point, RoundedBox},
};

use crate::{Moves, all_impacts, all_impacts_against, assert_impacts, check};
use common::{Rng, crowd::PosedShape, levels, pow2, rng::cases};

/// How the centres of a scene lie.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    Random,
    Clusters,
    Far,
    Line,
    Same,
    Lattice,
}

/// How the shapes of a scene move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Motion {
    None,
    Slow,
    Fast,
    Parallel,
    Inwards,
    Mixed,
}

const PLACES: [Place; 6] =
    [Place::Random, Place::Clusters, Place::Far, Place::Line, Place::Same, Place::Lattice];

const MOTIONS: [Motion; 6] =
    [Motion::None, Motion::Slow, Motion::Fast, Motion::Parallel, Motion::Inwards, Motion::Mixed];

/// A shape of a kind from 0 to 4: circle, box, rounded box, point, any of them.
fn shape(rng: &mut Rng, kind: u32, [x, y]: [f32; 2], unit: f32) -> OwnedShape {
    let [half_x, half_y, radius] = [(); 3].map(|()| unit * (1 + rng.below(4)) as f32 * 0.25);
    let flat = if rng.below(8) == 0 { 0.0 } else { half_x };
    let sides = Aabb::new([x - flat, y - half_y], [x + flat, y + half_y]);
    match if kind == 4 { rng.below(4) as u32 } else { kind } {
        0 => Circle::new([x, y], radius).into(),
        1 => sides.into(),
        // A box with a core without a size is no circle.
        2 if rng.below(6) == 0 => RoundedBox::new(Aabb::new([x, y], [x, y]), radius).into(),
        2 => RoundedBox::new(sides, radius).into(),
        _ => Point::new([x, y]).into(),
    }
}

fn center(rng: &mut Rng, place: Place, unit: f32) -> [f32; 2] {
    let mut around = |by: f32| rng.range(-by, by) * unit;
    match place {
        Place::Random => [around(6.0), around(6.0)],
        Place::Clusters => {
            let far = if around(1.0) > 0.0 { 1e5 * unit } else { 0.0 };
            [far + around(2.0), around(2.0)]
        }
        Place::Far => [1e6 * unit + around(5.0), -3e6 * unit + around(5.0)],
        Place::Line => [around(20.0), 0.0],
        Place::Same => [unit, -unit],
        Place::Lattice => [around(5.0), around(5.0)].map(|at| (at / unit).round() * unit),
    }
}

fn motion(rng: &mut Rng, motion: Motion, [x, y]: [f32; 2], unit: f32) -> [f32; 2] {
    let mut one = |by: f32| rng.range(-by, by) * unit;
    match motion {
        Motion::None => [0.0; 2],
        Motion::Slow => [one(0.2), one(0.2)],
        Motion::Fast => [one(20.0), one(20.0)],
        Motion::Parallel => [unit * 3.0, unit * -2.0],
        Motion::Inwards => [unit - x, -unit - y].map(|way| way * 0.75),
        Motion::Mixed => match rng.below(4) {
            0 => [0.0; 2],
            1 => [rng.range(-0.2, 0.2) * unit, 0.0],
            2 => [0.0, rng.int(-8, 8) as f32 * unit],
            _ => [rng.range(-40.0, 40.0) * unit, rng.range(-40.0, 40.0) * unit],
        },
    }
}

fn scene(seed: u64, kind: u32, place: Place, motion_of_all: Motion, unit: f32) {
    let what = format!("{seed}, kind {kind}, {place:?}, {motion_of_all:?}, unit {unit:e}");
    let mut rng = Rng::new(seed);
    let count = 14 + rng.below(12) as usize;
    let (mut store, mut shapes, mut moves) = (Shapes::new(), Vec::new(), Vec::new());
    let limit = pow2(60);
    for _ in 0..count {
        let at = center(&mut rng, place, unit).map(|at| at.clamp(-limit, limit));
        let shape = shape(&mut rng, kind, at, unit);
        let by = motion(&mut rng, motion_of_all, at, unit);
        if store.push(&shape).is_err() {
            continue;
        }
        shapes.push(PosedShape::from(shape));
        let inside = [0, 1].iter().all(|axis: &usize| (at[*axis] + by[*axis]).abs() <= limit);
        moves.push(if inside { by } else { [0.0; 2] });
    }
    let mut moves = Moves::new(&moves);
    let flags: Vec<bool> = shapes.iter().map(|_| rng.below(4) == 0).collect();
    let starts = [CastStart::Inward, CastStart::Any, CastStart::Ignored];
    for (start, bullets) in
        starts.into_iter().flat_map(|start| [(start, None), (start, Some(&flags[..]))])
    {
        moves.start = start;
        let what = format!("{what}, {start:?}");
        let expected = all_impacts(&shapes, &moves, bullets);
        check((&store).into(), &moves, bullets, None, &expected, &what);
        let expected = all_impacts_against(&shapes, &moves, bullets, &shapes);
        check((&store).into(), &moves, bullets, Some((&store).into()), &expected, &what);
    }
}

#[test]
fn every_kind_place_and_motion() {
    let mut seed = 0;
    for kind in 0..5 {
        for place in PLACES {
            for motion in MOTIONS {
                seed += 1;
                scene(seed, kind, place, motion, if seed % 2 == 0 { 1.0 } else { 0.3 });
            }
        }
    }
}

#[test]
fn tiny_and_huge() {
    let mut seed = 1000;
    for kind in 0..5 {
        for (number, exponent) in [-140, -75, -70, 50, 58, 59].into_iter().enumerate() {
            // One motion of two, or both motions.
            for round in 0..cases(1).min(2) {
                seed += 1;
                let motion = [Motion::Slow, Motion::Mixed][(kind as usize + number + round) % 2];
                scene(seed, kind, Place::Random, motion, pow2(exponent));
            }
        }
    }
}

/// Two shapes of these kinds that touch, are apart, or overlap, and a direction. Some shapes are
/// far from the origin, where a rounding is a large share of their size.
fn two(rng: &mut Rng, kinds: [u32; 2]) -> ([OwnedShape; 2], [f32; 2]) {
    let unit = pow2(rng.int(-4, 4) as i32);
    let far = unit * [0.0, 1e3, 1e6][rng.below(3) as usize];
    let other = [far + rng.range(-3.0, 3.0) * unit, rng.range(-3.0, 3.0) * unit];
    let shapes = [shape(rng, kinds[0], [far, 0.0], unit), shape(rng, kinds[1], other, unit)];
    let way = match rng.below(4) {
        // Along an axis, at the centre of the other shape, almost beside it, anywhere.
        0 => [rng.int(-4, 4) as f32 * unit, 0.0],
        1 => [other[0] - far, other[1]],
        2 => [-other[1], other[0] - far].map(|part| part * rng.range(0.99, 1.01)),
        _ => [rng.range(-4.0, 4.0) * unit, rng.range(-4.0, 4.0) * unit],
    };
    (shapes, way)
}

/// A detector of each level, on one thread.
fn detectors() -> Vec<Detector> {
    let detector = |level: &SimdLevel| {
        let simd_level = Some(*level);
        let options = Options { simd_level, threads: Threads::Calling, ..Options::default() };
        Detector::with_options(options).unwrap()
    };
    levels().iter().map(detector).collect()
}

/// Checks the impacts of two shapes on all levels.
fn check_two(
    detectors: &mut [Detector],
    store: &Shapes,
    moves: &Moves,
    expected: &[Impact],
    what: &str,
) {
    let displacements = Displacements { x: &moves.dx, y: &moves.dy, ..Displacements::default() };
    for detector in detectors {
        let mut found = Vec::new();
        detector.swept_pairs(store, displacements, &mut found).unwrap();
        assert_impacts(&found, expected, &format!("{what}, {:?}", detector.options()));
    }
}

/// A search for a lost hit: of two shapes, the displacement at which the answer changes, bisected
/// to neighbouring numbers, and its neighbours. One shape moves, or the other, or both shapes.
#[test]
fn where_the_answer_changes() {
    let (mut changes, mut detectors) = (0, detectors());
    for seed in 0..cases(100) as u64 {
        let mut rng = Rng::new(seed + 5000);
        let kinds = [rng.below(4) as u32, rng.below(4) as u32];
        let (shapes, way) = two(&mut rng, kinds);
        let who = rng.below(3);
        let moves = |share: f32| {
            let by = way.map(|part| part * share);
            match who {
                0 => [by, [0.0; 2]],
                1 => [[0.0; 2], by.map(|part| -part)],
                _ => [by.map(|part| part * 0.75), by.map(|part| part * -0.25)],
            }
        };
        let posed = shapes.clone().map(PosedShape::from);
        let hit = |share: f32| {
            let [by, other] = moves(share);
            time_of_impact(&posed[0], by, &posed[1], other, 1.0).unwrap().is_some()
        };
        let (mut low, mut high) = (0.0_f32, 4.0);
        let mut shares = vec![low, high, 1.0];
        if hit(low) != hit(high) {
            while low.next_up() < high {
                let middle = f32::midpoint(low, high);
                let middle = if middle <= low { low.next_up() } else { middle };
                if hit(middle) == hit(low) { low = middle } else { high = middle }
            }
            changes += 1;
            shares.extend([low.next_down().max(0.0), low, high, high.next_up()]);
        }
        let mut store = Shapes::new();
        for shape in &shapes {
            store.push(shape).unwrap();
        }
        for share in shares {
            let moves = Moves::new(&moves(share));
            let what = format!("{seed}, share {share}");
            check_two(&mut detectors, &store, &moves, &all_impacts(&posed, &moves, None), &what);
        }
    }
    assert!(changes > 25, "{changes}");
}

/// The limit of the distance: the second shape is shifted until the first just misses it.
#[test]
fn where_a_shape_is_just_missed() {
    let (mut changes, mut detectors) = (0, detectors());
    for seed in 0..160 {
        let mut rng = Rng::new(seed + 9000);
        let kinds = [rng.below(4) as u32, rng.below(4) as u32];
        let unit = pow2(rng.int(-4, 4) as i32);
        let far = unit * [0.0, 1e3, 1e6][rng.below(3) as usize];
        let (own, other) = (rng.bits(), rng.bits());
        let ahead = rng.range(0.0, 6.0) * unit;
        let by = [rng.range(2.0, 8.0) * unit, [0.0, 1e-4, 0.5][rng.below(3) as usize] * unit];
        let shapes = |beside: f32| {
            [
                shape(&mut Rng::new(own), kinds[0], [far, 0.0], unit),
                shape(&mut Rng::new(other), kinds[1], [far + ahead, beside], unit),
            ]
        };
        let hit = |beside: f32| {
            let [a, b] = shapes(beside).map(PosedShape::from);
            time_of_impact(&a, by, &b, [0.0; 2], 1.0).unwrap().is_some()
        };
        let (mut low, mut high) = (0.0_f32, 8.0 * unit);
        let mut places = vec![low, high];
        if hit(low) && !hit(high) {
            while low.next_up() < high {
                let middle = f32::midpoint(low, high);
                let middle = if middle <= low { low.next_up() } else { middle };
                if hit(middle) { low = middle } else { high = middle }
            }
            changes += 1;
            places.extend([low.next_down().max(0.0), low, high, high.next_up()]);
        }
        for beside in places {
            let shapes = shapes(beside);
            let mut store = Shapes::new();
            for shape in &shapes {
                store.push(shape).unwrap();
            }
            let posed = shapes.map(PosedShape::from);
            let moves = Moves::new(&[by, [0.0; 2]]);
            let what = format!("{seed}, beside {beside}");
            check_two(&mut detectors, &store, &moves, &all_impacts(&posed, &moves, None), &what);
        }
    }
    assert!(changes > 50, "{changes}");
}
