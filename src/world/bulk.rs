//! Many bodies in one call: inserted or removed, all bodies or no body.

use super::{Body, World, bodies::Bodies};
use crate::{
    base::Handle,
    error::{Error, Field, limit::try_reserve},
    shape::Shape,
    store::{Columns, Shapes, index_fits},
};

impl World {
    /// Inserts a body for each row of `shapes` that is not vacant, or no body, and replaces
    /// `handles` by their handles, in the order of the rows. `bodies` has a [`Body`] for each row;
    /// bodies of vacant rows are not read. Each body gets the filter and the space of its [`Body`];
    /// filters, spaces and predicates of the columns are not read.
    ///
    /// Equals [`insert`](World::insert), row by row. O(rows) time; without poses and vacant rows,
    /// columns are copied in one piece.
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

    /// Removes some bodies, or no body. Equals [`remove`](World::remove), body by body.
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
        let rows = self.index.shapes.rows() as u32;
        // In one piece, if no row is vacant on either side.
        let posed = bodies.iter().any(|body| body.pose.is_some());
        let whole = self.free.is_empty() && !posed && !columns.may_have_vacant_rows();
        if whole {
            self.index.shapes.extend_from_columns(columns)?;
            for (row, body) in (rows..).zip(bodies) {
                handles.push(self.adopt(row, *body)?);
            }
            return Ok(());
        }
        // All bodies are checked before the first is inserted.
        let mut copy = Shapes::new();
        let given = match columns.as_rows() {
            Some(rows) => columns.check_all().map(|()| rows)?,
            None => copy.extend_from_columns(columns).map(|()| copy.read())?,
        };
        for (row, body) in bodies.iter().enumerate() {
            if let Some(pose) = body.pose
                && let Some(shape) = given.shape(row)
            {
                Shapes::check_posed(row, shape.any(), pose)?;
            }
        }
        index_fits(
            (rows as usize).saturating_add(given.live_len().saturating_sub(self.free.len())),
        )?;
        for (row, body) in bodies.iter().enumerate() {
            if let Some(shape) = given.shape(row) {
                handles.push(self.insert_as_posed(&shape, *body)?);
            }
        }
        Ok(())
    }
}
