//! The names of the scenes.

use std::{fmt, str::FromStr};

/// The kind of a [`Scene`](crate::Scene): its bodies, their positions and their density.
///
/// The [crate](crate) has a table of all kinds. Eight are [standard](Self::STANDARD): the bodies of
/// everyday use. The other scenes are [adversaries](Self::ADVERSARIES): each is made to break one
/// assumption of a broadphase.
///
/// ```
/// use widephase_scenes::{SceneKind, UnknownScene};
///
/// assert_eq!("s2".parse(), Ok(SceneKind::UniformBoxes));
/// assert!(matches!("s9".parse::<SceneKind>(), Err(UnknownScene { .. })));
/// assert_eq!("uniform-boxes".parse(), Ok(SceneKind::UniformBoxes));
/// assert_eq!(SceneKind::UniformBoxes.to_string(), "s2");
/// assert_eq!(SceneKind::FarBody.to_string(), "far-body");
/// let kind = SceneKind::MixedRotating;
/// assert_eq!((kind.short_name(), kind.long_name()), ("s7", "mixed-rotating"));
/// assert!(kind.turns() && SceneKind::STANDARD.contains(&kind));
/// assert_eq!(SceneKind::ALL.len(), SceneKind::STANDARD.len() + SceneKind::ADVERSARIES.len());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum SceneKind {
    /// `s1`: circles of radius 0.5. One pair per body.
    UniformCircles,
    /// `s2`: boxes whose width and height are independent and uniform from 0.5 to 1.5. One pair per
    /// body.
    UniformBoxes,
    /// `s3`: circles and boxes alternately; radii and half sides uniform from 0.25 to 1. One pair
    /// per body.
    MixedCirclesBoxes,
    /// `s4`: circles, one in a hundred of radius 8, the other circles of radius 0.25. Two pairs per
    /// body.
    BimodalCircles,
    /// `s5`: circles whose radii have a Pareto distribution: one in `k` is larger than 0.1 √k. The
    /// largest of `n` has the radius 0.14 √n, at most 50. Three pairs per body.
    PowerLawCircles,
    /// `s6`: circles of radius 0.5 in 16 Gaussian clusters, 10⁵ apart. Four pairs per body.
    GaussianClusters,
    /// `s7`: half rotated boxes, a quarter convex polygons of 3 to 8 vertices, a quarter capsules.
    /// They have all directions, and rotate. Half sides, half axes and half lengths are uniform,
    /// from 0.25 to 1. One pair per body.
    MixedRotating,
    /// `s8`: rotating compounds of three circles. All three are within a circle whose radius is
    /// uniform from 0.25 to 1. One pair per body.
    Compounds,
    /// `giant`: `s1`, but one circle covers all other circles. Two pairs per body: half of the
    /// pairs are pairs of the giant.
    Giant,
    /// `far-body`: `s1`, but one body is at (2^60, 2^60). One pair per body.
    FarBody,
    /// `coincident`: circles of radius 0.5, all at one position. Every body touches every other:
    /// `n (n - 1) / 2` pairs.
    Coincident,
    /// `line`: circles of radius 0.5, all centres on one horizontal line. One pair per body.
    Line,
    /// `diagonal`: circles of radius 0.5, all centres on the line x = y. One pair per body.
    Diagonal,
    /// `two-clusters`: alternately, a circle of radius 0.5 near the origin and a circle of radius
    /// 32 near (10⁹, 10⁹), where `f32` values are 64 units apart. One pair per body.
    TwoClusters,
    /// `six-decades`: circles whose radii are log-uniform from 0.001 to 1000. Three pairs per body.
    SixDecades,
    /// `fast`: `s1`, but every tenth body moves by up to 19 units per step along one axis. Its
    /// shape is the box that it sweeps in a step, up to 20 long. 2.4 pairs per body.
    Fast,
    /// `sorted`: the bodies of `s1`, row by row upwards, in each row from left to right. One pair
    /// per body.
    Sorted,
    /// `reversed`: `sorted` from the last body to the first. One pair per body.
    Reversed,
    /// `shuffled`: the bodies of `s1` in random order, as `s1` itself has them. The reference for
    /// `sorted` and `reversed`. One pair per body.
    Shuffled,
    /// `border-lattice`: unit squares on a square lattice of pitch 1: all sides and corners touch
    /// exactly. (Automatic cells are 1.1 wide. Centres lie anywhere in them, except the centres of
    /// the first row and column. In cells of size 2, every other centre is on a border.) Four pairs
    /// per body.
    BorderLattice,
    /// `power-of-two`: circles of radius 0.5, three at each point of a square lattice with a
    /// pitch of 1024. One pair per body.
    PowerOfTwo,
    /// `pile`: circles of radius 0.5, as dense as in a heap. 15 pairs per body.
    Pile,
}

impl SceneKind {
    /// The scenes of everyday use: `s1` to `s8`.
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

    /// The scenes that each break one assumption of a broadphase.
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

    /// All kinds: the [standard](Self::STANDARD) scenes, then the [adversaries](Self::ADVERSARIES).
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

    /// The name that describes it: `uniform-circles`, `far-body`.
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

    /// Whether the bodies rotate. They are then [`Bodies::Rotating`](crate::Bodies::Rotating), and
    /// more than the boxes around them.
    pub const fn turns(self) -> bool {
        matches!(self.form(), Form::Rotating)
    }

    /// The kind whose bodies this kind starts from, before they are [arranged](crate::arrange).
    /// Scenes with the same seed and origin have the same bodies.
    pub(crate) const fn origin(self) -> SceneKind {
        match self {
            SceneKind::Giant
            | SceneKind::FarBody
            | SceneKind::Sorted
            | SceneKind::Reversed
            | SceneKind::Shuffled => SceneKind::UniformCircles,
            kind => kind,
        }
    }

    /// The form of the columns: the one without columns that no body of the scene needs.
    pub(crate) const fn form(self) -> Form {
        match self {
            SceneKind::UniformBoxes | SceneKind::BorderLattice => Form::Boxes,
            SceneKind::MixedCirclesBoxes | SceneKind::Fast => Form::Rounded,
            SceneKind::MixedRotating | SceneKind::Compounds => Form::Rotating,
            _ => Form::Circles,
        }
    }
}

/// The columns that a scene needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    /// Centres and radii.
    Circles,
    /// Sides.
    Boxes,
    /// Sides and radii: circles and boxes mixed.
    Rounded,
    /// No columns: bodies that rotate.
    Rotating,
}

impl fmt::Display for SceneKind {
    /// Writes the short name.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.short_name())
    }
}

impl FromStr for SceneKind {
    type Err = UnknownScene;

    /// Parses a short or a long name, in upper or lower case.
    fn from_str(name: &str) -> Result<Self, UnknownScene> {
        let plain = name.trim().to_ascii_lowercase();
        SceneKind::ALL
            .into_iter()
            .find(|kind| kind.short_name() == plain || kind.long_name() == plain)
            .ok_or_else(|| UnknownScene { name: name.to_owned() })
    }
}

/// The error for a name that is not the name of a scene.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownScene {
    /// The name as it was given.
    pub name: String,
}

impl std::error::Error for UnknownScene {}

impl fmt::Display for UnknownScene {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name } = self;
        write!(f, "\"{name}\" is not a scene; the scenes are: {}", list())
    }
}

/// All names, for messages.
///
/// A loop and not `ALL.map`, which is unrolled: with it, the compiler did not finish at
/// `codegen-units = 1`.
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
