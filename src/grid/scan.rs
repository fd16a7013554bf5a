//! From bodies and a level that they are not of to touching pairs.

use std::{marker::PhantomData, ops::Range};

use super::{
    Instance, Plan, Sorted,
    cells::{Cover, FEW_ROWS, MARGIN},
    sink::{Cursor, Sink},
    windows::{Windows, take_run},
};
use crate::{
    kernel::{bodies::Bodies, columns::ColumnSet, overlap::Rule},
    simd::{Kernel, MAX_LANES, Simd},
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
/// What was changed for speed: the three steps (which places, which of them hit, which pairs) are
/// done for some dozens of bodies at a time, one after the other. The places of a body are far from
/// those of the body before, so each step waits for memory; done together, the bodies wait
/// together. Bodies with many places go the plain way.
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
            self.with(simd.half());
        } else {
            self.with(simd);
        }
    }
}

impl<I: Instance, J: Instance, K: Sink> Scan<'_, I, J, K> {
    #[inline(always)]
    fn with<S: Simd>(self, simd: S) {
        if self.inclusive { self.scan::<S, true>(simd) } else { self.scan::<S, false>(simd) }
    }

    #[inline(always)]
    fn scan<S: Simd, const INCLUSIVE: bool>(self, simd: S) {
        let Self { sorted, bodies, target, plan, level, sink, ids: [ids, other_ids], .. } = self;
        let (columns, others) = (sorted.padded::<I>(), target.padded::<J>());
        let rule = Rule { inclusive: INCLUSIVE, normal: I::NORMAL && J::NORMAL };
        let cells = &plan.levels()[level];
        let (count, bounds) = (target.bodies(level).len(), target.bounds(level));
        let mut windows = Windows::new();
        let mut i = bodies.start;
        let mut group = i;
        let mut sides = sides_of(simd, columns, group);
        let mut covers = cells.covering_all(sides.each_ref(), count, &bounds);
        while i < bodies.end {
            // Which places.
            let mut rest = None;
            while i < bodies.end && windows.has_room(FEW_ROWS as usize) {
                if i >= group + GROUP {
                    group = i;
                    sides = sides_of(simd, columns, group);
                    covers = cells.covering_all(sides.each_ref(), count, &bounds);
                }
                let lane = i - group;
                let cover = match cells.cover(&covers, lane) {
                    Some(cover) => cover,
                    None => {
                        let [min_x, min_y, max_x, max_y] = sides.each_ref().map(|side| side[lane]);
                        cells.covering([min_x, min_y], [max_x, max_y], count)
                    }
                };
                let before = windows.len();
                if !push_rows(simd, i, &cover, target, &mut windows) {
                    windows.truncate(before);
                    rest = Some(cover);
                    break;
                }
                i += 1;
            }

            // Which of them hit, and which pairs that makes.
            windows.test(simd, columns, others, rule);
            sink.make_room();
            let mut cursor = sink.cursor();
            windows.emit(simd, &mut cursor, ids, other_ids);
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
    true
}

/// The boxes around the bodies from place `at` on (left, lower, right, upper sides), radius included
/// and a little more: what the exact test may be off by.
#[inline(always)]
fn sides_of<S: Simd, C: ColumnSet>(simd: S, columns: C, at: usize) -> [[f64; GROUP]; 4] {
    let mut lanes = [[0.0; GROUP]; 5];
    let [min_x, min_y, max_x, max_y, radius] = &mut lanes;
    for lane in (0..GROUP).step_by(S::LANES) {
        let bodies = columns.load(simd, at + lane);
        simd.store(bodies.min_x(), min_x, lane);
        simd.store(bodies.min_y(), min_y, lane);
        simd.store(bodies.max_x(), max_x, lane);
        simd.store(bodies.max_y(), max_y, lane);
        simd.store(bodies.radius(simd), radius, lane);
    }
    let mut sides = [[0.0; GROUP]; 4];
    for (side, (values, sign)) in
        sides.iter_mut().zip([(&*min_x, -1.0), (min_y, -1.0), (max_x, 1.0), (max_y, 1.0)])
    {
        for lane in 0..GROUP {
            let radius = f64::from(radius[lane]) * (1.0 + MARGIN);
            side[lane] = f64::from(values[lane]) + sign * radius;
        }
    }
    sides
}
