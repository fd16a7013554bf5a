//! Batches: many queries, on one thread or several threads.

use std::ops::Range;

use crate::{
    base::{
        Pair,
        parallel::{self, Divide},
    },
    error::{
        Error,
        limit::{Budget, Listed, try_resize},
    },
    lists::Lists,
};

/// Queries in most tasks: enough that taking a task costs little beside them.
pub(super) const QUERY_TASK: usize = 128;

/// Calls `answer` with each query and its place in `out`. `W` is the workspace of a task.
pub(crate) fn fill<T: Send, W: Default>(
    out: &mut [T],
    threads: bool,
    answer: &(dyn Fn(usize, &mut T, &mut W) + Sync),
) {
    fill_tasks(out, QUERY_TASK, threads, &|first, out, workspace| {
        for (query, out) in (first..).zip(out) {
            answer(query, out, workspace);
        }
    });
}

/// Calls `answer` with the number of the first query of each task and the part of `out` for its
/// answers. Tasks for threads have `task` queries.
pub(crate) fn fill_tasks<T: Send, W: Default>(
    out: &mut [T],
    task: usize,
    threads: bool,
    answer: &(dyn Fn(usize, &mut [T], &mut W) + Sync),
) {
    parallel::run(FillAnswers { first: 0, out, task, answer }, threads);
}

struct FillAnswers<'a, 'b, T, W> {
    first: usize,
    out: &'a mut [T],
    task: usize,
    answer: &'b (dyn Fn(usize, &mut [T], &mut W) + Sync),
}

impl<T: Send, W: Default> Divide for FillAnswers<'_, '_, T, W> {
    fn tasks(&self) -> usize {
        self.out.len().div_ceil(self.task)
    }

    fn split(self, tasks: usize) -> (Self, Self) {
        let Self { first, out, task, answer } = self;
        let (out, rest) = out.split_at_mut(tasks * task);
        (
            FillAnswers { first, out, task, answer },
            FillAnswers { first: first + tasks * task, out: rest, task, answer },
        )
    }

    fn work(self) {
        (self.answer)(self.first, self.out, &mut W::default());
    }
}

/// Replaces `lists` by a list for each query, which `answer` appends to a vector. `W` is the
/// workspace of a task.
///
/// # Errors
/// [`Error::TooManyPairs`] if the lists have more than `most` items; [`Error::OutOfMemory`]. They
/// are then empty.
pub(crate) fn list<T: Copy + Send, W: Default>(
    queries: usize,
    threads: bool,
    most: usize,
    lists: &mut Lists<T>,
    answer: &ListAnswer<'_, T, W>,
) -> Result<(), Error> {
    let answers = |queries, workspace: &mut W, budget: &Budget, lists: &mut Lists<T>| {
        for query in queries {
            let room = lists.make_room(1, 0);
            if let Err(len) = room.and_then(|()| answer(query, workspace, lists.open())) {
                return budget.starve(len);
            }
            lists.end_list();
            if lists.items().len() > most {
                return budget.spend();
            }
        }
    };
    if list_within(queries, QUERY_TASK, threads, most, lists, &answers)? {
        return Ok(());
    }
    // Each task has one list at a time.
    let mut counts = Vec::new();
    try_resize(&mut counts, queries, 0_u64)?;
    fill(&mut counts, threads, &|query, count, (workspace, list): &mut (W, Vec<T>)| {
        list.clear();
        // The lists have been found before.
        let _ = answer(query, workspace, list);
        *count = list.len() as u64;
    });
    Err(Pair::too_many(most, counts.iter().sum()))
}

/// Appends the list of a query. On failure, returns the number of items for which there is no
/// memory.
pub(crate) type ListAnswer<'a, T, W> =
    dyn Fn(usize, &mut W, &mut Vec<T>) -> Result<(), usize> + Sync + 'a;

/// Appends the lists of some queries. On failure, returns the number of items for which there is no
/// memory.
type ListAnswers<'a, T, W> =
    dyn Fn(Range<usize>, &mut W, &mut Lists<T>) -> Result<(), usize> + Sync + 'a;

/// Appends the lists of some queries within a budget. Beyond it, the appended items mean nothing.
type AnswersWithin<'a, T, W> = dyn Fn(Range<usize>, &mut W, &Budget, &mut Lists<T>) + Sync + 'a;

/// Replaces `lists` by a list for each query. `answer` appends the lists of up to `task` queries.
///
/// # Errors
/// [`Error::OutOfMemory`]. The lists are then empty.
pub(crate) fn list_tasks<T: Send, W: Default>(
    queries: usize,
    task: usize,
    threads: bool,
    lists: &mut Lists<T>,
    answer: &ListAnswers<'_, T, W>,
) -> Result<(), Error> {
    let answer = |queries, workspace: &mut W, budget: &Budget, lists: &mut Lists<T>| {
        if let Err(len) = answer(queries, workspace, lists) {
            budget.starve(len);
        }
    };
    list_within(queries, task, threads, usize::MAX - 1, lists, &answer).map(|_| ())
}

/// Lists as [`list`] does, if the lists have at most `most` items together. Returns whether they
/// have; else they are empty.
pub(crate) fn list_within<T: Send, W: Default>(
    queries: usize,
    task: usize,
    threads: bool,
    most: usize,
    lists: &mut Lists<T>,
    answer: &AnswersWithin<'_, T, W>,
) -> Result<bool, Error> {
    lists.clear();
    let (budget, end) = (&Budget::new(most), queries);
    if !threads {
        let parts = std::slice::from_mut(lists);
        Listing { first: 0, end, task, parts, budget, answer }.work();
    } else {
        let mut parts: Vec<Lists<T>> = (0..queries.div_ceil(task)).map(|_| Lists::new()).collect();
        parallel::run(Listing { first: 0, end, task, parts: &mut parts, budget, answer }, true);
        for part in &mut parts {
            if budget.lasts()
                && let Err(len) = lists.append(part)
            {
                budget.starve(len);
            }
        }
    }
    if !budget.lasts() {
        lists.give_back();
    }
    budget.memory()?;
    Ok(budget.lasts())
}

/// Each part has the lists of a task, except that a single part has the lists of all queries.
struct Listing<'a, 'b, T, W> {
    first: usize,
    end: usize,
    task: usize,
    parts: &'a mut [Lists<T>],
    budget: &'b Budget,
    answer: &'b AnswersWithin<'b, T, W>,
}

impl<T: Send, W: Default> Divide for Listing<'_, '_, T, W> {
    fn tasks(&self) -> usize {
        self.parts.len()
    }

    fn split(self, tasks: usize) -> (Self, Self) {
        let middle = self.first + tasks * self.task;
        let (parts, rest) = self.parts.split_at_mut(tasks);
        (Listing { end: middle, parts, ..self }, Listing { first: middle, parts: rest, ..self })
    }

    fn work(self) {
        let Self { first, end: all, task, parts, budget, answer } = self;
        let mut workspace = W::default();
        let last = parts.len().saturating_sub(1);
        let mut query = first;
        for (number, part) in parts.iter_mut().enumerate() {
            let end = if number == last { all } else { query + task };
            while query < end {
                let (next, listed) = (end.min(query + task), part.items().len());
                if budget.lasts() {
                    answer(query..next, &mut workspace, budget, part);
                    budget.keep(part.items().len() - listed);
                }
                query = next;
            }
        }
    }
}
