//! Gas: circles that bounce off each other and off the sides of a box.

use fastrand::Rng;
use widephase::{
    Error, Handle, Options,
    glam::Vec2,
    shape::{Aabb, Circle, OwnedShape},
};

use super::{
    bodies::{Bodies, of_bodies},
    scene::{Input, Scene},
    solver::STEP,
};
use crate::view::frame::Area;

/// The highest speed at the start, along each axis, in units of length per second.
const SPEED: f32 = 6.0;

/// The share of an overlap that a step removes.
const PUSH: f32 = 0.3;

/// The radius of a circle of gas, and the distance of two at the start.
const RADIUS: f32 = 0.5;
const PITCH: f32 = 2.0;

/// A giant has a square of this side for itself and its pebbles.
const GIANT_PITCH: f32 = 24.0;
const GIANT_RADII: [f32; 2] = [3.0, 5.0];
const PEBBLES: u32 = 199;
const PEBBLE_RADIUS: f32 = 0.25;
const PEBBLE_PITCH: f32 = 1.5;

/// Half the thickness of the sides of the box.
const WALL: f32 = 1.0;

/// Circles in a box.
pub(super) struct Gas {
    bodies: Bodies,
    /// Half the side of the box, around the origin.
    half: f32,
}

/// `n` circles of one size.
pub(super) fn gas(n: u32, seed: u64, options: Options) -> Result<Gas, Error> {
    let columns = side(n);
    let mut gas = Gas::new(columns as f32 * PITCH / 2.0, options)?;
    let mut random = Rng::with_seed(seed);
    for number in 0..n {
        let cell = Vec2::new((number % columns) as f32, (number / columns) as f32) + 0.5;
        let slack = PITCH - 2.0 * RADIUS;
        let at = cell * PITCH - gas.half + slack / 2.0 * direction(&mut random);
        gas.bodies.insert(
            Circle::new(at, RADIUS),
            None,
            SPEED * direction(&mut random),
            [1.0, 0.0],
        )?;
    }
    Ok(gas)
}

/// `n` circles, of which one in two hundred is a giant.
pub(super) fn pebbles(n: u32, seed: u64, options: Options) -> Result<Gas, Error> {
    let columns = side(n.div_ceil(PEBBLES + 1));
    let mut gas = Gas::new(columns as f32 * GIANT_PITCH / 2.0, options)?;
    let mut random = Rng::with_seed(seed);
    let sites = (GIANT_PITCH / PEBBLE_PITCH) as u32;
    let mut left = n;
    for giant in 0.. {
        if left == 0 {
            break;
        }
        let cell = Vec2::new((giant % columns) as f32, (giant / columns) as f32);
        let corner = cell * GIANT_PITCH - gas.half;
        let middle = corner + GIANT_PITCH / 2.0;
        let radius = GIANT_RADII[0] + (GIANT_RADII[1] - GIANT_RADII[0]) * random.f32();
        gas.circle(middle, radius, direction(&mut random))?;
        left -= 1;
        let places = (0..sites * sites).map(|site| {
            corner + (Vec2::new((site % sites) as f32, (site / sites) as f32) + 0.5) * PEBBLE_PITCH
        });
        let free = places.filter(|at| at.distance(middle) > GIANT_RADII[1] + PEBBLE_RADIUS);
        let pebbles = left.min(PEBBLES);
        for at in free.take(pebbles as usize) {
            gas.circle(at, PEBBLE_RADIUS, SPEED * direction(&mut random))?;
        }
        left -= pebbles;
    }
    Ok(gas)
}

/// The side of the smallest square with this many places.
pub(super) fn side(places: u32) -> u32 {
    let root = places.isqrt();
    if root * root < places { root + 1 } else { root.max(1) }
}

/// A vector with parts from -1 to 1.
pub(super) fn direction(random: &mut Rng) -> Vec2 {
    Vec2::new(random.f32(), random.f32()) * 2.0 - 1.0
}

impl Gas {
    fn new(half: f32, options: Options) -> Result<Self, Error> {
        let mut bodies = Bodies::new(options)?;
        let (out, long) = (half + WALL, half + 2.0 * WALL);
        for (at, size) in [
            ([0.0, -out], [long, WALL]),
            ([0.0, out], [long, WALL]),
            ([-out, 0.0], [WALL, half]),
            ([out, 0.0], [WALL, half]),
        ] {
            bodies.fix(Aabb::centered(at, size))?;
        }
        Ok(Self { bodies, half })
    }

    /// Inserts a circle whose mass is the square of its radius.
    fn circle(&mut self, at: Vec2, radius: f32, speed: Vec2) -> Result<Handle, Error> {
        self.bodies.insert(Circle::new(at, radius), None, speed, [1.0 / (radius * radius), 0.0])
    }

    /// Changes speeds and places by the contacts of the last step: bodies that approach each other
    /// bounce without a loss, and some of their overlap is removed.
    fn bounce(&mut self) {
        let Bodies { world, at, dynamics, .. } = &mut self.bodies;
        for contact in world.last_step().contacts() {
            let [a, b] = [contact.pair.a as usize, contact.pair.b as usize];
            let (normal, inverses) = (contact.normal(), [a, b].map(|row| dynamics[row].inverse.x));
            let give = inverses[0] + inverses[1];
            if give > 0.0 {
                let closing = (dynamics[a].speed - dynamics[b].speed).truncate().dot(normal);
                let impulse = 2.0 * closing.max(0.0) / give * normal;
                let push = PUSH * contact.depth / give * normal;
                for (row, sign, inverse) in [(a, -1.0, inverses[0]), (b, 1.0, inverses[1])] {
                    dynamics[row].speed += (sign * inverse * impulse).extend(0.0);
                    at[row] += sign * inverse * push;
                }
            }
        }
    }
}

impl Scene for Gas {
    of_bodies!();

    fn step(&mut self, input: &Input) -> Result<(), Error> {
        self.bounce();
        self.bodies.pull(input.held, STEP);
        let held = input.held.map(|(body, _)| body.row() as usize);
        let Bodies { at, dynamics, .. } = &mut self.bodies;
        for (row, (at, body)) in at.iter_mut().zip(dynamics).enumerate() {
            if body.inverse.x > 0.0 && Some(row) != held {
                *at += body.speed.truncate() * STEP;
                // The sides push bodies back; this is for bodies that are too fast for them.
                let inside = at.clamp(Vec2::splat(-self.half), Vec2::splat(self.half));
                let away = (inside - *at).signum() * body.speed.truncate().abs();
                let is_out = inside.cmpne(*at);
                body.speed = Vec2::select(is_out, away, body.speed.truncate()).extend(0.0);
                *at = inside;
            }
        }
        self.bodies.detect()
    }

    fn bounds(&self) -> Area {
        let half = self.half + 2.0 * WALL;
        [-half, -half, half, half]
    }

    fn put(&mut self, body: Handle, at: Vec2) -> Result<(), Error> {
        self.bodies.put(body, at)
    }

    fn insert(&mut self, shape: OwnedShape, at: Vec2) -> Result<(), Error> {
        self.bodies.spawn(shape, at, 0.0).map(|_| ())
    }
}
