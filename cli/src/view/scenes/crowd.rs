//! Crowd: agents that walk to the other side and keep apart, as in `examples/crowd.rs`; the
//! contacts of the world are the neighbours.

use fastrand::Rng;
use widephase::{
    Error, Handle, Options,
    glam::Vec2,
    shape::{Circle, OwnedShape},
};

use super::{
    bodies::{Bodies, of_bodies},
    gas::{direction, side},
    scene::{Input, Scene},
    solver::STEP,
};
use crate::view::frame::Area;

/// The radius of the circle that an agent keeps for itself, and the distance of two at the start.
const RADIUS: f32 = 0.4;
const PITCH: f32 = 1.8;

/// The pace of an agent, in units of length per second.
const SPEED: f32 = 3.0;

/// The share of an overlap that two agents step apart, and how far to the right of that.
const PUSH: f32 = 0.8;
const ASIDE: f32 = 0.7;

/// An agent this near to its goal turns back.
const NEAR: f32 = 1.0;

/// The two crowds, by where an agent starts.
pub(super) const GROUPS: [&str; 2] = ["from the left", "from the right"];

/// Agents that walk to and fro.
pub(super) struct Crowd {
    bodies: Bodies,
    /// By row.
    goals: Vec<Vec2>,
    groups: Vec<u8>,
    half: f32,
}

impl Crowd {
    /// `n` agents. Each walks to the same place on the other side, and back.
    pub(super) fn new(n: u32, seed: u64, options: Options) -> Result<Self, Error> {
        let columns = side(n);
        let half = columns as f32 * PITCH / 2.0;
        let (bodies, goals, groups) = (Bodies::new(options)?, Vec::new(), Vec::new());
        let (mut crowd, mut random) = (Self { bodies, goals, groups, half }, Rng::with_seed(seed));
        for number in 0..n {
            let cell = Vec2::new((number % columns) as f32, (number / columns) as f32) + 0.5;
            let at = cell * PITCH - half + 0.25 * direction(&mut random);
            crowd.agent(Circle::new(at, RADIUS).into(), None, at)?;
        }
        Ok(crowd)
    }

    fn agent(&mut self, shape: OwnedShape, to: Option<Vec2>, at: Vec2) -> Result<(), Error> {
        let pose = to.map(widephase::shape::Pose::at);
        let body = self.bodies.insert(shape, pose, Vec2::ZERO, [1.0, 0.0])?;
        self.goals.resize(self.bodies.at.len(), Vec2::ZERO);
        self.goals[body.row() as usize] = Vec2::new(-at.x, at.y);
        self.groups.resize(self.goals.len(), 0);
        self.groups[body.row() as usize] = if at.x < 0.0 { 1 } else { 2 };
        Ok(())
    }
}

impl Scene for Crowd {
    of_bodies!();

    fn step(&mut self, input: &Input) -> Result<(), Error> {
        let Bodies { world, at, dynamics, .. } = &mut self.bodies;
        for contact in world.last_step().contacts() {
            let normal = contact.normal();
            let push = PUSH * contact.depth * (normal + ASIDE * normal.perp());
            for (row, sign) in [(contact.pair.a, -0.5), (contact.pair.b, 0.5)] {
                at[row as usize] += sign * push * dynamics[row as usize].inverse.x;
            }
        }
        for ((at, goal), body) in at.iter_mut().zip(&mut self.goals).zip(dynamics) {
            let way = *goal - *at;
            if way.length_squared() < NEAR * NEAR {
                goal.x = -goal.x;
            }
            *at += way.clamp_length_max(SPEED * STEP) * body.inverse.x;
        }
        self.bodies.pull(input.held, STEP);
        self.bodies.detect()
    }

    fn bounds(&self) -> Area {
        let half = self.half + 1.0;
        [-half, -half, half, half]
    }

    fn group(&self, body: Handle) -> u8 {
        self.groups.get(body.row() as usize).copied().unwrap_or_default()
    }

    fn put(&mut self, body: Handle, at: Vec2) -> Result<(), Error> {
        self.bodies.put(body, at)
    }

    fn insert(&mut self, shape: OwnedShape, at: Vec2) -> Result<(), Error> {
        self.agent(shape, Some(at), at)
    }
}
