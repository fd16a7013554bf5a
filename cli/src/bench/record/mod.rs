//! The measurements of a run, and their form in files.
//!
//! ```text
//! run.rs       the samples of each configuration
//! about.rs     the machine and the command
//! flat.rs      a row as CSV and JSON have it
//! ranks.rs     how probable it is that samples differ by chance
//! baseline.rs  reads a saved run, and decides what moved beyond noise
//! peers.rs     reads the times of other libraries
//! ```

mod about;
pub(super) mod baseline;
mod flat;
#[cfg(feature = "report")]
pub(super) mod peers;
mod ranks;
mod run;

pub(super) use about::About;
pub(super) use flat::{COLUMNS, Flat};
pub(super) use run::{FORMAT, Row, Run};
