//! Contacts row by row, for axis-aligned shapes.

use super::{RowPairs, near, out::RowsOut};
use crate::{
    Batch, Checked, Error, Touching,
    batch::same_length,
    kernel::{
        bodies::{Bodies, RoundedBodies},
        columns::{CircleColumns, ColumnSet},
    },
    narrowphase::{
        ContactColumns, PairKernel, View, circle_circle::CircleCircle, jobs::KernelKind,
        kernels::Manifolds, output::ContactLanes, single::check_margin, tile::Tile,
    },
    posed::Class,
    simd::{Isa, Kernel, MAX_LANES, Simd, dispatch, map_each},
    store::Layout,
};

impl Batch {
    /// Replaces the content of `contacts` by one contact for each row `i`: the contact of row `i`
    /// of `a` with row `i` of `b`, if they touch or are at most `margin` apart. Normals point from
    /// `a` to `b`, and both ids of a contact are `i`. Without a contact, all values except the ids
    /// are 0.
    ///
    /// The contacts equal [`Narrowphase::contacts`](crate::Narrowphase::contacts) for the
    /// same two shapes, bit for bit. For callers whose pairs are in corresponding rows of columns:
    /// nothing is gathered from other places. Pass some thousand rows at a time: their contacts, 64
    /// bytes a row, then stay in a cache until they are read. For rotated shapes, there is
    /// [`Narrowphase::pairwise_contacts`](crate::Narrowphase::pairwise_contacts).
    ///
    /// `margin` is in the unit of length. Runs on the calling thread, in time linear in the number
    /// of rows. Allocates only to grow `contacts`.
    ///
    /// ```
    /// use widephase::{Batch, Columns, ContactColumns};
    ///
    /// let circles = Columns::circles(&[0.0, 0.0], &[0.0, 0.0], &[1.0, 1.0])?.check()?;
    /// let boxes = Columns::aabbs(&[0.75, 3.0], &[-1.0, 3.0], &[2.0, 4.0], &[1.0, 4.0])?.check()?;
    /// let mut contacts = ContactColumns::new();
    /// Batch::new()?.pairwise_contacts(&circles, &boxes, 0.0, &mut contacts)?;
    /// assert_eq!(contacts.count, [1, 0]);
    /// assert_eq!((contacts.normal_x[0], contacts.depth[0]), (1.0, 0.25));
    /// # Ok::<(), widephase::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::UnequalColumns`] if `a` and `b` have different numbers of rows;
    /// [`Error::InvalidMargin`] if the margin is not a finite number of at least 0 and at most
    /// 2^60. `contacts` then stays as it was.
    #[cfg(feature = "narrowphase")]
    pub fn pairwise_contacts(
        &self,
        a: &Checked<'_>,
        b: &Checked<'_>,
        margin: f32,
        contacts: &mut ContactColumns,
    ) -> Result<(), Error> {
        same_length(a, b)?;
        check_margin(margin)?;
        let (views, live) = ([a, b].map(View::of_checked), [a.live, b.live]);
        let inclusive = self.touching == Touching::Inclusive;
        write(
            self.isa,
            &RowPairs { views, live, first: 0, len: a.len, inclusive, margin },
            contacts,
        );
        Ok(())
    }
}

/// Replaces the content of `contacts` by the contacts of rows of axis-aligned shapes.
pub(super) fn write(isa: Isa, rows: &RowPairs<'_>, contacts: &mut ContactColumns) {
    let only = match rows.views.map(|view| view.only_class()) {
        [Some(a), Some(b)] => Some([a, b]),
        _ => None,
    };
    // Whole tiles are written. The columns are then truncated to the requested rows.
    contacts.resize(rows.len.next_multiple_of(MAX_LANES));
    let out = RowsOut::new(contacts, rows.first, only);
    match rows.views.map(|view| view.layout()) {
        [Layout::Circles(a), Layout::Circles(b)] => {
            dispatch(isa, Circles { rows, sets: [a, b], out });
        }
        layouts => dispatch(isa, AlignedBox { rows, only, layouts, out }),
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
        let (mut tile, mut counts) = (Tile::default(), [0.0; MAX_LANES]);
        for (number, done) in (0..len).step_by(MAX_LANES).enumerate() {
            tile.set_all_classes([Class::Round; 2]);
            let lanes = (len - done).min(MAX_LANES);
            let row = first + done;
            for at in (0..lanes).step_by(S::LANES) {
                let one = sets[0].load_any(simd, row + at).rounded(simd);
                let other = sets[1].load_any(simd, row + at).rounded(simd);
                tile.set_sides(simd, [one, other], at);
                let manifold = CircleCircle.contact(simd, &tile, at, margin, inclusive);
                let manifold = manifold.bounded(simd, margin);
                // With a margin, boxes must also be near each other, as in every search for
                // contacts. Without a margin, the kernel has already decided that.
                let near = if with_margin {
                    near(simd, [one, other], half_margin, true)
                } else {
                    manifold.hit
                };
                let manifold = manifold.only(simd, near);
                out.store_circles(simd, &tile, at, &manifold, number, &mut counts);
            }
            out.count_points(number, &counts);
            rows.clear_vacant(number, lanes, &mut out);
        }
    }
}

/// The kernel for any other axis-aligned shapes.
struct AlignedBox<'a> {
    rows: &'a RowPairs<'a>,
    /// The classes of all rows, if they are known.
    only: Option<[Class; 2]>,
    layouts: [Layout<'a>; 2],
    out: RowsOut<'a>,
}

impl Kernel for AlignedBox<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let Self { rows, only, layouts, mut out } = self;
        let RowPairs { views, first, len, inclusive, margin, .. } = *rows;
        // Points and circles in any layout take the kernel for circles.
        let task = if out.round == 2 { KernelKind::CircleCircle } else { KernelKind::AlignedBox };
        let half_margin = simd.splat(margin * 0.5);
        out.name();
        let (mut tile, mut columns) = (Tile::default(), ContactLanes::default());
        for (number, done) in (0..len).step_by(MAX_LANES).enumerate() {
            let lanes = (len - done).min(MAX_LANES);
            let row = first + done;
            match only {
                Some(classes) => tile.set_all_classes(classes),
                None => {
                    for lane in 0..lanes {
                        let row = (row + lane) as u32;
                        tile.set_classes(lane, map_each(views, |view| view.class(row)));
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
                let exchanged = simd.lt(simd.splat(0.0), tile.exchanged(simd, at));
                let sides = [
                    RoundedBodies::select(simd, exchanged, b, a),
                    RoundedBodies::select(simd, exchanged, a, b),
                ];
                tile.set_sides(simd, sides, at);
            }
            // No lane is in doubt: the contract decides all of them.
            let touch = &mut |_: usize, _: u32| 0;
            let (tile, wanted, into) = (&tile, close, &mut columns);
            simd.call(Manifolds {
                task,
                tile,
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
