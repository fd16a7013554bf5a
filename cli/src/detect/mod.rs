//! `widephase detect`: shapes from a CSV file or from columns in, a list of pairs or contacts out.
//!
//! ```text
//! shapes.rs     the shapes of the inputs: in their own numbers, or in f32
//! decided.rs    pairs of boxes around figures, decided
//! search.rs     pairs and contacts of these: at once, with an index, tile by tile
//! tiled.rs      ... in bounded memory
//! list.rs       pairs, or contacts, and their columns
//! distances.rs  ... with the distance of each pair
//! ```
//!
//! Pairs are decided by the numbers of the file, for shapes of all kinds. Contacts, and the pairs
//! of columns of `f32` and of columns of segments, capsules and rotated boxes alone, are computed
//! in `f32`, relative to an origin among the shapes where that is more exact.

mod decided;
mod distances;
mod list;
mod search;
mod shapes;
mod tiled;

use std::{
    io::{self, Write},
    path::Path,
    time::Instant,
};

use anyhow::{Context, Result, bail, ensure};
use rayon::slice::ParallelSliceMut;
use widephase::{Contact, Options, Pair, SimdLevel, Touching};

use crate::{
    args::DetectArgs,
    table::{Cell, ListWriter, Reading, Target, count},
    timing::show,
    values::ListFormat,
};
pub(crate) use list::position;
use list::{Listed, Values};
use search::{Found, Search, Work};
use shapes::Source;

/// Reads, detects and writes, and reports the counts and times on standard error, separate from the
/// lists.
pub(crate) fn run(args: &DetectArgs) -> Result<()> {
    // Checks the SIMD level before reading, so that an unavailable level fails at once.
    let level = match args.level {
        Some(level) => level.required()?,
        None => SimdLevel::preferred()?,
    };
    let start = Instant::now();
    let inputs = Inputs::open(args)?;
    let time = show(start.elapsed());
    writeln!(io::stderr(), "{}, read in {time}", inputs.counted())?;

    let touching = if args.exclusive { Touching::Exclusive } else { Touching::Inclusive };
    let options = Options { simd_level: Some(level), touching, ..Options::default() };
    let start = Instant::now();
    let mut work = Work::default();
    let search = Search::new(&inputs.shapes, inputs.against.as_ref(), options, args, &mut work)?;
    if let Some(note) = &search.note {
        writeln!(io::stderr(), "{note}")?;
    }
    let (found, did) = match (inputs.target, args.contacts) {
        (None, false) => (search.count::<Pair>()?, "found"),
        (None, true) => (search.count::<Contact>()?, "found"),
        (Some(target), false) => (search.write::<Pair>(target)?, "found and written"),
        (Some(target), true) => (search.write::<Contact>(target)?, "found and written"),
    };
    let time = show(start.elapsed());
    let tiles = search.tiles.map_or_else(String::new, |tiles| count(tiles as u64, "tile") + ", ");
    writeln!(io::stderr(), "{found}, {did} in {time} ({tiles}{level})")?;
    Ok(())
}

/// The shapes, and where the list goes unless only the number is requested.
struct Inputs {
    shapes: Source,
    against: Option<Source>,
    target: Option<Target>,
}

impl Inputs {
    /// Opens the inputs and the output, and says how the inputs are read.
    fn open(args: &DetectArgs) -> Result<Self> {
        let files: Vec<&Path> = [Some(&args.file), args.against.as_ref()]
            .into_iter()
            .flatten()
            .map(AsRef::as_ref)
            .collect();
        let standard = files.iter().filter(|file| **file == Path::new("-")).count();
        ensure!(standard < 2, "standard input cannot be both sets of shapes");
        let target = match args.count {
            true => None,
            false => Some(Target::open(args.output.as_deref(), &files)?),
        };
        let json = args.format == ListFormat::Json;
        let mut sources = Vec::new();
        for (file, id) in files.into_iter().zip(args.ids()) {
            let reading = Reading { table: &args.table, id, metres: args.metres, json };
            let (source, how) = Source::open(file, &reading)?;
            writeln!(io::stderr(), "{how}")?;
            let is_mapped = matches!(source, Source::Columns(..));
            ensure!(id.is_none() || !is_mapped, "a folder of columns has no column for --id");
            sources.push(source);
        }
        if !args.contacts && (args.needs_exact() || sources.iter().any(Source::is_double)) {
            let figures = !sources.iter().all(Source::are_boxes);
            sources.iter_mut().try_for_each(|source| source.need_exact(figures, args.centers))?;
        }
        let against = args.against.as_ref().and_then(|_| sources.pop());
        let shapes = sources.pop().context("no input")?;
        Ok(Self { shapes, against, target })
    }

    /// The number of shapes, in words.
    fn counted(&self) -> String {
        let shapes = count(self.shapes.len() as u64, "shape");
        match &self.against {
            Some(against) => format!("{shapes} against {}", against.len()),
            None => shapes,
        }
    }
}

impl Search<'_> {
    /// Writes the number of items to standard output, and returns it in words.
    fn count<T: Found>(&self) -> Result<String> {
        let found = T::each(self, |_| Ok(()))?;
        writeln!(io::stdout(), "{found}")?;
        Ok(count(found, T::NAME))
    }

    /// Writes a list and returns its length in words. In the order of the grid, the list is
    /// streamed from the sweep into the file. A sorted list is held in memory first.
    fn write<T: Found>(&self, target: Target) -> Result<String> {
        let args = self.args;
        let limit = args.limit.map_or(T::MOST, |limit| limit.get().into());
        let values = self.values();
        let mut header = vec!["a", "b"];
        header.extend(T::header(&values));
        let mut writer;
        let found = if args.sorted {
            let mut items = Vec::new();
            let found = T::each(self, |item| push(&mut items, item, limit))?;
            items.par_sort_unstable_by_key(T::key);
            writer = ListWriter::new(target, header, args.format)?;
            let mut cells = Vec::new();
            for item in &items {
                self.cells(item, &values, &mut cells);
                writer.write(&cells)?;
            }
            found
        } else {
            writer = ListWriter::new(target, header, args.format)?;
            let (mut cells, mut written) = (Vec::new(), 0);
            T::each(self, |item| {
                written += 1;
                if written > limit {
                    bail!(too_many::<T>(limit));
                }
                self.cells(&item, &values, &mut cells);
                writer.write(&cells)
            })?
        };
        writer.finish()?;
        Ok(count(found, T::NAME))
    }

    /// Replaces `cells` by the cells of an entry.
    fn cells<'c, T: Listed>(&'c self, item: &T, values: &Values<'_>, cells: &mut Vec<Cell<'c>>) {
        let Pair { a, b } = item.pair();
        cells.clear();
        cells.extend([self.shapes.cell(a), self.against.unwrap_or(self.shapes).cell(b)]);
        item.cells(values, cells);
    }
}

/// Appends to a list that has a limit.
fn push<T: Listed>(items: &mut Vec<T>, item: T, limit: u64) -> Result<()> {
    let (len, name) = (items.len(), T::NAME);
    if len as u64 == limit {
        bail!(too_many::<T>(limit));
    }
    if len == items.capacity() {
        // The list grows by an eighth, because doubling would waste memory.
        let grown = items.try_reserve_exact((len / 8).max(1 << 12));
        grown.with_context(|| format!("no memory to sort more than {len} {name}s"))?;
    }
    items.push(item);
    Ok(())
}

/// Advice about a list that is too long.
fn too_many<T: Listed>(limit: u64) -> String {
    let most = count(limit, T::NAME);
    format!("more than {most}; --limit N admits more, and --count tells how many there are")
}
