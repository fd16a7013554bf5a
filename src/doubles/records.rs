//! `DoubleRecords`: the shapes as they were given, each in one line of memory.

use super::{columns::ReadRows, contract::DoubleBox};
use crate::{Touching, simd::prefetch_at};

/// A point or a circle: its centre and its radius; or the sides of a box.
#[derive(Debug, Clone, Copy, Default)]
#[repr(C, align(32))]
pub(super) struct DoubleRecord([f64; 4]);

impl DoubleRecord {
    #[inline(always)]
    pub(super) fn new<R: ReadRows>(shape: &DoubleBox) -> Self {
        let DoubleBox { min: [x, y], max: [right, upper], radius } = *shape;
        Self(if R::ROUND { [x, y, radius, 0.0] } else { [x, y, right, upper] })
    }
}

/// Shapes, to decide about them in any order.
#[derive(Debug, Default)]
pub(super) struct DoubleRecords {
    /// Whether they are points or circles.
    round: bool,
    pub(super) rows: Vec<DoubleRecord>,
}

impl DoubleRecords {
    /// Makes room for so many shapes.
    pub(super) fn set(&mut self, round: bool, len: usize) {
        self.round = round;
        self.rows.resize(len, DoubleRecord::default());
    }

    /// The shape of a row.
    #[inline(always)]
    pub(super) fn get(&self, row: u32) -> DoubleBox {
        let [a, b, c, d] = self.rows[row as usize].0;
        if self.round {
            DoubleBox { min: [a, b], max: [a, b], radius: c }
        } else {
            DoubleBox { min: [a, b], max: [c, d], radius: 0.0 }
        }
    }

    #[inline]
    pub(super) fn prefetch(&self, row: u32) {
        prefetch_at(&self.rows, row as usize);
    }

    /// Whether a shape and one of others touch if `margin` is added to the radii.
    #[inline]
    pub(super) fn touch(
        &self,
        row: u32,
        others: &Self,
        other: u32,
        margin: f64,
        touching: Touching,
    ) -> bool {
        self.get(row).within(&others.get(other), margin, touching)
    }

    /// The bytes of memory held.
    pub(super) fn bytes(&self) -> usize {
        self.rows.capacity() * size_of::<DoubleRecord>()
    }
}
