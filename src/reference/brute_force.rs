//! The all-pairs broadphase: tests every shape against every other.
//!
//! It has no grid, no order of its own and no state, so the only thing that can be wrong is the
//! decision itself. Every list of pairs from the engine is a reordering of this list. The time is
//! O(n²): about a second for 30 000 shapes in a release build.

use crate::base::Pair;
use crate::reference::contract::overlap;
use crate::shape::{AxisAligned, Touching};

/// All pairs of shapes that overlap by [`overlap`], sorted by `a`, then by `b`.
///
/// The indices are positions in `shapes`; there are no duplicates. For scenes of several kinds,
/// pass a slice of [`RoundedBox`](crate::shape::RoundedBox): every kind converts to a rounded box
/// by [`rounded_box`](AxisAligned::rounded_box).
///
/// O(n²) time, 8 bytes of memory a pair. Never panics. An index is a `u32`, so shapes from the
/// 2^32nd on are left out (to compare that many shapes would take centuries).
///
/// ```
/// use widephase::Pair;
/// use widephase::reference::brute_force;
/// use widephase::{Touching, shape::{Circle}};
///
/// let row = [0.0, 1.0, 2.0, 4.0].map(|x| Circle::new([x, 0.0], 0.5));
/// let touching = brute_force::pairs(&row, Touching::Inclusive);
/// assert_eq!(touching, [Pair { a: 0, b: 1 }, Pair { a: 1, b: 2 }]);
/// assert_eq!(brute_force::count(&row, Touching::Exclusive), 0);
/// ```
#[inline]
pub fn pairs<S: AxisAligned>(shapes: &[S], touching: Touching) -> Vec<Pair> {
    let mut pairs = Vec::new();
    let mut rest = (0..u32::MAX).zip(shapes);
    while let Some((a, &shape_a)) = rest.next() {
        for (b, &shape_b) in rest.clone() {
            if overlap(shape_a, shape_b, touching) {
                pairs.push(Pair { a, b });
            }
        }
    }
    pairs
}

/// Counts the pairs of shapes that overlap by [`overlap`]: the length of [`pairs`], without the
/// memory.
///
/// O(n²) time, no allocation; never panics.
#[inline]
pub fn count<S: AxisAligned>(shapes: &[S], touching: Touching) -> u64 {
    let mut count = 0;
    for (i, &a) in shapes.iter().enumerate() {
        for &b in &shapes[i + 1..] {
            count += u64::from(overlap(a, b, touching));
        }
    }
    count
}
