//! Shapes whose coordinates are `f64`: pairs, decided for the values as they are given.
//!
//! Coordinates of maps, tables and arrays are `f64`. Rounded to `f32`, a coordinate of 4,500,000 is
//! off by up to a quarter, and pairs are lost and invented. The calls of this module give the
//! results of `f64` brute force ([`touches`]), wherever the shapes lie:
//!
//! ```text
//! columns.rs   borrowed columns of points, circles and boxes                  (DoubleColumns)
//!              whether two shapes touch, and how far apart they are           (DoubleBox)
//! origin.rs    f64 positions to f32 and back, for all other calls             (Origin)
//! records.rs   the shapes as they were given, each in one line of memory      (DoubleRecords)
//! frame.rs     f64 → f32 relative to an origin, grown by their own rounding   (DoubleFrame)
//! detector.rs  pairs, numbers and neighbours                                  (DoubleDetector)
//!              pairs, neighbours and the nearest in a periodic box
//!              pairs, one part of the plane after the other                   (DoubleTiles)
//! wrapped.rs   a periodic box, and shapes in it                               (DoublePeriodic)
//! index.rs     overlap and nearest shapes of an index                         (DoubleIndex)
//! ```
//!
//! An origin near the shapes is subtracted in `f64`. The differences are rounded to `f32`, and each
//! shape is grown by a little more than its rounding. So shapes that touch in `f64` touch in `f32`:
//! the kernels for `f32` find all their pairs, and few other pairs. They also tell which pairs
//! touch by more than the roundings; the other pairs are decided in `f64`. Contacts, rotated
//! shapes, rays and worlds are in `f32`, relative to an [`Origin`].
//!
//! Costs 1.0 to 1.6 times the calls for `f32`, 1.5 to 1.8 times for counts and the eight nearest,
//! and 1.3 to 2.1 times for the nearest (AVX-512, an AMD EPYC, 2026-11-28). Shapes that touch
//! exactly are all decided in `f64`: 1.5 to 6 times. The further shapes are from most other shapes,
//! the more they grow: by a 4-millionth of the distance. If many shapes are nearer to each other
//! than that, there are many candidates, which takes time, and no memory.

mod columns;
mod detector;
mod frame;
mod index;
mod origin;
mod records;
mod wrapped;

pub use columns::{DoubleBox, DoubleColumns, touches};
pub use detector::{DoubleDetector, DoubleScope, DoubleTiles};
pub use index::{DoubleIndex, DoubleNeighbor};
pub use origin::Origin;
pub use wrapped::{DoublePeriodic, DoublePeriodicNeighbor};
