//! The broadphase grid: levels of cells, items sorted by cell, one sweep per level.
//!
//! A grid is built and searched in three stages. Each stage has a folder:
//!
//! ```text
//! plan/        which levels and cells: sample → levels → cells → plan  (Sample, Cells, Plan)
//! sort/        items in cell order: records → bands → sorted columns  (Partition, Sorted)
//! search/      touching pairs: sweep, scan, lookup → hits → pairs      (Sweep, Scan, Lookup)
//!
//! box_tree.rs  boxes around runs of sorted items, and around these      (BoxTree)
//! node_kinds.rs  the kinds of filters below each node of a tree         (NodeKinds)
//! replan.rs    sorted items → whether a second plan is worth it       (Replan::of)
//! sides.rs     sorted items → the boxes around them
//! density.rs   how many items are expected within a distance          (Density)
//! candidates/  static items around each cell, listed together         (CellLists)
//! build.rs     the stages plan and sort, and candidate lists, in order (Grid)
//!              the cells of a grid as callers see them                 (GridCell)
//! edit.rs      items that are removed, or come after the sort
//! view.rs      the items of a grid that a search sees                    (GridView)
//! ```
//!
//! The module doc of each stage lists its files. [`Grid`] runs the first two stages. A detection
//! runs the third stage, divided into work items.
//!
//! An item is in exactly one level, chosen by its size, and in exactly one cell of that level,
//! chosen by its centre. Cells are numbered row by row and items are sorted by cell, so the items
//! of neighbouring cells of a row are contiguous. Touching items of a level that is swept are at
//! most one cell apart (`plan/grid_plan.rs` has the proof), so an item finds each partner of its
//! level exactly once in two contiguous ranges:
//!
//! ```text
//!        x-1   x   x+1
//!   y+1   2    2    2      range 2: three cells of the next row
//!   y          1    1      range 1: the rest of its own cell, and the next cell
//! ```
//!
//! Pairs of items of different levels are found from one of the two levels, mostly from the coarser
//! level. Each of its items scans the cells of the other level that it covers. Each row of these
//! cells is a contiguous range, too.
//!
//! Why pairs are not searched by another structure:
//!
//! - *A tree of boxes.* Shapes that move are sorted anew at each step, and a rebuild of a tree
//!   costs several times a counting sort. Its leaves do not give whole vectors. Nearest queries,
//!   which go by distance, have a tree over the sorted items (`box_tree.rs`).
//! - *Sweep and prune along an axis.* Of 100,000 items in a square, each overlaps hundreds of other
//!   items along an axis.
//! - *An item in every cell that it overlaps.* Pairs would be found several times, and would have
//!   to be made unique.

#[cfg(feature = "queries")]
mod box_tree;
mod build;
mod candidates;
#[cfg(feature = "queries")]
mod density;
mod edit;
#[cfg(test)]
pub(crate) mod invariants;
#[cfg(feature = "queries")]
mod node_kinds;
mod plan;
mod replan;
mod search;
mod sides;
mod sort;
mod view;

pub use build::GridCell;
pub(crate) use build::{BuildInput, Grid};
pub use plan::{CellSize, GridLevels, LevelSizes};
pub(crate) use plan::{CoverSearch, OneCell};
pub(crate) use search::{AllPairs, BLOCK_PAIRS, Lookup, PairSink, Scan, Slab, Slabs, Sweep};
pub(crate) use sort::{
    Arrangement, BoxLayout, CircleLayout, GONE, Ids, LayoutKind, Partition, RoundedLayout,
    with_layout_kind,
};
pub(crate) use view::GridView;
#[cfg(feature = "queries")]
pub(crate) use {
    plan::RAYS,
    search::{
        ATTEMPTS, Around, Asked, ByDistance, CAST, CastRays, CellRays, CenterLists, EachVector,
        Frontier, GrownRegions, LeftOpen, MAX_KEPT, MAX_NEAREST, MetKinds, NearestAround,
        NearestItem, NearestItems, NearestRoom, OPEN, RAISED, RayWalk, Region, RegionBoxes,
        RegionCells, RegionHits, Regions, SCRATCH_WORDS, SearchedLists, WalkedRay, Wanted,
        distance_bounds,
    },
};
