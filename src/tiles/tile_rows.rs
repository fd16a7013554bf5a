//! `TileRows`: the rows that each tile needs.

use super::{
    cuts::Tiles,
    reach::{Reach, center},
    tile::Tile,
};
use crate::{Columns, Error, narrowphase::check_margin};

/// For each tile, the rows that it owns, and its ghosts: rows of others that reach into it.
///
/// Keeps its memory from call to call: 4 bytes a row and ghost.
///
/// ```
/// use widephase::{Axis, Columns, TileRows, Tiles};
///
/// let mut tiles = Tiles::new();
/// tiles.cut(0, Axis::X, 10.0)?;
/// let circles = Columns::circles(&[2.0, 9.5, 14.0], &[0.0; 3], &[1.0; 3])?;
/// let mut rows = TileRows::new();
/// rows.divide(&tiles, circles, 0.0)?;
/// assert_eq!((rows.owned(0), rows.ghosts(0)), (&[0, 1][..], &[][..]));
/// assert_eq!((rows.owned(1), rows.ghosts(1)), (&[2][..], &[1][..]));
/// # Ok::<(), widephase::Error>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct TileRows {
    tiles: Vec<Tile>,
    margin: f32,
    owned: Listed,
    ghosts: Listed,
}

/// A list of rows for each tile, one after the other.
#[derive(Debug, Clone, Default)]
struct Listed {
    /// Where the list of each tile ends.
    ends: Vec<usize>,
    rows: Vec<u32>,
}

impl Listed {
    /// Makes room for lists of these lengths, and makes `ends` the places where they begin.
    fn begin(&mut self, counts: &[usize]) {
        self.ends.clear();
        let mut total = 0;
        for count in counts {
            self.ends.push(total);
            total += count;
        }
        self.rows.clear();
        self.rows.resize(total, 0);
    }

    /// Appends a row to the list of a tile.
    #[inline]
    fn push(&mut self, tile: usize, row: u32) {
        let end = &mut self.ends[tile];
        self.rows[*end] = row;
        *end += 1;
    }

    fn get(&self, tile: usize) -> &[u32] {
        let Some(end) = self.ends.get(tile) else { return &[] };
        let begin = tile.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.rows[begin..*end]
    }
}

impl TileRows {
    /// No tiles, no rows.
    pub fn new() -> Self {
        Self::default()
    }

    /// Lists the rows of each tile, by a counting sort. `margin` is the largest of the contacts that
    /// will be requested, in units of length; 0 for pairs.
    ///
    /// Filters and worlds of the columns are not considered. O(rows · depth of the cuts + ghosts)
    /// time, in two passes over the columns, on the calling thread. If it fails, the lists are as
    /// they were.
    ///
    /// # Errors
    /// [`Error::InvalidMargin`]; [`Error::InvalidShape`] for the first invalid row.
    pub fn divide<'a>(
        &mut self,
        tiles: &Tiles,
        shapes: impl Into<Columns<'a>>,
        margin: f32,
    ) -> Result<(), Error> {
        check_margin(margin)?;
        let columns = shapes.into();
        columns.check_all()?;
        let mut counts = vec![[0; 2]; tiles.len()];
        each(tiles, &columns, margin, |tile, _, is_ghost| {
            counts[tile][usize::from(is_ghost)] += 1
        })?;

        let [owned, ghosts] =
            [0, 1].map(|of| counts.iter().map(|pair| pair[of]).collect::<Vec<_>>());
        self.owned.begin(&owned);
        self.ghosts.begin(&ghosts);
        self.tiles.clear();
        self.tiles.extend(tiles.iter());
        self.margin = margin;
        each(tiles, &columns, margin, |tile, row, is_ghost| match is_ghost {
            false => self.owned.push(tile, row),
            true => self.ghosts.push(tile, row),
        })
    }

    /// The number of tiles.
    pub fn len(&self) -> usize {
        self.tiles.len()
    }

    /// Whether there are no tiles.
    pub fn is_empty(&self) -> bool {
        self.tiles.is_empty()
    }

    /// A tile by its number.
    pub fn tile(&self, tile: usize) -> Option<Tile> {
        self.tiles.get(tile).copied()
    }

    /// The margin that was given.
    pub fn margin(&self) -> f32 {
        self.margin
    }

    /// The rows that a tile owns, ascending. Each row that holds a shape is owned by one tile.
    pub fn owned(&self, tile: usize) -> &[u32] {
        self.owned.get(tile)
    }

    /// The rows of other tiles that reach into a tile, ascending.
    pub fn ghosts(&self, tile: usize) -> &[u32] {
        self.ghosts.get(tile)
    }

    /// Replaces `rows` by all rows of a tile, owned or not, ascending.
    pub fn all(&self, tile: usize, rows: &mut Vec<u32>) {
        let (owned, ghosts) = (self.owned(tile), self.ghosts(tile));
        rows.clear();
        rows.reserve(owned.len() + ghosts.len());
        let mut rest = owned;
        for &ghost in ghosts {
            let before = rest.partition_point(|row| *row < ghost);
            rows.extend_from_slice(&rest[..before]);
            rows.push(ghost);
            rest = &rest[before..];
        }
        rows.extend_from_slice(rest);
    }
}

/// Calls `take` with each tile and each row that reaches into it, in ascending order of the rows,
/// and whether the row is a ghost there.
fn each(
    tiles: &Tiles,
    columns: &Columns<'_>,
    margin: f32,
    mut take: impl FnMut(usize, u32, bool),
) -> Result<(), Error> {
    for row in (0..columns.len()).filter(|row| columns.holds(*row)) {
        let bounds = columns.bounds(row)?;
        let (reach, owner) = (Reach::new(bounds, margin), tiles.owner(center(bounds)));
        take(owner, row as u32, false);
        if !tiles.get(owner).is_some_and(|tile| tile.encloses(&reach)) {
            tiles.visit(&reach, &mut |tile| {
                if tile != owner {
                    take(tile, row as u32, true);
                }
            });
        }
    }
    Ok(())
}
