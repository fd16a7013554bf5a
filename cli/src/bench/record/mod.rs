//! What a run has measured, and how files have it.
//!
//! ```text
//! run.rs       the samples of each configuration
//! about.rs     the machine and the command
//! flat.rs      a row as CSV and JSON have it
//! baseline.rs  reads a saved run, and decides what moved beyond noise
//! peers.rs     reads the times of other libraries
//! ```

mod about;
pub(super) mod baseline;
mod flat;
pub(super) mod peers;
mod run;

pub(super) use about::About;
pub(super) use flat::{COLUMNS, Flat};
pub(super) use run::{FORMAT, Row, Run};
