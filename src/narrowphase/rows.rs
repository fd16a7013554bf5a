//! Contacts of axis-aligned shapes row by row, from columns to columns.
//!
//! Nothing is gathered, sorted or left out: a tile is sixteen rows, and its contacts are the same sixteen rows
//! of every column.

use super::{
    ContactColumns, PairKernel, PointColumns, View,
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
    /// `b`, and what it calls the two shapes is `i`. Where there is no contact, `count` is 0 and all else
    /// but that is, too.
    ///
    /// What [`Narrowphase::contacts`](crate::Narrowphase::contacts) gives for the same two shapes, bit for bit. For
    /// callers whose pairs lie side by side in columns: nothing has to be fetched from anywhere. Hand over some
    /// thousand rows at a time, and their contacts, 72 bytes a row, stay in a cache until they are read.
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
        let out = out(contacts);
        dispatch(self.isa, Rows { views, only, live, len: a.len, inclusive, margin, out });
        contacts.resize(a.len);
        Ok(())
    }
}

/// The columns of contacts in tiles. Of axis-aligned shapes, none has parts: these columns are zeros already,
/// unless other contacts were there before.
fn out(contacts: &mut ContactColumns) -> RowsOut<'_> {
    let ContactColumns { a, b, part_a, part_b, normal_x, normal_y, depth, count, points } =
        contacts;
    part_a.fill(0);
    part_b.fill(0);
    let [first, second] = points;
    let PointColumns { x, y, depth: point_depth, feature_a, feature_b } = first;
    let PointColumns {
        x: second_x,
        y: second_y,
        depth: second_depth,
        feature_a: second_feature_a,
        feature_b: second_feature_b,
    } = second;
    RowsOut {
        names: [a, b].map(|column| tiles(column)),
        count: tiles(count),
        values: [normal_x, normal_y, depth, x, y, point_depth, second_x, second_y, second_depth]
            .map(|column| tiles(column)),
        features: [feature_a, feature_b, second_feature_a, second_feature_b]
            .map(|column| tiles(column)),
    }
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

impl Kernel for Rows<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let Self { views, only, live, len, inclusive, margin, mut out } = self;
        let layouts = views.map(|view| view.layout());
        let all_round = only == Some([Class::Round; 2]);
        let boxes_inclusive = inclusive || margin > 0.0;
        let (margin, half_margin) = (simd.splat(margin), simd.splat(margin * 0.5));
        let (mut tile, mut columns) = (Tile::default(), Columns::default());
        for (number, first) in (0..len).step_by(MAX_LANES).enumerate() {
            let lanes = (len - first).min(MAX_LANES);
            match only {
                Some(classes) => tile.set_all_classes(classes),
                None => {
                    for lane in 0..lanes {
                        let row = (first + lane) as u32;
                        tile.set_classes(lane, views.map(|view| view.class(row)));
                    }
                }
            }
            let mut near = 0;
            for at in (0..lanes).step_by(S::LANES) {
                let [a, b] = layouts.map(|layout| load(simd, layout, first + at));
                let [wide_a, wide_b] = [a, b].map(|bodies| bodies.widened(simd, half_margin));
                near |= simd.bits(touching(simd, wide_a, wide_b, boxes_inclusive)) << at;
                let exchanged = simd.lt(simd.splat(0.0), tile.exchanged(simd, at));
                let first = RoundedBodies::select(simd, exchanged, b, a);
                let second = RoundedBodies::select(simd, exchanged, a, b);
                tile.set_sides(simd, [first, second], at);
                let manifold = if all_round {
                    CircleCircle.contact(simd, &tile, at, margin, inclusive)
                } else {
                    Upright.contact(simd, &tile, at, margin, inclusive)
                };
                columns.store(simd, &tile, at, &manifold);
            }
            for live in live.into_iter().flatten() {
                near &= (live[first / 64] >> (first % 64)) as u32;
            }
            columns.write_rows(near, number, &mut out);
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
