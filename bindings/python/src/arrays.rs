//! Vectors as arrays of numpy that own them: nothing is copied.

use std::{any::Any, ffi::c_int, ptr, slice};

use bytemuck::{AnyBitPattern, NoUninit, allocation::cast_vec, cast_slice};
use numpy::{
    Element, PY_ARRAY_API, PyArray1, PyArray2, PyArrayDescr, PyArrayDescrMethods,
    npyffi::{NPY_ARRAY_WRITEABLE, NpyTypes, get_type_object, npy_intp},
};
use pyo3::{exceptions::PyRuntimeError, ffi, prelude::*, types::PyBytes};
use widephase::{Lists, Pair};

use crate::{
    errors::Failure,
    memory,
    pools::{Large, Needed},
};

/// The memory of an array.
#[pyclass(frozen, module = "widephase._widephase")]
struct Memory {
    _values: Values,
}

/// Values of any type; many values are given back without the GIL.
enum Values {
    Few { _values: Box<dyn Any + Send + Sync> },
    Many { _values: Large<Box<dyn Any + Send + Sync>> },
}

/// From so many bytes on, values are many.
const MANY: usize = 8 << 20;

/// An array with a value for each element.
pub fn array<T: Element + 'static>(
    py: Python<'_>,
    values: Vec<T>,
) -> PyResult<Bound<'_, PyArray1<T>>> {
    let len = values.len();
    // SAFETY: an array of one axis with as many values.
    unsafe { Ok(owner_of(py, values, &mut [len as npy_intp])?.cast_into_unchecked()) }
}

/// An array of `width` columns, from its values row by row.
pub fn rows<T: Element + 'static>(
    py: Python<'_>,
    values: Vec<T>,
    width: usize,
) -> PyResult<Bound<'_, PyArray2<T>>> {
    let rows = values.len().checked_div(width).unwrap_or(0);
    table(py, values, rows, width)
}

/// An array with these numbers of rows and columns, from its values row by row.
pub fn table<T: Element + 'static>(
    py: Python<'_>,
    values: Vec<T>,
    rows: usize,
    width: usize,
) -> PyResult<Bound<'_, PyArray2<T>>> {
    if rows.checked_mul(width) != Some(values.len()) {
        let message = format!("{} values for {rows} rows of {width}", values.len());
        return Err(PyRuntimeError::new_err(message));
    }
    let mut lengths = [rows as npy_intp, width as npy_intp];
    // SAFETY: an array of two axes with as many values.
    unsafe { Ok(owner_of(py, values, &mut lengths)?.cast_into_unchecked()) }
}

/// An array of the values with these lengths of its axes.
///
/// # Safety
/// The product of the lengths is the number of values.
unsafe fn owner_of<'py, T: Element + 'static>(
    py: Python<'py>,
    values: Vec<T>,
    lengths: &mut [npy_intp],
) -> PyResult<Bound<'py, PyAny>> {
    let values = fitted(values);
    // The values stay where they are when the vector is moved.
    let first = values.as_ptr().cast_mut().cast::<u8>();
    let are_many = size_of_val(&values[..]) >= MANY;
    let _values: Box<dyn Any + Send + Sync> = Box::new(values);
    let _values = match are_many {
        true => Values::Many { _values: Large::new(_values) },
        false => Values::Few { _values },
    };
    let owner = Bound::new(py, Memory { _values })?;
    // SAFETY: the memory has so many values of this type, and its owner goes with the array.
    unsafe { view(py, T::get_dtype(py), first, lengths, NPY_ARRAY_WRITEABLE, owner.into_any()) }
}

/// An array over memory that `owner` keeps. Without memory for the array itself, an error.
///
/// # Safety
/// `owner` keeps the values of an array of this type and these lengths where they are; if they may
/// be written to, no other code has a reference to them.
unsafe fn view<'py>(
    py: Python<'py>,
    dtype: Bound<'py, PyArrayDescr>,
    first: *mut u8,
    lengths: &mut [npy_intp],
    flags: c_int,
    owner: Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyAny>> {
    // SAFETY: all pointers are valid during the call, which takes over the type.
    let array = unsafe {
        PY_ARRAY_API.PyArray_NewFromDescr(
            py,
            get_type_object(py, NpyTypes::PyArray_Type),
            dtype.into_dtype_ptr(),
            lengths.len() as c_int,
            lengths.as_mut_ptr(),
            ptr::null_mut(),
            first.cast(),
            flags,
            ptr::null_mut(),
        )
    };
    // SAFETY: a new reference, or null and an exception.
    let array = unsafe { Bound::from_owned_ptr_or_err(py, array)? };
    // SAFETY: the array has no owner yet; the call takes over the reference to it.
    let set =
        unsafe { PY_ARRAY_API.PyArray_SetBaseObject(py, array.as_ptr().cast(), owner.into_ptr()) };
    if set < 0 { Err(PyErr::fetch(py)) } else { Ok(array) }
}

/// Pairs as an (n, 2) array.
pub fn pairs(py: Python<'_>, pairs: Vec<Pair>) -> PyResult<Bound<'_, PyArray2<u32>>> {
    rows(py, cast_vec::<Pair, u32>(fitted(pairs)), 2)
}

/// Records of 32-bit values, as the values of all records.
pub fn words<T: NoUninit + AnyBitPattern>(
    py: Python<'_>,
    records: Vec<T>,
) -> PyResult<Bound<'_, PyArray1<u32>>> {
    array(py, cast_vec::<T, u32>(fitted(records)))
}

/// Offsets as signed numbers, as scipy has them.
pub fn offsets(py: Python<'_>, offsets: Vec<usize>) -> PyResult<Bound<'_, PyArray1<i64>>> {
    if size_of::<usize>() == 8 {
        return array(py, cast_vec::<usize, i64>(offsets));
    }
    let wide = memory::listed(offsets.len(), offsets.into_iter().map(|offset| offset as i64));
    array(py, wide.map_err(Failure::from)?)
}

/// Lists of rows: offsets and items.
pub type RowLists<'py> = (Bound<'py, PyArray1<i64>>, Bound<'py, PyArray1<u32>>);

pub fn lists(py: Python<'_>, lists: Lists<u32>) -> PyResult<RowLists<'_>> {
    list_parts(py, lists.into_parts())
}

/// Lists from their offsets and items.
pub fn list_parts(
    py: Python<'_>,
    (starts, items): (Vec<usize>, Vec<u32>),
) -> PyResult<RowLists<'_>> {
    Ok((offsets(py, starts)?, array(py, items)?))
}

/// Records of words as an array that reads the memory of `owner`, and may not be written to.
///
/// # Safety
/// `owner` keeps the records where they are, and never changes them.
pub unsafe fn lent<'py, T: NoUninit, W: Element + AnyBitPattern>(
    records: &[T],
    owner: Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyArray1<W>>> {
    let words = cast_slice::<T, W>(records);
    let (py, first) = (owner.py(), words.as_ptr().cast_mut().cast::<u8>());
    let lengths = &mut [words.len() as npy_intp];
    // SAFETY: the caller guarantees that the owner keeps the memory; nobody may write to it.
    let array = unsafe { view(py, W::get_dtype(py), first, lengths, 0, owner)? };
    // SAFETY: an array of one axis.
    Ok(unsafe { array.cast_into_unchecked() })
}

/// The vector, without much more memory than it needs: an array may live long.
fn fitted<T>(mut values: Vec<T>) -> Vec<T> {
    if values.capacity() > values.len() + values.len() / 2 + 64 {
        values.shrink_to_fit();
    }
    values
}

/// The bytes as an object of Python. They are moved piece by piece from the end, so that they are
/// there once.
pub fn bytes(py: Python<'_>, mut bytes: Vec<u8>) -> PyResult<Bound<'_, PyBytes>> {
    /// A piece.
    const PIECE: usize = 8 << 20;
    // SAFETY: a new object without values, or null and an exception.
    let made = unsafe {
        let made = ffi::PyBytes_FromStringAndSize(ptr::null(), bytes.len() as ffi::Py_ssize_t);
        Bound::from_owned_ptr_or_err(py, made)?
    };
    // SAFETY: the object has so many bytes behind this address. No other code has it yet.
    let place = Place(unsafe { ffi::PyBytes_AsString(made.as_ptr()).cast::<u8>() });
    py.detach(move || {
        let place = place;
        while !bytes.is_empty() {
            let start = bytes.len().saturating_sub(PIECE);
            let piece = &bytes[start..];
            // SAFETY: the place has as many bytes as there were, none of which are these bytes.
            unsafe { place.0.add(start).copy_from_nonoverlapping(piece.as_ptr(), piece.len()) };
            bytes.truncate(start);
            bytes.shrink_to_fit();
        }
    });
    // SAFETY: it was made as such an object.
    Ok(unsafe { made.cast_into_unchecked() })
}

/// The place of the values of an object.
struct Place(*mut u8);

// SAFETY: only the thread that has it writes there.
unsafe impl Send for Place {}

/// The bytes of an object, for a call without the GIL.
pub struct Bytes {
    _object: Needed,
    first: *const u8,
    len: usize,
}

// SAFETY: bytes are never written to, and their object is kept.
unsafe impl Send for Bytes {}

impl Bytes {
    pub fn new(bytes: &Bound<'_, PyBytes>) -> Self {
        let (first, len) = (bytes.as_bytes().as_ptr(), bytes.as_bytes().len());
        Self { _object: Needed::new(bytes.clone().into_any().unbind()), first, len }
    }

    pub fn get(&self) -> &[u8] {
        // SAFETY: the object keeps so many bytes, which never change.
        unsafe { slice::from_raw_parts(self.first, self.len) }
    }
}
