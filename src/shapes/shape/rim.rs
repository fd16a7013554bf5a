//! The border of an outline, as each of its convex parts sees it.

/// A vertex of a part of an outline.
///
/// The corners of a part go round it counter-clockwise. Unlike the vertices of its polygon, they
/// include the corners on a straight side: such a side may be on the border in one place, and
/// shared with another part in the next.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct RimCorner {
    pub(crate) at: [f32; 2],
    /// The vertices of the border before and after this corner, the area on the left. Both vertices
    /// are the corner itself if it lies inside of the area.
    pub(crate) before: [f32; 2],
    pub(crate) after: [f32; 2],
    /// Whether the side to the next corner is on the border. If not, it is an inner side, which
    /// another part shares.
    pub(crate) outer: bool,
}
