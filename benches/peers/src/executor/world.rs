//! widephase: a `World` that is stepped, and the stateless calls on the same columns.

use anyhow::{Result, ensure};
use widephase::{
    Body as Properties, Contact, Detector, Handle, Options, Pair, PairDiff, SimdLevel, World,
    shape::{Circle, Pose},
};

use super::{contract::Executor, widephase::options};
use crate::bodies::{Body, Rows};

/// Whether setting the poses of a step is part of the timed call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Poses {
    Timed,
    Before,
}

/// A world whose bodies have the rows of the columns: `set_poses` for all bodies, then a step with
/// pairs, contacts and events.
pub struct Step {
    options: Options,
    timed: Poses,
    world: World,
    handles: Vec<Handle>,
    poses: Vec<Pose>,
    /// The pairs that touch by the events so far.
    touching: usize,
}

impl Step {
    pub fn new(level: Option<SimdLevel>, timed: Poses) -> Result<Self> {
        let options = options(level);
        let world = World::with_options(options)?;
        Ok(Self { options, timed, world, handles: Vec::new(), poses: Vec::new(), touching: 0 })
    }

    fn set_poses(&mut self) -> Result<()> {
        Ok(self.world.set_poses(&self.handles, &self.poses)?)
    }
}

impl<R: Rows> Executor<R> for Step {
    fn begin(&mut self, rows: &R) -> Result<()> {
        self.world = World::with_options(self.options)?;
        self.handles.clear();
        self.touching = 0;
        for body in rows.bodies() {
            self.handles.push(insert(&mut self.world, body)?);
        }
        Ok(())
    }

    fn prepare(&mut self, rows: &R) -> Result<()> {
        self.poses.clear();
        self.poses.extend(rows.bodies().map(|body| Pose::at(body.center())));
        if self.timed == Poses::Before {
            self.set_poses()?;
        }
        Ok(())
    }

    fn detect(&mut self, _rows: &R, _pairs: &mut Vec<Pair>) -> Result<()> {
        if self.timed == Poses::Timed {
            self.set_poses()?;
        }
        let step = self.world.step()?;
        self.touching += step.started().len();
        self.touching -= step.stopped().len();
        Ok(())
    }

    fn kept(&self, pairs: &mut Vec<Pair>) -> Result<()> {
        let step = self.world.last_step();
        pairs.extend_from_slice(step.pairs());
        let (kept, told) =
            (step.pairs().len(), step.started().len() + self.world.persisted().count());
        ensure!(step.contacts().len() == kept, "{} contacts", step.contacts().len());
        ensure!([self.touching, told] == [kept; 2], "{kept} pairs, {} by events", self.touching);
        Ok(())
    }
}

/// `Detector::contacts`, whose memory is used again.
pub struct Contacts {
    detector: Detector,
    contacts: Vec<Contact>,
}

impl Contacts {
    pub fn new() -> Result<Self> {
        Ok(Self { detector: Detector::with_options(options(None))?, contacts: Vec::new() })
    }
}

impl<R: Rows> Executor<R> for Contacts {
    fn detect(&mut self, rows: &R, _pairs: &mut Vec<Pair>) -> Result<()> {
        Ok(self.detector.contacts(rows.columns()?, 0.0, &mut self.contacts)?)
    }

    fn kept(&self, pairs: &mut Vec<Pair>) -> Result<()> {
        pairs.extend(self.contacts.iter().map(|contact| contact.pair));
        Ok(())
    }
}

/// `Detector::pairs`, and events by a `PairDiff`: a step without a world and without contacts.
pub struct Events {
    detector: Detector,
    diff: PairDiff,
    touching: usize,
}

impl Events {
    pub fn new() -> Result<Self> {
        let detector = Detector::with_options(options(None))?;
        Ok(Self { detector, diff: PairDiff::new(), touching: 0 })
    }
}

impl<R: Rows> Executor<R> for Events {
    fn begin(&mut self, _rows: &R) -> Result<()> {
        (self.diff, self.touching) = (PairDiff::new(), 0);
        Ok(())
    }

    fn detect(&mut self, rows: &R, pairs: &mut Vec<Pair>) -> Result<()> {
        self.detector.pairs(rows.columns()?, pairs)?;
        self.diff.update(pairs)?;
        self.touching += self.diff.started().len();
        self.touching -= self.diff.stopped().len();
        Ok(())
    }

    fn kept(&self, pairs: &mut Vec<Pair>) -> Result<()> {
        ensure!(self.touching == pairs.len(), "{} pairs by events", self.touching);
        Ok(())
    }
}

/// Inserts a body as the simplest shape that it is.
fn insert(world: &mut World, body: impl Body) -> Result<Handle> {
    let shape = body.rounded_box();
    let core = shape.core();
    Ok(if core.size() == 0.0 {
        world.insert(Circle::new(core.center(), shape.radius), Properties::default())?
    } else if shape.radius == 0.0 {
        world.insert(core, Properties::default())?
    } else {
        world.insert(shape, Properties::default())?
    })
}
