//! `RowSorter`: sorts pairs by their rows.

use crate::{Pair, base::pair::pair_key};

/// Pairs of one row up to this number are sorted by insertion.
const RUN: usize = 24;

/// Fewer pairs than one in this many rows are sorted by comparison: a place for each row would
/// cost more.
const FEW: usize = 4;

/// The workspace of the sort: a counting sort by the first row, and an insertion sort of the few
/// pairs of each row.
#[derive(Debug, Default)]
pub(super) struct RowSorter {
    /// The place of the next pair of each row.
    places: Vec<u32>,
    sorted: Vec<Pair>,
}

impl RowSorter {
    /// Sorts pairs whose first rows are below `rows`: by `a`, then by `b`. Returns false, and
    /// leaves them as they are, if a sort by comparison costs less.
    pub(super) fn sort(&mut self, pairs: &mut Vec<Pair>, rows: usize) -> bool {
        let Self { places, sorted } = self;
        if pairs.len() < rows / FEW || u32::try_from(pairs.len()).is_err() {
            return false;
        }
        places.clear();
        places.resize(rows, 0);
        for pair in &*pairs {
            places[pair.a as usize] += 1;
        }
        let mut total = 0;
        for place in &mut *places {
            (*place, total) = (total, total + *place);
        }
        sorted.resize(pairs.len(), Pair::default());
        for pair in &*pairs {
            let place = &mut places[pair.a as usize];
            sorted[*place as usize] = *pair;
            *place += 1;
        }
        // Each place is now the end of its row.
        let mut start = 0;
        for &end in &*places {
            sort_run(&mut sorted[start..end as usize]);
            start = end as usize;
        }
        std::mem::swap(pairs, sorted);
        true
    }

    /// The bytes of memory held.
    pub(super) fn bytes(&self) -> usize {
        let Self { places, sorted } = self;
        places.capacity() * size_of::<u32>() + sorted.capacity() * size_of::<Pair>()
    }
}

/// Sorts the pairs of one row.
#[inline]
fn sort_run(run: &mut [Pair]) {
    if run.len() > RUN {
        run.sort_unstable_by_key(pair_key);
        return;
    }
    for next in 1..run.len() {
        let pair = run[next];
        let mut place = next;
        while place > 0 && run[place - 1].b > pair.b {
            run[place] = run[place - 1];
            place -= 1;
        }
        run[place] = pair;
    }
}
