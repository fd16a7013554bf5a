//! Random rings with slivers; several outlines as one shape, and refused rings.

use widephase::{
    Error,
    error::OutlineFault,
    narrowphase::overlap_area,
    shape::{Aabb, Compound, ConvexPolygon, MAX_VERTICES, OwnedShape, Part},
};

use super::{
    calls::{Case, check_copies, check_sets, check_two, check_world},
    compound,
    exact::{Place, Truth, snap},
    points,
};
use crate::outlines::Ring;
use common::{Rng, crowd::PosedShape, rng::cases};

/// Sides of a star around a place, cut at places that are rounded: vertices that hardly bend them.
fn cut_star(rng: &mut Rng, center: [f64; 2], size: f64) -> Ring {
    let count = rng.int(3, 8);
    let start = f64::from(rng.range(0.0, 6.3));
    let corners: Vec<[f64; 2]> = (0..count)
        .map(|number| {
            let angle = start
                + (number as f64 + f64::from(rng.range(0.0, 0.6))) * std::f64::consts::TAU
                    / count as f64;
            let far = size * f64::from(rng.range(0.4, 1.0));
            [center[0] + far * angle.cos(), center[1] + far * angle.sin()]
        })
        .collect();
    let mut ring = Vec::new();
    for (number, from) in corners.iter().enumerate() {
        let to = corners[(number + 1) % corners.len()];
        let cuts = rng.below(5);
        let mut shares: Vec<f64> = (0..cuts).map(|_| f64::from(rng.range(0.02, 0.98))).collect();
        shares.push(0.0);
        shares.sort_by(f64::total_cmp);
        for share in shares {
            let mut at = [0, 1].map(|axis| snap(from[axis] + (to[axis] - from[axis]) * share));
            if share > 0.0 && rng.below(3) == 0 {
                let axis = rng.below(2) as usize;
                at[axis] = snap(f64::from(at[axis].next_up()));
            }
            ring.push(at);
        }
    }
    ring
}

/// Places that slivers hold: the middles of three vertices, of two that are not neighbours, beside
/// sides, and any places.
fn places(rng: &mut Rng, rings: &[Ring], count: usize) -> Vec<[f32; 2]> {
    let mut found = Vec::new();
    for _ in 0..count {
        let ring = &rings[rng.below(rings.len() as u64) as usize];
        let len = ring.len();
        let first = rng.below(len as u64) as usize;
        let step = rng.int(1, 3) as usize;
        let three = [first, first + step, first + 2 * step].map(|at| ring[at % len].map(f64::from));
        let mut at = match rng.below(4) {
            0 => [0, 1].map(|axis| (three[0][axis] + three[1][axis] + three[2][axis]) / 3.0),
            1 => [0, 1].map(|axis| (three[0][axis] + three[2][axis]) / 2.0),
            2 => {
                let share = f64::from(rng.range(0.0, 1.0));
                [0, 1].map(|axis| three[0][axis] + (three[1][axis] - three[0][axis]) * share)
            }
            _ => {
                let shares = [rng.range(0.0, 1.0), rng.range(0.0, 1.0)].map(f64::from);
                [0, 1].map(|axis| three[0][axis] + (three[2][axis] - three[0][axis]) * shares[axis])
            }
        };
        if rng.below(3) == 0 {
            let axis = rng.below(2) as usize;
            at[axis] = f64::from((at[axis] as f32).next_down());
        }
        found.push(at.map(snap));
    }
    found
}

/// Thin and small triangles about there.
fn triangles(rng: &mut Rng, truth: &Truth, places: &[[f32; 2]], size: f32) -> Vec<Case> {
    let mut found = Vec::new();
    for at in places.iter().copied() {
        let far = size * [1e-6, 1e-3, 0.1, 1.0][rng.below(4) as usize];
        let mut near = || at.map(|value| snap(f64::from(value + rng.range(-far, far))));
        let corners = [at, near(), near()];
        let Ok(polygon) = ConvexPolygon::new(&corners) else { continue };
        let (closed, open) = truth.meets(&corners);
        let touches = [Some(closed), open];
        found.push(Case { shape: polygon.into(), touches, shared: None });
    }
    found
}

#[test]
fn random_rings_with_slivers() {
    let (mut rng, mut checked, mut refused, mut inside) = (Rng::new(71), 0, 0, 0);
    let count = cases(2_000);
    for number in 0..count {
        let size = [0.3, 1.0, 7.0, 1_000.0, 50_000.0][rng.below(5) as usize];
        let far = [0.0, 1.0, 100.0, 3e4, 2e5][rng.below(5) as usize];
        let center = [far, -far * 0.7];
        let mut rings = vec![cut_star(&mut rng, center, size)];
        if rng.below(2) == 0 {
            rings.push(cut_star(&mut rng, center, size * 0.25));
        }
        let outlines = vec![rings];
        let Ok(compound) = Compound::from_outlines(&outlines) else {
            refused += 1;
            continue;
        };
        let rings = &outlines[0];
        let (truth, name) = (Truth::new(&outlines), format!("{number}: {rings:?}"));
        let places = places(&mut rng, rings, 16);
        inside += places.iter().filter(|at| truth.place(**at) == Place::Inside).count();
        let mut all = points(&truth, &places);
        all.extend(triangles(&mut rng, &truth, &places[..6], size as f32));
        let area = PosedShape::from(OwnedShape::from(compound));
        let half = [size, size].map(|half| half as f32 * 1.5 + 1.0);
        let whole = overlap_area(&area, Aabb::centered(center.map(|v| v as f32), half)).unwrap();
        let error = truth.area * 6e-8 + (far + size) * size * 1e-13;
        assert!((f64::from(whole) - truth.area).abs() <= error, "{whole} {} {name}", truth.area);
        check_two(&area, &all, &name);
        if number % 16 == 1 {
            check_sets(&area, &all, true, &name);
            check_world(&area, &all[..8], &name);
        }
        checked += all.len();
    }
    println!("{count} rings, {refused} refused, {checked} cases, {inside} points inside");
    assert!(refused < count / 4 && checked > 13 * count && inside > checked / 8);
}

/// A ring that is convex in all of its vertices: more than a polygon may have.
#[test]
fn a_part_has_at_most_as_many_vertices_as_a_polygon() {
    // The parabola y = x * x, exactly.
    let mut half = Vec::new();
    for exponent in 0..9 {
        for mantissa in 2_048..4_096 {
            let x = mantissa as f32 * f32::powi(2.0, exponent - 14);
            half.push([x, x * x]);
        }
    }
    let mut ring: Ring = half.iter().rev().map(|[x, y]| [-x, *y]).collect();
    ring.extend(half);
    assert!(ring.len() > MAX_VERTICES);
    let compound = Compound::from_outline(&ring, &[]).unwrap();
    let counts: Vec<usize> = compound
        .parts()
        .iter()
        .map(|part| match part {
            Part::Polygon(polygon) => polygon.vertices().len(),
            other => panic!("{other:?}"),
        })
        .collect();
    assert!(counts.len() > 1 && counts.iter().all(|count| *count <= MAX_VERTICES), "{counts:?}");
    // Each cut adds a vertex at both of its ends.
    assert_eq!(counts.iter().sum::<usize>(), ring.len() + 2 * (counts.len() - 1));
    check_copies(&compound);
    let bottom = [0.0, (2_048.0 / 16_384.0_f32).powi(2)];
    let area = PosedShape::from(OwnedShape::from(compound));
    let truth = Truth::new(&[vec![ring]]);
    let given = [[0.0, 1.0], bottom, [bottom[0], bottom[1].next_down()], [30.0, 899.0]];
    let mut cases = points(&truth, &given);
    cases.push(Case::new(Aabb::new([-1.0, -1.0], [1.0, 0.0]), [false; 2]));
    check_two(&area, &cases, "parabola");
    check_sets(&area, &cases, false, "parabola");
}

/// An outline of no more than a few of the smallest numbers, and an outline that is thin and far
/// away.
#[test]
fn no_outline_is_too_small_or_thin() {
    let least = f32::from_bits(1);
    let small = [[0.0, 0.0], [3.0 * least, least], [2.0 * least, 3.0 * least], [least, least]];
    assert!(Compound::from_outline(&small, &[]).unwrap().contains([2.0 * least; 2]));
    let (one, up) = (1e6_f32, 1e6_f32.next_up());
    let thin = [[0.0, one], [10.0, up], [20.0, one], [30.0, up], [40.0, one], [20.0, one + 0.5]];
    let compound = Compound::from_outline(&thin, &[]).unwrap();
    check_copies(&compound);
    assert!(compound.contains([20.0, up]) && !compound.contains([20.0, one.next_down()]));
}

fn square(x: f32, y: f32, size: f32) -> Ring {
    vec![[x, y], [x + size, y], [x + size, y + size], [x, y + size]]
}

/// Outlines that touch, share sides, and lie in holes of other outlines.
#[test]
fn several_outlines_are_one_area() {
    let reversed = |mut ring: Ring| {
        ring.reverse();
        ring
    };
    let touching: [Vec<Vec<Ring>>; 7] = [
        // Apart, and at a corner.
        vec![vec![square(0.0, 0.0, 1.0)], vec![square(1.0, 1.0, 1.0)], vec![square(5.0, 0.0, 1.0)]],
        // In a hole, and in the hole of that.
        vec![
            vec![square(0.0, 0.0, 9.0), square(1.0, 1.0, 7.0)],
            vec![square(2.0, 2.0, 5.0), reversed(square(3.0, 3.0, 3.0))],
            vec![square(4.0, 4.0, 1.0)],
        ],
        // The same outlines, the inner outlines first.
        vec![
            vec![square(4.0, 4.0, 1.0)],
            vec![reversed(square(2.0, 2.0, 5.0)), square(3.0, 3.0, 3.0)],
            vec![square(0.0, 0.0, 9.0), square(1.0, 1.0, 7.0)],
        ],
        // A hole that is filled.
        vec![vec![square(0.0, 0.0, 3.0), square(1.0, 1.0, 1.0)], vec![square(1.0, 1.0, 1.0)]],
        // A hole that is filled by two outlines, one of which shares a part of its side.
        vec![
            vec![square(0.0, 0.0, 4.0), square(1.0, 1.0, 2.0)],
            vec![vec![[1.0, 1.0], [2.0, 1.0], [2.0, 2.0], [2.0, 3.0], [1.0, 3.0]]],
            vec![reversed(square(2.0, 1.0, 1.0))],
        ],
        // A small outline beside a large one.
        vec![vec![square(0.0, 0.0, 4.0)], vec![square(4.0, 1.0, 1.0)], vec![square(4.0, 2.0, 2.0)]],
        // All around a gap.
        vec![
            vec![vec![[0.0, 0.0], [2.0, 0.0], [2.0, 1.0], [1.0, 1.0], [1.0, 2.0], [0.0, 2.0]]],
            vec![vec![[3.0, 3.0], [0.0, 3.0], [0.0, 2.0], [2.0, 2.0], [2.0, 0.0], [3.0, 0.0]]],
        ],
    ];
    for outlines in &touching {
        let truth = Truth::new(outlines);
        let parts = compound(outlines);
        check_copies(&parts);
        let area = PosedShape::from(OwnedShape::from(parts));
        let around = overlap_area(&area, Aabb::new([-10.0, -10.0], [20.0, 20.0])).unwrap();
        assert_eq!(f64::from(around), truth.area, "{outlines:?}");
        // A place is inside if it is inside of one outline, or on the sides of two outlines that
        // fill the plane around it.
        let whole: Vec<Truth> =
            outlines.iter().map(|outline| Truth::new(std::slice::from_ref(outline))).collect();
        let held = |at: [f32; 2]| {
            let places = whole.iter().map(|truth| truth.place(at));
            let best = places
                .map(Place::touches)
                .fold([false; 2], |best, touches| [best[0] || touches[0], best[1] || touches[1]]);
            let beside = [[1, 1], [1, -1], [-1, 1], [-1, -1]].map(|way| {
                let near = [0, 1].map(|axis| at[axis] + way[axis] as f32 * 0.125);
                whole.iter().any(|truth| truth.place(near) == Place::Inside)
            });
            [best[0], best[1] || beside == [true; 4]]
        };
        let mut cases = Vec::new();
        for x in -2..=38 {
            for y in -2..=38 {
                let at = [x as f32 * 0.25, y as f32 * 0.25];
                cases.push(Case::new(widephase::shape::Point::new(at), held(at)));
            }
        }
        check_two(&area, &cases, "by hand");
        check_sets(&area, &cases, false, "by hand");
    }
    let one = Compound::from_outlines([[square(0.0, 0.0, 1.0)]]).unwrap();
    assert_eq!(one, Compound::from_outline(&square(0.0, 0.0, 1.0), &[]).unwrap());
    let two = Compound::from_outlines([[square(0.0, 0.0, 1.0)], [square(1.0, 0.0, 1.0)]]).unwrap();
    assert_eq!(two.parts().len(), 1);
    let nothing: [[Ring; 1]; 0] = [];
    assert_eq!(Compound::from_outlines(nothing), Err(Error::EmptyCompound));
}

#[test]
fn outlines_with_a_common_area_are_refused() {
    let refused = |outlines: &[Vec<Ring>]| match Compound::from_outlines(outlines) {
        Err(Error::InvalidOutline { ring, vertex, fault }) => (ring, vertex, fault),
        other => panic!("{other:?}"),
    };
    let crossing = [vec![square(0.0, 0.0, 2.0)], vec![square(1.0, 1.0, 2.0)]];
    assert_eq!(refused(&crossing), (0, 1, OutlineFault::Crosses { ring: 1, vertex: 0 }));
    let within = [vec![square(0.0, 0.0, 9.0), square(1.0, 1.0, 1.0)], vec![square(4.0, 4.0, 1.0)]];
    assert!(matches!(refused(&within), (2, _, OutlineFault::InArea { ring: 0 })));
    let twice = [vec![square(0.0, 0.0, 1.0)], vec![square(0.0, 0.0, 1.0)]];
    assert!(matches!(refused(&twice), (1, _, OutlineFault::InArea { ring: 0 })));
    let on_one_side = [vec![square(0.0, 0.0, 4.0)], vec![square(3.0, 1.0, 1.0)]];
    assert!(matches!(refused(&on_one_side), (1, _, OutlineFault::InArea { ring: 0 })));
    // Both cross the other at corners only.
    let bow = vec![[0.0, 0.0], [2.0, 2.0], [4.0, 0.0], [2.0, 3.0]];
    let crossing = [vec![bow], vec![vec![[0.0, 0.0], [4.0, 0.0], [2.0, 3.0]]]];
    assert!(matches!(refused(&crossing).2, OutlineFault::InArea { .. }));
    // Beside the hole of another outline, on the wrong side.
    let hole = [vec![square(0.0, 0.0, 9.0), square(3.0, 3.0, 3.0)], vec![square(6.0, 4.0, 1.0)]];
    assert!(matches!(refused(&hole), (2, _, OutlineFault::InArea { ring: 0 })));
    // The holes are numbered through, and an outline without area is refused.
    let flat = [vec![square(0.0, 0.0, 1.0)], vec![vec![[3.0, 3.0], [4.0, 3.0]]]];
    assert_eq!(refused(&flat), (1, 0, OutlineFault::TooFewVertices { distinct: 2 }));
    let outside = [vec![square(0.0, 0.0, 1.0)], vec![square(3.0, 0.0, 1.0), square(6.0, 0.0, 1.0)]];
    assert_eq!(refused(&outside), (2, 0, OutlineFault::NotWithin));
}
