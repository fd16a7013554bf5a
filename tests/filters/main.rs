//! Filters and worlds: detections and queries with filters beside detections and queries without,
//! from whose results the pairs that do not meet are removed; many worlds beside a call for each
//! world.
#![allow(clippy::unwrap_used, reason = "a panic is a failed test, in its helpers too")]

mod armies;
mod detection;
mod queries;
mod spaces;
mod store;

use common::Rng;
use widephase::Filter;

/// How the filters of a test differ.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Style {
    /// Three teams that hit each other, and sensors.
    Teams,
    /// More different filters than there are classes.
    Many,
    /// Groups of either sign.
    Groups,
    /// Owners, each of a few rows.
    Owners,
    /// Nothing meets.
    Nothing,
    /// All of several filters meet, and rows have owners or not.
    All,
}

pub(crate) const STYLES: [Style; 6] =
    [Style::Teams, Style::Many, Style::Groups, Style::Owners, Style::Nothing, Style::All];

/// A filter for each of `count` rows.
pub(crate) fn filters(style: Style, seed: u64, count: usize) -> Vec<Filter> {
    let mut rng = Rng::new(seed);
    let filter = |_| match style {
        Style::Teams => {
            let team = 1 << rng.below(3);
            let filter = Filter::new(team, !team);
            if rng.below(4) == 0 { filter.sensing() } else { filter }
        }
        Style::Many => {
            let mut word = || 1 << rng.below(6) | 1 << (58 + rng.below(6));
            Filter::new(word(), word() | word())
        }
        Style::Groups => Filter::new(1 << rng.below(2), 1).in_group(rng.below(5) as i32 - 2),
        Style::Owners => Filter::ALL.owned_by(rng.below(count as u64 / 4 + 2) as u32),
        Style::Nothing => Filter::new(1, 2),
        Style::All => {
            let filter = Filter::new(1 << rng.below(3), 7);
            if seed.is_multiple_of(2) { filter } else { filter.owned_by(rng.below(20) as u32) }
        }
    };
    (0..count).map(filter).collect()
}
