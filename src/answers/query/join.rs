//! Join: which shapes of an index touch each of many shapes.

use std::ops::Range;

use super::{
    grid_order::GridOrder,
    search::{IndexSearch, QueryShapes},
};
use crate::{
    base::{Pair, WORD_ROWS},
    error::limit::Budget,
    grid::{RegionBoxes, RegionHits, Wanted},
    lists::Lists,
    narrowphase::Candidates,
    options::Order,
};

/// Fewer queries than this are searched one by one: the kernels work for a vector of queries, and
/// the kernel of the nearest shapes takes as long for one vector as single searches for six to
/// nine.
pub(super) const MIN_JOINED: usize = 12;

/// Queries that are searched together: their keys should stay in the L2 cache.
pub(super) const JOINED: usize = 1 << 13;

/// Queries of a task that are searched together, on several threads.
pub(super) const TASK_JOINED: usize = 1 << 11;

/// Hits that always have room, however few hits are to be listed.
const LEAST_CAPACITY: usize = 1 << 18;

/// The workspace of a join.
#[derive(Default)]
pub(super) struct Join {
    boxes: RegionBoxes,
    /// The bits of the filters that each query meets; 0 if it sees nothing.
    met: Vec<u32>,
    order: GridOrder,
    hits: RegionHits,
    /// Where the hits of each query begin and end.
    spans: Vec<[usize; 2]>,
    /// The pairs of a query and a shape whose boxes touch.
    pairs: Vec<Pair>,
    narrowphase: Candidates,
}

impl Join {
    /// Appends the rows that touch each of some queries to `lists`. If they are beyond the budget,
    /// it ends early.
    pub(super) fn list(
        &mut self,
        search: &IndexSearch<'_>,
        batch: &QueryShapes<'_>,
        queries: Range<usize>,
        budget: &Budget,
        lists: &mut Lists<u32>,
    ) {
        self.search(search, batch, queries.clone(), Wanted::All);
        if self.hits.are_too_many {
            if !batch.sifts(search) {
                return budget.spend();
            }
            // The shapes that do touch may be few.
            for query in queries {
                if let Some((search, probe)) = batch.query(search, query)
                    && let Err(len) = search.overlapping(&probe, lists.open())
                {
                    return budget.starve(len);
                }
                if let Err(len) = lists.make_room(1, 0) {
                    return budget.starve(len);
                }
                lists.end_list();
                if lists.items().len() > search.most() {
                    return;
                }
            }
            return;
        }
        self.sift(search, batch, queries);
        let Self { hits: RegionHits { ids, .. }, spans, .. } = self;
        if search.order() == Order::Sorted {
            for &[begin, end] in &*spans {
                // The ids are the complements of rows.
                ids[begin..end].sort_unstable();
                ids[begin..end].reverse();
            }
        }
        if let Err(len) = lists.extend(spans, ids, |id| !id) {
            budget.starve(len);
        }
    }

    /// Adds the number of shapes that touch each of the queries from `first` on.
    pub(super) fn count(
        &mut self,
        search: &IndexSearch<'_>,
        batch: &QueryShapes<'_>,
        first: usize,
        counts: &mut [u64],
    ) {
        let queries = first..first + counts.len();
        let wanted = if batch.sifts(search) { Wanted::All } else { Wanted::Count };
        self.search(search, batch, queries.clone(), wanted);
        if self.hits.are_too_many {
            for (query, count) in queries.zip(counts) {
                let asked = batch.query(search, query);
                *count += asked.map_or(0, |(search, probe)| search.count_overlapping(&probe));
            }
            return;
        }
        self.sift(search, batch, queries);
        for (count, [begin, end]) in counts.iter_mut().zip(&self.spans) {
            *count += (end - begin) as u64;
        }
    }

    /// Writes the first row that touches each query from `first` on that has no row yet, if the
    /// boxes decide.
    pub(super) fn any(
        &mut self,
        search: &IndexSearch<'_>,
        batch: &QueryShapes<'_>,
        first: usize,
        rows: &mut [Option<u32>],
    ) {
        self.search(search, batch, first..first + rows.len(), Wanted::First);
        for (row, &[begin, end]) in rows.iter_mut().zip(&self.spans) {
            *row = row.or_else(|| (begin < end).then(|| !self.hits.ids[begin]));
        }
    }

    /// Finds the shapes whose boxes touch the boxes of the queries.
    fn search(
        &mut self,
        search: &IndexSearch<'_>,
        batch: &QueryShapes<'_>,
        queries: Range<usize>,
        wanted: Wanted,
    ) {
        let Self { boxes, order, met, hits, spans, .. } = self;
        met.clear();
        met.extend(queries.clone().map(|query| match batch.met(search, query) {
            met if met != 0 && batch.is_near(query, 0.0) => met,
            _ => 0,
        }));
        let seeing = queries.clone().zip(&*met).filter(|(_, met)| **met != 0);
        let order = order.of(search, batch, seeing.map(|(query, _)| query as u32));
        const { assert!(LEAST_CAPACITY > 2 * JOINED, "a first hit of each query is not too many") };
        hits.clear(search.most().max(LEAST_CAPACITY));
        hits.ends.reserve(order.len());
        spans.clear();
        spans.resize(queries.len(), [0; 2]);
        for some in order.chunks(WORD_ROWS) {
            boxes.clear();
            for &query in some {
                let query = query as usize;
                boxes.push(&batch.bounds(query), met[query - queries.start]);
            }
            search.regions(boxes, wanted, batch.grown(some), hits);
        }
        let mut begin = 0;
        for (&query, &end) in order.iter().zip(&hits.ends) {
            spans[query as usize - queries.start] = [begin, end];
            begin = end;
        }
    }

    /// Removes shapes that a query does not see, and shapes of which only the boxes touch.
    fn sift(&mut self, search: &IndexSearch<'_>, batch: &QueryShapes<'_>, queries: Range<usize>) {
        if !batch.sifts(search) {
            return;
        }
        let Self { hits: RegionHits { ids, .. }, spans, pairs, narrowphase, .. } = self;
        let together = batch.pair_query(search);
        pairs.clear();
        for (query, [begin, end]) in queries.clone().zip(&mut *spans) {
            if begin == end {
                continue;
            }
            let Some(search) = batch.search(search, query) else { continue };
            let mut kept = *begin;
            for at in *begin..*end {
                let row = !ids[at];
                if search.accepts(row) {
                    ids[kept] = ids[at];
                    kept += 1;
                }
            }
            *end = kept;
            if together.is_some() {
                pairs.extend(ids[*begin..kept].iter().map(|&b| Pair { a: query as u32, b }));
            }
        }
        let Some(together) = together else { return };
        let kept = narrowphase.refine(&together, pairs);
        // Pairs are by query. There are not more of a query than its span has places.
        let mut pairs = pairs[..kept].chunk_by(|one, other| one.a == other.a).peekable();
        for (query, [begin, end]) in queries.zip(spans) {
            *end = *begin;
            let Some(own) = pairs.next_if(|pairs| pairs[0].a as usize == query) else { continue };
            *end += own.len();
            for (id, pair) in ids[*begin..*end].iter_mut().zip(own) {
                *id = pair.b;
            }
        }
    }
}
