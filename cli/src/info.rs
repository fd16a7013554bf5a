//! `widephase info`.

use std::{
    env,
    io::{self, Write},
};

use anyhow::Result;
use widephase::{SimdLevel, options::LEVEL_VARIABLE};

use crate::{cpu, values::all_threads};

/// Prints the CPU, the SIMD levels and the threads.
pub(crate) fn run() -> Result<()> {
    let preferred = SimdLevel::preferred()?;
    let forced = env::var_os(LEVEL_VARIABLE).is_some_and(|name| !name.is_empty());

    let mut out = io::stdout().lock();
    writeln!(out, "widephase {}", env!("CARGO_PKG_VERSION"))?;
    writeln!(out, "CPU      {}", cpu::name())?;
    writeln!(out, "threads  {}", all_threads())?;
    for (row, level) in SimdLevel::ALL.into_iter().enumerate() {
        let title = if row == 0 { "levels" } else { "" };
        let lanes = if level.lanes() == 1 { "lane " } else { "lanes" };
        let note = if !level.is_available() {
            "not on this CPU"
        } else if level == preferred && forced {
            "in use: forced by WIDEPHASE_LEVEL"
        } else if level == preferred {
            "in use: the fastest on this CPU"
        } else {
            ""
        };
        let line = format!("{title:<8} {level:<8} {:>2} {lanes}  {note}", level.lanes());
        writeln!(out, "{}", line.trim_end())?;
    }
    Ok(())
}
