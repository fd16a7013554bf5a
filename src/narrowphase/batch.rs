//! Many pairs, from a broadphase of the caller's.

use super::{
    Contact, Set, View, aabb_filter::AabbFilter, jobs::MAX_JOBS, place_on_demand::PlaceOnDemand,
    rule::PairQuery, run::Candidates, single::check_margin,
};
use crate::{
    Columns, Error, Options, Pair,
    limit::{Budget, Left, outcome},
    simd::{Isa, dispatch},
    store::{Rows, TurnedRoom},
};

/// Decides pairs of shapes that a broadphase of the caller's has found, in batches.
///
/// Pairs may come in any order, and each with its shapes in any order; what comes out is in the same.
/// A pair that comes several times comes out as often. A pair of a shape and itself is decided like two such shapes
/// in one place: it touches, unless touching is excluded and the shape has no inside, as a point or a segment, and
/// contacts lead out by the shortest way. The parts of a compound meet themselves and each other then, each two
/// of them both ways round.
///
/// Keep one and use it again: from the second call on like scenes, nothing is allocated.
///
/// Which algorithm decides each two kinds, and where it is from, is in docs/narrowphase.md.
///
/// ```
/// use widephase::{Pair, Shapes, narrowphase::Narrowphase, shape::{Capsule, Obb, Rotation}};
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
/// assert_eq!((contacts[0].normal().y, contacts[0].depth, contacts[0].points().len()), (1.0, 0.25, 2));
/// # Ok::<(), widephase::Error>(())
/// ```
///
/// # Cost
/// Each call passes over **all** rows of borrowed columns, to check their values (and to place those that turn), however
/// few pairs there are. Those of a [`Shapes`](crate::Shapes) store have been checked; but where none of its shapes turns
/// or has been given a pose, and not all are circles, a call may look at the kinds of its rows, up to
/// the first that differ. So make one call with many pairs, and not one for each body: n calls over n shapes
/// take O(n²) time. For single pairs there are [`test`](super::test()) and [`contact`](super::contact()).
#[derive(Debug, Default)]
pub struct Narrowphase {
    pub(super) options: Options,
    pub(super) candidates: Candidates,
    pub(super) near: Vec<Pair>,
    pub(super) place_on_demand: PlaceOnDemand,
    /// Shapes of borrowed columns that turn, of each set.
    pub(super) turned: [TurnedRoom; 2],
}

impl Narrowphase {
    /// A narrowphase with the default options.
    pub fn new() -> Self {
        Self::default()
    }

    /// A narrowphase with these options, of which [`simd_level`](Options::simd_level),
    /// [`touching`](Options::touching) and [`max_contacts`](Options::max_contacts) concern it.
    ///
    /// # Errors
    /// Those of [`Options::check`].
    pub fn with_options(options: Options) -> Result<Self, Error> {
        Ok(Self { options: options.checked()?, ..Self::default() })
    }

    /// The options.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// Replaces the options. The workspace is kept.
    ///
    /// # Errors
    /// Those of [`Options::check`]; the options are then as before.
    pub fn set_options(&mut self, options: Options) -> Result<(), Error> {
        self.options = options.checked()?;
        Ok(())
    }

    /// Replaces the content of `touching` by those of `pairs` that touch, in their order. On the calling
    /// thread. O(rows + pairs) time for borrowed columns: see [cost](Narrowphase#cost).
    ///
    /// # Errors
    /// [`Error::NoSuchShape`] for the first pair with an index beyond the shapes, or of a vacant row;
    /// [`Error::InvalidShape`] for borrowed columns with a bad value; [`Error::OutOfMemory`]; the errors of
    /// [`SimdLevel::preferred`]. The list is then empty.
    pub fn pairs<'a>(
        &mut self,
        shapes: impl Into<Columns<'a>>,
        pairs: &[Pair],
        touching: &mut Vec<Pair>,
    ) -> Result<(), Error> {
        self.test_sets(Sets::One(shapes.into()), pairs, touching)
    }

    /// The same as [`test`](Narrowphase::pairs) for shapes in two sets: of a pair, `a` is a row of the first and `b` a row
    /// of the second. Either may be a store or borrowed columns, whatever the other is; and both may be the same.
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
    /// On the calling thread, O(rows + pairs) time: that of [`test`](Narrowphase::pairs) for each set. Where shapes of one
    /// set turn, those that the other has in columns only are read once more for each pair whose boxes touch.
    ///
    /// # Errors
    /// As [`test`](Narrowphase::pairs). [`Error::NoSuchShape`] is for the first pair with an index beyond its set, or of
    /// a vacant row there, for `a` before `b`; it says how many rows that set has. Where both sets have bad values,
    /// [`Error::InvalidShape`] is for the first of the first set.
    pub fn pairs_between<'a, 'b>(
        &mut self,
        a: impl Into<Columns<'a>>,
        b: impl Into<Columns<'b>>,
        pairs: &[Pair],
        touching: &mut Vec<Pair>,
    ) -> Result<(), Error> {
        self.test_sets(Sets::Two([a.into(), b.into()]), pairs, touching)
    }

    /// Replaces the content of `contacts` by the contacts of those of `pairs` that touch, or are at most
    /// `margin` apart, in their order: one for each pair, and for compounds one for each two parts.
    /// Normals are from `a` to `b` of each pair, as it was given. `margin` is in the unit of length, at least 0 and
    /// at most 2^60; what [`Detector::contacts`](crate::Detector::contacts) says of very large ones holds here, too.
    ///
    /// On the calling thread. Each call costs a pass over borrowed columns, as that of [`test`](Narrowphase::pairs)
    /// does.
    ///
    /// # Errors
    /// As [`test`](Narrowphase::pairs); [`Error::InvalidMargin`]; [`Error::TooManyContacts`] beyond
    /// [`max_contacts`](Options::max_contacts), with the number that there are.
    pub fn contacts<'a>(
        &mut self,
        shapes: impl Into<Columns<'a>>,
        pairs: &[Pair],
        margin: f32,
        contacts: &mut Vec<Contact>,
    ) -> Result<(), Error> {
        self.contacts_of_sets(Sets::One(shapes.into()), pairs, margin, contacts)
    }

    /// The same as [`contacts`](Narrowphase::contacts) for shapes in two sets, as
    /// [`pairs_between`](Narrowphase::pairs_between) takes them. Normals are from the shape of the first set to that of the
    /// second. `margin` is in the unit of length.
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
    /// As [`pairs_between`](Narrowphase::pairs_between), and as [`contacts`](Narrowphase::contacts).
    pub fn contacts_between<'a, 'b>(
        &mut self,
        a: impl Into<Columns<'a>>,
        b: impl Into<Columns<'b>>,
        pairs: &[Pair],
        margin: f32,
        contacts: &mut Vec<Contact>,
    ) -> Result<(), Error> {
        self.contacts_of_sets(Sets::Two([a.into(), b.into()]), pairs, margin, contacts)
    }

    fn test_sets(
        &mut self,
        sets: Sets<Columns<'_>>,
        pairs: &[Pair],
        touching: &mut Vec<Pair>,
    ) -> Result<(), Error> {
        touching.clear();
        let (isa, inclusive) = (self.isa()?, self.inclusive());
        let Self { candidates, near, place_on_demand, turned, .. } = self;
        let sets = sets.checked(isa, pairs, turned)?;
        let rule = sets.rule(isa, inclusive, 0.0);
        let (budget, mut left) = (Budget::new(usize::MAX), Left::default());
        for pairs in pairs.chunks(MAX_JOBS) {
            aabb_filter(&rule, pairs, near);
            let kept = if rule.has_columns() {
                near.len()
            } else {
                place_on_demand.refine(candidates, &rule, near)
            };
            left.append(touching, &near[..kept], &budget);
        }
        let found = touching.len() as u64 + left.dropped;
        outcome(touching, found, usize::MAX, left.starved)
    }

    fn contacts_of_sets(
        &mut self,
        sets: Sets<Columns<'_>>,
        pairs: &[Pair],
        margin: f32,
        contacts: &mut Vec<Contact>,
    ) -> Result<(), Error> {
        contacts.clear();
        check_margin(margin)?;
        let (isa, inclusive) = (self.isa()?, self.inclusive());
        let limit = self.options.max_contacts;
        let Self { candidates, near, place_on_demand, turned, .. } = self;
        let sets = sets.checked(isa, pairs, turned)?;
        let rule = sets.rule(isa, inclusive, margin);
        let (budget, mut left) = (Budget::new(limit), Left::default());
        let append = &mut |list: &mut Vec<Contact>, found: &[Contact]| {
            left.append(list, found, &budget);
        };
        if rule.has_columns() {
            let rule = PairQuery { sifted: false, ..rule };
            candidates.contacts(&rule, pairs, &mut |found| append(contacts, found));
        } else {
            for pairs in pairs.chunks(MAX_JOBS) {
                aabb_filter(&rule, pairs, near);
                place_on_demand.contacts(candidates, &rule, near, contacts, append);
            }
        }
        let found = contacts.len() as u64 + left.dropped;
        outcome(contacts, found, limit, left.starved)
    }

    /// The level to run on.
    pub(super) fn isa(&self) -> Result<Isa, Error> {
        self.options.isa()
    }

    /// Whether shapes that touch without overlapping are pairs.
    pub(super) fn inclusive(&self) -> bool {
        self.options.inclusive()
    }
}

/// Where the shapes of pairs are.
enum Sets<T> {
    /// All in one set.
    One(T),
    /// The first of each pair in the first, and the second in the second.
    Two([T; 2]),
}

impl<'a> Sets<Columns<'a>> {
    /// The sets as rows, if all their values are right, and if they have those of `pairs`.
    fn checked<'r>(
        self,
        isa: Isa,
        pairs: &[Pair],
        [first, second]: &'r mut [TurnedRoom; 2],
    ) -> Result<Sets<Rows<'r>>, Error>
    where
        'a: 'r,
    {
        let (sets, missing) = match self {
            Sets::One(columns) => {
                let rows = columns.checked_rows(isa, 0..columns.len(), first)?;
                let missing = rows.first_missing(pairs).map(|index| (index, rows.len()));
                (Sets::One(rows), missing)
            }
            Sets::Two([a, b]) => {
                let a = a.checked_rows(isa, 0..a.len(), first)?;
                let b = b.checked_rows(isa, 0..b.len(), second)?;
                let missing = Rows::first_missing_between(&[a, b], pairs);
                (Sets::Two([a, b]), missing)
            }
        };
        match missing {
            Some((index, len)) => Err(Error::NoSuchShape { index, len }),
            None => Ok(sets),
        }
    }
}

impl<'a> Sets<Rows<'a>> {
    /// What is asked of pairs of their rows.
    fn rule(&self, isa: Isa, inclusive: bool, margin: f32) -> PairQuery<'a> {
        match self {
            Sets::One(rows) => {
                let view = View::of(rows);
                let set = set(view, !view.rotates());
                PairQuery::new(isa, [set; 2], false, inclusive, margin)
            }
            Sets::Two(both) => between(isa, both.each_ref().map(View::of), inclusive, margin),
        }
    }
}

/// The rule for pairs of rows of two sets.
pub(super) fn between(
    isa: Isa,
    views: [View<'_>; 2],
    inclusive: bool,
    margin: f32,
) -> PairQuery<'_> {
    let decided = !views.iter().any(View::rotates);
    let sets = views.map(|view| set(view, decided));
    PairQuery { complement: 0, ..PairQuery::new(isa, sets, true, inclusive, margin) }
}

/// A set of shapes by their rows; the sweep would decide all pairs if they are `decided`.
fn set(view: View<'_>, decided: bool) -> Set<'_> {
    // What turns is placed; of all others there are the columns.
    let placed = view.placed().unwrap_or_default();
    let columns = decided.then_some(view.layout());
    Set { columns, ..Set::placed(view, placed, view.only_class()) }
}

/// Writes those of `pairs` whose boxes are at most the margin apart to `near`.
fn aabb_filter(rule: &PairQuery<'_>, pairs: &[Pair], near: &mut Vec<Pair>) {
    near.resize(pairs.len(), Pair::default());
    let kept = match rule.sets {
        sets if rule.between => sift_sets(rule, sets, pairs, near),
        [set, _] => sift_sets(rule, [set], pairs, near),
    };
    near.truncate(kept);
}

/// The same for the shapes of one set or of two, at the front of `near`; returns how many they are.
fn sift_sets<const SETS: usize>(
    rule: &PairQuery<'_>,
    sets: [Set<'_>; SETS],
    pairs: &[Pair],
    near: &mut [Pair],
) -> usize {
    let (views, placed) = (sets.map(|set| set.view), sets.map(|set| set.placed));
    let (inclusive, margin) = (rule.boxes_inclusive(), rule.margin);
    dispatch(rule.isa, AabbFilter { views, placed, pairs, near, inclusive, margin })
}
