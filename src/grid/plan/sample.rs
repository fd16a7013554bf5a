//! A sample of a few hundred items: how large all items are, and how crowded it is around them.

use super::cells::Cells;
use crate::{
    base::{
        Portion,
        order::{ordered, select_along, select_f64, sort_f32, value},
    },
    kernel::{ColumnSet, Items},
    simd::{Scalar, Simd, map_each},
};

/// The items in the sample of an even scene. A class of sizes that the sample of `n` items misses
/// has fewer than about `n / most` items. At worst, it costs a test of each of these items against
/// each other. A sample of fewer than the least items could not tell chance from crowding.
const EVEN_SAMPLE: Portion = Portion { one_of: 64, least: 1 << 7, most: 1 << 11 };

/// The items in the sample of an uneven scene: enough for some parts of [`MAX_ITEMS_PER_PART`]
/// items in each of a few clusters.
const UNEVEN_SAMPLE: Portion = Portion { one_of: 16, least: 1 << 8, most: EVEN_SAMPLE.most };

/// The items that [`Sample::area`] uses. Sizes need a larger sample, because some sizes may be
/// rare.
const MEASURED_SAMPLE: Portion = Portion { one_of: 32, least: UNEVEN_SAMPLE.least, most: 1 << 10 };

/// The most items in a part, the smallest unit of [`Sample::area`].
const MAX_ITEMS_PER_PART: usize = 8;

/// The most crowded parts count as at most this many times as crowded as the part of rank
/// [`CROWDED_RANK`]. A few coincident items must not make the cells of all others tiny.
pub(in crate::grid) const MAX_CROWDING: f64 = (1 << 12) as f64;

/// The rank of the part that the most crowded parts are compared with. It is above the median: in a
/// sample of clusters far apart, most parts may have items of two clusters, and such parts look
/// nearly empty.
const CROWDED_RANK: f64 = 0.75;

/// A sample of the items, chosen by row numbers alone, so that equal input gives an equal sample.
#[derive(Debug, Default)]
pub(crate) struct Sample {
    /// `min + max` of each core along x and y, in the order in which the items were drawn.
    sums: Vec<[f32; 2]>,
    /// Workspace of [`area`](Sample::area): the sums as [`ordered`] integers, in an order of their
    /// own.
    parts: Vec<[i32; 2]>,
    /// The larger of width and height of each item, radius included, in the order of `sums`.
    drawn_sizes: Vec<f32>,
    /// The sizes, ascending.
    sizes: Vec<f32>,
    /// Workspace of [`area`](Sample::area): how crowded each part is.
    crowding: Vec<f64>,
    /// Workspace of [`area`](Sample::area): the area of the box of two parts over the sum of the
    /// areas of their own boxes.
    growth: Vec<f64>,
    /// Workspace of [`choose_helix`](Cells::choose_helix): the first item in each square.
    squares: Vec<u32>,
    /// The number of items over the number in the sample.
    weight: f64,
    /// Whether the items are spread evenly.
    even: bool,
}

impl Sample {
    /// Takes a sample of the `count` items of `set` (at least one). Their centres, as sums
    /// `min + max`, lie in a box that begins at `sum_min`; `span` is its width and height in units
    /// of length.
    pub(super) fn take<C: ColumnSet>(
        &mut self,
        set: C,
        count: usize,
        sum_min: [f32; 2],
        span: [f64; 2],
    ) {
        let [wanted, wanted_if_uneven] = rows_drawn(count);
        self.draw(set, count, wanted);
        self.even = self.is_even(sum_min, span);
        if !self.even {
            self.draw(set, count, wanted_if_uneven);
        }
    }

    /// Draws `wanted` of the `count` items of `set`. Not inlined, because it is called twice.
    #[inline(never)]
    fn draw<C: ColumnSet>(&mut self, set: C, count: usize, wanted: usize) {
        self.sums.clear();
        self.drawn_sizes.clear();
        for index in 0..wanted as u64 {
            let row = if wanted == count { index as usize } else { golden_row(index, count) };
            let item = set.splat(Scalar, row);
            self.sums.push([item.min_x() + item.max_x(), item.min_y() + item.max_y()]);
            self.drawn_sizes.push(size(Scalar, item));
        }
        self.rank(count as f64 / wanted as f64);
    }

    /// Sorts the sizes of the items drawn. Not generic, so it is compiled once.
    fn rank(&mut self, weight: f64) {
        self.sizes.clone_from(&self.drawn_sizes);
        sort_f32(&mut self.sizes);
        self.weight = weight;
    }

    /// Takes no items, and supposes that they are spread evenly.
    pub(super) fn take_even(&mut self) {
        self.even = true;
    }

    /// Whether the items are spread evenly over the box of their centres.
    pub(super) fn even(&self) -> bool {
        self.even
    }

    /// The approximate size that a `share` of the items do not exceed.
    pub(super) fn quantile(&self, share: f64) -> f32 {
        let last = self.sizes.len() - 1;
        self.sizes[(share * last as f64) as usize]
    }

    /// The approximate number of items of a size in `above < size <= upto`.
    pub(super) fn sized(&self, above: f32, upto: f32) -> f64 {
        let [above, upto] =
            map_each([above, upto], |limit| self.sizes.partition_point(|&s| s <= limit));
        (upto - above) as f64 * self.weight
    }

    /// The largest sampled size that is at most `upto`; 0 if there is no such size.
    pub(super) fn largest_upto(&self, upto: f32) -> f32 {
        let upto = self.sizes.partition_point(|&size| size <= upto);
        self.sizes[..upto].last().copied().unwrap_or(0.0)
    }

    /// Whether items lie about as close together as they would if spread evenly over the box of
    /// their centres, which begins at `sum_min` (as sums) and has the width and height `span`.
    ///
    /// In plain words: divide the box into 256 bins and count the pairs of items that share a bin.
    /// Evenly spread items have `m (m - 1) / 2 / 256` such pairs; the limit is twice that.
    #[inline(never)]
    fn is_even(&self, sum_min: [f32; 2], span: [f64; 2]) -> bool {
        const BINS: f64 = 256.0;
        let across = (BINS * span[0] / span[1]).sqrt().clamp(1.0, BINS) as usize;
        let bins = [across, BINS as usize / across];
        let mut items = [0_u32; BINS as usize];
        for sum in &self.sums {
            let [column, row] = map_each([0, 1], |axis| {
                let place = (f64::from(sum[axis]) - f64::from(sum_min[axis])) / (2.0 * span[axis]);
                ((place * bins[axis] as f64) as usize).min(bins[axis] - 1)
            });
            items[row * bins[0] + column] += 1;
        }
        let count = self.sums.len() as f64;
        let shared: f64 = items.iter().map(|&n| f64::from(n) * (f64::from(n) - 1.0)).sum();
        shared <= 2.0 * count * (count - 1.0) / (bins[0] * bins[1]) as f64
    }

    /// The area per item where the items are, in units of length squared, at the scale of a cell
    /// for this many `items`.
    ///
    /// In plain words: halve the items at the median of the longer side of their box, again and
    /// again, until a part has at most [`MAX_ITEMS_PER_PART`] items. The box of a part shows how
    /// crowded it is there, and the mean over the parts is the area that items see on average. No
    /// part depends on where the other parts are, so clusters may be at any distance from each
    /// other. (The parts are the parts of a k-d tree: Bentley, Multidimensional binary search trees
    /// used for associative searching, 1975.)
    ///
    /// A cell is much smaller than a part. Items that fill the plane are as crowded in a cell as
    /// in a part. Items along a curve are not: a box half as wide holds half of them, not a
    /// quarter. The growth of the box from one part to two tells the two cases apart.
    pub(super) fn area(&mut self, items: f64) -> f64 {
        let looked_at = self.looked_at(MEASURED_SAMPLE);
        self.parts.clear();
        self.parts.extend(self.sums[..looked_at].iter().map(|sum| map_each(*sum, ordered)));
        self.area_of_parts(items, self.weight_of(looked_at))
    }

    /// The area per item among the items of a size in `above < size <= upto`. `None` if the sample
    /// has too few such items to tell, or so many that the area per item of all items applies.
    pub(super) fn area_of_sizes(&mut self, above: f32, upto: f32, items: f64) -> Option<f64> {
        let looked_at = self.looked_at(Portion { least: 1, ..MEASURED_SAMPLE });
        let drawn = self.sums.iter().zip(&self.drawn_sizes).take(looked_at);
        let of_size = drawn.filter(|(_, size)| above < **size && **size <= upto);
        self.parts.clear();
        self.parts.extend(of_size.map(|(sum, _)| sum.map(ordered)));
        // Eight parts show how crowded the items are.
        let some = 8 * MAX_ITEMS_PER_PART..looked_at - looked_at / 4;
        let weight = self.weight_of(looked_at);
        some.contains(&self.parts.len()).then(|| self.area_of_parts(items, weight))
    }

    /// The area per item among some items of one cell, given by their `sums`; each stands for
    /// `weight` items. `None` if they lie so close together that a cell of the size `least` would
    /// hold them, too.
    pub(in crate::grid) fn area_of_some(
        &mut self,
        sums: &[[f32; 2]],
        weight: f64,
        least: [f64; 2],
        items: f64,
    ) -> Option<f64> {
        self.parts.clear();
        self.parts.extend(sums.iter().map(|sum| map_each(*sum, ordered)));
        let [low, high] = corners(&self.parts);
        let wider = |axis: usize| (high[axis] - low[axis]) / 2.0 > least[axis];
        (wider(0) || wider(1)).then(|| self.area_of_parts(items, weight))
    }

    /// How many sampled items are used to measure the area per item: a portion of all items, if the
    /// sample has as many.
    fn looked_at(&self, portion: Portion) -> usize {
        let count = self.weight * self.sums.len() as f64;
        portion.of(count as usize).min(self.sums.len())
    }

    /// The number of items that each of the first `seen` of the sample stands for.
    fn weight_of(&self, seen: usize) -> f64 {
        self.weight * self.sums.len() as f64 / seen as f64
    }

    /// The area per item of the items in `parts`, each of which stands for `weight` items. Leaves
    /// `parts` in an unspecified order, which must not affect later decisions.
    fn area_of_parts(&mut self, items: f64, weight: f64) -> f64 {
        self.crowding.clear();
        self.growth.clear();
        halve(&mut self.parts, &mut self.crowding, &mut self.growth);
        let along_curves = self.growth.len() >= 4 && ranked(&mut self.growth, 0.5) > PLANE_GROWTH;
        let most = ranked(&mut self.crowding, CROWDED_RANK) * MAX_CROWDING;
        let sum: f64 = self.crowding.iter().map(|crowding| crowding.min(most)).sum();
        let mean = sum / self.crowding.len() as f64;
        let area = 1.0 / (mean * weight);
        if along_curves { area * items / (MAX_ITEMS_PER_PART as f64 * weight) } else { area }
    }

    /// Chooses a helix for helical `cells` of this many items, so that distant points of the sample
    /// rarely share a cell. Items of all levels are used, not only of this level.
    pub(super) fn helix(&mut self, cells: &mut Cells, items: usize) {
        cells.choose_helix(&self.sums, items, &mut self.squares);
    }

    /// Bytes held.
    pub(crate) fn bytes(&self) -> usize {
        (self.sums.capacity() + self.parts.capacity()) * size_of::<[f32; 2]>()
            + (self.drawn_sizes.capacity() + self.sizes.capacity()) * size_of::<f32>()
            + (self.crowding.capacity() + self.growth.capacity()) * size_of::<f64>()
            + self.squares.capacity() * size_of::<u32>()
    }
}

/// The number of items in a sample of `count`: if they are spread evenly, and if they are not.
pub(in crate::grid) fn rows_drawn(count: usize) -> [usize; 2] {
    map_each([EVEN_SAMPLE, UNEVEN_SAMPLE], |portion| portion.of(count).min(count))
}

/// A row below `count`, different for each `index`. Multiples of the golden ratio fill an interval
/// evenly. Unlike a fixed step, they have no period that could coincide with a period of the input
/// (such as every hundredth item being large).
pub(in crate::grid) fn golden_row(index: u64, count: usize) -> usize {
    let fraction = index.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    ((u128::from(fraction) * count as u128) >> 64) as usize
}

/// The larger of width and height, radius included. It is computed by the same operations as the
/// extent of all shapes, so that sizes compare with the largest one bit for bit.
#[inline(always)]
pub(in crate::grid) fn size<S: Simd, B: Items<S>>(simd: S, items: B) -> S::F32 {
    let diameter = simd.add(items.radius(simd), items.radius(simd));
    let width = simd.add(simd.sub(items.max_x(), items.min_x()), diameter);
    let height = simd.add(simd.sub(items.max_y(), items.min_y()), diameter);
    simd.max(width, height)
}

/// The largest growth of a box that is filled evenly. The box of two parts is 1.3 times as large as
/// their two boxes on average, because the box of few items is smaller than the area that they
/// fill. Along a line it is 2.6 times as large.
const PLANE_GROWTH: f64 = 1.9;

/// The value at the rank `share`, a fraction below 1 of the number of values. Reorders `values`.
fn ranked(values: &mut [f64], share: f64) -> f64 {
    let rank = (values.len() as f64 * share) as usize;
    select_f64(values, rank);
    values[rank]
}

/// Splits `sums`, which are [`ordered`], into parts. Appends the items per area of each part to
/// `crowding`. For each box that consists of two parts, appends the ratio of its area to the sum of
/// theirs to `growth`. Returns the area of the box, and whether it is a part itself.
fn halve(sums: &mut [[i32; 2]], crowding: &mut Vec<f64>, growth: &mut Vec<f64>) -> (f64, bool) {
    /// The least area of a part; keeps all quotients finite for coincident items.
    const SMALLEST_AREA: f64 = 1e-100;
    let [low, high] = corners(sums);
    // Sums are twice the centres.
    let sides = map_each([0, 1], |axis| (high[axis] - low[axis]) / 2.0);
    let area = (sides[0] * sides[1]).max(SMALLEST_AREA);
    if sums.len() <= MAX_ITEMS_PER_PART {
        // The reciprocal width of the box of k evenly spread items is, on average, k / (k - 2)
        // times the reciprocal width of the interval that they fill.
        let items = sums.len() as f64;
        let fill = items / (items - 2.0).max(0.5);
        crowding.push(items / (area * fill * fill));
        return (area, true);
    }
    let longer = usize::from(sides[1] > sides[0]);
    let middle = sums.len() / 2;
    if sums.len() > MAX_VALUES_BY_RANK {
        select_along(sums, middle, longer);
    } else {
        sort_few(sums, longer);
    }
    let (first, rest) = sums.split_at_mut(middle);
    let (first, is_part) = halve(first, crowding, growth);
    let (rest, _) = halve(rest, crowding, growth);
    if is_part {
        growth.push(area / (first + rest));
    }
    (area, false)
}

/// The least and the largest values of `sums`, which are [`ordered`], along each axis.
fn corners(sums: &[[i32; 2]]) -> [[f64; 2]; 2] {
    let mut low = [i32::MAX; 2];
    let mut high = [i32::MIN; 2];
    for sum in sums {
        for axis in [0, 1] {
            low[axis] = low[axis].min(sum[axis]);
            high[axis] = high[axis].max(sum[axis]);
        }
    }
    map_each([low, high], |corner| map_each(corner, |side| f64::from(value(side))))
}

/// Up to this many values are sorted by rank: counting for each value how many come before it takes
/// no branch.
const MAX_VALUES_BY_RANK: usize = 32;

/// Sorts along `axis`. The sort is stable.
fn sort_few(sums: &mut [[i32; 2]], axis: usize) {
    let mut keys = [i32::MAX; MAX_VALUES_BY_RANK];
    for (key, sum) in keys.iter_mut().zip(&*sums) {
        *key = sum[axis];
    }
    let mut sorted = [[0; 2]; MAX_VALUES_BY_RANK];
    for (i, sum) in (0..).zip(&*sums) {
        let own = sum[axis];
        let mut before = 0;
        for (j, &key) in (0_i32..).zip(&keys) {
            before += i32::from((key < own) | ((key == own) & (j < i)));
        }
        sorted[before as usize % MAX_VALUES_BY_RANK] = *sum;
    }
    sums.copy_from_slice(&sorted[..sums.len()]);
}

#[cfg(test)]
mod tests;
