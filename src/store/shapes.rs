//! An owned store that mixes kinds.

use super::{
    Columns,
    check::{check_one, index_fits},
    column::Column,
    columns::Layout,
};
use crate::{
    Error,
    error::Rejected,
    kernel::columns::{BoxColumns, CircleColumns, RoundedColumns},
    shape::{Aabb, AxisAligned, Circle, Kind, Point, RoundedBox},
};

/// An owned structure-of-arrays store of shapes of any kinds.
///
/// Row `i` is shape `i` of every result. Five `f32` columns hold each shape as a rounded box, with
/// slack behind the last row so that whole vectors load everywhere; one byte a row keeps the kind.
/// Bulk calls either take all rows or change nothing; their `_lenient` twins leave bad rows
/// **vacant** (the indices of the good rows stay what they would have been) and report each.
///
/// ```
/// use widephase::{Detector, Pair, Shapes, shape::{Aabb, Circle, Point}};
///
/// let mut shapes = Shapes::new();
/// shapes.push(Circle::new([0.0, 0.0], 1.0))?;
/// shapes.push(Aabb::new([1.0, -1.0], [2.0, 1.0]))?; // touches the circle at (1, 0)
/// shapes.extend_from_slice(&[Point::new([1.5, 0.0]), Point::new([9.0, 9.0])])?;
///
/// let mut pairs = Vec::new();
/// Detector::new().detect(&shapes, &mut pairs)?;
/// pairs.sort();
/// assert_eq!(pairs, [Pair { a: 0, b: 1 }, Pair { a: 1, b: 2 }]);
/// # Ok::<(), widephase::Error>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct Shapes {
    min_x: Column,
    min_y: Column,
    max_x: Column,
    max_y: Column,
    radius: Column,
    /// The kind of each row; `None` marks a vacant one, whose columns hold zeros.
    kinds: Vec<Option<Kind>>,
    /// Bit `i % 64` of word `i / 64`: row `i` is not vacant.
    live: Vec<u64>,
    /// Rows that are vacant.
    vacant: usize,
    /// Rows whose core may have a size.
    sized: usize,
    /// Rows whose radius may be above zero.
    round: usize,
}

/// What a kind means for [`Shapes::sized`] and [`Shapes::round`].
fn traits_of(kind: Kind) -> (bool, bool) {
    match kind {
        Kind::Point => (false, false),
        Kind::Circle => (false, true),
        Kind::Aabb => (true, false),
        Kind::RoundedBox
        | Kind::Obb
        | Kind::Capsule
        | Kind::Segment
        | Kind::Polygon
        | Kind::Compound => (true, true),
    }
}

impl Shapes {
    /// An empty store.
    pub fn new() -> Self {
        Self::default()
    }

    /// An empty store with room for `capacity` shapes.
    pub fn with_capacity(capacity: usize) -> Self {
        let mut shapes = Self::new();
        shapes.reserve(capacity);
        shapes
    }

    /// Makes room for `additional` shapes more.
    pub fn reserve(&mut self, additional: usize) {
        for column in self.columns_mut() {
            column.reserve(additional);
        }
        self.kinds.reserve(additional);
        self.live.reserve(additional.div_ceil(64));
    }

    /// A store of the records of one kind.
    ///
    /// # Errors
    /// As [`extend_from_slice`](Shapes::extend_from_slice).
    pub fn from_slice<T: AxisAligned>(records: &[T]) -> Result<Self, Error> {
        let mut shapes = Self::with_capacity(records.len());
        shapes.extend_from_slice(records)?;
        Ok(shapes)
    }

    /// A store of the rows of borrowed columns.
    ///
    /// # Errors
    /// As [`extend_from_columns`](Shapes::extend_from_columns).
    pub fn from_columns(columns: Columns<'_>) -> Result<Self, Error> {
        let mut shapes = Self::with_capacity(columns.len());
        shapes.extend_from_columns(columns)?;
        Ok(shapes)
    }

    /// Appends one shape and returns its index.
    ///
    /// # Errors
    /// [`Error::InvalidShape`] (with the index it would have got) or [`Error::TooManyShapes`].
    pub fn push<T: AxisAligned>(&mut self, shape: T) -> Result<u32, Error> {
        let index = self.len();
        index_fits(index + 1)?;
        let rounded = check_one(index, shape)?;
        self.append(Some(T::KIND), rounded);
        Ok(index as u32)
    }

    /// Appends all records, or none.
    ///
    /// # Errors
    /// [`Error::InvalidShape`] with the position of the first bad record in `records`, or
    /// [`Error::TooManyShapes`].
    pub fn extend_from_slice<T: AxisAligned>(&mut self, records: &[T]) -> Result<(), Error> {
        index_fits(self.len().saturating_add(records.len()))?;
        for (index, &record) in records.iter().enumerate() {
            check_one(index, record)?;
        }
        self.reserve(records.len());
        for record in records {
            self.append(Some(T::KIND), record.rounded_box());
        }
        Ok(())
    }

    /// Appends all rows of `columns`, or none. Kinds follow the columns' form.
    ///
    /// # Errors
    /// [`Error::InvalidShape`] with the first bad row of `columns`, or [`Error::TooManyShapes`].
    pub fn extend_from_columns(&mut self, columns: Columns<'_>) -> Result<(), Error> {
        index_fits(self.len().saturating_add(columns.len()))?;
        columns.check()?;
        self.reserve(columns.len());
        for row in 0..columns.len() {
            let (kind, rounded) = columns.row(row);
            self.append(kind, rounded);
        }
        Ok(())
    }

    /// Appends the good records and a vacant row for each bad one; returns the bad ones with their
    /// positions in `records`.
    ///
    /// # Errors
    /// [`Error::TooManyShapes`] only.
    pub fn extend_from_slice_lenient<T: AxisAligned>(
        &mut self,
        records: &[T],
    ) -> Result<Vec<Rejected>, Error> {
        index_fits(self.len().saturating_add(records.len()))?;
        self.reserve(records.len());
        let checked = records.iter().enumerate().map(|(index, &record)| {
            check_one(index, record).map(|rounded| (Some(T::KIND), rounded))
        });
        Ok(self.append_lenient(checked))
    }

    /// Appends the good rows of `columns` and a vacant row for each bad one; returns the bad ones
    /// with their row numbers in `columns`.
    ///
    /// # Errors
    /// [`Error::TooManyShapes`] only.
    pub fn extend_from_columns_lenient(
        &mut self,
        columns: Columns<'_>,
    ) -> Result<Vec<Rejected>, Error> {
        index_fits(self.len().saturating_add(columns.len()))?;
        self.reserve(columns.len());
        let checked =
            (0..columns.len()).map(|row| columns.check_row(row).map(|()| columns.row(row)));
        Ok(self.append_lenient(checked))
    }

    fn append_lenient(
        &mut self,
        checked: impl Iterator<Item = Result<(Option<Kind>, RoundedBox), Error>>,
    ) -> Vec<Rejected> {
        let mut rejected = Vec::new();
        for (index, row) in checked.enumerate() {
            match row {
                Ok((kind, rounded)) => self.append(kind, rounded),
                Err(error) => {
                    rejected.push(Rejected { index, error });
                    self.append(None, RoundedBox::default());
                }
            }
        }
        rejected
    }

    /// Appends a row that has been checked.
    fn append(&mut self, kind: Option<Kind>, rounded: RoundedBox) {
        let row = self.len();
        if row.is_multiple_of(64) {
            self.live.push(0);
        }
        self.kinds.push(None);
        self.vacant += 1;
        for (column, value) in self.columns_mut().into_iter().zip(values(rounded)) {
            column.push(value);
        }
        self.mark(row, kind);
    }

    /// Replaces the shape in row `index`, of whatever kind it was; a vacant row is filled.
    ///
    /// # Errors
    /// [`Error::NoSuchShape`] or [`Error::InvalidShape`]; the row is then as it was.
    pub fn set<T: AxisAligned>(&mut self, index: u32, shape: T) -> Result<(), Error> {
        let row = index as usize;
        if row >= self.len() {
            return Err(Error::NoSuchShape { index: row, len: self.len() });
        }
        let rounded = check_one(row, shape)?;
        for (column, value) in self.columns_mut().into_iter().zip(values(rounded)) {
            column[row] = value;
        }
        self.mark(row, Some(T::KIND));
        Ok(())
    }

    /// Moves every shape `i` by `dx[i], dy[i]`, or none. Each coordinate is one rounded sum, so a
    /// box far from the origin may change its size by a rounding error. Vacant rows stay vacant.
    ///
    /// # Errors
    /// [`Error::UnequalColumns`] unless both slices have one value a row;
    /// [`Error::InvalidShape`] for the first shape that would leave the range of coordinates.
    pub fn translate(&mut self, dx: &[f32], dy: &[f32]) -> Result<(), Error> {
        use crate::error::Field;
        for (field, column) in [(Field::X, dx), (Field::Y, dy)] {
            if column.len() != self.len() {
                let (len, expected) = (column.len(), self.len());
                return Err(Error::UnequalColumns { field, len, expected });
            }
        }
        let moved = |shapes: &Self, row: usize| RoundedBox {
            min_x: shapes.min_x[row] + dx[row],
            min_y: shapes.min_y[row] + dy[row],
            max_x: shapes.max_x[row] + dx[row],
            max_y: shapes.max_y[row] + dy[row],
            radius: shapes.radius[row],
        };
        for row in 0..self.len() {
            if self.kinds[row].is_some() {
                check_one(row, moved(self, row))?;
            }
        }
        for row in 0..self.len() {
            if self.kinds[row].is_some() {
                let rounded = moved(self, row);
                for (column, value) in self.columns_mut().into_iter().zip(values(rounded)) {
                    column[row] = value;
                }
            }
        }
        Ok(())
    }

    /// Brings the shapes into a new order: row `i` then holds what row `order[i]` held before.
    /// Vacant rows are closed up, so `order` lists every other row once.
    ///
    /// In the order of [`Detector::grid_order`](crate::Detector::grid_order), a detection finds
    /// nearly sorted rows, and is faster for it. Whatever else is kept per shape has to be brought
    /// into the same order by the caller.
    ///
    /// # Errors
    /// [`Error::IncompleteOrder`] or [`Error::InvalidOrder`]; the shapes are then as they were.
    ///
    /// ```
    /// use widephase::{Shapes, shape::{Circle, Point}};
    ///
    /// let mut shapes = Shapes::new();
    /// shapes.push(Point::new([0.0, 0.0]))?;
    /// shapes.push(Circle::new([2.0, 0.0], 1.0))?;
    /// shapes.reorder(&[1, 0])?;
    /// assert_eq!(shapes.get(0).map(|shape| shape.radius), Some(1.0));
    /// # Ok::<(), widephase::Error>(())
    /// ```
    pub fn reorder(&mut self, order: &[u32]) -> Result<(), Error> {
        let expected = self.len() - self.vacant;
        if order.len() != expected {
            return Err(Error::IncompleteOrder { len: order.len(), expected });
        }
        let mut left = self.live.clone();
        for (place, &row) in order.iter().enumerate() {
            let (word, bit) = (row as usize / 64, 1 << (row % 64));
            match left.get_mut(word) {
                Some(rows) if *rows & bit != 0 => *rows ^= bit,
                _ => return Err(Error::InvalidOrder { place, row }),
            }
        }
        let mut reordered = Self::with_capacity(order.len());
        for &row in order {
            reordered.append(self.kinds[row as usize], self.get(row).unwrap_or_default());
        }
        *self = reordered;
        Ok(())
    }

    /// Removes all shapes and keeps the memory.
    pub fn clear(&mut self) {
        for column in self.columns_mut() {
            column.clear();
        }
        self.kinds.clear();
        self.live.clear();
        (self.vacant, self.sized, self.round) = (0, 0, 0);
    }

    /// The number of rows, vacant ones included.
    pub fn len(&self) -> usize {
        self.kinds.len()
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.kinds.is_empty()
    }

    /// The number of vacant rows.
    pub fn vacant(&self) -> usize {
        self.vacant
    }

    /// The kind of the shape in row `index`; `None` if the row is vacant or there is none.
    pub fn kind(&self, index: u32) -> Option<Kind> {
        self.kinds.get(index as usize).copied().flatten()
    }

    /// The shape in row `index` as a rounded box; `None` if the row is vacant or there is none.
    pub fn get(&self, index: u32) -> Option<RoundedBox> {
        self.kind(index)?;
        let row = index as usize;
        Some(RoundedBox {
            min_x: self.min_x[row],
            min_y: self.min_y[row],
            max_x: self.max_x[row],
            max_y: self.max_y[row],
            radius: self.radius[row],
        })
    }

    /// The store as columns, in the narrowest form that holds all kinds in it: three columns if no
    /// shape has a core of any size, four if none has a radius, else five.
    pub fn columns(&self) -> Columns<'_> {
        let core = BoxColumns {
            min_x: self.min_x.padded(),
            min_y: self.min_y.padded(),
            max_x: self.max_x.padded(),
            max_y: self.max_y.padded(),
        };
        let radius = self.radius.padded();
        let layout = if self.round == 0 {
            Layout::Boxes(core)
        } else if self.sized == 0 {
            Layout::Circles(CircleColumns { x: core.min_x, y: core.min_y, radius })
        } else {
            Layout::Rounded(RoundedColumns { core, radius })
        };
        let live = (self.vacant > 0).then_some(self.live.as_slice());
        Columns { layout, len: self.len(), live }
    }

    /// Notes that `row` now holds a shape of `kind`, or none.
    fn mark(&mut self, row: usize, kind: Option<Kind>) {
        let before = std::mem::replace(&mut self.kinds[row], kind);
        match before.map(traits_of) {
            Some((sized, round)) => {
                self.sized -= usize::from(sized);
                self.round -= usize::from(round);
            }
            None => self.vacant -= 1,
        }
        match kind.map(traits_of) {
            Some((sized, round)) => {
                self.sized += usize::from(sized);
                self.round += usize::from(round);
                self.live[row / 64] |= 1 << (row % 64);
            }
            None => {
                self.vacant += 1;
                self.live[row / 64] &= !(1 << (row % 64));
            }
        }
    }

    fn columns_mut(&mut self) -> [&mut Column; 5] {
        let Self { min_x, min_y, max_x, max_y, radius, .. } = self;
        [min_x, min_y, max_x, max_y, radius]
    }
}

impl<'a> From<&'a Shapes> for Columns<'a> {
    fn from(shapes: &'a Shapes) -> Self {
        shapes.columns()
    }
}

/// The values of a rounded box in the order of the columns.
fn values(rounded: RoundedBox) -> [f32; 5] {
    let RoundedBox { min_x, min_y, max_x, max_y, radius } = rounded;
    [min_x, min_y, max_x, max_y, radius]
}

impl Columns<'_> {
    /// The kind and the shape of `row`; the kind is `None` if the row is vacant.
    fn row(&self, row: usize) -> (Option<Kind>, RoundedBox) {
        let (kind, rounded) = match self.layout {
            Layout::Circles(set) => {
                let circle = Circle { x: set.x[row], y: set.y[row], radius: set.radius[row] };
                (Kind::Circle, circle.rounded_box())
            }
            Layout::Boxes(set) if set.are_points() => {
                (Kind::Point, Point { x: set.min_x[row], y: set.min_y[row] }.rounded_box())
            }
            Layout::Boxes(set) => (Kind::Aabb, box_at(set, row).rounded_box()),
            Layout::Centered(set) => {
                let center = [set.x[row], set.y[row]];
                let half = [set.half_width[row], set.half_height[row]];
                (Kind::Aabb, Aabb::centered(center, half).rounded_box())
            }
            Layout::Rounded(set) => {
                (Kind::RoundedBox, RoundedBox::new(box_at(set.core, row), set.radius[row]))
            }
        };
        let live = self.live.is_none_or(|words| words[row / 64] >> (row % 64) & 1 == 1);
        (live.then_some(kind), rounded)
    }
}

/// The box in `row`.
fn box_at(set: BoxColumns<'_>, row: usize) -> Aabb {
    Aabb::new([set.min_x[row], set.min_y[row]], [set.max_x[row], set.max_y[row]])
}
