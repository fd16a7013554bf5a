//! `ResultSink`: where the results of a detection go.

use super::{
    narrow::DetectionResult,
    ordered_output::{TaskBuffer, Workers},
    scope::RunOptions,
    search_ids::SearchIds,
};
use crate::{
    base::{Pair, held},
    error::{Error, limit::outcome},
    filter::Predicate,
    grid::Grid,
    index::IndexPart,
    narrowphase::contact::Contact,
    store::Layout,
};

/// Where results go: pairs, contacts, or pairs with distances.
pub(crate) enum ResultSink<'a, T> {
    /// Into a list, which they replace.
    List(&'a mut Vec<T>),
    /// Into a buffer, behind the results that it has.
    Behind(&'a mut TaskBuffer<T>),
    /// To a function that reads them off the grid itself. If it cannot, because they are too many
    /// or not all items meet, they go into the list. The search must decide all pairs.
    #[cfg(feature = "queries")]
    Grid(&'a mut ReadGrid<'a>, &'a mut Vec<T>),
    /// They are only counted.
    Count,
}

/// Reads results off a grid. Returns false if it cannot.
pub(crate) type ReadGrid<'a> = dyn FnMut(SearchedGrid<'_>) -> bool + Send + 'a;

/// A grid whose items are to be searched for all their partners.
pub(crate) struct SearchedGrid<'a> {
    pub(crate) grid: &'a Grid,
    /// The shapes as they were given, by row.
    pub(crate) given: Layout<'a>,
    pub(crate) options: RunOptions<'a>,
    /// Whether items that touch without overlapping are partners.
    pub(crate) inclusive: bool,
    /// Decides which partners count, if the items are [grown](Predicate::grown).
    pub(crate) grown: Option<Predicate<'a>>,
    pub(super) numbers: &'a mut SearchIds,
}

impl SearchedGrid<'_> {
    /// The places of the items, as ids.
    #[cfg(feature = "queries")]
    pub(crate) fn places(&mut self) -> &[u32] {
        self.numbers.of(self.grid)
    }
}

impl<'a, T: SinkResult> ResultSink<'a, T> {
    /// The list that the results replace, if they go into a list.
    pub(super) fn list(&mut self) -> Option<&mut Vec<T>> {
        match self {
            ResultSink::List(list) => Some(list),
            #[cfg(feature = "queries")]
            ResultSink::Grid(_, list) => Some(list),
            ResultSink::Behind(_) | ResultSink::Count => None,
        }
    }

    /// Empties the list: there are no results.
    pub(super) fn clear(mut self) {
        if let Some(list) = self.list() {
            list.clear();
        }
    }

    /// Lets the sink's function read the grid, if all items meet. Returns the sink that is still to
    /// be filled.
    pub(super) fn read(
        self,
        all_meet: bool,
        grid: &mut dyn FnMut(&mut ReadGrid<'_>) -> bool,
    ) -> Option<Self> {
        match self {
            #[cfg(feature = "queries")]
            ResultSink::Grid(read, list) => {
                list.clear();
                (!all_meet || !grid(read)).then_some(ResultSink::List(list))
            }
            _ => {
                let _ = (all_meet, grid);
                Some(self)
            }
        }
    }

    /// Runs a pass for each layer of an index into this sink, layer by layer, by `run`. Returns the
    /// number of results.
    pub(super) fn fill_layers<'p>(
        self,
        layers: impl Iterator<Item = IndexPart<'p>>,
        options: &RunOptions<'_>,
        workers: &mut AllWorkers,
        mut run: impl FnMut(IndexPart<'p>, ResultSink<'_, T>, &mut AllWorkers) -> Result<u64, Error>,
    ) -> Result<u64, Error> {
        let (mut found, mut beyond) = (0, false);
        let mut add = |result: Result<u64, Error>| {
            let more = beyond_limit(&result);
            beyond |= more.is_some();
            found += more.map_or(result, Ok)?;
            Ok(())
        };
        match self {
            ResultSink::List(list) => {
                let mut more = std::mem::take(T::more(workers));
                for (number, part) in layers.enumerate() {
                    if number == 0 {
                        add(run(part, ResultSink::List(list), workers))?;
                        continue;
                    }
                    add(run(part, ResultSink::List(&mut more), workers))?;
                    let starved = list.try_reserve(more.len()).is_err();
                    outcome(list, 0, 0, starved.then_some(list.len() + more.len()))?;
                    list.extend_from_slice(&more);
                }
                *T::more(workers) = more;
                outcome(list, found, T::limit(options), None)?;
            }
            ResultSink::Behind(buffer) => {
                let before = buffer.len;
                for part in layers {
                    add(run(part, ResultSink::Behind(buffer), workers))?;
                }
                // `found` counts all results.
                buffer.len = if beyond { before } else { buffer.len };
            }
            ResultSink::Count => {
                for part in layers {
                    add(run(part, ResultSink::Count, workers))?;
                }
            }
            #[cfg(feature = "queries")]
            ResultSink::Grid(..) => unreachable!("only results among the shapes are read"),
        }
        if beyond { Err(T::too_many(T::limit(options), found)) } else { Ok(found) }
    }
}

/// The number of results, if they are more than a limit.
pub(super) fn beyond_limit(result: &Result<u64, Error>) -> Option<u64> {
    match result {
        Err(Error::TooManyPairs { found, .. } | Error::TooManyContacts { found, .. }) => {
            Some(*found)
        }
        _ => None,
    }
}

/// The workers of each kind of results, and results of further layers of an index.
#[derive(Debug, Default)]
pub(crate) struct AllWorkers {
    pairs: Workers<Pair>,
    contacts: Workers<Contact>,
    more_pairs: Vec<Pair>,
    more_contacts: Vec<Contact>,
}

held!(AllWorkers { pairs, contacts, more_pairs, more_contacts });

/// Buffers of each kind of results: among the shapes, and with an index.
#[derive(Debug, Default)]
pub(crate) struct AllBuffers {
    pairs: [TaskBuffer<Pair>; 2],
    contacts: [TaskBuffer<Contact>; 2],
}

held!(AllBuffers { pairs, contacts });

/// A kind of results that sinks keep.
pub(crate) trait SinkResult: DetectionResult {
    /// The most results in a list.
    fn limit(options: &RunOptions<'_>) -> usize;

    fn workers(all: &mut AllWorkers) -> &mut Workers<Self>;

    fn more(all: &mut AllWorkers) -> &mut Vec<Self>;

    fn buffers(all: &mut AllBuffers) -> &mut [TaskBuffer<Self>; 2];

    fn buffers_of(all: &AllBuffers) -> &[TaskBuffer<Self>; 2];
}

impl SinkResult for Pair {
    fn limit(options: &RunOptions<'_>) -> usize {
        options.max_pairs
    }

    fn workers(all: &mut AllWorkers) -> &mut Workers<Self> {
        &mut all.pairs
    }

    fn more(all: &mut AllWorkers) -> &mut Vec<Self> {
        &mut all.more_pairs
    }

    fn buffers(all: &mut AllBuffers) -> &mut [TaskBuffer<Self>; 2] {
        &mut all.pairs
    }

    fn buffers_of(all: &AllBuffers) -> &[TaskBuffer<Self>; 2] {
        &all.pairs
    }
}

impl SinkResult for Contact {
    fn limit(options: &RunOptions<'_>) -> usize {
        options.max_contacts
    }

    fn workers(all: &mut AllWorkers) -> &mut Workers<Self> {
        &mut all.contacts
    }

    fn more(all: &mut AllWorkers) -> &mut Vec<Self> {
        &mut all.more_contacts
    }

    fn buffers(all: &mut AllBuffers) -> &mut [TaskBuffer<Self>; 2] {
        &mut all.contacts
    }

    fn buffers_of(all: &AllBuffers) -> &[TaskBuffer<Self>; 2] {
        &all.contacts
    }
}
