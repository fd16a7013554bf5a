//! `touches` and `contact`: tests and contacts of two shapes.

use std::cell::Cell;

use super::{Contact, Probe, View, pair_query::PairQuery, probe::MAX_KEPT_BYTES};
use crate::{
    error::Error,
    shape::{MAX_COORDINATE, Pose, Posed, Touching},
    simd::Isa,
    store::Shapes,
};

thread_local! {
    /// Stores of one row for shapes that are rotated or have parts. A store is taken out while it
    /// is in use, so that two shapes never share it.
    static STORES: Cell<Vec<Shapes>> = const { Cell::new(Vec::new()) };
}

/// The most stores that a thread keeps: a store for each of two shapes.
const MAX_KEPT_STORES: usize = 2;

/// Calls `work` with a shape as a set of one row. `index` is its number in errors.
pub(crate) fn with_probe<R>(
    index: usize,
    posed: Posed<'_>,
    work: impl FnOnce(&Probe<'_>) -> R,
) -> Result<R, Error> {
    let (mut work, mut result) = (Some(work), None);
    probe_once(index, posed, &mut |probe| result = work.take().map(|work| work(probe)))?;
    Ok(result.expect("the work has run"))
}

/// [`with_probe`], not generic, so it is compiled once.
fn probe_once(
    index: usize,
    posed: Posed<'_>,
    work: &mut dyn FnMut(&Probe<'_>),
) -> Result<(), Error> {
    let aligned = match posed.pose {
        None => Probe::of_aligned(index, posed.shape)?,
        Some(_) => None,
    };
    match aligned {
        Some(probe) => work(&probe),
        None => work(&OneShape::new(index, posed)?.probe()),
    }
    Ok(())
}

/// A shape in a store of one row, which its thread keeps for the next shape. It has a store until
/// it is dropped. (A store that takes the place of another one would be allocated.)
pub(crate) struct OneShape(Option<Shapes>);

impl OneShape {
    /// The shape, if its values are valid. `index` is its number in errors.
    pub(crate) fn new(index: usize, posed: Posed<'_>) -> Result<Self, Error> {
        // A thread that is exiting may have lost its stores.
        let mut kept = STORES.try_with(Cell::take).unwrap_or_default();
        let mut shape = Self(Some(kept.pop().unwrap_or_default()));
        let _ = STORES.try_with(|stores| stores.set(kept));
        shape.0.as_mut().map_or(Ok(()), |store| store.set_only(index, posed))?;
        Ok(shape)
    }

    /// The shape as a set of one row.
    pub(crate) fn probe(&self) -> Probe<'_> {
        let store = self.0.as_ref().expect("a store until it is dropped");
        Probe::of(View::of(&store.read()), 0)
    }

    /// Moves the shape, as [`Shapes::set_pose`] does.
    #[cfg(all(feature = "narrowphase", feature = "queries"))]
    pub(crate) fn set_pose(&mut self, pose: Pose) -> Result<(), Error> {
        self.0.as_mut().map_or(Ok(()), |store| store.set_pose(0, pose))
    }
}

impl Drop for OneShape {
    fn drop(&mut self) {
        if let Some(store) = self.0.take().filter(|store| store.bytes() <= MAX_KEPT_BYTES) {
            let mut kept = STORES.try_with(Cell::take).unwrap_or_default();
            if kept.len() < MAX_KEPT_STORES {
                kept.push(store);
            }
            let _ = STORES.try_with(|stores| stores.set(kept));
        }
    }
}

/// Calls `work` with two shapes.
pub(crate) fn with_probes<R>(
    [a, b]: [Posed<'_>; 2],
    work: impl FnOnce([&Probe<'_>; 2]) -> R,
) -> Result<R, Error> {
    with_probe(0, a, |a| with_probe(1, b, |b| work([a, b])))?
}

/// The query for the pair of two shapes.
fn query<'a>([a, b]: [&'a Probe<'_>; 2], inclusive: bool, margin: f32) -> PairQuery<'a> {
    PairQuery::new(Isa::any(), [a.set(), b.set()], true, inclusive, margin)
}

/// The only row of each set.
const ROWS: [usize; 2] = [0, 0];

/// Whether two shapes touch. True exactly when [`Detector::pairs`](crate::Detector::pairs) reports
/// them.
///
/// Runs on the calling thread at the [preferred](crate::SimdLevel::preferred) SIMD level, or in
/// scalar code if the environment names an unavailable level. Takes some tenths of a microsecond,
/// so for many pairs use a [`Narrowphase`](crate::Narrowphase). Never panics.
///
/// Each thread keeps a workspace of a few kilobytes for shapes that are not axis-aligned, for pairs
/// that their boxes do not decide, and for all contacts. With polygons and compounds it grows by
/// about a kilobyte a vertex and 100 bytes a part, up to a few megabytes. A thread that has tested
/// equally large shapes before allocates nothing, unless the shapes need more memory than that:
/// larger workspaces are allocated and freed at each call. A `Narrowphase` keeps its workspace.
///
/// ```
/// use widephase::narrowphase::{contact, touches};
/// use widephase::{Touching, shape::{Circle, ConvexPolygon, Pose, Rotation}};
///
/// let wedge = ConvexPolygon::new(&[[0.0, 0.0], [4.0, 0.0], [0.0, 3.0]])?;
/// // The middle of the slope is (12, 1.5); one along its normal (0.6, 0.8) is (12.6, 2.3).
/// let (ball, pose) = (Circle::new([12.6, 2.3], 1.25), Pose::at([10.0, 0.0]));
/// assert!(touches((&wedge, pose), ball, Touching::Inclusive)?);
/// let found = contact((&wedge, pose), ball, 0.0)?.unwrap();
/// assert!((found.depth - 0.25).abs() < 1e-6);
/// assert!((found.normal().x - 0.6).abs() < 1e-6);
///
/// let upright = Pose::new([10.0, 0.0], Rotation::quarter_turns(1));
/// assert!(!touches((&wedge, upright), ball, Touching::Inclusive)?);
/// # Ok::<(), widephase::Error>(())
/// ```
///
/// # Errors
/// [`Error::InvalidShape`] with index 0 for `a` and 1 for `b`.
pub fn touches<'a, 'b>(
    a: impl Into<Posed<'a>>,
    b: impl Into<Posed<'b>>,
    touching: Touching,
) -> Result<bool, Error> {
    with_probes([a.into(), b.into()], |probes| {
        let query = query(probes, touching == Touching::Inclusive, 0.0);
        let decided = !probes.iter().any(|probe| probe.rotates());
        let near = query.boxes_near(ROWS);
        if decided || !near { near } else { query.touches(0) }
    })
}

/// The contact of two shapes, or `None` if they are more than `margin` apart: the contact that
/// [`Detector::contacts`](crate::Detector::contacts) reports for them, with the pair (0, 0). For
/// compounds, the deepest contact of two parts. Of several equally deep contacts, it is the contact
/// whose first point is furthest left, then lowest, in either order of the shapes. Shapes that only
/// touch have a contact; to exclude them, call [`touches`](touches()) first.
///
/// `margin` is in the unit of length; the limits for very large margins are in
/// [`Detector::contacts`](crate::Detector::contacts). docs/narrowphase.md has the algorithm for
/// each two kinds of shapes, and its source.
///
/// Thread, SIMD level and memory are as for [`touches`](touches()). Takes some tenths of a
/// microsecond, about a microsecond for polygons, and more for compounds of many parts, so for many
/// pairs use a [`Narrowphase`](crate::Narrowphase). Never panics.
///
/// # Errors
/// [`Error::InvalidShape`] with index 0 for `a` and 1 for `b`; [`Error::InvalidMargin`] if the
/// margin is not a finite number of at least 0 and at most 2^60.
pub fn contact<'a, 'b>(
    a: impl Into<Posed<'a>>,
    b: impl Into<Posed<'b>>,
    margin: f32,
) -> Result<Option<Contact>, Error> {
    check_margin(margin)?;
    with_probes([a.into(), b.into()], |probes| {
        let query = query(probes, true, margin);
        if query.boxes_near(ROWS) { query.deepest(0, &|_| true) } else { None }
    })
}

/// Checks that a margin is valid.
pub(crate) fn check_margin(margin: f32) -> Result<(), Error> {
    if (0.0..=MAX_COORDINATE).contains(&margin) {
        Ok(())
    } else {
        Err(Error::InvalidMargin { value: margin })
    }
}
