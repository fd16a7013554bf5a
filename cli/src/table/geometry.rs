//! Geometries of maps: points, lines and polygons, by WKT and GeoJSON.

use anyhow::{Result, anyhow, bail, ensure};
use geojson::{GeometryValue, Position};
use wkt::{Wkt, types};

use super::given::Given;

/// The points, lines and polygons of one body.
#[derive(Debug, Default)]
pub(crate) struct Geometry {
    points: Vec<[f64; 2]>,
    lines: Vec<Vec<[f64; 2]>>,
    /// The outer ring of each, then its holes.
    polygons: Vec<Vec<Vec<[f64; 2]>>>,
}

impl Geometry {
    /// Reads a text like `POLYGON ((0 0, 4 0, 4 3, 0 0))`.
    pub(crate) fn of_text(text: &str) -> Result<Self> {
        let mut geometry = Self::default();
        geometry.add_text(text.parse().map_err(|what| anyhow!("not a geometry in WKT: {what}"))?);
        Ok(geometry)
    }

    fn add_text(&mut self, text: Wkt<f64>) {
        let at = |coord: types::Coord<f64>| [coord.x, coord.y];
        let line = |line: types::LineString<f64>| -> Vec<[f64; 2]> {
            line.into_inner().0.into_iter().map(at).collect()
        };
        let rings = |polygon: types::Polygon<f64>| -> Vec<Vec<[f64; 2]>> {
            polygon.into_inner().0.into_iter().map(line).collect()
        };
        match text {
            Wkt::Point(point) => self.points.extend(point.into_inner().0.map(at)),
            Wkt::MultiPoint(points) => {
                let points = points.into_inner().0.into_iter();
                self.points.extend(points.filter_map(|point| point.into_inner().0).map(at));
            }
            Wkt::LineString(one) => self.lines.push(line(one)),
            Wkt::MultiLineString(lines) => {
                self.lines.extend(lines.into_inner().0.into_iter().map(line));
            }
            Wkt::Polygon(polygon) => self.polygons.push(rings(polygon)),
            Wkt::MultiPolygon(polygons) => {
                self.polygons.extend(polygons.into_inner().0.into_iter().map(rings));
            }
            Wkt::GeometryCollection(all) => {
                for one in all.into_inner().0 {
                    self.add_text(one);
                }
            }
        }
    }

    /// Adds the geometry of a feature.
    pub(super) fn add(&mut self, value: GeometryValue) -> Result<()> {
        let at = |position: Position| -> Result<[f64; 2]> {
            match position.as_slice() {
                [x, y, ..] => Ok([*x, *y]),
                _ => bail!("a position has fewer than two numbers"),
            }
        };
        let line = |positions: Vec<Position>| -> Result<Vec<[f64; 2]>> {
            positions.into_iter().map(at).collect()
        };
        let rings = |rings: Vec<Vec<Position>>| -> Result<Vec<Vec<[f64; 2]>>> {
            rings.into_iter().map(line).collect()
        };
        match value {
            GeometryValue::Point { coordinates } => self.points.push(at(coordinates)?),
            GeometryValue::MultiPoint { coordinates } => self.points.extend(line(coordinates)?),
            GeometryValue::LineString { coordinates } => self.lines.push(line(coordinates)?),
            GeometryValue::MultiLineString { coordinates } => {
                self.lines.extend(rings(coordinates)?);
            }
            GeometryValue::Polygon { coordinates } => self.polygons.push(rings(coordinates)?),
            GeometryValue::MultiPolygon { coordinates } => {
                for polygon in coordinates {
                    self.polygons.push(rings(polygon)?);
                }
            }
            GeometryValue::GeometryCollection { geometries } => {
                for geometry in geometries {
                    self.add(geometry.value)?;
                }
            }
        }
        Ok(())
    }

    /// The shapes: points, or circles if there is a radius; lines; outlines. Empty
    /// lines and polygons are left out.
    pub(crate) fn shapes(self, radius: Option<f64>) -> Result<Vec<Given>> {
        let Self { points, mut lines, mut polygons } = self;
        lines.retain(|line| !line.is_empty());
        polygons.retain(|rings| rings.iter().any(|ring| !ring.is_empty()));
        ensure!(
            radius.is_none() || lines.is_empty() && polygons.is_empty(),
            "a radius is for points, but there is a line or a polygon"
        );
        let mut shapes: Vec<Given> =
            points.into_iter().map(|at| Given::round(at, radius)).collect();
        shapes.extend(lines.into_iter().map(Given::Line));
        shapes.extend(polygons.into_iter().map(Given::Outline));
        Ok(shapes)
    }
}
