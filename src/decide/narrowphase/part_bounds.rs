//! `PartBounds`: the shape or path from which boxes of parts are measured, in `f64`.
//!
//! In plain words: how far a box is away at least, or where a path enters it at the latest that is
//! certain. All boxes grow by a share of the coordinates that is a thousand times the roundings of
//! the decisions about shapes: docs/numerics.md, "Trees of parts", has the margins.

use crate::{
    base::{F32_SLACK, gap},
    geometry::{Core, Vector, Vertices},
    posed::PartBlock,
    shape::{MAX_COORDINATE, RoundedBox, compound::RUN},
    simd::map_each,
};

/// By how much boxes grow, as a share of all coordinates and radii.
const PART_SLACK: f64 = 1.0 / (1_u64 << 38) as f64;

/// The smallest `f32` above 0. A fraction raised by a small share and by this is at least the next
/// `f32`, without the cost of `next_up`.
pub(crate) const SMALLEST_F32: f64 = f64::from_bits((1023 - 149) << 52);

/// The limit that ends a search: no bound is at most this.
pub(crate) const NO_FURTHER: f64 = -1.0;

/// The box around a shape, in `f64`, and a radius around it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct NearBox {
    min: Vector,
    max: Vector,
    radius: f64,
    slack: f64,
}

impl NearBox {
    /// Around all coordinates.
    pub(crate) const EVERYWHERE: Self = Self {
        min: Vector { x: -4.0 * MAX_COORDINATE as f64, y: -4.0 * MAX_COORDINATE as f64 },
        max: Vector { x: 4.0 * MAX_COORDINATE as f64, y: 4.0 * MAX_COORDINATE as f64 },
        radius: 0.0,
        slack: PART_SLACK,
    };

    /// The box around corners. Without any it is everywhere: around a half-plane.
    pub(crate) fn of_corners(corners: impl Iterator<Item = Vector>, radius: f64) -> Self {
        let Self { min: least, max: most, .. } = Self::EVERYWHERE;
        let [min, max] = corners.fold([most, least], |[min, max], corner| {
            let min = Vector::new(min.x.min(corner.x), min.y.min(corner.y));
            [min, Vector::new(max.x.max(corner.x), max.y.max(corner.y))]
        });
        if min.x > max.x { Self::EVERYWHERE } else { Self { min, max, radius, slack: PART_SLACK } }
    }

    /// The box around a core with a radius.
    pub(crate) fn of_core(core: &Core<'_>, radius: f64) -> Self {
        Self::of_corners(core.corners().map(|[x, y]| Vector::new(x, y)), radius)
    }

    /// The bounding box of a shape.
    pub(crate) fn of_box(bounds: RoundedBox) -> Self {
        let RoundedBox { min_x, min_y, max_x, max_y, radius } = bounds;
        let ends = [Vector::wide([min_x, min_y]), Vector::wide([max_x, max_y])];
        Self::of_corners(ends.into_iter(), f64::from(radius))
    }

    /// Whether it may be at most this far from the box around a side.
    pub(crate) fn is_within(&self, ends: [[f32; 2]; 2], limit: f64) -> bool {
        let Self { min, max, radius, slack } = *self;
        let [start, end] = map_each(ends, Vector::wide);
        let gap = |min: f64, max: f64, start: f64, end: f64| {
            (start.min(end) - max).max(min - start.max(end)).max(0.0)
        };
        let gap_x = gap(min.x, max.x, start.x, end.x);
        let gap_y = gap(min.y, max.y, start.y, end.y);
        let size = start.x.abs() + start.y.abs() + end.x.abs() + end.y.abs() + radius;
        let size = size + min.x.abs() + min.y.abs() + max.x.abs() + max.y.abs();
        let within = limit * (1.0 + slack) + radius + size * slack;
        gap_x * gap_x + gap_y * gap_y <= within * within
    }

    /// The same box with a radius that is larger.
    pub(crate) fn grown(self, by: f64) -> Self {
        Self { radius: self.radius + by, ..self }
    }

    /// Whether it meets the box of a part.
    pub(crate) fn meets(&self, part: RoundedBox) -> bool {
        let RoundedBox { min_x, min_y, max_x, max_y, radius } = part;
        let [min, max] = map_each([[min_x, min_y], [max_x, max_y]], Vector::wide);
        let size = min.x.abs() + min.y.abs() + max.x.abs() + max.y.abs() + f64::from(radius);
        let out = f64::from(radius) + self.radius + size * self.slack;
        let apart = (min.x - self.max.x).max(self.min.x - max.x);
        apart <= out && (min.y - self.max.y).max(self.min.y - max.y) <= out
    }

    /// The same box with boxes that grow by this share of the coordinates.
    pub(crate) fn with_slack(self, slack: f64) -> Self {
        Self { slack, ..self }
    }

    /// The same box, while it moves along a way times 0 to `limit`, with this distance around it.
    #[cfg(feature = "queries")]
    pub(crate) fn along(self, way: Vector, limit: f64, gap: f64) -> PartBounds {
        let (center, half) = ((self.min + self.max) * 0.5, (self.max - self.min) * 0.5);
        // In no direction, places are before the start or beyond each limit: the product of the
        // largest number and any other one but 0 is.
        let inverse = |way: f64| if way == 0.0 { f64::MAX } else { 1.0 / way };
        PartBounds::Path(BoxOnPath {
            center,
            half,
            radius: self.radius + gap,
            inverse: Vector::new(inverse(way.x), inverse(way.y)),
            limit: limit * (1.0 + PART_SLACK),
            slack: self.slack,
        })
    }

    /// Lower bounds of the distances from the boxes of a block.
    fn distances(&self, block: &PartBlock<'_>, bounds: &mut [f32; RUN]) {
        let Self { min, max, radius: own, slack } = *self;
        let [min_x, min_y, max_x, max_y, radius] = block.columns;
        let far = min.x.abs() + min.y.abs() + max.x.abs() + max.y.abs() + own;
        for lane in 0..RUN {
            let [left, lower, right, upper, radius] =
                map_each([min_x, min_y, max_x, max_y, radius], |column| f64::from(column[lane]));
            let gap_x = gap([min.x, max.x], [left, right]);
            let gap_y = gap([min.y, max.y], [lower, upper]);
            let size = left.abs() + lower.abs() + right.abs() + upper.abs() + radius + far;
            let distance = (gap_x * gap_x + gap_y * gap_y).sqrt() - radius - own - size * slack;
            // A bound times this, less the smallest `f32`, is below the bound once it is rounded
            // to `f32`.
            bounds[lane] = (distance * (1.0 - F32_SLACK) - SMALLEST_F32).max(0.0) as f32;
        }
    }
}

/// A box that moves along a path.
#[cfg(feature = "queries")]
#[derive(Debug, Clone, Copy)]
pub(crate) struct BoxOnPath {
    center: Vector,
    half: Vector,
    radius: f64,
    /// The inverse of the direction, by axis.
    inverse: Vector,
    limit: f64,
    slack: f64,
}

#[cfg(feature = "queries")]
impl BoxOnPath {
    /// Lower bounds of the fractions at which it meets the boxes of a block; infinite if it does
    /// not.
    fn entries(&self, block: &PartBlock<'_>, bounds: &mut [f32; RUN]) {
        let Self { center, half, radius: own, inverse, limit, slack } = *self;
        let [min_x, min_y, max_x, max_y, radius] = block.columns;
        let far = center.x.abs() + center.y.abs() + half.x + half.y + own;
        for lane in 0..RUN {
            let [left, lower, right, upper, radius] =
                map_each([min_x, min_y, max_x, max_y, radius], |column| f64::from(column[lane]));
            let size = left.abs() + lower.abs() + right.abs() + upper.abs() + radius + far;
            let out = radius + own + size * slack;
            let (wide, high) = (half.x + out, half.y + out);
            let x = [(left - wide - center.x) * inverse.x, (right + wide - center.x) * inverse.x];
            let y = [(lower - high - center.y) * inverse.y, (upper + high - center.y) * inverse.y];
            let enter = x[0].min(x[1]).max(y[0].min(y[1])).max(0.0);
            let leave = x[0].max(x[1]).min(y[0].max(y[1])).min(limit);
            let bound = (enter * (1.0 - F32_SLACK) - SMALLEST_F32).max(0.0) as f32;
            bounds[lane] = if enter <= leave * (1.0 + PART_SLACK) { bound } else { f32::INFINITY };
        }
    }
}

/// Lower bounds for parts.
pub(crate) enum PartBounds {
    /// Bounds of their distances from a shape.
    Distance(NearBox),
    /// Bounds of the fractions at which a shape meets them.
    #[cfg(feature = "queries")]
    Path(BoxOnPath),
}

impl PartBounds {
    /// Replaces the bounds by bounds for a block.
    pub(crate) fn of(&self, block: PartBlock<'_>, bounds: &mut [f32; RUN]) {
        match self {
            Self::Distance(near) => near.distances(&block, bounds),
            #[cfg(feature = "queries")]
            Self::Path(path) => path.entries(&block, bounds),
        }
    }

    /// The boxes of a block whose bounds are at most the limit, one bit each.
    pub(crate) fn within(&self, block: PartBlock<'_>, limit: f32) -> u32 {
        let mut bounds = [0.0; RUN];
        self.of(block, &mut bounds);
        let near = bounds.iter().map(|bound| u32::from(*bound <= limit));
        near.rev().fold(0, |bits, near| bits << 1 | near)
    }
}

#[cfg(all(test, feature = "queries"))]
mod tests {
    use super::*;
    use crate::geometry::{Path, Solid, distance};

    struct Random(u64);

    impl Random {
        fn next(&mut self, end: u64) -> u64 {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (self.0 >> 33) % end
        }

        /// A number of this size, often a whole multiple of it, or 0.
        fn number(&mut self, size: f32) -> f32 {
            match self.next(4) {
                0 => 0.0,
                1 => (self.next(9) as f32 - 4.0) * size,
                _ => (self.next(1 << 24) as f32 / (1 << 22) as f32 - 2.0) * size,
            }
        }

        fn rounded(&mut self, size: f32) -> RoundedBox {
            let ([x, y], [wide, high]) = (
                [self.number(size), self.number(size)],
                [self.number(size).abs(), self.number(size).abs()],
            );
            let radius = self.number(size).abs() * self.next(2) as f32;
            RoundedBox { min_x: x, min_y: y, max_x: x + wide, max_y: y + high, radius }
        }
    }

    /// The bounds of a block that has a box sixteen times.
    fn bound(bounds: &PartBounds, part: RoundedBox) -> f32 {
        let RoundedBox { min_x, min_y, max_x, max_y, radius } = part;
        let columns = map_each([min_x, min_y, max_x, max_y, radius], |side| [side; RUN]);
        let mut all = [f32::NAN; RUN];
        bounds.of(PartBlock { columns: columns.each_ref(), len: RUN }, &mut all);
        assert!(all.iter().all(|bound| bound.to_bits() == all[0].to_bits()));
        all[0]
    }

    #[test]
    fn bounds_are_not_above_what_shapes_decide() {
        let (mut random, mut met, mut apart) = (Random(5), 0, 0);
        for case in 0..200_000 {
            let powers = [-140, -100, -60, -20, 0, 0, 0, 10, 30, 57];
            let power = powers[random.next(10) as usize];
            let size = 2_f32.powi(power);
            let other = if case % 3 == 0 { size } else { 2_f32.powi((power + 12).min(57)) };
            let (part, own) = (random.rounded(size), random.rounded(other));
            let (from, way) = (
                Vector::wide([random.number(other), random.number(size)]),
                Vector::wide([random.number(size), random.number(other)]),
            );
            let path = Path::new(from, way, [0.5, 1.0, 8.0, 1.0e6][random.next(4) as usize]);
            Solid::with_box(&part, |solid| {
                let along = NearBox::of_corners(std::iter::once(from), 0.0);
                let bounds = along.along(way, path.limit, 0.0);
                if let Some(entry) = path.enter(&solid) {
                    assert!(f64::from(bound(&bounds, part)) <= entry.fraction, "{part:?} {path:?}");
                    met += 1;
                }
                Solid::with_box(&own, |own| {
                    let bounds = PartBounds::Distance(NearBox::of(&own));
                    let (bound, distance) =
                        (f64::from(bound(&bounds, part)), distance(&own, &solid));
                    assert!(bound <= distance, "{part:?} {own:?} {bound} {distance}");
                    apart += usize::from(bound > 0.0);
                });
            });
        }
        assert!(met > 10_000 && apart > 10_000, "{met} {apart}");
    }

    #[test]
    fn a_bound_is_near_what_it_bounds() {
        let part = RoundedBox { min_x: 3.0, min_y: -1.0, max_x: 5.0, max_y: 1.0, radius: 1.0 };
        let at = |x: f64| NearBox::of_corners(std::iter::once(Vector::new(x, 0.0)), 0.5);
        let distance = bound(&PartBounds::Distance(at(0.0)), part);
        assert!((1.499..=1.5).contains(&distance), "{distance}");
        let fraction = |x: f64, way: f64, limit: f64| {
            bound(&at(x).along(Vector::new(way, 0.0), limit, 0.25), part)
        };
        assert!((0.624..=0.625).contains(&fraction(0.0, 2.0, 1.0)));
        assert_eq!(fraction(0.0, 2.0, 0.6), f32::INFINITY);
        assert_eq!(fraction(0.0, -2.0, 9.0), f32::INFINITY);
        assert_eq!((fraction(4.0, 0.0, 0.0), fraction(0.0, 0.0, 9.0)), (0.0, f32::INFINITY));
        let everywhere = PartBounds::Distance(NearBox::EVERYWHERE);
        assert_eq!(bound(&everywhere, part), 0.0);
        assert_eq!(bound(&NearBox::EVERYWHERE.along(Vector::X, 1.0, 0.0), part), 0.0);
    }
}
