use std::cmp::Ordering;

use glam::Vec2;

use crate::{
    Error,
    error::{Field, PolygonFault},
    store::{coordinate_fault, size_fault},
};

/// The most vertices that a polygon may have: 32,768, so that their numbers fit 15 bits.
pub const MAX_VERTICES: usize = 1 << 15;

/// A convex polygon with its inside, and everything within a rounding radius of it (0 unless given
/// by [`with_radius`](ConvexPolygon::with_radius)).
///
/// The vertices are corners, counter-clockwise where y points up: at least 3, at most
/// [`MAX_VERTICES`], each a left turn. It cannot be changed, so it stays what was checked.
///
/// # How exact the checks are
///
/// Whether three vertices turn left, right or not at all is decided in `f64`, with the rounding
/// errors of the products taken into account. The answer is the true one, for the vertices as
/// given, wherever the differences of their coordinates need no more than the 53 bits of an `f64`:
/// always, unless coordinates other than 0 along one axis differ by a factor of more than 2^28.
/// Beyond that, each such difference is off by one part in 2^53, and what is decided is the turn of
/// three points as much aside.
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
    /// counter-clockwise, from any of them.
    ///
    /// A vertex that repeats the one before it, or lies on the straight line between its
    /// neighbours, is left out. The first vertex that stays is the first of the polygon. A vertex
    /// that rounding has put a bit inside of such a line is not on it, and is refused: take the
    /// [`hull`](ConvexPolygon::hull) instead.
    ///
    /// O(n) time; allocates.
    ///
    /// # Errors
    /// [`Error::InvalidPolygon`] with index 0 and the first of these faults:
    /// - [`PolygonFault::Vertex`]: a coordinate is NaN, infinite or beyond 2^60.
    /// - [`PolygonFault::TooFewVertices`]: fewer than 3 are distinct.
    /// - [`PolygonFault::NoArea`]: all lie on one line.
    /// - [`PolygonFault::NotConvex`]: the outline bends inwards, turns back, crosses itself or goes
    ///   round more than once, as a pentagram does.
    /// - [`PolygonFault::TooManyVertices`]: more than [`MAX_VERTICES`] are left.
    pub fn new<V: Copy + Into<Vec2>>(vertices: &[V]) -> Result<Self, Error> {
        outline(&read(vertices)?).map_err(refuse)
    }

    /// The convex hull of some points: the smallest convex polygon that holds them all. It begins
    /// with the leftmost of its corners, the lowest of them if there are two.
    ///
    /// Monotone chain: A. M. Andrew, "Another efficient algorithm for convex hulls in two
    /// dimensions", Information Processing Letters 9 (1979). O(n log n) time; allocates.
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
        chain(read(points)?).map_err(refuse)
    }

    /// The polygon with a rounding radius, from 0 to 2^60: everything within it of the polygon
    /// belongs to the shape. O(1) time: the vertices are taken over, not copied.
    ///
    /// # Errors
    /// [`Error::InvalidPolygon`] with index 0 and [`PolygonFault::Radius`].
    pub fn with_radius(self, radius: f32) -> Result<Self, Error> {
        match size_fault(radius) {
            Some(fault) => Err(refuse(PolygonFault::Radius { value: radius, fault })),
            None => Ok(Self { radius, ..self }),
        }
    }

    /// The corners, counter-clockwise where y points up.
    pub fn vertices(&self) -> &[Vec2] {
        &self.vertices
    }

    /// The rounding radius.
    pub fn radius(&self) -> f32 {
        self.radius
    }

    /// Of corners that have been checked.
    fn of(vertices: Vec<Vec2>) -> Result<Self, PolygonFault> {
        match vertices.len() {
            // Only where the turns are inexact; the points did span an area.
            0..3 => Err(PolygonFault::NoArea),
            len if len > MAX_VERTICES => Err(PolygonFault::TooManyVertices { len }),
            _ => Ok(Self { vertices, radius: 0.0 }),
        }
    }
}

/// A polygon on its own has index 0.
fn refuse(fault: PolygonFault) -> Error {
    Error::InvalidPolygon { index: 0, fault }
}

/// The points, if their values are good and they span an area.
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
    let corners = corners(points);
    let around = |place: usize| {
        let before = corners[(place + corners.len() - 1) % corners.len()];
        let after = corners[(place + 1) % corners.len()];
        [before, corners[place], after].map(|vertex| points[vertex])
    };

    // At the leftmost, lowest corner every outline that does not cross itself turns the way in which
    // it goes round.
    let key = |&place: &usize| points[corners[place]];
    let first = (0..corners.len()).min_by(|a, b| order(key(a), key(b))).unwrap_or(0);
    let [a, b, c] = around(first);
    let winding = turn(a, b, c);
    if winding.is_eq() {
        return Err(PolygonFault::NotConvex { vertex: corners[first] });
    }
    // An outline that turns one way everywhere changes its direction from downwards to upwards once
    // in a round.
    let mut rounds = 0;
    for (place, &vertex) in corners.iter().enumerate() {
        let [a, b, c] = around(place);
        rounds += usize::from(!upwards(a, b) && upwards(b, c));
        if turn(a, b, c) != winding || rounds > 1 {
            return Err(PolygonFault::NotConvex { vertex });
        }
    }

    let mut vertices: Vec<Vec2> = corners.iter().map(|&vertex| points[vertex]).collect();
    if winding.is_lt() {
        vertices[1..].reverse();
    }
    ConvexPolygon::of(vertices)
}

/// The numbers of the points at which the outline through them bends, or turns back.
fn corners(points: &[Vec2]) -> Vec<usize> {
    let mut corners: Vec<usize> = (0..points.len()).collect();
    corners.dedup_by(|next, kept| points[*next] == points[*kept]);
    while corners.len() > 1 && points[corners[corners.len() - 1]] == points[corners[0]] {
        corners.pop();
    }
    // One round is enough where the turns are exact. Where they are not, leaving one out may make
    // its neighbour straight.
    loop {
        let len = corners.len();
        let bends = |place: usize| {
            let near =
                [corners[(place + len - 1) % len], corners[place], corners[(place + 1) % len]];
            let [a, b, c] = near.map(|vertex| points[vertex]);
            let ([ux, uy], [vx, vy]) = (way(a, b), way(b, c));
            let onwards = ux * vx + uy * vy > 0.0;
            !(turn(a, b, c).is_eq() && onwards)
        };
        let bent: Vec<usize> = (0..len).filter(|&p| bends(p)).map(|p| corners[p]).collect();
        if bent.len() == len || bent.is_empty() {
            return corners;
        }
        corners = bent;
    }
}

/// The convex hull of `points`, which span an area.
fn chain(mut points: Vec<Vec2>) -> Result<ConvexPolygon, PolygonFault> {
    points.sort_unstable_by(|&a, &b| order(a, b));
    let mut hull = Vec::new();
    for &point in &points {
        extend(&mut hull, 1, point);
    }
    let lower = hull.len();
    for &point in points.iter().rev() {
        extend(&mut hull, lower, point);
    }
    // The chain along the top ends where the one along the bottom began.
    hull.pop();
    ConvexPolygon::of(hull)
}

/// Adds a point to the chain and drops those before it, but not the first `fixed`, that are no left
/// turns any more.
fn extend(hull: &mut Vec<Vec2>, fixed: usize, point: Vec2) {
    while hull.len() > fixed
        && let [.., a, b] = hull[..]
        && turn(a, b, point).is_le()
    {
        hull.pop();
    }
    if hull.last() != Some(&point) {
        hull.push(point);
    }
}

/// Left to right, then upwards. The points have no NaN.
fn order(a: Vec2, b: Vec2) -> Ordering {
    compare(a.x, b.x).then(compare(a.y, b.y))
}

/// Whether the way from `a` to `b` goes up, or to the right if it is level.
fn upwards(a: Vec2, b: Vec2) -> bool {
    compare(a.y, b.y).then(compare(a.x, b.x)).is_lt()
}

/// Where `c` lies, seen from the way from `a` to `b`: `Greater` is to the left.
fn turn(a: Vec2, b: Vec2, c: Vec2) -> Ordering {
    let ([ux, uy], [vx, vy]) = (way(a, b), way(a, c));
    let (ahead, behind) = (ux * vy, uy * vx);
    // Rounding never turns the order of two products around, it can only make them equal. What
    // rounding took from each is an `f64` too, and a fused multiply-add finds it.
    compare(ahead, behind).then_with(|| compare(ux.mul_add(vy, -ahead), uy.mul_add(vx, -behind)))
}

/// The way from `a` to `b`.
fn way(a: Vec2, b: Vec2) -> [f64; 2] {
    [f64::from(b.x) - f64::from(a.x), f64::from(b.y) - f64::from(a.y)]
}

/// Compares numbers that are not NaN.
fn compare<T: PartialOrd>(a: T, b: T) -> Ordering {
    a.partial_cmp(&b).unwrap_or(Ordering::Equal)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Fault;
    use proptest::prelude::*;

    const SQUARE: [[f32; 2]; 4] = [[0.0, 0.0], [2.0, 0.0], [2.0, 2.0], [0.0, 2.0]];

    fn corners_of(vertices: &[[f32; 2]]) -> Vec<[f32; 2]> {
        let polygon = ConvexPolygon::new(vertices).unwrap();
        polygon.vertices().iter().map(|v| v.to_array()).collect()
    }

    fn fault(vertices: &[[f32; 2]]) -> PolygonFault {
        match ConvexPolygon::new(vertices) {
            Err(Error::InvalidPolygon { index: 0, fault }) => fault,
            other => panic!("{other:?}"),
        }
    }

    /// Corners of a regular polygon with `n` sides, every `step`th of them, so `step` rounds.
    fn regular(n: usize, step: usize, radius: f64) -> Vec<[f32; 2]> {
        let angle = |i: usize| (i * step % n) as f64 * std::f64::consts::TAU / n as f64;
        (0..n).map(|i| [angle(i).cos(), angle(i).sin()].map(|v| (radius * v) as f32)).collect()
    }

    #[test]
    fn any_winding_any_start() {
        for start in 0..4 {
            let mut given = SQUARE;
            given.rotate_left(start);
            assert_eq!(corners_of(&given), given);
            let mut clockwise = given;
            clockwise[1..].reverse();
            assert_eq!(corners_of(&clockwise), given);
        }
    }

    #[test]
    fn repeated_and_straight_vertices_go() {
        let [a, b, c, d] = SQUARE;
        assert_eq!(corners_of(&[a, a, b, b, b, c, d, a, a]), SQUARE);
        let chain = [a, [0.5, 0.0], [1.0, 0.0], [1.5, 0.0], b, [2.0, 1.0], c, d, [0.0, 0.25]];
        for start in 0..chain.len() {
            let mut given = chain;
            given.rotate_left(start);
            let first = *given.iter().find(|v| SQUARE.contains(v)).unwrap();
            let corners = corners_of(&given);
            assert_eq!((corners.len(), corners[0]), (4, first));
            given.reverse();
            let first = *given.iter().find(|v| SQUARE.contains(v)).unwrap();
            assert_eq!(corners_of(&given)[0], first);
        }
        // A zero with a sign is the same place.
        assert_eq!(corners_of(&[[0.0, 0.0], [-0.0, 0.0], b, c, d]), SQUARE);
    }

    #[test]
    fn degenerate() {
        let [a, b, c, _] = SQUARE;
        for (given, distinct) in [(&[][..], 0), (&[a], 1), (&[a, a, a, a], 1), (&[a, b, a, b], 2)] {
            assert_eq!(fault(given), PolygonFault::TooFewVertices { distinct });
        }
        assert_eq!(fault(&[a, [1.0, 1.0], c]), PolygonFault::NoArea);
        assert_eq!(fault(&[a, c, [1.0, 1.0], [0.5, 0.5]]), PolygonFault::NoArea);
        let far = 1.0e18;
        assert_eq!(fault(&[[-far, -far], [1.0, 1.0], [far, far]]), PolygonFault::NoArea);
        // Thin, but not without area: the two products round to the same `f64`. The third vertex is
        // left of the way from the first to the second in one, right of it in the other.
        let unit = 2.0_f32.powi(-26);
        let left =
            [[38.0 * unit, 24.0 * unit], [8_159_009.0, 5_131_084.0], [16_318_018.0, 10_262_168.0]];
        assert_eq!(corners_of(&left), left);
        let right =
            [[15.0 * unit, 6.0 * unit], [7_281_736.0, 2_931_905.0], [14_563_472.0, 5_863_810.0]];
        assert_eq!(corners_of(&right), [right[0], right[2], right[1]]);
    }

    #[test]
    fn not_convex() {
        let refused = |vertices: &[[f32; 2]]| match fault(vertices) {
            PolygonFault::NotConvex { vertex } => vertex,
            other => panic!("{other:?}"),
        };
        let [a, b, c, d] = SQUARE;
        assert_eq!(refused(&[a, b, [1.0, 0.5], c, d]), 2, "a dent");
        assert_eq!(refused(&[a, b, c, [1.0, 0.5], d]), 3, "a dent");
        refused(&[a, c, b, d]);
        assert_eq!(refused(&[a, b, [3.0, 0.0], b, c, d]), 2, "a spike out of a corner");
        refused(&[[-1.0, 0.0], a, b, c, d, a]);
        refused(&[a, b, [1.0, 0.0], b, c, d]);
        refused(&[a, b, c, d, a, b, c, d]);
        for (n, step) in [(5, 2), (5, 3), (7, 2), (7, 3), (8, 3), (64, 5), (64, 31)] {
            refused(&regular(n, step, 10.0));
        }
        for n in [3, 5, 64, 1000] {
            assert_eq!(corners_of(&regular(n, 1, 10.0)).len(), n);
            assert_eq!(corners_of(&regular(n, n - 1, 10.0)).len(), n);
        }
    }

    #[test]
    fn bad_values() {
        let bad = |value, fault_of_value| {
            let mut given = SQUARE;
            given[2][1] = value;
            let (vertex, field) = (2, Field::Y);
            match fault(&given) {
                PolygonFault::Vertex { vertex: v, field: f, value: got, fault } => {
                    assert_eq!((v, f, fault), (vertex, field, fault_of_value));
                    assert_eq!(got.to_bits(), value.to_bits());
                }
                other => panic!("{other:?}"),
            }
            assert!(ConvexPolygon::hull(&given).is_err());
        };
        bad(f32::NAN, Fault::NotANumber);
        bad(f32::INFINITY, Fault::Infinite);
        bad(crate::shape::MAX_COORDINATE.next_up(), Fault::TooLarge);
        let most = crate::shape::MAX_COORDINATE;
        let corners = [[-most, -most], [most, -most], [most, most], [-most, most]];
        assert_eq!(corners_of(&corners), corners);

        let square = ConvexPolygon::new(&SQUARE).unwrap();
        for (value, fault) in [(-1.0, Fault::Negative), (f32::INFINITY, Fault::Infinite)] {
            let error = square.clone().with_radius(value).unwrap_err();
            assert_eq!(error, refuse(PolygonFault::Radius { value, fault }));
        }
    }

    #[test]
    fn number_of_vertices() {
        // On a parabola all are corners. A square of 12 bits is exact: 4096 in an octave.
        let side = |k: i32| (2048..4096).map(move |m| m as f32 * 2.0_f32.powi(-k));
        let right: Vec<f32> = (0..8).rev().flat_map(side).collect();
        let left = right.iter().rev().map(|x| -x);
        let mut most: Vec<_> = left.chain(right.iter().copied()).map(|x| [x, x * x]).collect();
        assert_eq!(corners_of(&most), most);
        most.push([0.0, most[0][1] * 2.0]);
        let len = MAX_VERTICES + 1;
        assert_eq!(fault(&most), PolygonFault::TooManyVertices { len });
        let hull = ConvexPolygon::hull(&most);
        assert_eq!(hull, Err(refuse(PolygonFault::TooManyVertices { len })));
        // Repeated vertices do not count.
        let repeated: Vec<_> = SQUARE.iter().flat_map(|&v| vec![v; MAX_VERTICES]).collect();
        assert_eq!(corners_of(&repeated), SQUARE);
    }

    fn is_hull(points: &[[f32; 2]]) -> Result<(), TestCaseError> {
        let Ok(hull) = ConvexPolygon::hull(points) else {
            // Then all are on one line.
            prop_assert!(read(points).is_err());
            return Ok(());
        };
        let corners = hull.vertices();
        for (i, &a) in corners.iter().enumerate() {
            let b = corners[(i + 1) % corners.len()];
            prop_assert!(points.contains(&a.to_array()));
            for &p in points {
                prop_assert!(turn(a, b, p.into()).is_ge(), "{p:?} is outside of {a} to {b}");
            }
        }
        // Both winding numbers are accepted as they are, and keep the first vertex.
        prop_assert_eq!(&ConvexPolygon::new(corners).unwrap(), &hull);
        let reversed: Vec<Vec2> = corners.iter().rev().copied().collect();
        let turned = ConvexPolygon::new(&reversed).unwrap();
        prop_assert_eq!(turned.vertices()[0], reversed[0]);
        prop_assert_eq!(turned.vertices().len(), corners.len());
        Ok(())
    }

    proptest! {
        #[test]
        fn hulls_of_floats(points in prop::collection::vec(prop::array::uniform2(-1e3_f32..1e3), 0..60)) {
            is_hull(&points)?;
        }

        /// Many on one line, many the same.
        #[test]
        fn hulls_of_small_integers(points in prop::collection::vec(prop::array::uniform2(-3_i8..=3), 0..40)) {
            let points: Vec<[f32; 2]> = points.iter().map(|p| p.map(f32::from)).collect();
            is_hull(&points)?;
        }

        /// `new` takes exactly the lists that walk once round their own hull.
        #[test]
        fn convex_if_once_round_the_hull(points in prop::collection::vec(prop::array::uniform2(0_i8..=3), 3..7)) {
            let points: Vec<[f32; 2]> = points.iter().map(|p| p.map(f32::from)).collect();
            let accepted = ConvexPolygon::new(&points);
            let Ok(hull) = ConvexPolygon::hull(&points) else {
                prop_assert!(accepted.is_err());
                return Ok(());
            };
            // The place of a point on the outline of the hull: corner, and how far on from it.
            let corners = hull.vertices();
            let n = corners.len();
            let place = |p: [f32; 2]| (0..n).find_map(|i| {
                let (a, b, p) = (corners[i], corners[(i + 1) % n], Vec2::from(p));
                let along = (p - a).dot(b - a) / (b - a).length_squared();
                (turn(a, b, p).is_eq() && (0.0..1.0).contains(&along)).then_some(i as f32 + along)
            });
            let places: Option<Vec<f32>> = points.iter().map(|&p| place(p)).collect();
            let once = |places: &[f32]| {
                let next = |i: usize| places[(i + 1) % places.len()];
                (0..places.len()).filter(|&i| next(i) < places[i]).count() == 1
            };
            let walks = places.is_some_and(|mut places| {
                once(&places) || { places.reverse(); once(&places) }
            });
            prop_assert_eq!(accepted.is_ok(), walks, "{:?}: {:?}", points, accepted);
            if let Ok(polygon) = accepted {
                prop_assert_eq!(polygon.vertices().len(), n);
            }
        }
    }
}
