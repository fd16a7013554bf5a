//! The executors, which find the pairs in the measured ways, one file each.

mod box2d;
mod broccoli;
mod geo_index;
mod hash_map;
mod parry;
mod rapier;
mod rstar;
mod scalar_grid;
mod spatial;
mod static_index;
mod widephase;

use std::borrow::Cow;

use ::widephase::{Pair, SimdLevel, scene::SceneKind};
use anyhow::Result;

use crate::bodies::Rows;

/// An algorithm from columns of bodies to the list of touching pairs.
pub trait Executor<R: Rows> {
    /// Called once with each new scene. It is not timed: executors that keep a structure from step
    /// to step build it here.
    fn begin(&mut self, _rows: &R) -> Result<()> {
        Ok(())
    }

    /// Appends all touching pairs to `pairs`, which is empty, in any order.
    fn detect(&mut self, rows: &R, pairs: &mut Vec<Pair>) -> Result<()>;
}

/// A named executor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    pub name: Cow<'static, str>,
    /// The measured package, as in `Cargo.lock`; `None` for an executor written in this program.
    package: Option<&'static str>,
    kind: Kind,
}

/// How two sets of pairs must agree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Agreement {
    /// All pairs are equal.
    Exact,
    /// Pairs within rounding of touching may differ, because the executor decides by its own
    /// arithmetic.
    UpToRounding,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Widephase(Option<SimdLevel>),
    ScalarGrid,
    HashMap,
    ParryRebuild,
    ParryRefit,
    Broccoli,
    Rstar,
    StaticIndex,
    GeoIndex,
    Rapier,
    Box2d,
}

/// The name of the executor with which all others are compared.
pub const WIDEPHASE: &str = "widephase";

/// The better of the two grids written in this program.
pub const SCALAR_GRID: &str = "scalar-grid";

/// All executors, in the order of the report.
pub const ALL: &[Entry] = &[
    Entry::new(WIDEPHASE, Some("widephase"), Kind::Widephase(None)),
    Entry::new(SCALAR_GRID, None, Kind::ScalarGrid),
    Entry::new("hash-map", None, Kind::HashMap),
    Entry::new("parry-rebuild", Some("parry2d"), Kind::ParryRebuild),
    Entry::new("parry-refit", Some("parry2d"), Kind::ParryRefit),
    Entry::new("broccoli", Some("broccoli"), Kind::Broccoli),
    Entry::new("rstar", Some("rstar"), Kind::Rstar),
    Entry::new("static_aabb2d_index", Some("static_aabb2d_index"), Kind::StaticIndex),
    Entry::new("geo-index", Some("geo-index"), Kind::GeoIndex),
    Entry::new("rapier2d", Some("rapier2d"), Kind::Rapier),
    Entry::new("box2d-tree", Some("boxdd-sys"), Kind::Box2d),
];

impl Entry {
    const fn new(name: &'static str, package: Option<&'static str>, kind: Kind) -> Self {
        Self { name: Cow::Borrowed(name), package, kind }
    }

    /// widephase at one SIMD level.
    pub fn level(level: SimdLevel) -> Self {
        Self {
            name: Cow::Owned(format!("{WIDEPHASE}-{level}")),
            kind: Kind::Widephase(Some(level)),
            ..ALL[0].clone()
        }
    }

    /// Whether it is a library by other authors.
    pub fn is_library(&self) -> bool {
        !matches!(self.kind, Kind::Widephase(_)) && self.package.is_some()
    }

    /// The reason why it cannot run this scene with this many bodies, if there is one.
    pub fn declines(&self, scene: SceneKind, n: u32) -> Option<&'static str> {
        // For boxes in one place its tree is a list. Beyond the capacity of its queries it ends the
        // process.
        let too_deep = scene == SceneKind::Coincident && n > 1000;
        (self.kind == Kind::Box2d && too_deep).then_some("its tree gets deeper than its stack")
    }

    /// How its set of pairs must agree with widephase's.
    pub fn agreement(&self) -> Agreement {
        match self.kind {
            Kind::Rapier => Agreement::UpToRounding,
            _ => Agreement::Exact,
        }
    }

    /// The executor, without any state.
    pub fn build<R: Rows>(&self) -> Result<Box<dyn Executor<R>>> {
        Ok(match self.kind {
            Kind::Widephase(level) => Box::new(widephase::Widephase::new(level)?),
            Kind::ScalarGrid => Box::new(scalar_grid::ScalarGrid::default()),
            Kind::HashMap => Box::new(hash_map::HashMapGrid),
            Kind::ParryRebuild => Box::new(parry::ParryRebuild::default()),
            Kind::ParryRefit => Box::new(parry::ParryRefit::default()),
            Kind::Broccoli => Box::new(broccoli::Broccoli::default()),
            Kind::Rstar => Box::new(rstar::Rstar),
            Kind::StaticIndex => Box::new(static_index::StaticIndex::default()),
            Kind::GeoIndex => Box::new(geo_index::GeoIndex),
            Kind::Rapier => Box::new(rapier::Rapier::default()),
            Kind::Box2d => Box::new(box2d::Box2dTree::default()),
        })
    }

    /// The version of the package, from `Cargo.lock`; `-` for an executor written in this program.
    pub fn version(&self) -> &'static str {
        let Some(package) = self.package else { return "-" };
        include_str!("../../Cargo.lock")
            .split("[[package]]")
            .filter_map(|entry| entry.trim_start().strip_prefix("name = \"")?.split_once('"'))
            .find(|(name, _)| *name == package)
            .and_then(|(_, rest)| rest.split('"').nth(1))
            .unwrap_or("?")
    }
}

/// A pair with the smaller index first.
fn pair(a: u32, b: u32) -> Pair {
    Pair { a: a.min(b), b: a.max(b) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_library_declines_one_scene() {
        let declined: Vec<(&str, SceneKind)> = ALL
            .iter()
            .flat_map(|entry| SceneKind::ALL.map(|kind| (entry, kind)))
            .filter(|(entry, kind)| entry.declines(*kind, 1001).is_some())
            .map(|(entry, kind)| (&*entry.name, kind))
            .collect();
        assert_eq!(declined, [("box2d-tree", SceneKind::Coincident)]);
        assert!(ALL.iter().all(|entry| entry.declines(SceneKind::Coincident, 1000).is_none()));
    }
}
