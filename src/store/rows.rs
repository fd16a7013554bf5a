//! Shapes by their rows: what the engine reads, wherever they live.

use super::{Checked, Layout};
use crate::{
    Error, Pair,
    posed::{PlacedShapes, PosedShapes},
    shape::Kind,
    simd::Isa,
};

/// Shapes by their rows, or the boxes around them; and what a store knows beyond those.
///
/// Borrowed columns of axis-aligned shapes are rows as they are. Others become rows once they are
/// [placed](super::TurnedRoom).
#[derive(Debug, Clone, Copy)]
pub(crate) struct Rows<'a> {
    pub(crate) layout: Layout<'a>,
    pub(super) len: usize,
    /// Bit `i % 64` of word `i / 64` says that row `i` holds a shape; `None`: all do.
    pub(crate) live: Option<&'a [u64]>,
    /// The kind of all rows, as far as the form of the columns tells.
    pub(crate) kind: Kind,
    /// What is known beyond the boxes; `None`: columns that nobody has checked.
    pub(crate) contents: Option<Contents<'a>>,
}

/// What is known of rows beyond their boxes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Contents<'a> {
    /// The kind of each row of a store.
    pub(crate) kinds: Option<&'a [Option<Kind>]>,
    /// Where the shapes are, as kernels load them: none before the first that turns and the first pose.
    pub(crate) placed: Option<&'a PlacedShapes>,
    /// What a store makes copies of, if it has placed any.
    pub(super) posed_shapes: Option<&'a PosedShapes>,
    /// Whether any shape turns or has parts.
    pub(crate) rotates: bool,
}

impl<'a> Rows<'a> {
    /// Columns of one length, all of whose rows hold a shape.
    pub(crate) fn closed(layout: Layout<'a>, len: usize) -> Self {
        Self { layout, len, live: None, kind: layout.kind(), contents: None }
    }

    /// The number of rows.
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// The kind of a row of a store, unless it is vacant.
    pub(super) fn kind_of(&self, row: usize) -> Option<Kind> {
        self.contents?.kinds?[row]
    }

    /// Whether there is a shape in this row.
    pub(crate) fn holds(&self, row: usize) -> bool {
        let live = |words: &[u64]| words[row / 64] >> (row % 64) & 1 == 1;
        row < self.len && self.live.is_none_or(live)
    }

    /// The first row of `pairs` in which there is no shape.
    pub(crate) fn first_missing(&self, pairs: &[Pair]) -> Option<usize> {
        let rows: &[u32] = bytemuck::cast_slice(pairs);
        // Where no row is vacant, a look at the highest is enough, and takes no branch for each.
        let highest = rows.iter().copied().fold(0, u32::max);
        if self.live.is_none() && (highest as usize) < self.len {
            return None;
        }
        rows.iter().map(|row| *row as usize).find(|row| !self.holds(*row))
    }

    /// The first row in which there is no shape of pairs of a row of `a` and a row of `b`, and the number of rows
    /// where it should be.
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

    /// Checks every value of columns, as [`Columns::check`](crate::Columns::check) does.
    pub(super) fn check(self) -> Result<Checked<'a>, Error> {
        if let Some(contents) = self.contents.filter(|contents| contents.rotates) {
            let turning = |kind: &Option<Kind>| kind.filter(|kind| !kind.is_axis_aligned());
            let mut rows = contents.kinds.unwrap_or_default().iter().map(turning).enumerate();
            if let Some((index, kind)) = rows.find_map(|(row, kind)| Some((row, kind?))) {
                return Err(Error::NotAxisAligned { index, kind });
            }
        }
        self.check_on(Isa::any(), false)
    }
}
