//! The motions of the bodies, one step and one axis at a time, and constraints between bodies.

use std::{fmt, str::FromStr};

use crate::{SceneKind, placement::Room, random::Random, sizes::Size};

/// The motion of the bodies of a [`Scene`](crate::Scene).
///
/// Under every motion, a body stays in its region, sizes do not change by a bit, and the scene
/// keeps the property that it is named for: a line stays a line. Positions are computed with
/// products, sums and comparisons only, rotations also with quotients and square roots. All motions
/// are exactly defined, so the bits are equal on all platforms after any number of steps.
///
/// A body rotates by at most 0.05 radians per step.
///
/// ```
/// use widephase_scenes::{Motion, Scene, SceneKind};
///
/// let mut scene = Scene::generate(SceneKind::Pile, 1000, 7).with_motion(Motion::Settle);
/// scene.step();
/// assert_eq!("settle".parse(), Ok(scene.motion()));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
#[non_exhaustive]
pub enum Motion {
    /// `drift`: each body moves straight, at its own constant speed, is reflected at the border of
    /// its region, and rotates at a constant speed. The density does not change.
    #[default]
    Drift,
    /// `brownian`: each step moves each body by a new random distance, up to its largest speed
    /// along each axis, and rotates it by a random angle. The density does not change, and no body
    /// goes far.
    Brownian,
    /// `settle`: each body falls, and bounces lower and lower on the heap of the bodies that were
    /// below it, while it drifts sideways and rotates at a constant speed. In the end, all bodies
    /// of a square are in its lowest third, with three times the pairs. Bodies that stay near their
    /// initial positions fall only within their regions, and bodies on a horizontal line do not
    /// fall at all.
    Settle,
}

impl Motion {
    /// All motions.
    ///
    /// ```
    /// use widephase_scenes::{Bodies, MAX_SPEED, Motion, Scene, SceneKind, UnknownMotion};
    ///
    /// for motion in Motion::ALL {
    ///     assert_eq!(motion.name().parse(), Ok(motion));
    /// }
    /// assert!(matches!("fall".parse::<Motion>(), Err(UnknownMotion { .. })));
    ///
    /// // Under `Drift`, no circle moves faster than the limit, and none leaves the world.
    /// let mut scene = Scene::generate(SceneKind::UniformCircles, 100, 1).with_motion(Motion::Drift);
    /// let centers = |scene: &Scene| match scene.bodies() {
    ///     Bodies::Circles { x, .. } => x.to_vec(),
    ///     _ => Vec::new(),
    /// };
    /// let before = centers(&scene);
    /// scene.step();
    /// for (a, b) in before.iter().zip(centers(&scene)) {
    ///     assert!((a - b).abs() <= MAX_SPEED * 1.001);
    ///     assert!(b.abs() <= scene.half_world());
    /// }
    /// ```
    pub const ALL: [Motion; 3] = [Motion::Drift, Motion::Brownian, Motion::Settle];

    /// The name: `drift`, `brownian`, `settle`.
    pub const fn name(self) -> &'static str {
        match self {
            Motion::Drift => "drift",
            Motion::Brownian => "brownian",
            Motion::Settle => "settle",
        }
    }
}

impl fmt::Display for Motion {
    /// Writes the name.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Motion {
    type Err = UnknownMotion;

    /// Parses a name, in upper or lower case.
    fn from_str(name: &str) -> Result<Self, UnknownMotion> {
        let plain = name.trim().to_ascii_lowercase();
        let mut motions = Motion::ALL.into_iter();
        motions
            .find(|motion| motion.name() == plain)
            .ok_or_else(|| UnknownMotion { name: name.to_owned() })
    }
}

/// The error for a name that is not the name of a motion.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownMotion {
    /// The name as it was given.
    pub name: String,
}

impl std::error::Error for UnknownMotion {}

impl fmt::Display for UnknownMotion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name } = self;
        write!(f, "\"{name}\" is not a motion; the motions are: drift, brownian, settle")
    }
}

/// One body: its region, its position in it, its speed and its size.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Body {
    pub(crate) room: Room,
    /// The offset of the centre from the home of its region.
    pub(crate) offset: [f32; 2],
    /// In units of length per step.
    pub(crate) speed: [f32; 2],
    pub(crate) size: Size,
}

/// A motion with its state.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Mover {
    Drift,
    Brownian(Random),
    /// The vertical offset at which each body comes to rest.
    Settle(Vec<f32>),
}

impl Mover {
    /// The motion of bodies that start from their current positions. `random` is for this motion
    /// only.
    pub(crate) fn new(motion: Motion, bodies: &[Body], random: Random) -> Self {
        // The heap has a third of the height of the region, with the bodies in the same order from
        // below.
        let rest = |body: &Body| {
            let [_, reach] = body.room.reach;
            (body.offset[1] + reach) / 3.0 - reach
        };
        match motion {
            Motion::Drift => Mover::Drift,
            Motion::Brownian => Mover::Brownian(random),
            Motion::Settle => Mover::Settle(bodies.iter().map(rest).collect()),
        }
    }

    pub(crate) fn motion(&self) -> Motion {
        match self {
            Mover::Drift => Motion::Drift,
            Mover::Brownian(_) => Motion::Brownian,
            Mover::Settle(_) => Motion::Settle,
        }
    }

    /// The rotation of a body in this step, as the tangent of the angle: `own`, or random, up to
    /// `most`.
    pub(crate) fn spin(&mut self, own: f32, most: f32) -> f32 {
        match self {
            Mover::Brownian(random) => random.between(-most, most),
            Mover::Drift | Mover::Settle(_) => own,
        }
    }

    /// Moves the bodies by one step.
    pub(crate) fn step(&mut self, bodies: &mut [Body], tie: Tie) {
        for (row, body) in bodies.iter_mut().enumerate() {
            let Body { room: Room { reach, pace, .. }, offset: [x, y], speed: [vx, vy], .. } = body;
            match self {
                Mover::Drift => {
                    drift(x, vx, reach[0]);
                    drift(y, vy, reach[1]);
                }
                Mover::Brownian(random) => {
                    drift(x, &mut random.between(-pace[0], pace[0]), reach[0]);
                    drift(y, &mut random.between(-pace[1], pace[1]), reach[1]);
                }
                Mover::Settle(rest) => {
                    drift(x, vx, reach[0]);
                    fall(y, vy, pace[1], rest[row], reach[1]);
                }
            }
        }
        tie.bind(bodies);
    }
}

/// Moves along one axis, with reflection at `reach`. The clamp is for positions that rounding
/// leaves beyond it, and for regions smaller than a step.
fn drift(at: &mut f32, speed: &mut f32, reach: f32) {
    let mut next = *at + *speed;
    if next.abs() > reach {
        next = reach.copysign(next) * 2.0 - next;
        *speed = -*speed;
    }
    *at = next.clamp(-reach, reach);
}

/// Falls with acceleration, at most at ten times `pace`, and bounces at `rest` with half the speed.
fn fall(at: &mut f32, speed: &mut f32, pace: f32, rest: f32, reach: f32) {
    *speed = (*speed - 0.2 * pace).max(-10.0 * pace);
    let mut next = *at + *speed;
    if next < rest {
        next = 2.0 * rest - next;
        *speed *= -0.5;
    }
    *at = next.clamp(-reach, reach);
}

/// A constraint between the bodies of a scene, under every motion.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Tie {
    /// No constraint.
    Free,
    /// Each body stays on the diagonal: its x follows its y, so it can also fall.
    Diagonal,
    /// All bodies move as the first body does, by multiples of 1/64. Sums of these and whole
    /// numbers are exact, so bodies that touch exactly still do after any number of steps.
    Together,
}

impl Tie {
    pub(crate) fn of(kind: SceneKind) -> Self {
        match kind {
            SceneKind::Diagonal => Tie::Diagonal,
            SceneKind::Coincident | SceneKind::BorderLattice => Tie::Together,
            _ => Tie::Free,
        }
    }

    /// Applies the constraint to the bodies.
    pub(crate) fn bind(self, bodies: &mut [Body]) {
        match self {
            Tie::Free => {}
            Tie::Diagonal => {
                for Body { offset, speed, .. } in bodies {
                    (offset[0], speed[0]) = (offset[1], speed[1]);
                }
            }
            Tie::Together => {
                if let Some(&Body { offset, speed, .. }) = bodies.first() {
                    for body in bodies {
                        (body.offset, body.speed) = (offset, speed);
                    }
                }
            }
        }
    }

    /// The centre of a body.
    pub(crate) fn center(self, &Body { room, offset, .. }: &Body) -> [f32; 2] {
        let [x, y] = match self {
            Tie::Free | Tie::Diagonal => offset,
            Tie::Together => offset.map(|along| (along * 64.0).round() / 64.0),
        };
        [room.home[0] + x, room.home[1] + y]
    }
}
