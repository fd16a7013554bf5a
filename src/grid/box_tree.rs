//! `BoxTree`: boxes around runs of sorted items, and boxes around runs of these.

use std::{
    ops::Range,
    sync::{Mutex, MutexGuard, OnceLock, PoisonError},
};

use super::sort::{LayoutKind, RoundedLayout, Sorted};
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
/// rows. Nodes are packed as in a packed R-tree (Kamel and Faloutsos, On Packing R-trees, 1993), but
/// the order is there already, and nothing is sorted.
///
/// A tree knows nothing of cells. So a search that goes by distance takes O(log n) wherever the
/// items lie: far from the query, in distant clusters, on a line, on one place.
#[derive(Debug, Default)]
pub(in crate::grid) struct BoxTree {
    levels: [LevelTree; MAX_LEVELS],
    blocks: Vec<NodeBlock>,
}

/// The nodes of one level of a grid.
#[derive(Debug, Clone, Default)]
struct LevelTree {
    /// The places of the items.
    places: Range<usize>,
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
    /// Items, by their places.
    Items(Range<usize>),
    /// Nodes: as many from the first one on.
    Nodes(&'a NodeBlock, Node, usize),
}

impl BoxTree {
    /// Replaces the nodes by nodes for the items of the first levels, which are sorted as `form` and
    /// can be read as rounded boxes.
    pub(in crate::grid) fn fill(&mut self, sorted: &Sorted, form: LayoutKind, levels: usize) {
        self.blocks.clear();
        let (items, ids) = (sorted.read_as::<RoundedLayout>(form), sorted.ids());
        self.levels.fill(LevelTree::default());
        for (level, tree) in self.levels.iter_mut().enumerate().take(levels) {
            let places = sorted.items(level);
            tree.places = places.clone();
            if places.is_empty() {
                continue;
            }
            let mut count = places.len().div_ceil(WIDTH);
            for layer in 0..MAX_LAYERS {
                let first = self.blocks.len();
                (tree.firsts[layer], tree.counts[layer]) = (first, count);
                tree.layers = layer + 1;
                self.blocks.resize(first + count.div_ceil(WIDTH), NodeBlock::FAR);
                let (below, made) = self.blocks.split_at_mut(first);
                for node in 0..count {
                    let block = &mut made[node / WIDTH];
                    if layer == 0 {
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
            return Children::Items(item_range(&tree.places, node));
        }
        let below = usize::from(layer) - 1;
        let first = Node { level, layer: layer - 1, index: index * WIDTH as u32 };
        let count = (tree.counts[below] - node * WIDTH).min(WIDTH);
        Children::Nodes(&self.blocks[tree.firsts[below] + node], first, count)
    }
}

/// The places of the items of a node of the first layer.
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
            size_of::<BoxTree>() + tree.blocks.capacity() * size_of::<NodeBlock>()
        })
    }
}
