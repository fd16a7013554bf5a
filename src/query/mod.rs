//! Queries of an index: what is here, what is near, what a ray or a moved shape hits.

mod lists;

pub use lists::Lists;
