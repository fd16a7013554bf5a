//! The test that decides every pair of axis-aligned shapes.

use super::columns::Items;
use crate::simd::Simd;

/// The touching policy, and the known properties of the radii. Kernels receive constants, so the
/// choice is made at compile time.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Rule {
    /// Whether touching without overlapping counts.
    pub(crate) inclusive: bool,
    /// Whether the sum of radii is known to be at least 2^-62.
    pub(crate) normal: bool,
}

/// Returns the lanes in which `a` and `b` touch. The result equals
/// [`reference::contract::overlap`](crate::reference::contract::overlap), bit for bit.
///
/// The Minkowski sum of two rounded boxes is a rounded box. So two of them touch exactly when the
/// gap between their cores, per axis and as a length, is within the sum of their radii:
///
/// ```text
/// gap    = max(b.min - a.max, a.min - b.max)       per axis, below 0 where the cores overlap
/// length² = max(gap_x, 0)² + max(gap_y, 0)²        r = a.radius + b.radius
///
/// inclusive   length² <= r²  and  max(gap_x, gap_y) <= r
/// exclusive   length² <  r²  or   max(gap_x, gap_y) < 0
/// ```
///
/// Steps that are omitted for speed, without changing a bit of the result:
///
/// 1. Neither shape has a size: `max(b - a, a - b)` is `|b - a|`, and clamping at 0 does nothing.
/// 2. Neither shape has a radius: `r` is 0, and both rules reduce to comparing gaps with 0. The
///    second condition of the inclusive rule exists for this case: a gap of 1e-30 squares to 0 and
///    would count as touching.
/// 3. `rule.normal` says that the sum of radii is at least 2^-62. Its square is then a normal
///    number, and so is the square of any larger gap. Rounding cannot make the two squares equal,
///    because neighbouring floats have distinct squares in this range. So the first condition of
///    the inclusive rule implies the second.
#[inline(always)]
pub(crate) fn overlap<S, A, B>(simd: S, a: A, b: B, rule: Rule) -> S::Mask
where
    S: Simd,
    A: Items<S>,
    B: Items<S>,
{
    let Rule { inclusive, normal } = rule;
    let sized = A::SIZED || B::SIZED;
    let gap_x = gap(simd, sized, [a.min_x(), a.max_x(), b.min_x(), b.max_x()]);
    let gap_y = gap(simd, sized, [a.min_y(), a.max_y(), b.min_y(), b.max_y()]);
    let zero = simd.splat(0.0);
    if !(A::ROUND || B::ROUND) {
        let widest = simd.max(gap_x, gap_y);
        return if inclusive { simd.le(widest, zero) } else { simd.lt(widest, zero) };
    }

    let radius = match (A::ROUND, B::ROUND) {
        (true, true) => simd.add(a.radius(simd), b.radius(simd)),
        (true, false) => a.radius(simd),
        _ => b.radius(simd),
    };
    let (dx, dy) =
        if sized { (simd.max(gap_x, zero), simd.max(gap_y, zero)) } else { (gap_x, gap_y) };
    let length2 = simd.add(simd.mul(dx, dx), simd.mul(dy, dy));
    let radius2 = simd.mul(radius, radius);
    match (inclusive, normal) {
        (true, true) => simd.le(length2, radius2),
        (true, false) => {
            let near = simd.le(simd.max(gap_x, gap_y), radius);
            simd.and(simd.le(length2, radius2), near)
        }
        (false, _) if sized => {
            let inside = simd.lt(simd.max(gap_x, gap_y), zero);
            simd.or(simd.lt(length2, radius2), inside)
        }
        (false, _) => simd.lt(length2, radius2),
    }
}

/// The gap between two intervals, below 0 where they overlap. A function and not a closure, because
/// a closure cannot be forced to inline.
#[inline(always)]
pub(super) fn gap<S: Simd>(
    simd: S,
    sized: bool,
    [a_min, a_max, b_min, b_max]: [S::F32; 4],
) -> S::F32 {
    if sized {
        simd.max(simd.sub(b_min, a_max), simd.sub(a_min, b_max))
    } else {
        simd.abs(simd.sub(b_min, a_max))
    }
}
