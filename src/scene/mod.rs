//! Seeded scenes of moving bodies: what the tests, the benches and the command line run on.
//!
//! The standard scenes, what engines meet every day:
//!
//! | short | long | bodies | pairs a body |
//! |---|---|---|---|
//! | `s1` | `uniform-circles` | circles of radius 0.5 | 1 |
//! | `s2` | `uniform-boxes` | boxes with sides from 0.5 to 1.5 | 1 |
//! | `s3` | `mixed-circles-boxes` | half circles, half boxes; radii and half sides from 0.25 to 1 | 1 |
//! | `s4` | `bimodal-circles` | circles, 99 % of radius 0.25, 1 % of radius 8 | 2 |
//! | `s5` | `power-law-circles` | circles of radius 0.1 to 50, Pareto with exponent 2 | 3 |
//! | `s6` | `gaussian-clusters` | circles of radius 0.5 in 16 Gaussian clusters, 10⁵ apart | 4 |
//! | `s7` | `mixed-rotating` | half turned boxes, a quarter polygons of 3 to 8 vertices, a quarter capsules; half sizes from 0.25 to 1 | 1 |
//! | `s8` | `compounds` | three circles each, in one of radius 0.25 to 1 | 1 |
//!
//! The bodies of `s7` and `s8` turn: [`Scene::shapes`] has them.
//!
//! The adversaries, each made to break one assumption. The claim is that **none costs more than 3
//! times as much as `s1` for each body and pair**. That was measured at the AVX-512 level on one thread, with
//! 10,000 and 100,000 bodies (of `coincident`, 800 and 2,530) under [`Motion::Drift`]; `docs/performance-log.md` has
//! the numbers.
//!
//! | name | bodies | pairs a body | what it is to break |
//! |---|---|---|---|
//! | `giant` | `s1` and one circle over all | 2 | cells as large as the largest body |
//! | `far-body` | `s1`, one body at 2^60 | 1 | cells for the whole bounding box |
//! | `coincident` | all at one place | (n - 1) / 2 | lists without limit, cells without limit |
//! | `line` | centres on a horizontal line | 1 | as many rows of cells as columns |
//! | `diagonal` | centres on x = y | 1 | cells for the whole bounding box |
//! | `two-clusters` | around 0 and around 10⁹, where `f32` knows multiples of 64 | 1 | cells by products that round |
//! | `six-decades` | radii log-uniform from 0.001 to 1000 | 3 | one size of cells; two sizes, too |
//! | `fast` | `s1`, a tenth swept along up to 19 units | 2.4 | cells as large as the largest body |
//! | `sorted` | the bodies of `s1`, row by row | 1 | none: what order is worth |
//! | `reversed` | the same, from the last to the first | 1 | sorts that want their input sorted |
//! | `shuffled` | the bodies of `s1` in any order | 1 | none: what the two are compared with |
//! | `border-lattice` | unit squares that touch exactly | 4 | tests that disagree on borders; cells of 2 that disagree with tests |
//! | `power-of-two` | three circles at each point of a lattice of pitch 1024 | 1 | hashes that fold a lattice onto few cells |
//! | `pile` | circles of radius 0.5, 30 neighbours each | 15 | buffers for few pairs |
//!
//! ```text
//! kind.rs       SceneKind: the names, the groups, the form of the columns
//! density.rs    how many pairs each scene has, and the room that this takes
//! placement.rs  where the bodies are, and how far from there they go
//! sizes.rs      how large they are
//! arrange.rs    the order of the bodies, the odd one among them
//! motion.rs     Motion: how they move, and what ties them together
//! turning.rs    the shapes of s7 and s8, how they are turned, and their store
//! random.rs     the generator and its numbers
//! mod.rs        Scene: generate, step, look at
//! ```
//!
//! # Density
//! Centres are uniform in a square around the origin, so that all signs of coordinates occur. Two
//! bodies touch exactly when the centre of one lies in the Minkowski sum of the other with its
//! mirror image; with `M` the mean area of that sum over all pairs of bodies and `A` the area of
//! the square, each of the `n (n - 1) / 2` pairs touches with probability `M / A`. That is
//! `n M / 2 A` pairs a body, and `A = n M / 2` makes it **one**. (A little less in truth: bodies at
//! the border have no neighbours beyond it. At 20 000 bodies that is below 1 %. The scenes with
//! large circles, and `pile`, make up for it.) Scenes that are not a uniform square say in
//! `density.rs` how theirs comes about. [`SceneKind::expected_pairs`] has the numbers.
//!
//! # Motion
//! Each body has a home and a largest distance from it along each axis. For the uniform scenes the
//! home is the origin and the distance half the square, so the whole square is open to each. In
//! `s6`, `sorted` and `reversed` a body keeps within 0.5 of where it began; in `power-of-two` within
//! 0.25 of its point; the two clusters are two squares, the line is its own room, on the diagonal x
//! follows y; and the bodies of `coincident` and `border-lattice` all move alike. The body at 2^60
//! does not move, for want of a number next to it.
//!
//! Far from the origin a body moves only when the next `f32` is nearer: in `s6`, up to 1.5 · 10⁵ from
//! it, by steps of 1/64 or 1/128; in the far one of two clusters by 64.
//!
//! # Stability
//! A scene is a function of kind, number and seed: the same bits on every machine, under every
//! version of this crate's dependencies; a golden hash in the tests holds it. The generator is
//! [PCG-XSL-RR-128/64 (MCG)](https://docs.rs/rand_pcg/latest/rand_pcg/type.Pcg64Mcg.html), whose
//! output is part of its definition. Its seeding and the way from its integers to `f32` are written
//! out in this module, because `rand`'s own may change from one version to the next. Beyond the four
//! operations only square roots are taken, which IEEE 754 defines to the last bit; logarithms, powers
//! and cosines are not.

mod arrange;
mod density;
mod kind;
mod motion;
mod placement;
mod random;
mod sizes;
mod turning;

pub use kind::{SceneKind, UnknownScene};
pub use motion::{Motion, UnknownMotion};

use self::{
    kind::Form,
    motion::{Body, Mover, Tie},
    placement::Placement,
    random::Random,
    sizes::Size,
    turning::Turning,
};
use crate::{
    Columns, Shapes,
    kernel::columns::{BoxColumns, CircleColumns, RoundedColumns},
    reference::whole::Whole,
    shape::{Aabb, RoundedBox},
    store::{Layout, Rows},
};

/// The largest speed along each axis, in units of length a step: a tenth of the radius of an `s1`
/// circle, about what a physics engine moves a body by in one step.
///
/// A tenth of the bodies of `fast` move by up to 19 along one axis, those in the far one of
/// `two-clusters` by up to 64 times as much; and what falls under [`Motion::Settle`] becomes ten
/// times as fast.
pub const MAX_SPEED: f32 = 0.05;

/// Bodies of one [`SceneKind`] that move.
///
/// ```
/// use widephase::{Detector, scene::{Scene, SceneKind}};
///
/// let mut scene = Scene::generate(SceneKind::UniformCircles, 1000, 7);
/// let (mut detector, mut pairs) = (Detector::new(), Vec::new());
/// for _ in 0..3 {
///     detector.pairs(scene.columns(), &mut pairs)?;
///     assert!((800..1200).contains(&pairs.len()));
///     scene.step();
/// }
/// # Ok::<(), widephase::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Scene {
    kind: SceneKind,
    bodies: Vec<Body>,
    mover: Mover,
    /// Where generation left it.
    random: Random,
    x: Vec<f32>,
    y: Vec<f32>,
    radius: Vec<f32>,
    /// Left, lower, right, upper side of each core; empty where all bodies are circles.
    sides: [Vec<f32>; 4],
    /// What turns; the columns above are then empty.
    turning: Option<Turning>,
}

impl Scene {
    /// The scene of `len` bodies that belongs to `seed`, under [`Motion::Drift`]. Near seeds give
    /// unrelated scenes.
    ///
    /// Takes some 25 to 80 ns a body, up to 300 where bodies are sorted or sizes take many roots, and
    /// 64 to 84 bytes a body; of bodies that turn, up to 800 ns and 700 bytes.
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

    /// The same scene, moving in another way from where its bodies are now.
    #[must_use]
    pub fn with_motion(mut self, motion: Motion) -> Self {
        self.mover = Mover::new(motion, &self.bodies, self.random.clone());
        self
    }

    /// How the bodies move.
    pub fn motion(&self) -> Motion {
        self.mover.motion()
    }

    /// Moves every body by one step of the scene's [motion](Self::with_motion). Centres stay within
    /// [`half_world`](Self::half_world); sizes do not change by a bit.
    pub fn step(&mut self) {
        self.mover.step(&mut self.bodies, Tie::of(self.kind));
        if let Some(turning) = &mut self.turning {
            turning.step(&mut self.mover);
        }
        self.place();
    }

    /// The bodies as the detector takes them: circles, boxes, rounded boxes where both occur, or the
    /// rows of the [store](Self::shapes).
    pub fn columns(&self) -> Columns<'_> {
        let [min_x, min_y, max_x, max_y] = &self.sides;
        let core = BoxColumns { min_x, min_y, max_x, max_y };
        let radius = &self.radius;
        let layout = match self.kind.form() {
            Form::Circles => Layout::Circles(CircleColumns { x: &self.x, y: &self.y, radius }),
            Form::Boxes => Layout::Boxes(core),
            Form::Rounded | Form::Store => Layout::Rounded(RoundedColumns { core, radius }),
        };
        match &self.turning {
            Some(turning) => turning.shapes().columns(),
            None => Columns::of(Rows::closed(layout, self.len())),
        }
    }

    /// The store that the bodies are in if they [turn](SceneKind::turns), which each step moves and
    /// turns by [`Shapes::set_poses`].
    ///
    /// ```
    /// use widephase::{Detector, scene::{Scene, SceneKind}};
    ///
    /// let mut scene = Scene::generate(SceneKind::Compounds, 1000, 7);
    /// let (mut detector, mut contacts) = (Detector::new(), Vec::new());
    /// for _ in 0..3 {
    ///     if let Some(shapes) = scene.shapes() {
    ///         detector.contacts(shapes, 0.1, &mut contacts)?;
    ///     }
    ///     assert!(contacts.len() > 1000);
    ///     scene.step();
    /// }
    /// # Ok::<(), widephase::Error>(())
    /// ```
    pub fn shapes(&self) -> Option<&Shapes> {
        self.turning.as_ref().map(Turning::shapes)
    }

    /// The bodies with their parts, for the [reference](crate::reference::whole), if they
    /// [turn](SceneKind::turns): drawn from the seed once more and placed by plain scalar code, so that nothing of
    /// them is read from the store. Takes as long as generation; of compounds about 700 bytes a body.
    ///
    /// ```
    /// use widephase::{Detector, Touching, reference::whole, scene::{Scene, SceneKind}};
    ///
    /// let mut scene = Scene::generate(SceneKind::Compounds, 100, 7);
    /// scene.step();
    /// let wholes = scene.wholes().unwrap_or_default();
    /// let pairs = whole::pairs(&wholes, Touching::Inclusive);
    /// assert_eq!(Detector::new().count(scene.columns())?, pairs.len() as u64);
    /// # Ok::<(), widephase::Error>(())
    /// ```
    pub fn wholes(&self) -> Option<Vec<Whole>> {
        self.turning.as_ref().map(|turning| turning.wholes(&self.bodies))
    }

    /// The bodies as records of one type, for the [reference](crate::reference); of those that
    /// [turn](SceneKind::turns), boxes around them ([`Shapes::get`]), which overlap where the bodies
    /// may not, and [`wholes`](Self::wholes) say more.
    pub fn rounded_boxes(&self) -> Vec<RoundedBox> {
        if let Some(shapes) = self.shapes() {
            return (0..self.bodies.len() as u32).filter_map(|row| shapes.get(row)).collect();
        }
        let core = |row: usize| match self.kind.form() {
            Form::Circles => {
                let center = [self.x[row], self.y[row]];
                Aabb::new(center, center)
            }
            Form::Boxes | Form::Rounded | Form::Store => {
                let [min_x, min_y, max_x, max_y] = [0, 1, 2, 3].map(|side| self.sides[side][row]);
                Aabb { min_x, min_y, max_x, max_y }
            }
        };
        (0..self.len()).map(|row| RoundedBox::new(core(row), self.radius[row])).collect()
    }

    /// What kind of scene this is.
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
    /// of length. Looks at every body.
    pub fn half_world(&self) -> f32 {
        let rooms = self.bodies.iter().map(|body| body.room);
        let ends =
            rooms.flat_map(|room| [0, 1].map(|axis| room.home[axis].abs() + room.reach[axis]));
        ends.fold(0.0, f32::max)
    }

    /// Writes the columns: the centres, and the sides around them, each one rounded sum.
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
