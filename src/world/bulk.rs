//! Many bodies in one call: inserted or removed, all bodies or no body; and how fast they move.

use super::{Body, Velocity, World};
use crate::{
    base::Handle,
    error::{Error, Field, limit::try_reserve},
    store::Columns,
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
        let columns = shapes.into().bare();
        let len = bodies.len();
        Field::Row.check_len(len, columns.len())?;
        self.bodies.ask(len)?;
        try_reserve(handles, len)?;
        // In one piece, if no row is vacant on either side.
        let (vacant, poses) = (self.bodies.free.len(), bodies.iter().map(|body| body.pose));
        let posed = poses.clone().any(|pose| pose.is_some());
        let whole = vacant == 0 && !posed && !columns.may_have_vacant_rows();
        let shapes = &mut self.bodies.index.shapes;
        match whole {
            true => shapes.extend_from_columns(columns)?,
            false => shapes.check_rows(&columns, poses, vacant)?,
        }
        for (from, body) in bodies.iter().enumerate().filter(|(row, _)| columns.holds(*row)) {
            let row = self.bodies.next_row();
            if !whole {
                self.bodies.index.shapes.put_row(row as usize, &columns, from, body.pose)?;
            }
            let handle = self.bodies.adopt(row, *body)?;
            self.inserted(handle, *body);
            handles.push(handle);
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

impl World {
    /// Sets how fast some bodies move, or changes none on an error; other bodies keep their
    /// velocity, which is zero for a new body. If a handle is listed twice, the last velocity
    /// counts.
    ///
    /// A world moves nothing: velocities are for the [speed](crate::world::PairEvent::speed) of
    /// bodies that started to touch, for example for the loudness of a hit. Set them before a step
    /// to the velocities with which bodies came to where they are. A world in which they were never
    /// set pays nothing.
    ///
    /// # Errors
    /// [`Error::UnequalColumns`] for [`Field::Dx`] unless there are as many velocities as handles;
    /// [`Error::StaleHandle`]; [`Error::InvalidShape`] for a value that is not finite, with its place
    /// in `velocities`. All velocities are then as before.
    ///
    /// ```
    /// use widephase::{Body, World, shape::{Aabb, Circle}, world::Velocity};
    ///
    /// let mut world = World::new();
    /// world.insert(Aabb::new([-9.0, -1.0], [9.0, 0.0]), Body::default())?;
    /// let ball = world.insert(Circle::new([0.0, 0.9], 1.0), Body::default())?;
    /// world.set_velocities(&[ball], &[Velocity::of([2.0, -5.0])])?;
    /// let step = world.step()?;
    /// let hit = step.started()[0];
    /// assert_eq!((hit.speed, step.contacts()[hit.contact as usize].normal().y), (5.0, 1.0));
    /// # Ok::<(), widephase::Error>(())
    /// ```
    pub fn set_velocities(
        &mut self,
        handles: &[Handle],
        velocities: &[Velocity],
    ) -> Result<(), Error> {
        Field::Dx.check_len(velocities.len(), handles.len())?;
        for (place, (handle, velocity)) in handles.iter().zip(velocities).enumerate() {
            self.bodies.row(*handle)?;
            velocity.check(place)?;
        }
        let rows = self.rows();
        let column = &mut self.bodies.velocities;
        column.resize(rows, Velocity::default());
        for (handle, velocity) in handles.iter().zip(velocities) {
            column[handle.row() as usize] = *velocity;
        }
        if let Some(log) = &mut self.log {
            log.set_velocities(handles, velocities);
        }
        Ok(())
    }

    /// How fast a body moves: see [`set_velocities`](World::set_velocities).
    ///
    /// # Errors
    /// [`Error::StaleHandle`].
    pub fn velocity(&self, handle: Handle) -> Result<Velocity, Error> {
        Ok(self.bodies.velocity(self.bodies.row(handle)?))
    }
}
