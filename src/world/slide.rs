//! `move_and_slide`: a body that is moved by hand along the surfaces that it meets.
//!
//! In plain words:
//!
//! ```text
//! push the body out of what is nearer than half the gap, along the normals of the contacts; on
//!     such a way, too, it slides along what it meets
//! until the way is done, or it has met many surfaces:
//!     cast the body along the rest of its way; it stops at the gap before a surface
//!     turn the rest of the way along the surface:
//!         ground, which is not too steep: take the part into it away along `up`, so that a body
//!             does not slide down where it stands
//!         a steep side that the rest would climb: as a wall that is upright
//!         else: take the part along the normal away
//!     if the rest then leads into the surface before, it is in a corner: end
//! cast down: what ground is half a gap below it, it stands on; unless the way leads up, follow the
//!     ground further down
//! ```
//!
//! ("Collide and slide", after Fauerby, 2003, "Improved Collision detection and Response", with
//! exact casts and a gap.)
//!
//! The gap is what keeps a body from catching on the seams of tiles: a wall flush with the ground
//! is a rounded corner for the cast, whose normal at the height of the body is the normal of the
//! ground.

use super::{World, found::senses};
use crate::{
    base::{Handle, Pair},
    error::{Error, Fault, Field},
    geometry::{Vector, ends},
    narrowphase::{CastOptions, CastStart, check_most, check_translation, hit::Hit, refuse},
    query::MovedShape,
    shape::{Pose, check::size_fault},
};

/// How a body slides: an argument of [`World::move_and_slide`].
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default))]
pub struct SlideOptions {
    /// The distance to keep from other bodies, in the unit of length: at least 0, and at most 2^60.
    /// By default 0.01. It should be a hundredth of the size of the body or less, and a hundred
    /// times the rounding of its coordinates (2^-24 of a coordinate) or more.
    pub gap: f32,
    /// The direction that is up, of length 1. By default (0, 1).
    pub up: [f32; 2],
    /// The steepest ground on which the body stands and which it climbs, as height by width: at
    /// least 0; infinity for no limit. By default 1, which is 45 degrees.
    pub max_slope: f32,
    /// How far down the body follows the ground, in the unit of length, unless it moves up: at
    /// least 0, and at most 2^60. By default 0. With 0, a body that walks down a slope leaves it.
    pub snap: f32,
}

impl Default for SlideOptions {
    fn default() -> Self {
        Self { gap: 0.01, up: [0.0, 1.0], max_slope: 1.0, snap: 0.0 }
    }
}

/// A surface that a moved body has met.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct SlideHit {
    /// The other body.
    pub body: Handle,
    /// Its value of the caller.
    pub user: u64,
    /// Where the bodies meet: on the surface of the other body.
    pub hit: Hit,
    /// Whether it is ground: not steeper than [`SlideOptions::max_slope`].
    pub ground: bool,
}

/// Where a moved body ends.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct SlideEnd {
    /// The pose at the end. The rotation is as before.
    pub pose: Pose,
    /// The ground that the body stands on there: at most half a [gap](SlideOptions::gap) further
    /// below it than the gap. If the body met that surface on its way, its hit there; else its hit
    /// at the end.
    pub ground: Option<SlideHit>,
}

/// The most surfaces that a body meets on its way.
const MAX_TURNS: usize = 8;

/// The most rounds of pushes out of bodies that are too near, and the most surfaces that end a
/// push.
const MAX_PUSHES: usize = 4;

/// A share that is no more than roundings: of a way, or of a normal.
const NO_SHARE: f64 = 1.0e-6;

impl SlideOptions {
    fn check(&self, displacement: [f32; 2]) -> Result<(), Error> {
        let Self { gap, up: [x, y], max_slope, snap } = *self;
        check_translation(0, displacement, 1.0)?;
        CastOptions { gap, ..CastOptions::default() }.check(0, displacement)?;
        let length = x.hypot(y);
        // As of the normal of a half-plane.
        let unit = (length - 1.0).abs() <= 1.0 / 2048.0;
        refuse(0, Field::Up, x, (!unit).then_some(Fault::NotUnit { length }))?;
        check_most(0, Field::MaxSlope, max_slope)?;
        refuse(0, Field::Snap, snap, size_fault(snap))
    }
}

impl World {
    /// Moves a body by hand, as a character or a lift is moved: it stops before the bodies that it
    /// meets, and slides along them. Returns where it ends; call [`set_pose`](World::set_pose) to
    /// move it there. `hits` are the surfaces that it met, in this order.
    ///
    /// - It keeps a [gap](SlideOptions::gap) from all bodies of its space that its filter meets,
    ///   except sensors, and never sinks in. If something has moved too near, it is pushed out
    ///   first.
    /// - It does not climb ground that is steeper than [`max_slope`](SlideOptions::max_slope), and
    ///   does not slide down ground that is not.
    /// - It passes a chain from the side without contacts: a one-way platform. While the body is
    ///   across a platform, the platform neither holds nor pushes it, however deep it is ([what
    ///   stops a motion](crate::guide::queries#what-stops-a-motion)).
    /// - It does not turn. The other bodies stand still: move a lift first, and then who stands on
    ///   it, by the displacement of the lift and its own. (If the lift has one side, it would be
    ///   across it then: move by the displacement of the lift before the lift, and by its own
    ///   afterwards.)
    ///
    /// The world is as of now, and does not change: move many bodies by this call, on several
    /// threads if you like, and then all of them by [`set_poses`](World::set_poses). (After a
    /// change, the next query sorts all bodies anew.)
    ///
    /// `displacement` is in the unit of length. The body may be of any kind. Costs a few
    /// [shape casts](crate::Queries::cast_shape): as many as it meets surfaces, and three.
    ///
    /// # Errors
    /// [`Error::StaleHandle`]; [`Error::InvalidQuery`] for a displacement or an option with an
    /// invalid value; the errors of [`index`](World::index). `hits` is then empty.
    ///
    /// ```
    /// use widephase::{Body, World, shape::{Aabb, Capsule}, world::SlideOptions};
    ///
    /// let mut world = World::new();
    /// world.insert(Aabb::new([-9.0, -1.0], [9.0, 0.0]), Body::default())?;
    /// let wall = world.insert(Aabb::new([3.0, 0.0], [4.0, 9.0]), Body::default())?;
    /// let hero = Capsule::new([0.0, 0.75], [0.0, 1.5], 0.5);
    /// let hero = world.insert(hero, Body::default())?;
    ///
    /// let (options, mut hits) = (SlideOptions::default(), Vec::new());
    /// let end = world.move_and_slide(hero, [5.0, -1.0], &options, &mut hits)?;
    /// let [floor, side] = hits[..] else { panic!("{hits:?}") };
    /// assert_eq!((floor.ground, side.ground, side.body), (true, false, wall));
    /// assert!((end.pose.x - 2.49).abs() < 1e-6 && (end.pose.y - 0.885).abs() < 1e-6);
    /// assert!(end.ground.is_some());
    /// world.set_pose(hero, end.pose)?;
    /// # Ok::<(), widephase::Error>(())
    /// ```
    pub fn move_and_slide(
        &self,
        handle: Handle,
        displacement: impl Into<[f32; 2]>,
        options: &SlideOptions,
        hits: &mut Vec<SlideHit>,
    ) -> Result<SlideEnd, Error> {
        hits.clear();
        let displacement = displacement.into();
        options.check(displacement)?;
        let row = self.bodies.row(handle)?;
        let shapes = &self.bodies.index.shapes;
        let filter = shapes.filter(row).unwrap_or_default();
        let solid = |other: u32| !senses(shapes, Pair { a: row, b: other });
        let others = self.index()?.in_space(self.bodies.space(row)).filtered(filter).without(row);
        let pose = self.pose(handle)?;
        let way = Vector::wide(displacement);
        let ends = ends(shapes.bounds(row).unwrap_or_default());
        let far = ends.as_flattened().iter().fold(way.length(), |far, end| far.max(end.abs()));
        let shape = self.shape(handle)?;
        let mut slide = Slide {
            world: self,
            shape: MovedShape::new(&others.filtered_by(&solid), (&shape, pose).into())?,
            pose,
            at: Vector::wide([pose.x, pose.y]),
            options,
            up: Vector::wide(options.up),
            reach: f64::from(options.gap * 0.5).max(far * 4.0 * NO_SHARE),
            hits,
        };
        let result = slide.run(way);
        if result.is_err() {
            hits.clear();
        }
        result
    }
}

/// A body on its way.
struct Slide<'a> {
    world: &'a World,
    /// Its shape, among the bodies that may be in its way.
    shape: MovedShape<'a>,
    /// The pose at the beginning.
    pose: Pose,
    /// The position, before it is rounded.
    at: Vector,
    options: &'a SlideOptions,
    up: Vector,
    /// How much further below it than the gap the ground may be on which it stands.
    reach: f64,
    hits: &'a mut Vec<SlideHit>,
}

impl Slide<'_> {
    fn run(&mut self, way: Vector) -> Result<SlideEnd, Error> {
        self.push_out()?;
        let mut rest = way;
        let mut before = None;
        for _ in 0..MAX_TURNS {
            if rest.length2() <= way.length2() * (NO_SHARE * NO_SHARE) {
                break;
            }
            let Some(found) = self.cast(rest)? else { break };
            self.hits.push(found);
            let (fraction, normal) = parts(&found.hit);
            let turned = self.turn(rest * (1.0 - fraction), normal, found.ground);
            // The surface before is still there, unless the body has left it.
            before = before.filter(|_| fraction == 0.0);
            let corner = before.is_some_and(|before: Vector| turned.dot(before) < 0.0);
            rest = if corner { Vector::ZERO } else { turned };
            before = Some(normal);
        }
        let ground = self.stand(way)?;
        Ok(SlideEnd { pose: self.pose(), ground })
    }

    /// The ground below the body, after it has moved by `way`. Follows it down.
    fn stand(&mut self, way: Vector) -> Result<Option<SlideHit>, Error> {
        let (SlideOptions { gap, snap, .. }, reach) = (*self.options, self.reach);
        let follows = snap > 0.0 && way.dot(self.up) <= 0.0;
        let length = if follows { reach.max(snap.into()) } else { reach };
        let (down, options) = (self.up * -length, CastOptions { gap, ..CastOptions::default() });
        let mut below = Vec::new();
        self.shape.cast_all(down.narrow(), &options, &mut below)?;
        let Some(first) = below.first().map(|hit| f64::from(hit.fraction)) else { return Ok(None) };
        // Ground a little lower than a steep side also holds the body.
        let least = first.max(reach / length);
        let holds = |hit: &&Hit| f64::from(hit.fraction) <= least;
        let mut below = below.iter().filter(holds).filter_map(|hit| self.named(*hit));
        let Some(ground) = below.find(|found| found.ground) else { return Ok(None) };
        if first * length > reach {
            self.move_by(down * first)?;
            return Ok(Some(ground));
        }
        let same = |met: &&SlideHit| {
            let (normal, other) = (met.hit.normal(), ground.hit.normal());
            met.body == ground.body && met.ground && normal.dot(other) >= 1.0 - NO_SHARE as f32
        };
        Ok(Some(self.hits.iter().rfind(same).copied().unwrap_or(ground)))
    }

    /// Moves the body along a way up to the first surface, and returns it.
    fn cast(&mut self, way: Vector) -> Result<Option<SlideHit>, Error> {
        let options = CastOptions { gap: self.options.gap, ..CastOptions::default() };
        let hit = self.shape.cast(way.narrow(), &options)?;
        self.move_by(way * hit.map_or(1.0, |hit| f64::from(hit.fraction)))?;
        Ok(hit.and_then(|hit| self.named(hit)))
    }

    fn named(&self, hit: Hit) -> Option<SlideHit> {
        let body = self.world.handle(hit.row)?;
        let steepness = f64::from(self.options.max_slope);
        let (_, normal) = parts(&hit);
        // The normal of ground with this slope is (slope, 1), made one long.
        let least = 1.0 / (1.0 + steepness * steepness).sqrt();
        let rises = normal.dot(self.up);
        let ground = rises > NO_SHARE && rises >= least * (1.0 - NO_SHARE);
        Some(SlideHit { body, user: self.world.bodies.users[hit.row as usize], hit, ground })
    }

    /// The remaining way along a surface.
    fn turn(&self, rest: Vector, normal: Vector, ground: bool) -> Vector {
        let into = -rest.dot(normal);
        if into <= 0.0 {
            return rest;
        }
        let rises = normal.dot(self.up);
        if ground {
            let along = rest + self.up * (into / rises);
            return along * (rest.length() / along.length().max(rest.length()));
        }
        let along = rest + normal * into;
        if rises > 0.0 && along.dot(self.up) > rest.dot(self.up).max(0.0) {
            // It would climb: an upright wall, and down along the side.
            let wall = (normal - self.up * rises).unit().unwrap_or(normal);
            let stopped = rest - wall * rest.dot(wall).min(0.0);
            return stopped - normal * stopped.dot(normal).min(0.0);
        }
        along
    }

    /// Pushes the body out of bodies that it touches, or that are nearer than half the gap.
    fn push_out(&mut self) -> Result<(), Error> {
        let gap = self.options.gap;
        let options = CastOptions { gap: gap * 0.5, start: CastStart::Any, max_fraction: 0.0 };
        let mut near = Vec::new();
        for _ in 0..MAX_PUSHES {
            self.shape.cast_all([0.0; 2], &options, &mut near)?;
            let mut pushed = false;
            for Hit { row, .. } in &near {
                let found = self.shape.contact(*row, gap);
                if let Some(found) = found.filter(|found| found.depth > gap * -0.5) {
                    let away = Vector::wide(found.normal().to_array());
                    self.push(away * -f64::from(found.depth + gap))?;
                    pushed = true;
                }
            }
            if !pushed {
                break;
            }
        }
        Ok(())
    }

    /// Moves the body along a way. The body slides along the surfaces that it meets, so that it is
    /// pushed through nothing.
    fn push(&mut self, way: Vector) -> Result<(), Error> {
        let mut rest = way;
        for _ in 0..MAX_PUSHES {
            let Some(found) = self.cast(rest)? else { break };
            let (fraction, normal) = parts(&found.hit);
            rest = rest * (1.0 - fraction);
            rest = rest - normal * rest.dot(normal).min(0.0);
        }
        Ok(())
    }

    fn move_by(&mut self, way: Vector) -> Result<(), Error> {
        self.at = self.at + way;
        self.shape.set_pose(self.pose())
    }

    fn pose(&self) -> Pose {
        let [x, y] = self.at.narrow();
        Pose { x, y, ..self.pose }
    }
}

/// The fraction and the normal of a hit.
fn parts(hit: &Hit) -> (f64, Vector) {
    let normal = Vector::wide([hit.normal_x, hit.normal_y]);
    (hit.fraction.into(), normal.unit().unwrap_or(Vector::ZERO))
}
