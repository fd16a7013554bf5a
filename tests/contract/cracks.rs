//! Parts that share vertices with equal bits leave no cracks, whatever their coordinates.
//!
//! A shape that crosses a chain of segments meets one of them, and a point within a fan of
//! triangles is in one of them. Whether a line really crosses is decided in whole numbers; cases in
//! which it begins or ends about where it crosses are left out, and so are points about on the
//! outline.

use std::ops::Range;

use widephase::{
    Detector, Index, Options, Order, Shapes, SimdLevel, Touching,
    narrowphase::touches,
    shape::{Aabb, Capsule, Circle, ConvexPolygon, OwnedShape, Point, Posed, Segment},
};

use crate::{
    flat::{
        PlaneVector, cross, largest, length, minus, narrow, plus, size, times, to_border,
        to_segment, unit, wide,
    },
    tally::Tally,
};
use common::rng::Rng;

/// Coordinates as whole multiples of one power of two; `None` where 60 bits are too few.
fn whole<const N: usize>(points: [[f32; 2]; N]) -> Option<[[i128; 2]; N]> {
    // A value is a whole number below 2^24 times two to some power.
    let parts = |value: f32| {
        let bits = value.to_bits();
        let (exponent, rest) = ((bits >> 23 & 0xFF) as i32, i128::from(bits & 0x7F_FFFF));
        let (number, exponent) =
            if exponent == 0 { (rest, 1) } else { (rest | 0x80_0000, exponent) };
        let zeros = if number == 0 { 0 } else { number.trailing_zeros() };
        let sign = if value < 0.0 { -1 } else { 1 };
        (sign * (number >> zeros), exponent + zeros as i32)
    };
    let values = || points.iter().flatten().map(|&v| parts(v)).filter(|&(number, _)| number != 0);
    let lowest = values().map(|(_, exponent)| exponent).min().unwrap_or(0);
    let highest = values().map(|(_, exponent)| exponent).max().unwrap_or(0);
    let whole = |v: f32| match parts(v) {
        (0, _) => 0,
        (number, exponent) => number << (exponent - lowest),
    };
    (highest - lowest <= 36).then(|| points.map(|point| point.map(whole)))
}

/// Whether two segments have a point in common, exactly; `None` if 60 bits are too few to decide.
fn meet(a: [[f32; 2]; 2], b: [[f32; 2]; 2]) -> Option<bool> {
    let [p, q, r, s] = whole([a[0], a[1], b[0], b[1]])?;
    let turn = |a: [i128; 2], b: [i128; 2], c: [i128; 2]| {
        ((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])).signum()
    };
    let within = |a: [i128; 2], b: [i128; 2], c: [i128; 2]| {
        (0..2).all(|i| a[i].min(b[i]) <= c[i] && c[i] <= a[i].max(b[i]))
    };
    let turns = [turn(p, q, r), turn(p, q, s), turn(r, s, p), turn(r, s, q)];
    let proper = turns[0] * turns[1] < 0 && turns[2] * turns[3] < 0;
    let on = [within(p, q, r), within(p, q, s), within(r, s, p), within(r, s, q)];
    Some(proper || turns.into_iter().zip(on).any(|(turn, on)| turn == 0 && on))
}

/// Two ends.
type Line = [[f32; 2]; 2];
/// Each part begins where the one before ends.
type Chain = Vec<[f32; 2]>;

/// Shapes, each of which meets one of its parts.
#[derive(Default)]
struct Cases {
    probes: Vec<OwnedShape>,
    parts: Vec<OwnedShape>,
    /// The parts of each probe.
    ranges: Vec<Range<usize>>,
    names: Vec<[&'static str; 2]>,
}

impl Cases {
    fn push(&mut self, probe: OwnedShape, parts: &[OwnedShape], names: [&'static str; 2]) {
        let from = self.parts.len();
        self.parts.extend_from_slice(parts);
        self.probes.push(probe);
        self.ranges.push(from..self.parts.len());
        self.names.push(names);
    }

    fn check(&self, tally: &mut Tally) {
        fn solids(shapes: &[OwnedShape]) -> Vec<Posed<'_>> {
            shapes.iter().map(Posed::from).collect()
        }
        let (probes, parts) = (solids(&self.probes), solids(&self.parts));
        let show =
            |i: usize| format!("{:?}: {:?}", self.probes[i], &self.parts[self.ranges[i].clone()]);
        for (i, range) in self.ranges.iter().enumerate() {
            let touches = |part: &Posed<'_>| touches(probes[i], part, Touching::Inclusive).unwrap();
            let right = parts[range.clone()].iter().any(touches);
            tally.count("test", self.names[i], right, || show(i));
        }
        let probes = Shapes::from_slice(&self.probes).unwrap();
        let statics = Index::build(&Shapes::from_slice(&self.parts).unwrap()).unwrap();
        let mut pairs = vec![];
        for &level in SimdLevel::available() {
            let mut detector = Detector::with_options(Options {
                simd_level: Some(level),
                order: Order::Sorted,
                ..Options::default()
            })
            .unwrap();
            detector.pairs((&probes, &statics), &mut pairs).unwrap();
            for (i, range) in self.ranges.iter().enumerate() {
                let from = pairs.partition_point(|pair| (pair.a as usize) < i);
                let own = pairs[from..].iter().take_while(|pair| pair.a as usize == i);
                let right = own.into_iter().any(|pair| range.contains(&(pair.b as usize)));
                tally.count("detect", self.names[i], right, || format!("{level}: {}", show(i)));
            }
        }
    }
}

fn random(low: f64, high: f64, rng: &mut Rng) -> f64 {
    low + (high - low) * rng.unit()
}

/// A size of any magnitude, and a place, sometimes far from the origin.
fn scale(rng: &mut Rng) -> (f64, PlaneVector) {
    let size = 10_f64.powf(random(-6.0, 6.0, rng));
    let far = [0.0, 1.0, 1.0, 1e2, 1e4][rng.below(5) as usize] * size;
    (size, [random(-far, far, rng), random(-far, far, rng)])
}

/// A value some roundings beside another.
fn beside(value: f32, rng: &mut Rng) -> f32 {
    match rng.below(3) {
        0 => value.next_up(),
        1 => value.next_down(),
        _ => value,
    }
}

/// A line, and a chain that it crosses in the middle of both; `None` where that is in doubt.
fn crossing(rng: &mut Rng) -> Option<(Line, Chain)> {
    let (size, place) = scale(rng);
    let small = rng.below(4) == 0;
    let joint = match small {
        true => [rng.int(-8, 8) as f32, rng.int(-8, 8) as f32],
        false => narrow(place),
    };
    let size = if small { 8.0 } else { size };
    let along = unit(random(0.0, 7.0, rng));
    let out = [-along[1], along[0]];
    let round = |v: PlaneVector| narrow(if small { v.map(f64::round) } else { v });
    let from = |at: [f32; 2], along_by: f64, out_by: f64| {
        round(plus(wide(at), plus(times(along, along_by), times(out, out_by))))
    };
    // Through the joint, or through a point a rounding beside it.
    let through = match rng.below(2) {
        0 => joint,
        _ => joint.map(|v| beside(v, rng)),
    };
    let start = from(through, random(0.1, 2.0, rng) * size, 0.0);
    let mut end = from(through, random(-2.0, -0.1, rng) * size, 0.0);
    if small {
        // The joint in the middle of whole numbers.
        end = [0, 1].map(|i| 2.0 * joint[i] - start[i]);
    }
    // Parts that hardly leave the line, short parts and others; the last part is well away from it.
    let mut chain = vec![joint];
    for side in [1.0, -1.0] {
        let mut at = joint;
        for _ in 0..rng.below(3) {
            let flat = 10_f64.powf(random(-8.0, 0.0, rng));
            let long = size * 10_f64.powf(random(-5.0, -1.0, rng)) * random(-1.0, 1.0, rng);
            at = from(at, long, side * flat * long.abs());
            chain.push(at);
        }
        chain.push(from(at, random(-1.0, 1.0, rng) * size, side * random(0.2, 2.0, rng) * size));
        chain.reverse();
    }
    chain.dedup();
    let line = [start, end];
    let wide_line = line.map(wide);
    let clear = size * 1e-3 + largest(&wide_line) * 1e-6;
    let parts = || chain.windows(2).map(|part| [part[0], part[1]]);
    let ends_clear =
        wide_line.iter().all(|&end| parts().all(|part| to_segment(end, part.map(wide)) > clear));
    let direction = minus(wide_line[1], wide_line[0]);
    let off = |v: [f32; 2]| cross(direction, minus(wide(v), wide_line[0])) / length(direction);
    let (first, last) = (off(chain[0]), off(chain[chain.len() - 1]));
    let passes = first.abs().min(last.abs()) > clear && first * last < 0.0;
    if !ends_clear || !passes {
        return None;
    }
    let mut crosses = false;
    for part in parts() {
        crosses |= meet(line, part)?;
    }
    crosses.then_some((line, chain))
}

fn segment([a, b]: [[f32; 2]; 2]) -> OwnedShape {
    Segment::new(a, b).into()
}

/// Shapes that hold a line.
fn holding([a, b]: [[f32; 2]; 2], rng: &mut Rng) -> Vec<(OwnedShape, &'static str)> {
    let mut shapes =
        vec![(segment([a, b]), "segment"), (Capsule::new(a, b, 0.0).into(), "capsule")];
    let corner = |pick: fn(f32, f32) -> f32| [pick(a[0], b[0]), pick(a[1], b[1])];
    shapes.push((Aabb::new(corner(f32::min), corner(f32::max)).into(), "aabb"));
    let (start, end) = (wide(a), wide(b));
    let way = minus(end, start);
    let aside = [way[1], -way[0]].map(|v| v * 10_f64.powf(random(-4.0, 0.0, rng)));
    let third = narrow(plus(start, plus(times(way, random(0.0, 1.0, rng)), aside)));
    if let Ok(needle) = ConvexPolygon::new(&[a, b, third]) {
        shapes.push((needle.into(), "polygon"));
    }
    shapes
}

#[test]
fn lines_through_chains() {
    let (mut rng, mut tally) = (Rng::new(11), Tally::default());
    for _ in 0..100 {
        let mut cases = Cases::default();
        while cases.probes.len() < 200 {
            if let Some((line, chain)) = crossing(&mut rng) {
                let parts: Vec<_> =
                    chain.windows(2).map(|part| segment([part[0], part[1]])).collect();
                for (shape, name) in holding(line, &mut rng) {
                    cases.push(shape, &parts, [name, "chain"]);
                }
            }
        }
        cases.check(&mut tally);
    }
    tally.finish();
}

/// The triangles of a convex polygon, all from its first vertex.
fn fan(corners: &[[f32; 2]]) -> Option<Vec<OwnedShape>> {
    let triangle = |i: usize| ConvexPolygon::new(&[corners[0], corners[i], corners[i + 1]]);
    (1..corners.len() - 1).map(|i| Some(triangle(i).ok()?.into())).collect()
}

/// Places on the sides that the parts of a fan share, next to them, and the middle of the corners.
fn probes(outline: &[[f64; 2]], rng: &mut Rng) -> Vec<[f32; 2]> {
    let mut probes: Vec<[f32; 2]> = vec![];
    for &corner in &outline[1..] {
        // On a shared side, in the middle of it, beside it.
        for t in [0.5, random(0.0, 1.0, rng), 1.0 / 3.0] {
            let on = plus(outline[0], times(minus(corner, outline[0]), t));
            probes.push(narrow(on));
            probes.push(narrow(on).map(|v| beside(v, rng)));
        }
    }
    let sum = outline.iter().fold([0.0; 2], |sum, &corner| plus(sum, corner));
    probes.push(narrow(times(sum, 1.0 / outline.len() as f64)));
    probes
}

#[test]
fn points_in_fans() {
    let (mut rng, mut tally) = (Rng::new(12), Tally::default());
    for _ in 0..60 {
        let mut cases = Cases::default();
        while cases.probes.len() < 200 {
            let (extent, place) = scale(&mut rng);
            let flat = [1.0, 1e-2, 1e-4][rng.below(3) as usize];
            let count = [4, 4, 6, 12][rng.below(4) as usize];
            let cloud: Vec<_> = (0..count)
                .map(|_| {
                    let [x, y] = [(); 2].map(|()| random(-1.0, 1.0, &mut rng) * extent);
                    let tilt = y * flat;
                    narrow(plus(place, [x + tilt, x * 0.5 - tilt]))
                })
                .collect();
            let Ok(polygon) = ConvexPolygon::hull(&cloud) else { continue };
            let corners: Vec<_> = polygon.vertices().iter().map(|v| v.to_array()).collect();
            let Some(parts) = fan(&corners) else { continue };
            let outline: Vec<_> = corners.iter().map(|&corner| wide(corner)).collect();
            let doubt = 8.0 * crate::flat::EPS * (largest(&outline) + size(&outline));
            for probe in probes(&outline, &mut rng) {
                if inside(wide(probe), &outline) && to_border(wide(probe), &outline) > doubt {
                    let point: OwnedShape = Point::new(probe).into();
                    cases.push(point, &parts, ["point", "fan"]);
                    cases.push(Circle::new(probe, 0.0).into(), &parts, ["circle", "fan"]);
                    cases.push(Aabb::new(probe, probe).into(), &parts, ["aabb", "fan"]);
                    cases.push(segment([probe, probe]), &parts, ["segment", "fan"]);
                }
            }
        }
        cases.check(&mut tally);
    }
    tally.finish();
}

fn inside(point: PlaneVector, corners: &[PlaneVector]) -> bool {
    crate::flat::to_core(point, corners) == 0.0
}

/// From the field.
#[test]
fn nothing_passes_through_known_cracks() {
    let mut cases = Cases::default();
    let segments = |points: &[[f32; 2]]| -> Vec<_> {
        points.windows(2).map(|part| segment([part[0], part[1]])).collect()
    };
    let ends = segments(&[[-1.0, -1.0], [0.0, 0.0], [-1.0, 0.0]]);
    cases.push(ends[0].clone(), &ends[1..], ["segment", "chain"]);
    let chain = segments(&[[2.0, 0.0], [6.0, 4.0], [0.0, 14.0]]);
    cases.push(segment([[4.0, 6.0], [8.0, 2.0]]), &chain, ["segment", "chain"]);
    let triangles = fan(&[[0.0, 0.0], [2.0, 0.0], [2.0, 6.0], [0.0, 6.0]]).unwrap();
    cases.push(Point::new([1.0, 3.0]).into(), &triangles, ["point", "fan"]);
    let mut tally = Tally::default();
    cases.check(&mut tally);
    tally.finish();
}

/// The arithmetic of these tests, where it is plain to see.
#[test]
fn whole_numbers_decide() {
    let line = [[0.0, 0.0], [3.0, 3.0]];
    assert_eq!(meet(line, [[0.0, 2.0], [2.0, 0.0]]), Some(true));
    assert_eq!(meet(line, [[1.0, 1.0], [2.0, 0.0]]), Some(true));
    assert_eq!(meet(line, [[1.0_f32.next_up(), 1.0], [2.0, 0.0]]), Some(false));
    assert_eq!(meet(line, [[2.0, 2.0], [5.0, 5.0]]), Some(true));
    assert_eq!(meet(line, [[4.0, 4.0], [5.0, 5.0]]), Some(false));
    assert_eq!(meet(line, [[1e-20, 1.0], [2.0, 0.0]]), None);
    assert_eq!(whole([[0.5, -3.0], [0.0, 6.0]]), Some([[1, -6], [0, 12]]));
}
