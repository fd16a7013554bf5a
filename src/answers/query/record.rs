//! The records of queries: `Ray` and `Neighbor`.

use glam::Vec2;

use crate::{
    base::pod,
    error::{Error, Field},
    geometry::{Path, Vector},
    narrowphase::{Hit, check_translation, refuse},
    shape::{MAX_COORDINATE, RoundedBox, check::coordinate_fault},
};

/// A ray: the points `(x, y) + t * (dx, dy)` for `t` from 0 to `max_fraction`.
///
/// Both ends belong to the ray, and the border to a shape: a ray that ends on a shape hits it.
///
/// The direction may have any length, so a hit is a fraction of it: with a direction of length 1, a
/// distance. A direction of (0, 0) makes the ray a point.
///
/// ```
/// use widephase::{Columns, Index, Queries, Ray};
///
/// let index = Index::build(Columns::circles(&[10.0], &[0.0], &[1.0])?)?;
/// let hit = index.cast_ray(Ray::new([0.0, 0.0], [2.0, 0.0]))?.unwrap();
/// assert_eq!((hit.row, hit.fraction, hit.x, hit.normal_x), (0, 4.5, 9.0, -1.0));
/// assert_eq!(index.cast_ray(Ray::segment([0.0, 0.0], [8.0, 0.0]))?, None);
/// # Ok::<(), widephase::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[repr(C)]
pub struct Ray {
    /// Horizontal coordinate of the origin; at most 2^60 in magnitude.
    pub x: f32,
    /// Vertical coordinate of the origin; at most 2^60 in magnitude.
    pub y: f32,
    /// Horizontal part of the direction; finite.
    pub dx: f32,
    /// Vertical part of the direction; finite.
    pub dy: f32,
    /// The largest fraction of the direction, at least 0. Infinity means as far as an `f32` can
    /// tell: the largest finite number.
    pub max_fraction: f32,
    /// Horizontal coordinate of the end of [`Ray::segment`]. Both coordinates of an end count as
    /// long as the direction is their difference from the origin, rounded to `f32`: the direction
    /// is then that difference in `f64`.
    #[cfg_attr(feature = "serde", serde(default))]
    pub end_x: f32,
    /// Vertical coordinate of the end of [`Ray::segment`].
    #[cfg_attr(feature = "serde", serde(default))]
    pub end_y: f32,
}

pod!(Ray { x, y, dx, dy, max_fraction, end_x, end_y });

impl Ray {
    /// The ray from `origin` in a direction, without an end.
    pub fn new(origin: impl Into<[f32; 2]>, direction: impl Into<[f32; 2]>) -> Self {
        let ([x, y], [dx, dy]) = (origin.into(), direction.into());
        Self { x, y, dx, dy, max_fraction: f32::INFINITY, ..Self::default() }
    }

    /// The ray from `a` to `b`: its direction is `b - a`, and its largest fraction is 1.
    ///
    /// Its last point is `b` itself, though the direction is rounded to `f32` in the record. So it
    /// hits every shape that has `b`, such as both segments that share this end.
    ///
    /// ```
    /// use widephase::{Index, Queries, Ray, Shapes, shape::Segment};
    ///
    /// let joint = [0.3, 0.1];
    /// let (one, other) = (Segment::new([-1.0, -8.0], joint), Segment::new(joint, [1.0, -9.0]));
    /// let index = Index::build(&Shapes::from_slice(&[one, other])?)?;
    /// for step in 0..100 {
    ///     let from = [1000.1 - 20.0 * step as f32, 700.7];
    ///     assert!(index.hits_any(Ray::segment(from, joint))?);
    /// }
    /// # Ok::<(), widephase::Error>(())
    /// ```
    pub fn segment(a: impl Into<[f32; 2]>, b: impl Into<[f32; 2]>) -> Self {
        let (a, b) = (a.into(), b.into());
        let ray = Self::new(a, [b[0] - a[0], b[1] - a[1]]);
        Self { max_fraction: 1.0, end_x: b[0], end_y: b[1], ..ray }
    }

    /// The same ray, up to this fraction of its direction.
    #[must_use]
    pub fn up_to(self, max_fraction: f32) -> Self {
        Self { max_fraction, ..self }
    }

    /// The point at a fraction of the direction, each operation rounded to `f32`.
    pub fn at(self, fraction: f32) -> Vec2 {
        Vec2::new(self.x + fraction * self.dx, self.y + fraction * self.dy)
    }

    /// The ray in `f64`, if its values are valid; `index` is for the error.
    #[inline]
    pub(crate) fn path(self, index: usize) -> Result<Path, Error> {
        if !self.is_valid() {
            self.refuse(index)?;
        }
        Ok(self.unchecked_path())
    }

    /// The first value that is not valid.
    #[cold]
    fn refuse(&self, index: usize) -> Result<(), Error> {
        let Self { x, y, dx, dy, max_fraction, .. } = *self;
        for (field, value) in [(Field::X, x), (Field::Y, y)] {
            refuse(index, field, value, coordinate_fault(value))?;
        }
        check_translation(index, [dx, dy], max_fraction)
    }

    /// Whether [`path`](Ray::path) accepts the ray. Without a branch, for many rays.
    #[inline(always)]
    pub(crate) fn is_valid(&self) -> bool {
        let Self { x, y, dx, dy, max_fraction, .. } = *self;
        let places = (x.abs() <= MAX_COORDINATE) & (y.abs() <= MAX_COORDINATE);
        places & (dx.abs() <= f32::MAX) & (dy.abs() <= f32::MAX) & (max_fraction >= 0.0)
    }

    /// The ray in `f64`; its values must be valid.
    #[inline]
    pub(crate) fn unchecked_path(self) -> Path {
        let Self { x, y, dx, dy, max_fraction, end_x, end_y } = self;
        let limit = f64::from(max_fraction.min(f32::MAX));
        let (origin, end) = (Vector::wide([x, y]), Vector::wide([end_x, end_y]));
        if end_x - x != dx || end_y - y != dy {
            return Path::new(origin, Vector::wide([dx, dy]), limit);
        }
        let path = Path::new(origin, end - origin, limit);
        if limit == 1.0 { Path { end, ..path } } else { path }
    }
}

/// Sorts the hits from number `first` on, and keeps one hit of each row: a walk may pass a body
/// twice.
pub(crate) fn keep_first_of_each_row(hits: &mut Vec<Hit>, first: usize) {
    hits[first..].sort_unstable_by(Hit::order);
    let mut kept = first;
    for at in first..hits.len() {
        if at == first || hits[at].row != hits[kept - 1].row {
            hits[kept] = hits[at];
            kept += 1;
        }
    }
    hits.truncate(kept);
}

/// The first of the hits that were offered.
#[derive(Debug, Default)]
pub(crate) struct First(pub(crate) Option<Hit>);

impl First {
    /// Keeps a hit that comes before the kept hit.
    pub(crate) fn offer(&mut self, hit: Option<Hit>) {
        if let Some(hit) = hit
            && self.0.is_none_or(|first| hit.order(&first).is_lt())
        {
            self.0 = Some(hit);
        }
    }

    /// The fraction up to which a path is of further interest: the next `f32`, because a slightly
    /// larger fraction may be rounded to the same number.
    pub(crate) fn limit(&self, path: &Path) -> f64 {
        self.0.map_or(path.limit, |first| f64::from(first.fraction.next_up()))
    }

    /// [`limit`](Self::limit), but not beyond the end of the path.
    #[inline]
    pub(super) fn most(&self, path: &Path) -> f64 {
        self.limit(path).min(path.limit)
    }

    /// The box around the path up to there.
    #[inline]
    pub(super) fn reach(&self, path: &Path) -> RoundedBox {
        let end = path.at(self.most(path));
        let (x, y) = (path.origin.x as f32, path.origin.y as f32);
        let (end_x, end_y) = (end.x as f32, end.y as f32);
        let (min_x, max_x) = (x.min(end_x), x.max(end_x));
        let (min_y, max_y) = (y.min(end_y), y.max(end_y));
        RoundedBox { min_x, min_y, max_x, max_y, radius: 0.0 }
    }

    /// The first hit.
    pub(crate) fn hit(&self) -> Option<Hit> {
        self.0
    }
}

/// A shape and its distance.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[repr(C)]
pub struct Neighbor {
    /// The row of the shape.
    pub row: u32,
    /// The distance of the surfaces, 0 if they touch: computed in `f64` and rounded.
    pub distance: f32,
}

pod!(Neighbor { row, distance });

impl Neighbor {
    /// The sort key: by distance, then by row. One number, because a sort by two comparisons is
    /// twice as much code.
    pub(crate) fn key(&self) -> u64 {
        // Distances are at least 0, so their bits are in the same order.
        u64::from(self.distance.to_bits()) << 32 | u64::from(self.row)
    }

    /// The neighbor with a sort key.
    #[inline]
    pub(crate) fn of_key(key: u64) -> Self {
        Self { row: key as u32, distance: f32::from_bits((key >> 32) as u32) }
    }
}
