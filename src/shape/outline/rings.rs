//! The rings of an outline, checked, as the border of its area.

use glam::Vec2;
use robust::orient2d;

use super::{Border, Side, wide};
use crate::{
    Columns, Detector, Error, Pair,
    error::{Field, OutlineFault, Rejected},
    shape::check::coordinate_fault,
};

/// The vertices of all rings, one ring after the other. The side of a vertex begins there.
#[derive(Default)]
pub(super) struct Rings {
    vertices: Vec<Vec2>,
    /// The ring of each vertex, and its number in the list of the caller.
    names: Vec<(usize, usize)>,
    /// The vertex after each one in its ring.
    next: Vec<usize>,
    /// For each vertex, the first vertex that is at the same point.
    points: Vec<usize>,
    /// The holes that have no area.
    dropped: Vec<Rejected>,
}

/// What two sides have in common.
enum Meeting {
    /// Nothing, or an end of at least one of them.
    End,
    /// A point within both.
    Crossing,
    /// More than a point; in opposite directions or not.
    Along { opposite: bool },
}

impl Rings {
    /// Adds a ring, without the vertices that repeat the one before. Drops a hole whose vertices
    /// are on one line.
    pub(super) fn add(
        &mut self,
        ring: usize,
        vertices: impl Iterator<Item = Vec2>,
    ) -> Result<(), Error> {
        let first = self.vertices.len();
        for (vertex, at) in vertices.enumerate() {
            for (field, value) in [(Field::X, at.x), (Field::Y, at.y)] {
                if let Some(fault) = coordinate_fault(value) {
                    let fault = OutlineFault::Vertex { field, value, fault };
                    return Err(Error::InvalidOutline { ring, vertex, fault });
                }
            }
            if self.vertices.len() == first || self.vertices.last() != Some(&at) {
                self.vertices.push(at);
                self.names.push((ring, vertex));
            }
        }
        while self.vertices.len() > first + 1 && self.vertices.last() == Some(&self.vertices[first])
        {
            self.vertices.pop();
            self.names.pop();
        }
        if let Some(fault) = flat(&self.vertices[first..]) {
            self.vertices.truncate(first);
            self.names.truncate(first);
            return self.without_area(ring, fault);
        }
        self.next.extend(first + 1..self.vertices.len());
        self.next.push(first);
        Ok(())
    }

    /// Drops a hole that has no area. An outline without area is an error.
    fn without_area(&mut self, ring: usize, fault: OutlineFault) -> Result<(), Error> {
        let error = Error::InvalidOutline { ring, vertex: 0, fault };
        let Some(index) = ring.checked_sub(1) else { return Err(error) };
        self.dropped.push(Rejected { index, error });
        Ok(())
    }

    /// The border of the area, and the holes that have none.
    pub(super) fn border(mut self) -> Result<(Border, Vec<Rejected>), Error> {
        self.find_points();
        let cuts = self.check_sides()?;
        let mut sides = self.cut(cuts);
        let bridges = find_bridges(&mut sides);
        let mut rest = &sides[..];
        while let [Side { name: (ring, _), .. }, ..] = *rest {
            let of_ring = rest.iter().take_while(|side| side.name.0 == ring).count();
            let (own, others) = rest.split_at(of_ring);
            if own.iter().all(|side| side.bridge) {
                self.without_area(ring, OutlineFault::NoArea)?;
            } else {
                check_turns(own)?;
            }
            rest = others;
        }
        sides.retain(|side| !side.bridge);
        self.check_passes(&sides)?;
        self.dropped.sort_by_key(|hole| hole.index);
        Ok((self.pack(sides, bridges), self.dropped))
    }

    /// Finds which vertices are at one point.
    fn find_points(&mut self) {
        let key = |vertex: usize| self.vertices[vertex] + Vec2::ZERO;
        let order = |a: &usize, b: &usize| {
            let (a, b) = (key(*a), key(*b));
            a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y))
        };
        let mut sorted: Vec<usize> = (0..self.vertices.len()).collect();
        // A stable sort: of the vertices at a point, the first one is the first.
        sorted.sort_by(order);
        self.points = vec![0; sorted.len()];
        for same in sorted.chunk_by(|a, b| order(a, b).is_eq()) {
            for &vertex in same {
                self.points[vertex] = same[0];
            }
        }
    }

    /// Checks that sides neither cross nor run along each other in one direction. Returns the
    /// points that lie within a side: the side and the first vertex at the point.
    fn check_sides(&self) -> Result<Vec<(usize, usize)>, Error> {
        let end = |side: usize| self.vertices[self.next[side]];
        let column = |of: &dyn Fn(usize) -> f32| (0..self.next.len()).map(of).collect::<Vec<f32>>();
        let ax = column(&|side| self.vertices[side].x);
        let ay = column(&|side| self.vertices[side].y);
        let (bx, by) = (column(&|side| end(side).x), column(&|side| end(side).y));
        let (mut cuts, mut first) = (Vec::new(), None);
        // Many sides may end at one point, so the pairs are not listed.
        Detector::new().for_each_pair(
            Columns::segments(&ax, &ay, &bx, &by)?,
            |Pair { a, b }| {
                let pair = [a as usize, b as usize];
                let same_ring = self.names[pair[0]].0 == self.names[pair[1]].0;
                let along = match self.meeting(pair) {
                    Meeting::Along { opposite: true } if same_ring => None,
                    Meeting::End => None,
                    Meeting::Crossing => Some(false),
                    Meeting::Along { .. } => Some(true),
                };
                match along {
                    Some(along) if first.is_none_or(|(earlier, _)| pair < earlier) => {
                        first = Some((pair, along));
                    }
                    None if first.is_none() => {
                        for [side, vertex] in [pair, [pair[1], pair[0]]] {
                            if self.points[vertex] == vertex && self.is_within(vertex, side) {
                                cuts.push((side, vertex));
                            }
                        }
                    }
                    _ => {}
                }
            },
        )?;
        match first {
            None => Ok(cuts),
            Some((pair, along)) => Err(refuse(pair.map(|side| self.names[side]), along)),
        }
    }

    /// What two sides that touch have in common.
    fn meeting(&self, [a, b]: [usize; 2]) -> Meeting {
        let ends = |side: usize| [self.vertices[side], self.vertices[self.next[side]]];
        let ([a, to_a], [b, to_b]) = (ends(a), ends(b));
        let turns = |from: Vec2, to: Vec2, ends: [Vec2; 2]| {
            ends.map(|end| orient2d(wide(from), wide(to), wide(end)))
        };
        let (of_b, of_a) = (turns(a, to_a, [b, to_b]), turns(b, to_b, [a, to_a]));
        if of_a == [0.0; 2] && of_b == [0.0; 2] {
            // On one line, which is not vertical if its points differ in x.
            let axis = usize::from(a.x == to_a.x);
            let [a, to_a, b, to_b] = [a, to_a, b, to_b].map(|end| end[axis]);
            let apart = a.max(to_a) <= b.min(to_b) || b.max(to_b) <= a.min(to_a);
            let opposite = (a < to_a) != (b < to_b);
            return if apart { Meeting::End } else { Meeting::Along { opposite } };
        }
        let beside = |[start, end]: [f64; 2]| start < 0.0 && end > 0.0 || start > 0.0 && end < 0.0;
        if beside(of_a) && beside(of_b) { Meeting::Crossing } else { Meeting::End }
    }

    /// Whether a vertex lies on a side, and is not one of its ends.
    fn is_within(&self, vertex: usize, side: usize) -> bool {
        let (at, from, to) =
            (self.vertices[vertex], self.vertices[side], self.vertices[self.next[side]]);
        let axis = usize::from(from.x == to.x);
        let (at_axis, ends) = (at[axis], [from[axis], to[axis]]);
        ends[0].min(ends[1]) < at_axis
            && at_axis < ends[0].max(ends[1])
            && orient2d(wide(from), wide(to), wide(at)) == 0.0
    }

    /// The sides in the order of their rings, cut at the points that lie on them.
    fn cut(&self, mut cuts: Vec<(usize, usize)>) -> Vec<Side> {
        cuts.sort_unstable_by(|(side, a), (other, b)| {
            let [a, b, from, to] =
                [*a, *b, *side, self.next[*side]].map(|vertex| self.vertices[vertex]);
            let axis = usize::from(from.x == to.x);
            let along = a[axis].total_cmp(&b[axis]);
            side.cmp(other).then(if from[axis] < to[axis] { along } else { along.reverse() })
        });
        let mut sides = Vec::with_capacity(self.next.len() + cuts.len());
        let mut cuts = cuts.into_iter().peekable();
        for (vertex, &next) in self.next.iter().enumerate() {
            let mut from = self.points[vertex];
            let side = |from, to| Side { from, to, name: self.names[vertex], bridge: false };
            while let Some((_, to)) = cuts.next_if(|(side, _)| *side == vertex) {
                sides.push(side(from, to));
                from = to;
            }
            sides.push(side(from, self.points[next]));
        }
        sides
    }

    /// Checks that no ring crosses itself at a point that it visits more than once: around the
    /// point, its sides come and go by turns.
    fn check_passes(&self, sides: &[Side]) -> Result<(), Error> {
        /// An end of a side.
        struct Arm {
            ring: usize,
            at: usize,
            side: usize,
            leaves: bool,
        }
        let mut arms = Vec::with_capacity(2 * sides.len());
        for (number, &Side { from, to, name: (ring, _), .. }) in sides.iter().enumerate() {
            arms.push(Arm { ring, at: from, side: number, leaves: true });
            arms.push(Arm { ring, at: to, side: number, leaves: false });
        }
        arms.sort_unstable_by_key(|arm| (arm.ring, arm.at, arm.side));
        let mut first = None;
        for around in arms.chunk_by_mut(|a, b| (a.ring, a.at) == (b.ring, b.at)) {
            if around.len() <= 2 {
                continue;
            }
            let center = self.vertices[around[0].at];
            let away = |arm: &Arm| {
                let Side { from, to, .. } = sides[arm.side];
                self.vertices[if arm.leaves { to } else { from }]
            };
            // From the direction to the right, counter-clockwise.
            let lower = |end: Vec2| end.y < center.y || end.y == center.y && end.x < center.x;
            around.sort_unstable_by(|a, b| {
                let (a, b) = (away(a), away(b));
                let turn = orient2d(wide(center), wide(b), wide(a));
                lower(a).cmp(&lower(b)).then(turn.total_cmp(&0.0))
            });
            let len = around.len();
            for (place, arm) in around.iter().enumerate() {
                let after = &around[(place + 1) % len];
                if arm.leaves && after.leaves {
                    let pair = [arm.side.min(after.side), arm.side.max(after.side)];
                    first = Some(first.map_or(pair, |earlier: [usize; 2]| earlier.min(pair)));
                }
            }
        }
        match first {
            None => Ok(()),
            Some(pair) => Err(refuse(pair.map(|side| sides[side].name), false)),
        }
    }

    /// The border with the points that its sides use, in the order of the first vertex at each.
    fn pack(&self, mut sides: Vec<Side>, bridges: Vec<[(usize, usize); 2]>) -> Border {
        let mut numbers: Vec<usize> = sides.iter().map(|side| side.from).collect();
        numbers.sort_unstable();
        numbers.dedup();
        let number = |point: usize| numbers.partition_point(|&other| other < point);
        for side in &mut sides {
            (side.from, side.to) = (number(side.from), number(side.to));
        }
        sides.sort_unstable_by_key(|side| (side.from, side.to));
        let points = numbers.iter().map(|&vertex| self.vertices[vertex]).collect();
        Border { points, sides, bridges }
    }
}

/// Why the vertices of a ring span no area, if they are too few or on one line.
fn flat(vertices: &[Vec2]) -> Option<OutlineFault> {
    let mut distinct = Vec::with_capacity(3);
    for &vertex in vertices {
        if distinct.len() < 3 && !distinct.contains(&vertex) {
            distinct.push(vertex);
        }
    }
    let [a, b, _] = distinct[..] else {
        return Some(OutlineFault::TooFewVertices { distinct: distinct.len() });
    };
    let on_line = |c: &Vec2| orient2d(wide(a), wide(b), wide(*c)) == 0.0;
    vertices.iter().all(on_line).then_some(OutlineFault::NoArea)
}

/// Marks the sides that a ring runs along once in each direction. Returns a pair of them for each.
fn find_bridges(sides: &mut [Side]) -> Vec<[(usize, usize); 2]> {
    let ends = |side: &Side| (side.from.min(side.to), side.from.max(side.to));
    let mut sorted: Vec<usize> = (0..sides.len()).collect();
    sorted.sort_unstable_by_key(|&number| (ends(&sides[number]), number));
    let mut bridges = Vec::new();
    for pair in sorted.windows(2) {
        let [a, b] = [pair[0], pair[1]];
        if ends(&sides[a]) == ends(&sides[b]) {
            (sides[a].bridge, sides[b].bridge) = (true, true);
            bridges.push([sides[a].name, sides[b].name]);
        }
    }
    bridges.sort_unstable();
    bridges
}

/// Checks that no side of a ring goes back along the one before it.
fn check_turns(ring: &[Side]) -> Result<(), Error> {
    for (side, after) in ring.iter().zip(ring.iter().cycle().skip(1)) {
        if side.from == after.to {
            let mut names = [side.name, after.name];
            names.sort_unstable();
            return Err(refuse(names, true));
        }
    }
    Ok(())
}

/// The error of two sides that run along each other, or cross.
pub(super) fn refuse(sides: [(usize, usize); 2], along: bool) -> Error {
    let [(ring, vertex), (other_ring, other)] = sides;
    let fault = if along {
        OutlineFault::Overlaps { ring: other_ring, vertex: other }
    } else {
        OutlineFault::Crosses { ring: other_ring, vertex: other }
    };
    Error::InvalidOutline { ring, vertex, fault }
}
