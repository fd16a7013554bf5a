//! Rays, scans and casts through an `Index`.

use std::f64::consts::TAU;

use numpy::{PyArray1, PyArray2, PyReadonlyArray1, PyUntypedArray};
use pyo3::prelude::*;
use widephase::{
    CastOptions, Error, Fan, Hit, Queries, Ray,
    columns::{HitColumns, ScanColumns},
    error::Field,
    narrowphase::CastStart,
    shape::{Pose, Rotation},
};

use crate::{
    arrays,
    column::Column,
    errors::{Failure, shape_error},
    index::{FilterFields, Index, View},
    memory::{self, take_pieces, zeros},
    run::{may_take_long, run},
    shapes::Shapes,
    sorted::SortedShapes,
};

/// The columns of hits: row, part, fraction, x, y, normal_x, normal_y.
type HitArrays<'py> = (
    Bound<'py, PyArray1<u32>>,
    Bound<'py, PyArray1<u32>>,
    Bound<'py, PyArray1<f32>>,
    Bound<'py, PyAny>,
    Bound<'py, PyAny>,
    Bound<'py, PyArray1<f32>>,
    Bound<'py, PyArray1<f32>>,
);

/// The columns of rays: origins, directions, and how far they go.
type RayColumns<'py> = [Bound<'py, PyUntypedArray>; 5];

/// A ray takes about as long as this number of tests.
const TESTS_OF_A_RAY: usize = 64;

#[pymethods]
impl Index {
    /// The first hit of each ray.
    #[pyo3(signature = (rays, filter, spaces, without))]
    fn cast_rays<'py>(
        &self,
        py: Python<'py>,
        rays: RayColumns<'py>,
        filter: Option<FilterFields>,
        spaces: Option<PyReadonlyArray1<'py, u32>>,
        without: Option<PyReadonlyArray1<'py, u32>>,
    ) -> PyResult<HitArrays<'py>> {
        let (rays, view) = (columns(&rays)?, View::new(filter, spaces, without, self.rows())?);
        let double = rays[..2].iter().any(Column::is_double);
        let (sorted, len) = (self.sorted(py)?, rays[0].len());
        let origin = sorted.origin();
        let (long, threads) = self.effort(&sorted, len, 1);
        let hits = run(py, long, threads, move || {
            let rays = read(&rays, origin)?;
            let mut hits = Vec::new();
            view.of(sorted.single()?).cast_ray_batch(&rays, &mut hits)?;
            drop(rays);
            let double = double || sorted.is_double();
            Hits::new(hits, |hit| *hit, double.then_some(origin))
        })?;
        hits.arrays(py)
    }

    /// All hits of each ray, by fraction: offsets, and the columns of the hits.
    #[pyo3(signature = (rays, filter, spaces, without))]
    fn cast_rays_all<'py>(
        &self,
        py: Python<'py>,
        rays: RayColumns<'py>,
        filter: Option<FilterFields>,
        spaces: Option<PyReadonlyArray1<'py, u32>>,
        without: Option<PyReadonlyArray1<'py, u32>>,
    ) -> PyResult<(Bound<'py, PyArray1<i64>>, HitArrays<'py>)> {
        let (rays, view) = (columns(&rays)?, View::new(filter, spaces, without, self.rows())?);
        let double = rays[..2].iter().any(Column::is_double);
        let (sorted, len) = (self.sorted(py)?, rays[0].len());
        let origin = sorted.origin();
        let (long, threads) = self.effort(&sorted, len, 1);
        let (offsets, hits) = run(py, long, threads, move || {
            let rays = read(&rays, origin)?;
            let mut lists = widephase::Lists::new();
            view.of(sorted.single()?).cast_ray_all_batch(&rays, &mut lists)?;
            drop(rays);
            let (offsets, hits) = lists.into_parts();
            let double = double || sorted.is_double();
            Ok((offsets, Hits::new(hits, |hit| Some(*hit), double.then_some(origin))?))
        })?;
        Ok((arrays::offsets(py, offsets)?, hits.arrays(py)?))
    }

    /// Whether each ray hits a shape.
    #[pyo3(signature = (rays, filter, spaces, without))]
    fn hits_any<'py>(
        &self,
        py: Python<'py>,
        rays: RayColumns<'py>,
        filter: Option<FilterFields>,
        spaces: Option<PyReadonlyArray1<'py, u32>>,
        without: Option<PyReadonlyArray1<'py, u32>>,
    ) -> PyResult<Bound<'py, PyArray1<bool>>> {
        let (rays, view) = (columns(&rays)?, View::new(filter, spaces, without, self.rows())?);
        let sorted = self.sorted(py)?;
        let (long, threads) = self.effort(&sorted, rays[0].len(), 1);
        let hits = run(py, long, threads, move || {
            let rays = read(&rays, sorted.origin())?;
            let mut hits = Vec::new();
            view.of(sorted.single()?).hits_any_batch(&rays, &mut hits)?;
            Ok(hits)
        })?;
        arrays::array(py, hits)
    }

    /// The ranges of a fan of rays from each pose, and the rows that they hit.
    #[pyo3(signature = (fan, poses, filter, spaces, without))]
    fn scan<'py>(
        &self,
        py: Python<'py>,
        fan: (usize, Option<f32>, Option<f32>, f32),
        poses: [Bound<'py, PyUntypedArray>; 3],
        filter: Option<FilterFields>,
        spaces: Option<PyReadonlyArray1<'py, u32>>,
        without: Option<PyReadonlyArray1<'py, u32>>,
    ) -> PyResult<(Bound<'py, PyArray2<f32>>, Bound<'py, PyArray2<u32>>)> {
        let [x, y, angle] = poses;
        let (x, y) = (Column::new(&x, "x")?, Column::new(&y, "y")?);
        let angle = Column::new(&angle, "angle")?;
        let (view, sorted, len) =
            (View::new(filter, spaces, without, self.rows())?, self.sorted(py)?, x.len());
        let (rays, first_angle, step, max_range) = fan;
        if len.checked_mul(rays).is_none_or(|ranges| ranges > 1 << 34) {
            return Err(shape_error("scan: more than 2^34 rays", None, "rays"));
        }
        let (long, threads) = self.effort(&sorted, len, rays);
        let scan = run(py, long, threads, move || {
            same_length(&[&x, &y, &angle], &[Field::X, Field::Y, Field::Angle])?;
            let [left, low] = sorted.origin();
            let (x, y, turns) = (x.relative(left)?, y.relative(low)?, angle.read::<f64>()?);
            let pose = |row: usize| {
                // Many turns of `f64` would lose the angle if they were rounded.
                let turn = if angle.is_double() { turns[row] % TAU } else { turns[row] };
                Pose::new([x[row], y[row]], Rotation::from_angle(turn as f32))
            };
            let poses: Vec<Pose> = memory::listed(x.len(), (0..x.len()).map(pose))?;
            let fan = match (first_angle, step) {
                (Some(first), Some(step)) => Fan::new(rays, first, step, max_range),
                _ => Fan::around(rays, max_range),
            };
            let mut scan = ScanColumns::new();
            view.of(sorted.single()?).scan(&fan, &poses, &mut scan)?;
            Ok(scan)
        })?;
        let range = arrays::table(py, scan.range, len, rays)?;
        Ok((range, arrays::table(py, scan.row, len, rays)?))
    }

    /// The first shape that stops each of some shapes on its way.
    #[pyo3(signature = (shapes, dx, dy, options, filter, without))]
    fn cast_shapes<'py>(
        &self,
        py: Python<'py>,
        shapes: &Shapes,
        dx: &Bound<'py, PyUntypedArray>,
        dy: &Bound<'py, PyUntypedArray>,
        options: (f32, f32, String),
        filter: Option<FilterFields>,
        without: Option<PyReadonlyArray1<'py, u32>>,
    ) -> PyResult<HitArrays<'py>> {
        let (dx, dy) = (Column::new(dx, "dx")?, Column::new(dy, "dy")?);
        let (max_fraction, gap, start) = options;
        let options = CastOptions { max_fraction, gap, start: cast_start(&start)? };
        let (held, view) = (shapes.hold(py)?, View::new(filter, None, without, self.rows())?);
        let sorted = self.sorted(py)?;
        let (long, threads) = self.effort(&sorted, held.len(), TESTS_OF_A_RAY);
        let view = view.for_shapes(&held, &sorted);
        let hits = run(py, long, threads, move || {
            same_length(&[&dx, &dy], &[Field::Dx, Field::Dy])?;
            let (x, y) = (dx.read::<f32>()?, dy.read::<f32>()?);
            let ways = x.iter().zip(y.iter()).map(|(x, y)| [*x, *y]);
            let ways: Vec<[f32; 2]> = memory::listed(x.len(), ways)?;
            let (origin, mut hits) = (sorted.origin(), Vec::new());
            held.relative(origin, |columns| {
                view.of(sorted.single()?).cast_shape_batch(columns, &ways, options, &mut hits)
            })
            .map_err(|error| held.failure(error))?;
            let double = sorted.is_double() || held.is_double();
            Hits::new(hits, |hit| *hit, double.then_some(origin))
        })?;
        hits.arrays(py)
    }
}

impl Index {
    /// Whether a call with this number of queries, each of some rays, may take long, and its
    /// threads.
    fn effort(&self, sorted: &SortedShapes, queries: usize, rays: usize) -> (bool, usize) {
        let threads = self.threads_for(sorted, false, queries.saturating_mul(rays));
        let tests = TESTS_OF_A_RAY.saturating_mul(rays);
        (may_take_long(queries, self.rows().max(tests)), threads)
    }
}

/// Which of the shapes that touch at the start stop a motion, by name.
pub fn cast_start(name: &str) -> PyResult<CastStart> {
    match name {
        "inward" => Ok(CastStart::Inward),
        "any" => Ok(CastStart::Any),
        "ignored" => Ok(CastStart::Ignored),
        name => {
            let message = format!("start: 'inward', 'any' or 'ignored', not {name:?}");
            Err(shape_error(&message, None, "start"))
        }
    }
}

/// The columns of hits. Positions are `f64` if they are given an origin.
struct Hits {
    columns: HitColumns,
    absolute: Option<[Vec<f64>; 2]>,
}

impl Hits {
    fn new<T>(
        hits: Vec<T>,
        hit: impl Fn(&T) -> Option<Hit>,
        origin: Option<[f64; 2]>,
    ) -> Result<Self, Failure> {
        let len = hits.len();
        let mut columns = HitColumns {
            row: zeros(len)?,
            part: zeros(len)?,
            fraction: zeros(len)?,
            normal_x: zeros(len)?,
            normal_y: zeros(len)?,
            ..HitColumns::default()
        };
        let mut absolute = None;
        match origin {
            Some(_) => absolute = Some([zeros(len)?, zeros(len)?]),
            None => (columns.x, columns.y) = (zeros(len)?, zeros(len)?),
        }
        let HitColumns { row, part, fraction, x, y, normal_x, normal_y } = &mut columns;
        take_pieces(hits, |query, found| {
            // (0, 0) would be a place.
            let nothing = Hit {
                row: HitColumns::NO_ROW,
                fraction: f32::INFINITY,
                x: f32::NAN,
                y: f32::NAN,
                normal_x: f32::NAN,
                normal_y: f32::NAN,
                part: 0,
            };
            let found = hit(found).unwrap_or(nothing);
            (row[query], part[query], fraction[query]) = (found.row, found.part, found.fraction);
            (normal_x[query], normal_y[query]) = (found.normal_x, found.normal_y);
            match (&mut absolute, origin) {
                (Some([wide_x, wide_y]), Some([left, low])) => {
                    wide_x[query] = left + f64::from(found.x);
                    wide_y[query] = low + f64::from(found.y);
                }
                _ => (x[query], y[query]) = (found.x, found.y),
            }
        });
        Ok(Self { columns, absolute })
    }

    fn arrays(self, py: Python<'_>) -> PyResult<HitArrays<'_>> {
        let HitColumns { row, part, fraction, x, y, normal_x, normal_y } = self.columns;
        let (x, y) = match self.absolute {
            Some([x, y]) => (arrays::array(py, x)?.into_any(), arrays::array(py, y)?.into_any()),
            None => (arrays::array(py, x)?.into_any(), arrays::array(py, y)?.into_any()),
        };
        Ok((
            arrays::array(py, row)?,
            arrays::array(py, part)?,
            arrays::array(py, fraction)?,
            x,
            y,
            arrays::array(py, normal_x)?,
            arrays::array(py, normal_y)?,
        ))
    }
}

fn columns(rays: &RayColumns<'_>) -> PyResult<Vec<Column>> {
    let fields = ["x", "y", "dx", "dy", "max_fraction"];
    rays.iter().zip(fields).map(|(array, field)| Column::new(array, field)).collect()
}

/// Rays relative to an origin.
fn read(columns: &[Column], [left, low]: [f64; 2]) -> Result<Vec<Ray>, Failure> {
    let [x, y, dx, dy, max_fraction] = columns else { return Ok(Vec::new()) };
    let fields = [Field::X, Field::Y, Field::Dx, Field::Dy, Field::MaxFraction];
    same_length(&[x, y, dx, dy, max_fraction], &fields)?;
    let (x, y, dx, dy) = (x.relative(left)?, y.relative(low)?, dx.read()?, dy.read()?);
    let max_fraction = max_fraction.read()?;
    let ray = |row: usize| Ray::new([x[row], y[row]], [dx[row], dy[row]]).up_to(max_fraction[row]);
    Ok(memory::listed(x.len(), (0..x.len()).map(ray))?)
}

fn same_length(columns: &[&Column], fields: &[Field]) -> Result<(), Error> {
    let expected = columns[0].len();
    for (column, field) in columns.iter().zip(fields) {
        if column.len() != expected {
            return Err(Error::UnequalColumns { field: *field, len: column.len(), expected });
        }
    }
    Ok(())
}
