//! Islands by the propagation of labels.

use crate::base::Pair;

/// The island of each of `rows` rows, numbered in the order of their smallest rows; `None` for a
/// row that does not join.
///
/// Each row that joins begins with its own number as its label. As long as any label changes, both
/// rows of each pair take the smaller label of the two. A row then has the smallest row of its
/// island as its label.
///
/// O(rows · pairs) time. Never panics; pairs of other rows are left out.
///
/// ```
/// use widephase::{Pair, reference::islands::islands};
///
/// // Row 0 is static.
/// let pairs = [(0, 1), (0, 2), (2, 4)].map(|(a, b)| Pair { a, b });
/// let found = islands(5, &pairs, |row| row != 0);
/// assert_eq!(found, [None, Some(0), Some(1), Some(2), Some(1)]);
/// ```
#[inline]
pub fn islands(rows: usize, pairs: &[Pair], joins: impl Fn(u32) -> bool) -> Vec<Option<usize>> {
    let mut labels: Vec<Option<u32>> =
        (0..rows as u32).map(|row| joins(row).then_some(row)).collect();
    let mut changed = true;
    while changed {
        changed = false;
        for pair in pairs {
            let [a, b] = [pair.a as usize, pair.b as usize];
            let label = |row: usize| labels.get(row).copied().flatten();
            if let (Some(one), Some(other)) = (label(a), label(b))
                && one != other
            {
                (labels[a], labels[b]) = (Some(one.min(other)), Some(one.min(other)));
                changed = true;
            }
        }
    }
    // An island has the number of smaller rows that are their own label.
    let firsts = |label: u32| (0..label).filter(|row| labels[*row as usize] == Some(*row)).count();
    labels.iter().map(|label| label.map(firsts)).collect()
}
