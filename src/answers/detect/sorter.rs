//! `ResultSorter`: sorts results by their rows and parts.

use crate::{
    base::{
        Pair,
        buffer::make_room,
        held,
        word_sort::{FewSorter, WordSorter, each_bucket, one_each},
    },
    narrowphase::contact::Contact,
};

/// The workspace of sorts of results.
#[derive(Debug, Default)]
pub(crate) struct ResultSorter {
    pairs: WordSorter<2, 2>,
    /// One for each thread.
    contacts: Vec<ContactSorter>,
}

held!(ResultSorter { pairs, contacts });

impl ResultSorter {
    /// Sorts pairs by `a`, then by `b`; on the rayon pool if `threads`.
    pub(crate) fn pairs(&mut self, pairs: &mut [Pair], threads: bool) {
        self.pairs.sort(bytemuck::cast_slice_mut(pairs), threads);
    }

    /// Sorts contacts by their pairs, then by their parts; on the rayon pool if `threads`.
    pub(crate) fn contacts(&mut self, contacts: &mut [Contact], threads: bool) {
        if contacts.is_sorted_by_key(words) {
            return;
        }
        let sorters = one_each(&mut self.contacts, threads);
        each_bucket(contacts, &words, sorters, &|bucket, sorter| {
            if !sorter.sort(bucket) {
                bucket.sort_unstable_by_key(words);
            }
        });
    }
}

/// What contacts are sorted by. No two contacts have the same rows and parts.
fn words(contact: &Contact) -> [u32; 4] {
    let Contact { pair: Pair { a, b }, part_a, part_b, .. } = *contact;
    [a, b, part_a, part_b]
}

/// The workspace of sorts of few contacts.
#[derive(Debug, Default)]
struct ContactSorter {
    sorter: FewSorter<4>,
    /// The rows and the number of each contact.
    order: Vec<[u32; 4]>,
    sorted: Vec<Contact>,
}

held!(ContactSorter { sorter, order, sorted });

impl ContactSorter {
    /// Sorts contacts. Returns false if there is no memory.
    ///
    /// Only their rows and numbers are sorted. Then each contact, which has 64 bytes, moves once.
    fn sort(&mut self, contacts: &mut [Contact]) -> bool {
        let Self { sorter, order, sorted } = self;
        let room = contacts.len().next_power_of_two();
        if !make_room(order, room) || !make_room(sorted, room) {
            return false;
        }
        let mut any_parts = 0;
        order.extend((0..).zip(&*contacts).map(|(number, contact)| {
            any_parts |= contact.part_a | contact.part_b;
            [contact.pair.a, contact.pair.b, number, 0]
        }));
        if !sorter.sort::<2>(order) {
            return false;
        }
        sorted.extend(order.iter().map(|[.., number, _]| contacts[*number as usize]));
        if any_parts != 0 {
            for parts in sorted.chunk_by_mut(|one, next| one.pair == next.pair) {
                parts.sort_unstable_by_key(words);
            }
        }
        contacts.copy_from_slice(sorted);
        true
    }
}

#[cfg(test)]
mod tests {
    use super::{ResultSorter, words};
    use crate::{Contact, Pair};

    /// Contacts of compounds, in no order; each contact has its number as its depth.
    fn contacts(count: usize) -> Vec<Contact> {
        let contact = |number: usize| {
            // Each number below the count once.
            let mixed = (number * 7_919 % count) as u32;
            let pair = Pair { a: mixed / 24, b: mixed / 8 % 3 };
            let (part_a, part_b) = (mixed / 4 % 2, mixed % 4);
            Contact { pair, part_a, part_b, depth: number as f32, ..Contact::default() }
        };
        (0..count).map(contact).collect()
    }

    #[test]
    fn contacts_are_sorted_by_pairs_and_parts() {
        let mut sorter = ResultSorter::default();
        for count in [0, 1, 30, 3_000, 70_001] {
            let list = contacts(count);
            let mut expected = list.clone();
            expected.sort_by_key(words);
            for threads in [false, true] {
                let mut sorted = list.clone();
                sorter.contacts(&mut sorted, threads);
                assert!(sorted == expected, "{count} contacts, on the pool: {threads}");
            }
        }
    }
}
