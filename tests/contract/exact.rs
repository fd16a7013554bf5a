//! Touching, decided in whole numbers.
//!
//! Coordinates and radii are whole multiples of a power of two, up to 2^10 of them. So shapes are
//! known exactly, and whether they touch is decided without rounding: with `D` the Minkowski
//! difference of the cores and `r` the sum of the radii, shapes touch
//!
//! - under `Inclusive` if the distance of the origin from `D` is at most `r`;
//! - under `Exclusive` if it is less than `r`, or the origin is in the interior of `D`.

use widephase::{
    Detector, Index, Options, Order, Pair, Shapes, SimdLevel, Touching,
    narrowphase::{contact, touches},
    shape::{
        Aabb, Capsule, Circle, ConvexPolygon, Obb, OwnedShape, Point, Pose, Posed, Rotation,
        RoundedBox, Segment,
    },
};

use crate::tally::Tally;
use common::rng::{Rng, pow2};

type Place = [i64; 2];

/// The largest coordinate and radius.
const REACH: i64 = 1 << 10;
const MARGINS: [f32; 3] = [0.0, 0.5, 100.0];
const POLICIES: [Touching; 2] = [Touching::Inclusive, Touching::Exclusive];
/// Whole vectors of whole length.
const TRIPLES: [[i64; 3]; 6] =
    [[3, 4, 5], [5, 12, 13], [8, 15, 17], [20, 21, 29], [1, 0, 1], [7, 24, 25]];

fn plus(a: Place, b: Place) -> Place {
    [a[0] + b[0], a[1] + b[1]]
}

fn minus(a: Place, b: Place) -> Place {
    [a[0] - b[0], a[1] - b[1]]
}

fn times(a: Place, factor: i64) -> Place {
    a.map(|v| v * factor)
}

fn dot(a: Place, b: Place) -> i64 {
    a[0] * b[0] + a[1] * b[1]
}

fn cross(a: Place, b: Place) -> i64 {
    a[0] * b[1] - a[1] * b[0]
}

/// A rotation by this number of quarter turns.
fn turned(v: Place, quarters: usize) -> Place {
    (0..quarters).fold(v, |[x, y], _| [-y, x])
}

fn gcd(a: i64, b: i64) -> i64 {
    if b == 0 { a.abs().max(1) } else { gcd(b, a % b) }
}

/// The corners of the convex hull, counter-clockwise; one or two where it has no area.
fn hull(points: &[Place]) -> Vec<Place> {
    let mut points = points.to_vec();
    points.sort_unstable();
    points.dedup();
    if points.len() < 3 {
        return points;
    }
    let half = |points: &mut dyn Iterator<Item = Place>| {
        let mut chain: Vec<Place> = vec![];
        for point in points {
            while let [.., a, b] = chain[..]
                && cross(minus(b, a), minus(point, b)) <= 0
            {
                chain.pop();
            }
            chain.push(point);
        }
        chain.pop();
        chain
    };
    let mut all = half(&mut points.iter().copied());
    all.extend(half(&mut points.iter().rev().copied()));
    all
}

/// Whether shapes touch under both policies, by their cores and the sum of their radii.
fn truth(a: &[Place], b: &[Place], radii: i64) -> [bool; 2] {
    let differences: Vec<_> = a.iter().flat_map(|&p| b.iter().map(move |&q| minus(p, q))).collect();
    let corners = hull(&differences);
    let sides = || (0..corners.len()).map(|i| [corners[i], corners[(i + 1) % corners.len()]]);
    let turns = || sides().map(|[p, q]| cross(p, q));
    let area = corners.len() > 2;
    if area && turns().all(|turn| turn > 0) {
        return [true, true];
    }
    // The square of the distance of the origin from a side, as a fraction.
    let distance2 = |[p, q]: [Place; 2]| {
        let along = minus(q, p);
        let (at, length2) = (-dot(p, along), dot(along, along));
        if at <= 0 {
            (dot(p, p), 1)
        } else if at >= length2 {
            (dot(q, q), 1)
        } else {
            (cross(p, q).pow(2), length2)
        }
    };
    let distances = || sides().map(distance2).map(|(n, d)| (i128::from(n), i128::from(d)));
    let radii2 = i128::from(radii).pow(2);
    [
        distances().any(|(over, under)| over <= radii2 * under),
        distances().any(|(over, under)| over < radii2 * under),
    ]
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Form {
    Point,
    Circle,
    Aabb,
    RoundedBox,
    Segment,
    Capsule,
    Polygon,
    RoundedPolygon,
    Obb,
}

const FORMS: [Form; 9] = [
    Form::Point,
    Form::Circle,
    Form::Aabb,
    Form::RoundedBox,
    Form::Segment,
    Form::Capsule,
    Form::Polygon,
    Form::RoundedPolygon,
    Form::Obb,
];

impl Form {
    fn name(self) -> &'static str {
        match self {
            Form::Point => "point",
            Form::Circle => "circle",
            Form::Aabb => "aabb",
            Form::RoundedBox => "rounded_box",
            Form::Segment => "segment",
            Form::Capsule => "capsule",
            Form::Polygon => "polygon",
            Form::RoundedPolygon => "rounded_polygon",
            Form::Obb => "obb",
        }
    }

    fn is_round(self) -> bool {
        matches!(self, Form::Circle | Form::RoundedBox | Form::Capsule | Form::RoundedPolygon)
    }

    fn is_line(self) -> bool {
        matches!(self, Form::Segment | Form::Capsule)
    }

    fn is_polygon(self) -> bool {
        matches!(self, Form::Polygon | Form::RoundedPolygon)
    }
}

/// A shape in whole numbers.
#[derive(Debug, Clone)]
struct Whole {
    form: Form,
    /// The corners of the core, counter-clockwise.
    corners: Vec<Place>,
    radius: i64,
    /// By how many quarter turns it is posed, and, if it is a polygon, where its origin is.
    pose: Option<(usize, Place)>,
}

impl Whole {
    /// A random shape with coordinates up to `reach`.
    fn random(form: Form, reach: i64, rng: &mut Rng) -> Self {
        let place = |rng: &mut Rng| [rng.int(-reach, reach), rng.int(-reach, reach)];
        let first = place(rng);
        // Directions of whole length are as frequent as other directions.
        let second = match rng.below(2) {
            0 => place(rng),
            _ => {
                let (way, factor) = (triple(rng).0, rng.int(1, (reach / 5).max(1)));
                plus(first, times(way, factor))
            }
        };
        let corners = match form {
            Form::Point | Form::Circle => vec![first],
            Form::Segment | Form::Capsule => hull(&[first, second]),
            Form::Aabb | Form::RoundedBox | Form::Obb => {
                let other = place(rng);
                hull(&[first, [first[0], other[1]], other, [other[0], first[1]]])
            }
            Form::Polygon | Form::RoundedPolygon => {
                let count = [1, 2, 3, 6, 14][rng.below(5) as usize];
                let mut points: Vec<_> = (0..count).map(|_| place(rng)).collect();
                points.extend([first, second]);
                hull(&points)
            }
        };
        let radius = match form.is_round() {
            true => {
                let most = [1, reach, reach / 4 + 1][rng.below(3) as usize];
                rng.int(0, most)
            }
            false => 0,
        };
        let pose = (rng.below(4) == 0).then(|| (rng.below(4) as usize, place(rng)));
        Self { form, corners, radius, pose }
    }

    /// Whether it has its form and is within reach.
    fn is_good(&self) -> bool {
        let within = |&v: &i64| v.abs() <= REACH;
        self.corners.iter().flatten().all(within)
            && (0..=REACH).contains(&self.radius)
            && (!self.form.is_polygon() || self.corners.len() > 2)
    }

    /// Two corners that follow each other.
    fn side(&self, rng: &mut Rng) -> [Place; 2] {
        let at = rng.below(self.corners.len() as u64) as usize;
        [self.corners[at], self.corners[(at + 1) % self.corners.len()]]
    }

    /// A whole place on a side or, if `beyond`, on its line.
    fn on_side([p, q]: [Place; 2], beyond: bool, rng: &mut Rng) -> Place {
        let along = minus(q, p);
        let parts = gcd(along[0], along[1]);
        let step = along.map(|v| v / parts);
        let outside = if beyond { parts } else { 0 };
        plus(p, times(step, rng.int(-outside, parts + outside)))
    }

    fn shift(&mut self, by: Place) {
        for corner in &mut self.corners {
            *corner = plus(*corner, by);
        }
    }

    /// The shape that the engine is given.
    fn shape(&self, unit: f32) -> (OwnedShape, Option<Pose>) {
        let at = |place: Place| place.map(|v| v as f32 * unit);
        let radius = self.radius as f32 * unit;
        let (min, max) =
            self.corners.iter().fold(([i64::MAX; 2], [i64::MIN; 2]), |(min, max), &[x, y]| {
                ([min[0].min(x), min[1].min(y)], [max[0].max(x), max[1].max(y)])
            });
        let middle = plus(min, max).map(|v| v as f32 * 0.5 * unit);
        let size = minus(max, min).map(|v| v as f32 * unit);
        let half = size.map(|v| v * 0.5);
        let quarters = self.pose.map_or(0, |(quarters, _)| quarters);
        let rotation = |quarters: usize| {
            let [cos, sin] = turned([1, 0], quarters).map(|v| v as f32);
            Rotation { cos, sin }
        };
        let at_middle = |quarters: usize| self.pose.map(|_| Pose::new(middle, rotation(quarters)));
        let aligned = match self.pose {
            None => Aabb::new(at(min), at(max)),
            Some((_, origin)) => Aabb::new(at(origin), [0, 1].map(|i| at(origin)[i] + size[i])),
        };
        let own = match quarters % 2 {
            0 => half,
            _ => [half[1], half[0]],
        };
        let last = self.corners[self.corners.len() - 1];
        match self.form {
            Form::Point => (Point::new(at(self.corners[0])).into(), None),
            Form::Circle => (Circle::new(at(self.corners[0]), radius).into(), None),
            Form::Aabb => (aligned.into(), at_middle(0)),
            Form::RoundedBox => (RoundedBox::new(aligned, radius).into(), at_middle(0)),
            Form::Obb => {
                let obb = |center: [f32; 2]| Obb::new(center, own, rotation(quarters));
                match self.pose {
                    // The pose takes the place of centre and rotation.
                    Some((2.., origin)) => (obb(at(origin)).into(), at_middle(quarters)),
                    _ => (obb(middle).into(), None),
                }
            }
            Form::Segment | Form::Capsule => {
                let straight = size[0] == 0.0 || size[1] == 0.0;
                let (ends, pose) = match self.pose {
                    // A pose takes the place of middle and direction.
                    Some((quarters, origin)) if straight => {
                        let (from, length) = (at(origin), size[0].max(size[1]));
                        let standing = usize::from(size[0] == 0.0);
                        (
                            [from, [from[0] + length, from[1]]],
                            at_middle(quarters / 2 * 2 + standing),
                        )
                    }
                    _ => ([at(self.corners[0]), at(last)], None),
                };
                match self.form {
                    Form::Segment => (Segment::new(ends[0], ends[1]).into(), pose),
                    _ => (Capsule::new(ends[0], ends[1], radius).into(), pose),
                }
            }
            Form::Polygon | Form::RoundedPolygon => {
                let (quarters, origin) = self.pose.unwrap_or_default();
                let local = |&corner: &Place| at(turned(minus(corner, origin), 4 - quarters));
                let local: Vec<[f32; 2]> = self.corners.iter().map(local).collect();
                let polygon = ConvexPolygon::new(&local).unwrap().with_radius(radius).unwrap();
                let pose = self.pose.map(|_| Pose::new(at(origin), rotation(quarters)));
                (polygon.into(), pose)
            }
        }
    }
}

/// A whole vector of whole length, and the length.
fn triple(rng: &mut Rng) -> (Place, i64) {
    let [x, y, length] = TRIPLES[rng.below(6) as usize];
    let (x, y) = if rng.below(2) == 0 { (x, y) } else { (-x, y) };
    (turned([x, y], rng.below(4) as usize), length)
}

/// A shape that touches `a`, or nearly does, in one of the ways in which touching is exact.
fn partner(a: &Whole, form: Form, reach: i64, rng: &mut Rng) -> Whole {
    let mut b = Whole::random(form, reach, rng);
    let (side_a, side_b) = (a.side(rng), b.side(rng));
    match rng.below(8) {
        // Anywhere.
        0 => {}
        // Vertex on vertex.
        1 => b.shift(minus(side_a[0], side_b[0])),
        // Vertex on side, or on its line.
        2 => b.shift(minus(Whole::on_side(side_a, rng.below(4) == 0, rng), side_b[0])),
        3 => b.shift(minus(side_a[0], Whole::on_side(side_b, false, rng))),
        // On one line: end to end, overlapping, contained, with a gap.
        4 if form.is_line() => {
            b.corners = hull(&[(); 2].map(|()| Whole::on_side(side_a, true, rng)));
        }
        // A side on one line.
        4 if form.is_polygon() => {
            let third = b.corners[0];
            let ends = [(); 2].map(|()| Whole::on_side(side_a, true, rng));
            b.corners = hull(&[ends[0], ends[1], third]);
        }
        // Crossing in a whole place.
        4 | 5 => {
            let (at, of) = (Whole::on_side(side_a, false, rng), Whole::on_side(side_b, false, rng));
            b.shift(minus(at, of));
        }
        // Vertices whose distance is the sum of the radii.
        6 => {
            let (way, length) = triple(rng);
            let factor = rng.int(0, (reach / length).max(1));
            b.shift(minus(plus(side_a[0], times(way, factor)), side_b[0]));
            if form.is_round() {
                b.radius = length * factor - a.radius;
            }
        }
        // A vertex whose distance from a side is the sum of the radii.
        _ => {
            let along = minus(side_a[1], side_a[0]);
            let parts = gcd(along[0], along[1]);
            let out = turned(along.map(|v| v / parts), 3);
            let length = (dot(out, out) as f64).sqrt().round() as i64;
            let factor = rng.int(0, (reach / length.max(1)).max(1));
            let at = plus(Whole::on_side(side_a, false, rng), times(out, factor));
            b.shift(minus(at, side_b[0]));
            if form.is_round() {
                b.radius = length * factor - a.radius;
            }
        }
    }
    if rng.below(4) == 0 {
        b.shift([rng.int(-1, 1), rng.int(-1, 1)]);
    }
    b
}

/// Shapes of some forms, each two of them related.
fn crowd(forms: &[Form], pairs: usize, rng: &mut Rng) -> Vec<Whole> {
    let form = |rng: &mut Rng| forms[rng.below(forms.len() as u64) as usize];
    let mut crowd = vec![];
    while crowd.len() < 2 * pairs {
        let reach = [3, 8, 40, 300, 1000][rng.below(5) as usize];
        let a = Whole::random(form(rng), reach, rng);
        let b = partner(&a, form(rng), reach, rng);
        if a.is_good() && b.is_good() {
            crowd.extend([a, b]);
        }
    }
    crowd
}

/// A crowd as the engine has it.
struct Given {
    store: Shapes,
    solids: Vec<(OwnedShape, Option<Pose>)>,
}

impl Given {
    fn new(crowd: &[Whole], unit: f32) -> Self {
        let mut given = Self { store: Shapes::new(), solids: vec![] };
        for whole in crowd {
            let (shape, pose) = whole.shape(unit);
            match pose {
                Some(pose) => given.store.push_at(&shape, pose).unwrap(),
                None => given.store.push(&shape).unwrap(),
            };
            given.solids.push((shape, pose));
        }
        given
    }

    fn posed(&self, row: usize) -> Posed<'_> {
        let (shape, pose) = &self.solids[row];
        Posed { pose: *pose, ..Posed::from(shape) }
    }
}

/// Asks all ways about all pairs of a crowd.
fn check(crowd: &[Whole], exponent: i32, tally: &mut Tally) {
    let unit = pow2(exponent);
    let given = Given::new(crowd, unit);
    let show = |a: usize, b: usize, what: &str| {
        let of = |i: usize| crowd[i].shape(1.0);
        format!("times 2^{exponent}, {what}: {:?} and {:?}", of(a), of(b))
    };
    let names = |a: usize, b: usize| [crowd[a].form.name(), crowd[b].form.name()];
    let mut pairs = vec![];
    for (a, one) in crowd.iter().enumerate() {
        for (b, other) in crowd.iter().enumerate().skip(a + 1) {
            let radii = one.radius + other.radius;
            pairs.push((a, b, truth(&one.corners, &other.corners, radii)));
        }
    }
    for &(a, b, truth) in &pairs {
        let (one, other) = (given.posed(a), given.posed(b));
        for (policy, expected) in POLICIES.into_iter().zip(truth) {
            let said = [touches(one, other, policy).unwrap(), touches(other, one, policy).unwrap()];
            let right = said == [expected; 2];
            let what = || show(a, b, &format!("{policy:?}, {said:?}"));
            // Neighbours were made to touch, or nearly.
            let question = match (policy, b == a + 1 && a % 2 == 0) {
                (Touching::Inclusive, true) => "inclusive, partners",
                (Touching::Inclusive, false) => "inclusive, others",
                (Touching::Exclusive, true) => "exclusive, partners",
                (Touching::Exclusive, false) => "exclusive, others",
            };
            tally.count(question, names(a, b), right, what);
        }
        let touches = touches(one, other, Touching::Inclusive).unwrap();
        for margin in MARGINS {
            let found = contact(one, other, margin).unwrap();
            let deep = found.is_some_and(|contact| contact.depth >= 0.0);
            let what = || show(a, b, &format!("test {touches}, margin {margin}: {found:?}"));
            tally.count("test is contact", names(a, b), deep == touches, what);
        }
    }

    let moving = crowd.len() / 2;
    let half = Given::new(&crowd[..moving], unit);
    let statics = Index::build(&Given::new(&crowd[moving..], unit).store).unwrap();
    for &level in SimdLevel::available() {
        for (which, policy) in POLICIES.into_iter().enumerate() {
            let mut detector = Detector::with_options(Options {
                order: Order::Sorted,
                simd_level: Some(level),
                touching: policy,
                ..Options::default()
            })
            .unwrap();
            let (mut found, mut hits) = (vec![], vec![]);
            detector.pairs(&given.store, &mut found).unwrap();
            detector.pairs((&half.store, &statics), &mut hits).unwrap();
            let listed = |list: &[Pair], a: usize, b: usize| {
                list.binary_search(&Pair { a: a as u32, b: b as u32 }).is_ok()
            };
            for &(a, b, truth) in &pairs {
                let what = || show(a, b, &format!("{policy:?}, {level}"));
                let right = listed(&found, a, b) == truth[which];
                tally.count("detect", names(a, b), right, what);
                if a < moving && b >= moving {
                    let right = listed(&hits, a, b - moving) == truth[which];
                    tally.count("static", names(a, b), right, what);
                }
            }
            for list in [&found, &hits] {
                assert!(list.windows(2).all(|two| two[0] < two[1]), "sorted, each pair once");
            }
        }
    }
}

#[test]
fn each_pair_of_kinds() {
    let (mut rng, mut tally) = (Rng::new(1), Tally::default());
    for (i, &a) in FORMS.iter().enumerate() {
        for &b in &FORMS[i..] {
            for _ in 0..8 {
                let crowd = crowd(&[a, b], 16, &mut rng);
                check(&crowd, rng.int(-20, 20) as i32, &mut tally);
            }
        }
    }
    tally.finish();
}

#[test]
fn crowds_of_all_kinds() {
    let (mut rng, mut tally) = (Rng::new(2), Tally::default());
    for _ in 0..60 {
        let crowd = crowd(&FORMS, 32, &mut rng);
        check(&crowd, rng.int(-20, 20) as i32, &mut tally);
    }
    tally.finish();
}

/// The truth of these tests, where it is plain to see.
#[test]
fn the_truth_decides_plain_cases_as_defined() {
    let line = |a, b| vec![a, b];
    let square = vec![[0, 0], [4, 0], [4, 4], [0, 4]];
    for (a, b, radii, touches) in [
        // Crossing, end on side, end on end, on one line, beside each other.
        (line([0, 0], [4, 4]), line([0, 4], [4, 0]), 0, [true, true]),
        (line([0, 0], [4, 0]), line([2, 0], [2, 4]), 0, [true, false]),
        (line([0, 0], [4, 0]), line([4, 0], [5, 3]), 0, [true, false]),
        (line([0, 0], [4, 0]), line([2, 0], [6, 0]), 0, [true, false]),
        (line([0, 0], [4, 0]), line([0, 1], [4, 1]), 0, [false, false]),
        (line([0, 0], [4, 0]), line([0, 1], [4, 1]), 1, [true, false]),
        (line([0, 0], [4, 0]), line([2, 0], [6, 0]), 1, [true, true]),
        // Points: a point is not in the inside of another.
        (vec![[1, 1]], vec![[1, 1]], 0, [true, false]),
        (vec![[0, 0]], vec![[3, 4]], 5, [true, false]),
        (vec![[0, 0]], vec![[3, 4]], 4, [false, false]),
        (square.clone(), vec![[2, 2]], 0, [true, true]),
        (square.clone(), vec![[4, 2]], 0, [true, false]),
        (square.clone(), vec![[4, 4], [8, 4], [8, 8]], 0, [true, false]),
        (square, vec![[7, 8]], 5, [true, false]),
    ] {
        assert_eq!(truth(&a, &b, radii), touches, "{a:?} {b:?} {radii}");
        assert_eq!(truth(&b, &a, radii), touches, "{b:?} {a:?} {radii}");
    }
}
