//! `Shapes`: an owned store that mixes kinds.

#[cfg(feature = "narrowphase")]
mod bytes;
mod extend;
mod poses;

use super::{
    Columns, Contents, Layout, Rows,
    check::index_fits,
    layout::{Column, values},
};
use crate::{
    base::{Held, NARROWPHASE, copied},
    error::{Error, limit::ask},
    filter::{Filter, Filtering},
    geometry::smallest_box,
    kernel::{BoxColumns, CircleColumns, RoundedColumns},
    posed::{CheckedShape, PosedShapes},
    shape::{
        AnyShape, Circle, Kind, OwnedShape, Pose, Posed, Rotation, RoundedBox, Shape,
        check::check_one,
    },
};

/// An owned structure-of-arrays store of shapes of any kinds.
///
/// Row `i` is shape `i` of every result. Five `f32` columns hold each shape as a rounded box, and
/// one byte a row holds the kind. The columns are padded so that whole vectors load at every row. A
/// bulk call either adds all rows or changes nothing. The `_lenient` variants leave invalid rows
/// **vacant** and report each invalid row; the indices of the valid rows do not change.
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
/// Detector::new().pairs(&shapes, &mut pairs)?;
/// pairs.sort();
/// assert_eq!(pairs, [Pair { a: 0, b: 1 }, Pair { a: 1, b: 2 }]);
/// # Ok::<(), widephase::Error>(())
/// ```
#[derive(Debug, Default)]
pub struct Shapes {
    min_x: Column,
    min_y: Column,
    max_x: Column,
    max_y: Column,
    radius: Column,
    /// The kind of each row. `None` marks a vacant row, whose columns hold zeros.
    kinds: Vec<Option<Kind>>,
    /// Bit `i % 64` of word `i / 64` is set if row `i` is not vacant.
    live: Vec<u64>,
    /// The number of vacant rows.
    vacant: usize,
    /// The number of rows whose core may have a size.
    sized: usize,
    /// The number of rows whose radius may be above zero.
    round: usize,
    /// The number of rows with rotated shapes or compounds.
    rotating: usize,
    /// A record for each row. Empty until the first rotated shape, compound or pose.
    posed_shapes: PosedShapes,
    /// The filter of each row. Empty until a filter is set.
    filters: Vec<Filter>,
}

copied!(Shapes {
    min_x,
    min_y,
    max_x,
    max_y,
    radius,
    kinds,
    live,
    vacant,
    sized,
    round,
    rotating,
    posed_shapes,
    filters
});

/// What a row of a kind adds to [`Shapes::vacant`], [`Shapes::sized`], [`Shapes::round`] and
/// [`Shapes::rotating`].
fn traits_of(kind: Option<Kind>) -> [usize; 4] {
    let Some(kind) = kind else { return [1, 0, 0, 0] };
    let sized = !matches!(kind, Kind::Point | Kind::Circle);
    let round = !matches!(kind, Kind::Point | Kind::Aabb | Kind::HalfPlane);
    [false, sized, round, !kind.is_axis_aligned()].map(usize::from)
}

/// A shape whose values have been checked, ready to be added.
struct Admitted<'a> {
    kind: Kind,
    /// The shape itself, if it is axis-aligned and has no pose.
    rounded: Option<RoundedBox>,
    /// The source of its record. Axis-aligned shapes have one only if they have a pose.
    entry: Option<CheckedShape<'a>>,
}

/// Checks a shape and its pose. `index` is the index in the error.
fn admit(index: usize, shape: AnyShape<'_>, pose: Option<Pose>) -> Result<Admitted<'_>, Error> {
    let shape = shape.checked(index)?;
    let (kind, rounded) = (shape.kind(), shape.rounded_box());
    let pose = pose.map(|pose| checked_pose(index, pose)).transpose()?;
    let rounded = match (rounded, kind, pose) {
        (Some(RoundedBox { radius, .. }), Kind::Point | Kind::Circle, Some(Pose { x, y, .. })) => {
            Some(check_one(index, Circle { x: x + 0.0, y: y + 0.0, radius })?)
        }
        _ => rounded.filter(|_| pose.is_none()),
    };
    if rounded.is_some() {
        return Ok(Admitted { kind, rounded, entry: None });
    }
    if !NARROWPHASE {
        unreachable!("no other shape can be made");
    }
    let mut entry = CheckedShape::new(shape);
    if let Some(pose) = pose {
        entry = entry.at(pose);
    }
    entry.check(index)?;
    Ok(Admitted { kind, rounded: None, entry: Some(entry) })
}

/// The bytes of the vertices of some shapes, and the number of their parts.
#[derive(Debug, Clone, Copy, Default)]
struct Weight {
    vertices: usize,
    parts: usize,
}

impl Weight {
    fn of(shape: AnyShape<'_>) -> Self {
        // Blocks of vertices are whole vectors.
        let of_polygon = |vertices: usize| 64 * (vertices + 16);
        match shape {
            AnyShape::Polygon(polygon) => {
                Self { vertices: of_polygon(polygon.vertices().len()), parts: 0 }
            }
            AnyShape::Compound(compound) => {
                let vertices = compound.parts().iter().map(|part| match part.any() {
                    AnyShape::Polygon(polygon) => of_polygon(polygon.vertices().len()),
                    _ => 0,
                });
                Self { vertices: vertices.sum(), parts: compound.parts().len() }
            }
            // Its neighbours.
            AnyShape::ChainSegment(_) => Self { vertices: 128, parts: 0 },
            _ => Self::default(),
        }
    }

    fn and(self, other: Self) -> Self {
        Self { vertices: self.vertices + other.vertices, parts: self.parts + other.parts }
    }
}

/// The pose with its rotation normalized to length 1. `index` is the index in the error.
fn checked_pose(index: usize, pose: Pose) -> Result<Pose, Error> {
    let Rotation { cos, sin } = pose.rotation().checked(index)?;
    Ok(Pose { cos, sin, ..pose })
}

impl Shapes {
    /// An empty store.
    pub fn new() -> Self {
        Self::default()
    }

    /// An empty store with capacity for `capacity` shapes.
    ///
    /// # Panics
    /// The errors of [`reserve`](Shapes::reserve).
    ///
    /// ```
    /// use widephase::{Columns, Shapes, shape::Circle};
    ///
    /// let mut shapes = Shapes::with_capacity(1000);
    /// let bytes = shapes.bytes();
    /// for i in 0..1000 {
    ///     shapes.push(Circle::new([i as f32, 0.0], 1.0))?;
    /// }
    /// assert_eq!(shapes.bytes(), bytes); // no allocation
    /// shapes.reserve(1000);
    /// assert!(shapes.bytes() > bytes);
    /// // A store of columns has the capacity that it needs.
    /// let columns = Columns::circles(&[0.0, 1.0], &[0.0; 2], &[1.0; 2])?;
    /// assert_eq!(Shapes::from_columns(columns)?.len(), 2);
    /// # Ok::<(), widephase::Error>(())
    /// ```
    pub fn with_capacity(capacity: usize) -> Self {
        let mut shapes = Self::new();
        shapes.reserve(capacity);
        shapes
    }

    /// Reserves capacity for `additional` more shapes, but not for vertices of polygons and parts
    /// of compounds.
    ///
    /// # Panics
    /// If the capacity overflows or memory cannot be allocated, as [`Vec::reserve`] does.
    pub fn reserve(&mut self, additional: usize) {
        for column in self.columns_mut() {
            column.reserve(additional);
        }
        self.kinds.reserve(additional);
        self.live.reserve(additional.div_ceil(64));
        if !self.posed_shapes.is_empty() {
            self.posed_shapes.reserve(additional);
        }
    }

    /// Appends one shape and returns its index.
    ///
    /// A polygon or compound is at its own coordinates. [`push_at`](Shapes::push_at) places it
    /// elsewhere.
    ///
    /// O(1) time, for polygons O(vertices), for compounds O(parts). Memory grows like the memory of
    /// a `Vec`; [`reserve`](Shapes::reserve) allocates in advance, except for vertices and parts.
    /// From the first rotated shape or compound on, the store keeps 80 bytes a row more. To make
    /// the records of the existing rows takes O(rows) time once.
    ///
    /// # Errors
    /// [`Error::InvalidShape`], with the index that the shape would have; [`Error::TooManyShapes`].
    pub fn push<T: Shape>(&mut self, shape: T) -> Result<u32, Error> {
        self.push_checked(shape.any(), None)
    }

    /// Appends one shape at a pose, and returns its index.
    ///
    /// The pose replaces the centre and the rotation of the shape. It moves and rotates the
    /// coordinates of polygons and compounds. Points and circles take only its position, and
    /// axis-aligned boxes only a pose without a rotation.
    ///
    /// Costs as much as [`push`](Shapes::push). From the first call on with a shape other than a
    /// point or circle, the store keeps 80 bytes a row more.
    ///
    /// # Errors
    /// The errors of [`push`](Shapes::push); [`Error::InvalidShape`] with
    /// [`Fault::NotUnit`](crate::error::Fault::NotUnit) or another fault for the pose, or
    /// [`Fault::CannotRotate`](crate::error::Fault::CannotRotate) for a box.
    ///
    /// ```
    /// use widephase::{Shapes, shape::{ConvexPolygon, Pose, Rotation}};
    ///
    /// let wedge = ConvexPolygon::new(&[[0.0, 0.0], [2.0, 0.0], [0.0, 1.0]])?;
    /// let mut shapes = Shapes::new();
    /// for step in 0..8 {
    ///     let turned = Rotation::from_angle(step as f32 * 0.5);
    ///     shapes.push_at(&wedge, Pose::new([3.0 * step as f32, 0.0], turned))?;
    /// }
    /// assert_eq!(shapes.len(), 8);
    /// # Ok::<(), widephase::Error>(())
    /// ```
    #[cfg(feature = "narrowphase")]
    pub fn push_at<T: Shape>(&mut self, shape: T, pose: Pose) -> Result<u32, Error> {
        self.push_checked(shape.any(), Some(pose))
    }

    /// Checks that a shape for row `index` has no rotation that `pose` would replace by another.
    #[cfg(feature = "narrowphase")]
    pub(crate) fn check_rotations(
        index: usize,
        shape: AnyShape<'_>,
        pose: Pose,
    ) -> Result<(), Error> {
        if shape.kind().has_own_rotation()
            && let Some(entry) = admit(index, shape, None)?.entry
        {
            entry.check_own_rotation(index, checked_pose(index, pose)?)?;
        }
        Ok(())
    }

    /// Appends one shape, at a pose if one is given, and returns its index.
    pub(crate) fn push_checked(
        &mut self,
        shape: AnyShape<'_>,
        pose: Option<Pose>,
    ) -> Result<u32, Error> {
        let index = self.rows();
        index_fits(index + 1)?;
        let admitted = admit(index, shape, pose)?;
        self.ask(1, admitted.entry.is_some(), Weight::of(shape))?;
        self.append(Some(admitted));
        Ok(index as u32)
    }

    /// Asks for the memory of `additional` rows, some of which may need `records`, and of their
    /// vertices and parts, unless there is room. Buffers double, each at its own time, so twice the
    /// held memory may be needed.
    fn ask(&self, additional: usize, records: bool, weight: Weight) -> Result<(), Error> {
        let (rows, posed, Weight { vertices, parts }) = (self.rows(), &self.posed_shapes, weight);
        let makes = records && posed.is_empty() && posed.capacity() < rows + additional;
        let lacks = self.kinds.capacity() - rows < additional
            || self.live.capacity() * 64 < rows + additional
            || !self.filters.is_empty() && self.filters.capacity() - rows < additional;
        if !lacks && !makes && posed.has_room(vertices, parts) {
            return Ok(());
        }
        let more = additional.saturating_add(if makes { rows } else { 0 });
        let filters = if self.filters.is_empty() { 0 } else { size_of::<Filter>() };
        let a_row = 24 + filters + if records || !posed.is_empty() { 80 } else { 0 };
        let bytes = more.saturating_mul(a_row).saturating_add(parts.saturating_mul(160));
        let held = if rows == 0 { 0 } else { self.bytes().saturating_mul(2) };
        let bytes = bytes.saturating_add(vertices).saturating_add(held);
        ask(rows.saturating_add(additional), bytes.saturating_add(1 << 10))
    }

    /// Asks for the memory of the records and filters of all rows.
    fn ask_for_records(&self) -> Result<(), Error> {
        let rows = self.rows();
        match self.posed_shapes.is_empty() || self.filters.is_empty() {
            true => ask(rows, rows.saturating_mul(80 + size_of::<Filter>())),
            false => Ok(()),
        }
    }

    /// Replaces all content by one shape. `index` is its number in errors, after which the store is
    /// empty.
    pub(crate) fn set_only(&mut self, index: usize, posed: Posed<'_>) -> Result<(), Error> {
        self.clear();
        let admitted = admit(index, posed.shape, posed.pose)?;
        self.append(Some(admitted));
        Ok(())
    }

    /// Appends a checked shape, or a vacant row for `None`.
    fn append(&mut self, admitted: Option<Admitted<'_>>) {
        let row = self.rows();
        if row.is_multiple_of(64) {
            self.live.push(0);
        }
        self.kinds.push(None);
        self.vacant += 1;
        for column in self.columns_mut() {
            column.push(0.0);
        }
        if !self.posed_shapes.is_empty() {
            self.posed_shapes.push_vacant();
        }
        if !self.filters.is_empty() {
            self.filters.push(Filter::ALL);
        }
        if let Some(admitted) = admitted {
            self.fill(row, admitted);
        }
    }

    /// Replaces the content of a row by a checked shape.
    fn fill(&mut self, row: usize, admitted: Admitted<'_>) {
        let Admitted { kind, rounded, entry } = admitted;
        if NARROWPHASE && entry.is_some() {
            self.keep_solids();
        }
        self.mark(row, Some(kind));
        let around =
            if NARROWPHASE { entry.map(|entry| self.posed_shapes.set(row, entry)) } else { None };
        self.write(row, rounded.or(around).unwrap_or_default());
        if entry.is_none() {
            self.record_aligned(row);
        }
    }

    /// Writes the box of a row.
    fn write(&mut self, row: usize, rounded: RoundedBox) {
        for (column, value) in self.columns_mut().into_iter().zip(values(rounded)) {
            column[row] = value;
        }
    }

    /// Makes the records of all rows if there are none yet.
    fn keep_solids(&mut self) {
        if !self.posed_shapes.is_empty() {
            return;
        }
        self.posed_shapes.reserve(self.rows());
        for row in 0..self.rows() {
            self.posed_shapes.push_vacant();
            self.record_aligned(row);
        }
    }

    /// Replaces the record of an axis-aligned row by one made from its box. Does nothing for other
    /// shapes, or if there are no records.
    fn record_aligned(&mut self, row: usize) {
        if !NARROWPHASE || self.posed_shapes.is_empty() {
            return;
        }
        let rounded @ RoundedBox { min_x: x, min_y: y, radius, .. } = self.row(row);
        let shape = match self.kinds[row] {
            Some(Kind::Point | Kind::Circle) => AnyShape::Circle(Circle { x, y, radius }),
            Some(Kind::Aabb | Kind::RoundedBox) => AnyShape::RoundedBox(rounded),
            _ => return,
        };
        self.posed_shapes.set(row, CheckedShape::new(shape));
        self.posed_shapes.set_sides(row, rounded);
    }

    /// The box of a row.
    fn row(&self, row: usize) -> RoundedBox {
        RoundedBox {
            min_x: self.min_x[row],
            min_y: self.min_y[row],
            max_x: self.max_x[row],
            max_y: self.max_y[row],
            radius: self.radius[row],
        }
    }

    /// Replaces the shape in row `index` by a shape of any kind. Fills a vacant row.
    ///
    /// O(1) time, for polygons O(vertices), for compounds O(parts). Allocates only for the first
    /// rotated shape, as [`push`](Shapes::push) does, and for polygons and compounds: their
    /// vertices and parts are appended behind the other rows'. When the unused vertices or parts
    /// exceed half of all by more than a thousand, the records of all rows are copied. This takes
    /// O(rows) time and memory for a second set of records.
    ///
    /// # Errors
    /// [`Error::NoSuchShape`] or [`Error::InvalidShape`]; the row is then as it was.
    pub fn set<T: Shape>(&mut self, index: u32, shape: T) -> Result<(), Error> {
        self.set_checked(index, shape.any(), None)
    }

    /// Replaces the shape in row `index` by a shape of any kind, at a pose.
    pub(crate) fn set_checked(
        &mut self,
        index: u32,
        shape: AnyShape<'_>,
        pose: Option<Pose>,
    ) -> Result<(), Error> {
        let row = self.existing(index)?;
        let admitted = admit(row, shape, pose)?;
        self.ask(0, admitted.entry.is_some(), Weight::of(shape))?;
        self.fill(row, admitted);
        Ok(())
    }

    /// Removes the shape in row `index`. The row is vacant from then on: no result contains it, and
    /// the other shapes keep their indices. [`set`](Shapes::set) fills it again;
    /// [`reorder`](Shapes::reorder) removes vacant rows.
    ///
    /// O(1) time; for polygons and compounds, once in a while the copy that [`set`](Shapes::set)
    /// describes. But each detection of a store with vacant rows copies the other rows first. If
    /// many shapes come and go, keep a list of free indices and fill them.
    ///
    /// # Errors
    /// [`Error::NoSuchShape`], also for a vacant row.
    ///
    /// ```
    /// use widephase::{Detector, Shapes, shape::Circle};
    ///
    /// let mut shapes = Shapes::from_slice(&[Circle::new([0.0, 0.0], 1.0); 3])?;
    /// shapes.remove(1)?;
    /// assert_eq!((shapes.len(), shapes.rows(), shapes.bounds(1)), (2, 3, None));
    /// assert_eq!(Detector::new().count(&shapes)?, 1); // 0 and 2
    /// shapes.set(1, Circle::new([9.0, 9.0], 1.0))?;
    /// assert_eq!(shapes.vacant(), 0);
    /// # Ok::<(), widephase::Error>(())
    /// ```
    pub fn remove(&mut self, index: u32) -> Result<(), Error> {
        let row = self.occupied(index)?;
        self.write(row, RoundedBox::default());
        if !self.posed_shapes.is_empty() {
            self.posed_shapes.vacate(row);
        }
        if let Some(filter) = self.filters.get_mut(row) {
            *filter = Filter::ALL;
        }
        self.mark(row, None);
        Ok(())
    }

    /// The row with this index. An error if it does not exist or is vacant.
    fn occupied(&self, index: u32) -> Result<usize, Error> {
        let row = self.existing(index)?;
        match self.kinds[row] {
            Some(_) => Ok(row),
            None => Err(Error::NoSuchShape { index: row, len: self.rows() }),
        }
    }

    /// The row with this index. An error if it does not exist.
    fn existing(&self, index: u32) -> Result<usize, Error> {
        let row = index as usize;
        if row >= self.rows() {
            return Err(Error::NoSuchShape { index: row, len: self.rows() });
        }
        Ok(row)
    }

    /// Changes the order of the shapes: row `i` then holds the shape that row `order[i]` held
    /// before. Vacant rows are removed, so `order` must list every other row once.
    ///
    /// In the order of [`Detector::grid_order`](crate::Detector::grid_order), the rows are nearly
    /// sorted for the next detection, which makes it faster. The caller must bring other data per
    /// shape into the same order.
    ///
    /// O(rows) time, and O(1) more for each vertex and part. Allocates a second store, as large as
    /// the rows need, and then frees the first store. So do it once in a while, and not at every
    /// step.
    ///
    /// # Errors
    /// [`Error::IncompleteOrder`] or [`Error::InvalidOrder`]; the shapes then stay as they were.
    ///
    /// ```
    /// use widephase::{Shapes, shape::{Circle, Point}};
    ///
    /// let mut shapes = Shapes::new();
    /// shapes.push(Point::new([0.0, 0.0]))?;
    /// shapes.push(Circle::new([2.0, 0.0], 1.0))?;
    /// shapes.reorder(&[1, 0])?;
    /// assert_eq!(shapes.bounds(0).map(|shape| shape.radius), Some(1.0));
    /// # Ok::<(), widephase::Error>(())
    /// ```
    pub fn reorder(&mut self, order: &[u32]) -> Result<(), Error> {
        let expected = self.len();
        if order.len() != expected {
            return Err(Error::IncompleteOrder { len: order.len(), expected });
        }
        ask(expected, self.bytes())?;
        let mut left = self.live.clone();
        for (place, &row) in order.iter().enumerate() {
            let (word, bit) = (row as usize / 64, 1 << (row % 64));
            match left.get_mut(word) {
                Some(rows) if *rows & bit != 0 => *rows ^= bit,
                _ => return Err(Error::InvalidOrder { place, row }),
            }
        }
        let mut reordered = Self::with_capacity(order.len());
        for (new, &row) in order.iter().enumerate() {
            reordered.append(None);
            reordered.write(new, self.row(row as usize));
            reordered.mark(new, self.kinds[row as usize]);
        }
        if NARROWPHASE && !self.posed_shapes.is_empty() {
            reordered.posed_shapes = self.posed_shapes.reordered(order);
        }
        if let Some(filters) = self.row_filters() {
            reordered.filters.extend(order.iter().map(|row| filters[*row as usize]));
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
        self.posed_shapes.clear();
        self.filters.clear();
        (self.vacant, self.sized, self.round, self.rotating) = (0, 0, 0, 0);
    }

    /// The bytes of memory held.
    pub fn bytes(&self) -> usize {
        Held::bytes(self)
    }

    /// The number of shapes.
    pub fn len(&self) -> usize {
        self.kinds.len() - self.vacant
    }

    /// Whether there are no shapes.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The number of rows, vacant rows included. All row indices are smaller.
    pub fn rows(&self) -> usize {
        self.kinds.len()
    }

    /// The number of vacant rows.
    pub fn vacant(&self) -> usize {
        self.vacant
    }

    /// The kind of the shape in row `index`; `None` if the row is vacant or does not exist.
    pub fn kind(&self, index: u32) -> Option<Kind> {
        self.kinds.get(index as usize).copied().flatten()
    }

    /// The shape in row `index`; `None` if the row is vacant or does not exist.
    ///
    /// Axis-aligned shapes, rotated boxes, segments and capsules are returned in world coordinates.
    /// Polygons, compounds and half-planes are returned in their own coordinates, which
    /// [`pose`](Shapes::pose) places. In either case, [`push_at`](Shapes::push_at) with that pose
    /// appends the same shape.
    /// Axis-aligned shapes and vertices keep their bits. Parts of compounds are returned as
    /// circles, axis-aligned and rotated boxes, capsules and polygons: a point as a circle, a
    /// segment as a capsule, and a rounded box without a radius as a box. The ends of a segment or
    /// capsule that was moved may differ by a rounding error.
    ///
    /// Allocates for polygons and compounds. O(vertices + parts) time.
    ///
    /// ```
    /// use widephase::{Shapes, shape::{Circle, ConvexPolygon, OwnedShape, Pose}};
    ///
    /// let wedge = ConvexPolygon::new(&[[0.0, 0.0], [2.0, 0.0], [0.0, 1.0]])?;
    /// let mut shapes = Shapes::from_slice(&[Circle::new([3.0, 4.0], 1.0)])?;
    /// shapes.push_at(&wedge, Pose::at([5.0, 5.0]))?;
    /// assert_eq!(shapes.get(0), Some(Circle::new([3.0, 4.0], 1.0).into()));
    /// assert_eq!(shapes.get(1), Some(OwnedShape::from(wedge)));
    /// assert_eq!(shapes.pose(1), Some(Pose::at([5.0, 5.0])));
    /// # Ok::<(), widephase::Error>(())
    /// ```
    #[cfg(feature = "narrowphase")]
    pub fn get(&self, index: u32) -> Option<OwnedShape> {
        self.read().shape(index as usize)
    }

    /// The bounding box of the shape in row `index`: the shape itself if it is axis-aligned, else
    /// the smallest rounded box around it. `None` if the row is vacant or does not exist.
    ///
    /// The box has the radius of the shape; the box of a compound has radius 0. Its sides are the
    /// sides of the shape, in `f64`, rounded outwards to the next `f32`. So they are exact for
    /// shapes without a pose, compounds with radii aside. A half-plane has the sides of the
    /// [range](crate::shape#limits) of coordinates, cut off at its border if that is along an axis.
    ///
    /// The grid uses a box that is larger by some rounding errors. O(1) time, for polygons
    /// O(vertices), for compounds O(parts).
    ///
    /// ```
    /// use widephase::{Shapes, shape::{Capsule, RoundedBox}};
    ///
    /// let mut shapes = Shapes::new();
    /// let row = shapes.push(Capsule::new([0.0, 1.0], [3.0, -1.0], 0.5))?;
    /// let around = RoundedBox { min_x: 0.0, min_y: -1.0, max_x: 3.0, max_y: 1.0, radius: 0.5 };
    /// assert_eq!(shapes.bounds(row), Some(around));
    /// # Ok::<(), widephase::Error>(())
    /// ```
    pub fn bounds(&self, index: u32) -> Option<RoundedBox> {
        let kind = self.kind(index)?;
        let row = index as usize;
        if !NARROWPHASE || kind.is_axis_aligned() {
            return Some(self.row(row));
        }
        Some(smallest_box(&self.posed_shapes, row))
    }

    /// The box around the shape in row `index` that the grid uses: with slack for roundings.
    pub(crate) fn grid_box(&self, index: u32) -> Option<RoundedBox> {
        self.kind(index)?;
        Some(self.row(index as usize))
    }

    /// The store as columns, in the smallest layout for its kinds: three columns if no shape has a
    /// core with a size, four if no shape has a radius, else five.
    pub fn columns(&self) -> Columns<'_> {
        let filtering = Filtering { filters: self.row_filters(), predicate: None };
        Columns { filtering, ..Columns::of(self.read()) }
    }

    /// The rows of the store, as the engine reads them.
    #[inline]
    pub(crate) fn read(&self) -> Rows<'_> {
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
        let posed_shapes = (!self.posed_shapes.is_empty()).then_some(&self.posed_shapes);
        let (kinds, placed) = (Some(self.kinds.as_slice()), posed_shapes.map(PosedShapes::placed));
        let contents = Some(Contents { kinds, placed, posed_shapes, rotates: self.rotating > 0 });
        let (len, kind) = (self.rows(), layout.kind());
        Rows { layout, len, live, kind, contents, selection: None }
    }

    /// Updates the kind of `row` and all counts: it now holds a shape of `kind`, or no shape.
    fn mark(&mut self, row: usize, kind: Option<Kind>) {
        let before = traits_of(std::mem::replace(&mut self.kinds[row], kind));
        let Self { vacant, sized, round, rotating, live, .. } = self;
        let changes = traits_of(kind).into_iter().zip(before);
        for (count, (more, less)) in [vacant, sized, round, rotating].into_iter().zip(changes) {
            *count = *count + more - less;
        }
        let bit = 1 << (row % 64);
        live[row / 64] = live[row / 64] & !bit | if kind.is_some() { bit } else { 0 };
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
