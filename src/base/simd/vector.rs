//! The vector operations that kernels are written in.

use super::map_each;
use crate::base::{Pair, rounded_distance};

/// The number of lanes of the widest vector. Padded columns have as many extra values as this.
pub(crate) const MAX_LANES: usize = 16;

/// The lanes of most levels, and half the lanes of the widest level.
pub(crate) const HALF_LANES: usize = MAX_LANES / 2;

/// A set of classes, numbered from 0 to 255. Class `c` is in the set if bit `31 - c / 8` of word
/// `c % 8` is set. So the lowest three bits of a class look its word up in a register, and a shift
/// by the other bits moves its bit to the sign.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ClassRow([u32; 8]);

impl ClassRow {
    pub(crate) const NONE: Self = Self([0; 8]);
    pub(crate) const ALL: Self = Self([u32::MAX; 8]);

    /// Adds a class, which is at most 255, if it is `met`.
    #[inline(always)]
    pub(crate) fn add(&mut self, class: usize, met: bool) {
        self.0[class % 8] |= u32::from(met) << (31 - class / 8);
    }

    /// The words.
    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    pub(super) fn words(&self) -> &[u32; 8] {
        &self.0
    }
}

/// An algorithm for any vector width. Its arguments are the fields.
pub(crate) trait Kernel {
    type Output;

    /// Runs the algorithm. Implementations are `#[inline(always)]`, and so are all functions that
    /// they call.
    fn run<S: Simd>(self, simd: S) -> Self::Output;
}

/// A token of one instruction set. A value of the type proves that the CPU has the instructions.
///
/// Every operation is IEEE-exact and gives the same result in each lane on every SIMD level. Fused
/// multiply-add and reciprocals are left out on purpose, because their rounding depends on the
/// level. Loads and stores check their bounds and panic beyond them. Kernels are arranged so that
/// the check is one predictable comparison for all columns of a set.
pub(crate) trait Simd: Copy + Send + Sync + 'static {
    /// The number of `f32` values in a vector; at most [`MAX_LANES`].
    const LANES: usize = size_of::<Self::F32>() / size_of::<f32>();
    /// Whether [`emit_pairs`](Simd::emit_pairs) is fast enough to be called without a branch on
    /// whether any lane hits.
    const COMPRESSES: bool;
    /// Whether [`emit_two`](Simd::emit_two) compresses the hits of both runs with one instruction.
    /// It then branches on the number of hits, unless its parameter `MANY` is set.
    const EMITS_TWO_AT_ONCE: bool = false;
    /// Whether [`prefetch`](Simd::prefetch) does anything.
    const PREFETCHES: bool = false;
    /// The token for short runs, which are mostly a few bodies long: a token of eight lanes if this
    /// token has sixteen, else this token.
    type Half: Simd + From<Self>;
    /// A vector of [`LANES`](Simd::LANES) values.
    type F32: Copy;
    /// One boolean per lane.
    type Mask: Copy;

    /// Runs `kernel` in a separate function, compiled for the SIMD level. Hot loops inside a kernel
    /// use it: in a function that holds nothing else, the values of the loop stay in registers.
    fn call<K: Kernel>(self, kernel: K) -> K::Output;

    /// The token for short runs.
    #[inline(always)]
    fn half(self) -> Self::Half {
        Self::Half::from(self)
    }

    /// `value` in every lane.
    fn splat(self, value: f32) -> Self::F32;
    /// `column[at..at + LANES]`.
    fn load(self, column: &[f32], at: usize) -> Self::F32;
    /// `column[rows[at + i]]` in lane `i`; panics if a row is beyond the column. Values are loaded
    /// one by one and combined in registers.
    fn gather(self, column: &[f32], rows: &[u32], at: usize) -> Self::F32;
    /// Writes `column[at..at + LANES]`.
    fn store(self, value: Self::F32, column: &mut [f32], at: usize);
    /// Writes `row * stride + column` to `cells[at..at + LANES]`, both truncated to integers first.
    /// Lanes of `row` and `column` must be in `0.0..2^31`. Beyond, the conversions of the SIMD
    /// levels differ, and the result of the lane is unspecified.
    fn store_cells(
        self,
        column: Self::F32,
        row: Self::F32,
        stride: u32,
        cells: &mut [u32],
        at: usize,
    );

    /// `a + b`.
    fn add(self, a: Self::F32, b: Self::F32) -> Self::F32;
    /// `a - b`.
    fn sub(self, a: Self::F32, b: Self::F32) -> Self::F32;
    /// `a * b`.
    fn mul(self, a: Self::F32, b: Self::F32) -> Self::F32;
    /// `a / b`.
    fn div(self, a: Self::F32, b: Self::F32) -> Self::F32;
    /// The square root; no lane of `a` may be below zero.
    fn sqrt(self, a: Self::F32) -> Self::F32;
    /// The larger value. The sign of `max(-0.0, 0.0)` and the result for NaN are unspecified: no
    /// decision depends on either.
    fn max(self, a: Self::F32, b: Self::F32) -> Self::F32;
    /// The smaller value. Zeros and NaN are unspecified as in [`max`](Simd::max).
    fn min(self, a: Self::F32, b: Self::F32) -> Self::F32;
    /// The absolute value.
    fn abs(self, a: Self::F32) -> Self::F32;
    /// The value with the opposite sign; the sign of a zero also changes.
    fn neg(self, a: Self::F32) -> Self::F32;
    /// `yes` in the lanes that are set, `no` in the other lanes.
    fn select(self, mask: Self::Mask, yes: Self::F32, no: Self::F32) -> Self::F32;

    /// `a <= b`; false where either is NaN.
    fn le(self, a: Self::F32, b: Self::F32) -> Self::Mask;
    /// `a < b`; false where either is NaN.
    fn lt(self, a: Self::F32, b: Self::F32) -> Self::Mask;
    /// Lanes set in both masks.
    fn and(self, a: Self::Mask, b: Self::Mask) -> Self::Mask;
    /// Lanes set in either.
    fn or(self, a: Self::Mask, b: Self::Mask) -> Self::Mask;
    /// Lanes that are not set.
    fn not(self, a: Self::Mask) -> Self::Mask;
    /// The mask as an integer: lane `i` is bit `i`, and the bits from `LANES` on are 0.
    fn bits(self, mask: Self::Mask) -> u32;

    /// The lanes `i` where `words[at + i]` and `word` have a bit in common, as an integer: lane `i`
    /// is bit `i`.
    #[inline(always)]
    fn common(self, words: &[u32], at: usize, word: u32) -> u32 {
        lanes_where(&words[at..at + Self::LANES], |other| other & word != 0)
    }

    /// The lanes `i` of `lanes` whose class `classes[at + i]` is in `row`, as an integer: lane `i`
    /// is bit `i`. Other bits may be set where all lanes are looked up at once.
    #[inline(always)]
    fn within(self, classes: &[u8], at: usize, row: &ClassRow, lanes: u32) -> u32 {
        let classes = &classes[at..at + Self::LANES];
        // Without a table look-up in a register, a look-up of few lanes is cheaper than of all
        // lanes.
        let (mut found, mut rest) = (0, lanes & ((1 << Self::LANES) - 1));
        while rest != 0 {
            let lane = rest.trailing_zeros();
            rest &= rest - 1;
            let class = classes[lane as usize];
            let word = row.0[usize::from(class % 8)];
            found |= (word << (class / 8) >> 31) << lane;
        }
        found
    }

    /// The lanes `i` where `words[at + i]` is `word`: lane `i` is bit `i`.
    #[inline(always)]
    fn equal(self, words: &[u32], at: usize, word: u32) -> u32 {
        lanes_where(&words[at..at + Self::LANES], |other| other == word)
    }

    /// The lanes `i` where `words[at + i]` is above `word`, as an integer: lane `i` is bit `i`.
    #[inline(always)]
    fn above(self, words: &[u32], at: usize, word: u32) -> u32 {
        lanes_where(&words[at..at + Self::LANES], |other| other > word)
    }

    /// Prefetches the cache line in which `value` begins. Does nothing if there is no instruction
    /// for it.
    #[inline(always)]
    fn prefetch<T>(self, _value: &T) {}

    /// Prefetches the cache line of `values[at]`, for writing on AVX2 and above. `at` may be out of
    /// bounds. Does nothing if there is no instruction for it.
    #[inline(always)]
    fn prefetch_at<T>(self, _values: &[T], _at: usize) {}

    /// Transposes records of four words to columns: word `k` of row `i` becomes word `i` of column
    /// `k`.
    fn transpose_four(self, rows: [&[u32; 4]; 8], columns: [&mut [u32; 8]; 4]);

    /// Transposes records of eight words to columns, or columns to records.
    #[inline(always)]
    fn transpose(self, rows: [&[u32; 8]; 8], columns: &mut [[u32; 8]; 8]) {
        let [a, b, c, d, e, f, g, h] = columns;
        self.transpose_four(map_each(rows, |row| &row.as_chunks().0[0]), [a, b, c, d]);
        self.transpose_four(map_each(rows, |row| &row.as_chunks().0[1]), [e, f, g, h]);
    }

    /// Transposes columns to records of sixteen words: word `i` of column `k` becomes word `k` of
    /// record `i`.
    #[inline(always)]
    fn records(self, columns: [&[u32; 8]; 16], records: &mut [[u32; 16]; 8]) {
        for (quarter, records) in records.as_chunks_mut::<4>().0.iter_mut().enumerate() {
            for (half, columns) in columns.as_chunks::<8>().0.iter().enumerate() {
                let rows = map_each(*columns, |column| &column.as_chunks().0[quarter]);
                let [a, b, c, d] = records;
                let [a, b] = [&mut a.as_chunks_mut().0[half], &mut b.as_chunks_mut().0[half]];
                let [c, d] = [&mut c.as_chunks_mut().0[half], &mut d.as_chunks_mut().0[half]];
                self.transpose_four(rows, [a, b, c, d]);
            }
        }
    }

    /// Writes the word of each of eight circles, given by their rows in `circles`, and its distance
    /// from another circle, whose centre and radius are `own`, as the bits of an `f32`. `out` has
    /// at most eight places, and is filled. Panics if a row is beyond the circles.
    ///
    /// A circle is the bits of the centre and the radius, and a word. A distance is computed in
    /// `f64`: the length of the difference of the centres less the sum of the radii, at least 0.
    #[inline(always)]
    fn circle_distances(
        self,
        own: [f64; 3],
        circles: &[[u32; 4]],
        rows: &[u32; 8],
        out: &mut [[u32; 2]],
    ) {
        let wide = |bits: u32| f64::from(f32::from_bits(bits));
        let mut columns = [[0; 8]; 4];
        let [x, y, radius, words] = &mut columns;
        let records = map_each(*rows, |row| &circles[row as usize]);
        self.transpose_four(records, [x, y, radius, words]);
        let mut distances = [0; 8];
        for lane in 0..8 {
            let (x, y) = (own[0] - wide(x[lane]), own[1] - wide(y[lane]));
            let distance = rounded_distance([x, y], own[2] + wide(radius[lane]));
            distances[lane] = (distance as f32).to_bits();
        }
        for (out, (word, distance)) in out.iter_mut().zip(words.iter().zip(distances)) {
            *out = [*word, distance];
        }
    }

    /// Writes a zero behind each two words.
    #[inline(always)]
    fn spread(self, words: &[u32; 16], out: &mut [u32; 24]) {
        for (two, three) in words.as_chunks::<2>().0.iter().zip(out.as_chunks_mut().0) {
            *three = [two[0], two[1], 0];
        }
    }

    /// [`spread`](Simd::spread) for the first words: as many twos as `out` has places, at most
    /// eight.
    #[inline(always)]
    fn spread_first(self, words: &[u32; 16], out: &mut [[u32; 3]]) {
        for (two, three) in words.as_chunks::<2>().0.iter().zip(out) {
            *three = [two[0], two[1], 0];
        }
    }

    /// For every set bit `i`, lowest first, writes the pair of `id` and `ids[i]` (smaller id first)
    /// to the front of `out`, and returns the number of pairs. Reads `LANES` ids and may overwrite
    /// `LANES` pairs, so both slices must have that many elements.
    #[inline(always)]
    fn emit_pairs(self, out: &mut [Pair], id: u32, ids: &[u32], bits: u32) -> usize {
        let ids = &ids[..Self::LANES];
        for (slot, bit) in out[..Self::LANES].iter_mut().zip(set_bits(u64::from(bits))) {
            *slot = ordered(id, ids[bit]);
        }
        bits.count_ones() as usize
    }

    /// Like [`emit_pairs`](Simd::emit_pairs) for two runs, one after the other. The lowest `LANES`
    /// bits belong to the first run, the next `LANES` bits to the second.
    ///
    /// `MANY` means that more than four pairs are common. It is then faster to write as many pairs
    /// as there may be than to branch on their number.
    #[inline(always)]
    fn emit_two<const MANY: bool>(
        self,
        out: &mut [Pair],
        at: usize,
        id: u32,
        ids: &[u32],
        from: [usize; 2],
        bits: u32,
    ) -> usize {
        let first = bits & ((1 << Self::LANES) - 1);
        let found = self.emit_pairs(&mut out[at..], id, &ids[from[0]..], first);
        let (room, second) = (&mut out[at + found..], bits >> Self::LANES);
        found + self.emit_pairs(room, id, &ids[from[1]..], second)
    }

    /// For every set bit `i`, lowest first, appends `ids[from + i]` at `out[at..]`, and returns the
    /// number of ids. Reads `LANES` ids and may overwrite `LANES` values, so both slices must have
    /// that many elements there.
    #[inline(always)]
    fn emit_ids(self, out: &mut [u32], at: usize, ids: &[u32], from: usize, bits: u32) -> usize {
        for (slot, bit) in out[at..at + Self::LANES].iter_mut().zip(set_bits(u64::from(bits))) {
            *slot = ids[from + bit];
        }
        bits.count_ones() as usize
    }
}

/// The lanes whose words pass a test, as an integer: lane `i` is bit `i`.
#[inline(always)]
fn lanes_where(words: &[u32], test: impl Fn(u32) -> bool) -> u32 {
    let mut lanes = 0;
    for (lane, word) in words.iter().enumerate() {
        lanes |= u32::from(test(*word)) << lane;
    }
    lanes
}

/// The positions of the set bits of `bits`, lowest first, for SIMD levels without a compress
/// instruction.
#[inline(always)]
pub(super) fn set_bits(mut bits: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        (bits != 0).then(|| {
            let lowest = bits.trailing_zeros() as usize;
            bits &= bits - 1;
            lowest
        })
    })
}

/// The pair of two ids, smaller first.
#[inline(always)]
pub(super) fn ordered(a: u32, b: u32) -> Pair {
    Pair { a: a.min(b), b: a.max(b) }
}

/// The function for the SIMD levels that every CPU has. Never inlined, like the kernels of other
/// levels: see [`Simd::call`].
#[inline(never)]
pub(super) fn run_plain<S: Simd, K: Kernel>(token: S, kernel: K) -> K::Output {
    kernel.run(token)
}
