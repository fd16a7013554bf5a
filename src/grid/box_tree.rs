//! `BoxTree`: boxes around runs of sorted items, and boxes around runs of these.

use std::{cmp::Ordering, ops::Range};

use super::{
    plan::Cells,
    sort::{GONE, LayoutKind, RoundedLayout, Sorted},
};
use crate::{
    base::{MAX_LAYERS, MAX_LEVELS, grouping, held, higher, lower},
    kernel::{BoxColumns, RoundedColumns},
    simd::map_each,
};

/// The children of a node: items, or nodes of the layer below.
pub(in crate::grid) use crate::simd::MAX_LANES as CHILDREN;

/// Trees of boxes over the items of a grid, a tree for each level.
///
/// In plain words: each node of the first layer is the rounded box around a run of sixteen
/// consecutive items in the order of the grid, which is a piece of a row of cells. The runs are
/// put into tiles about as wide as a run, and the tiles along a Hilbert curve. Each
/// node of the other layers is the box around sixteen consecutive nodes, about a square, as in a
/// packed R-tree (Kamel and Faloutsos, On Packing R-trees, 1993). Items are not sorted for it, and
/// runs by counting.
///
/// In a helical level, distant items may follow each other. The items of such a level are sorted
/// along the curve item by item. Their coordinates remain floating-point numbers (Connor and Kumar,
/// Fast construction of k-nearest neighbor graphs for point clouds, 2010): however far the items
/// are apart, no two different items are at one place of the curve. They are copied in this order,
/// so that no search gathers them.
///
/// A search that goes by distance takes about O(log n) wherever the items lie: far from the query,
/// in distant clusters, on a line, on one place.
#[derive(Debug, Default)]
pub(in crate::grid) struct BoxTree {
    levels: [LevelTree; MAX_LEVELS],
    /// The number of levels.
    used: usize,
    blocks: Vec<NodeBlock>,
    /// Along the curve: the numbers of the runs, or the places of the items of a helical level.
    order: Vec<u32>,
    /// Where the item at each place of a helical level is in the order. Empty until an item is
    /// removed.
    positions: Vec<u32>,
    /// The node of each run of a dense level, where the run is in the order. Empty until an item
    /// is inserted.
    nodes: Vec<u32>,
    /// Workspace: the items that are sorted along the curve.
    centers: Vec<Center>,
    /// Workspace: the boxes around the runs in the order of the grid; where the runs of each tile
    /// are put.
    runs: Vec<NodeBlock>,
    tiles: Vec<u32>,
}

held!(BoxTree { levels, used, blocks, order, positions, nodes, centers, runs, tiles });

/// The nodes of one level of a grid.
#[derive(Debug, Clone, Default)]
struct LevelTree {
    /// The places of the items; in a helical level, where they are in the order.
    places: Range<usize>,
    helical: bool,
    /// Where the runs are in the order.
    runs: usize,
    /// In a helical level, the first block of copies of items.
    items: usize,
    /// The number of layers; 0 if there are no items.
    layers: usize,
    /// The number of blocks that are copies of items, up to the last copies of this level.
    copies: usize,
    /// The first block of each layer, and the number of its nodes.
    firsts: [usize; MAX_LAYERS],
    counts: [usize; MAX_LAYERS],
}

impl LevelTree {
    /// Appends the nodes of all layers to `blocks`: the `count` runs in their order, then boxes
    /// around them.
    fn add_layers(
        &mut self,
        runs: &[NodeBlock],
        mut count: usize,
        order: &[u32],
        blocks: &mut Vec<NodeBlock>,
    ) {
        for layer in 0..MAX_LAYERS {
            let first = blocks.len();
            (self.firsts[layer], self.counts[layer]) = (first, count);
            self.layers = layer + 1;
            blocks.resize(first + count.div_ceil(CHILDREN), NodeBlock::FAR);
            let (below, made) = blocks.split_at_mut(first);
            for node in 0..count {
                let block = &mut made[node / CHILDREN];
                if layer == 0 {
                    let run = if self.helical { node } else { order[self.runs + node] as usize };
                    block.set(node % CHILDREN, &runs[run / CHILDREN], run % CHILDREN);
                } else {
                    let number = (self.counts[layer - 1] - node * CHILDREN).min(CHILDREN);
                    let from = &below[self.firsts[layer - 1] + node];
                    let rows = from.row[..number].iter().copied();
                    block.hold(node % CHILDREN, &from.columns(number), rows);
                }
            }
            if count <= CHILDREN {
                break;
            }
            count = count.div_ceil(CHILDREN);
        }
    }
}

/// Sixteen nodes that follow each other in a layer. Nodes past the end of a layer are boxes that
/// are infinitely far away.
#[derive(Debug, Clone, Copy)]
#[repr(C, align(64))]
pub(in crate::grid) struct NodeBlock {
    /// Around the cores of the items.
    pub(in crate::grid) min_x: [f32; CHILDREN],
    pub(in crate::grid) min_y: [f32; CHILDREN],
    pub(in crate::grid) max_x: [f32; CHILDREN],
    pub(in crate::grid) max_y: [f32; CHILDREN],
    /// The largest radius of an item.
    pub(in crate::grid) radius: [f32; CHILDREN],
    /// The lowest row of an item.
    pub(in crate::grid) row: [u32; CHILDREN],
}

impl NodeBlock {
    pub(in crate::grid) const FAR: Self = Self {
        min_x: [f32::INFINITY; CHILDREN],
        min_y: [f32::INFINITY; CHILDREN],
        max_x: [f32::NEG_INFINITY; CHILDREN],
        max_y: [f32::NEG_INFINITY; CHILDREN],
        radius: [0.0; CHILDREN],
        row: [u32::MAX; CHILDREN],
    };

    /// Grows a node so that it holds items or nodes.
    fn hold(&mut self, node: usize, others: &RoundedColumns<'_>, rows: impl Iterator<Item = u32>) {
        let RoundedColumns { core: BoxColumns { min_x, min_y, max_x, max_y }, radius } = *others;
        let least = |column: &[f32]| outermost(column, f32::INFINITY, lower);
        let most = |column: &[f32]| outermost(column, f32::NEG_INFINITY, higher);
        self.min_x[node] = least(min_x);
        self.min_y[node] = least(min_y);
        self.max_x[node] = most(max_x);
        self.max_y[node] = most(max_y);
        self.radius[node] = most(radius);
        self.row[node] = rows.min().unwrap_or(u32::MAX);
    }

    /// Replaces a node by a node around a run of items, some of which may be holes.
    fn hold_run(&mut self, node: usize, items: RoundedColumns<'_>, ids: &[u32], run: Range<usize>) {
        let (mut gathered, mut places) = (Self::FAR, [0; CHILDREN]);
        for (place, at) in places.iter_mut().zip(run.clone()) {
            *place = at as u32;
        }
        gathered.gather(items, ids, &places[..run.len()]);
        let rows = gathered.row.iter().copied();
        self.hold(node, &gathered.columns(run.len()), rows);
    }

    /// Replaces a node by a node of another block.
    fn set(&mut self, node: usize, other: &Self, number: usize) {
        self.min_x[node] = other.min_x[number];
        self.min_y[node] = other.min_y[number];
        self.max_x[node] = other.max_x[number];
        self.max_y[node] = other.max_y[number];
        self.radius[node] = other.radius[number];
        self.row[node] = other.row[number];
    }

    /// Replaces the first nodes by items, at most as many as a block has nodes.
    #[inline(always)]
    pub(in crate::grid) fn gather(
        &mut self,
        items: RoundedColumns<'_>,
        ids: &[u32],
        places: &[u32],
    ) {
        let RoundedColumns { core: BoxColumns { min_x, min_y, max_x, max_y }, radius } = items;
        for (node, &place) in places.iter().enumerate().take(CHILDREN) {
            let place = place as usize;
            if min_x[place] == GONE {
                continue;
            }
            self.min_x[node] = min_x[place];
            self.min_y[node] = min_y[place];
            self.max_x[node] = max_x[place];
            self.max_y[node] = max_y[place];
            self.radius[node] = radius[place];
            self.row[node] = !ids[place];
        }
    }

    /// Removes the nodes without items among the first `count` nodes.
    fn replace_none(&mut self, count: usize) {
        for node in 0..count {
            if self.min_x[node] == f32::INFINITY {
                self.remove(node);
            }
        }
    }

    /// Moves a node to the place of removed items.
    fn remove(&mut self, node: usize) {
        (self.min_x[node], self.min_y[node]) = (GONE, GONE);
        (self.max_x[node], self.max_y[node], self.radius[node]) = (GONE, GONE, 0.0);
    }

    /// The columns of all nodes: left, lower, right and upper sides, and radii.
    pub(in crate::grid) fn all(&self) -> [&[f32; CHILDREN]; 5] {
        [&self.min_x, &self.min_y, &self.max_x, &self.max_y, &self.radius]
    }

    /// The first `count` nodes as columns.
    fn columns(&self, count: usize) -> RoundedColumns<'_> {
        let Self { min_x, min_y, max_x, max_y, radius, .. } = self;
        let core = BoxColumns {
            min_x: &min_x[..count],
            min_y: &min_y[..count],
            max_x: &max_x[..count],
            max_y: &max_y[..count],
        };
        RoundedColumns { core, radius: &radius[..count] }
    }
}

/// A node.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::grid) struct Node {
    pub(in crate::grid) level: u8,
    /// The layer, from 0: the children are items.
    pub(in crate::grid) layer: u8,
    pub(in crate::grid) index: u32,
}

/// The children of a node.
pub(in crate::grid) enum Children<'a> {
    /// Items at consecutive places.
    Items(Range<usize>),
    /// Items at these places, and a copy of them.
    Listed(&'a [u32], &'a NodeBlock),
    /// Nodes: this many, from the first node on.
    Nodes(&'a NodeBlock, Node, usize),
}

impl Children<'_> {
    /// The number of children.
    pub(in crate::grid) fn len(&self) -> usize {
        match self {
            Self::Items(places) => places.len(),
            Self::Listed(places, _) => places.len(),
            Self::Nodes(_, _, count) => *count,
        }
    }

    /// The place of a child that is an item.
    #[inline(always)]
    pub(in crate::grid) fn place(&self, child: usize) -> usize {
        match self {
            Self::Items(places) => places.start + child,
            Self::Listed(places, _) => places[child] as usize,
            Self::Nodes(..) => unreachable!("nodes have no place"),
        }
    }
}

impl BoxTree {
    /// Replaces the nodes by nodes for the items of these levels, which are sorted as `form` and
    /// can be read as rounded boxes.
    pub(in crate::grid) fn fill(&mut self, sorted: &Sorted, form: LayoutKind, levels: &[Cells]) {
        self.blocks.clear();
        self.order.clear();
        self.positions.clear();
        self.nodes.clear();
        let (items, ids) = (sorted.read_as::<RoundedLayout>(form), sorted.ids());
        self.levels.fill(LevelTree::default());
        self.used = levels.len();
        let mut copies = 0;
        for (level, (tree, cells)) in self.levels.iter_mut().zip(levels).enumerate() {
            let places = sorted.items(level);
            tree.copies = copies;
            if places.is_empty() {
                continue;
            }
            let begin = self.order.len();
            (tree.places, tree.helical, tree.runs) = (places.clone(), cells.wraps, begin);
            if tree.helical {
                Center::read(&mut self.centers, items, places);
                self.centers.sort_unstable_by(Center::order);
                self.order.extend(self.centers.iter().map(|center| center.place));
                tree.places = begin..self.order.len();
            }
            let count = tree.places.len().div_ceil(CHILDREN);
            tree.items = self.blocks.len();
            self.runs.clear();
            self.runs.resize(count.div_ceil(CHILDREN), NodeBlock::FAR);
            for run in 0..count {
                let (range, block) =
                    (item_range(&tree.places, run), &mut self.runs[run / CHILDREN]);
                let mut gathered = NodeBlock::FAR;
                if tree.helical {
                    let listed = &self.order[range];
                    gathered.gather(items, ids, listed);
                    let rows = gathered.row[..listed.len()].iter().copied();
                    block.hold(run % CHILDREN, &gathered.columns(listed.len()), rows);
                    gathered.replace_none(listed.len());
                    self.blocks.push(gathered);
                } else if sorted.removed().is_some() {
                    block.hold_run(run % CHILDREN, items, ids, range);
                } else {
                    let rows = ids[range.clone()].iter().map(|id| !id);
                    block.hold(run % CHILDREN, &items.range(&range), rows);
                }
            }
            if !tree.helical {
                order_runs(&self.runs, count, &mut self.tiles, &mut self.order);
            }
            copies += self.blocks.len() - tree.items;
            tree.copies = copies;
            tree.add_layers(&self.runs, count, &self.order, &mut self.blocks);
        }
    }

    /// Removes the item at a place from the copies of items. The boxes around it stay.
    pub(in crate::grid) fn remove(&mut self, place: usize) {
        let Self { levels, used, blocks, order, positions, .. } = self;
        let helical = |tree: &&LevelTree| tree.helical;
        if positions.is_empty() {
            for tree in levels[..*used].iter().filter(helical) {
                for (position, place) in tree.places.clone().zip(&order[tree.places.clone()]) {
                    let place = *place as usize;
                    positions.resize(positions.len().max(place + 1), u32::MAX);
                    positions[place] = position as u32;
                }
            }
        }
        let Some(position) = positions.get(place).map(|position| *position as usize) else {
            return;
        };
        let tree = levels[..*used].iter().filter(helical).find(|t| t.places.contains(&position));
        if let Some(tree) = tree {
            let item = position - tree.places.start;
            blocks[tree.items + item / CHILDREN].remove(item % CHILDREN);
        }
    }

    /// Measures the boxes around the items at some places of a dense level again.
    pub(in crate::grid) fn renew(
        &mut self,
        sorted: &Sorted,
        form: LayoutKind,
        places: Range<usize>,
    ) {
        let Self { levels, used, blocks, order, nodes, .. } = self;
        if nodes.is_empty() {
            nodes.resize(order.len(), 0);
            for tree in levels[..*used].iter().filter(|tree| !tree.helical && tree.layers > 0) {
                let ordered = &order[tree.runs..][..tree.counts[0]];
                for (node, run) in (0..).zip(ordered) {
                    nodes[tree.runs + *run as usize] = node;
                }
            }
        }
        let dense = |tree: &&LevelTree| !tree.helical && tree.places.contains(&places.start);
        let Some(tree) = levels[..*used].iter().find(dense) else { return };
        let (items, ids) = (sorted.read_as::<RoundedLayout>(form), sorted.ids());
        let run_of = |place: usize| (place - tree.places.start) / CHILDREN;
        let runs = run_of(places.start)..=run_of(places.end - 1);
        let mut changed: Vec<usize> =
            runs.clone().map(|run| nodes[tree.runs + run] as usize).collect();
        for (run, &node) in runs.zip(&changed) {
            let block = &mut blocks[tree.firsts[0] + node / CHILDREN];
            block.hold_run(node % CHILDREN, items, ids, item_range(&tree.places, run));
        }
        for layer in 1..tree.layers {
            for node in &mut changed {
                *node /= CHILDREN;
            }
            changed.sort_unstable();
            changed.dedup();
            for &node in &changed {
                let number = (tree.counts[layer - 1] - node * CHILDREN).min(CHILDREN);
                let below = blocks[tree.firsts[layer - 1] + node];
                let rows = below.row[..number].iter().copied();
                let block = &mut blocks[tree.firsts[layer] + node / CHILDREN];
                block.hold(node % CHILDREN, &below.columns(number), rows);
            }
        }
    }

    /// Passes the numbers of the nodes around the item at a place of a dense level to `each`, from
    /// the first layer on. The tree must have been [renewed](BoxTree::renew).
    pub(in crate::grid) fn around(&self, place: usize, mut each: impl FnMut(usize)) {
        let trees = self.levels[..self.used].iter().enumerate();
        let mut dense = trees.filter(|(_, tree)| !tree.helical && tree.places.contains(&place));
        let Some((level, tree)) = dense.next() else { return };
        let run = (place - tree.places.start) / CHILDREN;
        let mut index = self.nodes[tree.runs + run];
        for layer in 0..tree.layers {
            each(self.number(Node { level: level as u8, layer: layer as u8, index }));
            index /= CHILDREN as u32;
        }
    }

    /// The roots of each level that has items: as many nodes from the first one on.
    #[inline(always)]
    pub(in crate::grid) fn roots(&self) -> impl Iterator<Item = (&NodeBlock, Node, usize)> {
        let trees = self.levels.iter().enumerate().filter(|(_, tree)| tree.layers > 0);
        trees.map(|(level, tree)| {
            let layer = tree.layers - 1;
            let first = Node { level: level as u8, layer: layer as u8, index: 0 };
            (&self.blocks[tree.firsts[layer]], first, tree.counts[layer])
        })
    }

    /// The block that has a node.
    #[cfg(test)]
    pub(in crate::grid) fn block(&self, Node { level, layer, index }: Node) -> &NodeBlock {
        let first = self.levels[usize::from(level)].firsts[usize::from(layer)];
        &self.blocks[first + index as usize / CHILDREN]
    }

    /// The number of a node among all nodes. Nodes that follow each other in a layer have numbers
    /// that do.
    #[inline]
    pub(in crate::grid) fn number(&self, Node { level, layer, index }: Node) -> usize {
        let tree = &self.levels[usize::from(level)];
        (tree.firsts[usize::from(layer)] - tree.copies) * CHILDREN + index as usize
    }

    /// The number of nodes, and of places for nodes behind the last nodes of layers.
    pub(in crate::grid) fn len(&self) -> usize {
        let copies = self.levels[..self.used].last().map_or(0, |tree| tree.copies);
        (self.blocks.len() - copies) * CHILDREN
    }

    /// Passes all nodes to `each`, children before the nodes that have them.
    pub(in crate::grid) fn each_node(&self, mut each: impl FnMut(Node)) {
        for (level, tree) in self.levels[..self.used].iter().enumerate() {
            for layer in 0..tree.layers {
                for index in 0..tree.counts[layer] as u32 {
                    each(Node { level: level as u8, layer: layer as u8, index });
                }
            }
        }
    }

    /// The children of a node.
    #[inline(always)]
    pub(in crate::grid) fn children(&self, Node { level, layer, index }: Node) -> Children<'_> {
        let tree = &self.levels[usize::from(level)];
        let node = index as usize;
        if layer == 0 {
            return if tree.helical {
                let places = &self.order[item_range(&tree.places, node)];
                Children::Listed(places, &self.blocks[tree.items + node])
            } else {
                let run = self.order[tree.runs + node] as usize;
                Children::Items(item_range(&tree.places, run))
            };
        }
        let below = usize::from(layer) - 1;
        let first = Node { level, layer: layer - 1, index: index * CHILDREN as u32 };
        let count = (tree.counts[below] - node * CHILDREN).min(CHILDREN);
        Children::Nodes(&self.blocks[tree.firsts[below] + node], first, count)
    }
}

/// The least or the greatest of at most sixteen values: `of` decides between two of them. In four
/// steps by halves, which become vector code.
#[inline(always)]
fn outermost(values: &[f32], none: f32, of: impl Fn(f32, f32) -> f32) -> f32 {
    let mut lanes = [none; CHILDREN];
    match <&[f32; CHILDREN]>::try_from(values) {
        Ok(all) => lanes = *all,
        Err(_) => {
            for (lane, value) in lanes.iter_mut().zip(values) {
                *lane = *value;
            }
        }
    }
    for half in [CHILDREN / 2, CHILDREN / 4, CHILDREN / 8, CHILDREN / 16] {
        for lane in 0..half {
            lanes[lane] = of(lanes[lane], lanes[lane + half]);
        }
    }
    lanes[0]
}

/// Appends the numbers of `count` runs to `order`, tile by tile, and in the order of the grid
/// within a tile.
fn order_runs(runs: &[NodeBlock], count: usize, tiles: &mut Vec<u32>, order: &mut Vec<u32>) {
    let sums = |run: usize| {
        let (block, node) = (&runs[run / CHILDREN], run % CHILDREN);
        [block.min_x[node] + block.max_x[node], block.min_y[node] + block.max_y[node]]
    };
    // About as many tiles as nodes of the next layer.
    let bits = (usize::BITS - (count.div_ceil(CHILDREN) - 1).leading_zeros()).div_ceil(2);
    tiles.resize(1 << (2 * bits), 0);
    let begin = order.len();
    order.resize(begin + 2 * count, 0);
    order_by_tiles(sums, tiles, &mut order[begin..]);
    order.truncate(begin + count);
}

/// Writes the numbers of some boxes, which are given by the sums of their sides: tile by tile along
/// a Hilbert curve, or along several curves side by side, and in their order within a tile. The
/// number of tiles is a power of four. A counting sort.
///
/// The numbers are in the first half of `order`, and the second half is a workspace.
fn order_by_tiles(sums: impl Fn(usize) -> [f32; 2], tiles: &mut [u32], order: &mut [u32]) {
    let count = order.len() / 2;
    let (order, tiles_of) = order.split_at_mut(count);
    let (mut least, mut most) = ([f32::INFINITY; 2], [f32::NEG_INFINITY; 2]);
    for number in 0..count {
        let sums = sums(number);
        least = map_each([0, 1], |axis| least[axis].min(sums[axis]));
        most = map_each([0, 1], |axis| most[axis].max(sums[axis]));
    }
    // Square tiles: twice as many along one axis and half as many along the other, as often as the
    // boxes are four times as far apart along the first axis.
    let extent = map_each([0, 1], |axis| most[axis] - least[axis]);
    let long = usize::from(extent[1] > extent[0]);
    let (mut bits, mut short) = ([tiles.len().trailing_zeros() / 2; 2], extent[1 - long] * 4.0);
    while bits[1 - long] > 0 && short <= extent[long] {
        bits[long] += 1;
        bits[1 - long] -= 1;
        short *= 4.0;
    }
    let (scale, low) = ((1 << bits[long]) as f32 / extent[long], bits[1 - long]);
    let tile = |number: usize| {
        let sums = sums(number);
        // Where all boxes have one centre, 0 / 0 becomes 0.
        let at = map_each([0, 1], |axis| {
            (((sums[axis] - least[axis]) * scale) as u32).min((1 << bits[axis]) - 1)
        });
        let [square, own] = [at[long] >> low, along_curve([at[long], at[1 - long]], low)];
        square << (2 * low) | own
    };
    tiles.fill(0);
    for (number, tile_of) in tiles_of.iter_mut().enumerate() {
        *tile_of = tile(number);
    }
    let numbers = tiles_of.iter().zip(0..);
    grouping::group(
        tiles,
        numbers,
        |(tile, number)| [(*tile, number)],
        |place, number| {
            order[place] = number;
        },
    );
}

/// Where on a Hilbert curve through a square of 2^`bits` by 2^`bits` tiles a tile is, by the lowest
/// bits of its column and row. The curve begins at the first tile and ends at the last tile of the
/// first row.
fn along_curve([mut x, mut y]: [u32; 2], bits: u32) -> u32 {
    let mut number = 0;
    for bit in (0..bits).rev() {
        let [right, upper] = [x >> bit & 1, y >> bit & 1];
        number = number << 2 | (3 * right) ^ upper;
        // The curves through the lower quarters are turned.
        let turned = (right & !upper).wrapping_neg();
        let swapped = (x ^ y) & upper.wrapping_sub(1);
        (x, y) = (x ^ swapped ^ turned, y ^ swapped ^ turned);
    }
    number
}

/// The centre of an item.
#[derive(Debug, Clone, Copy)]
struct Center {
    /// How far it is to the right of the leftmost centre and above the lowest centre, times two:
    /// the bits of values that are at least 0.
    bits: [u32; 2],
    place: u32,
}

impl Center {
    /// Replaces `centers` by the centres of the items at some places.
    fn read(centers: &mut Vec<Self>, items: RoundedColumns<'_>, places: Range<usize>) {
        let BoxColumns { min_x, min_y, max_x, max_y } = items.range(&places).core;
        let sum = |min: f32, max: f32| f64::from(min) + f64::from(max);
        let least = |min: &[f32], max: &[f32]| {
            let sums = min.iter().zip(max).map(|(min, max)| sum(*min, *max));
            sums.fold(f64::INFINITY, f64::min)
        };
        let [left, low] = [least(min_x, max_x), least(min_y, max_y)];
        centers.clear();
        centers.extend(places.enumerate().map(|(item, place)| {
            let x = sum(min_x[item], max_x[item]) - left;
            let y = sum(min_y[item], max_y[item]) - low;
            Self { bits: map_each([x, y], |at| (at as f32).to_bits()), place: place as u32 }
        }));
    }

    /// The order along the curve, which has the bits of x and of y in turns: the highest bit that
    /// differs decides.
    // Not inlined: a sort calls it at many places.
    #[inline(never)]
    fn order(&self, other: &Self) -> Ordering {
        let [x, y] = map_each([0, 1], |axis| highest_difference(self.bits[axis], other.bits[axis]));
        let axis = usize::from(x < y);
        self.bits[axis].cmp(&other.bits[axis]).then(self.place.cmp(&other.place))
    }
}

/// The place of the highest bit that differs in the values of two `f32`, which are at least 0,
/// given as bits. If they are equal, a place below all bits.
fn highest_difference(a: u32, b: u32) -> i32 {
    const MANTISSA: u32 = f32::MANTISSA_DIGITS - 1;
    let [one, other] = map_each([a, b], |bits| (bits >> MANTISSA).max(1));
    if a == b {
        i32::MIN
    } else if one != other {
        // The first bit of the larger value, which is not stored.
        one.max(other) as i32
    } else {
        one as i32 - ((a ^ b).leading_zeros() as i32 - (u32::BITS - MANTISSA) as i32 + 1)
    }
}

/// The places of the items of a node of the first layer, or where they are in the order.
fn item_range(places: &Range<usize>, node: usize) -> Range<usize> {
    let start = places.start + node * CHILDREN;
    start..(start + CHILDREN).min(places.end)
}

#[cfg(test)]
mod tests {
    use super::{CHILDREN, Center, NodeBlock, along_curve, order_runs};

    /// The bits of x and of y in turns, as one number.
    fn interleaved([x, y]: [u32; 2]) -> u64 {
        (0..32)
            .rev()
            .fold(0, |all, bit| all << 2 | u64::from(x >> bit & 1) << 1 | u64::from(y >> bit & 1))
    }

    #[test]
    fn centers_are_along_the_curve() {
        let values = [0, 1, 2, 3, 4, 5, 7, 8, 100, 127, 128, 129, 1 << 20, (1 << 24) - 1];
        // From the least subnormal number to the largest number that a centre can have.
        for unit in [f32::from_bits(1), f32::MIN_POSITIVE / 8.0, 1.0, 2.0_f32.powi(37)] {
            for a in values.map(|x| values.map(|y| [x, y])).as_flattened() {
                for b in values.map(|x| values.map(|y| [x, y])).as_flattened() {
                    let [one, other] = [a, b].map(|at| Center {
                        bits: at.map(|value| (value as f32 * unit).to_bits()),
                        place: 0,
                    });
                    assert_eq!(
                        one.order(&other),
                        interleaved(*a).cmp(&interleaved(*b)),
                        "{a:?} {b:?}"
                    );
                }
            }
        }
    }

    #[test]
    fn the_curve_goes_from_tile_to_neighbor() {
        for bits in 0..6 {
            let size = 1 << bits;
            let mut tiles: Vec<[u32; 2]> =
                (0..size * size).map(|tile| [tile % size, tile / size]).collect();
            tiles.sort_by_key(|tile| along_curve(*tile, bits));
            assert_eq!([tiles[0], tiles[tiles.len() - 1]], [[0, 0], [size - 1, 0]]);
            for (number, tile) in (0..).zip(&tiles) {
                assert_eq!(along_curve(*tile, bits), number);
            }
            let steps = tiles.windows(2);
            let mut lengths =
                steps.map(|step| step[0][0].abs_diff(step[1][0]) + step[0][1].abs_diff(step[1][1]));
            assert!(lengths.all(|length| length == 1));
        }
    }

    #[test]
    fn every_run_is_in_the_order_once() {
        let block = |at: &dyn Fn(usize) -> [f32; 2], first: usize| {
            let mut block = NodeBlock::FAR;
            for node in 0..CHILDREN {
                let [x, y] = at(first + node);
                (block.min_x[node], block.max_x[node]) = (x, x);
                (block.min_y[node], block.max_y[node]) = (y, y);
            }
            block
        };
        let far = 2.0_f32.powi(60);
        let places: [&dyn Fn(usize) -> [f32; 2]; 4] = [
            &|_| [3.0, -7.0],
            &|run| [run as f32, 0.0],
            &|run| [0.0, -(run as f32) * far / 5000.0],
            &|run| [(run % 64) as f32, (run / 64) as f32],
        ];
        for at in places {
            for count in [1, 15, 16, 17, 300, 4096, 5000] {
                let runs: Vec<_> =
                    (0..count).step_by(CHILDREN).map(|first| block(at, first)).collect();
                let mut order = vec![9];
                order_runs(&runs, count, &mut Vec::new(), &mut order);
                assert_eq!(order.remove(0), 9);
                if count == 4096 && at(64) == [0.0, 1.0] {
                    // Sixteen by sixteen tiles of four by four runs.
                    let tile = |run: u32| along_curve([run % 64 / 4, run / 256], 4);
                    assert!(order.is_sorted_by_key(|run| (tile(*run), *run)));
                }
                order.sort_unstable();
                assert!(order.into_iter().eq(0..count as u32));
            }
        }
    }
}
