//! Pairs, or contacts, as CSV.

use std::{
    fs::File,
    io::{self, Write},
    path::Path,
};

use anyhow::{Context, Error, Result};
use csv::{ErrorKind, Writer};
use serde::{Serialize, Serializer};
use widephase::{Contact, ContactPoint, Feature, Pair};

use super::bodies::Bodies;

/// What is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Content {
    Pairs,
    Contacts,
}

impl Content {
    /// The names of the columns.
    fn header(self) -> &'static [&'static str] {
        match self {
            Content::Pairs => &["a", "b"],
            Content::Contacts => &[
                "a",
                "b",
                "part_a",
                "part_b",
                "normal_x",
                "normal_y",
                "depth",
                "x1",
                "y1",
                "depth1",
                "feature_a1",
                "feature_b1",
                "x2",
                "y2",
                "depth2",
                "feature_a2",
                "feature_b2",
            ],
        }
    }
}

/// Writes CSV, buffered.
pub(super) struct ListWriter<'a> {
    writer: Writer<Box<dyn Write>>,
    /// What the shapes in the list are called.
    bodies: &'a Bodies,
    /// The output's name, for messages.
    name: String,
    /// The first write that failed. The sweep calls back for every pair and cannot be stopped, so
    /// the rest is dropped.
    failed: Option<csv::Error>,
}

impl<'a> ListWriter<'a> {
    /// Creates the file, or takes standard output, and writes the header. The list is about `bodies`.
    pub(super) fn open(path: Option<&Path>, content: Content, bodies: &'a Bodies) -> Result<Self> {
        let (name, output): (_, Box<dyn Write>) = match path {
            Some(path) => {
                let name = path.display().to_string();
                let file = File::create(path).with_context(|| name.clone())?;
                (name, Box::new(file))
            }
            None => ("standard output".to_owned(), Box::new(io::stdout().lock())),
        };
        let mut builder = csv::WriterBuilder::new();
        let mut writer = builder.has_headers(false).buffer_capacity(1 << 16).from_writer(output);
        let failed = writer.write_record(content.header()).err();
        Ok(Self { writer, bodies, name, failed })
    }

    /// Writes one pair.
    pub(super) fn write(&mut self, pair: Pair) {
        if self.failed.is_none() {
            self.failed = self.writer.serialize(self.rows(pair)).err();
        }
    }

    /// Writes one contact.
    pub(super) fn write_contact(&mut self, contact: &Contact) {
        if self.failed.is_none() {
            let Contact { pair, part_a, part_b, normal_x, normal_y, depth, .. } = *contact;
            let points = contact.points();
            let [first, second] = [0, 1].map(|index| Point::of(points.get(index)));
            let parts = (part_a, part_b, normal_x, normal_y, depth);
            self.failed = self.writer.serialize((self.rows(pair), parts, first, second)).err();
        }
    }

    /// A pair as it is written: the numbers of rows.
    fn rows(&self, Pair { a, b }: Pair) -> [u64; 2] {
        [a, b].map(|shape| self.bodies.first_row(shape))
    }

    /// Writes what is still in the buffer; tells of the first write that failed.
    pub(super) fn finish(mut self) -> Result<()> {
        let result = match self.failed.take().map(csv::Error::into_kind) {
            Some(ErrorKind::Io(error)) => Err(error),
            Some(other) => Err(io::Error::other(format!("{other:?}"))),
            None => self.writer.flush(),
        };
        result.map_err(Error::new).context(self.name)
    }
}

/// The cells of a point; empty where there is none.
#[derive(Default, Serialize)]
struct Point {
    x: Option<f32>,
    y: Option<f32>,
    depth: Option<f32>,
    feature_a: Option<Name>,
    feature_b: Option<Name>,
}

impl Point {
    fn of(point: Option<&ContactPoint>) -> Self {
        point.map_or_else(Self::default, |point| Self {
            x: Some(point.x),
            y: Some(point.y),
            depth: Some(point.depth),
            feature_a: Some(Name(point.feature_a)),
            feature_b: Some(Name(point.feature_b)),
        })
    }
}

/// A vertex or a side as people write it: `v3`, `s2`.
struct Name(Feature);

impl Serialize for Name {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let letter = if self.0.is_side() { 's' } else { 'v' };
        serializer.collect_str(&format_args!("{letter}{}", self.0.index()))
    }
}
