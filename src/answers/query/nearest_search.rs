//! `NearestSearch`: the shapes that are nearest to one shape.

use super::{
    record::Neighbor,
    search::{IndexSearch, QueryShapes, grown},
    solids::Solids,
};
use crate::{
    geometry::{Corners, Solid, box_distance, distance},
    grid::{ATTEMPTS, ByDistance, Frontier, LeftOpen, NearestAround, NearestRoom},
    narrowphase::{NearBox, PartBounds, PartWorkspace, Probe, SolidWorkspace, each_part_first},
    shape::RoundedBox,
};

/// How many neighbors a query has at most, and how far away they may be.
#[derive(Clone, Copy)]
pub(super) struct Limits {
    pub(super) k: usize,
    pub(super) max_distance: f32,
}

impl Limits {
    /// The limits of the search for other shapes, after the shapes of `found` from number `first`
    /// on, nearest first, have been found.
    pub(super) fn after(self, found: &[Neighbor], first: usize) -> Self {
        let last = self.k.checked_sub(1).and_then(|last| found.get(first.saturating_add(last)));
        Self { max_distance: last.map_or(self.max_distance, |last| last.distance), ..self }
    }

    /// The limits of a search whose shapes may have been removed.
    pub(super) fn of(self, search: &IndexSearch<'_>) -> Self {
        Self { max_distance: search.within(self.max_distance), ..self }
    }
}

/// The workspace of a task of queries.
#[derive(Default)]
pub(super) struct NearestWorkspace {
    pub(super) solids: SolidWorkspace,
    pub(super) browse: Browse,
}

/// The workspace of searches for shapes.
#[derive(Default)]
pub(super) struct Browse {
    pub(super) room: NearestRoom,
    frontier: Frontier,
    /// The number of attempts that a search around the box need not make: they have left it open.
    pub(super) tried: usize,
}

impl Browse {
    /// The workspace of one search for a box, and why the first attempt left it open, if there was
    /// an attempt.
    pub(super) fn after(first: Option<LeftOpen>) -> Self {
        let tried = match first {
            None => 0,
            Some(LeftOpen::Sparse) => 1,
            Some(LeftOpen::Crowded | LeftOpen::Far) => ATTEMPTS.len(),
        };
        Self { tried, ..Self::default() }
    }
}

impl IndexSearch<'_> {
    /// Appends the shapes that are nearest to a row of a batch.
    pub(super) fn nearest_of_row(
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
    pub(super) fn nearest_to_box(
        &self,
        bounds: RoundedBox,
        limits: Limits,
        itself: Option<u32>,
        browse: &mut Browse,
        neighbors: &mut Vec<Neighbor>,
    ) {
        if !self.covers(|| grown(&bounds, limits.max_distance)) {
            return;
        }
        let boxes = self.grid().rounded();
        let mut distance_of = |place| box_distance(bounds, boxes.rounded_box(place));
        let search = NearestSearch { search: self, bounds, limits, itself };
        search.run(true, &mut distance_of, browse, neighbors);
    }

    /// Appends the nearest shapes.
    pub(super) fn nearest(
        &self,
        probe: &Probe<'_>,
        limits: Limits,
        itself: Option<u32>,
        solids: &Solids<'_>,
        workspace: &mut NearestWorkspace,
        neighbors: &mut Vec<Neighbor>,
    ) {
        if !self.covers(|| grown(&probe.bounds(), limits.max_distance)) {
            return;
        }
        let NearestWorkspace { solids: solid_workspace, browse } = workspace;
        let search = NearestSearch { search: self, bounds: probe.bounds(), limits, itself };
        self.with_distances(probe, solids, solid_workspace, |boxes, distance_of| {
            search.run(boxes, distance_of, browse, neighbors);
        });
    }

    /// Calls `work` with the distance of the probe from the shape at a place, and whether all
    /// distances are between bounding boxes.
    #[inline(always)]
    pub(super) fn with_distances<R>(
        &self,
        probe: &Probe<'_>,
        solids: &Solids<'_>,
        workspace: &mut SolidWorkspace,
        work: impl FnOnce(bool, &mut dyn FnMut(usize) -> f32) -> R,
    ) -> R {
        let (bounds, [others, own]) = (probe.bounds(), &mut workspace.parts);
        let (corners, own) = (&mut others.corners, &mut own.corners);
        if !probe.rotates() && !self.rotates() {
            let boxes = self.grid().rounded();
            return work(true, &mut |place| box_distance(bounds, boxes.rounded_box(place)));
        }
        if !probe.rotates() {
            return Solid::with_box(&bounds, |own| {
                work(false, &mut |place| {
                    solids.distance(place, &own, f64::INFINITY, corners) as f32
                })
            });
        }
        let (set, sources) = (probe.set(), probe.sources());
        work(false, &mut |place| {
            let mut nearest = f64::INFINITY;
            let near = || PartBounds::Distance(solids.near_box(place));
            each_part_first(&set, 0, &sources, &near, nearest, own, &mut |_, own| {
                nearest = nearest.min(solids.distance(place, own, nearest, corners));
                nearest
            });
            nearest as f32
        })
    }

    /// Calls `work` with the distance of the probe from the shape of a row, of an index of rotated
    /// shapes.
    #[inline(always)]
    pub(super) fn with_row_distances(
        &self,
        probe: &Probe<'_>,
        solids: &Solids<'_>,
        workspace: &mut SolidWorkspace,
        work: impl FnOnce(&mut dyn FnMut(usize) -> f32),
    ) {
        let [PartWorkspace { corners, .. }, PartWorkspace { corners: own, .. }] =
            &mut workspace.parts;
        if !probe.rotates() {
            return Solid::with_box(&probe.bounds(), |own| {
                work(&mut |row| solids.distance_of_row(row, &own, f64::INFINITY, corners) as f32);
            });
        }
        let (set, sources) = (probe.set(), probe.sources());
        work(&mut |row| {
            let mut nearest = f64::INFINITY;
            let near = || PartBounds::Distance(solids.near_box_of_row(row));
            each_part_first(&set, 0, &sources, &near, nearest, own, &mut |_, own| {
                nearest = nearest.min(solids.distance_of_row(row, own, nearest, corners));
                nearest
            });
            nearest as f32
        });
    }
}

/// A search for the shapes that are nearest to a shape with these bounds.
pub(super) struct NearestSearch<'a, 'b> {
    pub(super) search: &'a IndexSearch<'b>,
    pub(super) bounds: RoundedBox,
    pub(super) limits: Limits,
    pub(super) itself: Option<u32>,
}

impl NearestSearch<'_, '_> {
    /// Appends the shapes whose distances, by `distance_of` their places, are the smallest. `boxes`
    /// says that the distances are the distances of bounding boxes.
    ///
    /// In plain words: the shapes are looked for in the cells around the box, within a reach in
    /// which enough are expected. If there are not enough, or far too many, the index is searched
    /// by growing distance instead, which is slower for a few shapes and never takes long.
    fn run(
        &self,
        boxes: bool,
        distance_of: &mut dyn FnMut(usize) -> f32,
        browse: &mut Browse,
        neighbors: &mut Vec<Neighbor>,
    ) {
        let Self { search, limits, itself, .. } = self;
        let own = usize::from(itself.is_some() && !search.has_layers());
        let k = limits.k.min(search.live() - own);
        if k == 0 || search.sees_nothing() {
            return;
        }
        if self.find_around(k, boxes, distance_of, browse, neighbors) {
            return;
        }
        let frontier = &mut browse.frontier;
        frontier.clear();
        self.browse(boxes, distance_of, Some(k), frontier);
        let ids = search.ids();
        frontier.take_found(|place, distance| {
            neighbors.push(Neighbor { row: !ids[place], distance });
        });
    }

    /// Appends the `k` nearest shapes, or all within the largest distance, if they are around the
    /// box. Returns whether they are.
    fn find_around(
        &self,
        k: usize,
        boxes: bool,
        distance_of: &mut dyn FnMut(usize) -> f32,
        browse: &mut Browse,
        neighbors: &mut Vec<Neighbor>,
    ) -> bool {
        let Self { search, bounds, limits, itself } = self;
        let sees = &|place| self.sees(place);
        let sees = (!search.sees_whole()).then_some(sees as _);
        for &factor in &ATTEMPTS[browse.tried..] {
            let (room, by_place) = (&mut browse.room, !boxes);
            let asked = search.asked(*bounds, *itself, limits.max_distance);
            match search.dispatch(NearestAround { asked, k, factor, sees, by_place, room }) {
                Ok(_) if boxes => {
                    neighbors.extend(browse.room.keys().iter().map(|key| Neighbor::of_key(*key)));
                    return true;
                }
                Ok(reach) => {
                    if self.decide(k, browse.room.keys(), reach, distance_of, neighbors) {
                        return true;
                    }
                }
                Err(LeftOpen::Sparse) => {}
                Err(LeftOpen::Crowded | LeftOpen::Far) => return false,
            }
        }
        false
    }

    /// Appends the nearest of the shapes with these keys, which have the distances of bounding
    /// boxes and places: at most `k`. Appends nothing and returns `false` if a shape beyond `reach`
    /// may be among the nearest.
    fn decide(
        &self,
        k: usize,
        keys: &[u64],
        reach: f32,
        distance_of: &mut dyn FnMut(usize) -> f32,
        neighbors: &mut Vec<Neighbor>,
    ) -> bool {
        let (ids, first) = (self.search.ids(), neighbors.len());
        let max_distance = self.limits.max_distance;
        for &key in keys {
            let (bound, place) = (f32::from_bits((key >> 32) as u32), key as u32 as usize);
            let full = neighbors.len() == first + k;
            // Roundings may take a unit in the last place from a bound.
            if full && neighbors.last().is_some_and(|last| bound.next_down() > last.distance) {
                break;
            }
            let near = Neighbor { row: !ids[place], distance: distance_of(place) };
            let nearer = neighbors[first..].partition_point(|other| other.key() < near.key());
            if near.distance <= max_distance && nearer < k {
                neighbors.truncate(first + k - 1);
                neighbors.insert(first + nearer, near);
            }
        }
        let known = |last: &Neighbor| last.distance < reach.next_down();
        let enough = neighbors.len() == first + k && neighbors.last().is_some_and(known);
        if !enough && reach <= max_distance {
            neighbors.truncate(first);
        }
        enough || reach > max_distance
    }

    /// The next shape by distance, then by row; or, if `most` shapes are wanted, `None`: the
    /// frontier then has the nearest shapes.
    pub(super) fn browse(
        &self,
        boxes: bool,
        distance_of: &mut dyn FnMut(usize) -> f32,
        most: Option<usize>,
        frontier: &mut Frontier,
    ) -> Option<Neighbor> {
        let Self { search, bounds, limits, .. } = self;
        if search.sees_nothing() {
            return None;
        }
        let (place, distance) = search.with_met_kinds(|kinds| {
            search.dispatch(ByDistance {
                grid: search.grid(),
                sides: bounds,
                max_distance: limits.max_distance,
                most,
                frontier,
                sees: &|place| self.sees(place),
                kinds,
                exact: if boxes { None } else { Some(distance_of) },
            })
        })?;
        Some(Neighbor { row: !search.ids()[place], distance })
    }

    fn sees(&self, place: usize) -> bool {
        self.itself != Some(!self.search.ids()[place]) && self.search.sees(place)
    }
}

impl Solids<'_> {
    /// The distance of a solid and the shape at a place: of a compound, the distance of its nearest
    /// part. If it is above the limit, it may be infinite.
    fn distance(&self, place: usize, own: &Solid<'_>, limit: f64, corners: &mut Corners) -> f64 {
        if let Some(sides) = self.aligned(place) {
            return Solid::with_box(&sides, |solid| distance(own, &solid));
        }
        self.distance_of_row(self.row(place), own, limit, corners)
    }

    /// The distance of a solid and the shape of a row of an index of rotated shapes.
    fn distance_of_row(
        &self,
        row: usize,
        own: &Solid<'_>,
        limit: f64,
        corners: &mut Corners,
    ) -> f64 {
        let mut nearest = f64::INFINITY;
        let near = || PartBounds::Distance(NearBox::of(own));
        self.each_of_row(row, &near, limit, corners, &mut |_, solid| {
            nearest = nearest.min(distance(own, solid));
            nearest.min(limit)
        });
        if nearest > 0.0 && self.has_on_inner_side(row, own) { 0.0 } else { nearest }
    }
}
