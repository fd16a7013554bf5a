//! Errors of the library as exceptions of Python.

use pyo3::{
    exceptions::{PyMemoryError, PyRuntimeError, PyValueError},
    prelude::*,
    sync::PyOnceLock,
    types::{PyDict, PyType},
};
use widephase::{
    Error,
    error::{ErrorKind, FileFault, PolygonFault},
};

/// Why a call failed.
#[derive(Debug)]
pub enum Failure {
    /// An error of the library, and the value as it was given, where it is known.
    Library(Error, Option<f64>),
    /// A value in a row of an argument.
    Row { message: String, row: Option<usize>, field: &'static str, value: u64 },
    /// A shape that is refused, and the value as it was given, where it is known.
    Shape { message: String, row: usize, field: String, value: Option<f64> },
    /// A panic, which is a bug.
    Panic(String),
    /// A signal: Ctrl-C.
    Interrupted(PyErr),
    /// A thread of the parent process had the value when this process was forked.
    Forked,
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self::Library(error, None)
    }
}

impl From<Failure> for PyErr {
    fn from(failure: Failure) -> Self {
        Python::attach(|py| match failure {
            Failure::Library(error, value) => exception(py, &error, value),
            Failure::Row { message, row, field, value } => {
                named(py, "ShapeError", &message, row, Some(field.to_owned()), Some(value))
            }
            Failure::Shape { message, row, field, value } => {
                named(py, "ShapeError", &message, Some(row), Some(field), value)
            }
            Failure::Panic(message) => PyRuntimeError::new_err(format!(
                "a bug of widephase, or an array that was written to during the call: {message}"
            )),
            Failure::Interrupted(error) => error,
            Failure::Forked => PyRuntimeError::new_err(
                "it was in use when this process was forked: make another one in this process",
            ),
        })
    }
}

/// Whether lists are as long as a call admits.
pub fn within(max_pairs: u64, len: usize) -> Result<(), Failure> {
    if len as u64 <= max_pairs {
        return Ok(());
    }
    Err(Error::TooManyPairs { limit: max_pairs, found: len as u64 }.into())
}

/// The exception of an error.
pub fn exception(py: Python<'_>, error: &Error, given: Option<f64>) -> PyErr {
    if let Error::NoSpaceNamed { spaces } = error {
        // By the name of the argument here.
        let message = format!(
            "the index has shapes in {spaces} spaces: a query needs spaces=, or shapes with spaces"
        );
        return named(py, "ShapeError", &message, None, Some("spaces".to_owned()), None::<f64>);
    }
    match error.kind() {
        ErrorKind::Memory => return PyMemoryError::new_err(error.to_string()),
        ErrorKind::Level => return shape_error(&error.to_string(), None, "level"),
        ErrorKind::File => {
            let foreign = matches!(error, Error::InvalidFile { fault: FileFault::Foreign, .. });
            let message =
                if foreign { "not a snapshot".to_owned() } else { format!("snapshot: {error}") };
            return PyValueError::new_err(message);
        }
        ErrorKind::Limit => {
            return named(py, "LimitError", &error.to_string(), None, None, None::<f64>);
        }
        _ => {}
    }
    let (field, value) = match error {
        Error::InvalidMargin { value } => (Some("margin".to_owned()), Some(f64::from(*value))),
        Error::InvalidPeriod { max, .. } => (Some("periodic".to_owned()), Some(f64::from(*max))),
        _ => (error.field().map(|field| field.to_string()), value_of(error)),
    };
    named(py, "ShapeError", &error.to_string(), error.row(), field, given.or(value))
}

/// A `ShapeError` of this package itself.
pub fn shape_error(message: &str, row: Option<usize>, field: &str) -> PyErr {
    Python::attach(|py| named(py, "ShapeError", message, row, Some(field.to_owned()), None::<f64>))
}

fn value_of(error: &Error) -> Option<f64> {
    match error {
        Error::InvalidShape { value, .. }
        | Error::InvalidQuery { value, .. }
        | Error::InvalidPolygon {
            fault: PolygonFault::Vertex { value, .. } | PolygonFault::Radius { value, .. },
            ..
        } => Some(f64::from(*value)),
        _ => None,
    }
}

/// An exception of the class of this name in `widephase._errors`.
fn named<'py, V: IntoPyObject<'py>>(
    py: Python<'py>,
    class: &'static str,
    message: &str,
    row: Option<usize>,
    field: Option<String>,
    value: Option<V>,
) -> PyErr {
    static SHAPE: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    static LIMIT: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    let cell = if class == "ShapeError" { &SHAPE } else { &LIMIT };
    let make = || {
        let class = cell.import(py, "widephase._errors", class)?;
        if row.is_none() && field.is_none() && value.is_none() {
            return class.call1((message,));
        }
        let named = PyDict::new(py);
        named.set_item("row", row)?;
        named.set_item("field", field)?;
        named.set_item("value", value)?;
        class.call((message,), Some(&named))
    };
    make().map_or_else(|error| error, PyErr::from_value)
}
