//! Seeded scenes of moving bodies, for the tests, the benches and the command of widephase.
//!
//! The bodies are plain columns. This package does not know widephase, whose tests depend on it.
//! Packages that have both include `adapter.rs`, which makes columns and a store of shapes of a
//! scene.
//!
//! The standard scenes have the bodies of everyday use:
//!
//! | short | long | bodies | pairs per body |
//! |---|---|---|---|
//! | `s1` | `uniform-circles` | circles of radius 0.5 | 1 |
//! | `s2` | `uniform-boxes` | boxes with sides from 0.5 to 1.5 | 1 |
//! | `s3` | `mixed-circles-boxes` | half circles, half boxes; radii, half sides from 0.25 to 1 | 1 |
//! | `s4` | `bimodal-circles` | circles, 99 % of radius 0.25, 1 % of radius 8 | 2 |
//! | `s5` | `power-law-circles` | circles of radius 0.1 to 50, Pareto with exponent 2 | 3 |
//! | `s6` | `gaussian-clusters` | circles of radius 0.5 in 16 Gaussian clusters, 10⁵ apart | 4 |
//! | `s7` | `mixed-rotating` | half rotated boxes, a quarter polygons of 3 to 8 vertices, a quarter capsules; half sizes from 0.25 to 1 | 1 |
//! | `s8` | `compounds` | three circles each, within a circle of radius 0.25 to 1 | 1 |
//!
//! The bodies of `s7` and `s8` rotate: they are [`Bodies::Rotating`].
//!
//! Each adversary is made to break one assumption. The claim is that **none costs more than 3 times
//! as much as `s1` for each body and pair**. It was measured at the AVX-512 level on one thread,
//! with 10,000 and 100,000 bodies (of `coincident`, 800 and 2,530) under [`Motion::Drift`];
//! `docs/performance.md` has the numbers.
//!
//! | name | bodies | pairs per body | the assumption that it breaks |
//! |---|---|---|---|
//! | `giant` | `s1`, one circle over all | 2 | cells as large as the largest body |
//! | `far-body` | `s1`, one body at 2^60 | 1 | cells for the whole bounding box |
//! | `coincident` | all at one position | (n - 1) / 2 | lists without limit, cells without limit |
//! | `line` | centres on a horizontal line | 1 | as many rows of cells as columns |
//! | `diagonal` | centres on x = y | 1 | cells for the whole bounding box |
//! | `two-clusters` | around 0 and around 10⁹, where `f32` has multiples of 64 | 1 | cells by products that round |
//! | `six-decades` | radii log-uniform from 0.001 to 1000 | 3 | one or two sizes of cells |
//! | `fast` | `s1`, a tenth swept along up to 19 units | 2.4 | cells as large as the largest body |
//! | `sorted` | the bodies of `s1`, row by row | 1 | none: shows the gain of sorted input |
//! | `reversed` | `sorted`, from the last to the first | 1 | sorts that need sorted input |
//! | `shuffled` | the bodies of `s1` in random order | 1 | none: the reference for `sorted`, `reversed` |
//! | `border-lattice` | unit squares that touch exactly | 4 | tests that disagree on borders; cells of 2 that disagree with tests |
//! | `power-of-two` | three circles at each point of a lattice of pitch 1024 | 1 | hashes that fold a lattice onto few cells |
//! | `pile` | circles of radius 0.5, 30 neighbours each | 15 | buffers for few pairs |
//!
//! ```text
//! kind.rs       SceneKind: the names, the groups, the form of the columns
//! density.rs    the number of pairs of each scene, and the area for it
//! placement.rs  the positions of the bodies, and the regions that they stay in
//! sizes.rs      the sizes of the bodies
//! arrange.rs    the order of the bodies, and the odd body of a scene
//! motion.rs     Motion: how bodies move, and constraints between them
//! turning.rs    the shapes of s7 and s8, and their poses
//! random.rs     the random number generator
//! level.rs      Level: its resting bodies, its movers, and the changes at each step
//! subject.rs    Subject: a kind of scene or level, by its name
//! lib.rs        Scene: generate, step, read
//! ```
//!
//! A [`Level`] is a scene of a game or a robot's map: bodies that rest, bodies that move among
//! them, and the changes of resting bodies in a step.
//!
//! | name | resting | movers | at each step |
//! |---|---|---|---|
//! | `cave` | a tunnel as one outline, three vertices a mover | circles and boxes in it | |
//! | `tiles` | platforms of ten tiles a mover | circles and boxes that walk on them | doors move, a coin is picked up |
//! | `pit` | a floor and two slanted walls, as half-planes | circles and boxes between them | |
//! | `map` | 600 circles and boxes a mover | circles and boxes | a ray for each five movers |
//!
//! # Density
//! Centres are uniform in a square around the origin, so coordinates of all signs occur. Two bodies
//! touch exactly if the centre of one lies in the Minkowski sum of the other with the mirror image
//! of the first. Let `M` be the mean area of that sum over all pairs of bodies, and `A` the area of
//! the square. Each of the `n (n - 1) / 2` pairs touches with probability `M / A`. That makes
//! `n M / 2 A` pairs per body, and with `A = n M / 2` **one** pair per body. (The true number is a
//! little lower, because bodies at the border have no neighbours beyond it. With 20 000 bodies, the
//! difference is below 1 %. The scenes with large circles, and `pile`, correct for it.)
//! `density.rs` has the derivations for scenes that are not a uniform square.
//! [`SceneKind::expected_pairs`] has the numbers.
//!
//! # Motion
//! Each body has a home and a largest distance from it along each axis. In the uniform scenes, the
//! home is the origin and the distance is half the side of the square, so every body can go
//! anywhere in the square. The other pairs:
//!
//! - `s6`, `sorted` and `reversed`: a body stays within 0.5 of its initial position.
//! - `power-of-two`: a body stays within 0.25 of its lattice point.
//! - `two-clusters`: two squares.
//! - `line`: bodies move along the line. `diagonal`: x follows y.
//! - `coincident` and `border-lattice`: all bodies move by the same amount.
//! - `far-body`: the body at 2^60 does not move, because the next `f32` is too far away.
//!
//! Far from the origin, a position is rounded to the nearest `f32`: in `s6`, up to 1.5 · 10⁵ from
//! the origin, bodies move by multiples of 1/64 or 1/128; in the far cluster of `two-clusters`, by
//! multiples of 64.
//!
//! # Stability
//! A scene is a function of kind, number of bodies and seed: the same bits on every machine, with
//! every version of this crate's dependencies. A golden hash in the tests verifies it.
//!
//! The generator is [PCG-XSL-RR-128/64
//! (MCG)](https://docs.rs/rand_pcg/latest/rand_pcg/type.Pcg64Mcg.html), whose output is part of its
//! definition. Its seeding and the conversion of its integers to `f32` are in this module, because
//! the generators of `rand` may change from one version to the next. Besides the four basic
//! operations, only square roots are used, which IEEE 754 defines to the last bit. Logarithms,
//! powers and cosines are avoided, because it does not define them to the last bit.

mod arrange;
mod density;
mod kind;
mod level;
mod motion;
mod placement;
mod random;
mod sizes;
mod subject;
mod turning;

pub use kind::{SceneKind, UnknownScene};
pub use level::{Level, LevelBody, LevelChange, LevelKind, LevelShape};
pub use motion::{Motion, UnknownMotion};
pub use subject::{Subject, UnknownSubject};
pub use turning::{Pose, Solid};

use self::{
    kind::Form,
    motion::{Body, Mover, Tie},
    placement::Placement,
    random::Random,
    sizes::Size,
    turning::Turning,
};

/// The largest coordinate that widephase takes.
const MAX_COORDINATE: f32 = (1_u64 << 60) as f32;

/// The largest speed along each axis, in units of length per step: a tenth of the radius of an `s1`
/// circle, about the distance that a physics engine moves a body in one step.
///
/// Three exceptions: a tenth of the bodies of `fast` move by up to 19 along one axis; the bodies in
/// the far cluster of `two-clusters` are up to 64 times as fast; and bodies that fall under
/// [`Motion::Settle`] reach ten times the speed.
pub const MAX_SPEED: f32 = 0.05;

/// The bodies of a scene: a column for each number that they need.
#[derive(Debug, Clone, Copy, PartialEq)]
#[allow(missing_docs, reason = "the columns say what they are by their names")]
pub enum Bodies<'a> {
    /// Circles.
    Circles { x: &'a [f32], y: &'a [f32], radius: &'a [f32] },
    /// Axis-aligned boxes, by their sides.
    Boxes { min_x: &'a [f32], min_y: &'a [f32], max_x: &'a [f32], max_y: &'a [f32] },
    /// Circles and axis-aligned boxes: a circle has a core without size, a box has no radius.
    RoundedBoxes {
        min_x: &'a [f32],
        min_y: &'a [f32],
        max_x: &'a [f32],
        max_y: &'a [f32],
        radius: &'a [f32],
    },
    /// Bodies that [rotate](SceneKind::turns): their shapes, which stay, and their poses.
    Rotating { solids: &'a [Solid], poses: &'a [Pose] },
}

/// The moving bodies of one [`SceneKind`].
///
/// ```
/// use widephase_scenes::{Bodies, Scene, SceneKind};
///
/// let mut scene = Scene::generate(SceneKind::UniformCircles, 1000, 7);
/// for _ in 0..3 {
///     let Bodies::Circles { x, y, radius } = scene.bodies() else { unreachable!() };
///     assert_eq!([x.len(), y.len(), radius.len()], [scene.len(); 3]);
///     scene.step();
/// }
/// let scene = Scene::generate(SceneKind::Compounds, 1000, 7);
/// assert!(matches!(scene.bodies(), Bodies::Rotating { .. }));
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Scene {
    kind: SceneKind,
    bodies: Vec<Body>,
    mover: Mover,
    /// The state of the generator after generation.
    random: Random,
    x: Vec<f32>,
    y: Vec<f32>,
    radius: Vec<f32>,
    /// Left, lower, right, upper side of each core; empty where all bodies are circles.
    sides: [Vec<f32>; 4],
    /// The bodies, if they rotate; the columns above are then empty.
    turning: Option<Turning>,
}

impl Scene {
    /// Generates the scene of `len` bodies for `seed`, under [`Motion::Drift`]. Close seeds give
    /// unrelated scenes.
    ///
    /// Takes about 25 to 80 ns per body, up to 300 ns if bodies are sorted or sizes take many
    /// roots, and 64 to 84 bytes per body. Bodies that rotate take up to 200 bytes a body.
    pub fn generate(kind: SceneKind, len: u32, seed: u64) -> Self {
        let origin = kind.origin();
        let mut random = Random::new(origin, seed);
        let placement = Placement::new(origin, len);
        let draw = |index| {
            let room = placement.room(index, &mut random);
            let offset = placement.offset(&room, &mut random);
            let speed = room.pace.map(|pace| random.between(-pace, pace));
            let size = Size::draw(origin, [index, len], speed, &mut random);
            Body { room, offset, speed, size }
        };
        let mut bodies: Vec<Body> = (0..len).map(draw).collect();
        arrange::arrange(kind, &mut bodies, placement.half_spread(), &mut random);
        let turning = kind.turns().then(|| Turning::new(kind, &bodies, &mut random));
        let columns = if turning.is_some() { &[] } else { &*bodies };
        let mut scene = Scene {
            kind,
            mover: Mover::Drift,
            random,
            x: Vec::with_capacity(columns.len()),
            y: Vec::with_capacity(columns.len()),
            radius: columns.iter().map(|body| body.size.radius).collect(),
            sides: Default::default(),
            turning,
            bodies,
        };
        scene.place();
        scene
    }

    /// The same scene under another motion, which starts from the current positions.
    #[must_use]
    pub fn with_motion(mut self, motion: Motion) -> Self {
        self.mover = Mover::new(motion, &self.bodies, self.random.clone());
        self
    }

    /// The motion of the bodies.
    pub fn motion(&self) -> Motion {
        self.mover.motion()
    }

    /// Moves every body by one step of the [motion](Self::with_motion) of the scene. Centres stay
    /// within [`half_world`](Self::half_world). Sizes do not change by a bit.
    pub fn step(&mut self) {
        self.mover.step(&mut self.bodies, Tie::of(self.kind));
        if let Some(turning) = &mut self.turning {
            turning.step(&mut self.mover);
        }
        self.place();
    }

    /// The bodies.
    pub fn bodies(&self) -> Bodies<'_> {
        if let Some(Turning { solids, poses, .. }) = &self.turning {
            return Bodies::Rotating { solids, poses };
        }
        let Self { x, y, radius, sides: [min_x, min_y, max_x, max_y], .. } = self;
        match self.kind.form() {
            Form::Circles => Bodies::Circles { x, y, radius },
            Form::Boxes => Bodies::Boxes { min_x, min_y, max_x, max_y },
            Form::Rounded | Form::Rotating => {
                Bodies::RoundedBoxes { min_x, min_y, max_x, max_y, radius }
            }
        }
    }

    /// The kind of the scene.
    pub fn kind(&self) -> SceneKind {
        self.kind
    }

    /// The number of bodies.
    pub fn len(&self) -> usize {
        self.bodies.len()
    }

    /// Whether there are no bodies.
    pub fn is_empty(&self) -> bool {
        self.bodies.is_empty()
    }

    /// Half the side of the smallest square around the origin that no centre ever leaves, in units
    /// of length. Reads every body.
    pub fn half_world(&self) -> f32 {
        let rooms = self.bodies.iter().map(|body| body.room);
        let ends =
            rooms.flat_map(|room| [0, 1].map(|axis| room.home[axis].abs() + room.reach[axis]));
        ends.fold(0.0, f32::max)
    }

    /// Writes the columns: the centres, and the sides. Each side is one rounded sum.
    fn place(&mut self) {
        let tie = Tie::of(self.kind);
        if let Some(turning) = &mut self.turning {
            turning.place(self.bodies.iter().map(|body| tie.center(body)));
            return;
        }
        let Self { x, y, bodies, sides: [min_x, min_y, max_x, max_y], .. } = self;
        x.clear();
        y.clear();
        for body in &*bodies {
            let center = tie.center(body);
            x.push(center[0]);
            y.push(center[1]);
        }
        if self.kind.form() == Form::Circles {
            return;
        }
        for (min, max, center, half) in [
            (min_x, max_x, x, (|body| body.size.half_width) as fn(&Body) -> f32),
            (min_y, max_y, y, |body| body.size.half_height),
        ] {
            let centered = || center.iter().zip(bodies.iter().map(half));
            min.clear();
            min.extend(centered().map(|(&center, half)| center - half));
            max.clear();
            max.extend(centered().map(|(&center, half)| center + half));
        }
    }
}
