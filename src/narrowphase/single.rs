//! `touches` and `contact`: tests and contacts of two shapes.

use super::{Contact, Probe, Set, View, rule::PairQuery};
use crate::{
    Error, Shapes, Touching,
    posed::Placed,
    shape::{MAX_COORDINATE, Pose, Shape},
    simd::Isa,
};

/// A shape at a pose, checked once and with its vertices rotated, to test against others.
///
/// It is a [`Shapes`] store of one row: one to two kilobytes in 12 to 18 allocations, and more for
/// many vertices or parts. For many shapes, make one store and test their pairs with a
/// [`Narrowphase`](super::Narrowphase).
///
/// ```
/// use widephase::narrowphase::{PosedShape, contact, touches};
/// use widephase::{Touching, shape::{Circle, ConvexPolygon, Pose, Rotation}};
///
/// let wedge = ConvexPolygon::new(&[[0.0, 0.0], [4.0, 0.0], [0.0, 3.0]])?;
/// let mut wedge = PosedShape::at(&wedge, Pose::at([10.0, 0.0]))?;
/// // The middle of the slope is (12, 1.5); one along its normal (0.6, 0.8) is (12.6, 2.3).
/// let ball = PosedShape::new(Circle::new([12.6, 2.3], 1.25))?;
/// assert!(touches(&wedge, &ball, Touching::Inclusive));
/// let found = contact(&wedge, &ball, 0.0)?.unwrap();
/// assert!((found.depth - 0.25).abs() < 1e-6);
/// assert!((found.normal().x - 0.6).abs() < 1e-6);
///
/// wedge.set_pose(Pose::new([10.0, 0.0], Rotation { cos: 0.0, sin: 1.0 }))?;
/// assert!(!touches(&wedge, &ball, Touching::Inclusive));
/// # Ok::<(), widephase::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct PosedShape {
    /// A store of one row.
    shapes: Shapes,
}

impl PosedShape {
    /// A shape at its own coordinates. Allocates; O(vertices + parts) time.
    ///
    /// # Errors
    /// [`Error::InvalidShape`], with index 0.
    pub fn new<T: Shape>(shape: T) -> Result<Self, Error> {
        let mut shapes = Shapes::new();
        shapes.push(shape)?;
        Ok(Self { shapes })
    }

    /// A shape at a pose, as by [`Shapes::push_at`]. Allocates; O(vertices + parts) time.
    ///
    /// # Errors
    /// [`Error::InvalidShape`], with index 0.
    #[cfg(feature = "narrowphase")]
    pub fn at<T: Shape>(shape: T, pose: Pose) -> Result<Self, Error> {
        let mut shapes = Shapes::new();
        shapes.push_at(shape, pose)?;
        Ok(Self { shapes })
    }

    /// Moves and rotates the shape, as by [`Shapes::set_pose`]: O(vertices + parts) time. Allocates
    /// only in the first call for an axis-aligned shape.
    ///
    /// # Errors
    /// [`Error::InvalidShape`], with index 0; the shape then stays where it was.
    #[cfg(feature = "narrowphase")]
    pub fn set_pose(&mut self, pose: Pose) -> Result<(), Error> {
        self.shapes.set_pose(0, pose)
    }

    /// The position and the rotation.
    #[cfg(feature = "narrowphase")]
    pub fn pose(&self) -> Pose {
        self.shapes.pose(0).unwrap_or_default()
    }

    /// The shape of a query.
    pub(crate) fn probe(&self) -> Probe<'_> {
        Probe::of(self.view(), 0)
    }

    fn view(&self) -> View<'_> {
        View::of(&self.shapes.read())
    }
}

/// The set of the one shape of `view`. If the shape is not placed yet, it is placed in `room`.
fn set<'a>(view: View<'a>, room: &'a mut Placed) -> Set<'a> {
    let placed = match view.placed() {
        Some(placed) => placed,
        None => {
            let room = std::slice::from_mut(room);
            view.place(0..1, room);
            room
        }
    };
    Set::placed(view, placed, view.only_class())
}

/// The query for the pair of two sets.
fn rule<'a>(sets: [Set<'a>; 2], inclusive: bool, margin: f32) -> PairQuery<'a> {
    PairQuery::new(Isa::any(), sets, true, inclusive, margin)
}

/// The only row of each set.
const ROWS: [usize; 2] = [0, 0];

/// Whether two shapes touch. True exactly when [`Detector::pairs`](crate::Detector::pairs) reports
/// them.
///
/// Runs on the calling thread at the [preferred](crate::SimdLevel::preferred) SIMD level, or in
/// scalar code if the environment names an unavailable level. Takes some tenths of a microsecond,
/// so for many pairs use a [`Narrowphase`](super::Narrowphase). Never panics.
///
/// Each thread keeps a workspace of a few kilobytes for pairs that their boxes do not decide, and
/// for all contacts. With polygons and compounds it grows by 512 bytes a vertex and 28 bytes a
/// part, up to a megabyte. A thread that has tested equally large pairs before allocates nothing,
/// unless they need more than a megabyte: that workspace is allocated and freed at each call. A
/// `Narrowphase` keeps its workspace.
pub fn touches(a: &PosedShape, b: &PosedShape, touching: Touching) -> bool {
    let mut room = [Placed::NONE; 2];
    let [a_room, b_room] = &mut room;
    let (a, b) = (a.view(), b.view());
    let decided = !a.rotates() && !b.rotates();
    let sets = [set(a, a_room), set(b, b_room)];
    let rule = rule(sets, touching == Touching::Inclusive, 0.0);
    let near = rule.boxes_near(ROWS);
    if decided || !near {
        return near;
    }
    rule.touches(0)
}

/// The contact of two shapes, or `None` if they are more than `margin` apart: the contact that
/// [`Detector::contacts`](crate::Detector::contacts) reports for them, with the pair (0, 0). For
/// compounds, the deepest contact of two parts. Of several equally deep contacts, it is the one
/// whose first point is furthest left, or of these lowest, in either order of the shapes. Shapes
/// that only touch have a contact; to exclude them, call [`touches`](touches()) first.
///
/// `margin` is in the unit of length; the limits for very large margins are in
/// [`Detector::contacts`](crate::Detector::contacts). docs/narrowphase.md has the algorithm for
/// each two kinds of shapes, and its source.
///
/// Thread, SIMD level and memory are as for [`touches`](touches()). Takes some tenths
/// of a microsecond, for polygons about one, and for compounds of many parts more, so for many
/// pairs use a [`Narrowphase`](super::Narrowphase). Never panics.
///
/// # Errors
/// [`Error::InvalidMargin`] if the margin is not a finite number of at least 0 and at most 2^60.
pub fn contact(a: &PosedShape, b: &PosedShape, margin: f32) -> Result<Option<Contact>, Error> {
    check_margin(margin)?;
    let mut room = [Placed::NONE; 2];
    let [a_room, b_room] = &mut room;
    let rule = rule([set(a.view(), a_room), set(b.view(), b_room)], true, margin);
    Ok(if rule.boxes_near(ROWS) { rule.deepest(0, &|_| true) } else { None })
}

/// Checks that a margin is valid.
pub(crate) fn check_margin(margin: f32) -> Result<(), Error> {
    if (0.0..=MAX_COORDINATE).contains(&margin) {
        Ok(())
    } else {
        Err(Error::InvalidMargin { value: margin })
    }
}
