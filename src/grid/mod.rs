//! The broadphase: levels of cells, bodies sorted by cell, swept once.
//!
//! ```text
//! sample.rs      a few hundred bodies: how large, how crowded                (Sample)
//! levels.rs      which sizes share a level                                   (GridLevels)
//! cells.rs       the cells of one level, dense or helical                    (Cells)
//! cells/helix.rs  how a helical one is wound up
//! cells/short.rs the short way to places in a dense one                      (F32Levels)
//! cells/cover.rs which runs of cells may hold what touches a box             (Cover)
//! cells/reach.rs the short way to these, for a dense level                   (F32Cover)
//! plan.rs        extent and sample of the shapes → levels of cells           (Plan)
//! body_layout.rs    which columns a scene needs: circles, boxes, or all five    (BodyLayout)
//! record.rs      a body on its way to its sorted place                       (Record)
//! partition.rs   input columns → records, grouped by band of cells           (Partition)
//! sorted.rs      columns sorted by cell, and where cells start               (Sorted)
//! sorted/sort.rs each band → these, the second of two steps
//! sorted/direct.rs  small or nearly sorted input → these, in one step
//! sorted/places.rs  what both write to: records become columns, and ghosts
//! replan.rs   whether cells have come out too large: then once more       (Replan)
//! bounds.rs      the box around the bodies of each level                     (Bounds)
//! neighbor_lists.rs       static bodies around each place, listed together            (NeighborLists)
//! build.rs       all of these steps, in order                                (Grid)
//! sweep.rs       sorted columns → hits among bodies of a level               (Sweep)
//! scan.rs        sorted columns → hits of bodies in a level they are not of  (Scan)
//! lookup.rs       sorted columns → hits of bodies in neighbor_lists                    (Lookup)
//! windows.rs     runs of places, cut into vectors                            (Windows)
//! sink.rs        hits → pairs in a buffer, or their number                   (Sink)
//! ```
//!
//! A body lies in exactly one cell, by its centre, of exactly one level, by its size. Cells are
//! numbered row by row, bodies are sorted by cell, so the bodies of neighbouring cells of a row are
//! contiguous. No two touching bodies of a level that is swept are more than one cell apart (`plan.rs`
//! has the proof), so a body finds each partner of its level exactly once in two contiguous ranges:
//!
//! ```text
//!        x-1   x   x+1
//!   y+1   2    2    2      range 2: three cells of the next row
//!   y          1    1      range 1: the rest of its own cell, and the next cell
//! ```
//!
//! Partners of another level are found from one side, mostly from the coarser body: it scans the rows
//! of that level's cells that it covers, which are contiguous ranges again.

mod body_layout;
mod bounds;
mod build;
mod cells;
#[cfg(test)]
mod invariants;
mod levels;
mod lookup;
mod neighbor_lists;
mod partition;
mod plan;
mod record;
mod replan;
mod sample;
mod scan;
mod sink;
mod sorted;
mod sweep;
mod windows;

pub(crate) use body_layout::{
    BodyLayout, BoxLayout, CircleLayout, LayoutKind, NORMAL_RADIUS, RoundedLayout,
    with_body_layout, with_layout_kind,
};
pub(crate) use build::{BuildInput, Grid};
pub(crate) use cells::CoverSearch;
pub use levels::GridLevels;
pub(crate) use levels::MAX_LEVELS;
pub(crate) use lookup::Lookup;
pub(crate) use neighbor_lists::NeighborLists;
pub(crate) use partition::{Ids, Partition, RecordSource, grow};
pub use plan::CellSize;
pub(crate) use plan::Plan;
use plan::PlanInput;
use replan::Replan;
use sample::Sample;
pub(crate) use scan::Scan;
pub(crate) use sink::{ROOM, Sink};
pub(crate) use sorted::Sorted;
pub(crate) use sweep::Sweep;
