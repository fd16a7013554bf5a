//! rapier2d's collision pipeline in a level, and its ray casts through the same tree.

use anyhow::Result;
use rapier2d::prelude::*;
use widephase::Pair;
use widephase_scenes::{Level, LevelBody, LevelChange, LevelKind, LevelShape};

use super::{contract::pair, level::LevelExecutor, rapier::RapierStep, spatial};

/// Colliders without rigid bodies: they are fixed, and colliders of movers meet fixed colliders.
/// Their positions are set directly, also of doors. A coin that is picked up is removed, and
/// another coin is inserted. An outline is a polyline, and a half-plane is a half-space.
pub struct RapierLevel {
    level: Level,
    world: RapierStep,
    resting: Vec<ColliderHandle>,
    movers: Vec<ColliderHandle>,
    hits: Vec<Option<f32>>,
}

impl RapierLevel {
    pub fn new(kind: LevelKind, movers: u32, seed: u64) -> Self {
        let level = Level::generate(kind, movers, seed);
        let mut world = RapierStep::default();
        let mut insert = |bodies: &[LevelBody], first: usize, moves: bool| {
            let centers: Vec<[f32; 2]> = bodies.iter().map(|body| body.center).collect();
            let mut handles = vec![ColliderHandle::invalid(); bodies.len()];
            for number in spatial::along_curve(&centers) {
                let number = number as usize;
                let collider = collider(&bodies[number], first + number, moves);
                handles[number] = world.all.colliders.insert(collider);
            }
            handles
        };
        let resting = insert(level.resting(), 0, false);
        let movers = insert(level.movers(), resting.len(), true);
        Self { level, world, resting, movers, hits: Vec::new() }
    }

    /// Casts the rays of the level.
    fn cast(&mut self) {
        let all = &self.world.all;
        let pipeline = all.broad_phase.as_query_pipeline(
            all.narrow_phase.query_dispatcher(),
            &all.bodies,
            &all.colliders,
            QueryFilter::default(),
        );
        self.hits.clear();
        self.hits.extend(self.level.rays().iter().map(|[from, to]| {
            let [from, to] = [Vector::from(*from), Vector::from(*to)];
            pipeline.cast_ray(&Ray::new(from, to - from), 1.0, true).map(|(_, fraction)| fraction)
        }));
    }
}

impl LevelExecutor for RapierLevel {
    fn prepare(&mut self) {
        self.level.step();
    }

    fn step(&mut self) -> Result<()> {
        let all = &mut self.world.all;
        for change in self.level.changes() {
            match *change {
                LevelChange::Moved(body) => {
                    let center = self.level.resting()[body].center;
                    all.colliders[self.resting[body]].set_translation(center.into());
                }
                LevelChange::Replaced(body) => {
                    let handle = &mut self.resting[body];
                    let (islands, bodies) = (&mut all.islands, &mut all.bodies);
                    let mut soft_bodies = SoftBodySet::new();
                    all.colliders.remove(*handle, islands, bodies, &mut soft_bodies, false);
                    let collider = collider(&self.level.resting()[body], body, false);
                    *handle = all.colliders.insert(collider);
                }
            }
        }
        for (handle, body) in self.movers.iter().zip(self.level.movers()) {
            all.colliders[*handle].set_translation(body.center.into());
        }
        self.world.step();
        self.cast();
        Ok(())
    }

    fn touching(&self) -> Result<Vec<Pair>> {
        let number = |handle: ColliderHandle| self.world.all.colliders[handle].user_data as u32;
        let touching = self.world.touching()?.into_iter();
        Ok(touching.map(|[a, b]| pair(number(a), number(b))).collect())
    }

    fn hits(&self) -> Vec<Option<f32>> {
        self.hits.clone()
    }
}

/// The collider of a body with this number.
fn collider(body: &LevelBody, number: usize, moves: bool) -> ColliderBuilder {
    let shape = match &body.shape {
        LevelShape::Circle(radius) => SharedShape::ball(*radius),
        LevelShape::Box([half_width, half_height]) => {
            SharedShape::cuboid(*half_width, *half_height)
        }
        LevelShape::Outline(rings) => polyline(rings),
        LevelShape::HalfPlane(normal) => SharedShape::halfspace(Vector::from(*normal)),
    };
    let collider =
        ColliderBuilder::new(shape).translation(body.center.into()).user_data(number as u128);
    if moves {
        collider
            .active_collision_types(ActiveCollisionTypes::all())
            .active_events(ActiveEvents::COLLISION_EVENTS)
    } else {
        collider
    }
}

/// The sides of rings.
fn polyline(rings: &[Vec<[f32; 2]>]) -> SharedShape {
    let (mut vertices, mut sides) = (Vec::new(), Vec::new());
    for ring in rings {
        let (first, len) = (vertices.len() as u32, ring.len() as u32);
        vertices.extend(ring.iter().map(|vertex| Vector::from(*vertex)));
        sides.extend((0..len).map(|at| [first + at, first + (at + 1) % len]));
    }
    SharedShape::polyline(vertices, Some(sides))
}
