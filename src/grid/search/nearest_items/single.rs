//! `NearestItem` and `NearestAround`: the nearest items to one rounded box.

use std::ops::Range;

use super::{
    MAX_NEAREST,
    group::{Attempt, BoxGroup, FEW_ROWS, MANY_ROWS},
    kept::{CIRCLES, MAX_KEPT, NO_KEY, POINTS, ROUNDED, SortKeys, key_of, square_limit},
    shape_of,
};
use crate::{
    base::UNDERFLOW,
    geometry::box_distance,
    grid::{
        GridView, LayoutKind,
        box_tree::CHILDREN,
        search::{by_distance::AskedSides, nearest_items::MAX_TESTED, sink::first_bits},
    },
    kernel::{BoxColumns, RoundedColumns},
    shape::RoundedBox,
    simd::{Kernel, MAX_LANES, Simd, map_each},
};

/// A rounded box that is searched around.
#[derive(Debug, Clone)]
pub(crate) struct Asked<'a> {
    /// The grid of the items.
    pub(crate) grid: GridView<'a>,
    /// The places of the items that the box is compared with, if they are few. Otherwise it is
    /// compared with the items in the cells around it.
    pub(crate) places: Option<Range<usize>>,
    pub(crate) sides: RoundedBox,
    /// The row of an item that is left out.
    pub(crate) without: Option<u32>,
    /// Items further away are not found.
    pub(crate) max_distance: f32,
}

/// The places of the items around a box.
struct ItemRuns<const ROWS: usize> {
    group: BoxGroup<1, ROWS>,
    rows: usize,
    /// Whether no item that is near enough is outside of the runs.
    all: bool,
}

impl<const ROWS: usize> ItemRuns<ROWS> {
    const NONE: Self = Self { group: BoxGroup::NONE, rows: 0, all: false };

    /// The runs of places.
    #[inline(always)]
    fn runs(&self) -> &[[u32; 2]] {
        &self.group.runs[0][..self.rows]
    }

    /// The number of items in the runs.
    #[inline(always)]
    fn items(&self) -> usize {
        self.group.items[0] as usize
    }

    /// All items that are nearer than this are in the runs.
    #[inline(always)]
    fn reach(&self) -> f32 {
        self.group.reach[0]
    }
}

/// Why a box is left open.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LeftOpen {
    /// There are too many cells or items around it.
    Crowded,
    /// There may be items outside of the cells that are nearer than the items in them.
    Sparse,
    /// There is nothing around it, and nothing tells how far away the next items are.
    Far,
}

impl Asked<'_> {
    /// Finds the places around the box that hold about as many items as are wanted, for an attempt
    /// that reaches `factor` times as far as the first.
    #[inline(always)]
    fn look_around<S: Simd, const ROWS: usize>(
        &self,
        simd: S,
        k: usize,
        factor: f64,
        around: &mut ItemRuns<ROWS>,
    ) -> Result<(), LeftOpen> {
        let Self { grid, places, sides, max_distance, .. } = self;
        let ItemRuns { group, rows, all } = around;
        if let Some(Range { start, end }) = *places {
            group.runs[0][0] = [start as u32, end as u32];
            (group.items, group.reach) = ([(end - start) as u32], [max_distance.next_up()]);
            (*rows, *all) = (1, true);
            return Ok(());
        }
        let grid = grid.whole().ok_or(LeftOpen::Crowded)?;
        let attempt = Attempt::new(grid, true, k, *max_distance, factor, ROWS);
        let attempt = attempt.ok_or(LeftOpen::Crowded)?;
        if self.is_beside(attempt.reach) {
            return Err(LeftOpen::Far);
        }
        let RoundedBox { min_x, min_y, max_x, max_y, radius } = *sides;
        group.sides = [[min_x], [min_y], [max_x], [max_y], [radius]];
        match k {
            // The least upper bound shortens the reach to one item.
            1 => group.find_patches::<S, false>(simd, grid, &attempt),
            _ => group.find_patches::<S, true>(simd, grid, &attempt),
        }
        (*rows, *all) = (attempt.all_rows, group.reach[0] > *max_distance);
        if around.reach() <= 0.0 {
            return Err(LeftOpen::Sparse);
        }
        if around.items() == 0 && !around.all { Err(LeftOpen::Far) } else { Ok(()) }
    }

    /// Whether all items are further away than this.
    #[inline(always)]
    fn is_beside(&self, reach: f64) -> bool {
        let RoundedBox { min_x, min_y, max_x, max_y, radius } = self.sides;
        let reach = reach + f64::from(radius);
        let [min_x, min_y] = [f64::from(min_x) - reach, f64::from(min_y) - reach];
        let [max_x, max_y] = [f64::from(max_x) + reach, f64::from(max_y) + reach];
        let mut beside = true;
        for level in 0..self.grid.levels().len() {
            let bounds = self.grid.bounds(level);
            beside &= bounds.beside(0, min_x, max_x) | bounds.beside(1, min_y, max_y);
        }
        beside
    }

    /// The places of the items if the box is compared with few items.
    #[inline(always)]
    fn cell(&self) -> Option<Range<usize>> {
        self.places.clone().filter(|places| places.len() <= MAX_KEPT)
    }

    /// Passes the distances and the ids of the items of a cell to `each`, vector by vector. The
    /// item that is left out is infinitely far away, as are the lanes behind the last item.
    #[inline(always)]
    fn measure_cell(
        &self,
        places: Range<usize>,
        mut each: impl FnMut(usize, &[u32; CHILDREN], &[u32; CHILDREN]),
    ) {
        let from = AskedSides::new(&self.sides, 1.0);
        let RoundedColumns { core, radius } = self.grid.rounded();
        let BoxColumns { min_x, min_y, max_x, max_y } = core;
        let (ids, out) = (self.grid.sorted.ids(), self.without.map_or(0, |row| !row));
        for (block, at) in places.clone().step_by(CHILDREN).enumerate() {
            // The columns are longer than the places by a vector.
            let columns = map_each([min_x, min_y, max_x, max_y, radius], |column| {
                column[at..].first_chunk().unwrap_or(&[0.0; CHILDREN])
            });
            let ids = ids[at..].first_chunk().unwrap_or(&[0; CHILDREN]);
            let (mut distances, count) = (from.distances(columns), places.end - at);
            for lane in 0..CHILDREN {
                let is_item = (lane < count) & (ids[lane] != out);
                distances[lane] = if is_item { distances[lane] } else { f32::INFINITY.to_bits() };
            }
            each(block, &distances, ids);
        }
    }

    /// The columns that the items need.
    #[inline(always)]
    fn shape(&self) -> u8 {
        match self.grid.whole() {
            Some(grid) if self.places.is_none() => shape_of(grid),
            _ if self.grid.form == LayoutKind::Circle => CIRCLES,
            _ => ROUNDED,
        }
    }

    /// Whether the core of the box is a point.
    #[inline(always)]
    fn is_point(&self) -> bool {
        let RoundedBox { min_x, min_y, max_x, max_y, .. } = self.sides;
        min_x == max_x && min_y == max_y
    }
}

/// Finds the nearest item of a box if it is in the cells around the box and these are few, and
/// otherwise leaves the box open. Leaves out an item only among the items of a cell.
///
/// In plain words:
///
/// ```text
/// for each row of the cells around the box:
///     for each item of the row:              compute bounds of its distance
/// for each item whose lower bound is at most the least upper bound:
///     compute the distance in f64
/// the least one is the answer, if nothing outside of the cells can be nearer
/// ```
///
/// For speed, nothing is allocated and few branches depend on the items. All boxes of a grid have
/// one number of rows. Bounds are computed by whole vectors in `f32`, twice instead of being
/// stored. Most rows take one vector, and most boxes one distance.
///
/// docs/numerics.md, "Nearest", says why no item is lost.
pub(crate) struct NearestItem<'a> {
    pub(crate) asked: Asked<'a>,
}

const TESTED_PER_WANTED: usize = 16;

/// If a cell has more than this many times as many items as are wanted, the least distances are
/// found before the items are sorted.
const MAX_SORTED_PER_WANTED: usize = 5;

impl Kernel for NearestItem<'_> {
    /// The key of the nearest item, or [`u64::MAX`] if no item is near enough.
    type Output = Result<u64, LeftOpen>;

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> Result<u64, LeftOpen> {
        let Self { asked } = &self;
        // Bounds do not tell which item is left out. With few items in the cell, their distances
        // are computed without bounds.
        let few = |places: &Range<usize>| places.len() <= (2 * CHILDREN) || asked.without.is_some();
        if let Some(places) = asked.cell().filter(few) {
            let mut least = [i64::MAX; CHILDREN];
            asked.measure_cell(
                places,
                #[inline(always)]
                |_, distances, ids| {
                    for lane in 0..CHILDREN {
                        let key = key_of(distances[lane], ids[lane]) as i64;
                        least[lane] = if key < least[lane] { key } else { least[lane] };
                    }
                },
            );
            let first = i64::MAX;
            let key =
                least.iter().fold(first, |least, key| if *key < least { *key } else { least });
            let key = key as u64;
            return Ok(if distance_of(key) < asked.max_distance.next_up() { key } else { NO_KEY });
        }
        let mut around = ItemRuns::<FEW_ROWS>::NONE;
        asked.look_around(simd, 1, 1.0, &mut around)?;
        let around = &around;
        let point = asked.is_point();
        let key = match asked.shape() {
            POINTS if point => BoundItems::<S, POINTS>::new(simd, asked).nearest(around)?,
            CIRCLES if point => BoundItems::<S, CIRCLES>::new(simd, asked).nearest(around)?,
            _ => BoundItems::<S, ROUNDED>::new(simd, asked).nearest(around)?,
        };
        // No key is not a number, and not near.
        if distance_of(key) < around.reach() {
            return Ok(key);
        }
        around.all.then_some(NO_KEY).ok_or(LeftOpen::Sparse)
    }
}

/// Finds the nearest items of a box, as [`NearestItems`](super::NearestItems) does for many boxes,
/// or leaves the box open.
///
/// In plain words:
///
/// ```text
/// reach = a distance within which a few more items than wanted are expected
/// for each row of the cells that reach as far:
///     for each item of the row:      if it is within reach and seen, compute its distance in f64
/// if enough of them are below the reach: the nearest ones are the answer
/// ```
pub(crate) struct NearestAround<'a> {
    pub(crate) asked: Asked<'a>,
    /// The number of items that are wanted, at least 1.
    pub(crate) k: usize,
    /// How many times as far as the first attempt this one reaches.
    pub(crate) factor: f64,
    /// Whether the item at a place is looked for. `None`: all items are.
    pub(crate) sees: Option<&'a dyn Fn(usize) -> bool>,
    /// Whether keys have places in the place of rows. Then all items within reach are listed, and
    /// not only the nearest items.
    pub(crate) by_place: bool,
    pub(crate) room: &'a mut NearestRoom,
}

/// Space for the items near a box.
#[derive(Debug)]
pub(crate) struct NearestRoom {
    few: FewNear,
    /// For more items than `few` has room for.
    many: Vec<u64>,
    /// The number of keys in either of them.
    len: usize,
    is_few: bool,
}

/// Some items, and their keys in order.
#[derive(Debug)]
struct FewNear {
    /// The bits of distances, and ids.
    distances: [u32; MAX_KEPT],
    ids: [u32; MAX_KEPT],
    keys: [u64; MAX_KEPT],
}

impl Default for NearestRoom {
    fn default() -> Self {
        let few = FewNear { distances: [0; MAX_KEPT], ids: [0; MAX_KEPT], keys: [0; MAX_KEPT] };
        Self { few, many: Vec::new(), len: 0, is_few: true }
    }
}

impl NearestRoom {
    /// The keys that were found, in order: of each item the bits of the distance, then the row or
    /// the place.
    pub(crate) fn keys(&self) -> &[u64] {
        if self.is_few { &self.few.keys[..self.len] } else { &self.many[..self.len] }
    }
}

impl Kernel for NearestAround<'_> {
    type Output = Result<f32, LeftOpen>;

    /// Returns the reach: all items that are nearer have been found, or as many as are wanted.
    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> Result<f32, LeftOpen> {
        let Self { asked, k, factor, sees, by_place, room } = self;
        (room.len, room.is_few) = (0, true);
        if let Some(places) = asked.cell().filter(|_| sees.is_none() && !by_place) {
            room.len = places.len();
            let FewNear { distances: all, ids: all_ids, .. } = &mut room.few;
            let (all, all_ids) = (all.as_chunks_mut().0, all_ids.as_chunks_mut().0);
            asked.measure_cell(
                places,
                #[inline(always)]
                |block, distances, ids| (all[block], all_ids[block]) = (*distances, *ids),
            );
            if room.len > CHILDREN.max(MAX_SORTED_PER_WANTED * k) {
                room.keep_least(simd, k);
            }
            room.sort(simd);
            room.truncate(k, asked.max_distance.next_up());
            return Ok(f32::INFINITY);
        }
        let mut around = ItemRuns::<MANY_ROWS>::NONE;
        asked.look_around(simd, k, factor, &mut around)?;
        if around.items() > (TESTED_PER_WANTED * k).max(MAX_TESTED as usize) {
            return Err(LeftOpen::Crowded);
        }
        if around.items() < k && !around.all {
            return Err(LeftOpen::Sparse);
        }
        room.is_few = k <= MAX_NEAREST || around.items() <= MAX_KEPT;
        room.many.clear();
        let out = asked.without.map_or(0, |row| !row);
        let mut keep = KeptItems { around: &around, out, sees, by_place, room };
        let point = asked.is_point();
        match asked.shape() {
            POINTS if point => BoundItems::<S, POINTS>::new(simd, &asked).keep(&mut keep),
            CIRCLES if point => BoundItems::<S, CIRCLES>::new(simd, &asked).keep(&mut keep),
            _ => BoundItems::<S, ROUNDED>::new(simd, &asked).keep(&mut keep),
        }
        if room.len < k && !around.all {
            return Err(LeftOpen::Sparse);
        }
        room.sort(simd);
        if by_place {
            return Ok(around.reach());
        }
        room.truncate(k, around.reach());
        let known = around.all || room.len == k;
        known.then_some(around.reach()).ok_or(LeftOpen::Sparse)
    }
}

/// The distance of a key.
#[inline(always)]
fn distance_of(key: u64) -> f32 {
    f32::from_bits((key >> 32) as u32)
}

/// Where items are kept, and which.
struct KeptItems<'a> {
    around: &'a ItemRuns<MANY_ROWS>,
    /// The id of an item that is left out; 0, which no item has, if no item is left out.
    out: u32,
    sees: Option<&'a dyn Fn(usize) -> bool>,
    by_place: bool,
    room: &'a mut NearestRoom,
}

impl KeptItems<'_> {
    /// Keeps the item with an id at a place, if it is seen. `distance` computes its distance.
    #[inline(always)]
    fn item(&mut self, id: u32, place: usize, distance: impl FnOnce() -> f32) {
        let Self { out, sees, by_place, room, .. } = self;
        if id == *out || sees.is_some_and(|sees| !sees(place)) {
            return;
        }
        let (distance, id) = (distance().to_bits(), if *by_place { !(place as u32) } else { id });
        if room.is_few && room.len == MAX_KEPT {
            let FewNear { distances, ids, .. } = &room.few;
            let keys = distances.iter().zip(ids).map(|(distance, id)| key_of(*distance, *id));
            room.many.extend(keys);
            room.is_few = false;
        }
        if room.is_few {
            (room.few.distances[room.len], room.few.ids[room.len]) = (distance, id);
        } else {
            room.many.push(key_of(distance, id));
        }
        room.len += 1;
    }
}

impl NearestRoom {
    /// Keeps the `k` nearest of few items, and further items at the same distances. There must be
    /// more than `k` items.
    #[inline(always)]
    fn keep_least<S: Simd>(&mut self, simd: S, k: usize) {
        let FewNear { distances, ids, .. } = &mut self.few;
        let all: [f32; MAX_KEPT] = bytemuck::cast(*distances);
        let mut limit = -1.0;
        for _ in 0..k {
            let (last, mut least) = (simd.splat(limit), simd.splat(f32::INFINITY));
            for at in (0..self.len.next_multiple_of(CHILDREN)).step_by(S::LANES) {
                let distance = simd.load(&all, at);
                let beyond = simd.select(simd.le(distance, last), least, distance);
                least = simd.min(beyond, least);
            }
            limit = least_lane(simd, least);
        }
        let (mut kept, limit) = (0, simd.splat(limit));
        for at in (0..self.len.next_multiple_of(CHILDREN)).step_by(S::LANES) {
            let mut near = simd.bits(simd.le(simd.load(&all, at), limit));
            while near != 0 {
                let item = at + near.trailing_zeros() as usize;
                near &= near - 1;
                (distances[kept], ids[kept]) = (distances[item], ids[item]);
                kept += 1;
            }
        }
        self.len = kept;
    }

    /// Drops all but the first `k` keys, and keys that are not nearer than `reach`.
    #[inline(always)]
    fn truncate(&mut self, k: usize, reach: f32) {
        let nearest = self.keys().iter().take(k);
        self.len = nearest.take_while(|key| distance_of(**key) < reach).count();
    }

    #[inline(always)]
    fn sort<S: Simd>(&mut self, simd: S) {
        let Self { few: FewNear { distances, ids, keys }, many, len, is_few } = self;
        if *is_few {
            simd.call(SortKeys { distances, ids, len: *len, found: keys });
        } else {
            many[..*len].sort_unstable();
        }
    }
}

/// The items of a grid, and a box that they may be near to, in every lane.
struct BoundItems<'a, S: Simd, const SHAPE: u8> {
    simd: S,
    items: RoundedColumns<'a>,
    ids: &'a [u32],
    sides: RoundedBox,
    min: [S::F32; 2],
    max: [S::F32; 2],
    radius: S::F32,
}

impl<'a, S: Simd, const SHAPE: u8> BoundItems<'a, S, SHAPE> {
    #[inline(always)]
    fn new(simd: S, asked: &Asked<'a>) -> Self {
        let Asked { grid, sides, .. } = asked;
        let RoundedBox { min_x, min_y, max_x, max_y, radius } = *sides;
        Self {
            simd,
            items: grid.rounded(),
            ids: grid.sorted.ids(),
            sides: *sides,
            min: [simd.splat(min_x), simd.splat(min_y)],
            max: [simd.splat(max_x), simd.splat(max_y)],
            radius: simd.splat(radius),
        }
    }

    /// The squared distances of the cores of the items from a place on.
    #[inline(always)]
    fn squares(&self, place: usize) -> S::F32 {
        let Self { simd, items, min, max, .. } = self;
        let BoxColumns { min_x, min_y, max_x, max_y } = items.core;
        let (x, y) = (simd.load(min_x, place), simd.load(min_y, place));
        let (x, y) = if SHAPE == ROUNDED {
            let zero = simd.splat(0.0);
            let left = simd.sub(x, max[0]);
            let right = simd.sub(min[0], simd.load(max_x, place));
            let below = simd.sub(y, max[1]);
            let above = simd.sub(min[1], simd.load(max_y, place));
            (simd.max(simd.max(left, right), zero), simd.max(simd.max(below, above), zero))
        } else {
            (simd.sub(x, min[0]), simd.sub(y, min[1]))
        };
        simd.add(simd.mul(x, x), simd.mul(y, y))
    }

    /// Bounds of the distances of the items from a place on.
    #[inline(always)]
    fn bounds(&self, place: usize) -> [S::F32; 2] {
        let Self { simd, items, radius, .. } = self;
        let length = simd.sqrt(self.squares(place));
        let radii = if SHAPE == POINTS {
            *radius
        } else {
            simd.add(simd.load(items.radius, place), *radius)
        };
        distance_bounds(*simd, length, radii)
    }

    /// Keeps the items that are within reach and are seen.
    #[inline(always)]
    fn keep(&self, keep: &mut KeptItems<'_>) {
        let Self { simd, items, ids, radius, .. } = self;
        let around = keep.around;
        let far = simd.add(simd.splat(around.reach()), *radius);
        for &[start, end] in around.runs() {
            for at in (start as usize..end as usize).step_by(S::LANES) {
                let far =
                    if SHAPE == POINTS { far } else { simd.add(far, simd.load(items.radius, at)) };
                let near = simd.le(self.squares(at), square_limit(*simd, far));
                let mut bits = simd.bits(near) & first_bits((end as usize - at).min(S::LANES));
                while bits != 0 {
                    let place = at + bits.trailing_zeros() as usize;
                    bits &= bits - 1;
                    keep.item(ids[place], place, || self.distance(place));
                }
            }
        }
    }

    /// The key of the nearest item of some runs; [`NO_KEY`] if they have no item.
    #[inline(always)]
    fn nearest(&self, around: &ItemRuns<FEW_ROWS>) -> Result<u64, LeftOpen> {
        /// The most vectors of items whose bounds are computed.
        const MAX_BOUND_VECTORS: usize = 32;
        /// What is added to the bounds of a vector that has some items: from lane `MAX_LANES -
        /// items` on, nothing for these, and infinity behind them.
        static BEHIND_END: [f32; 2 * MAX_LANES] = {
            let mut added = [0.0; 2 * MAX_LANES];
            let mut lane = MAX_LANES;
            while lane < added.len() {
                added[lane] = f32::INFINITY;
                lane += 1;
            }
            added
        };
        let Self { simd, ids, .. } = self;
        let (mut places, mut lanes, mut vectors) =
            ([0_u32; MAX_BOUND_VECTORS], [0_u32; MAX_BOUND_VECTORS], 0);
        let mut least = simd.splat(f32::INFINITY);
        for &[start, end] in around.runs() {
            let (mut at, end) = (start as usize, end as usize);
            loop {
                if vectors == MAX_BOUND_VECTORS {
                    return Err(LeftOpen::Crowded);
                }
                let count = (end - at).min(S::LANES);
                (places[vectors], lanes[vectors]) = (at as u32, first_bits(count));
                vectors += 1;
                simd.prefetch(&ids[at]);
                // A bound is not a number if a length is infinite. It bounds nothing.
                let [_, upper] = self.bounds(at);
                let behind_end = simd.load(&BEHIND_END, MAX_LANES - count);
                least = simd.min(simd.add(upper, behind_end), least);
                at += S::LANES;
                if at >= end {
                    break;
                }
            }
        }
        let least = least_lane(*simd, least);
        let limit = simd.splat(if least < 0.0 { 0.0 } else { least });
        let mut near = 0_u32;
        for (vector, lanes) in lanes[..vectors].iter_mut().enumerate() {
            let [lower, _] = self.bounds(places[vector] as usize);
            *lanes &= !simd.bits(simd.lt(limit, lower));
            near |= u32::from(*lanes != 0) << vector;
        }
        let mut key = NO_KEY;
        while near != 0 {
            let vector = near.trailing_zeros() as usize;
            near &= near - 1;
            let mut bits = lanes[vector];
            while bits != 0 {
                let place = places[vector] as usize + bits.trailing_zeros() as usize;
                bits &= bits - 1;
                key = key.min(self.key(place));
            }
        }
        Ok(key)
    }

    /// The key of the item at a place.
    #[inline(always)]
    fn key(&self, place: usize) -> u64 {
        key_of(self.distance(place).to_bits(), self.ids[place])
    }

    /// The distance of the item at a place.
    #[inline(always)]
    fn distance(&self, place: usize) -> f32 {
        let Self { items, sides, .. } = self;
        let item = if SHAPE == POINTS {
            let [x, y] = [items.core.min_x[place], items.core.min_y[place]];
            RoundedBox { min_x: x, min_y: y, max_x: x, max_y: y, radius: 0.0 }
        } else {
            items.rounded_box(place)
        };
        box_distance(*sides, item)
    }
}

/// A lower and an upper bound of distances, rounded to `f32`, by the lengths of gaps and the radii.
#[inline(always)]
pub(crate) fn distance_bounds<S: Simd>(simd: S, length: S::F32, radii: S::F32) -> [S::F32; 2] {
    // A lower bound is below the computed distance by this share of its lengths, and by the most
    // that underflow may take.
    let share = simd.mul(simd.add(length, radii), simd.splat(4.0 * f32::EPSILON));
    let slack = simd.add(share, simd.splat(UNDERFLOW));
    let distance = simd.sub(length, radii);
    [simd.sub(distance, slack), simd.add(distance, slack)]
}

/// The least lane.
#[inline(always)]
fn least_lane<S: Simd>(simd: S, lanes: S::F32) -> f32 {
    let mut values = [f32::INFINITY; MAX_LANES];
    simd.store(lanes, &mut values, 0);
    let mut half = S::LANES / 2;
    while half > 0 {
        for lane in 0..half {
            let other = values[lane + half];
            values[lane] = if other < values[lane] { other } else { values[lane] };
        }
        half /= 2;
    }
    values[0]
}
