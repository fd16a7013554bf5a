//! Rows of axis-aligned shapes.

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
    /// How row `i` of `a` touches row `i` of `b`, or, if `margin` is above 0, how they lie to each other if they
    /// are at most that far apart: row `i` of `contacts`, whose content is replaced. Its normal is from `a` to
    /// `b`, and it calls both shapes `i`. Where there is no contact, everything but these two names is 0.
    ///
    /// What [`Narrowphase::contacts`](crate::Narrowphase::contacts) gives for the same two shapes, bit for bit. For
    /// callers whose pairs lie side by side in columns: nothing has to be fetched from anywhere. Hand over some
    /// thousand rows at a time, and their contacts, 64 bytes a row, stay in a cache until they are read. For shapes
    /// that turn, there is [`Narrowphase::pairwise_contacts`](crate::Narrowphase::pairwise_contacts).
    ///
    /// `margin` is in the unit of length. On the calling thread, in time linear in the number of rows. Allocates
    /// only to grow `contacts`.
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
    /// [`Error::UnequalColumns`] if they have different numbers of rows; [`Error::InvalidMargin`] if the margin is
    /// not a finite number of at least 0 and at most 2^60. `contacts` is then as it was.
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

/// Replaces the content of `contacts` by those of rows of axis-aligned shapes.
pub(super) fn write(isa: Isa, rows: &RowPairs<'_>, contacts: &mut ContactColumns) {
    let only = match rows.views.map(|view| view.only_class()) {
        [Some(a), Some(b)] => Some([a, b]),
        _ => None,
    };
    // Whole tiles are written, and then cut to what was asked for.
    contacts.resize(rows.len.next_multiple_of(MAX_LANES));
    let out = RowsOut::new(contacts, rows.first, only);
    match rows.views.map(|view| view.layout()) {
        [Layout::Circles(a), Layout::Circles(b)] => {
            dispatch(isa, Circles { rows, sets: [a, b], out });
        }
        layouts => dispatch(isa, Upright { rows, only, layouts, out }),
    }
    contacts.resize(rows.len);
}

/// The contacts of all rows of circles.
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
                // With a margin, boxes have to be near each other, too, as for all who look for
                // contacts. Without one, that is what the kernel has decided.
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

/// The contacts of all rows of any axis-aligned shapes.
struct Upright<'a> {
    rows: &'a RowPairs<'a>,
    /// The classes of all rows, if they are known.
    only: Option<[Class; 2]>,
    layouts: [Layout<'a>; 2],
    out: RowsOut<'a>,
}

impl Kernel for Upright<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let Self { rows, only, layouts, mut out } = self;
        let RowPairs { views, first, len, inclusive, margin, .. } = *rows;
        // Circles that are no columns of circles, too.
        let task = if out.round == 2 { KernelKind::CircleCircle } else { KernelKind::Upright };
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
                // With a margin, boxes have to be near each other, too, as for all who look for
                // contacts. Without one, that is what the kernel decides.
                let touching = near(simd, [a, b], half_margin, inclusive || margin > 0.0);
                close |= simd.bits(touching) << at;
                // The later class is the first to the kernel.
                let exchanged = simd.lt(simd.splat(0.0), tile.exchanged(simd, at));
                let sides = [
                    RoundedBodies::select(simd, exchanged, b, a),
                    RoundedBodies::select(simd, exchanged, a, b),
                ];
                tile.set_sides(simd, sides, at);
            }
            // The contract decides about all of them.
            let touch = &mut |_: usize, _: u32| 0;
            let (tile, into) = (&tile, &mut columns);
            simd.call(Manifolds { task, tile, lanes, margin, inclusive, touch, columns: into });
            out.take(simd, number, &columns, close);
            rows.clear_vacant(number, lanes, &mut out);
        }
    }
}
