//! `widephase info`.

use std::{
    env,
    io::{self, Write},
};

use anyhow::Result;
use serde::Serialize;
use widephase::{SimdLevel, options::LEVEL_VARIABLE};

use crate::{
    args::InfoArgs,
    cpu,
    values::{Format, all_threads},
};

/// The keys that scripts rely on.
#[derive(Serialize)]
struct Info {
    version: &'static str,
    cpu: String,
    threads: usize,
    /// All levels, slowest first.
    levels: Vec<LevelInfo>,
}

#[derive(Serialize)]
struct LevelInfo {
    level: &'static str,
    lanes: usize,
    available: bool,
    in_use: bool,
}

/// Prints the CPU, the SIMD levels and the threads.
pub(crate) fn run(args: &InfoArgs) -> Result<()> {
    let preferred = SimdLevel::preferred()?;
    let level = |level: SimdLevel| LevelInfo {
        level: level.name(),
        lanes: level.lanes(),
        available: level.is_available(),
        in_use: level == preferred,
    };
    let info = Info {
        version: env!("CARGO_PKG_VERSION"),
        cpu: cpu::name(),
        threads: all_threads(),
        levels: SimdLevel::ALL.into_iter().map(level).collect(),
    };
    let mut out = io::stdout().lock();
    if args.format == Format::Json {
        serde_json::to_writer(&mut out, &info).map_err(io::Error::from)?;
        return Ok(writeln!(out)?);
    }
    let forced = env::var_os(LEVEL_VARIABLE).is_some_and(|name| !name.is_empty());
    writeln!(out, "widephase {}", info.version)?;
    writeln!(out, "CPU      {}", info.cpu)?;
    writeln!(out, "threads  {}", info.threads)?;
    for (row, LevelInfo { level, lanes, available, in_use }) in info.levels.iter().enumerate() {
        let title = if row == 0 { "levels" } else { "" };
        let unit = if *lanes == 1 { "lane " } else { "lanes" };
        let note = match (available, in_use, forced) {
            (false, ..) => "not on this CPU",
            (_, true, true) => "in use: forced by WIDEPHASE_LEVEL",
            (_, true, false) => "in use: the fastest on this CPU",
            _ => "",
        };
        let line = format!("{title:<8} {level:<8} {lanes:>2} {unit}  {note}");
        writeln!(out, "{}", line.trim_end())?;
    }
    Ok(())
}
