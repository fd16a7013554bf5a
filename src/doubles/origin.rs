//! `Origin`: `f64` positions to `f32` and back.

use glam::Vec2;

#[cfg(feature = "outlines")]
use crate::shape::Compound;
use crate::{
    Error,
    doubles::columns::{DoubleColumns, ReadRows, with_reader},
    shape::{ConvexPolygon, Pose},
    simd::map_each,
};

/// The place that `f32` positions are relative to, for all that this module has no exact call for:
/// contacts, rotated shapes, rays, casts, a [`World`](crate::World).
///
/// A position that is `d` away from the origin along an axis is rounded by at most `d` · 2^-24
/// there: by 0.06 mm at a kilometre, and at 4,500 kilometres by 0.27 m. What a call computes with
/// such positions is as exact as it is for `f32` shapes at these distances (docs/numerics.md).
///
/// ```
/// use widephase::{doubles::Origin, narrowphase::contact, shape::Circle};
///
/// // Two discs in UTM metres: 0.03 deep. At these coordinates, f32 has steps of 0.5.
/// let (a, b) = ([4_500_000.1, 500_000.2], [4_500_000.1, 500_000.67]);
/// let origin = Origin::at(a);
/// let disc = |at| Circle::new(origin.relative(at), 0.25);
/// let found = contact(disc(a), disc(b), 0.0)?.unwrap();
/// assert!((found.depth - 0.03).abs() < 1e-6);
/// let [x, y] = origin.absolute(found.points()[0].position());
/// assert!((x - 4_500_000.1).abs() < 1e-6 && (y - 500_000.435).abs() < 1e-6);
/// # Ok::<(), widephase::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Origin {
    position: [f64; 2],
}

/// The most rows that an origin is chosen by.
const SAMPLE: usize = 255;

impl Origin {
    /// The origin at a position.
    pub const fn at(position: [f64; 2]) -> Self {
        Self { position }
    }

    /// An origin among some shapes: about half of them are to the left of it, and half below. At
    /// most 255 of them are looked at. (0, 0) if there are none.
    ///
    /// ```
    /// use widephase::doubles::{DoubleColumns, Origin};
    ///
    /// // One of the places is missing.
    /// let places = [[4_500_000.0, 500_000.0], [0.0, 0.0], [4_500_002.0, 500_001.0]];
    /// let origin = Origin::among(&DoubleColumns::points_at(&places)?);
    /// assert_eq!(origin.position(), [4_500_000.0, 500_000.0]);
    /// # Ok::<(), widephase::Error>(())
    /// ```
    pub fn among(shapes: &DoubleColumns<'_>) -> Self {
        Self::and_spread(shapes).0
    }

    /// The same, and how far the shapes that were looked at are apart along an axis.
    pub(super) fn and_spread(shapes: &DoubleColumns<'_>) -> (Self, f64) {
        let len = shapes.len();
        if len == 0 {
            return (Self::default(), 0.0);
        }
        let (count, mut spread) = (len.min(SAMPLE), 0.0_f64);
        let position = map_each([0, 1], |axis: usize| {
            let mut sample = [0.0; SAMPLE];
            for (number, at) in sample[..count].iter_mut().enumerate() {
                let row = (number as u64 * len as u64 / count as u64) as usize;
                *at = with_reader!(shapes, reader => reader.row(row)).min[axis];
            }
            let sample = &mut sample[..count];
            sample.sort_unstable_by(f64::total_cmp);
            spread = spread.max(sample[count - 1] - sample[0]);
            sample[count / 2]
        });
        (Self { position }, spread)
    }

    /// Where the origin is.
    pub const fn position(self) -> [f64; 2] {
        self.position
    }

    /// A position relative to the origin: the difference in `f64`, rounded to `f32`.
    #[inline]
    pub fn relative(self, position: [f64; 2]) -> [f32; 2] {
        map_each([0, 1], |axis: usize| (position[axis] - self.position[axis]) as f32)
    }

    /// The position of a relative one, such as the point of a contact or of a hit.
    #[inline]
    pub fn absolute(self, relative: impl Into<Vec2>) -> [f64; 2] {
        let relative = relative.into().to_array();
        map_each([0, 1], |axis: usize| self.position[axis] + f64::from(relative[axis]))
    }

    /// A convex polygon, and the pose at which it has these vertices relative to the origin.
    ///
    /// The vertices of the shape are relative to their middle. So their rounding, and the
    /// [tolerance](ConvexPolygon#tolerance) of the polygon, depend on the size of the polygon and
    /// not on its distance from the origin.
    ///
    /// ```
    /// use widephase::{doubles::Origin, shape::ConvexPolygon};
    ///
    /// let block = [[0.0, 0.0], [9.0, -0.1], [18.0, 0.0], [18.0, 12.0], [0.0, 12.0]];
    /// let block = block.map(|[x, y]| [5_000_000.0 + x, 500_000.0 + y]);
    /// let (shape, pose) = Origin::at([5_000_100.0, 500_000.0]).polygon(&block)?;
    /// assert_eq!((shape.vertices().len(), pose.x, pose.y), (5, -91.0, 5.95));
    /// // As f32 at these coordinates, the second vertex is on the side between its neighbours.
    /// let merged = ConvexPolygon::new(&block.map(|[x, y]| [x as f32, y as f32]))?;
    /// assert_eq!(merged.vertices().len(), 4);
    /// # Ok::<(), widephase::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`ConvexPolygon::new`], values relative to the middle.
    pub fn polygon(self, vertices: &[[f64; 2]]) -> Result<(ConvexPolygon, Pose), Error> {
        let local = self.local(vertices);
        Ok((ConvexPolygon::new(&local.of(vertices))?, local.pose))
    }

    /// The area inside an outline and outside of its holes, and its pose: as
    /// [`polygon`](Origin::polygon).
    ///
    /// # Errors
    /// As [`Compound::from_outline`], values relative to the middle.
    #[cfg(feature = "outlines")]
    pub fn outline(
        self,
        outline: &[[f64; 2]],
        holes: &[&[[f64; 2]]],
    ) -> Result<(Compound, Pose), Error> {
        let local = self.local(outline);
        let rings: Vec<Vec<[f32; 2]>> = holes.iter().map(|hole| local.of(hole)).collect();
        let holes: Vec<&[[f32; 2]]> = rings.iter().map(Vec::as_slice).collect();
        Ok((Compound::from_outline(&local.of(outline), &holes)?, local.pose))
    }

    /// A place in the middle of some vertices whose relative position is exact.
    fn local(self, vertices: &[[f64; 2]]) -> LocalPlace {
        let middle = map_each([0, 1], |axis: usize| {
            let along = vertices.iter().map(|vertex| vertex[axis]);
            let low = along.clone().fold(f64::INFINITY, f64::min);
            let high = along.fold(f64::NEG_INFINITY, f64::max);
            if low.is_finite() && high.is_finite() { (low + high) * 0.5 } else { 0.0 }
        });
        let position = self.relative(middle);
        LocalPlace { origin: Self { position: self.absolute(position) }, pose: Pose::at(position) }
    }
}

/// A place near some vertices.
struct LocalPlace {
    origin: Origin,
    pose: Pose,
}

impl LocalPlace {
    /// Vertices relative to the place.
    fn of(&self, vertices: &[[f64; 2]]) -> Vec<[f32; 2]> {
        vertices.iter().map(|vertex| self.origin.relative(*vertex)).collect()
    }
}
