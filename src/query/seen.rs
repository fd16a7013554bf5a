//! `Seen`: the shapes of an index that a query sees.

use crate::{Filter, Index};

/// The shapes of an [`Index`] that a query sees: shapes whose filter meets the filter of the query,
/// and that a predicate of the caller accepts.
///
/// It has the queries of the index, each with the same result as on an index of these shapes alone,
/// with their rows in the whole index. Shapes that are not seen cost one test each, before their
/// geometry is looked at. The index itself sees all its shapes. In a batch of columns [with
/// filters](crate::Columns::with_filters), each query sees by its own filter instead.
///
/// ```
/// use widephase::{Columns, Filter, Index, Ray};
///
/// const WALL: u64 = 1;
/// const GLASS: u64 = 2;
/// let (x, y, radius) = ([3.0, 6.0, 9.0], [0.0; 3], [1.0; 3]);
/// let filters = [GLASS, WALL, WALL].map(|category| Filter::new(category, u64::MAX));
/// let world = Index::build(Columns::circles(&x, &y, &radius)?.with_filters(&filters)?)?;
///
/// let sight = Ray::new([0.0, 0.0], [1.0, 0.0]);
/// let walls = world.seen_by(Filter::new(1, WALL));
/// assert_eq!(walls.cast_ray(sight)?.unwrap().row, 1);
/// let not_the_first = |row| row != 1;
/// assert_eq!(walls.and_where(&not_the_first).cast_ray(sight)?.unwrap().row, 2);
/// assert_eq!(world.cast_ray(sight)?.unwrap().row, 0);
/// # Ok::<(), widephase::Error>(())
/// ```
#[derive(Clone, Copy)]
pub struct Seen<'a> {
    pub(super) index: &'a Index,
    pub(super) world: u32,
    pub(super) filter: Option<Filter>,
    pub(super) accept: Option<&'a (dyn Fn(u32) -> bool + Sync)>,
}

impl std::fmt::Debug for Seen<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Seen").field("filter", &self.filter).finish_non_exhaustive()
    }
}

impl Index {
    /// The shapes that a query with this filter sees. O(1) time.
    pub fn seen_by(&self, filter: Filter) -> Seen<'_> {
        Seen { filter: Some(filter), ..self.all() }
    }

    /// The shapes whose rows `accept` accepts. It may be called on any thread, in any order.
    pub fn seen_where<'a>(&'a self, accept: &'a (dyn Fn(u32) -> bool + Sync)) -> Seen<'a> {
        self.all().and_where(accept)
    }

    /// The shapes in a world: see [`Columns::with_worlds`](crate::Columns::with_worlds). The
    /// queries of the index itself are for world 0. A world without shapes has none.
    ///
    /// ```
    /// use widephase::{Columns, Index, Ray};
    ///
    /// let (x, y, radius) = ([3.0, 5.0], [0.0; 2], [1.0; 2]);
    /// let rooms = Columns::circles(&x, &y, &radius)?.with_worlds(&[0, 7])?;
    /// let index = Index::build(rooms)?;
    /// let ray = Ray::new([0.0, 0.0], [1.0, 0.0]);
    /// assert_eq!(index.cast_ray(ray)?.unwrap().row, 0);
    /// assert_eq!(index.in_world(7).cast_ray(ray)?.unwrap().row, 1);
    /// assert_eq!(index.in_world(1).cast_ray(ray)?, None);
    /// # Ok::<(), widephase::Error>(())
    /// ```
    pub fn in_world(&self, world: u32) -> Seen<'_> {
        self.all().in_world(world)
    }

    /// All shapes of world 0.
    pub(super) fn all(&self) -> Seen<'_> {
        Seen { index: self, world: 0, filter: None, accept: None }
    }
}

impl<'a> Seen<'a> {
    /// The shapes of the view whose rows `accept` accepts; instead of an earlier such decision.
    #[must_use]
    pub fn and_where(self, accept: &'a (dyn Fn(u32) -> bool + Sync)) -> Self {
        Self { accept: Some(accept), ..self }
    }

    /// The shapes in another world, by the same filter and predicate.
    #[must_use]
    pub fn in_world(self, world: u32) -> Self {
        Self { world, ..self }
    }

    pub(super) fn filter(&self) -> Option<Filter> {
        self.filter
    }

    pub(super) fn accept(&self) -> Option<&'a (dyn Fn(u32) -> bool + Sync)> {
        self.accept
    }
}
