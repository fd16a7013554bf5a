//! Many pairs, from a broadphase of the caller's.

use super::{
    Contact, View,
    run::{Candidates, Rule, boxes_touch, widened},
    single::check_margin,
};
use crate::{Columns, Error, Level, Pair, Touching, simd::Isa};

/// Decides pairs of shapes that a broadphase of the caller's has found, in batches.
///
/// Pairs may come in any order, and each with its shapes in any order; what comes out is in the same.
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
#[derive(Debug, Default)]
pub struct Narrowphase {
    level: Option<Level>,
    touching: Touching,
    candidates: Candidates,
    near: Vec<Pair>,
}

impl Narrowphase {
    /// A narrowphase on the [preferred](Level::preferred) level, touching included.
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

    /// Replaces the content of `touching` by those of `pairs` that touch, in their order. On the calling
    /// thread.
    ///
    /// # Errors
    /// [`Error::NoSuchShape`] for the first pair with an index beyond the shapes, or of a vacant row;
    /// [`Error::InvalidShape`] for borrowed columns with a bad value; the errors of
    /// [`Level::preferred`]. The list is then empty.
    pub fn test<'a>(
        &mut self,
        shapes: impl Into<Columns<'a>>,
        pairs: &[Pair],
        touching: &mut Vec<Pair>,
    ) -> Result<(), Error> {
        touching.clear();
        let columns = shapes.into();
        let rule = self.rule(&columns, pairs, 0.0)?;
        for pairs in pairs.chunks(CHUNK) {
            self.sift(&rule, pairs);
            let Self { candidates, near, .. } = self;
            let kept = if rule.decided { near.len() } else { candidates.refine(&rule, near) };
            touching.extend_from_slice(&near[..kept]);
        }
        Ok(())
    }

    /// Replaces the content of `contacts` by the contacts of those of `pairs` that touch, or are at most
    /// `margin` apart, in their order: one for each pair, and for compounds one for each two parts.
    /// Normals are from `a` to `b` of each pair, as it was given. On the calling thread.
    ///
    /// # Errors
    /// As [`test`](Narrowphase::test), and [`Error::InvalidMargin`].
    pub fn contacts<'a>(
        &mut self,
        shapes: impl Into<Columns<'a>>,
        pairs: &[Pair],
        margin: f32,
        contacts: &mut Vec<Contact>,
    ) -> Result<(), Error> {
        contacts.clear();
        let columns = shapes.into();
        let rule = self.rule(&columns, pairs, margin)?;
        for pairs in pairs.chunks(CHUNK) {
            self.sift(&rule, pairs);
            let Self { candidates, near, .. } = self;
            candidates.contacts(&rule, near, &mut |found| contacts.extend_from_slice(found));
        }
        Ok(())
    }

    /// Checks what was handed in.
    fn rule<'a>(
        &self,
        columns: &Columns<'a>,
        pairs: &[Pair],
        margin: f32,
    ) -> Result<Rule<'a>, Error> {
        check_margin(margin)?;
        let level = match self.level {
            Some(level) => level,
            None => Level::preferred()?,
        };
        let isa = Isa::new(level)?;
        columns.check_on(isa, false)?;
        for index in pairs.iter().flat_map(|pair| [pair.a, pair.b]) {
            let (index, len) = (index as usize, columns.len());
            if !columns.holds(index) {
                return Err(Error::NoSuchShape { index, len });
            }
        }
        let view = View::of(columns);
        let inclusive = self.touching == Touching::Inclusive;
        let decided = !view.rotates();
        Ok(Rule { isa, views: [view, view], between: false, inclusive, decided, margin })
    }

    /// Takes those whose boxes are at most the margin apart.
    fn sift(&mut self, rule: &Rule<'_>, pairs: &[Pair]) {
        let bounds = |row: u32| widened(rule.views[0].bounds(row as usize), rule.margin);
        self.near.clear();
        self.near.extend(
            pairs
                .iter()
                .filter(|pair| boxes_touch(bounds(pair.a), bounds(pair.b), rule.boxes_inclusive())),
        );
    }
}

/// Pairs that are decided at once.
const CHUNK: usize = 1 << 12;
