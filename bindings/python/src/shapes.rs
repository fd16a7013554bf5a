//! `Shapes`: the columns of a set of shapes, as Python holds them between calls.

use std::sync::Arc;

use numpy::{Element, PyArray1, PyReadonlyArray1, PyUntypedArray, PyUntypedArrayMethods};
use pyo3::{prelude::*, types::PyBytes};
use widephase::{Filter, doubles::DoubleBox};

use crate::{
    arrays::{self, Bytes},
    column::Column,
    errors::{Failure, shape_error},
    held::{Held, Kind, Values},
    memory,
    pools::Large,
    run::{is_large, run},
    store::Store,
};

/// A set of shapes: columns of numpy, read at each call; or shapes of its own.
#[pyclass(frozen, module = "widephase._widephase")]
pub struct Shapes {
    form: Form,
    len: usize,
    filters: Option<Arc<Vec<Filter>>>,
    spaces: Option<Arc<Vec<u32>>>,
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
enum Form {
    Columns(Kind, Vec<Py<PyUntypedArray>>),
    Owned(Owned),
}

/// Shapes without columns.
#[derive(Debug, Clone)]
enum Owned {
    /// Shapes of kinds that are exact in `f64`.
    Boxes(Arc<Vec<DoubleBox>>),
    Store(Arc<Store>),
}

impl Form {
    fn clone_ref(&self, py: Python<'_>) -> Self {
        match self {
            Self::Columns(kind, columns) => {
                Self::Columns(*kind, columns.iter().map(|column| column.clone_ref(py)).collect())
            }
            Self::Owned(owned) => Self::Owned(owned.clone()),
        }
    }

    fn owned(&self) -> Option<&Owned> {
        match self {
            Self::Columns(..) => None,
            Self::Owned(owned) => Some(owned),
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
        Ok(run(py, is_large(len), 1, move || {
            let exact = held.iter().all(Held::can_be_exact) && held.iter().any(Held::is_double);
            let owned = if exact {
                let mut boxes = memory::with_room(len)?;
                held.iter().try_for_each(|set| set.append_to(&mut boxes))?;
                Owned::Boxes(Arc::new(boxes))
            } else {
                Owned::Store(Arc::new(mixed(&held)?))
            };
            let filters = joined(&held, Held::filters, Filter::ALL)?;
            let spaces = joined(&held, Held::spaces, 0)?;
            Ok(Self { filters, spaces, ..Self::of(Form::Owned(owned), len) })
        })?)
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
        let filters = memory::listed(self.len, (0..self.len).map(filter)).map_err(Failure::from)?;
        let filters = Some(Arc::new(filters));
        let spaces = self.spaces.clone();
        Ok(Self { form: self.form.clone_ref(py), len: self.len, filters, spaces })
    }

    /// These shapes with the number of a space for each row.
    fn with_spaces(&self, py: Python<'_>, spaces: PyReadonlyArray1<'_, u32>) -> PyResult<Self> {
        let spaces = Arc::new(values(&spaces)?);
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
        py: Python<'_>,
        columns: Vec<Bound<'_, PyUntypedArray>>,
        rows: PyReadonlyArray1<'_, u32>,
    ) -> PyResult<Self> {
        let (rows, len) = (values(&rows)?, self.len);
        if let Some(row) = rows.iter().find(|row| **row as usize >= len) {
            return Err(shape_error(&format!("rows: {row} of {len}"), None, "rows"));
        }
        let columns = match &self.form {
            Form::Columns(kind, _) => Some(Self::new(kind.name(), columns)?),
            _ => None,
        };
        if columns.as_ref().is_some_and(|columns| columns.len != rows.len()) {
            return Err(shape_error("rows: not as many as values", None, "rows"));
        }
        let (filters, spaces) = (self.filters.clone(), self.spaces.clone());
        let owned = self.form.owned().cloned();
        let (owned, filters, spaces) = run(py, is_large(rows.len()), 1, move || {
            let owned = match owned {
                Some(Owned::Boxes(boxes)) => Some(Owned::Boxes(Arc::new(chosen(&boxes, &rows)?))),
                Some(Owned::Store(store)) => Some(Owned::Store(Arc::new(store.taken(&rows)?))),
                None => None,
            };
            let filters = filters.map(|all| chosen(&all, &rows).map(Arc::new)).transpose()?;
            let spaces = spaces.map(|all| chosen(&all, &rows).map(Arc::new)).transpose()?;
            Ok((owned.map(|owned| (owned, rows.len())), filters, spaces))
        })?;
        let made = match (owned, columns) {
            (Some((owned, len)), _) => Self::of(Form::Owned(owned), len),
            (None, Some(columns)) => columns,
            (None, None) => return Err(shape_error("rows: no shapes", None, "rows")),
        };
        Ok(Self { filters, spaces, ..made })
    }

    /// Shapes that have no columns as bytes.
    fn stored<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyBytes>>> {
        let Some(owned) = self.form.owned().cloned() else { return Ok(None) };
        let bytes = run(py, is_large(self.len), 1, move || match owned {
            Owned::Boxes(boxes) => {
                let mut bytes = memory::with_room(boxes.len() * 40)?;
                for shape in boxes.iter() {
                    let ([left, low], [right, top]) = (shape.min, shape.max);
                    for word in [left, low, right, top, shape.radius] {
                        bytes.extend_from_slice(&word.to_le_bytes());
                    }
                }
                Ok(bytes)
            }
            Owned::Store(store) => Ok(store.to_bytes()?),
        })?;
        arrays::bytes(py, bytes).map(Some)
    }

    /// The shapes of such bytes: polygons, or a set of several kinds, in `f64` or not.
    #[staticmethod]
    fn restored(
        py: Python<'_>,
        kind: &str,
        exact: bool,
        bytes: &Bound<'_, PyBytes>,
    ) -> PyResult<Self> {
        if exact {
            let bytes = Bytes::new(bytes);
            let rows = bytes.get().as_chunks::<40>().0;
            let word = |row: &[u8; 40], at: usize| {
                f64::from_le_bytes(row[8 * at..].first_chunk().copied().unwrap_or_default())
            };
            let shape = |row: &[u8; 40]| DoubleBox {
                min: [word(row, 0), word(row, 1)],
                max: [word(row, 2), word(row, 3)],
                radius: word(row, 4),
            };
            let boxes =
                memory::listed(rows.len(), rows.iter().map(shape)).map_err(Failure::from)?;
            let len = boxes.len();
            return Ok(Self::of(Form::Owned(Owned::Boxes(Arc::new(boxes))), len));
        }
        let (bytes, kind) = (Bytes::new(bytes), kind.to_owned());
        let long = is_large(bytes.get().len() / size_of::<DoubleBox>());
        Ok(run(py, long, 1, move || {
            let store = Store::from_bytes(bytes.get(), &kind)?;
            let len = store.shapes.rows();
            Ok(Self::of(Form::Owned(Owned::Store(Arc::new(store))), len))
        })?)
    }

    /// Whether shapes without columns are decided in `f64`.
    #[getter]
    fn is_exact(&self) -> bool {
        matches!(self.form, Form::Owned(Owned::Boxes(_)))
    }

    /// The five columns of the filters, if there are any.
    #[getter]
    fn filters<'py>(&self, py: Python<'py>) -> PyResult<Option<FilterArrays<'py>>> {
        let Some(all) = &self.filters else { return Ok(None) };
        Ok(Some((
            column_of(py, all, |filter| filter.category)?,
            column_of(py, all, |filter| filter.mask)?,
            column_of(py, all, |filter| filter.group)?,
            column_of(py, all, |filter| filter.owner)?,
            column_of(py, all, |filter| filter.sensor)?,
        )))
    }

    /// The spaces, if there are any.
    #[getter]
    fn spaces<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyArray1<u32>>>> {
        self.spaces.as_ref().map(|spaces| column_of(py, spaces, |space| *space)).transpose()
    }

    fn __len__(&self) -> usize {
        self.len
    }

    /// The origin of these shapes in `f32`.
    #[getter]
    fn origin(&self, py: Python<'_>) -> PyResult<[f64; 2]> {
        Ok(self.hold(py)?.origin().map_err(Failure::from)?)
    }

    /// The kind of the shapes.
    #[getter]
    fn kind(&self) -> &'static str {
        match &self.form {
            Form::Columns(kind, _) => kind.name(),
            Form::Owned(Owned::Boxes(_)) => "mixed",
            Form::Owned(Owned::Store(store)) => store.name,
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
    /// The shapes of a store.
    pub fn of_store(store: Store) -> Self {
        let len = store.shapes.rows();
        Self::of(Form::Owned(Owned::Store(Arc::new(store))), len)
    }

    fn of(form: Form, len: usize) -> Self {
        Self { form, len, filters: None, spaces: None }
    }

    pub fn len(&self) -> usize {
        self.len
    }

    /// The shapes of a call, in arrays of their own.
    pub fn of_held(py: Python<'_>, held: &Held) -> PyResult<Self> {
        let form = match held.values() {
            Values::Columns(kind, columns) => {
                let array = |column: &Column| {
                    let array = match column.is_double() {
                        true => {
                            let values = column.owned::<f64>().map_err(Failure::from)?;
                            arrays::array(py, values)?.into_any()
                        }
                        false => {
                            let values = column.owned::<f32>().map_err(Failure::from)?;
                            arrays::array(py, values)?.into_any()
                        }
                    };
                    Ok(array.cast_into::<PyUntypedArray>()?.unbind())
                };
                Form::Columns(*kind, columns.iter().map(array).collect::<PyResult<_>>()?)
            }
            Values::Boxes(boxes) => Form::Owned(Owned::Boxes(boxes.clone())),
            Values::Store(store) => Form::Owned(Owned::Store(store.clone())),
        };
        let (filters, spaces) = (held.filters().cloned(), held.spaces().cloned());
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
            Form::Owned(Owned::Boxes(boxes)) => Values::Boxes(boxes.clone()),
            Form::Owned(Owned::Store(store)) => Values::Store(store.clone()),
        };
        Ok(Held::new(values, self.len, self.filters.clone(), self.spaces.clone()))
    }
}

/// The values of an array in memory of their own.
pub fn values<T: Element + Copy>(array: &PyReadonlyArray1<'_, T>) -> Result<Vec<T>, Failure> {
    Ok(memory::listed(array.len(), array.as_array().iter().copied())?)
}

/// A column of a list of records.
pub fn column_of<'py, T, V: Element + 'static>(
    py: Python<'py>,
    records: &[T],
    value: impl Fn(&T) -> V,
) -> PyResult<Bound<'py, PyArray1<V>>> {
    let values = memory::listed(records.len(), records.iter().map(value));
    arrays::array(py, values.map_err(Failure::from)?)
}

/// The items in some rows.
fn chosen<T: Copy>(items: &[T], rows: &[u32]) -> Result<Vec<T>, Failure> {
    Ok(memory::listed(rows.len(), rows.iter().map(|row| items[*row as usize]))?)
}

/// The filters or spaces of several sets, if a set has any: other sets have the usual one.
fn joined<T: Copy>(
    sets: &[Held],
    of: impl Fn(&Held) -> Option<&Arc<Vec<T>>>,
    usual: T,
) -> Result<Option<Arc<Vec<T>>>, Failure> {
    if sets.iter().all(|set| of(set).is_none()) {
        return Ok(None);
    }
    let mut all = memory::with_room(sets.iter().map(Held::len).sum())?;
    for set in sets {
        match of(set) {
            Some(items) => all.extend_from_slice(items),
            None => all.resize(all.len() + set.len(), usual),
        }
    }
    Ok(Some(Arc::new(all)))
}

/// The shapes of several sets as one store.
fn mixed(sets: &[Held]) -> Result<Store, Failure> {
    let double = sets.iter().any(Held::is_double);
    let doubles = || sets.iter().filter(|set| set.is_double() && set.len() > 0);
    // Columns are rounded once, wherever the origin is; a store would be moved.
    let origin = doubles().find(|set| matches!(set.values(), Values::Store(_)));
    let origin = origin.or_else(|| doubles().next()).map_or(Ok([0.0; 2]), Held::origin)?;
    let mut shapes = widephase::Shapes::new();
    for set in sets {
        set.relative(origin, |columns| shapes.extend_from_columns(columns))
            .map_err(|error| set.failure(error))?;
    }
    Ok(Store { shapes: Large::new(shapes), origin, double, name: "mixed" })
}
