//! The pairs of kinds, and what parry has for each.

use std::marker::PhantomData;

use anyhow::Result;
use parry2d::{
    math::Pose,
    query::{self, Contact, details},
    shape::{Ball, Capsule, ConvexPolygon, Cuboid},
};
use widephase::Level;

use crate::{
    Args,
    measure::{self, Outcome},
    rivals::{
        ParryContacts, ParryManifolds, ParryRows, ParryTest, Rival, WideContacts, WideRows,
        WideTest,
    },
    worlds::{Kind, One, Store, Two, World},
};

/// A pair of kinds.
pub trait Case {
    fn name(&self) -> &'static str;

    fn measure(&self, args: &Args) -> Result<Outcome>;
}

/// A pair of kinds, with parry's own functions for it: what one gets past `query::contact` and
/// `query::intersection_test`, which look for the kinds at each call.
struct Typed<S, C, T> {
    name: &'static str,
    kinds: [Kind; 2],
    grow: f32,
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
            Box::new(ParryManifolds::default()),
        ];
        for &level in Level::available() {
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
            for &level in Level::available() {
                rivals.push(Box::new(WideRows::new(level)?));
            }
        }
        measure::run(&worlds, rivals, args)
    }
}

/// The boxes of shapes that do not turn are larger for the search by this, so that about half of the
/// pairs touch; the boxes of others are larger than they by themselves.
const CIRCLES: f32 = 1.25;
const BOXES: f32 = 1.41;

/// All pairs of kinds.
///
/// Shapes that do not turn are a translation apart, and no rotation is computed for them. parry's
/// `contact_cuboid_cuboid` is not among its functions here: it finds no contact for most boxes that
/// overlap, and `query::contact` does not use it either.
pub fn all() -> Vec<Box<dyn Case>> {
    use Kind::{Aabb, Capsule as Pill, Circle, Obb, Polygon};
    use details::{
        contact_ball_ball, contact_convex_polyhedron_ball, contact_support_map_support_map,
        intersection_test_ball_ball, intersection_test_cuboid_cuboid,
        intersection_test_point_query_ball, intersection_test_support_map_support_map,
    };
    macro_rules! case {
        ($name:literal, $store:ty, $kinds:expr, $grow:expr, $contact:expr, $test:expr) => {
            typed::<$store, _, _>($name, $kinds, $grow, $contact, $test)
        };
    }
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
    macro_rules! against_circle {
        ($name:literal, $store:ty, $kinds:expr) => {
            case!(
                $name,
                $store,
                $kinds,
                1.0,
                |p, a, q, b| contact_convex_polyhedron_ball(&p.inv_mul(q), a, b, 0.0),
                |p, a, q, b| {
                    intersection_test_point_query_ball(&p.inv_mul(q), a, b).intersecting
                }
            )
        };
    }
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

fn typed<S, C, T>(
    name: &'static str,
    kinds: [Kind; 2],
    grow: f32,
    contact: C,
    test: T,
) -> Box<dyn Case>
where
    S: Store,
    C: Fn(&Pose, &S::A, &Pose, &S::B) -> Option<Contact> + Copy + 'static,
    T: Fn(&Pose, &S::A, &Pose, &S::B) -> bool + Copy + 'static,
{
    Box::new(Typed::<S, C, T> { name, kinds, grow, contact, test, store: PhantomData })
}

/// The second seen from the first, where neither turns.
fn apart(p: &Pose, q: &Pose) -> Pose {
    Pose::from_translation(q.translation - p.translation)
}
