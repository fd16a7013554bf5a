//! The values that commands take and share. They know nothing of the other rooms of the command.
//!
//! ```text
//! call.rs      the calls that `bench` measures
//! scene_id.rs  the scenes of `view`
//! picture.rs   the file of `render`, and the part of the plane in it
//! ```

mod call;
#[cfg(feature = "pictures")]
mod picture;
#[cfg(feature = "view")]
mod scene_id;

use std::thread;

use clap::ValueEnum;

pub(crate) use call::Call;
#[cfg(feature = "pictures")]
pub(crate) use picture::{PictureFile, View};
#[cfg(feature = "view")]
pub(crate) use scene_id::{MOST_BODIES, SceneId};

/// The form of a report on standard output.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    Table,
    Json,
}

/// The form of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ListFormat {
    /// A header, and a line for each entry.
    Csv,
    /// An object for each entry, one a line.
    Json,
}

/// The number of threads for `all`.
pub(crate) fn all_threads() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}

/// Each item once, in the order of first mention.
pub(crate) fn unique<T: PartialEq>(items: impl IntoIterator<Item = T>) -> Vec<T> {
    let mut kept = Vec::new();
    for item in items {
        if !kept.contains(&item) {
            kept.push(item);
        }
    }
    kept
}
