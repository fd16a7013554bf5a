//! The parts of [`Error`].

mod kind;
pub(crate) mod limit;
pub(crate) mod reasons;

pub use kind::ErrorKind;
pub(crate) use reasons::Error;
#[cfg(feature = "narrowphase")]
pub use reasons::FileFault;
#[cfg(feature = "outlines")]
pub use reasons::OutlineFault;
pub use reasons::{Fault, Field, PolygonFault, Rejected};
