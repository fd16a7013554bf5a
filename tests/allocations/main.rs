//! Nothing is allocated in the steady state: bodies move, buffers stay.
#![allow(clippy::unwrap_used, reason = "a panic is a failed test, in its helpers too")]

#[path = "../counting.rs"]
mod counting;
mod detection;
mod moving;
mod narrowphase;
#[cfg(feature = "parallel")]
mod pools;
mod world;
