//! The kind, the row and the field of an error.

#[cfg(feature = "outlines")]
use super::OutlineFault;
use super::{Error, Field, PolygonFault};

/// The kind of an [`Error`], for a program that handles errors by groups.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// A value or a shape is outside the numeric contract, or means nothing.
    Value,
    /// Columns or lists have different lengths.
    Length,
    /// A row, a tile or a body does not exist, or is listed twice.
    Row,
    /// The call does not take this kind of shape.
    Shape,
    /// There are more shapes, pairs or contacts than a limit admits.
    Limit,
    /// There is no memory for the result.
    Memory,
    /// The SIMD level does not exist, or does not run on this CPU.
    Level,
    /// A snapshot or recording is not readable, or does not replay.
    File,
}

impl Field {
    /// Checks that a column of this field has the expected length.
    pub(crate) fn check_len(self, len: usize, expected: usize) -> Result<(), Error> {
        let error = Error::UnequalColumns { field: self, len, expected };
        if len == expected { Ok(()) } else { Err(error) }
    }
}

impl Error {
    /// The kind of the error.
    ///
    /// ```
    /// use widephase::{Columns, Index, error::{ErrorKind, Field}};
    ///
    /// let circles = Columns::circles(&[0.0, f32::NAN], &[0.0; 2], &[1.0; 2])?;
    /// let error = Index::build(circles).unwrap_err();
    /// assert_eq!(error.kind(), ErrorKind::Value);
    /// assert_eq!((error.row(), error.field()), (Some(1), Some(Field::X)));
    /// # Ok::<(), widephase::Error>(())
    /// ```
    pub fn kind(&self) -> ErrorKind {
        match self {
            Error::InvalidShape { .. }
            | Error::InvalidQuery { .. }
            | Error::InvalidPolygon { .. }
            | Error::InvalidChain { .. }
            | Error::ShortChain { .. }
            | Error::EmptyCompound
            | Error::InvalidMargin { .. }
            | Error::InvalidPeriod { .. }
            | Error::InvalidCellSize { .. }
            | Error::InvalidLevel { .. }
            | Error::NoSpaceNamed { .. }
            | Error::TooManyLevels { .. } => ErrorKind::Value,
            #[cfg(feature = "outlines")]
            Error::InvalidOutline { .. } => ErrorKind::Value,
            Error::UnequalColumns { .. } | Error::IncompleteOrder { .. } => ErrorKind::Length,
            Error::NoSuchShape { .. }
            | Error::NoId { .. }
            | Error::InvalidOrder { .. }
            | Error::NoSuchTile { .. } => ErrorKind::Row,
            #[cfg(feature = "narrowphase")]
            Error::StaleHandle { .. } => ErrorKind::Row,
            Error::HasParts { .. } => ErrorKind::Shape,
            Error::TooManyShapes { .. }
            | Error::TooManyImages { .. }
            | Error::TooManyPeriods { .. }
            | Error::TooManyPairs { .. }
            | Error::TooManyContacts { .. } => ErrorKind::Limit,
            Error::OutOfMemory { .. } => ErrorKind::Memory,
            Error::LevelUnavailable { .. } | Error::UnknownLevel { .. } => ErrorKind::Level,
            #[cfg(feature = "narrowphase")]
            Error::InvalidFile { .. } | Error::ReplayFailed { .. } | Error::Diverged { .. } => {
                ErrorKind::File
            }
        }
    }

    /// The row that the error is about: of a shape, or of a query in its batch. `None` if it is
    /// about no single row. For a failed replay, it is the row of its cause.
    pub fn row(&self) -> Option<usize> {
        match *self {
            Error::InvalidShape { index, .. }
            | Error::InvalidQuery { index, .. }
            | Error::InvalidPolygon { index, .. }
            | Error::HasParts { index }
            | Error::NoSuchShape { index, .. }
            | Error::TooManyImages { index, .. } => Some(index),
            Error::TooManyPeriods { b, .. } => Some(b as usize),
            Error::NoId { row, .. } | Error::InvalidOrder { row, .. } => Some(row as usize),
            #[cfg(feature = "narrowphase")]
            Error::StaleHandle { handle } => Some(handle.row() as usize),
            #[cfg(feature = "narrowphase")]
            Error::ReplayFailed { ref error, .. } => error.row(),
            _ => None,
        }
    }

    /// The field that the error is about: the field of a value, or the column of a wrong length.
    /// `None` if it is about no field. For a failed replay, it is the field of its cause.
    pub fn field(&self) -> Option<Field> {
        match *self {
            Error::InvalidShape { field, .. }
            | Error::InvalidQuery { field, .. }
            | Error::InvalidChain { field, .. }
            | Error::UnequalColumns { field, .. }
            | Error::NoId { field, .. } => Some(field),
            Error::NoSpaceNamed { .. } => Some(Field::Space),
            Error::InvalidPolygon { fault: PolygonFault::Vertex { field, .. }, .. } => Some(field),
            Error::InvalidPolygon { fault: PolygonFault::Radius { .. }, .. } => Some(Field::Radius),
            #[cfg(feature = "outlines")]
            Error::InvalidOutline { fault: OutlineFault::Vertex { field, .. }, .. } => Some(field),
            #[cfg(feature = "narrowphase")]
            Error::ReplayFailed { ref error, .. } => error.field(),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Fault;

    #[test]
    fn rows_and_fields_are_found_where_there_are_any() {
        let fault = Fault::Negative;
        let radius = PolygonFault::Radius { value: -1.0, fault };
        let vertex = PolygonFault::Vertex { vertex: 3, field: Field::Y, value: 1e30, fault };
        let cases = [
            (
                Error::InvalidQuery { index: 4, field: Field::MaxRange, value: -1.0, fault },
                (ErrorKind::Value, Some(4), Some(Field::MaxRange)),
            ),
            (
                Error::InvalidPolygon { index: 2, fault: radius },
                (ErrorKind::Value, Some(2), Some(Field::Radius)),
            ),
            (
                Error::InvalidPolygon { index: 2, fault: vertex },
                (ErrorKind::Value, Some(2), Some(Field::Y)),
            ),
            (
                Error::InvalidPolygon { index: 1, fault: PolygonFault::NoArea },
                (ErrorKind::Value, Some(1), None),
            ),
            (
                Error::NoId { index: 9, field: Field::B, row: 5, len: 5 },
                (ErrorKind::Row, Some(5), Some(Field::B)),
            ),
            (
                Error::UnequalColumns { field: Field::Sin, len: 1, expected: 2 },
                (ErrorKind::Length, None, Some(Field::Sin)),
            ),
            (Error::TooManyPairs { limit: 1, found: 2 }, (ErrorKind::Limit, None, None)),
            (Error::HasParts { index: 6 }, (ErrorKind::Shape, Some(6), None)),
            (Error::OutOfMemory { len: 1 }, (ErrorKind::Memory, None, None)),
            (Error::UnknownLevel { name: "sse9".into() }, (ErrorKind::Level, None, None)),
        ];
        for (error, expected) in cases {
            assert_eq!((error.kind(), error.row(), error.field()), expected, "{error:?}");
        }
    }

    #[cfg(feature = "narrowphase")]
    #[test]
    fn a_failed_replay_has_the_row_and_field_of_its_cause() {
        let cause = Error::InvalidShape {
            index: 3,
            field: Field::Cos,
            value: 2.0,
            fault: Fault::NotUnit { length: 2.0 },
        };
        let error = Error::ReplayFailed { step: 1, error: Box::new(cause) };
        let found = (error.kind(), error.row(), error.field());
        assert_eq!(found, (ErrorKind::File, Some(3), Some(Field::Cos)));
    }
}
