//! The names of the scenes.

use std::{fmt, str::FromStr};

/// Which bodies a [`Scene`](super::Scene) has, where they are, and how densely.
///
/// The [module](super) has a table of all. Eight are [standard](Self::STANDARD), what engines meet
/// every day; the others are [adversaries](Self::ADVERSARIES), each made to break one assumption of
/// a broadphase.
///
/// ```
/// use widephase::scene::SceneKind;
///
/// assert_eq!("s2".parse(), Ok(SceneKind::UniformBoxes));
/// assert_eq!("uniform-boxes".parse(), Ok(SceneKind::UniformBoxes));
/// assert_eq!(SceneKind::UniformBoxes.to_string(), "s2");
/// assert_eq!(SceneKind::FarBody.to_string(), "far-body");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum SceneKind {
    /// `s1`: circles of radius 0.5. One pair a body.
    UniformCircles,
    /// `s2`: boxes whose sides are uniform from 0.5 to 1.5, each on its own. One pair a body.
    UniformBoxes,
    /// `s3`: circles and boxes in turn, radii and half sides uniform from 0.25 to 1. One pair a
    /// body.
    MixedCirclesBoxes,
    /// `s4`: circles, one in a hundred of radius 8, the others of radius 0.25. Two pairs a body.
    BimodalCircles,
    /// `s5`: circles whose radii have a Pareto distribution: one in `k` is larger than 0.1 √k. The
    /// largest of `n` has the radius 0.14 √n, at most 50. Three pairs a body.
    PowerLawCircles,
    /// `s6`: circles of radius 0.5 in 16 Gaussian clusters, 10⁵ apart. Four pairs a body.
    GaussianClusters,
    /// `s7`: half turned boxes, a quarter convex polygons of 3 to 8 vertices, a quarter capsules, in
    /// all directions, and turning; half sides, half axes and half lengths uniform from 0.25 to 1.
    /// One pair a body.
    MixedRotating,
    /// `s8`: compounds of three circles each, turning; all three in a circle of a radius uniform from
    /// 0.25 to 1. One pair a body.
    Compounds,
    /// `giant`: `s1`, and one circle among them that covers all. Two pairs a body: half of them are
    /// the giant's.
    Giant,
    /// `far-body`: `s1`, but one body is at (2^60, 2^60). One pair a body.
    FarBody,
    /// `coincident`: circles of radius 0.5, all at one place. Every body touches every other:
    /// `n (n - 1) / 2` pairs.
    Coincident,
    /// `line`: circles of radius 0.5, all centres on one horizontal line. One pair a body.
    Line,
    /// `diagonal`: circles of radius 0.5, all centres on the line x = y. One pair a body.
    Diagonal,
    /// `two-clusters`: in turn, a circle of radius 0.5 around the origin and one of radius 32 around
    /// (10⁹, 10⁹), where `f32` has a number every 64 units. One pair a body.
    TwoClusters,
    /// `six-decades`: circles whose radii are log-uniform from 0.001 to 1000. Three pairs a body.
    SixDecades,
    /// `fast`: `s1`, but every tenth body moves by up to 19 units a step, along one axis, and stands
    /// for all it passes in a step: a box up to 20 long. 2.4 pairs a body.
    Fast,
    /// `sorted`: the bodies of `s1`, row by row from below, in each row from left to right. One pair
    /// a body.
    Sorted,
    /// `reversed`: `sorted` from the last body to the first. One pair a body.
    Reversed,
    /// `shuffled`: the bodies of `s1` in an order of chance, as `s1` itself is: what `sorted` and
    /// `reversed` are compared with. One pair a body.
    Shuffled,
    /// `border-lattice`: unit squares on a square lattice of pitch 1: all sides and corners touch
    /// exactly. (Automatic cells are 1.1 wide, and centres lie anywhere in them, but for those of the
    /// first row and column; in cells of 2, every other centre is on a border.) Four pairs a body.
    BorderLattice,
    /// `power-of-two`: circles of radius 0.5, three at each point of a square lattice of pitch 1024.
    /// One pair a body.
    PowerOfTwo,
    /// `pile`: circles of radius 0.5, as dense as a heap of things. 15 pairs a body.
    Pile,
}

impl SceneKind {
    /// What engines meet every day: `s1` to `s8`.
    pub const STANDARD: [SceneKind; 8] = [
        SceneKind::UniformCircles,
        SceneKind::UniformBoxes,
        SceneKind::MixedCirclesBoxes,
        SceneKind::BimodalCircles,
        SceneKind::PowerLawCircles,
        SceneKind::GaussianClusters,
        SceneKind::MixedRotating,
        SceneKind::Compounds,
    ];

    /// What breaks one assumption each of a broadphase.
    pub const ADVERSARIES: [SceneKind; 14] = [
        SceneKind::Giant,
        SceneKind::FarBody,
        SceneKind::Coincident,
        SceneKind::Line,
        SceneKind::Diagonal,
        SceneKind::TwoClusters,
        SceneKind::SixDecades,
        SceneKind::Fast,
        SceneKind::Sorted,
        SceneKind::Reversed,
        SceneKind::Shuffled,
        SceneKind::BorderLattice,
        SceneKind::PowerOfTwo,
        SceneKind::Pile,
    ];

    /// All kinds: the [standard](Self::STANDARD) ones, then the [adversaries](Self::ADVERSARIES).
    pub const ALL: [SceneKind; 22] = {
        let mut all = [SceneKind::UniformCircles; 22];
        let (standard, adversaries) = all.split_at_mut(Self::STANDARD.len());
        standard.copy_from_slice(&Self::STANDARD);
        adversaries.copy_from_slice(&Self::ADVERSARIES);
        all
    };

    /// The name in tables: `s1` to `s8`, and the [long name](Self::long_name) of an adversary.
    pub const fn short_name(self) -> &'static str {
        match self {
            SceneKind::UniformCircles => "s1",
            SceneKind::UniformBoxes => "s2",
            SceneKind::MixedCirclesBoxes => "s3",
            SceneKind::BimodalCircles => "s4",
            SceneKind::PowerLawCircles => "s5",
            SceneKind::GaussianClusters => "s6",
            SceneKind::MixedRotating => "s7",
            SceneKind::Compounds => "s8",
            _ => self.long_name(),
        }
    }

    /// The name that says what it is: `uniform-circles`, `far-body`.
    pub const fn long_name(self) -> &'static str {
        match self {
            SceneKind::UniformCircles => "uniform-circles",
            SceneKind::UniformBoxes => "uniform-boxes",
            SceneKind::MixedCirclesBoxes => "mixed-circles-boxes",
            SceneKind::BimodalCircles => "bimodal-circles",
            SceneKind::PowerLawCircles => "power-law-circles",
            SceneKind::GaussianClusters => "gaussian-clusters",
            SceneKind::MixedRotating => "mixed-rotating",
            SceneKind::Compounds => "compounds",
            SceneKind::Giant => "giant",
            SceneKind::FarBody => "far-body",
            SceneKind::Coincident => "coincident",
            SceneKind::Line => "line",
            SceneKind::Diagonal => "diagonal",
            SceneKind::TwoClusters => "two-clusters",
            SceneKind::SixDecades => "six-decades",
            SceneKind::Fast => "fast",
            SceneKind::Sorted => "sorted",
            SceneKind::Reversed => "reversed",
            SceneKind::Shuffled => "shuffled",
            SceneKind::BorderLattice => "border-lattice",
            SceneKind::PowerOfTwo => "power-of-two",
            SceneKind::Pile => "pile",
        }
    }

    /// Whether its bodies turn: they are then in a [store](super::Scene::shapes), and more than the
    /// boxes around them.
    pub const fn turns(self) -> bool {
        matches!(self.form(), Form::Store)
    }

    /// The kind whose bodies these are before they are [arranged](super::arrange): of one seed, the
    /// scenes with one origin have the same bodies.
    pub(super) const fn origin(self) -> SceneKind {
        match self {
            SceneKind::Giant
            | SceneKind::FarBody
            | SceneKind::Sorted
            | SceneKind::Reversed
            | SceneKind::Shuffled => SceneKind::UniformCircles,
            kind => kind,
        }
    }

    /// Which columns the bodies are handed over in: those that leave out what no body of the scene
    /// needs.
    pub(super) const fn form(self) -> Form {
        match self {
            SceneKind::UniformBoxes | SceneKind::BorderLattice => Form::Boxes,
            SceneKind::MixedCirclesBoxes | SceneKind::Fast => Form::Rounded,
            SceneKind::MixedRotating | SceneKind::Compounds => Form::Store,
            _ => Form::Circles,
        }
    }
}

/// The columns that a scene needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// Centres and radii.
    Circles,
    /// Sides.
    Boxes,
    /// Sides and radii: circles and boxes mixed.
    Rounded,
    /// None of its own: a store of shapes that turn.
    Store,
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
///
/// A loop: with `ALL.map`, unrolled, the compiler did not end at `codegen-units = 1`.
fn list() -> String {
    let mut names = String::new();
    for kind in SceneKind::ALL {
        let (short, long) = (kind.short_name(), kind.long_name());
        if !names.is_empty() {
            names.push_str(", ");
        }
        names.push_str(short);
        if short != long {
            names.push_str(&format!(" ({long})"));
        }
    }
    names
}
