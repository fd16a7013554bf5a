//! Items that are removed from a grid, or come after its sort.

use std::ops::Range;

use super::{Grid, sort::Arrangement};
#[cfg(feature = "queries")]
use crate::filter::FilterKind;
use crate::shape::RoundedBox;

impl Grid {
    /// Makes holes among the items, for items that come later. Does nothing if there is no memory,
    /// or if a level is helical: nothing can be inserted then.
    pub(crate) fn loosen(&mut self) {
        if self.is_dense() && self.sorted.loosen(&self.plan, self.form) {
            self.forget();
        }
    }

    fn is_dense(&self) -> bool {
        self.plan.levels().iter().all(|cells| !cells.wraps)
    }

    /// The number of places of all levels: items and holes.
    pub(crate) fn len(&self) -> usize {
        (0..self.plan.levels().len()).map(|level| self.sorted.items(level).len()).sum()
    }

    /// The place of the item with an id in a cell, if it was not removed.
    pub(crate) fn find(&self, cell: u32, id: u32) -> Option<usize> {
        let mut places = self.sorted.places_of(cell as usize..cell as usize + 1);
        places.find(|place| self.sorted.ids()[*place] == id && self.view().is_live(*place))
    }

    /// Removes the item at a place. Searches no longer find it; its place stays, as a hole, and
    /// nothing else changes. Candidate lists are dropped.
    pub(crate) fn remove(&mut self, place: usize) {
        let Self { form, plan, sorted, candidate_lists, .. } = self;
        let levels = plan.levels().iter().enumerate();
        let helical = levels.filter(|(_, cells)| cells.wraps);
        let mut ranges = helical.map(|(level, _)| sorted.items(level));
        let level = ranges.find(|items| items.contains(&place));
        sorted.remove(*form, place, level);
        candidate_lists.clear();
        #[cfg(feature = "queries")]
        if let Some(tree) = self.tree.made_mut() {
            tree.remove(place);
        }
    }

    /// Puts an item into a hole near its place. The grid must have been built to be searched.
    /// Returns its cell, and the places with other items than before; `None` if the columns, the
    /// levels or the cells are not made for such an item, or if there is no memory. Candidate lists
    /// are dropped.
    pub(crate) fn insert(&mut self, sides: &RoundedBox, id: u32) -> Option<(u32, Range<usize>)> {
        let fits = self.form.holds(sides) && self.is_dense();
        let (level, cell) = Some(sides).filter(|_| fits).and_then(|own| self.plan.cell_of(own))?;
        let before = self.sorted.items(level);
        let plan = (&self.plan, self.form);
        let places = match before.is_empty() {
            true => 0..0,
            false => self.sorted.insert(plan, (level, cell), sides, id),
        };
        if places.is_empty() {
            return None;
        }
        self.candidate_lists.clear();
        if self.sorted.items(level) != before {
            self.forget();
        }
        #[cfg(feature = "queries")]
        if let Some(tree) = self.tree.made_mut() {
            tree.renew(&self.sorted, self.form, places.clone());
        }
        Some((cell, places))
    }

    /// The items and holes of all levels.
    pub(crate) fn arrangement(&self) -> Arrangement {
        self.sorted.arrangement(self.plan.levels().len())
    }

    /// Puts items to the places where they once were: see [`Sorted::arrange`](super::Sorted).
    pub(crate) fn arrange(
        &mut self,
        arrangement: &Arrangement,
        sides: impl Fn(u32) -> RoundedBox,
    ) -> bool {
        let fits =
            self.is_dense() && self.sorted.arrange((&self.plan, self.form), arrangement, sides);
        self.forget();
        fits
    }

    /// Notes the kinds of the items at the places that an insertion has changed: see
    /// [`node_kinds`](Grid::node_kinds).
    #[cfg(feature = "queries")]
    pub(crate) fn renew_kinds(
        &mut self,
        places: Range<usize>,
        kind_of: impl Fn(u32) -> FilterKind,
    ) {
        let Self { tree, node_kinds, sorted, .. } = self;
        if let (Some(tree), Some(kinds)) = (tree.made(), node_kinds.made_mut()) {
            let ids = sorted.ids();
            if !kinds.add(tree, places, |place| kind_of(ids[place])) {
                node_kinds.clear();
            }
        }
    }
}
