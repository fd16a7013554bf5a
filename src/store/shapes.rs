//! An owned store that mixes kinds.

mod extend;
mod poses;

use super::{Columns, Contents, Layout, Rows, check::index_fits, column::Column};
use crate::{
    Error, NARROWPHASE,
    kernel::columns::{BoxColumns, CircleColumns, RoundedColumns},
    posed::{Entry, PosedShapes},
    shape::{
        Aabb, AnyShape, Circle, Kind, OwnedShape, Point, Pose, Rotation, RoundedBox, Shape,
        check::{check_capsule, check_obb, check_one, check_segment},
    },
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
/// Detector::new().pairs(&shapes, &mut pairs)?;
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
    /// Rows that are more than their box: what turns, and compounds.
    rotating: usize,
    /// A record for each row, from the first shape that turns and the first pose on.
    posed_shapes: PosedShapes,
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

/// A shape that may enter: its values are good.
struct Admitted<'a> {
    kind: Kind,
    /// The shape itself, if it is axis-aligned and stays where it is.
    rounded: Option<RoundedBox>,
    /// What to make records of; of shapes that are axis-aligned, only if they are moved.
    entry: Option<Entry<'a>>,
}

/// Checks a shape, and the pose that it is to have; `index` is for the error.
fn admit(index: usize, shape: AnyShape<'_>, pose: Option<Pose>) -> Result<Admitted<'_>, Error> {
    let kind = shape.kind();
    let (shape, rounded) = match shape {
        AnyShape::Point(point) => (shape, Some(check_one(index, point)?)),
        AnyShape::Circle(circle) => (shape, Some(check_one(index, circle)?)),
        AnyShape::Aabb(aabb) => (shape, Some(check_one(index, aabb)?)),
        AnyShape::RoundedBox(rounded) => (shape, Some(check_one(index, rounded)?)),
        AnyShape::Obb(obb) => (AnyShape::Obb(check_obb(index, obb)?), None),
        AnyShape::Capsule(capsule) => (AnyShape::Capsule(check_capsule(index, capsule)?), None),
        AnyShape::Segment(segment) => (AnyShape::Segment(check_segment(index, segment)?), None),
        // They were checked when they were made.
        AnyShape::Polygon(_) | AnyShape::Compound(_) => (shape, None),
    };
    if rounded.is_some() && pose.is_none() {
        return Ok(Admitted { kind, rounded, entry: None });
    }
    if !NARROWPHASE {
        unreachable!("no other shape can be made");
    }
    let mut entry = Entry::new(shape);
    if let Some(pose) = pose {
        entry = entry.at(checked_pose(index, pose)?);
    }
    entry.check(index)?;
    Ok(Admitted { kind, rounded: None, entry: Some(entry) })
}

/// The pose with its rotation at length 1; `index` is for the error.
fn checked_pose(index: usize, pose: Pose) -> Result<Pose, Error> {
    let Rotation { cos, sin } = pose.rotation().checked(index)?;
    Ok(Pose { cos, sin, ..pose })
}

impl Shapes {
    /// An empty store.
    pub fn new() -> Self {
        Self::default()
    }

    /// An empty store with room for `capacity` shapes.
    ///
    /// # Panics
    /// As [`reserve`](Shapes::reserve).
    pub fn with_capacity(capacity: usize) -> Self {
        let mut shapes = Self::new();
        shapes.reserve(capacity);
        shapes
    }

    /// Makes room for `additional` shapes more; of polygons and compounds, not for their vertices and parts.
    ///
    /// # Panics
    /// Where a `Vec` of as many values does: if they do not fit into memory.
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
    /// A polygon or compound is where its own coordinates say; [`push_at`](Shapes::push_at) places it.
    ///
    /// O(1) time, for polygons O(vertices), for compounds O(parts), and memory grows as that of a `Vec` does:
    /// [`reserve`](Shapes::reserve) makes room, but not for vertices and parts. From the first shape that can
    /// turn on, or that is a compound, the store keeps 80 bytes a row more; making them, for the rows that there are,
    /// takes O(rows) time once.
    ///
    /// # Errors
    /// [`Error::InvalidShape`] (with the index it would have got) or [`Error::TooManyShapes`].
    pub fn push<T: Shape>(&mut self, shape: T) -> Result<u32, Error> {
        self.push_checked(shape.any(), None)
    }

    /// Appends one shape at a pose, and returns its index.
    ///
    /// The pose takes the place of the shape's own centre and rotation; the coordinates of polygons
    /// and compounds are moved and turned by it. Of a pose, what is axis-aligned takes the position
    /// only.
    ///
    /// Costs what [`push`](Shapes::push) does; a shape that is axis-aligned has the store keep 80 bytes a row more,
    /// too.
    ///
    /// # Errors
    /// As [`push`](Shapes::push); [`Fault::NotUnit`](crate::error::Fault::NotUnit) and the like for
    /// the pose.
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

    fn push_checked(&mut self, shape: AnyShape<'_>, pose: Option<Pose>) -> Result<u32, Error> {
        let index = self.rows();
        index_fits(index + 1)?;
        let admitted = admit(index, shape, pose)?;
        self.append(Some(admitted));
        Ok(index as u32)
    }

    /// Appends a row that has been checked; a vacant one if there is no shape.
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
        if let Some(admitted) = admitted {
            self.fill(row, admitted);
        }
    }

    /// Puts a shape that has been checked into a row.
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
            self.record_upright(row);
        }
    }

    /// Writes the box of a row.
    fn write(&mut self, row: usize, rounded: RoundedBox) {
        for (column, value) in self.columns_mut().into_iter().zip(values(rounded)) {
            column[row] = value;
        }
    }

    /// Sees to it that there are records.
    fn keep_solids(&mut self) {
        if !self.posed_shapes.is_empty() {
            return;
        }
        self.posed_shapes.reserve(self.rows());
        for row in 0..self.rows() {
            self.posed_shapes.push_vacant();
            self.record_upright(row);
        }
    }

    /// Makes the record of a row anew, from its box, if there are records and its shape is
    /// axis-aligned.
    fn record_upright(&mut self, row: usize) {
        if !NARROWPHASE || self.posed_shapes.is_empty() {
            return;
        }
        let rounded = self.row(row);
        let RoundedBox { min_x, min_y, radius, .. } = rounded;
        let shape = match self.kinds[row] {
            Some(Kind::Point | Kind::Circle) => {
                AnyShape::Circle(Circle { x: min_x, y: min_y, radius })
            }
            Some(Kind::Aabb | Kind::RoundedBox) => AnyShape::RoundedBox(rounded),
            _ => return,
        };
        self.posed_shapes.set(row, Entry::new(shape));
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

    /// Replaces the shape in row `index`, of whatever kind it was; a vacant row is filled.
    ///
    /// O(1) time, for polygons O(vertices), for compounds O(parts). Nothing is allocated, but by the first shape
    /// that can turn, as by [`push`](Shapes::push), and by polygons and compounds: vertices and parts are
    /// appended to those of the other rows. Once more than half of them, and a thousand, are no row's any
    /// more, the records of all rows are copied, which takes O(rows) time and memory for a second set of them.
    ///
    /// # Errors
    /// [`Error::NoSuchShape`] or [`Error::InvalidShape`]; the row is then as it was.
    pub fn set<T: Shape>(&mut self, index: u32, shape: T) -> Result<(), Error> {
        let row = self.existing(index)?;
        let admitted = admit(row, shape.any(), None)?;
        self.fill(row, admitted);
        Ok(())
    }

    /// Takes the shape out of row `index`, which is vacant from then on: no result names it, and the other
    /// shapes keep their indices. [`set`](Shapes::set) fills it again;
    /// [`reorder`](Shapes::reorder) closes up.
    ///
    /// Costs no more than a row (of polygons and compounds, once in a while what [`set`](Shapes::set) says),
    /// but each detection of a store with vacant rows copies the others first:
    /// of many that come and go, keep the free indices and fill them.
    ///
    /// # Errors
    /// [`Error::NoSuchShape`], also for a vacant row.
    ///
    /// ```
    /// use widephase::{Detector, Shapes, shape::Circle};
    ///
    /// let mut shapes = Shapes::from_slice(&[Circle::new([0.0, 0.0], 1.0); 3])?;
    /// shapes.remove(1)?;
    /// assert_eq!((shapes.len(), shapes.vacant(), shapes.bounds(1)), (3, 1, None));
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
        self.mark(row, None);
        Ok(())
    }

    /// The row with this index, which holds a shape.
    fn occupied(&self, index: u32) -> Result<usize, Error> {
        let row = self.existing(index)?;
        match self.kinds[row] {
            Some(_) => Ok(row),
            None => Err(Error::NoSuchShape { index: row, len: self.rows() }),
        }
    }

    /// The row with this index.
    fn existing(&self, index: u32) -> Result<usize, Error> {
        let row = index as usize;
        if row >= self.rows() {
            return Err(Error::NoSuchShape { index: row, len: self.rows() });
        }
        Ok(row)
    }

    /// Brings the shapes into a new order: row `i` then holds what row `order[i]` held before.
    /// Vacant rows are closed up, so `order` lists every other row once.
    ///
    /// In the order of [`Detector::grid_order`](crate::Detector::grid_order), a detection finds
    /// nearly sorted rows, and is faster for it. Whatever else is kept per shape has to be brought
    /// into the same order by the caller.
    ///
    /// O(rows) time, and O(1) more for each vertex and part. Allocates: a second store is made, as large as its
    /// rows need, and then the first one is freed. So do it once in a while, and not at every step.
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
    /// assert_eq!(shapes.bounds(0).map(|shape| shape.radius), Some(1.0));
    /// # Ok::<(), widephase::Error>(())
    /// ```
    pub fn reorder(&mut self, order: &[u32]) -> Result<(), Error> {
        let expected = self.len();
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
        for (new, &row) in order.iter().enumerate() {
            reordered.append(None);
            reordered.write(new, self.row(row as usize));
            reordered.mark(new, self.kinds[row as usize]);
        }
        if NARROWPHASE && !self.posed_shapes.is_empty() {
            reordered.posed_shapes = self.posed_shapes.reordered(order);
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
        (self.vacant, self.sized, self.round, self.rotating) = (0, 0, 0, 0);
    }

    /// The bytes of memory held.
    pub fn bytes(&self) -> usize {
        let Self { min_x, min_y, max_x, max_y, radius, kinds, live, posed_shapes, .. } = self;
        let columns = [min_x, min_y, max_x, max_y, radius];
        columns.map(Column::bytes).into_iter().sum::<usize>()
            + kinds.capacity() * size_of::<Option<Kind>>()
            + live.capacity() * size_of::<u64>()
            + posed_shapes.bytes()
    }

    /// The number of shapes.
    pub fn len(&self) -> usize {
        self.kinds.len() - self.vacant
    }

    /// Whether there are no shapes.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The number of rows, vacant ones included: all row indices are less.
    pub fn rows(&self) -> usize {
        self.kinds.len()
    }

    /// The number of vacant rows.
    pub fn vacant(&self) -> usize {
        self.vacant
    }

    /// The kind of the shape in row `index`; `None` if the row is vacant or there is none.
    pub fn kind(&self, index: u32) -> Option<Kind> {
        self.kinds.get(index as usize).copied().flatten()
    }

    /// The shape in row `index`; `None` if the row is vacant or there is none.
    ///
    /// Axis-aligned shapes, rotated boxes, segments and capsules are returned where they are, polygons and
    /// compounds in their own coordinates, which [`pose`](Shapes::pose) places. Either way,
    /// [`push_at`](Shapes::push_at) with that pose appends the same shape. Axis-aligned shapes and
    /// vertices keep their bits. Parts of compounds come back as circles, rotated boxes, capsules and
    /// polygons, whatever they were given as; a segment or capsule that was moved has rounded ends.
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
        let kind = self.kind(index)?;
        let row = index as usize;
        let RoundedBox { min_x, min_y, max_x, max_y, radius } = self.row(row);
        let (min, max) = ([min_x, min_y], [max_x, max_y]);
        Some(match kind {
            Kind::Point => Point::new(min).into(),
            Kind::Circle => Circle::new(min, radius).into(),
            Kind::Aabb => Aabb::new(min, max).into(),
            Kind::RoundedBox => self.row(row).into(),
            _ => self.posed_shapes.shape(row, kind),
        })
    }

    /// The box around the shape in row `index`: the shape itself if it is axis-aligned, else a rounded
    /// box that is larger by at most some roundings. `None` if the row is vacant or there is none.
    pub fn bounds(&self, index: u32) -> Option<RoundedBox> {
        self.kind(index)?;
        Some(self.row(index as usize))
    }

    /// The store as columns, in the narrowest form that holds all kinds in it: three columns if no
    /// shape has a core of any size, four if none has a radius, else five.
    pub fn columns(&self) -> Columns<'_> {
        Columns::of(self.read())
    }

    /// The same as the engine reads it.
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
        Rows { layout, len: self.rows(), live, kind: layout.kind(), contents }
    }

    /// Notes that `row` now holds a shape of `kind`, or none.
    fn mark(&mut self, row: usize, kind: Option<Kind>) {
        let turns = |kind: Kind| !kind.is_axis_aligned();
        let before = std::mem::replace(&mut self.kinds[row], kind);
        match before.map(traits_of) {
            Some((sized, round)) => {
                self.sized -= usize::from(sized);
                self.round -= usize::from(round);
                self.rotating -= usize::from(before.is_some_and(turns));
            }
            None => self.vacant -= 1,
        }
        match kind.map(traits_of) {
            Some((sized, round)) => {
                self.sized += usize::from(sized);
                self.round += usize::from(round);
                self.rotating += usize::from(kind.is_some_and(turns));
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
pub(super) fn values(rounded: RoundedBox) -> [f32; 5] {
    let RoundedBox { min_x, min_y, max_x, max_y, radius } = rounded;
    [min_x, min_y, max_x, max_y, radius]
}
