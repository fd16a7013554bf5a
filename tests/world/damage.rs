//! Files of strangers: snapshots and recordings with other bytes, and their readers.

use widephase::{Error, Options, World, world::Replay};
use xxhash_rust::xxh64::xxh64;

/// The bytes of a header: magic, version, number of bytes behind it, and their hash.
pub(crate) const HEADER: usize = 32;

/// Replaces number and hash of a file, and of the snapshot in a recording, so that the changed
/// bytes are read.
pub(crate) fn stamp(file: &mut [u8]) {
    if file.starts_with(b"wpcalls")
        && let Some(len) = file.get(HEADER..).and_then(<[u8]>::first_chunk)
    {
        let end = u64::from_le_bytes(*len).saturating_add(HEADER as u64 + 8);
        let snapshot = usize::try_from(end).ok().and_then(|end| file.get_mut(HEADER + 8..end));
        stamp_header(snapshot.unwrap_or_default());
    }
    stamp_header(file);
}

fn stamp_header(file: &mut [u8]) {
    let Some((header, body)) = file.split_at_mut_checked(HEADER) else { return };
    header[16..24].copy_from_slice(&(body.len() as u64).to_le_bytes());
    header[24..].copy_from_slice(&xxh64(body, 0).to_le_bytes());
}

/// Reads a snapshot, and writes it again.
pub(crate) fn restore(snapshot: &[u8]) -> Result<World, Error> {
    let world = World::restore(snapshot)?;
    let again = world.snapshot();
    World::restore(&again).map(|_| world)
}

/// Replays a recording to its end, with low limits, as for the file of a stranger.
pub(crate) fn replay(recording: &[u8]) -> Result<World, Error> {
    let options = Options { max_pairs: 1 << 10, max_contacts: 1 << 10, ..Options::default() };
    let mut replay = Replay::new(recording, options)?;
    while replay.step()?.is_some() {}
    Ok(replay.into_world())
}
