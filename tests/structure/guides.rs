//! The parts of the book that rustdoc takes: the links of the guides, and the questions of README.

use std::fs;

use super::package;

fn text(path: &str) -> String {
    fs::read_to_string(package().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The pages that `src/guide/mod.rs` includes.
fn guides() -> Vec<String> {
    let source = text("src/guide/mod.rs");
    let pages = source.split('"').filter_map(|part| part.strip_prefix("../../"));
    pages.filter(|page| page.ends_with(".md")).map(str::to_owned).collect()
}

/// The labels that a page or a list of links defines, with their targets.
fn definitions(text: &str) -> impl Iterator<Item = (&str, &str)> {
    let lines = text.lines().filter_map(|line| line.strip_prefix('['));
    lines.filter_map(|line| line.split_once("]: "))
}

/// The first cells of the table below a heading.
fn questions<'a>(text: &'a str, heading: &str, prefix: &str) -> Vec<&'a str> {
    let (_, section) = text.split_once(heading).expect(heading);
    let lines = section.lines().map(|line| line.strip_prefix(prefix).unwrap_or(line).trim_start());
    let table = lines.skip_while(|line| !line.starts_with("|---")).skip(1);
    table.map_while(|line| line.strip_prefix("| ")?.split(" | ").next()).collect()
}

#[test]
fn links_of_guides_lead_somewhere_in_rustdoc() {
    let links = text("src/guide/links.md");
    let pages = guides();
    assert!(pages.len() >= 7, "{pages:?}");
    for page in pages {
        let document = text(&page);
        for (label, _) in definitions(&document) {
            let target = definitions(&links).find(|&(known, _)| known == label);
            let (_, target) =
                target.unwrap_or_else(|| panic!("{page}: {label} is not in links.md"));
            assert!(target.starts_with("crate"), "{label}: {target}");
        }
        let inline = document.split("](").skip(1).filter_map(|rest| rest.split(')').next());
        let broken: Vec<_> = inline
            .filter(|link| !link.starts_with("http") && !link.starts_with('#'))
            .filter(|link| !link.starts_with("figures/"))
            .filter(|link| package().join("docs").join(link).exists())
            .collect();
        assert!(broken.is_empty(), "{page}: inline links to other files: {broken:?}");
    }
}

#[test]
fn list_of_links_has_none_that_no_guide_uses() {
    let links = text("src/guide/links.md");
    let pages: Vec<String> = guides().iter().map(|page| text(page)).collect();
    for (label, _) in definitions(&links) {
        let used = pages.iter().any(|page| definitions(page).any(|(known, _)| known == label));
        assert!(used, "no guide has a link to {label}");
    }
}

#[test]
fn package_contains_the_guides() {
    let manifest = text("Cargo.toml");
    for page in guides() {
        assert!(manifest.contains(&format!("\"/{page}\"")), "{page}");
    }
}

#[test]
fn crate_documentation_answers_the_questions_of_readme() {
    let (readme, library) = (text("README.md"), text("src/lib.rs"));
    let asked = questions(&readme, "\n## How do I\n", "");
    assert!(asked.len() >= 10, "{asked:?}");
    assert_eq!(questions(&library, "\n//! # How do I\n", "//!"), asked);
}
