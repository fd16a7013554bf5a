//! The shapes: plain records with public fields.
//!
//! Every axis-aligned shape is a **rounded box**: a core box and a radius around it. A point is a
//! core of zero size with radius 0, a circle a core of zero size with a radius, an AABB a core
//! with radius 0. [`AxisAligned`] is that view of a shape, and all that the engine asks of one.
//!
//! The records are [`Pod`](https://docs.rs/bytemuck/latest/bytemuck/trait.Pod.html)s of `bytemuck`: a
//! slice of them casts to bytes and back without a copy, so a file, a network buffer or a GPU buffer
//! can be read as shapes. They hold whatever was put in; values are checked where shapes enter a
//! [`Shapes`](crate::Shapes) store or are used as [`Columns`](crate::Columns).

mod aabb;
mod circle;
mod point;
mod rounded_box;
mod touching;

pub use aabb::Aabb;
pub use circle::Circle;
pub use point::Point;
pub use rounded_box::RoundedBox;
pub use touching::Touching;

/// The largest magnitude of a coordinate and of a radius: 2^60, in the caller's unit of length.
///
/// Two coordinates are then at most 2^61 apart, and every sum of squares in a decision stays far
/// below the largest `f32` (about 2^128): nothing can overflow to infinity.
pub const MAX_COORDINATE: f32 = (1_u64 << 60) as f32;

/// What a shape is, for people and files; the engine sees rounded boxes only.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Kind {
    /// A [`Point`].
    Point,
    /// A [`Circle`].
    Circle,
    /// An [`Aabb`].
    Aabb,
    /// A [`RoundedBox`].
    RoundedBox,
}

impl Kind {
    /// The name in lower case, as the CLI's CSV files write it: `point`, `circle`, `aabb`,
    /// `rounded_box`.
    pub const fn name(self) -> &'static str {
        match self {
            Kind::Point => "point",
            Kind::Circle => "circle",
            Kind::Aabb => "aabb",
            Kind::RoundedBox => "rounded_box",
        }
    }
}

impl std::fmt::Display for Kind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

/// A shape that is an axis-aligned box with a radius around it.
pub trait AxisAligned: Copy {
    /// What kind of shape this is.
    const KIND: Kind;

    /// The shape as a rounded box: the same set of points, the same bits.
    fn rounded_box(self) -> RoundedBox;
}
