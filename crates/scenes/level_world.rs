//! Levels as worlds of widephase. Programs that depend on both packages, with the feature
//! `outlines`, include this file by its path, as `adapter.rs`.
#![allow(dead_code, reason = "each program uses a part of it")]

use widephase::{
    Body, Contact, Detector, Error, Handle, Hit, Index, Motion, Options, Pair, Queries, Ray, World,
    shape::{Circle, Compound, HalfPlane, Obb, OwnedShape, Pose, Rotation},
};
use widephase_scenes::{Level, LevelBody, LevelChange, LevelKind, LevelShape};

/// A level, and a world with its bodies.
pub(crate) struct LevelWorld {
    pub(crate) level: Level,
    pub(crate) world: World,
    /// The bodies in the order of the level.
    resting: Vec<Handle>,
    movers: Vec<Handle>,
    poses: Vec<Pose>,
    rays: Vec<Ray>,
    hits: Vec<Option<Hit>>,
}

/// Pairs, and contacts, both sorted by rows and parts.
pub(crate) type Found = (Vec<Pair>, Vec<Contact>);

/// Sorts pairs and contacts by rows and parts.
pub(crate) fn sorted(pairs: &[Pair], contacts: &[Contact]) -> Found {
    let (mut pairs, mut contacts) = (pairs.to_vec(), contacts.to_vec());
    pairs.sort_unstable();
    contacts.sort_unstable_by_key(|contact| (contact.pair, contact.part_a, contact.part_b));
    (pairs, contacts)
}

impl LevelWorld {
    pub(crate) fn new(
        kind: LevelKind,
        movers: u32,
        seed: u64,
        options: Options,
    ) -> Result<Self, Error> {
        let level = Level::generate(kind, movers, seed);
        let mut world = World::with_options(options)?;
        let mut insert = |bodies: &[LevelBody], motion: Motion| {
            let bodies = bodies.iter().map(|body| insert(&mut world, body, motion));
            bodies.collect::<Result<Vec<Handle>, Error>>()
        };
        let resting = insert(level.resting(), Motion::Static)?;
        let movers = insert(level.movers(), Motion::Moving)?;
        let (poses, rays, hits) = Default::default();
        Ok(Self { level, world, resting, movers, poses, rays, hits })
    }

    /// Lets the level make its next step.
    pub(crate) fn prepare(&mut self) {
        let Self { level, poses, rays, .. } = self;
        level.step();
        poses.clear();
        poses.extend(level.movers().iter().map(|body| Pose::at(body.center)));
        rays.clear();
        rays.extend(level.rays().iter().map(|[from, to]| Ray::segment(*from, *to)));
    }

    /// Applies the step of the level, finds pairs, contacts and events, and casts the rays.
    pub(crate) fn step(&mut self) -> Result<(), Error> {
        self.apply()?;
        self.world.step()?;
        self.hits.clear();
        if self.rays.is_empty() {
            return Ok(());
        }
        self.world.index()?.cast_ray_batch(&self.rays, &mut self.hits)
    }

    /// The first hit of each ray of the last step.
    pub(crate) fn hits(&self) -> &[Option<Hit>] {
        &self.hits
    }

    /// The first hit of each ray in an index that is built anew.
    pub(crate) fn fresh_hits(&self) -> Result<Vec<Option<Hit>>, Error> {
        let mut hits = Vec::new();
        Index::build(self.world.shapes())?.cast_ray_batch(&self.rays, &mut hits)?;
        Ok(hits)
    }

    /// The results of a detection of all bodies, without pairs of bodies that rest.
    pub(crate) fn detection(&self, options: Options) -> Result<Found, Error> {
        let Self { world, .. } = self;
        let rests: Vec<bool> = (0..world.rows() as u32)
            .map(|row| {
                let body = world.handle(row).and_then(|handle| world.body(handle).ok());
                body.is_some_and(|body| body.motion == Motion::Static)
            })
            .collect();
        let moves = |pair: &Pair| !(rests[pair.a as usize] && rests[pair.b as usize]);
        let (mut pairs, mut contacts) = (Vec::new(), Vec::new());
        let mut detector = Detector::with_options(options)?;
        detector.pairs(world.shapes(), &mut pairs)?;
        detector.contacts(world.shapes(), 0.0, &mut contacts)?;
        pairs.retain(moves);
        contacts.retain(|contact| moves(&contact.pair));
        Ok(sorted(&pairs, &contacts))
    }

    /// Moves and changes the bodies as the level did in its step.
    pub(crate) fn apply(&mut self) -> Result<(), Error> {
        let Self { level, world, resting, movers, poses, .. } = self;
        for change in level.changes() {
            match *change {
                LevelChange::Moved(body) => {
                    world.set_pose(resting[body], Pose::at(level.resting()[body].center))?;
                }
                LevelChange::Replaced(body) => {
                    world.remove(resting[body])?;
                    resting[body] = insert(world, &level.resting()[body], Motion::Static)?;
                }
            }
        }
        world.set_poses(movers, poses)
    }
}

fn insert(world: &mut World, body: &LevelBody, motion: Motion) -> Result<Handle, Error> {
    let pose = Some(Pose::at(body.center));
    world.insert(shape(&body.shape)?, Body { pose, motion, ..Body::default() })
}

/// The shape of a body around the origin.
fn shape(shape: &LevelShape) -> Result<OwnedShape, Error> {
    Ok(match shape {
        LevelShape::Circle(radius) => Circle::new([0.0; 2], *radius).into(),
        LevelShape::Box(half) => Obb::new([0.0; 2], *half, Rotation::IDENTITY).into(),
        LevelShape::Outline(rings) => {
            let holes: Vec<&[[f32; 2]]> = rings[1..].iter().map(Vec::as_slice).collect();
            Compound::from_outline(&rings[0], &holes)?.into()
        }
        LevelShape::HalfPlane(normal) => HalfPlane::new(*normal, 0.0).into(),
    })
}
