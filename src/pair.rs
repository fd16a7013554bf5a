//! What comes out: pairs of indices.

use bytemuck::{Pod, Zeroable};

/// Two shapes that touch, by their indices in the input.
///
/// Among the shapes of one set, as a [`Detector`](crate::Detector) reports them, `a < b`. With a
/// [`Index`](crate::StaticSet), `a` is an index of the shapes and `b` one of the static ones, and
/// either may be the smaller. A [`Narrowphase`](crate::Narrowphase) leaves the pairs that it is handed as
/// they are.
///
/// The order of fields is the order of comparison, so sorting pairs sorts by `a`, then by `b`.
/// As [`Pod`], a slice of pairs casts to bytes and back without a copy.
///
/// ```
/// use widephase::Pair;
///
/// let bytes: &[u8] = bytemuck::cast_slice(&[Pair { a: 1, b: 2 }]);
/// assert_eq!(bytes.len(), 8);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Pod, Zeroable)]
#[repr(C)]
pub struct Pair {
    /// The first shape: of one set the one with the smaller index, or the moving one.
    pub a: u32,
    /// The second shape: of one set the one with the larger index, or the static one.
    pub b: u32,
}
