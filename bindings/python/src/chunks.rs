//! Answers that are found one by one, on several threads.

use std::ops::Range;

use crate::{errors::Failure, memory};

/// The answers of `work` for the numbers below `count`, in their order, on the threads of the pool
/// that this thread is in.
pub fn answers<T: Send>(
    count: usize,
    threads: usize,
    work: &(dyn Fn(usize) -> Result<T, Failure> + Sync),
) -> Result<Vec<T>, Failure> {
    if threads <= 1 || count < 2 {
        return answers_of(0..count, work);
    }
    // More pieces than threads: some take longer.
    let len = count.div_ceil(8 * threads);
    let mut pieces: Vec<Result<Vec<T>, Failure>> =
        (0..count.div_ceil(len)).map(|_| Ok(Vec::new())).collect();
    rayon::scope(|scope| {
        for (number, piece) in pieces.iter_mut().enumerate() {
            let (first, end) = (number * len, count.min((number + 1) * len));
            scope.spawn(move |_| *piece = answers_of(first..end, work));
        }
    });
    let mut found = memory::with_room(count)?;
    for piece in pieces {
        found.extend::<Vec<T>>(piece?);
    }
    Ok(found)
}

/// The answers of some numbers, on this thread.
fn answers_of<T>(
    numbers: Range<usize>,
    work: &dyn Fn(usize) -> Result<T, Failure>,
) -> Result<Vec<T>, Failure> {
    let mut found = memory::with_room(numbers.len())?;
    for number in numbers {
        found.push(work(number)?);
    }
    Ok(found)
}
