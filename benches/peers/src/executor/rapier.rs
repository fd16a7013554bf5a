//! rapier2d's collision pipeline: broadphase and narrowphase, no dynamics.

use std::sync::{Mutex, PoisonError};

use anyhow::{Result, ensure};
use rapier2d::prelude::*;
use widephase::{Pair, shape::RoundedBox};

use super::{
    contract::{Executor, pair},
    spatial,
};
use crate::bodies::{Body, Rows};

/// How far the points of a manifold of boxes may move along a side before parry computes it anew.
/// Until then it counts boxes as touching that have moved apart by less than that along the side,
/// and some boxes that have passed through each other: it sees that they are no longer as deep as
/// 0, but not that they are deeper than they are wide.
pub const KEPT: f32 = 1e-3;

/// Colliders without rigid bodies, and the pipeline that steps them.
pub(super) struct Colliders {
    pipeline: CollisionPipeline,
    pub(super) islands: IslandManager,
    pub(super) broad_phase: BroadPhaseBvh,
    pub(super) narrow_phase: NarrowPhase,
    pub(super) bodies: RigidBodySet,
    pub(super) colliders: ColliderSet,
    /// The collider of each row, in the order in which they were inserted.
    handles: Vec<(u32, ColliderHandle)>,
}

impl Default for Colliders {
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

impl Colliders {
    fn new<R: Rows>(rows: &R, adjust: impl Fn(ColliderBuilder) -> ColliderBuilder) -> Self {
        let mut all = Self::default();
        for row in spatial::order(rows) {
            let body = rows.body(row as usize);
            let [x, y] = body.center();
            let collider = ColliderBuilder::new(shape(body.rounded_box()))
                // Without a rigid body a collider counts as fixed.
                .active_collision_types(ActiveCollisionTypes::all())
                .translation(Vector::new(x, y));
            all.handles.push((row, all.colliders.insert(adjust(collider))));
        }
        all
    }

    /// Moves all colliders.
    fn translate<R: Rows>(&mut self, rows: &R) {
        for &(row, handle) in &self.handles {
            let [x, y] = rows.body(row as usize).center();
            self.colliders[handle].set_translation(Vector::new(x, y));
        }
    }

    fn step(&mut self, events: &dyn EventHandler) {
        self.pipeline.step(
            0.0,
            &mut self.islands,
            &mut self.broad_phase,
            &mut self.narrow_phase,
            &mut self.bodies,
            &mut self.colliders,
            &(),
            events,
        );
    }

    /// The rows of two colliders.
    fn pair(&self, a: ColliderHandle, b: ColliderHandle) -> Pair {
        // If nothing was removed from a set, its handles count up from 0.
        let row = |handle: ColliderHandle| self.handles[handle.into_raw_parts().0 as usize].0;
        pair(row(a), row(b))
    }
}

/// Sensors: for them the narrowphase only tests for intersection, which is cheaper than contacts,
/// and counts touching.
#[derive(Default)]
pub struct Rapier(Colliders);

impl<R: Rows> Executor<R> for Rapier {
    fn begin(&mut self, rows: &R) -> Result<()> {
        self.0 = Colliders::new(rows, |collider| collider.sensor(true));
        self.0.step(&());
        Ok(())
    }

    fn detect(&mut self, rows: &R, pairs: &mut Vec<Pair>) -> Result<()> {
        self.0.translate(rows);
        self.0.step(&());
        for (a, b, intersect) in self.0.narrow_phase.intersection_pairs() {
            if intersect {
                pairs.push(self.0.pair(a, b));
            }
        }
        Ok(())
    }
}

/// Colliders that are no sensors: the narrowphase keeps the manifolds of each pair, and tells which
/// pairs started and stopped to have contacts.
#[derive(Default)]
pub struct RapierStep {
    pub(super) all: Colliders,
    events: Events,
    /// The pairs that touch by the events so far.
    touching: usize,
}

/// The events of a step.
#[derive(Default)]
struct Events(Mutex<Vec<CollisionEvent>>);

impl EventHandler for Events {
    fn handle_collision_event(
        &self,
        _bodies: &RigidBodySet,
        _colliders: &ColliderSet,
        event: CollisionEvent,
        _pair: Option<&ContactPair>,
    ) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(event);
    }

    fn handle_contact_force_event(
        &self,
        _dt: f32,
        _bodies: &RigidBodySet,
        _colliders: &ColliderSet,
        _pair: &ContactPair,
        _force: f32,
    ) {
    }

    fn handle_soft_body_tear_event(&self, _bodies: &SoftBodySet, _event: &SoftBodyTearEvent) {}
}

impl RapierStep {
    pub(super) fn step(&mut self) {
        self.all.step(&self.events);
        let events = self.events.0.get_mut().unwrap_or_else(PoisonError::into_inner);
        let started = events.iter().filter(|event| event.started()).count();
        self.touching += started;
        self.touching -= events.len() - started;
        events.clear();
    }

    /// The colliders of the pairs that have contacts.
    pub(super) fn touching(&self) -> Result<Vec<[ColliderHandle; 2]>> {
        let touching = |pair: &&ContactPair| pair.has_any_active_contact();
        let kept = self.all.narrow_phase.contact_pairs().filter(touching);
        let kept: Vec<_> = kept.map(|kept| [kept.collider1, kept.collider2]).collect();
        let (kept_len, told) = (kept.len(), self.touching);
        ensure!(told == kept_len, "{kept_len} pairs, {told} by events");
        Ok(kept)
    }
}

impl<R: Rows> Executor<R> for RapierStep {
    fn begin(&mut self, rows: &R) -> Result<()> {
        self.all =
            Colliders::new(rows, |collider| collider.active_events(ActiveEvents::COLLISION_EVENTS));
        self.touching = 0;
        self.step();
        Ok(())
    }

    fn detect(&mut self, rows: &R, _pairs: &mut Vec<Pair>) -> Result<()> {
        self.all.translate(rows);
        self.step();
        Ok(())
    }

    fn kept(&self, pairs: &mut Vec<Pair>) -> Result<()> {
        pairs.extend(self.touching()?.into_iter().map(|[a, b]| self.all.pair(a, b)));
        Ok(())
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

#[cfg(test)]
mod tests {
    use parry2d::{
        math::Pose,
        query::{ContactManifold, details::contact_manifold_cuboid_cuboid},
        shape::Cuboid,
    };

    use super::*;

    /// If this fails, rapier's steps may be held to agree up to rounding.
    #[test]
    fn a_box_that_passed_through_another_still_touches_it() {
        let square = Cuboid::new(Vector::splat(0.5));
        let mut manifold = ContactManifold::<(), ()>::new();
        let mut touch_at = |x: f32| {
            let pose = Pose::from_translation(Vector::new(x, 0.0));
            contact_manifold_cuboid_cuboid(&pose, &square, &square, 0.0, &mut manifold);
            !manifold.points.is_empty()
        };
        assert_eq!([1.1, 0.9, 1.1, 0.9, -1.1].map(&mut touch_at), [false, true, false, true, true]);
    }
}
