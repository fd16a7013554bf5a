//! What steps find: pairs, contacts and events; and the bodies that do not move.

use super::{
    Motion, PairEvent, StopEvent, StopReason,
    bodies::Bodies,
    carried_values::{CarriedValue, CarriedValues},
};
use crate::{Contact, Detector, Error, Handle, Index, Narrowphase, Pair, PairDiff, Shapes};

/// The bodies that do not move, sorted until one of them changes.
#[derive(Debug, Default)]
pub(super) struct RestingBodies {
    shapes: Shapes,
    pub(super) index: Index,
    /// The row of each shape.
    pub(super) rows: Vec<u32>,
    /// Pairs among resting bodies where at least one body is not static, and their contacts.
    pub(super) pairs: Vec<Pair>,
    pub(super) contacts: Vec<Contact>,
}

/// What a step has found.
#[derive(Debug, Default)]
pub(super) struct StepResults {
    pub(super) pairs: Vec<Pair>,
    pub(super) contacts: Vec<Contact>,
    pub(super) kept: CarriedValues,
    pub(super) diff: PairDiff,
    pub(super) started: Vec<PairEvent>,
    pub(super) persisted: Vec<PairEvent>,
    pub(super) stopped: Vec<StopEvent>,
    /// Workspace.
    pub(super) against: Vec<Pair>,
    pub(super) solid: Vec<Pair>,
}

/// What the caller has changed since the last step.
#[derive(Debug, Default, Clone)]
pub(super) struct Changes {
    /// The bodies that are gone, with the values of the caller.
    pub(super) removed: Vec<(Handle, u64)>,
    pub(super) reshaped: Vec<Handle>,
}

/// The results of the last [`World::step`](crate::World::step), lent until the next one.
///
/// Pairs and contacts name rows: [`World::handle`](crate::World::handle) has the handle of a row.
/// Events name handles.
#[derive(Debug, Clone, Copy)]
pub struct Step<'a> {
    found: &'a StepResults,
}

impl<'a> Step<'a> {
    pub(super) fn new(found: &'a StepResults) -> Self {
        Self { found }
    }

    /// The pairs of bodies that touch, pairs with sensors included, as rows: `a < b`. The order is
    /// a function of the calls so far.
    pub fn pairs(&self) -> &'a [Pair] {
        &self.found.pairs
    }

    /// The contacts of the pairs without a sensor, as rows, in the order of the pairs. A pair with
    /// a compound has one for each two parts that touch.
    pub fn contacts(&self) -> &'a [Contact] {
        &self.found.contacts
    }

    /// The pairs that touch since this step, by handles.
    pub fn started(&self) -> &'a [PairEvent] {
        &self.found.started
    }

    /// The pairs that touched in the last step and still do, by handles.
    pub fn persisted(&self) -> &'a [PairEvent] {
        &self.found.persisted
    }

    /// The pairs that touched in the last step and no longer do, by handles. They also name bodies
    /// that are gone.
    pub fn stopped(&self) -> &'a [StopEvent] {
        &self.found.stopped
    }

    /// The values of the contacts: see [`World::contacts_mut`](crate::World::contacts_mut).
    pub fn values(&self) -> &'a [CarriedValue] {
        &self.found.kept.values
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
    ) -> Result<(), Error> {
        let Self { shapes, index, rows, pairs, contacts } = self;
        rows.clear();
        rows.extend_from_slice(&bodies.rows()[1]);
        shapes.clear();
        shapes.extend_from_rows(bodies.shapes.columns(), rows)?;
        index.rebuild(&*shapes)?;
        let fixed = |at: u32| bodies.motion(rows[at as usize]) == Motion::Static;
        let accept = |a: u32, b: u32| !(fixed(a) && fixed(b));
        detector.pairs(shapes.columns().with_predicate(&accept), pairs)?;
        for Pair { a, b } in &mut *pairs {
            (*a, *b) = (rows[*a as usize], rows[*b as usize]);
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

impl StepResults {
    /// Writes the events.
    pub(super) fn write_events(&mut self, bodies: &Bodies, changes: &mut Changes) {
        let Self { pairs, diff, started, persisted, stopped, .. } = self;
        let event = |a: u64, b: u64, index: u32| {
            let [a, b] = [Handle::from_bits(a)?, Handle::from_bits(b)?];
            let [user_a, user_b] = [a, b].map(|body| bodies.users[body.row() as usize]);
            let sensor = senses(&bodies.shapes, pairs[index as usize]);
            Some(PairEvent { a, b, user_a, user_b, sensor, index })
        };
        started.clear();
        started.extend(diff.started().iter().filter_map(|pair| event(pair.a, pair.b, pair.index)));
        persisted.clear();
        let persisting = diff.persisted().iter();
        persisted.extend(persisting.filter_map(|pair| event(pair.a, pair.b, pair.index)));
        changes.removed.sort_unstable();
        changes.reshaped.sort_unstable();
        let user = |body: Handle| {
            if bodies.contains(body) {
                return Some(bodies.users[body.row() as usize]);
            }
            let place = changes.removed.binary_search_by_key(&body, |(gone, _)| *gone).ok()?;
            Some(changes.removed[place].1)
        };
        stopped.clear();
        stopped.extend(diff.stopped().iter().filter_map(|pair| {
            let [a, b] = [Handle::from_bits(pair.a)?, Handle::from_bits(pair.b)?];
            let reason = reason(bodies, changes, a, b);
            Some(StopEvent { a, b, user_a: user(a)?, user_b: user(b)?, reason })
        }));
    }

    /// The bytes of memory held.
    pub(super) fn bytes(&self) -> usize {
        let Self { pairs, contacts, kept, diff, started, persisted, stopped, against, solid } =
            self;
        (pairs.capacity() + against.capacity() + solid.capacity()) * size_of::<Pair>()
            + contacts.capacity() * size_of::<Contact>()
            + kept.bytes()
            + diff.bytes()
            + (started.capacity() + persisted.capacity()) * size_of::<PairEvent>()
            + stopped.capacity() * size_of::<StopEvent>()
    }
}

/// Why a pair stopped.
fn reason(bodies: &Bodies, changes: &Changes, a: Handle, b: Handle) -> StopReason {
    if !bodies.contains(a) || !bodies.contains(b) {
        return StopReason::Removed;
    }
    let filters = [a, b].map(|body| bodies.shapes.filter(body.row()).unwrap_or_default());
    let fixed = |body: Handle| bodies.motion(body.row()) == Motion::Static;
    if !filters[0].meets(&filters[1]) || (fixed(a) && fixed(b)) {
        return StopReason::Filtered;
    }
    if [a, b].iter().any(|body| changes.reshaped.binary_search(body).is_ok()) {
        return StopReason::Changed;
    }
    StopReason::Apart
}

impl RestingBodies {
    /// The bytes of memory held.
    pub(super) fn bytes(&self) -> usize {
        let Self { shapes, index, rows, pairs, contacts } = self;
        shapes.bytes()
            + index.bytes()
            + rows.capacity() * size_of::<u32>()
            + pairs.capacity() * size_of::<Pair>()
            + contacts.capacity() * size_of::<Contact>()
    }
}
