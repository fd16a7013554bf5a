//! `DoubleDetector`: pairs, numbers and neighbours of `f64` shapes.

use super::{
    DoubleIndex,
    columns::DoubleColumns,
    frame::{DoubleFrame, RelativeColumns, most_candidates},
};
use crate::{
    Adjacency, Detector, Error, Lists, Options, Pair, Touching, filter::Predicate,
    shape::MAX_COORDINATE,
};

/// Finds what touches among shapes of `f64`: see [`doubles`](crate::doubles). Keep it; it keeps its
/// memory.
///
/// ```
/// use widephase::{Pair, doubles::{DoubleColumns, DoubleDetector}};
///
/// // Points in UTM metres that are at most 2 apart, as scipy's `query_pairs(2.0)`.
/// let places = [[500_000.25, 4_500_000.0], [500_002.25, 4_500_000.0], [500_004.26, 4_500_000.0]];
/// let (mut detector, mut pairs) = (DoubleDetector::new(), Vec::new());
/// detector.pairs(DoubleColumns::circles_at(&places, 1.0)?, &mut pairs)?;
/// assert_eq!(pairs, [Pair { a: 0, b: 1 }]);
/// # Ok::<(), widephase::Error>(())
/// ```
#[derive(Debug, Default)]
pub struct DoubleDetector {
    /// With [`Touching::Inclusive`].
    detector: Detector,
    touching: Touching,
    relative: RelativeColumns,
}

/// Which shapes a [`DoubleDetector`] pairs, as a [`Scope`](crate::Scope): a set of shapes with each
/// other, or shapes with an index.
#[derive(Debug, Clone, Copy)]
pub struct DoubleScope<'a> {
    shapes: DoubleColumns<'a>,
    index: Option<&'a DoubleIndex>,
}

impl<'a> From<DoubleColumns<'a>> for DoubleScope<'a> {
    fn from(shapes: DoubleColumns<'a>) -> Self {
        Self { shapes, index: None }
    }
}

impl<'a> From<(DoubleColumns<'a>, &'a DoubleIndex)> for DoubleScope<'a> {
    fn from((shapes, index): (DoubleColumns<'a>, &'a DoubleIndex)) -> Self {
        Self { shapes, index: Some(index) }
    }
}

/// What is done with pairs.
enum WantedPairs<'a> {
    List(&'a mut Vec<Pair>),
    Number,
}

impl DoubleDetector {
    /// A detector with the default options.
    pub fn new() -> Self {
        Self::default()
    }

    /// A detector with these options.
    ///
    /// # Errors
    /// The errors of [`Options::check`].
    pub fn with_options(options: Options) -> Result<Self, Error> {
        let touching = options.touching;
        let options = Options { touching: Touching::Inclusive, ..options };
        let detector = Detector::with_options(options)?;
        Ok(Self { detector, touching, relative: RelativeColumns::default() })
    }

    /// Replaces `pairs` by all pairs of shapes that [touch](super::touches): of the shapes with each
    /// other, or of shapes with an index. With [`Order::Sorted`](crate::Order::Sorted), the order is
    /// by `a`, then by `b`; else it is a function of the shapes and the options, as of
    /// [`Detector::pairs`].
    ///
    /// # Errors
    /// The errors of [`Detector::pairs`], values rounded to `f32`. `pairs` is then empty.
    pub fn pairs<'a>(
        &mut self,
        scope: impl Into<DoubleScope<'a>>,
        pairs: &mut Vec<Pair>,
    ) -> Result<(), Error> {
        pairs.clear();
        self.detect(scope.into(), WantedPairs::List(pairs)).map(|_| ())
    }

    /// The number of pairs: the length of the list of [`pairs`](DoubleDetector::pairs). None is
    /// stored.
    ///
    /// # Errors
    /// The errors of [`Detector::count`].
    pub fn count<'a>(&mut self, scope: impl Into<DoubleScope<'a>>) -> Result<u64, Error> {
        self.detect(scope.into(), WantedPairs::Number)
    }

    fn detect(&mut self, scope: DoubleScope<'_>, wanted: WantedPairs<'_>) -> Result<u64, Error> {
        let DoubleScope { shapes, index } = scope;
        let Self { detector, touching, relative } = self;
        let frame = index.map_or_else(|| DoubleFrame::of(&shapes), |index| *index.frame());
        frame.fill(&shapes, 0.0, relative)?;
        let own = &relative.records;
        let others = index.map_or(own, |index| index.records());
        let accept = |a: u32, b: u32| own.touch(a, others, b, 0.0, *touching);
        let prefetch = |a: u32, b: u32| {
            own.prefetch(a);
            others.prefetch(b);
        };
        let predicate = Predicate { accept: &accept, prefetch: Some(&prefetch) };
        let columns = relative.of(&shapes)?.decided_by(predicate);
        match (wanted, index.map(DoubleIndex::relative)) {
            (WantedPairs::List(pairs), None) => detector.pairs(columns, pairs).map(|()| 0),
            (WantedPairs::List(pairs), Some(index)) => {
                detector.pairs((columns, index), pairs).map(|()| 0)
            }
            (WantedPairs::Number, None) => detector.count(columns),
            (WantedPairs::Number, Some(index)) => detector.count((columns, index)),
        }
    }

    /// Replaces `lists` by the rows within a distance of each row, as
    /// [`Detector::neighbors`] does: for points, those whose squared
    /// distance is at most `distance * distance`.
    ///
    /// # Errors
    /// The errors of [`Detector::neighbors`], values rounded to `f32`.
    /// `lists` is then empty.
    pub fn neighbors(
        &mut self,
        shapes: DoubleColumns<'_>,
        distance: f64,
        adjacency: Adjacency,
        lists: &mut Lists<u32>,
    ) -> Result<(), Error> {
        lists.clear();
        if !(0.0..=f64::from(MAX_COORDINATE)).contains(&distance) {
            return Err(Error::InvalidMargin { value: distance as f32 });
        }
        let Self { detector, touching, relative } = self;
        DoubleFrame::of(&shapes).fill(&shapes, distance, relative)?;
        let (columns, records) = (relative.of(&shapes)?, &relative.records);
        // Candidates are listed and then decided, unless they are many because shapes are far from
        // most others. Then each is decided before it is listed.
        let options = *detector.options();
        let max_pairs = options.max_pairs.min(most_candidates(shapes.len()));
        detector.set_options(Options { max_pairs, ..options })?;
        let listed = detector.neighbors(columns, 0.0, adjacency, lists);
        detector.set_options(options)?;
        if !matches!(listed, Err(Error::TooManyPairs { .. })) {
            listed?;
            lists.retain(
                |other| records.prefetch(*other),
                |row, other| records.touch(row as u32, records, *other, distance, *touching),
            );
            return Ok(());
        }
        let accept = |a: u32, b: u32| records.touch(a, records, b, distance, *touching);
        let predicate = Predicate { accept: &accept, prefetch: None };
        detector.neighbors(columns.decided_by(predicate), 0.0, adjacency, lists)
    }

    /// Does the same, and writes the distance of each item of the lists to `distances`.
    ///
    /// # Errors
    /// As [`neighbors`](DoubleDetector::neighbors). Both are then empty.
    pub fn neighbor_distances(
        &mut self,
        shapes: DoubleColumns<'_>,
        distance: f64,
        adjacency: Adjacency,
        lists: &mut Lists<u32>,
        distances: &mut Vec<f64>,
    ) -> Result<(), Error> {
        distances.clear();
        self.neighbors(shapes, distance, adjacency, lists)?;
        // An eighth more, because lists that grow slowly would else allocate at many steps.
        let len = lists.items().len();
        if distances.capacity() < len {
            distances.reserve_exact(len + len / 8);
        }
        let records = &self.relative.records;
        for (row, list) in (0..).zip(lists.iter()) {
            let own = records.get(row);
            distances.extend(list.iter().map(|other| own.distance(&records.get(*other))));
        }
        Ok(())
    }

    /// The bytes of memory held.
    pub fn bytes(&self) -> usize {
        self.detector.bytes() + self.relative.bytes()
    }
}
