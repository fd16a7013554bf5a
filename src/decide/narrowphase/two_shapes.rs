//! Two shapes: their distance, their closest points, and when they meet.

use glam::Vec2;

use super::{
    PlacedOutline, Probe,
    hit::{CastOptions, Hit},
    part_bounds::{NO_FURTHER, NearBox, PartBounds},
    solids::{PartWorkspace, SolidWorkspace, each_part, each_part_first},
    stop::RelativeMotion,
    with_probe, with_probes,
};
use crate::{
    base::Pair,
    error::Error,
    geometry::{Corners, Separation, Solid, Vector, distance as distance_of_solids, separation},
    shape::{Posed, Touching},
    simd::{Isa, map_each},
};

/// The closest points of two shapes that are apart.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ClosestPoints {
    /// The distance of the surfaces, above 0.
    pub distance: f32,
    /// The point on the surface of the first shape that is closest to the second.
    pub point_a: Vec2,
    /// The point on the surface of the second shape that is closest to the first.
    pub point_b: Vec2,
    /// The direction from the first shape to the second, of length 1.
    pub normal: Vec2,
    /// The part of the first shape, if it is a compound; else 0.
    pub part_a: u32,
    /// The part of the second shape, if it is a compound; else 0.
    pub part_b: u32,
}

/// The two shapes of a pair, one of each set, to which
/// [`Narrowphase::each_between`](crate::Narrowphase::each_between) gives access. There is an example.
#[derive(Debug)]
pub struct TwoShapes<'a> {
    pub(super) probes: [&'a Probe<'a>; 2],
    pub(super) workspaces: &'a mut [PartWorkspace; 2],
}

impl TwoShapes<'_> {
    /// Calls `work` with any two shapes.
    pub(super) fn with<R>(
        shapes: [Posed<'_>; 2],
        work: impl FnOnce(TwoShapes<'_>) -> R,
    ) -> Result<R, Error> {
        with_probes(shapes, |probes| {
            work(TwoShapes { probes, workspaces: &mut Default::default() })
        })
    }

    /// The [`distance`](distance()) of the shapes, at the same cost.
    pub fn distance(&mut self) -> f32 {
        let mut nearest = f64::INFINITY;
        self.each_first(&mut |_, [a, b]| {
            nearest = nearest.min(distance_of_solids(a, b));
            if nearest == 0.0 { NO_FURTHER } else { nearest }
        });
        let apart = nearest > 0.0 && !self.meet_on_inner_side();
        if apart { nearest as f32 + 0.0 } else { 0.0 }
    }

    /// The [`closest_points`](closest_points()) of the shapes, or `None` if they touch.
    pub fn closest_points(&mut self) -> Option<ClosestPoints> {
        let mut nearest: Option<ClosestPoints> = None;
        let (mut least, mut touching) = ((f64::INFINITY, [u32::MAX; 2]), false);
        self.each_first(&mut |[part_a, part_b], [a, b]| {
            let Some(Separation { distance, points, normal }) = separation(a, b) else {
                touching = true;
                return NO_FURTHER;
            };
            if (distance, [part_a, part_b]) < least {
                least = (distance, [part_a, part_b]);
                let [point_a, point_b] = map_each(points, |point| point.narrow().into());
                let (normal, distance) = (normal.narrow().into(), distance as f32);
                nearest =
                    Some(ClosestPoints { distance, point_a, point_b, normal, part_a, part_b });
            }
            least.0
        });
        nearest.filter(|_| !touching && !self.meet_on_inner_side())
    }

    /// Whether two shapes that are apart otherwise touch on an inner side of an outline.
    fn meet_on_inner_side(&self) -> bool {
        let [a, b] = self.probes;
        a.query(Isa::any(), b.set(), true).meet_on_inner_side(Pair { a: 0, b: !0 })
    }

    /// Calls `take` with every two parts whose boxes are at most a distance apart, and perhaps with
    /// further parts.
    pub(super) fn each(&mut self, mut take: impl FnMut([u32; 2], [&Solid<'_>; 2])) {
        let Self { probes: [a, b], workspaces: [a_work, b_work] } = self;
        let near = || PartBounds::Distance(b.set().near_box(0));
        each_part_of(a, near, 0.0, a_work, &mut |part_a, a| {
            let near = || PartBounds::Distance(NearBox::of(a));
            each_part_of(b, near, 0.0, b_work, &mut |part_b, b| take([part_a, part_b], [a, b]));
        });
    }

    /// Calls `take` with two parts, about by their distance, up to the limit. `take` returns the
    /// limit from then on.
    fn each_first(&mut self, take: &mut dyn FnMut([u32; 2], [&Solid<'_>; 2]) -> f64) {
        let (Self { probes: [a, b], workspaces: [a_work, b_work] }, mut limit) =
            (self, f64::INFINITY);
        let near = || PartBounds::Distance(b.set().near_box(0));
        each_first_of(a, &near, limit, &mut a_work.corners, &mut |part_a, a| {
            let near = || PartBounds::Distance(NearBox::of(a));
            each_first_of(b, &near, limit, &mut b_work.corners, &mut |part_b, b| {
                limit = take([part_a, part_b], [a, b]);
                limit
            });
            limit
        });
    }
}

/// The distance of the surfaces of two shapes: 0 if they touch. For compounds, the distance of the
/// nearest parts.
///
/// Computed in `f64` from the [placed corners](crate::guide::numerics#other-shapes), and rounded:
/// distances of corners and sides, O(n m) for polygons of n and m vertices, O(n + m) if both have
/// more than 16 vertices. The error is 2^-24 of the distance, and 2^-50 of the largest coordinate
/// or radius. Allocates for shapes that are not axis-aligned. Never panics.
///
/// ```
/// use widephase::narrowphase::{closest_points, distance};
/// use widephase::shape::{Aabb, Circle};
///
/// let (ball, wall) = (Circle::new([0.0, 3.0], 1.0), Aabb::new([4.0, 0.0], [5.0, 9.0]));
/// assert_eq!(distance(ball, wall)?, 3.0);
/// let closest = closest_points(ball, wall)?.unwrap();
/// assert_eq!((closest.point_a.to_array(), closest.point_b.to_array()), ([1.0, 3.0], [4.0, 3.0]));
/// # Ok::<(), widephase::Error>(())
/// ```
///
/// # Errors
/// [`Error::InvalidShape`] with index 0 for `a` and 1 for `b`.
pub fn distance<'a, 'b>(a: impl Into<Posed<'a>>, b: impl Into<Posed<'b>>) -> Result<f32, Error> {
    TwoShapes::with([a.into(), b.into()], |mut two| two.distance())
}

/// The closest points of two shapes, or `None` if they touch. For compounds, the points of the
/// nearest parts, of the first two if other parts are equally near.
///
/// As exact as [`distance`](distance()), and costs as much. Each coordinate of a point is rounded
/// to `f32`. Two parallel sides have many closest points; the result has a point at a corner. Never
/// panics.
///
/// # Errors
/// [`Error::InvalidShape`] with index 0 for `a` and 1 for `b`.
pub fn closest_points<'a, 'b>(
    a: impl Into<Posed<'a>>,
    b: impl Into<Posed<'b>>,
) -> Result<Option<ClosestPoints>, Error> {
    TwoShapes::with([a.into(), b.into()], |mut two| two.closest_points())
}

/// Whether a shape holds a point: inside or, under the inclusive policy, on its border.
///
/// Decided in `f64`, from the [placed corners](crate::guide::numerics#other-shapes). Allocates for
/// shapes that are not axis-aligned. A point that is not finite is
/// in no shape. Never panics.
///
/// # Errors
/// [`Error::InvalidShape`] with index 0.
pub fn contains<'a>(
    shape: impl Into<Posed<'a>>,
    point: impl Into<[f32; 2]>,
    touching: Touching,
) -> Result<bool, Error> {
    let (point, inclusive) = (Vector::wide(point.into()), touching == Touching::Inclusive);
    with_probe(0, shape.into(), |probe| {
        if !(point.x.is_finite() && point.y.is_finite()) {
            return false;
        }
        let (set, mut found) = (probe.set(), false);
        let near = || PartBounds::Distance(NearBox::of_corners(std::iter::once(point), 0.0));
        each_first_of(probe, &near, 0.0, &mut Vec::new(), &mut |_, solid| {
            found |= solid.holds(point, inclusive);
            if found { NO_FURTHER } else { 0.0 }
        });
        let outline = || PlacedOutline::of(&set, &set.placed[0]);
        found || outline().is_some_and(|outline| outline.has_on_inner_side([point; 2]))
    })
}

/// When two shapes that both move stop each other: `a` along `translation_a` and `b` along
/// `translation_b`, each to its end at the fraction 1. `None` if they do not stop each other.
///
/// The hit is the hit of [`Queries::cast_shape`](crate::Queries::cast_shape) for `a` and its motion
/// relative to `b`, with row 0; its point is at the place where `b` is then. If `b` moves, its
/// coordinates count for the tolerance of grazing: [what stops a
/// motion](crate::guide::queries#what-stops-a-motion). `options` are [`CastOptions`], or a number
/// as their `max_fraction`.
///
/// Computed in `f64` from the [placed corners](crate::guide::numerics#other-shapes); fraction,
/// point and normal are rounded to `f32`.
///
/// ```
/// use widephase::narrowphase::time_of_impact;
/// use widephase::shape::Circle;
///
/// let (a, b) = (Circle::new([0.0, 0.0], 1.0), Circle::new([10.0, 0.0], 1.0));
/// let hit = time_of_impact(a, [8.0, 0.0], b, [-8.0, 0.0], 1.0)?.unwrap();
/// assert_eq!((hit.fraction, hit.x, hit.normal_x), (0.5, 5.0, -1.0));
/// # Ok::<(), widephase::Error>(())
/// ```
///
/// # Errors
/// [`Error::InvalidQuery`] for a translation that is not finite, with index 0 for `translation_a`
/// and 1 for `translation_b`; for options, with index 0. [`Error::InvalidShape`] with index 0 for
/// `a` and 1 for `b`.
pub fn time_of_impact<'a, 'b>(
    a: impl Into<Posed<'a>>,
    translation_a: impl Into<[f32; 2]>,
    b: impl Into<Posed<'b>>,
    translation_b: impl Into<[f32; 2]>,
    options: impl Into<CastOptions>,
) -> Result<Option<Hit>, Error> {
    let (translations, options) = ([translation_a.into(), translation_b.into()], options.into());
    for (index, translation) in translations.iter().enumerate() {
        options.check(index, *translation)?;
    }
    let motion = RelativeMotion::between(translations, &options);
    with_probes([a.into(), b.into()], |probes| {
        impact(Isa::any(), probes, &motion, &mut SolidWorkspace::default())
    })
}

/// Where the motion of a shape relative to another shape is stopped.
pub(crate) fn impact(
    isa: Isa,
    [a, b]: [&Probe<'_>; 2],
    motion: &RelativeMotion,
    workspace: &mut SolidWorkspace,
) -> Option<Hit> {
    let query = a.query(isa, b.set(), true);
    let most = motion.path.limit;
    motion.hit(&query, 0, most, workspace, &mut |[a_work, b_work], take| {
        let own_bounds = || motion.bounds_of_own(b.set().near_box(0), most);
        each_part_of(a, own_bounds, f32::MAX, a_work, &mut |part_a, a_solid| {
            let bounds = || motion.bounds(a.set().near_box_of(a_solid), most);
            each_part_of(b, bounds, f32::MAX, b_work, &mut |part_b, b| {
                take([part_a, part_b], a_solid, b)
            });
        });
    })
}

/// [`each_part`] of a probe.
fn each_part_of(
    probe: &Probe<'_>,
    bounds: impl FnOnce() -> PartBounds,
    limit: f32,
    workspace: &mut PartWorkspace,
    take: &mut dyn FnMut(u32, &Solid<'_>),
) {
    if !probe.rotates() {
        return Solid::with_box(&probe.bounds(), |solid| take(0, &solid));
    }
    each_part(&probe.set(), 0, &probe.sources(), bounds, limit, workspace, take);
}

/// [`each_part_first`] of a probe.
fn each_first_of(
    probe: &Probe<'_>,
    bounds: &dyn Fn() -> PartBounds,
    limit: f64,
    corners: &mut Corners,
    take: &mut dyn FnMut(u32, &Solid<'_>) -> f64,
) {
    if !probe.rotates() {
        return Solid::with_box(&probe.bounds(), |solid| {
            take(0, &solid);
        });
    }
    each_part_first(&probe.set(), 0, &probe.sources(), bounds, limit, corners, take);
}
