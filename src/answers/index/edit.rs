//! Rows that are inserted, removed, moved and replaced.

use super::Index;
use crate::{
    error::{Error, limit::ask},
    filter::Filter,
    options::CandidateLists,
    shape::{Pose, Shape},
    store::Shapes,
};

/// So many vacant rows are read in about the time in which one shape is sorted.
const VACANT_ROWS_PER_SORT: usize = 16;

/// # Changes of single shapes
///
/// A shape that is inserted, removed, moved or replaced costs one shape, and not an index of all
/// shapes: it leaves a hole among the sorted shapes, or takes one. Shapes that are larger than all
/// sorted shapes, or outside of the box around them, are searched beside them, by the queries that
/// are near. So are all changed shapes if the shapes are few, or lie so far apart that their cells
/// are no rectangle. The first query or detection after such a change sorts the shapes beside. Once
/// these sorts have taken longer than a sort of all shapes, the next change sorts all shapes.
/// [`ready`](Index::ready) sorts at a time of your choice.
///
/// Results have the bits of an index that is built from the same shapes. Only the order of lists
/// that are not [sorted](crate::Order::Sorted), and which shape
/// [`any_overlapping`](crate::Queries::any_overlapping) finds, may differ; order and shape are
/// functions of the calls. [Candidate lists](CandidateLists) are dropped.
///
/// The first change of an index of axis-aligned shapes makes a store of them: O(n) time once, and
/// 24 bytes a row, from the first pose of a box on 104. The first insertion makes the holes: O(n),
/// once for each sixteenth of the shapes that is inserted.
impl Index {
    /// Inserts a shape, and returns its row: the row that was removed last, else a new row. It has
    /// the default filter, and is in space 0.
    ///
    /// # Errors
    /// [`Error::InvalidShape`] with that row; [`Error::TooManyShapes`]; [`Error::OutOfMemory`]. The
    /// index is then as before.
    ///
    /// ```
    /// use widephase::{Columns, Index, Queries, Ray, shape::{Circle, Pose}};
    ///
    /// let mut index = Index::build(Columns::circles(&[5.0, 9.0], &[0.0; 2], &[1.0; 2])?)?;
    /// let ray = Ray::new([0.0, 0.0], [1.0, 0.0]);
    /// let row = index.insert(Circle::new([3.0, 0.0], 1.0))?;
    /// assert_eq!(row, 2);
    /// assert_eq!(index.cast_ray(ray)?.unwrap().row, 2);
    /// index.set_pose(0, Pose::at([2.0, 0.0]))?;
    /// assert_eq!(index.cast_ray(ray)?.unwrap().row, 0);
    /// index.remove(0)?;
    /// assert_eq!((index.cast_ray(ray)?.unwrap().row, index.len()), (2, 2));
    /// # Ok::<(), widephase::Error>(())
    /// ```
    pub fn insert(&mut self, shape: impl Shape) -> Result<u32, Error> {
        self.insert_in_space(shape, 0)
    }

    /// Inserts a shape into a [space](crate::Columns::with_spaces).
    ///
    /// # Errors
    /// The errors of [`insert`](Index::insert).
    pub fn insert_in_space(&mut self, shape: impl Shape, space: u32) -> Result<u32, Error> {
        self.prepare()?;
        let row = match self.places.free.last() {
            Some(&row) => {
                self.shapes.set(row, shape)?;
                self.places.free.pop();
                row
            }
            None => self.shapes.push(shape)?,
        };
        if space != 0 || !self.row_spaces.is_empty() {
            self.row_spaces.resize(self.shapes.rows(), 0);
            self.row_spaces[row as usize] = space;
        }
        self.filters.change(row as usize, &Filter::ALL, self.shapes.rows());
        self.renew(row);
        Ok(row)
    }

    /// Removes the shape of a row. The row is vacant then.
    ///
    /// # Errors
    /// [`Error::NoSuchShape`], also for a vacant row; [`Error::OutOfMemory`].
    pub fn remove(&mut self, row: u32) -> Result<(), Error> {
        self.prepare()?;
        self.shapes.remove(row)?;
        self.places.free.push(row);
        self.take_out(row);
        Ok(())
    }

    /// Moves the shape of a row: see [`Shapes::set_pose`].
    ///
    /// # Errors
    /// The errors of [`Shapes::set_pose`]; [`Error::OutOfMemory`]. The shape is then as before.
    pub fn set_pose(&mut self, row: u32, pose: Pose) -> Result<(), Error> {
        self.prepare()?;
        self.shapes.set_pose(row, pose)?;
        self.renew(row);
        Ok(())
    }

    /// Replaces the shape of a row, which must not be vacant. Filter and space stay.
    ///
    /// # Errors
    /// [`Error::NoSuchShape`]; [`Error::InvalidShape`] with the row; [`Error::OutOfMemory`]. The
    /// shape is then as before.
    pub fn set_shape(&mut self, row: u32, shape: impl Shape) -> Result<(), Error> {
        self.prepare()?;
        if self.shapes.kind(row).is_none() {
            return Err(Error::NoSuchShape { index: row as usize, len: self.shapes.rows() });
        }
        self.shapes.set(row, shape)?;
        self.renew(row);
        Ok(())
    }

    /// Puts a row of the store into a hole among the sorted rows, or beside them.
    fn renew(&mut self, row: u32) {
        self.take_out(row);
        if !self.put_into_hole(row) {
            self.put_beside(row);
        }
    }

    /// Makes a store of axis-aligned shapes, unless there is a store. Sorts all shapes once the
    /// sorts of the changed shapes have taken longer than that.
    fn prepare(&mut self) -> Result<(), Error> {
        if !self.has_store() && self.rows() > 0 {
            let rows = self.rows();
            ask(rows, rows.saturating_mul(32))?;
            let mut shapes = Shapes::new();
            shapes.fill_rows(rows, self.aligned_rows());
            self.shapes = shapes;
        }
        self.whole = true;
        self.know_places();
        // A sort also reads the vacant rows. A copy of the index of a world keeps its moving bodies
        // in a layer of their own, which the sort joins with the other layers.
        let all = self.main.live.max(self.shapes.rows() / VACANT_ROWS_PER_SORT);
        if self.places.work > all || self.moving.made().is_some() {
            self.sort_all()
        } else {
            Ok(())
        }
    }

    /// Sorts all shapes.
    fn sort_all(&mut self) -> Result<(), Error> {
        let live = (0..self.shapes.rows() as u32).filter(|row| self.shapes.kind(*row).is_some());
        let (rows, free): (Vec<u32>, _) = (live.collect(), std::mem::take(&mut self.places.free));
        let sorted = self.sort_rows(&rows, self.options.candidate_lists == CandidateLists::Always);
        self.places.free = free;
        sorted
    }
}
