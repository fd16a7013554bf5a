//! Distances of axis-aligned shapes that are neighbours, many at a time.
//!
//! Each distance has the bits of [`box_distance`](crate::geometry::box_distance): the same
//! operations in `f64`. The shapes are first copied to columns, a block at a time, so that the
//! compiler makes vectors of these operations.

use std::ops::Range;

use crate::{
    base::{BLOCK_ROWS, Pair, buffer::grow, gap, held, parallel::Divide, rounded_distance},
    detect::{NearPair, NearPairs},
    shape::RoundedBox,
    simd::{HALF_LANES, Isa, Kernel, Simd, dispatch_moves, dispatch_vectors, map_each},
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
    /// Replaces the content of `near` by the pairs, with their distances. `layout` has the shapes of
    /// `rows` rows.
    pub(crate) fn fill(
        &mut self,
        isa: Isa,
        layout: Layout<'_>,
        rows: usize,
        pairs: &[Pair],
        near: &mut NearPairs,
    ) {
        let Self { records } = self;
        near.clear();
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
    near: &'a mut NearPairs,
}

impl Kernel for FillPairs<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let Self { records, pairs, near } = self;
        let [mut a, mut b]: [[BlockColumn; 5]; 2] = [[[0; BLOCK_ROWS + HALF_LANES]; 5]; 2];
        let mut distances = [0.0; BLOCK_ROWS];
        for pairs in pairs.chunks(BLOCK_ROWS) {
            for at in (0..pairs.len()).step_by(HALF_LANES) {
                // Behind the last pair, the last pair again.
                let pair = |lane: usize| pairs[(at + lane).min(pairs.len() - 1)];
                let group = map_each([0, 1, 2, 3, 4, 5, 6, 7], pair);
                to_columns(simd, map_each(group, |pair| &records[pair.a as usize]), at, &mut a);
                to_columns(simd, map_each(group, |pair| &records[pair.b as usize]), at, &mut b);
            }
            let len = pairs.len();
            let distances = &mut distances[..len];
            let [[a0, a1, a2, a3, a4], [b0, b1, b2, b3, b4]] =
                map_each([&a, &b], |columns| map_each(columns.each_ref(), |column| &column[..len]));
            for at in 0..len {
                let x = gap([wide(a0[at]), wide(a2[at])], [wide(b0[at]), wide(b2[at])]);
                let y = gap([wide(a1[at]), wide(a3[at])], [wide(b1[at]), wide(b3[at])]);
                distances[at] = rounded_distance([x, y], wide(a4[at]) + wide(b4[at])) as f32;
            }
            for (&pair, &mut distance) in pairs.iter().zip(distances) {
                near.push(NearPair { pair, distance }, true);
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

/// Writes the items of some lists of circles, with distances, to the lists of their rows.
///
/// An item is the row, the distance, and zeros up to `WORDS` words.
pub(super) struct ListDistances<'a, const WORDS: usize> {
    pub(super) isa: Isa,
    /// The centre, the radius and the row of the circle at each place.
    pub(super) circles: &'a [[u32; 4]],
    /// The circles that own the lists.
    pub(super) owners: &'a [[u32; 4]],
    /// The places of all lists, and at least [`HALF_LANES`] more of existing circles.
    pub(super) places: &'a [u32],
    /// Where each list ends in the places.
    pub(super) ends: &'a [u32],
    /// Some rows, whose lists are written. The lists of other rows are left out.
    pub(super) rows: Range<usize>,
    /// The rows of a task. Each task goes over all lists.
    pub(super) task: usize,
    /// Where the list of each of these rows begins, and where the last one ends.
    pub(super) starts: &'a [usize],
    /// From the first of these lists on.
    pub(super) items: &'a mut [[u32; WORDS]],
}

/// The prefetch distance, in lists. They go anywhere.
const LISTS_AHEAD: usize = 8;

impl<const WORDS: usize> Divide for ListDistances<'_, WORDS> {
    fn tasks(&self) -> usize {
        self.rows.len().div_ceil(self.task)
    }

    fn split(self, tasks: usize) -> (Self, Self) {
        let len = tasks * self.task;
        let Range { start, end } = self.rows;
        let middle = self.starts[len] - self.starts[0];
        let (items, rest_items) = self.items.split_at_mut(middle);
        let starts = self.starts;
        let (first, rest) = (start..start + len, start + len..end);
        (
            Self { rows: first, starts: &starts[..=len], items, ..self },
            Self { rows: rest, starts: &starts[len..], items: rest_items, ..self },
        )
    }

    fn work(self) {
        dispatch_vectors(self.isa, self);
    }
}

impl<const WORDS: usize> Kernel for ListDistances<'_, WORDS> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        const { assert!(WORDS == 2 || WORDS == 3) };
        let Self { circles, owners, places, ends, rows, starts, items, .. } = self;
        let before = starts[0];
        let start = |row: u32| {
            let place = (row as usize).wrapping_sub(rows.start);
            (place < rows.len()).then(|| starts[place] - before)
        };
        let mut begin = 0;
        for (list, (own, &end)) in owners.iter().zip(ends).enumerate() {
            let end = end as usize;
            if let Some([.., row]) = owners.get(list + LISTS_AHEAD)
                && let Some(start) = start(*row)
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
            let Some(mut at) = start(row) else {
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

/// The distance of two circles, as [`ListDistances`] computes it.
pub(super) fn circle_distance([own, other]: [&[u32; 4]; 2]) -> f32 {
    let [x, y] = map_each([0, 1], |axis: usize| wide(own[axis]) - wide(other[axis]));
    rounded_distance([x, y], wide(own[2]) + wide(other[2])) as f32
}
