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
    World,
    log::{Call, Log},
};
use crate::bytes::{ByteSink, FileKind};

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
        self.log = Some(Box::new(Log::behind(file)));
    }

    /// Ends the recording, and returns its bytes. `None` if there is no recording.
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
            log.values(&self.kept.values);
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
