//! The comparisons of the programs.

use crate::executor::{ALL, Entry, STEPS, WIDEPHASE};

/// The subject of a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Suite {
    /// From columns to the list of all pairs that touch.
    Pairs,
    /// Whole steps: pairs, contacts and events.
    Steps,
}

/// A ratio of two times of a scene, which has a line below the table of times.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Ratio {
    pub name: &'static str,
    /// The executor whose time is divided.
    pub of: Of,
    /// The executor by whose time it is divided.
    pub to: &'static str,
}

/// The executor whose time a [`Ratio`] divides.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Of {
    FastestLibrary,
    Executor(&'static str),
}

impl Suite {
    /// The executors, in the order of the report.
    pub(crate) fn entries(self) -> &'static [Entry] {
        match self {
            Suite::Pairs => ALL,
            Suite::Steps => STEPS,
        }
    }

    /// Whether levels are also measured.
    pub(crate) fn has_levels(self) -> bool {
        self == Suite::Steps
    }

    /// The scenes by default.
    pub(crate) fn scenes(self) -> &'static str {
        match self {
            Suite::Pairs => "standard",
            Suite::Steps => "s1,s2,s3,levels",
        }
    }

    /// The numbers of bodies of scenes by default.
    pub(crate) fn sizes(self) -> &'static [u32] {
        match self {
            Suite::Pairs => &[10_000, 100_000, 1_000_000],
            Suite::Steps => &[1_000, 10_000, 100_000],
        }
    }

    /// The ratios of the report.
    pub(crate) fn ratios(self) -> &'static [Ratio] {
        const fn ratio(name: &'static str, of: &'static str, to: &'static str) -> Ratio {
            Ratio { name, of: Of::Executor(of), to }
        }
        const FASTEST_LIBRARY: Ratio =
            Ratio { name: "fastest library", of: Of::FastestLibrary, to: WIDEPHASE };
        match self {
            Suite::Pairs => {
                const { &[FASTEST_LIBRARY, ratio("scalar grid", "scalar-grid", WIDEPHASE)] }
            }
            Suite::Steps => {
                const {
                    &[
                        FASTEST_LIBRARY,
                        ratio("step to pairs", "widephase-step", "widephase-pairs"),
                        ratio("step to contacts", "widephase-step", "widephase-contacts"),
                        ratio("poses and step to pairs", WIDEPHASE, "widephase-pairs"),
                        ratio("poses and step to contacts", WIDEPHASE, "widephase-contacts"),
                        ratio("pairs with events to pairs", "widephase-events", "widephase-pairs"),
                    ]
                }
            }
        }
    }

    /// The names of the files with the tables, the rows as CSV, the ratios as CSV, and all as JSON.
    pub(crate) fn files(self) -> [&'static str; 4] {
        match self {
            Suite::Pairs => ["table.md", "results.csv", "ratios.csv", "results.json"],
            Suite::Steps => ["world.md", "world.csv", "world-ratios.csv", "world.json"],
        }
    }
}
