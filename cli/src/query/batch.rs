//! Answers queries of one kind together, as the batch calls of the library do.

use std::collections::HashMap;

use widephase::{
    CastOptions, Error, Hit, Index, Lists, Neighbor, Queries, Ray, Shapes, narrowphase::CastStart,
};

use super::{list::Answer, read::Query};

/// Some queries: batches, and the place of each query in them.
pub(super) struct Block {
    batches: Vec<Batch>,
    /// By query: the number of its batch, and its number there.
    places: Vec<[usize; 2]>,
}

impl Block {
    pub(super) fn new(queries: &[Query]) -> Result<Self, Error> {
        let mut numbers = HashMap::new();
        let mut block = Self { batches: Vec::new(), places: Vec::new() };
        for &query in queries {
            let number = *numbers.entry(Key::of(query)).or_insert_with(|| {
                block.batches.push(Batch::new(query));
                block.batches.len() - 1
            });
            block.places.push([number, block.batches[number].push(query)?]);
        }
        Ok(block)
    }

    /// Calls `take` with the number of each query and each of its answers, in order. With `all`, a
    /// ray and a cast have every hit.
    pub(super) fn answer(
        &self,
        index: &Index,
        all: bool,
        mut take: impl FnMut(usize, Answer) -> anyhow::Result<()>,
    ) -> anyhow::Result<()> {
        let answers: Result<Vec<Answers>, Error> =
            self.batches.iter().map(|batch| batch.answers(index, all)).collect();
        let answers = answers?;
        for (query, [batch, number]) in self.places.iter().enumerate() {
            answers[*batch].each(*number, |answer| take(query, answer))?;
        }
        Ok(())
    }
}

/// Queries with the same key are one batch.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Key {
    Overlap,
    Ray,
    Nearest { k: usize, max_distance: u32 },
    Cast { max_fraction: u32, gap: u32, start: CastStart },
}

impl Key {
    fn of(query: Query) -> Self {
        match query {
            Query::Point(_) | Query::Region(_) | Query::Circle(_) => Self::Overlap,
            Query::Ray(_) => Self::Ray,
            Query::Nearest { k, max_distance, .. } => {
                Self::Nearest { k, max_distance: max_distance.to_bits() }
            }
            Query::Cast { options: CastOptions { max_fraction, gap, start }, .. } => {
                Self::Cast { max_fraction: max_fraction.to_bits(), gap: gap.to_bits(), start }
            }
        }
    }
}

/// Queries that one call answers.
enum Batch {
    Overlap(Shapes),
    Rays(Vec<Ray>),
    Nearest { points: Shapes, k: usize, max_distance: f32 },
    Casts { circles: Shapes, translations: Vec<[f32; 2]>, options: CastOptions },
}

impl Batch {
    /// An empty batch for queries with the key of this one.
    fn new(query: Query) -> Self {
        match query {
            Query::Point(_) | Query::Region(_) | Query::Circle(_) => Self::Overlap(Shapes::new()),
            Query::Ray(_) => Self::Rays(Vec::new()),
            Query::Nearest { k, max_distance, .. } => {
                Self::Nearest { points: Shapes::new(), k, max_distance }
            }
            Query::Cast { options, .. } => {
                Self::Casts { circles: Shapes::new(), translations: Vec::new(), options }
            }
        }
    }

    /// Appends a query with the key of this batch, and returns its number.
    fn push(&mut self, query: Query) -> Result<usize, Error> {
        let number = match (self, query) {
            (Self::Overlap(shapes), Query::Point(point)) => shapes.push(point)?,
            (Self::Overlap(shapes), Query::Region(region)) => shapes.push(region)?,
            (Self::Overlap(shapes), Query::Circle(circle)) => shapes.push(circle)?,
            (Self::Nearest { points, .. }, Query::Nearest { point, .. }) => points.push(point)?,
            (Self::Rays(rays), Query::Ray(ray)) => {
                rays.push(ray);
                return Ok(rays.len() - 1);
            }
            (
                Self::Casts { circles, translations, .. },
                Query::Cast { circle, translation, .. },
            ) => {
                translations.push(translation);
                circles.push(circle)?
            }
            _ => unreachable!("a query is in the batch of its key"),
        };
        Ok(number as usize)
    }

    fn answers(&self, index: &Index, all: bool) -> Result<Answers, Error> {
        match self {
            Self::Overlap(shapes) => {
                let mut rows = Lists::new();
                index.overlapping_batch(shapes, &mut rows)?;
                Ok(Answers::Rows(rows))
            }
            Self::Rays(rays) if all => {
                let mut hits = Lists::new();
                index.cast_ray_all_batch(rays, &mut hits)?;
                Ok(Answers::Hits(hits))
            }
            Self::Rays(rays) => {
                let mut hits = Vec::new();
                index.cast_ray_batch(rays, &mut hits)?;
                Ok(Answers::First(hits))
            }
            Self::Nearest { points, k, max_distance } => {
                let mut neighbors = Lists::new();
                index.k_nearest_batch(points, *k, *max_distance, &mut neighbors)?;
                Ok(Answers::Neighbors(neighbors))
            }
            Self::Casts { circles, translations, options } if all => {
                let mut hits = Lists::new();
                index.cast_shape_all_batch(circles, translations, *options, &mut hits)?;
                Ok(Answers::Hits(hits))
            }
            Self::Casts { circles, translations, options } => {
                let mut hits = Vec::new();
                index.cast_shape_batch(circles, translations, *options, &mut hits)?;
                Ok(Answers::First(hits))
            }
        }
    }
}

/// The answers of a batch, by the numbers of its queries.
enum Answers {
    Rows(Lists<u32>),
    First(Vec<Option<Hit>>),
    Hits(Lists<Hit>),
    Neighbors(Lists<Neighbor>),
}

impl Answers {
    /// Calls `take` with each answer of a query.
    fn each(
        &self,
        number: usize,
        take: impl FnMut(Answer) -> anyhow::Result<()>,
    ) -> anyhow::Result<()> {
        match self {
            Self::Rows(rows) => {
                rows.get(number).iter().copied().map(Answer::Row).try_for_each(take)
            }
            Self::First(hits) => hits[number].into_iter().map(Answer::Hit).try_for_each(take),
            Self::Hits(hits) => {
                hits.get(number).iter().copied().map(Answer::Hit).try_for_each(take)
            }
            Self::Neighbors(neighbors) => {
                neighbors.get(number).iter().copied().map(Answer::Neighbor).try_for_each(take)
            }
        }
    }
}
