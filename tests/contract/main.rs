//! The promises about touching and contacts, against arithmetic of the tests' own.
//!
//! The tests use the public API only. Each counts its wrong answers by pair of kinds, and fails
//! with a table of them.

mod cracks;
mod exact;
mod flat;
mod ids;
mod points;
mod posed;
mod pushing;
mod tally;
