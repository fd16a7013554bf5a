//! Nearest: the shapes of an index that are nearest to a shape.

use super::{
    Seen,
    batch::list,
    record::Neighbor,
    search::{Batch, RowProbes, Search},
    solids::Solids,
};
use crate::{
    Columns, Error, Index,
    base::parallel,
    error::Field,
    geometry::{Corners, Solid, distance},
    lists::Lists,
    narrowphase::{Probe, Room, check_most, each_part},
    shape::{RoundedBox, Shape},
};

impl Index {
    /// The shape that is nearest to `shape`, or `None` if there is none within `max_distance`.
    ///
    /// The distance is between the surfaces, 0 if they touch. Of several at the same distance, it
    /// is the one of the smallest row. `max_distance` is in the unit of length, at least 0;
    /// infinity for no limit. A shape exactly that far away is found, whatever the policy of
    /// [`Options::touching`](crate::Options::touching): distances know no policy.
    ///
    /// Costs 0.7 µs among 100,000 points in random order (AVX2; docs/performance.md), and much more
    /// if the nearest shape is many cells away: O(n) from far outside of all shapes, and among
    /// points on a line along an axis.
    ///
    /// # Errors
    /// [`Error::InvalidShape`] with index 0; [`Error::InvalidQuery`] if `max_distance` is NaN or
    /// below 0.
    ///
    /// ```
    /// use widephase::{Columns, Index, shape::Point};
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
    pub fn nearest(&self, shape: impl Shape, max_distance: f32) -> Result<Option<Neighbor>, Error> {
        self.all().nearest(shape, max_distance)
    }

    /// Replaces `neighbors` by the `k` shapes that are nearest to `shape`, or by all within
    /// `max_distance`, itself included, if they are fewer: by distance, then by row.
    ///
    /// # Errors
    /// The errors of [`nearest`](Index::nearest); `neighbors` is then empty.
    pub fn k_nearest(
        &self,
        shape: impl Shape,
        k: usize,
        max_distance: f32,
        neighbors: &mut Vec<Neighbor>,
    ) -> Result<(), Error> {
        self.all().k_nearest(shape, k, max_distance, neighbors)
    }

    /// Replaces `lists` by the result of [`k_nearest`](Index::k_nearest) for each of `shapes`. A
    /// vacant row has an empty list.
    ///
    /// Large batches are divided over [`Options::threads`](crate::Options::threads).
    ///
    /// # Errors
    /// [`Error::InvalidShape`] for the first invalid shape; [`Error::InvalidQuery`] if
    /// `max_distance` is NaN or below 0. `lists` is then empty.
    pub fn k_nearest_each<'a>(
        &self,
        shapes: impl Into<Columns<'a>>,
        k: usize,
        max_distance: f32,
        lists: &mut Lists<Neighbor>,
    ) -> Result<(), Error> {
        self.all().k_nearest_each(shapes, k, max_distance, lists)
    }

    /// Replaces `lists` by the `k` shapes of this index that are nearest to each of its shapes,
    /// without the shape itself: the list of each row. A vacant row has an empty list. If the
    /// shapes have filters, only those are listed that meet the row.
    ///
    /// # Errors
    /// [`Error::InvalidQuery`] if `max_distance` is NaN or below 0. `lists` is then empty.
    ///
    /// ```
    /// use widephase::{Columns, Index, Lists};
    ///
    /// let index = Index::build(Columns::points(&[0.0, 1.0, 5.0], &[0.0; 3])?)?;
    /// let mut nearest = Lists::new();
    /// index.k_nearest_of_rows(1, f32::INFINITY, &mut nearest)?;
    /// let rows = nearest.items().iter().map(|near| near.row);
    /// assert_eq!(rows.collect::<Vec<_>>(), [1, 0, 1]);
    /// # Ok::<(), widephase::Error>(())
    /// ```
    pub fn k_nearest_of_rows(
        &self,
        k: usize,
        max_distance: f32,
        lists: &mut Lists<Neighbor>,
    ) -> Result<(), Error> {
        lists.clear();
        check_most(0, Field::MaxDistance, max_distance)?;
        let limits = Limits { k, max_distance };
        let search = Search::new(self, 0);
        let threads = search.on_pool(self.rows());
        let rows = RowProbes::new(self);
        parallel::enter(threads, || {
            list(self.rows(), threads, lists, &|row, room, neighbors| {
                if let Some((world, probe)) = rows.probe(row) {
                    let (search, itself) = (search.by_row(world, row), Some(row as u32));
                    let solids = search.solids();
                    search.nearest(&probe, limits, itself, &solids, room, neighbors);
                }
            });
        });
        Ok(())
    }
}

impl Seen<'_> {
    /// [`Index::nearest`] among these shapes.
    ///
    /// # Errors
    /// The errors of [`Index::nearest`].
    pub fn nearest(&self, shape: impl Shape, max_distance: f32) -> Result<Option<Neighbor>, Error> {
        let mut found = Vec::new();
        self.k_nearest(shape, 1, max_distance, &mut found)?;
        Ok(found.pop())
    }

    /// [`Index::k_nearest`] among these shapes.
    ///
    /// # Errors
    /// The errors of [`Index::k_nearest`].
    pub fn k_nearest(
        &self,
        shape: impl Shape,
        k: usize,
        max_distance: f32,
        neighbors: &mut Vec<Neighbor>,
    ) -> Result<(), Error> {
        neighbors.clear();
        check_most(0, Field::MaxDistance, max_distance)?;
        self.with_shape(shape.any(), |search, probe| {
            let limits = Limits { k, max_distance };
            search.nearest(probe, limits, None, &search.solids(), &mut Room::default(), neighbors);
        })
    }

    /// [`Index::k_nearest_each`] among these shapes.
    ///
    /// # Errors
    /// The errors of [`Index::k_nearest_each`].
    pub fn k_nearest_each<'a>(
        &self,
        shapes: impl Into<Columns<'a>>,
        k: usize,
        max_distance: f32,
        lists: &mut Lists<Neighbor>,
    ) -> Result<(), Error> {
        lists.clear();
        check_most(0, Field::MaxDistance, max_distance)?;
        let limits = Limits { k, max_distance };
        Batch::of(self, shapes.into(), |search, batch| {
            list(batch.len(), batch.threads, lists, &|query, room, neighbors| {
                if let Some((search, probe)) = batch.query(search, query) {
                    search.nearest(&probe, limits, None, &search.solids(), room, neighbors);
                }
            });
        })
    }
}

/// How many neighbors a query has at most, and how far away they may be.
#[derive(Clone, Copy)]
struct Limits {
    k: usize,
    max_distance: f32,
}

/// Beyond the distance of any two shapes.
const BEYOND: f64 = (1_u64 << 62) as f64;

/// More neighbors than this are cut to `k` before they are sorted.
const MANY: usize = 20;

/// A search that finds too few neighbors goes on at most this many times as far.
const FURTHER: f64 = 4.0;

impl Search<'_> {
    /// Appends the nearest shapes.
    fn nearest(
        &self,
        probe: &Probe<'_>,
        limits: Limits,
        itself: Option<u32>,
        solids: &Solids<'_>,
        room: &mut Room,
        neighbors: &mut Vec<Neighbor>,
    ) {
        let (bounds, [corners, own]) = (probe.bounds(), &mut room.corners);
        if !probe.rotates() {
            return Solid::with_box(&bounds, |own| {
                let mut distance_of = |place| solids.distance(place, &own, corners) as f32;
                self.nearest_by(&bounds, limits, itself, &mut distance_of, neighbors);
            });
        }
        let (set, sources) = (probe.set(), probe.sources());
        let mut distance_of = |place| {
            let mut nearest = f64::INFINITY;
            each_part(&set, 0, &sources, own, &mut |_, own| {
                nearest = nearest.min(solids.distance(place, own, corners));
            });
            nearest as f32
        };
        self.nearest_by(&bounds, limits, itself, &mut distance_of, neighbors);
    }

    /// Appends the shapes whose distances, by `distance_of` their places, are the smallest.
    ///
    /// In plain words: all shapes within some reach are listed. If there are enough, the nearest
    /// ones are among them. Otherwise the search is repeated with a larger reach.
    fn nearest_by(
        &self,
        bounds: &RoundedBox,
        Limits { k, max_distance }: Limits,
        itself: Option<u32>,
        distance_of: &mut dyn FnMut(usize) -> f32,
        neighbors: &mut Vec<Neighbor>,
    ) {
        let others = self.len() - usize::from(itself.is_some());
        let k = k.min(others);
        if k == 0 {
            return;
        }
        let (first, ids) = (neighbors.len(), self.ids());
        let furthest = f64::from(max_distance).min(BEYOND);
        let mut reach = self.grid().reach_of(k).min(furthest);
        loop {
            neighbors.truncate(first);
            let radius = (f64::from(bounds.radius) + reach) as f32;
            let around = RoundedBox { radius: radius.next_up(), ..*bounds };
            let mut seen = 0;
            self.around(&around, &mut |place| {
                let row = !ids[place];
                if itself == Some(row) {
                    return;
                }
                seen += 1;
                if !self.sees(place) {
                    return;
                }
                let distance = distance_of(place);
                if distance <= max_distance {
                    neighbors.push(Neighbor { row, distance });
                }
            });
            let found = &neighbors[first..];
            let within = found.iter().filter(|near| f64::from(near.distance) <= reach).count();
            if within >= k || reach >= furthest || seen == others {
                break;
            }
            // As far as the density around here says, and a quarter more.
            let more = ((k + 1) as f64 / (within as f64 + 0.5)).sqrt() * 1.25;
            reach = (reach * more.clamp(1.5, FURTHER)).min(furthest);
            if found.is_empty() {
                reach = reach.max(self.grid().distance(bounds) * 1.25).min(furthest);
            }
        }
        let found = &mut neighbors[first..];
        if found.len() > MANY && found.len() > k {
            found.select_nth_unstable_by_key(k - 1, Neighbor::key);
            neighbors.truncate(first + k);
        }
        neighbors[first..].sort_unstable_by_key(Neighbor::key);
        neighbors.truncate(first + k);
    }
}

impl Solids<'_> {
    /// The distance of a solid and the shape at a place: of a compound, the distance of its nearest
    /// part.
    fn distance(&self, place: usize, own: &Solid<'_>, corners: &mut Corners) -> f64 {
        if let Some(sides) = self.aligned(place) {
            return Solid::with_box(&sides, |solid| distance(own, &solid));
        }
        let mut nearest = f64::INFINITY;
        self.each(place, corners, &mut |_, solid| {
            nearest = nearest.min(distance(own, solid));
        });
        if nearest > 0.0 && self.has_on_inner_side(place, own) { 0.0 } else { nearest }
    }
}
