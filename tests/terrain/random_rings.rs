//! Random outlines: unions of tiles, holes that touch each other, key holes, and any vertices.

use std::collections::BTreeMap;

use widephase::{
    Error,
    error::OutlineFault,
    shape::{Compound, ConvexPolygon},
};

use crate::{
    outlines::Ring,
    touching_rings::{Whole, check, cross, is_on, lent, net_sides, sides},
};
use common::{Rng, pow2, rng::cases};

/// Solid cells of a map.
pub(crate) struct Cells {
    pub(crate) width: i64,
    pub(crate) height: i64,
    pub(crate) solid: Vec<bool>,
}

impl Cells {
    pub(crate) fn random(rng: &mut Rng, largest: i64) -> Self {
        let (width, height) = (rng.int(1, largest), rng.int(1, largest));
        let share = 30 + rng.below(65);
        let solid = (0..width * height).map(|_| rng.below(100) < share).collect();
        Self { width, height, solid }
    }

    pub(crate) fn is_solid(&self, [x, y]: Whole) -> bool {
        (0..self.width).contains(&x)
            && (0..self.height).contains(&y)
            && self.solid[(y * self.width + x) as usize]
    }

    fn all(&self) -> impl Iterator<Item = Whole> {
        let [width, height] = [self.width, self.height];
        (0..height).flat_map(move |y| (0..width).map(move |x| [x, y]))
    }

    /// The number of the component of each solid cell; diagonal neighbours are of one if `joined`.
    fn components(&self, joined: bool) -> BTreeMap<Whole, usize> {
        let mut component = BTreeMap::new();
        for cell in self.all().filter(|cell| self.is_solid(*cell)) {
            let (number, mut stack) = (component.len(), vec![cell]);
            while let Some([x, y]) = stack.pop() {
                if !self.is_solid([x, y]) || component.contains_key(&[x, y]) {
                    continue;
                }
                component.insert([x, y], number);
                for (dx, dy) in (-1..=1).flat_map(|dx| (-1..=1).map(move |dy| (dx, dy))) {
                    if joined || dx == 0 || dy == 0 {
                        stack.push([x + dx, y + dy]);
                    }
                }
            }
        }
        component
    }

    /// The loops of each component, with the solid to their left, the counter-clockwise loop first.
    /// Where cells touch at a corner only, loops turn left, or right if `joined`.
    pub(crate) fn loops(&self, joined: bool) -> Vec<Vec<Vec<Whole>>> {
        let mut edges: BTreeMap<Whole, Vec<(Whole, Whole)>> = BTreeMap::new();
        for [x, y] in self.all().filter(|cell| self.is_solid(*cell)) {
            let corners = [[x, y], [x + 1, y], [x + 1, y + 1], [x, y + 1]];
            for (side, [dx, dy]) in [[0, -1], [1, 0], [0, 1], [-1, 0]].into_iter().enumerate() {
                if !self.is_solid([x + dx, y + dy]) {
                    let ends = (corners[(side + 1) % 4], [x, y]);
                    edges.entry(corners[side]).or_default().push(ends);
                }
            }
        }
        let component = self.components(joined);
        let mut loops: BTreeMap<usize, Vec<Vec<Whole>>> = BTreeMap::new();
        while let Some((&first, _)) = edges.iter().next() {
            let (mut ring, mut at, mut own) = (Vec::new(), first, [0, 0]);
            // Where the way goes on, at a point at which two edges leave.
            let mut turned = None;
            while let Some(leaving) = edges.get_mut(&at) {
                let place = leaving.iter().position(|(to, _)| Some(*to) == turned);
                // Back at the first point, the way ends unless it goes on there.
                if place.is_none() && !ring.is_empty() && at == first {
                    break;
                }
                let (to, cell) = leaving.swap_remove(place.unwrap_or(0));
                if leaving.is_empty() {
                    edges.remove(&at);
                }
                ring.push(at);
                let [dx, dy] = [to[0] - at[0], to[1] - at[1]];
                let [dx, dy] = if joined { [dy, -dx] } else { [-dy, dx] };
                (own, at, turned) = (cell, to, Some([to[0] + dx, to[1] + dy]));
            }
            loops.entry(component[&own]).or_default().push(ring);
        }
        let mut all: Vec<Vec<Vec<Whole>>> = loops.into_values().collect();
        for loops in &mut all {
            loops.sort_by_key(|ring| twice(ring) < 0);
            let outer = loops.iter().filter(|ring| twice(ring) > 0).count();
            assert_eq!(outer, 1);
        }
        all
    }
}

fn twice(ring: &[Whole]) -> i64 {
    sides(ring).map(|[a, b]| a[0] * b[1] - a[1] * b[0]).sum()
}

/// The ring without vertices in the middle of a side.
pub(crate) fn straightened(ring: &[Whole]) -> Vec<Whole> {
    let len = ring.len();
    let around = |k: usize| [ring[(k + len - 1) % len], ring[k], ring[(k + 1) % len]];
    (0..len)
        .filter(|k| {
            let [a, b, c] = around(*k);
            cross(a, b, c) != 0
        })
        .map(|k| ring[k])
        .collect()
}

/// A random map of whole numbers to whole numbers, by which areas grow.
pub(crate) fn slant(rng: &mut Rng) -> ([i64; 4], i64) {
    loop {
        let [a, b, c, d] = std::array::from_fn(|_| rng.int(-3, 3));
        let det = a * d - b * c;
        if det != 0 {
            return ([a, b, c, d], det.abs());
        }
    }
}

fn ring_of(ring: &[Whole], [a, b, c, d]: [i64; 4]) -> Ring {
    ring.iter().map(|[x, y]| [(a * x + b * y) as f32, (c * x + d * y) as f32]).collect()
}

pub(crate) fn split(rings: &[Vec<Whole>], slant: [i64; 4]) -> (Ring, Vec<Ring>) {
    let ring = |ring: &Vec<Whole>| ring_of(ring, slant);
    (ring(&rings[0]), rings[1..].iter().map(ring).collect())
}

/// The same ring from another vertex on, either way round, with its first vertex again or without.
fn told_otherwise(mut ring: Vec<Whole>, rng: &mut Rng) -> Vec<Whole> {
    let (len, start) = (ring.len(), rng.below(99) as usize);
    ring.rotate_left(start % len);
    if rng.below(2) == 0 {
        ring.reverse();
    }
    if rng.below(3) == 0 {
        ring.push(ring[0]);
    }
    ring
}

#[test]
fn unions_of_tiles_traced_either_way() {
    let (mut touching, mut holes) = (0, 0);
    for seed in 0..cases(1_500) as u64 {
        let mut rng = Rng::new(seed);
        let cells = Cells::random(&mut rng, 9);
        let (slant, growth) = slant(&mut rng);
        for joined in [false, true] {
            let mut sum = 0.0;
            for mut rings in cells.loops(joined) {
                if rng.below(2) == 0 {
                    rings = rings.iter().map(|ring| straightened(ring)).collect();
                }
                let told = rings.into_iter().map(|ring| told_otherwise(ring, &mut rng));
                let rings: Vec<_> = told.collect();
                let mut points = rings.concat();
                let all = points.len();
                points.sort_unstable();
                points.dedup();
                touching += usize::from(points.len() < all);
                holes += rings.len() - 1;
                let (outline, own_holes) = split(&rings, slant);
                sum += check(&outline, &own_holes, &format!("seed {seed}, joined {joined}")).0;
            }
            let solid = cells.solid.iter().filter(|solid| **solid).count() as i64;
            assert_eq!(sum, (2 * growth * solid) as f64, "seed {seed}");
        }
    }
    assert!(touching > cases(700) && holes > cases(300), "{touching} {holes}");
}

/// Joins all holes of an outline with it, each hole by a side to the left of its leftmost vertex.
fn with_key_holes(rings: &[Vec<Whole>]) -> Vec<Whole> {
    let mut ring = rings[0].clone();
    let mut holes: Vec<Vec<Whole>> = rings[1..].to_vec();
    for hole in &mut holes {
        let first = (0..hole.len()).min_by_key(|k| hole[*k]).unwrap();
        hole.rotate_left(first);
    }
    holes.sort_unstable_by_key(|hole| hole[0]);
    for hole in holes {
        let [x, y] = hole[0];
        let reach = |[a, b]: [Whole; 2]| {
            let on_row = (a[1].min(b[1])..=a[1].max(b[1])).contains(&y);
            let nearest = if a[1] == b[1] { a[0].max(b[0]) } else { a[0] };
            (on_row && nearest <= x).then_some(nearest)
        };
        let side = |k: usize| [ring[k], ring[(k + 1) % ring.len()]];
        let place = (0..ring.len()).filter(|k| reach(side(*k)).is_some());
        let place = place.max_by_key(|k| reach(side(*k))).unwrap();
        let foot = [reach(side(place)).unwrap(), y];
        let joint = [foot].into_iter().chain(hole.iter().copied()).chain([hole[0], foot]);
        let joint: Vec<Whole> = joint.collect();
        ring.splice(place + 1..place + 1, joint);
    }
    ring.dedup();
    ring
}

#[test]
fn key_holes_are_the_holes_that_they_join() {
    let (mut joined, mut bridges) = (0, 0);
    for seed in 0..cases(1_500) as u64 {
        let mut rng = Rng::new(seed);
        let cells = Cells::random(&mut rng, 8);
        let (slant, _) = slant(&mut rng);
        for diagonal in [false, true] {
            for mut rings in cells.loops(diagonal) {
                if rings.len() == 1 {
                    continue;
                }
                if rng.below(2) == 0 {
                    rings = rings.iter().map(|ring| straightened(ring)).collect();
                }
                let (outline, holes) = split(&rings, slant);
                let ring = with_key_holes(&rings);
                let what = format!("seed {seed}");
                let apart = check(&outline, &holes, &what);
                let together = check(&ring_of(&ring, slant), &[], &what);
                assert_eq!(apart.0, together.0, "{what}");
                joined += rings.len() - 1;
                let mut points = ring.clone();
                points.sort_unstable();
                points.dedup();
                let cut = net_sides(&ring, &points).len();
                let cut_apart: usize =
                    rings.iter().map(|ring| net_sides(ring, &points).len()).sum();
                assert_eq!(cut, cut_apart, "{what}");
                bridges += usize::from(ring.len() > cut);
            }
        }
    }
    assert!(joined > cases(350) && bridges > cases(170), "{joined} {bridges}");
}

/// Whether two sides have more than a point in common.
fn along([a, b]: [Whole; 2], [c, d]: [Whole; 2]) -> bool {
    let ends = [a, b].into_iter().filter(|p| is_on(*p, [c, d]));
    let mut common: Vec<Whole> =
        ends.chain([c, d].into_iter().filter(|p| is_on(*p, [a, b]))).collect();
    common.sort_unstable();
    common.dedup();
    common.len() > 1
}

/// Whether two sides share a point within both sides, and no more.
fn crossing([a, b]: [Whole; 2], [c, d]: [Whole; 2]) -> bool {
    let beside = |p: i64, q: i64| p.signum() * q.signum() < 0;
    beside(cross(a, b, c), cross(a, b, d)) && beside(cross(c, d, a), cross(c, d, b))
}

/// Convex holes in the squares of a board touch each other and the outline in corners and on sides.
#[test]
fn holes_in_the_squares_of_a_board() {
    const SQUARE: i64 = 12;
    let (mut fine, mut refused, mut on_sides) = (0, 0, 0);
    for seed in 0..3000 {
        let mut rng = Rng::new(seed);
        let (width, height) = (rng.int(1, 4), rng.int(1, 4));
        let [right, upper] = [width * SQUARE, height * SQUARE];
        let mut rings = vec![vec![[0, 0], [right, 0], [right, upper], [0, upper]]];
        for square in 0..width * height {
            let corner = [square % width * SQUARE, square / width * SQUARE];
            let points: Vec<[f32; 2]> = (0..rng.int(3, 5))
                .map(|_| {
                    // Many points at corners and in the middle of sides.
                    let step = [1, 3, 6][rng.below(3) as usize];
                    corner.map(|least| (least + step * rng.int(0, SQUARE / step)) as f32)
                })
                .collect();
            if let Ok(hull) = ConvexPolygon::hull(&points) {
                let whole = |at: &widephase::glam::Vec2| [at.x as i64, at.y as i64];
                rings.push(hull.vertices().iter().map(whole).collect());
            }
        }
        let (slant, _) = slant(&mut rng);
        let (outline, holes) = split(&rings, slant);
        let side = |ring: usize, vertex: usize| {
            [rings[ring][vertex], rings[ring][(vertex + 1) % rings[ring].len()]]
        };
        let all: Vec<[Whole; 2]> = rings.iter().flat_map(|ring| sides(ring)).collect();
        let overlap = (0..all.len()).any(|a| (0..a).any(|b| along(all[a], all[b])));
        if overlap {
            match Compound::from_outline(&outline, &lent(&holes)) {
                Err(Error::InvalidOutline {
                    ring,
                    vertex,
                    fault: OutlineFault::Overlaps { ring: other_ring, vertex: other },
                }) => {
                    assert!(along(side(ring, vertex), side(other_ring, other)), "seed {seed}");
                    refused += 1;
                }
                other => panic!("seed {seed}: {other:?}"),
            }
        } else {
            check(&outline, &holes, &format!("seed {seed}"));
            let within = |p: Whole, [a, b]: [Whole; 2]| p != a && p != b && is_on(p, [a, b]);
            let touches = rings.iter().flatten().any(|p| all.iter().any(|side| within(*p, *side)));
            on_sides += usize::from(touches);
            fine += 1;
        }
    }
    assert!(fine > 500 && refused > 500 && on_sides > 500, "{fine} {refused} {on_sides}");
}

/// How often a ring goes round a point, and whether the point is on a side.
fn winding(p: Whole, ring: &[Whole]) -> Option<i32> {
    let mut count = 0;
    for [a, b] in sides(ring) {
        if is_on(p, [a, b]) {
            return None;
        }
        let up = i32::from(a[1] <= p[1] && p[1] < b[1] && cross(a, b, p) > 0);
        let down = i32::from(b[1] <= p[1] && p[1] < a[1] && cross(a, b, p) < 0);
        count += up - down;
    }
    Some(count)
}

/// The faults of the rings, by brute force.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Truth {
    Area,
    Flat,
    SidesMeet,
    Spike,
    Winding,
    NotWithin,
}

fn truth(rings: &[Vec<Whole>]) -> Truth {
    let flat = |ring: &Vec<Whole>| {
        ring.iter().all(|a| ring.iter().all(|b| ring.iter().all(|c| cross(*a, *b, *c) == 0)))
    };
    if flat(&rings[0]) {
        return Truth::Flat;
    }
    let rings: Vec<&Vec<Whole>> = rings.iter().filter(|ring| !flat(ring)).collect();
    let all: Vec<(usize, [Whole; 2])> = (0..rings.len())
        .flat_map(|ring| sides(rings[ring]).map(move |side| (ring, side)))
        .collect();
    for (place, (ring, a)) in all.iter().enumerate() {
        for (other, b) in &all[..place] {
            let way = |[p, q]: [Whole; 2]| (q[0] - p[0], q[1] - p[1]);
            let ahead = way(*a).0 * way(*b).0 + way(*a).1 * way(*b).1;
            if crossing(*a, *b) || along(*a, *b) && (ring != other || ahead > 0) {
                return Truth::SidesMeet;
            }
        }
    }
    let points: Vec<Whole> = rings.iter().flat_map(|ring| ring.iter().copied()).collect();
    let mut left = Vec::new();
    for (number, ring) in rings.iter().enumerate() {
        let mut distinct = points.clone();
        distinct.sort_unstable();
        distinct.dedup();
        if net_sides(ring, &distinct).is_empty() {
            if number == 0 {
                return Truth::Flat;
            }
            continue;
        }
        let ring_sides: Vec<[Whole; 2]> = sides(ring).collect();
        let next = ring_sides.iter().cycle().skip(1);
        if ring_sides.iter().zip(next).any(|(a, b)| along(*a, *b)) {
            // Neighbours of one direction were found above.
            return Truth::Spike;
        }
        left.push((number, *ring));
    }
    // Without crossings all areas are unions of triangles of vertices.
    let mut result = Truth::Area;
    for (a, first) in points.iter().enumerate() {
        for (b, second) in points[..a].iter().enumerate() {
            for third in &points[..b] {
                let p = [0, 1].map(|axis| first[axis] + second[axis] + third[axis]);
                let around: Option<Vec<(usize, i32)>> = left
                    .iter()
                    .map(|(number, ring)| {
                        let ring: Vec<Whole> = ring.iter().map(|at| at.map(|v| v * 3)).collect();
                        let way = twice(&ring).signum() as i32;
                        winding(p, &ring)
                            .map(|count| (*number, if way == 0 { 2 } else { count * way }))
                    })
                    .collect();
                let Some(around) = around else { continue };
                if around.iter().any(|(_, count)| !(0..=1).contains(count)) {
                    return Truth::Winding;
                }
                let within = around.iter().filter(|(ring, count)| *ring > 0 && *count == 1).count();
                if within > usize::from(around[0].1 == 1) {
                    result = Truth::NotWithin;
                }
            }
        }
    }
    result
}

/// Any vertices: the right area, or a fault that is there.
#[test]
fn any_vertices_have_the_right_area_or_a_fault() {
    let mut counts = BTreeMap::new();
    let mut special = 0;
    for seed in 0..cases(20_000) as u64 {
        let mut rng = Rng::new(seed);
        let size = rng.int(1, 6);
        let mut ring = |most: i64, size: i64| -> Vec<Whole> {
            (0..rng.int(0, most)).map(|_| [rng.int(0, size), rng.int(0, size)]).collect()
        };
        let mut rings = vec![ring(9, size)];
        for _ in 0..seed % 3 {
            rings.push(ring(4, size));
        }
        if seed % 4 == 0 {
            // An outline around them, so that the holes matter.
            rings[0] = vec![[0, 0], [size, 0], [size, size], [0, size]];
        }
        let (outline, holes) = split(&rings, [1, 0, 0, 1]);
        let result = Compound::from_outline(&outline, &lent(&holes));
        let truth = truth(&rings);
        let fits = match &result {
            Ok(_) => truth == Truth::Area,
            Err(Error::InvalidOutline { ring, vertex, fault }) => {
                let name = |ring: usize, vertex: usize| {
                    let own = &rings[ring];
                    let next = (1..own.len()).map(|k| own[(vertex + k) % own.len()]);
                    let end = next.into_iter().find(|at| *at != own[vertex]).unwrap();
                    [own[vertex], end]
                };
                match fault {
                    OutlineFault::TooFewVertices { .. } | OutlineFault::NoArea => {
                        truth == Truth::Flat && *ring == 0
                    }
                    OutlineFault::Crosses { ring: r, vertex: v } => {
                        let pair = [name(*ring, *vertex), name(*r, *v)];
                        truth == Truth::SidesMeet && crossing(pair[0], pair[1])
                            || truth == Truth::Winding && ring == r
                    }
                    OutlineFault::Overlaps { ring: r, vertex: v } => {
                        let pair = [name(*ring, *vertex), name(*r, *v)];
                        let truths = [Truth::SidesMeet, Truth::Spike, Truth::Winding];
                        truths.contains(&truth) && along(pair[0], pair[1])
                    }
                    OutlineFault::NotWithin => {
                        [Truth::NotWithin, Truth::Winding].contains(&truth) && *ring > 0
                    }
                    _ => false,
                }
            }
            Err(_) => false,
        };
        assert!(fits, "seed {seed}: {truth:?}, {result:?}: {rings:?}");
        // The same outline at any scale.
        let scale = pow2(rng.int(-140, 50) as i32);
        let scaled = |ring: &Ring| ring.iter().map(|at| at.map(|value| value * scale)).collect();
        let scaled_holes: Vec<Ring> = holes.iter().map(scaled).collect();
        let again = Compound::from_outline(&scaled(&outline), &lent(&scaled_holes));
        let parts = |result: &Result<Compound, Error>| match result {
            Ok(compound) => Ok(compound.parts().len()),
            Err(error) => Err(error.clone()),
        };
        assert_eq!(parts(&again), parts(&result), "seed {seed}, {scale:e}: {rings:?}");
        if let Ok(compound) = result {
            check(&outline, &holes, &format!("seed {seed}"));
            let mut points = rings.concat();
            points.sort_unstable();
            points.dedup();
            special +=
                usize::from(points.len() < rings.concat().len() && compound.parts().len() > 1);
        }
        *counts.entry(truth).or_insert(0) += 1;
    }
    assert_eq!(counts.len(), 6, "{counts:?}");
    assert!(
        counts.values().all(|count| *count > cases(30)) && special > cases(300),
        "{counts:?} {special}"
    );
}
