//! Rotated boxes, segments and capsules, placed sixteen at a time.
//!
//! A placed shape must be equal, bit for bit, to the shape that a store makes of the same values.
//! So each lane does the same operations as [`CheckedShape`](super::CheckedShape), without a
//! branch. The code is plain loops over sixteen shapes, which become vector code. A rotation is
//! normalised in `f64`. If one of the sixteen might be invalid, or is a capsule without a length,
//! none of the sixteen is placed here. The caller then handles them one by one.

use super::{
    placed::{Placed, Words, around_line, around_turned},
    record::{LocalShape, ShapeClass},
};
use crate::{
    shape::{MAX_EXCESS, Obb, Rotation, SAFE_COORDINATE, Segment},
    simd::{MAX_LANES, Simd, map_each},
};

/// Sixteen values.
pub(crate) type Lanes = [f32; MAX_LANES];

/// Sixteen placed rotated boxes, or sixteen placed segments and capsules: [`Placed`] as columns.
pub(crate) struct BoxLanes {
    words: [Lanes; 8],
    class: ShapeClass,
}

/// Whether a coordinate is certainly valid.
#[inline(always)]
fn near(value: f32) -> bool {
    value.abs() <= SAFE_COORDINATE
}

/// Whether a size is certainly valid.
#[inline(always)]
fn small(value: f32) -> bool {
    (0.0..=SAFE_COORDINATE).contains(&value)
}

impl BoxLanes {
    /// Lanes without shapes, of [`ShapeClass::Rotated`] or [`ShapeClass::Line`].
    #[inline(always)]
    pub(super) fn new(class: ShapeClass) -> Self {
        Self { words: [[f32::from_bits(class.word()); MAX_LANES]; 8], class }
    }

    /// Sets a lane to a rotated box.
    #[inline(always)]
    pub(super) fn set_box(&mut self, lane: usize, placed: &LocalShape) {
        let LocalShape { x, y, cos, sin, half_x, half_y, radius, .. } = *placed;
        self.set(lane, [x, y, cos, sin, half_x, half_y, radius]);
    }

    /// Sets a lane to a segment or capsule.
    #[inline(always)]
    pub(super) fn set_line(&mut self, lane: usize, placed: &LocalShape) {
        let LocalShape { x, y, cos, sin, half_x, half_y, radius, .. } = *placed;
        self.set(lane, [x, y, half_x, half_y, cos, sin, radius]);
    }

    #[inline(always)]
    fn set(&mut self, lane: usize, words: [f32; 7]) {
        for (word, value) in self.words.iter_mut().zip(words) {
            word[lane] = value;
        }
    }

    /// Places the rotated boxes of these columns, which are in the order of the fields of [`Obb`].
    /// `None` if one of them might be invalid.
    #[inline(always)]
    pub(crate) fn of_obbs([xs, ys, widths, heights, cosines, sines]: &[Lanes; 6]) -> Option<Self> {
        let mut lanes = Self::new(ShapeClass::Rotated);
        let mut sure = true;
        for lane in 0..MAX_LANES {
            let (x, y) = (xs[lane], ys[lane]);
            let (half_width, half_height) = (widths[lane], heights[lane]);
            let obb = Obb { x, y, half_width, half_height, cos: cosines[lane], sin: sines[lane] };
            let Rotation { cos, sin } = obb.rotation().at_length_one();
            sure &= near(x) & near(y) & small(half_width) & small(half_height);
            sure &= obb.rotation().excess() <= MAX_EXCESS;
            let (local, pose) = LocalShape::of_obb(Obb { cos, sin, ..obb });
            lanes.set_box(lane, &local.turned(pose));
        }
        sure.then_some(lanes)
    }

    /// Places the capsules of these columns, which are in the order of the fields of the record.
    /// `None` if one of them might be invalid or has no length.
    #[inline(always)]
    pub(crate) fn of_capsules([axs, ays, bxs, bys, radii]: &[Lanes; 5]) -> Option<Self> {
        let mut lanes = Self::new(ShapeClass::Line);
        let mut sure = true;
        for lane in 0..MAX_LANES {
            let (ax, ay, bx, by) = (axs[lane], ays[lane], bxs[lane], bys[lane]);
            let (core, radius) = (Segment { ax, ay, bx, by }, radii[lane]);
            sure &= near(ax) & near(ay) & near(bx) & near(by) & small(radius);
            sure &= (ax != bx) | (ay != by);
            let (local, pose) = LocalShape::of_capsule(core, radius);
            lanes.set_line(lane, &local.with_ends(core, pose.rotation()));
        }
        sure.then_some(lanes)
    }

    /// Writes the placed shapes as records.
    #[inline(always)]
    pub(crate) fn write<S: Simd>(&self, simd: S, placed: &mut [Placed; MAX_LANES]) {
        const HALF_LANES: usize = 8;
        for (half, placed) in placed.as_chunks_mut::<HALF_LANES>().0.iter_mut().enumerate() {
            let words =
                map_each(self.words.each_ref(), |word| &word.as_chunks::<HALF_LANES>().0[half]);
            let records: &mut [Words; HALF_LANES] = bytemuck::cast_mut(placed);
            simd.transpose(map_each(words, bytemuck::cast_ref), records);
        }
    }

    /// The bounding boxes of the shapes in the lanes from `at` on: left, lower, right, upper side,
    /// and the radius.
    #[inline(always)]
    pub(crate) fn around<S: Simd>(&self, simd: S, at: usize) -> [S::F32; 5] {
        // No closure: vector code is not inlined into closures.
        let [a, b, c, d, e, f, radius, _] = &self.words;
        let radius = simd.load(radius, at);
        let (first, second) =
            ([simd.load(a, at), simd.load(b, at)], [simd.load(c, at), simd.load(d, at)]);
        let [left, lower, right, upper] = if self.class == ShapeClass::Line {
            around_line(simd, first, second, radius)
        } else {
            around_turned(simd, first, second, [simd.load(e, at), simd.load(f, at)], radius)
        };
        [left, lower, right, upper, radius]
    }
}
