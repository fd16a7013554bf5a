//! `Shapes`: the columns of a set of shapes, as Python holds them between calls.

use std::sync::Arc;

use numpy::{PyArray1, PyReadonlyArray1, PyUntypedArray};
use pyo3::{prelude::*, types::PyBytes};
use widephase::{Filter, doubles::DoubleBox};

use crate::{
    arrays,
    column::Column,
    errors::{Failure, shape_error},
    held::{Held, Kind, Values},
    store::Store,
};

/// A set of shapes: columns of numpy, read at each call; or shapes of its own.
#[pyclass(frozen, module = "widephase._widephase")]
pub struct Shapes {
    form: Form,
    len: usize,
    filters: Option<Arc<[Filter]>>,
    spaces: Option<Arc<[u32]>>,
}

/// The columns of filters: categories, masks, groups, owners, sensors.
type FilterArrays<'py> = (
    Bound<'py, PyArray1<u64>>,
    Bound<'py, PyArray1<u64>>,
    Bound<'py, PyArray1<i32>>,
    Bound<'py, PyArray1<u32>>,
    Bound<'py, PyArray1<bool>>,
);

/// The values of the shapes.
pub enum Form {
    Columns(Kind, Vec<Py<PyUntypedArray>>),
    /// Shapes of kinds that are exact in `f64`.
    Boxes(Arc<[DoubleBox]>),
    Store(Arc<Store>),
}

impl Form {
    fn clone_ref(&self, py: Python<'_>) -> Self {
        match self {
            Self::Columns(kind, columns) => {
                Self::Columns(*kind, columns.iter().map(|column| column.clone_ref(py)).collect())
            }
            Self::Boxes(boxes) => Self::Boxes(boxes.clone()),
            Self::Store(store) => Self::Store(store.clone()),
        }
    }
}

#[pymethods]
impl Shapes {
    /// Shapes of one kind from their columns, which all have one length.
    #[new]
    fn new(kind: &str, columns: Vec<Bound<'_, PyUntypedArray>>) -> PyResult<Self> {
        let kind = Kind::named(kind)?;
        let fields = kind.fields();
        if fields.len() != columns.len() {
            return Err(shape_error("wrong number of columns", None, fields[0]));
        }
        let mut len = None;
        for (column, field) in columns.iter().zip(fields) {
            let found = Column::new(column, field)?.len();
            if found != *len.get_or_insert(found) {
                let message = format!("{field}: {found} values, expected {}", len.unwrap_or(0));
                return Err(shape_error(&message, None, field));
            }
        }
        let columns = columns.into_iter().map(Bound::unbind).collect();
        Ok(Self::of(Form::Columns(kind, columns), len.unwrap_or(0)))
    }

    /// The shapes of several sets, one set after the other.
    #[staticmethod]
    fn concat(py: Python<'_>, sets: Vec<PyRef<'_, Shapes>>) -> PyResult<Self> {
        let held = sets.iter().map(|set| set.hold(py)).collect::<PyResult<Vec<_>>>()?;
        let len = held.iter().map(Held::len).sum();
        let exact = held.iter().all(Held::can_be_exact) && held.iter().any(Held::is_double);
        let form = if exact {
            let mut boxes = Vec::with_capacity(len);
            held.iter().try_for_each(|set| set.append_to(&mut boxes))?;
            Form::Boxes(boxes.into())
        } else {
            Form::Store(Arc::new(mixed(&held)?))
        };
        let filters = held.iter().any(|set| set.filters().is_some()).then(|| {
            let of = |set: &Held| match set.filters() {
                Some(filters) => filters.to_vec(),
                None => vec![Filter::ALL; set.len()],
            };
            held.iter().flat_map(of).collect()
        });
        let spaces = held.iter().any(|set| set.spaces().is_some()).then(|| {
            let of = |set: &Held| set.spaces().map_or_else(|| vec![0; set.len()], <[u32]>::to_vec);
            held.iter().flat_map(of).collect()
        });
        Ok(Self { filters, spaces, ..Self::of(form, len) })
    }

    /// These shapes with a filter for each row: five columns.
    fn with_filters(
        &self,
        py: Python<'_>,
        category: PyReadonlyArray1<'_, u64>,
        mask: PyReadonlyArray1<'_, u64>,
        group: PyReadonlyArray1<'_, i32>,
        owner: PyReadonlyArray1<'_, u32>,
        sensor: PyReadonlyArray1<'_, bool>,
    ) -> PyResult<Self> {
        let (category, mask, group) = (category.as_array(), mask.as_array(), group.as_array());
        let (owner, sensor) = (owner.as_array(), sensor.as_array());
        let lengths = [category.len(), mask.len(), group.len(), owner.len(), sensor.len()];
        if lengths.iter().any(|len| *len != self.len) {
            return Err(shape_error("filter: one value a shape is expected", None, "filter"));
        }
        let filter = |row| Filter {
            category: category[row],
            mask: mask[row],
            group: group[row],
            owner: owner[row],
            sensor: sensor[row],
        };
        let filters = Some((0..self.len).map(filter).collect());
        let spaces = self.spaces.clone();
        Ok(Self { form: self.form.clone_ref(py), len: self.len, filters, spaces })
    }

    /// These shapes with the number of a space for each row.
    fn with_spaces(&self, py: Python<'_>, spaces: PyReadonlyArray1<'_, u32>) -> PyResult<Self> {
        let spaces: Arc<[u32]> = spaces.as_array().iter().copied().collect();
        if spaces.len() != self.len {
            let message = format!("space: {} values, expected {}", spaces.len(), self.len);
            return Err(shape_error(&message, None, "space"));
        }
        let filters = self.filters.clone();
        Ok(Self { form: self.form.clone_ref(py), len: self.len, filters, spaces: Some(spaces) })
    }

    /// Some of the shapes: their columns, if they have any, and their rows.
    fn taken(
        &self,
        columns: Vec<Bound<'_, PyUntypedArray>>,
        rows: PyReadonlyArray1<'_, u32>,
    ) -> PyResult<Self> {
        let rows: Vec<u32> = rows.as_array().iter().copied().collect();
        if let Some(row) = rows.iter().find(|row| **row as usize >= self.len) {
            return Err(shape_error(&format!("rows: {row} of {}", self.len), None, "rows"));
        }
        let made = match &self.form {
            Form::Columns(kind, _) => Self::new(kind.name(), columns)?,
            Form::Boxes(boxes) => {
                let boxes = rows.iter().map(|row| boxes[*row as usize]).collect();
                Self::of(Form::Boxes(boxes), rows.len())
            }
            Form::Store(store) => {
                let taken = store.taken(&rows).map_err(Failure::from)?;
                Self::of(Form::Store(Arc::new(taken)), rows.len())
            }
        };
        if made.len != rows.len() {
            return Err(shape_error("rows: not as many as values", None, "rows"));
        }
        let filters = self.filters.as_ref();
        let filters = filters.map(|all| rows.iter().map(|row| all[*row as usize]).collect());
        let spaces = self.spaces.as_ref();
        let spaces = spaces.map(|all| rows.iter().map(|row| all[*row as usize]).collect());
        Ok(Self { filters, spaces, ..made })
    }

    /// Shapes that have no columns as bytes.
    fn stored<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyBytes>>> {
        Ok(match &self.form {
            Form::Columns(..) => None,
            Form::Boxes(boxes) => {
                let words = |shape: &DoubleBox| {
                    let ([left, low], [right, top]) = (shape.min, shape.max);
                    [left, low, right, top, shape.radius].map(f64::to_le_bytes)
                };
                let bytes: Vec<u8> = boxes.iter().flat_map(words).flatten().collect();
                Some(PyBytes::new(py, &bytes))
            }
            Form::Store(store) => Some(PyBytes::new(py, &store.to_bytes().map_err(Failure::from)?)),
        })
    }

    /// The shapes of such bytes: polygons, or a set of several kinds, in `f64` or not.
    #[staticmethod]
    fn restored(kind: &str, exact: bool, bytes: &[u8]) -> PyResult<Self> {
        if exact {
            let (rows, _) = bytes.as_chunks::<40>();
            let word = |row: &[u8; 40], at: usize| {
                f64::from_le_bytes(row[8 * at..].first_chunk().copied().unwrap_or_default())
            };
            let shape = |row: &[u8; 40]| DoubleBox {
                min: [word(row, 0), word(row, 1)],
                max: [word(row, 2), word(row, 3)],
                radius: word(row, 4),
            };
            let boxes: Arc<[DoubleBox]> = rows.iter().map(shape).collect();
            let len = boxes.len();
            return Ok(Self::of(Form::Boxes(boxes), len));
        }
        let store = Store::from_bytes(bytes, kind).map_err(Failure::from)?;
        let len = store.shapes.rows();
        Ok(Self::of(Form::Store(Arc::new(store)), len))
    }

    /// Whether shapes without columns are decided in `f64`.
    #[getter]
    fn is_exact(&self) -> bool {
        matches!(self.form, Form::Boxes(_))
    }

    /// The five columns of the filters, if there are any.
    #[getter]
    fn filters<'py>(&self, py: Python<'py>) -> Option<FilterArrays<'py>> {
        let all = self.filters.as_ref()?;
        Some((
            arrays::array(py, all.iter().map(|filter| filter.category).collect()),
            arrays::array(py, all.iter().map(|filter| filter.mask).collect()),
            arrays::array(py, all.iter().map(|filter| filter.group).collect()),
            arrays::array(py, all.iter().map(|filter| filter.owner).collect()),
            arrays::array(py, all.iter().map(|filter| filter.sensor).collect()),
        ))
    }

    /// The spaces, if there are any.
    #[getter]
    fn spaces<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyArray1<u32>>> {
        self.spaces.as_ref().map(|spaces| arrays::array(py, spaces.to_vec()))
    }

    fn __len__(&self) -> usize {
        self.len
    }

    /// The origin of these shapes in `f32`.
    #[getter]
    fn origin(&self, py: Python<'_>) -> PyResult<[f64; 2]> {
        Ok(self.hold(py)?.origin())
    }

    /// The kind of the shapes.
    #[getter]
    fn kind(&self) -> &'static str {
        match &self.form {
            Form::Columns(kind, _) => kind.name(),
            Form::Boxes(_) => "mixed",
            Form::Store(store) => store.name,
        }
    }

    /// The columns by name, the arrays that are read; empty if the shapes are owned.
    #[getter]
    fn columns(&self, py: Python<'_>) -> Vec<(&'static str, Py<PyUntypedArray>)> {
        match &self.form {
            Form::Columns(kind, columns) => {
                let columns = columns.iter().map(|column| column.clone_ref(py));
                kind.fields().iter().copied().zip(columns).collect()
            }
            _ => Vec::new(),
        }
    }

    /// Whether coordinates are `f64`.
    #[getter]
    fn is_double(&self, py: Python<'_>) -> PyResult<bool> {
        Ok(self.hold(py)?.is_double())
    }
}

impl Shapes {
    pub fn of(form: Form, len: usize) -> Self {
        Self { form, len, filters: None, spaces: None }
    }

    /// The shapes of a call, in arrays of their own.
    pub fn of_held(py: Python<'_>, held: &Held) -> PyResult<Self> {
        let form = match held.values() {
            Values::Columns(kind, columns) => {
                let array = |column: &Column| {
                    let array = match column.is_double() {
                        true => arrays::array(py, column.read::<f64>().into_owned()).into_any(),
                        false => arrays::array(py, column.read::<f32>().into_owned()).into_any(),
                    };
                    Ok(array.cast_into::<PyUntypedArray>()?.unbind())
                };
                Form::Columns(*kind, columns.iter().map(array).collect::<PyResult<_>>()?)
            }
            Values::Boxes(boxes) => Form::Boxes(boxes.clone()),
            Values::Store(store) => Form::Store(store.clone()),
        };
        let filters = held.filters().map(Into::into);
        let spaces = held.spaces().map(Into::into);
        Ok(Self { form, len: held.len(), filters, spaces })
    }

    /// The shapes for a call. The arrays are looked at anew: their memory may have moved.
    pub fn hold(&self, py: Python<'_>) -> PyResult<Held> {
        let values = match &self.form {
            Form::Columns(kind, columns) => {
                let read = |(column, field): (&Py<PyUntypedArray>, &&str)| {
                    let column = Column::new(column.bind(py), field)?;
                    if column.len() == self.len {
                        return Ok(column);
                    }
                    let (found, len) = (column.len(), self.len);
                    let message = format!("{field}: the array had {len} values and has {found}");
                    Err(shape_error(&message, None, field))
                };
                let columns =
                    columns.iter().zip(kind.fields()).map(read).collect::<PyResult<_>>()?;
                Values::Columns(*kind, columns)
            }
            Form::Boxes(boxes) => Values::Boxes(boxes.clone()),
            Form::Store(store) => Values::Store(store.clone()),
        };
        Ok(Held::new(values, self.len, self.filters.clone(), self.spaces.clone()))
    }
}

/// The shapes of several sets as one store.
fn mixed(sets: &[Held]) -> Result<Store, Failure> {
    let double = sets.iter().any(Held::is_double);
    let doubles = || sets.iter().filter(|set| set.is_double() && set.len() > 0);
    // Columns are rounded once, wherever the origin is; a store would be moved.
    let origin = doubles().find(|set| matches!(set.values(), Values::Store(_)));
    let origin = origin.or_else(|| doubles().next()).map_or([0.0; 2], Held::origin);
    let mut shapes = widephase::Shapes::new();
    for set in sets {
        set.relative(origin, |columns| shapes.extend_from_columns(columns))
            .map_err(|error| set.failure(error))?;
    }
    Ok(Store { shapes, origin, double, name: "mixed" })
}
