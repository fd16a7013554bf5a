//! The rows of an index within a distance of shapes.

use std::{mem, ops::Range};

use widephase::{Error, Filter, Lists, Neighbor, Order, Pair, Queries, Touching};

use crate::{
    chunks::blocks,
    detector::{Call, Lengths, ListColumns, by_row, no_workspace},
    errors::{Failure, within},
    held::Held,
    memory,
};

impl Call<'_> {
    /// The rows of the index within a distance of each shape: ascending, if the options say so.
    pub fn neighbors_of_index(&mut self, distance: f64) -> Result<ListColumns, Failure> {
        let Some(index) = self.against.clone() else { return Err(no_workspace()) };
        let others = index.shapes().filter(|shapes| shapes.can_be_exact());
        let Some(others) = others.filter(|_| self.shapes.can_be_exact()) else {
            return self.nearest_of_index(distance as f32);
        };
        let exact = index.is_exact_for(&self.shapes);
        let checked = match exact {
            true => self.shapes.exact(|columns| columns.check().map(drop)),
            false => self.shapes.relative([0.0; 2], |columns| columns.check().map(drop)),
        };
        checked.map_err(|error| self.shapes.failure(error))?;
        let mut pairs = mem::take(&mut self.workspace.listed);
        // Pairs are grouped below: short lists are sorted in less time than all pairs.
        let sorted = mem::take(&mut self.options.order) == Order::Sorted;
        self.options.touching = Touching::Inclusive;
        let most = self.options.max_pairs as usize;
        let mut found = ListColumns {
            offsets: memory::filled(0, self.shapes.len() + 1)?,
            rows: Vec::new(),
            lengths: Some(match exact {
                true => Lengths::Double(Vec::new()),
                false => Lengths::Single(Vec::new()),
            }),
            shifts: None,
        };
        for block in blocks(self.shapes.len(), ROWS_OF_BLOCK) {
            let shapes = self.shapes.part(block.clone())?;
            let result = self.near_pairs(shapes, exact, distance, &mut pairs);
            if matches!(&result, Err(Failure::Library(Error::TooManyPairs { .. }, _)))
                || result.is_ok() && found.rows.len() + pairs.len() > most
            {
                // All blocks together have so many.
                let all = self.shapes.part(0..self.shapes.len())?;
                self.near_pairs(all, exact, distance, &mut pairs)?;
            }
            result?;
            found.append(&block, &pairs, sorted)?;
            let ListColumns { offsets, rows, lengths: Some(to), .. } = &mut found else { continue };
            let room = rows.capacity() - to.len();
            let rows = &rows[to.len()..];
            to.make_room(room).or_else(|_| to.make_room(rows.len()))?;
            lengths([&self.shapes, others], &block, (offsets, rows), |apart| to.push(apart));
        }
        self.workspace.listed = pairs;
        Ok(found)
    }

    /// Replaces `pairs` by the pairs of some shapes and the index, which can be exact.
    fn near_pairs(
        &mut self,
        shapes: Held,
        exact: bool,
        distance: f64,
        pairs: &mut Vec<Pair>,
    ) -> Result<(), Failure> {
        let shapes = if exact { shapes } else { shapes.grown(distance as f32)? };
        let given = mem::replace(&mut self.shapes, shapes);
        let result = match exact {
            true => self.exactly(|detector, scope| detector.pairs(scope.within(distance), pairs)),
            false => self.pairs(pairs),
        };
        self.shapes = given;
        result
    }

    /// The answer for kinds that have no such pairs: of all rows, the nearest ones.
    fn nearest_of_index(&mut self, distance: f32) -> Result<ListColumns, Failure> {
        let Some(index) = &self.against else { return Err(no_workspace()) };
        let sorted = self.options.order == Order::Sorted;
        let (shapes, all, mut lists) = (&self.shapes, index.rows(), Lists::new());
        let default = shapes.filters().is_none() && index.has_filters();
        let found = shapes.relative(index.origin(), |columns| {
            let view = index.single()?.view();
            let view = if default { view.filtered(Filter::ALL) } else { view };
            view.k_nearest_batch(columns, all, distance, &mut lists)
        });
        found.map_err(|error| shapes.failure(error))?;
        within(self.options.max_pairs, lists.items().len())?;
        ListColumns::of_neighbors(by_row(lists, sorted, |near: &Neighbor| near.row))
    }
}

/// The rows of a block, at least. There are pairs of one block at a time.
const ROWS_OF_BLOCK: usize = 1 << 13;

impl ListColumns {
    /// Appends the lists of a block of rows: of pairs that name the first rows by their places in
    /// the block. The offsets are 0 so far.
    fn append(
        &mut self,
        block: &Range<usize>,
        pairs: &[Pair],
        sorted: bool,
    ) -> Result<(), Failure> {
        let Self { offsets, rows, .. } = self;
        let before = rows.len();
        if before == 0 {
            // If there is memory, about as much as all blocks take: the rows then stay where they are.
            let blocks = offsets.len().div_ceil(block.len().max(1));
            let _ = rows.try_reserve_exact(pairs.len() * blocks / 8 * 9);
        }
        rows.try_reserve(pairs.len()).map_err(|_| Error::OutOfMemory { len: pairs.len() })?;
        rows.resize(before + pairs.len(), 0);
        let offsets = &mut offsets[block.start..=block.end];
        for pair in pairs {
            offsets[pair.a as usize + 1] += 1;
        }
        offsets[0] = before;
        // First the place of the next row of each list, and in the end the place where it ends.
        let mut next = before;
        for offset in &mut offsets[1..] {
            next += mem::replace(offset, next);
        }
        for pair in pairs {
            let place = &mut offsets[pair.a as usize + 1];
            rows[*place] = pair.b;
            *place += 1;
        }
        for ends in offsets.windows(2).filter(|_| sorted) {
            rows[ends[0]..ends[1]].sort_unstable();
        }
        Ok(())
    }
}

/// Calls `push` with the distances of the items of a block of lists. Both sets can be exact.
fn lengths(
    [shapes, others]: [&Held; 2],
    block: &Range<usize>,
    (offsets, mut rows): (&[usize], &[u32]),
    mut push: impl FnMut(f64),
) {
    for (row, ends) in block.clone().zip(offsets[block.start..=block.end].windows(2)) {
        let (list, rest) = rows.split_at(ends[1] - ends[0]);
        rows = rest;
        let Some(own) = shapes.row(row).filter(|_| !list.is_empty()) else { continue };
        for other in list.iter().filter_map(|row| others.row(*row as usize)) {
            push(own.distance(&other));
        }
    }
}
