//! From bodies and a level that they are not of to touching pairs.

use std::{marker::PhantomData, ops::Range};

use super::{
    Instance, Plan, Sorted,
    bounds::Bounds,
    cells::{Cells, Cover, Covers, FEW_ROWS, MARGIN, Reach},
    sink::{Cursor, Sink},
    windows::{Test, Windows, take_run},
};
use crate::{
    kernel::{bodies::Bodies, columns::ColumnSet, overlap::Rule},
    simd::{Kernel, MAX_LANES, Scalar, Simd},
};

/// Scans a level for partners of some bodies: of coarser levels, or of another grid.
///
/// In plain words:
///
/// ```text
/// for each body i:
///     for each row of the cells that may hold a body that touches i:
///         for each body j in the row:                              if overlap(i, j): emit(i, j)
/// ```
///
/// A row of cells is one run of places, as in the [`Sweep`](super::Sweep). What a body costs goes
/// with the cells that it covers, not with all there are: a giant costs what it overlaps.
///
/// What was changed for speed:
///
/// 1. The three steps (which places, which of them hit, which pairs) are done for some dozens of bodies at a
///    time, one after the other. The places of a body are far from those of the body before, so each step
///    waits for memory; done together, the bodies wait together. Bodies with many places go the plain way.
/// 2. Cells are found for a vector of bodies at once; where the level is dense, in `f32` ([`Reach`]).
/// 3. Rows are listed two by two, a vector each, without asking whether there are bodies in them, or a second
///    row at all: most bodies have one or two rows of a few bodies, and no predictor can guess which.
pub(crate) struct Scan<'a, I, J, K> {
    /// Where the bodies are.
    pub(crate) sorted: &'a Sorted,
    pub(crate) bodies: Range<usize>,
    /// Where their partners are.
    pub(crate) target: &'a Sorted,
    /// What pairs call the body in each place of either.
    pub(crate) ids: [&'a [u32]; 2],
    pub(crate) plan: &'a Plan,
    pub(crate) level: usize,
    /// Whether rows hold few bodies there.
    pub(crate) short_rows: bool,
    pub(crate) inclusive: bool,
    pub(crate) sink: &'a mut K,
    pub(crate) instances: PhantomData<(I, J)>,
}

/// Bodies whose cells are found at once: those of any vector.
const GROUP: usize = MAX_LANES;

impl<I: Instance, J: Instance, K: Sink> Kernel for Scan<'_, I, J, K> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        // Half of sixteen lanes, for sixteen would mostly be loaded for nothing.
        if self.short_rows && S::LANES > 8 {
            self.scan(simd.half());
        } else {
            self.scan(simd);
        }
    }
}

impl<I: Instance, J: Instance, K: Sink> Scan<'_, I, J, K> {
    #[inline(always)]
    fn scan<S: Simd>(self, simd: S) {
        let Self { sorted, bodies, target, plan, level, sink, ids: [ids, other_ids], .. } = self;
        let Self { inclusive, .. } = self;
        let (columns, others) = (sorted.padded::<I>(), target.padded::<J>());
        let rule = Rule { inclusive, normal: I::NORMAL && J::NORMAL };
        let cells = &plan.levels()[level];
        let count = target.bodies(level).len();
        let mut windows = Windows::new();
        let bounds = target.bounds(level);
        let around = Around { cells, reach: cells.reach(&bounds), count, bounds };
        let mut i = bodies.start;
        let mut group = i;
        let mut covers = around.covers(simd, columns, group);
        while i < bodies.end {
            // Which places.
            let mut rest = None;
            while i < bodies.end && windows.has_room(FEW_ROWS as usize) {
                if i >= group + GROUP {
                    group = i;
                    covers = around.covers(simd, columns, group);
                }
                let lane = i - group;
                if let Some([first, second]) = covers.few(lane, cells) {
                    let runs = [target.places_of(first), target.places_of(second)];
                    if runs[0].len().max(runs[1].len()) <= S::LANES {
                        windows.push_two(simd, i, runs);
                        i += 1;
                        continue;
                    }
                }
                let cover = match cells.cover(&covers, lane) {
                    Some(cover) => cover,
                    None => around.cover(columns, i),
                };
                let before = windows.len();
                if !push_short_rows(simd, i, &cover, target, &mut windows) {
                    windows.truncate(before);
                    if !push_rows(simd, i, &cover, target, &mut windows) {
                        windows.truncate(before);
                        rest = Some(cover);
                        break;
                    }
                }
                i += 1;
            }

            // Which of them hit, and which pairs that makes.
            let (list, instances) = (&mut windows, PhantomData::<(I, J)>);
            if inclusive {
                simd.call(Test::<_, _, true> { list, sorted, ids, target, instances });
            } else {
                simd.call(Test::<_, _, false> { list, sorted, ids, target, instances });
            }
            sink.make_room();
            let mut cursor = sink.cursor();
            windows.emit(simd, &mut cursor, other_ids);
            cursor.finish();

            // The plain way.
            let Some(cover) = rest else { continue };
            let body = columns.splat(simd, i);
            for row in 0..cover.rows {
                for run in cover.row(row) {
                    let places = target.places_of(run);
                    take_run(simd, (body, ids[i]), (others, other_ids), places, rule, sink);
                }
            }
            i += 1;
        }
    }
}

/// Adds the rows of body `i` two by two; `false` if one of them is longer than a vector, or goes on elsewhere.
#[inline(always)]
fn push_short_rows<S: Simd>(
    simd: S,
    i: usize,
    cover: &Cover,
    target: &Sorted,
    windows: &mut Windows,
) -> bool {
    if !cover.is_uncut() {
        return false;
    }
    let mut row = 0;
    while row < cover.rows {
        let [first, second] = cover.two_rows(row);
        let runs = [target.places_of(first), target.places_of(second)];
        if runs[0].len().max(runs[1].len()) > S::LANES {
            return false;
        }
        windows.push_two(simd, i, runs);
        row += 2;
    }
    true
}

/// Adds the windows of body `i`; `false` if there are too many.
#[inline(always)]
fn push_rows<S: Simd>(
    simd: S,
    i: usize,
    cover: &Cover,
    target: &Sorted,
    windows: &mut Windows,
) -> bool {
    if cover.rows > FEW_ROWS {
        return false;
    }
    for row in 0..cover.rows {
        let [run, wrapped] = cover.row(row);
        if !wrapped.is_empty() || !windows.push(simd, i, target.places_of(run)) {
            return false;
        }
    }
    windows.end_body();
    true
}

/// A level, to ask which of its cells may hold what touches a body.
struct Around<'a> {
    cells: &'a Cells,
    reach: Option<Reach>,
    /// How many bodies the level has, and the box around them.
    count: usize,
    bounds: Bounds,
}

impl Around<'_> {
    /// The covers of the bodies from place `at` on.
    #[inline(always)]
    fn covers<S: Simd, C: ColumnSet>(&self, simd: S, columns: C, at: usize) -> Covers<GROUP> {
        match self.reach {
            Some(reach) => reach.covers(simd, columns, at),
            None => {
                let sides = sides_of::<S, C, GROUP>(simd, columns, at);
                self.cells.covering_all(sides.each_ref(), self.count, &self.bounds)
            }
        }
    }

    /// The cover of the body at place `at`, of any kind.
    #[inline(always)]
    fn cover<C: ColumnSet>(&self, columns: C, at: usize) -> Cover {
        let [[min_x], [min_y], [max_x], [max_y]] = sides_of::<_, _, 1>(Scalar, columns, at);
        self.cells.covering([min_x, min_y], [max_x, max_y], self.count)
    }
}

/// The boxes around the bodies from place `at` on (left, lower, right, upper sides), radius included
/// and a little more: what the exact test may be off by.
#[inline(always)]
pub(super) fn sides_of<S: Simd, C: ColumnSet, const LANES: usize>(
    simd: S,
    columns: C,
    at: usize,
) -> [[f64; LANES]; 4] {
    let mut lanes = [[0.0; LANES]; 5];
    let [min_x, min_y, max_x, max_y, radius] = &mut lanes;
    for lane in (0..LANES).step_by(S::LANES) {
        let bodies = columns.load(simd, at + lane);
        simd.store(bodies.min_x(), min_x, lane);
        simd.store(bodies.min_y(), min_y, lane);
        simd.store(bodies.max_x(), max_x, lane);
        simd.store(bodies.max_y(), max_y, lane);
        simd.store(bodies.radius(simd), radius, lane);
    }
    let mut sides = [[0.0; LANES]; 4];
    for (side, (values, sign)) in
        sides.iter_mut().zip([(&*min_x, -1.0), (min_y, -1.0), (max_x, 1.0), (max_y, 1.0)])
    {
        for lane in 0..LANES {
            let radius = f64::from(radius[lane]) * (1.0 + MARGIN);
            side[lane] = f64::from(values[lane]) + sign * radius;
        }
    }
    sides
}
