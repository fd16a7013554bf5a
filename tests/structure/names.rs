//! Names in ARCHITECTURE.md and in the book: a name of code in back ticks is in the code, and a
//! path that ends in `.rs` is the end of the path of a file.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

use super::package;

/// The folders whose words the pages may name.
const SOURCES: [&str; 7] = ["src", "cli", "bindings", "crates", "cluster", "examples", "benches"];

/// The endings of files that have code.
const CODE: [&str; 7] = ["rs", "py", "pyi", "toml", "mjs", "js", "h"];

/// Names of other programs, libraries and formats.
const OTHERS: [&str; 26] = [
    "Host",
    "KeyboardInterrupt",
    "MemoryError",
    "MPI_Abort",
    "MPI_Allgather",
    "MPI_Alltoall",
    "RUSTFLAGS",
    "TriMesh",
    "__array__",
    "b2CollidePolygonAndCircle",
    "bash",
    "cast_shapes_nonlinear",
    "completions",
    "elvish",
    "fish",
    "intersects",
    "kill",
    "man",
    "no_std",
    "powershell",
    "relate_pattern",
    "simd128",
    "soak",
    "sparse_distance_matrix",
    "view_protocol",
    "zsh",
];

/// The files below a folder that have code, without tests.
fn sources(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        let name = entry.file_name();
        if path.is_dir() {
            if !["tests", "target", "node_modules"].iter().any(|other| name == *other) {
                sources(&path, files);
            }
        } else if path.extension().is_some_and(|end| CODE.iter().any(|code| end == *code)) {
            files.push(path);
        }
    }
}

fn is_of_name(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || letter == '_'
}

/// The words of a source, without lines that are comments.
fn words(source: &str) -> impl Iterator<Item = &str> {
    let is_code = |line: &&str| {
        let line = line.trim_start();
        !line.starts_with("//") && (!line.starts_with('#') || line.starts_with("#["))
    };
    source.lines().filter(is_code).flat_map(|line| line.split(|letter| !is_of_name(letter)))
}

/// The names in back ticks of a page, outside of blocks of code: paths, methods and calls. In a
/// table of names of other libraries, the first column is theirs.
fn names(page: &str, is_of_others: bool) -> Vec<&str> {
    let (mut names, mut in_block) = (Vec::new(), false);
    for mut line in page.lines() {
        if line.starts_with("```") {
            in_block = !in_block;
        }
        if in_block {
            continue;
        }
        if is_of_others && line.starts_with("| ") {
            line = line.split_once(" | ").map_or(line, |(_, ours)| ours);
        }
        for span in line.split('`').skip(1).step_by(2) {
            let path = span.split_once('(').map_or(span, |(path, _)| path);
            let is_path = |letter: char| is_of_name(letter) || letter == ':' || letter == '.';
            let is_file = [".md", ".rs", ".csv", ".json", ".html", ".toml", ".svg", ".parquet"]
                .iter()
                .any(|end| path.ends_with(end));
            let starts = |letter: char| letter.is_ascii_alphabetic() || letter == '_';
            if path.starts_with(starts) && path.chars().all(is_path) && !is_file {
                names.extend(path.split([':', '.']).filter(|name| name.starts_with(starts)));
            }
        }
    }
    names
}

/// The paths in back ticks of a page that end in `.rs`.
fn paths(page: &str) -> impl Iterator<Item = &str> {
    let spans = page.lines().flat_map(|line| line.split('`').skip(1).step_by(2));
    spans.filter(|span| span.ends_with(".rs") && !span.contains(' '))
}

#[test]
fn names_of_the_pages_are_in_the_code() {
    // A published package has only the library.
    if !SOURCES.iter().all(|folder| package().join(folder).exists()) {
        return;
    }
    let mut files = vec![package().join("Cargo.toml")];
    for folder in SOURCES {
        sources(&package().join(folder), &mut files);
    }
    let texts: Vec<String> =
        files.iter().map(|path| fs::read_to_string(path).unwrap_or_default()).collect();
    let known: BTreeSet<&str> = texts.iter().flat_map(|text| words(text)).chain(OTHERS).collect();
    let is_file =
        |path: &str| package().join(path).exists() || files.iter().any(|file| file.ends_with(path));
    let (mut unknown, mut count) = (BTreeSet::new(), [0; 2]);
    let book = fs::read_dir(package().join("docs")).unwrap().flatten().map(|entry| entry.path());
    let book = book.filter(|path| path.extension().is_some_and(|end| end == "md"));
    for path in book.chain([package().join("ARCHITECTURE.md")]) {
        let page = fs::read_to_string(&path).unwrap();
        let is_of_others = path.file_stem().is_some_and(|name| name == "migration");
        let names = names(&page, is_of_others);
        let gone = names.iter().filter(|name| name.len() > 1 && !known.contains(**name));
        let gone = gone.copied().chain(paths(&page).filter(|path| !is_file(path)));
        unknown.extend(gone.map(|name| format!("{}: {name}", path.display())));
        count = [count[0] + names.len(), count[1] + paths(&page).count()];
    }
    assert!(unknown.is_empty(), "pages name things that are not there: {unknown:#?}");
    assert!(count[0] > 1500 && count[1] > 100, "{count:?} names and paths");
}

#[test]
fn names_are_found() {
    let page = "`a::B::c(x)?` `d.e()` `not a name` `f.md` `-x` `1.5`\n```\n`g`\n```\n| `h` | `i` |";
    assert_eq!(names(page, false), ["a", "B", "c", "d", "e", "h", "i"]);
    assert_eq!(names(page, true), ["a", "B", "c", "d", "e", "i"]);
    let found: Vec<_> = paths("`a/b.rs` `c.rs`\n`d.md` `e f.rs` g.rs").collect();
    assert_eq!(found, ["a/b.rs", "c.rs"]);
    let source = "/// `A`\nfn b(c: D) {} // e\n# f\n#[g]";
    let found: Vec<&str> = words(source).filter(|word| !word.is_empty()).collect();
    assert_eq!(found, ["fn", "b", "c", "D", "e", "g"]);
}
