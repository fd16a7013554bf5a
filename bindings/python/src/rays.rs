//! Rays, scans and casts through an `Index`.

use std::{f64::consts::TAU, ops::Range};

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
    chunks::{BLOCK, blocks, in_block},
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

/// The names of the columns of rays.
const RAY_FIELDS: [Field; 5] = [Field::X, Field::Y, Field::Dx, Field::Dy, Field::MaxFraction];

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
            let double = double || sorted.is_double();
            let mut all = Hits::new(len, double.then_some(origin))?;
            let mut hits = Vec::new();
            in_blocks(&rays, origin, &view, |rays, block| {
                view.of_block(sorted.single()?, &block).cast_ray_batch(rays, &mut hits)?;
                all.fill(block, &hits);
                Ok(())
            })?;
            Ok(all)
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
            let mut all = Hits::new(hits.len(), double.then_some(origin))?;
            take_pieces(hits, |number, hit| all.set(number, Some(*hit)));
            Ok((offsets, all))
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
        let (sorted, len) = (self.sorted(py)?, rays[0].len());
        let (long, threads) = self.effort(&sorted, len, 1);
        let hits = run(py, long, threads, move || {
            let (mut all, mut hits) = (memory::with_room(len)?, Vec::new());
            in_blocks(&rays, sorted.origin(), &view, |rays, block| {
                view.of_block(sorted.single()?, &block).hits_any_batch(rays, &mut hits)?;
                all.append(&mut hits);
                Ok(())
            })?;
            Ok(all)
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
            if dx.len() != held.len() {
                let (len, expected) = (dx.len(), held.len());
                return Err(Error::UnequalColumns { field: Field::Dx, len, expected }.into());
            }
            view.check(held.len())?;
            let (origin, mut hits) = (sorted.origin(), Vec::new());
            let double = sorted.is_double() || held.is_double();
            let mut all = Hits::new(held.len(), double.then_some(origin))?;
            for block in held.blocks(1) {
                let (dx, dy) = (dx.part(block.clone()), dy.part(block.clone()));
                let (x, y) = (dx.read::<f32>()?, dy.read::<f32>()?);
                let ways = x.iter().zip(y.iter()).map(|(x, y)| [*x, *y]);
                let ways: Vec<[f32; 2]> = memory::listed(x.len(), ways)?;
                let found = held.part(block.clone())?.relative(origin, |columns| {
                    let view = view.of_block(sorted.single()?, &block);
                    view.cast_shape_batch(columns, &ways, options, &mut hits)
                });
                found.map_err(|error| held.failure(in_block(error, &block)))?;
                all.fill(block, &hits);
            }
            Ok(all)
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
    absolute: Option<([f64; 2], [Vec<f64>; 2])>,
}

impl Hits {
    fn new(len: usize, origin: Option<[f64; 2]>) -> Result<Self, Error> {
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
            Some(origin) => absolute = Some((origin, [zeros(len)?, zeros(len)?])),
            None => (columns.x, columns.y) = (zeros(len)?, zeros(len)?),
        }
        Ok(Self { columns, absolute })
    }

    /// Writes the hits of a block of queries.
    fn fill(&mut self, block: Range<usize>, hits: &[Option<Hit>]) {
        for (query, hit) in block.zip(hits) {
            self.set(query, *hit);
        }
    }

    /// Writes the hit of a query.
    #[inline]
    fn set(&mut self, query: usize, hit: Option<Hit>) {
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
        let found = hit.unwrap_or(nothing);
        let HitColumns { row, part, fraction, x, y, normal_x, normal_y } = &mut self.columns;
        (row[query], part[query], fraction[query]) = (found.row, found.part, found.fraction);
        (normal_x[query], normal_y[query]) = (found.normal_x, found.normal_y);
        match &mut self.absolute {
            Some(([left, low], [wide_x, wide_y])) => {
                wide_x[query] = *left + f64::from(found.x);
                wide_y[query] = *low + f64::from(found.y);
            }
            None => (x[query], y[query]) = (found.x, found.y),
        }
    }

    fn arrays(self, py: Python<'_>) -> PyResult<HitArrays<'_>> {
        let HitColumns { row, part, fraction, x, y, normal_x, normal_y } = self.columns;
        let (x, y) = match self.absolute {
            Some((_, [x, y])) => {
                (arrays::array(py, x)?.into_any(), arrays::array(py, y)?.into_any())
            }
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

/// Calls `ask` with the rays of each block.
fn in_blocks(
    rays: &[Column],
    origin: [f64; 2],
    view: &View,
    mut ask: impl FnMut(&[Ray], Range<usize>) -> Result<(), Error>,
) -> Result<(), Failure> {
    let len = rays[0].len();
    same_length(&Vec::from_iter(rays), &RAY_FIELDS)?;
    view.check(len)?;
    for block in blocks(len, BLOCK) {
        let part = Vec::from_iter(rays.iter().map(|column| column.part(block.clone())));
        let rays = read(&part, origin)?;
        ask(&rays, block.clone()).map_err(|error| in_block(error, &block))?;
    }
    Ok(())
}

/// Rays relative to an origin.
fn read(columns: &[Column], [left, low]: [f64; 2]) -> Result<Vec<Ray>, Failure> {
    let [x, y, dx, dy, max_fraction] = columns else { return Ok(Vec::new()) };
    same_length(&[x, y, dx, dy, max_fraction], &RAY_FIELDS)?;
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
