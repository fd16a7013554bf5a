//! `DoubleDetector`: pairs, numbers and neighbours of `f64` shapes.

#[cfg(feature = "queries")]
use super::DoubleIndex;
use super::{
    columns::{DoubleColumns, ReadRows, with_reader},
    frame::{Frame, RelativeColumns},
};
#[cfg(feature = "queries")]
use crate::shape::MAX_COORDINATE;
#[cfg(feature = "queries")]
use crate::{Adjacency, Lists};
use crate::{Detector, Error, Index, Options, Pair, Touching};

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
    #[cfg(feature = "queries")]
    index: Option<&'a DoubleIndex>,
}

impl<'a> From<DoubleColumns<'a>> for DoubleScope<'a> {
    fn from(shapes: DoubleColumns<'a>) -> Self {
        Self {
            shapes,
            #[cfg(feature = "queries")]
            index: None,
        }
    }
}

#[cfg(feature = "queries")]
impl<'a> From<(DoubleColumns<'a>, &'a DoubleIndex)> for DoubleScope<'a> {
    fn from((shapes, index): (DoubleColumns<'a>, &'a DoubleIndex)) -> Self {
        Self { shapes, index: Some(index) }
    }
}

/// What is done with pairs.
enum Wanted<'a> {
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
    /// other, or of shapes with an index. The order is as of
    /// [`Detector::pairs`](crate::Detector::pairs), whose grid the shapes relative to an origin have.
    ///
    /// # Errors
    /// The errors of [`Detector::pairs`](crate::Detector::pairs), values rounded to `f32`. `pairs` is
    /// then empty.
    pub fn pairs<'a>(
        &mut self,
        scope: impl Into<DoubleScope<'a>>,
        pairs: &mut Vec<Pair>,
    ) -> Result<(), Error> {
        pairs.clear();
        self.detect(scope.into(), Wanted::List(pairs)).map(|_| ())
    }

    /// The number of pairs: the length of the list of [`pairs`](DoubleDetector::pairs). None is
    /// stored.
    ///
    /// # Errors
    /// The errors of [`Detector::count`](crate::Detector::count).
    pub fn count<'a>(&mut self, scope: impl Into<DoubleScope<'a>>) -> Result<u64, Error> {
        self.detect(scope.into(), Wanted::Number)
    }

    fn detect(&mut self, scope: DoubleScope<'_>, wanted: Wanted<'_>) -> Result<u64, Error> {
        let DoubleScope { shapes, .. } = scope;
        shapes.check()?;
        #[cfg(feature = "queries")]
        if let Some(index) = scope.index {
            index.frame().fill(&shapes, 0.0, &mut self.relative);
            let others = index.shapes()?;
            return with_reader!(shapes, own => with_reader!(others, other => {
                self.decide(&shapes, own, other, Some(index.relative()), wanted)
            }));
        }
        Frame::of(&shapes).fill(&shapes, 0.0, &mut self.relative);
        with_reader!(shapes, own => self.decide(&shapes, own, own, None, wanted))
    }

    /// Detects the shapes in the frame, and decides what touches there.
    fn decide<A: ReadRows, B: ReadRows>(
        &mut self,
        shapes: &DoubleColumns<'_>,
        own: A,
        other: B,
        index: Option<&Index>,
        wanted: Wanted<'_>,
    ) -> Result<u64, Error> {
        let Self { detector, touching, relative } = self;
        let accept =
            |a: u32, b: u32| own.row(a as usize).within(&other.row(b as usize), 0.0, *touching);
        let columns = relative.of(shapes)?.with_predicate(&accept);
        match (wanted, index) {
            (Wanted::List(pairs), None) => detector.pairs(columns, pairs).map(|()| 0),
            (Wanted::List(pairs), Some(index)) => {
                detector.pairs((columns, index), pairs).map(|()| 0)
            }
            (Wanted::Number, None) => detector.count(columns),
            (Wanted::Number, Some(index)) => detector.count((columns, index)),
        }
    }

    /// Replaces `lists` by the rows within a distance of each row, as
    /// [`Detector::neighbors`](crate::Detector::neighbors) does: for points, those whose squared
    /// distance is at most `distance * distance`.
    ///
    /// # Errors
    /// The errors of [`Detector::neighbors`](crate::Detector::neighbors), values rounded to `f32`.
    /// `lists` is then empty.
    #[cfg(feature = "queries")]
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
        shapes.check()?;
        let Self { detector, touching, relative } = self;
        Frame::of(&shapes).fill(&shapes, distance, relative);
        detector.neighbors(relative.of(&shapes)?, 0.0, adjacency, lists)?;
        with_reader!(shapes, reader => lists.retain(|row, other| {
            reader.row(row).within(&reader.row(*other as usize), distance, *touching)
        }));
        Ok(())
    }

    /// Does the same, and writes the distance of each item of the lists to `distances`.
    ///
    /// # Errors
    /// As [`neighbors`](DoubleDetector::neighbors). Both are then empty.
    #[cfg(feature = "queries")]
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
        distances.reserve(lists.items().len());
        with_reader!(shapes, reader => for (row, list) in lists.iter().enumerate() {
            let own = reader.row(row);
            distances.extend(list.iter().map(|other| own.distance(&reader.row(*other as usize))));
        });
        Ok(())
    }

    /// The bytes of memory held.
    pub fn bytes(&self) -> usize {
        self.detector.bytes() + self.relative.bytes()
    }
}
