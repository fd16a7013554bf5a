//! The results of steps: pairs, contacts and events; how pairs of rows become events of bodies;
//! and how fast bodies that touch approach each other.

use std::sync::{
    Arc,
    atomic::{AtomicU64, Ordering},
};

use super::{Motion, PairEvent, StopEvent, StopReason, Velocity, bodies::Bodies, near::NearBodies};
use crate::{
    base::{Handle, Held, Pair, copied, held, parallel},
    detector::Detector,
    error::{Error, limit::try_reserve},
    events::{StartedPair, StoppedPair, pair_diff::PairDiff},
    narrowphase::{contact::Contact, listed_pairs::Narrowphase},
    options::{BODIES_PER_DECISION, Threads, uses_pool},
    simd::{DECISIONS_AHEAD, map_each, prefetch_at},
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

/// Bodies by the rows of a step.
struct Named<'a> {
    bodies: &'a Bodies,
    /// The bodies that were removed after the step, sorted by their rows.
    removed: &'a [(Handle, u64)],
}

impl Named<'_> {
    /// The handle and the value of the caller of the body that the row had in the step.
    #[inline]
    fn body(&self, row: u64) -> (Handle, u64) {
        let Self { bodies, removed } = self;
        let place = removed.partition_point(|(handle, _)| u64::from(handle.row()) < row);
        match removed.get(place).filter(|(handle, _)| u64::from(handle.row()) == row) {
            Some(removed) => *removed,
            None => (bodies.last_handle(row as u32), bodies.users[row as usize]),
        }
    }

    /// The event of a pair, which is at `index` in a step and whose contacts begin at `contact`.
    #[inline]
    fn event(&self, contacts: &[Contact], rows: [u64; 2], index: u32, contact: u32) -> PairEvent {
        let [a, b] = rows;
        let senses = senses(&self.bodies.index.shapes, Pair { a: a as u32, b: b as u32 });
        let speed = self.bodies.approach(contacts, contact);
        let [(a, user_a), (b, user_b)] = map_each(rows, |row| self.body(row));
        PairEvent { a, b, user_a, user_b, index, contact, speed, senses: u32::from(senses) }
    }

    /// Prefetches the bodies of a pair.
    #[inline]
    fn prefetch(&self, rows: Option<[u64; 2]>) {
        for row in rows.into_iter().flatten() {
            prefetch_at(&self.bodies.ids, row as usize);
            prefetch_at(&self.bodies.users, row as usize);
        }
    }
}

impl StepLists {
    /// Writes the events. The changes must be sorted. `first` returns the place of the first
    /// contact of the pair that started with a number and is at an index.
    pub(super) fn write_events(
        &mut self,
        diff: &PairDiff,
        bodies: &Bodies,
        changes: &Changes,
        threads: Threads,
        first: impl Fn(usize, u32) -> u32 + Sync,
    ) {
        let Self { contacts, started, stopped, .. } = self;
        let (named, pairs) = (Named { bodies, removed: &[] }, diff.started());
        write_all(started, pairs.len(), threads, |number| {
            named.prefetch(pairs.get(number + DECISIONS_AHEAD).map(|pair| [pair.a, pair.b]));
            let StartedPair { a, b, index } = pairs[number];
            named.event(contacts, [a, b], index, first(number, index))
        });
        let (named, pairs) = (Named { bodies, removed: &changes.removed }, diff.stopped());
        write_all(stopped, pairs.len(), threads, |number| {
            named.prefetch(pairs.get(number + DECISIONS_AHEAD).map(|pair| [pair.a, pair.b]));
            let StoppedPair { a, b, .. } = pairs[number];
            let [(a, user_a), (b, user_b)] = map_each([a, b], |row| named.body(row));
            StopEvent { a, b, user_a, user_b, reason: reason(bodies, changes, a, b) }
        });
    }
}

/// Replaces a list by an item for each number below `len`: if the items are many, on the pool.
fn write_all<T: Copy + Send>(
    list: &mut Vec<T>,
    len: usize,
    threads: Threads,
    item: impl Fn(usize) -> T + Sync,
) {
    list.clear();
    if len == 0 || !uses_pool(threads, len * BODIES_PER_DECISION) {
        return list.extend((0..len).map(item));
    }
    list.resize(len, item(0));
    parallel::change(list, true, &|number, event| *event = item(number));
}

/// The events of the pairs that persist: see [`World::persisted`](crate::World::persisted).
/// `first` returns the place of the first contact of the pair at an index.
pub(super) fn persisted<'a>(
    diff: &'a PairDiff,
    contacts: &'a [Contact],
    bodies: &'a Bodies,
    changes: &Changes,
    first: impl Fn(u32) -> u32,
) -> impl Iterator<Item = PairEvent> {
    let mut removed = changes.removed.clone();
    removed.sort_unstable_by_key(row_and_handle);
    diff.persisted().map(move |pair| {
        let named = Named { bodies, removed: &removed };
        named.event(contacts, [pair.a, pair.b], pair.index, first(pair.index))
    })
}

/// Why a pair stopped.
fn reason(bodies: &Bodies, changes: &Changes, a: Handle, b: Handle) -> StopReason {
    if !bodies.contains(a) || !bodies.contains(b) {
        return StopReason::Removed;
    }
    let filters =
        map_each([a, b], |body| bodies.index.shapes.filter(body.row()).unwrap_or_default());
    let fixed = |body: Handle| bodies.motion(body.row()) == Motion::Static;
    if !filters[0].meets(&filters[1]) || (fixed(a) && fixed(b)) {
        return StopReason::Filtered;
    }
    if [a, b].iter().any(|body| changes.reshaped.binary_search(&body.id()).is_ok()) {
        return StopReason::Changed;
    }
    StopReason::Apart
}

impl Bodies {
    /// The velocity of the body in a row.
    pub(super) fn velocity(&self, row: u32) -> Velocity {
        self.velocities.get(row as usize).copied().unwrap_or_default()
    }

    /// How fast the bodies of a pair, whose contacts begin at a place, approach each other.
    #[inline]
    pub(super) fn approach(&self, contacts: &[Contact], first: u32) -> f32 {
        if self.velocities.is_empty() {
            return 0.0;
        }
        let mut fastest = 0.0_f32;
        for contact in contacts_from(contacts, first) {
            let Pair { a, b } = contact.pair;
            let [(a, own_a), (b, own_b)] = map_each([a, b], |row| {
                let pose = self.index.shapes.pose(row).unwrap_or_default();
                ([pose.x, pose.y], self.velocity(row))
            });
            for point in contact.points() {
                let at = [point.x, point.y];
                let ([ax, ay], [bx, by]) = (own_a.at(a, at), own_b.at(b, at));
                fastest = fastest.max((ax - bx) * contact.normal_x + (ay - by) * contact.normal_y);
            }
        }
        if fastest.is_finite() { fastest } else { f32::MAX }
    }
}

/// The contacts of the pair of the contact at a place, which are in a row.
fn contacts_from(contacts: &[Contact], first: u32) -> &[Contact] {
    let Some(own) = contacts.get(first as usize..).filter(|own| !own.is_empty()) else {
        return &[];
    };
    let more = own.iter().take_while(|contact| contact.pair == own[0].pair);
    &own[..more.count()]
}
