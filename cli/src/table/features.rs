//! Reads GeoJSON: each feature is a body.

use std::io::Read;

use anyhow::{Context, Result, bail, ensure};
use serde_json::Value;

use super::{
    bodies::{Bodies, Gathering},
    geojson::{self, Content, Feature},
    left_out::LeftOut,
    quote::{count, quoted},
    reading::Reading,
};

/// The bodies of all features, and a description of how they were read.
pub(super) fn features(
    mut reader: Box<dyn Read>,
    reading: &Reading<'_>,
    left_out: &mut LeftOut,
) -> Result<(Bodies, String)> {
    let args = reading.table;
    let other = args.x.is_some() || args.y.is_some() || args.radius_column.is_some();
    ensure!(!other, "GeoJSON has no columns: of the options of tables, only --radius is for it");
    let mut bytes = Vec::new();
    reader.read_to_end(&mut bytes)?;
    let text = geojson::text(bytes)?;
    let features = geojson::features(&text)?;
    let (mut without, mut gathering) = (0, Gathering::default());
    for (number, feature) in features.iter().enumerate() {
        let mut name = None;
        let taken = take(&mut gathering, *feature, reading, &mut name);
        let taken = taken.with_context(|| format!("line {}, feature {number}", feature.line));
        match taken {
            Ok(taken) => without += u64::from(!taken),
            Err(error) if args.skip_invalid => {
                gathering.leave_out(None, feature.line)?;
                left_out.tell(name.as_deref().map(str::as_bytes), format!("{error:#}"), true)?;
            }
            Err(error) => return Err(error),
        }
    }
    let bodies = gathering.finish()?;
    let mut how = format!("{} of GeoJSON", count(features.len() as u64, "feature"));
    if without > 0 {
        how += &format!(", {without} without a geometry");
    }
    Ok((bodies, how + &left_out.counted()))
}

/// Appends a feature. Returns whether it has a geometry. `name` becomes its name.
fn take(
    gathering: &mut Gathering,
    feature: Feature<'_>,
    reading: &Reading<'_>,
    name: &mut Option<String>,
) -> Result<bool> {
    let content = feature.content()?;
    *name = reading.id.map(|id| named(&content, id)).transpose()?;
    let shapes = content.geometry()?.shapes(reading.table.radius)?;
    reading.places(&shapes)?;
    Ok(gathering.push_all(shapes, name.as_ref().map(String::as_bytes))?.is_some())
}

/// The name of a feature: a property, or its `id`.
fn named(feature: &Content<'_>, id: &str) -> Result<String> {
    match (feature.properties.get(id), &feature.id) {
        (Some(Value::Null), _) => Ok(String::new()),
        (Some(Value::String(text)), _) => Ok(text.clone()),
        (None, Some(Value::String(text))) if id == "id" => Ok(text.clone()),
        (Some(value @ (Value::Number(_) | Value::Bool(_))), _) => Ok(value.to_string()),
        (None, Some(Value::Number(number))) if id == "id" => Ok(number.to_string()),
        (Some(_), _) => bail!("the property {} is no text or number", quoted(id.as_bytes())),
        (None, _) => bail!("no property {}", quoted(id.as_bytes())),
    }
}
