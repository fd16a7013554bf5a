//! `AxisAligned`: shapes that are rounded boxes.

use super::{Aabb, Circle, Kind, Point, RoundedBox};

/// An axis-aligned box with a radius around it: a [`Point`], a [`Circle`], an [`Aabb`] or a
/// [`RoundedBox`].
pub trait AxisAligned: Copy + sealed::Sealed {
    /// The kind of this shape.
    const KIND: Kind;

    /// The shape as a rounded box: the same set of points, with the same bits.
    fn rounded_box(self) -> RoundedBox;
}

/// No other crate can implement [`AxisAligned`], because checks rely on the kind and its box.
mod sealed {
    use super::{Aabb, Circle, Point, RoundedBox};

    pub trait Sealed {}

    impl Sealed for Point {}
    impl Sealed for Circle {}
    impl Sealed for Aabb {}
    impl Sealed for RoundedBox {}
}

impl AxisAligned for Point {
    const KIND: Kind = Kind::Point;

    fn rounded_box(self) -> RoundedBox {
        let Self { x, y } = self;
        RoundedBox { min_x: x, min_y: y, max_x: x, max_y: y, radius: 0.0 }
    }
}

impl AxisAligned for Circle {
    const KIND: Kind = Kind::Circle;

    fn rounded_box(self) -> RoundedBox {
        let Self { x, y, radius } = self;
        RoundedBox { min_x: x, min_y: y, max_x: x, max_y: y, radius }
    }
}

impl AxisAligned for Aabb {
    const KIND: Kind = Kind::Aabb;

    fn rounded_box(self) -> RoundedBox {
        let Self { min_x, min_y, max_x, max_y } = self;
        RoundedBox { min_x, min_y, max_x, max_y, radius: 0.0 }
    }
}

impl AxisAligned for RoundedBox {
    const KIND: Kind = Kind::RoundedBox;

    fn rounded_box(self) -> RoundedBox {
        self
    }
}
