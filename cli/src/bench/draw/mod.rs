//! The measurements of a run, for readers.
//!
//! ```text
//! table.rs     the rows on standard output
//! html.rs      the report as one file, with report.css
//!   charts.rs  ... which charts it has
//!   chart.rs   ... lines
//!   bars.rs    ... stacked bars
//!   figure.rs  ... a drawing with its legend and its values
//! ```

#[cfg(feature = "report")]
mod bars;
#[cfg(feature = "report")]
mod chart;
#[cfg(feature = "report")]
mod charts;
#[cfg(feature = "report")]
mod figure;
#[cfg(feature = "report")]
pub(super) mod html;
pub(super) mod table;
