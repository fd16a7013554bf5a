//! Shapes that only columns hold, placed for the pairs that they are in.

use super::{Candidates, Contact, jobs::MAX_JOBS, rule::PairQuery};
use crate::{Pair, buffer::grow, posed::Placed};

/// Room for shapes of columns, where they meet others that turn.
///
/// Only those of the pairs at hand are placed: of a large level, a few bodies are near a few rows.
#[derive(Debug, Default)]
pub(super) struct PlaceOnDemand {
    /// The shapes of each side.
    pub(super) placed: [Vec<Placed>; 2],
    /// Pairs with their own number in place of a row whose shape is in a room.
    places: Vec<Pair>,
}

impl PlaceOnDemand {
    /// Brings those of `pairs` that touch to the front, as [`Candidates::refine`] does. At most [`MAX_JOBS`] pairs of
    /// rows, of which one side at least has placed shapes.
    pub(super) fn refine(
        &mut self,
        candidates: &mut Candidates,
        rule: &PairQuery<'_>,
        pairs: &mut [Pair],
    ) -> usize {
        let Some(side) = side_of_columns(rule) else {
            return candidates.refine(rule, pairs);
        };
        let (rule, places) = self.place(rule, side, pairs);
        let kept = candidates.refine(&rule, places);
        // What is written over has been read: no pair comes before its place.
        for (place, pair) in places[..kept].iter().zip(0..) {
            pairs[pair] = pairs[number(side, *place)];
        }
        kept
    }

    /// Appends the contacts of `pairs` to `list`, as [`Candidates::contacts`] finds them, by `append`. The pairs are as
    /// for [`refine`](Rooms::refine).
    pub(super) fn contacts(
        &mut self,
        candidates: &mut Candidates,
        rule: &PairQuery<'_>,
        pairs: &[Pair],
        list: &mut Vec<Contact>,
        append: &mut dyn FnMut(&mut Vec<Contact>, &[Contact]),
    ) {
        let Some(side) = side_of_columns(rule) else {
            return candidates.contacts(rule, pairs, &mut |found| append(list, found));
        };
        let (rule, places) = self.place(rule, side, pairs);
        let before = list.len();
        candidates.contacts(&rule, places, &mut |found| append(list, found));
        for contact in &mut list[before..] {
            contact.pair = pairs[number(side, contact.pair)];
        }
    }

    /// Places the shapes that `pairs` have on a side; the rule for them, and the pairs as it knows them.
    fn place<'a>(
        &'a mut self,
        rule: &PairQuery<'a>,
        side: usize,
        pairs: &[Pair],
    ) -> (PairQuery<'a>, &'a mut [Pair]) {
        let Self { placed, places } = self;
        let (mut rule, room) = (*rule, &mut placed[side]);
        grow(room, MAX_JOBS);
        grow(places, MAX_JOBS);
        let places = &mut places[..pairs.len()];
        places.copy_from_slice(pairs);
        let set = &mut rule.sets[side];
        set.view.place(pairs.iter().map(|pair| [pair.a, pair.b][side]), room);
        for (place, number) in places.iter_mut().zip(0..) {
            let row = if side == 0 { &mut place.a } else { &mut place.b };
            *row = number;
        }
        set.placed = room;
        (rule, places)
    }
}

/// The side whose shapes only columns hold, if there is one: where none turns, sides have no need of more.
fn side_of_columns(rule: &PairQuery<'_>) -> Option<usize> {
    rule.sets.iter().position(|set| set.placed.is_empty())
}

/// The number of a pair, by its place.
fn number(side: usize, Pair { a, b }: Pair) -> usize {
    [a, b][side] as usize
}
