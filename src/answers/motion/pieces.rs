//! `Pieces`: paths, cut into boxes of about the size of the shapes.

use super::step::{Mover, MovingShape, STEP_LENGTH, STEP_SLACK};
use crate::{
    base::{F32_SLACK, Pair, held},
    error::Error,
    filter::{Filtering, Predicate},
    index::Index,
    narrowphase::Set,
    shape::{MAX_COORDINATE, RoundedBox, SAFE_COORDINATE},
    simd::map_each,
    store::Columns,
};

/// The most pieces, beside the first piece of each shape: for each shape, and in any scene.
const MORE_PIECES: [u64; 2] = [3, 4096];

/// A piece of a path: from `number / count` of it to `(number + 1) / count`.
#[derive(Debug, Clone, Copy)]
pub(super) struct PathPiece {
    pub(super) row: u32,
    number: u32,
    count: u32,
}

impl PathPiece {
    /// Whether two pieces have a moment in common.
    pub(super) fn meets(&self, other: &Self) -> bool {
        let [number, count, other_number, other_count] =
            map_each([self.number, self.count, other.number, other.count], u64::from);
        (number * other_count <= (other_number + 1) * count)
            & (other_number * count <= (number + 1) * other_count)
    }
}

/// The most shapes of an index whose sizes are read.
const SAMPLED_SIZES: usize = 256;

/// The pieces of all paths, and the rounded boxes around them.
#[derive(Debug, Default)]
pub(super) struct Pieces {
    /// Empty if each path is one piece.
    pub(super) pieces: Vec<PathPiece>,
    /// Lower sides, upper sides and radius.
    columns: [Vec<f32>; 5],
    form: Form,
}

held!(Pieces { pieces, columns, form });

/// The form of all pieces.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Form {
    /// Circles: their centres are the first two columns.
    Circles,
    /// Boxes without a radius.
    #[default]
    Boxes,
    Rounded,
}

/// Properties of the paths of all rows.
#[derive(Clone, Copy)]
pub(super) struct Paths {
    are_slow_circles: bool,
    are_round: bool,
    is_any_long: bool,
    /// Whether any is near the limit of coordinates, or not a number.
    pub(super) is_any_far: bool,
}

impl Default for Paths {
    fn default() -> Self {
        let (is_any_long, is_any_far) = (false, false);
        Self { are_slow_circles: true, are_round: false, is_any_long, is_any_far }
    }
}

impl Paths {
    #[inline]
    pub(super) fn add(&mut self, shape: &MovingShape) {
        self.are_slow_circles &= shape.is_slow_circle();
        self.are_round |= shape.bounds.radius > 0.0;
        self.is_any_long |= shape.is_long();
        let is_near = shape.far() < SAFE_COORDINATE;
        self.is_any_far |= !is_near;
    }
}

impl Pieces {
    /// Cuts the paths of the shapes of these rows into pieces. `all` has the properties of all
    /// paths, and `set` has the shapes of the index.
    pub(super) fn cut(
        &mut self,
        rows: &[u32],
        shapes: &[MovingShape],
        all: &Paths,
        index: Option<&Index>,
        set: Option<&Set<'_>>,
    ) {
        let Self { pieces, columns, form } = self;
        let largest = index.map_or(0.0, Index::largest_radius);
        pieces.clear();
        let mover = |row: &u32| shapes[*row as usize].mover();
        let others = rows.len() + index.map_or(0, Index::rows);
        let unit = all.is_any_long.then(|| unit(rows.len(), others, rows.iter().map(mover), set));
        let is_whole = |unit: f64| rows.iter().all(|row| mover(row).pieces(unit) <= 1.0);
        if !all.is_any_far && unit.is_none_or(is_whole) {
            *form = match (all.are_slow_circles, all.are_round) {
                (true, true) => Form::Circles,
                (false, true) => Form::Rounded,
                (_, false) => Form::Boxes,
            };
            for column in &mut *columns {
                column.resize(rows.len(), 0.0);
            }
            let columns = columns.each_mut().map(Vec::as_mut_slice);
            let paths = rows.iter().map(|row| &shapes[*row as usize]);
            match form {
                Form::Circles => circles(columns, paths, largest),
                _ => boxes(columns, paths, largest),
            }
            return;
        }
        let unit = unit.unwrap_or_default();
        for column in &mut *columns {
            column.clear();
        }
        *form = Form::Boxes;
        for &row in rows {
            let shape = &shapes[row as usize];
            let mover = shape.mover();
            let count = mover.pieces(unit) as u32;
            for number in 0..count {
                let times =
                    map_each([number, number + 1], |time| f64::from(time) / f64::from(count));
                let piece = piece(&mover, shape.bounds.radius, times, f64::from(largest));
                if piece[4] > 0.0 {
                    *form = Form::Rounded;
                }
                for (column, value) in columns.iter_mut().zip(piece) {
                    column.push(value);
                }
                pieces.push(PathPiece { row, number, count });
            }
        }
    }

    /// The number of pieces, and the row of each, if `rows` are the rows of their paths.
    pub(super) fn rows<'a>(&'a self, rows: &'a [u32]) -> impl Iterator<Item = u32> + Clone + 'a {
        let whole = if self.pieces.is_empty() { rows } else { &[] };
        whole.iter().copied().chain(self.pieces.iter().map(|piece| piece.row))
    }

    /// Replaces pairs of pieces by pairs of rows, the lower row first, and drops pairs of pieces
    /// that have no moment in common. Pairs with an index have the complements of its rows.
    pub(super) fn replace_by_rows(&self, rows: &[u32], pairs: &mut Vec<Pair>, against: bool) {
        let (pieces, mut kept) = (&self.pieces, 0);
        for at in 0..pairs.len() {
            let Pair { a, b } = pairs[at];
            let (pair, meet) = match (pieces.is_empty(), against) {
                (true, true) => (Pair { a: rows[a as usize], b: !b }, true),
                (true, false) => (ordered(rows[a as usize], rows[b as usize]), true),
                (false, true) => (Pair { a: pieces[a as usize].row, b: !b }, true),
                (false, false) => {
                    let (first, second) = (&pieces[a as usize], &pieces[b as usize]);
                    let meet = (first.row != second.row) & first.meets(second);
                    (ordered(first.row, second.row), meet)
                }
            };
            pairs[kept] = pair;
            kept += usize::from(meet);
        }
        pairs.truncate(kept);
    }

    /// The boxes as columns.
    pub(super) fn boxes(&self) -> Result<Columns<'_>, Error> {
        let [min_x, min_y, max_x, max_y, radius] = &self.columns;
        match self.form {
            Form::Circles => Columns::circles(min_x, min_y, radius),
            Form::Boxes => Columns::aabbs(min_x, min_y, max_x, max_y),
            Form::Rounded => Columns::rounded_boxes(min_x, min_y, max_x, max_y, radius),
        }
    }

    /// The predicate of the caller for pieces, or for a piece and a row of an index.
    pub(super) fn accept(
        &self,
        rows: &[u32],
        filtering: Filtering<'_>,
        against: bool,
    ) -> impl Fn(u32, u32) -> bool + Sync {
        let row = |at: u32| match self.pieces.get(at as usize) {
            Some(piece) => piece.row,
            None => rows[at as usize],
        };
        move |a, b| {
            let (a, b) = (row(a), if against { b } else { row(b) });
            let [a, b] = if against { [a, b] } else { [a.min(b), a.max(b)] };
            let same = !against && a == b;
            !same && filtering.predicate.is_none_or(|Predicate { accept, .. }| accept(a, b))
        }
    }
}

/// The pair of two rows, the lower one first.
#[inline]
fn ordered(a: u32, b: u32) -> Pair {
    Pair { a: a.min(b), b: a.max(b) }
}

/// Writes the circle around the path of each circle: centre and radius. `largest` is the largest
/// radius of the index.
fn circles<'a>(
    columns: [&mut [f32]; 5],
    paths: impl Iterator<Item = &'a MovingShape>,
    largest: f32,
) {
    let [x, y, _, _, radii] = columns;
    // The path and its piece are rounded, each by `STEP_SLACK` at most.
    let more = largest * (F32_SLACK as f32);
    for (((x, y), radius), shape) in x.iter_mut().zip(y).zip(radii).zip(paths) {
        let RoundedBox { min_x, min_y, radius: own, .. } = shape.bounds;
        let [dx, dy] = map_each(shape.moves_by(), |by| by * 0.5);
        (*x, *y) = (min_x + dx, min_y + dy);
        *radius = own
            + (dx * dx + dy * dy).sqrt()
            + (shape.far() * (F32_SLACK as f32) + more + (2.0 * STEP_LENGTH as f32));
    }
}

/// Writes the rounded box around the path of each shape. `largest` is the largest radius of the
/// index.
fn boxes<'a>(columns: [&mut [f32]; 5], paths: impl Iterator<Item = &'a MovingShape>, largest: f32) {
    let [left, low, right, high, radii] = columns;
    let more = largest * (F32_SLACK as f32);
    let sides = left.iter_mut().zip(low).zip(right).zip(high).zip(radii);
    for (((((left, low), right), high), radius), shape) in sides.zip(paths) {
        let RoundedBox { min_x, min_y, max_x, max_y, radius: own } = shape.bounds;
        let [dx, dy] = shape.moves_by();
        let slack = shape.far() * (F32_SLACK as f32) + more + (2.0 * STEP_LENGTH as f32);
        (*left, *right) = (min_x + dx.min(0.0) - slack, max_x + dx.max(0.0) + slack);
        (*low, *high) = (min_y + dy.min(0.0) - slack, max_y + dy.max(0.0) + slack);
        *radius = if own > 0.0 { own + (own * (F32_SLACK as f32) + more) } else { 0.0 };
    }
}

/// The rounded box around a shape of this radius between two times: lower sides, upper sides and
/// radius. `largest` is the largest radius of the index.
///
/// The core is the box around the core of the shape. A core that reaches beyond the limit of
/// coordinates ends there, and has the limit as its radius.
#[inline]
fn piece(mover: &Mover, radius: f32, [start, end]: [f64; 2], largest: f64) -> [f32; 5] {
    let slack = mover.slack + largest * STEP_SLACK;
    let around = |inset: f64| {
        map_each([0, 1], |axis| {
            let ([low, high], by): ([f64; 2], f64) = (mover.ends[axis], mover.by[axis]);
            let (from, to) = (by * start, by * end);
            let low = low + inset + if from < to { from } else { to } - slack;
            let high = high - inset + if from < to { to } else { from } + slack;
            [below(low), -below(-high)]
        })
    };
    let wide = f64::from(radius);
    let mut sides = around(wide);
    let mut wider = if radius > 0.0 { (wide + (wide + largest) * F32_SLACK) as f32 } else { 0.0 };
    let is_far = |[[left, right], [low, high]]: [[f32; 2]; 2]| {
        (left < -MAX_COORDINATE)
            | (low < -MAX_COORDINATE)
            | (right > MAX_COORDINATE)
            | (high > MAX_COORDINATE)
    };
    if is_far(sides) || wider > MAX_COORDINATE {
        sides = around(0.0);
        wider = 0.0;
        if is_far(sides) {
            sides = map_each(sides, |ends| {
                map_each(ends, |end| end.clamp(-MAX_COORDINATE, MAX_COORDINATE))
            });
            wider = MAX_COORDINATE;
        }
    }
    let [[left, right], [low, high]] = sides;
    [left, low, right, high, wider]
}

/// How long pieces are beside the size of their shape, so that there are few enough: at least about
/// the size of most shapes, because smaller pieces would save nothing.
fn unit(
    rows: usize,
    others: usize,
    movers: impl Iterator<Item = Mover> + Clone,
    set: Option<&Set<'_>>,
) -> f64 {
    let [each_row, any] = MORE_PIECES;
    let numbers = u64::from(u32::MAX).saturating_sub(others as u64);
    let most = (rows as u64 * each_row + any).min(numbers) as f64;
    let mut sizes = SizeCounts::default();
    for mover in movers.clone() {
        sizes.add(mover.size());
    }
    let mut unit = sizes.typical();
    if let Some(set) = set {
        let mut sizes = SizeCounts::default();
        let step = (set.placed.len() / SAMPLED_SIZES).max(1);
        for row in (0..set.placed.len()).step_by(step) {
            sizes.add(Mover::new(set.box_of(row), [0.0; 2]).size());
        }
        unit = unit.max(sizes.typical());
    }
    let more = |unit: f64| movers.clone().map(|mover| mover.pieces(unit) - 1.0).sum::<f64>();
    if more(unit) > most {
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
    }
    unit
}

/// How many sizes have each exponent.
struct SizeCounts {
    counts: [usize; 256],
    len: usize,
}

impl Default for SizeCounts {
    fn default() -> Self {
        Self { counts: [0; 256], len: 0 }
    }
}

impl SizeCounts {
    fn add(&mut self, size: f64) {
        self.counts[((size as f32).to_bits() >> 23 & 255) as usize] += 1;
        self.len += 1;
    }

    /// The power of two whose exponent is the median of the exponents; 0 if most sizes are 0.
    fn typical(&self) -> f64 {
        let (mut exponent, mut below) = (0, self.counts[0]);
        while below * 2 < self.len {
            exponent += 1;
            below += self.counts[exponent as usize];
        }
        f64::from(f32::from_bits(exponent << 23))
    }
}

/// Two to the power of a number that is at most 1023 in magnitude.
fn power_of_two(exponent: i64) -> f64 {
    f64::from_bits(((exponent + 1023) as u64) << 52)
}

/// A number in `f32` that is below a number in `f64`. Of the two terms that are subtracted, the
/// first is at least a unit in the last place, and the second is the least normal number.
#[inline]
fn below(at: f64) -> f32 {
    let at = at as f32;
    at - at.abs() * f32::EPSILON - f32::MIN_POSITIVE
}
