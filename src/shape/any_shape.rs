use super::{
    Aabb, Capsule, ChainSegment, Circle, Compound, ConvexPolygon, HalfPlane, Kind, Obb, Point,
    RoundedBox, Segment,
};

/// A shape of any kind: records by value, polygons and compounds by reference.
///
/// ```
/// use widephase::shape::{AnyShape, Circle, Kind, Shape};
///
/// let circle = Circle::new([1.0, 2.0], 0.5);
/// assert_eq!(circle.any(), AnyShape::Circle(circle));
/// assert_eq!(circle.any().kind(), Kind::Circle);
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum AnyShape<'a> {
    /// A point.
    Point(Point),
    /// A circle.
    Circle(Circle),
    /// An axis-aligned rectangle.
    Aabb(Aabb),
    /// A rounded box.
    RoundedBox(RoundedBox),
    /// A rotated rectangle.
    Obb(Obb),
    /// A capsule.
    Capsule(Capsule),
    /// A segment.
    Segment(Segment),
    /// A convex polygon.
    Polygon(&'a ConvexPolygon),
    /// A segment of a chain.
    ChainSegment(ChainSegment),
    /// A half-plane.
    HalfPlane(HalfPlane),
    /// Several shapes that form one body.
    Compound(&'a Compound),
}

impl AnyShape<'_> {
    /// The kind of the shape.
    pub fn kind(self) -> Kind {
        match self {
            AnyShape::Point(_) => Kind::Point,
            AnyShape::Circle(_) => Kind::Circle,
            AnyShape::Aabb(_) => Kind::Aabb,
            AnyShape::RoundedBox(_) => Kind::RoundedBox,
            AnyShape::Obb(_) => Kind::Obb,
            AnyShape::Capsule(_) => Kind::Capsule,
            AnyShape::Segment(_) => Kind::Segment,
            AnyShape::Polygon(_) => Kind::Polygon,
            AnyShape::ChainSegment(_) => Kind::ChainSegment,
            AnyShape::HalfPlane(_) => Kind::HalfPlane,
            AnyShape::Compound(_) => Kind::Compound,
        }
    }
}

/// A value that converts to a shape of any kind: every shape, the parts of a compound, and
/// references to them.
pub trait Shape {
    /// Returns the shape with its kind. Nothing is checked or changed.
    fn any(&self) -> AnyShape<'_>;
}

impl<T: Shape + ?Sized> Shape for &T {
    fn any(&self) -> AnyShape<'_> {
        T::any(self)
    }
}

impl Shape for AnyShape<'_> {
    fn any(&self) -> AnyShape<'_> {
        *self
    }
}

impl Shape for ConvexPolygon {
    fn any(&self) -> AnyShape<'_> {
        AnyShape::Polygon(self)
    }
}

impl Shape for Compound {
    fn any(&self) -> AnyShape<'_> {
        AnyShape::Compound(self)
    }
}

macro_rules! records {
    ($($record:ident),*) => {$(
        impl Shape for $record {
            fn any(&self) -> AnyShape<'_> {
                AnyShape::$record(*self)
            }
        }
    )*};
}

records!(Point, Circle, Aabb, RoundedBox, Obb, Capsule, Segment, ChainSegment, HalfPlane);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn by_reference_and_unsized() {
        let compound = Compound::new([Point::new([1.0, 2.0])]).unwrap();
        assert_eq!(compound.any(), AnyShape::Compound(&compound));
        let shapes: [&dyn Shape; 2] = [&compound, &Segment::default()];
        let kinds = shapes.map(|shape| shape.any().kind());
        assert_eq!(kinds, [Kind::Compound, Kind::Segment]);
        assert_eq!((&&compound).any().any().kind().to_string(), "compound");
    }
}
