//! serde: shapes that are checked when they are read. Plain records derive it; `world/persist.rs`
//! has handles and worlds.

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use super::{Compound, ConvexPolygon, Part};

/// [`ConvexPolygon`] as it is written.
#[derive(Serialize, Deserialize)]
#[serde(rename = "ConvexPolygon")]
struct Outline {
    vertices: Vec<[f32; 2]>,
    #[serde(default)]
    radius: f32,
}

/// Vertices and radius.
impl Serialize for ConvexPolygon {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let vertices = self.vertices().iter().map(|vertex| vertex.to_array()).collect();
        Outline { vertices, radius: self.radius() }.serialize(serializer)
    }
}

/// As by [`ConvexPolygon::new`] and [`with_radius`](ConvexPolygon::with_radius).
impl<'de> Deserialize<'de> for ConvexPolygon {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let Outline { vertices, radius } = Outline::deserialize(deserializer)?;
        let polygon = Self::new(&vertices).and_then(|polygon| polygon.with_radius(radius));
        polygon.map_err(de::Error::custom)
    }
}

/// The list of parts.
impl Serialize for Compound {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.parts().serialize(serializer)
    }
}

/// As by [`Compound::new`].
impl<'de> Deserialize<'de> for Compound {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::new(Vec::<Part>::deserialize(deserializer)?).map_err(de::Error::custom)
    }
}
