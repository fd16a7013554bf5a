//! `GridCell`: a cell of the grid as callers see it.

use super::{
    Grid,
    sort::{ItemLayout, with_layout_kind},
};
use crate::{
    kernel::{ColumnSet, Items},
    shape::Aabb,
    simd::{Scalar, map_each},
};

/// A cell of the grid that holds shapes: see
/// [`Detector::grid_cells`](crate::Detector::grid_cells).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GridCell {
    /// The number of its grid level, from 0: the finest.
    pub level: u32,
    /// Where the centres of its shapes are, within rounding errors; their sides may be outside.
    pub area: Aabb,
    /// The number of shapes in the cell, at least one.
    pub shapes: u32,
}

impl Grid {
    /// Replaces the content of `cells` by the cells that hold items, in the order of the grid.
    pub(crate) fn cells(&self, cells: &mut Vec<GridCell>) {
        cells.clear();
        with_layout_kind!(self.form, I => self.cells_as::<I>(cells));
    }

    fn cells_as<I: ItemLayout>(&self, cells: &mut Vec<GridCell>) {
        let columns = self.sorted.padded::<I>();
        let sums = |place| {
            let item = columns.splat(Scalar, place);
            [item.min_x() + item.max_x(), item.min_y() + item.max_y()]
        };
        for level in 0..self.plan.levels().len() {
            let places = self.sorted.items(level);
            let (mut number, mut first) = (None, cells.len());
            for (place, &of) in places.clone().zip(self.sorted.cells_of(places)) {
                if number != Some(of) {
                    (number, first) = (Some(of), cells.len());
                }
                let [min, max] = self.plan.corners(level, sums(place));
                let area = Aabb::new(map_each(min, |at| at as f32), map_each(max, |at| at as f32));
                // Distant cells of a helical level may have one number.
                match cells[first..].iter_mut().find(|cell| cell.area == area) {
                    Some(cell) => cell.shapes += 1,
                    None => cells.push(GridCell { level: level as u32, area, shapes: 1 }),
                }
            }
        }
    }
}
