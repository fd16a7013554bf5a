//! The texts to the page: JSON.

use serde::Serialize;

/// A text to the page.
#[derive(Debug, Serialize)]
#[serde(tag = "type", rename_all = "kebab-case")]
pub(super) enum Answer {
    Hello(Box<Hello>),
    Settings(Settings),
    Stats(Stats),
    Argon(Argon),
    Exhibit(Exhibit),
    Error { message: String },
}

/// The choices of the page.
#[derive(Debug, Serialize)]
pub(super) struct Hello {
    pub(super) version: &'static str,
    pub(super) cpu: String,
    /// The SIMD levels that run here, the slowest first.
    pub(super) levels: Vec<&'static str>,
    pub(super) level: &'static str,
    pub(super) cores: usize,
    pub(super) scenes: Vec<SceneInfo>,
    pub(super) argon: ArgonInfo,
}

#[derive(Debug, Serialize)]
pub(super) struct SceneInfo {
    pub(super) id: String,
    pub(super) title: String,
    /// The most bodies.
    pub(super) most: u32,
    /// The names of groups 1, 2 and 3 of bodies, which have colours of their own.
    pub(super) groups: &'static [&'static str],
}

#[derive(Debug, Serialize)]
pub(super) struct ArgonInfo {
    pub(super) areas: Vec<&'static str>,
    pub(super) targets: Vec<&'static str>,
    pub(super) verdicts: Vec<VerdictInfo>,
    /// The round of `examples/argon`, step by step.
    pub(super) script: Vec<ScriptStep>,
}

#[derive(Debug, Serialize)]
pub(super) struct VerdictInfo {
    pub(super) name: &'static str,
    /// The areas of ship and target that it is for.
    pub(super) r#for: Vec<[&'static str; 2]>,
}

#[derive(Debug, Clone, Copy, Serialize)]
pub(super) struct ScriptStep {
    pub(super) by: [f32; 2],
    /// Cosine and sine.
    pub(super) heading: [f32; 2],
    pub(super) fire: bool,
}

#[derive(Debug, Serialize)]
pub(super) struct Settings {
    pub(super) scene: String,
    pub(super) n: u32,
    pub(super) level: &'static str,
    pub(super) threads: usize,
    pub(super) touching: &'static str,
    pub(super) seed: u64,
    pub(super) playing: bool,
    /// Where the camera starts: left, lower, right, upper side.
    pub(super) bounds: [f32; 4],
}

#[derive(Debug, Serialize)]
pub(super) struct Stats {
    pub(super) step: u32,
    pub(super) bodies: usize,
    pub(super) pairs: usize,
    pub(super) contacts: usize,
    /// The pairs that touch since the last step, and the pairs that no longer touch.
    pub(super) started: usize,
    pub(super) stopped: usize,
    /// The bodies that touch another body.
    pub(super) touching: usize,
    /// `World::state_hash` after this step, as hex; `None` if it was not computed.
    pub(super) state: Option<String>,
    /// The time of each phase of the last step, in nanoseconds.
    pub(super) phases: Vec<(&'static str, u64)>,
    pub(super) step_ns: u64,
    /// The median time of the last steps at this level, and of as many steps at the scalar level on
    /// one thread, in turns.
    pub(super) level_ns: Option<u64>,
    pub(super) scalar_ns: Option<u64>,
    /// The frames sent so far.
    pub(super) frames: u32,
    pub(super) level: &'static str,
    pub(super) threads: usize,
}

#[derive(Debug, PartialEq, Serialize)]
pub(super) struct Argon {
    pub(super) step: u32,
    pub(super) state: &'static str,
    pub(super) label: String,
    pub(super) events: Vec<String>,
    /// Whether no target is left.
    pub(super) over: bool,
}

#[derive(Debug, Serialize)]
pub(super) struct Exhibit {
    /// The zone of the circle's centre, row by row from the lower left zone.
    pub(super) zone: u8,
    pub(super) verdicts: Vec<Judgement>,
}

#[derive(Debug, Serialize)]
pub(super) struct Judgement {
    pub(super) name: &'static str,
    pub(super) touches: bool,
    pub(super) why: String,
}
