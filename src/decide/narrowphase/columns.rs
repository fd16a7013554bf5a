//! Contacts as columns.

use bytemuck::Pod;

use super::{Contact, ContactPoint, Feature};
use crate::base::Pair;

/// Contacts in structure-of-arrays form: value `i` of each column belongs to contact `i`.
///
/// For solvers that process many contacts at once. The columns are public, so that they can be read
/// and passed on as slices. Keep one value and refill it: it keeps its memory.
///
/// ```
/// use widephase::{Columns, columns::ContactColumns, Detector, columns::PointColumns};
///
/// let circles = Columns::circles(&[0.0, 3.0], &[0.0, 4.0], &[4.0, 4.0])?;
/// let (mut contacts, mut columns) = (Vec::new(), ContactColumns::new());
/// Detector::new().contacts(circles, 0.0, &mut contacts)?;
/// columns.fill(&contacts);
/// assert_eq!((columns.normal_x[0], columns.normal_y[0]), (0.6, 0.8));
/// assert_eq!(columns.depth, [3.0]);
/// let first: &PointColumns = &columns.points[0];
/// assert_eq!((first.x[0], first.y[0], first.depth[0]), (1.5, 2.0, 3.0));
/// assert_eq!(columns.get(0), Some(contacts[0]));
/// # Ok::<(), widephase::Error>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ContactColumns {
    /// The first shape of each contact, as in [`Contact::pair`].
    pub a: Vec<u32>,
    /// The second shape of each contact, as in [`Contact::pair`].
    pub b: Vec<u32>,
    /// The part of the first shape, as in [`Contact::part_a`].
    pub part_a: Vec<u32>,
    /// The part of the second shape, as in [`Contact::part_b`].
    pub part_b: Vec<u32>,
    /// The x coordinate of [`Contact::normal`].
    pub normal_x: Vec<f32>,
    /// The y coordinate of [`Contact::normal`].
    pub normal_y: Vec<f32>,
    /// The depth, as in [`Contact::depth`], in the unit of length.
    pub depth: Vec<f32>,
    /// The number of points of each contact: 1 or 2. It is 0 in a row of
    /// [`Narrowphase::row_contacts`](crate::Narrowphase::row_contacts) without a contact.
    pub count: Vec<u32>,
    /// The first points, and the second points. A second point is all zeros where there is only one
    /// point.
    pub points: [PointColumns; 2],
}

/// Contact points as columns, as in [`ContactPoint`].
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PointColumns {
    /// The x coordinate in the world.
    pub x: Vec<f32>,
    /// The y coordinate in the world.
    pub y: Vec<f32>,
    /// The depth of the overlap at the point, in the unit of length.
    pub depth: Vec<f32>,
    /// The feature of the first shape at the point.
    pub feature_a: Vec<Feature>,
    /// The feature of the second shape at the point.
    pub feature_b: Vec<Feature>,
}

impl ContactColumns {
    /// Creates empty columns.
    pub fn new() -> Self {
        Self::default()
    }

    /// Replaces the content by `contacts`. O(n). Allocates only if the columns are too small.
    pub fn fill(&mut self, contacts: &[Contact]) {
        self.resize(contacts.len());
        let Self { a, b, part_a, part_b, normal_x, normal_y, depth, count, points } = self;
        for (word, column) in [a, b, part_a, part_b].into_iter().enumerate() {
            copy_words::<u32, 16>(column, contacts, word, 0);
        }
        for (word, column) in [normal_x, normal_y, depth].into_iter().enumerate() {
            copy_words::<u32, 16>(bytemuck::cast_slice_mut(column), contacts, 4 + word, 0);
        }
        copy_words::<u32, 16>(count, contacts, 7, 0);
        for (place, PointColumns { x, y, depth, feature_a, feature_b }) in (0..).zip(points) {
            let points = place as u32 + 1;
            for (word, column) in (8 + 4 * place..).zip([x, y, depth]) {
                copy_words::<u32, 16>(bytemuck::cast_slice_mut(column), contacts, word, points);
            }
            for (word, column) in (22 + 8 * place..).zip([feature_a, feature_b]) {
                copy_words::<u16, 32>(bytemuck::cast_slice_mut(column), contacts, word, points);
            }
        }
    }

    /// Resizes all columns to `rows`. New rows are zeros.
    pub(super) fn resize(&mut self, rows: usize) {
        let Self { a, b, part_a, part_b, normal_x, normal_y, depth, count, points } = self;
        for column in [a, b, part_a, part_b, count] {
            column.resize(rows, 0);
        }
        for column in [normal_x, normal_y, depth] {
            column.resize(rows, 0.0);
        }
        for PointColumns { x, y, depth, feature_a, feature_b } in points {
            for column in [x, y, depth] {
                column.resize(rows, 0.0);
            }
            for column in [feature_a, feature_b] {
                column.resize(rows, Feature::default());
            }
        }
    }

    /// The number of contacts.
    pub fn len(&self) -> usize {
        self.a.len()
    }

    /// Whether there are no contacts.
    pub fn is_empty(&self) -> bool {
        self.a.is_empty()
    }

    /// Contact `index` as a record. `None` beyond the end of any column.
    pub fn get(&self, index: usize) -> Option<Contact> {
        let point = |columns: &PointColumns| {
            Some(ContactPoint {
                x: *columns.x.get(index)?,
                y: *columns.y.get(index)?,
                depth: *columns.depth.get(index)?,
                feature_a: *columns.feature_a.get(index)?,
                feature_b: *columns.feature_b.get(index)?,
            })
        };
        Some(Contact {
            pair: Pair { a: *self.a.get(index)?, b: *self.b.get(index)? },
            part_a: *self.part_a.get(index)?,
            part_b: *self.part_b.get(index)?,
            normal_x: *self.normal_x.get(index)?,
            normal_y: *self.normal_y.get(index)?,
            depth: *self.depth.get(index)?,
            count: *self.count.get(index)?,
            point: [point(&self.points[0])?, point(&self.points[1])?],
        })
    }
}

/// Copies a word of each contact to a column; 0 for contacts of fewer `points`. A contact is `N`
/// words. Not inlined: it is called for each column.
#[inline(never)]
fn copy_words<T: Pod + Default, const N: usize>(
    column: &mut [T],
    contacts: &[Contact],
    word: usize,
    points: u32,
) {
    let records: &[[T; N]] = bytemuck::cast_slice(contacts);
    for ((value, record), contact) in column.iter_mut().zip(records).zip(contacts) {
        *value = if contact.count >= points { record[word] } else { T::default() };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Detector, Shapes, shape::Aabb};

    /// Records written to columns are read back unchanged. A shorter list leaves nothing of a
    /// longer list.
    #[test]
    fn there_and_back() {
        let mut shapes = Shapes::new();
        for x in 0..20 {
            let x = x as f32 * 0.75;
            shapes.push(Aabb::new([x, 0.0], [x + 1.0, 1.0 + x])).unwrap();
        }
        let (mut contacts, mut columns) = (Vec::new(), ContactColumns::new());
        Detector::new().contacts(&shapes, 0.5, &mut contacts).unwrap();
        assert!(contacts.iter().any(|contact| contact.count == 2));
        for len in [contacts.len(), 3, 0] {
            columns.fill(&contacts[..len]);
            assert_eq!((columns.len(), columns.is_empty()), (len, len == 0));
            for (index, contact) in contacts[..len].iter().enumerate() {
                assert_eq!(columns.get(index), Some(*contact));
            }
            assert_eq!(columns.get(len), None);
        }
    }
}
