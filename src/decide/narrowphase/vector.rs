//! 2D vectors, one per lane.

use crate::simd::Simd;

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
