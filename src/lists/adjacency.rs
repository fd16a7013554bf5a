//! From pairs to lists: the partners of each row.

use super::Lists;
use crate::{Error, Pair, store::index_fits};

/// Which lists of neighbours a pair is in.
///
/// ```
/// use widephase::{Adjacency, Columns, Detector, Lists};
///
/// let (x, y) = ([0.0, 1.0, 2.0], [0.0; 3]);
/// let (mut detector, mut near) = (Detector::new(), Lists::new());
/// detector.neighbors(Columns::points(&x, &y)?, 1.0, Adjacency::Full, &mut near)?;
/// assert_eq!(near.iter().collect::<Vec<_>>(), [&[1][..], &[0, 2], &[1]]);
/// detector.neighbors(Columns::points(&x, &y)?, 1.0, Adjacency::Half, &mut near)?;
/// assert_eq!(near.iter().collect::<Vec<_>>(), [&[1][..], &[2], &[]]);
/// # Ok::<(), widephase::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Adjacency {
    /// In the lists of both shapes: each list has all neighbours of its row.
    #[default]
    Full,
    /// In the list of the first shape only, which in pairs of one set is the smaller row. Each pair
    /// is then stored once, as solvers with Newton's third law read it.
    Half,
}

/// Replaces the content of `lists` by the partners of each row: one list for each of `rows` rows,
/// made from the pairs of one set. With [`Adjacency::Half`], row `a` of a pair lists `b`; with
/// [`Adjacency::Full`], `b` lists `a`, too.
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
