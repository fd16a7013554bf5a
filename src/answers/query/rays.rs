//! Rays: the shapes that a ray hits.

use std::{ops::Range, slice};

use super::{
    IndexView,
    batch::{QUERY_TASK, fill_tasks, list},
    first_hits::FirstHits,
    record::{First, Ray, keep_first_of_each_row},
    search::IndexSearch,
    solids::Solids,
};
use crate::{
    base::parallel,
    error::{
        Error,
        limit::{no_memory, try_push, try_resize},
    },
    geometry::{Path, RayEntry, Vector},
    grid::{CAST, CastRays, RAISED, RAYS, WalkedRay},
    kernel::CircleColumns,
    lists::Lists,
    narrowphase::{Hit, NO_FURTHER, NearBox, SMALLEST_F32, SolidWorkspace},
    simd::map_each,
};

pub(super) fn cast_ray(view: &IndexView<'_>, ray: Ray) -> Result<Option<Hit>, Error> {
    let path = ray.path(0)?;
    view.check(1)?;
    let (mut first, mut workspace) = (First::default(), SolidWorkspace::default());
    for search in view.searches() {
        if search.covers(|| first.reach(&path)) {
            first.offer(search.first_hit(&path, &search.solids(), &mut workspace));
        }
    }
    Ok(first.hit())
}

pub(super) fn hits_any(view: &IndexView<'_>, ray: Ray) -> Result<bool, Error> {
    let path = ray.path(0)?;
    view.check(1)?;
    let mut workspace = SolidWorkspace::default();
    Ok(view.searches().any(|search| {
        search.covers(|| First::default().reach(&path))
            && search.any_hit(&path, &search.solids(), &mut workspace)
    }))
}

pub(super) fn cast_ray_all(
    view: &IndexView<'_>,
    ray: Ray,
    hits: &mut Vec<Hit>,
) -> Result<(), Error> {
    hits.clear();
    let path = ray.path(0)?;
    view.check(1)?;
    let mut workspace = SolidWorkspace::default();
    let found = view
        .searches()
        .try_for_each(|search| search.all_hits(&path, &search.solids(), &mut workspace, hits));
    if view.index.has_layers() {
        keep_first_of_each_row(hits, 0);
    }
    found.map_err(|len| {
        *hits = Vec::new();
        no_memory(len)
    })
}

pub(super) fn cast_ray_batch(
    view: &IndexView<'_>,
    rays: &[Ray],
    hits: &mut Vec<Option<Hit>>,
) -> Result<(), Error> {
    let ask = &mut |view: &IndexView<'_>, hits: &mut Vec<Option<Hit>>| {
        with_rays(view, rays, |batch, threads| {
            try_resize(hits, rays.len(), None)?;
            fill_tasks(hits, QUERY_TASK, threads, &|first, hits, workspace: &mut RayWorkspace| {
                let RayWorkspace { solid, cast } = workspace;
                batch.each(first, hits.len(), &mut |search, solids, run| {
                    let hits = &mut hits[run.start - first..run.end - first];
                    if view.layer == 0 {
                        return search.first_hits(&rays[run], solids, solid, cast, hits);
                    }
                    for (ray, hit) in rays[run].iter().zip(hits) {
                        let (path, mut first) = (ray.unchecked_path(), First(*hit));
                        if search.covers(|| first.reach(&path)) {
                            first.offer(search.first_hit(&path, solids, solid));
                            *hit = first.hit();
                        }
                    }
                });
            });
            Ok(())
        })
    };
    view.best_of_layers(hits, ask)
}

pub(super) fn cast_ray_all_batch(
    view: &IndexView<'_>,
    rays: &[Ray],
    lists: &mut Lists<Hit>,
) -> Result<(), Error> {
    lists.clear();
    let ask = &mut |view: &IndexView<'_>, _: Option<&_>, lists: &mut Lists<Hit>| {
        with_rays(view, rays, |batch, threads| {
            list(rays.len(), threads, batch.search.most(), lists, &|query, workspace, hits| {
                let (path, mut result) = (rays[query].unchecked_path(), Ok(()));
                batch.each(query, 1, &mut |search, solids, _| {
                    result = search.all_hits(&path, solids, workspace, hits);
                });
                result
            })
        })
    };
    view.lists_of_layers(lists, view.search().most(), ask, &keep_first_of_each_row)
}

pub(super) fn hits_any_batch(
    view: &IndexView<'_>,
    rays: &[Ray],
    hits: &mut Vec<bool>,
) -> Result<(), Error> {
    let ask = &mut |view: &IndexView<'_>, hits: &mut Vec<bool>| {
        with_rays(view, rays, |batch, threads| {
            try_resize(hits, rays.len(), false)?;
            fill_tasks(hits, QUERY_TASK, threads, &|first, hits, workspace: &mut RayWorkspace| {
                let RayWorkspace { solid, cast } = workspace;
                batch.each(first, hits.len(), &mut |search, solids, run| {
                    let hits = &mut hits[run.start - first..run.end - first];
                    if view.layer == 0 {
                        return search.any_hits(&rays[run], solids, solid, cast, hits);
                    }
                    for (ray, hit) in rays[run].iter().zip(hits).filter(|(_, hit)| !**hit) {
                        let path = ray.unchecked_path();
                        let near = search.covers(|| First::default().reach(&path));
                        *hit = near && search.any_hit(&path, solids, solid);
                    }
                });
            });
            Ok(())
        })
    };
    view.best_of_layers(hits, ask)
}

/// Checks rays and calls `work`, on the pool if they are many.
fn with_rays(
    view: &IndexView<'_>,
    rays: &[Ray],
    work: impl FnOnce(&RayBatch<'_>, bool) -> Result<(), Error> + Send,
) -> Result<(), Error> {
    if !rays.iter().fold(true, |valid, ray| valid & ray.is_valid()) {
        for (index, ray) in rays.iter().enumerate() {
            ray.path(index)?;
        }
    }
    view.check(rays.len())?;
    let search = view.search();
    let threads = search.on_pool(rays.len());
    let batch = RayBatch { view, search, solids: search.solids() };
    parallel::enter(threads, || work(&batch, threads))
}

/// The workspace of a task.
#[derive(Default)]
struct RayWorkspace {
    solid: SolidWorkspace,
    cast: CastRays,
}

/// The shapes that the rays of a batch are cast among.
struct RayBatch<'a> {
    view: &'a IndexView<'a>,
    /// The search and the shapes of the first ray.
    search: IndexSearch<'a>,
    solids: Solids<'a>,
}

/// A function of the shapes that some rays see, and of the numbers of these rays.
type CastRun<'a> = dyn FnMut(&IndexSearch<'_>, &Solids<'_>, Range<usize>) + 'a;

impl RayBatch<'_> {
    /// Calls `cast` for each run of rays that see the same shapes, of `len` rays from `first` on.
    fn each(&self, first: usize, len: usize, cast: &mut CastRun<'_>) {
        let Self { view, search, solids } = self;
        if !view.differs() {
            return cast(search, solids, first..first + len);
        }
        let (mut begin, end) = (first, first + len);
        while begin < end {
            let numbers = view.numbers(begin);
            let like = |ray: &usize| view.numbers(*ray) == numbers;
            let next = begin + (begin..end).take_while(like).count();
            let search = view.of_query(begin).search();
            cast(&search, &search.solids(), begin..next);
            begin = next;
        }
    }
}

impl IndexSearch<'_> {
    pub(super) fn first_hit(
        &self,
        path: &Path,
        solids: &Solids<'_>,
        workspace: &mut SolidWorkspace,
    ) -> Option<Hit> {
        let mut hit = None;
        let (paths, walks) = (slice::from_ref(path), &mut [WalkedRay::default()]);
        self.first_on_walk(paths, walks, solids, workspace, slice::from_mut(&mut hit));
        hit
    }

    /// Writes the first hits of as many rays as there are `hits`.
    pub(super) fn first_hits(
        &self,
        rays: &[Ray],
        solids: &Solids<'_>,
        workspace: &mut SolidWorkspace,
        cast: &mut CastRays,
        hits: &mut [Option<Hit>],
    ) {
        if rays.len() > 1
            && let Some(places) = self.few()
        {
            return self.first_among_few(rays, &places, solids, workspace, cast, hits);
        }
        let (mut paths, mut walks) = ([Path::POINT; RAYS], [WalkedRay::default(); RAYS]);
        for (rays, hits) in rays.chunks(RAYS).zip(hits.chunks_mut(RAYS)) {
            let (paths, walks) = (set(&mut paths, rays), &mut walks[..rays.len()]);
            self.first_on_walk(paths, walks, solids, workspace, hits);
        }
    }

    /// Writes the first hits of rays among few shapes. Few rays have to be walked: rays that may
    /// hit another shape before the shape with the lowest bound.
    fn first_among_few(
        &self,
        rays: &[Ray],
        places: &Range<usize>,
        solids: &Solids<'_>,
        workspace: &mut SolidWorkspace,
        cast: &mut CastRays,
        hits: &mut [Option<Hit>],
    ) {
        let seen = self.seen_at(places.clone());
        for (rays, hits) in rays.chunks(CAST).zip(hits.chunks_mut(CAST)) {
            let [_, mut open] =
                self.decide_among_few(rays, places, seen, solids, cast, Some(&mut *hits));
            while open != 0 {
                let number = open.trailing_zeros() as usize;
                open &= open - 1;
                let (path, hit) = (rays[number].unchecked_path(), &mut hits[number]);
                let first = cast.first(number, places.start);
                *hit = first.and_then(|place| self.hit(&path, solids, place, workspace));
                let (others, length) = (f64::from(cast.second[number]), path.length2.sqrt());
                let distance = |hit: &Hit| f64::from(hit.fraction) * length * RAISED;
                let apart = hit.as_ref().is_some_and(|hit| distance(hit) < others);
                if others < f64::INFINITY && !apart {
                    *hit = self.first_hit(&path, solids, workspace);
                }
            }
        }
    }

    /// Decides up to [`CAST`] rays among few shapes, of which `seen` are seen: see [`FirstHits`].
    /// All rays that may hit something are left open if they are few, or if not all shapes are
    /// axis-aligned.
    fn decide_among_few(
        &self,
        rays: &[Ray],
        places: &Range<usize>,
        seen: u64,
        solids: &Solids<'_>,
        cast: &mut CastRays,
        mut hits: Option<&mut [Option<Hit>]>,
    ) -> [u32; 2] {
        put(rays, cast);
        self.cast_among_few(places.clone(), seen, cast);
        if let Some(hits) = &mut hits {
            hits.fill(None);
        }
        let Some(shapes) = solids.boxes().filter(|_| rays.len() >= MIN_RAYS_TOGETHER) else {
            let met = cast.lowest[..rays.len()].iter().map(|lowest| *lowest < f32::INFINITY);
            return [0, met.rev().fold(0, |open, met| open << 1 | u32::from(met))];
        };
        let (ids, start, circles) = (self.ids(), places.start, solids.circles().is_some());
        self.dispatch(FirstHits { rays, cast, shapes, ids, start, circles, hits })
    }

    /// Writes the first hits of some paths.
    fn first_on_walk(
        &self,
        paths: &[Path],
        walks: &mut [WalkedRay],
        solids: &Solids<'_>,
        workspace: &mut SolidWorkspace,
        hits: &mut [Option<Hit>],
    ) {
        if let Some(circles) = solids.circles() {
            // A single ray does not clear room for eight circles.
            return match paths.len() {
                1 => self.first_circles(paths, walks, circles, &mut [FirstCircle::NONE], hits),
                _ => {
                    self.first_circles(paths, walks, circles, &mut [FirstCircle::NONE; RAYS], hits)
                }
            };
        }
        hits.fill(None);
        self.walk(paths, [0.0; 2], 0.0, walks, &mut |number, place| {
            let (path, hit) = (&paths[number], &mut hits[number]);
            if self.sees(place)
                && let Some(other) = self.hit(path, solids, place, workspace)
                && hit.is_none_or(|first| other.order(&first).is_lt())
            {
                *hit = Some(other);
                return First(*hit).limit(path);
            }
            f64::INFINITY
        });
    }

    /// [`first_on_walk`](Self::first_on_walk) for circles. Only the first hit gets a point and a
    /// normal.
    #[inline]
    fn first_circles(
        &self,
        paths: &[Path],
        walks: &mut [WalkedRay],
        circles: CircleColumns<'_>,
        firsts: &mut [FirstCircle],
        hits: &mut [Option<Hit>],
    ) {
        self.circles_on_rays(paths, walks, circles, Entered::First(firsts));
        for ((hit, first), path) in hits.iter_mut().zip(firsts).zip(paths) {
            let FirstCircle { row, exact, center, .. } = *first;
            *hit = first
                .is_some()
                .then(|| Hit::of(row, 0, &path.entry_at_circle(exact, center), path.at(exact)));
        }
    }

    /// Finds the circles that rays enter.
    fn circles_on_rays(
        &self,
        paths: &[Path],
        walks: &mut [WalkedRay],
        circles: CircleColumns<'_>,
        mut entered: Entered<'_>,
    ) {
        let ids = self.ids();
        self.enter_circles(
            [paths; 2],
            0.0,
            walks,
            circles,
            #[inline(always)]
            |center, radius| (center, radius),
            #[inline(always)]
            |number, place, center, exact| match &mut entered {
                Entered::First(firsts) => {
                    let (fraction, row) = (exact as f32 + 0.0, !ids[place]);
                    let first = &mut firsts[number];
                    if !(first.comes_after(fraction, row) && self.sees(place)) {
                        return f64::INFINITY;
                    }
                    *first = FirstCircle { fraction, row, exact, center };
                    f64::from(fraction) * RAISED + SMALLEST_F32
                }
                Entered::Any(hits) => {
                    hits[number] |= self.sees(place);
                    if hits[number] { NO_FURTHER } else { f64::INFINITY }
                }
            },
        );
    }

    /// Passes the circles that discs of this radius enter whose centres move along the paths
    /// `walked`: number of the path, place, centre of the circle, fraction. `take` returns the
    /// fraction up to which the path is of further interest. A disc enters a circle if its path
    /// enters the circle that `grow` makes of a centre and a radius.
    ///
    /// Also passes circles that are not seen. Compiled for each type of `take`: a call of a
    /// function in the walk costs rays a third of their time.
    #[inline(always)]
    fn enter_circles(
        &self,
        [walked, paths]: [&[Path]; 2],
        radius: f32,
        walks: &mut [WalkedRay],
        circles: CircleColumns<'_>,
        grow: impl Fn(Vector, f64) -> (Vector, f64),
        mut take: impl FnMut(usize, usize, Vector, f64) -> f64,
    ) {
        let CircleColumns { x, y, radius: radii } = circles;
        self.walk_among_circles(
            walked,
            radius,
            walks,
            #[inline(always)]
            |number, place| {
                let center = Vector::wide([x[place], y[place]]);
                let (middle, reach) = grow(center, f64::from(radii[place]));
                match paths[number].fraction_at_circle(middle, reach) {
                    Some(exact) => take(number, place, center, exact),
                    None => f64::INFINITY,
                }
            },
        );
    }

    fn any_hit(&self, path: &Path, solids: &Solids<'_>, workspace: &mut SolidWorkspace) -> bool {
        let (mut hit, walks) = ([false], &mut [WalkedRay::default()]);
        self.any_of(slice::from_ref(path), walks, solids, workspace, &mut hit);
        hit[0]
    }

    /// Writes whether rays hit anything, as many as there are `hits`.
    fn any_hits(
        &self,
        rays: &[Ray],
        solids: &Solids<'_>,
        workspace: &mut SolidWorkspace,
        cast: &mut CastRays,
        hits: &mut [bool],
    ) {
        if rays.len() >= MIN_RAYS_TOGETHER
            && solids.boxes().is_some()
            && let Some(places) = self.few()
        {
            return self.any_among_few(rays, &places, solids, workspace, cast, hits);
        }
        let (mut paths, mut walks) = ([Path::POINT; RAYS], [WalkedRay::default(); RAYS]);
        for (rays, hits) in rays.chunks(RAYS).zip(hits.chunks_mut(RAYS)) {
            let (paths, walks) = (set(&mut paths, rays), &mut walks[..rays.len()]);
            self.any_of(paths, walks, solids, workspace, hits);
        }
    }

    /// Does the same among few axis-aligned shapes.
    fn any_among_few(
        &self,
        rays: &[Ray],
        places: &Range<usize>,
        solids: &Solids<'_>,
        workspace: &mut SolidWorkspace,
        cast: &mut CastRays,
        hits: &mut [bool],
    ) {
        let seen = self.seen_at(places.clone());
        for (rays, hits) in rays.chunks(CAST).zip(hits.chunks_mut(CAST)) {
            let [found, open] = self.decide_among_few(rays, places, seen, solids, cast, None);
            for (number, (ray, hit)) in rays.iter().zip(hits).enumerate() {
                *hit = found >> number & 1 == 1;
                if open >> number & 1 == 1 {
                    *hit = self.any_hit(&ray.unchecked_path(), solids, workspace);
                }
            }
        }
    }

    /// Writes whether some paths hit anything.
    fn any_of(
        &self,
        paths: &[Path],
        walks: &mut [WalkedRay],
        solids: &Solids<'_>,
        workspace: &mut SolidWorkspace,
        hits: &mut [bool],
    ) {
        hits.fill(false);
        if let Some(circles) = solids.circles() {
            return self.circles_on_rays(paths, walks, circles, Entered::Any(hits));
        }
        self.walk(paths, [0.0; 2], 0.0, walks, &mut |number, place| {
            let path = &paths[number];
            hits[number] |= self.sees(place) && self.hit(path, solids, place, workspace).is_some();
            if hits[number] { NO_FURTHER } else { path.limit }
        });
    }

    fn all_hits(
        &self,
        path: &Path,
        solids: &Solids<'_>,
        workspace: &mut SolidWorkspace,
        hits: &mut Vec<Hit>,
    ) -> Result<(), usize> {
        if !self.covers(|| First::default().reach(path)) {
            return Ok(());
        }
        let (first, mut result) = (hits.len(), Ok(()));
        let (paths, walks) = (slice::from_ref(path), &mut [WalkedRay::default()]);
        self.walk(paths, [0.0; 2], 0.0, walks, &mut |_, place| {
            if self.sees(place)
                && let Some(hit) = self.hit(path, solids, place, workspace)
            {
                result = result.and_then(|()| try_push(hits, hit));
            }
            if result.is_ok() { path.limit } else { NO_FURTHER }
        });
        keep_first_of_each_row(hits, first);
        result
    }

    /// Passes the places of the shapes that a box with a radius may touch to `each`, and the least
    /// fraction at which they may touch: while the box moves along the direction of `path` from
    /// this centre.
    pub(super) fn along(
        &self,
        origin: Vector,
        half: [f32; 2],
        radius: f32,
        path: &Path,
        each: &mut dyn FnMut(usize, f64) -> f64,
    ) {
        let path = Path { origin, ..*path };
        let (paths, walks, mut end) =
            (slice::from_ref(&path), &mut [WalkedRay::default()], path.limit);
        self.walk(paths, half, radius, walks, &mut |_, place| {
            if self.sees(place) {
                end = each(place, 0.0);
            }
            end
        });
    }

    /// [`along`](Self::along) for a disc among circles, with the fraction at which it enters each.
    pub(super) fn along_circles(
        &self,
        disc: &CastDisc,
        path: &Path,
        circles: CircleColumns<'_>,
        each: &mut dyn FnMut(usize, f64) -> f64,
    ) {
        let walked = Path { origin: disc.center, ..*path };
        let paths = map_each([&walked, path], slice::from_ref);
        let walks = &mut [WalkedRay::default()];
        let grow = |center, radius| (center - disc.center, disc.radius + radius + disc.gap);
        self.enter_circles(paths, disc.widened, walks, circles, grow, |_, place, _, exact| {
            if self.sees(place) { each(place, exact) } else { f64::INFINITY }
        });
    }

    /// Where a ray first touches the shape at a place.
    pub(super) fn hit(
        &self,
        path: &Path,
        solids: &Solids<'_>,
        place: usize,
        workspace: &mut SolidWorkspace,
    ) -> Option<Hit> {
        let row = !self.ids()[place];
        if let Some((center, radius)) = solids.circle(place) {
            let fraction = path.fraction_at_circle(center, radius)?;
            let entry = path.entry_at_circle(fraction, center);
            return Some(Hit::of(row, 0, &entry, path.at(entry.fraction)));
        }
        if let Some([min, max]) = solids.sharp_box(place)
            && let Some(entry) = path.enter_box(min, max)
        {
            return entry.map(|entry| Hit::of(row, 0, &entry, path.at(entry.fraction)));
        }
        let mut entered = [EnteredPart::NONE];
        self.enter_parts(slice::from_ref(path), solids, place, workspace, &mut entered);
        entered[0].hit(row, path)
    }

    /// Finds where each path first enters the shape at a place. For a
    /// compound of many parts, there may be only one path.
    pub(super) fn enter_parts(
        &self,
        paths: &[Path],
        solids: &Solids<'_>,
        place: usize,
        workspace: &mut SolidWorkspace,
        entered: &mut [EnteredPart],
    ) {
        let along = || {
            let Path { origin, direction, limit, .. } = paths[0];
            NearBox::of_corners(std::iter::once(origin), 0.0).along(direction, limit, 0.0)
        };
        solids.each_first(place, &along, &mut workspace.parts[0].corners, &mut |part, solid| {
            for (path, best) in paths.iter().zip(&mut *entered) {
                if let Some(entry) = path.enter(solid) {
                    best.offer(part, entry);
                }
            }
            entered[0].fraction()
        });
    }
}

/// Fewer rays among few shapes are decided ray by ray.
const MIN_RAYS_TOGETHER: usize = 5;

/// Replaces the rays of `cast`.
fn put(rays: &[Ray], cast: &mut CastRays) {
    (cast.count, cast.shared, cast.unit) = (rays.len(), true, false);
    for (number, ray) in rays.iter().enumerate() {
        let Ray { x, y, dx, dy, max_fraction, .. } = *ray;
        cast.shared &= x == rays[0].x && y == rays[0].y;
        (cast.origin[0][number], cast.origin[1][number]) = (x, y);
        // A point is the beginning of a ray in any direction.
        let point = dx == 0.0 && dy == 0.0;
        let (dx, dy, limit) = if point { (1.0, 0.0, 0.0) } else { (dx, dy, max_fraction) };
        (cast.direction[0][number], cast.direction[1][number]) = (dx, dy);
        cast.limit[number] = limit.min(f32::MAX);
    }
}

/// A disc that moves, and the gap that it keeps.
pub(super) struct CastDisc {
    pub(super) center: Vector,
    pub(super) radius: f64,
    pub(super) gap: f64,
    /// The sum of radius and gap, rounded up.
    pub(super) widened: f32,
}

/// Where the circles that rays enter are kept.
enum Entered<'f> {
    /// The first circle of each ray.
    First(&'f mut [FirstCircle]),
    /// Whether each ray enters a circle.
    Any(&'f mut [bool]),
}

/// The part of a shape that a path enters first, and where.
#[derive(Clone, Copy)]
pub(super) struct EnteredPart(Option<(u32, RayEntry)>);

impl EnteredPart {
    pub(super) const NONE: Self = Self(None);

    /// Keeps an entry that comes before the kept entry.
    fn offer(&mut self, part: u32, entry: RayEntry) {
        let key = |part: u32, entry: &RayEntry| (entry.fraction, part);
        if self.0.is_none_or(|(first, kept)| key(part, &entry) < key(first, &kept)) {
            self.0 = Some((part, entry));
        }
    }

    /// The fraction; infinity if no part is entered.
    pub(super) fn fraction(&self) -> f64 {
        self.0.map_or(f64::INFINITY, |(_, entry)| entry.fraction)
    }

    /// The hit of the shape of a row.
    fn hit(&self, row: u32, path: &Path) -> Option<Hit> {
        self.0.map(|(part, entry)| Hit::of(row, part, &entry, path.at(entry.fraction)))
    }
}

/// The first circle that a ray hits.
#[derive(Clone, Copy)]
struct FirstCircle {
    fraction: f32,
    row: u32,
    exact: f64,
    center: Vector,
}

impl FirstCircle {
    const NONE: Self =
        Self { fraction: f32::INFINITY, row: u32::MAX, exact: 0.0, center: Vector::ZERO };

    #[inline(always)]
    fn is_some(&self) -> bool {
        self.fraction < f32::INFINITY
    }

    /// Whether a hit at this fraction of the circle in this row comes first.
    #[inline(always)]
    fn comes_after(&self, fraction: f32, row: u32) -> bool {
        fraction < self.fraction || fraction == self.fraction && row < self.row
    }
}

/// Replaces the first paths by rays. Returns them.
#[inline(always)]
fn set<'a>(paths: &'a mut [Path; RAYS], rays: &[Ray]) -> &'a [Path] {
    for (path, ray) in paths.iter_mut().zip(rays) {
        *path = ray.unchecked_path();
    }
    &paths[..rays.len()]
}
