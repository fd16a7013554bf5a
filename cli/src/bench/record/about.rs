//! On what, when and how a run was made.

use std::{env, process::Command, time::SystemTime};

use serde::{Deserialize, Serialize};

use crate::{args::BenchArgs, cpu, values::all_threads};

/// On what, when and how.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(in crate::bench) struct About {
    pub(in crate::bench) version: String,
    pub(in crate::bench) commit: String,
    pub(in crate::bench) cpu: String,
    pub(in crate::bench) threads: usize,
    pub(in crate::bench) system: String,
    /// In UTC, as in RFC 3339.
    pub(in crate::bench) date: String,
    pub(in crate::bench) command: String,
    pub(in crate::bench) motion: String,
    pub(in crate::bench) seed: u64,
}

impl About {
    /// This run.
    pub(in crate::bench) fn this(args: &BenchArgs) -> Self {
        let arguments = env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned());
        let words: Vec<String> = std::iter::once("widephase".to_owned()).chain(arguments).collect();
        Self {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            commit: commit().unwrap_or_else(|| "unknown".to_owned()),
            cpu: cpu::name(),
            threads: all_threads(),
            system: env::consts::OS.to_owned(),
            date: humantime::format_rfc3339_seconds(SystemTime::now()).to_string(),
            command: words.join(" "),
            motion: args.cases.motion().to_string(),
            seed: args.cases.seed,
        }
    }
}

/// The commit of the folder that the command was built in, with `-dirty` if files differ from it.
/// `None` without that folder or without git.
fn commit() -> Option<String> {
    let mut git = Command::new("git");
    git.args(["-C", env!("CARGO_MANIFEST_DIR"), "describe", "--always", "--dirty", "--abbrev=12"]);
    let output = git.output().ok().filter(|output| output.status.success())?;
    let text = String::from_utf8(output.stdout).ok()?;
    Some(text.trim().to_owned()).filter(|text| !text.is_empty())
}
