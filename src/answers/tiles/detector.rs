//! `TileDetector`: the pairs and contacts of one tile.

use super::tile_rows::TileRows;
#[cfg(feature = "narrowphase")]
use crate::narrowphase::contact::Contact;
use crate::{
    base::{HasPair, Pair},
    detector::Detector,
    error::Error,
    options::Options,
    store::{Columns, Shapes},
};

/// Detects the shapes of one tile after the other, so that memory is for the largest tile.
///
/// All tiles together have the results of one call: each pair and contact once, with the same bits,
/// whatever the tiles are.
///
/// ```
/// use widephase::{Columns, Detector, Order, Options, tiles::{TileDetector, TileRows, Tiles}};
///
/// let x: Vec<f32> = (0..1000).map(|i| i as f32 * 0.9).collect();
/// let circles = Columns::circles(&x, &[0.0; 1000], &[0.5; 1000])?;
/// let tiles = Tiles::balanced(circles, 8)?;
/// let mut rows = TileRows::new();
/// rows.divide(&tiles, circles, 0.0)?;
///
/// let (mut detector, mut pairs, mut all) = (TileDetector::new(), vec![], vec![]);
/// for tile in 0..rows.len() {
///     detector.pairs(&rows, tile, circles, &mut pairs)?;
///     all.append(&mut pairs);
/// }
/// let mut whole = Detector::with_options(Options { order: Order::Sorted, ..Options::default() })?;
/// whole.pairs(circles, &mut pairs)?;
/// all.sort();
/// assert_eq!(all, pairs);
/// # Ok::<(), widephase::Error>(())
/// ```
#[derive(Debug, Default)]
pub struct TileDetector {
    detector: Detector,
    /// The rows of the tile, and copies of their shapes and spaces.
    rows: Vec<u32>,
    shapes: Shapes,
    spaces: Vec<u32>,
    /// Which of the copies reach into other tiles.
    reaches_out: Vec<bool>,
}

impl TileDetector {
    /// With the default [`Options`].
    pub fn new() -> Self {
        Self::default()
    }

    /// With options. Their limits apply to the pairs of a tile and its ghosts.
    ///
    /// # Errors
    /// The errors of [`Detector::with_options`].
    pub fn with_options(options: Options) -> Result<Self, Error> {
        Ok(Self { detector: Detector::with_options(options)?, ..Self::default() })
    }

    /// Replaces `pairs` by the pairs that a tile reports, as rows of `shapes`, in the order of the
    /// options in the tile.
    ///
    /// `shapes` are the shapes that `rows` were [divided](TileRows::divide) by. Filters, spaces and
    /// a predicate work as in a [`Detector`]. The shapes of the tile and its ghosts are copied;
    /// then it costs as much as [`Detector::pairs`], and a look at the bounds of each pair.
    ///
    /// # Errors
    /// [`Error::NoSuchTile`]; the errors of [`Detector::pairs`]; [`Error::NoSuchShape`] if `shapes`
    /// has fewer rows. Then `pairs` is empty.
    pub fn pairs<'a>(
        &mut self,
        rows: &TileRows,
        tile: usize,
        shapes: impl Into<Columns<'a>>,
        pairs: &mut Vec<Pair>,
    ) -> Result<(), Error> {
        pairs.clear();
        self.detect(rows, tile, shapes.into(), pairs, 0.0, |detector, columns, pairs| {
            detector.pairs(columns, pairs)
        })?;
        for pair in &mut *pairs {
            *pair = in_rows(*pair, &self.rows);
        }
        Ok(())
    }

    /// Replaces `contacts` by the contacts that a tile reports, as [`pairs`](TileDetector::pairs)
    /// does with pairs. `margin` is at most the margin of `rows`.
    ///
    /// # Errors
    /// The errors of [`pairs`](TileDetector::pairs) and of [`Detector::contacts`];
    /// [`Error::InvalidMargin`] also above the margin of `rows`. Then `contacts` is empty.
    #[cfg(feature = "narrowphase")]
    pub fn contacts<'a>(
        &mut self,
        rows: &TileRows,
        tile: usize,
        shapes: impl Into<Columns<'a>>,
        margin: f32,
        contacts: &mut Vec<Contact>,
    ) -> Result<(), Error> {
        contacts.clear();
        if margin > rows.margin() {
            return Err(Error::InvalidMargin { value: margin });
        }
        self.detect(rows, tile, shapes.into(), contacts, margin, |detector, columns, contacts| {
            detector.contacts(columns, margin, contacts)
        })?;
        for contact in &mut *contacts {
            contact.pair = in_rows(contact.pair, &self.rows);
        }
        Ok(())
    }

    /// Detects copies of the shapes of a tile by `find`, and keeps the results that the tile
    /// reports.
    fn detect<T: HasPair>(
        &mut self,
        rows: &TileRows,
        number: usize,
        shapes: Columns<'_>,
        found: &mut Vec<T>,
        margin: f32,
        find: impl FnOnce(&mut Detector, Columns<'_>, &mut Vec<T>) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let len = rows.len();
        let tile = rows.tile(number).ok_or(Error::NoSuchTile { index: number, len })?;
        let Self { detector, rows: list, shapes: store, spaces, reaches_out } = self;
        rows.all(number, list);
        store.clear();
        store.extend_from_rows(shapes, list)?;
        let mut columns = store.columns();
        if let Some(all) = shapes.spaces {
            spaces.clear();
            spaces.extend(list.iter().map(|row| all[*row as usize]));
            columns = columns.with_spaces(spaces)?;
        }
        let predicate = shapes.filtering.predicate;
        let accept = |a: u32, b: u32| {
            predicate.is_none_or(|predicate| (predicate.accept)(list[a as usize], list[b as usize]))
        };
        if predicate.is_some() {
            columns = columns.with_predicate(&accept);
        }
        find(detector, columns, found)
            .and_then(|()| tile.retain_existing(columns, margin, found, reaches_out))
            .inspect_err(|_| found.clear())
    }
}

/// A pair of rows of the copies as rows of the shapes, which ascend as the copies do.
fn in_rows(pair: Pair, rows: &[u32]) -> Pair {
    Pair { a: rows[pair.a as usize], b: rows[pair.b as usize] }
}
