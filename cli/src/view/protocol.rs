//! The messages from the page: JSON texts, checked.

use serde::Deserialize;
use widephase::{
    Error,
    shape::{Capsule, Circle, ConvexPolygon, MAX_COORDINATE, Obb, OwnedShape, Rotation},
};

/// The most bytes of a message.
pub(crate) const MOST_BYTES: usize = 4096;

/// The most bodies of a scene: as many as of the command line. Tests and fuzz targets have this
/// file without the other files of the command.
pub(crate) const MOST_BODIES: u32 = 100_000;

/// The largest seed: a number of JavaScript holds every whole number up to it.
const MOST_SEED: u64 = (1 << 53) - 1;

/// The most bytes of the text of an error, which may quote a message.
const MOST_TEXT: usize = 400;

/// The farthest that the ship of Argon moves in a step, along each axis.
const MOST_WAY: f32 = 100.0;

/// A message from the page.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(tag = "type", rename_all = "kebab-case", deny_unknown_fields)]
pub(crate) enum Message {
    /// Change these settings.
    Settings(Settings),
    /// Play or pause.
    Run { playing: bool },
    /// One step, when paused.
    Step {},
    /// The content of frames.
    Show(Show),
    /// The part of the plane that is seen.
    Look { min: [f32; 2], max: [f32; 2] },
    /// A fan of rays from a point, or no fan.
    Rays { at: Option<[f32; 2]> },
    /// Hold the body at a point.
    Grab { at: [f32; 2] },
    /// Move the body that is held.
    Drag { at: [f32; 2] },
    /// Let go.
    Drop {},
    /// Insert a body.
    Spawn { at: [f32; 2], kind: Kind },
    /// Remove the body at a point.
    Remove { at: [f32; 2] },
    /// Which keys are pressed.
    Keys(Keys),
    /// Begin a round of Argon.
    Argon { area: Area, target: Target, verdict: String },
    /// One step of Argon.
    ArgonStep {
        by: [f32; 2],
        heading: Heading,
        #[serde(default)]
        fire: bool,
    },
    /// Ask all verdicts about a circle (x, y, radius) and a box (left, lower, right, upper side).
    Exhibit { circle: [f32; 3], r#box: [f32; 4] },
    /// This frame was drawn.
    Ack { frame: u32 },
}

/// The settings to change.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Settings {
    pub(crate) scene: Option<String>,
    pub(crate) n: Option<u32>,
    pub(crate) level: Option<String>,
    pub(crate) threads: Option<usize>,
    pub(crate) touching: Option<Rule>,
    pub(crate) seed: Option<u64>,
}

/// Whether touching without overlapping counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Rule {
    Inclusive,
    #[serde(alias = "strict")]
    Exclusive,
}

/// The content of frames besides bodies, and whether the scalar level is timed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Show {
    pub(crate) contacts: bool,
    pub(crate) cells: bool,
    pub(crate) bounds: bool,
    pub(crate) scalar: bool,
}

/// The shape of a body that is inserted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Kind {
    Circle,
    Box,
    Capsule,
    Polygon,
}

impl Kind {
    /// The shape around the origin, `half` its width.
    pub(crate) fn shape(self, half: f32) -> Result<OwnedShape, Error> {
        Ok(match self {
            Kind::Circle => Circle::new([0.0; 2], half).into(),
            Kind::Box => Obb::new([0.0; 2], [half; 2], Rotation::IDENTITY).into(),
            Kind::Capsule => Capsule::new([-half, 0.0], [half, 0.0], 0.5 * half).into(),
            Kind::Polygon => {
                let corners = [[-1.0, -1.0], [1.0, -1.0], [1.0, 0.5], [0.0, 1.25], [-1.0, 0.5]];
                ConvexPolygon::new(&corners.map(|corner| corner.map(|part| part * half)))?.into()
            }
        })
    }
}

/// The keys that are pressed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Keys {
    pub(crate) left: bool,
    pub(crate) right: bool,
    pub(crate) up: bool,
    pub(crate) down: bool,
    pub(crate) fire: bool,
}

/// The collision area of the ship of Argon.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Area {
    Circle,
    TwoCircles,
    Box,
    RotatedBox,
}

/// The collision area of a target of Argon.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Target {
    Circle,
    Box,
}

/// A direction: an angle in radians, or its cosine and sine.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
#[serde(untagged)]
pub(crate) enum Heading {
    Angle(f32),
    Unit([f32; 2]),
}

impl Message {
    /// Reads a message and checks its numbers. Values that depend on the machine or the scene are
    /// not checked here: names, threads, and whether a point is in the world.
    ///
    /// # Errors
    /// A text for the page.
    pub(crate) fn read(text: &str) -> Result<Self, String> {
        if text.len() > MOST_BYTES {
            return Err(format!("a message has at most {MOST_BYTES} bytes"));
        }
        let message: Self = serde_json::from_str(text).map_err(|error| short(error.to_string()))?;
        message.check()?;
        Ok(message)
    }

    fn check(&self) -> Result<(), String> {
        match self {
            Self::Settings(settings) => settings.check(),
            Self::Look { min, max } => {
                point("min", *min)?;
                point("max", *max)?;
                range("look", *min, *max)
            }
            Self::Rays { at: Some(at) }
            | Self::Grab { at }
            | Self::Drag { at }
            | Self::Spawn { at, .. }
            | Self::Remove { at } => point("at", *at),
            Self::ArgonStep { by, heading, .. } => {
                within("by", by, MOST_WAY)?;
                heading.check()
            }
            &Self::Exhibit { circle: [x, y, radius], r#box: [min_x, min_y, max_x, max_y] } => {
                point("circle", [x, y])?;
                within("circle", &[radius], MAX_COORDINATE)?;
                if radius < 0.0 {
                    return Err("circle: a radius is 0 or more".to_owned());
                }
                point("box", [min_x, min_y])?;
                point("box", [max_x, max_y])?;
                range("box", [min_x, min_y], [max_x, max_y])
            }
            Self::Run { .. }
            | Self::Step {}
            | Self::Show(_)
            | Self::Rays { at: None }
            | Self::Drop {}
            | Self::Keys(_)
            | Self::Argon { .. }
            | Self::Ack { .. } => Ok(()),
        }
    }
}

impl Settings {
    fn check(&self) -> Result<(), String> {
        if self.n.is_some_and(|n| !(1..=MOST_BODIES).contains(&n)) {
            return Err(format!("n: a scene has 1 to {MOST_BODIES} bodies"));
        }
        if self.seed.is_some_and(|seed| seed > MOST_SEED) {
            return Err(format!("seed: a seed is at most {MOST_SEED}"));
        }
        Ok(())
    }
}

impl Heading {
    fn check(self) -> Result<(), String> {
        match self {
            Self::Angle(angle) => within("heading", &[angle], 1e6),
            Self::Unit([cos, sin]) => {
                within("heading", &[cos, sin], 1.001)?;
                if (cos * cos + sin * sin - 1.0).abs() > 1e-3 {
                    return Err("heading: cosine and sine have length 1".to_owned());
                }
                Ok(())
            }
        }
    }
}

fn point(field: &str, at: [f32; 2]) -> Result<(), String> {
    within(field, &at, MAX_COORDINATE)
}

fn within(field: &str, values: &[f32], most: f32) -> Result<(), String> {
    // A number that is too large for an `f32` has become infinite.
    match values.iter().all(|value| value.abs() <= most) {
        true => Ok(()),
        false => Err(format!("{field}: a number is from -{most} to {most}")),
    }
}

fn range(field: &str, min: [f32; 2], max: [f32; 2]) -> Result<(), String> {
    match min[0] <= max[0] && min[1] <= max[1] {
        true => Ok(()),
        false => Err(format!("{field}: the upper sides are below the lower sides")),
    }
}

/// A text, cut off where it is long.
fn short(mut text: String) -> String {
    if text.len() > MOST_TEXT {
        text = text.chars().take(MOST_TEXT / 4).collect();
    }
    text
}
