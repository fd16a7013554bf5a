//! Argon: the game of `examples/argon`, step by step.

#[allow(dead_code, unused_imports, reason = "the whole round at once is for the example")]
#[path = "../../../examples/argon/game/mod.rs"]
mod game;

use widephase::{Error, Options, World, shape::Rotation};

use self::game::{
    AREAS, Command, Event, Game, State, TargetArea,
    round::{TARGETS, script},
};
use super::{
    answer::{Argon, ArgonInfo, ScriptStep, VerdictInfo},
    frame::Area as Sides,
    protocol::{Area, Heading, Target},
};

pub(super) use self::game::{VERDICTS, Verdict};

/// The ship and the targets.
pub(super) const BODIES: u32 = 1 + TARGETS.len() as u32;

/// Around the field of targets.
const SIDES: Sides = [-60.0, -160.0, 500.0, 160.0];

const AREA_NAMES: [(&str, game::Area); 4] = [
    ("circle", game::Area::Circle),
    ("two-circles", game::Area::TwoCircles),
    ("box", game::Area::Box),
    ("rotated-box", game::Area::RotatedBox),
];

const TARGET_NAMES: [(&str, TargetArea); 2] =
    [("circle", TargetArea::Circle), ("box", TargetArea::Box)];

/// A round of the game.
pub(super) struct Round {
    game: Game,
    step: u32,
    /// Workspace.
    events: Vec<Event>,
}

/// The choices of the page, and the round of the example.
pub(super) fn info() -> ArgonInfo {
    let name = |(area, target)| {
        let area = AREA_NAMES.iter().find(|(_, of)| *of == area).map_or("", |(name, _)| *name);
        let target =
            TARGET_NAMES.iter().find(|(_, of)| *of == target).map_or("", |(name, _)| *name);
        [area, target]
    };
    let verdict = |verdict: Verdict| VerdictInfo {
        name: verdict.name,
        r#for: AREAS.into_iter().filter(|areas| verdict.is_for(*areas)).map(name).collect(),
    };
    let step = |Command { by, heading, fire }| {
        let heading = [heading.cos, heading.sin];
        ScriptStep { by, heading, fire }
    };
    ArgonInfo {
        areas: AREA_NAMES.map(|(name, _)| name).to_vec(),
        targets: TARGET_NAMES.map(|(name, _)| name).to_vec(),
        verdicts: VERDICTS.map(verdict).into(),
        script: script().map(step).collect(),
    }
}

impl Round {
    /// The round that is there at the start: circles, judged by the engine.
    pub(super) fn first(options: Options) -> Result<Self, Error> {
        Self::of((game::Area::Circle, TargetArea::Circle), VERDICTS[0], options)
    }

    /// A round with these areas and this verdict.
    ///
    /// # Errors
    /// A text for the page, if there is no such verdict or it is not for these areas.
    pub(super) fn new(
        area: Area,
        target: Target,
        verdict: &str,
        options: Options,
    ) -> Result<Self, String> {
        let area = match area {
            Area::Circle => game::Area::Circle,
            Area::TwoCircles => game::Area::TwoCircles,
            Area::Box => game::Area::Box,
            Area::RotatedBox => game::Area::RotatedBox,
        };
        let target = match target {
            Target::Circle => TargetArea::Circle,
            Target::Box => TargetArea::Box,
        };
        let verdict = VERDICTS.into_iter().find(|known| known.name == verdict);
        let verdict = verdict.ok_or("verdict: not a verdict of `hello`")?;
        if !verdict.is_for((area, target)) {
            return Err(format!("verdict: {} is not for these areas", verdict.name));
        }
        Self::of((area, target), verdict, options).map_err(|error| error.to_string())
    }

    fn of(
        areas: (game::Area, TargetArea),
        verdict: Verdict,
        options: Options,
    ) -> Result<Self, Error> {
        let game = Game::new(areas, &TARGETS, verdict, options)?;
        Ok(Self { game, step: 0, events: Vec::new() })
    }

    pub(super) fn world(&self) -> &World {
        &self.game.world
    }

    pub(super) fn world_mut(&mut self) -> &mut World {
        &mut self.game.world
    }

    pub(super) fn bounds(&self) -> Sides {
        SIDES
    }

    /// Sets the level and the threads. Whether touching counts is up to the verdict.
    pub(super) fn set_options(&mut self, options: Options) -> Result<(), Error> {
        let touching = self.game.world.options().touching;
        self.game.world.set_options(Options { touching, ..options })
    }

    /// Moves everything.
    pub(super) fn step(&mut self, by: [f32; 2], heading: Heading, fire: bool) -> Result<(), Error> {
        let heading = match heading {
            Heading::Angle(angle) => Rotation::from_angle(angle),
            Heading::Unit([cos, sin]) => Rotation { cos, sin },
        };
        self.events.clear();
        self.game.step(Command { by, heading, fire }, &mut self.events)?;
        self.step += 1;
        Ok(())
    }

    /// The state after the last step, and its changes.
    pub(super) fn answer(&self) -> Argon {
        let event = |event: &Event| match event {
            Event::Ship(state) => state.to_string(),
            Event::Rocket(target) => format!("a rocket and target {target} are gone"),
        };
        let world = &self.game.world;
        let is_target = |body| world.body(body).is_ok_and(|body| body.user != 0);
        Argon {
            step: self.step,
            state: if self.game.state == State::Hit { "hit" } else { "safe" },
            label: self.game.state.to_string(),
            events: self.events.iter().map(event).collect(),
            over: !world.handles().any(is_target),
        }
    }
}
