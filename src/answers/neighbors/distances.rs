//! Distances of axis-aligned shapes that are neighbours, many at a time.
//!
//! Each distance has the bits of [`box_distance`](crate::geometry::box_distance): the same
//! operations in `f64`. The shapes are first copied to columns, a block at a time, so that the
//! compiler makes vectors of these operations.

use crate::{
    base::{
        BLOCK_ROWS, Pair, TASK_LISTS, buffer::grow, gap, held, parallel::Divide, rounded_distance,
    },
    detect::NearPair,
    query::Neighbor,
    shape::RoundedBox,
    simd::{HALF_LANES, Isa, Kernel, Simd, dispatch_moves, map_each},
    store::Layout,
};

/// A column of a block: the bits of `f32` values.
type BlockColumn = [u32; BLOCK_ROWS + HALF_LANES];

/// A record for the shape of each row, to find a shape by one access to memory.
#[derive(Debug, Default)]
pub(crate) struct PairDistances {
    /// The sides of the core, the radius, and three words that mean nothing.
    records: Vec<[u32; 8]>,
}

held!(PairDistances { records });

impl PairDistances {
    /// Replaces the content of `near` by the pairs and their distances. `layout` has the shapes of
    /// `rows` rows.
    pub(crate) fn fill(
        &mut self,
        isa: Isa,
        layout: Layout<'_>,
        rows: usize,
        pairs: &[Pair],
        near: &mut Vec<NearPair>,
    ) {
        let Self { records } = self;
        near.truncate(pairs.len());
        grow(near, pairs.len());
        if pairs.is_empty() {
            return;
        }
        grow(records, rows);
        layout.each_rounded(rows, |row, shape| {
            let RoundedBox { min_x, min_y, max_x, max_y, radius } = shape;
            let [a, b, c, d, e] = map_each([min_x, min_y, max_x, max_y, radius], f32::to_bits);
            records[row] = [a, b, c, d, e, 0, 0, 0];
        });
        dispatch_moves(isa, FillPairs { records, pairs, near });
    }
}

struct FillPairs<'a> {
    records: &'a [[u32; 8]],
    pairs: &'a [Pair],
    near: &'a mut [NearPair],
}

impl Kernel for FillPairs<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let Self { records, pairs, near } = self;
        let [mut a, mut b]: [[BlockColumn; 5]; 2] = [[[0; BLOCK_ROWS + HALF_LANES]; 5]; 2];
        for (pairs, near) in pairs.chunks(BLOCK_ROWS).zip(near.chunks_mut(BLOCK_ROWS)) {
            for at in (0..pairs.len()).step_by(HALF_LANES) {
                // Behind the last pair, the last pair again.
                let pair = |lane: usize| pairs[(at + lane).min(pairs.len() - 1)];
                let group = map_each([0, 1, 2, 3, 4, 5, 6, 7], pair);
                to_columns(simd, map_each(group, |pair| &records[pair.a as usize]), at, &mut a);
                to_columns(simd, map_each(group, |pair| &records[pair.b as usize]), at, &mut b);
            }
            let len = pairs.len();
            let near = &mut near[..len];
            let [[a0, a1, a2, a3, a4], [b0, b1, b2, b3, b4]] =
                map_each([&a, &b], |columns| map_each(columns.each_ref(), |column| &column[..len]));
            for at in 0..len {
                let x = gap([wide(a0[at]), wide(a2[at])], [wide(b0[at]), wide(b2[at])]);
                let y = gap([wide(a1[at]), wide(a3[at])], [wide(b1[at]), wide(b3[at])]);
                let distance = rounded_distance([x, y], wide(a4[at]) + wide(b4[at])) as f32;
                near[at] = NearPair { pair: pairs[at], distance };
            }
        }
    }
}

/// Copies shapes to columns, from `at` on.
#[inline(always)]
fn to_columns<S: Simd>(
    simd: S,
    records: [&[u32; 8]; HALF_LANES],
    at: usize,
    columns: &mut [BlockColumn; 5],
) {
    let mut words = [[0; HALF_LANES]; HALF_LANES];
    simd.transpose(records, &mut words);
    for (column, words) in columns.iter_mut().zip(&words) {
        column[at..at + HALF_LANES].copy_from_slice(words);
    }
}

/// The bits of an `f32` as `f64`.
#[inline(always)]
fn wide(bits: u32) -> f64 {
    f64::from(f32::from_bits(bits))
}

/// Writes the distance of each item of some lists, and its row: of circles in the order of a grid,
/// each with a list of places.
pub(super) struct ListDistances<'a> {
    pub(super) isa: Isa,
    /// The centre, the radius and the row of the circle at each place.
    pub(super) circles: &'a [[u32; 4]],
    /// The circles that own the lists.
    pub(super) owners: &'a [[u32; 4]],
    /// The places of all lists, and at least [`HALF_LANES`] more of existing circles.
    pub(super) places: &'a [u32],
    /// Where the first list begins, and where each one ends.
    pub(super) begin: usize,
    pub(super) ends: &'a [u32],
    /// As many as the lists have together.
    pub(super) items: &'a mut [Neighbor],
}

impl Divide for ListDistances<'_> {
    fn tasks(&self) -> usize {
        self.ends.len().div_ceil(TASK_LISTS)
    }

    fn split(self, tasks: usize) -> (Self, Self) {
        let lists = tasks * TASK_LISTS;
        let (ends, rest_ends) = self.ends.split_at(lists);
        let (owners, rest_owners) = self.owners.split_at(lists);
        let middle = ends[lists - 1] as usize;
        let (items, rest_items) = self.items.split_at_mut(middle - self.begin);
        (
            Self { owners, ends, items, ..self },
            Self { owners: rest_owners, begin: middle, ends: rest_ends, items: rest_items, ..self },
        )
    }

    fn work(self) {
        dispatch_moves(self.isa, self);
    }
}

impl Kernel for ListDistances<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let Self { circles, owners, places, begin: first, ends, items, .. } = self;
        // The circle that owns the list of each item, and the circle of the item.
        let mut own: [BlockColumn; 3] = [[0; BLOCK_ROWS + HALF_LANES]; 3];
        let mut other: [BlockColumn; 4] = [[0; BLOCK_ROWS + HALF_LANES]; 4];
        let mut list = 0;
        for (block, items) in items.chunks_mut(BLOCK_ROWS).enumerate() {
            let (begin, len) = (first + block * BLOCK_ROWS, items.len());
            let mut at = 0;
            while at < len {
                let end = ends[list] as usize - begin;
                let until = len.min(end);
                // The first values without a branch on whether the list is empty.
                for (own, value) in own.iter_mut().zip(owners[list]) {
                    own[at..at + HALF_LANES].fill(value);
                }
                if until > at + HALF_LANES {
                    for (own, value) in own.iter_mut().zip(owners[list]) {
                        for from in (at + HALF_LANES..until).step_by(HALF_LANES) {
                            own[from..from + HALF_LANES].fill(value);
                        }
                    }
                }
                list += usize::from(until == end);
                at = until;
            }
            for at in (0..len).step_by(HALF_LANES) {
                let places = &places[begin + at..][..HALF_LANES];
                let [x, y, radius, rows] =
                    other.each_mut().map(|column| column[at..].first_chunk_mut::<HALF_LANES>());
                let records =
                    map_each([0, 1, 2, 3, 4, 5, 6, 7], |lane| &circles[places[lane] as usize]);
                let (Some(x), Some(y), Some(radius), Some(rows)) = (x, y, radius, rows) else {
                    break;
                };
                simd.transpose_four(records, [x, y, radius, rows]);
            }
            let items = &mut items[..len];
            let [own_x, own_y, own_radius] = map_each(own.each_ref(), |column| &column[..len]);
            let [x, y, radius, rows] = map_each(other.each_ref(), |column| &column[..len]);
            for at in 0..len {
                let gap = [wide(own_x[at]) - wide(x[at]), wide(own_y[at]) - wide(y[at])];
                let radii = wide(own_radius[at]) + wide(radius[at]);
                let distance = rounded_distance(gap, radii) as f32;
                items[at] = Neighbor { row: rows[at], distance };
            }
        }
    }
}

/// Writes what [`ListDistances`] writes, list by list. Faster for lists of [`ITEMS_OF_LONG_LIST`]
/// items.
///
/// An item is the row, the distance, and zeros up to `WORDS` words.
pub(super) struct LongListDistances<'a, const WORDS: usize> {
    /// As in [`ListDistances`].
    pub(super) circles: &'a [[u32; 4]],
    pub(super) places: &'a [u32],
    pub(super) ends: &'a [u32],
    /// Where the list of each row begins in the items. The lists of rows beyond it are left out.
    pub(super) starts: &'a [usize],
    pub(super) items: &'a mut [[u32; WORDS]],
}

/// Lists with this many items on average are measured list by list.
pub(super) const ITEMS_OF_LONG_LIST: usize = 4;

/// The prefetch distance, in lists. They go anywhere.
const LISTS_AHEAD: usize = 8;

impl<const WORDS: usize> Kernel for LongListDistances<'_, WORDS> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        const { assert!(WORDS == 2 || WORDS == 3) };
        let Self { circles, places, ends, starts, items } = self;
        let mut begin = 0;
        for (list, (own, &end)) in circles.iter().zip(ends).enumerate() {
            let end = end as usize;
            if let Some([.., row]) = circles.get(list + LISTS_AHEAD)
                && let Some(&start) = starts.get(*row as usize)
            {
                let len = (ends[list + LISTS_AHEAD] - ends[list + LISTS_AHEAD - 1]) as usize;
                let (mut line, end) = (start, start + len);
                // With a line of 64 bytes.
                while line < end {
                    simd.prefetch_at(items, line);
                    line += 16 / WORDS;
                }
                simd.prefetch_at(items, end);
            }
            let [x, y, radius, row] = *own;
            let Some(&(mut at)) = starts.get(row as usize) else {
                begin = end;
                continue;
            };
            let values = [wide(x), wide(y), wide(radius)];
            // The first values without a branch on whether the list is empty.
            loop {
                let len = (end - begin).min(HALF_LANES);
                let Some(rows) = places[begin..].first_chunk() else { return };
                let out = items[at..at + len].as_flattened_mut();
                if WORDS == 2 {
                    simd.circle_distances(values, circles, rows, out.as_chunks_mut().0);
                } else {
                    let mut two = [[0; 2]; HALF_LANES];
                    simd.circle_distances(values, circles, rows, &mut two);
                    simd.spread_first(bytemuck::cast_ref(&two), out.as_chunks_mut().0);
                }
                (begin, at) = (begin + len, at + len);
                if begin == end {
                    break;
                }
            }
        }
    }
}

/// The distance of two circles, as [`LongListDistances`] computes it.
pub(super) fn circle_distance([own, other]: [&[u32; 4]; 2]) -> f32 {
    let [x, y] = map_each([0, 1], |axis: usize| wide(own[axis]) - wide(other[axis]));
    rounded_distance([x, y], wide(own[2]) + wide(other[2])) as f32
}
