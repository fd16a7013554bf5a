//! `Index`: queries with shapes.

use std::{
    iter,
    sync::{Arc, Mutex, PoisonError},
};

use numpy::{PyArray1, PyArray2, PyReadonlyArray1};
use pyo3::prelude::*;
use widephase::{
    Error, Filter, IndexView, Lists, Neighbor, Queries,
    columns::{NeighborColumns, PerQuery},
    doubles::DoubleNeighbor,
};

use crate::{
    arrays::{self, RowLists},
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
        let mut view = index.view();
        if let Some(filter) = self.filter {
            view = view.filtered(filter);
        }
        if let Some(spaces) = &self.spaces {
            view = view.in_space(PerQuery::Each(spaces));
        }
        if let Some(without) = &self.without {
            view = view.without(PerQuery::Each(without));
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
    fn check(&self, queries: usize) -> Result<(), Failure> {
        match &self.without {
            Some(rows) if rows.len() != queries => {
                let (field, len) = (widephase::error::Field::Row, rows.len());
                Err(Error::UnequalColumns { field, len, expected: queries }.into())
            }
            _ => Ok(()),
        }
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
        let near = self.ask(py, shapes, view, move |index, queries, view| {
            // Neighbours beyond the number of shapes are padding.
            let most = k.min(index.rows());
            if index.is_exact_for(queries) {
                let mut lists: Lists<DoubleNeighbor> = Lists::new();
                let wanted = most + usize::from(view.without.is_some());
                queries.exact(|columns| {
                    index.double()?.k_nearest_batch(columns, wanted, max_distance, &mut lists)
                })?;
                return Ok(passed_over_near(&lists, k, &|query| view.without(query)));
            }
            let mut lists: Lists<Neighbor> = Lists::new();
            let distance = max_distance as f32;
            queries.relative(index.origin(), |columns| {
                view.of(index.single()?).k_nearest_batch(columns, most, distance, &mut lists)
            })?;
            Ok(near(&lists, k))
        })?;
        near.arrays(py, shapes.hold(py)?.len(), k)
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
            if let (true, Some(shapes)) = (sorted.is_exact(), sorted.shapes()) {
                let mut lists: Lists<DoubleNeighbor> = Lists::new();
                let index = sorted.double()?;
                shapes.exact(|columns| {
                    index.k_nearest_batch(columns, most + 1, max_distance, &mut lists)
                })?;
                return passed_over_near(&lists, k, &|query| query as u32);
            }
            let mut lists: Lists<Neighbor> = Lists::new();
            sorted.single()?.k_nearest_of_rows(most, max_distance as f32, &mut lists)?;
            near(&lists, k)
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
pub enum Near {
    Single((Vec<u32>, Vec<f32>)),
    Double((Vec<u32>, Vec<f64>)),
}

impl Near {
    fn arrays(self, py: Python<'_>, rows: usize, k: usize) -> PyResult<RowsAndDistances<'_>> {
        Ok(match self {
            Self::Single((found, distances)) => (
                arrays::table(py, found, rows, k)?,
                arrays::table(py, distances, rows, k)?.into_any(),
            ),
            Self::Double((found, distances)) => (
                arrays::table(py, found, rows, k)?,
                arrays::table(py, distances, rows, k)?.into_any(),
            ),
        })
    }
}

/// Lists in `f32` as a table of `k` columns.
fn near(lists: &Lists<Neighbor>, k: usize) -> Result<Near, Failure> {
    let (row, distance) = reserved(lists.len(), k)?;
    let mut near = NeighborColumns { row, distance };
    near.fill(lists, k);
    Ok(Near::Single((near.row, near.distance)))
}

/// Lists in `f64` as a table of `k` columns: the row that a query passes over is left out, missing
/// neighbours are [`NO_ROW`] and infinitely far.
fn passed_over_near(
    lists: &Lists<DoubleNeighbor>,
    k: usize,
    without: &dyn Fn(usize) -> u32,
) -> Result<Near, Failure> {
    let (mut rows, mut distances) = reserved(lists.len(), k)?;
    for (query, list) in lists.iter().enumerate() {
        let found = list.iter().filter(|near| near.row != without(query)).copied();
        let padding = DoubleNeighbor { row: NO_ROW, distance: f64::INFINITY };
        for near in found.chain(iter::repeat(padding)).take(k) {
            rows.push(near.row);
            distances.push(near.distance);
        }
    }
    Ok(Near::Double((rows, distances)))
}

/// The columns of a table with this number of rows and columns.
fn reserved<D>(len: usize, k: usize) -> Result<(Vec<u32>, Vec<D>), Failure> {
    let size = len.saturating_mul(k);
    Ok((memory::with_room(size)?, memory::with_room(size)?))
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
