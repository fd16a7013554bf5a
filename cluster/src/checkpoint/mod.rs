//! Checkpoints: bodies in files, from which a run goes on with the same results.
//!
//! ```text
//! manifest.rs  what a checkpoint is of, as text            (Manifest)
//! part.rs      the bodies of one rank, as bytes
//! ```
//!
//! A checkpoint is a manifest with the given name and a part for each rank beside it. Each rank
//! writes its part; when all have, rank 0 writes the manifest under another name and renames it.
//! So the manifest names a complete checkpoint at any time, the last one or the one before. Then
//! the parts of the one before are removed. All ranks must see the same files.

mod manifest;
mod part;

use std::{
    ffi::OsString,
    fs::{self, File},
    io::Write,
    path::{Path, PathBuf},
};

use anyhow::{Context, Result, ensure};
use mpi::{topology::SimpleCommunicator, traits::Communicator};

pub(crate) use manifest::Manifest;

use crate::{
    bodies::Bodies,
    faults::{Failure, agree},
    record::Parcel,
};

/// Writes a checkpoint.
pub(crate) fn save(
    world: &SimpleCommunicator,
    path: &Path,
    manifest: &Manifest,
    bodies: &Bodies,
) -> Result<(), Failure> {
    agree(world, part::write(path, manifest.step, world.rank() as u32, bodies))?;
    agree(world, if world.rank() == 0 { commit(path, manifest) } else { Ok(()) })
}

/// Reads the manifest of a checkpoint.
pub(crate) fn load_manifest(path: &Path) -> Result<Manifest> {
    let text = fs::read_to_string(path).with_context(|| path.display().to_string())?;
    text.parse().with_context(|| path.display().to_string())
}

/// Reads every `stride`-th part, from part `first` on.
pub(crate) fn load(path: &Path, manifest: &Manifest, first: u32, stride: u32) -> Result<Parcel> {
    let mut parcel = Parcel::default();
    for number in (first..manifest.parts).step_by(stride as usize) {
        part::read(path, manifest.step, number, &mut parcel)?;
    }
    Ok(parcel)
}

/// Makes a checkpoint of the parts the one that counts.
fn commit(path: &Path, manifest: &Manifest) -> Result<()> {
    let last = load_manifest(path).ok();
    write_renamed(path, &[manifest.to_string().as_bytes()])?;
    if let Some(last) = last {
        for number in 0..last.parts {
            if last.step != manifest.step || number >= manifest.parts {
                // One that is left over does no harm.
                let _ = fs::remove_file(part_path(path, last.step, number));
            }
        }
    }
    Ok(())
}

/// Writes a file under another name, and renames it when it is complete and on the disk.
fn write_renamed(path: &Path, pieces: &[&[u8]]) -> Result<()> {
    let with_name = || path.display().to_string();
    ensure!(path.file_name().is_some(), "{}: not the name of a file", path.display());
    let temporary = suffixed(path, ".tmp");
    let write = || {
        let mut file = File::create(&temporary)?;
        pieces.iter().try_for_each(|piece| file.write_all(piece))?;
        file.sync_all()?;
        fs::rename(&temporary, path)
    };
    write().with_context(with_name)
}

fn part_path(path: &Path, step: u64, number: u32) -> PathBuf {
    suffixed(path, &format!(".{step}.{number}"))
}

fn suffixed(path: &Path, suffix: &str) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(suffix);
    name.into()
}
