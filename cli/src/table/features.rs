//! Reads GeoJSON: each feature is a body.

use std::io::Read;

use anyhow::{Context, Result, anyhow, bail, ensure};
use geojson::{Feature, GeoJson, JsonObject, JsonValue, feature::Id};

use super::{
    bodies::{Bodies, Gathering},
    geometry::Geometry,
    quote::{count, quoted},
};
use crate::args::TableArgs;

/// The bodies of all features, and a description of how they were read. `id` is the property with
/// the names of features, or `id` for their own.
pub(super) fn features(
    mut reader: Box<dyn Read>,
    args: &TableArgs,
    id: Option<&str>,
) -> Result<(Bodies, String)> {
    let mut text = String::new();
    reader.read_to_string(&mut text)?;
    let features = match text.parse::<GeoJson>().map_err(|what| anyhow!("not GeoJSON: {what}"))? {
        GeoJson::FeatureCollection(collection) => collection.features,
        GeoJson::Feature(feature) => vec![feature],
        GeoJson::Geometry(geometry) => vec![geometry.into()],
    };
    let other = args.x.is_some() || args.y.is_some() || args.radius_column.is_some();
    ensure!(!other, "GeoJSON has no columns: of the options of tables, only --radius is for it");
    let (len, mut without, mut gathering) = (features.len(), 0, Gathering::default());
    for (number, feature) in features.into_iter().enumerate() {
        let taken = take(&mut gathering, feature, args, id);
        without += u64::from(!taken.with_context(|| format!("feature {number}"))?);
    }
    let bodies = gathering.finish()?;
    ensure!(bodies.len() > 0, "no feature has a geometry");
    let mut how = format!("{} of GeoJSON", count(len as u64, "feature"));
    if without > 0 {
        how += &format!(", {without} without a geometry");
    }
    Ok((bodies, how))
}

/// Appends a feature. Returns whether it has a geometry.
fn take(
    gathering: &mut Gathering,
    feature: Feature,
    args: &TableArgs,
    id: Option<&str>,
) -> Result<bool> {
    let name = id.map(|id| name(&feature, id)).transpose()?;
    let name = name.as_ref().map(String::as_bytes);
    let mut geometry = Geometry::default();
    if let Some(value) = feature.geometry {
        geometry.add(value.value)?;
    }
    Ok(gathering.push_all(geometry.shapes(args.radius)?, name)?.is_some())
}

/// The name of a feature: a property, or its `id`.
fn name(feature: &Feature, id: &str) -> Result<String> {
    let property = |properties: &JsonObject| properties.get(id).cloned();
    match (feature.properties.as_ref().and_then(property), &feature.id) {
        (Some(JsonValue::String(text)), _) => Ok(text),
        (Some(JsonValue::Null), _) => Ok(String::new()),
        (Some(value @ (JsonValue::Number(_) | JsonValue::Bool(_))), _) => Ok(value.to_string()),
        (Some(_), _) => bail!("the property {} is no text or number", quoted(id.as_bytes())),
        (None, Some(Id::String(text))) if id == "id" => Ok(text.clone()),
        (None, Some(Id::Number(number))) if id == "id" => Ok(number.to_string()),
        (None, _) => bail!("no property {}", quoted(id.as_bytes())),
    }
}
