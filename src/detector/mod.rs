//! `Detector`: the public calls of detection.
//!
//! ```text
//! detector.rs   the type: its options and its workspace                      (Detector)
//! scope.rs      which shapes are paired                                      (Scope)
//! pairs.rs      pairs: lists, numbers and callbacks
//! contacts.rs   contacts: lists and callbacks
//! neighbors.rs  neighbour lists
//! periodic.rs   pairs, neighbours and the nearest in a periodic box
//! motion.rs     swept pairs
//! index_rows.rs the shapes of an index as a set of shapes                    (IndexRows)
//! run.rs        what all calls have in common
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
#[cfg(feature = "queries")]
mod periodic;
mod run;
mod scope;

pub use detector::Detector;
pub use flow::Flow;
pub use scope::Scope;
