//! Draws the figures of `docs/narrowphase.md`, `docs/queries.md`, `docs/performance.md` and
//! `docs/peers.md`.
//!
//! `cargo run --release --example figures -- docs/figures`
//!
//! It shows how to read a contact of two shapes (`narrowphase::contact`, `narrowphase::touches`),
//! and the queries of an `Index`. Normals, depths, points, nearest points, borders, ranges and
//! fractions come from the library. Only the positions of the shapes and the labels are written
//! here. Charts show the tables of the documents. The files are equal on every machine.

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
