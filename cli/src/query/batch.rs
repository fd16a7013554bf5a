//! Answers queries of one kind together, as the batch calls of the library do.

use std::collections::HashMap;

use anyhow::Result;
use widephase::{
    CastOptions, Hit, Lists, Queries, Ray, Shapes,
    doubles::{DoubleNeighbor, Origin},
    narrowphase::CastStart,
    shape::Circle,
};

use super::{indexes::Indexes, list::Answer, read::Query};
use crate::{
    earth::{Near, Places},
    figures::Figures,
    table::{Given, given_figure},
};

/// Some queries: batches, and the place of each query in them.
pub(super) struct Block<'a> {
    batches: Vec<Batch<'a>>,
    /// By query: the number of its batch, and its number there.
    places: Vec<[usize; 2]>,
}

impl<'a> Block<'a> {
    pub(super) fn new(queries: &'a [Query]) -> Self {
        let mut numbers = HashMap::new();
        let mut block = Self { batches: Vec::new(), places: Vec::new() };
        for query in queries {
            let number = *numbers.entry(Key::of(query)).or_insert_with(|| {
                block.batches.push(Batch { queries: Vec::new() });
                block.batches.len() - 1
            });
            let batch = &mut block.batches[number].queries;
            block.places.push([number, batch.len()]);
            batch.push(query);
        }
        block
    }

    /// Calls `take` with the number of each query and each of its answers, in order. With `all`, a
    /// ray and a cast have every hit.
    pub(super) fn answer(
        &self,
        indexes: &Indexes,
        all: bool,
        mut take: impl FnMut(usize, Answer) -> Result<()>,
    ) -> Result<()> {
        let answers: Result<Vec<Answers>> =
            self.batches.iter().map(|batch| batch.answers(indexes, all)).collect();
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
    Nearest { k: usize, max_distance: u64 },
    Cast { max_fraction: u32, gap: u32, start: CastStart },
}

impl Key {
    fn of(query: &Query) -> Self {
        match *query {
            Query::Overlap(_) => Self::Overlap,
            Query::Ray { .. } => Self::Ray,
            Query::Nearest { k, max_distance, .. } => {
                Self::Nearest { k, max_distance: max_distance.to_bits() }
            }
            Query::Cast { options: CastOptions { max_fraction, gap, start }, .. } => {
                Self::Cast { max_fraction: max_fraction.to_bits(), gap: gap.to_bits(), start }
            }
        }
    }
}

/// Queries with one key, which one call answers.
struct Batch<'a> {
    queries: Vec<&'a Query>,
}

impl Batch<'_> {
    fn answers(&self, indexes: &Indexes, all: bool) -> Result<Answers> {
        let queries = &self.queries;
        match **queries.first().expect("a batch has a query") {
            Query::Overlap(..) => self.overlaps(indexes),
            Query::Nearest { k, max_distance, .. } => self.nearest(indexes, k, max_distance),
            Query::Ray { .. } => self.rays(indexes, all),
            Query::Cast { options, .. } => self.casts(indexes, options, all),
        }
    }

    /// The places on the globe at which the queries are, and how far each looks.
    fn places(&self) -> (Places, Vec<f64>) {
        let places = self.queries.iter().filter_map(|query| query.place());
        let (at, reach): (Vec<[f64; 2]>, Vec<f64>) = places.unzip();
        (Places::of(at), reach)
    }

    fn overlaps(&self, indexes: &Indexes) -> Result<Answers> {
        if let Some((globe, options)) = &indexes.globe {
            let mut rows = vec![Vec::new(); self.queries.len()];
            let (places, reach) = self.places();
            globe.each_within(
                &places,
                |query| reach[query],
                *options,
                |Near { a, b, .. }| {
                    rows[a as usize].push(b);
                    Ok(())
                },
            )?;
            for rows in &mut rows {
                rows.sort_unstable();
            }
            return Ok(Answers::Rows(rows));
        }
        let mut figures = Figures::default();
        for query in &self.queries {
            if let Query::Overlap(given) = query {
                match given[..] {
                    [Given::Box(_, sides)] => figures.push_box(sides),
                    _ => given_figure(given, &mut figures),
                }
            }
        }
        Ok(Answers::Rows(indexes.overlapping(&figures)?))
    }

    fn nearest(&self, indexes: &Indexes, k: usize, max_distance: f64) -> Result<Answers> {
        if let Some((globe, options)) = &indexes.globe {
            let near = globe.nearest(&self.places().0, k, max_distance, *options)?;
            return Ok(Answers::Neighbors(near));
        }
        let at = |query: &&Query| match **query {
            Query::Nearest { at, .. } => Some(at),
            _ => None,
        };
        let points: Vec<[f64; 2]> = self.queries.iter().filter_map(at).collect();
        Ok(Answers::Neighbors(indexes.nearest(&points, k, max_distance)?))
    }

    fn rays(&self, indexes: &Indexes, all: bool) -> Result<Answers> {
        let (index, origin) = indexes.single()?;
        let ray = |query: &&Query| match **query {
            Query::Ray { from, by, max } => Some(Ray::new(origin.relative(from), by).up_to(max)),
            _ => None,
        };
        let rays: Vec<Ray> = self.queries.iter().filter_map(ray).collect();
        if all {
            let mut hits = Lists::new();
            index.cast_ray_all_batch(&rays, &mut hits)?;
            return Ok(Answers::Hits(hits, *origin));
        }
        let mut hits = Vec::new();
        index.cast_ray_batch(&rays, &mut hits)?;
        Ok(Answers::First(hits, *origin))
    }

    fn casts(&self, indexes: &Indexes, options: CastOptions, all: bool) -> Result<Answers> {
        let (index, origin) = indexes.single()?;
        let (mut circles, mut translations) = (Shapes::new(), Vec::new());
        for query in &self.queries {
            if let Query::Cast { center, radius, by, .. } = **query {
                circles.push(Circle::new(origin.relative(center), radius))?;
                translations.push(by);
            }
        }
        if all {
            let mut hits = Lists::new();
            index.cast_shape_all_batch(&circles, &translations, options, &mut hits)?;
            return Ok(Answers::Hits(hits, *origin));
        }
        let mut hits = Vec::new();
        index.cast_shape_batch(&circles, &translations, options, &mut hits)?;
        Ok(Answers::First(hits, *origin))
    }
}

/// The answers of a batch, by the numbers of its queries. Hits are relative to an origin.
enum Answers {
    Rows(Vec<Vec<u32>>),
    First(Vec<Option<Hit>>, Origin),
    Hits(Lists<Hit>, Origin),
    Neighbors(Vec<Vec<DoubleNeighbor>>),
}

impl Answers {
    /// Calls `take` with each answer of a query.
    fn each(&self, number: usize, mut take: impl FnMut(Answer) -> Result<()>) -> Result<()> {
        match self {
            Self::Rows(rows) => rows[number].iter().try_for_each(|row| take(Answer::Row(*row))),
            Self::First(hits, origin) => {
                hits[number].iter().try_for_each(|hit| take(Answer::Hit(*hit, *origin)))
            }
            Self::Hits(hits, origin) => {
                hits.get(number).iter().try_for_each(|hit| take(Answer::Hit(*hit, *origin)))
            }
            Self::Neighbors(neighbors) => {
                neighbors[number].iter().try_for_each(|near| take(Answer::Neighbor(*near)))
            }
        }
    }
}
