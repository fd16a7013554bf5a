//! Rays: what a ray hits.

use super::{
    Seen,
    batch::{fill, list},
    record::{First, Ray, keep_first_of_each_row},
    search::Search,
    solids::Solids,
};
use crate::{
    Error, Index,
    base::parallel,
    geometry::{Path, Vector},
    grid::Line,
    lists::Lists,
    narrowphase::{Hit, Room},
};

impl Index {
    /// Where a ray first touches a shape, or `None`: of several shapes at the same fraction, the
    /// one of the smallest row.
    ///
    /// Shapes are closed, whatever [`Options::touching`](crate::Options::touching) says: a ray that
    /// only touches a shape hits it. It may graze a corner, run along a side, or end on the border.
    /// A ray that starts in a shape, or on its border, hits it at fraction 0, with the normal
    /// opposite to the direction. Decisions are made in `f64`, and are exact for shapes without a
    /// pose on whole numbers of up to 2^10. No ray passes between two shapes without radius and
    /// pose that share a corner (docs/queries.md).
    ///
    /// Walks the cells that the ray passes, or tests all shapes if there are fewer. Costs 0.3 to
    /// 0.6 µs among 100,000 circles (AVX2; docs/performance.md). Allocates nothing, except for
    /// polygons.
    ///
    /// # Errors
    /// [`Error::InvalidQuery`] with index 0.
    ///
    /// ```
    /// use widephase::{Columns, Index, Ray};
    ///
    /// let index = Index::build(Columns::circles(&[5.0, 9.0], &[0.0; 2], &[1.0; 2])?)?;
    /// let ray = Ray::new([0.0, 0.0], [1.0, 0.0]);
    /// let hit = index.cast_ray(ray)?.unwrap();
    /// assert_eq!((hit.row, hit.fraction), (0, 4.0));
    /// assert_eq!((hit.position().to_array(), hit.normal().to_array()), ([4.0, 0.0], [-1.0, 0.0]));
    /// assert!(!index.hits_any(ray.up_to(3.0))?);
    ///
    /// let mut hits = Vec::new();
    /// index.cast_ray_all(ray, &mut hits)?;
    /// assert_eq!((hits[0].fraction, hits[1].fraction), (4.0, 8.0));
    /// # Ok::<(), widephase::Error>(())
    /// ```
    pub fn cast_ray(&self, ray: Ray) -> Result<Option<Hit>, Error> {
        self.all().cast_ray(ray)
    }

    /// Whether a ray hits any shape. Ends at the first shape found, which need not be the nearest.
    ///
    /// # Errors
    /// The errors of [`cast_ray`](Index::cast_ray).
    pub fn hits_any(&self, ray: Ray) -> Result<bool, Error> {
        self.all().hits_any(ray)
    }

    /// Replaces `hits` by where a ray first touches each shape that it hits: by fraction, then by
    /// row. A compound has one hit, on its first part.
    ///
    /// # Errors
    /// The errors of [`cast_ray`](Index::cast_ray); `hits` is then empty.
    pub fn cast_ray_all(&self, ray: Ray, hits: &mut Vec<Hit>) -> Result<(), Error> {
        self.all().cast_ray_all(ray, hits)
    }

    /// Replaces `hits` by the result of [`cast_ray`](Index::cast_ray) for each ray.
    ///
    /// Large batches are divided over [`Options::threads`](crate::Options::threads).
    ///
    /// # Errors
    /// [`Error::InvalidQuery`] for the first invalid ray. `hits` is then empty.
    pub fn cast_rays(&self, rays: &[Ray], hits: &mut Vec<Option<Hit>>) -> Result<(), Error> {
        self.all().cast_rays(rays, hits)
    }

    /// Replaces `lists` by the results of [`cast_ray_all`](Index::cast_ray_all) for each ray.
    ///
    /// # Errors
    /// The errors of [`cast_rays`](Index::cast_rays); `lists` is then empty.
    pub fn cast_rays_all(&self, rays: &[Ray], lists: &mut Lists<Hit>) -> Result<(), Error> {
        self.all().cast_rays_all(rays, lists)
    }

    /// Replaces `hits` by the result of [`hits_any`](Index::hits_any) for each ray.
    ///
    /// # Errors
    /// The errors of [`cast_rays`](Index::cast_rays); `hits` is then empty.
    pub fn hits_any_each(&self, rays: &[Ray], hits: &mut Vec<bool>) -> Result<(), Error> {
        self.all().hits_any_each(rays, hits)
    }
}

impl Seen<'_> {
    /// [`Index::cast_ray`] among these shapes.
    ///
    /// # Errors
    /// The errors of [`Index::cast_ray`].
    pub fn cast_ray(&self, ray: Ray) -> Result<Option<Hit>, Error> {
        let path = ray.path(0)?;
        let search = self.search();
        Ok(search.first_hit(&path, &search.solids(), &mut Room::default()))
    }

    /// [`Index::hits_any`] among these shapes.
    ///
    /// # Errors
    /// The errors of [`Index::hits_any`].
    pub fn hits_any(&self, ray: Ray) -> Result<bool, Error> {
        let path = ray.path(0)?;
        let search = self.search();
        Ok(search.any_hit(&path, &search.solids(), &mut Room::default()))
    }

    /// [`Index::cast_ray_all`] among these shapes.
    ///
    /// # Errors
    /// The errors of [`Index::cast_ray_all`].
    pub fn cast_ray_all(&self, ray: Ray, hits: &mut Vec<Hit>) -> Result<(), Error> {
        hits.clear();
        let path = ray.path(0)?;
        let search = self.search();
        search.all_hits(&path, &search.solids(), &mut Room::default(), hits);
        Ok(())
    }

    /// [`Index::cast_rays`] among these shapes.
    ///
    /// # Errors
    /// The errors of [`Index::cast_rays`].
    pub fn cast_rays(&self, rays: &[Ray], hits: &mut Vec<Option<Hit>>) -> Result<(), Error> {
        hits.clear();
        self.rays(rays, |search, solids, threads| {
            hits.resize(rays.len(), None);
            fill(hits, threads, &|query, room| {
                search.first_hit(&rays[query].unchecked_path(), solids, room)
            });
        })
    }

    /// [`Index::cast_rays_all`] among these shapes.
    ///
    /// # Errors
    /// The errors of [`Index::cast_rays_all`].
    pub fn cast_rays_all(&self, rays: &[Ray], lists: &mut Lists<Hit>) -> Result<(), Error> {
        lists.clear();
        self.rays(rays, |search, solids, threads| {
            list(rays.len(), threads, lists, &|query, room, hits| {
                search.all_hits(&rays[query].unchecked_path(), solids, room, hits);
            });
        })
    }

    /// [`Index::hits_any_each`] among these shapes.
    ///
    /// # Errors
    /// The errors of [`Index::hits_any_each`].
    pub fn hits_any_each(&self, rays: &[Ray], hits: &mut Vec<bool>) -> Result<(), Error> {
        hits.clear();
        self.rays(rays, |search, solids, threads| {
            hits.resize(rays.len(), false);
            fill(hits, threads, &|query, room| {
                search.any_hit(&rays[query].unchecked_path(), solids, room)
            });
        })
    }

    /// Checks rays and calls `work`, on the pool if they are many.
    fn rays(
        &self,
        rays: &[Ray],
        work: impl FnOnce(&Search<'_>, &Solids<'_>, bool) + Send,
    ) -> Result<(), Error> {
        for (index, ray) in rays.iter().enumerate() {
            ray.path(index)?;
        }
        let search = self.search();
        let threads = search.on_pool(rays.len());
        let solids = search.solids();
        parallel::enter(threads, || work(&search, &solids, threads));
        Ok(())
    }
}

/// The fraction that ends a walk.
const NO_FURTHER: f64 = -1.0;

impl Search<'_> {
    pub(super) fn first_hit(
        &self,
        path: &Path,
        solids: &Solids<'_>,
        room: &mut Room,
    ) -> Option<Hit> {
        let mut first = First::default();
        self.along_ray(path, &mut |place| {
            first.offer(self.hit(path, solids, place, room));
            first.limit(path)
        });
        first.hit()
    }

    fn any_hit(&self, path: &Path, solids: &Solids<'_>, room: &mut Room) -> bool {
        let mut found = false;
        self.along_ray(path, &mut |place| {
            found |= self.hit(path, solids, place, room).is_some();
            if found { NO_FURTHER } else { path.limit }
        });
        found
    }

    fn all_hits(&self, path: &Path, solids: &Solids<'_>, room: &mut Room, hits: &mut Vec<Hit>) {
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
        room: &mut Room,
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
