//! Events: the differences of lists of pairs, beside plain code.

mod pair_diff;
