/// Whether shapes that touch without overlapping count as a pair.
///
/// The policy means the same in every kernel, on every level and in every query. It is decided in
/// `f32`, by [`reference::contract::overlap`](crate::reference::contract::overlap).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Touching {
    /// Shapes that share at least one point are a pair: sides or corners that meet count.
    #[default]
    Inclusive,
    /// Sides or corners that only meet do not count: there must be a point of one strictly within
    /// the reach of the other. A point on the border of a box is no pair, one inside it is, and so
    /// are two boxes of zero width that cross; two points, even coincident, are not. Radii whose
    /// sum is below about 2^-75 square to zero, and then two such circles are no pair either.
    Exclusive,
}
