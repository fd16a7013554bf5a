//! `Body`, `Velocity`: the properties of a body besides its shape.

use crate::{
    base::pod,
    error::{Error, Fault, Field},
    filter::Filter,
    shape::Pose,
};

/// Whether a body moves. The caller decides it.
///
/// Bodies that do not move cost nothing in a step. The caller may still move them: their pairs and
/// contacts are then found anew at the next step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Motion {
    /// It never moves. Two static bodies form no pair.
    Static,
    /// It moves.
    #[default]
    Moving,
    /// It rests. Its pairs persist.
    Asleep,
}

/// The properties of a body besides its shape: an argument of
/// [`World::insert`](crate::World::insert).
///
/// ```
/// use widephase::{Body, Motion, shape::Pose};
///
/// let wall = Body { motion: Motion::Static, ..Body::default() };
/// let crate_7 = Body { pose: Some(Pose::at([3.0, 4.0])), user: 7, ..Body::default() };
/// # let _ = (wall, crate_7);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default))]
pub struct Body {
    /// The pose, as in [`Shapes::push_at`](crate::Shapes::push_at): it replaces the position of the
    /// shape. A shape with a rotation of its own (an [`Obb`](crate::shape::Obb), or a capsule or a
    /// segment that is not along x) takes only a pose of this rotation. `None`: the shape is at its
    /// own coordinates.
    pub pose: Option<Pose>,
    /// Whether it moves. Default: it does.
    pub motion: Motion,
    /// Which bodies it meets.
    pub filter: Filter,
    /// The space that it is in, for as long as it exists: any number. Bodies of different spaces
    /// never meet, even if they lie on each other. So a world holds thousands of small worlds, and
    /// steps all these worlds in one call. Worlds in which all spaces are 0 pay nothing.
    pub space: u32,
    /// A value of the caller, which pairs and events hand back: the entity of an ECS, say.
    pub user: u64,
}

/// How fast a body moves, in any unit of time: an argument of
/// [`World::set_velocities`](crate::World::set_velocities).
///
/// As [`Pod`](bytemuck::Pod), a slice of velocities casts to bytes: 12 for each velocity, without a
/// gap.
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

    pub(super) fn check(&self, index: usize) -> Result<(), Error> {
        for (field, value) in [(Field::Dx, self.x), (Field::Dy, self.y), (Field::Spin, self.spin)] {
            if !value.is_finite() {
                let fault = if value.is_nan() { Fault::NotANumber } else { Fault::Infinite };
                return Err(Error::InvalidShape { index, field, value, fault });
            }
        }
        Ok(())
    }

    /// The velocity of a point of a body at a position.
    pub(super) fn at(&self, position: [f32; 2], [x, y]: [f32; 2]) -> [f32; 2] {
        let [x, y] = [x - position[0], y - position[1]];
        [self.x - self.spin * y, self.y + self.spin * x]
    }
}
