//! The executors, which find pairs, or do whole steps, in the measured ways, a file for each.

mod box2d;
mod box2d_level;
mod box2d_world;
mod broccoli;
mod contract;
mod geo_index;
mod hash_map;
mod level;
mod parry;
mod rapier;
mod rapier_level;
mod rstar;
mod scalar_grid;
mod spatial;
mod static_index;
mod widephase;
mod world;

use std::borrow::Cow;

use crate::scene::SceneKind;
use ::widephase::SimdLevel;
use anyhow::{Result, bail};
use widephase_scenes::{LevelKind, Subject};

use crate::{bodies::Rows, level_world::LevelWorld};
use world::Poses;

pub use contract::Executor;
pub use level::LevelExecutor;
pub use widephase::options;

/// A named executor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    pub name: Cow<'static, str>,
    /// The measured package, as in `Cargo.lock`; `None` for an executor written in this program.
    package: Option<&'static str>,
    kind: Kind,
}

/// How two sets of pairs must agree.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Agreement {
    /// All pairs are equal.
    Exact,
    /// Pairs within rounding of touching may differ, because the executor decides by its own
    /// arithmetic.
    UpToRounding,
    /// Pairs within rounding and this distance of touching may differ, and very few others, because
    /// the executor keeps pairs that it found before.
    Mostly(f32),
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
    World { level: Option<SimdLevel>, poses: Poses },
    Contacts,
    Events,
    RapierStep,
    Box2dStep,
}

/// The name of the executor with which all other executors are compared.
pub const WIDEPHASE: &str = "widephase";

/// The executors that find all pairs, in the order of the report.
pub const ALL: &[Entry] = &[
    Entry::new(WIDEPHASE, Some(WIDEPHASE), Kind::Widephase(None)),
    Entry::new("scalar-grid", None, Kind::ScalarGrid),
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

/// The executors that do whole steps, and widephase's stateless calls on the same scenes, in the
/// order of the report.
pub const STEPS: &[Entry] = &[
    Entry::new(WIDEPHASE, Some(WIDEPHASE), Kind::World { level: None, poses: Poses::Timed }),
    Entry::new(
        "widephase-step",
        Some(WIDEPHASE),
        Kind::World { level: None, poses: Poses::Before },
    ),
    Entry::new("widephase-pairs", Some(WIDEPHASE), Kind::Widephase(None)),
    Entry::new("widephase-events", Some(WIDEPHASE), Kind::Events),
    Entry::new("widephase-contacts", Some(WIDEPHASE), Kind::Contacts),
    Entry::new("rapier2d", Some("rapier2d"), Kind::RapierStep),
    Entry::new("box2d", Some("boxdd-sys"), Kind::Box2dStep),
];

impl Entry {
    const fn new(name: &'static str, package: Option<&'static str>, kind: Kind) -> Self {
        Self { name: Cow::Borrowed(name), package, kind }
    }

    /// The executor at one SIMD level; `None` for an executor without SIMD levels.
    pub fn at(&self, level: SimdLevel) -> Option<Self> {
        let kind = match self.kind {
            Kind::Widephase(_) => Kind::Widephase(Some(level)),
            Kind::World { poses, .. } => Kind::World { level: Some(level), poses },
            _ => return None,
        };
        Some(Self { name: Cow::Owned(format!("{}-{level}", self.name)), kind, ..self.clone() })
    }

    /// Whether it is a library by other authors.
    pub fn is_library(&self) -> bool {
        self.package.is_some_and(|package| package != WIDEPHASE)
    }

    /// Whether it also runs levels.
    pub fn has_levels(&self) -> bool {
        matches!(
            self.kind,
            Kind::World { poses: Poses::Timed, .. } | Kind::RapierStep | Kind::Box2dStep
        )
    }

    /// The executor in a level that it has built.
    pub fn build_level(
        &self,
        kind: LevelKind,
        movers: u32,
        seed: u64,
    ) -> Result<Box<dyn LevelExecutor>> {
        Ok(match self.kind {
            Kind::World { level, poses: Poses::Timed } => {
                Box::new(LevelWorld::new(kind, movers, seed, options(level))?)
            }
            Kind::RapierStep => Box::new(rapier_level::RapierLevel::new(kind, movers, seed)),
            Kind::Box2dStep => Box::new(box2d_level::Box2dLevel::new(kind, movers, seed)),
            _ => bail!("{} runs no levels", self.name),
        })
    }

    /// The reason why it cannot run this scene with this many bodies, if there is one.
    pub fn declines(&self, subject: Subject, n: u32) -> Option<&'static str> {
        // For boxes in one place its tree is a list. Beyond the capacity of its queries it ends the
        // process.
        let too_deep = subject == Subject::Scene(SceneKind::Coincident) && n > 1000;
        (matches!(self.kind, Kind::Box2d | Kind::Box2dStep) && too_deep)
            .then_some("its tree gets deeper than its stack")
    }

    /// How its set of pairs must agree with widephase's.
    pub fn agreement(&self) -> Agreement {
        match self.kind {
            // A world moves boxes by their centres, which rounds their sides.
            Kind::World { .. } | Kind::Rapier | Kind::Box2dStep => Agreement::UpToRounding,
            Kind::RapierStep => Agreement::Mostly(rapier::KEPT),
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
            Kind::World { level, poses } => Box::new(world::Step::new(level, poses)?),
            Kind::Contacts => Box::new(world::Contacts::new()?),
            Kind::Events => Box::new(world::Events::new()?),
            Kind::RapierStep => Box::new(rapier::RapierStep::default()),
            Kind::Box2dStep => Box::new(box2d_world::Box2dWorld::default()),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_library_declines_one_scene() {
        let all = || ALL.iter().chain(STEPS);
        let declined: Vec<(&str, SceneKind)> = all()
            .flat_map(|entry| SceneKind::ALL.map(|kind| (entry, kind)))
            .filter(|(entry, kind)| entry.declines(Subject::Scene(*kind), 1001).is_some())
            .map(|(entry, kind)| (&*entry.name, kind))
            .collect();
        assert_eq!(declined, ["box2d-tree", "box2d"].map(|name| (name, SceneKind::Coincident)));
        let at_one_place = Subject::Scene(SceneKind::Coincident);
        assert!(all().all(|entry| entry.declines(at_one_place, 1000).is_none()));
    }
}
