//! `widephase._widephase`: the calls of widephase for arrays of numpy. The package `widephase` in
//! `python/` wraps them: it turns whatever users have into arrays, and names the results.
//!
//! ```text
//! lib.rs        the module
//! column.rs     a column in memory of numpy → a slice            (Column)
//! shapes.rs     shapes that Python holds                          (Shapes)
//! held.rs       their columns during a call → Columns             (Held)
//! store.rs      shapes without columns, owned                     (Store, Shapes::concat)
//! ragged.rs     shapes of many vertices or parts                  (Shapes::outlines, ...)
//! options.rs    options by name                                   (RunOptions)
//! run.rs        a call without the GIL, on a thread if it is long (run)
//! parts.rs      the outlines of shapes, to be drawn
//! point.rs      queries of a single point                         (Index)
//! pools.rs      pools of threads, and what a fork leaves of them
//! arrays.rs     vectors → arrays, without a copy
//! memory.rs     lists that can fail, and a reserve for small blocks
//! errors.rs     errors → exceptions
//! detector.rs   pairs, counts, contacts, neighbours              (Detector)
//! against.rs    neighbours in an index                             (Detector)
//! sorted.rs     an index in f32, in f64, or both                  (SortedShapes)
//! index.rs      the queries with shapes                           (Index)
//! rays.rs       rays, scans, casts                                (Index)
//! rows.rs       rows of two sets: distances, common areas
//! tiles.rs      parts of the plane, for several processes
//! chunks.rs     answers one by one, on several threads; blocks of queries
//! world.rs      bodies with handles                               (World)
//! slide.rs      bodies that are moved by hand                     (World)
//! step.rs       what a step has found                             (Step)
//! groups.rs     started and stopped pairs, islands, levels        (PairDiff)
//! ```
//!
//! The memory of an array is read without the GIL. The array lives as long as the call, because the
//! call owns a reference to it. Nothing stops other threads from writing to the array meanwhile, as
//! in numpy itself. The result then means nothing, and a panic becomes an exception.

mod against;
mod arrays;
mod chunks;
mod column;
mod detector;
mod errors;
mod groups;
mod held;
mod index;
mod memory;
mod options;
mod parts;
mod point;
mod pools;
mod ragged;
mod rays;
mod rows;
mod run;
mod shapes;
mod slide;
mod sorted;
mod step;
mod store;
mod tiles;
mod world;

use pyo3::prelude::*;

/// The module that `widephase` imports.
#[pymodule(gil_used = true)]
mod _widephase {
    use pyo3::prelude::*;

    #[pymodule_export]
    use super::{
        detector::Detector,
        groups::{PairDiff, adjacency, islands, levels},
        index::Index,
        pools::{after_fork, set_threads},
        rows::{closest, distances, overlap_areas},
        shapes::Shapes,
        step::Step,
        tiles::{divided, reported},
        world::World,
    };

    #[pymodule_init]
    fn init(_module: &Bound<'_, PyModule>) -> PyResult<()> {
        super::pools::prepare();
        Ok(())
    }
}

/// Objects of Python are aligned to 16 bytes, whatever they hold.
const _: () = {
    assert!(align_of::<shapes::Shapes>() <= 16);
    assert!(align_of::<detector::Detector>() <= 16);
    assert!(align_of::<index::Index>() <= 16);
    assert!(align_of::<world::World>() <= 16);
    assert!(align_of::<step::Step>() <= 16);
    assert!(align_of::<groups::PairDiff>() <= 16);
};
