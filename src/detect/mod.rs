//! The front door: columns in, pairs out.
//!
//! ```text
//! detector.rs   what is asked for                                             (Detector)
//! detection.rs  check → close up → grid → sweep and scan
//! compact.rs    stores with vacant rows, closed up
//! widen.rs      shapes with a margin around them
//! index.rs    shapes that stay where they are: a grid that is kept         (Index)
//! rows.rs       shapes that only columns hold, for the narrowphase
//! numbers.rs    what a sweep calls places
//! schedule.rs     what has to be swept and scanned, cut into tasks
//! collect.rs    what is found: one task or many, into one list
//! ordered_output.rs   how threads write that list in the order of the tasks
//! narrow.rs     what is made of it: pairs, or contacts
//! flow.rs       how a callback says whether it wants more                       (Flow)
//! ```

mod collect;
mod compact;
mod detection;
mod detector;
mod flow;
mod index;
mod narrow;
mod numbers;
mod ordered_output;
mod rows;
mod schedule;
mod widen;

pub use detector::Detector;
pub use flow::Flow;
pub use index::Index;
