use super::{AnyShape, ChainSegment, Compound, HalfPlane, Part, Shape};

/// A shape of any kind that owns its data, for lists of mixed kinds: from a file or an editor, or
/// kept to be used again.
///
/// Any shape converts to it by `into()`, which checks and changes nothing, takes O(1) time and
/// never panics. It implements [`Shape`], so every function that takes a shape takes it and checks
/// its values. If no ownership is needed, [`AnyShape`] borrows the lists of polygons and compounds
/// instead.
///
/// ```
/// use widephase::{Shapes, shape::{Circle, Compound, Kind, Obb, OwnedShape, Rotation, Shape}};
///
/// let snowman = Compound::new([Circle::new([0.0, 0.0], 2.0), Circle::new([0.0, 2.5], 1.0)])?;
/// let level: Vec<OwnedShape> = vec![
///     Circle::new([5.0, 0.0], 1.0).into(),
///     Obb::new([8.0, 0.0], [1.0, 2.0], Rotation::from_angle(0.5)).into(),
///     snowman.into(),
/// ];
/// let kinds: Vec<Kind> = level.iter().map(|shape| shape.any().kind()).collect();
/// assert_eq!(kinds, [Kind::Circle, Kind::Obb, Kind::Compound]);
///
/// let mut shapes = Shapes::from_slice(&level)?;
/// shapes.push(&level[0])?;
/// assert_eq!(shapes.len(), 4);
/// # Ok::<(), widephase::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum OwnedShape {
    /// A shape that may be a part of a compound.
    Single(Part),
    /// A segment of a chain.
    ChainSegment(ChainSegment),
    /// A half-plane.
    HalfPlane(HalfPlane),
    /// Several shapes that form one body.
    Compound(Compound),
}

impl Shape for OwnedShape {
    fn any(&self) -> AnyShape<'_> {
        match self {
            OwnedShape::Single(part) => part.any(),
            OwnedShape::ChainSegment(segment) => segment.any(),
            OwnedShape::HalfPlane(half_plane) => half_plane.any(),
            OwnedShape::Compound(compound) => compound.any(),
        }
    }
}

/// From a [`Part`], or a shape that converts to a part: every shape except compounds, segments of
/// chains and half-planes.
impl<T: Into<Part>> From<T> for OwnedShape {
    fn from(shape: T) -> Self {
        OwnedShape::Single(shape.into())
    }
}

impl From<Compound> for OwnedShape {
    fn from(compound: Compound) -> Self {
        OwnedShape::Compound(compound)
    }
}

impl From<ChainSegment> for OwnedShape {
    fn from(segment: ChainSegment) -> Self {
        OwnedShape::ChainSegment(segment)
    }
}

impl From<HalfPlane> for OwnedShape {
    fn from(half_plane: HalfPlane) -> Self {
        OwnedShape::HalfPlane(half_plane)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        Shapes,
        shape::{
            Aabb, Capsule, Circle, ConvexPolygon, Kind, Obb, Point, Pose, Rotation, RoundedBox,
            Segment,
        },
    };

    #[test]
    fn every_shape_stays_what_it_is() {
        let point = Point::new([1.0, 2.0]);
        let circle = Circle::new([1.0, 2.0], 3.0);
        let aabb = Aabb::new([0.0, 0.0], [1.0, 2.0]);
        let rounded_box = RoundedBox::new(aabb, 0.5);
        let obb = Obb::new([0.0, 0.0], [1.0, 2.0], Rotation::from_angle(1.0));
        let capsule = Capsule::new([0.0, 0.0], [1.0, 2.0], 0.5);
        let segment = Segment::new([0.0, 0.0], [1.0, 2.0]);
        let polygon = ConvexPolygon::new(&[[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]]).unwrap();
        let compound = Compound::new([circle]).unwrap();
        let owned: [OwnedShape; 10] = [
            point.into(),
            circle.into(),
            aabb.into(),
            rounded_box.into(),
            obb.into(),
            capsule.into(),
            segment.into(),
            polygon.clone().into(),
            Part::from(circle).into(),
            compound.clone().into(),
        ];
        let lent = [
            AnyShape::Point(point),
            AnyShape::Circle(circle),
            AnyShape::Aabb(aabb),
            AnyShape::RoundedBox(rounded_box),
            AnyShape::Obb(obb),
            AnyShape::Capsule(capsule),
            AnyShape::Segment(segment),
            AnyShape::Polygon(&polygon),
            AnyShape::Circle(circle),
            AnyShape::Compound(&compound),
        ];
        assert_eq!(owned.each_ref().map(Shape::any), lent);
        // A compound of one circle is not equal to the circle.
        assert_ne!(owned[9], owned[8]);
    }

    #[test]
    fn lists_go_into_a_store() {
        let circle = Circle::new([1.0, 2.0], 3.0);
        let list: [OwnedShape; 2] = [circle.into(), Compound::new([circle]).unwrap().into()];
        let mut shapes = Shapes::from_slice(&list).unwrap();
        shapes.push_at(&list[1], Pose::at([4.0, 0.0])).unwrap();
        let kinds = [0, 1, 2].map(|row| shapes.kind(row).unwrap());
        assert_eq!(kinds, [Kind::Circle, Kind::Compound, Kind::Compound]);
        let sides = [0, 1, 2].map(|row| shapes.bounds(row).unwrap());
        assert_eq!(
            sides[0],
            RoundedBox { min_x: 1.0, min_y: 2.0, max_x: 1.0, max_y: 2.0, radius: 3.0 }
        );
        assert!(sides[1].min_x <= -2.0 && sides[2].min_x <= 2.0 && sides[2].min_x > 1.999);
    }
}
