//! `Held`: the shapes of a call, in memory that the call keeps.

use std::{borrow::Cow, sync::Arc};

use pyo3::{exceptions::PyValueError, prelude::*};
use widephase::{
    Columns, Error, Filter,
    columns::Radii,
    doubles::{DoubleBox, DoubleColumns, Origin},
    error::Field,
};

use crate::{column::Column, store::Store};

/// A kind of shapes in columns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Points,
    Circles,
    Boxes,
    Obbs,
    Capsules,
    Segments,
}

impl Kind {
    pub fn named(name: &str) -> PyResult<Self> {
        const ALL: [Kind; 6] =
            [Kind::Points, Kind::Circles, Kind::Boxes, Kind::Obbs, Kind::Capsules, Kind::Segments];
        let found = ALL.into_iter().find(|kind| kind.name() == name);
        found.ok_or_else(|| PyValueError::new_err(format!("no kind {name:?}")))
    }

    pub const fn name(self) -> &'static str {
        match self {
            Self::Points => "points",
            Self::Circles => "circles",
            Self::Boxes => "boxes",
            Self::Obbs => "obbs",
            Self::Capsules => "capsules",
            Self::Segments => "segments",
        }
    }

    /// The columns, named as in the errors of the library.
    pub const fn fields(self) -> &'static [&'static str] {
        match self {
            Self::Points => &["x", "y"],
            Self::Circles => &["x", "y", "radius"],
            Self::Boxes => &["min_x", "min_y", "max_x", "max_y"],
            Self::Obbs => &["x", "y", "half_width", "half_height", "cos", "sin"],
            Self::Capsules => &["ax", "ay", "bx", "by", "radius"],
            Self::Segments => &["ax", "ay", "bx", "by"],
        }
    }

    /// How many of the columns are coordinates, x and y in turns.
    const fn coordinates(self) -> usize {
        match self {
            Self::Points | Self::Circles | Self::Obbs => 2,
            Self::Boxes | Self::Capsules | Self::Segments => 4,
        }
    }

    /// Whether the library decides this kind in `f64`.
    const fn can_be_exact(self) -> bool {
        matches!(self, Self::Points | Self::Circles | Self::Boxes)
    }
}

/// The shapes of a call.
#[derive(Debug)]
pub struct Held {
    values: Values,
    len: usize,
    filters: Option<Arc<[Filter]>>,
    spaces: Option<Arc<[u32]>>,
}

/// What they consist of.
#[derive(Debug)]
pub enum Values {
    Columns(Kind, Vec<Column>),
    Boxes(Arc<[DoubleBox]>),
    Store(Arc<Store>),
}

impl Held {
    pub fn new(
        values: Values,
        len: usize,
        filters: Option<Arc<[Filter]>>,
        spaces: Option<Arc<[u32]>>,
    ) -> Self {
        Self { values, len, filters, spaces }
    }

    pub fn len(&self) -> usize {
        self.len
    }

    pub fn filters(&self) -> Option<&[Filter]> {
        self.filters.as_deref()
    }

    pub fn spaces(&self) -> Option<&[u32]> {
        self.spaces.as_deref()
    }

    /// The same shapes with one filter for all, unless they have their own.
    pub fn seen_with(mut self, filter: Option<Filter>) -> Self {
        if let (Some(filter), None) = (filter, &self.filters) {
            self.filters = Some(vec![filter; self.len].into());
        }
        self
    }

    /// The same shapes in memory of their own.
    pub fn copied(&self) -> Self {
        let values = match &self.values {
            Values::Columns(kind, columns) => {
                Values::Columns(*kind, columns.iter().map(Column::copied).collect())
            }
            Values::Boxes(boxes) => Values::Boxes(boxes.clone()),
            Values::Store(store) => Values::Store(store.clone()),
        };
        Self { values, len: self.len, filters: self.filters.clone(), spaces: self.spaces.clone() }
    }

    /// Whether a column is of `f64`.
    pub fn is_double(&self) -> bool {
        match &self.values {
            Values::Columns(_, columns) => columns.iter().any(Column::is_double),
            Values::Boxes(_) => true,
            Values::Store(store) => store.double,
        }
    }

    /// Whether the library decides this kind in `f64`.
    pub fn can_be_exact(&self) -> bool {
        match &self.values {
            Values::Columns(kind, _) => kind.can_be_exact(),
            Values::Boxes(_) => true,
            Values::Store(_) => false,
        }
    }

    /// What positions in `f32` are relative to: (0, 0) for shapes of `f32`.
    pub fn origin(&self) -> [f64; 2] {
        match &self.values {
            Values::Columns(_, columns) if self.is_double() => {
                let (x, y) = (columns[0].read(), columns[1].read());
                let among = DoubleColumns::points(&x, &y).map(|points| Origin::among(&points));
                let position = among.map_or([0.0; 2], Origin::position);
                // Values that are refused choose no origin.
                if position.iter().all(|at| at.is_finite()) { position } else { [0.0; 2] }
            }
            Values::Columns(..) => [0.0; 2],
            Values::Boxes(boxes) => {
                let among = DoubleColumns::shapes(boxes).map(|boxes| Origin::among(&boxes));
                among.map_or([0.0; 2], Origin::position)
            }
            Values::Store(store) => store.origin,
        }
    }

    /// Calls `work` with the shapes in `f32`, relative to an origin.
    pub fn relative<R>(
        &self,
        origin: [f64; 2],
        work: impl FnOnce(Columns<'_>) -> Result<R, Error>,
    ) -> Result<R, Error> {
        match &self.values {
            Values::Columns(kind, columns) => self.relative_columns(*kind, columns, origin, work),
            Values::Boxes(boxes) => {
                let store = Store::of_boxes(boxes, origin)?;
                work(self.named(store.shapes.columns())?)
            }
            Values::Store(store) => match store.moved_to(origin)? {
                Some(moved) => work(self.named(moved.columns())?),
                None => work(self.named(store.shapes.columns())?),
            },
        }
    }

    fn relative_columns<R>(
        &self,
        kind: Kind,
        columns: &[Column],
        origin: [f64; 2],
        work: impl FnOnce(Columns<'_>) -> Result<R, Error>,
    ) -> Result<R, Error> {
        let round = matches!(kind, Kind::Points | Kind::Circles) && origin == [0.0; 2];
        let positions = round.then(|| columns[0].interleaved::<f32>(&columns[1])).flatten();
        if let Some(positions) = positions {
            let shared = columns.get(2).and_then(Column::shared);
            return match (columns.get(2), shared) {
                (None, _) => work(self.named(Columns::points_at(positions)?)?),
                (_, Some(radius)) => {
                    work(self.named(Columns::circles_at(positions, radius as f32)?)?)
                }
                (Some(radii), None) => {
                    let radii = radii.read::<f32>();
                    work(self.named(Columns::circles_at(positions, &*radii)?)?)
                }
            };
        }
        let coordinates = kind.coordinates();
        let values: Vec<Cow<'_, [f32]>> = columns
            .iter()
            .enumerate()
            .map(|(number, column)| {
                if number < coordinates {
                    column.relative(origin[number % 2])
                } else if number == 2 && kind == Kind::Circles && column.shared().is_some() {
                    Cow::Borrowed(&[][..])
                } else {
                    column.read()
                }
            })
            .collect();
        let shapes = match (kind, &values[..]) {
            (Kind::Points, [x, y]) => Columns::points(x, y),
            (Kind::Circles, [x, y, radius]) => match columns[2].shared() {
                Some(radius) => Columns::circles(x, y, radius as f32),
                None => Columns::circles(x, y, &**radius),
            },
            (Kind::Boxes, [min_x, min_y, max_x, max_y]) => {
                Columns::aabbs(min_x, min_y, max_x, max_y)
            }
            (Kind::Obbs, [x, y, width, height, cos, sin]) => {
                Columns::obbs(x, y, width, height, cos, sin)
            }
            (Kind::Capsules, [ax, ay, bx, by, radius]) => Columns::capsules(ax, ay, bx, by, radius),
            (_, [ax, ay, bx, by]) => Columns::segments(ax, ay, bx, by),
            _ => Columns::points(&[], &[]),
        }?;
        work(self.named(shapes)?)
    }

    /// Calls `work` with the shapes in `f64`.
    pub fn exact<R>(
        &self,
        work: impl FnOnce(DoubleColumns<'_>) -> Result<R, Error>,
    ) -> Result<R, Error> {
        let (kind, columns) = match &self.values {
            Values::Columns(kind, columns) => (*kind, columns),
            Values::Boxes(boxes) => return work(self.named_double(DoubleColumns::shapes(boxes)?)?),
            Values::Store(_) => return work(DoubleColumns::shapes(&[])?),
        };
        if kind == Kind::Boxes {
            let [left, low, right, high] = [0, 1, 2, 3].map(|side: usize| columns[side].read());
            let boxes = DoubleColumns::aabbs(&left, &low, &right, &high)?;
            return work(self.named_double(boxes)?);
        }
        let shared = columns.get(2).map_or(Some(0.0), Column::shared);
        let each = if shared.is_none() { columns[2].read() } else { Cow::Borrowed(&[][..]) };
        let radii = shared.map_or(Radii::Each(&each), Radii::Same);
        if let Some(positions) = columns[0].interleaved::<f64>(&columns[1]) {
            return work(self.named_double(DoubleColumns::circles_at(positions, radii)?)?);
        }
        let (x, y) = (columns[0].read(), columns[1].read());
        work(self.named_double(DoubleColumns::circles(&x, &y, radii)?)?)
    }

    /// Appends the shapes, which can be exact, to a list of all kinds.
    pub fn append_to(&self, boxes: &mut Vec<DoubleBox>) -> Result<(), crate::errors::Failure> {
        let appended = self.exact(|columns| {
            columns.check()?;
            boxes.extend((0..columns.len()).filter_map(|row| columns.get(row)));
            Ok(())
        });
        appended.map_err(|error| self.failure(error))
    }

    /// An error about these shapes, with the value as it was given.
    pub fn failure(&self, error: Error) -> crate::errors::Failure {
        let given = match (&self.values, error.row(), error.field()) {
            (Values::Columns(kind, columns), Some(row), Some(field)) => {
                let named = |name: &&str| **name == *field.to_string();
                let column = kind.fields().iter().position(named);
                column.and_then(|column| columns[column].get(row))
            }
            (Values::Boxes(boxes), Some(row), Some(field)) => {
                boxes.get(row).and_then(|shape| value_of(shape, field))
            }
            _ => None,
        };
        crate::errors::Failure::Library(error, given)
    }

    fn named<'a>(&'a self, columns: Columns<'a>) -> Result<Columns<'a>, Error> {
        let columns = match &self.filters {
            Some(filters) => columns.with_filters(filters)?,
            None => columns,
        };
        match &self.spaces {
            Some(spaces) => columns.with_spaces(spaces),
            None => Ok(columns),
        }
    }

    fn named_double<'a>(&'a self, columns: DoubleColumns<'a>) -> Result<DoubleColumns<'a>, Error> {
        let columns = match &self.filters {
            Some(filters) => columns.with_filters(filters)?,
            None => columns,
        };
        match &self.spaces {
            Some(spaces) => columns.with_spaces(spaces),
            None => Ok(columns),
        }
    }
}

fn value_of(shape: &DoubleBox, field: Field) -> Option<f64> {
    Some(match field {
        Field::X | Field::MinX => shape.min[0],
        Field::Y | Field::MinY => shape.min[1],
        Field::MaxX => shape.max[0],
        Field::MaxY => shape.max[1],
        Field::Radius => shape.radius,
        _ => return None,
    })
}
