//! `World`: bodies with handles.

use numpy::{PyArray1, PyReadonlyArray1, PyUntypedArray};
use pyo3::{exceptions::PyValueError, prelude::*, types::PyBytes};
use widephase::{
    Body, Error, Filter, Handle, Islands, Motion, Options, Pair,
    error::Field,
    shape::{Pose, Rotation},
    world::Velocity,
};

use crate::{
    arrays::{self, RowLists},
    column::Column,
    errors::{Failure, shape_error},
    index::Index,
    options::RunOptions,
    run::{Shared, are_many, may_take_long, run},
    shapes::Shapes,
    sorted::SortedShapes,
    step::Step,
};

/// Bodies with handles. One call at a time; other calls wait.
#[pyclass(frozen, module = "widephase._widephase")]
pub struct World {
    pub options: RunOptions,
    max_pairs: u64,
    max_contacts: u64,
    /// The origin of positions.
    pub origin: [f64; 2],
    pub world: Shared<widephase::World>,
}

#[pymethods]
impl World {
    #[new]
    #[pyo3(signature = (level, threads, touching, max_pairs, max_contacts, margin, origin))]
    fn new(
        level: Option<&str>,
        threads: Option<i64>,
        touching: &str,
        max_pairs: u64,
        max_contacts: u64,
        margin: f32,
        origin: [f64; 2],
    ) -> PyResult<Self> {
        let options = RunOptions::new(level, threads, touching)?;
        let mut world = widephase::World::new();
        world.set_margin(margin).map_err(Failure::from)?;
        Self::of(world, options, [max_pairs, max_contacts], origin)
    }

    /// A world as it was when the bytes were made.
    #[staticmethod]
    #[pyo3(signature = (bytes, level, threads, max_pairs, max_contacts, origin))]
    fn restore(
        py: Python<'_>,
        bytes: &[u8],
        level: Option<&str>,
        threads: Option<i64>,
        max_pairs: u64,
        max_contacts: u64,
        origin: Option<[f64; 2]>,
    ) -> PyResult<Self> {
        let options = RunOptions::new(level, threads, "inclusive")?;
        let (bytes, kept) = origin_of(bytes);
        if origin.zip(kept).is_some_and(|(given, kept)| given != kept) {
            let message = "origin: the snapshot has another one, which is taken if none is given";
            return Err(shape_error(message, None, "origin"));
        }
        let origin = origin.or(kept).unwrap_or_default();
        let (bytes, long) = (bytes.to_vec(), are_many(bytes.len() / size_of::<Pair>()));
        let world = run(py, long, 1, move || Ok(widephase::World::restore(&bytes)?))?;
        let options = RunOptions { touching: world.options().touching, ..options };
        Self::of(world, options, [max_pairs, max_contacts], origin)
    }

    /// Inserts a body for each shape, and returns their handles.
    fn insert<'py>(
        &self,
        py: Python<'py>,
        shapes: &Shapes,
        motion: PyReadonlyArray1<'py, u8>,
        user: PyReadonlyArray1<'py, u64>,
    ) -> PyResult<Bound<'py, PyArray1<u64>>> {
        let held = shapes.hold(py)?;
        let (motion, user) = (values(&motion), values(&user));
        check_length(Field::Row, motion.len(), held.len())?;
        check_length(Field::Row, user.len(), held.len())?;
        let motions =
            motion.iter().map(|code| self::motion(*code)).collect::<PyResult<Vec<_>>>()?;
        let origin = self.origin;
        let handles = self.work(py, move |world| {
            let body = |row: usize| Body {
                pose: None,
                motion: motions[row],
                filter: held.filters().map_or(Filter::ALL, |filters| filters[row]),
                space: held.spaces().map_or(0, |spaces| spaces[row]),
                user: user[row],
            };
            let bodies: Vec<Body> = (0..held.len()).map(body).collect();
            let mut handles = Vec::new();
            held.relative(origin, |columns| world.insert_all(columns, &bodies, &mut handles))
                .map_err(|error| held.failure(error))?;
            Ok(handles.into_iter().map(Handle::to_bits).collect())
        })?;
        Ok(arrays::array(py, handles))
    }

    /// Removes bodies, all bodies or no body.
    fn remove(&self, py: Python<'_>, handles: PyReadonlyArray1<'_, u64>) -> PyResult<()> {
        let handles = handles_of(&values(&handles))?;
        Ok(self.work(py, move |world| {
            world.remove_all(&handles).map_err(|error| in_list(error, &handles, world))
        })?)
    }

    /// The handles of all bodies, by row.
    fn handles<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<u64>>> {
        let handles = self.work(py, |world| Ok(world.handles().map(Handle::to_bits).collect()))?;
        Ok(arrays::array(py, handles))
    }

    /// The handles of the bodies in some rows; 0 where there is no body.
    fn handles_of<'py>(
        &self,
        py: Python<'py>,
        rows: PyReadonlyArray1<'py, u32>,
    ) -> PyResult<Bound<'py, PyArray1<u64>>> {
        let rows = values(&rows);
        let handles = self.work(py, move |world| {
            let handle = |row: &u32| world.handle(*row).map_or(0, Handle::to_bits);
            Ok(rows.iter().map(handle).collect())
        })?;
        Ok(arrays::array(py, handles))
    }

    /// Moves all bodies, or some, and turns them if there are angles.
    #[pyo3(signature = (x, y, angle, handles))]
    fn set_poses(
        &self,
        py: Python<'_>,
        x: &Bound<'_, PyUntypedArray>,
        y: &Bound<'_, PyUntypedArray>,
        angle: Option<&Bound<'_, PyUntypedArray>>,
        handles: Option<PyReadonlyArray1<'_, u64>>,
    ) -> PyResult<()> {
        let (x, y) = (Column::new(x, "x")?, Column::new(y, "y")?);
        let angle = angle.map(|angle| Column::new(angle, "angle")).transpose()?;
        let handles = handles.map(|handles| handles_of(&values(&handles))).transpose()?;
        let [left, low] = self.origin;
        Ok(self.work(py, move |world| {
            let (x, y) = (x.relative(left), y.relative(low));
            let turns: Option<Vec<Rotation>> = angle.map(|angle| {
                angle.read::<f32>().iter().map(|angle| Rotation::from_angle(*angle)).collect()
            });
            if let Some(turns) = &turns {
                check(Field::Angle, turns.len(), x.len())?;
            }
            check(Field::Y, y.len(), x.len())?;
            let Some(handles) = handles else {
                match turns {
                    None => world.set_positions_of_all(&x, &y)?,
                    Some(turns) => {
                        let cos: Vec<f32> = turns.iter().map(|turn| turn.cos).collect();
                        let sin: Vec<f32> = turns.iter().map(|turn| turn.sin).collect();
                        world.set_poses_of_all(&x, &y, &cos, &sin)?;
                    }
                }
                return Ok(());
            };
            check(Field::X, x.len(), handles.len())?;
            let mut poses = Vec::with_capacity(handles.len());
            for (row, handle) in handles.iter().enumerate() {
                let turn = match &turns {
                    Some(turns) => turns[row],
                    None => {
                        let stale = |error| in_list(error, &handles, world);
                        let pose = world.pose(*handle).map_err(stale)?;
                        Rotation { cos: pose.cos, sin: pose.sin }
                    }
                };
                poses.push(Pose::new([x[row], y[row]], turn));
            }
            world.set_poses(&handles, &poses).map_err(|error| in_list(error, &handles, world))
        })?)
    }

    /// The poses of all bodies by row, or of some: x, y, cos, sin.
    #[pyo3(signature = (handles))]
    fn poses<'py>(
        &self,
        py: Python<'py>,
        handles: Option<PyReadonlyArray1<'py, u64>>,
    ) -> PyResult<([Bound<'py, PyArray1<f64>>; 2], [Bound<'py, PyArray1<f32>>; 2])> {
        let handles = handles.map(|handles| handles_of(&values(&handles))).transpose()?;
        let [left, low] = self.origin;
        let [x, y, cos, sin] = self.work(py, move |world| {
            let all = || world.handles().collect();
            let handles: Vec<Handle> = handles.unwrap_or_else(all);
            let stale = |error| in_list(error, &handles, world);
            let mut columns = [(); 4].map(|()| Vec::with_capacity(handles.len()));
            for handle in &handles {
                let Pose { x, y, cos, sin } = world.pose(*handle).map_err(stale)?;
                for (column, value) in columns.iter_mut().zip([x, y, cos, sin]) {
                    column.push(value);
                }
            }
            Ok(columns)
        })?;
        let from = |origin: f64, values: Vec<f32>| {
            arrays::array(py, values.into_iter().map(|at| origin + f64::from(at)).collect())
        };
        let turns = [arrays::array(py, cos), arrays::array(py, sin)];
        Ok(([from(left, x), from(low, y)], turns))
    }

    /// Tells how fast bodies move.
    fn set_velocities(
        &self,
        py: Python<'_>,
        handles: PyReadonlyArray1<'_, u64>,
        x: &Bound<'_, PyUntypedArray>,
        y: &Bound<'_, PyUntypedArray>,
        spin: &Bound<'_, PyUntypedArray>,
    ) -> PyResult<()> {
        let (x, y) = (Column::new(x, "x")?, Column::new(y, "y")?);
        let spin = Column::new(spin, "spin")?;
        let handles = handles_of(&values(&handles))?;
        Ok(self.work(py, move |world| {
            for (field, column) in [(Field::X, &x), (Field::Y, &y), (Field::Spin, &spin)] {
                check(field, column.len(), handles.len())?;
            }
            let (x, y, spin) = (x.read::<f32>(), y.read::<f32>(), spin.read::<f32>());
            let velocity = |row: usize| Velocity { x: x[row], y: y[row], spin: spin[row] };
            let velocities: Vec<Velocity> = (0..x.len()).map(velocity).collect();
            world
                .set_velocities(&handles, &velocities)
                .map_err(|error| in_list(error, &handles, world))
        })?)
    }

    /// Sets whether bodies move: one value for each handle. All bodies or no body.
    fn set_motion(
        &self,
        py: Python<'_>,
        handles: PyReadonlyArray1<'_, u64>,
        motion: PyReadonlyArray1<'_, u8>,
    ) -> PyResult<()> {
        let (handles, motion) = (handles_of(&values(&handles))?, values(&motion));
        check_length(Field::Row, motion.len(), handles.len())?;
        let motions =
            motion.iter().map(|code| self::motion(*code)).collect::<PyResult<Vec<_>>>()?;
        Ok(self.work(py, move |world| {
            handles
                .iter()
                .try_for_each(|handle| world.body(*handle).map(|_| ()))
                .map_err(|error| in_list(error, &handles, world))?;
            for (handle, motion) in handles.iter().zip(motions) {
                world.set_motion(*handle, motion)?;
            }
            Ok(())
        })?)
    }

    /// Detects all bodies as they are now.
    #[pyo3(signature = (persisted))]
    fn step(&self, py: Python<'_>, persisted: bool) -> PyResult<Step> {
        let Self { options, max_pairs, max_contacts, .. } = *self;
        let step = self.work_on_pairs(py, move |world| {
            let options = options.options(world.rows(), true);
            world.set_options(Options { max_pairs, max_contacts, ..options })?;
            let step = world.step()?;
            let persisted = if persisted { world.persisted().collect() } else { Vec::new() };
            Ok(Step::new(step, persisted))
        })?;
        Ok(step)
    }

    /// An index of the bodies as they are now: a copy.
    fn index(&self, py: Python<'_>) -> PyResult<Index> {
        let index = self.work_on_pairs(py, |world| Ok(world.index()?.clone()))?;
        Ok(Index::of(SortedShapes::of(index, self.origin), self.options))
    }

    /// The islands of moving bodies that contacts connect: lists of rows.
    fn islands<'py>(&self, py: Python<'py>) -> PyResult<RowLists<'py>> {
        let lists = self.work_on_pairs(py, |world| {
            let mut islands = Islands::new();
            world.find_islands(&mut islands)?;
            Ok(islands.lists().clone())
        })?;
        Ok(arrays::lists(py, lists))
    }

    /// The world as bytes.
    fn snapshot<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let mut bytes = self.work_on_pairs(py, |world| Ok(world.snapshot()))?;
        if self.origin != [0.0; 2] {
            bytes.extend(origin_bytes(self.origin));
        }
        Ok(PyBytes::new(py, &bytes))
    }

    /// A world of its own with the same bodies and options.
    fn copy(&self, py: Python<'_>) -> PyResult<Self> {
        let Self { options, max_pairs, max_contacts, origin, .. } = *self;
        let world = Shared::new(self.work_on_pairs(py, |world| Ok(world.clone()))?);
        Ok(Self { options, max_pairs, max_contacts, origin, world })
    }

    fn state_hash(&self, py: Python<'_>) -> PyResult<u64> {
        Ok(self.work_on_pairs(py, |world| Ok(world.state_hash()))?)
    }

    fn bytes(&self, py: Python<'_>) -> PyResult<usize> {
        Ok(self.work(py, |world| Ok(world.bytes()))?)
    }

    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        Ok(self.work(py, |world| Ok(world.len()))?)
    }

    #[getter]
    fn origin(&self) -> [f64; 2] {
        self.origin
    }
}

impl World {
    fn of(
        mut world: widephase::World,
        options: RunOptions,
        [max_pairs, max_contacts]: [u64; 2],
        origin: [f64; 2],
    ) -> PyResult<Self> {
        let of_rows = options.options(world.rows(), true);
        let of_rows = Options { max_pairs, max_contacts, ..of_rows };
        world.set_options(of_rows).map_err(Failure::from)?;
        Ok(Self { options, max_pairs, max_contacts, origin, world: Shared::new(world) })
    }

    /// Calls `work` without the GIL.
    fn work<R: Send + 'static>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut widephase::World) -> Result<R, Failure> + Send + 'static,
    ) -> Result<R, Failure> {
        self.world.run(py, false, 1, work)
    }

    /// The test for work on all pairs. A step finds about as many pairs as the last step.
    fn work_on_pairs<R: Send + 'static>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut widephase::World) -> Result<R, Failure> + Send + 'static,
    ) -> Result<R, Failure> {
        let numbers =
            |world: &mut widephase::World| Ok((world.rows(), world.last_step().pairs().len()));
        let (rows, pairs) = self.work(py, numbers)?;
        let long = may_take_long(rows, rows) || are_many(pairs);
        self.world.run(py, long, self.options.threads_for(rows), work)
    }
}

/// What stands before the origin behind a snapshot.
const ORIGIN_MARK: &[u8; 8] = b"WPORIGIN";

/// The end of a snapshot of a world with an origin: the mark, the origin, and its complement.
fn origin_bytes(origin: [f64; 2]) -> [u8; 40] {
    let mut bytes = [0; 40];
    bytes[..8].copy_from_slice(ORIGIN_MARK);
    for (axis, at) in origin.into_iter().enumerate() {
        let bits = at.to_bits();
        bytes[8 + axis * 8..][..8].copy_from_slice(&bits.to_le_bytes());
        bytes[24 + axis * 8..][..8].copy_from_slice(&(!bits).to_le_bytes());
    }
    bytes
}

/// A snapshot without its origin, and the origin, if it has one. What is damaged stays, and is then
/// no snapshot.
fn origin_of(bytes: &[u8]) -> (&[u8], Option<[f64; 2]>) {
    let Some((snapshot, end)) = bytes.split_last_chunk::<40>() else { return (bytes, None) };
    let word = |at: usize| end[at..].first_chunk().copied().map_or(0, u64::from_le_bytes);
    let origin = [f64::from_bits(word(8)), f64::from_bits(word(16))];
    if *end == origin_bytes(origin) { (snapshot, Some(origin)) } else { (bytes, None) }
}

pub fn values<T: numpy::Element + Copy>(array: &PyReadonlyArray1<'_, T>) -> Vec<T> {
    array.as_array().iter().copied().collect()
}

pub fn handles_of(bits: &[u64]) -> Result<Vec<Handle>, Failure> {
    let handle = |(row, bits): (usize, &u64)| {
        Handle::from_bits(*bits).ok_or_else(|| of_handle(Some(row), *bits, "is no handle"))
    };
    bits.iter().enumerate().map(handle).collect()
}

/// The error of a list of handles, with the place of the handle.
pub fn in_list(error: Error, handles: &[Handle], world: &widephase::World) -> Failure {
    let Error::StaleHandle { handle } = error else { return error.into() };
    let mut places = handles.iter().enumerate().filter(|(_, listed)| **listed == handle);
    let mut place = || places.next().map(|(row, _)| row);
    let first = place();
    if world.contains(handle) {
        return of_handle(place(), handle.to_bits(), "is listed twice");
    }
    let reason = "is stale: its body was removed, or is of another world";
    of_handle(first, handle.to_bits(), reason)
}

fn of_handle(row: Option<usize>, value: u64, reason: &str) -> Failure {
    let place = row.map_or_else(String::new, |row| format!(" in row {row}"));
    let message = format!("handles: {value}{place} {reason}");
    Failure::Row { message, row, field: "handles", value }
}

fn motion(code: u8) -> PyResult<Motion> {
    match code {
        0 => Ok(Motion::Static),
        1 => Ok(Motion::Moving),
        2 => Ok(Motion::Asleep),
        _ => Err(PyValueError::new_err("motion: 'static', 'moving' or 'asleep'")),
    }
}

fn check_length(field: Field, len: usize, expected: usize) -> PyResult<()> {
    Ok(check(field, len, expected).map_err(Failure::from)?)
}

pub fn check(field: Field, len: usize, expected: usize) -> Result<(), Error> {
    if len == expected { Ok(()) } else { Err(Error::UnequalColumns { field, len, expected }) }
}
