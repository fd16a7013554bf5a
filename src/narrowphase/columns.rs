//! Contacts as columns.

use super::{Contact, ContactPoint, Feature};
use crate::Pair;

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
    /// The first points, and the second points. A second point is all zeros where there is only
    /// one.
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
        let Self { a, b, part_a, part_b, normal_x, normal_y, depth, count, points } = self;
        refill(a, contacts, |contact| contact.pair.a);
        refill(b, contacts, |contact| contact.pair.b);
        refill(part_a, contacts, |contact| contact.part_a);
        refill(part_b, contacts, |contact| contact.part_b);
        refill(normal_x, contacts, |contact| contact.normal_x);
        refill(normal_y, contacts, |contact| contact.normal_y);
        refill(depth, contacts, |contact| contact.depth);
        refill(count, contacts, |contact| contact.count);
        for (place, columns) in points.iter_mut().enumerate() {
            let point =
                |contact: &Contact| contact.points().get(place).copied().unwrap_or_default();
            let PointColumns { x, y, depth, feature_a, feature_b } = columns;
            refill(x, contacts, |contact| point(contact).x);
            refill(y, contacts, |contact| point(contact).y);
            refill(depth, contacts, |contact| point(contact).depth);
            refill(feature_a, contacts, |contact| point(contact).feature_a);
            refill(feature_b, contacts, |contact| point(contact).feature_b);
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

/// Replaces the content of a column.
fn refill<T>(column: &mut Vec<T>, contacts: &[Contact], value: impl Fn(&Contact) -> T) {
    column.clear();
    column.extend(contacts.iter().map(value));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Detector, Shapes, shape::Aabb};

    /// Records written to columns are read back unchanged. A shorter list leaves nothing of a
    /// longer one.
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
