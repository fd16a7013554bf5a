//! widephase in a level, and what an executor does in one.

use anyhow::Result;
use widephase::{Error, Hit, Pair, Queries, Ray, SimdLevel, World};
use widephase_scenes::LevelKind;

use super::widephase::options;
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
pub struct WidephaseLevel {
    level: LevelWorld,
    rays: Vec<Ray>,
    hits: Vec<Option<Hit>>,
}

impl WidephaseLevel {
    pub fn new(
        kind: LevelKind,
        movers: u32,
        seed: u64,
        simd_level: Option<SimdLevel>,
    ) -> Result<Self, Error> {
        let level = LevelWorld::new(kind, movers, seed, options(simd_level))?;
        Ok(Self { level, rays: Vec::new(), hits: Vec::new() })
    }

    pub fn world(&self) -> &World {
        &self.level.world
    }
}

impl LevelExecutor for WidephaseLevel {
    fn prepare(&mut self) {
        self.level.prepare();
        self.rays.clear();
        self.rays.extend(self.level.level.rays().iter().map(|[from, to]| Ray::segment(*from, *to)));
    }

    fn step(&mut self) -> Result<()> {
        self.level.apply()?;
        self.level.world.step()?;
        self.hits.clear();
        if !self.rays.is_empty() {
            self.level.world.index()?.cast_ray_batch(&self.rays, &mut self.hits)?;
        }
        Ok(())
    }

    fn touching(&self) -> Result<Vec<Pair>> {
        // A body keeps its row, and one that is inserted gets the row of the one that was removed.
        Ok(self.level.world.last_step().pairs().to_vec())
    }

    fn hits(&self) -> Vec<Option<f32>> {
        self.hits.iter().map(|hit| hit.map(|hit| hit.fraction)).collect()
    }
}
