/// The policy for shapes that touch without overlapping: whether they count as a pair.
///
/// The policy has one meaning in every kernel, at every SIMD level and in every query but rays.
/// Rays, scans and lines of sight see closed shapes, whatever the policy: a shape that only touches
/// a ray is hit.
///
/// Shapes without a radius and without a pose are decided exactly, whatever their coordinates:
/// segments that share an end, T junctions, triangles with a shared side. So a line cannot pass
/// through the joint of two segments. A point cannot lie between two triangles that share a side
/// with equal bits. With radii, the answer is exact on whole multiples of a power of two, of up to
/// 2^10 times that power, and otherwise within a few roundings. With a pose, it is within the
/// roundings of sizes and coordinates. The definition is
/// [`reference::contract::overlap`](crate::reference::contract::overlap) for axis-aligned shapes
/// and [`reference::exact::touch`](crate::reference::exact::touch) for all other shapes.
/// [Numerics](crate::guide::numerics) gives the reasons.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Touching {
    /// Shapes that share at least one point are a pair: sides or corners that meet count.
    #[default]
    Inclusive,
    /// Sides or corners that only meet do not count: the shapes must overlap. A point on the border
    /// of a box is not a pair with it, and a point inside is. Two boxes of zero width, or two
    /// segments, are a pair if they cross. Segments that share an end or lie along each other are
    /// not, nor are two points, even if they coincide. A sum of radii below about 2^-75 squares to
    /// zero, and two such circles are not a pair either.
    Exclusive,
}
