//! Answers of batches as columns.

use super::Neighbor;
use crate::{lists::Lists, narrowphase::Hit};

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
        let none = Neighbor { row: Self::NO_ROW, distance: f32::INFINITY };
        let all = || {
            let lists = lists.iter();
            lists.flat_map(move |list| {
                let padding = std::iter::repeat_n(none, k.saturating_sub(list.len()));
                list.iter().copied().take(k).chain(padding)
            })
        };
        refill(&mut self.row, all().map(|neighbor| neighbor.row));
        refill(&mut self.distance, all().map(|neighbor| neighbor.distance));
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

/// Replaces a column.
fn refill<T>(column: &mut Vec<T>, values: impl Iterator<Item = T>) {
    column.clear();
    column.extend(values);
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
