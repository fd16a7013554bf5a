//! Plane geometry in `f64`: exact decisions, distances and paths.
//!
//! ```text
//! vector.rs        points and vectors                                         (Vector)
//!                  the line of a half-plane                                   (Border)
//! exact.rs         corners of convex cores, and whether cores touch, exactly  (Core)
//! smallest_box.rs  the smallest boxes around shapes, for callers
//! solid.rs         a convex shape: corners and a radius                       (Solid)
//!                  the ends of bounding boxes
//! separation.rs    two solids → distance, Minkowski difference                (Separation)
//! segment_lanes.rs a point and segments → distances, many at a time           (SegmentDistances)
//! enter.rs         path and solid → where it enters                           (Path)
//! ```

#[cfg(feature = "queries")]
mod enter;
mod exact;
#[cfg(feature = "queries")]
mod segment_lanes;
#[cfg(feature = "queries")]
mod separation;
mod smallest_box;
#[cfg(feature = "queries")]
mod solid;
mod vector;

pub(crate) use exact::{Core, ExactShape, Vertices, cores_touch, left_of};
pub(crate) use smallest_box::{smallest_around, smallest_box};
pub(crate) use vector::{Border, Vector};

#[cfg(feature = "queries")]
pub(crate) use enter::{Path, RayEntry};
#[cfg(feature = "queries")]
pub(crate) use segment_lanes::SegmentDistances;
#[cfg(all(feature = "narrowphase", feature = "queries"))]
pub(crate) use separation::touching_point_of_discs;
#[cfg(feature = "queries")]
pub(crate) use separation::{
    Separation, box_distance, difference, distance, nearest_on, normal_at_origin, separation,
    touching_point,
};
#[cfg(feature = "queries")]
pub(crate) use solid::{Corners, Solid, ends, sides};
