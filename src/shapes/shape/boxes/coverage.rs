//! The upright sides of a union of boxes, and the loops along its sides, grouped to outlines.

use std::{iter, ops::Range};

use super::Outline;
use crate::{
    base::order::{by_key, f32_rank, sort_f32},
    shape::Aabb,
    simd::map_each,
};
use glam::Vec2;

/// An upright side of the union. Heights are numbers in the list of all heights.
#[derive(Debug, Clone, Copy)]
pub(super) struct Edge {
    pub(super) x: f32,
    pub(super) low: usize,
    pub(super) high: usize,
    /// Whether the way along it, with the area to its left, leads up.
    pub(super) up: bool,
}

/// A side of a box that the sweep meets.
#[derive(Clone)]
struct Event {
    x: f32,
    /// Whether the box ends here.
    ends: bool,
    heights: Range<usize>,
}

/// All upright sides of the union of boxes, from left to right and then upwards, and the heights.
///
/// At each x, boxes begin before other boxes end. So where a box ends and the next box begins,
/// neither of them finds a gap.
pub(super) fn edges(boxes: &[Aabb]) -> (Vec<Edge>, Vec<f32>) {
    // One zero only: `-0.0 + 0.0` is `0.0`.
    let boxes = boxes.iter().filter(|one| one.min_x < one.max_x && one.min_y < one.max_y);
    let mut heights: Vec<f32> =
        boxes.clone().flat_map(|one| [one.min_y + 0.0, one.max_y + 0.0]).collect();
    sort_f32(&mut heights);
    heights.dedup();
    let number = |height: f32| heights.partition_point(|&other| other < height);
    let mut events = Vec::new();
    for one in boxes {
        for (x, ends) in [(one.min_x + 0.0, false), (one.max_x + 0.0, true)] {
            events.push(Event { x, ends, heights: number(one.min_y)..number(one.max_y) });
        }
    }
    // Edges do not depend on the order of equal events.
    let order = by_key(&events, |event| u64::from(f32_rank(event.x)) << 1 | u64::from(event.ends));
    let mut coverage = Coverage::new(heights.len());
    let (mut edges, mut gaps) = (Vec::new(), Vec::new());
    for (_, event) in order {
        let Event { x, ends, heights } = events[event as usize].clone();
        if ends {
            coverage.remove(heights.clone());
        }
        coverage.gaps(heights.clone(), &mut gaps);
        if !ends {
            coverage.add(heights);
        }
        let edge = |Range { start, end }| Edge { x, low: start, high: end, up: ends };
        edges.extend(gaps.drain(..).map(edge));
    }
    (joined(edges), heights)
}

/// The edges without joints, from left to right and then upwards.
fn joined(edges: Vec<Edge>) -> Vec<Edge> {
    let order = by_key(&edges, |edge| u64::from(f32_rank(edge.x)) << 32 | edge.low as u64);
    let mut edges: Vec<Edge> = order.into_iter().map(|(_, edge)| edges[edge as usize]).collect();
    edges.dedup_by(|next, edge| {
        let same = (edge.x, edge.up, edge.high) == (next.x, next.up, next.low);
        if same {
            edge.high = next.high;
        }
        same
    });
    edges
}

/// How much of a node's range boxes cover.
#[derive(Clone, Copy, PartialEq, Eq)]
enum RangeCover {
    Nothing,
    Some,
    All,
}

#[derive(Clone, Copy)]
struct CoverageNode {
    /// The number of boxes that cover the range of this node, but not the range of its parent.
    boxes: usize,
    cover: RangeCover,
}

/// The heights that boxes cover at one x: a segment tree. The children of node k are 2 k and
/// 2 k + 1.
struct Coverage {
    nodes: Vec<CoverageNode>,
    /// The number of spaces between heights, rounded up to a power of two.
    len: usize,
}

impl Coverage {
    fn new(heights: usize) -> Self {
        let len = heights.max(2).next_power_of_two();
        Self { nodes: vec![CoverageNode { boxes: 0, cover: RangeCover::Nothing }; 2 * len], len }
    }

    fn add(&mut self, range: Range<usize>) {
        self.change(1, 0..self.len, &range, &|boxes| boxes + 1);
    }

    /// Removes a box that was added.
    fn remove(&mut self, range: Range<usize>) {
        self.change(1, 0..self.len, &range, &|boxes| boxes - 1);
    }

    fn change(
        &mut self,
        node: usize,
        own: Range<usize>,
        range: &Range<usize>,
        to: &impl Fn(usize) -> usize,
    ) {
        if own.end <= range.start || range.end <= own.start {
            return;
        }
        if range.start <= own.start && own.end <= range.end {
            self.nodes[node].boxes = to(self.nodes[node].boxes);
        } else {
            for (child, half) in halves(node, &own) {
                self.change(child, half, range, to);
            }
        }
        self.nodes[node].cover = if self.nodes[node].boxes > 0 {
            RangeCover::All
        } else if own.len() == 1 {
            RangeCover::Nothing
        } else {
            match map_each([2 * node, 2 * node + 1], |child| self.nodes[child].cover) {
                [RangeCover::All, RangeCover::All] => RangeCover::All,
                [RangeCover::Nothing, RangeCover::Nothing] => RangeCover::Nothing,
                _ => RangeCover::Some,
            }
        };
    }

    /// Lists the uncovered parts of a range, from below.
    fn gaps(&self, range: Range<usize>, gaps: &mut Vec<Range<usize>>) {
        self.list_gaps(1, 0..self.len, &range, gaps);
    }

    fn list_gaps(
        &self,
        node: usize,
        own: Range<usize>,
        range: &Range<usize>,
        gaps: &mut Vec<Range<usize>>,
    ) {
        let part = own.start.max(range.start)..own.end.min(range.end);
        if part.is_empty() {
            return;
        }
        match self.nodes[node].cover {
            RangeCover::All => {}
            RangeCover::Nothing => match gaps.last_mut() {
                Some(last) if last.end == part.start => last.end = part.end,
                _ => gaps.push(part),
            },
            RangeCover::Some => {
                for (child, half) in halves(node, &own) {
                    self.list_gaps(child, half, range, gaps);
                }
            }
        }
    }
}

/// The children of a node and their ranges.
fn halves(node: usize, own: &Range<usize>) -> [(usize, Range<usize>); 2] {
    let middle = own.start.midpoint(own.end);
    [(2 * node, own.start..middle), (2 * node + 1, middle..own.end)]
}

/// The outlines with these upright sides, which are from left to right and then upwards.
pub(super) fn outlines(edges: &[Edge], heights: &[f32]) -> Vec<Outline> {
    let next = linked(edges);
    let left = left_of_first(edges, heights.len());
    let mut outlines: Vec<Outline> = Vec::new();
    // The outline of each edge.
    let mut owner = vec![usize::MAX; edges.len()];
    for first in 0..edges.len() {
        if owner[first] != usize::MAX {
            continue;
        }
        // All to the left of this edge belongs to loops that are known.
        let own = if edges[first].up { left[first].map(|edge| owner[edge]) } else { None };
        let own = own.unwrap_or(outlines.len());
        let (mut ring, mut edge) = (Vec::new(), first);
        while owner[edge] == usize::MAX {
            owner[edge] = own;
            let Edge { x, low, high, up } = edges[edge];
            let ends = map_each([low, high], |height| Vec2::new(x, heights[height]));
            ring.extend(if up { ends } else { [ends[1], ends[0]] });
            edge = next[edge];
        }
        if let Some(outline) = outlines.get_mut(own) {
            outline.holes.push(ring);
        } else {
            // Down to the lowest of the leftmost vertices.
            ring.rotate_left(1);
            outlines.push(Outline { outer: ring, holes: Vec::new() });
        }
    }
    outlines
}

/// The edge that follows each edge, after the level side between them.
///
/// At each height, level sides join the first end to the second, the third to the fourth, and so
/// on. Where two edges end at one point, a corner touches another corner. The edge that leads down
/// comes first there, so that all loops turn right: down to the left or from the left down, up to
/// the right or from the right up.
fn linked(edges: &[Edge]) -> Vec<usize> {
    /// An end of an edge.
    #[derive(Clone, Copy)]
    struct End {
        height: usize,
        edge: usize,
        upper: bool,
    }
    let mut ends = Vec::with_capacity(2 * edges.len());
    for up in [false, true] {
        for (number, edge) in edges.iter().enumerate().filter(|(_, edge)| edge.up == up) {
            ends.push(End { height: edge.low, edge: number, upper: false });
            ends.push(End { height: edge.high, edge: number, upper: true });
        }
    }
    let order =
        by_key(&ends, |end| (end.height as u64) << 32 | u64::from(f32_rank(edges[end.edge].x)));
    let mut next = vec![0; edges.len()];
    for pair in order.chunks_exact(2) {
        let [a, b] = map_each([pair[0], pair[1]], |(_, end)| ends[end as usize]);
        // The way along an edge that leads up arrives at its upper end.
        if edges[a.edge].up == a.upper {
            next[a.edge] = b.edge;
        } else {
            next[b.edge] = a.edge;
        }
    }
    next
}

/// The edge to the left of the lowest space of each edge: the last one before it that covers the
/// space.
///
/// Heights bound spaces, and a binary tree has a leaf for each space. An edge is noted at the
/// fewest nodes that have exactly its spaces. As edges come in the order of their numbers, the last
/// one to cover a space is the largest number at the leaf and above it. O(n log n) time.
fn left_of_first(edges: &[Edge], spaces: usize) -> Vec<Option<usize>> {
    // Numbers from 1 on.
    let mut latest = vec![0_usize; 2 * spaces];
    let mut left = Vec::with_capacity(edges.len());
    for (number, edge) in (1..).zip(edges) {
        let above = iter::successors(Some(edge.low + spaces), |node| Some(node / 2));
        let found = above.take_while(|node| *node > 0).map(|node| latest[node]).max();
        left.push(found.and_then(|found| found.checked_sub(1)));
        let (mut first, mut end) = (edge.low + spaces, edge.high + spaces);
        while first < end {
            if first % 2 == 1 {
                latest[first] = number;
                first += 1;
            }
            if end % 2 == 1 {
                end -= 1;
                latest[end] = number;
            }
            (first, end) = (first / 2, end / 2);
        }
    }
    left
}
