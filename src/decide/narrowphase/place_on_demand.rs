//! Places shapes that only columns hold, for the pairs that need them.

use super::{Candidates, Contact, jobs::MAX_JOBS, pair_query::PairQuery};
use crate::{
    base::{Pair, buffer::grow, held},
    posed::Placed,
};

/// A workspace for shapes of columns that meet rotated shapes.
///
/// Only the shapes of the current pairs are placed: a few bodies near a large set meet only a few
/// of its rows.
#[derive(Debug, Default)]
pub(super) struct PlaceOnDemand {
    /// The placed shapes of each side.
    pub(super) placed: [Vec<Placed>; 2],
    /// Copies of the pairs, in which the number of the pair replaces the row of a shape placed
    /// here.
    places: Vec<Pair>,
}

held!(PlaceOnDemand { placed, places });

impl PlaceOnDemand {
    /// Moves the `pairs` that touch to the front, as [`Candidates::refine`] does. There must
    /// be at most [`MAX_JOBS`] pairs, and at least one side must have placed shapes.
    pub(super) fn refine(
        &mut self,
        candidates: &mut Candidates,
        query: &PairQuery<'_>,
        pairs: &mut [Pair],
    ) -> usize {
        let Some(side) = side_of_columns(query) else {
            return candidates.refine(query, pairs);
        };
        let (query, places) = self.place(query, side, pairs);
        let kept = candidates.refine(&query, places);
        // No pair is overwritten before it is read, because none moves towards the end.
        for (place, pair) in places[..kept].iter().zip(0..) {
            pairs[pair] = pairs[number(side, *place)];
        }
        kept
    }

    /// Appends the contacts of `pairs` to `list`, with `append`, as [`Candidates::contacts`] does.
    /// The conditions are as for [`refine`](Self::refine).
    pub(super) fn contacts(
        &mut self,
        candidates: &mut Candidates,
        query: &PairQuery<'_>,
        pairs: &[Pair],
        list: &mut Vec<Contact>,
        append: &mut dyn FnMut(&mut Vec<Contact>, &[Contact]),
    ) {
        let Some(side) = side_of_columns(query) else {
            return candidates.contacts(query, pairs, &mut |found| append(list, found));
        };
        let (query, places) = self.place(query, side, pairs);
        let before = list.len();
        candidates.contacts(&query, places, &mut |found| append(list, found));
        for contact in &mut list[before..] {
            contact.pair = pairs[number(side, contact.pair)];
        }
    }

    /// Places the shapes of `pairs` on one side. Returns the query for them, and the pairs with the
    /// rows of that side replaced.
    fn place<'a>(
        &'a mut self,
        query: &PairQuery<'a>,
        side: usize,
        pairs: &[Pair],
    ) -> (PairQuery<'a>, &'a mut [Pair]) {
        let Self { placed, places } = self;
        let (mut query, room) = (*query, &mut placed[side]);
        grow(room, MAX_JOBS);
        grow(places, MAX_JOBS);
        let places = &mut places[..pairs.len()];
        places.copy_from_slice(pairs);
        let set = &mut query.sets[side];
        set.view.place(pairs.iter().map(|pair| [pair.a, pair.b][side]), room);
        for (place, number) in places.iter_mut().zip(0..) {
            let row = if side == 0 { &mut place.a } else { &mut place.b };
            *row = number;
        }
        set.placed = room;
        (query, places)
    }
}

/// The side that has only columns, if there is one. Such a side has only shapes that cannot rotate.
fn side_of_columns(query: &PairQuery<'_>) -> Option<usize> {
    query.sets.iter().position(|set| set.placed.is_empty())
}

/// The number that replaces the row of a pair on `side`.
fn number(side: usize, Pair { a, b }: Pair) -> usize {
    [a, b][side] as usize
}
