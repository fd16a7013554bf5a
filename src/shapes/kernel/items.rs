//! `LANES` shapes in registers.

use crate::{shape::MAX_COORDINATE, simd::Simd};

/// `LANES` shapes of one kind, treated as rounded boxes.
///
/// At compile time, the constants let [`overlap`](super::overlap::overlap) omit the steps that a
/// kind does not need. They do not change a bit of the result.
pub(crate) trait Items<S: Simd>: Copy {
    /// Whether cores may have a size. If not, min and max are the same values.
    const SIZED: bool;
    /// Whether radii may be above zero.
    const ROUND: bool;

    /// The cores.
    fn core(self) -> BoxItems<S>;
    /// The radii. They are zeros where the kind is not [`ROUND`](Items::ROUND).
    fn radius(self, simd: S) -> S::F32;

    /// The same shapes in the general form.
    #[inline(always)]
    fn rounded(self, simd: S) -> RoundedItems<S> {
        RoundedItems { core: self.core(), radius: self.radius(simd) }
    }

    #[inline(always)]
    fn min_x(self) -> S::F32 {
        self.core().min_x
    }

    #[inline(always)]
    fn min_y(self) -> S::F32 {
        self.core().min_y
    }

    #[inline(always)]
    fn max_x(self) -> S::F32 {
        self.core().max_x
    }

    #[inline(always)]
    fn max_y(self) -> S::F32 {
        self.core().max_y
    }
}

/// Circles: cores of zero size.
#[derive(Clone, Copy)]
pub(crate) struct CircleItems<S: Simd> {
    pub(crate) x: S::F32,
    pub(crate) y: S::F32,
    pub(crate) radius: S::F32,
}

/// Boxes: no radius. Points are boxes of zero size.
#[derive(Clone, Copy)]
pub(crate) struct BoxItems<S: Simd> {
    pub(crate) min_x: S::F32,
    pub(crate) min_y: S::F32,
    pub(crate) max_x: S::F32,
    pub(crate) max_y: S::F32,
}

/// The general case: boxes with a radius around them.
#[derive(Clone, Copy)]
pub(crate) struct RoundedItems<S: Simd> {
    pub(crate) core: BoxItems<S>,
    pub(crate) radius: S::F32,
}

impl<S: Simd> RoundedItems<S> {
    /// Returns the lanes of `yes` where `mask` is set and the lanes of `no` elsewhere.
    #[inline(always)]
    pub(crate) fn select(simd: S, mask: S::Mask, yes: Self, no: Self) -> Self {
        let core = BoxItems {
            min_x: simd.select(mask, yes.core.min_x, no.core.min_x),
            min_y: simd.select(mask, yes.core.min_y, no.core.min_y),
            max_x: simd.select(mask, yes.core.max_x, no.core.max_x),
            max_y: simd.select(mask, yes.core.max_y, no.core.max_y),
        };
        Self { core, radius: simd.select(mask, yes.radius, no.radius) }
    }

    /// Adds `by` to the radii. The result is at most [`MAX_COORDINATE`].
    #[inline(always)]
    pub(crate) fn widened(self, simd: S, by: S::F32) -> Self {
        let wide = simd.add(self.radius, by);
        Self { radius: simd.min(wide, simd.splat(MAX_COORDINATE)), ..self }
    }
}

impl<S: Simd> Items<S> for CircleItems<S> {
    const SIZED: bool = false;
    const ROUND: bool = true;

    #[inline(always)]
    fn core(self) -> BoxItems<S> {
        BoxItems { min_x: self.x, min_y: self.y, max_x: self.x, max_y: self.y }
    }

    #[inline(always)]
    fn radius(self, _: S) -> S::F32 {
        self.radius
    }
}

impl<S: Simd> Items<S> for BoxItems<S> {
    const SIZED: bool = true;
    const ROUND: bool = false;

    #[inline(always)]
    fn core(self) -> BoxItems<S> {
        self
    }

    #[inline(always)]
    fn radius(self, simd: S) -> S::F32 {
        simd.splat(0.0)
    }
}

impl<S: Simd> Items<S> for RoundedItems<S> {
    const SIZED: bool = true;
    const ROUND: bool = true;

    #[inline(always)]
    fn core(self) -> BoxItems<S> {
        self.core
    }

    #[inline(always)]
    fn radius(self, _: S) -> S::F32 {
        self.radius
    }
}
