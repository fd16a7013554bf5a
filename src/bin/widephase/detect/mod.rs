//! `widephase detect`: a CSV file of shapes in, a CSV file of pairs out.
//!
//! ```text
//! input.rs    the file or standard input, with a progress bar
//! lines.rs    which line a byte of the input is on
//! header.rs   which column holds what
//! read.rs     rows into shapes; every complaint names file, line and column
//! write.rs    pairs as they are found
//! ```

mod header;
mod input;
mod lines;
mod read;
mod write;

use std::{
    fmt::Write as _,
    io::{self, Write as _},
    time::{Duration, Instant},
};

use anyhow::{Context, Result};
use widephase::{Detector, Level, Order, Shapes, Touching};

use crate::args::DetectArgs;
use input::Input;
use write::PairWriter;

/// Reads, detects, writes, and says how much of each and how long it took.
pub(crate) fn run(args: &DetectArgs) -> Result<()> {
    // Before anything is read: a level that is not there is not worth waiting for.
    let level = match args.level {
        Some(level) => level.required()?,
        None => Level::preferred()?,
    };
    let start = Instant::now();
    let shapes = read::shapes(Input::open(&args.file)?, args)?;
    let reading = start.elapsed();

    let touching = if args.exclusive { Touching::Exclusive } else { Touching::Inclusive };
    let mut detector = Detector::new().level(level)?.touching(touching).order(order(args));
    let start = Instant::now();
    let writer = PairWriter::open(args.output.as_deref())?;
    let pairs = write(&mut detector, &shapes, writer, args)?;
    let detecting = start.elapsed();

    let mut summary = String::new();
    writeln!(summary, "{} shapes, read in {}", shapes.len(), show(reading))?;
    writeln!(summary, "{pairs} pairs, found and written in {} ({level})", show(detecting))?;
    // Pairs and words do not share a stream.
    match args.output {
        Some(_) => io::stdout().write_all(summary.as_bytes())?,
        None => io::stderr().write_all(summary.as_bytes())?,
    }
    Ok(())
}

fn order(args: &DetectArgs) -> Order {
    if args.sorted { Order::Sorted } else { Order::Grid }
}

/// Writes the pairs and returns how many there were. In the order of the grid they go straight from
/// the sweep into the file, however many; to be sorted they must be in memory.
fn write(
    detector: &mut Detector,
    shapes: &Shapes,
    mut writer: PairWriter,
    args: &DetectArgs,
) -> Result<u64> {
    let found = if args.sorted {
        let mut pairs = Vec::new();
        let listed = detector.detect(shapes, &mut pairs);
        listed.context("without --sorted the pairs need no memory")?;
        for &pair in &pairs {
            writer.write(pair);
        }
        pairs.len() as u64
    } else {
        detector.for_each(shapes, |pair| writer.write(pair))?
    };
    writer.finish()?;
    Ok(found)
}

/// A duration in the unit that people would choose.
fn show(duration: Duration) -> String {
    let seconds = duration.as_secs_f64();
    match seconds {
        1.0.. => format!("{seconds:.2} s"),
        _ => format!("{:.2} ms", seconds * 1e3),
    }
}
