//! The largest counts, which errors name.

/// The most levels.
pub(crate) const MAX_LEVELS: usize = 16;

/// The levels that searches of many boxes handle at once. Grids rarely have more.
#[cfg(feature = "queries")]
pub(crate) const FEW_LEVELS: usize = 4;

/// The maximum number of vertices of a polygon: 32,768, so that vertex numbers fit 15 bits.
///
/// Only a part of an outline may have this many vertices: the
/// [tolerance](crate::shape::ConvexPolygon#tolerance) of other polygons permits at most about 9,200
/// corners.
///
/// ```
/// assert_eq!(widephase::shape::MAX_VERTICES, 32_768);
/// ```
pub const MAX_VERTICES: usize = 1 << 15;
