//! A level of static boxes, and balls that fall through it: finds which balls touch which boxes.
//!
//! `cargo run --release --example static_level`
//!
//! It shows how to sort static shapes once, into an `Index`. At each step, one call finds the balls
//! that touch each other and the balls that touch the level. Boxes that touch boxes, such as the
//! floor and the walls here, are in neither list. The output is equal on every machine.

use widephase::{Columns, Detector, Error, Index};

const BALLS: usize = 60;
const STEPS: usize = 300;
const RADIUS: f32 = 0.4;
const GRAVITY: f32 = 0.01;

/// The left, lower, right and upper side of each box.
const BOXES: [[f32; 4]; 7] = [
    [-12.0, -1.0, 12.0, 0.0],  // floor
    [-12.0, 0.0, -11.0, 30.0], // walls
    [11.0, 0.0, 12.0, 30.0],
    [-8.0, 4.0, -2.0, 4.5], // shelves
    [2.0, 6.0, 8.0, 6.5],
    [-4.0, 9.0, 3.0, 9.5],
    [5.0, 12.0, 11.0, 12.5],
];

fn main() -> Result<(), Error> {
    let [left, low, right, high] = [0, 1, 2, 3].map(|side| BOXES.map(|sides| sides[side]));
    let level = Index::build(Columns::aabbs(&left, &low, &right, &high)?)?;

    // Six rows of ten balls above the shelves, each row a little to the right of the one below.
    let mut x: Vec<f32> = (0..BALLS).map(|i| (i % 10) as f32 * 2.0 - 9.5).collect();
    let mut y: Vec<f32> = (0..BALLS).map(|i| (i / 10) as f32 * 2.0 + 14.0).collect();
    for (i, x) in x.iter_mut().enumerate() {
        *x += (i / 10) as f32 * 0.2;
    }
    let (mut vx, mut vy) = (vec![0.0; BALLS], vec![0.0; BALLS]);
    let radius = vec![RADIUS; BALLS];

    let mut detector = Detector::new();
    let (mut pairs, mut hits) = (Vec::new(), Vec::new());
    for step in 1..=STEPS {
        for i in 0..BALLS {
            vy[i] -= GRAVITY;
            x[i] += vx[i];
            y[i] += vy[i];
        }
        detector.pairs_and_against(
            Columns::circles(&x, &y, &radius)?,
            &level,
            &mut pairs,
            &mut hits,
        )?;
        for pair in &pairs {
            // Balls of equal mass that approach each other exchange velocities. Then they are
            // pushed apart.
            let (a, b) = (pair.a as usize, pair.b as usize);
            let (dx, dy) = (x[b] - x[a], y[b] - y[a]);
            if dx * (vx[b] - vx[a]) + dy * (vy[b] - vy[a]) < 0.0 {
                vx.swap(a, b);
                vy.swap(a, b);
            }
            let distance = (dx * dx + dy * dy).sqrt().max(RADIUS / 8.0);
            let share = (RADIUS / distance - 0.5).max(0.0);
            x[a] -= share * dx;
            y[a] -= share * dy;
            x[b] += share * dx;
            y[b] += share * dy;
        }
        for hit in &hits {
            // `a` is a ball, `b` a box. The ball is pushed away from the nearest point of the box.
            // Its velocity towards that point is reversed and halved.
            let (ball, [left, low, right, high]) = (hit.a as usize, BOXES[hit.b as usize]);
            let (dx, dy) =
                (x[ball] - x[ball].clamp(left, right), y[ball] - y[ball].clamp(low, high));
            let distance = (dx * dx + dy * dy).sqrt();
            if distance == 0.0 {
                continue;
            }
            let (nx, ny) = (dx / distance, dy / distance);
            x[ball] += nx * (RADIUS - distance);
            y[ball] += ny * (RADIUS - distance);
            let towards = vx[ball] * nx + vy[ball] * ny;
            if towards < 0.0 {
                vx[ball] -= 1.5 * towards * nx;
                vy[ball] -= 1.5 * towards * ny;
            }
        }
        if step % 50 == 0 {
            let floor = hits.iter().filter(|hit| hit.b == 0).count();
            println!(
                "step {step:3}: {:2} pairs of balls; {:2} hits on the level, {floor:2} of them on the floor",
                pairs.len(),
                hits.len(),
            );
        }
    }
    Ok(())
}
