//! Rays: what a ray hits.

use super::{
    IndexView,
    batch::{fill, list},
    record::{First, Ray, keep_first_of_each_row},
    search::IndexSearch,
    solids::Solids,
};
use crate::{
    Error,
    base::parallel,
    geometry::{Path, Vector},
    grid::Line,
    lists::Lists,
    narrowphase::{Hit, SolidWorkspace},
};

pub(super) fn cast_ray(view: &IndexView<'_>, ray: Ray) -> Result<Option<Hit>, Error> {
    let path = ray.path(0)?;
    let search = view.search();
    Ok(search.first_hit(&path, &search.solids(), &mut SolidWorkspace::default()))
}

pub(super) fn hits_any(view: &IndexView<'_>, ray: Ray) -> Result<bool, Error> {
    let path = ray.path(0)?;
    let search = view.search();
    Ok(search.any_hit(&path, &search.solids(), &mut SolidWorkspace::default()))
}

pub(super) fn cast_ray_all(
    view: &IndexView<'_>,
    ray: Ray,
    hits: &mut Vec<Hit>,
) -> Result<(), Error> {
    hits.clear();
    let path = ray.path(0)?;
    let search = view.search();
    search.all_hits(&path, &search.solids(), &mut SolidWorkspace::default(), hits);
    Ok(())
}

pub(super) fn cast_ray_batch(
    view: &IndexView<'_>,
    rays: &[Ray],
    hits: &mut Vec<Option<Hit>>,
) -> Result<(), Error> {
    hits.clear();
    with_rays(view, rays, |search, solids, threads| {
        hits.resize(rays.len(), None);
        fill(hits, threads, &|query, room| {
            search.first_hit(&rays[query].unchecked_path(), solids, room)
        });
    })
}

pub(super) fn cast_ray_all_batch(
    view: &IndexView<'_>,
    rays: &[Ray],
    lists: &mut Lists<Hit>,
) -> Result<(), Error> {
    lists.clear();
    with_rays(view, rays, |search, solids, threads| {
        list(rays.len(), threads, lists, &|query, room, hits| {
            search.all_hits(&rays[query].unchecked_path(), solids, room, hits);
        });
    })
}

pub(super) fn hits_any_batch(
    view: &IndexView<'_>,
    rays: &[Ray],
    hits: &mut Vec<bool>,
) -> Result<(), Error> {
    hits.clear();
    with_rays(view, rays, |search, solids, threads| {
        hits.resize(rays.len(), false);
        fill(hits, threads, &|query, room| {
            search.any_hit(&rays[query].unchecked_path(), solids, room)
        });
    })
}

/// Checks rays and calls `work`, on the pool if they are many.
fn with_rays(
    view: &IndexView<'_>,
    rays: &[Ray],
    work: impl FnOnce(&IndexSearch<'_>, &Solids<'_>, bool) + Send,
) -> Result<(), Error> {
    for (index, ray) in rays.iter().enumerate() {
        ray.path(index)?;
    }
    let search = view.search();
    let threads = search.on_pool(rays.len());
    let solids = search.solids();
    parallel::enter(threads, || work(&search, &solids, threads));
    Ok(())
}

/// The fraction that ends a walk.
const NO_FURTHER: f64 = -1.0;

impl IndexSearch<'_> {
    pub(super) fn first_hit(
        &self,
        path: &Path,
        solids: &Solids<'_>,
        room: &mut SolidWorkspace,
    ) -> Option<Hit> {
        let mut first = First::default();
        self.along_ray(path, &mut |place| {
            first.offer(self.hit(path, solids, place, room));
            first.limit(path)
        });
        first.hit()
    }

    fn any_hit(&self, path: &Path, solids: &Solids<'_>, room: &mut SolidWorkspace) -> bool {
        let mut found = false;
        self.along_ray(path, &mut |place| {
            found |= self.hit(path, solids, place, room).is_some();
            if found { NO_FURTHER } else { path.limit }
        });
        found
    }

    fn all_hits(
        &self,
        path: &Path,
        solids: &Solids<'_>,
        room: &mut SolidWorkspace,
        hits: &mut Vec<Hit>,
    ) {
        let first = hits.len();
        self.along_ray(path, &mut |place| {
            hits.extend(self.hit(path, solids, place, room));
            path.limit
        });
        keep_first_of_each_row(hits, first);
    }

    /// Passes the places of all shapes that the ray may touch to `each`, which returns the fraction
    /// up to which the ray goes on.
    fn along_ray(&self, path: &Path, each: &mut dyn FnMut(usize) -> f64) {
        self.along([path.origin.x, path.origin.y], [0.0; 2], 0.0, path, each);
    }

    /// Does the same for a box with a radius that moves along the direction of `path`, from this
    /// centre.
    pub(super) fn along(
        &self,
        origin: [f64; 2],
        half: [f32; 2],
        radius: f32,
        path: &Path,
        each: &mut dyn FnMut(usize) -> f64,
    ) {
        let Path { direction, limit, length2, .. } = *path;
        // A point is the beginning of a ray in any direction.
        let (direction, limit) = if length2 == 0.0 { (Vector::X, 0.0) } else { (direction, limit) };
        let line = Line { origin, direction: [direction.x, direction.y] };
        self.walk(line, half, radius, limit, &mut |place| each(place).min(limit));
    }

    /// Where a ray first touches the shape at a place.
    pub(super) fn hit(
        &self,
        path: &Path,
        solids: &Solids<'_>,
        place: usize,
        room: &mut SolidWorkspace,
    ) -> Option<Hit> {
        let row = !self.ids()[place];
        let mut best: Option<(f64, Hit)> = None;
        solids.each(place, &mut room.corners[0], &mut |part, solid| {
            if let Some(entry) = path.enter(solid)
                && best.is_none_or(|(fraction, _)| entry.fraction < fraction)
            {
                let hit = Hit::of(row, part, &entry, path.at(entry.fraction));
                best = Some((entry.fraction, hit));
            }
        });
        best.map(|(_, hit)| hit)
    }
}
