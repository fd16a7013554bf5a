//! Rows of axis-aligned shapes.

use super::{
    RowPairs, near,
    out::{Integers, RowsOut},
};
use crate::{
    Batch, Checked, Error, Touching,
    kernel::{
        batch::same_length,
        bodies::{Bodies, RoundedBodies},
        columns::ColumnSet,
    },
    narrowphase::{
        ContactColumns, PairKernel, View, circle_circle::CircleCircle, single::check_margin,
        tile::Tile, upright::Upright,
    },
    simd::{Isa, Kernel, MAX_LANES, Simd, dispatch},
    solid::Class,
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
    // The later class is the first to the kernel.
    let [a, b] = rows.views.map(|view| view.layout());
    let sets = if only.is_some_and(|[a, b]| a < b) { (b, a) } else { (a, b) };
    match (out.round, sets) {
        (2, (Layout::Circles(a), Layout::Circles(b))) => {
            dispatch(
                isa,
                OfKind::<_, _, _, 2> { rows, only, sets: (a, b), kernel: CircleCircle, out },
            );
        }
        (2, sets) => {
            dispatch(isa, OfKind::<_, _, _, 2> { rows, only, sets, kernel: CircleCircle, out })
        }
        (1, sets) => dispatch(isa, OfKind::<_, _, _, 1> { rows, only, sets, kernel: Upright, out }),
        (_, sets) => dispatch(isa, OfKind::<_, _, _, 0> { rows, only, sets, kernel: Upright, out }),
    }
    contacts.resize(rows.len);
}

/// The contacts of all rows, by one kernel; `ROUND` is [`RowsOut::round`].
struct OfKind<'a, A, B, K, const ROUND: usize> {
    rows: &'a RowPairs<'a>,
    /// The classes of all rows, if they are known.
    only: Option<[Class; 2]>,
    /// The columns, in the order of the kernel if classes are known.
    sets: (A, B),
    kernel: K,
    out: RowsOut<'a>,
}

impl<A: ColumnSet, B: ColumnSet, K: PairKernel, const ROUND: usize> Kernel
    for OfKind<'_, A, B, K, ROUND>
{
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let Self { rows, only, sets, kernel, mut out } = self;
        let RowPairs { views, first, len, inclusive, margin, .. } = *rows;
        let with_margin = margin > 0.0;
        let (margin, half_margin) = (simd.splat(margin), simd.splat(margin * 0.5));
        out.name();
        let (mut tile, mut integers) = (Tile::default(), Integers::default());
        for (number, done) in (0..len).step_by(MAX_LANES).enumerate() {
            let lanes = (len - done).min(MAX_LANES);
            let row = first + done;
            match only {
                Some(classes) => tile.set_all_classes(classes),
                None => {
                    for lane in 0..lanes {
                        let row = (row + lane) as u32;
                        tile.set_classes(lane, views.map(|view| view.class(row)));
                    }
                }
            }
            let mut at = 0;
            while at < lanes {
                let mut one = sets.0.load_any(simd, row + at).rounded(simd);
                let mut other = sets.1.load_any(simd, row + at).rounded(simd);
                if only.is_none() {
                    let swapped = simd.lt(simd.splat(0.0), tile.exchanged(simd, at));
                    (one, other) = (
                        RoundedBodies::select(simd, swapped, other, one),
                        RoundedBodies::select(simd, swapped, one, other),
                    );
                }
                tile.set_sides(simd, [one, other], at);
                let manifold =
                    kernel.contact(simd, &tile, at, margin, inclusive).bounded(simd, margin);
                // With a margin, boxes have to be near each other, too, as for all who look for contacts. Without
                // one, that is what the kernel has decided.
                let near = if with_margin {
                    near(simd, [one, other], half_margin, true)
                } else {
                    manifold.hit
                };
                let manifold = manifold.only(simd, near);
                out.store::<S, ROUND>(simd, &tile, at, &manifold, number, &mut integers);
                at += S::LANES;
            }
            out.finish::<ROUND>(number, &integers);
            rows.clear_vacant(number, lanes, &mut out);
        }
    }
}
