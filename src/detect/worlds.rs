//! Many worlds in one call: a detection for each world, one after the other.
//!
//! In plain words:
//!
//! ```text
//! group the rows by world
//! for each world, in ascending order: detect its rows as a call of its own; append the results
//! ```
//!
//! So the results equal, bit for bit, the results of a call for each world. One grid in which
//! worlds lie side by side would have other cells, and so another order of pairs, than a call for
//! one world. What a world costs is in benches/log.

use std::sync::atomic::{AtomicUsize, Ordering};

use super::near::Near;
use super::{
    detection::{List, Output, Request, Scratch, Sets},
    detector::{contact_key, pair_key},
    ordered_output::TaskBuffer,
};
use crate::index::{Index, Part};
use crate::{
    Contact, Error, Options, Order, Pair, Threads,
    base::parallel::{self, Divide},
    error::limit::{Listed, outcome},
    filter::Filtering,
    index::Worlds,
    options::uses_pool,
    simd::Isa,
    store::Rows,
};

/// The fewest rows in a task, and the most tasks for each thread.
const TASK: usize = 1 << 13;
const TASKS_A_THREAD: usize = 8;

/// The workspace of calls with many worlds.
#[derive(Debug, Default)]
pub(super) struct WorldsRoom {
    /// Whether the last call had worlds.
    pub(super) used: bool,
    pub(super) worlds: Worlds,
    tasks: Vec<TaskRoom>,
}

/// The workspace and the results of a task.
#[derive(Debug, Default)]
struct TaskRoom {
    scratch: Scratch,
    /// The pairs of all worlds of the task: among their shapes, and with an index. The search
    /// writes them there.
    pairs: [TaskBuffer<Pair>; 2],
    /// The number of pairs before the world.
    before: [usize; 2],
    /// Other results of one world, and of all worlds of the task.
    found: [Found; 2],
    all: [Found; 2],
    /// The number of results that are not kept.
    dropped: [u64; 2],
    error: Option<Error>,
}

/// Results other than pairs.
#[derive(Debug, Default)]
struct Found {
    contacts: Vec<Contact>,
    near: Vec<Near>,
}

/// The form of the results.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Form {
    Pairs,
    Contacts,
    Near,
    Count,
}

impl Form {
    fn of(output: &Output<'_>) -> Self {
        match output {
            Output::List(List::Pairs(_) | List::MorePairs(_)) => Form::Pairs,
            #[cfg(feature = "queries")]
            Output::List(List::Neighbors(_)) => Form::Pairs,
            Output::List(List::Contacts(_)) => Form::Contacts,
            Output::List(List::Near(_)) => Form::Near,
            Output::Count | Output::Later { .. } => Form::Count,
        }
    }
}

/// Where the results of a world are written.
struct Outputs<'a> {
    pairs: &'a mut TaskBuffer<Pair>,
    found: &'a mut Found,
}

impl<'a> Outputs<'a> {
    fn of(self, form: Form) -> Output<'a> {
        match form {
            Form::Pairs => Output::List(List::MorePairs(self.pairs)),
            Form::Contacts => Output::List(List::Contacts(&mut self.found.contacts)),
            Form::Near => Output::List(List::Near(&mut self.found.near)),
            Form::Count => Output::Count,
        }
    }
}

impl Found {
    fn clear(&mut self) {
        self.contacts.clear();
        self.near.clear();
    }

    fn len(&self) -> usize {
        self.contacts.len() + self.near.len()
    }

    /// Moves the results behind the results of `all`.
    fn append_to(&mut self, all: &mut Self) {
        all.contacts.append(&mut self.contacts);
        all.near.append(&mut self.near);
    }

    /// The bytes of memory held.
    fn bytes(&self) -> usize {
        self.contacts.capacity() * size_of::<Contact>() + self.near.capacity() * size_of::<Near>()
    }
}

/// A call for many worlds.
pub(super) struct Call<'a> {
    pub(super) isa: Isa,
    /// The rows, whose values have been checked.
    pub(super) rows: Rows<'a>,
    pub(super) filtering: Filtering<'a>,
    pub(super) margin: f32,
    pub(super) options: &'a Options,
}

impl WorldsRoom {
    /// Runs a detection for each world, and writes the results to the outputs, in the order of the
    /// worlds. Lists are in the order of [`Options::order`] in each world. Returns the number of
    /// results; with an index, of the pairs with the index only.
    pub(super) fn run(
        &mut self,
        call: &Call<'_>,
        among: Option<Output<'_>>,
        against: Option<(&Index, Output<'_>)>,
    ) -> Result<u64, Error> {
        let Self { worlds, tasks, .. } = self;
        let Call { options, rows, .. } = call;
        let threads = uses_pool(options.threads, rows.len());
        let wanted = if threads { parallel::threads() * TASKS_A_THREAD } else { 1 };
        let wanted = wanted.min(worlds.rows() / TASK).clamp(1, worlds.len().max(1));
        if tasks.len() < wanted {
            tasks.resize_with(wanted, TaskRoom::default);
        }
        let tasks = &mut tasks[..wanted];
        let forms =
            [among.as_ref().map(Form::of), against.as_ref().map(|(_, output)| Form::of(output))];
        let index = against.as_ref().map(|(index, _)| *index);
        let (worlds, kept) = (&*worlds, &[const { AtomicUsize::new(0) }; 2]);
        let (first, count) = (0, wanted);
        let tasks_of = &mut *tasks;
        let work = Tasks { call, worlds, index, forms, kept, first, count, tasks: tasks_of };
        parallel::enter(threads, || parallel::run(work, threads));
        finish(tasks, options, [among, against.map(|(_, output)| output)])
    }

    /// Runs a detection between the parts of two indexes for each world, in the same way.
    pub(super) fn run_between(
        &mut self,
        isa: Isa,
        options: &Options,
        [index, other]: [&Index; 2],
        output: Output<'_>,
    ) -> Result<u64, Error> {
        if self.tasks.is_empty() {
            self.tasks.push(TaskRoom::default());
        }
        let (task, kept) = (&mut self.tasks[0], [const { AtomicUsize::new(0) }; 2]);
        task.begin();
        let form = Form::of(&output);
        for world in index.worlds() {
            let parts = [index.part(world), other.part(world)];
            let (scratch, [_, found]) = task.outputs();
            let result = scratch.run_between(isa, options, parts, found.of(form));
            task.keep(options, [None, Some(form)], result, &kept);
        }
        finish(&mut self.tasks[..1], options, [None, Some(output)])
    }

    /// The bytes of memory held.
    pub(super) fn bytes(&self) -> usize {
        let of_task = |task: &TaskRoom| {
            let found = task.found.iter().chain(&task.all).map(Found::bytes);
            let pairs = task.pairs.iter().map(|pairs| pairs.list.capacity() * size_of::<Pair>());
            task.scratch.bytes() + found.sum::<usize>() + pairs.sum::<usize>()
        };
        self.worlds.bytes()
            + self.tasks.capacity() * size_of::<TaskRoom>()
            + self.tasks.iter().map(of_task).sum::<usize>()
    }
}

/// Writes the results of all tasks to the outputs: among the shapes, and with an index.
fn finish(
    tasks: &mut [TaskRoom],
    options: &Options,
    outputs: [Option<Output<'_>>; 2],
) -> Result<u64, Error> {
    if let Some(error) = tasks.iter_mut().find_map(|task| task.error.take()) {
        return Err(error);
    }
    let mut found = 0;
    for (side, output) in outputs.into_iter().enumerate() {
        let Some(output) = output else { continue };
        let dropped: u64 = tasks.iter().map(|task| task.dropped[side]).sum();
        let pairs = tasks.iter().map(|task| &task.pairs[side]);
        let pairs = pairs.map(|pairs| &pairs.list[..pairs.len]);
        let all = tasks.iter().map(|task| &task.all[side]);
        found = match output {
            Output::List(List::Pairs(out)) => join(out, pairs, dropped, options.max_pairs),
            #[cfg(feature = "queries")]
            Output::List(List::Neighbors(listing)) => {
                join(listing.as_pairs(), pairs, dropped, options.max_pairs)
            }
            Output::List(List::MorePairs(_)) => unreachable!("worlds are not nested"),
            Output::List(List::Contacts(contacts)) => {
                let all = all.map(|all| &all.contacts[..]);
                join(contacts, all, dropped, options.max_contacts)
            }
            Output::List(List::Near(near)) => {
                join(near, all.map(|all| &all.near[..]), dropped, options.max_pairs)
            }
            Output::Count | Output::Later { .. } => Ok(dropped),
        }?;
    }
    Ok(found)
}

/// Replaces `out` by all parts, in order.
///
/// # Errors
/// If there are more results than the limit, counting results that were not kept.
fn join<'a, T: Listed + 'a>(
    out: &mut Vec<T>,
    parts: impl Iterator<Item = &'a [T]>,
    dropped: u64,
    limit: usize,
) -> Result<u64, Error> {
    out.clear();
    for part in parts {
        out.extend_from_slice(part);
    }
    let found = out.len() as u64 + dropped;
    outcome(out, found, limit, None)?;
    Ok(found)
}

/// Some tasks: consecutive shares of the worlds.
struct Tasks<'a, 'b> {
    call: &'a Call<'a>,
    worlds: &'a Worlds,
    index: Option<&'a Index>,
    forms: [Option<Form>; 2],
    /// The number of results that all tasks keep.
    kept: &'a [AtomicUsize; 2],
    /// The number of the first task, and the number of all tasks.
    first: usize,
    count: usize,
    tasks: &'b mut [TaskRoom],
}

impl Divide for Tasks<'_, '_> {
    fn tasks(&self) -> usize {
        self.tasks.len()
    }

    fn split(self, tasks: usize) -> (Self, Self) {
        let (own, rest) = self.tasks.split_at_mut(tasks);
        (Tasks { tasks: own, ..self }, Tasks { first: self.first + tasks, tasks: rest, ..self })
    }

    fn work(self) {
        let Self { worlds, first, count, tasks, .. } = self;
        let share = |task: usize| worlds.len() * task / count;
        for (number, task) in (first..).zip(tasks) {
            let options = Options { threads: Threads::Calling, ..self.call.options.clone() };
            task.begin();
            for place in share(number)..share(number + 1) {
                let (world, rows) = worlds.get(place);
                let part = self.index.map(|index| index.part(world));
                let one = One { call: self.call, options: &options, rows, part, forms: self.forms };
                task.detect(&one, self.kept);
                if task.error.is_some() {
                    break;
                }
            }
        }
    }
}

/// The detection of one world.
struct One<'a> {
    call: &'a Call<'a>,
    options: &'a Options,
    rows: &'a [u32],
    part: Option<Part<'a>>,
    forms: [Option<Form>; 2],
}

impl TaskRoom {
    fn begin(&mut self) {
        for all in &mut self.all {
            all.clear();
        }
        for pairs in &mut self.pairs {
            pairs.len = 0;
        }
        (self.dropped, self.error) = ([0; 2], None);
    }

    /// Detects a world, and keeps or counts the results.
    fn detect(&mut self, one: &One<'_>, kept: &[AtomicUsize; 2]) {
        let [among, against] = one.forms;
        let result = self.run(one, one.forms);
        if beyond(&result).is_some() && among.is_some() && against.is_some() {
            // One of the two lists is beyond its limit. Which one tells a call for each.
            for (pairs, before) in self.pairs.iter_mut().zip(self.before) {
                pairs.len = before;
            }
            for forms in [[among, None], [None, against]] {
                let result = self.run(one, forms);
                self.keep(one.options, forms, result, kept);
            }
            return;
        }
        self.keep(one.options, one.forms, result, kept);
    }

    fn run(&mut self, one: &One<'_>, [among, against]: [Option<Form>; 2]) -> Result<u64, Error> {
        let &One { call, options, rows, part, .. } = one;
        let &Call { isa, rows: all, filtering, margin, .. } = call;
        let rows = all.select(rows);
        let (scratch, [first, second]) = self.outputs();
        let among = among.map(|form| first.of(form));
        let sets = match part.zip(against) {
            None => Sets::One(among),
            Some((part, form)) => Sets::Against(among, part, second.of(form)),
        };
        scratch.run(Request { isa, rows, filtering, margin, options, sets })
    }

    /// The scratch memory, and the outputs of a world.
    fn outputs(&mut self) -> (&mut Scratch, [Outputs<'_>; 2]) {
        let Self { scratch, pairs: [first, second], before, found: [other, another], .. } = self;
        *before = [first.len, second.len];
        other.clear();
        another.clear();
        let outputs =
            [Outputs { pairs: first, found: other }, Outputs { pairs: second, found: another }];
        (scratch, outputs)
    }

    /// Keeps the results of a world, or counts them.
    fn keep(
        &mut self,
        options: &Options,
        forms: [Option<Form>; 2],
        result: Result<u64, Error>,
        kept: &[AtomicUsize; 2],
    ) {
        let &Options { max_pairs, max_contacts, order, .. } = options;
        let beyond = beyond(&result);
        let counted = match result {
            Err(error) if beyond.is_none() => {
                self.error = Some(error);
                return;
            }
            Ok(counted) => counted,
            Err(_) => 0,
        };
        for (side, form) in forms.into_iter().enumerate() {
            let Some(form) = form else { continue };
            self.dropped[side] += beyond.unwrap_or(if form == Form::Count { counted } else { 0 });
            let (pairs, found, all) =
                (&mut self.pairs[side], &mut self.found[side], &mut self.all[side]);
            let new = pairs.len - self.before[side] + found.len();
            let limit = if form == Form::Contacts { max_contacts } else { max_pairs };
            if kept[side].fetch_add(new, Ordering::Relaxed) + new > limit {
                self.dropped[side] += (pairs.len + found.len() + all.len()) as u64;
                (pairs.len, self.before[side]) = (0, 0);
                all.clear();
                found.clear();
            }
            if order == Order::Sorted {
                // With an index, the second row of a pair is a complement.
                let row = |Pair { a, b }| if side == 1 { Pair { a, b: !b } } else { Pair { a, b } };
                pairs.list[self.before[side]..pairs.len]
                    .sort_unstable_by_key(|pair| pair_key(&row(*pair)));
                found.contacts.sort_unstable_by_key(contact_key);
            }
            found.append_to(all);
        }
    }
}

/// The number of results, if they are more than a limit.
fn beyond(result: &Result<u64, Error>) -> Option<u64> {
    match result {
        Err(Error::TooManyPairs { found, .. } | Error::TooManyContacts { found, .. }) => {
            Some(*found)
        }
        _ => None,
    }
}
