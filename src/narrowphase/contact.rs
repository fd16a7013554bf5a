//! What comes out: contacts.

use bytemuck::{Pod, Zeroable};

use glam::Vec2;

use crate::Pair;

/// How two shapes touch.
///
/// As [`Pod`], 64 bytes without a gap: a slice of contacts casts to bytes and back without a copy.
///
/// A solver pushes the shapes apart by `depth` along the normal, and then they no longer overlap (but
/// for rounding). It does so at the points, and knows them again at the next step by their
/// [ids](ContactPoint::id): not by their place in the list, for of two points that are as deep
/// either may come first.
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
#[derive(Debug, Clone, Copy, PartialEq, Default, Pod, Zeroable)]
#[repr(C)]
pub struct Contact {
    /// The shapes, as in [`Pair`]: `a < b` for those of one set, as a [`Detector`](crate::Detector) reports
    /// them. Not so with static ones, in what a [`Narrowphase`](crate::Narrowphase) makes of the caller's
    /// pairs, in what [`contact`](crate::narrowphase::contact()) gives, which is (0, 0), and in what is
    /// [`mirrored`](Contact::mirrored).
    pub pair: Pair,
    /// Which part of `a` touches, if it is a compound; else 0.
    pub part_a: u32,
    /// Which part of `b` touches, if it is a compound; else 0.
    pub part_b: u32,
    pub(crate) normal_x: f32,
    pub(crate) normal_y: f32,
    /// How far to move `b` along the normal, or `a` against it, for the shapes to touch only; in the
    /// unit of length. At least 0 if the shapes touch, and below 0 if they do not but are within
    /// the requested margin: minus how far they are apart.
    pub depth: f32,
    pub(crate) count: u32,
    /// The second is all zeros if there is one only.
    pub(crate) point: [ContactPoint; 2],
}

impl Contact {
    /// The direction from `a` to `b`, of length 1 up to rounding.
    pub fn normal(&self) -> Vec2 {
        Vec2::new(self.normal_x, self.normal_y)
    }

    /// The points: one or two. Of two, the first is not less deep.
    ///
    /// Which one is the first may change from step to step, where both are about as deep: match them by their
    /// [ids](ContactPoint::id), not by their place in the list.
    pub fn points(&self) -> &[ContactPoint] {
        &self.point[..(self.count as usize).min(2)]
    }

    /// The same contact under other rows: of [`contact`](crate::narrowphase::contact()), which knows no
    /// rows, or after rows were renumbered.
    pub fn with_pair(self, pair: Pair) -> Self {
        Self { pair, ..self }
    }

    /// The contact with its shapes exchanged: what the pair (b, a) has, to the last bit. Two pairs have the same
    /// contact either way round: circles around one point, whose normal is (1, 0), and two shapes that are the same
    /// and in one place.
    pub fn mirrored(self) -> Self {
        let Pair { a, b } = self.pair;
        Self {
            pair: Pair { a: b, b: a },
            part_a: self.part_b,
            part_b: self.part_a,
            normal_x: 0.0 - self.normal_x,
            normal_y: 0.0 - self.normal_y,
            point: self.point.map(|point| {
                let ContactId { a: feature_a, b: feature_b } = point.id().mirrored();
                ContactPoint { feature_a, feature_b, ..point }
            }),
            ..self
        }
    }
}

/// A point at which two shapes touch.
#[derive(Debug, Clone, Copy, PartialEq, Default, Pod, Zeroable)]
#[repr(C)]
pub struct ContactPoint {
    /// Where it is in the world, half way between the surfaces of both shapes: no further than half
    /// its depth from either shape, but for roundings.
    pub x: f32,
    /// See [`x`](ContactPoint::x).
    pub y: f32,
    /// How deep the shapes overlap there, along the normal of the contact; below 0, how far they are
    /// apart.
    pub depth: f32,
    /// The feature of `a` that touches there: see [`id`](ContactPoint::id).
    pub feature_a: Feature,
    /// The feature of `b` that touches there.
    pub feature_b: Feature,
}

impl ContactPoint {
    /// Where it is in the world: [`x`](ContactPoint::x) and [`y`](ContactPoint::y).
    pub fn position(&self) -> Vec2 {
        Vec2::new(self.x, self.y)
    }

    /// Which features meet at the point: the key by which a solver knows it again at the next step.
    pub const fn id(&self) -> ContactId {
        ContactId::new(self.feature_a, self.feature_b)
    }
}

/// Which features of two shapes meet at a contact point: the key by which a solver knows the point
/// again at the next step, together with the pair and the parts.
///
/// An id stays while the same features meet, whichever corners are a rounding further out: of two
/// boxes that rest on each other, both points keep their ids. It is made of the *reference side* of
/// one shape and an *incident vertex* of the other: an end of the side that faces the reference
/// side, also where that side is cut off before its end, and where two corners touch. The points of
/// a contact have different ids.
///
/// | shapes | feature of the one | feature of the other |
/// |---|---|---|
/// | point or circle, point or circle | vertex 0 | vertex 0 |
/// | point or circle, any other | vertex 0 | the side that it touches, or the vertex |
/// | boxes, segments, capsules, polygons | reference side | incident vertex |
/// | compound, any | those of its part | |
///
/// The reference side is the one that separates the shapes best. Two that are as good are told
/// apart by what does not change from step to step: it is the longer one; if both are about as
/// long, the one that looks up, or, of walls, to the right. Of two axis-aligned boxes, it is always
/// the upper side of the lower box, or the right side of the left one. `docs/narrowphase.md` has
/// the tolerances.
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
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Pod, Zeroable)]
#[repr(C)]
pub struct ContactId {
    /// The feature of the first shape.
    pub a: Feature,
    /// The feature of the second shape.
    pub b: Feature,
}

impl ContactId {
    /// The id of these features.
    pub const fn new(a: Feature, b: Feature) -> Self {
        Self { a, b }
    }

    /// The id of the same point when the shapes are exchanged.
    pub const fn mirrored(self) -> Self {
        Self { a: self.b, b: self.a }
    }

    /// The id as a number: the same on every machine.
    pub const fn to_bits(self) -> u32 {
        self.a.0 as u32 | (self.b.0 as u32) << 16
    }

    /// The id of a number that [`to_bits`](ContactId::to_bits) gave.
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
/// | `Aabb`, `RoundedBox`, `Obb` | 0 to 3, from the lower left one, as the box is when not rotated | 0 below, 1 right, 2 above, 3 left |
/// | `Segment`, `Capsule` | 0 and 1: its first and its second end | 0 to the right of the way from the first end to the second, 2 to the left; 1 and 3: the second and the first end, which have no length |
/// | `ConvexPolygon` | those of [`vertices`](crate::shape::ConvexPolygon::vertices) | as many |
///
/// Segments and capsules whose ends coincide are points and circles.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Pod, Zeroable)]
#[repr(transparent)]
pub struct Feature(u16);

impl Feature {
    /// Set for sides.
    const SIDE: u16 = 1 << 15;

    /// The vertex of a number below 2^15, of which higher bits are left out.
    pub const fn vertex(index: usize) -> Self {
        Self(index as u16 & !Self::SIDE)
    }

    /// The side of a number below 2^15, of which higher bits are left out.
    pub const fn side(index: usize) -> Self {
        Self(index as u16 | Self::SIDE)
    }

    /// Whether it is a side, and not a vertex.
    pub const fn is_side(self) -> bool {
        self.0 & Self::SIDE != 0
    }

    /// The number of the side or vertex.
    pub const fn index(self) -> usize {
        (self.0 & !Self::SIDE) as usize
    }

    /// From what kernels call it.
    pub(crate) fn of(number: u16) -> Self {
        Self(number)
    }
}
