//! The whole detection: scene × number of shapes × SIMD level, and threads; adversarial scenes;
//! clusters near and far; an index of static shapes; the order of the rows; new poses; columns of
//! rotated shapes; filters; spaces; neighbour lists; nearest points; displacements; `f64`.
//!
//! `cargo bench --bench pipeline`. Bodies move between the timed calls, and several scenes
//! alternate, so that branch predictors cannot learn a scene. The number of pairs of the first
//! timed call, and of every 64th after it, is checked against the number of the scalar level.
//!
//! `cargo bench --bench pipeline -- goals 101` measures rows of the table of goals instead: 101
//! rounds, in which the calls of a row take turns.
#![allow(missing_docs)]

mod doubles;
mod goals;
mod near;
mod rotated;
#[path = "../../crates/scenes/adapter.rs"]
mod scene;
mod scenes;
mod sets;
mod swept;
mod turn;
mod world;

use std::time::Duration;

use criterion::{Criterion, criterion_group};

use doubles::doubles;
use near::{nearest, neighbors};
use rotated::{set_poses, turning_columns};
use scenes::{adversaries, clusters, contacts, crowds, order, standard};
use sets::{filters, spaces, static_set};
use swept::swept;
use world::world;

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(10).measurement_time(Duration::from_millis(500)).warm_up_time(Duration::from_millis(200));
    targets = standard, contacts, set_poses, turning_columns, adversaries, clusters, crowds, static_set, order,
        filters, world, spaces, neighbors, nearest, swept, doubles
}

fn main() {
    let mut words = std::env::args().skip_while(|word| word != "goals");
    if words.next().is_some() {
        let rounds = words.next().and_then(|word| word.parse().ok());
        return goals::goals(rounds.unwrap_or(101));
    }
    benches();
    Criterion::default().configure_from_args().final_summary();
}
