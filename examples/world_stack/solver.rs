//! A solver of contacts, the solver of `examples/stack.rs` on a `World`, warm started by the values
//! that the world keeps with each contact point.

#[path = "../common/impulses.rs"]
mod impulses;

use widephase::{World, glam::Vec2, shape::Rotation};

use impulses::Impulses;
pub(crate) use impulses::{Dynamics, STEP};

/// Iterations of the solver before the bodies move, and after it.
const ITERATIONS: [usize; 2] = [8, 4];
/// The overlap that stays, which keeps contacts. A step removes the share `PUSH` of any further
/// overlap, but not faster than `PUSH_SPEED`.
const SLOP: f32 = 0.01;
const PUSH: f32 = 0.2;
const PUSH_SPEED: f32 = 2.0;

/// Changes the speeds of the bodies by the contacts of the last step of the world, and moves them.
/// `dynamics` and `centers` have all rows; `go` moves the bodies by their speeds.
pub(crate) fn solve(
    world: &mut World,
    dynamics: &mut [Dynamics],
    centers: &[Vec2],
    go: impl FnOnce(&[Dynamics]),
) {
    let (contacts, values) = world.contacts_mut();
    let mut points = vec![];
    for (contact, values) in contacts.iter().zip(values) {
        let (pair, normal) = (contact.pair, contact.normal());
        for (point, value) in contact.points().iter().zip(values) {
            let arms = [pair.a, pair.b].map(|row| point.position() - centers[row as usize]);
            // A contact within a margin lets the bodies come as near as they are apart.
            let away = match point.depth < 0.0 {
                true => point.depth / STEP,
                false => (PUSH * (point.depth - SLOP).max(0.0) / STEP).min(PUSH_SPEED),
            };
            let impulses = Impulses::new(dynamics, pair, arms, normal, *value, away);
            points.push((value, impulses));
        }
    }
    let mut iterate = |dynamics: &mut [Dynamics], iterations, share| {
        for _ in 0..iterations {
            for (_, impulses) in &mut points {
                impulses.solve(dynamics, share);
            }
        }
    };
    iterate(dynamics, ITERATIONS[0], 1.0);
    go(dynamics);
    // Takes the speed of the pushes out again, so that they leave no energy.
    iterate(dynamics, ITERATIONS[1], 0.0);
    for (value, impulses) in points {
        *value = impulses.sums();
    }
}

/// A rotation and a small angle more, along the tangent: sines may differ from machine to machine.
pub(crate) fn turned(Rotation { cos, sin }: Rotation, angle: f32) -> Rotation {
    let (cos, sin) = (cos - sin * angle, sin + cos * angle);
    let length = (cos * cos + sin * sin).sqrt();
    Rotation { cos: cos / length, sin: sin / length }
}
