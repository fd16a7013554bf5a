//! The shapes, sorted for queries: in their own numbers, and in `f32`.

use anyhow::{Context, Result};
use rayon::prelude::*;
use widephase::{
    Index, IndexOptions, Lists, Options, Touching,
    doubles::{DoubleBox, DoubleColumns, DoubleIndex, DoubleNeighbor, Origin},
};

use crate::{
    earth::{Globe, Places},
    figures::Figures,
    table::Bodies,
};

/// The nearest `k` figures are first sought among the nearest `k` boxes and this many more.
const MORE: usize = 8;

/// More than the roundings of a distance, as a share of it.
const ROUNDED: f64 = 1.0 / (1_u64 << 40) as f64;

/// The indexes of the shapes that some queries need.
pub(super) struct Indexes {
    /// The boxes around the figures, sorted.
    boxes: DoubleIndex,
    figures: Figures,
    touching: Touching,
    /// In `f32`, relative to an origin, if a query needs that.
    single: Option<(Index, Origin)>,
    /// The places on the globe, with `--metres`.
    pub(super) globe: Option<(Globe, Options)>,
}

impl Indexes {
    /// Sorts the shapes. `single`: whether a query needs an index in `f32`. Also returns a note
    /// about the numbers of that index.
    pub(super) fn build(
        bodies: &Bodies,
        options: IndexOptions,
        single: bool,
    ) -> Result<(Self, Option<String>)> {
        let figures = bodies.figures();
        let touching = Touching::Inclusive;
        let mut boxes = DoubleIndex::with_options(IndexOptions { touching, ..options })?;
        boxes.rebuild(DoubleColumns::shapes(figures.boxes())?)?;
        let mut indexes =
            Self { boxes, figures, touching: options.touching, single: None, globe: None };
        let mut note = None;
        if single {
            let range = bodies.range();
            let origin = range.origin();
            note = range.note(origin);
            let mut index = Index::with_options(options)?;
            index.rebuild(&bodies.shapes(origin)?)?;
            indexes.single = Some((index, origin));
        }
        Ok((indexes, note))
    }

    /// Sorts shapes that are places on the globe.
    pub(super) fn of_places(bodies: &Bodies, options: IndexOptions) -> Result<Self> {
        let places = Places::of(bodies.boxes().iter().map(|shape| shape.min));
        let globe = Globe::new(places, options)?;
        let options = Options { simd_level: options.simd_level, ..Options::default() };
        let boxes = DoubleIndex::with_options(IndexOptions::default())?;
        let (figures, globe) = (Figures::default(), Some((globe, options)));
        Ok(Self { boxes, figures, touching: Touching::Inclusive, single: None, globe })
    }

    /// The rows that touch each of some figures.
    pub(super) fn overlapping(&self, queries: &Figures) -> Result<Vec<Vec<u32>>> {
        let mut near = Lists::new();
        self.boxes.overlapping_batch(DoubleColumns::shapes(queries.boxes())?, &mut near)?;
        let decided = (0..near.len()).into_par_iter().map(|query| {
            let own = queries.get(query as u32);
            let touches = |row: &&u32| self.figures.get(**row).touches(&own, 0.0, self.touching);
            near.get(query).iter().filter(touches).copied().collect()
        });
        Ok(decided.collect())
    }

    /// The `k` figures nearest to each of some points, at most `max_distance` away: by distance,
    /// then by row.
    pub(super) fn nearest(
        &self,
        points: &[[f64; 2]],
        k: usize,
        max_distance: f64,
    ) -> Result<Vec<Vec<DoubleNeighbor>>> {
        if self.figures.are_boxes() {
            let (points, mut nearest) = (DoubleColumns::points_at(points)?, Lists::new());
            self.boxes.k_nearest_batch(points, k, max_distance, &mut nearest)?;
            return Ok(nearest.iter().map(<[_]>::to_vec).collect());
        }
        points.par_iter().map(|point| self.nearest_to(*point, k, max_distance)).collect()
    }

    /// The nearest shapes of one point. The distance of a figure is at least the distance of its
    /// box.
    fn nearest_to(&self, at: [f64; 2], k: usize, most: f64) -> Result<Vec<DoubleNeighbor>> {
        let mut point = Figures::default();
        point.push_box(DoubleBox { min: at, max: at, radius: 0.0 });
        let (points, own) = ([at], point.get(0));
        let (mut near, mut wanted) = (Lists::<DoubleNeighbor>::new(), k.saturating_add(MORE));
        loop {
            self.boxes.k_nearest_batch(
                DoubleColumns::points_at(&points)?,
                wanted,
                most,
                &mut near,
            )?;
            let list = near.get(0);
            let mut found: Vec<DoubleNeighbor> = list
                .iter()
                .map(|near| DoubleNeighbor {
                    distance: self.figures.get(near.row).distance(&own),
                    row: near.row,
                })
                .filter(|near| near.distance <= most)
                .collect();
            found
                .sort_unstable_by(|a, b| a.distance.total_cmp(&b.distance).then(a.row.cmp(&b.row)));
            found.truncate(k);
            let last = if found.len() < k { None } else { found.last() };
            // Distances of boxes and of figures are rounded in different ways.
            let is_beyond = |last: &DoubleNeighbor| {
                list.last().is_some_and(|near| near.distance * (1.0 - ROUNDED) > last.distance)
            };
            if list.len() < wanted || last.is_some_and(is_beyond) {
                return Ok(found);
            }
            wanted = wanted.saturating_mul(4);
        }
    }

    /// The index in `f32`, and its origin.
    pub(super) fn single(&self) -> Result<&(Index, Origin)> {
        self.single.as_ref().context("no query was said to need an index in f32")
    }
}
