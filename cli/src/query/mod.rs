//! `widephase query`: a CSV file of shapes and a file of queries in, a CSV file of answers out.
//!
//! ```text
//! read.rs     rows into queries
//! indexes.rs  the shapes, sorted for these: in their own numbers, and in f32
//! batch.rs    queries of one kind, answered together
//! list.rs     the entries of the list, and their columns
//! ```

mod batch;
mod indexes;
mod list;
mod read;

use std::{
    io::{self, Write},
    path::Path,
    time::Instant,
};

use anyhow::{Result, ensure};
use widephase::{IndexOptions, Order, SimdLevel, Touching};

use crate::{
    args::QueryArgs,
    table::{self, Input, ListWriter, Reading, Target, count},
    timing::show,
    values::ListFormat,
};
use batch::Block;
use indexes::Indexes;
use list::{HEADER, Named};
use read::{Asked, Query};

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

    let start = Instant::now();
    let input = Input::open(queries)?;
    let name = input.name.clone();
    let [id, named] = args.ids();
    let json = args.format == ListFormat::Json;
    let reading = |id| Reading { table: &args.table, id, metres: args.metres, json };
    let (Asked { queries, names }, how) = read::queries(input, &reading(named))?;
    writeln!(io::stderr(), "{name}: {how}")?;
    let input = Input::open(file)?;
    let name = input.name.clone();
    let (bodies, how) = table::bodies(input, &reading(id))?;
    let shapes = count(bodies.len() as u64, "shape");
    let (queried, time) = (count(queries.len() as u64, "query"), show(start.elapsed()));
    write!(io::stderr(), "{name}: {how}\n{shapes} and {queried}, read in {time}\n")?;

    let start = Instant::now();
    let touching = if args.exclusive { Touching::Exclusive } else { Touching::Inclusive };
    let options = IndexOptions {
        simd_level: Some(level),
        touching,
        order: Order::Sorted,
        ..IndexOptions::default()
    };
    let single = queries.iter().any(Query::needs_single);
    let (indexes, note) = match args.metres {
        true => (Indexes::of_places(&bodies, options)?, None),
        false => Indexes::build(&bodies, options, single)?,
    };
    if let Some(note) = note {
        writeln!(io::stderr(), "{note}")?;
    }
    let writer = ListWriter::new(target, HEADER.to_vec(), args.format)?;
    let names = Named { bodies: &bodies, queries: &names };
    let found = write(&indexes, &names, &queries, args.all, writer)?;
    let (found, time) = (count(found, "answer"), show(start.elapsed()));
    writeln!(io::stderr(), "{found}, found and written in {time} ({level})")?;
    Ok(())
}

/// Writes the answers in the order of the queries, and returns their number.
fn write(
    indexes: &Indexes,
    names: &Named<'_>,
    queries: &[Query],
    all: bool,
    mut writer: ListWriter,
) -> Result<u64> {
    let (mut first, mut found) = (0, 0);
    for block in queries.chunks(BLOCK) {
        Block::new(block).answer(indexes, all, |query, answer| {
            found += 1;
            writer.write(&answer.cells(first + query as u64, names))
        })?;
        first += block.len() as u64;
    }
    writer.finish()?;
    Ok(found)
}
