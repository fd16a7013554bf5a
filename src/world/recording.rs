//! Recordings: a snapshot, and the calls after it.
//!
//! ```text
//! header    as of a snapshot, with another magic (bytes/hash.rs)
//! snapshot  its number of bytes, and the bytes
//! calls     each a byte and its arguments; a step has the hash of the state after it
//! end       a byte, and the hash of the state
//! ```
//!
//! Calls that fail change nothing, and are not recorded. A shape is recorded as the row that it has
//! become.

use super::{
    Body, Step, World,
    fields::{
        Call, Log, read_filter, read_handle, read_handles, read_motion, read_options, read_values,
    },
};
use crate::{
    bytes::{ByteSink, FileKind, Reader},
    error::Error,
    options::Options,
    shape::Pose,
};

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

/// Makes the calls of a [recording](World::start_recording) again, and compares the state after
/// each step with the recorded state: on any machine, SIMD level and number of threads.
///
/// A recording may come from a stranger: everything in it is checked, as the arguments of the calls
/// are. The limits of the options bound the pairs, and so the memory.
#[derive(Debug)]
pub struct Replay<'a> {
    world: World,
    /// The calls that are left.
    calls: Reader<'a>,
    options: Options,
    steps: u64,
}

impl<'a> Replay<'a> {
    /// Reads the snapshot that a recording begins with. It uses the SIMD level and the threads of
    /// the options, and the limits if they are lower than the recording's. The other options are
    /// the recording's.
    ///
    /// # Errors
    /// The errors of [`World::restore`], and of [`Options::check`].
    pub fn new(recording: &'a [u8], options: Options) -> Result<Self, Error> {
        let mut calls = Reader::new(recording);
        FileKind::Recording.open(&mut calls)?;
        let len = calls.count(1)?;
        let world = World::read(calls.part(len)?)?;
        let mut replay = Self { world, calls, options, steps: 0 };
        replay.set_options(*replay.world.options())?;
        Ok(replay)
    }

    /// Makes the calls up to the next step, this included, and returns its results; `None` at the
    /// end of the recording, after the calls behind the last step. After an error, the replay is at
    /// its end.
    ///
    /// # Errors
    /// [`Error::Diverged`] if the state is not the recorded one after the step, or at the end.
    /// [`Error::ReplayFailed`], with the error of the call, if a call fails or the bytes are not
    /// valid.
    pub fn step(&mut self) -> Result<Option<Step>, Error> {
        let result = self.run();
        if !matches!(result, Ok(true)) {
            self.calls = Reader::new(&[]);
        }
        Ok(result?.then(|| self.world.last_step().clone()))
    }

    /// The number of steps so far.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// The world as it is now.
    pub fn world(&self) -> &World {
        &self.world
    }

    /// The world, to go on with.
    pub fn into_world(self) -> World {
        self.world
    }

    /// Makes the calls up to the next step or the end, and returns whether there was a step.
    fn run(&mut self) -> Result<bool, Error> {
        let step = self.steps + 1;
        let failed = |error| Error::ReplayFailed { step, error: Box::new(error) };
        while !self.calls.is_empty() {
            let call = self.call().map_err(failed)?;
            if matches!(call, Call::Step | Call::End) {
                self.steps += u64::from(call == Call::Step);
                let recorded = self.calls.u64().map_err(failed)?;
                let found = self.world.state_hash();
                if found != recorded {
                    return Err(Error::Diverged { step: self.steps, recorded, found });
                }
                if call == Call::Step {
                    return Ok(true);
                }
                self.calls.end().map_err(failed)?;
            }
        }
        Ok(false)
    }

    /// Makes the next call, and returns which it was.
    fn call(&mut self) -> Result<Call, Error> {
        let Self { world, calls, .. } = self;
        let call = calls.one_of(&Call::ALL)?;
        let at = calls.clone();
        match call {
            Call::End => {}
            Call::Step => {
                world.step()?;
            }
            Call::Insert => {
                let handle = read_handle(world.bodies.tag, calls)?;
                let user = calls.u64()?;
                let motion = read_motion(calls)?;
                let (filter, space) = (read_filter(calls)?, calls.u32()?);
                let body = Body { pose: None, motion, filter, space, user };
                if world.bodies.read_body(body, calls)? != handle {
                    return Err(at.wrong(handle.id()));
                }
                world.inserted(handle, body);
            }
            Call::Remove => world.remove(read_handle(world.bodies.tag, calls)?)?,
            Call::SetShape => {
                let handle = read_handle(world.bodies.tag, calls)?;
                let row = world.bodies.row(handle)?;
                if !world.bodies.index.shapes.read_row(row as usize, calls)? {
                    return Err(at.wrong(handle.id()));
                }
                world.reshaped(handle);
            }
            Call::SetPose => {
                let handle = read_handle(world.bodies.tag, calls)?;
                let [x, y, cos, sin] = calls.f32s()?;
                world.set_pose(handle, Pose { x, y, cos, sin })?;
            }
            Call::SetPoses => {
                let count = calls.count(24)?;
                let handles = read_handles(world.bodies.tag, count, calls)?;
                let poses = calls.f32_list(4 * count)?;
                world.set_poses(&handles, bytemuck::cast_slice(&poses))?;
            }
            Call::SetPositionsOfAll => {
                let count = calls.count(8)?;
                let [x, y] = [calls.f32_list(count)?, calls.f32_list(count)?];
                world.set_positions_of_all(&x, &y)?;
            }
            Call::SetPosesOfAll => {
                let count = calls.count(16)?;
                let [x, y] = [calls.f32_list(count)?, calls.f32_list(count)?];
                let [cos, sin] = [calls.f32_list(count)?, calls.f32_list(count)?];
                world.set_poses_of_all(&x, &y, &cos, &sin)?;
            }
            Call::SetMotion => {
                world.set_motion(read_handle(world.bodies.tag, calls)?, read_motion(calls)?)?
            }
            Call::SetFilter => {
                world.set_filter(read_handle(world.bodies.tag, calls)?, read_filter(calls)?)?
            }
            Call::SetUser => world.set_user(read_handle(world.bodies.tag, calls)?, calls.u64()?)?,
            Call::SetOptions => {
                let options = read_options(calls)?;
                self.set_options(options)?;
            }
            Call::SetVelocities => {
                let count = calls.count(20)?;
                let handles = read_handles(world.bodies.tag, count, calls)?;
                let velocities = calls.f32_list(3 * count)?;
                world.set_velocities(&handles, bytemuck::cast_slice(&velocities))?;
            }
            Call::SetMargin => world.set_margin(calls.f32s::<1>()?[0])?,
            Call::Values => {
                let count = calls.count(16)?;
                let (_, values) = world.contacts_mut();
                if count != values.len() {
                    return Err(at.wrong(count as u64));
                }
                values.copy_from_slice(&read_values(count, calls)?);
            }
        }
        Ok(call)
    }

    /// Sets the options of the recording, except the options that the caller chooses.
    fn set_options(&mut self, recorded: Options) -> Result<(), Error> {
        let Options { simd_level, threads, max_pairs, max_contacts, timings, .. } = self.options;
        self.world.set_options(Options {
            simd_level,
            threads,
            max_pairs: recorded.max_pairs.min(max_pairs),
            max_contacts: recorded.max_contacts.min(max_contacts),
            timings,
            ..recorded
        })
    }
}
