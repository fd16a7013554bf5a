//! Appending many shapes at a time.

use std::ops::Range;

use super::{Admitted, Shapes, Weight, admit, traits_of};
use glam::Vec2;

use crate::{
    error::{Error, Field, Rejected, limit::ask},
    filter::Filter,
    kernel::{BoxColumns, CenteredColumns, CircleColumns, RoundedColumns},
    posed::PosedShapes,
    shape::{Chain, ChainSegment, ConvexPolygon, Kind, RoundedBox, Shape},
    simd::Isa,
    store::{Columns, Layout, RotatedColumns, Rows, check::index_fits, columns::ColumnForm},
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
        if sum != Some(vertices.len()) {
            let (len, expected) = (vertices.len(), sum.unwrap_or(usize::MAX));
            return Err(Error::UnequalColumns { field: Field::X, len, expected });
        }
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
        } else if let (ColumnForm::Rows(rows), 0) = (&columns.form, self.rows())
            && let Some(records) = rows.contents.and_then(|contents| contents.posed_shapes)
        {
            // A copy of a whole store.
            self.append_block(rows);
            for row in 0..rows.len() {
                self.mark(row, rows.kind_of(row));
            }
            self.posed_shapes.clone_from(records);
        } else {
            if columns.rotates() {
                self.posed_shapes.reserve(columns.len());
            }
            for row in 0..columns.len() {
                self.append_row(columns, row)?;
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
                self.append_row(&columns, row as usize)?;
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
                self.append_row(&columns, row)?;
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
        let source = match &columns.form {
            ColumnForm::Rows(rows) => rows.contents.and_then(|contents| contents.posed_shapes),
            _ => None,
        };
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

    /// Appends a checked row of columns, so it does not fail.
    fn append_row(&mut self, columns: &Columns<'_>, row: usize) -> Result<(), Error> {
        match &columns.form {
            ColumnForm::Rows(rows) => self.append_of(rows, row),
            ColumnForm::Turning(columns) => self.append(Some(Admitted::rotated(columns, row)?)),
            ColumnForm::Copied(columns) => {
                let (kind, sides) = (columns.kind(), columns.rounded_box(row));
                self.append(Some(Admitted { kind, rounded: Some(sides), entry: None }));
            }
        }
        Ok(())
    }

    /// The rows of borrowed columns of axis-aligned shapes, if this store has no records.
    fn plain<'c, 'a>(&self, columns: &'c Columns<'a>) -> Option<&'c Rows<'a>> {
        match &columns.form {
            ColumnForm::Rows(rows)
                if rows.contents.is_none()
                    && rows.live.is_none()
                    && self.posed_shapes.is_empty() =>
            {
                Some(rows)
            }
            _ => None,
        }
    }

    /// Appends [plain](Self::plain) rows, column by column.
    fn append_block(&mut self, rows: &Rows<'_>) {
        let (first, len) = (self.rows(), rows.len());
        let mut append = |columns: [&[f32]; 5]| {
            for (column, values) in self.columns_mut().into_iter().zip(columns) {
                column.extend(values[..len].iter().copied());
            }
        };
        match rows.layout {
            Layout::Circles(CircleColumns { x, y, radius }) => append([x, y, x, y, radius]),
            Layout::Rounded(RoundedColumns { core, radius }) => {
                append([core.min_x, core.min_y, core.max_x, core.max_y, radius]);
            }
            Layout::Boxes(BoxColumns { min_x, min_y, max_x, max_y }) => {
                for (column, values) in
                    self.columns_mut().into_iter().zip([min_x, min_y, max_x, max_y])
                {
                    column.extend(values[..len].iter().copied());
                }
                self.radius.extend(std::iter::repeat_n(0.0, len));
            }
            Layout::Centered(CenteredColumns { x, y, half_width, half_height }) => {
                self.min_x.extend(x[..len].iter().zip(half_width).map(|(x, half)| x - half));
                self.min_y.extend(y[..len].iter().zip(half_height).map(|(y, half)| y - half));
                self.max_x.extend(x[..len].iter().zip(half_width).map(|(x, half)| x + half));
                self.max_y.extend(y[..len].iter().zip(half_height).map(|(y, half)| y + half));
                self.radius.extend(std::iter::repeat_n(0.0, len));
            }
        }
        if !self.filters.is_empty() {
            self.filters.resize(first + len, Filter::ALL);
        }
        self.kinds.resize(first + len, Some(rows.kind));
        self.live.resize((first + len).div_ceil(64), 0);
        for row in first..first + len {
            self.live[row / 64] |= 1 << (row % 64);
        }
        let (sized, round) = traits_of(rows.kind);
        self.sized += if sized { len } else { 0 };
        self.round += if round { len } else { 0 };
    }

    /// Appends a checked row.
    fn append_of(&mut self, rows: &Rows<'_>, row: usize) {
        let kind = rows.kind_of(row);
        let posed_shapes = rows.contents.and_then(|contents| contents.posed_shapes);
        match (kind, posed_shapes) {
            (Some(kind), Some(posed_shapes)) => {
                let new = self.rows();
                self.append(None);
                self.keep_solids();
                let around = self.posed_shapes.set_copy(new, posed_shapes, row);
                let sides = rows.layout.rounded_box(row);
                self.write(new, if kind.is_axis_aligned() { sides } else { around });
                self.mark(new, Some(kind));
            }
            _ => self.append(Admitted::aligned(rows, row)),
        }
    }
}

impl Admitted<'static> {
    /// The shape of a checked axis-aligned row; `None` if the row is vacant.
    fn aligned(rows: &Rows<'_>, row: usize) -> Option<Self> {
        let kind = rows.kind_of(row).unwrap_or(rows.kind);
        let rounded = Some(rows.layout.rounded_box(row));
        rows.holds(row).then_some(Self { kind, rounded, entry: None })
    }

    /// The shape of a row of rotated columns. Fails if the row is invalid.
    fn rotated(columns: &RotatedColumns<'_>, row: usize) -> Result<Self, Error> {
        Ok(Self { kind: columns.kind(), rounded: None, entry: Some(columns.entry(row)?) })
    }
}
