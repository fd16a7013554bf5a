//! Bodies of a world that are moved by hand.

use numpy::{PyArray1, PyReadonlyArray1, PyUntypedArray};
use pyo3::prelude::*;
use widephase::{
    error::Field,
    world::{SlideEnd, SlideHit, SlideOptions},
};

use crate::{
    arrays,
    chunks::answers,
    column::Column,
    errors::Failure,
    memory,
    run::are_many,
    shapes::column_of,
    world::{World, check, handles_of, in_list},
};

/// A slide takes about as long as this number of rows of a call.
const ROWS_OF_A_SLIDE: usize = 256;

/// Positions, ground below, and the surfaces on the way as offsets and columns.
type Slides<'py> = (
    [Bound<'py, PyArray1<f64>>; 2],
    Bound<'py, PyArray1<u64>>,
    Bound<'py, PyArray1<i64>>,
    SlideColumns<'py>,
);

/// Body, user, row, part, fraction, x, y, normal_x, normal_y, ground.
type SlideColumns<'py> = (
    [Bound<'py, PyArray1<u64>>; 2],
    [Bound<'py, PyArray1<u32>>; 2],
    [Bound<'py, PyArray1<f32>>; 3],
    [Bound<'py, PyArray1<f64>>; 2],
    Bound<'py, PyArray1<bool>>,
);

#[pymethods]
impl World {
    /// Where bodies end that are moved by hand, and what they meet. Nothing is moved.
    #[pyo3(signature = (handles, dx, dy, options))]
    fn move_and_slide<'py>(
        &self,
        py: Python<'py>,
        handles: PyReadonlyArray1<'py, u64>,
        dx: &Bound<'py, PyUntypedArray>,
        dy: &Bound<'py, PyUntypedArray>,
        options: (f32, [f32; 2], f32, f32),
    ) -> PyResult<Slides<'py>> {
        let (dx, dy) = (Column::new(dx, "dx")?, Column::new(dy, "dy")?);
        let handles = handles_of(&handles)?;
        let (gap, up, max_slope, snap) = options;
        let options = SlideOptions { gap, up, max_slope, snap };
        let threads = self.options.threads_for(handles.len().saturating_mul(ROWS_OF_A_SLIDE));
        let [left, low] = self.origin;
        let long = are_many(handles.len().saturating_mul(ROWS_OF_A_SLIDE));
        let found = self.world.run(py, long, threads, move |world| {
            check(Field::Dx, dx.len(), handles.len())?;
            check(Field::Dy, dy.len(), handles.len())?;
            let (x, y) = (dx.read::<f32>()?, dy.read::<f32>()?);
            // Sorted once, before threads ask it.
            world.index()?;
            let world = &*world;
            let slide = |row: usize| {
                let mut hits = Vec::new();
                let by = [x[row], y[row]];
                let end = world.move_and_slide(handles[row], by, &options, &mut hits);
                let end = end.map_err(|error| match error {
                    widephase::Error::InvalidQuery { .. } => of_row(error, row),
                    error => in_list(error, &handles, world),
                })?;
                Ok((end, hits))
            };
            answers(handles.len(), threads, &slide)
        })?;
        let ends = |of: fn(&SlideEnd) -> f32, origin: f64| {
            column_of(py, &found, |(end, _)| origin + f64::from(of(end)))
        };
        let ground = |(end, _): &(SlideEnd, _)| end.ground.map_or(0, |hit| hit.body.to_bits());
        let mut offsets = memory::with_room(found.len() + 1).map_err(Failure::from)?;
        offsets.push(0);
        offsets.extend(found.iter().scan(0, |end, (_, hits)| {
            *end += hits.len();
            Some(*end)
        }));
        let positions = [ends(|end| end.pose.x, left)?, ends(|end| end.pose.y, low)?];
        let grounds = column_of(py, &found, ground)?;
        let hits: Vec<SlideHit> = found.into_iter().flat_map(|(_, hits)| hits).collect();
        let offsets = arrays::offsets(py, offsets)?;
        Ok((positions, grounds, offsets, columns(py, &hits, self.origin)?))
    }
}

/// The surfaces on the way as columns.
fn columns<'py>(
    py: Python<'py>,
    hits: &[SlideHit],
    [left, low]: [f64; 2],
) -> PyResult<SlideColumns<'py>> {
    Ok((
        [column_of(py, hits, |hit| hit.body.to_bits())?, column_of(py, hits, |hit| hit.user)?],
        [column_of(py, hits, |hit| hit.hit.row)?, column_of(py, hits, |hit| hit.hit.part)?],
        [
            column_of(py, hits, |hit| hit.hit.fraction)?,
            column_of(py, hits, |hit| hit.hit.normal_x)?,
            column_of(py, hits, |hit| hit.hit.normal_y)?,
        ],
        [
            column_of(py, hits, |hit| left + f64::from(hit.hit.x))?,
            column_of(py, hits, |hit| low + f64::from(hit.hit.y))?,
        ],
        column_of(py, hits, |hit| hit.ground)?,
    ))
}

/// The error of one way as the error of a row.
fn of_row(error: widephase::Error, row: usize) -> Failure {
    match error {
        widephase::Error::InvalidQuery { field, value, fault, .. } => {
            widephase::Error::InvalidQuery { index: row, field, value, fault }.into()
        }
        error => error.into(),
    }
}
