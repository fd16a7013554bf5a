//! `contains`: whether a shape at its own coordinates holds a point.

use super::Probe;
use crate::{
    geometry::{Solid, Vector},
    shape::{
        Aabb, AnyShape, Capsule, ChainSegment, Circle, Compound, ConvexPolygon, HalfPlane, Obb,
        RoundedBox, Segment, Shape,
    },
    simd::map_each,
};

/// Whether a shape holds a point, border included. False for invalid values.
fn holds(shape: AnyShape<'_>, point: [f32; 2]) -> bool {
    let [x, y] = point;
    if !(x.is_finite() && y.is_finite()) {
        return false;
    }
    let point = Vector::wide(point);
    let within = |corners: &[Vector], radius: f32| {
        let finite = corners.iter().all(|corner| corner.x.is_finite() && corner.y.is_finite());
        let solid = Solid { corners, radius: f64::from(radius), aligned: None, border: None };
        finite && radius >= 0.0 && solid.holds(point, true)
    };
    let line = |a: [f32; 2], b: [f32; 2], radius: f32| {
        let ends = map_each([a, b], Vector::wide);
        within(if a == b { &ends[..1] } else { &ends }, radius)
    };
    match shape {
        AnyShape::Segment(Segment { ax, ay, bx, by }) => line([ax, ay], [bx, by], 0.0),
        AnyShape::ChainSegment(ChainSegment { a, b, .. }) => line(a.into(), b.into(), 0.0),
        AnyShape::HalfPlane(half_plane) => half_plane.checked(0).is_ok_and(|half_plane| {
            let normal = Vector::wide([half_plane.normal_x, half_plane.normal_y]);
            normal.dot(point) <= f64::from(half_plane.offset)
        }),
        AnyShape::Capsule(Capsule { ax, ay, bx, by, radius }) => line([ax, ay], [bx, by], radius),
        AnyShape::Obb(obb) => obb.checked(0).is_ok_and(|obb| {
            let half = Vector::wide([obb.half_width, obb.half_height]);
            let axis = Vector::wide([obb.cos, obb.sin]);
            let to = point - Vector::wide([obb.x, obb.y]);
            axis.dot(to).abs() <= half.x && axis.cross(to).abs() <= half.y
        }),
        AnyShape::Polygon(polygon) => {
            let corners = polygon.vertices().iter().map(|corner| Vector::wide(corner.to_array()));
            within(&corners.collect::<Vec<_>>(), polygon.radius())
        }
        AnyShape::Compound(compound) => {
            compound.parts().iter().any(|part| holds(part.any(), [x, y]))
        }
        aligned => Probe::of_aligned(0, aligned).ok().flatten().is_some_and(|probe| {
            Solid::with_box(&probe.bounds(), |solid| solid.holds(point, true))
        }),
    }
}

macro_rules! contains {
    ($($shape:ident),*) => {$(
        impl $shape {
            /// Whether the shape holds a point, border included.
            ///
            /// Decided in `f64` from the values as they are. False for a shape with an invalid
            /// value, and for a point that is not finite. For a shape at a pose, see
            /// [`narrowphase::contains`](crate::narrowphase::contains()). Never panics.
            pub fn contains(&self, point: impl Into<[f32; 2]>) -> bool {
                holds(self.any(), point.into())
            }
        }
    )*};
}

contains!(Circle, Aabb, RoundedBox, Obb, Capsule, Segment, ConvexPolygon, HalfPlane, Compound);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shape::Rotation;

    #[test]
    fn borders_and_beyond() {
        let circle = Circle::new([1.0, 2.0], 5.0);
        assert!(circle.contains([4.0, 6.0]) && !circle.contains([4.0, 6.000_001]));
        let aabb = Aabb::new([0.0, 0.0], [2.0, 1.0]);
        assert!(aabb.contains([2.0, 1.0]) && !aabb.contains([2.0, 1.000_001]));
        let rounded = RoundedBox::new(aabb, 5.0);
        assert!(rounded.contains([5.0, 5.0]) && !rounded.contains([5.0, 5.000_001]));
        let obb = Obb::new([0.0, 0.0], [5.0, 1.0], Rotation { cos: 0.6, sin: 0.8 });
        assert!(obb.contains([2.9, 3.9]) && !obb.contains([3.0, -1.0]));
        let capsule = Capsule::new([0.0, 0.0], [6.0, 0.0], 5.0);
        assert!(capsule.contains([9.0, 4.0]) && !capsule.contains([9.0, 4.000_001]));
        let segment = Segment::new([0.0, 0.0], [6.0, 3.0]);
        assert!(segment.contains([2.0, 1.0]) && !segment.contains([2.0, 1.000_001]));
        let wedge = ConvexPolygon::new(&[[0.0, 0.0], [4.0, 0.0], [0.0, 3.0]]).unwrap();
        assert!(wedge.contains([2.0, 1.5]) && !wedge.contains([2.0, 1.500_001]));
        let both = Compound::new([circle, Circle::new([20.0, 0.0], 1.0)]).unwrap();
        assert!(both.contains([21.0, 0.0]) && !both.contains([15.0, 0.0]));
    }

    #[test]
    fn invalid_shapes_contain_nothing() {
        assert!(!Circle::new([f32::NAN, 0.0], 1.0).contains([0.0, 0.0]));
        assert!(!Circle::new([0.0, 0.0], 1.0).contains([f32::NAN, 0.0]));
        assert!(!Capsule::new([0.0, 0.0], [f32::INFINITY, 0.0], 1.0).contains([0.0, 0.0]));
        assert!(!Capsule::new([0.0, 0.0], [1.0, 0.0], -1.0).contains([0.0, 0.0]));
        assert!(!Segment::new([0.0, 0.0], [1.0, 1.0]).contains([f32::INFINITY, 1.0]));
    }
}
