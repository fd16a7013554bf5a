//! The loops along the sides of a union of boxes, grouped to outlines.

use std::iter;

use glam::Vec2;

use super::{Outline, coverage::Edge};
use crate::{
    base::order::{by_key, f32_rank},
    simd::map_each,
};

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
