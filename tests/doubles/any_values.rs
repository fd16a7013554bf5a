//! Any bytes as shapes of `f64`: all calls beside brute force. Also a fuzz target.

use widephase::{
    Adjacency, Error, Lists, Options, Pair, SimdLevel, Threads, Touching,
    doubles::{DoubleBox, DoubleColumns, DoubleDetector, DoubleIndex, touches},
};

/// The most shapes.
const MOST: usize = 40;

/// Bytes, with zeros behind the last byte.
struct Bytes<'a>(&'a [u8]);

impl Bytes<'_> {
    fn byte(&mut self) -> u8 {
        let Some((first, rest)) = self.0.split_first() else { return 0 };
        self.0 = rest;
        *first
    }

    /// Mostly a small multiple of a power of two beside an origin, sometimes any bits.
    fn number(&mut self, origin: f64, unit: f64) -> f64 {
        let value = f64::from(self.byte());
        match self.byte() {
            0 => f64::from_bits(u64::from_le_bytes([(); 8].map(|()| self.byte()))),
            1..8 => origin + value * unit * 1e6,
            8..16 => (origin + value * unit).next_up(),
            16..32 => origin + value * unit / 3.0,
            _ => origin + value * unit,
        }
    }
}

/// Checks the shapes of these bytes.
pub(crate) fn check(bytes: &[u8]) {
    let mut bytes = Bytes(bytes);
    let exponent = |byte: u8, most: i32| (i32::from(byte) % (2 * most) - most) as f64;
    let unit = exponent(bytes.byte(), 60).exp2();
    let origin = [0.0, 1e5, -4e6, 1e12, 1e17][usize::from(bytes.byte() % 5)];
    let [exclusive, one] = [(); 2].map(|()| bytes.byte() % 2 == 0);
    let form = bytes.byte() % 3;
    let (mut columns, mut any) = ([const { Vec::new() }; 4], Vec::new());
    while !bytes.0.is_empty() && columns[0].len() < MOST {
        let [x, y] = [(); 2].map(|()| bytes.number(origin, unit));
        let [width, height] = [(); 2].map(|()| bytes.number(0.0, unit));
        let values = if form == 0 { [x, y, width, 0.0] } else { [x, y, x + width, y + height] };
        for (column, value) in columns.iter_mut().zip(values) {
            column.push(value);
        }
        let (max, radius) = match bytes.byte() % 3 {
            0 => ([x, y], width),
            1 => ([x + width, y + height], 0.0),
            _ => ([x + width, y], height),
        };
        any.push(DoubleBox { min: [x, y], max, radius });
    }
    let [a, b, c, d] = &columns;
    let shapes = match (form, one) {
        (0, true) => DoubleColumns::circles(a, b, c.first().copied().unwrap_or(0.0)),
        (0, false) => DoubleColumns::circles(a, b, c),
        (1, _) => DoubleColumns::aabbs(a, b, c, d),
        _ => DoubleColumns::shapes(&any),
    };
    let shapes = shapes.expect("columns of one length");
    let touching = if exclusive { Touching::Exclusive } else { Touching::Inclusive };
    let distance = unit * f64::from(bytes.byte() % 8);
    let mut found = Vec::new();
    for simd_level in [SimdLevel::Scalar, SimdLevel::best()] {
        let threads = Threads::Calling;
        let options =
            Options { touching, threads, simd_level: Some(simd_level), ..Options::default() };
        found.push(answers(shapes, options, distance));
    }
    assert_eq!(found[0], found[1], "levels");
    assert_eq!(found[0].is_none(), shapes.check().is_err());
}

/// The pairs in their order, if the values are valid; all calls are compared with brute force.
fn answers(shapes: DoubleColumns<'_>, options: Options, distance: f64) -> Option<Vec<Pair>> {
    let touching = options.touching;
    let mut detector = DoubleDetector::with_options(options).expect("the level is available");
    let mut index = DoubleIndex::with_options(options.into()).expect("the level is available");
    let (mut pairs, mut lists) = (Vec::new(), Lists::new());
    let built = index.rebuild(shapes);
    let listed = detector.pairs(shapes, &mut pairs);
    // As texts, because a value may be NaN.
    let text = |result: &Result<(), Error>| format!("{result:?}");
    assert_eq!(text(&built), text(&listed));
    listed.ok()?;
    assert_eq!(detector.count(shapes), Ok(pairs.len() as u64));
    let shape = |row: usize| shapes.get(row).expect("a row");
    let touch = |a: usize, b: usize| touches(&shape(a), &shape(b), touching);
    let rows = 0..shapes.len();
    let all = rows.clone().flat_map(|a| (a + 1..shapes.len()).map(move |b| (a, b)));
    let expected: Vec<Pair> =
        all.filter(|&(a, b)| touch(a, b)).map(|(a, b)| Pair { a: a as u32, b: b as u32 }).collect();
    let mut sorted = pairs.clone();
    sorted.sort();
    assert!(sorted == expected, "pairs of {shapes:?}");

    index.overlapping_batch(shapes, &mut lists).expect("valid shapes");
    for row in rows.clone() {
        let mut list = lists.get(row).to_vec();
        list.sort();
        let own: Vec<u32> = rows.clone().filter(|&b| touch(row, b)).map(|b| b as u32).collect();
        assert_eq!(list, own, "overlap of {row}");
    }
    let mut near = Lists::new();
    index.k_nearest_batch(shapes, 3, f64::INFINITY, &mut near).expect("valid shapes");
    for row in rows.clone() {
        let mut all: Vec<(f64, u32)> =
            rows.clone().map(|b| (shape(row).distance(&shape(b)), b as u32)).collect();
        all.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        all.truncate(3);
        let own: Vec<_> = near.get(row).iter().map(|it| (it.distance, it.row)).collect();
        assert_eq!(own, all, "nearest of {row}");
    }
    if detector.neighbors(shapes, distance, Adjacency::Half, &mut lists).is_ok() {
        // A circle with the distance around it, beside one without: the rule adds it to the radii.
        for row in rows.clone() {
            let own = shape(row);
            for other in row + 1..shapes.len() {
                let apart = own.distance(&shape(other));
                let near = lists.get(row).contains(&(other as u32));
                assert!(near || apart >= distance * (1.0 - 1e-12), "{row}, {other}: {apart}");
                assert!(
                    !near || apart <= distance * (1.0 + 1e-12) + apart * 1e-12,
                    "{row}, {other}"
                );
            }
        }
    }
    Some(pairs)
}
