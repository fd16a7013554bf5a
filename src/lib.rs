//! stub

mod detect;
pub mod error;
mod grid;
mod kernel;
pub mod pair;
mod parallel;
pub mod reference;
#[cfg(feature = "scene")]
pub mod scene;
pub mod shape;
pub mod simd;
pub mod store;
pub use detect::{DEFAULT_MAX_PAIRS, Detector, Order, Threads};
pub use grid::CellSize;
pub use kernel::batch::Batch;
pub use shape::Touching;
pub use store::{Checked, Columns, Shapes};

pub use error::Error;
pub use pair::Pair;
pub use simd::Level;
