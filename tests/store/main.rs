//! Stores and columns: how shapes come in, and how they move.

mod bounds;
mod copied_columns;
mod get;
mod named_columns;
mod polygons_in_bulk;
mod poses;
mod poses_in_bulk;
mod turning_columns;
