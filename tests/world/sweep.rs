//! Bodies that move during a step: `sweep`.

use widephase::{
    Body, Error, Filter, Handle, Motion, World,
    error::Field,
    narrowphase::time_of_impact,
    shape::{Aabb, Chain, Circle, Pose, Sides},
    world::BodyImpact,
};

use crate::insert_at;
use common::{
    Rng,
    crowd::{Crowd, Make, Numbers},
};

/// The first impact of a body, by the times of impact with all other bodies.
fn naive(world: &World, body: Handle, bodies: &[Handle], by: &[[f32; 2]]) -> Option<BodyImpact> {
    let way = |of: Handle| {
        let place = bodies.iter().rposition(|body| *body == of);
        place.map_or([0.0; 2], |place| by[place])
    };
    let posed = |of: Handle| (world.shape(of).unwrap(), world.pose(of).unwrap());
    let mut first: Option<BodyImpact> = None;
    for other in world.handles().filter(|other| *other != body) {
        let both = [body, other].map(|body| world.body(body).unwrap());
        let filters = both.map(|body| body.filter);
        let meet = both[0].space == both[1].space && filters[0].meets(&filters[1]);
        if !meet || filters.iter().any(|filter| filter.sensor) {
            continue;
        }
        // The time of impact names its shapes in the order of their rows.
        let swap = other.row() < body.row();
        let [a, b] = if swap { [other, body] } else { [body, other] };
        let ((a, pose_a), (b, pose_b), ways) = (posed(a), posed(b), [a, b].map(way));
        let hit = time_of_impact((&a, pose_a), ways[0], (&b, pose_b), ways[1], 1.0).unwrap();
        let Some(hit) = hit else { continue };
        if first.is_some_and(|first| first.fraction <= hit.fraction) {
            continue;
        }
        let sign = if swap { -1.0 } else { 1.0 };
        let (normal_x, normal_y) = (hit.normal_x * sign + 0.0, hit.normal_y * sign + 0.0);
        let ([x, y], [other_x, other_y]) = (way(body), way(other));
        let speed = -((x - other_x) * normal_x + (y - other_y) * normal_y);
        first = Some(BodyImpact {
            body,
            other,
            user: world.body(other).unwrap().user,
            fraction: hit.fraction,
            x: hit.x,
            y: hit.y,
            normal_x,
            normal_y,
            speed: speed.max(0.0),
        });
    }
    first
}

/// Whether two impacts are the same within the roundings of poses: a store places a shape by its
/// pose once, and two shapes alone are placed at each call.
fn alike(found: &BodyImpact, expected: &BodyImpact) -> bool {
    let numbers =
        |hit: &BodyImpact| [hit.fraction, hit.x, hit.y, hit.normal_x, hit.normal_y, hit.speed];
    let near = |(a, b): (f32, f32)| (a - b).abs() <= 1e-4 * a.abs().max(1.0);
    (found.body, found.other, found.user) == (expected.body, expected.other, expected.user)
        && numbers(found).into_iter().zip(numbers(expected)).all(near)
}

/// Asserts that an impact is the first impact of a body in a sweep of these bodies.
pub(crate) fn check(
    world: &World,
    body: Handle,
    impact: &Option<BodyImpact>,
    bodies: &[Handle],
    by: &[[f32; 2]],
    what: &str,
) {
    let expected = naive(world, body, bodies, by);
    // Whether two touch at the start is decided within roundings.
    let at_start = |impact: &Option<BodyImpact>| impact.is_some_and(|it| it.fraction < 1e-4);
    if at_start(impact) != at_start(&expected) {
        return;
    }
    let same = match (impact, &expected) {
        (Some(impact), Some(expected)) => alike(impact, expected),
        (impact, expected) => impact == expected,
    };
    assert!(same, "{what}, {body:?}: {impact:?}, expected {expected:?}");
}

/// Any bodies, some of which move: the first impacts are the impacts of each two bodies alone.
#[test]
fn the_first_impact_of_any_bodies() {
    let mut found = 0;
    for seed in 0..60 {
        let mut rng = Rng::new(seed);
        let (makes, numbers) = (Make::ALL.to_vec(), Numbers::ALL[seed as usize % 4]);
        let crowd = Crowd { seed, count: 30, makes, numbers, unit: 0, far: 0, flat: false };
        let mut world = World::new();
        let mut handles = Vec::new();
        for solid in crowd.solids() {
            let filter = match rng.below(4) {
                0 => Filter::ALL.sensing(),
                1 => Filter::ALL.in_group(-1),
                _ => Filter::ALL,
            };
            let motion = [Motion::Moving, Motion::Static][rng.below(2) as usize];
            let body =
                Body { pose: solid.pose, motion, filter, user: rng.below(99), ..Body::default() };
            handles.push(insert_at(&mut world, &solid.shape, body));
        }
        world.remove(handles.remove(3)).unwrap();
        let bodies: Vec<Handle> =
            (0..12).map(|_| handles[rng.below(handles.len() as u64) as usize]).collect();
        let by: Vec<[f32; 2]> =
            bodies.iter().map(|_| [rng.range(-9.0, 9.0), rng.range(-9.0, 9.0)]).collect();
        let mut impacts = Vec::new();
        world.sweep(&bodies, &by, &mut impacts).unwrap();
        assert_eq!(impacts.len(), bodies.len());
        for (body, impact) in bodies.iter().zip(&impacts) {
            check(&world, *body, impact, &bodies, &by, &format!("seed {seed}"));
            found += usize::from(impact.is_some());
        }
    }
    assert!(found > 200, "{found}");
}

/// A body that flies against a platform with one side is stopped only from above.
#[test]
fn one_way_rules() {
    let mut world = World::new();
    let chain = Chain::open(&[[-5.0, 2.0], [5.0, 2.0]]).unwrap().with_sides(Sides::Left);
    let platform = chain.segments().next().unwrap();
    let platform = world.insert(platform, Body::default()).unwrap();
    let body = world.insert(Circle::new([0.0, 0.0], 0.5), Body::default()).unwrap();
    let mut impacts = Vec::new();
    world.sweep(&[body], &[[0.0, 5.0]], &mut impacts).unwrap();
    assert_eq!(impacts, [None]);
    world.set_pose(body, Pose::at([0.0, 4.5])).unwrap();
    world.sweep(&[body], &[[0.0, -4.0]], &mut impacts).unwrap();
    let hit = impacts[0].unwrap();
    assert_eq!((hit.other, hit.fraction, hit.normal_y, hit.speed), (platform, 0.5, 1.0, 4.0));
    // Nothing is moved.
    assert_eq!(world.pose(body).unwrap().y, 4.5);
}

#[test]
fn wrong_input_is_refused() {
    let mut world = World::new();
    let body = world.insert(Circle::new([0.0, 0.0], 0.5), Body::default()).unwrap();
    let wall = world.insert(Aabb::new([2.0, -1.0], [3.0, 1.0]), Body::default()).unwrap();
    let mut impacts = vec![None; 7];
    let error = world.sweep(&[body], &[], &mut impacts).unwrap_err();
    assert_eq!(error, Error::UnequalColumns { field: Field::Dx, len: 0, expected: 1 });
    assert!(impacts.is_empty());
    let error = world.sweep(&[body], &[[f32::NAN, 0.0]], &mut impacts).unwrap_err();
    assert!(matches!(error, Error::InvalidShape { index: 0, field: Field::Dx, .. }), "{error}");
    let error = world.sweep(&[wall, body], &[[0.0; 2], [0.0, f32::INFINITY]], &mut impacts);
    let error = error.unwrap_err();
    assert!(matches!(error, Error::InvalidShape { index: 1, field: Field::Dy, .. }), "{error}");
    let error = world.sweep(&[wall, body], &[[f32::NAN; 2], [0.0; 2]], &mut impacts);
    let error = error.unwrap_err();
    assert!(matches!(error, Error::InvalidShape { index: 0, field: Field::Dx, .. }), "{error}");
    // Listed twice: the last displacement counts.
    world.sweep(&[body, body], &[[0.0, 9.0], [9.0, 0.0]], &mut impacts).unwrap();
    assert!(impacts.iter().all(|hit| hit.is_some_and(|hit| hit.other == wall)));
    world.remove(wall).unwrap();
    let error = world.sweep(&[body, wall], &[[0.0; 2]; 2], &mut impacts).unwrap_err();
    assert_eq!(error, Error::StaleHandle { handle: wall });
    world.sweep(&[], &[], &mut impacts).unwrap();
    assert!(impacts.is_empty());
}
