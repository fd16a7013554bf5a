//! A heap of circles and boxes in a pit: the solver of `examples/stack.rs` on a `World`, warm
//! started by the values that the world keeps with each contact point.

use widephase::{
    Body, Error, Handle, Motion, Options, Pair, World,
    glam::{Vec2, Vec3},
    shape::{Circle, Obb, Pose, Rotation},
};

const STEP: f32 = 1.0 / 60.0;
/// Iterations of the solver before the bodies move, and after it.
const ITERATIONS: [usize; 2] = [8, 4];
const GRAVITY: f32 = 10.0;
const FRICTION: f32 = 0.5;
/// The overlap that stays, which keeps contacts. A step removes the share `PUSH` of any further
/// overlap, but not faster than `PUSH_SPEED`.
const SLOP: f32 = 0.01;
const PUSH: f32 = 0.2;
const PUSH_SPEED: f32 = 2.0;

/// The bodies of a row, the distances of columns and rows, and half the width of the pit.
const ROW: usize = 400;
const PITCH: [f32; 2] = [1.25, 1.015625];
const PIT: f32 = 0.5 * (ROW as f32 + 0.5) * PITCH[0];
/// No two bodies, which are 1 wide, overlap by more.
const MOST_DEPTH: f32 = 0.15;

/// The dynamics of a body. Each vector has an x, a y and an angle: the speed, and the inverses of
/// mass, mass and moment of inertia. Bodies that do not move have zeros.
#[derive(Clone, Copy)]
struct Dynamics {
    speed: Vec3,
    inverse: Vec3,
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

/// What there is to say about a heap after a step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Report {
    /// The kinetic energy, and its sum with that of the heights.
    pub(crate) kinetic: f64,
    pub(crate) energy: f64,
    /// The deepest overlap of two bodies at the start of the step.
    pub(crate) depth: f32,
    /// The number of bodies whose centre is below the floor or beyond a wall.
    pub(crate) lost: usize,
}

impl Report {
    /// Whether nothing has tunnelled, no overlap is too deep, and no energy came from nowhere.
    pub(crate) fn is_sound(&self, start: &Self) -> bool {
        self.lost == 0 && self.depth <= MOST_DEPTH && self.energy <= start.energy
    }
}

pub(crate) struct Heap {
    pub(crate) world: World,
    /// By row. The pit is in the first three.
    dynamics: Vec<Dynamics>,
    /// The bodies that move.
    handles: Vec<Handle>,
    poses: Vec<Pose>,
}

impl Heap {
    /// A pit, and rows of circles and boxes above its floor.
    pub(crate) fn new(count: usize, options: Options) -> Result<Self, Error> {
        let mut world = World::with_options(options)?;
        let mut dynamics = vec![];
        for (at, half) in [
            ([0.0, -5.0], [PIT + 10.0, 5.0]),
            ([-PIT - 5.0, 50.0], [5.0, 50.0]),
            ([PIT + 5.0, 50.0], [5.0, 50.0]),
        ] {
            let body = Body { motion: Motion::Static, ..Body::default() };
            world.insert(Obb::new(at, half, Rotation::IDENTITY), body)?;
            dynamics.push(Dynamics { speed: Vec3::ZERO, inverse: Vec3::ZERO });
        }
        let (mut handles, mut poses) = (vec![], vec![]);
        for i in 0..count {
            let [column, row] = [i % ROW, i / ROW];
            // Every other row begins half a column later, so that nothing is in balance.
            let x = (column as f32 + 0.5 + 0.5 * (row % 2) as f32) * PITCH[0] - PIT;
            let at = [x, (row as f32 + 0.5) * PITCH[1]];
            let (handle, inertia) = if (column + row / 2).is_multiple_of(2) {
                let square = Obb::new(at, [0.5; 2], Rotation::IDENTITY);
                (world.insert(square, Body::default())?, 6.0)
            } else {
                (world.insert(Circle::new(at, 0.5), Body::default())?, 8.0)
            };
            dynamics.push(Dynamics { speed: Vec3::ZERO, inverse: Vec3::new(1.0, 1.0, inertia) });
            handles.push(handle);
            poses.push(Pose::at(at));
        }
        Ok(Self { world, dynamics, handles, poses })
    }

    pub(crate) fn step(&mut self) -> Result<Report, Error> {
        self.world.step()?;
        self.solve();
        self.world.set_poses(&self.handles, &self.poses)?;
        Ok(self.report())
    }

    /// Moves the bodies, by the contacts of the last step of the world.
    fn solve(&mut self) {
        let Self { world, dynamics, handles, poses } = self;
        let mut centers = vec![Vec2::ZERO; dynamics.len()];
        for (handle, pose) in handles.iter().zip(&*poses) {
            let row = handle.row() as usize;
            centers[row] = pose.position();
            dynamics[row].speed.y -= GRAVITY * STEP;
        }
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
        for (handle, pose) in handles.iter().zip(poses) {
            let speed = dynamics[handle.row() as usize].speed;
            let at = pose.position() + speed.truncate() * STEP;
            *pose = Pose::new(at, turned(pose.rotation(), speed.z * STEP));
        }
        // Takes the speed of the pushes out again, so that they leave no energy.
        iterate(dynamics, ITERATIONS[1], 0.0);
        for (value, _, push, rub) in points {
            *value = [push.sum, rub.sum];
        }
    }

    pub(crate) fn report(&self) -> Report {
        let contacts = self.world.last_step().contacts();
        let depth = contacts.iter().fold(0.0, |depth, contact| contact.depth.max(depth));
        let mut report = Report { kinetic: 0.0, energy: 0.0, depth, lost: 0 };
        for (handle, pose) in self.handles.iter().zip(&self.poses) {
            let Dynamics { speed, inverse } = self.dynamics[handle.row() as usize];
            let kinetic = f64::from(0.5 * speed.dot(speed / inverse));
            report.kinetic += kinetic;
            report.energy += kinetic + f64::from(GRAVITY * pose.y);
            report.lost += usize::from(pose.y < 0.0 || pose.x.abs() > PIT);
        }
        report
    }
}

/// A rotation and a small angle more, along the tangent: sines may differ from machine to machine.
fn turned(Rotation { cos, sin }: Rotation, angle: f32) -> Rotation {
    let (cos, sin) = (cos - sin * angle, sin + cos * angle);
    let length = (cos * cos + sin * sin).sqrt();
    Rotation { cos: cos / length, sin: sin / length }
}
