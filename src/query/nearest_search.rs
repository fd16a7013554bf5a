//! `NearestSearch`: the shapes that are nearest to one shape.

use super::{
    record::Neighbor,
    search::{IndexSearch, QueryShapes, grown},
    solids::Solids,
};
use crate::{
    geometry::{Corners, Solid, box_distance, distance},
    grid::{ByDistance, Frontier, LeftOpen, NearbyItem},
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
    /// The limits of the other shapes, if these, nearest first, have been found from the `first`
    /// one on.
    pub(super) fn after(self, found: &[Neighbor], first: usize) -> Self {
        let last = self.k.checked_sub(1).and_then(|last| found.get(first.saturating_add(last)));
        Self { max_distance: last.map_or(self.max_distance, |last| last.distance), ..self }
    }

    /// The limits of a search of shapes of which some may have been removed.
    pub(super) fn of(self, search: &IndexSearch<'_>) -> Self {
        Self { max_distance: search.within(self.max_distance), ..self }
    }
}

/// What a task of queries needs.
#[derive(Default)]
pub(super) struct NearestWorkspace {
    pub(super) solids: SolidWorkspace,
    pub(super) browse: Browse,
}

/// The workspace of searches for shapes.
pub(super) struct Browse {
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
    /// Whether nothing is known to be within the first reach of the only search.
    sparse: bool,
}

impl Default for Browse {
    fn default() -> Self {
        let (few, nearby) = ([NearbyItem::default(); FEW], Vec::new());
        let frontier = Frontier::default();
        Self { few, nearby, frontier, first_reach: 1.0, failed: 0, untried: 0, sparse: false }
    }
}

impl Browse {
    /// The workspace of one search for a box that was left open.
    pub(super) fn after(left_open: LeftOpen) -> Self {
        let sparse = left_open == LeftOpen::Sparse;
        let untried = u32::from(left_open == LeftOpen::Far);
        Self { sparse, untried, ..Self::default() }
    }

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
            each_part_first(&set, 0, &sources, near, nearest, own, &mut |_, own| {
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
            each_part_first(&set, 0, &sources, near, nearest, own, &mut |_, own| {
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
        let own = usize::from(itself.is_some() && !search.has_layers());
        let k = limits.k.min(search.live() - own);
        if k == 0 || search.sees_nothing() {
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
        Browse { few, nearby, first_reach, sparse, .. }: &mut Browse,
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
        let first_attempt = usize::from(*sparse);
        if *sparse {
            reach *= FURTHER;
        }
        let mut beyond = f32::INFINITY;
        for attempt in first_attempt..TRIES {
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
        self.each_of_row(row, near, limit, corners, &mut |_, solid| {
            nearest = nearest.min(distance(own, solid));
            nearest.min(limit)
        });
        if nearest > 0.0 && self.has_on_inner_side(row, own) { 0.0 } else { nearest }
    }
}
