//! `widephase detect`: a CSV file of shapes in, a CSV file of pairs or contacts out.
//!
//! ```text
//! list.rs  pairs, or contacts, and their columns
//! ```

mod list;

use std::{
    io::{self, Write},
    time::Instant,
};

use anyhow::{Context, Result, bail};
use rayon::slice::ParallelSliceMut;
use serde::Serialize;
use widephase::{Contact, Detector, Options, Pair, SimdLevel, Touching};

use crate::{
    args::DetectArgs,
    show,
    table::{self, Bodies, Input, ListWriter, Target, count},
};
use list::Listed;

/// Reads, detects and writes, and reports the counts and times on standard error, separate from the
/// lists.
pub(crate) fn run(args: &DetectArgs) -> Result<()> {
    // Checks the SIMD level before reading, so that an unavailable level fails at once.
    let level = match args.level {
        Some(level) => level.required()?,
        None => SimdLevel::preferred()?,
    };
    let input = Input::open(&args.file)?;
    let target = Target::open(args.output.as_deref(), &[&args.file])?;

    let (start, name) = (Instant::now(), input.name.clone());
    let (bodies, how) = table::bodies(input, &args.points)?;
    let (shapes, time) = (count(bodies.shapes.len() as u64, "shape"), show(start.elapsed()));
    write!(io::stderr(), "{name}: {how}\n{shapes}, read in {time}\n")?;

    let touching = if args.exclusive { Touching::Exclusive } else { Touching::Inclusive };
    let mut detector = Detector::with_options(Options {
        simd_level: Some(level),
        touching,
        ..Options::default()
    })?;
    let start = Instant::now();
    let found = if args.contacts {
        write::<Contact>(&mut detector, &bodies, args, target)?
    } else {
        write::<Pair>(&mut detector, &bodies, args, target)?
    };
    let time = show(start.elapsed());
    writeln!(io::stderr(), "{found}, found and written in {time} ({level})")?;
    Ok(())
}

/// Writes a list and returns its length in words. In the order of the grid, the list is streamed
/// from the sweep into the file, whatever its length. A sorted list is held in memory first.
fn write<T: Listed>(
    detector: &mut Detector,
    bodies: &Bodies,
    args: &DetectArgs,
    target: Target,
) -> Result<String> {
    let (shapes, margin) = (&bodies.shapes, args.margin);
    let mut writer;
    let found = if args.sorted {
        let limit = args.limit.map_or(T::MOST, |limit| limit.get() as usize);
        let mut items = Vec::new();
        let found = T::find(detector, shapes, margin, |item: T| push(&mut items, item, limit))??;
        items.par_sort_unstable_by_key(T::key);
        writer = ListWriter::new(target, T::HEADER)?;
        for item in &items {
            writer.write(cells(bodies, item))?;
        }
        found
    } else {
        writer = ListWriter::new(target, T::HEADER)?;
        T::find(detector, shapes, margin, |item: T| writer.write(cells(bodies, &item)))??
    };
    writer.finish()?;
    Ok(count(found, T::NAME))
}

/// The cells of an entry. Shapes are identified by their row numbers.
fn cells<T: Listed>(bodies: &Bodies, item: &T) -> impl Serialize {
    let Pair { a, b } = item.pair();
    ([a, b].map(|shape| bodies.first_row(shape)), item.cells())
}

/// Appends to a list that has a limit.
fn push<T: Listed>(items: &mut Vec<T>, item: T, limit: usize) -> Result<()> {
    let (len, name) = (items.len(), T::NAME);
    if len == limit {
        let most = count(limit as u64, name);
        bail!("more than {most}; --limit N admits more, and without --sorted there is no limit");
    }
    if len == items.capacity() {
        // The list grows by an eighth, because doubling would waste memory.
        let grown = items.try_reserve_exact((len / 8).max(1 << 12));
        grown.with_context(|| format!("no memory to sort more than {len} {name}s"))?;
    }
    items.push(item);
    Ok(())
}
