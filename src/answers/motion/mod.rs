//! Swept pairs: shapes that stop each other while they move.
//!
//! ```text
//! sweep.rs     displacements → impacts                                      (SweptWorkspace)
//! step.rs      the displacements of a step                              (Displacements)
//!              two shapes that stop each other                              (Impact)
//! pieces.rs    paths, cut into boxes of about the size of the shapes        (Pieces)
//! decisions.rs which pairs stop each other, decided in blocks               (Decisions)
//! lanes.rs     pairs that are tested or decided, eight at a time            (MovingPairs)
//! ```

mod decisions;
mod lanes;
mod pieces;
mod step;
mod sweep;

pub use step::{Bullets, Displacements, Impact};
pub(crate) use sweep::SweptWorkspace;
