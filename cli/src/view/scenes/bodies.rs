//! Bodies with speeds, in the rows of a world.

use widephase::{
    Body, Error, Handle, Motion, Options, World,
    glam::{Vec2, Vec3},
    shape::{OwnedShape, Pose, Rotation, Shape},
};

use super::solver::Dynamics;

/// The share of the inverse of a mass that is left while a body is held, so that other bodies
/// cannot move it. Not 0: two bodies without an inverse have no solution.
const HELD: f32 = 1e-6;

/// The highest speed of a body that is held, as other bodies see it.
const MOST_SPEED: f32 = 30.0;

/// Bodies with speeds. All columns are by row, also of rows without a body.
pub(super) struct Bodies {
    pub(super) world: World,
    pub(super) at: Vec<Vec2>,
    pub(super) rotation: Vec<Rotation>,
    /// In units of length and radians per second.
    pub(super) dynamics: Vec<Dynamics>,
    /// The body that is held, and its inverse.
    held: Option<(Handle, Vec3)>,
    /// Workspace: x, y, cos, sin of all bodies.
    columns: [Vec<f32>; 4],
}

impl Bodies {
    pub(super) fn new(options: Options) -> Result<Self, Error> {
        let world = World::with_options(options)?;
        let (at, rotation, dynamics) = (Vec::new(), Vec::new(), Vec::new());
        Ok(Self { world, at, rotation, dynamics, held: None, columns: Default::default() })
    }

    /// Inserts a body that moves: with a speed, and the inverses of its mass and its moment of
    /// inertia.
    pub(super) fn insert(
        &mut self,
        shape: impl Shape,
        pose: Option<Pose>,
        speed: Vec2,
        [mass, inertia]: [f32; 2],
    ) -> Result<Handle, Error> {
        let body = self.world.insert(shape, Body { pose, ..Body::default() })?;
        let inverse = Vec3::new(mass, mass, inertia);
        self.adopt(body, Dynamics { speed: speed.extend(0.0), inverse });
        Ok(body)
    }

    /// Inserts a body that never moves.
    pub(super) fn fix(&mut self, shape: impl Shape) -> Result<Handle, Error> {
        let body = Body { motion: Motion::Static, ..Body::default() };
        let body = self.world.insert(shape, body)?;
        self.adopt(body, Dynamics { speed: Vec3::ZERO, inverse: Vec3::ZERO });
        Ok(body)
    }

    fn adopt(&mut self, body: Handle, dynamics: Dynamics) {
        let (rows, row) = (self.world.rows(), body.row() as usize);
        self.at.resize(rows, Vec2::ZERO);
        self.rotation.resize(rows, Rotation::IDENTITY);
        self.dynamics.resize(rows, Dynamics { speed: Vec3::ZERO, inverse: Vec3::ZERO });
        let pose = self.world.pose(body).unwrap_or_default();
        self.at[row] = pose.position();
        self.rotation[row] = pose.rotation();
        self.dynamics[row] = dynamics;
    }

    /// Inserts a body of mass 1 around a point.
    pub(super) fn spawn(
        &mut self,
        shape: OwnedShape,
        at: Vec2,
        inertia: f32,
    ) -> Result<Handle, Error> {
        self.insert(shape, Some(Pose::at(at)), Vec2::ZERO, [1.0, inertia])
    }

    pub(super) fn remove(&mut self, body: Handle) -> Result<(), Error> {
        // It keeps its dynamics: contacts of the last step still have its row.
        self.release(body);
        self.world.remove(body)
    }

    pub(super) fn hold(&mut self, body: Handle) {
        let dynamics = &mut self.dynamics[body.row() as usize];
        self.held = Some((body, dynamics.inverse));
        dynamics.inverse *= HELD;
    }

    pub(super) fn release(&mut self, body: Handle) {
        if let Some((held, inverse)) = self.held.take_if(|(held, _)| *held == body) {
            self.dynamics[held.row() as usize].inverse = inverse;
        }
    }

    /// Puts a body somewhere, without a step.
    pub(super) fn put(&mut self, body: Handle, at: Vec2) -> Result<(), Error> {
        let row = body.row() as usize;
        self.world.set_pose(body, Pose::new(at, self.rotation[row]))?;
        self.at[row] = at;
        Ok(())
    }

    /// Moves the body that is held.
    pub(super) fn pull(&mut self, held: Option<(Handle, Vec2)>, seconds: f32) {
        if let Some((body, to)) = held {
            let row = body.row() as usize;
            let speed = ((to - self.at[row]) / seconds).clamp_length_max(MOST_SPEED);
            self.at[row] = to;
            self.dynamics[row].speed = speed.extend(0.0);
        }
    }

    /// Gives the world the poses, and detects.
    pub(super) fn detect(&mut self) -> Result<(), Error> {
        let Self { world, at, rotation, columns: [x, y, cos, sin], .. } = self;
        for column in [&mut *x, &mut *y, &mut *cos, &mut *sin] {
            column.clear();
        }
        for row in (0..world.rows()).filter(|row| world.handle(*row as u32).is_some()) {
            x.push(at[row].x);
            y.push(at[row].y);
            cos.push(rotation[row].cos);
            sin.push(rotation[row].sin);
        }
        world.set_poses_of_all(x, y, cos, sin)?;
        world.step()?;
        Ok(())
    }
}

/// The methods of a [`Scene`](super::scene::Scene) that has these bodies.
macro_rules! of_bodies {
    () => {
        fn world(&self) -> &widephase::World {
            &self.bodies.world
        }

        fn world_mut(&mut self) -> &mut widephase::World {
            &mut self.bodies.world
        }

        fn hold(&mut self, body: widephase::Handle) {
            self.bodies.hold(body);
        }

        fn release(&mut self, body: widephase::Handle) {
            self.bodies.release(body);
        }

        fn remove(&mut self, body: widephase::Handle) -> Result<(), widephase::Error> {
            self.bodies.remove(body)
        }
    };
}
pub(super) use of_bodies;
