//! The names of the scenes.

use std::{fmt, str::FromStr};

/// Which bodies a [`Scene`](super::Scene) has. About one pair a body touches in each.
///
/// ```
/// use widephase::scene::SceneKind;
///
/// assert_eq!("s2".parse(), Ok(SceneKind::UniformBoxes));
/// assert_eq!("uniform-boxes".parse(), Ok(SceneKind::UniformBoxes));
/// assert_eq!(SceneKind::UniformBoxes.to_string(), "s2");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum SceneKind {
    /// `s1`: circles of radius 0.5.
    UniformCircles,
    /// `s2`: boxes whose sides are uniform from 0.5 to 1.5, each on its own.
    UniformBoxes,
    /// `s3`: circles and boxes in turn, radii and half sides uniform from 0.25 to 1.
    MixedCirclesBoxes,
}

impl SceneKind {
    /// All kinds, in the order of their short names.
    pub const ALL: [SceneKind; 3] =
        [SceneKind::UniformCircles, SceneKind::UniformBoxes, SceneKind::MixedCirclesBoxes];

    /// The short name: `s1`, `s2`, `s3`.
    pub const fn short_name(self) -> &'static str {
        match self {
            SceneKind::UniformCircles => "s1",
            SceneKind::UniformBoxes => "s2",
            SceneKind::MixedCirclesBoxes => "s3",
        }
    }

    /// The name that says what it is: `uniform-circles`, `uniform-boxes`, `mixed-circles-boxes`.
    pub const fn long_name(self) -> &'static str {
        match self {
            SceneKind::UniformCircles => "uniform-circles",
            SceneKind::UniformBoxes => "uniform-boxes",
            SceneKind::MixedCirclesBoxes => "mixed-circles-boxes",
        }
    }
}

impl fmt::Display for SceneKind {
    /// Writes the short name.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.short_name())
    }
}

impl FromStr for SceneKind {
    type Err = UnknownScene;

    /// Reads a short or a long name, in upper or lower case.
    fn from_str(name: &str) -> Result<Self, UnknownScene> {
        let plain = name.trim().to_ascii_lowercase();
        SceneKind::ALL
            .into_iter()
            .find(|kind| kind.short_name() == plain || kind.long_name() == plain)
            .ok_or_else(|| UnknownScene { name: name.to_owned() })
    }
}

/// A name that is none of the scenes'.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("\"{name}\" is not a scene; the scenes are: {}", list())]
pub struct UnknownScene {
    /// The name as it was given.
    pub name: String,
}

/// All names, for messages.
fn list() -> String {
    let names = SceneKind::ALL.map(|kind| format!("{} ({})", kind.short_name(), kind.long_name()));
    names.join(", ")
}
