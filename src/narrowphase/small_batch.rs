//! A few pairs at a time, in room that each thread keeps.

use std::cell::Cell;

use super::{
    Contact,
    jobs::{Job, KernelKind},
    kernels::{Contacts, Tests},
    output::ContactKey,
    parts::PartPairs,
    rule::{PairQuery, plan},
    tile::Tile,
    view::Sources,
};
use crate::{
    Pair,
    simd::{MAX_LANES, dispatch},
};

/// What deciding a few pairs takes beside the stack.
#[derive(Debug, Default)]
struct Room {
    tile: Tile,
    parts: PartPairs,
}

thread_local! {
    /// That of the pairs before, so that calls which have nobody to keep it allocate nothing. It is taken out
    /// while it is in use: whatever happens then, there is no room that two calls could be in.
    static ROOM: Cell<Option<Box<Room>>> = const { Cell::new(None) };
}

/// The most bytes that a thread keeps: no caller can give them back.
const MOST_KEPT: usize = 1 << 20;

impl Room {
    /// Calls `work` with the room of this thread.
    fn with(work: impl FnOnce(&mut Self)) {
        // A thread that is about to end may have none any more.
        let mut room = ROOM.try_with(Cell::take).ok().flatten().unwrap_or_default();
        work(&mut room);
        if room.tile.bytes() + room.parts.bytes() <= MOST_KEPT {
            // Else it is dropped, as where there is none to come back to.
            let _ = ROOM.try_with(|kept| kept.set(Some(room)));
        }
    }
}

/// At least one pair and at most a tile of them, all of one task: shapes that are no compounds, and whose
/// boxes touch or are no further apart than the margin.
pub(super) struct SmallBatch<'a> {
    rule: &'a PairQuery<'a>,
    task: KernelKind,
    jobs: &'a [Job],
    names: &'a [ContactKey],
    tile: &'a mut Tile,
}

impl SmallBatch<'_> {
    /// Hands the pair to `take`, or if there is a compound, pairs of parts in their order, as many of one
    /// task as follow each other, until it says that it has had enough. The boxes of the pair touch, or are
    /// no further apart than the margin.
    ///
    /// Pairs of parts that their boxes decide are handed over like others, and wait for their turn.
    pub(super) fn each(rule: &PairQuery<'_>, pair: Pair, take: impl FnMut(SmallBatch<'_>) -> bool) {
        Room::with(|room| Self::each_in(room, rule, pair, take));
    }

    /// The same, in a room.
    fn each_in(
        room: &mut Room,
        rule: &PairQuery<'_>,
        pair: Pair,
        mut take: impl FnMut(SmallBatch<'_>) -> bool,
    ) {
        let Room { tile, parts } = room;
        let sources = Sources::of(&rule.sets);
        let members = rule.members(pair);
        let plan = plan(&sources, members);
        if plan.task != KernelKind::Parts {
            let (jobs, names) = (&[plan.job(members, 0)], &[rule.name(pair, [0, 0])]);
            take(SmallBatch { rule, task: plan.task, jobs, names, tile });
            return;
        }
        let (mut jobs, mut names) =
            ([Job::default(); MAX_LANES], [ContactKey::default(); MAX_LANES]);
        // Of none yet.
        let (mut task, mut count) = (KernelKind::Parts, 0);
        parts.begin(rule, &sources, members);
        while parts.find(rule, &sources, [members; 2]) {
            for &numbers in &parts.found {
                let members = parts.members(numbers);
                let plan = self::plan(&sources, members);
                if count == MAX_LANES || (count > 0 && plan.task != task) {
                    let (jobs, names) = (&jobs[..count], &names[..count]);
                    if take(SmallBatch { rule, task, jobs, names, tile }) {
                        return;
                    }
                    count = 0;
                }
                task = plan.task;
                jobs[count] = plan.job(members, count as u32);
                names[count] = rule.name(pair, numbers);
                count += 1;
            }
        }
        if count > 0 {
            take(SmallBatch { rule, task, jobs: &jobs[..count], names: &names[..count], tile });
        }
    }

    /// Whether any of them touch.
    pub(super) fn touch(self) -> bool {
        let Self { rule, task, jobs, tile, .. } = self;
        let mut hits = [task.is_axis_aligned(); MAX_LANES];
        if !task.is_axis_aligned() {
            let hits = &mut hits;
            dispatch(rule.isa, Tests { rule, task, jobs, tile, hits });
        }
        hits.contains(&true)
    }

    /// The [deepest](deeper) contact.
    pub(super) fn deepest(self) -> Option<Contact> {
        // A kilobyte of contacts is not cleared for one pair.
        match self.jobs.len() {
            1 => self.deepest_of(&mut [Contact::default()]),
            _ => self.deepest_of(&mut [Contact::default(); MAX_LANES]),
        }
    }

    /// The same, with room for all.
    fn deepest_of(self, contacts: &mut [Contact]) -> Option<Contact> {
        let Self { rule, task, jobs, names, tile } = self;
        let (in_order, mut kept) = (true, 0);
        let (into, count) = (&mut *contacts, &mut kept);
        let work =
            Contacts { rule, task, jobs, tile, names, contacts: into, in_order, kept: count };
        dispatch(rule.isa, work);
        contacts[..kept].iter().copied().reduce(deeper)
    }
}

/// The deeper of two contacts. If both are as deep, that whose first point is further left, or lower, which is the
/// same whichever shape comes first; in one point, the first.
pub(super) fn deeper(first: Contact, second: Contact) -> Contact {
    let [one, other] =
        [&first, &second].map(|contact| [-contact.depth, contact.point[0].x, contact.point[0].y]);
    if other < one { second } else { first }
}
