//! widephase in a level, and the interface of an executor in a level.

use anyhow::Result;
use widephase::Pair;

use crate::level_world::LevelWorld;

/// A library that has the bodies of a level. The resting bodies come first, then the movers.
pub trait LevelExecutor {
    /// Lets the level make its next step. It is not timed.
    fn prepare(&mut self);

    /// The timed call: moves and changes the bodies as the level did, finds pairs, contacts and
    /// events, and casts the rays.
    fn step(&mut self) -> Result<()>;

    /// The pairs that touch after the last step, for the check, each once, in any order.
    ///
    /// # Errors
    /// If the events since the beginning do not add up to these pairs.
    fn touching(&self) -> Result<Vec<Pair>>;

    /// The fraction of each ray of the last step at which it hits a body.
    fn hits(&self) -> Vec<Option<f32>>;
}

/// widephase: a `World` on the calling thread, and rays of its index.
impl LevelExecutor for LevelWorld {
    fn prepare(&mut self) {
        self.prepare();
    }

    fn step(&mut self) -> Result<()> {
        Ok(self.step()?)
    }

    fn touching(&self) -> Result<Vec<Pair>> {
        // A body keeps its row, and an inserted body gets the row of the removed body.
        Ok(self.world.last_step().pairs().to_vec())
    }

    fn hits(&self) -> Vec<Option<f32>> {
        self.hits().iter().map(|hit| hit.map(|hit| hit.fraction)).collect()
    }
}
