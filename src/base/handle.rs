//! `Handle`: the name of a body.

use std::{fmt, num::NonZeroU64};

/// The name of a body of a [`World`](crate::World): 8 bytes, never all zero, so an
/// `Option<Handle>` takes 8 bytes.
///
/// It holds the row of the body and a generation that counts how often the row was used. The handle
/// of a removed body is stale: calls with it fail, and it never names another body. (A row is given
/// up after 2^32 - 1 bodies.)
///
/// ```
/// use widephase::{Body, Handle, World, shape::Circle};
///
/// let mut world = World::new();
/// let ball = world.insert(Circle::new([0.0, 0.0], 1.0), Body::default())?;
/// assert_eq!(Handle::from_bits(ball.to_bits()), Some(ball));
/// world.remove(ball)?;
/// assert!(!world.contains(ball));
/// let other = world.insert(Circle::new([0.0, 0.0], 1.0), Body::default())?;
/// assert_eq!(other.row(), ball.row());
/// assert_ne!(other, ball);
/// # Ok::<(), widephase::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Handle(NonZeroU64);

impl Handle {
    /// The handle of a row in a generation, which is at least 1.
    pub(crate) fn new(row: u32, generation: u32) -> Option<Self> {
        if generation == 0 {
            return None;
        }
        NonZeroU64::new(u64::from(generation) << 32 | u64::from(row)).map(Self)
    }

    /// The handle as a number, for other languages, maps and files.
    pub fn to_bits(self) -> u64 {
        self.0.get()
    }

    /// The handle of a number from [`to_bits`](Handle::to_bits). `None` for numbers that no handle
    /// has.
    pub fn from_bits(bits: u64) -> Option<Self> {
        Self::new(bits as u32, (bits >> 32) as u32)
    }

    /// The row of the body: its place in columns of all rows.
    pub fn row(self) -> u32 {
        self.0.get() as u32
    }

    /// The number of bodies that the row has had, this one included.
    pub fn generation(self) -> u32 {
        (self.0.get() >> 32) as u32
    }
}

impl fmt::Debug for Handle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Handle({}v{})", self.row(), self.generation())
    }
}
