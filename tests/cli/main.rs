//! The command `widephase`, from outside.
#![cfg(feature = "cli")]

#[path = "../common/cli.rs"]
mod prompt;
#[path = "../common/rng.rs"]
mod rng;

mod commands;
mod compounds;
mod inputs;
mod outputs;
