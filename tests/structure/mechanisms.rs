//! The table of mechanisms: the files and the numbers that it names.

use std::fs;

use super::{counts::names_of_constants, package, read};

/// The paths in back ticks: texts with a slash and no space.
fn paths(page: &str) -> impl Iterator<Item = &str> {
    let spans = page.lines().flat_map(|line| line.split('`').skip(1).step_by(2));
    spans.filter(|span| span.contains('/') && !span.contains(' '))
}

#[test]
fn files_of_mechanisms_exist() {
    // A published package has only the library.
    let Ok(page) = fs::read_to_string(package().join("benches/mechanisms.md")) else { return };
    let gone: Vec<_> = paths(&page).filter(|path| !package().join(path).exists()).collect();
    assert!(gone.is_empty(), "benches/mechanisms.md names paths that are not there: {gone:#?}");
    assert!(paths(&page).count() > 80, "{} paths", paths(&page).count());
}

#[test]
fn numbers_of_mechanisms_exist() {
    let Ok(page) = fs::read_to_string(package().join("benches/mechanisms.md")) else { return };
    let (_, section) = page.split_once("\n## Tuned numbers\n").expect("a section of numbers");
    let modules = read("src/lib.rs").unwrap();
    let constants: Vec<_> =
        modules.files().flat_map(|(_, source)| names_of_constants(source)).collect();
    let rows = section.lines().filter_map(|line| line.split('|').nth(2));
    let names: Vec<_> = rows.flat_map(|row| row.split('`').skip(1).step_by(2)).collect();
    let gone = names.iter().filter(|name| !constants.iter().any(|(known, _)| known == **name));
    let gone: Vec<_> = gone.collect();
    assert!(gone.is_empty(), "benches/mechanisms.md has numbers that are gone: {gone:#?}");
    assert!(names.len() > 150, "{} numbers", names.len());
}

#[test]
fn paths_are_found() {
    let found: Vec<_> = paths("`a/b.rs` `c` `git log -- d/e`\n| `f/` |").collect();
    assert_eq!(found, ["a/b.rs", "f/"]);
}
