//! Contacts row by row: of any shapes except compounds, and of axis-aligned shapes.

use std::ops::Range;

use super::{RowPairs, near, out::RowsOut};
use crate::{
    base::{BLOCK_ROWS, Pair, buffer::grow},
    error::Error,
    kernel::{CircleColumns, ColumnSet, Items, RoundedItems},
    narrowphase::{
        Candidates, Contact, ContactColumns, PairKernel, Set, View,
        circles::CircleCircle,
        jobs::{KernelKind, PairPlan},
        kernels::{Manifolds, each_set},
        lane_batch::{LaneBatch, RowSides},
        listed_pairs::{Narrowphase, PairTests},
        output::ContactLanes,
        pair_query::PairQuery,
        place_on_demand::PlaceOnDemand,
        single::check_margin,
        verdict,
        view::Sources,
    },
    posed::{Placed, ShapeClass},
    simd::{Isa, Kernel, MAX_LANES, Simd, dispatch_narrow, map_each},
    store::{Columns, Layout},
};

impl Narrowphase {
    /// Replaces the content of `contacts` by one contact for each row `i` of `rows`: the contact of
    /// row `i` of `a` with row `i` of `b`, if they touch or are at most `margin` apart. Normals
    /// point from `a` to `b`, and both ids of a contact are `i`. Without a contact, or if one of
    /// the rows is vacant, all values except the ids are 0.
    ///
    /// The contacts equal [`contacts`](Narrowphase::contacts) of the same two shapes, bit
    /// for bit. For callers whose pairs are in corresponding rows of two sets, each a store or
    /// columns. It is up to four times as fast if the shapes of each side are all of one class and
    /// no row is vacant. The classes are points and circles; axis-aligned boxes; rotated boxes,
    /// capsules and segments; and polygons of up to 4, of 5 to 8, or of more vertices. Capsules and
    /// segments whose ends coincide are circles and points. Request some thousand rows at a time:
    /// their contacts, 64 bytes a row, then stay in a cache until they are read.
    ///
    /// `margin` is in the unit of length. Runs on the calling thread, in time linear in the number
    /// of `rows`: only the values of these rows of borrowed columns are checked, and none if the
    /// columns are [checked](Columns::check) already. (If the kind of each row must be read, as
    /// described under [cost](Narrowphase#cost), the time is linear in the number of all rows.)
    /// Nothing is allocated from the second similar call on.
    ///
    /// ```
    /// use widephase::{
    ///     Columns, columns::ContactColumns, Narrowphase, Shapes,
    ///     shape::{Capsule, Obb, Rotation},
    /// };
    ///
    /// let mut walls = Shapes::new();
    /// walls.push(Capsule::new([-5.0, 0.0], [5.0, 0.0], 0.25))?;
    /// walls.push(Obb::new([9.0, 0.0], [1.0, 1.0], Rotation::from_angle(0.5)))?;
    /// let drops = Columns::circles(&[1.0, 9.0], &[1.0, 4.0], &[1.0, 1.0])?;
    /// let (mut narrowphase, mut contacts) = (Narrowphase::new(), ContactColumns::new());
    /// narrowphase.row_contacts(&walls, drops, 0..2, 0.0, &mut contacts)?;
    /// assert_eq!(contacts.count, [1, 0]);
    /// assert_eq!((contacts.normal_y[0], contacts.depth[0]), (1.0, 0.25));
    /// # Ok::<(), widephase::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::NoSuchShape`] if `rows` ends beyond the rows of `a` or `b`; [`Error::HasParts`] for
    /// the first compound in `rows`, because a compound may have any number of contacts;
    /// [`Error::InvalidShape`] for borrowed columns with an invalid value in `rows`;
    /// [`Error::InvalidMargin`]; the errors of
    /// [`SimdLevel::preferred`](crate::SimdLevel::preferred). `contacts` then stays as it was.
    #[cfg(feature = "narrowphase")]
    pub fn row_contacts<'a, 'b>(
        &mut self,
        a: impl Into<Columns<'a>>,
        b: impl Into<Columns<'b>>,
        rows: Range<usize>,
        margin: f32,
        contacts: &mut ContactColumns,
    ) -> Result<(), Error> {
        self.contacts_of_rows([a.into(), b.into()], rows, margin, contacts)
    }

    /// Does the work of `row_contacts`. Not generic, so that its kernels are compiled in this
    /// crate and not in the crate of the caller.
    fn contacts_of_rows(
        &mut self,
        [a, b]: [Columns<'_>; 2],
        rows: Range<usize>,
        margin: f32,
        contacts: &mut ContactColumns,
    ) -> Result<(), Error> {
        check_margin(margin)?;
        let (isa, inclusive) = (self.options.isa()?, self.options.inclusive());
        let Self { tests, rotated: [first, second], .. } = self;
        let PairTests { candidates, near, place_on_demand } = tests;
        let a = a.checked_rows(isa, rows.clone(), first)?;
        a.check_single(rows.clone())?;
        let b = b.checked_rows(isa, rows.clone(), second)?;
        b.check_single(rows.clone())?;
        let (views, live) = ([View::of(&a), View::of(&b)], [a.live, b.live]);
        let rows = RowPairs { views, live, first: rows.start, len: rows.len(), inclusive, margin };
        if !views.iter().any(View::rotates) {
            write(isa, &rows, contacts);
            return Ok(());
        }
        let only = map_each(views, |view| view.only_class());
        let classes = match only {
            [Some(a), Some(b)] if a.has_kernels() && b.has_kernels() => Some([a, b]),
            _ => None,
        };
        // Whole batches are written. The columns are then truncated to the requested rows.
        contacts.resize(rows.len.next_multiple_of(MAX_LANES));
        let mut out = RowsOut::new(contacts, rows.first, classes);
        if let Some(classes) = classes {
            let batch = candidates.batch();
            let rows = &rows;
            dispatch_narrow(isa, Alike { isa, rows, classes, batch, out });
        } else {
            out.name();
            for first in (0..rows.len).step_by(BLOCK_ROWS) {
                let len = (rows.len - first).min(BLOCK_ROWS);
                let block = ClassBlock { rows: &rows, isa, first, len };
                block.decide(candidates, near, place_on_demand, only, &mut out);
            }
        }
        contacts.resize(rows.len);
        Ok(())
    }
}

impl RowPairs<'_> {
    /// The lanes whose boxes are at most the margin apart, for the rows from `row` on.
    #[inline(always)]
    fn near<S: Simd>(&self, simd: S, row: usize) -> S::Mask {
        let Self { views: [a, b], inclusive, margin, .. } = *self;
        // Not a closure, because vector code is not inlined into closures.
        let boxes = [a.layout().load_any(simd, row), b.layout().load_any(simd, row)];
        near(simd, boxes, simd.splat(margin * 0.5), inclusive || margin > 0.0)
    }
}

/// The kernel for rows that all take the same pair kernel.
struct Alike<'a> {
    isa: Isa,
    rows: &'a RowPairs<'a>,
    /// The class of each side. At least one class is rotated.
    classes: [ShapeClass; 2],
    batch: &'a mut LaneBatch,
    out: RowsOut<'a>,
}

impl Kernel for Alike<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let Self { isa, rows, classes, batch, mut out } = self;
        let RowPairs { views, first, len, inclusive, margin, .. } = *rows;
        let placed = map_each(views, |view| view.placed().unwrap_or_default());
        let sets =
            map_each([0, 1], |side| Set::placed(views[side], placed[side], Some(classes[side])));
        let query = PairQuery::new(isa, sets, true, inclusive, margin);
        let sources = Sources::of(&query.sets);
        let PairPlan { kind, .. } = PairPlan::of(map_each(classes, |class| class as usize));
        let layouts = map_each(views, |view| view.layout());
        let sides = RowSides { classes, layouts, placed };
        out.name();
        let mut columns = ContactLanes::default();
        for (number, done) in (0..len).step_by(MAX_LANES).enumerate() {
            let (row, lanes) = (first + done, (len - done).min(MAX_LANES));
            let mut near = 0;
            for at in (0..lanes).step_by(S::LANES) {
                near |= simd.bits(rows.near(simd, row + at)) << at;
            }
            if near == 0 {
                out.clear_tile(number);
                continue;
            }
            batch.load_rows(simd, &sources, &sides, [row, lanes], kind);
            let touch = &mut |at: usize, doubt: u32| {
                settle(&sources, &sides, row + at, doubt & near >> at, inclusive)
            };
            let (batch, wanted, columns) = (&*batch, near, &mut columns);
            simd.call(Manifolds { kind, batch, lanes, wanted, margin, inclusive, touch, columns });
            out.take(simd, number, columns, near);
            rows.clear_vacant(number, lanes, &mut out);
        }
    }
}

/// The rows from `row` on whose bit is set in `doubt` and whose shapes touch, by exact arithmetic.
///
/// Not inlined, because it is rare.
#[inline(never)]
fn settle(
    sources: &Sources<'_>,
    sides: &RowSides<'_>,
    row: usize,
    doubt: u32,
    inclusive: bool,
) -> u32 {
    each_set(doubt, |lane| {
        let [a, b] = sides.exact(sources, row + lane);
        verdict::touch(&a, &b, inclusive)
    })
}

/// A block of rows of several classes.
struct ClassBlock<'a> {
    rows: &'a RowPairs<'a>,
    isa: Isa,
    /// The first row, relative to the first row of `rows`; a multiple of a batch.
    first: usize,
    len: usize,
}

impl ClassBlock<'_> {
    /// Writes the contacts of the block, with the rows as ordinary pairs. `only` is the class of
    /// each side, if it is known.
    fn decide(
        &self,
        candidates: &mut Candidates,
        pairs: &mut Vec<Pair>,
        place_on_demand: &mut PlaceOnDemand,
        only: [Option<ShapeClass>; 2],
        out: &mut RowsOut<'_>,
    ) {
        let Self { rows, isa, first, len } = *self;
        let RowPairs { views, inclusive, margin, .. } = *rows;
        let begin = rows.first + first;
        let [room_a, room_b] = &mut place_on_demand.placed;
        let placed = [place(views[0], begin, len, room_a), place(views[1], begin, len, room_b)];
        let sets = map_each([0, 1], |side| {
            let links = views[side].links().get(begin..begin + len).unwrap_or_default();
            Set { links, first: begin, ..Set::placed(views[side], placed[side], only[side]) }
        });
        dispatch_narrow(isa, WritePairs { block: self, pairs: &mut *pairs });
        let batches = first / MAX_LANES..(first + len).div_ceil(MAX_LANES);
        for batch in batches.clone() {
            out.clear_tile(batch);
        }
        let query = PairQuery::new(isa, sets, true, inclusive, margin);
        candidates.contacts(&query, pairs, &mut |found: &[Contact]| {
            for contact in found {
                let row = first + contact.pair.a as usize;
                out.set(row / MAX_LANES, row % MAX_LANES, contact);
            }
        });
        for batch in batches {
            let lanes = (first + len - batch * MAX_LANES).min(MAX_LANES);
            rows.clear_vacant(batch, lanes, out);
        }
    }
}

/// `len` placed shapes of `view` from row `begin` on: placed in the store, or placed in
/// `room`.
fn place<'a>(view: View<'a>, begin: usize, len: usize, room: &'a mut Vec<Placed>) -> &'a [Placed] {
    match view.placed() {
        Some(placed) => &placed[begin..begin + len],
        None => {
            grow(room, BLOCK_ROWS);
            view.place((begin..begin + len).map(|row| row as u32), room);
            &room[..len]
        }
    }
}

/// The kernel that writes the pairs of the rows whose boxes are near each other.
struct WritePairs<'a> {
    block: &'a ClassBlock<'a>,
    pairs: &'a mut Vec<Pair>,
}

impl Kernel for WritePairs<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let Self { block: &ClassBlock { rows, first, len, .. }, pairs } = self;
        pairs.clear();
        for at in (0..len).step_by(S::LANES) {
            let lanes = (len - at).min(S::LANES);
            let mut bits = simd.bits(rows.near(simd, rows.first + first + at)) & ((1 << lanes) - 1);
            while bits != 0 {
                let place = at as u32 + bits.trailing_zeros();
                pairs.push(Pair { a: place, b: !place });
                bits &= bits - 1;
            }
        }
    }
}

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
