//! Nearest: the shapes of an index that are nearest to a shape.

use std::iter::FusedIterator;

use super::{
    IndexView,
    batch::{fill_tasks, list, list_tasks},
    grid_order::GridOrder,
    join::TASK,
    record::Neighbor,
    search::{IndexSearch, QueryShapes, RowProbes},
    solids::Solids,
};
use crate::{
    Columns, Error, Index, Shapes,
    base::parallel,
    error::Field,
    geometry::{Corners, SEGMENTS, Solid, box_distance, distance},
    grid::{
        ByDistance, CellQuery, Frontier, KEPT, MOST_NEAREST, NearbyItem, NearestInCells,
        NearestItems, OPEN, SCRATCH,
    },
    lists::{CHUNK, Lists},
    narrowphase::{Probe, SolidWorkspace, View, check_most, each_part},
    posed::Placed,
    shape::{Posed, RoundedBox},
    store::Layout,
};

impl Index {
    /// Replaces `lists` by the `k` shapes of this index that are nearest to each of its shapes,
    /// without the shape itself: the list of each row. A vacant row has an empty list. If the
    /// shapes have filters, only those are listed that meet the row.
    ///
    /// # Errors
    /// [`Error::InvalidQuery`] if `max_distance` is NaN or below 0. `lists` is then empty.
    ///
    /// ```
    /// use widephase::{Columns, Index, Lists};
    ///
    /// let index = Index::build(Columns::points(&[0.0, 1.0, 5.0], &[0.0; 3])?)?;
    /// let mut nearest = Lists::new();
    /// index.k_nearest_of_rows(1, f32::INFINITY, &mut nearest)?;
    /// let rows = nearest.items().iter().map(|near| near.row);
    /// assert_eq!(rows.collect::<Vec<_>>(), [1, 0, 1]);
    /// # Ok::<(), widephase::Error>(())
    /// ```
    pub fn k_nearest_of_rows(
        &self,
        k: usize,
        max_distance: f32,
        lists: &mut Lists<Neighbor>,
    ) -> Result<(), Error> {
        lists.clear();
        check_most(0, Field::MaxDistance, max_distance)?;
        let limits = Limits { k, max_distance };
        let search = IndexSearch::new(self, 0);
        let threads = search.on_pool(self.rows());
        let rows = RowProbes::new(self);
        let nearest_of = |row: usize, found: &mut Vec<Neighbor>, workspace: &mut _| {
            if let Some((space, probe)) = rows.probe(row) {
                let search = search.by_row(space, row);
                let (itself, solids) = (Some(row as u32), search.solids());
                search.nearest(&probe, limits, itself, &solids, workspace, found);
            }
        };
        if search.rotates() || search.has_filters() {
            parallel::enter(threads, || {
                list(self.rows(), threads, lists, &|row, workspace, found| {
                    nearest_of(row, found, workspace);
                });
            });
            return Ok(());
        }
        let task = together(limits, threads);
        if self.in_spaces() {
            parallel::enter(threads, || {
                list_tasks(self.rows(), task, threads, lists, &|queries, workspace, lists| {
                    let (order, sorted): &mut (Vec<u32>, SortedLists) = workspace;
                    let (first, len) = (queries.start, queries.len());
                    order.clear();
                    let held = queries.filter(|row| rows.place(*row).is_some());
                    order.extend(held.map(|row| row as u32));
                    let asked = order.iter().map(|&row| {
                        let (space, probe) = rows.probe(row as usize)?;
                        search.cell_query(space, probe.bounds(), Some(row))
                    });
                    sorted.find_in_cells(&search, asked, limits);
                    let place = |row: u32| row as usize - first;
                    sorted.list(order, len, place, lists, |row, found, workspace| {
                        nearest_of(row as usize, found, workspace);
                    });
                });
            });
            return Ok(());
        }
        parallel::enter(threads, || {
            list_tasks(self.rows(), task, threads, lists, &|queries, workspace, lists| {
                let (order, sorted): &mut (GridOrder, SortedLists) = workspace;
                let (first, len) = (queries.start, queries.len());
                let order = order.of_places(&search, queries.filter_map(|row| rows.place(row)));
                let boxes = search.boxes();
                sorted.find(&search, boxes, order, limits, true);
                let row = |place: u32| (!search.ids()[place as usize]) as usize;
                sorted.list(
                    order,
                    len,
                    |place| row(place) - first,
                    lists,
                    |place, found, workspace| {
                        let (itself, bounds) =
                            (Some(row(place) as u32), search.bounds(place as usize));
                        search.nearest_to_box(bounds, limits, itself, &mut workspace.browse, found);
                    },
                );
            });
        });
        Ok(())
    }
}

pub(super) fn nearest(
    view: &IndexView<'_>,
    shape: Posed<'_>,
    max_distance: f32,
) -> Result<Option<Neighbor>, Error> {
    let mut found = Vec::new();
    k_nearest(view, shape, 1, max_distance, &mut found)?;
    Ok(found.pop())
}

pub(super) fn nearest_batch(
    view: &IndexView<'_>,
    shapes: Columns<'_>,
    max_distance: f32,
    nearest: &mut Vec<Option<Neighbor>>,
) -> Result<(), Error> {
    nearest.clear();
    check_most(0, Field::MaxDistance, max_distance)?;
    let limits = Limits { k: 1, max_distance };
    QueryShapes::of(view, shapes, |search, batch| {
        nearest.resize(batch.len(), None);
        let task = together(limits, batch.threads);
        fill_tasks(nearest, task, batch.threads, &|first, nearest, workspace| {
            let (order, sorted): &mut (GridOrder, SortedLists) = workspace;
            let queries = first..first + nearest.len();
            let order = order.of_batch(search, batch, queries);
            sorted.find_rows(search, batch, order, limits);
            let SortedLists { keys, parts, workspace, found, .. } = sorted;
            for (&query, part) in order.iter().zip(&*parts) {
                let query = query as usize;
                nearest[query - first] = if *part == OPEN {
                    search.nearest_of_row(batch, query, limits, workspace, found);
                    found.pop()
                } else {
                    let [begin, end] = part.map(|end| end as usize);
                    (begin < end).then(|| Neighbor::of_key(keys[begin]))
                };
            }
        });
    })
}

pub(super) fn k_nearest(
    view: &IndexView<'_>,
    shape: Posed<'_>,
    k: usize,
    max_distance: f32,
    neighbors: &mut Vec<Neighbor>,
) -> Result<(), Error> {
    neighbors.clear();
    check_most(0, Field::MaxDistance, max_distance)?;
    view.with_shape(shape, |search, probe| {
        let limits = Limits { k, max_distance };
        search.nearest(
            probe,
            limits,
            None,
            &search.solids(),
            &mut NearestWorkspace::default(),
            neighbors,
        );
    })
}

pub(super) fn k_nearest_batch(
    view: &IndexView<'_>,
    shapes: Columns<'_>,
    k: usize,
    max_distance: f32,
    lists: &mut Lists<Neighbor>,
) -> Result<(), Error> {
    lists.clear();
    check_most(0, Field::MaxDistance, max_distance)?;
    let limits = Limits { k, max_distance };
    QueryShapes::of(view, shapes, |search, batch| {
        let task = together(limits, batch.threads);
        list_tasks(batch.len(), task, batch.threads, lists, &|queries, workspace, lists| {
            let (order, sorted): &mut (GridOrder, SortedLists) = workspace;
            let (first, len) = (queries.start, queries.len());
            let order = order.of_batch(search, batch, queries);
            sorted.find_rows(search, batch, order, limits);
            let place = |query: u32| query as usize - first;
            sorted.list(order, len, place, lists, |query, found, workspace| {
                search.nearest_of_row(batch, query as usize, limits, workspace, found);
            });
        });
    })
}

pub(super) fn nearest_iter<'a>(
    view: IndexView<'a>,
    shape: Posed<'_>,
    max_distance: f32,
) -> Result<NearestIter<'a>, Error> {
    check_most(0, Field::MaxDistance, max_distance)?;
    view.check(1)?;
    let mut asked = Shapes::new();
    asked.set_only(0, shape)?;
    let (frontier, workspace) = Default::default();
    Ok(NearestIter { view, asked, max_distance, frontier, workspace })
}

/// The shapes of an index by growing distance.
pub(super) struct NearestIter<'a> {
    view: IndexView<'a>,
    /// The shape that they are near to, in row 0.
    asked: Shapes,
    max_distance: f32,
    frontier: Frontier,
    workspace: SolidWorkspace,
}

impl Iterator for NearestIter<'_> {
    type Item = Neighbor;

    fn next(&mut self) -> Option<Neighbor> {
        let Self { view, asked, max_distance, frontier, workspace } = self;
        let search = view.search();
        if search.len() == 0 {
            return None;
        }
        let probe = Probe::of(View::of(&asked.read()), 0);
        let limits = Limits { k: usize::MAX, max_distance: *max_distance };
        let (bounds, itself) = (probe.bounds(), None);
        let nearest = NearestSearch { search: &search, bounds, limits, itself };
        search.with_distances(&probe, &search.solids(), workspace, |boxes, distance_of| {
            nearest.browse(boxes, distance_of, None, frontier)
        })
    }
}

impl FusedIterator for NearestIter<'_> {}

/// Queries that are searched together: their keys should stay in the L2 cache.
const TOGETHER: usize = 1 << 13;

/// The number of queries that are searched together. Workspaces do not grow with `k`.
fn together(limits: Limits, threads: bool) -> usize {
    let most = if threads { TASK } else { TOGETHER };
    most.min((8 * most).div_ceil(limits.k.max(1)))
}

/// Fewer queries than this are searched one by one: the kernel works for a vector of queries, and
/// takes as long for one as single searches for six to nine (measured, benches/log).
const FEWEST: usize = 12;

/// So many more bounding boxes than shapes are found, so that most queries can be decided.
const MORE: usize = 4;

/// If so many segments are wanted, all that are found are measured together. Of fewer, most are not
/// measured at all.
const SEVERAL_SEGMENTS: usize = 4;

/// Vectors for all bounding boxes that are found.
const MEASURED: usize = MOST_NEAREST.div_ceil(SEGMENTS);

/// The workspace of searches for many queries, in units of that of one.
const SEVERAL: usize = 8;

/// Lists of neighbors in the order in which queries are searched.
#[derive(Default)]
struct SortedLists {
    workspace: NearestWorkspace,
    found: Vec<Neighbor>,
    /// The keys of neighbors: for each query space for as many as are wanted, and behind all of
    /// them the lists of queries that are searched one by one.
    keys: Vec<u64>,
    /// The part of `keys` that each query has, in the order in which they are searched.
    parts: Vec<[u32; 2]>,
    /// Queries of cells.
    queries: Vec<CellQuery>,
    /// The workspaces of a search for many queries.
    left: Vec<u32>,
    scratch: Vec<u32>,
    /// The part of `keys` that each query has, in the order of the queries.
    spans: Vec<[usize; 2]>,
}

impl SortedLists {
    /// Finds the nearest shapes of the rows of a batch.
    fn find_rows(
        &mut self,
        search: &IndexSearch<'_>,
        batch: &QueryShapes<'_>,
        order: &[u32],
        limits: Limits,
    ) {
        if !batch.are_alike() || search.grid().one_cell().is_some() {
            let queries = order.iter().map(|row| batch.cell_query(search, *row as usize));
            return self.find_in_cells(search, queries, limits);
        }
        let boxes = batch.bounding_boxes().filter(|_| search.sees_all());
        match boxes.filter(|_| batch.are_boxes() || search.rotates()) {
            None => self.leave_open(order.len()),
            Some(boxes) if batch.are_boxes() => self.find(search, boxes, order, limits, false),
            Some(boxes) => {
                // Roundings may add a unit in the last place to the distance of a box.
                let max_distance = limits.max_distance.next_up();
                let more = Limits { k: limits.k.saturating_add(MORE), max_distance };
                self.find(search, boxes, order, more, false);
                self.decide(search, batch, order, limits);
            }
        }
    }

    /// Replaces the shapes whose bounding boxes are nearest by the nearest ones. Leaves queries
    /// open whose nearest shapes may be others.
    fn decide(
        &mut self,
        search: &IndexSearch<'_>,
        batch: &QueryShapes<'_>,
        order: &[u32],
        limits: Limits,
    ) {
        let Self { workspace, found, keys, parts, .. } = self;
        let segments = search.segments().filter(|_| limits.k >= SEVERAL_SEGMENTS);
        let (solids, more) = (search.solids(), limits.k.saturating_add(MORE).min(search.len()));
        for (&query, part) in order.iter().zip(parts) {
            let [begin, end] = part.map(|end| end as usize);
            let Some((search, probe)) = batch.query(search, query as usize) else { continue };
            if *part == OPEN {
                continue;
            }
            let boxes = &keys[begin..end];
            // If there are fewer than were wanted, these are all.
            let mut decided = boxes.len() < more || more == search.len();
            found.clear();
            let measured = segments.and_then(|segments| {
                let point = bounds_of_point(&probe)?;
                Some(search.measure_segments(&point, boxes, segments))
            });
            search.with_row_distances(&probe, &solids, &mut workspace.solids, |distance_of| {
                for (at, &key) in boxes.iter().enumerate() {
                    let Neighbor { row, distance } = Neighbor::of_key(key);
                    // Roundings may take a unit in the last place from a bound.
                    let bound = distance.next_down();
                    let full = found.len() == limits.k;
                    if full && found.last().is_some_and(|last| bound > last.distance) {
                        decided = true;
                        break;
                    }
                    let distance = match &measured {
                        Some(all) if !all.as_flattened()[at].is_nan() => all.as_flattened()[at],
                        _ => distance_of(row as usize),
                    };
                    let near = Neighbor { row, distance };
                    let at = found.partition_point(|other| other.key() < near.key());
                    if near.distance <= limits.max_distance && at < limits.k {
                        found.truncate(limits.k - 1);
                        found.insert(at, near);
                    }
                }
            });
            *part = OPEN;
            if decided {
                for (key, near) in keys[begin..].iter_mut().zip(&*found) {
                    *key = near.key();
                }
                *part = [begin as u32, (begin + found.len()) as u32];
            }
        }
        found.clear();
    }

    /// Finds the nearest shapes of queries in cells, and leaves the others open.
    fn find_in_cells(
        &mut self,
        search: &IndexSearch<'_>,
        queries: impl Iterator<Item = Option<CellQuery>>,
        limits: Limits,
    ) {
        let Self { keys, parts, queries: asked, .. } = self;
        asked.clear();
        asked.extend(queries.map(|query| query.unwrap_or(CellQuery::OPEN)));
        keys.clear();
        parts.clear();
        search.nearest_in_cells(NearestInCells {
            grid: search.cells(),
            queries: asked,
            k: limits.k,
            max_distance: limits.max_distance,
            found: keys,
            spans: parts,
        });
        for (part, query) in parts.iter_mut().zip(asked) {
            if query.is_open() {
                *part = OPEN;
            }
        }
    }

    /// Leaves all queries open.
    fn leave_open(&mut self, queries: usize) {
        let Self { keys, parts, .. } = self;
        keys.clear();
        parts.clear();
        parts.resize(queries, OPEN);
    }

    /// Finds the shapes whose bounding boxes are nearest to the boxes of these numbers. All shapes
    /// must be seen.
    fn find(
        &mut self,
        search: &IndexSearch<'_>,
        boxes: Layout<'_>,
        order: &[u32],
        limits: Limits,
        themselves: bool,
    ) {
        let most = limits.k.min(search.len().saturating_sub(usize::from(themselves)));
        let many = order.len() >= FEWEST && (1..=MOST_NEAREST).contains(&most);
        let Some(grid) = search.grid().whole().filter(|_| many) else {
            return self.leave_open(order.len());
        };
        let Self { keys, parts, left, scratch, .. } = self;
        scratch.resize(SEVERAL * SCRATCH, 0);
        keys.resize(order.len() * (most + usize::from(themselves)) + KEPT, 0);
        parts.resize(order.len(), OPEN);
        left.resize(3 * order.len(), 0);
        search.nearest_items(NearestItems {
            grid,
            boxes,
            order,
            themselves,
            k: most,
            max_distance: limits.max_distance,
            found: keys,
            spans: parts,
            left,
            scratch,
        });
    }

    /// Appends the lists of all queries, in the order of `place`, to `lists`. The nearest shapes of
    /// open queries are found one by one.
    fn list(
        &mut self,
        order: &[u32],
        queries: usize,
        place: impl Fn(u32) -> usize,
        lists: &mut Lists<Neighbor>,
        mut find_one: impl FnMut(u32, &mut Vec<Neighbor>, &mut NearestWorkspace),
    ) {
        let Self { workspace, found, keys, parts, spans, .. } = self;
        spans.clear();
        spans.resize(queries, [0; 2]);
        for (&query, part) in order.iter().zip(&*parts) {
            spans[place(query)] = if *part == OPEN {
                found.clear();
                find_one(query, found, workspace);
                let begin = keys.len();
                keys.extend(found.iter().map(Neighbor::key));
                [begin, keys.len()]
            } else {
                part.map(|end| end as usize)
            };
        }
        keys.resize(keys.len() + CHUNK, 0);
        lists.extend(spans, keys, Neighbor::of_key);
    }
}

/// The bounds of a probe that is a point, or a circle.
fn bounds_of_point(probe: &Probe<'_>) -> Option<RoundedBox> {
    let bounds = probe.bounds();
    let point = bounds.min_x == bounds.max_x && bounds.min_y == bounds.max_y;
    (point && !probe.rotates()).then_some(bounds)
}

/// How many neighbors a query has at most, and how far away they may be.
#[derive(Clone, Copy)]
struct Limits {
    k: usize,
    max_distance: f32,
}

/// What a task of queries needs.
#[derive(Default)]
struct NearestWorkspace {
    solids: SolidWorkspace,
    browse: Browse,
}

/// The workspace of searches for shapes.
struct Browse {
    /// Shapes within a reach; the second ones if many are wanted.
    few: [NearbyItem; FEW],
    nearby: Vec<NearbyItem>,
    frontier: Frontier,
    /// The first reach of the next search, as a multiple of the reach in which the grid has enough
    /// items: it follows the searches, so that about nine in ten succeed.
    first_reach: f64,
    /// How many searches in a row found no reach with enough shapes and not too many, at most
    /// [`MOST_FAILED`]; and how many of the next ones do not try.
    failed: u32,
    untried: u32,
}

impl Default for Browse {
    fn default() -> Self {
        let (few, nearby) = ([NearbyItem::default(); FEW], Vec::new());
        let frontier = Frontier::default();
        Self { few, nearby, frontier, first_reach: 1.0, failed: 0, untried: 0 }
    }
}

impl Browse {
    /// Whether the next search tries reaches.
    fn tries(&mut self) -> bool {
        let untried = self.untried;
        self.untried = untried.saturating_sub(1);
        untried == 0
    }

    /// Notes whether a reach with enough shapes was found. After two failures, where the next
    /// queries lie is probably no better.
    fn note(&mut self, found: bool) {
        self.failed = if found { 0 } else { (self.failed + 1).min(MOST_FAILED) };
        self.untried = if self.failed > 1 { 1 << self.failed } else { 0 };
    }
}

/// What a first reach that was too short, far enough, or too long multiplies the next one by.
const LONGER: f64 = 1.1;
const SHORTER: f64 = 0.99;
const MUCH_SHORTER: f64 = 0.9;

/// A reach that is too short is multiplied by this, and a reach that is too long is divided by it.
const FURTHER: f32 = 1.75;

/// How many reaches are tried.
const TRIES: usize = 5;

/// After this many failures, 32 searches do not try reaches.
const MOST_FAILED: u32 = 5;

/// How many shapes are listed at most: four times as many as are wanted, at least this many.
const FEW: usize = 64;

impl IndexSearch<'_> {
    /// Appends the shapes that are nearest to a row of a batch.
    fn nearest_of_row(
        &self,
        batch: &QueryShapes<'_>,
        row: usize,
        limits: Limits,
        workspace: &mut NearestWorkspace,
        neighbors: &mut Vec<Neighbor>,
    ) {
        if batch.are_boxes() {
            if let Some((search, bounds)) = batch.box_query(self, row) {
                search.nearest_to_box(bounds, limits, None, &mut workspace.browse, neighbors);
            }
        } else if let Some((search, probe)) = batch.query(self, row) {
            search.nearest(&probe, limits, None, &search.solids(), workspace, neighbors);
        }
    }

    /// Appends the nearest shapes. All shapes must be axis-aligned.
    fn nearest_to_box(
        &self,
        bounds: RoundedBox,
        limits: Limits,
        itself: Option<u32>,
        browse: &mut Browse,
        neighbors: &mut Vec<Neighbor>,
    ) {
        let boxes = self.grid().rounded();
        let mut distance_of = |place| box_distance(bounds, boxes.rounded_box(place));
        let search = NearestSearch { search: self, bounds, limits, itself };
        search.run(true, &mut distance_of, browse, neighbors);
    }

    /// Appends the nearest shapes.
    fn nearest(
        &self,
        probe: &Probe<'_>,
        limits: Limits,
        itself: Option<u32>,
        solids: &Solids<'_>,
        workspace: &mut NearestWorkspace,
        neighbors: &mut Vec<Neighbor>,
    ) {
        let NearestWorkspace { solids: solid_workspace, browse } = workspace;
        let search = NearestSearch { search: self, bounds: probe.bounds(), limits, itself };
        self.with_distances(probe, solids, solid_workspace, |boxes, distance_of| {
            search.run(boxes, distance_of, browse, neighbors);
        });
    }

    /// Calls `work` with the distance of the probe from the shape at a place, and whether all
    /// distances are between bounding boxes.
    #[inline(always)]
    fn with_distances<R>(
        &self,
        probe: &Probe<'_>,
        solids: &Solids<'_>,
        workspace: &mut SolidWorkspace,
        work: impl FnOnce(bool, &mut dyn FnMut(usize) -> f32) -> R,
    ) -> R {
        let (bounds, [corners, own]) = (probe.bounds(), &mut workspace.corners);
        if !probe.rotates() && !self.rotates() {
            let boxes = self.grid().rounded();
            return work(true, &mut |place| box_distance(bounds, boxes.rounded_box(place)));
        }
        if !probe.rotates() {
            return Solid::with_box(&bounds, |own| {
                work(false, &mut |place| solids.distance(place, &own, corners) as f32)
            });
        }
        let (set, sources) = (probe.set(), probe.sources());
        work(false, &mut |place| {
            let mut nearest = f64::INFINITY;
            each_part(&set, 0, &sources, own, &mut |_, own| {
                nearest = nearest.min(solids.distance(place, own, corners));
            });
            nearest as f32
        })
    }
}

impl IndexSearch<'_> {
    /// The distances of a point with a radius from the segments with these keys; NaN for those that
    /// only exact arithmetic can tell.
    #[inline(always)]
    fn measure_segments(
        &self,
        point: &RoundedBox,
        keys: &[u64],
        segments: &[Placed],
    ) -> [[f32; SEGMENTS]; MEASURED] {
        let mut distances = [[f32::NAN; SEGMENTS]; MEASURED];
        for (keys, distances) in keys.chunks(SEGMENTS).zip(&mut distances) {
            let mut columns = [[0.0; SEGMENTS]; 5];
            for (lane, &key) in keys.iter().enumerate() {
                let segment = &segments[Neighbor::of_key(key).row as usize];
                let [[ax, ay], [bx, by]] = segment.ends();
                for (column, value) in columns.iter_mut().zip([ax, ay, bx, by, segment.radius()]) {
                    column[lane] = value;
                }
            }
            self.segment_distances(point, &columns, distances);
        }
        distances
    }

    /// Calls `work` with the distance of the probe from the shape of a row, of an index of rotated
    /// shapes.
    #[inline(always)]
    fn with_row_distances(
        &self,
        probe: &Probe<'_>,
        solids: &Solids<'_>,
        workspace: &mut SolidWorkspace,
        work: impl FnOnce(&mut dyn FnMut(usize) -> f32),
    ) {
        let [corners, own] = &mut workspace.corners;
        if !probe.rotates() {
            return Solid::with_box(&probe.bounds(), |own| {
                work(&mut |row| solids.distance_of_row(row, &own, corners) as f32);
            });
        }
        let (set, sources) = (probe.set(), probe.sources());
        work(&mut |row| {
            let mut nearest = f64::INFINITY;
            each_part(&set, 0, &sources, own, &mut |_, own| {
                nearest = nearest.min(solids.distance_of_row(row, own, corners));
            });
            nearest as f32
        });
    }
}

/// A search for the shapes that are nearest to a shape with these bounds.
struct NearestSearch<'a, 'b> {
    search: &'a IndexSearch<'b>,
    bounds: RoundedBox,
    limits: Limits,
    itself: Option<u32>,
}

impl NearestSearch<'_, '_> {
    /// Appends the shapes whose distances, by `distance_of` their places, are the smallest. `boxes`
    /// says that these are distances of bounding boxes.
    ///
    /// In plain words: the shapes within a reach are listed with lower bounds of their distances,
    /// and those are decided in `f64` that may be among the nearest. The reach is such that enough
    /// are expected. If there are not enough, or far too many, the index is searched by growing
    /// distance instead, which is slower for a few shapes and never takes long.
    fn run(
        &self,
        boxes: bool,
        distance_of: &mut dyn FnMut(usize) -> f32,
        browse: &mut Browse,
        neighbors: &mut Vec<Neighbor>,
    ) {
        let Self { search, limits, itself, .. } = self;
        let k = limits.k.min(search.len() - usize::from(itself.is_some()));
        if k == 0 {
            return;
        }
        if browse.tries() || search.grid().one_cell().is_some() {
            let found = self.try_reaches(k, distance_of, browse, neighbors);
            browse.note(found);
            if found {
                return;
            }
        }
        let frontier = &mut browse.frontier;
        frontier.clear();
        self.browse(boxes, distance_of, Some(k), frontier);
        let ids = search.ids();
        frontier.take_found(|place, distance| {
            neighbors.push(Neighbor { row: !ids[place], distance });
        });
    }

    /// Appends the `k` nearest shapes, or all within the largest distance, if a reach is found in
    /// which there are enough shapes and not too many. Returns whether it is found.
    fn try_reaches(
        &self,
        k: usize,
        distance_of: &mut dyn FnMut(usize) -> f32,
        Browse { few, nearby, first_reach, .. }: &mut Browse,
        neighbors: &mut Vec<Neighbor>,
    ) -> bool {
        let Self { search, bounds, limits: Limits { max_distance, .. }, .. } = self;
        let first = neighbors.len();
        let nearby = if 4 * k <= FEW {
            &mut few[..]
        } else {
            nearby.resize(4 * k, NearbyItem::default());
            &mut nearby[..]
        };
        let usual = search.grid().reach_of(k);
        // All shapes of one cell are within the first reach.
        let learn = usual.is_finite();
        let mut reach = if learn { (usual * *first_reach) as f32 } else { f32::INFINITY };
        let mut beyond = f32::INFINITY;
        for attempt in 0..TRIES {
            let all = reach >= *max_distance;
            let within = if all { max_distance.next_up() } else { reach };
            let Some(count) = search.nearby(bounds, within, nearby) else {
                if attempt == 0 && learn {
                    *first_reach *= MUCH_SHORTER;
                }
                (beyond, reach) = (reach, reach / FURTHER);
                continue;
            };
            self.decide(k, &mut nearby[..count], distance_of, first, neighbors);
            let enough = neighbors.len() == first + k
                && neighbors.last().is_some_and(|last| last.distance < within);
            if attempt == 0 && learn {
                *first_reach *= if enough || all { SHORTER } else { LONGER };
            }
            if enough || all {
                return true;
            }
            neighbors.truncate(first);
            // Where nothing is near, nothing tells how far to go.
            let nothing = count == 0 && attempt > 0;
            if nothing || reach * FURTHER >= beyond {
                break;
            }
            reach = (reach * FURTHER).max(usual as f32).min(beyond / FURTHER);
        }
        false
    }

    /// Appends the nearest of some shapes, at most `k`. Other shapes that are as near as one of
    /// these must be among them.
    fn decide(
        &self,
        k: usize,
        nearby: &mut [NearbyItem],
        distance_of: &mut dyn FnMut(usize) -> f32,
        first: usize,
        neighbors: &mut Vec<Neighbor>,
    ) {
        let ids = self.search.ids();
        let max_distance = self.limits.max_distance;
        // Of a few, most need no decision once the nearest ones are known.
        let sorts = 4 * k <= FEW;
        let nearby: &mut [u64] = bytemuck::cast_slice_mut(nearby);
        if sorts {
            nearby.sort_unstable();
        }
        let mut found = 0;
        for at in 0..nearby.len() {
            let item: NearbyItem = bytemuck::cast(nearby[at]);
            let place = item.place();
            let full = sorts && neighbors.len() == first + k;
            if full && neighbors.last().is_some_and(|last| item.bound() > last.distance) {
                break;
            }
            if !self.sees(place) {
                continue;
            }
            let near = Neighbor { row: !ids[place], distance: distance_of(place) };
            if near.distance > max_distance {
                continue;
            }
            if !sorts {
                nearby[found] = near.key();
                found += 1;
                continue;
            }
            let nearer = neighbors[first..].partition_point(|other| other.key() < near.key());
            if full {
                if nearer == k {
                    continue;
                }
                neighbors.pop();
            }
            neighbors.insert(first + nearer, near);
        }
        if found > k {
            nearby[..found].select_nth_unstable(k - 1);
            found = k;
        }
        let keys = &mut nearby[..found];
        keys.sort_unstable();
        neighbors.extend(keys.iter().map(|key| Neighbor::of_key(*key)));
    }

    /// The next shape by distance, then by row; or, if `most` are wanted, `None`: the frontier then
    /// has the nearest ones.
    fn browse(
        &self,
        boxes: bool,
        distance_of: &mut dyn FnMut(usize) -> f32,
        most: Option<usize>,
        frontier: &mut Frontier,
    ) -> Option<Neighbor> {
        let Self { search, bounds, limits, .. } = self;
        let (place, distance) = search.dispatch(ByDistance {
            grid: search.grid(),
            sides: bounds,
            max_distance: limits.max_distance,
            most,
            frontier,
            sees: &|place| self.sees(place),
            exact: if boxes { None } else { Some(distance_of) },
        })?;
        Some(Neighbor { row: !search.ids()[place], distance })
    }

    fn sees(&self, place: usize) -> bool {
        self.itself != Some(!self.search.ids()[place]) && self.search.sees(place)
    }
}

impl Solids<'_> {
    /// The distance of a solid and the shape at a place: of a compound, the distance of its nearest
    /// part.
    fn distance(&self, place: usize, own: &Solid<'_>, corners: &mut Corners) -> f64 {
        if let Some(sides) = self.aligned(place) {
            return Solid::with_box(&sides, |solid| distance(own, &solid));
        }
        self.distance_of_row(self.row(place), own, corners)
    }

    /// The distance of a solid and the shape of a row of an index of rotated shapes.
    fn distance_of_row(&self, row: usize, own: &Solid<'_>, corners: &mut Corners) -> f64 {
        let mut nearest = f64::INFINITY;
        self.each_of_row(row, corners, &mut |_, solid| {
            nearest = nearest.min(distance(own, solid));
        });
        if nearest > 0.0 && self.has_on_inner_side(row, own) { 0.0 } else { nearest }
    }
}
