//! The calls of a recording, as bytes.

use super::{
    Body, Motion, Velocity,
    bodies::Bodies,
    carried_values::CarriedValue,
    fields::{write_filter, write_options, write_values},
};
use crate::{
    base::{Handle, held},
    bytes::ByteSink,
    filter::Filter,
    options::Options,
    shape::Pose,
};

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
    lent: bool,
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

    /// Notes that the values of contacts may change.
    pub(super) fn lend_values(&mut self) {
        self.lent = true;
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
