//! CSV files: shapes in, lists out.
//!
//! ```text
//! input.rs    a file or standard input, with a progress bar
//! records.rs  bytes into rows, in bounded memory
//! columns.rs  the names in a header
//! rows.rs     the rows below it; every error names file, line and column
//! header.rs   the columns of a file of shapes
//! read.rs     ... its rows as shapes
//! bodies.rs   ... and as compounds, whose parts are rows
//! write.rs    lists as CSV
//! target.rs   ... into a file that appears when it is complete
//! quote.rs    texts from files, as messages show them
//! ```

mod bodies;
mod columns;
mod header;
mod input;
mod quote;
mod read;
mod records;
mod rows;
mod target;
mod write;

pub(crate) use bodies::Bodies;
pub(crate) use columns::{Column, Names};
pub(crate) use input::Input;
pub(crate) use quote::{count, path as quoted_path, quoted};
pub(crate) use read::bodies;
pub(crate) use records::Record;
pub(crate) use rows::{Fault, Row, Rows, tally, text};
pub(crate) use target::Target;
pub(crate) use write::ListWriter;
