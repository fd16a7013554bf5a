//! The narrowphase: shapes of every kind, two at a time, in pairs, in rows and in crowds.
//!
//! One program and not one for each file: the files share helpers, which take longer to compile
//! than the tests.

mod axis_aligned;
mod between;
mod borders;
mod cases;
mod cases_touching;
mod changes;
mod coincident;
mod compounds;
mod contact_columns;
mod crowds;
mod large_polygons;
mod mirrored;
mod parry;
mod row_contacts;
mod row_contacts_of_columns;
mod row_mask;
mod slabs;
