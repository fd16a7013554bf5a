//! Pairs with their distances.

use super::{separation::distance, solid::Solid};
use crate::{Pair, shape::RoundedBox};

/// Two shapes near each other.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct Near {
    pub(crate) pair: Pair,
    pub(crate) distance: f32,
}

/// The distance between the surfaces of two axis-aligned shapes; 0 if they touch.
#[inline]
pub(crate) fn box_distance(a: RoundedBox, b: RoundedBox) -> f32 {
    Solid::with_box(&a, |a| Solid::with_box(&b, |b| distance(&a, &b))) as f32
}
