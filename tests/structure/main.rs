//! The structure of the sources: which module imports which, how long functions are, which files a
//! new kind of shapes touches, and how many kernels, constants and lines there are.
//!
//! A floor is a folder of `src` with rooms, and a room is a folder or a file of a floor or of
//! `src`. ARCHITECTURE.md lists the rooms in an order in which each imports only rooms before it.
//! Modules of one folder also import each other in one direction only. (A module and the modules
//! inside of it may import each other.)
#![allow(clippy::unwrap_used, reason = "a panic is a failed test, in its helpers too")]

mod arrows;
mod counts;
mod functions;
mod guides;
mod kinds;
mod loops;
mod mechanisms;
mod modules;
mod names;
mod tokens;
mod words;

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

use arrows::Arrows;
use counts::COUNTS;
use modules::{ModulePath, Modules};

/// The roots of the packages, which are read as long as they exist: a published package has only
/// the library.
const ROOTS: [&str; 7] = [
    "src/lib.rs",
    "benches/peers/src/lib.rs",
    "bindings/python/src/lib.rs",
    "cli/src/main.rs",
    "cluster/src/main.rs",
    "crates/scenes/src/lib.rs",
    "examples/ecs/src/lib.rs",
];

/// The most lines of a function of the library, from `fn` to the closing brace.
const MOST_LINES: usize = 80;

/// The most loops in each other in a test. Deeper loops are a `product`, which names its case.
const MOST_LOOPS: usize = 3;

/// The most files and folders directly in `src`.
const MOST_ENTRIES: usize = 10;

/// The most files that a new kind of shapes touches, beside its kernels.
const MOST_FILES: usize = 12;

fn package() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn read(root: &str) -> Option<Modules> {
    let path = package().join(root);
    path.exists().then(|| Modules::read(&path, &|path| fs::read_to_string(path).ok()))
}

/// The floors and their rooms in the order of ARCHITECTURE.md: a line that is not indented has a
/// floor before its colon, and the first word of an indented line is a room.
fn listed_rooms() -> Vec<ModulePath> {
    let document = fs::read_to_string(package().join("ARCHITECTURE.md")).unwrap();
    let (_, section) = document.split_once("\n## Rooms\n").unwrap();
    let list = section.split("```").nth(1).unwrap();
    let (mut floor, mut rooms) = (None, Vec::new());
    for line in list.lines().skip(1) {
        if line.starts_with(' ') {
            let room = line.split_whitespace().next().unwrap();
            let path = floor.filter(|floor| *floor != room).into_iter().chain([room]);
            rooms.push(path.map(str::to_owned).collect());
        } else {
            floor = line.split_once(':').map(|(floor, _)| floor);
        }
    }
    rooms
}

#[test]
fn architecture_lists_the_rooms_that_are_there() {
    let listed = listed_rooms();
    let modules = read("src/lib.rs").unwrap();
    let floors: BTreeSet<&str> =
        listed.iter().filter(|path| path.len() == 2).map(|path| path[0].as_str()).collect();
    // `base` is a floor, and its files are a room.
    let is_room = |path: &ModulePath| match &path[..] {
        [room] => !floors.contains(room.as_str()) || room == "base",
        [floor, room] => {
            let folder = package().join("src").join(floor);
            floors.contains(floor.as_str()) && (floor != "base" || folder.join(room).is_dir())
        }
        _ => false,
    };
    let found: BTreeSet<_> =
        modules.iter().map(|(path, _)| path).filter(|path| is_room(path)).collect();
    assert_eq!(listed.iter().collect::<BTreeSet<_>>(), found);
    let entries = fs::read_dir(package().join("src")).unwrap().count();
    assert!(entries <= MOST_ENTRIES, "{entries} files and folders in src");
}

#[test]
fn rooms_import_only_rooms_before_them() {
    let rooms = listed_rooms();
    let arrows = arrows::between(&read("src/lib.rs").unwrap(), &rooms);
    let upwards: Vec<_> = arrows.iter().filter(|arrow| arrow.from < arrow.to).collect();
    assert!(upwards.is_empty(), "imports of later rooms: {upwards:#?}");
    assert!(arrows.len() > 100, "there are {} arrows", arrows.len());
}

#[test]
fn imports_name_the_room() {
    let modules = read("src/lib.rs").unwrap();
    let all = modules.iter().flat_map(|(_, module)| &module.paths);
    let by_root: Vec<_> = all.filter(|path| path.is_of_root()).collect();
    assert!(by_root.is_empty(), "imports by the root: {by_root:#?}");
}

#[test]
fn no_folder_has_a_circle_of_imports() {
    let mut circles = Vec::new();
    for root in ROOTS {
        if let Some(modules) = read(root) {
            circles.extend(Arrows::of(&modules).circles());
        }
    }
    assert!(circles.is_empty(), "{}", circles.join("\n"));
}

#[test]
fn no_function_is_too_long() {
    let modules = read("src/lib.rs").unwrap();
    let mut long = Vec::new();
    let mut count = 0;
    for (path, source) in modules.files() {
        for function in functions::of(source) {
            count += 1;
            // Some texts have an arm for each of many variants.
            if function.lines > MOST_LINES && function.name != "fmt" {
                long.push(format!("{}: {}", path.display(), function));
            }
        }
    }
    assert!(long.is_empty(), "more than {MOST_LINES} lines:\n{}", long.join("\n"));
    assert!(count > 1000, "{count} functions");
}

#[test]
fn no_loops_of_tests_are_too_deep() {
    let mut folders = vec![package().join("tests")];
    let (mut deep, mut count) = (Vec::new(), 0);
    while let Some(folder) = folders.pop() {
        for path in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let source = fs::read_to_string(&path).unwrap();
                count += loops::deeper_than(0, &source).len();
                let lines = loops::deeper_than(MOST_LOOPS, &source);
                deep.extend(lines.iter().map(|line| format!("{}:{line}", path.display())));
            }
        }
    }
    assert!(deep.is_empty(), "loops in more than {MOST_LOOPS} loops:\n{}", deep.join("\n"));
    assert!(count > 1000, "{count} loops");
}

#[test]
fn kernels_constants_and_lines_of_code_only_fall() {
    let modules = read("src/lib.rs").unwrap();
    let faults = COUNTS.iter().filter_map(|count| {
        let found = modules.files().map(|(_, source)| (count.of)(source)).sum();
        count.fault(found)
    });
    let faults: Vec<_> = faults.collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn no_constant_is_named_twice() {
    let modules = read("src/lib.rs").unwrap();
    let twice = counts::constants_named_twice(modules.files().map(|(_, source)| source));
    assert!(twice.is_empty(), "{twice:#?}");
}

#[test]
fn no_type_is_defined_twice() {
    let modules = read("src/lib.rs").unwrap();
    let sources = modules.files().map(|(path, source)| (path.display().to_string(), source));
    let twice = words::defined_twice(sources);
    assert!(twice.is_empty(), "{twice:#?}");
}

#[test]
fn no_avoided_word_is_used() {
    let modules = read("src/lib.rs").unwrap();
    let mut found = Vec::new();
    for (path, source) in modules.files() {
        let words = words::avoided(source);
        found.extend(words.into_iter().map(|word| format!("{}: {word}", path.display())));
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn a_new_kind_touches_the_files_that_contributing_lists() {
    let (listed, found) = (kinds::listed(), kinds::found());
    let missing: Vec<_> = found.difference(&listed).collect();
    let gone: Vec<_> = listed.difference(&found).collect();
    assert!(missing.is_empty(), "not in the list of CONTRIBUTING.md: {missing:#?}");
    assert!(gone.is_empty(), "in the list of CONTRIBUTING.md, but without a kind: {gone:#?}");
    assert!(found.len() <= MOST_FILES, "{} files: {found:#?}", found.len());
}

/// The circles of a package of these files.
fn circles_of(files: &[(&str, &str)]) -> Vec<String> {
    let read = |path: &Path| {
        let file = files.iter().find(|(name, _)| Path::new(name) == path);
        file.map(|(_, source)| (*source).to_owned())
    };
    let modules = Modules::read(&PathBuf::from("lib.rs"), &read);
    Arrows::of(&modules).circles().collect()
}

#[test]
fn circles_are_found_through_imports_paths_and_re_exports() {
    let lib = ("lib.rs", "mod a;\nmod b;\npub use b::inner::Name;\n");
    let b = [("b/mod.rs", "pub mod inner;\n"), ("b/inner.rs", "use crate::a::A;\nstruct Name;\n")];
    let circle = |a| circles_of(&[lib, ("a.rs", a), b[0], b[1]]);
    for a in [
        "struct A; use crate::Name;",
        "struct A; use crate::{b, b::inner::Name as Other};",
        "struct A; fn f(_: super::Name) {}",
        "struct A { name: crate::b::inner::Name }",
        "struct A; #[cfg(not(test))] mod inline { use super::super::Name; }",
    ] {
        assert_eq!(circle(a).len(), 1, "{a}");
    }
    for a in [
        "struct A; #[cfg(test)] mod tests { use crate::Name; }",
        "struct A; #[cfg(test)] use crate::{Name};",
        "struct A; // use crate::Name;",
        "/// [`Name`](crate::Name)\nstruct A;",
        "struct A; const TEXT: &str = \"crate::Name\";",
        "struct A; fn f<'a>(_: &'a str) -> char { '\"' } /* use crate::Name; */",
    ] {
        assert_eq!(circle(a), Vec::<String>::new(), "{a}");
    }
}

#[test]
fn circles_are_found_within_folders() {
    let files = [
        ("lib.rs", "mod a;\n"),
        ("a.rs", "mod b;\nmod c;\npub use c::C;\n"),
        ("a/b.rs", "use super::C;\npub struct B;\n"),
        ("a/c.rs", "use super::b::B;\npub struct C;\n"),
    ];
    assert_eq!(circles_of(&files), ["a: b → c (a/b.rs:1) → b (a/c.rs:1)"]);
}
