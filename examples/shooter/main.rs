//! A shooter without pictures: two teams among walls, and 2,000 bullets that fly 40 radii a step.
//!
//! `cargo run --release --example shooter`
//!
//! It shows teams by filters, nearest enemies, lines of sight, one sweep for all bullets, removal
//! by events, and picking. No bullet passes a wall. The output is equal on every machine, except
//! for the time.

use std::time::Instant;

use game::{BULLET, Game, UNIT};
use widephase::{Error, Options, Queries, shape::Point};

mod game;

const STEPS: u32 = 300;

fn main() -> Result<(), Error> {
    let mut game = Game::new(Options::default())?;
    let (start, mut hits) = (Instant::now(), 0);
    for step in 1..=STEPS {
        game.step()?;
        hits += game.hits.len();
        if step % 50 == 0 {
            let [bullets, units] = [BULLET, UNIT].map(|kind| game.of_kind(kind).len());
            let fallen = game.begun as usize - units;
            println!(
                "step {step}: {bullets} bullets in flight, {hits} have hit, {fallen} units fell"
            );
        }
    }
    println!("{:.2} ms a step", start.elapsed().as_secs_f64() * 1e3 / f64::from(STEPS));

    // The unit under the mouse.
    let mouse = [10.0, -30.0];
    let row = game.world.index()?.any_overlapping(Point::new(mouse))?;
    let body =
        row.and_then(|row| game.world.handle(row)).and_then(|body| game.world.shape(body).ok());
    println!("under {mouse:?}: {body:?}");
    Ok(())
}
