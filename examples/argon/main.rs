//! Argon: a ship flies over a field of targets and fires rockets; the collision tests of the
//! engine and of tutorials judge the same round.
//!
//! `cargo run --release --example argon`
//!
//! It shows a game on a `World`: compounds as collision areas that follow the ship, filters,
//! sensors, events that name bodies, and removal. Each round prints the changes of the ship's state
//! and the hits of its rockets, and the tests that saw them so: they differ where shapes only
//! touch, at sides and at corners.

use game::{AREAS, Changes, Event, VERDICTS, play};
use widephase::{Error, Options};

mod game;

fn main() -> Result<(), Error> {
    for areas in AREAS {
        println!("ship and targets: {areas:?}");
        // The verdicts that saw the same round together.
        let mut rounds: Vec<(Changes, Vec<&str>)> = vec![];
        for verdict in VERDICTS.into_iter().filter(|verdict| verdict.is_for(areas)) {
            let round = play(areas, verdict, Options::default())?;
            match rounds.iter_mut().find(|(other, _)| *other == round) {
                Some((_, names)) => names.push(verdict.name),
                None => rounds.push((round, vec![verdict.name])),
            }
        }
        for (round, names) in rounds {
            println!("  {}", names.join(", "));
            for (step, event) in round {
                match event {
                    Event::Ship(state) => println!("    step {step:3}: {state}"),
                    Event::Rocket(target) => {
                        println!("    step {step:3}: a rocket and target {target} are gone");
                    }
                }
            }
        }
    }
    Ok(())
}
