//! What is measured, in which order.

use crate::scene::SceneKind;

use crate::{
    args::BenchArgs,
    timing::{ON_THREADS, size},
    values::{Call, unique},
};

/// What is measured together: the configurations take turns.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Case {
    pub(super) what: Call,
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
