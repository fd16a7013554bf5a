/// Whether shapes that touch without overlapping count as a pair.
///
/// The policy means the same in every kernel, on every level and in every query.
///
/// Shapes without a radius and without a pose are decided exactly, whatever their coordinates:
/// segments that share an end, T junctions, triangles with a shared side. So a line cannot pass
/// through the joint of two segments, nor a point lie in neither of two triangles that share a side
/// with equal bits. Where radii are involved, the answer is exact on whole multiples of a power of
/// two of up to 2^10 of them, and elsewhere within a few roundings; with a pose, within roundings
/// of sizes and coordinates. The definition is
/// [`reference::contract::overlap`](crate::reference::contract::overlap) for axis-aligned shapes
/// and [`reference::exact::touch`](crate::reference::exact::touch) for all others; docs/numerics.md
/// says why.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Touching {
    /// Shapes that share at least one point are a pair: sides or corners that meet count.
    #[default]
    Inclusive,
    /// Sides or corners that only meet do not count: there must be a point of one strictly within
    /// the reach of the other. A point on the border of a box is no pair, one inside it is, and so
    /// are two boxes of zero width or two segments that cross. Segments that share an end or lie
    /// along each other are none, nor are two points, even coincident. Radii whose sum is below
    /// about 2^-75 square to zero, and then two such circles are no pair either.
    Exclusive,
}
