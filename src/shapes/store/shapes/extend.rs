//! Appending many shapes at a time.

use std::ops::Range;

use super::{Admitted, Shapes, Weight, admit, checked_pose, traits_of};
use glam::Vec2;

use crate::{
    error::{Error, Field, Rejected, limit::ask},
    filter::Filter,
    kernel::{BoxColumns, CenteredColumns, CircleColumns, RoundedColumns},
    posed::PosedShapes,
    shape::{
        AxisAligned, Chain, ChainSegment, Circle, ConvexPolygon, Kind, Pose, RoundedBox, Shape,
        check::check_one,
    },
    simd::Isa,
    store::{Columns, Layout, Rows, check::index_fits},
};

impl Shapes {
    /// Makes a store from records: all of one type, or [`OwnedShape`](crate::shape::OwnedShape)s of
    /// any kinds.
    ///
    /// Costs as much as [`extend_from_slice`](Shapes::extend_from_slice).
    ///
    /// # Errors
    /// The errors of [`extend_from_slice`](Shapes::extend_from_slice).
    pub fn from_slice<T: Shape>(records: &[T]) -> Result<Self, Error> {
        let mut shapes = Self::new();
        shapes.extend_from_slice(records)?;
        Ok(shapes)
    }

    /// Makes a store from the rows of columns.
    ///
    /// Costs as much as [`extend_from_columns`](Shapes::extend_from_columns).
    ///
    /// # Errors
    /// The errors of [`extend_from_columns`](Shapes::extend_from_columns).
    pub fn from_columns(columns: Columns<'_>) -> Result<Self, Error> {
        let mut shapes = Self::new();
        shapes.extend_from_columns(columns)?;
        Ok(shapes)
    }

    /// Appends all records, or no record.
    ///
    /// O(records) time in two passes, which check and append, on the calling thread. Each vertex of
    /// a polygon and each part of a compound takes O(1) more. Memory grows as by
    /// [`push`](Shapes::push), but in one step.
    ///
    /// # Errors
    /// [`Error::InvalidShape`] with the position of the first invalid record in `records`;
    /// [`Error::TooManyShapes`].
    pub fn extend_from_slice<T: Shape>(&mut self, records: &[T]) -> Result<(), Error> {
        index_fits(self.rows().saturating_add(records.len()))?;
        for (index, record) in records.iter().enumerate() {
            admit(index, record.any(), None)?;
        }
        self.append_all(records)
    }

    /// Appends the segments of a chain, a row for each segment, or no rows. Returns their rows.
    ///
    /// Each row is a shape of its own, of kind [`ChainSegment`](crate::shape::Kind): it has its own
    /// filter, can be moved, replaced and removed, and is a shape of its own in all results.
    ///
    /// O(segments) time. Allocates a list of the segments temporarily. From the first segment of a
    /// chain on, the store keeps 56 bytes a row more, besides the 80 of rotated shapes.
    ///
    /// # Errors
    /// [`Error::InvalidShape`] for the first segment whose middle and half length together reach
    /// beyond the [limits](crate::shape#limits); [`Error::TooManyShapes`].
    ///
    /// ```
    /// use widephase::{Shapes, shape::{Chain, Kind}};
    ///
    /// let island = Chain::closed(&[[0.0, 0.0], [4.0, 0.0], [2.0, 3.0]])?;
    /// let mut shapes = Shapes::new();
    /// assert_eq!(shapes.push_chain(&island)?, 0..3);
    /// assert_eq!(shapes.kind(2), Some(Kind::ChainSegment));
    /// # Ok::<(), widephase::Error>(())
    /// ```
    #[cfg(feature = "narrowphase")]
    pub fn push_chain(&mut self, chain: &Chain) -> Result<Range<u32>, Error> {
        let first = self.rows() as u32;
        let segments = chain.segments();
        ask(segments.len(), segments.len() * size_of::<ChainSegment>())?;
        self.extend_from_slice(&segments.collect::<Vec<_>>())?;
        Ok(first..self.rows() as u32)
    }

    /// Appends polygons whose vertices are consecutive in one list, or no polygon: the first
    /// `counts[0]` of `vertices` are the first polygon, the next `counts[1]` the second. Each
    /// polygon is made as by [`ConvexPolygon::new`], and is at the coordinates of its vertices.
    ///
    /// O(vertices + polygons) time on the calling thread. Allocates the polygons temporarily. The
    /// store grows as by [`push`](Shapes::push), but in one step.
    ///
    /// # Errors
    /// [`Error::UnequalColumns`] for [`Field::X`] unless the sum of the counts is the number of
    /// vertices: `len` is that number, and `expected` is the sum, or `usize::MAX` if the sum
    /// overflows. For the first invalid polygon, with its position in `counts`:
    /// [`Error::InvalidPolygon`], or [`Error::InvalidShape`] if it reaches beyond the
    /// [limits](crate::shape#limits) of a store. [`Error::TooManyShapes`].
    ///
    /// ```
    /// use widephase::{Error, Shapes};
    ///
    /// let vertices = [[0.0, 0.0], [2.0, 0.0], [0.0, 1.0], [3.0, 0.0], [4.0, 0.0], [4.0, 1.0], [3.0, 1.0]];
    /// let mut shapes = Shapes::new();
    /// shapes.extend_from_polygons(&vertices, &[3, 4])?; // a triangle and a square
    /// assert_eq!(shapes.bounds(1).map(|around| around.min_x.round()), Some(3.0));
    ///
    /// // The third has one vertex only: none is appended.
    /// let refused = shapes.extend_from_polygons(&vertices, &[3, 3, 1]);
    /// assert!(matches!(refused, Err(Error::InvalidPolygon { index: 2, .. })));
    /// assert_eq!(shapes.len(), 2);
    /// # Ok::<(), widephase::Error>(())
    /// ```
    #[cfg(feature = "narrowphase")]
    pub fn extend_from_polygons<V: Copy + Into<Vec2>>(
        &mut self,
        vertices: &[V],
        counts: &[usize],
    ) -> Result<(), Error> {
        index_fits(self.rows().saturating_add(counts.len()))?;
        let sum = counts.iter().try_fold(0_usize, |sum, &count| sum.checked_add(count));
        Field::X.check_len(vertices.len(), sum.unwrap_or(usize::MAX))?;
        ask(counts.len(), counts.len() * 64 + vertices.len() * 32)?;
        let mut polygons = Vec::with_capacity(counts.len());
        let mut rest = vertices;
        for (index, &count) in counts.iter().enumerate() {
            let (own, behind) = rest.split_at(count);
            rest = behind;
            let polygon = ConvexPolygon::new(own).map_err(|error| error.of_polygon(index))?;
            admit(index, polygon.any(), None)?;
            polygons.push(polygon);
        }
        self.append_all(&polygons)
    }

    /// Appends all rows of `columns`, or no row. The rows of another store keep their kinds. The
    /// kind of other rows is the filter of the columns.
    ///
    /// O(rows) time in two passes, on the calling thread, as
    /// [`extend_from_slice`](Shapes::extend_from_slice). Polygons and compounds are copied: each
    /// vertex and part takes O(1) more.
    ///
    /// # Errors
    /// [`Error::InvalidShape`] with the first invalid row of `columns`; [`Error::TooManyShapes`].
    pub fn extend_from_columns(&mut self, columns: Columns<'_>) -> Result<(), Error> {
        index_fits(self.rows().saturating_add(columns.len()))?;
        columns.check_all()?;
        self.append_columns(&columns)
    }

    /// Appends all rows of checked columns. Fails only if there is no memory.
    pub(crate) fn append_columns(&mut self, columns: &Columns<'_>) -> Result<(), Error> {
        self.ask_for_rows(columns, columns.len())?;
        self.reserve(columns.len());
        if let Some(rows) = self.plain(columns) {
            self.append_block(rows);
        } else if let Some(rows) = columns.as_rows()
            && (self.rows() == 0 || self.posed_shapes.is_empty() && rows.records().is_none())
        {
            // A copy of a whole store.
            self.append_block(rows);
            for (row, from) in (self.rows() - rows.len()..).zip(0..rows.len()) {
                self.mark(row, rows.kind_of(from));
            }
            if let Some(records) = rows.records() {
                self.posed_shapes.clone_from(records);
            }
        } else {
            if columns.rotates() {
                self.posed_shapes.reserve(columns.len());
            }
            for row in 0..columns.len() {
                self.put_row(self.rows(), columns, row, None)?;
            }
        }
        self.copy_filters(columns, 0..columns.len());
        Ok(())
    }

    /// Replaces all rows by axis-aligned shapes, each shape with its row and its kind. Other rows
    /// are vacant. The shapes must have been checked.
    #[cfg(feature = "narrowphase")]
    pub(crate) fn fill_rows(
        &mut self,
        rows: usize,
        shapes: impl Iterator<Item = (u32, Kind, RoundedBox)>,
    ) {
        self.clear();
        self.reserve(rows);
        for _ in 0..rows {
            self.append(None);
        }
        for (row, kind, rounded) in shapes {
            self.write(row as usize, rounded);
            self.mark(row as usize, Some(kind));
        }
    }

    /// Appends the listed rows of `columns`, in the order of the list, or no row, as
    /// [`extend_from_columns`](Shapes::extend_from_columns) does with all rows.
    ///
    /// Polygons and compounds are copied. A vacant row stays vacant.
    ///
    /// O(listed rows) time on the calling thread, and O(1) more for each vertex and part. The time
    /// does not depend on the number of other rows of `columns`. Memory grows as by
    /// [`push`](Shapes::push), but in one step.
    ///
    /// # Errors
    /// [`Error::NoSuchShape`] for the first row that does not exist in `columns`;
    /// [`Error::InvalidShape`] for the first invalid row of the list; [`Error::TooManyShapes`].
    ///
    /// ```
    /// use widephase::{Shapes, shape::{Capsule, Circle}};
    ///
    /// let mut all = Shapes::from_slice(&[Circle::new([0.0, 0.0], 1.0)])?;
    /// all.push(Capsule::new([1.0, 0.0], [4.0, 4.0], 0.5))?;
    /// let mut some = Shapes::new();
    /// some.extend_from_rows(all.columns(), &[1])?;
    /// assert_eq!(some.bounds(0), all.bounds(1));
    /// # Ok::<(), widephase::Error>(())
    /// ```
    pub fn extend_from_rows(&mut self, columns: Columns<'_>, rows: &[u32]) -> Result<(), Error> {
        index_fits(self.rows().saturating_add(rows.len()))?;
        let len = columns.len();
        if let Some(&row) = rows.iter().find(|row| **row as usize >= len) {
            return Err(Error::NoSuchShape { index: row as usize, len });
        }
        if let Some(all) = self.plain(&columns) {
            let mut room = Default::default();
            let listed =
                Rows { layout: all.layout.copy_rows(rows, &mut room), len: rows.len(), ..*all };
            let checked = listed.check_on(Isa::any(), false);
            checked.map_err(|error| error.in_row(|place| rows[place] as usize))?;
            self.ask_for_rows(&columns, rows.len())?;
            self.reserve(rows.len());
            self.append_block(&listed);
        } else {
            rows.iter().try_for_each(|row| columns.check_row(*row as usize))?;
            self.ask_for_rows(&columns, rows.len())?;
            self.reserve(rows.len());
            for &row in rows {
                self.put_row(self.rows(), &columns, row as usize, None)?;
            }
        }
        self.copy_filters(&columns, rows.iter().map(|row| *row as usize));
        Ok(())
    }

    /// Appends the valid records, and a vacant row for each invalid record. Returns the invalid
    /// records with their positions in `records`.
    ///
    /// O(records) time in one pass; otherwise as [`extend_from_slice`](Shapes::extend_from_slice).
    /// The returned list allocates only if there are invalid records.
    ///
    /// # Errors
    /// [`Error::TooManyShapes`] only.
    pub fn extend_from_slice_lenient<T: Shape>(
        &mut self,
        records: &[T],
    ) -> Result<Vec<Rejected>, Error> {
        index_fits(self.rows().saturating_add(records.len()))?;
        self.ask_for(records)?;
        self.reserve(records.len());
        let mut rejected = Vec::new();
        for (index, record) in records.iter().enumerate() {
            match admit(index, record.any(), None) {
                Ok(admitted) => self.append(Some(admitted)),
                Err(error) => {
                    rejected.push(Rejected { index, error });
                    self.append(None);
                }
            }
        }
        Ok(rejected)
    }

    /// Appends the valid rows of `columns`, and a vacant row for each invalid row. Returns the
    /// invalid rows with their row numbers in `columns`.
    ///
    /// O(rows) time in one pass; otherwise as [`extend_from_columns`](Shapes::extend_from_columns).
    /// The returned list allocates only if there are invalid rows.
    ///
    /// # Errors
    /// [`Error::TooManyShapes`] only.
    pub fn extend_from_columns_lenient(
        &mut self,
        columns: Columns<'_>,
    ) -> Result<Vec<Rejected>, Error> {
        index_fits(self.rows().saturating_add(columns.len()))?;
        self.ask_for_rows(&columns, columns.len())?;
        self.reserve(columns.len());
        let mut rejected = Vec::new();
        for row in 0..columns.len() {
            if let Err(error) = columns.check_row(row) {
                rejected.push(Rejected { index: row, error });
                self.append(None);
            } else {
                self.put_row(self.rows(), &columns, row, None)?;
            }
        }
        self.copy_filters(&columns, 0..columns.len());
        Ok(rejected)
    }

    /// Asks for the memory of some records.
    fn ask_for<T: Shape>(&self, records: &[T]) -> Result<(), Error> {
        let weights = records.iter().map(|record| Weight::of(record.any()));
        let rotates = records.iter().any(|record| !record.any().kind().is_axis_aligned());
        self.ask(records.len(), rotates, weights.fold(Weight::default(), Weight::and))
    }

    /// Asks for the memory of this many rows of columns.
    fn ask_for_rows(&self, columns: &Columns<'_>, rows: usize) -> Result<(), Error> {
        let records = columns.rotates() || columns.filtering.filters.is_some();
        let source = columns.as_rows().and_then(Rows::records);
        let (vertices, parts) = source.map_or((0, 0), PosedShapes::weight);
        self.ask(rows, records || source.is_some(), Weight { vertices, parts })
    }

    /// Appends checked records. Fails only if there is no memory.
    fn append_all<T: Shape>(&mut self, records: &[T]) -> Result<(), Error> {
        self.ask_for(records)?;
        self.reserve(records.len());
        for (index, record) in records.iter().enumerate() {
            let admitted = admit(index, record.any(), None)?;
            self.append(Some(admitted));
        }
        Ok(())
    }

    /// Checks that the rows of columns may be [put](Self::put_row) at poses into so many vacant
    /// rows and then new rows, and asks for the memory.
    #[cfg(feature = "narrowphase")]
    pub(crate) fn check_rows(
        &mut self,
        columns: &Columns<'_>,
        poses: impl Iterator<Item = Option<Pose>>,
        vacant: usize,
    ) -> Result<(), Error> {
        columns.check_all()?;
        let mut posed = false;
        for (row, pose) in poses.enumerate() {
            if let (Some(pose), Some(kind)) = (pose, columns.kind(row)) {
                check_at(columns, row, kind, pose)?;
                posed = true;
            }
        }
        let new = columns.as_rows().map_or(columns.len(), Rows::live_len).saturating_sub(vacant);
        index_fits(self.rows().saturating_add(new))?;
        self.ask(new, posed, Weight::default())?;
        self.ask_for_rows(columns, new)?;
        self.reserve(new);
        Ok(())
    }

    /// Puts a checked row of columns into a vacant row or a new row, at a pose if one is given that
    /// was checked, so it does not fail.
    #[inline]
    pub(crate) fn put_row(
        &mut self,
        row: usize,
        columns: &Columns<'_>,
        from: usize,
        pose: Option<Pose>,
    ) -> Result<(), Error> {
        if row == self.rows() {
            self.append(None);
        }
        let Some(kind) = columns.kind(from) else { return Ok(()) };
        let (aligned, mut rounded, mut entry) = (kind.is_axis_aligned(), None, None);
        match (columns.as_rows().and_then(Rows::records), kind, pose) {
            (Some(records), ..) if pose.is_none() || !aligned => {
                self.keep_solids();
                let mut around = self.posed_shapes.set_copy(row, records, from);
                if let Some(pose) = pose {
                    around = self.posed_shapes.place_anew(row, checked_pose(from, pose)?);
                }
                self.write(row, if aligned { columns.bounds(from)? } else { around });
                self.mark(row, Some(kind));
                return Ok(());
            }
            (_, Kind::Point | Kind::Circle, Some(Pose { x, y, .. })) => {
                // No zero is negative.
                let circle =
                    Circle { x: x + 0.0, y: y + 0.0, radius: columns.bounds(from)?.radius };
                rounded = Some(circle.rounded_box());
            }
            (.., None) if aligned => rounded = Some(columns.bounds(from)?),
            (.., None) => entry = Some(columns.entry(from)?),
            (.., Some(pose)) if aligned => entry = Some(columns.entry(from)?.at(pose)),
            (.., Some(pose)) => entry = Some(columns.entry(from)?.at(checked_pose(from, pose)?)),
        }
        self.fill(row, Admitted { kind, rounded, entry });
        Ok(())
    }

    /// The rows of borrowed columns of axis-aligned shapes, if this store has no records.
    fn plain<'c, 'a>(&self, columns: &'c Columns<'a>) -> Option<&'c Rows<'a>> {
        let plain = |rows: &&Rows<'_>| rows.contents.is_none() && rows.live.is_none();
        columns.as_rows().filter(plain).filter(|_| self.posed_shapes.is_empty())
    }

    /// Appends [plain](Self::plain) rows, column by column.
    fn append_block(&mut self, rows: &Rows<'_>) {
        let (first, len) = (self.rows(), rows.len());
        let mut append = |columns: &[&[f32]]| {
            for (column, values) in self.columns_mut().into_iter().zip(columns) {
                column.extend(values[..len].iter().copied());
            }
        };
        match rows.layout {
            Layout::Circles(CircleColumns { x, y, radius }) => append(&[x, y, x, y, radius]),
            Layout::Rounded(RoundedColumns { core, radius }) => {
                append(&[core.min_x, core.min_y, core.max_x, core.max_y, radius]);
            }
            Layout::Boxes(BoxColumns { min_x, min_y, max_x, max_y }) => {
                append(&[min_x, min_y, max_x, max_y]);
            }
            Layout::Centered(CenteredColumns { x, y, half_width, half_height }) => {
                self.min_x.extend(x[..len].iter().zip(half_width).map(|(x, half)| x - half));
                self.min_y.extend(y[..len].iter().zip(half_height).map(|(y, half)| y - half));
                self.max_x.extend(x[..len].iter().zip(half_width).map(|(x, half)| x + half));
                self.max_y.extend(y[..len].iter().zip(half_height).map(|(y, half)| y + half));
            }
        }
        self.radius.extend(std::iter::repeat_n(0.0, first + len - self.radius.len()));
        if !self.filters.is_empty() {
            self.filters.resize(first + len, Filter::ALL);
        }
        self.kinds.resize(first + len, Some(rows.kind));
        self.live.resize((first + len).div_ceil(64), 0);
        for row in first..first + len {
            self.live[row / 64] |= 1 << (row % 64);
        }
        let [_, sized, round, _] = traits_of(Some(rows.kind));
        (self.sized, self.round) = (self.sized + sized * len, self.round + round * len);
    }
}

/// Checks that a shape like a row of checked columns, of this kind, may be at a pose, and has no
/// rotation that the pose would replace by another.
#[cfg(feature = "narrowphase")]
fn check_at(columns: &Columns<'_>, row: usize, kind: Kind, pose: Pose) -> Result<(), Error> {
    let pose @ Pose { x, y, .. } = checked_pose(row, pose)?;
    if matches!(kind, Kind::Point | Kind::Circle) {
        return check_one(row, Circle { x, y, radius: columns.bounds(row)?.radius }).map(drop);
    }
    let records = columns.as_rows().and_then(Rows::records);
    if let Some(records) = records.filter(|_| !kind.is_axis_aligned()) {
        return records.check_copy(row, kind, pose);
    }
    let entry = columns.entry(row)?;
    entry.check_own_rotation(row, pose)?;
    entry.at(pose).check(row)
}
