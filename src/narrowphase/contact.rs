//! What comes out: contacts.

use bytemuck::{Pod, Zeroable};

use crate::Pair;

/// How two shapes touch.
///
/// As [`Pod`], 64 bytes without a gap: a slice of contacts casts to bytes and back without a copy.
///
/// A solver pushes the shapes apart by `depth` along the normal, and then they no longer overlap (but
/// for rounding). It does so at the points, and knows them again at the next step by their features: not by their
/// place in the list, for of two points that are as deep either may come first.
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
/// assert_eq!((contact.normal_x, contact.normal_y), (0.0, 1.0));
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
    /// The direction from `a` to `b`, of length 1 up to rounding.
    pub normal_x: f32,
    /// See [`normal_x`](Contact::normal_x).
    pub normal_y: f32,
    /// How far to move `b` along the normal, or `a` against it, for the shapes to touch only; in the
    /// unit of length. At most 0 for shapes that do not touch but are within the margin that was asked
    /// for: minus how far they are apart.
    pub depth: f32,
    /// How many points there are: 1 or 2.
    pub count: u32,
    /// The points; the second means nothing if there is one only. See [`points`](Contact::points).
    pub point: [ContactPoint; 2],
}

impl Contact {
    /// The points: one or two. Of two, the first is not less deep.
    ///
    /// Which one is the first may change from step to step, where both are about as deep: match them by their
    /// features, not by their place in the list.
    pub fn points(&self) -> &[ContactPoint] {
        &self.point[..(self.count as usize).min(2)]
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
            point: self.point.map(|point| ContactPoint {
                feature_a: point.feature_b,
                feature_b: point.feature_a,
                ..point
            }),
            ..self
        }
    }
}

/// A point at which two shapes touch.
#[derive(Debug, Clone, Copy, PartialEq, Default, Pod, Zeroable)]
#[repr(C)]
pub struct ContactPoint {
    /// Where it is in the world, half way between the surfaces of both shapes.
    pub x: f32,
    /// See [`x`](ContactPoint::x).
    pub y: f32,
    /// How deep the shapes overlap there, along the normal of the contact; below 0, how far they are
    /// apart.
    pub depth: f32,
    /// What of `a` touches there.
    pub feature_a: Feature,
    /// What of `b` touches there.
    pub feature_b: Feature,
}

impl ContactPoint {
    /// What touches at the point: the key by which a solver knows it again at the next step.
    pub fn id(&self) -> ContactId {
        ContactId { a: self.feature_a, b: self.feature_b }
    }
}

/// What of each shape touches at a point. Of one pair of shapes, each point has an id of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Pod, Zeroable)]
#[repr(C)]
pub struct ContactId {
    /// What of the first shape touches.
    pub a: Feature,
    /// What of the second shape touches.
    pub b: Feature,
}

/// A vertex or a side of a shape: stays the same from step to step as long as the shapes touch in the
/// same way.
///
/// Vertices and sides are numbered counter-clockwise, side `i` from vertex `i` to the next. Polygons
/// begin with their first vertex. Boxes begin with the lower left vertex, as they are when not turned,
/// and the side to the right of it. A capsule is a box of no height: its first end is vertex 0 or 3, its
/// second vertex 1 or 2. A circle has vertex 0 only, and so have points, and capsules and segments whose ends coincide.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Pod, Zeroable)]
#[repr(transparent)]
pub struct Feature(u16);

impl Feature {
    /// Set for sides.
    const SIDE: u16 = 1 << 15;

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
