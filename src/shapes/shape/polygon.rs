use glam::Vec2;

use super::{
    MAX_VERTICES,
    check::{coordinate_fault, size_fault},
};
use crate::{
    error::{Error, Field, PolygonFault},
    simd::map_each,
};

mod merge;
#[cfg(test)]
mod tests;
mod walk;

use walk::{order, turn};

/// A convex polygon with its interior, and everything within a rounding radius of it (0 unless
/// given by [`with_radius`](ConvexPolygon::with_radius)).
///
/// The vertices are corners, counter-clockwise where y points up: at least 3, at most
/// [`MAX_VERTICES`], each a left turn. A polygon cannot be changed, so it remains valid.
///
/// # Tolerance
///
/// A vertex is merged into a side if it bends the outline by no more than roundings do. The
/// tolerance is 5 · 2^-24 of the largest coordinate in magnitude, x or y, of all vertices.
///
/// - Each merged vertex is within the tolerance of the remaining outline. So a polygon changes by
///   at most the tolerance, however many vertices are merged.
/// - Each remaining vertex is further than the tolerance from the chord between its neighbours,
///   unless only 3 remain. A triangle is never merged further, however thin it is.
/// - Merged vertices may be anywhere in the list. [`vertices`](ConvexPolygon::vertices) returns the
///   remaining vertices, and the numbers of contact features are positions in it.
/// - The set of remaining vertices depends on neither the start of the list nor its winding.
/// - A polygon made of the vertices of another polygon is equal to it.
/// - The parts of an outline are made without a tolerance: they keep all corners, however little
///   these bend the part ([`Compound::from_outline`](super::Compound)).
/// - Coordinates that are whole multiples of a power of two, up to 2^10 times that power, are
///   exact: only vertices on a straight side are merged, and no dent is accepted.
///
/// Place an outline near its own origin, and move it by its pose: at 1,000 the tolerance is 0.0003,
/// whatever the size of the polygon.
///
/// # How exact the checks are
///
/// Whether three vertices turn left, right or not at all is decided exactly, for the vertices as
/// given, whatever their magnitudes (Shewchuk 1997; the crate `robust`). So the vertices are
/// distinct, and each vertex is a left turn.
///
/// ```
/// use widephase::shape::ConvexPolygon;
///
/// // Clockwise, with a vertex in the middle of a side.
/// let square = ConvexPolygon::new(&[[0.0, 0.0], [0.0, 2.0], [2.0, 2.0], [2.0, 1.0], [2.0, 0.0]])?;
/// let corners = [[0.0, 0.0], [2.0, 0.0], [2.0, 2.0], [0.0, 2.0]].map(Into::into);
/// assert_eq!(square.vertices(), corners);
/// assert_eq!(square.with_radius(0.25)?.radius(), 0.25);
/// # Ok::<(), widephase::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct ConvexPolygon {
    vertices: Vec<Vec2>,
    radius: f32,
}

impl ConvexPolygon {
    /// The polygon with the given corners: [`Vec2`]s, `[f32; 2]`s or tuples, clockwise or
    /// counter-clockwise, starting with any of them.
    ///
    /// The list must walk once round its own convex hull within the
    /// [tolerance](ConvexPolygon#tolerance). Dents up to the tolerance are accepted, and so are
    /// steps back along a side. Vertices that repeat other vertices or bend the outline by no more
    /// than the tolerance are merged. The first remaining vertex of the list is the first vertex of
    /// the polygon.
    ///
    /// O(n log n) time; allocates.
    ///
    /// # Errors
    /// [`Error::InvalidPolygon`] with index 0 and the first of these faults:
    /// - [`PolygonFault::Vertex`]: a coordinate is NaN, infinite or beyond 2^60.
    /// - [`PolygonFault::TooFewVertices`]: fewer than 3 are distinct.
    /// - [`PolygonFault::NoArea`]: all lie on one line, exactly.
    /// - [`PolygonFault::NotConvex`]: the outline bends inwards, turns back, crosses itself or goes
    ///   round more than once, as a pentagram does.
    /// - [`PolygonFault::TooManyVertices`]: more than [`MAX_VERTICES`] remain.
    pub fn new<V: Copy + Into<Vec2>>(vertices: &[V]) -> Result<Self, Error> {
        outline(&read(vertices)?).map_err(refuse)
    }

    /// The convex hull of some points: the smallest convex polygon that holds all of them, within
    /// the [tolerance](ConvexPolygon#tolerance). It begins with the leftmost of its vertices, the
    /// lowest of them if there are two.
    ///
    /// Corners of the hull are merged as in [`new`](ConvexPolygon::new). So some points may lie
    /// outside the polygon, by no more than the tolerance.
    ///
    /// O(n log n) time; allocates.
    ///
    /// # Errors
    /// As [`new`](ConvexPolygon::new), but never [`PolygonFault::NotConvex`].
    ///
    /// ```
    /// use widephase::shape::ConvexPolygon;
    ///
    /// let hull = ConvexPolygon::hull(&[[1.0, 1.0], [2.0, 0.0], [0.0, 0.0], [1.0, 3.0]])?;
    /// assert_eq!(hull.vertices(), [[0.0, 0.0], [2.0, 0.0], [1.0, 3.0]].map(Into::into));
    /// # Ok::<(), widephase::Error>(())
    /// ```
    pub fn hull<V: Copy + Into<Vec2>>(points: &[V]) -> Result<Self, Error> {
        around(&read(points)?).map_err(refuse)
    }

    /// The polygon with a rounding radius, from 0 to 2^60: the shape includes everything within
    /// this distance of the polygon. O(1) time: the vertices are moved, not copied.
    ///
    /// # Errors
    /// [`Error::InvalidPolygon`] with index 0 and [`PolygonFault::Radius`].
    pub fn with_radius(self, radius: f32) -> Result<Self, Error> {
        match size_fault(radius) {
            Some(fault) => Err(refuse(PolygonFault::Radius { value: radius, fault })),
            None => Ok(Self { radius, ..self }),
        }
    }

    /// The vertices that remain after merging, counter-clockwise where y points up.
    ///
    /// There may be fewer than were given: see [tolerance](ConvexPolygon#tolerance).
    pub fn vertices(&self) -> &[Vec2] {
        &self.vertices
    }

    /// Two places, whose middle is about the centre: opposite corners of the bounding box.
    pub(crate) fn span(&self) -> [[f32; 2]; 2] {
        let first = self.vertices.first().copied().unwrap_or_default();
        let ends = self
            .vertices
            .iter()
            .fold([first; 2], |[min, max], vertex| [min.min(*vertex), max.max(*vertex)]);
        map_each(ends, |end| end.to_array())
    }

    /// The rounding radius.
    pub fn radius(&self) -> f32 {
        self.radius
    }

    /// A polygon as it was written: corners that go once round a convex outline stay as they are,
    /// to the bit. So the parts of an outline do. All else is taken as by
    /// [`new`](ConvexPolygon::new), with its errors.
    #[cfg(any(feature = "narrowphase", feature = "serde"))]
    pub(crate) fn of_written<V: Copy + Into<Vec2>>(vertices: &[V]) -> Result<Self, Error> {
        let points = read(vertices)?;
        let polygon = if walk::is_convex(&points) { Self::of(points) } else { outline(&points) };
        polygon.map_err(refuse)
    }

    /// The polygon with the vertices and the radius of a polygon.
    pub(crate) fn of_own(vertices: Vec<Vec2>, radius: f32) -> Self {
        Self { vertices, radius }
    }

    /// The polygon with corners that have been checked.
    fn of(vertices: Vec<Vec2>) -> Result<Self, PolygonFault> {
        match vertices.len() {
            // A guard only: the hull of points that span an area has three corners, and merging
            // keeps at least three.
            0..3 => Err(PolygonFault::NoArea),
            // A guard only. Let h be the tolerance and m the largest coordinate. A corner with a
            // bend b between sides of mean length l is about l · b / 2 off the chord between its
            // neighbours, so l · b > 2 h. The lengths add up to at most 8 m, the bends to 2 π. By
            // the inequality of Cauchy and Schwarz there are at most (8 π m / h)^½ corners, 9,200.
            len if len > MAX_VERTICES => Err(PolygonFault::TooManyVertices { len }),
            _ => Ok(Self { vertices, radius: 0.0 }),
        }
    }
}

/// The error of a polygon on its own, with index 0.
fn refuse(fault: PolygonFault) -> Error {
    Error::InvalidPolygon { index: 0, fault }
}

/// The points, if their values are valid and they span an area.
fn read<V: Copy + Into<Vec2>>(given: &[V]) -> Result<Vec<Vec2>, Error> {
    let points: Vec<Vec2> = given.iter().map(|&point| point.into()).collect();
    for (vertex, point) in points.iter().enumerate() {
        for (field, value) in [(Field::X, point.x), (Field::Y, point.y)] {
            if let Some(fault) = coordinate_fault(value) {
                return Err(refuse(PolygonFault::Vertex { vertex, field, value, fault }));
            }
        }
    }
    let mut distinct = Vec::with_capacity(3);
    for &point in &points {
        if distinct.len() < 3 && !distinct.contains(&point) {
            distinct.push(point);
        }
    }
    let [a, b, _] = distinct[..] else {
        return Err(refuse(PolygonFault::TooFewVertices { distinct: distinct.len() }));
    };
    if points.iter().all(|&c| turn(a, b, c).is_eq()) {
        return Err(refuse(PolygonFault::NoArea));
    }
    Ok(points)
}

/// The polygon with the outline through `points`, which span an area.
fn outline(points: &[Vec2]) -> Result<ConvexPolygon, PolygonFault> {
    let tolerance = walk::tolerance(points);
    let corners = merge::merge(points, walk::hull(points), tolerance);
    if corners.len() >= 3 {
        walk::once_round(points, &corners, tolerance)
            .map_err(|vertex| PolygonFault::NotConvex { vertex })?;
    }
    let first = (0..corners.len()).min_by_key(|&place| corners[place]);
    polygon(points, corners, first)
}

/// The polygon around `points`, which span an area.
fn around(points: &[Vec2]) -> Result<ConvexPolygon, PolygonFault> {
    let corners = merge::merge(points, walk::hull(points), walk::tolerance(points));
    let point = |&place: &usize| points[corners[place]];
    let first = (0..corners.len()).min_by(|a, b| order(point(a), point(b)));
    polygon(points, corners, first)
}

/// The polygon with the given corners, starting at the corner at position `first`.
fn polygon(
    points: &[Vec2],
    mut corners: Vec<usize>,
    first: Option<usize>,
) -> Result<ConvexPolygon, PolygonFault> {
    corners.rotate_left(first.unwrap_or(0));
    ConvexPolygon::of(corners.into_iter().map(|corner| points[corner]).collect())
}
