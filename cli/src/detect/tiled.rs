//! Detection in tiles: with less memory than all shapes at once would need.

use anyhow::{Result, ensure};
use widephase::{
    Columns, Options, Pair,
    doubles::{DoubleColumns, DoubleTiles},
    tiles::{TileDetector, TileRows, Tiles},
};

use super::list::Listed;

/// The bytes that the lists of rows of all tiles need for each shape, ghosts included.
const LISTED: u64 = 5;

/// The bytes that shapes of `f64` need besides.
const DOUBLE: u64 = 60;

/// The bytes that a detection needs for each shape: a copy, the grid, and pairs as dense as in the
/// scenes of `compare`.
const DETECTED: u64 = 200;

/// The fewest tiles of these shapes that need no more than `memory` bytes. `double`: of `f64`.
pub(super) fn tiles_within(memory: u64, shapes: usize, double: bool) -> Result<usize> {
    let (all, each) = (shapes as u64, LISTED + if double { DOUBLE } else { 0 });
    let rest = memory.saturating_sub(all * each);
    let tiles = (all * DETECTED).div_ceil(rest.max(1)).max(1);
    let least = all * each + all * LISTED / 4;
    ensure!(
        memory > least,
        "--memory is too little: {all} shapes need {} MB at least",
        least.div_ceil(1 << 20)
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

/// The tiles for pairs of `f64` shapes within a distance.
pub(super) fn each_exact(
    shapes: DoubleColumns<'_>,
    distance: f64,
    tiles: usize,
    options: &Options,
    mut each: impl FnMut(Pair) -> Result<()>,
) -> Result<u64> {
    let mut tiles = DoubleTiles::divide(shapes, distance, tiles, *options)?;
    let (mut pairs, mut found) = (Vec::new(), 0);
    for tile in 0..tiles.len() {
        tiles.pairs(tile, &mut pairs)?;
        found += pairs.len() as u64;
        pairs.iter().try_for_each(|pair| each(*pair))?;
    }
    Ok(found)
}
