//! The results of steps: pairs, contacts and events.

use std::sync::{
    Arc,
    atomic::{AtomicU64, Ordering},
};

use super::{PairEvent, StopEvent, bodies::Bodies, near::NearBodies};
use crate::{
    base::{Handle, Held, Pair, copied, held},
    detector::Detector,
    error::{Error, limit::try_reserve},
    narrowphase::{contact::Contact, listed_pairs::Narrowphase},
    store::Shapes,
};

/// Which pairs among bodies that do not move: no two lists of them have the same version, in any
/// world. Lists without them have version 0.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(super) struct Version(u64);

impl Version {
    /// Notes that the list has changed.
    pub(super) fn renew(&mut self) {
        static NEXT: AtomicU64 = AtomicU64::new(1);
        self.0 = NEXT.fetch_add(1, Ordering::Relaxed);
    }
}

/// Pairs and their contacts.
#[derive(Debug, Default)]
pub(super) struct FoundPairs {
    pub(super) pairs: Vec<Pair>,
    pub(super) contacts: Vec<Contact>,
}

copied!(FoundPairs { pairs, contacts });

/// The tools that find pairs and contacts.
pub(super) struct Finder<'a> {
    pub(super) detector: &'a mut Detector,
    pub(super) narrowphase: &'a mut Narrowphase,
    pub(super) near: &'a mut NearBodies,
    /// Workspace: pairs without a sensor.
    pub(super) solid: &'a mut Vec<Pair>,
    pub(super) margin: f32,
}

/// The lists of a step.
#[derive(Debug, Default)]
pub(super) struct StepLists {
    pub(super) pairs: Vec<Pair>,
    pub(super) contacts: Vec<Contact>,
    pub(super) started: Vec<PairEvent>,
    pub(super) stopped: Vec<StopEvent>,
    /// The version of the pairs of bodies that do not move, with which the lists begin.
    pub(super) begin: Version,
}

held!(StepLists { pairs, contacts, started, stopped, begin });

/// The changes by the caller since the last step.
#[derive(Debug, Default)]
pub(super) struct Changes {
    /// The bodies that are gone, with the values of the caller.
    pub(super) removed: Vec<(Handle, u64)>,
    /// The [ids](Handle::id) of the bodies that have other shapes.
    pub(super) reshaped: Vec<u64>,
    /// Workspace: whether a body of each row is gone.
    gone: Vec<bool>,
}

copied!(Changes { removed, reshaped } but { gone });

impl Changes {
    /// Sorts the changes, and returns whether a body of each row is gone, if any is.
    pub(super) fn gone_rows(&mut self, rows: usize) -> Option<&[bool]> {
        let Self { removed, reshaped, gone } = self;
        removed.sort_unstable_by_key(row_and_handle);
        reshaped.sort_unstable();
        if removed.is_empty() {
            return None;
        }
        gone.clear();
        gone.resize(rows, false);
        for (handle, _) in &*removed {
            gone[handle.row() as usize] = true;
        }
        Some(gone)
    }
}

/// The key that removed bodies are sorted by.
pub(super) fn row_and_handle((handle, _): &(Handle, u64)) -> (u32, Handle) {
    (handle.row(), *handle)
}

/// The results of a [`World::step`](crate::World::step).
///
/// They are yours: the world may be changed while you read them, in a loop over contacts that moves
/// bodies, say. A clone shares them. If you drop a step before the next but one, the world writes
/// that step in its memory.
///
/// Pairs and contacts name rows: [`World::handle`](crate::World::handle) has the handle of a row.
/// Events name handles.
#[derive(Debug, Clone, Default)]
pub struct Step(pub(super) Arc<StepLists>);

impl Step {
    /// The pairs of bodies that touch, pairs with sensors included, as rows: `a < b`. With
    /// [`Order::Sorted`](crate::Order::Sorted), they are sorted by `a`, then by `b`; else the order
    /// is a function of the calls so far.
    pub fn pairs(&self) -> &[Pair] {
        &self.0.pairs
    }

    /// The contacts of the pairs without a sensor, as rows, in the order of the pairs. A pair with
    /// a compound has a contact for each two parts that touch.
    ///
    /// With a [margin](crate::World::set_margin), also the contacts of bodies that are about to
    /// touch, whose depth is below 0 and which are no pairs yet. The order is then another, unless
    /// it is [`Order::Sorted`](crate::Order::Sorted).
    pub fn contacts(&self) -> &[Contact] {
        &self.0.contacts
    }

    /// The pairs that touch since this step, by handles, sorted by their rows. As in pairs, the
    /// first body of each pair is the body in the smaller row.
    pub fn started(&self) -> &[PairEvent] {
        &self.0.started
    }

    /// The pairs that touched in the step before and no longer do, by handles: first the pairs of
    /// removed bodies, in the order of the last step, then the other pairs, sorted by their rows.
    pub fn stopped(&self) -> &[StopEvent] {
        &self.0.stopped
    }

    /// The lists, to be written anew: new lists if the caller still has these.
    pub(super) fn lists_mut(&mut self) -> &mut StepLists {
        if Arc::get_mut(&mut self.0).is_none() {
            *self = Self::default();
        }
        Arc::get_mut(&mut self.0).unwrap_or_else(|| unreachable!("nobody else has it"))
    }
}

impl Held for Step {
    fn bytes(&self) -> usize {
        self.0.bytes()
    }
}

impl FoundPairs {
    pub(super) fn clear(&mut self) {
        self.pairs.clear();
        self.contacts.clear();
    }

    /// Appends the pairs and the contacts to other pairs and contacts.
    pub(super) fn add_to(
        &self,
        pairs: &mut Vec<Pair>,
        contacts: &mut Vec<Contact>,
    ) -> Result<(), Error> {
        try_reserve(pairs, self.pairs.len())?;
        try_reserve(contacts, self.contacts.len())?;
        pairs.extend_from_slice(&self.pairs);
        contacts.extend_from_slice(&self.contacts);
        Ok(())
    }

    /// Replaces the contacts by the contacts of the pairs without a sensor.
    pub(super) fn touch(&mut self, bodies: &Bodies, finder: &mut Finder<'_>) -> Result<(), Error> {
        let Finder { narrowphase, solid, .. } = finder;
        let shapes = &bodies.index.shapes;
        solid.clear();
        solid.extend(self.pairs.iter().filter(|pair| !senses(shapes, **pair)));
        narrowphase.contacts(shapes, solid, 0.0, &mut self.contacts)
    }
}

/// Appends pairs with bodies that do not move, each with its smaller row first.
pub(super) fn add_pairs(pairs: &mut Vec<Pair>, against: &[Pair]) -> Result<(), Error> {
    try_reserve(pairs, against.len())?;
    pairs.extend(against.iter().map(|&Pair { a, b }| Pair { a: a.min(b), b: a.max(b) }));
    Ok(())
}

/// Whether one of two bodies is a sensor.
pub(super) fn senses(shapes: &Shapes, Pair { a, b }: Pair) -> bool {
    shapes.is_sensor(a) || shapes.is_sensor(b)
}
