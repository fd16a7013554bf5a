//! `FarWorkspace`: pairs that are further than a period apart, and of shapes longer than a period.
//!
//! In plain words:
//!
//! ```text
//! for each wrapped shape: list its images that may be near the others; of opposite shifts, one
//! find the pairs of an image and a wrapped shape
//! ```
//!
//! Unlike the copies near the seam, the images may be many more than the shapes. So they are
//! searched for in an index of the shapes, and not together with them, which would also find all
//! pairs of two images.

use super::{
    Periodic,
    copies::{Copied, Copies},
    images::{Images, Surroundings, accept_rows, inflated},
};
use crate::{
    base::{Pair, held},
    detect::{CopiedFilters, Engine, NearPair, ResultSink, RunOptions, list_near},
    error::Error,
    geometry::{box_distance, ends},
    index::Index,
    options::{CandidateLists, IndexOptions, Options},
    shape::Kind,
    store::Columns,
};

/// The workspace of searches beyond one period.
#[derive(Debug, Default)]
pub(super) struct FarWorkspace {
    index: Index,
    images: Images,
    /// The inflated radii of the wrapped shapes and of the images.
    wide: [Vec<f32>; 2],
    /// Pairs of an image and a wrapped shape.
    pairs: Vec<Pair>,
    /// Such pairs of rotated shapes, with distances.
    near: Vec<NearPair>,
}

held!(FarWorkspace { index, images, wide, pairs, near });

/// The shapes of a call, wrapped.
pub(super) struct WrappedSet<'a> {
    /// The columns of the caller, and the kind of axis-aligned shapes.
    pub(super) columns: Columns<'a>,
    pub(super) kind: Kind,
    pub(super) periodic: &'a Periodic,
    pub(super) wrapped: &'a Copies,
    /// The filters of the wrapped shapes.
    pub(super) filters: &'a CopiedFilters,
}

impl FarWorkspace {
    /// Appends all pairs by other shifts than 0, with their distances. A pair has the position of a
    /// wrapped shape and the number of an image, counted behind the wrapped shapes. Returns the
    /// images.
    pub(super) fn find(
        &mut self,
        engine: &mut Engine,
        options: &Options,
        set: &WrappedSet<'_>,
        distance: f32,
        found: &mut Vec<NearPair>,
    ) -> Result<&[Copied], Error> {
        let Self { index, images, wide: [wide, wide_images], pairs, near } = self;
        let WrappedSet { columns, kind, periodic, wrapped, filters } = *set;
        let (rows, rotates) = (&*wrapped.rows, columns.rotates());
        let sides = |at: usize| ends(wrapped.shape(rotates, at));
        images.list.clear();
        pairs.clear();
        near.clear();
        if rows.is_empty() {
            return Ok(&[]);
        }
        let around = Surroundings::of(periodic, rows.len(), (0..rows.len()).map(sides));
        for (at, &row) in rows.iter().enumerate() {
            around.list(&mut images.list, (at, row), sides(at), distance.into())?;
        }
        images.place(wrapped, periodic, columns)?;
        let shapes = match wrapped.store(rotates) {
            Some(shapes) => shapes.columns(),
            None => inflated(&wrapped.columns, kind, distance, wide)?,
        };
        let candidate_lists = CandidateLists::Never;
        index.set_options(IndexOptions { candidate_lists, ..options.into() })?;
        index.rebuild(filters.give(columns, shapes, &|_, _| true)?)?;

        let before = found.len();
        let run = RunOptions::of(options)?;
        let max_pairs = run.max_pairs.saturating_sub(before);
        // Inflated shapes at exactly the distance touch, and are near under either policy.
        let inclusive = run.inclusive || (!rotates && distance > 0.0);
        let run = RunOptions { max_pairs, inclusive, ..run };
        let (list, row) = (&images.list, |at: u32| rows[at as usize]);
        let accept = accept_rows(columns.filtering, |image| row(list[image as usize].of), row);
        let moved = images.columns(columns, kind, (distance, wide_images), &accept)?;
        let scope = (moved, &*index).into();
        let result = if rotates {
            list_near(engine, run, scope, distance, pairs, near)
        } else {
            engine.detect(run, scope, 0.0, ResultSink::List(pairs), None).map(drop)
        };
        result.map_err(|error| match error {
            Error::TooManyPairs { found, .. } => {
                let (limit, found) = (options.max_pairs, found + before as u64);
                Error::TooManyPairs { limit, found }
            }
            other => other,
        })?;
        let pair = |image: u32, shape: u32| Pair { a: shape, b: image + rows.len() as u32 };
        if rotates {
            found.extend(near.iter().map(|&NearPair { pair: Pair { a, b }, distance }| NearPair {
                pair: pair(a, b),
                distance,
            }));
        } else {
            // The search reports the rows of an index as complements, unless it makes contacts.
            found.extend(pairs.iter().map(|&Pair { a, b }| {
                let distance = box_distance(wrapped.shape(false, !b as usize), images.shape(a));
                NearPair { pair: pair(a, !b), distance }
            }));
        }
        Ok(list)
    }
}
