//! The view of a first user: `compare`, and the messages of a build without features.
#![allow(clippy::unwrap_used, reason = "clippy.toml allows it in tests, but not in their helpers")]

#[path = "cli/prompt.rs"]
mod prompt;

use prompt::{feed, run, stderr, stdout, unwrapped};

/// The cells of a row of a table.
fn cells(row: &str) -> Vec<&str> {
    row.trim_matches('|').split('|').map(str::trim).collect()
}

#[test]
fn compare_begins_with_one_table_and_fits_a_screen() {
    let output = run(&["compare", "--time", "0", "--brute-force", "1k", "--threads", "1,2"]);
    let text = stdout(&output);
    assert!(output.status.success(), "{}", stderr(&output));
    let table: Vec<_> = text.lines().take_while(|line| line.starts_with('|')).map(cells).collect();
    let titles = ["scene", "bodies", "threads", "scalar ns", "best level", "best ns", "times"];
    assert_eq!(table[0], [&titles[..], &["identical"]].concat(), "{text}");
    // Four scenes of three sizes. One of them also runs on two threads.
    assert_eq!(table.len(), 2 + 4 * (3 + 1), "{text}");
    assert!(table[2..].iter().all(|row| row[7] == "yes"), "{text}");
    assert_eq!(&table[2][..3], ["s1 uniform-circles", "1k", "1"]);
    assert_eq!(&table[5][..3], ["s1 uniform-circles", "100k", "2"]);
    for row in &table[2..] {
        let number = |cell: &str| cell.trim_end_matches(" ~").parse::<f64>().unwrap();
        let [scalar, best, times] = [row[3], row[5], row[6]].map(number);
        assert!((scalar / best - times).abs() < 0.06 + 0.03 * times, "{row:?}");
    }
    assert!(text.lines().count() <= 40, "{text}");
    assert!(text.lines().all(|line| line.chars().count() <= 100), "{text}");
    assert!(text.contains("\nOn this machine ") && text.contains("lists are identical.\n"));
}

/// Runs the command, which fails with a status and says how to turn a feature on.
#[cfg_attr(feature = "full", expect(dead_code, reason = "nothing is off"))]
fn refused(args: &[&str], input: &str, status: i32, told: &str) {
    let output = feed(args, input.as_bytes());
    assert_eq!(output.status.code(), Some(status), "{args:?}");
    let told = format!("{told}build the command with --features full");
    assert!(unwrapped(stderr(&output)).contains(&told), "{args:?}: {}", stderr(&output));
    assert_eq!(stdout(&output), "", "{args:?}");
}

#[cfg(not(feature = "full"))]
#[test]
fn help_names_what_is_off() {
    let help = unwrapped(stdout(&run(&["--help"])));
    assert!(help.contains("Not in this build: "), "{help}");
    assert!(help.ends_with("; build the command with --features full."), "{help}");
}

#[cfg(not(feature = "maps"))]
#[test]
fn maps_that_are_off_are_refused() {
    let point = "{\"type\":\"Point\",\"coordinates\":[1,2]}";
    refused(&["detect", "-"], point, 1, "standard input: GeoJSON; to read it, ");
    let told = "line 1: column \"wkt\" has geometries in WKT; to read them, ";
    refused(&["detect", "-"], "wkt\nPOINT (1 2)\n", 1, told);
    let shapes = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/shapes.csv");
    let told = "line 2, column \"query\": \"geometry\" is in WKT; to read it, ";
    refused(&["query", shapes, "--queries", "-"], "query,wkt\ngeometry,POINT (1 2)\n", 1, told);
}

#[cfg(not(feature = "parquet"))]
#[test]
fn parquet_that_is_off_is_refused() {
    let towns = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/towns.parquet");
    refused(&["detect", towns], "", 1, "a Parquet file; to read it, ");
    refused(&["detect", "-"], "PAR1", 1, "a Parquet file; to read it, ");
}

#[cfg(not(feature = "pictures"))]
#[test]
fn pictures_that_are_off_are_refused() {
    for args in
        [&["render"][..], &["render", "--scene", "s1", "-o", "a.png"], &["render", "--help"]]
    {
        refused(args, "", 2, "error: this build has no command 'render'; ");
    }
}

#[cfg(not(feature = "report"))]
#[test]
fn reports_that_are_off_are_refused() {
    refused(&["bench", "--html", "a.html"], "", 2, "this build writes no reports; ");
    refused(&["bench", "--peers", "a.csv"], "", 2, "this build writes no reports; ");
}

#[cfg(not(feature = "view"))]
#[test]
fn a_page_that_is_off_is_refused() {
    refused(&["view", "--scene", "pit", "-n", "3k"], "", 2, "this build has no command 'view'; ");
}
