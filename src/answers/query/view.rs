//! `IndexView`: the shapes of an index that a query sees, layer by layer.

use crate::{
    base::Pair,
    error::{Error, Field, limit::Listed},
    filter::Filter,
    index::Index,
    lists::Lists,
    store::OneOrEach,
};

/// Some shapes of an [`Index`]: the shapes of a space whose filter meets the filter of the query,
/// and that a predicate of the caller accepts.
///
/// It has the [queries](crate::Queries) of the index, each with the same result as on an index of
/// these shapes alone, with their rows in the whole index. Shapes that are not seen cost one test
/// each, before their geometry is looked at. The index itself sees all its shapes. In a batch of
/// columns [with filters](crate::Columns::with_filters), each query sees by its own filter instead;
/// with spaces, in its own space. The space must be named, by columns or by
/// [`in_space`](IndexView::in_space), if the shapes are in any other than space 0. In a batch of
/// any kind, each query can have its own [space](IndexView::in_space) and leave out [its own
/// row](IndexView::without).
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
    /// The layer of the index that is searched: see [`IndexView::layers`].
    pub(super) layer: usize,
    pub(super) space: PerQuery<'a>,
    /// Whether the caller has named the space.
    pub(super) named: bool,
    pub(super) filter: Option<Filter>,
    pub(super) accept: Option<&'a (dyn Fn(u32) -> bool + Sync)>,
    pub(super) mask: Option<&'a [bool]>,
    pub(super) without: Option<PerQuery<'a>>,
}

/// A number for all queries, or a number for each query of a batch. A call with another number of
/// queries is an error; a query that is not a batch is one query.
pub type PerQuery<'a> = OneOrEach<'a, u32>;

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

    /// The shapes whose rows are `true` in `mask`: as [`filtered_by`](Index::filtered_by) with a
    /// closure. Rows beyond the end of the mask are not seen.
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

    /// The shapes of a space: see [`Columns::with_spaces`](crate::Columns::with_spaces). An index
    /// with several spaces has no queries without it. A view of a space without shapes has no
    /// shapes. A slice has the space of each query of a batch ([`PerQuery`]); for columns with
    /// spaces, their own count.
    ///
    /// # Errors
    /// [`Error::UnequalColumns`] from the batch, for
    /// [`Field::Space`](crate::error::Field::Space), if the slice has another length.
    ///
    /// ```
    /// use widephase::{Columns, Index, Queries, Ray};
    ///
    /// let (x, y, radius) = ([3.0, 5.0], [0.0; 2], [1.0; 2]);
    /// let rooms = Columns::circles(&x, &y, &radius)?.with_spaces(&[0, 7])?;
    /// let index = Index::build(rooms)?;
    /// let ray = Ray::new([0.0, 0.0], [1.0, 0.0]);
    /// assert!(index.cast_ray(ray).is_err()); // in which space?
    /// assert_eq!(index.in_space(7).cast_ray(ray)?.unwrap().row, 1);
    /// assert_eq!(index.in_space(1).cast_ray(ray)?, None);
    ///
    /// let mut hits = Vec::new();
    /// index.in_space(&[7, 0]).cast_ray_batch(&[ray, ray], &mut hits)?;
    /// assert_eq!([hits[0].unwrap().row, hits[1].unwrap().row], [1, 0]);
    /// # Ok::<(), widephase::Error>(())
    /// ```
    pub fn in_space<'a>(&'a self, space: impl Into<PerQuery<'a>>) -> IndexView<'a> {
        self.all().in_space(space)
    }

    /// All shapes but one row, such as the shape that asks. A slice has the row of each query of a
    /// batch ([`PerQuery`]). A row that the index does not have leaves nothing out.
    ///
    /// # Errors
    /// [`Error::UnequalColumns`] from the batch, for [`Field::Row`](crate::error::Field::Row), if
    /// the slice has another length.
    ///
    /// ```
    /// use widephase::{Columns, Fan, Index, Queries, columns::ScanColumns};
    /// use widephase::shape::{Pose, Rotation};
    ///
    /// // Two robots look at each other.
    /// let (x, y, radius) = ([0.0, 10.0], [0.0; 2], [1.0; 2]);
    /// let index = Index::build(Columns::circles(&x, &y, &radius)?)?;
    /// let poses = [Pose::at([0.0, 0.0]), Pose::new([10.0, 0.0], Rotation::quarter_turns(2))];
    /// let mut scan = ScanColumns::new();
    /// index.without(&[0, 1]).scan(&Fan::new(1, 0.0, 0.0, 20.0), &poses, &mut scan)?;
    /// assert_eq!((scan.range, scan.row), (vec![9.0, 9.0], vec![1, 0]));
    /// # Ok::<(), widephase::Error>(())
    /// ```
    pub fn without<'a>(&'a self, row: impl Into<PerQuery<'a>>) -> IndexView<'a> {
        self.all().without(row)
    }

    /// All shapes.
    pub(super) fn all(&self) -> IndexView<'_> {
        IndexView {
            index: self,
            layer: 0,
            space: PerQuery::Same(0),
            named: false,
            filter: None,
            accept: None,
            mask: None,
            without: None,
        }
    }
}

impl<'a> IndexView<'a> {
    /// The shapes of this view that a query with this filter sees; instead of an earlier filter.
    #[must_use]
    pub fn filtered(self, filter: Filter) -> Self {
        Self { filter: Some(filter), ..self }
    }

    /// The shapes of this view whose rows `accept` accepts; instead of an earlier predicate.
    #[must_use]
    pub fn filtered_by(self, accept: &'a (dyn Fn(u32) -> bool + Sync)) -> Self {
        Self { accept: Some(accept), ..self }
    }

    /// The shapes of this view whose rows are `true` in `mask`; instead of an earlier mask.
    #[must_use]
    pub fn masked(self, mask: &'a [bool]) -> Self {
        Self { mask: Some(mask), ..self }
    }

    /// The shapes in another space, by the same filter and predicate: see [`Index::in_space`].
    #[must_use]
    pub fn in_space(self, space: impl Into<PerQuery<'a>>) -> Self {
        Self { space: space.into(), named: true, ..self }
    }

    /// The shapes of this view but one row; instead of an earlier such row: see [`Index::without`].
    #[must_use]
    pub fn without(self, row: impl Into<PerQuery<'a>>) -> Self {
        Self { without: Some(row.into()), ..self }
    }

    /// Checks that a list of numbers has a number for each of this many queries, and that the space
    /// is named if there are several.
    #[inline]
    pub(super) fn check(&self, queries: usize) -> Result<(), Error> {
        self.index.ask_for_query()?;
        if !self.named && self.index.in_spaces() && !self.index.spaces().eq([0]) {
            return Err(Error::NoSpaceNamed { spaces: self.index.spaces().count() });
        }
        self.space.check(Field::Space, queries)?;
        self.without.map_or(Ok(()), |without| without.check(Field::Row, queries))
    }

    /// Whether the queries of a batch see different shapes.
    pub(super) fn differs(&self) -> bool {
        matches!(self.space, PerQuery::Each(_)) || matches!(self.without, Some(PerQuery::Each(_)))
    }

    /// Whether all shapes of a space are seen, but one row for each query.
    pub(super) fn sees_spaces(&self) -> bool {
        self.filter.is_none() && self.accept.is_none() && self.mask.is_none()
    }

    /// Whether all shapes of a space are seen.
    pub(super) fn sees_all(&self) -> bool {
        self.sees_spaces() && self.without.is_none()
    }

    /// The shapes that a query of a batch sees.
    pub(super) fn of_query(&self, query: usize) -> Self {
        let of = |numbers: PerQuery<'_>| PerQuery::Same(numbers.of(query));
        Self { space: of(self.space), without: self.without.map(of), ..*self }
    }

    /// The space, and the row that is left out, of a query.
    pub(super) fn numbers(&self, query: usize) -> (u32, Option<u32>) {
        (self.space.of(query), self.without.map(|without| without.of(query)))
    }
}

/// Replaces answers by better answers of a layer. Before the first layer, there are no answers.
type AskLayer<'f, 'a, T> = dyn FnMut(&IndexView<'a>, &mut Vec<T>) -> Result<(), Error> + 'f;

/// Replaces lists by the lists of a layer. It also gets the lists of the first layer, but for the
/// first layer.
type ListLayer<'f, 'a, T> =
    dyn FnMut(&IndexView<'a>, Option<&Lists<T>>, &mut Lists<T>) -> Result<(), Error> + 'f;

impl<'a> IndexView<'a> {
    /// The same shapes, layer by layer.
    #[inline]
    pub(super) fn layers(&self) -> impl Iterator<Item = IndexView<'a>> + use<'a> {
        let view = *self;
        view.index.layers().map(move |layer| Self { layer, ..view })
    }

    /// Replaces `out` by the best answers of all layers to the queries of a batch.
    pub(super) fn best_of_layers<T>(
        &self,
        out: &mut Vec<T>,
        ask: &mut AskLayer<'_, 'a, T>,
    ) -> Result<(), Error> {
        out.clear();
        self.index.ready()?;
        let result = self.layers().try_for_each(|view| ask(&view, out));
        if result.is_err() {
            out.clear();
        }
        result
    }

    /// Replaces `lists` by the lists of a batch, joined from the lists of all layers. `arrange`
    /// gets the items of a list, orders them, and may drop the last items. There are at most `most`
    /// items.
    pub(super) fn lists_of_layers<T: Copy>(
        &self,
        lists: &mut Lists<T>,
        most: usize,
        ask: &mut ListLayer<'_, 'a, T>,
        arrange: &dyn Fn(&mut Vec<T>, usize),
    ) -> Result<(), Error> {
        self.index.ready()?;
        if !self.index.has_layers() {
            return ask(self, None, lists);
        }
        let (mut found, mut beyond) = (0, false);
        let mut all: Vec<Lists<T>> = Vec::new();
        for view in self.layers() {
            let mut own = Lists::new();
            match ask(&view, all.first(), &mut own) {
                Ok(()) => found += own.items().len() as u64,
                Err(Error::TooManyPairs { found: own, .. }) => {
                    (found, beyond) = (found + own, true)
                }
                Err(error) => {
                    lists.clear();
                    return Err(error);
                }
            }
            all.push(own);
        }
        lists.clear();
        if beyond || found > most as u64 {
            lists.give_back();
            return Err(Pair::too_many(most, found));
        }
        let queries = all.first().map_or(0, Lists::len);
        lists.make_room(queries, found as usize).map_err(|len| Error::OutOfMemory { len })?;
        for query in 0..queries {
            let begin = lists.items().len();
            for own in &all {
                lists.open().extend_from_slice(own.get(query));
            }
            arrange(lists.open(), begin);
            lists.end_list();
        }
        Ok(())
    }
}
