//! The invariants of the candidate lists of a level.

use std::{collections::HashMap, ops::Range};

use super::checker::{CheckedPlace, SeenPlaces};
use crate::{
    grid::{
        Grid, RoundedLayout,
        candidates::{CellLists, MAX_ITEM_BYTES, lines_of},
        plan::sample,
        sort::{CacheLine, ItemLayout, RecordSource},
    },
    kernel::{ColumnSet, RoundedColumns},
    reference::contract::overlap,
    shape::{Aabb, RoundedBox, Touching},
    simd::{Isa, Kernel, MAX_LANES, Scalar, Simd, dispatch},
};

/// The candidate lists of one level, and their contents.
pub(super) struct ListChecker<'a> {
    candidate_lists: &'a CellLists,
    isa: Isa,
    what: &'a str,
    /// The places of the items in the list of each cell.
    listed: Vec<Vec<usize>>,
}

impl<'a> ListChecker<'a> {
    /// Reads the candidate lists of `level`, if it has any. Checks that all listed items are
    /// items of the level with unchanged values, each at most once per cell, in the order of their
    /// places. Checks that unused lanes touch nothing, and that the lists are not too large.
    pub(super) fn read<I: ItemLayout>(
        grid: &'a Grid,
        level: usize,
        isa: Isa,
        what: &'a str,
        seen: &mut SeenPlaces,
    ) -> Option<Self>
    where
        for<'b> I::Columns<'b>: RecordSource<I>,
    {
        let candidate_lists =
            grid.lists(level).filter(|candidate_lists| candidate_lists.allows(0.0))?;
        let (items, columns) = (grid.sorted.items(level), grid.sorted.padded::<I>());
        let ids = grid.sorted.ids();
        let places: HashMap<u32, usize> = items.clone().map(|place| (ids[place], place)).collect();
        let (blocks, block_ids) = candidate_lists.blocks::<I>();
        assert!(
            candidate_lists.lines * size_of::<CacheLine>() <= MAX_ITEM_BYTES * items.len(),
            "{what}: too large"
        );
        let mut listed = Vec::new();
        for cell in 0..candidate_lists.cells() {
            let further = if candidate_lists.is_long(cell) {
                candidate_lists.further_blocks(cell)
            } else {
                0..0
            };
            assert_eq!(
                candidate_lists.is_long(cell),
                !further.is_empty(),
                "{what}: long without more"
            );
            let starts = [cell].into_iter().chain(further);
            let lanes: Vec<usize> = starts.flat_map(|block| lanes::<I>(block)).collect();
            let is_there = |&at: &usize| blocks.values(at).as_ref()[0] != f32::INFINITY.to_bits();
            let here: Vec<usize> = lanes.iter().copied().take_while(is_there).collect();
            for &at in &lanes[here.len()..] {
                let (value, nowhere) = (blocks.values(at), I::NOWHERE.map(f32::to_bits));
                assert_eq!(value.as_ref(), &nowhere[..I::COUNT], "{what}: beyond the last item");
            }
            let of_cell: Vec<usize> = here.iter().map(|&at| places[&block_ids[at]]).collect();
            assert!(of_cell.is_sorted_by(|a, b| a < b), "{what}: {of_cell:?} in cell {cell}");
            for (&at, &place) in here.iter().zip(&of_cell) {
                let [copy, item] = [blocks.values(at), columns.values(place)];
                assert_eq!(copy.as_ref(), item.as_ref(), "{what}: an item in cell {cell}");
            }
            seen.long += usize::from(candidate_lists.is_long(cell));
            listed.push(of_cell);
        }
        seen.candidate_lists += 1;
        Some(Self { candidate_lists, isa, what, listed })
    }

    /// Checks that shapes that touch `item` and are not too large find it: `other`, and shapes of
    /// several proportions, as large as allowed, that just touch it on each side.
    pub(super) fn check(&self, item: &CheckedPlace, other: RoundedBox, seen: &mut SeenPlaces) {
        self.finds(other, item, seen);
        let most = self.candidate_lists.size;
        let RoundedBox { min_x, min_y, max_x, max_y, radius } = item.shape;
        let [left, lower] = [min_x, min_y].map(|side| side - radius);
        let [right, upper] = [max_x, max_y].map(|side| side + radius);
        for part in [1.0, 0.25, 0.0] {
            let (wide, high) = (most, most * part);
            let boxes = [
                [right, lower, right + wide, lower + high],
                [left - wide, upper - high, left, upper],
                [left, upper, left + high, upper + wide],
                [right - high, lower - wide, right, lower],
            ];
            for [min_x, min_y, max_x, max_y] in boxes {
                let core = Aabb { min_x, min_y, max_x, max_y };
                self.finds(RoundedBox::new(core, 0.0), item, seen);
            }
        }
        let radius = most / 2.0;
        for x in [left - radius, right + radius] {
            let core = Aabb { min_x: x, min_y: lower, max_x: x, max_y: lower };
            self.finds(RoundedBox::new(core, radius), item, seen);
        }
    }

    /// Checks that `shape` finds `item`, if they touch and `shape` is not too large.
    fn finds(&self, shape: RoundedBox, item: &CheckedPlace, seen: &mut SeenPlaces) {
        let sides = [shape.min_x, shape.min_y, shape.max_x, shape.max_y, shape.radius];
        let columns = sides.map(|side| [side; MAX_LANES]);
        let columns = RoundedLayout::columns(columns.each_ref().map(|column| &column[..]));
        let size = sample::size(Scalar, columns.splat(Scalar, 0));
        if !self.candidate_lists.allows(size) || !overlap(shape, item.shape, Touching::Inclusive) {
            return;
        }
        let (cells, near) =
            dispatch(self.isa, FindPartners { candidate_lists: self.candidate_lists, columns });
        let cell = cells[0];
        assert_eq!(cells, [cell; MAX_LANES], "{}: lanes differ", self.what);
        assert_eq!(near, u32::from(u16::MAX), "{}: {shape:?} is near", self.what);
        let found = self.listed[cell as usize].binary_search(&item.place);
        assert!(found.is_ok(), "{}: {shape:?} in cell {cell} for {:?}", self.what, item.shape);
        seen.visits += 1;
    }
}

/// The lanes of a block, as indices into the columns of all blocks.
fn lanes<I: ItemLayout>(block: usize) -> Range<usize> {
    let first = block * lines_of::<I>() * MAX_LANES;
    first..first + MAX_LANES
}

/// Computes the cells of sixteen items, and which of these are near items of the level.
struct FindPartners<'a> {
    candidate_lists: &'a CellLists,
    columns: RoundedColumns<'a>,
}

impl Kernel for FindPartners<'_> {
    type Output = ([u32; MAX_LANES], u32);

    fn run<S: Simd>(self, simd: S) -> Self::Output {
        let (mut cells, mut near) = ([0; MAX_LANES], 0);
        for lane in (0..MAX_LANES).step_by(S::LANES) {
            let items = self.columns.load(simd, lane);
            near |= self.candidate_lists.find(simd, items, &mut cells, lane) << lane;
        }
        (cells, near)
    }
}
