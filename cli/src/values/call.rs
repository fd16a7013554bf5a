//! A call that `bench` measures.

use std::fmt;

use clap::ValueEnum;
use serde::{Deserialize, Serialize};

/// A measured call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Call {
    /// The list of pairs, from unsorted columns
    Pairs,
    /// The list of contacts, from unsorted columns
    Contacts,
    /// A step of a world whose bodies have all moved: poses, pairs, contacts and events
    Step,
    /// A ray for each body, among moved bodies that are sorted already
    Rays,
    /// The nearest body of a point for each body, among moved bodies that are sorted already
    Nearest,
    /// The bodies within half a unit of length of each body, from unsorted columns
    Neighbors,
}

impl Call {
    /// The name on the command line and in files.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Call::Pairs => "pairs",
            Call::Contacts => "contacts",
            Call::Step => "step",
            Call::Rays => "rays",
            Call::Nearest => "nearest",
            Call::Neighbors => "neighbors",
        }
    }

    /// The name of the results of a call.
    pub(crate) fn found(self) -> &'static str {
        match self {
            Call::Pairs | Call::Step => "pairs",
            Call::Contacts => "contacts",
            Call::Rays => "hits",
            Call::Nearest | Call::Neighbors => "neighbors",
        }
    }

    /// The measured call, in a few words.
    #[cfg(feature = "report")]
    pub(crate) fn description(self) -> &'static str {
        match self {
            Call::Pairs => "the list of pairs, from unsorted columns",
            Call::Contacts => "the list of contacts, from unsorted columns",
            Call::Step => "a step of a world: poses of all bodies, pairs, contacts and events",
            Call::Rays => "a ray for each body, in an index that is sorted already",
            Call::Nearest => "the nearest body of a point for each body, in an index",
            Call::Neighbors => "the bodies within half a unit of length of each body",
        }
    }
}

impl fmt::Display for Call {
    /// Writes the name.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
