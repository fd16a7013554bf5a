//! Poses of shapes, and how they move; and the filters of the rows of a store.

use std::ops::Range;

use super::{Shapes, checked_pose};
#[cfg(feature = "narrowphase")]
use crate::store::PoseColumns;
use crate::{
    error::{Error, Field},
    filter::Filter,
    posed::{MoveRows, Placement},
    shape::{AxisAligned, Circle, Pose, RoundedBox, check::check_one},
    simd::{Portable, Simd},
    store::Columns,
};
use glam::Vec2;

impl Shapes {
    /// The pose of the shape in row `index`: the centre and rotation of shapes that have them, and
    /// the position and rotation of the own coordinates of polygons, compounds and half-planes.
    /// `None` if the row is vacant or does not exist.
    #[cfg(feature = "narrowphase")]
    pub fn pose(&self, index: u32) -> Option<Pose> {
        self.kind(index)?;
        let row = index as usize;
        if !self.posed_shapes.is_empty() {
            return Some(self.posed_shapes.pose(row));
        }
        let RoundedBox { min_x, min_y, max_x, max_y, .. } = self.row(row);
        Some(Pose::at([(min_x + max_x) * 0.5, (min_y + max_y) * 0.5]))
    }

    /// Gives the shape in row `index` a new pose. Each pose is applied to the shape as it was
    /// added, so rounding errors do not add up, however often it moves.
    ///
    /// Points and circles take only the position. Axis-aligned boxes take only poses without a
    /// rotation: a box that rotates is an [`Obb`](crate::shape::Obb). The sides of an axis-aligned
    /// box are rounded at the new position, each side to the nearest number, so far from the origin
    /// the box may be wider or narrower by a rounding error. If the position does not change, the
    /// box keeps its sides to the last bit, and the call succeeds in any case.
    ///
    /// From the first call on, the store keeps 80 bytes a row more, as for rotated shapes, unless
    /// all shapes are points and circles.
    ///
    /// O(1) time, for polygons O(vertices), for compounds O(parts) and the vertices of each part.
    /// Allocates nothing except the 80 bytes a row.
    ///
    /// # Errors
    /// [`Error::NoSuchShape`], also for a vacant row; [`Error::InvalidShape`] for a pose that is
    /// not finite, whose rotation does not have length 1, that moves the shape beyond 2^60, or that
    /// rotates an axis-aligned box. The row then stays as it was.
    #[cfg(feature = "narrowphase")]
    pub fn set_pose(&mut self, index: u32, pose: Pose) -> Result<(), Error> {
        let pose = self.check_pose(index, pose)?;
        self.place(index, pose);
        Ok(())
    }

    /// The pose, normalized, if [`set_pose`](Shapes::set_pose) accepts it.
    #[cfg(feature = "narrowphase")]
    pub(crate) fn check_pose(&mut self, index: u32, pose: Pose) -> Result<Pose, Error> {
        let row = self.occupied(index)?;
        self.make_records()?;
        let pose = checked_pose(row, pose)?;
        self.check_at(row, pose)?;
        Ok(pose)
    }

    /// Checks that a row may have a pose, whose values have been checked.
    fn check_at(&self, row: usize, pose: Pose) -> Result<(), Error> {
        if self.posed_shapes.is_empty() {
            let Pose { x, y, .. } = pose;
            return check_one(row, Circle { x, y, radius: self.radius[row] }).map(drop);
        }
        self.posed_shapes.check(row, pose)
    }

    /// Moves a shape to a pose that was checked.
    #[cfg(feature = "narrowphase")]
    pub(crate) fn place(&mut self, index: u32, pose: Pose) {
        let row = index as usize;
        let around = match self.posed_shapes.is_empty() {
            // No zero is negative.
            true => {
                Circle { x: pose.x + 0.0, y: pose.y + 0.0, radius: self.radius[row] }.rounded_box()
            }
            false => self.posed_shapes.place(row, pose),
        };
        self.write(row, around);
    }

    /// Gives every row its pose of `poses`, or changes nothing. Each pose is applied as by
    /// [`set_pose`](Shapes::set_pose), with the same rules for axis-aligned shapes. The poses of
    /// vacant rows are ignored.
    ///
    /// O(rows) time, and O(1) more for each vertex and part. Measured: 26 ns a row of rotated
    /// boxes, capsules and polygons of 3 to 8 vertices, mixed; 11 ns where sixteen consecutive
    /// rows, from a multiple of sixteen on, are rotated boxes, or capsules and segments; 5 ns where
    /// all sixteen are axis-aligned and move; 2 ns in a store of points and circles alone. On the
    /// calling thread. Allocates nothing except, in the first call, the 80 bytes a row of
    /// `set_pose`.
    ///
    /// # Errors
    /// [`Error::UnequalColumns`] unless there is one pose a row; [`Error::InvalidShape`] for the
    /// first invalid pose. All rows then stay as they were.
    ///
    /// ```
    /// use widephase::{Shapes, shape::{Obb, Pose, Rotation}};
    ///
    /// let mut shapes = Shapes::from_slice(&[Obb::new([0.0, 0.0], [2.0, 1.0],
    /// Rotation::IDENTITY)])?; let vertical = Pose::new([5.0, 0.0], Rotation { cos: 0.0, sin: 1.0
    /// }); shapes.set_poses(&[vertical])?; assert_eq!(shapes.pose(0), Some(vertical));
    /// # Ok::<(), widephase::Error>(())
    /// ```
    #[cfg(feature = "narrowphase")]
    pub fn set_poses(&mut self, poses: &[Pose]) -> Result<(), Error> {
        self.one_a_row(Field::X, poses.len())?;
        self.place_rows(0, poses.iter().copied())
    }

    /// As [`set_poses`](Shapes::set_poses), with the poses in columns: row `i` gets the position
    /// `x[i], y[i]` and the [`Rotation`](crate::shape::Rotation) `cos[i], sin[i]`.
    ///
    /// # Errors
    /// [`Error::UnequalColumns`] for the first column whose length is not the number of rows; the
    /// errors of `set_poses`.
    ///
    /// ```
    /// use widephase::{Shapes, columns::PoseColumns, shape::{Capsule, Pose, Rotation}};
    ///
    /// let mut shapes = Shapes::from_slice(&[Capsule::new([-1.0, 0.0], [1.0, 0.0], 0.5); 2])?;
    /// let (x, y, cos, sin) = (&[3.0, 4.0], &[0.0, 8.0], &[1.0, 0.0], &[0.0, 1.0]);
    /// shapes.set_poses_from_columns(PoseColumns { x, y, cos, sin })?;
    /// assert_eq!(shapes.pose(1), Some(Pose::new([4.0, 8.0], Rotation { cos: 0.0, sin: 1.0 })));
    /// # Ok::<(), widephase::Error>(())
    /// ```
    #[cfg(feature = "narrowphase")]
    pub fn set_poses_from_columns(&mut self, poses: PoseColumns<'_>) -> Result<(), Error> {
        let PoseColumns { x, y, cos, sin } = poses;
        for (field, column) in [(Field::X, x), (Field::Y, y), (Field::Cos, cos), (Field::Sin, sin)]
        {
            self.one_a_row(field, column.len())?;
        }
        let rows = x.iter().zip(y).zip(cos.iter().zip(sin));
        self.place_rows(0, rows.map(|((&x, &y), (&cos, &sin))| Pose { x, y, cos, sin }))
    }

    /// Makes the records of all rows, if there are no records and a shape needs a record for its
    /// pose. Points and circles need none.
    fn make_records(&mut self) -> Result<(), Error> {
        if self.posed_shapes.is_empty() && self.sized > 0 {
            self.ask_for_records()?;
            self.keep_solids();
        }
        Ok(())
    }

    /// Checks that a column has one value a row.
    fn one_a_row(&self, field: Field, len: usize) -> Result<(), Error> {
        field.check_len(len, self.rows())
    }

    /// Moves the rows from `first` on, or changes nothing.
    pub(crate) fn place_rows(
        &mut self,
        first: usize,
        places: impl ExactSizeIterator<Item: Placement> + Clone,
    ) -> Result<(), Error> {
        self.make_records()?;
        let rows = first..first + places.len();
        let Self { posed_shapes, kinds, .. } = &*self;
        let fits = match posed_shapes.is_empty() {
            true => posed_shapes.surely_fit(places.clone().map(|at| at.pose(Pose::default()))),
            false => {
                let before = posed_shapes.poses(rows.clone()).iter();
                posed_shapes.surely_fit(places.clone().zip(before).map(|(at, own)| at.pose(*own)))
            }
        };
        if !fits {
            for (row, at) in rows.clone().zip(places.clone()) {
                if kinds[row].is_some() {
                    let before = match posed_shapes.is_empty() {
                        true => Pose::default(),
                        false => posed_shapes.pose(row),
                    };
                    self.check_at(row, checked_pose(row, at.pose(before))?)?;
                }
            }
        }
        if posed_shapes.is_empty() {
            self.move_round(rows, places.map(|at| at.pose(Pose::default()).position()));
            return Ok(());
        }
        let Self { posed_shapes, kinds, min_x, min_y, max_x, max_y, radius, .. } = self;
        let sides = [min_x, min_y, max_x, max_y, radius].map(|column| &mut column[..]);
        // Faster instructions would win less than 3 %.
        Portable.call(MoveRows { posed_shapes, rows, places, kinds, sides });
        Ok(())
    }

    /// Moves points and circles of a store without records to positions that were checked.
    fn move_round(&mut self, rows: Range<usize>, positions: impl Iterator<Item = Vec2>) {
        let Self { kinds, min_x, min_y, max_x, max_y, .. } = self;
        let [min_x, min_y, max_x, max_y] =
            [min_x, min_y, max_x, max_y].map(|column| column[rows.clone()].iter_mut());
        let sides = min_x.zip(min_y).zip(max_x.zip(max_y));
        for ((kind, position), ((min_x, min_y), (max_x, max_y))) in
            kinds[rows].iter().zip(positions).zip(sides)
        {
            // No zero is negative. A vacant row is at the origin.
            let at = |value: f32| if kind.is_some() { value + 0.0 } else { 0.0 };
            (*min_x, *min_y) = (at(position.x), at(position.y));
            (*max_x, *max_y) = (*min_x, *min_y);
        }
    }

    /// Moves every shape `i` to the position `x[i], y[i]`, or changes nothing. Rotations stay. The
    /// position is as in [`pose`](Shapes::pose). The values of vacant rows are not read.
    ///
    /// O(rows) time, on the calling thread: as much as [`set_poses`](Shapes::set_poses).
    ///
    /// # Errors
    /// [`Error::UnequalColumns`] unless both slices have one value a row; [`Error::InvalidShape`]
    /// for the first shape that would leave the range of coordinates. All rows are then as they
    /// were.
    ///
    /// ```
    /// use widephase::{Shapes, shape::{Aabb, Circle}};
    ///
    /// let mut shapes = Shapes::from_slice(&[Circle::new([0.0, 0.0], 1.0)])?;
    /// shapes.push(Aabb::new([0.0, 0.0], [2.0, 4.0]))?;
    /// shapes.set_positions(&[5.0, 6.0], &[0.0, 1.0])?;
    /// assert_eq!(shapes.get(1), Some(Aabb::new([5.0, -1.0], [7.0, 3.0]).into()));
    /// # Ok::<(), widephase::Error>(())
    /// ```
    #[cfg(feature = "narrowphase")]
    pub fn set_positions(&mut self, x: &[f32], y: &[f32]) -> Result<(), Error> {
        for (field, column) in [(Field::X, x), (Field::Y, y)] {
            self.one_a_row(field, column.len())?;
        }
        self.place_rows(0, x.iter().zip(y).map(|(&x, &y)| Vec2 { x, y }))
    }

    /// Moves every shape `i` by `dx[i], dy[i]`, in the unit of length, or changes nothing. Each
    /// coordinate is one rounded sum, so the size of a box far from the origin may change by a
    /// rounding error. Vacant rows stay vacant.
    ///
    /// O(rows) time, on the calling thread. Rotated shapes are placed again, which costs as much as
    /// [`set_poses`](Shapes::set_poses). Allocates nothing.
    ///
    /// # Errors
    /// [`Error::UnequalColumns`] unless both slices have one value a row;
    /// [`Error::InvalidShape`] for the first shape that would leave the range of coordinates.
    pub fn translate(&mut self, dx: &[f32], dy: &[f32]) -> Result<(), Error> {
        for (field, column) in [(Field::X, dx), (Field::Y, dy)] {
            self.one_a_row(field, column.len())?;
        }
        for row in 0..self.rows() {
            match self.kinds[row] {
                Some(kind) if !kind.is_axis_aligned() => {
                    self.posed_shapes.check(row, self.moved_pose(row, dx, dy))?;
                }
                Some(_) => {
                    check_one(row, self.moved(row, dx, dy))?;
                }
                None => {}
            }
        }
        for row in 0..self.rows() {
            match self.kinds[row] {
                Some(kind) if !kind.is_axis_aligned() => {
                    let around = self.posed_shapes.place(row, self.moved_pose(row, dx, dy));
                    self.write(row, around);
                }
                Some(_) => {
                    self.write(row, self.moved(row, dx, dy));
                    self.record_aligned(row);
                }
                None => {}
            }
        }
        Ok(())
    }

    /// The moved box of an axis-aligned row.
    fn moved(&self, row: usize, dx: &[f32], dy: &[f32]) -> RoundedBox {
        let RoundedBox { min_x, min_y, max_x, max_y, radius } = self.row(row);
        RoundedBox {
            min_x: min_x + dx[row],
            min_y: min_y + dy[row],
            max_x: max_x + dx[row],
            max_y: max_y + dy[row],
            radius,
        }
    }

    /// The moved pose of a row that has a record.
    fn moved_pose(&self, row: usize, dx: &[f32], dy: &[f32]) -> Pose {
        let pose = self.posed_shapes.pose(row);
        Pose { x: pose.x + dx[row], y: pose.y + dy[row], ..pose }
    }
}

impl Shapes {
    /// Sets the [filter](Filter) of the shape in row `index`. It stays when the shape is replaced
    /// or moved, and is the default filter again after the shape has been removed.
    ///
    /// O(1) time. The first call makes the filters of all rows, 32 bytes each.
    ///
    /// # Errors
    /// [`Error::NoSuchShape`], also for a vacant row.
    ///
    /// ```
    /// use widephase::{Detector, Filter, Shapes, shape::Circle};
    ///
    /// let mut shapes = Shapes::from_slice(&[Circle::new([0.0, 0.0], 1.0); 3])?;
    /// shapes.set_filter(0, Filter::ALL.in_group(-1))?;
    /// shapes.set_filter(2, Filter::ALL.in_group(-1))?;
    /// assert_eq!(Detector::new().count(&shapes)?, 2); // not 0 and 2
    /// # Ok::<(), widephase::Error>(())
    /// ```
    pub fn set_filter(&mut self, index: u32, filter: Filter) -> Result<(), Error> {
        let row = self.occupied(index)?;
        if self.filters.is_empty() {
            self.ask_for_records()?;
        }
        self.make_filters();
        self.filters[row] = filter;
        Ok(())
    }

    /// Sets the filters of all rows, vacant rows included: a shape that fills a vacant row has the
    /// filter of the row.
    ///
    /// # Errors
    /// [`Error::UnequalColumns`] for [`Field::Filter`] unless there is a filter for each row; the
    /// filters are then as before.
    pub fn set_filters(&mut self, filters: &[Filter]) -> Result<(), Error> {
        Field::Filter.check_len(filters.len(), self.rows())?;
        if self.filters.capacity() < filters.len() {
            self.ask_for_records()?;
        }
        self.filters.clear();
        self.filters.extend_from_slice(filters);
        Ok(())
    }

    /// The filter of the shape in row `index`. `None` if the row is vacant or does not exist.
    pub fn filter(&self, index: u32) -> Option<Filter> {
        self.kind(index)?;
        Some(self.filters.get(index as usize).copied().unwrap_or_default())
    }

    /// Whether the filter of a row makes it a sensor.
    pub(crate) fn is_sensor(&self, row: u32) -> bool {
        self.filters.get(row as usize).is_some_and(|filter| filter.sensor)
    }

    /// The filter of each row, if any has been set.
    pub(super) fn row_filters(&self) -> Option<&[Filter]> {
        (!self.filters.is_empty()).then_some(&self.filters[..])
    }

    /// Makes the filters of all rows if there are none yet.
    fn make_filters(&mut self) {
        if self.filters.is_empty() {
            self.filters.resize(self.kinds.len(), Filter::ALL);
        }
    }

    /// Gives the last rows the filters of the rows `from` of `columns`, of which they are copies.
    pub(super) fn copy_filters(
        &mut self,
        columns: &Columns<'_>,
        from: impl ExactSizeIterator<Item = usize>,
    ) {
        let Some(filters) = columns.filtering.filters else { return };
        self.make_filters();
        let first = self.filters.len() - from.len();
        for (filter, row) in self.filters[first..].iter_mut().zip(from) {
            *filter = filters[row];
        }
    }
}
