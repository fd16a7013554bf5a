//! `widephase view` from outside: a server, and clients that speak the protocol.
#![allow(clippy::unwrap_used, reason = "clippy.toml allows it in tests, but not in their helpers")]

mod access;
mod any_message;
mod argon;
mod client;
mod faults;
#[cfg(target_os = "linux")]
mod soak;
mod worlds;
