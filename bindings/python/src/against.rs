//! The rows of an index within a distance of shapes.

use std::mem;

use widephase::{Adjacency, Filter, Lists, Neighbor, Order, Queries, Touching, adjacency};

use crate::{
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
        let mut pairs = mem::take(&mut self.workspace.listed);
        // Pairs are grouped below: short lists are sorted in less time than all pairs.
        let sorted = mem::take(&mut self.options.order) == Order::Sorted;
        self.options.touching = Touching::Inclusive;
        if exact {
            self.exactly(|detector, scope| detector.pairs(scope.within(distance), &mut pairs))?;
        } else {
            let checked = self.shapes.relative([0.0; 2], |columns| columns.check().map(drop));
            checked.map_err(|error| self.shapes.failure(error))?;
            let grown = self.shapes.grown(distance as f32)?;
            let shapes = mem::replace(&mut self.shapes, grown);
            let found = self.pairs(&mut pairs);
            self.shapes = shapes;
            found?;
        }
        let (mut lists, len) = (Lists::new(), self.shapes.len());
        adjacency(len.max(others.len()), &pairs, Adjacency::Half, &mut lists)?;
        self.workspace.listed = pairs;
        let (mut offsets, mut rows) = lists.into_parts();
        offsets.truncate(len + 1);
        for ends in offsets.windows(2).filter(|_| sorted) {
            rows[ends[0]..ends[1]].sort_unstable();
        }
        let lengths = match exact {
            true => Lengths::Double(lengths(&self.shapes, others, &offsets, &rows, |apart| apart)?),
            false => {
                let narrow = |apart: f64| apart as f32;
                Lengths::Single(lengths(&self.shapes, others, &offsets, &rows, narrow)?)
            }
        };
        Ok(ListColumns { offsets, rows, lengths: Some(lengths), shifts: None })
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

/// The distances of shapes of two sets, which can be exact.
fn lengths<T>(
    shapes: &Held,
    others: &Held,
    offsets: &[usize],
    rows: &[u32],
    of: impl Fn(f64) -> T,
) -> Result<Vec<T>, Failure> {
    let mut found = memory::with_room(rows.len())?;
    for (row, ends) in offsets.windows(2).enumerate() {
        let Some(own) = shapes.row(row).filter(|_| ends[0] < ends[1]) else { continue };
        for row in &rows[ends[0]..ends[1]] {
            if let Some(other) = others.row(*row as usize) {
                found.push(of(own.distance(&other)));
            }
        }
    }
    Ok(found)
}
