//! Scenes as the input of widephase: columns, a store of shapes, records for the reference.
//!
//! Programs that depend on both packages include this file by its path. A package of its own would
//! depend on the library, whose tests could then not use it.
#![allow(dead_code, unused_imports, reason = "each program uses a part of it")]
#![allow(unreachable_pub, reason = "in a library, it is a part of the API")]

use std::ops::Deref;

use widephase::{
    Columns, Shapes,
    reference::whole::Whole,
    shape::{
        Aabb, Capsule, Circle, Compound, ConvexPolygon, Obb, OwnedShape, Pose, Rotation, RoundedBox,
    },
};
use widephase_scenes::{Bodies, Solid};
pub use widephase_scenes::{MAX_SPEED, Motion, SceneKind, UnknownMotion, UnknownScene};

/// A scene whose bodies widephase takes.
#[derive(Debug, Clone)]
pub struct Scene {
    plain: widephase_scenes::Scene,
    /// The bodies, if they rotate; else empty.
    store: Shapes,
    /// Their poses.
    poses: Vec<Pose>,
}

impl Scene {
    /// The scene of `len` bodies for `seed`, under [`Motion::Drift`].
    pub fn generate(kind: SceneKind, len: u32, seed: u64) -> Self {
        let plain = widephase_scenes::Scene::generate(kind, len, seed);
        let mut scene = Self { plain, store: Shapes::new(), poses: Vec::new() };
        if let Bodies::Rotating { solids, .. } = scene.plain.bodies() {
            scene.store = Shapes::with_capacity(solids.len());
            for solid in solids {
                let pushed = scene.store.push_at(shape(solid), Pose::default());
                pushed.expect("the sizes of a scene are good");
            }
        }
        scene.place();
        scene
    }

    /// The same scene under another motion, which starts from the current positions.
    #[must_use]
    pub fn with_motion(mut self, motion: Motion) -> Self {
        self.plain = self.plain.with_motion(motion);
        self
    }

    /// Moves every body by one step.
    pub fn step(&mut self) {
        self.plain.step();
        self.place();
    }

    /// Moves the shapes of the store to the poses of the bodies.
    fn place(&mut self) {
        if let Bodies::Rotating { poses, .. } = self.plain.bodies() {
            self.poses.clear();
            self.poses.extend(poses.iter().copied().map(pose));
            let placed = self.store.set_poses(&self.poses);
            placed.expect("the bodies of a scene stay within its world");
        }
    }

    /// The bodies as input of a detector: circles, boxes, rounded boxes if both occur, or the rows
    /// of the [store](Self::shapes).
    pub fn columns(&self) -> Columns<'_> {
        let columns = match self.plain.bodies() {
            Bodies::Circles { x, y, radius } => Columns::circles(x, y, radius),
            Bodies::Boxes { min_x, min_y, max_x, max_y } => {
                Columns::aabbs(min_x, min_y, max_x, max_y)
            }
            Bodies::RoundedBoxes { min_x, min_y, max_x, max_y, radius } => {
                Columns::rounded_boxes(min_x, min_y, max_x, max_y, radius)
            }
            Bodies::Rotating { .. } => Ok(self.store.columns()),
        };
        columns.expect("the columns of a scene have one length")
    }

    /// The store of the bodies, if they [rotate](SceneKind::turns).
    pub fn shapes(&self) -> Option<&Shapes> {
        self.kind().turns().then_some(&self.store)
    }

    /// The bodies with their parts for the reference, if they [rotate](SceneKind::turns): not by
    /// the store.
    pub fn wholes(&self) -> Option<Vec<Whole>> {
        let Bodies::Rotating { solids, poses } = self.plain.bodies() else { return None };
        let whole = |(solid, &at)| Whole::new(&shape(solid), Some(pose(at)));
        Some(solids.iter().zip(poses).map(whole).collect())
    }

    /// The bodies as records of one type; for bodies that [rotate](SceneKind::turns), the boxes
    /// around them.
    pub fn rounded_boxes(&self) -> Vec<RoundedBox> {
        let core = |[min_x, min_y, max_x, max_y]: [&[f32]; 4], row: usize| Aabb {
            min_x: min_x[row],
            min_y: min_y[row],
            max_x: max_x[row],
            max_y: max_y[row],
        };
        let rows = 0..self.len();
        match self.plain.bodies() {
            Bodies::Circles { x, y, radius } => {
                rows.map(|row| RoundedBox::new(core([x, y, x, y], row), radius[row])).collect()
            }
            Bodies::Boxes { min_x, min_y, max_x, max_y } => {
                let sides = [min_x, min_y, max_x, max_y];
                rows.map(|row| RoundedBox::new(core(sides, row), 0.0)).collect()
            }
            Bodies::RoundedBoxes { min_x, min_y, max_x, max_y, radius } => {
                let sides = [min_x, min_y, max_x, max_y];
                rows.map(|row| RoundedBox::new(core(sides, row), radius[row])).collect()
            }
            Bodies::Rotating { .. } => {
                rows.filter_map(|row| self.store.bounds(row as u32)).collect()
            }
        }
    }
}

/// Code without need of widephase.
impl Deref for Scene {
    type Target = widephase_scenes::Scene;

    fn deref(&self) -> &Self::Target {
        &self.plain
    }
}

/// Equal if the bodies and their motions are equal.
impl PartialEq for Scene {
    fn eq(&self, other: &Self) -> bool {
        self.plain == other.plain
    }
}

/// The shape of a body around the origin.
fn shape(solid: &Solid) -> OwnedShape {
    const GOOD: &str = "the sizes of a scene are good";
    match *solid {
        Solid::Box { half } => Obb::new([0.0; 2], half, Rotation::IDENTITY).into(),
        Solid::Polygon(ref vertices) => ConvexPolygon::new(vertices).expect(GOOD).into(),
        Solid::Capsule { half_length, radius } => {
            Capsule::new([-half_length, 0.0], [half_length, 0.0], radius).into()
        }
        Solid::Circles(circles) => {
            let circles = circles.map(|(center, radius)| Circle::new(center, radius));
            Compound::new(circles).expect(GOOD).into()
        }
    }
}

fn pose(widephase_scenes::Pose { center, rotation: [cos, sin] }: widephase_scenes::Pose) -> Pose {
    Pose::new(center, Rotation { cos, sin })
}
