//! The front door: columns in, pairs out.
//!
//! ```text
//! options.rs    what the caller can choose: level, touching, order, cells, limit, threads
//! detector.rs   check → compact → plan → partition → sort → sweep            (Detector)
//! compact.rs    stores with vacant rows, closed up
//! collect.rs    the sweep's results: one task or many, into one ordered list
//! ```

mod collect;
mod compact;
mod detector;
mod options;

pub use detector::Detector;
pub use options::{DEFAULT_MAX_PAIRS, Order, Threads};
