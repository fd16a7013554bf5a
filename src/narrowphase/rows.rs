//! Contacts of axis-aligned shapes row by row, from columns to columns.
//!
//! Nothing is gathered, sorted or left out: a tile is sixteen rows, and its contacts are the same sixteen rows
//! of every column.

use super::{
    ContactColumns, Feature, PairKernel, View,
    boxes::touching,
    circle_circle::CircleCircle,
    output::{Columns, RowsOut},
    single::check_margin,
    tile::Tile,
    upright::Upright,
};
use crate::{
    Batch, Checked, Error, Touching,
    kernel::{
        batch::same_length,
        bodies::{Bodies, RoundedBodies},
        columns::ColumnSet,
    },
    simd::{Kernel, MAX_LANES, Simd, dispatch},
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
    /// thousand rows at a time, and their contacts, 64 bytes a row, stay in a cache until they are read.
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
        let views = [a, b].map(View::of_checked);
        let only = match views.map(|view| view.only_class()) {
            [Some(a), Some(b)] => Some([a, b]),
            _ => None,
        };
        // Whole tiles are written, and then cut to what was asked for.
        contacts.resize(a.len.next_multiple_of(MAX_LANES));
        let inclusive = self.touching == Touching::Inclusive;
        let live = [a.live, b.live];
        let round = only.map_or(0, |only| only.into_iter().filter(|c| *c == Class::Round).count());
        let out = out(contacts, round);
        let rows = Rows { views, only, live, len: a.len, inclusive, margin, out };
        match round {
            0 => dispatch(self.isa, OfKind::<0>(rows)),
            1 => dispatch(self.isa, OfKind::<1>(rows)),
            _ => dispatch(self.isa, OfKind::<2>(rows)),
        }
        contacts.resize(a.len);
        Ok(())
    }
}

/// The columns of contacts that are to be written, in tiles; those that [`Columns::write_rows`] leaves alone are made
/// zeros here. None of the shapes has parts; where `round` of each two are known to be points or circles, there is no
/// second point if that is one, and no feature but 0 if it is both.
fn out(contacts: &mut ContactColumns, round: usize) -> RowsOut<'_> {
    let ContactColumns { a, b, part_a, part_b, normal_x, normal_y, depth, count, points } =
        contacts;
    part_a.fill(0);
    part_b.fill(0);
    let [first, second] = points;
    let second_values = [&mut second.x, &mut second.y, &mut second.depth];
    let features = [
        [&mut first.feature_a, &mut first.feature_b],
        [&mut second.feature_a, &mut second.feature_b],
    ];
    let mut out = RowsOut {
        names: [a, b].map(|column| tiles(column)),
        count: tiles(count),
        values: [normal_x, normal_y, depth, &mut first.x, &mut first.y, &mut first.depth]
            .map(|column| tiles(column)),
        second: second_values.map(|column| tiles(column)),
        features: features.map(|columns| columns.map(|column| tiles(column))),
    };
    if round > 0 {
        for column in &mut out.second {
            column.as_flattened_mut().fill(0.0);
        }
    }
    for column in out.features.iter_mut().skip(2 - round).flatten() {
        column.as_flattened_mut().fill(Feature::default());
    }
    out
}

/// A column in tiles.
fn tiles<T>(column: &mut [T]) -> &mut [[T; MAX_LANES]] {
    column.as_chunks_mut().0
}

/// The contacts of all rows.
struct Rows<'a> {
    views: [View<'a>; 2],
    /// The classes of all rows, if they are known.
    only: Option<[Class; 2]>,
    live: [Option<&'a [u64]>; 2],
    len: usize,
    inclusive: bool,
    margin: f32,
    out: RowsOut<'a>,
}

/// Rows in which so many shapes of each two are known to be points or circles.
struct OfKind<'a, const ROUND: usize>(Rows<'a>);

impl<const ROUND: usize> Kernel for OfKind<'_, ROUND> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let Rows { views, only, live, len, inclusive, margin, mut out } = self.0;
        // Of two known classes, the later is the first to the kernel.
        let swapped = only.is_some_and(|[a, b]| a < b);
        let [a, b] = views.map(|view| view.layout());
        let layouts = if swapped { [b, a] } else { [a, b] };
        let with_margin = margin > 0.0;
        let (margin, half_margin) = (simd.splat(margin), simd.splat(margin * 0.5));
        for names in &mut out.names {
            for (row, name) in (0..).zip(names.as_flattened_mut()) {
                *name = row;
            }
        }
        let (mut tile, mut columns) = (Tile::default(), Columns::default());
        for (number, first_row) in (0..len).step_by(MAX_LANES).enumerate() {
            let lanes = (len - first_row).min(MAX_LANES);
            match only {
                Some(classes) => tile.set_all_classes(classes),
                None => {
                    for lane in 0..lanes {
                        let row = (first_row + lane) as u32;
                        tile.set_classes(lane, views.map(|view| view.class(row)));
                    }
                }
            }
            let mut at = 0;
            while at < lanes {
                let mut first = load(simd, layouts[0], first_row + at);
                let mut second = load(simd, layouts[1], first_row + at);
                if only.is_none() {
                    let swapped = simd.lt(simd.splat(0.0), tile.exchanged(simd, at));
                    (first, second) = (
                        RoundedBodies::select(simd, swapped, second, first),
                        RoundedBodies::select(simd, swapped, first, second),
                    );
                }
                tile.set_sides(simd, [first, second], at);
                let manifold = if ROUND == 2 {
                    CircleCircle.contact(simd, &tile, at, margin, inclusive)
                } else {
                    Upright.contact(simd, &tile, at, margin, inclusive)
                };
                // With a margin, boxes have to be near each other, too, as for all who look for contacts. Without
                // one, that is what the kernel has decided.
                let near = if with_margin {
                    let first = first.widened(simd, half_margin);
                    touching(simd, first, second.widened(simd, half_margin), true)
                } else {
                    manifold.hit
                };
                columns.store(simd, &tile, at, &manifold.only(simd, near));
                at += S::LANES;
            }
            columns.write_rows::<ROUND>(number, &mut out);
            for live in live.into_iter().flatten() {
                for lane in 0..lanes {
                    if live[first_row / 64] >> (first_row % 64 + lane) & 1 == 0 {
                        out.clear(number, lane);
                    }
                }
            }
        }
    }
}

/// The shapes from row `at` on.
#[inline(always)]
fn load<S: Simd>(simd: S, layout: Layout<'_>, at: usize) -> RoundedBodies<S> {
    match layout {
        Layout::Circles(set) => set.load_any(simd, at).rounded(simd),
        Layout::Boxes(set) => set.load_any(simd, at).rounded(simd),
        Layout::Centered(set) => set.load_any(simd, at).rounded(simd),
        Layout::Rounded(set) => set.load_any(simd, at),
    }
}
