//! Pairs and neighbours in a periodic box.
//!
//! In plain words:
//!
//! ```text
//! wrap all shapes into the box
//! copy each shape by each shift of SHIFTS, if the copy may touch a shape in the box
//! find the pairs of shapes and copies; drop pairs of two copies
//! ```
//!
//! Two shapes that touch across the seam touch by a shift and, seen from the other shape, by the
//! opposite one. `SHIFTS` has one of each two opposite shifts, so each such pair is found once.

use super::near::Near;
use super::{
    Detector,
    deciding::Deciding,
    detection::{List, Output, Sets},
    detector::sort,
};
use crate::{
    Adjacency, Columns, Error, Lists, Order, Pair, Periodic, PeriodicNeighbor, PeriodicPair,
    Shapes,
    filter::{Filtering, Predicate},
    geometry::box_distance,
    narrowphase::check_margin,
    options::uses_pool,
    shape::{Kind, RoundedBox},
    simd::map_each,
};

/// One of each two opposite shifts.
const SHIFTS: [[i16; 2]; 4] = [[1, 0], [1, -1], [1, 1], [0, 1]];

/// The largest share of the sizes that is lost by rounding, with a wide margin.
const ROUNDING: f64 = 1.0 / (1 << 20) as f64;

/// The workspace of calls with a periodic box.
#[derive(Debug, Default)]
pub(super) struct PeriodicScratch {
    /// The row of each wrapped shape.
    rows: Vec<u32>,
    copies: Vec<Copied>,
    /// The columns of axis-aligned shapes and their copies.
    columns: [Vec<f32>; 5],
    deciding: Deciding,
    /// For rotated shapes: the shapes with their copies, and the copies. Made when first needed,
    /// because an empty store has memory.
    stores: Option<Box<[Shapes; 2]>>,
    /// The shapes to copy, and the vectors by which shapes move.
    sources: Vec<u32>,
    by: [Vec<f32>; 2],
    /// Pairs of positions: shapes in the order of `rows`, then copies.
    pairs: Vec<Pair>,
    near: Vec<Near>,
    found: Vec<Found>,
}

/// A copy of a shape.
#[derive(Debug, Clone, Copy)]
struct Copied {
    /// The position of the shape in the list of rows.
    of: u32,
    shift: [i16; 2],
}

/// A pair with its distance.
#[derive(Debug, Clone, Copy)]
struct Found {
    pair: PeriodicPair,
    distance: f32,
}

impl Detector {
    /// Replaces the content of `pairs` by all pairs of shapes that touch in a periodic box: within
    /// the box, and across its seam. Each has the shift of shape `b`, in periods.
    ///
    /// Shapes outside of the box are wrapped first: see [`Periodic`]. Shapes touch across the seam
    /// if one touches a copy of the other that is moved by a period: in positive direction along x,
    /// or else along y. Copies are moved in `f32`. So far from the origin, shapes that only just
    /// touch across the seam may be apart by a rounding.
    ///
    /// With [`Order::Sorted`], the order is by `a`, `b` and the shift. Else it is the order of the
    /// grid.
    ///
    /// Costs what [`pairs`](Detector::pairs) costs for the shapes and the copies near the seam, and
    /// a copy of all shapes: for rotated shapes and compounds, a copy of the store.
    ///
    /// # Errors
    /// The errors of [`pairs`](Detector::pairs); the limit also counts pairs of two copies.
    /// [`Error::InvalidPeriod`]; [`Error::LongerThanPeriod`] for the first shape whose bounding box
    /// is longer than the period along an axis that wraps. `pairs` is then empty.
    ///
    /// ```
    /// use widephase::{Columns, Detector, Pair, Periodic, PeriodicPair};
    ///
    /// // The circles touch across the left and right sides.
    /// let circles = Columns::circles(&[0.5, 9.5], &[3.0; 2], &[0.5; 2])?;
    /// let torus = Periodic::new([0.0, 0.0], [10.0, 10.0]);
    /// let mut pairs = Vec::new();
    /// Detector::new().pairs_periodic(circles, &torus, &mut pairs)?;
    /// // Moved left by 10, circle 1 touches circle 0.
    /// assert_eq!(pairs, [PeriodicPair { pair: Pair { a: 0, b: 1 }, shift: [-1, 0] }]);
    /// # Ok::<(), widephase::Error>(())
    /// ```
    pub fn pairs_periodic<'a>(
        &mut self,
        shapes: impl Into<Columns<'a>>,
        periodic: &Periodic,
        pairs: &mut Vec<PeriodicPair>,
    ) -> Result<(), Error> {
        pairs.clear();
        let columns = shapes.into();
        let mut scratch = std::mem::take(&mut self.periodic);
        let result = self.find_periodic(columns, 0.0, periodic, &mut scratch, false);
        if result.is_ok() {
            pairs.extend(scratch.found.iter().map(|found| found.pair));
        }
        self.periodic = scratch;
        if self.options.order == Order::Sorted {
            let threads = uses_pool(self.options.threads, pairs.len());
            let world = |row: u32| columns.worlds.map_or(0, |worlds| worlds[row as usize]);
            sort(pairs, threads, |found| (world(found.pair.a), *found));
        }
        self.end_finish();
        result
    }

    /// Replaces the content of `lists` by the neighbours of each row in a periodic box, with their
    /// distances and shifts: what [`neighbor_distances`](Detector::neighbor_distances) lists, also
    /// across the seam.
    ///
    /// A neighbour of a row, moved by its shift, is at most `distance` away from it. A shape is its
    /// own neighbour if its image is that near. With [`Adjacency::Full`], it is then in its list
    /// with both shifts; with [`Adjacency::Half`], once.
    ///
    /// With [`Order::Sorted`], lists are sorted by row and shift. Wrapping, copies and costs are
    /// those of [`pairs_periodic`](Detector::pairs_periodic).
    ///
    /// # Errors
    /// The errors of [`neighbors`](Detector::neighbors); the limit also counts pairs of two copies.
    /// [`Error::InvalidPeriod`]; [`Error::LongerThanPeriod`] for the first shape whose bounding box
    /// and `distance` together are longer than the period along an axis that wraps. `lists` is then
    /// empty.
    ///
    /// ```
    /// use widephase::{Adjacency, Columns, Detector, Lists, Periodic, PeriodicNeighbor};
    ///
    /// // Two particles, in opposite corners.
    /// let points = Columns::points(&[0.0, 7.0], &[0.0, 6.0])?;
    /// let torus = Periodic::new([0.0, 0.0], [10.0, 10.0]);
    /// let mut near = Lists::new();
    /// Detector::new().neighbors_periodic(points, 5.0, Adjacency::Full, &torus, &mut near)?;
    /// assert_eq!(near.get(0), [PeriodicNeighbor { row: 1, distance: 5.0, shift: [-1, -1] }]);
    /// assert_eq!(near.get(1), [PeriodicNeighbor { row: 0, distance: 5.0, shift: [1, 1] }]);
    /// # Ok::<(), widephase::Error>(())
    /// ```
    pub fn neighbors_periodic<'a>(
        &mut self,
        shapes: impl Into<Columns<'a>>,
        distance: f32,
        adjacency: Adjacency,
        periodic: &Periodic,
        lists: &mut Lists<PeriodicNeighbor>,
    ) -> Result<(), Error> {
        lists.clear();
        let columns = shapes.into();
        let mut scratch = std::mem::take(&mut self.periodic);
        let result = self.find_periodic(columns, distance, periodic, &mut scratch, true);
        let listed = result.and_then(|()| {
            let items = |found: &Found| {
                let (Pair { a, b }, [x, y]) = (found.pair.pair, found.pair.shift);
                let item = |row, shift| PeriodicNeighbor { row, distance: found.distance, shift };
                [(a, item(b, [x, y])), (b, item(a, [-x, -y]))]
            };
            match adjacency {
                Adjacency::Full => lists.group(columns.len(), &scratch.found, items),
                Adjacency::Half => lists.group(columns.len(), &scratch.found, |f| [items(f)[0]]),
            }
        });
        self.periodic = scratch;
        if self.options.order == Order::Sorted {
            for list in lists.iter_mut() {
                list.sort_unstable_by_key(|item| (item.row, item.shift));
            }
        }
        self.end_finish();
        listed
    }

    /// Replaces `scratch.found` by all pairs, and their distances if `distances`.
    fn find_periodic(
        &mut self,
        columns: Columns<'_>,
        distance: f32,
        periodic: &Periodic,
        scratch: &mut PeriodicScratch,
        distances: bool,
    ) -> Result<(), Error> {
        scratch.found.clear();
        self.begin();
        periodic.check()?;
        check_margin(distance)?;
        let isa = self.options.isa()?;
        let rows = columns.rows(isa, &mut self.turned)?;
        rows.check_on(isa, false)?;
        let bounds = |row: u32| rows.layout.rounded_box(row as usize);
        scratch.rows.clear();
        scratch.rows.extend((0..rows.len() as u32).filter(|row| rows.holds(*row as usize)));
        scratch.fits(periodic, distance, bounds)?;
        let filtering = columns.filtering;
        if columns.rotates() {
            scratch.copy_shapes(periodic, distance, columns)?;
            let PeriodicScratch { rows, copies, stores, deciding, near, .. } = scratch;
            let [shapes, _] = &**stores.get_or_insert_default();
            let accept = accept_copies(filtering, rows, copies);
            deciding.fill(columns, sources(rows, copies));
            let shapes = deciding.give(columns, shapes.columns(), &accept)?;
            let list = Output::List(List::Near(near));
            self.detect(shapes, distance, Sets::One(Some(list)))?;
        } else {
            let kind = rows.kind;
            scratch.copy_columns(periodic, distance, bounds);
            let PeriodicScratch { rows, copies, columns: copied, deciding, pairs, near, .. } =
                scratch;
            let [a, b, c, d, e] = copied;
            let copied = match kind {
                Kind::Point => Columns::points(a, b),
                Kind::Circle => Columns::circles(a, b, e),
                _ => Columns::rounded_boxes(a, b, c, d, e),
            }?;
            let accept = accept_copies(filtering, rows, copies);
            deciding.fill(columns, sources(rows, copies));
            let columns = deciding.give(columns, copied, &accept)?;
            self.detect(columns, distance, Sets::One(Some(Output::List(List::Pairs(pairs)))))?;
            let layout = columns.rows_again(&self.turned).layout;
            let shape = |at: u32| layout.rounded_box(at as usize);
            near.clear();
            near.extend(pairs.iter().map(|&pair| {
                let apart = |Pair { a, b }| box_distance(shape(a), shape(b));
                Near { pair, distance: if distances { apart(pair) } else { 0.0 } }
            }));
        }
        scratch.take();
        Ok(())
    }
}

/// The rows, and then the row of each copy.
fn sources<'a>(rows: &'a [u32], copies: &'a [Copied]) -> impl Iterator<Item = u32> + Clone + 'a {
    rows.iter().copied().chain(copies.iter().map(|copy| rows[copy.of as usize]))
}

/// The predicate of the caller for rows and copies of rows.
fn accept_copies<'a>(
    filtering: Filtering<'a>,
    rows: &'a [u32],
    copies: &'a [Copied],
) -> impl Fn(u32, u32) -> bool + Sync + 'a {
    let row = move |at: u32| match rows.get(at as usize) {
        Some(row) => *row,
        None => rows[copies[at as usize - rows.len()].of as usize],
    };
    move |a, b| {
        let (a, b) = (row(a), row(b));
        filtering.predicate.is_none_or(|Predicate(accept)| accept(a.min(b), a.max(b)))
    }
}

/// The box around a shape, radius included, as its lower and upper ends along x and along y.
pub(super) fn reach(shape: RoundedBox) -> [[f64; 2]; 2] {
    let RoundedBox { min_x, min_y, max_x, max_y, radius } = shape;
    let ends = |min: f32, max: f32| {
        [f64::from(min) - f64::from(radius), f64::from(max) + f64::from(radius)]
    };
    [ends(min_x, max_x), ends(min_y, max_y)]
}

/// The vector that wraps a shape into the box.
fn into_box(periodic: &Periodic, shape: RoundedBox) -> [f64; 2] {
    let RoundedBox { min_x, min_y, max_x, max_y, .. } = shape;
    let middle = |min: f32, max: f32| (f64::from(min) + f64::from(max)) * 0.5;
    let center = [middle(min_x, max_x), middle(min_y, max_y)];
    map_each([0, 1], |axis| periodic.wrapped(axis, center[axis]) - center[axis])
}

/// The shape moved by a vector.
fn moved(shape: RoundedBox, [x, y]: [f64; 2]) -> RoundedBox {
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

impl PeriodicScratch {
    /// Checks that no shape with the distance is longer than a period.
    fn fits(
        &self,
        periodic: &Periodic,
        distance: f32,
        bounds: impl Fn(u32) -> RoundedBox,
    ) -> Result<(), Error> {
        for &row in &self.rows {
            for (axis, [low, high]) in reach(bounds(row)).into_iter().enumerate() {
                let (length, period) = (high - low + f64::from(distance), periodic.period()[axis]);
                if periodic.wrap[axis] && length > f64::from(period) {
                    let (index, length) = (row as usize, length as f32);
                    return Err(Error::LongerThanPeriod { index, length, period });
                }
            }
        }
        Ok(())
    }

    /// Writes axis-aligned shapes, wrapped, and their copies to `columns`.
    fn copy_columns(
        &mut self,
        periodic: &Periodic,
        distance: f32,
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

    /// Copies shapes of any kind to `shapes`, wrapped, and appends their copies.
    fn copy_shapes(
        &mut self,
        periodic: &Periodic,
        distance: f32,
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
        let of_row = |error: Error, row: &dyn Fn(usize) -> u32| match error {
            Error::InvalidShape { index, field, value, fault } => {
                Error::InvalidShape { index: row(index) as usize, field, value, fault }
            }
            other => other,
        };
        shapes.translate(x, y).map_err(|error| of_row(error, &|at| rows[at]))?;
        choose_copies(copies, periodic, distance, rows.len(), |at| bounds(shapes, at));
        sources.clear();
        sources.extend(copies.iter().map(|copy| copy.of));
        copied.clear();
        copied.extend_from_rows(shapes.columns(), sources)?;
        x.clear();
        y.clear();
        for copy in &*copies {
            let by = periodic.offset(copy.shift);
            x.push(by[0]);
            y.push(by[1]);
        }
        let row = |at: usize| rows[sources[at] as usize];
        copied.translate(x, y).map_err(|error| of_row(error, &row))?;
        shapes.append_columns(&copied.columns())
    }

    /// Replaces `found` by the pairs of rows, without pairs of two copies.
    fn take(&mut self) {
        let Self { rows, copies, near, found, .. } = self;
        found.clear();
        found.extend(near.iter().filter_map(|&Near { pair: Pair { a, b }, distance }| {
            let first = *rows.get(a as usize)?;
            let (second, shift) = match rows.get(b as usize) {
                Some(row) => (*row, [0, 0]),
                None => {
                    let copy = copies[b as usize - rows.len()];
                    (rows[copy.of as usize], copy.shift)
                }
            };
            let [x, y] = shift;
            let pair = if first <= second {
                PeriodicPair { pair: Pair { a: first, b: second }, shift }
            } else {
                PeriodicPair { pair: Pair { a: second, b: first }, shift: [-x, -y] }
            };
            Some(Found { pair, distance })
        }));
    }

    /// The bytes of memory held.
    pub(super) fn bytes(&self) -> usize {
        let Self { rows, copies, columns, deciding, stores, sources, by, pairs, near, found } =
            self;
        let stores = stores.as_deref().map_or(0, |stores| {
            size_of_val(stores) + stores.iter().map(Shapes::bytes).sum::<usize>()
        });
        let floats: usize = columns.iter().chain(by).map(Vec::capacity).sum();
        stores
            + floats * size_of::<f32>()
            + (rows.capacity() + sources.capacity()) * size_of::<u32>()
            + copies.capacity() * size_of::<Copied>()
            + deciding.bytes()
            + pairs.capacity() * size_of::<Pair>()
            + near.capacity() * size_of::<Near>()
            + found.capacity() * size_of::<Found>()
    }
}

/// Appends a shape to columns.
fn push(columns: &mut [Vec<f32>; 5], shape: RoundedBox) {
    let RoundedBox { min_x, min_y, max_x, max_y, radius } = shape;
    for (column, value) in columns.iter_mut().zip([min_x, min_y, max_x, max_y, radius]) {
        column.push(value);
    }
}

/// The shape in a row of columns.
fn shape_at([min_x, min_y, max_x, max_y, radius]: &[Vec<f32>; 5], at: usize) -> RoundedBox {
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
    distance: f32,
    len: usize,
    shape: impl Fn(usize) -> RoundedBox,
) {
    copies.clear();
    let period = periodic.period().map(f64::from);
    let mut all = [[f64::INFINITY, f64::NEG_INFINITY]; 2];
    for at in 0..len {
        for (all, [low, high]) in all.iter_mut().zip(reach(shape(at))) {
            *all = [all[0].min(low), all[1].max(high)];
        }
    }
    for (all, period) in all.iter_mut().zip(period) {
        let size = all[0].abs() + all[1].abs() + period;
        let slack = f64::from(distance) + size * ROUNDING;
        *all = [all[0] - slack, all[1] + slack];
    }
    for at in 0..len {
        let shape = reach(shape(at));
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
