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

/// The form of an input, by its first bytes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    /// CSV, or anything else.
    Text,
    /// An object of JSON.
    Json,
    Parquet,
    /// An input of another form, and advice about it.
    Other(&'static str),
}

/// Files that people have instead of a table, by their first bytes.
const OTHERS: [(&[u8], &str); 17] = [
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an Excel workbook (xls); save it as CSV"),
    (b"PK\x05\x06", "an empty zip archive"),
    (b"\x28\xb5\x2f\xfd", "compressed by zstd; decompress it, or compress it by gzip"),
    (b"\xfd7zXZ\0", "compressed by xz; decompress it, or compress it by gzip"),
    (b"BZh91AY&SY", "compressed by bzip2; decompress it, or compress it by gzip"),
    (b"7z\xbc\xaf\x27\x1c", "a 7z archive; unpack it"),
    (b"SQLite format 3\0", "a database of SQLite, as a GeoPackage is; export a table as CSV"),
    (b"\0\0\x27\x0a", "a shapefile; convert it to GeoJSON or CSV, by ogr2ogr"),
    (b"fgb\x03", "FlatGeobuf; convert it to GeoJSON or CSV, by ogr2ogr"),
    (b"\x93NUMPY", "a column of NumPy; name the folder with all columns"),
    (b"%PDF-", "a PDF; save its table as CSV"),
    (b"<?xml", "XML, as KML and GPX are; convert it to GeoJSON or CSV, by ogr2ogr"),
    (b"<kml", "KML; convert it to GeoJSON or CSV, by ogr2ogr"),
    (b"<gpx", "GPX; convert it to GeoJSON or CSV, by ogr2ogr"),
    (b"<!DOCTYPE", "a page of the web (HTML), not a table"),
    (b"<!doctype", "a page of the web (HTML), not a table"),
    (b"<html", "a page of the web (HTML), not a table"),
];

/// The first name in a zip archive that makes it another kind of file.
const ZIPPED: [(&[u8], &str); 6] = [
    (b"[Content_Types].xml", "an Excel workbook (xlsx); save it as CSV"),
    (b"xl/", "an Excel workbook (xlsx); save it as CSV"),
    (b"_rels/", "an Excel workbook (xlsx); save it as CSV"),
    (b"docProps/", "an Excel workbook (xlsx); save it as CSV"),
    (b"mimetype", "an OpenDocument file, as an ods table is; save it as CSV"),
    (b"doc.kml", "KMZ, which is zipped KML; convert it to GeoJSON or CSV, by ogr2ogr"),
];

impl Form {
    /// The form of an input that begins with these bytes.
    fn of(start: &[u8]) -> Self {
        let text = start.strip_prefix(b"\xef\xbb\xbf").unwrap_or(start);
        let blank = |byte: &u8| byte.is_ascii_whitespace() || *byte == 0x1e;
        let text = &text[text.iter().take_while(|byte| blank(byte)).count()..];
        let begins = |names: &[(&[u8], &'static str)], bytes: &[u8]| {
            names.iter().find(|(name, _)| bytes.starts_with(name)).map(|(_, what)| *what)
        };
        if let Some(zip) = start.strip_prefix(b"PK\x03\x04") {
            // The name follows the header of 30 bytes.
            let name = zip.get(26..).unwrap_or_default();
            return Self::Other(begins(&ZIPPED, name).unwrap_or("a zip archive; unpack it"));
        }
        match text {
            [b'{', ..] => return Self::Json,
            [b'P', b'A', b'R', b'1', ..] => return Self::Parquet,
            _ => {}
        }
        if is_wkb(start) {
            return Self::Other("WKB (binary); write WKT, as ST_AsText of PostGIS does");
        }
        let digits = text.iter().take_while(|byte| byte.is_ascii_hexdigit()).count();
        if digits >= 18 && is_wkb(&hex(&text[..18])) {
            return Self::Other(
                "WKB in hexadecimal digits; write WKT, as ST_AsText of PostGIS does",
            );
        }
        begins(&OTHERS, text).map_or(Self::Text, Self::Other)
    }
}

/// Whether bytes begin as WKB does: the order of bytes, and a kind from 1 to 17, in thousands or
/// with high bits for z, m and a reference system.
fn is_wkb(start: &[u8]) -> bool {
    let kind = match *start {
        [0, a, b, c, d, ..] => u32::from_be_bytes([a, b, c, d]),
        [1, a, b, c, d, ..] => u32::from_le_bytes([a, b, c, d]),
        _ => return false,
    };
    let plain = kind & 0x1fff_ffff;
    plain < 4000 && (1..=17).contains(&(plain % 1000))
}

/// The bytes that pairs of hexadecimal digits stand for.
fn hex(digits: &[u8]) -> Vec<u8> {
    let value = |digit: &u8| (*digit as char).to_digit(16).unwrap_or(0) as u8;
    digits.as_chunks::<2>().0.iter().map(|[a, b]| value(a) << 4 | value(b)).collect()
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
    /// Opens a file, or standard input if it is `-`. Input that is compressed by gzip is
    /// decompressed.
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

/// The bytes of an input, decompressed if its first bytes are the bytes of gzip, and their form.
fn plain(input: impl Read + 'static) -> io::Result<(Box<dyn Read>, Form)> {
    let (start, whole) = begun(input)?;
    let (start, whole) = match start.starts_with(&[0x1f, 0x8b]) {
        true => begun(MultiGzDecoder::new(BufReader::new(whole)))?,
        false => (start, whole),
    };
    let form = Form::of(&start);
    Ok((whole, form))
}

/// The first bytes of an input, and all its bytes.
fn begun(mut input: impl Read + 'static) -> io::Result<(Vec<u8>, Box<dyn Read>)> {
    let mut start = Vec::new();
    input.by_ref().take(64).read_to_end(&mut start)?;
    let whole = Cursor::new(start.clone()).chain(input);
    Ok((start, Box::new(whole)))
}
