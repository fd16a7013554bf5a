//! A crowd: ten thousand agents that walk to the other side of a square and keep apart.
//!
//! `cargo run --release --example crowd`
//!
//! It shows how to find the neighbours of all agents at each step: one call lists, for each row,
//! the rows of all agents within a radius. The result is equal on every machine: the last line
//! prints a checksum to compare.

use std::time::Instant;

use widephase::{Adjacency, Columns, Detector, Error, Lists};

const SIDE: usize = 100;
const COUNT: usize = SIDE * SIDE;
const STEPS: usize = 50;
/// Agents this near or nearer push each other away.
const RADIUS: f32 = 1.2;
const SPEED: f32 = 0.05;
const PUSH: f32 = 0.1;

fn main() -> Result<(), Error> {
    // One agent a unit of area. Each walks to the point opposite to its start.
    let place = |i: usize| i as f32 - (SIDE as f32 - 1.0) / 2.0;
    let mut x: Vec<f32> = (0..COUNT).map(|i| place(i % SIDE)).collect();
    let mut y: Vec<f32> = (0..COUNT).map(|i| place(i / SIDE)).collect();
    let goals: Vec<[f32; 2]> = x.iter().zip(&y).map(|(x, y)| [-x, -y]).collect();

    // Keep detector and list: they reuse their memory.
    let (mut detector, mut near) = (Detector::new(), Lists::new());
    let mut moves = vec![[0.0, 0.0]; COUNT];
    let (mut listed, mut closest, start) = (0, f32::INFINITY, Instant::now());
    for _ in 0..STEPS {
        // Full: each pair is in the lists of both agents, so each agent reads only its own list.
        detector.neighbors(Columns::points(&x, &y)?, RADIUS, Adjacency::Full, &mut near)?;
        for (agent, step) in moves.iter_mut().enumerate() {
            let ([dx, dy], at) = (goals[agent], [x[agent], y[agent]]);
            let to_goal = [dx - at[0], dy - at[1]];
            let length = (to_goal[0] * to_goal[0] + to_goal[1] * to_goal[1]).sqrt();
            *step = to_goal.map(|part| part * (SPEED / length.max(SPEED)));
            for row in near.get(agent).iter().map(|row| *row as usize) {
                let away = [at[0] - x[row], at[1] - y[row]];
                let distance = (away[0] * away[0] + away[1] * away[1]).sqrt();
                closest = closest.min(distance);
                // The nearer, the stronger. Two agents at one place have no direction apart.
                let strength = PUSH * (RADIUS - distance) / distance.max(1e-3);
                *step = [step[0] + away[0] * strength, step[1] + away[1] * strength];
            }
        }
        for (agent, [dx, dy]) in moves.iter().enumerate() {
            x[agent] += dx;
            y[agent] += dy;
        }
        listed += near.items().len();
    }
    let elapsed = start.elapsed().as_secs_f64();
    println!("{STEPS} steps of {COUNT} agents: {:.1} ms a step", elapsed * 1e3 / STEPS as f64);
    let mean = listed as f64 / (STEPS * COUNT) as f64;
    println!("{mean:.2} neighbours an agent; the closest two were {closest:.3} apart");
    let checksum = x.iter().fold(0, |sum: u32, v| sum.rotate_left(5) ^ v.to_bits());
    println!("checksum {checksum:08x}");
    Ok(())
}
