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
    /// The class and the record of each row, if there are any.
    classes: Option<&'a [Class]>,
    records: &'a [Record],
    solids: Option<&'a Solids>,
    rotates: bool,
}

impl<'a> View<'a> {
    pub(crate) fn of(columns: &Columns<'a>) -> Self {
        let contents = columns.contents;
        let solids = contents.and_then(|contents| contents.solids);
        Self {
            layout: columns.layout,
            kinds: contents.map(|contents| contents.kinds),
            classes: solids.map(|solids| solids.rows.classes.as_slice()),
            records: solids.map_or(&[], |solids| &solids.rows.placed),
            solids,
            rotates: contents.is_some_and(|contents| contents.rotates),
        }
    }

    /// Whether any shape turns or has parts: else the sweep decides all pairs.
    pub(crate) fn rotates(&self) -> bool {
        self.rotates
    }

    /// The same shapes, with records in `made`, if they have none of their own: to meet shapes that turn.
    pub(crate) fn recorded<'b>(&self, made: &'b mut Vec<Record>, rows: usize) -> View<'b>
    where
        'a: 'b,
    {
        made.clear();
        if self.solids.is_some() {
            return *self;
        }
        made.extend((0..rows).map(|row| {
            let (record, [x, y]) = Record::of_rounded(self.bounds(row));
            Record { x, y, ..record }
        }));
        self.with_records(made)
    }

    /// The same shapes with these records, if they have none of their own.
    pub(crate) fn with_records<'b>(&self, records: &'b [Record]) -> View<'b>
    where
        'a: 'b,
    {
        if self.solids.is_some() { *self } else { View { records, ..*self } }
    }

    /// The class of a row.
    #[inline(always)]
    pub(super) fn class(&self, row: usize) -> Class {
        match (self.classes, self.kinds) {
            (Some(classes), _) => classes[row],
            (None, Some(kinds)) => class_of(kinds[row]),
            (None, None) => class_of(Some(self.layout.kind())),
        }
    }

    /// The box around a row; the row itself, if it is axis-aligned.
    #[inline(always)]
    pub(super) fn bounds(&self, row: usize) -> RoundedBox {
        self.layout.rounded_box(row)
    }

    /// The centre of a row that is axis-aligned.
    #[inline(always)]
    pub(super) fn center(&self, row: usize) -> [f32; 2] {
        match self.records.get(row) {
            Some(&Record { x, y, .. }) => [x, y],
            None => Record::of_rounded(self.bounds(row)).1,
        }
    }

    /// The records of the rows.
    pub(super) fn records(&self) -> &'a [Record] {
        self.records
    }

    /// The parts of a compound: the first, and how many.
    pub(super) fn parts(&self, row: usize) -> (usize, usize) {
        self.records[row].range()
    }

    /// The class of a part.
    #[inline(always)]
    pub(super) fn part_class(&self, part: usize) -> Class {
        self.solids.map_or(Class::Round, |solids| solids.parts.classes[part])
    }

    /// The records of all parts.
    pub(super) fn part_records(&self) -> &'a [Record] {
        self.solids.map_or(&[], |solids| &solids.parts.placed)
    }

    /// The box around a part.
    #[inline(always)]
    pub(super) fn part_bounds(&self, part: usize) -> RoundedBox {
        self.solids.map_or_else(RoundedBox::default, |solids| solids.part_bounds[part])
    }

    /// The blocks of a polygon.
    #[inline(always)]
    pub(super) fn blocks(&self, record: &Record) -> &'a [Block] {
        let (first, vertices) = record.range();
        let blocks = self.solids.map_or(&[][..], |solids| &solids.blocks);
        &blocks[first..first + vertices.div_ceil(Block::VERTICES)]
    }
}

/// The class of what is axis-aligned.
#[inline(always)]
fn class_of(kind: Option<Kind>) -> Class {
    match kind {
        Some(Kind::Aabb | Kind::RoundedBox) => Class::Upright,
        _ => Class::Round,
    }
}
