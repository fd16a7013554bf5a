//! Snapshots and recordings as bytes: little-endian on every machine.
//!
//! ```text
//! reader.rs  bytes → values; every count is checked first         (Reader)
//!            values → bytes, to a list or to a hash               (Sink)
//! hash.rs    a hash of bytes                                      (Xxh64)
//!            what both kinds of files begin with                  (FileKind)
//! ```
//!
//! Each room writes and reads its own data with `ByteSink` and `Reader`: rows in
//! `store/shapes/bytes.rs` and `posed/posed_shapes/bytes.rs`, worlds in `world/snapshot.rs`, calls
//! in `world/fields.rs`.

mod hash;
mod reader;

pub(crate) use hash::{FileKind, Xxh64};
pub(crate) use reader::{ByteSink, Reader};
