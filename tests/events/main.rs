//! Events: the differences of lists of pairs, beside plain code.

#[path = "../common/rng.rs"]
mod rng;

mod pair_diff;
