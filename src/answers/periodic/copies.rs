//! `Copies`: shapes in a periodic box, and their copies across the seam. `Reaches`: how far
//! they reach towards its upper sides.

use std::ops::RangeInclusive;

use super::{
    Periodic, PeriodicPair,
    wrap::{Seam, Wrap, Wrapped, count_periods, into_box, plus, reaches_beyond, shape_at},
};
use crate::{
    base::{F32_SLACK, Pair, SAMPLED_ROWS, buffer::grow, held},
    error::Error,
    filter::{Filtering, Predicate},
    geometry::ends,
    shape::{Kind, RoundedBox},
    simd::{Isa, Kernel, Simd, dispatch_moves, map_each},
    store::{Columns, Layout, Rows, Shapes},
};

/// One shift of each two opposite shifts.
const SHIFTS: [[i16; 2]; 4] = [[1, 0], [1, -1], [1, 1], [0, 1]];

/// If more than one shape in this many is near the lower ends, a call measures how far shapes
/// reach.
const SHAPES_PER_REACHING: usize = 16;

/// The workspace of copies.
#[derive(Debug, Default)]
pub(super) struct Copies {
    /// The row of each wrapped shape.
    pub(super) rows: Vec<u32>,
    /// By how many periods each row was moved into the box. Ends behind the last row that was.
    wraps: Vec<[f64; 2]>,
    pub(super) copies: Vec<Copied>,
    /// The columns of axis-aligned shapes and their copies.
    pub(super) columns: [Vec<f32>; 5],
    /// For rotated shapes: the shapes with their copies, and the copies. Made when first needed,
    /// because an empty store has memory.
    pub(super) stores: Option<Box<[Shapes; 2]>>,
    /// The shapes that may be near a copy.
    pub(super) upper: Vec<u32>,
    /// For axis-aligned shapes, the lowest and the highest end along each axis, and a slack. Two
    /// shapes further apart than the slack along an axis are further apart than the distance.
    all: [[f64; 2]; 2],
    slack: [f64; 2],
    reaches: Reaches,
    /// The shapes to copy, and the vectors by which shapes move.
    sources: Vec<u32>,
    by: [Vec<f32>; 2],
}

held!(Copies { rows, wraps, copies, columns, stores, upper, all, slack, reaches, sources, by });

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
        self.wraps.clear();
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
        let Self { rows, wraps, copies, columns, .. } = self;
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
        let wrap = Wrap { periodic, distance: reach, layout, rows, columns: to, wraps };
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
        self.slack = slack(periodic, reach, extent);
        self.all = extent;
        self.append_copies(isa, periodic);
        Ok(false)
    }

    /// Appends the copies of axis-aligned shapes to the columns.
    fn append_copies(&mut self, isa: Isa, periodic: &Periodic) {
        let Self { rows, columns, all, slack, sources, .. } = self;
        let (period, sides) = (periods(periodic), ShapeSides::of(columns));
        let limits = map_each([0, 1], |axis| all[axis][1] + slack[axis] - period[axis]);
        let ([x, y], radius) = (sides.low, sides.radius);
        Seam { columns: [x, y, radius], upper: false, limits, near: sources }.list(isa);
        let many = sources.len() * SHAPES_PER_REACHING > rows.len();
        if many {
            // The upper sides, and about the size of a shape.
            let usual = sides.usual(rows.len());
            let usual = map_each([0, 1], |axis| f64::from(periodic.max[axis]) + usual[axis]);
            self.list_upper(isa, usual);
            let Self { columns, upper, all, slack, reaches, .. } = self;
            let sides = ShapeSides::of(columns);
            reaches.begin(*all, *slack, usual);
            for &at in &*upper {
                let ends = sides.ends(at as usize);
                for axis in 0..2 {
                    if usual[axis] < ends[axis][1] {
                        reaches.add(axis, ends);
                    }
                }
            }
        }
        let Self { copies, columns, all, slack, sources, reaches, .. } = self;
        let sides = ShapeSides::of(columns);
        let (all, reaches) = (widened(*all, *slack), many.then_some(&*reaches));
        for &at in &*sources {
            choose_copies(copies, period, all, reaches, at, sides.ends(at as usize));
        }
        for (index, column) in columns.iter_mut().enumerate().filter(|(_, all)| !all.is_empty()) {
            column.reserve(copies.len());
            for copy in &*copies {
                let side = column[copy.of as usize];
                let by = periodic.offset(copy.shift)[index % 2];
                column.push(if index < 4 { plus(side, by.into()) } else { side });
            }
        }
    }

    /// Lists the axis-aligned shapes that may be near a copy in `upper`.
    pub(super) fn list_beside(&mut self, isa: Isa, periodic: &Periodic) {
        let (all, slack, period) = (self.all, self.slack, periods(periodic));
        self.list_upper(isa, map_each([0, 1], |axis| all[axis][0] + period[axis] - slack[axis]));
    }

    /// Lists the axis-aligned shapes with an upper end at least as high as a limit.
    fn list_upper(&mut self, isa: Isa, limits: [f64; 2]) {
        let Self { rows, columns, upper, .. } = self;
        let sides = ShapeSides::of(columns);
        let [x, y] = sides.high;
        let columns =
            map_each([x, y, sides.radius], |column| &column[..rows.len().min(column.len())]);
        let limits = map_each(limits, |limit| -limit);
        Seam { columns, upper: true, limits, near: upper }.list(isa);
    }

    /// Copies shapes of any kind to the first store, wrapped, and appends their copies within a
    /// distance. There are no copies without a distance.
    pub(super) fn copy_shapes(
        &mut self,
        periodic: &Periodic,
        distance: Option<f32>,
        columns: Columns<'_>,
    ) -> Result<(), Error> {
        let Self { rows, wraps, copies, stores, sources, by: [x, y], .. } = self;
        let [shapes, copied] = &mut **stores.get_or_insert_default();
        let bounds = |shapes: &Shapes, at: usize| shapes.grid_box(at as u32).unwrap_or_default();
        shapes.clear();
        shapes.extend_from_rows(columns, rows)?;
        x.clear();
        y.clear();
        for (at, row) in rows.iter().enumerate() {
            let by = into_box(periodic, bounds(shapes, at));
            count_periods(wraps, periodic, *row, by);
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
            let all = widened(all, slack(periodic, distance, all));
            for at in 0..rows.len() {
                let shape = ends(bounds(shapes, at));
                choose_copies(copies, periods(periodic), all, None, at as u32, shape);
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
            filtering.predicate.is_none_or(|Predicate { accept, .. }| accept(a.min(b), a.max(b)))
        }
    }

    /// Whether positions are rows, because no row is vacant.
    pub(super) fn at_rows(&self) -> bool {
        self.rows.last().is_none_or(|last| *last as usize + 1 == self.rows.len())
    }

    /// Turns the shifts of the second of two rows, in the box, to shifts of the shapes as they were
    /// given. They keep their order: those of the same rows change by the same periods.
    ///
    /// # Errors
    /// [`Error::TooManyPeriods`].
    pub(super) fn shift_as_given<'a>(
        &self,
        shifts: impl Iterator<Item = ([u32; 2], &'a mut [i16; 2])>,
    ) -> Result<(), Error> {
        if self.wraps.is_empty() {
            return Ok(());
        }
        let of = |row: u32| self.wraps.get(row as usize).copied().unwrap_or_default();
        for ([a, b], shift) in shifts {
            *shift = shift_between([a, b], *shift, [of(a), of(b)])?;
        }
        Ok(())
    }

    /// The pair of two positions in the list of rows and copies, and its shift. It means nothing if
    /// the first position is a copy.
    #[inline]
    pub(super) fn pair(&self, Pair { a, b }: Pair) -> PeriodicPair {
        let Self { rows, copies, .. } = self;
        let Some(&first) = rows.get(a as usize) else { return PeriodicPair::default() };
        let (second, shift) = match rows.get(b as usize) {
            Some(row) => (*row, [0, 0]),
            None => {
                let copy = copies[b as usize - rows.len()];
                (rows[copy.of as usize], copy.shift)
            }
        };
        PeriodicPair::of(first, second, shift)
    }

    /// The same where positions are rows. Without branches, because near the seam any pair may have
    /// a copy.
    #[inline(always)]
    fn pair_of_rows(&self, Pair { a, b }: Pair) -> PeriodicPair {
        let (shapes, last) = (self.rows.len() as u32, self.copies.len().saturating_sub(1));
        let copy = self.copies.get((b.wrapping_sub(shapes) as usize).min(last));
        let copy = copy.copied().unwrap_or(Copied { of: b, shift: [0, 0] });
        let second = if b < shapes { b } else { copy.of };
        let sign = if b < shapes {
            0
        } else if second < a {
            -1
        } else {
            1
        };
        let pair = Pair { a: a.min(second), b: a.max(second) };
        PeriodicPair { pair, shift: map_each(copy.shift, |periods| periods * sign) }
    }

    /// Writes the pairs of rows of `found` to the beginning of `to`, which is at least as long, and
    /// returns their number. It leaves out pairs of two copies.
    pub(super) fn map_pairs(&self, isa: Isa, found: &[Pair], to: &mut [PeriodicPair]) -> usize {
        dispatch_moves(isa, MapPairs { copies: self, found, to })
    }
}

/// Writes the pairs of rows of `found` to the beginning of `to`: see [`Copies::map_pairs`].
struct MapPairs<'a> {
    copies: &'a Copies,
    found: &'a [Pair],
    to: &'a mut [PeriodicPair],
}

impl Kernel for MapPairs<'_> {
    type Output = usize;

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> usize {
        let Self { copies, found, to } = self;
        let (at_rows, shapes) = (copies.at_rows(), copies.rows.len() as u32);
        let (mut at, mut len) = (0, 0);
        while at < found.len() {
            let next = found.len().min(at + 8);
            if let (Some(chunk), true) = (found[at..].first_chunk::<8>(), at_rows) {
                let words: &[u32; 16] = bytemuck::cast_ref(chunk);
                let highest = words.iter().fold(0, |highest, at| *at.max(&highest));
                if highest < shapes
                    && let Some(to) = to[len..].first_chunk_mut::<8>()
                {
                    simd.spread(words, bytemuck::cast_mut(to));
                    (at, len) = (next, len + 8);
                    continue;
                }
            }
            for &pair in &found[at..next] {
                to[len] = if at_rows { copies.pair_of_rows(pair) } else { copies.pair(pair) };
                // The next one takes the place of a pair of two copies.
                len += usize::from(pair.a < shapes);
            }
            at = next;
        }
        len
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

/// The shift of row `b`, as it was given, that is `shift` once both rows are moved by these
/// periods.
pub(crate) fn shift_between(
    [a, b]: [u32; 2],
    shift: [i16; 2],
    [of_a, of_b]: [[f64; 2]; 2],
) -> Result<[i16; 2], Error> {
    let given = map_each([0, 1], |axis| f64::from(shift[axis]) + (of_b[axis] - of_a[axis]));
    match given.iter().find(|periods| periods.abs() > f64::from(i16::MAX)) {
        Some(periods) => Err(Error::TooManyPeriods { a, b, periods: *periods }),
        None => Ok(given.map(|periods| periods as i16)),
    }
}

/// Appends a shape to columns.
pub(super) fn push(columns: &mut [Vec<f32>; 5], shape: RoundedBox) {
    let RoundedBox { min_x, min_y, max_x, max_y, radius } = shape;
    for (column, value) in columns.iter_mut().zip([min_x, min_y, max_x, max_y, radius]) {
        column.push(value);
    }
}

/// The sides of axis-aligned shapes, from the columns that their kind has.
struct ShapeSides<'a> {
    low: [&'a [f32]; 2],
    high: [&'a [f32]; 2],
    radius: &'a [f32],
}

impl<'a> ShapeSides<'a> {
    fn of([x, y, right, top, radius]: &'a [Vec<f32>; 5]) -> Self {
        let high = if right.is_empty() { [x, y] } else { [right, top] };
        Self { low: [x, y], high: map_each(high, |column| &**column), radius }
    }

    /// About the length of most shapes along each axis: the mean of some of the first shapes.
    fn usual(&self, shapes: usize) -> [f64; 2] {
        let (mut sum, mut count) = ([0.0; 2], 0.0);
        for at in (0..shapes).step_by((shapes / SAMPLED_ROWS).max(1)) {
            for (sum, [low, high]) in sum.iter_mut().zip(self.ends(at)) {
                *sum += high - low;
            }
            count += 1.0;
        }
        map_each(sum, |sum| sum / count)
    }

    #[inline]
    fn ends(&self, at: usize) -> [[f64; 2]; 2] {
        let radius = self.radius.get(at).copied().map_or(0.0, f64::from);
        map_each([0, 1], |axis| {
            [f64::from(self.low[axis][at]) - radius, f64::from(self.high[axis][at]) + radius]
        })
    }
}

/// A slack along each axis, for the ends of all shapes. Two shapes further apart than the slack
/// along an axis are further apart than `distance`.
fn slack(periodic: &Periodic, distance: f32, all: [[f64; 2]; 2]) -> [f64; 2] {
    map_each([0, 1], |axis| {
        let (period, [low, high]) = (f64::from(periodic.period()[axis]), all[axis]);
        f64::from(distance) + (low.abs() + high.abs() + period) * F32_SLACK
    })
}

/// The ends with a slack on both sides.
fn widened(all: [[f64; 2]; 2], slack: [f64; 2]) -> [[f64; 2]; 2] {
    map_each([0, 1], |axis| [all[axis][0] - slack[axis], all[axis][1] + slack[axis]])
}

/// The period of each axis; infinite if it does not wrap.
fn periods(periodic: &Periodic) -> [f64; 2] {
    map_each([0, 1], |axis| match periodic.wrap[axis] {
        true => f64::from(periodic.period()[axis]),
        false => f64::INFINITY,
    })
}

/// Lists the copies of a wrapped shape, with these ends, that reach into the ends `all` of all
/// shapes, and to where shapes reach, if that is known.
#[inline]
fn choose_copies(
    copies: &mut Vec<Copied>,
    period: [f64; 2],
    all: [[f64; 2]; 2],
    reaches: Option<&Reaches>,
    at: u32,
    shape: [[f64; 2]; 2],
) {
    let low = map_each([0, 1], |axis| shape[axis][0] + period[axis]);
    let (right, above) = (low[0] <= all[0][1], low[1] <= all[1][1]);
    let moved = |axis: usize, by: f64| map_each(shape[axis], |side| side + by);
    let reach = |axis: usize, sides: [f64; 2]| {
        reaches.is_none_or(|reaches| reaches.reach(axis, low[axis], sides))
    };
    let [to_right, below, beyond, to_top] = SHIFTS;
    let mut push = |shift| copies.push(Copied { of: at, shift });
    if right {
        if reach(0, shape[1]) {
            push(to_right);
        }
        if all[1][0] <= shape[1][1] - period[1] && reach(0, moved(1, -period[1])) {
            push(below);
        }
        if above && reach(0, moved(1, period[1])) && reach(1, moved(0, period[0])) {
            push(beyond);
        }
    }
    if above && reach(1, shape[0]) {
        push(to_top);
    }
}

/// The bins along a side.
const BINS_PER_SIDE: usize = 64;

/// For each place along a side of the box, how far the shapes there reach across that side.
///
/// A copy across the seam is near a shape only if it begins before the end of some shape at its
/// place. The largest shapes reach far, but only at few places.
#[derive(Debug, Default)]
pub(super) struct Reaches {
    /// For each axis, the highest end of the shapes in each bin of the other axis, with the slack.
    highest: [Vec<f64>; 2],
    /// Where the bins of each axis begin, and how many there are in a unit of length.
    from: [f64; 2],
    scale: [f64; 2],
    slack: [f64; 2],
}

held!(Reaches { highest, from, scale, slack });

impl Reaches {
    /// Removes all shapes. `all` are the lowest and the highest end of all shapes, between which
    /// the bins are. Shapes more than `slack` apart are not near each other. `usual` is how far
    /// shapes may reach at any place: only shapes that reach further are to be added.
    pub(super) fn begin(&mut self, all: [[f64; 2]; 2], slack: [f64; 2], usual: [f64; 2]) {
        for (axis, highest) in self.highest.iter_mut().enumerate() {
            highest.clear();
            highest.resize(BINS_PER_SIDE, usual[axis] + slack[axis]);
        }
        self.from = map_each(all, |[low, _]| low);
        self.scale = map_each(all, |[low, high]| BINS_PER_SIDE as f64 / (high - low));
        self.slack = slack;
    }

    /// The bins of a range. A larger coordinate never has a lower bin; coordinates beyond the ends
    /// have the first and the last bin.
    #[inline]
    fn bins(&self, axis: usize, low: f64, high: f64) -> RangeInclusive<usize> {
        let (from, scale) = (self.from[axis], self.scale[axis]);
        // Not a number, if all shapes end where they begin, is 0.
        let bin = |at: f64| (((at - from) * scale) as usize).min(BINS_PER_SIDE - 1);
        bin(low)..=bin(high)
    }

    /// Adds the reach along an axis of a shape with these ends.
    #[inline]
    pub(super) fn add(&mut self, axis: usize, ends: [[f64; 2]; 2]) {
        let [low, high] = ends[1 - axis];
        let (bins, reach) = (self.bins(1 - axis, low, high), ends[axis][1] + self.slack[axis]);
        for highest in &mut self.highest[axis][bins] {
            *highest = highest.max(reach);
        }
    }

    /// Whether a copy may begin along an axis before the end of some shape: its lower end there,
    /// and its ends along the other axis.
    #[inline]
    pub(super) fn reach(&self, axis: usize, low: f64, [from, to]: [f64; 2]) -> bool {
        let slack = self.slack[1 - axis];
        let bins = self.bins(1 - axis, from - slack, to + slack);
        self.highest[axis][bins].iter().any(|highest| low <= *highest)
    }
}
