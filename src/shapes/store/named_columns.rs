//! Columns by the names of their fields, from which [`Columns`] are made.

use super::Columns;
use crate::error::Error;

/// A record of columns for each constructor of [`Columns`] with four slices or more.
macro_rules! named_columns {
    ($($(#[$about:meta])* $name:ident by $make:ident { $($field:ident: $what:literal),* })*) => {$(
        $(#[$about])*
        #[derive(Debug, Clone, Copy, PartialEq, Default)]
        pub struct $name<'a> {
            $(#[doc = $what] pub $field: &'a [f32],)*
        }

        impl<'a> TryFrom<$name<'a>> for Columns<'a> {
            type Error = Error;

            /// Checks that the slices have one length.
            ///
            /// # Errors
            /// [`Error::UnequalColumns`]; [`Error::TooManyShapes`] beyond [`u32::MAX`] rows.
            fn try_from(columns: $name<'a>) -> Result<Self, Error> {
                let $name { $($field),* } = columns;
                Columns::$make($($field),*)
            }
        }
    )*};
}

named_columns! {
    /// The arguments of [`Columns::aabbs`] by name.
    AabbColumns by aabbs {
        min_x: "The left sides.",
        min_y: "The lower sides.",
        max_x: "The right sides.",
        max_y: "The upper sides."
    }
    /// The arguments of [`Columns::centered`] by name.
    CenteredColumns by centered {
        x: "Horizontal coordinates of the centres.",
        y: "Vertical coordinates of the centres.",
        half_width: "Halves of the widths.",
        half_height: "Halves of the heights."
    }
    /// The arguments of [`Columns::rounded_boxes`] by name.
    RoundedBoxColumns by rounded_boxes {
        min_x: "The left sides of the cores.",
        min_y: "The lower sides of the cores.",
        max_x: "The right sides of the cores.",
        max_y: "The upper sides of the cores.",
        radius: "The radii around the cores."
    }
}

#[cfg(feature = "narrowphase")]
named_columns! {
    /// The arguments of [`Columns::obbs`] by name.
    ///
    /// ```
    /// use widephase::{Columns, Detector, columns::ObbColumns};
    ///
    /// let boxes = ObbColumns {
    ///     x: &[0.0, 1.0],
    ///     y: &[0.0, 1.0],
    ///     half_width: &[2.0, 0.5],
    ///     half_height: &[0.5, 2.0],
    ///     cos: &[1.0, 0.6],
    ///     sin: &[0.0, 0.8],
    /// };
    /// assert_eq!(Detector::new().count(Columns::try_from(boxes)?)?, 1);
    /// # Ok::<(), widephase::Error>(())
    /// ```
    ObbColumns by obbs {
        x: "Horizontal coordinates of the centres.",
        y: "Vertical coordinates of the centres.",
        half_width: "Halves of the widths, along the axes of the boxes.",
        half_height: "Halves of the heights, along the axes of the boxes.",
        cos: "Cosines of the rotations.",
        sin: "Sines of the rotations."
    }
    /// The arguments of [`Columns::capsules`] by name.
    CapsuleColumns by capsules {
        ax: "Horizontal coordinates of the first ends.",
        ay: "Vertical coordinates of the first ends.",
        bx: "Horizontal coordinates of the second ends.",
        by: "Vertical coordinates of the second ends.",
        radius: "The radii around the segments."
    }
    /// The arguments of [`Columns::segments`] by name.
    SegmentColumns by segments {
        ax: "Horizontal coordinates of the first ends.",
        ay: "Vertical coordinates of the first ends.",
        bx: "Horizontal coordinates of the second ends.",
        by: "Vertical coordinates of the second ends."
    }
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
