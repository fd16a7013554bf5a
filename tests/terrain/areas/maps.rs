//! Tile maps of all units and places.

use std::collections::HashSet;

use widephase::{
    narrowphase::overlap_area,
    shape::{
        Aabb, Capsule, Circle, Compound, ConvexPolygon, Obb, Outline, OwnedShape, Part, Point,
        Pose, Rotation, RoundedBox, Segment,
    },
};

use super::{
    calls::{Case, check_crossing, check_sets, check_two, check_world},
    compound,
    exact::{Place, Truth, snap},
    points,
};
use crate::outlines::Ring;
use common::{Rng, crowd::PosedShape, rng::cases};

const UNITS: [f64; 6] = [1.0, 0.1, 0.7, 1.0 / 7.0, 5.3, 16.0];
const ORIGINS: [f64; 5] = [0.0, 5.0, 900.0, 30_000.0, 2e5];

/// Solid cells, by column and row, and where the corners of cells are.
#[derive(Debug, Clone)]
struct Map {
    size: [usize; 2],
    /// The colour of each cell, row by row; 0 is a gap.
    cells: Vec<u8>,
    unit: f64,
    origin: [f64; 2],
    angle: f64,
    /// Whether rings have a vertex at each corner of a cell.
    fine: bool,
}

impl Map {
    fn color(&self, column: i64, row: i64) -> u8 {
        let [columns, rows] = self.size.map(|size| size as i64);
        let there = (0..columns).contains(&column) && (0..rows).contains(&row);
        if there { self.cells[(row * columns + column) as usize] } else { 0 }
    }

    fn at(&self, column: f64, row: f64) -> [f32; 2] {
        let (x, y) = (column * self.unit, row * self.unit);
        let (sin, cos) = self.angle.sin_cos();
        let turned =
            if self.angle == 0.0 { [x, y] } else { [cos * x - sin * y, sin * x + cos * y] };
        [0, 1].map(|axis| snap(self.origin[axis] + turned[axis]))
    }

    fn node(&self, column: i64, row: i64) -> [f32; 2] {
        self.at(column as f64, row as f64)
    }

    /// The outlines of the cells of a colour, or of all solid cells.
    fn outlines(&self, color: Option<u8>) -> Vec<Vec<Ring>> {
        let solid = |column: usize, row: usize| {
            let own = self.cells[row * self.size[0] + column];
            color.map_or(own > 0, |color| own == color)
        };
        let traced = Outline::trace_cells([0.0; 2], [1.0; 2], self.size, solid).unwrap();
        let ring = |ring: &[widephase::glam::Vec2]| {
            let next = ring.iter().cycle().skip(1);
            let mut nodes = Vec::new();
            for (from, to) in ring.iter().zip(next) {
                let (way, steps) = ((*to - *from).signum(), (*to - *from).abs().max_element());
                let way = if way.x.abs() + way.y.abs() > 1.0 {
                    // The sign of 0 is 1.
                    (*to - *from) / steps
                } else {
                    way
                };
                let steps = if self.fine { steps as usize } else { 1 };
                for step in 0..steps {
                    let at = *from + way * step as f32;
                    nodes.push(self.node(at.x as i64, at.y as i64));
                }
            }
            nodes
        };
        traced.iter().map(|outline| outline.rings().map(ring).collect()).collect()
    }

    /// Places of interest: middles of cells and of their sides, corners, places beside these, and
    /// any places.
    fn places(&self, count: usize, rng: &mut Rng) -> Vec<[f32; 2]> {
        let [columns, rows] = self.size.map(|size| 2 * size as u64 + 1);
        (0..count)
            .map(|_| {
                let half = [rng.below(columns), rng.below(rows)].map(|half| half as f64 / 2.0);
                let at = self.at(half[0], half[1]);
                match rng.below(8) {
                    0 => at.map(|value| if rng.below(2) == 0 { value.next_up() } else { value }),
                    1 => at.map(|value| if rng.below(2) == 0 { value.next_down() } else { value }),
                    2 | 3 => {
                        let [x, y] = [columns, rows]
                            .map(|most| f64::from(rng.range(-0.2, most as f32 / 2.0)));
                        self.at(x, y)
                    }
                    4 => {
                        // The middle of two corners that may be far apart.
                        let mut node = || {
                            let [x, y] = [columns, rows].map(|most| rng.below(most) as i64 / 2);
                            self.node(x, y)
                        };
                        let (one, other) = (node(), node());
                        [0, 1]
                            .map(|axis| snap((f64::from(one[axis]) + f64::from(other[axis])) / 2.0))
                    }
                    _ => at,
                }
            })
            .map(|at| at.map(|value| snap(f64::from(value))))
            .collect()
    }

    /// Each cell as a shape of its own, exact where the rings have all corners.
    fn cell_cases(&self) -> Vec<Case> {
        let [columns, rows] = self.size.map(|size| size as i64);
        let mut found = Vec::new();
        for row in -1..=rows {
            for column in -1..=columns {
                let corners =
                    [[0, 0], [1, 0], [1, 1], [0, 1]].map(|[x, y]| self.node(column + x, row + y));
                let around = (-1..2).flat_map(|y| (-1..2).map(move |x| [x, y]));
                let any = around.into_iter().any(|[x, y]| self.color(column + x, row + y) > 0);
                let own = self.color(column, row) > 0;
                let shape: OwnedShape = if self.angle == 0.0 {
                    Aabb::new(corners[0], corners[2]).into()
                } else {
                    match ConvexPolygon::new(&corners) {
                        Ok(cell) if cell.vertices().len() == 4 => cell.into(),
                        _ => continue,
                    }
                };
                let area = Truth::new(&[vec![corners.to_vec()]]).area;
                let largest = corners.iter().flatten().fold(0.0_f32, |most, v| most.max(v.abs()));
                let error = area * 1e-6 + f64::from(largest) * self.unit * 1e-14;
                let shared = Some((if own { area } else { 0.0 }, error));
                found.push(Case { shared, ..Case::new(shape, [any, own]) });
            }
        }
        found
    }

    /// Segments along the lines between cells, and flat boxes: exact where nothing is turned.
    fn line_cases(&self, count: usize, rng: &mut Rng) -> Vec<Case> {
        let cases = (0..count).map(|number| {
            let axis = rng.below(2) as usize;
            let most = self.size.map(|size| size as i64);
            let across = rng.int(0, most[1 - axis]);
            let ends = [rng.int(-1, most[axis]), rng.int(0, most[axis] + 1)];
            let (from, to) = (ends[0].min(ends[1]), ends[0].max(ends[1]));
            let solid = |along: i64, side: i64| {
                let cell = [along, across - side];
                self.color(cell[axis], cell[1 - axis]) > 0
            };
            let open = (from..to).any(|along| solid(along, 0) && solid(along, 1))
                || [from, to].into_iter().any(|end| {
                    [-1, 0].into_iter().all(|step| solid(end + step, 0) && solid(end + step, 1))
                });
            let closed = (from - 1..=to).any(|along| solid(along, 0) || solid(along, 1));
            let [a, b] = [from, to].map(|along| {
                let node = [along, across];
                self.node(node[axis], node[1 - axis])
            });
            let shape: OwnedShape = match number % 4 {
                _ if a == b => Point::new(a).into(),
                0 => Segment::new(a, b).into(),
                1 => Capsule::new(b, a, 0.0).into(),
                2 => Aabb::new(a, b).into(),
                _ => Compound::new([Part::from(Segment::new(a, b))]).unwrap().into(),
            };
            Case::new(shape, [closed, open])
        });
        cases.collect()
    }

    /// A box around everything.
    fn around(&self) -> Aabb {
        let size = self.unit * 20.0 + 1.0;
        let [x, y] = self.origin;
        Aabb::new([x - size, y - size].map(|v| v as f32), [x + size, y + size].map(|v| v as f32))
    }
}

/// The map with the least number among its turns and mirror images.
fn is_first_of_its_kind(cells: u32, side: usize) -> bool {
    let bit = |cells: u32, x: usize, y: usize| cells >> (y * side + x) & 1;
    let images = (0..8).map(|image| {
        let mut found = 0;
        for y in 0..side {
            for x in 0..side {
                let (mut u, mut v) = (x, y);
                if image & 1 > 0 {
                    u = side - 1 - u;
                }
                if image & 2 > 0 {
                    v = side - 1 - v;
                }
                if image & 4 > 0 {
                    (u, v) = (v, u);
                }
                found |= bit(cells, u, v) << (y * side + x);
            }
        }
        found
    });
    images.min() == Some(cells)
}

/// A unit, an origin, and a turn.
fn placed(size: [usize; 2], cells: Vec<u8>, number: usize, rng: &mut Rng) -> Map {
    let unit = UNITS[number % UNITS.len()];
    let origin = ORIGINS[number / UNITS.len() % ORIGINS.len()];
    let origin = [origin, origin * [1.0, -0.75, 0.0][rng.below(3) as usize]];
    let angle = if rng.below(2) == 0 { 0.0 } else { f64::from(rng.range(-3.2, 3.2)) };
    Map { size, cells, unit, origin, angle, fine: rng.below(2) == 0 }
}

/// A body of any kind around a point that is further than its size from the border.
fn body(rng: &mut Rng, [x, y]: [f32; 2], size: f32) -> OwnedShape {
    let half = size * 0.5;
    match rng.below(8) {
        0 => Circle::new([x, y], half).into(),
        1 => Aabb::centered([x, y], [half, half * 0.5]).into(),
        2 => RoundedBox::new(Aabb::centered([x, y], [half * 0.5, half * 0.25]), half * 0.5).into(),
        3 => {
            Obb::new([x, y], [half, half * 0.5], Rotation::from_angle(rng.range(-3.0, 3.0))).into()
        }
        4 => Segment::new([x - half, y], [x + half, y + half]).into(),
        5 => Capsule::new([x - half * 0.5, y], [x + half * 0.5, y], half * 0.5).into(),
        6 => ConvexPolygon::new(&[[x - half, y - half], [x + half, y], [x, y + half]])
            .map_or(Point::new([x, y]).into(), OwnedShape::from),
        _ => Compound::new([Part::from(Circle::new([x, y], half)), Point::new([x, y]).into()])
            .unwrap()
            .into(),
    }
}

/// Bodies that are clear of the border, as far as the roundings of places demand.
fn bodies(truth: &Truth, given: &[[f32; 2]], rng: &mut Rng) -> Vec<Case> {
    let mut found = Vec::new();
    for &at in given {
        let clear = truth.clearance(at) as f32;
        let size = clear * rng.range(0.05, 0.7);
        let most = at[0].abs().max(at[1].abs());
        if size > most * 3e-7 {
            let inside = truth.place(at) == Place::Inside;
            found.push(Case::new(body(rng, at, size), [inside; 2]));
        }
    }
    found
}

/// Points and bodies of an area that is moved and rotated, some roundings from its border.
fn moved(truth: &Truth, given: &[[f32; 2]], rng: &mut Rng) -> (Pose, Vec<Case>) {
    let far = [1.0, 100.0, 10_000.0][rng.below(3) as usize];
    let pose = Pose::new(
        [rng.range(-far, far), rng.range(-far, far)],
        Rotation::from_angle(rng.range(-3.0, 3.0)),
    );
    let mut found = Vec::new();
    for &at in given {
        let [x, y] = at.map(f64::from);
        let [cos, sin] = [pose.cos, pose.sin].map(f64::from);
        let world =
            [f64::from(pose.x) + (cos * x - sin * y), f64::from(pose.y) + (sin * x + cos * y)]
                .map(|value| value as f32);
        let clear = truth.clearance(at) as f32;
        let most = [at, world].into_iter().flatten().fold(0.0_f32, |most, v| most.max(v.abs()));
        let inside = truth.place(at) == Place::Inside;
        if clear > most * 3e-7 {
            found.push(Case::new(Point::new(world), [inside; 2]));
        }
        let size = clear * rng.range(0.05, 0.5);
        if size > most * 3e-7 {
            found.push(Case::new(body(rng, world, size), [inside; 2]));
        }
    }
    (pose, found)
}

/// Checks a map as the outlines of its colours; returns the number of cases.
fn check(map: &Map, count: usize, thorough: bool, rng: &mut Rng) -> usize {
    let union = map.outlines(None);
    if union.is_empty() {
        return 0;
    }
    let truth = Truth::new(&union);
    let colors: HashSet<u8> = map.cells.iter().copied().filter(|color| *color > 0).collect();
    let given: Vec<Vec<Ring>> = if colors.len() > 1 {
        let mut colors: Vec<u8> = colors.into_iter().collect();
        colors.sort_unstable();
        colors.into_iter().flat_map(|color| map.outlines(Some(color))).collect()
    } else {
        union
    };
    let name = format!("{map:?}");
    let compound = compound(&given);
    let area = PosedShape::from(OwnedShape::from(compound));
    let places = map.places(count, rng);
    let mut all = points(&truth, &places);
    all.extend(bodies(&truth, &places, rng));
    if map.angle == 0.0 || map.fine {
        all.extend(map.cell_cases());
    }
    if map.angle == 0.0 {
        all.extend(map.line_cases(count / 2, rng));
    }
    let whole = f64::from(overlap_area(&area, map.around()).unwrap());
    let largest = map.origin[0].abs().max(map.origin[1].abs()) + 100.0;
    let error = truth.area * 6e-8 + largest * map.unit * 1e-13;
    assert!((whole - truth.area).abs() <= error, "{whole} {} {name}", truth.area);
    check_two(&area, &all, &name);
    if thorough {
        check_sets(&area, &all, true, &name);
        check_world(&area, &all[..all.len().min(12)], &name);
        let at = |place: Place| places.iter().find(|at| truth.place(**at) == place);
        if let (Some(inside), Some(outside)) = (at(Place::Inside), at(Place::Outside)) {
            check_crossing(&area, *inside, *outside);
        }
    }
    let (pose, posed) = moved(&truth, &places, rng);
    let area = PosedShape { pose: Some(pose), ..area };
    check_two(&area, &posed, &name);
    if thorough {
        check_sets(&area, &posed, true, &name);
    }
    all.len() + posed.len()
}

/// Maps of up to 4 x 4 cells, one map of each kind: a third of them for each round of cases.
#[test]
fn small_maps() {
    let (mut rng, mut checked, mut maps) = (Rng::new(69), 0, 0);
    let rounds = cases(1);
    for side in 1..=4_usize {
        for cells in 1..1_u32 << (side * side) {
            if !is_first_of_its_kind(cells, side) {
                continue;
            }
            for round in (0..rounds).filter(|round| (maps + round) % 3 == 0) {
                let solid = (0..side * side).map(|cell| (cells >> cell & 1) as u8).collect();
                let map = placed([side; 2], solid, maps + 7 * round, &mut rng);
                checked += check(&map, 4, maps % 64 == 5, &mut rng);
            }
            maps += 1;
        }
    }
    println!("{maps} maps, {checked} cases");
    assert!(maps > 8_500 && checked > 33_000, "{maps} {checked}");
}

/// Larger random maps, some with cells of several colours: outlines that share sides.
#[test]
fn random_maps() {
    let (mut rng, mut checked, mut shared) = (Rng::new(70), 0, 0);
    let count = cases(400);
    for number in 0..count {
        let size = [rng.int(2, 9) as usize, rng.int(2, 9) as usize];
        let colors = if number % 2 == 0 { 1 } else { 3 };
        let gaps = rng.below(3);
        let mut cells = vec![0; size[0] * size[1]];
        for cell in &mut cells {
            *cell = if rng.below(2 + gaps) == 0 { 0 } else { rng.int(1, colors) as u8 };
        }
        let mut map = placed(size, cells, number, &mut rng);
        // Sides of one outline must not pass beside the corners of another outline.
        map.fine |= colors > 1 && map.angle != 0.0;
        shared += usize::from(colors > 1);
        checked += check(&map, 12, number % 16 == 3, &mut rng);
    }
    println!("{count} maps, {shared} of colours, {checked} cases");
    assert!(checked > 25 * count, "{checked}");
}
