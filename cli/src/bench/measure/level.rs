//! Steps of a world with a level.

use widephase::{Error, Timings};

use super::work::{Bodies, Work};
use crate::level_world::LevelWorld;

/// So many movers of a level. Each world has a level of its own, because a step changes the level
/// of the step before.
pub(super) struct Movers(pub(super) usize);

impl Bodies for Movers {
    fn len(&self) -> usize {
        self.0
    }

    fn step(&mut self) {}
}

impl Work<Movers> for LevelWorld {
    fn prepare(&mut self, _: &Movers) -> Result<(), Error> {
        self.prepare();
        Ok(())
    }

    fn call(&mut self, _: &Movers) -> Result<(), Error> {
        self.step()
    }

    fn phases(&self) -> Option<&Timings> {
        Some(self.world.timings())
    }

    fn found(&self) -> usize {
        self.world.last_step().pairs().len()
    }
}
