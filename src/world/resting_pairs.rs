//! `RestingPairs`: the pairs of the bodies that do not move.

use super::{
    Motion, Step,
    bodies::Bodies,
    found::{Finder, FoundPairs, StepLists, add_pairs},
    resting_list::RestingList,
};
use crate::{
    base::{Pair, copied},
    error::{Error, limit::try_reserve},
    narrowphase::contact::Contact,
    options::Options,
};

/// The pairs of bodies that do not move, at least one of which is not static, and their contacts.
///
/// A pair is kept until one of its bodies changes.
#[derive(Debug, Default)]
pub(super) struct RestingPairs {
    /// The pairs, and their contacts unless there is a margin.
    pub(super) list: RestingList,
    /// With a margin: the contacts, in the order in which they were found.
    near: Vec<Contact>,
    /// Whether all pairs are to be found anew.
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

/// Up to this many changed bodies go into holes at once, which takes about a tenth of a step of
/// 1,000 moving bodies. Of more bodies, many are likely to change again, and it takes less time to
/// sort them beside.
const MAX_SETTLED_PER_STEP: usize = 128;

impl RestingPairs {
    /// Finds the pairs of the bodies that have changed since the last step. If these bodies are
    /// few, they go into holes. If they are many, bodies go into holes that changed earlier and not
    /// since. Sorts all bodies once the bodies beside have taken more work than that, and most of
    /// them rest again.
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
            if !self.fixed && !touched.is_empty() {
                let result = self.find_changed(bodies, finder, &touched);
                bodies.index.forget_beside();
                result?;
            }
            let busy = if touched.len() > MAX_SETTLED_PER_STEP { &touched[..] } else { &[] };
            bodies.index.settle(MAX_SETTLED_PER_STEP.max(2 * touched.len()), busy);
            let beside = bodies.index.changed();
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
        // Other changed bodies are searched beside the unchanged bodies.
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

    /// Forgets all pairs, because there are no bodies.
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
}
