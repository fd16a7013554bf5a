//! A simple grid: a hash map from cells to lists of bodies.

use std::{collections::HashMap, ops::RangeInclusive};

use anyhow::Result;
use widephase::Pair;

use super::contract::{Executor, pair};
use crate::bodies::{Body, Rows};

/// Each body is stored in the cell of its centre and compared with the bodies of the nine cells
/// around it. The cells are as large as the largest body.
pub struct HashMapGrid;

impl<R: Rows> Executor<R> for HashMapGrid {
    fn detect(&mut self, rows: &R, pairs: &mut Vec<Pair>) -> Result<()> {
        let size = rows.bodies().map(|body| body.size()).fold(f32::MIN_POSITIVE, f32::max);
        // Rounding must not put touching bodies more than one cell apart.
        let size = size * 1.001;
        let cell = |body: R::Body| body.center().map(|at| (at / size).floor() as i32);

        let mut grid: HashMap<(i32, i32), Vec<u32>> = HashMap::new();
        for (row, body) in rows.bodies().enumerate() {
            let [x, y] = cell(body);
            grid.entry((x, y)).or_default().push(row as u32);
        }
        for (row, body) in rows.bodies().enumerate() {
            let [x, y] = cell(body);
            for neighbour_x in around(x) {
                for neighbour_y in around(y) {
                    let Some(others) = grid.get(&(neighbour_x, neighbour_y)) else { continue };
                    for &other in others {
                        if other > row as u32 && body.touches(rows.body(other as usize)) {
                            pairs.push(pair(row as u32, other));
                        }
                    }
                }
            }
        }
        Ok(())
    }
}

/// A cell and its neighbours on both sides, along one axis. The last cell holds all bodies beyond
/// it.
fn around(cell: i32) -> RangeInclusive<i32> {
    cell.saturating_sub(1)..=cell.saturating_add(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_cells_have_neighbours_to_one_side_only() {
        assert_eq!(around(0), -1..=1);
        assert_eq!(around(i32::MAX), i32::MAX - 1..=i32::MAX);
        assert_eq!(around(i32::MIN), i32::MIN..=i32::MIN + 1);
    }
}
