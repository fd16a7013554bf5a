//! CSV files: shapes in, lists out.
//!
//! ```text
//! input.rs     a file or standard input, with a progress bar
//! parquet.rs   a table in the format Parquet as text
//! records.rs   bytes into rows, in bounded memory
//! columns.rs   the names in a header
//! rows.rs      the rows below it; every error names file, line and column
//! reading.rs   how a file of shapes is read, and which shapes it may have
//! header.rs    the columns of a file of shapes
//! read.rs      ... its rows as shapes
//! geometry.rs  ... from geometries of maps
//! wkt.rs       ... in WKT
//! geojson.rs   ... in GeoJSON: documents into features
//! features.rs  ... the features of GeoJSON as bodies
//! left_out.rs  shapes that are refused, and left out
//! given.rs     ... in the numbers of the file, and in f32 relative to an origin
//! bodies.rs    ... and as compounds, whose parts are rows
//! names.rs     the names of rows
//! range.rs     where the shapes are, and how large: the origin for f32
//! write.rs     lists as CSV or JSON
//! target.rs    ... into a file that appears when it is complete
//! quote.rs     texts from files, as messages show them
//! ```

mod bodies;
mod columns;
#[cfg(feature = "maps")]
mod features;
#[cfg(feature = "maps")]
mod geojson;
#[cfg(feature = "maps")]
mod geometry;
mod given;
mod header;
mod input;
mod left_out;
mod names;
#[cfg(feature = "parquet")]
mod parquet;
mod quote;
mod range;
mod read;
mod reading;
mod records;
mod rows;
mod target;
#[cfg(feature = "maps")]
mod wkt;
mod write;

pub(crate) use bodies::{Bodies, given_figure};
pub(crate) use columns::{Column, Names};
pub(crate) use given::Given;
pub(crate) use header::{positions, sides};
pub(crate) use input::Input;
pub(crate) use names::RowNames;
pub(crate) use quote::{count, path as quoted_path, quoted};
pub(crate) use range::ShapeRange;
pub(crate) use read::{bodies, vertices};
pub(crate) use reading::Reading;
pub(crate) use records::Record;
pub(crate) use rows::{Fault, Row, Rows, tally, text, whole};
pub(crate) use target::Target;
#[cfg(feature = "maps")]
pub(crate) use wkt::geometry as wkt_geometry;
pub(crate) use write::{Cell, ListWriter};
