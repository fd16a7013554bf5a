//! The parts that snapshots and recordings share: options, motions, filters, handles, values.

use super::{Motion, bodies::WorldTag, carried_values::CarriedValue};
use crate::{
    base::Handle,
    bytes::{ByteSink, Reader},
    error::Error,
    filter::Filter,
    options::{CellSize, GridLevels, Options, Order},
    shape::Touching,
};

const MOTIONS: [Motion; 3] = [Motion::Static, Motion::Moving, Motion::Asleep];
const POLICIES: [Touching; 2] = [Touching::Inclusive, Touching::Exclusive];
const ORDERS: [Order; 2] = [Order::Grid, Order::Sorted];

pub(super) fn write_options(options: &Options, sink: &mut impl ByteSink) {
    let Options {
        touching,
        order,
        cell_size,
        grid_levels,
        max_pairs,
        max_contacts,
        simd_level: _,
        threads: _,
        timings: _,
    } = options;
    sink.byte(*touching as u8);
    sink.byte(*order as u8);
    match cell_size {
        CellSize::Auto => sink.byte(0),
        CellSize::Fixed(size) => {
            sink.byte(1);
            sink.f32s(&[*size]);
        }
    }
    match grid_levels {
        GridLevels::Auto => sink.byte(0),
        GridLevels::One => sink.byte(1),
        GridLevels::Upto(sizes) => {
            let sizes = sizes.as_slice();
            sink.byte(2);
            sink.count(sizes.len());
            sink.f32s(sizes);
        }
    }
    for limit in [max_pairs, max_contacts] {
        sink.u64s(&[*limit]);
    }
}

pub(super) fn read_options(reader: &mut Reader<'_>) -> Result<Options, Error> {
    let touching = reader.one_of(&POLICIES)?;
    let order = reader.one_of(&ORDERS)?;
    let cell_size = match reader.flag()? {
        false => CellSize::Auto,
        true => CellSize::Fixed(reader.f32s::<1>()?[0]),
    };
    let grid_levels = match reader.one_of(&[0, 1, 2])? {
        0 => GridLevels::Auto,
        1 => GridLevels::One,
        _ => {
            let count = reader.count(4)?;
            GridLevels::upto(&reader.f32_list(count)?)?
        }
    };
    let (max_pairs, max_contacts) = (reader.u64()?, reader.u64()?);
    Ok(Options {
        touching,
        order,
        cell_size,
        grid_levels,
        max_pairs,
        max_contacts,
        ..Options::default()
    })
}

pub(super) fn read_motion(reader: &mut Reader<'_>) -> Result<Motion, Error> {
    reader.one_of(&MOTIONS)
}

pub(super) fn write_filter(filter: &Filter, sink: &mut impl ByteSink) {
    let Filter { category, mask, group, owner, sensor } = *filter;
    sink.u64s(&[category, mask]);
    sink.u32s(&[group.cast_unsigned(), owner]);
    sink.flag(sensor);
}

pub(super) fn read_filter(reader: &mut Reader<'_>) -> Result<Filter, Error> {
    let (category, mask) = (reader.u64()?, reader.u64()?);
    let (group, owner) = (reader.u32()?.cast_signed(), reader.u32()?);
    Ok(Filter { category, mask, group, owner, sensor: reader.flag()? })
}

/// Reads a handle, which is written without a tag.
pub(super) fn read_handle(tag: WorldTag, reader: &mut Reader<'_>) -> Result<Handle, Error> {
    let at = reader.clone();
    let id = reader.u64()?;
    let handle = Handle::from_bits(id).filter(|handle| handle.tag() == 0);
    handle.map(|handle| handle.with_tag(tag.0)).ok_or_else(|| at.wrong(id))
}

pub(super) fn read_handles(
    tag: WorldTag,
    count: usize,
    reader: &mut Reader<'_>,
) -> Result<Vec<Handle>, Error> {
    (0..count).map(|_| read_handle(tag, reader)).collect()
}

pub(super) fn write_values(values: &[CarriedValue], sink: &mut impl ByteSink) {
    sink.f32s(values.as_flattened().as_flattened());
}

pub(super) fn read_values(
    count: usize,
    reader: &mut Reader<'_>,
) -> Result<Vec<CarriedValue>, Error> {
    let numbers = reader.f32_list(count.saturating_mul(4))?;
    Ok(bytemuck::cast_slice(&numbers).to_vec())
}
