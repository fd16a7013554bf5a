//! Batches: many queries, on one thread or several.

use crate::{
    base::parallel::{self, Divide},
    lists::Lists,
};

/// Queries in a task: enough that taking a task costs little beside them.
const TASK: usize = 128;

/// Writes the answer of each query to `out`, by query. `W` is the workspace of a task.
pub(crate) fn fill<T: Send, W: Default>(
    out: &mut [T],
    threads: bool,
    answer: &(dyn Fn(usize, &mut W) -> T + Sync),
) {
    fill_tasks(out, threads, &|first, out, workspace| {
        for (query, out) in (first..).zip(out) {
            *out = answer(query, workspace);
        }
    });
}

/// Calls `answer` with the number of the first query of each task and the part of `out` for its
/// answers.
pub(crate) fn fill_tasks<T: Send, W: Default>(
    out: &mut [T],
    threads: bool,
    answer: &(dyn Fn(usize, &mut [T], &mut W) + Sync),
) {
    parallel::run(FillAnswers { first: 0, out, answer }, threads);
}

struct FillAnswers<'a, 'b, T, W> {
    first: usize,
    out: &'a mut [T],
    answer: &'b (dyn Fn(usize, &mut [T], &mut W) + Sync),
}

impl<T: Send, W: Default> Divide for FillAnswers<'_, '_, T, W> {
    fn tasks(&self) -> usize {
        self.out.len().div_ceil(TASK)
    }

    fn split(self, tasks: usize) -> (Self, Self) {
        let Self { first, out, answer } = self;
        let (out, rest) = out.split_at_mut(tasks * TASK);
        (
            FillAnswers { first, out, answer },
            FillAnswers { first: first + tasks * TASK, out: rest, answer },
        )
    }

    fn work(self) {
        (self.answer)(self.first, self.out, &mut W::default());
    }
}

/// Replaces `lists` by a list for each query, which `answer` appends to a vector. `W` is the
/// workspace of a task.
pub(crate) fn list<T: Send, W: Default>(
    queries: usize,
    threads: bool,
    lists: &mut Lists<T>,
    answer: &(dyn Fn(usize, &mut W, &mut Vec<T>) + Sync),
) {
    lists.clear();
    if !threads {
        return Listing { first: 0, end: queries, parts: std::slice::from_mut(lists), answer }
            .work();
    }
    let mut parts: Vec<Lists<T>> = (0..queries.div_ceil(TASK)).map(|_| Lists::new()).collect();
    parallel::run(Listing { first: 0, end: queries, parts: &mut parts, answer }, true);
    for part in &mut parts {
        lists.append(part);
    }
}

/// Each part has the lists of a task, except that a single part has the lists of all queries.
struct Listing<'a, 'b, T, W> {
    first: usize,
    end: usize,
    parts: &'a mut [Lists<T>],
    answer: &'b (dyn Fn(usize, &mut W, &mut Vec<T>) + Sync),
}

impl<T: Send, W: Default> Divide for Listing<'_, '_, T, W> {
    fn tasks(&self) -> usize {
        self.parts.len()
    }

    fn split(self, tasks: usize) -> (Self, Self) {
        let Self { first, end, parts, answer } = self;
        let middle = first + tasks * TASK;
        let (parts, rest) = parts.split_at_mut(tasks);
        let rest = Listing { first: middle, end, parts: rest, answer };
        (Listing { first, end: middle, parts, answer }, rest)
    }

    fn work(self) {
        let mut workspace = W::default();
        let last = self.parts.len().saturating_sub(1);
        let mut query = self.first;
        for (number, part) in self.parts.iter_mut().enumerate() {
            let end = if number == last { self.end } else { query + TASK };
            for query in query..end {
                (self.answer)(query, &mut workspace, part.open());
                part.end_list();
            }
            query = end;
        }
    }
}
