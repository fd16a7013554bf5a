//! Two sides made from the shapes of a world: stores and borrowed columns in any mix. The results
//! for pairs of a row of one side and a row of the other, and for aligned rows, must be equal at
//! every SIMD level to the results of the scalar reference and of the functions for two shapes. A
//! bad value in a column must be found.

use std::ops::Range;

use arbitrary::Arbitrary;
use widephase::{
    Columns, Error, Narrowphase, Options, Pair, Shapes, SimdLevel, Touching, narrowphase,
    reference::whole::{self, Whole},
    shape::{Aabb, Circle, OwnedShape, Part, Point, Pose, Posed, RoundedBox},
};

use super::{Number, Taken, bytes, twins};

/// Both sides, and the range of the aligned rows that are tested.
#[derive(Debug, Arbitrary)]
pub(crate) struct Sides {
    both: [Side; 2],
    /// The number of rows that are left out at the start and at the end.
    left_out: [u8; 2],
    other: OtherValue,
}

/// A value that replaces another value in borrowed columns, after the tests of the unchanged
/// columns.
#[derive(Debug, Arbitrary)]
struct OtherValue {
    row: u8,
    column: u8,
    value: Number,
}

#[derive(Debug, Arbitrary)]
struct Side {
    form: Form,
    /// Whether the side is a store, whatever the form is.
    stored: bool,
    /// The number of the shape in the first row.
    first: u8,
    /// If it is large, the shapes repeat.
    long: u8,
    /// Rows that are removed from a store, as bits.
    vacant: u64,
}

/// The conversion of shapes to a side.
#[derive(Debug, Clone, Copy, Arbitrary)]
enum Form {
    /// The shapes, unchanged.
    All,
    /// The shapes with the kind of this shape.
    Alike(u8),
    /// Columns made from the box around each shape.
    Columns(Made),
}

/// The form of columns made from boxes.
#[derive(Debug, Clone, Copy, Arbitrary)]
enum Made {
    Points,
    Circles,
    Boxes,
    Centered,
    Rounded,
}

/// The values of a row of columns. There may be fewer columns.
type Values = [f32; 5];

impl Made {
    fn values(self, around: RoundedBox) -> Values {
        let RoundedBox { min_x, min_y, max_x, max_y, radius } = around;
        let [x, y] = [(min_x + max_x) * 0.5, (min_y + max_y) * 0.5];
        let [half_width, half_height] = [(max_x - min_x) * 0.5, (max_y - min_y) * 0.5];
        match self {
            Self::Points => [x, y, 0.0, 0.0, 0.0],
            Self::Circles => [x, y, half_width + radius, 0.0, 0.0],
            Self::Boxes => [min_x, min_y, max_x, max_y, 0.0],
            Self::Centered => [x, y, half_width, half_height, 0.0],
            Self::Rounded => [min_x, min_y, max_x, max_y, radius],
        }
    }

    fn part(self, [a, b, c, d, radius]: Values) -> Part {
        match self {
            Self::Points => Point::new([a, b]).into(),
            Self::Circles => Circle::new([a, b], c).into(),
            Self::Boxes => Aabb::new([a, b], [c, d]).into(),
            Self::Centered => Aabb::centered([a, b], [c, d]).into(),
            Self::Rounded => RoundedBox { min_x: a, min_y: b, max_x: c, max_y: d, radius }.into(),
        }
    }

    /// The number of columns.
    fn count(self) -> usize {
        match self {
            Self::Points => 2,
            Self::Circles => 3,
            Self::Boxes | Self::Centered => 4,
            Self::Rounded => 5,
        }
    }

    /// Whether the numeric contract permits a row of these values.
    fn admits(self, [a, b, c, d, radius]: Values) -> bool {
        const MOST: f32 = (1_u64 << 60) as f32;
        let coordinate = |value: f32| value.abs() <= MOST;
        let size = |value: f32| (0.0..=MOST).contains(&value);
        let reach = |center: f32, half: f32| coordinate(center - half) && coordinate(center + half);
        let aligned = [a, b, c, d].into_iter().all(coordinate) && a <= c && b <= d;
        match self {
            Self::Points => coordinate(a) && coordinate(b),
            Self::Circles => coordinate(a) && coordinate(b) && size(c),
            Self::Boxes => aligned,
            Self::Centered => size(c) && size(d) && reach(a, c) && reach(b, d),
            Self::Rounded => aligned && size(radius),
        }
    }

    fn columns(self, values: &[Vec<f32>; 5]) -> Columns<'_> {
        let [a, b, c, d, radius] = values;
        let columns = match self {
            Self::Points => Columns::points(a, b),
            Self::Circles => Columns::circles(a, b, c),
            Self::Boxes => Columns::aabbs(a, b, c, d),
            Self::Centered => Columns::centered(a, b, c, d),
            Self::Rounded => Columns::rounded_boxes(a, b, c, d, radius),
        };
        columns.expect("as many values of each")
    }
}

/// A shape in the form of the reference, and with its pose.
struct Known {
    whole: Whole,
    shape: OwnedShape,
    pose: Option<Pose>,
}

impl Known {
    fn new(shape: &OwnedShape, pose: Option<Pose>) -> Self {
        Self { whole: Whole::new(shape, pose), shape: shape.clone(), pose }
    }

    fn posed(&self) -> Posed<'_> {
        Posed { pose: self.pose, ..Posed::from(&self.shape) }
    }
}

/// The rows of one side.
#[derive(Default)]
struct Rows {
    /// `None` in rows that are removed from the store.
    known: Vec<Option<Known>>,
    store: Shapes,
    /// The columns of the rows, if they are borrowed.
    borrowed: Option<(Made, [Vec<f32>; 5])>,
}

/// The number of rows of a long side: several words of bits, and more pairs than are decided at
/// once (2,048).
const LONG: usize = 150;

/// The largest number of parts of shapes that repeat.
const SHORT: usize = 64;

impl Rows {
    fn of(side: &Side, taken: &Taken) -> Self {
        let mut rows = Self::default();
        let kind = |row: usize| taken.store.kind(row as u32);
        let mut order: Vec<usize> = (0..taken.shapes.len()).collect();
        if let Form::Alike(like) = side.form
            && !order.is_empty()
        {
            let like = kind(usize::from(like) % order.len());
            order.retain(|row| kind(*row) == like);
        }
        let parts: usize = order.iter().map(|row| taken.wholes[*row].parts.len()).sum();
        let count = if side.long > 240 && parts <= SHORT { LONG } else { order.len() };
        let from = usize::from(side.first) % order.len().max(1);
        for row in order.into_iter().cycle().skip(from).take(count) {
            let (shape, pose) = &taken.shapes[row];
            match side.form {
                Form::All | Form::Alike(_) => {
                    let pushed = match *pose {
                        Some(pose) => rows.store.push_at(shape, pose),
                        None => rows.store.push(shape),
                    };
                    pushed.expect("another store has taken it");
                    rows.known.push(Some(Known::new(shape, *pose)));
                }
                Form::Columns(made) => {
                    let around = taken.store.bounds(row as u32).expect("it is there");
                    rows.make(made, made.values(around));
                }
            }
        }
        if side.stored {
            rows.borrowed = None;
        }
        if rows.borrowed.is_none() {
            for row in 0..rows.known.len() {
                if side.vacant >> (row % 64) & 1 == 1 {
                    rows.store.remove(row as u32).expect("it is there");
                    rows.known[row] = None;
                }
            }
        }
        rows
    }

    /// Adds a row with these values, unless a store refuses it.
    fn make(&mut self, made: Made, values: Values) {
        let shape = OwnedShape::from(made.part(values));
        if self.store.push(&shape).is_err() {
            return;
        }
        self.known.push(Some(Known::new(&shape, None)));
        let (_, columns) = self.borrowed.get_or_insert_with(|| (made, Default::default()));
        for (column, value) in columns.iter_mut().zip(values) {
            column.push(value);
        }
    }

    fn columns(&self) -> Columns<'_> {
        match &self.borrowed {
            Some((made, values)) => made.columns(values),
            None => (&self.store).into(),
        }
    }

    fn known(&self, row: u32) -> Option<&Known> {
        self.known[row as usize].as_ref()
    }

    /// The rows that hold a shape.
    fn there(&self) -> Vec<u32> {
        (0..self.known.len() as u32).filter(|row| self.known(*row).is_some()).collect()
    }

    /// The first row without a shape, which may be the row after the last.
    fn missing(&self) -> usize {
        self.known.iter().position(Option::is_none).unwrap_or(self.known.len())
    }
}

/// The largest number of tested pairs, and of pairs of their parts.
const PAIRS: usize = 2_100;
const PART_PAIRS: usize = 1 << 14;

/// A prime that is larger than the number of rows of any side: steps of this many pairs visit each
/// pair once, in a mixed order.
const STEP: usize = 7_919;

/// The results of the reference for pairs of rows, and of two shapes at a time for aligned rows.
struct Truth {
    pairs: Vec<Pair>,
    hits: Vec<Pair>,
    contacts: Vec<u8>,
    rows: Range<usize>,
    mask: Vec<u64>,
}

impl Truth {
    fn of([a, b]: [&Rows; 2], left_out: [u8; 2], touching: Touching, margin: f32) -> Self {
        let (rows_a, rows_b) = (a.there(), b.there());
        let count = rows_a.len() * rows_b.len();
        let (mut pairs, mut hits, mut contacts) = (Vec::new(), Vec::new(), Vec::new());
        let mut part_pairs = 0;
        for at in (0..count.min(PAIRS)).map(|number| number * STEP % count) {
            let pair = Pair { a: rows_a[at / rows_b.len()], b: rows_b[at % rows_b.len()] };
            let (Some(one), Some(other)) = (a.known(pair.a), b.known(pair.b)) else { continue };
            let [one, other] = [&one.whole, &other.whole];
            part_pairs += one.parts.len() * other.parts.len();
            if part_pairs > PART_PAIRS {
                break;
            }
            pairs.push(pair);
            hits.extend(whole::touches(one, other, touching).then_some(pair));
            let found = twins::whole::between(one, other, margin, touching).into_iter();
            contacts.extend(found.map(|contact| contact.with_pair(pair)));
        }

        let len = a.known.len().min(b.known.len());
        let first = usize::from(left_out[0]) % (len + 1);
        let rows = first..len - usize::from(left_out[1]) % (len - first + 1);
        let mut mask = vec![0; rows.len().div_ceil(64)];
        for (number, row) in rows.clone().enumerate() {
            let (Some(one), Some(other)) = (&a.known[row], &b.known[row]) else { continue };
            if two_at_a_time(one, other, touching, margin) {
                mask[number / 64] |= 1 << (number % 64);
            }
        }
        Self { pairs, hits, contacts: bytes(&contacts), rows, mask }
    }
}

/// Whether two shapes touch. Checks that the functions for two shapes agree with the reference.
fn two_at_a_time(a: &Known, b: &Known, touching: Touching, margin: f32) -> bool {
    let touches = narrowphase::touches(a.posed(), b.posed(), touching).unwrap();
    assert_eq!(touches, whole::touches(&a.whole, &b.whole, touching), "two at a time");
    let found = narrowphase::contact(a.posed(), b.posed(), margin).expect("a margin in range");
    let deepest = twins::whole::deepest(&a.whole, &b.whole, margin);
    let deepest = deepest.map(|contact| contact.with_pair(Pair { a: 0, b: 0 }));
    assert_eq!(bytes(found.as_slice()), bytes(deepest.as_slice()), "two at a time");
    touches
}

impl Sides {
    /// Checks both sides, and the sides exchanged, at every SIMD level.
    pub(crate) fn check(&self, taken: &Taken, touching: Touching, margin: f32) {
        let sides = self.both.each_ref().map(|side| Rows::of(side, taken));
        let [a, b] = sides.each_ref();
        let orders = [[a, b], [b, a]];
        let truths = orders.map(|sides| Truth::of(sides, self.left_out, touching, margin));
        for &level in SimdLevel::available() {
            let options = Options { simd_level: Some(level), touching, ..Options::default() };
            let mut narrowphase = Narrowphase::with_options(options.into()).expect("available");
            for (sides, truth) in orders.iter().zip(&truths) {
                ask(&mut narrowphase, *sides, truth, margin, level);
                self.other.ask(&mut narrowphase, *sides, truth, margin);
            }
        }
    }
}

fn ask(
    narrowphase: &mut Narrowphase,
    [a, b]: [&Rows; 2],
    truth: &Truth,
    margin: f32,
    level: SimdLevel,
) {
    let Truth { pairs, hits, contacts, rows, mask } = truth;
    let (one, other) = (a.columns(), b.columns());
    let (mut touching, mut found) = (Vec::new(), Vec::new());
    narrowphase.pairs_between(one, other, pairs, &mut touching).expect("rows that are there");
    assert_eq!(touching, *hits, "{level}: pairs of two sides");
    narrowphase.contacts_between(one, other, pairs, margin, &mut found).expect("as before");
    assert_eq!(bytes(&found), *contacts, "{level}: contacts of two sides");
    let mut bits = vec![u64::MAX; 4];
    narrowphase.row_mask(one, other, rows.clone(), &mut bits).expect("rows of both");
    assert_eq!(bits, *mask, "{level}: {rows:?} side by side");

    let index = a.missing();
    let missing = [&pairs[..], &[Pair { a: index as u32, b: 0 }]].concat();
    let error = Err(Error::NoSuchShape { index, len: a.known.len() });
    assert_eq!(narrowphase.pairs_between(one, other, &missing, &mut touching), error);
    assert_eq!(narrowphase.contacts_between(one, other, &missing, margin, &mut found), error);
    assert!(touching.is_empty() && found.is_empty(), "{level}: refused, and yet there");
}

impl OtherValue {
    /// Repeats the tests with this value in the columns of the first side.
    fn ask(&self, narrowphase: &mut Narrowphase, [a, b]: [&Rows; 2], truth: &Truth, margin: f32) {
        let Some((made, mut values)) = a.borrowed.clone() else { return };
        let row = usize::from(self.row) % a.known.len();
        values[usize::from(self.column) % made.count()][row] = self.value.0;
        let (one, other) = (made.columns(&values), b.columns());
        let right = made.admits(values.each_ref().map(|column| column[row]));
        let expected = |matters: bool, result: Result<(), Error>| match result {
            Ok(()) => assert!(right || !matters, "{made:?} {self:?} is taken"),
            Err(Error::InvalidShape { index, .. }) if !right && matters => assert_eq!(index, row),
            Err(other) => panic!("{made:?} {self:?}: {other}"),
        };
        let Truth { pairs, rows, .. } = truth;
        let (mut touching, mut found, mut bits) = (Vec::new(), Vec::new(), Vec::new());
        expected(true, narrowphase.pairs_between(one, other, pairs, &mut touching));
        expected(true, narrowphase.contacts_between(one, other, pairs, margin, &mut found));
        let matters = rows.contains(&row);
        expected(matters, narrowphase.row_mask(one, other, rows.clone(), &mut bits));
    }
}
