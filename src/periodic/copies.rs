//! `Copies`: shapes in a periodic box, and their copies across the seam.

use super::{Periodic, PeriodicPair};
use crate::{
    Columns, Error, Pair, Shapes,
    filter::{Filtering, Predicate},
    geometry::ends,
    shape::RoundedBox,
    simd::map_each,
    store::Rows,
};

/// One of each two opposite shifts.
const SHIFTS: [[i16; 2]; 4] = [[1, 0], [1, -1], [1, 1], [0, 1]];

/// The longest side of a shape and the furthest move along an axis that wraps: with them, all
/// images that are near a shape are in the range of coordinates.
pub(super) const FURTHEST: f64 = (1_u64 << 59) as f64;

/// The largest share of the sizes that is lost by rounding, with a wide margin.
pub(super) const ROUNDING: f64 = 1.0 / (1 << 20) as f64;

/// The workspace of copies.
#[derive(Debug, Default)]
pub(super) struct Copies {
    /// The row of each wrapped shape.
    pub(super) rows: Vec<u32>,
    pub(super) copies: Vec<Copied>,
    /// The columns of axis-aligned shapes and their copies.
    pub(super) columns: [Vec<f32>; 5],
    /// For rotated shapes: the shapes with their copies, and the copies. Made when first needed,
    /// because an empty store has memory.
    pub(super) stores: Option<Box<[Shapes; 2]>>,
    /// The shapes to copy, and the vectors by which shapes move.
    sources: Vec<u32>,
    by: [Vec<f32>; 2],
}

/// A copy of a shape.
#[derive(Debug, Clone, Copy)]
pub(super) struct Copied {
    /// The position of the shape in the list of rows.
    pub(super) of: u32,
    pub(super) shift: [i16; 2],
}

impl Copies {
    /// Lists the rows that hold shapes.
    pub(super) fn list_rows(&mut self, rows: &Rows<'_>) {
        self.rows.clear();
        self.rows.extend((0..rows.len() as u32).filter(|row| rows.holds(*row as usize)));
    }

    /// Whether any shape with the distance is longer than a period, so that others than the copies
    /// across the seam may be near.
    ///
    /// # Errors
    /// [`Error::TooManyImages`] for a shape that is too long to be moved.
    pub(super) fn reach_beyond(
        &self,
        periodic: &Periodic,
        distance: f32,
        bounds: impl Fn(u32) -> RoundedBox,
    ) -> Result<bool, Error> {
        let mut beyond = false;
        for &row in &self.rows {
            for (axis, [low, high]) in ends(bounds(row)).into_iter().enumerate() {
                let (length, period) = (high - low + f64::from(distance), periodic.period()[axis]);
                beyond |= periodic.wrap[axis] && length > f64::from(period);
                if periodic.wrap[axis] && high - low > FURTHEST {
                    let (index, length) = (row as usize, length as f32);
                    return Err(Error::TooManyImages { index, length, period });
                }
            }
        }
        Ok(beyond)
    }

    /// Writes axis-aligned shapes, wrapped, and their copies within a distance to `columns`. There
    /// are no copies without a distance.
    pub(super) fn copy_columns(
        &mut self,
        periodic: &Periodic,
        distance: Option<f32>,
        bounds: impl Fn(u32) -> RoundedBox,
    ) {
        let Self { rows, copies, columns, .. } = self;
        for column in &mut *columns {
            column.clear();
        }
        let wrapped = |row: u32| {
            let shape = bounds(row);
            moved(shape, into_box(periodic, shape))
        };
        for &row in &*rows {
            push(columns, wrapped(row));
        }
        choose_copies(copies, periodic, distance, rows.len(), |at| shape_at(columns, at));
        for copy in &*copies {
            let by = periodic.offset(copy.shift).map(f64::from);
            let shape = shape_at(columns, copy.of as usize);
            push(columns, moved(shape, by));
        }
    }

    /// Copies shapes of any kind to the first store, wrapped, and appends their copies within a
    /// distance. There are no copies without a distance.
    pub(super) fn copy_shapes(
        &mut self,
        periodic: &Periodic,
        distance: Option<f32>,
        columns: Columns<'_>,
    ) -> Result<(), Error> {
        let Self { rows, copies, stores, sources, by: [x, y], .. } = self;
        let [shapes, copied] = &mut **stores.get_or_insert_default();
        let bounds = |shapes: &Shapes, at: usize| shapes.grid_box(at as u32).unwrap_or_default();
        shapes.clear();
        shapes.extend_from_rows(columns, rows)?;
        x.clear();
        y.clear();
        for at in 0..rows.len() {
            let by = into_box(periodic, bounds(shapes, at));
            x.push(by[0] as f32);
            y.push(by[1] as f32);
        }
        shapes.translate(x, y).map_err(|error| error.in_row(|at| rows[at] as usize))?;
        choose_copies(copies, periodic, distance, rows.len(), |at| bounds(shapes, at));
        copy_moved(shapes, rows, copies, periodic, copied, (sources, &mut self.by))?;
        shapes.append_columns(&copied.columns())
    }

    /// The store of wrapped shapes, if any shape is rotated or has parts.
    pub(super) fn store(&self, rotates: bool) -> Option<&Shapes> {
        self.stores.as_deref().filter(|_| rotates).map(|[shapes, _]| shapes)
    }

    /// A wrapped shape, or the box around it if any shape is rotated or has parts.
    pub(super) fn shape(&self, rotates: bool, at: usize) -> RoundedBox {
        match self.store(rotates) {
            Some(shapes) => shapes.grid_box(at as u32).unwrap_or_default(),
            None => shape_at(&self.columns, at),
        }
    }

    /// The rows, and then the row of each copy.
    pub(super) fn rows_of_all(&self) -> impl Iterator<Item = u32> + Clone {
        let Self { rows, copies, .. } = self;
        rows.iter().copied().chain(copies.iter().map(|copy| rows[copy.of as usize]))
    }

    /// The predicate of the caller for rows and copies of rows.
    pub(super) fn accept(&self, filtering: Filtering<'_>) -> impl Fn(u32, u32) -> bool + Sync {
        let Self { rows, copies, .. } = self;
        let row = move |at: u32| match rows.get(at as usize) {
            Some(row) => *row,
            None => rows[copies[at as usize - rows.len()].of as usize],
        };
        move |a, b| {
            let (a, b) = (row(a), row(b));
            filtering.predicate.is_none_or(|Predicate(accept)| accept(a.min(b), a.max(b)))
        }
    }

    /// The pair of two positions in the list of rows and copies, and its shift. `None` for two
    /// copies.
    pub(super) fn pair(&self, Pair { a, b }: Pair) -> Option<PeriodicPair> {
        let Self { rows, copies, .. } = self;
        let first = *rows.get(a as usize)?;
        let (second, shift) = match rows.get(b as usize) {
            Some(row) => (*row, [0, 0]),
            None => {
                let copy = copies[b as usize - rows.len()];
                (rows[copy.of as usize], copy.shift)
            }
        };
        Some(PeriodicPair::of(first, second, shift))
    }

    /// The bytes of memory held.
    pub(super) fn bytes(&self) -> usize {
        let Self { rows, copies, columns, stores, sources, by } = self;
        let stores = stores.as_deref().map_or(0, |stores| {
            size_of_val(stores) + stores.iter().map(Shapes::bytes).sum::<usize>()
        });
        let floats: usize = columns.iter().chain(by).map(Vec::capacity).sum();
        stores
            + floats * size_of::<f32>()
            + (rows.capacity() + sources.capacity()) * size_of::<u32>()
            + copies.capacity() * size_of::<Copied>()
    }
}

/// Replaces `copied` by copies of shapes, each moved by its shift. `rows` are the rows of the
/// caller, for errors.
pub(super) fn copy_moved(
    shapes: &Shapes,
    rows: &[u32],
    copies: &[Copied],
    periodic: &Periodic,
    copied: &mut Shapes,
    (sources, [x, y]): (&mut Vec<u32>, &mut [Vec<f32>; 2]),
) -> Result<(), Error> {
    sources.clear();
    sources.extend(copies.iter().map(|copy| copy.of));
    copied.clear();
    copied.extend_from_rows(shapes.columns(), sources)?;
    x.clear();
    y.clear();
    for copy in copies {
        let by = periodic.offset(copy.shift);
        x.push(by[0]);
        y.push(by[1]);
    }
    let row = |at: usize| rows[sources[at] as usize] as usize;
    copied.translate(x, y).map_err(|error| error.in_row(row))
}

/// The vector that wraps a shape into the box.
fn into_box(periodic: &Periodic, shape: RoundedBox) -> [f64; 2] {
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

/// Appends a shape to columns.
pub(super) fn push(columns: &mut [Vec<f32>; 5], shape: RoundedBox) {
    let RoundedBox { min_x, min_y, max_x, max_y, radius } = shape;
    for (column, value) in columns.iter_mut().zip([min_x, min_y, max_x, max_y, radius]) {
        column.push(value);
    }
}

/// The shape in a row of columns.
pub(super) fn shape_at(
    [min_x, min_y, max_x, max_y, radius]: &[Vec<f32>; 5],
    at: usize,
) -> RoundedBox {
    RoundedBox {
        min_x: min_x[at],
        min_y: min_y[at],
        max_x: max_x[at],
        max_y: max_y[at],
        radius: radius[at],
    }
}

/// Lists the copies of `len` wrapped shapes that may be at most `distance` away from one of them.
fn choose_copies(
    copies: &mut Vec<Copied>,
    periodic: &Periodic,
    distance: Option<f32>,
    len: usize,
    shape: impl Fn(usize) -> RoundedBox,
) {
    copies.clear();
    let Some(distance) = distance else { return };
    let period = periodic.period().map(f64::from);
    let mut all = [[f64::INFINITY, f64::NEG_INFINITY]; 2];
    for at in 0..len {
        for (all, [low, high]) in all.iter_mut().zip(ends(shape(at))) {
            *all = [all[0].min(low), all[1].max(high)];
        }
    }
    for (all, period) in all.iter_mut().zip(period) {
        let size = all[0].abs() + all[1].abs() + period;
        let slack = f64::from(distance) + size * ROUNDING;
        *all = [all[0] - slack, all[1] + slack];
    }
    for at in 0..len {
        let shape = ends(shape(at));
        for shift in SHIFTS {
            let near = |axis: usize| {
                let by = f64::from(shift[axis]) * period[axis];
                let moves = shift[axis] == 0 || periodic.wrap[axis];
                moves && shape[axis][0] + by <= all[axis][1] && all[axis][0] <= shape[axis][1] + by
            };
            if near(0) && near(1) {
                copies.push(Copied { of: at as u32, shift });
            }
        }
    }
}
