//! What a run has measured, for readers.
//!
//! ```text
//! table.rs     the rows on standard output
//! html.rs      the report as one file, with report.css
//!   charts.rs  ... which charts it has
//!   chart.rs   ... lines
//!   bars.rs    ... stacked bars
//!   figure.rs  ... a drawing with its legend and its values
//! ```

mod bars;
mod chart;
mod charts;
mod figure;
pub(super) mod html;
pub(super) mod table;
