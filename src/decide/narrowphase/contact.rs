//! `Contact`: the result of the narrowphase, and contacts as columns.

use crate::{
    base::{HasPair, MAX_VERTICES, Pair, pod},
    error::{Error, limit::Listed},
    simd::map_each,
};
use bytemuck::Pod;
use glam::Vec2;

/// How two shapes touch.
///
/// It is [`Pod`](bytemuck::Pod), 64 bytes without padding: a slice of contacts casts to bytes and
/// back without a copy.
///
/// A solver pushes the shapes apart by `depth` along the normal. They then no longer overlap,
/// except for rounding. It does so at the points, and matches them with the points of the previous
/// step by their [ids](ContactPoint::id). Their place in the list does not match them: of two
/// points that are equally deep, either may come first.
///
/// ```
/// use widephase::{Detector, Shapes, shape::{Aabb, Circle}};
///
/// let mut shapes = Shapes::new();
/// shapes.push(Aabb::new([-5.0, -1.0], [5.0, 0.0]))?; // the floor
/// shapes.push(Circle::new([2.0, 0.75], 1.0))?; // sunk in by a quarter
/// let mut contacts = Vec::new();
/// Detector::new().contacts(&shapes, 0.0, &mut contacts)?;
/// let contact = contacts[0];
/// assert_eq!((contact.pair.a, contact.pair.b), (0, 1));
/// assert_eq!(contact.normal().to_array(), [0.0, 1.0]);
/// assert_eq!(contact.depth, 0.25);
/// assert_eq!((contact.points()[0].x, contact.points()[0].y), (2.0, -0.125));
/// # Ok::<(), widephase::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[repr(C)]
pub struct Contact {
    /// The rows of the shapes, as in [`Pair`]. In contacts that a [`Detector`](crate::Detector)
    /// reports within one set, `a < b`. This does not hold for contacts with an
    /// [`Index`](crate::Index), for contacts of a [`Narrowphase`](crate::Narrowphase), which keep
    /// the order of the caller's pairs, for contacts of [`contact`](crate::narrowphase::contact()),
    /// whose pair is (0, 0), and for [`mirrored`](Contact::mirrored) contacts.
    pub pair: Pair,
    /// The part of `a` that touches, if `a` is a compound; else 0.
    pub part_a: u32,
    /// The part of `b` that touches, if `b` is a compound; else 0.
    pub part_b: u32,
    pub(crate) normal_x: f32,
    pub(crate) normal_y: f32,
    /// The distance to move `b` along the normal, or `a` against it, so that the shapes only touch;
    /// in the unit of length. At least 0 if the shapes touch. Below 0 if they are apart but within
    /// the requested margin: minus their distance.
    pub depth: f32,
    pub(crate) count: u32,
    /// The second point is all zeros if there is only one point.
    pub(crate) point: [ContactPoint; 2],
}

pod!(Contact { pair, part_a, part_b, normal_x, normal_y, depth, count, point });

impl Contact {
    /// The direction from `a` to `b`, of length 1 up to rounding.
    pub fn normal(&self) -> Vec2 {
        Vec2::new(self.normal_x, self.normal_y)
    }

    /// The contact points: one or two. The first point is at least as deep as the second.
    ///
    /// If both points are about equally deep, they may change places from step to step. Match
    /// points by their [ids](ContactPoint::id), not by their place in the list.
    pub fn points(&self) -> &[ContactPoint] {
        &self.point[..(self.count as usize).min(2)]
    }

    /// The same contact with another pair of rows: for a contact of
    /// [`contact`](crate::narrowphase::contact()), which has no rows, or after rows were
    /// renumbered.
    pub fn with_pair(self, pair: Pair) -> Self {
        Self { pair, ..self }
    }

    /// The contact with its shapes exchanged: the contact of the pair (b, a), to the last bit. In
    /// two cases the pairs (a, b) and (b, a) have the same contact instead: concentric circles,
    /// whose normal is (1, 0), and two equal shapes at the same position.
    pub fn mirrored(self) -> Self {
        let Pair { a, b } = self.pair;
        Self {
            pair: Pair { a: b, b: a },
            part_a: self.part_b,
            part_b: self.part_a,
            normal_x: 0.0 - self.normal_x,
            normal_y: 0.0 - self.normal_y,
            point: map_each(self.point, |point| {
                let ContactId { a: feature_a, b: feature_b } = point.id().mirrored();
                ContactPoint { feature_a, feature_b, ..point }
            }),
            ..self
        }
    }
}

/// A point at which two shapes touch.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[repr(C)]
pub struct ContactPoint {
    /// The x coordinate in the world. The point is half way between the surfaces of both shapes: at
    /// most half its depth from either shape, except for rounding.
    pub x: f32,
    /// The y coordinate in the world.
    pub y: f32,
    /// The depth of the overlap at the point, along the normal of the contact. Below 0: minus the
    /// distance of the shapes.
    pub depth: f32,
    /// The feature of `a` that touches there: see [`id`](ContactPoint::id).
    pub feature_a: Feature,
    /// The feature of `b` that touches there.
    pub feature_b: Feature,
}

pod!(ContactPoint { x, y, depth, feature_a, feature_b });

impl ContactPoint {
    /// The position in the world: [`x`](ContactPoint::x) and [`y`](ContactPoint::y).
    pub fn position(&self) -> Vec2 {
        Vec2::new(self.x, self.y)
    }

    /// The features that meet at the point: the key by which a solver matches it at the next step.
    pub const fn id(&self) -> ContactId {
        ContactId::new(self.feature_a, self.feature_b)
    }
}

/// The features of two shapes that meet at a contact point. Together with the pair and the parts,
/// it is the key by which a solver matches the point with a point of the next step.
///
/// An id stays the same while the same features meet, even if rounding changes which corners are
/// further out: if two boxes rest on each other, both points keep their ids. It consists of the
/// *reference side* of one shape and an *incident vertex* of the other: an end of the side that
/// faces the reference side, also where that side is clipped before its end, and where two corners
/// touch. The points of a contact have different ids.
///
/// | shapes | feature of the first | feature of the second |
/// |---|---|---|
/// | point or circle, point or circle | vertex 0 | vertex 0 |
/// | point or circle, any other | vertex 0 | the side or vertex that it touches |
/// | boxes, segments, capsules, polygons | reference side | incident vertex |
/// | half-plane, any other | side 0 | incident vertex |
/// | compound, any | as for its part | |
///
/// The reference side is the side that separates the shapes best. If two sides are equally good,
/// the choice uses properties that do not change from step to step: the longer side; if both are
/// about equally long, the side that faces up or, for walls, right. Between two axis-aligned boxes,
/// it is always the upper side of the lower box, or the right side of the left box.
/// `docs/narrowphase.md` has the tolerances.
///
/// A circle touches a vertex if it is more than a degree from straight above the end of a side.
///
/// ```
/// use widephase::{ContactId, Feature};
///
/// // The upper side of a box, and the lower left vertex of the box on it.
/// let id = ContactId::new(Feature::side(2), Feature::vertex(0));
/// assert!(id.a.is_side() && id.b.index() == 0);
/// assert_eq!(id.mirrored(), ContactId::new(Feature::vertex(0), Feature::side(2)));
/// assert_eq!(ContactId::from_bits(id.to_bits()), id);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[repr(C)]
pub struct ContactId {
    /// The feature of the first shape.
    pub a: Feature,
    /// The feature of the second shape.
    pub b: Feature,
}

pod!(ContactId { a, b });

impl ContactId {
    /// The id of these features.
    pub const fn new(a: Feature, b: Feature) -> Self {
        Self { a, b }
    }

    /// The id of the same point when the shapes are exchanged.
    pub const fn mirrored(self) -> Self {
        Self { a: self.b, b: self.a }
    }

    /// The id as a number, equal on every machine.
    pub const fn to_bits(self) -> u32 {
        self.a.0 as u32 | (self.b.0 as u32) << 16
    }

    /// The id from a number that [`to_bits`](ContactId::to_bits) returned.
    pub const fn from_bits(bits: u32) -> Self {
        Self { a: Feature(bits as u16), b: Feature((bits >> 16) as u16) }
    }
}

/// A vertex or a side of a shape.
///
/// Vertices and sides are numbered counter-clockwise, side `i` from vertex `i` to the next.
///
/// | shape | vertices | sides |
/// |---|---|---|
/// | `Point`, `Circle` | 0 | none |
/// | `Aabb`, `RoundedBox`, `Obb` | 0 to 3, from the lower left vertex, as the box is when not rotated | 0 below, 1 right, 2 above, 3 left |
/// | `HalfPlane` | none | 0, its border |
/// | `Segment`, `ChainSegment`, `Capsule` | 0 and 1: its first and its second end | 0 to the right of the way from the first end to the second, 2 to the left; 1 and 3: the second and the first end, which have no length |
/// | `ConvexPolygon` | as in [`vertices`](crate::shape::ConvexPolygon::vertices) | a side for each vertex |
///
/// Segments and capsules whose ends coincide are points and circles.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[repr(transparent)]
pub struct Feature(u16);

pod!(Feature { 0 });

impl Feature {
    /// The bit that is set for sides.
    const SIDE_BIT: u16 = MAX_VERTICES as u16;

    /// The vertex with this number, which must be below 2^15; higher bits are dropped.
    pub const fn vertex(index: usize) -> Self {
        Self(index as u16 & !Self::SIDE_BIT)
    }

    /// The side with this number, which must be below 2^15; higher bits are dropped.
    pub const fn side(index: usize) -> Self {
        Self(index as u16 | Self::SIDE_BIT)
    }

    /// Whether it is a side; else it is a vertex.
    pub const fn is_side(self) -> bool {
        self.0 & Self::SIDE_BIT != 0
    }

    /// The number of the side or vertex.
    pub const fn index(self) -> usize {
        (self.0 & !Self::SIDE_BIT) as usize
    }

    /// The feature from the number that kernels use.
    pub(crate) fn of(number: u16) -> Self {
        Self(number)
    }
}

/// The pair of a contact. All contacts of two shapes count as one pair.
impl HasPair for Contact {
    fn pair(&self) -> Pair {
        self.pair
    }
}

impl Listed for Contact {
    fn too_many(limit: usize, found: u64) -> Error {
        Error::TooManyContacts { limit: limit as u64, found }
    }
}

/// Contacts in structure-of-arrays form: value `i` of each column belongs to contact `i`.
///
/// For solvers that process many contacts at once. The columns are public, so that they can be read
/// and passed on as slices. Keep one value and refill it: it keeps its memory.
///
/// ```
/// use widephase::{Columns, Detector, columns::{ContactColumns, PointColumns}};
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
