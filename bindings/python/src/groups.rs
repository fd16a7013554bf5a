//! Lists of pairs: started and stopped pairs, islands, partners. And the SIMD levels.

use numpy::{PyArray1, PyArray2, PyReadonlyArray1, PyReadonlyArray2};
use pyo3::prelude::*;
use widephase::{Adjacency, Error, Islands, Lists, Pair, SimdLevel};

use crate::{
    arrays::{self, RowLists},
    errors::{Failure, shape_error},
    run::{Shared, are_many, run},
};

/// The pairs that started, persisted and stopped since the last list.
#[pyclass(frozen, module = "widephase._widephase")]
#[derive(Default)]
pub struct PairDiff {
    diff: Shared<widephase::PairDiff>,
}

/// Started, persisted and stopped pairs of ids, and the places of the first two in the list.
type Changes<'py> = (
    Bound<'py, PyArray2<u64>>,
    Bound<'py, PyArray1<u32>>,
    Bound<'py, PyArray2<u64>>,
    Bound<'py, PyArray1<u32>>,
    Bound<'py, PyArray2<u64>>,
);

#[pymethods]
impl PairDiff {
    #[new]
    fn new() -> Self {
        Self::default()
    }

    /// Takes the list of this step.
    #[pyo3(signature = (pairs, ids, others))]
    fn update<'py>(
        &self,
        py: Python<'py>,
        pairs: PyReadonlyArray2<'py, u32>,
        ids: Option<PyReadonlyArray1<'py, u64>>,
        others: Option<PyReadonlyArray1<'py, u64>>,
    ) -> PyResult<Changes<'py>> {
        let list = listed(&pairs)?;
        let values = |ids: PyReadonlyArray1<'_, u64>| -> Vec<u64> {
            ids.as_array().iter().copied().collect()
        };
        let (ids, others) = (ids.map(values), others.map(values));
        let (started, persisted, stopped) =
            self.diff.run(py, are_many(list.len()), 1, move |diff| {
                match (&ids, &others) {
                    (Some(ids), Some(others)) => {
                        diff.update_between_with_ids(&list, ids, others)?
                    }
                    (Some(ids), None) => diff.update_with_ids(&list, ids)?,
                    _ => diff.update(&list)?,
                }
                let persisted: Vec<_> = diff.persisted().collect();
                Ok((diff.started().to_vec(), persisted, diff.stopped().to_vec()))
            })?;
        let table = |ids: Vec<u64>| arrays::rows(py, ids, 2);
        Ok((
            table(started.iter().flat_map(|pair| [pair.a, pair.b]).collect())?,
            arrays::array(py, started.iter().map(|pair| pair.index).collect()),
            table(persisted.iter().flat_map(|pair| [pair.a, pair.b]).collect())?,
            arrays::array(py, persisted.iter().map(|pair| pair.index).collect()),
            table(stopped.iter().flat_map(|pair| [pair.a, pair.b]).collect())?,
        ))
    }

    /// Forgets the last list.
    fn clear(&self, py: Python<'_>) -> PyResult<()> {
        Ok(self.diff.run(py, false, 1, |diff| {
            diff.clear();
            Ok(())
        })?)
    }

    fn bytes(&self, py: Python<'_>) -> PyResult<usize> {
        Ok(self.diff.run(py, false, 1, |diff| Ok(diff.bytes()))?)
    }
}

/// The island of each row, and the rows of each island.
#[pyfunction]
#[pyo3(signature = (rows, pairs, joins))]
pub fn islands<'py>(
    py: Python<'py>,
    rows: usize,
    pairs: PyReadonlyArray2<'py, u32>,
    joins: Option<PyReadonlyArray1<'py, bool>>,
) -> PyResult<(Bound<'py, PyArray1<u32>>, RowLists<'py>)> {
    let list = listed(&pairs)?;
    let joins: Option<Vec<bool>> = joins.map(|joins| joins.as_array().iter().copied().collect());
    if let Some(joins) = joins.as_ref().filter(|joins| joins.len() != rows) {
        let message = format!("joins: {} values, expected {rows}", joins.len());
        return Err(shape_error(&message, None, "joins"));
    }
    let (column, lists) = run(py, are_many(list.len()), 1, move || {
        let mut islands = Islands::new();
        let joins = |row: u32| joins.as_ref().is_none_or(|joins| joins[row as usize]);
        islands.find(rows, &list, joins).map_err(|error| in_list(error, &list))?;
        Ok((islands.column().to_vec(), islands.lists().clone()))
    })?;
    Ok((arrays::array(py, column), arrays::lists(py, lists)))
}

/// The partners of each row of a list of pairs.
#[pyfunction]
pub fn adjacency<'py>(
    py: Python<'py>,
    rows: usize,
    pairs: PyReadonlyArray2<'py, u32>,
    half: bool,
) -> PyResult<RowLists<'py>> {
    let list = listed(&pairs)?;
    let adjacency = if half { Adjacency::Half } else { Adjacency::Full };
    let lists = run(py, are_many(list.len()), 1, move || {
        let mut lists = Lists::new();
        widephase::adjacency(rows, &list, adjacency, &mut lists)
            .map_err(|error| in_list(error, &list))?;
        Ok(lists)
    })?;
    Ok(arrays::lists(py, lists))
}

/// The SIMD levels of this CPU, the best one last.
#[pyfunction]
pub fn levels() -> Vec<&'static str> {
    SimdLevel::available().iter().map(|level| level.name()).collect()
}

/// The error of a list of pairs, with the place of the pair.
fn in_list(error: Error, list: &[Pair]) -> Failure {
    let Error::NoSuchShape { index, len } = error else { return error.into() };
    let names = |pair: &Pair| pair.a as usize == index || pair.b as usize == index;
    let message = format!("pairs: row {index}, of {len} rows");
    let row = list.iter().position(names);
    Failure::Row { message, row, field: "pairs", value: index as u64 }
}

/// An (n, 2) array as a list of pairs.
pub fn listed(pairs: &PyReadonlyArray2<'_, u32>) -> Result<Vec<Pair>, PyErr> {
    let pairs = pairs.as_array();
    if pairs.ncols() != 2 {
        return Err(shape_error("pairs: expected the shape (n, 2)", None, "pairs"));
    }
    let mut list: Vec<Pair> = Vec::new();
    if list.try_reserve_exact(pairs.nrows()).is_err() {
        return Err(Failure::from(Error::OutOfMemory { len: pairs.nrows() }).into());
    }
    list.extend(pairs.rows().into_iter().map(|pair| Pair { a: pair[0], b: pair[1] }));
    Ok(list)
}
