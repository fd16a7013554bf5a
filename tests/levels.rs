//! Every level against the scalar reference, bit for bit: each batch kernel, for every pair of
//! column forms, length and alignment. One test body, run for every level this CPU has.
#![allow(clippy::unwrap_used, reason = "a panic is a failed test, in its helpers too")]

mod common;

use common::{POLICIES, Rng, circle, levels, matrix::on_one_thread, point, pow2, rect, rounded};
use proptest::prelude::*;
use widephase::{
    Batch, Checked, Columns, Error, Options, SimdLevel, Touching,
    reference::contract::overlap,
    shape::{Aabb, AxisAligned, Circle, MAX_COORDINATE, Point, RoundedBox},
};

/// Rows of a form of columns; what is not used is empty.
struct Table {
    form: Form,
    columns: [Vec<f32>; 5],
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Form {
    Points,
    Circles,
    Aabbs,
    Centered,
    Rounded,
}

const FORMS: [Form; 5] = [Form::Points, Form::Circles, Form::Aabbs, Form::Centered, Form::Rounded];

impl Table {
    fn new(form: Form, rows: usize, mut row: impl FnMut(usize) -> [f32; 5]) -> Self {
        let mut columns: [Vec<f32>; 5] = Default::default();
        for i in 0..rows {
            for (column, value) in columns.iter_mut().zip(row(i)) {
                column.push(value);
            }
        }
        Self { form, columns }
    }

    /// The rows of a range, as slices into the middle of larger columns.
    fn slice(&self, begin: usize, len: usize) -> Checked<'_> {
        let [a, b, c, d, e] = self.columns.each_ref().map(|column| &column[begin..begin + len]);
        let columns = match self.form {
            Form::Points => Columns::points(a, b),
            Form::Circles => Columns::circles(a, b, c),
            Form::Aabbs => Columns::aabbs(a, b, c, d),
            Form::Centered => Columns::centered(a, b, c, d),
            Form::Rounded => Columns::rounded_boxes(a, b, c, d, e),
        };
        columns.unwrap().check().unwrap()
    }

    fn shape(&self, i: usize) -> RoundedBox {
        let [a, b, c, d, e] = self.columns.each_ref().map(|column| column[i]);
        match self.form {
            Form::Points => Point { x: a, y: b }.rounded_box(),
            Form::Circles => Circle { x: a, y: b, radius: c }.rounded_box(),
            Form::Aabbs => Aabb::new([a, b], [c, d]).rounded_box(),
            Form::Centered => Aabb::centered([a, b], [c, d]).rounded_box(),
            Form::Rounded => RoundedBox::new(Aabb::new([a, b], [c, d]), e),
        }
    }
}

/// Which numbers a table is filled with.
const PALETTES: usize = 7;

/// A coordinate and a size of the palette. Of these, every form makes rows within the contract.
fn numbers(rng: &mut Rng, palette: usize) -> (f32, f32) {
    let sign = if rng.below(2) == 0 { 1.0 } else { -1.0 };
    match palette {
        // Integers: touching exactly is common, Pythagorean triples among it; zero sizes.
        0 => (rng.int(-6, 6) as f32, rng.int(0, 5) as f32),
        1 => (rng.int(-8, 8) as f32 * 0.25, rng.int(0, 4) as f32 * 0.25),
        // Anything.
        2 => (rng.range(-3.0, 3.0), rng.range(0.0, 1.5)),
        // The limits of coordinates.
        3 => (
            sign * MAX_COORDINATE * [0.0, 0.5, 0.75][rng.below(3) as usize],
            MAX_COORDINATE * [0.0, 0.125, 0.25][rng.below(3) as usize],
        ),
        // Subnormal, and down to where squares underflow.
        4 => (sign * pow2(-149) * rng.int(0, 9) as f32, pow2(-149) * rng.int(0, 5) as f32),
        5 => {
            let unit = pow2(rng.int(-78, -58) as i32);
            (sign * unit * rng.int(0, 4) as f32, unit * rng.int(0, 3) as f32)
        }
        // Tiny and huge side by side.
        _ => {
            let any = |rng: &mut Rng| pow2(rng.int(-149, 58) as i32);
            (sign * any(rng), any(rng))
        }
    }
}

fn table(form: Form, rows: usize, palette: usize, rng: &mut Rng) -> Table {
    Table::new(form, rows, |_| {
        let [(x, a), (y, b), (_, c)] = [(); 3].map(|()| numbers(rng, palette));
        match form {
            Form::Points => [x, y, 0.0, 0.0, 0.0],
            Form::Circles => [x, y, a, 0.0, 0.0],
            Form::Aabbs => [x, y, x + a, y + b, 0.0],
            Form::Centered => [x, y, a, b, 0.0],
            Form::Rounded => [x, y, x + a, y + b, c],
        }
    })
}

/// Buffers that are used again and again: what an earlier call left in them must not show.
#[derive(Default)]
struct Found {
    mask: Vec<u64>,
    indices: Vec<u32>,
}

impl Found {
    /// The three answers of one kernel against the truth.
    fn check(&self, count: usize, truth: &[bool], what: impl Fn() -> String) {
        let words = truth.len().div_ceil(64);
        let mut mask = vec![0_u64; words];
        let mut indices = Vec::new();
        for (row, _) in truth.iter().enumerate().filter(|(_, hit)| **hit) {
            mask[row / 64] |= 1 << (row % 64);
            indices.push(row as u32);
        }
        assert!(self.mask == mask, "{}: mask {:x?}, expected {mask:x?}", what(), self.mask);
        assert!(self.indices == indices, "{}: {:?}, expected {indices:?}", what(), self.indices);
        assert_eq!(count, indices.len(), "{}: count", what());
    }
}

fn batch(level: SimdLevel, touching: Touching) -> Batch {
    Batch::with_options(Options { simd_level: Some(level), touching, ..Options::default() })
        .unwrap()
}

/// Slices that begin at most so far into their columns.
const OFFSETS: usize = 17;
/// The longest slice: more than three words of a mask, and than twelve of the widest vectors.
const LENGTHS: usize = 200;

/// Row by row, for every length and offset, the two sides at different alignments.
#[test]
fn pairwise_kernels_are_the_reference() {
    let mut found = Found::default();
    for (f, form_a) in FORMS.into_iter().enumerate() {
        for (g, form_b) in FORMS.into_iter().enumerate() {
            for offset in 0..OFFSETS {
                let palette = (offset + f + 2 * g) % PALETTES;
                let mut rng = Rng::new((f * 100 + g * 20 + offset) as u64);
                let shift = (offset * 5 + 3) % OFFSETS;
                let a = table(form_a, LENGTHS + OFFSETS, palette, &mut rng);
                let b = table(form_b, LENGTHS + OFFSETS, palette, &mut rng);
                let by_policy = POLICIES.map(|touching| -> Vec<bool> {
                    (0..LENGTHS)
                        .map(|i| overlap(a.shape(offset + i), b.shape(shift + i), touching))
                        .collect()
                });
                for run in on_one_thread() {
                    let (batch, truth) = (batch(run.level, run.touching), run.of(&by_policy));
                    for len in 0..=LENGTHS {
                        let (a, b) = (a.slice(offset, len), b.slice(shift, len));
                        batch.pairwise_mask(&a, &b, &mut found.mask).unwrap();
                        batch.pairwise_indices(&a, &b, &mut found.indices).unwrap();
                        let count = batch.pairwise_count(&a, &b).unwrap();
                        found.check(count, &truth[..len], || {
                            format!(
                                "{run}, {form_a:?} and {form_b:?}, {len} rows at {offset}, numbers \
                                 {palette}"
                            )
                        });
                    }
                }
            }
        }
    }
}

/// Runs the three kernels that test one shape.
fn ask_one(
    batch: Batch,
    one: RoundedBox,
    kind: Form,
    columns: &Checked<'_>,
    found: &mut Found,
) -> usize {
    fn ask<T: AxisAligned>(
        batch: Batch,
        shape: T,
        columns: &Checked<'_>,
        found: &mut Found,
    ) -> usize {
        batch.one_mask(shape, columns, &mut found.mask).unwrap();
        batch.one_indices(shape, columns, &mut found.indices).unwrap();
        batch.one_count(shape, columns).unwrap()
    }
    let (x, y) = (one.min_x, one.min_y);
    match kind {
        Form::Points => ask(batch, Point { x, y }, columns, found),
        Form::Circles => ask(batch, Circle { x, y, radius: one.radius }, columns, found),
        Form::Aabbs | Form::Centered => ask(batch, one.core(), columns, found),
        Form::Rounded => ask(batch, one, columns, found),
    }
}

/// One shape of every kind against many, for every length and offset.
#[test]
fn one_against_many_is_the_reference() {
    let mut found = Found::default();
    for (f, kind) in FORMS.into_iter().enumerate() {
        for (g, form) in FORMS.into_iter().enumerate() {
            for offset in 0..OFFSETS {
                let palette = (offset + 3 * f + g) % PALETTES;
                let mut rng = Rng::new((f * 100 + g * 20 + offset) as u64 + 7777);
                let one = table(kind, 1, palette, &mut rng).shape(0);
                let many = table(form, LENGTHS + OFFSETS, palette, &mut rng);
                let by_policy = POLICIES.map(|touching| -> Vec<bool> {
                    (0..LENGTHS).map(|i| overlap(one, many.shape(offset + i), touching)).collect()
                });
                for run in on_one_thread() {
                    let (batch, truth) = (batch(run.level, run.touching), run.of(&by_policy));
                    for len in 0..=LENGTHS {
                        let columns = many.slice(offset, len);
                        let count = ask_one(batch, one, kind, &columns, &mut found);
                        found.check(count, &truth[..len], || {
                            format!(
                                "{run}, a {kind:?} {one:?} and {form:?}, {len} rows at {offset}, \
                                 numbers {palette}"
                            )
                        });
                    }
                }
            }
        }
    }
}

/// Kernels work in blocks of 4096 rows.
#[test]
fn batches_of_several_blocks() {
    let mut found = Found::default();
    let mut rng = Rng::new(4096);
    let tables = FORMS.map(|form| table(form, 12_400, 1, &mut rng));
    for a in &tables {
        let b = &tables[4];
        for &level in levels() {
            for len in [4031, 4095, 4096, 4097, 8192, 12_300] {
                let batch = batch(level, Touching::Inclusive);
                let what = |kernel| format!("{level}, {:?}, {len} rows, {kernel}", a.form);
                let (left, right) = (a.slice(5, len), b.slice(1, len));
                let truth: Vec<bool> = (0..len)
                    .map(|i| overlap(a.shape(5 + i), b.shape(1 + i), Touching::Inclusive))
                    .collect();
                batch.pairwise_mask(&left, &right, &mut found.mask).unwrap();
                batch.pairwise_indices(&left, &right, &mut found.indices).unwrap();
                let count = batch.pairwise_count(&left, &right).unwrap();
                found.check(count, &truth, || what("pairwise"));

                let one = rounded(0.25, -0.5, [0.5, 0.25], 0.25);
                let truth: Vec<bool> =
                    (0..len).map(|i| overlap(one, a.shape(5 + i), Touching::Inclusive)).collect();
                let count = ask_one(batch, one, Form::Rounded, &left, &mut found);
                found.check(count, &truth, || what("one"));
            }
        }
    }
}

/// Numbers where the answer is known without any reference.
#[test]
fn touching_by_hand() {
    let cases = [
        // shapes, touching included, touching excluded
        (circle(0.0, 0.0, 2.0), circle(3.0, 4.0, 3.0), true, false),
        (circle(0.0, 0.0, 2.0), circle(3.0, 4.0, 2.75), false, false),
        (circle(0.0, 0.0, 2.25), circle(3.0, 4.0, 3.0), true, true),
        (circle(0.0, 0.0, 5.0), point(-3.0, 4.0), true, false),
        (circle(0.0, 0.0, 13.0), rect(6.0, 13.0, 1.0, 1.0), true, false),
        (circle(0.0, 0.0, 5.0), rect(6.0, 0.0, 1.0, 9.0), true, false),
        (rect(0.0, 0.0, 1.0, 1.0), rect(2.0, 2.0, 1.0, 1.0), true, false),
        (rect(0.0, 0.0, 1.0, 1.0), point(1.0, 0.0), true, false),
        (point(7.0, 7.0), point(7.0, 7.0), true, false),
        (rect(0.0, 0.0, 1.0, 1.0), rounded(5.0, 0.0, [2.0, 0.0], 2.0), true, false),
        (rect(0.0, 0.0, 1.0, 1.0), rect(pow2(60), 0.0, 0.0, 0.0), false, false),
        // A gap whose square is 0.
        (point(0.0, 0.0), point(pow2(-100), 0.0), false, false),
        (circle(0.0, 0.0, pow2(-100)), point(pow2(-99), 0.0), false, false),
        (circle(0.0, 0.0, pow2(-100)), point(pow2(-100), 0.0), true, false),
        (circle(0.0, 0.0, pow2(60)), circle(-pow2(60), 0.0, 0.0), true, false),
    ];
    let mut found = Found::default();
    for (a, b, inclusive, exclusive) in cases {
        for run in on_one_thread() {
            let batch = batch(run.level, run.touching);
            let expected = *run.of(&[inclusive, exclusive]);
            for (one, other) in [(a, b), (b, a)] {
                let many = Table::new(Form::Rounded, 19, |_| {
                    [other.min_x, other.min_y, other.max_x, other.max_y, other.radius]
                });
                let columns = many.slice(0, 19);
                let count = ask_one(batch, one, Form::Rounded, &columns, &mut found);
                let what = || format!("{run}, {one:?}, {other:?}");
                found.check(count, &[expected; 19], what);
            }
        }
    }
}

#[test]
fn columns_of_different_lengths_are_refused() {
    let rows = table(Form::Circles, 10, 0, &mut Rng::new(1));
    let (a, b) = (rows.slice(0, 10), rows.slice(0, 9));
    let mut found = Found { mask: vec![5], indices: vec![6] };
    for &level in levels() {
        let batch =
            Batch::with_options(Options { simd_level: Some(level), ..Options::default() }).unwrap();
        let refused = |error| matches!(error, Error::UnequalColumns { len: 9, expected: 10, .. });
        assert!(refused(batch.pairwise_mask(&a, &b, &mut found.mask).unwrap_err()));
        assert!(refused(batch.pairwise_indices(&a, &b, &mut found.indices).unwrap_err()));
        assert!(refused(batch.pairwise_count(&a, &b).unwrap_err()));
        // And so is a shape beyond the contract; the buffers are as they were.
        let bad = Circle { x: 0.0, y: 0.0, radius: -1.0 };
        let refused = |error| matches!(error, Error::InvalidShape { index: 0, value: -1.0, .. });
        assert!(refused(batch.one_mask(bad, &a, &mut found.mask).unwrap_err()));
        assert!(refused(batch.one_indices(bad, &a, &mut found.indices).unwrap_err()));
        assert!(refused(batch.one_count(bad, &a).unwrap_err()));
        assert_eq!((found.mask.as_slice(), found.indices.as_slice()), (&[5][..], &[6][..]));
    }
}

/// Which levels the tests above have run, and that each is the one it says it is.
#[test]
fn the_level_that_was_asked_for_is_the_one_that_runs() {
    let available = levels();
    let names: Vec<_> = available.iter().map(|level| level.name()).collect();
    eprintln!("levels tested: {}", names.join(", "));
    assert!(available.contains(&SimdLevel::Scalar) && available.contains(&SimdLevel::Portable));
    assert!(available.is_sorted());
    for level in SimdLevel::ALL {
        assert_eq!(level.is_available(), available.contains(&level));
        let options = Options { simd_level: Some(level), ..Options::default() };
        if level.is_available() {
            assert_eq!(Batch::with_options(options.clone()).unwrap().simd_level(), level);
            assert_eq!(options.check(), Ok(()));
        } else {
            let refused = Error::LevelUnavailable { level };
            assert_eq!(Batch::with_options(options.clone()).unwrap_err(), refused);
            assert_eq!(widephase::Detector::with_options(options).unwrap_err(), refused);
        }
    }
    #[cfg(target_arch = "x86_64")]
    {
        let avx2 = is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("popcnt");
        assert_eq!(available.contains(&SimdLevel::Avx2), avx2);
        let avx512 = avx2
            && is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512dq")
            && is_x86_feature_detected!("avx512vl");
        assert_eq!(available.contains(&SimdLevel::Avx512), avx512);
    }
    #[cfg(not(target_arch = "x86_64"))]
    assert_eq!(available, [SimdLevel::Scalar, SimdLevel::Portable]);
}

/// Any bits that are a number within the limit.
fn any_number() -> impl Strategy<Value = f32> {
    any::<u32>().prop_map(|bits| {
        let value = f32::from_bits(bits);
        if value.abs() <= MAX_COORDINATE {
            value
        } else {
            // Too large, infinite or NaN: the same fraction, below 2^60.
            f32::from_bits(bits & 0x807F_FFFF | 0x5D00_0000)
        }
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_bits_at_all(
        rows in prop::collection::vec(prop::array::uniform10(any_number()), 1..40),
        near in any::<bool>(),
    ) {
        // Numbers of any magnitude are hardly ever near each other: in half of the cases, the
        // second row of a pair takes some coordinates of the first.
        let side = |row: &[f32; 10], second: bool| {
            let own = if second { &row[5..] } else { &row[..5] };
            let (x, y) = if second && near { (row[2], row[1]) } else { (own[0], own[1]) };
            let (to_x, to_y) = (own[2], own[3]);
            [x.min(to_x), y.min(to_y), x.max(to_x), y.max(to_y), own[4].abs()]
        };
        let a = Table::new(Form::Rounded, rows.len(), |i| side(&rows[i], false));
        let b = Table::new(Form::Rounded, rows.len(), |i| side(&rows[i], true));
        let circles = Table::new(Form::Circles, rows.len(), |i| {
            let [x, y, _, _, radius] = side(&rows[i], true);
            [x, y, radius, 0.0, 0.0]
        });
        let mut found = Found::default();
        for touching in POLICIES {
            for &level in levels() {
                let batch = batch(level, touching);
                for other in [&b, &circles] {
                    let truth: Vec<bool> = (0..rows.len())
                        .map(|i| overlap(a.shape(i), other.shape(i), touching))
                        .collect();
                    let (left, right) = (a.slice(0, rows.len()), other.slice(0, rows.len()));
                    batch.pairwise_mask(&left, &right, &mut found.mask).unwrap();
                    batch.pairwise_indices(&left, &right, &mut found.indices).unwrap();
                    let count = batch.pairwise_count(&left, &right).unwrap();
                    found.check(count, &truth, || format!("{level}, {touching:?}"));
                }
            }
        }
    }
}
