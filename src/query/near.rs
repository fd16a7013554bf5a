//! Pairs with their distances.

use crate::Pair;

/// Two shapes near each other.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct Near {
    pub(crate) pair: Pair,
    pub(crate) distance: f32,
}
