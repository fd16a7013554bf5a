//! `RestingList`: pairs with their contacts, of which few change in a step.

use super::{
    carried_values::add_firsts,
    found::{FoundPairs, StepLists, Version},
};
use crate::{
    base::{NO_ROW, Pair, copied},
    error::{Error, limit::try_reserve},
    events::Unchanged,
};

/// The pairs of bodies that do not move, and their contacts in the order of the pairs.
///
/// A change costs the pairs that change:
///
/// ```text
/// drop the pairs of the bodies that have changed
/// the last pair with as many contacts takes the place of a dropped one; the pairs behind it, which
///     have other numbers of contacts, move up
/// append the new pairs
/// ```
///
/// So the contacts of the pairs in front have the same places as before. Lists of a step that were
/// copied before the last changes are brought up to date by the changes since then.
#[derive(Debug, Default)]
pub(super) struct RestingList {
    found: FoundPairs,
    /// The place of the first contact of each pair, and the end of the contacts of the last pair.
    firsts: Vec<u32>,
    links: PairLinks,
    version: Version,
    /// The last changes, the newest first. The lists of the last two steps are not older.
    edits: [Edit; 2],
    /// Workspace: the dropped pairs, in groups with one number of contacts; the pairs that move up.
    dropped: Vec<DroppedPair>,
    groups: Vec<DroppedGroup>,
    behind: Vec<usize>,
}

copied!(RestingList { found, firsts, links, version, edits } but { dropped, groups, behind });

/// A change of the list.
#[derive(Debug, Default)]
struct Edit {
    /// The version before.
    from: Version,
    /// The first `len` pairs have not changed, except the pairs at the places `but`, which ascend.
    /// The contacts of the unchanged pairs are where they were.
    len: usize,
    but: Vec<u32>,
}

copied!(Edit { from, len, but });

/// A dropped pair.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct DroppedPair {
    contacts: u32,
    place: u32,
}

/// The dropped pairs with this number of contacts each. The pairs from `begin` to `end` still have
/// their places.
#[derive(Debug, Clone, Copy)]
struct DroppedGroup {
    contacts: u32,
    begin: usize,
    end: usize,
}

impl RestingList {
    /// The numbers of pairs and of contacts.
    pub(super) fn lens(&self) -> [usize; 2] {
        [self.found.pairs.len(), self.found.contacts.len()]
    }

    pub(super) fn clear(&mut self) {
        let Self { found, firsts, links, version, edits, .. } = self;
        found.clear();
        firsts.clear();
        links.clear();
        version.renew();
        for edit in edits {
            edit.from = Version::default();
        }
    }

    /// Replaces all pairs and contacts by the results of `find`. Returns whether the contacts are
    /// in the order of the pairs.
    ///
    /// # Errors
    /// The errors of `find`; [`Error::TooManyPairs`]; [`Error::OutOfMemory`]. The list has then to
    /// be replaced once more.
    pub(super) fn replace(
        &mut self,
        find: impl FnOnce(&mut FoundPairs) -> Result<(), Error>,
    ) -> Result<bool, Error> {
        self.clear();
        find(&mut self.found)?;
        self.link(0)
    }

    /// Drops the pairs of some rows, and appends other pairs with their contacts.
    ///
    /// # Errors
    /// [`Error::TooManyPairs`]; [`Error::OutOfMemory`]. The list has then to be replaced.
    pub(super) fn change(&mut self, rows: &[u32], fresh: &FoundPairs) -> Result<(), Error> {
        self.list_dropped(rows);
        self.edits.swap(0, 1);
        self.edits[0].from = self.version;
        self.version.renew();
        self.fill();
        let FoundPairs { pairs, contacts } = &mut self.found;
        let len = pairs.len();
        fresh.add_to(pairs, contacts)?;
        self.link(len)?;
        Ok(())
    }

    /// Notes where the pairs from a place on are, and their contacts. Returns whether the contacts
    /// are in the order of the pairs.
    fn link(&mut self, from: usize) -> Result<bool, Error> {
        let Self { found: FoundPairs { pairs, contacts }, firsts, links, .. } = self;
        let pairs = &pairs[from..];
        try_reserve(firsts, pairs.len() + 1)?;
        links.reserve(pairs.len())?;
        let begin = firsts.pop().unwrap_or(0) as usize;
        let end = add_firsts(contacts, pairs, begin, firsts);
        for pair in pairs {
            links.push(*pair);
        }
        Ok(end == contacts.len())
    }

    /// Takes the pairs of some rows out, and lists them by their numbers of contacts.
    fn list_dropped(&mut self, rows: &[u32]) {
        let Self { found, firsts, links, dropped, groups, .. } = self;
        dropped.clear();
        for place in rows.iter().flat_map(|row| links.places(*row)) {
            let contacts = firsts[place as usize + 1] - firsts[place as usize];
            dropped.push(DroppedPair { contacts, place });
        }
        dropped.sort_unstable();
        dropped.dedup();
        for pair in &*dropped {
            links.take_out(pair.place, found.pairs[pair.place as usize]);
        }
        groups.clear();
        let mut begin = 0;
        for group in dropped.chunk_by(|one, next| one.contacts == next.contacts) {
            let end = begin + group.len();
            groups.push(DroppedGroup { contacts: group[0].contacts, begin, end });
            begin = end;
        }
    }

    /// Puts the last pairs into the places of dropped pairs, each pair in the place of a pair with
    /// as many contacts. The pairs behind them that are in no such place move up.
    fn fill(&mut self) {
        let (mut end, mut left) = (self.found.pairs.len(), self.dropped.len());
        let mut behind = std::mem::take(&mut self.behind);
        behind.clear();
        self.edits[0].but.clear();
        while left > 0 {
            end -= 1;
            let contacts = self.firsts[end + 1] - self.firsts[end];
            let at = self.groups.binary_search_by_key(&contacts, |group| group.contacts);
            let group = at.ok().map(|at| &mut self.groups[at]);
            let Some(group) = group.filter(|group| group.begin < group.end) else {
                behind.push(end);
                continue;
            };
            left -= 1;
            if self.dropped[group.end - 1].place as usize == end {
                group.end -= 1;
                continue;
            }
            let place = self.dropped[group.begin].place;
            group.begin += 1;
            self.edits[0].but.push(place);
            self.move_to(end, place as usize);
        }
        let edit = &mut self.edits[0];
        edit.but.sort_unstable();
        // Places that were filled, and then left again.
        edit.but.truncate(edit.but.partition_point(|place| (*place as usize) < end));
        edit.len = end;
        for from in behind.iter().rev() {
            self.move_to(*from, end);
            end += 1;
        }
        self.behind = behind;
        let Self { found: FoundPairs { pairs, contacts }, firsts, links, .. } = self;
        pairs.truncate(end);
        firsts.truncate(end + 1);
        links.truncate(end);
        contacts.truncate(firsts.last().map_or(0, |end| *end as usize));
    }

    /// Moves a pair with its contacts to a place in front of it, whose contacts begin where they
    /// did, or are to begin.
    fn move_to(&mut self, from: usize, place: usize) {
        if from == place {
            return;
        }
        let Self { found: FoundPairs { pairs, contacts }, firsts, links, .. } = self;
        let (own, begin) = (firsts[from] as usize..firsts[from + 1] as usize, firsts[place]);
        let end = begin + own.len() as u32;
        contacts.copy_within(own, begin as usize);
        firsts[place + 1] = end;
        pairs[place] = pairs[from];
        links.move_to(from as u32, place as u32, pairs[from]);
    }

    /// Whether the lists of a step begin with all pairs.
    pub(super) fn is_in(&self, lists: &StepLists) -> bool {
        self.edits_since(lists.begin) == Some(0)
    }

    /// Brings the pairs and contacts of a step up to date. Pairs and contacts behind them are cut
    /// off.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`].
    pub(super) fn write_to(&self, lists: &mut StepLists) -> Result<(), Error> {
        let Self { found, firsts, version, edits, .. } = self;
        let StepLists { pairs, contacts, begin, .. } = lists;
        let since = self.edits_since(std::mem::take(begin));
        let edits = &edits[..since.unwrap_or(0)];
        let all = if since.is_some() { found.pairs.len() } else { 0 };
        let len = edits.iter().fold(all, |len, edit| len.min(edit.len));
        for place in edits.iter().flat_map(|edit| &edit.but) {
            let place = *place as usize;
            if place < len {
                pairs[place] = found.pairs[place];
                let own = firsts[place] as usize..firsts[place + 1] as usize;
                contacts[own.clone()].copy_from_slice(&found.contacts[own]);
            }
        }
        let touching = firsts.get(len).map_or(0, |first| *first as usize);
        pairs.truncate(len);
        contacts.truncate(touching);
        try_reserve(pairs, found.pairs.len() - len)?;
        try_reserve(contacts, found.contacts.len() - touching)?;
        pairs.extend_from_slice(&found.pairs[len..]);
        contacts.extend_from_slice(&found.contacts[touching..]);
        *begin = *version;
        Ok(())
    }

    /// The pairs that have not changed since the lists of a step.
    pub(super) fn unchanged_since(&self, lists: &StepLists) -> Unchanged<'_> {
        match self.edits_since(lists.begin) {
            Some(0) => Unchanged { len: self.found.pairs.len(), but: &[] },
            Some(1) => Unchanged { len: self.edits[0].len, but: &self.edits[0].but },
            _ => Unchanged::default(),
        }
    }

    /// How many changes have made the list of a version this one, if they are known.
    fn edits_since(&self, version: Version) -> Option<usize> {
        let versions = [self.version, self.edits[0].from, self.edits[1].from];
        let known = version != Version::default();
        versions.iter().position(|other| known && *other == version)
    }
}

/// For each row, its pairs in a list that changes: a chain through the places of the list.
///
/// A pair has two ends, one for each of its rows: its place times two, and plus one.
#[derive(Debug, Default)]
pub(super) struct PairLinks {
    /// The first end of each row, or [`NO_ROW`].
    firsts: Vec<u32>,
    /// The links of the two ends of each pair.
    links: Vec<[ChainLink; 2]>,
}

copied!(PairLinks { firsts, links });

/// The ends before and behind an end in the chain of its row, or [`NO_ROW`].
#[derive(Debug, Clone, Copy)]
struct ChainLink {
    before: u32,
    next: u32,
}

impl PairLinks {
    pub(super) fn clear(&mut self) {
        self.firsts.clear();
        self.links.clear();
    }

    /// Makes room for more pairs.
    ///
    /// # Errors
    /// [`Error::TooManyPairs`] if they are more than ends can be numbered for;
    /// [`Error::OutOfMemory`].
    pub(super) fn reserve(&mut self, more: usize) -> Result<(), Error> {
        let (limit, found) = (u64::from(NO_ROW / 2), (self.links.len() + more) as u64);
        if found > limit {
            return Err(Error::TooManyPairs { limit, found });
        }
        try_reserve(&mut self.links, more)
    }

    /// Adds the pair at the place behind the last pair.
    pub(super) fn push(&mut self, pair: Pair) {
        let end = 2 * self.links.len() as u32;
        self.links.push([ChainLink { before: NO_ROW, next: NO_ROW }; 2]);
        let rows = self.firsts.len().max(pair.a.max(pair.b) as usize + 1);
        self.firsts.resize(rows, NO_ROW);
        for (end, row) in (end..).zip([pair.a, pair.b]) {
            let next = std::mem::replace(&mut self.firsts[row as usize], end);
            self.set(end, ChainLink { before: NO_ROW, next });
            if next != NO_ROW {
                self.links[next as usize / 2][next as usize % 2].before = end;
            }
        }
    }

    /// Takes the pair at a place out of the chains of its rows. The place stays.
    pub(super) fn take_out(&mut self, place: u32, pair: Pair) {
        for (end, row) in (2 * place..).zip([pair.a, pair.b]) {
            let ChainLink { before, next } = self.link(end);
            self.join(row, before, next);
        }
    }

    /// Moves a pair to a place whose pair was taken out.
    pub(super) fn move_to(&mut self, from: u32, place: u32, pair: Pair) {
        for (side, row) in (0..).zip([pair.a, pair.b]) {
            let (end, link) = (2 * place + side, self.link(2 * from + side));
            self.set(end, link);
            self.join(row, link.before, end);
            self.join(row, end, link.next);
        }
    }

    /// Drops the places from one on, whose pairs were taken out or moved.
    pub(super) fn truncate(&mut self, len: usize) {
        self.links.truncate(len);
    }

    /// The places of the pairs of a row.
    pub(super) fn places(&self, row: u32) -> impl Iterator<Item = u32> {
        let known = |end: u32| Some(end).filter(|end| *end != NO_ROW);
        let first = self.firsts.get(row as usize).copied().and_then(known);
        std::iter::successors(first, move |end| known(self.link(*end).next)).map(|end| end / 2)
    }

    fn link(&self, end: u32) -> ChainLink {
        self.links[end as usize / 2][end as usize % 2]
    }

    fn set(&mut self, end: u32, link: ChainLink) {
        self.links[end as usize / 2][end as usize % 2] = link;
    }

    /// Joins two ends in the chain of a row. `before` may be no end: `next` is then the first. Or
    /// `next` may be no end.
    fn join(&mut self, row: u32, before: u32, next: u32) {
        match before {
            NO_ROW => self.firsts[row as usize] = next,
            end => self.links[end as usize / 2][end as usize % 2].next = next,
        }
        if next != NO_ROW {
            self.links[next as usize / 2][next as usize % 2].before = before;
        }
    }
}
