//! rapier2d's collision pipeline: broadphase and narrowphase, no dynamics.

use anyhow::Result;
use rapier2d::prelude::*;
use widephase::{Pair, shape::RoundedBox};

use super::{Executor, pair, spatial};
use crate::bodies::{Body, Rows};

/// Colliders without rigid bodies that are sensors. For sensors the narrowphase only tests for
/// intersection, which is cheaper than contacts, and counts touching.
pub struct Rapier {
    pipeline: CollisionPipeline,
    islands: IslandManager,
    broad_phase: BroadPhaseBvh,
    narrow_phase: NarrowPhase,
    bodies: RigidBodySet,
    colliders: ColliderSet,
    /// The collider of each row, in the order in which they were inserted.
    handles: Vec<(u32, ColliderHandle)>,
}

impl Default for Rapier {
    fn default() -> Self {
        Self {
            pipeline: CollisionPipeline::new(),
            islands: IslandManager::new(),
            broad_phase: BroadPhaseBvh::new(),
            narrow_phase: NarrowPhase::new(),
            bodies: RigidBodySet::new(),
            colliders: ColliderSet::new(),
            handles: Vec::new(),
        }
    }
}

impl<R: Rows> Executor<R> for Rapier {
    fn begin(&mut self, rows: &R) -> Result<()> {
        *self = Self::default();
        for row in spatial::order(rows) {
            let body = rows.body(row as usize);
            let [x, y] = body.center();
            let collider = ColliderBuilder::new(shape(body.rounded_box()))
                .sensor(true)
                // Without a rigid body a collider counts as fixed.
                .active_collision_types(ActiveCollisionTypes::all())
                .translation(Vector::new(x, y));
            self.handles.push((row, self.colliders.insert(collider)));
        }
        self.step();
        Ok(())
    }

    fn detect(&mut self, rows: &R, pairs: &mut Vec<Pair>) -> Result<()> {
        for &(row, handle) in &self.handles {
            let [x, y] = rows.body(row as usize).center();
            self.colliders[handle].set_translation(Vector::new(x, y));
        }
        self.step();
        // If nothing was removed from a set, its handles count up from 0.
        let row = |handle: ColliderHandle| self.handles[handle.into_raw_parts().0 as usize].0;
        for (a, b, intersect) in self.narrow_phase.intersection_pairs() {
            if intersect {
                pairs.push(pair(row(a), row(b)));
            }
        }
        Ok(())
    }
}

impl Rapier {
    fn step(&mut self) {
        self.pipeline.step(
            0.0,
            &mut self.islands,
            &mut self.broad_phase,
            &mut self.narrow_phase,
            &mut self.bodies,
            &mut self.colliders,
            &(),
            &(),
        );
    }
}

fn shape(body: RoundedBox) -> SharedShape {
    let [half_width, half_height] =
        [body.max_x - body.min_x, body.max_y - body.min_y].map(|side| side * 0.5);
    if half_width == 0.0 && half_height == 0.0 {
        SharedShape::ball(body.radius)
    } else if body.radius == 0.0 {
        SharedShape::cuboid(half_width, half_height)
    } else {
        SharedShape::round_cuboid(half_width, half_height, body.radius)
    }
}
