//! The broadphase: a uniform grid, sorted by counting, swept once.
//!
//! ```text
//! plan.rs        extent of the shapes → size and number of cells            (Plan)
//! instance.rs    which columns a scene needs: circles, boxes, or all five   (Instance)
//! partition.rs   input columns → records, grouped by band of cells          (Partition)
//! sort.rs        each band → columns sorted by cell, and where cells start  (Sorted);
//!                small scenes straight from the input
//! sweep.rs       sorted columns → hits                                      (Sweep)
//! sink.rs        hits → pairs in a buffer, or a count                        (Sink)
//! ```
//!
//! A body lies in exactly one cell, by its centre. Cells are numbered row by row, bodies are
//! sorted by cell, so the bodies of neighbouring cells of a row are contiguous. No two touching
//! bodies are more than one cell apart (`plan.rs` has the proof), so a body finds each partner
//! exactly once in two contiguous ranges:
//!
//! ```text
//!        x-1   x   x+1
//!   y+1   2    2    2      range 2: three cells of the next row
//!   y          1    1      range 1: the rest of its own cell, and the next cell
//! ```

mod instance;
mod partition;
mod plan;
mod sink;
mod sort;
mod sweep;

pub(crate) use instance::{BoxInstance, CircleInstance, Instance, NORMAL_RADIUS, RoundedInstance};
pub(crate) use partition::{Ids, Partition, RecordSource};
pub use plan::CellSize;
pub(crate) use plan::Plan;
pub(crate) use sink::{Buffer, Count, ROOM, Sink};
pub(crate) use sort::Sorted;
pub(crate) use sweep::Sweep;
