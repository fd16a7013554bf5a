//! A scene of `view`, by its name.

use crate::scene::SceneKind;

/// The most bodies of a scene.
pub(crate) const MOST_BODIES: u32 = 100_000;

/// A scene by its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SceneId {
    Gas,
    Pit,
    Crowd,
    Shooter,
    Pebbles,
    Adversary(SceneKind),
    Argon,
}

impl SceneId {
    /// All scenes, in the order of a list.
    pub(crate) fn all() -> Vec<Self> {
        let mut all = vec![Self::Gas, Self::Pit, Self::Crowd, Self::Shooter, Self::Pebbles];
        all.extend(SceneKind::ADVERSARIES.map(Self::Adversary));
        all.push(Self::Argon);
        all
    }

    /// The scene of a name.
    ///
    /// # Errors
    /// A text that lists the names.
    pub(crate) fn named(name: &str) -> Result<Self, String> {
        let all = Self::all();
        all.iter().copied().find(|scene| scene.name() == name).ok_or_else(|| {
            let names: Vec<&str> = all.iter().map(|scene| scene.name()).collect();
            let shown: String = name.chars().take(40).collect();
            format!("\"{shown}\" is not a scene; the scenes are: {}", names.join(", "))
        })
    }

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Gas => "gas",
            Self::Pit => "pit",
            Self::Crowd => "crowd",
            Self::Shooter => "shooter",
            Self::Pebbles => "pebbles",
            Self::Adversary(kind) => kind.short_name(),
            Self::Argon => "argon",
        }
    }
}
