//! `Index`: queries with shapes.

use std::{
    iter,
    ops::Range,
    sync::{Arc, Mutex, PoisonError},
};

use numpy::{PyArray1, PyArray2, PyReadonlyArray1};
use pyo3::prelude::*;
use widephase::{
    Error, Filter, IndexView, Lists, Neighbor, Queries,
    columns::{NeighborColumns, PerQuery},
    doubles::DoubleNeighbor,
    error::Field,
};

use crate::{
    arrays::{self, RowLists},
    chunks::in_block,
    errors::{Failure, shape_error, within},
    held::Held,
    memory,
    options::RunOptions,
    pools::{Large, forks},
    run::{may_take_long, run},
    shapes::{Shapes, values},
    sorted::SortedShapes,
};

/// Shapes that are sorted once and asked many times, by any number of threads.
#[pyclass(frozen, module = "widephase._widephase")]
pub struct Index {
    /// Only locked with the GIL.
    sorted: Mutex<Latest>,
    rows: usize,
    options: RunOptions,
    max_pairs: u64,
}

/// The sorted shapes of the process after this number of forks.
struct Latest {
    sorted: Large<Arc<SortedShapes>>,
    forks: u32,
}

/// Rows, and their distances in the type that they were computed in.
type RowsAndDistances<'py> = (Bound<'py, PyArray2<u32>>, Bound<'py, PyAny>);

/// A filter by its fields.
pub type FilterFields = (u64, u64, i32, u32, bool);

/// The shapes that a query passes over.
#[derive(Debug, Default)]
pub struct View {
    pub filter: Option<Filter>,
    pub spaces: Option<Vec<u32>>,
    pub without: Option<Vec<u32>>,
}

/// Rows that no query finds.
pub const NO_ROW: u32 = NeighborColumns::NO_ROW;

impl View {
    pub fn new(
        filter: Option<FilterFields>,
        spaces: Option<PyReadonlyArray1<'_, u32>>,
        without: Option<PyReadonlyArray1<'_, u32>>,
        rows: usize,
    ) -> PyResult<Self> {
        let values = |array: Option<PyReadonlyArray1<'_, u32>>| {
            array.map(|array| values(&array)).transpose()
        };
        let filter = filter.map(|(category, mask, group, owner, sensor)| Filter {
            category,
            mask,
            group,
            owner,
            sensor,
        });
        let view = Self { filter, spaces: values(spaces)?, without: values(without)? };
        let missing = |row: &u32| *row as usize >= rows && *row != NO_ROW;
        let place = view.without.as_ref().and_then(|list| list.iter().position(missing));
        if let Some(query) = place {
            let row = view.without(query);
            let message = format!(
                "without: row {row} for query {query}, and the index has {rows} rows; NO_ROW \
                 passes over none"
            );
            return Err(shape_error(&message, Some(query), "without"));
        }
        Ok(view)
    }

    /// The shapes of an index that queries see.
    pub fn of<'a>(&'a self, index: &'a widephase::Index) -> IndexView<'a> {
        self.of_block(index, &(0..usize::MAX))
    }

    /// The shapes of an index that the queries of a block see.
    pub fn of_block<'a>(
        &'a self,
        index: &'a widephase::Index,
        block: &Range<usize>,
    ) -> IndexView<'a> {
        let rows = |all: &'a Vec<u32>| &all[block.start.min(all.len())..block.end.min(all.len())];
        let mut view = index.view();
        if let Some(filter) = self.filter {
            view = view.filtered(filter);
        }
        if let Some(spaces) = &self.spaces {
            view = view.in_space(PerQuery::Each(rows(spaces)));
        }
        if let Some(without) = &self.without {
            view = view.without(PerQuery::Each(rows(without)));
        }
        view
    }

    /// The row that a query passes over.
    fn without(&self, query: usize) -> u32 {
        self.without.as_ref().and_then(|rows| rows.get(query)).copied().unwrap_or(NO_ROW)
    }

    /// The same view for shapes: what has no filter of its own has the filter that meets the
    /// default one, as in all other calls.
    pub fn for_shapes(self, queries: &Held, sorted: &SortedShapes) -> Self {
        let default = (queries.filters().is_none() && sorted.has_filters()).then_some(Filter::ALL);
        Self { filter: self.filter.or(default), ..self }
    }

    /// Checks that there is a value for each query.
    pub fn check(&self, queries: usize) -> Result<(), Failure> {
        for (values, field) in [(&self.spaces, Field::Space), (&self.without, Field::Row)] {
            if let Some(values) = values.as_ref().filter(|values| values.len() != queries) {
                let len = values.len();
                return Err(Error::UnequalColumns { field, len, expected: queries }.into());
            }
        }
        Ok(())
    }
}

#[pymethods]
impl Index {
    #[new]
    fn new(
        py: Python<'_>,
        shapes: &Shapes,
        level: Option<&str>,
        threads: Option<i64>,
        touching: &str,
        max_pairs: u64,
    ) -> PyResult<Self> {
        let options = RunOptions::new(level, threads, touching)?;
        let held = shapes.hold(py)?;
        let (rows, long) = (held.len(), may_take_long(held.len(), 64));
        let index_options = options.index_options(max_pairs);
        let sorted = run(py, long, options.threads_for(rows), move || {
            SortedShapes::build(&held, index_options)
        })?;
        Ok(Self::of(sorted, options, max_pairs))
    }

    fn __len__(&self) -> usize {
        self.rows
    }

    fn bytes(&self, py: Python<'_>) -> PyResult<usize> {
        Ok(self.sorted(py)?.bytes())
    }

    /// The shapes as they were when they were sorted; none of a world.
    fn shapes(&self, py: Python<'_>) -> PyResult<Option<Shapes>> {
        self.sorted(py)?.shapes().map(|held| Shapes::of_held(py, held)).transpose()
    }

    /// Whether positions that are answered are `f64`, and then their origin.
    #[getter]
    fn origin(&self, py: Python<'_>) -> PyResult<Option<[f64; 2]>> {
        let sorted = self.sorted(py)?;
        Ok(sorted.is_double().then(|| sorted.origin()))
    }

    /// The rows that touch each of some shapes.
    #[pyo3(signature = (shapes, filter, without))]
    fn overlapping<'py>(
        &self,
        py: Python<'py>,
        shapes: &Shapes,
        filter: Option<FilterFields>,
        without: Option<PyReadonlyArray1<'py, u32>>,
    ) -> PyResult<RowLists<'py>> {
        let view = View::new(filter, None, without, self.rows)?;
        let lists = self.ask(py, shapes, view, |index, queries, view| {
            let mut lists = Lists::new();
            if index.is_exact_for(queries) {
                queries.exact(|columns| index.double()?.overlapping_batch(columns, &mut lists))?;
                return Ok(Ok(match &view.without {
                    Some(_) => passed_over(lists, view),
                    None => lists.into_parts(),
                }));
            }
            queries.relative(index.origin(), |columns| {
                view.of(index.single()?).overlapping_batch(columns, &mut lists)
            })?;
            Ok(Ok(lists.into_parts()))
        })?;
        arrays::list_parts(py, lists)
    }

    /// The number of rows that touch each of some shapes.
    #[pyo3(signature = (shapes, filter, without))]
    fn count<'py>(
        &self,
        py: Python<'py>,
        shapes: &Shapes,
        filter: Option<FilterFields>,
        without: Option<PyReadonlyArray1<'py, u32>>,
    ) -> PyResult<Bound<'py, PyArray1<u64>>> {
        let view = View::new(filter, None, without, self.rows)?;
        let counts = self.ask(py, shapes, view, |index, queries, view| {
            if index.is_exact_for(queries) {
                return Ok(Ok(exact_counts(index, queries, view)?));
            }
            let mut counts = Vec::new();
            queries.relative(index.origin(), |columns| {
                view.of(index.single()?).count_overlapping_batch(columns, &mut counts)
            })?;
            Ok(Ok(counts))
        })?;
        arrays::array(py, counts)
    }

    /// Whether each of some shapes touches a row.
    #[pyo3(signature = (shapes, filter, without))]
    fn any<'py>(
        &self,
        py: Python<'py>,
        shapes: &Shapes,
        filter: Option<FilterFields>,
        without: Option<PyReadonlyArray1<'py, u32>>,
    ) -> PyResult<Bound<'py, PyArray1<bool>>> {
        let view = View::new(filter, None, without, self.rows)?;
        let any: Vec<bool> = self.ask(py, shapes, view, |index, queries, view| {
            if index.is_exact_for(queries) {
                let counts = exact_counts(index, queries, view)?;
                return memory::listed(counts.len(), counts.iter().map(|count| *count > 0)).map(Ok);
            }
            let mut rows = Vec::new();
            queries.relative(index.origin(), |columns| {
                view.of(index.single()?).any_overlapping_batch(columns, &mut rows)
            })?;
            memory::listed(rows.len(), rows.iter().map(Option::is_some)).map(Ok)
        })?;
        arrays::array(py, any)
    }

    /// The `k` nearest rows of each of some shapes: rows and distances, (n, k).
    #[pyo3(signature = (shapes, k, max_distance, filter, without))]
    fn k_nearest<'py>(
        &self,
        py: Python<'py>,
        shapes: &Shapes,
        k: usize,
        max_distance: f64,
        filter: Option<FilterFields>,
        without: Option<PyReadonlyArray1<'py, u32>>,
    ) -> PyResult<RowsAndDistances<'py>> {
        let view = View::new(filter, None, without, self.rows)?;
        within(self.max_pairs, shapes.len().saturating_mul(k))?;
        let queries = shapes.hold(py)?;
        view.check(queries.len())?;
        let sorted = self.sorted(py)?;
        let view = view.for_shapes(&queries, &sorted);
        let (rows, exact) = (queries.len(), sorted.is_exact_for(&queries));
        let long = may_take_long(rows, sorted.rows());
        let near = run(py, long, self.threads_for(&sorted, exact, rows), move || {
            // Neighbours beyond the number of shapes are padding.
            let most = k.min(sorted.rows());
            let wanted = most + usize::from(view.without.is_some());
            let mut near = Near::new(exact, rows, k)?;
            for block in queries.blocks(k) {
                let part = queries.part(block.clone())?;
                let found = match &mut near {
                    Near::Double(table) => {
                        let without = |query: usize| view.without(block.start + query);
                        let part = part.seen_with(view.filter)?;
                        near_of_block(&sorted, &part, wanted, max_distance)
                            .map(|lists| pass_over_near(&lists, k, &without, table))
                    }
                    Near::Single(columns) => {
                        let mut lists = Lists::new();
                        let distance = max_distance as f32;
                        part.relative(sorted.origin(), |columns| {
                            let view = view.of_block(sorted.single()?, &block);
                            view.k_nearest_batch(columns, most, distance, &mut lists)
                        })
                        .map(|()| columns.append(&lists, k))
                    }
                };
                found.map_err(|error| queries.failure(in_block(error, &block)))?;
            }
            Ok(near)
        })?;
        near.arrays(py, rows, k)
    }

    /// The `k` nearest other rows of each row of the index: rows and distances, (n, k).
    fn k_nearest_of_rows<'py>(
        &self,
        py: Python<'py>,
        k: usize,
        max_distance: f64,
    ) -> PyResult<RowsAndDistances<'py>> {
        let (sorted, rows) = (self.sorted(py)?, self.rows);
        within(self.max_pairs, rows.saturating_mul(k))?;
        let long = may_take_long(rows, rows);
        let threads = self.threads_for(&sorted, sorted.is_exact(), rows);
        let near = run(py, long, threads, move || {
            let most = k.min(rows);
            let mut near = Near::new(sorted.is_exact(), rows, k)?;
            match (&mut near, sorted.shapes()) {
                (Near::Double(table), Some(shapes)) => {
                    for block in shapes.blocks(k) {
                        let part = shapes.part(block.clone())?;
                        let lists = near_of_block(&sorted, &part, most + 1, max_distance)?;
                        pass_over_near(&lists, k, &|query| (block.start + query) as u32, table);
                    }
                }
                (Near::Single(columns), _) => {
                    let mut lists = Lists::new();
                    sorted.single()?.k_nearest_of_rows(most, max_distance as f32, &mut lists)?;
                    *columns = table_of(lists, k)?;
                }
                _ => return Err(Error::NoSuchShape { index: 0, len: 0 }.into()),
            }
            Ok(near)
        })?;
        near.arrays(py, rows, k)
    }
}

impl Index {
    pub fn of(sorted: SortedShapes, options: RunOptions, max_pairs: u64) -> Self {
        let rows = sorted.rows();
        let latest = Latest { sorted: Large::new(Arc::new(sorted)), forks: forks() };
        Self { sorted: Mutex::new(latest), rows, options, max_pairs }
    }

    /// The sorted shapes, for a call. Shapes that calls had at a fork are sorted again: a thread
    /// that does not exist here may have been making a part of them.
    pub fn sorted(&self, _py: Python<'_>) -> PyResult<Arc<SortedShapes>> {
        let mut latest = self.sorted.lock().unwrap_or_else(PoisonError::into_inner);
        if latest.forks != forks() {
            if Arc::strong_count(&latest.sorted) > 1 {
                let fresh = latest.sorted.fresh().map_err(Failure::from)?;
                latest.sorted = Large::new(Arc::new(fresh));
            }
            latest.forks = forks();
        }
        Ok(Arc::clone(&latest.sorted))
    }

    pub fn rows(&self) -> usize {
        self.rows
    }

    /// The threads of a number of queries in `f64` or `f32`, which may have to sort the shapes.
    pub fn threads_for(&self, sorted: &SortedShapes, exact: bool, queries: usize) -> usize {
        let rows = if sorted.has(exact) { 0 } else { self.rows };
        self.options.threads_for_queries(queries, rows)
    }

    /// Calls `work` with some queries, without the GIL.
    fn ask<R: Send + 'static>(
        &self,
        py: Python<'_>,
        shapes: &Shapes,
        view: View,
        work: impl FnOnce(&SortedShapes, &Held, &View) -> Result<Result<R, Failure>, Error>
        + Send
        + 'static,
    ) -> PyResult<R> {
        let queries = shapes.hold(py)?;
        view.check(queries.len())?;
        let sorted = self.sorted(py)?;
        let view = view.for_shapes(&queries, &sorted);
        let long = may_take_long(queries.len(), sorted.rows());
        let threads = self.threads_for(&sorted, sorted.is_exact_for(&queries), queries.len());
        Ok(run(py, long, threads, move || {
            let exact = sorted.is_exact_for(&queries);
            let queries = if exact { queries.seen_with(view.filter)? } else { queries };
            work(&sorted, &queries, &view).map_err(|error| queries.failure(error))?
        })?)
    }
}

/// The number of rows that touch each query in `f64`, without the row that it passes over.
fn exact_counts(index: &SortedShapes, queries: &Held, view: &View) -> Result<Vec<u64>, Error> {
    let mut counts = Vec::new();
    if view.without.is_none() {
        queries.exact(|columns| index.double()?.count_overlapping_batch(columns, &mut counts))?;
        return Ok(counts);
    }
    let mut lists = Lists::new();
    queries.exact(|columns| index.double()?.overlapping_batch(columns, &mut lists))?;
    counts.try_reserve_exact(lists.len()).map_err(|_| Error::OutOfMemory { len: lists.len() })?;
    counts.extend(lists.iter().enumerate().map(|(query, list)| {
        let without = view.without(query);
        list.iter().filter(|row| **row != without).count() as u64
    }));
    Ok(counts)
}

/// A table of the nearest rows.
enum Near {
    Single(NeighborColumns),
    Double((Vec<u32>, Vec<f64>)),
}

impl Near {
    /// A table with room for this number of rows and columns.
    fn new(exact: bool, len: usize, k: usize) -> Result<Self, Error> {
        let size = len.saturating_mul(k);
        let row = memory::with_room(size)?;
        Ok(match exact {
            true => Self::Double((row, memory::with_room(size)?)),
            false => Self::Single(NeighborColumns { row, distance: memory::with_room(size)? }),
        })
    }

    fn arrays(self, py: Python<'_>, rows: usize, k: usize) -> PyResult<RowsAndDistances<'_>> {
        Ok(match self {
            Self::Single(NeighborColumns { row, distance }) => {
                (arrays::table(py, row, rows, k)?, arrays::table(py, distance, rows, k)?.into_any())
            }
            Self::Double((row, distance)) => {
                (arrays::table(py, row, rows, k)?, arrays::table(py, distance, rows, k)?.into_any())
            }
        })
    }
}

/// Lists as a table of `k` columns. Missing neighbours are [`NO_ROW`] and infinitely far.
fn table_of(lists: Lists<Neighbor>, k: usize) -> Result<NeighborColumns, Error> {
    let (offsets, near) = lists.into_parts();
    let size = (offsets.len() - 1).saturating_mul(k);
    let (mut row, mut distance) = (memory::zeros(size)?, memory::zeros(size)?);
    for (list, ends) in offsets.windows(2).enumerate() {
        let missing = list * k + (ends[1] - ends[0])..(list + 1) * k;
        row[missing.clone()].fill(NO_ROW);
        distance[missing].fill(f32::INFINITY);
    }
    let mut list = 0;
    memory::take_pieces(near, |place, near| {
        // Places ascend within a piece, and pieces come from the last one on.
        if place < offsets[list] {
            list = offsets.partition_point(|begin| *begin <= place) - 1;
        }
        while offsets[list + 1] <= place {
            list += 1;
        }
        let at = list * k + (place - offsets[list]);
        (row[at], distance[at]) = (near.row, near.distance);
    });
    Ok(NeighborColumns { row, distance })
}

/// The nearest rows of a block of queries, in `f64`.
fn near_of_block(
    index: &SortedShapes,
    queries: &Held,
    k: usize,
    max_distance: f64,
) -> Result<Lists<DoubleNeighbor>, Error> {
    let mut lists = Lists::new();
    queries
        .exact(|columns| index.double()?.k_nearest_batch(columns, k, max_distance, &mut lists))?;
    Ok(lists)
}

/// Appends lists in `f64` to a table of `k` columns: the row that a query passes over is left out,
/// missing neighbours are [`NO_ROW`] and infinitely far.
fn pass_over_near(
    lists: &Lists<DoubleNeighbor>,
    k: usize,
    without: &dyn Fn(usize) -> u32,
    (rows, distances): &mut (Vec<u32>, Vec<f64>),
) {
    for (query, list) in lists.iter().enumerate() {
        let without = without(query);
        let found = list.iter().filter(|near| near.row != without).copied();
        let padding = DoubleNeighbor { row: NO_ROW, distance: f64::INFINITY };
        for near in found.chain(iter::repeat(padding)).take(k) {
            rows.push(near.row);
            distances.push(near.distance);
        }
    }
}

/// Lists without the rows that queries pass over.
fn passed_over(lists: Lists<u32>, view: &View) -> (Vec<usize>, Vec<u32>) {
    let (mut offsets, mut items) = lists.into_parts();
    let (mut first, mut kept) = (0, 0);
    for (query, end) in offsets.iter_mut().skip(1).enumerate() {
        let without = view.without(query);
        for place in first..*end {
            let row = items[place];
            items[kept] = row;
            kept += usize::from(row != without);
        }
        (first, *end) = (*end, kept);
    }
    items.truncate(kept);
    (offsets, items)
}
