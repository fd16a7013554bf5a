//! The result of a detection: pairs of rows, and the elements of lists that have a pair.

use super::pod;

/// Two shapes that touch, by their indices in the input.
///
/// In pairs among the shapes of one set, as a [`Detector`](crate::Detector) reports them, `a < b`.
/// In pairs with an [`Index`](crate::Index), `a` is a row of the shapes and `b` a row of the index,
/// and either may be the smaller number. Of two indexes, `a` is a row of the first and `b` a row of
/// the second. A [`Narrowphase`](crate::Narrowphase) does not change the pairs that the caller
/// passes.
///
/// Pairs are compared by `a`, then by `b`. As [`Pod`](bytemuck::Pod), a slice of pairs casts to
/// bytes and back without a copy.
///
/// ```
/// use widephase::Pair;
///
/// let bytes: &[u8] = bytemuck::cast_slice(&[Pair { a: 1, b: 2 }]);
/// assert_eq!(bytes.len(), 8);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[repr(C)]
pub struct Pair {
    /// The first shape: in pairs of one set, the smaller index; else the row in the first set.
    pub a: u32,
    /// The second shape: in pairs of one set, the larger index; else the row in the second set.
    pub b: u32,
}

pod!(Pair { a, b });

/// The sort key of a pair: by `a`, then by `b`. All sorts of pairs share it, and so their code.
pub(crate) fn pair_key(pair: &Pair) -> u64 {
    u64::from(pair.a) << 32 | u64::from(pair.b)
}

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
