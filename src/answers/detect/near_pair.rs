//! Pairs with their distances.

use crate::base::Pair;

/// Two shapes near each other.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct NearPair {
    pub(crate) pair: Pair,
    pub(crate) distance: f32,
}

impl NearPair {
    /// The pair, then a second `Pair` of the bits of the distance and 0. A detection lists the two
    /// behind each other, and needs not be compiled for one more kind of results.
    pub(super) fn words(self) -> [Pair; 2] {
        [self.pair, Pair { a: self.distance.to_bits(), b: 0 }]
    }

    /// The inverse of [`words`](Self::words).
    #[cfg(feature = "queries")]
    pub(super) fn of(&[pair, Pair { a, .. }]: &[Pair; 2]) -> Self {
        Self { pair, distance: f32::from_bits(a) }
    }
}
