/// Whether shapes that touch without overlapping count as a pair.
///
/// The policy means the same in every kernel, on every level and in every query.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Touching {
    /// Shapes that share at least one point are a pair: sides or corners that meet count.
    #[default]
    Inclusive,
    /// Only shapes whose insides overlap are a pair: sides or corners that meet do not count, and
    /// neither does a shape without an inside (a point, a box of zero width) that lies on the
    /// border of another.
    Exclusive,
}
