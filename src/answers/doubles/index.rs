//! `DoubleIndex`: `f64` shapes that are asked many times.

use super::{
    columns::{DoubleBox, DoubleColumns, ReadRows, with_reader},
    frame::{DoubleFrame, RelativeColumns},
    records::DoubleRecords,
};
use crate::{
    base::{Held, held},
    error::{Error, Fault, Field},
    filter::Predicate,
    index::Index,
    lists::Lists,
    narrowphase::refuse,
    options::{IndexOptions, uses_pool},
    query::{IndexView, Neighbor, Queries},
    shape::Touching,
    simd::{Isa, SEARCHES_AHEAD},
    store::Columns,
};

/// Shapes of `f64` that are sorted once and asked many times, as an [`Index`]: see
/// [`doubles`](crate::doubles). It keeps a copy of the values: 32 bytes a shape.
///
/// ```
/// use widephase::{Lists, doubles::{DoubleColumns, DoubleIndex}};
///
/// let stations = [[4_500_000.125, 500_000.0], [4_500_000.5, 500_000.0]];
/// let index = DoubleIndex::build(DoubleColumns::points_at(&stations)?)?;
/// let mut nearest = Lists::new();
/// let here = [[4_500_000.3125, 500_000.0]];
/// index.k_nearest_batch(DoubleColumns::points_at(&here)?, 1, f64::INFINITY, &mut nearest)?;
/// assert_eq!((nearest.get(0)[0].row, nearest.get(0)[0].distance), (0, 0.1875));
/// # Ok::<(), widephase::Error>(())
/// ```
#[derive(Debug, Default)]
pub struct DoubleIndex {
    /// With [`Touching::Inclusive`].
    index: Index,
    touching: Touching,
    frame: DoubleFrame,
    records: DoubleRecords,
    relative: RelativeColumns,
}

held!(DoubleIndex { index, touching, frame, records, relative });

/// A shape of a [`DoubleIndex`] and its distance.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct DoubleNeighbor {
    /// The distance of the surfaces, 0 if they touch: [`DoubleBox::distance`].
    pub distance: f64,
    /// The row of the shape.
    pub row: u32,
}

impl DoubleIndex {
    /// An index of some shapes with the default options.
    ///
    /// # Errors
    /// The errors of [`Index::build`], values rounded to `f32`.
    pub fn build(shapes: DoubleColumns<'_>) -> Result<Self, Error> {
        let mut index = Self::default();
        index.rebuild(shapes)?;
        Ok(index)
    }

    /// An index without shapes, with these options.
    ///
    /// # Errors
    /// The errors of [`Index::with_options`].
    pub fn with_options(options: IndexOptions) -> Result<Self, Error> {
        let touching = options.touching;
        let options = IndexOptions { touching: Touching::Inclusive, ..options };
        Ok(Self { index: Index::with_options(options)?, touching, ..Self::default() })
    }

    /// Replaces the shapes, and keeps the memory.
    ///
    /// # Errors
    /// The errors of [`build`](DoubleIndex::build); the index is then as it was before.
    pub fn rebuild(&mut self, shapes: DoubleColumns<'_>) -> Result<(), Error> {
        let frame = DoubleFrame::of(&shapes);
        frame.fill(self.run_on(shapes.len())?, &shapes, 0.0, &mut self.relative)?;
        self.index.rebuild(self.relative.of(&shapes)?)?;
        self.frame = frame;
        self.records.fill(&shapes);
        Ok(())
    }

    /// Replaces `lists` by the rows that [touch](super::touches) each of `queries`, in the order of
    /// [`Queries::overlapping_batch`].
    ///
    /// # Errors
    /// The errors of [`Queries::overlapping_batch`], values rounded to `f32`. `lists` is then
    /// empty.
    pub fn overlapping_batch(
        &self,
        queries: DoubleColumns<'_>,
        lists: &mut Lists<u32>,
    ) -> Result<(), Error> {
        lists.clear();
        self.decide(&queries, &mut |columns| self.index.overlapping_batch(columns, lists))
    }

    /// The level by which this number of shapes is rounded, and whether on the pool.
    fn run_on(&self, shapes: usize) -> Result<(Isa, bool), Error> {
        let options = self.index.options();
        Ok((options.isa()?, uses_pool(options.threads, shapes)))
    }

    /// Calls `work` with queries that are decided in `f64`.
    fn decide(
        &self,
        queries: &DoubleColumns<'_>,
        work: &mut dyn FnMut(Columns<'_>) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let mut relative = RelativeColumns::default();
        self.frame.fill(self.run_on(queries.len())?, queries, 0.0, &mut relative)?;
        let accept = |query: u32, row: u32| {
            let own = with_reader!(queries, reader => reader.row(query as usize));
            own.within(&self.records.get(row), 0.0, self.touching)
        };
        let predicate = Predicate { accept: &accept, prefetch: None, grown: true, lists: None };
        work(relative.of(queries)?.decided_by(predicate))
    }

    /// Replaces `counts` by the number of rows that touch each of `queries`.
    ///
    /// # Errors
    /// As [`overlapping_batch`](DoubleIndex::overlapping_batch). `counts` is then empty.
    pub fn count_overlapping_batch(
        &self,
        queries: DoubleColumns<'_>,
        counts: &mut Vec<u64>,
    ) -> Result<(), Error> {
        counts.clear();
        self.decide(&queries, &mut |columns| self.index.count_overlapping_batch(columns, counts))
    }

    /// Replaces `lists` by the `k` nearest shapes of each of `queries` whose distance is at most
    /// `max_distance`, by distance, then by row.
    ///
    /// # Errors
    /// The errors of [`Queries::k_nearest_batch`], values rounded to `f32`. `lists` is then empty.
    pub fn k_nearest_batch(
        &self,
        queries: DoubleColumns<'_>,
        k: usize,
        max_distance: f64,
        lists: &mut Lists<DoubleNeighbor>,
    ) -> Result<(), Error> {
        lists.clear();
        check_max_distance(max_distance)?;
        let mut relative = RelativeColumns::default();
        self.frame.fill(self.run_on(queries.len())?, &queries, 0.0, &mut relative)?;
        let (columns, mut candidates) = (relative.of(&queries)?, Lists::new());
        // One shape more than is wanted: if it is surely further away, the shapes before it are the
        // nearest. Else the search goes on shape by shape. At least one shape is looked for, so
        // that all arguments are checked.
        let k = k.min(self.len());
        let (wanted, most) = (k + 1, self.frame.at_most(max_distance));
        self.index.k_nearest_batch(columns, wanted, most, &mut candidates)?;
        let row = |row: u32| self.records.get(row);
        for (query, list) in candidates.iter().enumerate() {
            let own = with_reader!(queries, reader => reader.row(query));
            let found = lists.open();
            let mut nearest = NearestDoubles { own, k, max_distance, first: found.len(), found };
            if k > 0 && !nearest.take_all(list, list.len() < wanted, &self.frame, &row) {
                nearest.found.truncate(nearest.first);
                let view = self.seen_by(&queries, query);
                let near = view.nearest_iter(relative.row(query), most)?;
                nearest.take(near, &self.frame, &row);
            }
            for near in candidates.get(query + SEARCHES_AHEAD) {
                self.records.prefetch(near.row);
            }
            lists.end_list();
        }
        Ok(())
    }

    /// Replaces `nearest` by the nearest shape of each of `queries`, if it has one.
    ///
    /// # Errors
    /// As [`k_nearest_batch`](DoubleIndex::k_nearest_batch). `nearest` is then empty.
    pub fn nearest_batch(
        &self,
        queries: DoubleColumns<'_>,
        max_distance: f64,
        nearest: &mut Vec<Option<DoubleNeighbor>>,
    ) -> Result<(), Error> {
        nearest.clear();
        let mut lists = Lists::new();
        self.k_nearest_batch(queries, 1, max_distance, &mut lists)?;
        nearest.extend(lists.iter().map(|list| list.first().copied()));
        Ok(())
    }

    /// The shapes that a query sees: the shapes of its space that its filter meets.
    fn seen_by(&self, queries: &DoubleColumns<'_>, query: usize) -> IndexView<'_> {
        let view = self.index.view();
        let view = queries.spaces.map_or(view, |spaces| view.in_space(spaces[query]));
        queries.filters.map_or(view, |filters| view.filtered(filters[query]))
    }

    /// The number of shapes.
    pub fn len(&self) -> usize {
        self.index.len()
    }

    /// Whether there are no shapes.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The bytes of memory held.
    pub fn bytes(&self) -> usize {
        Held::bytes(self)
    }

    pub(super) fn frame(&self) -> &DoubleFrame {
        &self.frame
    }

    /// The index of the shapes in its frame.
    pub(super) fn relative(&self) -> &Index {
        &self.index
    }

    /// The shapes as they were given.
    pub(super) fn records(&self) -> &DoubleRecords {
        &self.records
    }
}

/// Checks that a largest distance is a number of at least 0, or infinite.
pub(super) fn check_max_distance(max_distance: f64) -> Result<(), Error> {
    let negative = (max_distance < 0.0).then_some(Fault::Negative);
    let fault = if max_distance.is_nan() { Some(Fault::NotANumber) } else { negative };
    refuse(0, Field::MaxDistance, max_distance as f32, fault)
}

/// The nearest shapes of a query so far.
struct NearestDoubles<'a> {
    own: DoubleBox,
    k: usize,
    max_distance: f64,
    found: &'a mut Vec<DoubleNeighbor>,
    first: usize,
}

impl NearestDoubles<'_> {
    /// Takes the first shapes by distance of the grown shapes, or `all` shapes. Returns whether the
    /// nearest shapes are surely among them.
    fn take_all(
        &mut self,
        candidates: &[Neighbor],
        all: bool,
        frame: &DoubleFrame,
        shape: &impl Fn(u32) -> DoubleBox,
    ) -> bool {
        let Self { own, k, max_distance, found, first } = self;
        found.extend(candidates.iter().map(|near| DoubleNeighbor {
            distance: own.distance(&shape(near.row)),
            row: near.row,
        }));
        let taken = &mut found[*first..];
        let key = |near: &DoubleNeighbor| (near.distance, near.row);
        // They nearly always are in their order.
        if !taken.is_sorted_by_key(key) {
            taken
                .sort_unstable_by(|a, b| a.distance.total_cmp(&b.distance).then(a.row.cmp(&b.row)));
        }
        let near = taken.partition_point(|near| near.distance <= *max_distance);
        let last = taken.get(*k - 1).map(|near| near.distance);
        found.truncate(*first + near.min(*k));
        // Shapes that touch come first, by row.
        let least = candidates.last().map_or(0.0, |near| frame.at_least(near.distance));
        all || last.is_some_and(|last| last == 0.0 || least > last.min(*max_distance))
    }

    /// Takes shapes by growing distance of the grown shapes, then by row, until no later shape can
    /// be among the nearest. Returns whether that is known.
    ///
    /// A shape that touches the query also touches it when it is grown. So all such shapes come
    /// first, by row, and once `k` of them are found, no other shape comes before them.
    fn take(
        &mut self,
        candidates: impl Iterator<Item = Neighbor>,
        frame: &DoubleFrame,
        shape: &impl Fn(u32) -> DoubleBox,
    ) -> bool {
        let Self { own, k, max_distance, found, first } = self;
        for near in candidates {
            let full = found.len() == *first + *k;
            let least = frame.at_least(near.distance);
            let further = |last: &DoubleNeighbor| least > last.distance || last.distance == 0.0;
            if full && found.last().is_some_and(further) {
                return true;
            }
            let distance = own.distance(&shape(near.row));
            if distance > *max_distance {
                continue;
            }
            let near = DoubleNeighbor { distance, row: near.row };
            let nearer =
                |other: &DoubleNeighbor| (other.distance, other.row) < (near.distance, near.row);
            let place = *first + found[*first..].partition_point(nearer);
            if full && place == *first + *k {
                continue;
            }
            found.truncate(*first + *k - usize::from(full));
            found.insert(place, near);
        }
        found.len() == *first + *k && found.last().is_some_and(|last| last.distance == 0.0)
    }
}
