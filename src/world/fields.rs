//! The parts that snapshots and recordings share: options, motions, filters, handles, values;
//! and the calls of a recording, as bytes.

use super::{
    Body, Motion, Velocity,
    bodies::{Bodies, WorldTag},
    carried_values::CarriedValue,
};
use crate::{
    base::{Handle, held},
    bytes::{ByteSink, Reader},
    error::Error,
    filter::Filter,
    options::{CellSize, GridLevels, Options, Order},
    shape::{Pose, Touching},
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

/// A recorded call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Call {
    End,
    Step,
    Insert,
    Remove,
    SetShape,
    SetPose,
    SetPoses,
    SetPositionsOfAll,
    SetPosesOfAll,
    SetMotion,
    SetFilter,
    SetUser,
    SetOptions,
    SetMargin,
    SetVelocities,
    /// The values of contacts, if they were lent.
    Values,
}

impl Call {
    /// The calls by number.
    pub(super) const ALL: [Call; 16] = [
        Call::End,
        Call::Step,
        Call::Insert,
        Call::Remove,
        Call::SetShape,
        Call::SetPose,
        Call::SetPoses,
        Call::SetPositionsOfAll,
        Call::SetPosesOfAll,
        Call::SetMotion,
        Call::SetFilter,
        Call::SetUser,
        Call::SetOptions,
        Call::SetMargin,
        Call::SetVelocities,
        Call::Values,
    ];
}

/// The recording of a world.
#[derive(Debug)]
pub(super) struct Log {
    pub(super) file: Vec<u8>,
    /// Whether the values of contacts may have changed since they were written.
    pub(super) lent: bool,
}

held!(Log { file, lent });

impl Log {
    /// A recording behind the bytes of the file.
    pub(super) fn behind(file: Vec<u8>) -> Self {
        Self { file, lent: false }
    }

    fn begin(&mut self, call: Call, handle: Handle) -> &mut Vec<u8> {
        self.file.byte(call as u8);
        self.file.u64s(&[handle.id()]);
        &mut self.file
    }

    pub(super) fn insert(&mut self, bodies: &Bodies, handle: Handle, body: Body) {
        let file = self.begin(Call::Insert, handle);
        file.u64s(&[body.user]);
        file.byte(body.motion as u8);
        write_filter(&body.filter, file);
        file.u32s(&[body.space]);
        bodies.index.shapes.write_row(handle.row() as usize, file);
    }

    pub(super) fn remove(&mut self, handle: Handle) {
        self.begin(Call::Remove, handle);
    }

    pub(super) fn set_shape(&mut self, bodies: &Bodies, handle: Handle) {
        let file = self.begin(Call::SetShape, handle);
        bodies.index.shapes.write_row(handle.row() as usize, file);
    }

    pub(super) fn set_pose(&mut self, handle: Handle, Pose { x, y, cos, sin }: Pose) {
        self.begin(Call::SetPose, handle).f32s(&[x, y, cos, sin]);
    }

    pub(super) fn set_poses(&mut self, handles: &[Handle], poses: &[Pose]) {
        self.file.byte(Call::SetPoses as u8);
        self.file.count(handles.len());
        for handle in handles {
            self.file.u64s(&[handle.id()]);
        }
        self.file.f32s(bytemuck::cast_slice(poses));
    }

    pub(super) fn move_all(&mut self, positions: [&[f32]; 2], rotations: Option<[&[f32]; 2]>) {
        let call = match rotations {
            None => Call::SetPositionsOfAll,
            Some(_) => Call::SetPosesOfAll,
        };
        self.file.byte(call as u8);
        self.file.count(positions[0].len());
        for column in positions.into_iter().chain(rotations.into_iter().flatten()) {
            self.file.f32s(column);
        }
    }

    pub(super) fn set_motion(&mut self, handle: Handle, motion: Motion) {
        self.begin(Call::SetMotion, handle).byte(motion as u8);
    }

    pub(super) fn set_filter(&mut self, handle: Handle, filter: &Filter) {
        write_filter(filter, self.begin(Call::SetFilter, handle));
    }

    pub(super) fn set_user(&mut self, handle: Handle, user: u64) {
        self.begin(Call::SetUser, handle).u64s(&[user]);
    }

    pub(super) fn options(&mut self, options: &Options) {
        self.file.byte(Call::SetOptions as u8);
        write_options(options, &mut self.file);
    }

    pub(super) fn set_velocities(&mut self, handles: &[Handle], velocities: &[Velocity]) {
        self.file.byte(Call::SetVelocities as u8);
        self.file.count(handles.len());
        for handle in handles {
            self.file.u64s(&[handle.id()]);
        }
        self.file.f32s(bytemuck::cast_slice(velocities));
    }

    pub(super) fn margin(&mut self, margin: f32) {
        self.file.byte(Call::SetMargin as u8);
        self.file.f32s(&[margin]);
    }

    /// Writes the values of contacts if they may have changed.
    pub(super) fn values(&mut self, values: &[CarriedValue]) {
        if std::mem::take(&mut self.lent) {
            self.file.byte(Call::Values as u8);
            self.file.count(values.len());
            write_values(values, &mut self.file);
        }
    }
}
