//! The items within reach of some boxes, and their order.

use crate::{
    base::{F32_SLACK, WORD_ROWS, gap, rounded_distance},
    grid::{Grid, search::sink::first_bits},
    kernel::{BoxColumns, RoundedColumns},
    simd::{HALF_LANES, Kernel, MAX_LANES, Simd, map_each},
};

/// The shapes of boxes and items, by the columns that they need.
pub(super) const POINTS: u8 = 0;
pub(super) const CIRCLES: u8 = 1;
pub(super) const ROUNDED: u8 = 2;

/// The most items that are kept of a box.
pub(crate) const MAX_KEPT: usize = 64;

/// Distances are computed for this many items at once.
const DISTANCES_TOGETHER: usize = 32;

/// Words of a workspace for one box.
pub(crate) const SCRATCH_WORDS: usize = SCRATCH_COLUMNS * (MAX_KEPT + DISTANCES_TOGETHER);
const SCRATCH_COLUMNS: usize = 12;

/// The key of nothing.
pub(super) const NO_KEY: u64 = u64::MAX;

/// The items of a grid, as columns.
#[derive(Clone, Copy)]
pub(super) struct ItemColumns<'a> {
    /// Left, lower, right and upper sides of cores, and radii.
    pub(super) columns: [&'a [f32]; 5],
    /// These columns as bits, because they are compressed as words.
    pub(super) words: [&'a [u32]; 5],
    pub(super) ids: &'a [u32],
}

impl<'a> ItemColumns<'a> {
    pub(super) fn of(grid: &'a Grid) -> Self {
        let RoundedColumns { core, radius } = grid.view().rounded();
        let BoxColumns { min_x, min_y, max_x, max_y } = core;
        let columns = [min_x, min_y, max_x, max_y, radius];
        let words = map_each(columns, bytemuck::cast_slice);
        Self { columns, words, ids: grid.sorted.ids() }
    }
}

/// The items within reach of some boxes, one list after the other. Lists begin at multiples of
/// [`HALF_LANES`].
pub(super) struct NearItems<'a> {
    /// The columns of the items, and of the boxes, repeated for each item. As bits, because they
    /// are compressed as words.
    items: [&'a mut [u32]; 5],
    boxes: [&'a mut [u32]; 5],
    ids: &'a mut [u32],
    /// The bits of distances.
    distances: &'a mut [u32],
    pub(super) lists: [List; WORD_ROWS],
    /// The number of lists, and where the last one ends.
    pub(super) len: usize,
    pub(super) end: usize,
}

/// The items of a box.
#[derive(Clone, Copy)]
pub(super) struct List {
    pub(super) begin: u32,
    pub(super) len: u32,
    /// Where in the order the box is.
    pub(super) number: u32,
    /// All items that are nearer than this are in the list.
    pub(super) reach: f32,
    /// The key of the box itself if it is an item, or [`NO_KEY`].
    pub(super) own: u64,
}

impl<'a> NearItems<'a> {
    pub(super) fn new(scratch: &'a mut [u32]) -> Self {
        let len = scratch.len() / SCRATCH_COLUMNS;
        let mut columns = scratch.chunks_exact_mut(len);
        let mut column = || columns.next().unwrap_or_default();
        let items = std::array::from_fn(|_| column());
        let boxes = std::array::from_fn(|_| column());
        let none = List { begin: 0, len: 0, number: 0, reach: 0.0, own: NO_KEY };
        let (ids, distances) = (column(), column());
        Self { items, boxes, ids, distances, lists: [none; WORD_ROWS], len: 0, end: 0 }
    }

    /// Whether there is room for another list.
    #[inline(always)]
    pub(super) fn has_room(&self) -> bool {
        self.len < WORD_ROWS && self.end + MAX_KEPT + DISTANCES_TOGETHER <= self.ids.len()
    }

    /// Ends the list of a box.
    #[inline(always)]
    pub(super) fn end_list<const SHAPE: u8>(&mut self, own: [f32; 5], list: List) {
        let begin = list.begin as usize;
        // The lanes behind the last item are infinitely far away.
        self.items[0][self.end..self.end + HALF_LANES].fill(f32::INFINITY.to_bits());
        self.end = self.end.next_multiple_of(HALF_LANES);
        for &column in listed::<SHAPE>() {
            let blocks = self.boxes[column][begin..self.end].as_chunks_mut::<HALF_LANES>().0;
            for block in blocks {
                *block = [own[column].to_bits(); HALF_LANES];
            }
        }
        self.lists[self.len % WORD_ROWS] = list;
        self.len += 1;
    }

    /// Computes the distances of all items, by the operations of `distance_of_boxes`.
    ///
    /// A plain loop over arrays: compiled for a SIMD level, it becomes vector code.
    #[inline(always)]
    pub(super) fn decide<const SHAPE: u8>(&mut self) {
        let Self { items, boxes, distances, end, .. } = self;
        let items = map_each(items.each_ref(), |column| column.as_chunks::<DISTANCES_TOGETHER>().0);
        let boxes = map_each(boxes.each_ref(), |column| column.as_chunks::<DISTANCES_TOGETHER>().0);
        let distances = distances.as_chunks_mut::<DISTANCES_TOGETHER>().0;
        for chunk in 0..end.div_ceil(DISTANCES_TOGETHER) {
            let item = map_each(items, |column| &column[chunk]);
            let own = map_each(boxes, |column| &column[chunk]);
            let mut out = [0; DISTANCES_TOGETHER];
            for lane in 0..DISTANCES_TOGETHER {
                let wide = |word: u32| f64::from(f32::from_bits(word));
                let apart = |axis: usize| {
                    let [own, item] = map_each([own, item], |sides| {
                        [wide(sides[axis][lane]), wide(sides[axis + 2][lane])]
                    });
                    gap(own, item)
                };
                let [x, y] = if SHAPE == ROUNDED {
                    [apart(0), apart(1)]
                } else {
                    // Squares do not tell in which direction a point is.
                    map_each([0, 1], |axis| wide(item[axis][lane]) - wide(own[axis][lane]))
                };
                let distance = if SHAPE == POINTS {
                    (x * x + y * y).sqrt()
                } else {
                    rounded_distance([x, y], wide(own[4][lane]) + wide(item[4][lane]))
                };
                out[lane] = (distance as f32).to_bits();
            }
            distances[chunk] = out;
        }
    }

    /// The least key of a list except `own`, if there is another key.
    #[inline(always)]
    pub(super) fn least(&self, List { begin, len, own, .. }: List) -> u64 {
        let range = begin as usize..(begin + len).next_multiple_of(HALF_LANES as u32) as usize;
        least_key(&self.distances[range.clone()], &self.ids[range], own)
    }

    /// Writes the keys of a list in order.
    #[inline(always)]
    pub(super) fn sort<S: Simd>(&self, simd: S, list: List, found: &mut [u64; MAX_KEPT]) {
        let (begin, len) = (list.begin as usize, list.len as usize);
        let (distances, ids) = (&self.distances[begin..], &self.ids[begin..]);
        simd.call(SortKeys { distances, ids, len, found });
    }
}

/// The key of an item, by the bits of its distance.
#[inline(always)]
pub(super) fn key_of(distance: u32, id: u32) -> u64 {
    u64::from(distance) << 32 | u64::from(!id)
}

/// The least key but `own` of whole blocks of items.
#[inline(always)]
pub(super) fn least_key(distances: &[u32], ids: &[u32], own: u64) -> u64 {
    let [distances, ids] = map_each([distances, ids], |words| words.as_chunks::<HALF_LANES>().0);
    let mut least = [NO_KEY; HALF_LANES];
    for (distances, ids) in distances.iter().zip(ids) {
        for lane in 0..HALF_LANES {
            let key = key_of(distances[lane], ids[lane]);
            let key = if key == own { NO_KEY } else { key };
            least[lane] = if key < least[lane] { key } else { least[lane] };
        }
    }
    least.iter().fold(NO_KEY, |least, key| if *key < least { *key } else { least })
}

/// Writes the keys of the first `len` items, at most [`MAX_KEPT`], in order, by the bits of their
/// distances. The columns have values behind these items, up to [`MAX_KEPT`]. Called, not inlined:
/// it is much code for a short list.
pub(super) struct SortKeys<'a> {
    pub(super) distances: &'a [u32],
    pub(super) ids: &'a [u32],
    pub(super) len: usize,
    pub(super) found: &'a mut [u64; MAX_KEPT],
}

impl Kernel for SortKeys<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(mut self, simd: S) {
        match self.len {
            0 => {}
            1..=16 => self.sort_among::<S, 16>(simd),
            17..=32 => self.sort_among::<S, 32>(simd),
            _ => self.sort_among::<S, MAX_KEPT>(simd),
        }
    }
}

impl SortKeys<'_> {
    /// Sorts up to `MOST` items, at least one: the rank of an item is the number of distances below
    /// its own.
    #[inline(always)]
    fn sort_among<S: Simd, const MOST: usize>(&mut self, simd: S) {
        let Self { distances, ids, len, ref mut found } = *self;
        let all: &[f32] = bytemuck::cast_slice(&distances[..MOST]);
        let (mut sum, lanes) = (0, u64::MAX >> (MAX_KEPT - len));
        for (id, distance) in ids[..len].iter().zip(all) {
            let mut below = 0;
            for at in (0..MOST).step_by(S::LANES) {
                let lower = simd.lt(simd.load(all, at), simd.splat(*distance));
                below |= u64::from(simd.bits(lower)) << at;
            }
            let rank = (below & lanes).count_ones() as usize;
            sum += rank;
            found[rank % MAX_KEPT] = key_of(distance.to_bits(), *id);
        }
        // Items at the same distance have the same rank.
        if sum != len * (len - 1) / 2 {
            self.sort_ties::<S, MOST>(simd);
        }
    }

    /// Sorts items, some at the same distance.
    #[inline(always)]
    fn sort_ties<S: Simd, const MOST: usize>(&mut self, simd: S) {
        let Self { distances, ids, len, ref mut found } = *self;
        let all: &[f32] = bytemuck::cast_slice(&distances[..MOST]);
        let lanes = u64::MAX >> (MAX_KEPT - len);
        for (id, distance) in ids[..len].iter().zip(all) {
            let mut below = 0;
            for at in (0..MOST).step_by(S::LANES) {
                let (others, own) = (simd.load(all, at), simd.splat(*distance));
                let [lower, ties] =
                    [simd.bits(simd.lt(others, own)), simd.bits(simd.le(others, own))];
                // Ids have the bits of rows inverted.
                below |= u64::from(lower | ties & simd.above(ids, at, *id)) << at;
            }
            let rank = (below & lanes).count_ones() as usize;
            found[rank % MAX_KEPT] = key_of(distance.to_bits(), *id);
        }
    }
}

/// The columns that items of a shape need.
#[inline(always)]
fn listed<const SHAPE: u8>() -> &'static [usize] {
    match SHAPE {
        POINTS => &[0, 1],
        CIRCLES => &[0, 1, 4],
        _ => &[0, 1, 2, 3, 4],
    }
}

/// An upper bound of the computed squared distance of the core of an item that is this far away,
/// radii included.
#[inline(always)]
pub(super) fn square_limit<S: Simd>(simd: S, far: S::F32) -> S::F32 {
    // A factor for the roundings of both sides, and a term for underflow: see docs/numerics.md,
    // "Nearest".
    let square = simd.mul(simd.mul(far, far), simd.splat(1.0 + 4.0 * F32_SLACK as f32));
    simd.add(square, simd.splat(f32::MIN_POSITIVE))
}

/// Keeps the items of some runs that are within reach. Stops if there are too many.
#[inline(always)]
pub(super) fn keep_near<S: Simd, const SHAPE: u8>(
    simd: S,
    items: &ItemColumns<'_>,
    runs: &[[u32; 2]],
    own: [f32; 5],
    reach: f32,
    kept: &mut NearItems<'_>,
) {
    let [min_x, min_y, max_x, max_y, radius] = map_each(own, |side| simd.splat(side));
    let zero = simd.splat(0.0);
    let far = simd.add(simd.splat(reach), radius);
    let limit = square_limit(simd, far);
    let (columns, words, item_ids) = (items.columns, items.words, items.ids);
    let kept_words = kept.items.each_mut().map(|column| &mut **column);
    let mut out = Out { words: kept_words, ids: kept.ids, end: kept.end };
    let most = out.end + MAX_KEPT;
    for &[start, end] in runs {
        let (mut at, end) = (start as usize, end as usize);
        while at < end {
            let mut bits = 0;
            for part in (0..MAX_LANES).step_by(S::LANES) {
                let load = |column: usize| simd.load(columns[column], at + part);
                let (x, y) = if SHAPE == ROUNDED {
                    let left = simd.sub(load(0), max_x);
                    let right = simd.sub(min_x, load(2));
                    let below = simd.sub(load(1), max_y);
                    let above = simd.sub(min_y, load(3));
                    let x = simd.max(simd.max(left, right), zero);
                    (x, simd.max(simd.max(below, above), zero))
                } else {
                    (simd.sub(load(0), min_x), simd.sub(load(1), min_y))
                };
                let square = simd.add(simd.mul(x, x), simd.mul(y, y));
                let limit = if SHAPE == POINTS {
                    limit
                } else {
                    square_limit(simd, simd.add(far, load(4)))
                };
                bits |= simd.bits(simd.le(square, limit)) << part;
            }
            bits &= first_bits((end - at).min(MAX_LANES));
            out.take::<S, SHAPE>(simd, words, item_ids, at, bits);
            at += MAX_LANES;
            if out.end > most {
                break;
            }
        }
        if out.end > most {
            break;
        }
    }
    kept.end = out.end;
}

/// Where items are kept.
struct Out<'a> {
    words: [&'a mut [u32]; 5],
    ids: &'a mut [u32],
    end: usize,
}

impl Out<'_> {
    /// Appends the items from place `at` on whose bits are set, in the columns of `SHAPE`.
    #[inline(always)]
    fn take<S: Simd, const SHAPE: u8>(
        &mut self,
        simd: S,
        words: [&[u32]; 5],
        item_ids: &[u32],
        at: usize,
        mut bits: u32,
    ) {
        let Self { words: out, ids, end } = self;
        if S::COMPRESSES {
            for part in (0..MAX_LANES).step_by(S::LANES) {
                let bits = bits >> part & first_bits(S::LANES);
                for &column in listed::<SHAPE>() {
                    simd.emit_ids(out[column], *end, words[column], at + part, bits);
                }
                *end += simd.emit_ids(ids, *end, item_ids, at + part, bits);
            }
            return;
        }
        while bits != 0 {
            let place = at + bits.trailing_zeros() as usize;
            for &column in listed::<SHAPE>() {
                out[column][*end] = words[column][place];
            }
            ids[*end] = item_ids[place];
            *end += 1;
            bits &= bits - 1;
        }
    }
}
