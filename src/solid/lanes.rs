//! Shapes of columns that turn, placed sixteen at a time.
//!
//! What is placed has to be what a store makes of the same shapes, bit for bit. So each lane does what
//! [`Entry`](super::Entry) does, without a branch: plain loops over sixteen shapes, which become vector code (a
//! rotation is brought to length 1 in `f64`). Where one of sixteen might be refused, or is no box,
//! none of them is placed here, and they are looked at one by one.

use super::{
    around::around_turned,
    placed::{Placed, Words},
    record::{Class, Record},
};
use crate::{
    shape::{Capsule, MAX_EXCESS, Obb, Rotation},
    simd::{MAX_LANES, Simd},
};

/// Sixteen values.
pub(crate) type Lanes = [f32; MAX_LANES];

/// Sixteen turned boxes with a radius around them, placed: [`Placed`] as columns.
pub(crate) struct TurnedLanes {
    words: [Lanes; 8],
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

impl TurnedLanes {
    /// Lanes of nothing yet.
    #[inline(always)]
    pub(super) fn new() -> Self {
        Self { words: [[f32::from_bits(Class::Turned.word()); MAX_LANES]; 8] }
    }

    /// Sets a lane.
    #[inline(always)]
    pub(super) fn set(&mut self, lane: usize, placed: &Record) {
        let Record { x, y, cos, sin, half_x, half_y, radius, .. } = *placed;
        for (word, value) in self.words.iter_mut().zip([x, y, cos, sin, half_x, half_y, radius]) {
            word[lane] = value;
        }
    }

    /// Turned boxes of these columns, in the order of the fields of [`Obb`]; `None` if one might be refused.
    #[inline(always)]
    pub(crate) fn of_obbs([xs, ys, widths, heights, cosines, sines]: &[Lanes; 6]) -> Option<Self> {
        let mut lanes = Self::new();
        let mut sure = true;
        for lane in 0..MAX_LANES {
            let (x, y) = (xs[lane], ys[lane]);
            let (half_width, half_height) = (widths[lane], heights[lane]);
            let obb = Obb { x, y, half_width, half_height, cos: cosines[lane], sin: sines[lane] };
            let Rotation { cos, sin } = obb.rotation().at_length_one();
            sure &= near(x) & near(y) & small(half_width) & small(half_height);
            sure &= obb.rotation().excess() <= MAX_EXCESS;
            let (local, pose) = Record::of_obb(Obb { cos, sin, ..obb });
            lanes.set(lane, &local.placed(pose));
        }
        sure.then_some(lanes)
    }

    /// Capsules of these columns, in the order of the fields of [`Capsule`]; `None` if one might be refused, or has no
    /// length.
    #[inline(always)]
    pub(crate) fn of_capsules([axs, ays, bxs, bys, radii]: &[Lanes; 5]) -> Option<Self> {
        let mut lanes = Self::new();
        let mut sure = true;
        for lane in 0..MAX_LANES {
            let (ax, ay, bx, by) = (axs[lane], ays[lane], bxs[lane], bys[lane]);
            let capsule = Capsule { ax, ay, bx, by, radius: radii[lane] };
            sure &= near(ax) & near(ay) & near(bx) & near(by) & small(capsule.radius);
            sure &= (ax != bx) | (ay != by);
            let (local, pose) = Record::of_capsule(capsule.core(), capsule.radius);
            lanes.set(lane, &local.placed(pose));
        }
        sure.then_some(lanes)
    }

    /// Writes the shapes themselves.
    #[inline(always)]
    pub(crate) fn write<S: Simd>(&self, simd: S, placed: &mut [Placed; MAX_LANES]) {
        const EIGHT: usize = 8;
        for (half, placed) in placed.as_chunks_mut::<EIGHT>().0.iter_mut().enumerate() {
            let words = self.words.each_ref().map(|word| &word.as_chunks::<EIGHT>().0[half]);
            let records: &mut [Words; EIGHT] = bytemuck::cast_mut(placed);
            simd.transpose(words.map(bytemuck::cast_ref), records);
        }
    }

    /// The boxes around the shapes in the lanes from `at` on: left, lower, right, upper, and the radius around that.
    #[inline(always)]
    pub(crate) fn around<S: Simd>(&self, simd: S, at: usize) -> [S::F32; 5] {
        let [x, y, cos, sin, half_x, half_y, radius, _] = &self.words;
        let radius = simd.load(radius, at);
        let [left, lower, right, upper] = around_turned(
            simd,
            [simd.load(x, at), simd.load(y, at)],
            [simd.load(cos, at), simd.load(sin, at)],
            [simd.load(half_x, at), simd.load(half_y, at)],
            radius,
        );
        [left, lower, right, upper, radius]
    }
}
