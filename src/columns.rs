//! Results as columns: arrays of numbers, for code that is not Rust and for vector code.
//!
//! Each type is filled from a list of records and keeps its memory, except for [`ScanColumns`] and
//! the contacts of [`Narrowphase::row_contacts`](crate::Narrowphase::row_contacts), which calls
//! fill themselves. Other results are columns already: [`Lists`](crate::Lists) has offsets and
//! items, and lists of [`Pair`](crate::Pair), [`Contact`](crate::Contact), [`Hit`](crate::Hit) and
//! [`Neighbor`](crate::Neighbor) cast to bytes ([`bytemuck::Pod`]).

#[cfg(feature = "narrowphase")]
pub use crate::narrowphase::{ContactColumns, PointColumns};
#[cfg(feature = "queries")]
pub use crate::query::{HitColumns, NeighborColumns, ScanColumns};
