//! How large the cells are, how many, and which one a body is in.

use crate::{
    Error,
    kernel::{bodies::Bodies, columns::ColumnSet},
    shape::MAX_COORDINATE,
    simd::Simd,
    store::Extent,
};

/// How the size of the cells is chosen.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[non_exhaustive]
pub enum CellSize {
    /// From the shapes: as small as their largest allows, and no smaller than leaves about
    /// one and a half bodies a cell.
    #[default]
    Auto,
    /// A width and height of the caller's choice, in units of length: finite, above 0, at most
    /// 2^60. Cells are made larger where the largest shape, or the limit on the number of cells
    /// (two a body), asks for it; results never depend on it, only their grid order and the time.
    Fixed(f32),
}

impl CellSize {
    /// This size, if it is one.
    pub(crate) fn checked(self) -> Result<Self, Error> {
        match self {
            CellSize::Fixed(value) if !(value > 0.0 && value <= MAX_COORDINATE) => {
                Err(Error::InvalidCellSize { value })
            }
            size => Ok(size),
        }
    }
}

/// Bodies a cell that automatic cells aim at. Fewer cells are less to build, more cells less to
/// test; measured flat from 1.0 to 1.7 at 8 lanes, slower from 2.2 on (docs/performance.md). The same on every level,
/// for the order of pairs follows from it.
const BODIES_PER_CELL: f64 = 1.6;

/// The grid of one scene: `columns` × `rows` cells, each row followed by one that stays empty, so
/// that a step left from the first column and right from the last lands in an empty cell.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Plan {
    /// `min + max` of the lowest centre along x and y.
    origin: [f32; 2],
    /// Cells per unit of `min + max` along x and y.
    scale: [f32; 2],
    /// Cells from one row to the next, the empty one included.
    pub(crate) stride: u32,
    /// Rows.
    pub(crate) rows: u32,
}

impl Plan {
    /// Lays a grid over `count` bodies (at least one).
    ///
    /// **No two touching bodies are more than one cell apart.** In units of cells, along one axis:
    /// let `s` be a body's exact `min + max`, `c = s/2` its centre, `u` the cell coordinate that
    /// [`locate`](Plan::locate) computes before truncation, `e = 2^-24` the rounding error of one
    /// `f32` operation, `m` the largest magnitude of a centre and `C` the number of cells.
    ///
    /// 1. A pair that the kernel accepts has a true gap of at most `r (1 + 3e)`, `r` being the sum
    ///    of the radii (one rounding each in the gap and in the sum; the guard of the inclusive
    ///    rule, or the squares, compare these two). So its centres are at most `E (1 + 3e)` apart,
    ///    where `E` is the largest size of a shape; and the computed `largest` is at least
    ///    `E (1 - 3e)`.
    /// 2. `min + max` is rounded once: `c` is off by at most `e m`. So are the differences of two.
    /// 3. `(s - origin) * scale` is rounded twice: `u` is off by at most `2 e C` cells.
    ///
    /// With a cell of at least `(E (1 + 8e) + 4 e m) / (1 - 8 e C)` the computed coordinates of a
    /// touching pair differ by at most 1, so their whole parts differ by at most 1. (The slack
    /// between these numbers and the sums of the terms above covers the rounding of `scale`.)
    /// Truncation is the floor here: coordinates are relative to the lowest centre, so never
    /// negative.
    pub(crate) fn new(extent: &Extent, count: usize, size: CellSize) -> Self {
        const E: f64 = 1.0 / (1 << 24) as f64;
        let span = [0, 1]
            .map(|axis| (f64::from(extent.sum_max[axis]) - f64::from(extent.sum_min[axis])) / 2.0);
        let smallest = [0, 1].map(|axis| {
            let magnitude = extent.sum_max[axis].abs().max(extent.sum_min[axis].abs()) / 2.0;
            let size = f64::from(extent.largest[axis]) * (1.0 + 8.0 * E);
            // The floor of 2^-60 keeps `scale` finite when all shapes are (nearly) one point.
            (size + 4.0 * E * f64::from(magnitude)).max(1.0 / MAX_COORDINATE as f64)
        });
        let mut cell = match size {
            CellSize::Auto => automatic(span, smallest, count),
            CellSize::Fixed(side) => smallest.map(|smallest| smallest.max(f64::from(side))),
        };

        // Two cells a body at most, and few enough a side that the term 8 e C stays below a half.
        let most_cells = (2.0 * count as f64 + 64.0).min((1_u32 << 30) as f64);
        let most_a_side = (1_u32 << 20) as f64;
        loop {
            let cells = [0, 1].map(|axis| span[axis] / cell[axis] + 2.0);
            if cells[0] * cells[1] <= most_cells && cells[0].max(cells[1]) <= most_a_side {
                cell = [0, 1]
                    .map(|axis| cell[axis].max(smallest[axis] / (1.0 - 8.0 * E * cells[axis])));
                break;
            }
            let longer = usize::from(cells[1] > cells[0]);
            cell[longer] *= 1.25;
        }

        // Half a cell per unit of centre is a cell per unit of `min + max`.
        let mut plan = Self {
            origin: extent.sum_min,
            scale: cell.map(|cell| (0.5 / cell) as f32),
            stride: 0,
            rows: 0,
        };
        // The last column and row by the same arithmetic as any body's: rounding is monotonic, so
        // no body can be beyond them.
        let last = [0, 1]
            .map(|axis| ((extent.sum_max[axis] - plan.origin[axis]) * plan.scale[axis]) as u32);
        plan.stride = last[0] + 2;
        plan.rows = last[1] + 1;
        plan
    }

    /// The number of cells, the empty ones at the ends of rows included.
    pub(crate) fn cells(&self) -> usize {
        self.stride as usize * self.rows as usize
    }

    /// Writes the cell of each of the `count` bodies from row `first` on to `cells`, which must
    /// reach [`MAX_LANES`](crate::simd::MAX_LANES) further.
    #[inline(always)]
    pub(super) fn locate<S: Simd, C: ColumnSet>(
        &self,
        simd: S,
        set: C,
        first: usize,
        count: usize,
        cells: &mut [u32],
    ) {
        let [origin_x, origin_y] = self.origin;
        let [scale_x, scale_y] = self.scale;
        let (origin_x, origin_y) = (simd.splat(origin_x), simd.splat(origin_y));
        let (scale_x, scale_y) = (simd.splat(scale_x), simd.splat(scale_y));
        let mut at = 0;
        while at < count {
            let bodies = set.load_any(simd, first + at);
            let sum_x = simd.add(bodies.min_x(), bodies.max_x());
            let sum_y = simd.add(bodies.min_y(), bodies.max_y());
            let column = simd.mul(simd.sub(sum_x, origin_x), scale_x);
            let row = simd.mul(simd.sub(sum_y, origin_y), scale_y);
            simd.store_cells(column, row, self.stride, cells, at);
            at += S::LANES;
        }
    }
}

/// Cells with [`BODIES_PER_CELL`] on average over the area that the bodies span, but none smaller
/// than `smallest`. Where one side is held up by that, the other shrinks to keep the area.
fn automatic(span: [f64; 2], smallest: [f64; 2], count: usize) -> [f64; 2] {
    let [width, height] = [0, 1].map(|axis| span[axis].max(smallest[axis]));
    let area = width * height * BODIES_PER_CELL / count as f64;
    let across = area.sqrt().max(smallest[0]);
    let up = (area / across).max(smallest[1]);
    [(area / up).max(smallest[0]), up]
}
