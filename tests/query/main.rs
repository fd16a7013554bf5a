//! The queries of an index, beside brute force, on every SIMD level.

#[path = "../common/mod.rs"]
#[allow(dead_code, unused_imports)]
mod common;

mod scan;
mod walk;
