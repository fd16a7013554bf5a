//! Where a ray enters a convex shape.
//!
//! Whether the ray begins or ends before it comes to the shape is told by the place of its ends,
//! not by fractions, which are rounded.

use std::cmp::Ordering;

use widephase::Ray;

use super::convex::{
    Convex, PlaneVector, cross, dot, length2, minus, nearest_on, orientation, plus, right, sides,
    times, unit,
};

/// The points `origin + t * direction` for `t` from 0 to `limit`.
pub(crate) struct Path {
    pub origin: PlaneVector,
    pub direction: PlaneVector,
    pub limit: f64,
    /// The last point, of a ray to a point.
    pub to: Option<PlaneVector>,
}

/// Where a ray first touches a shape.
#[derive(Clone, Copy)]
pub(crate) struct Entry {
    pub fraction: f64,
    /// The outward normal of the surface.
    pub normal: PlaneVector,
}

/// The error of a dot product, as a share of its terms, rounded up.
const ROUNDINGS: f64 = 1.0 / (1_u64 << 50) as f64;

/// A rounded fraction may be this factor larger than the limit though the ray reaches the shape.
const BEHIND: f64 = 1.0 + 1.0 / (1 << 20) as f64;

/// A start that is not inside may be this share of the radius behind the surface.
const WITHIN: f64 = 1.0 / (1_u64 << 48) as f64;

impl Path {
    pub(crate) fn of(ray: Ray) -> Self {
        let path = Self::of_translation([ray.dx, ray.dy], ray.max_fraction);
        let origin = [f64::from(ray.x), f64::from(ray.y)];
        // The end of a segment counts if its direction was not changed.
        let end = [ray.end_x, ray.end_y];
        if [end[0] - ray.x, end[1] - ray.y] != [ray.dx, ray.dy] {
            return Self { origin, ..path };
        }
        let end = end.map(f64::from);
        let to = (path.limit == 1.0).then_some(end);
        Self { origin, direction: minus(end, origin), to, ..path }
    }

    pub(crate) fn of_translation(translation: [f32; 2], max_fraction: f32) -> Self {
        let limit = f64::from(max_fraction.min(f32::MAX));
        Self { origin: [0.0, 0.0], direction: translation.map(f64::from), limit, to: None }
    }

    pub(crate) fn at(&self, fraction: f64) -> PlaneVector {
        plus(self.origin, times(self.direction, fraction))
    }

    /// The direction opposite to that of the ray; (1, 0) if it has no direction.
    fn against(&self) -> PlaneVector {
        let [x, y] = self.direction;
        unit([-x, -y]).unwrap_or([1.0, 0.0])
    }

    /// The entry of a ray that starts inside.
    pub(crate) fn at_start(&self) -> Entry {
        Entry { fraction: 0.0, normal: self.against() }
    }

    /// The last point.
    fn end(&self) -> PlaneVector {
        self.to.unwrap_or_else(|| self.at(self.limit))
    }

    /// The fraction of an entry that the ray reaches.
    fn reached(&self, fraction: f64) -> f64 {
        fraction.max(0.0).min(self.limit)
    }

    /// Where the ray first touches a shape.
    pub(crate) fn enter(&self, shape: &Convex) -> Option<Entry> {
        let is_point = length2(self.direction) == 0.0;
        if is_point || shape.radius > 0.0 {
            if shape.holds(self.origin) {
                return Some(self.at_start());
            }
            if is_point {
                return None;
            }
        }
        if shape.radius == 0.0 {
            return self.enter_core(&shape.corners);
        }
        let (mut entries, mut almost) = (Vec::new(), None);
        for side in sides(&shape.corners) {
            match self.enter_moved_side(side, shape.radius) {
                Some((entry, true)) => entries.push(entry),
                Some((entry, false)) => almost = Some(entry),
                None => {}
            }
        }
        for corner in &shape.corners {
            entries.extend(self.enter_circle(*corner, shape.radius));
        }
        if entries.is_empty() && almost.is_some() && shape.holds(self.end()) {
            return almost;
        }
        // Of several least elements, `min_by` returns the first.
        entries.into_iter().min_by(|a, b| order(a.fraction, b.fraction))
    }

    /// The entry into a core without a radius.
    ///
    /// The corners are to the left of the ray, to its right, or on it. The ray crosses each side
    /// whose ends are on different sides of it, and each corner that is on it. It enters where the
    /// outline leads from left to right, and leaves where it leads from right to left. If there is
    /// no such side, it does so at a corner.
    fn enter_core(&self, corners: &[PlaneVector]) -> Option<Entry> {
        let count = corners.len();
        // How far a corner is to the left, and how far ahead; both times a length.
        let beside = |number: usize| cross(self.direction, minus(corners[number], self.origin));
        let along = |number: usize| dot(self.direction, minus(corners[number], self.origin));
        let by_fraction = |a: &(f64, [usize; 2]), b: &(f64, [usize; 2])| order(a.0, b.0);

        let mut entered: Vec<(f64, [usize; 2])> = Vec::new();
        let mut is_left_by = None;
        let mut on_ray = Vec::new();
        for end in 0..count {
            let start = (end + count - 1) % count;
            if beside(start) > 0.0 && beside(end) < 0.0 {
                let side = minus(corners[end], corners[start]);
                let to_start = minus(corners[start], self.origin);
                let fraction = cross(to_start, side) / cross(self.direction, side);
                // Not before or after both ends, whatever the roundings.
                let ends = [start, end].map(|corner| along(corner) / length2(self.direction));
                let fraction = fraction.max(ends[0].min(ends[1])).min(ends[0].max(ends[1]));
                entered.push((fraction, [start, end]));
            } else if beside(start) < 0.0 && beside(end) > 0.0 {
                is_left_by = Some([end, start]);
            } else if beside(end) == 0.0 {
                on_ray.push((along(end), [end; 2]));
            }
        }
        let past =
            |point: PlaneVector, side: [usize; 2]| self.past(point, side.map(|at| corners[at]));
        let starts_behind = match is_left_by {
            Some(side) => past(self.origin, side) > 0.0,
            None => on_ray.iter().all(|(along, _)| *along < 0.0),
        };
        if starts_behind {
            return None;
        }
        // Of several least elements, `min_by` returns the first.
        let (fraction, crossed) = match entered.into_iter().min_by(by_fraction) {
            Some((fraction, side)) => {
                if past(self.origin, side) >= 0.0 {
                    return Some(self.at_start());
                }
                let end = past(self.end(), side);
                if end < 0.0 {
                    return None;
                }
                (if end == 0.0 { self.limit } else { fraction }, side)
            }
            None => {
                let (along, corner) = on_ray.into_iter().min_by(by_fraction)?;
                if along <= 0.0 {
                    return Some(self.at_start());
                }
                if dot(self.direction, minus(self.end(), corners[corner[0]])) < 0.0 {
                    return None;
                }
                (along / length2(self.direction), corner)
            }
        };
        let normal = self.normal_of(corners, crossed).unwrap_or(self.against());
        Some(Entry { fraction: self.reached(fraction), normal })
    }

    /// Above 0 if a point of the ray is behind the crossing with a side, below 0 if it is before.
    /// The first end of the side is to the left of the ray.
    fn past(&self, point: PlaneVector, side: [PlaneVector; 2]) -> f64 {
        let ahead = side.map(|end| {
            let to = minus(end, point);
            let terms = [self.direction[0] * to[0], self.direction[1] * to[1]];
            let sum = terms[0] + terms[1];
            if sum.abs() > (terms[0].abs() + terms[1].abs()) * ROUNDINGS { sum } else { 0.0 }
        });
        if ahead.iter().all(|&ahead| ahead > 0.0) {
            -1.0
        } else if ahead.iter().all(|&ahead| ahead < 0.0) {
            1.0
        } else {
            orientation(side, point)
        }
    }

    /// The normal of a side that the ray crosses. At a corner, the normal of the side before or
    /// after it that faces the ray more. `None` if neither faces the ray. A core of two corners has
    /// a side in each direction.
    fn normal_of(&self, corners: &[PlaneVector], [start, end]: [usize; 2]) -> Option<PlaneVector> {
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
    fn enter_circle(&self, center: PlaneVector, radius: f64) -> Option<Entry> {
        let to = minus(center, self.origin);
        let (beside, along) = (cross(self.direction, to), dot(self.direction, to));
        let (beside2, reach2) = (beside * beside, radius * radius * length2(self.direction));
        let from_end = minus(center, self.end());
        let ends_inside = length2(from_end) <= radius * radius;
        let ends_behind = dot(self.direction, from_end) <= 0.0;
        if !(ends_inside || beside2 <= reach2 && along > 0.0 && ends_behind) {
            return None;
        }
        let half_chord = (reach2 - beside2).max(0.0).sqrt();
        let fraction = self.reached((along - half_chord) / length2(self.direction));
        let normal = unit(minus(self.at(fraction), center)).unwrap_or(self.against());
        Some(Entry { fraction, normal })
    }

    /// The crossing of a side that is moved outwards by a radius, for a start that is outside. And
    /// whether the ray reaches it, which it does not if its end is above; within the rounding of a
    /// root.
    fn enter_moved_side(
        &self,
        [start, end]: [PlaneVector; 2],
        radius: f64,
    ) -> Option<(Entry, bool)> {
        let side = minus(end, start);
        let outward = right(side);
        let length = length2(side).sqrt();
        // Heights above the moved side and its approach, times the length of the side.
        let approach = -dot(outward, self.direction);
        let reach = radius * length;
        let height = |point: PlaneVector| dot(outward, minus(point, start)) - reach;
        let above = height(self.origin);
        if approach <= 0.0 || above < -reach * WITHIN {
            return None;
        }
        let fraction = (above / approach).max(0.0);
        let along = dot(side, minus(self.at(fraction), start));
        let within = 0.0 <= along && along <= length2(side);
        if fraction > self.limit * BEHIND || !within {
            return None;
        }
        let normal = [outward[0] / length, outward[1] / length];
        let entry = Entry { fraction: self.reached(fraction), normal };
        Some((entry, height(self.end()) <= 0.0))
    }
}

/// The order of two fractions. Zeros of either sign are equal.
fn order(a: f64, b: f64) -> Ordering {
    a.partial_cmp(&b).unwrap_or(Ordering::Equal)
}

/// The outward normal of a shape whose border passes through the origin, within roundings. Where it
/// is an edge, the normal of the side that is more against `direction`. `None` for a point.
pub(crate) fn normal_at_origin(shape: &Convex, direction: PlaneVector) -> Option<PlaneVector> {
    let Convex { corners, radius, .. } = shape;
    if *radius > 0.0 {
        // From the nearest point of the core.
        let on_sides = sides(corners).map(|side| nearest_on(side, [0.0, 0.0]));
        let points = corners.iter().copied().chain(on_sides);
        let nearest = points.min_by(|a, b| length2(*a).total_cmp(&length2(*b)))?;
        return unit(minus([0.0, 0.0], nearest));
    }
    // The side that the origin is furthest beyond, or least within.
    let mut best: Option<([f64; 2], PlaneVector)> = None;
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
