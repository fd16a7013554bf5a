//! The scripted round.

use widephase::{Error, Options, shape::Rotation};

use super::{Area, Command, Event, Game, TargetArea, Verdict};

const EAST: Rotation = Rotation::IDENTITY;
const SOUTH: Rotation = Rotation { cos: 0.0, sin: -1.0 };
/// The direction of (3, 4).
const UP: Rotation = Rotation { cos: 0.6, sin: 0.8 };

/// The centres of the targets, A to E.
pub(crate) const TARGETS: [[f32; 2]; 5] =
    [[107.0, 35.0], [250.0, 27.0], [351.0, 52.0], [203.0, -55.0], [400.0, 3.0]];

/// The areas of the ship and of the targets to play with.
pub(crate) const AREAS: [(Area, TargetArea); 8] = [
    (Area::Circle, TargetArea::Circle),
    (Area::Circle, TargetArea::Box),
    (Area::TwoCircles, TargetArea::Circle),
    (Area::TwoCircles, TargetArea::Box),
    (Area::Box, TargetArea::Circle),
    (Area::Box, TargetArea::Box),
    (Area::RotatedBox, TargetArea::Circle),
    (Area::RotatedBox, TargetArea::Box),
];

/// Runs of steps: their number, the displacement in each, the heading, and whether the first step
/// fires.
const LEGS: [(u32, [f32; 2], Rotation, bool); 9] = [
    (60, [5.0, 0.0], EAST, false),   // below A and B, to (300, 0)
    (5, [3.0, 4.0], UP, false),      // towards the corner of C, to (315, 20)
    (5, [-3.0, -4.0], UP, false),    // and back
    (1, [0.0, -5.0], SOUTH, false),  // down to (300, -5)
    (25, [-5.0, 0.0], SOUTH, false), // back between B and D, to (175, -5)
    (1, [5.0, 8.0], EAST, false),    // to (180, 3)
    (4, [0.0, 0.0], EAST, true),     // steps 98 to 101
    (11, [0.0, 0.0], EAST, true),    // steps 102 to 112
    (12, [10.0, 0.0], EAST, false),  // below B again, to (300, 3)
];

/// The changes in a round, and their steps.
pub(crate) type Changes = Vec<(u32, Event)>;

/// Plays the round.
pub(crate) fn play(
    areas: (Area, TargetArea),
    verdict: Verdict,
    options: Options,
) -> Result<Changes, Error> {
    let mut game = Game::new(areas, &TARGETS, verdict, options)?;
    let (mut changes, mut events) = (Changes::new(), vec![]);
    for (step, command) in (1..).zip(script()) {
        game.step(command, &mut events)?;
        changes.extend(events.drain(..).map(|event| (step, event)));
    }
    Ok(changes)
}

/// The actions of the player in each step of the round.
pub(crate) fn script() -> impl Iterator<Item = Command> {
    LEGS.into_iter().flat_map(|(steps, by, heading, fires)| {
        (0..steps).map(move |at| Command { by, heading, fire: fires && at == 0 })
    })
}
