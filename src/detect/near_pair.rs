//! Pairs with their distances.

use super::{
    engine::{Detect, Engine},
    options::RunOptions,
    sink::{ResultSink, Targets},
};
use crate::{Columns, Error, Order, Pair, index::IndexPart};

/// Two shapes near each other.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct NearPair {
    pub(crate) pair: Pair,
    pub(crate) distance: f32,
}

impl NearPair {
    /// The pair, and a second one that is the bits of the distance and 0: a detection lists both
    /// behind each other, instead of being compiled for one more kind of results.
    pub(super) fn words(self) -> [Pair; 2] {
        [self.pair, Pair { a: self.distance.to_bits(), b: 0 }]
    }

    /// The inverse of [`words`](Self::words).
    #[cfg(feature = "queries")]
    fn of(&[pair, Pair { a, .. }]: &[Pair; 2]) -> Self {
        Self { pair, distance: f32::from_bits(a) }
    }
}

/// Appends the pairs of rotated shapes that are at most `distance` apart to `near`: among the
/// shapes, or with an index, in the order of the grid. `words` is a workspace.
///
/// # Errors
/// The errors of [`Detect::detect`].
#[cfg(feature = "queries")]
pub(crate) fn list_near(
    engine: &mut Engine,
    columns: Columns<'_>,
    options: RunOptions<'_>,
    distance: f32,
    against: Option<IndexPart<'_>>,
    words: &mut Vec<Pair>,
    near: &mut Vec<NearPair>,
) -> Result<(), Error> {
    let max_pairs = options.max_pairs.saturating_mul(2);
    let run = RunOptions { distances: true, order: Order::Grid, max_pairs, ..options };
    let sink = ResultSink::List(words);
    let targets = match against {
        None => Targets::among(sink),
        Some(part) => Targets::against(part, sink),
    };
    match Pair::detect(engine, columns, run, distance, targets) {
        Ok(_) => {
            near.extend(words.as_chunks().0.iter().map(NearPair::of));
            Ok(())
        }
        Err(Error::TooManyPairs { found, .. }) => {
            Err(Error::TooManyPairs { limit: options.max_pairs as u64, found: found / 2 })
        }
        Err(Error::OutOfMemory { len }) => Err(Error::OutOfMemory { len: len / 2 }),
        Err(other) => Err(other),
    }
}
