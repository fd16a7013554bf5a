//! What steps find: pairs, contacts and events; and the bodies that do not move.

use std::sync::Arc;

use super::{Motion, PairEvent, StopEvent, bodies::Bodies};
use crate::{Contact, Detector, Error, Handle, Index, Narrowphase, Pair, Shapes, base::copied};

/// The bodies that do not move, sorted until one of them changes.
#[derive(Debug, Default)]
pub(super) struct RestingBodies {
    shapes: Shapes,
    pub(super) index: Index,
    /// The row of each shape.
    pub(super) rows: Vec<u32>,
    /// Workspace: the space of each shape, if the bodies have spaces.
    spaces: Vec<u32>,
    /// Pairs among resting bodies where at least one body is not static, and their contacts.
    pub(super) pairs: Vec<Pair>,
    pub(super) contacts: Vec<Contact>,
}

copied!(RestingBodies { shapes, index, rows, pairs, contacts } but { spaces });

/// The lists of a step.
#[derive(Debug, Default)]
pub(super) struct StepLists {
    pub(super) pairs: Vec<Pair>,
    pub(super) contacts: Vec<Contact>,
    pub(super) started: Vec<PairEvent>,
    pub(super) stopped: Vec<StopEvent>,
}

/// What the caller has changed since the last step.
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
    /// The bytes of memory held.
    pub(super) fn bytes(&self) -> usize {
        let Self { removed, reshaped, gone } = self;
        removed.capacity() * size_of::<(Handle, u64)>()
            + reshaped.capacity() * size_of::<u64>()
            + gone.capacity()
    }

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

/// What removed bodies are sorted by.
pub(super) fn row_and_handle((handle, _): &(Handle, u64)) -> (u32, Handle) {
    (handle.row(), *handle)
}

/// The results of a [`World::step`](crate::World::step).
///
/// They are yours: the world may be changed while you read them, in a loop over contacts that moves
/// bodies, say. A clone shares them. If you have dropped a step before the one after the next, the
/// world writes that one in its memory.
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
    /// a compound has one for each two parts that touch.
    ///
    /// With a [margin](crate::World::set_margin), also the contacts of bodies that are about to
    /// touch, whose depth is below 0 and which are no pairs yet. The order is then one of its own,
    /// unless it is [`Order::Sorted`](crate::Order::Sorted).
    pub fn contacts(&self) -> &[Contact] {
        &self.0.contacts
    }

    /// The pairs that touch since this step, by handles, sorted by their rows. As in pairs, the
    /// first body of each is the one in the smaller row.
    pub fn started(&self) -> &[PairEvent] {
        &self.0.started
    }

    /// The pairs that touched in the step before and no longer do, by handles: first the pairs
    /// of removed bodies, in the order of the last step, then the others, sorted by their rows.
    pub fn stopped(&self) -> &[StopEvent] {
        &self.0.stopped
    }

    /// The lists, to be written anew: these, or new ones if the caller still has these.
    pub(super) fn lists_mut(&mut self) -> &mut StepLists {
        if Arc::get_mut(&mut self.0).is_none() {
            *self = Self::default();
        }
        Arc::get_mut(&mut self.0).unwrap_or_else(|| unreachable!("nobody else has it"))
    }

    /// The bytes of memory held.
    pub(super) fn bytes(&self) -> usize {
        let StepLists { pairs, contacts, started, stopped } = &*self.0;
        pairs.capacity() * size_of::<Pair>()
            + contacts.capacity() * size_of::<Contact>()
            + started.capacity() * size_of::<PairEvent>()
            + stopped.capacity() * size_of::<StopEvent>()
    }
}

impl RestingBodies {
    /// Sorts the bodies that do not move, and finds the pairs among them.
    pub(super) fn sort(
        &mut self,
        bodies: &mut Bodies,
        detector: &mut Detector,
        narrowphase: &mut Narrowphase,
        solid: &mut Vec<Pair>,
        margin: f32,
    ) -> Result<(), Error> {
        let Self { shapes, index, rows, spaces, pairs, contacts } = self;
        rows.clear();
        rows.extend_from_slice(&bodies.rows()[1]);
        shapes.clear();
        shapes.extend_from_rows(bodies.shapes.columns(), rows)?;
        let mut columns = shapes.columns();
        if !bodies.spaces.is_empty() {
            spaces.clear();
            spaces.extend(rows.iter().map(|row| bodies.space(*row)));
            columns = columns.with_spaces(spaces)?;
        }
        index.rebuild(columns)?;
        let fixed = |at: u32| bodies.motion(rows[at as usize]) == Motion::Static;
        let accept = |a: u32, b: u32| !(fixed(a) && fixed(b));
        let columns = columns.with_predicate(&accept);
        detector.pairs(columns, pairs)?;
        for Pair { a, b } in &mut *pairs {
            (*a, *b) = (rows[*a as usize], rows[*b as usize]);
        }
        if margin > 0.0 {
            detector.contacts(columns, margin, contacts)?;
            for contact in &mut *contacts {
                let Pair { a, b } = contact.pair;
                contact.pair = Pair { a: rows[a as usize], b: rows[b as usize] };
            }
            return Ok(());
        }
        solid.clear();
        solid.extend(pairs.iter().filter(|pair| !senses(&bodies.shapes, **pair)));
        narrowphase.contacts(&bodies.shapes, solid, 0.0, contacts)
    }
}

/// Whether one of two bodies is a sensor.
pub(super) fn senses(shapes: &Shapes, Pair { a, b }: Pair) -> bool {
    shapes.is_sensor(a) || shapes.is_sensor(b)
}

impl RestingBodies {
    /// The bytes of memory held.
    pub(super) fn bytes(&self) -> usize {
        let Self { shapes, index, rows, spaces, pairs, contacts } = self;
        shapes.bytes()
            + index.bytes()
            + (rows.capacity() + spaces.capacity()) * size_of::<u32>()
            + pairs.capacity() * size_of::<Pair>()
            + contacts.capacity() * size_of::<Contact>()
    }
}
