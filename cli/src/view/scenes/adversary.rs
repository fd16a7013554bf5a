//! The adversaries of the library's scenes: their bodies go where the scene moves them.

use crate::scene::{self, SceneKind};
use widephase::{Error, Handle, Options, glam::Vec2, shape::OwnedShape};

use super::{
    bodies::{Bodies, of_bodies},
    scene::{Input, Scene},
    solver::STEP,
};
use crate::{
    bodies::{center, shapes},
    view::frame::Area,
};

/// The share of bodies on each side that the camera leaves out at the start: the bodies far away.
const FAR: f32 = 0.02;

/// The bodies of an adversary.
pub(super) struct Adversary {
    bodies: Bodies,
    scene: scene::Scene,
    /// How far a person has moved each row; `None` if its body is not of the scene.
    moved: Vec<Option<Vec2>>,
    bounds: Area,
}

impl Adversary {
    pub(super) fn new(kind: SceneKind, n: u32, seed: u64, options: Options) -> Result<Self, Error> {
        let scene = scene::Scene::generate(kind, n, seed);
        let mut bodies = Bodies::new(options)?;
        for shape in shapes(&scene) {
            bodies.insert(shape, None, Vec2::ZERO, [1.0, 0.0])?;
        }
        let bounds = bounds(kind, &bodies.at);
        Ok(Self { moved: vec![Some(Vec2::ZERO); bodies.at.len()], bodies, scene, bounds })
    }

    /// Notes that a person moves a body.
    fn note(&mut self, body: Handle, to: Vec2) {
        let row = body.row() as usize;
        if let Some(Some(moved)) = self.moved.get_mut(row) {
            *moved += to - self.bodies.at[row];
        }
    }
}

/// Where most bodies are; of two clusters, the near cluster.
fn bounds(kind: SceneKind, at: &[Vec2]) -> Area {
    let near = if kind == SceneKind::TwoClusters { 2 } else { 1 };
    let range = |of: fn(&Vec2) -> f32| {
        let mut along: Vec<f32> = at.iter().step_by(near).map(of).collect();
        along.sort_by(f32::total_cmp);
        let last = along.len() - 1;
        let far = (FAR * last as f32).ceil() as usize;
        let far = far.min(last / 2);
        let (least, most) = (along[far], along[last - far]);
        // Far from the origin, a smaller one would be rounded away.
        let margin = 0.1 * (most - least) + 2.0 + 1e-6 * least.abs().max(most.abs());
        (least - margin, most + margin)
    };
    let ((left, right), (lower, upper)) = (range(|at| at.x), range(|at| at.y));
    [left, lower, right, upper]
}

impl Scene for Adversary {
    of_bodies!();

    fn step(&mut self, input: &Input) -> Result<(), Error> {
        self.scene.step();
        let Self { bodies, scene, moved, .. } = self;
        let centers = scene.rounded_boxes().into_iter().map(center).map(Vec2::from);
        for ((at, center), moved) in bodies.at.iter_mut().zip(centers).zip(&*moved) {
            if let Some(moved) = moved {
                *at = center + *moved;
            }
        }
        if let Some((body, to)) = input.held {
            self.note(body, to);
        }
        self.bodies.pull(input.held, STEP);
        self.bodies.detect()
    }

    fn bounds(&self) -> Area {
        self.bounds
    }

    fn put(&mut self, body: Handle, at: Vec2) -> Result<(), Error> {
        self.note(body, at);
        self.bodies.put(body, at)
    }

    fn insert(&mut self, shape: OwnedShape, at: Vec2) -> Result<(), Error> {
        let row = self.bodies.spawn(shape, at, 0.0)?.row() as usize;
        if let Some(moved) = self.moved.get_mut(row) {
            *moved = None;
        }
        Ok(())
    }
}
