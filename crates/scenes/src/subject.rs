//! The subjects of measurements: scenes of loose bodies, and levels.

use std::{fmt, str::FromStr};

use crate::{LevelKind, SceneKind, UnknownScene};

/// A kind of scene, or of level.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Subject {
    /// Bodies that all move.
    Scene(SceneKind),
    /// Bodies that move among resting bodies, some of which change.
    Level(LevelKind),
}

impl Subject {
    /// The name; for a scene, the short name.
    pub const fn name(self) -> &'static str {
        match self {
            Subject::Scene(kind) => kind.short_name(),
            Subject::Level(kind) => kind.name(),
        }
    }

    /// The unit of its size: `bodies` or `movers`.
    pub const fn unit(self) -> &'static str {
        match self {
            Subject::Scene(_) => "bodies",
            Subject::Level(_) => "movers",
        }
    }

    /// One of these: `body` or `mover`.
    pub const fn one(self) -> &'static str {
        match self {
            Subject::Scene(_) => "body",
            Subject::Level(_) => "mover",
        }
    }
}

impl fmt::Display for Subject {
    /// Writes the name.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Subject {
    type Err = UnknownSubject;

    /// Parses the name of a level, or a short or long name of a scene, in upper or lower case.
    fn from_str(name: &str) -> Result<Self, UnknownSubject> {
        let plain = name.trim().to_ascii_lowercase();
        match LevelKind::ALL.into_iter().find(|kind| kind.name() == plain) {
            Some(kind) => Ok(Subject::Level(kind)),
            None => name.parse().map(Subject::Scene).map_err(UnknownSubject),
        }
    }
}

/// The error for a name that is the name neither of a scene nor of a level.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownSubject(UnknownScene);

impl std::error::Error for UnknownSubject {}

impl fmt::Display for UnknownSubject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(scene) = self;
        write!(f, "{scene}; the levels are: {}", LevelKind::ALL.map(LevelKind::name).join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_name_is_read() {
        for kind in LevelKind::ALL {
            assert_eq!(kind.name().to_uppercase().parse(), Ok(Subject::Level(kind)));
        }
        for kind in SceneKind::ALL {
            for name in [kind.short_name(), kind.long_name()] {
                assert_eq!(name.parse(), Ok(Subject::Scene(kind)));
            }
        }
        let error = "caves".parse::<Subject>().unwrap_err().to_string();
        assert!(error.starts_with("\"caves\" is not a scene; the scenes are: s1 ("), "{error}");
        assert!(error.ends_with("; the levels are: cave, tiles, pit, map"), "{error}");
    }
}
