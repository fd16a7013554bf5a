//! Tables in the format Parquet.
#![allow(clippy::unwrap_used, reason = "clippy.toml allows it in tests, but not in their helpers")]

use std::fs;

use crate::prompt::{Folder, feed, run, stderr, stdout};

const TOWNS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/towns.parquet");

#[test]
fn tables_are_read_as_written() {
    let args = ["--within", "0.5", "--id", "name", "--distance", "--sorted"];
    let output = run(&[&["detect", TOWNS], &args[..]].concat());
    // The distances of the doubles and floats, which scipy finds: 0.1 is not 0.1 of `f32`.
    let expected = "a,b,distance\nAum,\"B\"\"eb\",0.31622776719487816\n\"C,yx\",,0.5\n";
    assert_eq!(stdout(&output), expected, "{}", stderr(&output));
    let told = "4 rows (4 point), named by column \"name\"; x from column \"x\", y from column \"y\", no \
                radius\n";
    assert!(stderr(&output).contains(told), "{}", stderr(&output));
    // Through a pipe, and with another character between the columns of other files.
    let piped = [&["detect", "-", "--delimiter", ";"], &args[..]].concat();
    assert_eq!(stdout(&feed(&piped, &fs::read(TOWNS).unwrap())), expected);
}

#[test]
fn damaged_tables_are_refused() {
    let folder = Folder::new("parquet");
    let bytes = fs::read(TOWNS).unwrap();
    let path = folder.path("towns.parquet");
    for (text, told) in [
        (&bytes[..bytes.len() / 2], "towns.parquet: not a Parquet file: "),
        (b"PAR1", "towns.parquet: not a Parquet file: "),
    ] {
        fs::write(&path, text).unwrap();
        let output = run(&["detect", &path]);
        assert_eq!(output.status.code(), Some(1));
        assert!(stderr(&output).contains(told), "{}", stderr(&output));
    }
    // Lists and bytes are no columns.
    let output = run(&["detect", TOWNS, "--x", "x", "--y", "raw"]);
    let told = "line 1: no column \"raw\" among: name, x, y";
    assert!(stderr(&output).contains(told), "{}", stderr(&output));
}
