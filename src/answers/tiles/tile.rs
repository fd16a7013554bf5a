//! `Tile`: one part of the plane, and the pairs that it reports. `Reach`: where a shape with a
//! margin can touch other shapes.

use crate::{
    base::{F32_SLACK, HasPair},
    error::Error,
    narrowphase::check_margin,
    shape::RoundedBox,
    simd::map_each,
    store::Columns,
};

/// A part of the plane: an axis-aligned rectangle without its upper and right side. The outermost
/// tiles are unbounded, with sides at infinity.
///
/// Made by [`Tiles`](crate::tiles::Tiles). Any two tiles of it are disjoint, and all together are
/// the plane.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Tile {
    /// The left side, which belongs to the tile.
    pub min_x: f32,
    /// The lower side, which belongs to the tile.
    pub min_y: f32,
    /// The right side, which does not.
    pub max_x: f32,
    /// The upper side, which does not.
    pub max_y: f32,
}

impl Tile {
    /// The whole plane.
    pub const PLANE: Self = Self {
        min_x: f32::NEG_INFINITY,
        min_y: f32::NEG_INFINITY,
        max_x: f32::INFINITY,
        max_y: f32::INFINITY,
    };

    /// Whether a point is in the tile. Exact.
    pub fn contains(&self, [x, y]: [f32; 2]) -> bool {
        self.has([x.into(), y.into()])
    }

    /// Whether the tile owns a shape, given its [bounds](crate::Shapes::bounds): the centre of the
    /// bounds is in the tile. Exactly one tile owns a shape.
    pub fn owns(&self, bounds: RoundedBox) -> bool {
        self.has(center(bounds))
    }

    /// Whether a shape reaches into the tile, given its [bounds](crate::Shapes::bounds): it may be
    /// in a pair that this tile reports. `margin` is the margin of the contacts, else 0.
    ///
    /// True of the tile that owns the shape.
    pub fn reached_by(&self, bounds: RoundedBox, margin: f32) -> bool {
        self.meets(&Reach::new(bounds, margin))
    }

    /// Whether this tile reports a pair of two shapes, given their bounds: the lower corner of the
    /// intersection of the bounds, each larger by half of the margin, is in the tile.
    ///
    /// Exactly one tile reports a pair, the same tile in either order. Both shapes reach into it;
    /// it may own neither.
    pub fn reports(&self, [a, b]: [RoundedBox; 2], margin: f32) -> bool {
        self.has(Reach::new(a, margin).corner(&Reach::new(b, margin)))
    }

    /// Keeps the pairs that this tile reports, in their order, and removes the other pairs.
    ///
    /// `pairs` are pairs of rows of `shapes`, or contacts, found with the same margin. `shapes` are
    /// any shapes with the rows of the tile among them. O(rows + pairs) time; allocates one byte a
    /// row.
    ///
    /// # Errors
    /// [`Error::InvalidMargin`]; [`Error::NoSuchShape`] for the first pair of a row that does not
    /// exist or is vacant; [`Error::InvalidShape`] for an invalid row of rotated shapes. Then
    /// nothing is removed.
    pub fn retain<'a, T: HasPair>(
        &self,
        shapes: impl Into<Columns<'a>>,
        margin: f32,
        pairs: &mut Vec<T>,
    ) -> Result<(), Error> {
        check_margin(margin)?;
        let columns = shapes.into();
        let rows = pairs.iter().flat_map(|pair| [pair.pair().a, pair.pair().b]);
        if let Some(row) = rows.map(|row| row as usize).find(|row| !columns.holds(*row)) {
            return Err(Error::NoSuchShape { index: row, len: columns.len() });
        }
        self.retain_existing(columns, margin, pairs, &mut Vec::new())
    }

    /// [`retain`](Self::retain) for pairs whose rows exist.
    ///
    /// If neither shape reaches into another tile, the corner is in this tile, and that is so for
    /// most pairs. So all shapes are looked at once, in the order of memory, and the shapes of a
    /// pair only if one of them reaches out. The first look is at the boxes of the grid, which are
    /// at hand and hold the bounds.
    pub(super) fn retain_existing<T: HasPair>(
        &self,
        columns: Columns<'_>,
        margin: f32,
        pairs: &mut Vec<T>,
        reaches_out: &mut Vec<bool>,
    ) -> Result<(), Error> {
        reaches_out.clear();
        reaches_out.reserve(columns.len());
        for row in 0..columns.len() {
            let reach = Reach::new(columns.bounds(row)?, margin);
            reaches_out.push(!self.encloses(&reach));
        }
        pairs.retain(|pair| {
            let rows = [pair.pair().a as usize, pair.pair().b as usize];
            let [a, b] = map_each(rows, |row| reaches_out[row]);
            !(a | b) || {
                let bounds = columns
                    .smallest_box(rows[0])
                    .and_then(|a| Ok([a, columns.smallest_box(rows[1])?]));
                bounds.is_ok_and(|bounds| self.reports(bounds, margin))
            }
        });
        Ok(())
    }

    #[inline]
    pub(super) fn has(&self, [x, y]: [f64; 2]) -> bool {
        let [min, max] = self.corners();
        // Without a branch for each side, because branches of random points are not predictable.
        (min[0] <= x) & (x < max[0]) & (min[1] <= y) & (y < max[1])
    }

    #[inline]
    pub(super) fn meets(&self, reach: &Reach) -> bool {
        let [min, max] = self.corners();
        (0..2).all(|axis| min[axis] <= reach.max[axis] && reach.min[axis] < max[axis])
    }

    /// Whether a shape reaches into no other tile.
    #[inline]
    pub(super) fn encloses(&self, reach: &Reach) -> bool {
        self.has(reach.min) && self.has(reach.max)
    }

    fn corners(&self) -> [[f64; 2]; 2] {
        let Self { min_x, min_y, max_x, max_y } = *self;
        [[min_x.into(), min_y.into()], [max_x.into(), max_y.into()]]
    }
}

/// The bounding box of a shape, larger by half of a margin on each side.
///
/// Boxes of two shapes that are reported as a pair intersect. For if `gap <= radii + margin` holds
/// as computed in `f32`, then `a.max + out_a >= b.min - out_b` holds for the exact sums, because
/// the slack is larger than the roundings; and rounding to `f64` keeps the order of two numbers. An
/// exception are radii below 2^-126, whose sums are exact.
#[derive(Debug, Clone, Copy)]
pub(super) struct Reach {
    pub(super) min: [f64; 2],
    pub(super) max: [f64; 2],
}

impl Reach {
    #[inline]
    pub(super) fn new(shape: RoundedBox, margin: f32) -> Self {
        let RoundedBox { min_x, min_y, max_x, max_y, radius } = shape;
        let [min_x, min_y, max_x, max_y] = map_each([min_x, min_y, max_x, max_y], f64::from);
        let mut out = (f64::from(radius) + 0.5 * f64::from(margin)) * (1.0 + F32_SLACK);
        if margin > 0.0 {
            let size = (max_x - min_x) + (max_y - min_y);
            let place = min_x.abs().max(max_x.abs()) + min_y.abs().max(max_y.abs());
            out += size * F32_SLACK + place * (2.0 * f64::from(f32::EPSILON));
        }
        Self { min: [min_x - out, min_y - out], max: [max_x + out, max_y + out] }
    }

    /// The lower corner of the intersection with another box that intersects this box.
    #[inline]
    pub(super) fn corner(&self, other: &Self) -> [f64; 2] {
        [self.min[0].max(other.min[0]), self.min[1].max(other.min[1])]
    }
}

/// The point that decides which tile owns a shape: the centre of its core. It is in the reach, with
/// any margin, because rounding keeps the order of two numbers.
#[inline]
pub(super) fn center(shape: RoundedBox) -> [f64; 2] {
    let RoundedBox { min_x, min_y, max_x, max_y, .. } = shape;
    let middle = |min, max| (f64::from(min) + f64::from(max)) * 0.5;
    [middle(min_x, max_x), middle(min_y, max_y)]
}
