//! `Held`: the shapes of a call, in memory that the call keeps.

use std::{borrow::Cow, ops::Range, sync::Arc};

use pyo3::{exceptions::PyValueError, prelude::*};
use widephase::{
    Columns, Error, Filter, Shapes,
    columns::Radii,
    doubles::{DoubleBox, DoubleColumns, Origin},
    error::Field,
};

use crate::{
    chunks::{BLOCK, blocks},
    column::{Column, Number},
    memory,
    store::{self, Store},
};

/// A kind of shapes in columns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Points,
    Circles,
    Boxes,
    RoundedBoxes,
    Obbs,
    Capsules,
    Segments,
}

impl Kind {
    pub fn named(name: &str) -> PyResult<Self> {
        const ALL: [Kind; 7] = [
            Kind::Points,
            Kind::Circles,
            Kind::Boxes,
            Kind::RoundedBoxes,
            Kind::Obbs,
            Kind::Capsules,
            Kind::Segments,
        ];
        let found = ALL.into_iter().find(|kind| kind.name() == name);
        found.ok_or_else(|| PyValueError::new_err(format!("no kind {name:?}")))
    }

    pub const fn name(self) -> &'static str {
        match self {
            Self::Points => "points",
            Self::Circles => "circles",
            Self::Boxes => "boxes",
            Self::RoundedBoxes => "rounded_boxes",
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
            Self::RoundedBoxes => &["min_x", "min_y", "max_x", "max_y", "radius"],
            Self::Obbs => &["x", "y", "half_width", "half_height", "cos", "sin"],
            Self::Capsules => &["ax", "ay", "bx", "by", "radius"],
            Self::Segments => &["ax", "ay", "bx", "by"],
        }
    }

    /// How many of the columns are coordinates, x and y in turns.
    const fn coordinates(self) -> usize {
        match self {
            Self::Points | Self::Circles | Self::Obbs => 2,
            Self::Boxes | Self::RoundedBoxes | Self::Capsules | Self::Segments => 4,
        }
    }

    /// Whether the library decides this kind in `f64`.
    const fn can_be_exact(self) -> bool {
        matches!(self, Self::Points | Self::Circles | Self::Boxes | Self::RoundedBoxes)
    }
}

/// The shapes of a call.
#[derive(Debug)]
pub struct Held {
    values: Values,
    len: usize,
    filters: Option<Arc<Vec<Filter>>>,
    spaces: Option<Arc<Vec<u32>>>,
}

/// The values of the shapes.
#[derive(Debug)]
pub enum Values {
    Columns(Kind, Vec<Column>),
    Boxes(Arc<Vec<DoubleBox>>),
    Store(Arc<Store>),
}

impl Held {
    pub fn new(
        values: Values,
        len: usize,
        filters: Option<Arc<Vec<Filter>>>,
        spaces: Option<Arc<Vec<u32>>>,
    ) -> Self {
        Self { values, len, filters, spaces }
    }

    pub fn len(&self) -> usize {
        self.len
    }

    pub fn filters(&self) -> Option<&Arc<Vec<Filter>>> {
        self.filters.as_ref()
    }

    pub fn spaces(&self) -> Option<&Arc<Vec<u32>>> {
        self.spaces.as_ref()
    }

    /// The values of the shapes.
    pub fn values(&self) -> &Values {
        &self.values
    }

    /// Blocks of rows to answer one after the other, with this number of values each.
    pub fn blocks(&self, values: usize) -> impl Iterator<Item = Range<usize>> + use<> {
        blocks(self.len, BLOCK.min((8 * BLOCK).div_ceil(values.max(1))))
    }

    /// The shapes of a block.
    pub fn part(&self, rows: Range<usize>) -> Result<Self, Error> {
        let values = match &self.values {
            Values::Columns(kind, columns) => {
                let parts = columns.iter().map(|column| column.part(rows.clone()));
                Values::Columns(*kind, parts.collect())
            }
            Values::Boxes(boxes) => Values::Boxes(Arc::new(memory::copied(&boxes[rows.clone()])?)),
            Values::Store(store) if rows.len() == self.len => Values::Store(store.clone()),
            Values::Store(store) => {
                let rows = rows.start as u32..rows.end as u32;
                Values::Store(Arc::new(store.taken(&memory::listed(rows.len(), rows)?)?))
            }
        };
        let filters = self.filters.as_ref().map(|all| memory::copied(&all[rows.clone()]));
        let spaces = self.spaces.as_ref().map(|all| memory::copied(&all[rows.clone()]));
        let filters = filters.transpose()?.map(Arc::new);
        Ok(Self { values, len: rows.len(), filters, spaces: spaces.transpose()?.map(Arc::new) })
    }

    /// These shapes with one filter for all rows, unless they have their own.
    pub fn seen_with(mut self, filter: Option<Filter>) -> Result<Self, Error> {
        if let (Some(filter), None) = (filter, &self.filters) {
            self.filters = Some(Arc::new(memory::filled(filter, self.len)?));
        }
        Ok(self)
    }

    /// The same shapes in memory of their own.
    pub fn copied(&self) -> Result<Self, Error> {
        let values = match &self.values {
            Values::Columns(kind, columns) => {
                let copied = columns.iter().map(Column::copied);
                Values::Columns(*kind, copied.collect::<Result<_, _>>()?)
            }
            Values::Boxes(boxes) => Values::Boxes(boxes.clone()),
            Values::Store(store) => Values::Store(store.clone()),
        };
        let (filters, spaces) = (self.filters.clone(), self.spaces.clone());
        Ok(Self { values, len: self.len, filters, spaces })
    }

    /// Points, circles or boxes of `f32` with a distance added to their radii.
    pub fn grown(&self, distance: f32) -> Result<Self, Error> {
        let Values::Columns(kind, columns) = &self.values else { return self.copied() };
        let (kind, sides) = match kind {
            Kind::Points | Kind::Circles => (Kind::Circles, 2),
            _ => (Kind::RoundedBoxes, 4),
        };
        let mut grown = Vec::with_capacity(sides + 1);
        for column in columns.iter().take(sides) {
            grown.push(column.copied()?);
        }
        let most = (1_u64 << 60) as f32;
        grown.push(match columns.get(sides) {
            Some(radii) => {
                let radii = radii.read::<f32>()?;
                let radii = radii.iter().map(|radius| (radius + distance).min(most));
                Column::of(memory::listed(self.len, radii)?)
            }
            None => Column::same(distance, self.len),
        });
        let (filters, spaces) = (self.filters.clone(), self.spaces.clone());
        Ok(Self { values: Values::Columns(kind, grown), len: self.len, filters, spaces })
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

    /// The origin of positions in `f32`: (0, 0) for shapes of `f32`.
    pub fn origin(&self) -> Result<[f64; 2], Error> {
        Ok(match &self.values {
            Values::Columns(_, columns) if self.is_double() => {
                let (x, y) = (columns[0].read()?, columns[1].read()?);
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
        })
    }

    /// Calls `work` with the shapes in `f32`, relative to an origin.
    pub fn relative<R>(
        &self,
        origin: [f64; 2],
        work: impl FnOnce(Columns<'_>) -> Result<R, Error>,
    ) -> Result<R, Error> {
        let read = self.read(origin)?;
        work(self.named(read.columns()?)?)
    }

    /// Calls `work` with the shapes in `f64`.
    pub fn exact<R>(
        &self,
        work: impl FnOnce(DoubleColumns<'_>) -> Result<R, Error>,
    ) -> Result<R, Error> {
        let read = self.read_double()?;
        work(self.named_double(read.columns()?)?)
    }

    /// The values in `f32`.
    #[inline(never)]
    fn read(&self, origin: [f64; 2]) -> Result<Read<'_>, Error> {
        let (kind, columns) = match &self.values {
            Values::Columns(kind, columns) => (*kind, columns),
            Values::Boxes(boxes) => {
                return Ok(Read::Moved(Box::new(store::boxes(boxes, origin)?)));
            }
            Values::Store(store) => {
                return Ok(match store.moved_to(origin)? {
                    Some(moved) => Read::Moved(Box::new(moved)),
                    None => Read::Store(&store.shapes),
                });
            }
        };
        let shared = columns.get(2).and_then(Column::shared).map(|radius| radius as f32);
        let round = matches!(kind, Kind::Points | Kind::Circles);
        let given = round && origin == [0.0; 2];
        let positions = given.then(|| columns[0].interleaved::<f32>(&columns[1])).flatten();
        if let Some(positions) = positions {
            return Ok(Read::At(positions, radii(columns, shared)?));
        }
        if round {
            let place = [columns[0].relative(origin[0])?, columns[1].relative(origin[1])?];
            return Ok(Read::Round(place, radii(columns, shared)?));
        }
        let coordinates = kind.coordinates();
        let mut values = Vec::with_capacity(columns.len());
        for (number, column) in columns.iter().enumerate() {
            values.push(match number < coordinates {
                true => column.relative(origin[number % 2])?,
                false => column.read()?,
            });
        }
        Ok(Read::Other(kind, values))
    }

    /// The values in `f64`; nothing for kinds that have no such columns.
    #[inline(never)]
    fn read_double(&self) -> Result<ReadDouble<'_>, Error> {
        let (kind, columns) = match &self.values {
            Values::Columns(kind, columns) => (*kind, columns),
            Values::Boxes(boxes) => return Ok(ReadDouble::Boxes(boxes)),
            Values::Store(_) => return Ok(ReadDouble::Boxes(&[])),
        };
        let read = |number: usize| columns[number].read();
        if kind == Kind::Boxes {
            return Ok(ReadDouble::Sides([read(0)?, read(1)?, read(2)?, read(3)?]));
        }
        if kind == Kind::RoundedBoxes {
            let rows = (0..self.len).filter_map(|row| self.row(row));
            return Ok(ReadDouble::Made(memory::listed(self.len, rows)?));
        }
        let radii = radii(columns, columns.get(2).and_then(Column::shared))?;
        if let Some(positions) = columns[0].interleaved::<f64>(&columns[1]) {
            return Ok(ReadDouble::At(positions, radii));
        }
        Ok(ReadDouble::Round([read(0)?, read(1)?], radii))
    }

    /// A row in `f64`, of a kind that can be exact.
    #[inline(always)]
    pub fn row(&self, row: usize) -> Option<DoubleBox> {
        let (kind, columns) = match &self.values {
            Values::Columns(kind, columns) => (*kind, columns),
            Values::Boxes(boxes) => return boxes.get(row).copied(),
            Values::Store(_) => return None,
        };
        let value = |column: usize| columns[column].get(row);
        let min = [value(0)?, value(1)?];
        Some(match kind {
            Kind::Points => DoubleBox { min, max: min, radius: 0.0 },
            Kind::Circles => DoubleBox { min, max: min, radius: value(2)? },
            Kind::Boxes => DoubleBox { min, max: [value(2)?, value(3)?], radius: 0.0 },
            Kind::RoundedBoxes => DoubleBox { min, max: [value(2)?, value(3)?], radius: value(4)? },
            Kind::Obbs | Kind::Capsules | Kind::Segments => return None,
        })
    }

    /// Appends the shapes, which can be exact, to a list of all kinds.
    pub fn append_to(&self, boxes: &mut Vec<DoubleBox>) -> Result<(), crate::errors::Failure> {
        let appended = self.exact(|columns| {
            columns.check()?;
            boxes
                .try_reserve(columns.len())
                .map_err(|_| Error::OutOfMemory { len: columns.len() })?;
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

    pub fn named<'a>(&'a self, columns: Columns<'a>) -> Result<Columns<'a>, Error> {
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

/// Values in `f32`, in place or copied.
enum Read<'a> {
    At(&'a [[f32; 2]], ReadRadii<'a, f32>),
    Round([Cow<'a, [f32]>; 2], ReadRadii<'a, f32>),
    Other(Kind, Vec<Cow<'a, [f32]>>),
    Store(&'a Shapes),
    Moved(Box<Shapes>),
}

/// Values in `f64`, in place or copied.
enum ReadDouble<'a> {
    At(&'a [[f64; 2]], ReadRadii<'a, f64>),
    Round([Cow<'a, [f64]>; 2], ReadRadii<'a, f64>),
    Sides([Cow<'a, [f64]>; 4]),
    Boxes(&'a [DoubleBox]),
    Made(Vec<DoubleBox>),
}

/// The radii of points or circles.
enum ReadRadii<'a, T: Clone> {
    Same(T),
    Each(Cow<'a, [T]>),
}

/// The radii of points, which are 0, or of circles: one radius, or a column.
fn radii<T: Number + Default>(
    columns: &[Column],
    shared: Option<T>,
) -> Result<ReadRadii<'_, T>, Error> {
    Ok(match (columns.get(2), shared) {
        (None, _) => ReadRadii::Same(T::default()),
        (_, Some(radius)) => ReadRadii::Same(radius),
        (Some(radii), None) => ReadRadii::Each(radii.read()?),
    })
}

impl<T: Copy> ReadRadii<'_, T> {
    fn get(&self) -> Radii<'_, T> {
        match self {
            Self::Same(radius) => Radii::Same(*radius),
            Self::Each(radii) => Radii::Each(radii),
        }
    }
}

impl Read<'_> {
    #[inline(never)]
    fn columns(&self) -> Result<Columns<'_>, Error> {
        match self {
            Self::At(positions, radii) => match radii.get() {
                Radii::Same(0.0) => Columns::points_at(positions),
                radii => Columns::circles_at(positions, radii),
            },
            Self::Round([x, y], radii) => match radii.get() {
                Radii::Same(0.0) => Columns::points(x, y),
                radii => Columns::circles(x, y, radii),
            },
            Self::Store(shapes) => Ok(shapes.columns()),
            Self::Moved(shapes) => Ok(shapes.columns()),
            Self::Other(kind, values) => match (kind, &values[..]) {
                (Kind::Boxes, [min_x, min_y, max_x, max_y]) => {
                    Columns::aabbs(min_x, min_y, max_x, max_y)
                }
                (Kind::RoundedBoxes, [min_x, min_y, max_x, max_y, radius]) => {
                    Columns::rounded_boxes(min_x, min_y, max_x, max_y, radius)
                }
                (Kind::Obbs, [x, y, width, height, cos, sin]) => {
                    Columns::obbs(x, y, width, height, cos, sin)
                }
                (Kind::Capsules, [ax, ay, bx, by, radius]) => {
                    Columns::capsules(ax, ay, bx, by, radius)
                }
                (_, [ax, ay, bx, by]) => Columns::segments(ax, ay, bx, by),
                _ => Columns::points(&[], &[]),
            },
        }
    }
}

impl ReadDouble<'_> {
    #[inline(never)]
    fn columns(&self) -> Result<DoubleColumns<'_>, Error> {
        match self {
            Self::At(positions, radii) => DoubleColumns::circles_at(positions, radii.get()),
            Self::Round([x, y], radii) => DoubleColumns::circles(x, y, radii.get()),
            Self::Sides([left, low, right, high]) => DoubleColumns::aabbs(left, low, right, high),
            Self::Boxes(boxes) => DoubleColumns::shapes(boxes),
            Self::Made(boxes) => DoubleColumns::shapes(boxes),
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
