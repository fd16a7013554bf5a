//! One detection, from columns to pairs.

use std::marker::PhantomData;

use super::{
    collect::{Scene, TaskBuffers},
    compact::Compact,
    options::{DEFAULT_MAX_PAIRS, Order, Threads},
};
use crate::{
    Columns, Error, Level, Pair, Touching,
    grid::{
        BoxInstance, CellSize, CircleInstance, Ids, Instance, NORMAL_RADIUS, Partition, Plan,
        RecordSource, RoundedInstance, Sorted,
    },
    parallel,
    simd::Isa,
    store::{Extent, Layout},
};

/// Bodies (or pairs to sort) from which on several threads are worth it: below, waking them costs
/// about what they save (measured, docs/performance.md).
const PARALLEL_BODIES: usize = 1 << 15;

/// Bodies from which on the sort takes two steps: below, what one step scatters to fits into the
/// second-level cache (measured, docs/performance.md).
const PARTITION_BODIES: usize = 1 << 14;

/// Finds all pairs of touching shapes.
///
/// A detector keeps nothing between calls but its options and scratch memory (at most 100 bytes a
/// shape, beside the pairs; one that is given scenes now of circles, now of boxes, now of both keeps
/// up to 32 more for each): each call sees the shapes it is given and no others. Keep one and use
/// it again; from the second call on like scenes, nothing is allocated.
///
/// Every result is a function of the shapes and options alone. Level and threads change the time
/// and not one bit.
///
/// ```
/// use widephase::{Columns, Detector, Order, Pair, Touching};
///
/// let mut detector = Detector::new().touching(Touching::Exclusive).order(Order::Sorted);
/// let mut pairs = Vec::new();
/// // Three unit squares in a row: the first two overlap, the third only touches the second.
/// let (left, right) = ([0.0, 0.5, 1.5], [1.0, 1.5, 2.5]);
/// let (low, high) = ([0.0; 3], [1.0; 3]);
/// detector.detect(Columns::aabbs(&left, &low, &right, &high)?, &mut pairs)?;
/// assert_eq!(pairs, [Pair { a: 0, b: 1 }]);
/// # Ok::<(), widephase::Error>(())
/// ```
///
/// # Cost
/// For shapes of similar size that are spread evenly, time and memory grow with the number of
/// shapes and of pairs. The cells are as large as the largest shape, so one giant among many small
/// shapes costs, at worst, a test of each against each. Any input gives the right answer.
#[derive(Debug, Default)]
pub struct Detector {
    level: Option<Level>,
    touching: Touching,
    order: Order,
    cell_size: CellSize,
    max_pairs: Option<usize>,
    threads: Threads,
    scratch: Scratch,
}

/// The memory of a detector.
#[derive(Debug, Default)]
struct Scratch {
    circles: Partition<CircleInstance>,
    boxes: Partition<BoxInstance>,
    rounded: Partition<RoundedInstance>,
    compact: Compact,
    /// What all kinds of scene share.
    stage: Stage,
}

#[derive(Debug, Default)]
struct Stage {
    sorted: Sorted,
    tasks: TaskBuffers,
    /// One block of pairs on their way to a callback.
    block: Vec<Pair>,
}

/// What is wanted of the pairs.
enum Output<'a> {
    List(&'a mut Vec<Pair>),
    Count,
    Each(&'a mut dyn FnMut(Pair)),
}

impl Detector {
    /// A detector with the default options: the [preferred](Level::preferred) level, touching
    /// included, grid order, automatic cells, at most [`DEFAULT_MAX_PAIRS`] pairs, the threads of
    /// the current pool for large scenes.
    pub fn new() -> Self {
        Self::default()
    }

    /// Forces a level.
    ///
    /// # Errors
    /// [`Error::LevelUnavailable`] if this CPU lacks it.
    pub fn level(self, level: Level) -> Result<Self, Error> {
        Ok(Self { level: Some(level.required()?), ..self })
    }

    /// Chooses whether shapes that touch without overlapping are pairs.
    pub fn touching(self, touching: Touching) -> Self {
        Self { touching, ..self }
    }

    /// Chooses the order of listed pairs.
    pub fn order(self, order: Order) -> Self {
        Self { order, ..self }
    }

    /// Chooses the size of the grid's cells.
    ///
    /// # Errors
    /// [`Error::InvalidCellSize`] if it is not finite, above 0 and at most 2^60.
    pub fn cell_size(self, size: CellSize) -> Result<Self, Error> {
        Ok(Self { cell_size: size.checked()?, ..self })
    }

    /// Chooses how many pairs may be listed at most; `usize::MAX` for as many as memory holds.
    pub fn max_pairs(self, limit: usize) -> Self {
        Self { max_pairs: Some(limit), ..self }
    }

    /// Chooses which threads it runs on.
    pub fn threads(self, threads: Threads) -> Self {
        Self { threads, ..self }
    }

    /// Replaces the content of `pairs` by all pairs of touching shapes.
    ///
    /// The list is written over and keeps its memory: hand in the same one at every step.
    ///
    /// # Errors
    /// [`Error::InvalidShape`] for the first value that the numeric contract does not admit;
    /// [`Error::TooManyPairs`] beyond [`max_pairs`](Detector::max_pairs), with the number that
    /// there are; [`Error::OutOfMemory`]; the errors of [`Level::preferred`]. `pairs` is then
    /// empty.
    pub fn detect<'a>(
        &mut self,
        shapes: impl Into<Columns<'a>>,
        pairs: &mut Vec<Pair>,
    ) -> Result<(), Error> {
        let result = self.run(shapes.into(), Output::List(pairs));
        match (&result, self.order) {
            (Ok(_), Order::Grid) => {}
            (Ok(_), Order::Sorted) => {
                let threads = uses_pool(self.threads, pairs.len());
                sort(pairs, threads);
            }
            (Err(_), _) => pairs.clear(),
        }
        result.map(|_| ())
    }

    /// The number of pairs of touching shapes, however many; none is stored.
    ///
    /// # Errors
    /// [`Error::InvalidShape`], and the errors of [`Level::preferred`].
    pub fn count<'a>(&mut self, shapes: impl Into<Columns<'a>>) -> Result<u64, Error> {
        self.run(shapes.into(), Output::Count)
    }

    /// Calls `each` for every pair of touching shapes, in grid order, on the calling thread, and
    /// returns how many there were. At most a block of pairs is in memory at a time.
    ///
    /// # Errors
    /// [`Error::InvalidShape`], and the errors of [`Level::preferred`]; `each` has then not been
    /// called.
    pub fn for_each<'a>(
        &mut self,
        shapes: impl Into<Columns<'a>>,
        mut each: impl FnMut(Pair),
    ) -> Result<u64, Error> {
        self.run(shapes.into(), Output::Each(&mut each))
    }

    /// The bytes of scratch memory held, for callers who watch their memory.
    pub fn scratch_bytes(&self) -> usize {
        let Scratch { circles, boxes, rounded, compact, stage } = &self.scratch;
        let Stage { sorted, tasks, block } = stage;
        let inputs = circles.bytes() + boxes.bytes() + rounded.bytes() + compact.bytes();
        inputs + sorted.bytes() + tasks.bytes() + block.capacity() * size_of::<Pair>()
    }

    fn run(&mut self, columns: Columns<'_>, output: Output<'_>) -> Result<u64, Error> {
        let level = match self.level {
            Some(level) => level,
            None => Level::preferred()?,
        };
        let isa = Isa::new(level)?;
        let Scratch { circles, boxes, rounded, compact, stage } = &mut self.scratch;
        let mut shapes = columns.check_on(isa)?;
        let mut ids = Ids::Rows;
        if let Some(live) = shapes.live {
            let (layout, rows) = compact.fill(shapes.layout, live, shapes.len);
            shapes = Columns::closed(layout, rows.len()).check_on(isa)?;
            ids = Ids::List(rows);
        }
        let job = Job {
            isa,
            extent: shapes.extent,
            count: shapes.len,
            ids,
            cell_size: self.cell_size,
            inclusive: self.touching == Touching::Inclusive,
            limit: self.max_pairs.unwrap_or(DEFAULT_MAX_PAIRS),
            threads: uses_pool(self.threads, shapes.len),
        };
        match shapes.layout {
            Layout::Circles(set) if shapes.extent.smallest_radius >= NORMAL_RADIUS => {
                job.run(set, circles, stage, output)
            }
            Layout::Circles(set) => job.run(set, rounded, stage, output),
            Layout::Boxes(set) => job.run(set, boxes, stage, output),
            Layout::Centered(set) => job.run(set, boxes, stage, output),
            Layout::Rounded(set) => job.run(set, rounded, stage, output),
        }
    }
}

/// Whether work on `items` bodies or pairs is split over threads.
fn uses_pool(threads: Threads, items: usize) -> bool {
    let wanted = match threads {
        Threads::Auto => items >= PARALLEL_BODIES,
        Threads::Pool => true,
        Threads::Calling => false,
    };
    wanted && parallel::threads() > 1
}

/// One detection over columns that have been checked.
struct Job<'a> {
    isa: Isa,
    extent: Extent,
    count: usize,
    ids: Ids<'a>,
    cell_size: CellSize,
    inclusive: bool,
    limit: usize,
    threads: bool,
}

impl Job<'_> {
    fn run<I: Instance, C: RecordSource<I>>(
        self,
        set: C,
        partition: &mut Partition<I>,
        stage: &mut Stage,
        output: Output<'_>,
    ) -> Result<u64, Error> {
        let Self { isa, extent, count, ids, cell_size, inclusive, limit, threads } = self;
        let Stage { sorted, tasks, block } = stage;
        if count < 2 {
            if let Output::List(pairs) = output {
                pairs.clear();
            }
            return Ok(0);
        }
        let plan = Plan::new(&extent, count, cell_size);
        if count < PARTITION_BODIES && !threads {
            sorted.fill_directly(isa, &plan, set, ids, count);
        } else {
            partition.fill(isa, &plan, set, ids, count, threads);
            sorted.fill(&plan, partition, count, threads);
        }
        let table = sorted.table(isa, &plan);
        let scene: Scene<'_, I> = Scene { isa, inclusive, sorted, table, instance: PhantomData };
        match output {
            Output::List(pairs) => {
                scene.collect(pairs, limit, threads, tasks).map(|()| pairs.len() as u64)
            }
            Output::Count => Ok(scene.count(threads, tasks)),
            Output::Each(each) => Ok(scene.for_each(block, each)),
        }
    }
}

/// Sorts by `a`, then by `b`.
fn sort(pairs: &mut [Pair], threads: bool) {
    let key = |pair: &Pair| u64::from(pair.a) << 32 | u64::from(pair.b);
    #[cfg(feature = "parallel")]
    if threads {
        use rayon::slice::ParallelSliceMut;
        pairs.par_sort_unstable_by_key(key);
        return;
    }
    let _ = threads;
    pairs.sort_unstable_by_key(key);
}
