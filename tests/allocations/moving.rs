//! Bodies that move, and the allocations of calls on them.

use std::ops::Range;

use crate::counting::used;
use common::{
    Rng,
    crowd::{Make, Maker, Numbers},
    side,
};
use widephase::{Columns, Shapes};

/// The number of allocations in `work`, by the threads that take part.
pub(crate) fn allocations(work: impl FnOnce()) -> usize {
    used(work).calls
}

/// Bodies that move in a square and reverse at its sides, in columns.
pub(crate) struct Moving {
    pub(crate) rng: Rng,
    pub(crate) side: f32,
    pub(crate) x: Vec<f32>,
    pub(crate) y: Vec<f32>,
    pub(crate) radius: Vec<f32>,
    pub(crate) half_height: Vec<f32>,
    pub(crate) right: Vec<f32>,
    pub(crate) top: Vec<f32>,
    /// A rotation for each row.
    pub(crate) cos: Vec<f32>,
    pub(crate) sin: Vec<f32>,
}

impl Moving {
    pub(crate) fn new(n: usize) -> Self {
        let (mut rng, side) = (Rng::new(n as u64), side(n));
        let mut column = |low, high| (0..n).map(|_| rng.range(low, high)).collect::<Vec<f32>>();
        let (x, y) = (column(0.0, side), column(0.0, side));
        let (radius, half_height) = (column(0.25, 0.5), column(0.25, 0.5));
        let (right, top) = (x.clone(), y.clone());
        let (cos, sin) = (vec![0.6; n], vec![0.8; n]);
        let mut moving = Self { rng, side, x, y, radius, half_height, right, top, cos, sin };
        moving.step();
        moving
    }

    /// Allocates nothing itself.
    pub(crate) fn step(&mut self) {
        let Self { rng, side, x, y, radius, half_height, right, top, .. } = self;
        for i in 0..x.len() {
            x[i] = (x[i] + rng.range(-0.2, 0.2)).clamp(0.0, *side);
            y[i] = (y[i] + rng.range(-0.2, 0.2)).clamp(0.0, *side);
            right[i] = x[i] + radius[i];
            top[i] = y[i] + half_height[i];
        }
    }

    pub(crate) fn forms(&self) -> [Columns<'_>; 5] {
        let Self { x, y, radius, half_height, right, top, .. } = self;
        [
            Columns::circles(x, y, radius).unwrap(),
            Columns::points(x, y).unwrap(),
            Columns::aabbs(x, y, right, top).unwrap(),
            Columns::centered(x, y, radius, half_height).unwrap(),
            Columns::rounded_boxes(x, y, right, top, radius).unwrap(),
        ]
    }

    /// All forms, forms of rotated shapes included.
    pub(crate) fn all_forms(&self) -> [Columns<'_>; 8] {
        let [a, b, c, d, e] = self.forms();
        let Self { x, y, radius, half_height, right, top, cos, sin, .. } = self;
        let obbs = Columns::obbs(x, y, radius, half_height, cos, sin).unwrap();
        let capsules = Columns::capsules(x, y, right, top, radius).unwrap();
        let segments = Columns::segments(x, y, right, top).unwrap();
        [a, b, c, d, e, obbs, capsules, segments]
    }
}

/// Steps before counting, and steps counted.
pub(crate) const STEPS: [usize; 2] = [2, 12];

/// Moves the bodies, and counts the allocations of `detect` after the first calls. For the forms of
/// axis-aligned shapes.
pub(crate) fn steady(n: usize, detect: impl FnMut(Columns<'_>) -> u64) -> usize {
    steady_in(0..5, n, detect)
}

/// These columns, in all forms.
pub(crate) fn steady_in_all(n: usize, detect: impl FnMut(Columns<'_>) -> u64) -> usize {
    steady_in(0..8, n, detect)
}

fn steady_in(forms: Range<usize>, n: usize, mut detect: impl FnMut(Columns<'_>) -> u64) -> usize {
    let mut total = 0;
    for form in forms {
        let mut bodies = Moving::new(n);
        let mut pairs = 0;
        for _ in 0..STEPS[0] {
            bodies.step();
            pairs += detect(bodies.all_forms()[form]);
        }
        for _ in 0..STEPS[1] {
            bodies.step();
            total += allocations(|| pairs += detect(bodies.all_forms()[form]));
        }
        // Points hardly ever meet, and segments seldom do.
        let few = [1, 7].contains(&form);
        assert!(few || pairs > n as u64, "form {form}: {pairs} pairs prove little");
    }
    total
}

/// Shapes of these kinds about the origin.
pub(crate) fn turning(n: usize, makes: &[Make]) -> Shapes {
    let mut maker = Maker::new(n as u64, Numbers::Smooth, 1.0);
    let mut shapes = Shapes::new();
    for row in 0..n {
        let solid = maker.solid(makes[row % makes.len()], [0.0, 0.0]);
        solid.push(&mut shapes);
    }
    shapes
}
