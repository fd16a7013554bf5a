//! `Detector`: the public calls of detection.
//!
//! ```text
//! detector.rs   the type: its options and its workspace                      (Detector)
//! pairs.rs      pairs: lists, numbers and callbacks
//! contacts.rs   contacts: lists and callbacks
//! neighbors.rs  neighbour lists
//!               pairs, neighbours and the nearest in a periodic box
//! motion.rs     swept pairs
//! index_rows.rs the shapes of an index as a set of shapes                    (IndexRows)
//! flow.rs       how a callback continues or stops a call                     (Flow)
//! ```

#[cfg(feature = "narrowphase")]
mod contacts;
#[allow(clippy::module_inception)]
mod detector;
mod flow;
#[cfg(feature = "narrowphase")]
mod index_rows;
#[cfg(all(feature = "narrowphase", feature = "queries"))]
mod motion;
#[cfg(feature = "queries")]
mod neighbors;
mod pairs;

pub use detector::Detector;
pub use flow::Flow;
