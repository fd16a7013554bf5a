//! The faults of a plan that a sorted grid has shown, for a second plan.

use std::ops::Range;

use super::levels::Uppers;
use crate::base::MAX_LEVELS;

/// The faults of a plan, level by level.
#[derive(Debug, Clone, Copy, Default)]
pub(in crate::grid) struct Replan {
    uppers: Uppers,
    pub(in crate::grid) items: [usize; MAX_LEVELS],
    /// The area per item in each level whose cells are too large.
    pub(in crate::grid) areas: [Option<f64>; MAX_LEVELS],
}

impl Replan {
    /// Nothing yet about levels of these largest sizes.
    pub(in crate::grid) fn of_levels(uppers: Uppers) -> Self {
        Self { uppers, ..Self::default() }
    }

    /// A lower bound for the number of items of a size in `above < size <= upto`: the items of
    /// the levels that lie within these sizes.
    pub(super) fn items(&self, above: f32, upto: f32) -> usize {
        let within = self.levels().filter(|(_, sizes)| above <= sizes.start && sizes.end <= upto);
        within.map(|(level, _)| self.items[level]).sum()
    }

    /// The smallest area per item of the levels that overlap these sizes; `None` if the cells of
    /// all these levels were small enough.
    pub(super) fn area(&self, above: f32, upto: f32) -> Option<f64> {
        let near = self.levels().filter(|(_, sizes)| sizes.start < upto && above < sizes.end);
        near.filter_map(|(level, _)| self.areas[level]).min_by(f64::total_cmp)
    }

    /// The levels, each with the size that it begins above and the size that it goes up to.
    fn levels(&self) -> impl Iterator<Item = (usize, Range<f32>)> + '_ {
        let uppers = self.uppers.as_slice();
        let begins = std::iter::once(&-1.0).chain(uppers);
        begins.zip(uppers).map(|(&above, &upto)| above..upto).enumerate()
    }
}
