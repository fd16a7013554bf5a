//! Outlines: the parts cover the area once, are convex and few; refused rings.

use widephase::{
    Error,
    error::{Fault, Field, OutlineFault},
    shape::{Compound, ConvexPolygon, Part},
};

use common::Rng;

pub(crate) type Ring = Vec<[f32; 2]>;

/// Twice the area of a ring, above 0 if it is counter-clockwise.
pub(crate) fn twice_area(ring: &[[f64; 2]]) -> f64 {
    let next = ring.iter().cycle().skip(1);
    ring.iter().zip(next).map(|(a, b)| a[0] * b[1] - a[1] * b[0]).sum()
}

pub(crate) fn wide(ring: &[[f32; 2]]) -> Vec<[f64; 2]> {
    ring.iter().map(|vertex| vertex.map(f64::from)).collect()
}

pub(crate) fn polygons(compound: &Compound) -> Vec<&ConvexPolygon> {
    let parts = compound.parts().iter();
    parts
        .map(|part| match part {
            Part::Polygon(polygon) => polygon,
            other => panic!("{other:?}"),
        })
        .collect()
}

pub(crate) fn corners(polygon: &ConvexPolygon) -> Vec<[f64; 2]> {
    polygon.vertices().iter().map(|vertex| vertex.to_array().map(f64::from)).collect()
}

/// The part of a convex polygon inside another polygon, by cutting along each side.
pub(crate) fn common_area(a: &[[f64; 2]], b: &[[f64; 2]]) -> f64 {
    let mut rest = a.to_vec();
    for (start, end) in b.iter().zip(b.iter().cycle().skip(1)) {
        let height = |p: &[f64; 2]| {
            (end[0] - start[0]) * (p[1] - start[1]) - (end[1] - start[1]) * (p[0] - start[0])
        };
        let mut kept = Vec::new();
        for (p, q) in rest.iter().zip(rest.iter().cycle().skip(1)) {
            let (here, there) = (height(p), height(q));
            if here >= 0.0 {
                kept.push(*p);
            }
            if (here > 0.0) != (there > 0.0) && here != there {
                let share = here / (here - there);
                kept.push([0, 1].map(|axis| p[axis] + (q[axis] - p[axis]) * share));
            }
        }
        rest = kept;
    }
    twice_area(&rest) / 2.0
}

/// The number of reflex vertices of the area: the outline counter-clockwise, the holes clockwise.
fn reflex(outline: &Ring, holes: &[Ring]) -> usize {
    let count = |ring: &Ring, sign: f64| {
        let mut ring = wide(ring);
        ring.dedup();
        if ring.first() == ring.last() {
            ring.pop();
        }
        let sign = sign * twice_area(&ring).signum();
        let len = ring.len();
        let turn = |k: usize| {
            let [a, b, c] = [k, k + 1, k + 2].map(|k| ring[k % len]);
            (b[0] - a[0]) * (c[1] - b[1]) - (b[1] - a[1]) * (c[0] - b[0])
        };
        (0..len).filter(|k| sign * turn(*k) < 0.0).count()
    };
    count(outline, 1.0) + holes.iter().map(|hole| count(hole, -1.0)).sum::<usize>()
}

/// Checks the parts of an outline. Returns their number and the number of the reflex vertices.
fn check(outline: &Ring, holes: &[Ring]) -> (usize, usize) {
    let lent: Vec<&[[f32; 2]]> = holes.iter().map(Vec::as_slice).collect();
    let compound = Compound::from_outline(outline, &lent).unwrap();
    let parts: Vec<Vec<[f64; 2]>> = polygons(&compound).into_iter().map(corners).collect();
    let area = |ring: &Ring| twice_area(&wide(ring)).abs() / 2.0;
    let expected = area(outline) - holes.iter().map(area).sum::<f64>();
    let size =
        outline.iter().flatten().fold(0.0_f64, |size, value| size.max(f64::from(value.abs())));
    // Merged vertices move a border by 3e-7 of the largest coordinate, along its length.
    let slack = 1e-5 * size * size;
    let sum: f64 = parts.iter().map(|part| twice_area(part) / 2.0).sum();
    assert!((sum - expected).abs() <= slack, "{sum} instead of {expected}");
    for (a, first) in parts.iter().enumerate() {
        for second in &parts[..a] {
            let common = common_area(first, second);
            assert!(common.abs() <= slack, "{common}: {first:?} and {second:?}");
        }
    }
    let reflex = reflex(outline, holes);
    assert!(parts.len() + holes.len() <= 2 * reflex + 1, "{} parts, {reflex}", parts.len());
    (parts.len(), reflex)
}

/// A ring around a point whose radius changes at random: a star.
fn star(rng: &mut Rng, center: [f32; 2], count: usize, [least, most]: [f32; 2]) -> Ring {
    (0..count)
        .map(|k| {
            let angle = k as f32 * std::f32::consts::TAU / count as f32;
            let radius = rng.range(least, most);
            [center[0] + radius * angle.cos(), center[1] + radius * angle.sin()]
        })
        .collect()
}

/// A comb with teeth upwards.
fn comb(teeth: usize) -> Ring {
    let mut ring = vec![[0.0, -1.0]];
    ring.push([2.0 * teeth as f32 - 1.0, -1.0]);
    for tooth in (0..teeth).rev() {
        let x = 2.0 * tooth as f32;
        ring.extend([[x + 1.0, 5.0], [x, 5.0]]);
        if tooth > 0 {
            ring.extend([[x, 0.0], [x - 1.0, 0.0]]);
        }
    }
    ring
}

/// A spiral band of width 1.
fn spiral(steps: usize) -> Ring {
    let at = |step: usize, inner: f32| {
        let (angle, radius) = (step as f32 * 0.3, 3.0 + step as f32 * 0.12 - inner);
        [radius * angle.cos(), radius * angle.sin()]
    };
    (0..steps).map(|step| at(step, 0.0)).chain((0..steps).rev().map(|step| at(step, 1.0))).collect()
}

#[test]
fn known_outlines_have_their_areas_and_parts() {
    let square = |half: f32| vec![[-half, -half], [half, -half], [half, half], [-half, half]];
    assert_eq!(check(&square(1.0), &[]), (1, 0));
    // Either direction, repeated vertices and vertices on a side change nothing.
    let odd = vec![
        [1.0, 1.0],
        [1.0, 1.0],
        [1.0, 0.5],
        [1.0, -1.0],
        [-1.0, -1.0],
        [-1.0, 1.0],
        [1.0, 1.0],
    ];
    assert_eq!(check(&odd, &[]), (1, 0));
    let ell = vec![[0.0, 0.0], [4.0, 0.0], [4.0, 1.0], [1.0, 1.0], [1.0, 4.0], [0.0, 4.0]];
    assert_eq!(check(&ell, &[]), (2, 1));
    assert_eq!(check(&square(4.0), &[square(1.0)]), (4, 4));
    let two: [Ring; 2] =
        [-2.0, 2.0].map(|x| square(1.0).iter().map(|[a, b]| [a + x, *b]).collect());
    check(&square(4.0), &two);
    for teeth in [2, 3, 50] {
        let (parts, reflex) = check(&comb(teeth), &[]);
        assert_eq!(reflex, 2 * (teeth - 1));
        assert!(parts <= reflex + 1, "{parts} parts of {teeth} teeth");
    }
    check(&spiral(80), &[]);
}

#[test]
fn stars_with_holes() {
    let mut rng = Rng::new(3);
    let (mut all, mut bound) = (0, 0);
    for round in 0..60 {
        let count = 5 + rng.below(60) as usize;
        let outline = star(&mut rng, [0.0, 0.0], count, [6.0, 10.0]);
        let mut holes: Vec<Ring> = (0..round % 4)
            .map(|k| {
                star(&mut rng, [[-2.0, 0.0], [2.0, 0.0], [0.0, 2.5]][k], 3 + k * 4, [0.3, 1.4])
            })
            .collect();
        if round % 2 == 0 {
            for hole in &mut holes {
                hole.reverse();
            }
        }
        let (parts, reflex) = check(&outline, &holes);
        (all, bound) = (all + parts, bound + reflex + 1);
    }
    assert!(
        all <= bound,
        "{all} parts, with one more than the reflex vertices they would be {bound}"
    );
}

/// A rounded coordinate may deform a thin outline. That does not matter: the decisions are exact.
#[test]
fn far_and_tiny() {
    for [scale, move_by] in [[1.0, 1e6], [1e-30, 0.0], [1e-44, 0.0], [1e16, 0.0]] {
        let place = |ring: Ring| -> Ring {
            ring.iter().map(|at| at.map(|value| value * scale + move_by)).collect()
        };
        let ring = place(comb(4));
        match Compound::from_outline(&ring, &[]) {
            Ok(compound) => assert!(compound.parts().len() <= 7),
            // The ring is rounded to a point or a line, or crosses itself then.
            Err(error) => assert!(scale == 1e-44, "{scale}: {error}"),
        }
    }
}

#[test]
fn faulty_outlines_are_refused_with_ring_and_vertex() {
    let refused = |outline: &[[f32; 2]], holes: &[&[[f32; 2]]]| match Compound::from_outline(
        outline, holes,
    ) {
        Err(Error::InvalidOutline { ring, vertex, fault }) => (ring, vertex, fault),
        other => panic!("{other:?}"),
    };
    let square = [[0.0, 0.0], [4.0, 0.0], [4.0, 4.0], [0.0, 4.0]];
    assert_eq!(refused(&[], &[]), (0, 0, OutlineFault::TooFewVertices { distinct: 0 }));
    let line = [[0.0, 0.0], [1.0, 0.0], [0.0, 0.0]];
    assert_eq!(refused(&line, &[]).2, OutlineFault::TooFewVertices { distinct: 2 });
    let value = f32::INFINITY;
    let endless = OutlineFault::Vertex { field: Field::Y, value, fault: Fault::Infinite };
    assert_eq!(refused(&square, &[&[[1.0, 1.0], [2.0, value], [1.0, 2.0]]]), (1, 1, endless));
    let nan = refused(&[[0.0, 0.0], [1.0, f32::NAN], [1.0, 1.0]], &[]);
    assert!(matches!(nan, (0, 1, OutlineFault::Vertex { fault: Fault::NotANumber, .. })));
    let bow_tie = [[0.0, 0.0], [4.0, 4.0], [4.0, 0.0], [0.0, 4.0]];
    let crosses = |ring, vertex| OutlineFault::Crosses { ring, vertex };
    assert_eq!(refused(&bow_tie, &[]), (0, 0, crosses(0, 2)));
    let overlaps = |ring, vertex| OutlineFault::Overlaps { ring, vertex };
    let back = [[0.0, 0.0], [4.0, 0.0], [2.0, 0.0], [2.0, 3.0]];
    assert_eq!(refused(&back, &[]), (0, 0, overlaps(0, 1)));
    let collinear = [[0.0, 0.0], [1.0, 1.0], [2.0, 2.0]];
    assert_eq!(refused(&collinear, &[]), (0, 0, OutlineFault::NoArea));
    let small = |x: f32, half: f32| [[x - half, 1.0], [x + half, 1.0], [x, 2.0]];
    assert_eq!(refused(&square, &[&small(9.0, 0.5)]).2, OutlineFault::NotWithin);
    let twice = refused(&square, &[&small(2.0, 1.0), &small(2.0, 1.0)]);
    assert_eq!(twice, (1, 0, overlaps(2, 0)));
    let inner = [[1.9, 1.1], [2.1, 1.1], [2.0, 1.2]];
    assert_eq!(refused(&square, &[&small(2.0, 1.0), &inner]), (2, 0, OutlineFault::NotWithin));
    assert_eq!(refused(&square, &[&inner, &small(2.0, 1.0)]).2, OutlineFault::NotWithin);
    assert_eq!(refused(&square, &[&small(4.0, 1.0)]), (0, 1, crosses(1, 0)));
    // A hole around the outline.
    assert_eq!(refused(&inner, &[&square]), (1, 0, OutlineFault::NotWithin));
}
