//! The command on several ranks, started by `mpirun`.
//!
//! ```text
//! launch.rs      starts ranks, and reads what they print
//! equal.rs       each step has the contacts of one process
//! checkpoints.rs a run goes on with the same results
//! faults.rs      what happens if a rank fails
//! ```

mod checkpoints;
mod equal;
mod faults;
mod launch;
