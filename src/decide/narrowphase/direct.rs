//! Contacts of axis-aligned shapes, directly from their columns.
//!
//! Two kernels are enough here, and either of them can handle every pair. So pairs need not be
//! sorted into jobs, and contacts are written in the order of their pairs. Shapes are gathered from
//! columns, of which a circle has three. No placed shapes of eight words have to be made first.

use super::{
    Contact,
    boxes::touching,
    jobs::KernelKind,
    kernels::{Manifolds, first_lanes},
    lane_batch::LaneBatch,
    lanes::set_rows,
    output::ContactLanes,
    pair_query::PairQuery,
};
use crate::{
    base::Pair,
    kernel::{ColumnSet, RoundedItems},
    posed::ShapeClass,
    simd::{Kernel, MAX_LANES, Simd},
    store::Layout,
};

/// Writes the contacts of `pairs` to the front of `contacts`, in their order. Returns their number.
///
/// For pairs between two sets, the sets must have no [`ids`](super::Set::ids), and the second rows
/// of the pairs are not complemented.
pub(super) struct Direct<'a> {
    pub(super) query: &'a PairQuery<'a>,
    /// The columns of each set.
    pub(super) layouts: [Layout<'a>; 2],
    pub(super) pairs: &'a [Pair],
    /// The output, at least as long as `pairs`.
    pub(super) contacts: &'a mut [Contact],
}

impl Kernel for Direct<'_> {
    type Output = usize;

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> usize {
        let Self { query, layouts, pairs, contacts } = self;
        let (between, second) = (query.between, usize::from(query.between));
        let (set, other_set) = (&query.sets[0], &query.sets[second]);
        let (layout, other_layout) = (layouts[0], layouts[second]);
        let only = [set.only, other_set.only];
        let all_round = only == [Some(ShapeClass::Round); 2];
        let kind = if all_round { KernelKind::CircleCircle } else { KernelKind::AlignedBox };
        let half_margin = simd.splat(query.margin * 0.5);
        let (mut batch, mut columns) = (LaneBatch::default(), ContactLanes::default());
        let (mut rows, mut ids_of) = ([[0; MAX_LANES]; 2], [[0; MAX_LANES]; 2]);
        let mut kept = 0;
        for pairs in pairs.chunks(MAX_LANES) {
            // Unused lanes keep places of earlier pairs, or 0.
            set_rows(&mut rows, pairs);
            let (keys, mut places) = if let Some(ids) = set.ids {
                for lane in 0..pairs.len() {
                    ids_of[0][lane] = ids[rows[0][lane] as usize];
                    ids_of[1][lane] = ids[rows[1][lane] as usize];
                }
                ordered_by_ids(&ids_of, &rows)
            } else {
                (rows, rows)
            };
            if let [Some(a), Some(b)] = only {
                batch.set_all_classes([a, b]);
            } else {
                for lane in 0..pairs.len() {
                    let classes =
                        [set.view.class(keys[0][lane]), other_set.view.class(keys[1][lane])];
                    if batch.set_classes(lane, classes) && !between {
                        (places[0][lane], places[1][lane]) = (places[1][lane], places[0][lane]);
                    }
                }
            }
            let mut there = 0;
            for at in (0..pairs.len()).step_by(S::LANES) {
                let mut a = layout.gather(simd, &places[0], at);
                let mut b = other_layout.gather(simd, &places[1], at);
                if between {
                    // The shapes are exchanged after loading, because a row is valid in its own set
                    // only.
                    let exchanged = simd.lt(simd.splat(0.0), batch.exchanged(simd, at));
                    (a, b) = (
                        RoundedItems::select(simd, exchanged, b, a),
                        RoundedItems::select(simd, exchanged, a, b),
                    );
                }
                let mut bits = (1 << S::LANES) - 1;
                if !query.sifted {
                    let [a, b] = [a.widened(simd, half_margin), b.widened(simd, half_margin)];
                    bits = simd.bits(touching(simd, a, b, query.boxes_inclusive()));
                }
                if bits == 0 {
                    continue;
                }
                there |= bits << at;
                batch.set_sides(simd, [a, b], at);
            }
            // Clears the unused lanes.
            there &= first_lanes(pairs.len());
            if there == 0 {
                continue;
            }
            there &= simd.call(Manifolds {
                kind,
                batch: &batch,
                lanes: pairs.len(),
                wanted: there,
                margin: query.margin,
                inclusive: query.inclusive,
                // No lane is in doubt: the contract decides all lanes.
                touch: &mut |_: usize, _: u32| 0,
                columns: &mut columns,
            });
            kept = columns.write_in_order(simd, &keys, there, pairs.len(), contacts, kept);
        }
        kept
    }
}

/// A number for each side of the pairs in a batch.
type LaneRows = [[u32; MAX_LANES]; 2];

/// The ids of each pair, the smaller one first, and their rows in the same order: a loop over all
/// lanes without a branch, which becomes vector code.
#[inline(always)]
fn ordered_by_ids(ids: &LaneRows, rows: &LaneRows) -> (LaneRows, LaneRows) {
    let [mut keys, mut places] = [[[0; MAX_LANES]; 2]; 2];
    for lane in 0..MAX_LANES {
        let [id, other] = [ids[0][lane], ids[1][lane]];
        let [a, b] = [rows[0][lane], rows[1][lane]];
        let swap = other < id;
        (keys[0][lane], keys[1][lane]) = (id.min(other), id.max(other));
        places[0][lane] = if swap { b } else { a };
        places[1][lane] = if swap { a } else { b };
    }
    (keys, places)
}
