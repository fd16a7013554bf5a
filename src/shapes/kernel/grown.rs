//! Shapes that were grown by their roundings: which of them surely touch as they were before.

use super::{
    columns::Items,
    overlap::{Rule, gap, overlap},
};
use crate::simd::Simd;

/// A share of all coordinates: more than two shapes have grown by, and their roundings.
const GROWN_SHARE: f32 = 1.0 / (1 << 21) as f32;

/// Above what shapes grow by wherever they are.
const GROWN_LENGTH: f32 = 1.0 / (1_u64 << 56) as f32;

/// A share of squared radii by which circles are open.
const OPEN_SQUARE_SHARE: f32 = 1.0 / (1 << 11) as f32;

/// Whether shapes surely touch, under either policy, at the size before they were grown. In plain
/// words:
///
/// ```text
/// spare  = a share of all coordinates
/// length = the length of the gap between the cores
/// length <= the radii less a share of them, less spare;  or  both gaps < -spare
/// ```
///
/// docs/numerics.md, "Doubles", has the margins.
#[inline(always)]
pub(crate) fn surely_touch<S, A, B>(simd: S, a: A, b: B) -> S::Mask
where
    S: Simd,
    A: Items<S>,
    B: Items<S>,
{
    /// A share of radii that is above what these have grown by for the roundings of decisions.
    const GROWN_DECISION: f32 = 1.0 / (1 << 17) as f32;
    /// Shapes whose coordinates add up to more may have been cut off.
    const MAX_SURE_SUM: f32 = (1_u64 << 56) as f32;
    let sized = A::SIZED || B::SIZED;
    let gap_x = gap(simd, sized, [a.min_x(), a.max_x(), b.min_x(), b.max_x()]);
    let gap_y = gap(simd, sized, [a.min_y(), a.max_y(), b.min_y(), b.max_y()]);
    let far = simd.add(
        simd.add(far(simd, [a.min_x(), a.max_x()]), far(simd, [a.min_y(), a.max_y()])),
        simd.add(far(simd, [b.min_x(), b.max_x()]), far(simd, [b.min_y(), b.max_y()])),
    );
    let (zero, known) = (simd.splat(0.0), simd.lt(far, simd.splat(MAX_SURE_SUM)));
    let spare = simd.add(simd.mul(far, simd.splat(GROWN_SHARE)), simd.splat(GROWN_LENGTH));
    let inside = simd.lt(simd.add(simd.max(gap_x, gap_y), spare), zero);
    if !(A::ROUND || B::ROUND) {
        return simd.and(inside, known);
    }
    let (x, y) = (simd.max(gap_x, zero), simd.max(gap_y, zero));
    let radius = simd.add(a.radius(simd), b.radius(simd));
    let least = simd.sub(simd.mul(radius, simd.splat(1.0 - GROWN_DECISION)), spare);
    let length2 = simd.add(simd.mul(x, x), simd.mul(y, y));
    let near = simd.and(simd.le(length2, simd.mul(least, least)), simd.lt(zero, least));
    simd.and(if sized { simd.or(near, inside) } else { near }, known)
}

/// The largest coordinate in magnitude along an axis.
#[inline(always)]
fn far<S: Simd>(simd: S, [min, max]: [S::F32; 2]) -> S::F32 {
    simd.max(simd.neg(min), max)
}

/// A value of grown shapes that [`touch`] needs, computed once for all shapes that they are tested
/// against. Used for circles only.
#[inline(always)]
pub(crate) fn room<S: Simd, A: Items<S>>(simd: S, a: A) -> S::F32 {
    let far = simd.add(simd.abs(a.min_x()), simd.abs(a.min_y()));
    let spare =
        simd.add(simd.mul(far, simd.splat(3.0 * GROWN_SHARE)), simd.splat(2.0 * GROWN_LENGTH));
    simd.mul(simd.mul(spare, spare), simd.splat(1.0 / OPEN_SQUARE_SHARE))
}

/// The lanes in which shapes touch. With a room, lanes that may not [surely touch](surely_touch)
/// are added to `open`. For circles, that takes few operations, and a few more lanes are open. In
/// plain words:
///
/// ```text
/// open:  length² + room >= r² less a share of it
/// ```
#[inline(always)]
pub(crate) fn touch<S, A, B>(
    simd: S,
    (a, room): (A, Option<S::F32>),
    b: B,
    rule: Rule,
    open: &mut S::Mask,
) -> u32
where
    S: Simd,
    A: Items<S>,
    B: Items<S>,
{
    let hits = overlap(simd, a, b, rule);
    let Some(room) = room else { return simd.bits(hits) };
    let sure = if A::SIZED || B::SIZED {
        surely_touch(simd, a, b)
    } else {
        // Above this square, shapes may have been cut off.
        const MAX_SURE_SQUARE: f32 = (1_u128 << 78) as f32;
        let (x, y) = (simd.sub(b.min_x(), a.min_x()), simd.sub(b.min_y(), a.min_y()));
        let length2 = simd.add(simd.mul(x, x), simd.mul(y, y));
        let radius = simd.add(a.radius(simd), b.radius(simd));
        let least2 =
            simd.mul(simd.mul(radius, radius), simd.splat(1.0 - 1.125 * OPEN_SQUARE_SHARE));
        simd.lt(simd.add(length2, room), simd.min(least2, simd.splat(MAX_SURE_SQUARE)))
    };
    *open = simd.or(*open, simd.and(hits, simd.not(sure)));
    simd.bits(hits)
}

/// Asks about hits that are not sure, by lane, and returns the accepted and the sure hits.
#[inline(always)]
pub(crate) fn ask(mut hits: u32, sure: u32, accepts: impl Fn(usize) -> bool) -> u32 {
    let mut open = hits & !sure;
    while open != 0 {
        let lowest = open & open.wrapping_neg();
        if !accepts(lowest.trailing_zeros() as usize) {
            hits &= !lowest;
        }
        open &= !lowest;
    }
    hits
}
