//! `Detector`: pairs, counts, contacts, neighbours, with memory that is kept.

use std::{
    mem,
    sync::{Arc, Mutex, PoisonError},
};

use bytemuck::{Zeroable, allocation::cast_vec};
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
    errors::{Failure, within},
    held::Held,
    index::Index,
    memory::{HugePages, take_pieces, zeros},
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

    /// The contacts as rows of 16 words; of 20 words if positions are `f64`.
    fn contacts<'py>(
        &self,
        py: Python<'py>,
        shapes: &Shapes,
        against: Option<&Index>,
        margin: f32,
        sorted: bool,
    ) -> PyResult<(Bound<'py, PyArray1<u32>>, bool)> {
        let (words, is_wide) = self.detect(py, shapes, against, sorted, move |call| {
            let mut contacts: Vec<Contact> = Vec::new();
            call.contacts(margin, &mut contacts)?;
            Ok(match call.origin_of_answer()? {
                None => (cast_vec(contacts), false),
                Some(origin) => (cast_vec(wide_contacts(contacts, origin)?), true),
            })
        })?;
        Ok((arrays::array(py, words)?, is_wide))
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
            let mut parts = Parts::<Pair, [i16; 2], ()>::new(found.len())?;
            split(found, &mut parts, |found| (found.pair, found.shift, ()));
            Ok((parts.first, parts.second))
        })?;
        Ok((arrays::pairs(py, pairs)?, arrays::rows(py, cast_vec(shifts), 2)?))
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
            let (x, y) = (dx.read()?, dy.read()?);
            let moves = Displacements { x: &x, y: &y, bullets: Bullets::All, start };
            let mut impacts: Vec<Impact> = Vec::new();
            call.relatively(|detector, scope| detector.swept_pairs(scope, moves, &mut impacts))?;
            Ok((impacts, call.origin_of_answer()?))
        })?;
        Ok((arrays::words(py, impacts)?, origin))
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
        let index = against;
        let against = index.map(|index| index.sorted(py)).transpose()?;
        let (rows, others) = (shapes.len(), against.as_ref().map_or(shapes.len(), |of| of.rows()));
        let (max_pairs, max_contacts) = (self.max_pairs, self.max_contacts);
        let options = self.options.options(rows, sorted);
        let options = Options { max_pairs, max_contacts, ..options };
        let long = may_take_long(rows, others);
        let mut threads = self.options.threads_for(rows);
        if let (Some(index), Some(against)) = (index, &against) {
            // The index answers with its own options.
            threads = threads.max(index.threads_for(against, against.is_exact_for(&shapes), rows));
        }
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

impl Lengths {
    pub fn len(&self) -> usize {
        match self {
            Self::Single(values) => values.len(),
            Self::Double(values) => values.len(),
        }
    }

    pub fn make_room(&mut self, more: usize) -> Result<(), Error> {
        let room = match self {
            Self::Single(values) => values.try_reserve(more),
            Self::Double(values) => values.try_reserve(more),
        };
        room.map_err(|_| Error::OutOfMemory { len: more })
    }

    /// Appends a distance, rounded if distances are `f32`.
    pub fn push(&mut self, distance: f64) {
        match self {
            Self::Single(values) => values.push(distance as f32),
            Self::Double(values) => values.push(distance),
        }
    }

    pub fn array(self, py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
        Ok(match self {
            Self::Single(values) => arrays::array(py, values)?.into_any(),
            Self::Double(values) => arrays::array(py, values)?.into_any(),
        })
    }
}

/// Lists of rows, with columns of their distances and shifts.
pub struct ListColumns {
    pub offsets: Vec<usize>,
    pub rows: Vec<u32>,
    pub lengths: Option<Lengths>,
    pub shifts: Option<Vec<[i16; 2]>>,
}

impl ListColumns {
    pub fn of_neighbors((offsets, near): (Vec<usize>, Vec<Neighbor>)) -> Result<Self, Failure> {
        let mut parts = Parts::new(near.len())?;
        split(near, &mut parts, |near| (near.row, near.distance, ()));
        let Parts { first: rows, second: lengths, .. } = parts;
        Ok(Self { offsets, rows, lengths: Some(Lengths::Single(lengths)), shifts: None })
    }

    fn arrays(self, py: Python<'_>) -> PyResult<ListsAndMore<'_>> {
        let lengths = self.lengths.map(|lengths| lengths.array(py));
        let shifts = self.shifts.map(|shifts| arrays::rows(py, cast_vec(shifts), 2)).transpose()?;
        let (offsets, rows) = arrays::list_parts(py, (self.offsets, self.rows))?;
        Ok((offsets, rows, lengths.transpose()?, shifts))
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

    fn origin(&self) -> Result<[f64; 2], Error> {
        self.against.as_ref().map_or_else(|| self.shapes.origin(), |index| Ok(index.origin()))
    }

    /// The origin of positions that are answered, if they are `f64`.
    fn origin_of_answer(&self) -> Result<Option<[f64; 2]>, Error> {
        self.is_double().then(|| self.origin()).transpose()
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
        let (origin, Self { shapes, workspace, .. }) = (self.shapes.origin()?, self);
        let detector = &mut workspace.single;
        if distances {
            let mut lists = Lists::new();
            let found = shapes.relative(origin, |columns| {
                detector.neighbor_distances(columns, distance, adjacency, &mut lists)
            });
            found.map_err(|error| shapes.failure(error))?;
            return ListColumns::of_neighbors(lists.into_parts());
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
        let _pages = HugePages::ask();
        if self.is_exact() {
            let mut lists = Lists::new();
            self.in_double_box(periodic, |detector, columns, periodic| {
                double(detector, columns, periodic, &mut lists)
            })?;
            within(self.options.max_pairs, lists.items().len())?;
            let (offsets, near) = lists.into_parts();
            let mut parts = Parts::new(near.len())?;
            split(near, &mut parts, |near| (near.row, near.distance, near.shift));
            let Parts { first: rows, second: lengths, third: shifts } = parts;
            let (lengths, shifts) = (Some(Lengths::Double(lengths)), Some(shifts));
            return Ok(ListColumns { offsets, rows, lengths, shifts });
        }
        let mut lists = Lists::new();
        self.in_box(periodic, |detector, columns, periodic| {
            single(detector, columns, periodic, &mut lists)
        })?;
        within(self.options.max_pairs, lists.items().len())?;
        let (offsets, near) = lists.into_parts();
        let mut parts = Parts::new(near.len())?;
        split(near, &mut parts, |near| (near.row, near.distance, near.shift));
        let Parts { first: rows, second: lengths, third: shifts } = parts;
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
        let origin = self.origin()?;
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

/// The lists. With `sorted`, each list is in the order of its rows.
pub fn by_row<T>(lists: Lists<T>, sorted: bool, row: impl Fn(&T) -> u32) -> (Vec<usize>, Vec<T>) {
    let (offsets, mut items) = lists.into_parts();
    for ends in offsets.windows(2).filter(|_| sorted) {
        items[ends[0]..ends[1]].sort_unstable_by_key(&row);
    }
    (offsets, items)
}

/// A contact with positions of `f64`, as words.
type WideContact = [u32; 20];

/// Contacts with positions of `f64`, from positions relative to an origin. A point that is not in use
/// stays zero.
fn wide_contacts(contacts: Vec<Contact>, origin: [f64; 2]) -> Result<Vec<WideContact>, Error> {
    /// The words before the points, and the words of a point.
    const HEAD: usize = 8;
    const POINT: usize = 4;
    let mut wide: Vec<WideContact> = zeros(contacts.len())?;
    take_pieces(contacts, |row, contact| {
        let words: [u32; 16] = bytemuck::cast(*contact);
        let to = &mut wide[row];
        to[..HEAD].copy_from_slice(&words[..HEAD]);
        for point in 0..2_usize {
            let from = &words[HEAD + point * POINT..][..POINT];
            let place = &mut to[HEAD + point * (POINT + 2)..][..POINT + 2];
            if (point as u32) < words[HEAD - 1] {
                for (axis, origin) in origin.iter().enumerate() {
                    let at = origin + f64::from(f32::from_bits(from[axis]));
                    place[2 * axis..][..2].copy_from_slice(&bytemuck::cast::<_, [u32; 2]>(at));
                }
            }
            place[4..].copy_from_slice(&from[2..]);
        }
    });
    Ok(wide)
}

/// Columns of the fields of records.
struct Parts<A, B, C> {
    first: Vec<A>,
    second: Vec<B>,
    third: Vec<C>,
}

impl<A: Zeroable, B: Zeroable, C: Zeroable> Parts<A, B, C> {
    /// Columns of zeros.
    fn new(len: usize) -> Result<Self, Error> {
        Ok(Self { first: zeros(len)?, second: zeros(len)?, third: zeros(len)? })
    }
}

/// Moves the fields of records into columns.
fn split<T, A, B, C>(
    records: Vec<T>,
    columns: &mut Parts<A, B, C>,
    fields: impl Fn(&T) -> (A, B, C),
) {
    take_pieces(records, |row, record| {
        let (first, second, third) = fields(record);
        columns.first[row] = first;
        columns.second[row] = second;
        columns.third[row] = third;
    });
}
