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
    pub(super) even: bool,
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
mod tests {
    //! Samples of scenes with a known area per item.

    use super::*;
    use crate::kernel::CircleColumns;

    /// A sample of circles of one size at these places, in a square of this side from the origin on.
    fn sample(places: &[[f32; 2]], size: f32, side: f64) -> Sample {
        sample_of_sizes(places, &vec![size; places.len()], side)
    }

    /// A sample of circles of these sizes.
    fn sample_of_sizes(places: &[[f32; 2]], sizes: &[f32], side: f64) -> Sample {
        let [x, y] =
            [0, 1].map(|axis| places.iter().map(|place| place[axis]).collect::<Vec<f32>>());
        let radius: Vec<f32> = sizes.iter().map(|size| size / 2.0).collect();
        let mut sample = Sample::default();
        let set = CircleColumns { x: &x, y: &y, radius: &radius };
        sample.take(set, places.len(), [0.0; 2], [side; 2]);
        sample
    }

    /// This many points in a square of side 1 that look random: multiples of two irrational numbers.
    fn scattered(count: usize) -> Vec<[f32; 2]> {
        let place =
            |row| [0.754_877_666, 0.569_840_29].map(|step: f64| (step * row as f64).fract());
        (0..count).map(|row| place(row).map(|at| at as f32)).collect()
    }

    fn is_even(places: &[[f32; 2]], side: f64) -> bool {
        sample(places, 0.0, side).even()
    }

    #[test]
    fn rows_are_different_ones() {
        // Counts so large that multiples of the golden ratio fall on different rows.
        for count in
            [300, 1000, 8192, 12_345, 100_000, 131_072, 1_000_003, 50_000_000, 4_000_000_000]
        {
            let wanted = EVEN_SAMPLE.of(count);
            let mut rows: Vec<usize> = (0..wanted as u64).map(|i| golden_row(i, count)).collect();
            rows.sort_unstable();
            rows.dedup();
            assert_eq!(rows.len(), wanted, "of {count}");
            assert!(
                rows[0] == 0 && rows[wanted - 1] < count && rows[wanted - 1] > count * 98 / 100
            );
        }
    }

    #[test]
    fn small_scenes_are_looked_at_whole() {
        for count in 1..=130 {
            let sample = sample(&scattered(count), 3.0, 1.0);
            let most = if sample.even() { EVEN_SAMPLE } else { UNEVEN_SAMPLE }.least;
            assert_eq!(sample.sums.len(), count.min(most));
            assert_eq!(sample.weight, count as f64 / sample.sums.len() as f64);
            assert_eq!((sample.quantile(0.0), sample.quantile(1.0)), (3.0, 3.0));
            assert_eq!([sample.sized(-1.0, 3.0), sample.sized(3.0, 9.0)], [count as f64, 0.0]);
        }
    }

    #[test]
    fn sizes_are_counted_from_above_a_limit_up_to_another() {
        let zero = [0.0; 8];
        let radius = [4.0, 0.0, 0.5, 1.0, 1.0, 2.0, 0.0, 8.0];
        let mut sample = Sample::default();
        sample.take(CircleColumns { x: &zero, y: &zero, radius: &radius }, 8, [0.0; 2], [1.0; 2]);
        let count = |above, upto| sample.sized(above, upto);
        assert_eq!(
            [count(-1.0, 0.0), count(0.0, 1.0), count(1.0, 4.0), count(4.0, 16.0)],
            [2.0, 1.0, 3.0, 2.0]
        );
        assert_eq!(
            [sample.quantile(0.3), sample.quantile(0.5), sample.quantile(1.0)],
            [1.0, 2.0, 16.0]
        );
        let largest =
            [0.0, 0.5, 1.0, 3.9, 4.0, 15.0, 16.0, 99.0].map(|upto| sample.largest_upto(upto));
        assert_eq!(largest, [0.0, 0.0, 1.0, 2.0, 4.0, 8.0, 16.0, 16.0]);
        sample.take(CircleColumns { x: &[0.0], y: &[0.0], radius: &[4.0] }, 1, [0.0; 2], [1.0; 2]);
        assert_eq!([7.9, 8.0].map(|upto| sample.largest_upto(upto)), [0.0, 8.0]);
    }

    #[test]
    fn even_is_what_fills_its_box() {
        assert!(is_even(&scattered(50), 1.0));
        for count in [300, 5000, 200_000] {
            assert!(is_even(&scattered(count), 1.0), "{count}");
            // Evenly spread in a quarter of the box, and in two corners of it.
            let quarter: Vec<[f32; 2]> =
                scattered(count).iter().map(|p| p.map(|at| at / 2.0)).collect();
            assert!(!is_even(&quarter, 1.0), "{count}");
            let corners = scattered(count).into_iter().enumerate();
            let corners: Vec<[f32; 2]> =
                corners.map(|(row, p)| p.map(|at| at / 10.0 + (row % 2) as f32 * 0.9)).collect();
            assert!(!is_even(&corners, 1.0), "{count}");
        }
        assert!(is_even(&[[0.5; 2]], 1.0));
        assert!(!is_even(&[[0.5; 2]; 2], 1.0));
        assert!(!is_even(&[[0.5; 2]; 1000], 1.0));
    }

    /// Items in a cell.
    const BODIES: f64 = 1.6;

    /// The area per item is measured to within a factor of 1.5, whatever else the scene contains.
    #[test]
    fn room_is_what_the_items_have() {
        let about = |places: &[[f32; 2]], side: f64, expected: f64| {
            let ratio = sample(places, 0.0, side).area(BODIES) / expected;
            assert!((0.66..1.5).contains(&ratio), "{} items: {ratio}", places.len());
        };
        for count in [300, 2000, 20_000, 300_000] {
            about(&scattered(count), 1.0, 1.0 / count as f64);
        }
        // 16 squares far apart, and one item very far away. (With fewer items, the sample is so small
        // that most of its parts have items of two squares.)
        for count in [20_000, 300_000] {
            let mut clusters = scattered(count);
            for (row, place) in clusters.iter_mut().enumerate() {
                *place = place.map(|at| at + (row % 16) as f32 * 1024.0);
            }
            about(&clusters, 16_384.0, 16.0 / count as f64);
            clusters[count / 2] = [1e18, -1e18];
            about(&clusters, 16_384.0, 16.0 / count as f64);
        }
    }

    /// Every second item is small and lies in a square of side 1. The other items are large and lie in
    /// a square of side 1000 elsewhere.
    #[test]
    fn area_of_sizes_is_what_they_have_among_themselves() {
        for count in [6000, 20_000, 300_000] {
            let large = |row: usize| row % 2 == 1;
            let places = scattered(count).into_iter().enumerate();
            let places: Vec<[f32; 2]> = places
                .map(|(row, p)| if large(row) { p.map(|at| at * 1000.0 + 5000.0) } else { p })
                .collect();
            let sizes: Vec<f32> =
                (0..count).map(|row| if large(row) { 9.0 } else { 1.0 }).collect();
            let mut sample = sample_of_sizes(&places, &sizes, 6000.0);
            let each = 2.0 / count as f64;
            for (above, upto, expected) in [(-1.0, 1.0, each), (1.0, 9.0, each * 1e6)] {
                let ratio = sample.area_of_sizes(above, upto, BODIES).unwrap() / expected;
                assert!((0.66..1.5).contains(&ratio), "{count} items, up to {upto}: {ratio}");
            }
            // Half of the items are small. By the area per item of all items, each small item would
            // seem to have four times the area that it has.
            let ratio = 2.0 * sample.area(BODIES) / each;
            assert!((2.6..6.0).contains(&ratio), "{count} items: {ratio}");
            for (above, upto) in [(-1.0, 0.9), (1.0, 8.9), (9.0, 99.0), (-1.0, 9.0)] {
                assert_eq!(sample.area_of_sizes(above, upto, BODIES), None, "{count} items");
            }
        }
    }

    /// Of 10,240 items in two corners, 320 are used. 64 items of one size are enough to tell, and 240
    /// items are three quarters.
    #[test]
    fn area_of_sizes_takes_some_but_not_nearly_all() {
        let places = scattered(10_240).into_iter().enumerate();
        let places: Vec<[f32; 2]> =
            places.map(|(row, p)| p.map(|at| at / 10.0 + (row % 2) as f32 * 0.9)).collect();
        for (small, some) in [(0, false), (63, false), (64, true), (239, true), (240, false)] {
            let mut sizes = vec![9.0; places.len()];
            for index in 0..small {
                sizes[golden_row(index, places.len())] = 1.0;
            }
            let mut sample = sample_of_sizes(&places, &sizes, 1.0);
            assert!(!sample.even());
            assert_eq!(
                sample.area_of_sizes(0.0, 1.0, BODIES).is_some(),
                some,
                "{small} small ones"
            );
        }
    }

    #[test]
    fn room_is_some_wherever_the_items_are() {
        for count in [1, 2, 3, 7, 8, 9, 17, 64, 129, 1000] {
            for place in [[0.0; 2], [1e18, -1e18]] {
                let area = sample(&vec![place; count], 1.0, 1.0).area(BODIES);
                assert!(area > 0.0 && area < 1e-90, "{count} at {place:?}: {area}");
            }
            let line: Vec<[f32; 2]> = (0..count).map(|row| [row as f32, 0.0]).collect();
            let area = sample(&line, 1.0, 1.0).area(BODIES);
            assert!(area > 0.0 && area < 1e-90, "{count} on a line: {area}");
        }
    }

    #[test]
    fn integers_in_the_order_of_values() {
        let values =
            [f32::MIN, -1e18, -2.0, -1.0, -1e-45, -0.0, 0.0, 1e-45, 1.0, 2.0, 1e18, f32::MAX];
        assert!(values.map(ordered).is_sorted_by(|a, b| a < b));
        for of in values {
            assert_eq!(value(ordered(of)).to_bits(), of.to_bits());
        }
    }

    /// The order of a stable sort, for any number of values, many of which are equal.
    #[test]
    fn few_are_sorted() {
        for count in 0..=MAX_VALUES_BY_RANK {
            for axis in [0, 1] {
                let sums: Vec<[i32; 2]> = (0..count as i32)
                    .map(|row| [row * 7 % 11 - 5, if row % 5 == 0 { i32::MAX } else { -row % 3 }])
                    .collect();
                let (mut sorted, mut expected) = (sums.clone(), sums);
                sort_few(&mut sorted, axis);
                expected.sort_by_key(|sum| sum[axis]);
                assert_eq!(sorted, expected);
            }
        }
    }

    /// Along a curve, a square with 1.6 items is 1.6 times as wide as the distance of items along
    /// each axis.
    #[test]
    fn room_along_a_curve_is_that_of_a_cell() {
        for count in [500_u32, 5000, 200_000] {
            let scattered = scattered(count as usize);
            let diagonal: Vec<_> = scattered.iter().map(|[at, _]| [at * count as f32; 2]).collect();
            let ratio = sample(&diagonal, 0.0, count as f64).area(BODIES) / BODIES;
            assert!((0.5..2.0).contains(&ratio), "{count}: {ratio}");
        }
    }
}
