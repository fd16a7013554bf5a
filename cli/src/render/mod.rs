//! `widephase render`: shapes in, a picture of them out.
//!
//! ```text
//! source.rs   a scene, a CSV file or a step of a recording: its shapes, and which of them touch
//! picture.rs  what is drawn: outlines in the plane, contacts, cells of the grid, rays
//! svg.rs      ... as the text of an SVG
//! density.rs  ... of shapes too small to be seen one by one
//! labels.rs   ... with labels that give way to each other
//! frame.rs    ... with coordinates on its frame
//! legend.rs   ... with what its signs mean
//! png.rs      ... and its pixels
//! ```

mod density;
mod frame;
mod labels;
mod legend;
mod picture;
mod png;
mod source;
mod svg;

use std::io::{self, Write};

use anyhow::{Context, Result};

use crate::{
    args::RenderArgs,
    table::{Target, count},
};
use picture::Picture;
use source::Source;

/// Draws the shapes, and reports the content of the picture on standard error.
pub(crate) fn run(args: &RenderArgs) -> Result<()> {
    let file = &args.output;
    let inputs: Vec<_> = args.input.iter().chain(&args.recording).map(|path| &**path).collect();
    let mut target = Target::open(Some(&file.path), &inputs)?;
    let source = Source::read(args)?;
    let picture = Picture::new(&source, args)?;
    let svg = svg::draw(&picture, &source.title, args.size);
    let bytes = if file.png { png::draw(&svg)? } else { svg.into_bytes() };
    let name = target.name.clone();
    target.write_all(&bytes).and_then(|()| target.finish()).context(name.clone())?;

    let Source { title, pairs, .. } = &source;
    let (shapes, pairs) = (count(source.shapes.len() as u64, "shape"), count(*pairs, "pair"));
    let touching = source.touching.iter().filter(|touching| **touching).count();
    writeln!(
        io::stderr(),
        "{title}: {shapes}, {touching} of them touch, {pairs}; drawn in {name}"
    )?;
    Ok(())
}
