//! Pit: boxes, capsules, polygons and circles that fall between two slopes and come to rest, by the
//! solver of `examples/world_stack`.

use std::f32::consts::TAU;

use fastrand::Rng;
use widephase::{
    Error, Handle, Options,
    glam::Vec2,
    shape::{
        Capsule, Chain, Circle, ConvexPolygon, HalfPlane, Obb, OwnedShape, Pose, Rotation, Sides,
    },
};

use super::{
    bodies::{Bodies, of_bodies},
    gas::{direction, side},
    scene::{Input, Scene},
    solver::{STEP, solve, turned},
};
use crate::view::frame::Area;

const GRAVITY: f32 = 10.0;

/// The highest speed: less than the radius of a body in a step, so that none passes the hill.
const MOST_SPEED: f32 = 20.0;

/// The distance of two bodies at the start.
const PITCH: f32 = 1.3;

/// The outward normal of the left slope.
const SLOPE: [f32; 2] = [0.8, 0.6];

/// The inverse of the moment of inertia of a body of mass 1: about the inverse moment of a circle
/// of radius 0.5.
const INERTIA: f32 = 8.0;

/// Bodies that fall.
pub(super) struct Pit {
    bodies: Bodies,
    /// Half the width of the floor.
    half: f32,
    /// The height of the bodies at the start.
    height: f32,
}

impl Pit {
    /// A floor with a hill in its middle, two slopes, and `n` bodies above.
    pub(super) fn new(n: u32, seed: u64, options: Options) -> Result<Self, Error> {
        let columns = side(n);
        let half = columns as f32 * PITCH / 2.0;
        let hill = half * 0.3;
        let mut bodies = Bodies::new(options)?;
        bodies.fix(HalfPlane::new([0.0, 1.0], 0.0))?;
        bodies.fix(HalfPlane::through([-half, 0.0], SLOPE))?;
        bodies.fix(HalfPlane::through([half, 0.0], [-SLOPE[0], SLOPE[1]]))?;
        let line = [[-hill, 0.0], [-hill * 0.3, hill * 0.5], [hill * 0.3, hill * 0.5], [hill, 0.0]];
        for segment in Chain::open(&line)?.with_sides(Sides::Left).segments() {
            bodies.fix(segment)?;
        }
        let mut random = Rng::with_seed(seed);
        let low = hill * 0.5 + 1.0;
        for number in 0..n {
            let cell = Vec2::new((number % columns) as f32, (number / columns) as f32) + 0.5;
            let at = Vec2::new(cell.x * PITCH - half, cell.y * PITCH + low);
            let way = direction(&mut random).normalize_or(Vec2::X);
            let pose = Pose::new(at, Rotation { cos: way.x, sin: way.y });
            let shape = shape(number % 4, &mut random)?;
            bodies.insert(shape, Some(pose), Vec2::ZERO, [1.0, INERTIA])?;
        }
        Ok(Self { bodies, half, height: columns as f32 * PITCH + low })
    }
}

/// A shape around the origin, about 1 wide.
fn shape(kind: u32, random: &mut Rng) -> Result<OwnedShape, Error> {
    let mut size = || 0.3 + 0.2 * random.f32();
    Ok(match kind {
        0 => Circle::new([0.0; 2], size()).into(),
        1 => Obb::new([0.0; 2], [size(), size()], Rotation::IDENTITY).into(),
        2 => {
            let half = size();
            Capsule::new([-half, 0.0], [half, 0.0], 0.7 * size()).into()
        }
        _ => {
            let (radius, corners) = (size() + 0.1, random.u8(3..=6));
            let corner = |number| {
                let angle = TAU * f32::from(number) / f32::from(corners);
                radius * Vec2::from_angle(angle)
            };
            ConvexPolygon::new(&(0..corners).map(corner).collect::<Vec<_>>())?.into()
        }
    })
}

impl Scene for Pit {
    of_bodies!();

    fn step(&mut self, input: &Input) -> Result<(), Error> {
        self.bodies.pull(input.held, STEP);
        let held = input.held.map(|(body, _)| body.row() as usize);
        let Bodies { world, at, rotation, dynamics, .. } = &mut self.bodies;
        for body in dynamics.iter_mut().filter(|body| body.inverse.x > 0.0) {
            body.speed.y -= GRAVITY * STEP;
            let speed = body.speed.truncate().clamp_length_max(MOST_SPEED);
            body.speed = speed.extend(body.speed.z);
        }
        let centers = at.clone();
        solve(world, dynamics, &centers, |dynamics| {
            for (row, body) in dynamics.iter().enumerate() {
                if body.inverse.x > 0.0 && Some(row) != held {
                    at[row] += body.speed.truncate() * STEP;
                    rotation[row] = turned(rotation[row], body.speed.z * STEP);
                }
            }
        });
        self.bodies.detect()
    }

    fn bounds(&self) -> Area {
        let wide = self.half + 0.6 * self.height;
        [-wide, -0.1 * self.height, wide, self.height]
    }

    fn put(&mut self, body: Handle, at: Vec2) -> Result<(), Error> {
        self.bodies.put(body, at)
    }

    fn insert(&mut self, shape: OwnedShape, at: Vec2) -> Result<(), Error> {
        self.bodies.spawn(shape, at, INERTIA).map(|_| ())
    }
}
