//! `Copies`: shapes in a periodic box, and their copies across the seam.

use super::{
    Periodic, PeriodicPair,
    wrap::{Seam, Wrap, Wrapped, into_box, moved, reaches_beyond, shape_at},
};
use crate::{
    Columns, Error, Pair, Shapes,
    base::{HasPair, buffer::grow},
    filter::{Filtering, Predicate},
    geometry::ends,
    kernel::columns::{BoxColumns, CircleColumns, RoundedColumns},
    shape::{Kind, RoundedBox},
    simd::{Isa, dispatch_moves, map_each},
    store::{Layout, Rows},
};

/// One of each two opposite shifts.
const SHIFTS: [[i16; 2]; 4] = [[1, 0], [1, -1], [1, 1], [0, 1]];

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
    /// The shapes that may be near a copy.
    pub(super) upper: Vec<u32>,
    /// The lower and the upper end of all shapes along each axis, with a slack: what is beyond, is
    /// more than the distance away from all of them. Only of axis-aligned shapes.
    all: [[f64; 2]; 2],
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
        let all = 0..rows.len() as u32;
        self.rows.clear();
        match rows.live {
            None => self.rows.extend(all),
            Some(_) => self.rows.extend(all.filter(|row| rows.holds(*row as usize))),
        }
    }

    /// Whether any shape with the distance is longer than a period.
    ///
    /// # Errors
    /// As [`reaches_beyond`].
    pub(super) fn reach_beyond(
        &self,
        periodic: &Periodic,
        distance: f32,
        bounds: impl Fn(u32) -> RoundedBox,
    ) -> Result<bool, Error> {
        let mut beyond = false;
        for row in &self.rows {
            beyond |= reaches_beyond(periodic, distance, *row, bounds(*row))?;
        }
        Ok(beyond)
    }

    /// Writes axis-aligned shapes, wrapped, and their copies within a distance to the columns that
    /// shapes of `kind` have. Returns whether any shape with the distance is longer than a period.
    /// Then, and without a distance, there are no copies, and all columns are written.
    ///
    /// # Errors
    /// As [`reach_beyond`](Copies::reach_beyond).
    pub(super) fn copy_columns(
        &mut self,
        isa: Isa,
        periodic: &Periodic,
        distance: Option<f32>,
        kind: Kind,
        layout: Layout<'_>,
    ) -> Result<bool, Error> {
        let Self { rows, copies, columns, all, sources, .. } = self;
        let sides = !matches!(kind, Kind::Point | Kind::Circle);
        let radii = !matches!(kind, Kind::Point | Kind::Aabb);
        let used = [true, true, sides, sides, radii];
        for (column, used) in columns.iter_mut().zip(used) {
            let len = if used { rows.len() } else { 0 };
            column.truncate(len);
            grow(column, len);
        }
        let to = columns.each_mut().map(Vec::as_mut_slice);
        let reach = distance.unwrap_or(0.0);
        let wrap = Wrap { periodic, distance: reach, layout, rows, columns: to };
        let Wrapped { extent, beyond } = dispatch_moves(isa, wrap)?;
        copies.clear();
        if beyond || distance.is_none() {
            let [x, y, right, top, radius] = columns;
            if !sides {
                right.clone_from(x);
                top.clone_from(y);
            }
            radius.resize(rows.len(), 0.0);
            return Ok(beyond);
        }
        *all = with_slack(periodic, reach, extent);
        let seam = Seam {
            columns: [&*columns[0], &*columns[1], &*columns[4]],
            sign: 1.0,
            by: periods(periodic),
            limit: map_each(*all, |all| all[1]),
            near: sources,
        };
        seam.list(isa);
        for &at in &*sources {
            choose_copies(copies, periodic, *all, at, read(columns, kind).rounded_box(at as usize));
        }
        for copy in &*copies {
            let by = periodic.offset(copy.shift).map(f64::from);
            let RoundedBox { min_x, min_y, max_x, max_y, radius } =
                moved(read(columns, kind).rounded_box(copy.of as usize), by);
            let values = columns.iter_mut().zip([min_x, min_y, max_x, max_y, radius]);
            for ((column, value), _) in values.zip(used).filter(|(_, used)| *used) {
                column.push(value);
            }
        }
        Ok(false)
    }

    /// Lists the axis-aligned shapes that may be near a copy in `upper`.
    pub(super) fn list_upper(&mut self, isa: Isa, periodic: &Periodic) {
        let Self { rows, columns: [x, y, right, top, radius], upper, all, .. } = self;
        let [right, top] = if right.is_empty() { [x, y] } else { [right, top] };
        let period = periods(periodic);
        let seam = Seam {
            columns: [right, top, radius].map(|column| &column[..rows.len().min(column.len())]),
            sign: -1.0,
            by: [0.0; 2],
            limit: map_each([0, 1], |axis| -(all[axis][0] + period[axis])),
            near: upper,
        };
        seam.list(isa);
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
        copies.clear();
        if let Some(distance) = distance {
            let mut all = [[f64::INFINITY, f64::NEG_INFINITY]; 2];
            for at in 0..rows.len() {
                for (all, [low, high]) in all.iter_mut().zip(ends(bounds(shapes, at))) {
                    *all = [all[0].min(low), all[1].max(high)];
                }
            }
            let all = with_slack(periodic, distance, all);
            for at in 0..rows.len() {
                choose_copies(copies, periodic, all, at as u32, bounds(shapes, at));
            }
        }
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

    /// Whether positions are rows, because no row is vacant.
    pub(super) fn at_rows(&self) -> bool {
        self.rows.last().is_none_or(|last| *last as usize + 1 == self.rows.len())
    }

    /// The pair of two positions in the list of rows and copies, and its shift. The first is no
    /// copy.
    #[inline]
    pub(super) fn pair(&self, Pair { a, b }: Pair) -> PeriodicPair {
        let Self { rows, copies, .. } = self;
        let first = rows[a as usize];
        let (second, shift) = match rows.get(b as usize) {
            Some(row) => (*row, [0, 0]),
            None => {
                let copy = copies[b as usize - rows.len()];
                (rows[copy.of as usize], copy.shift)
            }
        };
        PeriodicPair::of(first, second, shift)
    }

    /// Writes the pairs of rows of `found` to the beginning of `to`, which is at least as long, and
    /// returns their number. It leaves out pairs of two copies.
    #[inline]
    pub(super) fn map_pairs<F: HasPair>(&self, found: &[F], to: &mut [PeriodicPair]) -> usize {
        let (rows, same) = (self.rows.len() as u32, self.at_rows());
        let mut len = 0;
        for (pair, to) in found.iter().map(HasPair::pair).filter(|pair| pair.a < rows).zip(to) {
            let plain = PeriodicPair { pair, shift: [0, 0] };
            *to = if same && pair.b < rows { plain } else { self.pair(pair) };
            len += 1;
        }
        len
    }

    /// The bytes of memory held.
    pub(super) fn bytes(&self) -> usize {
        let Self { rows, copies, columns, stores, upper, all: _, sources, by } = self;
        let stores = stores.as_deref().map_or(0, |stores| {
            size_of_val(stores) + stores.iter().map(Shapes::bytes).sum::<usize>()
        });
        let floats: usize = columns.iter().chain(by).map(Vec::capacity).sum();
        stores
            + floats * size_of::<f32>()
            + (rows.capacity() + upper.capacity() + sources.capacity()) * size_of::<u32>()
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

/// Appends a shape to columns.
pub(super) fn push(columns: &mut [Vec<f32>; 5], shape: RoundedBox) {
    let RoundedBox { min_x, min_y, max_x, max_y, radius } = shape;
    for (column, value) in columns.iter_mut().zip([min_x, min_y, max_x, max_y, radius]) {
        column.push(value);
    }
}

/// The columns of shapes of a kind.
fn read([a, b, c, d, e]: &[Vec<f32>; 5], kind: Kind) -> Layout<'_> {
    let core = BoxColumns { min_x: a, min_y: b, max_x: c, max_y: d };
    match kind {
        Kind::Point => Layout::Boxes(BoxColumns { max_x: a, max_y: b, ..core }),
        Kind::Circle => Layout::Circles(CircleColumns { x: a, y: b, radius: e }),
        Kind::Aabb => Layout::Boxes(core),
        _ => Layout::Rounded(RoundedColumns { core, radius: e }),
    }
}

/// The lower and the upper end of all shapes along each axis, with a slack: what is beyond, is more
/// than `distance` away from all of them.
fn with_slack(periodic: &Periodic, distance: f32, all: [[f64; 2]; 2]) -> [[f64; 2]; 2] {
    map_each([0, 1], |axis| {
        let (period, [low, high]) = (f64::from(periodic.period()[axis]), all[axis]);
        let size = low.abs() + high.abs() + period;
        let slack = f64::from(distance) + size * ROUNDING;
        [low - slack, high + slack]
    })
}

/// The period of each axis; infinite if it does not wrap.
fn periods(periodic: &Periodic) -> [f64; 2] {
    map_each([0, 1], |axis| match periodic.wrap[axis] {
        true => f64::from(periodic.period()[axis]),
        false => f64::INFINITY,
    })
}

/// Lists the copies of a wrapped shape that reach into the ends `all` of all shapes.
fn choose_copies(
    copies: &mut Vec<Copied>,
    periodic: &Periodic,
    all: [[f64; 2]; 2],
    at: u32,
    shape: RoundedBox,
) {
    let (shape, period) = (ends(shape), periodic.period().map(f64::from));
    for shift in SHIFTS {
        let near = |axis: usize| {
            let by = f64::from(shift[axis]) * period[axis];
            let moves = shift[axis] == 0 || periodic.wrap[axis];
            moves && shape[axis][0] + by <= all[axis][1] && all[axis][0] <= shape[axis][1] + by
        };
        if near(0) && near(1) {
            copies.push(Copied { of: at, shift });
        }
    }
}
