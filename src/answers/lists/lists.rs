//! `Lists`: one list for each query, stored as offsets and items; and lists of the partners of
//! each row.

use crate::{
    base::{
        Held, Pair, TASK_LISTS,
        buffer::overwrite,
        grouping, held,
        parallel::{self, Divide},
    },
    error::Error,
    simd::{DECISIONS_AHEAD, HALF_LANES, Isa, Kernel, Simd, dispatch_moves, map_each},
    store::index_fits,
};

/// Which lists of neighbours a pair is in.
///
/// ```
/// use widephase::{Adjacency, Columns, Detector, Lists};
///
/// let (x, y) = ([0.0, 1.0, 2.0], [0.0; 3]);
/// let (mut detector, mut near) = (Detector::new(), Lists::new());
/// detector.neighbors(Columns::points(&x, &y)?, 1.0, Adjacency::Full, &mut near)?;
/// assert_eq!(near.iter().collect::<Vec<_>>(), [&[1][..], &[0, 2], &[1]]);
/// detector.neighbors(Columns::points(&x, &y)?, 1.0, Adjacency::Half, &mut near)?;
/// assert_eq!(near.iter().collect::<Vec<_>>(), [&[1][..], &[2], &[]]);
/// # Ok::<(), widephase::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Adjacency {
    /// In the lists of both shapes: each list has all neighbours of its row.
    #[default]
    Full,
    /// In the list of the first shape only, which in pairs of one set is the smaller row. Each pair
    /// is then stored once, as solvers with Newton's third law read it.
    Half,
}

/// A list of results for each query, in one allocation: the lists one after the other, and the
/// offset at which each begins (compressed sparse rows, CSR).
///
/// The methods that fill it replace the content and keep the memory. Each says how the lists are
/// ordered.
///
/// ```
/// use widephase::{Columns, Index, Lists, Queries, shape::Point};
///
/// let index = Index::build(Columns::circles(&[0.0, 1.0, 9.0], &[0.0; 3], &[1.0; 3])?)?;
/// let mut rows = Lists::new();
/// index.overlapping_batch(Columns::points(&[0.5, 5.0, 9.5], &[0.0; 3])?, &mut rows)?;
/// assert_eq!(rows.offsets(), [0, 2, 2, 3]);
/// assert_eq!((rows.get(0), rows.get(1), rows.get(2)), (&[0, 1][..], &[][..], &[2][..]));
/// assert_eq!(rows.items(), [0, 1, 2]);
/// assert_eq!(rows.into_parts(), (vec![0, 2, 2, 3], vec![0, 1, 2]));
/// # Ok::<(), widephase::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Lists<T> {
    /// Where each list begins, and where the last one ends. Never empty.
    offsets: Vec<usize>,
    items: Vec<T>,
}

held!([T] Lists<T> { offsets, items });

impl<T> Default for Lists<T> {
    fn default() -> Self {
        Self { offsets: vec![0], items: Vec::new() }
    }
}

impl<T> Lists<T> {
    /// No lists. Allocates one offset.
    pub fn new() -> Self {
        Self::default()
    }

    /// The number of lists.
    pub fn len(&self) -> usize {
        self.offsets.len() - 1
    }

    /// Whether there are no lists.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The list of a query. Empty if there is no such query.
    pub fn get(&self, query: usize) -> &[T] {
        let Some([start, end]) = self.offsets.get(query..).and_then(<[usize]>::first_chunk) else {
            return &[];
        };
        &self.items[*start..*end]
    }

    /// All lists, in the order of the queries.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &[T]> {
        self.offsets.windows(2).map(|ends| &self.items[ends[0]..ends[1]])
    }

    /// Where each list begins in [`items`](Lists::items), and at last the number of items: one more
    /// value than there are lists, never descending, the first one 0.
    pub fn offsets(&self) -> &[usize] {
        &self.offsets
    }

    /// The items of all lists.
    pub fn items(&self) -> &[T] {
        &self.items
    }

    /// The offsets and the items, as vectors of the caller: see [`offsets`](Lists::offsets). O(1)
    /// time; copies nothing.
    pub fn into_parts(self) -> (Vec<usize>, Vec<T>) {
        (self.offsets, self.items)
    }

    /// The bytes of memory held.
    pub fn bytes(&self) -> usize {
        Held::bytes(self)
    }

    /// Removes all lists and keeps the memory.
    pub fn clear(&mut self) {
        self.offsets.clear();
        self.offsets.push(0);
        self.items.clear();
    }

    /// The items, to append the items of the next list. [`end_list`](Lists::end_list) ends the
    /// list.
    pub(crate) fn open(&mut self) -> &mut Vec<T> {
        &mut self.items
    }

    /// Ends a list: the items since the end of the list before.
    pub(crate) fn end_list(&mut self) {
        self.offsets.push(self.items.len());
    }

    /// Makes room for more lists and items. They double. On failure, returns the number of items.
    #[cfg(feature = "queries")]
    pub(crate) fn make_room(&mut self, lists: usize, items: usize) -> Result<(), usize> {
        let room = self.offsets.try_reserve(lists).and_then(|()| self.items.try_reserve(items));
        room.map_err(|_| self.items.len() + items)
    }

    /// Removes all lists and their memory.
    #[cfg(feature = "queries")]
    pub(crate) fn give_back(&mut self) {
        self.items = Vec::new();
        self.clear();
    }

    /// Appends a list for each of `spans`: the items that are made of the range of `source` that it
    /// gives. Behind each range, `source` must have [`HALF_LANES`] more values, because they are
    /// copied in chunks. On failure, returns the number of items for which there is no memory.
    #[cfg(feature = "queries")]
    pub(crate) fn extend<P: Copy>(
        &mut self,
        spans: &[[usize; 2]],
        source: &[P],
        item: impl Fn(P) -> T,
    ) -> Result<(), usize>
    where
        T: Copy + Default,
    {
        let found: usize = spans.iter().map(|[begin, end]| end - begin).sum();
        self.make_room(spans.len(), found + HALF_LANES)?;
        let Self { offsets, items } = self;
        for &[begin, end] in spans {
            let all = items.len() + (end - begin);
            for from in (begin..end).step_by(HALF_LANES) {
                let chunk: &[P; HALF_LANES] =
                    source[from..].first_chunk().unwrap_or_else(|| unreachable!());
                items.extend(map_each(*chunk, &item));
            }
            items.truncate(all);
            offsets.push(all);
        }
        Ok(())
    }

    /// Moves the lists of `other` behind the lists of `self`. On failure, returns the number of
    /// items for which there is no memory.
    #[cfg(feature = "queries")]
    pub(crate) fn append(&mut self, other: &mut Self) -> Result<(), usize> {
        self.make_room(other.len(), other.items.len())?;
        let before = self.items.len();
        self.offsets.extend(other.offsets[1..].iter().map(|end| before + end));
        self.items.append(&mut other.items);
        other.clear();
        Ok(())
    }

    /// Replaces the lists from number `first` on by one list for each of `spans`: the items of
    /// `source` in that range. See [`shape_part`](Self::shape_part).
    ///
    /// Behind each range, `source` must have [`HALF_LANES`] more values, because they are copied in
    /// chunks. The work is divided over the threads of the current rayon pool if `threads`.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`]; there are then no lists.
    pub(crate) fn gather<P: Sync>(
        &mut self,
        (isa, threads): (Isa, bool),
        first: usize,
        spans: &[[u32; 2]],
        source: &[P],
        item: impl Fn(&P) -> T + Sync,
    ) -> Result<(), Error>
    where
        T: Copy + Default + Send,
    {
        let (_, items) = self.shape_part(first, spans)?;
        parallel::run(GatherLists { isa, spans, source, items, item: &item }, threads);
        Ok(())
    }

    /// Makes room for about this many items, if there is memory: lists that are made in parts then
    /// stay where they are.
    pub(crate) fn expect(&mut self, items: usize) {
        let items = items + items / 8;
        if self.items.capacity() < items {
            let _ = self.items.try_reserve_exact(items - self.items.len());
        }
    }

    /// Replaces the lists from number `first` on by lists of items that are to be written, as long
    /// as `spans`. Returns where each of these lists begins, with the end of the last one, and
    /// their items. Behind them, there may be items that mean nothing, until
    /// [`end_items`](Self::end_items).
    ///
    /// # Errors
    /// [`Error::OutOfMemory`]; there are then no lists.
    pub(crate) fn shape_part(
        &mut self,
        first: usize,
        spans: &[[u32; 2]],
    ) -> Result<(&[usize], &mut [T]), Error>
    where
        T: Copy + Default,
    {
        let begin = if first == 0 { 0 } else { self.offsets[first] };
        self.offsets.truncate(first);
        let fits = self.offsets.try_reserve(spans.len() + 1).is_ok();
        let mut end = begin;
        if fits {
            self.offsets.push(begin);
            self.offsets.extend(spans.iter().map(|[from, to]| {
                end += (to - from) as usize;
                end
            }));
        }
        // Items of an earlier answer are overwritten: none is made twice.
        if !fits || self.items.len() < end && !overwrite(&mut self.items, end) {
            self.clear();
            return Err(Error::OutOfMemory { len: if fits { end } else { spans.len() } });
        }
        Ok((&self.offsets[first..], &mut self.items[begin..end]))
    }

    /// Removes items behind the last list.
    pub(crate) fn end_items(&mut self) {
        self.items.truncate(self.offsets[self.len()]);
    }

    /// The items of each list, to sort them.
    pub(crate) fn iter_mut(&mut self) -> impl Iterator<Item = &mut [T]> {
        let Self { offsets, items } = self;
        let mut rest = items.as_mut_slice();
        offsets.windows(2).map(move |ends| {
            let (list, after) = std::mem::take(&mut rest).split_at_mut(ends[1] - ends[0]);
            rest = after;
            list
        })
    }

    /// The items of a list, which must exist.
    #[cfg(feature = "queries")]
    pub(crate) fn get_mut(&mut self, query: usize) -> &mut [T] {
        &mut self.items[self.offsets[query]..self.offsets[query + 1]]
    }

    /// Removes the last list, which must exist.
    #[cfg(feature = "queries")]
    pub(crate) fn pop(&mut self) {
        self.offsets.pop();
        self.items.truncate(self.offsets[self.offsets.len() - 1]);
    }

    /// Replaces the lists by `rows` lists. Each of `sources` gives `N` items, each for one row,
    /// which must be below `rows`. An item comes after the items of the sources before.
    ///
    /// A counting sort: O(rows + sources) time, and no memory but the lists.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`]; there are then no lists.
    pub(crate) fn group<P, const N: usize>(
        &mut self,
        rows: usize,
        sources: &[P],
        items: impl Fn(&P) -> [(u32, T); N],
    ) -> Result<(), Error>
    where
        T: Copy + Default,
    {
        self.group_items(rows, sources.len() * N, sources.iter(), items)
    }

    /// [`group`](Self::group) for sources of `len` items.
    pub(crate) fn group_items<S, const N: usize>(
        &mut self,
        rows: usize,
        len: usize,
        sources: impl Iterator<Item = S> + Clone,
        items: impl Fn(S) -> [(u32, T); N],
    ) -> Result<(), Error>
    where
        T: Copy + Default,
    {
        let Self { offsets, items: all } = self;
        offsets.clear();
        // All items are written below.
        let fits = overwrite(offsets, rows + 1);
        if !fits || !overwrite(all, len) {
            self.clear();
            return Err(Error::OutOfMemory { len: if fits { len } else { rows } });
        }
        grouping::group(&mut offsets[1..], sources, items, |place, item| all[place] = item);
        Ok(())
    }
}

impl Lists<u32> {
    /// Replaces the lists by `lists` lists of rows: row `r` is in list `of[r]`, unless that is
    /// `none`. Rows are ascending in each list.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`]; there are then no lists.
    pub(crate) fn group_rows(&mut self, lists: usize, of: &[u32], none: u32) -> Result<(), Error> {
        let rows = (0..).zip(of).filter(|(_, list)| **list != none);
        let len = of.iter().filter(|list| **list != none).count();
        self.group_items(lists, len, rows, |(row, list)| [(*list, row)])
    }
}

/// The copies of [`Lists::gather`].
struct GatherLists<'a, P, T, F> {
    isa: Isa,
    spans: &'a [[u32; 2]],
    source: &'a [P],
    /// The items of these lists.
    items: &'a mut [T],
    item: &'a F,
}

impl<P: Sync, T: Copy + Send, F: Fn(&P) -> T + Sync> Divide for GatherLists<'_, P, T, F> {
    fn tasks(&self) -> usize {
        self.spans.len().div_ceil(TASK_LISTS)
    }

    fn split(self, tasks: usize) -> (Self, Self) {
        let (spans, rest) = self.spans.split_at(tasks * TASK_LISTS);
        let found = spans.iter().map(|[begin, end]| (end - begin) as usize).sum();
        let (items, rest_items) = self.items.split_at_mut(found);
        (Self { spans, items, ..self }, Self { spans: rest, items: rest_items, ..self })
    }

    fn work(self) {
        dispatch_moves(self.isa, self);
    }
}

impl<P, T: Copy, F: Fn(&P) -> T> Kernel for GatherLists<'_, P, T, F> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let Self { spans, source, items, item, .. } = self;
        let mut at = 0;
        for (row, &[begin, end]) in spans.iter().enumerate() {
            if let Some(&[begin, end]) = spans.get(row + DECISIONS_AHEAD)
                && let (Some(first), Some(last)) =
                    (source.get(begin as usize), source.get(end as usize))
            {
                simd.prefetch(first);
                simd.prefetch(last);
            }
            let [begin, end] = [begin as usize, end as usize];
            let next = at + (end - begin);
            let mut from = begin;
            // The first chunk is copied with no branch on whether the list is empty.
            loop {
                let chunk = &source[from..from + HALF_LANES];
                if let Some(place) = items.get_mut(at..at + HALF_LANES) {
                    for k in 0..HALF_LANES {
                        place[k] = item(&chunk[k]);
                    }
                } else {
                    // Behind the last lists of a task are the items of another.
                    for (place, value) in items[at..].iter_mut().zip(chunk) {
                        *place = item(value);
                    }
                }
                (from, at) = (from + HALF_LANES, at + HALF_LANES);
                if from >= end {
                    break;
                }
            }
            at = next;
        }
    }
}

/// Replaces the content of `lists` by the partners of each row: one list for each of `rows` rows,
/// made from the pairs of one set. With [`Adjacency::Half`], row `a` of a pair lists `b`; with
/// [`Adjacency::Full`], `b` also lists `a`.
///
/// A list is in the order of the pairs. The list of a pair that occurs twice has the partner twice,
/// and so has the full list of a row that is paired with itself. [`Detector::neighbors`] finds the
/// pairs within a distance and makes these lists in one call.
///
/// [`Detector::neighbors`]: crate::Detector::neighbors
///
/// O(rows + pairs) time, on the calling thread. Allocates only if the lists grow: 8 bytes a row and
/// 4 bytes an item.
///
/// # Errors
/// [`Error::NoSuchShape`] for the first pair of a row that is not below `rows`;
/// [`Error::TooManyShapes`] for more rows than a `u32` can number; [`Error::OutOfMemory`]. `lists`
/// is then empty.
///
/// ```
/// use widephase::{Adjacency, Lists, Pair, adjacency};
///
/// let pairs = [Pair { a: 0, b: 3 }, Pair { a: 1, b: 3 }, Pair { a: 0, b: 1 }];
/// let mut partners = Lists::new();
/// adjacency(4, &pairs, Adjacency::Full, &mut partners)?;
/// assert_eq!(partners.get(0), [3, 1]);
/// assert_eq!(partners.get(1), [3, 0]);
/// assert_eq!(partners.get(2), []);
/// assert_eq!(partners.get(3), [0, 1]);
/// # Ok::<(), widephase::Error>(())
/// ```
pub fn adjacency(
    rows: usize,
    pairs: &[Pair],
    adjacency: Adjacency,
    lists: &mut Lists<u32>,
) -> Result<(), Error> {
    lists.clear();
    check_rows(rows, pairs)?;
    match adjacency {
        Adjacency::Full => lists.group(rows, pairs, |&Pair { a, b }| [(a, b), (b, a)]),
        Adjacency::Half => lists.group(rows, pairs, |&Pair { a, b }| [(a, b)]),
    }
}

/// Checks that all rows of `pairs` are below `rows`.
pub(super) fn check_rows(rows: usize, pairs: &[Pair]) -> Result<(), Error> {
    index_fits(rows)?;
    let numbers: &[u32] = bytemuck::cast_slice(pairs);
    let highest = numbers.iter().copied().fold(0, u32::max);
    if pairs.is_empty() || (highest as usize) < rows {
        return Ok(());
    }
    let missing = numbers.iter().map(|row| *row as usize).find(|row| *row >= rows);
    Err(Error::NoSuchShape { index: missing.unwrap_or(highest as usize), len: rows })
}
