//! `IndexView`: the shapes of an index that a query sees.

use crate::{Filter, Index};

/// Some shapes of an [`Index`]: those of a space whose filter meets the filter of the query, and
/// that a predicate of the caller accepts.
///
/// It has the [queries](crate::Queries) of the index, each with the same result as on an index of
/// these shapes alone, with their rows in the whole index. Shapes that are not seen cost one test
/// each, before their geometry is looked at. The index itself sees all its shapes of space 0. In a
/// batch of columns [with filters](crate::Columns::with_filters), each query sees by its own filter
/// instead; with spaces, in its own space.
///
/// ```
/// use widephase::{Columns, Filter, Index, Queries, Ray};
///
/// const WALL: u64 = 1;
/// const GLASS: u64 = 2;
/// let (x, y, radius) = ([3.0, 6.0, 9.0], [0.0; 3], [1.0; 3]);
/// let filters = [GLASS, WALL, WALL].map(|category| Filter::new(category, u64::MAX));
/// let index = Index::build(Columns::circles(&x, &y, &radius)?.with_filters(&filters)?)?;
///
/// let sight = Ray::new([0.0, 0.0], [1.0, 0.0]);
/// let walls = index.filtered(Filter::new(1, WALL));
/// assert_eq!(walls.cast_ray(sight)?.unwrap().row, 1);
/// assert_eq!(walls.without(1).cast_ray(sight)?.unwrap().row, 2);
/// assert_eq!(index.cast_ray(sight)?.unwrap().row, 0);
/// # Ok::<(), widephase::Error>(())
/// ```
#[derive(Clone, Copy)]
pub struct IndexView<'a> {
    pub(super) index: &'a Index,
    pub(super) space: u32,
    pub(super) filter: Option<Filter>,
    pub(super) accept: Option<&'a (dyn Fn(u32) -> bool + Sync)>,
    pub(super) mask: Option<&'a [bool]>,
    pub(super) without: Option<u32>,
}

impl std::fmt::Debug for IndexView<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { space, filter, without, .. } = self;
        f.debug_struct("IndexView")
            .field("space", space)
            .field("filter", filter)
            .field("without", without)
            .finish_non_exhaustive()
    }
}

impl Index {
    /// The shapes that a query with this filter sees. O(1) time.
    pub fn filtered(&self, filter: Filter) -> IndexView<'_> {
        self.all().filtered(filter)
    }

    /// The shapes whose rows `accept` accepts. It may be called on any thread, in any order.
    pub fn filtered_by<'a>(&'a self, accept: &'a (dyn Fn(u32) -> bool + Sync)) -> IndexView<'a> {
        self.all().filtered_by(accept)
    }

    /// The shapes whose rows are `true` in `mask`: what [`filtered_by`](Index::filtered_by) is for
    /// a closure. Rows beyond the end of the mask are not seen.
    ///
    /// ```
    /// use widephase::{Columns, Index, Queries, Ray};
    ///
    /// let index = Index::build(Columns::circles(&[3.0, 5.0], &[0.0; 2], &[1.0; 2])?)?;
    /// let ray = Ray::new([0.0, 0.0], [1.0, 0.0]);
    /// assert_eq!(index.masked(&[false, true]).cast_ray(ray)?.unwrap().row, 1);
    /// assert_eq!(index.masked(&[false]).cast_ray(ray)?, None);
    /// # Ok::<(), widephase::Error>(())
    /// ```
    pub fn masked<'a>(&'a self, mask: &'a [bool]) -> IndexView<'a> {
        self.all().masked(mask)
    }

    /// The shapes of a space: see [`Columns::with_spaces`](crate::Columns::with_spaces). The
    /// queries of the index itself are for space 0. A space without shapes has none.
    ///
    /// ```
    /// use widephase::{Columns, Index, Queries, Ray};
    ///
    /// let (x, y, radius) = ([3.0, 5.0], [0.0; 2], [1.0; 2]);
    /// let rooms = Columns::circles(&x, &y, &radius)?.with_spaces(&[0, 7])?;
    /// let index = Index::build(rooms)?;
    /// let ray = Ray::new([0.0, 0.0], [1.0, 0.0]);
    /// assert_eq!(index.cast_ray(ray)?.unwrap().row, 0);
    /// assert_eq!(index.in_space(7).cast_ray(ray)?.unwrap().row, 1);
    /// assert_eq!(index.in_space(1).cast_ray(ray)?, None);
    /// # Ok::<(), widephase::Error>(())
    /// ```
    pub fn in_space(&self, space: u32) -> IndexView<'_> {
        self.all().in_space(space)
    }

    /// All shapes but one row, such as the shape that asks.
    pub fn without(&self, row: u32) -> IndexView<'_> {
        self.all().without(row)
    }

    /// All shapes of space 0.
    pub(super) fn all(&self) -> IndexView<'_> {
        IndexView { index: self, space: 0, filter: None, accept: None, mask: None, without: None }
    }
}

impl<'a> IndexView<'a> {
    /// Of these shapes, those that a query with this filter sees; instead of an earlier filter.
    #[must_use]
    pub fn filtered(self, filter: Filter) -> Self {
        Self { filter: Some(filter), ..self }
    }

    /// Of these shapes, those whose rows `accept` accepts; instead of an earlier predicate.
    #[must_use]
    pub fn filtered_by(self, accept: &'a (dyn Fn(u32) -> bool + Sync)) -> Self {
        Self { accept: Some(accept), ..self }
    }

    /// Of these shapes, those whose rows are `true` in `mask`; instead of an earlier mask.
    #[must_use]
    pub fn masked(self, mask: &'a [bool]) -> Self {
        Self { mask: Some(mask), ..self }
    }

    /// The shapes in another space, by the same filter and predicate.
    #[must_use]
    pub fn in_space(self, space: u32) -> Self {
        Self { space, ..self }
    }

    /// Of these shapes, all but one row; instead of an earlier such row.
    #[must_use]
    pub fn without(self, row: u32) -> Self {
        Self { without: Some(row), ..self }
    }
}
