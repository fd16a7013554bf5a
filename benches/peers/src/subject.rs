//! What a program measures its executors on: a scene of loose bodies, or a level.

use std::fmt;

use widephase_scenes::LevelKind;

use crate::scene::SceneKind;

/// The limit of the pairs for each body, as in `widephase compare`: twice the density of the
/// densest scene that can have any size. With more pairs, writing the list would dominate the time.
const PAIRS_A_BODY: f64 = 32.0;

/// A kind of scene, or of level.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Subject {
    /// Bodies that all move.
    Scene(SceneKind),
    /// Bodies that move among resting ones, of which some change.
    Level(LevelKind),
}

impl Subject {
    /// The level with a name.
    pub fn level(name: &str) -> Option<Self> {
        LevelKind::ALL.into_iter().find(|kind| kind.name() == name).map(Subject::Level)
    }

    /// The name, in short form.
    pub fn name(self) -> &'static str {
        match self {
            Subject::Scene(kind) => kind.short_name(),
            Subject::Level(kind) => kind.name(),
        }
    }

    /// What its size is the number of.
    pub fn unit(self) -> &'static str {
        match self {
            Subject::Scene(_) => "bodies",
            Subject::Level(_) => "movers",
        }
    }

    /// The size if `asked` is requested: less for a scene that would have too many pairs.
    pub fn size(self, asked: u32) -> u32 {
        match self {
            Subject::Scene(kind) => kind.most_bodies(asked, PAIRS_A_BODY * f64::from(asked)),
            Subject::Level(_) => asked,
        }
    }
}

impl fmt::Display for Subject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
