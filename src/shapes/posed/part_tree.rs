//! `PartTree`: the boxes of the parts of a compound, as a tree.
//!
//! In plain words:
//!
//! ```text
//! the parts in the order of `part_order`: runs of sixteen that are near each other
//! a node is the rounded box around a run, or around sixteen consecutive nodes of the layer below
//! the last layer has at most sixteen nodes
//! ```
//!
//! The order belongs to the compound and never changes. The boxes are the boxes of the placed
//! parts: a new pose places all parts, and the boxes of the nodes with them. So a node holds its
//! parts without a margin: its core holds their cores, and its radius is the largest of theirs. A
//! shape that touches a part by the test of boxes touches the node by the same test, because no
//! operation of the test decreases a value that another operation increases, roundings included.
//!
//! Sixteen boxes that follow each other in a layer are a block, and so are the last boxes of a
//! layer. A block of n boxes is five columns of n numbers: left, lower, right, and upper sides, and
//! radii.

use crate::{
    base::MAX_LAYERS,
    shape::{RoundedBox, compound::RUN},
    simd::map_each,
};

/// Boxes behind the last box of a list: the columns of a block may be read as sixteen numbers.
pub(super) const BEHIND: usize = RUN.div_ceil(BOX_NUMBERS);

/// The numbers of a box.
const BOX_NUMBERS: usize = 5;

/// Where the nodes of a compound are, by the number of its first part: nodes are less than an
/// eighth as many as parts.
pub(super) fn first_node(first_part: usize) -> usize {
    first_part / 8
}

/// The boxes of at most [`RUN`] parts, for a tree that is not kept.
pub(crate) type FewParts = [RoundedBox; RUN + BEHIND];

/// The parts of a compound, as a tree.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PartTree<'a> {
    /// The boxes of the parts and of the nodes, and some behind them.
    parts: &'a [f32],
    nodes: &'a [f32],
    order: &'a [u32],
}

/// At most sixteen boxes: columns of sixteen numbers, of which the first `len` count.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PartBlock<'a> {
    pub(crate) columns: [&'a [f32; RUN]; BOX_NUMBERS],
    pub(crate) len: usize,
}

impl<'a> PartBlock<'a> {
    /// A block of boxes from a place in a list on, of a layer that ends `left` boxes behind it.
    #[inline(always)]
    fn new(boxes: &'a [f32], at: usize, left: usize) -> Self {
        let len = left.min(RUN);
        let columns = map_each([0, 1, 2, 3, 4], |column: usize| {
            let start = at * BOX_NUMBERS + column * len;
            boxes[start..].first_chunk().expect("there is slack behind the boxes")
        });
        Self { columns, len }
    }

    /// One bit for each box.
    #[inline(always)]
    pub(crate) fn all(&self) -> u32 {
        (1 << self.len) - 1
    }

    /// The box in a lane.
    #[inline(always)]
    fn bounds(&self, lane: usize) -> RoundedBox {
        let [min_x, min_y, max_x, max_y, radius] = map_each(self.columns, |column| column[lane]);
        RoundedBox { min_x, min_y, max_x, max_y, radius }
    }

    /// The box around all boxes of the block.
    #[inline(always)]
    fn around(&self) -> [f32; BOX_NUMBERS] {
        let mut around = map_each(self.columns, |column| column[0]);
        for lane in 1..self.len {
            for side in [0, 1] {
                around[side] = around[side].min(self.columns[side][lane]);
            }
            for side in [2, 3, 4] {
                around[side] = around[side].max(self.columns[side][lane]);
            }
        }
        around
    }
}

/// Writes a box of a layer of `count` boxes, which begin at `start` in a list.
fn put(boxes: &mut [f32], start: usize, count: usize, number: usize, values: [f32; BOX_NUMBERS]) {
    let block = number / RUN * RUN;
    let len = (count - block).min(RUN);
    for (column, value) in values.into_iter().enumerate() {
        boxes[(start + block) * BOX_NUMBERS + column * len + number - block] = value;
    }
}

/// Writes the box of the part at a place in the order, of a compound of `count` parts, whose boxes
/// `boxes` begins with.
pub(super) fn put_part(boxes: &mut [RoundedBox], count: usize, place: usize, part: RoundedBox) {
    let RoundedBox { min_x, min_y, max_x, max_y, radius } = part;
    let values = [min_x, min_y, max_x, max_y, radius];
    put(bytemuck::cast_slice_mut(boxes), 0, count, place, values);
}

/// Writes the nodes of a compound of `count` parts, whose boxes are known.
pub(super) fn put_nodes(parts: &[RoundedBox], nodes: &mut [RoundedBox], count: usize) {
    let parts: &[f32] = bytemuck::cast_slice(parts);
    let nodes: &mut [f32] = bytemuck::cast_slice_mut(nodes);
    let (mut below, mut start, mut left) = (None, 0, count);
    while left > RUN {
        let made = left.div_ceil(RUN);
        for node in 0..made {
            let at = node * RUN;
            let around = match below {
                None => PartBlock::new(parts, at, left - at).around(),
                Some(below) => PartBlock::new(nodes, below + at, left - at).around(),
            };
            put(nodes, start, made, node, around);
        }
        (below, start, left) = (Some(start), start + made, made);
    }
}

impl<'a> PartTree<'a> {
    /// The tree of the parts with these numbers in the order of the tree. The lists begin with the
    /// boxes of these parts, and their nodes.
    #[inline]
    pub(super) fn new(parts: &'a [RoundedBox], nodes: &'a [RoundedBox], order: &'a [u32]) -> Self {
        Self { parts: bytemuck::cast_slice(parts), nodes: bytemuck::cast_slice(nodes), order }
    }

    /// The tree of few parts, whose boxes it writes.
    pub(crate) fn of_few(
        boxes: &'a mut FewParts,
        parts: impl ExactSizeIterator<Item = RoundedBox>,
    ) -> Self {
        const ORDER: [u32; RUN] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15];
        let order = &ORDER[..parts.len()];
        for (place, part) in parts.enumerate() {
            put_part(boxes, order.len(), place, part);
        }
        Self::new(boxes, &[], order)
    }

    /// The box around all parts, and the last layer of nodes; layer 0 are the parts.
    #[inline(always)]
    fn layers(&self) -> Layers {
        let mut layers = Layers { starts: [0; MAX_LAYERS], counts: [0; MAX_LAYERS], top: 0 };
        let (mut start, mut count) = (0, self.order.len());
        layers.counts[0] = count;
        while count > RUN {
            count = count.div_ceil(RUN);
            layers.top += 1;
            (layers.starts[layers.top], layers.counts[layers.top]) = (start, count);
            start += count;
        }
        layers
    }

    #[inline(always)]
    fn block(&self, layers: &Layers, layer: usize, number: usize) -> PartBlock<'a> {
        let (at, boxes) = (number * RUN, if layer == 0 { self.parts } else { self.nodes });
        PartBlock::new(boxes, layers.starts[layer] + at, layers.counts[layer] - at)
    }

    /// The rounded box around all parts.
    pub(crate) fn around(&self) -> RoundedBox {
        let layers = self.layers();
        let [min_x, min_y, max_x, max_y, radius] = self.block(&layers, layers.top, 0).around();
        RoundedBox { min_x, min_y, max_x, max_y, radius }
    }

    /// The box of the part at a place in the order.
    #[inline(always)]
    pub(crate) fn bounds(&self, place: u32) -> RoundedBox {
        self.run(place / RUN as u32).bounds(place as usize % RUN)
    }

    /// Passes the numbers and the places of parts to `take`, in no order: all parts whose bit
    /// `bits` sets in a block. `bits` must set the bit of each node that has such a part.
    #[inline(always)]
    pub(crate) fn find(
        &self,
        bits: impl FnMut(PartBlock<'a>) -> u32,
        mut take: impl FnMut(u32, u32),
    ) {
        self.find_in(
            0,
            bits,
            #[inline(always)]
            |place| take(self.order[place], place as u32),
        );
    }

    /// Passes the numbers of runs to `take`, in no order: all runs whose bit `bits` sets.
    #[inline(always)]
    pub(crate) fn find_runs(
        &self,
        bits: impl FnMut(PartBlock<'a>) -> u32,
        mut take: impl FnMut(u32),
    ) {
        self.find_in(
            1,
            bits,
            #[inline(always)]
            |run| take(run as u32),
        );
    }

    /// The parts of a run.
    #[inline(always)]
    pub(crate) fn run(&self, run: u32) -> PartBlock<'a> {
        let at = run as usize * RUN;
        PartBlock::new(self.parts, at, self.order.len() - at)
    }

    /// The box around a run.
    #[inline(always)]
    pub(crate) fn around_run(&self, run: u32) -> RoundedBox {
        let (count, run) = (self.order.len().div_ceil(RUN), run as usize);
        let block = PartBlock::new(self.nodes, run / RUN * RUN, count - run / RUN * RUN);
        block.bounds(run % RUN)
    }

    /// The numbers of the parts of a run.
    #[inline(always)]
    pub(crate) fn numbers(&self, run: u32) -> &'a [u32] {
        let at = run as usize * RUN;
        &self.order[at..self.order.len().min(at + RUN)]
    }

    /// Passes the places of boxes of a layer to `take` whose bits are set.
    #[inline(always)]
    fn find_in(
        &self,
        last: usize,
        mut bits: impl FnMut(PartBlock<'a>) -> u32,
        mut take: impl FnMut(usize),
    ) {
        let layers = self.layers();
        let (top, mut layer) = (layers.top, layers.top);
        // The block of each layer that is searched, and the nodes of it that are left.
        let (mut at, mut open) = ([0; MAX_LAYERS], [0; MAX_LAYERS]);
        let block = self.block(&layers, top, 0);
        open[top] = bits(block) & block.all();
        loop {
            while layer == last && open[layer] != 0 {
                take(at[layer] * RUN + open[layer].trailing_zeros() as usize);
                open[layer] &= open[layer] - 1;
            }
            if open[layer] == 0 {
                if layer == top {
                    return;
                }
                layer += 1;
                continue;
            }
            let node = at[layer] * RUN + open[layer].trailing_zeros() as usize;
            open[layer] &= open[layer] - 1;
            layer -= 1;
            let block = self.block(&layers, layer, node);
            (at[layer], open[layer]) = (node, bits(block) & block.all());
        }
    }

    /// Passes the numbers of parts to `take`, about in the order of their bounds, except parts
    /// whose bounds, or bounds of nodes above them, are above the limit. `take` returns the limit
    /// from then on. The bound of a node must hold for all parts below it.
    #[inline(always)]
    pub(crate) fn find_first(
        &self,
        mut limit: f64,
        mut bounds: impl FnMut(PartBlock<'a>, &mut [f32; RUN]),
        mut take: impl FnMut(u32) -> f64,
    ) {
        let layers = self.layers();
        let (top, mut layer) = (layers.top, layers.top);
        let (mut at, mut open) = ([0; MAX_LAYERS], [0; MAX_LAYERS]);
        let mut lowest = [[0.0; RUN]; MAX_LAYERS];
        let block = self.block(&layers, top, 0);
        bounds(block, &mut lowest[top]);
        open[top] = block.all();
        loop {
            let Some(lane) = nearest(&lowest[layer], &mut open[layer], limit) else {
                if layer == top {
                    return;
                }
                layer += 1;
                continue;
            };
            let node = at[layer] * RUN + lane;
            if layer == 0 {
                limit = take(self.order[node]);
                continue;
            }
            layer -= 1;
            let block = self.block(&layers, layer, node);
            bounds(block, &mut lowest[layer]);
            (at[layer], open[layer]) = (node, block.all());
        }
    }
}

/// Takes the open lane with the lowest bound, unless it is above the limit or infinite: then no
/// lane stays open.
#[inline(always)]
fn nearest(bounds: &[f32; RUN], open: &mut u32, limit: f64) -> Option<usize> {
    let (mut best, mut least, mut left) = (0, f32::INFINITY, *open);
    while left != 0 {
        let lane = left.trailing_zeros() as usize % RUN;
        left &= left - 1;
        if bounds[lane] < least {
            (best, least) = (lane, bounds[lane]);
        }
    }
    if least == f32::INFINITY || f64::from(least) > limit {
        *open = 0;
        return None;
    }
    *open &= !(1 << best);
    Some(best)
}

/// Where each layer begins among the nodes, and how many boxes it has.
struct Layers {
    starts: [usize; MAX_LAYERS],
    counts: [usize; MAX_LAYERS],
    top: usize,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_have_room() {
        for first in 0..8 {
            for count in (RUN + 1..3000).chain([4096, 4097, 65_536, 65_537, 1 << 20, (1 << 20) + 1])
            {
                let (mut nodes, mut left) = (0, count);
                while left > RUN {
                    left = left.div_ceil(RUN);
                    nodes += left;
                }
                assert!(nodes <= first_node(first + count) - first_node(first), "{count}");
            }
        }
    }

    #[test]
    fn finds_what_a_loop_finds() {
        for count in [17, 32, 33, 100, 255, 256, 257, 300, 1000, 4097] {
            let mut boxes = vec![RoundedBox::default(); count + BEHIND];
            let mut nodes = vec![RoundedBox::default(); first_node(count) + BEHIND];
            let order: Vec<u32> = (0..count as u32).rev().collect();
            let of = |part: u32| {
                let [x, y] = [part % 37 * 3, part / 37 * 2].map(|at| at as f32);
                let radius = (part % 5) as f32 * 0.25;
                RoundedBox { min_x: x, min_y: y, max_x: x + 1.0, max_y: y + 0.5, radius }
            };
            for (place, part) in order.iter().enumerate() {
                put_part(&mut boxes, count, place, of(*part));
            }
            put_nodes(&boxes, &mut nodes, count);
            let tree = PartTree::new(&boxes, &nodes, &order);
            let most = (0..count as u32).map(|part| of(part).max_x).fold(0.0, f32::max);
            assert_eq!((tree.around().min_x, tree.around().max_x), (0.0, most));
            for reach in [0.0, 1.0, 5.0, 20.0, 1000.0] {
                let mut found = Vec::new();
                let bits = |block: PartBlock<'_>| {
                    (0..block.len).fold(0, |bits, lane| {
                        let low = block.columns[0][lane] - block.columns[4][lane];
                        bits | u32::from(low <= reach) << lane
                    })
                };
                tree.find(bits, |part, place| {
                    assert_eq!(tree.bounds(place), of(part));
                    found.push(part);
                });
                found.sort_unstable();
                let near = |part: &u32| of(*part).min_x - of(*part).radius <= reach;
                assert!(found.into_iter().eq((0..count as u32).filter(near)), "{count} {reach}");
            }
            // The first parts by a bound, with a limit that shrinks to the best bound.
            let mut best = (f64::INFINITY, 0);
            tree.find_first(
                f64::INFINITY,
                |block, bounds| {
                    for (bound, max_x) in bounds.iter_mut().zip(block.columns[2]).take(block.len) {
                        *bound = (40.0 - max_x).max(0.0);
                    }
                },
                |part| {
                    let away = f64::from((40.0 - of(part).max_x).abs());
                    best = if (away, part) < best { (away, part) } else { best };
                    best.0
                },
            );
            let away = |part: u32| (f64::from((40.0 - of(part).max_x).abs()), part);
            let least = (0..count as u32).map(away).reduce(|a, b| if b < a { b } else { a });
            assert_eq!(Some(best), least, "{count}");
        }
    }
}
