//! Decisions: which shapes touch, where, and what stops a motion.
//!
//! ```text
//! options/      the options of all engines
//! narrowphase/  two shapes: whether they touch, their contacts and distances, what stops a motion
//! ```

#[cfg(feature = "narrowphase")]
pub mod narrowphase;
#[cfg(not(feature = "narrowphase"))]
pub(crate) mod narrowphase;
pub mod options;
