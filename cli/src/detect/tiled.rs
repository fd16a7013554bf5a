//! Detection in tiles: with less memory than all shapes at once would need.

use anyhow::{Result, ensure};
use widephase::{
    Columns, Options,
    tiles::{TileDetector, TileRows, Tiles},
};

use super::list::Listed;

/// The bytes that the lists of rows of all tiles need for each shape, ghosts included.
const LISTED: u64 = 5;

/// The bytes that a detection needs for each shape: a copy, the grid, and pairs as dense as in the
/// scenes of `compare`.
const DETECTED: u64 = 200;

/// The fewest tiles of these shapes that need no more than `memory` bytes.
pub(super) fn tiles_within(memory: u64, shapes: usize) -> Result<usize> {
    let all = shapes as u64;
    let rest = memory.saturating_sub(all * LISTED);
    let tiles = (all * DETECTED).div_ceil(rest.max(1)).max(1);
    ensure!(
        rest > all * LISTED / 4,
        "--memory is too little: {all} shapes need {} MB at least",
        (all * LISTED * 5 / 4).div_ceil(1 << 20)
    );
    Ok(tiles as usize)
}

/// Calls `each` with all items, tile by tile. Returns their number.
pub(super) fn each<T: Listed>(
    columns: Columns<'_>,
    tiles: usize,
    options: &Options,
    margin: f32,
    mut each: impl FnMut(T) -> Result<()>,
) -> Result<u64> {
    let tiles = Tiles::balanced(columns, tiles)?;
    let mut rows = TileRows::new();
    rows.divide(&tiles, columns, margin)?;
    let mut detector = TileDetector::with_options(*options)?;
    let (mut items, mut found) = (Vec::new(), 0);
    for tile in 0..rows.len() {
        T::find_in_tile(&mut detector, &rows, tile, columns, margin, &mut items)?;
        found += items.len() as u64;
        items.iter().try_for_each(|item| each(*item))?;
    }
    Ok(found)
}
