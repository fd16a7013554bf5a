//! The calls to measure, in their order.

use widephase_scenes::Subject;

use crate::{
    args::BenchArgs,
    timing::{ON_THREADS, size},
    values::{Call, unique},
};

/// A case: its configurations are measured together, in turns.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Case {
    pub(super) what: Call,
    pub(super) subject: Subject,
    pub(super) n: u32,
    /// The numbers of threads: only 1 for scenes that stay on one thread.
    pub(super) threads: Vec<usize>,
}

/// All cases of a run, and notes on scenes that have fewer bodies than requested.
pub(super) fn cases(args: &BenchArgs) -> (Vec<Case>, Vec<String>) {
    let (mut cases, mut notes) = (Vec::new(), Vec::new());
    for what in args.calls() {
        // A level has steps only.
        let has = |subject: &Subject| matches!(subject, Subject::Scene(_)) || what == Call::Step;
        for subject in args.subjects().into_iter().filter(has) {
            for asked in args.cases.sizes(subject) {
                let (n, note) = size(subject, asked);
                let threads = match (subject, n) {
                    (Subject::Scene(_), 0..ON_THREADS) => vec![1],
                    _ => unique(args.cases.threads.iter().copied()),
                };
                cases.push(Case { what, subject, n, threads });
                notes.extend(note);
            }
        }
    }
    (unique(cases), unique(notes))
}
