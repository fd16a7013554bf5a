//! The exact test alone, for callers with their own broadphase: finds which of a thousand pillars a
//! moving robot touches.
//!
//! `cargo run --release --example own_broadphase`

use widephase::{Batch, Columns, Error, shape::Circle};

fn main() -> Result<(), Error> {
    // Pillars of 0.4 by 0.4 on a grid with a pitch of 2.
    let (mut x, mut y) = (Vec::new(), Vec::new());
    for i in 0..1000 {
        x.push((i % 40) as f32 * 2.0);
        y.push((i / 40) as f32 * 2.0);
    }
    let half = vec![0.2; x.len()];
    let pillars = Columns::centered(&x, &y, &half, &half)?.check()?;

    let batch = Batch::new()?;
    let mut hit = Vec::new();
    for step in 0..8 {
        let robot = Circle::new([step as f32 * 1.5, 3.0], 0.9);
        batch.one_indices(robot, &pillars, &mut hit)?;
        println!("robot at {:4.1}, {:.1} touches pillars {hit:?}", robot.x, robot.y);
    }
    Ok(())
}
