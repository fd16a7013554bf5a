//! The one error type of the crate.

use std::fmt;

use crate::{shape::Kind, simd::SimdLevel};

/// Everything that can be refused. Each variant names what was wrong and where; whatever call
/// returns one has left the caller's shapes as they were (a list that was to take the results of a
/// detection is then empty).
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A shape has a value that the numeric contract does not admit.
    #[error("shape {index}: {field} is {value}: {fault}")]
    InvalidShape {
        /// Position of the shape in the input, from 0.
        index: usize,
        /// The field that holds the value.
        field: Field,
        /// The value as it was given.
        value: f32,
        /// What is wrong with the value.
        fault: Fault,
    },
    /// A polygon that is not convex, has no area, or has values that the numeric contract does not
    /// admit.
    #[error("polygon {index}: {fault}")]
    InvalidPolygon {
        /// Position of the polygon in the input of
        /// [`Shapes::extend_from_polygons`](crate::Shapes::extend_from_polygons), from 0; 0 for a polygon on its
        /// own, as [`ConvexPolygon`](crate::shape::ConvexPolygon) makes it.
        index: usize,
        /// What is wrong with it.
        fault: PolygonFault,
    },
    /// A shape that turns or has parts, where only axis-aligned ones can be decided.
    #[error(
        "shape {index} ({kind}) turns or has parts: batch kernels decide axis-aligned shapes only"
    )]
    NotAxisAligned {
        /// Position of the shape in the input, from 0.
        index: usize,
        /// What it is.
        kind: Kind,
    },
    /// A compound, which may have any number of contacts, where each shape is to have one at most.
    #[error("shape {index} is a compound: row by row, a shape has one contact at most")]
    HasParts {
        /// Position of the shape in the input, from 0.
        index: usize,
    },
    /// A compound without parts.
    #[error("a compound needs at least one part")]
    EmptyCompound,
    /// Columns that describe the same shapes have different lengths.
    #[error("column {field} has {len} values instead of {expected}")]
    UnequalColumns {
        /// The first column whose length differs from that of the leading column, or, of columns for a store,
        /// from its number of rows; of vertices of many polygons, from what their counts add up to.
        field: Field,
        /// Its length.
        len: usize,
        /// The length that it should have.
        expected: usize,
    },
    /// More shapes than a `u32` can number.
    #[error("{len} shapes are too many: a shape's index is a u32, so at most {} fit", u32::MAX)]
    TooManyShapes {
        /// The number of shapes asked for.
        len: usize,
    },
    /// An index beyond the end of a store.
    #[error("there is no shape {index}: the store holds {len}")]
    NoSuchShape {
        /// The index asked for.
        index: usize,
        /// The number of rows in the store.
        len: usize,
    },
    /// A list that is to be an order of the shapes names a row that holds none, or names one twice.
    #[error("row {row} at place {place} of the order holds no shape, or was listed before")]
    InvalidOrder {
        /// The place in the list, from 0.
        place: usize,
        /// The row that it names.
        row: u32,
    },
    /// A list that is to be an order of the shapes does not list all.
    #[error("the order lists {len} of {expected} shapes")]
    IncompleteOrder {
        /// The length of the list.
        len: usize,
        /// The number of shapes.
        expected: usize,
    },
    /// More pairs touch than the caller's limit admits.
    #[error("{found} pairs touch, more than the limit of {limit}")]
    TooManyPairs {
        /// The limit in force.
        limit: usize,
        /// How many pairs there are in all.
        found: u64,
    },
    /// There are more contacts than the caller's limit admits.
    #[error("{found} contacts, more than the limit of {limit}")]
    TooManyContacts {
        /// The limit in force.
        limit: usize,
        /// How many contacts there are in all.
        found: u64,
    },
    /// The system has no memory for the result.
    #[error("no memory for a list of {len} results")]
    OutOfMemory {
        /// The capacity that was asked for, in pairs or contacts.
        len: usize,
    },
    /// A margin that is not a finite number of at least zero and at most 2^60.
    #[error("margin {value} is not a finite number of at least 0 and at most 2^60")]
    InvalidMargin {
        /// The value as it was given.
        value: f32,
    },
    /// A cell size that is not a finite number greater than zero and at most 2^60.
    #[error("cell size {value} is not a finite number above 0 and at most 2^60")]
    InvalidCellSize {
        /// The value as it was given.
        value: f32,
    },
    /// A size of a level that is not a finite number above the one before it (0, for the first) and
    /// at most 2^60.
    #[error(
        "size {value} of level {index} is not a finite number above the one before and at most 2^60"
    )]
    InvalidLevel {
        /// The place in the list of sizes.
        index: usize,
        /// The value as it was given.
        value: f32,
    },
    /// More levels than a grid may have.
    #[error("{len} levels, more than the {} that a grid may have", crate::grid::MAX_LEVELS)]
    TooManyLevels {
        /// How many there would be.
        len: usize,
    },
    /// The SIMD level that was asked for does not run on this CPU.
    #[error(
        "level {level} is not available on this CPU; available: {}",
        SimdLevel::list_available()
    )]
    LevelUnavailable {
        /// The level that was asked for.
        level: SimdLevel,
    },
    /// A name that is none of the SIMD levels'.
    #[error("\"{name}\" is not a level; the levels are: scalar, portable, avx2, avx512")]
    UnknownLevel {
        /// The name as it was given.
        name: String,
    },
}

impl Error {
    /// The same of the polygon at position `index`, if it is about a polygon.
    pub(crate) fn of_polygon(self, index: usize) -> Self {
        match self {
            Error::InvalidPolygon { fault, .. } => Error::InvalidPolygon { index, fault },
            other => other,
        }
    }
}

/// The fields that shapes are made of, as errors name them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Field {
    /// Horizontal coordinate of a point or a centre.
    X,
    /// Vertical coordinate of a point or a centre.
    Y,
    /// Radius of a circle or of a rounded box's corners.
    Radius,
    /// Left side of a box's core.
    MinX,
    /// Lower side of a box's core.
    MinY,
    /// Right side of a box's core.
    MaxX,
    /// Upper side of a box's core.
    MaxY,
    /// Half of a box's width.
    HalfWidth,
    /// Half of a box's height.
    HalfHeight,
    /// Cosine of a rotation's angle.
    Cos,
    /// Sine of a rotation's angle.
    Sin,
    /// Horizontal coordinate of a segment's first end.
    Ax,
    /// Vertical coordinate of a segment's first end.
    Ay,
    /// Horizontal coordinate of a segment's second end.
    Bx,
    /// Vertical coordinate of a segment's second end.
    By,
}

impl fmt::Display for Field {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Field::X => "x",
            Field::Y => "y",
            Field::Radius => "radius",
            Field::MinX => "min_x",
            Field::MinY => "min_y",
            Field::MaxX => "max_x",
            Field::MaxY => "max_y",
            Field::HalfWidth => "half_width",
            Field::HalfHeight => "half_height",
            Field::Cos => "cos",
            Field::Sin => "sin",
            Field::Ax => "ax",
            Field::Ay => "ay",
            Field::Bx => "bx",
            Field::By => "by",
        })
    }
}

/// What is wrong with a value.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Fault {
    /// It is NaN.
    NotANumber,
    /// It is plus or minus infinity.
    Infinite,
    /// Its magnitude, or that of a side computed from it, is above
    /// [`MAX_COORDINATE`](crate::shape::MAX_COORDINATE).
    TooLarge,
    /// It is a size, and below zero.
    Negative,
    /// It is the lower side of a box, and above the upper side.
    Inverted {
        /// The upper side.
        max: f32,
    },
    /// It is a size with which a turned box reaches beyond [`MAX_REACH`](crate::shape::MAX_REACH) along x or
    /// y; or a coordinate of the place of a shape, be it the position of a pose, a centre or the middle of a
    /// segment, that is beyond [`MAX_COORDINATE`](crate::shape::MAX_COORDINATE) together with the reach of the
    /// shape: see [limits](crate::shape#limits).
    OutOfReach,
    /// It is the cosine of a rotation whose length is not 1 within about one part in 2000.
    NotUnit {
        /// The length of (cos, sin).
        length: f32,
    },
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::NotANumber => f.write_str("not a number"),
            Fault::Infinite => f.write_str("infinite"),
            Fault::TooLarge => f.write_str("beyond the magnitude limit of 2^60"),
            Fault::Negative => f.write_str("a size cannot be negative"),
            Fault::Inverted { max } => write!(f, "the box is inverted, its other side is {max}"),
            Fault::OutOfReach => f.write_str("the shape reaches too far from the origin"),
            Fault::NotUnit { length } => {
                write!(f, "the length of (cos, sin) is {length} and not 1")
            }
        }
    }
}

/// What is wrong with a polygon.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum PolygonFault {
    /// A vertex has a value that the numeric contract does not admit.
    Vertex {
        /// Position of the vertex in the list, from 0.
        vertex: usize,
        /// The field that holds the value.
        field: Field,
        /// The value as it was given.
        value: f32,
        /// What is wrong with the value.
        fault: Fault,
    },
    /// The rounding radius is a value that the numeric contract does not admit.
    Radius {
        /// The value as it was given.
        value: f32,
        /// What is wrong with the value.
        fault: Fault,
    },
    /// Fewer than 3 different vertices.
    TooFewVertices {
        /// How many different ones there are.
        distinct: usize,
    },
    /// All vertices lie on one line, exactly.
    NoArea,
    /// The outline bends inwards, turns back, crosses itself or goes round more than once.
    NotConvex {
        /// Position in the list, from 0, of a vertex that is not on the outline of the hull, or
        /// after which the list turns back or begins a second round.
        vertex: usize,
    },
    /// More than [`MAX_VERTICES`](crate::shape::MAX_VERTICES) corners.
    TooManyVertices {
        /// How many there are, without merged vertices.
        len: usize,
    },
}

impl fmt::Display for PolygonFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PolygonFault::Vertex { vertex, field, value, fault } => {
                write!(f, "vertex {vertex}: {field} is {value}: {fault}")
            }
            PolygonFault::Radius { value, fault } => write!(f, "radius is {value}: {fault}"),
            PolygonFault::TooFewVertices { distinct } => {
                write!(f, "{distinct} different vertices are too few, it needs 3")
            }
            PolygonFault::NoArea => f.write_str("all vertices lie on one line"),
            PolygonFault::NotConvex { vertex } => {
                write!(f, "not convex, or more than one round, at vertex {vertex}")
            }
            PolygonFault::TooManyVertices { len } => {
                write!(f, "{len} vertices, more than {}", crate::shape::MAX_VERTICES)
            }
        }
    }
}

/// One row that a lenient bulk call has skipped, and why.
#[derive(Debug, Clone, PartialEq)]
pub struct Rejected {
    /// Position of the row in the input of that call, from 0.
    pub index: usize,
    /// What was wrong with it.
    pub error: Error,
}
