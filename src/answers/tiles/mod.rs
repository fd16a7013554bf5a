//! Tiles: parts of the plane that are detected one by one, on one machine or on many.
//!
//! ```text
//! cuts.rs       the plane, divided by cuts                      (Tiles)
//! tile.rs       one part, and which pairs it reports            (Tile)
//!               where a shape with a margin can touch others    (Reach)
//! tile_rows.rs  shapes → the rows that each tile needs          (TileRows)
//! detector.rs   the rows of a tile → its pairs and contacts     (TileDetector)
//! ```
//!
//! Each pair is reported by one tile: the tile of the lower corner of the intersection of the two
//! bounding boxes. The corner lies in both boxes, so that tile has both shapes.

mod cuts;
mod detector;
mod tile;
mod tile_rows;

pub use cuts::{Axis, Tiles};
pub use detector::TileDetector;
pub use tile::Tile;
pub use tile_rows::TileRows;
