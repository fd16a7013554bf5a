//! Shooter: the game of `examples/shooter`. The keys steer one unit.

#[path = "../../../../examples/shooter/game/mod.rs"]
mod game;

use widephase::{
    Body, Error, Handle, Options, World,
    glam::Vec2,
    shape::{OwnedShape, Pose},
};

use self::game::{BULLET, Game, TEAMS};
use super::scene::{Input, Scene};
use crate::view::{frame::Area, protocol::Keys};

/// The number of units, which the game decides.
pub(super) const UNITS: u32 = 500;

/// The way of the unit that the keys steer, in a step.
const PACE: f32 = 0.2;

/// The sides of the arena, and a margin.
const HALF: f32 = 104.0;

/// Whom the colours show.
pub(super) const GROUPS: [&str; 3] = ["left team", "right team", "bullet"];

/// The game.
pub(super) struct Shooter {
    game: Game,
}

impl Shooter {
    pub(super) fn new(options: Options) -> Result<Self, Error> {
        Ok(Self { game: Game::new(options)? })
    }

    /// Steers the first unit of the left team. Units fire on their own.
    fn steer(&mut self, keys: Keys) {
        let along = |less: bool, more: bool| f32::from(i8::from(more) - i8::from(less));
        let way = Vec2::new(along(keys.left, keys.right), along(keys.down, keys.up));
        if let (Some(way), Some(unit)) =
            (way.try_normalize(), self.game.of_kind(TEAMS[0]).into_iter().next())
        {
            self.game.by[unit.row() as usize] = PACE * way;
        }
    }
}

impl Scene for Shooter {
    fn world(&self) -> &World {
        &self.game.world
    }

    fn world_mut(&mut self) -> &mut World {
        &mut self.game.world
    }

    fn step(&mut self, input: &Input) -> Result<(), Error> {
        self.steer(input.keys);
        if let Some((body, at)) = input.held {
            self.put(body, at)?;
        }
        self.game.step()
    }

    fn bounds(&self) -> Area {
        [-HALF, -HALF, HALF, HALF]
    }

    fn group(&self, body: Handle) -> u8 {
        let kind = self.game.world.body(body).map_or(0, |body| body.user);
        let group = [TEAMS[0], TEAMS[1], BULLET].iter().position(|of| *of == kind);
        group.map_or(0, |group| group as u8 + 1)
    }

    fn set_options(&mut self, options: Options) -> Result<(), Error> {
        self.game.detector.set_options(options)?;
        self.game.world.set_options(options)
    }

    fn put(&mut self, body: Handle, at: Vec2) -> Result<(), Error> {
        let pose = self.game.world.pose(body).unwrap_or_default();
        self.game.world.set_pose(body, Pose::new(at, pose.rotation()))
    }

    fn insert(&mut self, shape: OwnedShape, at: Vec2) -> Result<(), Error> {
        let body = Body { pose: Some(Pose::at(at)), ..Body::default() };
        let body = self.game.world.insert(shape, body)?;
        self.game.by.resize(self.game.world.rows(), Vec2::ZERO);
        self.game.by[body.row() as usize] = Vec2::ZERO;
        Ok(())
    }

    fn remove(&mut self, body: Handle) -> Result<(), Error> {
        self.game.world.remove(body)
    }
}
