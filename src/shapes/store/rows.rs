//! `Rows`: shapes by row, the form in which the engine reads all input.

use super::Layout;
#[cfg(feature = "narrowphase")]
use crate::shape::{Aabb, Circle, OwnedShape, Point, RoundedBox};
use crate::{
    base::Pair,
    posed::{PlacedShapes, PosedShapes},
    shape::Kind,
};

/// Axis-aligned shapes by row, or the boxes around rotated shapes; and further data of a store.
///
/// Borrowed columns of axis-aligned shapes are rows as they are. Columns of rotated shapes become
/// rows when they are [placed](super::ColumnWorkspace).
#[derive(Debug, Clone, Copy)]
pub(crate) struct Rows<'a> {
    pub(crate) layout: Layout<'a>,
    pub(super) len: usize,
    /// Bit `i % 64` of word `i / 64` is set if row `i` holds a shape. `None`: all rows do.
    pub(crate) live: Option<&'a [u64]>,
    /// The kind of all rows that the layout implies.
    pub(crate) kind: Kind,
    /// The data beyond the boxes. `None`: borrowed columns that are not checked yet.
    pub(crate) contents: Option<Contents<'a>>,
    /// The rows to detect: see [`Rows::select`]. `None`: all rows that are not vacant.
    pub(crate) selection: Option<&'a [u32]>,
}

/// The data of rows beyond their boxes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Contents<'a> {
    /// The kind of each row of a store. `None`: borrowed columns of rotated shapes.
    pub(crate) kinds: Option<&'a [Option<Kind>]>,
    /// The placed shapes that kernels load. `None` for a store that has no records, because it had
    /// no rotated shape, no compound and no pose.
    pub(crate) placed: Option<&'a PlacedShapes>,
    /// The records of a store, from which exact arithmetic starts, and other stores copy. `None`
    /// for a store without records, and for borrowed columns.
    pub(crate) posed_shapes: Option<&'a PosedShapes>,
    /// Whether any shape is rotated or has parts.
    pub(crate) rotates: bool,
}

impl<'a> Rows<'a> {
    /// Whether any shape can rotate or has parts.
    pub(crate) fn rotates(&self) -> bool {
        self.contents.is_some_and(|contents| contents.rotates)
    }

    /// The rows of columns of one length, no row vacant.
    pub(crate) fn closed(layout: Layout<'a>, len: usize) -> Self {
        let kind = layout.kind();
        Self { layout, len, live: None, kind, contents: None, selection: None }
    }

    /// Only these rows, to be detected. They ascend, no row is vacant, and their values have been
    /// checked.
    pub(crate) fn select(self, rows: &'a [u32]) -> Self {
        Self { selection: Some(rows), ..self }
    }

    /// The number of rows.
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// The number of rows that hold a shape.
    pub(crate) fn live_len(&self) -> usize {
        let live = |words: &[u64]| words.iter().map(|word| word.count_ones() as usize).sum();
        self.live.map_or(self.len, live)
    }

    /// The number of rows to detect, vacant rows included.
    pub(crate) fn detected(&self) -> usize {
        self.selection.map_or(self.len, <[u32]>::len)
    }

    /// The records of a store, if it has records.
    pub(super) fn records(&self) -> Option<&'a PosedShapes> {
        self.contents?.posed_shapes
    }

    /// The kind of a row of a store. `None` for a vacant row, and for borrowed columns.
    pub(super) fn kind_of(&self, row: usize) -> Option<Kind> {
        self.contents?.kinds?[row]
    }

    /// Whether the row exists and holds a shape.
    pub(crate) fn holds(&self, row: usize) -> bool {
        let live = |words: &[u64]| words[row / 64] >> (row % 64) & 1 == 1;
        row < self.len && self.live.is_none_or(live)
    }

    /// The shape of a row, in world coordinates or in its own: see
    /// [`Shapes::get`](crate::Shapes::get).
    #[cfg(feature = "narrowphase")]
    pub(crate) fn shape(&self, row: usize) -> Option<OwnedShape> {
        if !self.holds(row) {
            return None;
        }
        let kind = self.kind_of(row).unwrap_or(self.kind);
        let rounded @ RoundedBox { min_x, min_y, max_x, max_y, radius } =
            self.layout.rounded_box(row);
        let (min, max) = ([min_x, min_y], [max_x, max_y]);
        Some(match kind {
            Kind::Point => Point::new(min).into(),
            Kind::Circle => Circle::new(min, radius).into(),
            Kind::Aabb => Aabb::new(min, max).into(),
            Kind::RoundedBox => rounded.into(),
            _ => self.records()?.shape(row, kind),
        })
    }

    /// The first row of `pairs` that does not hold a shape.
    pub(crate) fn first_missing(&self, pairs: &[Pair]) -> Option<usize> {
        let rows: &[u32] = bytemuck::cast_slice(pairs);
        // If no row is vacant, a check of the largest row is enough. It needs no branch for each
        // row.
        let highest = rows.iter().copied().fold(0, u32::max);
        if self.live.is_none() && (highest as usize) < self.len {
            return None;
        }
        rows.iter().map(|row| *row as usize).find(|row| !self.holds(*row))
    }

    /// The first row that does not hold a shape, for pairs of a row of `a` and a row of `b`; and
    /// the number of rows of its set.
    pub(crate) fn first_missing_between(
        [a, b]: &[Self; 2],
        pairs: &[Pair],
    ) -> Option<(usize, usize)> {
        let highest = pairs.iter().fold([0; 2], |[a, b], pair| [pair.a.max(a), pair.b.max(b)]);
        let all = |columns: &Self, row: u32| columns.live.is_none() && (row as usize) < columns.len;
        if all(a, highest[0]) && all(b, highest[1]) {
            return None;
        }
        let mut rows = pairs.iter().flat_map(|pair| [(a, pair.a as usize), (b, pair.b as usize)]);
        rows.find_map(|(columns, row)| (!columns.holds(row)).then_some((row, columns.len)))
    }
}
