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
//! opposite shift. `SHIFTS` has one shift of each two opposite shifts, so each such pair is found
//! once.
//!
//! If any shape with the distance is longer than a period, no shape is copied, and images by any
//! number of periods are searched for instead: see [`far`](super::far).

use std::ops::ControlFlow;

use super::{
    Periodic, PeriodicNeighbor, PeriodicPair,
    copies::Copies,
    images::{FarWorkspace, WrappedSet, plain},
    lists::ListsOfRows,
    nearest::{Nearest, NearestImages, sort_neighbors},
    periodic::{shift_rank, shift_word},
};
use crate::{
    base::{Pair, buffer::grow, held, word_sort::WordSorter},
    detect::{CopiedFilters, Engine, More, ResultSink, RunOptions},
    error::{Error, limit::outcome},
    lists::{Adjacency, Lists},
    narrowphase::check_margin,
    neighbors::{ListForm, NeighborWorkspace},
    options::{Options, Order, uses_pool},
    shape::Kind,
    simd::Isa,
    store::Columns,
};

/// The workspace of calls with a periodic box.
#[derive(Debug, Default)]
pub(crate) struct PeriodicWorkspace {
    copies: Copies,
    copied_filters: CopiedFilters,
    /// Pairs of positions: shapes in the order of the rows, then copies.
    pairs: Vec<Pair>,
    /// These pairs with distances, or lists by position.
    found: NeighborWorkspace,
    lists: ListsOfRows,
    /// Workspace of sorts.
    sorter: WordSorter<3, 3>,
    /// Made when first needed.
    far: Option<Box<FarWorkspace>>,
    nearest: Option<Box<NearestImages>>,
}

held!(PeriodicWorkspace { copies, copied_filters, pairs, found, lists, sorter, far, nearest });

/// The shapes of a call, as they are known before the search.
#[derive(Clone, Copy)]
struct Wrapping {
    /// The kind of axis-aligned shapes.
    kind: Kind,
    /// Whether any shape with the distance is longer than a period. There are then no copies.
    beyond: bool,
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
        let result = self.find_pairs(engine, options, columns, periodic, pairs).and_then(|()| {
            let rows = |Pair { a, b }: Pair| [a, b];
            let shifts = pairs.iter_mut().map(|found| (rows(found.pair), &mut found.shift));
            self.copies.shift_as_given(shifts)
        });
        if result.is_err() {
            pairs.clear();
        }
        if options.order == Order::Sorted {
            let threads = uses_pool(options.threads, pairs.len());
            sort_pairs(pairs, &mut self.sorter, threads);
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
        let result = self.list(engine, options, columns, (distance, adjacency), periodic, lists);
        let result = result.and_then(|()| self.copies.shift_as_given(shifts(lists)));
        let result = result.inspect_err(|_| lists.clear());
        if options.order == Order::Sorted {
            for list in lists.iter_mut() {
                sort_neighbors(list, false, &mut self.sorter);
            }
        }
        engine.end_finish();
        result
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
        let result = result.and_then(|()| self.copies.shift_as_given(shifts(lists)));
        let result = result.inspect_err(|_| lists.clear());
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
        let each = limits.k.min(columns.len()).saturating_mul(32).saturating_add(640);
        engine.ask_more(More::PeriodicRows, columns.len(), each)?;
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

    fn find_pairs(
        &mut self,
        engine: &mut Engine,
        options: &Options,
        columns: Columns<'_>,
        periodic: &Periodic,
        to: &mut Vec<PeriodicPair>,
    ) -> Result<(), Error> {
        let set = self.copy(engine, options, columns, periodic, 0.0)?;
        let run = RunOptions::of(options)?;
        if set.beyond || columns.rotates() {
            self.find(engine, options, columns, (0.0, set), periodic, None)?;
            let Self { copies, pairs, found, .. } = self;
            engine.ask_more(More::PeriodicPairs, found.near.len(), 28)?;
            pairs.clear();
            pairs.extend(found.near.iter().map(|near| near.pair));
            map_all(copies, run.isa, pairs, to);
            return Ok(());
        }
        let Self { copies, copied_filters, pairs, .. } = self;
        let accept = copies.accept(columns.filtering);
        let copied = copied_filters.give(columns, plain(&copies.columns, set.kind)?, &accept)?;
        list(copies, engine, copied, run, pairs, to)
    }

    fn list(
        &mut self,
        engine: &mut Engine,
        options: &Options,
        columns: Columns<'_>,
        (distance, adjacency): (f32, Adjacency),
        periodic: &Periodic,
        to: &mut Lists<PeriodicNeighbor>,
    ) -> Result<(), Error> {
        let set = self.copy(engine, options, columns, periodic, distance)?;
        let form = (!set.beyond).then_some(adjacency);
        let listed = self.find(engine, options, columns, (distance, set), periodic, form)?;
        let Self { copies, found, lists, .. } = self;
        if !listed {
            return ListsOfRows::group(copies, &found.near, columns.len(), adjacency, to);
        }
        engine.ask_more(More::PeriodicPairs, found.around.found(), 40)?;
        let isa = RunOptions::of(options)?.isa;
        copies.list_beside(isa, periodic);
        let run = (isa, uses_pool(options.threads, columns.len()));
        lists.gather(run, copies, found, columns.len(), to)
    }

    /// Wraps all shapes and makes their copies.
    fn copy(
        &mut self,
        engine: &mut Engine,
        options: &Options,
        columns: Columns<'_>,
        periodic: &Periodic,
        distance: f32,
    ) -> Result<Wrapping, Error> {
        engine.begin(options.timings);
        periodic.check()?;
        check_margin(distance)?;
        let run = RunOptions::of(options)?;
        engine.ask_more(More::PeriodicRows, columns.len(), 320)?;
        let rows = engine.rows(columns, &run)?;
        rows.check_on(run.isa, false)?;
        let Self { copies, copied_filters, .. } = self;
        let (kind, layout) = (rows.kind, rows.layout);
        copies.list_rows(&rows);
        let beyond;
        if columns.rotates() {
            let bounds = |row: u32| layout.rounded_box(row as usize);
            beyond = copies.reach_beyond(periodic, distance, bounds)?;
            copies.copy_shapes(periodic, (!beyond).then_some(distance), columns)?;
        } else {
            beyond = copies.copy_columns(run.isa, periodic, Some(distance), kind, layout)?;
        }
        copied_filters.fill(columns, copies.rows_of_all());
        Ok(Wrapping { kind, beyond })
    }

    /// Finds all pairs of shapes and copies with their distances, or their lists: see
    /// [`NeighborWorkspace::find`]. If shapes are longer than a period, also pairs with images,
    /// which are then the copies.
    fn find(
        &mut self,
        engine: &mut Engine,
        options: &Options,
        columns: Columns<'_>,
        (distance, Wrapping { kind, beyond }): (f32, Wrapping),
        periodic: &Periodic,
        adjacency: Option<Adjacency>,
    ) -> Result<bool, Error> {
        let Self { copies, copied_filters, found, lists, far, .. } = self;
        let run = RunOptions::of(options)?;
        let shapes = match copies.store(columns.rotates()) {
            Some(shapes) => shapes.columns(),
            None => plain(&copies.columns, kind)?,
        };
        let accept = copies.accept(columns.filtering);
        let shapes = copied_filters.give(columns, shapes, &accept)?;
        let form = adjacency.filter(|_| lists.number(copies)).map(|adjacency| ListForm {
            adjacency,
            distances: true,
            numbers: Some(&lists.numbers),
        });
        let listed = found.find(engine, run, shapes, distance, form)?;
        drop(accept);
        if beyond {
            let filters = &*copied_filters;
            let set = WrappedSet { columns, kind, periodic, wrapped: copies, filters };
            let far = far.get_or_insert_default();
            let images = far.find(engine, options, &set, distance, &mut found.near)?;
            copies.copies.extend_from_slice(images);
        }
        Ok(listed)
    }
}

/// The shifts of lists, each with the row of the list and the row of the neighbour.
fn shifts(lists: &mut Lists<PeriodicNeighbor>) -> impl Iterator<Item = ([u32; 2], &mut [i16; 2])> {
    (0..)
        .zip(lists.iter_mut())
        .flat_map(|(row, list)| list.iter_mut().map(move |near| ([row, near.row], &mut near.shift)))
}

/// Replaces the content of `to` by the pairs of rows of all pairs of shapes and their copies.
fn map_all(copies: &Copies, isa: Isa, pairs: &[Pair], to: &mut Vec<PeriodicPair>) {
    grow(to, pairs.len());
    let len = copies.map_pairs(isa, pairs, to);
    to.truncate(len);
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
        engine.detect(options, copied.into(), 0.0, ResultSink::List(pairs), None)?;
        engine.ask_more(More::PeriodicPairs, pairs.len(), 28)?;
        map_all(copies, options.isa, pairs, to);
        return Ok(());
    }
    // Block by block, so that a pair is read while it is in the cache.
    let limit = options.max_pairs as u64;
    let (mut found, mut len, mut starved) = (0, 0, None);
    engine.for_each(options, copied.into(), 0.0, &mut |block| {
        found += block.len() as u64;
        let wanted = len + block.len();
        if to.len() < wanted && found <= limit {
            let longer = match wanted.max(len + len / 8) {
                longer if longer > to.capacity() => longer,
                _ => wanted,
            };
            if to.try_reserve(longer - to.len()).is_err() {
                starved = Some(longer);
                return ControlFlow::Break(());
            }
            to.resize(longer, PeriodicPair::default());
        }
        if found <= limit {
            len += copies.map_pairs(options.isa, block, &mut to[len..wanted]);
        }
        ControlFlow::Continue(())
    })?;
    to.truncate(len);
    outcome::<Pair>(&mut Vec::new(), found, options.max_pairs, starved)
}

/// Sorts pairs by their rows, then by their shifts.
fn sort_pairs(pairs: &mut [PeriodicPair], sorter: &mut WordSorter<3, 3>, threads: bool) {
    let words: &mut [[u32; 3]] = bytemuck::cast_slice_mut(pairs);
    for [.., shift] in &mut *words {
        *shift = shift_rank(*shift);
    }
    sorter.sort(words, threads);
    for [.., shift] in words {
        *shift = shift_word(*shift);
    }
}
