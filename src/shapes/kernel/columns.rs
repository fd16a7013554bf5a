//! Columns in memory, loaded as [`Items`].

#[cfg(feature = "queries")]
use std::ops::Range;

use super::items::{BoxItems, CircleItems, Items, RoundedItems};
#[cfg(feature = "queries")]
use crate::simd::map_each;
use crate::simd::{MAX_LANES, Simd};

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

impl ColumnSet for CircleColumns<'_> {
    type Items<S: Simd> = CircleItems<S>;

    #[inline(always)]
    fn load<S: Simd>(self, simd: S, at: usize) -> CircleItems<S> {
        let Self { x, y, radius } = self;
        CircleItems { x: simd.load(x, at), y: simd.load(y, at), radius: simd.load(radius, at) }
    }

    #[inline(always)]
    fn load_tail<S: Simd>(self, simd: S, at: usize) -> CircleItems<S> {
        let Self { x, y, radius } = self;
        let [x, y, radius] = &tails([x, y, radius], at);
        CircleColumns { x, y, radius }.load(simd, 0)
    }

    #[inline(always)]
    fn gather<S: Simd>(self, simd: S, rows: &[u32], at: usize) -> CircleItems<S> {
        let Self { x, y, radius } = self;
        CircleItems {
            x: simd.gather(x, rows, at),
            y: simd.gather(y, rows, at),
            radius: simd.gather(radius, rows, at),
        }
    }

    #[inline(always)]
    fn splat<S: Simd>(self, simd: S, at: usize) -> CircleItems<S> {
        let Self { x, y, radius } = self;
        CircleItems { x: simd.splat(x[at]), y: simd.splat(y[at]), radius: simd.splat(radius[at]) }
    }

    #[inline(always)]
    fn len(self) -> usize {
        self.x.len()
    }
}

impl ColumnSet for BoxColumns<'_> {
    type Items<S: Simd> = BoxItems<S>;

    #[inline(always)]
    fn load<S: Simd>(self, simd: S, at: usize) -> BoxItems<S> {
        let Self { min_x, min_y, max_x, max_y } = self;
        BoxItems {
            min_x: simd.load(min_x, at),
            min_y: simd.load(min_y, at),
            max_x: simd.load(max_x, at),
            max_y: simd.load(max_y, at),
        }
    }

    #[inline(always)]
    fn load_tail<S: Simd>(self, simd: S, at: usize) -> BoxItems<S> {
        let Self { min_x, min_y, max_x, max_y } = self;
        let [min_x, min_y, max_x, max_y] = &tails([min_x, min_y, max_x, max_y], at);
        BoxColumns { min_x, min_y, max_x, max_y }.load(simd, 0)
    }

    #[inline(always)]
    fn gather<S: Simd>(self, simd: S, rows: &[u32], at: usize) -> BoxItems<S> {
        let Self { min_x, min_y, max_x, max_y } = self;
        BoxItems {
            min_x: simd.gather(min_x, rows, at),
            min_y: simd.gather(min_y, rows, at),
            max_x: simd.gather(max_x, rows, at),
            max_y: simd.gather(max_y, rows, at),
        }
    }

    #[inline(always)]
    fn splat<S: Simd>(self, simd: S, at: usize) -> BoxItems<S> {
        let Self { min_x, min_y, max_x, max_y } = self;
        BoxItems {
            min_x: simd.splat(min_x[at]),
            min_y: simd.splat(min_y[at]),
            max_x: simd.splat(max_x[at]),
            max_y: simd.splat(max_y[at]),
        }
    }

    #[inline(always)]
    fn len(self) -> usize {
        self.min_x.len()
    }
}

impl CenteredColumns<'_> {
    /// The sides of the boxes around `x`, `y`.
    #[inline(always)]
    fn sides<S: Simd>(simd: S, [x, y, half_width, half_height]: [S::F32; 4]) -> BoxItems<S> {
        BoxItems {
            min_x: simd.sub(x, half_width),
            min_y: simd.sub(y, half_height),
            max_x: simd.add(x, half_width),
            max_y: simd.add(y, half_height),
        }
    }
}

impl ColumnSet for CenteredColumns<'_> {
    type Items<S: Simd> = BoxItems<S>;

    #[inline(always)]
    fn load<S: Simd>(self, simd: S, at: usize) -> BoxItems<S> {
        let Self { x, y, half_width, half_height } = self;
        Self::sides(
            simd,
            [
                simd.load(x, at),
                simd.load(y, at),
                simd.load(half_width, at),
                simd.load(half_height, at),
            ],
        )
    }

    #[inline(always)]
    fn load_tail<S: Simd>(self, simd: S, at: usize) -> BoxItems<S> {
        let Self { x, y, half_width, half_height } = self;
        let [x, y, half_width, half_height] = &tails([x, y, half_width, half_height], at);
        CenteredColumns { x, y, half_width, half_height }.load(simd, 0)
    }

    #[inline(always)]
    fn gather<S: Simd>(self, simd: S, rows: &[u32], at: usize) -> BoxItems<S> {
        let Self { x, y, half_width, half_height } = self;
        Self::sides(
            simd,
            [
                simd.gather(x, rows, at),
                simd.gather(y, rows, at),
                simd.gather(half_width, rows, at),
                simd.gather(half_height, rows, at),
            ],
        )
    }

    #[inline(always)]
    fn splat<S: Simd>(self, simd: S, at: usize) -> BoxItems<S> {
        let Self { x, y, half_width, half_height } = self;
        Self::sides(
            simd,
            [
                simd.splat(x[at]),
                simd.splat(y[at]),
                simd.splat(half_width[at]),
                simd.splat(half_height[at]),
            ],
        )
    }

    // The sides alone do not show a negative half extent: if it is tiny compared with the centre,
    // both sides round to the centre.
    #[inline(always)]
    fn well_formed<S: Simd>(self, simd: S, at: usize) -> S::Mask {
        let zero = simd.splat(0.0);
        simd.and(
            simd.le(zero, simd.load(self.half_width, at)),
            simd.le(zero, simd.load(self.half_height, at)),
        )
    }

    #[inline(always)]
    fn len(self) -> usize {
        self.x.len()
    }
}

impl RoundedColumns<'_> {
    /// Some of the rows.
    #[cfg(feature = "queries")]
    #[inline(always)]
    pub(crate) fn range(&self, rows: Range<usize>) -> Self {
        let BoxColumns { min_x, min_y, max_x, max_y } = self.core;
        let [min_x, min_y, max_x, max_y, radius] =
            map_each([min_x, min_y, max_x, max_y, self.radius], |column| &column[rows.clone()]);
        Self { core: BoxColumns { min_x, min_y, max_x, max_y }, radius }
    }
}

impl ColumnSet for RoundedColumns<'_> {
    type Items<S: Simd> = RoundedItems<S>;

    #[inline(always)]
    fn load<S: Simd>(self, simd: S, at: usize) -> RoundedItems<S> {
        RoundedItems { core: self.core.load(simd, at), radius: simd.load(self.radius, at) }
    }

    #[inline(always)]
    fn load_tail<S: Simd>(self, simd: S, at: usize) -> RoundedItems<S> {
        let BoxColumns { min_x, min_y, max_x, max_y } = self.core;
        let [min_x, min_y, max_x, max_y, radius] =
            &tails([min_x, min_y, max_x, max_y, self.radius], at);
        let core = BoxColumns { min_x, min_y, max_x, max_y };
        RoundedColumns { core, radius }.load(simd, 0)
    }

    #[inline(always)]
    fn gather<S: Simd>(self, simd: S, rows: &[u32], at: usize) -> RoundedItems<S> {
        let radius = simd.gather(self.radius, rows, at);
        RoundedItems { core: self.core.gather(simd, rows, at), radius }
    }

    #[inline(always)]
    fn splat<S: Simd>(self, simd: S, at: usize) -> RoundedItems<S> {
        RoundedItems { core: self.core.splat(simd, at), radius: simd.splat(self.radius[at]) }
    }

    #[inline(always)]
    fn len(self) -> usize {
        self.radius.len()
    }
}
