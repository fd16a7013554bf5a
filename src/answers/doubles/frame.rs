//! `DoubleFrame`: `f64` → `f32` relative to an origin, each shape grown by its own rounding.

use std::{
    ops::Range,
    sync::atomic::{AtomicBool, Ordering},
};

use super::{
    columns::{DoubleBox, DoubleColumns, ReadRows, RecordForm, is_valid, with_reader},
    origin::Origin,
    records::LazyRecords,
};
use crate::{
    base::{
        F32_SLACK, TASK_ROWS, UNDERFLOW, held, higher, lower,
        parallel::{self, Divide},
    },
    error::{Error, limit::Granted},
    shape::{MAX_COORDINATE, RoundedBox, SAFE_COORDINATE},
    simd::{Isa, Kernel, Simd, dispatch_vectors, map_each},
    store::Columns,
};

/// An origin, and a power of two that relative coordinates are multiplied by.
///
/// In plain words, of each value:
///
/// ```text
/// relative = (value - origin) * scale, in f64
/// if it is beyond the largest coordinate: that one
/// rounded  = relative as f32
/// ```
///
/// A circle grows by the rounding of its centre. Each side of a box goes outwards by its own
/// rounding. So shapes that touch in `f64` touch in `f32`: docs/numerics.md, "Doubles", has the
/// margins.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct DoubleFrame {
    origin: [f64; 2],
    scale: f64,
}

impl Default for DoubleFrame {
    fn default() -> Self {
        Self { origin: [0.0; 2], scale: 1.0 }
    }
}

impl DoubleFrame {
    /// A frame whose origin is [among](Origin::among) the shapes.
    pub(super) fn of(columns: &DoubleColumns<'_>) -> Self {
        let (origin, spread) = Origin::and_spread(columns);
        Self::at(origin.position(), spread)
    }

    /// A frame with this origin, for lengths of about `spread`.
    pub(super) fn at(origin: [f64; 2], spread: f64) -> Self {
        /// The exponent of the largest scale. What squares in `f64` lose to underflow is less than
        /// 2^-536 of a length, and with this scale less than [`UNDERFLOW`].
        const MAX_SCALE_EXPONENT: i32 = 400;
        /// If lengths are less than this, coordinates are multiplied until lengths are about this.
        const MIN_SPREAD: f64 = 1.0 / (1 << 20) as f64;
        // Zero for shapes of one place, whatever their size.
        let small = spread > 0.0 && spread < MIN_SPREAD;
        let scale = if small { 2.0_f64.powi((MIN_SPREAD / spread).log2() as i32) } else { 1.0 };
        Self { origin, scale: scale.min(2.0_f64.powi(MAX_SCALE_EXPONENT)) }
    }

    /// Checks all values, and replaces `out` by the shapes with `margin` around each: on the pool
    /// if `threads`.
    pub(super) fn fill(
        &self,
        (isa, threads): (Isa, bool),
        columns: &DoubleColumns<'_>,
        margin: f64,
        out: &mut RelativeColumns,
    ) -> Result<(), Error> {
        out.records.clear();
        let (valid, len) = (AtomicBool::new(true), columns.len());
        // The shapes in `f32`, and as they were given.
        out.granted.ask(0, len, len.saturating_mul(80))?;
        let rounding = Rounding { isa, frame: *self, margin, valid: &valid };
        with_reader!(columns, reader => {
            let out = out.make_room(reader, len, margin > 0.0);
            let rows = RoundedRows { rounding, reader, rows: 0..len, out };
            parallel::enter(threads, || parallel::run(rows, threads));
        });
        if valid.into_inner() { Ok(()) } else { columns.check() }
    }

    /// A position in the frame.
    pub(super) fn rounded(&self, position: [f64; 2]) -> [f32; 2] {
        map_each([0, 1], |axis| ((position[axis] - self.origin[axis]) * self.scale) as f32)
    }

    /// A distance in the frame, raised by the most that roundings may add.
    pub(super) fn at_most(&self, distance: f64) -> f32 {
        // The roundings of a decision in `f32` are less than 2^-21 of the radii.
        let most = distance * self.scale * (1.0 + (2.0 * F32_SLACK)) + f64::from(UNDERFLOW);
        if most < f64::from(SAFE_COORDINATE) { most as f32 } else { f32::INFINITY }
    }

    /// A lower bound of the distance of two shapes, by the distance of the grown shapes.
    pub(super) fn at_least(&self, distance: f32) -> f64 {
        (f64::from(distance) * (1.0 - (2.0 * F32_SLACK)) - f64::from(UNDERFLOW)) / self.scale
    }
}

/// How shapes are rounded.
#[derive(Clone, Copy)]
struct Rounding<'a> {
    isa: Isa,
    frame: DoubleFrame,
    margin: f64,
    /// Becomes false at a value that is not valid.
    valid: &'a AtomicBool,
}

impl Rounding<'_> {
    /// A coordinate in the frame.
    #[inline(always)]
    fn relative(&self, value: f64, axis: usize) -> f64 {
        let at = (value - self.frame.origin[axis]) * self.frame.scale;
        higher(lower(at, f64::from(SAFE_COORDINATE)), -f64::from(SAFE_COORDINATE))
    }

    /// A radius in the frame, larger by this.
    #[inline(always)]
    fn grown(&self, radius: f64, by: f64) -> f32 {
        let radius = ((radius + self.margin) * self.frame.scale + by + f64::from(UNDERFLOW))
            * (1.0 + (2.0 * F32_SLACK));
        lower(radius, f64::from(MAX_COORDINATE)) as f32
    }
}

/// A side further out by its rounding, in the direction of the sign.
#[inline(always)]
fn outwards(value: f64, sign: f64) -> f32 {
    // Coordinates lose 2^-24 of them to rounding, and 2^-53 before.
    (value + sign * (value.abs() * (2.0 * f64::from(f32::EPSILON)) + f64::from(UNDERFLOW))) as f32
}

/// Some rows that are rounded.
struct RoundedRows<'a, R> {
    rounding: Rounding<'a>,
    reader: R,
    rows: Range<usize>,
    /// The values of these rows; empty without a column.
    out: [&'a mut [f32]; 5],
}

impl<R: ReadRows> Divide for RoundedRows<'_, R> {
    fn tasks(&self) -> usize {
        self.rows.len().div_ceil(TASK_ROWS)
    }

    fn split(self, tasks: usize) -> (Self, Self) {
        let Self { rounding, reader, rows, out } = self;
        let middle = rows.start + tasks * TASK_ROWS;
        let (mut first, mut second): ([&mut [f32]; 5], [&mut [f32]; 5]) = Default::default();
        for ((column, first), second) in out.into_iter().zip(&mut first).zip(&mut second) {
            (*first, *second) = column.split_at_mut(column.len().min(tasks * TASK_ROWS));
        }
        (
            RoundedRows { rounding, reader, rows: rows.start..middle, out: first },
            RoundedRows { rounding, reader, rows: middle..rows.end, out: second },
        )
    }

    fn work(self) {
        dispatch_vectors(self.rounding.isa, self);
    }
}

impl<R: ReadRows> Kernel for RoundedRows<'_, R> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, _: S) {
        let Self { rounding, reader, rows, out } = self;
        let len = rows.len();
        // Slices of this length: the compiler makes vectors of loops without checks.
        let reader = reader.part(rows).part(0..len);
        let [a, b, c, d, e] = out;
        let mut all = true;
        let (a, b, c) = (&mut a[..len], &mut b[..len], &mut c[..len]);
        if R::FORM == RecordForm::Round {
            for row in 0..len {
                let DoubleBox { min: [x, y], radius, .. } = reader.row(row);
                all &= is_valid(&reader.row(row));
                let [x, y] = [rounding.relative(x, 0), rounding.relative(y, 1)];
                (a[row], b[row]) = (x as f32, y as f32);
                c[row] =
                    rounding.grown(radius, (x.abs() + y.abs()) * (2.0 * f64::from(f32::EPSILON)));
            }
        } else {
            let d = &mut d[..len];
            for row in 0..len {
                let DoubleBox { min, max, radius } = reader.row(row);
                all &= is_valid(&reader.row(row));
                a[row] = outwards(rounding.relative(min[0], 0), -1.0);
                b[row] = outwards(rounding.relative(min[1], 1), -1.0);
                c[row] = outwards(rounding.relative(max[0], 0), 1.0);
                d[row] = outwards(rounding.relative(max[1], 1), 1.0);
                if R::FORM == RecordForm::Any {
                    e[row] = rounding.grown(radius, 0.0);
                }
            }
            if R::FORM == RecordForm::Boxes {
                e.fill(rounding.grown(0.0, 0.0));
            }
        }
        if !all {
            rounding.valid.store(false, Ordering::Relaxed);
        }
    }
}

/// Shapes in a frame.
#[derive(Debug, Default)]
pub(super) struct RelativeColumns {
    /// Three columns for circles; else the sides and the radius.
    columns: [Vec<f32>; 5],
    form: RelativeForm,
    /// The shapes as they were given, once many of them were read.
    pub(super) records: LazyRecords,
    granted: Granted,
}

held!(RelativeColumns { columns, form, records, granted });

#[derive(Debug, Clone, Copy, Default)]
enum RelativeForm {
    #[default]
    Circles,
    Boxes,
    Rounded,
}

impl RelativeColumns {
    /// Makes room for a number of shapes of a form, and returns their columns.
    fn make_room<R: ReadRows>(&mut self, _: R, len: usize, margin: bool) -> [&mut [f32]; 5] {
        let used;
        (self.form, used) = match (R::FORM, margin) {
            (RecordForm::Round, _) => (RelativeForm::Circles, 3),
            (RecordForm::Boxes, false) => (RelativeForm::Boxes, 4),
            _ => (RelativeForm::Rounded, 5),
        };
        for (number, column) in self.columns.iter_mut().enumerate() {
            column.resize(if number < used { len } else { 0 }, 0.0);
        }
        self.columns.each_mut().map(Vec::as_mut_slice)
    }

    /// The columns, with the filters and the spaces of the shapes.
    pub(super) fn of<'a>(&'a self, shapes: &DoubleColumns<'a>) -> Result<Columns<'a>, Error> {
        let [a, b, c, d, e] = map_each(self.columns.each_ref(), Vec::as_slice);
        let mut columns = match self.form {
            RelativeForm::Circles => Columns::circles(a, b, c)?,
            RelativeForm::Boxes => Columns::aabbs(a, b, c, d)?,
            RelativeForm::Rounded => Columns::rounded_boxes(a, b, c, d, e)?,
        };
        if let Some(filters) = shapes.filters {
            columns = columns.with_filters(filters)?;
        }
        if let Some(spaces) = shapes.spaces {
            columns = columns.with_spaces(spaces)?;
        }
        Ok(columns)
    }

    /// The shape of a row, with the margin.
    pub(super) fn row(&self, row: usize) -> RoundedBox {
        let [a, b, c, d, e] =
            map_each(self.columns.each_ref(), |column| column.get(row).copied().unwrap_or(0.0));
        match self.form {
            RelativeForm::Circles => {
                RoundedBox { min_x: a, min_y: b, max_x: a, max_y: b, radius: c }
            }
            _ => RoundedBox { min_x: a, min_y: b, max_x: c, max_y: d, radius: e },
        }
    }
}

#[cfg(test)]
mod tests {
    use std::ops::Range;

    use super::{DoubleFrame, RelativeColumns};
    use crate::{
        Touching,
        doubles::{DoubleBox, DoubleColumns, touches},
        kernel::{
            BoxColumns, CircleColumns, ColumnSet, RoundedColumns, Rule,
            grown::{room, surely_touch, touch},
            overlap,
        },
        simd::{Isa, Scalar},
    };

    /// Numbers from a seed: xorshift.
    struct Numbers(u64);

    impl Numbers {
        fn next(&mut self) -> u64 {
            self.0 ^= self.0 << 13;
            self.0 ^= self.0 >> 7;
            self.0 ^= self.0 << 17;
            self.0
        }

        fn below(&mut self, most: u64) -> u64 {
            (self.next() >> 16) % most
        }

        /// From 0 to 1.
        fn unit(&mut self) -> f64 {
            self.below(1 << 40) as f64 / (1_u64 << 40) as f64
        }

        /// A share that is 0, some units in the last place, or 2^-60 to 1, with either sign.
        fn share(&mut self) -> f64 {
            let sign = if self.below(2) == 0 { 1.0 } else { -1.0 };
            sign * match self.below(4) {
                0 => 0.0,
                1 => self.below(4) as f64 * f64::EPSILON,
                _ => 0.5_f64.powi(self.below(60) as i32) * self.unit(),
            }
        }
    }

    /// Whether two rows touch when they are grown, and whether they surely touch.
    fn verdict(relative: &RelativeColumns, form: Form, [a, b]: [usize; 2]) -> [bool; 2] {
        fn of(set: impl ColumnSet, a: usize, b: usize) -> [bool; 2] {
            let rule = Rule { inclusive: true, normal: false };
            let [a, b] = [a, b].map(|row| set.load(Scalar, row));
            let (hit, sure) = (overlap(Scalar, a, b, rule), surely_touch(Scalar, a, b));
            let mut open = false;
            let bits = touch(Scalar, (a, Some(room(Scalar, a))), b, rule, &mut open);
            // Pairs that the lanes of a search decide are sure.
            assert!(
                bits == u32::from(hit) && (open || sure || !hit),
                "{bits}, {hit}, {sure}, {open}"
            );
            [hit, sure]
        }
        let [x, y, max_x, max_y, radius] = relative.columns.each_ref().map(Vec::as_slice);
        let core = BoxColumns { min_x: x, min_y: y, max_x, max_y };
        match form {
            Form::Circles => of(CircleColumns { x, y, radius: max_x }, a, b),
            Form::Boxes => of(core, a, b),
            Form::Rounded => of(RoundedColumns { core, radius }, a, b),
        }
    }

    #[derive(Debug, Clone, Copy)]
    enum Form {
        Circles,
        Boxes,
        Rounded,
    }

    /// Shapes in pairs: the second shape lies at the limit of the first, or a share beside it.
    fn shapes(numbers: &mut Numbers, form: Form, origin: f64, extent: f64) -> Vec<DoubleBox> {
        let mut shapes = Vec::new();
        for _ in 0..40 {
            let place = [(); 2].map(|()| origin + numbers.unit() * extent);
            let far = [1.0, 1e-3, 1e-9, 1e-200, 1e3][numbers.below(5) as usize] * extent * 0.1;
            let radii = match form {
                Form::Boxes => [0.0; 2],
                _ => [(); 2].map(|()| numbers.unit() * far),
            };
            let sides = |numbers: &mut Numbers| match form {
                Form::Circles => [0.0; 2],
                _ => [(); 2].map(|()| numbers.unit() * far),
            };
            let [own, other] = [(); 2].map(|()| sides(numbers));
            let gap = (radii[0] + radii[1]) * (1.0 + numbers.share());
            // Pythagorean, along an axis, or anywhere.
            let way = match numbers.below(3) {
                0 => [0.6, 0.8],
                1 => [1.0, 0.0],
                _ => {
                    let angle = numbers.unit() * 6.3;
                    [angle.cos(), angle.sin()]
                }
            };
            let max = [0, 1].map(|axis: usize| place[axis] + own[axis]);
            let spare = far * numbers.share();
            let second = [0, 1].map(|axis: usize| match way[axis] < 0.0 {
                true => place[axis] + way[axis] * gap - other[axis] + spare,
                false => max[axis] + way[axis] * gap + spare,
            });
            let upper = [0, 1].map(|axis: usize| second[axis] + other[axis]);
            shapes.push(DoubleBox { min: place, max, radius: radii[0] });
            shapes.push(DoubleBox { min: second, max: upper, radius: radii[1] });
        }
        shapes
    }

    /// Pairs that surely touch in `f32` touch in `f64` under both policies, and pairs that touch in
    /// `f64` touch when they are grown.
    #[test]
    fn sure_pairs_touch() {
        let (mut numbers, mut counts) = (Numbers(7), [0; 4]);
        let origins = [0.0, 1e5, -4.5e6, 1e12, 1e17, (1_u64 << 59) as f64];
        let extents = [1.0, 1e3, 1e-3, 1e7, 1e12, 1e-30, 1e-160, 1e-290, 1e17];
        for round in 0..6 * 9 * 3 * 40 {
            let form = [Form::Circles, Form::Boxes, Form::Rounded][round % 3];
            let (origin, extent) = (origins[round / 3 % 6], extents[round / 18 % 9]);
            let mut all = shapes(&mut numbers, form, origin, extent);
            if round % 7 == 0 {
                // Shapes beyond the limit at which coordinates are cut off.
                for shape in &mut all[..20] {
                    let far = (1_u64 << 58) as f64 * (1.0 + numbers.unit());
                    for axis in 0..2 {
                        shape.min[axis] += far;
                        shape.max[axis] += far;
                    }
                }
            }
            let Ok(columns) = DoubleColumns::shapes(&all) else { continue };
            let values = |of: fn(&DoubleBox) -> f64| all.iter().map(of).collect::<Vec<f64>>();
            let [x, y, right, upper, radii] = [
                values(|it| it.min[0]),
                values(|it| it.min[1]),
                values(|it| it.max[0]),
                values(|it| it.max[1]),
                values(|it| it.radius),
            ];
            let columns = match form {
                Form::Circles => DoubleColumns::circles(&x, &y, &radii),
                Form::Boxes => DoubleColumns::aabbs(&x, &y, &right, &upper),
                Form::Rounded => Ok(columns),
            };
            let (columns, mut relative) =
                (columns.expect("one length"), RelativeColumns::default());
            let frame = DoubleFrame::of(&columns);
            if frame.fill((Isa::any(), false), &columns, 0.0, &mut relative).is_err() {
                continue;
            }
            let pairs: Range<usize> = 0..all.len() / 2;
            let near = pairs.map(|pair| [2 * pair, 2 * pair + 1]);
            let any = (0..all.len()).map(|row| [row, (row * 7 + 3) % all.len()]);
            for pair in near.chain(any) {
                let [grown, sure] = verdict(&relative, form, pair);
                let [a, b] = pair.map(|row| columns.get(row).expect("a row"));
                let [inclusive, exclusive] = [Touching::Inclusive, Touching::Exclusive]
                    .map(|touching| touches(&a, &b, touching));
                let what = format!("{round}, {form:?}: {a:?}, {b:?}");
                assert!(grown || !inclusive, "not found: {what}");
                assert!(!sure || inclusive && exclusive, "not sure: {what}");
                counts[0] += usize::from(inclusive);
                counts[1] += usize::from(sure);
                counts[2] += usize::from(grown && !inclusive);
                counts[3] += usize::from(inclusive != exclusive);
            }
        }
        let [touching, sure, invented, exact] = counts;
        assert!(sure > touching / 8 && sure < touching, "{counts:?}");
        assert!(invented > 10_000 && exact > 1_000, "{counts:?}");
    }
}
