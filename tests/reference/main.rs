//! The reference: against numbers worked out by hand, other arithmetic, parry2d, and beside the
//! engine.

mod axis_aligned;
mod beside_engine;
mod rotated;
