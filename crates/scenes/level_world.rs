//! Levels as worlds of widephase. Programs that depend on both packages, with the feature `outlines`,
//! include this file by its path, as `adapter.rs`.
#![allow(dead_code, reason = "each program uses a part of it")]

use widephase::{
    Body, Error, Handle, Motion, Options, World,
    shape::{Circle, Compound, HalfPlane, Obb, OwnedShape, Pose, Rotation},
};
use widephase_scenes::{Level, LevelBody, LevelChange, LevelKind, LevelShape};

/// A level, and a world with its bodies.
pub(crate) struct LevelWorld {
    pub(crate) level: Level,
    pub(crate) world: World,
    /// The bodies in the order of the level.
    resting: Vec<Handle>,
    movers: Vec<Handle>,
    poses: Vec<Pose>,
}

impl LevelWorld {
    pub(crate) fn new(
        kind: LevelKind,
        movers: u32,
        seed: u64,
        options: Options,
    ) -> Result<Self, Error> {
        let level = Level::generate(kind, movers, seed);
        let mut world = World::with_options(options)?;
        let mut insert = |bodies: &[LevelBody], motion: Motion| {
            let bodies = bodies.iter().map(|body| insert(&mut world, body, motion));
            bodies.collect::<Result<Vec<Handle>, Error>>()
        };
        let resting = insert(level.resting(), Motion::Static)?;
        let movers = insert(level.movers(), Motion::Moving)?;
        Ok(Self { level, world, resting, movers, poses: Vec::new() })
    }

    /// Lets the level make its next step.
    pub(crate) fn prepare(&mut self) {
        let Self { level, poses, .. } = self;
        level.step();
        poses.clear();
        poses.extend(level.movers().iter().map(|body| Pose::at(body.center)));
    }

    /// Moves and changes the bodies as the level did in its step.
    pub(crate) fn apply(&mut self) -> Result<(), Error> {
        let Self { level, world, resting, movers, poses } = self;
        for change in level.changes() {
            match *change {
                LevelChange::Moved(body) => {
                    world.set_pose(resting[body], Pose::at(level.resting()[body].center))?;
                }
                LevelChange::Replaced(body) => {
                    world.remove(resting[body])?;
                    resting[body] = insert(world, &level.resting()[body], Motion::Static)?;
                }
            }
        }
        world.set_poses(movers, poses)
    }
}

fn insert(world: &mut World, body: &LevelBody, motion: Motion) -> Result<Handle, Error> {
    let pose = Some(Pose::at(body.center));
    world.insert(shape(&body.shape)?, Body { pose, motion, ..Body::default() })
}

/// The shape of a body around the origin.
fn shape(shape: &LevelShape) -> Result<OwnedShape, Error> {
    Ok(match shape {
        LevelShape::Circle(radius) => Circle::new([0.0; 2], *radius).into(),
        LevelShape::Box(half) => Obb::new([0.0; 2], *half, Rotation::IDENTITY).into(),
        LevelShape::Outline(rings) => {
            let holes: Vec<&[[f32; 2]]> = rings[1..].iter().map(Vec::as_slice).collect();
            Compound::from_outline(&rings[0], &holes)?.into()
        }
        LevelShape::HalfPlane(normal) => HalfPlane::new(*normal, 0.0).into(),
    })
}
