//! `Column`: numbers in memory of numpy, with any stride, read as slices.

use std::{borrow::Cow, ops::Range, slice, sync::Arc};

use bytemuck::Pod;
use numpy::{PyArrayDescrMethods, PyUntypedArray, PyUntypedArrayMethods, dtype};
use pyo3::prelude::*;
use widephase::Error;

use crate::{errors::shape_error, memory, pools::Needed};

/// A column of `f32` or `f64` values.
///
/// It is read without the GIL, so it owns the object that keeps its memory.
#[derive(Debug)]
pub struct Column {
    _owner: Arc<Owner>,
    first: *const u8,
    /// In bytes; 0 for one value that all rows share.
    stride: isize,
    len: usize,
    double: bool,
    /// Whether values are where numbers of their type may be: not in packed records.
    aligned: bool,
}

/// The object that keeps the memory of a column.
#[derive(Debug)]
enum Owner {
    Array { _array: Needed },
    Single { _values: Vec<f32> },
    Double { _values: Vec<f64> },
}

// SAFETY: the pointer is into memory that the owner keeps, and which is only read.
unsafe impl Send for Column {}
// SAFETY: as above.
unsafe impl Sync for Column {}

/// A number that a column consists of.
pub trait Number: Pod {
    /// The value, rounded if need be.
    fn from_double(value: f64) -> Self;
    /// Whether columns of `f64` have this type.
    const DOUBLE: bool;
}

impl Number for f32 {
    fn from_double(value: f64) -> Self {
        value as f32
    }
    const DOUBLE: bool = false;
}

impl Number for f64 {
    fn from_double(value: f64) -> Self {
        value
    }
    const DOUBLE: bool = true;
}

impl Column {
    /// The values of an array with one axis. The wrapper has made it so; it is checked again,
    /// because users can change the shape and type of an array in place.
    pub fn new(array: &Bound<'_, PyUntypedArray>, field: &str) -> PyResult<Self> {
        let py = array.py();
        let given = array.dtype();
        let double = given.is_equiv_to(&dtype::<f64>(py));
        let size = if double { 8 } else { 4 };
        let (&[len], &[stride]) = (array.shape(), array.strides()) else {
            return Err(shape_error(&format!("{field}: expected one axis"), None, field));
        };
        // SAFETY: the object is an array, which the type proves.
        let first = unsafe { (*array.as_array_ptr()).fields.data.cast_const().cast::<u8>() };
        if !double && !given.is_equiv_to(&dtype::<f32>(py)) {
            let message = format!("{field}: expected float32 or float64, not {given}");
            return Err(shape_error(&message, None, field));
        }
        if len > 0 && first.is_null() {
            return Err(shape_error(&format!("{field}: no memory"), None, field));
        }
        let aligned = (first as usize | stride as usize).is_multiple_of(size);
        let _owner = Owner::Array { _array: Needed::new(array.clone().into_any().unbind()) };
        Ok(Self { _owner: Arc::new(_owner), first, stride, len, double, aligned })
    }

    /// A column of these values.
    pub fn of(values: Vec<f32>) -> Self {
        let (first, len) = (values.as_ptr().cast::<u8>(), values.len());
        let _owner = Arc::new(Owner::Single { _values: values });
        Self { _owner, first, stride: 4, len, double: false, aligned: true }
    }

    /// A column of one value for all rows.
    pub fn same(value: f32, len: usize) -> Self {
        Self { stride: 0, len, ..Self::of(vec![value]) }
    }

    /// Some rows, in the same memory.
    pub fn part(&self, rows: Range<usize>) -> Self {
        let rows = rows.start.min(self.len)..rows.end.min(self.len);
        let first = self.first.wrapping_offset(rows.start as isize * self.stride);
        Self { _owner: Arc::clone(&self._owner), first, len: rows.len(), ..*self }
    }

    /// A copy of the values.
    pub fn copied(&self) -> Result<Self, Error> {
        let (owner, first, size) = if self.double {
            let values: Vec<f64> = self.few()?;
            let first = values.as_ptr().cast::<u8>();
            (Owner::Double { _values: values }, first, 8)
        } else {
            let values: Vec<f32> = self.few()?;
            let first = values.as_ptr().cast::<u8>();
            (Owner::Single { _values: values }, first, 4)
        };
        let stride = if self.stride == 0 { 0 } else { size };
        Ok(Self { _owner: Arc::new(owner), first, stride, aligned: true, ..*self })
    }

    /// The values in memory of their own: one value if all rows share it.
    fn few<T: Number>(&self) -> Result<Vec<T>, Error> {
        match self.shared() {
            Some(value) => memory::filled(T::from_double(value), 1),
            None => self.owned(),
        }
    }

    pub fn len(&self) -> usize {
        self.len
    }

    pub fn is_double(&self) -> bool {
        self.double
    }

    /// The value of a row, if there is such a row.
    #[inline(always)]
    pub fn get(&self, row: usize) -> Option<f64> {
        // SAFETY: the row is within the array.
        (row < self.len).then(|| unsafe { self.value(row) })
    }

    /// The value that all rows share, if the array says so by a stride of 0.
    pub fn shared(&self) -> Option<f64> {
        (self.stride == 0).then(|| self.get(0)).flatten()
    }

    /// The values: in place if they are of this type and without gaps.
    pub fn read<T: Number>(&self) -> Result<Cow<'_, [T]>, Error> {
        if self.is_slice::<T>() {
            return Ok(Cow::Borrowed(self.slice()));
        }
        self.map(T::from_double).map(Cow::Owned)
    }

    /// The values in memory of their own.
    pub fn owned<T: Number>(&self) -> Result<Vec<T>, Error> {
        match self.is_slice::<T>() {
            true => memory::copied(self.slice()),
            false => self.map(T::from_double),
        }
    }

    /// The values less an origin, rounded to `f32`; in place where that changes nothing.
    pub fn relative(&self, origin: f64) -> Result<Cow<'_, [f32]>, Error> {
        if origin == 0.0 {
            return self.read();
        }
        self.map(|value| (value - origin) as f32).map(Cow::Owned)
    }

    /// The rows `[x, y]` of this column and the next column, if both are one array of this type.
    pub fn interleaved<T: Number>(&self, next: &Self) -> Option<&[[T; 2]]> {
        let size = size_of::<T>();
        let one = self.double == T::DOUBLE && next.double == T::DOUBLE && self.len == next.len;
        let one = one && self.aligned && next.aligned;
        let apart = (next.first as usize).wrapping_sub(self.first as usize);
        let stride = 2 * size as isize;
        if !one || apart != size || self.stride != stride || next.stride != stride || self.len == 0
        {
            return None;
        }
        // SAFETY: `len` rows of two values, without a gap; values are as in `slice`.
        Some(unsafe { slice::from_raw_parts(self.first.cast::<[T; 2]>(), self.len) })
    }

    fn map<T>(&self, of: impl Fn(f64) -> T) -> Result<Vec<T>, Error> {
        // SAFETY: each row is within the array.
        memory::listed(self.len, (0..self.len).map(|row| of(unsafe { self.value(row) })))
    }

    /// Whether it has values of this type without gaps.
    fn is_slice<T: Number>(&self) -> bool {
        let whole = self.aligned && self.stride == size_of::<T>() as isize;
        self.double == T::DOUBLE && whole
    }

    /// The values of a column of this type without gaps.
    fn slice<T: Number>(&self) -> &[T] {
        if self.len == 0 {
            return &[];
        }
        // SAFETY: `Column` has checked the type, the stride and the alignment, and owns a reference
        // to the array, which keeps the memory. The documentation of the package forbids writes to
        // the array during a call.
        unsafe { slice::from_raw_parts(self.first.cast::<T>(), self.len) }
    }

    /// # Safety
    /// The row is less than the length.
    #[inline(always)]
    unsafe fn value(&self, row: usize) -> f64 {
        // SAFETY: the caller guarantees the row. Its value may be at any address.
        unsafe {
            let place = self.first.offset(row as isize * self.stride);
            if self.double {
                place.cast::<f64>().read_unaligned()
            } else {
                f64::from(place.cast::<f32>().read_unaligned())
            }
        }
    }
}
