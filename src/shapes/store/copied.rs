//! `RoundColumns`: points and circles; copies of those that are not columns.

use std::ops::Range;

use super::{Layout, Rows, check};
use crate::{
    base::{Held, buffer::grow},
    error::{Error, Field},
    kernel::{BoxColumns, CircleColumns},
    shape::{AxisAligned, Circle, Kind, RoundedBox},
    simd::map_each,
};

/// A value for each row, or one value for all rows: the radii of circles ([`Radii`]), or numbers of
/// queries ([`PerQuery`](crate::columns::PerQuery)).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OneOrEach<'a, T> {
    /// One value for each row.
    Each(&'a [T]),
    /// One value for all rows.
    Same(T),
}

/// The radii of circles: a radius for each row, which is read in place beside columns of positions,
/// or one radius for all rows.
///
/// ```
/// use widephase::{Columns, Detector};
///
/// let (x, y) = ([0.0, 1.0, 5.0], [0.0; 3]);
/// let mut detector = Detector::new();
/// assert_eq!(detector.count(Columns::circles(&x, &y, 0.5)?)?, 1);
/// assert_eq!(detector.count(Columns::circles(&x, &y, &[1.0, 1.0, 3.0])?)?, 2);
/// # Ok::<(), widephase::Error>(())
/// ```
pub type Radii<'a, T = f32> = OneOrEach<'a, T>;

impl<T> From<T> for OneOrEach<'_, T> {
    fn from(value: T) -> Self {
        Self::Same(value)
    }
}

impl<'a, T> From<&'a [T]> for OneOrEach<'a, T> {
    fn from(values: &'a [T]) -> Self {
        Self::Each(values)
    }
}

impl<'a, T, const N: usize> From<&'a [T; N]> for OneOrEach<'a, T> {
    fn from(values: &'a [T; N]) -> Self {
        Self::Each(values)
    }
}

impl<'a, T> From<&'a Vec<T>> for OneOrEach<'a, T> {
    fn from(values: &'a Vec<T>) -> Self {
        Self::Each(values)
    }
}

impl<T: Copy + Default> OneOrEach<'_, T> {
    /// Checks that there is a value for each row.
    pub(crate) fn check(self, field: Field, rows: usize) -> Result<(), Error> {
        let Self::Each(values) = self else { return Ok(()) };
        field.check_len(values.len(), rows)
    }

    /// The value of a row; 0 beyond the end. (A check that panics would keep the compiler from
    /// making vectors of a loop.)
    #[inline(always)]
    pub(crate) fn of(self, row: usize) -> T {
        match self {
            Self::Each(values) => values.get(row).copied().unwrap_or_default(),
            Self::Same(value) => value,
        }
    }
}

/// Points or circles, over the scalar.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RoundColumns<'a, T = f32> {
    pub(crate) positions: Positions<'a, T>,
    /// `None` for points.
    pub(crate) radii: Option<Radii<'a, T>>,
}

/// The positions of points or of the centres of circles.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Positions<'a, T = f32> {
    Columns([&'a [T]; 2]),
    Interleaved(&'a [[T; 2]]),
}

impl<'a, T: Copy + Default> RoundColumns<'a, T> {
    /// Checks that all columns have one length.
    pub(crate) fn new(
        positions: Positions<'a, T>,
        radii: Option<Radii<'a, T>>,
    ) -> Result<Self, Error> {
        let columns = Self { positions, radii };
        if let Positions::Columns([_, y]) = positions {
            Field::Y.check_len(y.len(), columns.len())?;
        }
        radii.map_or(Ok(()), |radii| radii.check(Field::Radius, columns.len()))?;
        check::index_fits(columns.len())?;
        Ok(columns)
    }

    /// The number of rows.
    pub(crate) fn len(&self) -> usize {
        match self.positions {
            Positions::Columns([x, _]) => x.len(),
            Positions::Interleaved(positions) => positions.len(),
        }
    }
}

/// The constructors of points and circles, for columns of a scalar. (Types over the scalar would
/// leave the scalar of literals open.)
macro_rules! round_columns {
    ($columns:ident of $scalar:ty) => {
        impl<'a> $columns<'a> {
            /// Points: `x[i], y[i]`.
            ///
            /// # Errors
            /// [`Error::UnequalColumns`]; [`Error::TooManyShapes`] beyond [`u32::MAX`] rows.
            pub fn points(x: &'a [$scalar], y: &'a [$scalar]) -> Result<Self, Error> {
                RoundColumns::new(Positions::Columns([x, y]), None).map(Self::round)
            }

            /// Points whose positions are a slice of `[x, y]`.
            ///
            /// # Errors
            /// [`Error::TooManyShapes`] beyond [`u32::MAX`] rows.
            pub fn points_at(positions: &'a [[$scalar; 2]]) -> Result<Self, Error> {
                RoundColumns::new(Positions::Interleaved(positions), None).map(Self::round)
            }

            /// Circles: centre `x[i], y[i]` and radius: a column, or a number as the radius of all
            /// circles ([`Radii`]).
            ///
            /// # Errors
            #[doc = concat!("As [`points`](", stringify!($columns), "::points).")]
            pub fn circles(
                x: &'a [$scalar],
                y: &'a [$scalar],
                radii: impl Into<Radii<'a, $scalar>>,
            ) -> Result<Self, Error> {
                RoundColumns::new(Positions::Columns([x, y]), Some(radii.into())).map(Self::round)
            }

            /// Circles whose centres are a slice of `[x, y]`, with a column of radii or one radius.
            ///
            /// # Errors
            #[doc = concat!("As [`points`](", stringify!($columns), "::points).")]
            pub fn circles_at(
                positions: &'a [[$scalar; 2]],
                radii: impl Into<Radii<'a, $scalar>>,
            ) -> Result<Self, Error> {
                let positions = Positions::Interleaved(positions);
                RoundColumns::new(positions, Some(radii.into())).map(Self::round)
            }
        }
    };
}
pub(crate) use round_columns;

impl RoundColumns<'_> {
    /// The kind of all rows.
    pub(super) fn kind(&self) -> Kind {
        if self.radii.is_some() { Kind::Circle } else { Kind::Point }
    }

    /// A row, which need not be valid.
    fn circle(&self, row: usize) -> Circle {
        let [x, y] = match self.positions {
            Positions::Columns([x, y]) => [x[row], y[row]],
            Positions::Interleaved(positions) => positions[row],
        };
        Circle { x, y, radius: self.radii.map_or(0.0, |radii| radii.of(row)) }
    }

    /// The bounding box of a row, which need not be valid.
    pub(super) fn rounded_box(&self, row: usize) -> RoundedBox {
        self.circle(row).rounded_box()
    }

    /// Checks a row.
    pub(super) fn check_row(&self, row: usize) -> Result<(), Error> {
        self.circle(row).checked(row).map(drop)
    }
}

/// The columns of positions and radii that were copied last.
#[derive(Debug, Default)]
pub(super) struct CopiedWorkspace([Vec<f32>; 3]);

impl CopiedWorkspace {
    /// Copies `rows` of the columns, which must exist. Only they may be read afterwards.
    pub(super) fn copy(&mut self, columns: &RoundColumns<'_>, rows: Range<usize>) -> Rows<'_> {
        for column in &mut self.0 {
            grow(column, columns.len());
        }
        let [x, y, radius] = self.0.each_mut().map(|column| &mut column[rows.clone()]);
        match columns.positions {
            Positions::Columns([from_x, from_y]) => {
                x.copy_from_slice(&from_x[rows.clone()]);
                y.copy_from_slice(&from_y[rows.clone()]);
            }
            Positions::Interleaved(positions) => {
                for ((x, y), position) in x.iter_mut().zip(y).zip(&positions[rows.clone()]) {
                    [*x, *y] = *position;
                }
            }
        }
        match columns.radii {
            None => {}
            Some(Radii::Each(radii)) => radius.copy_from_slice(&radii[rows]),
            Some(Radii::Same(same)) => radius.fill(same),
        }
        self.rows(columns)
    }

    /// The rows that were copied last, the rows of `columns`.
    pub(super) fn rows(&self, columns: &RoundColumns<'_>) -> Rows<'_> {
        let len = columns.len();
        let [x, y, radius] = map_each(self.0.each_ref(), |column| &column[..len]);
        let layout = match columns.kind() {
            Kind::Point => Layout::Boxes(BoxColumns { min_x: x, min_y: y, max_x: x, max_y: y }),
            _ => Layout::Circles(CircleColumns { x, y, radius }),
        };
        Rows { kind: columns.kind(), ..Rows::closed(layout, len) }
    }
}

impl Held for CopiedWorkspace {
    fn bytes(&self) -> usize {
        self.0.bytes()
    }
}
