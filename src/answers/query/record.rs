//! The records of queries, `Ray` and `Neighbor`, and answers of batches as columns.

use crate::{
    base::pod,
    error::{Error, Field},
    geometry::{Path, Vector},
    lists::Lists,
    narrowphase::{Hit, check_translation, refuse},
    shape::{MAX_COORDINATE, RoundedBox, check::coordinate_fault},
};
use glam::Vec2;

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

/// The hits of a batch of queries in structure-of-arrays form: value `i` of each column belongs to
/// query `i`.
///
/// The columns are public, so that they can be read and passed on as slices. Keep one value and
/// refill it: it keeps its memory.
///
/// ```
/// use widephase::{Columns, Index, Queries, Ray, columns::HitColumns};
///
/// let index = Index::build(Columns::circles(&[5.0, 9.0], &[0.0; 2], &[1.0; 2])?)?;
/// let rays = [[1.0, 0.0], [0.0, 1.0]].map(|direction| Ray::new([0.0, 0.0], direction));
/// let (mut hits, mut columns) = (Vec::new(), HitColumns::default());
/// index.cast_ray_batch(&rays, &mut hits)?;
/// columns.fill(&hits);
/// assert_eq!(columns.row, [0, HitColumns::NO_ROW]);
/// assert_eq!(columns.fraction, [4.0, f32::INFINITY]);
/// assert_eq!((columns.x[0], columns.normal_x[0]), (4.0, -1.0));
/// # Ok::<(), widephase::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Default)]
pub struct HitColumns {
    /// The row of the shape that is hit, or [`NO_ROW`](HitColumns::NO_ROW).
    pub row: Vec<u32>,
    /// The part of the shape, as in [`Hit::part`].
    pub part: Vec<u32>,
    /// The fraction of the direction or translation, or infinity without a hit. With a direction of
    /// length 1 it is the distance.
    pub fraction: Vec<f32>,
    /// Horizontal coordinate of the point. Without a hit, this column and the columns below are 0.
    pub x: Vec<f32>,
    /// Vertical coordinate of the point.
    pub y: Vec<f32>,
    /// Horizontal part of the outward normal of the shape at the point.
    pub normal_x: Vec<f32>,
    /// Vertical part of the normal.
    pub normal_y: Vec<f32>,
}

impl HitColumns {
    /// The row of a query that hits nothing.
    pub const NO_ROW: u32 = crate::base::NO_ROW;

    /// Replaces the content by `hits`, as of
    /// [`cast_ray_batch`](crate::Queries::cast_ray_batch) or `cast_shape_batch`. O(n) time.
    /// Allocates only if the columns are too small.
    pub fn fill(&mut self, hits: &[Option<Hit>]) {
        let none = Hit { row: Self::NO_ROW, fraction: f32::INFINITY, ..Hit::default() };
        let Self { row, part, fraction, x, y, normal_x, normal_y } = self;
        let numbers = [row, part].map(|column| {
            column.resize(hits.len(), 0);
            &mut column[..]
        });
        let lengths = [fraction, x, y, normal_x, normal_y].map(|column| {
            column.resize(hits.len(), 0.0);
            bytemuck::cast_slice_mut(column)
        });
        // One loop for all columns, which are words of the records.
        for (word, column) in numbers.into_iter().chain(lengths).enumerate() {
            for (value, hit) in column.iter_mut().zip(hits) {
                *value = bytemuck::cast::<_, [u32; 7]>(hit.unwrap_or(none))[word];
            }
        }
    }
}

/// The neighbours of a batch of queries as two matrices of `k` columns: the neighbours of query `i`
/// are the values from `i * k` to `i * k + k` of both columns.
///
/// ```
/// use widephase::{Columns, Index, Lists, Queries, columns::NeighborColumns};
///
/// let index = Index::build(Columns::points(&[0.0, 3.0, 7.0], &[0.0; 3])?)?;
/// let (mut lists, mut near) = (Lists::new(), NeighborColumns::default());
/// index.k_nearest_batch(Columns::points(&[1.0, 9.0], &[0.0; 2])?, 2, 4.0, &mut lists)?;
/// near.fill(&lists, 2);
/// assert_eq!(near.row, [0, 1, 2, NeighborColumns::NO_ROW]);
/// assert_eq!(near.distance, [1.0, 2.0, 2.0, f32::INFINITY]);
/// # Ok::<(), widephase::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Default)]
pub struct NeighborColumns {
    /// The row of each neighbour, or [`NO_ROW`](NeighborColumns::NO_ROW) behind the last neighbour.
    pub row: Vec<u32>,
    /// The distance of each neighbour, or infinity behind the last neighbour.
    pub distance: Vec<f32>,
}

impl NeighborColumns {
    /// The row where a query has fewer than `k` neighbours.
    pub const NO_ROW: u32 = crate::base::NO_ROW;

    /// Replaces the content by the first `k` neighbours of each list, as of
    /// [`k_nearest_batch`](crate::Queries::k_nearest_batch) or
    /// [`k_nearest_of_rows`](crate::Index::k_nearest_of_rows). O(lists · k) time. Allocates only if
    /// the columns are too small.
    pub fn fill(&mut self, lists: &Lists<Neighbor>, k: usize) {
        self.row.clear();
        self.distance.clear();
        self.append(lists, k);
    }

    /// Appends the first `k` neighbours of each list, as [`fill`](NeighborColumns::fill) does: a
    /// batch that is asked in parts needs the lists of one part at a time.
    pub fn append(&mut self, lists: &Lists<Neighbor>, k: usize) {
        let none = Neighbor { row: Self::NO_ROW, distance: f32::INFINITY };
        let all = || {
            let lists = lists.iter();
            lists.flat_map(move |list| {
                let padding = std::iter::repeat_n(none, k.saturating_sub(list.len()));
                list.iter().copied().take(k).chain(padding)
            })
        };
        self.row.extend(all().map(|neighbor| neighbor.row));
        self.distance.extend(all().map(|neighbor| neighbor.distance));
    }
}

/// The ranges of scans as columns: `rays` values for each sensor, one sensor after the other.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ScanColumns {
    /// The distance along each ray to the first shape, or infinity if no shape is in range.
    pub range: Vec<f32>,
    /// The row of that shape, or [`NO_ROW`](ScanColumns::NO_ROW).
    pub row: Vec<u32>,
}

impl ScanColumns {
    /// The row of a ray that hits nothing.
    pub const NO_ROW: u32 = crate::base::NO_ROW;

    /// Empty columns.
    pub fn new() -> Self {
        Self::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hits_keep_their_places_and_old_rows_go() {
        let hit = |row: u32| Hit {
            row,
            part: row + 1,
            fraction: 0.5,
            x: 1.0,
            y: 2.0,
            normal_x: 0.6,
            normal_y: -0.8,
        };
        let mut columns = HitColumns::default();
        columns.fill(&[Some(hit(1)); 9]);
        columns.fill(&[None, Some(hit(7)), None]);
        let (none, far) = (HitColumns::NO_ROW, f32::INFINITY);
        let expected = HitColumns {
            row: vec![none, 7, none],
            part: vec![0, 8, 0],
            fraction: vec![far, 0.5, far],
            x: vec![0.0, 1.0, 0.0],
            y: vec![0.0, 2.0, 0.0],
            normal_x: vec![0.0, 0.6, 0.0],
            normal_y: vec![0.0, -0.8, 0.0],
        };
        assert_eq!(columns, expected);
        columns.fill(&[]);
        assert_eq!(columns, HitColumns::default());
    }

    #[test]
    fn short_lists_are_padded_and_long_ones_cut() {
        let mut lists = Lists::new();
        for len in [3, 0, 1] {
            let items = (0..len).map(|row| Neighbor { row, distance: row as f32 });
            lists.open().extend(items);
            lists.end_list();
        }
        let (none, far) = (NeighborColumns::NO_ROW, f32::INFINITY);
        let mut near = NeighborColumns::default();
        near.fill(&lists, 2);
        assert_eq!(near.row, [0, 1, none, none, 0, none]);
        assert_eq!(near.distance, [0.0, 1.0, far, far, 0.0, far]);
        near.fill(&lists, 0);
        assert_eq!(near, NeighborColumns::default());
    }
}
