//! The distances of pairs: of shapes in their own numbers, or of places on the globe.

use widephase::Pair;

use super::shapes::Exact;
use crate::earth::Places;

/// The distances of pairs.
pub(super) enum Distances<'a> {
    Exact(&'a Exact<'a>),
    Degrees(&'a Places, &'a Places),
}

impl Distances<'_> {
    /// The distance of two shapes.
    pub(super) fn of(&self, pair: Pair) -> Option<f64> {
        match self {
            Self::Exact(exact) => exact.distance(pair),
            Self::Degrees(places, others) => Some(places.distance(pair.a, others, pair.b)),
        }
    }
}
