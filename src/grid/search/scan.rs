//! From bodies and a level that they are not of to touching pairs.

use std::ops::Range;

use super::{
    sink::Sink,
    windows::{TwoGrids, Windows},
};
use crate::{
    grid::{
        plan::{Cells, Cover, Covers, F32Cover, FEW_ROWS, MARGIN, Plan},
        sort::{Bounds, LayoutKind, RoundedLayout, Sorted},
    },
    kernel::{
        bodies::Bodies,
        columns::{ColumnSet, RoundedColumns},
    },
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
///    waits for memory; done together, the bodies wait together.
/// 2. Cells are found for a vector of bodies at once; where the level is dense, in `f32` ([`F32Cover`]).
/// 3. Rows are listed two by two, a vector each, without asking whether there are bodies in them, or a second
///    row at all: most bodies have one or two rows of a few bodies, and no predictor can guess which.
///
/// Only the second step knows the kinds of the bodies: it is a function of its own, of which there
/// is one for each two kinds. Cells are found for bodies read as rounded boxes.
pub(crate) struct Scan<'a, 'b> {
    /// Where the bodies are, and where their partners are; and as what they were sorted.
    pub(crate) sorted: [&'a Sorted; 2],
    pub(crate) forms: [LayoutKind; 2],
    pub(crate) bodies: Range<usize>,
    /// What pairs call the body in each place of either.
    pub(crate) ids: [&'a [u32]; 2],
    pub(crate) plan: &'a Plan,
    pub(crate) level: usize,
    /// Whether rows hold few bodies there.
    pub(crate) short_rows: bool,
    pub(crate) inclusive: bool,
    pub(crate) sink: &'a mut Sink<'b>,
}

/// Bodies whose cells are found at once: those of any vector.
const GROUP: usize = MAX_LANES;

impl Kernel for Scan<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        // Half of sixteen lanes, for sixteen would mostly be loaded for nothing.
        if const { S::LANES > 8 } && self.short_rows {
            return self.scan(simd.half());
        }
        self.scan(simd);
    }
}

impl Scan<'_, '_> {
    #[inline(always)]
    fn scan<S: Simd>(self, simd: S) {
        let Self { sorted, forms, bodies, plan, level, sink, ids: [ids, other_ids], .. } = self;
        let [own, target] = sorted;
        let cells = &plan.levels()[level];
        let count = target.bodies(level).len();
        let mut windows = Windows::new();
        let columns = own.read_as::<RoundedLayout>(forms[0]);
        let grids = TwoGrids { sorted, forms, ids };
        let bounds = target.bounds(level);
        let around = Around { cells, reach: cells.f32_cover(&bounds), count, bounds };
        let mut covers = Covers::NONE;
        let (mut i, mut group_end) = (bodies.start, bodies.start);
        // Of the body `i`, what is not yet in the list.
        let mut open: Option<CoverRows> = None;
        while i < bodies.end {
            // Which places.
            while i < bodies.end && windows.has_room(FEW_ROWS as usize) {
                if let Some(rows) = &mut open {
                    if !rows.list(simd, i, target, &mut windows) {
                        break;
                    }
                    (open, i) = (None, i + 1);
                    continue;
                }
                if i >= group_end {
                    let (around, covers) = (&around, &mut covers);
                    simd.call(FindCovers { around, columns, at: i, covers });
                    group_end = i + GROUP;
                }
                let lane = i + GROUP - group_end;
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
                if push_short_rows(simd, i, &cover, target, &mut windows) {
                    i += 1;
                    continue;
                }
                windows.truncate(before);
                open = Some(CoverRows { cover, next: 0, runs: [0..0, 0..0] });
            }

            // Which of them hit, and which pairs that makes.
            windows.test(simd, grids, self.inclusive);
            sink.make_room();
            let mut cursor = sink.cursor();
            windows.emit(simd, &mut cursor, other_ids);
            cursor.finish();
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

/// Rows of cells, of any number and length, that are being listed.
struct CoverRows {
    cover: Cover,
    /// The first row that has not been begun, and what is left of the one before.
    next: u32,
    runs: [Range<usize>; 2],
}

impl CoverRows {
    /// Adds windows of body `i` until all are listed; `false` if there is no more room.
    #[inline(always)]
    fn list<S: Simd>(&mut self, simd: S, i: usize, target: &Sorted, windows: &mut Windows) -> bool {
        loop {
            for run in &mut self.runs {
                windows.take_from(simd, i, run);
                if run.start < run.end {
                    return false;
                }
            }
            if self.next == self.cover.rows {
                windows.end_body();
                return true;
            }
            self.runs = self.cover.row(self.next).map(|cells| target.places_of(cells));
            self.next += 1;
        }
    }
}

/// Finds the covers of the bodies from a place on.
struct FindCovers<'a> {
    around: &'a Around<'a>,
    columns: RoundedColumns<'a>,
    at: usize,
    covers: &'a mut Covers<GROUP>,
}

impl Kernel for FindCovers<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let Self { around: Around { cells, reach, count, bounds }, columns, at, covers } = self;
        *covers = match reach {
            Some(reach) => reach.covers(simd, columns, at),
            None => {
                let sides = sides_of::<S, _, GROUP>(simd, columns, at);
                cells.covering_all(sides.each_ref(), *count, bounds)
            }
        };
    }
}

/// A level, to ask which of its cells may hold what touches a body.
struct Around<'a> {
    cells: &'a Cells,
    reach: Option<F32Cover>,
    /// How many bodies the level has, and the box around them.
    count: usize,
    bounds: Bounds,
}

impl Around<'_> {
    /// The cover of the body at a place, of any kind.
    fn cover(&self, columns: RoundedColumns<'_>, at: usize) -> Cover {
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
