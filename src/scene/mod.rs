//! Seeded scenes of moving bodies: what the tests, the benches and the command line run on.
//!
//! | short | long | bodies |
//! |---|---|---|
//! | `s1` | `uniform-circles` | circles of radius 0.5 |
//! | `s2` | `uniform-boxes` | boxes with sides from 0.5 to 1.5 |
//! | `s3` | `mixed-circles-boxes` | half circles, half boxes; radii and half sides from 0.25 to 1 |
//!
//! ```text
//! kind.rs      SceneKind: the names
//! random.rs    the generator and its numbers
//! sizes.rs     how large the bodies of each kind are, and how much room they need
//! mod.rs       Scene: generate, step, look at
//! ```
//!
//! # Density
//! Centres are uniform in a square around the origin, so that all signs of coordinates occur. Two
//! bodies touch exactly when the centre of one lies in the Minkowski sum of the other with its
//! mirror image; with `M` the mean area of that sum over all pairs of bodies and `A` the area of
//! the square, each of the `n (n - 1) / 2` pairs touches with probability `M / A`. That is
//! `n M / 2 A` pairs a body, and `A = n M / 2` makes it **one**. (A little less in truth: bodies at
//! the border have no neighbours beyond it. At 20 000 bodies that is below 1 %.)
//!
//! # Stability
//! A scene is a function of kind, number and seed: the same bits on every machine, under every
//! version of this crate's dependencies; a golden hash in the tests holds it. The generator is
//! [PCG-XSL-RR-128/64 (MCG)](rand_pcg::Pcg64Mcg), whose output is part of its definition. Its
//! seeding and the way from its integers to `f32` are written out in this module, because `rand`'s
//! own may change from one version to the next.

mod kind;
mod random;
mod sizes;

pub use kind::{SceneKind, UnknownScene};

use self::{random::Random, sizes::Size};
use crate::{
    Columns,
    kernel::columns::{BoxColumns, CircleColumns, RoundedColumns},
    shape::{Aabb, RoundedBox},
    store::Layout,
};

/// The largest speed along each axis, in units of length a step: a tenth of the radius of an `s1`
/// circle, about what a physics engine moves a body by in one step.
pub const MAX_SPEED: f32 = 0.05;

/// Bodies of one [`SceneKind`], each on its own straight way, reflected at the border.
///
/// ```
/// use widephase::{Detector, scene::{Scene, SceneKind}};
///
/// let mut scene = Scene::generate(SceneKind::UniformCircles, 1000, 7);
/// let (mut detector, mut pairs) = (Detector::new(), Vec::new());
/// for _ in 0..3 {
///     detector.detect(scene.columns(), &mut pairs)?;
///     assert!((800..1200).contains(&pairs.len()));
///     scene.step();
/// }
/// # Ok::<(), widephase::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Scene {
    kind: SceneKind,
    half_world: f32,
    x: Vec<f32>,
    y: Vec<f32>,
    speed_x: Vec<f32>,
    speed_y: Vec<f32>,
    sizes: Vec<Size>,
    radius: Vec<f32>,
    /// Left, lower, right, upper side of each core; empty where all bodies are circles.
    sides: [Vec<f32>; 4],
}

impl Scene {
    /// The scene of `len` bodies that belongs to `seed`. Near seeds give unrelated scenes.
    pub fn generate(kind: SceneKind, len: u32, seed: u64) -> Self {
        let half_world = sizes::half_world(kind, len);
        let mut random = Random::new(kind, seed);
        let mut scene = Scene {
            kind,
            half_world,
            x: Vec::with_capacity(len as usize),
            y: Vec::with_capacity(len as usize),
            speed_x: Vec::with_capacity(len as usize),
            speed_y: Vec::with_capacity(len as usize),
            sizes: Vec::with_capacity(len as usize),
            radius: Vec::with_capacity(len as usize),
            sides: Default::default(),
        };
        for index in 0..len {
            scene.x.push(random.between(-half_world, half_world));
            scene.y.push(random.between(-half_world, half_world));
            scene.speed_x.push(random.between(-MAX_SPEED, MAX_SPEED));
            scene.speed_y.push(random.between(-MAX_SPEED, MAX_SPEED));
            let size = Size::draw(kind, index, &mut random);
            scene.sizes.push(size);
            scene.radius.push(size.radius);
        }
        scene.place_sides();
        scene
    }

    /// Moves every body by its speed. A centre that would leave the square is reflected at its
    /// side, so that the density stays; sizes do not change by a bit.
    pub fn step(&mut self) {
        drift(&mut self.x, &mut self.speed_x, self.half_world);
        drift(&mut self.y, &mut self.speed_y, self.half_world);
        self.place_sides();
    }

    /// The bodies as the detector takes them: circles, boxes, or rounded boxes where both occur.
    pub fn columns(&self) -> Columns<'_> {
        let [min_x, min_y, max_x, max_y] = &self.sides;
        let core = BoxColumns { min_x, min_y, max_x, max_y };
        let radius = &self.radius;
        let layout = match self.kind {
            SceneKind::UniformCircles => {
                Layout::Circles(CircleColumns { x: &self.x, y: &self.y, radius })
            }
            SceneKind::UniformBoxes => Layout::Boxes(core),
            SceneKind::MixedCirclesBoxes => Layout::Rounded(RoundedColumns { core, radius }),
        };
        Columns::closed(layout, self.len())
    }

    /// The bodies as records of one type, for the [reference](crate::reference).
    pub fn rounded_boxes(&self) -> Vec<RoundedBox> {
        let core = |row: usize| match self.kind {
            SceneKind::UniformCircles => {
                let center = [self.x[row], self.y[row]];
                Aabb::new(center, center)
            }
            SceneKind::UniformBoxes | SceneKind::MixedCirclesBoxes => {
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
        self.x.len()
    }

    /// Whether there are no bodies.
    pub fn is_empty(&self) -> bool {
        self.x.is_empty()
    }

    /// Half the side of the square around the origin that the centres stay in.
    pub fn half_world(&self) -> f32 {
        self.half_world
    }

    /// Puts the sides around the centres, each one rounded sum.
    fn place_sides(&mut self) {
        if self.kind == SceneKind::UniformCircles {
            return;
        }
        let Self { x, y, sizes, sides: [min_x, min_y, max_x, max_y], .. } = self;
        for (min, max, center, half) in [
            (min_x, max_x, x, (|size| size.half_width) as fn(&Size) -> f32),
            (min_y, max_y, y, |size| size.half_height),
        ] {
            let centered = || center.iter().zip(sizes.iter().map(half));
            min.clear();
            min.extend(centered().map(|(&center, half)| center - half));
            max.clear();
            max.extend(centered().map(|(&center, half)| center + half));
        }
    }
}

/// Moves along one axis. The clamp catches what rounding leaves beyond the side, and worlds smaller
/// than a step.
fn drift(at: &mut [f32], speed: &mut [f32], half_world: f32) {
    for (at, speed) in at.iter_mut().zip(speed) {
        let mut next = *at + *speed;
        if next.abs() > half_world {
            next = half_world.copysign(next) * 2.0 - next;
            *speed = -*speed;
        }
        *at = next.clamp(-half_world, half_world);
    }
}
