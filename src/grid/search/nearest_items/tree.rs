//! The nearest items of boxes whose surroundings tell nothing: by the tree.

mod together;

use std::ops::Range;

use super::{
    NearestItems, OPEN,
    kept::{BLOCK, ItemColumns, KEPT, NONE, POINTS, SortKeys, key_of, least_key},
    shape_of,
};
use together::{FEWEST, GroupCorners, GroupSizes, MOST_SHARED, Shares, TestCorners};

use crate::{
    geometry::box_distance,
    grid::{
        box_tree::{BoxTree, MAX_LAYERS, NodeBlock, NodeItems, WIDTH, order_by_tiles},
        search::{by_distance::AskedSides, sink::first_bits},
    },
    shape::RoundedBox,
    simd::{Kernel, MAX_LANES, Simd, map_each},
};

/// The nodes of a layer whose children are tested together, and space for those that are near.
const TOGETHER: usize = 16;
const ROOM: usize = TOGETHER * WIDTH + MAX_LANES;

/// Space for items: those of the nodes of one step are added to at most so many.
const NEAR: usize = MOST_SHARED + ROOM;

/// A factor on squares, for the roundings of distances: see docs/numerics.md, "Nearest".
const SLACK: f64 = 1.0 + 1.0 / (1_u64 << 40) as f64;

/// If this many times as many items as are wanted are within the first limit, and some more, the
/// next ones are looked for in the tree: at most so many without another try.
const MANY: usize = 3;
const MORE: usize = 8;
const MOST_DESCENTS: u32 = 64;

/// What distances from the bounds of the items are multiplied by in the order of the boxes.
const OUTSIDE: f32 = 1.0 / (1 << 8) as f32;

/// If coordinates are so many times as large as the bounds, what is near depends on how they round.
/// Boxes with one such coordinate then follow each other: distances from the bounds are multiplied
/// by this instead.
const COARSE: f32 = (1 << 17) as f32;
const APART: f32 = 64.0;

/// So many distances are computed one by one.
const FEW: usize = 4;

/// Finds the nearest items of all boxes that are still open.
///
/// In plain words:
///
/// ```text
/// for each open box:
///     limit = the distance of the furthest answer of the box before, measured from this box
///     layer by layer: of the nodes that are within the limit, the children that are
///     compute the distances of the items that are within the limit: the nearest are the answer
/// ```
///
/// Points that follow each other share a walk: the items that may be near one of a group are found
/// first (`together.rs`), and each point then chooses from these.
///
/// A limit is a distance and a row: of items at the same distance, only those are near whose rows
/// are not above it. Where many items are as far away as others, it is the rows that leave few.
///
/// Where the last answers were of little use, the tree is first descended to the items of one near
/// node.
pub(super) struct FromTree<'a, 'b> {
    pub(super) search: &'a mut NearestItems<'b>,
    pub(super) items: &'a ItemColumns<'a>,
    /// Where the keys that were written end.
    pub(super) end: usize,
}

impl Kernel for FromTree<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let Self { search, items, mut end } = self;
        let (grid, max_distance) = (search.grid, search.max_distance);
        let tree = grid.tree();
        let Some(root) = tree.tops().max_by_key(|(_, top)| *top) else { return };
        let nears = &mut [const { Near::NONE }; 2];
        let [near, shared] = nears.each_mut();
        let mut walk = Walk {
            tree,
            root,
            items,
            points: shape_of(search.grid) == POINTS,
            wanted: search.k + usize::from(search.themselves),
            nodes: [[0; ROOM]; MAX_LAYERS],
            near,
            shared,
            last: Near::NONE,
            enough: false,
            tests: 0,
            descents: 1,
            next_descents: 1,
        };
        let most = Limit::new(key_of(max_distance.to_bits(), 0));
        let (open, sorted) = search.sort_open(end, tree.bounds());
        let (mut at, open) = (sorted, sorted + open);
        let mut sizes = GroupSizes::NONE;
        while at < open {
            let size = search.that_round_alike(at, sizes.next().min(open - at), tree.bounds());
            // The one in the middle is answered first: its answer is near those of the others.
            search.left.swap(at, at + size / 2);
            let mut shares = Shares::Nothing;
            for other in 0..size {
                let number = search.left[at] as usize;
                let row = search.order[number] as usize;
                let sides = search.boxes.rounded_box(row);
                let own = if search.themselves { u64::from(!items.ids[row]) } else { NONE };
                let sharp = walk.points && sides.radius == 0.0;
                let from = AskedSides::new(&sides, 1.0);
                let mut reach = BoxReach { sides, from, limit: most, sharp };
                walk.prepare(simd, &mut reach, shares);
                let Some(found) = search.found[end..].first_chunk_mut() else { return };
                walk.decide(simd, &reach, found);
                if shares == Shares::Nothing {
                    walk.note_use();
                }
                if shares != Shares::All {
                    walk.note_answer(simd, found);
                }
                let first = usize::from(super::drop_own(&mut found[..walk.near.len], own));
                let others = walk.near.len.saturating_sub(usize::from(own != NONE));
                let within = |key: &u64| (key >> 32) as u32 <= max_distance.to_bits();
                let count = found[first..][..others.min(search.k)].partition_point(within);
                let begin = end + first;
                end = begin + count;
                search.spans[number] = [begin as u32, end as u32];
                at += 1;
                if other == 0 && size > 1 {
                    shares = walk.share(simd, search, at - 1..at + size - 1, &mut sizes);
                    if shares == Shares::Nothing {
                        break;
                    }
                }
            }
        }
    }
}

impl NearestItems<'_> {
    /// Sorts the numbers of the open boxes along a Hilbert curve, so that the last answer is near
    /// the next one. Returns how many they are and where in `left`.
    ///
    /// Boxes outside the bounds of the items are sorted by where in the bounds they are nearest to,
    /// and only a little by how far away they are, which tells little about what is near. So far
    /// away that roundings decide, those with the same coordinate come together.
    #[inline(always)]
    fn sort_open(&mut self, end: usize, bounds: [[f32; 2]; 2]) -> (usize, usize) {
        let Self { boxes, order, found, spans, left, .. } = self;
        let (open, sorted) = left.split_at_mut(order.len());
        let mut count = 0;
        for (number, span) in (0..).zip(spans.iter()) {
            open[count] = number;
            count += usize::from(*span == OPEN);
        }
        let coarse = 2.0 * coarse_from(bounds);
        let [low, high] = map_each(bounds, |ends| map_each(ends, |end| 2.0 * end));
        let sums = |at: usize| {
            let sides = boxes.rounded_box(order[open[at] as usize] as usize);
            let sums = [sides.min_x + sides.max_x, sides.min_y + sides.max_y];
            map_each([0, 1], |axis| {
                // Plain comparisons: the methods for NaN would make a call of this.
                let sum: f32 = sums[axis];
                let inside = if sum > low[axis] { sum } else { low[axis] };
                let inside = if inside < high[axis] { inside } else { high[axis] };
                let share = if sum.abs() > coarse { APART } else { OUTSIDE };
                inside + (sum - inside) * share
            })
        };
        let tiles: &mut [u32] = bytemuck::cast_slice_mut(&mut found[end..]);
        let tiles = &mut tiles[..1 << ((2 * count).max(1).ilog2() & !1)];
        order_by_tiles(sums, tiles, &mut sorted[..2 * count]);
        for number in &mut sorted[..count] {
            *number = open[*number as usize];
        }
        (count, order.len())
    }
}

impl NearestItems<'_> {
    /// How many of at most `most` boxes from place `at` on round like the first one: those with the
    /// same coordinate. All if its coordinates are fine, or if they would be too few.
    fn that_round_alike(&self, at: usize, most: usize, bounds: [[f32; 2]; 2]) -> usize {
        let corner = |at: usize| {
            let row = self.order[self.left[at] as usize];
            let RoundedBox { min_x, min_y, .. } = self.boxes.rounded_box(row as usize);
            [min_x, min_y]
        };
        let (coarse, first) = (coarse_from(bounds), corner(at));
        let held = map_each(first, |own| own.abs() > coarse);
        if held == [false, false] {
            return most;
        }
        let alike = |other: &usize| {
            let other = corner(at + other);
            (0..2).all(|axis| !held[axis] || other[axis] == first[axis])
        };
        let count = 1 + (1..most).take_while(alike).count();
        if count < FEWEST { most } else { count }
    }
}

/// The largest coordinate whose roundings are small beside the bounds of the items.
fn coarse_from([min, max]: [[f32; 2]; 2]) -> f32 {
    0.5 * COARSE * (max[0] - min[0]).max(max[1] - min[1])
}

/// Items with larger keys are not near.
#[derive(Clone, Copy)]
struct Limit {
    key: u64,
    /// Halfway from the distance to the next `f32` above it and to the one below it.
    above: f64,
    below: f64,
    /// A factor on the square of the lower one: 0 if no distance is below.
    factor: f64,
    row: u32,
}

impl Limit {
    #[inline(always)]
    fn new(key: u64) -> Self {
        let distance = f32::from_bits((key >> 32) as u32);
        let half = |other: f32| 0.5 * (f64::from(distance) + f64::from(other));
        // Nothing is infinitely far away but what is behind the last node of a layer.
        let above = half(distance.next_up()).min(f64::from(f32::MAX));
        let below = half(distance.next_down());
        let factor = if distance > 0.0 { SLACK } else { 0.0 };
        Self { key, above, below, factor, row: key as u32 }
    }

    /// Which of sixteen boxes may hold an item within the limit, as bits, by squared distances of
    /// cores. Distances above the first limit are surely above the limit, and those from the second
    /// one on are surely not below its distance: of the boxes there, only those in `rows`. `sharp`
    /// says that nothing has a radius.
    #[inline(always)]
    fn admits<S: Simd>(
        &self,
        simd: S,
        squares: &[f64; WIDTH],
        (sharp, own): (bool, f64),
        radii: &[f32; WIDTH],
        rows: u32,
    ) -> u32 {
        let mut above = [square(self.above, SLACK); WIDTH];
        if !sharp {
            for lane in 0..WIDTH {
                above[lane] = square(self.above + (own + f64::from(radii[lane])), SLACK);
            }
        }
        let bits = simd.wide_le(squares, &above);
        if bits & !rows == 0 {
            return bits;
        }
        let mut below = [square(self.below, self.factor); WIDTH];
        if !sharp {
            for lane in 0..WIDTH {
                below[lane] = square(self.below + (own + f64::from(radii[lane])), self.factor);
            }
        }
        let ties = simd.wide_le(&below, squares);
        bits & (!ties | rows)
    }
}

#[inline(always)]
fn square(distance: f64, factor: f64) -> f64 {
    distance * distance * factor
}

/// A box, and a limit for items near it.
#[derive(Clone, Copy)]
struct BoxReach {
    sides: RoundedBox,
    from: AskedSides,
    limit: Limit,
    /// Whether neither the box nor an item has a radius.
    sharp: bool,
}

impl BoxReach {
    #[inline(always)]
    fn lower(&mut self, key: u64) {
        if key < self.limit.key {
            self.limit = Limit::new(key);
        }
    }

    /// Which of sixteen boxes, by their sides and radii, may hold an item within the limit.
    #[inline(always)]
    fn admits<S: Simd>(&self, simd: S, columns: [&[f32; WIDTH]; 5], rows: u32) -> u32 {
        let [min_x, min_y, max_x, max_y, radii] = columns;
        let squares = self.from.squares([min_x, min_y, max_x, max_y]);
        self.limit.admits(simd, &squares, (self.sharp, self.from.radius), radii, rows)
    }
}

/// What nodes and items are near to.
enum AnyReach<'a> {
    Box(&'a mut BoxReach),
    Group(&'a GroupCorners),
}

impl AnyReach<'_> {
    fn row(&self) -> u32 {
        match self {
            Self::Box(reach) => reach.limit.row,
            Self::Group(corners) => corners.row,
        }
    }

    /// Which of sixteen boxes, by their sides and radii, may hold an item that is near.
    #[inline(always)]
    fn admits<S: Simd>(&self, simd: S, columns: [&[f32; WIDTH]; 5], rows: u32) -> u32 {
        match self {
            Self::Box(reach) => reach.admits(simd, columns, rows),
            Self::Group(corners) => simd.call(TestCorners { corners, columns, rows }),
        }
    }

    /// Which of sixteen nodes may hold an item that is near.
    #[inline(always)]
    fn admits_nodes<S: Simd>(&self, simd: S, block: &NodeBlock) -> u32 {
        self.admits(simd, block.all(), !all_above(simd, &block.row, self.row()))
    }
}

/// Items, as columns.
struct Near {
    /// Sides and radii as bits, because they are compressed as words. Of points, only the first two
    /// columns.
    columns: [[u32; NEAR]; 5],
    ids: [u32; NEAR],
    /// The bits of distances.
    distances: [u32; NEAR],
    len: usize,
}

impl Near {
    const NONE: Self =
        Self { columns: [[0; NEAR]; 5], ids: [0; NEAR], distances: [0; NEAR], len: 0 };

    /// The columns of sixteen items.
    #[inline(always)]
    fn chunk(&self, chunk: usize, points: bool) -> [&[f32; WIDTH]; 5] {
        let column = |column: usize| -> &[f32; WIDTH] {
            bytemuck::cast_ref(&self.columns[column].as_chunks::<WIDTH>().0[chunk])
        };
        let [x, y] = [column(0), column(1)];
        if points { [x, y, x, y, &[0.0; WIDTH]] } else { map_each([0, 1, 2, 3, 4], column) }
    }

    /// The key of an item.
    #[inline(always)]
    fn key(&self, at: usize) -> u64 {
        key_of(self.distances[at], self.ids[at])
    }

    /// Appends those of at most sixteen items that are near.
    #[inline(always)]
    fn take_near<S: Simd>(
        &mut self,
        simd: S,
        reaches: &AnyReach<'_>,
        items: &ItemColumns<'_>,
        places: Range<usize>,
        points: bool,
    ) {
        let column = |column: usize| items.columns[column][places.start..].first_chunk();
        let (Some(x), Some(y)) = (column(0), column(1)) else { return };
        let mut columns = [x, y, x, y, &[0.0; WIDTH]];
        if !points {
            let (Some(right), Some(upper), Some(radii)) = (column(2), column(3), column(4)) else {
                return;
            };
            columns = [x, y, right, upper, radii];
        }
        // Ids have the bits of rows inverted, and no row has all bits set.
        let row = !reaches.row().min(u32::MAX - 1);
        let rows = all_above(simd, &items.ids[places.start..], row - 1);
        let bits = reaches.admits(simd, columns, rows);
        let bits = bits & first_bits(places.len());
        self.take(simd, items.words, items.ids, places.start, bits, points);
    }

    /// The items as columns.
    fn items(&self) -> ItemColumns<'_> {
        let words = map_each(self.columns.each_ref(), |column| &column[..]);
        let columns = map_each(words, bytemuck::cast_slice);
        ItemColumns { columns, words, ids: &self.ids }
    }

    /// Appends those of the sixteen items from place `at` on whose bits are set.
    #[inline(always)]
    fn take<S: Simd>(
        &mut self,
        simd: S,
        words: [&[u32]; 5],
        ids: &[u32],
        at: usize,
        bits: u32,
        points: bool,
    ) {
        for part in (0..WIDTH).step_by(S::LANES) {
            let bits = bits >> part & first_bits(S::LANES);
            let Self { columns: [a, b, c, d, e], ids: own_ids, len, .. } = self;
            let put =
                |column: &mut [u32], words| simd.emit_ids(column, *len, words, at + part, bits);
            put(a, words[0]);
            put(b, words[1]);
            if !points {
                put(c, words[2]);
                put(d, words[3]);
                put(e, words[4]);
            }
            *len += put(own_ids, ids);
        }
    }
}

/// Computes the distances of items.
struct MeasureNear<'a> {
    near: &'a mut Near,
    reach: &'a BoxReach,
    points: bool,
}

impl Kernel for MeasureNear<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, _simd: S) {
        let Self { near, reach, points } = self;
        if near.len <= FEW {
            for at in 0..near.len {
                let [min_x, min_y, max_x, max_y, radius] =
                    map_each(near.columns.each_ref(), |column| f32::from_bits(column[at]));
                let item = if points {
                    RoundedBox { min_x, min_y, max_x: min_x, max_y: min_y, radius: 0.0 }
                } else {
                    RoundedBox { min_x, min_y, max_x, max_y, radius }
                };
                near.distances[at] = box_distance(reach.sides, item).to_bits();
            }
            return;
        }
        for chunk in 0..near.len.div_ceil(WIDTH) {
            let distances = reach.from.distances(near.chunk(chunk, points));
            near.distances.as_chunks_mut().0[chunk] = distances;
        }
    }
}

/// A search that goes down the tree.
struct Walk<'a> {
    tree: &'a BoxTree,
    /// The level with the most layers, and its last layer.
    root: (usize, usize),
    items: &'a ItemColumns<'a>,
    /// Whether all items are points.
    points: bool,
    /// The number of items that are wanted, the box itself included.
    wanted: usize,
    /// The nodes of each layer that are near and whose children have not been tested.
    nodes: [[u32; ROOM]; MAX_LAYERS],
    /// Items that are near.
    near: &'a mut Near,
    /// Items that may be near one of a group of points, if they are many.
    shared: &'a mut Near,
    /// The last answer.
    last: Near,
    /// Whether the last answer has enough items.
    enough: bool,
    /// How many blocks the last search has tested.
    tests: usize,
    /// How many of the next limits are looked for in the tree, and how many if the one after them
    /// is too high.
    descents: u32,
    next_descents: u32,
}

impl Walk<'_> {
    /// Lowers a limit to the last answer.
    #[inline(always)]
    fn lower_to_last<S: Simd>(&mut self, simd: S, reach: &mut BoxReach) {
        if self.enough {
            let (last, points) = (&mut self.last, self.points);
            simd.call(MeasureNear { near: last, reach, points });
            reach.lower((0..last.len).fold(0, |furthest, at| last.key(at).max(furthest)));
        }
    }

    /// If the last answers were of little use, lowers a limit to the items of a few nodes that are
    /// near, if they are enough.
    #[inline(always)]
    fn descend<S: Simd>(&mut self, simd: S, reach: &mut BoxReach) {
        if self.descents == 0 {
            return;
        }
        self.descents -= 1;
        let (level, top) = self.root;
        let mut node = 0;
        for layer in (0..=top).rev() {
            let [min_x, min_y, max_x, max_y, _] = self.tree.layer(level, layer)[node].all();
            let squares = reach.from.squares([min_x, min_y, max_x, max_y]);
            let (mut bits, mut least) = ([0; WIDTH], u32::MAX);
            for lane in 0..WIDTH {
                bits[lane] = (squares[lane] as f32).to_bits();
                least = if bits[lane] < least { bits[lane] } else { least };
            }
            let others = all_above(simd, &bits, least);
            node = node * WIDTH + others.trailing_ones() as usize;
        }
        self.near.len = 0;
        let mut count = 0;
        for node in (0..KEPT / WIDTH).map(|other| node ^ other) {
            if node < self.tree.count(level) {
                self.nodes[0][count] = node as u32;
                count += 1;
            }
        }
        let most = 2 * self.wanted;
        let reaches = &AnyReach::Box(reach);
        simd.call(TestNodes { walk: self, reaches, level, nodes: 0..count, most });
        let (len, mut found) = (self.near.len, [0; KEPT]);
        if len >= self.wanted {
            let (near, points) = (&mut *self.near, self.points);
            simd.call(MeasureNear { near, reach, points });
            let (distances, ids, found) = (&near.distances, &near.ids, &mut found);
            simd.call(SortKeys { distances, ids, len, found });
            reach.lower(found[self.wanted - 1]);
        }
    }

    /// Takes those items of a node of the first layer that are near.
    #[inline(always)]
    fn test_items<S: Simd>(&mut self, simd: S, reaches: &AnyReach<'_>, level: usize, node: usize) {
        match self.tree.items_of(level, node) {
            NodeItems::Run(places) => {
                self.near.take_near(simd, reaches, self.items, places, self.points);
            }
            NodeItems::Copies(block, count) => {
                let bits = reaches.admits_nodes(simd, block) & first_bits(count);
                let words = map_each(block.all(), |column| bytemuck::cast_slice(column));
                let ids = map_each(block.row, |row| !row);
                self.near.take(simd, words, &ids, 0, bits, self.points);
            }
        }
    }

    /// Writes the keys of the items that are near in order, or only the least one if one item is
    /// wanted.
    #[inline(always)]
    fn decide<S: Simd>(&mut self, simd: S, reach: &BoxReach, found: &mut [u64; KEPT]) {
        let Self { near, points, wanted, .. } = self;
        simd.call(MeasureNear { near, reach, points: *points });
        let len = near.len.min(KEPT);
        let (distances, ids) = (&mut near.distances, &near.ids);
        if *wanted == 1 {
            distances[len..len + BLOCK].fill(u32::MAX);
            let len = len.next_multiple_of(BLOCK);
            found[0] = least_key(&distances[..len], &ids[..len], NONE);
        } else {
            simd.call(SortKeys { distances, ids, len, found });
        }
    }

    /// Notes whether the last answer was of use.
    fn note_use(&mut self) {
        let (len, wanted) = (self.near.len, self.wanted);
        if len < wanted || len > MANY * wanted + MORE {
            self.descents = self.next_descents;
            self.next_descents = (2 * self.next_descents).min(MOST_DESCENTS);
        } else if self.descents == 0 {
            self.next_descents = 1;
        }
    }

    /// Notes the answer.
    #[inline(always)]
    fn note_answer<S: Simd>(&mut self, simd: S, found: &[u64; KEPT]) {
        let Self { near, last, points, wanted, .. } = self;
        let len = near.len.min(KEPT);
        self.enough = len >= *wanted;
        if !self.enough {
            return;
        }
        last.len = 0;
        let words = map_each(near.columns.each_ref(), |column| &column[..]);
        for first in (0..len).step_by(WIDTH) {
            let mut bits = 0;
            for lane in 0..WIDTH {
                bits |= u32::from(near.key(first + lane) <= found[*wanted - 1]) << lane;
            }
            let bits = bits & first_bits((len - first).min(WIDTH));
            last.take(simd, words, &near.ids, first, bits, *points);
        }
    }
}

/// Finds all items that are near, and maybe others. Fails if too many are near a group.
struct Find<'a, 'b, 'c> {
    walk: &'a mut Walk<'b>,
    reaches: AnyReach<'c>,
}

impl Kernel for Find<'_, '_, '_> {
    type Output = bool;

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> bool {
        let Self { walk, mut reaches } = self;
        (walk.near.len, walk.tests) = (0, 0);
        for (level, top) in walk.tree.tops() {
            let mut lens = [0; MAX_LAYERS];
            let bits = reaches.admits_nodes(simd, &walk.tree.layer(level, top)[0]);
            lens[top] = list(simd, &mut walk.nodes[top], 0, 0, bits);
            let mut layer = top;
            loop {
                let end = lens[layer];
                if end == 0 {
                    if layer == top {
                        break;
                    }
                    layer += 1;
                    continue;
                }
                let begin = end.saturating_sub(TOGETHER);
                lens[layer] = begin;
                walk.tests += end - begin;
                if layer == 0 {
                    let (nodes, most) = (begin..end, usize::MAX);
                    let near = &reaches;
                    simd.call(TestNodes { walk, reaches: near, level, nodes, most });
                    match &mut reaches {
                        AnyReach::Group(_) if walk.near.len > MOST_SHARED => return false,
                        AnyReach::Box(reach) if walk.near.len > KEPT => {
                            simd.call(Shrink { walk, reach })
                        }
                        _ => {}
                    }
                    continue;
                }
                layer -= 1;
                let blocks = walk.tree.layer(level, layer);
                let (below, own) = walk.nodes.split_at_mut(layer + 1);
                let (list_below, mut len) = (&mut below[layer], 0);
                for &index in &own[0][begin..end] {
                    let bits = reaches.admits_nodes(simd, &blocks[index as usize]);
                    len += list(simd, list_below, len, index * WIDTH as u32, bits);
                }
                lens[layer] = len;
            }
        }
        true
    }
}

/// Leaves only the nearest items, and lowers the limit to them.
struct Shrink<'a, 'b> {
    walk: &'a mut Walk<'b>,
    reach: &'a mut BoxReach,
}

impl Kernel for Shrink<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let Walk { near, points, wanted, .. } = self.walk;
        let reach = self.reach;
        simd.call(MeasureNear { near, reach, points: *points });
        let mut keys = [0; NEAR];
        for (at, key) in keys[..near.len].iter_mut().enumerate() {
            *key = near.key(at);
        }
        keys[..near.len].sort_unstable();
        let furthest = keys[*wanted - 1];
        let mut left = 0;
        for at in 0..near.len {
            if near.key(at) <= furthest {
                for column in &mut near.columns {
                    column[left] = column[at];
                }
                near.ids[left] = near.ids[at];
                left += 1;
            }
        }
        near.len = left;
        reach.lower(furthest);
    }
}

/// Takes the items that are near of some nodes of the first layer, given as places in the list of
/// near nodes, until there are `most`.
struct TestNodes<'a, 'b> {
    walk: &'a mut Walk<'b>,
    reaches: &'a AnyReach<'a>,
    level: usize,
    nodes: Range<usize>,
    most: usize,
}

impl Kernel for TestNodes<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let Self { walk, reaches, level, nodes, most } = self;
        for at in nodes {
            if walk.near.len >= most {
                break;
            }
            let node = walk.nodes[0][at] as usize;
            walk.test_items(simd, reaches, level, node);
        }
    }
}

/// Which of the first sixteen words are above a word, as bits. (A loop, because a closure would not
/// be inlined into the function with the instructions.)
#[inline(always)]
fn all_above<S: Simd>(simd: S, words: &[u32], word: u32) -> u32 {
    let mut bits = 0;
    for at in (0..WIDTH).step_by(S::LANES) {
        bits |= simd.above(words, at, word) << at;
    }
    bits
}

/// Appends the numbers from `first` on whose bits are set to the first `len` ones of a list, and
/// returns their number.
#[inline(always)]
fn list<S: Simd>(simd: S, numbers: &mut [u32], len: usize, first: u32, bits: u32) -> usize {
    let mut count = 0;
    for at in (0..WIDTH).step_by(S::LANES) {
        let bits = bits >> at & first_bits(S::LANES);
        count += simd.emit_ids(numbers, len + count, &LANES, at, bits);
    }
    for number in &mut numbers[len..len + WIDTH] {
        *number |= first;
    }
    count
}

/// The numbers of lanes.
const LANES: [u32; WIDTH] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15];
