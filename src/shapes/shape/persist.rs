//! serde: shapes that are checked when they are read. Plain records derive it; `world/persist.rs`
//! has handles and worlds.

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use super::{Compound, ConvexPolygon, Part, compound::RimCorner};
use crate::base::kinds;

/// [`ConvexPolygon`] as it is written.
#[derive(Serialize, Deserialize)]
#[serde(rename = "ConvexPolygon")]
struct StoredPolygon {
    vertices: Vec<[f32; 2]>,
    #[serde(default)]
    radius: f32,
}

/// Vertices and radius.
impl Serialize for ConvexPolygon {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let vertices = self.vertices().iter().map(|vertex| vertex.to_array()).collect();
        StoredPolygon { vertices, radius: self.radius() }.serialize(serializer)
    }
}

/// As by [`ConvexPolygon::new`] and [`with_radius`](ConvexPolygon::with_radius), but corners that
/// already go once round, counter-clockwise, are not merged: a polygon that was written stays
/// equal.
impl<'de> Deserialize<'de> for ConvexPolygon {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let StoredPolygon { vertices, radius } = StoredPolygon::deserialize(deserializer)?;
        let polygon = Self::of_written(&vertices).and_then(|polygon| polygon.with_radius(radius));
        polygon.map_err(de::Error::custom)
    }
}

/// A corner of a rim: its place, the places before and after it on the border, and whether its side
/// is outer.
type WrittenCorner = ([f32; 2], [f32; 2], [f32; 2], bool);

macro_rules! written_part {
    (
        parts { $($number:literal $record:ident $name:literal $text:literal,)* }
        others { $($others:tt)* }
    ) => {
        /// A part as it is written: a [`Part`], or a part of an outline with its rim.
        #[derive(Serialize, Deserialize)]
        #[serde(rename = "Part")]
        enum WrittenPart {
            $($record(super::$record),)*
            Polygon(ConvexPolygon),
            Rimmed(ConvexPolygon, Vec<WrittenCorner>),
        }

        impl WrittenPart {
            fn of(part: &Part, rim: Option<&Vec<RimCorner>>) -> Self {
                match (part.clone(), rim) {
                    $((Part::$record(shape), _) => Self::$record(shape),)*
                    (Part::Polygon(shape), None) => Self::Polygon(shape),
                    (Part::Polygon(shape), Some(rim)) => {
                        let written = |corner: &RimCorner| {
                            let RimCorner { at, before, after, outer } = *corner;
                            (at, before, after, outer)
                        };
                        Self::Rimmed(shape, rim.iter().map(written).collect())
                    }
                }
            }

            /// The part and its rim, which is empty unless it is a part of an outline.
            fn read(self) -> (Part, Vec<RimCorner>) {
                match self {
                    $(Self::$record(shape) => (shape.into(), Vec::new()),)*
                    Self::Polygon(shape) => (shape.into(), Vec::new()),
                    Self::Rimmed(shape, rim) => {
                        let corner = |(at, before, after, outer)| {
                            RimCorner { at, before, after, outer }
                        };
                        (shape.into(), rim.into_iter().map(corner).collect())
                    }
                }
            }
        }
    };
}
kinds!(written_part);

/// The list of parts.
impl Serialize for Compound {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let rims = self.rims();
        let parts = self.parts().iter().enumerate();
        serializer.collect_seq(parts.map(|(number, part)| WrittenPart::of(part, rims.get(number))))
    }
}

/// As by [`Compound::new`]. An outline, if all parts have rims.
impl<'de> Deserialize<'de> for Compound {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let parts = Vec::<WrittenPart>::deserialize(deserializer)?;
        let (parts, rims): (Vec<Part>, Vec<_>) = parts.into_iter().map(WrittenPart::read).unzip();
        let compound = Self::new(parts).map_err(de::Error::custom)?;
        compound.with_rims(rims).map_err(de::Error::custom)
    }
}
