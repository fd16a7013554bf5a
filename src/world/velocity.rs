//! How fast bodies move, as the caller says.

use super::{Velocity, World};
use crate::{
    base::Handle,
    error::{Error, Field},
};

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
