//! `PairLinks`: the places of the pairs of each row in a list.

use crate::{
    base::{NO_ROW, Pair, copied},
    error::{Error, limit::try_reserve},
};

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
