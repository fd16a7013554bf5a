//! `Narrowphase`: many pairs from a broadphase of the caller.

use super::{
    Contact, Set, View, boxes::AabbFilter, jobs::MAX_JOBS, pair_query::PairQuery,
    place_on_demand::PlaceOnDemand, run::Candidates, single::check_margin,
};
#[cfg(feature = "narrowphase")]
use crate::base::parallel;
use crate::{
    base::{NARROWPHASE, Pair, THREAD_TASKS, held},
    error::{
        Error,
        limit::{Budget, Left, outcome},
    },
    options::{NarrowphaseOptions, in_memory},
    simd::{Isa, dispatch_moves, map_each},
    store::{ColumnWorkspace, Columns, Rows},
};

/// Tests pairs of shapes that a broadphase of the caller has found, in batches.
///
/// Pairs may be in any order, and so may the two shapes of a pair. The output is in the same order.
/// A pair that occurs several times is reported as often. A pair of a shape with itself is tested
/// like two equal shapes at the same position. It touches, unless touching is exclusive and the
/// shape has no inside, such as a point or a segment. Its contacts lead out by the shortest way.
/// For a compound, every two parts are tested in both orders, and each part with itself.
///
/// Two sets whose pairs are in corresponding rows need no list of pairs:
/// [`row_mask`](Narrowphase::row_mask) and [`row_contacts`](Narrowphase::row_contacts).
///
/// Keep one and use it again. From the second call on similar scenes, nothing is allocated. Without
/// the feature `narrowphase`, shapes are axis-aligned and there are no contacts.
///
/// docs/narrowphase.md has the algorithm for each two kinds of shapes, and its source.
///
/// ```
/// use widephase::{Pair, Shapes, Narrowphase, shape::{Capsule, Obb, Rotation}};
///
/// let mut shapes = Shapes::new();
/// shapes.push(Obb::new([0.0, 0.0], [2.0, 1.0], Rotation::IDENTITY))?;
/// shapes.push(Capsule::new([-1.0, 1.25], [1.0, 1.25], 0.5))?; // lies on it, a quarter deep
/// shapes.push(Capsule::new([3.0, 2.0], [3.0, 4.0], 0.5))?;
/// let near = [Pair { a: 0, b: 1 }, Pair { a: 2, b: 0 }];
///
/// let (mut narrowphase, mut pairs, mut contacts) = (Narrowphase::new(), Vec::new(), Vec::new());
/// narrowphase.pairs(&shapes, &near, &mut pairs)?;
/// assert_eq!(pairs, [Pair { a: 0, b: 1 }]);
/// narrowphase.contacts(&shapes, &near, 0.0, &mut contacts)?;
/// let contact = contacts[0];
/// assert_eq!((contact.normal().y, contact.depth, contact.points().len()), (1.0, 0.25, 2));
/// # Ok::<(), widephase::Error>(())
/// ```
///
/// # Cost
/// Each call reads **all** rows of borrowed columns, to check their values and to place rotated
/// shapes, however few pairs there are. [Checked](Columns::check) columns of axis-aligned shapes
/// and the rows of a [`Shapes`](crate::Shapes) store are not checked again. But if no shape of a
/// store is rotated or has a pose, and not all shapes are circles, a call may read the kinds of its
/// rows up to the first row of another kind. So make one call with many pairs, and not one call for
/// each body: n calls over n shapes take O(n²) time. For single pairs there are
/// [`touches`](super::touches()) and [`contact`](super::contact()).
#[derive(Debug, Default)]
pub struct Narrowphase {
    pub(super) options: NarrowphaseOptions,
    pub(super) tests: PairTests,
    /// The results of each task.
    #[cfg(feature = "narrowphase")]
    tasks: Vec<ContactTask>,
    /// The rotated shapes of borrowed columns, for each set.
    pub(super) rotated: [ColumnWorkspace; 2],
}

held!(Narrowphase {
    options,
    tests,
    #[cfg(feature = "narrowphase")]
    tasks,
    rotated
});

/// The workspace of tests of pairs.
#[derive(Debug, Default)]
pub(super) struct PairTests {
    pub(super) candidates: Candidates,
    pub(super) near: Vec<Pair>,
    pub(super) place_on_demand: PlaceOnDemand,
}

held!(PairTests { candidates, near, place_on_demand });

impl Narrowphase {
    /// A narrowphase with the default options.
    pub fn new() -> Self {
        Self::default()
    }

    /// A narrowphase with these options.
    ///
    /// # Errors
    /// [`Error::LevelUnavailable`] if this CPU lacks the SIMD level.
    pub fn with_options(options: NarrowphaseOptions) -> Result<Self, Error> {
        Ok(Self { options: options.checked()?, ..Self::default() })
    }

    /// The options.
    pub fn options(&self) -> &NarrowphaseOptions {
        &self.options
    }

    /// Replaces the options. The workspace is kept.
    ///
    /// # Errors
    /// [`Error::LevelUnavailable`] if this CPU lacks the SIMD level; the options are then as
    /// before.
    pub fn set_options(&mut self, options: NarrowphaseOptions) -> Result<(), Error> {
        self.options = options.checked()?;
        Ok(())
    }

    /// Replaces the content of `touching` by the touching pairs of `pairs`, in their order.
    ///
    /// Runs on the calling thread. O(rows + pairs) time for borrowed columns: see
    /// [cost](Narrowphase#cost).
    ///
    /// # Errors
    /// [`Error::NoSuchShape`] for the first pair with an index beyond the shapes, or with a vacant
    /// row; [`Error::InvalidShape`] for borrowed columns with an invalid value;
    /// [`Error::OutOfMemory`]; the errors of [`SimdLevel::preferred`](crate::SimdLevel::preferred).
    /// The list is then empty.
    pub fn pairs<'a>(
        &mut self,
        shapes: impl Into<Columns<'a>>,
        pairs: &[Pair],
        touching: &mut Vec<Pair>,
    ) -> Result<(), Error> {
        self.test_sets(PairSets::One(shapes.into()), pairs, touching)
    }

    /// As [`pairs`](Narrowphase::pairs), for shapes in two sets: `a` of a pair is a row of the
    /// first set, and `b` a row of the second. Each set may be a store or borrowed columns, and
    /// both sets may be the same.
    ///
    /// ```
    /// use widephase::{Columns, Narrowphase, Pair, Shapes, shape::{Obb, Rotation}};
    ///
    /// let mut crates = Shapes::new();
    /// for x in [0.0, 5.0] {
    ///     crates.push(Obb::new([x, 1.25], [1.0, 1.0], Rotation::from_angle(0.5)))?;
    /// }
    /// let floor = Columns::aabbs(&[-9.0, 3.0], &[-1.0; 2], &[3.0, 9.0], &[0.0, -0.5])?;
    /// let near = [Pair { a: 1, b: 1 }, Pair { a: 0, b: 0 }];
    /// let mut touching = Vec::new();
    /// Narrowphase::new().pairs_between(&crates, floor, &near, &mut touching)?;
    /// // A corner is 1.36 below its crate: in the left part of the floor, and above the right one.
    /// assert_eq!(touching, [Pair { a: 0, b: 0 }]);
    /// # Ok::<(), widephase::Error>(())
    /// ```
    ///
    /// # Cost
    /// Runs on the calling thread. O(rows + pairs) time: as much as [`pairs`](Narrowphase::pairs)
    /// for each set. If one set has rotated shapes, the shapes of the other set that are only in
    /// columns are read again for each pair whose boxes touch.
    ///
    /// # Errors
    /// The errors of [`pairs`](Narrowphase::pairs). [`Error::NoSuchShape`] is for the first pair
    /// with an index beyond its set, or with a vacant row, for `a` before `b`, and has the number
    /// of rows of that set. If both sets have invalid values, [`Error::InvalidShape`] is for the
    /// first invalid value of the first set.
    pub fn pairs_between<'a, 'b>(
        &mut self,
        a: impl Into<Columns<'a>>,
        b: impl Into<Columns<'b>>,
        pairs: &[Pair],
        touching: &mut Vec<Pair>,
    ) -> Result<(), Error> {
        self.test_sets(PairSets::Two([a.into(), b.into()]), pairs, touching)
    }

    /// Replaces the content of `contacts` by the contacts of the pairs that touch or are at most
    /// `margin` apart, in the order of `pairs`: a contact for each pair, and with compounds a
    /// contact for each two parts. Normals point from `a` to `b` of each pair, as given. `margin`
    /// is in the unit of length, at least 0 and at most 2^60; the limits for very large margins are
    /// in [`Detector::contacts`](crate::Detector::contacts).
    ///
    /// Runs on the calling thread. Each call reads all rows of borrowed columns, as
    /// [`pairs`](Narrowphase::pairs) does.
    ///
    /// # Errors
    /// The errors of [`pairs`](Narrowphase::pairs); [`Error::InvalidMargin`];
    /// [`Error::TooManyContacts`] beyond [`max_contacts`](NarrowphaseOptions::max_contacts), with
    /// the number of contacts.
    #[cfg(feature = "narrowphase")]
    pub fn contacts<'a>(
        &mut self,
        shapes: impl Into<Columns<'a>>,
        pairs: &[Pair],
        margin: f32,
        contacts: &mut Vec<Contact>,
    ) -> Result<(), Error> {
        self.contacts_of_sets(PairSets::One(shapes.into()), pairs, margin, contacts)
    }

    /// As [`contacts`](Narrowphase::contacts), for shapes in two sets, as in
    /// [`pairs_between`](Narrowphase::pairs_between). Normals point from the shape of the first set
    /// to the shape of the second. `margin` is in the unit of length.
    ///
    /// ```
    /// use widephase::{Columns, Narrowphase, Pair, Shapes, shape::Capsule};
    ///
    /// let mut walls = Shapes::new();
    /// walls.push(Capsule::new([-5.0, 0.0], [5.0, 0.0], 0.25))?;
    /// let drops = Columns::circles(&[1.0, 9.0], &[1.0, 4.0], &[1.0, 1.0])?;
    /// let near = [Pair { a: 0, b: 1 }, Pair { a: 0, b: 0 }];
    /// let (mut narrowphase, mut contacts) = (Narrowphase::new(), Vec::new());
    /// narrowphase.contacts_between(&walls, drops, &near, 0.0, &mut contacts)?;
    /// assert_eq!(contacts.len(), 1);
    /// assert_eq!((contacts[0].pair, contacts[0].normal().y), (Pair { a: 0, b: 0 }, 1.0));
    /// assert_eq!(contacts[0].depth, 0.25);
    /// # Ok::<(), widephase::Error>(())
    /// ```
    ///
    /// # Errors
    /// The errors of [`pairs_between`](Narrowphase::pairs_between) and of
    /// [`contacts`](Narrowphase::contacts).
    #[cfg(feature = "narrowphase")]
    pub fn contacts_between<'a, 'b>(
        &mut self,
        a: impl Into<Columns<'a>>,
        b: impl Into<Columns<'b>>,
        pairs: &[Pair],
        margin: f32,
        contacts: &mut Vec<Contact>,
    ) -> Result<(), Error> {
        self.contacts_of_sets(PairSets::Two([a.into(), b.into()]), pairs, margin, contacts)
    }

    fn test_sets(
        &mut self,
        sets: PairSets<Columns<'_>>,
        pairs: &[Pair],
        touching: &mut Vec<Pair>,
    ) -> Result<(), Error> {
        touching.clear();
        let (isa, inclusive) = (self.options.isa()?, self.options.inclusive());
        let Self { tests: PairTests { candidates, near, place_on_demand }, rotated, .. } = self;
        let sets = sets.checked(isa, pairs, rotated)?;
        let query = sets.query(isa, inclusive, 0.0);
        let (budget, mut left) = (Budget::new(usize::MAX), Left::default());
        for pairs in pairs.chunks(MAX_JOBS) {
            aabb_filter(&query, pairs, near);
            let kept = if !NARROWPHASE || query.has_columns() {
                near.len()
            } else {
                place_on_demand.refine(candidates, &query, near)
            };
            left.append(touching, &near[..kept], &budget);
        }
        let found = touching.len() as u64 + left.dropped;
        outcome(touching, found, usize::MAX, left.starved)
    }

    fn contacts_of_sets(
        &mut self,
        sets: PairSets<Columns<'_>>,
        pairs: &[Pair],
        margin: f32,
        contacts: &mut Vec<Contact>,
    ) -> Result<(), Error> {
        contacts.clear();
        check_margin(margin)?;
        let (isa, inclusive) = (self.options.isa()?, self.options.inclusive());
        let limit = in_memory(self.options.max_contacts);
        let Self { tests, rotated, .. } = self;
        let sets = sets.checked(isa, pairs, rotated)?;
        let query = sets.query(isa, inclusive, margin);
        let left = tests.contacts(&query, pairs, &Budget::new(limit), contacts);
        let found = contacts.len() as u64 + left.dropped;
        outcome(contacts, found, limit, left.starved)
    }

    /// Passes the shapes of each pair to `take`, in the order of `pairs`: `a` of a pair is a row of
    /// the first set, and `b` a row of the second. Both sets may be the same. For distances,
    /// closest points and common areas of many rows, with the bits of [single
    /// calls](super::distance()).
    ///
    /// ```
    /// use widephase::{Columns, Narrowphase, Pair, Shapes, shape::Segment};
    ///
    /// let mut walls = Shapes::new();
    /// walls.push(Segment::new([0.0, -9.0], [0.0, 9.0]))?;
    /// let balls = Columns::circles(&[4.0, 0.5], &[0.0, 1.0], &[1.0, 1.0])?;
    /// let pairs = [Pair { a: 0, b: 0 }, Pair { a: 0, b: 1 }];
    /// let mut distances = Vec::new();
    /// Narrowphase::new().each_between(&walls, balls, &pairs, |mut two| {
    ///     distances.push(two.distance());
    /// })?;
    /// assert_eq!(distances, [3.0, 0.0]);
    /// # Ok::<(), widephase::Error>(())
    /// ```
    ///
    /// # Cost
    /// Runs on the calling thread. Each call reads all rows of borrowed columns, as
    /// [`pairs`](Narrowphase::pairs) does.
    ///
    /// # Errors
    /// The errors of [`pairs_between`](Narrowphase::pairs_between), before the first pair.
    #[cfg(all(feature = "narrowphase", feature = "queries"))]
    pub fn each_between<'a, 'b>(
        &mut self,
        a: impl Into<Columns<'a>>,
        b: impl Into<Columns<'b>>,
        pairs: &[Pair],
        mut take: impl FnMut(super::TwoShapes<'_>),
    ) -> Result<(), Error> {
        let (isa, sets) = (self.options.isa()?, PairSets::Two([a.into(), b.into()]));
        let sets = sets.checked(isa, pairs, &mut self.rotated)?;
        let views = map_each(sets.query(isa, true, 0.0).sets, |set| set.view);
        let probe = |set: usize, row: u32| super::Probe::of(views[set], row as usize);
        let workspaces = &mut Default::default();
        for Pair { a, b } in pairs {
            take(super::TwoShapes { probes: [&probe(0, *a), &probe(1, *b)], workspaces });
        }
        Ok(())
    }

    /// [`contacts`](Narrowphase::contacts) with margin 0, on the threads of the current rayon pool.
    /// If a shape or a pair is refused, the list stays as it was.
    #[cfg(feature = "narrowphase")]
    pub(crate) fn contacts_on_pool(
        &mut self,
        shapes: Columns<'_>,
        pairs: &[Pair],
        contacts: &mut Vec<Contact>,
    ) -> Result<(), Error> {
        let (isa, inclusive) = (self.options.isa()?, self.options.inclusive());
        let limit = in_memory(self.options.max_contacts);
        let Self { tasks, rotated, .. } = self;
        let sets = PairSets::One(shapes).checked(isa, pairs, rotated)?;
        let query = sets.query(isa, inclusive, 0.0);
        let count = (THREAD_TASKS * parallel::threads()).min(pairs.len().max(1));
        if tasks.len() < count {
            tasks.resize_with(count, ContactTask::default);
        }
        let tasks = &mut tasks[..count];
        let budget = Budget::new(limit);
        parallel::each(tasks, true, |number, ContactTask { tests, contacts, left }| {
            let pairs = &pairs[parallel::part(pairs.len(), count, number)];
            contacts.clear();
            *left = tests.contacts(&query, pairs, &budget, contacts);
        });
        let left = tasks.iter().fold(Left::default(), |mut all, task| {
            all.add(task.left);
            all
        });
        let found = tasks.iter().map(|task| task.contacts.len()).sum::<usize>();
        let mut starved = left.starved;
        if contacts.capacity() < found
            && contacts.try_reserve_exact(found + found / 8 - contacts.len()).is_err()
        {
            starved = Some(found);
        }
        if starved.is_none() {
            contacts.resize(found, Contact::default());
            parallel::copy_parts(tasks, |task| &task.contacts, contacts);
        }
        outcome(contacts, found as u64 + left.dropped, limit, starved)
    }
}

impl PairTests {
    /// Appends the contacts of pairs to `contacts`, as long as the budget and the memory last.
    fn contacts(
        &mut self,
        query: &PairQuery<'_>,
        pairs: &[Pair],
        budget: &Budget,
        contacts: &mut Vec<Contact>,
    ) -> Left {
        let Self { candidates, near, place_on_demand } = self;
        let mut left = Left::default();
        let append = &mut |list: &mut Vec<Contact>, found: &[Contact]| {
            left.append(list, found, budget);
        };
        if query.has_columns() {
            let query = PairQuery { sifted: false, ..*query };
            candidates.contacts(&query, pairs, &mut |found| append(contacts, found));
        } else {
            for pairs in pairs.chunks(MAX_JOBS) {
                aabb_filter(query, pairs, near);
                place_on_demand.contacts(candidates, query, near, contacts, append);
            }
        }
        left
    }
}

/// The contacts of a part of the pairs.
#[cfg(feature = "narrowphase")]
#[derive(Debug, Default)]
struct ContactTask {
    tests: PairTests,
    contacts: Vec<Contact>,
    left: Left,
}

#[cfg(feature = "narrowphase")]
held!(ContactTask { tests, contacts, left });

/// The sets that the shapes of pairs are in.
enum PairSets<T> {
    /// All shapes are in one set.
    One(T),
    /// The first shape of each pair is in the first set, and the second in the second.
    Two([T; 2]),
}

impl<'a> PairSets<Columns<'a>> {
    /// Checks that all values of the sets are valid and that the rows of `pairs` exist. Returns the
    /// sets as rows.
    fn checked<'r>(
        self,
        isa: Isa,
        pairs: &[Pair],
        [first, second]: &'r mut [ColumnWorkspace; 2],
    ) -> Result<PairSets<Rows<'r>>, Error>
    where
        'a: 'r,
    {
        let (sets, missing) = match self {
            PairSets::One(columns) => {
                let rows = columns.checked_rows(isa, 0..columns.len(), first)?;
                let missing = rows.first_missing(pairs).map(|index| (index, rows.len()));
                (PairSets::One(rows), missing)
            }
            PairSets::Two([a, b]) => {
                let a = a.checked_rows(isa, 0..a.len(), first)?;
                let b = b.checked_rows(isa, 0..b.len(), second)?;
                let missing = Rows::first_missing_between(&[a, b], pairs);
                (PairSets::Two([a, b]), missing)
            }
        };
        match missing {
            Some((index, len)) => Err(Error::NoSuchShape { index, len }),
            None => Ok(sets),
        }
    }
}

impl<'a> PairSets<Rows<'a>> {
    /// The query for pairs of rows of these sets.
    fn query(&self, isa: Isa, inclusive: bool, margin: f32) -> PairQuery<'a> {
        match self {
            PairSets::One(rows) => {
                let view = View::of(rows);
                let set = set(view, !view.rotates());
                let query = PairQuery::new(isa, [set; 2], false, inclusive, margin);
                PairQuery { seen: true, ..query }
            }
            PairSets::Two(both) => {
                between(isa, map_each(both.each_ref(), View::of), inclusive, margin)
            }
        }
    }
}

/// The query for pairs of rows of two sets.
pub(super) fn between(
    isa: Isa,
    views: [View<'_>; 2],
    inclusive: bool,
    margin: f32,
) -> PairQuery<'_> {
    let decided = !views.iter().any(View::rotates);
    let sets = map_each(views, |view| set(view, decided));
    let query = PairQuery::new(isa, sets, true, inclusive, margin);
    PairQuery { complement: 0, seen: true, ..query }
}

/// A set of shapes by row. Has columns if they are enough for all pairs (`decided`).
fn set(view: View<'_>, decided: bool) -> Set<'_> {
    // Rotated shapes are placed. All other shapes are in the columns.
    let placed = view.placed().unwrap_or_default();
    let columns = decided.then_some(view.layout());
    Set { columns, ..Set::placed(view, placed, view.only_class()) }
}

/// Writes the pairs whose boxes are at most the margin apart to `near`.
fn aabb_filter(query: &PairQuery<'_>, pairs: &[Pair], near: &mut Vec<Pair>) {
    near.resize(pairs.len(), Pair::default());
    let sets = if query.between { query.sets } else { [query.sets[0]; 2] };
    let (views, placed) = (map_each(sets, |set| set.view), map_each(sets, |set| set.placed));
    let (between, inclusive, margin) = (query.between, query.boxes_inclusive(), query.margin);
    let kept = dispatch_moves(
        query.isa,
        AabbFilter { views, between, placed, pairs, near: &mut *near, inclusive, margin },
    );
    near.truncate(kept);
}
