//! Many bodies in one call: inserted or removed, all or none.

use super::{Body, World, bodies::Bodies};
use crate::{
    Columns, Error, Handle,
    error::{Field, limit::try_reserve},
    store::index_fits,
};

impl World {
    /// Inserts a body for each row of `shapes` that is not vacant, or none, and replaces `handles`
    /// by their handles, in the order of the rows. `bodies` has a [`Body`] for each row; those of
    /// vacant rows are not read. Filters and spaces are those of the bodies; filters, spaces and
    /// predicates of the columns are not read.
    ///
    /// Does what [`insert`](World::insert) does for one row after the other. O(rows) time; without
    /// poses and vacant rows, columns are copied in one piece.
    ///
    /// # Errors
    /// [`Error::UnequalColumns`] for [`Field::Row`] unless there are as many bodies as rows; the
    /// errors of [`insert`](World::insert), with the first row of `shapes` that is invalid. The
    /// world is then as before, and `handles` is empty.
    ///
    /// ```
    /// use widephase::{Body, Columns, World};
    ///
    /// let (x, y) = ([0.0, 1.5, 9.0], [0.0; 3]);
    /// let bodies = [1, 2, 3].map(|user| Body { user, ..Body::default() });
    /// let (mut world, mut handles) = (World::new(), Vec::new());
    /// world.insert_all(Columns::circles(&x, &y, 1.0)?, &bodies, &mut handles)?;
    /// assert_eq!(world.step()?.started().len(), 1);
    /// world.remove_all(&handles[..2])?;
    /// assert_eq!((world.len(), world.step()?.stopped().len()), (1, 1));
    /// # Ok::<(), widephase::Error>(())
    /// ```
    pub fn insert_all<'a>(
        &mut self,
        shapes: impl Into<Columns<'a>>,
        bodies: &[Body],
        handles: &mut Vec<Handle>,
    ) -> Result<(), Error> {
        handles.clear();
        self.bodies.index.forget_moving();
        self.bodies.insert_all(shapes.into().bare(), bodies, handles)?;
        if let Some(log) = &mut self.log {
            for handle in handles {
                let row = handle.row() as usize;
                let (motion, user) = (self.bodies.motions[row], self.bodies.users[row]);
                let filter = self.bodies.index.shapes.filter(handle.row()).unwrap_or_default();
                let space = self.bodies.space(handle.row());
                let body = Body { pose: None, motion, filter, space, user };
                log.insert(&self.bodies, *handle, body);
            }
        }
        Ok(())
    }

    /// Removes some bodies, or none. Does what [`remove`](World::remove) does for one after the
    /// other.
    ///
    /// # Errors
    /// [`Error::StaleHandle`] for the first handle that is stale, or listed before. All bodies are
    /// then still there.
    pub fn remove_all(&mut self, handles: &[Handle]) -> Result<(), Error> {
        let mut listed = vec![false; self.rows()];
        for &handle in handles {
            let row = self.bodies.row(handle)? as usize;
            if std::mem::replace(&mut listed[row], true) {
                return Err(Error::StaleHandle { handle });
            }
        }
        handles.iter().try_for_each(|handle| self.remove(*handle))
    }
}

impl Bodies {
    fn insert_all(
        &mut self,
        columns: Columns<'_>,
        bodies: &[Body],
        handles: &mut Vec<Handle>,
    ) -> Result<(), Error> {
        let (len, expected) = (bodies.len(), columns.len());
        if len != expected {
            return Err(Error::UnequalColumns { field: Field::Row, len, expected });
        }
        self.ask(len)?;
        try_reserve(handles, len)?;
        let rows = columns.as_rows();
        let holds = |row: usize| rows.is_none_or(|rows| rows.holds(row));
        let listed = bodies.iter().enumerate().filter(|(row, _)| holds(*row));
        // In one piece, if no row is vacant on either side.
        let posed = bodies.iter().any(|body| body.pose.is_some());
        if self.free.is_empty() && !posed && rows.is_some_and(|rows| rows.live.is_none()) {
            self.index.shapes.extend_from_columns(columns)?;
        } else {
            self.put_all(&columns, listed.clone(), posed)?;
        }
        for (_, body) in listed {
            handles.push(self.adopt(self.row_of_next(0), *body)?);
        }
        Ok(())
    }

    /// Puts the shapes of these rows of columns, none of them vacant, into the rows of the next
    /// bodies, at the poses of the bodies. Poses and columns of rotated shapes are checked as they
    /// are written: if one is refused, the shapes before it are taken out again.
    fn put_all<'a>(
        &mut self,
        columns: &Columns<'_>,
        listed: impl Iterator<Item = (usize, &'a Body)>,
        posed: bool,
    ) -> Result<(), Error> {
        let shapes = &self.index.shapes;
        let (rows, records) = (shapes.rows(), shapes.has_records());
        let new = columns.len().saturating_sub(self.free.len());
        index_fits(rows.saturating_add(new))?;
        if !columns.rotates() {
            columns.check_all()?;
        }
        shapes.ask_for_rows(columns, new, posed)?;
        self.index.shapes.reserve(new);
        for (number, (from, body)) in listed.enumerate() {
            let row = self.row_of_next(number) as usize;
            if let Err(error) = self.index.shapes.put_row(row, columns, from, body.pose) {
                for before in 0..number {
                    self.index.shapes.remove(self.row_of_next(before))?;
                }
                self.index.shapes.truncate(rows, records);
                return Err(error);
            }
        }
        Ok(())
    }
}
