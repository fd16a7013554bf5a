//! Many pairs, from a broadphase of the caller's.

use super::{
    Contact, Set, View, jobs::MAX_JOBS, rule::Rule, run::Candidates, sift::Sift,
    single::check_margin,
};
use crate::{
    Columns, DEFAULT_MAX_CONTACTS, Error, Level, Pair, Touching,
    limit::{Budget, Left, outcome},
    simd::{Isa, dispatch},
    solid::Placed,
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
/// narrowphase.test(&shapes, &near, &mut pairs)?;
/// assert_eq!(pairs, [Pair { a: 0, b: 1 }]);
/// narrowphase.contacts(&shapes, &near, 0.0, &mut contacts)?;
/// assert_eq!((contacts[0].normal_y, contacts[0].depth, contacts[0].count), (1.0, 0.25, 2));
/// # Ok::<(), widephase::Error>(())
/// ```
///
/// # Cost
/// Each call passes over **all** rows of borrowed columns, to check their values, however few pairs there
/// are. Those of a [`Shapes`](crate::Shapes) store have been checked; but where none of its shapes turns
/// or has been given a pose, and not all are circles, a call may look at the kinds of its rows, up to
/// the first that differ. So make one call with many pairs, and not one for each body: n calls over n shapes
/// take O(n²) time. For single pairs there are [`test`](super::test()) and [`contact`](super::contact()).
#[derive(Debug, Default)]
pub struct Narrowphase {
    level: Option<Level>,
    pub(super) touching: Touching,
    max_contacts: Option<usize>,
    pub(super) candidates: Candidates,
    pub(super) near: Vec<Pair>,
    /// Room for shapes of columns, where rows are decided.
    pub(super) rooms: [Vec<Placed>; 2],
}

impl Narrowphase {
    /// A narrowphase on the [preferred](Level::preferred) level, touching included, that lists at most
    /// [`DEFAULT_MAX_CONTACTS`] contacts.
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

    /// Chooses how many contacts may be listed at most; `usize::MAX` for as many as memory holds.
    pub fn max_contacts(self, limit: usize) -> Self {
        Self { max_contacts: Some(limit), ..self }
    }

    /// Replaces the content of `touching` by those of `pairs` that touch, in their order. On the calling
    /// thread. O(rows + pairs) time for borrowed columns: see [cost](Narrowphase#cost).
    ///
    /// # Errors
    /// [`Error::NoSuchShape`] for the first pair with an index beyond the shapes, or of a vacant row;
    /// [`Error::InvalidShape`] for borrowed columns with a bad value; [`Error::OutOfMemory`]; the errors of
    /// [`Level::preferred`]. The list is then empty.
    pub fn test<'a>(
        &mut self,
        shapes: impl Into<Columns<'a>>,
        pairs: &[Pair],
        touching: &mut Vec<Pair>,
    ) -> Result<(), Error> {
        touching.clear();
        let columns = shapes.into();
        let isa = self.check(&columns, pairs, 0.0)?;
        let Self { candidates, near, .. } = self;
        let view = View::of(&columns);
        let rule = rule(isa, view, self.touching, 0.0);
        let (budget, mut left) = (Budget::new(usize::MAX), Left::default());
        for pairs in pairs.chunks(MAX_JOBS) {
            sift(&rule, pairs, near);
            let kept =
                if view.rotates() { candidates.refine(&rule, near, &[]) } else { near.len() };
            left.append(touching, &near[..kept], &budget);
        }
        let found = touching.len() as u64 + left.dropped;
        outcome(touching, found, usize::MAX, left.starved)
    }

    /// Replaces the content of `contacts` by the contacts of those of `pairs` that touch, or are at most
    /// `margin` apart, in their order: one for each pair, and for compounds one for each two parts.
    /// Normals are from `a` to `b` of each pair, as it was given. On the calling thread. Each
    /// call costs a pass over borrowed columns, as that of [`test`](Narrowphase::test) does.
    ///
    /// # Errors
    /// As [`test`](Narrowphase::test); [`Error::InvalidMargin`]; [`Error::TooManyContacts`] beyond
    /// [`max_contacts`](Narrowphase::max_contacts), with the number that there are.
    pub fn contacts<'a>(
        &mut self,
        shapes: impl Into<Columns<'a>>,
        pairs: &[Pair],
        margin: f32,
        contacts: &mut Vec<Contact>,
    ) -> Result<(), Error> {
        contacts.clear();
        let columns = shapes.into();
        let isa = self.check(&columns, pairs, margin)?;
        let Self { candidates, near, .. } = self;
        let rule = rule(isa, View::of(&columns), self.touching, margin);
        let limit = self.max_contacts.unwrap_or(DEFAULT_MAX_CONTACTS);
        let (budget, mut left) = (Budget::new(limit), Left::default());
        let mut take = |found: &[Contact]| left.append(contacts, found, &budget);
        if rule.sets[0].columns.is_some() {
            candidates.contacts(&Rule { sifted: false, ..rule }, pairs, &[], &mut take);
        } else {
            for pairs in pairs.chunks(MAX_JOBS) {
                sift(&rule, pairs, near);
                candidates.contacts(&rule, near, &[], &mut take);
            }
        }
        let found = contacts.len() as u64 + left.dropped;
        outcome(contacts, found, limit, left.starved)
    }

    /// The level to run on.
    pub(super) fn isa(&self) -> Result<Isa, Error> {
        let level = match self.level {
            Some(level) => level,
            None => Level::preferred()?,
        };
        Isa::new(level)
    }

    /// Checks what was handed in.
    fn check(&self, columns: &Columns<'_>, pairs: &[Pair], margin: f32) -> Result<Isa, Error> {
        check_margin(margin)?;
        let isa = self.isa()?;
        // What a store holds was checked when it came in, or made of what was.
        if columns.contents.is_none() {
            columns.check_on(isa, false)?;
        }
        match columns.first_missing(pairs) {
            Some(index) => Err(Error::NoSuchShape { index, len: columns.len() }),
            None => Ok(isa),
        }
    }
}

/// Pairs of rows.
fn rule(isa: Isa, view: View<'_>, touching: Touching, margin: f32) -> Rule<'_> {
    // What turns is placed; of all others there are the columns.
    let placed = view.placed().unwrap_or_default();
    let columns = (!view.rotates()).then_some(view.layout());
    let set = Set { columns, ..Set::placed(view, placed, view.only_class()) };
    let inclusive = touching == Touching::Inclusive;
    Rule::new(isa, [set, set], false, inclusive, margin)
}

/// Writes those of `pairs` whose boxes are at most the margin apart to `near`.
fn sift(rule: &Rule<'_>, pairs: &[Pair], near: &mut Vec<Pair>) {
    near.resize(pairs.len(), Pair::default());
    let (Set { view, placed, .. }, inclusive) = (rule.sets[0], rule.boxes_inclusive());
    let work = Sift { view, placed, pairs, near, inclusive, margin: rule.margin };
    let kept = dispatch(rule.isa, work);
    near.truncate(kept);
}
