//! Draws the figures of `docs/narrowphase.md`.
//!
//! `cargo run --release --example figures -- docs/figures`
//!
//! What it shows: `narrowphase::contact` and `test`, two shapes at a time, and how to read a contact.
//! Normals, depths, points, nearest points and borders are the library's; only where the shapes and
//! the labels are is written here. The files are the same on every machine.

use std::{env, error::Error, fs, path::PathBuf};

mod draw;

fn main() -> Result<(), Box<dyn Error>> {
    let folder = PathBuf::from(env::args().nth(1).unwrap_or_else(|| "target/figures".into()));
    fs::create_dir_all(&folder)?;
    for (name, svg) in draw::all()? {
        let path = folder.join(name);
        println!("{}: {} bytes", path.display(), svg.len());
        fs::write(path, svg)?;
    }
    Ok(())
}
