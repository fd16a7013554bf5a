//! `widephase replay`: a recording of a world in, whether each of its steps has the recorded
//! results out.

use std::io::{self, Read, Write};

use anyhow::{Context, Result};
use rayon::ThreadPoolBuilder;
use serde::Serialize;
use widephase::{Error, Options, SimdLevel, Threads, world::Replay};

use crate::{args::ReplayArgs, table::Input, values::Format};

/// The output.
#[derive(Debug, Serialize)]
struct Report {
    steps: u64,
    bodies: usize,
    /// The pairs of the last step.
    pairs: usize,
    /// The hash of the last state.
    hash: String,
    level: &'static str,
    identical: bool,
    /// The first step after which the state differs.
    #[serde(skip_serializing_if = "Option::is_none")]
    differs_after_step: Option<u64>,
    /// The hash of the state in the recording.
    #[serde(skip_serializing_if = "Option::is_none")]
    recorded_hash: Option<String>,
}

/// Replays a recording, and returns whether every step agrees.
pub(crate) fn run(args: &ReplayArgs) -> Result<bool> {
    let level = match args.level {
        Some(level) => level.required()?,
        None => SimdLevel::preferred()?,
    };
    let mut input = Input::open(&args.file)?;
    let mut bytes = Vec::new();
    input.reader.read_to_end(&mut bytes).with_context(|| input.name.clone())?;
    input.bar.finish_and_clear();

    let threads = match args.threads {
        None => Threads::Auto,
        Some(1) => Threads::Calling,
        Some(_) => Threads::Pool,
    };
    let options = Options { simd_level: Some(level), threads, ..Options::default() };
    let work = || replay(&bytes, options, level);
    let report = match args.threads {
        Some(threads @ 2..) => {
            let pool = ThreadPoolBuilder::new().num_threads(threads).build();
            pool.with_context(|| format!("cannot start {threads} threads"))?.install(work)
        }
        _ => work(),
    };
    let report = report.with_context(|| input.name.clone())?;
    let mut out = io::stdout().lock();
    match args.format {
        Format::Json => {
            serde_json::to_writer(&mut out, &report)?;
            writeln!(out)?;
        }
        Format::Table => report.print(&mut out)?,
    }
    Ok(report.identical)
}

fn replay(bytes: &[u8], options: Options, level: SimdLevel) -> Result<Report, Error> {
    let mut replay = Replay::new(bytes, options)?;
    let differs = loop {
        match replay.step() {
            Ok(Some(_)) => {}
            Ok(None) => break None,
            Err(Error::Diverged { step, recorded, .. }) => break Some((step, recorded)),
            Err(error) => return Err(error),
        }
    };
    let world = replay.world();
    Ok(Report {
        steps: replay.steps(),
        bodies: world.len(),
        pairs: world.last_step().pairs().len(),
        hash: format!("{:016x}", world.state_hash()),
        level: level.name(),
        identical: differs.is_none(),
        differs_after_step: differs.map(|(step, _)| step),
        recorded_hash: differs.map(|(_, recorded)| format!("{recorded:016x}")),
    })
}

impl Report {
    fn print(&self, out: &mut impl Write) -> io::Result<()> {
        let Self { steps, bodies, pairs, hash, level, .. } = self;
        writeln!(out, "steps   {steps}")?;
        writeln!(out, "bodies  {bodies}")?;
        writeln!(out, "pairs   {pairs}")?;
        writeln!(out, "hash    {hash}")?;
        writeln!(out, "level   {level}")?;
        match (self.differs_after_step, &self.recorded_hash) {
            (Some(step), Some(recorded)) => {
                writeln!(out, "The state differs after step {step}: {recorded} was recorded.")
            }
            _ => writeln!(out, "Every step agrees with the recording."),
        }
    }
}
