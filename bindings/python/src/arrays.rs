//! Vectors as arrays of numpy that own them: nothing is copied.

use bytemuck::{AnyBitPattern, NoUninit, allocation::cast_vec, cast_slice};
use numpy::{
    Element, PyArray1, PyArray2, PyArrayMethods,
    ndarray::{Array2, ArrayView1},
};
use pyo3::prelude::*;
use widephase::{Lists, Pair};

/// An array with a value for each element.
pub fn array<T: Element>(py: Python<'_>, values: Vec<T>) -> Bound<'_, PyArray1<T>> {
    PyArray1::from_vec(py, fitted(values))
}

/// An array of `width` columns, from its values row by row.
pub fn rows<T: Element>(
    py: Python<'_>,
    values: Vec<T>,
    width: usize,
) -> PyResult<Bound<'_, PyArray2<T>>> {
    let rows = values.len().checked_div(width).unwrap_or(0);
    table(py, values, rows, width)
}

/// An array with these numbers of rows and columns, from its values row by row.
pub fn table<T: Element>(
    py: Python<'_>,
    values: Vec<T>,
    rows: usize,
    width: usize,
) -> PyResult<Bound<'_, PyArray2<T>>> {
    let array = Array2::from_shape_vec((rows, width), fitted(values))
        .map_err(|error| pyo3::exceptions::PyRuntimeError::new_err(error.to_string()))?;
    Ok(PyArray2::from_owned_array(py, array))
}

/// Pairs as an (n, 2) array.
pub fn pairs(py: Python<'_>, pairs: Vec<Pair>) -> PyResult<Bound<'_, PyArray2<u32>>> {
    rows(py, cast_vec::<Pair, u32>(fitted(pairs)), 2)
}

/// Records of 32-bit values, as the values of all records.
pub fn words<T: NoUninit + AnyBitPattern>(
    py: Python<'_>,
    records: Vec<T>,
) -> Bound<'_, PyArray1<u32>> {
    array(py, cast_vec::<T, u32>(fitted(records)))
}

/// Offsets as signed numbers, as scipy has them.
pub fn offsets(py: Python<'_>, offsets: Vec<usize>) -> Bound<'_, PyArray1<i64>> {
    if size_of::<usize>() == 8 {
        return array(py, cast_vec::<usize, i64>(offsets));
    }
    array(py, offsets.into_iter().map(|offset| offset as i64).collect())
}

/// Lists of rows: offsets and items.
pub type RowLists<'py> = (Bound<'py, PyArray1<i64>>, Bound<'py, PyArray1<u32>>);

pub fn lists(py: Python<'_>, lists: Lists<u32>) -> RowLists<'_> {
    let (starts, items) = lists.into_parts();
    (offsets(py, starts), array(py, items))
}

/// Records of words as an array that reads the memory of `owner`, and may not be written to.
///
/// # Safety
/// `owner` keeps the records where they are, and never changes them.
pub unsafe fn lent<'py, T: NoUninit, W: Element + AnyBitPattern>(
    records: &[T],
    owner: Bound<'py, PyAny>,
) -> Bound<'py, PyArray1<W>> {
    let words = ArrayView1::from(cast_slice::<T, W>(records));
    // SAFETY: the caller guarantees that the owner keeps the memory.
    let array = unsafe { PyArray1::borrow_from_array(&words, owner) };
    array.readwrite().make_nonwriteable();
    array
}

/// The vector, without much more memory than it needs: an array may live long.
fn fitted<T>(mut values: Vec<T>) -> Vec<T> {
    if values.capacity() > values.len() + values.len() / 2 + 64 {
        values.shrink_to_fit();
    }
    values
}
