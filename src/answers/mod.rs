//! Answers: the calls, and the engines behind them.
//!
//! ```text
//! lists/      lists by row; islands
//! index/      shapes sorted once, by space; changes of single rows
//! query/      the queries of an index
//! columns/    records of columns: input by name, results
//! detect/     the engine of detections: pairs and contacts of whole sets
//! neighbors/  neighbour lists
//! periodic/   pairs, neighbours and the nearest shapes in a box that repeats
//! motion/     pairs of shapes that stop each other while they move
//! detector/   the public calls of detection
//! outline/    concave outlines as convex parts: a detector finds the sides that cross
//! tiles/      the plane in parts, for more shapes than memory holds
//! doubles/    shapes of f64: found in f32 relative to an origin, decided in f64
//! ```

pub mod columns;
pub(crate) mod detect;
pub(crate) mod detector;
#[cfg(feature = "queries")]
pub mod doubles;
pub(crate) mod index;
pub(crate) mod lists;
#[cfg(all(feature = "narrowphase", feature = "queries"))]
pub(crate) mod motion;
#[cfg(feature = "queries")]
pub(crate) mod neighbors;
#[cfg(feature = "outlines")]
pub(crate) mod outline;
#[cfg(feature = "queries")]
pub mod periodic;
#[cfg(feature = "queries")]
pub(crate) mod query;
pub mod tiles;
