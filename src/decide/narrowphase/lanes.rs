//! Placed shapes as columns, one shape per lane; and 2D vectors, one per lane.

use crate::{
    base::Pair,
    posed::{Placed, ShapeClass},
    simd::{HALF_LANES, MAX_LANES, Simd, map_each},
};

/// The index of the word with the radius.
pub(super) const RADIUS: usize = 6;

/// The index of the word with the class.
pub(super) const CLASS: usize = 7;

/// The words of up to [`MAX_LANES`] shapes.
///
/// The alignment keeps a vector of sixteen lanes within one cache line.
#[derive(Debug)]
#[repr(C, align(64))]
pub(super) struct WordLanes(pub(super) [[f32; MAX_LANES]; 8]);

impl Default for WordLanes {
    fn default() -> Self {
        Self([[0.0; MAX_LANES]; 8])
    }
}

impl WordLanes {
    /// Loads the first `count` of these shapes, rounded up to a multiple of [`HALF_LANES`].
    #[inline(always)]
    pub(super) fn load<S: Simd>(&mut self, simd: S, shapes: &[&Placed; MAX_LANES], count: usize) {
        for first in (0..count).step_by(HALF_LANES) {
            let mut eight = [const { &Placed::NONE }.words(); HALF_LANES];
            for (words, shape) in eight.iter_mut().zip(&shapes[first..first + HALF_LANES]) {
                *words = shape.words();
            }
            for (half, columns) in self.0.as_chunks_mut::<4>().0.iter_mut().enumerate() {
                let [a, b, c, d] = columns;
                let columns = [
                    eight_lanes(a, first),
                    eight_lanes(b, first),
                    eight_lanes(c, first),
                    eight_lanes(d, first),
                ];
                let rows = map_each(eight, |words| &words.as_chunks().0[half]);
                simd.transpose_four(rows, columns);
            }
        }
    }

    /// Word `number` of the shapes in the lanes from `at` on.
    #[inline(always)]
    pub(super) fn word<S: Simd>(&self, simd: S, number: usize, at: usize) -> S::F32 {
        simd.load(&self.0[number], at)
    }

    /// The words `number` and `number + 1` as vectors.
    #[inline(always)]
    pub(super) fn words<S: Simd>(&self, simd: S, number: usize, at: usize) -> Vectors<S> {
        Vectors { x: self.word(simd, number, at), y: self.word(simd, number + 1, at) }
    }

    /// The lanes in which the class of the shape comes before `class`.
    #[inline(always)]
    pub(super) fn before<S: Simd>(&self, simd: S, class: ShapeClass, at: usize) -> S::Mask {
        simd.lt(self.word(simd, CLASS, at), simd.splat(f32::from_bits(class.word())))
    }
}

/// Writes the rows of at most [`MAX_LANES`] pairs to the lanes. Lanes beyond them keep their rows.
#[inline(always)]
pub(super) fn set_rows(rows: &mut [[u32; MAX_LANES]; 2], pairs: &[Pair]) {
    let [first, second] = rows;
    // Most calls have sixteen pairs, and take vector code here.
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

/// The eight lanes from `first` on, as words. `first` must be a multiple of eight.
#[inline(always)]
pub(super) fn eight_lanes(lanes: &mut [f32; MAX_LANES], first: usize) -> &mut [u32; HALF_LANES] {
    bytemuck::cast_mut(&mut lanes.as_chunks_mut::<HALF_LANES>().0[first / HALF_LANES])
}

/// `LANES` vectors.
#[derive(Clone, Copy)]
pub(super) struct Vectors<S: Simd> {
    pub(super) x: S::F32,
    pub(super) y: S::F32,
}

impl<S: Simd> Vectors<S> {
    #[inline(always)]
    pub(super) fn array(self) -> [S::F32; 2] {
        [self.x, self.y]
    }

    /// The dot product `x·x' + y·y'`, in this order of operations.
    #[inline(always)]
    pub(super) fn dot(self, simd: S, other: Self) -> S::F32 {
        simd.add(simd.mul(self.x, other.x), simd.mul(self.y, other.y))
    }

    /// `|x| + |y|`: at least the length, and at most √2 times it.
    #[inline(always)]
    pub(super) fn extent(self, simd: S) -> S::F32 {
        simd.add(simd.abs(self.x), simd.abs(self.y))
    }

    #[inline(always)]
    pub(super) fn plus(self, simd: S, other: Self) -> Self {
        Self { x: simd.add(self.x, other.x), y: simd.add(self.y, other.y) }
    }

    #[inline(always)]
    pub(super) fn minus(self, simd: S, other: Self) -> Self {
        Self { x: simd.sub(self.x, other.x), y: simd.sub(self.y, other.y) }
    }

    #[inline(always)]
    pub(super) fn times(self, simd: S, factor: S::F32) -> Self {
        Self { x: simd.mul(self.x, factor), y: simd.mul(self.y, factor) }
    }

    #[inline(always)]
    pub(super) fn neg(self, simd: S) -> Self {
        Self { x: simd.neg(self.x), y: simd.neg(self.y) }
    }

    /// The vector rotated by 90 degrees counter-clockwise.
    #[inline(always)]
    pub(super) fn left(self, simd: S) -> Self {
        Self { x: simd.neg(self.y), y: self.x }
    }

    /// The vector rotated by 90 degrees clockwise.
    #[inline(always)]
    pub(super) fn right(self, simd: S) -> Self {
        Self { x: self.y, y: simd.neg(self.x) }
    }

    /// The vector rotated by the unit complex number `rotation`.
    #[inline(always)]
    pub(super) fn rotated(self, simd: S, rotation: Self) -> Self {
        let Self { x: cos, y: sin } = rotation;
        Self {
            x: simd.sub(simd.mul(cos, self.x), simd.mul(sin, self.y)),
            y: simd.add(simd.mul(sin, self.x), simd.mul(cos, self.y)),
        }
    }

    /// The vector rotated by the inverse of the unit complex number `rotation`.
    #[inline(always)]
    pub(super) fn turned_back(self, simd: S, rotation: Self) -> Self {
        let Self { x: cos, y: sin } = rotation;
        Self {
            x: simd.add(simd.mul(cos, self.x), simd.mul(sin, self.y)),
            y: simd.sub(simd.mul(cos, self.y), simd.mul(sin, self.x)),
        }
    }

    #[inline(always)]
    pub(super) fn select(simd: S, mask: S::Mask, yes: Self, no: Self) -> Self {
        Self { x: simd.select(mask, yes.x, no.x), y: simd.select(mask, yes.y, no.y) }
    }
}
