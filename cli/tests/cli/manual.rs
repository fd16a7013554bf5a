//! The commands of docs/cli.md whose output it shows, run by a shell.
#![allow(clippy::unwrap_used, reason = "clippy.toml allows it in tests, but not in their helpers")]

use std::{fs, os::unix::fs::symlink, path::Path};

use crate::prompt::{Folder, program};

const MANUAL: &str = include_str!("../../../docs/cli.md");

/// How examples in the root of the repository begin.
const BY_CARGO: [&str; 2] = ["cargo run --release -- ", "cargo run --release --features full -- "];

/// The examples with an output: the commands, and the lines that they print.
fn examples() -> Vec<(String, Vec<&'static str>)> {
    let blocks = MANUAL.split("\n```sh\n").skip(1);
    let blocks = blocks.map(|block| block.split("\n```\n").next().unwrap());
    let examples = blocks.map(|block| {
        let (output, commands): (Vec<_>, Vec<_>) =
            block.lines().partition(|line| line.starts_with("# "));
        let output = output.into_iter().map(|line| &line[2..]).collect::<Vec<_>>();
        (commands.join("\n"), output)
    });
    examples.filter(|(_, output)| !output.is_empty()).collect()
}

#[test]
fn examples_print_what_the_manual_shows() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let folder = Folder::new("manual");
    fs::create_dir(folder.path("target")).unwrap();
    symlink(root.join("cli"), folder.path("cli")).unwrap();
    let mut ran = 0;
    for (commands, expected) in examples() {
        // The recording is made by an example of the library, which is tested there.
        if commands.contains("--example recording") {
            continue;
        }
        let mut shell = program("sh");
        // The path of the program may have blanks.
        let by_program = |text: String, by: &str| text.replace(by, "\"$PROGRAM\" ");
        shell.args(["-c", &BY_CARGO.into_iter().fold(commands.clone(), by_program)]);
        shell.env("PROGRAM", env!("CARGO_BIN_EXE_widephase")).current_dir(folder.path(""));
        let output = shell.output().unwrap();
        let [list, words] =
            [&output.stdout, &output.stderr].map(|text| String::from_utf8_lossy(text));
        // The manual shows standard error where there is no list.
        let shown = if list.is_empty() { &words } else { &list };
        assert_eq!(shown.lines().collect::<Vec<_>>(), expected, "{commands}\n{words}");
        ran += 1;
    }
    assert!(ran >= 10, "{ran} examples");
}
