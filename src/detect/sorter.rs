//! `ResultSorter`: sorts results by their rows and parts.

use crate::{
    Contact, Pair,
    base::{buffer::make_room, parallel, word_sort::sort_words},
};

/// The contacts that a task moves.
const PART: usize = 1 << 13;

/// The workspace of sorts of results.
#[derive(Debug, Default)]
pub(crate) struct ResultSorter {
    pairs: Vec<[u32; 2]>,
    /// The rows and the number of each contact, and workspace.
    orders: [Vec<[u32; 4]>; 2],
    sorted: Vec<Contact>,
}

impl ResultSorter {
    /// Sorts pairs by `a`, then by `b`; on the rayon pool if `threads`.
    pub(crate) fn pairs(&mut self, pairs: &mut [Pair], threads: bool) {
        sort_words(bytemuck::cast_slice_mut(pairs), &mut self.pairs, threads);
    }

    /// Sorts contacts by their pairs, then by their parts; on the rayon pool if `threads`. The list
    /// then has the memory of the list before.
    pub(crate) fn contacts(&mut self, contacts: &mut Vec<Contact>, threads: bool) {
        self.copy_sorted(contacts, threads);
        std::mem::swap(contacts, &mut self.sorted);
    }

    /// The same for a part of a list.
    pub(super) fn some_contacts(&mut self, contacts: &mut [Contact]) {
        self.copy_sorted(contacts, false);
        contacts.copy_from_slice(&self.sorted);
    }

    /// Replaces `sorted` by these contacts in their order.
    ///
    /// Only their rows and numbers are sorted. Then each contact, which has 64 bytes, moves once.
    fn copy_sorted(&mut self, contacts: &[Contact], threads: bool) {
        let Self { orders: [order, buffer], sorted, .. } = self;
        let mut any_parts = 0;
        order.clear();
        order.extend((0_u64..).zip(contacts).map(|(number, contact)| {
            let Contact { pair, part_a, part_b, .. } = contact;
            any_parts |= part_a | part_b;
            [pair.a, pair.b, (number >> 32) as u32, number as u32]
        }));
        sort_words(order, buffer, threads);
        let place = |[.., high, low]: [u32; 4]| (u64::from(high) << 32 | u64::from(low)) as usize;
        if any_parts != 0 {
            for parts in order.chunk_by_mut(|one, next| one[..2] == next[..2]) {
                for part in &mut *parts {
                    let Contact { part_a, part_b, .. } = contacts[place(*part)];
                    [part[0], part[1]] = [part_a, part_b];
                }
                sort_words(parts, buffer, false);
            }
        }
        if sorted.capacity() < contacts.len() {
            make_room(sorted, contacts.len());
        }
        sorted.resize(contacts.len(), Contact::default());
        let mut parts: Vec<_> = sorted.chunks_mut(PART).zip(order.chunks(PART)).collect();
        parallel::each(&mut parts, threads, |_, (part, order)| {
            for (contact, record) in part.iter_mut().zip(*order) {
                *contact = contacts[place(*record)];
            }
        });
    }

    /// The bytes of memory held.
    pub(super) fn bytes(&self) -> usize {
        let Self { pairs, orders, sorted } = self;
        pairs.capacity() * size_of::<[u32; 2]>()
            + orders.iter().map(Vec::capacity).sum::<usize>() * size_of::<[u32; 4]>()
            + sorted.capacity() * size_of::<Contact>()
    }
}
