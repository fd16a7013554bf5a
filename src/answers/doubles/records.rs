//! `DoubleRecords`: the shapes as they were given, each in one line of memory.

use std::sync::{
    Mutex, OnceLock, PoisonError,
    atomic::{AtomicUsize, Ordering},
};

use super::columns::{DoubleBox, DoubleColumns, ReadRows, RecordForm, with_reader};
use crate::{base::held, shape::Touching, simd::prefetch_at};

/// A point or a circle: its centre and its radius; or the sides of a box.
#[derive(Debug, Clone, Copy, Default)]
#[repr(C, align(32))]
pub(super) struct DoubleRecord([f64; 4]);

/// Shapes, to decide about them in any order.
#[derive(Debug, Default)]
pub(super) struct DoubleRecords {
    form: RecordForm,
    rows: Vec<DoubleRecord>,
    /// The radii of [`RecordForm::Any`].
    radii: Vec<f64>,
}

held!(DoubleRecords { form, rows, radii });

impl DoubleRecords {
    /// Replaces the shapes.
    pub(super) fn fill(&mut self, shapes: &DoubleColumns<'_>) {
        with_reader!(shapes, reader => self.fill_rows(reader, shapes.len()));
    }

    fn fill_rows<R: ReadRows>(&mut self, reader: R, len: usize) {
        let Self { form, rows, radii } = self;
        let reader = reader.part(0..len);
        *form = R::FORM;
        rows.clear();
        rows.extend((0..len).map(|row| {
            let DoubleBox { min: [x, y], max: [right, upper], radius } = reader.row(row);
            DoubleRecord(match R::FORM {
                RecordForm::Round => [x, y, radius, 0.0],
                _ => [x, y, right, upper],
            })
        }));
        radii.clear();
        if R::FORM == RecordForm::Any {
            radii.extend((0..len).map(|row| reader.row(row).radius));
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

    /// Whether a shape and a shape of another set touch if `margin` is added to the radii.
    #[inline]
    pub(super) fn touch(
        &self,
        row: u32,
        others: &Self,
        other: u32,
        (margin, touching): (f64, Touching),
    ) -> bool {
        self.get(row).within(&others.get(other), margin, touching)
    }
}

/// Records of shapes that are made once many of the shapes were read.
#[derive(Debug, Default)]
pub(super) struct LazyRecords {
    made: OnceLock<DoubleRecords>,
    /// How many shapes were read before.
    reads: AtomicUsize,
    /// Memory for them.
    spare: Mutex<DoubleRecords>,
}

held!(LazyRecords { made, reads, spare });

/// Once one of this many shapes was read, all shapes are copied to records.
const READS_PER_COPY: usize = 16;

impl LazyRecords {
    /// Forgets all shapes, and keeps the memory.
    pub(super) fn clear(&mut self) {
        *self.reads.get_mut() = 0;
        if let Some(made) = self.made.take() {
            *self.spare.get_mut().unwrap_or_else(PoisonError::into_inner) = made;
        }
    }

    /// Copies all shapes now, because most shapes will be read.
    pub(super) fn make(&mut self, shapes: &DoubleColumns<'_>) {
        self.clear();
        let spare = self.spare.get_mut().unwrap_or_else(PoisonError::into_inner);
        let mut records = std::mem::take(spare);
        records.fill(shapes);
        self.made = OnceLock::from(records);
    }

    /// Reads shapes. They must be the same shapes until the records are cleared.
    pub(super) fn of<'a>(&'a self, shapes: &'a DoubleColumns<'a>) -> ReadShapes<'a> {
        ReadShapes { shapes, records: self }
    }
}

/// Shapes that are read in any order.
#[derive(Clone, Copy)]
pub(super) struct ReadShapes<'a> {
    shapes: &'a DoubleColumns<'a>,
    records: &'a LazyRecords,
}

impl ReadShapes<'_> {
    /// The shape of a row.
    #[inline]
    pub(super) fn get(&self, row: u32) -> DoubleBox {
        match self.records.made.get() {
            Some(made) => made.get(row),
            None => self.read(row),
        }
    }

    /// Whether two shapes touch by a rule: if a margin is added to the radii, under a policy.
    #[inline]
    pub(super) fn touch(&self, a: u32, b: u32, rule: (f64, Touching)) -> bool {
        // With one branch for each shape, both went through memory and took several times as long.
        match self.records.made.get() {
            Some(made) => made.touch(a, made, b, rule),
            None => self.read(a).within(&self.read(b), rule.0, rule.1),
        }
    }

    /// [`touch`](Self::touch) for a shape and a shape of another set.
    #[inline]
    pub(super) fn touch_other(
        &self,
        a: u32,
        others: &DoubleRecords,
        b: u32,
        rule: (f64, Touching),
    ) -> bool {
        match self.records.made.get() {
            Some(made) => made.touch(a, others, b, rule),
            None => self.read(a).within(&others.get(b), rule.0, rule.1),
        }
    }

    /// Prefetches the record of a row, if there are any.
    #[inline]
    pub(super) fn prefetch(&self, row: u32) {
        if let Some(made) = self.records.made.get() {
            made.prefetch(row);
        }
    }

    /// The records, which are made if they are not yet.
    #[inline(never)]
    pub(super) fn made(&self) -> &DoubleRecords {
        let Self { shapes, records: LazyRecords { made, spare, .. } } = self;
        made.get_or_init(|| {
            let mut spare = spare.lock().unwrap_or_else(PoisonError::into_inner);
            let mut records = std::mem::take(&mut *spare);
            records.fill(shapes);
            records
        })
    }

    /// Reads the shape of a row from the columns, and makes the records if many were read.
    #[inline(never)]
    fn read(&self, row: u32) -> DoubleBox {
        let Self { shapes, records: LazyRecords { reads, .. } } = self;
        if reads.fetch_add(1, Ordering::Relaxed) > shapes.len() / READS_PER_COPY {
            self.made();
        }
        with_reader!(shapes, reader => reader.row(row as usize))
    }
}
