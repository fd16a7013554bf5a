//! stub

pub mod error;
pub mod pair;
pub mod reference;
#[cfg(feature = "scene")]
pub mod scene;
pub mod shape;
pub mod simd;
pub mod store {
    //! stub
}

pub use error::Error;
pub use pair::Pair;
pub use simd::Level;
