//! Rotated boxes, segments and capsules, placed sixteen at a time.
//!
//! What is placed has to be what a store makes of the same shapes, bit for bit. So each lane does what
//! [`Entry`](super::Entry) does, without a branch: plain loops over sixteen shapes, which become vector code (a
//! rotation is brought to length 1 in `f64`). Where one of sixteen might be refused, or is no box,
//! none of them is placed here, and they are looked at one by one.

use super::{
    around::{around_line, around_turned},
    placed::{Placed, Words},
    record::{Class, LocalShape},
};
use crate::{
    shape::{Capsule, MAX_EXCESS, Obb, Rotation},
    simd::{MAX_LANES, Simd, map_each},
};

/// Sixteen values.
pub(crate) type Lanes = [f32; MAX_LANES];

/// Sixteen rotated boxes, or sixteen segments and capsules, placed: [`Placed`] as columns.
pub(crate) struct BoxLanes {
    words: [Lanes; 8],
    class: Class,
}

/// Coordinates and sizes within this are admitted, however they come together: a quarter of the limit.
const SURELY_ADMITTED: f32 = (1_u64 << 58) as f32;

/// Whether a coordinate is surely admitted.
#[inline(always)]
fn near(value: f32) -> bool {
    value.abs() <= SURELY_ADMITTED
}

/// Whether a size is.
#[inline(always)]
fn small(value: f32) -> bool {
    (0.0..=SURELY_ADMITTED).contains(&value)
}

impl BoxLanes {
    /// Lanes of nothing yet, of [`Class::Turned`] or [`Class::Line`].
    #[inline(always)]
    pub(super) fn new(class: Class) -> Self {
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

    /// Turned boxes of these columns, in the order of the fields of [`Obb`]; `None` if one might be refused.
    #[inline(always)]
    pub(crate) fn of_obbs([xs, ys, widths, heights, cosines, sines]: &[Lanes; 6]) -> Option<Self> {
        let mut lanes = Self::new(Class::Turned);
        let mut sure = true;
        for lane in 0..MAX_LANES {
            let (x, y) = (xs[lane], ys[lane]);
            let (half_width, half_height) = (widths[lane], heights[lane]);
            let obb = Obb { x, y, half_width, half_height, cos: cosines[lane], sin: sines[lane] };
            let Rotation { cos, sin } = obb.rotation().at_length_one();
            sure &= near(x) & near(y) & small(half_width) & small(half_height);
            sure &= obb.rotation().excess() <= MAX_EXCESS;
            let (local, pose) = LocalShape::of_obb(Obb { cos, sin, ..obb });
            lanes.set_box(lane, &local.placed(pose));
        }
        sure.then_some(lanes)
    }

    /// Capsules of these columns, in the order of the fields of [`Capsule`]; `None` if one might be refused, or has no
    /// length.
    #[inline(always)]
    pub(crate) fn of_capsules([axs, ays, bxs, bys, radii]: &[Lanes; 5]) -> Option<Self> {
        let mut lanes = Self::new(Class::Line);
        let mut sure = true;
        for lane in 0..MAX_LANES {
            let (ax, ay, bx, by) = (axs[lane], ays[lane], bxs[lane], bys[lane]);
            let capsule = Capsule { ax, ay, bx, by, radius: radii[lane] };
            sure &= near(ax) & near(ay) & near(bx) & near(by) & small(capsule.radius);
            sure &= (ax != bx) | (ay != by);
            let (local, pose) = LocalShape::of_capsule(capsule.core(), capsule.radius);
            lanes.set_line(lane, &local.with_ends(capsule.core(), pose.rotation()));
        }
        sure.then_some(lanes)
    }

    /// Writes the shapes themselves.
    #[inline(always)]
    pub(crate) fn write<S: Simd>(&self, simd: S, placed: &mut [Placed; MAX_LANES]) {
        const EIGHT: usize = 8;
        for (half, placed) in placed.as_chunks_mut::<EIGHT>().0.iter_mut().enumerate() {
            let words = map_each(self.words.each_ref(), |word| &word.as_chunks::<EIGHT>().0[half]);
            let records: &mut [Words; EIGHT] = bytemuck::cast_mut(placed);
            simd.transpose(map_each(words, bytemuck::cast_ref), records);
        }
    }

    /// The boxes around the shapes in the lanes from `at` on: left, lower, right, upper, and the radius around that.
    #[inline(always)]
    pub(crate) fn around<S: Simd>(&self, simd: S, at: usize) -> [S::F32; 5] {
        // No closure: vector code is inlined into none.
        let [a, b, c, d, e, f, radius, _] = &self.words;
        let radius = simd.load(radius, at);
        let (first, second) =
            ([simd.load(a, at), simd.load(b, at)], [simd.load(c, at), simd.load(d, at)]);
        let [left, lower, right, upper] = if self.class == Class::Line {
            around_line(simd, first, second, radius)
        } else {
            around_turned(simd, first, second, [simd.load(e, at), simd.load(f, at)], radius)
        };
        [left, lower, right, upper, radius]
    }
}
