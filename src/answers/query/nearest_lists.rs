//! `SortedLists`: the nearest shapes of many queries at once.

use super::{
    join::{JOINED, MIN_JOINED, TASK_JOINED},
    nearest_search::{Limits, NearestWorkspace},
    record::Neighbor,
    search::{IndexSearch, QueryShapes},
};
use crate::{
    grid::{ATTEMPTS, Asked, MAX_KEPT, MAX_NEAREST, NearestItems, OPEN, SCRATCH_WORDS},
    lists::Lists,
    narrowphase::{Probe, Set},
    shape::RoundedBox,
    simd::{HALF_LANES, MAX_LANES, map_each},
    store::Layout,
};

/// The number of queries that are searched together. Workspaces do not grow with `k`.
pub(super) fn together(limits: Limits, threads: bool) -> usize {
    let most = if threads { TASK_JOINED } else { JOINED };
    most.min((8 * most).div_ceil(limits.k.max(1)))
}

/// So many more bounding boxes than shapes are found, so that most queries can be decided.
const MORE_BOXES_FOUND: usize = 4;

/// If this many segments are wanted, all found segments are measured together. With a smaller `k`,
/// most segments need not be measured at all.
const MIN_SEGMENTS_MEASURED: usize = 4;

/// The workspace of a batch, in units of the workspace of one search.
const SCRATCHES_PER_BATCH: usize = 8;

/// Lists of neighbors in the order in which queries are searched.
#[derive(Default)]
pub(super) struct SortedLists {
    pub(super) workspace: NearestWorkspace,
    pub(super) found: Vec<Neighbor>,
    /// The keys of neighbors: for each query space for as many keys as are wanted, then the lists
    /// of queries that are searched one by one.
    pub(super) keys: Vec<u64>,
    /// The part of `keys` that each query has, in the order in which they are searched.
    pub(super) parts: Vec<[u32; 2]>,
    /// The workspaces of a search for many queries.
    left: Vec<u32>,
    scratch: Vec<u32>,
    /// The part of `keys` that each query has, in the order of the queries.
    spans: Vec<[usize; 2]>,
}

impl SortedLists {
    /// Finds the nearest shapes of the rows of a batch.
    pub(super) fn find_rows(
        &mut self,
        search: &IndexSearch<'_>,
        batch: &QueryShapes<'_>,
        order: &[u32],
        limits: Limits,
    ) {
        if !batch.are_alike() || search.grid().one_cell().is_some() {
            let of_row = |row: &u32| batch.asked_of_few(search, *row as usize, limits.max_distance);
            return self.find_among_few(search, order.iter().map(of_row), limits);
        }
        let boxes = batch.bounding_boxes().filter(|_| search.sees_all());
        match boxes.filter(|_| batch.are_boxes() || search.rotates()) {
            None => self.leave_open(order.len()),
            Some(boxes) if batch.are_boxes() => self.find(search, boxes, order, limits, false),
            Some(boxes) => {
                // Roundings may add a unit in the last place to the distance of a box.
                let max_distance = limits.max_distance.next_up();
                let more = Limits { k: limits.k.saturating_add(MORE_BOXES_FOUND), max_distance };
                self.find(search, boxes, order, more, false);
                self.decide(search, batch, order, limits);
            }
        }
    }

    /// Replaces the shapes whose bounding boxes are nearest by the nearest shapes. Leaves a query
    /// open if its nearest shapes may not be among them.
    fn decide(
        &mut self,
        search: &IndexSearch<'_>,
        batch: &QueryShapes<'_>,
        order: &[u32],
        limits: Limits,
    ) {
        let Self { workspace, found, keys, parts, .. } = self;
        // A search for more bounding boxes than were found may decide open queries.
        workspace.browse.tried = 0;
        let segments = search.segments().filter(|_| limits.k >= MIN_SEGMENTS_MEASURED);
        let (solids, more) =
            (search.solids(), limits.k.saturating_add(MORE_BOXES_FOUND).min(search.len()));
        for (&query, part) in order.iter().zip(parts) {
            let [begin, end] = map_each(*part, |end| end as usize);
            if *part == OPEN || !batch.holds(query as usize) {
                continue;
            }
            let probe = batch.probe(query as usize);
            let boxes = &keys[begin..end];
            // With fewer boxes than were wanted, these are all boxes within the distance.
            let mut decided = boxes.len() < more || more == search.len();
            found.clear();
            let measured = segments.as_ref().and_then(|segments| {
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

    /// Finds the nearest shapes of boxes that are compared with few shapes, and leaves the other
    /// boxes open.
    pub(super) fn find_among_few<'a>(
        &mut self,
        search: &IndexSearch<'_>,
        queries: impl Iterator<Item = Option<Asked<'a>>>,
        limits: Limits,
    ) {
        self.leave_open(0);
        let Self { keys, parts, workspace, .. } = self;
        for query in queries {
            let begin = keys.len() as u32;
            let room = &mut workspace.browse.room;
            let found = query
                .is_some_and(|asked| search.nearest_of_few(asked, limits.k, room, keys).is_ok());
            parts.push(if found { [begin, keys.len() as u32] } else { OPEN });
        }
    }

    /// Leaves all queries open.
    fn leave_open(&mut self, queries: usize) {
        let Self { keys, parts, workspace, .. } = self;
        workspace.browse.tried = 0;
        keys.clear();
        parts.clear();
        parts.resize(queries, OPEN);
    }

    /// Finds the shapes whose bounding boxes are nearest to the boxes of these numbers. All shapes
    /// must be seen.
    pub(super) fn find(
        &mut self,
        search: &IndexSearch<'_>,
        boxes: Layout<'_>,
        order: &[u32],
        limits: Limits,
        themselves: bool,
    ) {
        let most = limits.k.min(search.len().saturating_sub(usize::from(themselves)));
        let many = order.len() >= MIN_JOINED && (1..=MAX_NEAREST).contains(&most);
        let Some(grid) = search.grid().whole().filter(|_| many) else {
            return self.leave_open(order.len());
        };
        let Self { keys, parts, left, scratch, workspace, .. } = self;
        workspace.browse.tried = ATTEMPTS.len();
        scratch.resize(SCRATCHES_PER_BATCH * SCRATCH_WORDS, 0);
        keys.resize(order.len() * (most + usize::from(themselves)) + MAX_KEPT, 0);
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
    /// open queries are found query by query. On failure, returns the number of neighbors for which
    /// there is no memory.
    pub(super) fn list(
        &mut self,
        order: &[u32],
        queries: usize,
        place: impl Fn(u32) -> usize,
        lists: &mut Lists<Neighbor>,
        mut find_one: impl FnMut(u32, &mut Vec<Neighbor>, &mut NearestWorkspace),
    ) -> Result<(), usize> {
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
                map_each(*part, |end| end as usize)
            };
        }
        keys.resize(keys.len() + HALF_LANES, 0);
        lists.extend(spans, keys, Neighbor::of_key)
    }
}

impl IndexSearch<'_> {
    /// The distances of a point with a radius from the segments with these keys; NaN where only
    /// exact arithmetic can tell.
    #[inline(always)]
    fn measure_segments(
        &self,
        point: &RoundedBox,
        keys: &[u64],
        segments: &Set<'_>,
    ) -> [[f32; MAX_LANES]; MAX_NEAREST / MAX_LANES] {
        let mut distances = [[f32::NAN; MAX_LANES]; MAX_NEAREST / MAX_LANES];
        for (keys, distances) in keys.chunks(MAX_LANES).zip(&mut distances) {
            let mut columns = [[0.0; MAX_LANES]; 5];
            for (lane, &key) in keys.iter().enumerate() {
                let row = Neighbor::of_key(key).row as usize;
                let ([a, b], radius) = (segments.ends(row), segments.placed[row].radius());
                let values = [a.x, a.y, b.x, b.y, f64::from(radius)];
                for (column, value) in columns.iter_mut().zip(values) {
                    column[lane] = value;
                }
            }
            self.segment_distances(point, &columns, distances);
        }
        distances
    }
}

/// The bounds of a probe that is a point, or a circle.
fn bounds_of_point(probe: &Probe<'_>) -> Option<RoundedBox> {
    let bounds = probe.bounds();
    let point = bounds.min_x == bounds.max_x && bounds.min_y == bounds.max_y;
    (point && !probe.rotates()).then_some(bounds)
}
