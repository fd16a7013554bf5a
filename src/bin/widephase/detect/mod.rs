//! `widephase detect`: a CSV file of shapes in, a CSV file of pairs or contacts out.
//!
//! ```text
//! input.rs    the file or standard input, with a progress bar
//! lines.rs    which line a byte of the input is on
//! header.rs   which column holds what
//! read.rs     rows into shapes; every complaint names file, line and column
//! bodies.rs   ... and into compounds, whose parts are rows
//! write.rs    pairs as they are found, or contacts
//! ```

mod bodies;
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
use widephase::{Detector, Level, Order, Touching};

use crate::args::DetectArgs;
use bodies::Bodies;
use input::Input;
use write::{Content, ListWriter};

/// Reads, detects, writes, and says how much of each and how long it took.
pub(crate) fn run(args: &DetectArgs) -> Result<()> {
    // Before anything is read: a level that is not there is not worth waiting for.
    let level = match args.level {
        Some(level) => level.required()?,
        None => Level::preferred()?,
    };
    let start = Instant::now();
    let bodies = read::bodies(Input::open(&args.file)?, args)?;
    let reading = start.elapsed();

    let touching = if args.exclusive { Touching::Exclusive } else { Touching::Inclusive };
    let mut detector = Detector::new().level(level)?.touching(touching).order(order(args));
    if let Some(limit) = args.limit {
        let limit = limit.get() as usize;
        detector = detector.max_pairs(limit).max_contacts(limit);
    }
    let start = Instant::now();
    let found = write(&mut detector, &bodies, args)?;
    let detecting = start.elapsed();

    let mut summary = String::new();
    writeln!(summary, "{} shapes, read in {}", bodies.shapes.len(), show(reading))?;
    let what = if args.contacts { "contacts" } else { "pairs" };
    writeln!(summary, "{found} {what}, found and written in {} ({level})", show(detecting))?;
    // Lists and words do not share a stream.
    match args.output {
        Some(_) => io::stdout().write_all(summary.as_bytes())?,
        None => io::stderr().write_all(summary.as_bytes())?,
    }
    Ok(())
}

fn order(args: &DetectArgs) -> Order {
    if args.sorted { Order::Sorted } else { Order::Grid }
}

/// Writes the pairs, or the contacts, and returns how many there were. Pairs in the order of the grid
/// go straight from the sweep into the file, however many; sorted ones, and contacts, are in memory
/// first, and where there are too many of them, a file that was there before stays as it was.
fn write(detector: &mut Detector, bodies: &Bodies, args: &DetectArgs) -> Result<u64> {
    let shapes = &bodies.shapes;
    let open = |content| ListWriter::open(args.output.as_deref(), content, bodies);
    let mut writer;
    let found = if args.contacts {
        let mut contacts = Vec::new();
        let listed = detector.contacts(shapes, args.margin, &mut contacts);
        listed.context("--limit N admits more, which take 64 bytes each")?;
        writer = open(Content::Contacts)?;
        for contact in &contacts {
            writer.write_contact(contact);
        }
        contacts.len() as u64
    } else if args.sorted {
        let mut pairs = Vec::new();
        let listed = detector.detect(shapes, &mut pairs);
        listed.context("--limit N admits more, and without --sorted they need no memory")?;
        writer = open(Content::Pairs)?;
        for &pair in &pairs {
            writer.write(pair);
        }
        pairs.len() as u64
    } else {
        writer = open(Content::Pairs)?;
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
