//! Two outlines: how much two shapes overlap, and where their outlines cross.
//!
//! In plain words: at each x, an upright line cuts a convex shape in one stretch, from its lower to
//! its upper outline. The lines of both shapes share the stretch from the higher lower end to the
//! lower upper end. The area is the sum of these stretches. Where sides begin, end or cross, the
//! plane is cut into strips, in which each of the four outlines is one side or one arc. So a strip
//! is a trapezoid and the segments of two discs. All terms are positive: nothing cancels. Two sides
//! that are about equal may be confused, and the area then changes by the area between them.

use std::cmp::Ordering;

use glam::Vec2;

use super::two_shapes::TwoShapes;
use crate::{
    base::{
        F64_SLACK,
        order::{by_key, f64_rank, point_rank, sort_f64},
    },
    error::Error,
    geometry::{Border, Solid, Vector, sides},
    shape::Posed,
    simd::map_each,
};

/// The area that two shapes share, in square units of length. 0 if they only touch, and for shapes
/// without an interior: points, segments, chains.
///
/// - Of a shape and itself, it is the area of the shape.
/// - A half-plane shares a finite area with any other shape. Two half-planes share an infinite
///   area, or no area: `f32::INFINITY` or 0.
/// - For compounds, it is the sum over all pairs of parts. So the area that two parts of one
///   compound share counts twice. Parts of an outline share nothing, and their union is its area.
///
/// Computed in `f64`, from the [placed corners](crate::guide::numerics#other-shapes), relative to
/// the middle of the overlap, and rounded. `overlap_area(b, a)` has the same bits. The error is a
/// few roundings of the area, and 2^-49 of the largest coordinate or radius times the sum of the
/// width and the height of the overlap. If all coordinates are whole multiples of a power of two,
/// up to 2^50 times that power, the position adds nothing to it. O((n + m) log (n + m)) for
/// polygons of n and m vertices; allocates. Never panics.
///
/// ```
/// use widephase::narrowphase::overlap_area;
/// use widephase::shape::{Aabb, Circle};
///
/// let (a, b) = (Aabb::new([0.0, 0.0], [4.0, 4.0]), Aabb::new([3.0, 1.0], [9.0, 3.0]));
/// assert_eq!(overlap_area(a, b)?, 2.0);
/// // A quarter of a disc.
/// let disc = Circle::new([4.0, 4.0], 1.0);
/// assert_eq!(overlap_area(a, disc)?, std::f32::consts::FRAC_PI_4);
/// # Ok::<(), widephase::Error>(())
/// ```
///
/// # Errors
/// [`Error::InvalidShape`] with index 0 for `a` and 1 for `b`.
pub fn overlap_area<'a, 'b>(
    a: impl Into<Posed<'a>>,
    b: impl Into<Posed<'b>>,
) -> Result<f32, Error> {
    TwoShapes::with([a.into(), b.into()], |mut two| two.overlap_area())
}

impl TwoShapes<'_> {
    /// The [`overlap_area`](overlap_area()) of the shapes.
    pub fn overlap_area(&mut self) -> f32 {
        let mut areas = Vec::new();
        self.each(|_, [a, b]| areas.push(area(a, b)));
        // In one order, whichever shape comes first.
        sort_f64(&mut areas);
        (areas.iter().sum::<f64>() + 0.0) as f32
    }
}

/// Replaces `points` by the points where the outlines of two shapes cross or touch, from left to
/// right, then upwards. Empty if one shape lies within the other, or if they are apart;
/// not within a compound, see below.
///
/// - Where outlines run along each other, the points are the ends of these sides and arcs. Two
///   equal circles have no points.
/// - The outline of a segment is the segment, of a point the point, and of a half-plane
///   its border.
/// - Of compounds, the outlines of the parts count, their inner sides included.
///
/// Computed in `f64`, from the [placed corners](crate::guide::numerics#other-shapes), and rounded.
/// Outlines that miss each other by less than 2^-40 of the largest coordinate or radius touch, and
/// points that near to each other are one point. `crossings(b, a)` has the same points. O(n m) for
/// polygons of n and m vertices; allocates. Never panics.
///
/// ```
/// use widephase::glam::Vec2;
/// use widephase::narrowphase::crossings;
/// use widephase::shape::{Aabb, Circle};
///
/// let (a, b) = (Aabb::new([0.0, 0.0], [4.0, 4.0]), Circle::new([4.0, 4.0], 1.0));
/// let mut points = Vec::new();
/// crossings(a, b, &mut points)?;
/// assert_eq!(points, [Vec2::new(3.0, 4.0), Vec2::new(4.0, 3.0)]);
/// # Ok::<(), widephase::Error>(())
/// ```
///
/// # Errors
/// [`Error::InvalidShape`] with index 0 for `a` and 1 for `b`; `points` then stays as it was.
pub fn crossings<'a, 'b>(
    a: impl Into<Posed<'a>>,
    b: impl Into<Posed<'b>>,
    points: &mut Vec<Vec2>,
) -> Result<(), Error> {
    TwoShapes::with([a.into(), b.into()], |mut two| {
        points.clear();
        two.each(|_, [a, b]| {
            let [a, b] = in_order([a, b]);
            cross(a, b, points);
        });
        let order = by_key(points, |point| point_rank(*point));
        let sorted: Vec<Vec2> = order.iter().map(|(_, point)| points[*point as usize]).collect();
        points.copy_from_slice(&sorted);
        points.dedup();
    })
}

/// Two solids in an order that depends on them alone.
fn in_order<'a, 'b>([a, b]: [&'a Solid<'b>; 2]) -> [&'a Solid<'b>; 2] {
    let numbers = |solid: &Solid<'b>| {
        let border =
            solid.half_plane().map(|Border { normal, offset }| [normal.x, normal.y, offset]);
        let corners = solid.corners.iter().flat_map(|corner| [corner.x, corner.y]);
        [solid.radius].into_iter().chain(corners).chain(border.into_iter().flatten())
    };
    let order = numbers(a).partial_cmp(numbers(b));
    if order == Some(Ordering::Greater) { [b, a] } else { [a, b] }
}

/// The lower left and the upper right corner of a box.
type BoxCorners = [Vector; 2];

/// The bounding box of a solid that is no half-plane.
fn around(solid: &Solid<'_>) -> BoxCorners {
    let (mut min, mut max) = (solid.corners[0], solid.corners[0]);
    for corner in solid.corners {
        min = Vector::new(min.x.min(corner.x), min.y.min(corner.y));
        max = Vector::new(max.x.max(corner.x), max.y.max(corner.y));
    }
    let out = Vector::new(solid.radius, solid.radius);
    [min - out, max + out]
}

/// A solid relative to an origin. A half-plane becomes a rectangle that covers the area that it
/// shares with a box.
struct Local {
    corners: Vec<Vector>,
    radius: f64,
}

impl Local {
    fn of(solid: &Solid<'_>, origin: Vector) -> Self {
        let corners = solid.corners.iter().map(|corner| *corner - origin).collect();
        Self { corners, radius: solid.radius }
    }

    /// The part of a half-plane around a box, which its border crosses.
    fn of_half_plane(border: Border, [min, max]: BoxCorners, origin: Vector) -> Self {
        let (middle, extent) = (min + (max - min) * 0.5, (max - min).length());
        // The normal has length 1 within a rounding of `f32` only.
        let down = border.height(middle) / border.normal.length2();
        let foot = middle - border.normal * down - origin;
        let (along, down) = (border.normal.perp() * extent, border.normal * (2.0 * extent));
        let corners = vec![foot + along, foot + along - down, foot - along - down, foot - along];
        Self { corners, radius: 0.0 }
    }

    fn has_interior(&self) -> bool {
        self.radius > 0.0 || self.corners.len() > 2
    }

    /// The largest coordinate, radius included.
    fn reach(&self) -> f64 {
        let furthest = |most: f64, corner: &Vector| most.max(corner.x.abs()).max(corner.y.abs());
        self.corners.iter().fold(0.0, furthest) + self.radius
    }
}

/// The area that two solids share.
fn area(a: &Solid<'_>, b: &Solid<'_>) -> f64 {
    let [a, b] = in_order([a, b]);
    match [a.half_plane(), b.half_plane()] {
        [None, None] => {
            let ([a_min, a_max], [b_min, b_max]) = (around(a), around(b));
            let low = Vector::new(a_min.x.max(b_min.x), a_min.y.max(b_min.y));
            let high = Vector::new(a_max.x.min(b_max.x), a_max.y.min(b_max.y));
            let within = high - low;
            if !(within.x > 0.0 && within.y > 0.0) {
                return 0.0;
            }
            let origin = low + within * 0.5;
            let most = within.x * within.y;
            area_of_convex(&Local::of(a, origin), &Local::of(b, origin)).min(most)
        }
        [Some(border), None] => area_below(border, b),
        [None, Some(border)] => area_below(border, a),
        [Some(a), Some(b)] => {
            // Half-planes that face each other may share nothing. Else they share an infinite area,
            // be it a strip.
            let opposite = a.normal == -b.normal;
            if opposite && a.offset + b.offset <= 0.0 { 0.0 } else { f64::INFINITY }
        }
    }
}

/// The area of the part of a solid within a half-plane.
fn area_below(border: Border, solid: &Solid<'_>) -> f64 {
    let heights = || solid.corners.iter().map(|corner| border.height(*corner));
    let lowest = heights().fold(f64::INFINITY, f64::min) - solid.radius;
    let highest = heights().fold(f64::NEG_INFINITY, f64::max) + solid.radius;
    if lowest >= 0.0 {
        return 0.0;
    }
    let [min, max] = around(solid);
    let origin = min + (max - min) * 0.5;
    let own = Local::of(solid, origin);
    if highest <= 0.0 {
        return area_of_convex(&own, &own);
    }
    area_of_convex(&own, &Local::of_half_plane(border, [min, max], origin))
}

/// The upper or the lower outline between two x.
#[derive(Debug, Clone, Copy)]
struct OutlinePiece {
    from: f64,
    to: f64,
    curve: Curve,
}

#[derive(Debug, Clone, Copy)]
enum Curve {
    /// From left to right.
    Side([Vector; 2]),
    /// A part of the upper half of a circle (1), or of the lower half (-1).
    Arc { center: Vector, radius: f64, half: f64 },
}

impl Curve {
    fn at(&self, x: f64) -> f64 {
        match *self {
            Self::Side([start, end]) => {
                let share = ((x - start.x) / (end.x - start.x)).clamp(0.0, 1.0);
                start.y + (end.y - start.y) * share
            }
            Self::Arc { center, radius, half } => {
                let beside = x - center.x;
                let square = (radius - beside) * (radius + beside);
                center.y + half * square.max(0.0).sqrt()
            }
        }
    }

    /// The area between an arc and its chord.
    fn bulge(&self, from: f64, to: f64) -> f64 {
        let Self::Arc { radius, .. } = *self else { return 0.0 };
        let chord = Vector::new(to - from, self.at(to) - self.at(from)).length();
        let sine = (chord / (2.0 * radius)).min(1.0);
        let (angle, cosine) = (2.0 * arcsine(sine), ((1.0 - sine) * (1.0 + sine)).sqrt());
        let excess = if angle < 0.1 {
            // The difference of an angle and its sine, as a series.
            let square = angle * angle;
            let rest = 1.0 - square / 42.0 * (1.0 - square / 72.0 * (1.0 - square / 110.0));
            angle * square / 6.0 * (1.0 - square / 20.0 * rest)
        } else {
            angle - 2.0 * sine * cosine
        };
        0.5 * radius * radius * excess
    }

    /// Adds each x where the lines or circles of two pieces meet.
    fn meet(&self, other: &Self, xs: &mut Vec<f64>) {
        match (*self, *other) {
            (Self::Side([start, end]), Self::Side([other_start, other_end])) => {
                let (way, other_way) = (end - start, other_end - other_start);
                let turn = way.cross(other_way);
                if turn != 0.0 {
                    xs.push(start.x + way.x * ((other_start - start).cross(other_way) / turn));
                }
            }
            (Self::Side(ends), Self::Arc { center, radius, .. })
            | (Self::Arc { center, radius, .. }, Self::Side(ends)) => {
                if let Some([one, other]) = line_and_circle(ends, center, radius, 0.0) {
                    xs.extend([one.x, other.x]);
                }
            }
            (
                Self::Arc { center, radius, .. },
                Self::Arc { center: other_center, radius: other_radius, .. },
            ) => {
                let circles = [(center, radius), (other_center, other_radius)];
                if let Some([one, other]) = circle_and_circle(circles, 0.0) {
                    xs.extend([one.x, other.x]);
                }
            }
        }
    }
}

/// The arcsine of a number from 0 to 1, most exact up to the sine of half a right angle. Own code,
/// so that it has the same bits on every platform: the angle is halved three times, and its sine is
/// a series.
fn arcsine(mut sine: f64) -> f64 {
    for _ in 0..3 {
        let cosine = ((1.0 - sine) * (1.0 + sine)).sqrt();
        sine /= (2.0 * (1.0 + cosine)).sqrt();
    }
    let square = sine * sine;
    let terms = [231.0 / 13312.0, 63.0 / 2816.0, 35.0 / 1152.0, 5.0 / 112.0, 3.0 / 40.0, 1.0 / 6.0];
    let series = terms.iter().fold(143.0 / 10240.0, |sum, term| sum * square + term);
    8.0 * sine * (1.0 + square * series)
}

/// The points where a line meets a circle. A line that touches the circle within `tolerance` is a
/// tangent: both points are then the same.
fn line_and_circle(
    [start, end]: [Vector; 2],
    center: Vector,
    radius: f64,
    tolerance: f64,
) -> Option<[Vector; 2]> {
    let along = (end - start).unit()?;
    let to_center = center - start;
    let beside = along.cross(to_center);
    let foot = center - along.perp() * beside;
    let gap = beside.abs() - radius;
    if gap.abs() <= tolerance {
        return Some([foot, foot]);
    }
    let reach = along * ((radius - beside) * (radius + beside)).max(0.0).sqrt();
    (gap < 0.0).then(|| [foot - reach, foot + reach])
}

/// The points where two circles meet: one point, if they touch within `tolerance`.
fn circle_and_circle(
    [(a, a_radius), (b, b_radius)]: [(Vector, f64); 2],
    tolerance: f64,
) -> Option<[Vector; 2]> {
    let way = b - a;
    let distance = way.length();
    let along = way.unit()?;
    let ahead = 0.5 * (distance + (a_radius - b_radius) * ((a_radius + b_radius) / distance));
    let foot = a + along * ahead;
    let gap = (distance - (a_radius + b_radius)).max((a_radius - b_radius).abs() - distance);
    if gap.abs() <= tolerance {
        let side = if ahead < 0.0 { -along } else { along };
        let touch = a + side * a_radius;
        return Some([touch, touch]);
    }
    let reach = along.perp() * ((a_radius - ahead) * (a_radius + ahead)).max(0.0).sqrt();
    (gap < 0.0).then(|| [foot - reach, foot + reach])
}

/// The upper outline (`half` 1) or the lower one (-1) of a shape with an interior, from left to
/// right.
fn outline(shape: &Local, half: f64) -> Vec<OutlinePiece> {
    let Local { corners, radius, .. } = shape;
    let radius = *radius;
    let mut pieces = Vec::with_capacity(2 * corners.len() + 1);
    // The lower outline is the upper outline of the shape turned by half a turn. Each piece is
    // turned back.
    let mut push = |from: f64, to: f64, curve: Curve| {
        let [from, to] = if half > 0.0 { [from, to] } else { [-to, -from] };
        if from < to {
            pieces.push(OutlinePiece { from, to, curve });
        }
    };
    let arc = |push: &mut dyn FnMut(f64, f64, Curve), corner: Vector, from: f64, to: f64| {
        let curve = Curve::Arc { center: corner * half, radius, half };
        // Halves of a circle are two pieces, so that no angle is above a right angle.
        push(from, to.min(corner.x), curve);
        push(from.max(corner.x), to, curve);
    };
    if let [center] = corners[..] {
        let center = center * half;
        arc(&mut push, center, center.x - radius, center.x + radius);
    } else {
        let rotated: Vec<Vector> = corners.iter().map(|corner| *corner * half).collect();
        let normal = |[start, end]: [Vector; 2]| (end - start).unit().map(|along| -along.perp());
        let mut before = rotated
            .len()
            .checked_sub(1)
            .and_then(|last| normal([rotated[last], rotated[0]]))
            .unwrap_or(Vector::X);
        for (number, start) in rotated.iter().enumerate() {
            let end = rotated[(number + 1) % rotated.len()];
            let Some(after) = normal([*start, end]) else { continue };
            if radius > 0.0 {
                // The part of the arc from one normal to the next that faces up.
                let upright = before.y == 0.0 && after.y == 0.0 && before.x > 0.0;
                if before.y > 0.0 || after.y > 0.0 || upright && after.x < 0.0 {
                    let right = if before.y > 0.0 { before.x } else { 1.0 };
                    let left = if after.y > 0.0 { after.x } else { -1.0 };
                    arc(&mut push, *start, start.x + radius * left, start.x + radius * right);
                }
            }
            if after.y > 0.0 {
                let [right, left] = map_each([*start, end], |corner| corner + after * radius);
                let ends = if half > 0.0 { [left, right] } else { [-right, -left] };
                push(left.x, right.x, Curve::Side(ends));
            }
            before = after;
        }
    }
    let order = by_key(&pieces, |piece| f64_rank(piece.from));
    order.iter().map(|&(_, index)| pieces[index as usize]).collect()
}

/// The area that two convex shapes share.
fn area_of_convex(a: &Local, b: &Local) -> f64 {
    if !a.has_interior() || !b.has_interior() {
        return 0.0;
    }
    let outlines = [outline(a, 1.0), outline(b, 1.0), outline(a, -1.0), outline(b, -1.0)];
    let mut xs: Vec<f64> =
        outlines.iter().flatten().flat_map(|piece| [piece.from, piece.to]).collect();
    let (mut first, mut last) = (f64::NEG_INFINITY, f64::INFINITY);
    for pieces in &outlines {
        let [Some(left), Some(right)] = [pieces.first(), pieces.last()] else { return 0.0 };
        (first, last) = (first.max(left.from), last.min(right.to));
    }
    xs.retain(|x| (first..=last).contains(x));
    sort_f64(&mut xs);
    xs.dedup();
    let (mut area, mut strips, mut places) = (0.0, Vec::new(), [0; 4]);
    for strip in xs.windows(2) {
        let [from, to] = [strip[0], strip[1]];
        let middle = from + (to - from) * 0.5;
        let mut curves = [outlines[0][0].curve; 4];
        for ((place, pieces), curve) in places.iter_mut().zip(&outlines).zip(&mut curves) {
            while *place + 1 < pieces.len() && pieces[*place].to <= middle {
                *place += 1;
            }
            *curve = pieces[*place].curve;
        }
        strips.clear();
        strips.extend([from, to]);
        for [one, other] in [[0, 1], [2, 3], [0, 3], [1, 2]] {
            curves[one].meet(&curves[other], &mut strips);
        }
        strips.retain(|x| (from..=to).contains(x));
        sort_f64(&mut strips);
        area +=
            strips.windows(2).map(|ends| area_of_strip(&curves, [ends[0], ends[1]])).sum::<f64>();
    }
    area
}

/// The area between the lower of two upper outlines and the higher of two lower outlines. These do
/// not cross, except by roundings.
fn area_of_strip([a_upper, b_upper, a_lower, b_lower]: &[Curve; 4], [from, to]: [f64; 2]) -> f64 {
    let middle = from + (to - from) * 0.5;
    let upper = if b_upper.at(middle) < a_upper.at(middle) { b_upper } else { a_upper };
    let lower = if b_lower.at(middle) > a_lower.at(middle) { b_lower } else { a_lower };
    if upper.at(middle) <= lower.at(middle) {
        return 0.0;
    }
    // A convex shape is at most twice as high anywhere in a strip as in the middle. So a steep side
    // that is cut a rounding too early or too late adds no more than the strip.
    let own_height = |upper: &Curve, lower: &Curve| upper.at(middle) - lower.at(middle);
    let most = 2.0 * own_height(a_upper, a_lower).min(own_height(b_upper, b_lower));
    let height = |x: f64| (upper.at(x) - lower.at(x)).min(most).max(0.0);
    let trapezoid = (to - from) * (0.5 * (height(from) + height(to)));
    trapezoid + upper.bulge(from, to) + lower.bulge(from, to)
}

/// A side or an arc of an outline, for crossings.
#[derive(Debug, Clone, Copy)]
enum BorderStretch {
    /// A side, or a point if both ends are equal.
    Side([Vector; 2]),
    /// The arc from one normal to another, counter-clockwise; a circle without them.
    Arc { center: Vector, radius: f64, normals: Option<[Vector; 2]> },
}

impl BorderStretch {
    /// Whether a point that is about on the line or circle lies on the stretch.
    fn holds(&self, point: Vector, tolerance: f64) -> bool {
        match *self {
            Self::Side([start, end]) => {
                let Some(along) = (end - start).unit() else {
                    return (point - start).length() <= tolerance;
                };
                let to = point - start;
                let ahead = along.dot(to);
                let within = -tolerance <= ahead && ahead <= (end - start).length() + tolerance;
                within && along.cross(to).abs() <= tolerance
            }
            Self::Arc { center, radius, normals } => {
                let to = point - center;
                if (to.length() - radius).abs() > tolerance {
                    return false;
                }
                normals.is_none_or(|[first, last]| {
                    first.cross(to) >= -tolerance
                        && to.cross(last) >= -tolerance
                        && to.dot(first + last) >= -tolerance
                })
            }
        }
    }

    fn ends(&self) -> Option<[Vector; 2]> {
        match *self {
            Self::Side(ends) => Some(ends),
            Self::Arc { center, radius, normals } => {
                normals.map(|normals| map_each(normals, |normal| center + normal * radius))
            }
        }
    }

    /// The points where the lines or circles of two stretches meet, unless they are the same.
    fn meet(&self, other: &Self, tolerance: f64) -> Option<[Vector; 2]> {
        match (*self, *other) {
            (Self::Side([start, end]), Self::Side([other_start, other_end])) => {
                let (way, other_way) = (end - start, other_end - other_start);
                let turn = way.cross(other_way);
                let point = start + way * ((other_start - start).cross(other_way) / turn);
                // For lines that are about parallel, the ends of the sides are enough.
                let crosses = turn.abs() > 1e-12 * (way.length() * other_way.length());
                crosses.then_some([point, point])
            }
            (Self::Side(ends), Self::Arc { center, radius, .. })
            | (Self::Arc { center, radius, .. }, Self::Side(ends)) => {
                line_and_circle(ends, center, radius, tolerance)
            }
            (
                Self::Arc { center, radius, .. },
                Self::Arc { center: other_center, radius: other_radius, .. },
            ) => circle_and_circle([(center, radius), (other_center, other_radius)], tolerance),
        }
    }
}

/// The sides and arcs of an outline.
fn stretches(shape: &Local) -> Vec<BorderStretch> {
    let Local { corners, radius } = shape;
    let radius = *radius;
    if let [center] = corners[..] {
        let circle = BorderStretch::Arc { center, radius, normals: None };
        return vec![if radius > 0.0 { circle } else { BorderStretch::Side([center; 2]) }];
    }
    let normal = |[start, end]: [Vector; 2]| (end - start).unit().map(|along| -along.perp());
    let mut all = Vec::with_capacity(2 * corners.len());
    let mut before = sides(corners).last().and_then(normal);
    for [start, end] in sides(corners) {
        let Some(after) = normal([start, end]) else { continue };
        if radius > 0.0
            && let Some(before) = before
        {
            all.push(BorderStretch::Arc { center: start, radius, normals: Some([before, after]) });
        }
        all.push(BorderStretch::Side(map_each([start, end], |corner| corner + after * radius)));
        before = Some(after);
    }
    all
}

/// Appends the points where the outlines of two solids cross or touch.
fn cross(a: &Solid<'_>, b: &Solid<'_>, points: &mut Vec<Vec2>) {
    let (origin, [a, b]) = match [a.half_plane(), b.half_plane()] {
        [Some(a), Some(b)] => {
            let turn = a.normal.cross(b.normal);
            let at = (a.normal * b.offset - b.normal * a.offset).perp() / turn;
            if turn.abs() > 1e-12 {
                points.push(at.narrow().into());
            }
            return;
        }
        [half_a, half_b] => {
            let around = around(if half_a.is_some() { b } else { a });
            let origin = around[0] + (around[1] - around[0]) * 0.5;
            let local = |solid: &Solid<'_>, border: Option<Border>| match border {
                Some(border) => {
                    // Only the border: the first and the last corner.
                    let whole = Local::of_half_plane(border, around, origin);
                    Local { corners: vec![whole.corners[0], whole.corners[3]], radius: 0.0 }
                }
                None => Local::of(solid, origin),
            };
            (origin, [local(a, half_a), local(b, half_b)])
        }
    };
    let tolerance = a.reach().max(b.reach()) * F64_SLACK;
    let mut found: Vec<Vector> = Vec::new();
    let mut take = |point: Vector| {
        if !found.iter().any(|other| (*other - point).length() <= tolerance) {
            found.push(point);
        }
    };
    let (a, b) = (stretches(&a), stretches(&b));
    for own in &a {
        for other in &b {
            let ends = [own.ends(), other.ends()].into_iter().flatten().flatten();
            let met = own.meet(other, tolerance).into_iter().flatten();
            for point in ends.chain(met) {
                if own.holds(point, tolerance) && other.holds(point, tolerance) {
                    take(point);
                }
            }
        }
    }
    points.extend(found.iter().map(|point| Vec2::from((*point + origin).narrow())));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arcsines_are_within_their_bounds() {
        for step in 0..=10_000 {
            let sine = f64::from(step) / 10_000.0;
            let error = (arcsine(sine) - sine.asin()).abs();
            assert!(error <= if sine < 0.75 { 4e-16 } else { 1e-12 }, "{sine}: {error}");
        }
    }
}
