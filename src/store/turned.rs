//! Borrowed columns of shapes that turn, and the rows that the engine reads instead.

use std::ops::Range;

use super::{
    Contents, Layout, Rows,
    check::{check_capsule, check_obb, check_segment},
    column::Column,
    shapes::values,
};
use crate::{
    Error,
    grid::grow,
    kernel::columns::{BoxColumns, RoundedColumns},
    shape::{AnyShape, Capsule, Kind, Obb, Segment},
    solid::{Class, Entry, Placed, SolidRows},
};

/// Shapes that turn, one column for each field of their records, in the order of those.
#[derive(Debug, Clone, Copy)]
pub(crate) enum TurningColumns<'a> {
    Obbs([&'a [f32]; 6]),
    Capsules([&'a [f32]; 5]),
    Segments([&'a [f32]; 4]),
}

impl TurningColumns<'_> {
    /// The number of rows.
    pub(super) fn len(&self) -> usize {
        match self {
            Self::Obbs([column, ..])
            | Self::Capsules([column, ..])
            | Self::Segments([column, ..]) => column.len(),
        }
    }

    /// The kind of all rows.
    pub(super) fn kind(&self) -> Kind {
        match self {
            Self::Obbs(_) => Kind::Obb,
            Self::Capsules(_) => Kind::Capsule,
            Self::Segments(_) => Kind::Segment,
        }
    }

    /// Checks a row.
    pub(super) fn check_row(&self, row: usize) -> Result<(), Error> {
        self.entry(row).map(|_| ())
    }

    /// The shape of a row, ready to enter.
    #[inline(always)]
    pub(super) fn entry(&self, row: usize) -> Result<Entry<'static>, Error> {
        let entry = Entry::new(match self {
            Self::Obbs(columns) => {
                let [x, y, half_width, half_height, cos, sin] = columns.map(|column| column[row]);
                AnyShape::Obb(check_obb(row, Obb { x, y, half_width, half_height, cos, sin })?)
            }
            Self::Capsules(columns) => {
                let [ax, ay, bx, by, radius] = columns.map(|column| column[row]);
                AnyShape::Capsule(check_capsule(row, Capsule { ax, ay, bx, by, radius })?)
            }
            Self::Segments(columns) => {
                let [ax, ay, bx, by] = columns.map(|column| column[row]);
                AnyShape::Segment(check_segment(row, Segment { ax, ay, bx, by })?)
            }
        });
        entry.check(row)?;
        Ok(entry)
    }
}

/// Shapes of borrowed columns that turn, placed: what the engine reads of a store that they could be in.
#[derive(Debug, Default)]
pub(crate) struct Turned {
    /// The boxes around them, in the order of the columns of a store.
    sides: [Column; 5],
    placed: Vec<Placed>,
    len: usize,
    /// The class of those that were placed last, if it is one.
    only: Option<Class>,
}

impl Turned {
    /// Checks `rows` of the columns, which must be there, and places them. Others are what they were before.
    pub(super) fn place(
        &mut self,
        columns: &TurningColumns<'_>,
        rows: Range<usize>,
    ) -> Result<Rows<'_>, Error> {
        self.len = columns.len();
        for side in &mut self.sides {
            side.set_len(self.len);
        }
        grow(&mut self.placed, self.len);
        let mut counts = [0; Class::ROOM];
        // What the columns are is asked once and not for each row.
        match columns {
            TurningColumns::Obbs(_) => self.fill(columns, rows.clone(), &mut counts)?,
            TurningColumns::Capsules(_) => self.fill(columns, rows.clone(), &mut counts)?,
            TurningColumns::Segments(_) => self.fill(columns, rows.clone(), &mut counts)?,
        }
        let all = counts.iter().position(|&count| count == rows.len());
        self.only = all.filter(|_| !rows.is_empty()).map(Class::of_number);
        Ok(self.rows())
    }

    #[inline(always)]
    fn fill(
        &mut self,
        columns: &TurningColumns<'_>,
        rows: Range<usize>,
        counts: &mut [usize; Class::ROOM],
    ) -> Result<(), Error> {
        for row in rows {
            let (placed, around) = columns.entry(row)?.placed();
            counts[placed.class_number()] += 1;
            self.placed[row] = placed;
            for (side, value) in self.sides.iter_mut().zip(values(around)) {
                side[row] = value;
            }
        }
        Ok(())
    }

    /// The rows that were placed last.
    pub(super) fn rows(&self) -> Rows<'_> {
        let [min_x, min_y, max_x, max_y, radius] = self.sides.each_ref().map(Column::padded);
        let core = BoxColumns { min_x, min_y, max_x, max_y };
        // As in a store of them, so that the grid has the same order.
        let layout = Layout::Rounded(RoundedColumns { core, radius });
        let placed = SolidRows::plain(&self.placed[..self.len], self.only);
        let contents =
            Contents { kinds: None, placed: Some(placed), solids: None, rotates: self.len > 0 };
        Rows { layout, len: self.len, live: None, kind: layout.kind(), contents: Some(contents) }
    }

    /// Bytes held.
    pub(crate) fn bytes(&self) -> usize {
        let sides: usize = self.sides.iter().map(Column::bytes).sum();
        sides + self.placed.capacity() * size_of::<Placed>()
    }
}
