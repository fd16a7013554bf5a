//! Answers that are found one by one, on several threads; blocks of queries.

use std::{iter, ops::Range};

use widephase::Error;

use crate::{errors::Failure, memory};

/// The queries of a block, at least. What a call takes beside its columns is as long as a block:
/// records of the queries and of the answers.
pub const BLOCK: usize = 1 << 16;

/// The most blocks of a call. The library sorts the queries of a block: in short blocks, fewer
/// queries share what they read.
const MOST_BLOCKS: usize = 8;

/// The rows of blocks of at least this length. Without rows, there is one block: it checks the
/// arguments.
pub fn blocks(rows: usize, block: usize) -> impl Iterator<Item = Range<usize>> {
    let block = block.max(rows.div_ceil(MOST_BLOCKS));
    let first = iter::once(0..rows.min(block));
    first.chain((block..rows).step_by(block.max(1)).map(move |row| row..rows.min(row + block)))
}

/// An error of a block, with its row among all rows.
pub fn in_block(mut error: Error, block: &Range<usize>) -> Error {
    if let Error::InvalidShape { index, .. }
    | Error::InvalidQuery { index, .. }
    | Error::InvalidPolygon { index, .. } = &mut error
    {
        *index += block.start;
    }
    error
}

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
