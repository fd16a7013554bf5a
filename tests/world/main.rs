//! A world beside a naive one: a list of bodies, and all pairs of them by brute force.
#![cfg(feature = "narrowphase")]
#![allow(clippy::unwrap_used, reason = "a panic is a failed test, in its helpers too")]

#[path = "../common/mod.rs"]
mod common;

mod calls;
mod model;
