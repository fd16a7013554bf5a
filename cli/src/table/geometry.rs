//! Geometries of maps: points, lines and polygons, of WKT and GeoJSON.

use anyhow::{Result, ensure};

use super::given::Given;

/// The most collections inside of each other. To read more would need a larger stack.
pub(super) const DEEPEST: usize = 64;

/// The points, lines and polygons of one body.
#[derive(Debug, Default)]
pub(crate) struct Geometry {
    pub(super) points: Vec<[f64; 2]>,
    pub(super) lines: Vec<Vec<[f64; 2]>>,
    /// The outer ring of each polygon, then its holes.
    pub(super) polygons: Vec<Vec<Vec<[f64; 2]>>>,
}

impl Geometry {
    /// The shapes: points, or circles if there is a radius; lines; outlines. Empty
    /// lines, polygons and holes are left out.
    pub(crate) fn shapes(self, radius: Option<f64>) -> Result<Vec<Given>> {
        let Self { points, mut lines, mut polygons } = self;
        lines.retain(|line| !line.is_empty());
        for rings in &mut polygons {
            let has_outer = rings.first().is_some_and(|ring| !ring.is_empty());
            rings.retain(|ring| !ring.is_empty());
            ensure!(
                has_outer || rings.is_empty(),
                "a polygon has holes, but its outer ring is empty"
            );
        }
        polygons.retain(|rings| !rings.is_empty());
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
