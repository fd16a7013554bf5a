//! Two shapes at a time.

use super::{
    Contact, Set, View,
    rule::PairQuery,
    small_batch::{SmallBatch, deeper},
};
use crate::{
    Error, Pair, Shapes, Touching,
    posed::Placed,
    shape::{MAX_COORDINATE, Pose, Shape},
    simd::Isa,
};

/// A shape that is ready to be tested against others: checked once, with its vertices turned.
///
/// It is a whole [`Shapes`] store of one row: one to two kilobytes in 12 to 18 allocations, and more for many
/// vertices or parts. Of many shapes make one store, and decide their pairs by a
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
    /// A shape where its own coordinates say. Allocates; O(vertices + parts) time.
    ///
    /// # Errors
    /// [`Error::InvalidShape`], with index 0.
    pub fn new<T: Shape>(shape: T) -> Result<Self, Error> {
        let mut shapes = Shapes::new();
        shapes.push(shape)?;
        Ok(Self { shapes })
    }

    /// A shape at a pose, as [`Shapes::push_at`] takes it. Allocates; O(vertices + parts) time.
    ///
    /// # Errors
    /// [`Error::InvalidShape`], with index 0.
    #[cfg(feature = "narrowphase")]
    pub fn at<T: Shape>(shape: T, pose: Pose) -> Result<Self, Error> {
        let mut shapes = Shapes::new();
        shapes.push_at(shape, pose)?;
        Ok(Self { shapes })
    }

    /// Moves and turns the shape, as [`Shapes::set_pose`] does: O(vertices + parts) time. Allocates nothing, but
    /// for a shape that is axis-aligned in the first call.
    ///
    /// # Errors
    /// [`Error::InvalidShape`], with index 0; the shape is then where it was.
    #[cfg(feature = "narrowphase")]
    pub fn set_pose(&mut self, pose: Pose) -> Result<(), Error> {
        self.shapes.set_pose(0, pose)
    }

    /// Where it is, and how it is turned.
    #[cfg(feature = "narrowphase")]
    pub fn pose(&self) -> Pose {
        self.shapes.pose(0).unwrap_or_default()
    }

    fn view(&self) -> View<'_> {
        View::of(&self.shapes.read())
    }
}

/// The shape of a view of one row as the only one of its set; `room` is for where it is not placed yet.
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

/// The pair of two solids.
const PAIR: Pair = Pair { a: 0, b: !0 };

/// The rule that finds how they touch.
fn rule<'a>(sets: [Set<'a>; 2], inclusive: bool, margin: f32) -> PairQuery<'a> {
    PairQuery::new(Isa::any(), sets, true, inclusive, margin)
}

/// The only row of each.
const ROWS: [usize; 2] = [0, 0];

/// Whether two shapes touch: exactly when [`Detector::pairs`](crate::Detector::pairs) reports them.
///
/// On the calling thread and the [preferred](crate::Level::preferred) level, or in scalar code where the environment
/// names a level that there is not. Some tenths of a microsecond, so for many pairs take
/// [`Narrowphase`](super::Narrowphase). Never panics.
///
/// For pairs with more than boxes to compare, and for all contacts, each thread keeps room, a few kilobytes; for polygons and
/// compounds it grows by 512 bytes a vertex and 28 a part, up to a megabyte. A thread that has had pairs as large
/// allocates nothing, unless they take more than that: then it is made and given back at each call. A
/// `Narrowphase` keeps what it takes.
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
    let mut touching = false;
    SmallBatch::each(&rule, PAIR, |pairs| {
        touching = pairs.touch();
        touching
    });
    touching
}

/// How two shapes touch, or, if `margin` is above 0, how they lie to each other if they are at most that
/// far apart: what [`Detector::contacts`](crate::Detector::contacts) reports of them, as the pair (0, 0).
/// Of compounds, the deepest contact of two parts; of several that are as deep, the one whose first point is furthest
/// left, or of these lowest, whichever shape is given first. Touching counts; where it is not to, ask
/// [`test()`] first.
///
/// `margin` is in the unit of length; what [`Detector::contacts`](crate::Detector::contacts) says of very large ones
/// holds here, too. Which algorithm makes the contact of each two kinds, and where it is from, is in
/// docs/narrowphase.md.
///
/// Threads, level and memory as for [`test()`]. Some tenths of a
/// microsecond, for polygons about one, and for compounds of many parts more, so for many pairs take
/// [`Narrowphase`](super::Narrowphase). Never panics.
///
/// # Errors
/// [`Error::InvalidMargin`] if the margin is not a finite number of at least 0 and at most 2^60.
pub fn contact(a: &PosedShape, b: &PosedShape, margin: f32) -> Result<Option<Contact>, Error> {
    check_margin(margin)?;
    let mut room = [Placed::NONE; 2];
    let [a_room, b_room] = &mut room;
    let rule = rule([set(a.view(), a_room), set(b.view(), b_room)], true, margin);
    let mut deepest: Option<Contact> = None;
    if rule.boxes_near(ROWS) {
        SmallBatch::each(&rule, PAIR, |pairs| {
            deepest = deepest.into_iter().chain(pairs.deepest()).reduce(deeper);
            false
        });
    }
    Ok(deepest)
}

/// Whether a margin is one.
pub(crate) fn check_margin(margin: f32) -> Result<(), Error> {
    if (0.0..=MAX_COORDINATE).contains(&margin) {
        Ok(())
    } else {
        Err(Error::InvalidMargin { value: margin })
    }
}
