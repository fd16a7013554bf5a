//! The loops along the sides of a union of boxes, grouped to outlines.

use std::collections::BTreeMap;

use glam::Vec2;

use super::{Outline, coverage::Edge};

/// The outlines with these upright sides, which are from left to right and then upwards.
pub(super) fn outlines(edges: &[Edge], heights: &[f32]) -> Vec<Outline> {
    let next = linked(edges);
    let left = left_of_first(edges);
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
            let ends = [low, high].map(|height| Vec2::new(x, heights[height]));
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

/// The edge that follows each one, after the level side between them.
///
/// At each height, level sides join the first end to the second, the third to the fourth, and so
/// on. Where two edges end at one point, a corner touches another one. The edge that leads down
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
    for (number, edge) in edges.iter().enumerate() {
        ends.push(End { height: edge.low, edge: number, upper: false });
        ends.push(End { height: edge.high, edge: number, upper: true });
    }
    ends.sort_unstable_by(|a, b| {
        let (left, right) = (&edges[a.edge], &edges[b.edge]);
        a.height.cmp(&b.height).then(left.x.total_cmp(&right.x)).then(left.up.cmp(&right.up))
    });
    let mut next = vec![0; edges.len()];
    for pair in ends.chunks_exact(2) {
        let [a, b] = [pair[0], pair[1]];
        // The way along an edge that leads up arrives at its upper end.
        if edges[a.edge].up == a.upper {
            next[a.edge] = b.edge;
        } else {
            next[b.edge] = a.edge;
        }
    }
    next
}

/// The edge to the left of the lowest space of each edge.
fn left_of_first(edges: &[Edge]) -> Vec<Option<usize>> {
    // The last edge at each space between heights, by the lowest space of a run.
    let mut last: BTreeMap<usize, Option<usize>> = BTreeMap::from([(0, None)]);
    let mut left = Vec::with_capacity(edges.len());
    for (number, &Edge { low, high, .. }) in edges.iter().enumerate() {
        let at = |last: &BTreeMap<usize, Option<usize>>, space: usize| {
            last.range(..=space).next_back().and_then(|(_, edge)| *edge)
        };
        left.push(at(&last, low));
        let above = at(&last, high);
        let covered: Vec<usize> = last.range(low..high).map(|(space, _)| *space).collect();
        for space in covered {
            last.remove(&space);
        }
        last.insert(low, Some(number));
        last.entry(high).or_insert(above);
    }
    left
}
