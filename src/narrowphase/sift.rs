//! Which pairs of a broadphase of the caller's have boxes that touch: the test of the sweep, for pairs of
//! rows anywhere.

use super::{boxes::touching, view::View};
use crate::{
    Pair,
    kernel::{bodies::Bodies, columns::ColumnSet},
    simd::{Kernel, MAX_LANES, Simd},
    solid::Placed,
    store::with_columns,
};

/// Brings those of `pairs` whose boxes are at most the margin apart to the front of `near`, in their order,
/// and returns how many there are.
pub(super) struct Sift<'a> {
    pub(super) view: View<'a>,
    /// What is read next of the shapes of pairs that are kept, by their rows; or nothing.
    pub(super) placed: &'a [Placed],
    pub(super) pairs: &'a [Pair],
    /// As many as `pairs`.
    pub(super) near: &'a mut [Pair],
    pub(super) inclusive: bool,
    pub(super) margin: f32,
}

impl Kernel for Sift<'_> {
    type Output = usize;

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> usize {
        // What boxes are read from is asked once and not for each.
        with_columns!(self.view.layout(), set => self.by(simd, set))
    }
}

impl Sift<'_> {
    #[inline(always)]
    fn by<S: Simd, C: ColumnSet>(self, simd: S, set: C) -> usize {
        let Self { placed, pairs, near, inclusive, margin, .. } = self;
        let half_margin = simd.splat(margin * 0.5);
        let mut rows = [[0; MAX_LANES]; 2];
        let mut kept = 0;
        for pairs in pairs.chunks(MAX_LANES) {
            for (lane, &Pair { a, b }) in pairs.iter().enumerate() {
                (rows[0][lane], rows[1][lane]) = (a, b);
                // Nothing waits for these here, and all who read them next would.
                if let (Some(a), Some(b)) = (placed.get(a as usize), placed.get(b as usize)) {
                    simd.prefetch(a);
                    simd.prefetch(b);
                }
            }
            // Lanes beyond keep rows of the pairs before, or 0, of which there is one, too.
            let mut bits = 0;
            for at in (0..pairs.len()).step_by(S::LANES) {
                let a = set.gather(simd, &rows[0], at).rounded(simd).widened(simd, half_margin);
                let b = set.gather(simd, &rows[1], at).rounded(simd).widened(simd, half_margin);
                bits |= simd.bits(touching(simd, a, b, inclusive)) << at;
            }
            for (lane, &pair) in pairs.iter().enumerate() {
                // Written in any case: whether it is kept could not be guessed.
                near[kept] = pair;
                kept += (bits >> lane & 1) as usize;
            }
        }
        kept
    }
}
