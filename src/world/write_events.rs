//! Pairs of rows that started, persist or stopped → events of bodies.

use super::{
    Motion, PairEvent, StopEvent, StopReason,
    bodies::Bodies,
    found::{Changes, StepLists, row_and_handle, senses},
};
use crate::{
    base::{Handle, Pair, parallel},
    events::{StartedPair, StoppedPair, pair_diff::PairDiff},
    narrowphase::contact::Contact,
    options::{BODIES_PER_DECISION, Threads, uses_pool},
    simd::{DECISIONS_AHEAD, map_each, prefetch_at},
};

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
