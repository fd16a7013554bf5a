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

/// What the first bytes of an input say that it is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    /// CSV, or anything else.
    Text,
    /// An object of JSON.
    Json,
    Parquet,
}

/// An open input and its name for messages.
pub(crate) struct Input {
    pub(crate) name: String,
    pub(crate) reader: Box<dyn Read>,
    pub(crate) form: Form,
    /// Hidden unless the input is a long file and standard error a terminal.
    pub(crate) bar: ProgressBar,
}

impl Input {
    /// Opens a file, or standard input if it is `-`. What is compressed by gzip is decompressed.
    pub(crate) fn open(path: &Path) -> Result<Self> {
        if path == Path::new("-") {
            let name = "standard input".to_owned();
            let (reader, form) = plain(io::stdin().lock()).context(name.clone())?;
            return Ok(Self { name, reader, form, bar: ProgressBar::hidden() });
        }
        let name = quote::path(path);
        let file = File::open(path).with_context(|| name.clone())?;
        let bytes = file.metadata().with_context(|| name.clone())?.len();
        // Indicatif draws nothing if standard error is not a terminal.
        let bar = if bytes < LONG { ProgressBar::hidden() } else { ProgressBar::new(bytes) };
        let template = "reading {wide_bar} {bytes}/{total_bytes}, {eta} left";
        bar.set_style(ProgressStyle::with_template(template)?);
        bar.enable_steady_tick(Duration::from_millis(200));
        let (reader, form) = plain(bar.wrap_read(file)).context(name.clone())?;
        Ok(Self { name, reader, form, bar })
    }
}

/// The bytes of an input, decompressed if its first bytes are those of gzip, and their form.
fn plain(input: impl Read + 'static) -> io::Result<(Box<dyn Read>, Form)> {
    let (start, whole) = begun(input)?;
    let (start, whole) = match start.starts_with(&[0x1f, 0x8b]) {
        true => begun(MultiGzDecoder::new(BufReader::new(whole)))?,
        false => (start, whole),
    };
    let text = start.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&start);
    let form = match text.trim_ascii_start() {
        [b'{', ..] => Form::Json,
        [b'P', b'A', b'R', b'1', ..] => Form::Parquet,
        _ => Form::Text,
    };
    Ok((whole, form))
}

/// The first bytes of an input, and all of them.
fn begun(mut input: impl Read + 'static) -> io::Result<(Vec<u8>, Box<dyn Read>)> {
    let mut start = Vec::new();
    input.by_ref().take(64).read_to_end(&mut start)?;
    let whole = Cursor::new(start.clone()).chain(input);
    Ok((start, Box::new(whole)))
}
