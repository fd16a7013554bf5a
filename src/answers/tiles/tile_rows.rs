//! `TileRows`: the rows that each tile needs.

use std::ops::Range;

use super::{
    cuts::Tiles,
    tile::{Reach, Tile, center},
};
use crate::{
    base::{THREAD_TASKS, parallel},
    error::Error,
    narrowphase::check_margin,
    options::{Threads, uses_pool},
    store::Columns,
};

/// For each tile, the rows that it owns, and its ghosts: rows of other tiles that reach into it.
///
/// Keeps its memory from call to call: 4 bytes a row and ghost, 8 if they are divided on the pool,
/// and at most as much in reserve.
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
    /// At least one list for each tile.
    lists: Vec<RowLists>,
    /// Workspace, if the rows are divided on the pool.
    parts: Vec<RowPart>,
}

/// The rows of a tile, each list in ascending order.
#[derive(Debug, Clone, Default)]
struct RowLists {
    owned: Vec<u32>,
    ghosts: Vec<u32>,
}

/// The lists of all tiles, of a part of the rows.
#[derive(Debug, Clone, Default)]
struct RowPart {
    lists: Vec<RowLists>,
    error: Option<Error>,
}

impl RowLists {
    fn clear(&mut self) {
        self.owned.clear();
        self.ghosts.clear();
    }
}

/// The fewest rows of a part for each tile.
const ROWS_PER_TILE: usize = 64;

impl TileRows {
    /// No tiles, no rows.
    pub fn new() -> Self {
        Self::default()
    }

    /// Lists the rows of each tile. `margin` is the largest of the contacts that will be requested,
    /// in units of length; 0 for pairs.
    ///
    /// Filters and spaces of the columns are not considered. O(rows · depth of the cuts + ghosts)
    /// time, in one pass over the columns: from 65,536 rows on, unless tiles have few rows, on the
    /// current rayon pool. If it fails, the lists are as they were.
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
        let Self { lists, parts, .. } = self;
        let list = |rows: Range<usize>, lists: &mut [RowLists]| {
            let rows = rows.filter(|row| columns.holds(*row));
            list_rows(tiles, columns, margin, rows, &mut lists[..tiles.len()])
        };
        let len = columns.len();
        let count = parallel::threads() * THREAD_TASKS;
        if !uses_pool(Threads::Auto, len) || len / count / ROWS_PER_TILE < tiles.len() {
            return list(0..len, lists);
        }
        if parts.len() < count {
            parts.resize_with(count, RowPart::default);
        }
        let parts = &mut parts[..count];
        parallel::each(parts, true, |number, part| {
            if part.lists.len() < tiles.len() {
                part.lists.resize_with(tiles.len(), RowLists::default);
            }
            part.error = list(parallel::part(len, count, number), &mut part.lists).err();
        });
        if let Some(error) = parts.iter_mut().find_map(|part| part.error.take()) {
            return Err(error);
        }
        parallel::each(&mut lists[..tiles.len()], true, |tile, lists| {
            lists.clear();
            for RowPart { lists: part, .. } in &*parts {
                lists.owned.extend_from_slice(&part[tile].owned);
                lists.ghosts.extend_from_slice(&part[tile].ghosts);
            }
        });
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

/// Replaces the lists of all tiles by some rows, which ascend.
fn list_rows(
    tiles: &Tiles,
    columns: Columns<'_>,
    margin: f32,
    rows: impl Iterator<Item = usize>,
    lists: &mut [RowLists],
) -> Result<(), Error> {
    for lists in &mut *lists {
        lists.clear();
    }
    for row in rows {
        // The box of the grid is at hand and holds the bounds. Few tiles do not enclose it.
        let around = columns.bounds(row)?;
        let owner = tiles.owner(center(around));
        if tiles.tile(owner).encloses(&Reach::new(around, margin)) {
            lists[owner].owned.push(row as u32);
            continue;
        }
        let bounds = columns.smallest_box(row)?;
        let (reach, owner) = (Reach::new(bounds, margin), tiles.owner(center(bounds)));
        lists[owner].owned.push(row as u32);
        if !tiles.tile(owner).encloses(&reach) {
            tiles.visit(&reach, &mut |tile| {
                if tile != owner {
                    lists[tile].ghosts.push(row as u32);
                }
            });
        }
    }
    Ok(())
}
