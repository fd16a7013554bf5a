//! One detection, from columns to pairs.

use super::{
    agenda::Agenda,
    collect::{Narrow, Scene},
    compact::Compact,
    delivery::Crew,
    narrow::{Benches, Found},
    numbers::Numbers,
    options::{DEFAULT_MAX_CONTACTS, DEFAULT_MAX_PAIRS, Order, Threads},
    rows::PlacedRows,
    statics::StaticSet,
    widen::Widen,
};
use crate::{
    Columns, Contact, Error, Level, Pair, Touching,
    grid::{
        CellSize, Grid, Ids, Instance, Levels, Partition, RecordSource, Site, with_form,
        with_instance,
    },
    narrowphase::{Rule, Set, View, check_margin},
    parallel,
    simd::Isa,
    store::{Checked, index_fits},
};

/// Bodies (or pairs to sort) from which on several threads are worth it: below, waking them costs
/// about what they save (measured, docs/performance.md).
const PARALLEL_BODIES: usize = 1 << 16;

/// Finds all pairs of touching shapes.
///
/// A detector keeps nothing between calls but its options and scratch memory: each call sees the
/// shapes it is given and no others. Keep one and use it again; from the second call on like scenes,
/// nothing is allocated, but for what [`Threads`] says of rayon. ([`grid_order`](Detector::grid_order)
/// tells about the last call.)
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
/// Time and memory grow with the number of shapes and of pairs, however the shapes are spread and
/// whatever their sizes: shapes of different size are in different [`Levels`] of cells, and the
/// number of cells goes with the shapes and not with the area that they span. At worst, a shape that
/// covers more cells than a level has is tested against all that are in it. Any input gives the
/// right answer.
#[derive(Debug, Default)]
pub struct Detector {
    level: Option<Level>,
    touching: Touching,
    order: Order,
    cell_size: CellSize,
    levels: Levels,
    max_pairs: Option<usize>,
    max_contacts: Option<usize>,
    threads: Threads,
    scratch: Scratch,
}

/// The memory of a detector.
#[derive(Debug, Default)]
struct Scratch {
    compact: Compact,
    widen: Widen,
    stage: Stage,
}

/// All but the shapes.
#[derive(Debug, Default)]
struct Stage {
    partition: Partition,
    grid: Grid,
    agenda: Agenda,
    pair_crew: Crew<Pair>,
    contact_crew: Crew<Contact>,
    benches: Benches,
    numbers: Numbers,
    placed: PlacedRows,
}

/// What is wanted of pairs.
enum Output<'a> {
    List(List<'a>),
    Count,
    Each(&'a mut dyn FnMut(Pair)),
}

/// A list of pairs, or of their contacts.
enum List<'a> {
    Pairs(&'a mut Vec<Pair>),
    Contacts(&'a mut Vec<Contact>),
}

/// Static shapes to look for, and where the pairs with them go. Nobody counts those: it would be code for every
/// two instances.
type Against<'a> = Option<(&'a StaticSet, List<'a>)>;

impl Detector {
    /// A detector with the default options: the [preferred](Level::preferred) level, touching
    /// included, grid order, automatic cells, at most [`DEFAULT_MAX_PAIRS`] pairs and
    /// [`DEFAULT_MAX_CONTACTS`] contacts, the threads of the current pool for large scenes.
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

    /// Chooses how shapes of different size are kept apart.
    ///
    /// # Errors
    /// [`Error::TooManyLevels`], [`Error::InvalidLevel`].
    pub fn levels(self, levels: Levels) -> Result<Self, Error> {
        Ok(Self { levels: levels.checked()?, ..self })
    }

    /// Chooses how many pairs may be listed at most; `usize::MAX` for as many as memory holds.
    pub fn max_pairs(self, limit: usize) -> Self {
        Self { max_pairs: Some(limit), ..self }
    }

    /// Chooses how many contacts may be listed at most, of 64 bytes each; `usize::MAX` for as many as memory
    /// holds.
    pub fn max_contacts(self, limit: usize) -> Self {
        Self { max_contacts: Some(limit), ..self }
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
        let result = self.run(shapes.into(), 0.0, Some(Output::List(List::Pairs(pairs))), None);
        if result.is_err() {
            pairs.clear();
        }
        self.arrange(pairs);
        result.map(|_| ())
    }

    /// As [`detect`](Detector::detect), and finds which of the shapes touch which of `statics`,
    /// too. Those touch each other or not: nobody looks.
    ///
    /// Replaces the content of `static_pairs` by pairs of `a`, an index of the shapes, and `b`, an
    /// index of the static ones: ordered by `a`, then by `b`, if [`Order::Sorted`] is wanted, else
    /// by what the two grids make of it, a function of shapes and options alone, too.
    ///
    /// Costs what the shapes cost, and what they touch; nothing goes with the number of static ones.
    ///
    /// # Errors
    /// Those of [`detect`](Detector::detect), [`max_pairs`](Detector::max_pairs) holding for each
    /// of the lists; [`Error::TooManyShapes`] if both sets together have more than [`u32::MAX`]
    /// rows. Both lists are then empty.
    ///
    /// ```
    /// use widephase::{Columns, Detector, Pair, StaticSet};
    ///
    /// // A floor and a wall, and two balls: one lies on the floor, one flies.
    /// let (left, low, right, high) = ([-9.0, 9.0], [-1.0, -1.0], [9.0, 10.0], [0.0, 9.0]);
    /// let level = StaticSet::build(Columns::aabbs(&left, &low, &right, &high)?)?;
    /// let balls = Columns::circles(&[0.0, 4.0], &[1.0, 5.0], &[1.0, 1.0])?;
    /// let (mut pairs, mut hits) = (Vec::new(), Vec::new());
    /// Detector::new().detect_with(balls, &level, &mut pairs, &mut hits)?;
    /// assert_eq!(pairs, []);
    /// assert_eq!(hits, [Pair { a: 0, b: 0 }]);
    /// # Ok::<(), widephase::Error>(())
    /// ```
    pub fn detect_with<'a>(
        &mut self,
        shapes: impl Into<Columns<'a>>,
        statics: &StaticSet,
        pairs: &mut Vec<Pair>,
        static_pairs: &mut Vec<Pair>,
    ) -> Result<(), Error> {
        static_pairs.clear();
        let against = Some((statics, List::Pairs(static_pairs)));
        let result = self.run(shapes.into(), 0.0, Some(Output::List(List::Pairs(pairs))), against);
        if result.is_err() {
            pairs.clear();
            static_pairs.clear();
        }
        for pair in &mut *static_pairs {
            pair.b = !pair.b;
        }
        self.arrange(pairs);
        self.arrange(static_pairs);
        result.map(|_| ())
    }

    /// Finds which of the shapes touch which of `statics`, and does not look which of the shapes touch each
    /// other: for bullets and walls, a crowd and its triggers, or one of several static sets.
    ///
    /// Replaces the content of `pairs` by what [`detect_with`](Detector::detect_with) lists as
    /// `static_pairs`, in the same order.
    ///
    /// # Errors
    /// Those of [`detect_with`](Detector::detect_with); `pairs` is then empty.
    ///
    /// ```
    /// use widephase::{Columns, Detector, Pair, StaticSet};
    ///
    /// // Three bullets in one place, which nobody asks about, at a wall.
    /// let (x, y) = ([1.0; 3], [2.0; 3]);
    /// let wall = StaticSet::build(Columns::aabbs(&[1.0], &[0.0], &[2.0], &[9.0])?)?;
    /// let mut hits = Vec::new();
    /// Detector::new().detect_against(Columns::points(&x, &y)?, &wall, &mut hits)?;
    /// assert_eq!(hits.len(), 3);
    /// assert!(hits.contains(&Pair { a: 2, b: 0 }));
    /// # Ok::<(), widephase::Error>(())
    /// ```
    pub fn detect_against<'a>(
        &mut self,
        shapes: impl Into<Columns<'a>>,
        statics: &StaticSet,
        pairs: &mut Vec<Pair>,
    ) -> Result<(), Error> {
        pairs.clear();
        let against = Some((statics, List::Pairs(pairs)));
        let result = self.run(shapes.into(), 0.0, None, against);
        if result.is_err() {
            pairs.clear();
        }
        for pair in &mut *pairs {
            pair.b = !pair.b;
        }
        self.arrange(pairs);
        result.map(|_| ())
    }

    /// Brings listed pairs into the order that the caller wants.
    fn arrange(&self, pairs: &mut [Pair]) {
        if self.order == Order::Sorted {
            sort(pairs, uses_pool(self.threads, pairs.len()), pair_key);
        }
    }

    /// The same for contacts.
    fn arrange_contacts(&self, contacts: &mut [Contact]) {
        if self.order == Order::Sorted {
            let key = |contact: &Contact| (pair_key(&contact.pair), contact.part_a, contact.part_b);
            sort(contacts, uses_pool(self.threads, contacts.len()), key);
        }
    }

    /// Replaces the content of `contacts` by the contacts of all shapes that touch, or are at most
    /// `margin` apart: how deep, where, and in which direction. The latter have a depth of at most zero; a
    /// solver can keep them from overlapping in the first place (speculative contacts).
    ///
    /// With a margin of 0, there is one contact for each pair that [`detect`](Detector::detect) lists,
    /// in the same order; a pair with a compound has one for each two parts that touch. With a margin,
    /// the order is that of the grid over the shapes as much larger.
    ///
    /// `margin` is in the unit of length, at least 0 and at most 2^60. Costs what `detect` costs, and
    /// for each contact somewhat more (docs/performance.md); contacts take 64 bytes each.
    ///
    /// # Errors
    /// Those of [`detect`](Detector::detect), but [`Error::TooManyContacts`] beyond
    /// [`max_contacts`](Detector::max_contacts); [`Error::InvalidMargin`]. `contacts` is then empty.
    ///
    /// ```
    /// use widephase::{Detector, Shapes, shape::{Obb, Rotation}};
    ///
    /// // A box that stands on a corner, 0.25 above another box.
    /// let half = 0.5_f32.sqrt();
    /// let on_corner = Rotation { cos: half, sin: half };
    /// let mut shapes = Shapes::new();
    /// shapes.push(Obb::new([0.0, 0.0], [4.0, 1.0], Rotation::IDENTITY))?;
    /// shapes.push(Obb::new([0.0, 2.25], [half, half], on_corner))?;
    ///
    /// let (mut detector, mut contacts) = (Detector::new(), Vec::new());
    /// detector.contacts(&shapes, 0.0, &mut contacts)?;
    /// assert!(contacts.is_empty());
    /// detector.contacts(&shapes, 0.5, &mut contacts)?;
    /// assert_eq!((contacts[0].normal_x, contacts[0].normal_y), (0.0, 1.0));
    /// assert!((contacts[0].depth + 0.25).abs() < 1e-6);
    /// # Ok::<(), widephase::Error>(())
    /// ```
    pub fn contacts<'a>(
        &mut self,
        shapes: impl Into<Columns<'a>>,
        margin: f32,
        contacts: &mut Vec<Contact>,
    ) -> Result<(), Error> {
        let result =
            self.run(shapes.into(), margin, Some(Output::List(List::Contacts(contacts))), None);
        if result.is_err() {
            contacts.clear();
        }
        self.arrange_contacts(contacts);
        result.map(|_| ())
    }

    /// As [`contacts`](Detector::contacts), and the contacts of the shapes with `statics`, too: `a` is an
    /// index of the shapes, `b` one of the static ones. Those of the shapes are the same as without static
    /// ones; with a margin, the order may be another.
    ///
    /// # Errors
    /// Those of [`contacts`](Detector::contacts), the limit holding for each of the lists;
    /// [`Error::TooManyShapes`] if both sets together have more than [`u32::MAX`] rows. Both lists are then
    /// empty.
    pub fn contacts_with<'a>(
        &mut self,
        shapes: impl Into<Columns<'a>>,
        statics: &StaticSet,
        margin: f32,
        contacts: &mut Vec<Contact>,
        static_contacts: &mut Vec<Contact>,
    ) -> Result<(), Error> {
        static_contacts.clear();
        let against = Some((statics, List::Contacts(static_contacts)));
        let result =
            self.run(shapes.into(), margin, Some(Output::List(List::Contacts(contacts))), against);
        if result.is_err() {
            contacts.clear();
            static_contacts.clear();
        }
        self.arrange_contacts(contacts);
        self.arrange_contacts(static_contacts);
        result.map(|_| ())
    }

    /// As [`detect_against`](Detector::detect_against), with contacts instead of pairs: what
    /// [`contacts_with`](Detector::contacts_with) lists as `static_contacts`.
    ///
    /// # Errors
    /// Those of [`contacts_with`](Detector::contacts_with); `contacts` is then empty.
    pub fn contacts_against<'a>(
        &mut self,
        shapes: impl Into<Columns<'a>>,
        statics: &StaticSet,
        margin: f32,
        contacts: &mut Vec<Contact>,
    ) -> Result<(), Error> {
        contacts.clear();
        let against = Some((statics, List::Contacts(contacts)));
        let result = self.run(shapes.into(), margin, None, against);
        if result.is_err() {
            contacts.clear();
        }
        self.arrange_contacts(contacts);
        result.map(|_| ())
    }

    /// The number of pairs of touching shapes, however many; none is stored.
    ///
    /// # Errors
    /// [`Error::InvalidShape`], and the errors of [`Level::preferred`].
    pub fn count<'a>(&mut self, shapes: impl Into<Columns<'a>>) -> Result<u64, Error> {
        self.run(shapes.into(), 0.0, Some(Output::Count), None)
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
        self.run(shapes.into(), 0.0, Some(Output::Each(&mut each)), None)
    }

    /// Replaces the content of `order` by the rows of the shapes of the last call that found all
    /// values valid, in the order of its grid: row by row of cells, those of one size behind those of
    /// another.
    ///
    /// Whoever keeps the shapes in this order, and sorts them anew once in a while, hands in nearly
    /// sorted rows at every step. The detector notices, and sorts in one step what it otherwise
    /// sorts in two: at a million circles a third of the time of a detection (measured,
    /// docs/performance.md). Bringing the shapes into the order at every step would cost as much as
    /// it saves. Empty before the first call; vacant rows are not listed.
    ///
    /// ```
    /// use widephase::{Detector, Shapes, shape::Circle};
    ///
    /// let mut shapes = Shapes::new();
    /// for x in [30.0, 10.0, 20.0] {
    ///     shapes.push(Circle::new([x, 0.0], 1.0))?;
    /// }
    /// let (mut detector, mut pairs, mut order) = (Detector::new(), Vec::new(), Vec::new());
    /// detector.detect(&shapes, &mut pairs)?;
    /// detector.grid_order(&mut order);
    /// assert_eq!(order, [1, 2, 0]);
    /// shapes.reorder(&order)?;
    /// # Ok::<(), widephase::Error>(())
    /// ```
    pub fn grid_order(&self, order: &mut Vec<u32>) {
        self.scratch.stage.grid.order(order);
    }

    /// The bytes of scratch memory held, for callers who watch their memory: at most 100 a shape; 27 more
    /// where a [`Shapes`](crate::Shapes) store has vacant rows, and as many for contacts with a margin; 36
    /// more for each row, vacant or not, where shapes that do not turn meet static ones that do, or of which contacts
    /// are asked for; and a few kilobytes that show in small scenes. Besides, pairs on their way: a block of them for
    /// [`for_each`](Detector::for_each), up to 400 kilobytes a thread for those that the sweep does not
    /// decide (and for each vertex of the largest polygon 512 bytes, for each part of the largest compound
    /// 28), and on several threads those that each task finds.
    pub fn scratch_bytes(&self) -> usize {
        let Scratch { compact, widen, stage } = &self.scratch;
        let Stage { partition, grid, agenda, pair_crew, contact_crew, benches, numbers, placed } =
            stage;
        let inputs = compact.bytes() + widen.bytes() + partition.bytes() + placed.bytes();
        let tasks = pair_crew.bytes() + contact_crew.bytes() + benches.bytes();
        inputs + grid.bytes() + agenda.bytes() + numbers.bytes() + tasks
    }

    fn run(
        &mut self,
        columns: Columns<'_>,
        margin: f32,
        output: Option<Output<'_>>,
        against: Against<'_>,
    ) -> Result<u64, Error> {
        check_margin(margin)?;
        let level = match self.level {
            Some(level) => level,
            None => Level::preferred()?,
        };
        let isa = Isa::new(level)?;
        let threads = uses_pool(self.threads, columns.len());
        let Scratch { compact, widen, stage } = &mut self.scratch;
        if let Some((statics, _)) = &against {
            index_fits(columns.len() + statics.rows())?;
        }
        let view = View::of(&columns);
        let (mut shapes, ids) = parallel::enter(threads, || compact.close(columns, isa, threads))?;
        if margin > 0.0 {
            // Those that stay do not grow, so those that move do for them; among each other, too.
            let share = if against.is_some() { margin } else { margin * 0.5 };
            shapes = widen.by(share, shapes, isa, threads)?;
        }
        let contacts = matches!(output, Some(Output::List(List::Contacts(_))))
            || matches!(against, Some((_, List::Contacts(_))));
        let job = Job {
            isa,
            shapes,
            ids,
            cell_size: self.cell_size,
            levels: &self.levels,
            view,
            rows: columns.len(),
            margin,
            inclusive: self.touching == Touching::Inclusive,
            contacts,
            limit: if contacts {
                self.max_contacts.unwrap_or(DEFAULT_MAX_CONTACTS)
            } else {
                self.max_pairs.unwrap_or(DEFAULT_MAX_PAIRS)
            },
            threads: uses_pool(self.threads, shapes.len),
        };
        with_instance!(shapes, I, set => job.run::<I, _>(set, stage, output, against))
    }
}

/// Whether work on `items` bodies or pairs is split over threads.
pub(super) fn uses_pool(threads: Threads, items: usize) -> bool {
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
    shapes: Checked<'a>,
    ids: Ids<'a>,
    cell_size: CellSize,
    levels: &'a Levels,
    /// All rows, vacant ones included.
    view: View<'a>,
    rows: usize,
    margin: f32,
    inclusive: bool,
    /// Whether contacts are wanted, and not pairs.
    contacts: bool,
    limit: usize,
    threads: bool,
}

impl Job<'_> {
    fn run<I: Instance, C: RecordSource<I>>(
        self,
        set: C,
        stage: &mut Stage,
        output: Option<Output<'_>>,
        against: Against<'_>,
    ) -> Result<u64, Error> {
        let Self { isa, shapes, ids, cell_size, levels, view, margin, .. } = self;
        let Self { rows, inclusive, contacts, limit, threads, .. } = self;
        let Stage { partition, grid, agenda, pair_crew, contact_crew, benches, numbers, placed } =
            stage;
        let benches = &*benches;
        let Checked { len: count, extent, .. } = shapes;
        if count == 0 {
            grid.clear();
            match output {
                Some(Output::List(List::Pairs(pairs))) => pairs.clear(),
                Some(Output::List(List::Contacts(contacts))) => contacts.clear(),
                Some(Output::Count | Output::Each(_)) | None => {}
            }
            return Ok(0);
        }
        let wider = margin > 0.0 && against.is_some();
        let against = against.filter(|(statics, _)| !statics.is_empty());
        let (searched, halos) = (false, false);
        let site =
            Site { isa, set, ids, count, extent, cell_size, levels, searched, halos, threads };
        let decided = !contacts && !view.rotates();
        let decided_with = |statics: &StaticSet| decided && !statics.rotates();
        // Contacts of axis-aligned shapes need their columns, and nothing has to be placed for them.
        let direct = contacts && !view.rotates();
        let reads_rows = match &against {
            Some((statics, _)) => !decided_with(statics),
            None => !decided && !direct,
        };
        let rows = match view.placed() {
            _ if !reads_rows => Set::placed(view, &[], None),
            Some(placed) => Set::placed(view, placed, view.only_class()),
            None => {
                parallel::enter(threads, || placed.fill(view, rows, threads));
                placed.set(view)
            }
        };
        let among = output.is_some();
        let scene = parallel::enter(threads, || {
            grid.build::<I, C>(&site, partition);
            let grid = &*grid;
            among.then(|| {
                let (set, name) = if direct {
                    direct_set::<I>(grid, view, margin, numbers)
                } else {
                    (rows, grid.sorted.ids())
                };
                let rule = Rule::new(isa, [set, set], false, inclusive, margin);
                let narrow = Narrow { decided, wider, names: [name, name], rule, benches };
                Scene::<I, I>::within(grid, agenda, narrow, threads)
            })
        });
        let found = match (output, scene) {
            (Some(Output::List(list)), Some(scene)) => {
                list.fill(&scene, limit, threads, pair_crew, contact_crew)?
            }
            (Some(Output::Count), Some(scene)) => scene.count(threads, pair_crew),
            (Some(Output::Each(each)), Some(scene)) => scene.for_each(each),
            _ => 0,
        };
        if let Some((statics, list)) = against {
            let target = statics.grid();
            let decided = decided_with(statics);
            let rule = Rule::new(isa, [rows, statics.set()], true, inclusive, margin);
            let names = [grid.sorted.ids(), target.sorted.ids()];
            let narrow = Narrow { decided, wider: false, names, rule, benches };
            with_form!(target.form, J => {
                let scene = Scene::<I, J>::between(grid, target, agenda, narrow, threads);
                list.fill(&scene, limit, threads, pair_crew, contact_crew)
            })?;
        }
        Ok(found)
    }
}

/// Axis-aligned shapes by their columns, and what the sweep over `grid` is to call them.
///
/// In the order of the grid, pairs read what is near. But with a margin, the grid has other radii than the
/// shapes, and then the columns are the caller's, by rows.
fn direct_set<'a, I: Instance>(
    grid: &'a Grid,
    view: View<'a>,
    margin: f32,
    numbers: &'a mut Numbers,
) -> (Set<'a>, &'a [u32]) {
    let (set, sorted) = (Set::placed(view, &[], view.only_class()), &grid.sorted);
    if margin > 0.0 {
        return (Set { columns: Some(view.layout()), ..set }, sorted.ids());
    }
    let (columns, ids) = (Some(I::layout(sorted.padded::<I>())), Some(sorted.ids()));
    (Set { columns, ids, ..set }, numbers.of(grid))
}

impl List<'_> {
    /// Takes what is found in `scene`, and returns how much that is.
    fn fill<I: Instance, J: Instance>(
        self,
        scene: &Scene<'_, I, J>,
        limit: usize,
        threads: bool,
        pair_crew: &mut Crew<Pair>,
        contact_crew: &mut Crew<Contact>,
    ) -> Result<u64, Error> {
        match self {
            List::Pairs(pairs) => collect(scene, pairs, limit, threads, pair_crew),
            List::Contacts(contacts) => collect(scene, contacts, limit, threads, contact_crew),
        }
    }
}

fn collect<T: Found, I: Instance, J: Instance>(
    scene: &Scene<'_, I, J>,
    out: &mut Vec<T>,
    limit: usize,
    threads: bool,
    crew: &mut Crew<T>,
) -> Result<u64, Error> {
    parallel::enter(threads, || scene.collect(out, limit, threads, crew))?;
    Ok(out.len() as u64)
}

/// By `a`, then by `b`.
fn pair_key(pair: &Pair) -> u64 {
    u64::from(pair.a) << 32 | u64::from(pair.b)
}

/// Sorts by a key.
fn sort<T: Send, K: Ord>(list: &mut [T], threads: bool, key: impl Fn(&T) -> K + Sync) {
    #[cfg(feature = "parallel")]
    if threads {
        use rayon::slice::ParallelSliceMut;
        list.par_sort_unstable_by_key(key);
        return;
    }
    let _ = threads;
    list.sort_unstable_by_key(key);
}
