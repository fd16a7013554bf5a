//! What steps find: pairs, contacts and events; and the bodies that do not move.

use std::sync::Arc;

use super::{
    Motion, PairEvent, StopEvent,
    bodies::Bodies,
    near::NearBodies,
    resting_list::{RestingList, Version},
};
use crate::{
    Contact, Detector, Error, Handle, Narrowphase, Options, Pair, Shapes, base::copied,
    error::limit::try_reserve,
};

/// The pairs among bodies that do not move of which at least one is not static, and their contacts.
///
/// They are kept until one of the two bodies changes.
#[derive(Debug, Default)]
pub(super) struct RestingPairs {
    /// The pairs, and their contacts unless there is a margin.
    pub(super) list: RestingList,
    /// With a margin: the contacts, in the order in which they were found.
    near: Vec<Contact>,
    /// Whether all are to be found anew.
    pub(super) anew: bool,
    /// Whether all bodies that do not move are known to be static: then there are no pairs.
    fixed: bool,
    /// The work on bodies that have changed since all were sorted, in sorted bodies.
    pub(super) work: usize,
    /// Workspace: pairs of bodies that have changed since the last step; their rows; pairs with
    /// other bodies.
    fresh: FoundPairs,
    rows: Vec<u32>,
    against: Vec<Pair>,
}

copied!(RestingPairs { list, near, anew, fixed, work } but { fresh, rows, against });

/// Pairs and their contacts.
#[derive(Debug, Default)]
pub(super) struct FoundPairs {
    pub(super) pairs: Vec<Pair>,
    pub(super) contacts: Vec<Contact>,
}

copied!(FoundPairs { pairs, contacts });

/// What finds pairs and contacts.
pub(super) struct Finder<'a> {
    pub(super) detector: &'a mut Detector,
    pub(super) narrowphase: &'a mut Narrowphase,
    pub(super) near: &'a mut NearBodies,
    /// Workspace: pairs without a sensor.
    pub(super) solid: &'a mut Vec<Pair>,
    pub(super) margin: f32,
}

/// The lists of a step.
#[derive(Debug, Default)]
pub(super) struct StepLists {
    pub(super) pairs: Vec<Pair>,
    pub(super) contacts: Vec<Contact>,
    pub(super) started: Vec<PairEvent>,
    pub(super) stopped: Vec<StopEvent>,
    /// The version of the pairs of bodies that do not move, with which the lists begin.
    pub(super) begin: Version,
}

/// What the caller has changed since the last step.
#[derive(Debug, Default)]
pub(super) struct Changes {
    /// The bodies that are gone, with the values of the caller.
    pub(super) removed: Vec<(Handle, u64)>,
    /// The [ids](Handle::id) of the bodies that have other shapes.
    pub(super) reshaped: Vec<u64>,
    /// Workspace: whether a body of each row is gone.
    gone: Vec<bool>,
}

copied!(Changes { removed, reshaped } but { gone });

impl Changes {
    /// The bytes of memory held.
    pub(super) fn bytes(&self) -> usize {
        let Self { removed, reshaped, gone } = self;
        removed.capacity() * size_of::<(Handle, u64)>()
            + reshaped.capacity() * size_of::<u64>()
            + gone.capacity()
    }

    /// Sorts the changes, and returns whether a body of each row is gone, if any is.
    pub(super) fn gone_rows(&mut self, rows: usize) -> Option<&[bool]> {
        let Self { removed, reshaped, gone } = self;
        removed.sort_unstable_by_key(row_and_handle);
        reshaped.sort_unstable();
        if removed.is_empty() {
            return None;
        }
        gone.clear();
        gone.resize(rows, false);
        for (handle, _) in &*removed {
            gone[handle.row() as usize] = true;
        }
        Some(gone)
    }
}

/// What removed bodies are sorted by.
pub(super) fn row_and_handle((handle, _): &(Handle, u64)) -> (u32, Handle) {
    (handle.row(), *handle)
}

/// The results of a [`World::step`](crate::World::step).
///
/// They are yours: the world may be changed while you read them, in a loop over contacts that moves
/// bodies, say. A clone shares them. If you have dropped a step before the one after the next, the
/// world writes that one in its memory.
///
/// Pairs and contacts name rows: [`World::handle`](crate::World::handle) has the handle of a row.
/// Events name handles.
#[derive(Debug, Clone, Default)]
pub struct Step(pub(super) Arc<StepLists>);

impl Step {
    /// The pairs of bodies that touch, pairs with sensors included, as rows: `a < b`. With
    /// [`Order::Sorted`](crate::Order::Sorted), they are sorted by `a`, then by `b`; else the order
    /// is a function of the calls so far.
    pub fn pairs(&self) -> &[Pair] {
        &self.0.pairs
    }

    /// The contacts of the pairs without a sensor, as rows, in the order of the pairs. A pair with
    /// a compound has one for each two parts that touch.
    ///
    /// With a [margin](crate::World::set_margin), also the contacts of bodies that are about to
    /// touch, whose depth is below 0 and which are no pairs yet. The order is then one of its own,
    /// unless it is [`Order::Sorted`](crate::Order::Sorted).
    pub fn contacts(&self) -> &[Contact] {
        &self.0.contacts
    }

    /// The pairs that touch since this step, by handles, sorted by their rows. As in pairs, the
    /// first body of each is the one in the smaller row.
    pub fn started(&self) -> &[PairEvent] {
        &self.0.started
    }

    /// The pairs that touched in the step before and no longer do, by handles: first the pairs
    /// of removed bodies, in the order of the last step, then the others, sorted by their rows.
    pub fn stopped(&self) -> &[StopEvent] {
        &self.0.stopped
    }

    /// The lists, to be written anew: these, or new ones if the caller still has these.
    pub(super) fn lists_mut(&mut self) -> &mut StepLists {
        if Arc::get_mut(&mut self.0).is_none() {
            *self = Self::default();
        }
        Arc::get_mut(&mut self.0).unwrap_or_else(|| unreachable!("nobody else has it"))
    }

    /// The bytes of memory held.
    pub(super) fn bytes(&self) -> usize {
        let StepLists { pairs, contacts, started, stopped, begin: _ } = &*self.0;
        pairs.capacity() * size_of::<Pair>()
            + contacts.capacity() * size_of::<Contact>()
            + started.capacity() * size_of::<PairEvent>()
            + stopped.capacity() * size_of::<StopEvent>()
    }
}

impl RestingPairs {
    /// Finds the pairs of the bodies that have changed since the last step. Sorts all once more
    /// work than that was done for bodies that have changed, and most of them rest again.
    ///
    /// After an error, the next call finds all anew.
    pub(super) fn update(
        &mut self,
        bodies: &mut Bodies,
        finder: &mut Finder<'_>,
    ) -> Result<(), Error> {
        let mut touched = std::mem::take(&mut bodies.touched);
        touched.sort_unstable();
        touched.dedup();
        self.fixed &= touched.iter().all(|row| bodies.motion(*row) != Motion::Asleep);
        if std::mem::replace(&mut self.anew, true) || bodies.index.unchanged() == 0 {
            self.find_all(bodies, finder)?;
        } else {
            if !self.fixed {
                let result = self.find_changed(bodies, finder, &touched);
                bodies.index.forget_beside();
                result?;
            }
            let beside = bodies.index.rows_beside().len();
            self.work = self.work.saturating_add(beside);
            if self.work > bodies.index.unchanged() && touched.len() * 2 < beside {
                self.sort(bodies)?;
            }
        }
        self.anew = false;
        touched.clear();
        bodies.touched = touched;
        Ok(())
    }

    /// Sorts the bodies that do not move.
    fn sort(&mut self, bodies: &mut Bodies) -> Result<(), Error> {
        self.rows.clear();
        self.rows.extend(bodies.resting_rows());
        self.work = 0;
        self.fixed = self.rows.iter().all(|row| bodies.motion(*row) == Motion::Static);
        bodies.index.find_filters();
        bodies.index.sort_rows(&self.rows, false)
    }

    /// Sorts the bodies that do not move, and finds the pairs among them.
    fn find_all(&mut self, bodies: &mut Bodies, finder: &mut Finder<'_>) -> Result<(), Error> {
        self.sort(bodies)?;
        let Self { list, near, rows, .. } = self;
        near.clear();
        let fixed = |row: u32| bodies.motion(row) == Motion::Static;
        let accept = |a: u32, b: u32| !(fixed(a) && fixed(b));
        let columns = bodies.columns()?.select(rows).with_predicate(&accept);
        list.replace(|found| {
            let Finder { detector, margin, .. } = finder;
            detector.pairs(columns, &mut found.pairs)?;
            match *margin > 0.0 {
                true => detector.contacts(columns, *margin, near),
                false => found.touch(bodies, finder),
            }
        })?;
        Ok(())
    }

    /// Finds the pairs of bodies that have changed since the last step, whose rows ascend, in place
    /// of the pairs that they had.
    fn find_changed(
        &mut self,
        bodies: &mut Bodies,
        finder: &mut Finder<'_>,
        touched: &[u32],
    ) -> Result<(), Error> {
        let Self { list, near: contacts, fresh, rows, against, .. } = self;
        let stays = |row: u32| touched.binary_search(&row).is_err();
        contacts.retain(|contact| stays(contact.pair.a) && stays(contact.pair.b));
        fresh.clear();
        rows.clear();
        rows.extend(touched.iter().copied().filter(|row| bodies.index.is_beside(*row)));
        if rows.is_empty() {
            return list.change(touched, fresh);
        }
        // Other bodies that have changed are searched beside those that have not.
        bodies.index.sort_beside_without(rows)?;
        let fixed = |row: u32| bodies.motion(row) == Motion::Static;
        let accept = |a: u32, b: u32| !(fixed(a) && fixed(b));
        let columns = bodies.columns()?.select(rows).with_predicate(&accept);
        let part = bodies.index.part(0);
        finder.detector.list_both_pairs(columns, part, &mut fresh.pairs, against)?;
        add_pairs(&mut fresh.pairs, against)?;
        if finder.margin > 0.0 {
            let Finder { detector, narrowphase, near, margin, .. } = finder;
            let both = (&mut **detector, &mut **narrowphase);
            near.find(bodies, columns, part, both, *margin, &mut fresh.contacts)?;
            contacts.append(&mut fresh.contacts);
        } else {
            fresh.touch(bodies, finder)?;
        }
        list.change(touched, fresh)
    }

    /// Forgets all, because there are no bodies.
    pub(super) fn clear(&mut self) {
        self.list.clear();
        self.near.clear();
        (self.anew, self.fixed, self.work) = (false, false, 0);
    }

    /// Whether there are no pairs.
    pub(super) fn is_empty(&self) -> bool {
        self.list.lens() == [0, 0] && self.near.is_empty()
    }

    /// Takes the pairs among bodies that do not move from the lists of the last step. Pairs of
    /// bodies that have changed since then are among them: the next step drops them.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`].
    pub(super) fn restore(
        &mut self,
        bodies: &Bodies,
        step: &Step,
        margin: f32,
    ) -> Result<(), Error> {
        let Self { list, near, anew, .. } = self;
        let mut rests: Vec<bool> =
            bodies.motions.iter().map(|motion| *motion != Motion::Moving).collect();
        for row in &bodies.touched {
            rests[*row as usize] = true;
        }
        let rest = |pair: &Pair| {
            [pair.a, pair.b].iter().all(|row| rests.get(*row as usize) == Some(&true))
        };
        let in_order = list.replace(|found| {
            found.pairs.extend(step.pairs().iter().filter(|pair| rest(pair)));
            let contacts = if margin > 0.0 { near } else { &mut found.contacts };
            contacts.extend(step.contacts().iter().filter(|contact| rest(&contact.pair)));
            Ok(())
        })?;
        // A step with a margin has contacts in another order, and the next one finds all anew.
        *anew |= !in_order;
        Ok(())
    }

    /// Replaces the lists of a step by all pairs and contacts. Lists that begin with them are cut
    /// off behind them.
    ///
    /// # Errors
    /// If they are more than the limits; [`Error::OutOfMemory`].
    pub(super) fn list(&self, options: &Options, lists: &mut StepLists) -> Result<(), Error> {
        let [pairs, contacts] = self.list.lens();
        let contacts = contacts + self.near.len();
        let (found_pairs, found_contacts) = (pairs as u64, contacts as u64);
        if found_pairs > options.max_pairs {
            return Err(Error::TooManyPairs { limit: options.max_pairs, found: found_pairs });
        }
        if found_contacts > options.max_contacts {
            let limit = options.max_contacts;
            return Err(Error::TooManyContacts { limit, found: found_contacts });
        }
        if self.list.is_in(lists) {
            lists.pairs.truncate(pairs);
            lists.contacts.truncate(contacts);
            return Ok(());
        }
        self.list.write_to(lists)?;
        try_reserve(&mut lists.contacts, self.near.len())?;
        lists.contacts.extend_from_slice(&self.near);
        Ok(())
    }

    /// The bytes of memory held.
    pub(super) fn bytes(&self) -> usize {
        let Self { list, near, anew: _, fixed: _, work: _, fresh, rows, against } = self;
        list.bytes()
            + near.capacity() * size_of::<Contact>()
            + fresh.bytes()
            + rows.capacity() * size_of::<u32>()
            + against.capacity() * size_of::<Pair>()
    }
}

impl FoundPairs {
    pub(super) fn clear(&mut self) {
        self.pairs.clear();
        self.contacts.clear();
    }

    /// Replaces the contacts by the contacts of the pairs without a sensor.
    fn touch(&mut self, bodies: &Bodies, finder: &mut Finder<'_>) -> Result<(), Error> {
        let Finder { narrowphase, solid, .. } = finder;
        let shapes = &bodies.index.shapes;
        solid.clear();
        solid.extend(self.pairs.iter().filter(|pair| !senses(shapes, **pair)));
        narrowphase.contacts(shapes, solid, 0.0, &mut self.contacts)
    }

    /// The bytes of memory held.
    pub(super) fn bytes(&self) -> usize {
        self.pairs.capacity() * size_of::<Pair>() + self.contacts.capacity() * size_of::<Contact>()
    }
}

/// Appends pairs with bodies that do not move, each in the order of the rows.
pub(super) fn add_pairs(pairs: &mut Vec<Pair>, against: &[Pair]) -> Result<(), Error> {
    try_reserve(pairs, against.len())?;
    pairs.extend(against.iter().map(|&Pair { a, b }| Pair { a: a.min(b), b: a.max(b) }));
    Ok(())
}

/// Whether one of two bodies is a sensor.
pub(super) fn senses(shapes: &Shapes, Pair { a, b }: Pair) -> bool {
    shapes.is_sensor(a) || shapes.is_sensor(b)
}
