//! `Handle`: the name of a body.

use std::{fmt, num::NonZeroU64};

use super::pod::no_padding;

/// The name of a body of a [`World`](crate::World): 8 bytes, never all zero, so an
/// `Option<Handle>` takes 8 bytes.
///
/// It holds the row of the body, a generation that counts how often the row was used, and the
/// [tag](crate::World::tag) of the world. The handle of a removed body is stale: calls with it
/// fail, and it never names another body. (A row is given up after 2^24 - 1 bodies.) Calls with the
/// handle of a world that has another tag fail as well.
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
#[repr(transparent)]
pub struct Handle(NonZeroU64);

no_padding!(Handle { 0 });

/// The bits of a generation.
const GENERATION_BITS: u32 = 24;

/// The number of bodies that a row may have.
pub(crate) const MAX_GENERATION: u32 = (1 << GENERATION_BITS) - 1;

impl Handle {
    /// The handle as a number, for other languages, maps and files.
    pub fn to_bits(self) -> u64 {
        self.0.get()
    }

    /// The handle of a number from [`to_bits`](Handle::to_bits). `None` for numbers that no handle
    /// has.
    pub fn from_bits(bits: u64) -> Option<Self> {
        let handle = NonZeroU64::new(bits).map(Self)?;
        (handle.generation() > 0).then_some(handle)
    }

    /// The row of the body: its place in columns of all rows.
    pub fn row(self) -> u32 {
        self.0.get() as u32
    }

    /// The number of bodies that the row has had, this one included.
    pub fn generation(self) -> u32 {
        (self.0.get() >> 32) as u32 & MAX_GENERATION
    }

    /// The [tag](crate::World::tag) of the world.
    pub fn tag(self) -> u8 {
        (self.0.get() >> (32 + GENERATION_BITS)) as u8
    }

    /// The handle of the same row and generation with another tag.
    pub(crate) fn with_tag(self, tag: u8) -> Self {
        let bits = self.id() | u64::from(tag) << (32 + GENERATION_BITS);
        // The generation is at least 1.
        Self(NonZeroU64::new(bits).unwrap_or(self.0))
    }

    /// Row and generation as a number: the bits without the tag.
    pub(crate) fn id(self) -> u64 {
        self.0.get() << 8 >> 8
    }
}

impl fmt::Debug for Handle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Handle({}v{})", self.row(), self.generation())
    }
}
