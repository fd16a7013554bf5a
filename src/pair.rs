//! What comes out: pairs of indices.

use bytemuck::{Pod, Zeroable};

/// Two shapes that touch, by their indices in the input; always `a < b`.
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
    /// The smaller index.
    pub a: u32,
    /// The larger index.
    pub b: u32,
}
