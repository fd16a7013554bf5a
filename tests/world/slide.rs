//! Bodies that are moved by hand: `move_and_slide`.

use widephase::{
    Body, Error, Filter, Handle, Motion, Options, World,
    error::{Fault, Field},
    glam::Vec2,
    narrowphase::distance,
    shape::{
        Aabb, Capsule, Chain, Circle, ConvexPolygon, Obb, OwnedShape, Pose, Rotation, Segment,
        Sides,
    },
    world::{SlideEnd, SlideHit, SlideOptions},
};

use common::{Rng, levels};

const GAP: f32 = 0.01;

fn fixed() -> Body {
    Body { motion: Motion::Static, ..Body::default() }
}

fn slide(world: &World, body: Handle, by: [f32; 2]) -> (SlideEnd, Vec<SlideHit>) {
    let mut hits = Vec::new();
    let end = world.move_and_slide(body, by, &SlideOptions::default(), &mut hits).unwrap();
    (end, hits)
}

fn turned(turn: Rotation, at: [f32; 2]) -> Vec2 {
    turn.apply(at).into()
}

fn back(turn: Rotation, at: Vec2) -> Vec2 {
    Rotation { sin: -turn.sin, ..turn }.apply(at.to_array()).into()
}

/// The shapes of characters, about 1 high, at the origin.
fn characters() -> [OwnedShape; 4] {
    let hexagon = [[0.5, 0.0], [0.25, 0.5], [-0.25, 0.5], [-0.5, 0.0], [-0.25, -0.5], [0.25, -0.5]];
    [
        Circle::new([0.0, 0.0], 0.5).into(),
        Capsule::new([0.0, -0.25], [0.0, 0.25], 0.25).into(),
        Obb::new([0.0, 0.0], [0.25, 0.5], Rotation::IDENTITY).into(),
        ConvexPolygon::new(&hexagon).unwrap().into(),
    ]
}

/// A body of a shape, turned with the ground; a capsule is upright only at its own rotation.
fn character(world: &mut World, shape: &OwnedShape, turn: Rotation, at: Vec2) -> Handle {
    let pose = Pose::new(at, turn);
    let body = world.insert(shape, Body::default()).unwrap();
    let own = world.pose(body).unwrap().rotation();
    let rotation = Rotation::from_angle(own.angle() + turn.angle());
    world.set_pose(body, Pose { cos: rotation.cos, sin: rotation.sin, ..pose }).unwrap();
    body
}

/// The least distance of a body from all other bodies, at a pose.
fn clearance(world: &World, body: Handle, pose: Pose) -> f32 {
    let shape = world.shape(body).unwrap();
    let others = world.handles().filter(|other| *other != body);
    others.fold(f32::INFINITY, |least, other| {
        let (other, at) = (world.shape(other).unwrap(), world.pose(other).unwrap());
        least.min(distance((&shape, pose), (&other, at)).unwrap())
    })
}

/// A ground from x = -5 to x = 105 with slopes of up to 0.8, in the directions of `turn`.
fn ground(world: &mut World, kind: u64, turn: Rotation, rng: &mut Rng) {
    let at = |x: f32, y: f32| turned(turn, [x, y]);
    let mut line = vec![[-5.0, 0.0]];
    while line[line.len() - 1][0] < 105.0 {
        let [x, y] = line[line.len() - 1];
        let step = [0.1, 0.5, 1.0, 3.0][rng.below(4) as usize];
        let slope = if rng.below(3) == 0 { 0.0 } else { rng.range(-0.8, 0.8) };
        line.push([x + step, y + step * slope]);
    }
    let line: Vec<[f32; 2]> = line.iter().map(|[x, y]| at(*x, *y).to_array()).collect();
    match kind {
        0 => {
            let chain = Chain::open(&line).unwrap().with_sides(Sides::Left);
            for segment in chain.segments() {
                world.insert(segment, fixed()).unwrap();
            }
        }
        1 => {
            for ends in line.windows(2) {
                world.insert(Segment::new(ends[0], ends[1]), fixed()).unwrap();
            }
        }
        _ => {
            for x in -5..105 {
                let center = at(x as f32 + 0.5, -0.5).to_array();
                let tile = Obb::new(center, [0.5, 0.5], turn);
                world.insert(tile, fixed()).unwrap();
            }
        }
    }
}

/// Characters that walk over chains, segments and tiles in any direction never stop and never sink
/// in.
#[test]
fn they_never_stick_and_never_sink() {
    for (seed, kind) in (0..15).map(|seed| (seed, seed % 3)) {
        let mut rng = Rng::new(seed);
        let turn = if seed < 6 { 0.0 } else { rng.range(-3.0, 3.0) };
        let turn = Rotation::from_angle(turn);
        let up = turned(turn, [0.0, 1.0]);
        let options = SlideOptions { up: up.to_array(), snap: 0.1, ..SlideOptions::default() };
        for (number, shape) in characters().iter().enumerate() {
            let mut world = World::new();
            ground(&mut world, kind, turn, &mut Rng::new(seed));
            let body = character(&mut world, shape, turn, turned(turn, [0.0, 6.0]));
            let (mut hits, mut last) = (vec![], 0.0);
            let what = format!("seed {seed}, kind {kind}, shape {number}");
            // It falls to the ground first.
            for step in 0..1500 {
                let walk = if step < 140 { 0.0 } else { 0.06 };
                let by = turned(turn, [walk, -0.1]);
                let end = world.move_and_slide(body, by, &options, &mut hits).unwrap();
                world.set_pose(body, end.pose).unwrap();
                let here = back(turn, end.pose.position());
                if step > 140 {
                    assert!(end.ground.is_some(), "{what}, step {step}: in the air at {here}");
                    // Turned tiles are not quite flush: their corners are rounded.
                    let least = if kind == 2 { 0.059 } else { 0.06 / 1.7 };
                    let moved = here.x - last;
                    assert!(moved >= least, "{what}, step {step}: moved {moved} at {here}");
                    assert!(moved <= 0.0601, "{what}, step {step}: moved {moved} at {here}");
                }
                last = here.x;
                if step % 8 == 0 {
                    let near = clearance(&world, body, end.pose);
                    assert!(near > 0.45 * GAP, "{what}, step {step}: {near} from the ground");
                }
            }
        }
    }
}

/// Any motions in a room with obstacles: nobody leaves it, and nobody sinks in.
#[test]
fn nobody_leaves_a_room() {
    for seed in 0..12 {
        let mut rng = Rng::new(100 + seed);
        let mut world = World::new();
        let turn = Rotation::from_angle(rng.range(-1.0, 1.0));
        for (at, half) in [
            ([0.0, -6.0], [7.0, 1.0]),
            ([0.0, 6.0], [7.0, 1.0]),
            ([-6.0, 0.0], [1.0, 7.0]),
            ([6.0, 0.0], [1.0, 7.0]),
        ] {
            let center = turned(turn, at).to_array();
            world.insert(Obb::new(center, half, turn), fixed()).unwrap();
        }
        for shape in &characters() {
            let at = Vec2::new(rng.range(-4.0, 4.0), rng.range(-4.0, 4.0));
            let obstacle = world.insert(shape, fixed()).unwrap();
            let own = world.pose(obstacle).unwrap();
            world.set_pose(obstacle, Pose { x: at.x, y: at.y, ..own }).unwrap();
        }
        for shape in &characters() {
            let body = character(&mut world, shape, Rotation::IDENTITY, Vec2::ZERO);
            let free = |pose| clearance(&world, body, pose) > GAP;
            let mut tries =
                std::iter::repeat_with(|| Vec2::new(rng.range(-4.0, 4.0), rng.range(-4.0, 4.0)));
            let own = world.pose(body).unwrap();
            let place = |at: Vec2| Pose { x: at.x, y: at.y, ..own };
            let start = tries.find(|at| free(place(*at))).unwrap();
            world.set_pose(body, place(start)).unwrap();
            for step in 0..1500 {
                let size = [0.01, 0.3, 2.0, 40.0][rng.below(4) as usize];
                let by = [rng.range(-size, size), rng.range(-size, size)];
                let before = world.pose(body).unwrap().position();
                let (end, _) = slide(&world, body, by);
                world.set_pose(body, end.pose).unwrap();
                let here = end.pose.position();
                let inside = back(turn, here).abs().max_element() < 5.0;
                assert!(inside, "seed {seed}, step {step}: at {here}");
                let way = (here - before).length();
                let most = Vec2::from(by).length() * 1.0001 + GAP;
                assert!(way <= most, "seed {seed}, step {step}: {way} by {by:?}");
                let near = clearance(&world, body, end.pose);
                assert!(near > 0.45 * GAP, "seed {seed}, step {step}: {near} at {here}");
            }
            world.remove(body).unwrap();
        }
    }
}

/// The same bits on every level.
#[test]
fn slides_are_the_same_on_every_level() {
    let mut ends: Vec<Vec<u32>> = Vec::new();
    for level in levels() {
        let options = Options { simd_level: Some(*level), ..Options::default() };
        let mut world = World::with_options(options).unwrap();
        ground(&mut world, 1, Rotation::IDENTITY, &mut Rng::new(5));
        let body = character(&mut world, &characters()[3], Rotation::IDENTITY, Vec2::new(0.0, 3.0));
        let mut poses = Vec::new();
        for _ in 0..300 {
            let (end, hits) = slide(&world, body, [0.07, -0.1]);
            world.set_pose(body, end.pose).unwrap();
            poses.extend([end.pose.x.to_bits(), end.pose.y.to_bits(), hits.len() as u32]);
        }
        ends.push(poses);
    }
    assert!(ends.iter().all(|poses| *poses == ends[0]));
}

fn hero(world: &mut World, at: [f32; 2]) -> Handle {
    world.insert(Circle::new(at, 0.5), Body::default()).unwrap()
}

/// A plane with a slope, below the origin.
fn slope(world: &mut World, slope: f32) {
    let ends = [[-50.0, -50.0 * slope], [50.0, 50.0 * slope]];
    world.insert(Segment::new(ends[0], ends[1]), fixed()).unwrap();
}

#[test]
fn gentle_ground_holds_and_steep_ground_does_not() {
    for (rise, holds) in [(0.5_f32, true), (0.99, true), (1.01, false), (4.0, false)] {
        let mut world = World::new();
        slope(&mut world, rise);
        // The distance from the plane is the gap.
        let normal = Vec2::new(-rise, 1.0).normalize();
        let at = normal * (0.5 + GAP * 1.001);
        let body = hero(&mut world, at.to_array());
        let (end, hits) = slide(&world, body, [0.0, -0.2]);
        let moved = end.pose.position() - at;
        assert_eq!((hits[0].ground, end.ground.is_some()), (holds, holds), "{rise}");
        if holds {
            assert!(moved.length() < 1e-4, "{rise}: {moved}");
        } else {
            assert!(moved.y < -0.05 && moved.x < 0.0, "{rise}: {moved}");
        }
        // Up the slope: as far as by hand on gentle ground, and not at all on steep ground.
        let (end, _) = slide(&world, body, [0.2, 0.0]);
        let moved = end.pose.position() - at;
        if holds {
            assert!((moved.length() - 0.2).abs() < 1e-3 && moved.y > 0.0, "{rise}: {moved}");
            assert!((moved.y / moved.x - rise).abs() < 1e-2, "{rise}: {moved}");
        } else {
            assert!(moved.y < 1e-4 && moved.x < 1e-3, "{rise}: {moved}");
        }
    }
}

#[test]
fn snap_follows_the_ground_down() {
    let mut world = World::new();
    slope(&mut world, -0.5);
    let normal = Vec2::new(0.5, 1.0).normalize();
    let body = hero(&mut world, (normal * (0.5 + GAP)).to_array());
    let mut hits = Vec::new();
    for (snap, down) in [(0.0, false), (0.3, true), (0.05, false)] {
        let options = SlideOptions { snap, ..SlideOptions::default() };
        let end = world.move_and_slide(body, [0.4, 0.0], &options, &mut hits).unwrap();
        let near = clearance(&world, body, end.pose);
        assert_eq!((near < 1.01 * GAP, end.ground.is_some()), (down, down), "snap {snap}: {near}");
        // A jump is not snapped back.
        let end = world.move_and_slide(body, [0.0, 0.05], &options, &mut hits).unwrap();
        assert!(end.pose.y - world.pose(body).unwrap().y > 0.049 && end.ground.is_none());
    }
}

/// A platform with one side: through it from below, and on it from above.
#[test]
fn one_way_platforms() {
    let mut world = World::new();
    let chain =
        Chain::open(&[[-5.0, 2.0], [0.0, 2.0], [5.0, 2.0]]).unwrap().with_sides(Sides::Left);
    for segment in chain.segments() {
        world.insert(segment, fixed()).unwrap();
    }
    let body = hero(&mut world, [0.3, 0.0]);
    let (end, hits) = slide(&world, body, [0.0, 4.0]);
    assert_eq!((hits.len(), end.pose.y), (0, 4.0));
    world.set_pose(body, end.pose).unwrap();
    let (end, hits) = slide(&world, body, [0.5, -4.0]);
    assert!((end.pose.y - 2.5 - GAP).abs() < 1e-5, "{end:?}");
    assert!(hits[0].ground && end.ground == Some(hits[0]));
    // Half way through it, it goes on up, and down again.
    for by in [0.7, -0.7] {
        world.set_pose(body, Pose::at([0.3, 1.9])).unwrap();
        let (end, _) = slide(&world, body, [0.0, by]);
        assert!((end.pose.y - 1.9 - by).abs() < 1e-6, "{end:?}");
    }
}

#[test]
fn filters_sensors_and_the_body_itself_are_no_obstacles() {
    let mut world = World::new();
    let sensor = Body { filter: Filter::ALL.sensing(), ..fixed() };
    world.insert(Aabb::new([1.0, -1.0], [2.0, 1.0]), sensor).unwrap();
    let friend = Body { filter: Filter::ALL.in_group(-1), ..fixed() };
    world.insert(Aabb::new([3.0, -1.0], [4.0, 1.0]), friend).unwrap();
    let wall = Body { user: 7, ..fixed() };
    let wall = world.insert(Aabb::new([9.0, -1.0], [10.0, 1.0]), wall).unwrap();
    let body = Body { filter: Filter::ALL.in_group(-1), ..Body::default() };
    let body = world.insert(Circle::new([0.0, 0.0], 0.5), body).unwrap();
    let (end, hits) = slide(&world, body, [20.0, 0.0]);
    assert!((end.pose.x - 8.49).abs() < 1e-5, "{end:?}");
    assert_eq!((hits.len(), hits[0].body, hits[0].user, hits[0].ground), (1, wall, 7, false));
    assert_eq!((hits[0].hit.normal_x, end.ground), (-1.0, None));
}

/// A shape that has moved into the body pushes it out.
#[test]
fn a_lift_pushes() {
    let mut world = World::new();
    let lift = world.insert(Aabb::new([-2.0, -1.0], [2.0, 0.0]), Body::default()).unwrap();
    let body = hero(&mut world, [0.0, 0.5 + GAP]);
    for step in 1..100 {
        let y = -0.5 + 0.1 * step as f32;
        world.set_pose(lift, Pose::at([0.0, y])).unwrap();
        let (end, _) = slide(&world, body, [0.0, -0.01]);
        world.set_pose(body, end.pose).unwrap();
        assert!((end.pose.y - y - 0.5 - 0.5 - GAP).abs() < 1e-4, "{step}: {end:?}");
        assert!(end.ground.is_some_and(|ground| ground.body == lift));
    }
}

#[test]
fn options_and_displacements_are_checked() {
    let mut world = World::new();
    let body = hero(&mut world, [0.0, 0.0]);
    let mut hits = Vec::new();
    let mut refused = |by: [f32; 2], options: SlideOptions| {
        world.move_and_slide(body, by, &options, &mut hits).unwrap_err()
    };
    let query = |field, value, fault| Error::InvalidQuery { index: 0, field, value, fault };
    let options = SlideOptions::default();
    let infinite = query(Field::Dy, f32::INFINITY, Fault::Infinite);
    assert_eq!(refused([0.0, f32::INFINITY], options), infinite);
    let negative = query(Field::Gap, -1.0, Fault::Negative);
    assert_eq!(refused([0.0; 2], SlideOptions { gap: -1.0, ..options }), negative);
    let negative = query(Field::MaxSlope, -1.0, Fault::Negative);
    assert_eq!(refused([0.0; 2], SlideOptions { max_slope: -1.0, ..options }), negative);
    let infinite = query(Field::Snap, f32::INFINITY, Fault::Infinite);
    assert_eq!(refused([0.0; 2], SlideOptions { snap: f32::INFINITY, ..options }), infinite);
    let long = query(Field::Up, 0.0, Fault::NotUnit { length: 2.0 });
    assert_eq!(refused([0.0; 2], SlideOptions { up: [0.0, 2.0], ..options }), long);
    let none = SlideOptions { up: [f32::NAN, 0.0], ..options };
    assert!(matches!(refused([0.0; 2], none), Error::InvalidQuery { field: Field::Up, .. }));
    world.remove(body).unwrap();
    let stale = world.move_and_slide(body, [0.0; 2], &options, &mut hits).unwrap_err();
    assert_eq!(stale, Error::StaleHandle { handle: body });
}

/// In a wedge, the body stops at once, and does not go to and fro between both sides.
#[test]
fn a_wedge_ends_the_way() {
    let mut world = World::new();
    world.insert(Segment::new([-9.0, 0.0], [9.0, 0.0]), fixed()).unwrap();
    world.insert(Segment::new([0.0, 3.0], [6.0, 0.0]), fixed()).unwrap();
    let body = hero(&mut world, [0.0, 0.5 + GAP]);
    let (end, hits) = slide(&world, body, [10.0, 0.0]);
    assert!(hits.len() <= 3, "{hits:?}");
    assert!(end.pose.x > 1.0 && clearance(&world, body, end.pose) > 0.9 * GAP, "{end:?}");
}
