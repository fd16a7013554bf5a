//! The input of the rows.

use std::{
    fs::File,
    io::{self, BufReader, Cursor, Read},
    path::Path,
    time::Duration,
};

use anyhow::{Context, Result};
use flate2::read::MultiGzDecoder;
use indicatif::{ProgressBar, ProgressStyle};

use super::quote;

/// The size in bytes above which reading takes long enough (about a tenth of a second) for a bar.
const LONG: u64 = 8 << 20;

/// An open input and its name for messages.
pub(crate) struct Input {
    pub(crate) name: String,
    pub(crate) reader: Box<dyn Read>,
    /// Hidden unless the input is a long file and standard error a terminal.
    pub(crate) bar: ProgressBar,
}

impl Input {
    /// Opens a file, or standard input if it is `-`. What is compressed by gzip is decompressed.
    pub(crate) fn open(path: &Path) -> Result<Self> {
        if path == Path::new("-") {
            let name = "standard input".to_owned();
            let reader = plain(io::stdin().lock()).context(name.clone())?;
            return Ok(Self { name, reader, bar: ProgressBar::hidden() });
        }
        let name = quote::path(path);
        let file = File::open(path).with_context(|| name.clone())?;
        let bytes = file.metadata().with_context(|| name.clone())?.len();
        // Indicatif draws nothing if standard error is not a terminal.
        let bar = if bytes < LONG { ProgressBar::hidden() } else { ProgressBar::new(bytes) };
        let template = "reading {wide_bar} {bytes}/{total_bytes}, {eta} left";
        bar.set_style(ProgressStyle::with_template(template)?);
        bar.enable_steady_tick(Duration::from_millis(200));
        let reader = plain(bar.wrap_read(file)).context(name.clone())?;
        Ok(Self { name, reader, bar })
    }
}

/// The bytes of an input, decompressed if its first bytes are those of gzip.
fn plain(mut input: impl Read + 'static) -> io::Result<Box<dyn Read>> {
    let mut start = Vec::new();
    input.by_ref().take(2).read_to_end(&mut start)?;
    let is_gzip = start == [0x1f, 0x8b];
    let whole = Cursor::new(start).chain(input);
    Ok(if is_gzip { Box::new(MultiGzDecoder::new(BufReader::new(whole))) } else { Box::new(whole) })
}
