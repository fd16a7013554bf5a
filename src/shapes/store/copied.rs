//! `CopiedColumns`: points and circles in other forms than columns, which are copied to columns.

use std::ops::Range;

use super::{Layout, Rows, check};
use crate::{
    base::{Held, buffer::grow},
    error::{Error, Field},
    kernel::{BoxColumns, CircleColumns},
    shape::{Circle, Kind, RoundedBox},
    simd::map_each,
};

/// The radii of circles: a radius for each row, or one radius for all rows.
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
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Radii<'a, T = f32> {
    /// One radius for each row. Read in place, beside columns of positions.
    Each(&'a [T]),
    /// One radius for all rows. Each call copies columns of `f32`: 12 bytes a row.
    Same(T),
}

impl From<f32> for Radii<'_> {
    fn from(radius: f32) -> Self {
        Self::Same(radius)
    }
}

impl From<f64> for Radii<'_, f64> {
    fn from(radius: f64) -> Self {
        Self::Same(radius)
    }
}

impl<'a, T> From<&'a [T]> for Radii<'a, T> {
    fn from(radii: &'a [T]) -> Self {
        Self::Each(radii)
    }
}

impl<'a, T, const N: usize> From<&'a [T; N]> for Radii<'a, T> {
    fn from(radii: &'a [T; N]) -> Self {
        Self::Each(radii)
    }
}

impl<'a, T> From<&'a Vec<T>> for Radii<'a, T> {
    fn from(radii: &'a Vec<T>) -> Self {
        Self::Each(radii)
    }
}

/// Points or circles that are copied to columns before they are read.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CopiedColumns<'a> {
    positions: Positions<'a>,
    /// `None` for points.
    radii: Option<Radii<'a>>,
}

/// The positions of points or of the centres of circles.
#[derive(Debug, Clone, Copy)]
pub(super) enum Positions<'a> {
    Columns([&'a [f32]; 2]),
    Interleaved(&'a [[f32; 2]]),
}

impl Positions<'_> {
    fn len(&self) -> usize {
        match self {
            Self::Columns([x, _]) => x.len(),
            Self::Interleaved(positions) => positions.len(),
        }
    }
}

impl<'a> CopiedColumns<'a> {
    /// Checks that there are as many radii as positions. Columns of positions must have one length.
    pub(super) fn new(positions: Positions<'a>, radii: Option<Radii<'a>>) -> Result<Self, Error> {
        let expected = positions.len();
        if let Some(Radii::Each(radii)) = radii
            && radii.len() != expected
        {
            return Err(Error::UnequalColumns { field: Field::Radius, len: radii.len(), expected });
        }
        check::index_fits(expected)?;
        Ok(Self { positions, radii })
    }

    /// The number of rows.
    pub(super) fn len(&self) -> usize {
        self.positions.len()
    }

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
        let radius = match self.radii {
            None => 0.0,
            Some(Radii::Each(radii)) => radii[row],
            Some(Radii::Same(radius)) => radius,
        };
        Circle { x, y, radius }
    }

    /// The bounding box of a row, which need not be valid.
    pub(super) fn rounded_box(&self, row: usize) -> RoundedBox {
        let Circle { x, y, radius } = self.circle(row);
        RoundedBox { min_x: x, min_y: y, max_x: x, max_y: y, radius }
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
    pub(super) fn copy(&mut self, columns: &CopiedColumns<'_>, rows: Range<usize>) -> Rows<'_> {
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
    pub(super) fn rows(&self, columns: &CopiedColumns<'_>) -> Rows<'_> {
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
