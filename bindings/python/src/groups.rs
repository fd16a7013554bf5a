//! Lists of pairs: started and stopped pairs, islands, partners. And the SIMD levels.

use std::{ops::Deref, slice};

use bytemuck::allocation::cast_vec;
use numpy::{PyArray1, PyArray2, PyReadonlyArray1, PyReadonlyArray2};
use pyo3::prelude::*;
use widephase::{Adjacency, Error, Islands, Lists, Pair, SimdLevel};

use crate::{
    arrays::{self, RowLists},
    errors::{Failure, shape_error},
    memory,
    pools::{Large, Needed},
    run::{Shared, is_large, run},
    shapes::values,
};

/// The pairs that started, persisted and stopped since the last list.
#[pyclass(frozen, module = "widephase._widephase")]
pub struct PairDiff {
    diff: Large<Shared<widephase::PairDiff>>,
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
        Self { diff: Large::new(Shared::default()) }
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
        let ids = ids.map(|ids| values(&ids)).transpose()?;
        let others = others.map(|ids| values(&ids)).transpose()?;
        let (started, persisted, stopped) =
            self.diff.run(py, is_large(list.len()), 1, move |diff| {
                match (&ids, &others) {
                    (Some(ids), Some(others)) => {
                        diff.update_between_with_ids(&list, ids, others)?
                    }
                    (Some(ids), None) => diff.update_with_ids(&list, ids)?,
                    _ => diff.update(&list)?,
                }
                // A pair of the list that has not started has persisted.
                let (started, stopped) = (diff.started(), diff.stopped());
                let (new, old) = (started.len(), list.len() - started.len().min(list.len()));
                let mut lists = (memory::with_room(new)?, memory::with_room(new)?);
                for pair in started {
                    lists.0.push([pair.a, pair.b]);
                    lists.1.push(pair.index);
                }
                let mut others = (memory::with_room(old)?, memory::with_room(old)?);
                for pair in diff.persisted().take(old) {
                    others.0.push([pair.a, pair.b]);
                    others.1.push(pair.index);
                }
                let stopped = stopped.iter().map(|pair| [pair.a, pair.b]);
                Ok((lists, others, memory::listed(stopped.len(), stopped)?))
            })?;
        let table = |ids: Vec<[u64; 2]>| arrays::rows(py, cast_vec(ids), 2);
        Ok((
            table(started.0)?,
            arrays::array(py, started.1)?,
            table(persisted.0)?,
            arrays::array(py, persisted.1)?,
            table(stopped)?,
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
    let joins = joins.map(|joins| values(&joins)).transpose()?;
    if let Some(joins) = joins.as_ref().filter(|joins| joins.len() != rows) {
        let message = format!("joins: {} values, expected {rows}", joins.len());
        return Err(shape_error(&message, None, "joins"));
    }
    let (column, lists) = run(py, is_large(list.len().max(rows)), 1, move || {
        let mut islands = Islands::new();
        let joins = |row: u32| joins.as_ref().is_none_or(|joins| joins[row as usize]);
        islands.find(rows, &list, joins).map_err(|error| in_list(error, &list))?;
        drop(list);
        Ok((memory::copied(islands.column())?, list_parts(islands.lists())?))
    })?;
    Ok((arrays::array(py, column)?, arrays::list_parts(py, lists)?))
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
    let lists = run(py, is_large(list.len().max(rows)), 1, move || {
        let mut lists = Lists::new();
        widephase::adjacency(rows, &list, adjacency, &mut lists)
            .map_err(|error| in_list(error, &list))?;
        Ok(lists)
    })?;
    arrays::lists(py, lists)
}

/// A copy of lists: offsets and items.
pub fn list_parts(lists: &Lists<u32>) -> Result<(Vec<usize>, Vec<u32>), Error> {
    Ok((memory::copied(lists.offsets())?, memory::copied(lists.items())?))
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

/// A list of pairs: in place if the array is without gaps.
pub enum PairList {
    Array { _array: Needed, first: *const Pair, len: usize },
    Own(Vec<Pair>),
}

// SAFETY: the pointer is into memory that the array keeps, and which is only read.
unsafe impl Send for PairList {}

impl Deref for PairList {
    type Target = [Pair];

    fn deref(&self) -> &[Pair] {
        match self {
            // SAFETY: the array has so many rows of two words. The documentation of the package
            // forbids writes to it during a call.
            Self::Array { first, len, .. } => unsafe { slice::from_raw_parts(*first, *len) },
            Self::Own(list) => list,
        }
    }
}

/// An (n, 2) array as a list of pairs.
pub fn listed(pairs: &PyReadonlyArray2<'_, u32>) -> Result<PairList, PyErr> {
    let values = pairs.as_array();
    if values.ncols() != 2 {
        return Err(shape_error("pairs: expected the shape (n, 2)", None, "pairs"));
    }
    // Records may be at any address.
    if let Ok(words) = pairs.as_slice()
        && !words.is_empty()
        && words.as_ptr().is_aligned()
    {
        let (first, len) = (words.as_ptr().cast(), words.len() / 2);
        return Ok(PairList::Array {
            _array: Needed::new(pairs.as_any().clone().unbind()),
            first,
            len,
        });
    }
    let list = values.rows().into_iter().map(|pair| Pair { a: pair[0], b: pair[1] });
    Ok(PairList::Own(memory::listed(values.nrows(), list).map_err(Failure::from)?))
}
