//! `Velocity`: how fast bodies move, for the speed of hits.

use super::{World, bodies::Bodies};
use crate::{
    Contact, Error, Handle, Pair,
    base::pod,
    error::{Fault, Field},
};

/// How fast a body moves, in any unit of time: an argument of [`World::set_velocities`].
///
/// As [`Pod`](bytemuck::Pod), a slice of velocities casts to bytes: 12 each, without a gap.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default))]
#[repr(C)]
pub struct Velocity {
    /// Horizontal part, in the unit of length by the unit of time.
    pub x: f32,
    /// Vertical part.
    pub y: f32,
    /// How fast the body turns around its position, counter-clockwise, in radians by the unit of
    /// time.
    pub spin: f32,
}

pod!(Velocity { x, y, spin });

impl Velocity {
    /// A velocity without spin.
    pub fn of(velocity: impl Into<[f32; 2]>) -> Self {
        let [x, y] = velocity.into();
        Self { x, y, spin: 0.0 }
    }

    fn check(&self, index: usize) -> Result<(), Error> {
        for (field, value) in [(Field::Dx, self.x), (Field::Dy, self.y), (Field::Spin, self.spin)] {
            if !value.is_finite() {
                let fault = if value.is_nan() { Fault::NotANumber } else { Fault::Infinite };
                return Err(Error::InvalidShape { index, field, value, fault });
            }
        }
        Ok(())
    }

    /// The velocity of a point of a body at a position.
    fn at(&self, position: [f32; 2], [x, y]: [f32; 2]) -> [f32; 2] {
        let [x, y] = [x - position[0], y - position[1]];
        [self.x - self.spin * y, self.y + self.spin * x]
    }
}

impl World {
    /// Sets how fast some bodies move, or none; others keep their velocity, which is zero for a new
    /// body. If a handle is listed twice, the last velocity counts.
    ///
    /// A world moves nothing: velocities are for the [speed](crate::world::PairEvent::speed) of what started to
    /// touch, such as the loudness of a hit. Set them before a step to the velocities with which
    /// bodies came to where they are. A world in which they were never set pays nothing.
    ///
    /// # Errors
    /// [`Error::UnequalColumns`] for [`Field::Dx`] unless there are as many velocities as handles;
    /// [`Error::StaleHandle`]; [`Error::InvalidShape`] for a value that is not finite, with the row
    /// of the body. All velocities are then as before.
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
        let (len, expected) = (velocities.len(), handles.len());
        if len != expected {
            return Err(Error::UnequalColumns { field: Field::Dx, len, expected });
        }
        for (handle, velocity) in handles.iter().zip(velocities) {
            let row = self.bodies.row(*handle)?;
            velocity.check(row as usize)?;
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

impl Bodies {
    fn velocity(&self, row: u32) -> Velocity {
        self.velocities.get(row as usize).copied().unwrap_or_default()
    }

    /// How fast the bodies of contacts, which have the same pair, approach each other.
    pub(super) fn approach(&self, contacts: &[Contact]) -> f32 {
        if self.velocities.is_empty() {
            return 0.0;
        }
        let mut fastest = 0.0_f32;
        for contact in contacts {
            let Pair { a, b } = contact.pair;
            let [(a, own_a), (b, own_b)] = [a, b].map(|row| {
                let pose = self.shapes.pose(row).unwrap_or_default();
                ([pose.x, pose.y], self.velocity(row))
            });
            for point in contact.points() {
                let at = [point.x, point.y];
                let ([ax, ay], [bx, by]) = (own_a.at(a, at), own_b.at(b, at));
                fastest = fastest.max((ax - bx) * contact.normal_x + (ay - by) * contact.normal_y);
            }
        }
        if fastest.is_finite() { fastest } else { f32::MAX }
    }
}

/// The contacts of the pair of the contact at a place, which are in a row.
pub(super) fn contacts_from(contacts: &[Contact], first: u32) -> &[Contact] {
    let Some(own) = contacts.get(first as usize..).filter(|own| !own.is_empty()) else {
        return &[];
    };
    let more = own.iter().take_while(|contact| contact.pair == own[0].pair);
    &own[..more.count()]
}
