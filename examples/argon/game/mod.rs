//! The rules of Argon, without drawing: a ship flies over a field of targets and fires rockets.
//!
//! The `World` finds the parts that touch; a verdict of the caller has the last word about each
//! pair. So the classic tests of tutorials can play the same round as the engine.

pub(crate) mod round;
mod verdicts;

use std::fmt;

use widephase::{
    Body, Error, Filter, Handle, Motion, Options, World,
    glam::Vec2,
    shape::{Aabb, Circle, Compound, Obb, Part, Pose, Rotation},
};

pub(crate) use round::{AREAS, Changes, play};
pub(crate) use verdicts::{VERDICTS, Verdict};

/// Half the side of a target, which is 40 × 40.
const HALF: f32 = 20.0;
/// A rocket starts at the nose of the ship, and flies this far in a step.
const NOSE: f32 = 30.0;
const ROCKET_SPEED: f32 = 20.0;
/// A rocket is lost this far from the start of the ship.
const RANGE: f32 = 500.0;

const MOVERS: Filter = Filter::new(1, 2).sensing();
const TARGETS: Filter = Filter::new(2, 1).sensing();

/// The collision area of the ship. It follows the ship; only the last one also rotates with it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Area {
    /// Of radius 15 at x + 7.
    Circle,
    /// The hull, of radius 15 at x + 5, and the nose, of radius 8 at x + 22.
    TwoCircles,
    /// From -10 to 30 along x, and from -7 to 7 along y.
    Box,
    /// The same box, rotated to the heading.
    RotatedBox,
}

/// The collision area of a target, around its centre.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TargetArea {
    /// The inner circle, of radius 20.
    Circle,
    /// The whole square.
    Box,
}

impl Area {
    /// The parts of the ship, in its own coordinates.
    fn ship(self) -> Vec<Part> {
        let circle = |x, radius| Circle::new([x, 0.0], radius).into();
        match self {
            Self::Circle => vec![circle(7.0, 15.0)],
            Self::TwoCircles => vec![circle(5.0, 15.0), circle(22.0, 8.0)],
            Self::Box => vec![Aabb::new([-10.0, -7.0], [30.0, 7.0]).into()],
            Self::RotatedBox => vec![Obb::new([10.0, 0.0], [20.0, 7.0], Rotation::IDENTITY).into()],
        }
    }

    /// A rocket, of the same kind: of radius 4, or 16 × 8.
    fn rocket(self) -> Vec<Part> {
        vec![match self {
            Self::Circle | Self::TwoCircles => Circle::new([0.0, 0.0], 4.0).into(),
            Self::Box => Aabb::centered([0.0, 0.0], [8.0, 4.0]).into(),
            Self::RotatedBox => Obb::new([0.0, 0.0], [8.0, 4.0], Rotation::IDENTITY).into(),
        }]
    }

    fn pose(self, at: Vec2, heading: Rotation) -> Pose {
        Pose::new(at, if self == Self::RotatedBox { heading } else { Rotation::IDENTITY })
    }
}

impl TargetArea {
    fn parts(self) -> Vec<Part> {
        vec![match self {
            Self::Circle => Circle::new([0.0, 0.0], HALF).into(),
            Self::Box => Aabb::centered([0.0, 0.0], [HALF; 2]).into(),
        }]
    }
}

/// Whether the ship touches a target.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum State {
    Safe,
    Hit,
}

impl fmt::Display for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Safe => "안전 / safe",
            Self::Hit => "충돌 / hit",
        })
    }
}

/// The changes of a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Event {
    /// The ship is safe again, or hit.
    Ship(State),
    /// A rocket has hit a target, the number of which this is. Both bodies are gone.
    Rocket(u64),
}

/// The actions of the player in a step.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Command {
    /// The displacement of the ship.
    pub(crate) by: [f32; 2],
    pub(crate) heading: Rotation,
    pub(crate) fire: bool,
}

pub(crate) struct Game {
    areas: (Area, TargetArea),
    verdict: Verdict,
    pub(crate) world: World,
    ship: Handle,
    /// The rockets in flight, with their headings.
    rockets: Vec<(Handle, Rotation)>,
    pub(crate) state: State,
}

impl Game {
    /// A ship at the origin, and targets around these points.
    pub(crate) fn new(
        areas: (Area, TargetArea),
        targets: &[[f32; 2]],
        verdict: Verdict,
        options: Options,
    ) -> Result<Self, Error> {
        let mut world = World::with_options(Options { touching: verdict.touching, ..options })?;
        let ship = Body { filter: MOVERS, ..Body::default() };
        let ship = world.insert(Compound::new(areas.0.ship())?, ship)?;
        for (number, &target) in (1..).zip(targets) {
            let (pose, motion) = (Some(Pose::at(target)), Motion::Static);
            let body = Body { pose, motion, filter: TARGETS, user: number, ..Body::default() };
            world.insert(Compound::new(areas.1.parts())?, body)?;
        }
        Ok(Self { areas, verdict, world, ship, rockets: vec![], state: State::Safe })
    }

    /// Moves everything, and appends the changes.
    pub(crate) fn step(&mut self, command: Command, events: &mut Vec<Event>) -> Result<(), Error> {
        self.fly(command)?;
        let (step, mut state, mut shot) = (self.world.step()?, State::Safe, vec![]);
        for pair in step.started().iter().copied().chain(self.world.persisted()) {
            // Targets have numbers; the ship and the rockets have no numbers.
            let (mover, target, number) = match pair.user_a {
                0 => (pair.a, pair.b, pair.user_b),
                number => (pair.b, pair.a, number),
            };
            if !self.collide(mover, target) {
                continue;
            } else if mover == self.ship {
                state = State::Hit;
            } else {
                shot.push((mover, target, number));
            }
        }
        if state != self.state {
            self.state = state;
            events.push(Event::Ship(state));
        }
        for (rocket, target, number) in shot {
            if self.world.contains(rocket) && self.world.contains(target) {
                self.world.remove(rocket)?;
                self.world.remove(target)?;
                events.push(Event::Rocket(number));
            }
        }
        self.rockets.retain(|(rocket, _)| self.world.contains(*rocket));
        Ok(())
    }

    /// Moves the ship and the rockets, and fires.
    fn fly(&mut self, Command { by, heading, fire }: Command) -> Result<(), Error> {
        let Self { areas: (area, _), world, rockets, .. } = self;
        let at = position(world, self.ship) + Vec2::from(by);
        world.set_pose(self.ship, area.pose(at, heading))?;
        for &(rocket, heading) in &*rockets {
            let at = position(world, rocket) + forward(heading, ROCKET_SPEED);
            if at.abs().max_element() > RANGE {
                world.remove(rocket)?;
            } else {
                world.set_pose(rocket, area.pose(at, heading))?;
            }
        }
        rockets.retain(|(rocket, _)| world.contains(*rocket));
        if fire {
            let pose = Some(area.pose(at + forward(heading, NOSE), heading));
            let body = Body { pose, filter: MOVERS, ..Body::default() };
            rockets.push((world.insert(Compound::new(area.rocket())?, body)?, heading));
        }
        Ok(())
    }

    /// Whether two bodies that touch collide, by the verdict.
    fn collide(&self, mover: Handle, target: Handle) -> bool {
        let (area, target_area) = self.areas;
        let parts = if mover == self.ship { area.ship() } else { area.rocket() };
        let [a, b] = [(mover, parts), (target, target_area.parts())].map(|(body, parts)| {
            let pose = self.world.pose(body).unwrap_or_default();
            parts.into_iter().map(|part| placed(part, pose)).collect::<Vec<Part>>()
        });
        a.iter().any(|a| b.iter().any(|b| (self.verdict.collide)(a, b) == Some(true)))
    }
}

fn position(world: &World, body: Handle) -> Vec2 {
    world.pose(body).unwrap_or_default().position()
}

fn forward(heading: Rotation, distance: f32) -> Vec2 {
    heading.apply([distance, 0.0]).into()
}

/// A part of a body at a pose, as the classic tests take it.
fn placed(part: Part, pose: Pose) -> Part {
    let to = |at: Vec2| pose.position() + Vec2::from(pose.rotation().apply(at.to_array()));
    match part {
        Part::Circle(circle) => Circle::new(to(circle.center()), circle.radius).into(),
        // Its pose has no rotation.
        Part::Aabb(Aabb { min_x, min_y, max_x, max_y }) => {
            Aabb::new(to(Vec2::new(min_x, min_y)), to(Vec2::new(max_x, max_y))).into()
        }
        Part::Obb(obb) => Obb::new(to(obb.center()), obb.half_extents(), pose.rotation()).into(),
        other => other,
    }
}
