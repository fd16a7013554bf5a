//! `IndexPart`: the shapes of an index that are in one space, of one layer.

use std::{ops::Range, sync::atomic::Ordering};

use super::{
    Index,
    layer::{Layer, SortedPart, Stored},
    spaces::SpaceBatch,
};
use crate::{
    error::Error,
    filter::{SetFilters, Target},
    grid::{GridView, OneCell},
    narrowphase::Set,
    options::CandidateLists,
};

/// How many searches for each shape of an index pay for its candidate lists. Lists that are
/// made when this many shapes have searched without them cost at most as much again as these
/// searches.
const SEARCHES_PER_LIST: usize = 5;

/// The shapes of an index that are in one space, of one layer.
#[derive(Debug, Clone, Copy)]
pub(crate) struct IndexPart<'a> {
    pub(super) index: &'a Index,
    pub(crate) layer: usize,
    pub(super) space: u32,
    pub(super) sorted: &'a SortedPart,
    /// The number of shapes that were not removed.
    pub(crate) live: usize,
    /// The cell of the shapes, if they are few.
    pub(super) cell: Option<&'a OneCell>,
    /// The numbers of the spaces of a batch, which have few shapes each. Else empty.
    spaces: &'a [u32],
}

impl Index {
    /// The shapes of a space in the first layer.
    #[inline]
    pub(crate) fn part(&self, space: u32) -> IndexPart<'_> {
        self.part_of(0, space)
    }

    /// The shapes of a space in a layer.
    #[inline]
    pub(crate) fn part_of(&self, number: usize, space: u32) -> IndexPart<'_> {
        let layer = self.layer(number).unwrap_or(&self.main);
        let found = layer.find(space);
        let (sorted, cell) = match found.map(|shapes| &shapes.stored) {
            Some(Stored::Grid(part)) => (&**part, None),
            Some(Stored::Cell(number)) => (&layer.few, layer.cells.get(*number as usize)),
            // Without a cell, there is nothing.
            None => (&layer.few, None),
        };
        let live = found.map_or(0, |shapes| shapes.live);
        IndexPart { index: self, layer: number, space, sorted, live, cell, spaces: &[] }
    }

    /// All parts: of each layer, and each space of it.
    pub(crate) fn parts(&self) -> impl Iterator<Item = IndexPart<'_>> {
        self.layers().flat_map(move |number| {
            let spaces = self.layer(number).into_iter().flat_map(Layer::spaces);
            spaces.map(move |space| self.part_of(number, space))
        })
    }
}

impl<'a> IndexPart<'a> {
    pub(crate) fn index(&self) -> &'a Index {
        self.index
    }

    /// The number of the space.
    pub(crate) fn space(&self) -> u32 {
        self.space
    }

    /// The parts of all layers that have shapes in the space of this part.
    pub(crate) fn layers(&self) -> impl Iterator<Item = IndexPart<'a>> + use<'a> {
        let Self { index, space, spaces, .. } = *self;
        let layers = index.layers().filter(move |_| spaces.is_empty());
        let parts = layers.map(move |layer| index.part_of(layer, space));
        let batch = (!spaces.is_empty()).then_some(*self);
        batch.into_iter().chain(parts.filter(|part| !part.is_empty()))
    }

    /// Whether a batch may have the shapes of a space: they are few, and all in the first layer.
    pub(crate) fn may_batch(&self, space: u32) -> bool {
        let few = |part: IndexPart<'_>| part.is_empty() || part.layer == 0 && part.cell.is_some();
        self.index.layers().all(|layer| few(self.index.part_of(layer, space)))
    }

    /// The shapes of a batch of spaces.
    pub(crate) fn of(self, batch: &SpaceBatch<'a>) -> Self {
        if batch.ends.is_empty() {
            return self.in_space(batch.spaces[0]);
        }
        Self { layer: 0, sorted: &self.index.main.few, cell: None, spaces: batch.spaces, ..self }
    }

    /// For each space of a batch, the places of the searching shapes, whose begins are in `starts`,
    /// and the places of the shapes of this part.
    pub(crate) fn runs(self, starts: &[u32]) -> impl Iterator<Item = [Range<usize>; 2]> {
        self.spaces.iter().zip(starts.windows(2)).filter_map(move |(space, run)| {
            let places = self.in_space(*space).cell?.items();
            Some([run[0] as usize..run[1] as usize, places])
        })
    }

    /// The shapes of another space.
    pub(crate) fn in_space(self, space: u32) -> Self {
        self.index.part_of(self.layer, space)
    }

    /// Sorts the changed shapes, if they are searched.
    pub(crate) fn ready(&self) -> Result<(), Error> {
        self.index.ready()
    }

    /// The number of shapes, removed shapes included.
    pub(crate) fn len(&self) -> usize {
        self.cell.map_or(self.sorted.len, OneCell::len)
    }

    /// Whether there are no shapes.
    pub(crate) fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether any shape of the index is rotated or has parts.
    pub(crate) fn rotates(&self) -> bool {
        self.index.rotates()
    }

    /// The complement of the row at each place.
    #[inline]
    pub(crate) fn ids(&self) -> &'a [u32] {
        self.sorted.grid.sorted.ids()
    }

    /// The sorted shapes. Their ids are the complements of their rows: larger than any row of a
    /// moving shape, so that pairs, which list the smaller id first, list the moving shape first.
    #[inline]
    pub(crate) fn grid(&self) -> GridView<'a> {
        let grid = &self.sorted.grid;
        match self.cell {
            None => grid.view(),
            Some(cell) => grid.cell(cell),
        }
    }

    /// The number of the cell of the shape at a place.
    pub(super) fn cell_of(&self, place: usize) -> u32 {
        match self.cell {
            Some(cell) => cell.number(),
            None => self.sorted.grid.sorted.cells_of(place..place + 1)[0],
        }
    }

    /// A coordinate of each place, if shapes were removed from the layer: see
    /// [`GONE`](crate::grid::GONE).
    #[inline]
    pub(crate) fn removed(&self) -> Option<&'a [f32]> {
        self.sorted.grid.sorted.removed()
    }

    /// The places of the shapes in the grid of cells ([`Index::cells`]), an empty range without
    /// shapes. `None` if the shapes are many.
    #[cfg(feature = "queries")]
    #[inline]
    pub(crate) fn places_in_cells(&self) -> Option<Range<usize>> {
        if self.is_empty() { Some(0..0) } else { self.grid().one_cell() }
    }

    /// Counts the shapes of `grid`, which are about to search this part, and makes candidate lists
    /// once they pay off, if the options leave it to the index.
    pub(crate) fn expect_search(&self, grid: GridView<'_>) {
        let SortedPart { grid: own, len, searched, .. } = self.sorted;
        let automatic = self.index.options().candidate_lists == CandidateLists::Auto;
        if !automatic || self.cell.is_some() || own.has_lists() {
            return;
        }
        let more = own.view().could_serve(&grid);
        // Only the time of searches depends on the count, so that no order of threads matters.
        let before = searched.fetch_add(more, Ordering::Relaxed);
        if more > 0 && before.saturating_add(more) > len.saturating_mul(SEARCHES_PER_LIST) {
            own.make_lists(self.index.isa());
        }
    }

    /// The shapes of the index by row: see [`Index::set`].
    pub(crate) fn set(&self, decided: bool) -> Set<'a> {
        self.index.set(decided)
    }

    /// The filters of the shapes of the index.
    pub(crate) fn filters(&self) -> &'a SetFilters {
        self.index.filters()
    }

    /// The filters of the shapes, by row and by place.
    pub(crate) fn target(&self) -> Target<'a> {
        let SortedPart { grid, bits, owners, .. } = self.sorted;
        let bits = (!bits.is_empty()).then_some(&bits[..]);
        Target { ids: grid.sorted.ids(), filters: self.index.filters(), bits, owners }
    }
}
