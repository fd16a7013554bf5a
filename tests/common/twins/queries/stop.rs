//! What stops a motion: see docs/queries.md, "What stops a motion".

use widephase::{CastOptions, narrowphase::CastStart};

use super::{
    cast::{difference, touching_point},
    convex::{
        Convex, PlaneVector, dot, left, length, length2, minus, nearest_on, plus, right, sides,
        times, unit,
    },
    enter::{Entry, Path, normal_at_origin},
};

/// The tolerance as a share of the coordinates.
pub(crate) const TOLERANCE: f64 = 1.0 / (1 << 20) as f64;

/// The largest share of the width of a moving shape that is grazed.
const ALMOST_HALF: f64 = 0.49;

/// The largest share of the obstacle that is within the tolerance.
const SHARE: f64 = 1.0 / 16.0;

/// A motion relative to a shape that moves by `other`.
pub(crate) struct Motion {
    pub path: Path,
    pub other: PlaneVector,
    pub options: CastOptions,
}

/// Where a shape stops a motion.
pub(crate) struct Stop {
    pub entry: Entry,
    pub point: PlaneVector,
    way: Way,
}

impl Stop {
    pub(crate) fn leads_along(&self, normal: PlaneVector) -> bool {
        dot(normal, self.way.end) > self.way.tolerance_along(normal)
    }

    /// The tolerance along both axes.
    pub(crate) fn tolerance(&self) -> f64 {
        self.way.tolerance[0] + self.way.tolerance[1]
    }
}

/// The path from the origin to its last point beside the obstacle.
struct Way {
    end: PlaneVector,
    tolerance: PlaneVector,
}

impl Motion {
    /// Where `other` stops `own`.
    pub(crate) fn stop(&self, own: &Convex, other: &Convex) -> Option<Stop> {
        let gap = f64::from(self.options.gap);
        let obstacle = Convex {
            corners: difference(&own.corners, &other.corners),
            radius: own.radius + other.radius + gap,
            sides: None,
        };
        let mut entry = self.path.enter(&obstacle)?;
        let at_start = entry.fraction == 0.0;
        let way = self.way(own, other, &obstacle);
        let stops = match self.options.start {
            _ if !at_start => !way.grazes(&obstacle, self.path.direction, &self.movers(own, other)),
            CastStart::Inward => way.leads_deeper(&obstacle),
            CastStart::Any => true,
            CastStart::Ignored => false,
        };
        if !stops {
            return None;
        }
        if at_start {
            let normal = normal_at_origin(&obstacle, self.path.direction);
            entry.normal = normal.unwrap_or(entry.normal);
        }
        let touching = touching_point(own, other, self.path.at(entry.fraction), entry.normal);
        let point = plus(touching, times(self.other, entry.fraction));
        Some(Stop { entry, point, way })
    }

    /// The moving shapes, of two shapes.
    #[inline]
    fn movers<'a>(&self, own: &'a Convex, other: &'a Convex) -> Vec<&'a Convex> {
        if self.other == [0.0, 0.0] {
            vec![own]
        } else if plus(self.path.direction, self.other) == [0.0, 0.0] {
            vec![other]
        } else {
            vec![own, other]
        }
    }

    #[inline]
    fn way(&self, own: &Convex, other: &Convex, obstacle: &Convex) -> Way {
        let direction = self.path.direction;
        let square = length2(direction);
        let mut until = self.path.limit;
        if square > 0.0 {
            let along = obstacle.corners.iter().map(|corner| dot(direction, *corner));
            let last = along.fold(f64::NEG_INFINITY, f64::max);
            until = until.min((last / square + obstacle.radius / square.sqrt()).max(0.0));
        }
        let end = times(direction, until);
        let extents: Vec<PlaneVector> = self.movers(own, other).into_iter().map(extent).collect();
        let tolerance = |axis: usize, normal: PlaneVector| {
            let [above, below] = widths(obstacle, normal);
            let size = above + below + 2.0 * obstacle.radius;
            let reach = extents.iter().map(|extent| extent[axis]).fold(0.0, f64::max);
            ((reach + end[axis].abs()) * TOLERANCE).min(size * SHARE)
        };
        Way { end, tolerance: [tolerance(0, [1.0, 0.0]), tolerance(1, [0.0, 1.0])] }
    }
}

/// The largest coordinates of a shape in magnitude.
fn extent(shape: &Convex) -> PlaneVector {
    let largest = |axis: usize| {
        let sizes = shape.corners.iter().map(|corner| corner[axis].abs());
        sizes.fold(0.0, f64::max) + shape.radius
    };
    [largest(0), largest(1)]
}

/// How far a core reaches along a normal, and how far against it.
fn widths(core: &Convex, normal: PlaneVector) -> [f64; 2] {
    let heights = || core.corners.iter().map(|corner| dot(normal, *corner));
    let highest = heights().fold(f64::NEG_INFINITY, f64::max);
    let lowest = heights().map(|height| -height).fold(f64::NEG_INFINITY, f64::max);
    [highest, lowest]
}

impl Way {
    fn tolerance_along(&self, normal: PlaneVector) -> f64 {
        normal[0].abs() * self.tolerance[0] + normal[1].abs() * self.tolerance[1]
    }

    /// Whether the obstacle is not wider than the tolerance on just one side of the path.
    #[inline]
    fn grazes(&self, obstacle: &Convex, direction: PlaneVector, movers: &[&Convex]) -> bool {
        let Some(along) = unit(direction) else { return false };
        let normal = left(along);
        let [one, other] = widths(obstacle, normal).map(|width| width + obstacle.radius);
        let width = |mover: &&Convex| {
            let [above, below] = widths(mover, normal);
            above + below + 2.0 * mover.radius
        };
        let width = movers.iter().map(width).fold(0.0, f64::max);
        let tolerance = self.tolerance_along(normal).min((one + other) * SHARE);
        let tolerance = tolerance.min(width * ALMOST_HALF);
        (one < tolerance) != (other < tolerance)
    }

    /// Whether the path leads further in than its start.
    fn leads_deeper(&self, obstacle: &Convex) -> bool {
        if self.end == [0.0, 0.0] {
            return false;
        }
        let start = Way { end: [0.0, 0.0], tolerance: [0.0, 0.0] };
        self.depth(obstacle) > start.depth(obstacle).max(0.0)
    }

    /// How far the path has to be shifted to be out of the obstacle, less the tolerance.
    fn depth(&self, obstacle: &Convex) -> f64 {
        let mut widths_along: Vec<(PlaneVector, f64)> = Vec::new();
        for [start, end] in sides(&obstacle.corners) {
            if let Some(along) = unit(minus(end, start)) {
                let normal = right(along);
                let behind = dot(normal, self.end).min(0.0);
                widths_along.push((normal, dot(normal, start) - behind));
            }
        }
        if let Some(along) = unit(self.end) {
            let normal = left(along);
            let [one, other] = widths(obstacle, normal);
            widths_along.extend([(normal, one), ([-normal[0], -normal[1]], other)]);
        }
        let overlap = widths_along.iter().map(|(_, width)| *width).fold(f64::INFINITY, f64::min);
        if overlap > 0.0 && overlap < f64::INFINITY {
            let depths =
                widths_along.iter().map(|(normal, width)| width - self.tolerance_along(*normal));
            return depths.fold(f64::INFINITY, f64::min) + obstacle.radius;
        }
        let apart = self.distance(&obstacle.corners);
        let tolerance = unit(apart).map_or(0.0, |normal| self.tolerance_along(normal));
        obstacle.radius - length(apart) - tolerance
    }

    /// The shortest vector from the path to a core that it does not cross.
    fn distance(&self, corners: &[PlaneVector]) -> PlaneVector {
        let origin = [0.0, 0.0];
        let mut ways: Vec<PlaneVector> = Vec::new();
        for corner in corners {
            let from =
                if self.end == origin { origin } else { nearest_on([origin, self.end], *corner) };
            ways.push(minus(*corner, from));
        }
        for side in sides(corners) {
            ways.extend([origin, self.end].map(|from| minus(nearest_on(side, from), from)));
        }
        // Of several least elements, `min_by` returns the first.
        let order = |a: &PlaneVector, b: &PlaneVector| length2(*a).total_cmp(&length2(*b));
        ways.into_iter().min_by(order).unwrap_or(origin)
    }
}
