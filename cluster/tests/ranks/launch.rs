//! Starts ranks, and reads what they print.

use std::{
    process::{Command, Output},
    sync::Mutex,
};

/// One run at a time: ranks that wait use a core each.
static TURN: Mutex<()> = Mutex::new(());

/// Runs the command with options, which are separated by spaces.
pub(crate) fn launch(ranks: usize, options: &str) -> Output {
    let _turn = TURN.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    let mut mpirun = Command::new("mpirun");
    mpirun.args(["--allow-run-as-root", "--oversubscribe", "-n", &ranks.to_string()]);
    mpirun.arg(env!("CARGO_BIN_EXE_widephase-cluster")).args(options.split_whitespace());
    // In a container, ranks may not read each other's memory, and a lack of it is only a warning.
    mpirun.env("OMPI_MCA_btl_vader_single_copy_mechanism", "none");
    mpirun.output().expect("mpirun: install openmpi-bin")
}

/// What a run has printed for a step.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Step {
    pub(crate) number: u64,
    pub(crate) pairs: u64,
    pub(crate) contacts: u64,
    pub(crate) hash: String,
    pub(crate) handed: u64,
    pub(crate) ghosts: u64,
}

impl Step {
    /// What does not depend on the ranks.
    pub(crate) fn results(&self) -> ([u64; 3], &str) {
        ([self.number, self.pairs, self.contacts], &self.hash)
    }
}

/// Runs the command, which must succeed, and returns its steps.
pub(crate) fn steps(ranks: usize, options: &str) -> Vec<Step> {
    let output = launch(ranks, options);
    let text = String::from_utf8_lossy(&output.stdout);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{ranks} ranks, {options}:\n{text}{errors}");
    text.lines().filter_map(step).collect()
}

fn step(line: &str) -> Option<Step> {
    let mut words = line.split_whitespace();
    let mut value = |name: &str| {
        (words.next()? == name).then_some(())?;
        words.next().map(str::to_owned)
    };
    Some(Step {
        number: value("step")?.parse().ok()?,
        pairs: value("pairs")?.parse().ok()?,
        contacts: value("contacts")?.parse().ok()?,
        hash: value("hash")?,
        handed: value("handed")?.parse().ok()?,
        ghosts: value("ghosts")?.parse().ok()?,
    })
}

/// Asserts that two runs have the same results.
pub(crate) fn assert_same(one: &[Step], other: &[Step], what: &str) {
    let [one, other] =
        [one, other].map(|steps| steps.iter().map(Step::results).collect::<Vec<_>>());
    assert_eq!(one, other, "{what}");
}
