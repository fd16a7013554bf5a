//! Axis-aligned shapes, moved into a periodic box, a block at a time.

use super::Periodic;
use crate::{
    Error,
    geometry::ends,
    kernel::columns::{BoxColumns, CircleColumns, RoundedColumns},
    shape::RoundedBox,
    simd::{Isa, Kernel, Simd, dispatch_moves, map_each},
    store::Layout,
};

/// The most shapes in a block.
const BLOCK: usize = 64;

/// The values of a block of shapes: the sides of the cores, and the radii.
type Values = [[f32; BLOCK]; 5];

/// The longest side of a shape and the furthest move along an axis that wraps: with them, all
/// images that are near a shape are in the range of coordinates.
pub(super) const FURTHEST: f64 = (1_u64 << 59) as f64;

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
}

/// What is known about all shapes after they are wrapped.
pub(super) struct Wrapped {
    /// The ends of all shapes along x and along y: the lowest and the highest.
    pub(super) extent: [[f64; 2]; 2],
    /// Whether any shape with the distance is longer than a period.
    pub(super) beyond: bool,
}

impl Kernel for Wrap<'_> {
    type Output = Result<Wrapped, Error>;

    #[inline(always)]
    fn run<S: Simd>(self, _: S) -> Self::Output {
        let Self { periodic, distance, layout, rows, mut columns } = self;
        let all = rows.last().is_some_and(|last| *last as usize + 1 == rows.len());
        let (least, most) = (f64::NEG_INFINITY, f64::INFINITY);
        let limits = map_each([0, 1], |axis| match periodic.wrap[axis] {
            true => map_each(
                [periodic.min[axis], periodic.max[axis], periodic.period()[axis]],
                f64::from,
            ),
            false => [least, most, most],
        });
        let mut wrapped = Wrapped { extent: [[most, least]; 2], beyond: false };
        let mut values: Values = [[0.0; BLOCK]; 5];
        for (block, rows) in rows.chunks(BLOCK).enumerate() {
            let (at, len) = (block * BLOCK, rows.len());
            if !(all && copy(layout, at, len, &mut values)) {
                for (place, row) in rows.iter().enumerate() {
                    set(&mut values, place, layout.rounded_box(*row as usize));
                }
            }
            let (mut moves, mut wider) = (false, false);
            for axis in 0..2 {
                let ([min, max, period], [lowest, highest]) = (limits[axis], wrapped.extent[axis]);
                let [sides, others, radii] =
                    [&values[axis][..len], &values[axis + 2][..len], &values[4][..len]];
                for place in 0..len {
                    let [side, other, radius] =
                        map_each([sides[place], others[place], radii[place]], f64::from);
                    let (low, high, center) = (side - radius, other + radius, (side + other) * 0.5);
                    let stays = (high - low + f64::from(distance) <= period)
                        & (min <= center)
                        & (center < max);
                    moves |= !stays;
                    wider |= (low < lowest) | (highest < high);
                }
            }
            if moves {
                for (place, row) in rows.iter().enumerate() {
                    let shape = shape_at(&values, place);
                    wrapped.beyond |= reaches_beyond(periodic, distance, *row, shape)?;
                    set(&mut values, place, moved(shape, into_box(periodic, shape)));
                }
            }
            if moves || wider {
                for place in 0..len {
                    let sides = ends(shape_at(&values, place));
                    for (all, [low, high]) in wrapped.extent.iter_mut().zip(sides) {
                        *all = [all[0].min(low), all[1].max(high)];
                    }
                }
            }
            for (column, values) in columns.iter_mut().zip(&values) {
                if !column.is_empty() {
                    column[at..at + len].copy_from_slice(&values[..len]);
                }
            }
        }
        Ok(wrapped)
    }
}

/// Copies a range of rows. Returns false if the layout has no columns of all values.
#[inline(always)]
fn copy(layout: Layout<'_>, at: usize, len: usize, values: &mut Values) -> bool {
    let (core, radius) = match layout {
        Layout::Circles(CircleColumns { x, y, radius }) => ([x, y, x, y], Some(radius)),
        Layout::Boxes(BoxColumns { min_x, min_y, max_x, max_y }) => {
            ([min_x, min_y, max_x, max_y], None)
        }
        Layout::Rounded(RoundedColumns { core, radius }) => {
            ([core.min_x, core.min_y, core.max_x, core.max_y], Some(radius))
        }
        Layout::Centered(_) => return false,
    };
    let [sides @ .., radii] = values;
    for (values, column) in sides.iter_mut().zip(core) {
        values[..len].copy_from_slice(&column[at..at + len]);
    }
    if let Some(radius) = radius {
        radii[..len].copy_from_slice(&radius[at..at + len]);
    }
    true
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
    let [min_x, min_y, max_x, max_y, radius] = columns.each_ref().map(|column| column.as_ref()[at]);
    RoundedBox { min_x, min_y, max_x, max_y, radius }
}

/// Whether a shape with the distance is longer than a period, so that others than the copies across
/// the seam may be near.
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
        if periodic.wrap[axis] && high - low > FURTHEST {
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

/// The shape moved by a vector.
pub(super) fn moved(shape: RoundedBox, [x, y]: [f64; 2]) -> RoundedBox {
    let plus = |at: f32, by: f64| (f64::from(at) + by) as f32;
    let RoundedBox { min_x, min_y, max_x, max_y, radius } = shape;
    RoundedBox {
        min_x: plus(min_x, x),
        min_y: plus(min_y, y),
        max_x: plus(max_x, x),
        max_y: plus(max_y, y),
        radius,
    }
}

/// Lists the positions of shapes with a side, moved by a vector, below a limit along an axis. With a
/// sign of -1, all directions are opposite: the sides are upper ones, and below is above.
pub(super) struct Seam<'a> {
    /// The sides of the cores along x and along y, and the radii, if there are any.
    pub(super) columns: [&'a [f32]; 3],
    pub(super) sign: f64,
    pub(super) by: [f64; 2],
    pub(super) limit: [f64; 2],
    pub(super) near: &'a mut Vec<u32>,
}

impl Seam<'_> {
    /// Replaces the list.
    pub(super) fn list(self, isa: Isa) {
        self.near.clear();
        dispatch_moves(isa, self);
    }
}

impl Kernel for Seam<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, _: S) {
        let Self { columns: [x, y, radii], sign, by, limit, near } = self;
        let mut radius = [0.0; BLOCK];
        for at in (0..x.len()).step_by(BLOCK) {
            let len = (x.len() - at).min(BLOCK);
            let (x, y) = (&x[at..at + len], &y[at..at + len]);
            if !radii.is_empty() {
                radius[..len].copy_from_slice(&radii[at..at + len]);
            }
            let mut reaches = [false; BLOCK];
            let (radius, reach) = (&radius[..len], &mut reaches[..len]);
            for place in 0..len {
                let [x, y, radius] = map_each([x[place], y[place], radius[place]], f64::from);
                reach[place] = (sign * x - radius + by[0] <= limit[0])
                    | (sign * y - radius + by[1] <= limit[1]);
            }
            for (first, eight) in (at..).step_by(8).zip(reaches.as_chunks::<8>().0) {
                if *eight != [false; 8] {
                    let found = (first..).zip(eight).filter(|(_, reaches)| **reaches);
                    near.extend(found.map(|(at, _)| at as u32));
                }
            }
        }
    }
}
