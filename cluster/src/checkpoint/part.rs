//! The bodies of one rank in a file.
//!
//! A header of six words of 64 bits, in the byte order of the machine: a name, the step, the number
//! of the part, the numbers of records and floats, and a hash of these. Then the records, then the
//! floats of their shapes.

use std::{fs, path::Path};

use anyhow::{Context, Result, ensure};

use super::{part_path, write_renamed};
use crate::{
    bodies::Bodies,
    digest::mix,
    record::{Parcel, Record},
};

/// The bytes "wide part", as far as they fit.
const NAME: u64 = u64::from_le_bytes(*b"widepart");
const HEADER: usize = 6 * size_of::<u64>();

/// Writes the own bodies of a rank.
pub(super) fn write(path: &Path, step: u64, number: u32, bodies: &Bodies) -> Result<()> {
    let mut parcel = Parcel::default();
    for row in bodies.own() {
        let (record, floats) = bodies.get(row);
        parcel.push(record, floats);
    }
    let Parcel { records, floats } = &parcel;
    let (records, floats) = (bytemuck::cast_slice(records), bytemuck::cast_slice(floats));
    let counts = [parcel.records.len() as u64, parcel.floats.len() as u64];
    let hash = hash(&[records, floats]);
    let header = [NAME, step, number.into(), counts[0], counts[1], hash];
    write_renamed(&part_path(path, step, number), &[bytemuck::cast_slice(&header), records, floats])
}

/// Appends the bodies of a part.
pub(super) fn read(path: &Path, step: u64, number: u32, parcel: &mut Parcel) -> Result<()> {
    let path = part_path(path, step, number);
    let bytes = fs::read(&path).with_context(|| path.display().to_string())?;
    append(&bytes, [step, number.into()], parcel).with_context(|| path.display().to_string())
}

fn append(bytes: &[u8], expected: [u64; 2], parcel: &mut Parcel) -> Result<()> {
    let (header, body) = bytes.split_at_checked(HEADER).context("shorter than a header")?;
    let [name, step, number, records, floats, sum]: [u64; 6] = bytemuck::pod_read_unaligned(header);
    ensure!(name == NAME, "not a part of a checkpoint");
    ensure!([step, number] == expected, "part {number} of step {step}, and not {expected:?}");
    let len = |count: u64, size: usize| usize::try_from(count).ok()?.checked_mul(size);
    let sizes = len(records, size_of::<Record>()).zip(len(floats, size_of::<f32>()));
    let whole = sizes.filter(|(records, floats)| records.checked_add(*floats) == Some(body.len()));
    let (records, _) = whole.with_context(|| format!("{} bytes are not its bodies", body.len()))?;
    let (records, floats) = body.split_at(records);
    ensure!(hash(&[records, floats]) == sum, "the bodies are not those that were written");
    let records = records.chunks_exact(size_of::<Record>());
    let records: Vec<Record> = records.map(bytemuck::pod_read_unaligned).collect();
    let floats = floats.chunks_exact(size_of::<f32>());
    let expected: usize = records.iter().map(|record| usize::from(record.floats)).sum();
    ensure!(expected == floats.len(), "{} floats, and not {expected}", floats.len());
    parcel.records.extend(records);
    parcel.floats.extend(floats.map(bytemuck::pod_read_unaligned::<f32>));
    Ok(())
}

fn hash(pieces: &[&[u8]]) -> u64 {
    let words = pieces.iter().flat_map(|piece| piece.chunks(8));
    words.fold(0, |hash, bytes| {
        let mut word = [0; 8];
        word[..bytes.len()].copy_from_slice(bytes);
        mix(hash ^ u64::from_le_bytes(word))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use bytemuck::Zeroable;

    #[test]
    fn faults_are_found() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("part");
        let mut bodies = Bodies::new(1);
        let mut two = Parcel::default();
        for id in 0..2 {
            two.push(Record { id, cos: 1.0, floats: 1, ..Record::zeroed() }, &[0.5]);
        }
        bodies.put_all(&two, crate::bodies::Role::Inner).unwrap();
        write(&path, 3, 1, &bodies).unwrap();
        let bytes = fs::read(part_path(&path, 3, 1)).unwrap();
        let mut parcel = Parcel::default();
        append(&bytes, [3, 1], &mut parcel).unwrap();
        assert_eq!((&parcel.records, &parcel.floats), (&two.records, &two.floats));

        for expected in [[4, 1], [3, 0]] {
            assert!(append(&bytes, expected, &mut parcel).is_err());
        }
        let mut short = Bodies::new(2);
        short.put_all(&two, crate::bodies::Role::Inner).unwrap();
        short.records[1].floats = 2;
        write(&path, 3, 1, &short).unwrap();
        let mut wide = fs::read(part_path(&path, 3, 1)).unwrap();
        // Its own hash, over one float less than the records have.
        wide.truncate(wide.len() - 4);
        let hash = hash(&[&wide[HEADER..]]);
        wide[32..40].copy_from_slice(&2_u64.to_ne_bytes());
        wide[40..48].copy_from_slice(&hash.to_ne_bytes());
        let error = append(&wide, [3, 1], &mut parcel).unwrap_err();
        assert_eq!(error.to_string(), "2 floats, and not 3");
        for end in 0..bytes.len() {
            assert!(append(&bytes[..end], [3, 1], &mut parcel).is_err(), "{end}");
        }
        for at in 0..bytes.len() {
            let mut bytes = bytes.clone();
            bytes[at] ^= 1;
            assert!(append(&bytes, [3, 1], &mut parcel).is_err(), "{at}");
        }
        assert_eq!(parcel.records.len(), 2);
    }
}
