//! `Source`: the bodies of a seeded scene.

use crate::scene::{Scene, SceneKind};
use anyhow::{Context, Result};

use crate::{
    geometry, motion,
    record::{Parcel, Record},
};

/// What a run computes. A checkpoint has it, too.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Source {
    pub(crate) scene: SceneKind,
    pub(crate) bodies: u32,
    pub(crate) seed: u64,
    pub(crate) margin: f32,
    pub(crate) speed: f32,
}

impl Source {
    /// Generates the scene. Returns the bodies with the ids from `ids`, and half the side of the
    /// world.
    ///
    /// Each rank generates all bodies and keeps its share, because a scene is one sequence of
    /// random numbers. An application reads its share only.
    pub(crate) fn generate(&self, ids: std::ops::Range<u32>) -> Result<(Parcel, f32)> {
        let scene = Scene::generate(self.scene, self.bodies, self.seed);
        let mut parcel = Parcel::default();
        let bounds = if scene.shapes().is_some() { vec![] } else { scene.rounded_boxes() };
        for id in ids {
            let before = parcel.floats.len();
            let (kind, [x, y], [cos, sin]) = match scene.shapes() {
                Some(shapes) => {
                    let body = shapes.get(id).zip(shapes.pose(id));
                    let (shape, pose) = body.with_context(|| format!("there is no body {id}"))?;
                    let kind = geometry::of_rotated(&shape, &mut parcel.floats)?;
                    (kind, [pose.x, pose.y], [pose.cos, pose.sin])
                }
                None => {
                    let bounds = bounds[id as usize];
                    let kind = geometry::of_bounds(bounds, &mut parcel.floats);
                    let center = [bounds.min_x + bounds.max_x, bounds.min_y + bounds.max_y];
                    (kind, center.map(|sum| sum * 0.5), [1.0, 0.0])
                }
            };
            let floats = (parcel.floats.len() - before) as u16;
            let id = id.into();
            let (velocity, spin) = ([0.0; 2], 0.0);
            let mut record = Record { id, x, y, cos, sin, velocity, spin, kind, floats };
            motion::start(&mut record, self.seed, self.speed);
            parcel.records.push(record);
        }
        Ok((parcel, scene.half_world()))
    }
}
