//! The pairs of kinds, with parry's functions for each.

use std::marker::PhantomData;

use anyhow::Result;
use parry2d::{
    math::Pose,
    query::{
        self, Contact, DefaultQueryDispatcher,
        details::{
            contact_ball_ball, contact_composite_shape_shape, contact_convex_polyhedron_ball,
            contact_support_map_support_map, intersection_test_ball_ball,
            intersection_test_composite_shape_shape, intersection_test_cuboid_cuboid,
            intersection_test_point_query_ball, intersection_test_support_map_support_map,
        },
    },
    shape::{
        Ball, Capsule, Compound, ConvexPolygon, Cuboid, RoundConvexPolygon, RoundCuboid, Segment,
    },
};
use widephase::SimdLevel;

use crate::{
    Args,
    measure::{self, Outcome},
    rivals::{
        ParryContacts, ParryManifolds, ParryRows, ParryTest, Rival, WideContacts, WideRows,
        WideTest,
    },
    worlds::{
        Kind::{
            self, Aabb, Capsule as Pill, Circle, Obb, Polygon, RoundedBox, RoundedPolygon,
            Segment as Line,
        },
        One, Peer, Store, Two, World,
    },
};

/// A pair of kinds.
pub trait Case {
    fn name(&self) -> &'static str;

    fn measure(&self, args: &Args) -> Result<Outcome>;
}

/// A pair of kinds with parry's own functions for it: the speed without `query::contact` and
/// `query::intersection_test`, which dispatch on the kinds at each call.
struct Typed<S, C, T> {
    name: &'static str,
    kinds: [Kind; 2],
    grow: f32,
    /// The largest distance from touching at which two shapes may touch for one library only.
    close: f32,
    contact: C,
    test: T,
    store: PhantomData<S>,
}

impl<S, C, T> Case for Typed<S, C, T>
where
    S: Store,
    C: Fn(&Pose, &S::A, &Pose, &S::B) -> Option<Contact> + Copy + 'static,
    T: Fn(&Pose, &S::A, &Pose, &S::B) -> bool + Copy + 'static,
{
    fn name(&self) -> &'static str {
        self.name
    }

    fn measure(&self, args: &Args) -> Result<Outcome> {
        let worlds = (0..args.worlds)
            .map(|seed| {
                World::<S>::generate(self.kinds, args.n, self.grow, args.in_order, seed + 1)
            })
            .collect::<Result<Vec<_>>>()?;
        let mut rivals: Vec<Box<dyn Rival<S>>> = vec![
            Box::new(ParryTest::new(
                "parry-test",
                |a: &Pose, shape_a: &S::A, b: &Pose, shape_b: &S::B| {
                    query::intersection_test(a, shape_a, b, shape_b).is_ok_and(|i| i.intersecting)
                },
            )),
            Box::new(ParryTest::new("parry-test-typed", self.test)),
            Box::new(ParryContacts::new(
                "parry-contact",
                |a: &Pose, shape_a: &S::A, b: &Pose, shape_b: &S::B| {
                    query::contact(a, shape_a, b, shape_b, 0.0).ok().flatten()
                },
            )),
            Box::new(ParryContacts::new("parry-contact-typed", self.contact)),
        ];
        if S::A::CONVEX && S::B::CONVEX {
            rivals.push(Box::new(ParryManifolds::default()));
        }
        for &level in SimdLevel::available() {
            rivals.push(Box::new(WideTest::new(level)?));
            rivals.push(Box::new(WideContacts::new(level)?));
        }
        if worlds.iter().all(|world| world.rows.is_some()) {
            rivals.push(Box::new(ParryRows::new(
                "parry-rows",
                |a: &Pose, shape_a: &S::A, b: &Pose, shape_b: &S::B| {
                    query::contact(a, shape_a, b, shape_b, 0.0).ok().flatten()
                },
            )));
            rivals.push(Box::new(ParryRows::new("parry-rows-typed", self.contact)));
            for &level in SimdLevel::available() {
                rivals.push(Box::new(WideRows::new(level)?));
            }
        }
        measure::run(&worlds, rivals, args, self.close)
    }
}

/// The boxes of axis-aligned shapes are enlarged by this factor for the search, so that about half
/// of the pairs touch. The boxes of rotated shapes are already larger than the shapes.
const CIRCLES: f32 = 1.25;
const BOXES: f32 = 1.41;

/// Shapes have a size of about 1, and a rounding at the border of the world is 3e-5.
const CLOSE: f32 = 1e-4;

/// The limit where all of parry's functions find the point of a shape that is nearest to a centre
/// by iteration, and stop too early. The largest difference seen is 4e-4, where 64-bit arithmetic
/// agrees with widephase.
const CLOSE_BY_ITERATION: f32 = 1e-3;

/// All pairs of kinds, first the pairs that have goals.
pub fn all() -> Vec<Box<dyn Case>> {
    [with_goals(), aligned(), thin(), polygons(), compounds()].into_iter().flatten().collect()
}

macro_rules! case {
    ($name:literal, $store:ty, $kinds:expr, $grow:expr, $contact:expr, $test:expr) => {
        typed::<$store, _, _>($name, $kinds, $grow, CLOSE, $contact, $test)
    };
    ($name:literal, $store:ty, $kinds:expr, $grow:expr, $close:expr, $contact:expr, $test:expr) => {
        typed::<$store, _, _>($name, $kinds, $grow, $close, $contact, $test)
    };
}

/// Two kinds, at least one of them rotated and neither of them a circle.
macro_rules! support_maps {
    ($name:literal, $store:ty, $kinds:expr) => {
        case!(
            $name,
            $store,
            $kinds,
            1.0,
            |p, a, q, b| contact_support_map_support_map(&p.inv_mul(q), a, b, 0.0),
            |p, a, q, b| intersection_test_support_map_support_map(&p.inv_mul(q), a, b)
        )
    };
}

/// A rotated shape and a circle.
macro_rules! against_circle {
    ($name:literal, $store:ty, $kinds:expr) => {
        against_circle!($name, $store, $kinds, CLOSE)
    };
    ($name:literal, $store:ty, $kinds:expr, $close:expr) => {
        case!(
            $name,
            $store,
            $kinds,
            1.0,
            $close,
            |p, a, q, b| contact_convex_polyhedron_ball(&p.inv_mul(q), a, b, 0.0),
            |p, a, q, b| intersection_test_point_query_ball(&p.inv_mul(q), a, b).intersecting
        )
    };
}

/// The pairs of kinds that have goals.
///
/// Axis-aligned shapes differ by a translation, and no rotation is computed for them. parry's
/// `contact_cuboid_cuboid` is not among its functions here: it finds no contact for most boxes that
/// overlap, and `query::contact` does not use it either.
fn with_goals() -> Vec<Box<dyn Case>> {
    vec![
        case!(
            "circle-circle",
            One<Ball>,
            [Circle; 2],
            CIRCLES,
            |p, a, q, b| contact_ball_ball(&apart(p, q), a, b, 0.0),
            |p, a, q, b| intersection_test_ball_ball(apart(p, q).translation, a, b)
        ),
        case!(
            "aabb-circle",
            Two<Cuboid, Ball>,
            [Aabb, Circle],
            BOXES,
            |p, a, q, b| contact_convex_polyhedron_ball(&apart(p, q), a, b, 0.0),
            |p, a, q, b| intersection_test_point_query_ball(&apart(p, q), a, b).intersecting
        ),
        case!(
            "aabb-aabb",
            One<Cuboid>,
            [Aabb; 2],
            BOXES,
            |p, a, q, b| contact_support_map_support_map(&apart(p, q), a, b, 0.0),
            |p, a, q, b| intersection_test_cuboid_cuboid(&apart(p, q), a, b)
        ),
        case!(
            "obb-obb",
            One<Cuboid>,
            [Obb; 2],
            1.0,
            |p, a, q, b| contact_support_map_support_map(&p.inv_mul(q), a, b, 0.0),
            |p, a, q, b| intersection_test_cuboid_cuboid(&p.inv_mul(q), a, b)
        ),
        against_circle!("obb-circle", Two<Cuboid, Ball>, [Obb, Circle]),
        case!(
            "obb-aabb",
            Two<Cuboid, Cuboid>,
            [Obb, Aabb],
            1.0,
            |p, a, q, b| contact_support_map_support_map(&p.inv_mul(q), a, b, 0.0),
            |p, a, q, b| intersection_test_cuboid_cuboid(&p.inv_mul(q), a, b)
        ),
        support_maps!("capsule-capsule", One<Capsule>, [Pill; 2]),
        against_circle!("capsule-circle", Two<Capsule, Ball>, [Pill, Circle]),
        support_maps!("capsule-obb", Two<Capsule, Cuboid>, [Pill, Obb]),
        support_maps!("polygon4-polygon4", One<ConvexPolygon>, [Polygon(4); 2]),
        support_maps!("polygon8-polygon8", One<ConvexPolygon>, [Polygon(8); 2]),
        against_circle!("polygon8-circle", Two<ConvexPolygon, Ball>, [Polygon(8), Circle]),
        support_maps!("polygon8-obb", Two<ConvexPolygon, Cuboid>, [Polygon(8), Obb]),
        support_maps!("polygon8-capsule", Two<ConvexPolygon, Capsule>, [Polygon(8), Pill]),
        support_maps!("polygon64-polygon64", One<ConvexPolygon>, [Polygon(64); 2]),
    ]
}

/// Axis-aligned boxes with a radius.
fn aligned() -> Vec<Box<dyn Case>> {
    vec![
        case!(
            "rounded-circle",
            Two<RoundCuboid, Ball>,
            [RoundedBox, Circle],
            BOXES,
            CLOSE_BY_ITERATION,
            |p, a, q, b| contact_convex_polyhedron_ball(&apart(p, q), a, b, 0.0),
            |p, a, q, b| intersection_test_point_query_ball(&apart(p, q), a, b).intersecting
        ),
        case!(
            "rounded-aabb",
            Two<RoundCuboid, Cuboid>,
            [RoundedBox, Aabb],
            BOXES,
            |p, a, q, b| contact_support_map_support_map(&apart(p, q), a, b, 0.0),
            |p, a, q, b| intersection_test_support_map_support_map(&apart(p, q), a, b)
        ),
        case!(
            "rounded-rounded",
            One<RoundCuboid>,
            [RoundedBox; 2],
            BOXES,
            |p, a, q, b| contact_support_map_support_map(&apart(p, q), a, b, 0.0),
            |p, a, q, b| intersection_test_support_map_support_map(&apart(p, q), a, b)
        ),
        support_maps!("obb-rounded", Two<Cuboid, RoundCuboid>, [Obb, RoundedBox]),
    ]
}

/// Shapes that widephase treats as rotated boxes without a height, as capsules are.
fn thin() -> Vec<Box<dyn Case>> {
    vec![
        support_maps!("capsule-aabb", Two<Capsule, Cuboid>, [Pill, Aabb]),
        support_maps!("segment-segment", One<Segment>, [Line; 2]),
        against_circle!("segment-circle", Two<Segment, Ball>, [Line, Circle]),
        support_maps!("segment-aabb", Two<Segment, Cuboid>, [Line, Aabb]),
        support_maps!("segment-obb", Two<Segment, Cuboid>, [Line, Obb]),
        support_maps!("segment-capsule", Two<Segment, Capsule>, [Line, Pill]),
    ]
}

/// Polygons of every class with other shapes and with each other; `r`: with a radius.
fn polygons() -> Vec<Box<dyn Case>> {
    vec![
        against_circle!("polygon4-circle", Two<ConvexPolygon, Ball>, [Polygon(4), Circle]),
        support_maps!("polygon4-aabb", Two<ConvexPolygon, Cuboid>, [Polygon(4), Aabb]),
        support_maps!("polygon4-obb", Two<ConvexPolygon, Cuboid>, [Polygon(4), Obb]),
        support_maps!("polygon4-capsule", Two<ConvexPolygon, Capsule>, [Polygon(4), Pill]),
        support_maps!("polygon8-aabb", Two<ConvexPolygon, Cuboid>, [Polygon(8), Aabb]),
        support_maps!(
            "polygon8-polygon4",
            Two<ConvexPolygon, ConvexPolygon>,
            [Polygon(8), Polygon(4)]
        ),
        against_circle!(
            "polygon8r-circle",
            Two<RoundConvexPolygon, Ball>,
            [RoundedPolygon(8), Circle],
            CLOSE_BY_ITERATION
        ),
        support_maps!(
            "polygon8r-obb",
            Two<RoundConvexPolygon, Cuboid>,
            [RoundedPolygon(8), Obb]
        ),
        support_maps!("polygon8r-polygon8r", One<RoundConvexPolygon>, [RoundedPolygon(8); 2]),
        against_circle!(
            "polygon64-circle",
            Two<ConvexPolygon, Ball>,
            [Polygon(64), Circle],
            CLOSE_BY_ITERATION
        ),
        support_maps!("polygon64-aabb", Two<ConvexPolygon, Cuboid>, [Polygon(64), Aabb]),
        support_maps!("polygon64-obb", Two<ConvexPolygon, Cuboid>, [Polygon(64), Obb]),
        support_maps!("polygon64-capsule", Two<ConvexPolygon, Capsule>, [Polygon(64), Pill]),
        support_maps!(
            "polygon64-polygon4",
            Two<ConvexPolygon, ConvexPolygon>,
            [Polygon(64), Polygon(4)]
        ),
        support_maps!(
            "polygon64-polygon8",
            Two<ConvexPolygon, ConvexPolygon>,
            [Polygon(64), Polygon(8)]
        ),
    ]
}

/// Three circles as one shape. parry returns the deepest contact of the parts, widephase returns
/// all contacts.
fn compounds() -> Vec<Box<dyn Case>> {
    macro_rules! composite {
        ($name:literal, $store:ty, $kinds:expr) => {
            case!(
                $name,
                $store,
                $kinds,
                1.0,
                |p, a, q, b| {
                    let dispatcher = &DefaultQueryDispatcher;
                    contact_composite_shape_shape(dispatcher, &p.inv_mul(q), a, b, 0.0)
                },
                |p, a, q, b| {
                    let dispatcher = &DefaultQueryDispatcher;
                    intersection_test_composite_shape_shape(dispatcher, &p.inv_mul(q), a, b)
                        .intersecting
                }
            )
        };
    }
    vec![
        composite!("compound-circle", Two<Compound, Ball>, [Kind::Compound, Circle]),
        composite!("compound-obb", Two<Compound, Cuboid>, [Kind::Compound, Obb]),
        composite!(
            "compound-polygon8",
            Two<Compound, ConvexPolygon>,
            [Kind::Compound, Polygon(8)]
        ),
        composite!("compound-compound", One<Compound>, [Kind::Compound; 2]),
    ]
}

fn typed<S, C, T>(
    name: &'static str,
    kinds: [Kind; 2],
    grow: f32,
    close: f32,
    contact: C,
    test: T,
) -> Box<dyn Case>
where
    S: Store,
    C: Fn(&Pose, &S::A, &Pose, &S::B) -> Option<Contact> + Copy + 'static,
    T: Fn(&Pose, &S::A, &Pose, &S::B) -> bool + Copy + 'static,
{
    Box::new(Typed::<S, C, T> { name, kinds, grow, close, contact, test, store: PhantomData })
}

/// The pose of the second shape relative to the first, if neither is rotated.
fn apart(p: &Pose, q: &Pose) -> Pose {
    Pose::from_translation(q.translation - p.translation)
}
