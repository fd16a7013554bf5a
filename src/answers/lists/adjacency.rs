//! From pairs to lists: the partners of each row.

use super::lists::{Adjacency, Lists};
use crate::{base::Pair, error::Error, store::index_fits};

/// Replaces the content of `lists` by the partners of each row: one list for each of `rows` rows,
/// made from the pairs of one set. With [`Adjacency::Half`], row `a` of a pair lists `b`; with
/// [`Adjacency::Full`], `b` also lists `a`.
///
/// A list is in the order of the pairs. The list of a pair that occurs twice has the partner twice,
/// and so has the full list of a row that is paired with itself. [`Detector::neighbors`] finds the
/// pairs within a distance and makes these lists in one call.
///
/// [`Detector::neighbors`]: crate::Detector::neighbors
///
/// O(rows + pairs) time, on the calling thread. Allocates only if the lists grow: 8 bytes a row and
/// 4 bytes an item.
///
/// # Errors
/// [`Error::NoSuchShape`] for the first pair of a row that is not below `rows`;
/// [`Error::TooManyShapes`] for more rows than a `u32` can number; [`Error::OutOfMemory`]. `lists`
/// is then empty.
///
/// ```
/// use widephase::{Adjacency, Lists, Pair, adjacency};
///
/// let pairs = [Pair { a: 0, b: 3 }, Pair { a: 1, b: 3 }, Pair { a: 0, b: 1 }];
/// let mut partners = Lists::new();
/// adjacency(4, &pairs, Adjacency::Full, &mut partners)?;
/// assert_eq!(partners.get(0), [3, 1]);
/// assert_eq!(partners.get(1), [3, 0]);
/// assert_eq!(partners.get(2), []);
/// assert_eq!(partners.get(3), [0, 1]);
/// # Ok::<(), widephase::Error>(())
/// ```
pub fn adjacency(
    rows: usize,
    pairs: &[Pair],
    adjacency: Adjacency,
    lists: &mut Lists<u32>,
) -> Result<(), Error> {
    lists.clear();
    check_rows(rows, pairs)?;
    match adjacency {
        Adjacency::Full => lists.group(rows, pairs, |&Pair { a, b }| [(a, b), (b, a)]),
        Adjacency::Half => lists.group(rows, pairs, |&Pair { a, b }| [(a, b)]),
    }
}

/// Checks that all rows of `pairs` are below `rows`.
pub(super) fn check_rows(rows: usize, pairs: &[Pair]) -> Result<(), Error> {
    index_fits(rows)?;
    let numbers: &[u32] = bytemuck::cast_slice(pairs);
    let highest = numbers.iter().copied().fold(0, u32::max);
    if pairs.is_empty() || (highest as usize) < rows {
        return Ok(());
    }
    let missing = numbers.iter().map(|row| *row as usize).find(|row| *row >= rows);
    Err(Error::NoSuchShape { index: missing.unwrap_or(highest as usize), len: rows })
}
