//! Every level against the scalar reference, bit for bit: the test of rows, for every pair of
//! column forms, length and alignment. One test body, run for every level this CPU has.
#![allow(clippy::unwrap_used, reason = "a panic is a failed test, in its helpers too")]

use common::{
    POLICIES, Rng, at_every_level, circle, levels, matrix::on_one_thread, point, pow2, product,
    rect, rounded,
};
use proptest::prelude::*;
use widephase::{
    Columns, Error, Narrowphase, NarrowphaseOptions, Options, SimdLevel, Touching,
    reference::contract::overlap,
    shape::{Aabb, AxisAligned, Circle, MAX_COORDINATE, Point, RoundedBox},
};

/// Rows of a form of columns; unused columns are empty.
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
    fn slice(&self, begin: usize, len: usize) -> Columns<'_> {
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

/// A coordinate and a size of the palette. Every form makes rows within the contract of these
/// numbers.
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

/// A buffer that is used again and again: values that an earlier call left in it must not show.
#[derive(Default)]
struct Found {
    mask: Vec<u64>,
}

impl Found {
    /// Tests the rows of two sets, and compares the mask with the truth.
    fn check(
        &mut self,
        narrowphase: &mut Narrowphase,
        [a, b]: [Columns<'_>; 2],
        truth: &[bool],
        what: impl Fn() -> String,
    ) {
        narrowphase.row_mask(a, b, 0..truth.len(), &mut self.mask).unwrap();
        let mut mask = vec![0_u64; truth.len().div_ceil(64)];
        for (row, _) in truth.iter().enumerate().filter(|(_, hit)| **hit) {
            mask[row / 64] |= 1 << (row % 64);
        }
        assert!(self.mask == mask, "{}: mask {:x?}, expected {mask:x?}", what(), self.mask);
    }
}

fn narrowphase(level: SimdLevel, touching: Touching) -> Narrowphase {
    Narrowphase::with_options(NarrowphaseOptions {
        simd_level: Some(level),
        touching,
        ..NarrowphaseOptions::default()
    })
    .unwrap()
}

/// Slices that begin at most so far into their columns.
const OFFSETS: usize = 17;
/// The longest slice: more than three words of a mask, and than twelve of the widest vectors.
const LENGTHS: usize = 200;

/// Row by row, for every length and offset, the two sides at different alignments.
#[test]
fn rows_touch_where_the_reference_says() {
    let mut found = Found::default();
    let forms = || FORMS.into_iter().enumerate();
    for ((f, form_a), (g, form_b), offset) in product((forms(), forms(), 0..OFFSETS)) {
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
            let mut narrowphase = narrowphase(run.level, run.touching);
            let truth = run.of(&by_policy);
            for len in 0..=LENGTHS {
                let sides = [a.slice(offset, len), b.slice(shift, len)];
                found.check(&mut narrowphase, sides, &truth[..len], || {
                    format!(
                        "{run}, {form_a:?} and {form_b:?}, {len} rows at {offset}, numbers \
                             {palette}"
                    )
                });
            }
        }
    }
}

/// Kernels work in blocks of 4096 rows.
#[test]
fn rows_of_several_blocks_are_decided_alike() {
    let mut found = Found::default();
    let mut rng = Rng::new(4096);
    let tables = FORMS.map(|form| table(form, 12_400, 1, &mut rng));
    for a in &tables {
        let b = &tables[4];
        for &level in levels() {
            let mut narrowphase = narrowphase(level, Touching::Inclusive);
            for len in [4031, 4095, 4096, 4097, 8192, 12_300] {
                let what = || format!("{level}, {:?}, {len} rows", a.form);
                let sides = [a.slice(5, len), b.slice(1, len)];
                let truth: Vec<bool> = (0..len)
                    .map(|i| overlap(a.shape(5 + i), b.shape(1 + i), Touching::Inclusive))
                    .collect();
                found.check(&mut narrowphase, sides, &truth, what);
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
            let mut narrowphase = narrowphase(run.level, run.touching);
            let expected = *run.of(&[inclusive, exclusive]);
            for (one, other) in [(a, b), (b, a)] {
                let [ones, others] = [one, other].map(|shape| {
                    let RoundedBox { min_x, min_y, max_x, max_y, radius } = shape;
                    Table::new(Form::Rounded, 19, |_| [min_x, min_y, max_x, max_y, radius])
                });
                let sides = [ones.slice(0, 19), others.slice(0, 19)];
                let what = || format!("{run}, {one:?}, {other:?}");
                found.check(&mut narrowphase, sides, &[expected; 19], what);
            }
        }
    }
}

at_every_level!(rows_that_do_not_exist_and_invalid_values_are_refused);

/// Values that have been checked are not checked again; other values are, in the requested rows.
fn rows_that_do_not_exist_and_invalid_values_are_refused(level: SimdLevel) {
    let rows = table(Form::Circles, 10, 0, &mut Rng::new(1));
    let (a, b) = (rows.slice(0, 10), rows.slice(0, 9));
    let (x, radius) = ([0.0; 10], [-1.0; 10]);
    let bad = Columns::circles(&x, &x, &radius).unwrap();
    let mut mask = vec![5];
    let mut narrowphase = narrowphase(level, Touching::Inclusive);
    for (a, b) in [(a, b), (b, a)] {
        let refused = narrowphase.row_mask(a, b, 0..10, &mut mask);
        assert_eq!(refused, Err(Error::NoSuchShape { index: 9, len: 9 }));
    }
    let refused = narrowphase.row_mask(a, bad, 3..10, &mut mask).unwrap_err();
    assert!(matches!(refused, Error::InvalidShape { index: 3, value: -1.0, .. }));
    assert!(matches!(bad.check(), Err(Error::InvalidShape { index: 0, value: -1.0, .. })));
    assert_eq!(mask, [5]);
}

/// Which levels the tests above have run, and that each test ran on the level that it names.
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
            assert_eq!(options.check(), Ok(()));
        } else {
            let refused = Error::LevelUnavailable { level };
            assert_eq!(Narrowphase::with_options(options.into()).unwrap_err(), refused);
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
                let mut narrowphase = narrowphase(level, touching);
                for other in [&b, &circles] {
                    let truth: Vec<bool> = (0..rows.len())
                        .map(|i| overlap(a.shape(i), other.shape(i), touching))
                        .collect();
                    let sides = [a.slice(0, rows.len()), other.slice(0, rows.len())];
                    let what = || format!("{level}, {touching:?}");
                    found.check(&mut narrowphase, sides, &truth, what);
                }
            }
        }
    }
}
