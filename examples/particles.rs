//! A simulation loop: ten thousand particles that bounce off each other, for a hundred steps.
//!
//! `cargo run --release --example particles`
//!
//! It shows how to own the data as columns, keep one detector and one list, and detect and react in
//! each step. The result is equal on every machine: the last line prints a checksum to compare.

use std::time::Instant;

use widephase::{Columns, Detector, Error, SimdLevel};

const COUNT: usize = 10_000;
const STEPS: usize = 100;
const RADIUS: f32 = 0.5;

fn main() -> Result<(), Error> {
    let side = (COUNT as f32 * 2.0).sqrt();
    let (mut x, mut y) = (spread(COUNT, 0.754_877_67, side), spread(COUNT, 0.569_840_29, side));
    let (mut vx, mut vy) = (spread(COUNT, 0.414_213_56, 0.2), spread(COUNT, 0.732_050_81, 0.2));
    let radius = vec![RADIUS; COUNT];

    let mut detector = Detector::new();
    let mut pairs = Vec::new();
    let (mut contacts, start) = (0, Instant::now());
    for _ in 0..STEPS {
        for i in 0..COUNT {
            (x[i], vx[i]) = bounce(x[i] + vx[i], vx[i], side / 2.0);
            (y[i], vy[i]) = bounce(y[i] + vy[i], vy[i], side / 2.0);
        }
        detector.pairs(Columns::circles(&x, &y, &radius)?, &mut pairs)?;
        for pair in &pairs {
            // Equal masses exchange their velocities along the line between them; here, the whole
            // velocities.
            let (a, b) = (pair.a as usize, pair.b as usize);
            let (dx, dy) = (x[b] - x[a], y[b] - y[a]);
            if dx * (vx[b] - vx[a]) + dy * (vy[b] - vy[a]) < 0.0 {
                vx.swap(a, b);
                vy.swap(a, b);
            }
        }
        contacts += pairs.len();
    }
    let elapsed = start.elapsed().as_secs_f64();
    let level = SimdLevel::preferred()?;
    println!(
        "{STEPS} steps of {COUNT} particles on level {level}: {:.1} ms a step",
        elapsed * 1e3 / STEPS as f64
    );
    println!(
        "{contacts} contacts; checksum {:08x}",
        x.iter().fold(0, |sum: u32, v| sum.rotate_left(5) ^ v.to_bits())
    );
    Ok(())
}

/// `count` values spread evenly over `-width / 2..width / 2`, in an order that looks random: the
/// fractional parts of the multiples of an irrational `step`. (The two steps of the positions are
/// powers of 1 / 1.3247, the plastic number: together they cover the plane evenly.)
fn spread(count: usize, step: f64, width: f32) -> Vec<f32> {
    (0..count).map(|i| ((i as f64 * step).fract() - 0.5) as f32 * width).collect()
}

/// Clamps a coordinate beyond the wall to the wall, and reverses its velocity.
fn bounce(position: f32, velocity: f32, wall: f32) -> (f32, f32) {
    if position.abs() > wall {
        (position.clamp(-wall, wall), -velocity)
    } else {
        (position, velocity)
    }
}
