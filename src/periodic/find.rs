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

use std::ops::ControlFlow;

use super::{
    Periodic, PeriodicNeighbor, PeriodicPair,
    copies::Copies,
    far::{FarWorkspace, PairDistance, WrappedSet},
    images::plain,
    nearest::{Nearest, NearestImages, sort_neighbors},
};
use crate::{
    Adjacency, Columns, Error, Lists, Options, Order, Pair,
    base::buffer::grow,
    detect::{CopiedFilters, Detect, Engine, NearPair, ResultSink, RunOptions, Targets, sort},
    error::limit::outcome,
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
        let result = self.find(engine, options, columns, periodic, 0.0, Some(pairs));
        if result.is_err() {
            pairs.clear();
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
        let result = self.find(engine, options, columns, periodic, distance, None);
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
        copies.list_rows(&rows);
        if columns.rotates() {
            copies.reach_beyond(periodic, 0.0, |row| rows.layout.rounded_box(row as usize))?;
            copies.copy_shapes(periodic, None, columns)?;
        } else {
            copies.copy_columns(run.isa, periodic, None, kind, rows.layout)?;
        }
        copied_filters.fill(columns, copies.rows_of_all());
        let set = WrappedSet { columns, kind, periodic, wrapped: copies, filters: copied_filters };
        nearest.get_or_insert_default().find(options, &set, limits, lists)
    }

    /// Finds all pairs: replaces the content of `only` by them, or lists them in `found` with their
    /// distances.
    fn find(
        &mut self,
        engine: &mut Engine,
        options: &Options,
        columns: Columns<'_>,
        periodic: &Periodic,
        distance: f32,
        only: Option<&mut Vec<PeriodicPair>>,
    ) -> Result<(), Error> {
        engine.begin(options.timings);
        periodic.check()?;
        check_margin(distance)?;
        let run = RunOptions::of(options)?;
        let rows = engine.rows(columns, &run)?;
        rows.check_on(run.isa, false)?;
        let Self { copies, copied_filters, pairs, near, pair_distances, found, far, .. } = self;
        let (kind, layout) = (rows.kind, rows.layout);
        copies.list_rows(&rows);
        let beyond;
        if columns.rotates() {
            let bounds = |row: u32| layout.rounded_box(row as usize);
            beyond = copies.reach_beyond(periodic, distance, bounds)?;
            copies.copy_shapes(periodic, (!beyond).then_some(distance), columns)?;
            copies.stores.get_or_insert_default();
            let accept = copies.accept(columns.filtering);
            copied_filters.fill(columns, copies.rows_of_all());
            let Some([shapes, _]) = copies.stores.as_deref() else { return Ok(()) };
            let shapes = copied_filters.give(columns, shapes.columns(), &accept)?;
            let sink = ResultSink::List(near);
            NearPair::detect(engine, shapes, run, distance, Targets::among(sink))?;
        } else {
            beyond = copies.copy_columns(run.isa, periodic, Some(distance), kind, layout)?;
            let copied = plain(&copies.columns, kind)?;
            let accept = copies.accept(columns.filtering);
            copied_filters.fill(columns, copies.rows_of_all());
            let copied = copied_filters.give(columns, copied, &accept)?;
            match only {
                Some(only) if !beyond => return list(copies, engine, copied, run, pairs, only),
                _ => {}
            }
            let sink = ResultSink::List(pairs);
            Pair::detect(engine, copied, run, distance, Targets::among(sink))?;
            let layout = engine.rows_again(copied).layout;
            pair_distances.fill(run.isa, layout, copied.len(), pairs, near);
        }
        grow(found, near.len());
        let distance_of = |near: &NearPair, pair| PairDistance { pair, distance: near.distance };
        let len = copies.map_pairs(near, found, distance_of);
        found.truncate(len);
        if beyond {
            let filters = &*copied_filters;
            let set = WrappedSet { columns, kind, periodic, wrapped: copies, filters };
            far.get_or_insert_default().find(engine, options, &set, distance, found)?;
        }
        if let Some(only) = only {
            only.clear();
            only.extend(found.iter().map(|found| found.pair));
        }
        Ok(())
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

/// Replaces the content of `to` by the pairs of axis-aligned shapes and their copies.
fn list(
    copies: &Copies,
    engine: &mut Engine,
    copied: Columns<'_>,
    options: RunOptions<'_>,
    pairs: &mut Vec<Pair>,
    to: &mut Vec<PeriodicPair>,
) -> Result<(), Error> {
    if uses_pool(options.threads, copied.len()) {
        Pair::detect(engine, copied, options, 0.0, Targets::among(ResultSink::List(pairs)))?;
        grow(to, pairs.len());
        let len = copies.map_pairs(pairs, to, |_, pair| pair);
        to.truncate(len);
        return Ok(());
    }
    // Block by block, so that a pair is read while it is in the cache.
    let limit = options.max_pairs as u64;
    let (mut found, mut len, mut starved) = (0, 0, None);
    Pair::for_each(engine, copied, None, options, 0.0, &mut |block| {
        found += block.len() as u64;
        let wanted = len + block.len();
        if to.len() < wanted && found <= limit {
            let longer = wanted.max(len + len / 8);
            if to.try_reserve(longer - to.len()).is_err() {
                starved = Some(longer);
                return ControlFlow::Break(());
            }
            to.resize(longer, PeriodicPair::default());
        }
        if found <= limit {
            len += copies.map_pairs(block, &mut to[len..wanted], |_, pair| pair);
        }
        ControlFlow::Continue(())
    })?;
    to.truncate(len);
    outcome::<Pair>(&mut Vec::new(), found, options.max_pairs, starved)
}
