//! `Layout`: the layouts of columns of axis-aligned shapes. `Column`: a growable column with
//! zeros behind its end.

use std::ops::{Deref, DerefMut, Range};

use crate::{
    base::{buffer::make_room, copied},
    kernel::{
        BoxColumns, CenteredColumns, CircleColumns, ColumnSet, Items, RoundedColumns, RoundedItems,
    },
    shape::{Aabb, AxisAligned, Circle, Kind, RoundedBox},
    simd::{MAX_LANES, Simd},
};

/// Columns of axis-aligned shapes, in one of four layouts.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Layout<'a> {
    Circles(CircleColumns<'a>),
    Boxes(BoxColumns<'a>),
    Centered(CenteredColumns<'a>),
    Rounded(RoundedColumns<'a>),
}

impl<'a> Layout<'a> {
    /// The kind of rows in this layout. Points have no layout of their own and count as boxes.
    pub(super) fn kind(&self) -> Kind {
        match self {
            Layout::Circles(_) => Kind::Circle,
            Layout::Boxes(_) | Layout::Centered(_) => Kind::Aabb,
            Layout::Rounded(_) => Kind::RoundedBox,
        }
    }

    /// The columns of a range of rows.
    pub(crate) fn rows(&self, rows: Range<usize>) -> Self {
        self.map(|column| &column[rows.clone()])
    }

    /// The layout of other columns, each made of a column of this layout, in their order.
    fn map<'b>(&self, to: impl FnMut(&'a [f32]) -> &'b [f32]) -> Layout<'b> {
        match *self {
            Layout::Circles(set) => Layout::Circles(set.map(to)),
            Layout::Boxes(set) => Layout::Boxes(set.map(to)),
            Layout::Centered(set) => Layout::Centered(set.map(to)),
            Layout::Rounded(set) => Layout::Rounded(set.map(to)),
        }
    }

    /// Copies the listed rows to `columns`, and returns them. The rows must exist.
    pub(crate) fn copy_rows<'c>(self, rows: &[u32], columns: &'c mut [Vec<f32>; 5]) -> Layout<'c> {
        let mut copies = columns.iter_mut();
        self.map(|column| match copies.next() {
            Some(copy) => gather(copy, column, rows),
            None => unreachable!("no layout has more than five columns"),
        })
    }

    /// The shape of `row`, as a rounded box.
    #[inline]
    pub(crate) fn rounded_box(&self, row: usize) -> RoundedBox {
        match *self {
            Layout::Circles(set) => {
                Circle { x: set.x[row], y: set.y[row], radius: set.radius[row] }.rounded_box()
            }
            Layout::Boxes(set) => box_at(set, row).rounded_box(),
            Layout::Centered(set) => {
                let center = [set.x[row], set.y[row]];
                let half = [set.half_width[row], set.half_height[row]];
                Aabb::centered(center, half).rounded_box()
            }
            Layout::Rounded(set) => set.rounded_box(row),
        }
    }

    /// Passes the number and the shape of each of the first `len` rows to `take`.
    #[inline(always)]
    pub(crate) fn each_rounded(&self, len: usize, mut take: impl FnMut(usize, RoundedBox)) {
        match *self {
            // The layout is known in the loop over boxes, which are the layout of most calls.
            Layout::Rounded(set) => {
                for row in 0..len {
                    take(row, set.rounded_box(row));
                }
            }
            Layout::Boxes(set) => {
                for row in 0..len {
                    take(row, box_at(set, row).rounded_box());
                }
            }
            _ => {
                for row in 0..len {
                    take(row, self.rounded_box(row));
                }
            }
        }
    }
}

/// Evaluates `$call` with `$set` as the columns of `$layout`, once for each layout.
macro_rules! with_columns {
    ($layout:expr, $set:ident => $call:expr) => {
        match $layout {
            $crate::store::Layout::Circles($set) => $call,
            $crate::store::Layout::Boxes($set) => $call,
            $crate::store::Layout::Centered($set) => $call,
            $crate::store::Layout::Rounded($set) => $call,
        }
    };
}
pub(crate) use with_columns;

/// Columns of any layout, read as rounded boxes.
impl ColumnSet for Layout<'_> {
    type Items<S: Simd> = RoundedItems<S>;

    #[inline(always)]
    fn load<S: Simd>(self, simd: S, at: usize) -> RoundedItems<S> {
        with_columns!(self, set => set.load(simd, at).rounded(simd))
    }

    #[inline(always)]
    fn load_tail<S: Simd>(self, simd: S, at: usize) -> RoundedItems<S> {
        with_columns!(self, set => set.load_tail(simd, at).rounded(simd))
    }

    #[inline(always)]
    fn splat<S: Simd>(self, simd: S, at: usize) -> RoundedItems<S> {
        with_columns!(self, set => set.splat(simd, at).rounded(simd))
    }

    #[inline(always)]
    fn gather<S: Simd>(self, simd: S, rows: &[u32], at: usize) -> RoundedItems<S> {
        with_columns!(self, set => set.gather(simd, rows, at).rounded(simd))
    }

    // One match on the layout. The default method would match twice: for the length and for the
    // load.
    #[inline(always)]
    fn load_any<S: Simd>(self, simd: S, at: usize) -> RoundedItems<S> {
        with_columns!(self, set => set.load_any(simd, at).rounded(simd))
    }

    #[inline(always)]
    fn len(self) -> usize {
        with_columns!(self, set => set.len())
    }
}

impl RoundedColumns<'_> {
    /// The shape of `row`.
    #[inline(always)]
    pub(crate) fn rounded_box(&self, row: usize) -> RoundedBox {
        RoundedBox::new(box_at(self.core, row), self.radius[row])
    }
}

/// Replaces the content of `to` by the rows `rows` of `from`, and returns it.
fn gather<'a>(to: &'a mut Vec<f32>, from: &[f32], rows: &[u32]) -> &'a [f32] {
    make_room(to, rows.len());
    match *rows {
        [first, .., last] if are_consecutive(rows) => {
            to.extend_from_slice(&from[first as usize..=last as usize]);
        }
        _ => to.extend(rows.iter().map(|&row| from[row as usize])),
    }
    to
}

/// Whether some rows, which are ascending in runs, follow each other.
fn are_consecutive(rows: &[u32]) -> bool {
    rows.windows(2).all(|two| two[1] == two[0].wrapping_add(1))
}

/// The box in `row`.
#[inline(always)]
fn box_at(set: BoxColumns<'_>, row: usize) -> Aabb {
    Aabb::new([set.min_x[row], set.min_y[row]], [set.max_x[row], set.max_y[row]])
}

/// The values of a rounded box in the order of the columns.
pub(super) fn values(rounded: RoundedBox) -> [f32; 5] {
    let RoundedBox { min_x, min_y, max_x, max_y, radius } = rounded;
    [min_x, min_y, max_x, max_y, radius]
}

/// A `Vec<f32>` that keeps [`MAX_LANES`] zeros behind its last value, so that a whole vector of any
/// SIMD level can be loaded from every position, including the last.
#[derive(Debug)]
pub(crate) struct Column {
    /// The values, then `MAX_LANES` zeros.
    padded: Vec<f32>,
}

copied!(Column { padded });

impl Default for Column {
    fn default() -> Self {
        Self { padded: vec![0.0; MAX_LANES] }
    }
}

impl Column {
    /// The values and the zeros behind them.
    pub(crate) fn padded(&self) -> &[f32] {
        &self.padded
    }

    /// The number of values, without the zeros behind them.
    pub(crate) fn len(&self) -> usize {
        self.padded.len() - MAX_LANES
    }

    /// Reserves capacity for `additional` more values.
    pub(crate) fn reserve(&mut self, additional: usize) {
        self.padded.reserve(additional);
    }

    /// Appends a value.
    pub(crate) fn push(&mut self, value: f32) {
        let end = self.len();
        self.padded.push(0.0);
        self.padded[end] = value;
    }

    /// Appends values.
    pub(crate) fn extend(&mut self, values: impl Iterator<Item = f32>) {
        self.padded.truncate(self.len());
        self.padded.extend(values);
        self.padded.extend([0.0; MAX_LANES]);
    }

    /// Removes all values and keeps the memory.
    pub(crate) fn clear(&mut self) {
        self.padded.truncate(MAX_LANES);
        self.padded.fill(0.0);
    }
}

impl Deref for Column {
    type Target = [f32];

    fn deref(&self) -> &[f32] {
        &self.padded[..self.len()]
    }
}

impl DerefMut for Column {
    fn deref_mut(&mut self) -> &mut [f32] {
        let end = self.len();
        &mut self.padded[..end]
    }
}
