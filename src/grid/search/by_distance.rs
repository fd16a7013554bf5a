//! `ByDistance`: the items of a grid by growing distance from a rounded box, one by one, or the
//! nearest items at once.

use std::{
    cmp::{Ordering, Reverse},
    collections::{BinaryHeap, binary_heap::PeekMut},
};

use crate::{
    base::{F64_SLACK, gap, higher},
    filter::FilterKind,
    grid::{
        GridView,
        box_tree::{BoxTree, CHILDREN, Children, Node, NodeBlock},
        node_kinds::NodeKinds,
    },
    kernel::{BoxColumns, RoundedColumns},
    shape::RoundedBox,
    simd::{Kernel, Simd, map_each},
};

/// A distance and a row as one number, in the order of the distances, then of the rows. The bits of
/// an `f32` that is at least 0 are in the order of its values, and its first bit is 0. A signed
/// number, because vectors compare signed numbers with one instruction.
type Key = i64;

#[inline(always)]
fn key(distance: u32, row: u32) -> Key {
    (u64::from(distance) << 32 | u64::from(row)) as Key
}

/// The distance of a key, as bits.
#[inline(always)]
fn distance_of(key: Key) -> u32 {
    (key >> 32) as u32
}

/// The key of nothing.
const NO_DISTANCE_KEY: Key = Key::MAX;

/// The children of a node, with lower bounds of their keys.
#[derive(Debug, Clone, Copy)]
#[repr(align(64))]
struct Family {
    /// [`NO_DISTANCE_KEY`] for children that are done, not seen, or not there.
    keys: [Key; CHILDREN],
    members: Members,
}

/// The children of a node.
#[derive(Debug, Clone, Copy)]
enum Members {
    /// Nodes: this node and the nodes that follow it.
    Nodes(Node),
    /// The items of a node.
    Items(Node),
    /// The items from this place on.
    Places(u32),
}

impl Family {
    /// The least key.
    ///
    /// A plain loop over an array: compiled for a SIMD level, it becomes vector code.
    #[inline(always)]
    fn least(&self) -> Key {
        self.keys.iter().fold(NO_DISTANCE_KEY, |least, key| if *key < least { *key } else { least })
    }

    /// The children whose keys are at most `limit`, as bits.
    #[inline(always)]
    fn within(&self, limit: Key) -> u32 {
        let mut lanes = 0;
        for (lane, key) in self.keys.iter().enumerate() {
            lanes |= u32::from(*key <= limit) << lane;
        }
        lanes
    }

    /// The number of the child with the least key, which becomes [`NO_DISTANCE_KEY`], and the least
    /// key of the other children.
    #[inline(always)]
    fn take(&mut self, least: Key) -> (usize, Key) {
        let (mut lanes, mut left) = (0_u32, NO_DISTANCE_KEY);
        for (lane, &key) in self.keys.iter().enumerate() {
            let other = if key == least { NO_DISTANCE_KEY } else { key };
            left = if other < left { other } else { left };
            lanes |= u32::from(key == least) << lane;
        }
        let lane = lanes.trailing_zeros() as usize % CHILDREN;
        // Written last: vectors that are loaded right after a store of a lane wait for it.
        self.keys[lane] = NO_DISTANCE_KEY;
        (lane, left)
    }
}

/// What an entry of the heap stands for.
#[derive(Debug, Clone, Copy)]
enum Pending {
    /// The child with the least key of the family with this number.
    Child(u32),
    /// The item at a place. Its distance is known.
    Take(u32),
}

/// An entry of the heap. Entries of one key are in no order: no two of them are items.
#[derive(Debug, Clone, Copy)]
struct Entry {
    key: Key,
    pending: Pending,
}

impl PartialEq for Entry {
    fn eq(&self, other: &Self) -> bool {
        self.key == other.key
    }
}

impl Eq for Entry {}

impl PartialOrd for Entry {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Entry {
    fn cmp(&self, other: &Self) -> Ordering {
        self.key.cmp(&other.key)
    }
}

type Heap = BinaryHeap<Reverse<Entry>>;

/// An item whose distance is known: its key, which is at least 0, and its place. The type is sorted
/// elsewhere, too: each type that is sorted is much code.
type Found = (u64, u32);

/// How far a search by distance has come: nodes and items that have not been passed on yet.
#[derive(Debug, Default)]
pub(crate) struct Frontier {
    heap: Heap,
    families: Vec<Family>,
    /// The nearest items so far, of a search for some number of them. The furthest item is on top.
    found: BinaryHeap<Found>,
    /// The bits of the kinds of filters that the query meets, if it does not meet all kinds.
    met: Vec<u32>,
    /// Whether the roots have been added.
    begun: bool,
}

impl Frontier {
    /// Starts anew. Memory is kept.
    pub(crate) fn clear(&mut self) {
        self.heap.clear();
        self.families.clear();
        self.found.clear();
        self.begun = false;
    }

    /// Passes the place and the distance of each item that a search for `most` has found, by
    /// distance, then by row.
    pub(crate) fn take_found(&mut self, mut each: impl FnMut(usize, f32)) {
        let mut found = std::mem::take(&mut self.found).into_vec();
        found.sort_unstable();
        for (key, place) in &found {
            each(*place as usize, f32::from_bits(distance_of(*key as Key)));
        }
        found.clear();
        self.found = found.into();
    }

    /// Adds the roots of the tree; or all items of one cell, which has no tree.
    #[inline(always)]
    fn begin(
        &mut self,
        grid: GridView<'_>,
        from: &AskedSides,
        sees: &dyn Fn(usize) -> bool,
        kinds: Option<MetKinds<'_>>,
        limit: Key,
    ) {
        self.begun = true;
        if let Some(MetKinds { below, meets }) = kinds {
            below.list_met(meets, &mut self.met);
        }
        for nodes in grid.tree().roots() {
            self.push_nodes(grid.tree(), nodes, from, kinds, limit);
        }
        for at in grid.one_cell().unwrap_or_default().step_by(CHILDREN) {
            self.push_family(&from.items(grid, at, sees), limit);
        }
    }

    #[inline(always)]
    fn push(&mut self, key: Key, pending: Pending) {
        self.heap.push(Reverse(Entry { key, pending }));
    }

    /// Adds a family, unless the whole family is further away than the limit.
    #[inline(always)]
    fn push_family(&mut self, family: &Family, limit: Key) {
        let least = family.least();
        if least <= limit {
            self.push(least, Pending::Child(self.families.len() as u32));
            self.families.push(*family);
        }
    }

    /// Adds the family of some nodes: a block, its first node, and their number. Nodes below which
    /// the query meets nothing are left out.
    #[inline(always)]
    fn push_nodes(
        &mut self,
        tree: &BoxTree,
        (block, first, count): (&NodeBlock, Node, usize),
        from: &AskedSides,
        kinds: Option<MetKinds<'_>>,
        limit: Key,
    ) {
        let mut family = from.family(block, count, Members::Nodes(first));
        if let Some(MetKinds { below, .. }) = kinds {
            let number = tree.number(first);
            for (lane, key) in family.keys[..count].iter_mut().enumerate() {
                *key = if below.meet(number + lane, &self.met) { *key } else { NO_DISTANCE_KEY };
            }
        }
        self.push_family(&family, limit);
    }

    /// Adds an item whose distance is known: as an entry of the heap, or to the `most` nearest
    /// items. Lowers `limit` to the key of the furthest of these.
    #[inline(always)]
    fn add(&mut self, key: Key, place: usize, most: Option<usize>, limit: &mut Key) {
        let Some(most) = most else {
            return self.push(key, Pending::Take(place as u32));
        };
        let found = (key as u64, place as u32);
        if self.found.len() < most {
            self.found.push(found);
        } else if let Some(mut furthest) = self.found.peek_mut()
            && found < *furthest
        {
            *furthest = found;
        }
        if self.found.len() == most
            && let Some(furthest) = self.found.peek()
        {
            *limit = furthest.0 as Key;
        }
    }
}

/// Finds the next item by distance, then by row, and returns its place and its distance; or finds
/// the nearest items, up to a number of them, and leaves them in the frontier.
///
/// In plain words: the nodes of the [tree](crate::grid::box_tree::BoxTree) and the items that have
/// been seen are in a heap, each with a lower bound of its distance and of its row. The least entry
/// is taken again and again: a node is replaced by its children, an item is the next result
/// (Hjaltason and Samet, Distance Browsing in Spatial Databases, 1999). If a number of items is
/// wanted, they are kept apart, and entries that are further away than all of them do not enter the
/// heap.
///
/// A query with a filter passes nodes below which it meets no item. So the items that it may see
/// are found in about O(log n), however far they are. A predicate of the caller is asked about each
/// item that is nearer than the result.
///
/// For speed, the children of a node have one entry in the heap, with the least of their bounds.
/// Most children are never taken. When a child is taken, the entry gets the least bound of the
/// other children.
///
/// The bounds are computed in `f64` by the operations that give the distance of two axis-aligned
/// shapes, rounded to `f32`. All these operations are monotone, so that no bound of a node is above
/// the distance of an item in it, and no margin is needed. The distance of other items is asked of
/// `exact`.
pub(crate) struct ByDistance<'a> {
    pub(crate) grid: GridView<'a>,
    pub(crate) sides: &'a RoundedBox,
    /// Items further away are not found.
    pub(crate) max_distance: f32,
    /// The number of items that are wanted at once, at least 1. `None`: only the next item.
    pub(crate) most: Option<usize>,
    pub(crate) frontier: &'a mut Frontier,
    /// Whether the item at a place is looked for.
    pub(crate) sees: &'a dyn Fn(usize) -> bool,
    /// A test of the nodes below which no item is looked for; `None` without such a test.
    pub(crate) kinds: Option<MetKinds<'a>>,
    /// The distance of the item at a place. `None` if all distances are between rounded boxes.
    pub(crate) exact: Option<&'a mut dyn FnMut(usize) -> f32>,
}

/// The kinds of filters that a query meets, and the kinds below each node of the tree.
#[derive(Clone, Copy)]
pub(crate) struct MetKinds<'a> {
    pub(crate) below: &'a NodeKinds,
    /// Whether the query may meet a kind.
    pub(crate) meets: &'a dyn Fn(FilterKind) -> bool,
}

impl Kernel for ByDistance<'_> {
    type Output = Option<(usize, f32)>;

    #[inline(always)]
    fn run<S: Simd>(self, _: S) -> Option<(usize, f32)> {
        let Self { grid, sides, max_distance, most, frontier, sees, kinds, mut exact } = self;
        let (tree, items, ids) = (grid.tree(), grid.rounded(), grid.sorted.ids());
        // Bounds are lowered by much more than the roundings of distances that are not between
        // rounded boxes.
        let factor = if exact.is_some() { 1.0 - F64_SLACK } else { 1.0 };
        let from = AskedSides::new(sides, factor);
        let mut limit = key(max_distance.to_bits(), u32::MAX);
        if !frontier.begun {
            frontier.begin(grid, &from, sees, kinds, limit);
        }
        let decided = exact.is_none();
        loop {
            let mut top = frontier.heap.peek_mut()?;
            let Reverse(Entry { key: next, pending }) = *top;
            if next > limit {
                return None;
            }
            let number = match pending {
                Pending::Take(place) => {
                    PeekMut::pop(top);
                    return Some((place as usize, f32::from_bits(distance_of(next))));
                }
                Pending::Child(number) => number as usize,
            };
            let family = &mut frontier.families[number];
            let (members, (lane, left)) = (family.members, family.take(next));
            if left <= limit {
                top.0.key = left;
                drop(top);
            } else {
                PeekMut::pop(top);
            }
            let (node, place) = match members {
                Members::Nodes(first) => (Node { index: first.index + lane as u32, ..first }, None),
                Members::Items(node) => (node, Some(tree.children(node).place(lane))),
                Members::Places(first) => (Node::default(), Some(first as usize + lane)),
            };
            if let Some(place) = place {
                let found = match &mut exact {
                    Some(exact) => key(exact(place).to_bits(), next as u32),
                    None => next,
                };
                if found <= limit {
                    frontier.add(found, place, most, &mut limit);
                }
                continue;
            }
            let children = tree.children(node);
            let mut copy = NodeBlock::FAR;
            let block = match &children {
                Children::Nodes(block, first, count) => {
                    let nodes = (*block, *first, *count);
                    frontier.push_nodes(tree, nodes, &from, kinds, limit);
                    continue;
                }
                Children::Items(places) => {
                    copy.copy(&items.range(places), &ids[places.clone()]);
                    &copy
                }
                Children::Listed(_, block) => block,
            };
            let mut family = from.family(block, children.len(), Members::Items(node));
            let mut near = family.within(limit);
            while near != 0 {
                let lane = near.trailing_zeros() as usize;
                near &= near - 1;
                let (place, key) = (children.place(lane), family.keys[lane]);
                if key > limit || !sees(place) {
                    family.keys[lane] = NO_DISTANCE_KEY;
                } else if decided && most.is_some() {
                    frontier.add(key, place, most, &mut limit);
                }
            }
            if !decided || most.is_none() {
                frontier.push_family(&family, limit);
            }
        }
    }
}

/// The box that distances are measured from.
#[derive(Clone, Copy)]
pub(super) struct AskedSides {
    min: [f64; 2],
    max: [f64; 2],
    pub(super) radius: f64,
    /// The factor that distances are multiplied by.
    factor: f64,
}

impl AskedSides {
    pub(super) fn new(sides: &RoundedBox, factor: f64) -> Self {
        let RoundedBox { min_x, min_y, max_x, max_y, radius } = *sides;
        let [min, max] =
            map_each([[min_x, min_y], [max_x, max_y]], |corner| map_each(corner, f64::from));
        Self { min, max, radius: f64::from(radius), factor }
    }

    /// The squared distances of cores, which are given by their left, lower, right and upper sides.
    ///
    /// A plain loop over arrays: compiled for a SIMD level, it becomes vector code.
    #[inline(always)]
    pub(super) fn squares(
        &self,
        [min_x, min_y, max_x, max_y]: [&[f32; CHILDREN]; 4],
    ) -> [f64; CHILDREN] {
        let Self { min, max, .. } = self;
        let mut squares = [0.0; CHILDREN];
        for (lane, square) in squares.iter_mut().enumerate() {
            let apart = |axis: usize, other_min: f32, other_max: f32| {
                gap([min[axis], max[axis]], [f64::from(other_min), f64::from(other_max)])
            };
            let x = apart(0, min_x[lane], max_x[lane]);
            let y = apart(1, min_y[lane], max_y[lane]);
            *square = x * x + y * y;
        }
        squares
    }

    /// The bits of the distances of boxes, which are given by their sides and radii, as
    /// `distance_of_boxes` computes them.
    #[inline(always)]
    pub(super) fn distances(&self, columns: [&[f32; CHILDREN]; 5]) -> [u32; CHILDREN] {
        let Self { radius, factor, .. } = *self;
        let [min_x, min_y, max_x, max_y, radii] = columns;
        let squares = self.squares([min_x, min_y, max_x, max_y]);
        let mut distances = [0; CHILDREN];
        for (lane, distance) in distances.iter_mut().enumerate() {
            let beyond = squares[lane].sqrt() - (radius + f64::from(radii[lane]));
            *distance = ((higher(beyond, 0.0) * factor) as f32).to_bits();
        }
        distances
    }

    /// The family of the items of one cell from place `at` on.
    fn items(&self, grid: GridView<'_>, at: usize, sees: &dyn Fn(usize) -> bool) -> Family {
        let mut block = NodeBlock::FAR;
        let places = at..grid.one_cell().unwrap_or_default().end.min(at + CHILDREN);
        block.copy(&grid.rounded().range(&places), &grid.sorted.ids()[places.clone()]);
        let mut family = self.family(&block, places.len(), Members::Places(at as u32));
        for (key, place) in family.keys.iter_mut().zip(places) {
            *key = if sees(place) { *key } else { NO_DISTANCE_KEY };
        }
        family
    }

    /// The family of the first `count` boxes.
    #[inline(always)]
    fn family(&self, block: &NodeBlock, count: usize, members: Members) -> Family {
        let distances = self.distances(block.all());
        let mut keys = [NO_DISTANCE_KEY; CHILDREN];
        for lane in 0..CHILDREN {
            let key = key(distances[lane], block.row[lane]);
            keys[lane] = if lane < count { key } else { NO_DISTANCE_KEY };
        }
        Family { keys, members }
    }
}

impl NodeBlock {
    /// Copies items, at most as many as a block has nodes.
    #[inline(always)]
    fn copy(&mut self, items: &RoundedColumns<'_>, ids: &[u32]) {
        let RoundedColumns { core: BoxColumns { min_x, min_y, max_x, max_y }, radius } = *items;
        let count = radius.len().min(CHILDREN);
        self.min_x[..count].copy_from_slice(&min_x[..count]);
        self.min_y[..count].copy_from_slice(&min_y[..count]);
        self.max_x[..count].copy_from_slice(&max_x[..count]);
        self.max_y[..count].copy_from_slice(&max_y[..count]);
        self.radius[..count].copy_from_slice(&radius[..count]);
        for (row, id) in self.row.iter_mut().zip(ids) {
            *row = !id;
        }
    }
}
