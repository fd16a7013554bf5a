//! Reads GeoJSON: documents one after the other, each with one feature or many features.
//!
//! A document is a collection of features, a feature or a geometry. Several documents are GeoJSON
//! lines, with or without the record separators of RFC 8142.

use std::{borrow::Cow, fmt};

use anyhow::{Context, Result, anyhow, bail, ensure};
use serde::{
    Deserialize, Deserializer,
    de::{Error, IgnoredAny, SeqAccess, Visitor},
};
use serde_json::{Map, Value, value::RawValue};

use super::geometry::{DEEPEST, Geometry};

/// The text of a feature, or of a geometry in place of it.
#[derive(Clone, Copy)]
pub(super) struct Feature<'a> {
    raw: &'a RawValue,
    /// The line on which it begins, from 1.
    pub(super) line: u64,
}

/// An object of GeoJSON, of which it has some of the members.
#[derive(Deserialize)]
struct Object<'a> {
    #[serde(borrow, rename = "type")]
    kind: Cow<'a, str>,
    #[serde(borrow)]
    features: Option<Vec<&'a RawValue>>,
    #[serde(borrow)]
    geometry: Option<&'a RawValue>,
    properties: Option<Map<String, Value>>,
    id: Option<Value>,
    #[serde(borrow)]
    coordinates: Option<&'a RawValue>,
    #[serde(borrow)]
    geometries: Option<Vec<&'a RawValue>>,
}

/// The content of a feature.
pub(super) struct Content<'a> {
    geometry: Option<&'a RawValue>,
    pub(super) properties: Map<String, Value>,
    pub(super) id: Option<Value>,
}

/// The text of an input, and blanks in place of the record separators of RFC 8142. (JSON has this
/// byte nowhere.)
pub(super) fn text(mut bytes: Vec<u8>) -> Result<String> {
    for byte in bytes.iter_mut().filter(|byte| **byte == 0x1e) {
        *byte = b' ';
    }
    String::from_utf8(bytes).map_err(|error| {
        let valid = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        anyhow!("line {}: not UTF-8, as GeoJSON is", 1 + line_ends(valid))
    })
}

/// The features of all documents in a text.
pub(super) fn features(text: &str) -> Result<Vec<Feature<'_>>> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let (mut features, mut line, mut read) = (Vec::new(), 1, 0);
    let mut push = |raw: &'_ RawValue| {
        // All documents are parts of the text, one after the other.
        let start = raw.get().as_ptr().addr() - text.as_ptr().addr();
        line += line_ends(&text.as_bytes()[read..start]);
        read = start;
        line
    };
    let documents = serde_json::Deserializer::from_str(text).into_iter::<&RawValue>();
    for document in documents {
        let raw = document
            .map_err(|error| anyhow!("line {}: not GeoJSON: {}", error.line(), told(&error)))?;
        let line = push(raw);
        let object: Object<'_> = parsed(raw).with_context(|| format!("line {line}"))?;
        match object.features.filter(|_| object.kind == "FeatureCollection") {
            Some(list) => {
                features.extend(list.into_iter().map(|raw| Feature { raw, line: push(raw) }));
            }
            None => features.push(Feature { raw, line }),
        }
    }
    Ok(features)
}

impl<'a> Feature<'a> {
    /// Reads all but the geometry.
    pub(super) fn content(self) -> Result<Content<'a>> {
        let Object { kind, geometry, properties, id, .. } = parsed(self.raw)?;
        let geometry = if kind == "Feature" { geometry } else { Some(self.raw) };
        Ok(Content { geometry, properties: properties.unwrap_or_default(), id })
    }
}

impl Content<'_> {
    /// Reads the geometry. It is empty if there is no name.
    pub(super) fn geometry(&self) -> Result<Geometry> {
        let mut geometry = Geometry::default();
        if let Some(raw) = self.geometry {
            add(&mut geometry, raw, 0)?;
        }
        Ok(geometry)
    }
}

/// Adds a geometry, which is inside of `depth` collections.
fn add(geometry: &mut Geometry, raw: &RawValue, depth: usize) -> Result<()> {
    ensure!(depth <= DEEPEST, "more than {DEEPEST} collections inside of each other");
    let Object { kind, coordinates, geometries, .. } = parsed(raw)?;
    if kind == "GeometryCollection" {
        let members = geometries.context("not GeoJSON: a collection has no geometries")?;
        return members.into_iter().try_for_each(|raw| add(geometry, raw, depth + 1));
    }
    let raw = || coordinates.context("not GeoJSON: a geometry has no coordinates");
    match &*kind {
        "Point" => geometry.points.extend(parsed::<Position>(raw()?)?.0),
        "MultiPoint" => {
            let positions = parsed::<Vec<Position>>(raw()?)?;
            geometry.points.extend(positions.into_iter().filter_map(|position| position.0));
        }
        "LineString" => geometry.lines.push(line(parsed(raw()?)?)?),
        "MultiLineString" => geometry.lines.extend(lines(parsed(raw()?)?)?),
        "Polygon" => geometry.polygons.push(lines(parsed(raw()?)?)?),
        "MultiPolygon" => {
            for rings in parsed::<Vec<Vec<Vec<Position>>>>(raw()?)? {
                geometry.polygons.push(lines(rings)?);
            }
        }
        other => bail!("not GeoJSON: {other:?} is not a type of geometry"),
    }
    Ok(())
}

fn line(positions: Vec<Position>) -> Result<Vec<[f64; 2]>> {
    let at = |position: Position| position.0.context("a position of a line has no numbers");
    positions.into_iter().map(at).collect()
}

fn lines(lines: Vec<Vec<Position>>) -> Result<Vec<Vec<[f64; 2]>>> {
    lines.into_iter().map(line).collect()
}

/// Two numbers, or no number. Further numbers are left out.
struct Position(Option<[f64; 2]>);

impl<'de> Deserialize<'de> for Position {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Numbers;

        impl<'de> Visitor<'de> for Numbers {
            type Value = Position;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a position")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut numbers: A) -> Result<Position, A::Error> {
                let Some(x) = numbers.next_element()? else { return Ok(Position(None)) };
                let Some(y) = numbers.next_element()? else {
                    return Err(A::Error::custom("a position has fewer than two numbers"));
                };
                while numbers.next_element::<IgnoredAny>()?.is_some() {}
                Ok(Position(Some([x, y])))
            }
        }

        deserializer.deserialize_seq(Numbers)
    }
}

/// The value of a text that is JSON.
fn parsed<'a, T: Deserialize<'a>>(raw: &'a RawValue) -> Result<T> {
    serde_json::from_str(raw.get()).map_err(|error| anyhow!("not GeoJSON: {}", told(&error)))
}

/// The message of an error, without its place, which is relative to a part of the text.
fn told(error: &serde_json::Error) -> String {
    let told = error.to_string();
    told.rsplit_once(" at line ").map_or(told.clone(), |(what, _)| what.to_owned())
}

fn line_ends(text: &[u8]) -> u64 {
    text.iter().filter(|byte| **byte == b'\n').count() as u64
}
