//! The decision of the narrowphase for single shapes of any kind: for one pair, or for every pair
//! of a list. A compound is not a single shape: [`whole`](super::whole) tests each of its parts.

use super::{
    each,
    exact::touch,
    placed_shape::{Class, PlacedShape},
};
use crate::{base::Pair, shape::Touching};

/// Whether two shapes touch: the boxes around them touch, and [`exact::touch`](super::exact::touch)
/// accepts them.
///
/// Two axis-aligned shapes are their own boxes, so [`contract::overlap`](super::contract::overlap)
/// alone decides. The order of `a` and `b` does not matter. Never panics.
///
/// ```
/// use widephase::reference::{placed_shape::PlacedShape, single::touches};
/// use widephase::{Touching, shape::{Circle, Obb, Pose, Rotation}};
///
/// // Rotated by a quarter turn, the box covers 8 to 12 along y. The circle covers 12 to 14.
/// let vertical = Pose::new([5.0, 10.0], Rotation { cos: 0.0, sin: 1.0 });
/// let flat = Obb::new([0.0, 0.0], [2.0, 1.0], Rotation::IDENTITY);
/// let a = PlacedShape::new(&flat, Some(vertical)).unwrap();
/// let b = PlacedShape::new(&Circle::new([5.0, 13.0], 1.0), None).unwrap();
/// assert!(touches(&a, &b, Touching::Inclusive));
/// assert!(!touches(&a, &b, Touching::Exclusive));
/// ```
#[inline]
pub fn touches(a: &PlacedShape, b: &PlacedShape, touching: Touching) -> bool {
    let axis_aligned = a.class <= Class::AlignedBox && b.class <= Class::AlignedBox;
    let inclusive = touching == Touching::Inclusive;
    a.boxes_touch(b, 0.0, touching) && (axis_aligned || touch(a, b, inclusive))
}

/// All pairs of shapes that touch, sorted by `a`, then by `b`.
///
/// O(n²) time. Never panics; shapes from the 2^32nd on are left out.
#[inline]
pub fn pairs(bodies: &[PlacedShape], touching: Touching) -> Vec<Pair> {
    let all = each(bodies).filter(|(_, a, b)| touches(a, b, touching));
    all.map(|(pair, ..)| pair).collect()
}
