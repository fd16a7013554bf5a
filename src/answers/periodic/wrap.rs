//! Axis-aligned shapes, moved into a periodic box, a block at a time.

use super::Periodic;
use crate::{
    base::{F32_SLACK, WORD_ROWS, buffer::grow},
    error::Error,
    geometry::ends,
    kernel::{CircleColumns, RoundedColumns},
    shape::{MAX_COORDINATE, RoundedBox},
    simd::{Isa, Kernel, MAX_LANES, Simd, dispatch_moves, map_each},
    store::Layout,
};

/// The values of a block of shapes: the sides of the cores, and the radii.
type Values = [[f32; WORD_ROWS]; 5];

/// The longest side of a shape and the furthest move along an axis that wraps: with them, all
/// images that are near a shape are in the range of coordinates.
pub(super) const MAX_MOVE: f64 = MAX_COORDINATE as f64 / 2.0;

/// Writes shapes, wrapped, to columns.
///
/// # Errors
/// [`Error::TooManyImages`] for the first row that is too long to be moved.
pub(super) struct Wrap<'a> {
    pub(super) periodic: &'a Periodic,
    pub(super) distance: f32,
    /// The shapes by row, and the rows to write. They ascend.
    pub(super) layout: Layout<'a>,
    pub(super) rows: &'a [u32],
    /// Columns of the sides and the radii. They are empty, or as long as the list of rows.
    pub(super) columns: [&'a mut [f32]; 5],
    /// By how many periods each row moves: see [`Copies`](super::copies::Copies).
    pub(super) wraps: &'a mut Vec<[f64; 2]>,
}

/// The ends and the form of all shapes after they are wrapped.
pub(super) struct Wrapped {
    /// The ends of all shapes along x and along y: the lowest and the highest, but for roundings to
    /// `f32`.
    pub(super) extent: [[f64; 2]; 2],
    /// Whether any shape with the distance is longer than a period.
    pub(super) beyond: bool,
}

impl Kernel for Wrap<'_> {
    type Output = Result<Wrapped, Error>;

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> Self::Output {
        let Self { periodic, distance, layout, rows, mut columns, wraps } = self;
        let all = rows.last().is_some_and(|last| *last as usize + 1 == rows.len());
        let inside = Inside::of(simd, periodic, distance);
        let (least, most) = (f64::NEG_INFINITY, f64::INFINITY);
        let mut wrapped = Wrapped { extent: [[most, least]; 2], beyond: false };
        let [mut lowest, mut highest] =
            map_each([f32::INFINITY, f32::NEG_INFINITY], |value| [simd.splat(value); 2]);
        let mut values: Values = [[0.0; WORD_ROWS]; 5];
        for (block, rows) in rows.chunks(WORD_ROWS).enumerate() {
            let (at, len) = (block * WORD_ROWS, rows.len());
            let whole = if all && len == WORD_ROWS { read(layout, at) } else { None };
            let read = match whole {
                Some(columns) => columns,
                None => {
                    // Behind the last row, the last row again.
                    for place in 0..WORD_ROWS {
                        let row = rows[place.min(len - 1)];
                        set(&mut values, place, layout.rounded_box(row as usize));
                    }
                    values.each_ref()
                }
            };
            if inside.all(simd, read, [&mut lowest, &mut highest]) {
                for (column, values) in columns.iter_mut().zip(read) {
                    if !column.is_empty() {
                        column[at..at + len].copy_from_slice(&values[..len]);
                    }
                }
                continue;
            }
            for (place, row) in rows.iter().enumerate() {
                let shape = layout.rounded_box(*row as usize);
                wrapped.beyond |= reaches_beyond(periodic, distance, *row, shape)?;
                let by = into_box(periodic, shape);
                count_periods(wraps, periodic, *row, by);
                let shape = moved(shape, by);
                for (all, [low, high]) in wrapped.extent.iter_mut().zip(ends(shape)) {
                    *all = [all[0].min(low), all[1].max(high)];
                }
                let RoundedBox { min_x, min_y, max_x, max_y, radius } = shape;
                for (column, value) in columns.iter_mut().zip([min_x, min_y, max_x, max_y, radius])
                {
                    if !column.is_empty() {
                        column[at + place] = value;
                    }
                }
            }
        }
        for (axis, [low, high]) in wrapped.extent.iter_mut().enumerate() {
            let mut lanes = [[0.0; MAX_LANES]; 2];
            simd.store(lowest[axis], &mut lanes[0], 0);
            simd.store(highest[axis], &mut lanes[1], 0);
            for lane in 0..S::LANES {
                let [least, most] = map_each(lanes, |lanes| f64::from(lanes[lane]));
                (*low, *high) = (low.min(least), high.max(most));
            }
        }
        Ok(wrapped)
    }
}

/// A test of whether shapes stay where they are.
struct Inside<S: Simd> {
    /// For each axis: the lower side of the box, twice this side, twice the upper side, and the
    /// longest length.
    limits: [[S::F32; 4]; 2],
    distance: S::F32,
}

impl<S: Simd> Inside<S> {
    #[inline(always)]
    fn of(simd: S, periodic: &Periodic, distance: f32) -> Self {
        let limits = map_each([0, 1], |axis| {
            let (min, max) = (periodic.min[axis], periodic.max[axis]);
            // Less than the period, for roundings of the length.
            let length = periodic.period()[axis] * (1.0 - F32_SLACK as f32);
            let limits = match periodic.wrap[axis] {
                true => [min, 2.0 * min, 2.0 * max, length],
                false => [f32::NEG_INFINITY, f32::NEG_INFINITY, f32::INFINITY, f32::INFINITY],
            };
            map_each(limits, |limit| simd.splat(limit))
        });
        Self { limits, distance: simd.splat(distance) }
    }

    /// Whether all shapes of a block have their centre in the box and are, with the distance, not
    /// longer than a period. May be false if it is close. If it is true, adds the lowest and the
    /// highest ends.
    #[inline(always)]
    fn all(
        &self,
        simd: S,
        read: [&[f32; WORD_ROWS]; 5],
        [lowest, highest]: [&mut [S::F32; 2]; 2],
    ) -> bool {
        let (mut all, before) = (u32::MAX, (*lowest, *highest));
        for at in (0..WORD_ROWS).step_by(S::LANES) {
            let radius = simd.load(read[4], at);
            let more = simd.add(simd.add(radius, radius), self.distance);
            for axis in 0..2 {
                let [min, twice_min, twice_max, longest] = self.limits[axis];
                let [low, high] = map_each([axis, axis + 2], |column| simd.load(read[column], at));
                // The centre is decided in `f64`. A sum beyond a limit is beyond it also before it
                // is rounded.
                let sum = simd.add(low, high);
                let not_below = simd.and(simd.le(min, low), simd.le(min, high));
                let not_below = simd.or(not_below, simd.lt(twice_min, sum));
                let short = simd.le(simd.add(simd.sub(high, low), more), longest);
                let stays = simd.and(simd.and(not_below, simd.lt(sum, twice_max)), short);
                all &= simd.bits(stays) | !first_bits(S::LANES);
                lowest[axis] = simd.min(lowest[axis], simd.sub(low, radius));
                highest[axis] = simd.max(highest[axis], simd.add(high, radius));
            }
        }
        if all != u32::MAX {
            (*lowest, *highest) = before;
        }
        all == u32::MAX
    }
}

/// The bits of the first `count` lanes.
#[inline(always)]
fn first_bits(count: usize) -> u32 {
    (1 << count) - 1
}

/// A block of rows. `None` if the layout has no columns of all values.
#[inline(always)]
fn read<'a>(layout: Layout<'a>, at: usize) -> Option<[&'a [f32; WORD_ROWS]; 5]> {
    const ZEROS: &[f32; WORD_ROWS] = &[0.0; WORD_ROWS];
    let block = |column: &'a [f32]| column[at..].first_chunk();
    let [a, b, c, d] = match layout {
        Layout::Circles(CircleColumns { x, y, .. }) => [x, y, x, y],
        Layout::Boxes(core) | Layout::Rounded(RoundedColumns { core, .. }) => {
            [core.min_x, core.min_y, core.max_x, core.max_y]
        }
        Layout::Centered(_) => return None,
    };
    let radius = match layout {
        Layout::Circles(CircleColumns { radius, .. })
        | Layout::Rounded(RoundedColumns { radius, .. }) => block(radius)?,
        _ => ZEROS,
    };
    Some([block(a)?, block(b)?, block(c)?, block(d)?, radius])
}

/// Replaces a shape.
#[inline(always)]
fn set(values: &mut Values, place: usize, shape: RoundedBox) {
    let RoundedBox { min_x, min_y, max_x, max_y, radius } = shape;
    for (column, value) in values.iter_mut().zip([min_x, min_y, max_x, max_y, radius]) {
        column[place] = value;
    }
}

/// The shape in a row of columns.
#[inline(always)]
pub(super) fn shape_at(columns: &[impl AsRef<[f32]>; 5], at: usize) -> RoundedBox {
    let [min_x, min_y, max_x, max_y, radius] =
        map_each(columns.each_ref(), |column| column.as_ref()[at]);
    RoundedBox { min_x, min_y, max_x, max_y, radius }
}

/// Whether a shape with the distance is longer than a period, so that images beyond the copies
/// across the seam may be near.
///
/// # Errors
/// [`Error::TooManyImages`] for a shape that is too long to be moved.
pub(super) fn reaches_beyond(
    periodic: &Periodic,
    distance: f32,
    row: u32,
    bounds: RoundedBox,
) -> Result<bool, Error> {
    let mut beyond = false;
    for (axis, [low, high]) in ends(bounds).into_iter().enumerate() {
        let (length, period) = (high - low + f64::from(distance), periodic.period()[axis]);
        beyond |= periodic.wrap[axis] && length > f64::from(period);
        if periodic.wrap[axis] && high - low > MAX_MOVE {
            let (index, length) = (row as usize, length as f32);
            return Err(Error::TooManyImages { index, length, period });
        }
    }
    Ok(beyond)
}

/// The vector that wraps a shape into the box.
pub(super) fn into_box(periodic: &Periodic, shape: RoundedBox) -> [f64; 2] {
    let RoundedBox { min_x, min_y, max_x, max_y, .. } = shape;
    let middle = |min: f32, max: f32| (f64::from(min) + f64::from(max)) * 0.5;
    let center = [middle(min_x, max_x), middle(min_y, max_y)];
    map_each([0, 1], |axis| periodic.wrapped(axis, center[axis]) - center[axis])
}

/// Counts by how many periods the vector moves a row into the box.
pub(super) fn count_periods(
    wraps: &mut Vec<[f64; 2]>,
    periodic: &Periodic,
    row: u32,
    by: [f64; 2],
) {
    if by != [0.0; 2] {
        let (row, period) = (row as usize, periodic.period());
        wraps.resize(wraps.len().max(row + 1), [0.0; 2]);
        let count = |axis: usize| (by[axis] / f64::from(period[axis])).round();
        wraps[row] = map_each([0, 1], |axis| if periodic.wrap[axis] { count(axis) } else { 0.0 });
    }
}

/// A side moved by a length.
pub(super) fn plus(at: f32, by: f64) -> f32 {
    (f64::from(at) + by) as f32
}

/// The shape moved by a vector.
pub(super) fn moved(shape: RoundedBox, [x, y]: [f64; 2]) -> RoundedBox {
    let RoundedBox { min_x, min_y, max_x, max_y, radius } = shape;
    RoundedBox {
        min_x: plus(min_x, x),
        min_y: plus(min_y, y),
        max_x: plus(max_x, x),
        max_y: plus(max_y, y),
        radius,
    }
}

/// Lists the positions of shapes that have their lower side at most at a limit along x or along y.
pub(super) struct Seam<'a> {
    /// The sides of the cores along x and along y, and the radii, if there are any.
    pub(super) columns: [&'a [f32]; 3],
    /// Whether directions are opposite: the sides are upper sides, and the limits are negated upper
    /// limits.
    pub(super) upper: bool,
    pub(super) limits: [f64; 2],
    pub(super) near: &'a mut Vec<u32>,
}

impl Seam<'_> {
    /// Replaces the list.
    pub(super) fn list(self, isa: Isa) {
        dispatch_moves(isa, self);
    }
}

impl Kernel for Seam<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let Self { columns, upper, limits, near } = self;
        let sign = simd.splat(if upper { -1.0 } else { 1.0 });
        // A side at the limit is not above it once side and limit are rounded.
        let limits = map_each(limits, |limit| simd.splat((limit as f32).next_up()));
        let len = columns[0].len();
        grow(near, len + S::LANES);
        let mut listed = 0;
        for at in (0..len).step_by(S::LANES) {
            let lanes = (len - at).min(S::LANES);
            let [x, y, radius] = map_each(columns, |column| match column.get(at..at + S::LANES) {
                Some(lanes) => simd.load(lanes, 0),
                None => {
                    let (mut padded, rest) = ([0.0; MAX_LANES], column.get(at..).unwrap_or(&[]));
                    padded[..rest.len()].copy_from_slice(rest);
                    simd.load(&padded, 0)
                }
            });
            let [x, y] = map_each([(x, limits[0]), (y, limits[1])], |(side, limit)| {
                simd.le(simd.sub(simd.mul(sign, side), radius), limit)
            });
            let mut places = [at as u32; MAX_LANES];
            for (lane, place) in (0..).zip(&mut places) {
                *place += lane;
            }
            let found = simd.bits(simd.or(x, y)) & first_bits(lanes);
            listed += simd.emit_ids(near, listed, &places, 0, found);
        }
        near.truncate(listed);
    }
}
