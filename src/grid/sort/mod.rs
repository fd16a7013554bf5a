//! The second stage of the grid: items in the order of their cells.
//!
//! ```text
//! item_layout.rs      which columns a scene needs: circles, boxes, or all five  (ItemLayout)
//! record.rs           one item while it is sorted                               (Record)
//! partition.rs        input columns → records, grouped by band of cells         (Partition)
//! sorted.rs           columns in cell order, and where each cell begins         (Sorted)
//!   sorted/sort.rs      records of a band → sorted columns, the second of two steps
//!   sorted/direct.rs    few, small or nearly sorted input → sorted columns, in one step
//!   sorted/direct.rs    records → columns and ghosts, used by both kinds of sort
//!   sorted/holes.rs     places without an item, and items that come after the sort
//! measure.rs          sorted columns → the box around the items of each level
//! ```
//!
//! The [plan](crate::grid::plan) says which cell an item is in. This stage reads the columns of the
//! input once and writes the sorted columns. The index of an item in the sorted columns is called
//! its **place**. The next stage, [`search`](crate::grid::search), reads only the sorted columns.

mod item_layout;
mod measure;
mod partition;
mod record;
mod sorted;

pub(crate) use item_layout::{
    BoxLayout, CircleLayout, ItemLayout, LayoutKind, RoundedLayout, with_item_layout,
    with_layout_kind,
};
#[cfg(test)]
pub(in crate::grid) use measure::measure;
pub(in crate::grid) use measure::measure_runs;
pub(crate) use partition::{Ids, Partition, RecordSource};
pub(in crate::grid) use record::CacheLine;
pub(in crate::grid) use record::MAX_COLUMNS;
pub(crate) use sorted::{Arrangement, GONE, Sorted};
