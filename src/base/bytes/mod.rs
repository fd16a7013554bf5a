//! Snapshots and recordings as bytes: little-endian on every machine.
//!
//! ```text
//! sink.rs    values → bytes, to a list or to a hash               (Sink)
//! reader.rs  bytes → values; every count is checked first         (Reader)
//! hash.rs    a hash of bytes                                      (Xxh64)
//! file.rs    what both kinds of files begin with                  (FileKind)
//! ```
//!
//! Each room writes and reads its own data with `ByteSink` and `Reader`: rows in
//! `store/shapes/bytes.rs` and `posed/posed_shapes/bytes.rs`, worlds in `world/snapshot.rs`, calls
//! in `world/log.rs`.

mod file;
mod hash;
mod reader;
mod sink;

pub(crate) use file::FileKind;
pub(crate) use hash::Xxh64;
pub(crate) use reader::Reader;
pub(crate) use sink::ByteSink;
