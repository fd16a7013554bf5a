//! Recordings: a snapshot, and the calls after it.
//!
//! ```text
//! header    as of a snapshot, with another magic (bytes/file.rs)
//! snapshot  its number of bytes, and the bytes
//! calls     each a byte and its arguments; a step has the hash of the state after it
//! end       a byte, and the hash of the state
//! ```
//!
//! Calls that fail change nothing, and are not recorded. A shape is recorded as the row that it has
//! become.

use super::{
    Body, Motion, World,
    bodies::Bodies,
    carried_values::CarriedValue,
    snapshot::{write_filter, write_options, write_values},
};
use crate::{
    Filter, Handle, Options,
    bytes::{ByteSink, FileKind},
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
    /// The values of contacts, if they were lent.
    Values,
}

impl Call {
    /// The calls by number.
    pub(super) const ALL: [Call; 14] = [
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
        Call::Values,
    ];
}

/// The recording of a world.
#[derive(Debug)]
pub(super) struct Log {
    file: Vec<u8>,
    /// Whether the values of contacts may have changed since they were written.
    lent: bool,
}

impl Log {
    fn begin(&mut self, call: Call, handle: Handle) -> &mut Vec<u8> {
        self.file.byte(call as u8);
        self.file.u64s(&[handle.to_bits()]);
        &mut self.file
    }

    pub(super) fn insert(&mut self, bodies: &Bodies, handle: Handle, body: Body) {
        let file = self.begin(Call::Insert, handle);
        file.u64s(&[body.user]);
        file.byte(body.motion as u8);
        write_filter(&body.filter, file);
        bodies.shapes.write_row(handle.row() as usize, file);
    }

    pub(super) fn remove(&mut self, handle: Handle) {
        self.begin(Call::Remove, handle);
    }

    pub(super) fn set_shape(&mut self, bodies: &Bodies, handle: Handle) {
        let file = self.begin(Call::SetShape, handle);
        bodies.shapes.write_row(handle.row() as usize, file);
    }

    pub(super) fn set_pose(&mut self, handle: Handle, Pose { x, y, cos, sin }: Pose) {
        self.begin(Call::SetPose, handle).f32s(&[x, y, cos, sin]);
    }

    pub(super) fn set_poses(&mut self, handles: &[Handle], poses: &[Pose]) {
        self.file.byte(Call::SetPoses as u8);
        self.file.count(handles.len());
        for handle in handles {
            self.file.u64s(&[handle.to_bits()]);
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

    /// Notes that the values of contacts may change.
    pub(super) fn lend_values(&mut self) {
        self.lent = true;
    }

    /// Writes the values of contacts if they may have changed.
    fn values(&mut self, values: &[CarriedValue]) {
        if std::mem::take(&mut self.lent) {
            self.file.byte(Call::Values as u8);
            self.file.count(values.len());
            write_values(values, &mut self.file);
        }
    }

    /// The bytes of memory held.
    pub(super) fn bytes(&self) -> usize {
        self.file.capacity()
    }
}

impl World {
    /// Begins a recording: a [`snapshot`](World::snapshot) now, and from now on each call that
    /// changes the world, with the [hash](World::state_hash) of the state after each step. A
    /// recording that has begun already begins anew.
    ///
    /// A recorded call costs its bytes, kept in memory until the recording stops: 25 for a pose, 40
    /// to 60 for a new body. A step costs the hash. A world that is not recorded pays a branch a
    /// call.
    ///
    /// [`Replay`](crate::world::Replay) makes the calls again. `widephase replay` makes them on the
    /// command line.
    ///
    /// ```
    /// use widephase::{Body, Options, World, shape::{Circle, Pose}, world::Replay};
    ///
    /// let mut world = World::new();
    /// world.start_recording();
    /// let ball = world.insert(Circle::new([0.0, 0.0], 1.0), Body::default())?;
    /// for x in 1..4 {
    ///     world.set_pose(ball, Pose::at([x as f32, 0.0]))?;
    ///     world.step()?;
    /// }
    /// let recording = world.stop_recording().expect("it was recorded");
    ///
    /// let mut replay = Replay::new(&recording, Options::default())?;
    /// while replay.step()?.is_some() {}
    /// assert_eq!(replay.steps(), 3);
    /// assert_eq!(replay.world().state_hash(), world.state_hash());
    /// # Ok::<(), widephase::Error>(())
    /// ```
    pub fn start_recording(&mut self) {
        let snapshot = self.snapshot();
        let mut file = Vec::new();
        FileKind::begin(&mut file);
        file.count(snapshot.len());
        file.put(&snapshot);
        self.log = Some(Box::new(Log { file, lent: false }));
    }

    /// Ends the recording, and returns its bytes. `None` if there is none.
    pub fn stop_recording(&mut self) -> Option<Vec<u8>> {
        self.log_values();
        self.log_hash(Call::End);
        let mut file = self.log.take()?.file;
        FileKind::Recording.finish(&mut file);
        Some(file)
    }

    /// Whether calls are recorded.
    pub fn is_recording(&self) -> bool {
        self.log.is_some()
    }

    /// Records the values of contacts if they may have changed.
    pub(super) fn log_values(&mut self) {
        if let Some(log) = &mut self.log {
            log.values(&self.found.kept.values);
        }
    }

    /// Records a call with the hash of the state after it.
    pub(super) fn log_hash(&mut self, call: Call) {
        if self.log.is_none() {
            return;
        }
        let hash = self.state_hash();
        if let Some(log) = &mut self.log {
            log.file.byte(call as u8);
            log.file.u64s(&[hash]);
        }
    }
}
