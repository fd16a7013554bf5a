//! The scenes: bodies, and how they move. The library has no dynamics, so all bodies are moved
//! here, by the contacts that the world finds.
//!
//! ```text
//! scene.rs      what the engine asks of a scene
//! bodies.rs     bodies with speeds in the rows of a world, and what holds, inserts, removes them
//! gas.rs        circles that bounce: all of one size, or giants among pebbles
//! pit.rs        boxes, capsules, polygons and circles that fall into a pit and come to rest
//! crowd.rs      two crowds that walk through each other
//! adversary.rs  the adversaries of the library's scenes
//! shooter.rs    the game of examples/shooter
//! ```

mod adversary;
mod bodies;
mod crowd;
mod gas;
mod pit;
mod scene;
mod shooter;
#[path = "../../../../examples/world_stack/solver.rs"]
mod solver;

use widephase::{Error, Handle, Options, World};

use super::{answer::SceneInfo, argon, frame::Area};
use crate::values::{MOST_BODIES, SceneId};

pub(super) use scene::{Input, Scene};

/// The most pairs of an adversary at its start, which bounds its number of bodies.
const MOST_PAIRS: f64 = 8e5;

impl SceneId {
    pub(super) fn info(self) -> SceneInfo {
        let title = match self {
            Self::Gas => "Gas: circles that bounce".to_owned(),
            Self::Pit => "Pit: bodies that fall and come to rest".to_owned(),
            Self::Crowd => "Crowd: two crowds that meet".to_owned(),
            Self::Shooter => "Shooter: two teams and their bullets".to_owned(),
            Self::Pebbles => "Pebbles: giants among pebbles".to_owned(),
            Self::Adversary(kind) => format!("Adversary: {}", kind.long_name().replace('-', " ")),
            Self::Argon => "Argon: a ship, rockets and targets".to_owned(),
        };
        let groups: &[&str] = match self {
            Self::Crowd => &crowd::GROUPS,
            Self::Shooter => &shooter::GROUPS,
            _ => &[],
        };
        SceneInfo { id: self.name().to_owned(), title, most: self.most(), groups }
    }

    /// The most bodies.
    pub(super) fn most(self) -> u32 {
        match self {
            Self::Gas | Self::Pit | Self::Crowd | Self::Pebbles => MOST_BODIES,
            Self::Adversary(kind) => kind.most_bodies(MOST_BODIES, MOST_PAIRS),
            Self::Shooter => shooter::UNITS,
            Self::Argon => argon::BODIES,
        }
    }

    /// The scene with `n` bodies, or with as many as it may have.
    pub(super) fn build(self, n: u32, seed: u64, options: Options) -> Result<Stage, Error> {
        let n = n.min(self.most());
        Ok(match self {
            Self::Gas => Stage::Bodies(Box::new(gas::gas(n, seed, options)?)),
            Self::Pebbles => Stage::Bodies(Box::new(gas::pebbles(n, seed, options)?)),
            Self::Pit => Stage::Bodies(Box::new(pit::Pit::new(n, seed, options)?)),
            Self::Crowd => Stage::Bodies(Box::new(crowd::Crowd::new(n, seed, options)?)),
            Self::Adversary(kind) => {
                Stage::Bodies(Box::new(adversary::Adversary::new(kind, n, seed, options)?))
            }
            Self::Shooter => Stage::Bodies(Box::new(shooter::Shooter::new(options)?)),
            Self::Argon => Stage::Argon(Box::new(argon::Round::first(options)?)),
        })
    }
}

/// A scene that runs.
pub(super) enum Stage {
    /// It moves by the clock of the engine.
    Bodies(Box<dyn Scene>),
    /// It moves by the clock of the page.
    Argon(Box<argon::Round>),
}

impl Stage {
    pub(super) fn world(&self) -> &World {
        match self {
            Self::Bodies(scene) => scene.world(),
            Self::Argon(round) => round.world(),
        }
    }

    pub(super) fn world_mut(&mut self) -> &mut World {
        match self {
            Self::Bodies(scene) => scene.world_mut(),
            Self::Argon(round) => round.world_mut(),
        }
    }

    pub(super) fn bounds(&self) -> Area {
        match self {
            Self::Bodies(scene) => scene.bounds(),
            Self::Argon(round) => round.bounds(),
        }
    }

    /// The group of a body, from 1, or 0 if it is in no group.
    pub(super) fn group(&self, body: Handle) -> u8 {
        match self {
            Self::Bodies(scene) => scene.group(body),
            Self::Argon(_) => 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use widephase::{Motion, glam::Vec2};

    use super::*;

    /// Each scene has the requested bodies, or its most, and runs; no body gets lost.
    #[test]
    fn every_scene_of_any_size_runs() -> Result<(), Error> {
        for scene in SceneId::all() {
            assert_eq!(SceneId::named(scene.name()), Ok(scene));
            for n in [1, 2, 9, 301] {
                let mut stage = scene.build(n, 7, Options::default())?;
                let moving = |world: &World| {
                    let is_moving = |body: &Handle| {
                        world.body(*body).is_ok_and(|body| body.motion == Motion::Moving)
                    };
                    world.handles().filter(is_moving).count() as u32
                };
                let [left, lower, right, upper] = stage.bounds();
                assert!(left < right && lower < upper, "{scene:?}, {n}");
                let Stage::Bodies(running) = &mut stage else { continue };
                if scene != SceneId::Shooter {
                    assert_eq!(moving(running.world()), n.min(scene.most()), "{scene:?}");
                }
                for _ in 0..60 {
                    running.step(&Input::default())?;
                }
                let world = running.world();
                if !matches!(scene, SceneId::Adversary(_)) {
                    let inside = |at: Vec2| {
                        (left..=right).contains(&at.x) && (lower..=upper).contains(&at.y)
                    };
                    let fixed =
                        |body| world.body(body).map_or(true, |body| body.motion == Motion::Static);
                    let at = |body| world.pose(body).unwrap_or_default().position();
                    let mut bodies = world.handles();
                    assert!(bodies.all(|body| fixed(body) || inside(at(body))), "{scene:?}, {n}");
                }
            }
        }
        Ok(())
    }

    #[test]
    fn an_unknown_scene_is_told_the_names() {
        let error = SceneId::named("soup").unwrap_err();
        assert!(error.starts_with("\"soup\" is not a scene; the scenes are: gas, pit, crowd"));
        assert!(error.ends_with("pile, argon"), "{error}");
    }
}
