//! Sweep: pairs of the items of one level.

use std::{marker::PhantomData, ops::Range};

use super::{
    sink::{BLOCK, BlockPlaces, FAR_AFTER, HitBlock, Keep, PairSink, first_bits},
    windows::{count_run, take_run},
};
use crate::{
    grid::sort::{ItemLayout, Sorted},
    kernel::{
        ColumnSet, Rule,
        grown::{room, touch},
    },
    simd::{Kernel, Neighbours, Simd, Table},
};

/// Sweeps some items of a level: finds, for each, its partners of the same level in its half
/// neighbourhood.
///
/// In plain words:
///
/// ```text
/// for each item i, in sorted order, in cell c:
///     for each item j after i in cells c and c + 1:             if overlap(i, j): emit(i, j)
///     for each item j in the cells below c: left, middle, right: if overlap(i, j): emit(i, j)
/// ```
///
/// The test is exact at once: it costs less than to write a candidate and to read it again.
///
/// Changes for speed:
///
/// 1. Both inner loops run over contiguous items, eight at a time on every SIMD level with vectors:
///    ranges hold two or three items on average, and sixteen lanes would mostly be loaded for
///    nothing. Lanes past the end of a range are masked off.
/// 2. The first vector of each range is tested with no branch on whether the range is empty or any
///    lane hits: with two or three items per range, neither branch is predictable, and a
///    misprediction costs more than the test. Only ranges longer than a vector branch.
/// 3. Items are walked one by one and not cell by cell: a loop over the one or two items of a cell
///    ends in a mispredicted branch. Three loads per item look the ranges up instead.
/// 4. The fast loop ([`SweepTest`]) only notes which lanes hit, for a [`HitBlock`] of items; their
///    pairs are written after it. With both ranges in one loop, an iteration is so long and its
///    chain of dependent instructions so deep that the CPU's window holds too few iterations to
///    overlap (6 % slower on AVX2, 57 % on SSE2). Each of the two loops is a separate function,
///    where nothing else takes registers.
/// 5. An item with a longer range ends the fast loop and is done by the general loop ([`take_run`],
///    with all lanes that there are), and so are the items after it, up to an item with short
///    ranges: items with long ranges are in a crowd. Then the fast loop continues: for the next
///    blocks in a variant that takes longer ranges and costs every item a little more, until a
///    block has not needed it. With one lane, every range is long, and only the general loop runs.
/// 6. The loops that list all pairs and count all pairs do nothing else. With filters, a function
///    of its own does the general loop, and the touching policy is a value there.
pub(crate) struct Sweep<'a, 'b, I> {
    pub(crate) sorted: &'a Sorted,
    /// The id of the item at each place.
    pub(crate) ids: &'a [u32],
    pub(crate) table: Table<'a>,
    /// The places of the items to sweep.
    pub(crate) items: Range<usize>,
    pub(crate) inclusive: bool,
    pub(crate) sink: &'a mut PairSink<'b>,
    pub(crate) layout: PhantomData<I>,
}

impl<I: ItemLayout> Kernel for Sweep<'_, '_, I> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        match self.inclusive {
            _ if self.sink.counts_all() => self.count(simd),
            true => self.list::<_, true>(simd),
            false => self.list::<_, false>(simd),
        }
    }
}

impl<I: ItemLayout> Sweep<'_, '_, I> {
    /// Lists the pairs, or counts the pairs that meet.
    #[inline(always)]
    fn list<S: Simd, const INCLUSIVE: bool>(self, whole: S) {
        let simd = whole.half();
        let Self { sorted, ids, table, items, sink, layout, .. } = self;
        let columns = sorted.padded::<I>();
        let rule = Rule { inclusive: INCLUSIVE, normal: I::NORMAL };
        let (lists_all, policy) = (sink.lists_all(), [INCLUSIVE, sink.grows()]);
        let (mut block, mut rest, mut crowded) = (HitBlock::default(), table.of(items), false);
        while rest.len() > 0 {
            crowded = test::<_, I>(simd, (sorted, rest), &mut block, policy, crowded);
            rest = rest.skip(block.len);
            if block.len > 0 {
                // The first range begins one place behind its item.
                let first = block.from[0][0] as usize - 1;
                if let Some(meeting) = sink.meeting {
                    let places = BlockPlaces::From(first);
                    simd.call(Keep { block: &mut block, meeting, places });
                }
                sink.make_room();
                let mut cursor = if lists_all { sink.list_cursor() } else { sink.cursor() };
                cursor.emit_block(simd, &block, &ids[first..], ids);
                cursor.finish();
            }
            if block.len < BLOCK && rest.len() > 0 && !lists_all {
                let (neighbours, sink) = (rest, &mut *sink);
                let done = whole.call(KeptRuns { sorted, ids, neighbours, rule, sink, layout });
                rest = rest.skip(done);
            } else if block.len < BLOCK {
                rest = each_crowded(simd, rest, |place, ranges| {
                    let item = columns.splat(whole, place);
                    for range in ranges {
                        let (own, others) = ((item, place, ids[place]), (columns, ids));
                        take_run::<_, _, _, true>(whole, own, others, range, rule, sink);
                    }
                });
            }
        }
    }

    /// Counts all pairs.
    #[inline(always)]
    fn count<S: Simd>(self, whole: S) {
        let simd = whole.half();
        let Self { sorted, table, items, inclusive, sink, .. } = self;
        let columns = sorted.padded::<I>();
        let strict = Rule { inclusive: false, normal: I::NORMAL };
        let closed = Rule { inclusive: true, ..strict };
        let (mut block, mut rest, mut crowded) = (HitBlock::default(), table.of(items), false);
        let mut found = 0;
        while rest.len() > 0 {
            crowded = test::<_, I>(simd, (sorted, rest), &mut block, [inclusive, false], crowded);
            rest = rest.skip(block.len);
            found += block.count();
            if block.len < BLOCK {
                rest = each_crowded(simd, rest, |place, ranges| {
                    let item = columns.splat(whole, place);
                    for range in ranges {
                        found += if inclusive {
                            count_run(whole, item, columns, range, closed)
                        } else {
                            count_run(whole, item, columns, range, strict)
                        };
                    }
                });
            }
        }
        sink.count(found);
    }
}

/// Tests the next block of items, by the fast loop. Returns whether the block after it should be
/// [`CROWDED`](SweepTest). With one lane, every range is long, and the block stays empty.
#[inline(always)]
fn test<S: Simd, I: ItemLayout>(
    simd: S,
    (sorted, neighbours): (&Sorted, Neighbours<'_>),
    block: &mut HitBlock,
    [inclusive, grown]: [bool; 2],
    crowded: bool,
) -> bool {
    let layout = PhantomData::<I>;
    macro_rules! run {
        ($($is:literal),*) => {
            simd.call(SweepTest::<_, $($is),*> { sorted, neighbours, block, layout })
        };
    }
    match (inclusive, crowded) {
        _ if const { S::LANES == 1 } => false,
        (_, true) if grown => run!(true, true, true),
        (_, false) if grown => run!(true, false, true),
        (true, true) => run!(true, true, false),
        (true, false) => run!(true, false, false),
        (false, true) => run!(false, true, false),
        (false, false) => run!(false, false, false),
    }
}

/// The longest ranges of an item that the fast loop takes: after the item, and below it. The range
/// below spans three cells. Where writing pairs costs little, it may take two vectors; where items
/// are crowded, the other range may as well.
#[inline(always)]
fn longest<S: Simd>(crowded: bool) -> [usize; 2] {
    let most_below = if S::COMPRESSES { 2 * S::LANES } else { S::LANES };
    [if crowded { most_below } else { S::LANES }, most_below]
}

/// Visits the first item and the items after it, until the fast loop takes an item. Returns the
/// rest. An item with a long range is in a crowd, in which most items have long ranges.
#[inline(always)]
fn each_crowded<'a, S: Simd>(
    simd: S,
    mut rest: Neighbours<'a>,
    mut visit: impl FnMut(usize, [Range<usize>; 2]),
) -> Neighbours<'a> {
    let [most_after, most_below] = longest::<S>(true);
    let mut is_first = true;
    while rest.len() > 0 {
        let (place, [after, below]) = rest.get(simd, 0);
        let is_long = after.len() > most_after || below.len() > most_below;
        if !is_first && !is_long && const { S::LANES > 1 } {
            break;
        }
        visit(place, [after, below]);
        (rest, is_first) = (rest.skip(1), false);
    }
    rest
}

/// The general loop for sinks that do not list or count all pairs: items of a crowd against two
/// ranges each. Returns the number of items.
struct KeptRuns<'a, 'b, I> {
    sorted: &'a Sorted,
    ids: &'a [u32],
    neighbours: Neighbours<'a>,
    rule: Rule,
    sink: &'a mut PairSink<'b>,
    layout: PhantomData<I>,
}

impl<I: ItemLayout> Kernel for KeptRuns<'_, '_, I> {
    type Output = usize;

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> usize {
        let Self { sorted, ids, neighbours, rule, sink, .. } = self;
        let columns = sorted.padded::<I>();
        let rest = each_crowded(simd.half(), neighbours, |place, ranges| {
            let item = columns.splat(simd, place);
            for range in ranges {
                let (own, others) = ((item, place, ids[place]), (columns, ids));
                take_run::<_, _, _, false>(simd, own, others, range, rule, sink);
            }
        });
        neighbours.len() - rest.len()
    }
}

/// The fast loop of the [`Sweep`]: tests items until the block is full, or an item has too many
/// neighbours. Returns whether the next block should be `CROWDED`. Of `GROWN` items it also tells
/// whether all hits are sure.
struct SweepTest<'a, I, const INCLUSIVE: bool, const CROWDED: bool, const GROWN: bool> {
    sorted: &'a Sorted,
    neighbours: Neighbours<'a>,
    block: &'a mut HitBlock,
    layout: PhantomData<I>,
}

impl<I: ItemLayout, const INCLUSIVE: bool, const CROWDED: bool, const GROWN: bool> Kernel
    for SweepTest<'_, I, INCLUSIVE, CROWDED, GROWN>
{
    type Output = bool;

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> bool {
        let Self { sorted, neighbours, block, .. } = self;
        // The columns have the padded length that bounds all neighbours: no load is checked again.
        let columns = sorted.padded_to::<I>(neighbours.padded());
        let rule = Rule { inclusive: INCLUSIVE, normal: I::NORMAL };
        let [most_after, most_below] = longest::<S>(CROWDED);
        // Lanes behind the ends of ranges count, too: they are as rarely open.
        let (mut longest, mut open) = (0, simd.lt(simd.splat(0.0), simd.splat(0.0)));
        let most = BLOCK.min(neighbours.len());
        let mut len = 0;
        while len < most {
            let (i, [after, below]) = neighbours.get(simd, len);
            // An end is never before its start, so these do not wrap.
            let after_len = after.end.wrapping_sub(after.start);
            let below_len = below.end.wrapping_sub(below.start);
            if after_len > most_after || below_len > most_below {
                break;
            }
            let item = columns.splat(simd, i);
            let own = (item, if GROWN { Some(room(simd, item)) } else { None });
            let near = columns.load(simd, after.start);
            let mut after_bits = touch(simd, own, near, rule, &mut open);
            if CROWDED && after_len > S::LANES {
                longest = after_len;
                let rest = columns.load(simd, after.start + S::LANES);
                let far = touch(simd, own, rest, rule, &mut open);
                after_bits |= (far & first_bits(after_len - S::LANES)) << FAR_AFTER;
            } else {
                after_bits &= first_bits(after_len);
            }
            let near = columns.load(simd, below.start);
            let mut below_bits = touch(simd, own, near, rule, &mut open);
            if S::COMPRESSES && below_len > S::LANES {
                let rest = columns.load(simd, below.start + S::LANES);
                below_bits |= touch(simd, own, rest, rule, &mut open) << S::LANES;
            }
            below_bits &= first_bits(below_len);
            block.hits[len] = after_bits | below_bits << S::LANES;
            block.from[len] = [after.start as u32, below.start as u32];
            len += 1;
        }
        (block.len, block.open) = (len, simd.bits(open) != 0);
        block.hits[len..len.next_multiple_of(4)].fill(0);
        S::COMPRESSES && (longest > 0 || len < BLOCK)
    }
}
