//! Where a ray enters a convex shape.

use std::cmp::Ordering;

use super::convex::{
    Convex, Vector, cross, dot, length2, minus, nearest_on, plus, right, times, unit,
};
use crate::{query::Ray, reference::exact::sides, shape::Touching};

/// The points `origin + t * direction` for `t` from 0 to `limit`.
pub(super) struct Path {
    pub(super) origin: Vector,
    pub(super) direction: Vector,
    pub(super) limit: f64,
}

/// Where a ray first touches a shape.
#[derive(Clone, Copy)]
pub(super) struct Entry {
    pub(super) fraction: f64,
    /// The outward normal of the surface.
    pub(super) normal: Vector,
}

/// A start that is not inside may be this share of the radius behind the surface.
const WITHIN: f64 = 1.0 / (1_u64 << 48) as f64;

impl Path {
    #[inline]
    pub(super) fn of(ray: Ray) -> Self {
        let path = Self::of_translation([ray.dx, ray.dy], ray.max_fraction);
        Self { origin: [f64::from(ray.x), f64::from(ray.y)], ..path }
    }

    #[inline]
    pub(super) fn of_translation(translation: [f32; 2], max_fraction: f32) -> Self {
        let limit = f64::from(max_fraction.min(f32::MAX));
        Self { origin: [0.0, 0.0], direction: translation.map(f64::from), limit }
    }

    #[inline]
    pub(super) fn at(&self, fraction: f64) -> Vector {
        plus(self.origin, times(self.direction, fraction))
    }

    /// The direction opposite to that of the ray; (1, 0) if it has none.
    #[inline]
    fn against(&self) -> Vector {
        let [x, y] = self.direction;
        unit([-x, -y]).unwrap_or([1.0, 0.0])
    }

    /// The entry of a ray that starts inside.
    #[inline]
    pub(super) fn at_start(&self) -> Entry {
        Entry { fraction: 0.0, normal: self.against() }
    }

    /// Where the ray first touches a shape.
    #[inline]
    pub(super) fn enter(&self, shape: &Convex, touching: Touching) -> Option<Entry> {
        let inclusive = touching == Touching::Inclusive;
        let is_point = length2(self.direction) == 0.0;
        if is_point || shape.radius > 0.0 {
            if shape.holds(self.origin, inclusive) {
                return Some(self.at_start());
            }
            if is_point {
                return None;
            }
        }
        if shape.radius == 0.0 {
            return self.enter_core(&shape.corners, inclusive);
        }
        let mut entries = Vec::new();
        for side in sides(&shape.corners) {
            entries.extend(self.enter_moved_side(side, shape.radius, inclusive));
        }
        for corner in &shape.corners {
            entries.extend(self.enter_circle(*corner, shape.radius, inclusive));
        }
        // Of several least elements, `min_by` returns the first.
        entries.into_iter().min_by(|a, b| order(a.fraction, b.fraction))
    }

    /// Whether the ray comes as far as a fraction. Its end does not count if it only touches.
    #[inline]
    fn reaches(&self, fraction: f64, inclusive: bool) -> bool {
        if inclusive { fraction <= self.limit } else { fraction < self.limit }
    }

    /// The entry into a core without a radius.
    ///
    /// The corners are to the left of the ray, to its right, or on it. The ray crosses each side
    /// whose ends are on different sides of it, and each corner that is on it. It touches the core
    /// from the first crossing to the last.
    #[inline]
    fn enter_core(&self, corners: &[Vector], inclusive: bool) -> Option<Entry> {
        let count = corners.len();
        // How far a corner is to the left, and the fraction at which the ray passes it.
        let beside = |number: usize| cross(self.direction, minus(corners[number], self.origin));
        let passes = |number: usize| {
            let to = minus(corners[number], self.origin);
            dot(self.direction, to) / length2(self.direction)
        };
        // The crossings: a fraction, and the ends of the side, or twice the number of a corner.
        let mut crossings: Vec<(f64, [usize; 2])> = Vec::new();
        for end in 0..count {
            let start = (end + count - 1) % count;
            if beside(start) < 0.0 && beside(end) > 0.0 || beside(start) > 0.0 && beside(end) < 0.0
            {
                let side = minus(corners[end], corners[start]);
                let to_start = minus(corners[start], self.origin);
                let fraction = cross(to_start, side) / cross(self.direction, side);
                // Not before or after both ends, whatever the roundings.
                let ends = [passes(start), passes(end)];
                let fraction = fraction.max(ends[0].min(ends[1])).min(ends[0].max(ends[1]));
                crossings.push((fraction, [start, end]));
            } else if beside(end) == 0.0 {
                crossings.push((passes(end), [end, end]));
            }
        }
        // Of several least elements, `min_by` returns the first.
        let by_fraction = |a: &(f64, [usize; 2]), b: &(f64, [usize; 2])| order(a.0, b.0);
        let (first, crossed) = crossings.iter().copied().min_by(by_fraction)?;
        let (last, _) = crossings.iter().copied().max_by(by_fraction)?;
        let both = (0..count).any(|corner| beside(corner) > 0.0)
            && (0..count).any(|corner| beside(corner) < 0.0);
        let hit = if inclusive {
            0.0 <= last && first <= self.limit
        } else {
            both && 0.0 < last && first < self.limit
        };
        if !hit {
            return None;
        }
        if first <= 0.0 {
            return Some(self.at_start());
        }
        let normal = self.normal_of(corners, crossed).unwrap_or(self.against());
        Some(Entry { fraction: first, normal })
    }

    /// The normal of a side that the ray crosses. At a corner, that of the side before or after it
    /// that faces the ray more. `None` if neither faces the ray. A core of two corners has a side
    /// in each direction.
    #[inline]
    fn normal_of(&self, corners: &[Vector], [start, end]: [usize; 2]) -> Option<Vector> {
        let count = corners.len();
        let (before, after) = ((start + count - 1) % count, (start + 1) % count);
        let candidates = if start == end || count == 2 {
            vec![[before, start], [start, after]]
        } else {
            vec![[start, end]]
        };
        let normals = candidates
            .into_iter()
            .filter_map(|[start, end]| unit(minus(corners[end], corners[start])).map(right));
        let mut best = (0.0, None);
        for normal in normals {
            let facing = dot(normal, self.direction);
            if facing < best.0 {
                best = (facing, Some(normal));
            }
        }
        best.1
    }

    /// The entry into a circle that does not hold the start.
    ///
    /// The distance of its centre from the line is a cross product, divided by the length of the
    /// direction. Compared as squares, without the division.
    #[inline]
    fn enter_circle(&self, center: Vector, radius: f64, inclusive: bool) -> Option<Entry> {
        let to = minus(center, self.origin);
        let (beside, along) = (cross(self.direction, to), dot(self.direction, to));
        let (beside2, reach2) = (beside * beside, radius * radius * length2(self.direction));
        let near = if inclusive { beside2 <= reach2 } else { beside2 < reach2 };
        if !near || along <= 0.0 {
            return None;
        }
        let half_chord = (reach2 - beside2).sqrt();
        let fraction = ((along - half_chord) / length2(self.direction)).max(0.0);
        let normal = unit(minus(self.at(fraction), center)).unwrap_or(self.against());
        self.reaches(fraction, inclusive).then_some(Entry { fraction, normal })
    }

    /// The crossing of a side that is moved outwards by a radius, for a start that is outside.
    fn enter_moved_side(
        &self,
        [start, end]: [Vector; 2],
        radius: f64,
        inclusive: bool,
    ) -> Option<Entry> {
        let side = minus(end, start);
        let outward = right(side);
        let length = length2(side).sqrt();
        // Heights above the moved side and its approach, times the length of the side.
        let approach = -dot(outward, self.direction);
        let reach = radius * length;
        let above = dot(outward, minus(self.origin, start)) - reach;
        if approach <= 0.0 || above < -reach * WITHIN {
            return None;
        }
        let fraction = (above / approach).max(0.0);
        let along = dot(side, minus(self.at(fraction), start));
        let within = 0.0 <= along && along <= length2(side);
        let normal = [outward[0] / length, outward[1] / length];
        (within && self.reaches(fraction, inclusive)).then_some(Entry { fraction, normal })
    }
}

/// The order of two fractions. Zeros of either sign are equal.
#[inline]
fn order(a: f64, b: f64) -> Ordering {
    a.partial_cmp(&b).unwrap_or(Ordering::Equal)
}

/// The outward normal of a shape whose border passes through the origin, within roundings. Where it
/// is an edge, that of the side that is more against `direction`. `None` for a point.
#[inline]
pub(super) fn normal_at_origin(shape: &Convex, direction: Vector) -> Option<Vector> {
    let Convex { corners, radius, .. } = shape;
    if *radius > 0.0 {
        // From the nearest point of the core.
        let on_sides = sides(corners).map(|side| nearest_on(side, [0.0, 0.0]));
        let points = corners.iter().copied().chain(on_sides);
        let nearest = points.min_by(|a, b| length2(*a).total_cmp(&length2(*b)))?;
        return unit(minus([0.0, 0.0], nearest));
    }
    // The side that the origin is furthest beyond, or least within.
    let mut best: Option<([f64; 2], Vector)> = None;
    for [start, end] in sides(corners) {
        let Some(along) = unit(minus(end, start)) else { continue };
        let normal = right(along);
        // The origin is on both sides of a segment.
        let height = if corners.len() > 2 { -dot(normal, start) } else { 0.0 };
        let merit = [height, -dot(normal, direction)];
        if best.is_none_or(|(best, _)| best < merit) {
            best = Some((merit, normal));
        }
    }
    best.map(|(_, normal)| normal)
}
