//! `HasPair`: the elements of the lists that a `PairDiff` compares.

use super::pair::Pair;

/// An element of a list that [`PairDiff`](crate::PairDiff) compares: a pair, or a result with a
/// pair, such as a contact.
///
/// Implement it for your own records that have a pair.
///
/// ```
/// use widephase::{Pair, PairDiff, events::HasPair};
///
/// struct Spring {
///     pair: Pair,
///     length: f32,
/// }
///
/// impl HasPair for Spring {
///     fn pair(&self) -> Pair {
///         self.pair
///     }
/// }
///
/// let springs = [Spring { pair: Pair { a: 0, b: 7 }, length: 2.0 }];
/// let mut diff = PairDiff::new();
/// diff.update(&springs)?;
/// assert_eq!(springs[diff.started()[0].index as usize].length, 2.0);
/// # Ok::<(), widephase::Error>(())
/// ```
pub trait HasPair {
    /// The two rows.
    fn pair(&self) -> Pair;
}

impl HasPair for Pair {
    fn pair(&self) -> Pair {
        *self
    }
}
