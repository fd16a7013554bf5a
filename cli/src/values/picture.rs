//! A picture: its file, and the part of the plane in it.

use std::path::PathBuf;

/// The sides of a part of the plane, in units of length.
#[derive(Debug, Clone, Copy)]
pub(crate) struct View {
    pub(crate) min: [f64; 2],
    pub(crate) max: [f64; 2],
}

/// The file of a picture.
#[derive(Debug, Clone)]
pub(crate) struct PictureFile {
    pub(crate) path: PathBuf,
    /// Whether it is a PNG; else it is an SVG.
    pub(crate) png: bool,
}
