//! Records of columns: input with a name for each slice, and results as arrays of numbers.
//!
//! **Input.** [`Columns::try_from`](crate::Columns) takes [`AabbColumns`], [`CenteredColumns`],
//! [`RoundedBoxColumns`], [`ObbColumns`], [`CapsuleColumns`] and [`SegmentColumns`]. They are the
//! arguments of the constructors of [`Columns`](crate::Columns) with names, so that no two slices
//! can be swapped unseen. They cost nothing:
//!
//! ```
//! use widephase::{Columns, Detector, columns::AabbColumns};
//!
//! let (min_x, max_x) = (&[0.0, 1.0], &[2.0, 3.0]);
//! let boxes = AabbColumns { min_x, min_y: &[0.0; 2], max_x, max_y: &[1.0; 2] };
//! assert_eq!(Detector::new().count(Columns::try_from(boxes)?)?, 1);
//! # Ok::<(), widephase::Error>(())
//! ```
//!
//! [`OneOrEach`] is one value for all rows, or a column: [`Radii`] for the radii of circles,
//! [`PerQuery`] for the spaces and rows of queries. [`PoseColumns`] are the poses of the rows of
//! [`Shapes`](crate::Shapes).
//!
//! **Results**, for code that is not Rust and for vector code. [`HitColumns`], [`NeighborColumns`]
//! and [`ContactColumns`] are filled from lists of records and keep their memory. A
//! [scan](crate::Queries::scan) fills [`ScanColumns`], and
//! [`Narrowphase::row_contacts`](crate::Narrowphase::row_contacts) fills [`ContactColumns`]. Other
//! results are columns already: [`Lists`](crate::Lists) has offsets and items. Lists of
//! [`Pair`](crate::Pair), [`Contact`](crate::Contact), [`Hit`](crate::Hit) and
//! [`Neighbor`](crate::Neighbor) cast to bytes (`bytemuck::Pod`).

#[cfg(feature = "narrowphase")]
pub use crate::narrowphase::contact::{ContactColumns, PointColumns};
#[cfg(feature = "queries")]
pub use crate::query::{HitColumns, NeighborColumns, PerQuery, ScanColumns};
pub use crate::store::{AabbColumns, CenteredColumns, OneOrEach, Radii, RoundedBoxColumns};
#[cfg(feature = "narrowphase")]
pub use crate::store::{CapsuleColumns, ObbColumns, PoseColumns, SegmentColumns};
