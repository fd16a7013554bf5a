//! `Detector`: pairs, counts, contacts, neighbours, with memory that is kept.

use std::{
    mem,
    sync::{Arc, Mutex, PoisonError},
};

use numpy::{PyArray1, PyArray2, PyUntypedArray};
use pyo3::prelude::*;
use widephase::{
    Adjacency, Bullets, Contact, Displacements, Error, Impact, Lists, Neighbor, Options, Pair,
    Periodic,
    doubles::{DoubleColumns, DoubleDetector, DoublePeriodic, DoublePeriodicNeighbor, DoubleScope},
    periodic::{PeriodicNeighbor, PeriodicPair},
};

use crate::{
    arrays,
    column::Column,
    errors::Failure,
    held::Held,
    index::Index,
    options::RunOptions,
    rays::cast_start,
    run::{Shared, may_take_long},
    shapes::Shapes,
    sorted::SortedShapes,
};

/// The memory that a detector keeps from call to call.
#[derive(Default)]
pub struct Workspace {
    single: widephase::Detector,
    /// With the options that it was made with.
    double: Option<(Options, DoubleDetector)>,
    /// The pairs that lists of two sets are made of.
    pub listed: Vec<Pair>,
}

/// Finds the shapes that touch. One call at a time; other calls wait.
#[pyclass(frozen, module = "widephase._widephase")]
pub struct Detector {
    options: RunOptions,
    max_pairs: u64,
    max_contacts: u64,
    /// Replaced when a call was interrupted: that call still uses the old one.
    workspace: Mutex<Shared<Workspace>>,
}

/// Lists with two more columns of their items: distances and shifts.
type ListsAndMore<'py> = (
    Bound<'py, PyArray1<i64>>,
    Bound<'py, PyArray1<u32>>,
    Option<Bound<'py, PyAny>>,
    Option<Bound<'py, PyArray2<i16>>>,
);

/// A box that repeats: its corners, and along which axes.
type PeriodicBox = ([f64; 2], [f64; 2], [bool; 2]);

#[pymethods]
impl Detector {
    #[new]
    #[pyo3(signature = (level, threads, touching, max_pairs, max_contacts))]
    fn new(
        level: Option<&str>,
        threads: Option<i64>,
        touching: &str,
        max_pairs: u64,
        max_contacts: u64,
    ) -> PyResult<Self> {
        let options = RunOptions::new(level, threads, touching)?;
        Ok(Self { options, max_pairs, max_contacts, workspace: Mutex::default() })
    }

    /// The pairs as an (n, 2) array.
    fn pairs<'py>(
        &self,
        py: Python<'py>,
        shapes: &Shapes,
        against: Option<&Index>,
        sorted: bool,
    ) -> PyResult<Bound<'py, PyArray2<u32>>> {
        let pairs = self.detect(py, shapes, against, sorted, |call| {
            let mut pairs: Vec<Pair> = Vec::new();
            call.pairs(&mut pairs)?;
            Ok(pairs)
        })?;
        arrays::pairs(py, pairs)
    }

    /// The number of pairs.
    fn count(&self, py: Python<'_>, shapes: &Shapes, against: Option<&Index>) -> PyResult<u64> {
        self.detect(py, shapes, against, false, |call| call.count())
    }

    /// The contacts as rows of 16 words, and the origin of their points.
    fn contacts<'py>(
        &self,
        py: Python<'py>,
        shapes: &Shapes,
        against: Option<&Index>,
        margin: f32,
        sorted: bool,
    ) -> PyResult<(Bound<'py, PyArray1<u32>>, Option<[f64; 2]>)> {
        let (contacts, origin) = self.detect(py, shapes, against, sorted, move |call| {
            let mut contacts: Vec<Contact> = Vec::new();
            call.contacts(margin, &mut contacts)?;
            Ok((contacts, call.is_double().then(|| call.origin())))
        })?;
        Ok((arrays::words(py, contacts), origin))
    }

    /// The rows within a distance of each row: offsets, items, distances, shifts.
    #[pyo3(signature = (shapes, against, distance, half, distances, sorted, periodic))]
    fn neighbors<'py>(
        &self,
        py: Python<'py>,
        shapes: &Shapes,
        against: Option<&Index>,
        distance: f64,
        half: bool,
        distances: bool,
        sorted: bool,
        periodic: Option<PeriodicBox>,
    ) -> PyResult<ListsAndMore<'py>> {
        let adjacency = if half { Adjacency::Half } else { Adjacency::Full };
        if let Some(periodic) = periodic {
            let found = self.detect(py, shapes, None, sorted, move |call| {
                call.lists_in_box(
                    periodic,
                    |detector, columns, periodic, lists| {
                        let distance = distance as f32;
                        detector.neighbors_periodic(columns, distance, adjacency, periodic, lists)
                    },
                    |detector, columns, periodic, lists| {
                        detector.neighbors_periodic(columns, distance, adjacency, periodic, lists)
                    },
                )
            })?;
            return found.arrays(py);
        }
        let found = self.detect(py, shapes, against, sorted, move |call| match call.against {
            Some(_) => call.neighbors_of_index(distance),
            None => call.neighbors(distance, adjacency, distances),
        })?;
        found.arrays(py)
    }

    /// The nearest rows of each row in a box that repeats, the nearest first: as lists.
    fn k_nearest_periodic<'py>(
        &self,
        py: Python<'py>,
        shapes: &Shapes,
        k: usize,
        most: f64,
        periodic: PeriodicBox,
    ) -> PyResult<ListsAndMore<'py>> {
        let found = self.detect(py, shapes, None, true, move |call| {
            call.lists_in_box(
                periodic,
                |detector, columns, periodic, lists| {
                    detector.k_nearest_periodic(columns, k, most as f32, periodic, lists)
                },
                |detector, columns, periodic, lists| {
                    detector.k_nearest_periodic(columns, k, most, periodic, lists)
                },
            )
        })?;
        found.arrays(py)
    }

    /// The pairs in a box that repeats, and how often they cross its sides.
    fn pairs_periodic<'py>(
        &self,
        py: Python<'py>,
        shapes: &Shapes,
        periodic: PeriodicBox,
        sorted: bool,
    ) -> PyResult<(Bound<'py, PyArray2<u32>>, Bound<'py, PyArray2<i16>>)> {
        let (pairs, shifts) = self.detect(py, shapes, None, sorted, move |call| {
            let mut found: Vec<PeriodicPair> = Vec::new();
            if call.is_exact() {
                call.in_double_box(periodic, |detector, columns, periodic| {
                    detector.pairs_periodic(columns, periodic, &mut found)
                })?;
            } else {
                call.in_box(periodic, |detector, columns, periodic| {
                    detector.pairs_periodic(columns, periodic, &mut found)
                })?;
            }
            let pairs: Vec<Pair> = found.iter().map(|found| found.pair).collect();
            let shifts: Vec<i16> = found.iter().flat_map(|found| found.shift).collect();
            Ok((pairs, shifts))
        })?;
        Ok((arrays::pairs(py, pairs)?, arrays::rows(py, shifts, 2)?))
    }

    /// Pairs that stop each other while shapes move, as rows of 7 words, and the origin of points.
    fn swept_pairs<'py>(
        &self,
        py: Python<'py>,
        shapes: &Shapes,
        against: Option<&Index>,
        dx: &Bound<'py, PyUntypedArray>,
        dy: &Bound<'py, PyUntypedArray>,
        start: &str,
    ) -> PyResult<(Bound<'py, PyArray1<u32>>, Option<[f64; 2]>)> {
        let (dx, dy) = (Column::new(dx, "dx")?, Column::new(dy, "dy")?);
        let start = cast_start(start)?;
        let (impacts, origin) = self.detect(py, shapes, against, true, move |call| {
            let (x, y) = (dx.read(), dy.read());
            let moves = Displacements { x: &x, y: &y, bullets: Bullets::All, start };
            let mut impacts: Vec<Impact> = Vec::new();
            call.relatively(|detector, scope| detector.swept_pairs(scope, moves, &mut impacts))?;
            Ok((impacts, call.is_double().then(|| call.origin())))
        })?;
        Ok((arrays::words(py, impacts), origin))
    }

    /// The bytes of memory held.
    fn bytes(&self, py: Python<'_>) -> PyResult<usize> {
        Ok(self.workspace().run(py, false, 1, |workspace| {
            let double = workspace.double.as_ref().map_or(0, |(_, detector)| detector.bytes());
            let listed = workspace.listed.capacity() * size_of::<Pair>();
            Ok(workspace.single.bytes() + double + listed)
        })?)
    }
}

impl Detector {
    fn workspace(&self) -> Shared<Workspace> {
        self.workspace.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Calls `work` with the shapes and the memory, without the GIL.
    fn detect<R: Send + 'static>(
        &self,
        py: Python<'_>,
        shapes: &Shapes,
        against: Option<&Index>,
        sorted: bool,
        work: impl FnOnce(&mut Call<'_>) -> Result<R, Failure> + Send + 'static,
    ) -> Result<R, PyErr> {
        let shapes = shapes.hold(py)?;
        let against = against.map(Index::sorted);
        let (rows, others) = (shapes.len(), against.as_ref().map_or(shapes.len(), |of| of.rows()));
        let (max_pairs, max_contacts) = (self.max_pairs, self.max_contacts);
        let options = self.options.options(rows, sorted);
        let options = Options { max_pairs, max_contacts, ..options };
        let (long, threads) = (may_take_long(rows, others), self.options.threads_for(rows));
        let found = self.workspace().run(py, long, threads, move |workspace| {
            // A panic leaves an empty workspace behind.
            let mut own = mem::take(workspace);
            let found = work(&mut Call { shapes, against, options, workspace: &mut own });
            *workspace = own;
            found
        });
        if matches!(found, Err(Failure::Interrupted(_))) {
            *self.workspace.lock().unwrap_or_else(PoisonError::into_inner) = Shared::default();
        }
        Ok(found?)
    }
}

/// The input of a call.
pub struct Call<'a> {
    pub shapes: Held,
    pub against: Option<Arc<SortedShapes>>,
    pub options: Options,
    pub workspace: &'a mut Workspace,
}

/// Distances as they are computed.
pub enum Lengths {
    Single(Vec<f32>),
    Double(Vec<f64>),
}

/// Lists of rows, with columns of their distances and shifts.
pub struct ListColumns {
    pub offsets: Vec<usize>,
    pub rows: Vec<u32>,
    pub lengths: Option<Lengths>,
    pub shifts: Option<Vec<[i16; 2]>>,
}

impl ListColumns {
    fn arrays(self, py: Python<'_>) -> PyResult<ListsAndMore<'_>> {
        let lengths = self.lengths.map(|lengths| match lengths {
            Lengths::Single(values) => arrays::array(py, values).into_any(),
            Lengths::Double(values) => arrays::array(py, values).into_any(),
        });
        let words = |shifts: Vec<[i16; 2]>| bytemuck::allocation::cast_vec(shifts);
        let shifts = match self.shifts {
            Some(shifts) if shifts.is_empty() => Some(arrays::table(py, Vec::new(), 0, 2)?),
            Some(shifts) => Some(arrays::rows(py, words(shifts), 2)?),
            None => None,
        };
        Ok((arrays::offsets(py, self.offsets), arrays::array(py, self.rows), lengths, shifts))
    }
}

impl Call<'_> {
    /// Whether the library decides in `f64`.
    fn is_exact(&self) -> bool {
        match &self.against {
            Some(index) => index.is_exact_for(&self.shapes),
            None => self.shapes.is_double() && self.shapes.can_be_exact(),
        }
    }

    /// Whether positions that are answered are `f64`.
    fn is_double(&self) -> bool {
        self.shapes.is_double() || self.against.as_ref().is_some_and(|index| index.is_double())
    }

    fn origin(&self) -> [f64; 2] {
        self.against.as_ref().map_or_else(|| self.shapes.origin(), |index| index.origin())
    }

    pub fn single(&mut self) -> Result<&mut widephase::Detector, Failure> {
        self.workspace.single.set_options(self.options)?;
        Ok(&mut self.workspace.single)
    }

    fn double(&mut self) -> Result<&mut DoubleDetector, Failure> {
        let kept = self.workspace.double.take().filter(|(options, _)| *options == self.options);
        let detector = match kept {
            Some(kept) => kept,
            None => (self.options, DoubleDetector::with_options(self.options)?),
        };
        Ok(&mut self.workspace.double.insert(detector).1)
    }

    pub fn pairs(&mut self, pairs: &mut Vec<Pair>) -> Result<(), Failure> {
        if self.is_exact() {
            return self.exactly(|detector, scope| detector.pairs(scope, pairs));
        }
        self.relatively(|detector, scope| detector.pairs(scope, pairs))
    }

    fn count(&mut self) -> Result<u64, Failure> {
        if self.is_exact() {
            return self.exactly(|detector, scope| detector.count(scope));
        }
        self.relatively(|detector, scope| detector.count(scope))
    }

    fn contacts(&mut self, margin: f32, contacts: &mut Vec<Contact>) -> Result<(), Failure> {
        self.relatively(|detector, scope| detector.contacts(scope, margin, contacts))
    }

    fn neighbors(
        &mut self,
        distance: f64,
        adjacency: Adjacency,
        distances: bool,
    ) -> Result<ListColumns, Failure> {
        if self.is_exact() {
            let (mut lists, mut lengths) = (Lists::new(), Vec::new());
            self.double()?;
            let Self { shapes, workspace, .. } = self;
            let Some((_, detector)) = &mut workspace.double else { return Err(no_workspace()) };
            let found = shapes.exact(|columns| {
                if distances {
                    let (lists, lengths) = (&mut lists, &mut lengths);
                    detector.neighbor_distances(columns, distance, adjacency, lists, lengths)
                } else {
                    detector.neighbors(columns, distance, adjacency, &mut lists)
                }
            });
            found.map_err(|error| shapes.failure(error))?;
            let (offsets, rows) = lists.into_parts();
            let lengths = distances.then_some(Lengths::Double(lengths));
            return Ok(ListColumns { offsets, rows, lengths, shifts: None });
        }
        let distance = distance as f32;
        self.single()?;
        let (origin, Self { shapes, workspace, .. }) = (self.shapes.origin(), self);
        let detector = &mut workspace.single;
        if distances {
            let mut lists = Lists::new();
            let found = shapes.relative(origin, |columns| {
                detector.neighbor_distances(columns, distance, adjacency, &mut lists)
            });
            found.map_err(|error| shapes.failure(error))?;
            let (offsets, (rows, lengths, _)) =
                split(lists.into_parts(), |near: &Neighbor| (near.row, near.distance, ()));
            let lengths = Some(Lengths::Single(lengths));
            return Ok(ListColumns { offsets, rows, lengths, shifts: None });
        }
        let mut lists = Lists::new();
        let found = shapes.relative(origin, |columns| {
            detector.neighbors(columns, distance, adjacency, &mut lists)
        });
        found.map_err(|error| shapes.failure(error))?;
        let (offsets, rows) = lists.into_parts();
        Ok(ListColumns { offsets, rows, lengths: None, shifts: None })
    }

    /// Lists in a box that repeats: in `f64` if the library can.
    fn lists_in_box(
        &mut self,
        periodic: PeriodicBox,
        single: impl FnOnce(
            &mut widephase::Detector,
            widephase::Columns<'_>,
            &Periodic,
            &mut Lists<PeriodicNeighbor>,
        ) -> Result<(), Error>,
        double: impl FnOnce(
            &mut DoubleDetector,
            DoubleColumns<'_>,
            &DoublePeriodic,
            &mut Lists<DoublePeriodicNeighbor>,
        ) -> Result<(), Error>,
    ) -> Result<ListColumns, Failure> {
        if self.is_exact() {
            let mut lists = Lists::new();
            self.in_double_box(periodic, |detector, columns, periodic| {
                double(detector, columns, periodic, &mut lists)
            })?;
            let lists = lists.into_parts();
            let (offsets, (rows, lengths, shifts)) =
                split(lists, |near| (near.row, near.distance, near.shift));
            let (lengths, shifts) = (Some(Lengths::Double(lengths)), Some(shifts));
            return Ok(ListColumns { offsets, rows, lengths, shifts });
        }
        let mut lists = Lists::new();
        self.in_box(periodic, |detector, columns, periodic| {
            single(detector, columns, periodic, &mut lists)
        })?;
        let lists = lists.into_parts();
        let (offsets, (rows, lengths, shifts)) =
            split(lists, |near| (near.row, near.distance, near.shift));
        let (lengths, shifts) = (Some(Lengths::Single(lengths)), Some(shifts));
        Ok(ListColumns { offsets, rows, lengths, shifts })
    }

    /// Calls `work` with the shapes in `f64` and a box that repeats.
    fn in_double_box(
        &mut self,
        (min, max, wrap): PeriodicBox,
        work: impl FnOnce(&mut DoubleDetector, DoubleColumns<'_>, &DoublePeriodic) -> Result<(), Error>,
    ) -> Result<(), Failure> {
        self.double()?;
        let Self { shapes, workspace, .. } = self;
        let Some((_, detector)) = &mut workspace.double else { return Err(no_workspace()) };
        shapes
            .exact(|columns| work(detector, columns, &DoublePeriodic { min, max, wrap }))
            .map_err(|error| shapes.failure(error))
    }

    /// Calls `work` with the shapes and a box that repeats, relative to a corner of it.
    fn in_box(
        &mut self,
        (min, max, wrap): PeriodicBox,
        work: impl FnOnce(
            &mut widephase::Detector,
            widephase::Columns<'_>,
            &Periodic,
        ) -> Result<(), Error>,
    ) -> Result<(), Failure> {
        self.single()?;
        let Self { shapes, workspace, .. } = self;
        let finite = min.iter().all(|at| at.is_finite());
        let origin = if shapes.is_double() && finite { min } else { [0.0; 2] };
        let relative =
            |corner: [f64; 2]| [0, 1].map(|axis: usize| (corner[axis] - origin[axis]) as f32);
        let periodic = Periodic { min: relative(min), max: relative(max), wrap };
        let detector = &mut workspace.single;
        shapes
            .relative(origin, |columns| work(detector, columns, &periodic))
            .map_err(|error| shapes.failure(error))
    }

    /// Calls `work` with the shapes in `f64`.
    pub fn exactly<R>(
        &mut self,
        work: impl FnOnce(&mut DoubleDetector, DoubleScope<'_>) -> Result<R, Error>,
    ) -> Result<R, Failure> {
        self.double()?;
        let Self { shapes, against, workspace, .. } = self;
        let Some((_, detector)) = &mut workspace.double else { return Err(no_workspace()) };
        let found = shapes.exact(|columns| match against {
            Some(index) => work(detector, (columns, index.double()?).into()),
            None => work(detector, columns.into()),
        });
        found.map_err(|error| shapes.failure(error))
    }

    /// Calls `work` with the shapes in `f32`.
    fn relatively<R>(
        &mut self,
        work: impl FnOnce(&mut widephase::Detector, widephase::Scope<'_>) -> Result<R, Error>,
    ) -> Result<R, Failure> {
        self.single()?;
        let origin = self.origin();
        let Self { shapes, against, workspace, .. } = self;
        let detector = &mut workspace.single;
        let found = shapes.relative(origin, |columns| match against {
            Some(index) => work(detector, (columns, index.single()?).into()),
            None => work(detector, columns.into()),
        });
        found.map_err(|error| shapes.failure(error))
    }
}

pub fn no_workspace() -> Failure {
    Failure::Panic("a detector without memory".to_owned())
}

/// Lists as three columns of their items.
pub type Split<L, S> = (Vec<usize>, (Vec<u32>, Vec<L>, Vec<S>));

/// Lists of records as offsets and a column for each field.
pub fn split<T, L, S>(
    (offsets, items): (Vec<usize>, Vec<T>),
    parts: impl Fn(&T) -> (u32, L, S),
) -> Split<L, S> {
    let (mut rows, mut lengths) =
        (Vec::with_capacity(items.len()), Vec::with_capacity(items.len()));
    let mut others = Vec::with_capacity(items.len());
    for item in &items {
        let (row, length, other) = parts(item);
        rows.push(row);
        lengths.push(length);
        others.push(other);
    }
    (offsets, (rows, lengths, others))
}
