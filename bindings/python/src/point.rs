//! Queries of a single point, without arrays of shapes.

use numpy::PyArray1;
use pyo3::prelude::*;
use widephase::{Lists, columns::Radii, doubles::DoubleColumns};

use crate::{arrays, errors::Failure, index::Index, memory, run::run};

#[pymethods]
impl Index {
    /// The `k` nearest rows of one point that are nearer than `bound`: distances and rows. Missing
    /// rows are infinitely far, and are the number of rows.
    fn nearest_of_point<'py>(
        &self,
        py: Python<'py>,
        at: [f64; 2],
        k: usize,
        bound: f64,
    ) -> PyResult<(Bound<'py, PyArray1<f64>>, Bound<'py, PyArray1<i64>>)> {
        let sorted = self.sorted(py)?;
        let rows = sorted.rows();
        let lists = run(py, false, 1, move || {
            let (at, mut lists) = ([at], Lists::new());
            let point = DoubleColumns::points_at(&at)?;
            sorted.double()?.k_nearest_batch(point, k.min(rows), f64::INFINITY, &mut lists)?;
            Ok(lists)
        })?;
        let near = lists.get(0);
        let near = near.iter().filter(|near| near.distance < bound);
        let (mut distances, mut found) = (filled(f64::INFINITY, k)?, filled(rows as i64, k)?);
        for (near, (distance, row)) in near.zip(distances.iter_mut().zip(&mut found)) {
            (*distance, *row) = (near.distance, i64::from(near.row));
        }
        Ok((arrays::array(py, distances)?, arrays::array(py, found)?))
    }

    /// The rows within a distance of one point, ascending.
    fn rows_near_point(&self, py: Python<'_>, at: [f64; 2], distance: f64) -> PyResult<Vec<u32>> {
        let sorted = self.sorted(py)?;
        let lists = run(py, false, 1, move || {
            let (at, mut lists) = ([at], Lists::new());
            let circle = DoubleColumns::circles_at(&at, Radii::Same(distance))?;
            sorted.double()?.overlapping_batch(circle, &mut lists)?;
            Ok(lists)
        })?;
        Ok(lists.into_parts().1)
    }
}

/// A list of this many equal values.
fn filled<T: Clone>(value: T, len: usize) -> Result<Vec<T>, Failure> {
    Ok(memory::filled(value, len)?)
}
