//! `World`: bodies with handles.

use bytemuck::allocation::cast_vec;
use numpy::{PyArray1, PyArray2, PyReadonlyArray1, PyUntypedArray, PyUntypedArrayMethods};
use pyo3::{exceptions::PyValueError, prelude::*, types::PyBytes};
use widephase::{
    Body, Error, Filter, Handle, Islands, Motion, Options, Queries,
    error::Field,
    shape::{Point, Pose, Rotation},
    world::Velocity,
};

use crate::{
    arrays::{self, Bytes, RowLists},
    column::Column,
    errors::{Failure, shape_error},
    groups::list_parts,
    index::Index,
    memory,
    options::RunOptions,
    pools::Large,
    run::{Shared, are_many, is_large, may_take_long, run},
    shapes::{Shapes, values},
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
    pub world: Large<Shared<widephase::World>>,
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
        bytes: &Bound<'_, PyBytes>,
        level: Option<&str>,
        threads: Option<i64>,
        max_pairs: u64,
        max_contacts: u64,
        origin: Option<[f64; 2]>,
    ) -> PyResult<Self> {
        let options = RunOptions::new(level, threads, "inclusive")?;
        let (snapshot, kept) = origin_of(bytes.as_bytes());
        if origin.zip(kept).is_some_and(|(given, kept)| given != kept) {
            let message = "origin: the snapshot has another one, which is taken if none is given";
            return Err(shape_error(message, None, "origin"));
        }
        let origin = origin.or(kept).unwrap_or_default();
        let (long, len) = (is_large(snapshot.len() / BYTES_OF_A_BODY), snapshot.len());
        let bytes = Bytes::new(bytes);
        let world = run(py, long, 1, move || Ok(widephase::World::restore(&bytes.get()[..len])?))?;
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
        let (motions, user) = (motions(&motion)?, values(&user)?);
        check_length(Field::Row, motions.len(), held.len())?;
        check_length(Field::Row, user.len(), held.len())?;
        let (origin, len) = (self.origin, held.len());
        let handles = self.work(py, len, move |world| {
            let body = |row: usize| Body {
                pose: None,
                motion: motions[row],
                filter: held.filters().map_or(Filter::ALL, |filters| filters[row]),
                space: held.spaces().map_or(0, |spaces| spaces[row]),
                user: user[row],
            };
            let bodies: Vec<Body> = memory::listed(len, (0..len).map(body))?;
            let mut handles = Vec::new();
            held.relative(origin, |columns| world.insert_all(columns, &bodies, &mut handles))
                .map_err(|error| held.failure(error))?;
            Ok(handles.into_iter().map(Handle::to_bits).collect())
        })?;
        arrays::array(py, handles)
    }

    /// Removes bodies, all bodies or no body.
    fn remove(&self, py: Python<'_>, handles: PyReadonlyArray1<'_, u64>) -> PyResult<()> {
        let handles = handles_of(&handles)?;
        Ok(self.work(py, handles.len(), move |world| {
            world.remove_all(&handles).map_err(|error| in_list(error, &handles, world))
        })?)
    }

    /// The handles of all bodies, by row.
    fn handles<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<u64>>> {
        let handles = self.work_on_all(py, |world| {
            Ok(memory::listed(world.len(), world.handles().map(Handle::to_bits))?)
        })?;
        arrays::array(py, handles)
    }

    /// The handles of the bodies in some rows; 0 where there is no body.
    fn handles_of<'py>(
        &self,
        py: Python<'py>,
        rows: PyReadonlyArray1<'py, u32>,
    ) -> PyResult<Bound<'py, PyArray1<u64>>> {
        let rows = values(&rows)?;
        let handles = self.work(py, rows.len(), move |world| {
            let handle = |row: &u32| world.handle(*row).map_or(0, Handle::to_bits);
            Ok(memory::listed(rows.len(), rows.iter().map(handle))?)
        })?;
        arrays::array(py, handles)
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
        let handles = handles.map(|handles| handles_of(&handles)).transpose()?;
        let [left, low] = self.origin;
        Ok(self.work(py, x.len(), move |world| {
            let (x, y) = (x.relative(left)?, y.relative(low)?);
            let turned = |angle: &f32| Rotation::from_angle(*angle);
            let turns = angle.map(|angle| -> Result<Vec<Rotation>, Error> {
                let angles = angle.read::<f32>()?;
                memory::listed(angles.len(), angles.iter().map(turned))
            });
            let turns = turns.transpose()?;
            if let Some(turns) = &turns {
                check(Field::Angle, turns.len(), x.len())?;
            }
            check(Field::Y, y.len(), x.len())?;
            let Some(handles) = handles else {
                match turns {
                    None => world.set_positions_of_all(&x, &y)?,
                    Some(turns) => {
                        let len = turns.len();
                        let cos = memory::listed(len, turns.iter().map(|turn| turn.cos))?;
                        let sin = memory::listed(len, turns.iter().map(|turn| turn.sin))?;
                        world.set_poses_of_all(&x, &y, &cos, &sin)?;
                    }
                }
                return Ok(());
            };
            check(Field::X, x.len(), handles.len())?;
            let mut poses = memory::with_room(handles.len())?;
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

    /// The positions of all bodies by row, or of some: (n, 2).
    #[pyo3(signature = (handles))]
    fn positions<'py>(
        &self,
        py: Python<'py>,
        handles: Option<PyReadonlyArray1<'py, u64>>,
    ) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let [left, low] = self.origin;
        let place = move |pose: Pose| [left + f64::from(pose.x), low + f64::from(pose.y)];
        arrays::rows(py, cast_vec(self.of_poses(py, handles, place)?), 2)
    }

    /// The cosines and sines of all bodies by row, or of some: (n, 2).
    #[pyo3(signature = (handles))]
    fn turns<'py>(
        &self,
        py: Python<'py>,
        handles: Option<PyReadonlyArray1<'py, u64>>,
    ) -> PyResult<Bound<'py, PyArray2<f32>>> {
        let turns = self.of_poses(py, handles, |pose| [pose.cos, pose.sin])?;
        arrays::rows(py, cast_vec(turns), 2)
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
        let handles = handles_of(&handles)?;
        Ok(self.work(py, handles.len(), move |world| {
            for (field, column) in [(Field::X, &x), (Field::Y, &y), (Field::Spin, &spin)] {
                check(field, column.len(), handles.len())?;
            }
            let (x, y, spin) = (x.read::<f32>()?, y.read::<f32>()?, spin.read::<f32>()?);
            let velocity = |row: usize| Velocity { x: x[row], y: y[row], spin: spin[row] };
            let velocities: Vec<Velocity> = memory::listed(x.len(), (0..x.len()).map(velocity))?;
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
        let (handles, motions) = (handles_of(&handles)?, motions(&motion)?);
        check_length(Field::Row, motions.len(), handles.len())?;
        Ok(self.work(py, handles.len(), move |world| {
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
            let most = if persisted { step.pairs().len() } else { 0 };
            let mut list = memory::with_room(most)?;
            list.extend(world.persisted().take(most));
            Ok(Step::new(step, list))
        })?;
        Ok(step)
    }

    /// An index of the bodies as they are now: a copy.
    fn index(&self, py: Python<'_>) -> PyResult<Index> {
        let Self { options, max_pairs, .. } = *self;
        let index = self.work_on_pairs(py, move |world| {
            let index = world.index()?;
            memory::ask(index.bytes())?;
            let mut index = index.clone();
            index.set_options(options.index_options(max_pairs))?;
            // What has changed is sorted now, on the threads of this call. In spaces it is an error.
            let _ = index.any_overlapping(Point::new([0.0; 2]));
            Ok(index)
        })?;
        Ok(Index::of(SortedShapes::of(index, self.origin), self.options, max_pairs))
    }

    /// The islands of moving bodies that contacts connect: lists of rows.
    fn islands<'py>(&self, py: Python<'py>) -> PyResult<RowLists<'py>> {
        let lists = self.work_on_pairs(py, |world| {
            let mut islands = Islands::new();
            world.find_islands(&mut islands)?;
            Ok(list_parts(islands.lists())?)
        })?;
        arrays::list_parts(py, lists)
    }

    /// The world as bytes.
    fn snapshot<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let origin = self.origin;
        let bytes = self.work_on_pairs(py, move |world| {
            // It takes less than the world, and the list grows no more.
            let mut bytes = memory::with_room(world.bytes() + size_of_val(world))?;
            world.snapshot_into(&mut bytes);
            if origin != [0.0; 2] {
                bytes.extend(origin_bytes(origin));
            }
            Ok(bytes)
        })?;
        arrays::bytes(py, bytes)
    }

    /// A world of its own with the same bodies and options.
    fn copy(&self, py: Python<'_>) -> PyResult<Self> {
        let Self { options, max_pairs, max_contacts, origin, .. } = *self;
        let copied = self.work_on_pairs(py, |world| {
            memory::ask(world.bytes())?;
            Ok(world.clone())
        })?;
        let world = Large::new(Shared::new(copied));
        Ok(Self { options, max_pairs, max_contacts, origin, world })
    }

    fn state_hash(&self, py: Python<'_>) -> PyResult<u64> {
        Ok(self.work_on_pairs(py, |world| Ok(world.state_hash()))?)
    }

    fn bytes(&self, py: Python<'_>) -> PyResult<usize> {
        Ok(self.work(py, 0, |world| Ok(world.bytes()))?)
    }

    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        Ok(self.work(py, 0, |world| Ok(world.len()))?)
    }

    #[getter]
    fn origin(&self) -> [f64; 2] {
        self.origin
    }
}

impl World {
    /// A pair of numbers for the pose of each body, or of some.
    fn of_poses<V: Send + 'static>(
        &self,
        py: Python<'_>,
        handles: Option<PyReadonlyArray1<'_, u64>>,
        of: impl Fn(Pose) -> V + Send + 'static,
    ) -> Result<Vec<V>, Failure> {
        let handles = handles.map(|handles| handles_of(&handles)).transpose()?;
        self.work_on_all(py, move |world| {
            let Some(handles) = handles else {
                let mut list = memory::with_room(world.len())?;
                for handle in world.handles() {
                    list.push(of(world.pose(handle)?));
                }
                return Ok(list);
            };
            let stale = |error| in_list(error, &handles, world);
            let mut list = memory::with_room(handles.len())?;
            for handle in &handles {
                list.push(of(world.pose(*handle).map_err(stale)?));
            }
            Ok(list)
        })
    }

    fn of(
        mut world: widephase::World,
        options: RunOptions,
        [max_pairs, max_contacts]: [u64; 2],
        origin: [f64; 2],
    ) -> PyResult<Self> {
        let of_rows = options.options(world.rows(), true);
        let of_rows = Options { max_pairs, max_contacts, ..of_rows };
        world.set_options(of_rows).map_err(Failure::from)?;
        let world = Large::new(Shared::new(world));
        Ok(Self { options, max_pairs, max_contacts, origin, world })
    }

    /// Calls `work` on this number of rows without the GIL.
    fn work<R: Send + 'static>(
        &self,
        py: Python<'_>,
        rows: usize,
        work: impl FnOnce(&mut widephase::World) -> Result<R, Failure> + Send + 'static,
    ) -> Result<R, Failure> {
        self.world.run(py, is_large(rows), 1, work)
    }

    /// The same for work on all rows.
    fn work_on_all<R: Send + 'static>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut widephase::World) -> Result<R, Failure> + Send + 'static,
    ) -> Result<R, Failure> {
        let rows = self.work(py, 0, |world| Ok(world.rows()))?;
        self.work(py, rows, work)
    }

    /// The test for work on all pairs. A step finds about as many pairs as the last step.
    fn work_on_pairs<R: Send + 'static>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut widephase::World) -> Result<R, Failure> + Send + 'static,
    ) -> Result<R, Failure> {
        let numbers =
            |world: &mut widephase::World| Ok((world.rows(), world.last_step().pairs().len()));
        let (rows, pairs) = self.work(py, 0, numbers)?;
        let long = may_take_long(rows, rows) || are_many(pairs);
        self.world.run(py, long, self.options.threads_for(rows), work)
    }
}

/// A body in a snapshot takes at least so many bytes.
const BYTES_OF_A_BODY: usize = 24;

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

pub fn handles_of(bits: &PyReadonlyArray1<'_, u64>) -> Result<Vec<Handle>, Failure> {
    let mut handles = memory::with_room(bits.len())?;
    for (row, bits) in bits.as_array().iter().enumerate() {
        let handle = Handle::from_bits(*bits);
        handles.push(handle.ok_or_else(|| of_handle(Some(row), *bits, "is no handle"))?);
    }
    Ok(handles)
}

fn motions(codes: &PyReadonlyArray1<'_, u8>) -> PyResult<Vec<Motion>> {
    let mut motions = memory::with_room(codes.len()).map_err(Failure::from)?;
    for code in codes.as_array() {
        motions.push(motion(*code)?);
    }
    Ok(motions)
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
