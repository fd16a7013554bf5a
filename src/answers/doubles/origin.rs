//! `Origin`: `f64` positions to `f32` and back.

use glam::Vec2;

#[cfg(feature = "outlines")]
use crate::shape::Compound;
use crate::{
    base::order::sort_f64,
    doubles::columns::{DoubleColumns, ReadRows, with_reader},
    error::Error,
    shape::ConvexPolygon,
    simd::map_each,
};

/// The place that `f32` positions are relative to, for calls that this module does not have:
/// contacts, rotated shapes, rays, casts, a [`World`](crate::World).
///
/// A position that is `d` away from the origin along an axis is rounded by at most `d` · 2^-24
/// there: by 0.06 mm at a kilometre, and at 4,500 kilometres by 0.27 m. The results of a call with
/// such positions are as exact as for `f32` shapes at these distances (docs/numerics.md).
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
const ORIGIN_SAMPLE: usize = 255;

impl Origin {
    /// The origin at a position.
    pub const fn at(position: [f64; 2]) -> Self {
        Self { position }
    }

    /// An origin among some shapes: about half of them are to the left of it, and half below. At
    /// most 255 shapes are looked at. (0, 0) without shapes.
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

    /// The origin, and how far the shapes that were looked at are apart along an axis.
    pub(super) fn and_spread(shapes: &DoubleColumns<'_>) -> (Self, f64) {
        let len = shapes.len();
        if len == 0 {
            return (Self::default(), 0.0);
        }
        let (count, mut spread) = (len.min(ORIGIN_SAMPLE), 0.0_f64);
        let position = map_each([0, 1], |axis: usize| {
            let mut sample = [0.0; ORIGIN_SAMPLE];
            for (number, at) in sample[..count].iter_mut().enumerate() {
                let row = (number as u64 * len as u64 / count as u64) as usize;
                *at = with_reader!(shapes, reader => reader.row(row)).min[axis];
            }
            let sample = &mut sample[..count];
            sort_f64(sample);
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

    /// The position for a relative position, such as the point of a contact or of a hit.
    #[inline]
    pub fn absolute(self, relative: impl Into<Vec2>) -> [f64; 2] {
        let relative = relative.into().to_array();
        map_each([0, 1], |axis: usize| self.position[axis] + f64::from(relative[axis]))
    }

    /// A convex polygon, with its vertices relative to the origin: each is the difference in `f64`,
    /// rounded to `f32`. So equal vertices of two polygons stay equal.
    ///
    /// A rounding is at most 2^-25 of the distance from the origin, and the
    /// [tolerance](ConvexPolygon#tolerance) of the polygon is 5 · 2^-24 of it: 3 centimetres at 100
    /// kilometres. [`outlines`](Origin::outlines) have no tolerance.
    ///
    /// ```
    /// use widephase::{doubles::Origin, shape::ConvexPolygon};
    ///
    /// let block = [[0.0, 0.0], [9.0, -0.1], [18.0, 0.0], [18.0, 12.0], [0.0, 12.0]];
    /// let block = block.map(|[x, y]| [5_000_000.0 + x, 500_000.0 + y]);
    /// let shape = Origin::at([5_000_100.0, 500_000.0]).polygon(&block)?;
    /// assert_eq!((shape.vertices().len(), shape.vertices()[3].to_array()), (5, [-82.0, 12.0]));
    /// // As f32 at these coordinates, the second vertex is on the side between its neighbours.
    /// let merged = ConvexPolygon::new(&block.map(|[x, y]| [x as f32, y as f32]))?;
    /// assert_eq!(merged.vertices().len(), 4);
    /// # Ok::<(), widephase::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`ConvexPolygon::new`], values relative to the origin.
    pub fn polygon(self, vertices: &[[f64; 2]]) -> Result<ConvexPolygon, Error> {
        ConvexPolygon::new(&self.ring(vertices))
    }

    /// The area of some outlines, each the outline followed by its holes, with its vertices
    /// relative to the origin: as [`polygon`](Origin::polygon). One outline with holes, or a
    /// multipolygon.
    ///
    /// # Errors
    /// As [`Compound::from_outlines`], values relative to the origin.
    #[cfg(feature = "outlines")]
    pub fn outlines(self, outlines: &[&[Vec<[f64; 2]>]]) -> Result<Compound, Error> {
        let relative = outlines.iter().map(|rings| rings.iter().map(|ring| self.ring(ring)));
        Compound::from_outlines(relative)
    }

    fn ring(self, vertices: &[[f64; 2]]) -> Vec<[f32; 2]> {
        vertices.iter().map(|vertex| self.relative(*vertex)).collect()
    }
}
