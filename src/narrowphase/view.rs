//! The shapes that pairs are made of, read by their rows.

use crate::{
    Columns,
    shape::{Kind, RoundedBox},
    solid::{Block, Class, Record, Solids},
    store::Layout,
};

/// Shapes: columns, and what a store knows beyond them.
#[derive(Debug, Clone, Copy)]
pub(crate) struct View<'a> {
    layout: Layout<'a>,
    kinds: Option<&'a [Option<Kind>]>,
    solids: Option<&'a Solids>,
    rotates: bool,
}

impl<'a> View<'a> {
    pub(crate) fn of(columns: &Columns<'a>) -> Self {
        let contents = columns.contents;
        Self {
            layout: columns.layout,
            kinds: contents.map(|contents| contents.kinds),
            solids: contents.and_then(|contents| contents.solids),
            rotates: contents.is_some_and(|contents| contents.rotates),
        }
    }

    /// Whether any shape turns or has parts: else the sweep decides all pairs.
    pub(crate) fn rotates(&self) -> bool {
        self.rotates
    }

    /// The class of a row.
    #[inline]
    pub(super) fn class(&self, row: usize) -> Class {
        match (self.solids, self.kinds) {
            (Some(solids), _) => solids.rows.classes[row],
            (None, Some(kinds)) => class_of(kinds[row]),
            (None, None) => class_of(Some(self.layout.kind())),
        }
    }

    /// The box around a row; the row itself, if it is axis-aligned.
    #[inline]
    pub(super) fn bounds(&self, row: usize) -> RoundedBox {
        self.layout.rounded_box(row)
    }

    /// The record of a row.
    #[inline]
    pub(super) fn record(&self, row: usize) -> Record {
        match self.solids {
            Some(solids) => solids.rows.placed[row],
            None => {
                let (record, [x, y]) = Record::of_rounded(self.bounds(row));
                Record { x, y, ..record }
            }
        }
    }

    /// The parts of a compound: the first, and how many.
    pub(super) fn parts(&self, row: usize) -> (usize, usize) {
        self.record(row).range()
    }

    /// Of a part: its class, its record, the box around it.
    #[inline]
    pub(super) fn part(&self, part: usize) -> Option<(Class, Record, RoundedBox)> {
        let Solids { parts, part_bounds, .. } = self.solids?;
        Some((parts.classes[part], parts.placed[part], part_bounds[part]))
    }

    /// The blocks of a polygon.
    #[inline]
    pub(super) fn blocks(&self, record: &Record) -> &'a [Block] {
        let (first, vertices) = record.range();
        let blocks = self.solids.map_or(&[][..], |solids| &solids.blocks);
        &blocks[first..first + vertices.div_ceil(Block::VERTICES)]
    }
}

/// The class of what is axis-aligned.
fn class_of(kind: Option<Kind>) -> Class {
    match kind {
        Some(Kind::Aabb | Kind::RoundedBox) => Class::Upright,
        _ => Class::Round,
    }
}
