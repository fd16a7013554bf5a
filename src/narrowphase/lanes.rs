//! Placed shapes as columns, one a lane.

use super::vector::Vectors;
use crate::{
    Pair,
    posed::{Class, Placed},
    simd::{MAX_LANES, Simd, map_each},
};

/// Lanes that one transposition fills.
pub(super) const EIGHT: usize = 8;

/// The word of the radius.
pub(super) const RADIUS: usize = 6;

/// The word that tells the class.
pub(super) const CLASS: usize = 7;

/// The words of up to [`MAX_LANES`] shapes.
///
/// Aligned, so that no vector of sixteen lanes lies across two cache lines.
#[derive(Debug)]
#[repr(C, align(64))]
pub(super) struct WordLanes(pub(super) [[f32; MAX_LANES]; 8]);

impl Default for WordLanes {
    fn default() -> Self {
        Self([[0.0; MAX_LANES]; 8])
    }
}

impl WordLanes {
    /// Takes the first `count` of these shapes, or a few more.
    #[inline(always)]
    pub(super) fn load<S: Simd>(&mut self, simd: S, shapes: &[&Placed; MAX_LANES], count: usize) {
        for first in (0..count).step_by(EIGHT) {
            let mut eight = [const { &Placed::NONE }.words(); EIGHT];
            for (words, shape) in eight.iter_mut().zip(&shapes[first..first + EIGHT]) {
                *words = shape.words();
            }
            let [a, b, c, d, e, f, g, h] = self.0.each_mut().map(|word| eight_lanes(word, first));
            simd.transpose_four(map_each(eight, |words| &words.as_chunks().0[0]), [a, b, c, d]);
            simd.transpose_four(map_each(eight, |words| &words.as_chunks().0[1]), [e, f, g, h]);
        }
    }

    /// Word `number` of the shapes in the lanes from `at` on.
    #[inline(always)]
    pub(super) fn word<S: Simd>(&self, simd: S, number: usize, at: usize) -> S::F32 {
        simd.load(&self.0[number], at)
    }

    /// Two words in a row.
    #[inline(always)]
    pub(super) fn words<S: Simd>(&self, simd: S, number: usize, at: usize) -> Vectors<S> {
        Vectors { x: self.word(simd, number, at), y: self.word(simd, number + 1, at) }
    }

    /// Where the class comes before `class`.
    #[inline(always)]
    pub(super) fn before<S: Simd>(&self, simd: S, class: Class, at: usize) -> S::Mask {
        simd.lt(self.word(simd, CLASS, at), simd.splat(f32::from_bits(class.word())))
    }
}

/// The rows of at most [`MAX_LANES`] pairs, one a lane. Lanes beyond keep theirs.
#[inline(always)]
pub(super) fn set_rows(rows: &mut [[u32; MAX_LANES]; 2], pairs: &[Pair]) {
    let [first, second] = rows;
    // Most are so many, and by vectors then.
    if let Ok(pairs) = <&[Pair; MAX_LANES]>::try_from(pairs) {
        for lane in 0..MAX_LANES {
            (first[lane], second[lane]) = (pairs[lane].a, pairs[lane].b);
        }
        return;
    }
    for (lane, &Pair { a, b }) in pairs.iter().enumerate() {
        (first[lane], second[lane]) = (a, b);
    }
}

/// The lanes from `first` on, a multiple of eight, as words.
#[inline(always)]
pub(super) fn eight_lanes(lanes: &mut [f32; MAX_LANES], first: usize) -> &mut [u32; EIGHT] {
    bytemuck::cast_mut(&mut lanes.as_chunks_mut::<EIGHT>().0[first / EIGHT])
}
