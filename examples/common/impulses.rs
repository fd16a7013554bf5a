//! Sequential impulses (Catto 2006) at contact points: the code that the solvers of the examples
//! share.

use widephase::{
    Pair,
    glam::{Vec2, Vec3},
};

pub(crate) const STEP: f32 = 1.0 / 60.0;
const FRICTION: f32 = 0.5;

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

/// A contact point.
pub(crate) struct Impulses {
    /// The speed at which the bodies shall part.
    away: f32,
    push: Axis,
    rub: Axis,
}

impl Impulses {
    /// The impulses at a point of a pair, at these arms from the centres of its bodies. Applies the
    /// impulses that are known from the last step: along the normal, and perpendicular to it.
    pub(crate) fn new(
        dynamics: &mut [Dynamics],
        pair: Pair,
        arms: [Vec2; 2],
        normal: Vec2,
        [push, rub]: [f32; 2],
        away: f32,
    ) -> Self {
        let push = Axis::new(dynamics, pair, arms, normal, push);
        let rub = Axis::new(dynamics, pair, arms, normal.perp(), rub);
        Self { away, push, rub }
    }

    /// Corrects the speeds of the bodies. They part at a share of the speed at which they shall.
    pub(crate) fn solve(&mut self, dynamics: &mut [Dynamics], share: f32) {
        let Self { away, push, rub } = self;
        rub.solve(dynamics, 0.0, [-FRICTION * push.sum, FRICTION * push.sum]);
        push.solve(dynamics, share * *away, [0.0, f32::MAX]);
    }

    /// The sums of impulses: along the normal, and perpendicular to it.
    pub(crate) fn sums(&self) -> [f32; 2] {
        [self.push.sum, self.rub.sum]
    }
}
