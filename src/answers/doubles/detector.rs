//! `DoubleDetector`: pairs, numbers and neighbours of `f64` shapes, in the plane and in a
//! periodic box. `DoubleTiles`: pairs, one part of the plane after the other.
//!
//! In plain words:
//!
//! ```text
//! wrap all shapes into the box, in f64
//! round them to f32 relative to its middle, grown by the most that roundings and periods may lose
//! find neighbours of the rounded shapes in the same box of f32
//! keep the neighbours that are near in f64, by the shift that was found
//! ```

use super::{
    DoubleIndex,
    columns::DoubleColumns,
    frame::{DoubleFrame, RelativeColumns},
    index::check_max_distance,
    origin::Origin,
    wrapped::{DoublePeriodic, DoublePeriodicNeighbor, WrappedDoubles},
};
use crate::{
    base::{F32_SLACK, Held, Pair, held},
    detect::{MANY_TIMES_MORE, Scope},
    detector::{Detector, Flow},
    error::Error,
    filter::{ListedRows, Predicate},
    lists::{Adjacency, Lists},
    options::{Options, uses_pool},
    periodic::{Periodic, PeriodicNeighbor, PeriodicPair},
    shape::{MAX_COORDINATE, Touching},
    simd::map_each,
    tiles::{TileDetector, TileRows, Tiles},
};

/// Finds the pairs of `f64` shapes that touch: see [`doubles`](crate::doubles). Keep it; it keeps
/// its memory.
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
    pub(super) detector: Detector,
    pub(super) touching: Touching,
    pub(super) relative: RelativeColumns,
    /// The shapes in a periodic box, and what is near there in `f32`.
    pub(super) wrapped: WrappedDoubles,
    pub(super) near: Lists<PeriodicNeighbor>,
}

held!(DoubleDetector { detector, touching, relative, wrapped, near });

/// Which shapes a [`DoubleDetector`] pairs, as a [`Scope`](crate::Scope): a set of shapes with each
/// other, or shapes with an index; and within which distance.
#[derive(Debug, Clone, Copy)]
pub struct DoubleScope<'a> {
    shapes: DoubleColumns<'a>,
    index: Option<&'a DoubleIndex>,
    distance: f64,
}

impl DoubleScope<'_> {
    /// The same scope for pairs whose surfaces are at most this far apart: pairs that
    /// [touch](super::touches) if the distance is added to the sum of the radii.
    ///
    /// Points within a distance are the pairs of scipy's `query_pairs`: their squared distance is
    /// at most `distance * distance`.
    ///
    /// ```
    /// use widephase::{Pair, doubles::{DoubleColumns, DoubleDetector, DoubleScope}};
    ///
    /// let points = DoubleColumns::points(&[0.0, 0.3, 0.7], &[0.0; 3])?;
    /// let (mut detector, mut pairs) = (DoubleDetector::new(), Vec::new());
    /// detector.pairs(DoubleScope::from(points).within(0.3), &mut pairs)?;
    /// assert_eq!(pairs, [Pair { a: 0, b: 1 }]);
    /// # Ok::<(), widephase::Error>(())
    /// ```
    #[must_use]
    pub fn within(self, distance: f64) -> Self {
        Self { distance, ..self }
    }
}

impl<'a> From<DoubleColumns<'a>> for DoubleScope<'a> {
    fn from(shapes: DoubleColumns<'a>) -> Self {
        Self { shapes, index: None, distance: 0.0 }
    }
}

impl<'a> From<(DoubleColumns<'a>, &'a DoubleIndex)> for DoubleScope<'a> {
    fn from((shapes, index): (DoubleColumns<'a>, &'a DoubleIndex)) -> Self {
        Self { shapes, index: Some(index), distance: 0.0 }
    }
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
        Ok(Self { detector, touching, ..Self::default() })
    }

    /// Replaces `pairs` by all pairs of shapes that [touch](super::touches): shapes with each
    /// other, or shapes with an index. With [`Order::Sorted`](crate::Order::Sorted), the order is
    /// by `a`, then by `b`. Else it depends on the shapes and the options, as with
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
        self.detect(scope.into(), |detector, scope| detector.pairs(scope, pairs))
    }

    /// Calls `each` with each pair of the list of [`pairs`](DoubleDetector::pairs), as
    /// [`Detector::for_each_pair`] does: no pair is stored.
    ///
    /// # Errors
    /// The errors of [`Detector::for_each_pair`].
    pub fn for_each_pair<'a, F: Flow>(
        &mut self,
        scope: impl Into<DoubleScope<'a>>,
        each: impl FnMut(Pair) -> F,
    ) -> Result<F::Outcome, Error> {
        self.detect(scope.into(), |detector, scope| detector.for_each_pair(scope, each))
    }

    /// The number of pairs: the length of the list of [`pairs`](DoubleDetector::pairs). No pair is
    /// stored.
    ///
    /// # Errors
    /// The errors of [`Detector::count`].
    pub fn count<'a>(&mut self, scope: impl Into<DoubleScope<'a>>) -> Result<u64, Error> {
        self.detect(scope.into(), |detector, scope| detector.count(scope))
    }

    /// Calls `work` with the scope in `f32`, decided in `f64`.
    fn detect<R>(
        &mut self,
        scope: DoubleScope<'_>,
        work: impl FnOnce(&mut Detector, Scope<'_>) -> Result<R, Error>,
    ) -> Result<R, Error> {
        let DoubleScope { shapes, index, distance } = scope;
        check_distance(distance)?;
        let Self { detector, touching, relative, .. } = self;
        let options = *detector.options();
        let run = (options.isa()?, uses_pool(options.threads, shapes.len()));
        match index {
            None => DoubleFrame::of(&shapes).fill(run, &shapes, 0.5 * distance, relative)?,
            // The shapes of the index have no margin.
            Some(index) => {
                index.frame().fill(run, &shapes, distance, relative)?;
                if index.len() / MANY_TIMES_MORE > shapes.len() {
                    // Then all pairs are decided in `f64`.
                    relative.records.make(&shapes);
                }
            }
        }
        let own = relative.records.of(&shapes);
        let rule = (distance, *touching);
        let accept = |a: u32, b: u32| match index {
            Some(index) => own.touch_other(a, index.records(), b, rule),
            None => own.touch(a, b, rule),
        };
        let prefetch = |a: u32, b: u32| {
            own.prefetch(a);
            match index {
                Some(index) => index.records().prefetch(b),
                None => own.prefetch(b),
            }
        };
        let predicate =
            Predicate { accept: &accept, prefetch: Some(&prefetch), grown: true, lists: None };
        let columns = relative.of(&shapes)?.decided_by(predicate);
        work(
            detector,
            index.map_or_else(|| columns.into(), |index| (columns, index.relative()).into()),
        )
    }

    /// Replaces `lists` by the rows within a distance of each row, as [`Detector::neighbors`] does:
    /// for points, the rows whose squared distance is at most `distance * distance`.
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
        check_distance(distance)?;
        let Self { detector, touching, relative, .. } = self;
        let options = *detector.options();
        let run = (options.isa()?, uses_pool(options.threads, shapes.len()));
        DoubleFrame::of(&shapes).fill(run, &shapes, 0.5 * distance, relative)?;
        let records = relative.records.of(&shapes);
        let rule = (distance, *touching);
        let accept = |a: u32, b: u32| records.touch(a, b, rule);
        let prefetch = |a: u32, b: u32| {
            records.prefetch(a);
            records.prefetch(b);
        };
        let decide = |lists: ListedRows<'_>| {
            let made = records.made();
            lists.retain(|row| made.prefetch(row), |a, b| made.touch(a, made, b, rule));
        };
        let predicate = Predicate {
            accept: &accept,
            prefetch: Some(&prefetch),
            grown: true,
            lists: Some(&decide),
        };
        let columns = relative.of(&shapes)?.decided_by(predicate);
        detector.neighbors(columns, 0.0, adjacency, lists)
    }

    /// As [`neighbors`](Self::neighbors), and writes the distance of each item of the lists to
    /// `distances`.
    ///
    /// # Errors
    /// As [`neighbors`](DoubleDetector::neighbors). `lists` and `distances` are then empty.
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
        let records = self.relative.records.of(&shapes);
        for (row, list) in (0..).zip(lists.iter()) {
            let own = records.get(row);
            distances.extend(list.iter().map(|other| own.distance(&records.get(*other))));
        }
        Ok(())
    }

    /// The bytes of memory held.
    pub fn bytes(&self) -> usize {
        Held::bytes(self)
    }
}

/// Checks that a distance is valid.
pub(super) fn check_distance(distance: f64) -> Result<(), Error> {
    let valid = (0.0..=f64::from(MAX_COORDINATE)).contains(&distance);
    valid.then_some(()).ok_or(Error::InvalidMargin { value: distance as f32 })
}

impl DoubleDetector {
    /// Replaces `pairs` by all pairs of shapes that [touch](super::touches) in a periodic box, as
    /// [`Detector::pairs_periodic`](crate::Detector::pairs_periodic) does. Shapes are wrapped in
    /// `f64`; of two opposite shifts, the shift that is positive along x, or else along y, moves
    /// a shape, in `f64`.
    ///
    /// # Errors
    /// The errors of [`Detector::pairs_periodic`](crate::Detector::pairs_periodic), values rounded
    /// to `f32`. `pairs` is then empty.
    pub fn pairs_periodic(
        &mut self,
        shapes: DoubleColumns<'_>,
        periodic: &DoublePeriodic,
        pairs: &mut Vec<PeriodicPair>,
    ) -> Result<(), Error> {
        pairs.clear();
        let (_, single) = self.place(&shapes, periodic, 0.0)?;
        let Self { detector, touching, relative, wrapped, .. } = self;
        let decider = wrapped.decider(&shapes, periodic);
        detector.pairs_periodic(relative.of(&decider.shapes)?, &single, pairs)?;
        decider.keep_touching(pairs, *touching).inspect_err(|_| pairs.clear())
    }

    /// Replaces `lists` by the neighbours of each row in a periodic box, as
    /// [`Detector::neighbors_periodic`](crate::Detector::neighbors_periodic) does: decided as by
    /// [`pairs_periodic`](DoubleDetector::pairs_periodic), with distances in `f64`.
    ///
    /// # Errors
    /// The errors of [`Detector::neighbors_periodic`](crate::Detector::neighbors_periodic), values
    /// rounded to `f32`. `lists` is then empty.
    pub fn neighbors_periodic(
        &mut self,
        shapes: DoubleColumns<'_>,
        distance: f64,
        adjacency: Adjacency,
        periodic: &DoublePeriodic,
        lists: &mut Lists<DoublePeriodicNeighbor>,
    ) -> Result<(), Error> {
        lists.clear();
        let (_, single) = self.place(&shapes, periodic, distance)?;
        let Self { detector, touching, relative, wrapped, near } = self;
        let decider = wrapped.decider(&shapes, periodic);
        let relative = relative.of(&decider.shapes)?;
        detector.neighbors_periodic(relative, 0.0, adjacency, &single, near)?;
        let rule = (distance, *touching);
        decider.list_within(near, rule, lists).inspect_err(|_| lists.clear())
    }

    /// Replaces `lists` by the `k` nearest neighbours of each row in a periodic box, as
    /// [`Detector::k_nearest_periodic`](crate::Detector::k_nearest_periodic) does, by their
    /// distances in `f64`.
    ///
    /// # Errors
    /// The errors of [`Detector::k_nearest_periodic`](crate::Detector::k_nearest_periodic), values
    /// rounded to `f32`. `lists` is then empty.
    pub fn k_nearest_periodic(
        &mut self,
        shapes: DoubleColumns<'_>,
        k: usize,
        max_distance: f64,
        periodic: &DoublePeriodic,
        lists: &mut Lists<DoublePeriodicNeighbor>,
    ) -> Result<(), Error> {
        lists.clear();
        check_max_distance(max_distance)?;
        let (frame, single) = self.place(&shapes, periodic, 0.0)?;
        let Self { detector, relative, wrapped, near, .. } = self;
        let decider = wrapped.decider(&shapes, periodic);
        // If the last of a few more neighbours is surely further away, the nearest neighbours are
        // found. The first further neighbour is often too near to tell, the fourth is not.
        let (mut wanted, most) = (k.saturating_add(4), frame.at_most(max_distance));
        loop {
            let relative = relative.of(&decider.shapes)?;
            detector.k_nearest_periodic(relative, wanted, most, &single, near)?;
            let sure = decider.list_nearest(near, (k, wanted), (max_distance, &frame), lists);
            if sure == Ok(true) {
                return Ok(());
            }
            lists.clear();
            sure?;
            wanted = wanted.saturating_mul(2);
        }
    }

    /// Wraps the shapes, and rounds them to a box of `f32`, grown so that shapes within a
    /// distance touch there by the same shift. Returns the frame, and the box in it.
    fn place(
        &mut self,
        shapes: &DoubleColumns<'_>,
        periodic: &DoublePeriodic,
        distance: f64,
    ) -> Result<(DoubleFrame, Periodic), Error> {
        periodic.check()?;
        check_distance(distance)?;
        // Before values beyond the limits are moved into the box.
        shapes.check()?;
        let Self { detector, relative, wrapped, .. } = self;
        let options = detector.options();
        let run = (options.isa()?, uses_pool(options.threads, shapes.len()));
        let longest = wrapped.wrap(shapes, periodic);
        let columns = wrapped.decider(shapes, periodic).shapes;
        let (among, period) = (Origin::among(&columns).position(), periodic.period());
        let DoublePeriodic { min, max, wrap } = *periodic;
        let middle = |axis: usize| 0.5 * min[axis] + 0.5 * max[axis];
        let origin = map_each([0, 1], |axis| if wrap[axis] { middle(axis) } else { among[axis] });
        let shortest = period.into_iter().filter(|period| *period > 0.0).fold(1.0, f64::min);
        let frame = DoubleFrame::at(origin, shortest);
        // The period is rounded, and so are all positions, of images up to this far away too.
        let reach = 4.0 * period[0].max(period[1]) + longest + distance;
        frame.fill(run, &columns, 0.5 * (distance + reach * F32_SLACK), relative)?;
        Ok((frame, Periodic { min: frame.rounded(min), max: frame.rounded(max), wrap }))
    }
}

/// Shapes of `f64`, divided into [tiles](crate::tiles), to detect one tile after the other: lists
/// and grid take the memory of one tile. Besides, all shapes together take 12 to 20 bytes each, and
/// 32 more once one of 16 was decided in `f64`.
///
/// ```
/// use widephase::{Options, doubles::{DoubleColumns, DoubleTiles}};
///
/// let x: Vec<f64> = (0..1000).map(|row| 4.5e6 + 0.3 * f64::from(row)).collect();
/// let points = DoubleColumns::points(&x, &[0.0; 1000])?;
/// let mut tiles = DoubleTiles::divide(points, 0.301, 8, Options::default())?;
/// let (mut pairs, mut found) = (Vec::new(), 0);
/// for tile in 0..tiles.len() {
///     tiles.pairs(tile, &mut pairs)?;
///     found += pairs.len();
/// }
/// assert_eq!(found, 999);
/// # Ok::<(), widephase::Error>(())
/// ```
#[derive(Debug)]
pub struct DoubleTiles<'a> {
    shapes: DoubleColumns<'a>,
    distance: f64,
    touching: Touching,
    relative: RelativeColumns,
    rows: TileRows,
    detector: TileDetector,
}

impl<'a> DoubleTiles<'a> {
    /// Divides shapes into this many tiles, to find shapes within a distance of each other; 0 for
    /// shapes that touch.
    ///
    /// # Errors
    /// The errors of [`DoubleDetector::pairs`](super::DoubleDetector::pairs), of
    /// [`Tiles::balanced`] and of [`Options::check`].
    pub fn divide(
        shapes: DoubleColumns<'a>,
        distance: f64,
        tiles: usize,
        options: Options,
    ) -> Result<Self, Error> {
        check_distance(distance)?;
        let (touching, mut relative) = (options.touching, RelativeColumns::default());
        let run = (options.isa()?, uses_pool(options.threads, shapes.len()));
        let options = Options { touching: Touching::Inclusive, ..options };
        let (detector, mut rows) = (TileDetector::with_options(options)?, TileRows::new());
        DoubleFrame::of(&shapes).fill(run, &shapes, 0.5 * distance, &mut relative)?;
        let columns = relative.of(&shapes)?;
        rows.divide(&Tiles::balanced(columns, tiles)?, columns, 0.0)?;
        Ok(Self { shapes, distance, touching, relative, rows, detector })
    }

    /// The number of tiles.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether there are no shapes.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Replaces `pairs` by the pairs that a tile reports: each pair is in the list of one tile.
    ///
    /// # Errors
    /// The errors of [`TileDetector::pairs`]. `pairs` is then empty.
    pub fn pairs(&mut self, tile: usize, pairs: &mut Vec<Pair>) -> Result<(), Error> {
        let Self { shapes, distance, touching, relative, rows, detector } = self;
        let records = relative.records.of(shapes);
        let rule = (*distance, *touching);
        let accept = |a: u32, b: u32| records.touch(a, b, rule);
        let predicate = Predicate { accept: &accept, prefetch: None, grown: true, lists: None };
        detector.pairs(rows, tile, relative.of(shapes)?.decided_by(predicate), pairs)
    }
}
