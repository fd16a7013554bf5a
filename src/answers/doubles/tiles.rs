//! `DoubleTiles`: pairs of `f64` shapes, one part of the plane after the other.

use super::{
    DoubleColumns,
    detector::check_distance,
    frame::{DoubleFrame, RelativeColumns},
};
use crate::{
    base::Pair,
    error::Error,
    filter::Predicate,
    options::{Options, uses_pool},
    shape::Touching,
    tiles::{TileDetector, TileRows, Tiles},
};

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
