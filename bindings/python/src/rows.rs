//! Rows of two sets: distances, closest points, common areas.

use bytemuck::allocation::cast_vec;
use numpy::{PyArray1, PyArray2, PyReadonlyArray1};
use pyo3::prelude::*;
use widephase::{
    Columns, Error, Narrowphase, Pair,
    error::Field,
    glam::Vec2,
    narrowphase::{ClosestPoints, TwoShapes},
};

use crate::{
    arrays,
    chunks::answers,
    detector::Lengths,
    errors::{Failure, shape_error},
    held::Held,
    memory,
    options::RunOptions,
    run::{are_many, run},
    shapes::{Shapes, values},
};

/// Two shapes take about as long as this number of rows of a call.
const ROWS_OF_TWO: usize = 8;

/// Distance, points of both shapes, normal, parts of both shapes.
type ClosestArrays<'py> = (
    Bound<'py, PyArray1<f32>>,
    [Bound<'py, PyAny>; 2],
    Bound<'py, PyArray2<f32>>,
    [Bound<'py, PyArray1<u32>>; 2],
);

/// The rows of both sets.
type Rows<'py> = [PyReadonlyArray1<'py, u32>; 2];

/// The distances of rows of two sets: in `f64` if the library can.
#[pyfunction]
#[pyo3(signature = (a, b, rows, threads))]
pub fn distances<'py>(
    py: Python<'py>,
    a: &Shapes,
    b: &Shapes,
    rows: Rows<'py>,
    threads: Option<i64>,
) -> PyResult<Bound<'py, PyAny>> {
    let two = Two::new(py, [a, b], &rows, threads)?;
    let found = two.run(py, |two| {
        if !two.sets.iter().all(Held::can_be_exact) {
            return Ok(Lengths::Single(two.answers(|mut two| two.distance())?));
        }
        let distance = |number: usize| {
            let [first, second] = two.rows(number);
            let [a, b] = [two.sets[0].row(first), two.sets[1].row(second)];
            Ok(a.zip(b).map_or(f64::NAN, |(a, b)| a.distance(&b)))
        };
        two.check()?;
        if two.double {
            return Ok(Lengths::Double(answers(two.len, two.threads, &distance)?));
        }
        let narrow = |number: usize| distance(number).map(|distance| distance as f32);
        Ok(Lengths::Single(answers(two.len, two.threads, &narrow)?))
    })?;
    found.array(py)
}

/// The areas that rows of two sets share.
#[pyfunction]
#[pyo3(signature = (a, b, rows, threads))]
pub fn overlap_areas<'py>(
    py: Python<'py>,
    a: &Shapes,
    b: &Shapes,
    rows: Rows<'py>,
    threads: Option<i64>,
) -> PyResult<Bound<'py, PyArray1<f32>>> {
    let two = Two::new(py, [a, b], &rows, threads)?;
    let found = two.run(py, |two| two.answers(|mut two| two.overlap_area()))?;
    arrays::array(py, found)
}

/// The closest points of rows of two sets.
#[pyfunction]
#[pyo3(signature = (a, b, rows, threads))]
pub fn closest<'py>(
    py: Python<'py>,
    a: &Shapes,
    b: &Shapes,
    rows: Rows<'py>,
    threads: Option<i64>,
) -> PyResult<ClosestArrays<'py>> {
    let two = Two::new(py, [a, b], &rows, threads)?;
    let found = two.run(py, |two| {
        let found = two.answers(|mut two| two.closest_points())?;
        let nowhere = [f32::NAN; 2].into();
        let (distance, part_a, part_b) = (0.0, 0, 0);
        let (point_a, point_b, normal) = (nowhere, nowhere, nowhere);
        let touching = ClosestPoints { distance, point_a, point_b, normal, part_a, part_b };
        // In place.
        let found: Vec<ClosestPoints> =
            found.into_iter().map(|found| found.unwrap_or(touching)).collect();
        Ok(Closest {
            distances: column(&found, |near| near.distance)?,
            points: [
                two.points(&found, |near| near.point_a)?,
                two.points(&found, |near| near.point_b)?,
            ],
            normals: column(&found, |near| near.normal.to_array())?,
            parts: [column(&found, |near| near.part_a)?, column(&found, |near| near.part_b)?],
        })
    })?;
    let Closest { distances, points: [first, second], normals, parts: [part_a, part_b] } = found;
    Ok((
        arrays::array(py, distances)?,
        [first.array(py)?, second.array(py)?],
        arrays::rows(py, cast_vec(normals), 2)?,
        [arrays::array(py, part_a)?, arrays::array(py, part_b)?],
    ))
}

/// The columns of closest points.
struct Closest {
    distances: Vec<f32>,
    points: [Points; 2],
    normals: Vec<[f32; 2]>,
    parts: [Vec<u32>; 2],
}

/// Positions, in `f64` if a set has such positions.
enum Points {
    Single(Vec<[f32; 2]>),
    Double(Vec<[f64; 2]>),
}

impl Points {
    fn array(self, py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
        Ok(match self {
            Self::Single(points) => arrays::rows::<f32>(py, cast_vec(points), 2)?.into_any(),
            Self::Double(points) => arrays::rows::<f64>(py, cast_vec(points), 2)?.into_any(),
        })
    }
}

/// A column of a list of records.
fn column<T, V>(records: &[T], value: impl Fn(&T) -> V) -> Result<Vec<V>, Failure> {
    Ok(memory::listed(records.len(), records.iter().map(value))?)
}

/// Two sets, and the rows of both.
struct Two {
    sets: [Held; 2],
    rows: [Vec<u32>; 2],
    len: usize,
    double: bool,
    origin: [f64; 2],
    threads: usize,
}

impl Two {
    fn new(
        py: Python<'_>,
        sets: [&Shapes; 2],
        rows: &Rows<'_>,
        threads: Option<i64>,
    ) -> PyResult<Self> {
        let sets = [sets[0].hold(py)?, sets[1].hold(py)?];
        let rows = [values(&rows[0])?, values(&rows[1])?];
        let len = rows[0].len();
        if rows[1].len() != len {
            let error =
                Error::UnequalColumns { field: Field::Row, len: rows[1].len(), expected: len };
            return Err(Failure::from(error).into());
        }
        for (rows, set) in rows.iter().zip(&sets) {
            if let Some(place) = rows.iter().position(|row| *row as usize >= set.len()) {
                let (row, len) = (rows[place], set.len());
                return Err(shape_error(&format!("rows: {row} of {len}"), Some(place), "rows"));
            }
        }
        let options = RunOptions::new(None, threads, "inclusive")?;
        let double = sets.iter().any(Held::is_double);
        let origin = sets.iter().find(|set| set.is_double() && set.len() > 0);
        let origin = origin.map_or(Ok([0.0; 2]), Held::origin).map_err(Failure::from)?;
        let threads = options.threads_for(len * ROWS_OF_TWO);
        Ok(Self { sets, rows, len, double, origin, threads })
    }

    fn rows(&self, number: usize) -> [usize; 2] {
        [self.rows[0][number] as usize, self.rows[1][number] as usize]
    }

    fn run<R: Send + 'static>(
        self,
        py: Python<'_>,
        work: impl FnOnce(&Self) -> Result<R, Failure> + Send + 'static,
    ) -> PyResult<R> {
        let (long, threads) = (are_many(self.len * ROWS_OF_TWO), self.threads);
        Ok(run(py, long, threads, move || work(&self))?)
    }

    /// Checks all values of sets that can be exact.
    fn check(&self) -> Result<(), Failure> {
        for set in &self.sets {
            set.exact(|columns| columns.check()).map_err(|error| set.failure(error))?;
        }
        Ok(())
    }

    /// The answers for all rows, in `f32`: each thread asks the library for a part of them.
    fn answers<T: Send>(
        &self,
        answer: impl Fn(TwoShapes<'_>) -> T + Sync,
    ) -> Result<Vec<T>, Failure> {
        let ([a, b], parts) = (&self.sets, self.threads.max(1));
        let of = |a: Columns<'_>, b: Columns<'_>, part: usize| {
            let places = self.len * part / parts..self.len * (part + 1) / parts;
            let rows = self.rows.each_ref().map(|rows| &rows[places.clone()]);
            let pairs = rows[0].iter().zip(rows[1]).map(|(a, b)| Pair { a: *a, b: *b });
            let pairs: Vec<Pair> = memory::listed(places.len(), pairs)?;
            let mut found = memory::with_room(places.len())?;
            Narrowphase::new().each_between(a, b, &pairs, |two| found.push(answer(two)))?;
            Ok(found)
        };
        let found = a.relative(self.origin, |a| {
            b.relative(self.origin, |b| Ok(answers(parts, parts, &|part: usize| of(a, b, part))))
        });
        let mut parts =
            found.map_err(Failure::from).flatten().map_err(|error| self.named(error))?;
        if parts.len() == 1 {
            return Ok(parts.swap_remove(0));
        }
        let mut all = memory::with_room(self.len)?;
        all.extend(parts.into_iter().flatten());
        Ok(all)
    }

    /// Points of the answers, where the sets have them.
    fn points(
        &self,
        found: &[ClosestPoints],
        point: impl Fn(&ClosestPoints) -> Vec2,
    ) -> Result<Points, Failure> {
        if !self.double {
            return Ok(Points::Single(column(found, |near| point(near).to_array())?));
        }
        let [left, low] = self.origin;
        let wide = |near: &ClosestPoints| {
            let [x, y] = point(near).to_array().map(f64::from);
            [left + x, low + y]
        };
        Ok(Points::Double(column(found, wide)?))
    }

    /// An error about a value, of the set that has it.
    fn named(&self, error: Failure) -> Failure {
        let of = |set: &Held| {
            let refused = set.relative(self.origin, |columns| columns.check().map(|_| ()));
            refused.err().map(|error| set.failure(error))
        };
        self.sets.iter().find_map(of).unwrap_or(error)
    }
}
