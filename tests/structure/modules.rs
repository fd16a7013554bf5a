//! The modules of a package, and the paths that each of them names.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt,
    path::{Path, PathBuf},
};

use crate::tokens::{Token, group_len, tokens, without_tests};

/// The names of the modules from the root to a module.
pub(crate) type ModulePath = Vec<String>;

/// The modules of a package.
#[derive(Default)]
pub(crate) struct Modules {
    modules: BTreeMap<ModulePath, Module>,
    sources: BTreeMap<PathBuf, String>,
}

/// A module, in a file or in braces.
#[derive(Default)]
pub(crate) struct Module {
    /// The names that are imported, and their paths.
    imports: BTreeMap<String, Vec<String>>,
    /// The paths of which all names are imported.
    globs: Vec<Vec<String>>,
    /// The names that are defined anywhere in the module.
    items: BTreeSet<String>,
    /// All paths that are named, paths of imports included.
    pub(crate) paths: Vec<NamedPath>,
}

/// A path, and where it is.
#[derive(Clone)]
pub(crate) struct NamedPath {
    names: Vec<String>,
    pub(crate) file: PathBuf,
    pub(crate) line: usize,
}

impl NamedPath {
    /// Whether the path is of an item of the root, and so does not name its room.
    pub(crate) fn is_of_root(&self) -> bool {
        let is_item = |name: &String| name.starts_with(char::is_uppercase);
        self.names[0] == "crate" && self.names.get(1).is_some_and(is_item)
    }
}

impl fmt::Debug for NamedPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at {}:{}", self.names.join("::"), self.file.display(), self.line)
    }
}

type Read<'a> = &'a dyn Fn(&Path) -> Option<String>;

impl Modules {
    /// Reads a package from the file of its root.
    pub(crate) fn read(root: &Path, read: Read<'_>) -> Self {
        let mut modules = Self::default();
        let folder = root.parent().unwrap_or(Path::new(""));
        modules.read_file(root, folder, &Vec::new(), read);
        modules
    }

    fn read_file(&mut self, file: &Path, folder: &Path, path: &ModulePath, read: Read<'_>) {
        let source = read(file).unwrap_or_else(|| panic!("there is no {}", file.display()));
        let tokens = without_tests(&tokens(&source));
        self.read_module(&tokens, file, folder, path, read);
        self.sources.insert(file.to_owned(), source);
    }

    fn read_module(
        &mut self,
        tokens: &[Token<'_>],
        file: &Path,
        folder: &Path,
        path: &ModulePath,
        read: Read<'_>,
    ) {
        let mut module = Module::default();
        let mut at = 0;
        while at < tokens.len() {
            let Token { text, line } = tokens[at];
            let next = |by: usize| tokens.get(at + by).map_or("", |token| token.text);
            let is_path = next(1) == "::";
            match text {
                "mod" if next(2) == ";" || next(2) == "{" => {
                    let child = [&path[..], &[next(1).to_owned()]].concat();
                    let inner = folder.join(next(1));
                    if next(2) == ";" {
                        let beside = folder.join(format!("{}.rs", next(1)));
                        let within = inner.join("mod.rs");
                        let child_file = if read(&beside).is_some() { beside } else { within };
                        let before = tokens[..at].iter().rev();
                        let mut own = before.take_while(|token| ![";", "}"].contains(&token.text));
                        if own.any(|token| token.text == "path") {
                            // `#[path]`: a file of another package, which imports nothing here.
                            self.modules.insert(child, Module::default());
                        } else {
                            self.read_file(&child_file, &inner, &child, read);
                        }
                        at += 3;
                    } else {
                        let len = group_len(&tokens[at + 2..]);
                        let body = &tokens[at + 3..at + 1 + len];
                        self.read_module(body, file, &inner, &child, read);
                        at += 2 + len;
                    }
                }
                "use" if next(1) != "<" => {
                    let (imports, len) = imports(&tokens[at + 1..]);
                    for (names, alias) in imports {
                        module.import(names, &alias, file, line);
                    }
                    at += 1 + len;
                }
                "struct" | "enum" | "trait" | "fn" | "const" | "static" | "type" | "union" => {
                    module.items.insert(next(1).to_owned());
                    at += 1;
                }
                "crate" | "self" | "super" if is_path => {
                    let mut names = vec![text.to_owned()];
                    at += 1;
                    while let [separator, name, ..] = &tokens[at..]
                        && separator.text == "::"
                        && name.text.starts_with(|letter: char| letter.is_alphabetic())
                    {
                        names.push(name.text.to_owned());
                        at += 2;
                    }
                    module.paths.push(NamedPath { names, file: file.to_owned(), line });
                }
                _ => at += 1,
            }
        }
        self.modules.insert(path.clone(), module);
    }

    /// The modules by their paths.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&ModulePath, &Module)> {
        self.modules.iter()
    }

    /// The sources by their files.
    pub(crate) fn files(&self) -> impl Iterator<Item = (&Path, &str)> {
        self.sources.iter().map(|(file, source)| (file.as_path(), source.as_str()))
    }

    /// The module that defines what a module calls by a path: `None` for other packages.
    pub(crate) fn target(&self, from: &ModulePath, path: &NamedPath) -> Option<ModulePath> {
        self.resolve(from, &path.names, 0)
    }

    fn resolve(&self, from: &ModulePath, names: &[String], depth: u32) -> Option<ModulePath> {
        assert!(depth < 32, "{from:?} imports {names:?} from itself");
        let mut at = from.clone();
        let mut rest = names;
        let mut is_here = false;
        while let [first, more @ ..] = rest {
            match first.as_str() {
                "crate" => at.clear(),
                "super" => drop(at.pop()),
                "self" => {}
                _ => break,
            }
            (rest, is_here) = (more, true);
        }
        while let [name, more @ ..] = rest {
            let module = self.modules.get(&at)?;
            let child = [&at[..], std::slice::from_ref(name)].concat();
            if self.modules.contains_key(&child) {
                at = child;
            } else if let Some(import) = module.imports.get(name).filter(|path| {
                // `use anyhow::anyhow` names another package.
                *path != names && path.first() != Some(name)
            }) {
                return self.resolve(&at, &[&import[..], more].concat(), depth + 1);
            } else if let Some(glob) =
                module.globs.iter().filter(|glob| **glob != rest).find_map(|glob| {
                    // A glob of the variants of an enum names no name of the module.
                    let target =
                        self.resolve(&at, glob, depth + 1).filter(|target| *target != at)?;
                    self.modules[&target].names(name).then_some(target)
                })
            {
                return self.resolve(&glob, rest, depth + 1);
            } else {
                return is_here.then_some(at);
            }
            (rest, is_here) = (more, true);
        }
        Some(at)
    }
}

impl Module {
    fn import(&mut self, names: Vec<String>, alias: &str, file: &Path, line: usize) {
        if alias == "*" {
            self.globs.push(names.clone());
        } else {
            self.imports.insert(alias.to_owned(), names.clone());
        }
        self.paths.push(NamedPath { names, file: file.to_owned(), line });
    }

    fn names(&self, name: &str) -> bool {
        self.items.contains(name) || self.imports.contains_key(name)
    }
}

/// The paths of an import, each with the name that it gets, and the number of tokens of all paths.
fn imports(tokens: &[Token<'_>]) -> (Vec<(Vec<String>, String)>, usize) {
    let mut names: Vec<String> = Vec::new();
    let mut at = 0;
    loop {
        match tokens.get(at).map_or("", |token| token.text) {
            "{" => {
                let (mut all, len) = (Vec::new(), group_len(&tokens[at..]));
                let mut inner = &tokens[at + 1..at + len - 1];
                while !inner.is_empty() {
                    let (imports, used) = imports(inner);
                    all.extend(
                        imports
                            .into_iter()
                            .map(|(path, alias)| ([&names[..], &path[..]].concat(), alias)),
                    );
                    let comma = inner.get(used).is_some_and(|token| token.text == ",");
                    inner = &inner[used + usize::from(comma)..];
                }
                let own = names.last().cloned().unwrap_or_default();
                for (path, alias) in &mut all {
                    if path.last().is_some_and(|last| last == "self") {
                        path.pop();
                        if alias == "self" {
                            alias.clone_from(&own);
                        }
                    }
                }
                return (all, at + len);
            }
            "*" => return (vec![(names, "*".to_owned())], at + 1),
            "::" => at += 1,
            "as" => {
                let alias = tokens[at + 1].text.to_owned();
                return (vec![(names, alias)], at + 2);
            }
            "," | ";" | "" => {
                let alias = names.last().cloned().unwrap_or_default();
                return (vec![(names, alias)], at);
            }
            name => {
                names.push(name.to_owned());
                at += 1;
            }
        }
    }
}
