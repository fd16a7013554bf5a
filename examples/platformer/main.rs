//! A platformer without pictures: a hero runs through a level of tiles, by itself.
//!
//! `cargo run --release --example platformer`
//!
//! It shows a kinematic character: `World::move_and_slide` along chains that are merged from the
//! tiles of a map, slopes, platforms with one side, and lifts that carry it; and coins, which are
//! sensors. The output is equal on every machine, except for the time.

use std::time::Instant;

use game::Game;
use widephase::{Error, Options};

mod game;

fn main() -> Result<(), Error> {
    let mut game = Game::new(Options::default())?;
    println!("{} bodies", game.world.len());
    let (start, mut steps) = (Instant::now(), 0);
    while !game.finished && steps < 3600 {
        let keys = game.player()?;
        game.step(keys)?;
        steps += 1;
        if steps % 60 == 0 {
            let [x, y] = game.at().to_array();
            println!("{:2} s: at {x:5.2}, {y:5.2}, {} coins", steps / 60, game.coins);
        }
    }
    let seconds = f64::from(steps) / 60.0;
    let end = if game.finished { "at the goal" } else { "not at the goal" };
    println!("{end} after {seconds:.1} s, {} coins, {} falls", game.coins, game.falls);
    println!("{:.0} us a step", start.elapsed().as_secs_f64() * 1e6 / f64::from(steps));
    Ok(())
}
