//! The distances of pairs: of shapes in their own numbers, or of places on the globe.

use widephase::Pair;

use super::{earth::Globe, shapes::Exact};

/// The distances of pairs.
pub(super) enum Distances<'a> {
    Exact(&'a Exact<'a>),
    Degrees(&'a Globe, Option<&'a Globe>),
}

impl Distances<'_> {
    /// The distance of two shapes.
    pub(super) fn of(&self, pair: Pair) -> Option<f64> {
        match self {
            Self::Exact(exact) => exact.distance(pair),
            Self::Degrees(globe, others) => Some(globe.distance(*others, pair)),
        }
    }
}
