//! Slabs: the stripes that hold long or unbounded items, in another direction than their boxes.

use std::ops::Range;

use crate::{
    base::F32_SLACK,
    kernel::{BoxItems, RoundedItems},
    simd::{MAX_LANES, Simd, map_each},
};

/// A stripe of the plane: all points whose dot product with `normal` is within `heights`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Slab {
    /// A unit vector, up to roundings.
    pub(crate) normal: [f32; 2],
    pub(crate) heights: [f32; 2],
}

impl Slab {
    /// The whole plane.
    const ALL: Self = Self { normal: [0.0; 2], heights: [f32::NEG_INFINITY, f32::INFINITY] };

    /// The height between both borders.
    pub(crate) fn width(&self) -> f32 {
        self.heights[1] - self.heights[0]
    }
}

/// The slabs of the largest items of a grid, by place: a pair touches only if the box of each item
/// reaches into the slab of the other. The box of a slanted half-plane is the whole plane, and the
/// box of a long wall holds much beside it.
#[derive(Debug, Default)]
pub(crate) struct Slabs {
    /// The first place. All places from there on have a slab.
    first: usize,
    /// x and y of the normal, and the lowest and the largest height. Empty if no item has a slab
    /// that holds less than its box. As many values more as a vector may read.
    columns: [Vec<f32>; 4],
}

impl Slabs {
    /// Replaces the slabs by the slabs of the items at `places`, which are the last items of a
    /// grid. `None` stands for an item whose box is as good.
    pub(crate) fn set(&mut self, places: Range<usize>, slab: impl Fn(usize) -> Option<Slab>) {
        self.clear();
        self.first = places.start;
        let mut some = false;
        for place in places {
            let own = slab(place);
            some |= own.is_some();
            self.push(own.unwrap_or(Slab::ALL));
        }
        if !some {
            return self.clear();
        }
        for _ in 0..MAX_LANES {
            self.push(Slab::ALL);
        }
    }

    pub(crate) fn clear(&mut self) {
        for column in &mut self.columns {
            column.clear();
        }
    }

    fn push(&mut self, Slab { normal: [x, y], heights: [lowest, highest] }: Slab) {
        for (column, value) in self.columns.iter_mut().zip([x, y, lowest, highest]) {
            column.push(value);
        }
    }

    /// The slabs, if the item at `place` has a slab.
    #[inline]
    pub(crate) fn with(&self, place: usize) -> Option<&Self> {
        (place >= self.first && !self.columns[0].is_empty()).then_some(self)
    }

    /// The bytes of memory held.
    pub(crate) fn bytes(&self) -> usize {
        self.columns.iter().map(|column| column.capacity() * size_of::<f32>()).sum()
    }

    /// The lanes whose box reaches into the slab of the item at `place`.
    #[inline(always)]
    pub(super) fn reached<S: Simd>(
        &self,
        simd: S,
        place: usize,
        boxes: RoundedItems<S>,
    ) -> S::Mask {
        let at = place - self.first;
        let slabs = map_each(self.columns.each_ref(), |column| simd.splat(column[at]));
        reached(simd, slabs, boxes)
    }

    /// The lanes whose slab, of the items from `place` on, the box in that lane reaches into.
    #[inline(always)]
    pub(super) fn reached_from<S: Simd>(
        &self,
        simd: S,
        place: usize,
        boxes: RoundedItems<S>,
    ) -> S::Mask {
        let at = place - self.first;
        let slabs = map_each(self.columns.each_ref(), |column| simd.load(column, at));
        reached(simd, slabs, boxes)
    }
}

/// Whether the heights of the nearest and of the furthest corner of a box are not both beyond one
/// border, by more than roundings.
///
/// The magnitudes of all coordinates bound the roundings: of the corners, of the normal, of the
/// products and of the sum, each 2^-23 of them. The borders have slacks of their own.
#[inline(always)]
fn reached<S: Simd>(
    simd: S,
    [x, y, lowest, highest]: [S::F32; 4],
    boxes: RoundedItems<S>,
) -> S::Mask {
    let RoundedItems { core: BoxItems { min_x, min_y, max_x, max_y }, radius } = boxes;
    let zero = simd.splat(0.0);
    let (left, down) = (simd.lt(x, zero), simd.lt(y, zero));
    let [near_x, far_x] = [simd.select(left, max_x, min_x), simd.select(left, min_x, max_x)];
    let [near_y, far_y] = [simd.select(down, max_y, min_y), simd.select(down, min_y, max_y)];
    let near = simd.add(simd.mul(x, near_x), simd.mul(y, near_y));
    let far = simd.add(simd.mul(x, far_x), simd.mul(y, far_y));
    let coordinates = simd.add(
        simd.add(simd.abs(min_x), simd.abs(max_x)),
        simd.add(simd.abs(min_y), simd.abs(max_y)),
    );
    let roundings = simd.mul(simd.add(coordinates, radius), simd.splat(4.0 * F32_SLACK as f32));
    let around = simd.add(radius, roundings);
    simd.and(simd.le(simd.sub(near, around), highest), simd.le(lowest, simd.add(far, around)))
}
