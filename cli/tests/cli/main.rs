//! Tests of the command `widephase` with all features, from outside. `start.rs` tests it without.

mod prompt;
#[path = "../../../tests/common/rng.rs"]
mod rng;

mod bench;
mod commands;
mod compounds;
mod doubles;
mod files;
mod globe;
mod inputs;
mod joins;
#[cfg(unix)]
mod manual;
mod maps;
mod outputs;
mod parquet;
mod pictures;
mod queries;
mod recordings;
#[path = "../../../crates/scenes/adapter.rs"]
mod scene;
#[path = "../../../tests/doubles/seeded.rs"]
mod seeded;
mod tiles;
mod view;
