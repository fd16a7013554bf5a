//! The output of searches: pairs in a buffer, or their number.

use crate::{
    base::Pair,
    filter::{LaneTest, MeetingFilter, MetClasses},
    kernel::grown::ask,
    simd::{Kernel, MAX_LANES, Simd, map_each},
};

/// A block of items that have been tested and whose pairs have not been written yet.
#[repr(align(64))]
pub(crate) struct HitBlock {
    /// The number of items. From `len` to the next multiple of four, `hits` are 0.
    pub(super) len: usize,
    /// The hits of each item: hits in its first range from bit 0 on, hits in its second range from
    /// bit `LANES` on. Where ranges of the sweep may have two vectors, the hits in the second
    /// vector of the second range follow, and the hits in the second vector of the first range
    /// begin at bit [`FAR_AFTER`].
    pub(super) hits: [u32; BLOCK],
    /// The places where the two ranges of each item begin. In a sweep, the first range is the items
    /// behind it in its cell and the next cell; the second range is three cells of the next row.
    pub(super) from: [[u32; 2]; BLOCK],
    /// Whether there may be hits of grown items that do not surely touch.
    pub(super) open: bool,
}

impl Default for HitBlock {
    fn default() -> Self {
        Self { len: 0, hits: [0; BLOCK], from: [[0; 2]; BLOCK], open: true }
    }
}

impl HitBlock {
    /// The number of pairs.
    #[inline(always)]
    pub(super) fn count(&self) -> u64 {
        u64::from(self.hits[..self.len].iter().map(|hits| hits.count_ones()).sum::<u32>())
    }
}

/// Items in a block.
pub(super) const BLOCK: usize = 64;

/// The bit of [`HitBlock::hits`] from which on the hits in the second vector of the first range are
/// stored. Few items have any, so they stand behind the hits that one compress instruction writes.
pub(super) const FAR_AFTER: u32 = 24;

/// The free space that a sink makes, in pairs: the most that a block can need.
pub(crate) const BLOCK_PAIRS: usize = BLOCK * 2 * MAX_LANES;

/// A block is crowded if its items have more than this many pairs on average, estimated from one
/// of this many items.
const CROWDED: usize = 3;
const ITEMS_PER_CROWD_SAMPLE: usize = 8;

/// The lowest `count` bits, for up to [`MAX_LANES`].
#[inline(always)]
pub(super) fn first_bits(count: usize) -> u32 {
    (1 << count) - 1
}

/// Writes pairs into a buffer, and calls [`full`](PairSink::full) when there is no space left; or
/// only counts them.
///
/// Pairs are written by whole vectors, so their number is kept beside the buffer. Elements from
/// `len` on are initialised, but meaningless.
pub(crate) struct PairSink<'a> {
    pub(crate) pairs: &'a mut Vec<Pair>,
    pub(crate) len: usize,
    /// The number of pairs if they are only counted, else `None`. This is a run-time value and not
    /// a type parameter: it is tested once per block of items, and searches are compiled once.
    pub(crate) counted: Option<u64>,
    /// Decides which items meet, by their filters; `None` if all items do. The search asks before
    /// it writes or counts a pair.
    pub(crate) meeting: Option<&'a MeetingFilter<'a>>,
    /// Makes space for at least [`BLOCK_PAIRS`] more pairs, by growing the buffer or by taking the
    /// first `len` pairs out. Returns the new `len`.
    pub(crate) full: &'a mut dyn FnMut(&mut Vec<Pair>, usize) -> usize,
}

/// The part of a sink that takes pairs: small enough to stay in registers.
pub(crate) struct Cursor<'a> {
    pairs: &'a mut [Pair],
    len: usize,
    /// The length from which on there is less space than [`BLOCK_PAIRS`].
    full_from: usize,
    counted: Option<&'a mut u64>,
    total: &'a mut usize,
}

impl PairSink<'_> {
    /// Starts writing where the last cursor has finished.
    #[inline(always)]
    pub(crate) fn cursor(&mut self) -> Cursor<'_> {
        let full_from = (self.pairs.len() + 1).saturating_sub(BLOCK_PAIRS);
        let (len, counted) = (self.len, self.counted.as_mut());
        Cursor { pairs: self.pairs, len, full_from, counted, total: &mut self.len }
    }

    /// [`cursor`](Self::cursor) for a sink that [lists all pairs](Self::lists_all): the compiler
    /// leaves out the code that counts.
    #[inline(always)]
    pub(super) fn list_cursor(&mut self) -> Cursor<'_> {
        Cursor { counted: None, ..self.cursor() }
    }

    /// Whether all pairs are listed: no pair is only counted, and all items meet.
    #[inline(always)]
    pub(super) fn lists_all(&self) -> bool {
        self.counted.is_none() && self.meeting.is_none()
    }

    /// Whether all pairs are counted: all items meet.
    #[inline(always)]
    pub(super) fn counts_all(&self) -> bool {
        self.counted.is_some() && self.meeting.is_none()
    }

    /// Whether items are grown.
    #[inline(always)]
    pub(super) fn grows(&self) -> bool {
        self.meeting.is_some_and(|meeting| meeting.grown.is_some())
    }

    /// Counts this many pairs more.
    #[inline(always)]
    pub(super) fn count(&mut self, found: u64) {
        if let Some(counted) = &mut self.counted {
            *counted += found;
        }
    }

    /// Makes space for at least [`BLOCK_PAIRS`] more pairs.
    #[inline(always)]
    pub(crate) fn make_room(&mut self) {
        if self.pairs.len() < self.len + BLOCK_PAIRS && self.counted.is_none() {
            self.len = (self.full)(self.pairs, self.len);
        }
    }
}

/// The places of the items of a block.
#[derive(Clone, Copy)]
pub(super) enum BlockPlaces<'a> {
    /// Consecutive places, from this place on.
    From(usize),
    Listed(&'a [u32; BLOCK]),
}

impl BlockPlaces<'_> {
    /// The words of the first `len` items, by place.
    #[inline(always)]
    fn words<W: Copy + Default>(&self, words: &[W], len: usize) -> [W; BLOCK] {
        let mut of = [W::default(); BLOCK];
        match self {
            BlockPlaces::From(first) => of[..len].copy_from_slice(&words[*first..first + len]),
            BlockPlaces::Listed(places) => {
                for (word, place) in of.iter_mut().zip(*places).take(len) {
                    *word = words[*place as usize];
                }
            }
        }
        of
    }

    /// The place of an item.
    #[inline(always)]
    fn get(&self, item: usize) -> usize {
        match self {
            BlockPlaces::From(first) => first + item,
            BlockPlaces::Listed(places) => places[item] as usize,
        }
    }
}

/// Keeps the hits of items that meet by a test, which knows an item by its word. The hits are the
/// hits of a block.
#[inline(always)]
fn keep_hits<S: Simd, T: LaneTest>(
    simd: S,
    (len, from): (usize, &[[u32; 2]; BLOCK]),
    hits: &mut [u32; BLOCK],
    words: &[T::Word; BLOCK],
    test: &T,
) {
    for item in 0..len.min(BLOCK) {
        let [first, second] = map_each(from[item], |from| from as usize);
        let (hits, word) = (&mut hits[item], words[item]);
        // No branch where an item has no hits: that is hard to predict.
        let mut kept = in_two(simd, test, word, [first, second], *hits);
        if const { S::LANES == 8 } {
            kept &= first_bits(2 * S::LANES);
            if *hits >> (2 * S::LANES) != 0 {
                let further = [second + S::LANES, first + S::LANES];
                let far = *hits >> (2 * S::LANES);
                kept |= in_two(simd, test, word, further, far) << (2 * S::LANES);
            }
        }
        *hits &= kept;
    }
}

/// The lanes of `hits` that meet an item by a test: of one vector, then of the second.
#[inline(always)]
fn in_two<S: Simd, T: LaneTest>(
    simd: S,
    test: &T,
    word: T::Word,
    [first, second]: [usize; 2],
    hits: u32,
) -> u32 {
    test.lanes(simd, first, word, hits) & first_bits(S::LANES)
        | test.lanes(simd, second, word, hits >> S::LANES) << S::LANES
}

/// Keeps the hits of a block that are sure or accepted. Items are known by their numbers, hits by
/// their places. The memory that is read about a hit is prefetched before the predicate is asked
/// about the first hit.
#[inline(always)]
fn ask_open<S: Simd>(
    _: S,
    (len, from): (usize, &[[u32; 2]; BLOCK]),
    hits: &mut [u32; BLOCK],
    sure: &[u32; BLOCK],
    prefetch: impl Fn(usize, usize),
    accepts: impl Fn(usize, usize) -> bool,
) {
    const BITS: usize = u32::BITS as usize;
    let place = |item: usize, hit: usize| {
        let [first, second] = map_each(from[item], |from| from as usize);
        match hit / S::LANES {
            0 => first + hit,
            _ if S::LANES == 8 && hit >= FAR_AFTER as usize => {
                first + S::LANES + hit - FAR_AFTER as usize
            }
            _ => second + hit - S::LANES,
        }
    };
    // A list: one loop over all open hits has one mispredicted end.
    let (mut open, mut count) = ([0_u16; BLOCK * BITS], 0);
    for item in 0..len.min(BLOCK) {
        let mut rest = hits[item] & !sure[item];
        while rest != 0 {
            let hit = rest.trailing_zeros() as usize;
            rest &= rest - 1;
            open[count % (BLOCK * BITS)] = (item * BITS + hit) as u16;
            count += 1;
            prefetch(item, place(item, hit));
        }
    }
    for number in &open[..count] {
        let (item, hit) = (usize::from(*number) / BITS % BLOCK, usize::from(*number) % BITS);
        hits[item] &= !(u32::from(!accepts(item, place(item, hit))) << hit);
    }
}

/// Keeps the hits of items that meet by their classes. A separate function, because it is called
/// for two lists of hits.
struct KeepClasses<'a> {
    len: usize,
    from: &'a [[u32; 2]; BLOCK],
    hits: &'a mut [u32; BLOCK],
    classes: &'a MetClasses<'a>,
    places: BlockPlaces<'a>,
}

impl Kernel for KeepClasses<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let Self { len, from, hits, classes, places } = self;
        match classes {
            MetClasses::Bits(bits) => {
                keep_hits(simd, (len, from), hits, &places.words(bits.met, len), bits);
            }
            MetClasses::Rows(rows) => {
                keep_hits(simd, (len, from), hits, &places.words(rows.of, len), rows);
            }
        }
    }
}

/// Removes the hits of items that do not meet. A separate function, because searches share it, and
/// because the loops around it need the registers.
pub(super) struct Keep<'a> {
    pub(super) block: &'a mut HitBlock,
    pub(super) meeting: &'a MeetingFilter<'a>,
    pub(super) places: BlockPlaces<'a>,
}

impl Kernel for Keep<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let Self { block, meeting: MeetingFilter { classes, owners, exact, grown }, places } = self;
        let HitBlock { len, hits, from, open } = block;
        let (len, from) = (*len, &*from);
        if let Some(classes) = classes {
            simd.call(KeepClasses { len, from, hits, classes, places });
        }
        if let Some(owners) = owners {
            keep_hits(simd, (len, from), hits, &places.words(owners.own, len), owners);
        }
        if let Some(exact) = exact {
            let mut sure = *hits;
            simd.call(KeepClasses { len, from, hits: &mut sure, classes: &exact.surely, places });
            let meet = |item, place| exact.meet(places.get(item), place);
            ask_open(simd, (len, from), hits, &sure, |_, _| {}, meet);
        }
        if let Some(grown) = grown
            && *open
        {
            let (own, mut sure) = (std::array::from_fn(|item| places.get(item) as u32), *hits);
            keep_hits(simd, (len, from), &mut sure, &own, grown);
            let prefetch = |item, place| grown.prefetch(places.get(item), place);
            let touch = |item, place| grown.touch(places.get(item), place);
            ask_open(simd, (len, from), hits, &sure, prefetch, touch);
        }
    }
}

/// Removes the hits of one vector whose items do not meet.
pub(super) struct KeepRun<'a> {
    pub(super) meeting: &'a MeetingFilter<'a>,
    /// The place of the item, and the place of the first lane.
    pub(super) own: usize,
    pub(super) from: usize,
    pub(super) hits: u32,
}

impl Kernel for KeepRun<'_> {
    type Output = u32;

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> u32 {
        let Self { meeting, own, from, mut hits } = self;
        let MeetingFilter { classes, owners, exact, grown } = meeting;
        if let Some(owners) = owners {
            hits &= owners.lanes(simd, from, owners.own[own], hits);
        }
        if let Some(classes) = classes {
            hits = classes.keep(simd, from, own, hits);
        }
        if let Some(exact) = exact {
            let sure = exact.surely.keep(simd, from, own, hits);
            hits = ask(hits, sure, |lane| exact.meet(own, from + lane));
        }
        if let Some(grown) = grown {
            let sure = grown.lanes(simd, from, own as u32, hits);
            hits = ask(hits, sure, |lane| grown.touch(own, from + lane));
        }
        hits
    }
}

impl Cursor<'_> {
    /// Whether there is space for [`BLOCK_PAIRS`] more pairs.
    #[inline(always)]
    pub(crate) fn has_room(&self) -> bool {
        self.len < self.full_from || self.counted.is_some()
    }

    /// Takes the pair of `id` and `ids[from + i]` for every set bit `i` of `bits`, lowest first.
    /// There must be space for `LANES` pairs.
    #[inline(always)]
    pub(crate) fn emit<S: Simd>(&mut self, simd: S, id: u32, ids: &[u32], from: usize, bits: u32) {
        match &mut self.counted {
            Some(counted) => **counted += u64::from(bits.count_ones()),
            None => {
                let room = &mut self.pairs[self.len..];
                self.len += simd.emit_pairs(room, id, &ids[from..], bits);
            }
        }
    }

    /// Takes the pairs of a block. `own` are the ids of its items, and `ids` the ids of the items
    /// at all places. There must be space for [`BLOCK_PAIRS`] pairs.
    #[inline(always)]
    pub(crate) fn emit_block<S: Simd>(
        &mut self,
        simd: S,
        block: &HitBlock,
        own: &[u32],
        ids: &[u32],
    ) {
        if let Some(counted) = &mut self.counted {
            **counted += block.count();
            return;
        }
        let (pairs, at) = (&mut *self.pairs, self.len);
        self.len = simd.call(WriteBlock { pairs, at, block, own: &own[..block.len], ids });
    }

    /// Reports the new length to the sink.
    #[inline(always)]
    pub(crate) fn finish(self) {
        *self.total = self.len;
    }
}

/// Writes the pairs of a block to `pairs[at..]`, and returns where they end. A separate function,
/// because searches share it, and because it needs the registers.
struct WriteBlock<'a> {
    pairs: &'a mut [Pair],
    at: usize,
    block: &'a HitBlock,
    /// The ids of the items of the block.
    own: &'a [u32],
    /// The ids of the items at all places.
    ids: &'a [u32],
}

impl Kernel for WriteBlock<'_> {
    type Output = usize;

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> usize {
        if const { !S::COMPRESSES && S::LANES > 1 } {
            self.list_by_words::<S>()
        } else if S::EMITS_TWO_AT_ONCE && self.is_crowded() {
            self.list::<S, true>(simd)
        } else {
            self.list::<S, false>(simd)
        }
    }
}

impl WriteBlock<'_> {
    /// Whether so many items have more than four pairs that a branch on it would be mispredicted
    /// too often.
    #[inline(always)]
    fn is_crowded(&self) -> bool {
        let sample = self.block.hits[..self.block.len].iter().step_by(ITEMS_PER_CROWD_SAMPLE);
        let found: u32 = sample.clone().map(|hits| hits.count_ones()).sum();
        found as usize > CROWDED * sample.len()
    }

    /// Item by item.
    #[inline(always)]
    fn list<S: Simd, const MANY: bool>(self, simd: S) -> usize {
        let Self { pairs, mut at, block: HitBlock { len, hits, from, .. }, own, ids } = self;
        let (hits, from) = (&hits[..*len], &from[..*len]);
        for ((&id, &hits), &[after, below]) in own.iter().zip(hits).zip(from) {
            let from = [after as usize, below as usize];
            // With sixteen lanes, two vectors fill all bits of the hits.
            let near = hits & (u32::MAX >> (32 - 2 * S::LANES));
            if 2 * S::LANES == 32 || hits == near {
                at += simd.emit_two::<MANY>(pairs, at, id, ids, from, near);
                continue;
            }
            // In the order of the partners' places: both vectors of the range after the item, then
            // both below.
            let far = [hits >> FAR_AFTER, hits >> (2 * S::LANES)];
            for (range, from) in from.into_iter().enumerate() {
                let [near, far] = map_each([near >> (range * S::LANES), far[range]], |hits| {
                    hits & first_bits(S::LANES)
                });
                let from = [from, from + S::LANES];
                at += simd.emit_two::<MANY>(pairs, at, id, ids, from, near | far << S::LANES);
            }
        }
        at
    }

    /// The hits of four items, of 2 × 8 lanes each, form a word. One loop over its bits, with one
    /// mispredicted end, then serves four items instead of one item. Byte `k` of a word is the
    /// word's `k`-th range.
    #[inline(always)]
    fn list_by_words<S: Simd>(self) -> usize {
        const { assert!(S::COMPRESSES || S::LANES == 8 || S::LANES == 1) };
        let Self { pairs, mut at, block: HitBlock { len, hits, from, .. }, own: names, ids } = self;
        let mut own = [0; BLOCK];
        own[..*len].copy_from_slice(names);
        let from = from.as_flattened();
        for word_index in 0..len.div_ceil(4) {
            let [a, b, c, d] =
                map_each([0, 1, 2, 3], |item| u64::from(hits[(4 * word_index + item) % BLOCK]));
            let mut word = a | b << 16 | c << 32 | d << 48;
            while word != 0 {
                let bit = 64 * word_index + word.trailing_zeros() as usize;
                word &= word - 1;
                // The remainders change nothing; they show the compiler that the indices are within
                // the arrays.
                let other = ids[from[bit / 8 % (2 * BLOCK)] as usize + bit % 8];
                let own = own[bit / 16 % BLOCK];
                pairs[at] = Pair { a: own.min(other), b: own.max(other) };
                at += 1;
            }
        }
        at
    }
}
