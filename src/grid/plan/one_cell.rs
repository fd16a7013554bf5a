//! `OneCell`: a cell that holds the whole plane, and its items.

use std::ops::Range;

use super::{Bounds, cells::Cells};
use crate::simd::map_each;

/// A cell that holds the whole plane, as the only cell of a level, and the places of its items. A
/// grid may have many such cells: the items of a cell do not see the items of other cells.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct OneCell {
    cells: Cells,
    items: Range<u32>,
    bounds: Bounds,
    /// The largest width or height of an item.
    size: f32,
}

impl OneCell {
    /// The cell with this number, for items at these places, whose largest width and height are
    /// `largest`.
    #[inline(always)]
    pub(in crate::grid) fn new(
        number: u32,
        items: Range<u32>,
        bounds: Bounds,
        largest: [f32; 2],
    ) -> Self {
        let cells = Cells::one(number, map_each(largest, f64::from));
        Self { cells, items, bounds, size: largest[0].max(largest[1]) }
    }

    pub(crate) fn number(&self) -> u32 {
        self.cells.base
    }

    /// The number of items.
    pub(crate) fn len(&self) -> usize {
        self.items.len()
    }

    /// The cell as the cells of a level.
    pub(in crate::grid) fn cells(&self) -> &Cells {
        &self.cells
    }

    /// The places of the items.
    #[inline(always)]
    pub(crate) fn items(&self) -> Range<usize> {
        self.items.start as usize..self.items.end as usize
    }

    /// The box around the items.
    pub(in crate::grid) fn bounds(&self) -> Bounds {
        self.bounds
    }

    /// The largest width or height of an item.
    pub(in crate::grid) fn size(&self) -> f32 {
        self.size
    }
}
