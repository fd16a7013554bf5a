//! Whether rings are simple, in the numbers of the file.

use super::{
    edge::{At, Edge, Meeting},
    place::Around,
    push_ring,
    tree::{Tree, grow},
};

/// Whether no two sides of some rings share more than the vertex between them, and the other rings
/// are holes of the first ring: exactly.
pub(crate) fn are_simple(rings: &[Vec<At>]) -> bool {
    let (mut edges, mut boxes) = (Vec::new(), Vec::new());
    for (number, ring) in (0..).zip(rings) {
        push_ring(ring, number, &mut edges);
    }
    grow(&edges, &mut boxes);
    let tree = Tree { edges: &edges, boxes: &boxes };
    let meet = tree.any_pair(&tree, 0.0, |a, b, _| !std::ptr::eq(a, b) && !is_proper(a, b));
    // Rings do not touch, so a hole is where one of its vertices is.
    !meet
        && edges.iter().filter(|edge| edge.first).all(|edge| {
            let within = Around::new(&tree, edge.a).others(edge.polygon);
            if edge.polygon == 0 { within.is_empty() } else { within == [0] }
        })
}

/// Whether two sides are apart, or follow each other and have the vertex between them in common
/// only.
fn is_proper(a: &Edge, b: &Edge) -> bool {
    let follows = |a: &Edge, b: &Edge| a.b == b.a && !a.holds(b.b) && !b.holds(a.a);
    let is_ring = a.polygon == b.polygon;
    a.meeting(b) == Meeting::Apart || (is_ring && (follows(a, b) || follows(b, a)))
}
