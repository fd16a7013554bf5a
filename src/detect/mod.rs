//! Detection: columns of shapes in, lists of pairs or contacts out.
//!
//! ```text
//! detector.rs        the public calls                                            (Detector)
//! detection.rs       one detection: check → compact → inflate → grid → passes    (Scratch)
//! widen.rs           shapes inflated by a margin                                 (Widen)
//! numbers.rs         ids other than rows: sorted positions, complements          (Numbers)
//! schedule.rs        the searches of a pass, cut into tasks                      (Schedule)
//! collect.rs         runs the tasks of a pass, lists or counts the results       (Pass)
//! ordered_output.rs  several threads write one list in the order of the tasks    (Workers)
//! near.rs            pairs with their distances                                  (Near)
//! narrow.rs          candidate pairs → pairs that touch, or contacts             (Found)
//! neighbors.rs       neighbour lists: pairs within a distance → one list for each row
//! periodic.rs        pairs and neighbours in a periodic box: copies across the seam
//! swept.rs           pairs that touch during a step: boxes around pieces of paths
//! deciding.rs        filters and worlds of copies of shapes                      (Deciding)
//! worlds.rs          many worlds in one call: a detection for each               (WorldsRoom)
//! flow.rs            how a callback continues or stops a call                    (Flow)
//! ```

mod collect;
#[cfg(feature = "queries")]
mod deciding;
mod detection;
mod detector;
mod flow;
mod narrow;
mod near;
#[cfg(feature = "queries")]
mod neighbors;
mod numbers;
mod ordered_output;
#[cfg(feature = "queries")]
mod periodic;
mod schedule;
#[cfg(all(feature = "narrowphase", feature = "queries"))]
mod swept;
mod widen;
mod worlds;

pub use detector::Detector;
pub use flow::Flow;
