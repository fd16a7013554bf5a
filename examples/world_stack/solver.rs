//! A solver of contacts, that of `examples/stack.rs` on a `World`, warm started by the values that
//! the world keeps with each contact point.

use widephase::{
    Pair, World,
    glam::{Vec2, Vec3},
    shape::Rotation,
};

pub(crate) const STEP: f32 = 1.0 / 60.0;
/// Iterations of the solver before the bodies move, and after it.
const ITERATIONS: [usize; 2] = [8, 4];
const FRICTION: f32 = 0.5;
/// The overlap that stays, which keeps contacts. A step removes the share `PUSH` of any further
/// overlap, but not faster than `PUSH_SPEED`.
const SLOP: f32 = 0.01;
const PUSH: f32 = 0.2;
const PUSH_SPEED: f32 = 2.0;

/// The dynamics of a body. Each vector has an x, a y and an angle: the speed, and the inverses of
/// mass, mass and moment of inertia. Bodies that do not move have zeros.
#[derive(Clone, Copy)]
pub(crate) struct Dynamics {
    pub(crate) speed: Vec3,
    pub(crate) inverse: Vec3,
}

/// The direction of a normal or friction impulse at a contact point: the effect of a unit impulse
/// on each body, the impulse that changes their relative speed by 1, and the sum of impulses.
struct Axis {
    rows: [usize; 2],
    levers: [Vec3; 2],
    mass: f32,
    sum: f32,
}

impl Axis {
    fn new(dynamics: &mut [Dynamics], pair: Pair, arms: [Vec2; 2], way: Vec2, sum: f32) -> Self {
        let rows = [pair.a as usize, pair.b as usize];
        let [a, b] = arms.map(|arm| way.extend(arm.perp_dot(way)));
        let give = |i: usize, lever: Vec3| lever.dot(lever * dynamics[rows[i]].inverse);
        let axis = Self { rows, levers: [-a, b], mass: 1.0 / (give(0, a) + give(1, b)), sum };
        axis.apply(dynamics, sum);
        axis
    }

    fn apply(&self, dynamics: &mut [Dynamics], impulse: f32) {
        for (row, lever) in self.rows.into_iter().zip(self.levers) {
            let body = &mut dynamics[row];
            body.speed += lever * body.inverse * impulse;
        }
    }

    /// Changes the relative speed to a target, within the bounds of the sum.
    fn solve(&mut self, dynamics: &mut [Dynamics], target: f32, [least, most]: [f32; 2]) {
        let speed = |i: usize| dynamics[self.rows[i]].speed.dot(self.levers[i]);
        let sum = (self.sum + (target - speed(0) - speed(1)) * self.mass).clamp(least, most);
        self.apply(dynamics, sum - self.sum);
        self.sum = sum;
    }
}

/// Changes the speeds of the bodies by the contacts of the last step of the world, and moves them.
/// `dynamics` and `centers` are those of all rows; `go` moves the bodies by their speeds.
pub(crate) fn solve(
    world: &mut World,
    dynamics: &mut [Dynamics],
    centers: &[Vec2],
    go: impl FnOnce(&[Dynamics]),
) {
    let (contacts, values) = world.contacts_mut();
    let mut points = vec![];
    for (contact, values) in contacts.iter().zip(values) {
        let (pair, normal) = (contact.pair, contact.normal());
        for (point, value) in contact.points().iter().zip(values) {
            let [push, rub] = *value;
            let arms = [pair.a, pair.b].map(|row| point.position() - centers[row as usize]);
            let push = Axis::new(dynamics, pair, arms, normal, push);
            let rub = Axis::new(dynamics, pair, arms, normal.perp(), rub);
            let away = (PUSH * (point.depth - SLOP).max(0.0) / STEP).min(PUSH_SPEED);
            points.push((value, away, push, rub));
        }
    }
    let mut iterate = |dynamics: &mut [Dynamics], iterations, share| {
        for _ in 0..iterations {
            for (_, away, push, rub) in &mut points {
                rub.solve(dynamics, 0.0, [-FRICTION * push.sum, FRICTION * push.sum]);
                push.solve(dynamics, share * *away, [0.0, f32::MAX]);
            }
        }
    };
    iterate(dynamics, ITERATIONS[0], 1.0);
    go(dynamics);
    // Takes the speed of the pushes out again, so that they leave no energy.
    iterate(dynamics, ITERATIONS[1], 0.0);
    for (value, _, push, rub) in points {
        *value = [push.sum, rub.sum];
    }
}

/// A rotation and a small angle more, along the tangent: sines may differ from machine to machine.
pub(crate) fn turned(Rotation { cos, sin }: Rotation, angle: f32) -> Rotation {
    let (cos, sin) = (cos - sin * angle, sin + cos * angle);
    let length = (cos * cos + sin * sin).sqrt();
    Rotation { cos: cos / length, sin: sin / length }
}
