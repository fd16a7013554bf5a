//! Where a ray enters a convex shape.
//!
//! Shapes are closed: what only touches the ray is hit. Whether the ray begins or ends before it
//! comes to a shape is never told by a fraction, which is rounded, but by the place of its ends:
//! the side of a line on which they are, exactly, or whether a disc holds them.

use robust::{Coord, orient2d};

use super::{
    border::Border,
    solid::{Solid, sides},
    vector::Vector,
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
    /// The point at the limit. Each coordinate is rounded once, so it compares with coordinates in
    /// `f32` as the exact one does.
    end: Vector,
}

/// Where a ray first touches a shape.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Entry {
    /// The fraction of the direction, from 0 to the limit.
    pub(crate) fraction: f64,
    /// The outward normal of the surface, of length 1. Against the direction if the ray starts
    /// inside; (1, 0) if there is no direction.
    pub(crate) normal: Vector,
}

/// A start outside may seem to be inside by this share of the radius: squares decide that it is
/// outside, and a square root how far.
const WITHIN: f64 = 1.0 / (1_u64 << 48) as f64;

/// How far behind the limit, as a share of it, a rounded fraction may be if the ray just reaches
/// the shape; and more.
const BEHIND: f64 = 1.0 + 1.0 / (1 << 20) as f64;

/// The error of a dot product, as a share of its terms, and more.
const ROUNDINGS: f64 = 1.0 / (1_u64 << 50) as f64;

impl Path {
    pub(crate) fn new(origin: Vector, direction: Vector, limit: f64) -> Self {
        let end = origin + direction * limit;
        Self { origin, direction, length2: direction.length2(), limit, end }
    }

    /// The point at a fraction of the direction.
    pub(crate) fn at(&self, fraction: f64) -> Vector {
        self.origin + self.direction * fraction
    }

    /// Where the ray first touches a solid. `None` if it does not.
    ///
    /// In plain words, for a core without a radius: the corners are to the left of the ray, to its
    /// right, or on it. If all are on one side, the ray misses. Otherwise it crosses the outline
    /// twice, and the first crossing is the entry. The side of a corner depends on the corner and
    /// the ray alone, so no ray passes between two shapes that share a corner.
    ///
    /// With a radius: if the start is not inside, the ray enters a disc around a corner, or crosses
    /// a side that is moved outwards by the radius. The first of these is the entry.
    ///
    /// A ray from behind passes a segment with one side.
    pub(crate) fn enter(&self, solid: &Solid<'_>) -> Option<Entry> {
        let entry = self.crossing(solid)?;
        Some(if entry.fraction > 0.0 { entry } else { self.inside() })
    }

    /// The entry. Its normal is that of the surface if the ray starts on the border of a solid with
    /// a radius and moves inwards.
    fn crossing(&self, solid: &Solid<'_>) -> Option<Entry> {
        if self.length2 == 0.0 {
            let normal = Vector::X;
            return solid.holds(self.origin, true).then_some(Entry { fraction: 0.0, normal });
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
    /// segment. So a ray that comes from the front to an end that two segments share hits one.
    fn comes_from(&self, back: Border, ends: &[Vector]) -> bool {
        let [start, end] = ends else { return false };
        let side = |point: Vector| self.direction.cross(point - self.origin);
        let is_left = back.normal.dot((*end - *start).perp()) > 0.0;
        let [right, left] = if is_left { [start, end] } else { [end, start] };
        side(*left) <= side(*right)
    }

    /// The entry into a half-plane that is larger by `radius`.
    fn enter_half_plane(&self, border: Border, radius: f64) -> Option<Entry> {
        let height = |point: Vector| border.height(point) - radius;
        let above = height(self.origin);
        if above <= 0.0 {
            return Some(self.inside());
        }
        let approach = -border.normal.dot(self.direction);
        if approach <= 0.0 || height(self.end) > 0.0 {
            return None;
        }
        Some(Entry { fraction: self.reached(above / approach), normal: border.normal })
    }

    /// The entry of a ray that starts inside.
    pub(crate) fn inside(&self) -> Entry {
        Entry { fraction: 0.0, normal: self.against() }
    }

    /// The direction opposite to that of the ray.
    fn against(&self) -> Vector {
        (-self.direction).unit().unwrap_or(Vector::X)
    }

    /// The fraction of an entry that the ray reaches.
    fn reached(&self, fraction: f64) -> f64 {
        fraction.max(0.0).min(self.limit)
    }

    /// The entry into a core without a radius.
    fn enter_core(&self, corners: &[Vector]) -> Option<Entry> {
        let count = corners.len();
        let seen = |number: usize| {
            let to = corners[number] - self.origin;
            (to, self.direction.cross(to), self.direction.dot(to))
        };
        // The sides where the ray enters and leaves, as the numbers of their corners, the left one
        // first. And the first and the last corner on the ray.
        let (mut entered, mut left) = (None::<(f64, [usize; 2])>, None);
        let (mut first, mut last) = (None::<(f64, usize)>, None::<(f64, usize)>);
        let (mut to, mut side, mut along) = seen(count - 1);
        let mut number = count - 1;
        for next in 0..count {
            let (next_to, next_side, next_along) = seen(next);
            if side > 0.0 && next_side < 0.0 {
                // The ends of the side bound the fraction where the ray is nearly parallel to it.
                let way = corners[next] - corners[number];
                let fraction = to.cross(way) / self.direction.cross(way);
                let (one, other) = (along / self.length2, next_along / self.length2);
                let bounded = fraction.max(one.min(other)).min(one.max(other));
                if entered.is_none_or(|(fraction, _)| bounded < fraction) {
                    entered = Some((bounded, [number, next]));
                }
            } else if side < 0.0 && next_side > 0.0 {
                left = Some([next, number]);
            } else if next_side == 0.0 {
                if first.is_none_or(|(along, _)| next_along < along) {
                    first = Some((next_along, next));
                }
                if last.is_none_or(|(along, _)| next_along > along) {
                    last = Some((next_along, next));
                }
            }
            (number, to, side, along) = (next, next_to, next_side, next_along);
        }
        let past = |point: Vector, side: [usize; 2]| self.past(point, side.map(|at| corners[at]));
        let starts_behind = match (left, last) {
            (Some(side), _) => past(self.origin, side) > 0.0,
            (None, Some((along, _))) => along < 0.0,
            (None, None) => true,
        };
        if starts_behind {
            return None;
        }
        let (fraction, crossed) = match (entered, first) {
            (Some((fraction, side)), _) => {
                if past(self.origin, side) >= 0.0 {
                    return Some(self.inside());
                }
                let past = past(self.end, side);
                if past < 0.0 {
                    return None;
                }
                (if past == 0.0 { self.limit } else { fraction }, side)
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
        Some(Entry { fraction: self.reached(fraction), normal })
    }

    /// Whether a point of the ray is behind the place where it crosses a side: above 0, or before
    /// it: below 0. The side is given by its left end and its right end, seen along the ray.
    ///
    /// If both ends are ahead of the point, or both behind it, they tell it. This agrees with the
    /// sides of the ray on which the ends are, though these are rounded.
    #[inline(always)]
    fn past(&self, point: Vector, [left, right]: [Vector; 2]) -> f64 {
        let Vector { x, y } = self.direction;
        let [one, other] = [left, right].map(|end| {
            let to = end - point;
            let (along_x, along_y) = (x * to.x, y * to.y);
            let along = along_x + along_y;
            let surely = along.abs() > (along_x.abs() + along_y.abs()) * ROUNDINGS;
            if surely { along } else { 0.0 }
        });
        if one > 0.0 && other > 0.0 {
            return -1.0;
        }
        if one < 0.0 && other < 0.0 {
            return 1.0;
        }
        orient(left, right, point)
    }

    /// The normal of a side of a core, or at a corner the normal of the adjacent side that faces
    /// the ray more. `None` if neither faces it. A segment has a side in each direction.
    fn normal_of(&self, corners: &[Vector], [start, end]: [usize; 2]) -> Option<Vector> {
        let count = corners.len();
        let after = |number: usize| if number + 1 < count { number + 1 } else { 0 };
        let before = if start > 0 { start - 1 } else { count - 1 };
        let candidates = if start == end || count == 2 {
            [[before, start], [start, after(start)]]
        } else {
            [[start, end]; 2]
        };
        let mut best = (0.0, None);
        for [start, end] in candidates {
            let Some(along) = (corners[end] - corners[start]).unit() else { continue };
            let normal = -along.perp();
            let facing = normal.dot(self.direction);
            if facing < best.0 {
                best = (facing, Some(normal));
            }
        }
        best.1
    }

    /// The entry into a disc that does not hold the start.
    fn enter_disc(&self, center: Vector, radius: f64) -> Option<Entry> {
        let to = center - self.origin;
        let (beside, along) = (self.direction.cross(to), self.direction.dot(to));
        let (beside2, reach2) = (beside * beside, radius * radius * self.length2);
        let from_end = center - self.end;
        let passes = beside2 <= reach2 && along > 0.0 && self.direction.dot(from_end) <= 0.0;
        if !passes && from_end.length2() > radius * radius {
            return None;
        }
        let fraction = (along - (reach2 - beside2).max(0.0).sqrt()) / self.length2;
        let fraction = self.reached(fraction);
        let normal = (self.at(fraction) - center).unit().unwrap_or_else(|| self.against());
        Some(Entry { fraction, normal })
    }

    /// The entry into a core with a radius, which does not hold the start.
    fn enter_rounded(&self, corners: &[Vector], solid: &Solid<'_>) -> Option<Entry> {
        let radius = solid.radius;
        let mut best: Option<Entry> = None;
        let mut keep = |entry: Entry| {
            if best.is_none_or(|best| entry.fraction < best.fraction) {
                best = Some(entry);
            }
        };
        // A side that the ray does not reach, within roundings of a square root.
        let mut almost: Option<Entry> = None;
        for [start, end] in sides(corners) {
            let along = end - start;
            let length2 = along.length2();
            let outward = -along.perp();
            let approach = -outward.dot(self.direction);
            let reach = radius * length2.sqrt();
            let height = |point: Vector| outward.dot(point - start) - reach;
            let above = height(self.origin);
            if approach <= 0.0 || above < -reach * WITHIN {
                continue;
            }
            let fraction = (above / approach).max(0.0);
            if fraction > self.limit * BEHIND {
                continue;
            }
            let beside = along.dot(self.at(fraction) - start);
            if (0.0..=length2).contains(&beside) {
                let normal = outward / length2.sqrt();
                let entry = Entry { fraction: self.reached(fraction), normal };
                if height(self.end) <= 0.0 { keep(entry) } else { almost = Some(entry) }
            }
        }
        for corner in corners {
            if let Some(entry) = self.enter_disc(*corner, radius) {
                keep(entry);
            }
        }
        best.or_else(|| almost.filter(|_| solid.holds(self.end, true)))
    }
}

/// Above 0 if a point is to the left of the line from `start` to `end`, below 0 if it is to the
/// right. The sign is exact. Rarely called, and kept out of the way of what is not.
#[cold]
#[inline(never)]
fn orient(start: Vector, end: Vector, point: Vector) -> f64 {
    let coord = |Vector { x, y }: Vector| Coord { x, y };
    orient2d(coord(start), coord(end), coord(point))
}
