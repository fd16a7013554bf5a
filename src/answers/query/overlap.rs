//! Overlap: which shapes of an index touch a shape.

use std::ops::ControlFlow;

use super::{
    IndexView,
    batch::{fill, fill_tasks, list, list_within},
    join::{JOINED, Join, MIN_JOINED, TASK_JOINED},
    search::{IndexSearch, QueryShapes},
};
use crate::{
    base::{NARROWPHASE, Pair},
    error::{
        Error,
        limit::{Listed, no_memory, try_push, try_resize},
    },
    lists::Lists,
    narrowphase::Probe,
    options::Order,
    shape::Posed,
    store::Columns,
};

pub(super) fn overlapping(
    view: &IndexView<'_>,
    shape: Posed<'_>,
    rows: &mut Vec<u32>,
) -> Result<(), Error> {
    rows.clear();
    let mut found = Ok(());
    view.with_shape(shape, |view, probe| {
        if view.covers(|| probe.bounds()) {
            found = found.and_then(|()| view.search().overlapping(probe, rows));
        }
    })?;
    if view.index.options().order == Order::Sorted && view.index.has_layers() {
        rows.sort_unstable();
    }
    found.map_err(|len| {
        *rows = Vec::new();
        no_memory(len)
    })
}

pub(super) fn count_overlapping(view: &IndexView<'_>, shape: Posed<'_>) -> Result<u64, Error> {
    let mut count = 0;
    view.with_shape(shape, |view, probe| {
        if view.covers(|| probe.bounds()) {
            count += view.search().count_overlapping(probe);
        }
    })?;
    Ok(count)
}

pub(super) fn any_overlapping(
    view: &IndexView<'_>,
    shape: Posed<'_>,
) -> Result<Option<u32>, Error> {
    let mut found = None;
    view.with_shape(shape, |view, probe| {
        if found.is_none() && view.covers(|| probe.bounds()) {
            found = view.search().any_overlapping(probe);
        }
    })?;
    Ok(found)
}

pub(super) fn overlapping_batch(
    view: &IndexView<'_>,
    shapes: Columns<'_>,
    lists: &mut Lists<u32>,
) -> Result<(), Error> {
    lists.clear();
    let sorted = view.index.options().order == Order::Sorted;
    let ask =
        &mut |view: &IndexView<'_>, _: Option<&_>, lists: &mut _| list_batch(view, shapes, lists);
    view.lists_of_layers(lists, view.search().most(), ask, &|rows, begin| {
        if sorted {
            rows[begin..].sort_unstable();
        }
    })
}

/// Lists the rows of a layer that touch each of some shapes.
fn list_batch(
    view: &IndexView<'_>,
    shapes: Columns<'_>,
    lists: &mut Lists<u32>,
) -> Result<(), Error> {
    QueryShapes::of(view, shapes, |search, batch| {
        let (queries, threads, most) = (batch.len(), batch.threads, search.most());
        if !joins(batch) {
            return list(queries, threads, most, lists, &|query, (): &mut (), rows| {
                let Some((search, probe)) = batch.query(search, query) else { return Ok(()) };
                let near = search.covers(|| probe.bounds());
                if near { search.overlapping(&probe, rows) } else { Ok(()) }
            });
        }
        let answer = &|queries, join: &mut Join, budget: &_, lists: &mut _| {
            join.list(search, batch, queries, budget, lists);
        };
        let task = if threads { TASK_JOINED } else { JOINED };
        list_within(queries, task, threads, most, lists, answer).and_then(|within| {
            if within {
                return Ok(());
            }
            let mut counts = Vec::new();
            try_resize(&mut counts, queries, 0)?;
            count(search, batch, &mut counts);
            Err(Pair::too_many(most, counts.iter().sum()))
        })
    })?
}

pub(super) fn count_overlapping_batch(
    view: &IndexView<'_>,
    shapes: Columns<'_>,
    counts: &mut Vec<u64>,
) -> Result<(), Error> {
    let ask = &mut |view: &IndexView<'_>, counts: &mut Vec<u64>| {
        QueryShapes::of(view, shapes, |search, batch| {
            try_resize(counts, batch.len(), 0)?;
            if joins(batch) {
                count(search, batch, counts);
            } else {
                fill(counts, batch.threads, &|query, count, (): &mut ()| {
                    if let Some((search, probe)) = batch.query(search, query)
                        && search.covers(|| probe.bounds())
                    {
                        *count += search.count_overlapping(&probe);
                    }
                });
            }
            Ok(())
        })?
    };
    view.best_of_layers(counts, ask)
}

/// Adds the number of hits of each query of a batch that is joined.
fn count(search: &IndexSearch<'_>, batch: &QueryShapes<'_>, counts: &mut [u64]) {
    fill_tasks(counts, TASK_JOINED, batch.threads, &|first, counts, join: &mut Join| {
        for (first, counts) in (first..).step_by(JOINED).zip(counts.chunks_mut(JOINED)) {
            join.count(search, batch, first, counts);
        }
    });
}

pub(super) fn any_overlapping_batch(
    view: &IndexView<'_>,
    shapes: Columns<'_>,
    rows: &mut Vec<Option<u32>>,
) -> Result<(), Error> {
    rows.clear();
    let ask = &mut |view: &IndexView<'_>, rows: &mut Vec<Option<u32>>| {
        QueryShapes::of(view, shapes, |search, batch| {
            try_resize(rows, batch.len(), None)?;
            if joins(batch) && !batch.sifts(search) {
                fill_tasks(rows, TASK_JOINED, batch.threads, &|first, rows, join: &mut Join| {
                    for (first, rows) in (first..).step_by(JOINED).zip(rows.chunks_mut(JOINED)) {
                        join.any(search, batch, first, rows);
                    }
                });
                return Ok(());
            }
            fill(rows, batch.threads, &|query, row: &mut Option<u32>, (): &mut ()| {
                if row.is_none()
                    && let Some((search, probe)) = batch.query(search, query)
                    && search.covers(|| probe.bounds())
                {
                    *row = search.any_overlapping(&probe);
                }
            });
            Ok(())
        })?
    };
    view.best_of_layers(rows, ask)
}

/// Whether a batch is searched by a join, and not query by query.
fn joins(batch: &QueryShapes<'_>) -> bool {
    batch.len() >= MIN_JOINED && batch.are_alike()
}

impl IndexSearch<'_> {
    /// Calls `take` with the place of each shape that touches, until it breaks.
    fn each_touching(&self, probe: &Probe<'_>, mut take: impl FnMut(u32) -> ControlFlow<()>) {
        let bounds = probe.bounds();
        let ids = self.ids();
        if !NARROWPHASE || (!self.rotates() && !probe.rotates()) {
            self.region(&bounds, &mut |place| take(!ids[place]));
            return;
        }
        let query = self.pair_query(probe);
        self.region(&bounds, &mut |place| {
            let row = !ids[place];
            if query.touches(row) { take(row) } else { ControlFlow::Continue(()) }
        });
    }

    /// Appends the rows that touch. On failure, returns the number for which there is no memory.
    pub(super) fn overlapping(&self, probe: &Probe<'_>, rows: &mut Vec<u32>) -> Result<(), usize> {
        let (first, mut result) = (rows.len(), Ok(()));
        self.each_touching(probe, |row| {
            result = try_push(rows, row);
            if result.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        if self.order() == Order::Sorted {
            rows[first..].sort_unstable();
        }
        result
    }

    pub(super) fn count_overlapping(&self, probe: &Probe<'_>) -> u64 {
        let mut count = 0;
        self.each_touching(probe, |_| {
            count += 1;
            ControlFlow::Continue(())
        });
        count
    }

    fn any_overlapping(&self, probe: &Probe<'_>) -> Option<u32> {
        let mut found = None;
        self.each_touching(probe, |row| {
            found = Some(row);
            ControlFlow::Break(())
        });
        found
    }
}
