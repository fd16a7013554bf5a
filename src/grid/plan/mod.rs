//! The first stage of the grid: which levels and cells a scene gets.
//!
//! ```text
//! sample.rs             some items → sizes and crowding of all items       (Sample)
//! levels.rs             sizes of items → which of them share a level        (GridLevels)
//!                       what the sorted items show, for a second plan       (Replan)
//! cells.rs              the cells of one level, dense or helical             (Cells)
//!                       a level of one cell, for few items                   (OneCell)
//!   cells/helix.rs        which helix a helical level gets
//!   cells/f32_cover.rs   points → cells of dense levels, in f32             (F32Levels)
//!   cells/cover.rs        a box → runs of cells that may hold its partners   (Cover)
//!   cells/f32_cover.rs    boxes → covers in dense levels, in f32             (F32Cover)
//!   cells/patches.rs      boxes → rows of cells around them                  (Patches)
//!   cells/bands.rs        a ray → runs of cells that it passes               (Bands)
//! grid_plan.rs          extent and sample of the shapes → levels of cells    (Plan)
//! bounds.rs             a box around the items of a level                   (Bounds)
//! ```
//!
//! The plan decides on levels and cells before any item moves. The next stage,
//! [`sort`](crate::grid::sort), moves the items. [`Replan`] reads the sorted items and returns to
//! this stage, at most twice.

mod bounds;
mod cells;
mod grid_plan;
mod levels;
pub(in crate::grid) mod sample;

pub(in crate::grid) use bounds::Bounds;
#[cfg(feature = "queries")]
pub(crate) use cells::RAYS;
#[cfg(feature = "queries")]
pub(super) use cells::{BANDS, BandsOfRay, Blocks, Lines, Patches};
pub(in crate::grid) use cells::{
    COVER_ROWS, Cells, Cover, Covers, F32Cover, few_ghosts, floor, reached, whole,
};
pub(crate) use cells::{CoverSearch, OneCell};
pub use grid_plan::CellSize;
pub(crate) use grid_plan::Plan;
pub(in crate::grid) use grid_plan::{BODIES_PER_CELL, CELL_BITS, Locate, PlanInput, least};
pub use levels::{GridLevels, LevelSizes};
pub(in crate::grid) use levels::{LEVEL_RATIO, Replan};
pub(in crate::grid) use sample::Sample;
