//! The features that a build leaves out, and how to turn them on.

/// How a feature is turned on, at the end of an error.
pub(crate) const TURN_ON: &str = "build the command with --features full";

/// The description of a command that this build does not have.
#[cfg(not(all(feature = "pictures", feature = "view")))]
pub(crate) const ABOUT: &str = "Not in this build; build the command with --features full";

/// The features that are off in this build.
const OFF: &[&str] = &[
    #[cfg(not(feature = "maps"))]
    "maps (GeoJSON, WKT)",
    #[cfg(not(feature = "parquet"))]
    "parquet",
    #[cfg(not(feature = "pictures"))]
    "pictures (render)",
    #[cfg(not(feature = "report"))]
    "report (bench --html)",
    #[cfg(not(feature = "view"))]
    "view",
];

/// The end of a help text, with a line about the features that are off.
pub(crate) fn told(end: &str) -> String {
    match OFF {
        [] => end.to_owned(),
        _ => format!("{end}\n\nNot in this build: {}; {TURN_ON}.", OFF.join(", ")),
    }
}
