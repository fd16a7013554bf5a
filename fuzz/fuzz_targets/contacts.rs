//! Arbitrary bytes become shapes of every kind, at any pose. A shape that a store refuses must
//! leave the store unchanged. For accepted shapes, pairs and contacts must be equal at every SIMD
//! level, in the same order. They must also be equal for two shapes at a time, row by row, against
//! an index and between two sets. They must equal the results of the scalar reference, which
//! decides touching by exact arithmetic. No value of a contact is NaN or infinite, points lie on
//! both shapes, ids are mirrored, and touching shapes have a contact.
#![no_main]

mod sides;
mod truth;
#[path = "../../tests/common/twins/mod.rs"]
mod twins;

use arbitrary::{Arbitrary, Result, Unstructured};
use libfuzzer_sys::fuzz_target;
use sides::Sides;
use widephase::{
    Contact, Detector, Error, Index, Narrowphase, Options, Order, Pair, Shapes, SimdLevel,
    Touching,
    columns::ContactColumns,
    narrowphase,
    reference::whole::{self, Whole},
    shape::{
        Aabb, Capsule, Circle, Compound, ConvexPolygon, Obb, OwnedShape, Part, Point, Pose, Posed,
        Rotation, RoundedBox, Segment,
    },
};

/// A number: often a small multiple of a quarter, so that many shapes touch or coincide, sometimes
/// a number of any size, rarely arbitrary bits.
#[derive(Debug, Clone, Copy)]
struct Number(f32);

impl<'a> Arbitrary<'a> for Number {
    fn arbitrary(bytes: &mut Unstructured<'a>) -> Result<Self> {
        let small = |value: i8| f32::from(value) * 0.25;
        Ok(Self(match bytes.arbitrary::<u8>()? {
            0..160 => small(bytes.arbitrary()?),
            160..224 => f32::from(bytes.arbitrary::<i16>()?) / 1024.0,
            224..240 => small(bytes.arbitrary()?) * f32::from(bytes.arbitrary::<i8>()?).exp2(),
            _ => f32::from_bits(bytes.arbitrary()?),
        }))
    }
}

#[derive(Debug, Arbitrary)]
enum Turn {
    Not,
    /// Eighths of a turn.
    Eighths(u8),
    Angle(Number),
    /// The angle of the triangle of 3, 4 and 5.
    Exact,
    Any(Number, Number),
}

impl Turn {
    fn rotation(&self) -> Rotation {
        match *self {
            Turn::Not => Rotation::IDENTITY,
            Turn::Eighths(n) => Rotation::from_angle(f32::from(n) * std::f32::consts::FRAC_PI_4),
            Turn::Angle(Number(angle)) => Rotation::from_angle(angle),
            Turn::Exact => Rotation { cos: 0.6, sin: 0.8 },
            Turn::Any(Number(cos), Number(sin)) => Rotation { cos, sin },
        }
    }
}

#[derive(Debug, Arbitrary)]
enum Single {
    Point([Number; 2]),
    Circle([Number; 2], Number),
    Aabb([Number; 2], [Number; 2]),
    RoundedBox([Number; 2], [Number; 2], Number),
    Obb([Number; 2], [Number; 2], Turn),
    Segment([Number; 2], [Number; 2]),
    Capsule([Number; 2], [Number; 2], Number),
    Polygon(Vec<[Number; 2]>, Number),
    Hull(Vec<[Number; 2]>, Number),
}

impl Single {
    /// The shape, unless its list is refused.
    fn part(&self) -> Option<Part> {
        let vector = |values: &[Number; 2]| values.map(|Number(value)| value);
        let list = |points: &[[Number; 2]]| points.iter().map(vector).collect::<Vec<_>>();
        // The lower corner comes first: the other target tests inverted boxes.
        let corners = |a: &[Number; 2], b: &[Number; 2]| {
            let [[ax, ay], [bx, by]] = [vector(a), vector(b)];
            ([ax.min(bx), ay.min(by)], [ax.max(bx), ay.max(by)])
        };
        let rounded = |polygon: Result<ConvexPolygon, widephase::Error>, radius: f32| {
            polygon.and_then(|polygon| polygon.with_radius(radius)).ok()
        };
        Some(match self {
            Self::Point(at) => Point::new(vector(at)).into(),
            Self::Circle(center, radius) => Circle::new(vector(center), radius.0).into(),
            Self::Aabb(a, b) => {
                let (min, max) = corners(a, b);
                Aabb::new(min, max).into()
            }
            Self::RoundedBox(a, b, radius) => {
                let ([min_x, min_y], [max_x, max_y]) = corners(a, b);
                RoundedBox { min_x, min_y, max_x, max_y, radius: radius.0 }.into()
            }
            Self::Obb(center, half, turn) => {
                Obb::new(vector(center), vector(half), turn.rotation()).into()
            }
            Self::Segment(a, b) => Segment::new(vector(a), vector(b)).into(),
            Self::Capsule(a, b, radius) => Capsule::new(vector(a), vector(b), radius.0).into(),
            Self::Polygon(points, radius) => {
                rounded(ConvexPolygon::new(&list(points)), radius.0)?.into()
            }
            Self::Hull(points, radius) => {
                rounded(ConvexPolygon::hull(&list(points)), radius.0)?.into()
            }
        })
    }
}

#[derive(Debug, Arbitrary)]
struct Placed {
    shape: Single,
    /// The other parts, if it is a compound.
    others: Option<Vec<Single>>,
    pose: Option<([Number; 2], Turn)>,
}

#[derive(Debug, Arbitrary)]
struct World {
    shapes: Vec<Placed>,
    margin: Number,
    exclusive: bool,
    sides: Sides,
}

impl Placed {
    fn shape(&self) -> Option<OwnedShape> {
        let first = self.shape.part()?;
        let Some(others) = &self.others else { return Some(first.into()) };
        let parts = others.iter().filter_map(Single::part).chain([first]);
        Compound::new(parts).ok().map(OwnedShape::from)
    }

    fn pose(&self) -> Option<Pose> {
        let (at, turn) = self.pose.as_ref()?;
        Some(Pose::new(at.map(|Number(value)| value), turn.rotation()))
    }
}

/// The shapes of a world that a store accepts.
#[derive(Default)]
struct Taken {
    store: Shapes,
    shapes: Vec<(OwnedShape, Option<Pose>)>,
    /// All shapes, split into parts for the reference.
    wholes: Vec<Whole>,
}

impl Taken {
    fn of(world: &World) -> Self {
        let mut taken = Self::default();
        for placed in world.shapes.iter().take(40) {
            let Some(shape) = placed.shape() else { continue };
            let pose = placed.pose();
            let count = taken.store.len();
            let pushed = match pose {
                Some(pose) => taken.store.push_at(&shape, pose),
                None => taken.store.push(&shape),
            };
            let Ok(row) = pushed else {
                assert_eq!(taken.store.len(), count, "refused, and yet there");
                continue;
            };
            assert_eq!(row as usize, count);
            taken.wholes.push(Whole::new(&shape, pose));
            taken.shapes.push((shape, pose));
        }
        taken
    }
}

/// The results of a detector, of a narrowphase for all pairs, and against an index.
#[derive(PartialEq, Debug)]
struct Found {
    pairs: Vec<Pair>,
    contacts: Vec<u8>,
    of_all: Vec<u8>,
    against: Vec<u8>,
}

/// Checks the values of contacts and returns their bytes.
fn bytes(contacts: &[Contact]) -> Vec<u8> {
    for contact in contacts {
        let [x, y] = contact.normal().to_array();
        assert!((x.hypot(y) - 1.0).abs() < 1e-6, "{contact:?}");
        assert!(contact.depth.is_finite() && !contact.points().is_empty(), "{contact:?}");
        for point in contact.points() {
            assert!((point.x + point.y + point.depth).is_finite(), "{contact:?}");
        }
    }
    bytemuck::cast_slice(contacts).to_vec()
}

fn options(level: SimdLevel, touching: Touching) -> Options {
    Options { simd_level: Some(level), touching, ..Options::default() }
}

fn find(store: &Shapes, level: SimdLevel, touching: Touching, margin: f32) -> Found {
    let options = options(level, touching);
    let mut found = Detector::with_options(options).expect("available");
    let (mut pairs, mut contacts) = (Vec::new(), Vec::new());
    found.pairs(store, &mut pairs).expect("checked shapes");
    found.contacts(store, margin, &mut contacts).expect("checked shapes");

    let rows = 0..store.len() as u32;
    let all: Vec<Pair> =
        rows.clone().flat_map(|a| (a + 1..rows.end).map(move |b| Pair { a, b })).collect();
    let mut of_all = Vec::new();
    let mut narrowphase = Narrowphase::with_options(options.into()).expect("available");
    narrowphase.contacts(store, &all, margin, &mut of_all).expect("rows that are there");
    let mut sorted = contacts.clone();
    sorted.sort_by_key(|contact| (contact.pair, contact.part_a, contact.part_b));
    assert_eq!(bytes(&of_all), bytes(&sorted), "{level}: the pairs one by one");

    row_by_row(store, &mut narrowphase, margin);

    let set = Index::build(store).expect("checked shapes");
    let (mut moving, mut against) = (Vec::new(), Vec::new());
    found
        .contacts_and_against(store, &set, margin, &mut moving, &mut against)
        .expect("checked shapes");
    moving.sort_by_key(|contact| (contact.pair, contact.part_a, contact.part_b));
    assert_eq!(bytes(&moving), bytes(&sorted), "{level}: against an index");
    Found { pairs, contacts: bytes(&contacts), of_all: bytes(&of_all), against: bytes(&against) }
}

/// Tests each shape against the next shape, in another store. The results must be the results of
/// the pairs one by one.
fn row_by_row(store: &Shapes, narrowphase: &mut Narrowphase, margin: f32) {
    let len = store.len() as u32;
    if len < 2 {
        return;
    }
    let next = |row: u32| (row + 1) % len;
    let mut others = store.clone();
    others.reorder(&(0..len).map(next).collect::<Vec<_>>()).expect("each row once");
    let pairs: Vec<Pair> = (0..len).map(|row| Pair { a: row, b: next(row) }).collect();
    let mut one_by_one = Vec::new();
    narrowphase.contacts(store, &pairs, margin, &mut one_by_one).expect("rows that are there");
    let mut rows = ContactColumns::new();
    let found = narrowphase.row_contacts(store, &others, 0..len as usize, margin, &mut rows);
    if let Err(refused) = found {
        assert!(matches!(refused, Error::HasParts { .. }), "{refused}");
        return;
    }
    let found =
        (0..rows.len()).filter_map(|row| rows.get(row)).filter(|row| !row.points().is_empty());
    let found: Vec<Contact> = found.map(|row| row.with_pair(pairs[row.pair.a as usize])).collect();
    assert_eq!(bytes(&found), bytes(&one_by_one), "row by row");
}

fuzz_target!(|world: World| {
    let taken = Taken::of(&world);
    let Taken { store, shapes, wholes } = &taken;
    let touching = if world.exclusive { Touching::Exclusive } else { Touching::Inclusive };
    let Number(margin) = world.margin;
    if !(0.0..=60.0_f32.exp2()).contains(&margin) {
        let refused = Detector::new().contacts(store, margin, &mut Vec::new());
        assert!(refused.is_err(), "margin {margin}");
        return;
    }

    let scalar = find(store, SimdLevel::Scalar, touching, margin);
    for &level in SimdLevel::available() {
        assert_eq!(find(store, level, touching, margin), scalar, "{level} differs");
    }
    let (mut pairs, mut contacts) = (Vec::new(), Vec::new());
    let options = Options { order: Order::Sorted, ..options(SimdLevel::Scalar, touching) };
    let mut sorted = Detector::with_options(options).expect("available");
    sorted.pairs(store, &mut pairs).expect("checked shapes");
    sorted.contacts(store, margin, &mut contacts).expect("checked shapes");
    assert_eq!(pairs, whole::pairs(wholes, touching), "the twin's pairs");
    assert_eq!(
        bytes(&contacts),
        bytes(&twins::whole::contacts(wholes, margin, touching)),
        "the twin's"
    );
    truth::check(&contacts, &pairs, wholes);
    if let [a, b, ..] = &shapes[..] {
        let [a, b] = [a, b].map(|(shape, pose)| Posed { pose: *pose, ..Posed::from(shape) });
        truth::check_mirror(&a, &b, [&wholes[0], &wholes[1]], margin);
        let hit = pairs.contains(&Pair { a: 0, b: 1 });
        assert_eq!(narrowphase::touches(a, b, touching), Ok(hit), "two at a time");
        assert_eq!(narrowphase::touches(b, a, touching), Ok(hit), "two at a time, exchanged");
        let deepest = twins::whole::deepest(&wholes[0], &wholes[1], margin);
        let expected = deepest.map(|contact| contact.with_pair(Pair { a: 0, b: 0 }));
        let found = narrowphase::contact(a, b, margin).expect("a margin that was taken before");
        assert_eq!(bytes(found.as_slice()), bytes(expected.as_slice()), "two at a time");
    }
    world.sides.check(&taken, touching, margin);
});
