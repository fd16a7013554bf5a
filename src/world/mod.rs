//! `World`: bodies with handles, detected at every step.
//!
//! ```text
//! body.rs            what a body has besides its shape                           (Body)
//! bodies.rs          the bodies in rows of a store, and the rows that are free   (Bodies)
//! world.rs           the public calls                                            (World)
//! step.rs            bodies → pairs, contacts and events of a step               (Step)
//! events.rs          the records of events, and why pairs stop                   (PairEvent)
//! carried_values.rs  values of the caller that stay with contacts                (CarriedValues)
//! snapshot.rs        a world as bytes, and its hash
//! recording.rs       a snapshot and the calls after it as bytes                  (Log)
//! replay.rs          such calls, made again and compared                         (Replay)
//! persist.rs         serde for handles and worlds
//! ```

mod bodies;
pub(crate) mod body;
mod carried_values;
mod events;
#[cfg(feature = "serde")]
mod persist;
mod recording;
mod replay;
mod snapshot;
pub(crate) mod step;
#[allow(clippy::module_inception)]
pub(crate) mod world;

pub(crate) use body::{Body, Motion};
pub use events::{PairEvent, StopEvent, StopReason};
pub use replay::Replay;
pub(crate) use step::Step;
pub(crate) use world::World;
