//! The third stage of the grid: pairs of touching items.
//!
//! ```text
//! all_pairs.rs       few items → hits of each with each                         (AllPairs)
//! sweep.rs           sorted columns → hits among the items of a level           (Sweep)
//! scan.rs            covers → hits between items and a level other than theirs  (Scan)
//! lookup.rs          candidate lists → hits between items and a level            (Lookup)
//! center_lists.rs    sorted columns → for each item, all items that it touches       (CenterLists)
//! region.rs          one rounded box → items that touch it                      (Region)
//!                    one place → vectors of items near it                       (Around)
//! regions.rs         rounded boxes → for each, the items that touch it          (Regions)
//! nearest_items.rs   rounded boxes → for each, the nearest items                (NearestItems)
//!   nearest_items/group.rs  how far an attempt reaches
//!   nearest_items/group.rs    boxes → runs of places near them
//!   nearest_items/kept.rs     items within reach → their distances and their order
//!   nearest_items/single.rs   one rounded box → the nearest item               (NearestItem)
//!                             one rounded box → the nearest items           (NearestAround)
//! by_distance.rs     one rounded box → items by growing distance                (ByDistance)
//! cell_rays.rs       rays → for each, which of few items it may hit first      (CellRays)
//! ray_walk.rs        one ray → items that it may touch                          (RayWalk)
//! slabs.rs           stripes that hold long items, for scans                      (Slabs)
//! windows.rs         runs of places → vectors to test                            (Windows)
//! sink.rs            hits → pairs in a buffer, or their number                   (Sink)
//! ```
//!
//! Each search reads the columns that the stage [`sort`](crate::grid::sort) has written.
//! [`AllPairs`], [`Sweep`], [`Scan`] and [`Lookup`] are the four searches. All four use the blocks
//! of hits in `sink.rs`.

mod all_pairs;
#[cfg(feature = "queries")]
mod by_distance;
#[cfg(feature = "queries")]
mod cell_rays;
#[cfg(feature = "queries")]
mod center_lists;
mod lookup;
#[cfg(feature = "queries")]
mod nearest_items;
#[cfg(feature = "queries")]
mod ray_walk;
#[cfg(feature = "queries")]
mod region;
#[cfg(feature = "queries")]
mod regions;
mod scan;
mod sink;
mod slabs;
mod sweep;
mod windows;

pub(crate) use all_pairs::AllPairs;
#[cfg(feature = "queries")]
pub(crate) use by_distance::{ByDistance, Frontier, MetKinds};
#[cfg(feature = "queries")]
pub(crate) use cell_rays::{CAST, CastRays, CellRays};
#[cfg(feature = "queries")]
pub(crate) use center_lists::{CenterLists, SearchedLists};
pub(crate) use lookup::Lookup;
#[cfg(feature = "queries")]
pub(crate) use nearest_items::{
    ATTEMPTS, Asked, LeftOpen, MAX_KEPT, MAX_NEAREST, NearestAround, NearestItem, NearestItems,
    NearestRoom, OPEN, SCRATCH_WORDS, distance_bounds,
};
#[cfg(feature = "queries")]
pub(crate) use ray_walk::{RAISED, RayWalk, WalkedRay};
#[cfg(feature = "queries")]
pub(crate) use region::{Around, EachVector, Region};
#[cfg(feature = "queries")]
pub(crate) use regions::{GrownRegions, RegionBoxes, RegionCells, RegionHits, Regions, Wanted};
pub(crate) use scan::Scan;
pub(crate) use sink::{BLOCK_PAIRS, PairSink};
pub(crate) use slabs::{Slab, Slabs};
pub(crate) use sweep::Sweep;
