//! Where a ray enters a convex shape.
//!
//! Shapes are closed: a shape that only touches the ray is hit. Whether the ray begins or ends
//! before it comes to a shape is never told by a fraction, which is rounded, but by the place of
//! its ends: the side of a line on which they are, exactly, or whether a disc holds them.

use robust::{Coord, orient2d};

use super::{
    solid::{Solid, sides},
    vector::{Border, Vector},
};
use crate::{
    base::{F32_SLACK, higher, lower},
    simd::map_each,
};

/// A ray in `f64`: the points `origin + t * direction` for `t` from 0 to `limit`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Path {
    pub(crate) origin: Vector,
    pub(crate) direction: Vector,
    /// The squared length of the direction.
    pub(crate) length2: f64,
    /// Finite, at least 0.
    pub(crate) limit: f64,
    /// The point at the limit. Each coordinate is exact, or rounded once, so it compares with
    /// coordinates in `f32` as the exact coordinate does.
    pub(crate) end: Vector,
}

/// Where a ray first touches a shape.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RayEntry {
    /// The fraction of the direction, from 0 to the limit.
    pub(crate) fraction: f64,
    /// The outward normal of the surface, of length 1. Against the direction if the ray starts
    /// inside; (1, 0) if there is no direction.
    pub(crate) normal: Vector,
}

impl Path {
    /// A path without a length.
    pub(crate) const POINT: Self = Self {
        origin: Vector::ZERO,
        direction: Vector::ZERO,
        length2: 0.0,
        limit: 0.0,
        end: Vector::ZERO,
    };

    #[inline(always)]
    pub(crate) fn new(origin: Vector, direction: Vector, limit: f64) -> Self {
        let end = origin + direction * limit;
        Self { origin, direction, length2: direction.length2(), limit, end }
    }

    /// The point at a fraction of the direction.
    #[inline(always)]
    pub(crate) fn at(&self, fraction: f64) -> Vector {
        self.origin + self.direction * fraction
    }

    /// Where the ray first touches a solid. `None` if it does not.
    ///
    /// In plain words, for a core without a radius: the corners are to the left of the ray, to its
    /// right, or on it. If all corners are on one side, the ray misses. Otherwise it crosses the
    /// outline twice, and the first crossing is the entry. The side of a corner depends on the
    /// corner and the ray alone, so no ray passes between two shapes that share a corner.
    ///
    /// With a radius: if the start is not inside, the ray enters a disc around a corner, or crosses
    /// a side that is moved outwards by the radius. The first of them is the entry.
    ///
    /// A ray from behind passes a segment with one side.
    pub(crate) fn enter(&self, solid: &Solid<'_>) -> Option<RayEntry> {
        let entry = self.crossing(solid)?;
        Some(if entry.fraction > 0.0 { entry } else { self.inside() })
    }

    /// The entry. Its normal is the normal of the surface if the ray starts on the border of a
    /// solid with a radius and moves inwards.
    fn crossing(&self, solid: &Solid<'_>) -> Option<RayEntry> {
        if self.length2 == 0.0 {
            let normal = Vector::X;
            return solid.holds(self.origin, true).then_some(RayEntry { fraction: 0.0, normal });
        }
        if let Some(border) = solid.half_plane() {
            return self.enter_half_plane(border, solid.radius);
        }
        match *solid {
            Solid { corners: [center], radius, .. } if radius > 0.0 => {
                if solid.holds(self.origin, true) {
                    return Some(self.inside());
                }
                self.enter_disc(*center, radius)
            }
            Solid { corners, radius: 0.0, border, .. } => {
                if border.is_some_and(|back| self.comes_from(back, corners)) {
                    return None;
                }
                self.enter_core(corners)
            }
            Solid { corners, .. } => {
                if solid.holds(self.origin, true) {
                    return Some(self.inside());
                }
                self.enter_rounded(corners, solid)
            }
        }
    }

    /// Whether the ray comes from behind a segment with one side, or is along it.
    ///
    /// The sides of the ray on which the ends are tell it, as they tell whether the ray meets the
    /// segment. So a ray that comes from the front to an end that two segments share hits one of
    /// them.
    fn comes_from(&self, back: Border, ends: &[Vector]) -> bool {
        let [start, end] = ends else { return false };
        let side = |point: Vector| self.direction.cross(point - self.origin);
        let is_left = back.normal.dot((*end - *start).perp()) > 0.0;
        let [right, left] = if is_left { [start, end] } else { [end, start] };
        side(*left) <= side(*right)
    }

    /// The entry into a half-plane that is larger by `radius`.
    fn enter_half_plane(&self, border: Border, radius: f64) -> Option<RayEntry> {
        let height = |point: Vector| border.height(point) - radius;
        let above = height(self.origin);
        if above <= 0.0 {
            return Some(self.inside());
        }
        let approach = -border.normal.dot(self.direction);
        if approach <= 0.0 || height(self.end) > 0.0 {
            return None;
        }
        Some(RayEntry { fraction: self.reached(above / approach), normal: border.normal })
    }

    /// Where the ray is first as deep as this in a solid, which is no half-plane.
    #[cfg(feature = "narrowphase")]
    pub(crate) fn enter_to(&self, solid: &Solid<'_>, depth: f64) -> Option<RayEntry> {
        let Solid { corners, radius, .. } = *solid;
        if depth <= radius {
            let radius = radius - depth;
            return self.enter(&Solid { corners, radius, aligned: None, border: None });
        }
        // The least and the largest fraction at which it is as deep behind all sides.
        let (mut entry, mut last) = (self.inside(), self.limit);
        for [start, end] in sides(corners) {
            let Some(along) = (end - start).unit() else { continue };
            let normal = -along.perp();
            let lacking = depth - radius - normal.dot(start - self.origin);
            let approach = -normal.dot(self.direction);
            if approach > 0.0 {
                let fraction = lacking / approach;
                if fraction > entry.fraction {
                    entry = RayEntry { fraction, normal };
                }
            } else if approach < 0.0 {
                last = last.min(lacking / approach);
            } else if lacking > 0.0 {
                return None;
            }
        }
        (entry.fraction <= last).then_some(entry)
    }

    /// The entry of a ray that starts inside.
    pub(crate) fn inside(&self) -> RayEntry {
        RayEntry { fraction: 0.0, normal: self.against() }
    }

    /// The direction opposite to the ray.
    fn against(&self) -> Vector {
        (-self.direction).unit().unwrap_or(Vector::X)
    }

    /// The fraction of an entry that the ray reaches.
    #[inline(always)]
    fn reached(&self, fraction: f64) -> f64 {
        lower(higher(fraction, 0.0), self.limit)
    }

    /// The entry into a core without a radius.
    ///
    /// In plain words:
    ///
    /// ```text
    /// for each side: does it lead from left to right (the ray enters), or back (it leaves)?
    /// for each corner on the ray: is it the first, or the last?
    /// if the start is behind the place where the ray leaves: it misses
    /// if the start is not before the place where the ray enters: it starts inside
    /// if the end is before that place: it misses
    /// ```
    ///
    /// For speed, the loop finds only signs. Fractions, which need divisions, are left to the side
    /// that is hit, and to the rare case that several sides lead from left to right, or back.
    fn enter_core(&self, corners: &[Vector]) -> Option<RayEntry> {
        let count = corners.len();
        let along = |corner: Vector| self.direction.dot(corner - self.origin);
        let fraction_at_side =
            |side: [usize; 2]| self.fraction_at_side(map_each(side, |at| corners[at]));
        // The sides where the ray enters and leaves, as the numbers of their corners, the left one
        // first. And the first and the last corner on the ray.
        let (mut entered, mut left) = (None::<[usize; 2]>, None::<[usize; 2]>);
        let (mut first, mut last) = (None::<(f64, usize)>, None::<(f64, usize)>);
        let mut number = count - 1;
        let mut side = self.direction.cross(corners[number] - self.origin);
        for (next, corner) in corners.iter().enumerate() {
            let next_side = self.direction.cross(*corner - self.origin);
            if side > 0.0 && next_side < 0.0 {
                let crossed = [number, next];
                if entered.is_none_or(|before| fraction_at_side(crossed) < fraction_at_side(before))
                {
                    entered = Some(crossed);
                }
            } else if side < 0.0 && next_side > 0.0 {
                let crossed = [next, number];
                if left.is_none_or(|before| fraction_at_side(crossed) > fraction_at_side(before)) {
                    left = Some(crossed);
                }
            } else if next_side == 0.0 {
                let along = along(*corner);
                if first.is_none_or(|(before, _)| along < before) {
                    first = Some((along, next));
                }
                if last.is_none_or(|(before, _)| along > before) {
                    last = Some((along, next));
                }
            }
            (number, side) = (next, next_side);
        }
        let past = |point: Vector, [one, other]: [usize; 2]| {
            self.past(point, [corners[one], corners[other]])
        };
        let starts_behind = match (left, last) {
            (Some(side), _) => past(self.origin, side) > 0.0,
            (None, Some((along, _))) => along < 0.0,
            (None, None) => true,
        };
        if starts_behind {
            return None;
        }
        let (fraction, crossed) = match (entered, first) {
            (Some(side), _) => {
                if past(self.origin, side) >= 0.0 {
                    return Some(self.inside());
                }
                let past = past(self.end, side);
                if past < 0.0 {
                    return None;
                }
                (if past == 0.0 { self.limit } else { fraction_at_side(side) }, side)
            }
            (None, Some((along, corner))) => {
                if along <= 0.0 {
                    return Some(self.inside());
                }
                if self.direction.dot(self.end - corners[corner]) < 0.0 {
                    return None;
                }
                (along / self.length2, [corner; 2])
            }
            (None, None) => return None,
        };
        let normal = self.normal_of(corners, crossed).unwrap_or_else(|| self.against());
        Some(RayEntry { fraction: self.reached(fraction), normal })
    }

    /// The fraction at which the ray crosses a side. The ends of the side bound it where the ray is
    /// nearly parallel to the side.
    #[inline(always)]
    fn fraction_at_side(&self, [start, end]: [Vector; 2]) -> f64 {
        let (to, way) = (start - self.origin, end - start);
        let fraction = to.cross(way) / self.direction.cross(way);
        let one = self.direction.dot(to) / self.length2;
        let other = self.direction.dot(end - self.origin) / self.length2;
        lower(higher(fraction, lower(one, other)), higher(one, other))
    }

    /// Whether a point of the ray is behind the place where it crosses a side: above 0, or before
    /// it: below 0. The side is given by its left end and its right end, seen along the ray.
    ///
    /// If both ends are ahead of the point, or both behind it, they tell it. This agrees with the
    /// sides of the ray on which the ends are, though these are rounded.
    #[inline(always)]
    fn past(&self, point: Vector, [left, right]: [Vector; 2]) -> f64 {
        // How far an end is ahead, and more than the error of that.
        let ahead = |end: Vector| {
            let to = end - point;
            let (along_x, along_y) = (self.direction.x * to.x, self.direction.y * to.y);
            // More than the error of a dot product, as a share of its terms.
            (along_x + along_y, (along_x.abs() + along_y.abs()) * (4.0 * f64::EPSILON))
        };
        let ((one, error), (other, other_error)) = (ahead(left), ahead(right));
        if (one > error) & (other > other_error) {
            return -1.0;
        }
        if (one < -error) & (other < -other_error) {
            return 1.0;
        }
        orient(left, right, point)
    }

    /// The normal of a side of a core, or at a corner the normal of the adjacent side that faces
    /// the ray more. `None` if neither faces it. A segment has a side in each direction.
    fn normal_of(&self, corners: &[Vector], [start, end]: [usize; 2]) -> Option<Vector> {
        let count = corners.len();
        let facing = |start: usize, end: usize| {
            let normal = -(corners[end] - corners[start]).unit()?.perp();
            let facing = normal.dot(self.direction);
            (facing < 0.0).then_some((facing, normal))
        };
        let faced = if start == end || count == 2 {
            let after = if start + 1 < count { start + 1 } else { 0 };
            let before = if start > 0 { start - 1 } else { count - 1 };
            match (facing(before, start), facing(start, after)) {
                (Some(one), Some(other)) => Some(if other.0 < one.0 { other } else { one }),
                (one, other) => one.or(other),
            }
        } else {
            facing(start, end)
        };
        faced.map(|(_, normal)| normal)
    }

    /// The entry into a disc that does not hold the start.
    fn enter_disc(&self, center: Vector, radius: f64) -> Option<RayEntry> {
        let fraction = self.fraction_at_disc(center, radius)?;
        Some(self.entry(fraction, self.at(fraction) - center))
    }

    /// The entry at a fraction, where the surface faces in a direction of any length.
    #[inline(always)]
    fn entry(&self, fraction: f64, outward: Vector) -> RayEntry {
        RayEntry { fraction, normal: outward.unit().unwrap_or_else(|| self.against()) }
    }

    /// The fraction at which the ray enters a disc that does not hold the start.
    #[inline(always)]
    fn fraction_at_disc(&self, center: Vector, radius: f64) -> Option<f64> {
        let passage = self.passage(center, radius);
        if passage.meets { Some(self.fraction_of(passage)) } else { None }
    }

    /// How the ray passes a disc that does not hold the start. Without a branch.
    #[inline(always)]
    fn passage(&self, center: Vector, radius: f64) -> Passage {
        let to = center - self.origin;
        let (beside, along) = (self.direction.cross(to), self.direction.dot(to));
        let (beside2, reach2) = (beside * beside, radius * radius * self.length2);
        let from_end = center - self.end;
        let ends_behind = self.direction.dot(from_end) <= 0.0;
        let passes = (beside2 <= reach2) & (along > 0.0) & ends_behind;
        let meets = passes | (from_end.length2() <= radius * radius);
        Passage { meets, along, inner: reach2 - beside2 }
    }

    /// The fraction at which the ray enters the disc that it meets.
    #[inline(always)]
    fn fraction_of(&self, Passage { along, inner, .. }: Passage) -> f64 {
        let half_chord = higher(inner, 0.0).sqrt();
        self.reached((along - half_chord) / self.length2)
    }

    /// The fraction at which the ray enters a circle whose radius is above 0: the fraction of
    /// [`enter`](Path::enter).
    #[inline(always)]
    pub(crate) fn fraction_at_circle(&self, center: Vector, radius: f64) -> Option<f64> {
        if (self.origin - center).length2() <= radius * radius {
            return Some(0.0);
        }
        if self.length2 == 0.0 { None } else { self.fraction_at_disc(center, radius) }
    }

    /// The same fraction, or infinity if the ray misses the circle. Without a branch, for many
    /// rays.
    #[cfg(feature = "queries")]
    #[inline(always)]
    pub(crate) fn fraction_or_infinity(&self, center: Vector, radius: f64) -> f64 {
        let inside = (self.origin - center).length2() <= radius * radius;
        let passage = self.passage(center, radius);
        let meets = passage.meets & (self.length2 != 0.0);
        let fraction = self.fraction_of(passage);
        let fraction = if meets { fraction } else { f64::INFINITY };
        if inside { 0.0 } else { fraction }
    }

    /// Where the ray enters a box with a width and a height: the entry of [`enter`](Path::enter).
    /// `None` if only `enter` can tell.
    #[cfg(feature = "queries")]
    pub(crate) fn enter_box(&self, min: Vector, max: Vector) -> Option<Option<RayEntry>> {
        let (fraction, normal) = self.crossing_of_box(min, max);
        if fraction == f64::INFINITY {
            return Some(None);
        }
        // A fraction of 0 is a start inside.
        (fraction > 0.0).then_some(Some(RayEntry { fraction, normal }))
    }

    /// The fraction at which the ray enters a box with a width and a height, and the normal of the
    /// side. Infinity if it misses the box. NaN where that is left to [`enter`](Path::enter): if
    /// the ray is near a corner, does not begin before the box, or ends near it. Without a branch,
    /// for many rays.
    ///
    /// The ray enters through the side whose corners are to its left and to its right, as in
    /// `enter_core`. If it is clear on which side of the ray each corner is, there is no other.
    #[cfg(feature = "queries")]
    #[inline(always)]
    pub(crate) fn crossing_of_box(&self, min: Vector, max: Vector) -> (f64, Vector) {
        let (low, high) = (min - self.origin, max - self.origin);
        let Vector { x: dx, y: dy } = self.direction;
        let ([x_low, x_high], [y_low, y_high]) =
            ([dy * low.x, dy * high.x], [dx * low.y, dx * high.y]);
        // The corners in the order of `Solid::with_box`.
        let sides = [y_low - x_low, y_low - x_high, y_high - x_high, y_high - x_low];
        let error = (higher(x_low.abs(), x_high.abs()) + higher(y_low.abs(), y_high.abs()))
            * (4.0 * f64::EPSILON);
        let [a, b, c, d] = sides;
        let least = lower(lower(a.abs(), b.abs()), lower(c.abs(), d.abs()));
        let (below, right) = ((a > 0.0) & (b < 0.0), (b > 0.0) & (c < 0.0));
        let (above, left) = ((c > 0.0) & (d < 0.0), (d > 0.0) & (a < 0.0));
        let start_x = if below | left { min.x } else { max.x };
        let start_y = if below | right { min.y } else { max.y };
        let start = Vector::new(start_x, if left { max.y } else { start_y });
        let end_x = if above | left { min.x } else { max.x };
        let end = Vector::new(end_x, if below | left { min.y } else { max.y });
        let fraction = self.fraction_at_side([start, end]);
        let before = (below & (low.y > 0.0))
            | (right & (high.x < 0.0))
            | (above & (high.y < 0.0))
            | (left & (low.x > 0.0));
        // A rounded fraction may be this far behind the limit if the ray just reaches the shape.
        let reached = before & (fraction * (1.0 + F32_SLACK) < self.limit);
        let fraction = if reached { self.reached(fraction) } else { f64::NAN };
        let crosses = below | right | above | left;
        let fraction = if crosses { fraction } else { f64::INFINITY };
        let normal_x = if right { 1.0 } else { -1.0 };
        let normal_y = if above { 1.0 } else { -1.0 };
        let normal = Vector::new(
            if below | above { 0.0 } else { normal_x },
            if below | above { normal_y } else { 0.0 },
        );
        (if least > error { fraction } else { f64::NAN }, normal)
    }

    /// The entry into a circle that the ray enters at this fraction.
    #[inline(always)]
    pub(crate) fn entry_at_circle(&self, fraction: f64, center: Vector) -> RayEntry {
        if fraction > 0.0 {
            self.entry(fraction, self.at(fraction) - center)
        } else {
            self.inside()
        }
    }

    /// The entry into a core with a radius, which does not hold the start.
    ///
    /// In plain words: the least fraction at which the ray crosses a moved side, between its ends,
    /// or enters a disc around a corner. Only this entry needs a normal, so only it gets a normal.
    fn enter_rounded(&self, corners: &[Vector], solid: &Solid<'_>) -> Option<RayEntry> {
        let radius = solid.radius;
        // Fractions, and the outward directions of the surface there.
        let mut best: Option<(f64, Vector)> = None;
        let mut keep = |fraction: f64, outward: Vector| {
            if best.is_none_or(|(least, _)| fraction < least) {
                best = Some((fraction, outward));
            }
        };
        // A side that the ray does not reach, within roundings of a square root.
        let mut almost: Option<(f64, Vector)> = None;
        for [start, end] in sides(corners) {
            let along = end - start;
            let outward = -along.perp();
            let approach = -outward.dot(self.direction);
            if approach <= 0.0 {
                continue;
            }
            let length2 = along.length2();
            let reach = radius * length2.sqrt();
            let height = |point: Vector| outward.dot(point - start) - reach;
            let above = height(self.origin);
            // A start outside may seem to be inside by this share of the radius: squares decide
            // that it is outside, and a square root how far.
            if above < -reach * (16.0 * f64::EPSILON) {
                continue;
            }
            let fraction = higher(above / approach, 0.0);
            if fraction > self.limit * (1.0 + F32_SLACK) {
                continue;
            }
            let beside = along.dot(self.at(fraction) - start);
            if (0.0..=length2).contains(&beside) {
                let fraction = self.reached(fraction);
                if height(self.end) <= 0.0 {
                    keep(fraction, outward);
                } else {
                    almost = Some((fraction, outward));
                }
            }
        }
        for corner in corners {
            if let Some(fraction) = self.fraction_at_disc(*corner, radius) {
                keep(fraction, self.at(fraction) - *corner);
            }
        }
        let first = best.or_else(|| almost.filter(|_| solid.holds(self.end, true)));
        first.map(|(fraction, outward)| self.entry(fraction, outward))
    }
}

/// How a ray passes a disc.
#[derive(Clone, Copy)]
struct Passage {
    /// Whether it enters the disc before it ends.
    meets: bool,
    /// The distance of the centre along the ray, and the square of half of the chord, both in
    /// units of the length of the direction.
    along: f64,
    inner: f64,
}

/// Above 0 if a point is to the left of the line from `start` to `end`, below 0 if it is to the
/// right. The sign is exact. Rarely called, so it is not inlined into the common path.
#[cold]
#[inline(never)]
fn orient(start: Vector, end: Vector, point: Vector) -> f64 {
    let coord = |Vector { x, y }: Vector| Coord { x, y };
    orient2d(coord(start), coord(end), coord(point))
}
