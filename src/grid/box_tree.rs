//! `BoxTree`: boxes around runs of sorted items, and boxes around runs of these.

use std::{
    cmp::Ordering,
    ops::Range,
    sync::{Mutex, MutexGuard, OnceLock, PoisonError},
};

use super::{
    plan::Cells,
    sort::{LayoutKind, RoundedLayout, Sorted},
};
use crate::{
    base::MAX_LEVELS,
    kernel::columns::{BoxColumns, RoundedColumns},
    simd::MAX_LANES,
};

/// The children of a node: items, or nodes of the layer below.
pub(in crate::grid) const WIDTH: usize = MAX_LANES;

/// The most layers: sixteen to this power is 2^32.
const MAX_LAYERS: usize = 8;

/// Trees of boxes over the items of a grid, one for each of its levels.
///
/// In plain words: each node of the first layer is the rounded box around sixteen consecutive items
/// in the order of the grid, and each node above it is the box around sixteen consecutive nodes.
/// Items are sorted by rows of cells, so a node is a piece of a row, and a node far up some whole
/// rows. Nodes are packed as in a packed R-tree (Kamel and Faloutsos, On Packing R-trees, 1993),
/// but the order is there already, and nothing is sorted.
///
/// In a helical level, distant items may follow each other. Such a level gets an order of its own
/// along a Z-shaped curve (Morton 1966), which takes a sort. The coordinates remain floating-point
/// numbers (Connor and Kumar, Fast construction of k-nearest neighbor graphs for point clouds,
/// 2010): however far the items are apart, no two different ones are at one place of the curve.
///
/// A search that goes by distance takes about O(log n) wherever the items lie: far from the query,
/// in distant clusters, on a line, on one place.
#[derive(Debug, Default)]
pub(in crate::grid) struct BoxTree {
    levels: [LevelTree; MAX_LEVELS],
    blocks: Vec<NodeBlock>,
    /// The places of the items of helical levels along the curve.
    order: Vec<u32>,
    /// Workspace: the items that are sorted along the curve.
    centers: Vec<Center>,
}

/// The nodes of one level of a grid.
#[derive(Debug, Clone, Default)]
struct LevelTree {
    /// The places of the items; in a helical level, where they are in the order.
    places: Range<usize>,
    helical: bool,
    /// The number of layers; 0 if there are no items.
    layers: usize,
    /// The first block of each layer, and the number of its nodes.
    firsts: [usize; MAX_LAYERS],
    counts: [usize; MAX_LAYERS],
}

/// Sixteen nodes that follow each other in a layer. Nodes past the end of a layer are boxes that
/// are infinitely far away.
#[derive(Debug, Clone, Copy)]
#[repr(C, align(64))]
pub(in crate::grid) struct NodeBlock {
    /// Around the cores of the items.
    pub(in crate::grid) min_x: [f32; WIDTH],
    pub(in crate::grid) min_y: [f32; WIDTH],
    pub(in crate::grid) max_x: [f32; WIDTH],
    pub(in crate::grid) max_y: [f32; WIDTH],
    /// The largest radius of an item.
    pub(in crate::grid) radius: [f32; WIDTH],
    /// The lowest row of an item.
    pub(in crate::grid) row: [u32; WIDTH],
}

impl NodeBlock {
    pub(in crate::grid) const FAR: Self = Self {
        min_x: [f32::INFINITY; WIDTH],
        min_y: [f32::INFINITY; WIDTH],
        max_x: [f32::NEG_INFINITY; WIDTH],
        max_y: [f32::NEG_INFINITY; WIDTH],
        radius: [0.0; WIDTH],
        row: [u32::MAX; WIDTH],
    };

    /// Grows a node so that it holds items or nodes.
    fn hold(&mut self, node: usize, others: &RoundedColumns<'_>, rows: impl Iterator<Item = u32>) {
        let RoundedColumns { core: BoxColumns { min_x, min_y, max_x, max_y }, radius } = *others;
        let least = |column: &[f32]| column.iter().fold(f32::INFINITY, |least, at| least.min(*at));
        let most = |column: &[f32]| column.iter().fold(f32::NEG_INFINITY, |most, at| most.max(*at));
        self.min_x[node] = least(min_x);
        self.min_y[node] = least(min_y);
        self.max_x[node] = most(max_x);
        self.max_y[node] = most(max_y);
        self.radius[node] = most(radius);
        self.row[node] = rows.min().unwrap_or(u32::MAX);
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
        for (node, &place) in places.iter().enumerate().take(WIDTH) {
            let place = place as usize;
            self.min_x[node] = min_x[place];
            self.min_y[node] = min_y[place];
            self.max_x[node] = max_x[place];
            self.max_y[node] = max_y[place];
            self.radius[node] = radius[place];
            self.row[node] = !ids[place];
        }
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
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::grid) struct Node {
    pub(in crate::grid) level: u8,
    /// The layer, from 0: the children are items.
    pub(in crate::grid) layer: u8,
    pub(in crate::grid) index: u32,
}

/// The children of a node, or the roots of a level.
pub(in crate::grid) enum Children<'a> {
    /// Items at consecutive places.
    Items(Range<usize>),
    /// Items at these places.
    Listed(&'a [u32]),
    /// Nodes: as many from the first one on.
    Nodes(&'a NodeBlock, Node, usize),
}

impl Children<'_> {
    /// The number of children.
    pub(in crate::grid) fn len(&self) -> usize {
        match self {
            Self::Items(places) => places.len(),
            Self::Listed(places) => places.len(),
            Self::Nodes(_, _, count) => *count,
        }
    }

    /// The place of a child that is an item.
    #[inline(always)]
    pub(in crate::grid) fn place(&self, child: usize) -> usize {
        match self {
            Self::Items(places) => places.start + child,
            Self::Listed(places) => places[child] as usize,
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
        let (items, ids) = (sorted.read_as::<RoundedLayout>(form), sorted.ids());
        self.levels.fill(LevelTree::default());
        for (level, (tree, cells)) in self.levels.iter_mut().zip(levels).enumerate() {
            let mut places = sorted.items(level);
            if places.is_empty() {
                continue;
            }
            tree.helical = cells.wraps;
            if cells.wraps {
                let begin = self.order.len();
                Center::read(&mut self.centers, items, places);
                self.centers.sort_unstable_by(Center::order);
                self.order.extend(self.centers.iter().map(|center| center.place));
                places = begin..self.order.len();
            }
            tree.places = places.clone();
            let mut count = places.len().div_ceil(WIDTH);
            for layer in 0..MAX_LAYERS {
                let first = self.blocks.len();
                (tree.firsts[layer], tree.counts[layer]) = (first, count);
                tree.layers = layer + 1;
                self.blocks.resize(first + count.div_ceil(WIDTH), NodeBlock::FAR);
                let (below, made) = self.blocks.split_at_mut(first);
                for node in 0..count {
                    let block = &mut made[node / WIDTH];
                    if layer == 0 && cells.wraps {
                        let mut gathered = NodeBlock::FAR;
                        let listed = &self.order[item_range(&places, node)];
                        gathered.gather(items, ids, listed);
                        let rows = gathered.row[..listed.len()].iter().copied();
                        block.hold(node % WIDTH, &gathered.columns(listed.len()), rows);
                    } else if layer == 0 {
                        let range = item_range(&places, node);
                        let rows = ids[range.clone()].iter().map(|id| !id);
                        block.hold(node % WIDTH, &items.range(range), rows);
                    } else {
                        let number = tree.counts[layer - 1] - node * WIDTH;
                        let number = number.min(WIDTH);
                        let from = &below[tree.firsts[layer - 1] + node];
                        let rows = from.row[..number].iter().copied();
                        block.hold(node % WIDTH, &from.columns(number), rows);
                    }
                }
                if count <= WIDTH {
                    break;
                }
                count = count.div_ceil(WIDTH);
            }
        }
    }

    /// The roots of each level that has items.
    pub(in crate::grid) fn roots(&self) -> impl Iterator<Item = Children<'_>> {
        let trees = self.levels.iter().enumerate().filter(|(_, tree)| tree.layers > 0);
        trees.map(|(level, tree)| {
            let layer = tree.layers - 1;
            let first = Node { level: level as u8, layer: layer as u8, index: 0 };
            Children::Nodes(&self.blocks[tree.firsts[layer]], first, tree.counts[layer])
        })
    }

    /// The children of a node.
    pub(in crate::grid) fn children(&self, Node { level, layer, index }: Node) -> Children<'_> {
        let tree = &self.levels[usize::from(level)];
        let node = index as usize;
        if layer == 0 {
            let range = item_range(&tree.places, node);
            return match tree.helical {
                true => Children::Listed(&self.order[range]),
                false => Children::Items(range),
            };
        }
        let below = usize::from(layer) - 1;
        let first = Node { level, layer: layer - 1, index: index * WIDTH as u32 };
        let count = (tree.counts[below] - node * WIDTH).min(WIDTH);
        Children::Nodes(&self.blocks[tree.firsts[below] + node], first, count)
    }
}

/// The centre of an item.
#[derive(Debug, Clone, Copy)]
struct Center {
    /// How far it is to the right of the leftmost centre and above the lowest one, times two: the
    /// bits of values that are at least 0.
    bits: [u32; 2],
    place: u32,
}

impl Center {
    /// Replaces `centers` by the centres of the items at some places.
    fn read(centers: &mut Vec<Self>, items: RoundedColumns<'_>, places: Range<usize>) {
        let BoxColumns { min_x, min_y, max_x, max_y } = items.range(places.clone()).core;
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
            Self { bits: [x, y].map(|at| (at as f32).to_bits()), place: place as u32 }
        }));
    }

    /// The order along the curve, which has the bits of x and of y in turns: the highest bit that
    /// differs decides.
    fn order(&self, other: &Self) -> Ordering {
        let [x, y] = [0, 1].map(|axis| highest_difference(self.bits[axis], other.bits[axis]));
        let axis = usize::from(x < y);
        self.bits[axis].cmp(&other.bits[axis]).then(self.place.cmp(&other.place))
    }
}

/// The place of the highest bit that differs in the values of two `f32`, which are at least 0,
/// given as bits. If they are equal, a place below all others.
fn highest_difference(a: u32, b: u32) -> i32 {
    const MANTISSA: u32 = f32::MANTISSA_DIGITS - 1;
    let [one, other] = [a, b].map(|bits| (bits >> MANTISSA).max(1));
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
    let start = places.start + node * WIDTH;
    start..(start + WIDTH).min(places.end)
}

/// A tree that is made when it is wanted.
#[derive(Debug, Default)]
pub(in crate::grid) struct LazyTree {
    made: OnceLock<Box<BoxTree>>,
    /// The memory of the tree while it is not made.
    spare: Mutex<Option<Box<BoxTree>>>,
}

impl LazyTree {
    /// Removes the tree and keeps its memory.
    pub(in crate::grid) fn clear(&mut self) {
        if let Some(tree) = self.made.take() {
            *self.spare.get_mut().unwrap_or_else(PoisonError::into_inner) = Some(tree);
        }
    }

    /// The tree, which `fill` fills unless it is there.
    pub(in crate::grid) fn get(&self, fill: impl FnOnce(&mut BoxTree)) -> &BoxTree {
        self.made.get_or_init(|| {
            let mut tree = self.spare().take().unwrap_or_default();
            fill(&mut tree);
            tree
        })
    }

    fn spare(&self) -> MutexGuard<'_, Option<Box<BoxTree>>> {
        self.spare.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Bytes held.
    pub(in crate::grid) fn bytes(&self) -> usize {
        let spare = self.spare();
        let held = self.made.get().or(spare.as_ref());
        held.map_or(0, |tree| {
            let order = tree.order.capacity() * size_of::<u32>();
            let centers = tree.centers.capacity() * size_of::<Center>();
            let blocks = tree.blocks.capacity() * size_of::<NodeBlock>();
            size_of::<BoxTree>() + blocks + order + centers
        })
    }
}
