//! `NearestItems`: for each of many rounded boxes, the nearest items of a grid.

mod group;
mod kept;
mod single;

pub(crate) use group::ATTEMPTS;
use group::{Attempt, BoxGroup, FEW_ROWS, FindPatches};
use kept::{CIRCLES, ItemColumns, List, NO_KEY, NearItems, POINTS, ROUNDED, keep_near};
pub(crate) use kept::{MAX_KEPT, SCRATCH_WORDS};
pub(crate) use single::{
    Asked, LeftOpen, NearestAround, NearestItem, NearestRoom, distance_bounds,
};

use crate::{
    grid::{Grid, plan::Cells, sort::LayoutKind},
    simd::{Kernel, MAX_LANES, Simd, map_each},
    store::Layout,
};

/// Finds the nearest items of boxes whose surroundings are as crowded as most of the grid, and
/// leaves the other boxes open.
///
/// In plain words:
///
/// ```text
/// for each box:
///     reach = a distance within which a few more items than wanted are expected
///     for each row of the cells that reach as far:
///         for each item of the row:              if it is within reach, keep it
///     compute the distances of the items that are kept, in f64
///     if enough of them are below the reach: the nearest ones are the answer
/// boxes without an answer are tried again with a longer reach
/// ```
///
/// For speed, cells are computed for a vector of boxes at once, in patches of a fixed number of
/// rows, so that no branch depends on where in its cell a box is. The reach is shortened where the
/// patch has more items than expected. Items within reach are found by whole vectors in `f32`, with
/// a margin, and compressed in a register. Distances are computed by whole vectors. The rank of an
/// item is the number of keys below its own.
///
/// docs/numerics.md, "Nearest", says why the margins lose no item.
pub(crate) struct NearestItems<'a> {
    pub(crate) grid: &'a Grid,
    /// The boxes, and the numbers of the boxes whose nearest items are searched.
    pub(crate) boxes: Layout<'a>,
    pub(crate) order: &'a [u32],
    /// Whether the boxes are the items, by place, and no item is near itself.
    pub(crate) themselves: bool,
    /// The number of items that are wanted, from 1 to [`MAX_NEAREST`], and their largest distance.
    pub(crate) k: usize,
    pub(crate) max_distance: f32,
    /// Space for `k` keys of each box, and for [`MAX_KEPT`] more keys. A key is the bits of a
    /// distance, then a row. The keys of the nearest items of a box are written by distance, then
    /// by row.
    pub(crate) found: &'a mut [u64],
    /// For each box in the order of `order`, where its keys begin and end, or [`OPEN`].
    pub(crate) spans: &'a mut [[u32; 2]],
    /// A workspace three times as long as `order`, whose content does not matter.
    pub(crate) left: &'a mut [u32],
    /// A workspace, whose content does not matter, of [`SCRATCH_WORDS`] words for a search of one
    /// box, or a multiple for a group of boxes.
    pub(crate) scratch: &'a mut [u32],
}

/// The most items that are found at once.
pub(crate) const MAX_NEAREST: usize = 32;

/// The span of a box that is left open.
pub(crate) const OPEN: [u32; 2] = [u32::MAX; 2];

/// The most items that are tested for a box.
const MAX_TESTED: u32 = 256;

/// How far a search has come.
#[derive(Default)]
struct SoFar {
    /// Where the keys that were written end.
    end: usize,
    /// The number of boxes of the attempt that are to be tried again. They are in the front of
    /// `left`; behind them are the boxes that follow.
    again: usize,
}

impl NearestItems<'_> {
    /// Queues a box for the next attempt.
    #[inline(always)]
    fn try_again(&mut self, so_far: &mut SoFar, number: u32) {
        self.left[so_far.again] = number;
        so_far.again += 1;
    }
}

/// Keeps the items near a group of boxes, and decides the boxes of earlier groups if there is no
/// room.
struct SearchGroup<'a, 'b> {
    search: &'a mut NearestItems<'b>,
    items: &'a ItemColumns<'a>,
    group: &'a BoxGroup<MAX_LANES, FEW_ROWS>,
    attempt: &'a Attempt,
    kept: &'a mut NearItems<'b>,
    /// Where in the order the boxes are.
    numbers: &'a [u32],
    so_far: &'a mut SoFar,
    shape: u8,
}

impl Kernel for SearchGroup<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        match self.shape {
            POINTS => self.run_as::<S, POINTS>(simd),
            CIRCLES => self.run_as::<S, CIRCLES>(simd),
            _ => self.run_as::<S, ROUNDED>(simd),
        }
    }
}

impl SearchGroup<'_, '_> {
    #[inline(always)]
    fn run_as<S: Simd, const SHAPE: u8>(self, simd: S) {
        let Self { search, items, group, attempt, kept, numbers, so_far, .. } = self;
        let wanted = (search.k + usize::from(search.themselves)) as u32;
        for (lane, &number) in numbers.iter().enumerate() {
            let own = if search.themselves {
                u64::from(!items.ids[search.order[number as usize] as usize])
            } else {
                NO_KEY
            };
            let reach = group.reach[lane];
            let all = reach > search.max_distance;
            let found = group.items[lane];
            // Where nothing is near, nothing tells how far to go.
            if found > MAX_TESTED || found == 0 && !all {
                continue;
            }
            if reach <= 0.0 || found < wanted && !all {
                search.try_again(so_far, number);
                continue;
            }
            let runs = &group.runs[lane][..attempt.all_rows];
            let sides = map_each([0, 1, 2, 3, 4], |side| group.sides[side][lane]);
            let begin = kept.end;
            keep_near::<S, SHAPE>(simd, items, runs, sides, reach, kept);
            let len = kept.end - begin;
            if len > MAX_KEPT || (len as u32) < wanted && !all {
                if len <= MAX_KEPT {
                    search.try_again(so_far, number);
                }
                kept.end = begin;
                continue;
            }
            let (begin, len) = (begin as u32, len as u32);
            kept.end_list::<SHAPE>(sides, List { begin, len, number, reach, own });
            if !kept.has_room() {
                simd.call(DecideLists::<SHAPE> { search, kept, so_far });
            }
        }
        if kept.len > 0 {
            simd.call(DecideLists::<SHAPE> { search, kept, so_far });
        }
    }
}

/// Decides the lists that are kept, and empties them.
struct DecideLists<'a, 'b, const SHAPE: u8> {
    search: &'a mut NearestItems<'b>,
    kept: &'a mut NearItems<'b>,
    so_far: &'a mut SoFar,
}

impl<const SHAPE: u8> Kernel for DecideLists<'_, '_, SHAPE> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let Self { search, kept, so_far } = self;
        let (k, max_distance) = (search.k, search.max_distance);
        kept.decide::<SHAPE>();
        for list in &kept.lists[..kept.len] {
            let List { number, len, reach, own, .. } = *list;
            let begin = so_far.end;
            let Some(found) = search.found[begin..].first_chunk_mut() else { continue };
            let all = reach > max_distance;
            let below = |key: u64| f32::from_bits((key >> 32) as u32) < reach;
            let within = |key: u64| (key >> 32) as u32 <= max_distance.to_bits();
            let mut first = 0;
            if k == 1 {
                found[0] = kept.least(*list);
            } else {
                kept.sort(simd, *list, found);
                first = usize::from(drop_own(&mut found[..len as usize], own));
            }
            let others = (len as usize).saturating_sub(usize::from(own != NO_KEY));
            let mut count = others.min(k);
            let found = &found[first..];
            let known = all || count == k && below(found[k - 1]);
            if !known {
                search.try_again(so_far, number);
                continue;
            }
            while all && count > 0 && !within(found[count - 1]) {
                count -= 1;
            }
            let begin = begin + first;
            so_far.end = begin + count;
            search.spans[number as usize] = [begin as u32, so_far.end as u32];
        }
        (kept.len, kept.end) = (0, 0);
    }
}

/// Removes the key `own` from keys in order, or, if it is the first key, leaves it there and
/// returns `true`.
#[inline(always)]
fn drop_own(keys: &mut [u64], own: u64) -> bool {
    if own == NO_KEY || keys.first() == Some(&own) {
        return own != NO_KEY;
    }
    for at in 1..keys.len() {
        if keys[at - 1] >= own {
            keys[at - 1] = keys[at];
        }
    }
    false
}

impl NearestItems<'_> {
    /// The boxes from `first` on of the first `len` boxes that are left: their places in the order,
    /// and their numbers. Lanes behind the last box repeat it.
    #[inline(always)]
    fn numbers(&self, first: usize, len: usize) -> [[u32; MAX_LANES]; 2] {
        let (mut numbers, mut rows) = ([0; MAX_LANES], [0; MAX_LANES]);
        for (lane, (number, row)) in numbers.iter_mut().zip(&mut rows).enumerate() {
            *number = self.left[(first + lane).min(len - 1)];
            *row = self.order[*number as usize];
        }
        [numbers, rows]
    }
}

/// The columns that the items of a grid need.
fn shape_of(grid: &Grid) -> u8 {
    match grid.form {
        LayoutKind::Circle => CIRCLES,
        LayoutKind::Box if grid.plan.levels().iter().all(Cells::is_of_points) => POINTS,
        _ => ROUNDED,
    }
}

impl Kernel for NearestItems<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(mut self, simd: S) {
        let (grid, boxes) = (self.grid, self.boxes);
        let (items, shape) = (ItemColumns::of(grid), shape_of(grid));
        let mut kept = NearItems::new(std::mem::take(&mut self.scratch));
        let groups = &mut [const { BoxGroup::NONE }; 2];
        let [mut group, mut next] = groups.each_mut();
        let (mut len, mut so_far) = (self.order.len(), SoFar::default());
        self.spans.fill(OPEN);
        for (number, left) in (0..).zip(&mut self.left[..len]) {
            *left = number;
        }
        for factor in ATTEMPTS {
            let attempt = Attempt::new(grid, false, self.k, self.max_distance, factor, FEW_ROWS);
            let Some(attempt) = attempt.filter(|_| len > 0) else { break };
            // The items of a group are prefetched before the group before it is searched.
            let [mut numbers, rows] = self.numbers(0, len);
            let (attempt, rows) = (&attempt, &rows);
            simd.call(FindPatches { grid, boxes, rows, attempt, group: next });
            for first in (0..len).step_by(MAX_LANES) {
                std::mem::swap(&mut group, &mut next);
                let own_numbers = numbers;
                if first + MAX_LANES < len {
                    let rows;
                    [numbers, rows] = self.numbers(first + MAX_LANES, len);
                    let (rows, group) = (&rows, &mut *next);
                    simd.call(FindPatches { grid, boxes, rows, attempt, group });
                }
                let round = group.sides[4] != [0.0; MAX_LANES];
                simd.call(SearchGroup {
                    search: &mut self,
                    items: &items,
                    group,
                    attempt,
                    kept: &mut kept,
                    numbers: &own_numbers[..MAX_LANES.min(len - first)],
                    so_far: &mut so_far,
                    shape: match shape {
                        POINTS if group.points && !round => POINTS,
                        CIRCLES if group.points => CIRCLES,
                        _ => ROUNDED,
                    },
                });
            }
            (len, so_far.again) = (so_far.again, 0);
        }
    }
}
