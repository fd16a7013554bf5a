//! Edges under boxes: near edges are found without a look at far edges.

use widephase::doubles::DoubleBox;

use super::edge::{Edge, gap};

/// The edges under a box, and the boxes under a larger one.
const FAN: usize = 8;

/// Edges in an order in which neighbours are near each other, and boxes around each eight of them,
/// around each eight boxes, and so on up to one box.
#[derive(Debug, Clone, Copy)]
pub(super) struct Tree<'a> {
    pub(super) edges: &'a [Edge],
    /// The boxes, level by level from below.
    pub(super) boxes: &'a [DoubleBox],
}

/// A box of a tree, or an edge: its level is 0.
#[derive(Debug, Clone, Copy)]
struct Node {
    level: usize,
    /// Its place in its level.
    place: usize,
    /// Where its level begins.
    start: usize,
}

/// Appends the boxes over some edges.
pub(super) fn grow(edges: &[Edge], boxes: &mut Vec<DoubleBox>) {
    boxes.extend(edges.chunks(FAN).map(|part| union(part.iter().map(Edge::around))));
    let (mut start, mut len) = (boxes.len() - edges.len().div_ceil(FAN), edges.len().div_ceil(FAN));
    while len > 1 {
        let end = start + len;
        for first in (start..end).step_by(FAN) {
            let around = union(boxes[first..end.min(first + FAN)].iter().copied());
            boxes.push(around);
        }
        (start, len) = (end, len.div_ceil(FAN));
    }
}

/// The box around at least one box.
pub(super) fn union(boxes: impl Iterator<Item = DoubleBox>) -> DoubleBox {
    let none = DoubleBox { min: [f64::INFINITY; 2], max: [f64::NEG_INFINITY; 2], radius: 0.0 };
    boxes.fold(none, |a, b| DoubleBox {
        min: [a.min[0].min(b.min[0]), a.min[1].min(b.min[1])],
        max: [a.max[0].max(b.max[0]), a.max[1].max(b.max[1])],
        radius: a.radius.max(b.radius),
    })
}

impl<'a> Tree<'a> {
    /// The box around all edges, of which there must be one.
    pub(super) fn around(&self) -> DoubleBox {
        self.boxes.last().copied().unwrap_or_else(|| union(self.edges.iter().map(Edge::around)))
    }

    fn root(&self) -> Node {
        let (mut level, mut start, mut len) = (0, 0, self.edges.len());
        while len > 1 {
            // The first level is the edges, which are not among the boxes.
            start += if level == 0 { 0 } else { len };
            (level, len) = (level + 1, len.div_ceil(FAN));
        }
        Node { level, place: 0, start }
    }

    fn node_box(&self, node: Node) -> DoubleBox {
        match node.level {
            0 => self.edges[node.place].around(),
            _ => self.boxes[node.start + node.place],
        }
    }

    /// The nodes under a node, which is no edge.
    fn under(&self, node: Node) -> impl Iterator<Item = Node> {
        let mut len = self.edges.len();
        for _ in 1..node.level {
            len = len.div_ceil(FAN);
        }
        let level = node.level - 1;
        let start = if level == 0 { 0 } else { node.start - len };
        let first = node.place * FAN;
        (first..len.min(first + FAN)).map(move |place| Node { level, place, start })
    }

    /// Calls `visit` with each edge whose box passes a test, which each box around it passes.
    /// Stops where it returns true, and then returns true.
    pub(super) fn any(
        &self,
        test: impl Fn(&DoubleBox) -> bool,
        mut visit: impl FnMut(&'a Edge) -> bool,
    ) -> bool {
        let mut nodes = vec![self.root()];
        while let Some(node) = nodes.pop() {
            if !test(&self.node_box(node)) {
                continue;
            }
            if node.level > 0 {
                nodes.extend(self.under(node));
            } else if visit(&self.edges[node.place]) {
                return true;
            }
        }
        false
    }

    /// Calls `visit` with all pairs of an edge here and one of `other` whose boxes are no further
    /// apart than `limit`, a squared distance, which `visit` may lower. Near pairs come first.
    /// Stops where it returns true, and then returns true.
    pub(super) fn any_pair(
        &self,
        other: &Self,
        mut limit: f64,
        mut visit: impl FnMut(&'a Edge, &'a Edge, &mut f64) -> bool,
    ) -> bool {
        let squared = |a: &DoubleBox, b: &DoubleBox| {
            let [x, y] = gap(a, b);
            x * x + y * y
        };
        let (own, others) = (self.root(), other.root());
        let mut pairs = vec![(squared(&self.node_box(own), &other.node_box(others)), own, others)];
        let mut under = Vec::new();
        while let Some((square, a, b)) = pairs.pop() {
            if square > limit {
                continue;
            }
            if a.level == 0 && b.level == 0 {
                if visit(&self.edges[a.place], &other.edges[b.place], &mut limit) {
                    return true;
                }
                continue;
            }
            if a.level >= b.level {
                let around = other.node_box(b);
                under.extend(self.under(a).map(|a| (squared(&self.node_box(a), &around), a, b)));
            } else {
                let around = self.node_box(a);
                under.extend(other.under(b).map(|b| (squared(&around, &other.node_box(b)), a, b)));
            }
            under.retain(|(square, ..)| *square <= limit);
            under.sort_unstable_by(|a, b| b.0.total_cmp(&a.0));
            pairs.append(&mut under);
        }
        false
    }
}
