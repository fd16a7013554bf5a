//! A narrowphase alone, for callers with their own broadphase: finds which of a thousand pillars a
//! moving robot touches. The pillars are in rows and columns, so their places are computed.
//!
//! `cargo run --release --example own_broadphase`

use widephase::{Columns, Error, Narrowphase, Pair};

/// The pillars of a row, and the distance of their centres.
const PER_ROW: u32 = 40;
const PITCH: f32 = 2.0;

fn main() -> Result<(), Error> {
    // Pillars of 0.4 by 0.4.
    let (mut x, mut y) = (Vec::new(), Vec::new());
    for i in 0..1000 {
        x.push((i % PER_ROW) as f32 * PITCH);
        y.push((i / PER_ROW) as f32 * PITCH);
    }
    let half = vec![0.2; x.len()];
    // Checked once. Otherwise, each call would check all values.
    let pillars = Columns::centered(&x, &y, &half, &half)?.check()?;

    let mut narrowphase = Narrowphase::new();
    let mut touching = Vec::new();
    for step in 0..8 {
        let [at_x, at_y] = [step as f32 * 1.5, 3.0];
        // The broadphase: the four pillars around the centre of the robot.
        let (column, row) = ((at_x / PITCH) as u32, (at_y / PITCH) as u32);
        let corner = row * PER_ROW + column;
        let near = [0, 1, PER_ROW, PER_ROW + 1].map(|next| Pair { a: 0, b: corner + next });
        let (robot_x, robot_y, radius) = ([at_x], [at_y], [0.9]);
        let robot = Columns::circles(&robot_x, &robot_y, &radius)?;
        narrowphase.pairs_between(robot, pillars, &near, &mut touching)?;
        let hit: Vec<u32> = touching.iter().map(|pair| pair.b).collect();
        println!("robot at {at_x:4.1}, {at_y:.1} touches pillars {hit:?}");
    }
    Ok(())
}
