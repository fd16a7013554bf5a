//! Reads geometries in WKT, such as `POLYGON ((0 0, 4 0, 4 3, 0 0))`.
//!
//! PostGIS, GDAL, QGIS and shapely write it in different ways, which are all read:
//!
//! ```text
//! SRID=4326;POINT(1 2)      a number of a reference system before it, which is ignored
//! Point Z (1 2 3)           names in any case; Z, M, ZM, also without a blank before it
//! POINT (1 2 3)             ... or without any of them. Only x and y count
//! MULTIPOINT (1 2, (3 4))   points with and without parentheses
//! MULTIPOINT (EMPTY, 1 2)   EMPTY in place of any parentheses
//! ```

use std::str;

use anyhow::{Result, anyhow, bail, ensure};

use super::{
    geometry::{DEEPEST, Geometry},
    quote::quoted,
};

/// The geometry of a text. Errors say at which character the fault is, from 1.
pub(crate) fn geometry(text: &[u8]) -> Result<Geometry> {
    let is_hex = text.len() > 8 && text.iter().all(u8::is_ascii_hexdigit);
    ensure!(
        !(is_hex && text[0] == b'0'),
        "WKB in hexadecimal digits; write WKT, as ST_AsText of PostGIS does"
    );
    let mut parser = Parser { text, at: 0, numbers: None, geometry: Geometry::default() };
    parser.whole().map_err(|what| {
        let read = &text[..parser.at];
        // All bytes of a character but the first one begin with the bits 10.
        let characters = read.iter().filter(|byte| **byte & 0xc0 != 0x80).count();
        anyhow!("not a geometry in WKT: character {}: {what}", characters + 1)
    })?;
    Ok(parser.geometry)
}

/// A text, and the geometry of its begin.
struct Parser<'a> {
    text: &'a [u8],
    /// The number of bytes that have been read.
    at: usize,
    /// How many numbers each position of the current geometry has, once that is known.
    numbers: Option<usize>,
    geometry: Geometry,
}

impl<'a> Parser<'a> {
    /// Reads all of the text.
    fn whole(&mut self) -> Result<()> {
        let start = self.text;
        if start.get(..5).is_some_and(|word| word.eq_ignore_ascii_case(b"SRID=")) {
            let end = start.iter().position(|byte| *byte == b';');
            let end = end.ok_or_else(|| anyhow!("no semicolon ends the number of SRID"))?;
            let number = start[5..end].trim_ascii();
            ensure!(number.iter().all(u8::is_ascii_digit), "{} is no SRID", quoted(number));
            self.at = end + 1;
        }
        self.tagged(0)?;
        match self.next() {
            None => Ok(()),
            Some(_) => bail!("{} follows the geometry", self.found()),
        }
    }

    /// Reads a geometry with its name, which is inside of `depth` collections.
    fn tagged(&mut self, depth: usize) -> Result<()> {
        ensure!(depth <= DEEPEST, "more than {DEEPEST} collections inside of each other");
        self.next();
        let start = self.at;
        let name = self.word().to_ascii_uppercase();
        let (name, mut tag) = match name.strip_suffix(b"ZM") {
            Some(name) => (name, &b"ZM"[..]),
            None => match name.split_last() {
                Some((mark @ (b'Z' | b'M'), name)) => (name, std::slice::from_ref(mark)),
                _ => (&name[..], &[][..]),
            },
        };
        if tag.is_empty() {
            self.next();
            let before = self.at;
            tag = match self.word() {
                word if word.eq_ignore_ascii_case(b"ZM") => b"ZM",
                word if word.eq_ignore_ascii_case(b"Z") => b"Z",
                word if word.eq_ignore_ascii_case(b"M") => b"M",
                _ => {
                    self.at = before;
                    b""
                }
            };
        }
        self.numbers = Some(tag.len() + 2).filter(|_| !tag.is_empty());
        match name {
            b"POINT" => self.point(),
            b"MULTIPOINT" => self.list(|text| match text.next() {
                Some(b'(' | b'E' | b'e') => text.point(),
                _ => text.position().map(|at| text.geometry.points.push(at)),
            }),
            b"LINESTRING" | b"LINEARRING" => self.line(),
            b"MULTILINESTRING" => self.list(Self::line),
            b"POLYGON" => self.polygon(),
            b"MULTIPOLYGON" => self.list(Self::polygon),
            b"GEOMETRYCOLLECTION" => self.list(|text| text.tagged(depth + 1)),
            _ => {
                self.at = start;
                bail!("{} is no geometry that is read", self.found())
            }
        }
    }

    fn point(&mut self) -> Result<()> {
        if !self.open()? {
            return Ok(());
        }
        let at = self.position()?;
        self.geometry.points.push(at);
        match self.next() {
            Some(b')') => {
                self.at += 1;
                Ok(())
            }
            _ => bail!("{} instead of )", self.found()),
        }
    }

    fn line(&mut self) -> Result<()> {
        let line = self.positions()?;
        self.geometry.lines.push(line);
        Ok(())
    }

    fn polygon(&mut self) -> Result<()> {
        let mut rings = Vec::new();
        self.list(|text| text.positions().map(|ring| rings.push(ring)))?;
        self.geometry.polygons.push(rings);
        Ok(())
    }

    /// Reads a list of positions.
    fn positions(&mut self) -> Result<Vec<[f64; 2]>> {
        let mut positions = Vec::new();
        self.list(|text| text.position().map(|at| positions.push(at)))?;
        Ok(positions)
    }

    /// Reads a list in parentheses, or an empty list for `EMPTY`. Each item is read by `item`.
    fn list(&mut self, mut item: impl FnMut(&mut Self) -> Result<()>) -> Result<()> {
        if !self.open()? {
            return Ok(());
        }
        loop {
            item(self)?;
            match self.next() {
                Some(b',') => self.at += 1,
                Some(b')') => {
                    self.at += 1;
                    return Ok(());
                }
                _ => bail!("{} instead of , or )", self.found()),
            }
        }
    }

    /// Reads a parenthesis, or `EMPTY`. Returns whether something is in it.
    fn open(&mut self) -> Result<bool> {
        let next = self.next();
        let before = self.at;
        if next == Some(b'(') {
            self.at += 1;
            return Ok(true);
        }
        if self.word().eq_ignore_ascii_case(b"EMPTY") {
            return Ok(false);
        }
        self.at = before;
        bail!("{} instead of ( or EMPTY", self.found())
    }

    /// Reads two to four numbers, of which the first two are x and y.
    fn position(&mut self) -> Result<[f64; 2]> {
        let (mut position, mut numbers) = ([0.0; 2], 0);
        while self.next().is_some_and(|byte| !b"(),;".contains(&byte)) {
            let before = self.at;
            let word = str::from_utf8(self.word()).ok().and_then(|word| word.parse().ok());
            let Some(number) = word else {
                self.at = before;
                bail!("{} is not a number", self.found());
            };
            if let Some(place) = position.get_mut(numbers) {
                *place = number;
            }
            numbers += 1;
        }
        ensure!(numbers > 0, "{} instead of a number", self.found());
        let expected = *self.numbers.get_or_insert(numbers);
        ensure!((2..=4).contains(&expected), "a position of {numbers} instead of 2 to 4 numbers");
        ensure!(numbers == expected, "a position of {numbers} instead of {expected} numbers");
        Ok(position)
    }

    /// Reads up to the next blank or mark.
    fn word(&mut self) -> &'a [u8] {
        let rest = &self.text[self.at..];
        let ends = |byte: &u8| byte.is_ascii_whitespace() || b"(),;".contains(byte);
        let word = &rest[..rest.iter().position(ends).unwrap_or(rest.len())];
        self.at += word.len();
        word
    }

    /// Reads blanks. Returns the byte behind them, which is not read.
    fn next(&mut self) -> Option<u8> {
        let rest = &self.text[self.at..];
        self.at += rest.len() - rest.trim_ascii_start().len();
        self.text.get(self.at).copied()
    }

    /// The next token, for messages.
    fn found(&mut self) -> String {
        let Some(next) = self.next() else { return "the end".to_owned() };
        let before = self.at;
        let word = quoted(self.word());
        self.at = before;
        if b"(),;".contains(&next) { quoted(&[next]) } else { word }
    }
}
