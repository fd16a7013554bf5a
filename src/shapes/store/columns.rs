//! `Columns`: shapes in borrowed slices of the caller; the kinds of columns, and their
//! arguments by name.

use std::ops::Range;

use super::{
    Layout, Positions, Radii, RotatedColumns, RotatedWorkspace, RoundColumns, Rows,
    check::index_fits, copied::CopiedWorkspace, round_columns,
};
use crate::{
    base::{NARROWPHASE, held},
    error::{Error, Field},
    filter::{Filter, Filtering, Predicate},
    geometry::{ExactShape, smallest_around, smallest_box},
    kernel,
    kernel::{BoxColumns, CircleColumns, ColumnSet, RoundedColumns},
    posed::CheckedShape,
    shape::{AnyShape, Kind, RoundedBox},
    simd::Isa,
};

/// Shapes as borrowed columns, one slice per field.
///
/// A constructor checks only that the slices have one length, in constant time. The values are
/// checked when they are used, by every call. [`check`](Columns::check) checks them once for many
/// calls of a [`Narrowphase`](crate::Narrowphase). Shape `i` is value `i` of each column. Columns
/// of axis-aligned shapes are read in place. Positions in one slice
/// ([`circles_at`](Columns::circles_at)) and the radius of all circles are copied by each call: 0.5
/// to 1 ns a row (100,000 circles, one thread, an Intel Xeon; log, 2026-11). A slice of
/// `glam::Vec2` is a slice of positions by `bytemuck::cast_slice`, if glam has its feature
/// `bytemuck`.
///
/// ```
/// use widephase::{Columns, Detector, Pair};
///
/// let (x, y, radius) = ([0.0, 3.0, 9.0], [0.0, 4.0, 9.0], [2.0, 3.0, 1.0]);
/// let mut pairs = Vec::new();
/// Detector::new().pairs(Columns::circles(&x, &y, &radius)?, &mut pairs)?;
/// assert_eq!(pairs, [Pair { a: 0, b: 1 }]);
/// # Ok::<(), widephase::Error>(())
/// ```
///
/// The constructors take slices in order. [`columns`](crate::columns) has records with a name for
/// each slice, such as [`ObbColumns`](crate::columns::ObbColumns):
/// `Columns::try_from(ObbColumns { x, y, half_width, half_height, cos, sin })?`.
///
/// Columns of rotated boxes, capsules and segments are accepted wherever other columns are. For
/// each row, each call computes the bounding box and the record that its kernels load, on the
/// calling thread: 5 to 7 ns a row (measured, AVX-512). A detector or an index keeps memory for
/// them, and a narrowphase for each of two sets: 52 bytes a row and up to an eighth more, for all
/// rows of the columns. A [`Shapes`](crate::Shapes) store computes them once. The results and their
/// order are as with such a store. Polygons and compounds need a store, because they have any
/// number of vertices and parts.
///
/// ```
/// use widephase::{Columns, Narrowphase, Pair};
///
/// // A box, 4 by 2, and above it a square on its corner: a pair of your broadphase.
/// let (x, y, half_width, half_height) = ([0.0, 0.0], [0.0, 2.0], [2.0, 0.8], [1.0, 0.8]);
/// let (cos, sin) = ([1.0, 0.5_f32.sqrt()], [0.0, 0.5_f32.sqrt()]);
/// let boxes = Columns::obbs(&x, &y, &half_width, &half_height, &cos, &sin)?;
/// let (mut narrowphase, mut contacts) = (Narrowphase::new(), Vec::new());
/// narrowphase.contacts(boxes, &[Pair { a: 0, b: 1 }], 0.0, &mut contacts)?;
/// // The corner is 0.8 √2 below its centre, and that 1 above the side.
/// assert!((contacts[0].depth - (0.8 * 2.0_f32.sqrt() - 1.0)).abs() < 1e-6);
/// # Ok::<(), widephase::Error>(())
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Columns<'a> {
    pub(super) form: ColumnForm<'a>,
    pub(crate) filtering: Filtering<'a>,
    /// The space of each row.
    pub(crate) spaces: Option<&'a [u32]>,
    /// The rows to detect: see [`Rows::select`].
    pub(super) selection: Option<&'a [u32]>,
    /// Whether all values are known to be valid. The borrow keeps them so.
    pub(super) checked: bool,
}

/// The source of the rows of [`Columns`].
#[derive(Debug, Clone, Copy)]
pub(super) enum ColumnForm<'a> {
    /// Borrowed columns of axis-aligned shapes, or the rows of a store.
    Rows(Rows<'a>),
    /// Borrowed columns of rotated shapes, which are not placed yet.
    Turning(RotatedColumns<'a>),
    /// Points and circles that are not copied to columns yet.
    Copied(RoundColumns<'a>),
}

impl<'a> From<Layout<'a>> for ColumnForm<'a> {
    fn from(layout: Layout<'a>) -> Self {
        Self::Rows(Rows::closed(layout, layout.len()))
    }
}

impl<'a> From<RotatedColumns<'a>> for ColumnForm<'a> {
    fn from(columns: RotatedColumns<'a>) -> Self {
        Self::Turning(columns)
    }
}

/// Memory for columns that are not read in place.
#[derive(Debug, Default)]
pub(crate) struct ColumnWorkspace {
    rotated: RotatedWorkspace,
    copied: CopiedWorkspace,
}

held!(ColumnWorkspace { rotated, copied });

impl<'a> Columns<'a> {
    fn round(columns: RoundColumns<'a>) -> Self {
        let layout = match (columns.positions, columns.radii) {
            (Positions::Columns([x, y]), None) => {
                Layout::Boxes(BoxColumns { min_x: x, min_y: y, max_x: x, max_y: y })
            }
            (Positions::Columns([x, y]), Some(Radii::Each(radius))) => {
                Layout::Circles(CircleColumns { x, y, radius })
            }
            _ => return Self::in_form(ColumnForm::Copied(columns)),
        };
        Self::of(Rows { kind: columns.kind(), ..Rows::closed(layout, columns.len()) })
    }

    /// Wraps rows.
    pub(crate) fn of(rows: Rows<'a>) -> Self {
        Self::in_form(ColumnForm::Rows(rows))
    }

    pub(super) fn in_form(form: ColumnForm<'a>) -> Self {
        Self {
            form,
            filtering: Filtering::default(),
            spaces: None,
            selection: None,
            checked: false,
        }
    }

    /// The columns with a filter for each row, which decides which shapes meet: see [`Filter`].
    /// Replaces the filters of a store.
    ///
    /// A detection reads the filters of all rows once. Filters that all meet cost nothing else.
    /// With up to 32 different filters, or any number of owners, a count takes one and a half times
    /// as long, whether pairs meet or not; with more filters, twice as long or more.
    ///
    /// # Errors
    /// [`Error::UnequalColumns`] for [`Field::Filter`].
    pub fn with_filters(self, filters: &'a [Filter]) -> Result<Self, Error> {
        Field::Filter.check_len(filters.len(), self.len())?;
        let filtering = Filtering { filters: Some(filters), ..self.filtering };
        Ok(Self { filtering, ..self })
    }

    /// Only these rows, for a detector: see [`Rows::select`].
    pub(crate) fn select(self, rows: &'a [u32]) -> Self {
        Self { selection: Some(rows), ..self }
    }

    /// Whether a row may be vacant.
    pub(crate) fn may_have_vacant_rows(&self) -> bool {
        self.as_rows().is_some_and(|rows| rows.live.is_some())
    }

    /// The rows, unless they are made of other columns first.
    pub(crate) fn as_rows(&self) -> Option<&Rows<'a>> {
        match &self.form {
            ColumnForm::Rows(rows) => Some(rows),
            _ => None,
        }
    }

    /// The shapes alone, without filters and spaces.
    pub(crate) fn bare(self) -> Self {
        Self { filtering: Filtering::default(), spaces: None, ..self }
    }

    /// The columns with a space for each row. Shapes of different spaces never meet, even if they
    /// lie on each other. Rows without this column are in space 0. Numbers of spaces are any; they
    /// need not be consecutive.
    ///
    /// Results equal the results of a call for each space, one after the other, in ascending order
    /// of the spaces, with the same bits; with [`Order::Sorted`](crate::Order::Sorted), the results
    /// of all spaces together are sorted by their rows. With an [`Index`](crate::Index) whose
    /// shapes were in spaces, a row meets the shapes of its own space. Many spaces are divided over
    /// [`Options::threads`](crate::Options::threads), each on one thread.
    ///
    /// Spaces of 64 shapes cost about one and a half times as much as one space of as many shapes
    /// at the same density. It is fastest if the rows of a space follow each other;
    /// else they are grouped and copied first.
    ///
    /// # Errors
    /// [`Error::UnequalColumns`] for [`Field::Space`].
    ///
    /// ```
    /// use widephase::{Columns, Detector, Pair};
    ///
    /// // Two copies of one room, as a learning environment has them.
    /// let (x, y, radius) = ([0.0, 1.0, 0.0, 1.0], [0.0; 4], [1.0; 4]);
    /// let rooms = Columns::circles(&x, &y, &radius)?.with_spaces(&[0, 0, 1, 1])?;
    /// let mut pairs = Vec::new();
    /// Detector::new().pairs(rooms, &mut pairs)?;
    /// assert_eq!(pairs, [Pair { a: 0, b: 1 }, Pair { a: 2, b: 3 }]);
    /// # Ok::<(), widephase::Error>(())
    /// ```
    pub fn with_spaces(self, spaces: &'a [u32]) -> Result<Self, Error> {
        Field::Space.check_len(spaces.len(), self.len())?;
        Ok(Self { spaces: Some(spaces), ..self })
    }

    /// The columns with a decision of your own, asked last: after the filters, and only about pairs
    /// whose bounding boxes touch. Pairs for which it returns false are left out.
    ///
    /// It is asked about two rows of these columns, the smaller one first; or, with an index, about
    /// a row of the columns and a row of the index. It may be called on any thread, in any order,
    /// and more than once about a pair, so its answer must depend on the rows alone. Asking
    /// takes about a nanosecond a pair, beside the time of the function itself.
    ///
    /// ```
    /// use widephase::{Columns, Detector, Pair};
    ///
    /// // A chain: neighbours are joined and do not collide.
    /// let (x, y, radius) = ([0.0, 1.0, 1.5], [0.0; 3], [1.0; 3]);
    /// let joined = |a: u32, b: u32| b - a == 1;
    /// let accept = |a: u32, b: u32| !joined(a, b);
    /// let mut pairs = Vec::new();
    /// let links = Columns::circles(&x, &y, &radius)?.with_predicate(&accept);
    /// Detector::new().pairs(links, &mut pairs)?;
    /// assert_eq!(pairs, [Pair { a: 0, b: 2 }]);
    /// # Ok::<(), widephase::Error>(())
    /// ```
    #[must_use]
    pub fn with_predicate(self, accept: &'a (dyn Fn(u32, u32) -> bool + Sync)) -> Self {
        self.decided_by(Predicate { accept, prefetch: None, grown: false, lists: None })
    }

    /// The columns with a decision about two rows.
    pub(crate) fn decided_by(self, predicate: Predicate<'a>) -> Self {
        let filtering = Filtering { predicate: Some(predicate), ..self.filtering };
        Self { filtering, ..self }
    }

    /// The number of rows.
    pub fn len(&self) -> usize {
        match &self.form {
            ColumnForm::Rows(rows) => rows.len(),
            ColumnForm::Turning(columns) => columns.len(),
            ColumnForm::Copied(columns) => columns.len(),
        }
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether a row exists and holds a shape.
    #[inline]
    pub(crate) fn holds(&self, row: usize) -> bool {
        self.as_rows().map_or(row < self.len(), |rows| rows.holds(row))
    }

    /// The kind of a row; `None` if the row is vacant or does not exist.
    #[inline]
    pub(super) fn kind(&self, row: usize) -> Option<Kind> {
        self.holds(row).then(|| match &self.form {
            ColumnForm::Rows(rows) => rows.kind_of(row).unwrap_or(rows.kind),
            ColumnForm::Turning(columns) => columns.kind(),
            ColumnForm::Copied(columns) => columns.kind(),
        })
    }

    /// The bounding box of a row that holds a shape, as a store has it. Values of axis-aligned
    /// shapes are not checked.
    ///
    /// # Errors
    /// [`Error::InvalidShape`] for rotated shapes.
    #[inline]
    pub(crate) fn bounds(&self, row: usize) -> Result<RoundedBox, Error> {
        match &self.form {
            ColumnForm::Rows(rows) => Ok(rows.layout.rounded_box(row)),
            ColumnForm::Turning(columns) => columns.entry(row).map(|entry| entry.placed().1),
            ColumnForm::Copied(columns) => Ok(columns.rounded_box(row)),
        }
    }

    /// The entry of a row that is a box, or a row of columns of rotated shapes.
    pub(super) fn entry(&self, row: usize) -> Result<CheckedShape<'static>, Error> {
        match &self.form {
            ColumnForm::Turning(columns) => columns.entry(row),
            _ => Ok(CheckedShape::new(AnyShape::RoundedBox(self.bounds(row)?))),
        }
    }

    /// The [bounds](crate::Shapes::bounds) of a row that holds a shape: within the
    /// [box](Self::bounds) that a store has.
    ///
    /// # Errors
    /// [`Error::InvalidShape`] for rotated shapes.
    pub(crate) fn smallest_box(&self, row: usize) -> Result<RoundedBox, Error> {
        match &self.form {
            ColumnForm::Rows(rows) => Ok(match rows.records() {
                Some(shapes) if NARROWPHASE => smallest_box(shapes, row),
                _ => rows.layout.rounded_box(row),
            }),
            ColumnForm::Turning(columns) => {
                let entry = columns.entry(row)?;
                Ok(smallest_around(&ExactShape::plain(entry.placed().0)))
            }
            ColumnForm::Copied(columns) => Ok(columns.rounded_box(row)),
        }
    }

    /// Whether any shape is rotated or has parts.
    pub(crate) fn rotates(&self) -> bool {
        match &self.form {
            ColumnForm::Rows(rows) => rows.rotates(),
            ColumnForm::Turning(columns) => columns.len() > 0,
            ColumnForm::Copied(_) => false,
        }
    }

    /// Whether they are borrowed columns of rotated shapes, which are placed in a workspace.
    pub(crate) fn are_placed(&self) -> bool {
        matches!(&self.form, ColumnForm::Turning(_))
    }

    /// The rows of these columns, which are read in place or copied to the workspace. Rotated
    /// shapes are checked and placed there; other values are not checked here.
    ///
    /// # Errors
    /// [`Error::InvalidShape`].
    pub(crate) fn rows<'r>(
        self,
        isa: Isa,
        workspace: &'r mut ColumnWorkspace,
    ) -> Result<Rows<'r>, Error>
    where
        'a: 'r,
    {
        let rows = match self.form {
            ColumnForm::Rows(rows) => rows,
            ColumnForm::Turning(_) if !NARROWPHASE => unreachable!("no such columns can be made"),
            ColumnForm::Turning(columns) => {
                workspace.rotated.place(isa, &columns, 0..columns.len())?
            }
            ColumnForm::Copied(columns) => workspace.copied.copy(&columns, 0..columns.len()),
        };
        Ok(Rows { selection: self.selection, ..rows })
    }

    /// Checks that `range` exists and that all values of borrowed columns in it are valid, and
    /// returns the rows. Only the rows of `range` may be read.
    ///
    /// # Errors
    /// [`Error::NoSuchShape`], [`Error::InvalidShape`].
    pub(crate) fn checked_rows<'r>(
        &self,
        isa: Isa,
        range: Range<usize>,
        workspace: &'r mut ColumnWorkspace,
    ) -> Result<Rows<'r>, Error>
    where
        'a: 'r,
    {
        let len = self.len();
        if range.end > len && !range.is_empty() {
            return Err(Error::NoSuchShape { index: range.start.max(len), len });
        }
        match &self.form {
            ColumnForm::Rows(rows) if self.checked => Ok(*rows),
            ColumnForm::Rows(rows) => rows.check_range(isa, range).map(|()| *rows),
            ColumnForm::Turning(columns) => workspace.rotated.place(isa, columns, range),
            ColumnForm::Copied(columns) => {
                let rows = workspace.copied.copy(columns, range.clone());
                rows.check_range(isa, if self.checked { 0..0 } else { range }).map(|()| rows)
            }
        }
    }

    /// The rows of these columns, which must have been the last columns that were copied to the
    /// workspace.
    pub(crate) fn rows_again<'r>(self, workspace: &'r ColumnWorkspace) -> Rows<'r>
    where
        'a: 'r,
    {
        match self.form {
            ColumnForm::Rows(rows) => rows,
            ColumnForm::Turning(_) => workspace.rotated.rows(),
            ColumnForm::Copied(columns) => workspace.copied.rows(&columns),
        }
    }

    /// Checks the values of all rows, unless they are known to be valid.
    pub(crate) fn check_all(&self) -> Result<(), Error> {
        match &self.form {
            _ if self.checked => Ok(()),
            ColumnForm::Rows(rows) => rows.check_range(Isa::any(), 0..rows.len()),
            ColumnForm::Turning(columns) => columns.check_all(),
            ColumnForm::Copied(columns) => {
                (0..columns.len()).try_for_each(|row| columns.check_row(row))
            }
        }
    }

    /// Checks the values of one row.
    pub(crate) fn check_row(&self, row: usize) -> Result<(), Error> {
        match &self.form {
            ColumnForm::Rows(rows) => rows.check_row(row),
            ColumnForm::Turning(columns) => columns.check_row(row),
            ColumnForm::Copied(columns) => columns.check_row(row),
        }
    }

    /// Checks every value, and returns the columns with the knowledge that all values are valid.
    /// They are borrowed, so no value can change. Costs one pass over the columns. The rows of a
    /// [`Shapes`](crate::Shapes) store are valid already.
    ///
    /// A [`Narrowphase`](crate::Narrowphase) does not check such columns again, if their shapes are
    /// axis-aligned. It saves nothing in other calls: they read the values of all rows in any case,
    /// to place rotated shapes or to measure the extent of all shapes.
    ///
    /// # Errors
    /// [`Error::InvalidShape`] for the first row with a value outside the numeric contract: NaN,
    /// infinite, beyond 2^60, a negative radius or half extent, an inverted box, a rotation that is
    /// not a rotation.
    pub fn check(self) -> Result<Self, Error> {
        self.check_all()?;
        Ok(Self { checked: true, ..self })
    }
}

round_columns!(Columns of f32);

/// For each kind of columns a constructor of [`Columns`], and a record of its arguments. A column
/// has its name, the [`Field`] that an error names if its length is not that of the first column,
/// and a text.
macro_rules! kinds_of_columns {
    ($($(#[$about:meta])* $make:ident $record:ident {
        $first:ident $first_text:literal,
        $($name:ident $field:ident $text:literal,)*
    } of $columns:expr;)*) => {$(
        impl<'a> Columns<'a> {
            $(#[$about])*
            ///
            /// # Errors
            /// As [`points`](Columns::points).
            pub fn $make($first: &'a [f32], $($name: &'a [f32]),*) -> Result<Self, Error> {
                $(Field::$field.check_len($name.len(), $first.len())?;)*
                index_fits($first.len())?;
                Ok(Self::in_form(ColumnForm::from($columns)))
            }
        }

        #[doc = concat!("The arguments of [`Columns::", stringify!($make), "`] by name.")]
        #[derive(Debug, Clone, Copy, PartialEq, Default)]
        pub struct $record<'a> {
            #[doc = $first_text]
            pub $first: &'a [f32],
            $(#[doc = $text] pub $name: &'a [f32],)*
        }

        impl<'a> TryFrom<$record<'a>> for Columns<'a> {
            type Error = Error;

            /// Checks that the slices have one length.
            ///
            /// # Errors
            /// [`Error::UnequalColumns`]; [`Error::TooManyShapes`] beyond [`u32::MAX`] rows.
            fn try_from(columns: $record<'a>) -> Result<Self, Error> {
                Columns::$make(columns.$first, $(columns.$name),*)
            }
        }
    )*};
}

kinds_of_columns! {
    /// Axis-aligned rectangles by their sides.
    aabbs AabbColumns {
        min_x "The left sides.",
        min_y MinY "The lower sides.",
        max_x MaxX "The right sides.",
        max_y MaxY "The upper sides.",
    } of Layout::Boxes(BoxColumns { min_x, min_y, max_x, max_y });

    /// Axis-aligned rectangles by centre and half extents; each side is one rounded `f32` sum.
    centered CenteredColumns {
        x "Horizontal coordinates of the centres.",
        y Y "Vertical coordinates of the centres.",
        half_width HalfWidth "Halves of the widths.",
        half_height HalfHeight "Halves of the heights.",
    } of Layout::Centered(kernel::CenteredColumns { x, y, half_width, half_height });

    /// Rounded boxes: the sides of the core, and the radius around it.
    rounded_boxes RoundedBoxColumns {
        min_x "The left sides of the cores.",
        min_y MinY "The lower sides of the cores.",
        max_x MaxX "The right sides of the cores.",
        max_y MaxY "The upper sides of the cores.",
        radius Radius "The radii around the cores.",
    } of Layout::Rounded(RoundedColumns {
        core: BoxColumns { min_x, min_y, max_x, max_y },
        radius
    });
}

#[cfg(feature = "narrowphase")]
kinds_of_columns! {
    /// Rotated boxes: centre, half extents along the axes of the box, and the rotation as cosine
    /// and sine, as in [`Obb`](crate::shape::Obb).
    obbs ObbColumns {
        x "Horizontal coordinates of the centres.",
        y Y "Vertical coordinates of the centres.",
        half_width HalfWidth "Halves of the widths, along the axes of the boxes.",
        half_height HalfHeight "Halves of the heights, along the axes of the boxes.",
        cos Cos "Cosines of the rotations.",
        sin Sin "Sines of the rotations.",
    } of RotatedColumns::Obbs([x, y, half_width, half_height, cos, sin]);

    /// Capsules: the ends of the core segment, and the radius around it, as in
    /// [`Capsule`](crate::shape::Capsule). A capsule whose ends coincide is a circle.
    capsules CapsuleColumns {
        ax "Horizontal coordinates of the first ends.",
        ay Ay "Vertical coordinates of the first ends.",
        bx Bx "Horizontal coordinates of the second ends.",
        by By "Vertical coordinates of the second ends.",
        radius Radius "The radii around the segments.",
    } of RotatedColumns::Capsules([ax, ay, bx, by, radius]);

    /// Segments by their ends, as in [`Segment`](crate::shape::Segment). A segment whose ends
    /// coincide is a point.
    segments SegmentColumns {
        ax "Horizontal coordinates of the first ends.",
        ay Ay "Vertical coordinates of the first ends.",
        bx Bx "Horizontal coordinates of the second ends.",
        by By "Vertical coordinates of the second ends.",
    } of RotatedColumns::Segments([ax, ay, bx, by]);
}

/// Poses in columns: see
/// [`set_poses_from_columns`](crate::Shapes::set_poses_from_columns).
#[cfg(feature = "narrowphase")]
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct PoseColumns<'a> {
    /// Horizontal coordinates.
    pub x: &'a [f32],
    /// Vertical coordinates.
    pub y: &'a [f32],
    /// Cosines of the rotations.
    pub cos: &'a [f32],
    /// Sines of the rotations.
    pub sin: &'a [f32],
}
