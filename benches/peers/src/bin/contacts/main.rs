//! Measures widephase's narrowphase beside parry's: the same pairs of shapes, one run, one thread.
//!
//! ```text
//! cases.rs      the pairs of kinds, with parry's functions for each
//! worlds.rs     seeded shapes for widephase and parry, and the pairs whose boxes touch
//! rivals.rs     the ways to decide the pairs
//! measure.rs    measures all ways in turn and checks whether they agree
//! report.rs     table, CSV, JSON
//! ```

mod cases;
mod measure;
mod report;
mod rivals;
mod worlds;

use std::{
    io::{self, Write},
    path::PathBuf,
};

use anyhow::{Result, ensure};
use clap::Parser;

use measure::Outcome;
use report::Report;

/// widephase's contacts beside parry's: the same pairs of shapes, one run
#[derive(Debug, Parser)]
#[command(version)]
pub struct Args {
    /// Pairs of kinds by name [default: all]
    #[arg(long, value_delimiter = ',')]
    kinds: Vec<String>,
    /// Ways by prefixes of their names, such as parry, widephase-contacts [default: all]
    #[arg(long, value_delimiter = ',')]
    way: Vec<String>,
    /// Shapes of each kind in a world
    #[arg(short, default_value_t = 100_000)]
    n: usize,
    /// Worlds that alternate, from consecutive seeds
    #[arg(long, default_value_t = 3)]
    worlds: u64,
    /// Store shapes in the order of the grid instead of a random order
    #[arg(long)]
    in_order: bool,
    /// Timed calls for each world and way
    #[arg(long, default_value_t = 9)]
    rounds: usize,
    /// Write contacts.md, contacts.csv and contacts.json into this folder, too
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

fn main() -> Result<()> {
    let args = Args::parse();
    let cases = cases::all();
    for name in &args.kinds {
        let names: Vec<&str> = cases.iter().map(|case| case.name()).collect();
        ensure!(names.contains(&&**name), "{name}: the pairs of kinds are {}", names.join(", "));
    }
    let mut report = Report::default();
    for case in cases {
        if args.kinds.is_empty() || args.kinds.iter().any(|name| name == case.name()) {
            let outcome = case.measure(&args)?;
            let Outcome { pairs, touching, differing, .. } = &outcome;
            writeln!(io::stderr(), "{}: {touching} of {pairs}, {differing:?}", case.name())?;
            report.add(case.name(), outcome);
        }
    }
    if let Some(folder) = &args.out {
        report.write(folder)?;
    }
    Ok(io::stdout().write_all(report.table().as_bytes())?)
}
