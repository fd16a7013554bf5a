//! Another library as a witness: parry2d in `f64`, its shapes made from the same `f32` values,
//! agrees on how far shapes are apart, in which direction, and on which touch; for every two kinds,
//! rounded polygons and the parts of compounds among them.
#![allow(clippy::unwrap_used, reason = "a panic is a failed test, in its helpers too")]

use common::{
    convex::{Convex, clearance, cores, exits, length, minus, times},
    crowd::{Crowd, Make, Numbers, PosedShape, store},
    product,
};
use parry2d_f64::{
    math::{Pose, Vector},
    query::{contact, intersection_test},
    shape::{Ball, ConvexPolygon, Segment, Shape},
};
use widephase::{
    Contact, Detector, Options, Order, Pair, Touching,
    shape::{OwnedShape, Part},
};

/// The core in parry's terms, in the coordinates of the world.
fn core_in_parry(shape: &Convex) -> (Pose, Box<dyn Shape>) {
    let corner = |i: usize| Vector::new(shape.corners[i][0], shape.corners[i][1]);
    match shape.corners.len() {
        1 => {
            let [x, y] = shape.corners[0];
            (Pose::translation(x, y), Box::new(Ball::new(0.0)))
        }
        2 => (Pose::identity(), Box::new(Segment::new(corner(0), corner(1)))),
        n => {
            let corners = (0..n).map(corner).collect();
            let polygon = ConvexPolygon::from_convex_polyline_unmodified(corners).unwrap();
            (Pose::identity(), Box::new(polygon))
        }
    }
}

/// The numbers of compared and of left out pairs. Shapes are compared part by part: each part of a
/// compound, or the only part of another shape.
#[derive(Debug, Default)]
struct Tally {
    pairs: usize,
    touching: usize,
    /// Too near to touching for a `bool`.
    near: usize,
    /// Without a direction to compare: two ways out are about as short, or there is hardly any way.
    without_direction: usize,
    /// With a direction that is known less well: the way begins next to where a side ends.
    beside_corner: usize,
    /// Parry gave no answer.
    unanswered: usize,
    /// By the kinds of both shapes, the later kind first: whose distances were compared, and whose
    /// directions, to one in 10,000.
    distances: [[usize; KINDS]; KINDS],
    directions: [[usize; KINDS]; KINDS],
}

const KINDS: usize = Make::ALL.len();

/// The kind of a shape. The kind of a part of a compound is that.
fn kind_of(solid: &PosedShape) -> Make {
    match &solid.shape {
        OwnedShape::Compound(_) => Make::Compound,
        OwnedShape::Single(Part::Point(_)) => Make::Point,
        OwnedShape::Single(Part::Circle(_)) => Make::Circle,
        OwnedShape::Single(Part::Aabb(_)) => Make::Aabb,
        OwnedShape::Single(Part::RoundedBox(_)) => Make::RoundedBox,
        OwnedShape::Single(Part::Obb(_)) => Make::Obb,
        OwnedShape::Single(Part::Capsule(_)) => Make::Capsule,
        OwnedShape::Single(Part::Segment(_)) => Make::Segment,
        OwnedShape::Single(Part::Polygon(polygon)) => match polygon.vertices().len() {
            _ if polygon.radius() > 0.0 => Make::RoundedPolygon,
            0..=8 => Make::Polygon,
            _ => Make::Many,
        },
        other => panic!("{other:?}"),
    }
}

/// The distance of two parts by parry, below zero for an overlap, and its direction.
enum Answer {
    /// The parts are far from each other, so parry is not called.
    Far,
    None,
    Known {
        distance: f64,
        normal: [f64; 2],
    },
}

fn ask_parry(a: &Convex, b: &Convex) -> Answer {
    let size = sizes(a, b);
    if length(minus(a.corners[0], b.corners[0])) > 3.0 * size + 1.0 {
        return Answer::Far;
    }
    let ((pose_a, core_a), (pose_b, core_b)) = (core_in_parry(a), core_in_parry(b));
    let Some(answer) = contact(&pose_a, &*core_a, &pose_b, &*core_b, 1e6).ok().flatten() else {
        return Answer::None;
    };
    let distance = answer.dist - a.radius - b.radius;
    // Of cores that overlap: if parry's way out does not lead out, in parry's own opinion, or is
    // longer than the shortest by the sides, it is no answer (its iteration ends early now and
    // then, on many vertices and on thin shapes).
    if answer.dist < 0.0 {
        let way = answer.normal1 * (1e-4 * size - answer.dist);
        let moved = Pose::translation(way.x, way.y) * pose_b;
        let overlap = intersection_test(&pose_a, &*core_a, &moved, &*core_b).unwrap().intersecting;
        if overlap || (distance - clearance(a, b)).abs() > 1e-6 * size {
            return Answer::None;
        }
    }
    Answer::Known { distance, normal: [answer.normal1.x, answer.normal1.y] }
}

fn sizes(a: &Convex, b: &Convex) -> f64 {
    a.reach().1 + b.reach().1
}

/// Whether there is one direction: the cores are apart, or one way out is shorter than all other
/// ways out, by a 10,000th of the sizes. (The first shape's side is preferred by a 2^15th of the
/// distance of the middles; ways of a 2^16th have no direction.)
fn has_direction(a: &Convex, b: &Convex) -> bool {
    let (least, apart) = (1e-4 * sizes(a, b), cores(a, b));
    if apart > -least {
        return apart > least;
    }
    let ways = exits(a, b);
    let alike = |way: &&(f64, [f64; 2])| length(minus(way.1, ways[0].1)) > 1e-6;
    let second = ways.iter().find(alike);
    !ways.is_empty() && second.is_none_or(|way| ways[0].0 - way.0 > least)
}

/// The direction to a side and the direction to its end are distinguished by the cosine of the
/// angle between them. `f32` resolves it down to this limit (docs/narrowphase.md); below, either is
/// accepted.
const BESIDE: f64 = 1.2e-3;

/// Whether cores are apart in a direction that hardly differs from the direction of a side or of a
/// way between corners.
fn is_beside_corner(a: &Convex, b: &Convex, normal: [f64; 2]) -> bool {
    let alike = |way: [f64; 2]| length(minus(way, normal)) < BESIDE;
    let corner = |from: &[f64; 2]| {
        let way = |to: &[f64; 2]| minus(*to, *from);
        b.corners.iter().map(way).any(|way| alike(times(way, 1.0 / length(way))))
    };
    cores(a, b) > 0.0
        && exits(a, b).iter().any(|&(_, side)| alike(side))
        && a.corners.iter().any(corner)
}

/// All pairs of a crowd that are at most `margin` apart.
fn check(crowd: &Crowd, tally: &mut Tally) {
    let solids = crowd.solids();
    let parts: Vec<Vec<Convex>> = solids.iter().map(Convex::parts).collect();
    let store = store(&solids);
    let (mut contacts, mut pairs) = (Vec::new(), Vec::new());
    let mut detector = Detector::with_options(Options {
        order: Order::Sorted,
        touching: Touching::Inclusive,
        ..Options::default()
    })
    .unwrap();
    detector.contacts(&store, MARGIN, &mut contacts).unwrap();
    detector.pairs(&store, &mut pairs).unwrap();
    let mut listed = contacts.iter().peekable();
    for (i, first) in parts.iter().enumerate() {
        for (j, second) in parts.iter().enumerate().skip(i + 1) {
            let pair = Pair { a: i as u32, b: j as u32 };
            let kinds = [kind_of(&solids[i]), kind_of(&solids[j])].map(|make| make as usize);
            let kinds = [kinds[0].max(kinds[1]), kinds[0].min(kinds[1])];
            let (mut near, mut hit, mut unknown) = (false, false, false);
            let both = (first.iter().enumerate(), second.iter().enumerate());
            for ((part_a, a), (part_b, b)) in product(both) {
                let parts = (part_a as u32, part_b as u32);
                let found = listed.next_if(|contact| {
                    contact.pair == pair && (contact.part_a, contact.part_b) == parts
                });
                let size = sizes(a, b);
                match ask_parry(a, b) {
                    Answer::Far => assert!(found.is_none()),
                    Answer::None => {
                        tally.pairs += 1;
                        tally.unanswered += 1;
                        unknown = true;
                    }
                    Answer::Known { distance, normal } => {
                        tally.pairs += 1;
                        near |= distance.abs() < 1e-5 * size;
                        hit |= distance <= -1e-5 * size;
                        compare([a, b], found, distance, normal, kinds, tally);
                    }
                }
            }
            // Whether they touch: any part of one shape and any part of the other.
            let touches = pairs.binary_search(&pair).is_ok();
            if !hit && (near || unknown) {
                tally.near += usize::from(near);
            } else {
                assert_eq!(touches, hit, "{first:?} {second:?}");
                tally.touching += usize::from(hit);
            }
        }
    }
    assert!(listed.next().is_none());
}

const MARGIN: f32 = 0.5;

/// A contact of two parts beside the answer of parry.
fn compare(
    [a, b]: [&Convex; 2],
    found: Option<&Contact>,
    distance: f64,
    normal: [f64; 2],
    [row, column]: [usize; 2],
    tally: &mut Tally,
) {
    if distance > f64::from(MARGIN) * (1.0 - 1e-5) {
        return;
    }
    let found = found.unwrap_or_else(|| panic!("{a:?} {b:?}: {distance} apart"));
    let what = || format!("{a:?} {b:?}: {found:?}, parry {distance}, {normal:?}");
    let clear = has_direction(a, b);
    // The distance, to ten roundings of the sizes, of the way between them and of the coordinates:
    // one in 10,000 of a distance that is at least a 160th of these. If there are two ways out, the
    // other way is longer.
    let far = length(minus(a.corners[0], b.corners[0]));
    let scale = sizes(a, b).max(far).max(a.reach().0).max(b.reach().0);
    let exact = if clear { 6e-7 * scale } else { 1e-4 * sizes(a, b).max(far) };
    let error = (-f64::from(found.depth) - distance).abs();
    assert!(error <= exact, "{}", what());
    tally.distances[row][column] += 1;

    // In which direction.
    if !clear {
        tally.without_direction += 1;
        return;
    }
    let off = length(minus([found.normal().x, found.normal().y].map(f64::from), normal));
    if is_beside_corner(a, b, normal) {
        assert!(off < BESIDE, "{}", what());
        tally.beside_corner += 1;
        return;
    }
    assert!(off < 1e-4, "{}", what());
    tally.directions[row][column] += 1;
}

#[test]
fn distances_and_directions() {
    let [mut distances, mut directions] = [[[0; KINDS]; KINDS]; 2];
    for numbers in [Numbers::Smooth, Numbers::Sizes, Numbers::Thin] {
        let mut tally = Tally::default();
        for seed in 0..500 {
            let makes = Make::ALL.to_vec();
            let crowd = Crowd { seed, count: 24, makes, numbers, unit: 0, far: 0, flat: false };
            check(&crowd, &mut tally);
        }
        eprintln!("{numbers:?}: {tally:?}");
        let Tally { pairs, touching, near, without_direction, beside_corner, unanswered, .. } =
            tally;
        assert!(touching > 3000 && near * 1000 <= pairs, "{numbers:?}");
        assert!(without_direction * 10 <= touching && unanswered * 100 <= pairs, "{numbers:?}");
        assert!(beside_corner * 100 <= pairs, "{numbers:?}");
        for (all, some) in [(&mut distances, tally.distances), (&mut directions, tally.directions)]
        {
            for (all, some) in all.iter_mut().flatten().zip(some.iter().flatten()) {
                *all += some;
            }
        }
    }
    for (row, kind) in Make::ALL.iter().enumerate() {
        for (column, other) in Make::ALL.iter().enumerate().take(row + 1) {
            let counts = [distances[row][column], directions[row][column]];
            assert!(counts.iter().all(|&count| count >= 50), "{kind:?} and {other:?}: {counts:?}");
        }
    }
}
