//! The upright sides of a union of boxes.

use std::ops::Range;

use crate::{
    base::order::{by_key, f32_rank, sort_f32},
    shape::Aabb,
    simd::map_each,
};

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
