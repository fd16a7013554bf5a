//! The rings of an outline, checked, as the sides of its area.

use glam::Vec2;
use robust::orient2d;

use super::{Area, RingSide, wide};
use crate::{
    base::Pair,
    detector::Detector,
    error::{Error, Field, OutlineFault, Rejected},
    shape::check::coordinate_fault,
    simd::map_each,
    store::Columns,
};

/// The vertices of all rings, one ring after the other. The side of a vertex begins there.
#[derive(Default)]
pub(super) struct OutlineRings {
    vertices: Vec<Vec2>,
    /// The ring of each vertex, and its number in the list of the caller.
    names: Vec<(usize, usize)>,
    /// For each vertex, the next vertex of its ring.
    next: Vec<usize>,
    /// For each vertex, the first vertex that is at the same point.
    points: Vec<usize>,
    /// For each ring, the first ring of its outline: itself if it is no hole.
    outlines: Vec<usize>,
    /// The holes that have no area.
    dropped: Vec<Rejected>,
}

/// The points that two sides share, if they are more than ends of both sides.
enum SharedPoint {
    /// A point within both sides.
    Crossing,
    /// More than a point; in opposite directions or not.
    Along { opposite: bool },
    /// An end of one side lies within the other side, or both do.
    End,
}

impl OutlineRings {
    /// Adds an outline, or a hole of the last outline, without the vertices that repeat the vertex
    /// before. Drops a hole whose vertices are on one line.
    pub(super) fn add(
        &mut self,
        is_hole: bool,
        vertices: impl Iterator<Item = Vec2>,
    ) -> Result<(), Error> {
        let (first, ring) = (self.vertices.len(), self.outlines.len());
        let outline = if is_hole { self.outlines.last().copied() } else { None };
        self.outlines.push(outline.unwrap_or(ring));
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
        if self.outlines[ring] == ring {
            return Err(error);
        }
        self.dropped.push(Rejected { index: ring - 1, error });
        Ok(())
    }

    /// The area within the rings, and the holes that have no area.
    pub(super) fn area(mut self) -> Result<(Area, Vec<Rejected>), Error> {
        if self.outlines.is_empty() {
            return Err(Error::EmptyCompound);
        }
        self.find_points();
        let cuts = self.check_sides()?;
        let mut sides = self.cut(cuts);
        let bridges = find_bridges(&mut sides);
        let mut rest = &sides[..];
        while let [RingSide { name: (ring, _), .. }, ..] = *rest {
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
        Ok((Area::of(&self.vertices, sides, self.outlines, bridges), self.dropped))
    }

    /// Finds which vertices are at one point.
    fn find_points(&mut self) {
        let key = |vertex: usize| self.vertices[vertex] + Vec2::ZERO;
        let order = |a: &usize, b: &usize| {
            let (a, b) = (key(*a), key(*b));
            a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y))
        };
        let mut sorted: Vec<usize> = (0..self.vertices.len()).collect();
        // A stable sort: the first vertex at a point stays the first.
        sorted.sort_by(order);
        self.points = vec![0; sorted.len()];
        for same in sorted.chunk_by(|a, b| order(a, b).is_eq()) {
            for &vertex in same {
                self.points[vertex] = same[0];
            }
        }
    }

    /// Checks that sides do not cross, and that sides of one outline do not run along each other,
    /// except for a ring there and back. Returns the points that lie within a side: the side and
    /// the first vertex at the point.
    fn check_sides(&self) -> Result<Vec<(usize, usize)>, Error> {
        let column = |of: &dyn Fn([Vec2; 2]) -> f32| -> Vec<f32> {
            (0..self.next.len()).map(|side| of(self.ends(side))).collect()
        };
        let (min_x, min_y) = (column(&|[a, b]| a.x.min(b.x)), column(&|[a, b]| a.y.min(b.y)));
        let (max_x, max_y) = (column(&|[a, b]| a.x.max(b.x)), column(&|[a, b]| a.y.max(b.y)));
        let boxes = Columns::aabbs(&min_x, &min_y, &max_x, &max_y)?;
        let (mut cuts, mut first) = (Vec::new(), None);
        // Many sides may end at one point, so the pairs are not listed.
        Detector::new().for_each_pair(boxes, |Pair { a, b }| {
            let pair = [a as usize, b as usize];
            let rings = map_each(pair, |side| self.names[side].0);
            let same_ring = rings[0] == rings[1];
            let same_outline = self.outlines[rings[0]] == self.outlines[rings[1]];
            let along = match self.meeting(pair) {
                None => return,
                Some(SharedPoint::Crossing) => Some(false),
                Some(SharedPoint::Along { opposite })
                    if same_outline && !(opposite && same_ring) =>
                {
                    Some(true)
                }
                Some(SharedPoint::Along { .. } | SharedPoint::End) => None,
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
        })?;
        match first {
            None => Ok(cuts),
            Some((pair, along)) => Err(refuse(map_each(pair, |side| self.names[side]), along)),
        }
    }

    /// The ends of a side.
    fn ends(&self, side: usize) -> [Vec2; 2] {
        [self.vertices[side], self.vertices[self.next[side]]]
    }

    /// The points that two sides share whose boxes touch; `None` if they share no point, or only
    /// ends of both sides.
    fn meeting(&self, [a, b]: [usize; 2]) -> Option<SharedPoint> {
        let [from_a, from_b] = map_each([a, b], |side| self.points[side]);
        let [to_a, to_b] = map_each([a, b], |side| self.points[self.next[side]]);
        let at = |point: usize| self.vertices[point];
        // Most sides that touch have an end in common: there, and their other ends.
        let joint = if from_a == from_b {
            Some(([from_a, to_a, to_b], false))
        } else if to_a == to_b {
            Some(([to_a, from_a, from_b], false))
        } else if to_a == from_b {
            Some(([to_a, from_a, to_b], true))
        } else if from_a == to_b {
            Some(([from_a, to_a, from_b], true))
        } else {
            None
        };
        if let Some((joint, opposite)) = joint {
            let [joint, a, b] = map_each(joint, at);
            let along =
                way(joint, a) == way(joint, b) && orient2d(wide(joint), wide(a), wide(b)) == 0.0;
            return along.then_some(SharedPoint::Along { opposite });
        }
        let beside = |[start, end]: [f64; 2]| start < 0.0 && end < 0.0 || start > 0.0 && end > 0.0;
        let turns = |from: usize, to: usize, ends: [usize; 2]| {
            map_each(ends, |end| orient2d(wide(at(from)), wide(at(to)), wide(at(end))))
        };
        let of_b = turns(from_a, to_a, [from_b, to_b]);
        if beside(of_b) {
            return None;
        }
        let of_a = turns(from_b, to_b, [from_a, to_a]);
        if beside(of_a) {
            return None;
        }
        if of_a == [0.0; 2] && of_b == [0.0; 2] {
            // The boxes of the sides touch, and no end is an end of both sides.
            let opposite = way(at(from_a), at(to_a)) != way(at(from_b), at(to_b));
            return Some(SharedPoint::Along { opposite });
        }
        let ends = of_a.contains(&0.0) || of_b.contains(&0.0);
        Some(if ends { SharedPoint::End } else { SharedPoint::Crossing })
    }

    /// Whether a vertex lies on a side, and is not an end of the side.
    fn is_within(&self, vertex: usize, side: usize) -> bool {
        let (at, [from, to]) = (self.vertices[vertex], self.ends(side));
        let axis = usize::from(from.x == to.x);
        let (at_axis, ends) = (at[axis], [from[axis], to[axis]]);
        ends[0].min(ends[1]) < at_axis
            && at_axis < ends[0].max(ends[1])
            && orient2d(wide(from), wide(to), wide(at)) == 0.0
    }

    /// The sides in the order of their rings, cut at the points that lie on them.
    fn cut(&self, mut cuts: Vec<(usize, usize)>) -> Vec<RingSide> {
        cuts.sort_unstable_by(|(side, a), (other, b)| {
            let [a, b, from, to] =
                map_each([*a, *b, *side, self.next[*side]], |vertex| self.vertices[vertex]);
            let axis = usize::from(from.x == to.x);
            let along = a[axis].total_cmp(&b[axis]);
            side.cmp(other).then(if from[axis] < to[axis] { along } else { along.reverse() })
        });
        let mut sides = Vec::with_capacity(self.next.len() + cuts.len());
        let mut cuts = cuts.into_iter().peekable();
        for (vertex, &next) in self.next.iter().enumerate() {
            let mut from = self.points[vertex];
            let side = |from, to| RingSide { from, to, name: self.names[vertex], bridge: false };
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
    fn check_passes(&self, sides: &[RingSide]) -> Result<(), Error> {
        /// An end of a side.
        struct Arm {
            ring: usize,
            at: usize,
            side: usize,
            leaves: bool,
        }
        let mut arms = Vec::with_capacity(2 * sides.len());
        for (number, &RingSide { from, to, name: (ring, _), .. }) in sides.iter().enumerate() {
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
                let RingSide { from, to, .. } = sides[arm.side];
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
            Some(pair) => Err(refuse(map_each(pair, |side| sides[side].name), false)),
        }
    }
}

/// The direction from one point to another along x and y. On one line, it says which of two ways.
fn way(from: Vec2, to: Vec2) -> [bool; 4] {
    [from.x < to.x, from.x > to.x, from.y < to.y, from.y > to.y]
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

/// Marks the sides that a ring runs along once in each direction. Returns the two sides of each
/// bridge.
fn find_bridges(sides: &mut [RingSide]) -> Vec<[(usize, usize); 2]> {
    let mut sorted: Vec<usize> = (0..sides.len()).collect();
    sorted.sort_unstable_by_key(|&number| (sides[number].ends(), number));
    let mut bridges = Vec::new();
    for pair in sorted.windows(2) {
        let [a, b] = [pair[0], pair[1]];
        let same_ring = sides[a].name.0 == sides[b].name.0;
        if same_ring && sides[a].ends() == sides[b].ends() {
            (sides[a].bridge, sides[b].bridge) = (true, true);
            bridges.push([sides[a].name, sides[b].name]);
        }
    }
    bridges.sort_unstable();
    bridges
}

/// Checks that no side of a ring goes back along the one before it.
fn check_turns(ring: &[RingSide]) -> Result<(), Error> {
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
