//! `Queries`: the queries of an index and of a view of it.

#[cfg(feature = "narrowphase")]
use super::casts;
use super::{Fan, IndexView, Neighbor, Ray, ScanColumns, nearest, overlap, rays, scan};
#[cfg(feature = "narrowphase")]
use crate::narrowphase::CastOptions;
use crate::{
    error::Error,
    index::Index,
    lists::Lists,
    narrowphase::Hit,
    shape::{Pose, Posed},
    store::Columns,
};

/// The queries of an [`Index`], and of an [`IndexView`] of it.
///
/// Queries take `&self`, so many threads may ask at once. A batch asks many queries in one call,
/// gives the bits of the single calls, and is divided over threads if it is large. Filters, spaces
/// and a predicate in the columns of the queries decide which shapes each query sees; without them,
/// the view decides.
///
/// A shape is a plain record, a reference to a polygon or compound, or a tuple of such a shape and
/// a [`Pose`]: see [`Posed`].
///
/// ```
/// use widephase::{Columns, Error, Filter, Index, Queries, Ray};
///
/// /// Works on all shapes of an index, or on some.
/// fn is_clear(walls: &impl Queries, from: [f32; 2], to: [f32; 2]) -> Result<bool, Error> {
///     Ok(!walls.hits_any(Ray::segment(from, to))?)
/// }
///
/// let filters = [Filter::new(1, u64::MAX), Filter::new(2, u64::MAX)];
/// let walls = Columns::circles(&[3.0, 6.0], &[0.0; 2], &[1.0; 2])?.with_filters(&filters)?;
/// let index = Index::build(walls)?;
/// assert!(!is_clear(&index, [0.0, 0.0], [4.5, 0.0])?);
/// assert!(is_clear(&index.filtered(Filter::new(1, 2)), [0.0, 0.0], [4.5, 0.0])?);
/// # Ok::<(), widephase::Error>(())
/// ```
pub trait Queries: sealed::Sealed {
    /// The shapes that are asked.
    fn view(&self) -> IndexView<'_>;

    /// Replaces `rows` by the rows of all shapes that touch `shape`, under
    /// [`IndexOptions::touching`](crate::IndexOptions::touching): exactly the shapes that
    /// [`Detector::pairs`](crate::Detector::pairs) reports for the shape with the index.
    ///
    /// Rows are in grid order; with [`Order::Sorted`](crate::Order::Sorted), they ascend.
    ///
    /// Costs 0.4 µs among 100,000 circles, queried in random order (AVX2;
    /// [queries](crate::guide::queries)). Nothing is allocated for axis-aligned shapes, except for
    /// `rows`.
    ///
    /// # Errors
    /// [`Error::InvalidShape`] with index 0. `rows` is then empty.
    ///
    /// ```
    /// use widephase::{Columns, Index, Queries, shape::{Aabb, Point}};
    ///
    /// let index = Index::build(Columns::circles(&[0.0, 5.0], &[0.0; 2], &[1.0; 2])?)?;
    /// let mut rows = Vec::new();
    /// index.overlapping(Aabb::new([4.0, 0.0], [9.0, 9.0]), &mut rows)?;
    /// assert_eq!(rows, [1]);
    /// assert_eq!(index.any_overlapping(Point::new([0.0, 1.0]))?, Some(0));
    /// assert_eq!(index.count_overlapping(Point::new([0.0, 1.5]))?, 0);
    /// # Ok::<(), widephase::Error>(())
    /// ```
    fn overlapping<'s>(
        &self,
        shape: impl Into<Posed<'s>>,
        rows: &mut Vec<u32>,
    ) -> Result<(), Error> {
        overlap::overlapping(&self.view(), shape.into(), rows)
    }

    /// The number of shapes that touch `shape`.
    ///
    /// # Errors
    /// The errors of [`overlapping`](Queries::overlapping).
    fn count_overlapping<'s>(&self, shape: impl Into<Posed<'s>>) -> Result<u64, Error> {
        overlap::count_overlapping(&self.view(), shape.into())
    }

    /// The row of a shape that touches `shape`, or `None` if no shape does: the first row that
    /// [`overlapping`](Queries::overlapping) finds in the order of the grid. The search ends there.
    ///
    /// # Errors
    /// The errors of [`overlapping`](Queries::overlapping).
    fn any_overlapping<'s>(&self, shape: impl Into<Posed<'s>>) -> Result<Option<u32>, Error> {
        overlap::any_overlapping(&self.view(), shape.into())
    }

    /// Replaces `lists` by the rows that touch each of `shapes`: the results of
    /// [`overlapping`](Queries::overlapping), for each row of `shapes`. A vacant row has an empty
    /// list.
    ///
    /// From 12 queries on, all in one space, a batch costs a third of as many single queries: 0.08
    /// µs a query with four hits among 100,000 boxes, in random order (AVX-512, an Intel
    /// Xeon). It allocates 40 bytes a query and up to 7 bytes a hit, of 8,192 queries at a
    /// time. Large batches are divided over
    /// [`IndexOptions::threads`](crate::IndexOptions::threads), and then allocate a list for
    /// each 2,048 queries.
    ///
    /// # Errors
    /// [`Error::InvalidShape`] for the first invalid shape; [`Error::TooManyPairs`] for more than
    /// [`IndexOptions::max_pairs`](crate::IndexOptions::max_pairs) items in all lists. `lists` is
    /// then empty.
    fn overlapping_batch<'a>(
        &self,
        shapes: impl Into<Columns<'a>>,
        lists: &mut Lists<u32>,
    ) -> Result<(), Error> {
        overlap::overlapping_batch(&self.view(), shapes.into(), lists)
    }

    /// Replaces `counts` by the number of shapes that touch each of `shapes`.
    ///
    /// No lists are made, if boxes and filters decide: 0.06 µs where
    /// [`overlapping_batch`](Queries::overlapping_batch) takes 0.08.
    ///
    /// # Errors
    /// The errors of [`overlapping_batch`](Queries::overlapping_batch); `counts` is then empty.
    fn count_overlapping_batch<'a>(
        &self,
        shapes: impl Into<Columns<'a>>,
        counts: &mut Vec<u64>,
    ) -> Result<(), Error> {
        overlap::count_overlapping_batch(&self.view(), shapes.into(), counts)
    }

    /// Replaces `rows` by the result of [`any_overlapping`](Queries::any_overlapping) for each of
    /// `shapes`.
    ///
    /// Costs about as much as [`count_overlapping_batch`](Queries::count_overlapping_batch). If any
    /// shape is rotated or has parts, or a row is seen by more than its filter, queries are asked
    /// one by one.
    ///
    /// # Errors
    /// The errors of [`overlapping_batch`](Queries::overlapping_batch); `rows` is then empty.
    fn any_overlapping_batch<'a>(
        &self,
        shapes: impl Into<Columns<'a>>,
        rows: &mut Vec<Option<u32>>,
    ) -> Result<(), Error> {
        overlap::any_overlapping_batch(&self.view(), shapes.into(), rows)
    }

    /// Where a ray first touches a shape, or `None`: of several shapes at the same fraction, the
    /// shape of the smallest row.
    ///
    /// Shapes are closed, whatever [`IndexOptions::touching`](crate::IndexOptions::touching) says:
    /// a ray that only touches a shape hits it. It may graze a corner, run along a side, or end on
    /// the border. A ray that starts in a shape, or on its border, hits it at fraction 0, with the
    /// normal opposite to the direction. Decisions are made in `f64`, and are exact for shapes
    /// without a pose on whole numbers of up to 2^10. No ray passes between two shapes without
    /// radius and pose that share a corner ([queries](crate::guide::queries)).
    ///
    /// Walks the cells that the ray passes, or tests all shapes if they are fewer than the cells.
    /// Costs 0.3 to 0.6 µs among 100,000 circles (AVX2; [queries](crate::guide::queries)).
    /// Allocates nothing, except for polygons.
    ///
    /// # Errors
    /// [`Error::InvalidQuery`] with index 0.
    ///
    /// ```
    /// use widephase::{Columns, Index, Queries, Ray};
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
    fn cast_ray(&self, ray: Ray) -> Result<Option<Hit>, Error> {
        rays::cast_ray(&self.view(), ray)
    }

    /// Whether a ray hits any shape. Ends at the first shape found, which need not be the nearest.
    ///
    /// # Errors
    /// The errors of [`cast_ray`](Queries::cast_ray).
    fn hits_any(&self, ray: Ray) -> Result<bool, Error> {
        rays::hits_any(&self.view(), ray)
    }

    /// Replaces `hits` by where a ray first touches each shape that it hits: by fraction, then by
    /// row. A compound has one hit, the hit of its first part.
    ///
    /// # Errors
    /// The errors of [`cast_ray`](Queries::cast_ray); `hits` is then empty.
    fn cast_ray_all(&self, ray: Ray, hits: &mut Vec<Hit>) -> Result<(), Error> {
        rays::cast_ray_all(&self.view(), ray, hits)
    }

    /// Replaces `hits` by the result of [`cast_ray`](Queries::cast_ray) for each ray.
    ///
    /// Large batches are divided over [`IndexOptions::threads`](crate::IndexOptions::threads).
    ///
    /// # Errors
    /// [`Error::InvalidQuery`] for the first invalid ray. `hits` is then empty.
    fn cast_ray_batch(&self, rays: &[Ray], hits: &mut Vec<Option<Hit>>) -> Result<(), Error> {
        rays::cast_ray_batch(&self.view(), rays, hits)
    }

    /// Replaces `lists` by the results of [`cast_ray_all`](Queries::cast_ray_all) for each ray.
    ///
    /// # Errors
    /// The errors of [`cast_ray_batch`](Queries::cast_ray_batch); [`Error::TooManyPairs`] for more
    /// than [`IndexOptions::max_pairs`](crate::IndexOptions::max_pairs) hits. `lists` is then
    /// empty.
    fn cast_ray_all_batch(&self, rays: &[Ray], lists: &mut Lists<Hit>) -> Result<(), Error> {
        rays::cast_ray_all_batch(&self.view(), rays, lists)
    }

    /// Replaces `hits` by the result of [`hits_any`](Queries::hits_any) for each ray.
    ///
    /// # Errors
    /// The errors of [`cast_ray_batch`](Queries::cast_ray_batch); `hits` is then empty.
    fn hits_any_batch(&self, rays: &[Ray], hits: &mut Vec<bool>) -> Result<(), Error> {
        rays::hits_any_batch(&self.view(), rays, hits)
    }

    /// Replaces `scan` by the ranges of a fan of rays from each pose.
    ///
    /// Each range is the fraction of the hit of [`cast_ray`](Queries::cast_ray) for [`Fan::ray`],
    /// with the same bits, and each row is its row: for every finite angle and step, and in scenes
    /// of any size. With a first angle beyond 2^38 radians, rays are cast one by one.
    ///
    /// In plain words: the loop over rays is turned round. The shapes around a sensor are taken
    /// ring by ring. Each shape is projected onto the rays that it may cover, and each ray keeps
    /// the nearest shape. Only this shape is then decided exactly. A ray for which another shape
    /// nearly ties is cast alone. (The loop over shapes instead of rays is the loop of GRCA, arXiv
    /// 2605.10457.)
    ///
    /// Costs 10 to 20 ns a ray among 100,000 circles, and 50 ns among boxes, whose rays are decided
    /// one by one (AVX-512; [queries](crate::guide::queries)).
    /// Many sensors are divided over [`IndexOptions::threads`](crate::IndexOptions::threads).
    ///
    /// # Errors
    /// [`Error::InvalidQuery`] for a fan or a position with an invalid value, and
    /// [`Error::InvalidShape`] for a rotation, with the number of the pose; [`Error::OutOfMemory`].
    /// `scan` is then empty.
    fn scan(&self, fan: &Fan, poses: &[Pose], scan: &mut ScanColumns) -> Result<(), Error> {
        scan::scan(&self.view(), fan, poses, scan)
    }

    /// The first shape that stops `shape` when it moves along a translation, or `None`: of several
    /// shapes at the same fraction, the shape of the smallest row.
    ///
    /// A shape stops the motion where they first touch, or come as near as
    /// [`gap`](CastOptions::gap). A shape that they touch at the start stops the motion only if it
    /// leads further in ([`CastStart`](crate::narrowphase::CastStart)). A shape that is only grazed
    /// stops nothing: [what stops a motion](crate::guide::queries#what-stops-a-motion) has the
    /// whole rule and its tolerance. The rule does not depend on
    /// [`IndexOptions::touching`](crate::IndexOptions::touching).
    ///
    /// The hit is at `fraction` of the translation. Its point lies on the surface of the shape that
    /// is hit, and its normal is the normal of that shape. If the shapes touch at the start, the
    /// fraction is 0, and point and normal are the point and normal of their contact, for compounds
    /// the deepest contact that stops them; the point is then halfway between the surfaces.
    ///
    /// `translation` is in the unit of length. `options` are [`CastOptions`], or a number as their
    /// `max_fraction`. To pass through some shapes, such as the platform to drop from, cast among
    /// the other shapes: [`Index::filtered_by`], [`Index::without`].
    ///
    /// The moving shape touches another one when its path, as a ray, enters their Minkowski
    /// difference. The fraction is computed in closed form for all kinds, in `f64`. Costs as much
    /// as a ray among shapes that are larger by the size of `shape`. Allocates the corners of the
    /// difference. The first cast after a [`rebuild`](Index::rebuild) copies 36 bytes for each row,
    /// for the contacts at the start.
    ///
    /// # Errors
    /// [`Error::InvalidShape`] or [`Error::InvalidQuery`] with index 0.
    ///
    /// ```
    /// use widephase::{Columns, Index, Queries, shape::Circle};
    ///
    /// let walls = Index::build(Columns::aabbs(&[10.0], &[-5.0], &[11.0], &[5.0])?)?;
    /// let bullet = Circle::new([0.0, 0.0], 0.5);
    /// let hit = walls.cast_shape(bullet, [19.0, 0.0], 1.0)?.unwrap();
    /// assert_eq!((hit.fraction, hit.x, hit.normal_x), (0.5, 10.0, -1.0));
    /// assert_eq!(walls.cast_shape(bullet, [19.0, 0.0], 0.25)?, None);
    /// # Ok::<(), widephase::Error>(())
    /// ```
    #[cfg(feature = "narrowphase")]
    fn cast_shape<'s>(
        &self,
        shape: impl Into<Posed<'s>>,
        translation: impl Into<[f32; 2]>,
        options: impl Into<CastOptions>,
    ) -> Result<Option<Hit>, Error> {
        casts::cast_shape(&self.view(), shape.into(), translation.into(), options.into())
    }

    /// Replaces `hits` by each shape that stops `shape` on its translation, as if it were alone: by
    /// fraction, then by row. A compound has one hit, its first.
    ///
    /// # Errors
    /// The errors of [`cast_shape`](Queries::cast_shape); `hits` is then empty.
    #[cfg(feature = "narrowphase")]
    fn cast_shape_all<'s>(
        &self,
        shape: impl Into<Posed<'s>>,
        translation: impl Into<[f32; 2]>,
        options: impl Into<CastOptions>,
        hits: &mut Vec<Hit>,
    ) -> Result<(), Error> {
        casts::cast_shape_all(&self.view(), shape.into(), translation.into(), options.into(), hits)
    }

    /// Replaces `hits` by the result of [`cast_shape`](Queries::cast_shape) for each of `shapes`
    /// and its translation. A vacant row has no hit.
    ///
    /// Large batches are divided over [`IndexOptions::threads`](crate::IndexOptions::threads).
    ///
    /// # Errors
    /// [`Error::UnequalColumns`] if there is not one translation for each row of `shapes`;
    /// [`Error::InvalidShape`] or [`Error::InvalidQuery`] for the first invalid value. `hits` is
    /// then empty.
    #[cfg(feature = "narrowphase")]
    fn cast_shape_batch<'a>(
        &self,
        shapes: impl Into<Columns<'a>>,
        translations: &[[f32; 2]],
        options: impl Into<CastOptions>,
        hits: &mut Vec<Option<Hit>>,
    ) -> Result<(), Error> {
        casts::cast_shape_batch(&self.view(), shapes.into(), translations, options.into(), hits)
    }

    /// Replaces `lists` by the results of [`cast_shape_all`](Queries::cast_shape_all) for each of
    /// `shapes` and its translation. A vacant row has no hit.
    ///
    /// # Errors
    /// The errors of [`cast_shape_batch`](Queries::cast_shape_batch); [`Error::TooManyPairs`] for
    /// more than [`IndexOptions::max_pairs`](crate::IndexOptions::max_pairs) hits. `lists` is then
    /// empty.
    #[cfg(feature = "narrowphase")]
    fn cast_shape_all_batch<'a>(
        &self,
        shapes: impl Into<Columns<'a>>,
        translations: &[[f32; 2]],
        options: impl Into<CastOptions>,
        lists: &mut Lists<Hit>,
    ) -> Result<(), Error> {
        casts::cast_shape_all_batch(
            &self.view(),
            shapes.into(),
            translations,
            options.into(),
            lists,
        )
    }

    /// The shape that is nearest to `shape`, or `None` if there is none within `max_distance`.
    ///
    /// The distance is the distance of the surfaces, 0 if they touch. Of several shapes at the same
    /// distance, it is the shape of the smallest row. `max_distance` is in the unit of length, at
    /// least 0; infinity for no limit. A shape exactly that far away is found, whatever the policy
    /// of [`IndexOptions::touching`](crate::IndexOptions::touching): distances know no policy.
    ///
    /// Costs 0.2 to 0.3 µs among 100,000 points in random order, and about a microsecond from far
    /// outside of all shapes (one thread, an Intel Xeon; [queries](crate::guide::queries#nearest)).
    /// About O(log n) wherever the shapes lie, with a filter as well. Only shapes that a predicate
    /// or a mask refuses are looked at shape by shape.
    ///
    /// # Errors
    /// [`Error::InvalidShape`] with index 0; [`Error::InvalidQuery`] if `max_distance` is NaN or
    /// below 0.
    ///
    /// ```
    /// use widephase::{Columns, Index, Queries, shape::Point};
    ///
    /// let index = Index::build(Columns::circles(&[0.0, 5.0], &[0.0; 2], &[1.0; 2])?)?;
    /// let near = index.nearest(Point::new([3.0, 0.0]), f32::INFINITY)?.unwrap();
    /// assert_eq!((near.row, near.distance), (1, 1.0));
    /// assert_eq!(index.nearest(Point::new([3.0, 0.0]), 0.5)?, None);
    ///
    /// let mut near = Vec::new();
    /// index.k_nearest(Point::new([3.0, 0.0]), 2, f32::INFINITY, &mut near)?;
    /// assert_eq!((near[1].row, near[1].distance), (0, 2.0));
    /// # Ok::<(), widephase::Error>(())
    /// ```
    fn nearest<'s>(
        &self,
        shape: impl Into<Posed<'s>>,
        max_distance: f32,
    ) -> Result<Option<Neighbor>, Error> {
        nearest::nearest(&self.view(), shape.into(), max_distance)
    }

    /// Replaces `nearest` by the result of [`nearest`](Queries::nearest) for each of `shapes`. A
    /// vacant row has no neighbour.
    ///
    /// Large batches are divided over [`IndexOptions::threads`](crate::IndexOptions::threads).
    ///
    /// # Errors
    /// [`Error::InvalidShape`] for the first invalid shape; [`Error::InvalidQuery`] if
    /// `max_distance` is NaN or below 0. `nearest` is then empty.
    fn nearest_batch<'a>(
        &self,
        shapes: impl Into<Columns<'a>>,
        max_distance: f32,
        nearest: &mut Vec<Option<Neighbor>>,
    ) -> Result<(), Error> {
        nearest::nearest_batch(&self.view(), shapes.into(), max_distance, nearest)
    }

    /// Replaces `neighbors` by the `k` shapes that are nearest to `shape`, or by all shapes at most
    /// `max_distance` away, if they are fewer: by distance, then by row.
    ///
    /// # Errors
    /// The errors of [`nearest`](Queries::nearest); `neighbors` is then empty.
    fn k_nearest<'s>(
        &self,
        shape: impl Into<Posed<'s>>,
        k: usize,
        max_distance: f32,
        neighbors: &mut Vec<Neighbor>,
    ) -> Result<(), Error> {
        nearest::k_nearest(&self.view(), shape.into(), k, max_distance, neighbors)
    }

    /// The shapes by growing distance from `shape`, then by row, up to `max_distance`: the shapes
    /// of [`k_nearest`](Queries::k_nearest), shape by shape, for callers who learn only on the way
    /// how many shapes they need.
    ///
    /// It has looked only at shapes that may be nearer than the next shape. A shape costs about
    /// O(log n) time, some tenths of a microsecond. `k_nearest` is faster where `k` is known.
    ///
    /// # Errors
    /// The errors of [`nearest`](Queries::nearest).
    ///
    /// ```
    /// use widephase::{Columns, Index, Queries, shape::Point};
    ///
    /// // The nearest shop that is open.
    /// let shops = Index::build(Columns::points(&[1.0, 2.0, 3.0, 4.0], &[0.0; 4])?)?;
    /// let open = [false, false, true, true];
    /// let mut near = shops.nearest_iter(Point::new([0.0, 0.0]), f32::INFINITY)?;
    /// let found = near.find(|shop| open[shop.row as usize]).unwrap();
    /// assert_eq!((found.row, found.distance), (2, 3.0));
    /// # Ok::<(), widephase::Error>(())
    /// ```
    fn nearest_iter<'s>(
        &self,
        shape: impl Into<Posed<'s>>,
        max_distance: f32,
    ) -> Result<impl Iterator<Item = Neighbor>, Error> {
        nearest::nearest_iter(self.view(), shape.into(), max_distance)
    }

    /// Replaces `lists` by the result of [`k_nearest`](Queries::k_nearest) for each of `shapes`. A
    /// vacant row has an empty list.
    ///
    /// Large batches are divided over [`IndexOptions::threads`](crate::IndexOptions::threads).
    ///
    /// # Errors
    /// [`Error::InvalidShape`] for the first invalid shape; [`Error::InvalidQuery`] if
    /// `max_distance` is NaN or below 0. `lists` is then empty.
    fn k_nearest_batch<'a>(
        &self,
        shapes: impl Into<Columns<'a>>,
        k: usize,
        max_distance: f32,
        lists: &mut Lists<Neighbor>,
    ) -> Result<(), Error> {
        nearest::k_nearest_batch(&self.view(), shapes.into(), k, max_distance, lists)
    }
}

impl Queries for Index {
    fn view(&self) -> IndexView<'_> {
        self.all()
    }
}

impl Queries for IndexView<'_> {
    fn view(&self) -> IndexView<'_> {
        *self
    }
}

/// Only this crate implements queries.
mod sealed {
    pub trait Sealed {}

    impl Sealed for crate::index::Index {}
    impl Sealed for super::IndexView<'_> {}
}
