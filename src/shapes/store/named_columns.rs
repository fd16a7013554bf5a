//! The kinds of columns: their constructors, and records of columns by name.

use super::{Columns, Layout, RotatedColumns, check::index_fits, columns::ColumnForm};
use crate::{
    error::{Error, Field},
    kernel::{self, BoxColumns, RoundedColumns},
};

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
