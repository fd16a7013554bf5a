//! stub
pub(crate) mod dispatch;
mod level;
pub use level::{LEVEL_VARIABLE, Level};
