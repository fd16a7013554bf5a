//! The figures of the documents are the pictures that the example draws.

#[path = "../examples/figures/draw/mod.rs"]
mod draw;

use std::{fs, path::Path};

#[test]
fn committed_figures_are_current() {
    let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/..")).join("docs/figures");
    for (name, drawn) in draw::all().unwrap() {
        let kept = fs::read_to_string(folder.join(name)).unwrap().replace("\r\n", "\n");
        let command = "cargo run --release --example figures -- docs/figures";
        assert!(
            kept == drawn,
            "{name} is not the picture that the example draws; make it anew by {command}"
        );
    }
}
