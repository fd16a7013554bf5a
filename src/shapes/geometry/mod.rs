//! Plane geometry in `f64`: exact decisions, distances and paths.
//!
//! ```text
//! vector.rs        points and vectors                                         (Vector)
//! border.rs        the line of a half-plane                                   (Border)
//! ends.rs          the ends of bounding boxes
//! exact.rs         corners of convex cores, and whether cores touch, exactly  (Core)
//! smallest_box.rs  the smallest boxes around shapes, for callers
//! solid.rs         a convex shape: corners and a radius                       (Solid)
//! separation.rs    two solids → distance, Minkowski difference                (Separation)
//! segment_lanes.rs a point and segments → distances, many at a time           (SegmentDistances)
//! enter.rs         path and solid → where it enters                           (Path)
//! ```

mod border;
#[cfg(feature = "queries")]
mod ends;
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

pub(crate) use border::Border;
pub(crate) use exact::{Core, ExactShape, Vertices, cores_touch, left_of};
pub(crate) use smallest_box::{smallest_around, smallest_box};
pub(crate) use vector::Vector;

#[cfg(all(feature = "narrowphase", feature = "queries"))]
pub(crate) use separation::touching_point_of_discs;
#[cfg(feature = "queries")]
pub(crate) use {
    ends::ends,
    enter::{Path, RayEntry},
    segment_lanes::SegmentDistances,
    separation::{
        Separation, box_distance, difference, distance, nearest_on, normal_at_origin, separation,
        touching_point,
    },
    solid::{Corners, Solid, sides},
};
