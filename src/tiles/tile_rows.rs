//! `TileRows`: the rows that each tile needs.

use super::{
    cuts::Tiles,
    reach::{Reach, center},
    tile::Tile,
};
use crate::{Columns, Error, narrowphase::check_margin};

/// For each tile, the rows that it owns, and its ghosts: rows of others that reach into it.
///
/// Keeps its memory from call to call: 4 bytes a row and ghost, and at most as much in reserve.
///
/// ```
/// use widephase::{Columns, tiles::{Axis, TileRows, Tiles}};
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
    /// At least one for each tile.
    lists: Vec<RowLists>,
}

/// The rows of a tile, each list in ascending order.
#[derive(Debug, Clone, Default)]
struct RowLists {
    owned: Vec<u32>,
    ghosts: Vec<u32>,
}

impl TileRows {
    /// No tiles, no rows.
    pub fn new() -> Self {
        Self::default()
    }

    /// Lists the rows of each tile. `margin` is the largest of the contacts that will be requested,
    /// in units of length; 0 for pairs.
    ///
    /// Filters and worlds of the columns are not considered. O(rows · depth of the cuts + ghosts)
    /// time, in one pass over the columns, on the calling thread. If it fails, the lists are as
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
        self.tiles.clear();
        self.tiles.extend(tiles.iter());
        self.margin = margin;
        if self.lists.len() < tiles.len() {
            self.lists.resize_with(tiles.len(), RowLists::default);
        }
        for lists in &mut self.lists {
            lists.owned.clear();
            lists.ghosts.clear();
        }
        for row in (0..columns.len()).filter(|row| columns.holds(*row)) {
            // The box of the grid is at hand and holds the bounds. Few tiles do not enclose it.
            let around = columns.bounds(row)?;
            let owner = tiles.owner(center(around));
            if self.tiles[owner].encloses(&Reach::new(around, margin)) {
                self.lists[owner].owned.push(row as u32);
                continue;
            }
            let bounds = columns.smallest_box(row)?;
            let (reach, owner) = (Reach::new(bounds, margin), tiles.owner(center(bounds)));
            self.lists[owner].owned.push(row as u32);
            if !self.tiles[owner].encloses(&reach) {
                tiles.visit(&reach, &mut |tile| {
                    if tile != owner {
                        self.lists[tile].ghosts.push(row as u32);
                    }
                });
            }
        }
        Ok(())
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
        self.lists(tile).map_or(&[], |lists| &lists.owned)
    }

    /// The rows of other tiles that reach into a tile, ascending.
    pub fn ghosts(&self, tile: usize) -> &[u32] {
        self.lists(tile).map_or(&[], |lists| &lists.ghosts)
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

    fn lists(&self, tile: usize) -> Option<&RowLists> {
        self.lists[..self.len()].get(tile)
    }
}
