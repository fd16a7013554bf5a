//! `ObstaclePath`: the part of a path that is beside an obstacle, and how deep it leads in.

use crate::{
    base::F32_SLACK,
    geometry::{Path, Solid, Vector, nearest_on, sides},
    simd::map_each,
};

/// The largest share of the obstacle that is within the tolerance: where that is more, shapes are
/// hardly larger than roundings.
pub(super) const TOLERATED_SHARE: f64 = 1.0 / 16.0;

/// The path from the origin to its last point beside an obstacle.
#[derive(Debug, Clone, Copy)]
pub(super) struct ObstaclePath {
    end: Vector,
    /// The tolerance along each axis.
    pub(super) tolerance: Vector,
}

/// Two parts that stop each other at the start.
#[derive(Debug)]
pub(crate) struct StopAtStart {
    pub(super) parts: [u32; 2],
    pub(super) way: ObstaclePath,
    /// Whether the path leads deeper into the part.
    pub(super) deeper: bool,
}

impl ObstaclePath {
    /// No part of a path.
    pub(super) const NONE: Self = Self { end: Vector::ZERO, tolerance: Vector::ZERO };

    /// The part of a path beside an obstacle, which is the difference of two solids. `movers` are
    /// the solids that move.
    #[inline]
    pub(super) fn new(path: &Path, movers: [Option<&Solid<'_>>; 2], obstacle: &Solid<'_>) -> Self {
        let Path { direction, length2, limit, .. } = *path;
        let mut until = limit;
        if length2 > 0.0 && obstacle.half_plane().is_none() {
            let along = obstacle.corners.iter().map(|corner| direction.dot(*corner));
            let last = along.fold(f64::NEG_INFINITY, f64::max);
            until = until.min((last / length2 + obstacle.radius / length2.sqrt()).max(0.0));
        }
        let end = direction * until;
        let [one, other] = map_each(movers, |mover| mover.map_or(Vector::ZERO, extent));
        let reach = Vector::new(one.x.max(other.x), one.y.max(other.y));
        let size = size(obstacle) * TOLERATED_SHARE;
        let tolerance = |reach: f64, by: f64, most: f64| ((reach + by.abs()) * F32_SLACK).min(most);
        let tolerance =
            Vector::new(tolerance(reach.x, end.x, size.x), tolerance(reach.y, end.y, size.y));
        Self { end, tolerance }
    }

    /// The start of the path alone, with the same tolerance.
    pub(super) fn at_start(self) -> Self {
        Self { end: Vector::ZERO, ..self }
    }

    /// The tolerance along a vector, times its length.
    pub(super) fn tolerance_along(&self, normal: Vector) -> f64 {
        normal.x.abs() * self.tolerance.x + normal.y.abs() * self.tolerance.y
    }

    /// Whether the path leads further along a normal than the tolerance.
    pub(super) fn leads_along(&self, normal: Vector) -> bool {
        self.leads_along_from(Vector::ZERO, normal)
    }

    /// [`leads_along`](Self::leads_along) for the path from one of its points on.
    pub(super) fn leads_along_from(&self, point: Vector, normal: Vector) -> bool {
        normal.dot(self.end - point) > self.tolerance_along(normal)
    }

    /// Whether a point at this height above a side is on it, within the tolerance.
    pub(super) fn is_at(&self, normal: Vector, height: f64) -> bool {
        height.abs() <= self.tolerance_along(normal)
    }

    /// Whether the path only grazes an obstacle: on one side of its line, the obstacle is not wider
    /// than the tolerance. If on both sides, it is met head on.
    ///
    /// A mover is grazed at less than half of its width, of two movers the wider mover. Otherwise a
    /// mover between two shapes side by side would graze both, and pass.
    pub(super) fn grazes(
        &self,
        obstacle: &Solid<'_>,
        direction: Vector,
        movers: [Option<&Solid<'_>>; 2],
    ) -> bool {
        /// The largest share of the width of a mover that is grazed.
        const MAX_GRAZED_SHARE: f64 = 0.49;
        if obstacle.half_plane().is_some() {
            return false;
        }
        let Some(along) = direction.unit() else { return false };
        let normal = along.perp();
        let [left, right] = map_each(widths(obstacle, normal), |width| width + obstacle.radius);
        let width = |mover: &Solid<'_>| {
            let [above, below] = widths(mover, normal);
            above + below + 2.0 * mover.radius
        };
        let width = movers.into_iter().flatten().map(width).fold(0.0, f64::max);
        let tolerance = self.tolerance_along(normal).min((left + right) * TOLERATED_SHARE);
        let tolerance = tolerance.min(width * MAX_GRAZED_SHARE);
        (left < tolerance) != (right < tolerance)
    }

    /// Whether the solids are deeper in each other somewhere on the path than at its start, by more
    /// than the tolerance.
    #[inline]
    pub(super) fn leads_deeper(&self, obstacle: &Solid<'_>) -> bool {
        if let Some(border) = obstacle.half_plane() {
            return self.leads_along(-border.normal);
        }
        if self.end == Vector::ZERO {
            return false;
        }
        if let [center] = obstacle.corners
            && center.dot(self.end) <= 0.0
        {
            return false;
        }
        let (way, start) = self.depths(obstacle);
        way > start.max(0.0)
    }

    /// Whether an obstacle is hardly wider than the tolerance, along some normal of it.
    pub(super) fn is_thin(&self, obstacle: &Solid<'_>) -> bool {
        /// Across an obstacle that is at most this many tolerances wide, no path counts as deep.
        const THIN: f64 = 4.0;
        let is_thin = |[from, to]: [Vector; 2]| {
            (to - from).unit().is_some_and(|along| {
                let normal = along.perp();
                let [above, below] = widths(obstacle, normal);
                above + below + 2.0 * obstacle.radius <= THIN * self.tolerance_along(normal)
            })
        };
        obstacle.radius == 0.0 && obstacle.corners.len() == 1
            || sides(obstacle.corners).any(is_thin)
    }

    /// How far the path has to be shifted to be out of the obstacle, less the tolerance, and how
    /// far its start: at most 0 if it is not in it.
    ///
    /// The cores, path and obstacle, overlap by the least of their overlaps along the normals of
    /// their sides.
    #[inline]
    pub(super) fn depths(&self, obstacle: &Solid<'_>) -> (f64, f64) {
        let Solid { corners, radius, .. } = *obstacle;
        if let [center] = corners {
            let apart = self.way_to(*center);
            let tolerance = apart.unit().map_or(0.0, |normal| self.tolerance_along(normal));
            return (radius - apart.length() - tolerance, radius - center.length());
        }
        // The least overlaps, and the least overlap of the path less the tolerance.
        let mut start = f64::INFINITY;
        let (mut overlap, mut depth) = (f64::INFINITY, f64::INFINITY);
        let mut keep = |normal: Vector, width: f64| {
            overlap = overlap.min(width);
            depth = depth.min(width - self.tolerance_along(normal));
        };
        let mut side = |normal: Vector, width: f64| {
            start = start.min(width);
            keep(normal, width - normal.dot(self.end).min(0.0));
        };
        if let Some([min, max]) = obstacle.aligned.filter(|_| corners.len() == 4) {
            side(-Vector::Y, -min.y);
            side(Vector::X, max.x);
            side(Vector::Y, max.y);
            side(-Vector::X, -min.x);
        } else {
            for [from, to] in sides(corners) {
                if let Some(along) = (to - from).unit() {
                    let normal = -along.perp();
                    side(normal, normal.dot(from));
                }
            }
        }
        if let Some(along) = self.end.unit() {
            let normal = along.perp();
            let [left, right] = widths(obstacle, normal);
            keep(normal, left);
            keep(-normal, right);
        }
        let overlaps = |overlap: f64| overlap > 0.0 && overlap < f64::INFINITY;
        let way = if overlaps(overlap) {
            depth + radius
        } else {
            // They are apart, or have no area.
            let apart = self.distance(corners);
            let tolerance = apart.unit().map_or(0.0, |normal| self.tolerance_along(normal));
            radius - apart.length() - tolerance
        };
        let start = if overlaps(start) {
            start + radius
        } else {
            radius - Self::NONE.distance(corners).length()
        };
        (way, start)
    }

    /// The shortest vector from the path to a point.
    #[inline]
    fn way_to(&self, point: Vector) -> Vector {
        let from = match self.end == Vector::ZERO {
            true => Vector::ZERO,
            false => nearest_on([Vector::ZERO, self.end], point),
        };
        point - from
    }

    /// The shortest vector from the path to a core that it does not cross.
    fn distance(&self, corners: &[Vector]) -> Vector {
        let mut best = (f64::INFINITY, Vector::ZERO);
        let mut closer = |way: Vector| {
            if way.length2() < best.0 {
                best = (way.length2(), way);
            }
        };
        for corner in corners {
            closer(self.way_to(*corner));
        }
        for side in sides(corners) {
            for from in [Vector::ZERO, self.end] {
                closer(nearest_on(side, from) - from);
            }
        }
        best.1
    }
}

/// The lengths of the box around a solid; infinite for a half-plane.
#[inline]
fn size(solid: &Solid<'_>) -> Vector {
    if solid.corners.is_empty() {
        return Vector::new(f64::INFINITY, f64::INFINITY);
    }
    if solid.corners.len() == 1 {
        return Vector::new(2.0 * solid.radius, 2.0 * solid.radius);
    }
    let length = |axis: Vector| {
        let [above, below] = widths(solid, axis);
        above + below + 2.0 * solid.radius
    };
    Vector::new(length(Vector::X), length(Vector::Y))
}

/// How far a core reaches along a normal from the origin, and how far against it.
#[inline]
pub(super) fn widths(core: &Solid<'_>, normal: Vector) -> [f64; 2] {
    let mut widths = [f64::NEG_INFINITY; 2];
    for corner in core.corners {
        let height = normal.dot(*corner);
        widths = [widths[0].max(height), widths[1].max(-height)];
    }
    widths
}

/// The largest coordinate of a solid in magnitude, along each axis. A half-plane has no width.
#[inline]
fn extent(solid: &Solid<'_>) -> Vector {
    let mut extent = Vector::ZERO;
    for corner in solid.corners {
        extent = Vector::new(extent.x.max(corner.x.abs()), extent.y.max(corner.y.abs()));
    }
    Vector::new(extent.x + solid.radius, extent.y + solid.radius)
}
