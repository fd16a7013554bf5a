//! Filters: which bodies may meet, whatever their shapes are.
//!
//! ```text
//! mod.rs       the rule, and the filter of a row                       (Filter)
//! distinct.rs  the filters of a set, each once: a bit for each         (DistinctFilters)
//!              the bodies of a grid and their filters                  (Side)
//! meeting.rs   filters of the rows → what each place of a grid meets   (Meeting)
//!              lists of rows, decided one after the other              (ListedRows)
//! ```

mod distinct;
mod meeting;

use std::fmt;

pub(crate) use distinct::{DistinctFilters, FilteredItems, SetFilters};
#[cfg(feature = "queries")]
pub(crate) use distinct::{FilterKind, MAX_CLASSES};
pub(crate) use meeting::{
    GrownItems, LaneTest, ListedRows, MeetingFilter, MeetingWorkspace, MetClasses, Target,
};

/// Which other shapes a shape meets: shapes that do not meet form no pair, however they lie.
///
/// Two shapes with the filters `a` and `b` meet by the first of these rules that applies:
///
/// 1. Both shapes have one [`owner`](Filter::owner), not 0: never.
/// 2. Both shapes are in one [`group`](Filter::group), not 0: always if it is positive, never if it
///    is negative.
/// 3. Each shape accepts the other: `a.category & b.mask != 0` and `b.category & a.mask != 0`.
///
/// The default filter is of category 1, accepts all categories, and has neither group nor owner.
/// (Masks and groups are as in Box2D.)
///
/// A column of filters goes with columns of shapes:
/// [`Columns::with_filters`](crate::Columns::with_filters). A store keeps a filter for each row:
/// [`Shapes::set_filter`](crate::Shapes::set_filter). An [`Index`](crate::Index) keeps the filters
/// of the shapes that it was built from. Queries ask with a filter:
/// [`Index::filtered`](crate::Index::filtered). Shapes without filters meet as with the default
/// filter.
///
/// The search decides filters before it writes a pair: pairs that do not meet cost no memory and no
/// narrowphase. A [`Narrowphase`](crate::Narrowphase) decides the pairs that it is given, and reads
/// no filters.
///
/// ```
/// use widephase::{Columns, Detector, Filter, Pair};
///
/// const PLAYER: u64 = 1;
/// const ENEMY: u64 = 2;
/// // Players meet enemies, and no side meets itself.
/// let (player, enemy) = (Filter::new(PLAYER, ENEMY), Filter::new(ENEMY, PLAYER));
/// let (x, y, radius) = ([0.0, 1.0, 2.0], [0.0; 3], [2.0; 3]);
/// let circles = Columns::circles(&x, &y, &radius)?;
/// let filters = [player, player, enemy];
/// let mut pairs = Vec::new();
/// Detector::new().pairs(circles.with_filters(&filters)?, &mut pairs)?;
/// pairs.sort();
/// assert_eq!(pairs, [Pair { a: 0, b: 2 }, Pair { a: 1, b: 2 }]);
/// # Ok::<(), widephase::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default))]
pub struct Filter {
    /// The categories of the shape, one bit each.
    pub category: u64,
    /// The categories that it accepts.
    pub mask: u64,
    /// The group; 0 for no group.
    pub group: i32,
    /// The body or team that the shape belongs to; 0 for no owner. Shapes of one owner never meet:
    /// the parts of a body, or a bullet and who fired it.
    pub owner: u32,
    /// Whether the shape only reports that it overlaps other shapes. Pairs with a sensor are
    /// listed, and they have no contact.
    pub sensor: bool,
}

impl Default for Filter {
    fn default() -> Self {
        Self::ALL
    }
}

impl Filter {
    /// The default filter.
    pub const ALL: Self = Self { category: 1, mask: u64::MAX, group: 0, owner: 0, sensor: false };

    /// A filter of some categories that accepts the categories of `mask`.
    pub const fn new(category: u64, mask: u64) -> Self {
        Self { category, mask, ..Self::ALL }
    }

    /// The filter in a group.
    #[must_use]
    pub const fn in_group(self, group: i32) -> Self {
        Self { group, ..self }
    }

    /// The filter with an owner.
    #[must_use]
    pub const fn owned_by(self, owner: u32) -> Self {
        Self { owner, ..self }
    }

    /// The filter, made a sensor's.
    #[must_use]
    pub const fn sensing(self) -> Self {
        Self { sensor: true, ..self }
    }

    /// Whether shapes with these two filters meet. The answer is equal in both directions.
    #[inline]
    pub const fn meets(&self, other: &Self) -> bool {
        if self.owner != 0 && self.owner == other.owner {
            return false;
        }
        self.meets_apart(other)
    }

    /// The rule without the owners. No branch on masks: it would not be predictable.
    #[inline]
    const fn meets_apart(&self, other: &Self) -> bool {
        if self.group != 0 && self.group == other.group {
            return self.group > 0;
        }
        (self.category & other.mask != 0) & (other.category & self.mask != 0)
    }
}

/// A decision about two rows.
#[derive(Clone, Copy)]
pub(crate) struct Predicate<'a> {
    pub(crate) accept: &'a (dyn Fn(u32, u32) -> bool + Sync),
    /// Prefetches the memory that the decision about two rows reads.
    pub(crate) prefetch: Option<&'a (dyn Fn(u32, u32) + Sync)>,
    /// Whether shapes are grown by their roundings, so that pairs that
    /// [surely touch](crate::kernel::grown::surely_touch) need no decision.
    pub(crate) grown: bool,
    /// Removes refused items from lists of rows, faster than by one question an item.
    pub(crate) lists: Option<&'a (dyn Fn(ListedRows<'_>) + Sync)>,
}

impl fmt::Debug for Predicate<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Predicate")
    }
}

/// The rule for which rows of a set meet other rows: the filter of each row, and a predicate that
/// is asked last.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Filtering<'a> {
    pub(crate) filters: Option<&'a [Filter]>,
    pub(crate) predicate: Option<Predicate<'a>>,
}

impl Filtering<'_> {
    /// Whether nothing is decided.
    pub(crate) fn is_none(&self) -> bool {
        self.filters.is_none() && self.predicate.is_none()
    }
}

#[cfg(test)]
mod tests {
    use super::Filter;

    #[test]
    fn rules_in_their_order() {
        let all = Filter::ALL;
        assert!(all.meets(&all));
        assert!(!Filter::new(1, 2).meets(&Filter::new(1, 3)), "one side refuses");
        assert!(Filter::new(1, 2).meets(&Filter::new(2, 1)));
        assert!(!Filter::new(0, u64::MAX).meets(&all), "no category");
        assert!(Filter::new(1 << 63, u64::MAX).meets(&Filter::new(1, 1 << 63)));
        // A group decides before masks, an owner before the group.
        assert!(Filter::new(0, 0).in_group(3).meets(&Filter::new(0, 0).in_group(3)));
        assert!(!all.in_group(-3).meets(&all.in_group(-3)));
        assert!(all.in_group(-3).meets(&all.in_group(-4)));
        assert!(all.in_group(3).meets(&all.in_group(-3)));
        assert!(!all.in_group(3).owned_by(7).meets(&all.in_group(3).owned_by(7)));
        assert!(all.owned_by(7).meets(&all.owned_by(8)));
        assert!(all.owned_by(7).meets(&all));
        assert!(all.sensing().meets(&all.sensing()));
    }
}
