//! Answers that are found one by one, on several threads.

use crate::errors::Failure;

/// The answers of `work` for the numbers below `count`, in their order, on the threads of the pool
/// that this thread is in.
pub fn answers<T: Send>(
    count: usize,
    threads: usize,
    work: &(dyn Fn(usize) -> Result<T, Failure> + Sync),
) -> Result<Vec<T>, Failure> {
    if threads <= 1 || count < 2 {
        return (0..count).map(work).collect();
    }
    // More pieces than threads: some take longer.
    let len = count.div_ceil(8 * threads);
    let mut pieces: Vec<_> = (0..count.div_ceil(len)).map(|_| Ok(Vec::new())).collect();
    rayon::scope(|scope| {
        for (number, piece) in pieces.iter_mut().enumerate() {
            let (first, end) = (number * len, count.min((number + 1) * len));
            scope.spawn(move |_| *piece = (first..end).map(work).collect());
        }
    });
    let mut found = Vec::with_capacity(count);
    for piece in pieces {
        found.extend::<Vec<T>>(piece?);
    }
    Ok(found)
}
