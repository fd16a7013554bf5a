//! The interface of a scene, for the engine.

use widephase::{Error, Handle, Options, World, glam::Vec2, shape::OwnedShape};

use crate::view::{frame::Area, protocol::Keys};

/// A scene that moves by the clock of the engine.
pub(in crate::view) trait Scene: Send {
    fn world(&self) -> &World;

    fn world_mut(&mut self) -> &mut World;

    /// Moves the bodies by one step, and detects.
    fn step(&mut self, input: &Input) -> Result<(), Error>;

    /// Where the camera starts.
    fn bounds(&self) -> Area;

    /// The group of a body, from 1, or 0 if it is in no group: `SceneInfo` has their names.
    fn group(&self, _body: Handle) -> u8 {
        0
    }

    /// The options of the world and of the scene's own detectors.
    fn set_options(&mut self, options: Options) -> Result<(), Error> {
        self.world_mut().set_options(options)
    }

    /// Begins to hold a body.
    fn hold(&mut self, _body: Handle) {}

    /// Lets go of a body.
    fn release(&mut self, _body: Handle) {}

    /// Puts a body somewhere, without a step.
    fn put(&mut self, body: Handle, at: Vec2) -> Result<(), Error>;

    /// Inserts a body around a point; the shape is around the origin.
    fn insert(&mut self, shape: OwnedShape, at: Vec2) -> Result<(), Error>;

    /// Removes a body.
    fn remove(&mut self, body: Handle) -> Result<(), Error>;
}

/// The actions of the person at the page during a step.
#[derive(Debug, Clone, Copy, Default)]
pub(in crate::view) struct Input {
    /// The body that is held, and where it should be.
    pub(in crate::view) held: Option<(Handle, Vec2)>,
    pub(in crate::view) keys: Keys,
}
