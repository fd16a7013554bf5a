//! `Error` and its parts.

use std::fmt;

use crate::base::{MAX_LEVELS, MAX_VERTICES, SimdLevel};

/// Implements `Display` by a table: the fields of each variant, and its text.
macro_rules! texts {
    ($reason:ident {
        $($(#[$cfg:meta])* $variant:ident $({ $($field:ident),+ })? =>
            $text:literal $(, $arg:expr)?;)+
    }) => {
        impl fmt::Display for $reason {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                match self {
                    $($(#[$cfg])* Self::$variant $({ $($field),+ })? => {
                        write!(f, $text $(, $arg)?)
                    })+
                }
            }
        }
    };
}

/// The reasons why a call can fail. Each variant says which value or argument is wrong, and where
/// it is. A call that fails leaves the caller's shapes unchanged; the list for the results of a
/// detection is then empty.
///
/// ```
/// use widephase::{Columns, Detector, Error, shape::ConvexPolygon};
/// use widephase::error::{Fault, Field, PolygonFault};
///
/// let circles = Columns::circles(&[0.0, 1.0], &[0.0, f32::INFINITY], &[1.0; 2])?;
/// let error = Detector::new().count(circles).unwrap_err();
/// let (index, field, value, fault) = (1, Field::Y, f32::INFINITY, Fault::Infinite);
/// assert_eq!(error, Error::InvalidShape { index, field, value, fault });
/// let line = ConvexPolygon::new(&[[0.0, 0.0], [1.0, 1.0], [2.0, 2.0]]).unwrap_err();
/// assert_eq!(line, Error::InvalidPolygon { index: 0, fault: PolygonFault::NoArea });
/// # Ok::<(), Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Error {
    /// A shape has a value outside the numeric contract.
    InvalidShape {
        /// Position of the shape in the input, from 0.
        index: usize,
        /// The field that holds the value.
        field: Field,
        /// The value as it was given.
        value: f32,
        /// The fault of the value.
        fault: Fault,
    },
    /// A query has a value outside the numeric contract.
    InvalidQuery {
        /// Position of the query in the input, from 0; 0 for a single query.
        index: usize,
        /// The field that holds the value.
        field: Field,
        /// The value as it was given.
        value: f32,
        /// The fault of the value.
        fault: Fault,
    },
    /// A polygon is not convex, has no area, or has values outside the numeric contract.
    InvalidPolygon {
        /// Position of the polygon in the input of
        /// [`Shapes::extend_from_polygons`](crate::Shapes::extend_from_polygons), from 0; 0 for a
        /// single polygon, as in [`ConvexPolygon`](crate::shape::ConvexPolygon).
        index: usize,
        /// The fault of the polygon.
        fault: PolygonFault,
    },
    /// A shape is a compound, which may have any number of contacts, but the call returns at most
    /// one contact per shape.
    HasParts {
        /// Position of the shape in the input, from 0.
        index: usize,
    },
    /// A vertex of a chain has a value outside the numeric contract, or repeats its neighbour.
    InvalidChain {
        /// Position of the vertex in the list, from 0. For the ghost vertices of
        /// [`Chain::with_ghosts`](crate::shape::Chain::with_ghosts), the number of vertices,
        /// and one more for the second ghost.
        vertex: usize,
        /// The field that holds the value: [`Field::X`] or [`Field::Y`].
        field: Field,
        /// The value as it was given.
        value: f32,
        /// The fault of the value.
        fault: Fault,
    },
    /// An outline is not a simple polygon with holes, or has values outside the numeric contract.
    #[cfg(feature = "outlines")]
    InvalidOutline {
        /// 0 for the outline, else the position of the hole in its list, from 1. The rings of
        /// several outlines are numbered through.
        ring: usize,
        /// Position of the vertex in its ring, from 0; 0 for a fault of the whole ring.
        vertex: usize,
        /// The fault of the outline.
        fault: OutlineFault,
    },
    /// A chain has too few vertices.
    ShortChain {
        /// The number of vertices.
        len: usize,
        /// The least number: 2 for an open chain, 3 for a closed chain.
        least: usize,
    },
    /// A compound has no parts.
    EmptyCompound,
    /// Columns that describe the same shapes have different lengths.
    UnequalColumns {
        /// The first column of a wrong length. The right length is the length of the leading
        /// column; for columns of a store, its number of rows; for the vertices of many polygons,
        /// the sum of their counts.
        field: Field,
        /// The length of that column.
        len: usize,
        /// The right length.
        expected: usize,
    },
    /// A query names no space, and the shapes of its index are in several spaces: see
    /// [`Index::in_space`](crate::Index::in_space).
    NoSpaceNamed {
        /// The number of spaces.
        spaces: usize,
    },
    /// There are more shapes than a `u32` can number.
    TooManyShapes {
        /// The requested number of shapes.
        len: usize,
    },
    /// The body that a handle names was removed, or never was in this world.
    #[cfg(feature = "narrowphase")]
    StaleHandle {
        /// The handle.
        handle: crate::base::Handle,
    },
    /// Bytes are no [snapshot](crate::World::snapshot) or
    /// [recording](crate::World::start_recording) of this version, or end too early.
    #[cfg(feature = "narrowphase")]
    InvalidFile {
        /// The number of bytes before the fault.
        offset: usize,
        /// The fault there.
        fault: FileFault,
    },
    /// A call of a recording fails, or has another result than when it was recorded.
    #[cfg(feature = "narrowphase")]
    ReplayFailed {
        /// The step that was to come, from 1.
        step: u64,
        /// The error of the call.
        error: Box<Error>,
    },
    /// A replayed world is not as it was when it was recorded.
    #[cfg(feature = "narrowphase")]
    Diverged {
        /// The number of steps so far.
        step: u64,
        /// The [hash](crate::World::state_hash) in the recording.
        recorded: u64,
        /// The hash of the replay.
        found: u64,
    },
    /// There is no shape at an index: the row is vacant, or beyond the last row.
    NoSuchShape {
        /// The requested index.
        index: usize,
        /// The number of rows, vacant rows included.
        len: usize,
    },
    /// A pair has a row that is beyond the last id.
    NoId {
        /// Position of the pair in the list, from 0.
        index: usize,
        /// The side of the pair: [`Field::A`] or [`Field::B`].
        field: Field,
        /// The row.
        row: u32,
        /// The number of ids.
        len: usize,
    },
    /// An order of the shapes of a store lists a row without a shape, or lists a row twice.
    InvalidOrder {
        /// The place in the list, from 0.
        place: usize,
        /// The row at that place.
        row: u32,
    },
    /// An order of the shapes of a store does not list all shapes.
    IncompleteOrder {
        /// The length of the list.
        len: usize,
        /// The number of shapes.
        expected: usize,
    },
    /// More pairs touch than the limit allows.
    TooManyPairs {
        /// The limit in force.
        limit: u64,
        /// The total number of pairs.
        found: u64,
    },
    /// There are more contacts than the limit allows.
    TooManyContacts {
        /// The limit in force.
        limit: u64,
        /// The total number of contacts.
        found: u64,
    },
    /// A tile does not exist.
    NoSuchTile {
        /// The number that was given.
        index: usize,
        /// The number of tiles.
        len: usize,
    },
    /// The system has no memory for the result, or for the workspace of the call. Nothing has
    /// changed then.
    OutOfMemory {
        /// The number of results, shapes or queries that there is no memory for.
        len: usize,
    },
    /// A margin is not a finite number from 0 to 2^60.
    InvalidMargin {
        /// The value as it was given.
        value: f32,
    },
    /// A periodic box has a period that is not above 0, or a side beyond 2^57.
    InvalidPeriod {
        /// The lower side.
        min: f32,
        /// The upper side.
        max: f32,
    },
    /// A distance, or the length of a shape, reaches over too many periods of a periodic box: over
    /// more than 32,767 periods, or beyond 2^59. Or the images of all shapes up to this shape are
    /// more than 2^24 and 16 for each shape.
    TooManyImages {
        /// The row of the shape.
        index: usize,
        /// The length of its bounding box along the axis of the most periods, plus the distance.
        length: f32,
        /// The period.
        period: f32,
    },
    /// Two shapes are given so many periods of a periodic box apart that the shift between them has
    /// no 16 bits.
    TooManyPeriods {
        /// The row of the shape that stays.
        a: u32,
        /// The row of the shape that is shifted.
        b: u32,
        /// The periods of the shift, along the axis where they are too many.
        periods: f64,
    },
    /// A cell size is not a finite number above 0 and at most 2^60, or cells of this size have no
    /// width where they are: their sides are rounded to one line.
    InvalidCellSize {
        /// The value as it was given.
        value: f32,
    },
    /// The size of a grid level is not a finite number above the size before it (0 for the first
    /// level) and at most 2^60.
    InvalidLevel {
        /// The place in the list of sizes.
        index: usize,
        /// The value as it was given.
        value: f32,
    },
    /// There are more levels than a grid may have.
    TooManyLevels {
        /// The number of levels that were requested.
        len: usize,
    },
    /// The requested SIMD level does not run on this CPU.
    LevelUnavailable {
        /// The requested level.
        level: SimdLevel,
    },
    /// A name is not the name of a SIMD level.
    UnknownLevel {
        /// The name as it was given.
        name: String,
    },
}

impl std::error::Error for Error {}

texts!(Error {
    InvalidShape { index, field, value, fault } => "shape {index}: {field} is {value}: {fault}";
    InvalidQuery { index, field, value, fault } => "query {index}: {field} is {value}: {fault}";
    InvalidPolygon { index, fault } => "polygon {index}: {fault}";
    HasParts { index } =>
        "shape {index} is a compound: row by row, a shape has one contact at most";
    InvalidChain { vertex, field, value, fault } =>
        "chain, vertex {vertex}: {field} is {value}: {fault}";
    #[cfg(feature = "outlines")]
    InvalidOutline { ring, vertex, fault } =>
        "ring {ring} of the outline, vertex {vertex}: {fault}";
    ShortChain { len, least } =>
        "a chain of {len} vertices is too short: it needs at least {least}";
    EmptyCompound => "a compound needs at least one part";
    UnequalColumns { field, len, expected } =>
        "column {field} has {len} values instead of {expected}";
    NoSpaceNamed { spaces } =>
        "the index has shapes in {spaces} spaces: a query names one, by in_space";
    TooManyShapes { len } =>
        "{len} shapes are too many: a shape's index is a u32, so at most {} fit", u32::MAX;
    #[cfg(feature = "narrowphase")]
    StaleHandle { handle } => "{handle:?} is stale: its body was removed, or is of another world";
    #[cfg(feature = "narrowphase")]
    InvalidFile { offset, fault } => "byte {offset}: {fault}";
    #[cfg(feature = "narrowphase")]
    ReplayFailed { step, error } => "the replay fails in step {step}: {error}";
    #[cfg(feature = "narrowphase")]
    Diverged { step, recorded, found } =>
        "the replay differs after step {step}: state {found:016x} instead of {recorded:016x}";
    NoSuchShape { index, len } => "there is no shape {index}: the store holds {len}";
    NoId { index, field, row, len } =>
        "pair {index}: {field} is row {row}, but there are {len} ids";
    InvalidOrder { place, row } =>
        "row {row} at place {place} of the order holds no shape, or was listed before";
    IncompleteOrder { len, expected } => "the order lists {len} of {expected} shapes";
    TooManyPairs { limit, found } => "{found} pairs touch, more than the limit of {limit}";
    TooManyContacts { limit, found } => "{found} contacts, more than the limit of {limit}";
    NoSuchTile { index, len } => "there is no tile {index}: there are {len}";
    OutOfMemory { len } => "no memory for {len} results or shapes";
    InvalidMargin { value } =>
        "margin {value} is not a finite number of at least 0 and at most 2^60";
    InvalidPeriod { min, max } =>
        "the period from {min} to {max} is not above 0, or a side is beyond 2^57 or NaN";
    TooManyImages { index, length, period } =>
        "shape {index} is {length} long, distance included: too many images with the period \
         {period}";
    TooManyPeriods { a, b, periods } =>
        "shape {b} is shifted by {periods} periods to shape {a}: more than 32767";
    InvalidCellSize { value } =>
        "cell size {value} is not a finite number above 0 and at most 2^60, or is lost in the \
         roundings of the coordinates";
    InvalidLevel { index, value } =>
        "size {value} of level {index} is not a finite number above the size before and at most \
         2^60";
    TooManyLevels { len } => "{len} levels, more than the {} that a grid may have", MAX_LEVELS;
    LevelUnavailable { level } =>
        "level {level} is not available on this CPU; available: {}", SimdLevel::list_available();
    UnknownLevel { name } =>
        "\"{name}\" is not a level; the levels are: scalar, portable, avx2, avx512";
});

impl Error {
    /// Sets the position of the polygon to `index`, if the error is about a polygon.
    pub(crate) fn of_polygon(self, index: usize) -> Self {
        match self {
            Error::InvalidPolygon { fault, .. } => Error::InvalidPolygon { index, fault },
            other => other,
        }
    }

    /// Changes the row, if the error is about the values of a row.
    pub(crate) fn in_row(self, row: impl FnOnce(usize) -> usize) -> Self {
        match self {
            Error::InvalidShape { index, field, value, fault } => {
                Error::InvalidShape { index: row(index), field, value, fault }
            }
            other => other,
        }
    }
}

/// A field of a shape, a query or a pair, as named in errors.
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
    /// Horizontal part of the normal of a half-plane.
    NormalX,
    /// Vertical part of the normal of a half-plane.
    NormalY,
    /// Position of the border of a half-plane along its normal.
    Offset,
    /// Horizontal part of the direction of a ray, or of the translation or displacement of a shape.
    Dx,
    /// Vertical part of the direction of a ray, or of the translation or displacement of a shape.
    Dy,
    /// Largest fraction of a direction or a translation.
    MaxFraction,
    /// Largest distance of a neighbor.
    MaxDistance,
    /// Largest distance that a fan of rays measures.
    MaxRange,
    /// Least distance that a cast keeps.
    Gap,
    /// Direction that is up for a body that slides.
    Up,
    /// Steepest ground that a sliding body climbs.
    MaxSlope,
    /// How far down a sliding body follows the ground.
    Snap,
    /// Angular velocity of a body.
    Spin,
    /// First angle of a fan, or the step between its rays.
    Angle,
    /// Filter of a shape.
    Filter,
    /// Space of a shape.
    Space,
    /// Row that a query leaves out.
    Row,
    /// Whether a shape is a bullet.
    Bullet,
    /// First row of a pair.
    A,
    /// Second row of a pair.
    B,
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
            Field::NormalX => "normal_x",
            Field::NormalY => "normal_y",
            Field::Offset => "offset",
            Field::Dx => "dx",
            Field::Dy => "dy",
            Field::MaxFraction => "max_fraction",
            Field::MaxDistance => "max_distance",
            Field::MaxRange => "max_range",
            Field::Gap => "gap",
            Field::Up => "up",
            Field::MaxSlope => "max_slope",
            Field::Snap => "snap",
            Field::Spin => "spin",
            Field::Angle => "angle",
            Field::Filter => "filter",
            Field::Space => "space",
            Field::Row => "row",
            Field::Bullet => "bullet",
            Field::A => "a",
            Field::B => "b",
        })
    }
}

/// The fault of a value.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Fault {
    /// The value is NaN.
    NotANumber,
    /// The value is plus or minus infinity.
    Infinite,
    /// The magnitude of the value, or of a side computed from it, is above
    /// [`MAX_COORDINATE`](crate::shape::MAX_COORDINATE).
    TooLarge,
    /// The value is a size, and below zero.
    Negative,
    /// The value is the lower side of a box, and above the upper side.
    Inverted {
        /// The upper side.
        max: f32,
    },
    /// The value is a size with which a rotated box reaches beyond
    /// [`MAX_REACH`](crate::shape::MAX_REACH) along x or y; or it is a coordinate of a shape
    /// (position of a pose, centre, or middle of a segment) that, together with the reach of the
    /// shape, is beyond [`MAX_COORDINATE`](crate::shape::MAX_COORDINATE): see
    /// [limits](crate::shape#limits).
    OutOfReach,
    /// The value belongs to the rotation of a pose for an [`Aabb`](crate::shape::Aabb) or a
    /// [`RoundedBox`](crate::shape::RoundedBox), which stay axis-aligned. An
    /// [`Obb`](crate::shape::Obb) rotates.
    CannotRotate,
    /// The value belongs to the rotation of a shape that is inserted with a pose of another
    /// rotation, which would replace it.
    SecondRotation,
    /// The value is the cosine of a rotation, or the first part of a normal, whose length is not 1
    /// within about one part in 2000.
    NotUnit {
        /// The length of (cos, sin), or of the normal.
        length: f32,
    },
    /// The value is a coordinate of a vertex of a chain at the same point as its neighbour.
    Repeated,
}

texts!(Fault {
    NotANumber => "not a number";
    Infinite => "infinite";
    TooLarge => "beyond the magnitude limit of 2^60";
    Repeated => "the vertex repeats the vertex beside it";
    Negative => "a size cannot be negative";
    CannotRotate => "an axis-aligned box cannot rotate, an Obb can";
    SecondRotation => "the rotation of the pose would replace the rotation of the shape";
    Inverted { max } => "the box is inverted, its other side is {max}";
    OutOfReach => "the shape reaches too far from the origin";
    NotUnit { length } => "the length of the vector is {length} and not 1";
});

/// The fault of an outline.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
#[cfg(feature = "outlines")]
pub enum OutlineFault {
    /// The vertex has a value outside the numeric contract.
    Vertex {
        /// The field that holds the value.
        field: Field,
        /// The value as it was given.
        value: f32,
        /// The fault of the value.
        fault: Fault,
    },
    /// The ring has fewer than 3 different vertices. A hole is dropped then.
    TooFewVertices {
        /// The number of different vertices.
        distinct: usize,
    },
    /// All vertices of the ring lie on one line, exactly, or it runs along all of its sides there
    /// and back. A hole is dropped then.
    NoArea,
    /// The side that begins at the vertex crosses another side: at a point within both sides, or
    /// because the ring crosses itself at a vertex that it visits more than once. Sides that only
    /// touch do not cross.
    Crosses {
        /// The ring of the other side.
        ring: usize,
        /// The vertex at which the other side begins.
        vertex: usize,
    },
    /// The side that begins at the vertex runs along another side: they share more than a point.
    /// Only a ring that joins its pieces by a side there and back may do that, and the sides of two
    /// outlines: see [`Compound::from_outline`](crate::shape::Compound::from_outline) and
    /// [`from_outlines`](crate::shape::Compound::from_outlines).
    Overlaps {
        /// The ring of the other side.
        ring: usize,
        /// The vertex at which the other side begins.
        vertex: usize,
    },
    /// The ring is a hole, and a part of it is outside of its outline, or within another hole.
    NotWithin,
    /// The side that begins at the vertex lies in the area of another outline, or is a side of it
    /// with the area on the same side: the two outlines have a common area.
    InArea {
        /// The ring of the other outline.
        ring: usize,
    },
    /// The outline cannot be triangulated.
    Unsolved,
}

#[cfg(feature = "outlines")]
texts!(OutlineFault {
    Vertex { field, value, fault } => "{field} is {value}: {fault}";
    TooFewVertices { distinct } => "{distinct} distinct vertices do not span an area";
    NoArea => "the ring has no area";
    Crosses { ring, vertex } =>
        "the side that begins there crosses the side at vertex {vertex} of ring {ring}";
    Overlaps { ring, vertex } =>
        "the side that begins there runs along the side at vertex {vertex} of ring {ring}";
    NotWithin => "the hole is not within the outline alone";
    InArea { ring } => "the side that begins there is in the area of the outline in ring {ring}";
    Unsolved => "the outline cannot be triangulated";
});

/// The fault of a polygon.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum PolygonFault {
    /// A vertex has a value outside the numeric contract.
    Vertex {
        /// Position of the vertex in the list, from 0.
        vertex: usize,
        /// The field that holds the value.
        field: Field,
        /// The value as it was given.
        value: f32,
        /// The fault of the value.
        fault: Fault,
    },
    /// The rounding radius is outside the numeric contract.
    Radius {
        /// The value as it was given.
        value: f32,
        /// The fault of the value.
        fault: Fault,
    },
    /// There are fewer than 3 different vertices.
    TooFewVertices {
        /// The number of different vertices.
        distinct: usize,
    },
    /// All vertices lie on one line, exactly.
    NoArea,
    /// The outline bends inwards, doubles back, crosses itself or goes round more than once.
    NotConvex {
        /// Position in the list, from 0, of a vertex that is not on the outline of the hull, or
        /// after which the list doubles back or begins a second round.
        vertex: usize,
    },
    /// There are more than [`MAX_VERTICES`] corners.
    TooManyVertices {
        /// The number of corners, without merged vertices.
        len: usize,
    },
}

texts!(PolygonFault {
    Vertex { vertex, field, value, fault } => "vertex {vertex}: {field} is {value}: {fault}";
    Radius { value, fault } => "radius is {value}: {fault}";
    TooFewVertices { distinct } => "{distinct} different vertices are too few, it needs 3";
    NoArea => "all vertices lie on one line";
    NotConvex { vertex } => "not convex, or more than one round, at vertex {vertex}";
    TooManyVertices { len } => "{len} vertices, more than {}", MAX_VERTICES;
});

/// The fault of the bytes of a snapshot or a recording.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg(feature = "narrowphase")]
#[non_exhaustive]
pub enum FileFault {
    /// The bytes do not begin like a snapshot or a recording.
    Foreign,
    /// The file is of another version of the format.
    Version {
        /// The version.
        version: u64,
    },
    /// The bytes end before the end of the file.
    TooShort,
    /// The bytes go on behind the end of the file.
    TooLong,
    /// The bytes have changed: their hash differs.
    Damaged,
    /// A value means nothing there, or contradicts another value.
    Value {
        /// The value.
        value: u64,
    },
}

#[cfg(feature = "narrowphase")]
texts!(FileFault {
    Foreign => "not a file of this kind";
    Version { version } => "version {version} of the format";
    TooShort => "the file ends too early";
    TooLong => "the file goes on behind its end";
    Damaged => "the file is damaged: its hash differs";
    Value { value } => "the value {value} makes no sense";
});

/// A row that a lenient bulk call has skipped, or a hole without area that an outline does without;
/// and the reason.
#[derive(Debug, Clone, PartialEq)]
pub struct Rejected {
    /// Position of the row or the hole in the input of that call, from 0.
    pub index: usize,
    /// The error of the row or the hole.
    pub error: Error,
}
