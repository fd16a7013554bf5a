//! `Index`: queries with shapes.

use std::{iter, sync::Arc};

use numpy::{PyArray1, PyArray2, PyReadonlyArray1};
use pyo3::{exceptions::PyMemoryError, prelude::*};
use widephase::{
    Error, Filter, IndexOptions, IndexView, Lists, Neighbor, Queries,
    columns::{NeighborColumns, PerQuery},
    doubles::DoubleNeighbor,
};

use crate::{
    arrays::{self, RowLists},
    errors::Failure,
    held::Held,
    options::RunOptions,
    run::{may_take_long, run},
    shapes::Shapes,
    sorted::SortedShapes,
};

/// Shapes that are sorted once and asked many times, by any number of threads.
#[pyclass(frozen, module = "widephase._widephase")]
pub struct Index {
    sorted: Arc<SortedShapes>,
    options: RunOptions,
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
    ) -> Self {
        let values = |array: PyReadonlyArray1<'_, u32>| array.as_array().iter().copied().collect();
        let filter = filter.map(|(category, mask, group, owner, sensor)| Filter {
            category,
            mask,
            group,
            owner,
            sensor,
        });
        Self { filter, spaces: spaces.map(values), without: without.map(values) }
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
        let index_options = IndexOptions { max_pairs, ..options.options(rows, true).into() };
        let sorted = run(py, long, options.threads_for(rows), move || {
            SortedShapes::build(&held, index_options)
        })?;
        Ok(Self { sorted: Arc::new(sorted), options })
    }

    fn __len__(&self) -> usize {
        self.sorted.rows()
    }

    fn bytes(&self) -> usize {
        self.sorted.bytes()
    }

    /// The shapes as they were when they were sorted; none of a world.
    fn shapes(&self, py: Python<'_>) -> PyResult<Option<Shapes>> {
        self.sorted.shapes().map(|held| Shapes::of_held(py, held)).transpose()
    }

    /// Whether positions that are answered are `f64`, and then their origin.
    #[getter]
    fn origin(&self) -> Option<[f64; 2]> {
        self.sorted.is_double().then(|| self.sorted.origin())
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
        let view = View::new(filter, None, without);
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
        Ok((arrays::offsets(py, lists.0), arrays::array(py, lists.1)))
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
        let view = View::new(filter, None, without);
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
        Ok(arrays::array(py, counts))
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
        let view = View::new(filter, None, without);
        let any: Vec<bool> = self.ask(py, shapes, view, |index, queries, view| {
            if index.is_exact_for(queries) {
                let counts = exact_counts(index, queries, view)?;
                return Ok(Ok(counts.iter().map(|count| *count > 0).collect()));
            }
            let mut rows = Vec::new();
            queries.relative(index.origin(), |columns| {
                view.of(index.single()?).any_overlapping_batch(columns, &mut rows)
            })?;
            Ok(Ok(rows.iter().map(Option::is_some).collect()))
        })?;
        Ok(arrays::array(py, any))
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
        let view = View::new(filter, None, without);
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
        let (sorted, rows) = (self.sorted.clone(), self.sorted.rows());
        let (long, threads) = (may_take_long(rows, rows), self.options.threads_for(rows));
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
    pub fn of(sorted: SortedShapes, options: RunOptions) -> Self {
        Self { sorted: Arc::new(sorted), options }
    }

    pub fn sorted(&self) -> Arc<SortedShapes> {
        self.sorted.clone()
    }

    pub fn options(&self) -> &RunOptions {
        &self.options
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
        let sorted = self.sorted.clone();
        let view = view.for_shapes(&queries, &sorted);
        let long = may_take_long(queries.len(), sorted.rows());
        let threads = self.options.threads_for(queries.len());
        Ok(run(py, long, threads, move || {
            let exact = sorted.is_exact_for(&queries);
            let queries = if exact { queries.seen_with(view.filter) } else { queries };
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
    let (mut rows, mut distances) = (Vec::new(), Vec::new());
    let size = len.saturating_mul(k);
    if rows.try_reserve_exact(size).and(distances.try_reserve_exact(size)).is_err() {
        let message = format!("no memory for {len} times {k} neighbours");
        return Err(Failure::Interrupted(PyMemoryError::new_err(message)));
    }
    Ok((rows, distances))
}

/// Lists without the rows that queries pass over.
fn passed_over(lists: Lists<u32>, view: &View) -> (Vec<usize>, Vec<u32>) {
    let (mut offsets, mut items) = (vec![0], Vec::with_capacity(lists.items().len()));
    for (query, list) in lists.iter().enumerate() {
        let without = view.without(query);
        items.extend(list.iter().filter(|row| **row != without));
        offsets.push(items.len());
    }
    (offsets, items)
}
