//! Items that are removed from a grid, or come after its sort.

use super::{
    Grid,
    sort::{Arrangement, Insertion},
};
#[cfg(feature = "queries")]
use crate::filter::FilterKind;
use crate::shape::RoundedBox;

impl Grid {
    /// Makes holes among the items, for items that come later.
    pub(crate) fn loosen(&mut self) {
        self.sorted.loosen(&self.plan, self.form);
        self.forget();
    }

    /// The number of places of all levels: items and holes.
    pub(crate) fn len(&self) -> usize {
        (0..self.plan.levels().len()).map(|level| self.sorted.items(level).len()).sum()
    }

    /// Removes the item at a place. Searches find it no more; its place stays, as a hole, and
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
    /// Returns `None`, and does nothing, if there is none, or if the columns, the level or the cells
    /// are not made for such an item. Candidate lists are dropped.
    pub(crate) fn insert(&mut self, sides: &RoundedBox, id: u32) -> Option<Insertion> {
        let Self { form, plan, sorted, candidate_lists, .. } = self;
        let at = Some(sides).filter(|sides| form.holds(sides)).and_then(|sides| plan.cell_of(sides));
        let insertion = sorted.insert(*form, at?, sides, id)?;
        candidate_lists.clear();
        #[cfg(feature = "queries")]
        if let Some(tree) = self.tree.made_mut() {
            tree.renew(sorted, *form, insertion.places());
        }
        Some(insertion)
    }

    /// The items and holes of the dense levels.
    pub(crate) fn arrangement(&self) -> Arrangement {
        self.sorted.arrangement(&self.plan)
    }

    /// Puts items to the places where they once were: see [`Sorted::arrange`](super::Sorted).
    pub(crate) fn arrange(
        &mut self,
        arrangement: &Arrangement,
        sides: impl Fn(u32) -> RoundedBox,
    ) -> bool {
        let Self { form, plan, sorted, .. } = self;
        let fits = sorted.arrange((plan, *form), arrangement, sides);
        self.forget();
        fits
    }

    /// Notes the kinds of the items at the places that an insertion has changed: see
    /// [`node_kinds`](Grid::node_kinds).
    #[cfg(feature = "queries")]
    pub(crate) fn renew_kinds(
        &mut self,
        insertion: &Insertion,
        kind_of: impl Fn(u32) -> FilterKind,
    ) {
        let Self { tree, node_kinds, sorted, .. } = self;
        if let (Some(tree), Some(kinds)) = (tree.made(), node_kinds.made_mut()) {
            let ids = sorted.ids();
            if !kinds.add(tree, insertion.places(), |place| kind_of(ids[place])) {
                node_kinds.clear();
            }
        }
    }
}
