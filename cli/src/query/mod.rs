//! `widephase query`: a CSV file of shapes and one of queries in, a CSV file of answers out.
//!
//! ```text
//! read.rs   rows into queries
//! batch.rs  queries of one kind, answered together
//! list.rs   the entries of the list, and their columns
//! ```

mod batch;
mod list;
mod read;

use std::{
    io::{self, Write},
    path::Path,
    time::Instant,
};

use anyhow::{Result, ensure};
use widephase::{Index, IndexOptions, Order, SimdLevel, Touching};

use crate::{
    args::QueryArgs,
    table::{self, Bodies, Input, ListWriter, Target, count},
    timing::show,
};
use batch::Block;
use list::{Entry, HEADER};
use read::Query;

/// Queries that are answered before their answers are written. A batch of this size runs on several
/// threads, and the answers of more queries would take memory.
const BLOCK: usize = 1 << 14;

/// Reads, queries and writes, and reports the counts and times on standard error, separate from the
/// list.
pub(crate) fn run(args: &QueryArgs) -> Result<()> {
    let QueryArgs { shapes: file, queries, .. } = args;
    // Checks the SIMD level before reading, so that an unavailable level fails at once.
    let level = match args.level {
        Some(level) => level.required()?,
        None => SimdLevel::preferred()?,
    };
    let standard = Path::new("-");
    ensure!(
        file != standard || queries != standard,
        "standard input cannot be both shapes and queries"
    );
    let target = Target::open(args.output.as_deref(), &[file, queries])?;
    let touching = if args.exclusive { Touching::Exclusive } else { Touching::Inclusive };
    let mut index = Index::with_options(IndexOptions {
        simd_level: Some(level),
        touching,
        order: Order::Sorted,
        ..IndexOptions::default()
    })?;

    let start = Instant::now();
    let input = Input::open(queries)?;
    let name = input.name.clone();
    // The index is empty yet: it checks the values of the queries.
    let (queries, how) = read::queries(input, &index)?;
    writeln!(io::stderr(), "{name}: {how}")?;
    let input = Input::open(file)?;
    let name = input.name.clone();
    let (bodies, how) = table::bodies(input, &args.points)?;
    let shapes = count(bodies.shapes.len() as u64, "shape");
    let (queried, time) = (count(queries.len() as u64, "query"), show(start.elapsed()));
    write!(io::stderr(), "{name}: {how}\n{shapes} and {queried}, read in {time}\n")?;

    let start = Instant::now();
    index.rebuild(&bodies.shapes)?;
    let found = write(&index, &bodies, &queries, args.all, target)?;
    let (found, time) = (count(found, "answer"), show(start.elapsed()));
    writeln!(io::stderr(), "{found}, found and written in {time} ({level})")?;
    Ok(())
}

/// Writes the answers in the order of the queries, and returns their number.
fn write(
    index: &Index,
    bodies: &Bodies,
    queries: &[Query],
    all: bool,
    target: Target,
) -> Result<u64> {
    let mut writer = ListWriter::new(target, &HEADER)?;
    let (mut first, mut found) = (0, 0);
    for block in queries.chunks(BLOCK) {
        Block::new(block)?.answer(index, all, |query, answer| {
            found += 1;
            writer.write(Entry::new(first + query as u64, answer, bodies))
        })?;
        first += block.len() as u64;
    }
    writer.finish()?;
    Ok(found)
}
