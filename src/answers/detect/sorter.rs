//! `ResultSorter`: sorts results by their rows and parts.

use crate::{
    base::{
        Pair, SPARE_RECORDS, TASK_ROWS,
        buffer::make_room,
        held,
        parallel::{self, Divide},
        word_sort::WordSorter,
    },
    narrowphase::contact::Contact,
};

/// The workspace of sorts of results.
#[derive(Debug, Default)]
pub(crate) struct ResultSorter {
    pairs: WordSorter<2, 2>,
    contacts: WordSorter<4, 2>,
    /// The rows and the number of each contact.
    order: Vec<[u32; 4]>,
    sorted: Vec<Contact>,
}

held!(ResultSorter { pairs, contacts, order, sorted });

impl ResultSorter {
    /// Sorts pairs by `a`, then by `b`; on the rayon pool if `threads`.
    pub(crate) fn pairs(&mut self, pairs: &mut [Pair], threads: bool) {
        self.pairs.sort(bytemuck::cast_slice_mut(pairs), threads);
    }

    /// Sorts contacts by their pairs, then by their parts; on the rayon pool if `threads`. The list
    /// then has other memory, at least as much: to copy a long list back takes longer.
    pub(crate) fn contacts(&mut self, contacts: &mut Vec<Contact>, threads: bool) {
        self.sorted.clear();
        let has_room = match threads {
            true => self.sorted.try_reserve_exact(contacts.capacity()).is_ok(),
            false => make_room(&mut self.sorted, contacts.len() + SPARE_RECORDS),
        };
        if !has_room || !make_room(&mut self.order, contacts.len()) {
            return contacts.sort_unstable_by_key(|found| (found.pair, found.part_a, found.part_b));
        }
        self.copy_sorted(contacts, threads);
        match threads {
            true => std::mem::swap(contacts, &mut self.sorted),
            false => contacts.copy_from_slice(&self.sorted),
        }
    }

    /// Replaces `sorted` by these contacts in their order.
    ///
    /// Only their rows and numbers are sorted. Then each contact, which has 64 bytes, moves once.
    fn copy_sorted(&mut self, contacts: &[Contact], threads: bool) {
        let Self { contacts: sorter, order, sorted, .. } = self;
        let mut any_parts = 0;
        order.extend((0_u64..).zip(contacts).map(|(number, contact)| {
            let Contact { pair, part_a, part_b, .. } = contact;
            any_parts |= part_a | part_b;
            [pair.a, pair.b, (number >> 32) as u32, number as u32]
        }));
        sorter.sort(order, threads);
        if any_parts != 0 {
            for parts in order.chunk_by_mut(|one, next| one[..2] == next[..2]) {
                for part in &mut *parts {
                    let Contact { part_a, part_b, .. } = contacts[place(*part)];
                    [part[0], part[1]] = [part_a, part_b];
                }
                sorter.sort(parts, false);
            }
        }
        sorted.resize(contacts.len(), Contact::default());
        parallel::run(Moves { order, contacts, to: sorted }, threads);
    }
}

/// The number of a contact, behind its rows.
fn place([.., high, low]: [u32; 4]) -> usize {
    (u64::from(high) << 32 | u64::from(low)) as usize
}

/// Copies contacts in an order.
struct Moves<'a> {
    order: &'a [[u32; 4]],
    contacts: &'a [Contact],
    to: &'a mut [Contact],
}

impl Divide for Moves<'_> {
    fn tasks(&self) -> usize {
        self.order.len().div_ceil(TASK_ROWS)
    }

    fn split(self, tasks: usize) -> (Self, Self) {
        let Self { order, contacts, to } = self;
        let (first, rest) = order.split_at(tasks * TASK_ROWS);
        let (to_first, to_rest) = to.split_at_mut(tasks * TASK_ROWS);
        (Self { order: first, contacts, to: to_first }, Self { order: rest, contacts, to: to_rest })
    }

    fn work(self) {
        for (to, record) in self.to.iter_mut().zip(self.order) {
            *to = self.contacts[place(*record)];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{ResultSorter, TASK_ROWS};
    use crate::{Contact, Pair};

    /// Contacts of compounds, in no order; each contact has its number as its depth.
    fn contacts(count: usize) -> Vec<Contact> {
        let mut seed = count as u64;
        let mut below = |limit: u64| {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            ((seed >> 32) % limit) as u32
        };
        let rows = count as u64 / 8 + 2;
        let contact = |number: usize| Contact {
            pair: Pair { a: below(rows), b: below(3) },
            part_a: below(4),
            part_b: below(4),
            depth: number as f32,
            ..Contact::default()
        };
        (0..count).map(contact).collect()
    }

    #[test]
    fn contacts_are_sorted_by_pairs_and_parts() {
        let key = |contact: &Contact| (contact.pair, contact.part_a, contact.part_b);
        let mut sorter = ResultSorter::default();
        for count in [0, 1, 30, 3_000, 9 * TASK_ROWS + 1] {
            let list = contacts(count);
            let mut expected = list.clone();
            expected.sort_by_key(key);
            for threads in [false, true] {
                let mut sorted = list.clone();
                sorter.contacts(&mut sorted, threads);
                assert!(sorted == expected, "{count} contacts, on the pool: {threads}");
            }
        }
    }
}
