//! The bounding boxes of shapes, and the sweep's test for them.

use super::lanes::{RADIUS, WordLanes};
use crate::{
    kernel::{BoxItems, ColumnSet, Items, RoundedItems, Rule, overlap},
    posed::{ShapeClass, around_line, around_turned},
    shape::{MAX_COORDINATE, RoundedBox},
    simd::{Kernel, MAX_LANES, Scalar, Simd, map_each},
    store::{Layout, with_columns},
};

/// Boxes with their radii, one per lane.
#[derive(Debug, Clone, Copy, Default)]
#[repr(C, align(64))]
pub(super) struct AabbLanes {
    pub(super) min_x: [f32; MAX_LANES],
    pub(super) min_y: [f32; MAX_LANES],
    pub(super) max_x: [f32; MAX_LANES],
    pub(super) max_y: [f32; MAX_LANES],
    pub(super) radius: [f32; MAX_LANES],
}

impl AabbLanes {
    /// Puts a box into a lane.
    #[inline(always)]
    pub(super) fn set(&mut self, lane: usize, rounded: RoundedBox) {
        let RoundedBox { min_x, min_y, max_x, max_y, radius } = rounded;
        self.min_x[lane] = min_x;
        self.min_y[lane] = min_y;
        self.max_x[lane] = max_x;
        self.max_y[lane] = max_y;
        self.radius[lane] = radius;
    }

    /// The rounded box around the first `count` boxes.
    pub(super) fn around(&self, count: usize) -> RoundedBox {
        let Self { min_x, min_y, max_x, max_y, radius } = self;
        let least = |column: &[f32]| column[..count].iter().copied().fold(f32::INFINITY, f32::min);
        let most = |column: &[f32]| column[..count].iter().copied().fold(-f32::INFINITY, f32::max);
        RoundedBox {
            min_x: least(min_x),
            min_y: least(min_y),
            max_x: most(max_x),
            max_y: most(max_y),
            radius: most(radius),
        }
    }

    /// The boxes from lane `at` on.
    #[inline(always)]
    pub(super) fn load<S: Simd>(&self, simd: S, at: usize) -> RoundedItems<S> {
        let core = BoxItems {
            min_x: simd.load(&self.min_x, at),
            min_y: simd.load(&self.min_y, at),
            max_x: simd.load(&self.max_x, at),
            max_y: simd.load(&self.max_y, at),
        };
        RoundedItems { core, radius: simd.load(&self.radius, at) }
    }

    /// The boxes from lane `at` on, with half of `margin` added to the radii.
    #[inline(always)]
    pub(super) fn widened<S: Simd>(&self, simd: S, at: usize, margin: f32) -> RoundedItems<S> {
        self.load(simd, at).widened(simd, simd.splat(margin * 0.5))
    }

    /// Stores boxes in the lanes from `at` on.
    #[inline(always)]
    pub(super) fn store<S: Simd>(&mut self, simd: S, boxes: RoundedItems<S>, at: usize) {
        let RoundedItems { core, radius } = boxes;
        simd.store(core.min_x, &mut self.min_x, at);
        simd.store(core.min_y, &mut self.min_y, at);
        simd.store(core.max_x, &mut self.max_x, at);
        simd.store(core.max_y, &mut self.max_y, at);
        simd.store(radius, &mut self.radius, at);
    }
}

/// Gathers the boxes of `rows` from columns. A separate function, because the loads from four
/// layouts are more code than most of its callers.
pub(super) struct GatherBoxes<'a> {
    pub(super) layout: Layout<'a>,
    pub(super) rows: &'a [u32; MAX_LANES],
    /// The number of lanes to fill, rounded up to whole vectors.
    pub(super) lanes: usize,
    pub(super) boxes: &'a mut AabbLanes,
}

impl Kernel for GatherBoxes<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let Self { layout, rows, lanes, boxes } = self;
        with_columns!(layout, set => {
            for at in (0..lanes).step_by(S::LANES) {
                boxes.store(simd, set.gather(simd, rows, at).rounded(simd), at);
            }
        });
    }
}

/// Computes the bounding boxes of the shapes in the lanes from `at` on. The result is meaningless
/// for polygons and compounds, whose boxes cannot be computed from the words.
#[inline(always)]
pub(super) fn around<S: Simd>(simd: S, shapes: &WordLanes, at: usize) -> RoundedItems<S> {
    let (corner, axis) = (shapes.words(simd, 0, at), shapes.words(simd, 2, at));
    // Polygons and compounds have subnormal numbers in these words, and some CPUs multiply them
    // very slowly.
    let (sized, zero) = (shapes.before(simd, ShapeClass::Polygon4, at), simd.splat(0.0));
    let half = shapes.words(simd, 4, at);
    let half = [simd.select(sized, half.x, zero), simd.select(sized, half.y, zero)];
    let radius = shapes.word(simd, RADIUS, at);
    let mut rotated = around_turned(simd, corner.array(), axis.array(), half, radius);
    let line = simd.and(sized, simd.not(shapes.before(simd, ShapeClass::Line, at)));
    if simd.bits(line) != 0 {
        let sides = around_line(simd, corner.array(), axis.array(), radius);
        for (side, value) in rotated.iter_mut().zip(sides) {
            *side = simd.select(line, value, *side);
        }
    }
    let [min_x, min_y, max_x, max_y] = rotated;
    let aligned = shapes.before(simd, ShapeClass::Rotated, at);
    let core = BoxItems {
        min_x: simd.select(aligned, corner.x, min_x),
        min_y: simd.select(aligned, corner.y, min_y),
        max_x: simd.select(aligned, axis.x, max_x),
        max_y: simd.select(aligned, axis.y, max_y),
    };
    RoundedItems { core, radius }
}

/// One box in every lane, with half of `margin` added to the radius. The radius is at most
/// [`MAX_COORDINATE`].
#[inline(always)]
pub(super) fn widened<S: Simd>(simd: S, rounded: RoundedBox, margin: f32) -> RoundedItems<S> {
    let RoundedBox { min_x, min_y, max_x, max_y, radius } = rounded;
    let core = BoxItems {
        min_x: simd.splat(min_x),
        min_y: simd.splat(min_y),
        max_x: simd.splat(max_x),
        max_y: simd.splat(max_y),
    };
    RoundedItems { core, radius: simd.splat((radius + margin * 0.5).min(MAX_COORDINATE)) }
}

/// The sweep's test.
#[inline(always)]
pub(super) fn touching<S: Simd>(
    simd: S,
    a: RoundedItems<S>,
    b: RoundedItems<S>,
    inclusive: bool,
) -> S::Mask {
    overlap(simd, a, b, Rule { inclusive, normal: false })
}

/// Whether two boxes touch.
pub(super) fn boxes_touch(boxes: [RoundedBox; 2], inclusive: bool) -> bool {
    let [a, b] = map_each(boxes, |bounds| widened(Scalar, bounds, 0.0));
    touching(Scalar, a, b, inclusive)
}

#[cfg(test)]
mod tests;
