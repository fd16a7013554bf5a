//! `DoubleRecords`: the shapes as they were given, each in one line of memory.

use super::{
    columns::{ReadRows, RecordForm},
    contract::DoubleBox,
};
use crate::{Touching, simd::prefetch_at};

/// A point or a circle: its centre and its radius; or the sides of a box.
#[derive(Debug, Clone, Copy, Default)]
#[repr(C, align(32))]
pub(super) struct DoubleRecord([f64; 4]);

impl DoubleRecord {
    #[inline(always)]
    fn new<R: ReadRows>(shape: &DoubleBox) -> Self {
        let DoubleBox { min: [x, y], max: [right, upper], radius } = *shape;
        Self(match R::FORM {
            RecordForm::Round => [x, y, radius, 0.0],
            _ => [x, y, right, upper],
        })
    }
}

/// Shapes, to decide about them in any order.
#[derive(Debug, Default)]
pub(super) struct DoubleRecords {
    form: RecordForm,
    rows: Vec<DoubleRecord>,
    /// The radii of [`RecordForm::Any`].
    radii: Vec<f64>,
}

impl DoubleRecords {
    /// Makes room for so many shapes.
    pub(super) fn resize(&mut self, form: RecordForm, len: usize) {
        self.form = form;
        self.rows.resize(len, DoubleRecord::default());
        self.radii.resize(if form == RecordForm::Any { len } else { 0 }, 0.0);
    }

    /// Replaces the shape of a row.
    #[inline(always)]
    pub(super) fn set<R: ReadRows>(&mut self, row: usize, shape: &DoubleBox) {
        self.rows[row] = DoubleRecord::new::<R>(shape);
        if R::FORM == RecordForm::Any {
            self.radii[row] = shape.radius;
        }
    }

    /// The shape of a row.
    #[inline(always)]
    pub(super) fn get(&self, row: u32) -> DoubleBox {
        let [a, b, c, d] = self.rows[row as usize].0;
        match self.form {
            RecordForm::Round => DoubleBox { min: [a, b], max: [a, b], radius: c },
            RecordForm::Boxes => DoubleBox { min: [a, b], max: [c, d], radius: 0.0 },
            RecordForm::Any => {
                DoubleBox { min: [a, b], max: [c, d], radius: self.radii[row as usize] }
            }
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
        self.rows.capacity() * size_of::<DoubleRecord>() + self.radii.capacity() * size_of::<f64>()
    }
}
