//! Alternates several scenes, so that branch predictors cannot memorise one scene.

use crate::scene::{Motion, Scene, SceneKind};

/// Scenes of one kind and size, from consecutive seeds.
pub(crate) struct Rotation {
    pub(crate) scenes: Vec<Scene>,
}

impl Rotation {
    /// Five scenes. There are fewer from a million bodies on, where one scene is larger than any
    /// cache.
    pub(crate) fn new(kind: SceneKind, n: u32, seed: u64, motion: Motion) -> Self {
        let scenes = match n {
            0..1_000_000 => 5,
            1_000_000..4_000_000 => 3,
            _ => 2,
        };
        let seeds = (0..scenes).map(|offset| seed.wrapping_add(offset));
        let scene = |seed| Scene::generate(kind, n, seed).with_motion(motion);
        Self { scenes: seeds.map(scene).collect() }
    }

    /// Moves the scene of this turn by one step and returns it.
    pub(crate) fn next(&mut self, turn: usize) -> &Scene {
        let len = self.scenes.len();
        let scene = &mut self.scenes[turn % len];
        scene.step();
        scene
    }
}
