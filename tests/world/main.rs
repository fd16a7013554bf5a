//! A world beside a naive one: a list of bodies, and all pairs of them by brute force. Snapshots
//! and recordings of worlds.
#![cfg(feature = "narrowphase")]
#![allow(clippy::unwrap_used, reason = "a panic is a failed test, in its helpers too")]

#[path = "../common/mod.rs"]
mod common;
#[path = "../common/counting.rs"]
mod counting;

mod any_calls;
mod calls;
mod damage;
mod model;
mod snapshot;
