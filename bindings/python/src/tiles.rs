//! Parts of the plane that are detected one by one, in one process or in several.

use numpy::{PyArray1, PyReadonlyArray2};
use pyo3::prelude::*;
use widephase::{
    Pair,
    events::HasPair,
    tiles::{Tile, TileRows, Tiles},
};

use crate::{
    arrays,
    errors::{Failure, shape_error},
    groups,
    memory::{copied, listed},
    options::RunOptions,
    run::{may_take_long, run},
    shapes::Shapes,
};

/// A margin for shapes of `f64`, which are rounded to `f32` here: with a margin, tiles have slack
/// for the roundings of coordinates.
const LEAST_MARGIN: f32 = f32::MIN_POSITIVE;

/// Tiles of about equally many shapes: the origin; and for each tile its sides, the rows that it
/// owns and the other rows that reach into it.
type Divided<'py> =
    ([f64; 2], Vec<([f32; 4], Bound<'py, PyArray1<u32>>, Bound<'py, PyArray1<u32>>)>);

/// The tiles of some shapes.
#[pyfunction]
pub fn divided<'py>(
    py: Python<'py>,
    shapes: &Shapes,
    tiles: usize,
    margin: f32,
) -> PyResult<Divided<'py>> {
    let held = shapes.hold(py)?;
    let origin = held.origin().map_err(Failure::from)?;
    let long = may_take_long(held.len(), tiles);
    let margin = if held.is_double() { margin.max(LEAST_MARGIN) } else { margin };
    let rows = run(py, long, RunOptions::default().threads_for(held.len()), move || {
        let mut rows = TileRows::new();
        let divided = held.relative(origin, |columns| {
            rows.divide(&Tiles::balanced(columns, tiles)?, columns, margin)
        });
        divided.map_err(|error| held.failure(error))?;
        Ok(rows)
    })?;
    let tile = |number: usize| {
        let Tile { min_x, min_y, max_x, max_y, .. } = rows.tile(number).unwrap_or(Tile::PLANE);
        let list = |rows: &[u32]| arrays::array(py, copied(rows).map_err(Failure::from)?);
        let sides = [min_x, min_y, max_x, max_y];
        Ok((sides, list(rows.owned(number))?, list(rows.ghosts(number))?))
    };
    Ok((origin, (0..rows.len()).map(tile).collect::<PyResult<_>>()?))
}

/// The places of the pairs of some shapes that a tile reports.
#[pyfunction]
pub fn reported<'py>(
    py: Python<'py>,
    shapes: &Shapes,
    tile: ([f64; 2], [f32; 4]),
    margin: f32,
    pairs: PyReadonlyArray2<'py, u32>,
) -> PyResult<Bound<'py, PyArray1<u32>>> {
    let (held, pairs) = (shapes.hold(py)?, groups::listed(&pairs)?);
    if pairs.iter().any(|pair| pair.a.max(pair.b) as usize >= held.len()) {
        return Err(shape_error("pairs: beyond the shapes", None, "pairs"));
    }
    let (origin, [min_x, min_y, max_x, max_y]) = tile;
    let margin = if held.is_double() { margin.max(LEAST_MARGIN) } else { margin };
    let places = run(py, false, 1, move || {
        let tile = Tile { min_x, min_y, max_x, max_y };
        let all = (0..).zip(pairs.iter()).map(|(at, pair)| Placed { at, pair: *pair });
        let mut placed: Vec<Placed> = listed(pairs.len(), all)?;
        held.relative(origin, |columns| tile.retain(columns, margin, &mut placed))
            .map_err(|error| held.failure(error))?;
        Ok(listed(placed.len(), placed.iter().map(|placed| placed.at))?)
    })?;
    arrays::array(py, places)
}

/// A pair and its place in a list.
struct Placed {
    at: u32,
    pair: Pair,
}

impl HasPair for Placed {
    fn pair(&self) -> Pair {
        self.pair
    }
}
