//! Arrows: a module imports from a module beside it.

use std::{collections::BTreeMap, fmt};

use crate::modules::{ModulePath, Modules, NamedPath};

/// The arrows between the modules beside each other, by the module that both modules are in.
pub(crate) struct Arrows(BTreeMap<ModulePath, Beside>);

/// For each module of a folder: the modules beside it that it imports from, and the first place
/// where it does.
type Beside = BTreeMap<String, BTreeMap<String, NamedPath>>;

/// A room imports from another room: their numbers in the list of rooms, and a place of such an
/// import.
pub(crate) struct Arrow<'a> {
    pub(crate) from: usize,
    pub(crate) to: usize,
    rooms: &'a [ModulePath],
    place: NamedPath,
}

impl fmt::Debug for Arrow<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [from, to] = [self.from, self.to].map(|room| self.rooms[room].join("/"));
        write!(f, "{from} → {to} ({:?})", self.place)
    }
}

/// The arrows between rooms, each once.
pub(crate) fn between<'a>(modules: &Modules, rooms: &'a [ModulePath]) -> Vec<Arrow<'a>> {
    let room_of = |module: &ModulePath| {
        let has = |(_, room): &(usize, &ModulePath)| module.starts_with(room);
        let rooms = rooms.iter().enumerate().filter(has);
        rooms.max_by_key(|(_, room)| room.len()).map(|(place, _)| place)
    };
    let mut arrows = BTreeMap::new();
    for (module, named) in modules.iter() {
        for path in &named.paths {
            let to = modules.target(module, path).and_then(|target| room_of(&target));
            if let (Some(from), Some(to)) = (room_of(module), to)
                && from != to
            {
                let place = path.clone();
                arrows.entry((from, to)).or_insert(Arrow { from, to, rooms, place });
            }
        }
    }
    arrows.into_values().collect()
}

impl Arrows {
    pub(crate) fn of(modules: &Modules) -> Self {
        let mut arrows: BTreeMap<ModulePath, Beside> = BTreeMap::new();
        for (from, module) in modules.iter() {
            for path in &module.paths {
                let Some(to) = modules.target(from, path) else { continue };
                let common = from.iter().zip(&to).take_while(|(a, b)| a == b).count();
                if common < from.len().min(to.len()) {
                    let beside = arrows.entry(from[..common].to_vec()).or_default();
                    let targets = beside.entry(from[common].clone()).or_default();
                    targets.entry(to[common].clone()).or_insert_with(|| path.clone());
                }
            }
        }
        Self(arrows)
    }

    /// A circle of each folder that has a circle.
    pub(crate) fn circles(&self) -> impl Iterator<Item = String> {
        self.0.iter().filter_map(|(folder, beside)| {
            let circle = circle(beside)?;
            let mut text = format!("{}: {}", folder.join("/"), circle[0]);
            for (at, from) in circle.iter().enumerate() {
                let to = circle[(at + 1) % circle.len()];
                let NamedPath { file, line, .. } = &beside[*from][to];
                text += &format!(" → {to} ({}:{line})", file.display());
            }
            Some(text)
        })
    }
}

/// A circle of modules: each imports from the next module, and the last from the first.
fn circle(beside: &Beside) -> Option<Vec<&str>> {
    let mut left: Vec<&str> = beside.keys().map(String::as_str).collect();
    // Modules that import from none of the remaining modules are in no circle.
    loop {
        let imports = |from: &str| left.iter().copied().find(|to| beside[from].contains_key(*to));
        let rest: Vec<_> = left.iter().copied().filter(|from| imports(from).is_some()).collect();
        if rest.len() < left.len() {
            left = rest;
            continue;
        }
        let mut walk = vec![*left.first()?];
        loop {
            let next = imports(walk.last()?)?;
            if let Some(first) = walk.iter().position(|module| *module == next) {
                return Some(walk.split_off(first));
            }
            walk.push(next);
        }
    }
}
