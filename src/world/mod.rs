//! `World`: bodies with handles, detected at every step.
//!
//! ```text
//! body.rs            what a body has besides its shape                          (Body, Velocity)
//! bodies.rs          the bodies in rows of a store, and the rows that are free  (Bodies)
//! bulk.rs            many bodies inserted or removed, all or none
//!                    how fast bodies move, as the caller says
//! world.rs           the public calls                                           (World)
//! found.rs           what a step has found                                      (Step)
//!                    pairs of rows that started, persist or stopped → events
//!                    contacts of bodies that move → how fast they approach each other
//! resting_pairs.rs   the pairs of bodies that do not move                       (RestingPairs)
//! resting_list.rs    pairs with their contacts, of which few change             (RestingList)
//!                    the places of the pairs of each row in such a list         (PairLinks)
//! named.rs           answers of queries whose bodies are named                  (HasRow)
//! near.rs            contacts of bodies that are about to touch                 (NearBodies)
//! slide.rs           a body moved by hand → along what it meets                 (SlideOptions)
//! step.rs            bodies → pairs, contacts and events of a step
//! sweep.rs           bodies that move → what stops each first                   (BodyImpact)
//! first_impacts.rs   impacts of all rows → the first one of each                (FirstImpacts)
//! events.rs          the records of events, and why pairs stop                  (PairEvent)
//! carried_values.rs  values of the caller that stay with contacts               (CarriedValues)
//! fields.rs          options, filters, handles and values as bytes
//!                    calls as bytes                                             (Log)
//! snapshot.rs        a world as bytes, and its hash
//! recording.rs       a snapshot and the calls after it as bytes
//!                    such calls, made again and compared                        (Replay)
//! persist.rs         serde for handles and worlds
//! ```

mod bodies;
pub(crate) mod body;
mod bulk;
mod carried_values;
mod events;
mod fields;
#[cfg(feature = "queries")]
mod first_impacts;
pub(crate) mod found;
mod named;
mod near;
#[cfg(feature = "serde")]
mod persist;
mod recording;
mod resting_list;
mod resting_pairs;
#[cfg(feature = "queries")]
mod slide;
mod snapshot;
mod step;
#[cfg(feature = "queries")]
mod sweep;
#[allow(clippy::module_inception)]
pub(crate) mod world;

pub use body::Velocity;
pub(crate) use body::{Body, Motion};
pub use events::{PairEvent, StopEvent, StopReason};
pub(crate) use found::Step;
pub use named::HasRow;
pub use recording::Replay;
pub(crate) use world::World;
#[cfg(feature = "queries")]
pub use {
    slide::{SlideEnd, SlideHit, SlideOptions},
    sweep::BodyImpact,
};
