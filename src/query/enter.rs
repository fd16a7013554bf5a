//! Where a ray enters a convex shape.

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

impl Path {
    pub(crate) fn new(origin: Vector, direction: Vector, limit: f64) -> Self {
        Self { origin, direction, length2: direction.length2(), limit }
    }

    /// The point at a fraction of the direction.
    pub(crate) fn at(&self, fraction: f64) -> Vector {
        self.origin + self.direction * fraction
    }

    /// Where the ray first touches a solid, under the policy. `None` if it does not.
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
    pub(crate) fn enter(&self, solid: &Solid<'_>, inclusive: bool) -> Option<Entry> {
        if self.length2 > 0.0 && solid.lets_pass(self.direction) {
            return None;
        }
        let entry = self.crossing(solid, inclusive)?;
        Some(if entry.fraction > 0.0 { entry } else { self.inside() })
    }

    /// The entry. Its normal is that of the surface if the ray starts on the border of a solid with
    /// a radius and moves inwards.
    fn crossing(&self, solid: &Solid<'_>, inclusive: bool) -> Option<Entry> {
        if self.length2 == 0.0 {
            let normal = Vector::X;
            return solid.holds(self.origin, inclusive).then_some(Entry { fraction: 0.0, normal });
        }
        if let Some(border) = solid.half_plane() {
            return self.enter_half_plane(border, solid.radius, inclusive);
        }
        match *solid {
            Solid { corners: [center], radius, .. } if radius > 0.0 => {
                if solid.holds(self.origin, inclusive) {
                    return Some(self.inside());
                }
                self.enter_disc(*center, radius, inclusive)
            }
            Solid { corners, radius: 0.0, .. } => self.enter_core(corners, inclusive),
            Solid { corners, radius, .. } => {
                if solid.holds(self.origin, inclusive) {
                    return Some(self.inside());
                }
                self.enter_rounded(corners, radius, inclusive)
            }
        }
    }

    /// The entry into a half-plane that is larger by `radius`.
    fn enter_half_plane(&self, border: Border, radius: f64, inclusive: bool) -> Option<Entry> {
        let height = border.height(self.origin) - radius;
        if height < 0.0 || (inclusive && height == 0.0) {
            return Some(self.inside());
        }
        let approach = -border.normal.dot(self.direction);
        if approach <= 0.0 {
            return None;
        }
        let fraction = height / approach;
        let entry = Entry { fraction, normal: border.normal };
        self.reaches(fraction, inclusive).then_some(entry)
    }

    /// The entry of a ray that starts inside.
    pub(crate) fn inside(&self) -> Entry {
        Entry { fraction: 0.0, normal: self.against() }
    }

    /// The direction opposite to that of the ray.
    fn against(&self) -> Vector {
        (-self.direction).unit().unwrap_or(Vector::X)
    }

    /// Whether a fraction is within the limit. An end that only touches does not count under the
    /// exclusive policy.
    fn reaches(&self, fraction: f64, inclusive: bool) -> bool {
        if inclusive { fraction <= self.limit } else { fraction < self.limit }
    }

    /// The entry into a core without a radius.
    fn enter_core(&self, corners: &[Vector], inclusive: bool) -> Option<Entry> {
        let count = corners.len();
        let (mut left, mut right) = (false, false);
        let (mut first, mut last) = (f64::INFINITY, f64::NEG_INFINITY);
        // The side that is crossed first: the numbers of its corners, twice the same for a corner.
        let mut crossed = [0; 2];
        let seen = |number: usize| {
            let to = corners[number] - self.origin;
            (to, self.direction.cross(to), self.direction.dot(to) / self.length2)
        };
        let (mut to, mut side, mut along) = seen(count - 1);
        let mut number = count - 1;
        for next in 0..count {
            let (next_to, next_side, next_along) = seen(next);
            left |= next_side > 0.0;
            right |= next_side < 0.0;
            let opposite = (side < 0.0 && next_side > 0.0) || (side > 0.0 && next_side < 0.0);
            let crossing = if opposite {
                // One division of whole numbers, so that comparisons with 0 and 1 are exact. The
                // ends of the side bound it where the ray is nearly parallel to the side.
                let way = corners[next] - corners[number];
                let fraction = to.cross(way) / self.direction.cross(way);
                let bounded = fraction.max(along.min(next_along)).min(along.max(next_along));
                Some((bounded, [number, next]))
            } else if next_side == 0.0 {
                Some((next_along, [next, next]))
            } else {
                None
            };
            if let Some((fraction, corners)) = crossing {
                if fraction < first {
                    (first, crossed) = (fraction, corners);
                }
                last = last.max(fraction);
            }
            (number, to, side, along) = (next, next_to, next_side, next_along);
        }
        let hit = if inclusive {
            0.0 <= last && first <= self.limit
        } else {
            left && right && 0.0 < last && first < self.limit
        };
        if !hit {
            return None;
        }
        if first <= 0.0 {
            return Some(self.inside());
        }
        let normal = self.normal_of(corners, crossed).unwrap_or_else(|| self.against());
        Some(Entry { fraction: first, normal })
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
    fn enter_disc(&self, center: Vector, radius: f64, inclusive: bool) -> Option<Entry> {
        let to = center - self.origin;
        let (beside, along) = (self.direction.cross(to), self.direction.dot(to));
        let (beside2, reach2) = (beside * beside, radius * radius * self.length2);
        let near = if inclusive { beside2 <= reach2 } else { beside2 < reach2 };
        if !(near && along > 0.0) {
            return None;
        }
        let fraction = ((along - (reach2 - beside2).sqrt()) / self.length2).max(0.0);
        if !self.reaches(fraction, inclusive) {
            return None;
        }
        let normal = (self.at(fraction) - center).unit().unwrap_or_else(|| self.against());
        Some(Entry { fraction, normal })
    }

    /// The entry into a core with a radius, which does not hold the start.
    fn enter_rounded(&self, corners: &[Vector], radius: f64, inclusive: bool) -> Option<Entry> {
        let mut best: Option<Entry> = None;
        let mut keep = |entry: Entry| {
            if best.is_none_or(|best| entry.fraction < best.fraction) {
                best = Some(entry);
            }
        };
        for [start, end] in sides(corners) {
            let along = end - start;
            let length2 = along.length2();
            let outward = -along.perp();
            let approach = -outward.dot(self.direction);
            let reach = radius * length2.sqrt();
            let above = outward.dot(self.origin - start) - reach;
            if approach <= 0.0 || above < -reach * WITHIN {
                continue;
            }
            let fraction = (above / approach).max(0.0);
            let beside = along.dot(self.at(fraction) - start);
            if (0.0..=length2).contains(&beside) && self.reaches(fraction, inclusive) {
                keep(Entry { fraction, normal: outward / length2.sqrt() });
            }
        }
        for corner in corners {
            if let Some(entry) = self.enter_disc(*corner, radius, inclusive) {
                keep(entry);
            }
        }
        best
    }
}
