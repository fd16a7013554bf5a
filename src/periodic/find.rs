//! Pairs and neighbours in a periodic box.
//!
//! In plain words:
//!
//! ```text
//! wrap all shapes into the box
//! copy each shape by each shift of SHIFTS, if the copy may touch a shape in the box
//! find the pairs of shapes and copies; drop pairs of two copies
//! ```
//!
//! Two shapes that touch across the seam touch by a shift and, seen from the other shape, by the
//! opposite one. `SHIFTS` has one of each two opposite shifts, so each such pair is found once.
//!
//! If any shape with the distance is longer than a period, no shape is copied, and images by any
//! number of periods are searched for instead: see [`far`](super::far).

use super::{
    Periodic, PeriodicNeighbor, PeriodicPair,
    copies::Copies,
    far::{FarWorkspace, PairDistance, WrappedSet},
    images::plain,
    nearest::{Nearest, NearestImages, sort_neighbors},
};
use crate::{
    Adjacency, Columns, Error, Lists, Options, Order, Pair,
    detect::{CopiedFilters, Detect, Engine, NearPair, ResultSink, RunOptions, Targets, sort},
    narrowphase::check_margin,
    neighbors::PairDistances,
    options::uses_pool,
};

/// The workspace of calls with a periodic box.
#[derive(Debug, Default)]
pub(crate) struct PeriodicWorkspace {
    copies: Copies,
    copied_filters: CopiedFilters,
    /// Pairs of positions: shapes in the order of the rows, then copies.
    pairs: Vec<Pair>,
    near: Vec<NearPair>,
    pair_distances: PairDistances,
    found: Vec<PairDistance>,
    /// Made when first needed.
    far: Option<Box<FarWorkspace>>,
    nearest: Option<Box<NearestImages>>,
}

impl PeriodicWorkspace {
    /// Replaces the content of `pairs` by the pairs in a periodic box.
    pub(crate) fn pairs(
        &mut self,
        engine: &mut Engine,
        options: &Options,
        columns: Columns<'_>,
        periodic: &Periodic,
        pairs: &mut Vec<PeriodicPair>,
    ) -> Result<(), Error> {
        pairs.clear();
        let result = self.find(engine, options, columns, periodic, 0.0, false);
        if result.is_ok() {
            pairs.extend(self.found.iter().map(|found| found.pair));
        }
        if options.order == Order::Sorted {
            let threads = uses_pool(options.threads, pairs.len());
            let space = |row: u32| columns.spaces.map_or(0, |spaces| spaces[row as usize]);
            sort(pairs, threads, |found| (space(found.pair.a), *found));
        }
        engine.end_finish();
        result
    }

    /// Replaces the content of `lists` by the neighbours of each row in a periodic box.
    pub(crate) fn neighbors(
        &mut self,
        engine: &mut Engine,
        options: &Options,
        columns: Columns<'_>,
        (distance, adjacency): (f32, Adjacency),
        periodic: &Periodic,
        lists: &mut Lists<PeriodicNeighbor>,
    ) -> Result<(), Error> {
        lists.clear();
        let result = self.find(engine, options, columns, periodic, distance, true);
        let listed = result.and_then(|()| {
            let items = |found: &PairDistance| {
                let (Pair { a, b }, [x, y]) = (found.pair.pair, found.pair.shift);
                let item = |row, shift| PeriodicNeighbor { row, distance: found.distance, shift };
                [(a, item(b, [x, y])), (b, item(a, [-x, -y]))]
            };
            match adjacency {
                Adjacency::Full => lists.group(columns.len(), &self.found, items),
                Adjacency::Half => lists.group(columns.len(), &self.found, |f| [items(f)[0]]),
            }
        });
        if options.order == Order::Sorted {
            for list in lists.iter_mut() {
                sort_neighbors(list, false);
            }
        }
        engine.end_finish();
        listed
    }

    /// Replaces the content of `lists` by the nearest neighbours of each row in a periodic box.
    pub(crate) fn nearest(
        &mut self,
        engine: &mut Engine,
        options: &Options,
        columns: Columns<'_>,
        limits: Nearest,
        periodic: &Periodic,
        lists: &mut Lists<PeriodicNeighbor>,
    ) -> Result<(), Error> {
        lists.clear();
        engine.begin(options.timings);
        let result = self.find_nearest(engine, options, columns, limits, periodic, lists);
        if result.is_err() {
            lists.clear();
        }
        engine.end_finish();
        result
    }

    fn find_nearest(
        &mut self,
        engine: &mut Engine,
        options: &Options,
        columns: Columns<'_>,
        limits: Nearest,
        periodic: &Periodic,
        lists: &mut Lists<PeriodicNeighbor>,
    ) -> Result<(), Error> {
        periodic.check()?;
        limits.check()?;
        let run = RunOptions::of(options)?;
        let rows = engine.rows(columns, &run)?;
        rows.check_on(run.isa, false)?;
        let Self { copies, copied_filters, nearest, .. } = self;
        let kind = rows.kind;
        let bounds = |row: u32| rows.layout.rounded_box(row as usize);
        copies.list_rows(&rows);
        copies.reach_beyond(periodic, 0.0, bounds)?;
        if columns.rotates() {
            copies.copy_shapes(periodic, None, columns)?;
        } else {
            copies.copy_columns(periodic, None, bounds);
        }
        copied_filters.fill(columns, copies.rows_of_all());
        let set = WrappedSet { columns, kind, periodic, wrapped: copies, filters: copied_filters };
        nearest.get_or_insert_default().find(options, &set, limits, lists)
    }

    /// Finds all pairs, and their distances if `distances`.
    fn find(
        &mut self,
        engine: &mut Engine,
        options: &Options,
        columns: Columns<'_>,
        periodic: &Periodic,
        distance: f32,
        distances: bool,
    ) -> Result<(), Error> {
        self.found.clear();
        engine.begin(options.timings);
        periodic.check()?;
        check_margin(distance)?;
        let run = RunOptions::of(options)?;
        let rows = engine.rows(columns, &run)?;
        rows.check_on(run.isa, false)?;
        let Self { copies, copied_filters, pairs, near, pair_distances, found, far, .. } = self;
        let kind = rows.kind;
        let bounds = |row: u32| rows.layout.rounded_box(row as usize);
        copies.list_rows(&rows);
        let beyond = copies.reach_beyond(periodic, distance, bounds)?;
        let across_seam = (!beyond).then_some(distance);
        if columns.rotates() {
            copies.copy_shapes(periodic, across_seam, columns)?;
            copies.stores.get_or_insert_default();
            let accept = copies.accept(columns.filtering);
            copied_filters.fill(columns, copies.rows_of_all());
            let Some([shapes, _]) = copies.stores.as_deref() else { return Ok(()) };
            let shapes = copied_filters.give(columns, shapes.columns(), &accept)?;
            NearPair::detect(
                engine,
                shapes,
                run,
                distance,
                Targets::among(ResultSink::List(near)),
            )?;
        } else {
            copies.copy_columns(periodic, across_seam, bounds);
            let copied = plain(&copies.columns, kind)?;
            let accept = copies.accept(columns.filtering);
            copied_filters.fill(columns, copies.rows_of_all());
            let copied = copied_filters.give(columns, copied, &accept)?;
            Pair::detect(engine, copied, run, distance, Targets::among(ResultSink::List(pairs)))?;
            let layout = engine.rows_again(copied).layout;
            if distances {
                pair_distances.fill(run.isa, layout, copied.len(), pairs, near);
            } else {
                near.clear();
                near.extend(pairs.iter().map(|&pair| NearPair { pair, distance: 0.0 }));
            }
        }
        found.clear();
        found.extend(near.iter().filter_map(|&NearPair { pair, distance }| {
            Some(PairDistance { pair: copies.pair(pair)?, distance })
        }));
        if !beyond {
            return Ok(());
        }
        let set = WrappedSet { columns, kind, periodic, wrapped: copies, filters: copied_filters };
        far.get_or_insert_default().find(engine, options, &set, distance, found)
    }

    /// The bytes of memory held.
    pub(crate) fn bytes(&self) -> usize {
        let Self { copies, copied_filters, pairs, near, pair_distances, found, far, nearest } =
            self;
        copies.bytes()
            + copied_filters.bytes()
            + pairs.capacity() * size_of::<Pair>()
            + near.capacity() * size_of::<NearPair>()
            + pair_distances.bytes()
            + found.capacity() * size_of::<PairDistance>()
            + far.as_deref().map_or(0, |far| size_of_val(far) + far.bytes())
            + nearest.as_deref().map_or(0, |nearest| size_of_val(nearest) + nearest.bytes())
    }
}
