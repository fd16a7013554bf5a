//! Detections: the right pairs, in one order, of any shapes in any world; and refused input.
//!
//! One program, as for the narrowphase.

mod borders;
mod callbacks;
mod detector;
mod grid_cells;
mod limits;
mod parry;
mod scene_threads;
mod static_sets;
mod store_limits;
mod timings;
mod too_many;
mod worlds;
