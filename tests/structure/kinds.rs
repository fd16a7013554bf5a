//! Which files a new kind of shapes touches: files that name one kind.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

use crate::{
    modules::Modules,
    package,
    tokens::{tokens, without_tests},
};

/// The kind that stands for all kinds: it is a part of compounds, and rotates.
const KIND: &str = "Capsule";

/// The rooms of kernels and of the reference.
const KERNELS: [&str; 4] = ["decide/narrowphase", "shapes/geometry", "shapes/kernel", "reference"];

/// The library and the command, the file that the command shares with an example, and its page.
const ROOTS: [&str; 2] = ["src/lib.rs", "cli/src/main.rs"];
const SHARED: &str = "examples/figures/draw/svg.rs";
const PAGE: &str = "cli/src/view/page";

/// The files outside kernels and tests that name the kind, from the root of the package.
pub(crate) fn found() -> BTreeSet<String> {
    let read = |path: &Path| fs::read_to_string(path).ok();
    let mut files: Vec<(PathBuf, String)> = Vec::new();
    for root in ROOTS {
        let modules = Modules::read(&package().join(root), &read);
        files.extend(modules.files().map(|(path, text)| (path.to_owned(), text.to_owned())));
    }
    let page = fs::read_dir(package().join(PAGE)).unwrap().map(|entry| entry.unwrap().path());
    for path in page.chain([package().join(SHARED)]) {
        let text = fs::read_to_string(&path).unwrap();
        files.push((path, text));
    }
    let names = |text: &str| without_tests(&tokens(text)).iter().any(|token| token.text == KIND);
    let named = files.iter().filter(|(_, text)| names(text)).map(|(path, _)| {
        let path = path.strip_prefix(package()).unwrap();
        path.to_str().unwrap().replace('\\', "/")
    });
    let is_kernel =
        |path: &String| KERNELS.iter().any(|room| path.starts_with(&format!("src/{room}/")));
    named.filter(|path| !is_kernel(path)).collect()
}

/// The files of the list in CONTRIBUTING.md: the first words of its lines.
pub(crate) fn listed() -> BTreeSet<String> {
    let document = fs::read_to_string(package().join("CONTRIBUTING.md")).unwrap();
    let (_, section) = document.split_once("\n## Adding a shape\n").unwrap();
    let list = section.split("```").nth(1).unwrap();
    let lines = list.lines().skip(1).filter_map(|line| line.split_whitespace().next());
    lines.map(str::to_owned).collect()
}
