//! An SVG as a PNG.

use anyhow::{Context, Result};
use resvg::{
    tiny_skia::{Pixmap, Transform},
    usvg::{Options, Tree},
};

/// The font of the labels, so that a picture is equal on every machine.
const HACK: &[u8] = include_bytes!("../../fonts/Hack-Regular.ttf");

/// The PNG of an SVG, with the text in one font on every machine.
pub(super) fn draw(svg: &str) -> Result<Vec<u8>> {
    let mut options = Options { font_family: "Hack".to_owned(), ..Options::default() };
    options.fontdb_mut().load_font_data(HACK.to_vec());
    let tree = Tree::from_str(svg, &options).context("the picture")?;
    let size = tree.size().to_int_size();
    let mut pixels =
        Pixmap::new(size.width(), size.height()).context("no memory for the pixels")?;
    resvg::render(&tree, Transform::default(), &mut pixels.as_mut());
    pixels.encode_png().context("the picture")
}
