//! Columns in memory, and `LANES` shapes in registers that are loaded of them.

#[cfg(feature = "queries")]
use std::ops::Range;

use crate::{
    shape::MAX_COORDINATE,
    simd::{MAX_LANES, Simd},
};

/// Columns of one length that describe shapes of one kind.
pub(crate) trait ColumnSet: Copy + Send + Sync {
    /// The shapes of the columns in registers.
    type Items<S: Simd>: Items<S>;

    /// Loads the shapes `at..at + LANES`. The columns must reach that far.
    fn load<S: Simd>(self, simd: S, at: usize) -> Self::Items<S>;

    /// Loads the shapes from `at` to the end, fewer than `LANES`, and zeros after them.
    fn load_tail<S: Simd>(self, simd: S, at: usize) -> Self::Items<S>;

    /// Loads the shape `at` into every lane.
    fn splat<S: Simd>(self, simd: S, at: usize) -> Self::Items<S>;

    /// Loads the shapes `rows[at..at + LANES]`. Every row must be within the columns.
    fn gather<S: Simd>(self, simd: S, rows: &[u32], at: usize) -> Self::Items<S>;

    /// The lanes of the rows `at..at + LANES` that pass the checks that their [`Items`] cannot
    /// show. By default, all lanes pass.
    #[inline(always)]
    fn well_formed<S: Simd>(self, simd: S, _at: usize) -> S::Mask {
        let zero = simd.splat(0.0);
        simd.le(zero, zero)
    }

    /// The length of the columns, slack included.
    fn len(self) -> usize;

    /// Loads the shapes from `at` on: a whole vector where the columns reach far enough, else the
    /// tail.
    #[inline(always)]
    fn load_any<S: Simd>(self, simd: S, at: usize) -> Self::Items<S> {
        if at + S::LANES <= self.len() { self.load(simd, at) } else { self.load_tail(simd, at) }
    }
}

/// The values of `columns` from `at` on, each padded with zeros to a whole vector.
///
/// Not inlined, because it is rare and would otherwise be compiled into every loop over columns.
#[inline(never)]
fn tails<const N: usize>(columns: [&[f32]; N], at: usize) -> [[f32; MAX_LANES]; N] {
    let mut padded = [[0.0; MAX_LANES]; N];
    for (padded, column) in padded.iter_mut().zip(columns) {
        let rest = &column[at..];
        let count = rest.len().min(MAX_LANES);
        padded[..count].copy_from_slice(&rest[..count]);
    }
    padded
}

/// Circles by centre and radius.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CircleColumns<'a> {
    pub(crate) x: &'a [f32],
    pub(crate) y: &'a [f32],
    pub(crate) radius: &'a [f32],
}

/// Boxes by their sides; points are boxes whose sides are the same columns.
#[derive(Debug, Clone, Copy)]
pub(crate) struct BoxColumns<'a> {
    pub(crate) min_x: &'a [f32],
    pub(crate) min_y: &'a [f32],
    pub(crate) max_x: &'a [f32],
    pub(crate) max_y: &'a [f32],
}

/// Boxes by centre and half extents. Each side is one rounded sum.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CenteredColumns<'a> {
    pub(crate) x: &'a [f32],
    pub(crate) y: &'a [f32],
    pub(crate) half_width: &'a [f32],
    pub(crate) half_height: &'a [f32],
}

/// Rounded boxes: any mix of kinds.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RoundedColumns<'a> {
    pub(crate) core: BoxColumns<'a>,
    pub(crate) radius: &'a [f32],
}

impl<'a> CircleColumns<'a> {
    /// The same shapes as rounded boxes, whose sides are the same columns.
    pub(crate) fn rounded(self) -> RoundedColumns<'a> {
        let Self { x, y, radius } = self;
        RoundedColumns { core: BoxColumns { min_x: x, min_y: y, max_x: x, max_y: y }, radius }
    }
}

#[cfg(feature = "queries")]
impl RoundedColumns<'_> {
    /// Some of the rows.
    #[inline(always)]
    pub(crate) fn range(self, rows: &Range<usize>) -> Self {
        self.map(|column| &column[rows.clone()])
    }
}

/// Makes sets of columns of a table: the columns, as they stand in the set, and the lanes that they
/// become. A column and its lanes have one name.
macro_rules! column_sets {
    ($($set:ident $columns:tt of [$($name:ident),*] => |$simd:ident| $items:ident $lanes:tt
        $(where $($size:ident),* are positive)?;)*) => {$(
        impl<'a> $set<'a> {
            /// The set of other columns, each made of a column of this set, in their order.
            #[inline(always)]
            pub(crate) fn map<'b>(self, mut to: impl FnMut(&'a [f32]) -> &'b [f32]) -> $set<'b> {
                let $set $columns = self;
                $(let $name = to($name);)*
                $set $columns
            }
        }

        impl ColumnSet for $set<'_> {
            type Items<S: Simd> = $items<S>;

            #[inline(always)]
            fn load<S: Simd>(self, $simd: S, at: usize) -> $items<S> {
                let $set $columns = self;
                $(let $name = $simd.load($name, at);)*
                $items $lanes
            }

            #[inline(always)]
            fn load_tail<S: Simd>(self, simd: S, at: usize) -> $items<S> {
                let $set $columns = self;
                let [$($name),*] = &tails([$($name),*], at);
                $set $columns.load(simd, 0)
            }

            #[inline(always)]
            fn gather<S: Simd>(self, $simd: S, rows: &[u32], at: usize) -> $items<S> {
                let $set $columns = self;
                $(let $name = $simd.gather($name, rows, at);)*
                $items $lanes
            }

            #[inline(always)]
            fn splat<S: Simd>(self, $simd: S, at: usize) -> $items<S> {
                let $set $columns = self;
                $(let $name = $simd.splat($name[at]);)*
                $items $lanes
            }

            $(#[inline(always)]
            fn well_formed<S: Simd>(self, simd: S, at: usize) -> S::Mask {
                let zero = simd.splat(0.0);
                let [one, other] = [$(simd.le(zero, simd.load(self.$size, at))),*];
                simd.and(one, other)
            })?

            #[inline(always)]
            fn len(self) -> usize {
                let $set $columns = self;
                [$($name),*][0].len()
            }
        }
    )*};
}

column_sets! {
    CircleColumns { x, y, radius } of [x, y, radius] => |simd| CircleItems { x, y, radius };
    BoxColumns { min_x, min_y, max_x, max_y } of [min_x, min_y, max_x, max_y] =>
        |simd| BoxItems { min_x, min_y, max_x, max_y };
    RoundedColumns { core: BoxColumns { min_x, min_y, max_x, max_y }, radius }
        of [min_x, min_y, max_x, max_y, radius] =>
        |simd| RoundedItems { core: BoxItems { min_x, min_y, max_x, max_y }, radius };
    // The sides alone do not show a negative half extent: if it is tiny compared with the centre,
    // both sides round to the centre.
    CenteredColumns { x, y, half_width, half_height } of [x, y, half_width, half_height] =>
        |simd| BoxItems {
            min_x: simd.sub(x, half_width),
            min_y: simd.sub(y, half_height),
            max_x: simd.add(x, half_width),
            max_y: simd.add(y, half_height)
        }
        where half_width, half_height are positive;
}

/// `LANES` shapes of one kind, treated as rounded boxes.
///
/// At compile time, the constants let [`overlap`](super::overlap::overlap) omit the steps that a
/// kind does not need. They do not change a bit of the result.
pub(crate) trait Items<S: Simd>: Copy {
    /// Whether cores may have a size. If not, min and max are the same values.
    const SIZED: bool;
    /// Whether radii may be above zero.
    const ROUND: bool;

    /// The cores.
    fn core(self) -> BoxItems<S>;
    /// The radii. They are zeros where the kind is not [`ROUND`](Items::ROUND).
    fn radius(self, simd: S) -> S::F32;

    /// The same shapes in the general form.
    #[inline(always)]
    fn rounded(self, simd: S) -> RoundedItems<S> {
        RoundedItems { core: self.core(), radius: self.radius(simd) }
    }

    #[inline(always)]
    fn min_x(self) -> S::F32 {
        self.core().min_x
    }

    #[inline(always)]
    fn min_y(self) -> S::F32 {
        self.core().min_y
    }

    #[inline(always)]
    fn max_x(self) -> S::F32 {
        self.core().max_x
    }

    #[inline(always)]
    fn max_y(self) -> S::F32 {
        self.core().max_y
    }
}

/// Circles: cores of zero size.
#[derive(Clone, Copy)]
pub(crate) struct CircleItems<S: Simd> {
    pub(crate) x: S::F32,
    pub(crate) y: S::F32,
    pub(crate) radius: S::F32,
}

/// Boxes: no radius. Points are boxes of zero size.
#[derive(Clone, Copy)]
pub(crate) struct BoxItems<S: Simd> {
    pub(crate) min_x: S::F32,
    pub(crate) min_y: S::F32,
    pub(crate) max_x: S::F32,
    pub(crate) max_y: S::F32,
}

/// The general case: boxes with a radius around them.
#[derive(Clone, Copy)]
pub(crate) struct RoundedItems<S: Simd> {
    pub(crate) core: BoxItems<S>,
    pub(crate) radius: S::F32,
}

impl<S: Simd> RoundedItems<S> {
    /// Returns the lanes of `yes` where `mask` is set and the lanes of `no` elsewhere.
    #[inline(always)]
    pub(crate) fn select(simd: S, mask: S::Mask, yes: Self, no: Self) -> Self {
        let core = BoxItems {
            min_x: simd.select(mask, yes.core.min_x, no.core.min_x),
            min_y: simd.select(mask, yes.core.min_y, no.core.min_y),
            max_x: simd.select(mask, yes.core.max_x, no.core.max_x),
            max_y: simd.select(mask, yes.core.max_y, no.core.max_y),
        };
        Self { core, radius: simd.select(mask, yes.radius, no.radius) }
    }

    /// Adds `by` to the radii. The result is at most [`MAX_COORDINATE`].
    #[inline(always)]
    pub(crate) fn widened(self, simd: S, by: S::F32) -> Self {
        let wide = simd.add(self.radius, by);
        Self { radius: simd.min(wide, simd.splat(MAX_COORDINATE)), ..self }
    }
}

impl<S: Simd> Items<S> for CircleItems<S> {
    const SIZED: bool = false;
    const ROUND: bool = true;

    #[inline(always)]
    fn core(self) -> BoxItems<S> {
        BoxItems { min_x: self.x, min_y: self.y, max_x: self.x, max_y: self.y }
    }

    #[inline(always)]
    fn radius(self, _: S) -> S::F32 {
        self.radius
    }
}

impl<S: Simd> Items<S> for BoxItems<S> {
    const SIZED: bool = true;
    const ROUND: bool = false;

    #[inline(always)]
    fn core(self) -> BoxItems<S> {
        self
    }

    #[inline(always)]
    fn radius(self, simd: S) -> S::F32 {
        simd.splat(0.0)
    }
}

impl<S: Simd> Items<S> for RoundedItems<S> {
    const SIZED: bool = true;
    const ROUND: bool = true;

    #[inline(always)]
    fn core(self) -> BoxItems<S> {
        self.core
    }

    #[inline(always)]
    fn radius(self, _: S) -> S::F32 {
        self.radius
    }
}
