//! Another library as a witness: parry2d in `f64`, its shapes made from the same `f32` values, agrees on
//! how far shapes are apart, in which direction, and on which touch.
#![allow(clippy::unwrap_used, reason = "a panic is a failed test, in its helpers too")]

mod common;

use common::{
    convex::{Convex, cores, exits, length, minus},
    crowd::{Crowd, Make, Numbers, store},
};
use parry2d_f64::{
    math::{Pose, Vector},
    query::{contact, intersection_test},
    shape::{Ball, ConvexPolygon, Segment, Shape},
};
use widephase::{Detector, Order, Pair, Touching};

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

/// How many pairs there were, and how many were left out of what.
#[derive(Debug, Default)]
struct Tally {
    pairs: usize,
    touching: usize,
    /// Too near to touching for a `bool`.
    near: usize,
    /// Without a direction to compare: two ways out are about as short, or hardly any way at all.
    without_direction: usize,
    /// Parry gave no answer.
    unanswered: usize,
}

/// All pairs of a crowd that are at most `margin` apart.
fn check(crowd: &Crowd, tally: &mut Tally) {
    let solids = crowd.solids();
    let parts: Vec<Convex> = solids.iter().flat_map(Convex::parts).collect();
    let store = store(&solids);
    let margin = 0.5;
    let (mut contacts, mut pairs) = (Vec::new(), Vec::new());
    let mut detector = Detector::new().order(Order::Sorted).touching(Touching::Inclusive);
    detector.contacts(&store, margin, &mut contacts).unwrap();
    detector.detect(&store, &mut pairs).unwrap();
    let mut listed = contacts.iter().peekable();
    for (i, a) in parts.iter().enumerate() {
        for (j, b) in parts.iter().enumerate().skip(i + 1) {
            let pair = Pair { a: i as u32, b: j as u32 };
            let found = listed.next_if(|contact| contact.pair == pair);
            let ((pose_a, core_a), (pose_b, core_b)) = (core_in_parry(a), core_in_parry(b));
            let far = length(minus(a.corners[0], b.corners[0]));
            let size = a.reach().1 + b.reach().1;
            if far > 3.0 * size + 1.0 {
                assert!(found.is_none());
                continue;
            }
            tally.pairs += 1;
            let answer = contact(&pose_a, &*core_a, &pose_b, &*core_b, 1e6).ok().flatten();
            let Some(answer) = answer else {
                tally.unanswered += 1;
                continue;
            };
            // Of cores that overlap: if parry's way out does not lead out, in parry's own opinion, it is
            // no answer (its iteration ends early now and then, on many vertices).
            if answer.dist < 0.0 {
                let way = answer.normal1 * (1e-4 * size - answer.dist);
                let moved = Pose::translation(way.x, way.y) * pose_b;
                if intersection_test(&pose_a, &*core_a, &moved, &*core_b).unwrap().intersecting {
                    tally.unanswered += 1;
                    continue;
                }
            }
            let radii = a.radius + b.radius;
            let distance = answer.dist - radii;

            // Which touch.
            if distance.abs() < 1e-5 * size {
                tally.near += 1;
            } else {
                let hit = pairs.binary_search(&pair).is_ok();
                assert_eq!(hit, distance < 0.0, "{a:?} {b:?} {distance}");
                tally.touching += usize::from(hit);
            }
            if distance > f64::from(margin) * (1.0 - 1e-5) {
                continue;
            }
            // How far apart.
            let found = found.unwrap_or_else(|| panic!("{a:?} {b:?}: {distance} apart"));
            let error = (-f64::from(found.depth) - distance).abs();
            assert!(error <= 1e-4 * size.max(far), "{a:?} {b:?}: {found:?}, parry {distance}");

            // In which direction: if the way from core to core is a way, or of the ways out of each
            // other, one is shorter than all others.
            let apart = cores(a, b);
            let clear = if apart > 0.0 {
                apart > 1e-3 * size
            } else {
                let ways = exits(a, b);
                let alike = |way: &&(f64, [f64; 2])| length(minus(way.1, ways[0].1)) > 1e-6;
                let second = ways.iter().find(alike);
                !ways.is_empty() && second.is_none_or(|way| ways[0].0 - way.0 > 1e-3 * size)
            };
            if !clear {
                tally.without_direction += 1;
                continue;
            }
            let normal = [found.normal_x, found.normal_y].map(f64::from);
            let off = length(minus(normal, [answer.normal1.x, answer.normal1.y]));
            assert!(off < 1e-3, "{a:?} {b:?}: {found:?}, parry {:?} {distance}", answer.normal1);
        }
    }
    assert!(listed.next().is_none());
}

#[test]
fn distances_and_directions() {
    for numbers in [Numbers::Smooth, Numbers::Sizes, Numbers::Thin] {
        let mut tally = Tally::default();
        for seed in 0..150 {
            let makes = Make::SINGLE.to_vec();
            let crowd = Crowd { seed, count: 24, makes, numbers, unit: 0, far: 0, flat: false };
            check(&crowd, &mut tally);
        }
        eprintln!("{numbers:?}: {tally:?}");
        let Tally { pairs, touching, near, without_direction, unanswered } = tally;
        assert!(touching > 1000 && near * 1000 <= pairs, "{numbers:?}");
        assert!(without_direction * 10 <= touching && unanswered * 100 <= pairs, "{numbers:?}");
    }
}
