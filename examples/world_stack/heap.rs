//! A heap of circles and boxes in a pit: a solver on a `World`.

#[path = "solver.rs"]
pub(crate) mod solver;

use widephase::{
    Body, Error, Handle, Motion, Options, World,
    glam::{Vec2, Vec3},
    shape::{Circle, Obb, Pose, Rotation},
};

use solver::{Dynamics, STEP, solve, turned};

const GRAVITY: f32 = 10.0;

/// The bodies of a row, the distances of columns and rows, and half the width of the pit.
const ROW: usize = 400;
const PITCH: [f32; 2] = [1.25, 1.015625];
const PIT: f32 = 0.5 * (ROW as f32 + 0.5) * PITCH[0];
/// No two bodies, which are 1 wide, overlap by more.
const MOST_DEPTH: f32 = 0.15;

/// The report about a heap after a step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Report {
    /// The kinetic energy, and its sum with the energy of the heights.
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
        solve(world, dynamics, &centers, |dynamics| {
            for (handle, pose) in handles.iter().zip(poses) {
                let speed = dynamics[handle.row() as usize].speed;
                let at = pose.position() + speed.truncate() * STEP;
                *pose = Pose::new(at, turned(pose.rotation(), speed.z * STEP));
            }
        });
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
