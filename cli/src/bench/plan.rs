//! What is measured, in which order.

use std::fmt;

use clap::ValueEnum;
use serde::{Deserialize, Serialize};
use widephase::scene::SceneKind;

use crate::{
    args::{BenchArgs, unique},
    timing::{ON_THREADS, size},
};

/// The measured call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum What {
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

impl What {
    /// The name on the command line and in files.
    pub(super) fn name(self) -> &'static str {
        match self {
            What::Pairs => "pairs",
            What::Contacts => "contacts",
            What::Step => "step",
            What::Rays => "rays",
            What::Nearest => "nearest",
            What::Neighbors => "neighbors",
        }
    }

    /// What is measured, in a few words.
    pub(super) fn description(self) -> &'static str {
        match self {
            What::Pairs => "the list of pairs, from unsorted columns",
            What::Contacts => "the list of contacts, from unsorted columns",
            What::Step => "a step of a world: poses of all bodies, pairs, contacts and events",
            What::Rays => "a ray for each body, in an index that is sorted already",
            What::Nearest => "the nearest body of a point for each body, in an index",
            What::Neighbors => "the bodies within half a unit of length of each body",
        }
    }
}

impl fmt::Display for What {
    /// Writes the name.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// What is measured together: the configurations take turns.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Case {
    pub(super) what: What,
    pub(super) kind: SceneKind,
    pub(super) n: u32,
    /// The numbers of threads: only one for scenes that stay on one thread.
    pub(super) threads: Vec<usize>,
}

/// All cases of a run, and notes on scenes that have fewer bodies than requested.
pub(super) fn cases(args: &BenchArgs) -> (Vec<Case>, Vec<String>) {
    let (mut cases, mut notes) = (Vec::new(), Vec::new());
    for what in unique(args.what.iter().copied()) {
        for kind in args.scenes() {
            for asked in unique(args.cases.n.iter().map(|n| n.get())) {
                let (n, note) = size(kind, asked);
                let threads = match n {
                    0..ON_THREADS => vec![1],
                    _ => unique(args.cases.threads.iter().copied()),
                };
                cases.push(Case { what, kind, n, threads });
                notes.extend(note);
            }
        }
    }
    (unique(cases), unique(notes))
}
