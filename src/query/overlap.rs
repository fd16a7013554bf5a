//! Overlap: which shapes of an index touch a shape.

use std::ops::ControlFlow;

use super::{
    Seen,
    batch::{fill, list},
    search::{Batch, Search},
};
use crate::{
    Columns, Error, Index, NARROWPHASE, Order,
    lists::Lists,
    narrowphase::{Probe, Room},
    shape::Shape,
};

impl Index {
    /// Replaces `rows` by the rows of all shapes that touch `shape`, under
    /// [`Options::touching`](crate::Options::touching): exactly the shapes that
    /// [`Detector::pairs_against`](crate::Detector::pairs_against) reports.
    ///
    /// Rows are in grid order; with [`Order::Sorted`], they ascend. A shape with a pose is
    /// queried as a store of one row, by [`touching_each`](Index::touching_each).
    ///
    /// Costs 0.4 µs among 100,000 circles, queried in random order (AVX2; docs/performance.md).
    /// Nothing is allocated for axis-aligned shapes, except for `rows`.
    ///
    /// # Errors
    /// [`Error::InvalidShape`] with index 0. `rows` is then empty.
    ///
    /// ```
    /// use widephase::{Columns, Index, shape::{Aabb, Point}};
    ///
    /// let index = Index::build(Columns::circles(&[0.0, 5.0], &[0.0; 2], &[1.0; 2])?)?;
    /// let mut rows = Vec::new();
    /// index.touching(Aabb::new([4.0, 0.0], [9.0, 9.0]), &mut rows)?;
    /// assert_eq!(rows, [1]);
    /// assert_eq!(index.any_touching(Point::new([0.0, 1.0]))?, Some(0));
    /// assert_eq!(index.count_touching(Point::new([0.0, 1.5]))?, 0);
    /// # Ok::<(), widephase::Error>(())
    /// ```
    pub fn touching(&self, shape: impl Shape, rows: &mut Vec<u32>) -> Result<(), Error> {
        self.all().touching(shape, rows)
    }

    /// The number of shapes that touch `shape`.
    ///
    /// # Errors
    /// The errors of [`touching`](Index::touching).
    pub fn count_touching(&self, shape: impl Shape) -> Result<usize, Error> {
        self.all().count_touching(shape)
    }

    /// The row of a shape that touches `shape`, or `None` if there is none: the first that
    /// [`touching`](Index::touching) finds in the order of the grid. The search ends there.
    ///
    /// # Errors
    /// The errors of [`touching`](Index::touching).
    pub fn any_touching(&self, shape: impl Shape) -> Result<Option<u32>, Error> {
        self.all().any_touching(shape)
    }

    /// Replaces `lists` by the rows that touch each of `shapes`: the results of
    /// [`touching`](Index::touching), for each row of `shapes`. A vacant row has an empty list.
    ///
    /// Large batches are divided over [`Options::threads`](crate::Options::threads), and then
    /// allocate a list for each 128 queries.
    ///
    /// # Errors
    /// [`Error::InvalidShape`] for the first invalid shape. `lists` is then empty.
    pub fn touching_each<'a>(
        &self,
        shapes: impl Into<Columns<'a>>,
        lists: &mut Lists<u32>,
    ) -> Result<(), Error> {
        self.all().touching_each(shapes, lists)
    }

    /// Replaces `counts` by the number of shapes that touch each of `shapes`.
    ///
    /// # Errors
    /// The errors of [`touching_each`](Index::touching_each); `counts` is then empty.
    pub fn count_touching_each<'a>(
        &self,
        shapes: impl Into<Columns<'a>>,
        counts: &mut Vec<usize>,
    ) -> Result<(), Error> {
        self.all().count_touching_each(shapes, counts)
    }

    /// Replaces `rows` by the result of [`any_touching`](Index::any_touching) for each of `shapes`.
    ///
    /// # Errors
    /// The errors of [`touching_each`](Index::touching_each); `rows` is then empty.
    pub fn any_touching_each<'a>(
        &self,
        shapes: impl Into<Columns<'a>>,
        rows: &mut Vec<Option<u32>>,
    ) -> Result<(), Error> {
        self.all().any_touching_each(shapes, rows)
    }
}

impl Seen<'_> {
    /// [`Index::touching`] among these shapes.
    ///
    /// # Errors
    /// The errors of [`Index::touching`].
    pub fn touching(&self, shape: impl Shape, rows: &mut Vec<u32>) -> Result<(), Error> {
        rows.clear();
        self.with_shape(shape.any(), |search, probe| search.touching(probe, rows))
    }

    /// [`Index::count_touching`] among these shapes.
    ///
    /// # Errors
    /// The errors of [`Index::count_touching`].
    pub fn count_touching(&self, shape: impl Shape) -> Result<usize, Error> {
        self.with_shape(shape.any(), |search, probe| search.count_touching(probe))
    }

    /// [`Index::any_touching`] among these shapes.
    ///
    /// # Errors
    /// The errors of [`Index::any_touching`].
    pub fn any_touching(&self, shape: impl Shape) -> Result<Option<u32>, Error> {
        self.with_shape(shape.any(), |search, probe| search.any_touching(probe))
    }

    /// [`Index::touching_each`] among these shapes.
    ///
    /// # Errors
    /// The errors of [`Index::touching_each`].
    pub fn touching_each<'a>(
        &self,
        shapes: impl Into<Columns<'a>>,
        lists: &mut Lists<u32>,
    ) -> Result<(), Error> {
        lists.clear();
        Batch::of(self, shapes.into(), |search, batch| {
            list(batch.len(), batch.threads, lists, &|query, _: &mut Room, rows| {
                if let Some((search, probe)) = batch.query(search, query) {
                    search.touching(&probe, rows);
                }
            });
        })
    }

    /// [`Index::count_touching_each`] among these shapes.
    ///
    /// # Errors
    /// The errors of [`Index::count_touching_each`].
    pub fn count_touching_each<'a>(
        &self,
        shapes: impl Into<Columns<'a>>,
        counts: &mut Vec<usize>,
    ) -> Result<(), Error> {
        counts.clear();
        Batch::of(self, shapes.into(), |search, batch| {
            counts.resize(batch.len(), 0);
            fill(counts, batch.threads, &|query, _| {
                batch
                    .query(search, query)
                    .map_or(0, |(search, probe)| search.count_touching(&probe))
            });
        })
    }

    /// [`Index::any_touching_each`] among these shapes.
    ///
    /// # Errors
    /// The errors of [`Index::any_touching_each`].
    pub fn any_touching_each<'a>(
        &self,
        shapes: impl Into<Columns<'a>>,
        rows: &mut Vec<Option<u32>>,
    ) -> Result<(), Error> {
        rows.clear();
        Batch::of(self, shapes.into(), |search, batch| {
            rows.resize(batch.len(), None);
            fill(rows, batch.threads, &|query, _| {
                batch.query(search, query).and_then(|(search, probe)| search.any_touching(&probe))
            });
        })
    }
}

impl Search<'_> {
    /// Calls `take` with the place of each shape that touches, until it breaks.
    fn each_touching(&self, probe: &Probe<'_>, mut take: impl FnMut(u32) -> ControlFlow<()>) {
        let bounds = probe.bounds();
        let ids = self.ids();
        if !NARROWPHASE || (!self.rotates() && !probe.rotates()) {
            self.region(&bounds, &mut |place| take(!ids[place]));
            return;
        }
        let query = self.pair_query(probe);
        self.region(&bounds, &mut |place| {
            let row = !ids[place];
            if query.touches(row) { take(row) } else { ControlFlow::Continue(()) }
        });
    }

    fn touching(&self, probe: &Probe<'_>, rows: &mut Vec<u32>) {
        let first = rows.len();
        self.each_touching(probe, |row| {
            rows.push(row);
            ControlFlow::Continue(())
        });
        if self.order == Order::Sorted {
            rows[first..].sort_unstable();
        }
    }

    fn count_touching(&self, probe: &Probe<'_>) -> usize {
        let mut count = 0;
        self.each_touching(probe, |_| {
            count += 1;
            ControlFlow::Continue(())
        });
        count
    }

    fn any_touching(&self, probe: &Probe<'_>) -> Option<u32> {
        let mut found = None;
        self.each_touching(probe, |row| {
            found = Some(row);
            ControlFlow::Break(())
        });
        found
    }
}
