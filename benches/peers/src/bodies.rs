//! The bodies of a scene as columns, which every executor reads, and their shared exact test.

use crate::scene::Scene;
use widephase::{
    Columns, Error,
    shape::{Aabb, Circle, RoundedBox},
};

/// A box around a body, its sides included.
#[derive(Debug, Clone, Copy)]
pub struct Bounds {
    pub min: [f32; 2],
    pub max: [f32; 2],
}

/// One body.
///
/// [`touches`](Body::touches) repeats the arithmetic of `widephase::reference::contract`, so that
/// it is inlined into every peer. A call per candidate would be unfair to them.
pub trait Body: Copy + Default + Send + Sync + 'static {
    /// Whether an overlap of the [`bounds`](Body::bounds) is the exact answer already.
    const BOUNDS_DECIDE: bool;

    /// A box that contains the body despite rounding: bodies that touch have overlapping bounds.
    fn bounds(self) -> Bounds;

    /// The exact test, touching included.
    fn touches(self, other: Self) -> bool;

    /// The middle of the body.
    fn center(self) -> [f32; 2];

    /// The larger side of the body's bounds.
    fn size(self) -> f32;

    /// The body in the most general form, for the peers that support more shapes than boxes.
    fn rounded_box(self) -> RoundedBox;

    /// The exact test of a candidate whose bounds overlap.
    fn confirms(self, other: Self) -> bool {
        Self::BOUNDS_DECIDE || self.touches(other)
    }
}

impl Body for Circle {
    const BOUNDS_DECIDE: bool = false;

    fn bounds(self) -> Bounds {
        Bounds {
            min: [lower(self.x, self.radius), lower(self.y, self.radius)],
            max: [upper(self.x, self.radius), upper(self.y, self.radius)],
        }
    }

    fn touches(self, other: Self) -> bool {
        let (dx, dy) = (self.x - other.x, self.y - other.y);
        let r = self.radius + other.radius;
        dx * dx + dy * dy <= r * r
    }

    fn center(self) -> [f32; 2] {
        [self.x, self.y]
    }

    fn size(self) -> f32 {
        2.0 * self.radius
    }

    fn rounded_box(self) -> RoundedBox {
        RoundedBox::new(Aabb::new(self.center(), self.center()), self.radius)
    }
}

impl Body for Aabb {
    const BOUNDS_DECIDE: bool = true;

    fn bounds(self) -> Bounds {
        Bounds { min: [self.min_x, self.min_y], max: [self.max_x, self.max_y] }
    }

    fn touches(self, other: Self) -> bool {
        // `&`, because four comparisons are cheaper than four branches.
        (self.min_x <= other.max_x)
            & (other.min_x <= self.max_x)
            & (self.min_y <= other.max_y)
            & (other.min_y <= self.max_y)
    }

    fn center(self) -> [f32; 2] {
        [(self.min_x + self.max_x) * 0.5, (self.min_y + self.max_y) * 0.5]
    }

    fn size(self) -> f32 {
        larger(self.max_x - self.min_x, self.max_y - self.min_y)
    }

    fn rounded_box(self) -> RoundedBox {
        RoundedBox::new(self, 0.0)
    }
}

impl Body for RoundedBox {
    const BOUNDS_DECIDE: bool = false;

    fn bounds(self) -> Bounds {
        Bounds {
            min: [lower(self.min_x, self.radius), lower(self.min_y, self.radius)],
            max: [upper(self.max_x, self.radius), upper(self.max_y, self.radius)],
        }
    }

    fn touches(self, other: Self) -> bool {
        let gap_x = larger(other.min_x - self.max_x, self.min_x - other.max_x);
        let gap_y = larger(other.min_y - self.max_y, self.min_y - other.max_y);
        let r = self.radius + other.radius;
        let (dx, dy) = (larger(gap_x, 0.0), larger(gap_y, 0.0));
        (dx * dx + dy * dy <= r * r) & (larger(gap_x, gap_y) <= r)
    }

    fn center(self) -> [f32; 2] {
        self.core().center()
    }

    fn size(self) -> f32 {
        self.core().size() + 2.0 * self.radius
    }

    fn rounded_box(self) -> RoundedBox {
        self
    }
}

/// `f32::max` without the handling of NaN: one instruction.
pub fn larger(a: f32, b: f32) -> f32 {
    if a > b { a } else { b }
}

/// A lower bound of the body along an axis. The margins cover the rounding of this difference and
/// of the exact test.
fn lower(core: f32, radius: f32) -> f32 {
    core - margin(core, radius)
}

/// An upper bound of the body along an axis.
fn upper(core: f32, radius: f32) -> f32 {
    core + margin(core, radius)
}

fn margin(core: f32, radius: f32) -> f32 {
    radius * (1.0 + 8.0 * f32::EPSILON) + core.abs() * f32::EPSILON
}

/// The columns of bodies of one form.
pub trait Rows: Default + 'static {
    type Body: Body;

    /// Copies the current state of a scene.
    fn copy(&mut self, scene: &Scene);

    fn len(&self) -> usize;

    fn body(&self, row: usize) -> Self::Body;

    /// The columns in widephase's form.
    fn columns(&self) -> Result<Columns<'_>, Error>;

    /// All bodies in order, without the checks of [`body`](Rows::body).
    fn bodies(&self) -> impl ExactSizeIterator<Item = Self::Body>;
}

/// The columns that a scene needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    Circles,
    Boxes,
    Rounded,
}

impl Form {
    pub fn of(scene: &Scene) -> Self {
        let bodies = scene.rounded_boxes();
        if bodies.iter().all(|body| body.radius == 0.0) {
            Form::Boxes
        } else if bodies.iter().all(|body| body.core().size() == 0.0) {
            Form::Circles
        } else {
            Form::Rounded
        }
    }
}

/// Columns `x`, `y`, `radius`.
#[derive(Debug, Default)]
pub struct Circles {
    x: Vec<f32>,
    y: Vec<f32>,
    radius: Vec<f32>,
}

/// Columns of sides.
#[derive(Debug, Default)]
pub struct Boxes {
    min_x: Vec<f32>,
    min_y: Vec<f32>,
    max_x: Vec<f32>,
    max_y: Vec<f32>,
}

/// Columns of core sides, and the radius around each core.
#[derive(Debug, Default)]
pub struct RoundedBoxes {
    core: Boxes,
    radius: Vec<f32>,
}

impl Rows for Circles {
    type Body = Circle;

    fn copy(&mut self, scene: &Scene) {
        let bodies = scene.rounded_boxes();
        refill(&mut self.x, &bodies, |body| body.min_x);
        refill(&mut self.y, &bodies, |body| body.min_y);
        refill(&mut self.radius, &bodies, |body| body.radius);
    }

    fn len(&self) -> usize {
        self.x.len()
    }

    fn body(&self, row: usize) -> Circle {
        Circle { x: self.x[row], y: self.y[row], radius: self.radius[row] }
    }

    fn bodies(&self) -> impl ExactSizeIterator<Item = Circle> {
        let centers = self.x.iter().zip(&self.y);
        centers.zip(&self.radius).map(|((&x, &y), &radius)| Circle { x, y, radius })
    }

    fn columns(&self) -> Result<Columns<'_>, Error> {
        Columns::circles(&self.x, &self.y, &self.radius)
    }
}

impl Rows for Boxes {
    type Body = Aabb;

    fn copy(&mut self, scene: &Scene) {
        let bodies = scene.rounded_boxes();
        refill(&mut self.min_x, &bodies, |body| body.min_x);
        refill(&mut self.min_y, &bodies, |body| body.min_y);
        refill(&mut self.max_x, &bodies, |body| body.max_x);
        refill(&mut self.max_y, &bodies, |body| body.max_y);
    }

    fn len(&self) -> usize {
        self.min_x.len()
    }

    fn body(&self, row: usize) -> Aabb {
        Aabb {
            min_x: self.min_x[row],
            min_y: self.min_y[row],
            max_x: self.max_x[row],
            max_y: self.max_y[row],
        }
    }

    fn bodies(&self) -> impl ExactSizeIterator<Item = Aabb> {
        let min = self.min_x.iter().zip(&self.min_y);
        let max = self.max_x.iter().zip(&self.max_y);
        min.zip(max).map(|((&min_x, &min_y), (&max_x, &max_y))| Aabb { min_x, min_y, max_x, max_y })
    }

    fn columns(&self) -> Result<Columns<'_>, Error> {
        Columns::aabbs(&self.min_x, &self.min_y, &self.max_x, &self.max_y)
    }
}

impl Rows for RoundedBoxes {
    type Body = RoundedBox;

    fn copy(&mut self, scene: &Scene) {
        self.core.copy(scene);
        refill(&mut self.radius, &scene.rounded_boxes(), |body| body.radius);
    }

    fn len(&self) -> usize {
        self.radius.len()
    }

    fn body(&self, row: usize) -> RoundedBox {
        RoundedBox::new(self.core.body(row), self.radius[row])
    }

    fn bodies(&self) -> impl ExactSizeIterator<Item = RoundedBox> {
        self.core.bodies().zip(&self.radius).map(|(core, &radius)| RoundedBox::new(core, radius))
    }

    fn columns(&self) -> Result<Columns<'_>, Error> {
        let Boxes { min_x, min_y, max_x, max_y } = &self.core;
        Columns::rounded_boxes(min_x, min_y, max_x, max_y, &self.radius)
    }
}

fn refill(column: &mut Vec<f32>, bodies: &[RoundedBox], field: impl Fn(&RoundedBox) -> f32) {
    column.clear();
    column.extend(bodies.iter().map(field));
}
