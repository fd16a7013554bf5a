//! Nearest: the shapes of an index that are nearest to a shape.

use super::{
    IndexView,
    batch::{fill, list},
    record::Neighbor,
    search::{IndexSearch, QueryShapes, RowProbes},
    solids::Solids,
};
use crate::{
    Columns, Error, Index,
    base::parallel,
    error::Field,
    geometry::{Corners, Solid, distance},
    lists::Lists,
    narrowphase::{Probe, SolidWorkspace, check_most, each_part},
    shape::{Posed, RoundedBox},
};

impl Index {
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
        let search = IndexSearch::new(self, 0);
        let threads = search.on_pool(self.rows());
        let rows = RowProbes::new(self);
        parallel::enter(threads, || {
            list(self.rows(), threads, lists, &|row, room, neighbors| {
                if let Some((space, probe)) = rows.probe(row) {
                    let (search, itself) = (search.by_row(space, row), Some(row as u32));
                    let solids = search.solids();
                    search.nearest(&probe, limits, itself, &solids, room, neighbors);
                }
            });
        });
        Ok(())
    }
}

pub(super) fn nearest(
    view: &IndexView<'_>,
    shape: Posed<'_>,
    max_distance: f32,
) -> Result<Option<Neighbor>, Error> {
    let mut found = Vec::new();
    k_nearest(view, shape, 1, max_distance, &mut found)?;
    Ok(found.pop())
}

pub(super) fn nearest_batch(
    view: &IndexView<'_>,
    shapes: Columns<'_>,
    max_distance: f32,
    nearest: &mut Vec<Option<Neighbor>>,
) -> Result<(), Error> {
    nearest.clear();
    check_most(0, Field::MaxDistance, max_distance)?;
    let limits = Limits { k: 1, max_distance };
    QueryShapes::of(view, shapes, |search, batch| {
        nearest.resize(batch.len(), None);
        fill(nearest, batch.threads, &|query, room: &mut SolidWorkspace| {
            let (search, probe) = batch.query(search, query)?;
            let mut found = Vec::new();
            search.nearest(&probe, limits, None, &search.solids(), room, &mut found);
            found.pop()
        });
    })
}

pub(super) fn k_nearest(
    view: &IndexView<'_>,
    shape: Posed<'_>,
    k: usize,
    max_distance: f32,
    neighbors: &mut Vec<Neighbor>,
) -> Result<(), Error> {
    neighbors.clear();
    check_most(0, Field::MaxDistance, max_distance)?;
    view.with_shape(shape, |search, probe| {
        let limits = Limits { k, max_distance };
        search.nearest(
            probe,
            limits,
            None,
            &search.solids(),
            &mut SolidWorkspace::default(),
            neighbors,
        );
    })
}

pub(super) fn k_nearest_batch(
    view: &IndexView<'_>,
    shapes: Columns<'_>,
    k: usize,
    max_distance: f32,
    lists: &mut Lists<Neighbor>,
) -> Result<(), Error> {
    lists.clear();
    check_most(0, Field::MaxDistance, max_distance)?;
    let limits = Limits { k, max_distance };
    QueryShapes::of(view, shapes, |search, batch| {
        list(batch.len(), batch.threads, lists, &|query, room, neighbors| {
            if let Some((search, probe)) = batch.query(search, query) {
                search.nearest(&probe, limits, None, &search.solids(), room, neighbors);
            }
        });
    })
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

impl IndexSearch<'_> {
    /// Appends the nearest shapes.
    fn nearest(
        &self,
        probe: &Probe<'_>,
        limits: Limits,
        itself: Option<u32>,
        solids: &Solids<'_>,
        room: &mut SolidWorkspace,
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
