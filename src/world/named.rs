//! `HasRow`: answers of queries, whose bodies a world names.

/// An answer of a query that has the row of a shape: an argument of
/// [`World::named`](crate::World::named). Implement it for your own records that have a row.
pub trait HasRow {
    /// The row.
    fn row(&self) -> u32;
}

impl HasRow for u32 {
    fn row(&self) -> u32 {
        *self
    }
}

#[cfg(feature = "queries")]
impl HasRow for crate::narrowphase::hit::Hit {
    fn row(&self) -> u32 {
        self.row
    }
}

#[cfg(feature = "queries")]
impl HasRow for crate::query::Neighbor {
    fn row(&self) -> u32 {
        self.row
    }
}
