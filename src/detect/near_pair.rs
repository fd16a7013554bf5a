//! Pairs with their distances.

use crate::{Error, Pair, base::HasPair, error::limit::Listed};

/// Two shapes near each other.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct NearPair {
    pub(crate) pair: Pair,
    pub(crate) distance: f32,
}

impl Listed for NearPair {
    fn too_many(limit: usize, found: u64) -> Error {
        Error::TooManyPairs { limit: limit as u64, found }
    }
}

impl HasPair for NearPair {
    fn pair(&self) -> Pair {
        self.pair
    }
}
