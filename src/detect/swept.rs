//! Pairs of shapes that stop each other during a step.
//!
//! In plain words:
//!
//! ```text
//! cut the path of each shape into pieces of about its own size
//! find the pairs of boxes around pieces; drop pairs that are not at the same time
//! pairs of pieces → pairs of shapes, each once
//! decide each pair by `time_of_impact`
//! ```
//!
//! A shape that crosses the world is then many small boxes and not a large one, so it meets only
//! what is near its path. The number of pieces is limited (`MORE_PIECES`).

use super::{
    Detector,
    deciding::Deciding,
    detection::{List, Output, Sets},
    detector::{pair_key, sort},
    periodic::reach,
};
use crate::{
    Columns, Error, Impact, Order, Pair, Touching,
    base::parallel::{self, Divide},
    error::{
        Fault, Field,
        limit::{Budget, Left, outcome},
    },
    filter::{Filtering, Predicate},
    index::Index,
    narrowphase::{CastOptions, Motion, Probe, Room, View, impact},
    options::uses_pool,
    shape::{MAX_COORDINATE, MAX_REACH, RoundedBox},
    simd::map_each,
};

/// The most pieces, beside the first piece of each shape: for each shape, and in any scene.
const MORE_PIECES: [u64; 2] = [3, 4096];

/// The largest share of the coordinates and sizes by which roundings may bring shapes together, in
/// the `f32` of the test at the start. That of the `f64` of the step is far smaller.
const ROUNDING: f64 = 1.0 / (1 << 21) as f64;

/// The same for tiny shapes, whose squares lose bits to underflow.
const TINY: f64 = 1.0 / (1_u128 << 72) as f64;

/// The fewest pairs of pieces that are always allowed: a list of 128 MiB.
const FEWEST_CANDIDATES: usize = 1 << 24;

/// Pairs in a task, and tasks in a block. The results of a block are kept until they are listed.
const TASK: usize = 512;
const TASKS: usize = 64;

/// A decision takes about as long as a detection takes for this many bodies.
const BODIES_OF_DECISION: usize = 8;

/// The workspace of calls with displacements.
#[derive(Debug, Default)]
pub(super) struct SweptScratch {
    /// The rows that are not vacant.
    rows: Vec<u32>,
    pieces: Vec<Piece>,
    /// The boxes around the pieces: lower sides, upper sides and radius.
    columns: [Vec<f32>; 5],
    /// Whether a box reaches beyond the limit of coordinates, and has a radius for that.
    far: bool,
    deciding: Deciding,
    /// Pairs of pieces, then pairs of rows.
    pairs: Vec<Pair>,
    /// The results of a block of pairs, and the pairs that touch.
    results: Vec<Option<Impact>>,
    found: Vec<Impact>,
    /// A workspace for each task of a block.
    rooms: Vec<Room>,
}

/// A piece of a path: from `number / count` of it to `(number + 1) / count`.
#[derive(Debug, Clone, Copy)]
struct Piece {
    row: u32,
    number: u32,
    count: u32,
}

impl Piece {
    /// Whether two pieces have a moment in common.
    fn meets(&self, other: &Self) -> bool {
        let [number, count, other_number, other_count] =
            map_each([self.number, self.count, other.number, other.count], u64::from);
        number * other_count <= (other_number + 1) * count
            && other_number * count <= (number + 1) * other_count
    }
}

/// The displacements of a step, and which rows are bullets.
#[derive(Clone, Copy)]
struct Step<'a> {
    dx: &'a [f32],
    dy: &'a [f32],
    bullets: Option<&'a [bool]>,
    /// Whether rows that are not bullets stay at their start.
    others_stay: bool,
}

impl Step<'_> {
    /// Checks that there is one value for each row.
    fn check(&self, expected: usize) -> Result<(), Error> {
        let bullets = self.bullets.map_or(expected, <[bool]>::len);
        let lens =
            [(Field::Dx, self.dx.len()), (Field::Dy, self.dy.len()), (Field::Bullet, bullets)];
        match lens.into_iter().find(|(_, len)| *len != expected) {
            Some((field, len)) => Err(Error::UnequalColumns { field, len, expected }),
            None => Ok(()),
        }
    }

    fn is_bullet(&self, row: u32) -> bool {
        self.bullets.is_none_or(|bullets| bullets[row as usize])
    }

    fn displacement(&self, row: u32) -> [f32; 2] {
        [self.dx[row as usize], self.dy[row as usize]]
    }

    /// Checks the displacement of a row with these bounds.
    fn check_row(&self, row: u32, bounds: RoundedBox) -> Result<(), Error> {
        let most = f64::from(MAX_COORDINATE);
        let axes = reach(bounds).into_iter().zip(self.displacement(row));
        for (field, ([low, high], value)) in [Field::Dx, Field::Dy].into_iter().zip(axes) {
            let center = (low + high) * 0.5;
            let end = (center + f64::from(value)).abs();
            let fault = if value.is_nan() {
                Fault::NotANumber
            } else if value.is_infinite() {
                Fault::Infinite
            } else if end > most.max(center.abs()) {
                Fault::TooLarge
            } else {
                continue;
            };
            return Err(Error::InvalidShape { index: row as usize, field, value, fault });
        }
        Ok(())
    }

    /// A row with these bounds, and its motion.
    fn body(&self, row: u32, bounds: RoundedBox) -> Body {
        let stays = self.others_stay && !self.is_bullet(row);
        Body::new(bounds, if stays { [0.0; 2] } else { self.displacement(row) })
    }
}

/// The box around a shape, and its motion.
struct Body {
    /// The lower and upper ends along x and along y.
    ends: [[f64; 2]; 2],
    by: [f64; 2],
    /// The slack for roundings.
    slack: f64,
}

impl Body {
    /// The box around a compound ends at the limit of coordinates, even if a part does not.
    fn new(bounds: RoundedBox, by: [f32; 2]) -> Self {
        let [limit, most] = map_each([MAX_COORDINATE, MAX_REACH], f64::from);
        let whole = |[low, high]: [f64; 2]| {
            [if low > -limit { low } else { -most }, if high < limit { high } else { most }]
        };
        let (ends, by) = (map_each(reach(bounds), whole), map_each(by, f64::from));
        let far = |[low, high]: [f64; 2], by: f64| low.abs().max(high.abs()) + by.abs();
        let slack = far(ends[0], by[0]).max(far(ends[1], by[1])) * ROUNDING + TINY;
        Self { ends, by, slack }
    }

    /// The same shape without its motion.
    fn at_start(self) -> Self {
        Self { by: [0.0; 2], ..self }
    }

    /// The larger side of the box.
    fn size(&self) -> f64 {
        let [[left, right], [low, high]] = self.ends;
        (right - left).max(high - low)
    }

    /// The larger part of the displacement.
    fn length(&self) -> f64 {
        self.by[0].abs().max(self.by[1].abs())
    }

    /// The number of pieces of its path, each as long as the body or `unit`, whichever is longer.
    fn pieces(&self, unit: f64) -> f64 {
        let (length, piece) = (self.length(), self.size().max(unit));
        if length <= piece { 1.0 } else { (length / piece).ceil() }
    }

    /// Whether the boxes around two shapes touch at some time during the step.
    fn may_touch(&self, other: &Self) -> bool {
        let slack = self.slack + other.slack;
        let (mut first, mut last) = (0.0_f64, 1.0_f64);
        for axis in 0..2 {
            let ([low, high], [other_low, other_high]) = (self.ends[axis], other.ends[axis]);
            // They touch along the axis while the way is between the two.
            let [least, most] = [other_low - high - slack, other_high - low + slack];
            let way = self.by[axis] - other.by[axis];
            if way == 0.0 {
                if least > 0.0 || most < 0.0 {
                    return false;
                }
                continue;
            }
            let (one, two) = (least / way, most / way);
            (first, last) = (first.max(one.min(two)), last.min(one.max(two)));
        }
        first <= last
    }
}

impl Detector {
    /// Replaces the content of `impacts` by all pairs of shapes that stop each other during a step,
    /// while shape `i` moves by (`dx[i]`, `dy[i]`): with the fraction of the step at which they do,
    /// the point and the normal. Nothing tunnels, however fast it is.
    ///
    /// Each impact is the one of [`time_of_impact`](crate::narrowphase::time_of_impact) for the two
    /// shapes and their displacements, with the same bits, whatever
    /// [`Options::touching`](crate::Options::touching) is. A pair that touches at the start is
    /// listed only if the two move further into each other; it has the fraction 0 and the point and
    /// the normal of their contact (docs/queries.md, "What stops a motion").
    /// [`pairs`](Detector::pairs) lists all
    /// pairs that touch at the start. Shapes are moved, not rotated. The
    /// shapes that you pass stay as they are: move them to their ends, or to where they hit,
    /// afterwards.
    ///
    /// `dx` and `dy` are in the unit of length, for the whole step: velocity times its duration.
    /// With `bullets`, a pair is tested along the step only if at least one of the two is a bullet;
    /// the other one moves along its own displacement. Two rows that are no bullets are listed only
    /// if they stop each other at the start, with the fraction 0. `None` means that all rows are bullets.
    ///
    /// Pairs are sorted by `a`, then by `b`, with `a < b`, whatever
    /// [`Options::order`](crate::Options::order) is; with many worlds, in each world. Filters,
    /// worlds and a predicate decide as in [`pairs`](Detector::pairs). The predicate is asked about
    /// pairs whose boxes around pieces of their paths touch. Afterwards,
    /// [`grid_order`](Detector::grid_order) lists the pieces and not rows.
    ///
    /// Costs what [`pairs`](Detector::pairs) costs for the boxes around the paths, and a decision
    /// for each two that meet: 0.7 microseconds for circles, most of it for pairs that touch at the
    /// start (measured, AVX2). The path of a fast shape is cut into boxes of about its size, so it
    /// costs what is near its path and does not slow the others. There are at most four boxes a
    /// shape and 4,096 more; beyond that they are longer.
    ///
    /// # Errors
    /// [`Error::UnequalColumns`] if there is not one displacement, or flag, for each row;
    /// [`Error::InvalidShape`] for the first invalid shape, else for [`Field::Dx`] or [`Field::Dy`]
    /// of the first displacement that is not finite or moves the centre of a bounding box beyond
    /// 2^60. Displacements of vacant rows are ignored. [`Error::TooManyPairs`] beyond
    /// [`Options::max_pairs`](crate::Options::max_pairs) impacts, or if more pairs of boxes touch
    /// than that and 2^24; [`Error::OutOfMemory`]; the errors of
    /// [`SimdLevel::preferred`](crate::SimdLevel::preferred). `impacts` is then empty.
    ///
    /// ```
    /// use widephase::{Columns, Detector};
    ///
    /// // A bullet that flies to the right, and a target behind it that moves up.
    /// let (x, y, radius) = ([0.0, 50.0], [0.0, -1.0], [0.5, 1.5]);
    /// let (dx, dy) = ([96.0, 0.0], [0.0, 2.0]);
    /// let circles = Columns::circles(&x, &y, &radius)?;
    /// let mut impacts = Vec::new();
    /// Detector::new().swept_pairs(circles, &dx, &dy, Some(&[true, false]), &mut impacts)?;
    /// let hit = impacts[0];
    /// assert_eq!((hit.pair.a, hit.pair.b, hit.fraction), (0, 1, 0.5));
    /// assert_eq!((hit.x, hit.y, hit.normal_x), (48.5, 0.0, -1.0));
    /// # Ok::<(), widephase::Error>(())
    /// ```
    pub fn swept_pairs<'a>(
        &mut self,
        shapes: impl Into<Columns<'a>>,
        dx: &[f32],
        dy: &[f32],
        bullets: Option<&[bool]>,
        impacts: &mut Vec<Impact>,
    ) -> Result<(), Error> {
        let step = Step { dx, dy, bullets, others_stay: false };
        self.sweep(shapes.into(), step, None, impacts)
    }

    /// Replaces the content of `impacts` by all pairs of a shape and a shape of `index` that stops it
    /// during a step, while shape `i` moves by (`dx[i]`, `dy[i]`) and the shapes of the index stand
    /// still: `a` is a row of the shapes, `b` a row of the index.
    ///
    /// All else is as in [`swept_pairs`](Detector::swept_pairs). With `bullets`, a row that is no
    /// bullet has only the shapes that stop it at the start. The first call after a rebuild of the
    /// index reads its shapes once, and keeps 36 bytes a row there.
    ///
    /// # Errors
    /// The errors of [`swept_pairs`](Detector::swept_pairs); [`Error::TooManyShapes`] if both sets
    /// together have more than [`u32::MAX`] rows. `impacts` is then empty.
    ///
    /// ```
    /// use widephase::{Columns, Detector, Index};
    ///
    /// // A thin wall, and two bullets that would pass it in one step.
    /// let wall = Index::build(Columns::aabbs(&[10.0], &[-5.0], &[10.25], &[5.0])?)?;
    /// let (x, y) = ([0.0, 0.0], [0.0, 9.0]);
    /// let (dx, dy) = ([40.0, 40.0], [0.0, 0.0]);
    /// let points = Columns::points(&x, &y)?;
    /// let mut impacts = Vec::new();
    /// Detector::new().swept_pairs_against(points, &dx, &dy, None, &wall, &mut impacts)?;
    /// assert_eq!((impacts.len(), impacts[0].pair.a, impacts[0].fraction), (1, 0, 0.25));
    /// # Ok::<(), widephase::Error>(())
    /// ```
    pub fn swept_pairs_against<'a>(
        &mut self,
        shapes: impl Into<Columns<'a>>,
        dx: &[f32],
        dy: &[f32],
        bullets: Option<&[bool]>,
        index: &Index,
        impacts: &mut Vec<Impact>,
    ) -> Result<(), Error> {
        let step = Step { dx, dy, bullets, others_stay: true };
        self.sweep(shapes.into(), step, Some(index), impacts)
    }

    fn sweep(
        &mut self,
        columns: Columns<'_>,
        step: Step<'_>,
        index: Option<&Index>,
        impacts: &mut Vec<Impact>,
    ) -> Result<(), Error> {
        impacts.clear();
        let mut scratch = std::mem::take(&mut self.swept);
        let result = self.find_impacts(columns, step, index, &mut scratch, impacts);
        self.swept = scratch;
        self.end_finish();
        result
    }

    fn find_impacts(
        &mut self,
        columns: Columns<'_>,
        step: Step<'_>,
        index: Option<&Index>,
        scratch: &mut SweptScratch,
        impacts: &mut Vec<Impact>,
    ) -> Result<(), Error> {
        self.begin();
        step.check(columns.len())?;
        let isa = self.options.isa()?;
        let rows = columns.rows(isa, &mut self.turned)?;
        rows.check_on(isa, false)?;
        scratch.rows.clear();
        scratch.rows.extend((0..rows.len() as u32).filter(|row| rows.holds(*row as usize)));
        let layout = rows.layout;
        let bounds = |row: u32| layout.rounded_box(row as usize);
        for &row in &scratch.rows {
            step.check_row(row, bounds(row))?;
        }
        scratch.cut(index, |row| step.body(row, bounds(row)));

        self.find_candidates(columns, index, scratch)?;

        let rows = columns.rows_again(&self.turned);
        let view = View::of(&rows);
        let set = index.map(|index| index.set(false));
        let body = |row: u32| step.body(row, rows.layout.rounded_box(row as usize));
        let swept =
            |pair: Pair| step.is_bullet(pair.a) || (index.is_none() && step.is_bullet(pair.b));
        let SweptScratch { pieces, pairs, .. } = &mut *scratch;
        pairs.retain_mut(|pair| {
            let first = pieces[pair.a as usize];
            let (other, target) = match &set {
                Some(set) => {
                    let row = !pair.b;
                    (row, Body::new(set.box_of(row as usize), [0.0; 2]))
                }
                None => {
                    let second = pieces[pair.b as usize];
                    if second.row == first.row || !first.meets(&second) {
                        return false;
                    }
                    (second.row, body(second.row))
                }
            };
            *pair = if set.is_some() || first.row < other {
                Pair { a: first.row, b: other }
            } else {
                Pair { a: other, b: first.row }
            };
            if swept(*pair) {
                body(first.row).may_touch(&target)
            } else {
                body(first.row).at_start().may_touch(&target.at_start())
            }
        });
        let world = |row: u32| columns.worlds.map_or(0, |worlds| worlds[row as usize]);
        let threads = uses_pool(self.options.threads, pairs.len());
        sort(pairs, threads, |pair| (world(pair.a), pair_key(pair)));
        pairs.dedup();

        let decide = |pair: Pair, room: &mut Room| {
            let a = Probe::of(view, pair.a as usize);
            let (b, by) = match &set {
                Some(set) => (Probe::of_set(set, pair.b as usize), [0.0; 2]),
                None => (Probe::of(view, pair.b as usize), step.displacement(pair.b)),
            };
            let displacements = [step.displacement(pair.a), by];
            let mut motion = Motion::between(displacements, &CastOptions::default());
            if !swept(pair) {
                motion = motion.only_at_start();
            }
            let hit = impact(isa, [&a, &b], &motion, room)?;
            Some(Impact::of(pair, &hit))
        };
        let work = pairs.len().saturating_mul(BODIES_OF_DECISION);
        let threads = uses_pool(self.options.threads, work);
        let limit = self.options.max_pairs;
        parallel::enter(threads, || scratch.decide(&decide, threads, limit, impacts))
    }

    /// Replaces the pairs by the pairs of boxes around pieces that touch. Pairs with an index have
    /// the complements of its rows.
    fn find_candidates(
        &mut self,
        columns: Columns<'_>,
        index: Option<&Index>,
        scratch: &mut SweptScratch,
    ) -> Result<(), Error> {
        let SweptScratch { pieces, columns: boxes, far, deciding, pairs, .. } = scratch;
        let [min_x, min_y, max_x, max_y, radius] = boxes;
        let accept = accept_pieces(columns.filtering, pieces, index.is_some());
        deciding.fill(columns, pieces.iter().map(|piece| piece.row));
        let boxes = match far {
            false => Columns::aabbs(min_x, min_y, max_x, max_y)?,
            true => Columns::rounded_boxes(min_x, min_y, max_x, max_y, radius)?,
        };
        let boxes = deciding.give(columns, boxes, &accept)?;
        pairs.clear();
        let list = Output::List(List::Pairs(pairs));
        let sets = match index {
            None => Sets::One(Some(list)),
            Some(index) => Sets::Against(None, index.part(0), list),
        };
        let (touching, order) = (self.options.touching, self.options.order);
        let max_pairs = self.options.max_pairs;
        self.options.touching = Touching::Inclusive;
        self.options.order = Order::Grid;
        self.options.max_pairs = max_pairs.max(FEWEST_CANDIDATES);
        let result = self.detect(boxes, 0.0, sets);
        self.options.touching = touching;
        self.options.order = order;
        self.options.max_pairs = max_pairs;
        result.map(drop)
    }
}

/// The predicate of the caller for pieces, or for a piece and a row of an index.
fn accept_pieces<'a>(
    filtering: Filtering<'a>,
    pieces: &'a [Piece],
    against: bool,
) -> impl Fn(u32, u32) -> bool + Sync + 'a {
    let row = move |at: u32| pieces[at as usize].row;
    move |a, b| {
        let (a, b) = (row(a), if against { b } else { row(b) });
        let [a, b] = if against { [a, b] } else { [a.min(b), a.max(b)] };
        let same = !against && a == b;
        !same && filtering.predicate.is_none_or(|Predicate(accept)| accept(a, b))
    }
}

/// The power of two whose exponent is the median of the exponents of these sizes; 0 if most are 0.
fn typical(sizes: impl Iterator<Item = f64>) -> f64 {
    let (mut counts, mut len) = ([0_usize; 256], 0);
    for size in sizes {
        counts[((size as f32).to_bits() >> 23 & 255) as usize] += 1;
        len += 1;
    }
    let (mut exponent, mut below) = (0, counts[0]);
    while below * 2 < len {
        exponent += 1;
        below += counts[exponent as usize];
    }
    f64::from(f32::from_bits(exponent << 23))
}

/// Two to the power of a number that is at most 1023 in magnitude.
fn power_of_two(exponent: i64) -> f64 {
    f64::from_bits(((exponent + 1023) as u64) << 52)
}

impl SweptScratch {
    /// Cuts the paths of all rows into pieces.
    fn cut(&mut self, index: Option<&Index>, body: impl Fn(u32) -> Body) {
        let Self { rows, pieces, columns, far, .. } = self;
        let [each, any] = MORE_PIECES;
        let others = rows.len() + index.map_or(0, Index::rows);
        let numbers = u64::from(u32::MAX).saturating_sub(others as u64);
        let most = (rows.len() as u64 * each + any).min(numbers) as f64;
        let more = |unit: f64| rows.iter().map(|row| body(*row).pieces(unit) - 1.0).sum::<f64>();
        let (mut unit, mut extra) = (0.0, more(0.0));
        if extra > 0.0 {
            // Pieces that are smaller than most shapes would save nothing.
            unit = typical(rows.iter().map(|row| body(*row).size()));
            extra = more(unit);
        }
        if extra > most {
            // The least power of two with few enough pieces. No path is longer than 2^62.
            let (mut low, mut high) = (-150_i64, 62);
            while low < high {
                let middle = (low + high).div_euclid(2);
                if more(unit.max(power_of_two(middle))) <= most {
                    high = middle;
                } else {
                    low = middle + 1;
                }
            }
            unit = unit.max(power_of_two(high));
            extra = more(unit);
        }
        let total = rows.len() + extra as usize;
        let slack = f64::from(index.map_or(0.0, Index::largest_radius)) * ROUNDING;
        *far = false;
        pieces.clear();
        pieces.reserve(total);
        for column in &mut *columns {
            column.clear();
            column.reserve(total);
        }
        for &row in &*rows {
            let body = body(row);
            let count = body.pieces(unit) as u32;
            for number in 0..count {
                pieces.push(Piece { row, number, count });
                let [start, end] =
                    map_each([number, number + 1], |time| f64::from(time) / f64::from(count));
                let mut radius = 0.0;
                for axis in 0..2 {
                    let ([low, high], by) = (body.ends[axis], body.by[axis]);
                    let (from, to, slack) = (by * start, by * end, body.slack + slack);
                    let sides =
                        [below(low + from.min(to) - slack), -below(-(high + from.max(to) + slack))];
                    if sides.iter().any(|side| side.abs() > MAX_COORDINATE) {
                        radius = MAX_COORDINATE;
                        *far = true;
                    }
                    for (number, side) in sides.into_iter().enumerate() {
                        let side = side.clamp(-MAX_COORDINATE, MAX_COORDINATE);
                        columns[axis + 2 * number].push(side);
                    }
                }
                columns[4].push(radius);
            }
        }
    }

    /// Decides all pairs and appends impacts of pairs that touch to `impacts`.
    fn decide(
        &mut self,
        decide: &(dyn Fn(Pair, &mut Room) -> Option<Impact> + Sync),
        threads: bool,
        limit: usize,
        impacts: &mut Vec<Impact>,
    ) -> Result<(), Error> {
        let Self { pairs, results, found, rooms, .. } = self;
        let (budget, mut left) = (Budget::new(limit), Left::default());
        for pairs in pairs.chunks(TASK * TASKS) {
            results.clear();
            results.resize(pairs.len(), None);
            let tasks = pairs.len().div_ceil(TASK);
            if rooms.len() < tasks {
                rooms.resize_with(tasks, Room::default);
            }
            let rooms = &mut rooms[..tasks];
            parallel::run(Decide { pairs, results: &mut *results, rooms, decide }, threads);
            found.clear();
            found.extend(results.iter().flatten());
            left.append(impacts, found, &budget);
        }
        let total = impacts.len() as u64 + left.dropped;
        outcome(impacts, total, limit, left.starved)
    }

    /// The bytes of memory held.
    pub(super) fn bytes(&self) -> usize {
        let Self { rows, pieces, columns, deciding, pairs, results, found, rooms, .. } = self;
        let sides: usize = columns.iter().map(Vec::capacity).sum();
        rows.capacity() * size_of::<u32>()
            + pieces.capacity() * size_of::<Piece>()
            + sides * size_of::<f32>()
            + deciding.bytes()
            + pairs.capacity() * size_of::<Pair>()
            + results.capacity() * size_of::<Option<Impact>>()
            + found.capacity() * size_of::<Impact>()
            + rooms.capacity() * size_of::<Room>()
            + rooms.iter().map(Room::bytes).sum::<usize>()
    }
}

/// A number in `f32` that is below one in `f64`.
fn below(at: f64) -> f32 {
    (at as f32).next_down()
}

/// The decisions of a block of pairs. Each task has a workspace.
struct Decide<'a, 'b> {
    pairs: &'a [Pair],
    results: &'a mut [Option<Impact>],
    rooms: &'a mut [Room],
    decide: &'b (dyn Fn(Pair, &mut Room) -> Option<Impact> + Sync),
}

impl Divide for Decide<'_, '_> {
    fn tasks(&self) -> usize {
        self.rooms.len()
    }

    fn split(self, tasks: usize) -> (Self, Self) {
        let Self { pairs, results, rooms, decide } = self;
        let (pairs, more_pairs) = pairs.split_at(tasks * TASK);
        let (results, more_results) = results.split_at_mut(tasks * TASK);
        let (rooms, more_rooms) = rooms.split_at_mut(tasks);
        (
            Self { pairs, results, rooms, decide },
            Self { pairs: more_pairs, results: more_results, rooms: more_rooms, decide },
        )
    }

    fn work(self) {
        let Self { pairs, results, rooms, decide } = self;
        let tasks = pairs.chunks(TASK).zip(results.chunks_mut(TASK)).zip(rooms);
        for ((pairs, results), room) in tasks {
            for (pair, result) in pairs.iter().zip(results) {
                *result = decide(*pair, room);
            }
        }
    }
}
