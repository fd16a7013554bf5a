//! `Lists`: one list for each query, stored as offsets and items.

/// A list of results for each query, in one allocation: the lists one after the other, and the
/// offset at which each begins (compressed sparse rows, CSR).
///
/// The methods that fill it replace the content and keep the memory. Each says how the lists are
/// ordered.
///
/// ```
/// use widephase::{Columns, Index, Lists, shape::Point};
///
/// let index = Index::build(Columns::circles(&[0.0, 1.0, 9.0], &[0.0; 3], &[1.0; 3])?)?;
/// let mut rows = Lists::new();
/// index.touching_each(Columns::points(&[0.5, 5.0, 9.5], &[0.0; 3])?, &mut rows)?;
/// assert_eq!(rows.offsets(), [0, 2, 2, 3]);
/// assert_eq!((rows.get(0), rows.get(1), rows.get(2)), (&[0, 1][..], &[][..], &[2][..]));
/// assert_eq!(rows.items(), [0, 1, 2]);
/// # Ok::<(), widephase::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Lists<T> {
    /// Where each list begins, and where the last one ends. Never empty.
    offsets: Vec<usize>,
    items: Vec<T>,
}

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

    /// The bytes of memory held.
    pub fn bytes(&self) -> usize {
        self.offsets.capacity() * size_of::<usize>() + self.items.capacity() * size_of::<T>()
    }

    /// Removes all lists and keeps the memory.
    pub fn clear(&mut self) {
        self.offsets.clear();
        self.offsets.push(0);
        self.items.clear();
    }

    /// The items, to append those of the next list. [`end_list`](Lists::end_list) ends the list.
    pub(crate) fn open(&mut self) -> &mut Vec<T> {
        &mut self.items
    }

    /// Ends a list: the items since the end of the list before.
    pub(crate) fn end_list(&mut self) {
        self.offsets.push(self.items.len());
    }

    /// Moves the lists of `other` behind these.
    pub(crate) fn append(&mut self, other: &mut Self) {
        let before = self.items.len();
        self.offsets.extend(other.offsets[1..].iter().map(|end| before + end));
        self.items.append(&mut other.items);
        other.clear();
    }

    /// Replaces the lists by lists of these lengths, whose items are still to be written: all are
    /// `blank`. Returns the offsets and the items.
    pub(crate) fn with_lengths(
        &mut self,
        lengths: impl Iterator<Item = usize>,
        blank: T,
    ) -> (&[usize], &mut [T])
    where
        T: Clone,
    {
        self.clear();
        let mut end = 0;
        self.offsets.extend(lengths.map(|length| {
            end += length;
            end
        }));
        self.items.resize(end, blank);
        (&self.offsets, &mut self.items)
    }
}
