//! `widephase detect`: shapes from a CSV file or from columns in, a CSV file of pairs or contacts
//! out.
//!
//! ```text
//! list.rs   pairs, or contacts, and their columns
//! tiled.rs  tile by tile, in bounded memory
//! ```

mod list;
mod tiled;

use std::{
    io::{self, Write},
    path::Path,
    time::Instant,
};

use anyhow::{Context, Result, bail};
use rayon::slice::ParallelSliceMut;
use serde::Serialize;
use widephase::{Columns, Contact, Detector, Options, Pair, SimdLevel, Touching};

use crate::{
    args::DetectArgs,
    mapped::Mapped,
    table::{self, Bodies, Input, ListWriter, Target, count, quoted_path},
    timing::show,
};
use list::Listed;

/// Where the shapes come from.
enum Source {
    /// Rows of a CSV file.
    Rows(Box<Bodies>),
    /// Columns in files.
    Columns(Mapped),
}

/// What is detected, and how.
struct Search<'a> {
    source: &'a Source,
    columns: Columns<'a>,
    options: Options,
    /// The number of tiles, unless all shapes are detected at once.
    tiles: Option<usize>,
    args: &'a DetectArgs,
}

/// Reads, detects and writes, and reports the counts and times on standard error, separate from the
/// lists.
pub(crate) fn run(args: &DetectArgs) -> Result<()> {
    // Checks the SIMD level before reading, so that an unavailable level fails at once.
    let level = match args.level {
        Some(level) => level.required()?,
        None => SimdLevel::preferred()?,
    };
    let start = Instant::now();
    let (source, target, how) = open(args)?;
    let columns = match &source {
        Source::Rows(bodies) => bodies.shapes.columns(),
        Source::Columns(mapped) => mapped.columns()?,
    };
    let (shapes, time) = (count(columns.len() as u64, "shape"), show(start.elapsed()));
    write!(io::stderr(), "{how}\n{shapes}, read in {time}\n")?;

    let tiles = match (args.tiles, args.memory) {
        (Some(tiles), _) => Some(tiles.get() as usize),
        (None, Some(memory)) => Some(tiled::tiles_within(memory, columns.len())?),
        (None, None) => None,
    };
    let touching = if args.exclusive { Touching::Exclusive } else { Touching::Inclusive };
    let options = Options { simd_level: Some(level), touching, ..Options::default() };
    let search = Search { source: &source, columns, options, tiles, args };
    let start = Instant::now();
    let (found, did) = match (target, args.contacts) {
        (None, false) => (search.count::<Pair>()?, "found"),
        (None, true) => (search.count::<Contact>()?, "found"),
        (Some(target), false) => (search.write::<Pair>(target)?, "found and written"),
        (Some(target), true) => (search.write::<Contact>(target)?, "found and written"),
    };
    let time = show(start.elapsed());
    let tiles = tiles.map_or_else(String::new, |tiles| count(tiles as u64, "tile") + ", ");
    writeln!(io::stderr(), "{found}, {did} in {time} ({tiles}{level})")?;
    Ok(())
}

/// Opens the input and, unless only the number is requested, the output. Also returns how the input
/// is read.
fn open(args: &DetectArgs) -> Result<(Source, Option<Target>, String)> {
    let file: &Path = &args.file;
    let target = || match args.count {
        true => Ok(None),
        false => Target::open(args.output.as_deref(), &[file]).map(Some),
    };
    if file.is_dir() {
        let name = quoted_path(file);
        let mapped = Mapped::open(file).context(name.clone())?;
        let how = format!("{name}: {}", mapped.legend());
        return Ok((Source::Columns(mapped), target()?, how));
    }
    let input = Input::open(file)?;
    let target = target()?;
    let name = input.name.clone();
    let (bodies, how) = table::bodies(input, &args.points)?;
    Ok((Source::Rows(bodies.into()), target, format!("{name}: {how}")))
}

impl Search<'_> {
    /// Calls `each` with all items. Returns their number.
    fn find<T: Listed>(&self, each: impl FnMut(T) -> Result<()>) -> Result<u64> {
        let Self { columns, options, tiles, args, .. } = self;
        match tiles {
            Some(tiles) => tiled::each(*columns, *tiles, options, args.margin, each),
            None => {
                let mut detector = Detector::with_options(*options)?;
                T::find(&mut detector, *columns, args.margin, each)?
            }
        }
    }

    /// Writes the number of items to standard output, and returns it in words.
    fn count<T: Listed>(&self) -> Result<String> {
        let found = self.find(|_: T| Ok(()))?;
        writeln!(io::stdout(), "{found}")?;
        Ok(count(found, T::NAME))
    }

    /// Writes a list and returns its length in words. In the order of the grid, the list is
    /// streamed from the sweep into the file, whatever its length. A sorted list is held in memory
    /// first.
    fn write<T: Listed>(&self, target: Target) -> Result<String> {
        let args = self.args;
        let mut writer;
        let found = if args.sorted {
            let limit = args.limit.map_or(T::MOST, |limit| limit.get().into());
            let mut items = Vec::new();
            let found = self.find(|item: T| push(&mut items, item, limit))?;
            items.par_sort_unstable_by_key(T::key);
            writer = ListWriter::new(target, T::HEADER)?;
            for item in &items {
                writer.write(self.cells(item))?;
            }
            found
        } else {
            writer = ListWriter::new(target, T::HEADER)?;
            self.find(|item: T| writer.write(self.cells(&item)))?
        };
        writer.finish()?;
        Ok(count(found, T::NAME))
    }

    /// The cells of an entry. Shapes are identified by their row numbers.
    fn cells<T: Listed>(&self, item: &T) -> impl Serialize {
        let Pair { a, b } = item.pair();
        let row = |shape| match self.source {
            Source::Rows(bodies) => bodies.first_row(shape),
            Source::Columns(_) => shape.into(),
        };
        ([a, b].map(row), item.cells())
    }
}

/// Appends to a list that has a limit.
fn push<T: Listed>(items: &mut Vec<T>, item: T, limit: u64) -> Result<()> {
    let (len, name) = (items.len(), T::NAME);
    if len as u64 == limit {
        let most = count(limit, name);
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
