//! Contacts row by row, for axis-aligned shapes.

use super::{RowPairs, near, out::RowsOut};
use crate::{
    kernel::{CircleColumns, ColumnSet, Items, RoundedItems},
    narrowphase::{
        ContactColumns, PairKernel, circle_circle::CircleCircle, jobs::KernelKind,
        kernels::Manifolds, lane_batch::LaneBatch, output::ContactLanes,
    },
    posed::ShapeClass,
    simd::{Isa, Kernel, MAX_LANES, Simd, dispatch_narrow, map_each},
    store::Layout,
};

/// Replaces the content of `contacts` by the contacts of rows of axis-aligned shapes.
pub(super) fn write(isa: Isa, rows: &RowPairs<'_>, contacts: &mut ContactColumns) {
    let only = match map_each(rows.views, |view| view.only_class()) {
        [Some(a), Some(b)] => Some([a, b]),
        _ => None,
    };
    // Whole batches are written. The columns are then truncated to the requested rows.
    contacts.resize(rows.len.next_multiple_of(MAX_LANES));
    let out = RowsOut::new(contacts, rows.first, only);
    match map_each(rows.views, |view| view.layout()) {
        [Layout::Circles(a), Layout::Circles(b)] => {
            dispatch_narrow(isa, Circles { rows, sets: [a, b], out });
        }
        layouts => dispatch_narrow(isa, AlignedRows { rows, only, layouts, out }),
    }
    contacts.resize(rows.len);
}

/// The kernel for columns of circles.
struct Circles<'a> {
    rows: &'a RowPairs<'a>,
    sets: [CircleColumns<'a>; 2],
    out: RowsOut<'a>,
}

impl Kernel for Circles<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let Self { rows, sets, mut out } = self;
        let RowPairs { first, len, inclusive, margin, .. } = *rows;
        let with_margin = margin > 0.0;
        let (margin, half_margin) = (simd.splat(margin), simd.splat(margin * 0.5));
        out.name();
        let (mut batch, mut counts) = (LaneBatch::default(), [0.0; MAX_LANES]);
        for (number, done) in (0..len).step_by(MAX_LANES).enumerate() {
            batch.set_all_classes([ShapeClass::Round; 2]);
            let lanes = (len - done).min(MAX_LANES);
            let row = first + done;
            for at in (0..lanes).step_by(S::LANES) {
                let one = sets[0].load_any(simd, row + at).rounded(simd);
                let other = sets[1].load_any(simd, row + at).rounded(simd);
                batch.set_sides(simd, [one, other], at);
                let manifold = CircleCircle.contact(simd, &batch, at, margin, inclusive);
                let manifold = manifold.bounded(simd, margin);
                // With a margin, boxes must also be near each other, as in every search for
                // contacts. Without a margin, the kernel has already decided that.
                let near = if with_margin {
                    near(simd, [one, other], half_margin, true)
                } else {
                    manifold.hit
                };
                let manifold = manifold.only(simd, near);
                out.store_circles(simd, &batch, at, &manifold, number, &mut counts);
            }
            out.count_points(number, &counts);
            rows.clear_vacant(number, lanes, &mut out);
        }
    }
}

/// The kernel for any other axis-aligned shapes.
struct AlignedRows<'a> {
    rows: &'a RowPairs<'a>,
    /// The classes of all rows, if they are known.
    only: Option<[ShapeClass; 2]>,
    layouts: [Layout<'a>; 2],
    out: RowsOut<'a>,
}

impl Kernel for AlignedRows<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let Self { rows, only, layouts, mut out } = self;
        let RowPairs { views, first, len, inclusive, margin, .. } = *rows;
        // Points and circles in any layout take the kernel for circles.
        let kind = if out.round == 2 { KernelKind::CircleCircle } else { KernelKind::AlignedBox };
        let half_margin = simd.splat(margin * 0.5);
        out.name();
        let (mut batch, mut columns) = (LaneBatch::default(), ContactLanes::default());
        for (number, done) in (0..len).step_by(MAX_LANES).enumerate() {
            let lanes = (len - done).min(MAX_LANES);
            let row = first + done;
            match only {
                Some(classes) => batch.set_all_classes(classes),
                None => {
                    for lane in 0..lanes {
                        let row = (row + lane) as u32;
                        batch.set_classes(lane, map_each(views, |view| view.class(row)));
                    }
                }
            }
            let mut close = 0;
            for at in (0..lanes).step_by(S::LANES) {
                let a = layouts[0].load_any(simd, row + at);
                let b = layouts[1].load_any(simd, row + at);
                // With a margin, boxes must also be near each other, as in every search for
                // contacts. Without a margin, the kernel decides that.
                let touching = near(simd, [a, b], half_margin, inclusive || margin > 0.0);
                close |= simd.bits(touching) << at;
                // The kernel takes the later class first.
                let exchanged = simd.lt(simd.splat(0.0), batch.exchanged(simd, at));
                let sides = [
                    RoundedItems::select(simd, exchanged, b, a),
                    RoundedItems::select(simd, exchanged, a, b),
                ];
                batch.set_sides(simd, sides, at);
            }
            // No lane is in doubt: the contract decides all lanes.
            let touch = &mut |_: usize, _: u32| 0;
            let (batch, wanted, into) = (&batch, close, &mut columns);
            simd.call(Manifolds {
                kind,
                batch,
                lanes,
                wanted,
                margin,
                inclusive,
                touch,
                columns: into,
            });
            out.take(simd, number, &columns, close);
            rows.clear_vacant(number, lanes, &mut out);
        }
    }
}
